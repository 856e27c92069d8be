//! Copies of tensors: boxes between global and shared memory, as a tensor map describes them.
//!
//! ```text
//!   map, coordinates ──walk──► pieces of global memory ◄──later──► shared memory, swizzled
//! ```
//!
//! The map is read and everything is checked where a copy is issued.

use super::pending::{self, Spot, Waiter, Work};
use super::{Here, bad, barrier_at, count, find, value};
use crate::address::Space;
use crate::exec::access::{self, Place};
use crate::exec::flights::{self, Covered, Flight, Side};
use crate::exec::frame::Around;
use crate::exec::group::Shared;
use crate::exec::mbarrier::{self, trouble};
use crate::exec::warp::Warp;
use crate::exec::{Env, Outcome, defined, lanes, tensor_map};
use crate::finding::{Access, Problem};
use crate::program::{Addr, Src, Visitor, visit_reads};
use crate::races;
use smallvec::SmallVec;
use std::sync::Arc;
use warpc_launch::tensor_map::{Area, Element, Outside, Piece, Swizzle, TensorMap};
use warpc_ptx_eval::AtomicUpdate;

/// A copy of a part of a tensor.
#[derive(Debug)]
pub struct Tensor {
    /// Which way.
    pub what: What,
    /// How the part is described.
    pub mode: Mode,
    /// Where the map lies.
    pub map: Addr,
    /// What is taken for the address in the map.
    pub address: Option<Src>,
    /// Coordinates, the innermost first.
    pub coordinates: SmallVec<[Src; 4]>,
    /// What im2col adds.
    pub offsets: SmallVec<[Src; 4]>,
    /// Where the data lie in shared memory.
    pub at: Addr,
    /// The barrier that counts the bytes.
    pub barrier: Option<Addr>,
    /// The blocks that get the data, each at the same place.
    pub ranks: Option<Src>,
    /// Whether the barrier may be one of the other block of a pair.
    pub pair: bool,
}

/// Which way a copy goes.
#[derive(Debug)]
pub enum What {
    /// To shared memory.
    Load,
    /// To global memory.
    Store,
    /// To global memory, combined with what is there: for each type of elements how.
    Reduce([Option<AtomicUpdate>; 16]),
    /// Nowhere.
    Prefetch,
}

/// How a part of a tensor is described.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// A box.
    Tile,
    /// Four rows.
    Rows,
    /// Pixels of images.
    Im2col,
    /// Pixels along W; whether there are always 128.
    Wide {
        /// Whether there are always 128.
        fixed: bool,
    },
}

impl Tensor {
    /// Visits every register that is read; none is written.
    pub(crate) fn visit(&mut self, visitor: &mut dyn Visitor) {
        let Tensor {
            what: _,
            mode: _,
            map,
            address,
            coordinates,
            offsets,
            at,
            barrier,
            ranks,
            pair: _,
        } = self;
        visit_reads(visitor, [&mut map.base, &mut at.base]);
        visit_reads(visitor, coordinates.iter_mut().chain(offsets));
        visit_reads(visitor, barrier.iter_mut().map(|addr| &mut addr.base));
        visit_reads(visitor, ranks.iter_mut().chain(address));
    }
}

/// Bytes that move together: where they lie in global memory, unless they are outside of the tensor.
#[derive(Clone, Copy, Debug)]
struct Run {
    at: Option<(u32, u64)>,
    bytes: u32,
}

/// A box on its way.
#[derive(Debug)]
pub(super) struct Moving {
    /// Block of the cluster and offset in its shared memory.
    shared: (u32, u32),
    /// Bytes of all runs.
    bytes: u32,
    runs: Arc<[Run]>,
    swizzle: Swizzle,
    element: Element,
    /// What is outside of the tensor, twice or more often.
    fill: u32,
    out: bool,
    /// How elements of so many bytes are combined with what is there.
    update: Option<(AtomicUpdate, u32)>,
    /// What was read from shared memory.
    data: Option<Box<[u8]>>,
    /// The barrier that counts the bytes.
    signal: Option<(u32, u32)>,
}

/// The alignment of a box in shared memory.
const ALIGN: u32 = 128;

