//! Calls, returns, exits and the stack.
//!
//! Lanes that call together get a frame together. Each lane has its own stack for local variables,
//! parameters and what `alloca` gives; a frame knows where each lane's part begins.

use super::frame::{Around, Frame};
use super::group::Shared;
use super::warp::{Flow, Fragment, Warp};
use super::{Env, Outcome, Trouble, barrier, collective, defined, flights, lanes, library};
use crate::address;
use crate::finding::Problem;
use crate::program::{Call, Callee, Dst, LOCAL_GAP, Place, Src};

/// What a thread's stack may grow to: the most local memory a thread has on the chip.
const MAX_STACK: usize = 512 * 1024;

/// `brx.idx`
pub(super) fn branch_indexed(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    index: Src,
    targets: &[u32],
    active: u32,
) -> Outcome<Flow> {
    let current = warp.fragments[warp.current];
    let identity = warp.identity;
    let around = Around::new(env, &identity, shared);
    let mut left = active;
    let mut groups: Vec<(u32, u32)> = Vec::new();
    while left != 0 {
        let lane = left.trailing_zeros() as usize;
        let registers = &warp.frames[current.frame];
        let value = registers.get(index, lane, around) & u64::from(u32::MAX);
        let same = lanes(left)
            .filter(|lane| registers.get(index, *lane, around) & u64::from(u32::MAX) == value)
            .fold(0, |mask, lane| mask | 1 << lane);
        let Some(&target) = targets.get(value as usize) else {
            let problem = Problem::BadIndex {
                index: value,
                targets: targets.len(),
            };
            return Err(Trouble::of(same, problem));
        };
        groups.push((same, target));
        left &= !same;
    }
    let rest = current.lanes & !active;
    if rest != 0 {
        groups.push((rest, current.pc + 1));
    }
    replace(warp, &groups);
    Ok(Flow::Choose)
}

/// The current fragment becomes several.
fn replace(warp: &mut Warp, groups: &[(u32, u32)]) {
    let current = warp.fragments[warp.current];
    for (i, &(lanes, pc)) in groups.iter().enumerate() {
        let fragment = Fragment {
            lanes,
            pc,
            ..current
        };
        if i == 0 {
            warp.fragments[warp.current] = fragment;
        } else {
            warp.fragments.push(fragment);
        }
    }
}

/// `call`
pub(super) fn call(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    call: &Call,
    active: u32,
) -> Outcome<Flow> {
    let callee = match &call.callee {
        Callee::System(system) => {
            library::call(warp, env, shared, *system, call, active)?;
            return Ok(Flow::Next);
        }
        Callee::Function(code) => *code,
        Callee::Pointer(source) => {
            let current = warp.fragments[warp.current];
            let identity = warp.identity;
            let around = Around::new(env, &identity, shared);
            let registers = &warp.frames[current.frame];
            let value = |lane: usize| registers.get(*source, lane, around);
            let first = value(active.trailing_zeros() as usize);
            let same = lanes(active)
                .filter(|lane| value(*lane) == first)
                .fold(0, |mask, lane| mask | 1 << lane);
            // Each target on its own: those with the first one now, the rest later.
            let groups: Vec<(u32, u32)> = [
                (same, current.pc),
                (active & !same, current.pc),
                (current.lanes & !active, current.pc + 1),
            ]
            .into_iter()
            .filter(|(lanes, _)| *lanes != 0)
            .collect();
            replace(warp, &groups);
            let code = address::to_function(first)
                .and_then(|number| env.program.by_address.get(number).copied().flatten());
            match code {
                Some(code) if code != 0 => return enter(warp, env, shared, call, code, same),
                _ => return Err(Trouble::of(same, Problem::BadCall(first))),
            }
        }
    };
    enter(warp, env, shared, call, callee, active)
}

