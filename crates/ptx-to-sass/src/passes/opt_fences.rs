//! A fence goes where one that does as much came before and nothing was accessed since; so do what waits for errors and
//! what empties a cache.

use super::opt_dce::is_pure;
use crate::ir::{BlockId, Function, Inst};
use smallvec::SmallVec;

/// What was done since the last access: names of fences.
type Done = SmallVec<[&'static str; 8]>;

/// Drops fences that do nothing. Over branches, if that is wanted, else within blocks.
pub(super) fn drop_fences(function: &mut Function, follows_branches: bool) {
    let mut insts = function.blocks.iter().flat_map(|block| &block.insts);
    // Nothing to do for most.
    if insts.by_ref().filter(|inst| is_fence(inst)).count() < 2 {
        return;
    }
    let done = match follows_branches {
        true => before_blocks(function),
        false => vec![Done::new(); function.blocks.len()],
    };
    for (block, mut done) in function.blocks.iter_mut().zip(done) {
        block.insts.retain(|inst| {
            let is_needless = is_fence(inst) && inst.guard.is_none() && covers(&done, inst);
            step(&mut done, inst);
            !is_needless
        });
    }
}

fn is_fence(inst: &Inst) -> bool {
    match inst.shape.opcode() {
        "MEMBAR" | "ERRBAR" | "CGAERRBAR" => true,
        "CCTL" => inst.shape.name() == "CCTL.IVALL",
        _ => false,
    }
}

/// Whether an instruction only waits for lanes of the warp.
fn only_meets(inst: &Inst) -> bool {
    matches!(inst.shape.opcode(), "BSSY" | "BSYNC" | "BREAK" | "WARPSYNC")
}

/// Whether what was done has all that a fence does.
fn covers(done: &Done, inst: &Inst) -> bool {
    let name = inst.shape.name();
    let does = |other: &str| done.contains(&other);
    // A fence of the block waits for mbarriers, which wider ones do not.
    match name {
        "MEMBAR.ALL.CTA" => does(name) || does("MEMBAR.SC.CTA"),
        "MEMBAR.ALL.GPU" => {
            let wider = ["MEMBAR.SC.GPU", "MEMBAR.ALL.SYS", "MEMBAR.SC.SYS"];
            does(name) || wider.into_iter().any(does)
        }
        "MEMBAR.ALL.SYS" => does(name) || does("MEMBAR.SC.SYS"),
        "MEMBAR.SC.GPU" => does(name) || does("MEMBAR.SC.SYS"),
        _ => does(name),
    }
}

/// What was done after an instruction.
fn step(done: &mut Done, inst: &Inst) {
    if is_fence(inst) {
        if inst.guard.is_none() && !covers(done, inst) {
            // What waits for errors waits for those of fences before it.
            if inst.shape.opcode() == "MEMBAR" && !inst.shape.has("CTA") {
                done.retain(|name| *name != "ERRBAR" && *name != "CGAERRBAR");
            }
            done.push(inst.shape.name());
        }
    } else if !is_pure(inst) && !inst.is_branch() && !only_meets(inst) {
        done.clear();
    }
}

/// What was done on all ways to each block.
fn before_blocks(function: &Function) -> Vec<Done> {
    let count = function.blocks.len();
    let mut ins: Vec<Option<Done>> = vec![None; count];
    if let Some(first) = ins.first_mut() {
        *first = Some(Done::new());
    }
    let mut work: Vec<BlockId> = function.block_ids().take(1).collect();
    while let Some(block) = work.pop() {
        let Some(mut done) = ins[block.index()].clone() else {
            continue;
        };
        for inst in &function.blocks[block.index()].insts {
            step(&mut done, inst);
        }
        for next in function.successors(block) {
            let own = &mut ins[next.index()];
            let before = own.as_ref().map(SmallVec::len);
            match own {
                Some(known) => known.retain(|name| done.contains(name)),
                None => *own = Some(done.clone()),
            }
            if own.as_ref().map(SmallVec::len) != before {
                work.push(next);
            }
        }
    }
    ins.into_iter().map(Option::unwrap_or_default).collect()
}
