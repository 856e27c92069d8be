//! Instructions of the machine whose operands are uniform: where threads have different ones, a loop takes them one by one.
//!
//! ```text
//!   .L:  R2UR P0, UR4, %a     the value of one thread; P0 for threads with another one
//!        …                    once for all that have it
//!        @P0 BRA .L
//! ```
//!
//! All `R2UR` that the same threads execute take the value of the same one of them. What has to be done for every thread,
//! even for those with the same operands, has its number in the warp among them.
//!
//! Lanes that have parted share the uniform registers. So nothing stands between an `R2UR` and who needs it at which the
//! machine lets other lanes run: no branch that they may come back from, no `YIELD`.
//!
//! ptxas leaves the loop out where it can prove that all threads have the same value.

use super::number;
use crate::code::{Code, ptx};
use crate::source::Source;
use crate::wired::{File, Operand};

/// The steps of an instruction of this kind; nothing if it is not one.
pub(super) fn emit(source: &Source, code: &mut Code) -> Option<()> {
    match source.opcode() {
        "mbarrier" if source.has_word("init") => make(code, source.has_word("layout::v1")),
        "mbarrier" if source.has_word("check_layout") => {
            check_layout(code, source.has_word("layout::v1"));
        }
        "cp" if source.has_word("bulk") => return super::bulk_copy::emit(source, code),
        "cp" if source.has_word("mbarrier") => arrive(code, source.has_word("noinc")),
        _ => return None,
    }
    Some(())
}

/// How often steps are executed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Times {
    /// Once for all threads with the same operands: doing it twice changes nothing.
    Values,
    /// The same, by exactly those threads: the machine counts them. The others wait.
    Counted,
    /// Once for each thread.
    Threads,
}

/// Repeats steps, with the values of registers in uniform ones: pairs of these and those.
pub(super) fn each(
    code: &mut Code,
    times: Times,
    values: &[(Operand, Operand)],
    steps: impl FnOnce(&mut Code),
) {
    let mut others: Option<Operand> = None;
    if times == Times::Threads {
        let (lane, chosen) = (code.word(), Operand::from(code.temporary(File::Uniform, 1)));
        code.step("S2R R0, SR_LANEID", &[lane]);
        let again = code.label_here();
        let differs = code.flag();
        code.step("R2UR P0, UR0, R0", &[differs, chosen, lane]);
        for (to, from) in values {
            code.step("R2UR UR0, R0", &[*to, *from]);
        }
        steps(code);
        return code.branch(Some((differs, false)), again);
    }
    let again = code.label_here();
    for (to, from) in values {
        let differs = code.flag();
        code.step("R2UR P0, UR0, R0", &[differs, *to, *from]);
        others = Some(match others {
            None => differs,
            Some(before) => {
                let any = code.flag();
                let operands = [any, before, differs];
                code.step("PLOP3.LUT P0, PT, P0, P0, PT, 0xa8, 0x0", &operands);
                any
            }
        });
    }
    let Some(others) = others else { return };
    if times == Times::Counted {
        code.open();
        code.leave_inner(Some((others, false)));
    }
    steps(code);
    if times == Times::Counted {
        code.close();
    }
    code.branch(Some((others, false)), again);
}

/// The address of something in shared memory: of a generic one the low half.
pub(super) fn place(code: &mut Code, name: &'static str) -> Operand {
    let place = code.word();
    code.copy(place, ptx(name).register(0));
    place
}

/// `mbarrier.init`: the unit counts pending arrivals downwards from 2^20, with the current phase in the low word and the
/// next in the high one. The lowest bit is that of the layout.
fn make(code: &mut Code, second_layout: bool) {
    let (place, left) = (place(code, "addr"), code.word());
    let (low, high) = (code.word(), code.word());
    code.step("IADD3 R0, -R0, 0x100000, RZ", &[left, ptx("count")]);
    code.step("SHF.L.U32 R0, R0, 0x1, RZ", &[low, left]);
    if second_layout {
        code.step("LOP3.LUT R0, R0, 0x1, RZ, 0xfc, !PT", &[low, low]);
    }
    code.step("SHF.L.U32 R0, R0, 0xb, RZ", &[high, left]);
    let barrier = Operand::from(code.temporary(File::Uniform, 1));
    let pair = Operand::from(code.temporary(File::Uniform, 2));
    let values = [
        (barrier, place),
        (pair.register(0), low),
        (pair.register(1), high),
    ];
    each(code, Times::Values, &values, |code| {
        code.step("FENCE.VIEW.ASYNC.S", &[]);
        code.step("SYNCS.EXCH.64 URZ, [UR0], UR0", &[barrier, pair]);
    });
}

/// `mbarrier.check_layout`: whether the lowest bit of a barrier is that of the layout.
fn check_layout(code: &mut Code, second: bool) {
    let (place, barrier) = (place(code, "addr"), code.double());
    code.step("SYNCS.LD.64 R0, [R0+URZ]", &[barrier, place]);
    let truth = if second { "0xc0" } else { "0xc" };
    let text = format!("LOP3.LUT P0, RZ, R0, 0x1, RZ, {truth}, !PT");
    code.step(text, &[ptx("p"), barrier.register(0)]);
}

/// `cp.async.mbarrier.arrive`: an arrival when the copies so far are done; without `.noinc` it is announced first.
fn arrive(code: &mut Code, counted: bool) {
    let place = place(code, "addr");
    let barrier = Operand::from(code.temporary(File::Uniform, 1));
    each(code, Times::Counted, &[(barrier, place)], |code| {
        if counted {
            return code.step("ARRIVES.LDGSTSBAR.64.ARVCNT [UR0]", &[barrier]);
        }
        let text = "SYNCS.ARRIVE.TRANS64.RED.A0T1 RZ, [UR0], RZ";
        code.step(text, &[barrier]);
        code.step("ARRIVES.LDGSTSBAR.64.TRANSCNT [UR0]", &[barrier]);
    });
}

/// `prefetch.tensormap`: a map that copies will need. A space that is not generic has its place at this one of bank 0.
pub(super) fn prefetch_map(code: &mut Code, window: Option<u32>) {
    let map = Operand::from(code.temporary(File::Uniform, 2));
    let mut from = code.double();
    for half in [0, 1] {
        code.copy(from.register(half), ptx("a").register(half));
    }
    if let Some(place) = window {
        let (window, sum) = (code.double(), code.double());
        code.step(format!("LDC.64 R0, c[0x0][{place:#x}]"), &[window]);
        code.add_64(sum, from, window);
        from = sum;
    }
    let values = [0, 1].map(|half| (map.register(half), from.register(half)));
    each(code, Times::Values, &values, |code| {
        code.step("UTMACCTL.PF [UR0]", &[map]);
    });
}

/// The policy for the caches, if one is given.
pub(super) fn policy(source: &Source, code: &mut Code) -> Option<Operand> {
    source.operand("cache_policy")?;
    Some(crate::location::policy(code))
}

/// The low halves of two words, the first one below.
pub(super) fn halves(code: &mut Code, low: Operand, high: Option<Operand>) -> Operand {
    let both = code.word();
    match high {
        Some(high) => code.step("PRMT R0, R0, 0x5410, R0", &[both, low, high]),
        None => code.step("PRMT R0, R0, 0x5410, RZ", &[both, low]),
    }
    both
}

/// A word with zero.
pub(super) fn zero(code: &mut Code) -> Operand {
    let zero = code.word();
    code.copy(zero, number(0));
    zero
}
