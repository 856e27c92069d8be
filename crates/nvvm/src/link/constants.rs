//! Constants of the source as constants of the result.
//!
//! Mapping the address of a global brings the global. Once all bodies are there (only metadata is left),
//! it brings nothing more: a constant that needs a global that did not come has no counterpart.

use super::transfer::Transfer;
use crate::constant::{BlockAddress, Const, ConstId, ConstKind, ExprOp};
use crate::inst::{CastOp, Flags};
use crate::module::GlobalId;
use crate::types::{Type, TypeId};

impl Transfer<'_> {
    /// The constant in the result; `None` if it needs a global that did not come.
    pub(super) fn constant(&mut self, constant: ConstId) -> Option<ConstId> {
        if let Some(mapped) = self.constants.get(constant) {
            return Some(mapped);
        }
        let mut open = vec![constant];
        while let Some(&top) = open.last() {
            if self.constants.get(top).is_some() {
                open.pop();
                continue;
            }
            let before = open.len();
            for operand in self.source.constants.operands(top) {
                if self.constants.get(operand).is_none() {
                    open.push(operand);
                }
            }
            if open.len() > before {
                // The first operand comes first.
                open[before..].reverse();
                continue;
            }
            let mapped = self.rebuild(top)?;
            self.constants.set(top, mapped);
            open.pop();
        }
        self.constants.get(constant)
    }

    /// A constant whose parts are mapped.
    fn rebuild(&mut self, constant: ConstId) -> Option<ConstId> {
        let Const { ty: from, kind } = self.source.constants.get(constant);
        let ty = self.ty(from);
        Some(match kind {
            ConstKind::Int(_)
            | ConstKind::Float(_)
            | ConstKind::Null
            | ConstKind::TokenNone
            | ConstKind::Undef
            | ConstKind::Poison
            | ConstKind::Zero => self.linker.module.constants.intern(ty, kind),
            ConstKind::WideInt(words) => {
                let bits = match self.source.types.get(from) {
                    Type::Int(bits) => bits,
                    _ => 0,
                };
                let words = self.source.constants.words(words);
                self.linker.module.constants.int(ty, bits, words)
            }
            ConstKind::WideFloat(words) => {
                let bits = self.source.types.get(from).float_bits().unwrap_or(128);
                let words = self.source.constants.words(words);
                self.linker.module.constants.float(ty, bits, words)
            }
            ConstKind::Aggregate(_) => {
                let elements = self.mapped_operands(constant)?;
                let module = &mut self.linker.module;
                let (types, names) = (&module.types, &mut module.names);
                module.constants.aggregate(types, names, ty, &elements)
            }
            ConstKind::Splat(element) => {
                let element = self.constants.get(element)?;
                let module = &mut self.linker.module;
                module.constants.splat(&module.types, ty, element)
            }
            ConstKind::Bytes(bytes) => {
                let bytes = self.name(bytes);
                let constants = &mut self.linker.module.constants;
                constants.intern(ty, ConstKind::Bytes(bytes))
            }
            ConstKind::Global(global) => self.global(global)?,
            ConstKind::DsoLocalEquivalent(global) => {
                self.of_global(ty, global, ConstKind::DsoLocalEquivalent)?
            }
            ConstKind::NoCfi(global) => self.of_global(ty, global, ConstKind::NoCfi)?,
            ConstKind::BlockAddress(address) => {
                let BlockAddress { function, block } =
                    self.source.constants.block_addresses[address];
                let target = self.global(function)?;
                let target = self.linker.module.global_of(target)?;
                if !self.taken[crate::index::Id::index(function)] {
                    // The blocks of the function that stays are others.
                    return Some(no_block(&mut self.linker.module, ty));
                }
                let constants = &mut self.linker.module.constants;
                let address = constants.block_addresses.push(BlockAddress {
                    function: target,
                    block,
                });
                constants.intern(ty, ConstKind::BlockAddress(address))
            }
            ConstKind::PtrAuth(_) => {
                let parts = self.mapped_operands(constant)?;
                let constants = &mut self.linker.module.constants;
                let parts = constants.intern_list(&parts);
                constants.intern(ty, ConstKind::PtrAuth(parts))
            }
            ConstKind::Expr(_) => {
                let operands = self.mapped_operands(constant)?;
                self.expression(constant, &operands)
            }
        })
    }

    fn mapped_operands(&self, constant: ConstId) -> Option<Vec<ConstId>> {
        let operands = self.source.constants.operands(constant);
        operands
            .map(|operand| self.constants.get(operand))
            .collect()
    }

    fn of_global(
        &mut self,
        ty: TypeId,
        global: GlobalId,
        kind: fn(GlobalId) -> ConstKind,
    ) -> Option<ConstId> {
        let address = self.global(global)?;
        Some(match self.linker.module.global_of(address) {
            Some(global) => self.linker.module.constants.intern(ty, kind(global)),
            None => address,
        })
    }

    /// The expression of the source with operands of the result.
    fn expression(&mut self, constant: ConstId, operands: &[ConstId]) -> ConstId {
        let Const { ty, kind } = self.source.constants.get(constant);
        let ConstKind::Expr(expr) = kind else {
            return operands.first().copied().unwrap_or(constant);
        };
        let ty = self.ty(ty);
        let expr = self.source.constants.expr(expr);
        let op = match expr.op {
            ExprOp::Gep { source, inrange } => ExprOp::Gep {
                source: self.ty(source),
                inrange,
            },
            ExprOp::ExtractValue(list) => ExprOp::ExtractValue(self.index_list(list)),
            ExprOp::InsertValue(list) => ExprOp::InsertValue(self.index_list(list)),
            other => other,
        };
        let constants = &mut self.linker.module.constants;
        constants.expression(ty, op, expr.flags, operands)
    }

    /// The target of an alias in the result. What it names must be defined here: a definition that
    /// another module's definition displaced comes as an internal copy.
    pub(super) fn alias_target(&mut self, constant: ConstId) -> Option<ConstId> {
        match self.source.constants.get(constant).kind {
            ConstKind::Global(global) => self.global_for_alias(global),
            ConstKind::Expr(_) => {
                let operands: Vec<ConstId> = self.source.constants.operands(constant).collect();
                let operands: Option<Vec<ConstId>> = operands
                    .into_iter()
                    .map(|operand| self.alias_target(operand))
                    .collect();
                Some(self.expression(constant, &operands?))
            }
            _ => self.constant(constant),
        }
    }
}

/// An address in the address space of `ty`.
pub(super) fn cast_to_space(module: &mut crate::Module, address: ConstId, ty: TypeId) -> ConstId {
    if module.constants.get(address).ty == ty {
        return address;
    }
    let op = ExprOp::Cast(CastOp::Addrspacecast);
    module
        .constants
        .expression(ty, op, Flags::empty(), &[address])
}

/// The address of a block that is no more: as LLVM, an address that is not null.
pub(super) fn no_block(module: &mut crate::Module, ty: TypeId) -> ConstId {
    let one = module.constants.intern(module.types.i32, ConstKind::Int(1));
    let op = ExprOp::Cast(CastOp::Inttoptr);
    module.constants.expression(ty, op, Flags::empty(), &[one])
}
