//! Loops whose rounds are counted are unrolled: several rounds one after the other, without the tests between them.
//!
//! ```text
//!                                        enough rounds left? ──no──┐
//!   L:  round                       M:  round                      │
//!       c += s                          round, with c + s          │
//!       @c<b BRA L         ─►           round, with c + 2s         │
//!                                       round, with c + 3s         │
//!                                       c += 4s                    │
//!                                       @c<b-3s BRA M              │
//!                                       @c>=b BRA end              │
//!                                   L:  round              ◄───────┘
//!                                       c += s
//!                                       @c<b BRA L
//! ```
//!
//! A loop whose number of rounds is a small constant becomes that many copies; where the number is a larger constant,
//! copies that divide it need no loop after them. What is left out are tests that would let the loop go on
//! (`opt_unroll/count.rs`); other ways out of a round stay in each copy.
//!
//! In a loop that stays, a number that a round computes from that of the last one gets a register of its own in the round,
//! which is a value (`analysis/values.rs`) for the passes after this one; moves around it go with the last `opt_copies`.
//!
//! Loops are not unrolled if they contain what lanes do together, barriers or calls, if a `nounroll` says so, if control
//! comes back from several places, or if they are long.

mod copies;
mod count;
mod layout;
mod numbers;

use super::Pass;
use super::assign_registers::Limits;
use super::opt_blocks::{is_plain_branch, opposite};
use super::opt_dce::writes_named;
use crate::analysis::induction::Rounds;
use crate::analysis::liveness::Liveness;
use crate::analysis::loops::{Loop, Loops};
use crate::analysis::values::Values;
use crate::immediate::Immediates;
use crate::ir::{BlockId, File, Function, Guard, Inst, Op};
use crate::tune::Repeats;
use copies::{Copies, Slice, What};
use count::Test;
use layout::Layout;
use numbers::Maker;
use warpc_sass::shape::{Access, Space, Traits};

/// The pass.
pub(crate) const PASS: Pass = Pass {
    name: "opt_unroll",
    run,
};

/// The most instructions of a block that is copied.
const LONGEST: usize = 192;
/// The most rounds of a loop that goes away.
const MOST_ROUNDS: u32 = 32;
/// The most instructions that are added to a function: so many, and as many as it has.
const GROWTH: usize = 2048;
/// The most lanes that may be live at once, as far as that is known before the order of instructions is.
const LIVE: u32 = 96;

fn run(function: &mut Function, limits: &Limits) {
    let comes_back = |block: BlockId| {
        let last = function.blocks[block.index()].insts.last();
        last.and_then(Inst::target)
            .is_some_and(|target| target <= block)
    };
    if !function.block_ids().any(comes_back) {
        return;
    }
    let values = Values::of(function);
    let loops = Loops::of(function, values.order());
    let named = named(function);
    let mut all = loops.all().iter();
    if !all.any(|own| is_plain(function, own, &named)) {
        return;
    }
    let liveness = Liveness::of(function);
    let size: usize = function.blocks.iter().map(|block| block.insts.len()).sum();
    let mut unroll = Unroll {
        function,
        limits,
        values: &values,
        loops: &loops,
        liveness: &liveness,
        layout: Layout::new(function),
        immediates: Immediates::default(),
    };
    for own in loops.all() {
        if unroll.layout.size() > size + GROWTH {
            break;
        }
        if is_plain(function, own, &named) {
            let mark = unroll.layout.mark();
            if may_be_copied_all(function, own) && unroll.unroll(own).is_some() {
                continue;
            }
            unroll.layout.take_back(mark);
            if let Some(blocks) = unroll.once(own) {
                let (first, last) = (own.header, blocks.1);
                unroll.layout.place(first, last, blocks.0, false);
            } else {
                unroll.layout.take_back(mark);
                if let Some(rounds) = unroll.rounds(own) {
                    unroll.layout.say(own.header, Repeats::Rounds(rounds));
                }
            }
        }
    }
    let layout = unroll.layout;
    layout.finish(function);
}

/// For each block whether something other than a branch names it.
fn named(function: &Function) -> Vec<bool> {
    let mut named = vec![false; function.blocks.len()];
    for inst in function.blocks.iter().flat_map(|block| &block.insts) {
        for operand in &inst.operands {
            if let Op::Block(block) = operand.op
                && !is_plain_branch(inst)
            {
                named[block.index()] = true;
            }
        }
    }
    named
}

