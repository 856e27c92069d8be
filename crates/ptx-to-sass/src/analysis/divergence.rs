//! Which lanes of virtual registers may differ between the lanes of a warp, and which branches may part it.
//!
//! Everything is the same in all lanes until it is found not to be:
//!
//! - what lanes are by nature different in: their numbers, what they load, exchange, or get from others;
//! - what was never written on some way: nobody keeps a place for it before, and lanes may have anything there;
//! - what is computed from it, or written under a guard that differs;
//! - where a branch may part the warp, at which lanes do not agree on a way, registers that are written on the ways to where lanes meet again, if they are
//!   written elsewhere, too: lanes come there on different ways;
//! - if such a branch is in a loop on its own way, all registers that are written in it: lanes leave the loop at
//!   different trips, and what was the same in a trip is that of another trip afterwards.

use crate::analysis::dominators::Dominators;
use crate::analysis::empty;
use crate::analysis::liveness::Liveness;
use crate::ir::{BlockId, Function, Inst, Op, Reg};
use crate::passes::is_pure;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use warpc_sass::Value;
use warpc_sass::shape::{Space, Traits};

/// Larger functions are not looked at: all branches may part the warp.
const MOST_BLOCKS: usize = 2048;

/// What may differ between lanes.
pub struct Divergence {
    /// By register; nothing where the function was not looked at.
    differs: Option<Vec<bool>>,
}

impl Divergence {
    /// Finds what may differ.
    pub fn of(function: &Function) -> Divergence {
        Divergence::with(function, &[])
    }

    /// The same if some registers are known to differ: those that are written where lanes come one after another, on ways
    /// of their own.
    pub fn with(function: &Function, known: &[Reg]) -> Divergence {
        let small = function.blocks.len() <= MOST_BLOCKS;
        Divergence {
            differs: small.then(|| find(function, &Liveness::of(function), known)),
        }
    }

    /// Finds what may differ where it is known what is live.
    pub fn of_live(function: &Function, liveness: &Liveness) -> Divergence {
        let small = function.blocks.len() <= MOST_BLOCKS;
        Divergence {
            differs: small.then(|| find(function, liveness, &[])),
        }
    }

    /// Whether a register may differ.
    pub fn differs(&self, reg: Reg) -> bool {
        let all = self.differs.as_ref();
        all.is_none_or(|all| all.get(reg.0 as usize).copied().unwrap_or(true))
    }

    /// Whether lanes may have different values of a register that an instruction reads.
    pub fn differs_in(&self, inst: &Inst) -> bool {
        inst.reads().any(|(reg, ..)| self.differs(reg))
    }

    /// Whether lanes may go different ways at the end of a block.
    pub fn parts_after(&self, function: &Function, block: BlockId) -> bool {
        let last = function.blocks[block.index()].insts.last();
        last.is_some_and(|last| self.parts(last)) && !function.agrees(block)
    }

    /// Whether lanes may go different ways at an instruction, if they do not agree on one.
    pub fn parts(&self, inst: &Inst) -> bool {
        inst.guard.is_some_and(|guard| self.differs(guard.reg))
            || inst.is_branch()
                && inst.operands.iter().any(|operand| match operand.op {
                    Op::Reg(reg, _) => self.differs(reg),
                    _ => false,
                })
            || inst.is_branch() && inst.shape.name() != "BRA"
    }
}

/// Special registers that all threads of a block have the same value of.
const SHARED: &[&str] = &[
    "SR_CTAID.X",
    "SR_CTAID.Y",
    "SR_CTAID.Z",
    "SR_CgaCtaId",
    "SR_SWINHI",
];

/// Whether an instruction makes different results of the same operands.
pub(crate) fn is_source(inst: &Inst) -> bool {
    let memory = inst.shape.memory().space;
    let special = inst.operands.iter().any(|operand| match operand.op {
        Op::Value(Value::Special(number)) => !SHARED.contains(&&*warpc_sass::special::name(number)),
        // Registers of the machine hold what others put there; the descriptor is the same for all.
        Op::Value(Value::Register(number)) => number != 255,
        Op::Value(Value::Predicate(number)) => number != 7,
        Op::Reg(..) | Op::Value(_) => false,
        Op::Block(_) | Op::Function(_) | Op::OfCaller(_) | Op::Size(_) | Op::Linked(_) => true,
    });
    special
        || !is_pure(inst)
        || !matches!(memory, Space::None | Space::Constant)
        || inst.shape.traits().contains(Traits::CONVERGENT)
}

fn find(function: &Function, liveness: &Liveness, known: &[Reg]) -> Vec<bool> {
    let count = function.regs.len();
    let mut differs = vec![false; count];
    // The blocks that write each register, and the registers that are computed from it.
    let mut writers: Vec<SmallVec<[u32; 2]>> = empty(count);
    let mut results: Vec<SmallVec<[Reg; 4]>> = empty(count);
    let mut branches: FxHashMap<Reg, Vec<u32>> = FxHashMap::default();
    let known = known.iter().chain(liveness.exposed()).copied();
    let mut work: Vec<Reg> = known.collect();
    for reg in &work {
        differs[reg.0 as usize] = true;
    }
    let mut parting: Vec<u32> = Vec::new();
    for (block, insts) in (0u32..).zip(&function.blocks) {
        for inst in &insts.insts {
            let source = is_source(inst);
            for (to, ..) in inst.writes() {
                writers[to.0 as usize].push(block);
                if source && !std::mem::replace(&mut differs[to.0 as usize], true) {
                    work.push(to);
                }
                for (from, ..) in inst.reads() {
                    results[from.0 as usize].push(to);
                }
            }
            let is_last = std::ptr::eq(inst, insts.insts.last().unwrap_or(inst));
            if inst.is_branch() && !(is_last && function.agrees(BlockId(block))) {
                for (from, ..) in inst.reads() {
                    branches.entry(from).or_default().push(block);
                }
                // One that asks for the lanes of the warp.
                if inst.shape.name() != "BRA" {
                    parting.push(block);
                }
            }
        }
    }
    let after = Dominators::after(function);
    let mut parted = vec![false; function.blocks.len()];
    let mut seen = vec![u32::MAX; function.blocks.len()];
    // For each block the registers that it writes.
    let mut written: Vec<Vec<Reg>> = vec![Vec::new(); function.blocks.len()];
    for (reg, blocks) in (0u32..).zip(&writers) {
        for block in blocks {
            written[*block as usize].push(Reg(reg));
        }
    }
    loop {
        if let Some(reg) = work.pop() {
            for to in std::mem::take(&mut results[reg.0 as usize]) {
                if !std::mem::replace(&mut differs[to.0 as usize], true) {
                    work.push(to);
                }
            }
            parting.extend(branches.remove(&reg).into_iter().flatten());
            continue;
        }
        let Some(block) = parting.pop() else { break };
        if std::mem::replace(&mut parted[block as usize], true) {
            continue;
        }
        let meet = after.parent(BlockId(block));
        let mut region: Vec<BlockId> = Vec::new();
        let mut next: Vec<BlockId> = function.successors(BlockId(block)).to_vec();
        while let Some(one) = next.pop() {
            if Some(one) == meet || seen[one.index()] == block {
                continue;
            }
            seen[one.index()] = block;
            region.push(one);
            next.extend(function.successors(one));
        }
        let comes_back = seen[block as usize] == block;
        for one in region {
            for reg in &written[one.index()] {
                let twice = writers[reg.0 as usize].len() > 1;
                if (twice || comes_back) && !std::mem::replace(&mut differs[reg.0 as usize], true) {
                    work.push(*reg);
                }
            }
        }
    }
    differs
}
