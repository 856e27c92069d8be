//! Within a block: what is computed before a barrier of the block or a call and read only after it is computed after it, if
//! fewer lanes live across it then.
//!
//! ```text
//!   ISETP.LT.AND %p1, …, %r1, %r9         …
//!   ISETP.LT.AND %p2, …, %r2, %r9         BAR.SYNC
//!   BAR.SYNC                       ──►    ISETP.LT.AND %p1, …, %r1, %r9
//!   @%p1 STG …                            @%p1 STG …
//!   @%p2 STG …                            ISETP.LT.AND %p2, …, %r2, %r9
//!                                         @%p2 STG …
//! ```
//!
//! PTX computes addresses and conditions of all stores first, hands results around in shared memory, and stores: no order of a
//! stretch between barriers could mend that. All that could move is looked at together, because much of it is made of the same;
//! parts of it that share nothing with the rest and would have more to keep than they give stay.

use super::{is_movable, lanes, put};
use crate::analysis::liveness::Liveness;
use crate::analysis::values::Values;
use crate::ir::{BlockId, File, Function, Inst, Reg};
use rustc_hash::{FxHashMap, FxHashSet};
use warpc_sass::shape::Traits;

/// Fewer lanes than this are not worth it: what is computed while others are waited for takes no time.
const WORTH: usize = 4;

/// Moves what a block computes past its barriers.
pub(super) fn run(function: &mut Function) {
    let has_cuts = |insts: &[Inst]| insts.iter().any(cuts);
    if !(function.blocks.iter()).any(|block| has_cuts(&block.insts)) {
        return;
    }
    let values = Values::of(function);
    let liveness = Liveness::of(function);
    for block in function.block_ids() {
        if !has_cuts(&function.blocks[block.index()].insts) {
            continue;
        }
        let moved = movable(function, &values, &liveness, block);
        if moved.iter().all(|moves| !moves) {
            continue;
        }
        let own = &mut function.blocks[block.index()];
        let mut stay = Vec::with_capacity(own.insts.len());
        let mut sunk = Vec::new();
        for (inst, moves) in std::mem::take(&mut own.insts).into_iter().zip(moved) {
            match moves {
                true => sunk.push(inst),
                false => stay.push(inst),
            }
        }
        sunk.reverse();
        own.insts = stay;
        put(own, sunk);
    }
}

/// Whether a part of a block ends after an instruction.
fn cuts(inst: &Inst) -> bool {
    let traits = inst.shape.traits();
    traits.intersects(Traits::CALLS | Traits::BLOCK_BARRIER)
}

/// Which instructions of a block are moved.
fn movable(function: &Function, values: &Values, liveness: &Liveness, block: BlockId) -> Vec<bool> {
    let insts = &function.blocks[block.index()].insts;
    let mut part = insts.iter().filter(|inst| cuts(inst)).count();
    // The first part in which each lane is read when all has moved that could.
    let mut first_read: FxHashMap<(Reg, u8), usize> = FxHashMap::default();
    // Where all that could move would be.
    let mut to: Vec<Option<usize>> = vec![None; insts.len()];
    for (at, inst) in insts.iter().enumerate().rev() {
        part -= usize::from(cuts(inst));
        let mut place = part;
        if let Some(reader) = reader(function, liveness, block, inst, &first_read)
            && reader > part
            && is_movable(inst, values)
        {
            to[at] = Some(reader);
            place = reader;
        }
        for lane in lanes(inst.reads()) {
            let first = first_read.entry(lane).or_insert(place);
            *first = place.min(*first);
        }
    }
    let mut moved: Vec<bool> = to.iter().map(Option::is_some).collect();
    leave(function, liveness, block, &to, &mut moved);
    moved
}

/// The part in which all that an instruction makes is read first, if that is in the block only.
fn reader(
    function: &Function,
    liveness: &Liveness,
    block: BlockId,
    inst: &Inst,
    first_read: &FxHashMap<(Reg, u8), usize>,
) -> Option<usize> {
    let mut first = None;
    for (reg, lane) in lanes(inst.writes()) {
        let is_own = matches!(function.data(reg).file, File::Register | File::Predicate);
        if !is_own || liveness.is_live_out(block, reg, lane) {
            return None;
        }
        if let Some(&part) = first_read.get(&(reg, lane)) {
            first = Some(first.map_or(part, |first: usize| first.min(part)));
        }
    }
    first
}

/// Leaves what would have more lanes live across barriers.
fn leave(
    function: &Function,
    liveness: &Liveness,
    block: BlockId,
    to: &[Option<usize>],
    moved: &mut [bool],
) {
    let insts = &function.blocks[block.index()].insts;
    let counts = |reg: Reg| matches!(function.data(reg).file, File::Register | File::Predicate);
    loop {
        // What is live after the first barrier in any case: what stays reads it later.
        let mut part = 0;
        let mut read_late: FxHashSet<(Reg, u8)> = FxHashSet::default();
        let mut given: FxHashSet<(Reg, u8)> = FxHashSet::default();
        let mut needed: FxHashMap<(Reg, u8), usize> = FxHashMap::default();
        let mut groups = Groups::of(insts.len());
        let mut maker: FxHashMap<(Reg, u8), usize> = FxHashMap::default();
        let mut written_in: FxHashMap<(Reg, u8), usize> = FxHashMap::default();
        for (at, inst) in insts.iter().enumerate() {
            match (moved[at], to[at]) {
                (true, Some(_)) => {
                    for lane in lanes(inst.reads()).filter(|lane| counts(lane.0)) {
                        match maker.get(&lane) {
                            Some(&other) => groups.join(at, other),
                            None => {
                                if let Some(other) = needed.insert(lane, at) {
                                    groups.join(at, other);
                                }
                            }
                        }
                    }
                    for lane in lanes(inst.writes()) {
                        maker.insert(lane, at);
                    }
                }
                _ => {
                    for lane in lanes(inst.reads()) {
                        if maker.contains_key(&lane) {
                            given.insert(lane);
                        } else if written_in.get(&lane).copied().unwrap_or(0) < part {
                            read_late.insert(lane);
                        }
                    }
                    for lane in lanes(inst.writes()) {
                        written_in.insert(lane, part);
                    }
                }
            }
            part += usize::from(cuts(inst));
        }
        // For each group what it gives, and what lives longer for it.
        let mut sums: FxHashMap<usize, (usize, usize)> = FxHashMap::default();
        for lane in &given {
            if let Some(at) = maker.get(lane) {
                sums.entry(groups.root(*at)).or_default().0 += 1;
            }
        }
        for (lane, at) in &needed {
            let lives = read_late.contains(lane) || liveness.is_live_out(block, lane.0, lane.1);
            if !lives {
                sums.entry(groups.root(*at)).or_default().1 += 1;
            }
        }
        let mut changed = false;
        for (at, moves) in moved.iter_mut().enumerate() {
            if !*moves {
                continue;
            }
            let (gives, takes) = sums.get(&groups.root(at)).copied().unwrap_or_default();
            if gives < takes + WORTH {
                *moves = false;
                changed = true;
            }
        }
        if !changed {
            return;
        }
    }
}

/// Instructions that have something to do with each other.
struct Groups {
    parents: Vec<usize>,
}

impl Groups {
    fn of(count: usize) -> Groups {
        Groups {
            parents: (0..count).collect(),
        }
    }

    fn root(&mut self, mut at: usize) -> usize {
        while self.parents[at] != at {
            self.parents[at] = self.parents[self.parents[at]];
            at = self.parents[at];
        }
        at
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        self.parents[one] = other;
    }
}
