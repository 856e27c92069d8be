//! Atomic operations that the hardware lacks, as loops around compare-and-swap.
//!
//! ```text
//!   shared       LDS  new value  ATOMS.CAST.SPIN  back if another thread was faster
//!   generic      ATOM.E for global memory; a predicate tells that it was none
//!                QSPC.E.S: shared memory? the loop above
//!                QSPC.E.D: another block's shared memory? the same with ATOM.E.CAST.SPIN (floats, from sm_90 on)
//!                otherwise local memory: load, new value, store
//!   16 bits      the same on the aligned word around it, with PRMT for the half
//! ```

use super::atomic::Atomic;
use super::opcode::Code;
use warpc_model::{AtomicOp, AtomicType, StateSpace};

/// What ptxas forgets: the fences around loops in shared memory.
const LOST: &str = "from sm_90 on the order of a loop in shared memory is dropped";

impl Atomic {
    /// `.64` for eight bytes.
    fn wide(&self) -> &'static str {
        if self.ty.bytes() == 8 { ".64" } else { "" }
    }

    /// The comparison of minimum and maximum: the loop ends when the memory's value is as good.
    fn comparison(&self, code: &Code, is: &str) -> String {
        let signed = self.ty == AtomicType::S64;
        if code.chip.has_wide_integers() {
            let ty = if signed { "S64" } else { "U64" };
            return format!("ISETP.{is}.{ty}.AND");
        }
        let high = if signed { "" } else { ".U32" };
        format!("ISETP.{is}.U32.AND ISETP.{is}{high}.AND.EX")
    }

    /// What makes the new value in a loop.
    fn update(&self, code: &mut Code) -> Option<()> {
        let bf16 = if matches!(self.ty, AtomicType::Bf16x2) {
            ".BF16_V2"
        } else {
            ""
        };
        match (self.op, self.ty) {
            (AtomicOp::Add, AtomicType::U64) if code.chip.has_wide_integers() => {
                code.put("IADD.64");
            }
            (AtomicOp::Add, AtomicType::U64) => code.put("IADD3 IMAD.X"),
            (AtomicOp::Add, AtomicType::F32) => code.put("FADD"),
            (AtomicOp::Add, AtomicType::F64) => code.put("DADD"),
            (AtomicOp::Add, AtomicType::F16x2 | AtomicType::Bf16x2) => {
                let add = match code.chip.0.number() {
                    100.. => "HFMA2",
                    80 | 87 | 90 => "HFMA2.MMA",
                    _ => "HADD2",
                };
                code.put(format!("{add}{bf16}"));
            }
            (AtomicOp::And | AtomicOp::Or | AtomicOp::Xor, _) => code.put("LOP3.LUT LOP3.LUT"),
            (AtomicOp::Min | AtomicOp::Max, _) => {
                let is = if self.op == AtomicOp::Min { "GE" } else { "LE" };
                code.put(self.comparison(code, is));
                code.leave();
            }
            _ => return None,
        }
        Some(())
    }

    /// Whether the swap found the value that was loaded.
    fn found(&self, code: &mut Code) {
        code.put(match self.ty.bytes() {
            8 if code.chip.has_wide_integers() => "ISETP.EQ.U64.AND",
            8 => "ISETP.EQ.U32.AND ISETP.EQ.U32.AND.EX",
            _ => "ISETP.EQ.U32.AND",
        });
    }

    /// The loop of shared memory, without what stands around it. From sm_100 on the swap tells itself whether it was
    /// done.
    fn spin_shared(&self, code: &mut Code) -> Option<()> {
        code.put(format!("{}{}", code.chip.load_shared(), self.wide()));
        self.update(code)?;
        code.put(format!("ATOMS.CAST.SPIN{}", self.wide()));
        if !code.chip.since(100) {
            self.found(code);
        }
        code.put("BRA");
        Some(())
    }

    /// The plain way in local memory, which no other thread sees.
    fn local(&self, code: &mut Code) -> Option<()> {
        let weak = code.chip.weak();
        code.put(format!("LD.E{}{weak}", self.wide()));
        match (self.op, self.ty) {
            (AtomicOp::Exch, _) => {}
            (AtomicOp::Cas, _) => {
                self.found(code);
                code.put(if code.chip.has_wide_integers() {
                    "SEL.64"
                } else {
                    "SEL SEL"
                });
            }
            (AtomicOp::Min | AtomicOp::Max, AtomicType::S64) if code.chip.has_wide_integers() => {
                code.put("IMNMX.S64");
            }
            (AtomicOp::Min | AtomicOp::Max, _) if code.chip.has_wide_integers() => {
                code.put("IMNMX.U64");
            }
            (AtomicOp::Min | AtomicOp::Max, _) => {
                let is = if self.op == AtomicOp::Min { "LT" } else { "GT" };
                code.put(self.comparison(code, is));
                code.put("SEL SEL");
            }
            // Two halves are added as one integer here, by all versions seen; generic atomics on local memory are
            // undefined in PTX.
            (AtomicOp::Add, AtomicType::F16x2 | AtomicType::Bf16x2) => {
                code.put(if code.chip.has_wide_integers() {
                    "IADD"
                } else {
                    "IMAD.IADD"
                });
            }
            _ => self.update(code)?,
        }
        code.put(format!("ST.E{}{weak}", self.wide()));
        Some(())
    }
}

