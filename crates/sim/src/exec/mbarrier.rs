//! Barrier objects in shared memory.
//!
//! ```text
//!   init ──► phase 0 ── arrivals and bytes ──► phase 1 ── … ──► inval
//! ```
//!
//! The counts of each object are kept beside shared memory; its 64 bits there are an image of them.
//! So an operation on what is not an object is seen, and so is a store that has changed one. `try_wait`
//! blocks: its threads go on when the phase is over, or when nothing else in the group can happen. Its time
//! may also be over at once (every other try, by the seed), so that code that does not try again is seen.

mod object;

use super::access::{self, Place, Touch};
use super::frame::Around;
use super::group::Shared;
use super::warp::{Flow, Fragment, Wait, Warp};
use super::{Env, Outcome, Trouble, defined, lanes};
use crate::address::Space;
use crate::finding::{Access, Problem};
use crate::program::{Addr, Dst, Op, Order, Src, Visitor, visit_reads, visit_writes};
use object::Arrival;
pub use object::Layout;
pub(crate) use object::Object;
pub use object::pending_count;
use object::without_counts;
use std::collections::BTreeMap;

/// An operation on a barrier object.
#[derive(Debug)]
pub struct Mbarrier {
    /// What is done.
    pub what: What,
    /// The space of the address.
    pub space: Space,
    /// Whether the object may be one of another block.
    pub remote: bool,
    /// Where the object lies.
    pub at: Addr,
    /// Arrivals, bytes, a state or a parity.
    pub value: Src,
    /// Where the state or the predicate goes.
    pub to: Dst,
    /// The layout that an object gets, or is asked for.
    pub layout: Layout,
    /// Where it goes whether something was reported, and what. Copies that report are not run, so nothing ever is.
    pub reports: [Dst; 2],
    /// The blocks whose objects at this place are meant; the one at the address if there is no mask.
    pub ranks: Option<Src>,
    /// What an arrival or a wait orders.
    pub order: Order,
}

impl Mbarrier {
    /// Visits every register that is read, then every one that is written.
    pub(crate) fn visit(&mut self, visitor: &mut dyn Visitor) {
        let Mbarrier {
            at,
            value,
            to,
            reports,
            ranks,
            ..
        } = self;
        visit_reads(visitor, [&mut at.base, value]);
        visit_reads(visitor, ranks);
        visitor.write(to);
        visit_writes(visitor, reports);
    }
}

/// What is done with a barrier object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// It begins, and waits for so many arrivals in a phase.
    Init,
    /// It ends.
    Invalidate,
    /// Whether it has a layout.
    CheckLayout,
    /// So many bytes will come.
    Expect,
    /// So many bytes have come.
    Complete,
    /// So many arrivals.
    Arrive {
        /// As many are expected no more.
        drop: bool,
        /// Whether it may end the phase.
        may_complete: bool,
    },
    /// One arrival, after so many bytes are announced.
    ExpectAndArrive {
        /// One arrival less is expected from now on.
        drop: bool,
    },
    /// Whether a phase is over.
    Wait {
        /// Whether the phase is given by its parity, not by a state.
        parity: bool,
        /// Whether to wait for a while.
        block: bool,
    },
}

/// The barrier objects of a block's shared memory, by their place; `None` for one that has ended.
#[derive(Debug, Default)]
pub(crate) struct Barriers(BTreeMap<u32, Option<Object>>);

/// Where an object lies: block of the cluster, and offset.
pub(crate) type At = (u32, u32);

fn problem((_, offset): At, what: impl Into<String>) -> Problem {
    Problem::Mbarrier {
        address: u64::from(offset),
        what: what.into(),
    }
}

/// The bits in shared memory.
fn image(shared: &Shared, (rank, offset): At) -> u64 {
    access::little(&shared.memory[rank as usize], offset as usize, 8)
}

