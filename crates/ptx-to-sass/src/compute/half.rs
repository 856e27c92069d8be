//! Half precision and `bf16`, single and in pairs.

use crate::code::{Code, ptx};
use crate::source::Source;
use crate::wired::Operand;
use warpc_ptx::types::ScalarType;

/// Whether a type is one number in the low half of its register.
fn is_single(ty: ScalarType) -> bool {
    matches!(ty, ScalarType::F16 | ScalarType::Bf16)
}

fn is_bf16(ty: ScalarType) -> bool {
    matches!(ty, ScalarType::Bf16 | ScalarType::Bf16x2)
}

pub(super) fn emit(source: &Source, code: &mut Code, ty: ScalarType) -> Option<()> {
    let (d, a, b, c) = (ptx("d"), ptx("a"), ptx("b"), ptx("c"));
    let half = if is_single(ty) { ".H0_H0" } else { "" };
    let format = if is_bf16(ty) { ".BF16_V2" } else { "" };
    let ftz = if source.has("ftz") { ".FTZ" } else { "" };
    let sat = if source.has("sat") { ".SAT" } else { "" };
    let relu = if source.has("relu") { ".RELU" } else { "" };
    let outside = if source.has("oob") { ".OOB" } else { "" };
    let more = format!("{format}{ftz}{outside}{relu}{sat}");
    match source.opcode() {
        // There is no sum of these: a product with one.
        "add" if is_bf16(ty) => {
            code.step(
                format!("HFMA2{more} R0, R0{half}, 1, 1, R0{half}"),
                &[d, a, b],
            );
        }
        "sub" if is_bf16(ty) => {
            code.step(
                format!("HFMA2{more} R0, R0{half}, 1, 1, -R0{half}"),
                &[d, a, b],
            );
        }
        "mul" if is_bf16(ty) => {
            code.step(format!("HMUL2{more} R0, R0{half}, R0{half}"), &[d, a, b]);
        }
        "add" => code.step(format!("HADD2{more} R0, R0{half}, R0{half}"), &[d, a, b]),
        "sub" => code.step(format!("HADD2{more} R0, R0{half}, -R0{half}"), &[d, a, b]),
        "mul" => code.step(format!("HMUL2{more} R0, R0{half}, R0{half}"), &[d, a, b]),
        "fma" => {
            let text = format!("HFMA2{more} R0, R0{half}, R0{half}, R0{half}");
            code.step(text, &[d, a, b, c]);
        }
        // What is not a number becomes the one that has all bits.
        "neg" if is_bf16(ty) => {
            code.step(
                format!("HFMA2{more} R0, -RZ.H0_H0, RZ.H0_H0, -R0{half}"),
                &[d, a],
            );
        }
        "abs" if is_bf16(ty) => {
            code.step(
                format!("HFMA2{more} R0, -RZ.H0_H0, RZ.H0_H0, |R0|{half}"),
                &[d, a],
            );
        }
        "neg" => code.step(format!("HADD2{more} R0, -R0{half}, -RZ.H0_H0"), &[d, a]),
        "abs" => code.step(format!("HADD2{more} R0, |R0|{half}, -RZ.H0_H0"), &[d, a]),
        "min" | "max" => {
            if source.operand("c").is_some() {
                return None;
            }
            let nan = if source.has("NaN") { ".NAN" } else { "" };
            let which = if source.opcode() == "min" {
                "PT"
            } else {
                "!PT"
            };
            // The sign is that of the product.
            let text = match source.has("xorsign") {
                true => {
                    format!("HMNMX2{format}{ftz}{nan}.XORSIGN R0, |R0|{half}, |R0|{half}, {which}")
                }
                false => format!("HMNMX2{format}{ftz}{nan} R0, R0{half}, R0{half}, {which}"),
            };
            code.step(text, &[d, a, b]);
        }
        _ => return None,
    }
    Some(())
}

