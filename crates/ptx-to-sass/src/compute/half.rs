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
    let more = format!("{format}{ftz}{relu}{sat}");
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
            if source.has("oob") {
                return None;
            }
            let text = format!("HFMA2{more} R0, R0{half}, R0{half}, R0{half}");
            code.step(text, &[d, a, b, c]);
        }
        "neg" if ftz.is_empty() => sign(code, d, a, "0x3c", 0x8000_8000, ty),
        "abs" if ftz.is_empty() => sign(code, d, a, "0xc0", 0x7fff_7fff, ty),
        "min" | "max" => {
            if source.has("xorsign") || source.operand("c").is_some() {
                return None;
            }
            let nan = if source.has("NaN") { ".NAN" } else { "" };
            let which = if source.opcode() == "min" {
                "PT"
            } else {
                "!PT"
            };
            let text = format!("HMNMX2{format}{ftz}{nan} R0, R0{half}, R0{half}, {which}");
            code.step(text, &[d, a, b]);
        }
        _ => return None,
    }
    Some(())
}

/// Changes the signs by their bits.
fn sign(code: &mut Code, d: Operand, a: Operand, table: &str, bits: u32, ty: ScalarType) {
    let bits = match (is_single(ty), table) {
        (true, "0x3c") => bits & 0xffff,
        _ => bits,
    };
    code.step(
        format!("LOP3.LUT R0, R0, {bits:#x}, RZ, {table}, !PT"),
        &[d, a],
    );
}

/// `setp` of halves: of pairs each half has its own predicate.
pub(super) fn compare(source: &Source, code: &mut Code, ty: ScalarType) -> Option<()> {
    let how = source.choice().token("CmpOp")?.to_uppercase();
    let combine = source
        .choice()
        .token("BoolOp")
        .unwrap_or(".and")
        .to_uppercase();
    let half = if is_single(ty) { ".H0_H0" } else { "" };
    let format = if is_bf16(ty) { ".BF16_V2" } else { "" };
    let ftz = if source.has("ftz") { ".FTZ" } else { "" };
    let mut operands = Vec::new();
    let place = |operands: &mut Vec<Operand>, name: &'static str, code: &mut Code| {
        let wanted = source.operand(name).is_some() && source.has_result(name);
        operands.push(match wanted {
            true => ptx(name),
            false => code.flag(),
        });
    };
    place(&mut operands, "p", code);
    if !is_single(ty) {
        place(&mut operands, "q", code);
    } else if source.operand("q").is_some() {
        return None;
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

/// `ex2` and `tanh` of halves, one at a time.
pub(super) fn approximate(source: &Source, code: &mut Code, ty: ScalarType) -> Option<()> {
    let (d, a) = (ptx("d"), ptx("a"));
    let name = match source.opcode() {
        "tanh" => "MUFU.TANH.F16",
        "ex2" => "MUFU.EX2.F16",
        _ => return None,
    };
    if is_bf16(ty) {
        return None;
    }
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
