//! What operations compute: one place for the emulator, constant folding and tests.
//!
//! ```text
//!   Inst ── operation(choice, operands) ──► Operation ── compute(sources) ──► results
//! ```
//!
//! An [`Operation`] is a pure function of bits: no memory, no other threads. What moves data
//! (`mov`, loads), orders it or asks other lanes is not here; how an atomic combines the old value
//! with its operands is ([`atomic`]).
//!
//! **Values** travel as `u64`, whatever their type; a predicate is 0 or 1.
//! - A *source* has its value in its low bits; what lies above the instruction type's width is
//!   ignored, so a caller may pass a register as it is.
//! - A *result* is extended to 64 bits as its type says: signed types by their sign, all others
//!   by zeros. The caller cuts it to the register's width; a register wider than the type (as `cvt`
//!   allows) thus gets what the manual says.
//!
//! **Order**: sources are the operands the instruction reads, in the form's order, those that were
//! left out left out here, too; the elements of a vector stand one after the other. Rows with
//! [`Effects::CARRY`](warpc_ptx::row::Effects::CARRY) that read the carry bit have it as their last
//! source. Results are the operands the form may write, in the form's order, whether or not the
//! instruction names them (`setp` always gives two), and the carry bit last if it is written.
//! Signs and pieces (`!p`, `-a`, `a.h1`) are applied here for arithmetic (`vmad`, video); the
//! caller applies `!` to a predicate that is read.
//!
//! The files have the names of the table's sections; products of matrices, which all lanes of a warp compute together,
//! are in [`matrix`].

mod atomic;
mod compare;
mod convert;
mod extended;
mod float;
mod float_compare;
mod half;
mod half_compare;
mod integer;
mod integer_convert;
mod logic;
pub mod matrix;
mod mixed;
mod named;
pub mod printf;
mod shuffle;
mod video;
#[cfg(test)]
mod walk;

mod word;

pub use atomic::{AtomicUpdate, atomic, atomic_in_global};
pub use compare::{Comparison, comparison};
pub use float::bound::{Bound, Limit, approx_bound};
pub use float::many;
pub use named::{
    named, named_atomic, named_comparison, named_group_product, named_product, named_reduction,
};

use std::fmt;
use warpc_ptx::inst::{Choice, Operand};

/// What an instruction computes.
pub struct Operation {
    /// How many values it reads.
    pub sources: usize,
    /// How many values it gives.
    pub results: usize,
    /// The function.
    pub compute: Compute,
}

/// A function from sources to results. Those of one result and few sources are plain function
/// pointers, so that a caller can loop over many values cheaply.
pub enum Compute {
    /// One source, one result.
    One(fn(u64) -> u64),
    /// Two sources, one result.
    Two(fn(u64, u64) -> u64),
    /// Three sources, one result.
    Three(fn(u64, u64, u64) -> u64),
    /// Anything: sources, then a slice of [`Operation::results`] to fill.
    General(Box<Function>),
}

/// A function from sources to results.
type Function = dyn Fn(&[u64], &mut [u64]) + Send + Sync;

impl fmt::Debug for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Operation({} -> {})", self.sources, self.results)
    }
}

impl Operation {
    /// A function of one value.
    pub fn one(compute: fn(u64) -> u64) -> Operation {
        Operation {
            sources: 1,
            results: 1,
            compute: Compute::One(compute),
        }
    }

    /// A function of two values.
    pub fn two(compute: fn(u64, u64) -> u64) -> Operation {
        Operation {
            sources: 2,
            results: 1,
            compute: Compute::Two(compute),
        }
    }

    /// A function of three values.
    pub fn three(compute: fn(u64, u64, u64) -> u64) -> Operation {
        Operation {
            sources: 3,
            results: 1,
            compute: Compute::Three(compute),
        }
    }

    /// Any function.
    pub fn general(
        sources: usize,
        results: usize,
        compute: impl Fn(&[u64], &mut [u64]) + Send + Sync + 'static,
    ) -> Operation {
        Operation {
            sources,
            results,
            compute: Compute::General(Box::new(compute)),
        }
    }

    /// Computes once.
    pub fn run(&self, sources: &[u64], results: &mut [u64]) {
        match &self.compute {
            Compute::One(f) => results[0] = f(sources[0]),
            Compute::Two(f) => results[0] = f(sources[0], sources[1]),
            Compute::Three(f) => results[0] = f(sources[0], sources[1], sources[2]),
            Compute::General(f) => f(sources, results),
        }
    }
}

/// An instruction as the sections see it.
#[derive(Clone, Copy)]
struct View<'a> {
    /// Opcode and modifiers.
    choice: &'a Choice,
    /// For each operand of the form what was given for it.
    operands: &'a [Option<Operand>],
}

impl View<'_> {
    /// The word before the first modifier.
    fn opcode(&self) -> &'static str {
        self.choice.form.form().opcode
    }
}

/// What an instruction computes; `None` if it does something else than compute, or something this
/// module does not know.
///
/// `operands` has an entry for each operand of the form, as [`warpc_ptx::form::map_operands`] finds
/// them; only their number, their pieces and their signs matter.
pub fn operation(choice: &Choice, operands: &[Option<Operand>]) -> Option<Operation> {
    let view = View { choice, operands };
    SECTIONS.iter().find_map(|section| section(&view))
}

type Section = fn(&View<'_>) -> Option<Operation>;

const SECTIONS: &[Section] = &[
    integer::find,
    extended::find,
    float::find,
    half::find,
    mixed::find,
    compare::find,
    half_compare::find,
    logic::find,
    shuffle::find,
    integer_convert::find,
    convert::find,
    video::find,
];
