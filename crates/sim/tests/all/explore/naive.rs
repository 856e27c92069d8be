//! Small kernels as data, their text, and all their interleavings one step at a time: nothing is left out because it seems to be
//! like something else. Only states that were met before are not gone on from again.

use super::HEAD;
use std::collections::{BTreeMap, BTreeSet};
use warpc_testkit::random::Random;

/// Block, thread: who takes part. Two lanes of a warp, one of another warp, one of another block.
pub const THREADS: [(u32, u32); 4] = [(0, 0), (0, 1), (0, 32), (1, 0)];
/// Places: words of global memory, and words of shared memory of each block after them.
pub const GLOBAL: usize = 2;
pub const PLACES: usize = 3;

/// What a thread does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Act {
    Load,
    Store(u32),
    Exchange(u32),
    /// Adds, and looks at the old value.
    Add(u32),
    /// Adds without looking.
    Sum(u32),
    /// Compare and swap.
    Swap(u32, u32),
    /// Waits in a loop until the place has a value.
    Await(u32),
    /// Waits in a loop until it could change the value from zero.
    Lock(u32),
    /// Traps if the value read last is this one.
    Trap(u32),
    /// A barrier of the threads of the block that have not exited.
    Barrier,
    Fence,
}

/// An operation of a thread.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub act: Act,
    pub place: usize,
    /// Where what it reads is kept, as a word of the buffer.
    pub output: usize,
    pub line: usize,
}

/// A kernel: the steps of each thread, and its text.
#[derive(Debug)]
pub struct Kernel {
    pub steps: Vec<Vec<Step>>,
    pub text: String,
}

impl Act {
    fn reads(self) -> bool {
        matches!(
            self,
            Act::Load | Act::Exchange(_) | Act::Add(_) | Act::Swap(..)
        )
    }

    fn random(random: &mut Random) -> Act {
        let value = |random: &mut Random| 1 + random.below(2) as u32;
        match random.below(20) {
            0..5 => Act::Load,
            5..9 => Act::Store(value(random)),
            9 => Act::Exchange(value(random)),
            10 => Act::Add(1),
            11 => Act::Sum(value(random)),
            12 => Act::Swap(random.below(2) as u32, value(random)),
            13 | 14 => Act::Await(value(random)),
            15 => Act::Lock(value(random)),
            16 | 17 => Act::Trap(random.below(3) as u32),
            18 => Act::Barrier,
            _ => Act::Fence,
        }
    }
}

/// A random kernel of at most so many operations.
pub fn random_kernel(random: &mut Random, most: usize) -> Kernel {
    let count = 3 + random.below(most - 2);
    let threads = 2 + random.below(3);
    let mut steps: Vec<Vec<Step>> = vec![Vec::new(); THREADS.len()];
    for index in 0..count {
        let thread = random.below(threads);
        let step = Step {
            act: Act::random(random),
            place: random.below(PLACES),
            output: PLACES + index,
            line: 0,
        };
        // Another thread than the first few, so that all of them come up.
        steps[(thread + random.below(2)) % THREADS.len()].push(step);
    }
    let text = text(&mut steps, random);
    Kernel { steps, text }
}

fn text(steps: &mut [Vec<Step>], random: &mut Random) -> String {
    let mut text = format!(
        "{HEAD}.visible .entry k(.param .u64 data) {{ .reg .b32 %r<8>; .reg .b64 %rd<4>; .reg .pred %p<4>; \
         .shared .align 16 .b8 s[256]; ld.param.u64 %rd1, [data]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; \
         shl.b32 %r3, %r2, 10; add.u32 %r3, %r3, %r1; mov.u32 %r7, 99; setp.eq.u32 %p1, %r1, 0;\n"
    );
    for (thread, (block, number)) in THREADS.iter().enumerate() {
        let id = block * 1024 + number;
        text += &format!("setp.eq.u32 %p1, %r3, {id}; @%p1 bra T{thread};\n");
    }
    text += "exit;\n";
    for (thread, own) in steps.iter_mut().enumerate() {
        text += &format!("T{thread}:\n");
        for (index, step) in own.iter_mut().enumerate() {
            step.line = text.lines().count() + 1;
            let (space, at) = match step.place < GLOBAL {
                true => ("global", format!("[%rd1+{}]", 4 * step.place)),
                false => ("shared", format!("[s+{}]", 4 * (step.place - GLOBAL))),
            };
            let strong = [".relaxed.gpu", ""][random.below(2)];
            let label = format!("L{thread}_{index}");
            let line = match step.act {
                Act::Load => format!("ld{strong}.{space}.u32 %r7, {at};"),
                Act::Store(value) => format!("st{strong}.{space}.u32 {at}, {value};"),
                Act::Exchange(value) => {
                    format!("atom.relaxed.gpu.{space}.exch.b32 %r7, {at}, {value};")
                }
                Act::Add(value) => format!("atom.acq_rel.gpu.{space}.add.u32 %r7, {at}, {value};"),
                Act::Sum(value) => format!("red.relaxed.gpu.{space}.add.u32 {at}, {value};"),
                Act::Swap(old, new) => {
                    format!("atom.relaxed.gpu.{space}.cas.b32 %r7, {at}, {old}, {new};")
                }
                Act::Await(value) => format!(
                    "{label}: ld{strong}.{space}.u32 %r6, {at}; setp.ne.u32 %p1, %r6, {value}; @%p1 bra {label};"
                ),
                Act::Lock(value) => format!(
                    "{label}: atom.relaxed.gpu.{space}.cas.b32 %r6, {at}, 0, {value}; setp.ne.u32 %p1, %r6, 0; \
                     @%p1 bra {label};"
                ),
                Act::Trap(value) => format!("setp.eq.u32 %p1, %r7, {value}; @%p1 trap;"),
                Act::Barrier => "barrier.sync 0;".to_owned(),
                Act::Fence => "fence.acq_rel.gpu;".to_owned(),
            };
            text += &line;
            if step.act.reads() {
                text += &format!(" st.global.u32 [%rd1+{}], %r7;", 4 * step.output);
            }
            text += "\n";
        }
        text += "exit;\n";
    }
    text += "}\n";
    text
}

