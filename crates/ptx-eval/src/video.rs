//! Video instructions: arithmetic on bytes and halves of 32-bit registers.
//!
//! ```text
//!   a.b1 ─ piece ─┐
//!                 ├─ operation ─ saturate ─┬─ .op2 with c ──► d
//!   b.h0 ─ piece ─┘                        └─ merge with c ─► d.dsel
//! ```
//!
//! The scalar instructions are here, those that work on all lanes of a word in [`lanes`].
//!
//! ptxas makes the scalar ones of plain instructions (for sm_90, and not always as the manual says).
//! What comes out is done so here:
//! - Saturation of a sum, difference or extreme to `.u32` cuts off what is negative, but wraps what
//!   is too large; to a piece of `d` it takes what is negative for too large, and the greatest value
//!   is that of the signed or unsigned piece. Shifts are saturated to 32 bits first, from 34.
//! - `.min` and `.max` compare 64 bits, with or without a sign as the result has it (`vset`: as `a`
//!   has it). Sums, differences and saturated shifts are cut to 32 bits before and extended by their
//!   sign, in `.u32`, too.
//! - `vmad` takes `a`, `b` and `c` for signed once they have 32 bits.

mod lanes;

use super::{Operation, View};
use warpc_ptx::inst::{Operand, Part, Sign};
use warpc_ptx::types::{Meaning, ScalarType};

pub(super) fn find(view: &View<'_>) -> Option<Operation> {
    match view.opcode() {
        "vadd" => scalar(view, Family::Sum, |a, b| a + b),
        "vsub" => scalar(view, Family::Sum, |a, b| a - b),
        "vabsdiff" => scalar(view, Family::Choice, |a, b| (a - b).abs()),
        "vmin" => scalar(view, Family::Choice, i64::min),
        "vmax" => scalar(view, Family::Choice, i64::max),
        "vset" => scalar(view, Family::Choice, comparison(view)?),
        "vshl" | "vshr" => shift(view),
        "vmad" => vmad(view),
        _ => lanes::find(view),
    }
}

/// A function of two numbers.
type Binary = fn(i64, i64) -> i64;

fn comparison(view: &View<'_>) -> Option<Binary> {
    Some(match view.choice.token("cmp")? {
        ".eq" => |a, b| i64::from(a == b),
        ".ne" => |a, b| i64::from(a != b),
        ".lt" => |a, b| i64::from(a < b),
        ".le" => |a, b| i64::from(a <= b),
        ".gt" => |a, b| i64::from(a > b),
        _ => |a, b| i64::from(a >= b),
    })
}

/// Some of the bits of a register, and what they mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Piece {
    first: u32,
    bits: u32,
    signed: bool,
}

impl Piece {
    fn read(self, word: u64) -> i64 {
        let top = word << (64 - self.bits - self.first);
        match self.signed {
            true => top as i64 >> (64 - self.bits),
            false => (top >> (64 - self.bits)) as i64,
        }
    }

    /// The word with the low bits of a number in this place.
    fn write(self, value: i64, word: u64) -> u64 {
        let mask = (u64::MAX >> (64 - self.bits)) << self.first;
        word & !mask | (value as u64) << self.first & mask
    }

    fn least(self) -> i64 {
        match self.signed {
            true => -1 << (self.bits - 1),
            false => 0,
        }
    }

    fn greatest(self) -> i64 {
        (1 << (self.bits - u32::from(self.signed))) - 1
    }

    fn saturate(self, value: i64) -> i64 {
        value.clamp(self.least(), self.greatest())
    }
}

/// The piece an operand names, with the meaning its type has.
fn piece(view: &View<'_>, name: &str) -> Option<Piece> {
    let (first, bits) = match part(view, name) {
        Part::Bytes(lanes) => (8 * u32::from(lanes.numbers().next()?), 8),
        Part::Halves(lanes) => (16 * u32::from(lanes.numbers().next()?), 16),
        _ => (0, 32),
    };
    (first + bits <= 32).then_some(Piece {
        first,
        bits,
        signed: view.type_of(name)?.meaning() == Meaning::Signed,
    })
}

/// What was given for an operand.
fn given<'a>(view: &View<'a>, name: &str) -> Option<&'a Operand> {
    let operands = &view.choice.form.form().operands;
    let index = operands.iter().position(|spec| spec.name == name)?;
    view.operands.get(index)?.as_ref()
}

fn part(view: &View<'_>, name: &str) -> Part {
    match given(view, name) {
        Some(Operand::Name { part, .. }) => *part,
        _ => Part::Whole,
    }
}

fn is_minus(view: &View<'_>, name: &str) -> bool {
    let minus = |operand: &Operand| {
        matches!(
            operand,
            Operand::Name {
                sign: Sign::Minus,
                ..
            }
        )
    };
    given(view, name).is_some_and(minus)
}

/// A 32-bit result as its type is extended.
fn extend(signed: bool, value: i64) -> u64 {
    match signed {
        true => value as i32 as u64,
        false => u64::from(value as u32),
    }
}

