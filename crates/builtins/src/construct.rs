//! Names of the `__nv_atomic_*` builtins: taken apart, and put together.
//!
//! ```text
//!   __nv_atomic_ load | store | exchange | compare_exchange      generic: objects by address
//!                ... _n                                          integers by value
//!                fetch_ add | sub | and | or | xor | min | max   overloaded by the object's type
//!                       add | sub | ...                          the same without a result
//!                ... _BYTES [_ u | s | f]                        a row of the table
//!                thread_fence
//! ```
//!
//! Programs write the first four kinds; a call's types choose the row ([`builtin`]). Only sums,
//! differences, minima and maxima tell types apart by a letter. An address counts as an unsigned
//! integer of 8 bytes.

use crate::{Builtin, by_name};
use warpc_model::{Access, AtomicOp, TypeClass};

/// What all these names begin with.
pub const PREFIX: &str = "__nv_atomic_";

/// What a builtin does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operation {
    /// Orders other accesses.
    Fence,
    /// Reads.
    Load,
    /// Writes.
    Store,
    /// Reads, changes and writes.
    Rmw(AtomicOp),
}

use AtomicOp::{Add, And, Cas, Exch, Max, Min, Or, Sub, Xor};
use Operation::{Fence, Load, Rmw, Store};

/// Every operation.
pub const OPERATIONS: [Operation; 12] = [
    Fence,
    Load,
    Store,
    Rmw(Exch),
    Rmw(Cas),
    Rmw(Add),
    Rmw(Sub),
    Rmw(And),
    Rmw(Or),
    Rmw(Xor),
    Rmw(Max),
    Rmw(Min),
];

impl Operation {
    /// The name of the builtin without [`PREFIX`] and suffixes.
    ///
    /// ```
    /// use warpc_builtins::construct::Operation;
    /// use warpc_model::AtomicOp;
    /// assert_eq!(Operation::Rmw(AtomicOp::Cas).word(), "compare_exchange");
    /// ```
    pub fn word(self) -> &'static str {
        match self {
            Fence => "thread_fence",
            Load => "load",
            Store => "store",
            Rmw(op) => op.edg().unwrap_or("?"),
        }
    }

    /// What carries the memory order.
    pub fn access(self) -> Access {
        match self {
            Fence => Access::Fence,
            Load => Access::Load,
            Store => Access::Store,
            Rmw(_) => Access::Rmw,
        }
    }

    /// Whether it is one of the seven `fetch_` operations.
    pub fn is_fetch(self) -> bool {
        self.word().starts_with("fetch_")
    }

    /// Whether the name carries the letter of the type's class.
    pub fn has_class(self) -> bool {
        matches!(self, Rmw(Add | Sub | Max | Min))
    }

    /// Whether it has a second order, for the case that it fails.
    pub fn has_failure_order(self) -> bool {
        self == Rmw(Cas)
    }
}

/// How a name says what it works on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Form {
    /// By addresses of objects of any type: `__nv_atomic_load`; the fence, too.
    Generic,
    /// By values of an integer type: `__nv_atomic_load_n`.
    Value,
    /// By a value of the object's type: `__nv_atomic_fetch_add`, or without a result `__nv_atomic_add`.
    Overloaded {
        /// Whether the old value comes back.
        has_result: bool,
    },
    /// Size and type are in the name: `__nv_atomic_fetch_add_4_u`.
    Sized {
        /// The size in bytes.
        bytes: u8,
        /// What the bits mean; [`TypeClass::Bits`] where the name has no letter.
        class: TypeClass,
    },
}

/// A name taken apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Spelling {
    /// What the builtin does.
    pub operation: Operation,
    /// How it says on what.
    pub form: Form,
}

