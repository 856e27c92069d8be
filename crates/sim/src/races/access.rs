//! Accesses: each is compared with what the cells say, and put into them.

use super::beside::Witness;
use super::clock::{Distance, Shape, State, Who, reach};
use super::know::Actor;
use super::know::Know;
use super::report::{Found, Second};
use super::shadow::{ASYNC, ATOMIC, COLLECTIVE, Info, LOST, OBJECT, Quick, STRONG, Seen, Spot};
use super::shadow::{WRITE, bytes_of, is_end, scope_of};
use super::{Hub, Target, Watch};
use crate::program::Order;

/// What an instruction does to memory in some lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Act {
    pub(super) target: Target,
    /// Bytes of one access.
    pub(super) bytes: u32,
    pub(super) write: bool,
    pub(super) info: Info,
    /// Whether it is a side of a bulk copy from memory to memory.
    pub(super) moved: bool,
}

/// Who accesses, and as whom that is remembered: itself, or what does its copies.
#[derive(Clone, Copy, Debug)]
pub(super) struct By {
    pub(super) who: Who,
    pub(super) actor: Actor,
    pub(super) clock: u32,
}

/// What the check of a cell needs besides the cell.
pub(super) struct Check<'a> {
    pub(super) shape: Shape,
    pub(super) state: &'a State,
    pub(super) by: By,
    pub(super) act: Act,
    pub(super) address: u64,
    /// What threads of the group have seen with no acquire.
    pub(super) hints: &'a [Know; 3],
}

/// Whether two accesses may meet without order: both strong, for each other, of the same bytes and the same proxy.
pub(super) fn morally_strong(shape: &Shape, a: (u32, Info), b: (u32, Info)) -> bool {
    let (of, by) = (a.1, b.1);
    let distance = shape.distance(a.0, b.0);
    of & by & STRONG != 0
        && bytes_of(of) == bytes_of(by)
        && (of ^ by) & ASYNC == 0
        && reach(scope_of(of)) >= distance
        && reach(scope_of(by)) >= distance
}

/// Whether an access may meet all that another one may meet. What is near the one may be far from the other, and then its own scope may
/// be too narrow for one of the two; `narrowest` is how far the scopes of all accesses of such memory reach at least.
fn is_as_strong(shape: &Shape, narrowest: Distance, one: (u32, Info), other: (u32, Info)) -> bool {
    let (of, by) = (one.1, other.1);
    let distance = shape.distance(one.0, other.0);
    by & STRONG == 0
        || of & STRONG != 0
            && bytes_of(of) == bytes_of(by)
            && (of ^ by) & ASYNC == 0
            && narrowest >= distance
            && reach(scope_of(of)) >= reach(scope_of(by)).max(distance)
}

