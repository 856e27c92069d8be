//! Asynchronous copies, stores and reductions.
//!
//! ```text
//!   issue: addresses checked ──► pending ──rounds later──► performed ──► bytes or groups counted
//! ```
//!
//! What is wrong with addresses and sizes is told where a copy is issued.

mod covered;
mod pending;
pub mod tensor;

use super::access::{self, Place, Touch};
use super::frame::Around;
use super::group::Shared;
use super::mbarrier::trouble;
use super::warp::{Flow, Wait, Warp};
use super::{Env, Outcome, defined, lanes, lifetime, mbarrier, number_of};
use crate::address::Space;
use crate::finding::{Access, Problem};
use crate::program::{Addr, Src, Visitor, visit_reads};
use crate::races;
use covered::{waited, watch};
use pending::{Issue, Source, Spot, Transfer, Waiter, Work};
pub(crate) use pending::{Pending, actors as copies, advance, issuer};
use smallvec::SmallVec;
use warpc_ptx_eval::AtomicUpdate;

/// An asynchronous copy, or what waits for one.
#[derive(Debug)]
pub enum Async {
    /// `cp.async`
    Small(Small),
    /// `cp.async.bulk`, `cp.reduce.async.bulk`
    Bulk(Bulk),
    /// `st.async`, `red.async`
    Elements(Elements),
    /// `clusterlaunchcontrol.try_cancel`
    Cancel(Cancel),
    /// `cp.async.bulk.tensor`, `cp.reduce.async.bulk.tensor`
    Tensor(Box<tensor::Tensor>),
    /// `st.bulk`: zeros, at once.
    Zeros {
        /// Where.
        at: Addr,
        /// The space.
        space: Space,
        /// Bytes.
        size: Src,
    },
    /// `cp.async.mbarrier.arrive`
    Arrive {
        /// The barrier.
        at: Addr,
        /// Its space.
        space: Space,
        /// Whether the barrier waits for one arrival more.
        increment: bool,
    },
    /// `commit_group`, of bulk copies or of small ones.
    CloseGroup {
        /// Of bulk copies?
        bulk: bool,
    },
    /// `wait_group`, `wait_all`
    Wait {
        /// For what.
        awaited: Awaited,
        /// Groups that may be left.
        left: u32,
        /// Whether copies of no group are waited for as well.
        close: bool,
    },
}

/// `cp.async`
#[derive(Debug)]
pub struct Small {
    /// Where to, in shared memory.
    pub to: Addr,
    /// Where from, in global memory.
    pub from: Addr,
    /// Bytes that are written.
    pub bytes: u32,
    /// Bytes that are read; the rest are zeros.
    pub read: Option<Src>,
    /// Whether nothing is read.
    pub ignore: Option<Src>,
}

/// `cp.async.bulk`
#[derive(Debug)]
pub struct Bulk {
    /// Where to.
    pub to: (Space, Addr),
    /// Where from.
    pub from: (Space, Addr),
    /// Bytes.
    pub size: Src,
    /// How elements of so many bytes are combined with what is there.
    pub update: Option<(AtomicUpdate, u32)>,
    /// The barrier that counts the bytes; without one the copy belongs to a group.
    pub barrier: Option<Addr>,
    /// The blocks that get the data, each at the same place.
    pub ranks: Option<Src>,
    /// Which bytes of every 16 are written.
    pub byte_mask: Option<Src>,
}

/// `st.async`, `red.async`
#[derive(Debug)]
pub struct Elements {
    /// Where to.
    pub to: (Space, Addr),
    /// The values.
    pub values: SmallVec<[Src; 4]>,
    /// Bytes of each.
    pub bytes: u32,
    /// How they are combined with what is there.
    pub update: Option<AtomicUpdate>,
    /// The barrier that counts the bytes.
    pub barrier: Option<Addr>,
}

/// `clusterlaunchcontrol.try_cancel`: a group of blocks that has not begun is taken from the launch, and the answer is written as by a copy.
#[derive(Debug)]
pub struct Cancel {
    /// Where the answer goes.
    pub to: (Space, Addr),
    /// The barrier that counts its bytes.
    pub barrier: Addr,
    /// Whether all blocks of the cluster get it.
    pub all: bool,
}

/// Bytes of an answer: the place of the first block that does not begin, and whether there is one.
const ANSWER: u32 = 16;

/// What a thread waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Awaited {
    /// Small copies.
    Small,
    /// Bulk copies.
    Bulk,
    /// That bulk copies have read their sources.
    BulkRead,
}

