//! Loops over the different operands of threads go where all threads have the same.
//!
//! ```text
//!   .L:  R2UR %p, %u, %handle           R2UR PT, %u, %handle
//!        @!%p TEX …, %u          ─►     TEX …, %u
//!        @%p BRA .L
//! ```
//!
//! What the machine wants uniform is taken from one thread after the other (`compute/one_by_one.rs`), and a predicate says
//! which threads have another value. Where the value is the same in all threads whenever they compute it ([`Same`]) no
//! thread has one: what is done under the predicate goes, and with it the loop and the convergence barrier that it would
//! have. Of predicates only those count that are written once, so that they are false wherever they are read.

use super::Pass;
use super::assign_registers::Limits;
use crate::analysis::same::Same;
use crate::analysis::values::Values;
use crate::ir::{Function, Inst, Op, Reg};
use warpc_sass::{Marks, Value};

/// The pass.
pub(crate) const PASS: Pass = Pass {
    name: "opt_one_by_one",
    run,
};

fn run(function: &mut Function, _: &Limits) {
    let mut insts = function.blocks.iter().flat_map(|block| &block.insts);
    if !insts.any(|inst| asks(inst).is_some()) {
        return;
    }
    let values = Values::of(function);
    let same = Same::of(function, &values);
    let mut never = vec![false; function.regs.len()];
    let mut any = false;
    for block in values.order().blocks() {
        for inst in &function.blocks[block.index()].insts {
            let found = match asks(inst) {
                Some((told, (reg, lane))) if same.has(&values, reg, lane, 1) => Some(told),
                Some(_) => None,
                None => either(inst, &never),
            };
            if let Some(told) = found.filter(|told| values.is_value(*told, 0)) {
                never[told.0 as usize] = true;
                any = true;
            }
        }
    }
    if !any {
        return;
    }
    let is_never = |reg: Reg| never[reg.0 as usize];
    // Predicates that an operand still reads.
    let mut read = vec![false; function.regs.len()];
    for block in &mut function.blocks {
        block.insts.retain_mut(|inst| {
            if let Some(guard) = inst.guard.filter(|guard| is_never(guard.reg)) {
                if !guard.not {
                    return false;
                }
                inst.guard = None;
            }
            for (reg, ..) in inst.reads() {
                read[reg.0 as usize] = true;
            }
            true
        });
    }
    for inst in function
        .blocks
        .iter_mut()
        .flat_map(|block| &mut block.insts)
    {
        if let Some((told, _)) = asks(inst)
            && is_never(told)
            && !read[told.0 as usize]
        {
            inst.operands[0].op = Op::Value(Value::TRUE);
        }
    }
}

/// The predicate that says which threads have another value than one, and that value.
fn asks(inst: &Inst) -> Option<(Reg, (Reg, u8))> {
    if inst.shape.name() != "R2UR" || inst.guard.is_some() {
        return None;
    }
    let mut reads = inst.reads();
    let (reg, lane, _) = reads.next()?;
    if reads.next().is_some() {
        return None;
    }
    let told = inst.operands.first()?;
    match told.op {
        Op::Reg(told, _) if inst.shape.slots().first()?.is_written() && is_predicate(inst) => {
            Some((told, (reg, lane)))
        }
        _ => None,
    }
}

fn is_predicate(inst: &Inst) -> bool {
    let first = inst.shape.slots().first();
    first.is_some_and(|slot| slot.file == Some(warpc_sass::latency::File::Predicate))
}

/// The predicate that is true where one of two is, if both are never true.
fn either(inst: &Inst, never: &[bool]) -> Option<Reg> {
    if inst.shape.name() != "PLOP3.LUT" || inst.guard.is_some() {
        return None;
    }
    let [to, second, a, b, c, table, other] = &inst.operands[..] else {
        return None;
    };
    let is_never = |one: &crate::ir::Operand| match one.op {
        Op::Reg(reg, _) => one.marks == Marks::NONE && never[reg.0 as usize],
        _ => false,
    };
    let is =
        |one: &crate::ir::Operand, value| one.op == Op::Value(value) && one.marks == Marks::NONE;
    let fits = is(second, Value::TRUE)
        && is_never(a)
        && is_never(b)
        && is(c, Value::TRUE)
        && is(table, Value::Number(0xa8))
        && is(other, Value::Number(0));
    match to.op {
        Op::Reg(reg, _) if fits => Some(reg),
        _ => None,
    }
}
