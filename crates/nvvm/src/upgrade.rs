//! What newer versions of LLVM write differently, made modern.
//!
//! ```text
//!   while reading:  node        fields of debug information
//!                   (attributes and debug intrinsics are made modern where they are read)
//!   after reading:  annotation  nvvm.annotations → calling convention and attributes
//!                   flag        how linkers join module flags
//!   when asked:     intrinsic   calls of intrinsics that LLVM has replaced
//!                   lifetime    marks of the life of stack memory
//!                   mangle      names of intrinsics with typed pointers in them
//! ```
//!
//! The rules are those of LLVM 22's own reader, found by trying it.

mod annotation;
mod flag;
mod intrinsic;
mod lifetime;
mod mangle;
mod node;
mod rule;

pub(crate) use intrinsic::has_old_intrinsics;
pub use intrinsic::upgrade_intrinsics;
pub(crate) use node::{SpecialNode, field_name, special_node};

use crate::module::Module;

/// Whether an intrinsic with this name is one that LLVM has replaced.
pub(crate) fn is_old(name: &[u8]) -> bool {
    rule::rule_of(name).is_some()
}

/// Makes a module that was just read modern.
pub(crate) fn module(module: &mut Module) {
    annotation::upgrade(module);
    flag::upgrade(module);
}
