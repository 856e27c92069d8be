//! `cvt`: between integers, between floating-point formats (`float.rs`), and across.

mod float;

use super::{is_signed, number};
use crate::code::{Code, ptx};
use crate::source::Source;
use crate::wired::Operand;
use warpc_ptx::types::ScalarType;

pub(super) fn emit(source: &Source, code: &mut Code) -> Option<()> {
    if source.has("pack") {
        return pack(source, code);
    }
    // Bits at random are of later chips.
    if source.has("rs") {
        return None;
    }
    let (to, from) = types(source)?;
    match (kind(to)?, kind(from)?) {
        (Kind::Integer, Kind::Integer) => integers(source, code, to, from),
        (Kind::Integer, Kind::Float) => to_integer(source, code, to, from),
        (Kind::Float, Kind::Integer) => from_integer(source, code, to, from),
        (Kind::Float, Kind::Float) => float::emit(source, code, to, from),
        (Kind::Packed, _) | (_, Kind::Packed) => float::packed(source, code, to, from),
    }
}

/// `cvt.pack`: two integers brought into the range of a narrow type, and under them what a third operand has lowest.
fn pack(source: &Source, code: &mut Code) -> Option<()> {
    let ty = source.choice().token("convertType")?;
    // Bits of the third operand that there is room for.
    let room = match ty {
        ".u8" | ".s8" | ".u16" | ".s16" => "",
        ".u4" | ".s4" => ".24",
        ".u2" | ".s2" => ".28",
        _ => return None,
    };
    let name = format!("I2IP{}.S32.SAT", ty.to_uppercase());
    let (packed, a, b) = (code.word(), ptx("a"), ptx("b"));
    match source.operand("c") {
        Some(_) => {
            let operands = [packed, a, b, ptx("c")];
            code.step(format!("{name} R0, R0, R0, R0{room}"), &operands);
        }
        None => code.step(format!("{name} R0, R0, R0, RZ"), &[packed, a, b]),
    }
    extend(source, code, packed, false);
    Some(())
}

/// The types of the result and of the operand: the last two of the mnemonic.
fn types(source: &Source) -> Option<(ScalarType, ScalarType)> {
    let mut all = source.words_seen().filter_map(ScalarType::find);
    let (first, second) = (all.next()?, all.next()?);
    all.next().is_none().then_some((first, second))
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Integer,
    Float,
    /// Two small numbers, and singles with few bits.
    Packed,
}

fn kind(ty: ScalarType) -> Option<Kind> {
    match ty {
        ScalarType::F16 | ScalarType::Bf16 | ScalarType::F32 | ScalarType::F64 => Some(Kind::Float),
        ScalarType::F16x2 | ScalarType::Bf16x2 => Some(Kind::Float),
        ScalarType::Tf32 | ScalarType::E4m3x2 | ScalarType::E5m2x2 => Some(Kind::Packed),
        ty if ty.is_integer() && ty.bits() <= 64 => Some(Kind::Integer),
        _ => None,
    }
}

/// The result as far as its register goes: what is above a result of at most 32 bits is the sign or zeros.
fn extend(source: &Source, code: &mut Code, low: Operand, signed: bool) {
    let d = ptx("d");
    if source.register_bits("d") != Some(64) {
        return code.copy(d, low);
    }
    code.copy(d.register(0), low);
    match signed {
        true => code.step("SHF.R.S32.HI R0, RZ, 0x1f, R0", &[d.register(1), low]),
        false => code.copy(d.register(1), number(0)),
    }
}

/// A value of 32 bits cut to a narrower type.
fn cut(code: &mut Code, from: Operand, ty: ScalarType) -> Operand {
    let text = match (ty.bits(), is_signed(ty)) {
        (8, true) => "PRMT R0, R0, 0x8880, RZ",
        (8, false) => "LOP3.LUT R0, R0, 0xff, RZ, 0xc0, !PT",
        (16, true) => "PRMT R0, R0, 0x9910, RZ",
        (16, false) => "LOP3.LUT R0, R0, 0xffff, RZ, 0xc0, !PT",
        _ => return from,
    };
    let to = code.word();
    code.step(text, &[to, from]);
    to
}

