//! Comparison and selection: set, setp, selp, slct.
//!
//! A comparison is a pair of types and an operator; every form is made of it:
//!
//! ```text
//!   t = a CmpOp b        setp   p = t BoolOp c,  q = !t BoolOp c
//!                        set    all ones or 1.0 of the result's type, if t BoolOp c
//! ```

use super::float_compare::{self, Float};
use super::word::{Word, with_word};
use super::{Operation, View};
use warpc_ptx::inst::Choice;
use warpc_ptx::types::ScalarType;

pub(super) fn find(view: &View<'_>) -> Option<Operation> {
    match view.opcode() {
        "set" => set(view),
        "setp" => setp(view),
        "selp" => {
            let ty = plain(view.type_of("a")?);
            with_word!(ty, T => Operation::three(select::<T>))
        }
        "slct" => slct(view),
        _ => None,
    }
}

/// A comparison of two values: 0 or 1.
pub type Comparison = fn(u64, u64) -> u64;

/// What the comparison operator of a `set` or `setp` says about two values, before it is combined
/// with a predicate; `None` for packed types and other instructions. `setp` without `.BoolOp` gives
/// this and its contrary.
pub fn comparison(choice: &Choice) -> Option<Comparison> {
    let view = View {
        choice,
        operands: &[],
    };
    matches!(view.opcode(), "set" | "setp").then(|| operator(&view, view.type_of("a")?))?
}

/// The comparison of two values of a type.
pub(super) fn operator(view: &View<'_>, ty: ScalarType) -> Option<Comparison> {
    let operator = view.choice.token("CmpOp")?;
    let ftz = view.choice.has("ftz");
    match (ty, ftz) {
        (ScalarType::F16, false) => float_compare::operator::<float_compare::F16>(operator),
        (ScalarType::F16, true) => float_compare::operator::<float_compare::F16Flushed>(operator),
        (ScalarType::Bf16, _) => float_compare::operator::<float_compare::Bf16>(operator),
        (ScalarType::F32, false) => float_compare::operator::<float_compare::F32>(operator),
        (ScalarType::F32, true) => float_compare::operator::<float_compare::F32Flushed>(operator),
        (ScalarType::F64, _) => float_compare::operator::<float_compare::F64>(operator),
        _ => with_word!(ty, T => of_integers::<T>(operator))?,
    }
}

/// `lo ls hi hs` are names that unsigned integers alone have.
fn of_integers<T: Word>(operator: &str) -> Option<Comparison> {
    Some(match operator {
        ".eq" => |a, b| u64::from(T::read(a) == T::read(b)),
        ".ne" => |a, b| u64::from(T::read(a) != T::read(b)),
        ".lt" | ".lo" => |a, b| u64::from(T::read(a) < T::read(b)),
        ".le" | ".ls" => |a, b| u64::from(T::read(a) <= T::read(b)),
        ".gt" | ".hi" => |a, b| u64::from(T::read(a) > T::read(b)),
        ".ge" | ".hs" => |a, b| u64::from(T::read(a) >= T::read(b)),
        _ => return None,
    })
}

/// Combines an answer with a predicate.
pub(super) type Combine = fn(u64, u64) -> u64;

/// What `.BoolOp` does; `None` if there is none.
pub(super) fn combine(view: &View<'_>) -> Option<Combine> {
    view.choice.token("BoolOp").map(|operator| -> Combine {
        match operator {
            ".and" => |t, c| t & c & 1,
            ".or" => |t, c| t | c & 1,
            _ => |t, c| t ^ c & 1,
        }
    })
}

fn setp(view: &View<'_>) -> Option<Operation> {
    let ty = view.type_of("a")?;
    let combine = combine(view);
    let compare = operator(view, ty)?;
    // A comparison of single halves has no second predicate.
    let second = view.type_of("q").is_some();
    Some(match (combine, second) {
        (None, false) => Operation::two(compare),
        (None, true) => Operation::general(2, 2, move |s, r| {
            r[0] = compare(s[0], s[1]);
            r[1] = r[0] ^ 1;
        }),
        (Some(combine), _) => Operation::general(3, 1 + usize::from(second), move |s, r| {
            let answer = compare(s[0], s[1]);
            r[0] = combine(answer, s[2]);
            if second {
                r[1] = combine(answer ^ 1, s[2]);
            }
        }),
    })
}

fn set(view: &View<'_>) -> Option<Operation> {
    let (from, to) = (view.type_of("a")?, view.type_of("d")?);
    let combine = combine(view);
    let sources = 2 + usize::from(combine.is_some());
    let compare = operator(view, from)?;
    let truth = truth(to)?;
    Some(Operation::general(sources, 1, move |s, r| {
        let answer = compare(s[0], s[1]);
        r[0] = truth * combine.map_or(answer, |combine| combine(answer, s[2]));
    }))
}

/// What `set` gives for "true": all ones, or 1.0.
pub(super) fn truth(ty: ScalarType) -> Option<u64> {
    Some(match ty {
        ScalarType::F16 => 0x3c00,
        ScalarType::Bf16 => 0x3f80,
        ScalarType::F32 => 0x3f80_0000,
        _ => with_word!(ty, T => T::cut(-1))?,
    })
}

