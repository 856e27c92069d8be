//! How `atom` and `red` combine what is in memory with their operands.
//!
//! An update is a function of one element: of a packed type both halves at once. Sums of floats are
//! rounded to nearest even, and NaNs come out canonical. Subnormal numbers are kept
//! ([`atomic`]); what flushes them, as sums in single precision in global memory do, is
//! [`atomic_flushed`].

use super::float_compare::{Bf16, F16, Float};
use super::word::{Word, with_word};
use crate::inst::Choice;
use crate::types::ScalarType;

/// The new value of one element, from the old one and the operands `b` and `c` (of `cas`: what is
/// expected, and what to write).
pub type AtomicUpdate = fn(old: u64, b: u64, c: u64) -> u64;

/// How an `atom`, `red` or `multimem.red` updates one element; `None` for elements of 128 bits,
/// which have `exch` and `cas` only, and for what is no atomic.
pub fn atomic(choice: &Choice) -> Option<AtomicUpdate> {
    let form = choice.form.form();
    if !(matches!(form.opcode, "atom" | "red") || form.opcode == "multimem" && choice.has("red")) {
        return None;
    }
    let operation = choice.token("op").or_else(|| {
        let names = ["add", "exch", "cas"];
        names.iter().find_map(|name| choice.token(name))
    })?;
    update(operation, type_of(choice)?)
}

/// As [`atomic`], but subnormal numbers in single precision, read or made, become zeros of their
/// sign: so do sums in global memory that do not say `.noftz`.
pub fn atomic_flushed(choice: &Choice) -> Option<AtomicUpdate> {
    let plain = atomic(choice)?;
    let flushed = type_of(choice) == Some(ScalarType::F32) && !choice.has("noftz");
    Some(if flushed { add_f32_flushed } else { plain })
}

/// The type of an element: the last modifier that names one.
fn type_of(choice: &Choice) -> Option<ScalarType> {
    let slots = &choice.form.form().slots;
    slots
        .iter()
        .zip(&choice.values)
        .rev()
        .find_map(|(slot, &value)| slot.values.get(usize::from(value))?.ty)
}

fn update(operation: &str, ty: ScalarType) -> Option<AtomicUpdate> {
    use ScalarType::{Bf16 as B16, Bf16x2, F16 as H16, F16x2, F32, F64};
    Some(match (operation, ty) {
        (".add", F32) => |old, b, _| add_f32(old, b),
        (".add", F64) => |old, b, _| add_f64(old, b),
        (".add", H16) => |old, b, _| add_half::<HalfFormat>(old, b),
        (".add", B16) => |old, b, _| add_half::<BrainFormat>(old, b),
        (".add", F16x2) => |old, b, _| halves(old, b, add_half::<HalfFormat>),
        (".add", Bf16x2) => |old, b, _| halves(old, b, add_half::<BrainFormat>),
        (".min", H16) => |old, b, _| least::<HalfFormat>(old, b),
        (".min", B16) => |old, b, _| least::<BrainFormat>(old, b),
        (".min", F16x2) => |old, b, _| halves(old, b, least::<HalfFormat>),
        (".min", Bf16x2) => |old, b, _| halves(old, b, least::<BrainFormat>),
        (".max", H16) => |old, b, _| greatest::<HalfFormat>(old, b),
        (".max", B16) => |old, b, _| greatest::<BrainFormat>(old, b),
        (".max", F16x2) => |old, b, _| halves(old, b, greatest::<HalfFormat>),
        (".max", Bf16x2) => |old, b, _| halves(old, b, greatest::<BrainFormat>),
        _ => with_word!(ty, T => of_integers::<T>(operation))??,
    })
}

fn of_integers<T: Word>(operation: &str) -> Option<AtomicUpdate> {
    Some(match operation {
        ".add" => |old, b, _| T::cut(T::read(old) + T::read(b)),
        ".min" => |old, b, _| T::cut(T::read(old).min(T::read(b))),
        ".max" => |old, b, _| T::cut(T::read(old).max(T::read(b))),
        // Counts up to `b` and begins again, or down from it.
        ".inc" => |old, b, _| match T::read(old) {
            old if old >= T::read(b) => 0,
            old => T::cut(old + 1),
        },
        ".dec" => |old, b, _| match T::read(old) {
            old if old == 0 || old > T::read(b) => T::cut(T::read(b)),
            old => T::cut(old - 1),
        },
        ".and" => |old, b, _| T::cut(T::read(old) & T::read(b)),
        ".or" => |old, b, _| T::cut(T::read(old) | T::read(b)),
        ".xor" => |old, b, _| T::cut(T::read(old) ^ T::read(b)),
        ".exch" => |_, b, _| T::cut(T::read(b)),
        ".cas" => |old, b, c| T::cut(T::read(if T::read(old) == T::read(b) { c } else { old })),
        _ => return None,
    })
}

