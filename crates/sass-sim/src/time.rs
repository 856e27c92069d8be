//! The timed register file: which results are there, by the stall counts and scoreboards of the code that was executed.
//!
//! ```text
//!   issue ──► waits release scoreboards ──► reads and writes are held against what is pending ──► new pending accesses
//! ```
//!
//! The rules are those of [`warpc_sass::latency::check`], but along the way that lanes really took: over branches, back
//! edges, calls and returns. Lanes that go apart take what is pending with them, and bring it back where they meet: who
//! has waited for a load does not help lanes that have not.
//!
//! What a result was before is kept, so that an instruction that reads too early gets the old value.

use crate::finding::Early;
use crate::op::Step;
use smallvec::SmallVec;
use warpc_sass::latency::order::MEMORY;
use warpc_sass::latency::{Access, Facts, File, Hazard, Need, Pipe, Role, Use};
use warpc_sass::shape::Traits;

/// Cycles that are longer than any fixed latency.
const LONGEST: u64 = 48;
/// Cycles after which operands of ports that tables do not list by their pipe are read.
const LEAST_MOST_READ: u8 = 3;

/// The latencies of a chip.
#[derive(Clone, Copy)]
pub(crate) struct Rules {
    facts: &'static Facts,
    /// Cycles after which all operands are read that are read at a fixed time.
    most_read: u8,
}

impl Rules {
    /// The rules for the code of a kernel.
    pub(crate) fn of<'s>(facts: &'static Facts, steps: impl Iterator<Item = &'s Step>) -> Rules {
        let mut known: Vec<(File, Pipe)> = Vec::new();
        let mut most_read = LEAST_MOST_READ;
        for step in steps {
            let Some(pipe) = step.pipe else { continue };
            for access in &step.accesses {
                if !known.contains(&(access.file, pipe)) {
                    known.push((access.file, pipe));
                    let cycles = facts.cycles(access.file, Hazard::WriteAfterRead, pipe);
                    most_read = most_read.max(cycles.map_or(0, |cycles| cycles.1));
                }
            }
        }
        Rules { facts, most_read }
    }
}

/// Cycles that an instruction of a fixed latency takes where nothing else is issued meanwhile.
const SERIAL: u8 = 6;

/// How many instructions a scoreboard can count.
const MOST_HELD: usize = 63;
/// The scoreboard of matrices of a warpgroup, after the six.
const GROUP: usize = 6;
/// The first bits of the operands of `DEPBAR`: a set of scoreboards, one scoreboard, how many may still hold it.
const SCOREBOARD_SET: u8 = 32;
const SCOREBOARD: u8 = 44;
const STILL_HELD: u8 = 38;

/// An instruction that was issued and may not be done.
#[derive(Clone, Copy, Debug)]
struct Event {
    id: u64,
    cycle: u64,
    step: u32,
    guarded: bool,
    /// Its results are known to be there.
    written: bool,
    /// Its operands are known to be read.
    read: bool,
    early_predicate: bool,
    readers: Option<u8>,
    writers: Option<u8>,
    /// When it is done, by the estimate.
    done: u64,
}

/// A register that an event reads or writes.
#[derive(Clone, Copy, Debug)]
struct Pending {
    number: u8,
    what: Use,
    event: u64,
    lanes: u32,
    /// The cycle from which on it does not matter.
    until: u64,
}

/// What lanes at one place know of the instructions before them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clock {
    cycle: u64,
    events: Vec<Event>,
    pending: Vec<Pending>,
    /// For each file, the numbers that something is pending for.
    marked: [[u64; 4]; 4],
    /// For each scoreboard, who holds it, and whether for its results.
    held: [SmallVec<[(u64, bool); 2]>; GROUP + 1],
    /// How much may be pending until what is done is forgotten.
    enough: usize,
    /// When what was waited for is done, by the estimate.
    awaited: u64,
}

/// What is wrong with an instruction at its time.
#[derive(Default)]
pub(crate) struct Late {
    pub(crate) found: SmallVec<[Early; 1]>,
    /// Registers whose old values are read, and by which lanes.
    pub(crate) old: SmallVec<[(File, u8, u32); 1]>,
}

impl Clock {
    /// The event with a number; they are in their order.
    fn event(&self, id: u64) -> Option<&Event> {
        let at = self.events.binary_search_by_key(&id, |one| one.id).ok()?;
        self.events.get(at)
    }

    fn mark(&mut self, file: File, number: u8) {
        self.marked[file as usize][usize::from(number >> 6)] |= 1 << (number & 63);
    }

