//! Lanes on their own: how a warp is run where somebody chooses which of its threads comes next.

use super::{Fragment, Wait, Warp};
use crate::exec::group::Shared;
use crate::exec::{Env, Outcome, lanes};

impl Warp {
    /// Each lane goes on alone from the start, and nobody looks for loops.
    pub(crate) fn keep_apart(&mut self) {
        self.spin.stop();
        let together = |one: &Fragment| one.lanes.count_ones() > 1;
        while let Some(index) = self.fragments.iter().position(together) {
            self.part(index);
        }
    }

    /// The lanes of a fragment go on alone.
    pub(crate) fn part(&mut self, index: usize) {
        let fragment = self.fragments.remove(index);
        let alone = lanes(fragment.lanes).map(|lane| Fragment {
            lanes: 1 << lane,
            wait: Wait::Ready,
            ..fragment
        });
        self.fragments.extend(alone);
    }

    /// Executes one step of a fragment, which meets no other.
    pub(crate) fn step_alone(
        &mut self,
        env: &Env<'_>,
        shared: &mut Shared,
        index: usize,
    ) -> Outcome<()> {
        self.current = index;
        let end = self.clock + 1;
        self.run_fragment::<false>(env, shared, end).map(drop)
    }
}
