//! Read-modify-write operations and the types they work on.
//!
//! An operation and a [`TypeClass`] together are what other vocabularies call one operation: LLVM's
//! `umax` is ([`AtomicOp::Max`], [`TypeClass::Unsigned`]), its `fadd` is ([`AtomicOp::Add`],
//! [`TypeClass::Float`]). What PTX has of them is in [`legal`].

pub mod legal;

pub use legal::{Atomic, Illegal};

/// A read-modify-write operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AtomicOp {
    /// Store, give back the old value.
    Exch,
    /// Addition.
    Add,
    /// Subtraction; PTX has none, it adds the negated value.
    Sub,
    /// Bitwise and.
    And,
    /// Bitwise not-and; PTX has none.
    Nand,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// The greater; of floating-point values the number, when one is not a number.
    Max,
    /// The smaller, likewise.
    Min,
    /// The greater; not a number when either is (LLVM `fmaximum`).
    Maximum,
    /// The smaller; not a number when either is (LLVM `fminimum`).
    Minimum,
    /// The greater, with +0 above -0 (LLVM `fmaximumnum`).
    MaximumNum,
    /// The smaller, with -0 below +0 (LLVM `fminimumnum`).
    MinimumNum,
    /// `old >= b ? 0 : old + 1`
    Inc,
    /// `old == 0 || old > b ? b : old - 1`
    Dec,
    /// `old >= b ? old - b : old` (LLVM `usub_cond`); PTX has none.
    SubCond,
    /// `old >= b ? old - b : 0` (LLVM `usub_sat`); PTX has none.
    SubSat,
    /// Compare and swap.
    Cas,
}

/// What an operand's bits mean.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TypeClass {
    /// Bits, PTX `.b32`.
    Bits,
    /// Unsigned integer, `.u32`.
    Unsigned,
    /// Signed integer, `.s32`.
    Signed,
    /// Floating point, `.f32`.
    Float,
}

use AtomicOp::*;
use TypeClass::{Bits, Float, Signed, Unsigned};

impl TypeClass {
    /// The letter in PTX types and builtin names: `b`, `u`, `s` or `f`.
    pub fn letter(self) -> char {
        ['b', 'u', 's', 'f'][self as usize]
    }

    /// The class of a letter.
    pub fn from_letter(letter: char) -> Option<TypeClass> {
        [Bits, Unsigned, Signed, Float]
            .into_iter()
            .find(|class| class.letter() == letter)
    }
}

/// The operations that PTX has, by PTX's names.
static PTX_NAMES: [(AtomicOp, &str); 10] = [
    (Exch, "exch"),
    (Add, "add"),
    (And, "and"),
    (Or, "or"),
    (Xor, "xor"),
    (Max, "max"),
    (Min, "min"),
    (Inc, "inc"),
    (Dec, "dec"),
    (Cas, "cas"),
];

/// The `__nv_atomic_*` builtins, by the part of the name after that prefix.
static EDG_NAMES: [(AtomicOp, &str); 9] = [
    (Cas, "compare_exchange"),
    (Exch, "exchange"),
    (Add, "fetch_add"),
    (Sub, "fetch_sub"),
    (And, "fetch_and"),
    (Xor, "fetch_xor"),
    (Or, "fetch_or"),
    (Max, "fetch_max"),
    (Min, "fetch_min"),
];

/// LLVM's `atomicrmw` operations; a row's place is its number in bitcode and in the C interface.
static LLVM_NAMES: [(AtomicOp, TypeClass, &str); 23] = [
    (Exch, Bits, "xchg"),
    (Add, Unsigned, "add"),
    (Sub, Unsigned, "sub"),
    (And, Bits, "and"),
    (Nand, Bits, "nand"),
    (Or, Bits, "or"),
    (Xor, Bits, "xor"),
    (Max, Signed, "max"),
    (Min, Signed, "min"),
    (Max, Unsigned, "umax"),
    (Min, Unsigned, "umin"),
    (Add, Float, "fadd"),
    (Sub, Float, "fsub"),
    (Max, Float, "fmax"),
    (Min, Float, "fmin"),
    (Inc, Unsigned, "uinc_wrap"),
    (Dec, Unsigned, "udec_wrap"),
    (SubCond, Unsigned, "usub_cond"),
    (SubSat, Unsigned, "usub_sat"),
    (Maximum, Float, "fmaximum"),
    (Minimum, Float, "fminimum"),
    (MaximumNum, Float, "fmaximumnum"),
    (MinimumNum, Float, "fminimumnum"),
];

