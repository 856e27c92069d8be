//! `cvt` between floating-point formats.

use super::{float_rounding, format, integer_rounding};
use crate::code::{Code, ptx};
use crate::compute::number;
use crate::source::Source;
use crate::wired::Operand;
use warpc_ptx::types::ScalarType;

/// The upper word of the double 1.0.
const ONE: i64 = 0x3ff0_0000;

/// Where a result is before `.sat`.
pub(super) fn unsaturated(source: &Source, code: &mut Code, to: ScalarType) -> Operand {
    match (source.has("sat"), to) {
        (false, _) => ptx("d"),
        (true, ScalarType::F64) => code.double(),
        (true, _) => code.word(),
    }
}

/// Brings a result between 0 and 1 where `.sat` asks for it; what is not a number becomes 0.
pub(super) fn saturate(
    source: &Source,
    code: &mut Code,
    to: ScalarType,
    result: Operand,
) -> Option<()> {
    let d = ptx("d");
    if !source.has("sat") {
        return Some(());
    }
    match to {
        ScalarType::F32 => {
            let ftz = if source.has("ftz") { ".FTZ" } else { "" };
            code.step(format!("FADD{ftz}.SAT R0, -RZ, R0"), &[d, result]);
        }
        ScalarType::F16 => code.step("HADD2.SAT R0, R0.H0_H0, -RZ.H0_H0", &[d, result]),
        ScalarType::F64 => {
            let (positive, one, low, below) =
                (code.flag(), code.double(), code.double(), code.flag());
            code.step("DSETP.GT.AND P0, PT, R0, RZ, PT", &[positive, result]);
            code.copy(one.register(0), number(0));
            code.copy(one.register(1), number(ONE));
            for half in [0, 1] {
                let parts = [low.register(half), result.register(half), positive];
                code.step("SEL R0, R0, RZ, P0", &parts);
            }
            code.step("DSETP.LT.AND P0, PT, R0, R0, PT", &[below, low, one]);
            code.select_64(d, low, one, below);
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

/// `cvt.ftz.f32.f64`: `F2F.FTZ` flushes what is subnormal after it is rounded; here what counts is whether a number is
/// below the normal ones if exponents have no end. Away from zero, the greatest that has the digits of a single is let
/// through, as ptxas does it.
fn flushed_double(code: &mut Code, rounding: &str, result: Operand) {
    /// From where on a double becomes a normal single: to the nearest, away from zero, towards it.
    const NEAREST: (i64, i64) = (0xf000_0000, 0x380f_ffff);
    const AWAY: (i64, i64) = (0xe000_0000, 0x380f_ffff);
    const TOWARDS: (i64, i64) = (0, 0x3810_0000);
    let a = ptx("a");
    let (usual, zero, least, small) = (code.word(), code.word(), code.double(), code.flag());
    code.step(format!("F2F.F32.F64{rounding} R0, R0"), &[usual, a]);
    let (positive, negative) = match rounding {
        ".RZ" => (TOWARDS, TOWARDS),
        ".RM" => (TOWARDS, AWAY),
        ".RP" => (AWAY, TOWARDS),
        _ => (NEAREST, NEAREST),
    };
    let (low, high) = (least.register(0), least.register(1));
    code.copy(low, number(positive.0));
    code.copy(high, number(positive.1));
    if positive != negative {
        let sign = code.flag();
        let text = "ISETP.LT.AND P0, PT, R0, RZ, PT";
        code.step(text, &[sign, a.register(1)]);
        code.copy_if(Some((sign, false)), low, number(negative.0));
        code.copy_if(Some((sign, false)), high, number(negative.1));
    }
    code.step("DSETP.LT.AND P0, PT, |R0|, R0, PT", &[small, a, least]);
    let text = "LOP3.LUT R0, R0, 0x80000000, RZ, 0xc0, !PT";
    code.step(text, &[zero, a.register(1)]);
    code.step("SEL R0, R0, R0, P0", &[result, zero, usual, small]);
}

pub(super) fn emit(
    source: &Source,
    code: &mut Code,
    to: ScalarType,
    from: ScalarType,
) -> Option<()> {
    use ScalarType::{Bf16, Bf16x2, F16, F16x2, F32, F64};
    let (d, a) = (ptx("d"), ptx("a"));
    let ftz = if source.has("ftz") { ".FTZ" } else { "" };
    let rounding = float_rounding(source);
    let limits = limits(source);
    let result = unsaturated(source, code, to);
    match (to, from) {
        _ if to == from && source.choice().token("irnd").is_some() => {
            let rounding = integer_rounding(source);
            let text = format!("FRND{ftz}{}{rounding} R0, R0", format(to)?);
            code.step(text, &[result, a]);
        }
        (F32, F32) if ftz.is_empty() => code.copy(result, a),
        (F32, F32) => code.step("FADD.FTZ R0, R0, -RZ", &[result, a]),
        (F64, F64) => {
            code.copy(result.register(0), a.register(0));
            code.copy(result.register(1), a.register(1));
        }
        // What is not a number becomes the one that has all bits.
        (F16, F16) => code.step("HADD2 R0, R0.H0_H0, -RZ.H0_H0", &[result, a]),
        (Bf16, Bf16) => {
            code.step("HFMA2.BF16_V2 R0, -RZ.H0_H0, RZ.H0_H0, R0.H0_H0", &[d, a]);
        }
        (F32, F64) if ftz.is_empty() => {
            code.step(format!("F2F.F32.F64{rounding} R0, R0"), &[result, a]);
        }
        (F32, F64) => flushed_double(code, rounding, result),
        (F64, F32) => {
            let from = flushed(source, code, a);
            code.step("F2F.F64.F32 R0, R0", &[result, from]);
        }
        (F64, F16 | Bf16) => {
            let text = format!("F2F.F64{} R0, R0", format(from)?);
            code.step(text, &[result, a]);
        }
        (F16 | Bf16, F64) | (Bf16, F16) | (F16, Bf16) => {
            let (to, from) = (format(to)?, format(from)?);
            code.step(format!("F2F{to}{from}{rounding} R0, R0"), &[result, a]);
        }
        (F32, F16) => code.step("HADD2.F32 R0, -RZ, R0.H0_H0", &[result, a]),
        (F32, Bf16) if ftz.is_empty() => code.step("SHF.L.U32 R0, R0, 0x10, RZ", &[result, a]),
        (F32, Bf16) => {
            let single = code.word();
            code.step("SHF.L.U32 R0, R0, 0x10, RZ", &[single, a]);
            code.step("FADD.FTZ R0, R0, -RZ", &[result, single]);
        }
        // What packs numbers neither flushes nor rounds towards an infinity. Of a half a subnormal single is zero in any
        // case.
        (F16, F32) if matches!(rounding, ".RM" | ".RP") => {
            code.step(format!("F2F.F16.F32{rounding} R0, R0"), &[result, a]);
        }
        (Bf16, F32) if !ftz.is_empty() || matches!(rounding, ".RM" | ".RP") => {
            code.step(format!("F2F{ftz}.BF16.F32{rounding} R0, R0"), &[d, a]);
        }
        (F16 | Bf16, F32) => {
            let to = format(to)?;
            let text = format!("F2FP{limits}{to}.F32.PACK_AB{rounding} R0, RZ, R0");
            code.step(text, &[result, a]);
        }
        (F16x2, F32) => {
            let text = format!("F2FP{limits}.F16.F32.PACK_AB{rounding} R0, R0, R0");
            code.step(text, &[d, a, ptx("b")]);
        }
        (Bf16x2, F32) => {
            let text = format!("F2FP{limits}.BF16.F32.PACK_AB{rounding} R0, R0, R0");
            code.step(text, &[d, a, ptx("b")]);
        }
        _ => return None,
    }
    let has_limits = !limits.is_empty();
    let takes_limits = from == F32 && matches!(to, F16 | Bf16 | F16x2 | Bf16x2);
    if has_limits && !(takes_limits && ftz.is_empty() && matches!(rounding, "" | ".RZ")) {
        return None;
    }
    saturate(source, code, to, result)
}

/// What is done to results that are too large or negative.
fn limits(source: &Source) -> &'static str {
    match (source.has("satfinite"), source.has("relu")) {
        (true, true) => ".SATFINITE.RELU",
        (true, false) => ".SATFINITE",
        (false, true) => ".RELU",
        (false, false) => "",
    }
}

/// To and from formats that come in pairs, and to singles with few bits.
pub(super) fn packed(
    source: &Source,
    code: &mut Code,
    to: ScalarType,
    from: ScalarType,
) -> Option<()> {
    use ScalarType::{F16x2, F32, Tf32};
    let (d, a, b) = (ptx("d"), ptx("a"), ptx("b"));
    let limits = limits(source);
    let small = |ty: ScalarType| match ty {
        ScalarType::E4m3x2 => Some(".E4M3"),
        ScalarType::E5m2x2 => Some(".E5M2"),
        _ => None,
    };
    match (to, from) {
        (Tf32, F32) if source.has("rna") => to_tf32(source, code)?,
        (Tf32, F32) if !source.has("satfinite") => {
            let rounding = float_rounding(source);
            let text = format!("F2FP{limits}.TF32.F32.PACK_B{rounding} R0, R0");
            code.step(text, &[d, a]);
        }
        (_, F32) => {
            let to = small(to)?;
            let text = format!("F2FP{limits}{to}.F32.PACK_AB_MERGE_C R0, R0, R0, RZ");
            code.step(text, &[d, a, b]);
        }
        (_, F16x2) => {
            let to = small(to)?;
            let text = format!("F2FP{limits}{to}.F16.UNPACK_B_MERGE_C R0, R0, RZ");
            code.step(text, &[d, a]);
        }
        (F16x2, _) => {
            let from = small(from)?;
            let text = format!("F2FP{limits}.F16{from}.UNPACK_B R0, R0");
            code.step(text, &[d, a]);
        }
        _ => return None,
    }
    Some(())
}

/// `cvt.rna.tf32.f32`: half of the last place is added to what is finite, and the rest is cut. With `.satfinite` what is
/// not finite then goes down by a place: an infinity becomes the largest number.
fn to_tf32(source: &Source, code: &mut Code) -> Option<()> {
    const FINITE: &str = "FSETP.GEU.AND P0, PT, |R0|, +INF , PT";
    if source.has("relu") {
        return None;
    }
    let (sum, large, cut) = (code.word(), code.flag(), code.word());
    code.step(FINITE, &[large, ptx("a")]);
    code.copy(sum, ptx("a"));
    let text = "IADD3 R0, R0, 0x1000, RZ";
    code.guarded(Some((large, true)), text, &[sum, sum]);
    let text = "LOP3.LUT R0, R0, 0xffffe000, RZ, 0xc0, !PT";
    code.step(text, &[cut, sum]);
    if source.has("satfinite") {
        let above = code.flag();
        code.step(FINITE, &[above, cut]);
        let text = "IADD3 R0, R0, -0x2000, RZ";
        code.guarded(Some((above, false)), text, &[cut, cut]);
    }
    code.copy(ptx("d"), cut);
    Some(())
}
