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
//!
//! The old value is kept in a temporary and copied to the result at the end: the result may be the register of a
//! source, which every try reads again.

use super::atomic::Operation;
use crate::code::{Code, address, ptx};
use crate::location::{Location, is_own};
use crate::wired::{Operand, Temporary};
use warpc_model::{AtomicOp, AtomicType, Scope, StateSpace};
use warpc_sass::Value;

/// What ptxas forgets: the fences around loops in shared memory.
const LOST: &str = "from sm_90 on the order of a loop in shared memory is dropped";

const LOST_AFTER_LOOPS: &str = "from sm_90 on an operation at a generic address acquires before its loops in shared memory, not after them";
const LOST_ELSEWHERE: &str = "from sm_90 on 64-bit integers and pairs of halves are not updated atomically in the shared memory of another block";

impl Operation {
    /// `.64` for eight bytes.
    fn wide(&self) -> &'static str {
        if self.is_wide() { ".64" } else { "" }
    }

    fn is_wide(&self) -> bool {
        self.ty.bytes() == 8
    }

    /// Whether the memory of another block has no such operation, and ptxas no loop for it
    /// (`warpc_model::Atomic::lost_by_ptxas`).
    fn is_split_in_other_blocks(&self) -> bool {
        let sum = self.op == AtomicOp::Add;
        self.is_wide() && !sum || matches!(self.ty, AtomicType::F16x2 | AtomicType::Bf16x2)
    }

    /// Registers for a value.
    fn value(&self, code: &mut Code) -> Temporary {
        code.registers(if self.is_wide() { 2 } else { 1 })
    }

    /// Compares two values of 64 bits into a predicate.
    fn compare(&self, code: &mut Code, is: &str, to: Temporary, left: Operand, right: Operand) {
        let signed = self.ty == AtomicType::S64;
        if code.chip.has_wide_integers() {
            let ty = if signed { "S64" } else { "U64" };
            let text = format!("ISETP.{is}.{ty}.AND P0, PT, R0, R0, PT");
            return code.step(text, &[to.into(), left, right]);
        }
        let high = if signed { "" } else { ".U32" };
        code.step(
            format!("ISETP.{is}.U32.AND P0, PT, R0, R0, PT"),
            &[to.into(), left.register(0), right.register(0)],
        );
        code.step(
            format!("ISETP.{is}{high}.AND.EX P0, PT, R0, R0, PT, P0"),
            &[to.into(), left.register(1), right.register(1), to.into()],
        );
    }

    /// Makes the new value in a loop from the old one. A minimum or maximum is left where the old value is as good; the
    /// new value is the operand then.
    fn update(&self, code: &mut Code, old: Temporary) -> Option<Operand> {
        let (b, old) = (ptx("b"), Operand::from(old));
        let is_order = matches!(self.op, AtomicOp::Min | AtomicOp::Max);
        if is_order {
            let is = if self.op == AtomicOp::Min { "GE" } else { "LE" };
            let good = code.predicate();
            self.compare(code, is, good, b, old);
            code.leave_inner(Some((good.into(), false)));
            return Some(b);
        }
        let new = Operand::from(self.value(code));
        match (self.op, self.ty) {
            (AtomicOp::Add, AtomicType::U64) if code.chip.has_wide_integers() => {
                code.step("IADD.64 R0, R0, R0", &[new, b, old]);
            }
            (AtomicOp::Add, AtomicType::U64) => {
                let carry = code.predicate().into();
                let low = [new.register(0), carry, b.register(0), old.register(0)];
                // From sm_100 on the second carry is shown.
                let second = if code.chip.since(100) { ", PT" } else { "" };
                code.step(format!("IADD3 R0, P0{second}, R0, R0, RZ"), &low);
                let high = [new.register(1), b.register(1), old.register(1), carry];
                code.step("IMAD.X R0, R0, 0x1, R0, P0", &high);
            }
            (AtomicOp::Add, AtomicType::F32) => code.step("FADD R0, R0, R0", &[new, b, old]),
            (AtomicOp::Add, AtomicType::F64) => code.step("DADD R0, R0, R0", &[new, b, old]),
            (AtomicOp::Add, AtomicType::F16x2 | AtomicType::Bf16x2) => {
                let add = match code.chip.0.number() {
                    100.. => "HFMA2",
                    80 | 87 | 90 => "HFMA2.MMA",
                    _ => "HADD2",
                };
                let bf16 = match self.ty {
                    AtomicType::Bf16x2 => ".BF16_V2",
                    _ => "",
                };
                let ones = if add == "HADD2" { "" } else { "1, 1, " };
                code.step(format!("{add}{bf16} R0, R0, {ones}R0"), &[new, old, b]);
            }
            (AtomicOp::And | AtomicOp::Or | AtomicOp::Xor, _) => {
                let table = match self.op {
                    AtomicOp::And => "0xc0",
                    AtomicOp::Or => "0xfc",
                    _ => "0x3c",
                };
                for half in [0, 1] {
                    code.step(
                        format!("LOP3.LUT R0, R0, R0, RZ, {table}, !PT"),
                        &[new.register(half), old.register(half), b.register(half)],
                    );
                }
            }
            _ => return None,
        }
        Some(new)
    }

    /// Back to the start of a loop unless the swap was done, which its result tells.
    fn repeat(&self, code: &mut Code, result: Temporary, start: crate::wired::Label) {
        let done = code.predicate();
        let (p, result) = (Operand::from(done), Operand::from(result));
        if !self.is_wide() {
            code.step("ISETP.EQ.U32.AND P0, PT, R0, 0x1, PT", &[p, result]);
        } else if code.chip.has_wide_integers() {
            code.step("ISETP.EQ.U64.AND P0, PT, R0, 0x1, PT", &[p, result]);
        } else {
            code.step(
                "ISETP.EQ.U32.AND P0, PT, R0, 0x1, PT",
                &[p, result.register(0)],
            );
            let high = [p, result.register(1), p];
            code.step("ISETP.EQ.U32.AND.EX P0, PT, R0, RZ, PT, P0", &high);
        }
        code.branch(Some((p, true)), start);
    }

    /// The loop of shared memory, without what stands around it; gives the old value. From sm_100 on the swap tells
    /// itself whether it was done.
    fn spin_shared(&self, code: &mut Code, at: Operand) -> Option<Temporary> {
        let wide = self.wide();
        let (old, result) = (self.value(code), self.value(code));
        let start = code.label_here();
        code.step(
            format!("{}{wide} R0, [R0]", code.chip.load_shared()),
            &[old.into(), at],
        );
        let new = self.update(code, old)?;
        let swap = [result.into(), at, old.into(), new];
        if code.chip.since(100) {
            code.step(format!("ATOMS.CAST.SPIN{wide} P0, [R0], R0, R0"), &swap);
            code.branch(Some((result.into(), true)), start);
        } else {
            code.step(format!("ATOMS.CAST.SPIN{wide} R0, [R0], R0, R0"), &swap);
            self.repeat(code, result, start);
        }
        Some(old)
    }

    /// The plain way in local memory, which no other thread sees.
    fn local(&self, code: &mut Code, location: Location, old: Temporary) -> Option<()> {
        let (weak, wide) = (code.chip.weak(), self.wide());
        let location = match self.op {
            AtomicOp::Cas => location.plain(),
            _ => location,
        };
        let brackets = location.text();
        let load = location.operands(&[old.into()], &[]);
        code.step(format!("LD.E{wide}{weak} R0, {brackets}"), &load);
        let (b, c, was) = (ptx("b"), ptx("c"), Operand::from(old));
        let new = match (self.op, self.ty) {
            (AtomicOp::Exch, _) => b,
            (AtomicOp::Cas, _) => {
                let same = code.predicate();
                self.compare(code, "EQ", same, was, b);
                self.select(code, c, was, same)
            }
            (AtomicOp::Min | AtomicOp::Max, _) => self.extreme(code, was),
            // Two halves are added as one integer here, by all versions seen; generic atomics on local memory are
            // undefined in PTX.
            (AtomicOp::Add, AtomicType::F16x2 | AtomicType::Bf16x2) => {
                let new = Operand::from(self.value(code));
                match code.chip.has_wide_integers() {
                    true => code.step("IADD R0, R0, R0", &[new, b, was]),
                    false => code.step("IMAD.IADD R0, R0, 0x1, R0", &[new, b, was]),
                }
                new
            }
            _ => self.update(code, old)?,
        };
        let store = location.operands(&[], &[new]);
        code.step(format!("ST.E{wide}{weak} {brackets}, R0"), &store);
        Some(())
    }

    /// The minimum or maximum of the old value and the operand, of 64 bits.
    fn extreme(&self, code: &mut Code, old: Operand) -> Operand {
        let (b, is_least) = (ptx("b"), self.op == AtomicOp::Min);
        if code.chip.has_wide_integers() {
            let signed = self.ty == AtomicType::S64;
            let ty = if signed { "S64" } else { "U64" };
            let least = if is_least { "PT" } else { "!PT" };
            let new = Operand::from(self.value(code));
            let text = format!("IMNMX.{ty} PT, PT, R0, R0, R0, {least}, !PT");
            code.step(text, &[new, b, old]);
            return new;
        }
        let better = code.predicate();
        self.compare(code, if is_least { "LT" } else { "GT" }, better, old, b);
        self.select(code, old, b, better)
    }

    /// One of two values by a predicate.
    fn select(&self, code: &mut Code, yes: Operand, no: Operand, by: Temporary) -> Operand {
        let new = Operand::from(self.value(code));
        if code.chip.has_wide_integers() {
            code.step("SEL.64 R0, R0, R0, P0", &[new, yes, no, by.into()]);
        } else {
            for half in [0, 1] {
                let of = |value: Operand| value.register(half);
                code.step("SEL R0, R0, R0, P0", &[of(new), of(yes), of(no), by.into()]);
            }
        }
        new
    }
}

