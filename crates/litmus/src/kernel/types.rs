//! What modifiers of PTX mean to the model: types, orders, operations.

use warpc_model::axioms::{Operation, ValueType};
use warpc_model::{Ordering, Scope};
use warpc_ptx::inst::Choice;

/// The type of an access of integers; `None` for vectors, other types, and words that are refused.
pub fn access_kind(words: &[&str], refused: &[&str]) -> Option<ValueType> {
    let is_other = |word: &&str| {
        refused.contains(word)
            || word.starts_with('v') && *word != "volatile"
            || word.contains("mmio")
    };
    match words.iter().any(is_other) {
        true => None,
        false => integer(words.last()?),
    }
}

fn integer(word: &str) -> Option<ValueType> {
    let bits: u8 = word.get(1..)?.parse().ok()?;
    let signed = match word.as_bytes()[0] {
        b's' => true,
        b'u' | b'b' => false,
        _ => return None,
    };
    [8, 16, 32, 64]
        .contains(&bits)
        .then_some(ValueType { bits, signed })
}

/// The order and scope of an access. A volatile one is relaxed at system scope.
pub fn strength(words: &[&str], choice: &Choice) -> (Ordering, Scope) {
    if words.contains(&"volatile") {
        return (Ordering::Relaxed, Scope::Sys);
    }
    match choice.ordering() {
        None | Some(Ordering::Weak) => (Ordering::Weak, Scope::Thread),
        Some(order) => (order, choice.scope().unwrap_or(Scope::Sys)),
    }
}

/// What `setp` compares, and how.
pub fn comparison(words: &[&str]) -> Option<(Operation, ValueType)> {
    let [comparison, kind] = words else {
        return None;
    };
    let operation = match *comparison {
        "eq" => Operation::Eq,
        "ne" => Operation::Ne,
        "lt" | "lo" => Operation::Lt,
        "le" | "ls" => Operation::Le,
        "gt" | "hi" => Operation::Gt,
        "ge" | "hs" => Operation::Ge,
        _ => return None,
    };
    Some((operation, integer(kind)?))
}

/// What an instruction computes, and of what.
pub fn arithmetic(opcode: &str, words: &[&str]) -> Option<(Operation, ValueType)> {
    let operation = match (opcode, words) {
        ("mov", [_]) => Operation::Second,
        ("add", [_]) => Operation::Add,
        ("sub", [_]) => Operation::Sub,
        ("mul", ["lo", _]) => Operation::Mul,
        ("div", [_]) => Operation::Div,
        ("rem", [_]) => Operation::Rem,
        ("and", [_]) => Operation::And,
        ("or", [_]) => Operation::Or,
        ("xor", [_]) => Operation::Xor,
        ("min", [_]) => Operation::Min,
        ("max", [_]) => Operation::Max,
        ("shl", [_]) => Operation::Shl,
        ("shr", [_]) => Operation::Shr,
        _ => return None,
    };
    let word = words.last()?;
    let kind = match *word {
        "pred" => ValueType {
            bits: 1,
            signed: false,
        },
        word => integer(word)?,
    };
    Some((operation, kind))
}
