//! What watches the blocks of a cluster: the one place that [`crate::exec`] calls.
//!
//! All of it does nothing where nothing is watched.

use super::access::{Act, copy_info};
use super::clock::{Shape, WarpClock};
use super::gather::{self, BlockBarriers, ClusterBarrier, Objects};
use super::know::{Copies, Entry, Know, copier};
use super::location::{self, Locations, Strong};
use super::proxy::Proxies;
use super::shadow::{self, ATOMIC, COLLECTIVE, Info, OBJECT, Shadow, WRITE};
use super::{Hub, Target};
use crate::exec::Env;
use crate::exec::access::Place;
use crate::exec::frame::Identity;
use crate::exec::mbarrier::What;
use crate::exec::warp::Warp;
use crate::finding::Access;
use crate::memory::Region;
use crate::program::{Fence, Order, Scope};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Watches a group.
#[derive(Debug)]
pub(crate) struct Watch {
    pub(super) shape: Shape,
    /// By the warp's number in its group.
    pub(super) clocks: Vec<WarpClock>,
    /// Shared memory, a block each.
    pub(super) shared: Vec<Shadow>,
    locations: Locations,
    barriers: BlockBarriers,
    cluster: ClusterBarrier,
    objects: Objects,
    pub(super) proxies: Proxies,
    /// By block of the cluster: whether some thread of it has waited at the barrier of the cluster.
    met: Vec<bool>,
    /// What strong reads saw that were not acquires, by distance: it explains what is missing.
    pub(super) hints: [Know; 3],
    /// Gone while the group does not run and there is one for all.
    pub(super) hub: Option<Box<Hub>>,
    /// Places of the loads of one instruction.
    loads: SmallVec<[(u8, Place); 32]>,
    /// The place of the instruction that issues copies.
    issuing: u32,
    /// What warps knew when they issued their last products of warpgroups, by the warp's number in its group.
    products: FxHashMap<usize, Know>,
}

/// What an instruction does to memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touched {
    pub(crate) access: Access,
    pub(crate) order: Order,
    /// Bytes of an element.
    pub(crate) bytes: u32,
    /// Elements of a lane.
    pub(crate) count: u32,
}

impl Watch {
    pub(super) fn new(shape: Shape, group: u64, shared: u32, hub: Option<Box<Hub>>) -> Watch {
        let first = group as u32 * shape.blocks * shape.warps;
        let warps = shape.blocks * shape.warps;
        let shadow = || Shadow::new(u64::from(shared), shadow::ALL);
        Watch {
            shape,
            clocks: (first..first + warps).map(WarpClock::new).collect(),
            shared: (0..shape.blocks).map(|_| shadow()).collect(),
            locations: Locations::default(),
            barriers: BlockBarriers::default(),
            cluster: ClusterBarrier::default(),
            objects: Objects::new(group),
            proxies: Proxies::default(),
            met: vec![false; shape.blocks as usize],
            hints: Default::default(),
            hub,
            loads: SmallVec::new(),
            issuing: 0,
            products: FxHashMap::default(),
        }
    }

    /// The warp's number in its group.
    fn index(&self, identity: &Identity) -> usize {
        (identity.rank * self.shape.warps + identity.warp) as usize
    }

    /// Where a warp is; none if there is nothing to report to.
    fn place(&mut self, warp: &Warp) -> Option<u32> {
        let hub = self.hub.as_mut()?;
        Some(hub.found.places.number(warp))
    }

    fn is_watched(&self, target: Target) -> bool {
        match target {
            Target::Shared(_) => true,
            Target::Global(region, _) => self
                .hub
                .as_ref()
                .is_some_and(|hub| hub.global.len() > region as usize),
        }
    }

    /// All active lanes access the same memory, each one element.
    pub(crate) fn together(
        &mut self,
        warp: &Warp,
        touched: Touched,
        target: Target,
        (offsets, active): (&[u64; 32], u32),
        same: impl Fn(usize) -> bool,
    ) {
        if !self.is_watched(target) {
            return;
        }
        let Some(place) = self.place(warp) else {
            return;
        };
        let act = act(touched, target, place);
        let index = self.index(&warp.identity);
        self.touch(index, act, (offsets, active), &same);
        if act.write {
            self.overwrite(target, touched.bytes, (offsets, active));
        }
    }

