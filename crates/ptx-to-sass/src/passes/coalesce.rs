//! Registers that are moved to each other become one.
//!
//! PTX has a register for each element of a vector, the machine one value of many registers. The moves between them go
//! where an element can be a lane of the tuple: where the two are never needed at the same time with different values. A
//! register joins another one at a distance of lanes that its alignment allows, and only within it: tuples do not grow.
//!
//! It runs twice. Before everything else, accumulators of products of a warpgroup get their elements: a move of a result
//! that is still under way would have to wait for it. When the order is fixed, all others.

use crate::analysis::segments::Segments;
use crate::analysis::values::Values;
use crate::build::group::is_product;
use crate::ir::{File, Function, Inst, Op, Reg};
use rustc_hash::FxHashMap;

/// A segment of a lane, and the value that it holds: lanes with copies of one value may be the same at the same time.
type Held = (u32, u32, u32);

/// Where a register is in the class that it belongs to.
#[derive(Clone, Copy)]
struct Member {
    leader: Reg,
    lane: i32,
}

struct Classes<'a> {
    function: &'a Function,
    members: Vec<Member>,
    /// For each leader the segments of its lanes.
    held: Vec<Vec<Vec<Held>>>,
    /// For each leader those that belong to it.
    all: Vec<Vec<Reg>>,
}

/// Lets accumulators of a warpgroup have their elements as lanes.
pub fn coalesce_accumulators(function: &mut Function) {
    let accumulators: Vec<Reg> = (function.blocks.iter())
        .flat_map(|block| &block.insts)
        .filter(|inst| is_product(inst))
        .filter_map(|inst| Some(inst.writes().next()?.0))
        .collect();
    if accumulators.is_empty() {
        return;
    }
    let mut wanted = vec![false; function.regs.len()];
    for reg in accumulators {
        wanted[reg.0 as usize] = true;
    }
    coalesce(function, Segments::of_reads, Some(wanted));
}

/// The same for all tuples.
pub fn coalesce_all(function: &mut Function) {
    coalesce(function, Segments::of, None);
}

/// Joins registers; where some are wanted, only classes that have one of them.
fn coalesce(
    function: &mut Function,
    segments_of: fn(&Function) -> Segments,
    mut wanted: Option<Vec<bool>>,
) {
    let moves: Vec<((Reg, u8), (Reg, u8))> = (function.blocks.iter())
        .flat_map(|block| &block.insts)
        .filter_map(|inst| moved(function, inst))
        .collect();
    // Moves between two lone registers are left to the choice of places.
    let is_tuple = |reg: Reg| function.data(reg).lanes > 1;
    let mut moves: Vec<_> = moves
        .into_iter()
        .filter(|(to, from)| is_tuple(to.0) || is_tuple(from.0) || wanted.is_some())
        .collect();
    if moves.is_empty() {
        return;
    }
    let widest = |((to, _), (from, _)): &((Reg, u8), (Reg, u8))| {
        let lanes = |reg: Reg| function.data(reg).lanes;
        std::cmp::Reverse(lanes(*to).max(lanes(*from)))
    };
    moves.sort_by_key(widest);
    let segments = segments_of(function);
    let mut takes_part = vec![false; function.regs.len()];
    for (to, from) in &moves {
        takes_part[to.0.0 as usize] = true;
        takes_part[from.0.0 as usize] = true;
    }
    let mut classes = Classes::of(function, &segments, &takes_part);
    loop {
        let mut changed = false;
        moves.retain(|&(to, from)| {
            let (a, b) = (classes.of_reg(to.0), classes.of_reg(from.0));
            if a.leader == b.leader {
                return false;
            }
            if let Some(wanted) = &mut wanted {
                let is_wanted = |reg: Reg| wanted[reg.0 as usize];
                if !is_wanted(a.leader) && !is_wanted(b.leader) {
                    return true;
                }
            }
            let joined = classes.join(
                (a.leader, a.lane + i32::from(to.1)),
                (b.leader, b.lane + i32::from(from.1)),
            );
            if let (Some(leader), Some(wanted)) = (joined, &mut wanted) {
                wanted[leader.0 as usize] = true;
            }
            changed |= joined.is_some();
            joined.is_none()
        });
        if !changed {
            break;
        }
    }
    let members = classes.members;
    for block in &mut function.blocks {
        for inst in &mut block.insts {
            for operand in &mut inst.operands {
                if let Op::Reg(reg, lane) = &mut operand.op {
                    let member = members[reg.0 as usize];
                    *lane = (member.lane + i32::from(*lane)) as u8;
                    *reg = member.leader;
                }
            }
        }
    }
    function.drop_moves_to_themselves();
}

/// The two sides of a move between registers of the register file.
fn moved(function: &Function, inst: &Inst) -> Option<((Reg, u8), (Reg, u8))> {
    if inst.shape.opcode() != "MOV" {
        return None;
    }
    match &inst.operands[..] {
        [to, from, ..] => match (to.op, from.op) {
            (Op::Reg(to, to_lane), Op::Reg(from, from_lane)) => {
                let is_register = |reg| function.data(reg).file == File::Register;
                (is_register(to) && is_register(from)).then_some(((to, to_lane), (from, from_lane)))
            }
            _ => None,
        },
        _ => None,
    }
}

