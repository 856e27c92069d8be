//! Tensor memory and what is done with it: `tcgen05`, by one block or a pair of blocks.
//!
//! ```text
//!   alloc ──► columns of 128 lanes ──┬── ld, st: each warp the 32 lanes of its number modulo 4
//!                                    └── mma: D, and A if it is not in shared memory
//!   mma … commit ──arrival──► mbarrier ──a wait for its phase──► D may be read, the factors be changed
//! ```
//!
//! Products are computed where they are issued; until a phase of the mbarrier that their commit arrives at was waited for, their
//! words of tensor memory and their factors in shared memory are marked, and whoever touches them is reported. The emulator runs one
//! block per multiprocessor, so a block has all 512 columns.
//!
//! With `.cta_group::2` one thread has products and copies of both blocks of a pair: each block's part is in its own shared and tensor
//! memory, at the same addresses. Columns are allocated in both at once: the warp that comes first waits for that of the other block.

mod memory;
mod product;

use super::access::{self, Place, Touch};
use super::barrier::{Gathered, gather};
use super::flights;
use super::frame::{Around, Doubles};
use super::group::Shared;
use super::mbarrier::{self, What, trouble};
use super::warp::{Flow, Wait, Warp};
use super::{Env, Outcome, Trouble, defined, lanes, lifetime, number_of, thread_of};
use crate::address::Space;
use crate::finding::{Access, Finding, Problem, Told};
use crate::matrix::tensor::{TensorCopy, TensorForm, TensorKind, TensorReduction, TensorShape};
use crate::program::{Addr, Dst, Order, Scope, Src, Visitor, visit_reads, visit_writes};
pub(crate) use memory::TensorMemory;
use memory::{Area, Half};
use warpc_diag::codes;

/// An instruction of tensor memory.
#[derive(Debug)]
pub enum Tensor {
    /// `tcgen05.alloc`, for a pair of blocks or not: the address goes to shared memory.
    Allocate((Space, bool), Addr, Src),
    /// `tcgen05.dealloc`
    Free(Src, Src),
    /// `tcgen05.relinquish_alloc_permit`
    Relinquish,
    /// `tcgen05.ld`, the result of a reduction last; the numbers of its registers among those that are watched.
    Load(Box<[Dst]>, Pattern, Box<[u32]>),
    /// `tcgen05.st`
    Store(Box<[Src]>, Pattern),
    /// `tcgen05.wait::ld`
    WaitForLoads,
    /// `tcgen05.wait::st`
    WaitForStores,
    /// `tcgen05.mma`
    Product(Box<TensorProduct>),
    /// `tcgen05.cp`, in both blocks of a pair or not: where to, and the descriptor of the source.
    Copy((TensorCopy, bool), Addr, Src),
    /// `tcgen05.commit`: the mbarrier, and the blocks that have one there.
    Commit(Space, Addr, Option<Src>),
}

/// Which words a load or store moves.
#[derive(Clone, Copy, Debug)]
pub struct Pattern {
    pub(crate) shape: TensorShape,
    /// Whether a register has the low halves of two columns.
    pub(crate) halves: bool,
    pub(crate) at: Addr,
    /// What is computed of the words of a thread.
    pub(crate) reduction: Option<TensorReduction>,
}

/// `tcgen05.mma`
#[derive(Debug)]
pub struct TensorProduct {
    pub(crate) kind: TensorKind,
    pub(crate) form: TensorForm,
    pub(crate) d: Addr,
    /// The descriptor of A in shared memory, or its address in tensor memory.
    pub(crate) a: Result<Src, Addr>,
    /// Where the metadata of a sparse A are.
    pub(crate) metadata: Option<Addr>,
    /// The zero-column mask.
    pub(crate) mask: Option<Src>,
    /// Where the scale factors of A and B are.
    pub(crate) scales: Option<[Addr; 2]>,
    pub(crate) b: Src,
    pub(crate) descriptor: Src,
    /// Lanes of D that are not written: a bit each.
    pub(crate) disabled: Box<[Src]>,
    pub(crate) adds: Src,
}

