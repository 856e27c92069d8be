//! What is cheap to compute is computed again where it is read, if it would be spilled otherwise.
//!
//! ```text
//!   LOP3.LUT %r2, %r1, 0x4, …           LOP3.LUT %r2, %r1, 0x4, …
//!   LOP3.LUT %r3, %r1, 0x8, …           LOP3.LUT %r3, %r1, 0x8, …
//!   …  (readers of both)           ──►  …  (the same)
//! .L2:  (a loop)                      .L2:
//!   ISETP.LT.AND %p4, PT, %r2, …        LOP3.LUT %r5, %r1, 0x4, …
//!   ISETP.LT.AND %p5, PT, %r3, …        ISETP.LT.AND %p4, PT, %r5, …
//!                                       LOP3.LUT %r6, %r1, 0x8, …
//!                                       ISETP.LT.AND %p5, PT, %r6, …
//! ```
//!
//! It acts only in functions in which more is live than there are registers. A value of one lane that lives out of such a
//! place, and that one instruction of constant latency makes of other values, gets a copy of that instruction (and of those it
//! needs, [`MOST_STEPS`] in all) in each block that reads it and does not make it, loops included: a load from local memory
//! would be executed there as often, and takes longer. What the copies read has to live until there; if it did not before,
//! more values have to be given up for it than it has lanes. Cheap ones in blocks that are executed seldom go first, and no
//! more than are too many.

use super::assign_registers::Limits;
use super::schedule_latency::live_by_block;
use super::sink_constants::rename;
use super::{Pass, is_pure, names_registers};
use crate::analysis::liveness::Liveness;
use crate::analysis::uses::{depths, rounds_at};
use crate::analysis::values::Values;
use crate::ir::{Block, BlockId, File, Function, Inst, Op, Reg};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use warpc_diag::Span;
use warpc_sass::shape::Traits;

/// The pass.
pub(crate) const PASS: Pass = Pass {
    name: "opt_recompute",
    run,
};

/// The most instructions that are executed again for one value.
const MOST_STEPS: usize = 4;

/// Registers that a thread has besides those of its values: the stack, and some that tuples leave empty between them.
const BESIDES: i32 = 12;

/// How often it is decided again who is given up, when others were not.
const ROUNDS: usize = 4;

/// Lanes that live in a block which did not before.
type Extended = SmallVec<[(Reg, u8); 2]>;

/// How a block gets a value again.
#[derive(Default)]
struct Plan {
    /// What is computed, each after what it is made of.
    steps: SmallVec<[Reg; MOST_STEPS]>,
    /// What has to live there for that.
    extended: Extended,
}

/// A value that may be computed again.
struct Candidate {
    reg: Reg,
    /// For each block that reads it and does not make it.
    plans: Vec<(BlockId, Plan)>,
    /// How many instructions are executed for it.
    cost: u64,
}

struct Search<'a> {
    function: &'a Function,
    liveness: &'a Liveness,
    /// What makes each value that may be computed again, and where.
    makers: FxHashMap<Reg, (Inst, BlockId)>,
}

fn run(function: &mut Function, limits: &Limits) {
    if function.blocks.len() < 2 {
        return;
    }
    let room = i32::from(limits.registers) - BESIDES;
    let liveness = Liveness::of(function);
    let live = live_by_block(function, &liveness);
    if live.iter().all(|live| *live <= room) {
        return;
    }
    let values = Values::of(function);
    let search = Search {
        function,
        liveness: &liveness,
        makers: makers(function, &values),
    };
    let mut chosen = search.candidates();
    for _ in 0..ROUNDS {
        let before = chosen.len();
        keep_those_that_pay(&mut chosen);
        if chosen.len() == before {
            break;
        }
    }
    chosen.sort_by_key(|one| (one.cost, one.reg.0));
    // No more than are too many.
    let mut excess: Vec<i32> = live.iter().map(|live| live - room).collect();
    chosen.retain(|one| {
        let crowded = function.block_ids().map(BlockId::index);
        let crowded = crowded.filter(|block| excess[*block] > 0);
        let crowded: SmallVec<[usize; 8]> = crowded
            .filter(|block| liveness.is_live_out(BlockId(*block as u32), one.reg, 0))
            .collect();
        crowded.iter().for_each(|block| excess[*block] -= 1);
        !crowded.is_empty()
    });
    let makers = search.makers;
    if !chosen.is_empty() {
        compute_again(function, chosen, &makers);
        drop_unread(function, &makers);
    }
}

