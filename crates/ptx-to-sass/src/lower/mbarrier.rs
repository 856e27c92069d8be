//! Barriers in shared memory.
//!
//! sm_80 to sm_89 work on the barrier with ordinary atomics of shared memory and two opcodes that know its layout
//! (`ATOMS.ARRIVE.64`, `ATOMS.POPC.INC.32`). From sm_90 on a unit of its own does it, `SYNCS`:
//!
//! ```text
//!   SYNCS.ARRIVE.TRANS64 .RED     no state comes back (of a generic or another block's address)
//!                        .TMASK   arrivals that are not the last, with a state
//!                        .OPTOUT  arrive_drop
//!                        .A1T0    one arrival;  .ART0 a register of them;  nothing: one arrival, and bytes expected
//!                        .A0TR    bytes expected;  .A0TX bytes that have come;  .A0T1 one copy begun
//!   SYNCS.PHASECHK.TRANS64 .TRYWAIT
//! ```

use crate::code::{Code, address, ptx};
use crate::source::{Argument, Source};
use crate::wired::Operand;
use warpc_model::{MbarrierOp, Ordering, Scope, StateSpace};
use warpc_sass::Value;

/// An operation on a barrier in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mbarrier {
    /// The kind, or `None` for `pending_count`.
    pub op: Option<MbarrierOp>,
    /// Its order.
    pub order: Ordering,
    /// Among which threads.
    pub scope: Scope,
    /// Where the address points.
    pub space: StateSpace,
    /// A state comes back.
    pub returns: bool,
    /// How many arrive, as a number or a register; for `init` the count of the barrier.
    pub count: Count,
    /// An arrival also says how many bytes are expected.
    pub expects: bool,
    /// A wait has a time limit of its own.
    pub timed: bool,
    /// `cp.async.mbarrier.arrive.noinc`
    pub no_increment: bool,
    /// A wait of PTX 9.4 has results beyond whether the phase is over.
    pub more: More,
}

/// What a wait returns about reports of asynchronous operations. Chips before sm_100 have none: a predicate that is false,
/// and a byte that is zero. Source: ptxas 13.4.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct More {
    /// Whether something was reported.
    pub seen: bool,
    /// What was reported.
    pub report: bool,
}

/// A count among the operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// There is none.
    One,
    /// A number.
    Constant,
    /// A register.
    Register,
}

fn count(operand: Option<Argument>) -> Count {
    match operand {
        None => Count::One,
        Some(Argument::Constant(_)) => Count::Constant,
        Some(_) => Count::Register,
    }
}

/// Whether an operand that may be left out is there, and is not `_`.
fn wants(source: &Source, name: &str) -> bool {
    !matches!(source.operand(name), None | Some(Argument::Sink))
}

pub(crate) fn read(source: &mut Source) -> Option<Mbarrier> {
    let no_complete = source.take("noComplete");
    // Barriers of the layout of sm_90 have one kind of phase.
    let _ = source.take("phase_type::primary") || source.take("phase_type::conditional");
    let parity = source.take("parity");
    let pending = source.take("pending_count");
    let first = source.take_by(|word| {
        Some(match word {
            "init" => MbarrierOp::Init,
            "inval" => MbarrierOp::Inval,
            "arrive" if no_complete => MbarrierOp::ArriveNoComplete,
            "arrive" => MbarrierOp::Arrive,
            "arrive_drop" if no_complete => MbarrierOp::ArriveDropNoComplete,
            "arrive_drop" => MbarrierOp::ArriveDrop,
            "test_wait" if parity => MbarrierOp::TestWaitParity,
            "test_wait" => MbarrierOp::TestWait,
            "try_wait" if parity => MbarrierOp::TryWaitParity,
            "try_wait" => MbarrierOp::TryWait,
            "complete_tx" => MbarrierOp::CompleteTx,
            _ => return None,
        })
    });
    let expects = source.take("expect_tx");
    let op = match (first, pending) {
        (None, true) => None,
        (None, false) if expects => Some(MbarrierOp::ExpectTx),
        (None, _) => return None,
        (op, _) => op,
    };
    source.take("b64");
    let waits = matches!(
        op,
        Some(
            MbarrierOp::TestWait
                | MbarrierOp::TestWaitParity
                | MbarrierOp::TryWait
                | MbarrierOp::TryWaitParity
        )
    );
    let default = if waits {
        Ordering::Acquire
    } else {
        Ordering::Release
    };
    Some(Mbarrier {
        op,
        order: source.order().unwrap_or(default),
        scope: source.scope().unwrap_or(Scope::Cta),
        space: source.space(),
        returns: source.has_result("state"),
        count: count(source.operand("count")),
        expects,
        timed: source.operand("limit").is_some(),
        no_increment: false,
        more: More {
            seen: wants(source, "seen"),
            report: wants(source, "report"),
        },
    })
}

