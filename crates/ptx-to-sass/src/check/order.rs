//! Whether instructions that were moved inside blocks still see what they saw.
//!
//! The judge takes the IR before and after an order was chosen, and knows nothing of how. In each block
//!
//! 1. *the instructions are the same* ([`What::Others`]), those that are equal in any order;
//! 2. *every read sees the write that it saw before, and every register leaves the block with the write that it left it
//!    with* ([`What::Value`]): a write under a guard also reads, because it leaves what was there;
//! 3. *accesses to memory stay on their side of fences, barriers, calls, and whatever else makes threads wait*
//!    ([`What::Order`]): loads after an acquire do not come before the `CCTL.IVALL` or the strong load, stores before a
//!    release not after its `MEMBAR`;
//! 4. *strong accesses and atomic operations keep the order with all accesses* that other threads may see
//!    ([`What::Order`]), but for loads of what nobody writes (`LDG.CONSTANT`);
//! 5. *a store keeps the order with every access that may be to the same place* ([`What::Order`]);
//! 6. *accesses to shared memory that are not weak keep the order with all of shared memory* ([`What::Order`]), but for loads
//!    among each other where no load may read what another thread tells.

use crate::ir::{Function, Inst, Op};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::fmt;
use warpc_sass::Value;
use warpc_sass::operand::Marks;
use warpc_sass::shape::{Access, Shape, Space, Traits};

/// Something that is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The block.
    pub block: usize,
    /// The instruction of the block before it was moved.
    pub at: usize,
    /// What is wrong with it.
    pub what: What,
}

/// What is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// It is not there, or there is another one.
    Others,
    /// It sees another value of a register, or the block leaves another one.
    Value,
    /// It changed places with another one, and memory may tell.
    Order {
        /// The other instruction, as `at`.
        with: usize,
    },
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "block {}, instruction {}: ", self.block, self.at)?;
        match self.what {
            What::Others => write!(f, "the block has other instructions"),
            What::Value => write!(f, "it sees another value"),
            What::Order { with } => {
                write!(f, "memory may tell that it changed places with {with}")
            }
        }
    }
}

/// The findings in code whose blocks were put in order.
pub fn check(before: &Function, after: &Function) -> Vec<Finding> {
    let mut found = Vec::new();
    if before.blocks.len() != after.blocks.len() {
        found.push(Finding {
            block: 0,
            at: 0,
            what: What::Others,
        });
        return found;
    }
    let listens = before.listens_in_shared;
    for (block, (old, new)) in before.blocks.iter().zip(&after.blocks).enumerate() {
        let mut report = |at: usize, what: What| found.push(Finding { block, at, what });
        if old == new {
            continue;
        }
        match matched(&old.insts, &new.insts) {
            Err(at) => report(at, What::Others),
            Ok(order) => {
                values(&old.insts, &order, &mut report);
                memory(&old.insts, &order, listens, &mut report);
            }
        }
    }
    found
}

/// The numbers of instructions in their new order; the error is one that is not there.
fn matched(old: &[Inst], new: &[Inst]) -> Result<Vec<usize>, usize> {
    let key = |inst: &Inst| (inst.span.start, std::ptr::from_ref(inst.shape));
    let mut left: FxHashMap<(u32, *const Shape), SmallVec<[usize; 2]>> = FxHashMap::default();
    for (at, inst) in old.iter().enumerate() {
        left.entry(key(inst)).or_default().push(at);
    }
    let mut order = Vec::with_capacity(new.len());
    for (at, inst) in new.iter().enumerate() {
        let own = left.get_mut(&key(inst)).ok_or(at)?;
        let found = own.iter().position(|one| old[*one] == *inst).ok_or(at)?;
        order.push(own.remove(found));
    }
    match left.values().flatten().min() {
        Some(missing) => Err(*missing),
        None => Ok(order),
    }
}

/// A lane of a virtual register, or a register of the machine.
type Lane = (bool, u32, u8);