/// The object at a place.
pub(crate) fn look(shared: &Shared, at: At) -> Result<Object, Problem> {
    match shared.objects[at.0 as usize].0.get(&at.1) {
        None => Err(problem(at, "it was never initialised")),
        Some(None) => Err(problem(at, "it was invalidated")),
        Some(Some(object)) if object.image() != image(shared, at) => {
            Err(problem(at, "something else was written over it"))
        }
        Some(Some(object)) => Ok(*object),
    }
}

/// Writes an object and its image.
fn keep(shared: &mut Shared, at: At, object: Object) {
    shared.objects[at.0 as usize].0.insert(at.1, Some(object));
    if let Some(weak) = &mut shared.weak {
        weak.overwritten_shared(at, 8);
    }
    let memory = &mut shared.memory[at.0 as usize];
    access::put(memory, at.1 as usize, 8, object.image());
    defined::written(shared, at.0, at.1, 8);
    shared.progress += 1;
}

/// Changes an object, and ends its phase if nothing is missing then.
fn change<T>(
    shared: &mut Shared,
    at: At,
    change: impl FnOnce(&mut Object) -> Result<T, String>,
) -> Result<T, Problem> {
    let mut object = look(shared, at)?;
    let result = change(&mut object).map_err(|what| problem(at, what))?;
    shared.counts.barriers += u64::from(object.settle());
    keep(shared, at, object);
    Ok(result)
}

/// Bytes have come: what an asynchronous copy tells its barrier.
pub(super) fn complete(shared: &mut Shared, at: At, bytes: u32) -> Result<(), Problem> {
    change(shared, at, |object| object.complete(bytes))
}

/// One arrival: what asynchronous copies of a thread tell a barrier.
pub(super) fn arrive(shared: &mut Shared, at: At) -> Result<(), Problem> {
    let arrival = Arrival {
        count: 1,
        drop: false,
        may_complete: true,
    };
    change(shared, at, |object| object.arrive(arrival)).map(|_| ())
}

/// One arrival more is missing.
pub(super) fn increment(shared: &mut Shared, at: At) -> Result<(), Problem> {
    change(shared, at, Object::increment)
}

fn init(shared: &mut Shared, at: At, (count, layout): (u32, Layout)) -> Result<(), Problem> {
    // Memory that was used for something else meanwhile holds no object any more.
    if look(shared, at).is_ok() {
        return Err(problem(
            at,
            "it is initialised a second time without `mbarrier.inval`",
        ));
    }
    let object = Object::new(count, layout).map_err(|what| problem(at, what))?;
    keep(shared, at, object);
    Ok(())
}

fn invalidate(shared: &mut Shared, at: At) -> Result<(), Problem> {
    look(shared, at)?;
    shared.objects[at.0 as usize].0.insert(at.1, None);
    shared.progress += 1;
    Ok(())
}

/// Finds the object that a lane means.
pub(crate) fn locate(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &Shared,
    lane: usize,
    (space, addr): (Space, Addr),
    remote: bool,
) -> Outcome<At> {
    let touch = Touch {
        access: Access::Atomic,
        space,
        address: access::address_of(warp, env, shared, lane, addr),
        bytes: 8,
        lane,
    };
    let own = warp.identity.rank as usize;
    let problem = match access::resolve(warp, env, shared, touch)? {
        Place::Shared(rank, offset) if rank == own || remote => {
            return Ok((rank as u32, offset as u32));
        }
        Place::Shared(_, offset) => problem(
            (0, offset as u32),
            "it belongs to another block, and this form is for the own block's",
        ),
        _ => Problem::Mbarrier {
            address: touch.address,
            what: "the address does not lie in shared memory".to_owned(),
        },
    };
    Err(trouble(lane, problem))
}

pub(super) fn trouble(lane: usize, problem: Problem) -> Box<Trouble> {
    Trouble::of(1 << lane, problem)
}

