//! The NVVM builtins: 770 functions that a compiler of CUDA C++ calls by name and that the back end
//! replaces by instructions.
//!
//! ```text
//!   name ──wyhash──► slot ──► id ──► Builtin { category, chips, signature, source }
//! ```
//!
//! | module | holds |
//! |---|---|
//! | [`table`] | the rows, in the order of their numbers |
//! | [`index`] | name to number in constant time; the table is made at compile time |
//! | [`wyhash`] | the hash function |
//! | [`signature`] | types of arguments and results |
//! | [`construct`] | names of the C++ atomics, taken apart and put together |
//! | [`resolve`] | from a call of one of them to its row, or to what is wrong |
//! | [`fault`] | what can be wrong, by the numbers that CUDA's front ends have for it |
//!
//! The table is the same for every target. A row's [`Builtin::chips`] says which of them have the
//! builtin.
//!
//! ```
//! let add = warpc_builtins::by_name("__nv_atomic_fetch_add_4_u").unwrap();
//! assert_eq!(add.id, 429);
//! assert_eq!(add.signature.unwrap().to_string(), "u32(u32*,u32,i32,i32)");
//! assert_eq!(warpc_builtins::by_id(429), Some(add));
//! assert!(warpc_builtins::by_name("printf").is_none());
//! ```

pub mod construct;
pub mod fault;
pub mod index;
pub mod resolve;
pub mod signature;
pub mod table;
pub mod wyhash;

mod atomic;
mod builtin;
mod prototype;

pub use atomic::Atomic;
pub use builtin::{Builtin, Category, Source};
pub use index::by_name;
pub use signature::{Base, Callback, Signature, Type};

/// Every builtin, in the order of the numbers: number N stands at N - 1.
pub fn all() -> &'static [Builtin] {
    &table::ALL
}

/// Builtins that have no number.
pub fn unnumbered() -> &'static [Builtin] {
    &table::UNNUMBERED
}

/// The builtin with a number from 1 to 770.
pub fn by_id(id: u16) -> Option<&'static Builtin> {
    table::ALL.get(usize::from(id).checked_sub(1)?)
}
