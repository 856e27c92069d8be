//! Places of the program, with the calls that led there, as small numbers.

use crate::exec::warp::Warp;
use crate::program::Program;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::Arc;

/// A function and a step of it.
pub(super) type Step = (u32, u32);

/// A step, and the calls that led there, innermost first.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Place {
    pub(super) step: Step,
    pub(super) callers: SmallVec<[Step; 2]>,
}

/// Places by number: a step of the kernel has its own, others are numbered as they come.
#[derive(Debug, Default)]
pub(super) struct Places {
    steps: u32,
    all: Vec<Arc<Place>>,
    numbers: FxHashMap<Arc<Place>, u32>,
}

/// Calls that are remembered at most.
const MOST_CALLS: usize = 32;

impl Places {
    pub(super) fn new(program: &Program) -> Places {
        Places {
            steps: program.codes[0].steps.len() as u32,
            ..Places::default()
        }
    }

    /// Where the current fragment of a warp is.
    pub(super) fn number(&mut self, warp: &Warp) -> u32 {
        let fragment = &warp.fragments[warp.current];
        let frame = &warp.frames[fragment.frame];
        if frame.depth == 0 {
            return fragment.pc;
        }
        let mut place = Place {
            step: (frame.code as u32, fragment.pc),
            callers: SmallVec::new(),
        };
        let mut frame = frame;
        while frame.depth > 0 && place.callers.len() < MOST_CALLS {
            let caller = &warp.frames[frame.caller];
            let call = frame.return_to.saturating_sub(1);
            place.callers.push((caller.code as u32, call));
            frame = caller;
        }
        if let Some(number) = self.numbers.get(&place) {
            return *number;
        }
        let place = Arc::new(place);
        let number = self.steps + self.all.len() as u32;
        self.all.push(Arc::clone(&place));
        self.numbers.insert(place, number);
        number
    }

    /// The place with a number.
    pub(super) fn get(&self, number: u32) -> Place {
        match number.checked_sub(self.steps) {
            None => Place {
                step: (0, number),
                callers: SmallVec::new(),
            },
            Some(index) => match self.all.get(index as usize) {
                Some(place) => Place::clone(place),
                None => Place::default(),
            },
        }
    }
}
