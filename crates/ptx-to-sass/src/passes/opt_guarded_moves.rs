//! What is computed under a guard and moved under the same guard is computed where it is moved to.
//!
//! ```text
//!   MOV %r1, RZ                                MOV %r1, RZ
//!   @%p2 LDG.E %r3, desc[UR4][%r4.0.64]  ──►   @%p2 LDG.E %r1, desc[UR4][%r4.0.64]
//!   @%p2 MOV %r1, %r3
//! ```
//!
//! PTX writes a load that some lanes do without, with what they have instead, in this way. The move would wait for each load
//! before the next one could have its register.
//!
//! Who reads the temporary are moves under its guard alone, in the same block; between the two nobody touches what they move
//! to, and the predicate stays what it is. Then where the guard holds, nobody sees what was there before, and where it does
//! not, nothing is written, before and after.
//!
//! A temporary of several lanes takes the place of what its lanes are moved to, so that these become lanes of a tuple.

use super::Pass;
use super::assign_registers::Limits;
use crate::ir::{File, Function, Guard, Inst, Op, Reg, RegData};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use warpc_sass::Marks;

/// The pass.
pub(crate) const PASS: Pass = Pass {
    name: "opt_guarded_moves",
    run,
};

/// Instructions between a temporary and its last move.
const FARTHEST: usize = 256;

/// A temporary whose moves are looked for.
struct Temporary {
    /// The instruction that writes it.
    made: usize,
    guard: Guard,
    moves: SmallVec<[Move; 4]>,
}

/// A lane of a register.
type Lane = (Reg, u8);

/// A move of a lane of a temporary.
#[derive(Clone, Copy)]
struct Move {
    at: usize,
    to: (Reg, u8),
    lane: u8,
}

fn run(function: &mut Function, _: &Limits) {
    let is_one = |inst: &Inst| copy(inst).is_some();
    let mut insts = function.blocks.iter().flat_map(|block| &block.insts);
    if !insts.any(is_one) {
        return;
    }
    // How often each register is read, and how many instructions write it.
    let mut uses = vec![(0u32, 0u32); function.regs.len()];
    for inst in function.blocks.iter().flat_map(|block| &block.insts) {
        inst.reads().for_each(|one| uses[one.0.0 as usize].0 += 1);
        inst.writes().for_each(|one| uses[one.0.0 as usize].1 += 1);
    }
    let mut renamed: FxHashMap<Reg, (Reg, u8)> = FxHashMap::default();
    let mut is_gone = Vec::new();
    for block in 0..function.blocks.len() {
        let found = temporaries(function, block, &uses);
        let insts = &function.blocks[block].insts;
        is_gone.clear();
        is_gone.resize(insts.len(), false);
        let mut written: Vec<(usize, Reg, (Reg, u8))> = Vec::new();
        for (reg, one) in found {
            if !is_alone(&one, insts) {
                continue;
            }
            if let Some(to) = place(&one.moves, function.data(reg), function) {
                // What a tuple took the place of has its name at the end.
                written.push((one.made, reg, to));
            } else {
                let mut tos = one.moves.iter().map(|one| one.to.0);
                let is_free = |to: Reg| function.data(to).lanes == 1 && !renamed.contains_key(&to);
                if !tos.all(is_free) || !are_distinct(&one.moves) {
                    continue;
                }
                let own = one.moves.iter().map(|one| (one.to.0, (reg, one.lane)));
                renamed.extend(own);
            }
            one.moves.iter().for_each(|one| is_gone[one.at] = true);
        }
        let insts = &mut function.blocks[block].insts;
        for (at, from, (to, lane)) in written {
            for operand in &mut insts[at].operands {
                if operand.op == Op::Reg(from, 0) {
                    operand.op = Op::Reg(to, lane);
                }
            }
        }
        let mut gone = is_gone.iter();
        insts.retain(|_| !gone.next().copied().unwrap_or(false));
    }
    if renamed.is_empty() {
        return;
    }
    for inst in function
        .blocks
        .iter_mut()
        .flat_map(|block| &mut block.insts)
    {
        for operand in &mut inst.operands {
            if let Op::Reg(reg, 0) = operand.op
                && let Some((to, lane)) = renamed.get(&reg)
            {
                operand.op = Op::Reg(*to, *lane);
            }
        }
    }
}

