//! Release and acquire: what strong accesses of a place hand on from thread to thread.
//!
//! A release pattern is a write that releases, or a strong write after a fence or after a release of the same place by the
//! same thread; an acquire pattern is a read that acquires, or a strong read before a fence or before an acquire of the same
//! place. They order what is before the one and after the other if the read sees the write, or an atomic operation that goes
//! back to it, and the scopes of the first operation of the one and the last of the other include both threads.
//!
//! Whether a read sees a write depends on the scopes of the accesses, step by step ([`Location::fits`]); whether the patterns
//! fit depends on the scopes of their ends alone, which a fence may have wider than its access.

use super::clock::{Class, Missed, Shape, State, WarpClock, needed, reach};
use super::know::{Actor, Know};
use crate::program::{Order, Scope};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::sync::Arc;

/// What begins a release pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Begin {
    /// Nothing: a strong write that is not a release.
    Nothing,
    /// The write itself, or an earlier one of the thread.
    Write(Scope),
    /// A fence.
    Fence(Scope),
}

impl Begin {
    fn scope(self) -> Option<Scope> {
        match self {
            Begin::Nothing => None,
            Begin::Write(scope) | Begin::Fence(scope) => Some(scope),
        }
    }
}

/// What a write handed on.
#[derive(Clone, Debug)]
pub(super) struct Release {
    /// The block of the writer; [`MANY`] if there were several.
    block: u32,
    begin: Begin,
    /// The scope of the write.
    write: Scope,
    know: Know,
}

/// A release of a place by a thread, which later strong writes of the thread hand on, too.
#[derive(Clone, Debug)]
struct Own {
    /// The thread; none for those that are not told apart any more.
    by: Option<(Actor, u32)>,
    scope: Scope,
    know: Know,
}

/// Blocks that are not told apart any more.
const MANY: u32 = u32::MAX;
/// So many releases of a place are told apart. Of more, the first ones count as ones that fit every acquire: then
/// something may be missed, but nothing is reported that is ordered.
const MOST: usize = 8;

/// The releases that a read of a place would see.
#[derive(Clone, Debug, Default)]
pub(super) struct Location {
    bytes: u32,
    /// The block and the scope of the last write: who reads it must fit, whatever that goes back to.
    last: (u32, Scope),
    releases: SmallVec<[Release; 1]>,
    own: SmallVec<[Own; 1]>,
    /// Whether something else has written there since: a weak write, or one of another size.
    is_over: bool,
}

/// All places by address.
#[derive(Debug, Default)]
pub(super) struct Locations {
    all: FxHashMap<u64, Location>,
    /// Parts of memory that have some.
    parts: FxHashSet<u64>,
}

/// Bytes of a part, as a power of two.
const PART_BITS: u32 = 10;
/// The most bytes of an access.
const WIDEST: u64 = 16;

impl Locations {
    /// Other writes than those that are told to [`write`]: what was handed on at these addresses is not seen any more.
    pub(super) fn overwrite(&mut self, at: u64, bytes: u32) {
        if self.parts.contains(&(at >> PART_BITS)) {
            self.end(at, bytes, None);
        }
    }

    /// Whether nothing was handed on anywhere.
    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    #[cold]
    fn end(&mut self, at: u64, bytes: u32, but: Option<u32>) {
        let end = at + u64::from(bytes);
        // Accesses are aligned to their size, so wider ones begin at one of few places before this one.
        let wider = (1..=WIDEST.ilog2()).map(|bits| at >> bits << bits);
        let wider = wider.filter(|start| *start != at);
        for start in wider.chain(at..end) {
            if let Some(location) = self.all.get_mut(&start)
                && start + u64::from(location.bytes) > at
                && !(start == at && Some(location.bytes) == but)
            {
                location.releases.clear();
                location.is_over = true;
            }
        }
    }

    fn entry(&mut self, at: u64) -> &mut Location {
        self.parts.insert(at >> PART_BITS);
        self.all.entry(at).or_default()
    }
}

impl Location {
    /// Whether an access fits the last write, so that it sees what that goes back to.
    fn fits(&self, shape: &Shape, (block, scope): (u32, Scope), bytes: u32) -> bool {
        let distance = shape.distance(self.last.0, block);
        !self.is_over && self.bytes == bytes && reach(scope).min(reach(self.last.1)) >= distance
    }

    /// An atomic operation is the last write: what it does not see ends.
    fn carry_on(&mut self, shape: &Shape, last: (u32, Scope), bytes: u32) {
        if !self.fits(shape, last, bytes) {
            self.releases.clear();
        }
        if self.bytes != bytes {
            self.own.clear();
        }
        self.bytes = bytes;
        self.last = last;
        self.is_over = false;
    }

    fn add(&mut self, release: Release) {
        for old in &mut self.releases {
            if (old.block, old.begin, old.write) == (release.block, release.begin, release.write) {
                old.know.join(&release.know);
                return;
            }
        }
        if self.releases.len() >= MOST {
            let old = match self.releases[0].block == MANY {
                true => self.releases.remove(1),
                false => self.releases.remove(0),
            };
            if old.begin != Begin::Nothing {
                match self.releases.first_mut().filter(|one| one.block == MANY) {
                    Some(many) => many.know.join(&old.know),
                    None => self.releases.insert(
                        0,
                        Release {
                            block: MANY,
                            begin: Begin::Write(Scope::Sys),
                            ..old
                        },
                    ),
                }
            }
        }
        self.releases.push(release);
    }