    /// Weak writes: what was handed on there is over.
    fn overwrite(&mut self, target: Target, bytes: u32, (offsets, active): (&[u64; 32], u32)) {
        let locations = match (target, &mut self.hub) {
            (Target::Global(..), Some(hub)) => &mut hub.locations,
            _ => &mut self.locations,
        };
        if !locations.is_empty() {
            for lane in crate::exec::lanes(active) {
                locations.overwrite(target.address(offsets[lane]), bytes);
            }
        }
    }

    /// One lane writes, or does an atomic operation.
    pub(crate) fn alone(
        &mut self,
        env: &Env<'_>,
        warp: &Warp,
        touched: Touched,
        (lane, at): (usize, Place),
        same: impl Fn(u32) -> bool,
    ) {
        let Some((target, offset)) = target_of(env, at) else {
            return;
        };
        let Some(place) = self.place(warp) else {
            return;
        };
        let index = self.index(&warp.identity);
        let act = act(touched, target, place);
        for element in 0..touched.count {
            let offset = offset + u64::from(element * touched.bytes);
            let strong = Strong {
                at: target.address(offset),
                bytes: touched.bytes,
                order: touched.order,
            };
            let atomic = touched.access == Access::Atomic;
            // What it acquires is before the operation itself.
            if atomic {
                let global = matches!(target, Target::Global(..));
                self.acquire(index, (1 << lane, global), strong);
            }
            if self.is_watched(target) {
                let offsets = [offset; 32];
                self.touch(index, act, (&offsets, 1 << lane), &|_| same(element));
            }
            if !touched.order.strong {
                self.overwrite(target, touched.bytes, (&[offset; 32], 1 << lane));
            } else {
                let locations = match (target, &mut self.hub) {
                    (Target::Global(..), Some(hub)) => &mut hub.locations,
                    _ => &mut self.locations,
                };
                let lane = (&self.clocks[index], lane as u32);
                location::write(locations, &self.shape, lane, strong, atomic);
            }
        }
    }

    /// Lanes of a warp read a place.
    fn acquire(&mut self, index: usize, (lanes, global): (u32, bool), strong: Strong) {
        let locations = match &self.hub {
            Some(hub) if global => &hub.locations,
            _ => &self.locations,
        };
        let clock = (&mut self.clocks[index], lanes);
        location::read(locations, &self.shape, clock, strong, &mut self.hints);
    }

    /// The lanes of a write or an atomic operation have all been there.
    pub(crate) fn written(&mut self, identity: &Identity, order: Order, active: u32) {
        if !order.strong {
            return;
        }
        let index = self.index(identity);
        let clock = &mut self.clocks[index];
        if order.release {
            clock.of(active).for_each(|class| class.state.tick());
        }
        if clock.classes.len() > 1 {
            clock.merge();
        }
    }

    /// A lane loads; what that means is looked at when all lanes have.
    pub(crate) fn loads(&mut self, lane: usize, at: Place) {
        self.loads.push((lane as u8, at));
    }

    /// All lanes of a load have been there.
    pub(crate) fn loaded(&mut self, env: &Env<'_>, warp: &Warp, touched: Touched) {
        let loads = std::mem::take(&mut self.loads);
        let Some(place) = self.place(warp) else {
            return;
        };
        let index = self.index(&warp.identity);
        if touched.order.strong {
            self.acquire_loads(env, index, &loads, touched);
        }
        for (lane, at) in &loads {
            let Some((target, start)) = target_of(env, *at) else {
                continue;
            };
            if !self.is_watched(target) {
                continue;
            }
            let act = act(touched, target, place);
            for element in 0..touched.count {
                let offset = start + u64::from(element * touched.bytes);
                self.touch(index, act, (&[offset; 32], 1 << lane), &|_| false);
            }
        }
        let mut loads = loads;
        loads.clear();
        self.loads = loads;
    }