fn enter(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    call: &Call,
    callee: usize,
    active: u32,
) -> Outcome<Flow> {
    let current = warp.fragments[warp.current];
    let code = &env.program.codes[callee];
    if code.params.len() != call.arguments.len() || code.returns.len() != call.results.len() {
        let text = format!(
            "the call passes {} argument(s) and takes {} result(s), `{}` has {} and {}",
            call.arguments.len(),
            call.results.len(),
            code.name,
            code.params.len(),
            code.returns.len()
        );
        return Err(Trouble::of(active, Problem::BadCallSignature(text)));
    }
    let mut frame = Frame::new(code, callee);
    frame.caller = current.frame;
    frame.return_to = current.pc + 1;
    frame.depth = warp.frames[current.frame].depth + 1;
    frame.lanes = active;
    if warp.stacks.is_empty() {
        warp.stacks = vec![Vec::new(); 32];
    }
    // The base is kept even for an empty frame: on return the stack is cut back to it.
    frame.base = vec![0; 32];
    for lane in lanes(active) {
        let stack = &mut warp.stacks[lane];
        let base = stack.len().next_multiple_of(code.frame_align as usize);
        let end = base + code.frame_bytes as usize;
        if end > MAX_STACK || frame.depth > MAX_DEPTH {
            return Err(Box::new(Trouble {
                lane: lane as u32,
                problem: Problem::StackOverflow,
            }));
        }
        frame.base[lane] = base as u32;
        let before = stack.len();
        stack.resize(end, 0);
        defined::grown(warp, env, lane, before);
        let gaps = code
            .gaps
            .iter()
            .map(|(a, b)| (a + base as u32, b + base as u32));
        warp.leave_gaps(lane, before, gaps);
    }
    warp.tainted |= defined::entered(code, &mut frame, env);
    let identity = warp.identity;
    let around = Around::new(env, &identity, shared);
    let mut caller = warp.take_frame(current.frame);
    for (argument, param) in call.arguments.iter().zip(&code.params) {
        for lane in lanes(active) {
            pass(
                (&caller, argument),
                (&mut frame, param),
                (&mut warp.stacks[lane], lane),
                around,
            );
            if env.init {
                let (from, to) = ((&mut caller, argument), (&mut frame, param));
                defined::passed(warp, env, from, to, lane);
            }
        }
    }
    warp.frames[current.frame] = caller;
    let index = match warp.free.pop() {
        Some(index) => {
            warp.frames[index] = frame;
            index
        }
        None => {
            warp.frames.push(frame);
            warp.frames.len() - 1
        }
    };
    let rest = current.lanes & !active;
    if rest != 0 {
        warp.fragments.push(Fragment {
            lanes: rest,
            pc: current.pc + 1,
            ..current
        });
    }
    warp.fragments[warp.current] = Fragment {
        lanes: active,
        pc: 0,
        frame: index,
        ..current
    };
    Ok(Flow::Choose)
}

/// Calls may nest so deep; each takes memory of the host beside the thread's stack.
const MAX_DEPTH: u32 = 20_000;

/// Passes one argument or result of one lane.
fn pass(
    (from_frame, from): (&Frame, &Place),
    (to_frame, to): (&mut Frame, &Place),
    (stack, lane): (&mut [u8], usize),
    around: Around<'_>,
) {
    let mut bytes = [0; 8];
    match (*from, *to) {
        (Place::Memory(from, size), Place::Memory(to, room)) => {
            let from = (from_frame.base_of(lane) + from) as usize;
            let to = (to_frame.base_of(lane) + to) as usize;
            stack.copy_within(from..from + size.min(room) as usize, to);
        }
        (Place::Memory(from, size), Place::Register(to)) => {
            let from = (from_frame.base_of(lane) + from) as usize;
            let size = size.min(8) as usize;
            bytes[..size].copy_from_slice(&stack[from..from + size]);
            to_frame.set(to, lane, u64::from_le_bytes(bytes));
        }
        (Place::Value(from), Place::Memory(to, room)) => {
            let value = from_frame.get(from, lane, around);
            let to = (to_frame.base_of(lane) + to) as usize;
            let room = room.min(8) as usize;
            stack[to..to + room].copy_from_slice(&value.to_le_bytes()[..room]);
        }
        (Place::Value(from), Place::Register(to)) => {
            let value = from_frame.get(from, lane, around);
            to_frame.set(to, lane, value);
        }
        // A register cannot be read as a result of the caller, nor a value be written.
        (Place::Register(_), _) | (_, Place::Value(_)) => {}
    }
}

