//! Control words: when each instruction may be issued, and what it waits for.
//!
//! Instructions stay in their order. In a block, cycles are counted: an instruction waits until what it reads and writes
//! is there, by the latencies of [`Facts`]; at the end of a block all fixed latencies have passed. Results without a fixed
//! latency raise a scoreboard, and so do operands that are read late; which registers wait for which scoreboards is
//! followed forwards over the whole code until nothing changes.

use crate::emit::Code;
use smallvec::SmallVec;
use warpc_sass::latency::{Effects, Facts, File, Hazard, LONGEST_STALL, Need, RAISED_AFTER, Use};
use warpc_sass::shape::Traits;
use warpc_sass::{Control, Inst, Shape};

/// One instruction at a time: no stall and yield, as `ptxas -G` writes it.
pub fn serial(code: &mut Code) {
    for inst in &mut code.insts {
        inst.control = Control::UNSCHEDULED;
    }
}

/// The scoreboards for results; the last one is for operands that are read late.
const RESULT_BOARDS: u8 = 5;
const OPERAND_BOARD: u8 = 5;
/// The longest stall that an instruction can have and still keep the warp.
const LONGEST_KEPT: u8 = 11;
/// Instructions that are done before the next one is issued. Source: ptxas writes no other control word for `ERRBAR`, and
/// hardly another one for `WARPSYNC`.
const ALONE: [&str; 2] = ["ERRBAR", "WARPSYNC"];
/// Cycles after a barrier of the block before another instruction sees what the barrier waited for: until then it has not
/// blocked the warp. Source: ptxas stalls so long where a memory access follows.
const AFTER_BARRIER: u8 = 6;
/// A distance after which no fixed latency matters.
const FAR: u32 = 64;

/// What registers wait for, by [`unit`].
#[derive(Clone, PartialEq, Eq)]
struct Boards {
    /// Scoreboards that results of each register raise.
    results: Vec<u8>,
    /// Scoreboards that readers of each register raise.
    operands: Vec<u8>,
}

impl Boards {
    fn new() -> Boards {
        Boards {
            results: vec![0; UNITS],
            operands: vec![0; UNITS],
        }
    }

    fn release(&mut self, boards: u8) {
        if boards != 0 {
            self.results.iter_mut().for_each(|one| *one &= !boards);
            self.operands.iter_mut().for_each(|one| *one &= !boards);
        }
    }

    fn add(&mut self, other: &Boards) -> bool {
        let mut changed = false;
        let pairs = self.results.iter_mut().zip(&other.results);
        for (own, one) in pairs.chain(self.operands.iter_mut().zip(&other.operands)) {
            changed |= one & !*own != 0;
            *own |= one;
        }
        changed
    }
}

/// All registers and predicates, numbered.
const UNITS: usize = 256 + 8 + 256 + 8;

fn unit(file: File, number: u8) -> usize {
    let number = usize::from(number);
    match file {
        File::Register => number,
        File::Predicate => 256 + number,
        File::Uniform => 264 + number,
        File::UniformPredicate => 520 + number,
    }
}

/// An instruction as the scheduler sees it.
struct Line {
    effects: Effects,
    uses: SmallVec<[(Use, u8); 8]>,
    /// The scoreboards that it raises for results and operands; 7 is none.
    result: u8,
    operand: u8,
    /// Whether it goes to another function.
    leaves: bool,
}

/// Writes the control words; nothing if an instruction's pipe is not known.
pub fn schedule(code: &mut Code, facts: &'static Facts) -> Option<()> {
    let mut lines = Vec::with_capacity(code.insts.len());
    let mut next = 0;
    for inst in &code.insts {
        lines.push(line(inst, facts, &mut next)?);
    }
    let waits = waits(code, &lines);
    let ends = block_ends(code);
    for (inst, (line, wait)) in code.insts.iter_mut().zip(lines.iter().zip(&waits)) {
        inst.control = Control {
            stall: 1,
            keep: true,
            write: line.result,
            read: line.operand,
            wait: *wait,
            reuse: 0,
        };
    }
    let mut start = 0;
    for end in ends {
        stalls(&mut code.insts[start..end], &lines[start..end], facts);
        start = end;
    }
    Some(())
}

