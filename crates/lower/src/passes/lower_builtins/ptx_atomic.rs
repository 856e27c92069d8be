//! The inline PTX of one atomic access that LLVM's atomics cannot say, with the fences around it: one with a cache policy that is
//! computed at run time, and sums of vectors.
//!
//! ```text
//!   order, scope ──mapping──► fence │ order and scope of the access │ fence
//!   operation, class, size ────────► atom.acquire.gpu.add.L2::cache_hint.u32 $0, [$1], $2, $3;   "=r,l,r,l,~{memory}"
//! ```
//!
//! What ptxas does not keep of it is mended where PTX is printed, as for every other access.
//!
//! A byte is loaded into and stored from a register of 32 bits, the narrowest that inline PTX has for it.

use super::address::Address;
use super::call::{Call, Refusal};
use warpc_model::{
    Access, Atomic, AtomicOp, AtomicType, Fence, Lowered, Ordering, Scope, TypeClass,
};
use warpc_nvvm::inst::CastOp;
use warpc_nvvm::types::{Type, TypeId};
use warpc_nvvm::value::Value;

/// What is done to the memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct AtomicAccess {
    pub kind: Kind,
    /// What the value's bits are for the operation.
    pub class: TypeClass,
    pub bytes: u64,
}

/// The kinds of accesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Load,
    Store,
    /// Read, modify and write.
    Rmw(AtomicOp),
}

impl Kind {
    /// What the order table calls it.
    pub(super) fn access(self) -> Access {
        match self {
            Kind::Load => Access::Load,
            Kind::Store => Access::Store,
            Kind::Rmw(_) => Access::Rmw,
        }
    }
}

/// The register of a value in inline PTX.
struct Register {
    letter: &'static str,
    ty: TypeId,
}

impl Call<'_, '_> {
    /// What an order at a scope becomes on the target. Threads alone have no scope of their own.
    pub(super) fn ordered(
        &self,
        access: Access,
        order: Ordering,
        scope: Scope,
    ) -> Result<Lowered, Refusal> {
        let sm = self.options.sm;
        let scope = scope.max(Scope::Cta);
        let mapping = self.options.mapping;
        mapping
            .lower(access, order, scope, sm, sm.first_version())
            .map_err(|illegal| self.error(&illegal.to_string(), "choose another order"))
    }

    pub(super) fn fence(&mut self, fence: Option<Fence>) {
        if let Some(fence) = fence {
            self.asm_alone(&fence.to_string());
        }
    }

    fn register(&mut self, class: TypeClass, bytes: u64) -> Register {
        let types = &mut self.editor.module.types;
        let (letter, ty) = match (class, bytes) {
            (TypeClass::Float, 4) => ("f", types.intern(Type::Float)),
            (TypeClass::Float, 8) => ("d", types.intern(Type::Double)),
            (_, 2) => ("h", types.int(16)),
            (_, 8) => ("l", types.int(64)),
            (_, 16) => ("q", types.int(128)),
            _ => ("r", types.int(32)),
        };
        Register { letter, ty }
    }

    /// Adds the access that an argument points to. A load and a read-modify-write give the old value.
    pub(super) fn atomic_access(
        &mut self,
        what: AtomicAccess,
        order: (Ordering, Scope),
        pointer: usize,
        values: &[Value],
    ) -> Result<Option<Value>, Refusal> {
        let address = self.checked_address(what, order, pointer)?;
        let run_time = self.policy.is_some() && self.constant_policy().is_none();
        // A loop has no place for a policy.
        let is_loop = matches!(what.kind, Kind::Rmw(op) if Self::is_expanded(op, what));
        let hinted = run_time && !address.space.is_shared();
        if (hinted || self.options.inline_atomics) && !is_loop {
            let lowered = self.ordered(what.kind.access(), order.0, order.1)?;
            return self.ptx_access(what, &lowered, address, values);
        }
        self.llvm_access(what, order, address.pointer, values)
    }

    /// The address that an argument is, if the target has an access of this kind and size there.
    pub(super) fn checked_address(
        &mut self,
        what: AtomicAccess,
        (order, scope): (Ordering, Scope),
        pointer: usize,
    ) -> Result<Address, Refusal> {
        let lowered = self.ordered(what.kind.access(), order, scope)?;
        let address = self.address(pointer);
        match what.kind {
            Kind::Rmw(op) if Self::is_expanded(op, what) => {}
            Kind::Rmw(op) => {
                self.atom(what, op, &lowered, address, false)?;
            }
            _ => {
                self.load_or_store(what, &lowered, address, false)?;
            }
        }
        Ok(address)
    }

