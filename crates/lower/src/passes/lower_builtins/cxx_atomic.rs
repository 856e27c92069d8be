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
use super::ptx_atomic::{AtomicAccess, Kind};
use warpc_builtins::construct::{Form, Operation, Spelling};
use warpc_builtins::fault::Fault;
use warpc_builtins::resolve::{self, Argument, Object, Resolved};
use warpc_model::{Access, AtomicOp, Ordering, Scope, TypeClass};
use warpc_nvvm::function::Def;
use warpc_nvvm::inst::{BinaryOp, CastOp, Op};
use warpc_nvvm::types::Type;
use warpc_nvvm::value::Value;

/// Where the arguments of a call stand.
#[derive(Clone, Copy, Debug)]
struct Places {
    /// The size, if values are passed after pointers.
    size: Option<usize>,
    pointer: usize,
    /// The new value, or the pointer to it.
    value: usize,
    /// Where the old value goes.
    result: usize,
    /// What a compare-and-swap expects.
    expected: usize,
    order: usize,
    scope: usize,
}

impl Places {
    fn of(spelling: Spelling) -> Places {
        let operation = spelling.operation;
        let by_pointer = spelling.form == Form::Generic && operation != Operation::Fence;
        let pointer = usize::from(by_pointer);
        let (value, result, expected, order) = match (operation, by_pointer) {
            (Operation::Fence, _) => (0, 0, 0, 0),
            (Operation::Load, false) => (0, 0, 0, 1),
            (Operation::Load, true) => (0, 2, 0, 3),
            (Operation::Store, _) => (pointer + 1, 0, 0, pointer + 2),
            (Operation::Rmw(AtomicOp::Cas), _) => (pointer + 2, 0, pointer + 1, pointer + 4),
            (Operation::Rmw(_), false) => (1, 0, 0, 2),
            (Operation::Rmw(_), true) => (2, 3, 0, 4),
        };
        Places {
            size: by_pointer.then_some(0),
            pointer,
            value,
            result,
            expected,
            order,
            scope: order + 1 + usize::from(operation.has_failure_order()),
        }
    }
}

pub(super) fn lower(call: &mut Call, spelling: Spelling) -> Outcome {
    let at = Places::of(spelling);
    let resolved = call.resolve(spelling, at)?;
    let orders = (resolved.order, resolved.scope);
    let kind = match resolved.operation {
        Operation::Fence => {
            call.check_result(call.editor.module.types.void)?;
            let order = fence_order(resolved.order);
            let lowered = call.ordered(Access::Fence, order, resolved.scope)?;
            match call.options.inline_atomics {
                true => call.fence(lowered.before),
                false => call.llvm_fence(order, resolved.scope),
            }
            return Ok(None);
        }
        Operation::Load => Kind::Load,
        Operation::Store => Kind::Store,
        Operation::Rmw(op) => Kind::Rmw(op),
    };
    let what = AtomicAccess {
        kind,
        class: resolved.class,
        bytes: resolved.bytes,
    };
    if at.size.is_none() {
        let ty = call.value_type(what.class, what.bytes);
        match kind {
            Kind::Load => call.check_result(ty)?,
            _ => call.check_arg(at.value, ty)?,
        }
    }
    match kind {
        Kind::Load => call.load(what, orders, at),
        Kind::Store => call.store(what, orders, at),
        Kind::Rmw(AtomicOp::Cas) => {
            let failure = resolved.failure.unwrap_or(resolved.order);
            let order = call.options.mapping.cas(resolved.order, failure);
            call.compare_exchange(what, (order, resolved.scope), at)
        }
        Kind::Rmw(op) => call.modify(what, op, orders, at, resolved.has_result),
    }
}

/// The real compiler makes every fence but one of acquire and release sequentially consistent; so do we.
fn fence_order(order: Ordering) -> Ordering {
    match order {
        Ordering::AcqRel => Ordering::AcqRel,
        _ => Ordering::SeqCst,
    }
}

/// What the reference says of a fault when it gives up.
fn last_words(fault: Fault) -> Option<&'static str> {
    match fault {
        Fault::OrderValue(_) | Fault::LoadOrder | Fault::StoreOrder => {
            Some("unexpected memory order.")
        }
        Fault::ScopeValue(_) => Some("unexpected atomic operation scope."),
        Fault::ObjectSize(_) | Fault::IntegerSize(_) => Some("unexpected size1"),
        _ => None,
    }
}