impl Tensor {
    /// Visits every register that is read, then every one that is written.
    pub(crate) fn visit(&mut self, visitor: &mut dyn Visitor) {
        match self {
            Tensor::Allocate(_, at, columns) => visit_reads(visitor, [&mut at.base, columns]),
            Tensor::Free(at, columns) => visit_reads(visitor, [at, columns]),
            Tensor::Load(to, pattern, _) => {
                visitor.read(&mut pattern.at.base);
                visit_writes(visitor, to);
            }
            Tensor::Store(from, pattern) => {
                visitor.read(&mut pattern.at.base);
                visit_reads(visitor, from);
            }
            Tensor::Product(product) => {
                let TensorProduct {
                    kind: _,
                    form: _,
                    d,
                    a,
                    metadata,
                    mask,
                    scales,
                    b,
                    descriptor,
                    disabled,
                    adds,
                } = &mut **product;
                let a = match a {
                    Ok(matrix) => matrix,
                    Err(at) => &mut at.base,
                };
                visit_reads(visitor, [&mut d.base, a, b, descriptor, adds]);
                visit_reads(visitor, scales.iter_mut().flatten().map(|at| &mut at.base));
                visit_reads(visitor, metadata.iter_mut().map(|at| &mut at.base));
                visit_reads(visitor, mask);
                visit_reads(visitor, disabled);
            }
            Tensor::Copy(_, at, from) => visit_reads(visitor, [&mut at.base, from]),
            Tensor::Commit(_, at, blocks) => {
                visitor.read(&mut at.base);
                visit_reads(visitor, blocks);
            }
            Tensor::Relinquish | Tensor::WaitForLoads | Tensor::WaitForStores => {}
        }
    }

    /// Whether the whole warp executes it together.
    fn is_aligned(&self) -> bool {
        !matches!(
            self,
            Tensor::Product(_) | Tensor::Copy(..) | Tensor::Commit(..)
        )
    }
}

fn other(lane: usize, message: String, help: &'static str) -> Box<Trouble> {
    trouble(lane, Problem::Other { message, help })
}

pub(super) fn execute(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    op: &Tensor,
    active: u32,
) -> Outcome<Flow> {
    if op.is_aligned() {
        if matches!(gather(warp, env, active)?, Gathered::Waits) {
            return Ok(Flow::Choose);
        }
        if active != u32::MAX {
            let count = active.count_ones();
            let message = format!("a `tcgen05` instruction in a warp of {count} threads");
            let help = "it needs all 32: make the block's size a multiple of 32";
            return Err(other(active.trailing_zeros() as usize, message, help));
        }
    }
    match op {
        Tensor::Allocate(space, at, columns) => {
            let columns = same(warp, env, shared, *columns, "the number of columns")?;
            return allocate(warp, env, shared, (*space, *at), columns);
        }
        Tensor::Free(at, columns) => {
            let at = same(warp, env, shared, *at, "the address")?;
            let columns = same(warp, env, shared, *columns, "the number of columns")?;
            let freed = memory(shared, warp).free(at as u32, columns);
            freed.map_err(|message| other(0, message, FREE_HELP))?;
            shared.progress += 1;
        }
        Tensor::Relinquish => memory(shared, warp).relinquished = true,
        Tensor::Load(to, pattern, watched) => {
            load(warp, env, shared, to, *pattern)?;
            let place = (warp.frame(), here(warp));
            if let Some(touched) = &mut warp.touched {
                let loaded = touched.load(env, place, watched);
                loaded.map_err(|problem| trouble(0, problem))?;
            }
        }
        Tensor::Store(from, pattern) => store(warp, env, shared, from, *pattern)?,
        Tensor::WaitForLoads => {
            if let Some(touched) = &mut warp.touched {
                touched.wait_for_loads();
            }
        }
        Tensor::WaitForStores => {
            let number = number_of(warp, env);
            memory(shared, warp).stored(number);
        }
        Tensor::Product(product) => {
            for lane in lanes(active) {
                product::multiply(warp, env, shared, product, lane)?;
            }
        }
        Tensor::Copy(copy, at, from) => {
            for lane in lanes(active) {
                product::copied(warp, env, shared, *copy, (*at, *from), lane)?;
            }
        }
        Tensor::Commit(space, at, blocks) => {
            for lane in lanes(active) {
                commit(warp, env, shared, (*space, *at), *blocks, lane)?;
            }
        }
    }
    Ok(Flow::Next)
}

