//! The loops of machine code, and how often blocks are executed within them.
//!
//! A loop is what can be left only forwards: the blocks from which the source of an edge back to a block that dominates it is
//! reached without that block. Loops with several entries are none.
//! An edge that leaves the innermost loop of its block is not taken but once; the others are taken equally often.

use crate::check::flow::Flow;

/// A loop.
#[derive(Clone, Debug)]
pub struct Natural {
    /// Its number.
    pub number: usize,
    /// Where it begins.
    pub header: usize,
    /// Its blocks, sorted.
    pub blocks: Vec<usize>,
    /// The loop around it.
    pub outer: Option<usize>,
    /// How many loops are around it.
    pub depth: usize,
}

/// The loops of a section.
pub struct Nest {
    /// Inner loops first.
    pub loops: Vec<Natural>,
    /// For each block the innermost loop that it is in.
    pub innermost: Vec<Option<usize>>,
    /// For each block how often it is executed in an iteration of that loop, or each time that its function is entered.
    pub frequency: Vec<f64>,
}

/// Sweeps over the blocks in which dominators are found; code that needs more has no loops that are worth knowing.
const SWEEPS: usize = 64;

impl Nest {
    /// The loops of code.
    pub fn of(flow: &Flow) -> Nest {
        let count = flow.blocks.len();
        let next = |block: usize| {
            let block = &flow.blocks[block];
            let back = block.call.as_ref().and_then(|call| call.back);
            block.next.iter().copied().chain(back)
        };
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); count];
        for block in (0..count).filter(|block| flow.blocks[*block].reached) {
            for to in next(block) {
                if !before[to].contains(&block) {
                    before[to].push(block);
                }
            }
        }
        let mut place = vec![usize::MAX; count];
        flow.order
            .iter()
            .enumerate()
            .for_each(|(at, block)| place[*block] = at);
        let dominators = dominators(flow, &before, &place);
        let dominates = |above: usize, mut block: usize| loop {
            if above == block {
                return true;
            }
            match dominators[block] {
                Some(parent) if parent != block => block = parent,
                _ => return false,
            }
        };
        let mut bodies: Vec<(usize, Vec<usize>)> = Vec::new();
        for header in flow.order.iter().copied() {
            let latches = before[header].iter().copied();
            let latches: Vec<usize> = latches.filter(|latch| dominates(header, *latch)).collect();
            if latches.is_empty() {
                continue;
            }
            let mut inside = vec![false; count];
            inside[header] = true;
            let mut work = latches;
            while let Some(block) = work.pop() {
                if !std::mem::replace(&mut inside[block], true) {
                    work.extend(&before[block]);
                }
            }
            bodies.push((header, (0..count).filter(|block| inside[*block]).collect()));
        }
        bodies.sort_by_key(|(_, blocks)| blocks.len());
        let mut innermost = vec![None; count];
        let mut loops: Vec<Natural> = Vec::new();
        for (number, (header, blocks)) in bodies.into_iter().enumerate() {
            for block in &blocks {
                innermost[*block].get_or_insert(number);
            }
            for inner in &mut loops {
                let is_inside = blocks.binary_search(&inner.header).is_ok();
                if inner.outer.is_none() && is_inside {
                    inner.outer = Some(number);
                }
            }
            loops.push(Natural {
                number,
                header,
                blocks,
                outer: None,
                depth: 0,
            });
        }
        for number in (0..loops.len()).rev() {
            loops[number].depth = loops[number]
                .outer
                .map_or(0, |outer| loops[outer].depth + 1);
        }
        let mut nest = Nest {
            loops,
            innermost,
            frequency: vec![0.0; count],
        };
        nest.count(flow, &place);
        nest
    }

    /// How often blocks are executed.
    fn count(&mut self, flow: &Flow, place: &[usize]) {
        // What comes in from outside of the innermost loop of a block.
        let mut flown = vec![0.0f64; flow.blocks.len()];
        for function in &flow.functions {
            flown[function.entry] = 1.0;
        }
        for block in flow.order.iter().copied() {
            let own = self.innermost[block];
            let is_header = own.is_some_and(|own| self.loops[own].header == block);
            let frequency = if is_header {
                1.0
            } else {
                flown[block].min(1.0)
            };
            self.frequency[block] = frequency;
            let it = &flow.blocks[block];
            let back = it.call.as_ref().and_then(|call| call.back);
            let ahead = it.next.iter().copied().chain(back);
            let ahead: Vec<usize> = ahead.filter(|to| place[*to] > place[block]).collect();
            let stays = |to: &usize| match own {
                Some(own) => self.loops[own].blocks.binary_search(to).is_ok(),
                None => true,
            };
            let staying = ahead.iter().filter(|to| stays(to)).count();
            for to in &ahead {
                flown[*to] += match stays(to) {
                    true => frequency / staying as f64,
                    // Whoever leaves does so once for all iterations.
                    false => 1.0,
                };
            }
        }
    }

    /// The way through a loop that is taken most often, from its header on, without inner loops but through their headers.
    pub fn trace(&self, flow: &Flow, one: &Natural) -> Vec<usize> {
        let mut trace = vec![one.header];
        let mut at = one.header;
        while trace.len() <= one.blocks.len() {
            let it = &flow.blocks[at];
            let back = it.call.as_ref().and_then(|call| call.back);
            let ahead = it.next.iter().copied().chain(back);
            let inside = ahead.filter(|to| one.blocks.binary_search(to).is_ok());
            let new = inside.filter(|to| !trace.contains(to));
            let next = new.max_by(|a, b| self.frequency[*a].total_cmp(&self.frequency[*b]));
            match next {
                Some(next) => trace.push(next),
                None => break,
            }
            at = trace[trace.len() - 1];
        }
        trace.retain(|block| self.innermost[*block] == Some(one.number));
        trace
    }
}

/// For each block its immediate dominator, by the rule of Cooper, Harvey and Kennedy; entries are their own.
fn dominators(flow: &Flow, before: &[Vec<usize>], place: &[usize]) -> Vec<Option<usize>> {
    let mut parents: Vec<Option<usize>> = vec![None; flow.blocks.len()];
    for function in &flow.functions {
        parents[function.entry] = Some(function.entry);
    }
    for _ in 0..SWEEPS {
        let mut is_settled = true;
        for block in flow.order.iter().copied() {
            if parents[block] == Some(block) {
                continue;
            }
            let known = before[block]
                .iter()
                .copied()
                .filter(|one| parents[*one].is_some());
            let new = known.reduce(|a, b| common(&parents, place, a, b));
            if new.is_some() && new != parents[block] {
                parents[block] = new;
                is_settled = false;
            }
        }
        if is_settled {
            break;
        }
    }
    parents
}

/// The nearest block that dominates both. Blocks of different functions have none; the first one's entry stands for it.
fn common(parents: &[Option<usize>], place: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        let later = if place[a] > place[b] { &mut a } else { &mut b };
        match parents[*later] {
            Some(parent) if parent != *later => *later = parent,
            _ => return a.min(b),
        }
    }
    a
}
