//! Metadata: module flags and other named metadata, and what is attached to globals.

use super::Verifier;
use super::attachment::AttachmentKind;
use crate::constant::{ConstId, ConstKind};
use crate::metadata::{FieldValue, Md, MdRef, NodeId};
use crate::module::{Function, Global, GlobalId};
use crate::types::{Type, TypeId};
use rustc_hash::FxHashMap;
use warpc_diag::codes;

/// An integer in metadata: its type, size and bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Integer {
    pub(super) ty: TypeId,
    pub(super) bits: u32,
    pub(super) value: u128,
}

impl Integer {
    /// The value as a signed number.
    pub(super) fn signed(self) -> i128 {
        let shift = 128 - self.bits.min(128);
        (self.value << shift) as i128 >> shift
    }
}

impl<'m> Verifier<'m> {
    pub(super) fn metadata_rule(&mut self, holds: bool, message: impl Into<String>) -> bool {
        self.check(holds, codes::IR_METADATA, message)
    }

    /// What a tuple holds.
    pub(super) fn tuple(&self, node: NodeId) -> Vec<MdRef> {
        let fields = self.module.metadata.fields(node).iter();
        fields
            .map(|field| match field.value {
                FieldValue::Md(md) => md,
                _ => Md::Null.into(),
            })
            .collect()
    }

    /// The node at a place.
    pub(super) fn node_at(&self, operands: &[MdRef], at: usize) -> Option<NodeId> {
        operands.get(at)?.node()
    }

