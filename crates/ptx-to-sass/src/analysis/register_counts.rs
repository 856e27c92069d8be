//! How many registers a thread has at each instruction of a kernel that changes it (`setmaxnreg`).
//!
//! Forwards over blocks: `USETMAXREG` sets the number for what comes after it. Where ways meet, the smaller one holds. A
//! request for more is repeated until it is met: the way back to it has the number from before, whatever it asks for, and
//! between the request and the branch back no register is touched.

use super::segments::Segments;
use crate::ir::{BlockId, File, Function, Inst, Op, Reg};
use warpc_sass::Value;

/// Registers that are counted as a thread's and that code does not use. Source: the highest register that ptxas uses is
/// three less than the number.
const BESIDES: u8 = 2;

/// How many registers code may use, by places in the code.
pub struct RegisterCounts {
    /// From which instruction on, counted as [`Segments`] do, there are so many.
    changes: Vec<(u32, u8)>,
}

impl RegisterCounts {
    /// Those of a kernel that changes how many there are.
    pub fn of(function: &Function) -> Option<RegisterCounts> {
        let first = function.first_registers?;
        let mut ins: Vec<Option<u8>> = vec![None; function.blocks.len()];
        let mut work = vec![BlockId(0)];
        ins[0] = Some(first);
        while let Some(block) = work.pop() {
            let mut count = ins[block.index()]?;
            for inst in &function.blocks[block.index()].insts {
                count = after(inst).unwrap_or(count);
            }
            for next in function.successors(block) {
                let own = &mut ins[next.index()];
                if own.is_none_or(|own| count < own) {
                    *own = Some(count);
                    work.push(next);
                }
            }
        }
        let mut changes: Vec<(u32, u8)> = Vec::new();
        let mut at = 0;
        for (block, count) in function.blocks.iter().zip(ins) {
            // What is never reached may use what there is in the beginning.
            let mut count = count.unwrap_or(first);
            let mut change = |at, count: u8| match changes.last_mut() {
                Some(last) if last.1 == count => {}
                Some(last) if last.0 == at => last.1 = count,
                _ => changes.push((at, count)),
            };
            change(at, count);
            for inst in &block.insts {
                at += 2;
                if let Some(now) = after(inst) {
                    count = now;
                    change(at, count);
                }
            }
        }
        Some(RegisterCounts { changes })
    }

    /// How many registers code may use at a place.
    pub fn at(&self, place: u32) -> u8 {
        let next = self.changes.partition_point(|(at, _)| *at <= place);
        let own = next.checked_sub(1).map(|at| self.changes[at].1);
        usable(own.unwrap_or(u8::MAX))
    }

    /// The most that code may use anywhere.
    pub fn most(&self) -> u8 {
        usable(self.changes.iter().map(|one| one.1).max().unwrap_or(0))
    }

    /// How many registers there are wherever a value is live.
    pub fn of_value(&self, function: &Function, segments: &Segments, reg: Reg) -> u8 {
        let mut least = u8::MAX;
        for (start, end) in segments.lanes(function, reg).iter().flatten() {
            let first = self.changes.partition_point(|(at, _)| at <= start);
            let own = self.changes[first.saturating_sub(1)..].iter();
            let own = own.take_while(|(at, _)| at < end).map(|one| one.1);
            least = least.min(own.min().unwrap_or(u8::MAX));
        }
        usable(least)
    }

    /// The same for all registers of the register file; nothing where nothing changes.
    pub fn of_values(function: &Function, segments: &Segments) -> Option<Vec<u8>> {
        let counts = RegisterCounts::of(function)?;
        let regs = (0..).map(Reg).zip(&function.regs);
        let each = regs.map(|(reg, data)| match data.file {
            File::Register => counts.of_value(function, segments, reg),
            _ => u8::MAX,
        });
        Some(each.collect())
    }
}

fn usable(count: u8) -> u8 {
    count.saturating_sub(BESIDES)
}

/// How many registers there are after an instruction that changes it.
fn after(inst: &Inst) -> Option<u8> {
    if inst.shape.opcode() != "USETMAXREG" {
        return None;
    }
    let mut numbers = inst.operands.iter().filter_map(|operand| match operand.op {
        Op::Value(Value::Number(number)) => u8::try_from(number).ok(),
        _ => None,
    });
    numbers.next()
}
