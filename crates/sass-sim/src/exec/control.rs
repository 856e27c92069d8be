//! Control flow: branches, calls, convergence, barriers. Each lane has a place of its own; those at one place together
//! are a fragment, which goes apart at branches and comes together only where the code says so.

use super::{Fault, Flow, Machine, system};
use crate::finding::Problem;
use crate::memory::{CODE, SYSTEM};
use crate::op::{Bar, Bmov, Step, What};
use crate::operand::{Dest, From};
use crate::warp::{BARRIERS, Fragment, Lanes, State, Warp};
use warpc_sass::Value;

/// State of a warp that `BMOV` moves besides the barriers: lanes that have ended, and those that run.
const EXITED: i64 = 24;
const ACTIVE: i64 = 26;

/// Executes a step of control flow; nothing if it is none.
pub(super) fn run(
    machine: &mut Machine<'_>,
    warp: &mut Warp,
    index: usize,
    step: &Step,
    active: u32,
) -> Result<Option<Flow>, Fault> {
    let args = &step.args;
    let at = warp.fragments[index].at;
    let after = i64::from(at) * 16 + 16;
    // Branches ask a predicate of their own besides the guard.
    let taken = || {
        active
            & args
                .t
                .iter()
                .fold(u32::MAX, |all, one| all & warp.truth(*one))
    };
    let place = || {
        let values = step.inst.values();
        let found = values.filter_map(|value| match value {
            Value::Place(place) => Some(place),
            _ => None,
        });
        found.last().unwrap_or(0)
    };
    Ok(Some(match &step.what {
        What::Branch { any } => {
            let taken = match taken() {
                0 => 0,
                _ if *any => warp.fragments[index].lanes,
                taken => taken,
            };
            jump(warp, index, taken, after + place())?
        }
        What::BranchDivergent { converged } => {
            let wanted = match args.s.first() {
                Some(source) if matches!(source.from, From::Uniform(_)) => {
                    let bits = machine.bits(warp, *source)[0];
                    if source.tilde() { !bits } else { bits }
                }
                _ => u32::MAX,
            };
            // Lanes whose guard is false are not together with the others: ptxas guards with whether the masks of lanes
            // agree, and all must go the slow way where they do not.
            let taken = taken();
            let together = wanted & warp.live & !taken == 0;
            let taken = match (together, *converged) {
                (true, true) => taken,
                (false, false) => warp.fragments[index].lanes,
                _ => 0,
            };
            jump(warp, index, taken, after + place())?
        }
        What::Call => {
            let taken = taken();
            jump(warp, index, taken, after + place())?
        }
        What::BranchIndirect { absolute }
        | What::ReturnTo { absolute }
        | What::CallIndirect { absolute } => {
            let taken = taken();
            let source = args.source(0);
            let targets = machine.long_bits(warp, source);
            let number = args.s.iter().skip(1).find_map(|one| match one.from {
                From::Number(number) => Some(number),
                _ => None,
            });
            let more = number.unwrap_or(0) + if *absolute { 0 } else { after };
            let targets = targets.map(|one| (one as i64).wrapping_add(more));
            if *absolute && matches!(step.what, What::CallIndirect { .. }) {
                let first = targets[taken.trailing_zeros().min(31) as usize] as u64;
                let is_system = taken != 0 && (SYSTEM..CODE).contains(&first);
                if is_system {
                    let number = ((first - SYSTEM) / 16) as usize;
                    let back = system::call(machine, warp, number, taken)?;
                    let back = back.map(|one| (one as i64).wrapping_sub(CODE as i64));
                    return Ok(Some(scatter(warp, index, taken, &back)?));
                }
            }
            let base = if *absolute { CODE as i64 } else { 0 };
            let targets = targets.map(|one| one.wrapping_sub(base));
            scatter(warp, index, taken, &targets)?
        }
        What::PlaceOf => {
            let place = CODE.wrapping_add_signed(after + place());
            warp.set_pair(args.d, &[place; 32], active);
            Flow::Next
        }
        What::Exit => {
            let taken = taken();
            exit(machine, warp, index, taken);
            Flow::Placed
        }
        What::Trap => match active {
            0 => Flow::Next,
            lanes => {
                return Err((
                    Problem::Trap("the kernel executed a trap".to_owned()),
                    lanes,
                ));
            }
        },
        What::Begin => {
            let (barrier, lanes) = (barrier(step), taken());
            for lane in super::memory::each(lanes) {
                warp.barriers[barrier][lane] = lanes;
            }
            Flow::Next
        }
        What::Break => {
            let (barrier, leaving) = (barrier(step), taken());
            // They are taken out of the barriers of all lanes that wait for them.
            let others = super::memory::each(leaving)
                .fold(0, |all, lane| all | warp.barriers[barrier][lane]);
            for lane in super::memory::each(others) {
                warp.barriers[barrier][lane] &= !leaving;
            }
            settle_after(warp, index)
        }
        What::Meet => {
            let lanes = taken();
            let barrier = barrier(step);
            let whole = warp.fragments[index].lanes;
            let wanted = warp.barriers[barrier].map(|mask| mask & warp.live);
            let first = wanted[lanes.trailing_zeros().min(31) as usize];
            let agree = super::memory::each(lanes).all(|lane| wanted[lane] == first);
            if lanes == 0 || agree && lanes == whole && first & !whole == 0 {
                return Ok(Some(Flow::Next));
            }
            wait(warp, index, lanes, &wanted, |_| State::Meet(barrier as u8));
            settle(warp);
            Flow::Placed
        }
        What::WarpSync { all, exclusive } => {
            let lanes = taken();
            let wanted = match all {
                true => [u32::MAX; 32],
                false => machine.bits(warp, args.source(0)),
            };
            return Ok(Some(warp_sync(warp, index, lanes, &wanted, *exclusive)));
        }
        What::EndCollective => Flow::Next,
        What::State(Bmov::Read { clear }) => {
            let From::Number(number) = args.s.last().map_or(From::Number(0), |one| one.from) else {
                return Ok(Some(Flow::Next));
            };
            let value: Lanes = match usize::try_from(number)
                .ok()
                .filter(|number| *number < BARRIERS)
            {
                Some(barrier) => {
                    let value = warp.barriers[barrier];
                    if *clear {
                        for lane in super::memory::each(active) {
                            warp.barriers[barrier][lane] = 0;
                        }
                    }
                    value
                }
                None if number == EXITED => [!warp.live; 32],
                None if number == ACTIVE => [active; 32],
                None => {
                    return Err((
                        Problem::Unsupported {
                            text: machine.launched.kernel.text(at),
                        },
                        active,
                    ));
                }
            };
            match args.d {
                Dest::Register(_) => warp.set(args.d, &value, active),
                _ => {
                    let From::Number(to) = args.source(0).from else {
                        return Ok(Some(Flow::Next));
                    };
                    write_barrier(machine, warp, to, &value, active, at)?;
                }
            }
            Flow::Next
        }
        What::State(Bmov::Write) => {
            let From::Number(to) = args.source(0).from else {
                return Ok(Some(Flow::Next));
            };
            let source = args.source(1);
            // The other operand is a barrier, too, where both are.
            let from_barrier = step
                .inst
                .operands
                .get(1)
                .is_some_and(|one| matches!(one.value, Value::Barrier(_)));
            let value = match source.from {
                From::Number(number) if from_barrier => warp.barriers[number as usize % BARRIERS],
                _ => machine.bits(warp, source),
            };
            write_barrier(machine, warp, to, &value, active, at)?;
            settle_after(warp, index)
        }
        What::Yield => {
            let lanes = warp.fragments[index].lanes;
            give_way(warp, lanes);
            Flow::Yield
        }
        What::Barrier(bar) => {
            return block_barrier(machine, warp, index, step, *bar, active).map(Some);
        }
        What::BarrierResult => {
            let (count, truth) = warp.counted;
            warp.set(args.d, &[count; 32], active);
            warp.set_predicate(args.p[0], if truth { u32::MAX } else { 0 }, active);
            Flow::Next
        }
        What::Registers { takes, count } => {
            let pool = &mut machine.group.blocks[machine.block].free_registers;
            let all = pool.saturating_add(warp.allocated);
            let has_room = all >= *count;
            if !takes || has_room {
                *pool = all.saturating_sub(*count);
                warp.allocated = *count;
            }
            if *takes {
                let done = if has_room { u32::MAX } else { 0 };
                warp.set_predicate(args.p[0], done, u32::MAX);
            }
            Flow::Next
        }
        What::ClusterArrive => {
            if active != 0 {
                warp.cluster_phase = machine.group.arrive(machine.block, warp.number);
            }
            Flow::Next
        }
        What::ClusterWait => {
            if active == 0 || machine.group.phase > warp.cluster_phase {
                return Ok(Some(Flow::Next));
            }
            let phase = warp.cluster_phase;
            let fragment = &mut warp.fragments[index];
            fragment.state = State::Cluster(phase);
            fragment.at += 1;
            Flow::Placed
        }
        _ => return Ok(None),
    }))
}

