//! Video instructions: arithmetic on bytes and halves of registers. The machine has no such instructions any more; they
//! are made of plain ones.
//!
//! ```text
//!   a.b1 ─ extend ─┐
//!                  ├─ operation ─ saturate ─┬─ .op2 with c ──► d
//!   b.h0 ─ extend ─┘                        └─ merge with c ─► d.dsel
//! ```
//!
//! The scalar ones work on numbers of 64 bits: sums of numbers with and without a sign have up to 34, and what compares
//! them must see all. What nobody needs of it is left out later. Those on several lanes ([`lanes`]) have room in 32 bits.
//!
//! What comes out is what ptxas makes of them, not always what the manual says: see `video` of `ptx-eval`, which an H200
//! agrees with.

mod lanes;

use super::{is_signed, number};
use crate::code::{Code, ptx};
use crate::source::Source;
use crate::wired::Operand;
use warpc_ptx::inst::Part;
use warpc_ptx::types::ScalarType;

/// Whether an opcode is that of a video instruction.
pub(crate) fn is_video(opcode: &str) -> bool {
    matches!(
        opcode,
        "vadd" | "vsub" | "vabsdiff" | "vmin" | "vmax" | "vset" | "vshl" | "vshr" | "vmad"
    ) || lanes::split(opcode).is_some()
}

pub(super) fn emit(source: &Source, code: &mut Code) -> Option<()> {
    if let Some((operation, count)) = lanes::split(source.opcode()) {
        return lanes::emit(source, code, operation, count);
    }
    if source.opcode() == "vmad" {
        return multiply(source, code);
    }
    let (a, b) = (extended(source, code, "a")?, extended(source, code, "b")?);
    let value = match source.opcode() {
        "vadd" => sum(code, a, b),
        "vsub" => difference(code, a, b),
        "vabsdiff" => {
            let (less, other) = (difference(code, a, b), difference(code, b, a));
            let negative = less_than(code, a, b, true);
            select(code, other, less, negative)
        }
        "vmin" | "vmax" => {
            let less = less_than(code, a, b, true);
            match source.opcode() {
                "vmin" => select(code, a, b, less),
                _ => select(code, b, a, less),
            }
        }
        "vset" => compared(source, code, a, b)?,
        "vshl" | "vshr" => shifted(source, code, a, b.low),
        _ => return None,
    };
    let piece = Piece::of(source, "d")?;
    let value = match source.has("sat") {
        true => saturated(source, code, value, piece),
        false => value,
    };
    let d = ptx("d");
    match source.choice().token("op2") {
        Some(operation) => combine(source, code, value, operation),
        None if source.part("d").is_selector() => piece.merge(code, d, value.low, ptx("c")),
        None => code.copy(d, value.low),
    }
    Some(())
}

/// A number of 64 bits, its halves apart.
#[derive(Clone, Copy)]
struct Wide {
    low: Operand,
    high: Operand,
}

impl Wide {
    fn new(code: &mut Code) -> Wide {
        Wide {
            low: code.word(),
            high: code.word(),
        }
    }

    fn number(value: i64) -> Wide {
        Wide {
            low: number(value & 0xffff_ffff),
            high: number(value >> 32 & 0xffff_ffff),
        }
    }

    /// 32 bits with or without a sign.
    fn of(code: &mut Code, low: Operand, signed: bool) -> Wide {
        let high = match signed {
            true => {
                let high = code.word();
                code.step("SHF.R.S32.HI R0, RZ, 0x1f, R0", &[high, low]);
                high
            }
            false => number(0),
        };
        Wide { low, high }
    }
}

/// Some of the bits of a register, and what they mean.
#[derive(Clone, Copy)]
struct Piece {
    /// The first of its bytes, and how many there are.
    first: u32,
    bytes: u32,
    signed: bool,
}

impl Piece {
    /// The piece that an operand names, with the meaning that its type has.
    fn of(source: &Source, name: &'static str) -> Option<Piece> {
        let (first, bytes) = match source.part(name) {
            Part::Bytes(lanes) => (u32::from(lanes.numbers().next()?), 1),
            Part::Halves(lanes) => (2 * u32::from(lanes.numbers().next()?), 2),
            _ => (0, 4),
        };
        (first + bytes <= 4).then_some(Piece {
            first,
            bytes,
            signed: is_signed(type_of(source, name)),
        })
    }

    /// Takes the piece out of a register, as 32 bits.
    fn take(self, code: &mut Code, from: Operand) -> Operand {
        if self.bytes == 4 {
            return from;
        }
        // Above its bytes stand copies of its sign, or bytes of zero, which the second register has.
        let last = self.first + self.bytes - 1;
        let above = if self.signed { 8 + last } else { 7 };
        let byte = |place: u32| match place < self.bytes {
            true => self.first + place,
            false => above,
        };
        let choice = (0..4).fold(0, |all, place| all | byte(place) << (4 * place));
        let to = code.word();
        code.step(format!("PRMT R0, R0, {choice:#x}, RZ"), &[to, from]);
        to
    }

