//! A warp: registers of 32 lanes, and fragments, the lanes that are at one place together.

use crate::operand::{Args, Dest, From, In, Truth};
use crate::time::Clock;
use warpc_sass::latency::File;

/// A value of each lane.
pub(crate) type Lanes = [u32; 32];

/// Registers that a warp has in no case.
const ZERO: u8 = 255;
/// The predicate that is always true.
const TRUE: usize = 7;
/// How many convergence barriers there are.
pub(crate) const BARRIERS: usize = 16;

/// Lanes that are at one place together.
#[derive(Clone, Debug)]
pub(crate) struct Fragment {
    pub(crate) lanes: u32,
    /// The number of the next instruction.
    pub(crate) at: u32,
    pub(crate) state: State,
    pub(crate) clock: Clock,
}

/// What a fragment waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum State {
    /// Nothing.
    Ready,
    /// `BSYNC`: the lanes of a convergence barrier.
    Meet(u8),
    /// `WARPSYNC`: these lanes.
    WarpSync(u32),
    /// A barrier of the block, and its phase.
    Barrier(u8, u64),
    /// The barrier of the cluster, and its phase.
    Cluster(u64),
}

/// A file of registers, with what they held before the last write where time counts.
#[derive(Clone, Debug, Default)]
struct Store<T> {
    now: Vec<T>,
    before: Vec<T>,
}

/// A warp.
#[derive(Clone, Debug, Default)]
pub(crate) struct Warp {
    registers: Store<Lanes>,
    uniform: Store<u32>,
    predicates: Store<u32>,
    uniform_predicates: Store<u32>,
    /// For each convergence barrier and lane, the lanes that it waits for.
    pub(crate) barriers: Vec<Lanes>,
    pub(crate) fragments: Vec<Fragment>,
    /// Lanes that have not ended.
    pub(crate) live: u32,
    /// How many registers its lanes have.
    pub(crate) allocated: u32,
    /// Number of the warp in its block.
    pub(crate) number: u32,
    /// Local memory, lane by lane; empty until it is used.
    pub(crate) local: Vec<u8>,
    /// What the last barrier that counts gave: how many, and whether all or any.
    pub(crate) counted: (u32, bool),
    /// The phase of the barrier of the cluster that the warp has arrived at.
    pub(crate) cluster_phase: u64,
    /// Instructions that were issued.
    pub(crate) issued: u64,
    /// The fragment that runs.
    pub(crate) turn: usize,
    /// Cycles since its start, by stall counts and estimates.
    pub(crate) elapsed: u64,
}

impl Warp {
    /// A warp at the start of a kernel.
    pub(crate) fn new(number: u32, live: u32, registers: usize) -> Warp {
        let file = |count: usize, value: u32| Store {
            now: vec![value; count],
            before: vec![value; count],
        };
        let mut warp = Warp {
            registers: Store {
                now: vec![[0; 32]; registers],
                before: vec![[0; 32]; registers],
            },
            uniform: file(256, 0),
            predicates: file(8, 0),
            uniform_predicates: file(8, 0),
            barriers: vec![[0; 32]; BARRIERS],
            live,
            number,
            ..Warp::default()
        };
        for file in [&mut warp.predicates, &mut warp.uniform_predicates] {
            file.now[TRUE] = u32::MAX;
            file.before[TRUE] = u32::MAX;
        }
        warp.fragments.push(Fragment {
            lanes: live,
            at: 0,
            state: State::Ready,
            clock: Clock::default(),
        });
        warp
    }

    /// Whether all lanes have ended.
    pub(crate) fn is_done(&self) -> bool {
        self.fragments.is_empty()
    }

    /// The register of a number.
    pub(crate) fn register(&self, number: u8) -> Lanes {
        match self.registers.now.get(usize::from(number)) {
            Some(lanes) if number != ZERO => *lanes,
            _ => [0; 32],
        }
    }

    /// A register and the next one, as 64 bits.
    pub(crate) fn pair(&self, number: u8) -> [u64; 32] {
        let low = self.register(number);
        let high = match number {
            ZERO => [0; 32],
            number => self.register(number.wrapping_add(1)),
        };
        std::array::from_fn(|lane| u64::from(low[lane]) | u64::from(high[lane]) << 32)
    }

    /// A uniform register.
    pub(crate) fn uniform(&self, number: u8) -> u32 {
        match number {
            ZERO => 0,
            number => self.uniform.now[usize::from(number)],
        }
    }

    /// A uniform register and the next one.
    pub(crate) fn uniform_pair(&self, number: u8) -> u64 {
        match number {
            ZERO => 0,
            number => {
                u64::from(self.uniform(number))
                    | u64::from(self.uniform(number.wrapping_add(1))) << 32
            }
        }
    }

    /// The lanes for which a predicate is true.
    pub(crate) fn truth(&self, truth: Truth) -> u32 {
        let file = match truth.uniform {
            true => &self.uniform_predicates,
            false => &self.predicates,
        };
        let lanes = file.now[usize::from(truth.number & 7)];
        if truth.not { !lanes } else { lanes }
    }

    /// All predicates of a kind, with bits by lane.
    pub(crate) fn predicate(&self, number: usize, uniform: bool) -> u32 {
        match uniform {
            true => self.uniform_predicates.now[number],
            false => self.predicates.now[number],
        }
    }

    /// Writes a register for some lanes.
    pub(crate) fn set_register(&mut self, number: u8, values: &Lanes, lanes: u32) {
        if number == ZERO {
            return;
        }
        let Some(register) = self.registers.now.get_mut(usize::from(number)) else {
            return;
        };
        if lanes == u32::MAX {
            *register = *values;
            return;
        }
        for (lane, value) in values.iter().enumerate() {
            if lanes >> lane & 1 == 1 {
                register[lane] = *value;
            }
        }
    }