/// A comparison of halves into predicates: of pairs each half has its own.
pub(super) fn compare(
    source: &Source,
    code: &mut Code,
    ty: ScalarType,
    to: [Option<Operand>; 2],
) -> Option<()> {
    let how = source.choice().token("CmpOp")?.to_uppercase();
    let combine = source
        .choice()
        .token("BoolOp")
        .unwrap_or(".and")
        .to_uppercase();
    let half = if is_single(ty) { ".H0_H0" } else { "" };
    let format = if is_bf16(ty) { ".BF16_V2" } else { "" };
    let ftz = if source.has("ftz") { ".FTZ" } else { "" };
    let [first, second] = to;
    if is_single(ty) && second.is_some() {
        return None;
    }
    let mut operands = vec![first.unwrap_or_else(|| code.flag())];
    if !is_single(ty) {
        operands.push(second.unwrap_or_else(|| code.flag()));
    }
    operands.extend([ptx("a"), ptx("b")]);
    let second = if is_single(ty) { "PT" } else { "P0" };
    let last = match source.operand("c") {
        Some(_) => {
            operands.push(ptx("c"));
            "P0"
        }
        None => "PT",
    };
    let text =
        format!("HSETP2{format}{how}{ftz}{combine} P0, {second}, R0{half}, R0{half}, {last}");
    code.step(text, &operands);
    Some(())
}

/// Whether a type is a number in half a register.
pub(super) fn is_half(ty: ScalarType) -> bool {
    is_single(ty)
}

/// Whether a type is two of them.
pub(super) fn is_pair(ty: ScalarType) -> bool {
    matches!(ty, ScalarType::F16x2 | ScalarType::Bf16x2)
}

/// What `set` gives where the comparison holds, by the type of the result.
pub(super) fn truth(ty: ScalarType) -> Option<u32> {
    Some(match ty {
        ScalarType::F32 => 0x3f80_0000,
        ScalarType::F16 => 0x3c00,
        ScalarType::Bf16 => 0x3f80,
        ty if ty.is_integer() && ty.bits() == 32 => u32::MAX,
        ty if ty.is_integer() && ty.bits() == 16 => 0xffff,
        _ => return None,
    })
}

/// `set` of pairs: a half for each.
pub(super) fn set_pair(
    source: &Source,
    code: &mut Code,
    to: ScalarType,
    from: ScalarType,
) -> Option<()> {
    let one = match to {
        ScalarType::F16x2 => 0x3c00,
        ScalarType::Bf16x2 => 0x3f80,
        ty if ty.bits() == 32 && !ty.is_float() => 0xffff,
        _ => return None,
    };
    // Ones in the format of what is compared, or all bits.
    if !is_pair(to) || is_bf16(to) == is_bf16(from) {
        let token = |name: &str| source.choice().token(name).map(str::to_uppercase);
        let how = token("CmpOp")?;
        let combine = token("BoolOp").unwrap_or(".AND".to_owned());
        let format = if is_bf16(from) { ".BF16_V2" } else { "" };
        let ones = if is_pair(to) { ".BF" } else { "" };
        let ftz = if source.has("ftz") { ".FTZ" } else { "" };
        let mut operands = vec![ptx("d"), ptx("a"), ptx("b")];
        let last = match source.operand("c") {
            Some(_) => {
                operands.push(ptx("c"));
                "P0"
            }
            None => "PT",
        };
        code.step(
            format!("HSET2{format}{ones}{how}{ftz}{combine} R0, R0, R0, {last}"),
            &operands,
        );
        return Some(());
    }
    let (low, high) = (code.flag(), code.flag());
    compare(source, code, from, [Some(low), Some(high)])?;
    let (first, second) = (code.word(), code.word());
    code.step(format!("SEL R0, RZ, {one:#x}, !P0"), &[first, low]);
    code.step(format!("SEL R0, RZ, {one:#x}, !P0"), &[second, high]);
    code.step("PRMT R0, R0, 0x5410, R0", &[ptx("d"), first, second]);
    Some(())
}

/// `ex2` and `tanh` of halves, one at a time.
pub(super) fn approximate(source: &Source, code: &mut Code, ty: ScalarType) -> Option<()> {
    let (d, a) = (ptx("d"), ptx("a"));
    let name = match (source.opcode(), is_bf16(ty)) {
        ("tanh", false) => "MUFU.TANH.F16",
        ("tanh", true) => "MUFU.TANH.BF16",
        ("ex2", false) => "MUFU.EX2.F16",
        ("ex2", true) => "MUFU.EX2.BF16",
        _ => return None,
    };
    if is_single(ty) {
        code.step(format!("{name} R0, R0"), &[d, a]);
        return Some(());
    }
    let (low, high) = (code.word(), code.word());
    code.step(format!("{name} R0, R0"), &[low, a]);
    code.step(format!("{name} R0, R0.H1"), &[high, a]);
    code.step("PRMT R0, R0, 0x5410, R0", &[d, low, high]);
    Some(())
}