    /// Puts the low bits of a value in the place of the piece, and bits of another register around it.
    fn merge(self, code: &mut Code, to: Operand, value: Operand, around: Operand) {
        let byte = |place: u32| match place.wrapping_sub(self.first) {
            inside if inside < self.bytes => inside,
            _ => 4 + place,
        };
        let choice = (0..4).fold(0, |all, place| all | byte(place) << (4 * place));
        let text = format!("PRMT R0, R0, {choice:#x}, R0");
        code.step(text, &[to, value, around]);
    }

    fn bits(self) -> u32 {
        8 * self.bytes
    }

    fn least(self) -> i64 {
        match self.signed {
            true => -1 << (self.bits() - 1),
            false => 0,
        }
    }

    fn greatest(self) -> i64 {
        (1 << (self.bits() - u32::from(self.signed))) - 1
    }
}

/// The type of an operand.
fn type_of(source: &Source, name: &str) -> ScalarType {
    let slot = match name {
        "a" => "atype",
        "b" => "btype",
        _ => "dtype",
    };
    source.choice().scalar(slot).unwrap_or(ScalarType::U32)
}

/// The piece of an operand that is meant, as a number.
fn extended(source: &Source, code: &mut Code, name: &'static str) -> Option<Wide> {
    let piece = Piece::of(source, name)?;
    let low = piece.take(code, ptx(name));
    Some(Wide::of(code, low, piece.signed))
}

fn sum(code: &mut Code, a: Wide, b: Wide) -> Wide {
    let (to, carry) = (Wide::new(code), code.flag());
    code.step("IADD3 R0, P0, R0, R0, RZ", &[to.low, carry, a.low, b.low]);
    let high = [to.high, a.high, b.high, carry];
    code.step("IADD3.X R0, R0, R0, RZ, P0, !PT", &high);
    to
}

fn difference(code: &mut Code, a: Wide, b: Wide) -> Wide {
    let (to, carry) = (Wide::new(code), code.flag());
    code.step("IADD3 R0, P0, R0, -R0, RZ", &[to.low, carry, a.low, b.low]);
    let high = [to.high, a.high, b.high, carry];
    code.step("IADD3.X R0, R0, ~R0, RZ, P0, !PT", &high);
    to
}

/// A comparison of two numbers.
fn compare(code: &mut Code, how: &str, a: Wide, b: Wide, signed: bool) -> Operand {
    let (low, flag) = (code.flag(), code.flag());
    let text = format!("ISETP.{how}.U32.AND P0, PT, R0, R0, PT");
    code.step(text, &[low, a.low, b.low]);
    let sign = if signed { "" } else { ".U32" };
    let text = format!("ISETP.{how}{sign}.AND.EX P0, PT, R0, R0, PT, P0");
    code.step(text, &[flag, a.high, b.high, low]);
    flag
}

fn less_than(code: &mut Code, a: Wide, b: Wide, signed: bool) -> Operand {
    compare(code, "LT", a, b, signed)
}

/// `flag ? a : b`
fn select(code: &mut Code, a: Wide, b: Wide, flag: Operand) -> Wide {
    let to = Wide::new(code);
    for (to, a, b) in [(to.low, a.low, b.low), (to.high, a.high, b.high)] {
        code.step("SEL R0, R0, R0, P0", &[to, a, b, flag]);
    }
    to
}

/// The machine's name of a comparison.
fn comparison(source: &Source) -> Option<&'static str> {
    Some(match source.choice().token("cmp")? {
        ".eq" => "EQ",
        ".ne" => "NE",
        ".lt" => "LT",
        ".le" => "LE",
        ".gt" => "GT",
        ".ge" => "GE",
        _ => return None,
    })
}

fn compared(source: &Source, code: &mut Code, a: Wide, b: Wide) -> Option<Wide> {
    let flag = compare(code, comparison(source)?, a, b, true);
    let low = code.word();
    code.step("SEL R0, RZ, 0x1, !P0", &[low, flag]);
    Some(Wide {
        low,
        high: number(0),
    })
}

fn shifted(source: &Source, code: &mut Code, a: Wide, by: Operand) -> Wide {
    let (count, to) = (code.word(), Wide::new(code));
    match source.has("wrap") {
        true => code.step("LOP3.LUT R0, R0, 0x1f, RZ, 0xc0, !PT", &[count, by]),
        false => {
            let name = code.chip.min_max();
            let text = format!("{name}.U32 R0, R0, 0x20, PT");
            code.step(text, &[count, by]);
        }
    }
    match source.opcode() {
        "vshl" => {
            let high = [to.high, a.low, count, a.high];
            code.step("SHF.L.U64.HI R0, R0, R0, R0", &high);
            code.step("SHF.L.U32 R0, R0, R0, RZ", &[to.low, a.low, count]);
        }
        _ => shift_right(code, to, a, count, true),
    }
    to
}

