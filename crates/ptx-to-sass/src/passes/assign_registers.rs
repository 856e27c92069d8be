//! Virtual registers get registers of the machine.
//!
//! Code is numbered in order: an instruction reads at `2 i` and writes at `2 i + 1`. A virtual register occupies its place
//! in the segments in which one of its lanes is live, with holes between them. Registers of three lanes and more are
//! placed first, then the others in the order of their beginning, each at the lowest place that is free and aligned; a
//! move's two sides try to share one.
//!
//! Registers of the machine that the code names (arguments, results and return addresses of calls) are taken from where
//! they are written to where they are read, and a call takes all that the callee may change. In a function those come
//! first that it need not keep.
//!
//! Uniform registers are kept from other lanes (`assign_registers/sides.rs`).
//!
//! What finds no place is spilled (`passes/spill.rs`), and all is done again.

mod sides;

use crate::abi;
use crate::analysis::liveness::Liveness;
use crate::ir::{File, Function, Inst, Op, Reg};
use warpc_sass::Value;

/// The registers of a file that may be given out.
#[derive(Clone, Debug)]
pub struct Limits {
    /// How many registers a thread may have.
    pub registers: u8,
}

/// For each virtual register the first register of the machine.
pub struct Assignment {
    places: Vec<Option<u8>>,
}

impl Assignment {
    /// The register of the machine of a lane.
    pub fn of(&self, reg: Reg, lane: u8) -> Option<u8> {
        Some(self.places[reg.0 as usize]? + lane)
    }
}

/// Segments of code, from the first number to before the last, in order.
type Segments = Vec<(u32, u32)>;

/// The registers of a file, each with the segments in which it is taken.
struct Taken {
    all: Vec<Vec<(u32, u32, Reg)>>,
}

impl Taken {
    fn new(count: usize) -> Taken {
        Taken {
            all: vec![Vec::new(); count],
        }
    }

    /// Whether a register is free in all of these segments.
    fn is_free(&self, register: usize, wanted: &Segments) -> bool {
        let own = &self.all[register];
        wanted.iter().all(|(start, end)| {
            let next = own.partition_point(|(_, own_end, _)| own_end <= start);
            own.get(next).is_none_or(|(own_start, ..)| own_start >= end)
        })
    }

    fn take(&mut self, register: usize, segments: &Segments, reg: Reg) {
        let own = &mut self.all[register];
        for (start, end) in segments {
            let at = own.partition_point(|one| one.0 < *start);
            own.insert(at, (*start, *end, reg));
        }
    }

    /// Those that are in the way of these segments.
    fn in_the_way<'a>(&'a self, wanted: &'a Segments) -> impl Iterator<Item = Reg> + 'a {
        self.all.iter().flat_map(move |own| {
            wanted.iter().flat_map(move |(start, end)| {
                let first = own.partition_point(|(_, own_end, _)| own_end <= start);
                let rest = own[first..].iter();
                rest.take_while(move |one| one.0 < *end).map(|one| one.2)
            })
        })
    }

    fn release(&mut self, reg: Reg) {
        for own in &mut self.all {
            own.retain(|one| one.2 != reg);
        }
    }
}

/// The uniform registers that are kept for the descriptor of global memory.
const KEPT_UNIFORM: [u8; 2] = [crate::build::DESCRIPTOR, crate::build::DESCRIPTOR + 1];

/// The register of the stack.
const STACK: u8 = 1;

/// Whether a register of the machine may be given out.
fn is_available(function: &Function, file: File, number: u8) -> bool {
    match file {
        File::Register => number != STACK && number != function.frame_base,
        File::Uniform => !KEPT_UNIFORM.contains(&number),
        _ => true,
    }
}