    /// What strong loads make known. Lanes that read the same learn the same.
    fn acquire_loads(
        &mut self,
        env: &Env<'_>,
        index: usize,
        loads: &[(u8, Place)],
        touched: Touched,
    ) {
        let mut same: SmallVec<[(u64, bool, u32); 4]> = SmallVec::new();
        for (lane, at) in loads {
            let Some((target, start)) = target_of(env, *at) else {
                continue;
            };
            for element in 0..touched.count {
                let address = target.address(start + u64::from(element * touched.bytes));
                let global = matches!(target, Target::Global(..));
                match same.iter_mut().find(|(other, ..)| *other == address) {
                    Some((_, _, lanes)) => *lanes |= 1 << lane,
                    None => same.push((address, global, 1 << lane)),
                }
            }
        }
        for (at, global, lanes) in same {
            let strong = Strong {
                at,
                bytes: touched.bytes,
                order: touched.order,
            };
            self.acquire(index, (lanes, global), strong);
        }
    }

    /// `fence`, `membar`
    pub(crate) fn fence(&mut self, identity: &Identity, fence: Fence, active: u32) {
        let index = self.index(identity);
        let Watch { shape, clocks, .. } = self;
        let clock = &mut clocks[index];
        match fence {
            Fence::Other => return,
            Fence::AsyncProxy => self.proxies.fence(shape, clock, active),
            Fence::Threads(order) => {
                let warp = clock.warp;
                let reach = super::clock::reach(order.scope);
                let both = (order.acquire, order.release);
                for class in clock.of(active) {
                    class.state.fence(shape, warp, reach, both);
                }
            }
        }
        if clock.classes.len() > 1 {
            clock.merge();
        }
    }

    /// `bar.warp.sync`
    pub(crate) fn meet_lanes(&mut self, identity: &Identity, lanes: u32) {
        let index = self.index(identity);
        gather::meet_lanes(&self.shape, &mut self.clocks[index], lanes);
    }

    /// Lanes come to a barrier of their block.
    pub(crate) fn come(
        &mut self,
        identity: &Identity,
        number: u64,
        lanes: u32,
        (goes_on, wanted): (bool, u32),
    ) {
        // Without a number of threads all threads of the block come, and there is nothing to remember.
        if wanted != 0 {
            let warp = self.index(identity);
            let at = (identity.rank, number as u32);
            let Watch { shape, clocks, .. } = self;
            self.barriers
                .arrive(shape, clocks, at, (warp, lanes), goes_on);
        }
    }

    /// A barrier of a block is complete. If it had no number of threads, that is all threads that have not exited,
    /// and what the others did was before, too: they came to no barrier of that kind any more.
    pub(crate) fn complete(&mut self, rank: u32, number: u32, wanted: u32) {
        let Watch { shape, clocks, .. } = self;
        if wanted != 0 {
            return self.barriers.complete(shape, clocks, (rank, number));
        }
        let first = (rank * shape.warps) as usize;
        gather::meet_all(shape, &mut clocks[first..first + shape.warps as usize]);
    }

    /// `barrier.cluster.arrive`
    pub(crate) fn cluster_arrive(
        &mut self,
        identity: &Identity,
        lanes: u32,
        (release, generation): (bool, u32),
    ) {
        let order = Order {
            release,
            scope: Scope::Cluster,
            ..Order::default()
        };
        let index = self.index(identity);
        let (shape, clock) = (&self.shape, &mut self.clocks[index]);
        self.cluster
            .arrive(shape, clock, lanes, (order, generation));
    }

    /// The end of `barrier.cluster.wait`
    pub(crate) fn cluster_wait(&mut self, identity: &Identity, lanes: u32, generation: u32) {
        let order = Order {
            acquire: true,
            scope: Scope::Cluster,
            ..Order::default()
        };
        if let Some(met) = self.met.get_mut(identity.rank as usize) {
            *met = true;
        }
        let index = self.index(identity);
        let (shape, clock) = (&self.shape, &mut self.clocks[index]);
        self.cluster.wait(shape, clock, lanes, (order, generation));
    }

