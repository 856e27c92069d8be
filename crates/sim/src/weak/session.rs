//! One launch with weak memory: what its groups share.

use super::engine::{Hub, Weak};
use super::release::Shape;
use crate::exec::group::Shared;
use crate::exec::random::Random;
use std::sync::{Mutex, PoisonError};

/// A launch.
#[derive(Debug)]
pub(crate) struct Session {
    shape: Shape,
    turns: [u32; 4],
    /// The one hub, while no group has it.
    hub: Mutex<Option<Box<Hub>>>,
}

/// Steps that a group, or a warp, runs before another one does, by the seed: writes of several threads come in any order
/// if turns are short, and long turns leave much to be read that is old.
const TURNS: [[u32; 4]; 4] = [
    [1, 1, 2, 3],
    [1, 3, 16, 256],
    [1, 2, 4, 8],
    [2, 8, 64, 1024],
];

impl Session {
    /// A session for a launch with so many warps in a block and so many blocks in a cluster.
    pub(crate) fn new(seed: u64, warps: u32, blocks: u32) -> Session {
        Session {
            shape: Shape {
                warps: warps.max(1),
                blocks: blocks.max(1),
            },
            turns: TURNS[Random::new(seed, u64::MAX - 1).below(TURNS.len())],
            hub: Mutex::new(Some(Box::new(Hub::new(seed)))),
        }
    }

    /// What a group needs.
    pub(crate) fn group(&self, number: u64) -> Box<Weak> {
        Box::new(Weak::new(self.shape, number))
    }

    /// A group begins to run.
    pub(crate) fn enter(&self, shared: &mut Shared) {
        if let Some(weak) = &mut shared.weak {
            weak.hub = self.lock().take();
        }
    }

    /// A group stops running, for now or for good.
    pub(crate) fn leave(&self, shared: &mut Shared) {
        if let Some(weak) = &mut shared.weak {
            *self.lock() = weak.hub.take();
        }
    }

    /// For how many steps a group runs now.
    pub(crate) fn slice(&self) -> u64 {
        let mut hub = self.lock();
        hub.as_mut()
            .map_or(1, |hub| self.turn(&mut hub.random).into())
    }

    /// For how many steps a warp runs now.
    pub(crate) fn turn(&self, random: &mut Random) -> u32 {
        self.turns[random.below(self.turns.len())]
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Box<Hub>>> {
        self.hub.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
