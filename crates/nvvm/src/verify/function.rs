//! Functions: signatures, calling conventions, and what declarations and definitions may have.

use super::attribute::Kind;
use super::body::Code;
use super::{Callee, ListUse, Verifier};
use crate::function::Def;
use crate::inst::{CallConv, Op};
use crate::module::{Function, Global, GlobalId, Linkage};
use crate::types::{Type, TypeId};
use crate::value::Local;
use warpc_diag::codes;

/// Conventions that do not go with `...`.
const NO_VARIADIC: &[u16] = &[
    8,   // fastcc
    9,   // coldcc
    71,  // ptx_kernel
    72,  // ptx_device
    76,  // spir_kernel
    77,  // intel_ocl_bicc
    87,  // amdgpu_vs
    88,  // amdgpu_gs
    89,  // amdgpu_ps
    90,  // amdgpu_cs
    91,  // amdgpu_kernel
    93,  // amdgpu_hs
    104, // amdgpu_cs_chain
    105, // amdgpu_cs_chain_preserve
];

/// Conventions of functions that return nothing.
const RETURN_VOID: &[u16] = &[76, 91, 104, 105];

/// Conventions without `sret`, `byval` and their kin.
const NO_MEMORY_ARGUMENTS: &[u16] = &[87, 88, 89, 90, 91, 93, 104, 105];

impl<'m> Verifier<'m> {
    fn function_rule(&mut self, holds: bool, message: impl Into<String>) -> bool {
        self.check(holds, codes::IR_FUNCTION, message)
    }

    /// Checks all functions.
    pub(super) fn functions(&mut self) {
        let module = self.module;
        for (id, global, function) in module.functions() {
            self.at = global.pos;
            self.function(id, global, function);
            if let Some(body) = &function.body {
                self.body(id, global, function, body);
            }
        }
    }

    fn function(&mut self, id: GlobalId, global: &'m Global, function: &'m Function) {
        let Some((ret, params, variadic)) = self.module.types.signature(global.value_ty) else {
            self.function_rule(false, "a function has a function type");
            return;
        };
        self.function_rule(
            global.linkage != Linkage::Common,
            "a function cannot be `common`",
        );
        let callee = self.callee(id);
        let returns = match self.ty(ret) {
            Type::Function { .. } | Type::Label | Type::Metadata => false,
            Type::Token | Type::X86Amx => callee.is_intrinsic(),
            _ => true,
        };
        rule!(
            self.function_rule,
            returns,
            "a function cannot return {}",
            self.show(ret)
        );
        for &param in params {
            let fits = match self.ty(param) {
                Type::Void | Type::Function { .. } | Type::Label => false,
                Type::Metadata | Type::Token | Type::X86Amx => callee.is_intrinsic(),
                Type::Named(_) => self.module.types.fields(param).is_some(),
                _ => true,
            };
            rule!(
                self.function_rule,
                fits,
                "a function cannot take {}",
                self.show(param)
            );
        }
        // LLVM gives intrinsics it knows their attributes, whatever the text says, if it can be read.
        if matches!(callee, Callee::Known(_)) {
            self.attribute_places(function.attrs, params.len());
        } else {
            let place = match callee.is_intrinsic() {
                true => ListUse::Intrinsic,
                false => ListUse::Function,
            };
            self.attributes_of_function(global, function, params, ret, place);
        }
        self.convention(function, params, ret, variadic);
        self.function_metadata(global, function);
        match &function.body {
            None => {
                self.function_rule(
                    function.personality.is_none(),
                    "a declaration has no personality",
                );
            }
            Some(_) => {
                self.function_rule(
                    !callee.is_intrinsic(),
                    "names that start with `llvm.` belong to intrinsics, which have no body",
                );
            }
        }
    }