/// The values that one cheap instruction makes of others.
fn makers(function: &Function, values: &Values) -> FxHashMap<Reg, (Inst, BlockId)> {
    let mut makers = FxHashMap::default();
    for block in function.block_ids() {
        for inst in &function.blocks[block.index()].insts {
            let mut written = inst.writes();
            if let (Some((reg, 0, 1)), None) = (written.next(), written.next())
                && function.data(reg).lanes == 1
                && function.data(reg).file == File::Register
                && values.is_value(reg, 0)
                && is_cheap(function, inst, values)
            {
                makers.insert(reg, (inst.clone(), block));
            }
        }
    }
    makers
}

/// Whether an instruction takes few cycles and gives the same wherever its operands are what they are.
fn is_cheap(function: &Function, inst: &Inst, values: &Values) -> bool {
    let stays = Traits::CONVERGENT | Traits::HAS_PLACE | Traits::READS_SPECIAL;
    inst.guard.is_none()
        && is_pure(inst)
        && !inst.shape.is_variable()
        && !names_registers(inst)
        && !inst.shape.traits().intersects(stays)
        && !(inst.operands.iter()).any(|one| matches!(one.op, Op::Block(_)))
        && inst.reads().next().is_some()
        && inst.reads().all(|(reg, lane, lanes)| {
            function.data(reg).file == File::Register
                && (lane..lane + lanes).all(|lane| values.is_value(reg, lane))
        })
}

impl Search<'_> {
    /// The values that blocks read which do not make them, with what they need there.
    fn candidates(&self) -> Vec<Candidate> {
        let depths = depths(self.function);
        let mut places: FxHashMap<Reg, usize> = FxHashMap::default();
        let mut all: Vec<Candidate> = Vec::new();
        let mut refused: FxHashSet<Reg> = FxHashSet::default();
        for block in self.function.block_ids() {
            for inst in &self.function.blocks[block.index()].insts {
                for (reg, ..) in inst.reads() {
                    let made = self.makers.get(&reg).map(|one| one.1);
                    if made.is_none_or(|made| made == block) {
                        continue;
                    }
                    let place = *places.entry(reg).or_insert(all.len());
                    if place == all.len() {
                        all.push(Candidate {
                            reg,
                            plans: Vec::new(),
                            cost: 0,
                        });
                    }
                    let own = &mut all[place];
                    if own.plans.last().is_some_and(|plan| plan.0 == block) {
                        continue;
                    }
                    let mut plan = Plan::default();
                    if !self.plan(reg, block, &mut plan) {
                        refused.insert(reg);
                    }
                    own.cost += plan.steps.len() as u64 * rounds_at(depths[block.index()]);
                    own.plans.push((block, plan));
                }
            }
        }
        all.retain(|one| !refused.contains(&one.reg));
        all
    }

    /// Adds what makes a value in a block; whether that is few enough.
    fn plan(&self, reg: Reg, block: BlockId, plan: &mut Plan) -> bool {
        let Some((inst, _)) = self.makers.get(&reg) else {
            return false;
        };
        for (read, lane, lanes) in inst.reads() {
            if plan.steps.contains(&read) {
                continue;
            }
            let mut missing = (lane..lane + lanes)
                .filter(|lane| !self.is_there(block, read, *lane))
                .filter(|lane| !plan.extended.contains(&(read, *lane)))
                .peekable();
            if missing.peek().is_none() {
                continue;
            }
            let missing: Extended = missing.map(|lane| (read, lane)).collect();
            let (steps, extended) = (plan.steps.len(), plan.extended.len());
            // One that would take too many is left to live.
            if steps + 1 >= MOST_STEPS || !self.plan(read, block, plan) {
                plan.steps.truncate(steps);
                plan.extended.truncate(extended);
                plan.extended.extend(missing);
            }
        }
        plan.steps.push(reg);
        plan.steps.len() <= MOST_STEPS
    }

    /// Whether a lane has its value where a block begins.
    fn is_there(&self, block: BlockId, reg: Reg, lane: u8) -> bool {
        self.liveness.is_live_in(block, reg, lane)
    }
}