/// Whether the blocks of a loop can be written again: they follow each other, and only the last one goes back.
fn is_plain(function: &Function, own: &Loop, named: &[bool]) -> bool {
    let [latch] = own.latches[..] else {
        return false;
    };
    let blocks = latch.0.checked_sub(own.header.0).map(|count| count + 1);
    own.is_innermost
        && !own.is_tangled
        && blocks == Some(own.blocks.len() as u32)
        && latch.index() + 1 < function.blocks.len()
        && own.blocks.iter().all(|block| !named[block.index()])
        && function.blocks[latch.index()]
            .insts
            .last()
            .is_some_and(is_plain_branch)
}

/// Whether the rounds of a loop can be copied.
fn may_be_copied_all(function: &Function, own: &Loop) -> bool {
    !function.blocks[own.header.index()].keeps_rounds
        && own.blocks.iter().all(|block| {
            let insts = &function.blocks[block.index()].insts;
            insts.len() <= LONGEST && insts.iter().all(may_be_copied)
        })
}

/// Whether an instruction does the same if it is one of several copies.
fn may_be_copied(inst: &Inst) -> bool {
    let traits = inst.shape.traits();
    let unfit = Traits::CONVERGENT
        | Traits::CALLS
        | Traits::READS_BARRIER
        | Traits::WRITES_BARRIER
        | Traits::BLOCK_BARRIER
        | Traits::WAITS_FOR_SCOREBOARDS
        | Traits::WAITS_FOR_GROUP
        | Traits::RAISES_GROUP
        | Traits::READS_PREDICATE_SET
        | Traits::WRITES_PREDICATE_SET;
    let memory = inst.shape.memory();
    let is_place = |op: Op| matches!(op, Op::Block(_) | Op::Function(_));
    let names_place = inst.operands.iter().any(|one| is_place(one.op));
    let is_known = matches!(
        memory.space,
        Space::None
            | Space::Generic
            | Space::Global
            | Space::Shared
            | Space::Local
            | Space::Constant
    );
    !traits.intersects(unfit)
        && is_known
        && !memory.access.contains(Access::ORDER)
        && (is_plain_branch(inst) || !inst.is_branch() && !names_place)
        && !matches!(inst.shape.opcode(), "SYNCS" | "ARRIVES" | "BMOV")
        && !writes_named(inst)
        && !writes_uniform(inst)
}

/// Whether a uniform register is written, which is of all lanes.
fn writes_uniform(inst: &Inst) -> bool {
    use warpc_sass::latency::File;
    let mut slots = inst.shape.slots().iter();
    slots.any(|slot| {
        slot.is_written() && matches!(slot.file, Some(File::Uniform | File::UniformPredicate))
    })
}

/// How a loop is unrolled.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    /// It goes away.
    Whole,
    /// The number of its rounds is divided by that of the copies.
    Divided,
    /// The loop does the rounds that are left.
    Rest,
}

struct Unroll<'a> {
    function: &'a Function,
    limits: &'a Limits,
    values: &'a Values,
    loops: &'a Loops,
    liveness: &'a Liveness,
    layout: Layout,
    immediates: Immediates,
}

