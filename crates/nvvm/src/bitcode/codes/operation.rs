//! Opcodes, predicates, orders and flags of instructions and constant expressions.

use crate::inst::{BinaryOp, CastOp, FcmpPredicate, Flags, IcmpPredicate, Ordering, RmwOp};

/// Defines a table between numbers and values, and the functions that look it up.
macro_rules! numbers {
    ($($(#[$doc:meta])* $table:ident $number_of:ident $of_number:ident : $ty:ty { $($number:literal $value:expr,)* })*) => {$(
        $(#[$doc])*
        pub(crate) const $table: &[(u64, $ty)] = &[$(($number, $value),)*];

        /// The number of a value.
        pub(crate) fn $number_of(value: $ty) -> Option<u64> {
            $table.iter().find(|row| row.1 == value).map(|row| row.0)
        }

        /// The value of a number.
        pub(crate) fn $of_number(number: u64) -> Option<$ty> {
            $table.iter().find(|row| row.0 == number).map(|row| row.1)
        }
    )*};
}
pub(super) use numbers;

numbers! {
    /// Conversions.
    CASTS cast_number cast_of: CastOp {
        0 CastOp::Trunc, 1 CastOp::Zext, 2 CastOp::Sext, 3 CastOp::Fptoui, 4 CastOp::Fptosi, 5 CastOp::Uitofp,
        6 CastOp::Sitofp, 7 CastOp::Fptrunc, 8 CastOp::Fpext, 9 CastOp::Ptrtoint, 10 CastOp::Inttoptr,
        11 CastOp::Bitcast, 12 CastOp::Addrspacecast, 13 CastOp::Ptrtoaddr,
    }
    /// What `atomicrmw` does.
    RMW_OPERATIONS rmw_number rmw_of: RmwOp {
        0 RmwOp::Xchg, 1 RmwOp::Add, 2 RmwOp::Sub, 3 RmwOp::And, 4 RmwOp::Nand, 5 RmwOp::Or, 6 RmwOp::Xor,
        7 RmwOp::Max, 8 RmwOp::Min, 9 RmwOp::Umax, 10 RmwOp::Umin, 11 RmwOp::Fadd, 12 RmwOp::Fsub, 13 RmwOp::Fmax,
        14 RmwOp::Fmin, 15 RmwOp::UincWrap, 16 RmwOp::UdecWrap, 17 RmwOp::UsubCond, 18 RmwOp::UsubSat,
        19 RmwOp::Fmaximum, 20 RmwOp::Fminimum, 21 RmwOp::Fmaximumnum, 22 RmwOp::Fminimumnum,
    }
    /// Comparisons of floating-point numbers.
    FCMP_PREDICATES fcmp_number fcmp_of: FcmpPredicate {
        0 FcmpPredicate::False, 1 FcmpPredicate::Oeq, 2 FcmpPredicate::Ogt, 3 FcmpPredicate::Oge,
        4 FcmpPredicate::Olt, 5 FcmpPredicate::Ole, 6 FcmpPredicate::One, 7 FcmpPredicate::Ord,
        8 FcmpPredicate::Uno, 9 FcmpPredicate::Ueq, 10 FcmpPredicate::Ugt, 11 FcmpPredicate::Uge,
        12 FcmpPredicate::Ult, 13 FcmpPredicate::Ule, 14 FcmpPredicate::Une, 15 FcmpPredicate::True,
    }
    /// Comparisons of integers and pointers.
    ICMP_PREDICATES icmp_number icmp_of: IcmpPredicate {
        32 IcmpPredicate::Eq, 33 IcmpPredicate::Ne, 34 IcmpPredicate::Ugt, 35 IcmpPredicate::Uge,
        36 IcmpPredicate::Ult, 37 IcmpPredicate::Ule, 38 IcmpPredicate::Sgt, 39 IcmpPredicate::Sge,
        40 IcmpPredicate::Slt, 41 IcmpPredicate::Sle,
    }
    /// Memory orders. (`Ordering::Consume` has none: it is read and written as an acquire.)
    ORDERINGS ordering_number ordering_of: Ordering {
        0 Ordering::Weak, 1 Ordering::Unordered, 2 Ordering::Relaxed, 3 Ordering::Acquire, 4 Ordering::Release,
        5 Ordering::AcqRel, 6 Ordering::SeqCst,
    }
}

/// Operations on two values: the number, the operation on integers, and that on floating-point numbers.
pub(crate) const BINARY_OPERATIONS: &[(u64, BinaryOp, Option<BinaryOp>)] = &[
    (0, BinaryOp::Add, Some(BinaryOp::Fadd)),
    (1, BinaryOp::Sub, Some(BinaryOp::Fsub)),
    (2, BinaryOp::Mul, Some(BinaryOp::Fmul)),
    (3, BinaryOp::Udiv, None),
    (4, BinaryOp::Sdiv, Some(BinaryOp::Fdiv)),
    (5, BinaryOp::Urem, None),
    (6, BinaryOp::Srem, Some(BinaryOp::Frem)),
    (7, BinaryOp::Shl, None),
    (8, BinaryOp::Lshr, None),
    (9, BinaryOp::Ashr, None),
    (10, BinaryOp::And, None),
    (11, BinaryOp::Or, None),
    (12, BinaryOp::Xor, None),
];

/// The number of an operation on two values.
pub(crate) fn binary_number(op: BinaryOp) -> Option<u64> {
    let row = BINARY_OPERATIONS
        .iter()
        .find(|row| row.1 == op || row.2 == Some(op))?;
    Some(row.0)
}

/// The operation on two values of a number, on floating-point numbers or integers.
pub(crate) fn binary_of(number: u64, float: bool) -> Option<BinaryOp> {
    let row = BINARY_OPERATIONS.iter().find(|row| row.0 == number)?;
    match float {
        true => row.2,
        false => Some(row.1),
    }
}

/// The only operation on one value: `fneg`.
pub(crate) const FNEG: u64 = 0;

/// Flags of `add`, `sub`, `mul`, `shl` and `trunc`.
pub(crate) const WRAP_FLAGS: &[(u64, Flags)] = &[(1, Flags::NUW), (2, Flags::NSW)];
/// Flags of divisions and right shifts.
pub(crate) const EXACT_FLAGS: &[(u64, Flags)] = &[(1, Flags::EXACT)];
/// Flags of `or`.
pub(crate) const DISJOINT_FLAGS: &[(u64, Flags)] = &[(1, Flags::DISJOINT)];
/// Flags of `zext` and `uitofp`.
pub(crate) const NNEG_FLAGS: &[(u64, Flags)] = &[(1, Flags::NNEG)];
/// Flags of `icmp`.
pub(crate) const ICMP_FLAGS: &[(u64, Flags)] = &[(1, Flags::SAMESIGN)];
/// Flags of `getelementptr`. (`nusw` follows from `inbounds` and is written with it.)
pub(crate) const GEP_FLAGS: &[(u64, Flags)] =
    &[(1, Flags::INBOUNDS), (2, Flags::NUSW), (4, Flags::NUW)];
/// Flags of operations on floating-point numbers. The first is LLVM 5's `fast` without `contract` and `afn`.
pub(crate) const FAST_MATH_FLAGS: &[(u64, Flags)] = &[
    (1 << 1, Flags::NNAN),
    (1 << 2, Flags::NINF),
    (1 << 3, Flags::NSZ),
    (1 << 4, Flags::ARCP),
    (1 << 5, Flags::CONTRACT),
    (1 << 6, Flags::AFN),
    (1 << 7, Flags::REASSOC),
];
/// LLVM 5's flag of unsafe algebra: all fast-math flags.
pub(crate) const UNSAFE_ALGEBRA: u64 = 1;

/// The bits that stand for flags.
pub(crate) fn bits_of(table: &[(u64, Flags)], flags: Flags) -> u64 {
    let rows = table.iter().filter(|row| flags.contains(row.1));
    rows.fold(0, |bits, row| bits | row.0)
}

/// The flags that bits stand for.
pub(crate) fn flags_of(table: &[(u64, Flags)], bits: u64) -> Flags {
    let rows = table.iter().filter(|row| bits & row.0 != 0);
    rows.fold(Flags::empty(), |flags, row| flags | row.1)
}

/// Which flags an operation on two values has.
pub(crate) fn binary_flags(op: BinaryOp) -> &'static [(u64, Flags)] {
    match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Shl => WRAP_FLAGS,
        BinaryOp::Udiv | BinaryOp::Sdiv | BinaryOp::Lshr | BinaryOp::Ashr => EXACT_FLAGS,
        BinaryOp::Or => DISJOINT_FLAGS,
        BinaryOp::Fadd | BinaryOp::Fsub | BinaryOp::Fmul | BinaryOp::Fdiv | BinaryOp::Frem => {
            FAST_MATH_FLAGS
        }
        _ => &[],
    }
}

