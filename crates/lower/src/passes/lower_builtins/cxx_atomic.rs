//! `__nv_atomic_*`: the atomics of the C++ memory model.
//!
//! ```text
//!   load         T    (ptr, order [, scope])            (size, ptr, ptr result, order [, scope])
//!   store        void (ptr, T, order [, scope])         (size, ptr, ptr value, order [, scope])
//!   exchange     T    (ptr, T, order [, scope])         (size, ptr, ptr value, ptr result, order [, scope])
//!   compare_…    bool (ptr, ptr expected, T, weak, success, failure [, scope])
//!                                                       (size, ptr, ptr expected, ptr value, weak, …)
//!   fetch_OP     T    (ptr, T, order [, scope])         OP: the same without a result
//!   thread_fence void (order [, scope])
//! ```
//!
//! On the right are the names without a size: opaque pointers do not say what they point to, so the size comes
//! first, in bytes. A scope that is not said is the system. Order and scope are part of the instruction, so they
//! must be constants.
//!
//! A compare-and-swap that fails writes what it found to `expected`; one that succeeds does not touch it, because
//! it may be another thread's by then. Only where `expected` is a local variable it is always written: the same
//! value, and no branch.

use super::call::{Call, Outcome, Refusal};
use super::name::{Cxx, CxxAccess};
use super::ptx_atomic::{AtomicAccess, Kind};
use warpc_model::{Access, AtomicOp, Fence, Ordering, Scope, TypeClass, atomic::is_atomic_size};
use warpc_nvvm::function::Def;
use warpc_nvvm::inst::{BinaryOp, CastOp, IcmpPredicate, Op};
use warpc_nvvm::types::{Type, TypeId};
use warpc_nvvm::value::Value;

/// Where the arguments of a call stand.
#[derive(Clone, Copy, Debug)]
struct Places {
    /// The size, if the call says it.
    size: Option<usize>,
    pointer: usize,
    /// The new value, or the pointer to it.
    value: usize,
    /// Where the old value goes.
    result: usize,
    /// What a compare-and-swap expects.
    expected: usize,
    order: usize,
    /// How many orders there are.
    orders: usize,
}

impl Places {
    fn of(builtin: Cxx) -> Places {
        let size = builtin.by_pointer.then_some(0);
        let pointer = usize::from(builtin.by_pointer);
        let (value, result, expected, order) = match (builtin.access, builtin.by_pointer) {
            (CxxAccess::Fence, _) => (0, 0, 0, 0),
            (CxxAccess::Load, false) => (0, 0, 0, 1),
            (CxxAccess::Load, true) => (0, 2, 0, 3),
            (CxxAccess::Store, _) => (pointer + 1, 0, 0, pointer + 2),
            (CxxAccess::Rmw(AtomicOp::Cas), _) => (pointer + 2, 0, pointer + 1, pointer + 4),
            (CxxAccess::Rmw(_), false) => (1, 0, 0, 2),
            (CxxAccess::Rmw(_), true) => (2, 3, 0, 4),
        };
        Places {
            size,
            pointer,
            value,
            result,
            expected,
            order,
            orders: 1 + usize::from(builtin.access == CxxAccess::Rmw(AtomicOp::Cas)),
        }
    }

    fn scope(self) -> usize {
        self.order + self.orders
    }
}

pub(super) fn lower(call: &mut Call, builtin: Cxx) -> Outcome {
    let at = Places::of(builtin);
    if at.size.is_some() && call.args.len() < at.scope() + 1 && call.is_pointer(0) {
        return Err(call.error(
            "it is not known how large the value is",
            "pass the size in bytes as first argument, or call the builtin with the size in its name",
        ));
    }
    call.check_count(&[at.scope(), at.scope() + 1])?;
    let scope = call.scope(at)?;
    let kind = kind_of(builtin.access);
    call.warn_of_changes(kind, scope);
    let Some(kind) = kind else {
        let order = call.order(at.order, Access::Fence)?;
        call.check_result(call.editor.module.types.void)?;
        let lowered = call.ordered(Access::Fence, fence_order(order), scope)?;
        call.fence(lowered.before);
        return Ok(None);
    };
    call.check_pointer(at.pointer)?;
    let what = call.what(builtin, kind, at)?;
    let order = call.order(at.order, kind.access())?;
    match kind {
        Kind::Load => call.load(what, (order, scope), at),
        Kind::Store => call.store(what, (order, scope), at),
        Kind::Rmw(AtomicOp::Cas) => {
            let failure = call.order(at.order + 1, Access::Rmw)?;
            let order = call.options.mapping.cas(order, failure);
            call.compare_exchange(what, (order, scope), at)
        }
        Kind::Rmw(op) => call.modify(what, op, (order, scope), at, builtin.fetches),
    }
}

fn kind_of(access: CxxAccess) -> Option<Kind> {
    match access {
        CxxAccess::Fence => None,
        CxxAccess::Load => Some(Kind::Load),
        CxxAccess::Store => Some(Kind::Store),
        CxxAccess::Rmw(op) => Some(Kind::Rmw(op)),
    }
}

