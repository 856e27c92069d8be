//! Control words: when each instruction may be issued, and what it waits for.
//!
//! Instructions stay in their order. Cycles are counted: an instruction waits until what it reads and writes is there, by
//! the latencies of [`Facts`]. What is not there at the end of a block is so at the beginning of those that follow: first
//! each block is counted for itself, which is the least that it takes; with that, what may be outstanding where is
//! followed forwards until nothing changes; then the blocks are counted again.
//!
//! What is seldom executed ends when all that it has begun is done: nobody else waits for it.
//!
//! Results without a fixed latency raise a scoreboard, and so do operands that are read late; which registers wait for
//! which scoreboards is followed forwards over the whole code, too. A result gets a scoreboard that nothing is waited for
//! by, else the one whose results are needed at about the same time.

use crate::emit::Code;
use smallvec::SmallVec;
use warpc_sass::latency::{
    Effects, Facts, File, Hazard, LONGEST_STALL, Need, Pipe, Port, RAISED_AFTER, Use,
};
use warpc_sass::shape::{Space, Traits};
use warpc_sass::{Control, Inst, Shape};

/// One instruction at a time: no stall and yield, as `ptxas -G` writes it.
pub fn serial(code: &mut Code) {
    for inst in &mut code.insts {
        inst.control = Control::UNSCHEDULED;
        match inst.shape.opcode() {
            _ if !ends_group(inst.shape) => {}
            BULK_GROUP => inst.control.read = GROUP_BOARD,
            _ => inst.control.write = GROUP_BOARD,
        }
    }
}

/// How many scoreboards there are. The last one is for operands that are read late, where a block has such.
const BOARDS: u8 = 6;
const OPERAND_BOARD: u8 = 5;
/// The scoreboard that counts groups of asynchronous copies: `DEPBAR.LE` names it. In code that has groups nothing else
/// raises it.
const GROUP_BOARD: u8 = 0;
/// In place of a scoreboard that is not chosen yet.
const CHOSEN_LATER: u8 = 6;
/// The longest stall that an instruction can have and still keep the warp.
const LONGEST_KEPT: u8 = 11;
/// An instruction that is done before the next one is issued. Source: ptxas writes no other control word for it.
const ALONE: &str = "ERRBAR";
/// Cycles after a barrier of the block before another instruction sees what the barrier waited for: until then it has not
/// blocked the warp. Source: ptxas stalls so long where a memory access follows.
const AFTER_BARRIER: u8 = 6;
/// Cycles after what invalidates the cache, and after a fence. Source: ptxas stalls so long where an access follows.
const AFTER_FENCE: u8 = 4;

/// What registers wait for, by [`fn@unit`].
#[derive(Clone, PartialEq, Eq)]
struct Boards {
    /// Scoreboards that results of each register raise.
    results: Vec<u8>,
    /// Scoreboards that readers of each register raise.
    operands: Vec<u8>,
    /// Scoreboards that fences and acquiring accesses raise: accesses to memory wait for them.
    fences: u8,
    /// Scoreboards of copies in bulk, which read uniform registers on their own time: the end of a warp waits for them.
    /// Source: ptxas.
    copies: u8,
}

impl Boards {
    fn new() -> Boards {
        Boards {
            results: vec![0; UNITS],
            operands: vec![0; UNITS],
            fences: 0,
            copies: 0,
        }
    }

    fn release(&mut self, boards: u8) {
        if boards != 0 {
            self.results.iter_mut().for_each(|one| *one &= !boards);
            self.operands.iter_mut().for_each(|one| *one &= !boards);
            self.fences &= !boards;
            self.copies &= !boards;
        }
    }

