//! Instructions.

use super::Printer;
use crate::constant::ConstKind;
use crate::function::Body;
use crate::inst::{Access, CallSite, CallSiteId, Flags, Inst, Op, Ordering, SyncScope, Tail};
use crate::module::{AsmFlags, AsmId};
use crate::types::{Type, TypeId};
use crate::value::{InstId, Value};

/// What a landing pad's clauses and the targets of an `invoke` are indented with.
const CONTINUED: &str = "          ";

impl<'m> Printer<'m> {
    /// An instruction without its metadata.
    pub(super) fn instruction(&mut self, body: &'m Body, id: InstId) {
        let inst = &body.insts[id];
        let operands = body.operands(id);
        self.out.str("  ");
        if let Some(local) = inst.local() {
            self.local(body, local);
            self.out.str(" = ");
        }
        match inst.op {
            Op::Call(site) | Op::Invoke(site) | Op::CallBr(site, _) => {
                self.call(body, id, inst, site);
            }
            Op::Load(access) => {
                self.out.str("load");
                self.access_head(access);
                self.out.byte(b' ');
                self.ty(inst.ty);
                self.out.str(", ");
                self.typed_list(body, operands);
                self.access_tail(access);
            }
            Op::Store(access) => {
                self.out.str("store");
                self.access_head(access);
                self.out.byte(b' ');
                self.typed_list(body, operands);
                self.access_tail(access);
            }
            Op::CmpXchg {
                access,
                failure,
                weak,
            } => {
                self.out.str(if weak { "cmpxchg weak" } else { "cmpxchg" });
                self.volatile(access);
                self.out.byte(b' ');
                self.typed_list(body, operands);
                self.atomic(access.scope, access.ordering);
                self.out.byte(b' ');
                self.out.str(failure.llvm().unwrap_or_default());
                self.align(", align ", access.align);
            }
            Op::AtomicRmw(op, access) => {
                self.out.str("atomicrmw");
                self.volatile(access);
                self.out.byte(b' ');
                self.out.str(op.keyword());
                self.out.byte(b' ');
                self.typed_list(body, operands);
                self.atomic(access.scope, access.ordering);
                self.align(", align ", access.align);
            }
            Op::Fence(ordering, scope) => {
                self.out.str("fence");
                self.atomic(scope, ordering);
            }
            _ => {
                self.out.str(inst.op.mnemonic());
                self.flags(inst.flags);
                self.rest(body, inst, operands);
            }
        }
    }

