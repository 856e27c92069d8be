//! Which registers can share a place.
//!
//! Compilers that write PTX use a fresh register for every value; a kernel easily names hundreds of
//! which few are in use at a time. All threads of all resident blocks have a place for each, so this
//! decides how much memory a run takes.
//!
//! *Liveness*, backwards over blocks of steps: `in = reads ∪ (out − writes)`. A write under a guard, or
//! of some lanes only, leaves the rest of the register alone and does not end what was there before. (A
//! register is live for a thread; threads that are elsewhere have their own copy.) A register then
//! occupies its place from the first to the last step at which it is live, and places are given out in
//! the order of first steps. Words and doubles are treated; predicates take one bit a thread and stay.

use crate::program::{Code, Dst, Op, Src, Visitor};

/// A word or a double.
#[derive(Clone, Copy, PartialEq, Eq)]
enum File {
    Word,
    Double,
}

/// What one step reads and writes: registers by number, words first, then doubles.
#[derive(Default)]
struct Touched {
    words: usize,
    reads: Vec<usize>,
    writes: Vec<usize>,
}

impl Visitor for Touched {
    fn read(&mut self, source: &mut Src) {
        match source {
            Src::W(slot) => self.reads.push(*slot as usize),
            Src::D(slot) => self.reads.push(self.words + *slot as usize),
            _ => {}
        }
    }

    fn write(&mut self, to: &mut Dst) {
        match to {
            Dst::W(slot, _) => self.writes.push(*slot as usize),
            Dst::D(slot) => self.writes.push(self.words + *slot as usize),
            _ => {}
        }
    }
}

/// A set of registers.
#[derive(Clone, PartialEq)]
struct Set(Vec<u64>);

impl Set {
    fn new(size: usize) -> Set {
        Set(vec![0; size.div_ceil(64)])
    }

    fn insert(&mut self, index: usize) {
        self.0[index / 64] |= 1 << (index % 64);
    }

    fn remove(&mut self, index: usize) {
        self.0[index / 64] &= !(1 << (index % 64));
    }

    /// Adds another set; whether that changed anything.
    fn add(&mut self, other: &Set) -> bool {
        let mut changed = false;
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            changed |= *b & !*a != 0;
            *a |= b;
        }
        changed
    }

    fn members(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(i, word)| {
            let mut bits = *word;
            std::iter::from_fn(move || {
                (bits != 0).then(|| {
                    let bit = bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    64 * i + bit
                })
            })
        })
    }
}

/// A run of steps that is entered at its start and left at its end.
struct Block {
    start: usize,
    end: usize,
    next: Vec<usize>,
}

/// Numbers words and doubles anew. The words in `kept`, which are numbered with the others, have places of their own.
pub(super) fn share(code: &mut Code, kept: &mut [u32]) {
    let size = code.words + code.doubles;
    if size == 0 {
        return;
    }
    let blocks = blocks(code);
    let live_out = live_out(code, &blocks, size);
    let mut ranges = ranges(code, &blocks, &live_out, size);
    for slot in &*kept {
        ranges[*slot as usize] = Some((0, 2 * code.steps.len() + 1));
    }
    let unwritten = unwritten(code, &blocks, &live_out);
    let (words, doubles) = ranges.split_at(code.words);
    let (words, word_places) = assign(words);
    let (doubles, double_places) = assign(doubles);
    let mut renamed = Renamed { words, doubles };
    code.unwritten = unwritten;
    for to in &mut code.unwritten {
        renamed.write(to);
    }
    for step in &mut code.steps {
        step.op.visit(&mut renamed);
    }
    for place in code.params.iter_mut().chain(&mut code.returns) {
        place.visit(&mut renamed);
    }
    for slot in kept {
        *slot = renamed.words[*slot as usize];
    }
    code.words = word_places;
    code.doubles = double_places;
}

fn touched(code: &mut Code, step: usize) -> Touched {
    let mut touched = Touched {
        words: code.words,
        ..Touched::default()
    };
    code.steps[step].op.visit(&mut touched);
    // What a function returns is read where it returns.
    if matches!(code.steps[step].op, Op::Return) {
        for place in &mut code.returns {
            place.visit(&mut touched);
        }
    }
    touched
}

fn blocks(code: &Code) -> Vec<Block> {
    let mut starts: Vec<usize> = (0..code.steps.len())
        .filter(|&i| i == 0 || code.steps[i].leader)
        .collect();
    starts.push(code.steps.len());
    let of = |step: u32| {
        let step = step as usize;
        starts.partition_point(|&start| start <= step) - 1
    };
    let mut blocks = Vec::with_capacity(starts.len());
    for (index, pair) in starts.windows(2).enumerate() {
        let last = &code.steps[pair[1] - 1];
        let mut next: Vec<usize> = match &last.op {
            Op::Branch(target) => vec![of(*target)],
            Op::BranchIndexed(_, targets) => targets.iter().map(|t| of(*t)).collect(),
            _ => Vec::new(),
        };
        let ends = matches!(
            last.op,
            Op::Branch(_) | Op::BranchIndexed(..) | Op::Return | Op::Exit | Op::Trap
        );
        if (!ends || last.guard.is_some()) && pair[1] < code.steps.len() {
            next.push(index + 1);
        }
        blocks.push(Block {
            start: pair[0],
            end: pair[1],
            next,
        });
    }
    blocks
}