/// The thirteen operations of the emission layer, by opcode. Up to 11 the numbers are LLVM's
/// `atomicrmw` numbers, which explains the gaps: 2 is LLVM's `sub` and 4 its `nand`.
static OPCODES: [(u8, AtomicOp, TypeClass); 13] = [
    (0x00, Exch, Bits),
    (0x01, Add, Unsigned),
    (0x03, And, Bits),
    (0x05, Or, Bits),
    (0x06, Xor, Bits),
    (0x07, Max, Signed),
    (0x08, Min, Signed),
    (0x09, Max, Unsigned),
    (0x0A, Min, Unsigned),
    (0x0B, Add, Float),
    (0x0C, Inc, Unsigned),
    (0x0D, Dec, Unsigned),
    (0x0E, Cas, Bits),
];

fn by_name(table: &[(AtomicOp, &str)], name: &str) -> Option<AtomicOp> {
    let row = table.iter().find(|row| row.1 == name)?;
    Some(row.0)
}

fn by_op(table: &'static [(AtomicOp, &str)], op: AtomicOp) -> Option<&'static str> {
    let row = table.iter().find(|row| row.0 == op)?;
    Some(row.1)
}

impl AtomicOp {
    /// The operation of a PTX modifier of `atom` or `red`.
    pub fn from_ptx(token: &str) -> Option<AtomicOp> {
        by_name(&PTX_NAMES, token)
    }

    /// The PTX modifier; `None` for an operation that PTX lacks.
    pub fn ptx(self) -> Option<&'static str> {
        by_op(&PTX_NAMES, self)
    }

    /// The operation of a builtin's name without `__nv_atomic_` and its suffixes.
    pub fn from_edg(name: &str) -> Option<AtomicOp> {
        by_name(&EDG_NAMES, name)
    }

    /// The builtin's name without `__nv_atomic_` and suffixes.
    pub fn edg(self) -> Option<&'static str> {
        by_op(&EDG_NAMES, self)
    }

    /// The operation of an LLVM `atomicrmw` keyword.
    ///
    /// ```
    /// use warpc_model::{AtomicOp, TypeClass};
    /// assert_eq!(AtomicOp::from_llvm("umax"), Some((AtomicOp::Max, TypeClass::Unsigned)));
    /// ```
    pub fn from_llvm(keyword: &str) -> Option<(AtomicOp, TypeClass)> {
        let row = LLVM_NAMES.iter().find(|row| row.2 == keyword)?;
        Some((row.0, row.1))
    }

    /// The LLVM `atomicrmw` keyword. Signedness tells apart only `max` and `min`.
    pub fn llvm(self, class: TypeClass) -> Option<&'static str> {
        let number = self.llvm_number(class)?;
        Some(LLVM_NAMES[usize::from(number)].2)
    }

    /// The operation with a number of LLVM bitcode and its C interface.
    pub fn from_llvm_number(number: u64) -> Option<(AtomicOp, TypeClass)> {
        let row = LLVM_NAMES.get(usize::try_from(number).ok()?)?;
        Some((row.0, row.1))
    }

    /// The number in LLVM bitcode and its C interface.
    pub fn llvm_number(self, class: TypeClass) -> Option<u8> {
        let fits = |row: &(AtomicOp, TypeClass, &str)| match self {
            Exch => row.0 == Exch,
            Max | Min => (row.0, row.1) == (self, class),
            _ => row.0 == self && (row.1 == Float) == (class == Float),
        };
        let place = LLVM_NAMES.iter().position(fits)?;
        Some(place as u8)
    }

    /// The operation with an opcode of the emission layer ([`crate::packed::OperandWord`]).
    pub fn from_opcode(opcode: u8) -> Option<(AtomicOp, TypeClass)> {
        let row = OPCODES.iter().find(|row| row.0 == opcode)?;
        Some((row.1, row.2))
    }

    /// The opcode of the emission layer. It has no signed addition: two's complement needs none.
    pub fn opcode(self, class: TypeClass) -> Option<u8> {
        let class = match (self, class) {
            (Add, Signed) => Unsigned,
            _ => class,
        };
        let row = OPCODES.iter().find(|row| (row.1, row.2) == (self, class))?;
        Some(row.0)
    }
}

/// The type of an atomic access.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)] // The names are PTX's own.
pub enum AtomicType {
    B8,
    B16,
    B32,
    B64,
    B128,
    U8,
    U16,
    U32,
    U64,
    S8,
    S16,
    S32,
    S64,
    F16,
    Bf16,
    F16x2,
    Bf16x2,
    F32,
    F64,
}

use AtomicType::*;