/// What an operation does with values that do not fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Family {
    /// `vadd` and `vsub`.
    Sum,
    /// `vshl` and `vshr`.
    Shift,
    /// Everything else.
    Choice,
}

fn scalar(view: &View<'_>, family: Family, operation: Binary) -> Option<Operation> {
    let (a, b) = (piece(view, "a")?, piece(view, "b")?);
    finish(view, family, move |s| operation(a.read(s[0]), b.read(s[1])))
}

fn shift(view: &View<'_>) -> Option<Operation> {
    let (a, b) = (piece(view, "a")?, piece(view, "b")?);
    let wrap = view.choice.token("mode")? == ".wrap";
    let left = view.opcode() == "vshl";
    finish(view, Family::Shift, move |s| {
        let count = b.read(s[1]);
        let count = if wrap { count & 31 } else { count.min(32) };
        let value = a.read(s[0]);
        if left { value << count } else { value >> count }
    })
}

/// Saturates and combines with `c`.
fn finish(
    view: &View<'_>,
    family: Family,
    operation: impl Fn(&[u64]) -> i64 + Send + Sync + 'static,
) -> Option<Operation> {
    let d = piece(view, "d")?;
    let sat = view.choice.has("sat");
    let second = second_operation(view);
    let merges = part(view, "d").is_selector();
    let has_c = given(view, "c").is_some();
    let cut = family == Family::Sum || family == Family::Shift && sat;
    Some(Operation::general(
        2 + usize::from(has_c),
        1,
        move |s, r| {
            let value = operation(s);
            let value = if sat {
                saturate(family, d, value)
            } else {
                value
            };
            let value = match second {
                Some(second) if has_c && cut => second(i64::from(value as i32), s[2]),
                Some(second) if has_c => second(value, s[2]),
                None if merges && has_c => d.write(value, s[2]) as i64,
                _ => value,
            };
            r[0] = extend(d.signed, value);
        },
    ))
}

fn saturate(family: Family, d: Piece, value: i64) -> i64 {
    let whole = Piece {
        first: 0,
        bits: 32,
        ..d
    };
    match family {
        Family::Shift => whole.saturate(value << 30 >> 30),
        // As an unsigned number, what is negative is too large.
        _ if d.bits < 32 => (value as u64).min(d.greatest() as u64) as i64,
        _ if d.signed => d.saturate(value),
        _ => value.max(0),
    }
}

/// A function of the result and `c`.
type Second = fn(i64, u64) -> i64;

/// What `.op2` does; `None` if there is none.
fn second_operation(view: &View<'_>) -> Option<Second> {
    let decides = if view.opcode() == "vset" { "a" } else { "d" };
    let signed = view.type_of(decides) == Some(ScalarType::S32);
    Some(match (view.choice.token("op2")?, signed) {
        (".add", _) => |value, c| value.wrapping_add(c as i64),
        (".min", true) => |value, c| value.min(i64::from(c as i32)),
        (".min", false) => |value, c| (value as u64).min(u64::from(c as u32)) as i64,
        (_, true) => |value, c| value.max(i64::from(c as i32)),
        (_, false) => |value, c| (value as u64).max(u64::from(c as u32)) as i64,
    })
}

/// `a * b + c`, with signs, one more, and a shift.
fn vmad(view: &View<'_>) -> Option<Operation> {
    let (a, b) = (piece(view, "a")?, piece(view, "b")?);
    let d_signed = view.type_of("d")? == ScalarType::S32;
    let negate = is_minus(view, "a") != is_minus(view, "b");
    let negate_c = is_minus(view, "c");
    let signed = a.signed || b.signed || negate || negate_c;
    let one_more = i64::from(view.choice.has("po"));
    let sat = view.choice.has("sat");
    let shift = match view.choice.token("scale") {
        Some(".shr7") => 7,
        Some(_) => 15,
        None => 0,
    };
    let word = Piece {
        first: 0,
        bits: 32,
        signed,
    };
    let number = |value: i64| i64::from(value as i32);
    Some(Operation::general(3, 1, move |s, r| {
        let product = number(a.read(s[0])) * number(b.read(s[1]));
        let c = number(s[2] as i64);
        let sum = match (negate, negate_c) {
            (true, _) => c - product,
            (_, true) => product - c,
            _ => product + c + one_more,
        };
        let value = match signed {
            true => sum >> shift,
            false => (sum as u64 >> shift) as i64,
        };
        r[0] = extend(d_signed, if sat { word.saturate(value) } else { value });
    }))
}

#[cfg(test)]
mod tests {
    use crate::walk::compute;

    /// Checks the low 32 bits of what instructions give.
    fn check(cases: &[(&str, &[u64], u64)]) {
        for (text, sources, result) in cases {
            let given = compute(text, sources)[0] & 0xffff_ffff;
            assert_eq!(given, *result, "{text}: {given:#x}");
        }
    }

    const C: u64 = 0x1122_3344;
    const MIN: u64 = 0x8000_0000;
    const MAX: u64 = 0xffff_ffff;