/// The barrier that a step names.
fn barrier(step: &Step) -> usize {
    let found = step.inst.values().find_map(|value| match value {
        Value::Barrier(number) => Some(usize::from(number)),
        _ => None,
    });
    found.unwrap_or(0) % BARRIERS
}

fn write_barrier(
    machine: &Machine<'_>,
    warp: &mut Warp,
    to: i64,
    value: &Lanes,
    lanes: u32,
    at: u32,
) -> Result<(), Fault> {
    let Some(barrier) = usize::try_from(to).ok().filter(|number| *number < BARRIERS) else {
        let text = machine.launched.kernel.text(at);
        return Err((Problem::Unsupported { text }, lanes));
    };
    for lane in super::memory::each(lanes) {
        warp.barriers[barrier][lane] = value[lane];
    }
    Ok(())
}

/// The number of the instruction at a place.
fn number_of(target: i64, lanes: u32) -> Result<u32, Fault> {
    match target >= 0 && target % 16 == 0 {
        true => u32::try_from(target / 16).map_err(|_| (Problem::BadJump { target }, lanes)),
        false => Err((Problem::BadJump { target }, lanes)),
    }
}

/// Some lanes of a fragment go on elsewhere, the others at the next instruction.
fn jump(warp: &mut Warp, index: usize, taken: u32, target: i64) -> Result<Flow, Fault> {
    if taken == 0 {
        return Ok(Flow::Next);
    }
    let to = number_of(target, taken)?;
    if taken == warp.fragments[index].lanes {
        warp.fragments[index].at = to;
        return Ok(Flow::Placed);
    }
    let other = part(warp, index, taken);
    warp.fragments[other].at = to;
    Ok(Flow::Next)
}

