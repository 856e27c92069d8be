//! What may be open at a place in the code, and how an instruction changes it.

use super::prepare::{BOARDS, Class, Prepared, Program, REGISTERS};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use warpc_sass::latency::check::SERIAL;
use warpc_sass::latency::order::MEMORY;

/// A scoreboard says nothing about it.
const SILENT: i8 = -1;
/// More instructions than `DEPBAR` can name.
const MANY: i8 = 64;

/// The mark of what was left open in the function itself; others are the number of the calling block and one.
const OWN: u32 = 0;

/// An access that may be open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// The register.
    pub register: u16,
    /// How it is accessed.
    pub class: u32,
    /// Through which call it came into this function.
    mark: u32,
    /// An instruction that does it, on the shortest way.
    pub from: u32,
    /// The fewest cycles since it was issued; in a [`Working`] state, the clock when it was issued.
    time: u32,
    /// For each scoreboard, how many instructions hold it since it tells of this, or [`SILENT`].
    boards: [i8; BOARDS],
    /// Whether the predicate of its guard is unchanged since.
    pub guard_holds: bool,
    /// The instruction that gave the register its value, if it always gives the same.
    pub value: Option<u32>,
}

/// What is known at a place in the code.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct State {
    /// What may be open, in order.
    pub events: Vec<Event>,
    /// Registers whose value an instruction gave that always gives the same, on every way; in order.
    constants: Vec<(u16, u32)>,
}

impl Event {
    fn key(&self) -> (u16, u32, u32) {
        (self.register, self.class, self.mark)
    }

    /// Whether a wait until so many hold a scoreboard proves it done.
    fn is_told_by(&self, (board, rest): &(usize, usize)) -> bool {
        let held = self.boards.get(*board).copied().unwrap_or(SILENT);
        held != SILENT && held as usize >= *rest
    }

    /// Makes this hold for two ways; whether it changed.
    fn weaken(&mut self, other: &Event) -> bool {
        let mut changed = false;
        if other.time < self.time {
            (self.time, self.from) = (other.time, other.from);
            changed = true;
        }
        for (own, other) in self.boards.iter_mut().zip(other.boards) {
            changed |= other < *own;
            *own = other.min(*own);
        }
        changed |= self.guard_holds && !other.guard_holds;
        self.guard_holds &= other.guard_holds;
        changed |= self.value.is_some() && self.value != other.value;
        self.value = self.value.filter(|value| other.value == Some(*value));
        changed
    }
}

/// Adds to a state what may be on another way; whether it changed.
pub fn merge(state: &mut State, more: State) -> bool {
    let known = state.constants.len();
    let constants = &more.constants;
    state
        .constants
        .retain(|one| constants.binary_search(one).is_ok());
    merge_events(&mut state.events, more.events) | (state.constants.len() < known)
}

fn merge_events(state: &mut Vec<Event>, more: Vec<Event>) -> bool {
    let fits = |one: &Event| state.binary_search_by_key(&one.key(), Event::key);
    if more.iter().all(|one| fits(one).is_ok()) {
        let mut changed = false;
        for one in &more {
            if let Ok(at) = state.binary_search_by_key(&one.key(), Event::key) {
                changed |= state[at].weaken(one);
            }
        }
        return changed;
    }
    let old = std::mem::take(state);
    let mut more = more.into_iter().peekable();
    for mut event in old {
        while let Some(new) = more.next_if(|new| new.key() < event.key()) {
            state.push(new);
        }
        if let Some(same) = more.next_if(|new| new.key() == event.key()) {
            event.weaken(&same);
        }
        state.push(event);
    }
    state.extend(more);
    true
}

/// What a function inherits from the block that calls it.
pub fn inherited(after: &State, caller: usize) -> State {
    let mut state: Vec<Event> = Vec::with_capacity(after.events.len());
    for event in &after.events {
        let mut event = event.clone();
        event.mark = mark(caller);
        match state.last_mut().filter(|last| last.key() == event.key()) {
            Some(last) => _ = last.weaken(&event),
            None => state.push(event),
        }
    }
    State::of(state)
}

