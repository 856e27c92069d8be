//! One warp: its fragments, which of them runs, and the loop that runs it.
//!
//! Lanes that are at the same place of the same call form a fragment. A branch on which lanes
//! disagree splits it. Of several fragments the one runs that is furthest after (deepest call, then
//! lowest step), so that the others are met again soon; one that was passed over for long gets its
//! turn, so that a lane can wait for another lane of its warp.

mod apart;

use super::async_copy::Awaited;
use super::frame::{Around, Frame, Identity};
use super::group::Shared;
use super::groups::touched::Touched;
use super::spin::Spin;
use super::{Env, Outcome, access, barrier, call, collective, compute, defined};
use crate::program::{Fence, Op, StackOp, Step};
use rustc_hash::FxHashMap;

/// Fragments that were passed over for so many steps run next.
const PATIENCE: u64 = 3000;

/// What a fragment waits for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Wait {
    /// Nothing.
    Ready,
    /// The rest of the warp, at an aligned instruction.
    Aligned,
    /// The lanes of this mask, at a collective.
    Collective(u32),
    /// A barrier of the block: number, and the generation that must end.
    Barrier(u8, u32),
    /// The cluster's barrier: the generation that must end.
    Cluster(u32),
    /// The phase of an mbarrier: address in shared memory and number of the phase; may time out.
    Phase { rank: u32, offset: u32, phase: u32 },
    /// So many free columns of tensor memory.
    Columns(u32),
    /// Products of its warpgroup: all warps must have issued so many.
    Group { products: u64 },
    /// Asynchronous copies of its lanes: at most so many groups may be left.
    Copies { awaited: Awaited, left: u32 },
}

/// Lanes at one place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fragment {
    pub(crate) lanes: u32,
    pub(crate) pc: u32,
    pub(crate) frame: usize,
    pub(crate) wait: Wait,
    /// When it ran last, in steps of the warp.
    pub(crate) ran: u64,
    /// Whether a wait that may time out has done so.
    pub(crate) timed_out: bool,
}

impl Fragment {
    /// Whether it waits for something that it need not wait for to the end.
    fn may_time_out(&self) -> bool {
        matches!(self.wait, Wait::Phase { .. }) && !self.timed_out
    }
}

/// How a turn went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Turn {
    /// Steps were taken.
    Ran,
    /// All that could run runs in circles.
    Spinning,
    /// Everything waits.
    Blocked,
}

/// One warp.
#[derive(Debug)]
pub(crate) struct Warp {
    pub(crate) identity: Identity,
    /// Lanes that exist.
    pub(crate) all: u32,
    /// Lanes that have exited.
    pub(crate) exited: u32,
    pub(crate) fragments: Vec<Fragment>,
    pub(crate) frames: Vec<Frame>,
    /// Frames that are not in use.
    pub(crate) free: Vec<usize>,
    /// Each lane's stack; empty until a function needs one.
    pub(crate) stacks: Vec<Vec<u8>>,
    /// The undefined bits of each lane's stack; empty if they are not watched.
    pub(crate) stack_shadow: Vec<Vec<u8>>,
    /// Bytes of each lane's stack that belong to no variable: start and end, in order.
    pub(crate) gaps: Vec<Vec<(u32, u32)>>,
    /// Whether a register may have undefined bits.
    pub(crate) tainted: bool,
    /// Where undefined bits on the stack came from: by lane and offset.
    pub(crate) origins: FxHashMap<(u32, u32), defined::Origin>,
    pub(crate) carry: u32,
    /// The region of global memory that was hit last.
    pub(crate) region: usize,
    /// Steps taken.
    pub(crate) clock: u64,
    /// No switch to other fragments before this step.
    keep_until: u64,
    /// Whether the fragment that ran last lets others go first.
    gives_way: bool,
    pub(super) spin: Spin,
    /// The registers of products of its warpgroup, if there are such products.
    pub(crate) touched: Option<Box<Touched>>,
    /// The fragment that runs.
    pub(crate) current: usize,
}

/// Why the loop over steps stops.
pub(super) enum Flow {
    /// The next step follows.
    Next,
    /// The fragment list changed: choose anew.
    Choose,
    /// The next step follows, but others go first.
    Sleep,
}

