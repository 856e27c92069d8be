//! Constants on typed pointers.
//!
//! A constant is made after what it is made of, so one walk in order maps all.

use super::intrinsic::fits_any_pointer;
use super::pointer::Typing;
use crate::constant::{Const, ConstId, ConstKind, ExprOp};
use crate::index::Id;
use crate::inst::{CastOp, Flags};
use crate::types::{Type, TypeId};

impl Typing<'_> {
    pub(super) fn map_constants(&mut self) {
        let count = self.module.constants.len();
        self.constants = Vec::with_capacity(count);
        for index in 0..count {
            let typed = self.map_constant(ConstId::new(index));
            self.constants.push(typed);
        }
    }

    fn map_constant(&mut self, constant: ConstId) -> ConstId {
        let Const { ty, kind } = self.module.constants.get(constant);
        let mapped = self.mapped(ty);
        match kind {
            ConstKind::Global(global) => {
                let data = &self.module.globals[global];
                let (value_ty, space) = (data.value_ty, data.space);
                let ty = self.pointer(value_ty, space);
                self.module.constants.intern(ty, kind)
            }
            ConstKind::BlockAddress(_) => self.module.constants.intern(mapped, kind),
            ConstKind::Aggregate(list) => {
                let elements = self.module.constants.list(list).to_vec();
                let elements =
                    elements.into_iter().enumerate().map(|(index, element)| {
                        match self.module.types.member(mapped, index as u64) {
                            Some(member) => self.constant_as(element, member),
                            None => element,
                        }
                    });
                let elements: Vec<ConstId> = elements.collect();
                let list = self.module.constants.intern_list(&elements);
                self.module
                    .constants
                    .intern(mapped, ConstKind::Aggregate(list))
            }
            ConstKind::Splat(element) => {
                let member = self.module.types.scalar(mapped);
                let element = self.constant_as(element, member);
                self.module
                    .constants
                    .intern(mapped, ConstKind::Splat(element))
            }
            ConstKind::Expr(_) => self.map_expression(constant, mapped),
            _ => self.module.constants.intern(mapped, kind),
        }
    }

    fn map_expression(&mut self, constant: ConstId, mapped: TypeId) -> ConstId {
        let Const { ty, kind } = self.module.constants.get(constant);
        let ConstKind::Expr(expr) = kind else {
            return constant;
        };
        let expr = self.module.constants.expr(expr);
        let old = self.module.constants.list(expr.operands).to_vec();
        let mut operands: Vec<ConstId> = old.iter().map(|c| self.constants[c.index()]).collect();
        let type_of = |this: &Self, c: ConstId| this.module.constants.get(c).ty;
        let is_pointer = self.module.types.is_ptr(ty);
        let (op, result) = match expr.op {
            ExprOp::Cast(CastOp::Bitcast) if is_pointer => return operands[0],
            ExprOp::Cast(CastOp::Addrspacecast) if is_pointer => {
                let pointee = self.pointee(type_of(self, operands[0]));
                let space = self.space(mapped);
                (expr.op, self.pointer(pointee, space))
            }
            ExprOp::Cast(CastOp::Ptrtoaddr) => (ExprOp::Cast(CastOp::Ptrtoint), mapped),
            ExprOp::Gep { source, .. } if is_pointer => {
                let source = self.mapped(source);
                let space = self.space(mapped);
                let base = self.pointer(source, space);
                operands[0] = self.constant_as(old[0], base);
                let indices = operands[1..].to_vec();
                let member = self.member_at(source, &indices[indices.len().min(1)..]);
                let op = ExprOp::Gep {
                    source,
                    inrange: None,
                };
                (op, self.pointer(member, space))
            }
            ExprOp::Icmp(_) => {
                let ty = type_of(self, operands[0]);
                operands[1] = self.constant_as(old[1], ty);
                (expr.op, mapped)
            }
            ExprOp::Fneg | ExprOp::ExtractValue(_) | ExprOp::InsertValue(_) => {
                self.refuse("a constant expression that LLVM 7 does not have");
                (expr.op, mapped)
            }
            ExprOp::Cast(_) => (expr.op, mapped),
            _ => {
                for (operand, &old) in operands.iter_mut().zip(&old) {
                    let ty = type_of(self, old);
                    let ty = self.mapped(ty);
                    *operand = self.constant_as(old, ty);
                }
                (expr.op, mapped)
            }
        };
        let constants = &mut self.module.constants;
        constants.expression(result, op, expr.flags, &operands)
    }

    /// The member that constant indices lead to.
    fn member_at(&self, ty: TypeId, indices: &[ConstId]) -> TypeId {
        let mut ty = ty;
        for &index in indices {
            let index = self.module.constants.as_u64(index).unwrap_or(0);
            let Some(member) = self.module.types.member(ty, index) else {
                break;
            };
            ty = member;
        }
        ty
    }

    /// The typed form of a constant with a type.
    pub(super) fn constant_as(&mut self, constant: ConstId, ty: TypeId) -> ConstId {
        let typed = self.constants.get(constant.index()).copied();
        let typed = typed.unwrap_or(constant);
        let Const { ty: own, kind } = self.module.constants.get(typed);
        if own == ty {
            return typed;
        }
        if fits_any_pointer(kind) || kind == ConstKind::Zero {
            return self.module.constants.intern(ty, kind);
        }
        if let Type::Struct { .. } | Type::Array { .. } | Type::Named(_) =
            self.module.types.get(own)
        {
            // Aggregates are mapped member by member, so they have the type that is required.
            return typed;
        }
        let op = ExprOp::Cast(CastOp::Bitcast);
        let constants = &mut self.module.constants;
        constants.expression(ty, op, Flags::empty(), &[typed])
    }
}
