//! Which register fits which type.
//!
//! The rules were read off ptxas 13.4 by trying every register type against every instruction type.
//! An operand's type is either the instruction's own (`add.u32`: all three operands) or fixed by
//! the instruction whatever its type (the amount of a shift). The two differ in one odd point:
//! `.f16x2` registers pass for 32-bit integers and predicates of the first kind.
//!
//! | type | registers of the same size that fit |
//! |---|---|
//! | `.pred` | `.pred` |
//! | `.uN`, `.sN` | `.b`, `.u`, `.s` |
//! | `.bN` | all |
//! | `.fN` | `.b`, `.f` |
//! | packed and narrow formats | `.b` (and `.f16x2` for the 16-bit pairs) |
//!
//! Loads, stores and conversions take wider registers, too.

use crate::row::Typing;
use crate::types::{Meaning, ScalarType};

/// Where an operand's type comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    /// It is the instruction's type.
    Instruction,
    /// The instruction fixes it.
    Fixed,
    /// It is a fragment of a matrix: none of the oddities of the other vectors.
    Fragment,
}

/// Whether a register of type `register` may stand for an operand of type `wanted`.
pub(super) fn fits(
    register: ScalarType,
    wanted: ScalarType,
    origin: Origin,
    typing: Typing,
) -> bool {
    match typing {
        Typing::Exact => fits_exactly(register, wanted, origin),
        Typing::Wider => fits_exactly(register, wanted, origin) || fits_wider(register, wanted),
    }
}

fn fits_exactly(register: ScalarType, wanted: ScalarType, origin: Origin) -> bool {
    let same_size = register.bits() == wanted.bits();
    let bits = register.meaning() == Meaning::Bits;
    match wanted.meaning() {
        Meaning::Predicate => {
            register == ScalarType::Pred
                || (origin == Origin::Instruction && register == ScalarType::F16x2)
        }
        Meaning::Unsigned | Meaning::Signed => {
            same_size
                && (bits
                    || register.is_integer()
                    || (origin == Origin::Instruction && register == ScalarType::F16x2))
        }
        Meaning::Bits => same_size && register != ScalarType::Pred,
        Meaning::Float => register == wanted || (same_size && bits),
        Meaning::Packed => {
            let pair = matches!(
                wanted,
                ScalarType::F16x2 | ScalarType::U16x2 | ScalarType::S16x2
            );
            (same_size && bits) || (pair && register == ScalarType::F16x2)
        }
        Meaning::Opaque => matches!(
            register,
            ScalarType::B64 | ScalarType::U64 | ScalarType::S64
        ),
    }
}

/// A register that is wider than the value.
fn fits_wider(register: ScalarType, wanted: ScalarType) -> bool {
    let wide = register.bits() >= wanted.bits() && register != ScalarType::Pred;
    let bits = register.meaning() == Meaning::Bits;
    match wanted.meaning() {
        Meaning::Bits if wanted == ScalarType::B128 => register == ScalarType::B128,
        Meaning::Bits => wide,
        Meaning::Unsigned | Meaning::Signed => {
            wide && (bits || register.is_integer() || register == ScalarType::F16x2)
        }
        Meaning::Float => wide && bits,
        // The result of `cvt.rn.f16x2.f32`; no other packed format lies in a wider register.
        Meaning::Packed if wanted == ScalarType::F16x2 => wide && bits,
        _ => false,
    }
}

/// The type of a vector of two such registers; `None` if they do not go together.
pub(super) fn join(a: ScalarType, b: ScalarType) -> Option<ScalarType> {
    if a == b {
        return Some(a);
    }
    if a.bits() != b.bits() {
        return None;
    }
    match (a.meaning(), b.meaning()) {
        (Meaning::Bits, _) => Some(a),
        (_, Meaning::Bits) => Some(b),
        _ if a.is_integer() && b.is_integer() => Some(bits_type(a)),
        _ => None,
    }
}

/// The `.b` type of the same size.
fn bits_type(ty: ScalarType) -> ScalarType {
    match ty.bits() {
        8 => ScalarType::B8,
        16 => ScalarType::B16,
        32 => ScalarType::B32,
        64 => ScalarType::B64,
        _ => ty,
    }
}

/// Whether a vector of such registers fits: floating-point vectors also take integers of the same
/// size, which scalars do not.
pub(super) fn vector_fits(
    elements: ScalarType,
    wanted: ScalarType,
    origin: Origin,
    typing: Typing,
) -> bool {
    if origin == Origin::Fragment {
        return fits(elements, wanted, origin, typing);
    }
    fits(elements, wanted, Origin::Instruction, typing)
        || (wanted.is_float() && elements.is_integer() && elements.bits() == wanted.bits())
}

/// The registers that fit a type, for messages.
pub(super) fn describe(wanted: ScalarType, typing: Typing) -> String {
    let bits = wanted.bits();
    let list = match wanted.meaning() {
        Meaning::Predicate => ".pred".to_owned(),
        Meaning::Unsigned | Meaning::Signed => format!(".b{bits}, .u{bits} or .s{bits}"),
        Meaning::Bits if bits == 128 => ".b128".to_owned(),
        Meaning::Bits if bits == 8 => ".b8, .u8 or .s8".to_owned(),
        Meaning::Bits => format!(".b{bits}, .u{bits}, .s{bits} or .f{bits}"),
        Meaning::Float => format!(".b{bits} or .f{bits}"),
        Meaning::Packed if wanted == ScalarType::F16x2 => ".b32 or .f16x2".to_owned(),
        Meaning::Packed => format!(".b{}", bits.max(8)),
        Meaning::Opaque => ".b64 or .u64".to_owned(),
    };
    let wider = typing == Typing::Wider
        && !matches!(wanted.meaning(), Meaning::Predicate | Meaning::Packed);
    format!("{list}{}", if wider { ", or wider" } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ScalarType::*;

    #[test]
    fn exact() {
        let ok = |r, t| fits(r, t, Origin::Instruction, Typing::Exact);
        assert!(ok(B32, U32) && ok(S32, U32) && ok(F16x2, U32) && !ok(F32, U32) && !ok(B64, U32));
        assert!(ok(F32, B32) && ok(B32, F32) && !ok(U32, F32));
        assert!(ok(B16, Bf16) && !ok(U16, Bf16) && !ok(F16, Bf16));
        assert!(!fits(F16x2, U32, Origin::Fixed, Typing::Exact));
    }

    #[test]
    fn wider() {
        let ok = |r, t| fits(r, t, Origin::Instruction, Typing::Wider);
        assert!(
            ok(B64, U8)
                && ok(F64, B16)
                && !ok(F64, U16)
                && ok(B64, F32)
                && !ok(F64, F32)
                && !ok(B16, U32)
        );
    }

    #[test]
    fn vectors() {
        assert_eq!(join(U32, S32), Some(B32));
        assert_eq!(join(F32, B32), Some(B32));
        assert_eq!(join(F32, U32), None);
        let ok = |r, t, origin| vector_fits(r, t, origin, Typing::Wider);
        assert!(ok(U32, F32, Origin::Instruction) && !ok(U16, F32, Origin::Instruction));
        assert!(!ok(U32, F32, Origin::Fragment) && ok(B32, F32, Origin::Fragment));
    }
}
