//! Constants: expressions, and that intrinsics have no address.

use super::Verifier;
use super::body::Code;
use crate::constant::{ConstId, ConstKind, ExprOp};
use crate::index::Id;
use crate::inst::Op;
use crate::module::{GlobalId, GlobalKind};
use crate::types::{Type, TypeId};
use crate::value::{InstId, Operand};
use warpc_diag::codes;

impl Verifier<'_> {
    /// Checks the constants that globals hold.
    pub(super) fn constants(&mut self) {
        let module = self.module;
        for (_, global) in module.globals.iter() {
            self.at = global.pos;
            match &global.kind {
                GlobalKind::Variable(variable) => self.constant_root(variable.init),
                GlobalKind::Alias(constant) | GlobalKind::Ifunc(constant) => {
                    self.constant_root(Some(*constant));
                }
                GlobalKind::Function(function) => {
                    for constant in [function.prefix, function.prologue, function.personality] {
                        self.constant_root(constant);
                    }
                }
                GlobalKind::Pending => {}
            }
        }
    }

    /// Checks a constant that a global holds.
    fn constant_root(&mut self, root: Option<ConstId>) {
        if let Some(global) = root.and_then(|root| self.module.global_of(root)) {
            self.no_address(global);
        }
        if let Some(root) = root {
            self.constant_tree(root);
        }
    }

    /// Reports the use of an intrinsic as a value.
    fn no_address(&mut self, global: GlobalId) {
        rule!(
            self.check[codes::IR_INTRINSIC],
            !self.callee(global).is_intrinsic(),
            "{} is an intrinsic, it has no address",
            self.name_of(global)
        );
    }

    /// Checks a constant and all it is made of, each once.
    pub(super) fn constant_tree(&mut self, root: ConstId) {
        if std::mem::replace(&mut self.seen[root.index()], true) {
            return;
        }
        let mut work = vec![root];
        while let Some(constant) = work.pop() {
            self.constant(constant);
            let module = self.module;
            for inner in module.constants.operands(constant) {
                if let Some(global) = module.global_of(inner) {
                    self.no_address(global);
                }
                if !std::mem::replace(&mut self.seen[inner.index()], true) {
                    work.push(inner);
                }
            }
        }
    }

    fn constant(&mut self, constant: ConstId) {
        let value = self.module.constants.get(constant);
        match value.kind {
            ConstKind::Expr(_) => self.expression(constant),
            ConstKind::Aggregate(list) => {
                let elements = self.module.constants.list(list);
                self.aggregate(value.ty, elements);
            }
            ConstKind::BlockAddress(id) => {
                let target = self.module.constants.block_addresses[id];
                let GlobalKind::Function(function) = &self.module.globals[target.function].kind
                else {
                    return;
                };
                let entry = function.body.as_ref().and_then(|body| body.order.first());
                self.check(
                    target.block.is_none() || target.block != entry.copied(),
                    codes::IR_CONSTANT,
                    "the entry block has no address",
                );
            }
            ConstKind::PtrAuth(list) => {
                let parts = self.module.constants.list(list);
                let types: Vec<TypeId> = parts
                    .iter()
                    .map(|&part| self.module.constants.get(part).ty)
                    .collect();
                let known = &self.module.types;
                let fits = types.first() == Some(&value.ty)
                    && known.is_ptr(value.ty)
                    && types.get(1).is_none_or(|&ty| ty == known.i32)
                    && types.get(2).is_none_or(|&ty| ty == known.i64)
                    && types.get(3).is_none_or(|&ty| known.is_ptr(ty));
                self.check(
                    fits,
                    codes::IR_CONSTANT,
                    "`ptrauth` takes a pointer, an i32 key, an i64 discriminator and a pointer",
                );
            }
            _ => {}
        }
    }

    /// The elements of an aggregate have the types that its type says.
    fn aggregate(&mut self, ty: TypeId, elements: &[ConstId]) {
        let types = &self.module.types;
        let constants = &self.module.constants;
        let given = elements.iter().map(|&element| constants.get(element).ty);
        let fits = match types.get(ty) {
            Type::Array { element, len } => {
                elements.len() as u64 == len && given.into_iter().all(|ty| ty == element)
            }
            Type::Vector { element, len, .. } => {
                elements.len() as u64 == u64::from(len) && given.into_iter().all(|ty| ty == element)
            }
            _ => types
                .fields(ty)
                .is_some_and(|fields| fields.iter().copied().eq(given)),
        };
        rule!(
            self.check[codes::IR_CONSTANT],
            fits,
            "the elements of a constant do not fit its type {}",
            self.show(ty)
        );
    }

    fn expression(&mut self, constant: ConstId) {
        let module = self.module;
        let ty = module.constants.get(constant).ty;
        let ConstKind::Expr(id) = module.constants.get(constant).kind else {
            return;
        };
        let expr = module.constants.expr(id);
        let operands = module.constants.list(expr.operands);
        let type_of = |at: usize| operands.get(at).map(|&op| module.constants.get(op).ty);
        match expr.op {
            ExprOp::Cast(op) => {
                if let Some(from) = type_of(0) {
                    let wrong = self.wrong_cast(op, from, ty);
                    rule!(
                        self.check[codes::IR_CONSTANT],
                        wrong.is_none(),
                        "a constant `{}` cannot convert {} to {}",
                        op.keyword(),
                        self.show(from),
                        self.show(ty)
                    );
                }
            }
            ExprOp::Gep { source, .. } => {
                let indices: Vec<TypeId> = (1..operands.len()).filter_map(type_of).collect();
                let path: Vec<Option<u64>> = operands
                    .iter()
                    .skip(1)
                    .map(|&index| self.constant_index(index))
                    .collect();
                if let Some(base) = type_of(0) {
                    self.gep(source, base, &indices, &path, ty);
                }
            }
            ExprOp::Binary(_) => {
                self.check(
                    type_of(0) == Some(ty) && type_of(1) == Some(ty),
                    codes::IR_CONSTANT,
                    "the operands of a constant expression must have its type",
                );
            }
            _ => {}
        }
    }

    /// Intrinsics can be called and nothing else.
    pub(super) fn check_address_taken(
        &mut self,
        code: &Code<'_>,
        inst: InstId,
        at: usize,
        global: GlobalId,
    ) {
        if !self.callee(global).is_intrinsic() {
            return;
        }
        // `clang.arc.attachedcall` names the function that is called after the call.
        let attached = match code.body.insts[inst].op {
            Op::Call(id) | Op::Invoke(id) => {
                let site = self.module.call_sites.get(id);
                at >= site.args as usize
                    && self.module.bundles.get(site.bundles).iter().any(|bundle| {
                        self.module.names.bytes(bundle.tag) == b"clang.arc.attachedcall"
                    })
            }
            _ => false,
        };
        rule!(
            self.check[codes::IR_INTRINSIC],
            attached,
            "{} is an intrinsic, it has no address",
            self.name_of(global)
        );
    }

    /// Whether an operand is a constant number, as intrinsics want for some arguments.
    pub(super) fn is_immediate(&self, value: crate::value::Value) -> bool {
        let Operand::Const(constant) = value.get() else {
            return false;
        };
        matches!(
            self.module.constants.get(constant).kind,
            ConstKind::Int(_)
                | ConstKind::WideInt(_)
                | ConstKind::Float(_)
                | ConstKind::WideFloat(_)
        )
    }
}
