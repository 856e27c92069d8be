//! Addresses of atomics in the narrowest space that is plain to see.
//!
//! Inline PTX names the space, so it is not narrowed by later passes. A generic pointer that is an
//! `addrspacecast`, or an offset from one, is taken back to the space it comes from.

use super::call::Call;
use warpc_model::StateSpace;
use warpc_nvvm::constant::{ConstKind, ExprOp};
use warpc_nvvm::function::Def;
use warpc_nvvm::inst::{CastOp, Op};
use warpc_nvvm::types::Type;
use warpc_nvvm::value::{Operand, Value};

/// How many offsets are looked through.
const STEPS: u32 = 8;

/// A pointer and the space of its type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Address {
    pub pointer: Value,
    pub space: StateSpace,
}

impl Call<'_, '_> {
    /// The pointer that an argument is.
    pub(super) fn address(&mut self, index: usize) -> Address {
        let pointer = self.editor.resolve(self.args[index]);
        let pointer = self.narrowed(pointer, STEPS).unwrap_or(pointer);
        match self.atomic_space(pointer) {
            Some(space) => Address { pointer, space },
            // `atom` has no words for the other spaces.
            None => Address {
                pointer: self.in_space(pointer, StateSpace::Generic),
                space: StateSpace::Generic,
            },
        }
    }

    /// The pointer that an argument is, as one to global memory.
    pub(super) fn global_address(&mut self, index: usize) -> Address {
        let address = self.address(index);
        let space = StateSpace::Global;
        Address {
            pointer: self.in_space(address.pointer, space),
            space,
        }
    }

    /// The letter for a pointer in constraints.
    pub(super) fn pointer_letter(&self, address: Address) -> &'static str {
        let space = address.space.llvm().unwrap_or(0);
        match self.layout.pointer_bits(space) {
            32 => "r",
            _ => "l",
        }
    }

    fn in_space(&mut self, pointer: Value, space: StateSpace) -> Value {
        let ty = self.editor.module.types.pointer(space.llvm().unwrap_or(0));
        self.editor.cast(CastOp::Addrspacecast, pointer, ty)
    }

    fn space_number(&self, pointer: Value) -> Option<u32> {
        match self.editor.module.types.get(self.editor.type_of(pointer)) {
            Type::Ptr(space) => Some(space),
            _ => None,
        }
    }

    /// The space of a pointer, if atomics may name it.
    fn atomic_space(&self, pointer: Value) -> Option<StateSpace> {
        let space = StateSpace::from_llvm(self.space_number(pointer)?)?;
        let named = matches!(space, StateSpace::Generic | StateSpace::Global);
        (named || space.is_shared()).then_some(space)
    }

    /// A generic pointer in the space that it was converted from.
    fn narrowed(&mut self, pointer: Value, steps: u32) -> Option<Value> {
        if self.space_number(pointer)? != 0 {
            return self.atomic_space(pointer).map(|_| pointer);
        }
        let steps = steps.checked_sub(1)?;
        match pointer.get() {
            Operand::Local(local) => {
                let Def::Inst(inst) = self.editor.body.locals[local].def else {
                    return None;
                };
                let operands = self.editor.body.operands(inst).to_vec();
                let base = self.editor.resolve(*operands.first()?);
                match self.editor.body.insts[inst].op {
                    Op::Cast(CastOp::Addrspacecast) => self.narrowed(base, steps),
                    op @ Op::Gep { .. } => {
                        let flags = self.editor.body.insts[inst].flags;
                        let base = self.narrowed(base, steps)?;
                        let ty = self.editor.type_of(base);
                        let operands: Vec<Value> = [base]
                            .into_iter()
                            .chain(operands[1..].iter().copied())
                            .collect();
                        Some(self.editor.value(op, flags, ty, &operands))
                    }
                    _ => None,
                }
            }
            Operand::Const(constant) => {
                let constants = &self.editor.module.constants;
                let ConstKind::Expr(expr) = constants.get(constant).kind else {
                    return None;
                };
                let expr = constants.expr(expr);
                let operands = constants.list(expr.operands).to_vec();
                let base = Value::from(*operands.first()?);
                match expr.op {
                    ExprOp::Cast(CastOp::Addrspacecast) => self.narrowed(base, steps),
                    ExprOp::Gep { source, .. } => {
                        let base = self.narrowed(base, steps)?;
                        let ty = self.editor.type_of(base);
                        let indices = operands[1..].iter().map(|&index| index.into());
                        let operands: Vec<Value> = [base].into_iter().chain(indices).collect();
                        let op = Op::Gep { source };
                        Some(self.editor.value(op, expr.flags, ty, &operands))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }
}
