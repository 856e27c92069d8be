//! The search for the version of a kernel that the cost model takes for the fastest (`Options::tune`).
//!
//! ```text
//!   usual version ──► cost ──┐
//!   one thing changed ──► cost ──► better? it is what the next change is made to  ──► the best one is assembled
//! ```
//!
//! One choice after the other is tried with all its alternatives, and the best one stays before the next choice is looked at:
//! unrolling, what registers may cost, sides of branches, the number of registers, passes left out; and unrolling again, if
//! anything changed. How many versions are tried depends on nothing but the kernel, so that the result is the same on every
//! machine; a kernel that is large has fewer. The usual version stays unless another one is better by a little (`MARGIN`).
//!
//! How often loops are repeated is not known, but how the repetitions of a loop are shared by its unrolled copies and what is left
//! is ([`Repeats`]): so versions with different copies are compared for the same number of rounds each time that a loop is
//! entered, for [a few, some and many](ROUNDS) if it is not a constant. A version is taken only if it is slower than the usual one for
//! none of these, and if it does not spill more.
//!
//! The model does not know which branches part a warp, so no version has more of them than the usual one.

use crate::check::flow::Flow;
use crate::check::{Assembled, Code, Indirect};
use crate::cost::Cost;
use crate::version::{Order, Sides, Unrolling, Version};
use std::collections::BTreeMap;
use warpc_sass::Inst;
use warpc_target::Sm;

/// Instructions that are assembled for all versions of a kernel together.
const MOST_INSTRUCTIONS: usize = 400_000;
/// The most versions of a kernel.
const MOST_VERSIONS: usize = 40;
/// How much better a version must be by the model: differences that are smaller mean nothing.
const MARGIN: f64 = 0.995;
/// The rounds of a loop for which versions are compared.
pub const ROUNDS: [u32; 3] = [3, 18, 101];

/// Numbers of registers that leave room for one more block of warps: what a quarter of a multiprocessor holds 16, 12, 10, 8, 7, 6, 5
/// and 4 warps of.
const STEPS: [u8; 8] = [32, 40, 48, 64, 72, 80, 96, 128];
/// How many of them are tried.
const FEWER: usize = 3;

/// Passes that may cost more than they bring: those that move instructions, make values live for longer, or take another pipe.
/// What the model cannot see (memory traffic, contention, convergence) is not left out by it.
const DOUBTFUL: [&str; 7] = [
    "opt_hoist",
    "sink_values",
    "sink_constants",
    "opt_uniform",
    "opt_gvn",
    "opt_fuse",
    "schedule_latency",
];

/// How often a loop is repeated, as far as the pass knows that made it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Repeats {
    /// Nothing is known.
    #[default]
    Unknown,
    /// A constant number of rounds.
    Rounds(u32),
    /// Each repetition does so many rounds of the loop that it was made of.
    Copies(u32),
    /// It does what is left by so many copies.
    Rest(u32),
}

impl Repeats {
    /// How often that is, if the loop has so many rounds where nobody knows better.
    pub fn trips(self, rounds: u32) -> f64 {
        f64::from(match self {
            Repeats::Unknown => rounds,
            Repeats::Rounds(rounds) => rounds,
            Repeats::Copies(copies) => rounds / copies.max(1),
            Repeats::Rest(copies) => rounds % copies.max(1),
        })
    }
}

/// A version of a kernel as far as it is needed to compare it.
pub(crate) struct Trial {
    /// The finished instructions.
    pub(crate) insts: Vec<Inst>,
    /// Where calls by addresses go.
    pub(crate) indirect: Vec<Indirect>,
    /// For each loop that a pass knows of the number of its first instruction.
    pub(crate) repeats: BTreeMap<usize, Repeats>,
    /// Whether the registers of a thread change while it runs.
    pub(crate) changes_registers: bool,
    /// Loads and stores of values that have no register.
    pub(crate) spills: u32,
}

/// What a version is compared by.
#[derive(Clone, Copy)]
struct Score {
    /// Cycles for each number of rounds.
    cycles: [f64; ROUNDS.len()],
    registers: u32,
    spills: u32,
}

impl Score {
    /// The cycles for all numbers of rounds, which count alike.
    fn all(&self) -> f64 {
        self.cycles.iter().product::<f64>().cbrt()
    }

    /// Whether it costs no more than another one.
    fn is_no_worse(&self, other: &Score) -> bool {
        let mut each = self.cycles.iter().zip(&other.cycles);
        self.spills <= other.spills && each.all(|(own, other)| own <= other)
    }
}

impl Trial {
    fn score(&self, chip: Sm) -> Option<Score> {
        let code = Code {
            chip,
            insts: &self.insts,
            entries: &[0],
            indirect: &self.indirect,
            spills: &[],
        };
        let (cycles, registers) = cost(&code, &self.repeats)?;
        Some(Score {
            cycles,
            registers,
            spills: self.spills,
        })
    }
}

