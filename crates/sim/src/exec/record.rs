//! Records what the warps of a group do, for [`Trace`].
//!
//! Warps of a group run in turns on one worker, but are shown side by side: each has a time of its own that advances by
//! its steps, and a warp that was let go by another one is not earlier than that.

use super::Env;
use super::access::{self, Place, Touch};
use super::group::Shared;
use super::warp::{Turn, Wait, Warp};
use crate::finding::Access;
use crate::program::{Op, Program};
use crate::source;
use crate::trace::{BLOCKS, Block, Doing, Line, Segment, Trace, Use, WaitTotal, Waited};
use std::collections::BTreeMap;
use warpc_ptx::Module;

/// Segments that are kept of a warp; what comes later is one long segment.
const SEGMENTS: usize = 400;

/// Warps of a group that are shown.
const WARPS: usize = 64;

/// A step of the program: function and number.
type StepAt = (usize, u32);

/// What the groups of a grid did, together.
#[derive(Debug, Default)]
pub(crate) struct Totals {
    /// Warps and threads that executed each step.
    steps: BTreeMap<StepAt, (u64, u64)>,
    /// By region of global memory.
    global: BTreeMap<usize, Use>,
    shared: Use,
    local: Use,
    waits: BTreeMap<(StepAt, Doing), WaitTotal>,
    /// By number of the group.
    blocks: BTreeMap<u64, Block>,
}

/// What a group does.
#[derive(Debug)]
pub(crate) struct Recorder {
    totals: Totals,
    warps: Vec<Recorded>,
    /// Steps of the turn under way after which a barrier was first complete.
    completed: Option<u64>,
    barriers: u64,
    /// Who completed a barrier last, and when.
    last: Option<(usize, u64)>,
}

#[derive(Debug, Default)]
struct Recorded {
    now: u64,
    segments: Vec<Segment>,
    waiting: Option<Waiting>,
}

#[derive(Debug)]
struct Waiting {
    since: u64,
    doing: Doing,
    at: StepAt,
    wait: Wait,
    released: Option<(usize, u64)>,
}

impl Recorder {
    pub(crate) fn new(warps: usize) -> Box<Recorder> {
        Box::new(Recorder {
            totals: Totals::default(),
            warps: (0..warps).map(|_| Recorded::default()).collect(),
            completed: None,
            barriers: 0,
            last: None,
        })
    }

    /// A warp executes a step with some of its lanes.
    #[inline]
    pub(crate) fn step(&mut self, at: StepAt, active: u32) {
        let count = self.totals.steps.entry(at).or_default();
        count.0 += 1;
        count.1 += u64::from(active.count_ones());
    }

    /// A turn has taken so many steps so far.
    pub(crate) fn ran(&mut self, steps: u64, barriers: u64) {
        if barriers != self.barriers {
            self.barriers = barriers;
            self.completed.get_or_insert(steps);
        }
    }
}

impl Warp {
    /// Records the addresses of an access that is about to happen.
    #[cold]
    pub(super) fn record_access(
        &mut self,
        env: &Env<'_>,
        shared: &mut Shared,
        op: &Op,
        active: u32,
    ) {
        let (access, space, addr, bytes) = match op {
            Op::Load(load) => (Access::Read, load.space, load.from, load.bytes),
            Op::Store(store) => (Access::Write, store.space, store.to, store.bytes),
            Op::Atomic(atomic) => (Access::Atomic, atomic.space, atomic.at, atomic.bytes),
            _ => return,
        };
        let region = self.region;
        for lane in super::lanes(active) {
            let address = access::address_of(self, env, shared, lane, addr);
            let touch = Touch {
                access,
                space,
                address,
                bytes,
                lane,
            };
            let Ok(place) = access::resolve(self, env, shared, touch) else {
                break;
            };
            let sizes = (env.shared_end(), self.stacks.get(lane).map_or(0, Vec::len));
            let Some(recorder) = &mut shared.recorder else {
                break;
            };
            let totals = &mut recorder.totals;
            let kind = match access {
                Access::Read => 0,
                Access::Write => 1,
                Access::Atomic => 2,
            };
            match place {
                Place::Global(region, offset) => {
                    let bytes = env.global.region(region).bytes;
                    let used = totals.global.entry(region).or_default();
                    used.add(kind, offset, bytes);
                }
                Place::Shared(_, offset) => {
                    totals.shared.add(kind, offset as u64, u64::from(sizes.0));
                }
                Place::Local(offset) => totals.local.add(kind, offset as u64, sizes.1 as u64),
                Place::Param(_) => {}
            }
        }
        self.region = region;
    }
}