/// What is open after a call: what the function itself left open, and of what the caller had `left` what is still open
/// where the function `returned`.
pub fn returned(left: &State, returned: &State, caller: usize) -> State {
    let (left, returned) = (&left.events, &returned.events);
    let mut state = Vec::new();
    for event in returned.iter().filter(|event| event.mark == OWN) {
        state.push(event.clone());
    }
    let back = mark(caller);
    for event in returned.iter().filter(|event| event.mark == back) {
        let start = left.partition_point(|one| {
            (one.register, one.class).cmp(&(event.register, event.class)) == Ordering::Less
        });
        let same = left[start..].iter();
        let same =
            same.take_while(|one| (one.register, one.class) == (event.register, event.class));
        state.extend(same.map(|one| Event {
            mark: one.mark,
            ..event.clone()
        }));
    }
    State::of(sorted(state))
}

/// What is open after a call to code that is not known.
pub fn after_foreign_call(program: &Program, after: &State) -> State {
    let events = after.events.iter();
    let open = events.filter(|event| program.classes[event.class as usize].longest.is_none());
    let open = open.map(|event| Event {
        time: SERIAL,
        ..event.clone()
    });
    State::of(open.collect())
}

impl State {
    /// Nothing but events is known.
    fn of(events: Vec<Event>) -> State {
        State {
            events,
            constants: Vec::new(),
        }
    }
}

fn mark(caller: usize) -> u32 {
    u32::try_from(caller + 1).unwrap_or(u32::MAX)
}

/// In order, with one event for each key.
fn sorted(mut state: Vec<Event>) -> Vec<Event> {
    state.sort_by_key(Event::key);
    state.dedup_by(|second, first| {
        let same = first.key() == second.key();
        if same {
            first.weaken(second);
        }
        same
    });
    state
}

/// A state while instructions are stepped over: events by register, with a clock.
pub struct Working {
    clock: u32,
    cells: Vec<Vec<Event>>,
    /// The registers that may have events.
    live: Vec<u16>,
    is_live: Vec<bool>,
    /// For each register, the instruction that gave it its value, if that always gives the same.
    constants: BTreeMap<u16, u32>,
}

impl Working {
    /// Nothing is open.
    pub fn new() -> Working {
        Working {
            clock: SERIAL,
            cells: vec![Vec::new(); REGISTERS],
            live: Vec::new(),
            is_live: vec![false; REGISTERS],
            constants: BTreeMap::new(),
        }
    }

    /// Takes over the state of a block.
    pub fn load(&mut self, state: &State) {
        self.each_cell(|cell| cell.clear());
        self.clock = SERIAL;
        self.constants = state.constants.iter().copied().collect();
        for event in &state.events {
            let event = Event {
                time: self.clock - event.time.min(SERIAL),
                ..event.clone()
            };
            self.add(event);
        }
    }

    /// The state after a block.
    pub fn store(&mut self, program: &Program) -> State {
        let mut state = Vec::new();
        let clock = self.clock;
        self.each_cell(|cell| {
            let events = cell.drain(..).map(|event| Event {
                time: (clock - event.time).min(SERIAL),
                ..event
            });
            let longest = |event: &Event| program.classes[event.class as usize].longest;
            let open = |event: &Event| longest(event).is_none_or(|most| event.time < most.into());
            state.extend(events.filter(open));
        });
        State {
            events: sorted(state),
            constants: std::mem::take(&mut self.constants).into_iter().collect(),
        }
    }

    /// What may be open of a register.
    pub fn at(&self, register: u16) -> &[Event] {
        &self.cells[usize::from(register)]
    }

    /// The fewest cycles since an event.
    pub fn distance(&self, event: &Event) -> u32 {
        self.clock - event.time
    }

    /// Steps over an instruction.
    pub fn step(&mut self, program: &Program, prepared: &Prepared) {
        self.wait(program, prepared);
        self.issue(program, prepared);
    }

    /// What is done when the instruction has waited.
    pub fn wait(&mut self, program: &Program, prepared: &Prepared) {
        let (clock, barrier) = (self.clock, prepared.is_barrier);
        if prepared.waits.is_empty() && !barrier {
            return;
        }
        let is_done = |event: &Event| {
            let class = &program.classes[event.class as usize];
            prepared.waits.iter().any(|wait| event.is_told_by(wait))
                || barrier && !class.is_write() && class.readers == Some(MEMORY)
                || class
                    .longest
                    .is_some_and(|longest| clock - event.time >= longest.into())
        };
        self.each_cell(|cell| cell.retain(|event| !is_done(event)));
    }

