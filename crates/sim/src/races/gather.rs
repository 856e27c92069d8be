//! Barriers: of warps, blocks and clusters, and objects in shared memory.

use super::clock::{Shape, State, WarpClock, reach};
use super::know::{Actor, CHANNELS, Entry, Know, channel};
use crate::program::Order;
use rustc_hash::FxHashMap;

/// Lanes that have come to a barrier of a block.
#[derive(Debug)]
struct Arrival {
    /// The warp's number in its group.
    warp: usize,
    lanes: u32,
    /// What they hand on, if they do not wait.
    goes_on: Option<Know>,
}

/// Barriers of blocks, by block of the cluster and number.
#[derive(Debug, Default)]
pub(super) struct BlockBarriers(FxHashMap<(u32, u32), Vec<Arrival>>);

impl BlockBarriers {
    /// Lanes come to a barrier with a number of threads.
    pub(super) fn arrive(
        &mut self,
        shape: &Shape,
        clocks: &mut [WarpClock],
        at: (u32, u32),
        (warp, lanes): (usize, u32),
        goes_on: bool,
    ) {
        let know = goes_on.then(|| {
            let clock = &mut clocks[warp];
            hand_on(shape, clock, lanes)
        });
        self.0.entry(at).or_default().push(Arrival {
            warp,
            lanes,
            goes_on: know,
        });
    }

    /// The barrier is complete: those who waited know of all.
    pub(super) fn complete(&mut self, shape: &Shape, clocks: &mut [WarpClock], at: (u32, u32)) {
        let Some(arrivals) = self.0.remove(&at) else {
            return;
        };
        let mut know = Know::default();
        let mut last = 0;
        for arrival in &arrivals {
            match &arrival.goes_on {
                Some(handed) => know.join(handed),
                None => {
                    let clock = &mut clocks[arrival.warp];
                    let warp = clock.warp;
                    for class in clock.of(arrival.lanes) {
                        last = last.max(class.state.own);
                        know.join(&class.state.published(shape, warp, class.lanes));
                    }
                }
            }
        }
        let waiting = || arrivals.iter().filter(|arrival| arrival.goes_on.is_none());
        // They go on at the same clock, so that one entry says it of all lanes of a warp.
        for arrival in waiting() {
            let warp = clocks[arrival.warp].warp;
            know.change(shape.height, shape.block(warp), |leaf| {
                leaf.add(Entry {
                    actor: warp,
                    lanes: arrival.lanes,
                    clock: last,
                });
            });
        }
        for arrival in waiting() {
            let clock = &mut clocks[arrival.warp];
            let warp = clock.warp;
            for class in clock.of(arrival.lanes) {
                class.state.learn(shape, warp, &know);
                class.state.own = last;
                class.state.tick();
            }
            clock.merge();
        }
    }
}

/// What lanes of a warp hand on; they go on at the next clock.
pub(super) fn hand_on(shape: &Shape, clock: &mut WarpClock, lanes: u32) -> Know {
    let warp = clock.warp;
    let mut know = Know::default();
    for class in clock.of(lanes) {
        know.join(&class.state.published(shape, warp, class.lanes));
        class.state.tick();
    }
    know
}

/// All threads of a block meet.
pub(super) fn meet_all(shape: &Shape, clocks: &mut [WarpClock]) {
    let states = || clocks.iter().flat_map(|clock| &clock.classes);
    let last = states().map(|class| class.state.own).max().unwrap_or(1);
    if states().all(|class| class.state.is_plain()) {
        for clock in clocks {
            for class in &mut clock.classes {
                class.state.meet(last);
            }
            if clock.classes.len() > 1 {
                clock.merge();
            }
        }
        return;
    }
    let mut know = Know::default();
    for clock in clocks.iter() {
        for class in &clock.classes {
            know.join(&class.state.published(shape, clock.warp, class.lanes));
        }
    }
    let mut common = State::default();
    if let Some(first) = clocks.first() {
        common.learn(shape, first.warp, &know);
    }
    common.meet(last);
    for clock in clocks {
        for class in &mut clock.classes {
            class.state.adopt(&common);
        }
        clock.merge();
    }
}