/// A loop in shared memory.
pub(super) fn shared(atomic: &Operation, code: &mut Code) -> Option<()> {
    let loses = code.chip.since(90);
    // An acquiring one needs nothing in the block.
    let beyond = !matches!(atomic.scope, Scope::Thread | Scope::Cta);
    if loses && (atomic.order.is_release() || atomic.order.is_acquire() && beyond) {
        code.loses(LOST);
    }
    code.open();
    match loses {
        true => code.restore(|code| atomic.release(code)),
        false => atomic.release(code),
    }
    let old = atomic.spin_shared(code, address("a"))?;
    code.close();
    if loses {
        code.restore(|code| atomic.acquire(code));
    }
    if atomic.returns {
        code.copy_all(ptx("d"), old);
    }
    Some(())
}

/// A generic address, whose space is found at run time.
pub(super) fn generic(atomic: &Operation, code: &mut Code, location: Location) -> Option<()> {
    let plain = matches!(atomic.op, AtomicOp::Exch | AtomicOp::Cas);
    let float = matches!(atomic.ty, AtomicType::F32 | AtomicType::F64);
    let late = !code.chip.since(90);
    let as_generic = Operation {
        space: StateSpace::Generic,
        ..*atomic
    };
    let (low, _) = location.registers();
    code.open();
    atomic.release(code);
    let done = code.predicate();
    let value = atomic.value(code);
    let results = (Some(done.into()), atomic.returns.then_some(value.into()));
    as_generic.put_native(code, location, results, atomic.sources())?;
    // ptxas acquires after what is done in global memory only, and not after the loops.
    let beyond = !matches!(atomic.scope, Scope::Thread | Scope::Cta);
    let early = !late && !plain && atomic.order.is_acquire() && beyond;
    if early {
        code.needless("CCTL.IVALL");
        code.loses(LOST_AFTER_LOOPS);
    } else if !late {
        atomic.acquire(code);
    }
    code.leave(Some((done.into(), false)));
    if !plain {
        let no = in_space(code, "QSPC.E.S", location);
        meet_again(atomic, code);
        let at = code.registers(1);
        match late {
            true => code.step(
                "LOP3.LUT R0, R0, 0xffffff, RZ, 0xc0, !PT",
                &[at.into(), low],
            ),
            false => code.copy(at.into(), low),
        }
        let old = atomic.spin_shared(code, at.into())?;
        finish(atomic, code, value, old);
        code.place(no);
    }
    if float && !late {
        in_another_block(atomic, code, location, value)?;
    } else if !late && !plain && atomic.is_split_in_other_blocks() {
        code.loses(LOST_ELSEWHERE);
        let mut known = None;
        code.restore(|code| known = in_another_block(atomic, code, location, value));
        known?;
    }
    atomic.local(code, location, value)?;
    code.close();
    if early {
        code.restore(|code| atomic.acquire(code));
    } else if late {
        atomic.acquire(code);
    }
    if atomic.returns {
        code.copy_all(ptx("d"), value);
    }
    Some(())
}