/// `cp.async.mbarrier.arrive`
pub(crate) fn read_arrival(source: &mut Source) -> Option<Mbarrier> {
    let known = source.take("async") && source.take("mbarrier") && source.take("arrive");
    source.take("b64");
    known.then(|| Mbarrier {
        op: Some(MbarrierOp::CpAsyncArrive),
        order: Ordering::Relaxed,
        scope: Scope::Cta,
        space: source.space(),
        returns: false,
        count: Count::One,
        expects: false,
        timed: false,
        no_increment: source.take("noinc"),
        more: More::default(),
    })
}

impl Mbarrier {
    fn is_shared(&self) -> bool {
        matches!(self.space, StateSpace::Shared | StateSpace::SharedCta)
    }

    fn drops(&self) -> bool {
        matches!(
            self.op,
            Some(MbarrierOp::ArriveDrop | MbarrierOp::ArriveDropNoComplete)
        )
    }

    fn completes(&self) -> bool {
        !matches!(
            self.op,
            Some(MbarrierOp::ArriveNoComplete | MbarrierOp::ArriveDropNoComplete)
        )
    }

    fn has_parity(&self) -> bool {
        matches!(
            self.op,
            Some(MbarrierOp::TestWaitParity | MbarrierOp::TryWaitParity)
        )
    }

    fn exists(&self, code: &Code) -> bool {
        use MbarrierOp::*;
        let hopper = self.scope == Scope::Cluster
            || self.space == StateSpace::SharedCluster
            || self.order == Ordering::Relaxed && self.op != Some(CpAsyncArrive)
            || self.expects
            || matches!(self.op, Some(TryWait | TryWaitParity | CompleteTx))
            || self.count != Count::One && matches!(self.op, Some(Arrive | ArriveDrop));
        code.chip.since(if hopper { 90 } else { 80 })
    }

    pub(crate) fn emit(&self, code: &mut Code) -> Option<()> {
        if !self.exists(code) {
            return None;
        }
        if code.chip.since(90) {
            self.emit_unit(code);
        } else {
            self.emit_atomics(code);
        }
        Some(())
    }

    /// sm_80 to sm_89.
    fn emit_atomics(&self, code: &mut Code) {
        let shared = self.is_shared();
        // An atomic of the address's space.
        let atomic = |op: &str| match shared {
            true => format!("ATOMS.{op}"),
            false => format!("ATOM.E.{op}.STRONG.SM"),
        };
        let Some(op) = self.op else {
            return code.put("LOP3.LUT IADD3");
        };
        match op {
            MbarrierOp::Init => {
                code.put_if(self.count == Count::Register, "IADD3 IADD3");
                code.put(if shared {
                    "STS.64"
                } else {
                    "ST.E.64.STRONG.SM"
                });
            }
            MbarrierOp::Inval => {}
            MbarrierOp::Arrive | MbarrierOp::ArriveDrop => {
                code.put("MEMBAR.ALL.CTA");
                code.put_if(self.drops(), atomic("POPC.INC.32"));
                code.put(atomic("ARRIVE.64"));
            }
            MbarrierOp::ArriveNoComplete | MbarrierOp::ArriveDropNoComplete => {
                // One lane adds for all that are there, and hands out what each of them would have found.
                code.put("MEMBAR.ALL.CTA S2R(SR_LANEID) VOTEU.ANY");
                code.put(if self.returns { "FLO.U32" } else { "UFLO.U32" });
                code.put("POPC ISETP.EQ.U32.AND SHF.L.U32");
                code.put_if(self.drops(), atomic("ADD"));
                code.put(atomic("ADD"));
                code.put_if(self.returns, "S2R(SR_LTMASK) LOP3.LUT POPC SHFL.IDX IMAD");
            }
            MbarrierOp::CpAsyncArrive => {
                code.put_if(!shared, "ULDC UIADD3");
                if !self.no_increment {
                    code.put("VOTE.ALL S2R(SR_LANEID) FLO.U32 ISETP.EQ.U32.AND POPC");
                }
                code.put("R2UR");
                code.put_if(!self.no_increment, "ATOMS.ADD.S32");
                code.put("ARRIVES.LDGSTSBAR.64");
            }
            _ => {
                code.put(if shared { "LDS" } else { "LD.E.STRONG.SM" });
                code.put("LOP3.LUT");
            }
        }
    }