const NAN_F32: u64 = 0x7fff_ffff;

fn add_f32(a: u64, b: u64) -> u64 {
    let sum = f32::from_bits(a as u32) + f32::from_bits(b as u32);
    if sum.is_nan() {
        NAN_F32
    } else {
        u64::from(sum.to_bits())
    }
}

fn add_f32_flushed(a: u64, b: u64, _: u64) -> u64 {
    let flush = |bits: u64| match bits & 0x7f80_0000 {
        0 => bits & 0x8000_0000,
        _ => bits,
    };
    flush(add_f32(flush(a), flush(b)))
}

fn add_f64(a: u64, b: u64) -> u64 {
    let sum = f64::from_bits(a) + f64::from_bits(b);
    if sum.is_nan() {
        0xfff8_0000_0000_0000
    } else {
        sum.to_bits()
    }
}

/// A format of 16 bits.
trait Narrow: Float {
    /// How many bits of a number are stored behind the first.
    const FRACTION: u32;
    /// The exponent of the least normal number.
    const LEAST: i32;
    /// The bits of infinity.
    const INFINITY: u64;
}

enum HalfFormat {}
enum BrainFormat {}

impl Float for HalfFormat {
    fn read(bits: u64) -> f64 {
        F16::read(bits)
    }
}

impl Narrow for HalfFormat {
    const FRACTION: u32 = 10;
    const LEAST: i32 = -14;
    const INFINITY: u64 = 0x7c00;
}

impl Float for BrainFormat {
    fn read(bits: u64) -> f64 {
        Bf16::read(bits)
    }
}

impl Narrow for BrainFormat {
    const FRACTION: u32 = 7;
    const LEAST: i32 = -126;
    const INFINITY: u64 = 0x7f80;
}

const NAN_16: u64 = 0x7fff;

/// Applies a function to both halves of a word.
fn halves(a: u64, b: u64, half: fn(u64, u64) -> u64) -> u64 {
    half(a >> 16, b >> 16) << 16 | half(a, b)
}

fn add_half<F: Narrow>(a: u64, b: u64) -> u64 {
    let (a, b) = (F::read(a), F::read(b));
    let sum = a + b;
    if sum.is_nan() {
        return NAN_16;
    }
    // What the sum lost; the one bit behind it that decides a later rounding.
    let part = sum - a;
    let lost = (a - (sum - part)) + (b - part);
    round::<F>(sum, lost)
}

/// A number in a narrow format, rounded to nearest even; `lost` says on which side of the number
/// the true value lies.
fn round<F: Narrow>(value: f64, lost: f64) -> u64 {
    let sign = value.to_bits() >> 48 & 0x8000;
    let value_abs = value.abs();
    if value_abs.is_infinite() {
        return sign | F::INFINITY;
    }
    let exponent = match value_abs.to_bits() >> 52 {
        0 => F::LEAST,
        biased => (biased as i32 - 1023).max(F::LEAST),
    };
    // In units of the last place the number is small enough to be an exact integer and a half.
    let scaled = value_abs * 2_f64.powi(F::FRACTION as i32 - exponent);
    let mut units = scaled.floor();
    let rest = scaled - units;
    let beyond = if value < 0.0 { -lost } else { lost };
    let up = match rest.partial_cmp(&0.5) {
        Some(std::cmp::Ordering::Greater) => true,
        Some(std::cmp::Ordering::Equal) => beyond > 0.0 || beyond == 0.0 && units % 2.0 == 1.0,
        _ => false,
    };
    units += f64::from(u8::from(up));
    // A carry out of the fraction goes into the exponent, and so on to infinity.
    let biased = (exponent - F::LEAST) as u64;
    sign | ((biased << F::FRACTION) + units as u64).min(F::INFINITY)
}

/// The lesser number; a NaN only if both are. -0 is less than +0.
fn least<F: Narrow>(a: u64, b: u64) -> u64 {
    let (x, y) = (F::read(a), F::read(b));
    let first = match (x.is_nan(), y.is_nan()) {
        (true, true) => return NAN_16,
        (nan, false) if nan => false,
        (_, true) => true,
        _ => x.total_cmp(&y).is_le(),
    };
    if first { a & 0xffff } else { b & 0xffff }
}