/// The real compiler makes every fence but one of acquire and release sequentially consistent; so do we.
fn fence_order(order: Ordering) -> Ordering {
    match order {
        Ordering::AcqRel => Ordering::AcqRel,
        _ => Ordering::SeqCst,
    }
}

impl Call<'_, '_> {
    fn is_pointer(&self, index: usize) -> bool {
        let ty = self.args.get(index).map(|&arg| self.editor.type_of(arg));
        ty.is_some_and(|ty| self.editor.module.types.is_ptr(ty))
    }

    /// A constant argument.
    fn constant(&self, index: usize, what: &str) -> Result<u64, Refusal> {
        self.number(index).ok_or_else(|| {
            self.error(
                &format!("argument {}, the {what}, is not a constant", index + 1),
                "it is part of the instruction: branch on the value and call the builtin with a constant in each branch",
            )
        })
    }

    fn order(&self, index: usize, access: Access) -> Result<Ordering, Refusal> {
        let number = self.constant(index, "memory order")?;
        let legal = || {
            let orders = Ordering::all().filter(|order| order.check(access).is_ok());
            let orders = orders.filter_map(|order| Some(format!("{} ({order})", order.cxx()?)));
            format!("it can be {}", orders.collect::<Vec<_>>().join(", "))
        };
        let order = Ordering::from_cxx(number).map_err(|unknown| {
            self.error(
                &format!("unexpected memory order. {unknown} (NV3746)"),
                &legal(),
            )
        })?;
        order.check(access).map_err(|illegal| {
            let code = illegal.code().map(|code| format!(" ({code})"));
            let code = code.unwrap_or_default();
            self.error(
                &format!("unexpected memory order. {illegal}{code}"),
                &legal(),
            )
        })?;
        Ok(order)
    }

    fn scope(&self, at: Places) -> Result<Scope, Refusal> {
        if self.args.len() == at.scope() {
            return Ok(Scope::Sys);
        }
        let number = self.constant(at.scope(), "scope")?;
        Scope::from_edg(number).map_err(|unknown| {
            self.error(
                &format!("unexpected atomic operation scope. {unknown} (NV3747)"),
                "it can be 0 (thread), 1 (block), 2 (cluster), 3 (device), 4 (system)",
            )
        })
    }

    /// Warns of what the target lacks, with the numbers of the real compiler.
    fn warn_of_changes(&mut self, kind: Option<Kind>, scope: Scope) {
        let (sm, mapping) = (self.options.sm, self.options.mapping);
        let ordered = Fence::Memory {
            order: Ordering::AcqRel,
            scope: Scope::Gpu,
        };
        let gate = ordered.gate();
        let ordered = gate.is_some_and(|gate| gate.required_version(sm).is_some());
        let widened = mapping.scope(scope, sm) != scope;
        let number = match kind {
            Some(Kind::Rmw(_)) if widened => 20306,
            _ if !ordered => 20305,
            Some(Kind::Load | Kind::Store) if widened => 20302,
            None if widened => 20306,
            _ => return,
        };
        match number {
            20305 => self.warn(
                &format!("{sm} has no memory orders (NV20305)"),
                "volatile accesses and `membar` take their place; sm_70 or later has orders",
            ),
            _ => self.warn(
                &format!("{sm} has no cluster scope (NV{number})"),
                "the scope becomes the device; sm_90 or later has clusters",
            ),
        }
    }

    /// What the call does, from its name and its types.
    fn what(&mut self, builtin: Cxx, kind: Kind, at: Places) -> Result<AtomicAccess, Refusal> {
        let typed = match kind {
            _ if builtin.by_pointer => None,
            Kind::Load => Some(self.ty),
            _ => Some(self.editor.type_of(self.args[at.value])),
        };
        let bytes = match (builtin.bytes, at.size, typed) {
            (Some(bytes), _, _) => bytes,
            (_, Some(size), _) => self.constant(size, "size")?,
            (_, _, Some(ty)) => self.layout.bits(&self.editor.module.types, ty) / 8,
            _ => 0,
        };
        if !is_atomic_size(bytes) {
            return Err(self.bad_size(bytes));
        }
        let is_float = typed.is_some_and(|ty| self.editor.module.types.is_float(ty));
        let class = match kind {
            Kind::Rmw(AtomicOp::Add | AtomicOp::Sub) => match builtin.class {
                None if is_float => TypeClass::Float,
                class => class.unwrap_or(TypeClass::Unsigned),
            },
            Kind::Rmw(AtomicOp::Min | AtomicOp::Max) => match builtin.class {
                None if is_float => TypeClass::Float,
                Some(class) => class,
                None => {
                    return Err(self.error(
                        "integers of LLVM have no sign",
                        "call the builtin that ends in `_s` or `_u`",
                    ));
                }
            },
            _ => TypeClass::Bits,
        };
        let what = AtomicAccess { kind, class, bytes };
        let value = self.value_type(what);
        if !builtin.by_pointer {
            match kind {
                Kind::Load => self.check_result(value)?,
                _ => self.check_arg(at.value, value)?,
            }
        }
        Ok(what)
    }

