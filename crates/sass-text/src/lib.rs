//! Machine code as text: listings, and assembly texts both ways.
//!
//! ```text
//!   Cubin ──listing::sections──► instructions with labels and symbols as operands ──listing::print──► as nvdisasm -c
//!     │ ▲
//!     │ └──assembly::read──◄ text that people write ──► diagnostics
//!     └────assembly::print──► text that gives the same bytes again
//! ```
//!
//! What instructions are, `warpc-sass` says, and what files hold, `warpc-cubin`; this crate has the names of places and
//! symbols, and the text around the instructions. Data go one way: words are decoded, places and what relocations name
//! become operands ([`Value::Label`](warpc_sass::Value::Label), [`Value::Symbol`](warpc_sass::Value::Symbol)), and at
//! the end everything is printed.

pub mod assembly;
mod facts;
mod instruction;
pub mod listing;
mod schedule;
pub mod sections;

pub use facts::{attributes_of, padding};