fn greatest<F: Narrow>(a: u64, b: u64) -> u64 {
    let (x, y) = (F::read(a), F::read(b));
    let first = match (x.is_nan(), y.is_nan()) {
        (true, true) => return NAN_16,
        (nan, false) if nan => false,
        (_, true) => true,
        _ => x.total_cmp(&y).is_ge(),
    };
    if first { a & 0xffff } else { b & 0xffff }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::walk::{choice, choices_of, forms_of_section, text_of};

    fn update(text: &str, old: u64, b: u64, c: u64) -> u64 {
        atomic(&choice(text)).expect("an atomic")(old, b, c)
    }

    #[test]
    fn every_atomic_is_known() {
        let mut seen = std::collections::HashSet::new();
        for choice in forms_of_section("atomic").into_iter().flat_map(choices_of) {
            let wide = choice.has("b128");
            assert_eq!(atomic(&choice).is_none(), wide, "{}", text_of(&choice));
            assert_eq!(atomic_flushed(&choice).is_none(), wide);
            let operation = choice.token("op").or(choice.token("add"));
            seen.insert((operation, type_of(&choice)));
        }
        assert!(seen.len() > 25, "{seen:?}");
        for choice in forms_of_section("multimem")
            .into_iter()
            .flat_map(choices_of)
        {
            assert_eq!(
                atomic(&choice).is_some(),
                choice.has("red"),
                "{}",
                text_of(&choice)
            );
        }
    }

    #[test]
    fn integers() {
        assert_eq!(update("atom.add.u32", 0xffff_ffff, 2, 0), 1);
        assert_eq!(update("atom.min.s32", 0xffff_ffff, 2, 0), u64::MAX);
        assert_eq!(update("red.max.u64", u64::MAX, 2, 0), u64::MAX);
        assert_eq!(update("atom.inc.u32", 4, 4, 0), 0);
        assert_eq!(update("atom.inc.u32", 3, 4, 0), 4);
        assert_eq!(update("atom.dec.u32", 0, 4, 0), 4);
        assert_eq!(update("atom.dec.u32", 5, 4, 0), 4);
        assert_eq!(update("atom.dec.u32", 4, 4, 0), 3);
        assert_eq!(update("atom.cas.b16", 0x1_0005, 5, 9), 9);
        assert_eq!(update("atom.cas.b64", 4, 5, 9), 4);
        assert_eq!(update("atom.exch.b32", 4, 5, 0), 5);
        assert_eq!(update("red.xor.b64", 6, 5, 0), 3);
    }

    #[test]
    fn sums_of_floats() {
        assert_eq!(
            update("atom.add.f32", 0x3f80_0000, 0x3f80_0000, 0),
            0x4000_0000
        );
        assert_eq!(update("atom.add.f32", 0x7f80_0000, 0xff80_0000, 0), NAN_F32);
        assert_eq!(update("atom.add.f32", 1, 1, 0), 2);
        let flushed = atomic_flushed(&choice("atom.add.f32")).expect("an atomic");
        assert_eq!(flushed(1, 0x8000_0001, 0), 0);
        assert_eq!(flushed(0x8000_0001, 0x8000_0001, 0), 0x8000_0000);
        assert_eq!(update("atom.add.f64", 0, 1 << 63, 0), 0);
        assert_eq!(update("atom.add.noftz.f16", 0x3c00, 0x1000, 0), 0x3c00);
        assert_eq!(update("atom.add.noftz.f16", 0x3c01, 0x1000, 0), 0x3c02);
        assert_eq!(update("atom.add.noftz.f16", 0x7bff, 0x7bff, 0), 0x7c00);
        assert_eq!(update("atom.add.noftz.f16", 0x0001, 0x83ff, 0), 0x83fe);
        assert_eq!(
            update("atom.add.noftz.f16x2", 0x3c00_7c00, 0x3c00_fc00, 0),
            0x4000_7fff
        );
        // A half and a little more: the little decides, however small.
        assert_eq!(update("atom.add.noftz.bf16", 0x4380, 0x3f80, 0), 0x4380);
        assert_eq!(update("atom.add.noftz.bf16", 0x4380, 0x3f81, 0), 0x4381);
        assert_eq!(update("atom.add.noftz.bf16", 0x7f7f, 0x0001, 0), 0x7f7f);
    }

    #[test]
    fn extremes_of_halves() {
        let name = "red.global.min.noftz.v2.f16";
        assert_eq!(update(name, 0x8000, 0, 0), 0x8000);
        assert_eq!(update(name, 0x7e00, 0x3c00, 0), 0x3c00);
        assert_eq!(update(name, 0x7e00, 0xfe01, 0), NAN_16);
        let name = "atom.global.max.noftz.v2.bf16x2";
        assert_eq!(update(name, 0x8000_3f80, 0x0000_4000, 0), 0x4000);
    }
}
