//! An atomic operation whose old value nobody reads is one without a result.
//!
//! `ATOMG.E.ADD… PT, %old, desc[UR4][%a.64], %b` ──► `REDG.E.ADD… desc[UR4][%a.64], %b`
//!
//! Nothing comes back, and no thread waits. At a generic address and in shared memory the machine has one instruction for
//! both, and the result goes to `RZ`.
//!
//! The operation reads memory and writes it as before, in its place in the order of the thread, with its strength and scope.
//! Fences wait for both kinds. What acquires *by the result* stays: accesses after it wait for that (`Inst::acquires`), or a
//! `CCTL.IVALL` does, which must not empty the cache before the value was read.

use super::Pass;
use super::assign_registers::Limits;
use super::opt_dce::is_pure;
use crate::ir::{Function, Inst, Op};
use crate::pattern;
use warpc_sass::Value;
use warpc_sass::latency::File;

/// The pass.
pub(crate) const PASS: Pass = Pass {
    name: "opt_unread_atomics",
    run,
};

fn run(function: &mut Function, _: &Limits) {
    let is_one = |inst: &Inst| result(inst).is_some();
    let mut insts = function.blocks.iter().flat_map(|block| &block.insts);
    if !insts.any(is_one) {
        return;
    }
    let mut read = vec![false; function.regs.len()];
    for inst in function.blocks.iter().flat_map(|block| &block.insts) {
        for (reg, ..) in inst.reads() {
            read[reg.0 as usize] = true;
        }
    }
    let sm = function.sm;
    for block in &mut function.blocks {
        for at in 0..block.insts.len() {
            let inst = &block.insts[at];
            let Some((slot, reg)) = result(inst) else {
                continue;
            };
            if read[reg] || inst.acquires || empties_cache_next(&block.insts[at + 1..]) {
                continue;
            }
            match reduction(sm, inst) {
                Some(made) => block.insts[at] = made,
                None if matches!(inst.shape.opcode(), "ATOM" | "ATOMS") && !is_exchange(inst) => {
                    block.insts[at].operands[slot].op = Op::Value(Value::ZERO);
                }
                None => {}
            }
        }
    }
}

/// The slot of the old value and the number of its register, of an operation that has one.
fn result(inst: &Inst) -> Option<(usize, usize)> {
    if !matches!(inst.shape.opcode(), "ATOM" | "ATOMG" | "ATOMS") || inst.shape.has("SPIN") {
        return None;
    }
    let mut slots = inst.shape.slots().iter().zip(&inst.operands).enumerate();
    slots.find_map(|(at, (slot, operand))| match operand.op {
        Op::Reg(reg, _) if slot.is_written() && slot.file == Some(File::Register) => {
            Some((at, reg.0 as usize))
        }
        _ => None,
    })
}

/// Whether an operation has no meaning without a result, or no form.
fn is_exchange(inst: &Inst) -> bool {
    ["EXCH", "CAS", "CAST"]
        .into_iter()
        .any(|one| inst.shape.has(one))
}

/// Whether the cache is emptied before anything else happens: that acquires.
fn empties_cache_next(next: &[Inst]) -> bool {
    let mut others = next.iter().filter(|inst| !is_pure(inst));
    others
        .next()
        .is_some_and(|inst| inst.shape.opcode() == "CCTL")
}

/// The operation on global memory without a result.
fn reduction(sm: warpc_target::Sm, inst: &Inst) -> Option<Inst> {
    if inst.shape.opcode() != "ATOMG" || is_exchange(inst) {
        return None;
    }
    let name = inst.shape.name().strip_prefix("ATOMG")?;
    // Whether it was done must not be asked for.
    let [done, _, sources @ ..] = &inst.operands[..] else {
        return None;
    };
    if done.op != Op::Value(Value::TRUE) {
        return None;
    }
    let text = format!("REDG{name} desc[UR4][R2.64+0x10], R0");
    let pattern = pattern::find(sm, &text)?;
    let mut made = pattern.filled(&[], inst.guard, inst.span);
    // The same operands in the same slots, but for the results.
    let slots = made.shape.slots();
    let own = &inst.shape.slots()[2..];
    let fits = slots.len() == own.len()
        && slots.iter().zip(own).all(|(one, other)| {
            one.file == other.file
                && one.in_address == other.in_address
                && one.is_written() == other.is_written()
        });
    if !fits {
        return None;
    }
    made.operands = sources.iter().copied().collect();
    Some(made)
}