impl Warp {
    pub(crate) fn new(env: &Env<'_>, identity: Identity, lanes: u32) -> Warp {
        let mut warp = Warp {
            identity,
            all: lanes,
            exited: 0,
            fragments: vec![Fragment {
                lanes,
                pc: 0,
                frame: 0,
                wait: Wait::Ready,
                ran: 0,
                timed_out: false,
            }],
            frames: Vec::new(),
            free: Vec::new(),
            stacks: Vec::new(),
            stack_shadow: Vec::new(),
            gaps: Vec::new(),
            tainted: false,
            origins: FxHashMap::default(),
            carry: 0,
            region: 0,
            clock: 0,
            keep_until: 0,
            gives_way: false,
            spin: Spin::default(),
            touched: super::groups::touched_of(env),
            current: 0,
        };
        let code = &env.program.codes[0];
        let mut frame = Frame::new(code, 0);
        frame.lanes = lanes;
        if code.frame_bytes > 0 {
            frame.base = vec![0; 32];
            warp.stacks = (0..32)
                .map(|lane| {
                    let bytes = if lanes >> lane & 1 != 0 {
                        code.frame_bytes
                    } else {
                        0
                    };
                    vec![0; bytes as usize]
                })
                .collect();
            for lane in super::lanes(lanes) {
                defined::grown(&mut warp, env, lane, 0);
            }
            warp.gaps = vec![code.gaps.clone(); 32];
        }
        warp.tainted = defined::entered(code, &mut frame, env);
        warp.frames.push(frame);
        warp
    }

    /// Lanes that have not exited.
    pub(crate) fn live(&self) -> u32 {
        self.all & !self.exited
    }

    pub(crate) fn is_done(&self) -> bool {
        self.live() == 0
    }

    /// The function and step at which a lane is.
    pub(crate) fn place_of(&self, lane: u32) -> (usize, usize) {
        let fragment = self.fragments.iter().find(|f| f.lanes >> lane & 1 != 0);
        match fragment.or(self.fragments.first()) {
            Some(f) => (self.frames[f.frame].code, f.pc as usize),
            None => (0, 0),
        }
    }

    /// The fragment to run, if one can.
    fn choose(&mut self, env: &Env<'_>, shared: &mut Shared) -> Outcome<Option<usize>> {
        for index in 0..self.fragments.len() {
            if self.fragments[index].wait != Wait::Ready {
                self.wake(env, shared, index)?;
            }
        }
        let (mut best, mut oldest): (Option<usize>, Option<usize>) = (None, None);
        for (index, fragment) in self.fragments.iter().enumerate() {
            if fragment.wait != Wait::Ready {
                continue;
            }
            let key = |i: usize| {
                let f = &self.fragments[i];
                (u32::MAX - self.frames[f.frame].depth, f.pc)
            };
            if best.is_none_or(|b| key(index) < key(b)) {
                best = Some(index);
            }
            if oldest.is_none_or(|o| fragment.ran < self.fragments[o].ran) {
                oldest = Some(index);
            }
        }
        let may_choose = env.weak.is_some() && best != oldest && !self.gives_way;
        if may_choose && shared.random.below(2) == 0 {
            // Lanes are threads of their own: none of them has to wait until the others have met.
            let ready = |index: &usize| self.fragments[*index].wait == Wait::Ready;
            let ready: Vec<usize> = (0..self.fragments.len()).filter(ready).collect();
            self.keep_until = self.clock + 8;
            return Ok(Some(ready[shared.random.below(ready.len())]));
        }
        let gives_way = std::mem::take(&mut self.gives_way);
        if best != oldest
            && let Some(old) = oldest
            && (gives_way || self.clock.saturating_sub(self.fragments[old].ran) > PATIENCE)
        {
            let turn = 64 + shared.random.below(512) as u64;
            self.keep_until = self.clock + turn;
            return Ok(Some(old));
        }
        Ok(best)
    }