    fn add(&mut self, other: &Boards) -> bool {
        let mut changed = other.fences & !self.fences != 0;
        changed |= other.copies & !self.copies != 0;
        self.fences |= other.fences;
        self.copies |= other.copies;
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

/// The least cycles from the beginning of products of a warpgroup to the first one, and from a product to what waits for its
/// group: done earlier, an H200 did not see the group. Source: the least that ptxas writes.
const AFTER_ARRIVE: u8 = 8;
const AFTER_PRODUCT: u8 = 4;

/// An instruction as the scheduler sees it.
struct Line {
    effects: Effects,
    uses: SmallVec<[(Use, u8); 8]>,
    /// For each use the cycles for which it must be thought of; none if a scoreboard tells of it.
    longest: SmallVec<[i32; 8]>,
    /// The scoreboards that it raises for results and operands; 7 is none.
    result: u8,
    operand: u8,
    /// Whether it is a copy in bulk, or ends the warp.
    copies: bool,
    exits: bool,
    /// Whether it goes to another function.
    leaves: bool,
    /// Whether it gives registers back: who still writes or reads one of them is waited for.
    gives_back: bool,
    /// What it has to do with the order of memory.
    order: Order,
    /// Whether accesses to memory wait for its result, as they wait for a fence.
    acquires: bool,
    /// What executes it, and after how many cycles that takes another instruction.
    unit: Option<Unit>,
    issue: u8,
}

impl Line {
    /// Its uses that others keep a distance from, if it is issued at a cycle.
    fn events(&self, cycle: i32) -> impl Iterator<Item = Event> + '_ {
        let uses = self.uses.iter().zip(&self.longest);
        let uses = uses.filter(|(_, longest)| **longest > 0);
        uses.map(move |((one, number), longest)| Event {
            one: *one,
            number: *number,
            cycle,
            guarded: self.effects.guarded,
            longest: *longest,
        })
    }
}

/// What executes instructions with a fixed latency: the next one for it waits until it takes one. The chip lets it wait,
/// too, but stalls that are counted without that are too long by it where the next ones need results. Source: between
/// instructions of ptxas's code of one of these there are never fewer cycles than the first one has
/// ([`Shape::issue`]); it keeps that with what has a latency of its own, too, which has no stall to be counted from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    Integers,
    Products,
    Doubles,
    Matrices,
    Uniform,
    ToUniform,
}

impl Unit {
    const COUNT: usize = Unit::ToUniform as usize + 1;

    fn of(pipe: Pipe) -> Option<Unit> {
        Some(match pipe {
            Pipe::Alu | Pipe::SetPredicates => Unit::Integers,
            Pipe::Fma | Pipe::Product | Pipe::Half | Pipe::HalfAlu | Pipe::HalfSingle => {
                Unit::Products
            }
            Pipe::Double => Unit::Doubles,
            Pipe::HalfMatrix | Pipe::MatrixShort | Pipe::Matrix | Pipe::MatrixLong => {
                Unit::Matrices
            }
            Pipe::Uniform => Unit::Uniform,
            Pipe::MoveToUniform => Unit::ToUniform,
            _ => return None,
        })
    }
}

/// What an instruction has to do with the order of memory, beyond its registers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// Nothing.
    None,
    /// It is an access, a fence or a barrier: fences before it are done.
    After,
    /// A fence that raises a scoreboard until it is done. Source: ptxas raises one for `MEMBAR` in the block and for
    /// `FENCE`, and what follows waits for it.
    Fence,
    /// It drops what the cache has: all loads before it have their values. An acquire is a strong load, and then this;
    /// done too early, a later load may still find what was there before. Source: ptxas waits here, and an H200 showed
    /// the forbidden outcome of message passing where it was not waited for.
    Invalidate,
    /// A warpgroup begins its products: all loads before it have their values, which other warps of it may read, too.
    /// Source: ptxas waits here, not at the product.
    Arrive,
}

