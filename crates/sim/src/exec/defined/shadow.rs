//! The undefined bits of the registers of one call.

use crate::exec::access::Place;
use crate::exec::frame::{Doubles, Words};
use crate::program::{Code, Dst, Op, Precision, Src};

/// Where an undefined value came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Origin {
    /// The function and step.
    pub(super) step: (u32, u32),
    pub(super) kind: Kind,
}

/// What made a value undefined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// It was loaded from memory that nobody had written.
    Memory(Place),
    /// It came from a lane that did not take part in a shuffle.
    Shuffle,
    /// Other lanes brought it to a warp operation.
    Collective,
    /// The register was never written.
    Unwritten,
}

impl Origin {
    /// Registers that were never written.
    pub(super) const UNWRITTEN: Origin = Origin {
        step: (0, 0),
        kind: Kind::Unwritten,
    };

    pub(super) fn load(step: (u32, u32), place: Place) -> Origin {
        Origin {
            step,
            kind: Kind::Memory(place),
        }
    }

    pub(super) fn shuffle(step: (u32, u32)) -> Origin {
        Origin {
            step,
            kind: Kind::Shuffle,
        }
    }

    pub(super) fn collective(step: (u32, u32)) -> Origin {
        Origin {
            step,
            kind: Kind::Collective,
        }
    }
}

/// The undefined bits of the registers of one call, in the shape of the registers.
#[derive(Debug)]
pub(crate) struct Shadow {
    words: Vec<Words>,
    doubles: Vec<Doubles>,
    predicates: Vec<u32>,
    /// Of words, doubles, predicates, one after another.
    origins: Vec<Origin>,
    /// In the same order: the lanes that have undefined bits.
    lanes: Vec<u32>,
    /// Registers of which a lane has.
    count: u32,
}

impl Shadow {
    pub(super) fn new(code: &Code) -> Shadow {
        let count = code.words + code.doubles + code.predicates;
        Shadow {
            words: vec![[0; 32]; code.words],
            doubles: vec![[0; 32]; code.doubles],
            predicates: vec![0; code.predicates],
            origins: vec![Origin::UNWRITTEN; count],
            lanes: vec![0; count],
            count: 0,
        }
    }

    /// The undefined bits of a source; a predicate has one.
    #[inline]
    pub(super) fn get(&self, source: Src, lane: usize) -> u64 {
        match source {
            Src::W(slot) => u64::from(self.words[slot as usize][lane]),
            Src::D(slot) => self.doubles[slot as usize][lane],
            Src::P(slot, _) => u64::from(self.predicates[slot as usize] >> lane & 1),
            Src::Imm(_) | Src::Special(_) | Src::Stack(_) => 0,
        }
    }

    /// The lanes whose guard is undefined.
    pub(super) fn of_guard(&self, slot: u32) -> u32 {
        self.predicates[slot as usize]
    }

    fn index(&self, source: Src) -> Option<usize> {
        Some(match source {
            Src::W(slot) => slot as usize,
            Src::D(slot) => self.words.len() + slot as usize,
            Src::P(slot, _) => self.words.len() + self.doubles.len() + slot as usize,
            Src::Imm(_) | Src::Special(_) | Src::Stack(_) => return None,
        })
    }

    /// Where the undefined bits of a source came from.
    pub(super) fn origin(&self, source: Src) -> Origin {
        self.index(source)
            .map_or(Origin::UNWRITTEN, |index| self.origins[index])
    }

    /// The lanes that have undefined bits in a source.
    #[inline]
    fn lanes_of(&self, source: Src) -> u32 {
        self.index(source).map_or(0, |index| self.lanes[index])
    }

    /// Whether a step neither reads nor writes undefined bits of these lanes; some common steps only.
    #[inline]
    pub(super) fn is_untouched_by(&self, op: &Op, active: u32) -> bool {
        let lanes = match op {
            Op::Word(_, d, a, b, c) => [Src::W(*d), *a, *b, *c].map(|s| self.lanes_of(s)),
            Op::Double(_, d, a, b, c) => [Src::D(*d), *a, *b, *c].map(|s| self.lanes_of(s)),
            Op::Float(_, precision, d, a, b, c) => {
                let to = match precision {
                    Precision::Double => Src::D(*d),
                    Precision::Single | Precision::Flushed => Src::W(*d),
                };
                [to, *a, *b, *c].map(|s| self.lanes_of(s))
            }
            Op::CompareWord(_, d, a, b) | Op::CompareDouble(_, d, a, b) => {
                [Src::P(*d, false), *a, *b, Src::Imm(0)].map(|s| self.lanes_of(s))
            }
            Op::CompareFloat(_, d, a, b) => {
                [Src::P(*d, false), *a, *b, Src::Imm(0)].map(|s| self.lanes_of(s))
            }
            Op::Branch(_) | Op::Nothing => [0; 4],
            _ => return false,
        };
        lanes.iter().fold(0, |all, lanes| all | lanes) & active == 0
    }

    /// Sets the undefined bits of a lane of a register.
    #[inline]
    pub(super) fn set(&mut self, to: Dst, lane: usize, bits: u64, origin: Origin) {
        let bits = match to {
            Dst::W(_, mask) => bits & u64::from(mask),
            Dst::P(_) => bits & 1,
            _ => bits,
        };
        let index = match to {
            Dst::W(slot, _) => {
                self.words[slot as usize][lane] = bits as u32;
                slot as usize
            }
            Dst::D(slot) => {
                self.doubles[slot as usize][lane] = bits;
                self.words.len() + slot as usize
            }
            Dst::P(slot) => {
                let all = &mut self.predicates[slot as usize];
                *all = *all & !(1 << lane) | u32::from(bits & 1 != 0) << lane;
                self.words.len() + self.doubles.len() + slot as usize
            }
            Dst::Sink => return,
        };
        let (before, bit) = (self.lanes[index], 1 << lane);
        let after = match bits {
            0 => before & !bit,
            _ => {
                self.origins[index] = origin;
                before | bit
            }
        };
        self.lanes[index] = after;
        self.count = self.count + u32::from(after != 0) - u32::from(before != 0);
    }

    /// Takes the bits of some lanes from another shadow.
    pub(super) fn take(&mut self, from: &Shadow, lanes: u32) {
        for (to, from) in self.predicates.iter_mut().zip(&from.predicates) {
            *to = *to & !lanes | from & lanes;
        }
        for lane in crate::exec::lanes(lanes) {
            for (to, from) in self.words.iter_mut().zip(&from.words) {
                to[lane] = from[lane];
            }
            for (to, from) in self.doubles.iter_mut().zip(&from.doubles) {
                to[lane] = from[lane];
            }
        }
        for (to, from) in self.lanes.iter_mut().zip(&from.lanes) {
            *to = *to & !lanes | from & lanes;
        }
        self.count = self.lanes.iter().filter(|lanes| **lanes != 0).count() as u32;
        for (to, from) in self.origins.iter_mut().zip(&from.origins) {
            if from.kind != Kind::Unwritten {
                *to = *from;
            }
        }
    }

    /// Whether nothing is undefined.
    #[inline]
    pub(super) fn is_over(&self) -> bool {
        self.count == 0
    }
}