fn count(function: &Function, file: File, limits: &Limits) -> usize {
    match file {
        // What a function would have to keep, it does not use.
        File::Uniform if !function.is_kernel => usize::from(abi::KEPT_UNIFORM),
        File::Barrier if !function.is_kernel => usize::from(abi::KEPT_BARRIER),
        File::Register => usize::from(limits.registers),
        File::Predicate | File::UniformPredicate => 7,
        File::Uniform => 63,
        File::Barrier => 16,
    }
}

const FILES: [File; 5] = [
    File::Register,
    File::Predicate,
    File::Uniform,
    File::UniformPredicate,
    File::Barrier,
];

/// Gives places to all virtual registers; else those that are to be spilled. `kept` says which must not be.
///
/// Where one finds no place, the one that is live for longest goes, of it and of those in its way.
pub fn assign(function: &Function, limits: &Limits, kept: &[bool]) -> Result<Assignment, Vec<Reg>> {
    let segments = segments(function);
    let length = |reg: Reg| -> u32 {
        let own = &segments[reg.0 as usize];
        own.iter().map(|(start, end)| end - start).sum()
    };
    let is_kept = |reg: Reg| kept.get(reg.0 as usize).copied().unwrap_or(false);
    let friends = friends(function);
    let hints = hints(function);
    let mut places: Vec<Option<u8>> = vec![None; function.regs.len()];
    let mut without = Vec::new();
    for file in FILES {
        let mut taken = Taken::new(count(function, file, limits));
        take_named(function, file, &mut taken);
        let numbers = preferred(function, file, taken.all.len());
        let mut order: Vec<u32> = (0..function.regs.len() as u32)
            .filter(|reg| function.regs[*reg as usize].file == file)
            .filter(|reg| !segments[*reg as usize].is_empty())
            .collect();
        order.sort_by_key(|reg| {
            let lanes = function.regs[*reg as usize].lanes;
            (lanes < 3, segments[*reg as usize][0].0, *reg)
        });
        for reg in order {
            let data = function.regs[reg as usize];
            let (lanes, align) = (usize::from(data.lanes), usize::from(data.alignment()));
            let wanted = &segments[reg as usize];
            let reg = Reg(reg);
            loop {
                let fits = |base: usize| {
                    base.is_multiple_of(align)
                        && base + lanes <= taken.all.len()
                        && (base..base + lanes).all(|one| {
                            is_available(function, file, one as u8) && taken.is_free(one, wanted)
                        })
                };
                let friends = friends[reg.0 as usize].iter();
                let mut friends = friends.filter_map(|(other, distance)| {
                    let place = i32::from(places[other.0 as usize]?) + i32::from(*distance);
                    usize::try_from(place).ok()
                });
                let named = hints[reg.0 as usize].iter().copied();
                let found = friends.find(|place| fits(*place));
                let found = found.or_else(|| named.into_iter().find(|place| fits(*place)));
                let mut all = numbers.iter().copied();
                if let Some(base) = found.or_else(|| all.find(|base| fits(*base))) {
                    places[reg.0 as usize] = Some(base as u8);
                    for one in base..base + lanes {
                        taken.take(one, wanted, reg);
                    }
                    break;
                }
                let others = taken.in_the_way(wanted).chain([reg]);
                let victim = others
                    .filter(|one| *one != NAMED && !is_kept(*one))
                    .max_by_key(|one| (length(*one), one.0));
                // Where none may go, there is nothing left to try, and the caller sees it.
                let victim = victim.unwrap_or(reg);
                without.push(victim);
                if victim == reg {
                    break;
                }
                places[victim.0 as usize] = None;
                taken.release(victim);
            }
        }
    }
    match without.is_empty() {
        true => Ok(Assignment { places }),
        false => Err(without),
    }
}

/// Stands for what the code names itself.
const NAMED: Reg = Reg(u32::MAX);

/// The numbers of a file in the order in which they are tried.
fn preferred(function: &Function, file: File, count: usize) -> Vec<usize> {
    let mut all: Vec<usize> = (0..count).collect();
    if !function.is_kernel {
        all.sort_by_key(|number| (abi::is_kept(file, *number as u8), *number));
    }
    all
}