fn lanes(inst: &Inst, written: bool) -> SmallVec<[Lane; 8]> {
    let mut all: SmallVec<[Lane; 8]> = SmallVec::new();
    let mut add = |(reg, lane, count): (crate::ir::Reg, u8, u8)| {
        all.extend((0..count).map(|one| (false, reg.0, lane.saturating_add(one))));
    };
    match written {
        true => inst.writes().for_each(&mut add),
        false => inst.reads().for_each(&mut add),
    }
    let slots = inst.shape.slots().iter().zip(&inst.operands);
    for (slot, operand) in slots.filter(|one| one.0.is_written() == written) {
        let count = slot.width.registers(u128::MAX).max(1);
        let (kind, first) = match operand.op {
            Op::Value(Value::Register(first @ 0..=254)) => (0, first),
            Op::Value(Value::Predicate(first @ 0..=6)) => (1, first),
            Op::Value(Value::Uniform(first @ 0..=254)) => (2, first),
            Op::Value(Value::UniformPredicate(first @ 0..=6)) => (3, first),
            _ => continue,
        };
        all.extend((0..count).map(|one| (true, kind, first.saturating_add(one))));
    }
    all
}

/// For each instruction who wrote what it reads, in the order that is given; and who wrote what the block leaves.
type Seen = (Vec<SmallVec<[Option<usize>; 4]>>, FxHashMap<Lane, usize>);

fn seen(insts: &[Inst], order: impl Iterator<Item = usize>) -> Seen {
    let mut all = vec![SmallVec::new(); insts.len()];
    let mut writers: FxHashMap<Lane, usize> = FxHashMap::default();
    for at in order {
        let inst = &insts[at];
        let written = lanes(inst, true);
        let mut read = lanes(inst, false);
        if inst.guard.is_some() {
            read.extend(written.iter().copied());
        }
        all[at] = read.iter().map(|lane| writers.get(lane).copied()).collect();
        writers.extend(written.into_iter().map(|lane| (lane, at)));
    }
    (all, writers)
}

fn values(insts: &[Inst], order: &[usize], report: &mut dyn FnMut(usize, What)) {
    let (old, left) = seen(insts, 0..insts.len());
    let (new, left_now) = seen(insts, order.iter().copied());
    for (at, _) in old
        .iter()
        .zip(&new)
        .enumerate()
        .filter(|(_, one)| one.0 != one.1)
    {
        report(at, What::Value);
    }
    for (_, at) in left
        .iter()
        .filter(|(lane, at)| left_now.get(lane) != Some(at))
    {
        report(*at, What::Value);
    }
}

/// What an instruction is to memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// Nothing passes it.
    Wall,
    /// Other accesses do not pass it.
    Strong,
    Store,
    Load,
    /// A load of what nobody writes.
    Constant,
}

/// Makes of accesses to memory that other threads are told by; weak ones have none of them.
const STRONG: &[&str] = &["STRONG", "MMIO"];

fn kind(inst: &Inst) -> Option<Kind> {
    let (shape, memory) = (inst.shape, inst.shape.memory());
    let control = Traits::BRANCHES
        | Traits::CALLS
        | Traits::EXITS
        | Traits::BLOCK_BARRIER
        | Traits::WAITS_FOR_SCOREBOARDS
        | Traits::WAITS_FOR_GROUP;
    if shape.traits().intersects(control)
        || memory.access.contains(Access::ORDER)
        || matches!(
            shape.opcode(),
            "WARPSYNC" | "BSSY" | "BREAK" | "ENDCOLLECTIVE"
        )
        || matches!(memory.space, Space::Several | Space::Tensor) && shape.opcode() != "LDGSTS"
    {
        return Some(Kind::Wall);
    }
    // A copy of a thread reads one memory and writes another.
    let is_strong = inst.acquires
        || memory.space == Space::Several
        || memory.access.contains(Access::ATOMIC)
        || STRONG.iter().any(|modifier| shape.has(modifier));
    match memory.space {
        Space::None | Space::Constant => None,
        Space::Local | Space::Texture if memory.access == Access::READ => Some(Kind::Load),
        _ if is_strong => Some(Kind::Strong),
        _ if memory.access.contains(Access::WRITE) => Some(Kind::Store),
        _ if shape.has("CONSTANT") => Some(Kind::Constant),
        _ => Some(Kind::Load),
    }
}

