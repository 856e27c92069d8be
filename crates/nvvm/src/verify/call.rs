//! Calls: signature, attributes, operand bundles, tail calls, inline assembly.

use super::attribute::{Kind, PASSING};
use super::body::Code;
use super::{Callee, ListUse, Verifier};
use crate::attribute::{AttrList, Attribute};
use crate::constant::ConstKind;
use crate::function::Call;
use crate::inst::{Bundle, CallConv, CallSite, CallSiteId, CastOp, Op, Tail};
use crate::module::{Function, GlobalId, GlobalKind};
use crate::types::{Type, TypeId};
use crate::value::{InstId, Operand, Value};
use warpc_diag::codes;

/// `tailcc` and `swifttailcc`, whose tail calls may differ in their parameters.
const TAIL_CONVENTIONS: &[CallConv] = &[CallConv(18), CallConv(20)];

impl<'m> Verifier<'m> {
    pub(super) fn call_rule(&mut self, holds: bool, message: impl Into<String>) -> bool {
        self.check(holds, codes::IR_CALL, message)
    }

    /// The function that a value is the address of.
    pub(super) fn function_at(&self, value: Option<Value>) -> Option<(GlobalId, &'m Function)> {
        let id = self.module.global_of(value?.constant()?)?;
        match &self.module.globals[id].kind {
            GlobalKind::Function(function) => Some((id, function)),
            _ => None,
        }
    }

    /// Checks `call`, `invoke` and `callbr`.
    pub(super) fn call(&mut self, code: &mut Code<'m>, id: InstId, site_id: CallSiteId) {
        let body = code.body;
        let inst = &body.insts[id];
        let site = self.module.call_sites.get(site_id);
        let call = body.call(id, site);
        let Some(callee_value) = call.callee else {
            self.call_rule(false, "a call must name what is called");
            return;
        };
        let callee_ty = self.module.type_of(body, callee_value);
        rule!(
            self.call_rule,
            self.module.types.is_ptr(callee_ty),
            "what is called must be a pointer, not {}",
            self.show(callee_ty)
        );
        let Some((ret, params, variadic)) = self.module.types.signature(site.ty) else {
            self.call_rule(false, "a call must have a function type");
            return;
        };
        self.call_rule(inst.ty == ret, "a call gives what the function returns");
        if !self.arguments(code, &call, params, variadic) {
            return;
        }
        let function = self.function_at(Some(callee_value));
        let callee = function.map_or(Callee::Plain, |(id, _)| self.callee(id));
        let place = match callee_value.get() {
            Operand::Asm(_) => ListUse::AsmCall,
            _ if callee.is_intrinsic() => ListUse::IntrinsicCall,
            _ => ListUse::Call,
        };
        if self.call_sites.insert((site_id, place)) {
            self.attribute_list(site.attrs, site.ty, place);
        }
        self.call_attributes(code, site, &call, params, function);
        self.special_types(&call, function, site.ty, callee);
        let bundles = self.module.bundles.get(site.bundles);
        if !bundles.is_empty() {
            self.bundles(code, &call, bundles, function.is_some());
        }
        if let Operand::Asm(asm) = callee_value.get() {
            self.asm_call(code, id, site, &call, asm);
        }
        match inst.op {
            Op::Call(_) if site.tail == Tail::MustTail => {
                self.must_tail(code, id, site, callee_value, callee);
            }
            Op::Invoke(_) => {
                let unwind = call.blocks.get(1).and_then(|target| target.block());
                let pad = unwind.and_then(|target| code.first_non_phi(target));
                let is_pad = pad.is_some_and(|pad| super::exception::is_pad(body.insts[pad].op));
                self.check(
                    is_pad,
                    codes::IR_EXCEPTION,
                    "`invoke` must unwind to a block that starts with a landing pad or funclet",
                );
            }
            Op::CallBr(..) => {
                let is_asm = matches!(callee_value.get(), Operand::Asm(_));
                self.call_rule(
                    is_asm || callee.is_intrinsic(),
                    "`callbr` is for inline assembly only",
                );
            }
            _ => {}
        }
        if let Some((global, _)) = function.filter(|_| callee.is_intrinsic()) {
            self.intrinsic_call(code, id, global, callee, site, &call);
        }
    }

