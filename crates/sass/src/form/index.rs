//! Where the forms of an opcode and of a name are, generation by generation: made when the crate is compiled, for a
//! program that assembles twenty instructions would take longer to make it than for those.
//!
//! ```text
//!   opcode ──► firsts ──► entries in the order of opcodes          name ──hash──► heads ──► next ──► next
//! ```

use super::{GENERATIONS, Row, UNDESCRIBED, name_of, with_digit};
use crate::table::TABLES;
use smallvec::SmallVec;

/// How many forms all generations have together.
pub(super) const COUNT: usize = count();
/// How many opcodes there can be.
const OPCODES: usize = 0x1000;
/// How many places the table of names has: a power of two, several times as many as there are names.
const PLACES: usize = 1024;
/// The end of a list.
const NONE: u16 = u16::MAX;
/// A form whose row has no operand forms.
const NO_DIGIT: u8 = u8::MAX;

/// The index of the tables.
pub(super) static INDEX: Index = Index::new();

/// A form as the tables have it: its row, and its operand form where the row has several.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    table: u8,
    digit: u8,
    row: u16,
    opcode: u16,
    /// The chips that have it.
    chips: (u16, u16),
}

impl Entry {
    fn row(self) -> &'static Row {
        &TABLES[usize::from(self.table)][usize::from(self.row)]
    }

    /// The row of the form itself.
    pub(super) fn expanded(self) -> Row {
        let row = *self.row();
        let row = match self.digit {
            NO_DIGIT => row,
            digit => with_digit(row, digit as u16),
        };
        Row {
            first: self.chips.0,
            last: self.chips.1,
            ..row
        }
    }

    /// Whether a chip has it.
    pub(super) fn is_on(self, chip: u16) -> bool {
        (self.chips.0..=self.chips.1).contains(&chip) && !UNDESCRIBED.contains(&chip)
    }
}

pub(super) struct Index {
    /// The forms of each generation, in the order of opcodes and first chips.
    entries: [Entry; COUNT],
    /// Where those of a generation begin, and where those of the last one end.
    starts: [u16; GENERATIONS.len() + 1],
    /// For each opcode the first of its forms.
    firsts: [[u16; OPCODES]; GENERATIONS.len()],
    /// For each hash of a name the first of its forms.
    heads: [[u16; PLACES]; GENERATIONS.len()],
    /// The next form whose name has the same hash.
    next: [u16; COUNT],
}

impl Index {
    const fn new() -> Index {
        let none = Entry {
            table: 0,
            digit: NO_DIGIT,
            row: 0,
            opcode: 0,
            chips: (0, 0),
        };
        let mut index = Index {
            entries: [none; COUNT],
            starts: [0; GENERATIONS.len() + 1],
            firsts: [[NONE; OPCODES]; GENERATIONS.len()],
            heads: [[NONE; PLACES]; GENERATIONS.len()],
            next: [NONE; COUNT],
        };
        let (mut number, mut count) = (0, 0);
        while number < GENERATIONS.len() {
            let (start, unsorted) = (count, count);
            let mut sorted = [none; COUNT];
            count = add(&mut sorted, unsorted, GENERATIONS[number]);
            // Where the forms of each opcode are among those of all.
            let mut free = [0; OPCODES];
            let mut at = start;
            while at < count {
                free[sorted[at].opcode as usize] += 1;
                at += 1;
            }
            let (mut opcode, mut sum) = (0, start);
            while opcode < OPCODES {
                if free[opcode] > 0 {
                    index.firsts[number][opcode] = sum as u16;
                }
                let own = free[opcode];
                free[opcode] = sum;
                sum += own;
                opcode += 1;
            }
            let mut at = start;
            while at < count {
                let entry = sorted[at];
                let opcode = entry.opcode as usize;
                // A few forms have an opcode: each goes before those of later chips.
                let mut place = free[opcode];
                while place > index.firsts[number][opcode] as usize
                    && index.entries[place - 1].chips.0 > entry.chips.0
                {
                    index.entries[place] = index.entries[place - 1];
                    place -= 1;
                }
                index.entries[place] = entry;
                free[opcode] += 1;
                at += 1;
            }
            // The last one first, so that each list has them in order.
            let mut at = count;
            while at > start {
                at -= 1;
                let entry = index.entries[at];
                let name = TABLES[entry.table as usize][entry.row as usize].template;
                let head = &mut index.heads[number][hash(name)];
                index.next[at] = *head;
                *head = at as u16;
            }
            number += 1;
            index.starts[number] = count as u16;
        }
        index
    }

    /// A form by its number.
    pub(super) fn entry(&self, at: u16) -> Entry {
        self.entries[usize::from(at)]
    }