/// What a warp waits for, if none of its lanes can run: the step, and why.
fn blocked(warp: &Warp) -> Option<(StepAt, Doing, Wait)> {
    if warp.fragments.iter().any(|one| one.wait == Wait::Ready) {
        return None;
    }
    let fragment = warp.fragments.first()?;
    let doing = match fragment.wait {
        Wait::Ready => return None,
        Wait::Aligned | Wait::Collective(_) => Doing::Lanes,
        Wait::Barrier(number, _) => Doing::Barrier(number),
        Wait::Cluster(_) => Doing::Cluster,
        Wait::Phase { .. } => Doing::Mbarrier,
        // Products are asynchronous, too, and tensor memory is freed after them.
        Wait::Copies { .. } | Wait::Group { .. } | Wait::Columns(_) => Doing::Copies,
    };
    let code = warp.frames[fragment.frame].code;
    Some(((code, fragment.pc), doing, fragment.wait))
}

/// A warp had its turn, of so many steps.
pub(super) fn turn(shared: &mut Shared, warps: &[Warp], index: usize, steps: u64, turn: Turn) {
    let Some(mut recorder) = shared.recorder.take() else {
        return;
    };
    if steps > 0 {
        let mut now = recorder.resume(index, &warps[index]);
        let doing = match turn {
            Turn::Spinning => Doing::Spins,
            _ => Doing::Runs,
        };
        let mut left = steps;
        if let Some(after) = recorder.completed.take() {
            let arrival = now + after;
            recorder.warps[index].put(now, arrival, doing, None);
            now = recorder.complete(shared, warps, (index, arrival), true);
            left -= after;
        }
        recorder.warps[index].put(now, now + left, doing, None);
        now += left;
        recorder.warps[index].now = now;
        // A whole warp that exits may complete a barrier, too.
        if warps[index].is_done() {
            recorder.complete(shared, warps, (index, now), false);
        }
    }
    let one = &mut recorder.warps[index];
    if let (None, Some((at, doing, wait))) = (&one.waiting, blocked(&warps[index])) {
        one.waiting = Some(Waiting {
            since: one.now,
            doing,
            at,
            wait,
            released: None,
        });
    }
    shared.recorder = Some(recorder);
}

impl Recorder {
    /// Ends the wait of a warp that runs again; gives the time.
    fn resume(&mut self, index: usize, warp: &Warp) -> u64 {
        let one = &mut self.warps[index];
        let Some(waiting) = one.waiting.take() else {
            return one.now;
        };
        let by_others = matches!(
            waiting.doing,
            Doing::Barrier(_) | Doing::Cluster | Doing::Mbarrier
        );
        let released = waiting.released.or(self.last.filter(|_| by_others));
        let released = released.filter(|(by, _)| *by != index);
        let end = released.map_or(waiting.since, |(_, at)| at.max(waiting.since));
        one.put(
            waiting.since,
            end,
            waiting.doing,
            released.map(|(by, _)| by),
        );
        one.now = end;
        let steps = end - waiting.since;
        // Who came last did not wait.
        if steps > 0 {
            let pair = released.map(|(by, _)| (warp.identity.warp, by as u32));
            self.totals.waited(waiting.at, waiting.doing, steps, pair);
        }
        end
    }

    /// A warp completes a barrier at a time: who waited at it is let go when the last has come, and so is the warp itself,
    /// unless it does so by ending. Gives that time.
    fn complete(
        &mut self,
        shared: &Shared,
        warps: &[Warp],
        (index, arrival): (usize, u64),
        waits: bool,
    ) -> u64 {
        let is_free = |waiting: &Waiting, warp: &Warp| match waiting.wait {
            Wait::Barrier(number, generation) => {
                let block = &shared.barriers[warp.identity.rank as usize];
                block.all[usize::from(number)].generation != generation
            }
            Wait::Cluster(generation) => shared.cluster.generation != generation,
            _ => false,
        };
        let mut last = (index, arrival);
        let mut place = None;
        let mut free = Vec::new();
        for (number, (one, warp)) in self.warps.iter().zip(warps).enumerate() {
            let Some(waiting) = &one.waiting else {
                continue;
            };
            if waiting.released.is_none() && is_free(waiting, warp) {
                free.push(number);
                place = Some((waiting.at, waiting.doing));
                if waiting.since > last.1 {
                    last = (number, waiting.since);
                }
            }
        }
        self.last = Some(last);
        for number in free {
            if let Some(waiting) = &mut self.warps[number].waiting {
                waiting.released = Some(last);
            }
        }
        let (by, end) = last;
        if let Some((at, doing)) = place.filter(|_| end > arrival && waits) {
            self.warps[index].put(arrival, end, doing, Some(by));
            let pair = (warps[index].identity.warp, by as u32);
            self.totals.waited(at, doing, end - arrival, Some(pair));
        }
        end
    }