    /// Number and types of the arguments.
    fn arguments(
        &mut self,
        code: &Code<'_>,
        call: &Call<'_>,
        params: &[TypeId],
        variadic: bool,
    ) -> bool {
        let given = call.args.len();
        let enough = given == params.len() || variadic && given > params.len();
        if !rule!(
            self.call_rule,
            enough,
            "the function takes {} arguments, but the call has {given}",
            params.len()
        ) {
            return false;
        }
        for (at, (&value, &param)) in call.args.iter().zip(params).enumerate() {
            let ty = self.module.type_of(code.body, value);
            if ty != param {
                let message = format!(
                    "argument {} has type {}, but the function takes {}",
                    at + 1,
                    self.show(ty),
                    self.show(param)
                );
                self.call_rule(false, message);
            }
        }
        true
    }

    /// Attributes of arguments that depend on the arguments or the callee.
    fn call_attributes(
        &mut self,
        code: &Code<'_>,
        site: &CallSite,
        call: &Call<'_>,
        params: &[TypeId],
        function: Option<(GlobalId, &Function)>,
    ) {
        let attributes = &self.module.attributes;
        let of_callee = function.map(|(_, function)| function.attrs);
        self.call_rule(
            attributes.param_count(site.attrs) <= call.args.len(),
            "attributes stand after the last argument",
        );
        let of_call = self.kinds(attributes.of_function(site.attrs));
        if of_call.has(Kind::Speculatable) {
            let fits = self.callee_has(of_callee, Kind::Speculatable)
                || function.is_some_and(|(id, _)| matches!(self.callee(id), Callee::Known(_)));
            self.call_rule(
                fits,
                "only a function that is `speculatable` can be called so",
            );
        }
        let empty = attributes.empty_list;
        if site.attrs == empty && of_callee.is_none_or(|list| list == empty) {
            return;
        }
        for (at, &value) in call.args.iter().enumerate() {
            let own = self.kinds(attributes.of_param(site.attrs, at));
            let declared = |list: AttrList| attributes.of_param(list, at);
            let theirs = match of_callee {
                Some(list) => self.kinds(declared(list)),
                None => Default::default(),
            };
            let has = |kind| own.has(kind) || theirs.has(kind);
            if has(Kind::ImmArg) {
                rule!(
                    self.call_rule,
                    self.is_immediate(value),
                    "argument {} must be a constant number",
                    at + 1
                );
            }
            if has(Kind::InAlloca)
                && let Some((_, made)) = code.made_by(value)
            {
                self.call_rule(
                    !matches!(
                        made.op,
                        Op::Alloca {
                            inalloca: false,
                            ..
                        }
                    ),
                    "an `inalloca` argument comes from an `inalloca` memory",
                );
            }
            if has(Kind::SwiftError) && at < params.len() {
                self.swift_error_argument(code, value);
            }
            if at >= params.len() {
                let set = attributes.of_param(site.attrs, at);
                let ty = self.module.type_of(code.body, value);
                self.value_attributes(set, ty);
                let is_statepoint = function.is_some_and(|(id, _)| {
                    self.name_of(id)
                        .starts_with("@llvm.experimental.gc.statepoint")
                });
                self.call_rule(
                    is_statepoint || !own.has(Kind::StructRet),
                    "`sret` is not for arguments in place of `...`",
                );
            }
            if has(Kind::Preallocated) {
                let bundles = self.module.bundles.get(site.bundles);
                let bundled = bundles
                    .iter()
                    .any(|bundle| self.module.names.bytes(bundle.tag) == b"preallocated");
                self.call_rule(
                    bundled != (site.tail == Tail::MustTail),
                    "a `preallocated` argument needs a preallocated bundle or `musttail`",
                );
            }
        }
    }

    fn swift_error_argument(&mut self, code: &Code<'_>, value: Value) {
        let fits = match (value.local(), code.made_by(value)) {
            (_, Some((_, inst))) => {
                matches!(
                    inst.op,
                    Op::Alloca {
                        swifterror: true,
                        ..
                    }
                )
            }
            (Some(local), None) => {
                let attributes = &self.module.attributes;
                match code.body.locals[local].def {
                    crate::function::Def::Param(at) => {
                        let set = attributes.of_param(code.function.attrs, at as usize);
                        self.kinds(set).has(Kind::SwiftError)
                    }
                    _ => true,
                }
            }
            _ => false,
        };
        self.call_rule(
            fits,
            "a `swifterror` argument comes from `swifterror` memory or a `swifterror` parameter",
        );
    }

