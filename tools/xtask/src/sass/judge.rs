//! Our texts and words against nvdisasm's and ptxas's.

use crate::oracle::Tools;
use crate::project::Outcome;
use crate::same_code::text_sections;
use crate::sass::cubins::Made;
use crate::sass::nvdisasm;
use std::collections::{BTreeMap, HashMap};

use warpc_sass::{Control, parse, print};
use warpc_target::Sm;

/// The head of the table of [`Found::line`]s.
pub const HEADER: &str = "\
| chip | sources | of these PTX by warpc | other builds | instructions | different ones | alike | unknown | misread | back to the same bits |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|";

/// How an instruction did.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fate {
    /// Our text is nvdisasm's, and the word comes back from it.
    Good,
    /// We have no text.
    Unknown,
    /// Our text is another.
    Misread,
    /// Another word comes back, or none.
    Lost,
}

/// An instruction that is not good.
pub struct Bad {
    word: u128,
    count: usize,
    fate: Fate,
    theirs: String,
    ours: String,
}

/// What was found for a chip.
pub struct Found {
    chip: String,
    sources: usize,
    compiled: usize,
    builds: usize,
    instructions: usize,
    bad: Vec<Bad>,
    /// All different instructions with nvdisasm's texts.
    pub words: Vec<(u128, String)>,
}

/// All instructions in cubins, with how often each occurs.
pub fn words(made: &[Made]) -> Outcome<HashMap<u128, usize>> {
    let mut counts: HashMap<u128, usize> = HashMap::new();
    for one in made {
        let bytes = std::fs::read(&one.file)
            .map_err(|e| format!("cannot read {}: {e}", one.file.display()))?;
        let sections = text_sections(&bytes);
        let sections =
            sections.ok_or_else(|| format!("what ptxas made of {} is not a cubin", one.name))?;
        for code in sections.values() {
            let (words, _) = code.as_chunks::<16>();
            for word in words {
                *counts.entry(u128::from_le_bytes(*word)).or_default() += 1;
            }
        }
    }
    Ok(counts)
}

/// Judges the cubins of a chip.
pub fn judge(tools: &Tools, chip: &str, made: &[Made]) -> Outcome<Found> {
    let sm: Sm = chip.parse().map_err(|_| format!("{chip} is not a chip"))?;
    let counts = words(made)?;
    let mut all: Vec<u128> = counts.keys().copied().collect();
    all.sort_unstable();
    let texts = nvdisasm::texts(tools, chip, &all)?;
    let mut bad = Vec::new();
    let mut words = Vec::with_capacity(all.len());
    for (at, (&word, theirs)) in all.iter().zip(texts).enumerate() {
        let theirs =
            theirs.ok_or_else(|| format!("nvdisasm does not know {word:032x} of {chip}"))?;
        let (fate, ours) = compare(sm, word, at as u64 * 16, &theirs);
        if fate != Fate::Good {
            let count = counts[&word];
            let theirs = theirs.clone();
            bad.push(Bad {
                word,
                count,
                fate,
                theirs,
                ours,
            });
        }
        words.push((word, theirs));
    }
    let usual = made.iter().filter(|one| one.variant.is_empty());
    let builds = made.iter().filter(|one| !one.variant.is_empty()).count();
    Ok(Found {
        chip: chip.into(),
        sources: made.len() - builds,
        compiled: usual.filter(|one| one.compiled).count(),
        builds,
        instructions: counts.values().sum(),
        bad,
        words,
    })
}

/// How we do on a word at an address, and what we say.
pub fn compare(sm: Sm, word: u128, address: u64, theirs: &str) -> (Fate, String) {
    let place = address;
    let Some(ours) = print::text(sm, word, place) else {
        return (Fate::Unknown, "unknown".into());
    };
    if ours.trim_end() != theirs {
        return (Fate::Misread, ours);
    }
    let full = print::full_text(sm, word, place).unwrap_or_default();
    match parse::word(sm, &full, Control::of(word), place) {
        Some(back) if back == word => (Fate::Good, ours),
        Some(back) => (Fate::Lost, format!("{full} comes back as {back:032x}")),
        None => (Fate::Lost, format!("{full} does not come back")),
    }
}

impl Found {
    /// How many instructions had a fate, each counted as often as it occurs.
    fn count(&self, fate: Fate) -> usize {
        let bad = self.bad.iter().filter(|one| one.fate == fate);
        bad.map(|one| one.count).sum()
    }

    /// How many different instructions are misread or come back as others.
    pub fn wrong(&self) -> usize {
        self.wrong_ones().len()
    }

    /// How many different instructions are good.
    pub fn good(&self) -> usize {
        self.words.len() - self.bad.len()
    }

    /// A message for each instruction that is misread or comes back as another.
    pub fn wrong_ones(&self) -> Vec<String> {
        let wrong = |one: &&Bad| one.fate != Fate::Unknown;
        let message = |one: &Bad| {
            let Bad {
                word,
                fate,
                theirs,
                ours,
                ..
            } = one;
            format!(
                "{} {fate:?} {word:032x}: {theirs} is to us {ours}",
                self.chip
            )
        };
        self.bad.iter().filter(wrong).map(message).collect()
    }

    /// A row of the table.
    pub fn line(&self) -> String {
        let (unknown, misread) = (self.count(Fate::Unknown), self.count(Fate::Misread));
        let share = |n: usize| match n == self.instructions {
            true => "100 %".to_owned(),
            false => format!(
                "{:.3} %",
                (n as f64 / self.instructions as f64 * 1e5).floor() / 1e3
            ),
        };
        let alike = self.instructions - unknown - misread;
        let back = alike - self.count(Fate::Lost);
        format!(
            "| {} | {} | {} | {} | {} | {} | {} | {unknown} | {misread} | {} |",
            self.chip,
            self.sources,
            self.compiled,
            self.builds,
            self.instructions,
            self.words.len(),
            share(alike),
            share(back),
        )
    }

    /// What is not good, an example for each opcode and fate, the frequent ones first.
    pub fn examples(&self, most: usize) -> Vec<String> {
        let mut groups: BTreeMap<(Fate, u16), Vec<&Bad>> = BTreeMap::new();
        for one in &self.bad {
            groups
                .entry((one.fate, (one.word & 0xfff) as u16))
                .or_default()
                .push(one);
        }
        let mut groups: Vec<_> = groups.into_iter().collect();
        groups.sort_by_key(|(_, all)| std::cmp::Reverse(all.len()));
        let left_out = groups.len().saturating_sub(most);
        let mut lines: Vec<String> = groups
            .iter()
            .take(most)
            .map(|((fate, opcode), all)| {
                let one = all[0];
                format!(
                    "  {:?} {opcode:03x}: {} different ones, as {:032x}\n      nvdisasm: {}\n      ours:     {}",
                    fate,
                    all.len(),
                    one.word,
                    one.theirs,
                    one.ours
                )
            })
            .collect();
        if left_out > 0 {
            lines.push(format!("  and {left_out} other opcodes"));
        }
        lines
    }
}
