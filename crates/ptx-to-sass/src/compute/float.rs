//! Arithmetic in single and double precision; divisions and roots that are rounded right are in `divide.rs`.

use crate::code::{Code, ptx};
use crate::source::Source;
use warpc_ptx::types::ScalarType;

/// The modifiers of an operation of single precision: flushing, rounding, saturation.
fn modifiers(source: &Source) -> String {
    let rounding = match source.choice().token("rnd") {
        Some(".rz") => ".RZ",
        Some(".rm") => ".RM",
        Some(".rp") => ".RP",
        _ => "",
    };
    let ftz = if source.has("ftz") { ".FTZ" } else { "" };
    let sat = if source.has("sat") { ".SAT" } else { "" };
    format!("{ftz}{rounding}{sat}")
}

pub(super) fn emit(source: &Source, code: &mut Code, ty: ScalarType) -> Option<()> {
    let (d, c) = (ptx("d"), ptx("c"));
    // The machine has numbers in the second place only; of several that are not numbers, which one comes out depends on
    // the places.
    let (a, b) = match (source.opcode(), source.is_number("a")) {
        ("add" | "mul" | "fma" | "mad", true) => (ptx("b"), ptx("a")),
        _ => (ptx("a"), ptx("b")),
    };
    let more = modifiers(source);
    let ftz = if source.has("ftz") { ".FTZ" } else { "" };
    let single = ty == ScalarType::F32;
    match (source.opcode(), single) {
        ("add", true) => code.step(format!("FADD{more} R0, R0, R0"), &[d, a, b]),
        ("sub", true) => code.step(format!("FADD{more} R0, R0, -R0"), &[d, a, b]),
        ("mul", true) => code.step(format!("FMUL{more} R0, R0, R0"), &[d, a, b]),
        ("fma" | "mad", true) => code.step(format!("FFMA{more} R0, R0, R0, R0"), &[d, a, b, c]),
        ("add", false) => code.step(format!("DADD{more} R0, R0, R0"), &[d, a, b]),
        ("sub", false) => code.step(format!("DADD{more} R0, R0, -R0"), &[d, a, b]),
        ("mul", false) => code.step(format!("DMUL{more} R0, R0, R0"), &[d, a, b]),
        ("fma" | "mad", false) => code.step(format!("DFMA{more} R0, R0, R0, R0"), &[d, a, b, c]),
        ("abs", true) => code.step(format!("FADD{ftz} R0, |R0|, -RZ"), &[d, a]),
        ("neg", true) => code.step(format!("FADD{ftz} R0, -R0, -RZ"), &[d, a]),
        ("abs", false) => code.step("DADD R0, -RZ, |R0|", &[d, a]),
        ("neg", false) => code.step("DADD R0, -RZ, -R0", &[d, a]),
        ("min" | "max", true) => {
            if source.operand("c").is_some() {
                return None;
            }
            let nan = if source.has("NaN") { ".NAN" } else { "" };
            let sign = if source.has("xorsign") {
                ".XORSIGN"
            } else {
                ""
            };
            let which = if source.opcode() == "min" {
                "PT"
            } else {
                "!PT"
            };
            let text = match source.has("xorsign") {
                true => format!("FMNMX{ftz}{nan}{sign} R0, |R0|, |R0|, {which}"),
                false => format!("FMNMX{ftz}{nan} R0, R0, R0, {which}"),
            };
            code.step(text, &[d, a, b]);
        }
        ("min" | "max", false) => extreme_64(source, code),
        ("div", _) => return super::divide::divide_float(source, code, ty),
        _ => return None,
    }
    Some(())
}

/// Whether an instruction is a sum or product of which the manual says that it may be rounded together with another: one
/// that does not name its rounding.
pub(crate) fn may_contract(source: &Source) -> bool {
    use ScalarType::{Bf16, Bf16x2, F16, F16x2, F32, F64};
    let ty = source.ty_of(&["type"]);
    matches!(source.opcode(), "add" | "sub" | "mul")
        && ty.is_some_and(|ty| matches!(ty, F16 | F16x2 | Bf16 | Bf16x2 | F32 | F64))
        && source.choice().token("rnd").is_none()
        && !source.has("rn")
}

/// The first predicate of `DSETP.MIN` says which one it is, the second that neither is a number: then the second
/// operand is made quiet.
fn extreme_64(source: &Source, code: &mut Code) {
    let (d, a, b) = (ptx("d"), ptx("a"), ptx("b"));
    let (first, neither, high, quiet) = (code.flag(), code.flag(), code.word(), code.word());
    let name = if source.opcode() == "min" {
        "MIN"
    } else {
        "MAX"
    };
    let operands = [first, neither, a, b];
    code.step(format!("DSETP.{name}.AND P0, P0, R0, R0, PT"), &operands);
    let halves = [high, a.register(1), b.register(1), first];
    code.step("SEL R0, R0, R0, P0", &halves);
    code.step(
        "LOP3.LUT R0, R0, 0x80000, RZ, 0xfc, !PT",
        &[quiet, b.register(1)],
    );
    let low = [d.register(0), a.register(0), b.register(0), first];
    code.step("SEL R0, R0, R0, P0", &low);
    code.step("SEL R0, R0, R0, P0", &[d.register(1), quiet, high, neither]);
}