    /// Lets the warp run for some steps.
    pub(crate) fn run(&mut self, env: &Env<'_>, shared: &mut Shared, steps: u32) -> Outcome<Turn> {
        let end = self.clock + u64::from(steps);
        let start = self.clock;
        // Fragments in a row that ran in circles.
        let mut circling = 0;
        while self.clock < end {
            let Some(index) = self.choose(env, shared)? else {
                break;
            };
            self.current = index;
            let circles = match shared.recorder.is_some() || self.touched.is_some() {
                false => self.run_fragment::<false>(env, shared, end),
                true => self.run_fragment::<true>(env, shared, end),
            };
            if let Some(recorder) = &mut shared.recorder {
                recorder.ran(self.clock - start, shared.counts.barriers);
            }
            if circles? {
                circling += 1;
                if circling >= self.ready_count() {
                    break;
                }
                self.give_way();
            } else {
                circling = 0;
            }
        }
        let spinning = circling > 0;
        Ok(if self.clock == start {
            Turn::Blocked
        } else if spinning {
            Turn::Spinning
        } else {
            Turn::Ran
        })
    }

    /// Whoever else is ready and ran least lately goes first.
    fn give_way(&mut self) {
        self.fragments[self.current].ran = self.clock;
        self.gives_way = true;
    }

    fn ready_count(&self) -> usize {
        let ready = |f: &&Fragment| f.wait == Wait::Ready;
        self.fragments.iter().filter(ready).count()
    }