/// The loop in the shared memory of another block of the cluster.
fn in_another_block(
    atomic: &Operation,
    code: &mut Code,
    location: Location,
    value: Temporary,
) -> Option<()> {
    let no = in_space(code, "QSPC.E.D", location);
    meet_again(atomic, code);
    let wide = atomic.wide();
    let location = location.plain();
    let (old, result) = (atomic.value(code), atomic.value(code));
    let start = code.label_here();
    code.step(
        format!("LD.E{wide} R0, [R0]"),
        &location.operands(&[old.into()], &[]),
    );
    // Always a swap: the load is weak, and what it gives must not be all there is of the operation.
    let new = match atomic.op {
        AtomicOp::Min | AtomicOp::Max => atomic.extreme(code, old.into()),
        _ => atomic.update(code, old)?,
    };
    code.step(
        format!("ATOM.E.CAST.SPIN{wide}.STRONG.SM PT, R0, [R0], R0, R0"),
        &location.operands(&[result.into()], &[old.into(), new]),
    );
    atomic.repeat(code, result, start);
    finish(atomic, code, value, old);
    code.place(no);
    Some(())
}

/// Asks whether an address is in a space; gives the label where it goes on if it is not.
fn in_space(code: &mut Code, name: &str, location: Location) -> crate::wired::Label {
    let (is, no) = (code.predicate(), code.label());
    let operands = location.plain().operands(&[is.into()], &[]);
    code.step(format!("{name} P0, RZ, [R0]"), &operands);
    code.branch(Some((is.into(), true)), no);
    no
}

