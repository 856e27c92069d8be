//! What the lanes of a warp do together: shuffles, votes, matches, reductions.
//!
//! The lanes that a member mask names meet, wherever they are: lanes that come first wait until all
//! the others (that have not exited) execute the same operation with the same mask. The old forms
//! without a mask take the lanes that execute them together.

use super::frame::{Around, Doubles};
use super::group::Shared;
use super::warp::{Flow, Fragment, Wait, Warp};
use super::{Env, Outcome, Trouble, defined, lanes};
use crate::finding::{Problem, Told, Waiting};
use crate::program::{Collective, Dst, Op, Together};
use warpc_diag::codes;

/// The name of an operation in messages.
pub(crate) fn name_of(what: Together) -> &'static str {
    match what {
        Together::Wait => "bar.warp.sync",
        Together::ShuffleUp => "shfl.sync.up",
        Together::ShuffleDown => "shfl.sync.down",
        Together::ShuffleXor => "shfl.sync.bfly",
        Together::ShuffleIndex => "shfl.sync.idx",
        Together::VoteAll => "vote.sync.all",
        Together::VoteAny => "vote.sync.any",
        Together::VoteUniform => "vote.sync.uni",
        Together::Ballot => "vote.sync.ballot",
        Together::MatchAny => "match.any.sync",
        Together::MatchAll => "match.all.sync",
        Together::Elect => "elect.sync",
        _ => "redux.sync",
    }
}

/// Executes a collective operation, or waits for the others.
pub(super) fn execute(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    op: &Collective,
    active: u32,
) -> Outcome<Flow> {
    let Some(mask) = op.mask else {
        let here = warp.fragments[warp.current];
        shared.counts.collectives += 1;
        compute(warp, env, shared, &[(here, active)], op, active);
        return Ok(Flow::Next);
    };
    let frame = warp.frame();
    let identity = warp.identity;
    let around = Around::new(env, &identity, shared);
    let masks = warp.frames[frame].words(mask, around);
    let members = masks[active.trailing_zeros() as usize];
    let same = lanes(active)
        .filter(|lane| masks[*lane] == members)
        .fold(0, |mask, lane| mask | 1 << lane);
    if same & !members != 0 {
        let problem = Problem::OutsideMask {
            what: name_of(op.what),
            mask: members,
        };
        return Err(Trouble::of(same & !members, problem));
    }
    // The common case: all who are meant are here.
    if same == active && same == members & warp.live() {
        let here = warp.fragments[warp.current];
        shared.counts.collectives += 1;
        compute(warp, env, shared, &[(here, same)], op, members);
        return Ok(Flow::Next);
    }
    if same != active {
        // Lanes with other masks meet others: they come again on their own.
        let current = warp.fragments[warp.current];
        warp.fragments[warp.current].lanes = same | current.lanes & !active;
        warp.fragments.push(Fragment {
            lanes: active & !same,
            ..current
        });
    }
    warp.block(same, Wait::Collective(members));
    if let Some(problem) = other_mask(warp, env, (same, members), op.what) {
        return Err(Trouble::of(same, problem));
    }
    try_complete(warp, env, shared, members, op.what);
    Ok(Flow::Choose)
}

/// Lanes that wait at the same operation with another mask, when each mask names lanes of the other: neither can be complete.
fn other_mask(
    warp: &Warp,
    env: &Env<'_>,
    (own, members): (u32, u32),
    what: Together,
) -> Option<Problem> {
    let other = warp.fragments.iter().find(|fragment| match fragment.wait {
        Wait::Collective(mask) => {
            mask != members
                && mask & own != 0
                && members & fragment.lanes != 0
                && operation(warp, env, fragment).is_some_and(|op| op.what == what)
        }
        _ => false,
    })?;
    let Wait::Collective(mask) = other.wait else {
        return None;
    };
    let code = &env.program.codes[warp.frames[other.frame].code];
    let name = name_of(what);
    Some(Problem::Told(Box::new(Told {
        code: codes::MASKS_DIFFER,
        warning: false,
        message: format!(
            "the thread executes `{name}` with member mask {members:#010x}, and lanes of this mask execute it \
             with {mask:#010x}"
        ),
        help: "all lanes that a member mask names must give the same mask: compute it once, before the \
               branch (`__ballot_sync`), not with `__activemask` inside"
            .to_owned(),
        related: vec![Waiting {
            span: code.origins[other.pc as usize].span,
            text: format!("lanes {:#010x} wait here with mask {mask:#010x}", other.lanes),
        }],
    })))
}

/// Completes an operation if all who are meant wait at it.
fn try_complete(warp: &mut Warp, env: &Env<'_>, shared: &mut Shared, members: u32, what: Together) {
    let mut waiting: Vec<(usize, Fragment)> = Vec::new();
    let mut there = 0;
    for (index, fragment) in warp.fragments.iter().enumerate() {
        if fragment.wait == Wait::Collective(members)
            && operation(warp, env, fragment).is_some_and(|op| op.what == what)
        {
            there |= fragment.lanes;
            waiting.push((index, *fragment));
        }
    }
    if there != members & warp.live() || there == 0 {
        return;
    }
    shared.counts.collectives += 1;
    shared.progress += 1;
    let parts: Vec<(Fragment, u32)> = waiting.iter().map(|(_, f)| (*f, f.lanes)).collect();
    if let Some(op) = operation(warp, env, &parts[0].0) {
        compute(warp, env, shared, &parts, op, members);
    }
    for (index, _) in waiting {
        warp.resume(index);
    }
}