    /// What follows mnemonic and flags.
    fn rest(&mut self, body: &'m Body, inst: &Inst, operands: &[Value]) {
        match inst.op {
            Op::Icmp(predicate) => {
                self.out.byte(b' ');
                self.out.str(predicate.keyword());
                self.same_type_list(body, operands);
            }
            Op::Fcmp(predicate) => {
                self.out.byte(b' ');
                self.out.str(predicate.keyword());
                self.same_type_list(body, operands);
            }
            Op::Binary(_) => self.same_type_list(body, operands),
            Op::Gep { source } => {
                self.out.byte(b' ');
                self.ty(source);
                self.out.str(", ");
                self.typed_list(body, operands);
            }
            Op::Cast(_) => {
                self.out.byte(b' ');
                self.typed_list(body, operands);
                self.out.str(" to ");
                self.ty(inst.ty);
            }
            Op::VaArg => {
                self.out.byte(b' ');
                self.typed_list(body, operands);
                self.out.str(", ");
                self.ty(inst.ty);
            }
            Op::Ret if operands.is_empty() => self.out.str(" void"),
            Op::ExtractValue(indices) | Op::InsertValue(indices) => {
                self.out.byte(b' ');
                self.typed_list(body, operands);
                self.indices(indices);
            }
            Op::ShuffleVector => {
                self.out.byte(b' ');
                let (vectors, mask) = operands.split_at(operands.len().saturating_sub(1));
                self.typed_list(body, vectors);
                self.out.str(", ");
                match mask.first().and_then(|mask| mask.constant()) {
                    Some(mask) => self.shuffle_mask(mask),
                    None => self.typed_list(body, mask),
                }
            }
            Op::Phi => self.phi(body, inst.ty, operands),
            Op::Alloca { .. } => self.alloca(body, inst, operands),
            Op::Switch => {
                let (head, cases) = operands.split_at(operands.len().min(2));
                self.out.byte(b' ');
                self.typed_list(body, head);
                self.out.str(" [");
                for case in cases.chunks(2) {
                    self.out.newline();
                    self.out.str("    ");
                    self.typed_list(body, case);
                }
                self.out.newline();
                self.out.str("  ]");
            }
            Op::IndirectBr => {
                let (address, blocks) = operands.split_at(operands.len().min(1));
                self.out.byte(b' ');
                self.typed_list(body, address);
                self.out.str(", ");
                self.bracketed(body, blocks);
            }
            Op::LandingPad { cleanup } => self.landing_pad(body, inst.ty, cleanup, operands),
            Op::CatchPad | Op::CleanupPad => {
                self.out.str(" within ");
                if let Some((&parent, args)) = operands.split_first() {
                    self.operand(body, parent);
                    self.out.byte(b' ');
                    self.bracketed(body, args);
                }
            }
            Op::CatchSwitch { unwinds } => {
                let (parent, rest) = operands.split_at(operands.len().min(1));
                let (unwind, handlers) = rest.split_at(rest.len().min(usize::from(unwinds)));
                self.out.str(" within ");
                self.operands(body, parent);
                self.out.byte(b' ');
                self.bracketed(body, handlers);
                self.unwind(body, unwind);
            }
            Op::CleanupRet => {
                let (pad, unwind) = operands.split_at(operands.len().min(1));
                self.out.str(" from ");
                self.operands(body, pad);
                self.unwind(body, unwind);
            }
            Op::CatchRet => {
                let (pad, block) = operands.split_at(operands.len().min(1));
                self.out.str(" from ");
                self.operands(body, pad);
                self.out.str(" to ");
                self.typed_list(body, block);
            }
            Op::Unreachable => {}
            _ => {
                self.out.byte(b' ');
                self.typed_list(body, operands);
            }
        }
    }

    /// Operands without types.
    fn operands(&mut self, body: &Body, operands: &[Value]) {
        for (i, &value) in operands.iter().enumerate() {
            self.out.comma(i);
            self.operand(body, value);
        }
    }

    /// Operands, each with its type.
    fn typed_list(&mut self, body: &Body, operands: &[Value]) {
        for (i, &value) in operands.iter().enumerate() {
            self.out.comma(i);
            self.typed(body, value);
        }
    }

    /// Operands of one type, which is written once.
    fn same_type_list(&mut self, body: &Body, operands: &[Value]) {
        if let Some(&first) = operands.first() {
            self.out.byte(b' ');
            self.ty(self.module.type_of(body, first));
        }
        self.out.byte(b' ');
        self.operands(body, operands);
    }

    fn bracketed(&mut self, body: &Body, operands: &[Value]) {
        self.out.byte(b'[');
        self.typed_list(body, operands);
        self.out.byte(b']');
    }

    fn unwind(&mut self, body: &Body, block: &[Value]) {
        self.out.str(" unwind ");
        if block.is_empty() {
            self.out.str("to caller");
        } else {
            self.typed_list(body, block);
        }
    }

    fn phi(&mut self, body: &Body, ty: TypeId, operands: &[Value]) {
        self.out.byte(b' ');
        self.ty(ty);
        self.out.byte(b' ');
        for (i, pair) in operands.chunks(2).enumerate() {
            self.out.comma(i);
            self.out.str("[ ");
            self.operands(body, pair);
            self.out.str(" ]");
        }
    }

