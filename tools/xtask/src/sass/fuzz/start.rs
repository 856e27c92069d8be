//! The words that are varied: instructions that ptxas made, and plain ones of the forms that it did not use.

use crate::project::{self, Outcome};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use warpc_sass::{Control, Forms};
use warpc_target::Sm;

/// Words by opcode.
pub type Bases = BTreeMap<u16, Vec<u128>>;

/// The chips that have a file in a folder.
pub fn chips(folder: &Path) -> Vec<String> {
    let files = project::files(folder, "txt");
    files.iter().map(|file| project::stem(file)).collect()
}

/// The words of files: 32 digits at the start of a line, or 16 and 16, the low half first.
pub fn words(files: &[PathBuf]) -> Outcome<Bases> {
    let mut bases = Bases::new();
    for file in files {
        for line in project::read(file)?.lines() {
            let mut cells = line.split_whitespace();
            let first = cells.next().unwrap_or_default();
            let word = match first.len() {
                32 => u128::from_str_radix(first, 16).ok(),
                _ => halves(first, cells.next().unwrap_or_default()),
            };
            let word = word.ok_or_else(|| format!("{}: no word in `{line}`", file.display()))?;
            bases.entry((word & 0xfff) as u16).or_default().push(word);
        }
    }
    Ok(bases)
}

/// Adds a word of each form that has none: what ptxas writes where the text says nothing.
pub fn add_plain(sm: Sm, bases: &mut Bases) {
    let number = sm.number();
    for form in Forms::get().all() {
        let row = &form.row;
        if (row.first..=row.last).contains(&number) && !bases.contains_key(&row.opcode) {
            let always = 7 << 12;
            let control = Control {
                stall: 1,
                ..Control::UNSCHEDULED
            };
            let word = control.put(row.implied_bits | u128::from(row.opcode) | always);
            bases.insert(row.opcode, vec![word]);
        }
    }
}

fn halves(low: &str, high: &str) -> Option<u128> {
    let half = |text| u64::from_str_radix(text, 16).ok().map(u128::from);
    Some(half(high)? << 64 | half(low)?)
}
