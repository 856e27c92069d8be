//! Release and acquire: what strong accesses of a place hand on from thread to thread.
//!
//! A release pattern is a write that releases, or a fence and a strong write after it; an acquire pattern is a read
//! that acquires, or a strong read and a fence after it. They order what is before the one and after the other if the
//! read sees the write, or an atomic operation that goes back to it, and the scopes of all include both threads.

use super::clock::{Class, Missed, Shape, State, WarpClock, Why, needed, reach};
use super::know::{Actor, Know};
use crate::program::{Order, Scope};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::Arc;

/// What a write handed on.
#[derive(Clone, Debug)]
pub(super) struct Release {
    /// The block of the writer; [`MANY`] if there were several.
    block: u32,
    /// For whom; none if it is a strong write that is not a release.
    scope: Option<Scope>,
    know: Know,
}

/// Blocks that are not told apart any more.
const MANY: u32 = u32::MAX;
/// So many releases of a place are told apart.
const MOST: usize = 4;

/// The releases that a read of a place would see.
#[derive(Clone, Debug, Default)]
pub(super) struct Location {
    bytes: u32,
    /// The block and the scope of the last write: who reads it must fit, whatever that goes back to.
    last: (u32, Scope),
    releases: SmallVec<[Release; 1]>,
}

/// All places by address.
pub(super) type Locations = FxHashMap<u64, Location>;

impl Location {
    /// Whether an access fits the last write, so that it sees what that goes back to.
    fn fits(&self, shape: &Shape, (block, scope): (u32, Scope), bytes: u32) -> bool {
        let distance = shape.distance(self.last.0, block);
        self.bytes == bytes && reach(scope).min(reach(self.last.1)) >= distance
    }

    /// An atomic operation is the last write: what it does not see ends.
    fn carry_on(&mut self, shape: &Shape, last: (u32, Scope), bytes: u32) {
        if !self.fits(shape, last, bytes) {
            self.releases.clear();
        }
        self.bytes = bytes;
        self.last = last;
    }

    fn add(&mut self, release: Release) {
        for old in &mut self.releases {
            if (old.block, old.scope) == (release.block, release.scope) {
                old.know.join(&release.know);
                return;
            }
        }
        if self.releases.len() >= MOST {
            let wide = |release: &Release| release.scope.is_some_and(|scope| reach(scope) == 2);
            let old = self.releases.iter().position(wide).unwrap_or(0);
            let old = self.releases.remove(old);
            if wide(&old) {
                let many = Release { block: MANY, ..old };
                let merged = self
                    .releases
                    .iter_mut()
                    .find(|other| other.block == MANY && other.scope == many.scope);
                match merged {
                    Some(other) => other.know.join(&many.know),
                    None => self.releases.insert(0, many),
                }
            }
        }
        self.releases.push(release);
    }
}

/// A strong access of a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strong {
    pub(super) at: u64,
    pub(super) bytes: u32,
    pub(super) order: Order,
}

/// What lanes of a class hand on with a strong write: by the write itself, and by fences before it.
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
    if order.release {
        list.push(Release {
            block,
            scope: Some(order.scope),
            know: class.state.published(shape, warp, lanes),
        });
        return list;
    }
    let far = reach(order.scope);
    let mut last: Option<&Arc<_>> = None;
    // From far to near: a fence that reaches far was the last one for near threads as well, unless another came.
    for distance in (0..=far).rev() {
        let Some(snapshot) = class.state.fenced(distance) else {
            continue;
        };
        if last.is_some_and(|last| Arc::ptr_eq(last, snapshot)) {
            continue;
        }
        last = Some(snapshot);
        list.push(Release {
            block,
            scope: Some(needed(distance)),
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
    if atomic && !order.release && !class.state.has_fences() {
        if !locations.is_empty()
            && let Some(location) = locations.get_mut(&at)
        {
            location.carry_on(shape, (block, order.scope), bytes);
        }
        return;
    }
    let mut list = releases(shape, clock.warp, class, lane, order);
    if list.is_empty() && !atomic {
        list.push(Release {
            block,
            scope: None,
            know: class.state.published(shape, clock.warp, 1 << lane),
        });
    }
    let location = locations.entry(at).or_default();
    if !atomic {
        // Another write ends what atomics carried on.
        location.releases.clear();
    }
    location.carry_on(shape, (block, order.scope), bytes);
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
    hints: &mut Know,
) {
    let Some(location) = locations.get(&strong.at) else {
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
            observe(shape, warp, &mut class.state, release, strong.order, hints);
        }
    }
}

fn observe(
    shape: &Shape,
    warp: Actor,
    state: &mut State,
    release: &Release,
    order: Order,
    hints: &mut Know,
) {
    let distance = match release.block {
        MANY => 2,
        block => shape.distance(block, shape.block(warp)),
    };
    let why = match release.scope {
        None => Why::NoRelease,
        Some(scope) if reach(scope) < distance => Why::ReleaseScope,
        Some(_) if reach(order.scope) < distance => Why::ReadScope,
        Some(_) if order.acquire => return state.learn(shape, warp, &release.know),
        Some(_) => {
            hints.join(&release.know);
            return state.saw(distance, &release.know);
        }
    };
    if state
        .missed
        .as_ref()
        .is_some_and(|missed| missed.know.is(&release.know))
    {
        return;
    }
    let given = match why {
        Why::ReadScope => order.scope,
        _ => release.scope.unwrap_or_default(),
    };
    state.missed = Some(Arc::new(Missed {
        know: release.know.clone(),
        why,
        needed: needed(distance),
        given,
    }));
}
