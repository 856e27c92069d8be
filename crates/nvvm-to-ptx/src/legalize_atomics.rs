//! Puts what ptxas would lose of atomic accesses into fences and loops that it keeps.
//!
//! ```text
//!     atom.acq_rel.gpu.shared.add.f32 %r1, [%r2], %r3;
//!      ──►  fence.acq_rel.gpu;
//!           atom.relaxed.gpu.shared.add.f32 %r1, [%r2], %r3;
//!           fence.acq_rel.gpu;
//!
//!     atom.relaxed.gpu.shared::cluster.max.u64 …
//!      ──►  a loop of atom.cas.b64 ([`swap_loop`]); at a generic address after a test of the space
//! ```
//!
//! [`warpc_model::ptxas`] knows what is lost. Our own assembler loses nothing, and PTX for it stays as it is. The pass stands at the end of the road: it sees the statements of the finished
//! function, whether they come from LLVM's atomics, from builtins, from intrinsics, from MLIR or from inline PTX, and
//! there is no other way to the printer.

mod swap_loop;

use crate::Assembler;
use crate::assemble::Draft;
use crate::unit::{Refused, Unit};
use warpc_diag::Span;
use warpc_model::ptxas::wide_order_is_lost;
use warpc_model::{Atomic, Lost, Ordering, Scope};
use warpc_ptx::inst::{At, Choice, Guard, Inst, MnemonicId, Operand, OperandRange};
use warpc_ptx::module::{Body, Statement};

/// What must be done about an instruction.
struct Plan {
    /// The order that it keeps only in fences.
    release: bool,
    acquire: bool,
    scope: Scope,
    /// The same instruction without what goes into fences.
    relaxed: String,
    /// The operation, if it must be a loop in the memory of other blocks.
    loop_of: Option<Atomic>,
}

/// Rewrites the accesses of a function.
pub fn run(unit: &mut Unit, draft: &mut Draft) -> Result<(), Refused> {
    if unit.options.assembler == Assembler::Warpc {
        return Ok(());
    }
    let affected = |unit: &mut Unit, statement: &Statement| match statement {
        Statement::Inst(inst) => is_affected(unit, inst.mnemonic),
        _ => false,
    };
    if !draft
        .body
        .statements
        .iter()
        .any(|statement| affected(unit, statement))
    {
        return Ok(());
    }
    let statements = std::mem::take(&mut draft.body.statements);
    let verbatim = std::mem::take(&mut draft.verbatim);
    for (statement, verbatim) in statements.into_iter().zip(verbatim) {
        if !affected(unit, &statement) {
            draft.push(statement, verbatim);
            continue;
        }
        let Statement::Inst(inst) = statement else {
            continue;
        };
        if let Some(plan) = plan(unit, inst.mnemonic) {
            Rewriter { unit, draft }.rewrite(inst, &plan)?;
        }
    }
    Ok(())
}

/// Whether a mnemonic loses anything, asked once for each.
fn is_affected(unit: &mut Unit, mnemonic: MnemonicId) -> bool {
    let index = mnemonic.0 as usize;
    if unit.affected.len() <= index {
        unit.affected.resize(index + 1, None);
    }
    match unit.affected[index] {
        Some(known) => known,
        None => {
            let found = plan(unit, mnemonic).is_some();
            unit.affected[index] = Some(found);
            found
        }
    }
}