    /// Metadata and tokens go to and come from intrinsics only.
    fn special_types(
        &mut self,
        call: &Call<'_>,
        function: Option<(GlobalId, &Function)>,
        ty: TypeId,
        callee: Callee,
    ) {
        let Some((ret, params, _)) = self.module.types.signature(ty) else {
            return;
        };
        let is_special = |ty| matches!(self.ty(ty), Type::Metadata | Type::Token);
        if !callee.is_intrinsic() {
            self.call_rule(
                !params.iter().any(|&ty| is_special(ty)),
                "metadata and tokens can be passed to intrinsics only",
            );
        }
        // A function that is called with another type than it has is called through a pointer.
        let direct = function.is_some_and(|(id, _)| self.module.globals[id].value_ty == ty);
        if !direct {
            let fits = !matches!(self.ty(ret), Type::Token | Type::X86Amx);
            self.call_rule(fits, "a call through a pointer cannot return a token");
        }
        let local_metadata = |value: &Value| matches!(value.get(), Operand::LocalMetadata(_));
        self.call_rule(
            callee.is_intrinsic() || !call.args.iter().any(local_metadata),
            "metadata of a local value can be passed to intrinsics only",
        );
    }

    /// Operand bundles: some tags at most once, with operands of their own.
    fn bundles(&mut self, code: &Code<'_>, call: &Call<'_>, bundles: &[Bundle], direct: bool) {
        const ONCE: &[&[u8]] = &[
            b"deopt",
            b"gc-transition",
            b"funclet",
            b"cfguardtarget",
            b"ptrauth",
            b"kcfi",
            b"preallocated",
            b"gc-live",
            b"clang.arc.attachedcall",
            b"convergencectrl",
            b"deactivation-symbol",
        ];
        let types = &self.module.types;
        let mut seen: Vec<&[u8]> = Vec::new();
        let mut rest = call.bundles;
        for bundle in bundles {
            let (inputs, more) = rest.split_at((bundle.len as usize).min(rest.len()));
            rest = more;
            let tag = self.module.names.bytes(bundle.tag);
            let name = self.module.names.text(bundle.tag);
            if ONCE.contains(&tag) {
                let fresh = !seen.contains(&tag);
                rule!(
                    self.call_rule,
                    fresh,
                    "a call has one `{name}` bundle at most"
                );
                seen.push(tag);
            }
            let ty = |at: usize| self.operand_type(code, inputs, at);
            let fits = match tag {
                b"funclet" => {
                    inputs.len() == 1
                        && code
                            .made_by(inputs[0])
                            .is_some_and(|(_, pad)| matches!(pad.op, Op::CatchPad | Op::CleanupPad))
                }
                b"cfguardtarget" | b"deactivation-symbol" => inputs.len() == 1,
                b"ptrauth" => {
                    inputs.len() == 2
                        && ty(0) == Some(types.i32)
                        && self.is_immediate(inputs[0])
                        && ty(1) == Some(types.i64)
                }
                b"kcfi" => {
                    inputs.len() == 1 && ty(0) == Some(types.i32) && self.is_immediate(inputs[0])
                }
                b"preallocated" => {
                    inputs.len() == 1
                        && self.intrinsic_that_made(code, inputs[0])
                            == Some("llvm.call.preallocated.setup")
                }
                b"convergencectrl" => inputs.len() == 1 && ty(0) == Some(types.token),
                b"clang.arc.attachedcall" => {
                    inputs.is_empty()
                        || inputs.len() == 1 && self.function_at(Some(inputs[0])).is_some()
                }
                _ => true,
            };
            rule!(
                self.call_rule,
                fits,
                "the operands of the `{name}` bundle do not fit it"
            );
        }
        self.call_rule(
            !(direct && seen.contains(&b"ptrauth".as_slice())),
            "a direct call has no `ptrauth` bundle",
        );
    }

