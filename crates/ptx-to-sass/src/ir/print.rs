//! The IR as text, which [`parse`](super::parse) reads again.
//!
//! ```text
//!   .kernel k on sm_90                       or `.function`
//!   .frame 16, align 8, base R1              local memory of a thread, and the register that it is counted from
//!   .regs %r0-2, %p3, %r4:2                  the virtual registers: those of one lane, and one of two
//!   .L0:
//!       LDC.64 %r4.0, c[0x0][0x210]          machine instructions; lane 0 and those after it
//!       @!%p3 BRA .L2                        a block
//!       #7 MOV %r0, R4                       the seventh instruction when registers were assigned
//!       acquire LDS %r1, [%r0]               accesses to memory after it wait for its result
//!       weak STS [%r0], %r1                  neither volatile nor of any order in PTX (shared and local memory)
//!       contract FMUL %r2, %r0, %r1          may be rounded together with a sum that it is in
//! ```
//!
//! `.nounroll` after the label of a block says that a loop that begins there is not unrolled, `.cold` that it is seldom
//! executed, and that any lane may do so.
//! Further directives are there where they say something: `.listens_in_shared`, `.pointer 0x210, align 16` (a parameter and
//! what the address in it is a multiple of), `.calls 3, 5` (symbols of the module), `.calls_system`, `.calls_taken`,
//! `.quiet_calls`, `.barriers_are_left`, `.spills stores 4, loads 8` and `.knob 358=0`. In place of a number `offset(.L2)` is
//! where a block begins, `caller(0x10)` a place on the caller's stack, `size(0x0)` the size of
//! an entry of a table of the driver; `function.1` is a function of the section. Where
//! instructions come from in PTX is not part of the text.

use super::{File, Function, Inst, Op, Reg};
use crate::Repeats;
use crate::ir::{RegData, Spills};
use std::fmt;
use warpc_sass::Value;
use warpc_sass::print::{self, Names, Style};
use warpc_sass::template::Kind;

/// The letters of a file in the names of its registers.
pub(super) fn letters(file: File) -> &'static str {
    match file {
        File::Register => "r",
        File::Predicate => "p",
        File::Uniform => "u",
        File::UniformPredicate => "up",
        File::Barrier => "b",
    }
}

pub(crate) fn name(function: &Function, reg: Reg, lane: u8) -> String {
    let data = function.data(reg);
    let letters = letters(data.file);
    match data.lanes {
        1 => format!("%{letters}{}", reg.0),
        _ => format!("%{letters}{}.{lane}", reg.0),
    }
}

/// An instruction of a function.
pub(crate) fn line(function: &Function, inst: &Inst) -> String {
    let mut plain = warpc_sass::Inst::new(inst.shape);
    let (mut symbols, mut labels) = (Vec::new(), Vec::new());
    let slots = inst.shape.slots().iter().zip(&inst.operands);
    for (to, (slot, operand)) in plain.operands.iter_mut().zip(slots) {
        let value = match operand.op {
            Op::Value(value) => value,
            Op::Reg(reg, lane) => {
                symbols.push(name(function, reg, lane));
                Value::Symbol(symbols.len() as u32 - 1)
            }
            Op::Function(number) => {
                labels.push(format!("function.{number}"));
                Value::Label(labels.len() as u32 - 1)
            }
            Op::Size(table) => {
                symbols.push(format!("size({:#x})", table as u8));
                Value::Symbol(symbols.len() as u32 - 1)
            }
            Op::Linked(number) => {
                symbols.push(format!("linked({number:#x})"));
                Value::Symbol(symbols.len() as u32 - 1)
            }
            Op::OfCaller(at) => {
                symbols.push(format!("caller({at:#x})"));
                Value::Symbol(symbols.len() as u32 - 1)
            }
            Op::Block(block) if slot.kind() == Kind::Label => {
                labels.push(format!(".L{}", block.0));
                Value::Label(labels.len() as u32 - 1)
            }
            Op::Block(block) => {
                symbols.push(format!("offset(.L{})", block.0));
                Value::Symbol(symbols.len() as u32 - 1)
            }
        };
        *to = value.marked(operand.marks);
    }
    let names = Names {
        address: 0,
        labels: &labels,
        symbols: &symbols,
    };
    let mut text = print::styled(&plain, &names, Style::Full)
        .unwrap_or_else(|misfit| format!("{} with {misfit}", inst.shape));
    if inst.weak {
        text.insert_str(0, "weak ");
    }
    if inst.acquires {
        text.insert_str(0, "acquire ");
    }
    if inst.contracts {
        text.insert_str(0, "contract ");
    }
    match inst.guard {
        Some(guard) => {
            let not = if guard.not { "!" } else { "" };
            format!("@{not}{} {text}", name(function, guard.reg, 0))
        }
        None => text,
    }
}

