//! Counts of verdicts on machine code: by door, by where the address comes from, and by chip.

use crate::asked::Target;
use crate::door::{Door, Site, Written};
use crate::report::Fate;
use crate::rules::Verdict;
use std::collections::BTreeMap;
use std::fmt;

/// How many cases had which fate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// As much as was asked.
    pub exact: usize,
    /// More.
    pub stronger: usize,
    /// Less.
    pub weaker: usize,
    /// Refused as they must be.
    pub refused: usize,
    /// Refused or compiled against what must be.
    pub wrong: usize,
}

impl Counts {
    fn all(self) -> usize {
        self.exact + self.stronger + self.weaker + self.refused + self.wrong
    }

    fn append(&mut self, other: Counts) {
        self.exact += other.exact;
        self.stronger += other.stronger;
        self.weaker += other.weaker;
        self.refused += other.refused;
        self.wrong += other.wrong;
    }
}

/// A class of faults: door, site, chip and reason.
type Class = (Door, Site, u16, String);

/// The counts, and examples of what is not right.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// By door, site and chip.
    pub counts: BTreeMap<(Door, Site, u16), Counts>,
    /// What is weaker: how many, and an example.
    pub weaker: BTreeMap<Class, (usize, String)>,
    /// What was refused or compiled against what must be.
    pub wrong: BTreeMap<Class, (usize, String)>,
    /// What is stronger, by reason.
    pub stronger: BTreeMap<&'static str, usize>,
    /// How many different kernels were judged.
    pub kernels: usize,
}

impl Tally {
    /// Counts a case; `ptx` is what it has become.
    pub fn add(&mut self, case: &Written, target: Target, fate: &Fate, ptx: &str) {
        let key = (case.door, case.site, target.sm);
        let counts = self.counts.entry(key).or_default();
        let note = |map: &mut BTreeMap<Class, (usize, String)>, reason: String| {
            let example = || {
                let asked: Vec<&str> = case.lines.lines().map(str::trim).collect();
                format!("{} -> {ptx}", asked.join("; "))
            };
            let class = (case.door, case.site, target.sm, reason);
            map.entry(class).or_insert_with(|| (0, example())).0 += 1;
        };
        match fate {
            Fate::Judged(Verdict::Equal) => counts.exact += 1,
            Fate::Judged(Verdict::Stronger(what)) => {
                counts.stronger += 1;
                *self.stronger.entry(what).or_default() += 1;
            }
            Fate::Judged(Verdict::Weaker(why)) => {
                counts.weaker += 1;
                note(&mut self.weaker, why.clone());
            }
            Fate::Refused(_) => counts.refused += 1,
            Fate::WronglyRefused(message) => {
                counts.wrong += 1;
                note(
                    &mut self.wrong,
                    format!("refused: {}", crate::report::kind(message)),
                );
            }
            Fate::WronglyCompiled(why) => {
                counts.wrong += 1;
                note(&mut self.wrong, format!("compiled, though {why}"));
            }
        }
    }

    /// Adds another.
    pub fn append(&mut self, other: Tally) {
        for (key, counts) in other.counts {
            self.counts.entry(key).or_default().append(counts);
        }
        for (mine, theirs) in [
            (&mut self.weaker, other.weaker),
            (&mut self.wrong, other.wrong),
        ] {
            for (class, (count, example)) in theirs {
                mine.entry(class).or_insert((0, example)).0 += count;
            }
        }
        for (what, count) in other.stronger {
            *self.stronger.entry(what).or_default() += count;
        }
        self.kernels += other.kernels;
    }

    /// The sum of all.
    pub fn sum(&self) -> Counts {
        let mut sum = Counts::default();
        self.counts.values().for_each(|&counts| sum.append(counts));
        sum
    }

    /// Whether nothing is weaker than asked, and nothing refused or compiled that should not be.
    pub fn is_good(&self) -> bool {
        self.weaker.is_empty() && self.wrong.is_empty()
    }

    /// What is not right, a line a class.
    pub fn findings(&self) -> String {
        let mut text = String::new();
        for (what, map) in [("weaker", &self.weaker), ("wrong", &self.wrong)] {
            for ((door, site, sm, reason), (count, example)) in map {
                text += &format!(
                    "{what} {count}: {}, {}, sm_{sm}: {reason}\n    {example}\n",
                    door.name(),
                    site.name()
                );
            }
        }
        text
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<14} {:<17} {:<7} {:>7} {:>7} {:>8} {:>7} {:>8} {:>6}",
            "door", "address", "chip", "cases", "exact", "stronger", "weaker", "refused", "wrong"
        )?;
        let row = |f: &mut fmt::Formatter<'_>, names: [&str; 3], counts: Counts| {
            writeln!(
                f,
                "{:<14} {:<17} {:<7} {:>7} {:>7} {:>8} {:>7} {:>8} {:>6}",
                names[0],
                names[1],
                names[2],
                counts.all(),
                counts.exact,
                counts.stronger,
                counts.weaker,
                counts.refused,
                counts.wrong
            )
        };
        for ((door, site, sm), &counts) in &self.counts {
            row(f, [door.name(), site.name(), &format!("sm_{sm}")], counts)?;
        }
        row(f, ["all", "", ""], self.sum())?;
        writeln!(f, "{} different kernels", self.kernels)?;
        for (what, count) in &self.stronger {
            writeln!(f, "  stronger {count}: {what}")?;
        }
        Ok(())
    }
}
