//! NVVM IR: LLVM IR as compilers for GPUs write it, in memory, read from text and printed.
//!
//! ```text
//!   text ──lex, read──► Module ──print──► text as LLVM 22 writes it
//! ```
//!
//! A [`Module`] is a handful of flat arrays; everything in it is named by an index of its own type
//! ([`index`]). Types, constants, attributes and strings are interned, so equal things have equal
//! indices. A [`Body`](function::Body) holds the instructions of a function.

pub mod analysis;
pub mod attribute;
pub mod bitcode;
pub mod cache_hint;
pub mod constant;
mod effect;
pub mod function;
pub mod index;
pub mod inst;
pub mod intern;
mod intrinsic;
mod keyword;
pub mod layout;
mod lex;
pub mod link;
pub mod metadata;
pub mod module;
pub mod name;
mod print;
mod read;
mod replace;
#[cfg(test)]
mod robustness;
pub mod types;
mod upgrade;
pub mod value;
mod verify;

pub use bitcode::{BitcodeOptions, Dialect as BitcodeDialect, read_bitcode, write_bitcode};
pub use effect::{Effect, effect_of};
pub use intrinsic::is_convergent as intrinsic_is_convergent;
pub use intrinsic::is_known as is_intrinsic;
pub use link::{Options as LinkOptions, link, link_each};
pub use module::Module;
pub use print::{print, type_text};
pub use read::read_text;
pub use replace::replace_constants;
pub use upgrade::upgrade_intrinsics;
pub use verify::{NvvmOptions, verify, verify_nvvm, verify_version};