const FREE_HELP: &str = "free what `tcgen05.alloc` gave, once, with the same number of columns";

/// The tensor memory of the warp's block.
fn memory<'s>(shared: &'s mut Shared, warp: &Warp) -> &'s mut TensorMemory {
    &mut shared.tensor[warp.identity.rank as usize]
}

/// A value that all lanes must have.
fn same(warp: &Warp, env: &Env<'_>, shared: &Shared, source: Src, what: &str) -> Outcome<u64> {
    let around = Around::new(env, &warp.identity, shared);
    let values = warp.frames[warp.frame()].doubles(source, around);
    match values.iter().position(|value| *value != values[0]) {
        None => Ok(values[0]),
        Some(lane) => {
            let message = format!("lanes of the warp have different values of {what}");
            Err(other(
                lane,
                message,
                "all threads of the warp must have the same",
            ))
        }
    }
}

fn value(warp: &Warp, env: &Env<'_>, shared: &Shared, source: Src, lane: usize) -> u64 {
    let around = Around::new(env, &warp.identity, shared);
    warp.frames[warp.frame()].get(source, lane, around)
}

/// The step that is executed.
fn here(warp: &Warp) -> (u32, u32) {
    let fragment = warp.fragments[warp.current];
    (warp.frames[fragment.frame].code as u32, fragment.pc)
}

fn allocate(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    ((space, pair), at): ((Space, bool), Addr),
    columns: u64,
) -> Outcome<Flow> {
    let allocated = match product::ranks(warp, env, pair, 0)?[..] {
        [_, _] => {
            let (own, peer) = both(shared, warp);
            own.allocate_pair(peer, columns)
        }
        _ => memory(shared, warp).allocate(columns),
    };
    let address = allocated.map_err(|message| {
        let help = "allocate 32, 64, 128, 256 or 512 columns, and before `tcgen05.relinquish_alloc_permit`";
        other(0, message, help)
    })?;
    let Some(address) = address else {
        warp.block(u32::MAX, Wait::Columns(columns as u32));
        return Ok(Flow::Choose);
    };
    let touch = Touch {
        access: Access::Write,
        space,
        address: access::address_of(warp, env, shared, 0, at),
        bytes: 4,
        lane: 0,
    };
    let place = access::resolve(warp, env, shared, touch)?;
    if !matches!(place, Place::Shared(..)) {
        let message = format!(
            "the address of tensor memory goes to {:#x}, which is not in shared memory",
            touch.address
        );
        return Err(other(
            0,
            message,
            "`tcgen05.alloc` writes to shared memory of the block",
        ));
    }
    lifetime::write(warp, env, shared, (place, 0), 4)?;
    defined::set_place(warp, env, shared, (place, 0), (4, 0));
    if let Some(races) = &mut shared.races {
        races.piece(env, warp, (Access::Write, 4), (0, place));
    }
    let order = std::sync::atomic::Ordering::Relaxed;
    access::write(warp, env, shared, place, 0, (4, u64::from(address)), order);
    shared.progress += 1;
    Ok(Flow::Next)
}

/// The tensor memory of the warp's block, and that of its peer.
fn both<'s>(shared: &'s mut Shared, warp: &Warp) -> (&'s mut TensorMemory, &'s mut TensorMemory) {
    let rank = warp.identity.rank as usize;
    let (first, second) = shared.tensor[rank & !1..].split_at_mut(1);
    match rank % 2 {
        0 => (&mut first[0], &mut second[0]),
        _ => (&mut second[0], &mut first[0]),
    }
}

/// Looks whether there is room for columns that a fragment waits for: then it tries again.
pub(super) fn wake(warp: &mut Warp, shared: &mut Shared, index: usize) {
    let Wait::Columns(columns) = warp.fragments[index].wait else {
        return;
    };
    let has_room = match memory(shared, warp).wants_pair() {
        true => {
            let (own, peer) = both(shared, warp);
            own.has_pair_room(peer)
        }
        false => memory(shared, warp).has_room(columns),
    };
    if has_room {
        warp.fragments[index].wait = Wait::Ready;
    }
}

/// The word of each thread: lane and column.
type Places = [(u32, u32); 32];

