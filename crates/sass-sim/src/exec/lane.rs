//! Special registers, and what lanes of a warp say to each other.

use super::{Machine, mask};
use crate::memory::{LOCAL, SHARED};
use crate::op::{Reduce, Shuffle, Step, Vote, What};
use crate::operand::{Dest, From};
use crate::warp::{Lanes, Warp};

/// Executes a step that reads other lanes or special registers; whether it is one.
pub(super) fn run(machine: &mut Machine<'_>, warp: &mut Warp, step: &Step, lanes: u32) -> bool {
    let args = &step.args;
    if let What::Shuffle(_) | What::Vote(_) | What::Match { .. } | What::Reduce(..) = step.what {
        machine.counts.collectives += 1;
    }
    match &step.what {
        What::Special { wide } => {
            let From::Number(number) = args.source(0).from else {
                return true;
            };
            let value = special(machine, warp, number as u8);
            warp.set(args.d, &value, lanes);
            if *wide {
                let high = match number as u8 {
                    name::CLOCK_LOW | name::TIMER_LOW => special(machine, warp, number as u8 + 1),
                    _ => [0; 32],
                };
                warp.set(crate::warp::next(args.d, 1), &high, lanes);
            }
        }
        What::ToUniform { or } => {
            let value = machine.bits(warp, args.source(0));
            let first = value[lanes.trailing_zeros() as usize];
            // Which lanes have something else: they have to be served again.
            let others = mask(|lane| value[lane] != first);
            let before = match (or, args.p[0]) {
                (true, Dest::Predicate(number)) => warp.predicate(usize::from(number & 7), false),
                _ => 0,
            };
            warp.set_predicate(args.p[0], others | before, lanes);
            warp.set(args.d, &value, lanes);
        }
        What::Shuffle(shuffle) => {
            let value = machine.bits(warp, args.source(0));
            let by = machine.bits(warp, args.source(1));
            let clamp = machine.bits(warp, args.source(2));
            let mut result: Lanes = [0; 32];
            let mut inside = 0;
            for lane in 0..32u32 {
                let (by, clamp) = (by[lane as usize] & 31, clamp[lane as usize]);
                let segment = clamp >> 8 & 31;
                let limit = clamp & 31;
                let most = lane & segment | limit & !segment;
                let least = lane & segment;
                let (source, is_inside) = match shuffle {
                    Shuffle::Up => (
                        lane.wrapping_sub(by),
                        lane as i32 - by as i32 >= most as i32,
                    ),
                    Shuffle::Down => (lane + by, lane + by <= most),
                    Shuffle::Butterfly => (lane ^ by, lane ^ by <= most),
                    Shuffle::Index => {
                        let source = least | by & !segment;
                        (source, source <= most)
                    }
                };
                let source = if is_inside { source } else { lane };
                // From a lane that does not take part anything may come; an H200 gives zero.
                if lanes >> (source & 31) & 1 != 0 {
                    result[lane as usize] = value[source as usize & 31];
                }
                inside |= u32::from(is_inside) << lane;
            }
            warp.set_predicate(args.p[0], inside, lanes);
            warp.set(args.d, &result, lanes);
        }
        What::Vote(vote) => {
            let ballot = warp.truth(args.truth(0)) & lanes;
            let answer = match vote {
                Vote::All => ballot == lanes,
                Vote::Any => ballot != 0,
                Vote::Equal => ballot == 0 || ballot == lanes,
            };
            warp.set_predicate(args.p[0], if answer { u32::MAX } else { 0 }, lanes);
            warp.set(args.d, &[ballot; 32], lanes);
        }
        What::Match { all, wide } => {
            let value = match wide {
                true => machine.long_bits(warp, args.source(0)),
                false => machine.bits(warp, args.source(0)).map(u64::from),
            };
            let same = |lane: usize| mask(|other| value[other] == value[lane]) & lanes;
            match all {
                false => {
                    let result = std::array::from_fn(same);
                    warp.set(args.d, &result, lanes);
                }
                true => {
                    let agrees = same(lanes.trailing_zeros() as usize) == lanes;
                    warp.set_predicate(args.p[0], if agrees { u32::MAX } else { 0 }, lanes);
                    warp.set(args.d, &[if agrees { lanes } else { 0 }; 32], lanes);
                }
            }
        }
        What::Reduce(reduce, signed) => {
            let value = machine.bits(warp, args.source(0));
            let all = active(&value, lanes);
            let result = match (reduce, signed) {
                (Reduce::And, _) => all.fold(u32::MAX, |all, one| all & one),
                (Reduce::Or, _) => all.fold(0, |all, one| all | one),
                (Reduce::Xor, _) => all.fold(0, |all, one| all ^ one),
                (Reduce::Sum, _) => all.fold(0, u32::wrapping_add),
                (Reduce::Min, true) => all.fold(i32::MAX, |all, one| all.min(one as i32)) as u32,
                (Reduce::Max, true) => all.fold(i32::MIN, |all, one| all.max(one as i32)) as u32,
                (Reduce::Min, false) => all.fold(u32::MAX, u32::min),
                (Reduce::Max, false) => all.fold(0, u32::max),
            };
            warp.set(args.d, &[result; 32], lanes);
        }
        What::Elect => {
            let wanted = match args.s.first() {
                Some(mask) => machine.bits(warp, *mask)[0],
                None => warp.truth(args.truth(0)),
            };
            let leader = (wanted & lanes).trailing_zeros();
            let bit = 1u32.checked_shl(leader).unwrap_or(0);
            warp.set_predicate(args.p[0], bit, lanes);
            warp.set(args.d, &[leader & 31; 32], lanes);
        }
        _ => return false,
    }
    true
}