    fn is_marked(&self, file: File, number: u8) -> bool {
        self.marked[file as usize][usize::from(number >> 6)] >> (number & 63) & 1 == 1
    }

    /// Begins an instruction: what it waits for is done. By the estimate that is then, if not earlier.
    pub(crate) fn begin(&mut self, step: &Step) -> u64 {
        self.awaited = 0;
        let wait = step.inst.control.wait;
        for board in 0..6 {
            if wait >> board & 1 == 1 {
                self.release(board, 0);
            }
        }
        let traits = step.inst.shape.traits();
        let number = |bit: u8| step.inst.at(bit).and_then(|one| one.value.number());
        if traits.contains(Traits::WAITS_FOR_SCOREBOARDS) {
            let set = number(SCOREBOARD_SET).unwrap_or(0);
            for board in (0..6).filter(|board| set >> board & 1 == 1) {
                self.release(board, 0);
            }
            if let (Some(board), Some(rest)) = (number(SCOREBOARD), number(STILL_HELD)) {
                self.release(board as usize, rest as usize);
            }
        }
        if traits.contains(Traits::WAITS_FOR_GROUP) {
            let rest = step.inst.values().find_map(|value| value.number());
            self.release(GROUP, rest.unwrap_or(0) as usize);
        }
        if traits.contains(Traits::BLOCK_BARRIER) {
            self.release_earlier(u64::MAX, Some(MEMORY), None);
        }
        if self.pending.len().max(self.events.len()) > self.enough {
            self.prune();
        }
        self.awaited
    }

    /// Holds the guard of an instruction against what is pending.
    pub(crate) fn guard(&mut self, rules: &Rules, step: &Step, lanes: u32, late: &mut Late) {
        if let (Some(access), Some(pipe)) = (step.accesses.first(), step.pipe)
            && access.role == Role::Guard
        {
            self.read(rules, step, pipe, *access, lanes, late);
        }
    }

    /// Holds the operands and results of an instruction against what is pending.
    pub(crate) fn check(&mut self, rules: &Rules, step: &Step, lanes: u32, late: &mut Late) {
        let Some(pipe) = step.pipe else { return };
        for access in step
            .accesses
            .iter()
            .filter(|one| !one.is_write() && one.role != Role::Guard)
        {
            self.read(rules, step, pipe, *access, lanes, late);
        }
        for access in step.accesses.iter().filter(|one| one.is_write()) {
            for (index, number) in access.numbers().enumerate() {
                if !self.is_marked(access.file, number) {
                    continue;
                }
                let second = Use {
                    pipe,
                    access: *access,
                    index: index as u8,
                };
                for at in 0..self.pending.len() {
                    let first = self.pending[at];
                    if first.number != number
                        || first.what.access.file != access.file
                        || first.lanes & lanes == 0
                    {
                        continue;
                    }
                    let hazard = match first.what.access.is_write() {
                        true => Hazard::WriteAfterWrite,
                        false => Hazard::WriteAfterRead,
                    };
                    if let Some(early) = self.fault(rules, hazard, &first, second, step) {
                        late.found.push(early);
                    }
                }
            }
        }
    }

    fn read(
        &mut self,
        rules: &Rules,
        step: &Step,
        pipe: Pipe,
        access: Access,
        lanes: u32,
        late: &mut Late,
    ) {
        for (index, number) in access.numbers().enumerate() {
            if !self.is_marked(access.file, number) {
                continue;
            }
            let second = Use {
                pipe,
                access,
                index: index as u8,
            };
            for at in 0..self.pending.len() {
                let first = self.pending[at];
                let is_same = first.number == number && first.what.access.file == access.file;
                if !is_same || !first.what.access.is_write() || first.lanes & lanes == 0 {
                    continue;
                }
                if let Some(early) = self.fault(rules, Hazard::ReadAfterWrite, &first, second, step)
                {
                    late.found.push(early);
                    late.old.push((access.file, number, first.lanes & lanes));
                }
            }
        }
    }

