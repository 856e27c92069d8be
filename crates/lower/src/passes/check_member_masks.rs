//! Warns about member masks that the threads cannot keep.
//!
//! A collective of a warp names the lanes that take part: all of them must get there, with the same mask, or
//! nothing is promised. Four things are found:
//!
//! - a constant mask that names no lane, or leaves out a lane that provably executes the collective: the
//!   condition on the way to it depends on the lane's number alone, so it is worked out for all 32 lanes;
//! - a constant mask that names a lane which provably goes another way;
//! - a constant mask of all lanes where a branch that lanes may take differently lets only some get there;
//! - collectives on different sides of a branch that lanes take differently, with constant masks that have
//!   lanes in common: such a lane is waited for on both sides.
//!
//! A mask that may differ between the threads that are there together is only said with
//! [`MemberMasks::print`], as ptxas does; [`MemberMasks::no_overlap`] is the promise that such masks have no
//! lane in common, and silences that and the last warning.

mod lanes;
mod warp_wide;

use crate::pass::Context;
use lanes::Lanes;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use warpc_diag::{Diagnostic, Span, codes};
use warpc_nvvm::Module;
use warpc_nvvm::analysis::{Analyses, Divergence};
use warpc_nvvm::function::Body;
use warpc_nvvm::inst::{CallConv, Op};
use warpc_nvvm::value::{Block, InstId, Value};

/// What the user says and asks about member masks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MemberMasks {
    /// Different masks have no lane in common.
    pub no_overlap: bool,
    /// Say where masks may differ.
    pub print: bool,
}

/// A collective.
struct Collective {
    block: Block,
    pos: u32,
    /// As it is called, for messages.
    name: String,
    mask: Value,
    /// The mask, if it is constant.
    constant: Option<u32>,
}

pub(super) fn run(module: &mut Module, context: &mut Context) {
    let mut found = Vec::new();
    for (_, _, function) in module.functions() {
        let Some(body) = &function.body else {
            continue;
        };
        let collectives = collectives(module, body);
        if collectives.is_empty() {
            continue;
        }
        let check = Check {
            module,
            body,
            analyses: Analyses::default(),
            is_kernel: function.conv == CallConv::PTX_KERNEL,
            masks: context.options.member_masks,
            above: RefCell::default(),
        };
        check.all(&collectives, &mut found);
    }
    found.into_iter().for_each(|one| context.found.push(one));
}

/// The families of intrinsics with a mask, and which argument it is: the first or the last.
const FAMILIES: [(&str, bool); 6] = [
    ("llvm.nvvm.vote.", true),
    ("llvm.nvvm.match.", true),
    ("llvm.nvvm.shfl.sync.", true),
    ("llvm.nvvm.bar.warp.sync", true),
    ("llvm.nvvm.elect.sync", true),
    ("llvm.nvvm.redux.sync.", false),
];

fn collectives(module: &Module, body: &Body) -> Vec<Collective> {
    let mut found = Vec::new();
    for &block in &body.order {
        for &inst in &body.blocks[block].insts {
            found.extend(collective(module, body, block, inst));
        }
    }
    found
}

fn collective(module: &Module, body: &Body, block: Block, inst: InstId) -> Option<Collective> {
    let Op::Call(_) = body.insts[inst].op else {
        return None;
    };
    let operands = body.operands(inst);
    let (callee, args) = operands.split_last()?;
    let global = module.global_of(callee.constant()?)?;
    let name = module.names.text(module.globals[global].name?);
    let &(family, first) = FAMILIES.iter().find(|row| name.starts_with(row.0))?;
    // The old forms have no mask.
    if family.ends_with("vote.") && !name.ends_with(".sync") {
        return None;
    }
    let &mask = if first { args.first() } else { args.last() }?;
    let constant = mask
        .constant()
        .and_then(|mask| module.constants.as_u64(mask));
    Some(Collective {
        block,
        pos: body.insts[inst].pos,
        name: name.into_owned(),
        mask,
        constant: constant.map(|mask| mask as u32),
    })
}

struct Check<'m> {
    module: &'m Module,
    body: &'m Body,
    analyses: Analyses,
    is_kernel: bool,
    masks: MemberMasks,
    /// For blocks that were asked for the answers of [`Check::fork_above`]: the ways up have most of their blocks in common.
    above: RefCell<FxHashMap<Block, Option<Block>>>,
}

fn warning(at: &Collective, message: String, help: &str) -> Diagnostic {
    let span = Span::new(at.pos, at.pos + 1);
    Diagnostic::warning(codes::MEMBER_MASK, span, message).help(help)
}