/// Where blocks end: the numbers of the instructions after them. A branch ends a block, too.
fn block_ends(code: &Code) -> Vec<usize> {
    let count = code.insts.len();
    let mut ends: Vec<usize> = code.starts.iter().map(|start| *start as usize).collect();
    ends.push(count);
    ends.retain(|end| *end > 0);
    ends.sort_unstable();
    ends.dedup();
    ends
}

fn line(inst: &Inst, facts: &'static Facts, next: &mut u8) -> Option<Line> {
    let pipe = inst.shape.pipe()?;
    let effects = Effects::of(inst);
    let mut uses: SmallVec<[(Use, u8); 8]> = SmallVec::new();
    for access in &effects.accesses {
        for (index, number) in access.numbers().enumerate() {
            let one = Use {
                pipe,
                access: *access,
                index: index as u8,
            };
            uses.push((one, number));
        }
    }
    let writes = uses.iter().any(|(one, _)| one.access.is_write());
    let late = uses
        .iter()
        .any(|(one, _)| !one.access.is_write() && facts.reads_late(*one));
    let (can_write, can_read) = boards_of(inst.shape);
    let result = match inst.shape.is_variable() && writes && can_write {
        true => {
            *next = (*next + 1) % RESULT_BOARDS;
            *next
        }
        false => 7,
    };
    let operand = if late && can_read { OPERAND_BOARD } else { 7 };
    Some(Line {
        effects,
        uses,
        result,
        operand,
        leaves: matches!(inst.shape.opcode(), "CALL" | "RET"),
    })
}

/// Whether a shape can raise a scoreboard for its result, and for its operands.
fn boards_of(shape: &'static Shape) -> (bool, bool) {
    (
        !shape.has_no_result_scoreboard(),
        !shape.has_no_operand_scoreboard(),
    )
}

/// The scoreboards that each instruction waits for.
fn waits(code: &Code, lines: &[Line]) -> Vec<u8> {
    let blocks = blocks(code);
    let mut ins = vec![Boards::new(); blocks.len()];
    let mut waiting = vec![true; blocks.len()];
    let mut work: Vec<usize> = (0..blocks.len()).rev().collect();
    let mut waits = vec![0; lines.len()];
    while let Some(number) = work.pop() {
        waiting[number] = false;
        let block = &blocks[number];
        let mut state = ins[number].clone();
        for at in block.start..block.end {
            waits[at] = step(&mut state, &lines[at]);
        }
        for next in &block.next {
            if ins[*next].add(&state) && !waiting[*next] {
                waiting[*next] = true;
                work.push(*next);
            }
        }
    }
    waits
}

/// What an instruction waits for, and what is outstanding after it.
fn step(state: &mut Boards, line: &Line) -> u8 {
    let mut wait = 0;
    if line.leaves {
        // Another function begins, or goes on, and knows of nothing outstanding.
        let all = state.results.iter().chain(&state.operands);
        wait = all.fold(0, |boards, one| boards | one);
    }
    for (one, number) in &line.uses {
        let at = unit(one.access.file, *number);
        wait |= state.results[at];
        if one.access.is_write() {
            wait |= state.operands[at];
        }
    }
    state.release(wait);
    for (one, number) in &line.uses {
        let at = unit(one.access.file, *number);
        match one.access.is_write() {
            true if line.result < 7 => state.results[at] |= 1 << line.result,
            false if line.operand < 7 => state.operands[at] |= 1 << line.operand,
            _ => {}
        }
    }
    wait
}

/// A block of the code and where it leads.
struct Block {
    start: usize,
    end: usize,
    next: SmallVec<[usize; 2]>,
}