pub(super) fn issue(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    op: &Tensor,
    here: Here,
) -> Outcome<()> {
    let lane = here.lane;
    let wrong = |why: String| {
        let message = format!("a copy of a tensor: {why}");
        bad(
            here,
            message,
            "the tensor map and the instruction must fit each other",
        )
    };
    let mut map = tensor_map::read(warp, env, shared, (op.map, lane))?;
    if let Some(address) = op.address {
        map.address = value(warp, env, shared, here, address);
    }
    let pieces = map
        .walk(&area(warp, env, shared, op, here)?)
        .map_err(wrong)?;
    let loads = matches!(op.what, What::Load | What::Prefetch);
    if let Some(what) = map.unmodelled(loads) {
        return Err(tensor_map::unmodelled(lane, &what));
    }
    let runs = found(warp, env, &pieces, map.address, (here, loads))?;
    let bytes: u32 = pieces.iter().map(|piece| piece.bytes).sum();
    if matches!(op.what, What::Prefetch) {
        return Ok(());
    }
    let signal = match op.barrier {
        Some(at) => Some(barrier_at(warp, env, shared, at, here)?),
        None => None,
    };
    let access = if loads { Access::Write } else { Access::Read };
    let start = access::address_of(warp, env, shared, lane, op.at);
    if !start.is_multiple_of(u64::from(ALIGN)) {
        let problem = Problem::Misaligned {
            access,
            space: Space::Shared,
            address: start,
            bytes: u64::from(ALIGN),
        };
        return Err(trouble(lane, problem));
    }
    // Rows are multiples of 16 bytes.
    let spot = find(
        warp,
        env,
        shared,
        (access, (Space::Shared, op.at)),
        (bytes, 16),
        here,
    )?;
    let Spot::Shared(rank, offset) = spot else {
        return Err(wrong("its box is not in shared memory".to_owned()));
    };
    if !loads && defined::is_undefined(shared, (rank, offset), bytes) {
        let place = (Place::Shared(rank as usize, offset as usize), lane);
        let stored = defined::Use::Stored("memory by a copy of a tensor".to_owned());
        return Err(defined::of_memory(warp, env, place, &stored));
    }
    let update = match &op.what {
        What::Reduce(updates) => match updates[map.element as usize] {
            Some(update) => Some((update, map.element.bits() / 8)),
            None => {
                let name = map.element.name();
                return Err(wrong(format!("{name} elements have no such reduction")));
            }
        },
        _ => None,
    };
    count(shared, bytes);
    let moving = |shared, signal| Moving {
        shared,
        bytes,
        runs: Arc::clone(&runs),
        swizzle: map.swizzle,
        element: map.element,
        fill: fill(&map),
        out: !loads,
        update,
        data: None,
        signal,
    };
    let waiter = if loads { Waiter::Other } else { Waiter::Bulk };
    let Some((own, barrier)) = signal else {
        return start_one(env, shared, here, (waiter, moving((rank, offset), None)));
    };
    let Some(ranks) = op.ranks else {
        if own != rank && !(op.pair && own ^ rank == 1) {
            let what = format!(
                "its barrier is in block {own} of the cluster, its data go to block {rank}"
            );
            return Err(wrong(what));
        }
        return start_one(env, shared, here, (waiter, moving((rank, offset), signal)));
    };
    let ranks = value(warp, env, shared, here, ranks) as u32;
    let blocks = env.blocks_in_cluster();
    for rank in lanes(ranks).map(|rank| rank as u32) {
        if rank >= blocks {
            return Err(trouble(lane, Problem::NoSuchRank { rank, blocks }));
        }
        // The barriers of pairs are all in the even blocks or all in the odd ones.
        let signal = match op.pair {
            true => (rank & !1 | own & 1, barrier),
            false => (rank, barrier),
        };
        if signal.0 >= blocks {
            let rank = signal.0;
            return Err(trouble(lane, Problem::NoSuchRank { rank, blocks }));
        }
        if let Err(problem) = mbarrier::look(shared, signal) {
            return Err(trouble(lane, problem));
        }
        start_one(
            env,
            shared,
            here,
            (waiter, moving((rank, offset), Some(signal))),
        )?;
    }
    Ok(())
}

