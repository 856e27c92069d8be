//! How `atom` and `red` combine what is in memory with their operands.
//!
//! An update is a function of one element: of a packed type both halves at once. Sums of floats are
//! rounded to nearest even. Who computes depends on the memory: for shared memory the thread's
//! processor does, as any other sum ([`atomic`]); for global memory the cache does
//! ([`atomic_in_global`]), and it takes subnormal numbers of single precision for zeros and hands
//! NaNs of double precision on as they are.

use super::float::arithmetic;
use super::float::double;
use super::float::extremum::Extremum;
use super::float::format::{BF16, F16, F64, Format};
use super::float::round::Rounding;
use super::float::single::{self, RN};
use super::word::{Word, with_word};
use warpc_ptx::inst::Choice;
use warpc_ptx::types::ScalarType;

/// The new value of one element, from the old one and the operands `b` and `c` (of `cas`: what is
/// expected, and what to write).
pub type AtomicUpdate = fn(old: u64, b: u64, c: u64) -> u64;

/// How an `atom`, `red`, `red.async`, `multimem.red` or `cp.reduce.async.bulk` updates one element in
/// shared memory; `None` for elements of 128 bits, which have `exch` and `cas` only, and for what is
/// no atomic.
pub fn atomic(choice: &Choice) -> Option<AtomicUpdate> {
    let updates = match choice.form.form().opcode {
        "atom" | "red" => true,
        "multimem" => choice.has("red"),
        "cp" => choice.has("reduce") && !choice.has("tensor"),
        _ => false,
    };
    let names = ["op", "redOp", "add", "exch", "cas"];
    let operation = names.iter().find_map(|name| choice.token(name))?;
    updates.then(|| update(operation, type_of(choice)?))?
}

