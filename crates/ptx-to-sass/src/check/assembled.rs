//! A kernel as it was assembled, with what it was made from: what all judges need.

use super::changed::{self, Changed};
use super::flow::{self, Flow};
use super::{Code, Indirect, Maker, registers};
use crate::Repeats;
use crate::ir::Function;
use std::fmt;
use warpc_diag::Span;
use warpc_sass::Inst;
use warpc_target::Sm;

/// A kernel and the functions that it calls: the instructions of a section.
#[derive(Clone, Debug)]
pub struct Assembled {
    /// The name of the kernel.
    pub name: String,
    /// The chip.
    pub chip: Sm,
    /// Where calls by addresses go.
    pub indirect: Vec<Indirect>,
    /// The finished instructions, without those that only fill the section.
    pub insts: Vec<Inst>,
    /// The kernel, and then the functions, in the order of the code.
    pub parts: Vec<Part>,
}

/// The kernel or a function of it.
#[derive(Clone, Debug)]
pub struct Part {
    /// The IR before registers were assigned.
    pub wanted: Function,
    /// For each instruction the number of the one of the IR that it is; nothing for what was put in.
    pub origins: Vec<Option<u32>>,
    /// For each instruction where the PTX is that it comes from.
    pub spans: Vec<Span>,
    /// For each block the number of its first instruction, from the function's first one on.
    pub starts: Vec<u32>,
    /// For each block what is known of how often a loop is repeated that begins there; no judge looks at it.
    pub repeats: Vec<Repeats>,
    /// For each function that is called its number in the section.
    pub callees: Vec<usize>,
    /// Bytes of local memory of a thread.
    pub frame: u32,
}

/// What a judge has found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Finding {
    /// A judge of code alone.
    Code {
        /// The instruction, as text.
        text: String,
        /// What is wrong with it.
        finding: super::Finding,
    },
    /// The judge of registers.
    Registers(registers::Finding),
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Finding::Code { text, finding } => write!(f, "`{text}`: {finding}"),
            Finding::Registers(finding) => finding.fmt(f),
        }
    }
}

impl Assembled {
    /// What the judges of code alone find. The assembler brings warps together before barriers of the block.
    pub fn check_code(&self) -> Vec<super::Finding> {
        let origins = self.parts.iter().flat_map(|part| &part.origins);
        let pairs = self.insts.iter().zip(origins);
        let is_spill = |(inst, origin): (&Inst, &Option<u32>)| {
            origin.is_none() && matches!(inst.shape.opcode(), "LDL" | "STL")
        };
        let spills: Vec<bool> = pairs.map(is_spill).collect();
        let code = Code {
            chip: self.chip,
            insts: &self.insts,
            entries: &[0],
            indirect: &self.indirect,
            spills: &spills,
        };
        super::check_with(&code, Maker::Own)
    }

    /// What the judge of registers finds.
    pub fn check_registers(&self) -> Vec<registers::Finding> {
        let mut firsts = Vec::with_capacity(self.parts.len());
        let mut end = 0;
        for part in &self.parts {
            firsts.push(end);
            end += part.origins.len();
        }
        let changed = match self.parts.len() {
            // Most kernels have no functions.
            1 => Vec::new(),
            _ => self.changed(&firsts),
        };
        let mut all = Vec::new();
        for (part, first) in self.parts.iter().zip(&firsts) {
            let callees: Vec<usize> = (part.callees.iter())
                .map(|callee| firsts.get(*callee).copied().unwrap_or(usize::MAX))
                .collect();
            let changed: Vec<Changed> = (part.callees.iter())
                .map(|callee| changed.get(*callee).copied().unwrap_or(Changed::ALL))
                .collect();
            let insts = self.insts.get(*first..first + part.origins.len());
            all.extend(registers::check(&registers::Code {
                wanted: &part.wanted,
                insts: insts.unwrap_or(&[]),
                first: *first,
                callees: &callees,
                changed: &changed,
                origins: &part.origins,
                starts: &part.starts,
                frame: part.frame,
            }));
        }
        all
    }

    /// What each of the parts changes.
    fn changed(&self, firsts: &[usize]) -> Vec<Changed> {
        let code = Code {
            chip: self.chip,
            insts: &self.insts,
            entries: &[0],
            indirect: &self.indirect,
            spills: &[],
        };
        let flow = Flow::of(&code);
        let changed = changed::changed(&code, &flow);
        let of = |first: &usize| {
            let starts_there = |one: &flow::Function| flow.blocks[one.entry].start == *first;
            let number = flow.functions.iter().position(starts_there);
            number.map_or(Changed::ALL, |number| changed[number])
        };
        firsts.iter().map(of).collect()
    }

    /// What all judges find.
    pub fn check(&self) -> Vec<Finding> {
        let code = self.check_code().into_iter().map(|finding| Finding::Code {
            text: self
                .insts
                .get(finding.at)
                .map_or_else(String::new, Inst::to_string),
            finding,
        });
        let registers = self.check_registers().into_iter().map(Finding::Registers);
        code.chain(registers).collect()
    }
}