/// What the instruction says of its part of the tensor.
fn area(warp: &Warp, env: &Env<'_>, shared: &Shared, op: &Tensor, here: Here) -> Outcome<Area> {
    let around = Around::new(env, &warp.identity, shared);
    let get = |source: &Src| warp.frames[here.frame].get(*source, here.lane, around);
    let at: Vec<i32> = op
        .coordinates
        .iter()
        .map(|source| get(source) as i32)
        .collect();
    let offsets: Vec<u32> = op
        .offsets
        .iter()
        .map(|source| u32::from(get(source) as u16))
        .collect();
    Ok(match op.mode {
        Mode::Tile => Area::Tile(at),
        Mode::Im2col => Area::Im2col { at, offsets },
        Mode::Rows => match at[..] {
            [column, a, b, c, d] => Area::Rows {
                column,
                rows: [a, b, c, d],
            },
            _ => Area::Tile(at),
        },
        Mode::Wide { fixed } => {
            let (halo, offset) = match offsets[..] {
                [halo, offset, ..] => (halo, offset),
                _ => (0, 0),
            };
            if halo != 0 {
                let what = format!("`.im2col::w` with {halo} pixels of halo");
                return Err(tensor_map::unmodelled(here.lane, &what));
            }
            Area::Wide { at, offset, fixed }
        }
    })
}

/// Finds the pieces in global memory.
fn found(
    warp: &mut Warp,
    env: &Env<'_>,
    pieces: &[Piece],
    tensor: u64,
    (here, reads): (Here, bool),
) -> Outcome<Arc<[Run]>> {
    let mut runs = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let Some(offset) = piece.at else {
            runs.push(Run {
                at: None,
                bytes: piece.bytes,
            });
            continue;
        };
        let address = tensor.wrapping_add(offset);
        let last = address.wrapping_add(u64::from(piece.bytes - 1));
        let outside = |near| Problem::OutOfBounds {
            access: if reads { Access::Read } else { Access::Write },
            space: Space::Global,
            address,
            bytes: u64::from(piece.bytes),
            near,
        };
        let both = env.global.find(address, 1, warp.region).and_then(|first| {
            let second = env.global.find(last, 1, first)?;
            Ok((first, second))
        });
        let region = match both {
            Ok((first, second)) if first == second => first,
            Ok(_) => return Err(trouble(here.lane, outside(None))),
            Err(crate::memory::BadAccess::OutOfBounds(near)) => {
                return Err(trouble(here.lane, outside(near)));
            }
            Err(_) => {
                return Err(trouble(
                    here.lane,
                    outside(Some("in memory that was freed".to_owned())),
                ));
            }
        };
        warp.region = region;
        let memory = env.global.region(region);
        if !reads && memory.purpose == crate::memory::Purpose::Constant {
            return Err(trouble(here.lane, Problem::ReadOnly { address }));
        }
        let offset = address - memory.address;
        if !reads && env.global.is_write_of_cached(region, offset, piece.bytes) {
            let at = (region, offset);
            return Err(crate::exec::lifetime::written_constant(
                env, at, here.lane, false,
            ));
        }
        runs.push(Run {
            at: Some((region as u32, offset)),
            bytes: piece.bytes,
        });
    }
    Ok(runs.into())
}

/// What is outside of the tensor: the NaN of `fma.oob`, which is the same in both formats of 16 bits, or zero.
fn fill(map: &TensorMap) -> u32 {
    match (map.outside, map.element) {
        (Outside::Nan, Element::F16 | Element::Bf16) => 0x7ff7_7ff7,
        _ => 0,
    }
}

/// Puts a box on its way, after whoever looks for races and for missing waits was told.
fn start_one(
    env: &Env<'_>,
    shared: &mut Shared,
    here: Here,
    (waiter, moving): (Waiter, Moving),
) -> Outcome<()> {
    tell_races(env, shared, here, &moving);
    let flight = watch(shared, here, waiter, &moving)?;
    let work = Work::Tensor(Box::new(moving));
    pending::issue(
        env,
        shared,
        (here.warp, here.lane),
        here.issue,
        (waiter, work, flight),
    )
}

fn tell_races(env: &Env<'_>, shared: &mut Shared, here: Here, moving: &Moving) {
    if shared.races.is_none() {
        return;
    }
    let (rank, offset) = moving.shared;
    let phase = |at| mbarrier::look(shared, at).map_or(0, |object| object.phase);
    let counted = moving.signal.map(|at| (at, phase(at)));
    let Some(races) = &mut shared.races else {
        return;
    };
    let mut tell = |place, bytes, write: bool| {
        let side = Some((place, bytes));
        let copy = races::Copy {
            from: side.filter(|_| !write),
            to: side.filter(|_| write),
            bulk: true,
            counted,
            update: moving.update.map(|(_, bytes)| bytes).filter(|_| write),
        };
        races.copy(env, (here.warp, here.lane), copy);
    };
    tell(
        Place::Shared(rank as usize, offset as usize),
        moving.bytes,
        !moving.out,
    );
    for run in moving.runs.iter() {
        if let Some((region, offset)) = run.at {
            tell(
                Place::Global(region as usize, offset),
                run.bytes,
                moving.out,
            );
        }
    }
}

