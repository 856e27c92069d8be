//! Expressions of debug information.

use super::node::{Fields, unnamed};
use super::{Read, Reader};
use crate::bitcode::codes::dwarf;
use crate::metadata::{NodeId, NodeKind};

impl Reader<'_> {
    /// `[distinct and version, element …]`
    pub(super) fn expression_node(&mut self, node: NodeId) -> Read<()> {
        let first = self.op(0)?;
        let version = first >> 1;
        let mut elements = self.ops[1..].to_vec();
        upgrade_expression(version, &mut elements);
        let mut fields = Fields::new();
        let mut at = 0;
        let valid = is_valid_expression(&elements);
        while at < elements.len() {
            let op = elements[at];
            match dwarf::OPERATIONS.word(op).filter(|_| valid) {
                Some(word) => {
                    let text = self.word_or_number(&dwarf::OPERATIONS, op);
                    fields.push(unnamed(text));
                    for index in 1..=argument_count(op) {
                        let Some(&argument) = elements.get(at + index) else {
                            break;
                        };
                        let value = match word == "LLVM_convert" && index == 2 {
                            true => self.word_or_number(&dwarf::ENCODINGS, argument),
                            false => self.module.metadata.unsigned(argument),
                        };
                        fields.push(unnamed(value));
                    }
                    at += 1 + argument_count(op);
                }
                None => {
                    let value = self.module.metadata.unsigned(op);
                    fields.push(unnamed(value));
                    at += 1;
                }
            }
        }
        let kind = NodeKind::Special(self.words.expression);
        self.module
            .metadata
            .define(node, kind, first & 1 != 0, &fields);
        Ok(())
    }
}

const OP_DEREF: u64 = 0x06;
const OP_CONSTU: u64 = 0x10;
const OP_MINUS: u64 = 0x1c;
const OP_PLUS: u64 = 0x22;
const OP_PLUS_UCONST: u64 = 0x23;
const OP_BIT_PIECE: u64 = 0x9d;
const OP_FRAGMENT: u64 = 0x1000;

/// Expressions of older versions as they are now.
fn upgrade_expression(version: u64, elements: &mut Vec<u64>) {
    let len = elements.len();
    if version < 1 && len >= 3 && elements[len - 3] == OP_BIT_PIECE {
        elements[len - 3] = OP_FRAGMENT;
    }
    // A dereference at the start was meant to be at the end.
    if version < 2 && elements.first() == Some(&OP_DEREF) {
        let fragment = elements.len() >= 3 && elements[elements.len() - 3] == OP_FRAGMENT;
        elements.remove(0);
        let at = elements.len() - if fragment { 3 } else { 0 };
        elements.insert(at, OP_DEREF);
    }
    if version < 3 {
        let mut modern = Vec::with_capacity(elements.len());
        let mut rest = elements.as_slice();
        while let Some((&op, after)) = rest.split_first() {
            match (op, after.first()) {
                (OP_PLUS, Some(&argument)) => {
                    modern.extend([OP_PLUS_UCONST, argument]);
                    rest = &after[1..];
                }
                (OP_MINUS, Some(&argument)) => {
                    modern.extend([OP_CONSTU, argument, OP_MINUS]);
                    rest = &after[1..];
                }
                _ => {
                    let count = argument_count(op).min(after.len());
                    modern.push(op);
                    modern.extend_from_slice(&after[..count]);
                    rest = &after[count..];
                }
            }
        }
        *elements = modern;
    }
}

/// How many arguments an operation of an expression has.
fn argument_count(op: u64) -> usize {
    match op {
        // Fragment, convert, extracted bits.
        0x1000 | 0x1001 | 0x1006 | 0x1007 => 2,
        // Base register with a number.
        0x92 => 2,
        0x70..=0x8f => 1,
        0x10 | 0x11 | 0x23 | 0x90 | 0x94 | 0x95 | 0x1002 | 0x1003 | 0x1005 => 1,
        _ => 0,
    }
}

/// Whether every operation is known and has its arguments.
fn is_valid_expression(elements: &[u64]) -> bool {
    let mut at = 0;
    while at < elements.len() {
        if dwarf::OPERATIONS.word(elements[at]).is_none() {
            return false;
        }
        at += 1 + argument_count(elements[at]);
    }
    at == elements.len()
}
