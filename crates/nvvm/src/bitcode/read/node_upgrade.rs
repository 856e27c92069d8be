//! Records of debug information of older versions, in the layout of LLVM 22.

use super::constant::signed;
use super::node::{Fields, unnamed};
use super::{Read, Reader};
use crate::bitcode::codes::debug;
use crate::bitcode::codes::record::metadata as code;
use crate::constant::ConstKind;
use crate::metadata::{FieldValue, Md, MdRef, NodeId, NodeKind};

impl Reader<'_> {
    /// Brings an older record into the layout of today. The expression or variable of a global variable of LLVM before
    /// 4 is returned.
    pub(super) fn modernize(&mut self, code: u32) -> Read<Option<MdRef>> {
        let first = self.op(0)?;
        match code {
            code::SUBRANGE if first >> 1 < 2 => {
                // Version 0 has the count as a number, both have a signed lower bound.
                let count = self.op(1)?;
                let lower = signed(self.op(2)?);
                let count = match first >> 1 {
                    0 => self.constant_entry(count),
                    _ => count,
                };
                let lower = match lower {
                    0 => 0,
                    lower => self.constant_entry(lower),
                };
                let lower = match lower {
                    0 => self.constant_entry(0),
                    lower => lower,
                };
                self.ops = vec![first & 1 | 4, count, lower, 0, 0];
            }
            code::TEMPLATE_VALUE if self.ops.len() == 5 => self.ops.insert(4, 0),
            code::NAMESPACE if self.ops.len() == 5 => {
                // Before LLVM 5 a file and a line were between.
                let (scope, name) = (self.op(1)?, self.op(3)?);
                self.ops = vec![first, scope, name];
            }
            code::MODULE if self.ops.len() <= 6 => {
                // Before LLVM 11 there was no file.
                self.ops.truncate(5);
                self.ops.insert(1, 0);
            }
            code::COMPILE_UNIT if self.ops.len() <= 16 => {
                // Position 11 had the subprograms of the unit; LLVM 8 made a choice of three out of a flag at 18.
                self.ops.resize(16, 0);
                self.ops.push(1);
            }
            code::SUBPROGRAM => self.modern_subprogram(first)?,
            code::GLOBAL_VAR if first >> 1 < 2 => {
                let mut ops = self.ops.clone();
                ops.resize(12, 0);
                let old = ops.remove(9);
                // Declaration, no template parameters, alignment.
                ops.insert(10, 0);
                ops[0] = first & 1 | 4;
                let version = first >> 1;
                self.ops = ops;
                if version == 0 {
                    return Ok(Some(self.md_or_null(old)?));
                }
            }
            code::LOCAL_VAR if first & 2 == 0 => {
                if self.ops.len() > 8 {
                    self.ops.remove(1);
                }
                self.ops.truncate(8);
            }
            _ => {}
        }
        Ok(None)
    }

    fn modern_subprogram(&mut self, first: u64) -> Read<()> {
        let (has_unit, has_flags) = (first & 2 != 0, first & 4 != 0);
        if has_flags {
            return Ok(());
        }
        // [_, scope, name, linkage, file, line, type, local, definition, scope line, containing type, virtuality,
        //  virtual index, flags, optimised, unit?, template, declaration, variables, adjustment, thrown types]
        let op = |index: usize| self.optional(index);
        let flags = (op(11) & 3)
            | (u64::from(op(7) != 0) * debug::subprogram::LOCAL)
            | (u64::from(op(8) != 0) * debug::subprogram::DEFINITION)
            | (u64::from(op(14) != 0) * debug::subprogram::OPTIMIZED);
        // Before LLVM 4 the unit held its subprograms, and a function was written in the record instead.
        let (unit, rest) = match (has_unit, self.ops.len() >= 19) {
            (true, _) => (op(15), 16),
            (false, true) => (0, 16),
            (false, false) => (0, 15),
        };
        let adjustment = op(rest + 3);
        let distinct = first & 1 | u64::from(op(8) != 0);
        self.ops = vec![
            distinct | 6,
            op(1),
            op(2),
            op(3),
            op(4),
            op(5),
            op(6),
            op(9),
            op(10),
            flags,
            op(12),
            op(13),
            unit,
            op(rest),
            op(rest + 1),
            op(rest + 2),
            adjustment,
            op(rest + 4),
        ];
        Ok(())
    }

    /// A constant of type `i64` as new metadata; its number plus one.
    fn constant_entry(&mut self, value: u64) -> u64 {
        let ty = self.module.types.i64;
        let constant = self.module.constants.int(ty, 64, &[value]);
        // The entry is after all of the file; references to it end with the record.
        self.metadata
            .push(super::metadata::Entry::Ref(Md::Const(constant).into()));
        self.metadata.len() as u64
    }

    /// Before LLVM 4 a global variable was one node; now a second one has its expression, and is what the module
    /// refers to.
    pub(super) fn wrap_variable(&mut self, variable: NodeId, old: MdRef) {
        let mut expression: MdRef = Md::Null.into();
        let mut attach = None;
        if let Md::Const(constant) = old.get() {
            match self.module.constants.get(constant).kind {
                ConstKind::Global(global) => attach = Some(global),
                ConstKind::Int(value) => {
                    let mut fields = Fields::new();
                    for word in ["DW_OP_constu", "", "DW_OP_stack_value"] {
                        let value = match word {
                            "" => self.module.metadata.unsigned(value),
                            word => FieldValue::Word(self.module.names.intern(word.as_bytes())),
                        };
                        fields.push(unnamed(value));
                    }
                    let kind = NodeKind::Special(self.words.expression);
                    expression = Md::Node(self.module.metadata.intern(kind, &fields)).into();
                }
                _ => {}
            }
        } else if old.node().is_some() {
            expression = old;
        }
        // References go to the number, so the node of the number becomes the pair and the variable a new node.
        let kind = self.module.metadata.node(variable).kind;
        let distinct = self.module.metadata.node(variable).distinct;
        let fields = self.module.metadata.fields(variable).to_vec();
        let inner = self.module.metadata.add(kind, distinct, &fields);
        let mut pair = Fields::new();
        pair.push(self.field("var", FieldValue::Md(Md::Node(inner).into())));
        if expression.get() == Md::Null {
            let kind = NodeKind::Special(self.words.expression);
            expression = Md::Node(self.module.metadata.intern(kind, &[])).into();
        }
        pair.push(self.field("expr", FieldValue::Md(expression)));
        let kind = self.special("DIGlobalVariableExpression");
        self.module.metadata.define(variable, kind, true, &pair);
        if let Some(global) = attach {
            let dbg = self.words.dbg;
            let node = Md::Node(variable).into();
            let attachment = crate::function::GlobalAttachment { kind: dbg, node };
            self.module.globals[global].metadata.push(attachment);
        }
    }
}