    /// What is wrong between two accesses, if anything is.
    fn fault(
        &self,
        rules: &Rules,
        hazard: Hazard,
        first: &Pending,
        second: Use,
        step: &Step,
    ) -> Option<Early> {
        let event = self.event(first.event)?;
        let file = first.what.access.file;
        let done = match hazard {
            Hazard::WriteAfterRead => event.read,
            _ if event.early_predicate && file == File::Predicate => event.read || event.written,
            _ => event.written,
        };
        if done {
            return None;
        }
        let shape = step.inst.shape;
        let in_order = match hazard {
            Hazard::ReadAfterWrite => false,
            Hazard::WriteAfterWrite => {
                shape.writes_in_order().is_some() && shape.writes_in_order() == event.writers
            }
            Hazard::WriteAfterRead => {
                shape.reads_in_order().is_some() && shape.reads_in_order() == event.readers
            }
        };
        let distance = self.cycle - event.cycle;
        let need = match in_order {
            true => Need::Cycles(1),
            false => rules
                .facts
                .need(hazard, first.what, second, event.guarded)?,
        };
        let is_early = match need {
            Need::Cycles(cycles) | Need::Either(cycles) => distance < u64::from(cycles),
            Need::Scoreboard => true,
        };
        is_early.then_some(Early {
            hazard,
            file,
            number: first.number,
            first: event.step * 16,
            need,
            distance: distance.min(u64::from(u32::MAX)) as u32,
        })
    }

    /// Ends an instruction that these lanes executed: what it does is pending from now on. `elapsed` is the estimated
    /// time; by how much it is later comes back.
    pub(crate) fn end(
        &mut self,
        rules: &Rules,
        issue: (u64, u64),
        at: u32,
        step: &Step,
        lanes: u32,
    ) -> u64 {
        let (id, elapsed) = issue;
        let control = step.inst.control;
        let shape = step.inst.shape;
        let serial = control.stall == 0 && !control.keep;
        // Without lanes it keeps its place among those that finish in order, and its scoreboards say so.
        let matters = lanes != 0 || control.write < 6 || control.read < 6;
        if let (Some(pipe), false, true) = (step.pipe, serial, matters) {
            let traits = shape.traits();
            self.events.push(Event {
                id,
                cycle: self.cycle,
                step: at,
                guarded: step.guard != warpc_sass::Guard::ALWAYS,
                written: false,
                read: traits.contains(Traits::BLOCK_BARRIER),
                early_predicate: traits.contains(Traits::EARLY_PREDICATE),
                readers: shape.reads_in_order(),
                writers: shape.writes_in_order(),
                done: elapsed + u64::from(step.estimate),
            });
            for access in step.accesses.iter().filter(|_| lanes != 0) {
                self.pend(rules, id, at, pipe, *access, step, lanes);
            }
            for (board, results) in [(control.write, true), (control.read, false)] {
                if board < 6 {
                    let board = usize::from(board);
                    // A scoreboard counts to 63: the chip waits where it would be more.
                    self.release(board, MOST_HELD - 1);
                    self.held[board].push((id, results));
                }
            }
            if traits.contains(Traits::RAISES_GROUP) {
                self.held[GROUP].push((id, true));
            }
        }
        let own = match serial {
            true => u64::from(step.estimate).max(u64::from(SERIAL)),
            false => u64::from(control.stall).max(1),
        };
        self.cycle += u64::from(control.stall);
        if serial {
            self.cycle += LONGEST;
        }
        own
    }

    #[allow(clippy::too_many_arguments)]
    fn pend(
        &mut self,
        rules: &Rules,
        id: u64,
        at: u32,
        pipe: Pipe,
        access: Access,
        step: &Step,
        lanes: u32,
    ) {
        for (index, number) in access.numbers().enumerate() {
            let what = Use {
                pipe,
                access,
                index: index as u8,
            };
            let until = match access.is_write() {
                true if rules.facts.is_variable(pipe) => u64::MAX,
                true => self.cycle + LONGEST,
                false if rules.facts.reads_late(what) => u64::MAX,
                false => {
                    let most = rules.most_read;
                    // Most are read before the next instruction is issued.
                    if most <= step.inst.control.stall {
                        continue;
                    }
                    self.cycle + u64::from(most)
                }
            };
            if !self.is_marked(access.file, number) {
                // Nothing else is pending for it.
            } else if access.is_write() && step.guard == warpc_sass::Guard::ALWAYS {
                // What came before is covered by this one: it was held against it.
                self.pending.retain(|one| {
                    let is_same = one.number == number && one.what.access.file == access.file;
                    !(is_same && one.lanes & !lanes == 0 && one.event != id)
                });
            } else {
                // The same instruction again: it does in order what it does twice.
                let events = &self.events;
                let is_again = |id: u64| {
                    let found = events.binary_search_by_key(&id, |one| one.id);
                    found.is_ok_and(|found| events[found].step == at)
                };
                let mut more = 0;
                self.pending.retain(|one| {
                    let is_same = one.number == number && one.what == what && one.event != id;
                    let again = is_same && is_again(one.event);
                    if again {
                        more |= one.lanes;
                    }
                    !again
                });
                if more != 0 {
                    self.pending.push(Pending {
                        number,
                        what,
                        event: id,
                        lanes: more | lanes,
                        until,
                    });
                    continue;
                }
            }
            self.mark(access.file, number);
            self.pending.push(Pending {
                number,
                what,
                event: id,
                lanes,
                until,
            });
        }
    }