/// Lanes go on at places of their own.
fn scatter(warp: &mut Warp, index: usize, taken: u32, targets: &[i64; 32]) -> Result<Flow, Fault> {
    let mut rest = taken;
    let whole = warp.fragments[index].lanes == taken;
    let mut placed = false;
    while rest != 0 {
        let target = targets[rest.trailing_zeros() as usize];
        let same = super::mask(|lane| targets[lane] == target) & rest;
        rest &= !same;
        let to = number_of(target, same)?;
        if rest == 0 && whole {
            warp.fragments[index].at = to;
            placed = true;
        } else {
            let other = part(warp, index, same);
            warp.fragments[other].at = to;
        }
    }
    Ok(if placed { Flow::Placed } else { Flow::Next })
}

/// Makes some lanes of a fragment one of their own, at the same place; its number comes back.
fn part(warp: &mut Warp, index: usize, lanes: u32) -> usize {
    let fragment = &mut warp.fragments[index];
    if fragment.lanes == lanes {
        return index;
    }
    let clock = fragment.clock.split(lanes);
    fragment.lanes &= !lanes;
    let other = Fragment {
        lanes,
        at: fragment.at,
        state: State::Ready,
        clock,
    };
    warp.fragments.push(other);
    warp.fragments.len() - 1
}

/// Makes some lanes of a fragment one of their own that will wait; the others go on at the next instruction.
fn leave(warp: &mut Warp, index: usize, lanes: u32) -> usize {
    let other = part(warp, index, lanes);
    if other != index {
        warp.fragments[index].at += 1;
    }
    other
}

/// Lanes end.
fn exit(machine: &mut Machine<'_>, warp: &mut Warp, index: usize, lanes: u32) {
    warp.live &= !lanes;
    let fragment = &mut warp.fragments[index];
    fragment.lanes &= !lanes;
    fragment.at += 1;
    if fragment.lanes == 0 {
        warp.fragments.remove(index);
    } else {
        let _ = fragment.clock.split(lanes);
    }
    settle(warp);
    let block = &mut machine.group.blocks[machine.block];
    block.live[warp.number as usize] = warp.live;
    block.check_barriers();
    if warp.live == 0 {
        machine.group.leave(machine.block, warp.number);
    }
}