/// `bar.warp.sync`: some lanes of a warp meet.
pub(super) fn meet_lanes(shape: &Shape, clock: &mut WarpClock, lanes: u32) {
    let warp = clock.warp;
    let mut know = Know::default();
    let mut last = 0;
    for class in clock.of(lanes) {
        last = last.max(class.state.own);
        if !class.state.is_plain() {
            know.join(&class.state.published(shape, warp, class.lanes));
        }
    }
    let entry = Entry {
        actor: warp,
        lanes,
        clock: last,
    };
    let mut common: Option<State> = None;
    for class in clock.of(lanes) {
        match &common {
            Some(common) => class.state.adopt(common),
            None => {
                class.state.learn(shape, warp, &know);
                class.state.note(shape, warp, entry);
                class.state.own = last;
                class.state.tick();
                common = Some(class.state.clone());
            }
        }
    }
    clock.merge();
}

/// What comes in turns: the knowledge of the turn that goes on, and that of the last one.
#[derive(Clone, Debug, Default)]
struct Turns {
    turn: u32,
    coming: Arrivals,
    over: Arrivals,
}

/// What was handed on, by block and by how far it reaches.
type Arrivals = Vec<(u32, usize, Know)>;

impl Turns {
    fn enter(&mut self, turn: u32) {
        if self.turn != turn {
            // With more than one turn in between nobody came in the last one.
            let next = self.turn.wrapping_add(1) == turn;
            self.over = match next {
                true => std::mem::take(&mut self.coming),
                false => Arrivals::default(),
            };
            self.coming.clear();
            self.turn = turn;
        }
    }

    fn add(&mut self, block: u32, reach: usize, know: &Know) {
        let found = self
            .coming
            .iter_mut()
            .find(|(of, to, _)| (*of, *to) == (block, reach));
        match found {
            Some((_, _, known)) => known.join(know),
            None => self.coming.push((block, reach, know.clone())),
        }
    }

    /// Lanes have waited for the last turn.
    fn wait(&self, shape: &Shape, clock: &mut WarpClock, lanes: u32, order: Order) {
        let warp = clock.warp;
        let own = shape.block(warp);
        for class in clock.of(lanes) {
            for (block, to, know) in &self.over {
                let distance = shape.distance(*block, own);
                if *to < distance || reach(order.scope) < distance {
                    continue;
                }
                if order.acquire {
                    class.state.learn(shape, warp, know);
                } else {
                    class.state.saw_arrivals(distance, know);
                }
            }
        }
    }
}

/// What an arrival hands on: by itself, or by the fences before it. With how far that reaches.
fn handed(shape: &Shape, clock: &mut WarpClock, lanes: u32, order: Order) -> Vec<(usize, Know)> {
    let far = reach(order.scope);
    if order.release {
        return vec![(far, hand_on(shape, clock, lanes))];
    }
    let warp = clock.warp;
    let mut list = Vec::new();
    for class in clock.of(lanes) {
        for distance in 0..=far {
            if let Some(snapshot) = class.state.fenced(distance) {
                list.push((distance, snapshot.published(shape, warp, class.lanes)));
            }
        }
    }
    list
}

/// The barrier of a cluster.
#[derive(Debug, Default)]
pub(super) struct ClusterBarrier(Turns);

impl ClusterBarrier {
    pub(super) fn arrive(
        &mut self,
        shape: &Shape,
        clock: &mut WarpClock,
        lanes: u32,
        (order, generation): (Order, u32),
    ) {
        self.0.enter(generation);
        let block = shape.block(clock.warp);
        for (reach, know) in handed(shape, clock, lanes, order) {
            self.0.add(block, reach, &know);
        }
    }