/// As [`atomic`], in global memory: without `.noftz`, subnormal numbers of single precision, read or
/// made, become zeros of their sign. NaNs of double precision come out as they went in, `b` before
/// what was there.
pub fn atomic_in_global(choice: &Choice) -> Option<AtomicUpdate> {
    let update = atomic(choice)?;
    // Sums are the only operation on these types.
    Some(match type_of(choice) {
        Some(ScalarType::F32) if !choice.has("noftz") => {
            |old, b, _| single::add::<RN, true, false>(old, b)
        }
        Some(ScalarType::F64) => |old, b, _| match (F64.is_nan(b), F64.is_nan(old)) {
            (true, _) => b,
            (_, true) => old,
            _ => double::add::<RN>(old, b),
        },
        _ => update,
    })
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
    Some(match (operation, ty) {
        (".add", ScalarType::F32) => |old, b, _| single::add::<RN, false, false>(old, b),
        // The addend is the first source: of two NaNs the second comes out.
        (".add", ScalarType::F64) => |old, b, _| double::add::<RN>(b, old),
        (".add", ScalarType::F16) => |old, b, _| add(&F16, old & 0xffff, b & 0xffff),
        (".min", ScalarType::F16) => |old, b, _| least(&F16, old, b),
        (".max", ScalarType::F16) => |old, b, _| greatest(&F16, old, b),
        (".add", ScalarType::Bf16) => |old, b, _| add(&BF16, old & 0xffff, b & 0xffff),
        (".min", ScalarType::Bf16) => |old, b, _| least(&BF16, old, b),
        (".max", ScalarType::Bf16) => |old, b, _| greatest(&BF16, old, b),
        (".add", ScalarType::F16x2) => |old, b, _| halves(old, b, |x, y| add(&F16, x, y)),
        (".min", ScalarType::F16x2) => |old, b, _| halves(old, b, |x, y| least(&F16, x, y)),
        (".max", ScalarType::F16x2) => |old, b, _| halves(old, b, |x, y| greatest(&F16, x, y)),
        (".add", ScalarType::Bf16x2) => |old, b, _| halves(old, b, |x, y| add(&BF16, x, y)),
        (".min", ScalarType::Bf16x2) => |old, b, _| halves(old, b, |x, y| least(&BF16, x, y)),
        (".max", ScalarType::Bf16x2) => |old, b, _| halves(old, b, |x, y| greatest(&BF16, x, y)),
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

/// A sum in a format of 16 bits.
fn add(format: &Format, a: u64, b: u64) -> u64 {
    let nearest = Rounding::Nearest;
    arithmetic::add(format.unpack(a), format.unpack(b), nearest).pack(format, nearest)
}

/// The lesser one; a NaN only if both are.
fn least(format: &Format, a: u64, b: u64) -> u64 {
    Extremum::default().of_two(format, a, b)
}

/// The greater one; a NaN only if both are.
fn greatest(format: &Format, a: u64, b: u64) -> u64 {
    let max = Extremum {
        max: true,
        ..Extremum::default()
    };
    max.of_two(format, a, b)
}

/// Applies a function to both halves of a word.
fn halves(a: u64, b: u64, half: impl Fn(u64, u64) -> u64) -> u64 {
    half(a >> 16 & 0xffff, b >> 16 & 0xffff) << 16 | half(a & 0xffff, b & 0xffff)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk::{choice, choices_of, forms_of_section, text_of};

    fn update(text: &str, old: u64, b: u64, c: u64) -> u64 {
        atomic(&choice(text)).expect("an atomic")(old, b, c)
    }

    #[test]
    fn every_atomic_is_known() {
        let mut seen = std::collections::HashSet::new();
        for choice in forms_of_section("atomic").into_iter().flat_map(choices_of) {
            let wide = choice.has("b128");
            assert_eq!(atomic(&choice).is_none(), wide, "{}", text_of(&choice));
            assert_eq!(atomic_in_global(&choice).is_none(), wide);
            let operation = choice.token("op").or(choice.token("add"));
            seen.insert((operation, type_of(&choice)));
        }
        assert!(seen.len() > 25, "{seen:?}");
        let reductions = ["multimem", "async_copy", "bulk_copy"];
        for form in reductions.into_iter().flat_map(forms_of_section) {
            for choice in choices_of(form) {
                let reduces = ["red", "reduce"].iter().any(|name| choice.has(name))
                    || form.form().opcode == "red";
                assert_eq!(atomic(&choice).is_some(), reduces, "{}", text_of(&choice));
            }
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
        assert_eq!(
            update("atom.add.f32", 0x7f80_0000, 0xff80_0000, 0),
            0x7fff_ffff
        );
        assert_eq!(update("atom.add.f32", 1, 1, 0), 2);
        let flushed = atomic_in_global(&choice("atom.add.f32")).expect("an atomic");
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
    fn nans_of_doubles_depend_on_the_memory() {
        let (old, b) = (0x7ff0_0000_0000_0001, 0xfff0_0000_0000_0002);
        let shared = |old, b| update("atom.shared.add.f64", old, b, 0);
        assert_eq!(shared(old, b), 0x7ff8_0000_0000_0001);
        assert_eq!(shared(0, b), 0xfff8_0000_0000_0002);
        let global = atomic_in_global(&choice("red.add.f64")).expect("an atomic");
        assert_eq!(global(old, b, 0), b);
        assert_eq!(global(old, 0, 0), old);
        let infinity = 0x7ff0_0000_0000_0000;
        let made = global(infinity, infinity | 1 << 63, 0);
        assert_eq!(made, 0xfff8_0000_0000_0000);
    }

    #[test]
    fn extremes_of_halves() {
        let name = "red.global.min.noftz.v2.f16";
        assert_eq!(update(name, 0x8000, 0, 0), 0x8000);
        assert_eq!(update(name, 0x7e00, 0x3c00, 0), 0x3c00);
        assert_eq!(update(name, 0x7e00, 0xfe01, 0), 0x7fff);
        let name = "atom.global.max.noftz.v2.bf16x2";
        assert_eq!(update(name, 0x8000_3f80, 0x0000_4000, 0), 0x4000);
    }
}