    /// Writes a result of 32 bits.
    pub(crate) fn set(&mut self, dest: Dest, values: &Lanes, lanes: u32) {
        match dest {
            Dest::Register(number) => self.set_register(number, values, lanes),
            Dest::Uniform(number) if number != ZERO && lanes != 0 => {
                self.uniform.now[usize::from(number)] = values[lanes.trailing_zeros() as usize];
            }
            _ => {}
        }
    }

    /// Writes a result of 64 bits to a register and the next one.
    pub(crate) fn set_pair(&mut self, dest: Dest, values: &[u64; 32], lanes: u32) {
        let low: Lanes = std::array::from_fn(|lane| values[lane] as u32);
        let high: Lanes = std::array::from_fn(|lane| (values[lane] >> 32) as u32);
        self.set(dest, &low, lanes);
        self.set(next(dest, 1), &high, lanes);
    }

    /// Writes a predicate; the bits are those of the lanes.
    pub(crate) fn set_predicate(&mut self, dest: Dest, bits: u32, lanes: u32) {
        match dest {
            Dest::Predicate(number) if number != 7 => {
                let predicate = &mut self.predicates.now[usize::from(number & 7)];
                *predicate = *predicate & !lanes | bits & lanes;
            }
            Dest::UniformPredicate(number) if number != 7 && lanes != 0 => {
                let is_true = bits >> lanes.trailing_zeros() & 1 == 1;
                self.uniform_predicates.now[usize::from(number & 7)] =
                    if is_true { u32::MAX } else { 0 };
            }
            _ => {}
        }
    }

    /// Keeps what a register holds before it is written.
    pub(crate) fn keep(&mut self, file: File, number: u8) {
        fn copy<T: Copy>(store: &mut Store<T>, number: u8) {
            let number = usize::from(number);
            if let (Some(now), Some(before)) = (store.now.get(number), store.before.get_mut(number))
            {
                *before = *now;
            }
        }
        match file {
            File::Register => copy(&mut self.registers, number),
            File::Uniform => copy(&mut self.uniform, number),
            File::Predicate => copy(&mut self.predicates, number),
            File::UniformPredicate => copy(&mut self.uniform_predicates, number),
        }
    }

    /// Swaps what a register holds with what it held before, for some lanes.
    pub(crate) fn swap_old(&mut self, file: File, number: u8, lanes: u32) {
        let number = usize::from(number);
        match file {
            File::Register => {
                let store = &mut self.registers;
                if let (Some(now), Some(before)) =
                    (store.now.get_mut(number), store.before.get_mut(number))
                {
                    for lane in (0..32).filter(|lane| lanes >> lane & 1 == 1) {
                        std::mem::swap(&mut now[lane], &mut before[lane]);
                    }
                }
            }
            File::Uniform => std::mem::swap(
                &mut self.uniform.now[number],
                &mut self.uniform.before[number],
            ),
            File::Predicate | File::UniformPredicate => {
                let store = match file {
                    File::Predicate => &mut self.predicates,
                    _ => &mut self.uniform_predicates,
                };
                let (now, before) = (store.now[number], store.before[number]);
                store.now[number] = now & !lanes | before & lanes;
                store.before[number] = before & !lanes | now & lanes;
            }
        }
    }

    /// The lanes of a fragment that execute a step with a guard.
    pub(crate) fn guarded(&self, guard: warpc_sass::Guard, lanes: u32) -> u32 {
        if guard == warpc_sass::Guard::ALWAYS {
            return lanes;
        }
        lanes
            & self.truth(Truth {
                number: guard.predicate,
                uniform: guard.uniform,
                not: guard.not,
            })
    }

    /// The address of each lane, of 64 bits.
    pub(crate) fn addresses(&self, args: &Args) -> [u64; 32] {
        let address = &args.address;
        let base = address.offset as u64;
        let base = base.wrapping_add(match address.uniform {
            Some((number, true)) => self.uniform_pair(number),
            Some((number, false)) => self.uniform(number).into(),
            None => 0,
        });
        match address.register {
            Some((number, true)) => self.pair(number).map(|one| one.wrapping_add(base)),
            Some((number, false)) => {
                let lanes = self.register(number);
                lanes.map(|one| u64::from(one << address.scale).wrapping_add(base))
            }
            None => [base; 32],
        }
    }
}

/// The destination so many registers further on.
pub(crate) fn next(dest: Dest, by: u8) -> Dest {
    match dest {
        Dest::Register(number) if number != ZERO => Dest::Register(number.wrapping_add(by)),
        Dest::Uniform(number) if number != ZERO => Dest::Uniform(number.wrapping_add(by)),
        _ => Dest::None,
    }
}

/// The source so many registers further on; a constant so many words.
pub(crate) fn further(source: In, by: u8) -> In {
    let from = match source.from {
        From::Register(number) if number != ZERO => From::Register(number.wrapping_add(by)),
        From::Uniform(number) if number != ZERO => From::Uniform(number.wrapping_add(by)),
        From::Constant { bank, offset } => From::Constant {
            bank,
            offset: offset + 4 * i32::from(by),
        },
        From::Bindless { base, offset } => From::Bindless {
            base,
            offset: offset + 4 * i32::from(by),
        },
        From::Number(number) => From::Number(number >> (32 * u32::from(by).min(1))),
        other => other,
    };
    In { from, ..source }
}
