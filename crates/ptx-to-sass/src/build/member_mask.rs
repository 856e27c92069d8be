//! Collectives whose member mask may differ between the threads that execute them together, said if it is asked for
//! (`--print-potentially-overlapping-membermasks`): who is waited for is then not the same for all of them.
//!
//! And registers with the mask of all lanes: a collective of these is one of the warp, as with the number in its place.
//! Compilers that do not optimise, and those that write inline PTX, move the number to a register first.

use super::group::names_of;
use super::operand::Given;
use super::{Builder, Outcome};
use crate::Description;
use crate::analysis::divergence::Divergence;
use crate::ir::{Function, Reg};
use crate::source::Source;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use warpc_diag::{Diagnostic, Span, codes};
use warpc_ptx::inst::Operand;
use warpc_ptx::module::{Body, Module, Statement};
use warpc_ptx::symbol::Symbol;

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

    /// Puts the number in place of a register that has the mask of all lanes.
    pub(super) fn know_mask(&mut self, source: &mut Source) {
        let Some(symbol) = source.symbol_of("membermask") else {
            return;
        };
        let (module, body) = (self.module, self.body);
        let known = self
            .all_lanes
            .get_or_insert_with(|| all_lanes(module, body));
        if known.contains(&symbol) {
            source.put_number("membermask", 0xffff_ffff);
        }
    }
}

/// The registers that are written once, with the mask of all lanes. Results come first in PTX, so whatever else begins with
/// a register is taken to write it.
fn all_lanes(module: &Module, body: &Body) -> FxHashSet<Symbol> {
    let mut written: FxHashMap<Symbol, usize> = FxHashMap::default();
    let mut masks = FxHashSet::default();
    for statement in &body.statements {
        let Statement::Inst(inst) = statement else {
            continue;
        };
        let mnemonic = module.mnemonic(inst.mnemonic);
        let choice = mnemonic.choices.get(usize::from(inst.choice));
        let is_move = choice.is_some_and(|choice| {
            let mut words = choice.words();
            choice.form.form().opcode == "mov"
                && words.any(|word| matches!(word, "b32" | "u32" | "s32"))
        });
        let operands = body.operands(inst.operands);
        let mut names = SmallVec::<[Symbol; 4]>::new();
        if let Some(first) = operands.first() {
            names_of(body, first, &mut names);
        }
        for name in names {
            *written.entry(name).or_default() += 1;
        }
        if let (true, None, [Operand::Name { symbol, .. }, Operand::Int(number)]) =
            (is_move, inst.guard, operands)
            && number.bits as u32 == u32::MAX
        {
            masks.insert(*symbol);
        }
    }
    masks.retain(|symbol| written.get(symbol) == Some(&1));
    masks
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