impl Spelling {
    /// Takes a name apart; `None` for a name that is no `__nv_atomic_*` builtin.
    ///
    /// ```
    /// use warpc_builtins::construct::{Form, Operation, Spelling};
    /// use warpc_model::{AtomicOp, TypeClass};
    /// let spelling = Spelling::parse("__nv_atomic_fetch_add_4_u").unwrap();
    /// assert_eq!(spelling.operation, Operation::Rmw(AtomicOp::Add));
    /// assert_eq!(spelling.form, Form::Sized { bytes: 4, class: TypeClass::Unsigned });
    /// assert_eq!(Spelling::parse("__nv_atomic_fetch_add_16_u"), None);
    /// ```
    pub fn parse(name: &str) -> Option<Spelling> {
        let rest = name.strip_prefix(PREFIX)?;
        OPERATIONS.into_iter().find_map(|operation| {
            let word = operation.word();
            let with_result = rest.strip_prefix(word);
            if let Some(suffix) = with_result {
                let form = form(operation, name, suffix)?;
                return Some(Spelling { operation, form });
            }
            let form = Form::Overloaded { has_result: false };
            let plain = word.strip_prefix("fetch_") == Some(rest);
            plain.then_some(Spelling { operation, form })
        })
    }
}

/// The form of a name that has `suffix` after its operation.
fn form(operation: Operation, name: &str, suffix: &str) -> Option<Form> {
    match suffix {
        "" if operation.is_fetch() => return Some(Form::Overloaded { has_result: true }),
        "" => return Some(Form::Generic),
        "_n" if !operation.is_fetch() && operation != Fence => return Some(Form::Value),
        _ => {}
    }
    by_name(name)?;
    let (bytes, letter) = match suffix[1..].split_once('_') {
        Some((bytes, letter)) => (bytes, letter.chars().next()?),
        None => (&suffix[1..], 'b'),
    };
    Some(Form::Sized {
        bytes: bytes.parse().ok()?,
        class: TypeClass::from_letter(letter)?,
    })
}

/// The name of the row for an operation on an object of a size and class. There need not be one.
///
/// ```
/// use warpc_builtins::construct::{Operation, name};
/// use warpc_model::{AtomicOp, TypeClass};
/// let min = Operation::Rmw(AtomicOp::Min);
/// assert_eq!(name(min, 8, TypeClass::Signed), "__nv_atomic_fetch_min_8_s");
/// assert_eq!(name(Operation::Load, 8, TypeClass::Signed), "__nv_atomic_load_8");
/// ```
pub fn name(operation: Operation, bytes: u64, class: TypeClass) -> String {
    let word = operation.word();
    match operation {
        Fence => format!("{PREFIX}{word}"),
        _ if operation.has_class() => format!("{PREFIX}{word}_{bytes}_{}", class.letter()),
        _ => format!("{PREFIX}{word}_{bytes}"),
    }
}

/// The row for an operation on an object of a size and class.
pub fn builtin(operation: Operation, bytes: u64, class: TypeClass) -> Option<&'static Builtin> {
    by_name(&name(operation, bytes, class))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Category, all};

    /// Each sized row is put together from its parts; no row is forgotten.
    #[test]
    fn rows_both_ways() {
        let mut sized = 0;
        for row in all() {
            let Some(spelling) = Spelling::parse(row.name) else {
                let unordered = row.name.starts_with("__nvvm_atom_");
                assert!(row.category != Category::AtomicCxx11 || unordered);
                continue;
            };
            match spelling.form {
                Form::Sized { bytes, class } => {
                    sized += 1;
                    assert_eq!(name(spelling.operation, bytes.into(), class), row.name);
                    assert_eq!(builtin(spelling.operation, bytes.into(), class), Some(row));
                }
                form => assert_eq!(form, Form::Generic),
            }
        }
        assert_eq!(sized, 57 - 6 - 4);
    }

    #[test]
    fn names_outside_the_table() {
        let form = |name: &str| Spelling::parse(name).map(|s| s.form);
        assert_eq!(form("__nv_atomic_exchange_n"), Some(Form::Value));
        for (name, has_result) in [("__nv_atomic_sub", false), ("__nv_atomic_fetch_sub", true)] {
            assert_eq!(form(name), Some(Form::Overloaded { has_result }));
        }
        for name in [
            "__nv_atomic_",
            "__nv_atomic_fetch_add_n",
            "__nv_atomic_fetch_nand",
            "__nv_atomic_load_3",
            "__nv_atomic_exchange_2",
            "__nv_atomic_thread_fence_n",
            "__nv_atomic_sub_4_u",
            "__nv_atomic_exchange_",
            "atomicAdd",
        ] {
            assert_eq!(form(name), None, "{name}");
        }
    }
}