    /// Whether a lane can rely on another block of the cluster having started: its block has waited at the barrier of the
    /// cluster, or something that the other block did is before.
    pub(crate) fn has_started(&self, identity: &Identity, lane: usize, rank: u32) -> bool {
        if self.met.get(identity.rank as usize).copied() == Some(true) {
            return true;
        }
        let clock = &self.clocks[self.index(identity)];
        let first = clock.warp / self.shape.warps - identity.rank;
        let mut classes = clock.classes.iter();
        let class = classes.find(|class| class.lanes >> lane & 1 != 0);
        class.is_some_and(|class| class.state.knows_of(first + rank))
    }

    /// An operation on an mbarrier, which is in a phase; not a wait.
    pub(crate) fn object(
        &mut self,
        warp: &Warp,
        lane: usize,
        at: (u32, u32),
        (what, order): (What, Order),
        phase: Option<u32>,
    ) {
        let index = self.index(&warp.identity);
        if let Some(place) = self.place(warp) {
            let (access, strong, end) = match what {
                What::Init => (Access::Write, false, 0),
                What::Invalidate => (Access::Write, false, shadow::END),
                _ => (Access::Atomic, true, 0),
            };
            self.object_touched((index, place), 1 << lane, at, (access, strong, end));
        }
        let phase = phase.unwrap_or(0);
        let Watch { shape, clocks, .. } = self;
        match what {
            What::Init => self.objects.init(at),
            What::Arrive { .. } | What::ExpectAndArrive { .. } => {
                let how = (order, phase);
                self.objects
                    .arrive(shape, &mut clocks[index], 1 << lane, at, how);
            }
            _ => {}
        }
    }

    /// A lane waits for an mbarrier: the object must be there.
    ///
    /// A wait that succeeds may know by that of the beginning of the object; but the first try could have come before.
    pub(crate) fn object_used(&mut self, warp: &Warp, lane: usize, at: (u32, u32)) {
        let index = self.index(&warp.identity);
        if let Some(place) = self.place(warp) {
            let access = Access::Read;
            self.object_touched((index, place), 1 << lane, at, (access, true, 0));
        }
    }

    /// The object itself is accessed: by atomic operations, but for its beginning and end.
    fn object_touched(
        &mut self,
        (index, place): (usize, u32),
        lanes: u32,
        at: (u32, u32),
        (access, strong, end): (Access, bool, Info),
    ) {
        let order = match strong {
            false => Order::default(),
            true => Order::strong(None, Scope::Sys),
        };
        let touched = Touched {
            access,
            order,
            bytes: 8,
            count: 1,
        };
        let mut act = act(touched, Target::Shared(at.0), place);
        act.info |= OBJECT | end;
        let offsets = [u64::from(at.1); 32];
        self.touch(index, act, (&offsets, lanes), &|_| false);
    }

    /// A lane reads or writes a piece of a matrix.
    pub(crate) fn piece(
        &mut self,
        env: &Env<'_>,
        warp: &Warp,
        (access, bytes): (Access, u32),
        (lane, at): (usize, Place),
    ) {
        let touched = Touched {
            access,
            order: Order::default(),
            bytes,
            count: 1,
        };
        let Some((target, offset)) = target_of(env, at) else {
            return;
        };
        if self.is_watched(target)
            && let Some(place) = self.place(warp)
        {
            let mut act = act(touched, target, place);
            act.info |= COLLECTIVE;
            let index = self.index(&warp.identity);
            self.touch(index, act, (&[offset; 32], 1 << lane), &|_| false);
        }
    }

    /// A warp has issued a product of its warpgroup: what it did before is before the end of the product.
    pub(crate) fn group_issue(&mut self, warp: usize) {
        let know = gather::hand_on(&self.shape, &mut self.clocks[warp], u32::MAX);
        self.products.entry(warp).or_default().join(&know);
    }