    /// How many events only the wait for one scoreboard proves done.
    pub fn told_by(&self, waits: &[(usize, usize)], board: usize) -> usize {
        let events = self.live.iter().flat_map(|register| self.at(*register));
        let told = events.filter(|event| {
            let mut telling = waits.iter().filter(|wait| event.is_told_by(wait));
            telling.any(|wait| wait.0 == board)
                && !waits
                    .iter()
                    .any(|wait| wait.0 != board && event.is_told_by(wait))
        });
        told.count()
    }

    /// What is open after the instruction is issued, when the next one may be.
    pub fn issue(&mut self, program: &Program, prepared: &Prepared) {
        self.hold(program, prepared);
        for (file, number) in &prepared.predicates {
            let same = |class: &Class| class.guard.0 == *number && class.guard.2 == *file;
            self.each_cell(|cell| {
                for event in cell.iter_mut() {
                    event.guard_holds &= !same(&program.classes[event.class as usize]);
                }
            });
        }
        for own in program.uses(prepared) {
            let class = &program.classes[own.class as usize];
            let cell = &mut self.cells[usize::from(own.register)];
            if class.is_write() && !prepared.is_guarded {
                cell.clear();
            }
            let value = self.constants.get(&own.register).copied();
            if class.is_write() {
                self.constants.remove(&own.register);
                if prepared.is_constant {
                    self.constants.insert(own.register, prepared.at);
                }
            }
            let done = prepared.is_serial || class.longest == Some(0);
            if done {
                continue;
            }
            let mut boards = [SILENT; BOARDS];
            for (board, held) in boards.iter_mut().enumerate() {
                let by_results = prepared.results >> board & 1 == 1;
                let by_operands = prepared.operands >> board & 1 == 1;
                if by_results || by_operands && class.done_when_read {
                    *held = 0;
                }
            }
            let event = Event {
                register: own.register,
                class: own.class,
                mark: OWN,
                from: prepared.at,
                time: self.clock,
                boards,
                guard_holds: !prepared
                    .predicates
                    .contains(&(class.guard.2, class.guard.0)),
                value,
            };
            self.replace(event);
        }
        let serial = if prepared.is_serial { SERIAL } else { 0 };
        self.clock = self.clock.saturating_add(prepared.stall + serial);
    }

    /// The scoreboards that the instruction holds, for what was issued before it.
    fn hold(&mut self, program: &Program, prepared: &Prepared) {
        let held = prepared.results | prepared.operands;
        if held == 0 {
            return;
        }
        self.each_cell(|cell| {
            for event in cell.iter_mut() {
                let class = &program.classes[event.class as usize];
                let mut tells = 0;
                if class.done_when_read
                    && prepared.readers.is_some()
                    && class.readers == prepared.readers
                {
                    tells |= held;
                }
                if class.done_when_written
                    && prepared.writers.is_some()
                    && class.writers == prepared.writers
                {
                    tells |= prepared.results;
                }
                for (board, count) in event.boards.iter_mut().enumerate() {
                    if held >> board & 1 == 0 {
                        continue;
                    }
                    if *count != SILENT {
                        *count = (*count + 1).min(MANY);
                    } else if tells >> board & 1 == 1 {
                        *count = 0;
                    }
                }
            }
        });
    }

    fn add(&mut self, event: Event) {
        let register = usize::from(event.register);
        if !std::mem::replace(&mut self.is_live[register], true) {
            self.live.push(event.register);
        }
        self.cells[register].push(event);
    }

    /// Adds an event of this very moment: an older one of its kind is still as far away as it was, and what is known of
    /// both holds.
    fn replace(&mut self, event: Event) {
        let cell = &mut self.cells[usize::from(event.register)];
        let same = cell.iter_mut().find(|one| one.key() == event.key());
        match same {
            Some(same) => {
                // The later one is the closer one.
                (same.time, same.from) = (event.time, event.from);
                for (own, new) in same.boards.iter_mut().zip(event.boards) {
                    *own = new.min(*own);
                }
                same.guard_holds &= event.guard_holds;
                same.value = same.value.filter(|value| event.value == Some(*value));
            }
            None => self.add(event),
        }
    }

    /// Looks at all registers that may have events, and forgets those that have none.
    fn each_cell(&mut self, mut see: impl FnMut(&mut Vec<Event>)) {
        let (cells, is_live) = (&mut self.cells, &mut self.is_live);
        self.live.retain(|register| {
            let cell = &mut cells[usize::from(*register)];
            see(cell);
            is_live[usize::from(*register)] = !cell.is_empty();
            !cell.is_empty()
        });
    }
}
