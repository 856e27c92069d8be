//! SASS, the machine code of NVIDIA GPUs.
//!
//! ```text
//!              decode             print::inst
//!   word ◄──────────────► Inst ───────────────► "IMAD R0, R5, R0, 0x7"
//!    │ ▲       encode                                │           ▲
//!    │ └──────────────────── parse::word ◄───────────┘           │
//!    └────────────────────── print::text ────────────────────────┘
//! ```
//!
//! An instruction is a word of 128 bits: twelve of the opcode, four of the guard, the control word that the
//! scheduler reads ([`Control`]), and the fields of its [`Form`]. A form is described once, by a row in [`table`]:
//! opcode, the chips that have it, and a [`template`] that is the text of the instruction with fields in it. All four
//! ways are walks over it: [`decode`] fills it with the bits of a word, [`mod@print`] makes text of that, and
//! one matching finds the bits for an [`Inst`] ([`encode`]) and for a text ([`parse`]). [`refusal`] says why a
//! text is no instruction.
//!
//! ```
//! use warpc_sass::inst::{Guard, Inst, Operand::{Register, Signed}};
//! use warpc_sass::{Control, decode, encode, parse, print};
//! let sm = "sm_90".parse().unwrap();
//! let word = 0x001f_ca00_078e_0200_u128 << 64 | 0x0000_0007_0500_7424;
//! let text = print::text(sm, word, &print::At(0x30)).unwrap();
//! assert_eq!(text, "IMAD R0, R5, R0, 0x7");
//! assert_eq!(parse::word(sm, &text, Control::of(word), &print::At(0x30)), Some(word));
//!
//! let inst = Inst::new("IMAD")
//!     .operand(Register(0))
//!     .operand(Register(5))
//!     .operand(Signed(7))
//!     .operand(Register(0));
//! let word = encode::encode(sm, &inst).unwrap();
//! let again = decode::decode(sm, word).unwrap();
//! assert_eq!(again.guard, Guard::ALWAYS);
//! assert_eq!(again.to_string(), "IMAD R0, R5, 0x7, R0");
//! ```

pub mod control;
pub mod decode;
pub mod encode;
mod explain;
pub mod field;
pub mod form;
pub mod inst;
mod kinds;
pub mod latency;
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
pub mod vocabulary;

pub use control::Control;
pub use explain::{explain, is_described};
pub use form::{Form, Forms};
pub use inst::Inst;
