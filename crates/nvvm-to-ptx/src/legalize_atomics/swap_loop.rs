//! Operations on the shared memory of other blocks, as loops of swaps.
//!
//! ```text
//!     {
//!         .reg …
//!         fence.acq_rel.gpu;                                  if it releases
//!         isspacep.shared::cluster %cas$shared, %rd1;         ┐ at a generic address
//!         @!%cas$shared bra $cas$other;                       ┘
//!         ld.relaxed.gpu.b64 %cas$old, [%rd1];
//!     $cas$loop:
//!         max.u64 %cas$new, %cas$old, %rd2;
//!         atom.relaxed.gpu.cas.b64 %cas$seen, [%rd1], %cas$old, %cas$new;
//!         setp.eq.b64 %cas$same, %cas$seen, %cas$old;
//!         mov.b64 %cas$old, %cas$seen;
//!         @!%cas$same bra $cas$loop;
//!         bra.uni $cas$done;                                  ┐
//!     $cas$other:                                             │ at a generic address
//!         atom.relaxed.gpu.max.u64 %cas$old, [%rd1], %rd2;    │
//!     $cas$done:                                              ┘
//!         fence.acq_rel.gpu;                                  if it acquires
//!         mov.b64 %rd3, %cas$old;
//!     }
//! ```
//!
//! The names are declared in braces, so that several loops can stand in one function. `isspacep.shared::cluster` holds for the shared
//! memory of the block itself as well: the loop is right there, too.

use super::{Plan, Rewriter};
use crate::assemble::variable;
use crate::unit::Refused;
use warpc_model::{Atomic, AtomicOp, AtomicType, Ordering, StateSpace};
use warpc_ptx::inst::{At, Guard, Inst, Operand, OperandRange, Part, Sign};
use warpc_ptx::module::{Space, Statement};
use warpc_ptx::symbol::Symbol;
use warpc_ptx::types::ScalarType;

/// The names of a loop.
struct Names {
    old: Symbol,
    new: Symbol,
    seen: Symbol,
    shared: Symbol,
    same: Symbol,
    start: Symbol,
    other: Symbol,
    done: Symbol,
    end: Symbol,
}

fn name(symbol: Symbol) -> Operand {
    Operand::Name {
        symbol,
        part: Part::Whole,
        sign: Sign::Plain,
    }
}

impl Rewriter<'_, '_> {
    /// Whether the address may lie in the memory of another block. The name of a variable is one of the block itself.
    pub(super) fn may_be_in_another_block(&self, inst: &Inst, atomic: &Atomic) -> bool {
        atomic.space == StateSpace::SharedCluster || self.base(inst, atomic).is_some()
    }

    /// The register that the address of an instruction is in.
    fn base(&self, inst: &Inst, atomic: &Atomic) -> Option<Symbol> {
        let operands = self.draft.body.operands(inst.operands);
        let Some(&Operand::Address { items, .. }) = operands.get(usize::from(atomic.has_result))
        else {
            return None;
        };
        match self.draft.body.operands(items).first() {
            Some(&Operand::Name { symbol, .. }) => {
                let is_register = self.unit.ptx.name(symbol).starts_with('%');
                (is_register || self.is_declared_register(symbol)).then_some(symbol)
            }
            _ => None,
        }
    }

    /// Inline PTX may declare registers without a percent sign.
    fn is_declared_register(&self, symbol: Symbol) -> bool {
        self.draft
            .body
            .statements
            .iter()
            .any(|statement| match statement {
                Statement::Variable(variable) => {
                    variable.name == symbol && matches!(variable.space, Space::Reg)
                }
                _ => false,
            })
    }

