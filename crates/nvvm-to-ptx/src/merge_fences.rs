//! Fences that another one beside them makes needless.
//!
//! ```text
//!     fence.acq_rel.cta;
//!     add.s32 %r1, %r2, 1;       ──►    add.s32 %r1, %r2, 1;
//!     fence.sc.gpu;                     fence.sc.gpu;
//! ```
//!
//! Two fences with nothing between them that touches memory or other threads stand at the same place in the order of
//! the thread's accesses. If one has at least the order and the scope of the other, the other one adds nothing. Atomics
//! in a row make such pairs on chips without orders, and so do fences that a program writes beside sequentially
//! consistent atomics.
//!
//! Whatever may be more than a computation on registers ends the search: accesses, calls, barriers, inline PTX,
//! labels, fences under a predicate and fences of other kinds (proxies).

use crate::assemble::Draft;
use crate::unit::{Refused, Unit};
use rustc_hash::FxHashMap;
use warpc_model::{Fence, Ordering, Scope};
use warpc_ptx::inst::{Inst, MnemonicId};
use warpc_ptx::module::Statement;
use warpc_ptx::row::Effects;

/// What an instruction is to a fence beside it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// A fence of an order at a scope.
    Fence(Ordering, Scope),
    /// A computation on registers.
    Computes,
    /// Anything else.
    Stops,
}

/// Removes needless fences.
pub fn run(unit: &mut Unit, draft: &mut Draft) -> Result<(), Refused> {
    let unit = &*unit;
    let mut kinds: FxHashMap<MnemonicId, Kind> = FxHashMap::default();
    let mut kind = |inst: &Inst| {
        let kind = *kinds
            .entry(inst.mnemonic)
            .or_insert_with(|| kind_of(unit, inst.mnemonic));
        match (kind, inst.guard) {
            (Kind::Fence(..), Some(_)) => Kind::Stops,
            _ => kind,
        }
    };
    let mut gone = vec![false; draft.body.statements.len()];
    // The fences since the last stop, none of which covers another.
    let mut open: Vec<(usize, Ordering, Scope)> = Vec::new();
    let statements = draft.body.statements.iter().zip(&draft.verbatim);
    for (index, (statement, &verbatim)) in statements.enumerate() {
        let kind = match statement {
            _ if verbatim => Kind::Stops,
            Statement::Inst(inst) => kind(inst),
            Statement::Loc(_) | Statement::Open(_) | Statement::Close(_) => Kind::Computes,
            Statement::Variable(_) => Kind::Computes,
            // Nothing jumps there.
            Statement::Label(label, _) if draft.marks.contains(label) => Kind::Computes,
            _ => Kind::Stops,
        };
        match kind {
            Kind::Computes => {}
            Kind::Stops => open.clear(),
            Kind::Fence(order, scope) => {
                let covered = |&(_, other, wide): &(usize, Ordering, Scope)| {
                    covers((other, wide), (order, scope))
                };
                if open.iter().any(covered) {
                    gone[index] = true;
                    continue;
                }
                open.retain(|&(at, other, wide)| {
                    let needless = covers((order, scope), (other, wide));
                    if needless {
                        gone[at] = true;
                    }
                    !needless
                });
                open.push((index, order, scope));
            }
        }
    }
    let mut kept = gone.iter().map(|gone| !gone);
    draft.body.statements.retain(|_| kept.next() == Some(true));
    let mut kept = gone.iter().map(|gone| !gone);
    draft.verbatim.retain(|_| kept.next() == Some(true));
    Ok(())
}

/// Whether a fence does all that another one does.
fn covers(strong: (Ordering, Scope), weak: (Ordering, Scope)) -> bool {
    strong.1 >= weak.1 && strong.0 >= weak.0
}

fn kind_of(unit: &Unit, mnemonic: MnemonicId) -> Kind {
    let choices = &unit.ptx.mnemonic(mnemonic).choices;
    let effects = choices.iter().fold(Effects::empty(), |all, choice| {
        all | choice.form.form().row.effects
    });
    if (effects - Effects::CARRY).is_empty() {
        return Kind::Computes;
    }
    if !matches!(choices[0].form.form().opcode, "fence" | "membar") {
        return Kind::Stops;
    }
    match Fence::from_ptx(&warpc_ptx::mnemonic_text(&choices[0])) {
        Some(Fence::Memory { order, scope }) => Kind::Fence(order, scope),
        // The manual makes it a synonym of `fence.sc`.
        Some(Fence::Membar(scope)) => Kind::Fence(Ordering::SeqCst, scope),
        _ => Kind::Stops,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpc_model::Ordering::*;
    use warpc_model::Scope::*;

    #[test]
    fn stronger_and_wider_covers() {
        assert!(covers((SeqCst, Gpu), (AcqRel, Cta)));
        assert!(covers((AcqRel, Sys), (Acquire, Sys)));
        assert!(covers((SeqCst, Cta), (SeqCst, Cta)));
        assert!(!covers((SeqCst, Cta), (AcqRel, Gpu)));
        assert!(!covers((AcqRel, Sys), (SeqCst, Cta)));
        assert!(!covers((Acquire, Gpu), (Release, Gpu)));
        assert!(!covers((Release, Gpu), (Acquire, Gpu)));
    }
}