/// For each block what is live after it.
fn live_out(code: &mut Code, blocks: &[Block], size: usize) -> Vec<Set> {
    let mut reads = vec![Set::new(size); blocks.len()];
    let mut writes = vec![Set::new(size); blocks.len()];
    for (index, block) in blocks.iter().enumerate() {
        for step in (block.start..block.end).rev() {
            let touched = touched(code, step);
            if code.steps[step].guard.is_none() {
                for &register in &touched.writes {
                    writes[index].insert(register);
                    reads[index].remove(register);
                }
            }
            touched.reads.iter().for_each(|&r| reads[index].insert(r));
        }
    }
    let mut outs = vec![Set::new(size); blocks.len()];
    let mut ins = reads.clone();
    let mut changed = true;
    while changed {
        changed = false;
        for index in (0..blocks.len()).rev() {
            for &next in &blocks[index].next {
                changed |= outs[index].add(&ins[next]);
            }
            let mut live = outs[index].clone();
            for (live, written) in live.0.iter_mut().zip(&writes[index].0) {
                *live &= !written;
            }
            changed |= ins[index].add(&live);
        }
    }
    outs
}

/// Registers that are live where the function begins, without its parameters: they may be read before they are written.
fn unwritten(code: &mut Code, blocks: &[Block], live_out: &[Set]) -> Vec<Dst> {
    let (Some(block), Some(out)) = (blocks.first(), live_out.first()) else {
        return Vec::new();
    };
    let mut live = out.clone();
    for step in (block.start..block.end).rev() {
        let touched = touched(code, step);
        if code.steps[step].guard.is_none() {
            touched.writes.iter().for_each(|&r| live.remove(r));
        }
        touched.reads.iter().for_each(|&r| live.insert(r));
    }
    let mut entry = Touched {
        words: code.words,
        ..Touched::default()
    };
    for place in &mut code.params {
        place.visit(&mut entry);
    }
    entry.writes.iter().for_each(|&r| live.remove(r));
    let words = code.words;
    live.members()
        .map(|register| match register.checked_sub(words) {
            None => Dst::W(register as u32, u32::MAX),
            Some(double) => Dst::D(double as u32),
        })
        .collect()
}

/// The first and last half-step at which each register occupies its place: a step reads at `2 i` and
/// writes at `2 i + 1`.
fn ranges(
    code: &mut Code,
    blocks: &[Block],
    live_out: &[Set],
    size: usize,
) -> Vec<Option<(usize, usize)>> {
    let mut ranges: Vec<Option<(usize, usize)>> = vec![None; size];
    let mut extend = |register: usize, at: usize| {
        let (first, last) = ranges[register].get_or_insert((at, at));
        *first = (*first).min(at);
        *last = (*last).max(at);
    };
    // Parameters are written on entry, all of them before anything is read.
    let mut entry = Touched {
        words: code.words,
        ..Touched::default()
    };
    for place in &mut code.params {
        place.visit(&mut entry);
    }
    entry
        .writes
        .iter()
        .for_each(|&register| extend(register, 0));
    for (block, out) in blocks.iter().zip(live_out) {
        let mut live = out.clone();
        live.members()
            .for_each(|register| extend(register, 2 * block.end));
        for step in (block.start..block.end).rev() {
            let touched = touched(code, step);
            let reads_first = code.steps[step].op.reads_first();
            for &register in &touched.writes {
                extend(register, if reads_first { 2 * step + 1 } else { 2 * step });
                extend(register, 2 * step + 1);
                if code.steps[step].guard.is_none() {
                    live.remove(register);
                } else {
                    live.insert(register);
                }
            }
            for &register in &touched.reads {
                extend(register, 2 * step);
                live.insert(register);
            }
        }
        live.members()
            .for_each(|register| extend(register, 2 * block.start));
    }
    ranges
}

/// Gives each register a place; also the number of places.
fn assign(ranges: &[Option<(usize, usize)>]) -> (Vec<u32>, usize) {
    let mut order: Vec<usize> = (0..ranges.len()).filter(|&i| ranges[i].is_some()).collect();
    order.sort_by_key(|&i| ranges[i]);
    let mut places = vec![0; ranges.len()];
    // When each place is free again, the earliest first.
    let mut busy = std::collections::BinaryHeap::new();
    let mut count = 0;
    for register in order {
        let Some((first, last)) = ranges[register] else {
            continue;
        };
        let place = match busy.peek() {
            Some(&std::cmp::Reverse((end, place))) if end < first => {
                busy.pop();
                place
            }
            _ => {
                count += 1;
                count - 1
            }
        };
        places[register] = place;
        busy.push(std::cmp::Reverse((last, place)));
    }
    (places, count as usize)
}

struct Renamed {
    words: Vec<u32>,
    doubles: Vec<u32>,
}

impl Renamed {
    fn slot(&self, file: File, slot: u32) -> u32 {
        match file {
            File::Word => self.words[slot as usize],
            File::Double => self.doubles[slot as usize],
        }
    }
}

impl Visitor for Renamed {
    fn read(&mut self, source: &mut Src) {
        match source {
            Src::W(slot) => *slot = self.slot(File::Word, *slot),
            Src::D(slot) => *slot = self.slot(File::Double, *slot),
            _ => {}
        }
    }

    fn write(&mut self, to: &mut Dst) {
        match to {
            Dst::W(slot, _) => *slot = self.slot(File::Word, *slot),
            Dst::D(slot) => *slot = self.slot(File::Double, *slot),
            _ => {}
        }
    }
}