/// The least and the largest number of an integer type of at most 32 bits.
fn limits(ty: ScalarType) -> (i64, i64) {
    let bits = ty.bits();
    match is_signed(ty) {
        true => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        false => (0, (1 << bits) - 1),
    }
}

/// A number of 32 bits brought into the range of a narrower type.
fn clamped(code: &mut Code, from: Operand, signed: bool, ty: ScalarType) -> Operand {
    let (least, largest) = limits(ty);
    let name = code.chip.min_max();
    let mut value = from;
    if signed {
        let to = code.word();
        code.step(
            format!("{name} R0, R0, R0, !PT"),
            &[to, value, number(least)],
        );
        value = to;
    }
    if ty.bits() < 32 || signed != is_signed(ty) && !signed {
        let to = code.word();
        let sign = if signed { "" } else { ".U32" };
        code.step(
            format!("{name}{sign} R0, R0, R0, PT"),
            &[to, value, number(largest)],
        );
        value = to;
    }
    value
}

fn integers(source: &Source, code: &mut Code, to: ScalarType, from: ScalarType) -> Option<()> {
    let (d, a) = (ptx("d"), ptx("a"));
    let saturates = source.has("sat");
    if from.bits() == 64 {
        if saturates {
            return saturated_long(source, code, to, from);
        }
        if to.bits() == 64 {
            code.copy(d.register(0), a.register(0));
            code.copy(d.register(1), a.register(1));
            return Some(());
        }
        let low = cut(code, a.register(0), to);
        extend(source, code, low, is_signed(to));
        return Some(());
    }
    let value = code.widened("a", from);
    if to.bits() == 64 {
        let negative = saturates && is_signed(from) && !is_signed(to);
        let value = match negative {
            true => {
                let least = code.word();
                let name = code.chip.min_max();
                code.step(format!("{name} R0, R0, RZ, !PT"), &[least, value]);
                least
            }
            false => value,
        };
        extend(source, code, value, is_signed(from) && !negative);
        return Some(());
    }
    let value = match saturates {
        true => clamped(code, value, is_signed(from), to),
        false => cut(code, value, to),
    };
    extend(source, code, value, is_signed(to));
    Some(())
}

/// A number of 64 bits brought into the range of another type.
fn saturated_long(
    source: &Source,
    code: &mut Code,
    to: ScalarType,
    from: ScalarType,
) -> Option<()> {
    let (d, a) = (ptx("d"), ptx("a"));
    let (least, largest): (i128, i128) = match (to.bits(), is_signed(to)) {
        (64, true) => (i64::MIN.into(), i64::MAX.into()),
        (64, false) => (0, u64::MAX.into()),
        _ => {
            let (least, largest) = limits(to);
            (least.into(), largest.into())
        }
    };
    let signed = is_signed(from);
    let (lowest, highest): (i128, i128) = match signed {
        true => (i64::MIN.into(), i64::MAX.into()),
        false => (0, u64::MAX.into()),
    };
    let mut value = a;
    for (limit, is_least) in [(least, true), (largest, false)] {
        if is_least && limit <= lowest || !is_least && limit >= highest {
            continue;
        }
        let (bound, next) = (code.double(), code.double());
        code.copy(
            bound.register(0),
            number((limit as u64 & 0xffff_ffff) as i64),
        );
        code.copy(bound.register(1), number((limit as u64 >> 32) as i64));
        let flag = match is_least {
            true => code.less_64(value, bound, signed),
            false => code.less_64(bound, value, signed),
        };
        code.select_64(next, bound, value, flag);
        value = next;
    }
    if to.bits() == 64 {
        code.copy(d.register(0), value.register(0));
        code.copy(d.register(1), value.register(1));
        return Some(());
    }
    extend(source, code, value.register(0), is_signed(to));
    Some(())
}

