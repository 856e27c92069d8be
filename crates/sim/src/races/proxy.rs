//! Fences between the generic proxy and that of bulk copies.
//!
//! What threads have written to shared memory is there for a bulk copy out of it only if `fence.proxy.async` stands
//! between the two, on the way by which the one is before the other: with the writer, with the one who issues the copy,
//! or with somebody in between.

use super::access::Check;
use super::clock::{Shape, WarpClock};
use super::know::{Actor, Entry, Know};
use super::shadow::Seen;

/// A fence by some lanes of a warp.
#[derive(Debug)]
struct Fence {
    warp: Actor,
    lanes: u32,
    clock: u32,
    /// What they knew of others.
    know: Know,
}

/// The fences of a group, newest last.
#[derive(Debug, Default)]
pub(super) struct Proxies {
    fences: Vec<Fence>,
    /// What was before fences that are not remembered any more: it counts as fenced.
    forgotten: Know,
}

/// So many fences of each warp, as far as its lanes are alike, are remembered. Of a write before one that is forgotten
/// nothing is reported any more.
const MOST: usize = 8;

impl Proxies {
    pub(super) fn fence(&mut self, shape: &Shape, clock: &mut WarpClock, lanes: u32) {
        let warp = clock.warp;
        for class in clock.of(lanes) {
            self.fences.push(Fence {
                warp,
                lanes: class.lanes,
                clock: class.state.own,
                know: class.state.known(shape, warp),
            });
            class.state.tick();
        }
        let most = MOST * clock.classes.len();
        while self
            .fences
            .iter()
            .filter(|fence| fence.warp == warp)
            .count()
            > most
        {
            let Some(oldest) = self.fences.iter().position(|fence| fence.warp == warp) else {
                return;
            };
            let old = self.fences.remove(oldest);
            self.forgotten.join(&old.know);
            self.forgotten
                .change(shape.height, shape.block(warp), |leaf| {
                    leaf.add(Entry {
                        actor: warp,
                        lanes: old.lanes,
                        clock: old.clock,
                    });
                });
        }
    }

    /// Whether a fence stands between a write and the copy that is issued.
    pub(super) fn order(&self, check: &Check<'_>, write: &Seen) -> bool {
        let shape = &check.shape;
        let lane = write.lanes.trailing_zeros();
        let covers = |know: &Know| {
            let block = know.block(shape.block(write.actor));
            block.is_some_and(|block| block.of(write.actor, lane) >= write.clock)
        };
        let knows = |warp, lane| check.state.knows(shape, check.by.who, warp, lane);
        covers(&self.forgotten)
            || self.fences.iter().rev().any(|fence| {
                let own = fence.warp == write.actor
                    && fence.lanes & write.lanes != 0
                    && fence.clock >= write.clock
                    && knows(fence.warp, lane) >= fence.clock;
                own || covers(&fence.know)
                    && crate::exec::lanes(fence.lanes)
                        .any(|lane| knows(fence.warp, lane as u32) >= fence.clock)
            })
    }
}