/// Lanes of a fragment wait, those for the same others together; what does not wait goes on at the next instruction.
fn wait(warp: &mut Warp, index: usize, lanes: u32, wanted: &Lanes, state: impl Fn(u32) -> State) {
    let whole = warp.fragments[index].lanes;
    let mut rest = lanes;
    while rest != 0 {
        let mask = wanted[rest.trailing_zeros() as usize];
        let same = super::mask(|lane| wanted[lane] == mask) & rest;
        rest &= !same;
        let other = match rest == 0 && whole == lanes {
            true => index,
            false => part(warp, index, same),
        };
        warp.fragments[other].state = state(mask);
    }
    if whole != lanes {
        warp.fragments[index].at += 1;
    }
}

/// Lanes wait for those of their mask. After an exclusive one they run without the others, until they meet again.
fn warp_sync(warp: &mut Warp, index: usize, lanes: u32, wanted: &Lanes, exclusive: bool) -> Flow {
    let whole = warp.fragments[index].lanes;
    // Those of an exclusive one meet the others right after it.
    if !exclusive {
        give_way(warp, lanes);
    }
    let first = wanted[lanes.trailing_zeros().min(31) as usize];
    let agree = super::memory::each(lanes).all(|lane| wanted[lane] == first);
    let missing = first & warp.live & !whole;
    let others = if exclusive { whole & !first } else { 0 };
    if lanes == 0 || agree && lanes == whole && missing == 0 && others == 0 {
        return Flow::Next;
    }
    wait(warp, index, lanes, wanted, State::WarpSync);
    settle(warp);
    Flow::Placed
}

/// Does the same once a fragment has done its step: what joins another one changes the numbers of those after it.
fn settle_after(warp: &mut Warp, index: usize) -> Flow {
    warp.fragments[index].at += 1;
    settle(warp);
    Flow::Placed
}

/// Lets fragments go on that have met all lanes that they wait for; those at one place become one.
fn settle(warp: &mut Warp) {
    // Who waits for the same lanes at the same barrier waits for each other; the same barrier may be waited at in an
    // outer call for others.
    let wanted = |fragment: &Fragment| match fragment.state {
        State::Meet(barrier) => {
            let lane = fragment.lanes.trailing_zeros().min(31) as usize;
            Some(warp.barriers[usize::from(barrier)][lane] & warp.live)
        }
        State::WarpSync(wanted) => Some(wanted & warp.live),
        _ => None,
    };
    let is_free = |fragment: &Fragment| {
        let Some(mask) = wanted(fragment) else {
            return false;
        };
        let others = warp
            .fragments
            .iter()
            .filter(|one| one.state == fragment.state && wanted(one) == Some(mask));
        let together = others.fold(0, |all, one| all | one.lanes);
        mask & !together == 0
    };
    let free: Vec<usize> = (0..warp.fragments.len())
        .filter(|at| is_free(&warp.fragments[*at]))
        .collect();
    if free.is_empty() {
        return;
    }
    let states: Vec<State> = free
        .iter()
        .map(|index| warp.fragments[*index].state)
        .collect();
    for &index in &free {
        let fragment = &mut warp.fragments[index];
        fragment.state = State::Ready;
        fragment.at += 1;
    }
    // From the last on, so that numbers stay what they are.
    for position in (0..free.len()).rev() {
        let index = free[position];
        let at = warp.fragments[index].at;
        let earlier = (0..position).find(|one| {
            let first = free[*one];
            let same = states[*one] == states[position] && warp.fragments[first].at == at;
            same && is_one(warp, states[*one], first, index)
        });
        if let Some(earlier) = earlier.map(|earlier| free[earlier]) {
            let fragment = warp.fragments.remove(index);
            let other = &mut warp.fragments[earlier];
            other.lanes |= fragment.lanes;
            other.clock.merge(fragment.clock);
            if warp.turn >= index {
                warp.turn = warp.turn.saturating_sub(1);
            }
        }
    }
}

/// Lanes that yield, or come to a `WARPSYNC`, may wait for what others do only after they have met: a convergence barrier
/// does not hold those. Who waits to meet such lanes goes on without them, at once here: on a chip it may happen any
/// time, and code must not count on more (an H200 let lanes of a warp through a `BAR` after a `BSYNC` one by one).
fn give_way(warp: &mut Warp, lanes: u32) {
    let barriers = &warp.barriers;
    let waits = |fragment: &Fragment, barrier: u8| {
        let lane = fragment.lanes.trailing_zeros().min(31) as usize;
        barriers[usize::from(barrier)][lane] & lanes != 0
    };
    let mut gone = [0; BARRIERS];
    for fragment in &mut warp.fragments {
        if let State::Meet(barrier) = fragment.state
            && waits(fragment, barrier)
        {
            fragment.state = State::Ready;
            fragment.at += 1;
            gone[usize::from(barrier)] |= fragment.lanes;
        }
    }
    // Who comes later does not wait for those that are gone.
    for (masks, gone) in warp.barriers.iter_mut().zip(gone) {
        for mask in masks.iter_mut().filter(|_| gone != 0) {
            *mask &= !gone;
        }
    }
}

