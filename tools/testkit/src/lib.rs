//! What the project's tests and tools share.
//!
//! ```text
//! project      paths of the checkout, lists of files, folders of the reference tools and the corpus
//! gzip         compressed data, the form of nearly all that is recorded under `tests/`
//! record       tables and archives of recorded answers: columns, escapes, bases of mutants
//! directives   file tests: commands, expected messages and expected output in comments
//! wrap         modules around one instruction
//! scratch      folders that are removed when they are dropped
//! random       the one seeded generator of numbers
//! hash         FNV-1a, for digests that are recorded
//! ```
//!
//! Library crates have it as a dev-dependency only; it depends on none of them. What is missing or damaged under
//! `tests/` is a fault of the checkout, so functions that read from there panic with the name of the file.

pub mod directives;
pub mod gzip;
pub mod hash;
pub mod project;
pub mod random;
pub mod record;
pub mod scratch;
pub mod wrap;

pub use random::Random;