/// The threads of a loop meet again before they go on with its result, or where it is left on two ways. Otherwise there
/// is nothing to do together.
fn meets(atomic: &Operation) -> bool {
    atomic.returns || matches!(atomic.op, AtomicOp::Min | AtomicOp::Max)
}

fn meet_again(atomic: &Operation, code: &mut Code) {
    if meets(atomic) {
        code.open();
    }
}

/// Leaves with the old value.
fn finish(atomic: &Operation, code: &mut Code, value: Temporary, old: Temporary) {
    if meets(atomic) {
        code.close();
    }
    if atomic.returns {
        code.copy_all(value.into(), old);
    }
    code.leave(None);
}

/// An operation on 16 bits, by a loop on the word around them.
pub(super) fn halfword(atomic: &Operation, code: &mut Code, location: Location) -> Option<()> {
    let chip = code.chip;
    let swaps = atomic.op == AtomicOp::Cas;
    let bits = Operation {
        op: AtomicOp::Cas,
        ty: AtomicType::B32,
        returns: true,
        ..*atomic
    };
    let (low, high) = location.registers();
    let own = is_own(atomic.space);
    let load = match atomic.space {
        StateSpace::Global => format!("LDG.E{}", chip.weak()),
        _ if own => chip.load_shared().to_owned(),
        _ => format!("LD.E{}", chip.weak()),
    };
    let location = match swaps {
        true => location.plain(),
        false => location,
    };
    let word = code.registers(if own { 1 } else { 2 });
    let start_of_word = match own {
        true => Operand::from(word),
        false => Operand::from(word).register(0),
    };
    let half = Operand::from(code.registers(1));
    let (old, got) = (code.registers(1), code.registers(1));
    code.open();
    code.step(
        "LOP3.LUT R0, R0, 0xfffffffd, RZ, 0xc0, !PT",
        &[start_of_word, low],
    );
    if !own {
        code.copy(Operand::from(word).register(1), high);
    }
    code.step("LOP3.LUT R0, R0, 0x2, RZ, 0xc0, !PT", &[half, low]);
    let place = location.at(word.into());
    code.step(
        format!("{load} R0, {}", place.text()),
        &place.operands(&[old.into()], &[]),
    );
    let first = Operand::from(code.predicate());
    code.step("ISETP.EQ.U32.AND P0, PT, R0, RZ, PT", &[first, half]);
    let shift = Operand::from(code.registers(1));
    if atomic.returns {
        code.step("IMAD.SHL.U32 R0, R0, 0x8, RZ", &[shift, half]);
    }
    // Which bytes of the word and of the new value the new word has.
    let (upper, choice) = (code.registers(1), Operand::from(code.registers(1)));
    code.copy(upper.into(), Value::Number(0x3254).into());
    let lower = if swaps { "0x5410" } else { "0x7610" };
    code.step(
        format!("SEL R0, R0, {lower}, P0"),
        &[choice, upper.into(), first],
    );
    let start = code.label_here();
    let again = Operand::from(code.predicate());
    let (was, is) = (Operand::from(old), Operand::from(got));
    let put_together = |code: &mut Code, from: Operand, with: Operand| {
        let to = Operand::from(code.registers(1));
        code.step("PRMT R0, R0, R0, R0", &[to, from, choice, with]);
        to
    };
    let (expected, new) = match (atomic.op, atomic.ty) {
        (AtomicOp::Cas, _) => {
            let new = put_together(code, was, ptx("c"));
            (put_together(code, was, ptx("b")), new)
        }
        (AtomicOp::Add, ty) => {
            let sum = Operand::from(code.registers(1));
            let add = match ty {
                AtomicType::Bf16 => "HADD2.BF16_V2",
                _ => "HADD2",
            };
            code.step(format!("{add} R0, R0, R0.H0_H0"), &[sum, was, ptx("b")]);
            (was, put_together(code, was, sum))
        }
        _ => return None,
    };
    let half_of = |code: &mut Code, word: Operand| {
        let to = Operand::from(code.registers(1));
        code.step("PRMT R0, R0, R0, RZ", &[to, word, choice]);
        to
    };
    let wanted = match swaps {
        true => half_of(code, expected),
        false => expected,
    };
    // Every try has the order.
    atomic.release(code);
    bits.put_native(code, place, (None, Some(is)), &[expected, new])?;
    atomic.acquire(code);
    let found = match swaps {
        true => half_of(code, is),
        false => is,
    };
    code.step(
        "ISETP.NE.U32.AND P0, PT, R0, R0, PT",
        &[again, found, wanted],
    );
    code.copy(was, is);
    code.branch(Some((again, false)), start);
    code.close();
    if atomic.returns {
        code.step("SHF.R.U32.HI R0, RZ, R0, R0", &[ptx("d"), shift, is]);
    }
    Some(())
}