/// Whether fragments that left a barrier together are of one region: lanes of different ones can be at one place.
fn is_one(warp: &Warp, state: State, first: usize, second: usize) -> bool {
    let State::Meet(barrier) = state else {
        return true;
    };
    let (first, second) = (&warp.fragments[first], &warp.fragments[second]);
    let lanes = super::memory::each(first.lanes);
    lanes.fold(0, |all, lane| {
        all | warp.barriers[usize::from(barrier)][lane]
    }) & second.lanes
        != 0
}

/// The first bits of the operands of `BAR`: the number of the barrier, and of its threads.
const BARRIER_NUMBER: u8 = 54;
const THREADS: u8 = 42;

fn block_barrier(
    machine: &mut Machine<'_>,
    warp: &mut Warp,
    index: usize,
    step: &Step,
    bar: Bar,
    active: u32,
) -> Result<Flow, Fault> {
    if active == 0 {
        return Ok(Flow::Next);
    }
    let lane = active.trailing_zeros() as usize;
    let inst = &step.inst;
    let fixed = |bit: u8| inst.at(bit).and_then(|one| one.value.number());
    let register = match inst.at(32).map(|one| one.value) {
        Some(Value::Register(number)) => Some(warp.register(number)[lane]),
        _ => None,
    };
    // A register has the number in its low byte and the threads above, or only one of the two.
    let (number, threads) = match (fixed(BARRIER_NUMBER), fixed(THREADS), register) {
        (Some(number), Some(threads), _) => (number as u32, threads as u32),
        (Some(number), None, Some(threads)) => (number as u32, threads & 0xfff),
        (None, Some(threads), Some(number)) => (number & 15, threads as u32),
        (None, None, Some(both)) => (both & 15, both >> 16 & 0xfff),
        (Some(number), None, None) => (number as u32, 0),
        (None, ..) => (0, 0),
    };
    let predicate = match step.args.t.last() {
        Some(truth) => warp.truth(*truth) & active,
        None => active,
    };
    let block = &mut machine.group.blocks[machine.block];
    let number = (number & 15) as usize;
    let phase = block.barriers[number].phase;
    block.arrive(
        number,
        warp.number,
        active,
        threads,
        predicate,
        warp.elapsed,
    );
    machine.counts.barriers += u64::from(block.barriers[number].phase > phase);
    let fragment = leave(warp, index, active);
    let fragment = &mut warp.fragments[fragment];
    fragment.at += 1;
    if bar != Bar::Arrive {
        let block = &machine.group.blocks[machine.block];
        match block.barriers[number].phase > phase {
            true => {
                warp.counted = block.barriers[number].result(bar);
                warp.elapsed = warp.elapsed.max(block.barriers[number].passed);
            }
            false => fragment.state = State::Barrier(number as u8 | kind(bar) << 4, phase),
        }
    }
    Ok(Flow::Placed)
}

/// What a barrier counts, as a number.
fn kind(bar: Bar) -> u8 {
    match bar {
        Bar::Sync | Bar::Arrive => 0,
        Bar::Popc => 1,
        Bar::And => 2,
        Bar::Or => 3,
    }
}

/// Wakes fragments whose barrier is complete; whether one of them can run now.
pub(crate) fn wake(machine: &Machine<'_>, warp: &mut Warp) -> bool {
    let block = &machine.group.blocks[machine.block];
    let mut can_run = false;
    for fragment in &mut warp.fragments {
        match fragment.state {
            State::Barrier(number, phase) => {
                let barrier = &block.barriers[usize::from(number & 15)];
                if barrier.phase > phase {
                    warp.elapsed = warp.elapsed.max(barrier.passed);
                    let bar = [Bar::Sync, Bar::Popc, Bar::And, Bar::Or][usize::from(number >> 4)];
                    if bar != Bar::Sync {
                        warp.counted = barrier.result(bar);
                    }
                    fragment.state = State::Ready;
                }
            }
            State::Cluster(phase) if machine.group.phase > phase => fragment.state = State::Ready,
            _ => {}
        }
        can_run |= fragment.state == State::Ready;
    }
    can_run
}