    fn alloca(&mut self, body: &Body, inst: &Inst, operands: &[Value]) {
        let Op::Alloca {
            ty,
            align,
            inalloca,
            swifterror,
        } = inst.op
        else {
            return;
        };
        let module = self.module;
        self.out.byte(b' ');
        if inalloca {
            self.out.str("inalloca ");
        }
        if swifterror {
            self.out.str("swifterror ");
        }
        self.ty(ty);
        // One, as an `i32`, is understood.
        let is_one = |value: &Value| {
            value.constant().is_some_and(|constant| {
                let constant = module.constants.get(constant);
                constant.ty == module.types.i32 && constant.kind == ConstKind::Int(1)
            })
        };
        if !operands.iter().all(is_one) {
            self.out.str(", ");
            self.typed_list(body, operands);
        }
        self.align(", align ", align);
        if let Type::Ptr(space @ 1..) = module.types.get(inst.ty) {
            self.address_space(", ", space);
        }
    }

    fn landing_pad(&mut self, body: &Body, ty: TypeId, cleanup: bool, clauses: &[Value]) {
        self.out.byte(b' ');
        self.ty(ty);
        if cleanup {
            self.out.newline();
            self.out.str(CONTINUED);
            self.out.str("cleanup");
        }
        for &clause in clauses {
            self.out.newline();
            self.out.str(CONTINUED);
            let ty = self.module.type_of(body, clause);
            let is_filter = matches!(self.module.types.get(ty), Type::Array { .. });
            self.out.str(if is_filter { "filter " } else { "catch " });
            self.typed(body, clause);
        }
    }

    fn call(&mut self, body: &'m Body, id: InstId, inst: &Inst, site: CallSiteId) {
        let module = self.module;
        let site = module.call_sites.get(site);
        let call = body.call(id, site);
        if site.tail != Tail::None {
            self.out.str(site.tail.keyword());
            self.out.byte(b' ');
        }
        self.out.str(inst.op.mnemonic());
        self.flags(inst.flags);
        self.out.byte(b' ');
        self.calling_convention(site.conv);
        let of_return = module.attributes.of_return(site.attrs);
        for &attribute in module.attributes.set(of_return) {
            self.attribute(module.attributes.get(attribute), false);
            self.out.byte(b' ');
        }
        if let Some(callee) = call.callee {
            let callee_ty = module.type_of(body, callee);
            if let Type::Ptr(space) = module.types.get(callee_ty)
                && (space != 0 || self.program_space != 0)
            {
                self.address_space("", space);
                self.out.byte(b' ');
            }
            // The type of the result says enough unless the number of arguments varies.
            match module.types.signature(site.ty) {
                Some((ret, _, false)) => self.ty(ret),
                _ => self.ty(site.ty),
            }
            self.out.byte(b' ');
            self.operand(body, callee);
        }
        self.out.byte(b'(');
        for (i, &argument) in call.args.iter().enumerate() {
            self.out.comma(i);
            self.ty(module.type_of(body, argument));
            let set = module.attributes.of_param(site.attrs, i);
            self.attributes(set);
            self.out.byte(b' ');
            self.operand(body, argument);
        }
        if site.tail == Tail::MustTail && self.numbers.variadic {
            self.out.comma(call.args.len());
            self.out.str("...");
        }
        self.out.byte(b')');
        self.group(module.attributes.of_function(site.attrs));
        self.bundles(body, site, call.bundles);
        self.call_targets(body, inst.op, call.blocks);
    }

    /// Where `invoke` and `callbr` go.
    fn call_targets(&mut self, body: &Body, op: Op, blocks: &[Value]) {
        let (normal, others) = blocks.split_at(blocks.len().min(1));
        let (Op::Invoke(_) | Op::CallBr(..)) = op else {
            return;
        };
        self.out.newline();
        self.out.str(CONTINUED);
        self.out.str("to ");
        self.typed_list(body, normal);
        if let Op::Invoke(_) = op {
            self.out.str(" unwind ");
            self.typed_list(body, others);
        } else {
            self.out.byte(b' ');
            self.bracketed(body, others);
        }
    }