impl Unroll<'_> {
    /// Unrolls a loop; nothing if it cannot be, or should not.
    fn unroll(&mut self, own: &Loop) -> Option<()> {
        let (function, header, latch) = (self.function, own.header, *own.latches.first()?);
        let mut rounds = Rounds::of(function, self.values, latch, &own.blocks);
        let test = Test::of(&rounds, own, latch)?;
        let size = own.blocks.iter();
        let size = size.map(|block| function.blocks[block.index()].insts.len() as u32);
        let size = size.sum::<u32>().max(1);
        let known = test.rounds(&rounds, own, self.loops, MOST_ROUNDS * 32);
        let (how, count) = self.choose(own, size, known)?;
        rounds.exact = test.exact(&rounds, own, self.loops, known);
        let after = BlockId(latch.0 + 1);
        let rest = match how {
            How::Rest => self.once(own).map(|blocks| blocks.0),
            _ => None,
        };
        let (repeats, left) = repeats(how, count, known);
        let exits = exits(function, own, latch);
        let blocks = (header, latch);
        let exits = (&exits[..], after);
        let mut copies = Copies::of(&rounds, self.liveness, own, blocks, exits, count, What::All);
        let insts = &function.blocks[latch.index()].insts;
        let like = insts.last()?;
        copies.leave_out(crate::analysis::values::Place {
            block: latch,
            inst: insts.len() as u32 - 1,
        });
        let is_alone = test.places.iter().all(|place| {
            let mut results = rounds.inst(*place).into_iter().flat_map(Inst::writes);
            results.all(|(reg, ..)| copies.is_read_only_so_often(reg, 1))
        });
        if is_alone {
            for place in &test.places {
                copies.leave_out(*place);
            }
        }
        let mut maker = Maker {
            function,
            layout: &mut self.layout,
            immediates: &mut self.immediates,
            like,
            insts: Vec::new(),
        };
        let loops = self.loops;
        let begin = |reg, lane| match how {
            How::Whole => count::initial(function, own, loops, (reg, lane)),
            How::Divided | How::Rest => None,
        };
        let mut first = None;
        let mut limit = None;
        if how == How::Rest {
            let block = maker.layout.block(header);
            let rest = rest.as_ref().and_then(|blocks| blocks.first());
            let rest = rest.copied().unwrap_or(header);
            limit = Some(enough(&mut maker, &rounds, &test, count, rest)?);
            maker.layout.fill(block).insts = std::mem::take(&mut maker.insts);
            first = Some(block);
        }
        let made = copies.make(&mut maker, header, &begin)?;
        let end = *made.last()?;
        if how != How::Rest {
            copies.give_back(&mut maker)?;
        }
        let mut all: Vec<BlockId> = first.into_iter().collect();
        all.extend(&made);
        if how != How::Whole {
            let read = [Some(test.counter.low), test.counter.high];
            let mut lasts = read.into_iter().flatten().zip(test.read);
            let bounds = [Some(test.bound.low), test.bound.high];
            let mut bound_lasts = bounds.into_iter().flatten().zip(test.read);
            if !lasts.all(|(one, at)| copies.lasts(one, at))
                || !bound_lasts.all(|(one, at)| copies.lasts(one, at))
            {
                return None;
            }
            let start = *made.first()?;
            let first = maker.layout.fill(start);
            (first.keeps_rounds, first.repeats) = (true, repeats);
            if let Some(limit) = limit {
                let counter = numbers::Number {
                    low: copies.last(test.counter.low, test.read[0]),
                    high: (test.counter.high).map(|high| copies.last(high, test.read[1])),
                };
                let reg = limit.ask(&mut maker, counter, None)?;
                copies.give_back(&mut maker)?;
                maker.branch(Some(Guard { reg, not: false }), start)?;
                let more = std::mem::take(&mut maker.insts);
                maker.layout.fill(end).insts.extend(more);
            }
            for place in &test.places {
                copies.test(&mut maker, *place, true)?;
            }
            let guard = Guard {
                reg: copies.last_name(test.guard.reg),
                ..test.guard
            };
            match how {
                How::Rest => {
                    maker.branch(Some(opposite(guard)), after)?;
                    let block = maker.layout.block(header);
                    maker.layout.fill(block).insts = std::mem::take(&mut maker.insts);
                    all.push(block);
                }
                _ => {
                    maker.branch(Some(guard), start)?;
                    let more = std::mem::take(&mut maker.insts);
                    maker.layout.fill(end).insts.extend(more);
                }
            }
        }
        let more = std::mem::take(&mut maker.insts);
        maker.layout.fill(end).insts.extend(more);
        let stays = how == How::Rest && rest.is_none();
        match rest.as_ref().and_then(|blocks| blocks.first()) {
            Some(first) => self.layout.fill(*first).repeats = left,
            None => self.layout.say(header, left),
        }
        all.extend(rest.into_iter().flatten());
        self.layout.place(header, latch, all, stays);
        Some(())
    }

    /// How many rounds a loop has, if that is a constant that is not large.
    fn rounds(&self, own: &Loop) -> Option<u32> {
        let latch = *own.latches.first()?;
        let rounds = Rounds::of(self.function, self.values, latch, &own.blocks);
        let test = Test::of(&rounds, own, latch)?;
        test.rounds(&rounds, own, self.loops, MOST_ROUNDS * 32)
    }

    /// A loop as it is, but that what its rounds begin with are values: its blocks, and the last old one.
    fn once(&mut self, own: &Loop) -> Option<(Vec<BlockId>, BlockId)> {
        let (function, header, latch) = (self.function, own.header, *own.latches.first()?);
        let rounds = Rounds::of(function, self.values, latch, &own.blocks);
        let exits = exits(function, own, latch);
        let exits = (&exits[..], BlockId(latch.0 + 1));
        let blocks = (header, latch);
        let what = What::Counters;
        let mut copies = Copies::of(&rounds, self.liveness, own, blocks, exits, 1, what);
        if !copies.has_any() {
            return None;
        }
        let known = self.rounds(own);
        let mut maker = Maker {
            function,
            layout: &mut self.layout,
            immediates: &mut self.immediates,
            like: function.blocks[latch.index()].insts.last()?,
            insts: Vec::new(),
        };
        let made = copies.make(&mut maker, header, &|_, _| None)?;
        copies.give_back(&mut maker)?;
        let back = std::mem::take(&mut maker.insts);
        let last = &mut maker.layout.fill(*made.last()?).insts;
        let at = last.len().checked_sub(1)?;
        last.splice(at..at, back);
        let first = maker.layout.fill(*made.first()?);
        first.keeps_rounds = true;
        if let Some(rounds) = known {
            first.repeats = Repeats::Rounds(rounds);
        }
        Some((made, latch))
    }

    /// How a loop is unrolled, and into how many copies, if the number of its rounds is known or not.
    fn choose(&self, own: &Loop, size: u32, known: Option<u32>) -> Option<(How, u32)> {
        let unrolling = &self.limits.version.unrolling;
        if let Some(count) = known
            && count <= MOST_ROUNDS
            && count * size <= unrolling.whole
        {
            return Some((How::Whole, count));
        }
        let fits = |count: &u32| count * size <= unrolling.part && self.fits_registers(own, *count);
        if let Some(rounds) = known
            && let Some(count) = (3..=8).rev().filter(fits).find(|one| rounds % one == 0)
        {
            return Some((How::Divided, count));
        }
        let is_short = |count: &u32| known.is_none_or(|known| known >= 2 * count);
        let mut copies = unrolling.copies.iter().copied().filter(is_short);
        let count = copies.find(fits)?;
        Some((How::Rest, count))
    }

    /// Whether there are likely to be registers for what so many copies load.
    fn fits_registers(&self, own: &Loop, count: u32) -> bool {
        let Some(latch) = own.latches.first() else {
            return false;
        };
        let live = self.liveness.out(*latch);
        let live = live.filter(|(reg, _)| self.function.data(*reg).file == File::Register);
        let insts = own.blocks.iter();
        let insts = insts.flat_map(|block| &self.function.blocks[block.index()].insts);
        let loads = insts.filter(|inst| inst.shape.memory().access.contains(Access::READ));
        let loaded: u32 = loads
            .flat_map(|inst| inst.writes())
            .map(|(_, _, lanes)| u32::from(lanes))
            .sum();
        let most = LIVE.min(u32::from(self.limits.registers).saturating_sub(12));
        live.count() as u32 + loaded * count <= most
    }
}