fn integer_rounding(source: &Source) -> &'static str {
    match source.choice().token("irnd") {
        Some(".rzi") => ".TRUNC",
        Some(".rmi") => ".FLOOR",
        Some(".rpi") => ".CEIL",
        _ => "",
    }
}

fn float_rounding(source: &Source) -> &'static str {
    let words = ["rn", "rz", "rm", "rp"];
    let found = source.words_seen().find(|word| words.contains(word));
    match found {
        Some("rz") => ".RZ",
        Some("rm") => ".RM",
        Some("rp") => ".RP",
        _ => "",
    }
}

/// The name of a floating-point type among modifiers; singles have none.
fn format(ty: ScalarType) -> Option<&'static str> {
    Some(match ty {
        ScalarType::F16 => ".F16",
        ScalarType::F32 => "",
        ScalarType::F64 => ".F64",
        ScalarType::Bf16 => ".BF16",
        _ => return None,
    })
}

/// To an integer: what is out of range becomes the nearest number of the type, what is not a number 0.
fn to_integer(source: &Source, code: &mut Code, to: ScalarType, from: ScalarType) -> Option<()> {
    let rounding = integer_rounding(source);
    let (mut a, mut from) = (ptx("a"), from);
    if from == ScalarType::Bf16 {
        let single = code.word();
        code.step("SHF.L.U32 R0, R0, 0x10, RZ", &[single, a]);
        (a, from) = (single, ScalarType::F32);
    }
    let format = format(from)?;
    let ftz = if source.has("ftz") { ".FTZ" } else { "" };
    if to.bits() == 64 {
        let sign = if is_signed(to) { ".S64" } else { ".U64" };
        code.step(
            format!("F2I{ftz}{sign}{format}{rounding} R0, R0"),
            &[ptx("d"), a],
        );
        return Some(());
    }
    // Doubles have narrow results of their own, which say what was not a number.
    if from == ScalarType::F64 && to.bits() < 32 && !is_signed(to) {
        let value = code.word();
        let text = format!("F2I.U{}.F64{rounding} R0, R0", to.bits());
        code.step(text, &[value, a]);
        extend(source, code, value, false);
        return Some(());
    }
    let zero = if from == ScalarType::F64 { "" } else { ".NTZ" };
    let sign = if is_signed(to) { "" } else { ".U32" };
    let value = code.word();
    code.step(
        format!("F2I{ftz}{sign}{format}{rounding}{zero} R0, R0"),
        &[value, a],
    );
    let value = match to.bits() < 32 {
        true => clamped(code, value, is_signed(to), to),
        false => value,
    };
    extend(source, code, value, is_signed(to));
    Some(())
}

fn from_integer(source: &Source, code: &mut Code, to: ScalarType, from: ScalarType) -> Option<()> {
    let rounding = float_rounding(source);
    let long = from.bits() == 64;
    let sign = match (long, is_signed(from)) {
        (true, true) => ".S64",
        (true, false) => ".U64",
        (false, true) => "",
        (false, false) => ".U32",
    };
    let value = match long {
        true => ptx("a"),
        false => code.widened("a", from),
    };
    let result = float::unsaturated(source, code, to);
    match (to, long) {
        (ScalarType::F32, false) if matches!(rounding, "" | ".RZ") => {
            let sign = if is_signed(from) { ".S32" } else { ".U32" };
            code.step(format!("I2FP.F32{sign}{rounding} R0, R0"), &[result, value]);
        }
        _ => {
            let text = format!("I2F{}{sign}{rounding} R0, R0", format(to)?);
            code.step(text, &[result, value]);
        }
    }
    float::saturate(source, code, to, result)
}