    fn bundles(&mut self, body: &Body, site: &CallSite, operands: &[Value]) {
        let bundles = self.module.bundles.get(site.bundles);
        if bundles.is_empty() {
            return;
        }
        let mut rest = operands;
        self.out.str(" [ ");
        for (i, bundle) in bundles.iter().enumerate() {
            self.out.comma(i);
            self.out.quoted(self.module.names.bytes(bundle.tag));
            let (own, others) = rest.split_at((bundle.len as usize).min(rest.len()));
            rest = others;
            self.out.byte(b'(');
            self.typed_list(body, own);
            self.out.byte(b')');
        }
        self.out.str(" ]");
    }

    pub(super) fn inline_assembly(&mut self, asm: AsmId) {
        let module = self.module;
        let asm = module.asms.get(asm);
        self.out.str("asm ");
        for (flag, word) in [
            (AsmFlags::SIDE_EFFECT, "sideeffect "),
            (AsmFlags::ALIGN_STACK, "alignstack "),
            (AsmFlags::INTEL, "inteldialect "),
            (AsmFlags::UNWIND, "unwind "),
        ] {
            if asm.flags.contains(flag) {
                self.out.str(word);
            }
        }
        self.out.quoted(module.names.bytes(asm.text));
        self.out.str(", ");
        self.out.quoted(module.names.bytes(asm.constraints));
    }

    /// Flags of instructions and expressions, each with a blank in front.
    #[inline]
    pub(super) fn flags(&mut self, flags: Flags) {
        if !flags.is_empty() {
            self.some_flags(flags);
        }
    }

    fn some_flags(&mut self, flags: Flags) {
        /// The order in which they are written; `fast` stands for all of its kind.
        const WORDS: &[(Flags, &str)] = &[
            (Flags::INBOUNDS, " inbounds"),
            (Flags::NUSW, " nusw"),
            (Flags::NUW, " nuw"),
            (Flags::NSW, " nsw"),
            (Flags::EXACT, " exact"),
            (Flags::DISJOINT, " disjoint"),
            (Flags::NNEG, " nneg"),
            (Flags::SAMESIGN, " samesign"),
            (Flags::FAST, " fast"),
            (Flags::REASSOC, " reassoc"),
            (Flags::NNAN, " nnan"),
            (Flags::NINF, " ninf"),
            (Flags::NSZ, " nsz"),
            (Flags::ARCP, " arcp"),
            (Flags::CONTRACT, " contract"),
            (Flags::AFN, " afn"),
        ];
        let mut flags = flags;
        if flags.contains(Flags::INBOUNDS) {
            flags.remove(Flags::NUSW);
        }
        for &(flag, word) in WORDS {
            if flags.contains(flag) {
                self.out.str(word);
                flags.remove(flag);
            }
        }
    }

    fn volatile(&mut self, access: Access) {
        if access.volatile {
            self.out.str(" volatile");
        }
    }

    fn access_head(&mut self, access: Access) {
        if access.ordering != Ordering::Weak {
            self.out.str(" atomic");
        }
        self.volatile(access);
    }

    fn access_tail(&mut self, access: Access) {
        if access.ordering != Ordering::Weak {
            self.atomic(access.scope, access.ordering);
        }
        self.align(", align ", access.align);
    }

    /// Scope and order, each with a blank in front.
    fn atomic(&mut self, scope: SyncScope, ordering: Ordering) {
        let module = self.module;
        let name = scope.name(&module.names);
        if !name.is_empty() {
            self.out.str(" syncscope(");
            self.out.quoted(name);
            self.out.byte(b')');
        }
        self.out.byte(b' ');
        self.out.str(ordering.llvm().unwrap_or_default());
    }
}
