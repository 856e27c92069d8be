//! An instruction in memory: a shape, operands, guard, control word.
//!
//! ```text
//!   @P0 LDG.E.64 R2, desc[UR4][R2.64+0x10]
//!   guard  shape: LDG.E.64 with a descriptor   operands: R2, UR4, R2, 0x10      control
//! ```
//!
//! What an instruction does is its [`Shape`]; what varies is typed and stands in the order of the shape's slots, every
//! slot filled: also those that nvdisasm leaves out of the text where they are zero. [`decode`](crate::decode::decode)
//! makes one from a word, [`Inst::new`] begins one by hand, and [`encode`](crate::encode::encode) puts the bits
//! together.

use crate::control::Control;
use crate::operand::{Operand, Value};
use crate::shape::Shape;
use smallvec::SmallVec;
use std::fmt;

/// An instruction.
#[derive(Clone, PartialEq, Debug)]
pub struct Inst {
    /// What it does.
    pub shape: &'static Shape,
    /// Which threads execute it.
    pub guard: Guard,
    /// What the scheduler of the chip reads; [`Marks::REUSE`](crate::operand::Marks::REUSE) of operands says which of
    /// them stay in the operand cache, and `reuse` here counts for nothing.
    pub control: Control,
    /// One for each slot of the shape.
    pub operands: Operands,
}

/// The operands of an instruction.
pub type Operands = SmallVec<[Operand; 6]>;

/// The predicate in front of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Guard {
    /// The predicate; 7 is always true.
    pub predicate: u8,
    /// Whether it is executed where the predicate is false.
    pub not: bool,
    /// Whether the predicate is a uniform one.
    pub uniform: bool,
}

impl Guard {
    /// Executed by all threads.
    pub const ALWAYS: Guard = Guard {
        predicate: 7,
        not: false,
        uniform: false,
    };

    /// The guard of a word whose form has uniform predicates as guards, or others.
    pub fn of(word: u128, uniform: bool) -> Guard {
        let (predicate, not) = ((word >> 12 & 7) as u8, word >> 15 & 1 == 1);
        Guard {
            predicate,
            not,
            uniform: uniform && (predicate != 7 || not),
        }
    }

    /// Whether instructions whose guards are uniform predicates, or others, can have it.
    pub(crate) fn fits(self, uniform: bool) -> bool {
        self == Guard::ALWAYS || self.uniform == uniform
    }

    /// Its four bits.
    pub fn bits(self) -> u8 {
        self.predicate & 7 | u8::from(self.not) << 3
    }
}

impl Inst {
    /// An instruction for all threads whose operands are what a word has where nothing is specified: `RZ`, `PT`, zero.
    pub fn new(shape: &'static Shape) -> Inst {
        Inst {
            shape,
            guard: Guard::ALWAYS,
            control: Control::UNSCHEDULED,
            operands: shape.slots().iter().map(|slot| slot.rest()).collect(),
        }
    }

    /// With these operands in the first slots, in the order of the text.
    pub fn with(mut self, operands: impl IntoIterator<Item = impl Into<Operand>>) -> Inst {
        for (slot, operand) in self.operands.iter_mut().zip(operands) {
            *slot = operand.into();
        }
        self
    }

    /// With this guard.
    pub fn when(mut self, guard: Guard) -> Inst {
        self.guard = guard;
        self
    }

    /// With a control word.
    pub fn scheduled(mut self, control: Control) -> Inst {
        self.control = control;
        self
    }

    /// The operand whose number starts at a bit of the word.
    pub fn at(&self, bit: u8) -> Option<Operand> {
        self.operands.get(self.shape.slot_at(bit)?).copied()
    }

    /// The values of the registers and numbers of its address, if it has one.
    pub fn address(&self) -> impl Iterator<Item = Value> + '_ {
        let slots = self.shape.slots().iter().zip(&self.operands);
        slots
            .filter(|(slot, _)| slot.in_address)
            .map(|(_, operand)| operand.value)
    }

    /// The values of its operands.
    pub fn values(&self) -> impl Iterator<Item = Value> + '_ {
        self.operands.iter().map(|operand| operand.value)
    }
}

impl fmt::Display for Inst {
    /// As it would be printed at address 0, with all that gives its word again.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match crate::print::inst(self, &crate::print::Names::at(0)) {
            Ok(text) => f.write_str(&text),
            Err(misfit) => write!(f, "{} with {misfit}", self.shape),
        }
    }
}