/// The words of each register, two where a register has halves of two.
fn places(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    (pattern, registers): (Pattern, usize),
    what: &str,
) -> Outcome<(Area, Vec<Places>)> {
    let base = same(warp, env, shared, pattern.at.base, "the address")?;
    let address = base.wrapping_add_signed(pattern.at.offset) as u32;
    let (lane, column) = (address >> 16, address & 0xffff);
    let own = warp.identity.warp % 4 * 32;
    let fits = lane >= own && lane + pattern.shape.lanes() <= own + 32 && lane.is_multiple_of(16);
    if !fits {
        let message = format!(
            "`tcgen05.{what}` at lane {lane} of tensor memory in warp {}, which has the lanes {own} to {}",
            warp.identity.warp,
            own + 31
        );
        let help = "warps access the 32 lanes of their number modulo 4; lanes are in the upper half of the address";
        return Err(other(0, message, help));
    }
    let registers = registers as u32 * if pattern.halves { 2 } else { 1 };
    let of = |register| {
        std::array::from_fn(|thread| {
            let (row, at) = match pattern.halves {
                // The pattern counts columns of 32 bits; halves are in twice as many.
                true => {
                    let (row, at) = pattern.shape.place(thread as u32, register / 2);
                    (row, at * 2 + register % 2)
                }
                false => pattern.shape.place(thread as u32, register),
            };
            (lane + row, column + at)
        })
    };
    let all: Vec<Places> = (0..registers).map(of).collect();
    let last = all
        .iter()
        .flatten()
        .map(|(_, column)| *column)
        .max()
        .unwrap_or(column);
    let area = Area {
        lanes: (lane, lane + pattern.shape.lanes()),
        half: Half::Both,
        columns: (column, last + 1),
    };
    let checked = memory(shared, warp).check(area);
    checked.map_err(|message| other(0, message, ALLOCATED_HELP))?;
    Ok((area, all))
}

const ALLOCATED_HELP: &str =
    "allocate as many columns as are used, and free them after the last use";

fn load(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    to: &[Dst],
    pattern: Pattern,
) -> Outcome<()> {
    let count = to.len() - usize::from(pattern.reduction.is_some());
    let (area, places) = places(warp, env, shared, (pattern, count), "ld")?;
    if let Some(product) = memory(shared, warp).written_by(area) {
        return Err(not_waited(env, product, "read", "write"));
    }
    let memory = memory(shared, warp);
    let mut values = vec![[0; 32]; to.len()];
    let mut bits: Vec<Doubles> = vec![[0; 32]; to.len()];
    for (number, places) in places.iter().enumerate() {
        let (register, shift) = match pattern.halves {
            true => (number / 2, number % 2 * 16),
            false => (number, 0),
        };
        let mask = if pattern.halves { 0xffff } else { u32::MAX };
        for (thread, place) in places.iter().enumerate() {
            let (word, undefined) = memory.word(*place);
            values[register][thread] |= u64::from(word & mask) << shift;
            bits[register][thread] |= u64::from(undefined & mask) << shift;
        }
    }
    if let Some(reduction) = pattern.reduction {
        for thread in 0..32 {
            let words = values[..count].iter().map(|values| values[thread] as u32);
            values[count][thread] = u64::from(reduction.run(words));
            if bits.iter().any(|bits| bits[thread] != 0) {
                bits[count][thread] = u64::from(u32::MAX);
            }
        }
    }
    let frame = warp.frame();
    for (to, values) in to.iter().zip(&values) {
        warp.frames[frame].set_all(*to, u32::MAX, values);
    }
    if env.init {
        defined::matrix_loaded(warp, env, frame, to, &bits);
    }
    Ok(())
}

fn store(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    from: &[Src],
    pattern: Pattern,
) -> Outcome<()> {
    let (area, places) = places(warp, env, shared, (pattern, from.len()), "st")?;
    let number = number_of(warp, env);
    let used = memory(shared, warp).used_by(area);
    if let Some(product) = used {
        return Err(not_waited(env, product, "write", "use"));
    }
    let frame = warp.frame();
    let identity = warp.identity;
    let around = Around::new(env, &identity, shared);
    let values: Vec<Doubles> = (from.iter())
        .map(|source| warp.frames[frame].doubles(*source, around))
        .collect();
    let bits: Vec<Doubles> = match env.init && warp.tainted {
        true => (from.iter())
            .map(|source| defined::of_all(warp, frame, *source))
            .collect(),
        false => vec![[0; 32]; from.len()],
    };
    let step = here(warp);
    let memory = memory(shared, warp);
    for (at, places) in places.iter().enumerate() {
        let (register, shift) = match pattern.halves {
            true => (at / 2, at % 2 * 16),
            false => (at, 0),
        };
        let mask = if pattern.halves { 0xffff } else { u32::MAX };
        for (thread, place) in places.iter().enumerate() {
            let cut = |value: u64| (value >> shift) as u32 & mask;
            memory.set(
                *place,
                cut(values[register][thread]),
                cut(bits[register][thread]),
            );
        }
    }
    memory.stores((number, step), area);
    shared.progress += 1;
    Ok(())
}

