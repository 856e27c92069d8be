//! What the names of atomic builtins say.
//!
//! ```text
//!   __nvvm_atom_[cta_|sys_]OP_gen_TYPE          __nvvm_atom_cta_add_gen_i
//!   __nv_atomic_ACCESS[_n][_BYTES[_CLASS]]      __nv_atomic_fetch_add_4_u
//! ```

use warpc_model::{AtomicOp, Scope, TypeClass, atomic::is_atomic_size};

/// `__nvvm_atom_*`: relaxed, the scope in the name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Legacy {
    pub op: AtomicOp,
    pub class: TypeClass,
    /// Of an element.
    pub bytes: u8,
    /// 2 and 4 for vectors.
    pub elements: u8,
    pub scope: Scope,
}

/// The types of legacy names: class, size and number of elements.
#[rustfmt::skip]
static LEGACY_TYPES: [(&str, TypeClass, u8, u8); 10] = [
    ("i", TypeClass::Signed, 4, 1), ("ll", TypeClass::Signed, 8, 1),
    ("ui", TypeClass::Unsigned, 4, 1), ("ull", TypeClass::Unsigned, 8, 1),
    ("us", TypeClass::Unsigned, 2, 1), ("128", TypeClass::Bits, 16, 1),
    ("f", TypeClass::Float, 4, 1), ("d", TypeClass::Float, 8, 1),
    ("f2", TypeClass::Float, 4, 2), ("f4", TypeClass::Float, 4, 4),
];

/// What an `__nv_atomic_*` builtin does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CxxAccess {
    Fence,
    Load,
    Store,
    /// Read, modify and write; compare-and-swap too.
    Rmw(AtomicOp),
}

/// `__nv_atomic_*`: order and scope are arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Cxx {
    pub access: CxxAccess,
    /// `None` if the call says it.
    pub bytes: Option<u64>,
    /// `None` if the call says it.
    pub class: Option<TypeClass>,
    /// Whether values are passed behind pointers.
    pub by_pointer: bool,
    /// Whether the old value comes back (`fetch_add`, not `add`).
    pub fetches: bool,
}

impl Legacy {
    pub(super) fn parse(name: &str) -> Option<Legacy> {
        let rest = name.strip_prefix("__nvvm_atom_")?;
        let (scope, rest) = match (rest.strip_prefix("cta_"), rest.strip_prefix("sys_")) {
            (Some(rest), _) => (Scope::Cta, rest),
            (_, Some(rest)) => (Scope::Sys, rest),
            _ => (Scope::Gpu, rest),
        };
        let (op, ty) = rest.split_once("_gen_")?;
        let op = match op {
            "xchg" => AtomicOp::Exch,
            _ => AtomicOp::from_ptx(op)?,
        };
        let row = LEGACY_TYPES.iter().find(|row| row.0 == ty)?;
        Some(Legacy {
            op,
            class: row.1,
            bytes: row.2,
            elements: row.3,
            scope,
        })
    }
}

impl Cxx {
    pub(super) fn parse(name: &str) -> Option<Cxx> {
        let mut rest = name.strip_prefix("__nv_atomic_")?;
        let mut builtin = Cxx {
            access: CxxAccess::Fence,
            bytes: None,
            class: None,
            by_pointer: false,
            fetches: true,
        };
        if rest == "thread_fence" {
            return Some(builtin);
        }
        if let Some((before, letter)) = rest.rsplit_once('_')
            && let Some(class) = one_letter(letter).and_then(TypeClass::from_letter)
        {
            (rest, builtin.class) = (before, Some(class));
        }
        if let Some((before, bytes)) = rest.rsplit_once('_')
            && let Ok(bytes) = bytes.parse()
        {
            (rest, builtin.bytes) = (before, Some(bytes));
        }
        let plain = rest.strip_suffix("_n");
        builtin.access = match plain.unwrap_or(rest) {
            "load" => CxxAccess::Load,
            "store" => CxxAccess::Store,
            rest => match AtomicOp::from_edg(rest) {
                Some(op) => CxxAccess::Rmw(op),
                None => {
                    builtin.fetches = false;
                    CxxAccess::Rmw(AtomicOp::from_edg(&format!("fetch_{rest}"))?)
                }
            },
        };
        let moves = matches!(
            builtin.access,
            CxxAccess::Load | CxxAccess::Store | CxxAccess::Rmw(AtomicOp::Exch | AtomicOp::Cas)
        );
        builtin.by_pointer = moves && builtin.bytes.is_none() && plain.is_none();
        let whole = match plain {
            Some(_) => moves && builtin.bytes.is_none() && builtin.class.is_none(),
            None => builtin.bytes.is_some() || builtin.class.is_none(),
        };
        let sized = builtin.bytes.is_none_or(is_atomic_size);
        (whole && sized).then_some(builtin)
    }
}

fn one_letter(text: &str) -> Option<char> {
    let mut letters = text.chars();
    letters.next().filter(|_| letters.next().is_none())
}

/// Whether a name is one that only atomic builtins have.
pub(super) fn looks_atomic(name: &str) -> bool {
    name.starts_with("__nv_atomic_") || name.starts_with("__nvvm_atom_")
}