    /// Whether an operation is expanded on targets that lack it, so that every target has it.
    pub(super) fn is_expanded(op: AtomicOp, what: AtomicAccess) -> bool {
        match op {
            AtomicOp::Min | AtomicOp::Max => what.class == TypeClass::Float,
            AtomicOp::Cas => what.bytes == 2,
            _ => false,
        }
    }

    /// Adds the access and its fences as inline PTX.
    fn ptx_access(
        &mut self,
        what: AtomicAccess,
        lowered: &Lowered,
        address: Address,
        values: &[Value],
    ) -> Result<Option<Value>, Refusal> {
        let hinted = self.policy.is_some() && !address.space.is_shared();
        let lowered = &match what.kind {
            Kind::Rmw(op) => self.kept_by_ptxas(what, op, *lowered, address),
            _ => *lowered,
        };
        let (mnemonic, hinted) = match what.kind {
            Kind::Rmw(op) => self.atom(what, op, lowered, address, hinted)?,
            _ => self.load_or_store(what, lowered, address, hinted)?,
        };
        let register = self.register(what.class, what.bytes);
        let old = (what.kind != Kind::Store).then_some(register.ty);
        let mut args = vec![address.pointer];
        for &value in values {
            args.push(self.editor.cast(CastOp::Zext, value, register.ty));
        }
        if hinted {
            args.extend(self.policy);
        }

        self.fence(lowered.before);
        let mut constraints = vec![];
        constraints.extend(old.map(|_| format!("={}", register.letter)));
        constraints.push(self.pointer_letter(address).to_owned());
        constraints.extend(values.iter().map(|_| register.letter.to_owned()));
        constraints.extend(hinted.then(|| "l".to_owned()));
        let memory = usize::from(old.is_some());
        let operands: Vec<String> = (0..constraints.len())
            .map(|at| match at == memory {
                true => format!("[${at}]"),
                false => format!("${at}"),
            })
            .collect();
        constraints.push("~{memory}".to_owned());
        let text = format!("{mnemonic} {};", operands.join(", "));
        let ty = old.unwrap_or(self.editor.module.types.void);
        let made = self.editor.asm(&text, &constraints.join(","), ty, &args);
        self.fence(lowered.after);

        let narrow = self.editor.int_type(8);
        Ok(old.map(|_| match what.bytes {
            1 => self.editor.cast(CastOp::Trunc, made, narrow),
            _ => made,
        }))
    }

    /// The order in fences where ptxas would lose it: nobody mends the text that another compiler prints.
    fn kept_by_ptxas(
        &self,
        what: AtomicAccess,
        op: AtomicOp,
        lowered: Lowered,
        address: Address,
    ) -> Lowered {
        let (Some(order), Some(scope)) = (lowered.order, lowered.scope) else {
            return lowered;
        };
        let Some(ty) = AtomicType::new(what.class, what.bytes) else {
            return lowered;
        };
        let mut atomic = Atomic::new(op, ty);
        atomic.space = address.space;
        let lost = atomic.lost_by_ptxas(self.options.sm);
        if !lost.release && !lost.acquire {
            return lowered;
        }
        let fence = Fence::Memory {
            order: Ordering::AcqRel,
            scope,
        };
        Lowered {
            before: lowered.before.or(order.is_release().then_some(fence)),
            order: Some(Ordering::Relaxed),
            after: lowered.after.or(order.is_acquire().then_some(fence)),
            ..lowered
        }
    }

    /// There is no such builtin, whatever its name says.
    pub(super) fn no_operation(&self) -> Refusal {
        self.error(
            "unexpected atomic builtin function",
            "`warpc builtins atom` lists the atomic builtins",
        )
    }

