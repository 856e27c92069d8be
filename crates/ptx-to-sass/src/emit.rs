//! Machine IR with its registers to instructions, one after the other.

use crate::ir::{Function, Op};
use crate::passes::assign_registers::Assignment;
use warpc_sass::{Guard, Inst, Value};

/// The instructions of a function in order, and where its blocks begin. Places that branches go to are block numbers
/// until [`Code::place`].
pub struct Code {
    /// The instructions.
    pub insts: Vec<Inst>,
    /// For each of them the number of the instruction of the IR that it is ([`Function::number`]).
    pub origins: Vec<Option<u32>>,
    /// For each block the number of its first instruction.
    pub starts: Vec<u32>,
}

impl Code {
    /// Takes the instructions of a function with the registers that were assigned. Moves of a register to itself and
    /// branches to the next instruction are left out.
    pub fn of(function: &Function, assignment: &Assignment) -> Option<Code> {
        let mut code = Code {
            insts: Vec::new(),
            origins: Vec::new(),
            starts: Vec::with_capacity(function.blocks.len()),
        };
        for block in function.block_ids() {
            code.starts.push(code.insts.len() as u32);
            let insts = &function.blocks[block.index()].insts;
            for (index, inst) in insts.iter().enumerate() {
                let is_last = index + 1 == insts.len();
                if is_last && inst.is_branch() && inst.target().map(|to| to.0) == Some(block.0 + 1)
                {
                    continue;
                }
                let made = one(inst, assignment)?;
                if !is_needless(&made) {
                    code.insts.push(made);
                    code.origins.push(inst.origin);
                }
            }
        }
        Some(code)
    }

    /// Makes distances of block numbers.
    pub fn place(&mut self) {
        let starts = &self.starts;
        // `BSSY` names the place after its `BSYNC`: where the lanes go on that have waited.
        let meets: Vec<bool> = (self.insts.iter())
            .map(|inst| inst.shape.opcode() == "BSYNC")
            .collect();
        for (index, inst) in self.insts.iter_mut().enumerate() {
            let opens = inst.shape.opcode() == "BSSY";
            for operand in &mut inst.operands {
                if let Value::Label(block) = operand.value {
                    let start = starts[block as usize];
                    let after = opens && meets.get(start as usize) == Some(&true);
                    let to = i64::from(start) + i64::from(after);
                    operand.value = Value::Place((to - index as i64 - 1) * 16);
                }
            }
        }
    }
}

/// A move of a register to itself.
fn is_needless(inst: &Inst) -> bool {
    let [to, from, ..] = &inst.operands[..] else {
        return false;
    };
    inst.shape.opcode() == "MOV" && to.value == from.value && matches!(to.value, Value::Register(_))
}

fn one(inst: &crate::ir::Inst, assignment: &Assignment) -> Option<Inst> {
    let mut made = Inst::new(inst.shape);
    for ((slot, operand), to) in inst
        .shape
        .slots()
        .iter()
        .zip(&inst.operands)
        .zip(&mut made.operands)
    {
        let value = match operand.op {
            Op::Value(value) => value,
            Op::Block(block) => Value::Label(block.0),
            Op::Reg(reg, lane) => {
                let number = assignment.of(reg, lane)?;
                use warpc_sass::template::Kind;
                match slot.kind() {
                    Kind::Register => Value::Register(number),
                    Kind::Uniform | Kind::NextUniform => Value::Uniform(number),
                    Kind::Predicate | Kind::PredicateFromLast => Value::Predicate(number),
                    Kind::UniformPredicate | Kind::UniformPredicateFromLast => {
                        Value::UniformPredicate(number)
                    }
                    Kind::Barrier => Value::Barrier(number),
                    _ => return None,
                }
            }
        };
        *to = value.marked(operand.marks);
    }
    if let Some(guard) = inst.guard {
        made.guard = Guard {
            predicate: assignment.of(guard.reg, 0)?,
            not: guard.not,
            uniform: false,
        };
    }
    Some(made)
}