    /// The string at a place.
    pub(super) fn string_at(&self, operands: &[MdRef], at: usize) -> Option<&'m [u8]> {
        match operands.get(at)?.get() {
            Md::String(name) => Some(self.module.names.bytes(name)),
            _ => None,
        }
    }

    /// The constant at a place.
    pub(super) fn constant_at(&self, operands: &[MdRef], at: usize) -> Option<ConstId> {
        match operands.get(at)?.get() {
            Md::Const(constant) => Some(constant),
            _ => None,
        }
    }

    pub(super) fn integer_at(&self, operands: &[MdRef], at: usize) -> Option<Integer> {
        let constant = self.module.constants.get(self.constant_at(operands, at)?);
        let Type::Int(bits) = self.ty(constant.ty) else {
            return None;
        };
        let value = match constant.kind {
            ConstKind::Int(value) => u128::from(value),
            ConstKind::WideInt(words) => {
                let words = self.module.constants.words(words);
                let word = |at: usize| u128::from(words.get(at).copied().unwrap_or(0));
                word(0) | word(1) << 64
            }
            _ => return None,
        };
        Some(Integer {
            ty: constant.ty,
            bits,
            value,
        })
    }

    /// The value of an integer at a place and the size of its type.
    pub(super) fn number_at(&self, operands: &[MdRef], at: usize) -> Option<(u128, u32)> {
        let integer = self.integer_at(operands, at)?;
        Some((integer.value, integer.bits))
    }

    /// Checks named metadata.
    pub(super) fn named_metadata(&mut self) {
        let module = self.module;
        self.at = 0;
        for named in &module.metadata.named {
            match module.names.bytes(named.name) {
                b"llvm.module.flags" => self.module_flags(&named.nodes),
                name @ (b"llvm.ident" | b"llvm.commandline") => {
                    let name = String::from_utf8_lossy(name);
                    for &node in &named.nodes {
                        let operands = self.tuple(node);
                        rule!(
                            self.metadata_rule,
                            operands.len() == 1 && self.string_at(&operands, 0).is_some(),
                            "an entry of `{name}` holds one string"
                        );
                    }
                }
                _ => {}
            }
        }
        let plain = self.plain_locations();
        self.debug_fields(&plain);
        self.debug_references(&plain);
    }

    fn module_flags(&mut self, nodes: &[NodeId]) {
        let mut values: FxHashMap<&[u8], MdRef> = FxHashMap::default();
        let mut requirements = Vec::new();
        for &node in nodes {
            let operands = self.tuple(node);
            if !self.metadata_rule(
                operands.len() == 3,
                "a module flag has three operands: behaviour, name, value",
            ) {
                continue;
            }
            let behaviour = self
                .integer_at(&operands, 0)
                .map(|behaviour| behaviour.value);
            let Some(behaviour @ 1..=8) = behaviour else {
                self.metadata_rule(
                    false,
                    "the behaviour of a module flag is a number from 1 to 8",
                );
                continue;
            };
            let Some(id) = self.string_at(&operands, 1) else {
                self.metadata_rule(false, "the name of a module flag is a string");
                continue;
            };
            let shown = String::from_utf8_lossy(id).into_owned();
            let value = self.integer_at(&operands, 2);
            if matches!(id, b"wchar_size" | b"SemanticInterposition") {
                rule!(
                    self.metadata_rule,
                    value.is_some(),
                    "module flag `{shown}` must hold a number"
                );
            }
            match behaviour {
                // Require: a pair of a flag and the value it must have.
                3 => {
                    let pair = self.node_at(&operands, 2).map(|pair| self.tuple(pair));
                    let pair = pair.filter(|pair| pair.len() == 2);
                    match pair.as_ref().and_then(|pair| self.string_at(pair, 0)) {
                        Some(flag) => requirements.extend(pair.map(|pair| (flag, pair[1]))),
                        None => {
                            rule!(
                                self.metadata_rule,
                                false,
                                "module flag `{shown}` requires a pair of name and value"
                            );
                        }
                    }
                    continue;
                }
                // Append, append unique.
                5 | 6 => {
                    rule!(
                        self.metadata_rule,
                        self.node_at(&operands, 2).is_some(),
                        "module flag `{shown}` must hold a list"
                    );
                }
                // Max.
                7 => {
                    rule!(
                        self.metadata_rule,
                        value.is_some(),
                        "module flag `{shown}` must hold a number"
                    );
                }
                // Min.
                8 => {
                    rule!(
                        self.metadata_rule,
                        value.is_some_and(|value| value.signed() >= 0),
                        "module flag `{shown}` must hold a number that is not negative"
                    );
                }
                _ => {}
            }
            rule!(
                self.metadata_rule,
                values.insert(id, operands[2]).is_none(),
                "module flag `{shown}` is there twice"
            );
            if id == b"CG Profile" {
                let entries = self.node_at(&operands, 2).map(|list| self.tuple(list));
                for at in 0..entries.as_ref().map_or(0, Vec::len) {
                    let entry = self.node_at(entries.as_deref().unwrap_or_default(), at);
                    let entry = entry.map(|entry| self.tuple(entry)).unwrap_or_default();
                    self.metadata_rule(
                        entry.len() == 3 && self.integer_at(&entry, 2).is_some(),
                        "an entry of `CG Profile` holds two functions and a number",
                    );
                }
            }
        }
        for (flag, value) in requirements {
            let holds = values.get(flag).is_some_and(|&have| self.same(have, value));
            rule!(
                self.metadata_rule,
                holds,
                "module flag `{}` does not have the value that another requires",
                String::from_utf8_lossy(flag)
            );
        }
    }

    /// Whether two references mean equal metadata, one level deep.
    fn same(&self, a: MdRef, b: MdRef) -> bool {
        a == b
            || match (a.node(), b.node()) {
                (Some(a), Some(b)) => {
                    self.module.metadata.fields(a) == self.module.metadata.fields(b)
                }
                _ => false,
            }
    }

    /// Checks what is attached to a variable or function, but for what only functions have.
    pub(super) fn global_attachments(&mut self, id: GlobalId, global: &Global) {
        for attachment in &global.metadata {
            let Some(node) = attachment.node.node() else {
                continue;
            };
            let operands = self.tuple(node);
            match self.attachments.get(&attachment.kind) {
                Some(AttachmentKind::Associated) => {
                    let constant = self.constant_at(&operands, 0);
                    let is_ptr = constant.is_some_and(|constant| {
                        self.module
                            .types
                            .is_ptr(self.module.constants.get(constant).ty)
                    });
                    self.metadata_rule(
                        operands.len() == 1 && is_ptr,
                        "`!associated` holds the address of a global",
                    );
                    let target = constant.and_then(|constant| self.stripped(constant));
                    self.metadata_rule(
                        target.is_none() || target != Some(id),
                        "`!associated` of a global names another global",
                    );
                }
                Some(AttachmentKind::AbsoluteSymbol) => {
                    let bits = self.layout.pointer_bits(global.space);
                    let fits = self
                        .integer_at(&operands, 0)
                        .is_none_or(|low| low.bits == bits);
                    self.metadata_rule(fits, "`!absolute_symbol` has the size of a pointer");
                    let ty = self.integer_at(&operands, 0).map(|low| low.ty);
                    self.range(&operands, ty, true);
                }
                _ => {}
            }
        }
    }

    /// Checks what is attached to a function.
    pub(super) fn function_metadata(&mut self, global: &Global, function: &Function) {
        let mut seen: Vec<AttachmentKind> = Vec::new();
        for attachment in &global.metadata {
            let Some(&kind) = self.attachments.get(&attachment.kind) else {
                continue;
            };
            let Some(node) = attachment.node.node() else {
                continue;
            };
            let operands = self.tuple(node);
            match kind {
                AttachmentKind::Prof => {
                    self.metadata_rule(function.body.is_some(), "a declaration has no `!prof`");
                    let name = self.string_at(&operands, 0);
                    let counts = matches!(
                        name,
                        Some(b"function_entry_count" | b"synthetic_function_entry_count")
                    ) && self.constant_at(&operands, 1).is_some();
                    self.metadata_rule(
                        operands.len() >= 2 && (counts || name == Some(b"unknown")),
                        "`!prof` of a function holds `function_entry_count` and a number",
                    );
                }
                AttachmentKind::KcfiType => {
                    let fits = operands.len() == 1
                        && self
                            .integer_at(&operands, 0)
                            .is_some_and(|id| id.bits == 32);
                    self.metadata_rule(fits, "`!kcfi_type` holds one i32");
                }
                AttachmentKind::Dbg => {}
                _ => continue,
            }
            if matches!(kind, AttachmentKind::Prof | AttachmentKind::KcfiType) {
                self.metadata_rule(
                    function.body.is_none() || !seen.contains(&kind),
                    "a function has one attachment of a kind",
                );
                seen.push(kind);
            }
        }
    }
}
