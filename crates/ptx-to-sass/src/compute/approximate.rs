//! The functions that the machine approximates (`MUFU`).
//!
//! The unit takes subnormal numbers for zero and gives none. Where PTX does not say `.ftz`, the operand is scaled by a
//! power of two before and the result after, by the same factors as ptxas does, so that the results have the same bits.

use crate::code::{Code, ptx};
use crate::source::Source;
use crate::wired::Operand;
use warpc_ptx::types::ScalarType;

/// The bits of 2^-126, the smallest normal number; of 2^24, 2^126 and others.
const SMALLEST: &str = "1.175494350822287508e-38";
const TO_24: &str = "16777216";
const LARGE: &str = "8.50705917302346158658e+37";

pub(super) fn emit(source: &Source, code: &mut Code) -> Option<()> {
    let ty = source.ty_of(&["type"])?;
    let (d, a) = (ptx("d"), ptx("a"));
    if !source.has("approx") {
        return match source.opcode() {
            "rcp" => super::divide::reciprocal(source, code, ty),
            "sqrt" => super::divide::root(source, code, ty),
            _ => None,
        };
    }
    match ty {
        ScalarType::F64 => return double(source, code),
        ScalarType::F16 | ScalarType::F16x2 | ScalarType::Bf16 | ScalarType::Bf16x2 => {
            return super::half::approximate(source, code, ty);
        }
        _ => {}
    }
    let flushes = source.has("ftz");
    match source.opcode() {
        "rcp" if flushes => code.step("MUFU.RCP R0, R0", &[d, a]),
        "rcp" => {
            let (scaled, result) = (code.word(), code.word());
            let (small, large) = (is_small(code, a), code.flag());
            code.step(
                format!("FSETP.GT.AND P0, PT, |R0|, {LARGE}, PT"),
                &[large, a],
            );
            let factor = select_factor(code, 0x4b80_0000, None, small);
            let factor = select_factor(code, 0x3e80_0000, Some(factor), large);
            code.step("FMUL R0, R0, R0", &[scaled, a, factor]);
            code.step("MUFU.RCP R0, R0", &[result, scaled]);
            code.step("FMUL R0, R0, R0", &[d, factor, result]);
        }
        "sqrt" if flushes => code.step("MUFU.SQRT R0, R0", &[d, a]),
        "rsqrt" if flushes => code.step("MUFU.RSQ R0, R0", &[d, a]),
        "lg2" if flushes => code.step("MUFU.LG2 R0, R0", &[d, a]),
        "sqrt" => scaled(code, "MUFU.SQRT", "FMUL R0, R0, 0.000244140625"),
        "rsqrt" => scaled(code, "MUFU.RSQ", "FMUL R0, R0, 4096"),
        "lg2" => scaled(code, "MUFU.LG2", "FADD R0, R0, -24"),
        "ex2" if flushes => {
            code.step("MUFU.EX2 R0, R0", &[d, a]);
        }
        "ex2" => {
            let (x, y, small) = (code.word(), code.word(), code.flag());
            code.step("FSETP.LT.AND P0, PT, R0, -126, PT", &[small, a]);
            code.copy(x, a);
            let when = Some((small, false));
            code.guarded(when, "FMUL R0, R0, 0.5", &[x, x]);
            code.step("MUFU.EX2 R0, R0", &[y, x]);
            code.guarded(when, "FMUL R0, R0, R0", &[y, y, y]);
            code.copy(d, y);
        }
        "sin" | "cos" => {
            let turns = code.word();
            let ftz = if flushes { ".FTZ" } else { "" };
            let text = format!("FMUL{ftz}.RZ R0, R0, 0.15915493667125701904");
            code.step(text, &[turns, a]);
            let name = source.opcode().to_uppercase();
            code.step(format!("MUFU.{name} R0, R0"), &[d, turns]);
        }
        "tanh" => code.step("MUFU.TANH R0, R0", &[d, a]),
        _ => return None,
    }
    Some(())
}

/// Whether a number is zero or subnormal; what is not a number is not.
fn is_small(code: &mut Code, of: Operand) -> Operand {
    let small = code.flag();
    code.step(
        format!("FSETP.LT.AND P0, PT, |R0|, {SMALLEST}, PT"),
        &[small, of],
    );
    small
}

/// A function of a number that is multiplied by 2^24 where it is subnormal.
fn scaled(code: &mut Code, function: &str, undo: &str) {
    let (d, a) = (ptx("d"), ptx("a"));
    let small = is_small(code, a);
    let (x, y) = (code.word(), code.word());
    let when = Some((small, false));
    code.copy(x, a);
    code.guarded(when, format!("FMUL R0, R0, {TO_24}"), &[x, x]);
    code.step(format!("{function} R0, R0"), &[y, x]);
    code.guarded(when, undo, &[y, y]);
    code.copy(d, y);
}

/// The upper word of the result from the upper word of the operand.
fn double(source: &Source, code: &mut Code) -> Option<()> {
    let (d, a) = (ptx("d"), ptx("a"));
    let name = match source.opcode() {
        "rcp" => "MUFU.RCP64H",
        "rsqrt" if source.has("ftz") => "MUFU.RSQ64H",
        "rsqrt" => {
            super::double::approximate_inverse_root(code);
            return Some(());
        }
        _ => return None,
    };
    code.step(format!("{name} R0, R0"), &[d.register(1), a.register(1)]);
    code.copy(d.register(0), super::number(0));
    Some(())
}

/// `div.approx` and `div.full`: the dividend times an approximate reciprocal, both scaled.
///
/// What depends on the divisor alone is made of values, so that quotients by the same divisor share it, and the factor is
/// selected: a guard would be waited for three times as long.
pub(super) fn quotient(source: &Source, code: &mut Code) {
    let (d, a, b) = (ptx("d"), ptx("a"), ptx("b"));
    let inverse = code.word();
    let ftz = if source.has("ftz") { ".FTZ" } else { "" };
    let mut factor = None;
    if source.has("full") {
        let large = code.flag();
        let text = format!("FSETP.GT{ftz}.AND P0, PT, |R0|, {LARGE}, PT");
        code.step(text, &[large, b]);
        factor = Some(select_factor(code, 0x3e80_0000, None, large));
    }
    if !source.has("ftz") {
        let small = is_small(code, b);
        factor = Some(select_factor(code, 0x4b80_0000, factor, small));
    }
    let Some(factor) = factor else {
        code.step("MUFU.RCP R0, R0", &[inverse, b]);
        code.step(format!("FMUL{ftz} R0, R0, R0"), &[d, inverse, a]);
        return;
    };
    let (x, y) = (code.word(), code.word());
    code.step(format!("FMUL{ftz} R0, R0, R0"), &[y, b, factor]);
    code.step("MUFU.RCP R0, R0", &[inverse, y]);
    code.step(format!("FMUL{ftz} R0, R0, R0"), &[x, a, factor]);
    code.step(format!("FMUL{ftz} R0, R0, R0"), &[d, inverse, x]);
}

/// A factor where a flag is set, else another one, or 1.
fn select_factor(
    code: &mut Code,
    factor: i64,
    otherwise: Option<Operand>,
    when: Operand,
) -> Operand {
    let selected = code.word();
    let otherwise = otherwise.unwrap_or_else(|| {
        let one = code.word();
        code.copy(one, super::number(0x3f80_0000));
        one
    });
    let parts = [selected, otherwise, super::number(factor), when];
    code.step("SEL R0, R0, R0, !P0", &parts);
    selected
}