    /// A thread has released the place.
    fn own(&mut self, by: (Actor, u32), scope: Scope, know: &Know) {
        let same = |own: &&mut Own| own.by == Some(by) && own.scope == scope;
        if let Some(own) = self.own.iter_mut().find(same) {
            own.know = know.clone();
            return;
        }
        if self.own.len() >= MOST {
            let old = match self.own[0].by {
                None => self.own.remove(1),
                Some(_) => self.own.remove(0),
            };
            match self.own.first_mut().filter(|own| own.by.is_none()) {
                Some(rest) => rest.know.join(&old.know),
                None => self.own.insert(
                    0,
                    Own {
                        by: None,
                        scope: Scope::Sys,
                        ..old
                    },
                ),
            }
        }
        self.own.push(Own {
            by: Some(by),
            scope,
            know: know.clone(),
        });
    }
}

/// A strong access of a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strong {
    pub(super) at: u64,
    pub(super) bytes: u32,
    pub(super) order: Order,
}

/// What a lane of a class hands on with a strong write: by the write itself, and by fences before it.
fn releases(
    shape: &Shape,
    warp: Actor,
    class: &Class,
    lane: u32,
    order: Order,
) -> SmallVec<[Release; 1]> {
    let block = shape.block(warp);
    let lanes = 1 << lane;
    let mut list = SmallVec::new();
    let mut least = 0;
    if order.release {
        list.push(Release {
            block,
            begin: Begin::Write(order.scope),
            write: order.scope,
            know: class.state.published(shape, warp, lanes),
        });
        // All that a fence before it hands on is handed on by itself as well, so far.
        least = reach(order.scope) + 1;
    }
    let mut last: Option<&Arc<_>> = None;
    // From far to near: a fence that reaches far was the last one for near threads as well, unless another came.
    for distance in (least..3).rev() {
        let Some(snapshot) = class.state.fenced(distance) else {
            continue;
        };
        if last.is_some_and(|last| Arc::ptr_eq(last, snapshot)) {
            continue;
        }
        last = Some(snapshot);
        list.push(Release {
            block,
            begin: Begin::Fence(needed(distance)),
            write: order.scope,
            know: snapshot.published(shape, warp, lanes),
        });
    }
    list
}

/// A strong write. One that is not a release is remembered only to explain what is missing, and only of stores.
pub(super) fn write(
    locations: &mut Locations,
    shape: &Shape,
    (clock, lane): (&WarpClock, u32),
    strong: Strong,
    atomic: bool,
) {
    let class = clock
        .classes
        .iter()
        .find(|class| class.lanes >> lane & 1 != 0);
    let Some(class) = class else { return };
    let Strong { at, bytes, order } = strong;
    let block = shape.block(clock.warp);
    let by = (clock.warp, lane);
    if atomic && !order.release && !class.state.has_fences() && !locations.all.contains_key(&at) {
        return;
    }
    let mut list = releases(shape, clock.warp, class, lane, order);
    if !locations.is_empty() {
        locations.end(at, bytes, Some(bytes));
    }
    let location = locations.entry(at);
    for own in &location.own {
        let is_new = !order.release || reach(own.scope) > reach(order.scope);
        if is_new && own.by.is_none_or(|of| of == by) && location.bytes == bytes {
            list.push(Release {
                block: if own.by.is_none() { MANY } else { block },
                begin: Begin::Write(own.scope),
                write: order.scope,
                know: own.know.clone(),
            });
        }
    }
    if list.is_empty() && !atomic {
        list.push(Release {
            block,
            begin: Begin::Nothing,
            write: order.scope,
            know: class.state.published(shape, clock.warp, 1 << lane),
        });
    }
    if !atomic {
        // Another write ends what atomics carried on.
        location.releases.clear();
    }
    location.carry_on(shape, (block, order.scope), bytes);
    if order.release
        && let Some(first) = list.first()
    {
        location.own(by, order.scope, &first.know);
    }
    for release in list {
        location.add(release);
    }
}

/// Strong reads of the same place by lanes of a class.
pub(super) fn read(
    locations: &Locations,
    shape: &Shape,
    (clock, lanes): (&mut WarpClock, u32),
    strong: Strong,
    hints: &mut [Know; 3],
) {
    if strong.order.acquire {
        let warp = clock.warp;
        let far = reach(strong.order.scope);
        for class in clock.of(lanes) {
            class.state.acquired(shape, warp, strong.at, far);
        }
    }
    let Some(location) = locations.all.get(&strong.at) else {
        return;
    };
    if location.bytes != strong.bytes {
        return;
    }
    let warp = clock.warp;
    let by = (shape.block(warp), strong.order.scope);
    // What does not fit is looked at nevertheless if the release was the last write: to say why.
    let fits = location.fits(shape, by, strong.bytes);
    for class in clock.of(lanes) {
        for release in &location.releases {
            if !fits && release.block != location.last.0 {
                continue;
            }
            observe(
                shape,
                warp,
                &mut class.state,
                release,
                (strong, fits),
                hints,
            );
        }
    }
}

fn observe(
    shape: &Shape,
    warp: Actor,
    state: &mut State,
    release: &Release,
    (strong, fits): (Strong, bool),
    hints: &mut [Know; 3],
) {
    let order = strong.order;
    let distance = match release.block {
        MANY => 0,
        block => shape.distance(block, shape.block(warp)),
    };
    let reaches = release
        .begin
        .scope()
        .is_some_and(|scope| reach(scope) >= distance);
    if fits && reaches {
        if order.acquire && reach(order.scope) >= distance {
            return state.learn(shape, warp, &release.know);
        }
        hints[distance].join(&release.know);
        return state.saw(distance, strong.at, &release.know);
    }
    if state
        .missed
        .as_ref()
        .is_some_and(|missed| missed.know.is(&release.know))
    {
        return;
    }
    state.missed = Some(Arc::new(Missed {
        know: release.know.clone(),
        needed: needed(distance),
        begin: release.begin,
        write: release.write,
        read: order,
    }));
}
