//! Numbers for places that have no symbol.

use std::collections::{HashMap, HashSet};

/// The name of the place with a number.
pub(super) fn name(number: usize) -> String {
    format!(".L_x_{number}")
}

/// Numbers of places, by section and address.
#[derive(Default)]
pub(super) struct Labels {
    numbers: HashMap<(usize, u64), usize>,
    starts: HashSet<(usize, u64)>,
    next: usize,
}

impl Labels {
    /// Says that a function starts at a place: it has a name and needs no number.
    pub(super) fn name_start(&mut self, section: usize, place: u64) {
        self.starts.insert((section, place));
    }

    /// Gives a place a number, if it has no name and no number.
    pub(super) fn number(&mut self, section: usize, place: u64) {
        if self.starts.contains(&(section, place)) {
            return;
        }
        self.numbers.entry((section, place)).or_insert_with(|| {
            self.next += 1;
            self.next - 1
        });
    }

    /// Numbers the end of a function, or a target of a branch through a register. The number is used up even where the
    /// place has one already.
    pub(super) fn take(&mut self, section: usize, place: u64) {
        self.numbers.entry((section, place)).or_insert(self.next);
        self.next += 1;
    }

    /// Uses numbers up for places that are not shown.
    pub(super) fn skip(&mut self, count: usize) {
        self.next += count;
    }

    /// The name of a place, if it has a number.
    pub(super) fn name_of(&self, section: usize, place: u64) -> Option<String> {
        self.numbers.get(&(section, place)).copied().map(name)
    }

    /// The places by section, each section's by address, with their numbers.
    pub(super) fn by_section(&self) -> HashMap<usize, Vec<(u64, usize)>> {
        let mut all: HashMap<usize, Vec<(u64, usize)>> = HashMap::new();
        for (&(section, place), &number) in &self.numbers {
            all.entry(section).or_default().push((place, number));
        }
        for places in all.values_mut() {
            places.sort_unstable();
        }
        all
    }
}
