//! `cvt`: between integers, between floating-point formats, and across.

use super::{is_signed, number};
use crate::code::{Code, ptx};
use crate::source::Source;
use crate::wired::Operand;
use warpc_ptx::types::ScalarType;

pub(super) fn emit(source: &Source, code: &mut Code) -> Option<()> {
    if ["relu", "satfinite", "pack", "rs"]
        .iter()
        .any(|word| source.has(word))
    {
        return None;
    }
    let (to, from) = types(source)?;
    if to == ScalarType::Tf32 && source.has("rna") {
        to_tf32(code);
        return Some(());
    }
    match (kind(to)?, kind(from)?) {
        (Kind::Integer, Kind::Integer) => integers(source, code, to, from),
        (Kind::Integer, _) => to_integer(source, code, to, from),
        (_, Kind::Integer) => from_integer(source, code, to, from),
        _ => floats(source, code, to, from),
    }
}

/// `cvt.rna.tf32.f32`: half of the last place is added to what is finite, and the rest is cut.
fn to_tf32(code: &mut Code) {
    let (sum, large) = (code.word(), code.flag());
    code.step("FSETP.GEU.AND P0, PT, |R0|, +INF , PT", &[large, ptx("a")]);
    code.copy(sum, ptx("a"));
    let text = "IADD3 R0, R0, 0x1000, RZ";
    code.guarded(Some((large, true)), text, &[sum, sum]);
    let text = "LOP3.LUT R0, R0, 0xffffe000, RZ, 0xc0, !PT";
    code.step(text, &[ptx("d"), sum]);
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
}

fn kind(ty: ScalarType) -> Option<Kind> {
    match ty {
        ScalarType::F16 | ScalarType::Bf16 | ScalarType::F32 | ScalarType::F64 => Some(Kind::Float),
        ScalarType::F16x2 | ScalarType::Bf16x2 => Some(Kind::Float),
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
    let d = ptx("d");
    if source.has("sat") {
        return None;
    }
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
    match (to, long) {
        (ScalarType::F32, false) if matches!(rounding, "" | ".RZ") => {
            let sign = if is_signed(from) { ".S32" } else { ".U32" };
            code.step(format!("I2FP.F32{sign}{rounding} R0, R0"), &[d, value]);
        }
        (ScalarType::F32 | ScalarType::F16 | ScalarType::F64, _) => {
            let format = format(to)?;
            code.step(format!("I2F{format}{sign}{rounding} R0, R0"), &[d, value]);
        }
        _ => return None,
    }
    Some(())
}

/// A single with subnormal numbers taken for zero, where `.ftz` asks for it.
fn flushed(source: &Source, code: &mut Code, from: Operand) -> Operand {
    if !source.has("ftz") {
        return from;
    }
    let to = code.word();
    code.step("FADD.FTZ R0, R0, -RZ", &[to, from]);
    to
}

fn floats(source: &Source, code: &mut Code, to: ScalarType, from: ScalarType) -> Option<()> {
    use ScalarType::{Bf16, Bf16x2, F16, F16x2, F32, F64};
    let (d, a) = (ptx("d"), ptx("a"));
    let ftz = if source.has("ftz") { ".FTZ" } else { "" };
    let rounding = float_rounding(source);
    let saturates = source.has("sat");
    let result = match saturates {
        true if matches!(to, F32) => code.word(),
        true => return None,
        false => d,
    };
    match (to, from) {
        (F32, F32) | (F64, F64) | (F16, F16) if source.choice().token("irnd").is_some() => {
            let text = format!(
                "FRND{ftz}{}{} R0, R0",
                format(to)?,
                integer_rounding(source)
            );
            code.step(text, &[result, a]);
        }
        (F32, F32) if ftz.is_empty() => code.copy(result, a),
        (F32, F32) => code.step("FADD.FTZ R0, R0, -RZ", &[result, a]),
        (F64, F64) => {
            code.copy(d.register(0), a.register(0));
            code.copy(d.register(1), a.register(1));
        }
        // What is not a number becomes the one that has all bits.
        (F16, F16) => code.step("HADD2 R0, R0.H0_H0, -RZ.H0_H0", &[d, a]),
        (Bf16, Bf16) => {
            code.step("HFMA2.BF16_V2 R0, -RZ.H0_H0, RZ.H0_H0, R0.H0_H0", &[d, a]);
        }
        (F32, F64) => code.step(format!("F2F{ftz}.F32.F64{rounding} R0, R0"), &[result, a]),
        (F64, F32) => {
            let from = flushed(source, code, a);
            code.step("F2F.F64.F32 R0, R0", &[d, from]);
        }
        (F64, F16) => code.step("F2F.F64.F16 R0, R0", &[d, a]),
        (F16, F64) => code.step(format!("F2F.F16.F64{rounding} R0, R0"), &[d, a]),
        (F32, F16) => code.step("HADD2.F32 R0, -RZ, R0.H0_H0", &[result, a]),
        (F32, Bf16) if ftz.is_empty() => code.step("SHF.L.U32 R0, R0, 0x10, RZ", &[result, a]),
        (F32, Bf16) => {
            let single = code.word();
            code.step("SHF.L.U32 R0, R0, 0x10, RZ", &[single, a]);
            code.step("FADD.FTZ R0, R0, -RZ", &[result, single]);
        }
        (F16, F32) if matches!(rounding, ".RM" | ".RP") => {
            code.step(format!("F2F.F16.F32{rounding} R0, R0"), &[d, a]);
        }
        // A single that is subnormal is zero in any case.
        (F16, F32) => {
            code.step(
                format!("F2FP.F16.F32.PACK_AB{rounding} R0, RZ, R0"),
                &[d, a],
            );
        }
        (Bf16, F32) => {
            code.step(
                format!("F2FP.BF16.F32.PACK_AB{rounding} R0, RZ, R0"),
                &[d, a],
            );
        }
        (F16x2, F32) => {
            let text = format!("F2FP.F16.F32.PACK_AB{rounding} R0, R0, R0");
            code.step(text, &[d, a, ptx("b")]);
        }
        (Bf16x2, F32) => {
            let text = format!("F2FP.BF16.F32.PACK_AB{rounding} R0, R0, R0");
            code.step(text, &[d, a, ptx("b")]);
        }
        _ => return None,
    }
    if saturates {
        code.step(format!("FADD{ftz}.SAT R0, -RZ, R0"), &[d, result]);
    }
    Some(())
}
