//! Just enough of PTX's shape to cut, join and break it as text.
//!
//! This is deliberately not the compiler's own parser: what makes test data must not share the mistakes of what
//! is tested. It needs to know very little: where a word, a statement and an item begin and end.

mod items;
mod lex;

pub use items::items;
pub use lex::{Inst, Kind, Operand, Token, instructions, position, tokens};
