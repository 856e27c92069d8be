//! Loops in which threads wait for each other.
//!
//! A thread waits in a loop if whether it goes on depends on what another thread writes meanwhile: on the result of a
//! strong load, of an atomic operation, of a test of an mbarrier. It is followed within the loop, from such a result through
//! registers and guards: if it comes to a branch, or to a guard of an exit, the loop waits. What is stored in the loop may be
//! loaded there again, so if it comes to a store all loads of the loop count as such results. A loop that only counts, or
//! puts what it got somewhere, does not wait.
//!
//! The loop of an operation that the machine lacks (`ATOMS.CAST.SPIN`, `lower/swap_loop.rs`) does not either: where one lane
//! does not come through, another one has.

use super::converge::Loops;
use super::opt_dce::writes_named;
use crate::ir::{BlockId, Function, Inst, Reg};
use rustc_hash::FxHashSet;
use warpc_sass::shape::{Access, Space, Traits};

/// The headers of the loops in which threads wait for each other.
pub(super) fn headers(function: &Function, loops: &Loops) -> Vec<BlockId> {
    let mut all: Vec<BlockId> = Vec::new();
    for (header, body) in loops.bodies() {
        if waits(function, body) {
            all.push(*header);
        }
    }
    all.sort_unstable();
    all
}

/// Whether an instruction may read what another thread tells it.
fn listens(function: &Function, inst: &Inst) -> bool {
    let shape = inst.shape;
    let strong = shape.has("STRONG") || shape.has("MMIO");
    match shape.opcode() {
        "LD" | "LDG" => strong,
        "ATOM" | "ATOMG" => true,
        "ATOMS" => !shape.has("SPIN"),
        "SYNCS" => shape.has("PHASECHK"),
        "LDS" => function.listens_in_shared,
        _ => false,
    }
}

/// Whether the blocks of a loop wait.
fn waits(function: &Function, body: &[BlockId]) -> bool {
    let insts = || {
        body.iter()
            .flat_map(|block| &function.blocks[block.index()].insts)
    };
    if !insts().any(|inst| listens(function, inst)) {
        return false;
    }
    let mut told: FxHashSet<Reg> = FxHashSet::default();
    let mut is_stored = false;
    // Each round finds more; what is not settled soon is taken to wait.
    for _ in 0..ROUNDS {
        let before = (told.len(), is_stored);
        for inst in insts() {
            let memory = inst.shape.memory();
            let loads = memory.access.contains(Access::READ)
                && !matches!(memory.space, Space::None | Space::Constant);
            let depends = listens(function, inst)
                || inst.reads().any(|(reg, ..)| told.contains(&reg))
                || loads && is_stored;
            if !depends {
                continue;
            }
            let control = Traits::BRANCHES | Traits::TERMINATES | Traits::EXITS | Traits::CALLS;
            // What is in registers of the machine is not followed.
            if inst.shape.traits().intersects(control)
                || inst.target().is_some()
                || writes_named(inst)
            {
                return true;
            }
            is_stored |= memory.access.contains(Access::WRITE)
                && inst.reads().any(|(reg, ..)| told.contains(&reg));
            told.extend(inst.writes().map(|(reg, ..)| reg));
        }
        if (told.len(), is_stored) == before {
            return false;
        }
    }
    true
}

/// How often the blocks of a loop are gone through at most.
const ROUNDS: usize = 8;