/// Bits of the first number of a call.
pub(crate) mod call {
    /// `tail`
    pub(crate) const TAIL: u64 = 1;
    /// Where the calling convention starts.
    pub(crate) const CONVENTION_SHIFT: u32 = 1;
    /// The bits of the calling convention.
    pub(crate) const CONVENTION_MASK: u64 = 0x3FF;
    /// `musttail`
    pub(crate) const MUST_TAIL: u64 = 1 << 14;
    /// The function type is in the record.
    pub(crate) const EXPLICIT_TYPE: u64 = 1 << 15;
    /// `notail`
    pub(crate) const NO_TAIL: u64 = 1 << 16;
    /// Fast-math flags are in the record.
    pub(crate) const FAST_MATH: u64 = 1 << 17;
}

/// Bits of the first number of an `invoke` or `callbr`.
pub(crate) mod invoke {
    /// The function type is in the record.
    pub(crate) const EXPLICIT_TYPE: u64 = 1 << 13;
    /// The bits of the calling convention of `invoke`.
    pub(crate) const CONVENTION_MASK: u64 = 0x3FF;
    /// Where the calling convention of `callbr` starts.
    pub(crate) const CALLBR_CONVENTION_SHIFT: u32 = 1;
}

/// Bits of the last number of an `alloca`.
pub(crate) mod alloca {
    /// The low five bits of the alignment, as a logarithm plus one.
    pub(crate) const ALIGN_MASK: u64 = 0x1F;
    /// `inalloca`
    pub(crate) const IN_ALLOCA: u64 = 1 << 5;
    /// The record has the type that is allocated, not that of the pointer.
    pub(crate) const EXPLICIT_TYPE: u64 = 1 << 6;
    /// `swifterror`
    pub(crate) const SWIFT_ERROR: u64 = 1 << 7;
    /// Where the three high bits of the alignment are.
    pub(crate) const ALIGN_HIGH_SHIFT: u32 = 8;
}