fn order(shape: &Shape) -> Order {
    match shape.opcode() {
        "CCTL" => Order::Invalidate,
        "WARPGROUP" if shape.has("ARRIVE") => Order::Arrive,
        // It cannot wait for a scoreboard, and need not: it accesses nothing, and who does waits.
        "WARPGROUP" => Order::None,
        "MEMBAR" if shape.has("CTA") => Order::Fence,
        "FENCE" => Order::Fence,
        // What follows waits for it, as with ptxas.
        _ if gives_back(shape) => Order::Fence,
        _ => match shape.memory().space {
            Space::None | Space::Constant | Space::Local => Order::None,
            _ => Order::After,
        },
    }
}

/// Writes the control words; nothing if an instruction's pipe is not known.
pub fn schedule(code: &mut Code, facts: &'static Facts) -> Option<()> {
    let mut lines = Vec::with_capacity(code.insts.len());
    let has_groups = code.insts.iter().any(|inst| ends_group(inst.shape));
    let first = if has_groups { GROUP_BOARD + 1 } else { 0 };
    let mut longest = Longest {
        facts,
        known: Vec::new(),
    };
    for (inst, acquires) in code.insts.iter().zip(&code.acquires) {
        lines.push(line(inst, *acquires, &mut longest)?);
    }
    let blocks = blocks(code);
    let needs = needs(&blocks, &lines);
    for block in &blocks {
        let range = block.start..block.end;
        let (lines, needs) = (&mut lines[range.clone()], &needs[range]);
        drop_operand_boards(lines, needs, block.next.is_empty());
        share_boards(lines, needs, first);
    }
    let waits = waits(&blocks, &lines);
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
    let mut alone = Vec::with_capacity(blocks.len());
    for block in &blocks {
        let (start, end) = (block.start, block.end);
        let insts = &mut code.insts[start..end];
        let cycles = stalls(insts, &lines[start..end], facts, &[]);
        let left = left(insts, &lines[start..end], facts);
        alone.push(Counted { cycles, left });
    }
    let (ins, outs) = outstanding(&blocks, &alone);
    for ((block, before), left) in blocks.iter().zip(&ins).zip(&outs) {
        let (start, end) = (block.start, block.end);
        let insts = &mut code.insts[start..end];
        if !before.is_empty() {
            stalls(insts, &lines[start..end], facts, before);
        }
        // Before its first instruction a block cannot wait: those that lead to it do.
        let firsts = block.next.iter().map(|next| blocks[*next].start);
        let mut more = firsts.map(|first| ready(left, &lines[first], facts)).max();
        if block.is_cold || lines[start..end].last().is_some_and(|last| last.leaves) {
            // Another function begins, or goes on, and knows of nothing outstanding.
            let all = left.iter().map(|event| event.cycle + event.longest);
            more = more.max(all.max());
        }
        if let Some(last) = code.insts[start..end].last_mut() {
            lengthen(last, more.unwrap_or(0).max(0) as u32);
        }
    }
    Some(())
}

