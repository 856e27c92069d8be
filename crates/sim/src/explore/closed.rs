//! Loops that wait: whether a thread is where it was.
//!
//! The state of a thread before a visible operation is where it is, with the calls around it, its live registers and its stack. If
//! it has been in the same state before, and nothing that it did since has changed anything, then the turns of the loop in
//! between can be left out of the run: everybody else finds the same. So the thread stops here. What it would do after others
//! have acted is what it does in the run in which they act before its first turn, and that run is explored as well, since their
//! writes race with its reads ([`super::order`]).

use super::live::Live;
use crate::exec::Env;
use crate::exec::defined;
use crate::exec::warp::{Fragment, Warp};
use crate::program::Src;
use rustc_hash::FxHashMap;

/// States of a thread since something last changed, each with the number of events of the run at that time.
#[derive(Debug, Default)]
pub(super) struct Seen(FxHashMap<Box<[u8]>, u32>);

/// So many states are kept; a longer loop is not seen to be closed.
const MOST: usize = 4096;

impl Seen {
    /// Something has changed.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// The thread is in a state after so many events; when it was in it before, if it was.
    pub(super) fn meet(&mut self, state: Box<[u8]>, events: u32) -> Option<u32> {
        if let Some(before) = self.0.get(&state) {
            return Some(*before);
        }
        if self.0.len() >= MOST {
            self.0.clear();
        }
        self.0.insert(state, events);
        None
    }
}

/// The state of the only lane of a fragment.
pub(super) fn state(env: &Env<'_>, live: &Live, warp: &Warp, fragment: &Fragment) -> Box<[u8]> {
    let lane = fragment.lanes.trailing_zeros().min(31) as usize;
    let mut out: Vec<u8> = Vec::with_capacity(64);
    let word = |out: &mut Vec<u8>, value: u32| out.extend(value.to_le_bytes());
    out.push((warp.carry >> lane & 1) as u8);
    let (mut number, mut pc) = (fragment.frame, fragment.pc);
    loop {
        let frame = &warp.frames[number];
        word(&mut out, frame.code as u32);
        word(&mut out, pc);
        word(&mut out, frame.base_of(lane));
        if let Some(live) = live.at(frame.code, pc) {
            let undefined = |source: Src| match env.init {
                true => defined::of_source(warp, number, source, lane),
                false => 0,
            };
            let members = |list: &[bool]| {
                let members = list.iter().enumerate().filter(|(_, live)| **live);
                members.map(|(slot, _)| slot).collect::<Vec<_>>()
            };
            for slot in members(&live.predicates) {
                out.push((frame.predicates[slot] >> lane & 1) as u8);
                out.push(undefined(Src::P(slot as u32, false)) as u8);
            }
            for slot in members(&live.words) {
                word(&mut out, frame.words[slot][lane]);
                word(&mut out, undefined(Src::W(slot as u32)) as u32);
            }
            for slot in members(&live.doubles) {
                out.extend(frame.doubles[slot][lane].to_le_bytes());
                out.extend(undefined(Src::D(slot as u32)).to_le_bytes());
            }
        }
        if frame.depth == 0 {
            break;
        }
        (number, pc) = (frame.caller, frame.return_to);
    }
    for stacks in [&warp.stacks, &warp.stack_shadow] {
        if let Some(stack) = stacks.get(lane) {
            out.extend(stack);
        }
    }
    out.into_boxed_slice()
}