/// What must be done about a mnemonic; nothing for nearly all.
fn plan(unit: &Unit, mnemonic: MnemonicId) -> Option<Plan> {
    let choice = &unit.ptx.mnemonic(mnemonic).choices[0];
    let sm = unit.options.sm;
    let (lost, atomic) = match choice.form.form().opcode {
        "atom" | "red" => {
            let atomic = choice.atomic()?;
            (atomic.lost_by_ptxas(sm), Some(atomic))
        }
        "ld" | "st" => {
            let all = Lost {
                release: true,
                acquire: true,
                atomicity: false,
            };
            let wide = wide_order_is_lost(bytes(choice), sm);
            (if wide { all } else { Lost::NOTHING }, None)
        }
        _ => return None,
    };
    let order = choice.ordering().unwrap_or(Ordering::Relaxed);
    let (release, acquire) = (
        lost.release && order.is_release(),
        lost.acquire && order.is_acquire(),
    );
    if !release && !acquire && !lost.atomicity {
        return None;
    }
    // What a loop keeps outside of its swaps is all of its order.
    let whole = lost.atomicity;
    let (release, acquire) = (
        release || whole && order.is_release(),
        acquire || whole && order.is_acquire(),
    );
    let kept = match (
        order.is_release() && !release,
        order.is_acquire() && !acquire,
    ) {
        (true, true) => Ordering::AcqRel,
        (true, false) => Ordering::Release,
        (false, true) => Ordering::Acquire,
        (false, false) => Ordering::Relaxed,
    };
    let text = warpc_ptx::mnemonic_text(choice);
    Some(Plan {
        release,
        acquire,
        scope: choice.scope().unwrap_or(Scope::Gpu),
        relaxed: text.replacen(&format!(".{}", order.ptx()), &format!(".{}", kept.ptx()), 1),
        loop_of: atomic.filter(|_| lost.atomicity),
    })
}

/// How many bytes a load or store moves.
fn bytes(choice: &Choice) -> u64 {
    let ty = choice.scalar("type");
    ty.map_or(0, |ty| u64::from(ty.bits() / 8)) * u64::from(choice.elements())
}

/// Writes what stands for one instruction.
struct Rewriter<'r, 'm> {
    unit: &'r mut Unit<'m>,
    draft: &'r mut Draft,
}

impl Rewriter<'_, '_> {
    fn rewrite(&mut self, inst: Inst, plan: &Plan) -> Result<(), Refused> {
        if let Some(atomic) = &plan.loop_of
            && self.may_be_in_another_block(&inst, atomic)
        {
            return self.swap_loop(&inst, plan, atomic);
        }
        let (guard, at) = (inst.guard, inst.at);
        if plan.release {
            self.fence(Ordering::Release, plan.scope, guard, at)?;
        }
        let mnemonic = self.unit.mnemonic(&plan.relaxed, at.0.start)?;
        self.draft
            .push(Statement::Inst(Inst { mnemonic, ..inst }), false);
        if plan.acquire {
            self.fence_after(plan.scope, guard, at)?;
        }
        Ok(())
    }

    /// The fence that makes an access acquire. `fence.acquire` would not do: ptxas waits for the access only if its result is
    /// used.
    fn fence_after(&mut self, scope: Scope, guard: Option<Guard>, at: At) -> Result<(), Refused> {
        self.fence(Ordering::AcqRel, scope, guard, at)
    }

    /// A fence of at least an order.
    fn fence(
        &mut self,
        order: Ordering,
        scope: Scope,
        guard: Option<Guard>,
        at: At,
    ) -> Result<(), Refused> {
        let options = &self.unit.options;
        // Newer fences would raise the version of the whole module.
        let version = options.version.unwrap_or(options.sm.first_version());
        let fence = options.mapping.fence(order, scope, options.sm, version);
        match fence {
            Some(fence) => self.emit(&fence.to_string(), &[], guard, at),
            None => Ok(()),
        }
    }

    fn emit(
        &mut self,
        text: &str,
        operands: &[Operand],
        guard: Option<Guard>,
        at: At,
    ) -> Result<(), Refused> {
        let mnemonic = self.unit.mnemonic(text, at.0.start)?;
        let operands = add_operands(&mut self.draft.body, operands, at.0);
        let inst = Inst {
            mnemonic,
            choice: 0,
            guard,
            operands,
            at,
        };
        self.draft.push(Statement::Inst(inst), false);
        Ok(())
    }
}

fn add_operands(body: &mut Body, operands: &[Operand], span: Span) -> OperandRange {
    let start = body.operands.len() as u32;
    body.operand_spans
        .0
        .resize(body.operands.len(), Span::default());
    body.operands.extend_from_slice(operands);
    body.operand_spans.0.resize(body.operands.len(), span);
    OperandRange {
        start,
        len: operands.len() as u16,
    }
}