    /// The name of the intrinsic whose call made a value.
    pub(super) fn intrinsic_that_made(
        &self,
        code: &Code<'_>,
        value: Value,
    ) -> Option<&'static str> {
        let (id, inst) = code.made_by(value)?;
        let site = self.module.call_sites.get(inst.op.call_site()?);
        let (function, _) = self.function_at(code.body.call(id, site).callee)?;
        match self.callee(function) {
            Callee::Known(row) => Some(row.name),
            _ => None,
        }
    }

    /// A call that must reuse the frame of its caller is like its caller and the last thing it does.
    fn must_tail(
        &mut self,
        code: &Code<'_>,
        id: InstId,
        site: &CallSite,
        callee_value: Value,
        callee: Callee,
    ) {
        let module = self.module;
        let types = &module.types;
        let (Some((caller_ret, caller_params, caller_variadic)), Some((ret, params, variadic))) = (
            types.signature(code.global.value_ty),
            types.signature(site.ty),
        ) else {
            return;
        };
        let is_asm = matches!(callee_value.get(), Operand::Asm(_));
        self.call_rule(!is_asm, "inline assembly cannot be called by `musttail`");
        self.call_rule(
            caller_variadic == variadic,
            "`musttail`: caller and callee must both have `...` or not",
        );
        self.call_rule(
            caller_ret == ret,
            "`musttail`: caller and callee must return one type",
        );
        self.call_rule(
            code.function.conv == site.conv,
            "`musttail`: caller and callee must have one calling convention",
        );
        self.must_return(code, id);
        let caller_attrs = code.function.attrs;
        if TAIL_CONVENTIONS.contains(&site.conv) {
            self.call_rule(
                !variadic,
                "`musttail` of this calling convention does not go with `...`",
            );
            let lists = [
                (caller_attrs, caller_params.len()),
                (site.attrs, params.len()),
            ];
            for (list, count) in lists {
                for at in 0..count {
                    let kinds = self.kinds(module.attributes.of_param(list, at));
                    let bad = [
                        Kind::InAlloca,
                        Kind::InReg,
                        Kind::SwiftError,
                        Kind::Preallocated,
                        Kind::ByRef,
                    ];
                    for kind in bad {
                        rule!(
                            self.call_rule,
                            !kinds.has(kind),
                            "`{}` does not go with `musttail` here",
                            kind.word()
                        );
                    }
                }
            }
            return;
        }
        if !callee.is_intrinsic() {
            self.call_rule(
                caller_params == params,
                "`musttail`: caller and callee must take the same parameters",
            );
        }
        for at in 0..caller_params.len() {
            let same = self.passing(caller_attrs, at) == self.passing(site.attrs, at);
            self.call_rule(
                same,
                "`musttail`: caller and callee must pass their parameters in the same way",
            );
        }
    }

    /// The attributes that say how a parameter is passed.
    fn passing(&mut self, list: AttrList, at: usize) -> Vec<Attribute> {
        let set = self.module.attributes.of_param(list, at);
        let kinds = self.kinds(set);
        let mut found: Vec<Attribute> = PASSING
            .iter()
            .filter_map(|&kind| self.attribute(set, kind))
            .collect();
        if kinds.has(Kind::ByVal) || kinds.has(Kind::ByRef) {
            found.extend(self.attribute(set, Kind::Align));
        }
        found
    }

    /// The value of the call must be returned at once; a `bitcast` may stand between.
    fn must_return(&mut self, code: &Code<'_>, id: InstId) {
        let body = code.body;
        let mut value = body.insts[id].local();
        let mut next = code.next(id);
        if let Some(cast) = next.filter(|&next| body.insts[next].op == Op::Cast(CastOp::Bitcast)) {
            let uses = body
                .operands(cast)
                .first()
                .and_then(|operand| operand.local())
                == value;
            self.call_rule(
                uses,
                "the `bitcast` after a `musttail` call must take its value",
            );
            value = body.insts[cast].local();
            next = code.next(cast);
        }
        let Some(ret) = next.filter(|&next| body.insts[next].op == Op::Ret) else {
            self.call_rule(false, "`ret` must follow a `musttail` call");
            return;
        };
        let fits = match body.operands(ret).first().map(|operand| operand.get()) {
            None => true,
            Some(Operand::Local(local)) => Some(local) == value,
            Some(Operand::Const(constant)) => matches!(
                self.module.constants.get(constant).kind,
                ConstKind::Undef | ConstKind::Poison
            ),
            _ => false,
        };
        self.call_rule(fits, "the value of a `musttail` call must be returned");
    }
}