    /// The register with the address in shared memory: of a generic one the low half.
    fn place(&self, code: &mut Code) -> Operand {
        if self.space != StateSpace::Generic {
            return address("addr");
        }
        let low = Operand::from(code.registers(1));
        code.copy(low, ptx("addr").register(0));
        low
    }

    /// From sm_90 on.
    fn emit_unit(&self, code: &mut Code) {
        let chip = code.chip;
        // The address in a uniform register.
        let uniform = if self.is_shared() {
            "R2UR"
        } else {
            "R2UR R2UR"
        };
        // What sm_120 shifts with a multiplication.
        let shift = if chip.has_wide_integers() {
            "IMAD.SHL.U32"
        } else {
            "SHF.L.U32"
        };
        let Some(op) = self.op else {
            let left = Operand::from(code.registers(1));
            let high = ptx("state").register(1);
            code.step("SHF.R.U32.HI R0, RZ, 0xb, R0", &[left, high]);
            code.step("LOP3.LUT R0, R0, 0xfffff, RZ, 0x40, !PT", &[left, left]);
            let add = match chip.has_wide_integers() {
                true => "IADD R0, -R0, 0x100000",
                false => "IADD3 R0, -R0, 0x100000, RZ",
            };
            return code.step(add, &[ptx("count"), left]);
        };
        match op {
            MbarrierOp::Init if self.count == Count::Register && chip.since(100) => {
                code.put(format!("{} SHF.L.U32 {shift}", chip.add()));
                code.put("STS.64 FENCE.VIEW.ASYNC.S SYNCS.CCTL.IVALL");
            }
            MbarrierOp::Init if self.count == Count::Register => {
                // The count is made uniform by a loop over its values, the barrier's address too.
                code.put(format!("PLOP3.LUT {uniform} PLOP3.LUT R2UR PLOP3.LUT"));
                code.put("UIADD3 USHF.L.U32 USHF.L.U32 BRA.U.ANY");
                code.put("PLOP3.LUT PLOP3.LUT R2UR PLOP3.LUT R2UR.OR PLOP3.LUT");
                code.put("FENCE.VIEW.ASYNC.S SYNCS.EXCH.64 BRA.U.ANY");
            }
            MbarrierOp::Init => {
                code.put(format!(
                    "UIADD3 USHF.L.U32 USHF.L.U32 {uniform} SYNCS.EXCH.64"
                ));
            }
            MbarrierOp::Inval => {
                let place = self.place(code);
                code.step("SYNCS.CCTL.IV [R0+URZ]", &[place]);
            }
            MbarrierOp::ExpectTx | MbarrierOp::CompleteTx => {
                let which = if op == MbarrierOp::ExpectTx {
                    "A0TR"
                } else {
                    "A0TX"
                };
                let place = self.place(code);
                let text = format!("SYNCS.ARRIVE.TRANS64.RED.{which} RZ, [R0+URZ], R0");
                code.step(text, &[place, ptx("bytes")]);
            }
            MbarrierOp::CpAsyncArrive if self.no_increment => {
                code.put(format!("{uniform} ARRIVES.LDGSTSBAR.64.ARVCNT"));
            }
            MbarrierOp::CpAsyncArrive => {
                code.put(uniform);
                code.put("SYNCS.ARRIVE.TRANS64.RED.A0T1 ARRIVES.LDGSTSBAR.64.TRANSCNT");
            }
            MbarrierOp::TestWait
            | MbarrierOp::TestWaitParity
            | MbarrierOp::TryWait
            | MbarrierOp::TryWaitParity => self.emit_wait(code, shift),
            _ => self.emit_arrival(code, shift),
        }
    }