    /// `ld.acquire.gpu.b32`, and whether it takes the cache policy.
    fn load_or_store(
        &self,
        what: AtomicAccess,
        lowered: &Lowered,
        address: Address,
        hinted: bool,
    ) -> Result<(String, bool), Refusal> {
        let Some(ty) = AtomicType::new(TypeClass::Bits, what.bytes) else {
            return Err(self.bad_size(what.bytes));
        };
        // Chips without orders have no policies either.
        let hinted = hinted && self.has_policies();
        let tokens = [
            Some(if what.kind == Kind::Load { "ld" } else { "st" }),
            lowered.volatile.then_some("volatile"),
            lowered.order.map(Ordering::ptx),
            lowered.scope.map(Scope::ptx),
            address.space.ptx(),
            hinted.then_some("L2::cache_hint"),
            Some(ty.ptx()),
        ];
        let tokens: Vec<&str> = tokens.into_iter().flatten().collect();
        Ok((tokens.join("."), hinted))
    }

    /// Whether accesses of the target may carry a cache policy: asked of one that may have it everywhere.
    fn has_policies(&self) -> bool {
        let hinted = Atomic {
            cache_hint: true,
            ..Atomic::new(AtomicOp::Exch, AtomicType::B32)
        };
        hinted
            .check()
            .is_ok_and(|needs| needs.required_version(self.options.sm).is_some())
    }

    /// `atom.acquire.gpu.add.u32`, and whether it takes the cache policy.
    pub(super) fn atom(
        &self,
        what: AtomicAccess,
        op: AtomicOp,
        lowered: &Lowered,
        address: Address,
        hinted: bool,
    ) -> Result<(String, bool), Refusal> {
        let Some(ty) = AtomicType::new(what.class, what.bytes) else {
            return Err(self.bad_size(what.bytes));
        };
        let mut atomic = Atomic::new(op, ty);
        (atomic.order, atomic.scope) = (lowered.order, lowered.scope);
        atomic.space = address.space;
        self.check_atom(&atomic)?;
        // A policy is advice: where the instruction has no place for one it goes.
        let with = Atomic {
            cache_hint: hinted,
            ..atomic
        };
        match self.check_atom(&with) {
            Ok(()) => Ok((with.to_string(), hinted)),
            Err(_) => Ok((atomic.to_string(), false)),
        }
    }

    /// Whether the target has an instruction.
    pub(super) fn check_atom(&self, atomic: &Atomic) -> Result<(), Refusal> {
        let needs = match atomic.check() {
            Ok(needs) => needs,
            Err(illegal) => {
                return Err(self.error(
                    &illegal.to_string(),
                    "`warpc builtins atom` lists the atomic builtins",
                ));
            }
        };
        let sm = self.options.sm;
        let lacking = |part: &&(&str, warpc_target::Gate)| part.1.required_version(sm).is_none();
        match needs.parts().iter().find(lacking) {
            None => Ok(()),
            Some((_, gate)) => Err(self.lacks(
                &format!("{sm} has no `{atomic}`"),
                &format!("it needs {gate}"),
            )),
        }
    }

    pub(super) fn bad_size(&self, bytes: u64) -> Refusal {
        self.error(
            &format!("unexpected size1: no atomic access has {bytes} bytes"),
            "atomic accesses have 1, 2, 4, 8 or 16 bytes",
        )
    }

    /// `atom.add.v2.f32 {$0, $1}, [$2], {$3, $4};`: a struct of the old elements.
    pub(super) fn vector_atom(
        &mut self,
        atomic: &Atomic,
        address: Address,
        values: &[Value],
    ) -> Value {
        let count = values.len();
        let float = self.register(TypeClass::Float, 4);
        let list = |from: usize| {
            let places: Vec<String> = (from..from + count).map(|at| format!("${at}")).collect();
            format!("{{{}}}", places.join(", "))
        };
        let mut constraints = vec!["=f"; count];
        constraints.push(self.pointer_letter(address));
        constraints.extend(vec![float.letter; count]);
        let mut args = vec![address.pointer];
        args.extend_from_slice(values);
        let mut text = format!("{atomic} {}, [${count}], {}", list(0), list(count + 1));
        if atomic.cache_hint {
            text += &format!(", ${}", 2 * count + 1);
            constraints.push("l");
            args.extend(self.policy);
        }
        constraints.push("~{memory}");
        let fields = self.editor.module.types.intern_list(&vec![float.ty; count]);
        let ty = self.editor.module.types.intern(Type::Struct {
            fields,
            packed: false,
        });
        self.editor
            .asm(&(text + ";"), &constraints.join(","), ty, &args)
    }
}