/// Keeps those for whom less has to live longer, in each block, than is given up.
fn keep_those_that_pay(chosen: &mut Vec<Candidate>) {
    let mut counts: FxHashMap<(BlockId, Extended), usize> = FxHashMap::default();
    for (block, plan) in chosen.iter().flat_map(|one| &one.plans) {
        *counts.entry((*block, plan.extended.clone())).or_default() += 1;
    }
    chosen.retain(|one| {
        one.plans.iter().all(|(block, plan)| {
            let extended = &plan.extended;
            extended.is_empty() || counts[&(*block, extended.clone())] > extended.len() + 1
        })
    });
}

/// Copies what makes the chosen values before their first readers in other blocks.
fn compute_again(
    function: &mut Function,
    chosen: Vec<Candidate>,
    makers: &FxHashMap<Reg, (Inst, BlockId)>,
) {
    let mut plans: FxHashMap<(BlockId, Reg), Plan> = FxHashMap::default();
    for one in chosen {
        for (block, plan) in one.plans {
            plans.insert((block, one.reg), plan);
        }
    }
    let blocks = std::mem::take(&mut function.blocks);
    for (number, block) in blocks.into_iter().enumerate() {
        let here = BlockId(number as u32);
        let mut insts = Vec::with_capacity(block.insts.len());
        // The registers that have values again.
        let mut own: FxHashMap<Reg, Reg> = FxHashMap::default();
        for mut inst in block.insts {
            let read: SmallVec<[Reg; 4]> = inst.reads().map(|one| one.0).collect();
            for reg in read {
                let Some(plan) = plans.get(&(here, reg)) else {
                    continue;
                };
                for step in &plan.steps {
                    if !own.contains_key(step) {
                        let made = made_again(function, &makers[step].0, *step, &own, inst.span);
                        own.insert(*step, made.1);
                        insts.push(made.0);
                    }
                }
                rename(&mut inst, reg, own[&reg]);
            }
            insts.push(inst);
        }
        function.blocks.push(Block { insts, ..block });
    }
}

/// The instruction that makes a value, for a new register, of what the block has again.
fn made_again(
    function: &mut Function,
    maker: &Inst,
    reg: Reg,
    own: &FxHashMap<Reg, Reg>,
    span: Span,
) -> (Inst, Reg) {
    let data = function.data(reg);
    let copy = function.reg(data.file, data.lanes);
    let mut inst = maker.clone();
    let read: SmallVec<[Reg; 4]> = inst.reads().map(|one| one.0).collect();
    for read in read {
        if let Some(again) = own.get(&read) {
            rename(&mut inst, read, *again);
        }
    }
    rename(&mut inst, reg, copy);
    inst.span = span;
    inst.origin = None;
    (inst, copy)
}

/// Drops what nobody reads any more.
fn drop_unread(function: &mut Function, makers: &FxHashMap<Reg, (Inst, BlockId)>) {
    let mut reads = vec![0u32; function.regs.len()];
    let all = function.blocks.iter().flat_map(|block| &block.insts);
    all.flat_map(Inst::reads)
        .for_each(|(reg, ..)| reads[reg.0 as usize] += 1);
    for block in function.blocks.iter_mut().rev() {
        // From the end on: what one was made of may go after it.
        let mut stays = vec![true; block.insts.len()];
        for (inst, stays) in block.insts.iter().zip(&mut stays).rev() {
            let made = inst.writes().next().map(|one| one.0);
            let is_unread = made.is_some_and(|reg| reads[reg.0 as usize] == 0);
            if is_unread && made.is_some_and(|reg| makers.contains_key(&reg)) {
                *stays = false;
                inst.reads()
                    .for_each(|(reg, ..)| reads[reg.0 as usize] -= 1);
            }
        }
        let mut stays = stays.into_iter();
        block.insts.retain(|_| stays.next().unwrap_or(true));
    }
}
