//! Counts of verdicts.

use crate::asked::{Case, Target};
use crate::ir;
use crate::rules::Verdict;
use std::collections::BTreeMap;
use std::fmt;

/// What became of a case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fate {
    /// It was compiled, and judged.
    Judged(Verdict),
    /// It was refused, as it must be.
    Refused(&'static str),
    /// It was refused and must not be: the message.
    WronglyRefused(String),
    /// It was compiled and must not be.
    WronglyCompiled(&'static str),
}

/// How many cases had which fate.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// All cases.
    pub cases: usize,
    /// As the order table says.
    pub equal: usize,
    /// Stronger than that, by reason: how many, and an example.
    pub stronger: BTreeMap<String, (usize, String)>,
    /// Weaker, likewise.
    pub weaker: BTreeMap<String, (usize, String)>,
    /// Refused as they must be, by reason.
    pub refused: BTreeMap<&'static str, usize>,
    /// Refused or compiled against what must be, likewise.
    pub wrong: BTreeMap<String, (usize, String)>,
}

impl Report {
    /// Counts a case.
    pub fn add(&mut self, case: &Case, target: Target, fate: Fate) {
        self.cases += 1;
        let note = |map: &mut BTreeMap<String, (usize, String)>, reason: String| {
            let example = || format!("{target}: {}", ir::instruction(case));
            map.entry(reason).or_insert_with(|| (0, example())).0 += 1;
        };
        match fate {
            Fate::Judged(Verdict::Equal) => self.equal += 1,
            Fate::Judged(Verdict::Stronger(what)) => note(&mut self.stronger, what.to_owned()),
            Fate::Judged(Verdict::Weaker(reason)) => note(&mut self.weaker, reason),
            Fate::Refused(reason) => *self.refused.entry(reason).or_default() += 1,
            Fate::WronglyRefused(message) => {
                note(&mut self.wrong, format!("refused: {}", kind(&message)));
            }
            Fate::WronglyCompiled(reason) => {
                note(&mut self.wrong, format!("compiled, though {reason}"));
            }
        }
    }

    /// Adds another report.
    pub fn append(&mut self, other: Report) {
        let join = |map: &mut BTreeMap<String, (usize, String)>, other| {
            for (reason, (count, example)) in other {
                let example = |count| (count, example);
                map.entry(reason).or_insert_with(|| example(0)).0 += count;
            }
        };
        self.cases += other.cases;
        self.equal += other.equal;
        join(&mut self.stronger, other.stronger);
        join(&mut self.weaker, other.weaker);
        join(&mut self.wrong, other.wrong);
        for (reason, count) in other.refused {
            *self.refused.entry(reason).or_default() += count;
        }
    }

    /// How many are stronger than the order table says.
    pub fn stronger_count(&self) -> usize {
        sum(&self.stronger)
    }

    /// How many are weaker than asked.
    pub fn weaker_count(&self) -> usize {
        sum(&self.weaker)
    }

    /// How many were refused or compiled against what must be.
    pub fn wrong_count(&self) -> usize {
        sum(&self.wrong)
    }

    /// How many were refused as they must be.
    pub fn refused_count(&self) -> usize {
        self.refused.values().sum()
    }

    /// Whether nothing is weaker than asked, and nothing refused or compiled that should not be.
    pub fn is_good(&self) -> bool {
        self.weaker.is_empty() && self.wrong.is_empty()
    }
}

fn sum(map: &BTreeMap<String, (usize, String)>) -> usize {
    map.values().map(|(count, _)| count).sum()
}

/// A message without what it quotes: messages of one kind are equal.
pub(crate) fn kind(message: &str) -> String {
    let outside = |(place, part): (usize, &str)| match place % 2 {
        0 => part.to_owned(),
        _ => "`…`".to_owned(),
    };
    message.split('`').enumerate().map(outside).collect()
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} cases: {} as the table says, {} stronger, {} weaker, {} refused, {} wrongly refused or compiled",
            self.cases,
            self.equal,
            self.stronger_count(),
            self.weaker_count(),
            self.refused_count(),
            self.wrong_count()
        )?;
        for (reason, count) in &self.refused {
            writeln!(f, "  refused {count}: {reason}")?;
        }
        for (what, map) in [
            ("stronger", &self.stronger),
            ("weaker", &self.weaker),
            ("wrong", &self.wrong),
        ] {
            for (reason, (count, example)) in map {
                writeln!(f, "  {what} {count}: {reason}\n      {example}")?;
            }
        }
        Ok(())
    }
}
