//! Comparisons and selections.

use super::is_signed;
use crate::code::{Code, ptx};
use crate::source::Source;
use crate::wired::Operand;
use warpc_ptx::types::ScalarType;

pub(super) fn emit(source: &Source, code: &mut Code) -> Option<()> {
    let ty = source.ty_of(&["type"])?;
    match source.opcode() {
        "setp" => set_predicates(source, code, ty),
        "set" => set_number(source, code, ty),
        "selp" => {
            select(code, ty, ptx("c"));
            Some(())
        }
        "slct" => by_sign(source, code),
        "testp" => test(source, code, ty),
        "copysign" => {
            let (d, a, b) = (ptx("d"), ptx("a"), ptx("b"));
            let last = (ty.bits() / 32 - 1) as u8;
            if last == 1 {
                code.copy(d.register(0), b.register(0));
            }
            let parts = [d.register(last), a.register(last), b.register(last)];
            code.step("LOP3.LUT R0, R0, 0x80000000, R0, 0xe2, !PT", &parts);
            Some(())
        }
        _ => None,
    }
}

/// A comparison of PTX as the machine has it, and the opposite one.
fn comparison(word: &str, float: bool) -> Option<(&'static str, &'static str)> {
    Some(match (word, float) {
        ("eq", false) => ("EQ", "NE"),
        ("ne", false) => ("NE", "EQ"),
        ("lt" | "lo", false) => ("LT", "GE"),
        ("le" | "ls", false) => ("LE", "GT"),
        ("gt" | "hi", false) => ("GT", "LE"),
        ("ge" | "hs", false) => ("GE", "LT"),
        ("eq", true) => ("EQ", "NEU"),
        ("ne", true) => ("NE", "EQU"),
        ("lt", true) => ("LT", "GEU"),
        ("le", true) => ("LE", "GTU"),
        ("gt", true) => ("GT", "LEU"),
        ("ge", true) => ("GE", "LTU"),
        ("equ", true) => ("EQU", "NE"),
        ("neu", true) => ("NEU", "EQ"),
        ("ltu", true) => ("LTU", "GE"),
        ("leu", true) => ("LEU", "GT"),
        ("gtu", true) => ("GTU", "LE"),
        ("geu", true) => ("GEU", "LT"),
        ("num", true) => ("NUM", "NAN"),
        ("nan", true) => ("NAN", "NUM"),
        _ => return None,
    })
}

/// Sets a predicate to a comparison, combined with another predicate if there is one.
fn compare(
    source: &Source,
    code: &mut Code,
    ty: ScalarType,
    to: Operand,
    opposite: bool,
) -> Option<()> {
    let word = source.choice().token("CmpOp")?.strip_prefix('.')?;
    let (own, other) = comparison(word, ty.is_float())?;
    let how = if opposite { other } else { own };
    let combine = source
        .choice()
        .token("BoolOp")
        .unwrap_or(".and")
        .to_uppercase();
    // What the result is combined with.
    let with = source.operand("c").map(|_| ptx("c"));
    let (last, more): (&str, Vec<Operand>) = match with {
        Some(c) => ("P0", vec![c]),
        None => ("PT", Vec::new()),
    };
    let both = |first: &[Operand]| [first, &more].concat();
    let ftz = if source.has("ftz") { ".FTZ" } else { "" };
    let (a, b) = (ptx("a"), ptx("b"));
    match ty {
        ScalarType::F32 => {
            let text = format!("FSETP.{how}{ftz}{combine} P0, PT, R0, R0, {last}");
            code.step(text, &both(&[to, a, b]));
        }
        ScalarType::F64 => {
            let text = format!("DSETP.{how}{combine} P0, PT, R0, R0, {last}");
            code.step(text, &both(&[to, a, b]));
        }
        _ if ty.bits() == 64 => {
            let low = code.flag();
            let text = format!("ISETP.{how}.U32.AND P0, PT, R0, R0, PT");
            code.step(text, &[low, a.register(0), b.register(0)]);
            let sign = if is_signed(ty) { "" } else { ".U32" };
            let text = format!("ISETP.{how}{sign}{combine}.EX P0, PT, R0, R0, {last}, P0");
            let mut operands = both(&[to, a.register(1), b.register(1)]);
            operands.push(low);
            code.step(text, &operands);
        }
        _ if ty.is_float() => return None,
        _ => {
            let wider = match ty {
                ScalarType::B16 => ScalarType::U16,
                ty => ty,
            };
            let (a, b) = (code.widened("a", wider), code.widened("b", wider));
            let sign = if is_signed(ty) { "" } else { ".U32" };
            let text = format!("ISETP.{how}{sign}{combine} P0, PT, R0, R0, {last}");
            code.step(text, &both(&[to, a, b]));
        }
    }
    Some(())
}

fn set_predicates(source: &Source, code: &mut Code, ty: ScalarType) -> Option<()> {
    if super::half::is_half(ty) || super::half::is_pair(ty) {
        let wanted = |name: &'static str| {
            let is_wanted = source.operand(name).is_some() && source.has_result(name);
            is_wanted.then_some(ptx(name))
        };
        return super::half::compare(source, code, ty, [wanted("p"), wanted("q")]);
    }
    if source.has_result("p") {
        compare(source, code, ty, ptx("p"), false)?;
    }
    if source.operand("q").is_some() && source.has_result("q") {
        compare(source, code, ty, ptx("q"), true)?;
    }
    Some(())
}