    /// Runs the current fragment until it must stop; whether that is because it waits for others: it
    /// runs in circles or sleeps.
    fn run_fragment<const RECORD: bool>(
        &mut self,
        env: &Env<'_>,
        shared: &mut Shared,
        end: u64,
    ) -> Outcome<bool> {
        let Fragment {
            lanes: mask,
            pc,
            frame,
            ..
        } = self.fragments[self.current];
        let (mut mask, mut pc) = (mask, pc);
        let code = &env.program.codes[self.frames[frame].code];
        let begun = self.clock;
        let mut threads = 0;
        let outcome = loop {
            let step: &Step = &code.steps[pc as usize];
            if step.leader && self.fragments.len() > 1 && !env.explored {
                match self.meet(frame, pc) {
                    Meeting::Alone => {}
                    Meeting::Merged(lanes) => mask |= lanes,
                    Meeting::After => break Ok(false),
                }
            }
            if self.clock >= end {
                break Ok(false);
            }
            #[cfg(feature = "jit")]
            if env.native && !RECORD && mask == u32::MAX && !self.tainted {
                let frame = &mut self.frames[frame];
                let left = (end - self.clock, self.spin.left(self.clock));
                if let Some(done) = run_native(code, frame, pc, left) {
                    self.clock += done.steps;
                    threads += done.threads;
                    pc = done.pc;
                    continue;
                }
            }
            self.clock += 1;
            if self.tainted
                && let Err(trouble) = defined::step(self, env, shared, frame, step, mask)
            {
                self.settle(shared, mask, pc, begun, threads);
                return Err(trouble);
            }
            let registers = &mut self.frames[frame];
            let active = match step.guard {
                None => mask,
                Some((slot, wanted)) => {
                    let bits = registers.predicates[slot as usize];
                    mask & if wanted { bits } else { !bits }
                }
            };
            threads += u64::from(active.count_ones());
            if RECORD && let Some(recorder) = &mut shared.recorder {
                recorder.step((registers.code, pc), active);
            }
            if active == 0 {
                pc += 1;
                continue;
            }
            if RECORD
                && let (Some(touched), Some(touches)) =
                    (&mut self.touched, code.touches.get(pc as usize))
                && !touches.is_empty()
                && let Err(problem) =
                    touched.touch(env, (frame, (registers.code as u32, pc)), touches)
            {
                self.settle(shared, mask, pc, begun, threads);
                return Err(super::Trouble::of(active, problem));
            }
            let around = Around {
                env,
                identity: &self.identity,
                clock: shared.clock + (self.clock - begun),
            };
            match &step.op {
                Op::Word(op, d, a, b, c) => {
                    compute::word(registers, around, active, *op, (*d, *a, *b, *c));
                }
                Op::Double(op, d, a, b, c) => {
                    compute::double(registers, around, active, *op, (*d, *a, *b, *c));
                }
                Op::CompareWord(op, d, a, b) => {
                    compute::compare_word(registers, around, active, *op, (*d, *a, *b));
                }
                Op::CompareDouble(op, d, a, b) => {
                    compute::compare_double(registers, around, active, *op, (*d, *a, *b));
                }
                Op::Float(op, precision, d, a, b, c) => {
                    let places = (*d, *a, *b, *c);
                    compute::float(registers, around, active, *op, *precision, places);
                }
                Op::CompareFloat(op, d, a, b) => {
                    compute::compare_float(registers, around, active, *op, (*d, *a, *b));
                }
                Op::One(f, d, a) => compute::one(registers, around, active, *f, (*d, *a)),
                Op::Two(f, d, a, b) => compute::two(registers, around, active, *f, (*d, *a, *b)),
                Op::Three(f, d, a, b, c) => {
                    compute::three(registers, around, active, *f, (*d, *a, *b, *c));
                }
                Op::General(general) => {
                    compute::general(registers, around, active, &mut self.carry, general);
                }
                Op::Move(list) => compute::copy(registers, around, active, list),
                Op::Pack(pack) => compute::pack(registers, around, active, pack),
                Op::Unpack(unpack) => compute::unpack(registers, around, active, unpack),
                Op::Branch(target) => {
                    let target = *target;
                    if active == mask {
                        let back = target <= pc;
                        pc = target;
                        if back && self.spin.is_due(self.clock) {
                            self.settle(shared, mask, pc, begun, threads);
                            return Ok(self.in_circles());
                        }
                        continue;
                    }
                    self.split(active, target);
                    mask &= !active;
                }
                Op::Nothing => {}
                Op::Load(_) | Op::Store(_) | Op::Atomic(_) | Op::Address(..) => {
                    // What is wrong with an access, or races with it, is told with its place.
                    self.fragments[self.current].pc = pc;
                    if RECORD {
                        self.record_access(env, shared, &step.op, active);
                    }
                    if let Err(trouble) = self.access(env, shared, frame, &step.op, active) {
                        self.settle(shared, mask, pc, begun, threads);
                        return Err(trouble);
                    }
                }
                other => {
                    self.settle(shared, mask, pc, begun, threads);
                    return match self.slow(env, shared, other, active) {
                        Ok(Flow::Next) => {
                            self.fragments[self.current].pc += 1;
                            Ok(false)
                        }
                        Ok(Flow::Choose) => Ok(false),
                        Ok(Flow::Sleep) => {
                            self.fragments[self.current].pc += 1;
                            Ok(true)
                        }
                        Err(trouble) => Err(trouble),
                    };
                }
            }
            pc += 1;
        };
        self.settle(shared, mask, pc, begun, threads);
        outcome
    }

    /// Writes back what the loop kept in hand.
    fn settle(&mut self, shared: &mut Shared, mask: u32, pc: u32, begun: u64, threads: u64) {
        let fragment = &mut self.fragments[self.current];
        fragment.lanes = mask;
        fragment.pc = pc;
        fragment.ran = self.clock;
        shared.clock += self.clock - begun;
        shared.counts.warp_instructions += self.clock - begun;
        shared.counts.thread_instructions += threads;
    }

    /// Lanes of the current fragment go elsewhere.
    fn split(&mut self, lanes: u32, pc: u32) {
        let current = self.fragments[self.current];
        self.fragments.push(Fragment {
            lanes,
            pc,
            ran: self.clock,
            ..current
        });
    }

    /// What the current fragment finds where a run of steps begins.
    fn meet(&mut self, frame: usize, pc: u32) -> Meeting {
        let mut after = false;
        let mut merged = 0;
        let mut index = 0;
        while index < self.fragments.len() {
            let other = &self.fragments[index];
            if index == self.current || other.wait != Wait::Ready || other.frame != frame {
                index += 1;
                continue;
            }
            if other.pc == pc {
                merged |= other.lanes;
                self.fragments.swap_remove(index);
                // The last one took the free place.
                if self.current == self.fragments.len() {
                    self.current = index;
                }
                continue;
            }
            after |= other.pc < pc;
            index += 1;
        }
        if merged != 0 {
            self.fragments[self.current].lanes |= merged;
            Meeting::Merged(merged)
        } else if after && self.clock >= self.keep_until {
            Meeting::After
        } else {
            Meeting::Alone
        }
    }