impl Async {
    /// Visits every register that is read; none is written.
    pub(crate) fn visit(&mut self, visitor: &mut dyn Visitor) {
        match self {
            Async::Small(Small {
                to,
                from,
                bytes: _,
                read,
                ignore,
            }) => {
                visit_reads(visitor, [&mut to.base, &mut from.base]);
                visit_reads(visitor, read.iter_mut().chain(ignore));
            }
            Async::Bulk(Bulk {
                to,
                from,
                size,
                update: _,
                barrier,
                ranks,
                byte_mask,
            }) => {
                visit_reads(visitor, [&mut to.1.base, &mut from.1.base, size]);
                visit_reads(visitor, barrier.iter_mut().map(|addr| &mut addr.base));
                visit_reads(visitor, ranks.iter_mut().chain(byte_mask));
            }
            Async::Elements(Elements {
                to,
                values,
                bytes: _,
                update: _,
                barrier,
            }) => {
                visitor.read(&mut to.1.base);
                visit_reads(visitor, values);
                visit_reads(visitor, barrier.iter_mut().map(|addr| &mut addr.base));
            }
            Async::Cancel(Cancel {
                to,
                barrier,
                all: _,
            }) => visit_reads(visitor, [&mut to.1.base, &mut barrier.base]),
            Async::Tensor(op) => op.visit(visitor),
            Async::Zeros { at, space: _, size } => visit_reads(visitor, [&mut at.base, size]),
            Async::Arrive { at, .. } => visitor.read(&mut at.base),
            Async::CloseGroup { .. } | Async::Wait { .. } => {}
        }
    }
}

/// The unit of bulk copies: addresses and sizes are multiples of it.
const UNIT: u32 = 16;

/// The lane of a step that is executed.
#[derive(Clone, Copy)]
struct Here {
    /// The warp's number in its group.
    warp: usize,
    frame: usize,
    lane: usize,
    issue: Issue,
}

pub(super) fn execute(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    op: &Async,
    active: u32,
) -> Outcome<Flow> {
    let number = number_of(warp, env);
    match op {
        Async::CloseGroup { bulk } => {
            shared.pending.close_groups(number, active, *bulk);
            if let Some(races) = &mut shared.races {
                races.close_group(&warp.identity, active, *bulk);
            }
            return Ok(Flow::Next);
        }
        Async::Wait {
            awaited,
            left,
            close,
        } => {
            if *close {
                shared.pending.close_groups(number, active, false);
            }
            if let Some(races) = &mut shared.races {
                if *close {
                    races.close_group(&warp.identity, active, false);
                }
                let kind = (*awaited != Awaited::Small, *awaited == Awaited::BulkRead);
                races.wait_group(&warp.identity, active, kind, *left);
            }
            if !shared.pending.must_wait(number, active, *awaited, *left) {
                waited(shared, number, active, (*awaited, *left));
                return Ok(Flow::Next);
            }
            let (awaited, left) = (*awaited, *left);
            warp.block(active, Wait::Copies { awaited, left });
            return Ok(Flow::Choose);
        }
        _ => {}
    }
    let current = warp.fragments[warp.current];
    let code = warp.frames[current.frame].code as u32;
    let issue = Issue::new(shared, (code, current.pc));
    if let Some(races) = &mut shared.races {
        races.issues(warp);
    }
    for lane in lanes(active) {
        let here = Here {
            warp: number,
            frame: current.frame,
            lane,
            issue,
        };
        match op {
            Async::Small(op) => small(warp, env, shared, op, here)?,
            Async::Bulk(op) => bulk(warp, env, shared, op, here)?,
            Async::Elements(op) => elements(warp, env, shared, op, here)?,
            Async::Cancel(op) => cancel(warp, env, shared, op, here)?,
            Async::Tensor(op) => tensor::issue(warp, env, shared, op, here)?,
            Async::Zeros { at, space, size } => {
                zeros(warp, env, shared, (*space, *at), *size, here)?;
            }
            Async::Arrive {
                at,
                space,
                increment,
            } => arrive(warp, env, shared, (*space, *at), *increment, here)?,
            Async::CloseGroup { .. } | Async::Wait { .. } => {}
        }
    }
    Ok(Flow::Next)
}

/// Looks whether the copies that a fragment waits for are done.
pub(super) fn wake(warp: &mut Warp, env: &Env<'_>, shared: &mut Shared, index: usize) {
    let fragment = warp.fragments[index];
    if let Wait::Copies { awaited, left } = fragment.wait {
        let number = number_of(warp, env);
        let pending = &shared.pending;
        if !pending.must_wait(number, fragment.lanes, awaited, left) {
            waited(shared, number, fragment.lanes, (awaited, left));
            warp.resume(index);
        }
    }
}