    /// The number of the generation of a chip.
    fn generation(chip: u16) -> usize {
        let found = GENERATIONS.iter().position(|(_, last)| chip <= *last);
        found.unwrap_or(0)
    }

    /// The forms of an opcode in the generation of a chip.
    pub(super) fn with_opcode(&'static self, chip: u16, opcode: u16) -> impl Iterator<Item = u16> {
        let number = Index::generation(chip);
        let first = self.firsts[number][usize::from(opcode)];
        let end = match first {
            NONE => NONE,
            _ => self.starts[number + 1],
        };
        (first..end).take_while(move |at| self.entry(*at).opcode == opcode)
    }

    /// The forms of a name in the generation of a chip.
    pub(super) fn named(&self, chip: u16, name: &str) -> SmallVec<[u16; 16]> {
        let mut at = self.heads[Index::generation(chip)][hash(name)];
        let mut all = SmallVec::new();
        while at != NONE {
            if name_of(self.entry(at).row().template) == name {
                all.push(at);
            }
            at = self.next[usize::from(at)];
        }
        all
    }

    /// The forms that have a field in their name, in the generation of a chip.
    pub(super) fn varied(&self, chip: u16) -> SmallVec<[u16; 16]> {
        let number = Index::generation(chip);
        let all = self.starts[number]..self.starts[number + 1];
        let is_varied = |at: &u16| {
            let template = self.entry(*at).row().template;
            template[name_of(template).len()..].starts_with('<')
        };
        all.filter(is_varied).collect()
    }
}

/// Adds the forms of a generation, in the order of the tables; how many there are then.
const fn add(entries: &mut [Entry], mut count: usize, generation: (u16, u16)) -> usize {
    let mut table = 0;
    while table < TABLES.len() {
        let mut number = 0;
        while number < TABLES[table].len() {
            let row = TABLES[table][number];
            let digits = row.forms.as_bytes();
            let mut at = 0;
            while at == 0 || at < digits.len() {
                let (whole, digit) = match digits.is_empty() {
                    true => (row, NO_DIGIT),
                    false => {
                        let digit = hex(digits[at]);
                        (with_digit(row, digit as u16), digit)
                    }
                };
                let first = larger(whole.first, generation.0);
                let last = smaller(whole.last, generation.1);
                if first <= last {
                    if count < entries.len() {
                        entries[count] = Entry {
                            table: table as u8,
                            digit,
                            row: number as u16,
                            opcode: whole.opcode & 0xfff,
                            chips: (first, last),
                        };
                    }
                    count += 1;
                }
                at += 1;
            }
            number += 1;
        }
        table += 1;
    }
    count
}

const fn count() -> usize {
    let (mut number, mut count) = (0, 0);
    while number < GENERATIONS.len() {
        count = add(&mut [], count, GENERATIONS[number]);
        number += 1;
    }
    count
}

const fn hex(digit: u8) -> u8 {
    match digit {
        b'0'..=b'9' => digit - b'0',
        _ => digit - b'a' + 10,
    }
}

const fn larger(a: u16, b: u16) -> u16 {
    if a > b { a } else { b }
}

const fn smaller(a: u16, b: u16) -> u16 {
    if a < b { a } else { b }
}

/// The hash of the name that a text begins with.
const fn hash(text: &str) -> usize {
    let text = text.as_bytes();
    let mut hash: u32 = 0x811c_9dc5;
    let mut at = 0;
    while at < text.len() && (text[at].is_ascii_alphanumeric() || text[at] == b'_') {
        hash = (hash ^ text[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    (hash ^ hash >> 15) as usize % PLACES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_found_by_its_opcode_and_by_its_name() {
        for (number, generation) in GENERATIONS.iter().enumerate() {
            let chip = generation.0;
            for at in INDEX.starts[number]..INDEX.starts[number + 1] {
                let entry = INDEX.entry(at);
                let name = name_of(entry.row().template);
                assert!(INDEX.with_opcode(chip, entry.opcode).any(|one| one == at));
                assert!(INDEX.named(chip, name).contains(&at), "{name}");
            }
        }
        assert!(INDEX.named(90, "NOTHING").is_empty());
        assert_eq!(INDEX.with_opcode(90, 0).count(), 0);
    }

    #[test]
    fn forms_are_in_the_order_of_opcodes_and_chips() {
        for number in 0..GENERATIONS.len() {
            let range = INDEX.starts[number]..INDEX.starts[number + 1];
            let keys = range.map(|at| (INDEX.entry(at).opcode, INDEX.entry(at).chips.0));
            assert!(keys.is_sorted());
        }
    }
}
