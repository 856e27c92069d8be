//! Many programs: what became of them, in numbers.

use crate::draft::{self, Choices};
use crate::judge::{Fault, Verdict, WAYS, judge};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// What became of programs.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// Programs that leave the same bytes in every way.
    pub same: usize,
    /// Cubins that were run.
    pub cubins: usize,
    /// Programs that are refused, by reason.
    pub refused: BTreeMap<String, usize>,
    /// Seeds whose program is at fault itself, and why.
    pub invalid: Vec<(u64, String)>,
    /// Seeds with a fault.
    pub wrong: Vec<(u64, Fault)>,
}

impl Survey {
    /// Judges so many programs, from a seed on, in several threads. `seen` gets the verdict of each.
    pub fn run(
        first: u64,
        count: u64,
        jobs: usize,
        choices: Choices,
        seen: &(dyn Fn(u64, &Verdict) + Sync),
    ) -> Survey {
        let next = AtomicU64::new(0);
        let all = Mutex::new(Survey::default());
        std::thread::scope(|scope| {
            for _ in 0..jobs.max(1) {
                scope.spawn(|| {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= count {
                            break;
                        }
                        let seed = first + number;
                        let verdict = judge(&draft::program(seed, choices).case(), &WAYS);
                        seen(seed, &verdict);
                        if let Ok(mut all) = all.lock() {
                            all.add(seed, verdict);
                        }
                    }
                });
            }
        });
        let mut all = all
            .into_inner()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        all.wrong.sort_by_key(|(seed, _)| *seed);
        all.invalid.sort();
        all
    }

    fn add(&mut self, seed: u64, verdict: Verdict) {
        match verdict {
            Verdict::Same(cubins) => {
                self.same += 1;
                self.cubins += cubins;
            }
            Verdict::Refused(why) => *self.refused.entry(why).or_default() += 1,
            Verdict::Invalid(why) => self.invalid.push((seed, why)),
            Verdict::Wrong(fault) => self.wrong.push((seed, fault)),
        }
    }

    /// How many programs are refused.
    pub fn refusals(&self) -> usize {
        self.refused.values().sum()
    }

    /// The numbers in a few lines.
    pub fn summary(&self) -> String {
        let mut lines = vec![format!(
            "{} programs leave the same bytes ({} cubins), {} refused, {} invalid, {} wrong",
            self.same,
            self.cubins,
            self.refusals(),
            self.invalid.len(),
            self.wrong.len()
        )];
        for (why, count) in &self.refused {
            lines.push(format!("  refused {count}: {why}"));
        }
        for (seed, why) in &self.invalid {
            lines.push(format!("  invalid {seed}: {why}"));
        }
        for (seed, fault) in &self.wrong {
            let Fault { way, kind, what } = fault;
            lines.push(format!("  wrong {seed} ({way}, {kind}): {what}"));
        }
        lines.join("\n")
    }
}