impl Call<'_, '_> {
    /// The row of the table that is meant, with its orders and scope.
    fn resolve(&mut self, spelling: Spelling, at: Places) -> Result<Resolved, Refusal> {
        let object = self.object(spelling, at)?;
        let asked = resolve::Call {
            spelling,
            object,
            order: self.argument(at.order),
            failure: match spelling.operation.has_failure_order() {
                true => self.argument(at.order + 1),
                false => Argument::Missing,
            },
            scope: self.argument(at.scope),
            chip: self.options.sm.number(),
        };
        let (resolved, faults) = match resolve::resolve(&asked) {
            Ok(resolved) => {
                self.check_count(&[at.scope, at.scope + 1])?;
                let warnings = resolved.warnings.clone();
                (Some(resolved), warnings)
            }
            Err(faults) => (None, faults),
        };
        for fault in faults {
            let mut diagnostic = fault.diagnostic(self.name, asked.chip, self.span());
            diagnostic.label = last_words(fault).map(str::to_owned);
            self.found.push(diagnostic);
        }
        resolved.ok_or(Refusal::Said)
    }

    /// An argument that must be a constant.
    fn argument(&self, index: usize) -> Argument {
        match self.args.get(index) {
            None => Argument::Missing,
            Some(_) => match self.number(index).and_then(|number| number.try_into().ok()) {
                Some(number) => Argument::Constant(number),
                None => Argument::Variable,
            },
        }
    }

    /// What is accessed, as far as the call says it.
    fn object(&mut self, spelling: Spelling, at: Places) -> Result<Object, Refusal> {
        let types = &self.editor.module.types;
        let Some(&first) = self.args.get(at.pointer) else {
            return Ok(Object::Missing);
        };
        if spelling.operation == Operation::Fence {
            return Ok(Object::Value);
        }
        let is_pointer = |value| types.is_ptr(self.editor.type_of(value));
        if at.size.is_some() && is_pointer(self.args[0]) {
            return Err(self.error(
                "it is not known how large the value is (NV852)",
                "pass the size in bytes as first argument, or call the builtin with the size in its name",
            ));
        }
        if !is_pointer(first) {
            return Ok(Object::Value);
        }
        let kind = resolve::Kind::Unsigned;
        if let Some(size) = at.size {
            let Some(bytes) = self.number(size) else {
                return Err(self.error(
                    "argument 1, the size, is not a constant",
                    "call the builtin with the size in its name",
                ));
            };
            return Ok(Object::Of { kind, bytes });
        }
        let value = match spelling.operation {
            Operation::Load => Some(self.ty),
            _ => self
                .args
                .get(at.value)
                .map(|&value| self.editor.type_of(value)),
        };
        let Some(value) = value else {
            return Ok(Object::Unknown);
        };
        let signless = matches!(
            spelling.operation,
            Operation::Rmw(AtomicOp::Min | AtomicOp::Max)
        ) && matches!(spelling.form, Form::Overloaded { .. })
            && types.is_int(value);
        if signless {
            return Err(self.error(
                "integers of LLVM have no sign",
                "call the builtin that ends in `_s` or `_u`",
            ));
        }
        Ok(Object::Of {
            kind: match types.get(value) {
                Type::Int(_) => kind,
                Type::Ptr(_) => resolve::Kind::Address,
                _ if types.is_float(value) => resolve::Kind::Float,
                _ => resolve::Kind::Record,
            },
            bytes: self.layout.bits(types, value) / 8,
        })
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
        let ty = self.value_type(what.class, what.bytes);
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
        let Some(value) = self.atomic_access(what, order, at.pointer, &[])? else {
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
        self.atomic_access(what, order, at.pointer, &[value])
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
        let result = if returns {
            self.value_type(what.class, what.bytes)
        } else {
            void
        };
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
        let is_sum = matches!(op, AtomicOp::Add | AtomicOp::Sub);
        if is_sum && what.class == TypeClass::Signed && what.bytes == 8 {
            // PTX has no signed sum of 64 bits; the bits are the same.
            what.class = TypeClass::Unsigned;
        }
        let old = self.atomic_access(what, order, at.pointer, &[value])?;
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
        let (old, same) = self.swap_access(what, order, at.pointer, [expected, value])?;
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
