//! Results that nobody reads, of instructions of which another result is read or that stay for what they do.
//!
//! | instruction | unread | becomes |
//! |---|---|---|
//! | `IADD3 d, p, x, y, z`, `SHFL p, d, x, …` | `p` | the same with `PT` |
//! | `IADD3 d, p, x, y, z` | `d` | the same with `RZ` |
//! | `IMAD.WIDE d, x, y, z` | `d.1` | `IMAD d.0, x, y, z.0` |
//! | `IMAD.WIDE d, x, y, z` | `d.0` | `IMAD.HI d.1, x, y, z` |
//!
//! A predicate less is a register less, and who writes no predicate is one with what only computes a word.

use super::is_pure;
use crate::immediate::{Immediates, sources};
use crate::ir::{Function, Inst, Op, Operand, Reg};
use crate::passes::opt_fuse::make_with_numbers;
use smallvec::SmallVec;
use warpc_sass::latency::File;
use warpc_sass::{Marks, Value};

/// Lets results go nowhere that are not live after an instruction.
pub(super) fn drop_results(
    function: &Function,
    inst: &mut Inst,
    immediates: &mut Immediates,
    is_live: impl Fn(Reg, u8) -> bool,
) {
    let pure = is_pure(inst);
    if !pure && inst.shape.opcode() != "SHFL" {
        return;
    }
    let shape = inst.shape;
    for written in shape.written_slots() {
        let slot = usize::from(written.slot);
        let Op::Reg(reg, lane) = inst.operands[slot].op else {
            continue;
        };
        if (lane..lane + written.registers).any(|lane| is_live(reg, lane)) {
            continue;
        }
        let nowhere = match shape.slots()[slot].file {
            Some(File::Predicate) => Value::TRUE,
            Some(File::Register) if pure => Value::ZERO,
            _ => continue,
        };
        if shape.slots()[slot].fits(nowhere) {
            inst.operands[slot] = Operand::plain(Op::Value(nowhere));
        }
    }
    if let Some(made) = half_product(function, inst, immediates, is_live) {
        *inst = made;
    }
}

/// A product of 64 bits of which only one half is read.
fn half_product(
    function: &Function,
    inst: &Inst,
    immediates: &mut Immediates,
    is_live: impl Fn(Reg, u8) -> bool,
) -> Option<Inst> {
    let name = inst.shape.name();
    if !matches!(name, "IMAD.WIDE" | "IMAD.WIDE.U32") {
        return None;
    }
    let is_predicate = |operand: &&Operand| matches!(operand.op, Op::Reg(reg, _) if function.data(reg).file == crate::ir::File::Predicate);
    if inst.operands.iter().any(|operand| is_predicate(&operand)) {
        return None;
    }
    let (reg, lane, _) = inst.writes().next()?;
    let own: SmallVec<[Operand; 4]> = sources(inst.shape)
        .map(|slot| inst.operands[slot])
        .collect();
    let [x, y, z] = own[..] else { return None };
    if own.iter().any(|one| one.marks != Marks::NONE) {
        return None;
    }
    let (text, to) = match (is_live(reg, lane), is_live(reg, lane + 1)) {
        (true, false) => ("IMAD R0, R0, R0, R0", lane),
        (false, true) if name == "IMAD.WIDE" => ("IMAD.HI R0, R0, R0, R0", lane + 1),
        (false, true) => ("IMAD.HI.U32 R0, R0, R0, R0", lane + 1),
        _ => return None,
    };
    let to = Operand::plain(Op::Reg(reg, to));
    let made = make_with_numbers(function, immediates, text, inst, &[to, x, y, z])?;
    Some(Inst {
        guard: inst.guard,
        origin: inst.origin,
        ..made
    })
}
