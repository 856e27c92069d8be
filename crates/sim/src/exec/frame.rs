//! Registers of one call, for all lanes of a warp.

use super::{Env, lanes, special};
use crate::exec::group::Shared;
use crate::program::{Code, Dst, Src};

/// A value of every lane.
pub(crate) type Words = [u32; 32];
/// A value of every lane.
pub(crate) type Doubles = [u64; 32];

/// Who a warp is: what special registers need to know.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Identity {
    /// The block's position in the grid.
    pub(crate) block: [u32; 3],
    /// The block's number in its cluster.
    pub(crate) rank: u32,
    /// The warp's number in its block.
    pub(crate) warp: u32,
}

/// One call of a function by the lanes that made it together.
#[derive(Debug)]
pub(crate) struct Frame {
    /// The function.
    pub(crate) code: usize,
    /// The frame of the caller, and the step it goes on with.
    pub(crate) caller: usize,
    pub(crate) return_to: u32,
    /// How deep calls nest.
    pub(crate) depth: u32,
    /// Lanes that have not returned.
    pub(crate) lanes: u32,
    pub(crate) words: Vec<Words>,
    pub(crate) doubles: Vec<Doubles>,
    pub(crate) predicates: Vec<u32>,
    /// Where each lane's part of the stack begins; empty if the function has none.
    pub(crate) base: Vec<u32>,
    /// The undefined bits of the registers, while there are any.
    pub(crate) undefined: Option<Box<super::defined::Shadow>>,
}

/// What sources may come from beside the frame.
#[derive(Clone, Copy)]
pub(crate) struct Around<'a> {
    pub(crate) env: &'a Env<'a>,
    pub(crate) identity: &'a Identity,
    pub(crate) clock: u64,
}

impl<'a> Around<'a> {
    pub(crate) fn new(env: &'a Env<'a>, identity: &'a Identity, shared: &Shared) -> Around<'a> {
        Around {
            env,
            identity,
            clock: shared.clock,
        }
    }
}

impl Frame {
    pub(crate) fn new(code: &Code, index: usize) -> Frame {
        Frame {
            code: index,
            caller: 0,
            return_to: 0,
            depth: 0,
            lanes: 0,
            words: vec![[0; 32]; code.words],
            doubles: vec![[0; 32]; code.doubles],
            predicates: vec![0; code.predicates],
            base: Vec::new(),
            undefined: None,
        }
    }

    /// One lane's value.
    #[inline]
    pub(crate) fn get(&self, source: Src, lane: usize, around: Around<'_>) -> u64 {
        match source {
            Src::W(slot) => u64::from(self.words[slot as usize][lane]),
            Src::D(slot) => self.doubles[slot as usize][lane],
            Src::Imm(value) => value,
            Src::P(slot, negated) => {
                u64::from((self.predicates[slot as usize] >> lane & 1 != 0) != negated)
            }
            Src::Special(register) => special::value(register, lane, around),
            Src::Stack(offset) => u64::from(self.base_of(lane) + offset),
        }
    }

    /// Where a lane's part of the stack begins.
    pub(crate) fn base_of(&self, lane: usize) -> u32 {
        self.base.get(lane).copied().unwrap_or(0)
    }

    /// The value of every lane, cut to 32 bits.
    #[inline]
    pub(crate) fn words(&self, source: Src, around: Around<'_>) -> Words {
        match source {
            Src::W(slot) => self.words[slot as usize],
            Src::Imm(value) => [value as u32; 32],
            Src::D(slot) => self.doubles[slot as usize].map(|value| value as u32),
            _ => std::array::from_fn(|lane| self.get(source, lane, around) as u32),
        }
    }

    /// The value of every lane.
    #[inline]
    pub(crate) fn doubles(&self, source: Src, around: Around<'_>) -> Doubles {
        match source {
            Src::D(slot) => self.doubles[slot as usize],
            Src::W(slot) => self.words[slot as usize].map(u64::from),
            Src::Imm(value) => [value; 32],
            _ => std::array::from_fn(|lane| self.get(source, lane, around)),
        }
    }

    /// The lanes for which a source is not zero.
    #[inline]
    pub(crate) fn mask(&self, source: Src, around: Around<'_>) -> u32 {
        match source {
            Src::P(slot, false) => self.predicates[slot as usize],
            Src::P(slot, true) => !self.predicates[slot as usize],
            Src::Imm(value) => {
                if value != 0 {
                    u32::MAX
                } else {
                    0
                }
            }
            _ => (0..32).fold(0, |mask, lane| {
                mask | u32::from(self.get(source, lane, around) != 0) << lane
            }),
        }
    }

    /// Sets one lane's value.
    #[inline]
    pub(crate) fn set(&mut self, to: Dst, lane: usize, value: u64) {
        match to {
            Dst::W(slot, mask) => self.words[slot as usize][lane] = value as u32 & mask,
            Dst::D(slot) => self.doubles[slot as usize][lane] = value,
            Dst::P(slot) => {
                let bits = &mut self.predicates[slot as usize];
                *bits = *bits & !(1 << lane) | u32::from(value & 1 != 0) << lane;
            }
            Dst::Sink => {}
        }
    }

    /// Sets a predicate of some lanes.
    #[inline]
    pub(crate) fn set_predicate(&mut self, slot: u32, lanes: u32, values: u32) {
        let bits = &mut self.predicates[slot as usize];
        *bits = *bits & !lanes | values & lanes;
    }

    /// Sets a word of some lanes.
    #[inline]
    pub(crate) fn set_words(&mut self, slot: u32, active: u32, values: &Words) {
        let register = &mut self.words[slot as usize];
        if active == u32::MAX {
            *register = *values;
        } else {
            for lane in 0..32 {
                let keep = (active >> lane & 1).wrapping_sub(1);
                register[lane] = register[lane] & keep | values[lane] & !keep;
            }
        }
    }

    /// Sets a double of some lanes.
    #[inline]
    pub(crate) fn set_doubles(&mut self, slot: u32, active: u32, values: &Doubles) {
        let register = &mut self.doubles[slot as usize];
        if active == u32::MAX {
            *register = *values;
        } else {
            for lane in 0..32 {
                let keep = u64::from(active >> lane & 1).wrapping_sub(1);
                register[lane] = register[lane] & keep | values[lane] & !keep;
            }
        }
    }

    /// Sets a value of some lanes, wherever it goes.
    pub(crate) fn set_all(&mut self, to: Dst, active: u32, values: &Doubles) {
        match to {
            Dst::D(slot) => self.set_doubles(slot, active, values),
            _ => {
                for lane in lanes(active) {
                    self.set(to, lane, values[lane]);
                }
            }
        }
    }
}
