//! Finding out that a fragment runs in circles.
//!
//! A loop that waits for another thread reads the same memory again and again. When a fragment comes
//! back to the same step with the same registers, it will go on like this until somebody else acts,
//! so it gives its turn away.
//!
//! Looking costs as much as hashing the registers. So a loop is watched for a few rounds now and then,
//! less and less often while its registers change, and in every round once it was caught.

use super::warp::Warp;
use crate::program::{Code, Op};
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// Jumps back that are watched before giving up: loops may nest.
const ROUNDS: u32 = 4;
/// Steps between two watches, at first and at most.
const OFTEN: u64 = 16;
const SELDOM: u64 = 4096;

#[derive(Debug)]
pub(crate) struct Spin {
    /// Look at jumps back from this step on.
    next: u64,
    /// Steps until the watch after that.
    interval: u64,
    /// Step, frame and registers at the start of the watch.
    seen: Option<(u32, usize, u64)>,
    rounds: u32,
}

impl Default for Spin {
    fn default() -> Spin {
        Spin {
            next: OFTEN,
            interval: OFTEN,
            seen: None,
            rounds: 0,
        }
    }
}

impl Spin {
    /// It is never time to look.
    pub(super) fn stop(&mut self) {
        self.next = u64::MAX;
    }

    /// Steps until it is time to look.
    #[cfg(feature = "jit")]
    pub(super) fn left(&self, clock: u64) -> u64 {
        self.next.saturating_sub(clock)
    }

    /// Whether it is time to look.
    #[inline]
    pub(super) fn is_due(&self, clock: u64) -> bool {
        clock >= self.next
    }
}

impl Warp {
    /// Looks whether the current fragment is where it was, with the same registers.
    pub(super) fn in_circles(&mut self) -> bool {
        let fragment = self.fragments[self.current];
        let hash = self.hash_of(fragment.frame, fragment.lanes);
        let now = (fragment.pc, fragment.frame, hash);
        let spin = &mut self.spin;
        match spin.seen {
            Some(seen) if seen == now => {
                spin.rounds = 0;
                spin.interval = OFTEN;
                return true;
            }
            Some(_) => {
                spin.rounds += 1;
                if spin.rounds == ROUNDS {
                    spin.seen = None;
                    spin.next = self.clock + spin.interval;
                    spin.interval = (2 * spin.interval).min(SELDOM);
                }
            }
            None => {
                spin.seen = Some(now);
                spin.rounds = 0;
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

/// A number that tells states of several warps apart: where each lane is, and its registers.
pub(super) fn hash_of_all<'a>(warps: impl Iterator<Item = &'a Warp>) -> u64 {
    let mut hasher = FxHasher::default();
    for warp in warps {
        for fragment in &warp.fragments {
            hasher.write_u32(fragment.pc);
            hasher.write_u64(warp.hash_of(fragment.frame, fragment.lanes));
        }
    }
    hasher.finish()
}

/// The step that a loop around `pc` waits at: the first atomic in it, or whatever else can see what others do. `pc`
/// itself if there is no loop in this function.
pub(super) fn waits_at(code: &Code, pc: u32) -> u32 {
    // Steps of the loop: those reached from here from which it goes back here.
    let count = code.steps.len();
    let mut order = vec![pc];
    let mut reached = vec![false; count];
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); count];
    reached[pc as usize] = true;
    let mut at = 0;
    while let Some(&from) = order.get(at) {
        at += 1;
        for to in code.steps[from as usize].successors(from) {
            before[to as usize].push(from);
            if !std::mem::replace(&mut reached[to as usize], true) {
                order.push(to);
            }
        }
    }
    let mut inside = vec![false; count];
    let mut rest = before[pc as usize].clone();
    while let Some(step) = rest.pop() {
        if !std::mem::replace(&mut inside[step as usize], true) {
            rest.extend(&before[step as usize]);
        }
    }
    let sees = |op: &Op| match op {
        Op::Atomic(_) => Some(0),
        Op::Mbarrier(_) => Some(1),
        Op::Load(_) => Some(2),
        Op::Call(_) => Some(3),
        _ => None,
    };
    let in_loop = order.into_iter().filter(|&step| inside[step as usize]);
    in_loop
        .filter_map(|step| Some((sees(&code.steps[step as usize].op)?, step)))
        // The first of the best: `min_by_key` keeps the earliest.
        .min_by_key(|(rank, _)| *rank)
        .map_or(pc, |(_, step)| step)
}
