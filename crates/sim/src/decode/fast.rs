//! The operations that make up most of real code, told apart so that the emulator can run them on
//! all lanes at once. Each computes what [`warpc_ptx::eval`] says; a test holds the two together.

#[cfg(test)]
mod tests;

use crate::program::{Compare, Double, Dst, Op, Src, Word};
use warpc_ptx::form::{Kind, Role, TypeRef};
use warpc_ptx::inst::Choice;
use warpc_ptx::types::{Meaning, ScalarType};

const ZERO: Src = Src::Imm(0);

/// A plain copy.
pub(super) fn copy(sources: &[Src], results: &[Dst]) -> Option<Op> {
    match (sources, results) {
        (&[a @ (Src::W(_) | Src::Imm(_) | Src::Special(_))], &[Dst::W(d, u32::MAX)]) => {
            Some(Op::Word(Word::Move, d, a, ZERO, ZERO))
        }
        (&[a @ (Src::D(_) | Src::Imm(_) | Src::Special(_))], &[Dst::D(d)]) => {
            Some(Op::Double(Double::Move, d, a, ZERO, ZERO))
        }
        _ => None,
    }
}

/// Modifiers that change what the plain operation computes. Roundings are looked at where they matter.
const CHANGES: &[&str] = &["sat", "ftz", "relu", "cc", "BoolOp"];

/// The type of the first source, whichever modifier names it.
fn source_type(choice: &Choice) -> Option<ScalarType> {
    let form = choice.form.form();
    let spec = form.operands.iter().find(|spec| spec.role == Role::Use)?;
    match spec.kind {
        Kind::Value(TypeRef::Fixed(ty)) => Some(ty),
        Kind::Value(TypeRef::Slot(slot)) => {
            let value = usize::from(*choice.values.get(usize::from(slot))?);
            form.slots[usize::from(slot)].values.get(value)?.ty
        }
        _ => None,
    }
}

/// The fast form of an operation, if it has one.
pub(super) fn find(choice: &Choice, sources: &[Src], results: &[Dst]) -> Option<Op> {
    if CHANGES.iter().any(|slot| choice.has(slot)) {
        return None;
    }
    let opcode = choice.form.form().opcode;
    if opcode == "cvt" {
        return convert(choice, sources, results);
    }
    let ty = source_type(choice)?;
    let float = ty == ScalarType::F32;
    let operand = |i: usize| sources.get(i).copied().unwrap_or(ZERO);
    let (a, b, c) = (operand(0), operand(1), operand(2));
    match (results, ty.bits()) {
        (&[Dst::W(d, u32::MAX)], 32) if float => {
            let word = float_word(choice, opcode)?;
            Some(Op::Word(word, d, a, b, c))
        }
        (&[Dst::W(d, u32::MAX)], 32) => {
            let word = word(choice, opcode, ty)?;
            Some(Op::Word(word, d, a, b, c))
        }
        (&[Dst::D(d)], 32) => {
            let signed = ty.meaning() == Meaning::Signed;
            let wide = match (opcode, choice.has("wide")) {
                ("mul", true) if signed => Double::MulWideS,
                ("mul", true) => Double::MulWideU,
                ("mad", true) if signed => Double::MadWideS,
                ("mad", true) => Double::MadWideU,
                _ => return None,
            };
            Some(Op::Double(wide, d, a, b, c))
        }
        (&[Dst::D(d)], 64) => {
            let double = double(choice, opcode, ty)?;
            Some(Op::Double(double, d, a, b, c))
        }
        (&[Dst::P(d), Dst::Sink], bits @ (32 | 64)) if opcode == "setp" && sources.len() == 2 => {
            let compare = comparison(choice, ty)?;
            Some(if bits == 32 {
                Op::CompareWord(compare, d, a, b)
            } else {
                Op::CompareDouble(compare, d, a, b)
            })
        }
        _ => None,
    }
}

fn is_plain(ty: ScalarType) -> bool {
    matches!(
        ty.meaning(),
        Meaning::Signed | Meaning::Unsigned | Meaning::Bits
    )
}

