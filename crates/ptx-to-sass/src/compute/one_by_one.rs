//! Instructions of the machine whose operands are uniform: where threads have different ones, a loop takes them one by one.
//!
//! ```text
//!   .L:  R2UR P0, UR4, %a     the value of one thread; P0 for threads with another one
//!        …                    once for all that have it
//!        @P0 BRA .L
//! ```
//!
//! ptxas leaves the loop out where it can prove that all threads have the same value.

use crate::code::{Code, ptx};
use crate::source::Source;
use crate::wired::{File, Operand};

/// The steps of an instruction of this kind; nothing if it is not one.
pub(super) fn emit(source: &Source, code: &mut Code) -> Option<()> {
    match source.opcode() {
        "mbarrier" if source.has_word("init") => make(code),
        "cp" if source.has_word("mbarrier") => arrive(code, source.has_word("noinc")),
        _ => return None,
    }
    Some(())
}

/// Repeats steps for each combination of values; they get a uniform register for each. What counts threads is executed by
/// those that have the values only: the others wait for them.
fn each(
    code: &mut Code,
    values: &[Operand],
    counts_threads: bool,
    steps: impl FnOnce(&mut Code, &[Operand]),
) {
    let mut uniform = Vec::new();
    let mut others: Option<Operand> = None;
    let again = code.label_here();
    for value in values {
        let (register, differs) = (code.temporary(File::Uniform, 1).into(), code.flag());
        code.step("R2UR P0, UR0, R0", &[differs, register, *value]);
        others = Some(match others {
            None => differs,
            Some(before) => {
                let any = code.flag();
                let operands = [any, before, differs];
                code.step("PLOP3.LUT P0, PT, P0, P0, PT, 0xa8, 0x0", &operands);
                any
            }
        });
        uniform.push(register);
    }
    let Some(others) = others else { return };
    if counts_threads {
        code.open();
        code.leave_inner(Some((others, false)));
    }
    steps(code, &uniform);
    if counts_threads {
        code.close();
    }
    code.branch(Some((others, false)), again);
}

/// The address of a barrier in shared memory: of a generic one the low half.
fn place(code: &mut Code) -> Operand {
    let place = code.word();
    code.copy(place, ptx("addr").register(0));
    place
}

/// `mbarrier.init`: the unit counts pending arrivals downwards from 2^20, with the current phase in the low word and the
/// next in the high one.
fn make(code: &mut Code) {
    let (place, left) = (place(code), code.word());
    let (low, high) = (code.word(), code.word());
    code.step("IADD3 R0, -R0, 0x100000, RZ", &[left, ptx("count")]);
    code.step("SHF.L.U32 R0, R0, 0x1, RZ", &[low, left]);
    code.step("SHF.L.U32 R0, R0, 0xb, RZ", &[high, left]);
    each(code, &[place, low, high], false, |code, values| {
        let pair = Operand::from(code.temporary(File::Uniform, 2));
        code.step("UMOV UR0, UR0", &[pair.register(0), values[1]]);
        code.step("UMOV UR0, UR0", &[pair.register(1), values[2]]);
        code.step("FENCE.VIEW.ASYNC.S", &[]);
        code.step("SYNCS.EXCH.64 URZ, [UR0], UR0", &[values[0], pair]);
    });
}

/// `cp.async.mbarrier.arrive`: an arrival when the copies so far are done; without `.noinc` it is announced first.
fn arrive(code: &mut Code, counted: bool) {
    let place = place(code);
    each(code, &[place], true, |code, values| {
        if counted {
            return code.step("ARRIVES.LDGSTSBAR.64.ARVCNT [UR0]", &[values[0]]);
        }
        let text = "SYNCS.ARRIVE.TRANS64.RED.A0T1 RZ, [UR0], RZ";
        code.step(text, &[values[0]]);
        code.step("ARRIVES.LDGSTSBAR.64.TRANSCNT [UR0]", &[values[0]]);
    });
}
