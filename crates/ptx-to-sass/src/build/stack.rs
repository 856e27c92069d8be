//! `alloca`, `stacksave` and `stackrestore`: room on the stack whose size is not known before.
//!
//! Where a function has them, the end of its stack moves, and places in its frame are counted from another register. The
//! room is above what calls pass on the stack, which moves with its end.

use super::operand::Given;
use super::{Builder, FRAME_ALIGN, Outcome, special};
use crate::ir::{File, Guard, Op};
use crate::source::Source;
use warpc_ptx::module::{Body, Statement};
use warpc_sass::Value;

/// The register from which places in the frame are counted where the stack moves. A callee keeps it.
pub(super) const BASE: u8 = 2;

impl Builder<'_> {
    /// Whether a function moves the end of its stack.
    pub(super) fn moves_stack(&self, body: &Body) -> bool {
        self.has_one_of(body, &["alloca", "stacksave", "stackrestore"])
    }

    /// Whether a body has an instruction with one of these opcodes.
    pub(super) fn has_one_of(&self, body: &Body, opcodes: &[&str]) -> bool {
        self.module.has_opcode(opcodes)
            && body.statements.iter().any(|statement| {
                let Statement::Inst(inst) = statement else {
                    return false;
                };
                let mnemonic = self.module.mnemonic(inst.mnemonic);
                let choice = mnemonic.choices.get(usize::from(inst.choice));
                choice.is_some_and(|choice| {
                    let opcode = choice.form.form().opcode;
                    opcodes.contains(&opcode)
                })
            })
    }

    /// `alloca`, `stacksave` and `stackrestore`.
    pub(super) fn move_stack(&mut self, source: &Source, guard: Option<Guard>) -> Outcome<()> {
        let given = self.given(source)?;
        let find = |name: &str| given.iter().find(|one| one.0 == name).map(|one| &one.1);
        let stack = Op::Value(Value::Register(special::STACK));
        match (source.opcode(), find("d"), find("a"), find("ptr")) {
            ("stacksave", Some(to), ..) => self.stack_address(to, stack, guard),
            ("stackrestore", _, Some(from), _) => {
                let from = self.part(from, 0)?;
                self.copy(stack, from, guard)
            }
            ("alloca", .., Some(to)) => {
                let size = find("size").ok_or_else(|| self.refuse("this `alloca`"))?;
                let align = match find("immAlign") {
                    Some(Given::Number(align)) => *align as u32,
                    _ => FRAME_ALIGN,
                };
                let size = self.part(size, 0)?;
                let (to, align) = (to.clone(), align.max(FRAME_ALIGN));
                self.make_room(&to, size, align, guard)
            }
            _ => Err(self.refuse("these operands")),
        }
    }

    fn make_room(&mut self, to: &Given, size: Op, align: u32, guard: Option<Guard>) -> Outcome<()> {
        let stack = Op::Value(Value::Register(special::STACK));
        let room = self.ir.reg(File::Register, 1);
        let room = Op::Reg(room, 0);
        let size = match size {
            Op::Value(Value::Number(number)) => Op::Reg(self.number(number as u32)?, 0),
            other => other,
        };
        // What calls pass stays below it: a multiple of the stack's own alignment.
        let outgoing = self.number(self.outgoing)?;
        let ops = [room, stack, size, Op::Reg(outgoing, 0)];
        self.step("IADD3 R0, R0, -R0, R0", guard, &ops)?;
        let mask = format!("LOP3.LUT R0, R0, {:#x}, RZ, 0xc0, !PT", !(align - 1));
        self.step(&mask, guard, &[room, room])?;
        let ops = [stack, room, Op::Reg(outgoing, 0)];
        self.step("IADD3 R0, R0, -R0, RZ", guard, &ops)?;
        self.stack_address(to, room, guard)
    }

    /// Gives an address in local memory as a result of 32 or 64 bits.
    fn stack_address(&mut self, to: &Given, from: Op, guard: Option<Guard>) -> Outcome<()> {
        let Given::Reg {
            reg, lane, lanes, ..
        } = *to
        else {
            return Err(self.refuse("this result"));
        };
        self.copy(Op::Reg(reg, lane), from, guard)?;
        match lanes {
            2 => self.extend(reg, lane, false, guard),
            _ => Ok(()),
        }
    }
}