    #[test]
    fn pieces_and_merges() {
        check(&[
            (
                "vadd.s32.u32.s32 d, a.b1, b.h1",
                &[0xff00, 0xffff_0000],
                0xfe,
            ),
            ("vsub.s32.u32.u32 d, a, b", &[1, 2], MAX),
            ("vabsdiff.u32.s32.s32 d, a, b", &[MIN, 0x7fff_ffff], MAX),
            (
                "vadd.u32.u32.u32 d.b2, a, b, c",
                &[0x1ff, 1, C],
                0x1100_3344,
            ),
            ("vset.u32.s32.gt d.h1, a, b, c", &[0, MAX, C], 0x0001_3344),
        ]);
    }

    #[test]
    fn saturation() {
        check(&[
            ("vadd.s32.u32.u32.sat d, a, b", &[MAX, 1], 0x7fff_ffff),
            ("vadd.s32.s32.s32.sat d, a, b", &[MIN, MIN], MIN),
            ("vsub.u32.u32.u32.sat d, a, b", &[1, 2], 0),
            ("vadd.u32.u32.u32.sat d, a, b", &[MAX, 2], 1),
            (
                "vadd.u32.u32.u32.sat d.b2, a, b, c",
                &[0x1ff, 1, C],
                0x11ff_3344,
            ),
            (
                "vadd.s32.s32.s32.sat d.h0, a, b, c",
                &[MIN, 0, C],
                0x1122_7fff,
            ),
            ("vshl.s32.s32.u32.sat.clamp d, a, b", &[1, 31], 0x7fff_ffff),
            (
                "vshl.s32.s32.u32.sat.clamp d.b0, a, b, c",
                &[1, 8, C],
                0x1122_3300,
            ),
            ("vshr.u32.s32.u32.sat.clamp d, a, b", &[MIN, 1], 0),
        ]);
    }

    #[test]
    fn second_operations() {
        check(&[
            ("vadd.u32.u32.u32.add d, a, b, c", &[1, 2, C], C + 3),
            ("vset.u32.s32.gt.add d, a, b, c", &[0, MAX, 7], 8),
            ("vset.s32.s32.gt.min d, a, b, c", &[0, MAX, MAX], MAX),
            ("vset.u32.u32.lt.min d, a, b, c", &[0, MAX, MAX], 1),
            // A sum with the highest bit set is larger than all `c`.
            ("vadd.u32.u32.u32.max d, a, b, c", &[MIN, 1, MAX], MIN + 1),
            ("vadd.s32.s32.s32.min d, a, b, c", &[0x7fff_ffff, 1, 5], MIN),
            ("vmax.u32.u32.u32.max d, a, b, c", &[MIN, 1, MAX], MAX),
            ("vmin.u32.s32.s32.min d, a, b, c", &[MAX, 1, 5], 5),
        ]);
    }

    #[test]
    fn shifts() {
        check(&[
            ("vshl.u32.u32.u32.clamp d, a, b", &[1, 40], 0),
            ("vshl.u32.u32.u32.wrap d, a, b", &[1, 40], 256),
            ("vshr.s32.s32.u32.clamp d, a, b", &[MIN, 99], MAX),
        ]);
    }

    #[test]
    fn products() {
        check(&[
            ("vmad.s32.s32.s32 d, a.b0, -b, c", &[0xff, 3, 4], 7),
            ("vmad.s32.u32.u32 d, a, b, -c", &[5, 3, 4], 11),
            ("vmad.u32.u32.u32.po d, a, b, c", &[5, 3, 4], 20),
            ("vmad.u32.u32.u32.shr7 d, a, b, c", &[256, 3, 0], 6),
            (
                "vmad.s32.s32.s32.sat d, a, b, c",
                &[MIN, MIN, 0],
                0x7fff_ffff,
            ),
            ("vmad.u32.u32.u32.sat d, a, b, c", &[MAX, 1, 0], 0),
        ]);
    }

    #[test]
    fn lanes() {
        let (a, b, c) = (0x0102_0304, 0xff01_807f, 0xaaaa_aaaa);
        check(&[
            ("vadd4.u32.u32.u32", &[a, b, c], 0x0003_8383),
            ("vadd4.u32.u32.u32.sat", &[a, b, c], 0xff03_8383),
            (
                "vadd4.u32.u32.u32.add",
                &[a, b, 1],
                0x100 + 3 + 0x83 + 0x83 + 1,
            ),
            ("vmin4.s32.s32.s32 d.b31, a, b, c", &[a, b, c], 0xffaa_80aa),
            (
                "vmax2.u32.u32.u32 d, a.h01, b.h33, c",
                &[a, b, c],
                0xff01_ff01,
            ),
            (
                "vavrg4.s32.s32.s32",
                &[0x01ff_0000, 0x00fe_00ff, c],
                0x01fe_00ff,
            ),
            ("vset2.s32.u32.lt", &[a, b, c], 0x0001_0001),
        ]);
    }
}