fn value(warp: &Warp, env: &Env<'_>, shared: &Shared, here: Here, source: Src) -> u64 {
    let around = Around::new(env, &warp.identity, shared);
    warp.frames[here.frame].get(source, here.lane, around)
}

fn bad(here: Here, message: String, help: &'static str) -> Box<super::Trouble> {
    trouble(here.lane, Problem::Other { message, help })
}

/// Finds bytes that are moved as pieces of `unit` bytes, each aligned.
fn find(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &Shared,
    (access, (space, addr)): (Access, (Space, Addr)),
    (bytes, unit): (u32, u32),
    here: Here,
) -> Outcome<Spot> {
    let start = access::address_of(warp, env, shared, here.lane, addr);
    let mut touch = Touch {
        access,
        space,
        address: start,
        bytes: unit.min(bytes),
        lane: here.lane,
    };
    let first = access::resolve(warp, env, shared, touch);
    // The last piece says whether all the others are there: memory has no holes.
    touch.address = start.wrapping_add(u64::from(bytes - touch.bytes));
    let outcome = first.and_then(|first| {
        access::resolve(warp, env, shared, touch)?;
        Ok(first)
    });
    let place = outcome.map_err(|mut trouble| {
        if let Problem::OutOfBounds {
            address, bytes: of, ..
        } = &mut trouble.problem
        {
            (*address, *of) = (start, u64::from(bytes));
        }
        trouble
    })?;
    // The last piece lies in the same variable as the first.
    if let Place::Shared(_, offset) = place
        && !env.is_in_variable(offset as u64, bytes)
    {
        let problem = Problem::OutOfBounds {
            access,
            space: Space::Shared,
            address: start,
            bytes: u64::from(bytes),
            near: Some("across the end of a shared variable".to_owned()),
        };
        return Err(trouble(here.lane, problem));
    }
    // A source that is read, or a target that is written, has to be there for the copy.
    match (place, access) {
        (Place::Shared(..), Access::Read) => {
            lifetime::read(env, shared, (place, here.lane), (bytes, false))?
        }
        (Place::Global(region, offset), Access::Write)
            if env.global.is_write_of_cached(region, offset, bytes) =>
        {
            let at = (region, offset);
            return Err(lifetime::written_constant(env, at, here.lane, false));
        }
        _ => {}
    }
    match place {
        Place::Global(region, offset) => Ok(Spot::Global(region as u32, offset)),
        Place::Shared(rank, offset) => Ok(Spot::Shared(rank as u32, offset as u32)),
        Place::Local(_) | Place::Param(_) => Err(bad(
            here,
            format!("an asynchronous copy at {start:#x}, which is memory of the thread"),
            "asynchronous copies reach global and shared memory",
        )),
    }
}

/// Finds a barrier that will count bytes.
fn barrier_at(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &Shared,
    at: Addr,
    here: Here,
) -> Outcome<(u32, u32)> {
    let at = mbarrier::locate(warp, env, shared, here.lane, (Space::Shared, at), true)?;
    match mbarrier::look(shared, at) {
        Ok(_) => Ok(at),
        Err(problem) => Err(trouble(here.lane, problem)),
    }
}

fn count(shared: &mut Shared, bytes: u32) {
    shared.counts.accesses += 1;
    shared.counts.bytes += u64::from(bytes);
}

fn issue(
    env: &Env<'_>,
    shared: &mut Shared,
    here: Here,
    waiter: Waiter,
    work: Work,
) -> Outcome<()> {
    let who = (here.warp, here.lane);
    tell_races(env, shared, who, waiter, &work);
    let thread = (here.warp * 32 + here.lane) as u32;
    let flight = match &work {
        Work::Transfer(transfer) => watch(env, shared, here, waiter, transfer)?,
        Work::Tensor(_) => None,
        Work::Arrive(at) => {
            let phase = mbarrier::look(shared, *at).map_or(0, |object| object.phase);
            if let Some(flights) = &mut shared.flights {
                flights.arrive(thread, *at, phase);
            }
            None
        }
    };
    pending::issue(env, shared, who, here.issue, (waiter, work, flight))
}