fn word(choice: &Choice, opcode: &str, ty: ScalarType) -> Option<Word> {
    if !is_plain(ty) {
        return None;
    }
    let signed = ty.meaning() == Meaning::Signed;
    Some(match opcode {
        "add" => Word::Add,
        "sub" => Word::Sub,
        "mul" if choice.token("mode") == Some(".lo") || choice.has("lo") => Word::Mul,
        "mad" if choice.token("mode") == Some(".lo") || choice.has("lo") => Word::Mad,
        "and" => Word::And,
        "or" => Word::Or,
        "xor" => Word::Xor,
        "not" => Word::Not,
        "shl" => Word::Shl,
        "shr" if signed => Word::ShrS,
        "shr" => Word::ShrU,
        "min" if signed => Word::MinS,
        "min" => Word::MinU,
        "max" if signed => Word::MaxS,
        "max" => Word::MaxU,
        "selp" => Word::Select,
        _ => return None,
    })
}

/// To nearest even, which is also the default; other roundings and denormal rules are not fast.
fn float_word(choice: &Choice, opcode: &str) -> Option<Word> {
    if !matches!(choice.token("rnd"), None | Some(".rn")) {
        return None;
    }
    Some(match opcode {
        "add" => Word::AddF,
        "sub" => Word::SubF,
        "mul" => Word::MulF,
        "fma" | "mad" => Word::FmaF,
        "selp" => Word::Select,
        _ => return None,
    })
}

fn double(choice: &Choice, opcode: &str, ty: ScalarType) -> Option<Double> {
    if opcode == "selp" {
        return Some(Double::Select);
    }
    if !is_plain(ty) {
        return None;
    }
    let signed = ty.meaning() == Meaning::Signed;
    Some(match opcode {
        "add" => Double::Add,
        "sub" => Double::Sub,
        "mul" if choice.token("mode") == Some(".lo") || choice.has("lo") => Double::Mul,
        "mad" if choice.token("mode") == Some(".lo") || choice.has("lo") => Double::Mad,
        "and" => Double::And,
        "or" => Double::Or,
        "xor" => Double::Xor,
        "shl" => Double::Shl,
        "shr" if signed => Double::ShrS,
        "shr" => Double::ShrU,
        _ => return None,
    })
}

fn comparison(choice: &Choice, ty: ScalarType) -> Option<Compare> {
    if !is_plain(ty) {
        return None;
    }
    let signed = ty.meaning() == Meaning::Signed;
    let token = choice.token("CmpOp").or_else(|| choice.token("cmp"))?;
    Some(match (token, signed) {
        (".eq", _) => Compare::Eq,
        (".ne", _) => Compare::Ne,
        (".lt", true) => Compare::LtS,
        (".le", true) => Compare::LeS,
        (".gt", true) => Compare::GtS,
        (".ge", true) => Compare::GeS,
        (".lt" | ".lo", false) => Compare::LtU,
        (".le" | ".ls", false) => Compare::LeU,
        (".gt" | ".hi", false) => Compare::GtU,
        (".ge" | ".hs", false) => Compare::GeU,
        _ => return None,
    })
}

/// Between words and doubles.
fn convert(choice: &Choice, sources: &[Src], results: &[Dst]) -> Option<Op> {
    let (to, of) = (choice.scalar("dtype")?, choice.scalar("atype")?);
    if !is_plain(to) || !is_plain(of) || choice.has("sat") {
        return None;
    }
    let &[a] = sources else { return None };
    match (results, to.bits(), of.bits()) {
        (&[Dst::D(d)], 64, 32) if of.meaning() == Meaning::Signed => {
            Some(Op::Double(Double::WidenS, d, a, ZERO, ZERO))
        }
        (&[Dst::D(d)], 64, 32) => Some(Op::Double(Double::WidenU, d, a, ZERO, ZERO)),
        (&[Dst::W(d, u32::MAX)], 32, 64) => Some(Op::Word(Word::Narrow, d, a, ZERO, ZERO)),
        (&[Dst::W(d, u32::MAX)], 32, 32) => Some(Op::Word(Word::Move, d, a, ZERO, ZERO)),
        _ => None,
    }
}