    pub(super) fn wait(
        &mut self,
        shape: &Shape,
        clock: &mut WarpClock,
        lanes: u32,
        (order, generation): (Order, u32),
    ) {
        self.0.enter(generation);
        self.0.wait(shape, clock, lanes, order);
    }
}

/// A barrier object in shared memory.
#[derive(Debug, Default)]
struct Object {
    turns: Turns,
    /// As what its copies are known, and the clock of phase 0.
    actor: Option<Actor>,
    base: u32,
}

/// The barrier objects of a group.
#[derive(Debug, Default)]
pub(super) struct Objects {
    group: u64,
    all: FxHashMap<(u32, u32), Object>,
    channels: u32,
}

impl Objects {
    pub(super) fn new(group: u64) -> Objects {
        Objects {
            group,
            ..Objects::default()
        }
    }

    /// It begins anew.
    pub(super) fn init(&mut self, at: (u32, u32)) {
        let object = self.all.entry(at).or_default();
        object.base += object.turns.turn + 1;
        object.turns = Turns::default();
    }

    fn entered(&mut self, at: (u32, u32), phase: u32) -> &mut Object {
        let object = self.all.entry(at).or_default();
        object.turns.enter(phase);
        object
    }

    /// Lanes arrive in a phase.
    pub(super) fn arrive(
        &mut self,
        shape: &Shape,
        clock: &mut WarpClock,
        lanes: u32,
        at: (u32, u32),
        (order, phase): (Order, u32),
    ) {
        let block = shape.block(clock.warp);
        let object = self.entered(at, phase);
        for (reach, know) in handed(shape, clock, lanes, order) {
            object.turns.add(block, reach, &know);
        }
    }

    /// Something arrives when copies are done: they are known then.
    pub(super) fn arrive_for(&mut self, shape: &Shape, entry: Entry, at: (u32, u32), phase: u32) {
        let block = shape.block(entry.actor);
        let mut know = Know::default();
        know.change(shape.height, block, |leaf| {
            leaf.add(entry);
        });
        // Whoever waits sees the copies, in whatever block.
        self.entered(at, phase).turns.add(block, 2, &know);
    }

    /// As what a copy is known that an object counts, and when.
    pub(super) fn copy(&mut self, at: (u32, u32), phase: u32) -> Option<(Actor, u32)> {
        let (group, next) = (self.group, self.channels);
        let object = self.entered(at, phase);
        let clock = object.base + phase + 1;
        if let Some(actor) = object.actor {
            return Some((actor, clock));
        }
        if next == CHANNELS {
            return None;
        }
        let actor = channel(group, next);
        object.actor = Some(actor);
        self.channels += 1;
        Some((actor, clock))
    }

    /// Lanes saw that a phase is over: this many are now.
    pub(super) fn wait(
        &mut self,
        shape: &Shape,
        clock: &mut WarpClock,
        lanes: u32,
        at: (u32, u32),
        (order, phase): (Order, u32),
    ) {
        let object = self.entered(at, phase);
        object.turns.wait(shape, clock, lanes, order);
        if let Some(actor) = object.actor {
            let entry = Entry {
                actor,
                lanes: u32::MAX,
                clock: object.base + phase,
            };
            let warp = clock.warp;
            // A relaxed wait sees that the copies are done; it takes a fence to know what they wrote.
            let mut seen = Know::default();
            if !order.acquire {
                seen.change(shape.height, shape.block(actor), |leaf| {
                    leaf.add(entry);
                });
            }
            let distance = shape.distance(shape.block(actor), shape.block(warp));
            for class in clock.of(lanes) {
                if order.acquire {
                    class.state.note(shape, warp, entry);
                } else if reach(order.scope) >= distance {
                    class.state.saw_arrivals(distance, &seen);
                }
            }
        }
        clock.merge();
    }
}