fn blocks(code: &Code) -> Vec<Block> {
    let ends = block_ends(code);
    let mut starts: Vec<usize> = vec![0];
    starts.extend(&ends);
    let find = |inst: u32| starts.partition_point(|start| *start <= inst as usize) - 1;
    let mut all = Vec::new();
    for (number, end) in ends.iter().enumerate() {
        let start = starts[number];
        let mut next: SmallVec<[usize; 2]> = SmallVec::new();
        let last = end.checked_sub(1).and_then(|last| code.insts.get(last));
        let mut falls = true;
        if let Some(last) = last.filter(|_| *end > start) {
            let target = last
                .operands
                .iter()
                .find_map(|operand| match operand.value {
                    warpc_sass::Value::Label(block) => Some(code.starts[block as usize]),
                    _ => None,
                });
            if last.shape.opcode() == "BRA" {
                next.extend(target.map(find).filter(|to| *to < ends.len()));
            }
            let always = last.guard == warpc_sass::Guard::ALWAYS;
            falls = !(always && last.shape.traits().contains(Traits::TERMINATES));
        }
        if falls && number + 1 < ends.len() && !next.contains(&(number + 1)) {
            next.push(number + 1);
        }
        all.push(Block {
            start,
            end: *end,
            next,
        });
    }
    all
}

/// A use of a register, and when it was issued.
#[derive(Clone, Copy)]
struct Event {
    one: Use,
    number: u8,
    cycle: u32,
    guarded: bool,
}

/// The stall counts of a block.
fn stalls(insts: &mut [Inst], lines: &[Line], facts: &'static Facts) {
    let mut recent: Vec<Event> = Vec::new();
    let mut cycle = 0u32;
    for at in 0..insts.len() {
        let line = &lines[at];
        let mut ready = cycle;
        for event in &recent {
            for (one, number) in &line.uses {
                if one.access.file != event.one.access.file || *number != event.number {
                    continue;
                }
                let hazard = match (event.one.access.is_write(), one.access.is_write()) {
                    (true, false) => Hazard::ReadAfterWrite,
                    (true, true) => Hazard::WriteAfterWrite,
                    (false, true) => Hazard::WriteAfterRead,
                    (false, false) => continue,
                };
                if let Some(Need::Cycles(cycles)) =
                    facts.need(hazard, event.one, *one, event.guarded)
                {
                    ready = ready.max(event.cycle + u32::from(cycles));
                }
            }
        }
        if at > 0 {
            lengthen(&mut insts[at - 1], ready - cycle);
        }
        cycle = ready;
        recent.retain(|event| cycle - event.cycle < FAR);
        for (one, number) in &line.uses {
            recent.push(Event {
                one: *one,
                number: *number,
                cycle,
                guarded: line.effects.guarded,
            });
        }
        let inst = &mut insts[at];
        let mut least = inst.shape.least_stall().max(1);
        if inst.shape.traits().contains(Traits::BLOCK_BARRIER) {
            least = least.max(AFTER_BARRIER);
        }
        if inst.control.write < 6 || inst.control.read < 6 {
            // Whoever comes next may wait for it.
            least = least.max(RAISED_AFTER);
        }
        set_stall(inst, least);
        cycle += u32::from(inst.control.stall);
        if ALONE.contains(&inst.shape.opcode()) {
            alone(inst);
        }
    }
    // At the end of a block everything is there, whoever comes next.
    let mut end = cycle;
    for event in recent.iter().filter(|event| event.one.access.is_write()) {
        let (file, pipe) = (event.one.access.file, event.one.pipe);
        if facts.is_variable(pipe) {
            continue;
        }
        for hazard in [Hazard::ReadAfterWrite, Hazard::WriteAfterWrite] {
            let most = facts.cycles(file, hazard, pipe).map_or(0, |(_, most)| most);
            end = end.max(event.cycle + u32::from(most));
        }
    }
    if let Some(last) = insts.last_mut() {
        lengthen(last, end - cycle);
    }
}

/// Waits for more cycles after an instruction.
fn lengthen(inst: &mut Inst, cycles: u32) {
    if inst.control.stall == 0 {
        return;
    }
    let stall = u32::from(inst.control.stall) + cycles;
    match u8::try_from(stall) {
        Ok(stall) if stall <= LONGEST_STALL => set_stall(inst, stall),
        // It is done before the next one is issued.
        _ => alone(inst),
    }
}

/// Nothing is issued before it is done.
fn alone(inst: &mut Inst) {
    inst.control.stall = 0;
    inst.control.keep = false;
}

fn set_stall(inst: &mut Inst, stall: u8) {
    inst.control.stall = stall;
    inst.control.keep = stall <= LONGEST_KEPT;
}
