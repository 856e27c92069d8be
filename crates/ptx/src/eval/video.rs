//! Video instructions: arithmetic on bytes and halves of 32-bit registers.
//!
//! ```text
//!   a.b1 ─ piece ─┐
//!                 ├─ operation ─ saturate ─┬─ .op2 with c ──► d
//!   b.h0 ─ piece ─┘                        └─ merge with c ─► d.dsel
//! ```
//!
//! The scalar instructions are here, those that work on all lanes of a word in [`lanes`].

mod lanes;

use super::{Operation, View};
use crate::inst::{Operand, Part, Sign};
use crate::types::{Meaning, ScalarType};

pub(super) fn find(view: &View<'_>) -> Option<Operation> {
    match view.opcode() {
        "vadd" => scalar(view, |a, b| a + b),
        "vsub" => scalar(view, |a, b| a - b),
        "vabsdiff" => scalar(view, |a, b| (a - b).abs()),
        "vmin" => scalar(view, i64::min),
        "vmax" => scalar(view, i64::max),
        "vset" => scalar(view, comparison(view)?),
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

    fn saturate(self, value: i64) -> i64 {
        match self.signed {
            true => value.clamp(-1 << (self.bits - 1), (1 << (self.bits - 1)) - 1),
            false => value.clamp(0, (1 << self.bits) - 1),
        }
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

fn scalar(view: &View<'_>, operation: Binary) -> Option<Operation> {
    let (a, b) = (piece(view, "a")?, piece(view, "b")?);
    finish(view, move |s| operation(a.read(s[0]), b.read(s[1])))
}

fn shift(view: &View<'_>) -> Option<Operation> {
    let (a, b) = (piece(view, "a")?, piece(view, "b")?);
    let wrap = view.choice.token("mode")? == ".wrap";
    let left = view.opcode() == "vshl";
    finish(view, move |s| {
        let count = b.read(s[1]);
        let count = if wrap { count & 31 } else { count.min(32) };
        let value = a.read(s[0]);
        if left { value << count } else { value >> count }
    })
}

/// Saturates and combines with `c`.
fn finish(
    view: &View<'_>,
    operation: impl Fn(&[u64]) -> i64 + Send + Sync + 'static,
) -> Option<Operation> {
    let d = piece(view, "d")?;
    let sat = view.choice.has("sat");
    let whole = Piece {
        first: 0,
        bits: 32,
        ..d
    };
    let second: Option<Binary> = view.choice.token("op2").map(|operator| -> Binary {
        match operator {
            ".add" => |t, c| t + c,
            ".min" => i64::min,
            _ => i64::max,
        }
    });
    let merges = part(view, "d").is_selector();
    let has_c = given(view, "c").is_some();
    Some(Operation::general(
        2 + usize::from(has_c),
        1,
        move |s, r| {
            let value = operation(s);
            let value = if sat { d.saturate(value) } else { value };
            let value = match second {
                Some(second) if has_c => second(value, whole.read(s[2])),
                None if merges && has_c => d.write(value, s[2]) as i64,
                _ => value,
            };
            r[0] = extend(d.signed, value);
        },
    ))
}

/// `a * b + c`, with signs, one more, and a shift.
fn vmad(view: &View<'_>) -> Option<Operation> {
    let (a, b) = (piece(view, "a")?, piece(view, "b")?);
    let d_signed = view.type_of("d")? == ScalarType::S32;
    let negate = is_minus(view, "a") != is_minus(view, "b");
    let negate_c = is_minus(view, "c");
    let signed = a.signed || b.signed || negate || negate_c;
    let one_more = view.choice.has("po");
    let sat = view.choice.has("sat");
    let shift = match view.choice.token("scale") {
        Some(".shr7") => 7,
        Some(_) => 15,
        None => 0,
    };
    let whole = Piece {
        first: 0,
        bits: 32,
        signed,
    };
    Some(Operation::general(3, 1, move |s, r| {
        let product = i128::from(a.read(s[0])) * i128::from(b.read(s[1]));
        let c = i128::from(whole.read(s[2]));
        let sum = match (negate, negate_c) {
            (true, _) => c - product,
            (_, true) => product - c,
            _ => product + c + i128::from(one_more),
        };
        let value = sum >> shift;
        let value = match (sat, signed) {
            (false, _) => value,
            (true, true) => value.clamp(i128::from(i32::MIN), i128::from(i32::MAX)),
            (true, false) => value.clamp(0, i128::from(u32::MAX)),
        };
        r[0] = extend(d_signed, value as i64);
    }))
}

#[cfg(test)]
mod tests {
    use crate::eval::walk::compute;

    #[test]
    fn pieces_and_saturation() {
        let add = "vadd.s32.u32.s32";
        assert_eq!(
            compute(&format!("{add} d, a.b1, b.h1"), &[0xff00, 0xffff_0000]),
            [0xfe]
        );
        assert_eq!(
            compute("vadd.s32.u32.u32.sat d, a, b", &[0xffff_ffff, 1]),
            [0x7fff_ffff]
        );
        assert_eq!(compute("vsub.u32.u32.u32.sat d, a, b", &[1, 2]), [0]);
        assert_eq!(compute("vsub.s32.u32.u32 d, a, b", &[1, 2]), [u64::MAX]);
        assert_eq!(
            compute("vabsdiff.u32.s32.s32 d, a, b", &[0x8000_0000, 0x7fff_ffff]),
            [0xffff_ffff]
        );
    }

    #[test]
    fn merges_and_second_operations() {
        let c = 0x1122_3344;
        assert_eq!(
            compute("vadd.u32.u32.u32 d.b2, a, b, c", &[0x1ff, 1, c]),
            [0x1100_3344]
        );
        assert_eq!(
            compute("vadd.u32.u32.u32.sat d.b2, a, b, c", &[0x1ff, 1, c]),
            [0x11ff_3344]
        );
        assert_eq!(
            compute("vadd.s32.s32.s32.sat d.h0, a, b, c", &[0x8000_0000, 0, c]),
            [0x1122_8000]
        );
        assert_eq!(
            compute("vadd.u32.u32.u32.add d, a, b, c", &[1, 2, c]),
            [c + 3]
        );
        assert_eq!(
            compute("vset.u32.s32.gt.add d, a, b, c", &[0, 0xffff_ffff, 7]),
            [8]
        );
    }

    #[test]
    fn shifts() {
        assert_eq!(compute("vshl.u32.u32.u32.clamp d, a, b", &[1, 40]), [0]);
        assert_eq!(compute("vshl.u32.u32.u32.wrap d, a, b", &[1, 40]), [256]);
        assert_eq!(
            compute("vshr.s32.s32.u32.clamp d, a, b", &[0x8000_0000, 99]),
            [u64::MAX]
        );
    }

    #[test]
    fn lanes() {
        let (a, b, c) = (0x0102_0304, 0xff01_807f, 0xaaaa_aaaa);
        assert_eq!(compute("vadd4.u32.u32.u32", &[a, b, c]), [0x0003_8383]);
        assert_eq!(compute("vadd4.u32.u32.u32.sat", &[a, b, c]), [0xff03_8383]);
        assert_eq!(
            compute("vadd4.u32.u32.u32.add", &[a, b, 1]),
            [0x100 + 3 + 0x83 + 0x83 + 1]
        );
        assert_eq!(
            compute("vmin4.s32.s32.s32 d.b31, a, b, c", &[a, b, c]),
            [0xffff_ffff_ffaa_80aa]
        );
        assert_eq!(
            compute("vmax2.u32.u32.u32 d, a.h01, b.h33, c", &[a, b, c]),
            [0xff01_ff01]
        );
        assert_eq!(
            compute("vavrg4.s32.s32.s32", &[0x01ff_0000, 0x00fe_00ff, c]),
            [0x01fe_00ff]
        );
        assert_eq!(compute("vset2.s32.u32.lt", &[a, b, c]), [0x0001_0001]);
    }
}