/// Remembers that the copy has to be waited for, and looks whether it may touch its box.
fn watch(shared: &mut Shared, here: Here, waiter: Waiter, moving: &Moving) -> Outcome<Option<u32>> {
    let thread = (here.warp * 32 + here.lane) as u32;
    let (rank, offset) = moving.shared;
    let phase = |at| mbarrier::look(shared, at).map_or(0, |object| object.phase);
    let covered = match moving.signal {
        Some(at) => Covered::Phase(at, phase(at)),
        None => Covered::Bulk(shared.pending.group(here.warp, here.lane, waiter)),
    };
    let Some(flights) = &mut shared.flights else {
        return Ok(None);
    };
    let at = (rank, offset, moving.bytes);
    if let Some(offset) = flights.unfenced(at) {
        let what = if moving.out { "reads" } else { "writes" };
        return Err(flights::unfenced(here.lane, (offset, what, "bulk copy")));
    }
    Ok(Some(flights.issue(Flight {
        thread,
        side: if moving.out { Side::OutOf } else { Side::Into },
        covered,
        at,
        step: here.issue.place(),
        from: None,
        performed: false,
    })))
}

impl Moving {
    /// Whether nothing more is read from shared memory.
    pub(super) fn is_read(&self) -> bool {
        !self.out || self.data.is_some()
    }

    /// The barrier that counts the bytes.
    pub(super) fn signal(&self) -> Option<(u32, u32)> {
        self.signal
    }

    /// Reads the box out of shared memory.
    pub(super) fn read(&mut self, shared: &Shared) {
        let (rank, offset) = self.shared;
        let memory = &shared.memory[rank as usize];
        let mut data = Vec::with_capacity(self.bytes as usize);
        for at in (offset..offset + self.bytes).step_by(16) {
            let from = self.swizzle.place(at) as usize;
            data.extend_from_slice(&memory[from..from + 16]);
        }
        self.data = Some(data.into_boxed_slice());
    }

    /// Moves the data to where they go, and tells the barrier.
    pub(super) fn perform(&self, env: &Env<'_>, shared: &mut Shared) -> Result<(), Problem> {
        match &self.data {
            Some(data) if self.out => self.scatter(env, shared, data),
            _ => {
                let data = self.gather(env, shared);
                let (rank, offset) = self.shared;
                for (at, chunk) in (offset..).step_by(16).zip(data.chunks(16)) {
                    let to = Spot::Shared(rank, self.swizzle.place(at));
                    pending::write(env, shared, to, chunk);
                }
            }
        }
        match self.signal {
            Some(at) => mbarrier::complete(shared, at, self.bytes),
            None => Ok(()),
        }
    }

    fn gather(&self, env: &Env<'_>, shared: &Shared) -> Vec<u8> {
        let mut data = Vec::with_capacity(self.bytes as usize);
        for run in self.runs.iter() {
            match run.at {
                Some((region, offset)) => {
                    let spot = Spot::Global(region, offset);
                    let start = data.len();
                    data.extend_from_slice(&pending::read(env, shared, spot, run.bytes));
                    self.element.load(&mut data[start..]);
                }
                None => {
                    let fill = self.fill.to_le_bytes();
                    // Elements with a NaN of their own have two bytes, and lie at even places.
                    let at = data.len();
                    data.extend((at..at + run.bytes as usize).map(|i| fill[i % 4]));
                }
            }
        }
        data
    }

    fn scatter(&self, env: &Env<'_>, shared: &mut Shared, data: &[u8]) {
        let mut rest = data;
        for run in self.runs.iter() {
            let (part, after) = rest.split_at(run.bytes as usize);
            rest = after;
            let Some((region, offset)) = run.at else {
                continue;
            };
            let Some((update, size)) = self.update else {
                pending::write(env, shared, Spot::Global(region, offset), part);
                continue;
            };
            for (i, element) in part.chunks(size as usize).enumerate() {
                let to = Spot::Global(region, offset + u64::from(i as u32 * size));
                let b = access::little(element, 0, size);
                pending::change(env, shared, to, size, |old| update(old, b, 0));
            }
        }
    }
}
