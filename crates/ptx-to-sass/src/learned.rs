//! What was worked out about instructions of a module, so that it is not worked out for each of them.
//!
//! Most instructions of a program are alike but for their registers: their steps are the same.

use crate::build::Asked;
use crate::source::Key;
use crate::wired::Wired;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex};
use warpc_sass::Shape;

/// The steps of instructions, and shapes.
#[derive(Default)]
pub(crate) struct Learned {
    steps: FxHashMap<Key, Arc<Steps>>,
    /// Shapes with an immediate in a slot that has a register, as far as they were asked for.
    pub(crate) immediates: FxHashMap<(usize, usize), Option<&'static Shape>>,
}

/// The steps of an instruction.
pub(crate) struct Steps {
    /// The steps.
    pub(crate) wired: Wired,
    /// What placing them asks of the instruction.
    pub(crate) asked: Asked,
    /// Whether all lanes of the warp come together before them.
    pub(crate) meets: bool,
}

/// Steps that are kept. Numbers among operands could make more of them than there is memory.
const MOST: usize = 1 << 12;

impl Learned {
    /// The steps of an instruction, if they are known.
    pub(crate) fn steps(&self, key: &Key) -> Option<Arc<Steps>> {
        self.steps.get(key).cloned()
    }

    /// Keeps the steps of an instruction.
    pub(crate) fn keep(&mut self, key: Key, steps: Arc<Steps>) {
        if self.steps.len() < MOST {
            self.steps.insert(key, steps);
        }
    }
}

/// What functions of one module have learned, handed from each to the next; those that are built at the same time have
/// their own.
#[derive(Default)]
pub(crate) struct Pool(Mutex<Vec<Learned>>);

impl Pool {
    /// What an earlier function has learned, or nothing.
    pub(crate) fn take(&self) -> Learned {
        let mut all = self
            .0
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        all.pop().unwrap_or_default()
    }

    /// Hands over what a function has learned.
    pub(crate) fn give(&self, learned: Learned) {
        let mut all = self
            .0
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        all.push(learned);
    }
}
