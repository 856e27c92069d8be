//! Logic and shifts.

use super::is_signed;
use crate::code::{Code, ptx};
use crate::source::Source;
use warpc_ptx::types::ScalarType;

pub(super) fn emit(source: &Source, code: &mut Code) -> Option<()> {
    let (d, a, b) = (ptx("d"), ptx("a"), ptx("b"));
    let opcode = source.opcode();
    match opcode {
        "lop3" => return table(source, code),
        "shf" => {
            let (left, wrap) = (source.has("l"), if source.has("wrap") { ".W" } else { "" });
            let text = match left {
                true => format!("SHF.L{wrap}.U32.HI R0, R0, R0, R0"),
                false => format!("SHF.R{wrap}.U32 R0, R0, R0, R0"),
            };
            code.step(text, &[d, a, ptx("c"), b]);
            return Some(());
        }
        "prmt" => {
            let mode = source.choice().token("mode").unwrap_or("").to_uppercase();
            code.step(format!("PRMT{mode} R0, R0, R0, R0"), &[d, a, ptx("c"), b]);
            return Some(());
        }
        _ => {}
    }
    let ty = source.ty_of(&["type"])?;
    let wide = ty.bits() == 64;
    if ty == ScalarType::Pred {
        return predicate(opcode, code);
    }
    match opcode {
        "and" | "or" | "xor" => {
            let text = match opcode {
                "and" => "LOP3.LUT R0, R0, R0, RZ, 0xc0, !PT",
                "or" => "LOP3.LUT R0, R0, R0, RZ, 0xfc, !PT",
                _ => "LOP3.LUT R0, R0, R0, RZ, 0x3c, !PT",
            };
            for half in 0..ty.bits().div_ceil(32) as u8 {
                let parts = [d.register(half), a.register(half), b.register(half)];
                code.step(text, &parts);
            }
        }
        "not" => {
            for half in 0..ty.bits().div_ceil(32) as u8 {
                let parts = [d.register(half), a.register(half)];
                code.step("LOP3.LUT R0, RZ, R0, RZ, 0x33, !PT", &parts);
            }
        }
        "cnot" if wide => {
            let (all, flag) = (code.word(), code.flag());
            let both = [all, a.register(0), a.register(1)];
            code.step("LOP3.LUT R0, R0, R0, RZ, 0xfc, !PT", &both);
            code.step("ISETP.EQ.AND P0, PT, R0, RZ, PT", &[flag, all]);
            code.step("SEL R0, RZ, 0x1, !P0", &[d.register(0), flag]);
            code.copy(d.register(1), super::number(0));
        }
        "cnot" => {
            let (from, flag) = (code.widened("a", unsigned(ty)), code.flag());
            code.step("ISETP.EQ.AND P0, PT, R0, RZ, PT", &[flag, from]);
            code.step("SEL R0, RZ, 0x1, !P0", &[d, flag]);
        }
        "shl" if wide => code.shift_left_64(d, a, b),
        "shr" if wide => code.shift_right_64(d, a, b, is_signed(ty)),
        "shl" => code.step("SHF.L.U32 R0, R0, R0, RZ", &[d, a, b]),
        "shr" => {
            let from = code.widened("a", unsigned(ty));
            let text = match is_signed(ty) {
                true => "SHF.R.S32.HI R0, RZ, R0, R0",
                false => "SHF.R.U32.HI R0, RZ, R0, R0",
            };
            code.step(text, &[d, b, from]);
        }
        _ => return None,
    }
    Some(())
}

/// Plain bits are shifted as numbers without a sign.
fn unsigned(ty: ScalarType) -> ScalarType {
    match ty {
        ScalarType::B16 => ScalarType::U16,
        ScalarType::B32 => ScalarType::U32,
        ty => ty,
    }
}

/// Logic of predicates. The table of `PLOP3` has a bit for each of the eight cases, as that of `LOP3`.
fn predicate(opcode: &str, code: &mut Code) -> Option<()> {
    let (d, a, b) = (ptx("d"), ptx("a"), ptx("b"));
    match opcode {
        "and" => code.step("PLOP3.LUT P0, PT, P0, P0, PT, 0x80, 0x0", &[d, a, b]),
        "or" => code.step("PLOP3.LUT P0, PT, P0, P0, PT, 0xa8, 0x0", &[d, a, b]),
        "xor" => code.step("PLOP3.LUT P0, PT, P0, P0, PT, 0x28, 0x0", &[d, a, b]),
        "not" => code.step("PLOP3.LUT P0, PT, P0, PT, PT, 0x8, 0x0", &[d, a]),
        _ => return None,
    }
    Some(())
}

/// `lop3` with any table.
fn table(source: &Source, code: &mut Code) -> Option<()> {
    let (a, b, c) = (ptx("a"), ptx("b"), ptx("c"));
    let bits = source.operand("immLut")?.constant()? & 0xff;
    let d = match source.has_result("d") {
        true => ptx("d"),
        false => code.word(),
    };
    if source.choice().token("BoolOp").is_none() {
        let text = format!("LOP3.LUT R0, R0, R0, R0, {bits:#x}, !PT");
        code.step(text, &[d, a, b, c]);
        return Some(());
    }
    let flag = code.flag();
    let text = format!("LOP3.LUT R0, R0, R0, R0, {bits:#x}, !PT");
    code.step(text, &[d, a, b, c]);
    code.step("ISETP.NE.AND P0, PT, R0, RZ, PT", &[flag, d]);
    let text = match source.has("and") {
        true => "PLOP3.LUT P0, PT, P0, P0, PT, 0x80, 0x0",
        false => "PLOP3.LUT P0, PT, P0, P0, PT, 0xa8, 0x0",
    };
    code.step(text, &[ptx("p"), flag, ptx("q")]);
    Some(())
}