/// The temporaries of a block all of whose reads are moves under their guard, in order.
fn temporaries(function: &Function, block: usize, uses: &[(u32, u32)]) -> Vec<(Reg, Temporary)> {
    let mut open: FxHashMap<Reg, Temporary> = FxHashMap::default();
    let mut done = Vec::new();
    for (at, inst) in function.blocks[block].insts.iter().enumerate() {
        if let Some((to, (from, lane), guard)) = copy(inst)
            && let Some(own) = open.get_mut(&from)
        {
            if own.guard == guard && to.0 != from && at - own.made <= FARTHEST {
                own.moves.push(Move { at, to, lane });
                if own.moves.len() as u32 == uses[from.0 as usize].0 {
                    done.extend(open.remove_entry(&from));
                }
            }
            continue;
        }
        let mut written: SmallVec<[(Reg, u8, u8); 4]> = inst.writes().collect();
        if !open.is_empty() {
            let is_changed = |own: &Temporary| written.iter().any(|one| one.0 == own.guard.reg);
            open.retain(|_, own| !is_changed(own));
        }
        let Some(guard) = inst.guard.filter(|_| !inst.acquires) else {
            continue;
        };
        written.retain(|one| function.data(one.0).file == File::Register);
        let [(reg, 0, lanes)] = written[..] else {
            continue;
        };
        let (reads, writes) = uses[reg.0 as usize];
        if lanes == function.data(reg).lanes
            && reads > 0
            && writes == 1
            && inst.writes().all(|one| one.0 != guard.reg)
        {
            let moves = SmallVec::new();
            let made = at;
            open.insert(reg, Temporary { made, guard, moves });
        }
    }
    done.sort_unstable_by_key(|one| one.1.made);
    done
}

/// Whether nobody touches what the lanes are moved to from where the temporary is written to the moves.
fn is_alone(one: &Temporary, insts: &[Inst]) -> bool {
    one.moves.iter().all(|own| {
        let is_same = |(reg, lane, lanes): (Reg, u8, u8)| {
            reg == own.to.0 && (lane..lane + lanes).contains(&own.to.1)
        };
        insts[one.made..own.at]
            .iter()
            .all(|inst| !inst.reads().any(is_same) && !inst.writes().any(is_same))
    })
}

/// Where all lanes of a temporary are moved to, if these follow each other as its own do.
fn place(moves: &[Move], own: RegData, function: &Function) -> Option<(Reg, u8)> {
    let (to, lane) = moves.iter().find(|one| one.lane == 0)?.to;
    let follows = |one: &Move| one.to == (to, lane + one.lane);
    let align = own.alignment();
    let is_aligned =
        lane.is_multiple_of(align) && function.data(to).alignment().is_multiple_of(align);
    let is_whole = moves.len() == usize::from(own.lanes) && are_distinct(moves);
    (moves.iter().all(follows) && is_whole && is_aligned).then_some((to, lane))
}

fn are_distinct(moves: &[Move]) -> bool {
    moves.iter().enumerate().all(|(at, one)| {
        let others = &moves[..at];
        others
            .iter()
            .all(|other| other.to != one.to && other.lane != one.lane)
    })
}

/// Of a move of a register under a guard: to what, from what, the guard.
fn copy(inst: &Inst) -> Option<(Lane, Lane, Guard)> {
    let guard = inst.guard?;
    match &inst.operands[..] {
        [to, from, ..] if inst.shape.opcode() == "MOV" && from.marks == Marks::NONE => {
            match (to.op, from.op) {
                (Op::Reg(to, to_lane), Op::Reg(from, from_lane)) => {
                    Some(((to, to_lane), (from, from_lane), guard))
                }
                _ => None,
            }
        }
        _ => None,
    }
}