    /// A scoreboard that at most so many still hold.
    fn release(&mut self, board: usize, rest: usize) {
        let Some(held) = self.held.get_mut(board) else {
            return;
        };
        let gone = held.len().saturating_sub(rest);
        if gone == 0 {
            return;
        }
        let gone: SmallVec<[(u64, bool); 8]> = held.drain(..gone).collect();
        for (id, results) in gone {
            let Ok(at) = self.events.binary_search_by_key(&id, |one| one.id) else {
                continue;
            };
            let event = &mut self.events[at];
            event.written |= results;
            event.read = true;
            // Operands are read long before the result is there.
            if results {
                self.awaited = self.awaited.max(event.done);
            }
            let (readers, writers) = (event.readers, event.writers);
            self.release_earlier(id, readers, if results { writers } else { None });
        }
    }

    /// What was issued before and keeps its order with an instruction that is done.
    fn release_earlier(&mut self, id: u64, readers: Option<u8>, writers: Option<u8>) {
        for event in self.events.iter_mut().filter(|one| one.id < id) {
            event.read |= readers.is_some() && event.readers == readers;
            event.written |= writers.is_some() && event.writers == writers;
        }
    }

    /// Forgets what is done.
    fn prune(&mut self) {
        let now = self.cycle;
        let events = &self.events;
        let find = |id: u64| events.binary_search_by_key(&id, |one| one.id).ok();
        let mut needed = vec![false; events.len()];
        self.pending.retain(|one| {
            let Some(at) = find(one.event) else {
                return false;
            };
            let done = match one.what.access.is_write() {
                true => events[at].written,
                false => events[at].read,
            };
            let stays = !done && one.until > now;
            needed[at] |= stays;
            stays
        });
        for (id, _) in self.held.iter().flatten() {
            if let Some(at) = find(*id) {
                needed[at] = true;
            }
        }
        let mut needed = needed.into_iter();
        self.events.retain(|_| needed.next() == Some(true));
        self.marked = Default::default();
        for index in 0..self.pending.len() {
            let one = self.pending[index];
            self.mark(one.what.access.file, one.number);
        }
        self.enough = 2 * self.pending.len().max(self.events.len()) + 32;
    }

    /// What some of the lanes take with them.
    pub(crate) fn split(&mut self, lanes: u32) -> Clock {
        self.prune();
        let mut other = self.clone();
        for one in &mut other.pending {
            one.lanes &= lanes;
        }
        for one in &mut self.pending {
            one.lanes &= !lanes;
        }
        other.pending.retain(|one| one.lanes != 0);
        self.pending.retain(|one| one.lanes != 0);
        other
    }

    /// Lanes that come back: what is pending for them is pending from here on.
    pub(crate) fn merge(&mut self, mut other: Clock) {
        other.prune();
        self.prune();
        let (mine, theirs) = (self.cycle, other.cycle);
        let now = mine.max(theirs);
        for event in &mut self.events {
            event.cycle += now - mine;
        }
        self.cycle = now;
        for event in other.events {
            let shifted = Event {
                cycle: event.cycle + (now - theirs),
                ..event
            };
            match self.events.iter_mut().find(|one| one.id == event.id) {
                // One side may have waited: the registers of the other lanes are still pending.
                Some(known) => {
                    known.written &= event.written;
                    known.read &= event.read;
                }
                None => self.events.push(shifted),
            }
        }
        self.events.sort_by_key(|one| one.id);
        for one in other.pending {
            match self.pending.iter_mut().find(|known| {
                known.event == one.event && known.number == one.number && known.what == one.what
            }) {
                Some(known) => known.lanes |= one.lanes,
                None => {
                    self.mark(one.what.access.file, one.number);
                    self.pending.push(one);
                }
            }
        }
        for (mine, theirs) in self.held.iter_mut().zip(other.held) {
            for one in theirs {
                if !mine.contains(&one) {
                    mine.push(one);
                }
            }
            mine.sort_unstable();
        }
    }
}