    /// The type of a value in LLVM.
    fn value_type(&mut self, what: AtomicAccess) -> TypeId {
        match (what.class, what.bytes) {
            (TypeClass::Float, 4) => self.editor.module.types.intern(Type::Float),
            (TypeClass::Float, 8) => self.editor.module.types.intern(Type::Double),
            (_, bytes) => self.editor.int_type(bytes as u32 * 8),
        }
    }

    /// The value of an argument, or what it points to.
    fn value(&mut self, what: AtomicAccess, at: Places, index: usize) -> Result<Value, Refusal> {
        let value = self.args[index];
        match at.size {
            None => Ok(value),
            Some(_) => self.read(what, at, index),
        }
    }

    fn read(&mut self, what: AtomicAccess, at: Places, index: usize) -> Result<Value, Refusal> {
        self.check_pointer(index)?;
        let ty = self.value_type(what);
        let align = self.align(what, at, index);
        Ok(self.editor.load(ty, self.args[index], align, false))
    }

    fn write(&mut self, what: AtomicAccess, at: Places, index: usize, value: Value) {
        let align = self.align(what, at, index);
        self.editor.store(value, self.args[index], align, false);
    }

    /// The alignment of what an argument points to: that of the integer that the builtin's name says, or what the
    /// attribute `align` of the argument promises.
    fn align(&self, what: AtomicAccess, at: Places, index: usize) -> u64 {
        match at.size {
            None => what.bytes,
            Some(_) => self.promised_align(index).min(what.bytes),
        }
    }

    fn load(&mut self, what: AtomicAccess, order: (Ordering, Scope), at: Places) -> Outcome {
        let address = self.address(at.pointer);
        let Some(value) = self.atomic_access(what, order, address, &[])? else {
            return Ok(None);
        };
        if at.size.is_none() {
            return Ok(Some(value));
        }
        self.check_pointer(at.result)?;
        self.check_result(self.editor.module.types.void)?;
        self.write(what, at, at.result, value);
        Ok(None)
    }

    fn store(&mut self, what: AtomicAccess, order: (Ordering, Scope), at: Places) -> Outcome {
        self.check_result(self.editor.module.types.void)?;
        let value = self.value(what, at, at.value)?;
        let address = self.address(at.pointer);
        self.atomic_access(what, order, address, &[value])
    }

    /// Exchange and `fetch_OP`.
    fn modify(
        &mut self,
        what: AtomicAccess,
        op: AtomicOp,
        order: (Ordering, Scope),
        at: Places,
        fetches: bool,
    ) -> Outcome {
        let void = self.editor.module.types.void;
        let returns = fetches && at.size.is_none();
        let result = if returns { self.value_type(what) } else { void };
        self.check_result(result)?;
        let mut value = self.value(what, at, at.value)?;
        let mut what = what;
        if op == AtomicOp::Sub {
            // PTX adds the negated value. Of floating-point numbers it is 0 - x, as the real compiler has it.
            let zero = self.editor.zero(self.editor.type_of(value));
            let minus = match what.class {
                TypeClass::Float => BinaryOp::Fsub,
                _ => BinaryOp::Sub,
            };
            value = self.editor.binary(minus, zero, value);
            what.kind = Kind::Rmw(AtomicOp::Add);
        }
        let address = self.address(at.pointer);
        let old = self.atomic_access(what, order, address, &[value])?;
        match (returns, at.size, old) {
            (true, _, old) => Ok(old),
            (false, Some(_), Some(old)) => {
                self.check_pointer(at.result)?;
                self.write(what, at, at.result, old);
                Ok(None)
            }
            _ => Ok(None),
        }
    }

    fn compare_exchange(
        &mut self,
        what: AtomicAccess,
        order: (Ordering, Scope),
        at: Places,
    ) -> Outcome {
        let bits = self.editor.int_bits(self.ty);
        if bits == 0 {
            self.check_result(self.editor.module.types.i1)?;
        }
        let expected = self.read(what, at, at.expected)?;
        let value = self.value(what, at, at.value)?;
        let address = self.address(at.pointer);
        let values = [expected, value];
        let Some(old) = self.atomic_access(what, order, address, &values)? else {
            return Ok(None);
        };
        let same = self.editor.icmp(IcmpPredicate::Eq, old, expected);
        if self.is_local_variable(at.expected) {
            self.write(what, at, at.expected, old);
        } else {
            let (failed, done) = (self.editor.new_block(), self.editor.new_block());
            self.editor.cond_br(same, done, failed);
            self.editor.start(failed);
            self.write(what, at, at.expected, old);
            self.editor.br(done);
            self.editor.start(done);
        }
        let ty = self.ty;
        Ok(Some(self.editor.cast(CastOp::Zext, same, ty)))
    }

    /// Whether an argument is the address of a variable of the function itself.
    fn is_local_variable(&self, index: usize) -> bool {
        let local = self.editor.resolve(self.args[index]).local();
        let def = local.map(|local| self.editor.body.locals[local].def);
        match def {
            Some(Def::Inst(inst)) => matches!(self.editor.body.insts[inst].op, Op::Alloca { .. }),
            _ => false,
        }
    }
}
