//! Fences between the generic proxy and that of bulk copies.
//!
//! What threads have written to shared memory is there for a bulk copy out of it only if `fence.proxy.async` stands
//! between the two, on the way by which the one is before the other: with the writer, with the one who issues the copy,
//! or with somebody in between.

use super::access::Check;
use super::clock::{Shape, WarpClock};
use super::know::{Actor, Know};
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
pub(super) struct Proxies(Vec<Fence>);

/// So many fences of each warp are remembered.
const MOST: usize = 4;

impl Proxies {
    pub(super) fn fence(&mut self, shape: &Shape, clock: &mut WarpClock, lanes: u32) {
        let warp = clock.warp;
        for class in clock.of(lanes) {
            self.0.push(Fence {
                warp,
                lanes: class.lanes,
                clock: class.state.own,
                know: class.state.known(shape, warp),
            });
            class.state.tick();
        }
        let own = |fence: &Fence| fence.warp == warp;
        if self.0.iter().filter(|fence| own(fence)).count() > MOST * clock.classes.len()
            && let Some(oldest) = self.0.iter().position(own)
        {
            self.0.remove(oldest);
        }
    }

    /// Whether a fence stands between a write and the copy that is issued.
    pub(super) fn order(&self, check: &Check<'_>, write: &Seen) -> bool {
        let shape = &check.shape;
        let lane = write.lanes.trailing_zeros();
        let knows = |warp, lane| check.state.knows(shape, check.by.who, warp, lane);
        self.0.iter().rev().any(|fence| {
            let own = fence.warp == write.actor
                && fence.lanes & write.lanes != 0
                && fence.clock >= write.clock
                && knows(fence.warp, lane) >= fence.clock;
            let block = || fence.know.block(shape.block(write.actor));
            own || block().is_some_and(|block| block.of(write.actor, lane) >= write.clock)
                && crate::exec::lanes(fence.lanes)
                    .any(|lane| knows(fence.warp, lane as u32) >= fence.clock)
        })
    }
}
