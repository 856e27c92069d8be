//! The IR as text: instructions as nvdisasm writes them, with `%r4` for virtual registers and `.L2` for blocks.

use super::{File, Function, Inst, Op, Reg};
use std::fmt;
use warpc_sass::Value;
use warpc_sass::print::{self, Names, Style};

pub(crate) fn name(function: &Function, reg: Reg, lane: u8) -> String {
    let data = function.data(reg);
    let letter = match data.file {
        File::Register => "r",
        File::Predicate => "p",
        File::Uniform => "u",
        File::UniformPredicate => "up",
        File::Barrier => "b",
    };
    match data.lanes {
        1 => format!("%{letter}{}", reg.0),
        _ => format!("%{letter}{}.{lane}", reg.0),
    }
}

/// An instruction of a function.
pub(crate) fn line(function: &Function, inst: &Inst) -> String {
    let mut plain = warpc_sass::Inst::new(inst.shape);
    let (mut symbols, mut labels) = (Vec::new(), Vec::new());
    for (slot, operand) in plain.operands.iter_mut().zip(&inst.operands) {
        let value = match operand.op {
            Op::Value(value) => value,
            Op::Reg(reg, lane) => {
                symbols.push(name(function, reg, lane));
                Value::Symbol(symbols.len() as u32 - 1)
            }
            Op::Function(number) => {
                labels.push(match number {
                    0 => "kernel".to_owned(),
                    number => format!("callee {}", number - 1),
                });
                Value::Label(labels.len() as u32 - 1)
            }
            Op::OfCaller(at) => Value::Number(at.into()),
            Op::Block(block) => {
                labels.push(format!(".L{}", block.0));
                Value::Label(labels.len() as u32 - 1)
            }
        };
        *slot = value.marked(operand.marks);
    }
    let names = Names {
        address: 0,
        labels: &labels,
        symbols: &symbols,
    };
    let text = print::styled(&plain, &names, Style::Nvdisasm)
        .unwrap_or_else(|misfit| format!("{} with {misfit}", inst.shape));
    match inst.guard {
        Some(guard) => {
            let not = if guard.not { "!" } else { "" };
            format!("@{not}{} {text}", name(function, guard.reg, 0))
        }
        None => text,
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} on {}:", self.name, self.sm)?;
        for block in self.block_ids() {
            writeln!(f, ".L{}:", block.0)?;
            for one in &self.blocks[block.index()].insts {
                writeln!(f, "    {}", line(self, one))?;
            }
        }
        Ok(())
    }
}
