//! SASS, the machine code of NVIDIA GPUs.
//!
//! ```text
//!             decode            print
//!   word ◄──────────────► Inst ──────► "IMAD R0, R5, 0x7, R0"
//!    │ ▲      encode       ▲                     │
//!    │ │                   └──────── parse ◄─────┘
//!    └─┴── Shapes::of_word ──► Shape ──► slots, effects, pipe, traits
//! ```
//!
//! An instruction is a word of 128 bits: twelve of the opcode, four of the guard, the control word that the
//! scheduler reads ([`Control`]), and the fields of its [`Form`]. A form is described once, by a row in [`table`]:
//! opcode, the chips that have it, and a [`template`] that is the text of the instruction with fields in it. With its
//! modifiers chosen, a form is a [`Shape`], and an instruction in memory is a shape with operands ([`Inst`]): text
//! exists in [`mod@print`] and [`parse`] alone. [`refusal`] says why a text is not an instruction.
//!
//! ```
//! use warpc_sass::operand::Value::{Number, Register};
//! use warpc_sass::{Control, Inst, decode, encode, parse, print};
//! let sm = "sm_90".parse().unwrap();
//! let word = 0x001f_ca00_078e_0200_u128 << 64 | 0x0000_0007_0500_7424;
//! let text = print::text(sm, word, 0x30).unwrap();
//! assert_eq!(text, "IMAD R0, R5, R0, 0x7");
//! assert_eq!(parse::word(sm, &text, Control::of(word), 0x30), Some(word));
//!
//! let shape = parse::shape(sm, "IMAD R1, R1, 0x2, R1").unwrap();
//! let inst = Inst::new(shape).with([Register(0), Register(5), Number(7), Register(0)]);
//! let word = encode::encode(&inst).unwrap();
//! assert_eq!(decode::decode(sm, word), Some(inst.clone()));
//! assert_eq!(inst.to_string(), "IMAD R0, R5, 0x7, R0");
//! ```

pub mod control;
pub mod decode;
pub mod encode;
mod explain;
pub mod facts;
pub mod field;
pub mod form;
pub mod inst;
mod kinds;
pub mod latency;
mod matching;
pub mod number;
pub mod operand;
mod operands;
pub mod parse;
mod parts;
pub mod print;
pub mod refusal;
pub mod shape;
pub mod special;
pub mod table;
pub mod template;
mod walk;

pub use control::Control;
pub use explain::{explain, is_described};
pub use form::{Form, Forms};
pub use inst::{Guard, Inst};
pub use operand::{Marks, Operand, Value};
pub use shape::{Shape, Shapes};
