//! Finding out that a fragment runs in circles.
//!
//! A loop that waits for another thread reads the same memory again and again. When a fragment comes
//! back to the same step with the same registers, and nothing was written in between by anyone it
//! shares memory with, it will do so until somebody else acts: the warp gives its turn away.
//!
//! Looking costs as much as hashing the registers, so it is done rarely at first and often once a
//! loop was caught.

use super::warp::Warp;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// Steps between two looks while nothing suspicious was seen.
const SELDOM: u64 = 4096;
/// Jumps back in a row at which a caught loop is watched for its first step.
const PATIENCE: u32 = 64;

#[derive(Debug, Default)]
pub(crate) struct Spin {
    /// Look at the next jump back after this step.
    next: u64,
    /// The place, registers and progress of the last look.
    seen: Option<(u32, usize, u64, u64)>,
    /// Looks since then.
    tries: u32,
}

impl Spin {
    /// Whether it is time to look.
    #[inline]
    pub(super) fn is_due(&self, clock: u64) -> bool {
        clock >= self.next
    }
}

impl Warp {
    /// Looks whether the current fragment is where it was, with nothing changed.
    pub(super) fn in_circles(&mut self, progress: u64) -> bool {
        let fragment = self.fragments[self.current];
        let hash = self.hash_of(fragment.frame, fragment.lanes);
        let now = (fragment.pc, fragment.frame, hash, progress);
        if self.spin.seen == Some(now) {
            // Once caught, the next round is looked at at once.
            self.spin.next = self.clock;
            self.spin.tries = 0;
            return true;
        }
        let same_loop = self
            .spin
            .seen
            .is_some_and(|(_, _, _, then)| then == progress);
        if same_loop && self.spin.tries < PATIENCE {
            self.spin.tries += 1;
            if self.spin.tries.is_power_of_two() {
                self.spin.seen = Some(now);
            }
            self.spin.next = self.clock;
        } else {
            self.spin.tries = 0;
            self.spin.seen = Some(now);
            self.spin.next = self.clock + if same_loop { SELDOM } else { 0 };
            if !same_loop {
                self.spin.next = self.clock + SELDOM / 4;
            }
        }
        false
    }

    fn hash_of(&self, frame: usize, lanes: u32) -> u64 {
        let frame = &self.frames[frame];
        let mut hasher = FxHasher::default();
        hasher.write_u32(lanes);
        for bits in &frame.predicates {
            hasher.write_u32(bits & lanes);
        }
        for word in &frame.words {
            super::lanes(lanes).for_each(|lane| hasher.write_u32(word[lane]));
        }
        for double in &frame.doubles {
            super::lanes(lanes).for_each(|lane| hasher.write_u64(double[lane]));
        }
        hasher.finish()
    }
}