/// Where a run is: the next step of each thread, what it read last, and memory.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct State {
    at: Vec<usize>,
    last: Vec<u32>,
    /// Global words, then the shared words of both blocks.
    memory: Vec<u32>,
    outputs: BTreeMap<usize, u32>,
}

/// What can become of a kernel.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Outcomes {
    /// Words of the buffer after runs that come to their end, without those that are zero.
    pub finals: BTreeSet<BTreeMap<usize, u32>>,
    /// Lines with a trap; 0 for a deadlock of any kind.
    pub findings: BTreeSet<usize>,
    /// States that were met.
    pub states: usize,
}

/// How a step went.
enum Went {
    On(State),
    /// Nothing changes until another thread acts.
    Waits,
    Traps(usize),
}

/// All interleavings of a kernel; nothing if there are more than so many states.
pub fn enumerate(kernel: &Kernel, most: usize) -> Option<Outcomes> {
    let first = State {
        at: vec![0; THREADS.len()],
        last: vec![99; THREADS.len()],
        memory: vec![0; GLOBAL + 2 * (PLACES - GLOBAL)],
        outputs: BTreeMap::new(),
    };
    let mut outcomes = Outcomes::default();
    let mut met = BTreeSet::from([first.clone()]);
    let mut rest = vec![first];
    while let Some(state) = rest.pop() {
        if met.len() > most {
            return None;
        }
        let is_done = |thread: usize| state.at[thread] == kernel.steps[thread].len();
        let (mut moved, mut failed) = (false, false);
        for thread in (0..THREADS.len()).filter(|thread| !is_done(*thread)) {
            match step(kernel, &state, thread) {
                Went::On(next) => {
                    moved = true;
                    if met.insert(next.clone()) {
                        rest.push(next);
                    }
                }
                Went::Waits => {}
                Went::Traps(line) => {
                    failed = true;
                    outcomes.findings.insert(line);
                }
            }
        }
        if (0..THREADS.len()).all(is_done) {
            let mut words = state.outputs.clone();
            words.extend(state.memory[..GLOBAL].iter().copied().enumerate());
            words.retain(|_, value| *value != 0);
            outcomes.finals.insert(words);
        } else if !moved && !failed {
            outcomes.findings.insert(0);
        }
    }
    outcomes.states = met.len();
    Some(outcomes)
}

fn step(kernel: &Kernel, state: &State, thread: usize) -> Went {
    let step = kernel.steps[thread][state.at[thread]];
    let block = THREADS[thread].0 as usize;
    let place = match step.place < GLOBAL {
        true => step.place,
        false => step.place + block * (PLACES - GLOBAL),
    };
    let old = state.memory[place];
    let mut next = state.clone();
    let new = match step.act {
        Act::Load | Act::Fence => old,
        Act::Store(value) | Act::Exchange(value) => value,
        Act::Add(value) | Act::Sum(value) => old + value,
        Act::Swap(expected, value) if old == expected => value,
        Act::Swap(..) => old,
        Act::Await(value) if old != value => return Went::Waits,
        Act::Await(_) => old,
        Act::Lock(_) if old != 0 => return Went::Waits,
        Act::Lock(value) => value,
        Act::Trap(value) if state.last[thread] == value => return Went::Traps(step.line),
        Act::Trap(_) => old,
        Act::Barrier => {
            let members = (0..THREADS.len()).filter(|other| THREADS[*other].0 as usize == block);
            let alive = |other: &usize| state.at[*other] < kernel.steps[*other].len();
            let alive: Vec<usize> = members.filter(alive).collect();
            let waits = |other: &usize| kernel.steps[*other][state.at[*other]].act == Act::Barrier;
            if !alive.iter().all(waits) {
                return Went::Waits;
            }
            alive.iter().for_each(|other| next.at[*other] += 1);
            return Went::On(next);
        }
    };
    next.memory[place] = new;
    if step.act.reads() {
        next.last[thread] = old;
        next.outputs.insert(step.output, old);
    }
    next.at[thread] += 1;
    Went::On(next)
}