/// The operation at which a fragment stands.
pub(crate) fn operation<'a>(
    warp: &Warp,
    env: &'a Env<'_>,
    fragment: &Fragment,
) -> Option<&'a Collective> {
    let code = &env.program.codes[warp.frames[fragment.frame].code];
    match &code.steps[fragment.pc as usize].op {
        Op::Collective(op) => Some(op),
        _ => None,
    }
}

/// Lanes that have exited are waited for no more.
pub(super) fn thread_exit(warp: &mut Warp, env: &Env<'_>, shared: &mut Shared) -> Outcome<()> {
    let waiting: Vec<(u32, Together)> = warp
        .fragments
        .iter()
        .filter_map(|fragment| match fragment.wait {
            Wait::Collective(mask) => operation(warp, env, fragment).map(|op| (mask, op.what)),
            _ => None,
        })
        .collect();
    for (mask, what) in waiting {
        try_complete(warp, env, shared, mask, what);
    }
    Ok(())
}

/// Computes for all parts together and gives each its results.
fn compute(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    parts: &[(Fragment, u32)],
    first: &Collective,
    members: u32,
) {
    let identity = warp.identity;
    let around = Around::new(env, &identity, shared);
    let (mut a, mut b, mut c) = ([0; 32], [0; 32], [0; 32]);
    let mut there = 0;
    for (fragment, active) in parts {
        let op = operation(warp, env, fragment).unwrap_or(first);
        let frame = &warp.frames[fragment.frame];
        there |= active;
        for lane in lanes(*active) {
            a[lane] = frame.get(op.a, lane, around);
            b[lane] = frame.get(op.b, lane, around);
            c[lane] = frame.get(op.c, lane, around);
        }
    }
    if first.what == Together::Wait
        && let Some(races) = &mut shared.races
    {
        races.meet_lanes(&identity, there);
    }
    if first.what == Together::Wait
        && let Some(weak) = &mut shared.weak
    {
        weak.meet_lanes(&identity, there);
    }
    let (values, flags) = combine(first.what, there, members, &a, &b, &c);
    if env.init {
        watch(warp, env, parts, first.what, (there, &a, &b, &c));
    }
    for (fragment, active) in parts {
        let (to, predicate) = match operation(warp, env, fragment) {
            Some(op) => (op.to, op.predicate),
            None => continue,
        };
        let frame = &mut warp.frames[fragment.frame];
        frame.set_all(to, *active, &values);
        for lane in lanes(*active) {
            frame.set(predicate, lane, u64::from(flags >> lane & 1));
        }
    }
}

/// Results are undefined where they come from undefined values, or from lanes that do not take part.
fn watch(
    warp: &mut Warp,
    env: &Env<'_>,
    parts: &[(Fragment, u32)],
    what: Together,
    (there, a, b, c): (u32, &Doubles, &Doubles, &Doubles),
) {
    let is_shuffle = matches!(
        what,
        Together::ShuffleUp | Together::ShuffleDown | Together::ShuffleXor | Together::ShuffleIndex
    );
    let sources: [usize; 32] = match is_shuffle {
        true => std::array::from_fn(|lane| source(what, lane, b[lane], c[lane]).0),
        false => std::array::from_fn(|lane| lane),
    };
    let absent = lanes(there)
        .filter(|lane| there >> sources[*lane] & 1 == 0)
        .fold(0, |mask, lane| mask | 1 << lane);
    if absent == 0 && !warp.tainted {
        return;
    }
    let mut brought = [0; 32];
    let mut results: Vec<(Fragment, u32, Dst, Dst)> = Vec::new();
    for (fragment, active) in parts {
        let Some(op) = operation(warp, env, fragment) else {
            continue;
        };
        results.push((*fragment, *active, op.to, op.predicate));
        for lane in lanes(*active) {
            brought[lane] = defined::of_source(warp, fragment.frame, op.a, lane);
        }
    }
    let undefined = lanes(there)
        .filter(|lane| brought[*lane] != 0)
        .fold(0u32, |mask, lane| mask | 1 << lane);
    let has = |value: u64| lanes(there & !undefined).any(|lane| a[lane] & 1 == value);
    let all = if undefined != 0 { u64::MAX } else { 0 };
    let (bits, flags) = match what {
        _ if is_shuffle => (std::array::from_fn(|lane| brought[sources[lane]]), 0),
        Together::Wait | Together::Elect => ([0; 32], 0),
        Together::Ballot => ([u64::from(undefined); 32], 0),
        // One lane may decide alone.
        Together::VoteAll if has(0) => ([0; 32], 0),
        Together::VoteAny if has(1) => ([0; 32], 0),
        Together::VoteUniform if has(0) && has(1) => ([0; 32], 0),
        _ => ([all; 32], all as u32),
    };
    defined::collected(warp, env, &results, (&bits, absent), flags);
}