/// All bits or none; of floating-point results 1.0 or 0.0.
fn set_number(source: &Source, code: &mut Code, ty: ScalarType) -> Option<()> {
    let mut types = source.words_seen().filter_map(ScalarType::find);
    let to = source.choice().scalar("dtype").or_else(|| types.next())?;
    let from = match source.choice().scalar("type") {
        Some(ty) => ty,
        None => ty,
    };
    if super::half::is_pair(from) || super::half::is_pair(to) {
        return super::half::set_pair(source, code, to, from);
    }
    let flag = code.flag();
    match super::half::is_half(from) {
        true => super::half::compare(source, code, from, [Some(flag), None])?,
        false => compare(source, code, from, flag, false)?,
    }
    let one = super::half::truth(to)?;
    code.step(format!("SEL R0, RZ, {one:#x}, !P0"), &[ptx("d"), flag]);
    Some(())
}

/// `d = flag ? a : b`
fn select(code: &mut Code, ty: ScalarType, flag: Operand) {
    let (d, a, b) = (ptx("d"), ptx("a"), ptx("b"));
    for half in 0..ty.bits().div_ceil(32) as u8 {
        let parts = [d.register(half), a.register(half), b.register(half), flag];
        code.step("SEL R0, R0, R0, P0", &parts);
    }
}

/// `slct`: by whether the third operand is not negative; a number that is not one is.
fn by_sign(source: &Source, code: &mut Code) -> Option<()> {
    let ty = source.choice().scalar("type")?;
    let flag = code.flag();
    let text = match (source.has("s32"), source.has("ftz")) {
        (_, true) => "FSETP.GE.FTZ.AND P0, PT, R0, RZ, PT",
        // The type of the operands may be `.s32`, too; the last type is that of the third.
        _ if source.words_seen().last() == Some("f32") => "FSETP.GE.AND P0, PT, R0, RZ, PT",
        _ => "ISETP.GE.AND P0, PT, R0, RZ, PT",
    };
    code.step(text, &[flag, ptx("c")]);
    select(code, ty, flag);
    Some(())
}

/// `testp`: by the bits without the sign.
fn test(source: &Source, code: &mut Code, ty: ScalarType) -> Option<()> {
    let (p, a) = (ptx("p"), ptx("a"));
    let how = source.choice().token("op")?;
    let double = ty == ScalarType::F64;
    let (infinity, smallest) = match double {
        true => (0x7ff0_0000u32, 0x0010_0000u32),
        false => (0x7f80_0000, 0x0080_0000),
    };
    let bits = code.word();
    let last = if double { a.register(1) } else { a };
    code.step("LOP3.LUT R0, R0, 0x7fffffff, RZ, 0xc0, !PT", &[bits, last]);
    // Whether the low word of a double has some bit.
    let low = |code: &mut Code| {
        let flag = code.flag();
        code.step(
            "ISETP.NE.U32.AND P0, PT, R0, RZ, PT",
            &[flag, a.register(0)],
        );
        flag
    };
    match (how, double) {
        (".finite", _) => {
            code.step(
                format!("ISETP.LT.U32.AND P0, PT, R0, {infinity:#x}, PT"),
                &[p, bits],
            );
        }
        (".infinite", false) => {
            code.step(
                format!("ISETP.EQ.U32.AND P0, PT, R0, {infinity:#x}, PT"),
                &[p, bits],
            );
        }
        (".infinite", true) => {
            let low = low(code);
            let text = format!("ISETP.EQ.U32.AND P0, PT, R0, {infinity:#x}, !P0");
            code.step(text, &[p, bits, low]);
        }
        (".number", false) => {
            code.step(
                format!("ISETP.LE.U32.AND P0, PT, R0, {infinity:#x}, PT"),
                &[p, bits],
            );
        }
        (".notanumber", false) => {
            code.step(
                format!("ISETP.GT.U32.AND P0, PT, R0, {infinity:#x}, PT"),
                &[p, bits],
            );
        }
        (".number", true) => code.step("DSETP.NUM.AND P0, PT, R0, R0, PT", &[p, a, a]),
        (".notanumber", true) => code.step("DSETP.NAN.AND P0, PT, R0, R0, PT", &[p, a, a]),
        // Zero counts as normal.
        (".normal" | ".subnormal", _) => {
            let any = match double {
                true => {
                    let all = code.word();
                    let both = [all, bits, a.register(0)];
                    code.step("LOP3.LUT R0, R0, R0, RZ, 0xfc, !PT", &both);
                    all
                }
                false => bits,
            };
            let (some, subnormal) = (code.flag(), code.flag());
            code.step("ISETP.NE.U32.AND P0, PT, R0, RZ, PT", &[some, any]);
            let to = if how == ".subnormal" { p } else { subnormal };
            let text = format!("ISETP.LT.U32.AND P0, PT, R0, {smallest:#x}, P0");
            code.step(text, &[to, bits, some]);
            if how == ".normal" {
                let text = format!("ISETP.LT.U32.AND P0, PT, R0, {infinity:#x}, !P0");
                code.step(text, &[p, bits, subnormal]);
            }
        }
        _ => return None,
    }
    Some(())
}