/// The type of the same size without a meaning, unless it is signed.
fn plain(ty: ScalarType) -> ScalarType {
    match ty {
        ScalarType::F32 => ScalarType::B32,
        ScalarType::F64 => ScalarType::B64,
        _ => ty,
    }
}

#[inline]
fn select<T: Word>(a: u64, b: u64, c: u64) -> u64 {
    T::cut(T::read(if c & 1 == 1 { a } else { b }))
}

fn slct(view: &View<'_>) -> Option<Operation> {
    let ty = plain(view.type_of("a")?);
    match (view.type_of("c")?, view.choice.has("ftz")) {
        (ScalarType::S32, _) => with_word!(ty, T => Operation::three(|a, b, c| {
            select::<T>(a, b, u64::from(i32::read(c) >= 0))
        })),
        (_, false) => with_word!(ty, T => Operation::three(|a, b, c| {
            select::<T>(a, b, u64::from(float_compare::F32::read(c) >= 0.0))
        })),
        (_, true) => with_word!(ty, T => Operation::three(|a, b, c| {
            select::<T>(a, b, u64::from(float_compare::F32Flushed::read(c) >= 0.0))
        })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk::{choice, compute};

    const NAN: u64 = 0x7fc0_0000;
    const ONE: u64 = 0x3f80_0000;

    #[test]
    fn integers() {
        assert_eq!(compute("setp.lt.s32", &[0xffff_ffff, 0]), [1, 0]);
        assert_eq!(compute("setp.lt.u32", &[0xffff_ffff, 0]), [0, 1]);
        assert_eq!(compute("setp.hs.u16", &[0x1_0000, 0]), [1, 0]);
        assert_eq!(compute("setp.eq.and.b64", &[1, 1, 0]), [0, 0]);
        assert_eq!(compute("setp.ne.or.s16", &[1, 1, 1]), [1, 1]);
        assert_eq!(compute("setp.ne.xor.s16", &[1, 1, 1]), [1, 0]);
        assert_eq!(compute("set.le.u32.s64", &[u64::MAX, 0]), [0xffff_ffff]);
        assert_eq!(compute("set.le.s32.s64", &[u64::MAX, 0]), [u64::MAX]);
        assert_eq!(compute("set.hi.and.f32.u32", &[2, 1, 1]), [ONE]);
        assert_eq!(compute("set.hi.and.f32.u32", &[2, 1, 0]), [0]);
    }

    #[test]
    fn unordered_numbers() {
        for (operator, answer) in [
            ("eq", 0),
            ("ne", 0),
            ("lt", 0),
            ("ge", 0),
            ("equ", 1),
            ("neu", 1),
            ("ltu", 1),
            ("geu", 1),
            ("num", 0),
            ("nan", 1),
        ] {
            let name = format!("setp.{operator}.f32");
            assert_eq!(compute(&name, &[NAN, ONE]), [answer, answer ^ 1], "{name}");
            assert_eq!(compute(&name, &[ONE, NAN]), [answer, answer ^ 1], "{name}");
        }
        assert_eq!(compute("setp.num.f64", &[0, 1 << 63]), [1, 0]);
        assert_eq!(compute("setp.equ.f64", &[0, 1 << 63]), [1, 0]);
    }

    #[test]
    fn subnormals_are_numbers_unless_flushed() {
        assert_eq!(compute("setp.lt.f32", &[0, 1]), [1, 0]);
        assert_eq!(compute("setp.lt.ftz.f32", &[0, 1]), [0, 1]);
        assert_eq!(compute("setp.lt.f16", &[0, 1]), [1]);
        assert_eq!(compute("setp.eq.ftz.f16", &[0, 0x8001]), [1]);
        assert_eq!(compute("setp.lt.bf16", &[0, 1]), [1]);
    }

    #[test]
    fn selection() {
        assert_eq!(compute("selp.s16", &[0xffff, 2, 1]), [u64::MAX]);
        assert_eq!(compute("selp.f64", &[1, 2, 0]), [2]);
        assert_eq!(compute("slct.u32.s32", &[1, 2, 0x8000_0000]), [2]);
        // -0.0 is no less than zero; a NaN compares with nothing.
        assert_eq!(compute("slct.u32.f32", &[1, 2, 0x8000_0000]), [1]);
        assert_eq!(compute("slct.u32.f32", &[1, 2, NAN]), [2]);
        assert_eq!(compute("slct.u32.f32", &[1, 2, 0x8000_0001]), [2]);
        assert_eq!(compute("slct.ftz.u32.f32", &[1, 2, 0x8000_0001]), [1]);
    }

    #[test]
    fn the_bare_comparison() {
        let less = comparison(&choice("setp.lt.and.s32")).expect("a comparison");
        assert_eq!(less(0xffff_ffff, 0), 1);
        assert!(comparison(&choice("setp.lt.f16x2")).is_none());
        assert!(comparison(&choice("selp.s32")).is_none());
    }
}
