//! Intrinsics: calls of them. Their names and signatures are in [`crate::intrinsic`].

use super::body::Code;
use super::{Callee, Verifier};
use crate::function::Call;
use crate::inst::{CallSite, Op};
use crate::module::GlobalId;
use crate::value::InstId;
use warpc_diag::codes;

/// What a function with this name is.
pub(super) fn callee(name: &[u8]) -> Callee {
    match crate::intrinsic::find(name) {
        Some(row) => Callee::Known(row),
        None if name.starts_with(b"llvm.") => Callee::Unknown,
        None => Callee::Plain,
    }
}

/// Intrinsics that `invoke` can call.
const INVOKED: &[&str] = &[
    "llvm.donothing",
    "llvm.seh.try.begin",
    "llvm.seh.try.end",
    "llvm.seh.scope.begin",
    "llvm.seh.scope.end",
    "llvm.coro.resume",
    "llvm.coro.destroy",
    "llvm.coro.await.suspend.void",
    "llvm.coro.await.suspend.bool",
    "llvm.coro.await.suspend.handle",
    "llvm.experimental.patchpoint",
    "llvm.experimental.patchpoint.void",
    "llvm.fake.use",
    "llvm.experimental.gc.statepoint",
    "llvm.wasm.rethrow",
    "llvm.wasm.throw",
    "llvm.objc.clang.arc.use",
];

impl<'m> Verifier<'m> {
    pub(super) fn intrinsic_rule(&mut self, holds: bool, message: impl Into<String>) -> bool {
        self.check(holds, codes::IR_INTRINSIC, message)
    }

    /// Checks a call of an intrinsic.
    pub(super) fn intrinsic_call(
        &mut self,
        code: &mut Code<'m>,
        id: InstId,
        global: GlobalId,
        callee: Callee,
        site: &CallSite,
        call: &Call<'_>,
    ) {
        let declared = self.module.globals[global].value_ty;
        if !rule!(
            self.intrinsic_rule,
            declared == site.ty,
            "{} is called with another type than it has",
            self.name_of(global)
        ) {
            return;
        }
        let name = match callee {
            Callee::Known(row) => row.name,
            _ => "",
        };
        if matches!(code.body.insts[id].op, Op::Invoke(_)) {
            rule!(
                self.intrinsic_rule,
                INVOKED.contains(&name) || self.name_of(global).starts_with("@llvm.wasm."),
                "{} cannot be invoked, call it",
                self.name_of(global)
            );
        }
        let Callee::Known(row) = callee else {
            return;
        };
        if !row.fits(&self.module.types, declared) {
            if row.had(&self.module.types, declared) {
                return;
            }
            rule!(
                self.intrinsic_rule,
                false,
                "{} does not have the type {}",
                self.name_of(global),
                self.show(declared)
            );
            return;
        }
        for constant in &row.constants {
            let Some(&argument) = call.args.get(constant.param) else {
                continue;
            };
            if !rule!(
                self.intrinsic_rule,
                self.is_immediate(argument),
                "argument {} of {} must be a constant number",
                constant.param + 1,
                self.name_of(global)
            ) {
                return;
            }
            if let Some(values) = &constant.values {
                let value = self.argument_value(call, constant.param);
                rule!(
                    self.intrinsic_rule,
                    value.is_some_and(|value| values.contains(&value)),
                    "argument {} of {} goes from {} to {}",
                    constant.param + 1,
                    self.name_of(global),
                    values.start,
                    values.end - 1
                );
            }
        }
        self.single_rules(code, id, row, site, call);
    }
}
