//! What must hold of the IR between passes.
//!
//! - An instruction has an operand for each slot, and a virtual register in a slot is of the slot's file and has the lanes
//!   that the slot reads or writes.
//! - A number fits its slot, and marks are those that the slot takes.
//! - A guard is a predicate. Branches go to blocks that exist, and only the last instruction of a block goes elsewhere.
//! - Control does not run off the end.

use super::{BlockId, File, Function, Inst, Op};
use std::fmt;
use warpc_sass::template::Kind;

/// A rule that does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The block.
    pub block: u32,
    /// The instruction's number in it.
    pub inst: usize,
    /// The instruction.
    pub text: String,
    /// What does not hold.
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            ".L{}, instruction {}: `{}`: {}",
            self.block, self.inst, self.text, self.what
        )
    }
}

/// The rules that do not hold.
pub fn verify(function: &Function) -> Vec<Fault> {
    let mut faults = Vec::new();
    for block in function.block_ids() {
        let insts = &function.blocks[block.index()].insts;
        for (index, inst) in insts.iter().enumerate() {
            let is_last = index + 1 == insts.len();
            if let Err(what) = check(function, inst, is_last) {
                faults.push(Fault {
                    block: block.0,
                    inst: index,
                    text: super::print::line(function, inst),
                    what,
                });
            }
        }
    }
    let last = function.blocks.last().and_then(|block| block.insts.last());
    if !last.is_some_and(Inst::ends) {
        faults.push(Fault {
            block: function.blocks.len().saturating_sub(1) as u32,
            inst: 0,
            text: String::new(),
            what: "control runs off the end".to_owned(),
        });
    }
    faults
}

fn check(function: &Function, inst: &Inst, is_last: bool) -> Result<(), String> {
    let slots = inst.shape.slots();
    if slots.len() != inst.operands.len() {
        return Err("the wrong number of operands".to_owned());
    }
    if let Some(guard) = inst.guard
        && function.data(guard.reg).file != File::Predicate
    {
        return Err("the guard is not a predicate".to_owned());
    }
    if (inst.is_branch() || inst.ends()) && !is_last {
        return Err("control leaves in the middle of a block".to_owned());
    }
    for (index, (slot, operand)) in slots.iter().zip(&inst.operands).enumerate() {
        if !slot.marks().has(operand.marks) {
            return Err(format!("slot {index} does not take its marks"));
        }
        match operand.op {
            Op::Reg(reg, lane) => {
                let data = function.data(reg);
                let file = match slot.kind() {
                    Kind::Register => File::Register,
                    Kind::Uniform | Kind::NextUniform => File::Uniform,
                    Kind::Predicate | Kind::PredicateFromLast => File::Predicate,
                    Kind::UniformPredicate | Kind::UniformPredicateFromLast => {
                        File::UniformPredicate
                    }
                    Kind::Barrier => File::Barrier,
                    _ => return Err(format!("a register in slot {index}")),
                };
                if data.file != file {
                    return Err(format!("slot {index} is of another file"));
                }
                let width = slot.width.registers(u128::MAX).max(1);
                if lane + width > data.lanes {
                    return Err(format!("slot {index} has {width} lanes, from {lane} on"));
                }
            }
            Op::Value(value) => {
                if !slot.fits(value) {
                    return Err(format!("slot {index} does not take {value:?}"));
                }
            }
            Op::Block(BlockId(block)) => {
                let is_number = matches!(slot.kind(), Kind::Signed | Kind::Unsigned);
                if block as usize >= function.blocks.len()
                    || slot.kind() != Kind::Label && !is_number
                {
                    return Err(format!("slot {index} goes nowhere"));
                }
            }
            Op::Function(number) => {
                if number as usize > function.callees.len() || slot.kind() != Kind::Label {
                    return Err(format!("slot {index} does not name a function"));
                }
            }
            Op::Linked(number) => {
                let is_number = matches!(slot.kind(), Kind::Signed | Kind::Unsigned);
                if number as usize >= function.links.len() || !is_number {
                    return Err(format!("slot {index} does not take what is linked"));
                }
            }
            Op::Size(_) => {
                if !matches!(slot.kind(), Kind::Signed | Kind::Unsigned) {
                    return Err(format!("slot {index} does not take a size"));
                }
            }
            Op::OfCaller(_) => {
                if !matches!(slot.kind(), Kind::Signed | Kind::Unsigned) || function.is_kernel {
                    return Err(format!("slot {index} is not a place of the caller"));
                }
            }
        }
    }
    Ok(())
}