/// The results of an operation: a value and a flag for each lane.
fn combine(
    what: Together,
    there: u32,
    members: u32,
    a: &Doubles,
    b: &Doubles,
    c: &Doubles,
) -> (Doubles, u32) {
    let ones = lanes(there).fold(0, |mask, lane| mask | u32::from(a[lane] & 1 != 0) << lane);
    let all = |value: bool| {
        let value = u64::from(value);
        ([value; 32], if value != 0 { u32::MAX } else { 0 })
    };
    let fold = |f: &dyn Fn(u32, u32) -> u32| {
        let mut list = lanes(there).map(|lane| a[lane] as u32);
        let first = list.next().unwrap_or(0);
        ([u64::from(list.fold(first, f)); 32], 0)
    };
    match what {
        Together::Wait => ([0; 32], 0),
        Together::ShuffleUp
        | Together::ShuffleDown
        | Together::ShuffleXor
        | Together::ShuffleIndex => shuffle(what, there, a, b, c),
        Together::VoteAll => all(ones == there),
        Together::VoteAny => all(ones != 0),
        Together::VoteUniform => all(ones == there || ones == 0),
        Together::Ballot => ([u64::from(ones); 32], 0),
        Together::MatchAny => {
            let equal = |value: u64| {
                lanes(there)
                    .filter(|lane| a[*lane] == value)
                    .fold(0u32, |mask, lane| mask | 1 << lane)
            };
            (std::array::from_fn(|lane| u64::from(equal(a[lane]))), 0)
        }
        Together::MatchAll => {
            let first = a[there.trailing_zeros().min(31) as usize];
            if lanes(there).all(|lane| a[lane] == first) {
                ([u64::from(members & there); 32], u32::MAX)
            } else {
                ([0; 32], 0)
            }
        }
        Together::ReduceAdd => fold(&u32::wrapping_add),
        Together::ReduceMinU => fold(&u32::min),
        Together::ReduceMaxU => fold(&u32::max),
        Together::ReduceMinS => fold(&|x, y| (x as i32).min(y as i32) as u32),
        Together::ReduceMaxS => fold(&|x, y| (x as i32).max(y as i32) as u32),
        Together::ReduceAnd => fold(&|x, y| x & y),
        Together::ReduceOr => fold(&|x, y| x | y),
        Together::ReduceXor => fold(&|x, y| x ^ y),
        Together::ReduceFloat { min, abs, nan } => {
            let list = lanes(there).map(|lane| {
                let value = f32::from_bits(a[lane] as u32);
                if abs { value.abs() } else { value }
            });
            ([u64::from(reduce_float(list, min, nan)); 32], 0)
        }
        // The lowest lane of the mask is chosen.
        Together::Elect => {
            let leader = there.trailing_zeros().min(31);
            ([u64::from(leader); 32], 1 << leader)
        }
    }
}

/// The least or greatest; zeros are ordered by sign, NaN loses unless it is asked for.
fn reduce_float(list: impl Iterator<Item = f32>, min: bool, nan: bool) -> u32 {
    const NAN: u32 = 0x7fff_ffff;
    let mut best: Option<f32> = None;
    for value in list {
        if value.is_nan() {
            if nan {
                return NAN;
            }
            continue;
        }
        let better = |old: f32| {
            let less = value.total_cmp(&old).is_lt();
            less == min && value.to_bits() != old.to_bits()
        };
        if best.is_none_or(better) {
            best = Some(value);
        }
    }
    best.map_or(NAN, f32::to_bits)
}

/// Shuffles: the operand `c` has the clamp in bits 0 to 4 and the segment in bits 8 to 12.
fn shuffle(what: Together, there: u32, a: &Doubles, b: &Doubles, c: &Doubles) -> (Doubles, u32) {
    let (mut values, mut flags) = ([0; 32], 0);
    for lane in lanes(there) {
        let (from, inside) = source(what, lane, b[lane], c[lane]);
        flags |= u32::from(inside) << lane;
        // From a lane that does not take part anything may come; an H200 gives zero.
        values[lane] = if there >> from & 1 != 0 { a[from] } else { 0 };
    }
    (values, flags)
}

/// The lane that a lane reads from, and whether that is the one it means.
fn source(what: Together, lane: usize, b: u64, c: u64) -> (usize, bool) {
    let (own, b) = (lane as i32, (b & 31) as i32);
    let (clamp, segment) = ((c & 31) as i32, (c >> 8 & 31) as i32);
    let most = own & segment | clamp & !segment;
    let least = own & segment;
    let (from, inside) = match what {
        Together::ShuffleUp => (own - b, own - b >= most),
        Together::ShuffleDown => (own + b, own + b <= most),
        Together::ShuffleXor => (own ^ b, own ^ b <= most),
        _ => {
            let from = least | b & !segment;
            (from, from <= most)
        }
    };
    (if inside { from } else { own } as usize, inside)
}
