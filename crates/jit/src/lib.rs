//! Straight code over the 32 lanes of a warp, as native code of the host.
//!
//! ```text
//!   compile: word(3) ► words(Add, …) ► set_word(5, …) ──► Native ──run(registers, rounds)──► registers
//!
//!   round:   for each of 8 groups of four lanes: load what is read ► compute ► store what was written
//!            again while the repeating predicate holds in all lanes
//! ```
//!
//! [`compile`] takes the operations one by one, as values of four lanes; nothing is known here of PTX. Registers are arrays
//! of 32 lanes in three files, as the emulator has them: words, doubles, and predicates with a bit for each lane. What is
//! written is stored once, at the end of a group, so code reads its own values from machine registers. Code that repeats
//! stays in the native code until its predicate differs between lanes, or fails, or the rounds are used up.
//!
//! Everything here works on all 32 lanes: whoever has fewer active runs the interpreter.
//!
//! ```
//! use warpc_jit::{Arithmetic, compile};
//!
//! let native = compile(&[], None, |code| {
//!     let (old, one) = (code.word(0), code.word_number(1));
//!     let sum = code.words(Arithmetic::Add, old, one);
//!     code.set_word(0, sum);
//! })?;
//! let mut words = [[41; 32]];
//! native.run(&mut words, &mut [], &mut [], 1);
//! assert_eq!(words[0], [42; 32]);
//! # Ok::<(), warpc_jit::NotCompiled>(())
//! ```

mod builder;
mod native;
mod operations;

pub use builder::{Again, Builder, Comparison, Doubles, Mask, Words, compile};
pub use native::{Native, NotCompiled};
pub use operations::{Arithmetic, Extreme, Ordered, Shift, Single};
