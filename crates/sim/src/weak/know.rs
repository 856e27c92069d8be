//! What a thread knows of others: for each thread the clock up to which its events are before, in causality.
//!
//! Clocks of the lanes of a warp are together, and shared by all who know the same of them.

use std::cmp::Ordering;
use std::sync::Arc;

/// A thread of the grid: its warp's number times 32, plus its lane.
pub(super) type Thread = u32;

/// Clocks of the lanes of a warp.
type Lanes = Arc<[u32; 32]>;

/// Clocks by warp, in order; what is not there is zero.
#[derive(Clone, Debug, Default)]
pub(super) struct Know(Option<Arc<Vec<(u32, Lanes)>>>);

fn is_within(a: &Lanes, b: &Lanes) -> bool {
    Arc::ptr_eq(a, b) || a.iter().zip(b.iter()).all(|(a, b)| a <= b)
}

impl Know {
    fn warps(&self) -> &[(u32, Lanes)] {
        self.0.as_ref().map_or(&[], |warps| warps)
    }

    /// The clock of a thread.
    pub(super) fn of(&self, thread: Thread) -> u32 {
        let warps = self.warps();
        match warps.binary_search_by_key(&(thread / 32), |(warp, _)| *warp) {
            Ok(at) => warps[at].1[thread as usize % 32],
            Err(_) => 0,
        }
    }

    /// Knows of a thread up to a clock.
    pub(super) fn raise(&mut self, thread: Thread, clock: u32) {
        if self.of(thread) >= clock {
            return;
        }
        let mut lanes = [0; 32];
        lanes[thread as usize % 32] = clock;
        self.raise_warp(thread / 32, &lanes);
    }

    /// Knows of the lanes of a warp up to their clocks.
    pub(super) fn raise_warp(&mut self, warp: u32, clocks: &[u32; 32]) {
        let warps = Arc::make_mut(self.0.get_or_insert_default());
        match warps.binary_search_by_key(&warp, |(warp, _)| *warp) {
            Ok(at) => {
                let lanes = Arc::make_mut(&mut warps[at].1);
                for (lane, clock) in lanes.iter_mut().zip(clocks) {
                    *lane = (*lane).max(*clock);
                }
            }
            Err(at) => warps.insert(at, (warp, Arc::new(*clocks))),
        }
    }

    /// Whether another knows all that this does.
    fn is_within(&self, other: &Know) -> bool {
        let mut others = other.warps().iter();
        self.warps().iter().all(|(warp, lanes)| {
            let found = others.find(|(other, _)| other >= warp);
            found.is_some_and(|(other, theirs)| other == warp && is_within(lanes, theirs))
        })
    }

    /// Learns what another knows.
    pub(super) fn join(&mut self, other: &Know) {
        let same = match (&self.0, &other.0) {
            (_, None) => true,
            (Some(own), Some(other)) => Arc::ptr_eq(own, other),
            _ => false,
        };
        if same || other.is_within(self) {
            return;
        }
        if self.is_within(other) {
            self.clone_from(other);
            return;
        }
        let (own, theirs) = (self.warps(), other.warps());
        let (mut i, mut j) = (0, 0);
        let mut all = Vec::with_capacity(own.len() + theirs.len());
        while let (Some(a), Some(b)) = (own.get(i), theirs.get(j)) {
            match a.0.cmp(&b.0) {
                Ordering::Less => all.push(a.clone()),
                Ordering::Greater => all.push(b.clone()),
                Ordering::Equal if is_within(&b.1, &a.1) => all.push(a.clone()),
                Ordering::Equal if is_within(&a.1, &b.1) => all.push(b.clone()),
                Ordering::Equal => {
                    let both = std::array::from_fn(|lane| a.1[lane].max(b.1[lane]));
                    all.push((a.0, Arc::new(both)));
                }
            }
            i += usize::from(a.0 <= b.0);
            j += usize::from(b.0 <= a.0);
        }
        all.extend_from_slice(&own[i..]);
        all.extend_from_slice(&theirs[j..]);
        self.0 = Some(Arc::new(all));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Clocks = &'static [(Thread, u32)];

    fn know(of: Clocks) -> Know {
        let mut know = Know::default();
        for (thread, clock) in of {
            know.raise(*thread, *clock);
        }
        know
    }

    #[test]
    fn joins_have_the_later_clock_of_each_thread() {
        let cases: [(Clocks, Clocks); 5] = [
            (&[], &[(3, 1)]),
            (&[(3, 2)], &[(3, 1)]),
            (&[(3, 2), (70, 1)], &[(3, 1), (4, 7), (40, 9)]),
            (&[(64, 1)], &[(0, 1), (64, 2), (128, 3)]),
            (&[(0, 5), (1, 1)], &[(0, 1), (1, 5)]),
        ];
        for (a, b) in cases {
            for (a, b) in [(a, b), (b, a)] {
                let mut both = know(a);
                both.join(&know(b));
                for thread in 0..160 {
                    let later = know(a).of(thread).max(know(b).of(thread));
                    assert_eq!(both.of(thread), later, "{a:?} {b:?} {thread}");
                }
            }
        }
    }
}