#[rustfmt::skip]
static TYPES: [(AtomicType, &str, TypeClass, u8); 19] = [
    (B8, "b8", Bits, 1), (B16, "b16", Bits, 2), (B32, "b32", Bits, 4), (B64, "b64", Bits, 8),
    (B128, "b128", Bits, 16),
    (U8, "u8", Unsigned, 1), (U16, "u16", Unsigned, 2), (U32, "u32", Unsigned, 4),
    (U64, "u64", Unsigned, 8),
    (S8, "s8", Signed, 1), (S16, "s16", Signed, 2), (S32, "s32", Signed, 4),
    (S64, "s64", Signed, 8),
    (F16, "f16", Float, 2), (Bf16, "bf16", Float, 2), (F16x2, "f16x2", Float, 4),
    (Bf16x2, "bf16x2", Float, 4), (F32, "f32", Float, 4), (F64, "f64", Float, 8),
];

/// Byte sizes that an atomic access may have, as a bit set: 1, 2, 4, 8 and 16.
pub const SIZES: u32 = 0x10116;

/// Whether an atomic access of this many bytes exists; if not, the fault is `NV3767`.
pub fn is_atomic_size(bytes: u64) -> bool {
    bytes < 32 && SIZES & (1 << bytes) != 0
}

impl AtomicType {
    /// Every type.
    pub fn all() -> impl Iterator<Item = AtomicType> {
        TYPES.iter().map(|row| row.0)
    }

    /// The type of a class and a size in bytes: `u` and 4 is `.u32`.
    pub fn new(class: TypeClass, bytes: u64) -> Option<AtomicType> {
        let name = format!("{}{}", class.letter(), bytes.checked_mul(8)?);
        AtomicType::from_ptx(&name)
    }

    /// The type of a PTX word.
    pub fn from_ptx(token: &str) -> Option<AtomicType> {
        let row = TYPES.iter().find(|row| row.1 == token)?;
        Some(row.0)
    }

    /// The PTX word.
    pub fn ptx(self) -> &'static str {
        TYPES[self as usize].1
    }

    /// What the bits mean.
    pub fn class(self) -> TypeClass {
        TYPES[self as usize].2
    }

    /// The size in bytes.
    pub fn bytes(self) -> u8 {
        TYPES[self as usize].3
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_both_ways() {
        for (op, name) in PTX_NAMES {
            assert_eq!((AtomicOp::from_ptx(name), op.ptx()), (Some(op), Some(name)));
        }
        for (op, name) in EDG_NAMES {
            assert_eq!((AtomicOp::from_edg(name), op.edg()), (Some(op), Some(name)));
        }
        for (number, (op, class, name)) in LLVM_NAMES.into_iter().enumerate() {
            assert_eq!(AtomicOp::from_llvm(name), Some((op, class)));
            assert_eq!(op.llvm(class), Some(name));
            assert_eq!(AtomicOp::from_llvm_number(number as u64), Some((op, class)));
            assert_eq!(op.llvm_number(class), Some(number as u8));
        }
        assert_eq!(Add.llvm(Signed), Some("add"));
        assert_eq!(Xor.llvm(Float), None);
        assert_eq!(Cas.llvm(Bits), None);
        assert_eq!(AtomicOp::from_llvm_number(23), None);
        assert_eq!(AtomicOp::from_ptx("nand"), None);
    }

    #[test]
    fn opcodes_have_two_gaps() {
        let gaps: Vec<u8> = (0..=0x0E)
            .filter(|&n| AtomicOp::from_opcode(n).is_none())
            .collect();
        assert_eq!(gaps, [2, 4]);
        for (opcode, op, class) in OPCODES {
            assert_eq!(op.opcode(class), Some(opcode));
            if opcode <= 11 {
                assert_eq!(op.llvm_number(class), Some(opcode));
            }
        }
        assert_eq!(Add.opcode(Signed), Some(1));
        assert_eq!(Sub.opcode(Unsigned), None);
    }

    #[test]
    fn types() {
        for (i, ty) in AtomicType::all().enumerate() {
            assert_eq!(ty as usize, i);
            assert_eq!(AtomicType::from_ptx(ty.ptx()), Some(ty));
            assert!(is_atomic_size(ty.bytes().into()));
        }
        assert_eq!(AtomicType::new(Float, 4), Some(F32));
        assert_eq!(AtomicType::new(Unsigned, 16), None);
        let sizes: Vec<u64> = (0..100).filter(|&n| is_atomic_size(n)).collect();
        assert_eq!(sizes, [1, 2, 4, 8, 16]);
        for letter in ['b', 'u', 's', 'f'] {
            assert_eq!(TypeClass::from_letter(letter).unwrap().letter(), letter);
        }
    }
}