impl Check<'_> {
    /// The lanes of an earlier access that this one races with.
    fn racing(&self, seen: &Seen) -> u32 {
        let access = (seen.actor, seen.lanes, seen.clock);
        let lanes = self.state.unordered(&self.shape, self.by.who, access);
        if lanes == 0 {
            return 0;
        }
        // What a warp does as a whole comes in the order of its instructions.
        if seen.info & self.act.info & COLLECTIVE != 0 && seen.actor == self.by.actor {
            return 0;
        }
        if is_end(self.act.info) && self.act.info & OBJECT != 0 && self.is_after_warp(seen) {
            return 0;
        }
        let own = self.shape.block(self.by.who.warp);
        let theirs = self.shape.block(seen.actor);
        if morally_strong(&self.shape, (theirs, seen.info), (own, self.act.info)) {
            return 0;
        }
        lanes
    }

    /// Whether some lane of the warp of an access is before this one at the time of the access.
    ///
    /// That is enough for `mbarrier.inval`: `cuda::pipeline` has the lanes of a warp meet by `match.sync`, which orders no memory, and one
    /// of them tells that the warp is ready. An operation that comes too late for the object is found in any case.
    fn is_after_warp(&self, seen: &Seen) -> bool {
        let (shape, who) = (&self.shape, self.by.who);
        (0..32).any(|lane| self.state.knows(shape, who, seen.actor, lane) >= seen.clock)
    }

    fn is_before(&self, seen: &Seen) -> bool {
        let access = (seen.actor, seen.lanes, seen.clock);
        self.state.unordered(&self.shape, self.by.who, access) == 0
    }

    /// Whether a lane of a witness is before the access.
    fn is_after(&self, witness: &Witness) -> bool {
        let access = (witness.actor, witness.lanes, witness.clock);
        self.state.unordered(&self.shape, self.by.who, access) != witness.lanes
    }

    /// Whether a strong write is before the access because of what was read: somebody saw it, and the access is after
    /// that. What was before the write is not known by that.
    fn is_observed(&self, write: &Seen, witnesses: &[Witness]) -> bool {
        write.info & LOST != 0 || witnesses.iter().any(|one| self.is_after(one))
    }

    /// The careful way: reports what races, then puts the access into the cell.
    pub(super) fn careful(&self, spot: &mut Spot<'_>, found: &mut Found, same: &dyn Fn() -> bool) {
        let last = spot.cell.write();
        let report = |seen: &Seen, found: &mut Found| {
            let lanes = self.racing(seen);
            if lanes != 0 {
                found.race(self, &Seen { lanes, ..*seen }, same);
            }
        };
        let unseen = last.filter(|write| !self.is_observed(write, spot.witnesses()));
        unseen.iter().for_each(|write| report(write, found));
        let old = spot.old().iter();
        for old in old.filter(|old| !self.is_observed(&old.write, &old.witnesses)) {
            report(&old.write, found);
        }
        if self.act.write {
            spot.reads().for_each(|read| report(read, found));
        }
        let own = Seen {
            actor: self.by.actor,
            clock: self.by.clock,
            lanes: 1 << self.by.who.lane,
            info: self.act.info,
        };
        // A strong read, and an atomic operation, sees the last write if both are strong for each other.
        let sees = last.is_some_and(|write| {
            let blocks = [write.actor, own.actor].map(|actor| self.shape.block(actor));
            (!self.act.write || own.info & ATOMIC != 0)
                && morally_strong(&self.shape, (blocks[0], write.info), (blocks[1], own.info))
        });
        if sees {
            let witness = Witness {
                actor: own.actor,
                clock: own.clock,
                lanes: own.lanes,
            };
            spot.see(
                witness,
                |write| self.is_before(write),
                |one| self.is_after(one),
            );
        }
        // Who is after this access is after those before it, and races with it if it races with them: then they need
        // not be kept. That is not so of a read for a write before it, and of a strong access for one that is weaker.
        let narrowest = match self.act.target {
            Target::Global(..) => self.shape.narrowest,
            Target::Shared(_) => 0,
        };
        let is_as_strong = |seen: &Seen| {
            let [of, by] = [seen.actor, own.actor].map(|actor| self.shape.block(actor));
            is_as_strong(&self.shape, narrowest, (of, seen.info), (by, own.info))
        };
        // Lanes that read at once are together, but the next reads come lane by lane.
        let uncovered = |seen: &Seen| match is_as_strong(seen) {
            true => {
                let access = (seen.actor, seen.lanes, seen.clock);
                self.state.unordered(&self.shape, self.by.who, access)
            }
            false => seen.lanes,
        };
        if !self.act.write {
            spot.keep_reads(uncovered);
            spot.add_read(own);
            return;
        }
        if own.info & STRONG == 0 {
            // Nobody is after it by having seen it.
            spot.forget();
        } else {
            spot.keep_reads(uncovered);
            // Who is after an atomic operation, or sees it, is after what it saw and what that goes back to.
            let is_covered = |write: &Seen, goes_back: bool| {
                is_as_strong(write) && (goes_back || self.is_before(write))
            };
            spot.follow(sees, |write, goes_back| !is_covered(write, goes_back));
        }
        spot.cell
            .set_write(own.actor, own.clock, self.by.who.lane, own.info);
    }

    /// The second of two accesses.
    pub(super) fn second(&self) -> Second {
        Second {
            who: self.by.who,
            info: self.act.info,
            target: self.act.target,
            address: self.address,
        }
    }
}