fn memory(insts: &[Inst], order: &[usize], listens: bool, report: &mut dyn FnMut(usize, What)) {
    let mut places = vec![0; insts.len()];
    for (place, at) in order.iter().enumerate() {
        places[*at] = place;
    }
    let all: Vec<(usize, Kind)> = (insts.iter().enumerate())
        .filter_map(|(at, inst)| Some((at, kind(inst)?)))
        .collect();
    // Who comes first in the new order of those from here on: before that, nobody has passed.
    let mut least = vec![usize::MAX; all.len() + 1];
    for (index, (at, _)) in all.iter().enumerate().rev() {
        least[index] = places[*at].min(least[index + 1]);
    }
    for (index, (one, first)) in all.iter().enumerate() {
        if least[index + 1] > places[*one] {
            continue;
        }
        for (other, second) in &all[index + 1..] {
            let passed = places[*other] < places[*one];
            if passed && must_stay(insts, (*one, *first), (*other, *second), listens) {
                report(*other, What::Order { with: *one });
            }
        }
    }
}

/// Whether two instructions, in this order, must not change places.
fn must_stay(insts: &[Inst], one: (usize, Kind), other: (usize, Kind), listens: bool) -> bool {
    let (first, second) = (&insts[one.0], &insts[other.0]);
    let spaces = [first, second].map(|inst| inst.shape.memory().space);
    let is_local = spaces.contains(&Space::Local);
    let is_told = spaces == [Space::Shared; 2] && !(first.is_weak() && second.is_weak());
    match (one.1, other.1) {
        (Kind::Wall, _) | (_, Kind::Wall) => true,
        (Kind::Constant, _) | (_, Kind::Constant) => false,
        (Kind::Strong, _) | (_, Kind::Strong) if !is_local => true,
        (Kind::Load, Kind::Load) => listens && is_told,
        _ if is_told => true,
        _ => {
            let anywhere = spaces.contains(&Space::Generic);
            (spaces[0] == spaces[1] || anywhere) && !are_apart(insts, one.0, other.0)
        }
    }
}

/// The address of an access: a register with a number, and how many bytes there are at most.
fn address(inst: &Inst) -> Option<((Op, Marks), i64, i64)> {
    let slots = inst.shape.slots().iter().zip(&inst.operands);
    let mut base = None;
    let mut offset = 0;
    for (_, operand) in slots.filter(|one| one.0.in_address) {
        match operand.op {
            Op::Value(Value::Number(number)) => offset = number,
            Op::Value(Value::Uniform(_)) | Op::Value(Value::Register(255)) => {}
            op if base.is_none() => base = Some((op, operand.marks)),
            _ => return None,
        }
    }
    let has = |names: &[&str]| names.iter().any(|name| inst.shape.has(name));
    let bytes = match () {
        () if has(&["128"]) => 16,
        () if has(&["64"]) => 8,
        () if has(&["U16", "S16"]) => 2,
        () if has(&["U8", "S8"]) => 1,
        () => 4,
    };
    Some((base?, offset, bytes))
}

/// Whether two accesses have the same register in their addresses and no byte in common.
fn are_apart(insts: &[Inst], one: usize, other: usize) -> bool {
    let (Some(first), Some(second)) = (address(&insts[one]), address(&insts[other])) else {
        return false;
    };
    let is_kept = || {
        // What is stored may change; the address may not.
        let in_address = |lane: &Lane| match first.0.0 {
            Op::Reg(reg, _) => !lane.0 && lane.1 == reg.0,
            // One register, or a pair.
            Op::Value(Value::Register(number)) => {
                (lane.0, lane.1) == (true, 0) && lane.2.wrapping_sub(number) < 2
            }
            _ => true,
        };
        let mut own: SmallVec<[Lane; 8]> = lanes(&insts[one], false);
        own.retain(|lane| in_address(lane));
        let mut between = insts[one..other].iter();
        !between.any(|inst| lanes(inst, true).iter().any(|lane| own.contains(lane)))
    };
    insts[one].shape.memory().space == insts[other].shape.memory().space
        && first.0 == second.0
        && (first.1 + first.2 <= second.1 || second.1 + second.2 <= first.1)
        && is_kept()
}