/// The values of the lanes that are active.
fn active(values: &Lanes, lanes: u32) -> impl Iterator<Item = u32> {
    let values = *values;
    (0..32)
        .filter(move |lane| lanes >> lane & 1 == 1)
        .map(move |lane| values[lane])
}

/// Cycles of all warps together in a nanosecond: on a GPU they run side by side.
const CYCLES: u64 = 32;
/// Warps that a processor can have at a time.
const RESIDENT_WARPS: u32 = 64;

/// The numbers of special registers.
mod name {
    pub(super) const LANE: u8 = 0;
    pub(super) const CLOCK: u8 = 1;
    pub(super) const VIRTUAL_SIZE: u8 = 2;
    pub(super) const VIRTUAL: u8 = 3;
    pub(super) const PROCESSOR: u8 = 67;
    pub(super) const TID: u8 = 32;
    pub(super) const TID_X: u8 = 33;
    pub(super) const TID_Z: u8 = 35;
    pub(super) const CTAID_X: u8 = 37;
    pub(super) const CTAID_Z: u8 = 39;
    pub(super) const NTID: u8 = 40;
    pub(super) const LOCAL_WINDOW: u8 = 46;
    pub(super) const SHARED_WINDOW: u8 = 47;
    pub(super) const SHARED_SIZE: u8 = 50;
    pub(super) const STACK_END: u8 = 55;
    pub(super) const EQUAL: u8 = 56;
    pub(super) const LESS: u8 = 57;
    pub(super) const LESS_EQUAL: u8 = 58;
    pub(super) const GREATER: u8 = 59;
    pub(super) const GREATER_EQUAL: u8 = 60;
    pub(super) const CLOCK_LOW: u8 = 80;
    pub(super) const CLOCK_HIGH: u8 = 81;
    pub(super) const TIMER_LOW: u8 = 82;
    pub(super) const TIMER_HIGH: u8 = 83;
    pub(super) const RANK: u8 = 136;
    pub(super) const CLUSTER_SIZE: u8 = 138;
    pub(super) const ZERO: u8 = 255;
}

fn special(machine: &mut Machine<'_>, warp: &Warp, number: u8) -> Lanes {
    let launched = machine.launched;
    let block = &machine.group.blocks[machine.block];
    let [x, y, _] = launched.block;
    let thread = |lane: usize| {
        let thread = warp.number * 32 + lane as u32;
        [thread % x, thread / x % y, thread / x / y]
    };
    let bit = |lane: usize| 1u32 << lane;
    let per_lane = |f: &dyn Fn(usize) -> u32| -> Lanes { std::array::from_fn(f) };
    // Time goes on with every instruction.
    let clock = machine.counts.warp_instructions * 4;
    match number {
        name::LANE => per_lane(&|lane| lane as u32),
        name::TID_X..=name::TID_Z => {
            per_lane(&|lane| thread(lane)[usize::from(number - name::TID_X)])
        }
        name::TID => per_lane(&|lane| {
            let [x, y, z] = thread(lane);
            x | y << 16 | z << 26
        }),
        name::CTAID_X..=name::CTAID_Z => [block.position[usize::from(number - name::CTAID_X)]; 32],
        name::NTID => [launched.block[0] | launched.block[1] << 16 | launched.block[2] << 26; 32],
        name::LOCAL_WINDOW => [(LOCAL >> 32) as u32; 32],
        name::SHARED_WINDOW => [(SHARED >> 32) as u32; 32],
        // It is given in pieces of 128 bytes.
        name::SHARED_SIZE => [block.shared.len().next_multiple_of(128) as u32; 32],
        name::EQUAL => per_lane(&bit),
        name::LESS => per_lane(&|lane| bit(lane) - 1),
        name::LESS_EQUAL => per_lane(&|lane| (bit(lane) - 1) | bit(lane)),
        name::GREATER => per_lane(&|lane| !((bit(lane) - 1) | bit(lane))),
        name::GREATER_EQUAL => per_lane(&|lane| !(bit(lane) - 1)),
        name::CLOCK | name::CLOCK_LOW => [clock as u32; 32],
        name::CLOCK_HIGH => [(clock >> 32) as u32; 32],
        name::TIMER_LOW => [(clock / CYCLES) as u32; 32],
        name::TIMER_HIGH => [((clock / CYCLES) >> 32) as u32; 32],
        name::RANK => [block.rank; 32],
        name::CLUSTER_SIZE => [machine.group.blocks.len() as u32; 32],
        name::VIRTUAL_SIZE => [RESIDENT_WARPS << 8; 32],
        name::VIRTUAL => [warp.number << 8; 32],
        name::PROCESSOR => {
            let [x, y, z] = block.position;
            let [width, height, _] = launched.grid;
            let number = z.wrapping_mul(height).wrapping_add(y);
            [number.wrapping_mul(width).wrapping_add(x) % crate::bank::PROCESSORS; 32]
        }
        // The end of the stack is where local memory begins.
        name::STACK_END | name::ZERO => [0; 32],
        _ => {
            let name = warpc_sass::special::name(number);
            let text = format!("the special register {name} has no value here");
            machine
                .problem
                .get_or_insert(crate::finding::Problem::Other(text));
            [0; 32]
        }
    }
}