impl Watch {
    /// Some lanes of a warp access memory, each at its offset.
    pub(super) fn touch(
        &mut self,
        warp: usize,
        act: Act,
        (offsets, lanes): (&[u64; 32], u32),
        same: &dyn Fn(usize) -> bool,
    ) {
        let Watch {
            shape,
            clocks,
            shared,
            hub,
            hints,
            ..
        } = self;
        let Some(hub) = hub else { return };
        let Hub { global, found, .. } = &mut **hub;
        let shadow = match act.target {
            Target::Shared(rank) => shared.get_mut(rank as usize),
            Target::Global(region, _) => global.get_mut(region as usize),
        };
        let Some(shadow) = shadow else { return };
        let strong = act.info & STRONG != 0;
        let clock = &clocks[warp];
        let first = clock.warp / shape.warps * shape.warps;
        for class in &clock.classes {
            let active = class.lanes & lanes;
            if active == 0 {
                continue;
            }
            let state = &class.state;
            let quick = Quick {
                actor: clock.warp,
                first,
                count: shape.warps,
                all: state.all,
                own: state.own,
                info: act.info,
                write: act.write,
            };
            for lane in crate::exec::lanes(active) {
                let offset = offsets[lane];
                shadow.cells(offset as usize, act.bytes, |mut spot| {
                    let has_beside = spot.has_beside();
                    if !strong && quick.touch(spot.cell, lane as u32, has_beside) {
                        return;
                    }
                    let check = Check {
                        shape: *shape,
                        state,
                        by: By {
                            who: Who {
                                warp: clock.warp,
                                lane: lane as u32,
                            },
                            actor: clock.warp,
                            clock: state.own,
                        },
                        act,
                        address: act.target.address(offset),
                        hints,
                    };
                    check.careful(&mut spot, found, &|| same(lane));
                });
            }
        }
    }

    /// Bytes are copied for a lane; the copy is remembered as what an actor does at a clock.
    pub(super) fn touch_for(
        &mut self,
        (warp, lane): (usize, u32),
        act: Act,
        (offset, bytes): (u64, u32),
        (actor, clock): (Actor, u32),
    ) {
        let shape = self.shape;
        let Some(hub) = &mut self.hub else { return };
        let Hub { global, found, .. } = &mut **hub;
        let shadow = match act.target {
            Target::Shared(rank) => self.shared.get_mut(rank as usize),
            Target::Global(region, _) => global.get_mut(region as usize),
        };
        let own = &self.clocks[warp];
        let class = own
            .classes
            .iter()
            .find(|class| class.lanes >> lane & 1 != 0);
        let (Some(shadow), Some(class)) = (shadow, class) else {
            return;
        };
        let who = Who {
            warp: own.warp,
            lane,
        };
        let by = By { who, actor, clock };
        let proxies = &self.proxies;
        for at in (offset..offset + u64::from(bytes)).step_by(act.bytes as usize) {
            let check = Check {
                shape,
                state: &class.state,
                by,
                act,
                address: act.target.address(at),
                hints: &self.hints,
            };
            shadow.cells(at as usize, act.bytes, |mut spot| {
                // What was written by the generic proxy is there for a bulk copy after a fence between the two, and may be
                // overwritten by one.
                if act.moved
                    && matches!(act.target, Target::Shared(_))
                    && let Some(write) = spot.cell.write()
                    && write.info & ASYNC == 0
                    && check.is_before(&write)
                    && !proxies.order(&check, &write)
                {
                    found.proxy(&check, &write);
                }
                check.careful(&mut spot, found, &|| false);
            });
        }
    }
}

/// The order of something that copies do.
pub(super) fn copy_info(bytes: u32, place: u32, write: bool, bulk: bool, atomic: bool) -> Info {
    let mut other = 0;
    if write {
        other |= WRITE;
    }
    if bulk {
        other |= ASYNC;
    }
    let mut order = Order::default();
    if atomic {
        other |= ATOMIC;
        order = Order::strong(None, crate::program::Scope::Gpu);
    }
    super::shadow::info(order, bytes, place, other)
}