impl Check<'_> {
    fn all(&self, collectives: &[Collective], found: &mut Vec<Diagnostic>) {
        let divergence = Divergence::new(self.module, self.body, &self.analyses, self.is_kernel);
        // What the callers of a function pass is not known here: parameters count as equal.
        let inside = match self.is_kernel {
            true => divergence.clone(),
            false => Divergence::new(self.module, self.body, &self.analyses, true),
        };
        let mut forks = FxHashSet::default();
        for one in collectives {
            match one.constant {
                Some(mask) => {
                    let known = found.len();
                    found.extend(self.constant_mask(one, mask));
                    if mask == u32::MAX && found.len() == known {
                        found.extend(self.some_lanes(&inside, one, &mut forks));
                    }
                }
                None if self.masks.print
                    && !self.masks.no_overlap
                    && divergence.value(one.mask) =>
                {
                    let message = format!(
                        "threads may execute `{}` with different masks that have lanes in common",
                        one.name
                    );
                    let help = "if they never do, `--no-membermask-overlap` says so";
                    found.push(warning(one, message, help));
                }
                None => {}
            }
        }
        if self.masks.no_overlap {
            return;
        }
        // One of each block and mask says enough.
        let mut different: Vec<&Collective> = collectives.iter().collect();
        different.dedup_by_key(|one| (one.block, one.constant));
        self.keep_sides(&divergence, &mut different);
        for (index, one) in different.iter().enumerate() {
            for other in &different[index + 1..] {
                found.extend(self.both_sides(&divergence, one, other));
            }
        }
    }

    /// A constant mask beside the lanes that provably get there.
    fn constant_mask(&self, one: &Collective, mask: u32) -> Option<Diagnostic> {
        if mask == 0 {
            return Some(warning(
                one,
                format!("the mask of `{}` names no lane", one.name),
                "name the lanes that execute it; -1 is all of them",
            ));
        }
        let lanes = Lanes::new(self.module, self.body, &self.analyses).of(one.block)?;
        let left_out = lanes & !mask;
        let absent = mask & !lanes;
        if left_out != 0 {
            let message = format!(
                "lane {} executes `{}`, but its mask {mask:#x} does not name it",
                left_out.trailing_zeros(),
                one.name
            );
            let help = format!("the lanes {lanes:#x} get here: use that mask");
            return Some(warning(one, message, &help));
        }
        (absent != 0).then(|| {
            let message = format!(
                "the mask {mask:#x} of `{}` names lane {}, which does not get here",
                one.name,
                absent.trailing_zeros()
            );
            let help = format!("the lanes {lanes:#x} get here: use that mask");
            warning(one, message, &help)
        })
    }

    /// A mask of all lanes after a branch that lanes may take differently; each branch is named once.
    fn some_lanes(
        &self,
        divergence: &Divergence,
        one: &Collective,
        forks: &mut FxHashSet<Block>,
    ) -> Option<Diagnostic> {
        let fork = self.fork_above(divergence, one.block)?;
        if !forks.insert(fork) {
            return None;
        }
        let message = format!(
            "`{}` names all lanes, but a branch that lanes may take differently lets only some get here",
            one.name
        );
        let help = "call it before the branch, or compute the mask of the lanes that get here there (`vote.ballot`)";
        let mut found = warning(one, message, help);
        if let Some(branch) = self.body.terminator(fork) {
            let pos = self.body.insts[branch].pos;
            let span = Span::new(pos, pos + 1);
            found.related.push((span, "this branch".to_owned()));
        }
        Some(found)
    }

    /// The innermost block above whose branch lanes take differently, and of which one side gets to a block while the
    /// other goes on without it.
    fn fork_above(&self, divergence: &Divergence, block: Block) -> Option<Block> {
        // Where the lanes' numbers decide, all of them were looked at.
        let lanes = Lanes::new(self.module, self.body, &self.analyses);
        if lanes.of(block).is_some() {
            return None;
        }
        let cfg = self.analyses.cfg(self.body);
        let dominators = self.analyses.dominators(self.body);
        let mut known = self.above.borrow_mut();
        let mut passed = Vec::new();
        let mut below = block;
        let fork = loop {
            if let Some(&fork) = known.get(&below) {
                break fork;
            }
            passed.push(below);
            let Some(above) = dominators.immediate(below) else {
                break None;
            };
            let others = || cfg.successors(above).iter().filter(|&&way| way != below);
            let differs = || {
                let condition = self.body.terminator(above);
                let condition =
                    condition.and_then(|last| self.body.operands(last).first().copied());
                condition.is_some_and(|condition| {
                    !warp_wide::is_warp_wide(self.module, self.body, divergence, condition)
                })
            };
            // Lanes that end the program on the other side are not waited for.
            if cfg.predecessors(below) == [above]
                && divergence.branch(above)
                && differs()
                && others().any(|&way| self.returns(way, below))
            {
                break Some(above);
            }
            below = above;
        };
        known.extend(passed.into_iter().map(|block| (block, fork)));
        fork
    }

    /// Keeps the collectives on a side of a branch that lanes may take differently: [`Check::both_sides`] finds no others, and
    /// looks at all pairs.
    fn keep_sides(&self, divergence: &Divergence, collectives: &mut Vec<&Collective>) {
        let cfg = self.analyses.cfg(self.body);
        let dominators = self.analyses.dominators(self.body);
        let mut known = FxHashMap::default();
        collectives.retain(|one| {
            let mut passed = Vec::new();
            let mut below = one.block;
            let is_on_side = loop {
                if let Some(&known) = known.get(&below) {
                    break known;
                }
                passed.push(below);
                match dominators.immediate(below) {
                    Some(above)
                        if cfg.predecessors(below) == [above] && divergence.branch(above) =>
                    {
                        break true;
                    }
                    Some(above) => below = above,
                    None => break false,
                }
            };
            known.extend(passed.into_iter().map(|block| (block, is_on_side)));
            is_on_side && one.constant.is_some()
        });
    }

    /// Whether a function can return from a block without going through another one.
    fn returns(&self, from: Block, without: Block) -> bool {
        let cfg = self.analyses.cfg(self.body);
        let ret = |block: Block| {
            let last = self.body.terminator(block);
            last.is_some_and(|last| self.body.insts[last].op == Op::Ret)
        };
        let mut seen = FxHashSet::default();
        let mut work = vec![from];
        while let Some(block) = work.pop() {
            if block == without || !seen.insert(block) {
                continue;
            }
            if ret(block) {
                return true;
            }
            work.extend(cfg.successors(block));
        }
        false
    }

    /// Whether there is a way from a block to another.
    fn reaches(&self, from: Block, to: Block) -> bool {
        let cfg = self.analyses.cfg(self.body);
        let mut seen = FxHashSet::default();
        let mut work = vec![from];
        while let Some(block) = work.pop() {
            for &next in cfg.successors(block) {
                if next == to {
                    return true;
                }
                if seen.insert(next) {
                    work.push(next);
                }
            }
        }
        false
    }

    /// Two collectives on different sides of a branch that lanes take differently.
    fn both_sides(
        &self,
        divergence: &Divergence,
        one: &Collective,
        other: &Collective,
    ) -> Option<Diagnostic> {
        let shared = one.constant? & other.constant?;
        if shared == 0 || one.block == other.block {
            return None;
        }
        let dominators = self.analyses.dominators(self.body);
        let fork = dominators.common(one.block, other.block)?;
        let side = |at: Block| {
            let cfg = self.analyses.cfg(self.body);
            // A block that the other side reaches too is after the branch, not on a side of it.
            let only = |way: Block| cfg.predecessors(way) == [fork];
            let mut ways = cfg.successors(fork).iter().copied();
            ways.find(|&way| only(way) && dominators.dominates(way, at))
        };
        let (left, right) = (side(one.block)?, side(other.block)?);
        // What the lanes' numbers decide has been looked at lane by lane.
        let lanes = Lanes::new(self.module, self.body, &self.analyses);
        let decided = lanes.of(one.block).is_some() && lanes.of(other.block).is_some();
        let differs = || {
            let condition = self.body.terminator(fork);
            let condition = condition.map(|last| self.body.operands(last)[0]);
            condition.is_some_and(|condition| {
                !warp_wide::is_warp_wide(self.module, self.body, divergence, condition)
            })
        };
        if left == right || decided || !divergence.branch(fork) || !differs() {
            return None;
        }
        // In a loop a lane may do both, one after the other.
        if self.reaches(one.block, other.block) || self.reaches(other.block, one.block) {
            return None;
        }
        let message = format!(
            "lane {} is in the masks of `{}` and of `{}` on the other side of a branch that lanes take differently",
            shared.trailing_zeros(),
            other.name,
            one.name
        );
        let mut found = warning(
            other,
            message,
            "let each side name its own lanes, or `--no-membermask-overlap` says that all lanes go one way",
        );
        let span = Span::new(one.pos, one.pos + 1);
        found.related.push((span, "the other side".to_owned()));
        Some(found)
    }
}