/// Registers of a kind that follow each other in one line.
const PER_LINE: usize = 12;

/// The virtual registers, those of a kind that follow each other together.
fn registers(f: &mut fmt::Formatter<'_>, regs: &[RegData]) -> fmt::Result {
    let mut first = 0;
    for (number, run) in regs.chunk_by(|a, b| a == b).enumerate() {
        match number % PER_LINE {
            0 if number > 0 => f.write_str("\n.regs ")?,
            0 => f.write_str(".regs ")?,
            _ => f.write_str(", ")?,
        }
        let last = first + run.len() - 1;
        write!(f, "%{}{first}", letters(run[0].file))?;
        if last > first {
            write!(f, "-{last}")?;
        }
        if run[0].lanes != 1 {
            write!(f, ":{}", run[0].lanes)?;
        }
        first = last + 1;
    }
    match regs.is_empty() {
        true => Ok(()),
        false => writeln!(f),
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.is_kernel { "kernel" } else { "function" };
        writeln!(f, ".{kind} {} on {}", self.name, self.sm)?;
        let base = self.frame_base;
        writeln!(
            f,
            ".frame {}, align {}, base R{base}",
            self.frame, self.frame_align
        )?;
        if let Some(count) = self.first_registers {
            writeln!(f, ".registers {count}")?;
        }
        for (is_so, name) in [
            (self.listens_in_shared, "listens_in_shared"),
            (self.calls_system, "calls_system"),
            (self.calls_taken, "calls_taken"),
            (self.quiet_calls, "quiet_calls"),
            (self.barriers_are_left, "barriers_are_left"),
        ] {
            if is_so {
                writeln!(f, ".{name}")?;
            }
        }
        if let Some((first, others)) = self.callees.split_first() {
            write!(f, ".calls {}", first.index())?;
            for other in others {
                write!(f, ", {}", other.index())?;
            }
            writeln!(f)?;
        }
        for changed in &self.changed {
            writeln!(f, ".changes {changed}")?;
        }
        for pointer in &self.pointers {
            writeln!(f, ".pointer {:#x}, align {}", pointer.at, pointer.align)?;
        }
        for link in &self.links {
            writeln!(f, ".link {:#x} {}", link.kind, link.symbol)?;
        }
        let Spills { stores, loads } = self.spills;
        if self.spills != Spills::default() {
            writeln!(f, ".spills stores {stores}, loads {loads}")?;
        }
        for setting in self.knobs.settings() {
            writeln!(f, ".knob {setting}")?;
        }
        registers(f, &self.regs)?;
        for block in self.block_ids() {
            writeln!(f, ".L{}:", block.0)?;
            if self.blocks[block.index()].keeps_rounds {
                writeln!(f, ".nounroll")?;
            }
            if self.blocks[block.index()].is_cold {
                writeln!(f, ".cold")?;
            }
            match self.blocks[block.index()].repeats {
                Repeats::Unknown => {}
                Repeats::Rounds(count) => writeln!(f, ".rounds {count}")?,
                Repeats::Copies(count) => writeln!(f, ".copies {count}")?,
                Repeats::Rest(count) => writeln!(f, ".rest {count}")?,
            }
            for one in &self.blocks[block.index()].insts {
                match one.origin {
                    Some(origin) => writeln!(f, "    #{origin} {}", line(self, one))?,
                    None => writeln!(f, "    {}", line(self, one))?,
                }
            }
        }
        Ok(())
    }
}