/// `ret`: in the kernel, the end of the threads.
pub(super) fn leave(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    active: u32,
) -> Outcome<Flow> {
    let current = warp.fragments[warp.current];
    if current.frame == 0 {
        return exit(warp, env, shared, active);
    }
    let (caller, return_to) = {
        let frame = &warp.frames[current.frame];
        (frame.caller, frame.return_to)
    };
    let identity = warp.identity;
    let around = Around::new(env, &identity, shared);
    let code = &env.program.codes[warp.frames[current.frame].code];
    let calling = &env.program.codes[warp.frames[caller].code];
    let results: &[Place] = match &calling.steps[return_to as usize - 1].op {
        crate::program::Op::Call(call) => &call.results,
        _ => &[],
    };
    // Two frames at once: both are taken out while results are passed.
    let mut callee = warp.take_frame(current.frame);
    let mut calling = warp.take_frame(caller);
    for (from, to) in code.returns.iter().zip(results) {
        for lane in lanes(active) {
            let stack = &mut warp.stacks[lane];
            pass((&callee, from), (&mut calling, to), (stack, lane), around);
            if env.init {
                let (from, to) = ((&mut callee, from), (&mut calling, to));
                defined::passed(warp, env, from, to, lane);
            }
        }
    }
    warp.frames[caller] = calling;
    for lane in lanes(active) {
        warp.stacks[lane].truncate(callee.base_of(lane) as usize);
    }
    callee.lanes &= !active;
    if callee.lanes == 0 {
        if let Some(touched) = &mut warp.touched {
            touched.leave(current.frame);
        }
        warp.free.push(current.frame);
    } else {
        warp.frames[current.frame] = callee;
    }
    let rest = current.lanes & !active;
    if rest != 0 {
        warp.fragments.push(Fragment {
            lanes: rest,
            pc: current.pc + 1,
            ..current
        });
    }
    warp.fragments[warp.current] = Fragment {
        lanes: active,
        pc: return_to,
        frame: caller,
        ..current
    };
    Ok(Flow::Choose)
}

/// The end of threads.
pub(super) fn exit(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    active: u32,
) -> Outcome<Flow> {
    let first = super::thread_of(warp, env, 0);
    if let Some(flights) = &shared.flights
        && let Some((lane, flight)) = flights.left_by(first, active)
    {
        return Err(flight.left(env, lane));
    }
    let place = warp.place_of(active.trailing_zeros());
    let rest = warp.fragments[warp.current].lanes & !active;
    if rest == 0 {
        warp.fragments.swap_remove(warp.current);
    } else {
        let fragment = &mut warp.fragments[warp.current];
        fragment.lanes = rest;
        fragment.pc += 1;
    }
    warp.exited |= active;
    for lane in lanes(active) {
        if let Some(stack) = warp.stacks.get_mut(lane) {
            *stack = Vec::new();
        }
    }
    if warp.is_done()
        && let Some(groups) = &mut shared.groups
    {
        groups.exit(super::number_of(warp, env));
    }
    shared.alive -= active.count_ones();
    shared.progress += 1;
    barrier::thread_exit(warp, env, shared, active)?;
    let rank = warp.identity.rank;
    if shared.barriers[rank as usize].is_over()
        && let Some(flights) = &shared.flights
        && let Some(flight) = flights.out_of_block(rank)
    {
        let lane = active.trailing_zeros() as usize;
        return Err(flights::left_by_block(env, lane, flight));
    }
    collective::thread_exit(warp, env, shared)?;
    super::tensor::left(warp, env, shared, place);
    Ok(Flow::Choose)
}

/// `alloca`
pub(super) fn grow(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    (to, size, align): (Dst, Src, u32),
    active: u32,
) -> Outcome<()> {
    let frame = warp.frame();
    let identity = warp.identity;
    if warp.stacks.is_empty() {
        warp.stacks = vec![Vec::new(); 32];
    }
    for lane in lanes(active) {
        let around = Around::new(env, &identity, shared);
        let bytes = warp.frames[frame].get(size, lane, around);
        let stack = &mut warp.stacks[lane];
        let before = stack.len();
        let base = (before + LOCAL_GAP as usize).next_multiple_of(align.max(1) as usize);
        let end = (base as u64).saturating_add(bytes);
        if end > MAX_STACK as u64 {
            return Err(Box::new(Trouble {
                lane: lane as u32,
                problem: Problem::StackOverflow,
            }));
        }
        stack.resize(end as usize, 0);
        defined::grown(warp, env, lane, before);
        warp.leave_gaps(lane, before, [(before as u32, base as u32)].into_iter());
        warp.frames[frame].set(to, lane, base as u64);
    }
    Ok(())
}

