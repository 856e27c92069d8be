//! Accesses: each is compared with what the cells say, and put into them.

use super::clock::{Shape, State, Who, reach};
use super::know::Actor;
use super::know::Know;
use super::report::{Found, Second};
use super::shadow::{
    ASYNC, ATOMIC, COLLECTIVE, Info, OBSERVED, OLD, Quick, STRONG, Seen, Spot, WRITE,
};
use super::shadow::{bytes_of, scope_of};
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
    pub(super) hints: &'a Know,
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

/// Whether an access may meet all that another one may meet.
fn is_as_strong(info: Info, other: Info) -> bool {
    other & STRONG == 0
        || info & STRONG != 0
            && bytes_of(info) == bytes_of(other)
            && reach(scope_of(info)) >= reach(scope_of(other))
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
        let own = self.shape.block(self.by.who.warp);
        let theirs = self.shape.block(seen.actor);
        if morally_strong(&self.shape, (theirs, seen.info), (own, self.act.info)) {
            return 0;
        }
        lanes
    }

    /// Whether a strong write is before the access because of what was read: somebody saw it, and the access is after
    /// that. What was before the write is not known by that.
    ///
    /// Of an old write it is not known which of the old reads saw it: any of them may have.
    fn is_observed(&self, spot: &Spot<'_>, write: &Seen) -> bool {
        let is_witness = |seen: &Seen| {
            let access = (seen.actor, seen.lanes, seen.clock);
            seen.clock != 0
                && seen.info & (WRITE | OLD) == write.info & OLD
                && self.state.unordered(&self.shape, self.by.who, access) != seen.lanes
        };
        write.info & STRONG != 0
            && (is_witness(&spot.cell.seen) || spot.list().iter().any(is_witness))
    }

    fn is_before(&self, seen: &Seen) -> bool {
        let access = (seen.actor, seen.lanes, seen.clock);
        self.state.unordered(&self.shape, self.by.who, access) == 0
    }

    /// The careful way: reports what races, then puts the access into the cell.
    pub(super) fn careful(&self, spot: &mut Spot<'_>, found: &mut Found, same: &dyn Fn() -> bool) {
        let conflicts = |seen: &Seen| self.act.write || seen.info & WRITE != 0;
        let last = spot.cell.write();
        let observed = last.is_some_and(|write| self.is_observed(spot, &write));
        let after_last = observed || last.is_some_and(|write| self.is_before(&write));
        let earlier = last.filter(|_| !observed).into_iter();
        let rest = std::iter::once(&spot.cell.seen).filter(|seen| seen.clock != 0);
        let all = earlier.chain(rest.chain(spot.list()).copied());
        let all = all.filter(|seen| !(after_last && seen.info & OBSERVED != 0));
        let is_old_write = |seen: &Seen| seen.info & WRITE != 0 && seen.info & OLD != 0;
        let all = all.filter(|seen| !(is_old_write(seen) && self.is_observed(spot, seen)));
        for seen in all.filter(conflicts) {
            let lanes = self.racing(&seen);
            if lanes != 0 {
                found.race(self, &Seen { lanes, ..seen }, same);
            }
        }
        let own = Seen {
            actor: self.by.actor,
            clock: self.by.clock,
            lanes: 1 << self.by.who.lane,
            info: self.act.info,
        };
        // Who is after this access is after those before it, and races with it if it races with them: then they need
        // not be kept. That is not so of a read for a write before it, and of a strong access for one that is weaker.
        let covers = |seen: &Seen| self.is_before(seen) && is_as_strong(seen.info, self.act.info);
        if !self.act.write {
            // A strong read shows others that come after it, but not after this one, that the write is before them.
            let is_shown = |write: &Seen| {
                write.info & STRONG != 0 && write.info & WRITE != 0 && !self.is_before(write)
            };
            let kept = std::iter::once(&spot.cell.seen).chain(spot.list());
            let is_shown = last.iter().chain(kept).any(is_shown);
            let witness = |seen: &Seen| is_shown && seen.info & STRONG != 0;
            spot.keep(|seen| seen.info & WRITE != 0 || !covers(seen) || witness(seen));
            spot.add(own);
            return;
        }
        let weak = self.act.info & STRONG == 0;
        // What an atomic operation finds it has seen, so that is before all that is after the operation.
        let blocks = |seen: &Seen| [seen.actor, own.actor].map(|actor| self.shape.block(actor));
        let sees = last.is_some_and(|write| {
            let [theirs, ours] = blocks(&write);
            own.info & ATOMIC != 0
                && morally_strong(&self.shape, (theirs, write.info), (ours, own.info))
        });
        let linked = sees || after_last;
        spot.keep(|seen| !weak && !covers(seen) && (linked || seen.info & OBSERVED == 0));
        spot.grow_old();
        if let Some(write) = last.filter(|_| !weak)
            && !(is_as_strong(write.info, own.info) && linked)
        {
            let how = if sees || observed {
                OLD | OBSERVED
            } else {
                OLD
            };
            spot.add(Seen {
                info: write.info | how,
                ..write
            });
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
                    let has_list = spot.has_list();
                    if !strong && quick.touch(spot.cell, lane as u32, has_list) {
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
                // What was written by the generic proxy is there for a bulk copy after a fence between the two.
                if act.info & ASYNC != 0
                    && !act.write
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