    /// A test of the phase, or a wait for it.
    fn emit_wait(&self, code: &mut Code, shift: &str) {
        let tries = matches!(
            self.op,
            Some(MbarrierOp::TryWait | MbarrierOp::TryWaitParity)
        );
        let tries = if tries { ".TRYWAIT" } else { "" };
        let place = self.place(code);
        // The phase is the highest bit of a state.
        let phase = match self.has_parity() {
            true => {
                let phase = Operand::from(code.registers(1));
                let text = "SHF.L.U32 R0, R0, 0x1f, RZ";
                code.instead(shift, text, &[phase, ptx("parity")]);
                phase
            }
            false => ptx("state").register(1),
        };
        let (done, again) = (ptx("done"), Some((ptx("done"), true)));
        let test = [done, place, phase];
        code.step(
            format!("SYNCS.PHASECHK.TRANS64{tries} P0, [R0+URZ], R0"),
            &test,
        );
        if self.timed {
            code.guarded(again, "NANOSLEEP.SYNCS R0", &[ptx("limit")]);
            code.guarded(again, "SYNCS.PHASECHK.TRANS64 P0, [R0+URZ], R0", &test);
        }
        if self.order.is_acquire() {
            code.acquire_if(Some((done, false)), self.scope);
        }
        if self.more.seen {
            code.step("PLOP3.LUT P0, PT, !PT, PT, PT, 0x80, 0x0", &[ptx("seen")]);
        }
        if self.more.report {
            code.copy(ptx("report"), Operand::Value(Value::Number(0)));
        }
    }

    fn emit_arrival(&self, code: &mut Code, shift: &str) {
        if self.order.is_release() && self.scope == Scope::Cluster {
            code.fence("ALL", Scope::Cta);
            code.fence("ALL", Scope::Cluster);
        }
        let silent = !self.returns && !self.is_shared();
        let masked = self.returns && !self.completes();
        let red = if silent { ".RED" } else { "" };
        let mask = if masked { ".TMASK" } else { "" };
        let drop = if self.drops() { ".OPTOUT" } else { "" };
        let (count, taken) = match self.count {
            _ if self.expects => ("", Some(ptx("bytes"))),
            Count::One if self.completes() => (".A1T0", None),
            _ => (".ART0", Some(ptx("count"))),
        };
        let name = format!("SYNCS.ARRIVE.TRANS64{red}{mask}{drop}{count}");
        let place = self.place(code);
        if masked {
            // ptxas counts the lanes with one address together, and works out what each would have found; a loop takes
            // their different counts one by one. An arrival that happens not to be the last does the same.
            code.needless(&name);
            code.needless("RPCMOV.32 RPCMOV.32 S2R(SR_LTMASK) LOP3.LUT RPCMOV.32 POPC");
            code.needless(&format!("{shift} IMAD RPCMOV.32"));
            let text = format!("SYNCS.ARRIVE.TRANS64{drop}{count} R0, [R0+URZ], R0");
            let operands = [ptx("state"), place, ptx("count")];
            return code.restore(|code| code.step(text, &operands));
        }
        let state = self.returns.then_some(ptx("state"));
        let operands: Vec<Operand> = state.into_iter().chain([place]).chain(taken).collect();
        let (to, from) = (state.map_or("RZ", |_| "R0"), taken.map_or("RZ", |_| "R0"));
        code.step(format!("{name} {to}, [R0+URZ], {from}"), &operands);
    }
}