    fn attributes_of_function(
        &mut self,
        global: &Global,
        function: &Function,
        params: &[TypeId],
        ret: TypeId,
        place: ListUse,
    ) {
        let attributes = &self.module.attributes;
        self.attribute_list(function.attrs, global.value_ty, place);
        self.function_rule(
            attributes.param_count(function.attrs) <= params.len(),
            "attributes stand after the last parameter",
        );
        for at in 0..params.len() {
            let kinds = self.kinds(attributes.of_param(function.attrs, at));
            if kinds.has(Kind::StructRet) {
                self.function_rule(
                    matches!(self.ty(ret), Type::Void),
                    "a function with an `sret` parameter returns void",
                );
            }
            if kinds.has(Kind::ElementType) {
                self.function_rule(false, "`elementtype` is for calls only");
            }
        }
        let kinds = self.kinds(attributes.of_function(function.attrs));
        if kinds.has(Kind::JumpTable) {
            self.function_rule(
                global.unnamed_addr == crate::module::UnnamedAddr::Global,
                "`jumptable` requires `unnamed_addr`",
            );
        }
        if kinds.has(Kind::Naked)
            && let Some(body) = &function.body
        {
            let used = body.order.iter().any(|&block| {
                body.blocks[block].insts.iter().any(|&inst| {
                    body.operands(inst).iter().any(|value| {
                        value
                            .local()
                            .is_some_and(|local| matches!(body.locals[local].def, Def::Param(_)))
                    })
                })
            });
            self.function_rule(!used, "a `naked` function cannot use its parameters");
        }
    }

    fn convention(&mut self, function: &Function, params: &[TypeId], ret: TypeId, variadic: bool) {
        let CallConv(conv) = function.conv;
        let name = function.conv.keyword().unwrap_or("this calling convention");
        if NO_VARIADIC.contains(&conv) {
            rule!(
                self.function_rule,
                !variadic,
                "`{name}` does not go with `...`"
            );
        }
        if RETURN_VOID.contains(&conv) {
            rule!(
                self.function_rule,
                matches!(self.ty(ret), Type::Void),
                "a function of `{name}` returns void"
            );
        }
        let attributes = &self.module.attributes;
        if NO_MEMORY_ARGUMENTS.contains(&conv) {
            for at in 0..params.len() {
                let kinds = self.kinds(attributes.of_param(function.attrs, at));
                for kind in [
                    Kind::StructRet,
                    Kind::ByVal,
                    Kind::Preallocated,
                    Kind::InAlloca,
                ] {
                    rule!(
                        self.function_rule,
                        !kinds.has(kind),
                        "`{name}` does not go with `{}`",
                        kind.word()
                    );
                }
            }
        }
        // x86_intrcc
        if conv == 83 && !params.is_empty() {
            let kinds = self.kinds(attributes.of_param(function.attrs, 0));
            rule!(
                self.function_rule,
                kinds.has(Kind::ByVal),
                "the first parameter of `{name}` must be `byval`"
            );
        }
    }

    /// Checks the uses of parameters with `swifterror`.
    pub(super) fn swift_error_params(&mut self, code: &Code<'_>) {
        let attributes = &self.module.attributes;
        let list = code.function.attrs;
        for at in 0..attributes.param_count(list) {
            if self
                .kinds(attributes.of_param(list, at))
                .has(Kind::SwiftError)
            {
                let param = Def::Param(at as u32);
                let mut locals = code.body.locals.iter();
                if let Some((local, _)) = locals.find(|(_, local)| local.def == param) {
                    self.swift_error_uses(code, local);
                }
            }
        }
    }

    /// Memory or a parameter with `swifterror` is only loaded, stored to, and handed on as such.
    pub(super) fn swift_error_uses(&mut self, code: &Code<'_>, local: Local) {
        let body = code.body;
        for site in code.analyses.uses(body).of(local) {
            let inst = &body.insts[site.inst];
            let fits = match inst.op {
                Op::Load(_) => true,
                Op::Store(_) => site.operand == 1,
                Op::Call(id) | Op::Invoke(id) => {
                    let list = self.module.call_sites.get(id).attrs;
                    let set = self.module.attributes.of_param(list, site.operand as usize);
                    self.kinds(set).has(Kind::SwiftError)
                }
                _ => false,
            };
            self.at = inst.pos;
            self.function_rule(
                fits,
                "a `swifterror` value can only be loaded, stored to, or passed as `swifterror`",
            );
        }
    }
}