/// A register of the machine that the code names itself.
#[derive(Clone, Copy)]
enum Named {
    /// Nothing is known to be in it.
    Free,
    /// A caller or callee has put something there, which may be read.
    Given(u32),
    /// It was written for a call or a return.
    Written(u32),
}

/// Takes the registers that the code names, and at calls all that a callee may change.
fn take_named(function: &Function, file: File, taken: &mut Taken) {
    let mut at = 0;
    let mut all = vec![Named::Free; taken.all.len()];
    let mut is_after_call = false;
    if !function.is_kernel && file == File::Register {
        // What a function is passed is there from its beginning on.
        all.fill(Named::Given(0));
        is_after_call = true;
    }
    for block in &function.blocks {
        if !std::mem::take(&mut is_after_call) {
            all.fill(Named::Free);
        }
        for inst in &block.insts {
            if file == File::Register {
                for register in named(inst, function.frame_base, false) {
                    close(taken, &all, register, at + 1);
                }
                for register in named(inst, function.frame_base, true) {
                    if let Some(one) = all.get_mut(usize::from(register)) {
                        *one = Named::Written(at + 1);
                    }
                    close(taken, &all, register, at + 2);
                }
            }
            is_after_call = inst.shape.opcode() == "CALL";
            if is_after_call || inst.shape.opcode() == "RET" {
                for register in 0..taken.all.len() {
                    let number = register as u8;
                    if let Named::Written(_) = all[register] {
                        close(taken, &all, number, at + 1);
                    }
                    all[register] = Named::Free;
                    let keeps = file == File::Uniform && KEPT_UNIFORM.contains(&number);
                    if is_after_call && !abi::is_kept(file, number) && !keeps {
                        all[register] = Named::Given(at + 1);
                        close(taken, &all, number, at + 2);
                    }
                }
            }
            at += 2;
        }
    }
}

/// Takes a register from where it was written until now.
fn close(taken: &mut Taken, all: &[Named], register: u8, until: u32) {
    let register = usize::from(register);
    let Some(Named::Given(since) | Named::Written(since)) = all.get(register).copied() else {
        return;
    };
    let own = &mut taken.all[register];
    // It may be read more than once.
    match own.last_mut() {
        Some(last) if last.0 <= since && since <= last.1 => last.1 = last.1.max(until),
        _ => own.push((since, until, NAMED)),
    }
}

/// The registers that an instruction names itself and reads or writes, but for the stack.
fn named(inst: &Inst, base: u8, written: bool) -> impl Iterator<Item = u8> + '_ {
    let slots = inst.shape.slots().iter().zip(&inst.operands);
    let slots = slots.filter(move |(slot, _)| slot.is_written() == written);
    slots.flat_map(move |(slot, operand)| {
        let (first, width) = match operand.op {
            Op::Value(Value::Register(first)) if ![STACK, base, 255].contains(&first) => {
                (first, slot.width.registers(u128::MAX).max(1))
            }
            _ => (0, 0),
        };
        first..first + width
    })
}

/// For each register those that it is moved from or to, and how far from theirs its place would be.
fn friends(function: &Function) -> Vec<smallvec::SmallVec<[(Reg, i8); 2]>> {
    let mut all = vec![smallvec::SmallVec::new(); function.regs.len()];
    for inst in function.blocks.iter().flat_map(|block| &block.insts) {
        if inst.shape.opcode() != "MOV" {
            continue;
        }
        if let [to, from, ..] = &inst.operands[..]
            && let (Op::Reg(to, to_lane), Op::Reg(from, from_lane)) = (to.op, from.op)
            && function.data(to).file == function.data(from).file
        {
            let distance = from_lane as i8 - to_lane as i8;
            all[to.0 as usize].push((from, distance));
            all[from.0 as usize].push((to, -distance));
        }
    }
    all
}