    /// What is left when the group ends.
    pub(crate) fn finish(self, number: u64, warps: &[Warp], all: &mut Totals) {
        for (at, (by_warps, by_threads)) in self.totals.steps {
            let total = all.steps.entry(at).or_default();
            total.0 += by_warps;
            total.1 += by_threads;
        }
        for (region, used) in &self.totals.global {
            all.global.entry(*region).or_default().merge(used);
        }
        all.shared.merge(&self.totals.shared);
        all.local.merge(&self.totals.local);
        for (key, wait) in self.totals.waits {
            let total = all.waits.entry(key).or_default();
            total.count += wait.count;
            total.steps += wait.steps;
            for (pair, steps) in wait.pairs {
                *total.pairs.entry(pair).or_default() += steps;
            }
        }
        let is_early = all.blocks.len() < BLOCKS
            || all
                .blocks
                .keys()
                .next_back()
                .is_some_and(|last| number < *last);
        if let (true, Some(first)) = (is_early, warps.first()) {
            let shown = self.warps.into_iter().zip(warps).take(WARPS);
            let shown = shown.map(|(mut one, warp)| {
                // Who still waits, waits for ever.
                if let Some(waiting) = one.waiting.take() {
                    one.put(waiting.since, waiting.since + 1, waiting.doing, None);
                }
                (warp.identity.rank, warp.identity.warp, one.segments)
            });
            let block = Block {
                block: first.identity.block,
                warps: shown.collect(),
            };
            all.blocks.insert(number, block);
            while all.blocks.len() > BLOCKS {
                all.blocks.pop_last();
            }
        }
    }
}

impl Recorded {
    fn put(&mut self, start: u64, end: u64, doing: Doing, released_by: Option<usize>) {
        if start == end {
            return;
        }
        let full = self.segments.len() >= SEGMENTS;
        match self.segments.last_mut() {
            Some(last) if full || last.doing == doing && last.end == start => last.end = end,
            _ => self.segments.push(Segment {
                start,
                end,
                doing,
                released_by,
            }),
        }
    }
}

impl Totals {
    fn waited(&mut self, at: StepAt, doing: Doing, steps: u64, pair: Option<(u32, u32)>) {
        let total = self.waits.entry((at, doing)).or_default();
        total.count += 1;
        total.steps += steps;
        if let Some(pair) = pair {
            *total.pairs.entry(pair).or_default() += steps;
        }
    }

    /// All of it, with places in the input.
    pub(crate) fn trace(self, env: &Env<'_>, module: &Module) -> Trace {
        let program: &Program = env.program;
        let place = |(code, pc): StepAt| {
            let code = &program.codes[code];
            let origin = &code.origins[pc as usize];
            let source = match origin.loc {
                Some(loc) => source::chain(module, code, loc as usize),
                None => Vec::new(),
            };
            (origin.span, source)
        };
        // Some instructions are several steps: they are counted once, by the one that ran most.
        let mut lines: BTreeMap<(usize, u32, u32), Line> = BTreeMap::new();
        for (at, (warps, threads)) in self.steps {
            let (span, source) = place(at);
            let line = lines.entry((at.0, span.start, span.end)).or_insert(Line {
                span,
                function: program.codes[at.0].name.clone(),
                source,
                warps: 0,
                threads: 0,
            });
            line.warps = line.warps.max(warps);
            line.threads = line.threads.max(threads);
        }
        let mut lines: Vec<Line> = lines.into_values().collect();
        lines.sort_by_key(|line| (std::cmp::Reverse(line.warps), line.span.start));
        let mut memory = Vec::new();
        let mut global = self.global;
        for (number, region) in env.global.regions().iter().enumerate() {
            let used = global.remove(&number).unwrap_or_default();
            memory.push(used.piece(region.name.clone(), Some(region.address), region.bytes));
        }
        let shared_bytes = u64::from(env.shared_end() - env.program.shared_begin);
        if shared_bytes > 0 || self.shared.counts != [0; 3] {
            let bytes = u64::from(env.shared_end());
            let name = "shared memory of all blocks".to_owned();
            memory.push(self.shared.piece(name, None, bytes));
        }
        if self.local.counts != [0; 3] {
            let bytes = u64::from(program.codes[0].frame_bytes);
            let name = "local memory of all threads".to_owned();
            memory.push(self.local.piece(name, None, bytes));
        }
        let waits = self.waits.into_iter().map(|((at, doing), total)| {
            let (span, source) = place(at);
            let mut pairs: Vec<_> = total.pairs.into_iter().collect();
            pairs.sort_by_key(|(pair, steps)| (std::cmp::Reverse(*steps), *pair));
            Waited {
                span,
                source,
                doing,
                count: total.count,
                steps: total.steps,
                pairs,
            }
        });
        let mut waits: Vec<Waited> = waits.collect();
        waits.sort_by_key(|wait| (std::cmp::Reverse(wait.steps), wait.span.start));
        Trace {
            lines,
            memory,
            blocks: self.blocks.into_values().collect(),
            waits,
        }
    }
}