fn shift_right(code: &mut Code, to: Wide, a: Wide, by: Operand, signed: bool) {
    let (low, high) = match signed {
        true => ("SHF.R.S64 R0, R0, R0, R0", "SHF.R.S32.HI R0, RZ, R0, R0"),
        false => ("SHF.R.U64 R0, R0, R0, R0", "SHF.R.U32.HI R0, RZ, R0, R0"),
    };
    code.step(low, &[to.low, a.low, by, a.high]);
    code.step(high, &[to.high, by, a.high]);
}

/// A number brought into a range.
fn clamped(code: &mut Code, value: Wide, least: i64, greatest: i64) -> Wide {
    let value = at_least(code, value, least);
    let limit = Wide::number(greatest);
    let above = less_than(code, limit, value, true);
    select(code, limit, value, above)
}

fn at_least(code: &mut Code, value: Wide, least: i64) -> Wide {
    let limit = Wide::number(least);
    let below = less_than(code, value, limit, true);
    select(code, limit, value, below)
}

/// What is out of range is cut off, as ptxas does it: of shifts 34 bits to 32, whatever the piece is; in a piece what is
/// negative is too large; in 32 bits without a sign only what is negative is cut.
fn saturated(source: &Source, code: &mut Code, value: Wide, piece: Piece) -> Wide {
    let whole = Piece {
        first: 0,
        bytes: 4,
        ..piece
    };
    if matches!(source.opcode(), "vshl" | "vshr") {
        let high = code.word();
        code.step("SHF.L.U32 R0, R0, 0x1e, RZ", &[high, value.high]);
        code.step("SHF.R.S32.HI R0, RZ, 0x1e, R0", &[high, high]);
        let value = Wide { high, ..value };
        return clamped(code, value, whole.least(), whole.greatest());
    }
    if piece.bytes < 4 {
        let limit = Wide::number(piece.greatest());
        let above = less_than(code, limit, value, false);
        return select(code, limit, value, above);
    }
    match piece.signed {
        true => clamped(code, value, piece.least(), piece.greatest()),
        false => at_least(code, value, 0),
    }
}

/// `.op2`: the result and `c`. Sums, differences and saturated shifts are cut to 32 bits with a sign first.
fn combine(source: &Source, code: &mut Code, value: Wide, operation: &str) {
    let (d, c) = (ptx("d"), ptx("c"));
    if operation == ".add" {
        code.step("IADD3 R0, R0, R0, RZ", &[d, value.low, c]);
        return;
    }
    let decides = if source.opcode() == "vset" { "a" } else { "d" };
    let signed = is_signed(type_of(source, decides));
    let is_cut = match source.opcode() {
        "vadd" | "vsub" => true,
        "vshl" | "vshr" => source.has("sat"),
        _ => false,
    };
    let value = match is_cut {
        true => Wide::of(code, value.low, true),
        false => value,
    };
    let other = Wide::of(code, c, signed);
    let less = less_than(code, value, other, signed);
    let (first, second) = match operation {
        ".min" => (value.low, c),
        _ => (c, value.low),
    };
    code.step("SEL R0, R0, R0, P0", &[d, first, second, less]);
}

/// `vmad`: 64 bits of the product and `c`, moved down, saturated. All three are taken for signed once they have 32 bits.
fn multiply(source: &Source, code: &mut Code) -> Option<()> {
    let (first, second) = (Piece::of(source, "a")?, Piece::of(source, "b")?);
    let (a, b) = (first.take(code, ptx("a")), second.take(code, ptx("b")));
    let negative = source.is_minus("a") != source.is_minus("b");
    let less = source.is_minus("c");
    let signed = first.signed || second.signed || negative || less;
    let both = code.double();
    code.step("IMAD.WIDE R0, R0, R0, RZ", &[both, a, b]);
    let product = Wide {
        low: both.register(0),
        high: both.register(1),
    };
    let c = Wide::of(code, ptx("c"), true);
    let mut value = match (negative, less) {
        (true, _) => difference(code, c, product),
        (_, true) => difference(code, product, c),
        _ => sum(code, product, c),
    };
    if source.has("po") {
        value = sum(code, value, Wide::number(1));
    }
    let by = match source.choice().token("scale") {
        Some(".shr7") => 7,
        Some(".shr15") => 15,
        _ => 0,
    };
    if by > 0 {
        let to = Wide::new(code);
        shift_right(code, to, value, number(by), signed);
        value = to;
    }
    if source.has("sat") {
        let whole = Piece {
            first: 0,
            bytes: 4,
            signed,
        };
        value = clamped(code, value, whole.least(), whole.greatest());
    }
    code.copy(ptx("d"), value.low);
    Some(())
}