pub(super) fn execute(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    op: &Mbarrier,
    active: u32,
) -> Outcome<Flow> {
    if let What::Wait { parity, block } = op.what {
        return wait(warp, env, shared, op, (parity, block), active);
    }
    let frame = warp.frame();
    let identity = warp.identity;
    for lane in lanes(active) {
        let at = locate(warp, env, shared, lane, (op.space, op.at), op.remote)?;
        let around = Around::new(env, &identity, shared);
        let get = |source| warp.frames[frame].get(source, lane, around) as u32;
        let (value, ranks) = (get(op.value), op.ranks.map(get));
        let Some(ranks) = ranks else {
            if let Some(result) = one((warp, env), shared, (op, value), (lane, at))? {
                warp.frames[frame].set(op.to, lane, result);
            }
            continue;
        };
        let blocks = env.blocks_in_cluster();
        for rank in lanes(ranks).map(|rank| rank as u32) {
            if rank >= blocks {
                return Err(trouble(lane, Problem::NoSuchRank { rank, blocks }));
            }
            one((warp, env), shared, (op, value), (lane, (rank, at.1)))?;
        }
    }
    Ok(Flow::Next)
}

/// What a lane does with one object; its result.
fn one(
    (warp, env): (&Warp, &Env<'_>),
    shared: &mut Shared,
    (op, value): (&Mbarrier, u32),
    (lane, at): (usize, At),
) -> Outcome<Option<u64>> {
    if shared.races.is_some() {
        let phase = look(shared, at).map(|object| object.phase).ok();
        if let Some(races) = &mut shared.races {
            races.object(warp, lane, at, (op.what, op.order), phase);
        }
    }
    if let (What::Arrive { .. } | What::ExpectAndArrive { .. }, Some(weak)) =
        (op.what, &mut shared.weak)
    {
        weak.arrive(super::thread_of(warp, env, lane), at, op.order);
    }
    let outcome = match op.what {
        What::Init => init(shared, at, (value, op.layout)).map(|()| None),
        What::Invalidate => invalidate(shared, at).map(|()| None),
        What::Expect => change(shared, at, |object| object.expect(value)).map(|()| None),
        What::Complete => change(shared, at, |object| object.complete(value)).map(|()| None),
        What::Arrive { drop, may_complete } => {
            let arrival = Arrival {
                count: value,
                drop,
                may_complete,
            };
            let opaque = env.explored && !env.program.counts_pending;
            let shown = |state| if opaque { without_counts(state) } else { state };
            change(shared, at, |object| object.arrive(arrival)).map(|state| Some(shown(state)))
        }
        What::ExpectAndArrive { drop } => change(shared, at, |object| {
            object.expect(value)?;
            object.arrive(Arrival {
                count: 1,
                drop,
                may_complete: true,
            })
        })
        .map(Some),
        What::CheckLayout => {
            look(shared, at).map(|object| Some(u64::from(object.layout == op.layout)))
        }
        What::Wait { .. } => Ok(None),
    };
    outcome.map_err(|problem| trouble(lane, problem))
}

/// `test_wait`, `try_wait`
fn wait(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    op: &Mbarrier,
    (parity, block): (bool, bool),
    active: u32,
) -> Outcome<Flow> {
    let frame = warp.frame();
    let identity = warp.identity;
    // Lanes may wait for different phases of different objects, but mostly they do not.
    let mut waiting: Vec<(Wait, u32)> = Vec::new();
    let mut last: Option<(u64, At, Object)> = None;
    for lane in lanes(active) {
        let address = access::address_of(warp, env, shared, lane, op.at);
        let (at, object) = match last {
            Some((same, at, object)) if same == address => (at, object),
            _ => {
                let at = locate(warp, env, shared, lane, (op.space, op.at), op.remote)?;
                let object = look(shared, at).map_err(|problem| trouble(lane, problem))?;
                last = Some((address, at, object));
                (at, object)
            }
        };
        for report in op.reports {
            warp.frames[frame].set(report, lane, 0);
        }
        if let Some(races) = &mut shared.races {
            races.object_used(warp, lane, at);
        }
        let around = Around::new(env, &identity, shared);
        let value = warp.frames[frame].get(op.value, lane, around);
        let over = if parity {
            object.is_parity_over(value as u32)
        } else {
            object.is_over(value)
        };
        let over = over.map_err(|what| trouble(lane, problem(at, what)))?;
        if over && let Some(races) = &mut shared.races {
            races.phase_over(&identity, 1 << lane, at, (op.order, object.phase));
        }
        if over && let Some(weak) = &mut shared.weak {
            weak.phase_over(&identity, 1 << lane, at, op.order);
        }
        if over {
            observe(shared, at, object.phase);
        }
        if over || !block {
            warp.frames[frame].set(op.to, lane, u64::from(over));
            continue;
        }
        let wait = Wait::Phase {
            rank: at.0,
            offset: at.1,
            phase: object.phase,
        };
        match waiting.iter_mut().find(|(other, _)| *other == wait) {
            Some((_, mask)) => *mask |= 1 << lane,
            None => waiting.push((wait, 1 << lane)),
        }
    }
    // PTX lets a try fail after a time that the implementation chooses.
    if !waiting.is_empty() && (env.explored || shared.random.below(2) == 0) {
        for lane in waiting.iter().flat_map(|(_, mask)| lanes(*mask)) {
            warp.frames[frame].set(op.to, lane, 0);
        }
        return Ok(Flow::Next);
    }
    let Some((first, mask)) = waiting.pop() else {
        return Ok(Flow::Next);
    };
    for (wait, lanes) in waiting {
        let current = &mut warp.fragments[warp.current];
        current.lanes &= !lanes;
        let other = Fragment {
            lanes,
            wait,
            timed_out: false,
            ..*current
        };
        warp.fragments.push(other);
    }
    warp.block(mask, first);
    Ok(Flow::Choose)
}

/// A thread has seen that phases before this one are over.
fn observe(shared: &mut Shared, at: At, phase: u32) {
    if let Some(flights) = &mut shared.flights {
        flights.observe(at, phase);
    }
    super::tensor::observe(shared, at, phase);
}

/// Looks whether the phase that a fragment waits for is over.
pub(super) fn wake(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    index: usize,
) -> Outcome<()> {
    let fragment = warp.fragments[index];
    let Wait::Phase {
        rank,
        offset,
        phase,
    } = fragment.wait
    else {
        return Ok(());
    };
    let object =
        look(shared, (rank, offset)).map_err(|problem| Trouble::of(fragment.lanes, problem))?;
    let over = object.phase != phase;
    if over {
        observe(shared, (rank, offset), object.phase);
    }
    if !over && !fragment.timed_out {
        return Ok(());
    }
    let code = &env.program.codes[warp.frames[fragment.frame].code];
    if let Op::Mbarrier(op) = &code.steps[fragment.pc as usize].op {
        if over && let Some(races) = &mut shared.races {
            let how = (op.order, object.phase);
            races.phase_over(&warp.identity, fragment.lanes, (rank, offset), how);
        }
        if over && let Some(weak) = &mut shared.weak {
            weak.phase_over(&warp.identity, fragment.lanes, (rank, offset), op.order);
        }
        for lane in lanes(fragment.lanes) {
            warp.frames[fragment.frame].set(op.to, lane, u64::from(over));
        }
    }
    warp.resume(index);
    Ok(())
}

/// What is missing in a phase that somebody waits for.
pub(crate) fn missing(shared: &Shared, rank: u32, offset: u32, phase: u32) -> String {
    let head = format!(
        "wait for the end of phase {phase} (parity {}) of the mbarrier at {offset:#x}",
        phase & 1
    );
    match look(shared, (rank, offset)) {
        Ok(object) => format!(
            "{head}: {} arrival(s) and {} byte(s) are missing",
            object.pending, object.bytes
        ),
        Err(_) => head,
    }
}