/// How often so many copies are repeated, and the loop that does what they leave.
fn repeats(how: How, count: u32, known: Option<u32>) -> (Repeats, Repeats) {
    match (how, known) {
        (How::Rest, Some(known)) => (
            Repeats::Rounds(known / count),
            Repeats::Rounds(known % count),
        ),
        (How::Rest, None) => (Repeats::Copies(count), Repeats::Rest(count)),
        (_, Some(known)) => (Repeats::Rounds(known / count), Repeats::Unknown),
        (_, None) => (Repeats::Copies(count), Repeats::Unknown),
    }
}

/// Where control leaves a loop to, other than after the end of a round.
fn exits(function: &Function, own: &Loop, latch: BlockId) -> Vec<BlockId> {
    let after = BlockId(latch.0 + 1);
    let mut exits = Vec::new();
    for block in &own.blocks {
        let next = function.successors(*block).into_iter();
        let leaves = next.filter(|to| !(own.header..=latch).contains(to));
        exits.extend(leaves.filter(|to| *block != latch || *to != after));
    }
    exits
}

/// The question before the copies whether there are enough rounds for them; else control goes to the loop.
fn enough(
    maker: &mut Maker,
    rounds: &Rounds,
    test: &Test,
    count: u32,
    header: BlockId,
) -> Option<count::Limit> {
    let mut slice = Slice::new(rounds);
    let before = match test.before(maker, rounds) {
        Some(before) => before,
        None => {
            let counter = slice.number(maker, test.counter, test.read)?;
            maker.add(counter, test.step.wrapping_neg() as u64)?
        }
    };
    let bound = slice.number(maker, test.bound, test.read)?;
    let (limit, is_sound) = test.limit(maker, bound, count - 1)?;
    let reg = limit.ask(maker, before, is_sound)?;
    maker.branch(Some(Guard { reg, not: true }), header)?;
    Some(limit)
}
