//! The atomic rows of the table, taken apart.
//!
//! ```text
//!   __nvvm_atom_ [cta_ | sys_] add | xchg | … _gen_ i | ui | ll | ull | us | 128 | f | d | f2 | f4
//!                scope: device, block, system        type
//!   __nv_atomic_ …                                   see construct
//! ```

use crate::Builtin;
use crate::construct::Spelling;
use warpc_model::{AtomicOp, Scope, TypeClass};

/// What an atomic builtin is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Atomic {
    /// An older one: relaxed, with the scope in its name.
    Legacy {
        /// What it does.
        op: AtomicOp,
        /// What the bits mean; [`TypeClass::Bits`] where that does not matter.
        class: TypeClass,
        /// The size of an element.
        bytes: u8,
        /// How many elements: 1, or 2 and 4 for vectors of `float`.
        elements: u8,
        /// The scope.
        scope: Scope,
    },
    /// One of the C++ memory model.
    Cxx(Spelling),
}

/// Operations by the words of the older names.
const OPS: [(&str, AtomicOp); 10] = [
    ("add", AtomicOp::Add),
    ("xchg", AtomicOp::Exch),
    ("min", AtomicOp::Min),
    ("max", AtomicOp::Max),
    ("inc", AtomicOp::Inc),
    ("dec", AtomicOp::Dec),
    ("and", AtomicOp::And),
    ("or", AtomicOp::Or),
    ("xor", AtomicOp::Xor),
    ("cas", AtomicOp::Cas),
];

/// Types by the words of the older names: class, bytes of an element, elements.
const TYPES: [(&str, TypeClass, u8, u8); 10] = [
    ("i", TypeClass::Signed, 4, 1),
    ("ui", TypeClass::Unsigned, 4, 1),
    ("ll", TypeClass::Signed, 8, 1),
    ("ull", TypeClass::Unsigned, 8, 1),
    ("us", TypeClass::Unsigned, 2, 1),
    ("128", TypeClass::Bits, 16, 1),
    ("f", TypeClass::Float, 4, 1),
    ("d", TypeClass::Float, 8, 1),
    ("f2", TypeClass::Float, 4, 2),
    ("f4", TypeClass::Float, 4, 4),
];

impl Atomic {
    /// Takes a name apart: of a row, or of an overload of the C++ family.
    ///
    /// ```
    /// use warpc_builtins::Atomic;
    /// use warpc_model::{AtomicOp, Scope, TypeClass};
    /// let add = Atomic::parse("__nvvm_atom_cta_add_gen_f2");
    /// let legacy = Atomic::Legacy {
    ///     op: AtomicOp::Add,
    ///     class: TypeClass::Float,
    ///     bytes: 4,
    ///     elements: 2,
    ///     scope: Scope::Cta,
    /// };
    /// assert_eq!(add, Some(legacy));
    /// ```
    pub fn parse(name: &str) -> Option<Atomic> {
        if let Some(spelling) = Spelling::parse(name) {
            return Some(Atomic::Cxx(spelling));
        }
        let rest = crate::by_name(name)?.name.strip_prefix("__nvvm_atom_")?;
        let (scope, rest) = match rest.split_at_checked(4) {
            Some(("cta_", rest)) => (Scope::Cta, rest),
            Some(("sys_", rest)) => (Scope::Sys, rest),
            _ => (Scope::Gpu, rest),
        };
        let (op, ty) = rest.split_once("_gen_")?;
        let &(_, op) = OPS.iter().find(|row| row.0 == op)?;
        let &(_, class, bytes, elements) = TYPES.iter().find(|row| row.0 == ty)?;
        let class = match op {
            AtomicOp::Exch | AtomicOp::Cas | AtomicOp::And | AtomicOp::Or | AtomicOp::Xor => {
                TypeClass::Bits
            }
            _ => class,
        };
        Some(Atomic::Legacy {
            op,
            class,
            bytes,
            elements,
            scope,
        })
    }
}

impl Builtin {
    /// What it is, if it is atomic.
    pub fn atomic(&self) -> Option<Atomic> {
        Atomic::parse(self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Base, Category, all};

    /// The names of the older atomics say the same as their signatures.
    #[test]
    fn names_agree_with_signatures() {
        let mut legacy = 0;
        for row in all() {
            let atomic = row.atomic();
            let is_atomic = matches!(
                row.category,
                Category::AtomicLegacy | Category::Cas | Category::AtomicCxx11
            ) || row.name == "__nv_atomic_thread_fence";
            assert_eq!(atomic.is_some(), is_atomic, "{}", row.name);
            let Some(Atomic::Legacy {
                op, class, bytes, ..
            }) = atomic
            else {
                continue;
            };
            legacy += 1;
            let Some(signature) = row.signature else {
                continue;
            };
            let value = signature.result;
            assert_eq!(value.bits(), Some(u32::from(bytes) * 8), "{}", row.name);
            match (class, value.base) {
                (TypeClass::Signed, base) => {
                    assert!(matches!(base, Base::Int { signed: true, .. }))
                }
                (TypeClass::Float, base) => assert!(matches!(base, Base::Float { .. })),
                (TypeClass::Unsigned, base) => {
                    assert!(matches!(base, Base::Int { signed: false, .. }));
                }
                (TypeClass::Bits, _) => {}
            }
            let count = 2 + usize::from(op == AtomicOp::Cas);
            assert_eq!(signature.params().len(), count);
        }
        assert_eq!(legacy, 69 + 10 + 6);
    }
}