/// A loop in shared memory.
pub(super) fn shared(atomic: &Atomic, code: &mut Code) -> Option<()> {
    code.open();
    if code.chip.since(90) {
        if atomic.order.is_release() || atomic.order.is_acquire() {
            code.loses(LOST);
        }
    } else {
        atomic.release(code);
    }
    atomic.spin_shared(code)?;
    code.close();
    Some(())
}

/// A generic address, whose space is found at run time.
pub(super) fn generic(atomic: &Atomic, code: &mut Code) -> Option<()> {
    let plain = matches!(atomic.op, AtomicOp::Exch | AtomicOp::Cas);
    let float = matches!(atomic.ty, AtomicType::F32 | AtomicType::F64);
    let late = !code.chip.since(90);
    code.open();
    atomic.release(code);
    code.put(atomic.native(StateSpace::Generic, code)?);
    if !late {
        atomic.acquire(code);
    }
    code.leave();
    if !plain {
        code.put("QSPC.E.S BRA");
        code.open();
        code.put_if(late, "LOP3.LUT");
        atomic.spin_shared(code)?;
        code.close();
        code.leave();
    }
    if float && !late {
        code.put("QSPC.E.D BRA");
        code.open();
        let wide = atomic.wide();
        code.put(format!("LD.E{wide}"));
        atomic.update(code)?;
        code.put(format!("ATOM.E.CAST.SPIN{wide}.STRONG.SM"));
        atomic.found(code);
        code.put("BRA");
        code.close();
        code.leave();
    }
    atomic.local(code)?;
    code.close();
    if late {
        atomic.acquire(code);
    }
    Some(())
}

/// An operation on 16 bits, by a loop on the word around them.
pub(super) fn halfword(atomic: &Atomic, code: &mut Code) -> Option<()> {
    let chip = code.chip;
    let bits = Atomic {
        op: AtomicOp::Cas,
        ty: AtomicType::B32,
        ..*atomic
    };
    let load = match atomic.space {
        StateSpace::Global => format!("LDG.E{}", chip.weak()),
        StateSpace::Shared | StateSpace::SharedCta => chip.load_shared().to_owned(),
        _ => format!("LD.E{}", chip.weak()),
    };
    code.put_if(atomic.policy, "R2UR R2UR");
    code.open();
    code.put("LOP3.LUT LOP3.LUT");
    code.put(load);
    code.put("ISETP.EQ.U32.AND");
    code.put_if(atomic.returns, "IMAD.SHL.U32");
    code.put("SEL");
    match (atomic.op, atomic.ty) {
        (AtomicOp::Cas, _) => code.put("PRMT PRMT PRMT"),
        (AtomicOp::Add, AtomicType::Bf16) => code.put("HADD2.BF16_V2 PRMT"),
        (AtomicOp::Add, _) => code.put("HADD2 PRMT"),
        _ => return None,
    }
    // Every try has the order.
    atomic.release(code);
    code.put(bits.native(atomic.space, code)?);
    atomic.acquire(code);
    code.put_if(atomic.op == AtomicOp::Cas, "PRMT");
    code.put("ISETP.NE.U32.AND BRA");
    code.close();
    code.put_if(atomic.returns, "SHF.R.U32.HI");
    Some(())
}
