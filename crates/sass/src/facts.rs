//! What the code of a kernel implies about the kernel: facts that a cubin states beside the code, and that nobody
//! should have to write down.
//!
//! | fact | from |
//! |---|---|
//! | exits | `EXIT` |
//! | barriers of the block | the largest number in `BAR`, plus one; all 16 if the number is in a register; at least one with `UCGABAR_WAIT` |
//! | registers | the last register that an instruction reads or writes |
//! | what lanes do together | [`collective`] |
//! | mbarriers | what is done to them ([`mbarrier`]) |
//! | calls of the system | `CALL.ABS` with an address in a register |
//! | whether the next grid may begin | `PREEXIT` |
//! | whether lanes meet | `BSSY`, `CALL`, `RET`, `WARPSYNC.ALL`: a stack of places where they do |
//! | whether the third number of the block is read | `SR_CTAID.Z` |

pub mod collective;
pub mod mbarrier;

use crate::decode::decode;
use crate::inst::Inst;
use crate::latency::{Effects, File};
use crate::operand::Value;
use collective::Together;
use mbarrier::MbarrierUse;
use warpc_target::Sm;

/// What code implies.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct KernelFacts {
    /// Places of the instructions that end threads.
    pub exits: Vec<u32>,
    /// How many of the barriers of a block it uses, counted from 0.
    pub barriers: u8,
    /// How many registers its instructions name, counted from 0.
    pub registers: u32,
    /// What lanes do together.
    pub together: Together,
    /// What is done to mbarriers, in order.
    pub mbarriers: Vec<MbarrierUse>,
    /// Places of the calls of functions that are not in the section.
    pub system_calls: Vec<u32>,
    /// Whether it lets the next grid begin.
    pub lets_next_begin: bool,
    /// Whether there are places where lanes of a warp meet.
    pub has_meeting_places: bool,
    /// Whether it asks for the third number of the block.
    pub reads_third_block_number: bool,
}

/// The number of barriers of a block.
const ALL_BARRIERS: u8 = 16;

/// The number of the special register `SR_CTAID.Z`.
const THIRD_BLOCK_NUMBER: u8 = 39;

/// An instruction at a place.
pub(crate) struct Line<'a> {
    place: u32,
    inst: &'a Inst,
}

impl Line<'_> {
    fn opcode(&self) -> &str {
        self.inst.shape.opcode()
    }
}

/// Finds the facts of code for a chip. Words that are not instructions imply nothing.
pub fn kernel_facts(sm: Sm, code: &[u128]) -> KernelFacts {
    let insts: Vec<Option<Inst>> = code.iter().map(|word| decode(sm, *word)).collect();
    let places = (0..).step_by(16).zip(&insts);
    let lines = places.filter_map(|(place, inst)| {
        let inst = inst.as_ref()?;
        Some(Line { place, inst })
    });
    of_lines(sm, &lines.collect::<Vec<_>>())
}

/// Finds the facts of instructions that follow each other, without encoding and decoding them.
pub fn facts_of_insts<'a>(sm: Sm, insts: impl Iterator<Item = &'a Inst>) -> KernelFacts {
    let places = (0..).step_by(16).zip(insts);
    let lines = places.map(|(place, inst)| Line { place, inst });
    of_lines(sm, &lines.collect::<Vec<_>>())
}

fn of_lines(sm: Sm, lines: &[Line]) -> KernelFacts {
    let mut facts = KernelFacts {
        together: collective::find(lines),
        mbarriers: mbarrier::find(sm, lines),
        ..KernelFacts::default()
    };
    for line in lines {
        let shape = line.inst.shape;
        match shape.opcode() {
            "EXIT" => facts.exits.push(line.place),
            "BAR" => facts.barriers = facts.barriers.max(barriers(line.inst)),
            // Without a cluster the barrier of the block stands for it.
            "UCGABAR_WAIT" => facts.barriers = facts.barriers.max(1),
            "PREEXIT" => facts.lets_next_begin = true,
            // The address of the system's code comes out of a bank of constants.
            "CALL"
                if shape.has("ABS")
                    && line
                        .inst
                        .values()
                        .any(|one| matches!(one, Value::Register(_))) =>
            {
                facts.system_calls.push(line.place);
            }
            "BSSY" | "CALL" | "RET" => facts.has_meeting_places = true,
            // All lanes wait for each other, wherever they come from.
            "WARPSYNC" => facts.has_meeting_places |= shape.modifiers().eq(["ALL"]),
            _ => {}
        }
        let special = Value::Special(THIRD_BLOCK_NUMBER);
        facts.reads_third_block_number |= line.inst.values().any(|value| value == special);
        facts.registers = facts.registers.max(registers(line.inst));
    }
    facts
}

/// How many barriers a `BAR` needs. The barrier is the first number or register.
fn barriers(inst: &Inst) -> u8 {
    let mut values = inst.values();
    let first = values.find(|value| matches!(value, Value::Number(_) | Value::Register(_)));
    match first {
        Some(Value::Number(number)) => (number & 15) as u8 + 1,
        Some(_) => ALL_BARRIERS,
        None => 0,
    }
}

/// The registers that an instruction reads or writes, counted from 0.
fn registers(inst: &Inst) -> u32 {
    let effects = Effects::of(inst);
    let own = effects.accesses.iter();
    let own = own.filter(|access| access.file == File::Register);
    let ends = own.map(|access| u32::from(access.first) + u32::from(access.count));
    ends.max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Control, parse};

    fn facts(texts: &[&str]) -> KernelFacts {
        let sm = "sm_90".parse().expect("a chip");
        let word = |text: &&str| {
            let word = parse::word(sm, text, Control::UNSCHEDULED, 0);
            word.unwrap_or_else(|| panic!("{text}"))
        };
        kernel_facts(sm, &texts.iter().map(word).collect::<Vec<_>>())
    }

    #[test]
    fn barriers_in_registers_may_be_any() {
        assert_eq!(facts(&["BAR.ARV 0x3, 0x40"]).barriers, 4);
        assert_eq!(
            facts(&["BAR.SYNC.DEFER_BLOCKING R5, R5"]).barriers,
            ALL_BARRIERS
        );
        assert_eq!(facts(&["BAR.RED.POPC.DEFER_BLOCKING 0x2, P0"]).barriers, 3);
        assert_eq!(facts(&["NOP"]).barriers, 0);
    }

    #[test]
    fn registers_are_counted_with_the_width_of_operands() {
        assert_eq!(facts(&["LDG.E.128 R4, desc[UR6][R2.64]"]).registers, 8);
        assert_eq!(facts(&["IADD3 R1, R9, RZ, RZ"]).registers, 10);
        assert_eq!(facts(&["NOP"]).registers, 0);
    }
}