/// For each register the places of those that the code names and that it is moved from or to.
fn hints(function: &Function) -> Vec<smallvec::SmallVec<[usize; 1]>> {
    let mut all = vec![smallvec::SmallVec::new(); function.regs.len()];
    for inst in function.blocks.iter().flat_map(|block| &block.insts) {
        let [to, from, ..] = &inst.operands[..] else {
            continue;
        };
        if inst.shape.opcode() != "MOV" {
            continue;
        }
        let ((Op::Reg(reg, lane), Op::Value(Value::Register(number)))
        | (Op::Value(Value::Register(number)), Op::Reg(reg, lane))) = (to.op, from.op)
        else {
            continue;
        };
        let place = usize::from(number).checked_sub(lane.into());
        if let Some(place) = place.filter(|_| number < 255) {
            all[reg.0 as usize].push(place);
        }
    }
    all
}

/// The segments of each register.
fn segments(function: &Function) -> Vec<Segments> {
    let liveness = Liveness::of(function);
    let mut starts = Vec::with_capacity(function.blocks.len());
    let mut at = 0u32;
    for block in &function.blocks {
        starts.push(at);
        at += block.insts.len() as u32;
    }
    let mut all: Vec<Segments> = vec![Vec::new(); function.regs.len()];
    // The lanes of each register that are live, and where that ends.
    let mut live: Vec<(u128, u32)> = vec![(0, 0); function.regs.len()];
    let mut open: Vec<Reg> = Vec::new();
    // Backwards, so that segments come in the opposite order.
    for block in function.block_ids().rev() {
        let insts = &function.blocks[block.index()].insts;
        let start = starts[block.index()];
        let end = 2 * (start + insts.len() as u32);
        for (reg, lane) in liveness.out(block) {
            let own = &mut live[reg.0 as usize];
            if own.0 == 0 {
                own.1 = end;
                open.push(reg);
            }
            own.0 |= 1 << lane;
        }
        for (index, inst) in insts.iter().enumerate().rev() {
            let at = 2 * (start + index as u32);
            for (reg, lane, lanes) in inst.writes() {
                let own = &mut live[reg.0 as usize];
                if own.0 == 0 {
                    // What nobody reads is written all the same.
                    all[reg.0 as usize].push((at + 1, at + 2));
                    continue;
                }
                if inst.guard.is_none() {
                    own.0 &= !mask(lane, lanes);
                    if own.0 == 0 {
                        let end = own.1;
                        all[reg.0 as usize].push((at + 1, end));
                    }
                }
            }
            let last = at + 1 + u32::from(reads_again(inst));
            for (reg, lane, lanes) in inst.reads() {
                let own = &mut live[reg.0 as usize];
                if own.0 == 0 {
                    own.1 = last;
                    open.push(reg);
                }
                own.0 |= mask(lane, lanes);
            }
        }
        for reg in open.drain(..) {
            let own = &mut live[reg.0 as usize];
            if own.0 != 0 {
                all[reg.0 as usize].push((2 * start, own.1));
                own.0 = 0;
            }
        }
    }
    sides::widen(function, &liveness, &starts, &mut all);
    for segments in &mut all {
        join(segments);
    }
    all
}

/// Whether an instruction may read its operands again after it has written its result for some lanes: the result is in
/// none of their registers. Source: an H200 lost updates where the result of a spinning compare-and-swap was where the
/// compared value is; ptxas does that once in 446 of them.
fn reads_again(inst: &Inst) -> bool {
    inst.shape.has("SPIN")
}

fn mask(lane: u8, lanes: u8) -> u128 {
    ((1u128 << lanes.min(127)) - 1) << lane.min(127)
}

/// Puts segments in order, and those that touch each other together.
fn join(segments: &mut Segments) {
    segments.sort_unstable();
    segments.dedup_by(|next, before| {
        let touches = next.0 <= before.1;
        if touches {
            before.1 = before.1.max(next.1);
        }
        touches
    });
}
