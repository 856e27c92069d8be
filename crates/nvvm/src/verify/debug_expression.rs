//! Expressions of debug information: how a variable follows from a value or an address.

use super::Verifier;
use crate::metadata::{FieldValue, NodeId};

/// The operations that an expression may have, without `DW_OP_`, and how many operands follow each.
const OPERATIONS: &[(usize, &[&str])] = &[
    (
        0,
        &[
            "deref",
            "dup",
            "over",
            "swap",
            "rot",
            "xderef",
            "abs",
            "and",
            "div",
            "minus",
            "mod",
            "mul",
            "neg",
            "not",
            "or",
            "plus",
            "shl",
            "shr",
            "shra",
            "xor",
            "eq",
            "ge",
            "gt",
            "le",
            "lt",
            "ne",
            "lit0",
            "push_object_address",
            "stack_value",
            "LLVM_implicit_pointer",
        ],
    ),
    (
        1,
        &[
            "constu",
            "consts",
            "plus_uconst",
            "regx",
            "deref_size",
            "LLVM_tag_offset",
            "LLVM_entry_value",
            "LLVM_arg",
        ],
    ),
    (
        2,
        &[
            "bregx",
            "LLVM_fragment",
            "LLVM_convert",
            "LLVM_extract_bits_sext",
            "LLVM_extract_bits_zext",
        ],
    ),
];

/// How many operands follow an operation; nothing if expressions do not have it.
fn operand_count(operation: &str) -> Option<usize> {
    let row = OPERATIONS.iter().find(|row| row.1.contains(&operation));
    row.map(|row| row.0)
}

/// The register of `reg5` or `breg5`, and how many operands follow.
fn register(operation: &str) -> Option<usize> {
    let (digits, operands) = match operation.strip_prefix("reg") {
        Some(digits) => (digits, 0),
        None => (operation.strip_prefix("breg")?, 1),
    };
    let number: u32 = digits.parse().ok()?;
    (number < 32).then_some(operands)
}

impl Verifier<'_> {
    /// Whether the operations of an expression are such as it may have, with all their operands.
    pub(super) fn is_whole_expression(&self, node: NodeId) -> bool {
        let fields = self.module.metadata.fields(node);
        let number = |at: usize| {
            let field = fields.get(at)?;
            self.module.metadata.number(field.value)
        };
        let operation = |at: usize| match fields.get(at)?.value {
            FieldValue::Word(word) => std::str::from_utf8(self.module.names.bytes(word))
                .ok()?
                .strip_prefix("DW_OP_"),
            _ => None,
        };
        let mut at = 0;
        while at < fields.len() {
            // An operation that is written as a number is not looked into.
            if number(at).is_some() {
                return number(at).is_some_and(|code| code > 5);
            }
            let Some(name) = operation(at) else {
                return false;
            };
            if let Some(operands) = register(name) {
                return at + operands < fields.len();
            }
            let Some(operands) = operand_count(name) else {
                return false;
            };
            let next = at + 1 + operands;
            let fits = next <= fields.len()
                && match name {
                    "LLVM_fragment" => next == fields.len(),
                    "stack_value" => {
                        next == fields.len() || operation(next) == Some("LLVM_fragment")
                    }
                    "swap" => fields.len() > 1,
                    "LLVM_entry_value" => {
                        let follows = operation(0) == Some("LLVM_arg") && number(1) == Some(0);
                        let first = if follows { 2 } else { 0 };
                        return at == first && number(at + 1) == Some(1);
                    }
                    _ => true,
                };
            if !fits {
                return false;
            }
            at = next;
        }
        true
    }

    /// Offset and size in bits of the part of a variable that an expression is for.
    pub(super) fn fragment(&self, node: NodeId) -> Option<(i128, i128)> {
        let fields = self.module.metadata.fields(node);
        let start = fields.len().checked_sub(3)?;
        let FieldValue::Word(word) = fields[start].value else {
            return None;
        };
        let number = |at: usize| self.module.metadata.number(fields[at].value);
        (self.module.names.bytes(word) == b"DW_OP_LLVM_fragment")
            .then(|| Some((number(start + 1)?, number(start + 2)?)))?
    }
}