/// Cycles for each number of rounds and registers of code, with what is known of its loops.
fn cost(code: &Code, repeats: &BTreeMap<usize, Repeats>) -> Option<([f64; ROUNDS.len()], u32)> {
    let flow = Flow::of(code);
    let cost = Cost::of(code, &flow)?;
    let cycles = ROUNDS.map(|rounds| {
        cost.cycles(|own| {
            let start = flow.blocks[own.header].start;
            let known = repeats.get(&start).copied();
            known.unwrap_or_default().trips(rounds)
        })
    });
    Some((cycles, cost.registers))
}

/// For the loops of code that passes know of, by their first instructions: those of the functions of a section, each with how
/// many instructions it has.
pub(crate) fn repeats_of<'a>(
    functions: impl Iterator<Item = (usize, &'a [u32], &'a [Repeats])>,
) -> BTreeMap<usize, Repeats> {
    let mut all = BTreeMap::new();
    let mut first = 0;
    for (insts, starts, repeats) in functions {
        let known = starts.iter().zip(repeats);
        let known = known.filter(|(_, repeats)| **repeats != Repeats::Unknown);
        all.extend(known.map(|(start, repeats)| (first + *start as usize, *repeats)));
        first += insts;
    }
    all
}

/// Cycles of a kernel by the model, for each number of [`ROUNDS`]: by these versions of it are compared. Nothing if the chip is
/// unknown.
pub fn cycles(kernel: &Assembled) -> Option<[f64; ROUNDS.len()]> {
    let parts = kernel.parts.iter();
    let functions = parts.map(|part| (part.origins.len(), &part.starts[..], &part.repeats[..]));
    let code = Code {
        chip: kernel.chip,
        insts: &kernel.insts,
        entries: &[0],
        indirect: &kernel.indirect,
        spills: &[],
    };
    Some(cost(&code, &repeats_of(functions))?.0)
}

/// Finds the version; `assemble` makes the code of one, or nothing if it cannot be made.
pub(crate) fn best(chip: Sm, mut assemble: impl FnMut(&Version) -> Option<Trial>) -> Version {
    let usual = Version::default();
    let Some(first) = assemble(&usual) else {
        return usual;
    };
    let Some(score) = first.score(chip) else {
        return usual;
    };
    let size = first.insts.len().max(1);
    let mut search = Search {
        chip,
        assemble,
        usual: score,
        best: (usual, score),
        known: vec![usual],
        left: (MOST_INSTRUCTIONS / size).min(MOST_VERSIONS),
    };
    search.unrolling();
    search.each([Order::Fast, Order::Few], |order, own| {
        Some(Version { order, ..own })
    });
    search.each([Sides::LONG], |sides, own| Some(Version { sides, ..own }));
    if !first.changes_registers {
        let registers = search.best.1.registers;
        let fewer = STEPS.into_iter().rev();
        let fewer = fewer.filter(|step| u32::from(*step) < registers);
        search.each(fewer.take(FEWER).collect::<Vec<_>>(), |registers, own| {
            Some(Version {
                registers: Some(registers),
                ..own
            })
        });
    }
    for pass in DOUBTFUL {
        search.each([pass], |pass, own| own.without(pass));
    }
    if search.best.0 != usual {
        search.unrolling();
    }
    search.best.0
}

struct Search<F> {
    chip: Sm,
    assemble: F,
    usual: Score,
    best: (Version, Score),
    known: Vec<Version>,
    /// How many versions may still be tried.
    left: usize,
}

impl<F: FnMut(&Version) -> Option<Trial>> Search<F> {
    /// Tries the best version with each of these choices; the best of them stays.
    fn each<T>(
        &mut self,
        choices: impl IntoIterator<Item = T>,
        change: impl Fn(T, Version) -> Option<Version>,
    ) {
        let base = self.best.0;
        for choice in choices {
            let Some(version) = change(choice, base) else {
                continue;
            };
            if self.left == 0 || self.known.contains(&version) {
                continue;
            }
            self.left -= 1;
            self.known.push(version);
            let trial = (self.assemble)(&version);
            let Some(score) = trial.and_then(|trial| trial.score(self.chip)) else {
                continue;
            };
            if score.is_no_worse(&self.usual) && score.all() < MARGIN * self.best.1.all() {
                self.best = (version, score);
            }
        }
    }

    fn unrolling(&mut self) {
        let all = [
            Unrolling::NEVER,
            Unrolling::TWO,
            Unrolling::LONG,
            Unrolling::EIGHT,
            Unrolling::default(),
        ];
        self.each(all, |unrolling, own| Some(Version { unrolling, ..own }));
    }
}