/// Numbers of the synchronisation scopes that every module has; others follow in the order of the block of names.
pub(crate) mod scope {
    /// `syncscope("singlethread")`
    pub(crate) const SINGLE_THREAD: u64 = 0;
    /// Everybody.
    pub(crate) const SYSTEM: u64 = 1;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_has_one_number() {
        for &op in BinaryOp::ALL {
            let number = binary_number(op).expect("each has one");
            let float = op.keyword().starts_with('f');
            assert_eq!(binary_of(number, float), Some(op));
        }
        for &op in CastOp::ALL {
            assert_eq!(cast_number(op).and_then(cast_of), Some(op));
        }
        for &op in RmwOp::ALL {
            assert_eq!(rmw_number(op).and_then(rmw_of), Some(op));
        }
        for &predicate in IcmpPredicate::ALL {
            assert_eq!(icmp_number(predicate).and_then(icmp_of), Some(predicate));
        }
        for &predicate in FcmpPredicate::ALL {
            assert_eq!(fcmp_number(predicate).and_then(fcmp_of), Some(predicate));
        }
    }

    #[test]
    fn flags_are_bits() {
        let flags = Flags::NNAN | Flags::AFN;
        assert_eq!(bits_of(FAST_MATH_FLAGS, flags), 2 | 64);
        assert_eq!(flags_of(FAST_MATH_FLAGS, 2 | 64), flags);
    }
}
