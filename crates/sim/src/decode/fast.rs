//! The operations that make up most of real code, told apart so that the emulator can run them on
//! all lanes at once. Each computes what [`warpc_ptx_eval`] says; a test holds the two together.

#[cfg(test)]
mod tests;

use crate::program::{
    Compare, CompareFloat, Double, Dst, Float, Op, Precision, Relation, Src, Word,
};
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

/// Modifiers that change what the plain operation computes. Roundings and `.ftz` are looked at where
/// they matter.
const CHANGES: &[&str] = &["sat", "relu", "cc", "BoolOp"];

/// The type of the first operand in a role, whichever modifier names it.
fn type_of(choice: &Choice, role: Role) -> Option<ScalarType> {
    let form = choice.form.form();
    let spec = form.operands.iter().find(|spec| spec.role == role)?;
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
    let ty = type_of(choice, Role::Use)?;
    let operand = |i: usize| sources.get(i).copied().unwrap_or(ZERO);
    let (a, b, c) = (operand(0), operand(1), operand(2));
    let precision = precision(choice, ty);
    match (results, ty.bits()) {
        (&[Dst::W(d, u32::MAX)], 32) if opcode == "selp" => {
            Some(Op::Word(Word::Select, d, a, b, c))
        }
        (&[Dst::D(d)], 64) if opcode == "selp" => Some(Op::Double(Double::Select, d, a, b, c)),
        (&[Dst::W(d, u32::MAX)], 32) | (&[Dst::D(d)], 64) if precision.is_some() => {
            let float = float(choice, opcode)?;
            Some(match (float, precision?, a) {
                // Machine code has a constant as the second factor only. That decides which of two
                // NaNs is handed on.
                (Float::Fma, Precision::Double, Src::Imm(_)) => {
                    Op::Float(float, Precision::Double, d, b, a, c)
                }
                (float, precision, _) => Op::Float(float, precision, d, a, b, c),
            })
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
            Some(match (precision, bits) {
                (Some(precision), _) => {
                    Op::CompareFloat(float_comparison(choice, precision)?, d, a, b)
                }
                (None, 32) => Op::CompareWord(comparison(choice, ty)?, d, a, b),
                (None, _) => Op::CompareDouble(comparison(choice, ty)?, d, a, b),
            })
        }
        _ => None,
    }
}

/// What floating-point numbers an operation works on, if on any that have fast forms.
fn precision(choice: &Choice, ty: ScalarType) -> Option<Precision> {
    match ty {
        ScalarType::F32 if choice.has("ftz") => Some(Precision::Flushed),
        ScalarType::F32 => Some(Precision::Single),
        ScalarType::F64 => Some(Precision::Double),
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
        _ => return None,
    })
}

/// To nearest even, which is also the default; other roundings are not fast.
fn float(choice: &Choice, opcode: &str) -> Option<Float> {
    if !matches!(choice.token("rnd"), None | Some(".rn")) {
        return None;
    }
    Some(match opcode {
        "add" => Float::Add,
        "sub" => Float::Sub,
        "mul" => Float::Mul,
        "fma" | "mad" => Float::Fma,
        _ => return None,
    })
}

fn double(choice: &Choice, opcode: &str, ty: ScalarType) -> Option<Double> {
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

fn float_comparison(choice: &Choice, precision: Precision) -> Option<CompareFloat> {
    // What holds for NaNs, too, is what its opposite does not hold for.
    let (relation, negated) = match choice.token("CmpOp")? {
        ".eq" => (Relation::Equal, false),
        ".ne" => (Relation::Unequal, false),
        ".lt" => (Relation::Less, false),
        ".le" => (Relation::LessOrEqual, false),
        ".gt" => (Relation::Greater, false),
        ".ge" => (Relation::GreaterOrEqual, false),
        ".num" => (Relation::Any, false),
        ".equ" => (Relation::Unequal, true),
        ".neu" => (Relation::Equal, true),
        ".ltu" => (Relation::GreaterOrEqual, true),
        ".leu" => (Relation::Greater, true),
        ".gtu" => (Relation::LessOrEqual, true),
        ".geu" => (Relation::Less, true),
        ".nan" => (Relation::Any, true),
        _ => return None,
    };
    Some(CompareFloat {
        precision,
        relation,
        negated,
    })
}

/// Between words and doubles, and between words and singles.
fn convert(choice: &Choice, sources: &[Src], results: &[Dst]) -> Option<Op> {
    let (to, of) = (type_of(choice, Role::Def)?, type_of(choice, Role::Use)?);
    let &[a] = sources else { return None };
    let signed = |ty: ScalarType| ty.meaning() == Meaning::Signed;
    let word = |word| match results {
        &[Dst::W(d, u32::MAX)] => Some(Op::Word(word, d, a, ZERO, ZERO)),
        _ => None,
    };
    let double = |double| match results {
        &[Dst::D(d)] => Some(Op::Double(double, d, a, ZERO, ZERO)),
        _ => None,
    };
    match (to, of) {
        _ if is_plain(to) && is_plain(of) => match (to.bits(), of.bits()) {
            (64, 32) if signed(of) => double(Double::WidenS),
            (64, 32) => double(Double::WidenU),
            (32, 64) => word(Word::Narrow),
            (32, 32) => word(Word::Move),
            _ => None,
        },
        (ScalarType::F32, of) if choice.token("frnd") == Some(".rn") && is_word(of) => {
            word(if signed(of) {
                Word::SingleOfS
            } else {
                Word::SingleOfU
            })
        }
        // What `.ftz` would make zero is cut to zero.
        (to, ScalarType::F32) if choice.token("irnd") == Some(".rzi") && is_word(to) => {
            word(if signed(to) {
                Word::CutToS
            } else {
                Word::CutToU
            })
        }
        _ => None,
    }
}

fn is_word(ty: ScalarType) -> bool {
    is_plain(ty) && ty.bits() == 32
}