    /// A warp has waited for products that these warps have issued.
    pub(crate) fn group_over(&mut self, members: std::ops::Range<usize>, warp: usize) {
        for member in members.filter(|member| *member != warp) {
            let Some(know) = self.products.get(&member) else {
                continue;
            };
            let clock = &mut self.clocks[warp];
            let number = clock.warp;
            for class in clock.of(u32::MAX) {
                class.state.learn(&self.shape, number, know);
            }
            clock.merge();
        }
    }

    /// `malloc` gave memory: whoever had it before has given it back.
    pub(crate) fn allocated(&mut self, env: &Env<'_>, address: u64, bytes: u64) {
        if let Some(hub) = &mut self.hub
            && let Ok(region) = env.global.find(address, 1, 0)
            && let Some(shadow) = hub.global.get_mut(region)
        {
            shadow.clear(address - env.global.region(region).address, bytes.max(1));
        }
    }

    /// `free` ends memory: all that was accessed in it must be before. Later accesses are not of a block of the heap any more.
    pub(crate) fn freed(
        &mut self,
        env: &Env<'_>,
        warp: &Warp,
        lane: usize,
        (address, bytes): (u64, u64),
    ) {
        // It is not there any more for who looks it up as an access does.
        let mut regions = env.global.regions().iter();
        let has = |region: &Region| address.wrapping_sub(region.address) < region.bytes;
        let Some(region) = regions.position(has) else {
            return;
        };
        let base = env.global.region(region).address;
        let target = Target::Global(region as u32, base);
        let touched = Touched {
            access: Access::Write,
            order: Order::default(),
            bytes: 4,
            count: 1,
        };
        let Some(place) = self.place(warp) else {
            return;
        };
        let mut act = act(touched, target, place);
        act.info |= shadow::END;
        let index = self.index(&warp.identity);
        let begin = address - base;
        for offset in (begin..begin + bytes.next_multiple_of(4)).step_by(4) {
            let shadow = self.hub.as_ref().and_then(|hub| hub.global.get(region));
            if shadow.is_some_and(|shadow| shadow.is_touched(offset)) {
                self.touch(index, act, (&[offset; 32], 1 << lane), &|_| false);
            }
        }
    }

    /// Lanes saw that a phase of an mbarrier is over; this many are.
    pub(crate) fn phase_over(
        &mut self,
        identity: &Identity,
        lanes: u32,
        at: (u32, u32),
        (order, phase): (Order, u32),
    ) {
        let index = self.index(identity);
        let (shape, clock) = (&self.shape, &mut self.clocks[index]);
        self.objects.wait(shape, clock, lanes, at, (order, phase));
    }

    /// Lanes close a group of copies.
    pub(crate) fn close_group(&mut self, identity: &Identity, lanes: u32, bulk: bool) {
        let index = self.index(identity);
        let clock = &mut self.clocks[index];
        for class in clock.of(lanes) {
            class.state.closed[usize::from(bulk)] += 1;
        }
        clock.merge();
    }

    /// Lanes wait until at most so many of their groups are under way.
    pub(crate) fn wait_group(
        &mut self,
        identity: &Identity,
        lanes: u32,
        (bulk, read): (bool, bool),
        left: u32,
    ) {
        let index = self.index(identity);
        let clock = &mut self.clocks[index];
        for class in clock.of(lanes) {
            let state = &mut class.state;
            let done = state.closed[usize::from(bulk)].saturating_sub(left);
            match (bulk, read) {
                (false, _) => state.waited(Copies::Small, done),
                (true, read) => {
                    state.waited(Copies::BulkRead, done);
                    if !read {
                        state.waited(Copies::Bulk, done);
                    }
                }
            }
        }
        clock.merge();
    }

    /// A warp is about to issue copies.
    pub(crate) fn issues(&mut self, warp: &Warp) {
        self.issuing = self.place(warp).unwrap_or(0);
    }