/// What looks for races gets to know of a copy where it is issued: it may happen from then on.
fn tell_races(
    env: &Env<'_>,
    shared: &mut Shared,
    who: (usize, usize),
    waiter: Waiter,
    work: &Work,
) {
    if shared.races.is_none() {
        return;
    }
    let phase = |at| mbarrier::look(shared, at).map_or(0, |object| object.phase);
    let place = |spot| match spot {
        Spot::Global(region, offset) => Place::Global(region as usize, offset),
        Spot::Shared(rank, offset) => Place::Shared(rank as usize, offset as usize),
    };
    match work {
        Work::Tensor(_) => {}
        Work::Arrive(at) => {
            let phase = phase(*at);
            if let Some(races) = &mut shared.races {
                races.arrive_for(who, *at, phase);
            }
        }
        // Nobody can wait for a copy that has neither a group nor a barrier.
        Work::Transfer(transfer) if waiter == Waiter::Other && transfer.signal.is_none() => {}
        Work::Transfer(transfer) => {
            let from = match &transfer.from {
                Source::Memory(spot, bytes) => Some((place(*spot), *bytes)),
                Source::Data(_) => None,
            };
            let copy = races::Copy {
                from,
                to: (transfer.byte_mask == u16::MAX).then(|| (place(transfer.to), transfer.bytes)),
                bulk: waiter != Waiter::Small,
                counted: transfer.signal.map(|at| (at, phase(at))),
                update: transfer.update.map(|(_, bytes)| bytes),
            };
            if let Some(races) = &mut shared.races {
                races.copy(env, who, copy);
            }
        }
    }
}

fn small(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    op: &Small,
    here: Here,
) -> Outcome<()> {
    let ignore = op
        .ignore
        .is_some_and(|p| value(warp, env, shared, here, p) != 0);
    let read = match op.read {
        _ if ignore => 0,
        Some(size) => value(warp, env, shared, here, size) as u32,
        None => op.bytes,
    };
    if read > op.bytes {
        return Err(bad(
            here,
            format!("a copy of {} bytes that reads {read}", op.bytes),
            "the size to read is at most the size to write",
        ));
    }
    let to = (Access::Write, (Space::Shared, op.to));
    let to = find(warp, env, shared, to, (op.bytes, op.bytes), here)?;
    // Where nothing is read the address may be any.
    let from = match read {
        0 => Source::Data(Box::default()),
        _ => {
            let from = (Access::Read, (Space::Global, op.from));
            let found = find(warp, env, shared, from, (read, read), here)?;
            let address = access::address_of(warp, env, shared, here.lane, op.from);
            if !address.is_multiple_of(u64::from(op.bytes)) {
                let problem = Problem::Misaligned {
                    access: Access::Read,
                    space: Space::Global,
                    address,
                    bytes: u64::from(op.bytes),
                };
                return Err(trouble(here.lane, problem));
            }
            Source::Memory(found, read)
        }
    };
    count(shared, op.bytes);
    let transfer = Transfer {
        from,
        to,
        bytes: op.bytes,
        update: None,
        byte_mask: u16::MAX,
        signal: None,
    };
    issue(env, shared, here, Waiter::Small, Work::Transfer(transfer))
}

fn bulk(warp: &mut Warp, env: &Env<'_>, shared: &mut Shared, op: &Bulk, here: Here) -> Outcome<()> {
    let size = value(warp, env, shared, here, op.size) as u32;
    if !size.is_multiple_of(UNIT) {
        return Err(bad(
            here,
            format!("a bulk copy of {size} bytes"),
            "the size of a bulk copy is a multiple of 16",
        ));
    }
    let signal = match op.barrier {
        Some(at) => Some(barrier_at(warp, env, shared, at, here)?),
        None => None,
    };
    if size == 0 {
        return Ok(());
    }
    let from = find(
        warp,
        env,
        shared,
        (Access::Read, op.from),
        (size, UNIT),
        here,
    )?;
    let to = find(
        warp,
        env,
        shared,
        (Access::Write, op.to),
        (size, UNIT),
        here,
    )?;
    if let Spot::Shared(rank, offset) = from
        && defined::is_undefined(shared, (rank, offset), size)
    {
        let place = (Place::Shared(rank as usize, offset as usize), here.lane);
        let stored = defined::Use::Stored("memory by a bulk copy".to_owned());
        return Err(defined::of_memory(warp, env, place, &stored));
    }
    let byte_mask = match op.byte_mask {
        Some(mask) => value(warp, env, shared, here, mask) as u16,
        None => u16::MAX,
    };
    let waiter = match signal {
        Some(_) => Waiter::Other,
        None => Waiter::Bulk,
    };
    count(shared, size);
    let transfer = |to, signal| {
        Work::Transfer(Transfer {
            from: Source::Memory(from, size),
            to,
            bytes: size,
            update: op.update,
            byte_mask,
            signal,
        })
    };
    let (Some(ranks), Spot::Shared(_, offset), Some((_, barrier))) = (op.ranks, to, signal) else {
        return issue(env, shared, here, waiter, transfer(to, signal));
    };
    let ranks = value(warp, env, shared, here, ranks) as u32;
    let blocks = env.blocks_in_cluster();
    for rank in lanes(ranks).map(|rank| rank as u32) {
        if rank >= blocks {
            let problem = Problem::NoSuchRank { rank, blocks };
            return Err(trouble(here.lane, problem));
        }
        let signal = (rank, barrier);
        if let Err(problem) = mbarrier::look(shared, signal) {
            return Err(trouble(here.lane, problem));
        }
        let work = transfer(Spot::Shared(rank, offset), Some(signal));
        issue(env, shared, here, waiter, work)?;
    }
    Ok(())
}