/// `stacksave`
pub(super) fn save(warp: &mut Warp, to: Dst, active: u32) {
    let frame = warp.frame();
    for lane in lanes(active) {
        let top = warp.stacks.get(lane).map_or(0, Vec::len) as u64;
        warp.frames[frame].set(to, lane, top);
    }
}

/// `stackrestore`
pub(super) fn restore(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    from: Src,
    active: u32,
) -> Outcome<()> {
    let frame = warp.frame();
    let identity = warp.identity;
    for lane in lanes(active) {
        let around = Around::new(env, &identity, shared);
        let top = warp.frames[frame].get(from, lane, around);
        let code = &env.program.codes[warp.frames[frame].code];
        let least = u64::from(warp.frames[frame].base_of(lane) + code.frame_bytes);
        let size = warp.stacks.get(lane).map_or(0, Vec::len) as u64;
        if top < least || top > size {
            let problem = Problem::Other {
                message: format!("`stackrestore` to {top:#x}, which is not on the stack"),
                help: "restore what `stacksave` gave in the same function",
            };
            return Err(Box::new(Trouble {
                lane: lane as u32,
                problem,
            }));
        }
        if let Some(stack) = warp.stacks.get_mut(lane) {
            stack.truncate(top as usize);
        }
    }
    Ok(())
}

impl Warp {
    /// Takes a frame out while something is passed to or from it.
    fn take_frame(&mut self, index: usize) -> Frame {
        let none = Frame::new(&crate::program::Code::default(), 0);
        std::mem::replace(&mut self.frames[index], none)
    }

    /// A stack has grown from so many bytes; these of its new bytes belong to no variable.
    fn leave_gaps(&mut self, lane: usize, from: usize, gaps: impl Iterator<Item = (u32, u32)>) {
        if self.gaps.is_empty() {
            self.gaps = vec![Vec::new(); 32];
        }
        let own = &mut self.gaps[lane];
        while own.last().is_some_and(|(start, _)| *start as usize >= from) {
            own.pop();
        }
        own.extend(gaps);
    }

    /// Makes one frame of two that lanes got by making the same calls at different times; whether
    /// they were such.
    pub(crate) fn unify(&mut self, env: &Env<'_>, keep: usize, other: usize) -> bool {
        if keep == other {
            return true;
        }
        let (a, b) = (&self.frames[keep], &self.frames[other]);
        if (a.code, a.depth, a.return_to) != (b.code, b.depth, b.return_to) || a.depth == 0 {
            return false;
        }
        let (caller, other_caller) = (a.caller, b.caller);
        if !self.unify(env, caller, other_caller) {
            return false;
        }
        let from = std::mem::replace(
            &mut self.frames[other],
            Frame::new(&crate::program::Code::default(), 0),
        );
        let code = &env.program.codes[from.code];
        let to = &mut self.frames[keep];
        let moved = from.lanes;
        to.lanes |= moved;
        defined::unified(to, from.undefined, moved, code);
        for (to, from) in to.predicates.iter_mut().zip(&from.predicates) {
            *to = *to & !moved | from & moved;
        }
        for lane in lanes(from.lanes) {
            for (to, from) in to.words.iter_mut().zip(&from.words) {
                to[lane] = from[lane];
            }
            for (to, from) in to.doubles.iter_mut().zip(&from.doubles) {
                to[lane] = from[lane];
            }
            to.base[lane] = from.base[lane];
        }
        for fragment in &mut self.fragments {
            if fragment.frame == other {
                fragment.frame = keep;
            }
        }
        for frame in &mut self.frames {
            if frame.depth > 0 && frame.caller == other {
                frame.caller = keep;
            }
        }
        if let Some(touched) = &mut self.touched {
            touched.leave(other);
        }
        self.free.push(other);
        true
    }
}