    pub(super) fn swap_loop(
        &mut self,
        inst: &Inst,
        plan: &Plan,
        atomic: &Atomic,
    ) -> Result<(), Refused> {
        let at = inst.at;
        let operands = self.draft.body.operands(inst.operands).to_vec();
        let (result, rest) = match atomic.has_result {
            true => (operands.first().copied(), &operands[1..]),
            false => (None, &operands[..]),
        };
        let &[address, value, ..] = rest else {
            // The verifier says what is missing.
            self.draft.push(Statement::Inst(inst.clone()), false);
            return Ok(());
        };
        let names = self.names(inst);
        let bits = u32::from(atomic.ty.bytes()) * 8;
        let access = self.access(plan, atomic);
        self.draft.push(Statement::Open(at), false);
        let is_generic = atomic.space == StateSpace::Generic;
        self.declare(&names, bits, is_generic);
        if let Some(guard) = inst.guard {
            let skip = Guard {
                negated: !guard.negated,
                ..guard
            };
            self.emit("bra", &[name(names.end)], Some(skip), at)?;
        }
        if plan.release {
            self.fence(Ordering::Release, plan.scope, None, at)?;
        }
        if let Some(base) = self.base(inst, atomic).filter(|_| is_generic) {
            let test = [name(names.shared), name(base)];
            self.emit("isspacep.shared::cluster", &test, None, at)?;
            self.emit("bra", &[name(names.other)], unless(names.shared), at)?;
        }
        let load = format!("ld.{access}.b{bits}");
        self.emit(&load, &[name(names.old), address], None, at)?;
        self.label(names.start, at);
        let operation = operation(atomic);
        self.emit(
            &operation,
            &[name(names.new), name(names.old), value],
            None,
            at,
        )?;
        let swap = [name(names.seen), address, name(names.old), name(names.new)];
        self.emit(&format!("atom.{access}.cas.b{bits}"), &swap, None, at)?;
        let test = [name(names.same), name(names.seen), name(names.old)];
        self.emit(&format!("setp.eq.b{bits}"), &test, None, at)?;
        let copy = format!("mov.b{bits}");
        self.emit(&copy, &[name(names.old), name(names.seen)], None, at)?;
        self.emit("bra", &[name(names.start)], unless(names.same), at)?;
        if is_generic {
            self.emit("bra.uni", &[name(names.done)], None, at)?;
            self.label(names.other, at);
            let mut operands = rest.to_vec();
            if atomic.has_result {
                operands.insert(0, name(names.old));
            }
            self.emit(&plan.relaxed, &operands, None, at)?;
            self.label(names.done, at);
        }
        if plan.acquire {
            self.fence_after(plan.scope, None, at)?;
        }
        if let Some(result @ Operand::Name { .. }) = result {
            self.emit(&copy, &[result, name(names.old)], None, at)?;
        }
        if inst.guard.is_some() {
            self.label(names.end, at);
        }
        self.draft.push(Statement::Close(at), false);
        Ok(())
    }

    /// `relaxed.gpu.shared::cluster`
    fn access(&self, plan: &Plan, atomic: &Atomic) -> String {
        let space = atomic.space.ptx().map(|space| format!(".{space}"));
        format!("relaxed.{}{}", plan.scope.ptx(), space.unwrap_or_default())
    }

    /// Names that hide nothing the instruction mentions: inline PTX may have registers of any name.
    fn names(&mut self, inst: &Inst) -> Names {
        let mut mentioned = Vec::new();
        mentioned.extend(inst.guard.map(|guard| guard.register));
        self.mentioned(inst.operands, &mut mentioned);
        let mut suffix = String::new();
        loop {
            let mut intern = |name: &str| self.unit.intern(&format!("{name}{suffix}"));
            let names = Names {
                old: intern("%cas$old"),
                new: intern("%cas$new"),
                seen: intern("%cas$seen"),
                shared: intern("%cas$shared"),
                same: intern("%cas$same"),
                start: intern("$cas$loop"),
                other: intern("$cas$other"),
                done: intern("$cas$done"),
                end: intern("$cas$end"),
            };
            let registers = [names.old, names.new, names.seen, names.shared, names.same];
            if !registers.iter().any(|name| mentioned.contains(name)) {
                return names;
            }
            suffix.push('_');
        }
    }

    /// The names that operands mention.
    fn mentioned(&self, range: OperandRange, names: &mut Vec<Symbol>) {
        for &operand in self.draft.body.operands(range) {
            match operand {
                Operand::Name { symbol, .. } => names.push(symbol),
                Operand::Offset(items)
                | Operand::Element(items)
                | Operand::Vector(items)
                | Operand::Pair(items)
                | Operand::Group(items)
                | Operand::List(items)
                | Operand::Address { items, .. } => self.mentioned(items, names),
                Operand::Int(_) | Operand::F32(_) | Operand::F64(_) | Operand::Sink => {}
            }
        }
    }

    fn declare(&mut self, names: &Names, bits: u32, is_generic: bool) {
        let ty = match bits {
            64 => ScalarType::B64,
            _ => ScalarType::B32,
        };
        let shared = is_generic.then_some((names.shared, ScalarType::Pred));
        let values = [names.old, names.new, names.seen].map(|name| (name, ty));
        let tests = [(names.same, ScalarType::Pred)].into_iter().chain(shared);
        for (name, ty) in values.into_iter().chain(tests) {
            let register = variable(Space::Reg, ty, name);
            let declaration = Statement::Variable(Box::new(register));
            self.draft.push(declaration, false);
        }
    }

    fn label(&mut self, name: Symbol, at: At) {
        self.draft.push(Statement::Label(name, at), false);
    }
}

/// `@!register`
fn unless(register: Symbol) -> Option<Guard> {
    Some(Guard {
        register,
        negated: true,
        at: At::default(),
    })
}

/// The instruction that computes the new value.
fn operation(atomic: &Atomic) -> String {
    let op = atomic.op.ptx().unwrap_or_default();
    match (atomic.op, atomic.ty) {
        (AtomicOp::Add, AtomicType::F16x2 | AtomicType::Bf16x2) => {
            format!("add.rn.{}", atomic.ty.ptx())
        }
        _ => format!("{op}.{}", atomic.ty.ptx()),
    }
}