impl<'a> Classes<'a> {
    /// A class for each register that takes part in a move.
    fn of(function: &'a Function, segments: &Segments, takes_part: &[bool]) -> Classes<'a> {
        let (roots, copies) = roots(function);
        let mut members = Vec::with_capacity(function.regs.len());
        let mut held = Vec::with_capacity(function.regs.len());
        let mut all = Vec::with_capacity(function.regs.len());
        let mut first = 0;
        for number in 0..function.regs.len() as u32 {
            let reg = Reg(number);
            members.push(Member {
                leader: reg,
                lane: 0,
            });
            match takes_part[number as usize] {
                true => {
                    all.push(vec![reg]);
                    let lanes = segments.lanes(function, reg).iter().enumerate();
                    let lanes = lanes.map(|(lane, segments)| {
                        let root = roots[first + lane];
                        let copied = |(start, end): (u32, u32)| {
                            let key = ((first + lane) as u32, start);
                            let copy = copies.get(&key).filter(|copy| end <= copy.end);
                            (start, end, copy.map_or(root, |copy| copy.root))
                        };
                        segments.iter().map(|one| copied(*one)).collect()
                    });
                    held.push(lanes.collect());
                }
                false => {
                    all.push(Vec::new());
                    held.push(Vec::new());
                }
            }
            first += usize::from(function.data(reg).lanes);
        }
        Classes {
            function,
            members,
            held,
            all,
        }
    }

    fn of_reg(&self, reg: Reg) -> Member {
        self.members[reg.0 as usize]
    }

    /// Makes two lanes of two leaders one; the leader of both, or nothing if that cannot be.
    fn join(&mut self, a: (Reg, i32), b: (Reg, i32)) -> Option<Reg> {
        let lanes = |reg: Reg| i32::from(self.function.data(reg).lanes);
        let (outer, inner) = match lanes(a.0) >= lanes(b.0) {
            true => (a, b),
            false => (b, a),
        };
        let distance = outer.1 - inner.1;
        let align = i32::from(self.function.data(inner.0).alignment());
        let outer_align = i32::from(self.function.data(outer.0).alignment());
        let fits = distance >= 0
            && distance + lanes(inner.0) <= lanes(outer.0)
            && distance % align == 0
            && outer_align % align == 0;
        if !fits {
            return None;
        }
        let own = &self.held[outer.0.0 as usize];
        let other = &self.held[inner.0.0 as usize];
        let conflicts = (distance as usize..).zip(other);
        if conflicts
            .into_iter()
            .any(|(lane, segments)| meet(&own[lane], segments))
        {
            return None;
        }
        let other = std::mem::take(&mut self.held[inner.0.0 as usize]);
        for (lane, segments) in (distance as usize..).zip(other) {
            let own = &mut self.held[outer.0.0 as usize][lane];
            own.extend(segments);
            own.sort_unstable();
        }
        for reg in std::mem::take(&mut self.all[inner.0.0 as usize]) {
            let member = &mut self.members[reg.0 as usize];
            member.leader = outer.0;
            member.lane += distance;
            self.all[outer.0.0 as usize].push(reg);
        }
        Some(outer.0)
    }
}

/// Whether two lanes are needed at the same time with different values.
fn meet(one: &[Held], other: &[Held]) -> bool {
    let (few, many) = match one.len() <= other.len() {
        true => (one, other),
        false => (other, one),
    };
    // Copies of a value may lie over each other, so that ends are not in order; where there are few, all are looked at.
    few.iter().any(|(start, end, root)| {
        let until = many.partition_point(|one| one.0 < *end);
        many[..until]
            .iter()
            .rev()
            .any(|(_, other_end, other_root)| other_end > start && other_root != root)
    })
}

/// A copy of a value, where a lane holds it that holds others elsewhere.
struct Copied {
    root: u32,
    /// Where its block ends, after which the lane may hold something else that comes there on another way, or where it is
    /// written next.
    end: u32,
}

/// By the number of a lane and the place of a move to it.
type Copies = FxHashMap<(u32, u32), Copied>;

/// For each lane the value that it holds: that of the lane which it is a copy of, where both are values, else its own. For lanes
/// that are no values what moves in a block put there: what a loop begins its next round with is what the last one ended with.
fn roots(function: &Function) -> (Vec<u32>, Copies) {
    let values = Values::of(function);
    let mut roots: Vec<u32> = (0..values.count() as u32).collect();
    for block in values.order().blocks() {
        for inst in &function.blocks[block.index()].insts {
            if inst.guard.is_none()
                && let Some((to, from)) = moved(function, inst)
                && values.is_value(to.0, to.1)
                && values.is_value(from.0, from.1)
            {
                // Blocks come after those that dominate them, so the value of the source is known.
                roots[values.index(to.0, to.1)] = roots[values.index(from.0, from.1)];
            }
        }
    }
    let mut copies = Copies::default();
    let mut begin = 0;
    for block in &function.blocks {
        let end = begin + 2 * block.insts.len() as u32;
        // The last move to each lane.
        let mut last: FxHashMap<u32, u32> = FxHashMap::default();
        for (at, inst) in (begin..).step_by(2).zip(&block.insts) {
            for (reg, lane, lanes) in inst.writes() {
                for number in values.lanes(reg, lane, lanes) {
                    let number = number as u32;
                    let before = last.remove(&number).map(|place| (number, place));
                    if let Some(copy) = before.and_then(|before| copies.get_mut(&before)) {
                        copy.end = at + 1;
                    }
                }
            }
            if inst.guard.is_none()
                && let Some((to, from)) = moved(function, inst)
                && !values.is_value(to.0, to.1)
                && values.is_value(from.0, from.1)
            {
                let number = values.index(to.0, to.1) as u32;
                let root = roots[values.index(from.0, from.1)];
                copies.insert((number, at + 1), Copied { root, end });
                last.insert(number, at + 1);
            }
        }
        begin = end;
    }
    (roots, copies)
}
