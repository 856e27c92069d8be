//! Collectives whose member mask may differ between the threads that execute them together, said if it is asked for
//! (`--print-potentially-overlapping-membermasks`): who is waited for is then not the same for all of them.

use super::operand::Given;
use super::{Builder, Outcome};
use crate::Description;
use crate::analysis::divergence::Divergence;
use crate::ir::{Function, Reg};
use crate::source::Source;
use warpc_diag::{Diagnostic, Span, codes};

/// A mask in a register.
pub(super) struct Mask {
    reg: Reg,
    /// The collective.
    span: Span,
    name: String,
}

impl Builder<'_> {
    /// Keeps the mask of a collective, if it is in a register.
    pub(super) fn note_mask(&mut self, source: &Source, description: &Description) -> Outcome<()> {
        if let Description::Warp(_) = description {
            let given = self.given(source)?;
            let mask = given.into_iter().find(|one| one.0 == "membermask");
            if let Some((_, Given::Reg { reg, .. })) = mask {
                self.masks.push(Mask {
                    reg,
                    span: self.span,
                    name: warpc_ptx::mnemonic_text(source.choice()),
                });
            }
        }
        Ok(())
    }
}

/// What there is to say about the masks of a function.
pub(super) fn found(function: &Function, masks: Vec<Mask>) -> Vec<Diagnostic> {
    if masks.is_empty() {
        return Vec::new();
    }
    let divergence = Divergence::of(function);
    let differing = masks
        .into_iter()
        .filter(|mask| divergence.differs(mask.reg));
    let one = |mask: Mask| {
        let message = format!(
            "threads may execute `{}` with different masks that have lanes in common",
            mask.name
        );
        let help = "if they never do, `--no-membermask-overlap` says so";
        Diagnostic::warning(codes::MEMBER_MASK, mask.span, message).help(help)
    };
    differing.map(one).collect()
}
