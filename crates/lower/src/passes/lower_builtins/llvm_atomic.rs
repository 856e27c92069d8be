//! Atomic accesses of builtins as LLVM's atomics.
//!
//! ```text
//!   %old = atomicrmw add ptr %p, i32 %v syncscope("device") acq_rel, align 4
//! ```
//!
//! They keep their order and scope, and later passes know them: spaces of addresses are inferred, what the chip lacks is
//! expanded, and one order table says what they become in PTX. A cache policy that is a constant goes along as metadata, in
//! LLVM's notation: `!mem.cache_hint !{i32 0, !{!"nvvm.l2_cache_hint", i64 POLICY}}`, where the first number is that of the operand that
//! points to the memory. Metadata cannot carry a policy that is computed at run time: such an access is inline PTX
//! ([`super::ptx_atomic`]).

use super::call::{Call, Refusal};
use super::ptx_atomic::{AtomicAccess, Kind};
use warpc_model::{AtomicOp, Ordering, Scope};
use warpc_nvvm::cache_hint;
use warpc_nvvm::inst::{
    Access as LlvmAccess, Align, CastOp, Flags, IcmpPredicate, Op, RmwOp, SyncScope,
};
use warpc_nvvm::types::Type;
use warpc_nvvm::value::{InstId, Value};

impl Call<'_, '_> {
    /// Adds an access. A load and a read-modify-write give the old value.
    pub(super) fn llvm_access(
        &mut self,
        what: AtomicAccess,
        (order, scope): (Ordering, Scope),
        pointer: Value,
        values: &[Value],
    ) -> Result<Option<Value>, Refusal> {
        let ty = self.value_type(what.class, what.bytes);
        let order = self.without_consume(what.kind, order, scope)?;
        let access = self.llvm_atomic(order, scope, what.bytes);
        let none = Flags::empty();
        let mut values: Vec<Value> = values.to_vec();
        for value in &mut values {
            *value = self.editor.cast(CastOp::Bitcast, *value, ty);
        }
        match (what.kind, &values[..]) {
            (Kind::Load, _) => {
                let op = Op::Load(access);
                let inst = self.editor.emit(op, none, ty, &[pointer]);
                self.attach_policy(inst, 0);
                Ok(self.editor.body.insts[inst].local().map(Value::from))
            }
            (Kind::Store, &[value]) => {
                let void = self.editor.module.types.void;
                let operands = [value, pointer];
                let inst = self.editor.emit(Op::Store(access), none, void, &operands);
                self.attach_policy(inst, 1);
                Ok(None)
            }
            (Kind::Rmw(op), &[value]) => {
                let word = op.llvm(what.class).unwrap_or_default();
                let Some(op) = RmwOp::from_keyword(word.as_bytes()) else {
                    return Err(self.no_operation());
                };
                let op = Op::AtomicRmw(op, access);
                let inst = self.editor.emit(op, none, ty, &[pointer, value]);
                self.attach_policy(inst, 0);
                Ok(self.editor.body.insts[inst].local().map(Value::from))
            }
            _ => Err(self.no_operation()),
        }
    }

    /// Adds a compare-and-swap: the old value, and whether it was the expected one. None has a place for a cache policy.
    pub(super) fn swap_access(
        &mut self,
        what: AtomicAccess,
        order: (Ordering, Scope),
        pointer: usize,
        [expected, new]: [Value; 2],
    ) -> Result<(Value, Value), Refusal> {
        if self.options.inline_atomics
            && !Self::is_expanded(AtomicOp::Cas, what)
            && let Some(old) = self.atomic_access(what, order, pointer, &[expected, new])?
        {
            let same = self.editor.icmp(IcmpPredicate::Eq, old, expected);
            return Ok((old, same));
        }
        let address = self.checked_address(what, order, pointer)?;
        let success = self.without_consume(what.kind, order.0, order.1)?;
        let access = self.llvm_atomic(success, order.1, what.bytes);
        let (ty, i1) = (self.editor.type_of(expected), self.editor.module.types.i1);
        let fields = self.editor.module.types.intern_list(&[ty, i1]);
        let pair = self.editor.module.types.intern(Type::Struct {
            fields,
            packed: false,
        });
        let op = Op::CmpXchg {
            access,
            failure: failure_order(access.ordering),
            weak: false,
        };
        let operands = [address.pointer, expected, new];
        let pair = self.editor.value(op, Flags::empty(), pair, &operands);
        let (old, same) = (self.editor.member(pair, 0), self.editor.member(pair, 1));
        Ok((old, same))
    }

    /// What the order table makes of C++'s `consume`, which LLVM does not have; other orders are as they are.
    fn without_consume(
        &self,
        kind: Kind,
        order: Ordering,
        scope: Scope,
    ) -> Result<Ordering, Refusal> {
        if order != Ordering::Consume {
            return Ok(order);
        }
        let lowered = self.ordered(kind.access(), order, scope)?;
        let acquires = lowered.order.is_some_and(Ordering::is_acquire) || lowered.after.is_some();
        Ok(match acquires {
            true => Ordering::Acquire,
            false => Ordering::Relaxed,
        })
    }

    /// How one of LLVM's atomics accesses memory.
    pub(super) fn llvm_atomic(
        &mut self,
        ordering: Ordering,
        scope: Scope,
        bytes: u64,
    ) -> LlvmAccess {
        LlvmAccess {
            volatile: false,
            ordering,
            align: Align::new(bytes).unwrap_or(Align::NONE),
            scope: self.llvm_scope(scope),
        }
    }

    /// Adds a fence.
    pub(super) fn llvm_fence(&mut self, order: Ordering, scope: Scope) {
        let scope = self.llvm_scope(scope);
        self.editor.fence(order, scope);
    }

    /// LLVM's name of a scope that the chip has. Threads alone have none of their own: they get that of the block.
    fn llvm_scope(&mut self, scope: Scope) -> SyncScope {
        let scope = self
            .options
            .mapping
            .scope(scope.max(Scope::Cta), self.options.sm);
        SyncScope::new(scope)
    }

    /// Writes down a constant cache policy.
    fn attach_policy(&mut self, inst: InstId, operand: u64) {
        let Some(policy) = self.constant_policy() else {
            return;
        };
        let module = &mut *self.editor.module;
        let kind = module.names.intern(cache_hint::KIND.as_bytes());
        let node = cache_hint::node(module, operand, policy);
        self.editor.attach(inst, kind, node);
    }

    /// The cache policy, if it is a constant.
    pub(super) fn constant_policy(&self) -> Option<u64> {
        self.policy.and_then(|policy| self.editor.as_u64(policy))
    }
}

/// The strongest order that a swap may have when it fails, beside one for success that serves both.
fn failure_order(success: Ordering) -> Ordering {
    match success {
        Ordering::Release => Ordering::Relaxed,
        Ordering::AcqRel => Ordering::Acquire,
        order => order,
    }
}