    /// Steps that touch memory or look at addresses.
    #[inline]
    fn access(
        &mut self,
        env: &Env<'_>,
        shared: &mut Shared,
        frame: usize,
        op: &Op,
        active: u32,
    ) -> Outcome<()> {
        match op {
            Op::Load(load) => access::load(self, env, shared, frame, load, active),
            Op::Store(store) => access::store(self, env, shared, frame, store, active),
            Op::Atomic(atomic) => access::atomic(self, env, shared, frame, atomic, active),
            Op::Address(op, to, a, b) => {
                access::address(self, env, shared, frame, (*op, *to, *a, *b), active)
            }
            _ => Ok(()),
        }
    }

    /// Steps that other lanes, other warps or the way of control have to do with.
    fn slow(&mut self, env: &Env<'_>, shared: &mut Shared, op: &Op, active: u32) -> Outcome<Flow> {
        match op {
            Op::Stack(StackOp::Grow { to, size, align }) => {
                call::grow(self, env, shared, (*to, *size, *align), active)?;
            }
            Op::Stack(StackOp::Save(to)) => call::save(self, *to, active),
            Op::Stack(StackOp::Restore(from)) => call::restore(self, env, shared, *from, active)?,
            Op::BranchIndexed(index, targets) => {
                return call::branch_indexed(self, env, shared, *index, targets, active);
            }
            Op::Call(call) => return call::call(self, env, shared, call, active),
            Op::Return => return call::leave(self, env, shared, active),
            Op::Exit => return call::exit(self, env, shared, active),
            Op::Trap => {
                return Err(super::Trouble::of(active, crate::finding::Problem::Trap));
            }
            Op::Breakpoint => {
                return Err(super::Trouble::of(
                    active,
                    crate::finding::Problem::Breakpoint,
                ));
            }
            Op::Barrier(op) => return barrier::block(self, env, shared, op, active),
            Op::ClusterArrive(aligned, release) => {
                let how = (*aligned, *release);
                return barrier::cluster_arrive(self, env, shared, how, active);
            }
            Op::ClusterWait(aligned, _) => {
                return barrier::cluster_wait(self, env, shared, *aligned, active);
            }
            Op::Collective(op) => return collective::execute(self, env, shared, op, active),
            Op::ActiveMask(to) => {
                let frame = self.fragments[self.current].frame;
                for lane in super::lanes(active) {
                    self.frames[frame].set(*to, lane, u64::from(active));
                }
            }
            Op::Matrix(op) => return super::matrix::execute(self, env, shared, op, active),
            Op::Group(op) => return super::groups::execute(self, env, shared, op, active),
            Op::Tensor(op) => return super::tensor::execute(self, env, shared, op, active),
            Op::Mbarrier(op) => return super::mbarrier::execute(self, env, shared, op, active),
            Op::Async(op) => return super::async_copy::execute(self, env, shared, op, active),
            Op::Texture(op) => super::texture::execute(self, env, shared, op, active)?,
            Op::TensorMap(op) => return super::tensor_map::execute(self, env, shared, op, active),
            Op::Sleep(time) => {
                let frame = &self.frames[self.fragments[self.current].frame];
                let around = Around::new(env, &self.identity, shared);
                let time = super::lanes(active)
                    .map(|lane| frame.get(*time, lane, around) & u64::from(u32::MAX))
                    .max();
                shared.sleep(time.unwrap_or(0));
                return Ok(Flow::Sleep);
            }
            Op::Fence(fence) => {
                std::sync::atomic::fence(std::sync::atomic::Ordering::SeqCst);
                if let Some(races) = &mut shared.races {
                    races.fence(&self.identity, *fence, active);
                }
                if let (Fence::Threads(order), Some(weak)) = (fence, &mut shared.weak) {
                    weak.fence(&self.identity, *order, active);
                }
                if *fence == Fence::AsyncProxy
                    && let Some(flights) = &mut shared.flights
                {
                    flights.fence();
                }
            }
            _ => {}
        }
        Ok(Flow::Next)
    }