    /// A lane of a warp, which has this number in its group, issues a copy.
    pub(crate) fn copy(&mut self, env: &Env<'_>, (index, lane): (usize, usize), copy: Copy) {
        let place = self.issuing;
        let own = self.clocks[index].warp;
        let class = self.clocks[index].of(1 << lane).next();
        let closed = class.map_or([0; 2], |class| class.state.closed);
        let by = |kind: Copies, bulk: bool| (copier(own, kind), closed[usize::from(bulk)] + 1);
        if let Some((at, _)) = copy.counted {
            let how = (Access::Atomic, true, 0);
            self.object_touched((index, place), 1 << lane, at, how);
        }
        let counted = match copy.counted {
            Some((at, phase)) => match self.objects.copy(at, phase) {
                Some(by) => Some(by),
                None => return,
            },
            None => None,
        };
        let (reader, writer) = match (counted, copy.bulk) {
            (Some(by), _) => (by, by),
            (None, false) => (by(Copies::Small, false), by(Copies::Small, false)),
            (None, true) => (by(Copies::BulkRead, true), by(Copies::Bulk, true)),
        };
        let sides = [(copy.from, false, reader), (copy.to, true, writer)];
        for (side, write, by) in sides {
            let Some((at, bytes)) = side else { continue };
            let Some((target, offset)) = target_of(env, at) else {
                continue;
            };
            if !self.is_watched(target) {
                continue;
            }
            let atomic = if write { copy.update } else { None };
            let unit =
                atomic.unwrap_or(1 << (offset | u64::from(bytes) | 16).trailing_zeros().min(4));
            let unit = unit.min(4).max(atomic.unwrap_or(1));
            let info = copy_info(unit, place, write, copy.bulk, atomic.is_some());
            let act = Act {
                target,
                bytes: unit,
                write,
                info,
                moved: copy.bulk && copy.from.is_some(),
            };
            self.touch_for((index, lane as u32), act, (offset, bytes), by);
        }
        self.clocks[index].merge();
    }

    /// `cp.async.mbarrier.arrive`: an mbarrier will know of the copies of a lane.
    pub(crate) fn arrive_for(&mut self, (index, lane): (usize, usize), at: (u32, u32), phase: u32) {
        let how = (Access::Atomic, true, 0);
        self.object_touched((index, self.issuing), 1 << lane, at, how);
        let watched = &mut self.clocks[index];
        let actor = copier(watched.warp, Copies::Small);
        for class in watched.of(1 << lane) {
            // What is copied from now on is not among these copies, so it has a later clock. As if a group were closed: a wait
            // for groups then covers no less than it does.
            class.state.closed[0] += 1;
            let entry = Entry {
                actor,
                lanes: 1 << lane,
                clock: class.state.closed[0],
            };
            self.objects.arrive_for(&self.shape, entry, at, phase);
        }
        watched.merge();
    }
}

/// An asynchronous copy: from where, if that is memory, and to where; each with its bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Copy {
    pub(crate) from: Option<(Place, u32)>,
    pub(crate) to: Option<(Place, u32)>,
    /// By the asynchronous proxy.
    pub(crate) bulk: bool,
    /// The mbarrier that counts it, and the phase that it is in.
    pub(crate) counted: Option<((u32, u32), u32)>,
    /// Bytes of an element if it is combined with what is there.
    pub(crate) update: Option<u32>,
}

fn act(touched: Touched, target: Target, place: u32) -> Act {
    let other = match touched.access {
        Access::Read => 0,
        Access::Write => WRITE,
        Access::Atomic => WRITE | ATOMIC,
    };
    Act {
        target,
        bytes: touched.bytes,
        write: touched.access != Access::Read,
        info: shadow::info(touched.order, touched.bytes, place, other),
        moved: false,
    }
}

/// Memory that others can access, and the offset in it.
fn target_of(env: &Env<'_>, place: Place) -> Option<(Target, u64)> {
    match place {
        Place::Global(region, offset) => {
            let address = env.global.region(region).address;
            Some((Target::Global(region as u32, address), offset))
        }
        Place::Shared(rank, offset) => Some((Target::Shared(rank as u32), offset as u64)),
        Place::Local(_) | Place::Param(_) => None,
    }
}
