//! SASS, the machine code of NVIDIA GPUs.
//!
//! ```text
//!   word ──Forms::of──► Form ──print::text──► "IMAD R0, R5, R0, 0x7"
//!     ▲                                              │
//!     └────────────────── parse::word ◄──────────────┘
//! ```
//!
//! An instruction is a word of 128 bits: twelve of the opcode, four of the guard, the control word that the
//! scheduler reads ([`Control`]), and the fields of its [`Form`]. A form is described once, by a row in [`table`]:
//! opcode, the chips that have it, and a [`template`] that is the text of the instruction with fields in it. Decoding
//! fills it, encoding matches a text with it.
//!
//! ```
//! use warpc_sass::{Control, parse, print};
//! let sm = "sm_90".parse().unwrap();
//! let word = 0x001f_ca00_078e_0200_u128 << 64 | 0x0000_0007_0500_7424;
//! let text = print::text(sm, word, &print::At(0x30)).unwrap();
//! assert_eq!(text, "IMAD R0, R5, R0, 0x7");
//! assert_eq!(parse::word(sm, &text, Control::of(word), &print::At(0x30)), Some(word));
//! ```

pub mod control;
pub mod decode;
pub mod encode;
pub mod field;
pub mod form;
pub mod inst;
mod kinds;
mod matching;
pub mod number;
mod operands;
pub mod parse;
mod parts;
pub mod print;
pub mod refusal;
pub mod special;
pub mod table;
pub mod template;

pub use control::Control;
pub use form::{Form, Forms};
pub use inst::Inst;