    /// Looks whether what a fragment waits for has come.
    pub(crate) fn wake(&mut self, env: &Env<'_>, shared: &mut Shared, index: usize) -> Outcome<()> {
        match self.fragments[index].wait {
            Wait::Ready | Wait::Collective(_) => Ok(()),
            Wait::Aligned => barrier::wake_aligned(self, env, index),
            Wait::Barrier(number, generation) => {
                barrier::wake_block(self, env, shared, index, number, generation);
                Ok(())
            }
            Wait::Cluster(generation) => {
                if shared.cluster.generation != generation {
                    barrier::cluster_over(self, shared, self.fragments[index].lanes);
                    self.resume(index);
                }
                Ok(())
            }
            Wait::Phase { .. } => super::mbarrier::wake(self, env, shared, index),
            Wait::Columns(_) => {
                super::tensor::wake(self, shared, index);
                Ok(())
            }
            Wait::Group { .. } => super::groups::wake(self, env, shared, index),
            Wait::Copies { .. } => {
                super::async_copy::wake(self, env, shared, index);
                Ok(())
            }
        }
    }

    /// The fragment goes on after the instruction at which it waited.
    pub(crate) fn resume(&mut self, index: usize) {
        let fragment = &mut self.fragments[index];
        fragment.wait = Wait::Ready;
        fragment.pc += 1;
    }

    /// Whether something waits that may end without success.
    pub(crate) fn may_time_out(&self) -> bool {
        self.fragments.iter().any(Fragment::may_time_out)
    }

    /// Waits that may end without success do so.
    pub(crate) fn time_out(&mut self) {
        for fragment in &mut self.fragments {
            fragment.timed_out |= fragment.may_time_out();
        }
    }

    /// Makes the current fragment wait at its instruction. Lanes that do not execute it go on.
    pub(crate) fn block(&mut self, active: u32, wait: Wait) {
        let current = self.fragments[self.current];
        let rest = current.lanes & !active;
        if rest != 0 {
            self.fragments.push(Fragment {
                lanes: rest,
                pc: current.pc + 1,
                ..current
            });
        }
        let fragment = &mut self.fragments[self.current];
        fragment.lanes = active;
        fragment.wait = wait;
        fragment.timed_out = false;
    }

    /// The frame of the current fragment.
    pub(crate) fn frame(&self) -> usize {
        self.fragments[self.current].frame
    }
}

/// What native code did.
#[cfg(feature = "jit")]
struct Done {
    steps: u64,
    threads: u64,
    pc: u32,
}

/// Runs the native code that begins at a step, if there is any, in so many steps, and in a loop before so many.
#[cfg(feature = "jit")]
fn run_native(
    code: &crate::program::Code,
    frame: &mut Frame,
    pc: u32,
    (left, before): (u64, u64),
) -> Option<Done> {
    const LANES: u64 = 32;
    let stretch = code.native.at(pc)?;
    let len = u64::from(stretch.len);
    let most = match stretch.again {
        None => left / len,
        Some(_) => left.min(before.saturating_sub(1)) / len,
    };
    if most == 0 {
        return None;
    }
    let steps = len * stretch.run(&code.steps[pc as usize..], frame, most)?;
    let end = pc + stretch.len;
    let Some((slot, wanted)) = stretch.again else {
        let threads = LANES * steps;
        return Some(Done {
            steps,
            threads,
            pc: end,
        });
    };
    let bits = frame.predicates[slot as usize];
    // What the last branch did; where lanes part there, it is left to the interpreter.
    let (steps, active, pc) = match if wanted { bits } else { !bits } {
        u32::MAX => (steps, steps, pc),
        0 => (steps, steps - 1, end),
        _ => (steps - 1, steps - 1, end - 1),
    };
    Some(Done {
        steps,
        threads: LANES * active,
        pc,
    })
}

enum Meeting {
    Alone,
    Merged(u32),
    After,
}
