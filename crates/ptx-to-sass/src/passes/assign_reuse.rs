//! Which sources stay in the operand cache: `.reuse`.
//!
//! ```text
//!   FFMA R4, R8.reuse, R10, R4
//!   FFMA R5, R8,       R11, R5        R8 comes out of the cache: its bank is not asked
//! ```
//!
//! For each source place of the instructions (first, second, third) and each bank the cache keeps one register, until
//! the next instruction of the warp reads another one there. So a source gets the mark where the next instruction that
//! reads the same place and bank reads the same register, and nobody has written it between. A mark that is missing
//! costs a turn of the bank; one too many is only allowed where it can do no harm. Taken from ptxas's own code (378
//! kernels of the recorded PTX for sm_90a, 7,343 instructions with the mark):
//!
//! - of 8,365 marked sources all but a few are read next at the same place and bank; reads at the same place in the other
//!   bank are passed over (a third of those with something between), so there is one register for each bank;
//! - no instruction has the mark on a register that it writes, and none is written before it is read again;
//! - the instruction keeps the warp (the control word has no other form), and has a stall of at most two cycles, but for
//!   products of matrices, which have up to six; 93 of 100 are read again within four cycles;
//! - what has a latency of its own has no marks, and what accesses memory is passed over.
//!
//! Stricter than ptxas: an instruction with a guard has no mark, and no wait for a scoreboard, yield, branch or meeting of
//! lanes is passed over. `check::reuse` judges the result.

use crate::emit::Code;
use smallvec::SmallVec;
use warpc_sass::latency::{BANKS, File};
use warpc_sass::shape::Traits;
use warpc_sass::{Guard, Inst, Marks, Shape, Value};

/// The places of sources that the cache has.
const PLACES: usize = 4;
/// The longest stall of an instruction that keeps something, and that of a product of matrices.
const LONGEST_STALL: u8 = 2;
const LONGEST_OF_MATRICES: u8 = 6;
/// For how many cycles something is kept.
const KEPT: u32 = 6;
const KEPT_BY_MATRICES: u32 = 12;

/// A source that may be kept.
#[derive(Clone, Copy)]
struct Source {
    inst: usize,
    slot: usize,
    place: usize,
    /// Its registers.
    first: u8,
    width: u8,
    /// Until when it is kept.
    until: u32,
}

impl Source {
    fn overlaps(&self, first: u8, width: u8) -> bool {
        let end = |first: u8, width: u8| u16::from(first) + u16::from(width);
        u16::from(first) < end(self.first, self.width) && u16::from(self.first) < end(first, width)
    }

    /// The banks that it is in.
    fn banks(&self) -> impl Iterator<Item = usize> + use<> {
        let first = self.first;
        (0..self.width.min(BANKS)).map(move |one| usize::from((first + one) % BANKS))
    }
}

/// What is in the cache: for each place and bank a source.
type Cache = [[Option<Source>; BANKS as usize]; PLACES];

/// Marks sources of scheduled code.
pub fn assign_reuse(code: &mut Code) {
    let mut cache = Cache::default();
    let mut starts = code.starts.iter().copied().peekable();
    let mut cycle = 0u32;
    let mut marked: Vec<(usize, usize)> = Vec::new();
    for (at, inst) in code.insts.iter().enumerate() {
        while starts.next_if(|start| *start as usize <= at).is_some() {
            cache = Cache::default();
        }
        if inst.control.wait != 0 {
            cache = Cache::default();
        }
        let sources = sources(at, inst, cycle);
        for source in &sources {
            let own = &mut cache[source.place];
            for bank in source.banks() {
                let Some(kept) = own[bank].take() else {
                    continue;
                };
                let is_same = (kept.first, kept.width) == (source.first, source.width);
                if is_same && cycle <= kept.until {
                    marked.push((kept.inst, kept.slot));
                }
            }
        }
        if can_keep(inst) {
            for source in &sources {
                for bank in source.banks() {
                    cache[source.place][bank] = Some(*source);
                }
            }
        }
        for (first, width) in written(inst) {
            for kept in cache.iter_mut().flatten() {
                *kept = kept.filter(|kept| !kept.overlaps(first, width));
            }
        }
        cycle += u32::from(inst.control.stall);
        if !inst.control.keep || inst.control.stall == 0 || parts_warp(inst.shape) {
            cache = Cache::default();
        }
    }
    for (inst, slot) in marked {
        let operand = &mut code.insts[inst].operands[slot];
        operand.marks = operand.marks.and(Marks::REUSE);
    }
}

/// Whether other lanes or warps may be executed after it.
fn parts_warp(shape: &Shape) -> bool {
    let traits = shape.traits();
    traits.intersects(Traits::BRANCHES | Traits::CALLS | Traits::BLOCK_BARRIER)
        || traits.contains(Traits::HAS_EFFECT) && shape.memory().access.is_empty()
}

/// Whether an instruction can keep its sources.
fn can_keep(inst: &Inst) -> bool {
    let control = inst.control;
    let longest = match is_of_matrices(inst.shape) {
        true => LONGEST_OF_MATRICES,
        false => LONGEST_STALL,
    };
    inst.guard == Guard::ALWAYS
        && control.keep
        && (1..=longest).contains(&control.stall)
        && !inst.shape.is_variable()
}

fn is_of_matrices(shape: &Shape) -> bool {
    matches!(shape.opcode(), "HMMA" | "IMMA" | "BMMA")
}

/// The sources of an instruction that the cache has places for.
fn sources(at: usize, inst: &Inst, cycle: u32) -> SmallVec<[Source; 3]> {
    let kept = match is_of_matrices(inst.shape) {
        true => KEPT_BY_MATRICES,
        false => KEPT,
    };
    let slots = inst.shape.slots().iter().zip(&inst.operands).enumerate();
    let all = slots.filter_map(|(number, (slot, operand))| {
        let place = usize::from(slot.reuse_place()?);
        let Value::Register(first @ 0..=254) = operand.value else {
            return None;
        };
        (place < PLACES).then(|| Source {
            inst: at,
            slot: number,
            place,
            first,
            width: slot.width.registers(u128::MAX).max(1),
            until: cycle + kept,
        })
    });
    all.collect()
}

/// The registers that an instruction writes: the first, and how many.
fn written(inst: &Inst) -> impl Iterator<Item = (u8, u8)> + '_ {
    let slots = inst.shape.slots().iter().zip(&inst.operands);
    slots.filter_map(|(slot, operand)| match operand.value {
        Value::Register(first @ 0..=254)
            if slot.file == Some(File::Register) && slot.is_written() =>
        {
            Some((first, slot.width.registers(u128::MAX).max(1)))
        }
        _ => None,
    })
}