/// What may be outstanding where blocks begin, and where they end.
fn outstanding(blocks: &[Block], alone: &[Counted]) -> (Vec<Vec<Event>>, Vec<Vec<Event>>) {
    let mut all_outs: Vec<Vec<Event>> = vec![Vec::new(); blocks.len()];
    let mut ins: Vec<Vec<Event>> = vec![Vec::new(); blocks.len()];
    let mut waiting = vec![true; blocks.len()];
    let mut work: Vec<usize> = (0..blocks.len()).rev().collect();
    while let Some(number) = work.pop() {
        waiting[number] = false;
        let cycles = alone[number].cycles;
        let is_cold = blocks[number].is_cold;
        let through = ins[number].iter().map(|event| Event {
            cycle: event.cycle - cycles,
            ..*event
        });
        let mut outs: Vec<Event> = through.filter(|event| event.matters(0)).collect();
        outs.extend(&alone[number].left);
        for next in &blocks[number].next {
            let mut changed = false;
            for event in outs.iter().filter(|_| !is_cold) {
                let own = &mut ins[*next];
                match own.iter_mut().find(|one| one.is_like(event)) {
                    Some(one) if one.cycle >= event.cycle => {}
                    Some(one) => {
                        one.cycle = event.cycle;
                        changed = true;
                    }
                    None => {
                        own.push(*event);
                        changed = true;
                    }
                }
            }
            if changed && !waiting[*next] {
                waiting[*next] = true;
                work.push(*next);
            }
        }
        all_outs[number] = outs;
    }
    (ins, all_outs)
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

/// What ends a group of copies in bulk: it raises its scoreboard as one whose operands are read late. Source: ptxas.
const BULK_GROUP: &str = "UTMACMDFLUSH";

/// Whether an instruction ends a group of asynchronous copies, which a scoreboard counts until it is done.
fn ends_group(shape: &Shape) -> bool {
    matches!(shape.opcode(), "LDGDEPBAR" | BULK_GROUP)
}

/// Whether an instruction gives registers of the warp back.
fn gives_back(shape: &Shape) -> bool {
    shape.opcode() == "USETMAXREG" && shape.has("DEALLOC")
}

fn line(inst: &Inst, acquires: bool, longest: &mut Longest) -> Option<Line> {
    let facts = longest.facts;
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
    let order = order(inst.shape);
    // A fence of the block is done when its operands would be, another one when its result would be there.
    let is_block_fence = order == Order::Fence && inst.shape.opcode() == "MEMBAR";
    let writes = writes || acquires || order == Order::Fence && !is_block_fence;
    let result = match (inst.shape.is_variable() || order == Order::Fence) && writes && can_write {
        _ if inst.shape.opcode() == BULK_GROUP => 7,
        _ if ends_group(inst.shape) => GROUP_BOARD,
        true => CHOSEN_LATER,
        false => 7,
    };
    let operand = match (late || is_block_fence) && can_read {
        _ if inst.shape.opcode() == BULK_GROUP => GROUP_BOARD,
        true => OPERAND_BOARD,
        false => 7,
    };
    let guarded = effects.guarded;
    let longest = uses.iter().map(|(one, _)| longest.of(*one, guarded));
    Some(Line {
        longest: longest.collect(),
        effects,
        uses,
        result,
        operand,
        copies: pipe == Pipe::Bulk,
        exits: inst.shape.opcode() == "EXIT",
        leaves: matches!(inst.shape.opcode(), "CALL" | "RET"),
        gives_back: gives_back(inst.shape),
        order,
        acquires,
        unit: Unit::of(pipe),
        issue: inst.shape.issue(),
    })
}

/// Cycles before how many registers there are changes: results that no scoreboard tells of are written by then. Source:
/// ptxas.
const BEFORE_COUNT: u8 = 9;

/// When an instruction is waited for, by numbers in its block; those behind its end are not of the block.
#[derive(Clone, Copy)]
struct NeededAt {
    /// The first one that reads or writes one of its results.
    result: usize,
    /// The first one that writes what it reads late.
    operand: usize,
}

/// When each instruction is waited for in its block.
fn needs(blocks: &[Block], lines: &[Line]) -> Vec<NeededAt> {
    let nowhere = NeededAt {
        result: usize::MAX,
        operand: usize::MAX,
    };
    let mut all = vec![nowhere; lines.len()];
    // For each register the next one that touches it, and that writes it. What later blocks have left there is behind the
    // ends of earlier ones.
    let mut touched = vec![usize::MAX; UNITS];
    let mut written = vec![usize::MAX; UNITS];
    for block in blocks.iter().rev() {
        // Who leaves the function waits for everything.
        let mut leaves = usize::MAX;
        let inside = |at: usize| match at < block.end {
            true => at - block.start,
            false => usize::MAX,
        };
        for (at, line) in (block.start..block.end)
            .zip(&lines[block.start..block.end])
            .rev()
        {
            let mut own = nowhere;
            for ((one, number), longest) in line.uses.iter().zip(&line.longest) {
                let unit = unit(one.access.file, *number);
                match one.access.is_write() {
                    true => own.result = own.result.min(inside(touched[unit].min(leaves))),
                    // A scoreboard tells of it.
                    false if *longest == 0 => {
                        own.operand = own.operand.min(inside(written[unit].min(leaves)));
                    }
                    false => {}
                }
            }
            all[at] = own;
            for (one, number) in &line.uses {
                let unit = unit(one.access.file, *number);
                touched[unit] = at;
                if one.access.is_write() {
                    written[unit] = at;
                }
            }
            if line.leaves || line.gives_back {
                leaves = at;
            }
        }
    }
    all
}

/// An instruction needs no scoreboard for operands that are read late if nobody writes them before its result is waited
/// for: then they have been read.
fn drop_operand_boards(lines: &mut [Line], needs: &[NeededAt], is_last: bool) {
    for (line, needed) in lines.iter_mut().zip(needs) {
        let is_plain = matches!(line.order, Order::None | Order::After) && !line.copies;
        if !is_plain || line.operand != OPERAND_BOARD {
            continue;
        }
        let has_result = line.result == CHOSEN_LATER && needed.result != usize::MAX;
        let is_covered = has_result && needed.result <= needed.operand;
        if is_covered || is_last && needed.operand == usize::MAX {
            line.operand = 7;
        }
    }
}

/// Chooses scoreboards for the results of a block, from a first one on.
fn share_boards(lines: &mut [Line], needs: &[NeededAt], first: u8) {
    // For each scoreboard when somebody waits for it first; nothing if nobody has raised it.
    let mut boards = [None::<usize>; BOARDS as usize];
    // Operands are read soon and results are there late: who waits for one does not wait for the other.
    let has_operands = lines.iter().any(|line| line.operand == OPERAND_BOARD);
    let last = BOARDS - u8::from(has_operands);
    let boards = &mut boards[usize::from(first)..usize::from(last)];
    for (at, (line, needed)) in lines.iter_mut().zip(needs).enumerate() {
        for board in boards.iter_mut() {
            if board.is_some_and(|first| first <= at) {
                *board = None;
            }
        }
        if line.result != CHOSEN_LATER {
            continue;
        }
        let needed = needed.result;
        let same = boards.iter().position(|one| *one == Some(needed));
        let same = same.filter(|_| needed != usize::MAX);
        let free = || boards.iter().position(Option::is_none);
        let near = || {
            let distance = |one: &Option<usize>| one.map_or(0, |first| first.abs_diff(needed));
            let all = boards.iter().enumerate();
            all.min_by_key(|(_, one)| distance(one)).map(|one| one.0)
        };
        let chosen = same.or_else(free).or_else(near).unwrap_or(0);
        let own = &mut boards[chosen];
        *own = Some(own.map_or(needed, |first| first.min(needed)));
        line.result = first + chosen as u8;
    }
}

/// Whether a shape can raise a scoreboard for its result, and for its operands.
fn boards_of(shape: &'static Shape) -> (bool, bool) {
    (
        !shape.has_no_result_scoreboard(),
        !shape.has_no_operand_scoreboard(),
    )
}

/// The scoreboards that each instruction waits for.
fn waits(blocks: &[Block], lines: &[Line]) -> Vec<u8> {
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
        if block.is_cold {
            let raised = |lines: &[Line]| {
                let boards = lines.iter().flat_map(|line| [line.result, line.operand]);
                let boards = boards.filter(|board| *board < BOARDS);
                boards.fold(0u8, |all, board| all | 1 << board)
            };
            let last = block.end - 1;
            let done = raised(&lines[block.start..last]) & !raised(&lines[last..block.end]);
            waits[last] |= done;
            state.release(done);
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
    if line.leaves || line.gives_back || matches!(line.order, Order::Invalidate | Order::Arrive) {
        // Another function begins, or goes on, and knows of nothing outstanding.
        let all = state.results.iter().chain(&state.operands);
        wait = all.fold(state.fences, |boards, one| boards | one);
    }
    if line.order != Order::None {
        wait |= state.fences;
    }
    if line.exits {
        wait |= state.copies;
    }
    for (one, number) in &line.uses {
        let at = unit(one.access.file, *number);
        wait |= state.results[at];
        if one.access.is_write() {
            wait |= state.operands[at];
        }
    }
    state.release(wait);
    let operands_too = line.order == Order::Fence;
    for (board, counts) in [
        (line.result, operands_too || line.acquires),
        (line.operand, operands_too),
    ] {
        if board < 7 && counts {
            state.fences |= 1 << board;
        }
    }
    if line.copies && line.operand < 7 && !line.uses.is_empty() {
        state.copies |= 1 << line.operand;
    }
    for ((one, number), longest) in line.uses.iter().zip(&line.longest) {
        let at = unit(one.access.file, *number);
        match one.access.is_write() {
            true if line.result < 7 => state.results[at] |= 1 << line.result,
            // Others are read at a known time: a predicate when the instruction is issued.
            false if line.operand < 7 && *longest == 0 => state.operands[at] |= 1 << line.operand,
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
    is_cold: bool,
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
        // Empty blocks begin at the same place.
        let own = code.starts.partition_point(|one| *one as usize <= start);
        let own = own.checked_sub(1).and_then(|own| code.cold.get(own));
        all.push(Block {
            start,
            end: *end,
            next,
            is_cold: own.copied().unwrap_or(false),
        });
    }
    all
}

/// A use of a register, and when it was issued, counted from the beginning of the block.
#[derive(Clone, Copy, Debug)]
struct Event {
    one: Use,
    number: u8,
    cycle: i32,
    guarded: bool,
    /// For how many cycles it must be thought of.
    longest: i32,
}

impl Event {
    /// Whether it still matters at a cycle.
    fn matters(&self, cycle: i32) -> bool {
        cycle - self.cycle < self.longest
    }

    /// Whether others must keep the same distances from it.
    fn is_like(&self, other: &Event) -> bool {
        let of = |event: &Event| (event.one.access.file, event.one.access.is_write());
        self.number == other.number
            && self.guarded == other.guarded
            && of(self) == of(other)
            && self.one.pipe == other.one.pipe
            && self.one.port() == other.one.port()
    }
}

/// The most cycles that others must keep from a use, as far as it was asked for.
struct Longest {
    facts: &'static Facts,
    /// By [`Longest::place`].
    known: Vec<Option<u8>>,
}

impl Longest {
    /// For how many cycles a use must be thought of; none if a scoreboard tells of it.
    fn of(&mut self, one: Use, guarded: bool) -> i32 {
        let place = Longest::place(one, guarded);
        if place >= self.known.len() {
            self.known.resize(place + 1, None);
        }
        let known = &mut self.known[place];
        let (facts, is_write) = (self.facts, one.access.is_write());
        let longest = *known.get_or_insert_with(|| {
            let is_open = match is_write {
                true => facts.is_variable(one.pipe),
                false => facts.reads_late(one),
            };
            match is_open {
                true => 0,
                false => facts.longest(one, guarded),
            }
        });
        longest.into()
    }

    /// A number for all that it depends on.
    fn place(one: Use, guarded: bool) -> usize {
        let port = match one.port() {
            // That of the pipe.
            Port::Pipe(_) => 0,
            Port::Factor => 1,
            Port::ProductLow => 2,
            Port::ProductHigh => 3,
            Port::Guard => 4,
            Port::Bindless => 5,
        };
        let place = 6 * one.pipe as usize + port;
        let place = 4 * place + one.access.file as usize;
        4 * place + 2 * usize::from(one.access.is_write()) + usize::from(guarded)
    }
}

/// The first cycle at which an instruction can be issued after these uses.
fn ready(recent: &[Event], line: &Line, facts: &'static Facts) -> i32 {
    let mut ready = i32::MIN;
    for event in recent {
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
            let need = facts.need(hazard, event.one, *one, event.guarded);
            if let Some(Need::Cycles(cycles)) = need {
                ready = ready.max(event.cycle + i32::from(cycles));
            }
        }
    }
    ready
}

/// What counting a block gives.
struct Counted {
    /// How long it takes at least.
    cycles: i32,
    /// What may be outstanding at its end, counted from there.
    left: Vec<Event>,
}

/// What may be outstanding at the end of a block, counted from there, whatever comes before the block: a stall that is
/// for something earlier may be shorter where that had to wait itself. So only what an instruction and those after it
/// need of each other counts.
fn left(insts: &[Inst], lines: &[Line], facts: &'static Facts) -> Vec<Event> {
    let mut left = Vec::new();
    // The longest latency in the block.
    let most = lines.iter().flat_map(|line| &line.longest);
    let most = most.copied().max().unwrap_or(0);
    // The fewest cycles from each instruction to the end.
    let mut ends = vec![0i32; insts.len() + 1];
    for at in (0..insts.len()).rev() {
        let own: SmallVec<[Event; 8]> = lines[at].events(0).collect();
        let mut cycles = ends[at + 1] + i32::from(insts[at].shape.least_stall().max(1));
        for (line, end) in lines.iter().zip(&ends).skip(at + 1) {
            cycles = cycles.max(ready(&own, line, facts).saturating_add(*end));
        }
        ends[at] = cycles;
        for mut event in own {
            event.cycle = -cycles;
            if event.matters(0) {
                left.push(event);
            }
        }
        // What comes before is over.
        if cycles > most {
            break;
        }
    }
    left
}

/// The stall counts of a block that others come before; how long it takes.
fn stalls(insts: &mut [Inst], lines: &[Line], facts: &'static Facts, before: &[Event]) -> i32 {
    let mut recent: Vec<Event> = before.to_vec();
    let mut cycle = 0i32;
    // When each unit takes the next instruction.
    let mut taken = [0i32; Unit::COUNT];
    for at in 0..insts.len() {
        let line = &lines[at];
        let mut ready = ready(&recent, line, facts).max(cycle);
        if let Some(unit) = line.unit {
            ready = ready.max(taken[unit as usize]);
        }
        // For the first one those before it have waited.
        if ready > cycle && at > 0 {
            lengthen(&mut insts[at - 1], (ready - cycle) as u32);
            cycle = ready;
        }
        if let Some(unit) = line.unit {
            taken[unit as usize] = cycle + i32::from(line.issue);
        }
        recent.retain(|event| event.matters(cycle));
        recent.extend(line.events(cycle));
        let waited = lines.get(at + 1).is_none_or(|_| {
            let raised = |board: u8| board < 6 && insts[at + 1].control.wait >> board & 1 == 1;
            raised(insts[at].control.write) || raised(insts[at].control.read)
        });
        let inst = &mut insts[at];
        let mut least = inst.shape.least_stall().max(1);
        if inst.shape.traits().contains(Traits::BLOCK_BARRIER) {
            least = least.max(AFTER_BARRIER);
        }
        if matches!(line.order, Order::Invalidate | Order::Fence) {
            least = least.max(AFTER_FENCE);
        }
        if insts[at + 1..]
            .first()
            .is_some_and(|next| next.shape.opcode() == "USETMAXREG")
        {
            least = least.max(BEFORE_COUNT);
        }
        let inst = &mut insts[at];
        if line.order == Order::Arrive {
            least = least.max(AFTER_ARRIVE);
        }
        if inst.shape.opcode().ends_with("GMMA") {
            least = least.max(AFTER_PRODUCT);
        }
        if waited && (inst.control.write < 6 || inst.control.read < 6) {
            // Whoever comes next may wait for it.
            least = least.max(RAISED_AFTER);
        }
        set_stall(inst, least);
        cycle += i32::from(inst.control.stall);
        if inst.shape.opcode() == ALONE {
            alone(inst);
        }
    }
    cycle
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