/// Tensor memory of a product that nobody has waited for is touched.
#[cold]
fn not_waited(env: &Env<'_>, step: (u32, u32), what: &str, how: &str) -> Box<Trouble> {
    let issued = lifetime::place_of(env, step, "it was issued here".to_owned());
    let told = Told {
        code: codes::NOT_WAITED,
        warning: false,
        message: format!("{what} of tensor memory that a `tcgen05.mma` or `tcgen05.cp` may still {how}"),
        help: "execute `tcgen05.commit` after the product, and wait for the phase of its mbarrier before its tensor \
               memory is used"
            .to_owned(),
        related: issued.into_iter().collect(),
    };
    trouble(0, Problem::Told(Box::new(told)))
}

fn commit(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    at: (Space, Addr),
    blocks: Option<Src>,
    lane: usize,
) -> Outcome<()> {
    let (own, offset) = mbarrier::locate(warp, env, shared, lane, at, true)?;
    let ranks: Vec<u32> = match blocks {
        None => vec![own],
        Some(mask) => {
            let mask = value(warp, env, shared, mask, lane) as u32;
            lanes(mask).map(|rank| rank as u32).collect()
        }
    };
    let thread = thread_of(warp, env, lane);
    for rank in ranks {
        let count = env.blocks_in_cluster();
        if rank >= count {
            return Err(trouble(
                lane,
                Problem::NoSuchRank {
                    rank,
                    blocks: count,
                },
            ));
        }
        let at = (rank, offset);
        let phase = mbarrier::look(shared, at)
            .map_err(|problem| trouble(lane, problem))?
            .phase;
        // Of a product of a pair both blocks know.
        for memory in &mut shared.tensor {
            memory.commit(thread, (at, phase));
        }
        if let Some(races) = &mut shared.races {
            let what = What::Arrive {
                drop: false,
                may_complete: true,
            };
            let order = Order::strong(Some(".release"), Scope::Cluster);
            races.object(warp, lane, at, (what, order), Some(phase));
        }
        mbarrier::arrive(shared, at).map_err(|problem| trouble(lane, problem))?;
    }
    Ok(())
}

/// Somebody has seen that phases of an mbarrier before this one are over.
pub(super) fn observe(shared: &mut Shared, barrier: (u32, u32), phase: u32) {
    for memory in &mut shared.tensor {
        for (thread, products) in memory.observe(barrier, phase) {
            if let Some(flights) = &mut shared.flights {
                flights.reads.wait(flights::of_thread(thread), products);
            }
        }
    }
}

/// Tensor memory that a block has not freed when its last thread exits.
pub(super) fn left(warp: &Warp, env: &Env<'_>, shared: &mut Shared, (code, pc): (usize, usize)) {
    let rank = warp.identity.rank as usize;
    if shared.tensor.is_empty() || !shared.barriers[rank].is_over() || shared.tensor[rank].is_free()
    {
        return;
    }
    if shared
        .warnings
        .iter()
        .any(|one| (one.code, one.pc) == (code, pc))
    {
        return;
    }
    shared.warnings.push(Finding {
        problem: Problem::Told(Box::new(Told {
            code: codes::LEAK,
            warning: true,
            message: "the block exits without freeing its tensor memory".to_owned(),
            help: "free with `tcgen05.dealloc` what `tcgen05.alloc` gave: blocks that come after wait for it".to_owned(),
            related: Vec::new(),
        })),
        block: warp.identity.block,
        thread: super::special::thread(env, warp.identity.warp * 32),
        code,
        pc,
        rank: 0,
    });
}