fn elements(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    op: &Elements,
    here: Here,
) -> Outcome<()> {
    let mut data: Vec<u8> = Vec::with_capacity(16);
    for source in &op.values {
        let value = value(warp, env, shared, here, *source);
        data.extend_from_slice(&value.to_le_bytes()[..op.bytes as usize]);
    }
    let bytes = data.len() as u32;
    let signal = match op.barrier {
        Some(at) => Some(barrier_at(warp, env, shared, at, here)?),
        None => None,
    };
    let to = find(
        warp,
        env,
        shared,
        (Access::Write, op.to),
        (bytes, bytes),
        here,
    )?;
    count(shared, bytes);
    let transfer = Transfer {
        from: Source::Data(data.into_boxed_slice()),
        to,
        bytes,
        update: op.update.map(|update| (update, op.bytes)),
        byte_mask: u16::MAX,
        signal,
    };
    issue(env, shared, here, Waiter::Other, Work::Transfer(transfer))
}

fn cancel(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    op: &Cancel,
    here: Here,
) -> Outcome<()> {
    let (own, barrier) = barrier_at(warp, env, shared, op.barrier, here)?;
    let to = find(
        warp,
        env,
        shared,
        (Access::Write, op.to),
        (ANSWER, ANSWER),
        here,
    )?;
    let (Spot::Shared(rank, offset), true) = (to, own == warp.identity.rank) else {
        let message =
            "an answer to `clusterlaunchcontrol.try_cancel` outside of the block's shared memory"
                .to_owned();
        return Err(bad(
            here,
            message,
            "answer and mbarrier are in shared memory of the block",
        ));
    };
    count(shared, ANSWER);
    let first = super::grid::cancel(env);
    shared.progress += u64::from(first.is_some());
    let words = match first {
        Some([x, y, z]) => [x, y, z, 1],
        None => [u32::MAX, u32::MAX, u32::MAX, 0],
    };
    let data: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let ranks = match op.all {
        true => 0..env.blocks_in_cluster(),
        false => rank..rank + 1,
    };
    for rank in ranks {
        if let Err(problem) = mbarrier::look(shared, (rank, barrier)) {
            return Err(trouble(here.lane, problem));
        }
        let transfer = Transfer {
            from: Source::Data(data.clone().into_boxed_slice()),
            to: Spot::Shared(rank, offset),
            bytes: ANSWER,
            update: None,
            byte_mask: u16::MAX,
            signal: Some((rank, barrier)),
        };
        issue(env, shared, here, Waiter::Other, Work::Transfer(transfer))?;
    }
    Ok(())
}

fn zeros(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    at: (Space, Addr),
    size: Src,
    here: Here,
) -> Outcome<()> {
    let size = value(warp, env, shared, here, size);
    let bytes = match u32::try_from(size) {
        Ok(bytes) if bytes.is_multiple_of(8) => bytes,
        _ => {
            return Err(bad(
                here,
                format!("a bulk store of {size} bytes"),
                "the size of a bulk store is a multiple of 8",
            ));
        }
    };
    if bytes == 0 {
        return Ok(());
    }
    let to = find(warp, env, shared, (Access::Write, at), (bytes, 8), here)?;
    count(shared, bytes);
    shared.progress += 1;
    pending::write(env, shared, to, &vec![0; bytes as usize]);
    Ok(())
}

fn arrive(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    at: (Space, Addr),
    increment: bool,
    here: Here,
) -> Outcome<()> {
    let at = mbarrier::locate(warp, env, shared, here.lane, at, false)?;
    let outcome = if increment {
        mbarrier::increment(shared, at)
    } else {
        mbarrier::look(shared, at).map(|_| ())
    };
    outcome.map_err(|problem| trouble(here.lane, problem))?;
    issue(env, shared, here, Waiter::Other, Work::Arrive(at))
}
