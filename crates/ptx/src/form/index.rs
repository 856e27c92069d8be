//! Where the rows of an opcode are, and how many modifiers each takes: made when the crate is compiled.
//!
//! ```text
//!   "atom" ──hash──► heads ──► groups: the part of `order` that has its forms, in table order
//! ```

use super::FormId;
use crate::row::Row;
use crate::table::SECTIONS;

/// How many rows there are.
pub(super) const COUNT: usize = count();
/// How many places the table of opcodes has: a power of two, several times as many as there are opcodes.
const PLACES: usize = 1024;
/// More than there are opcodes.
const MOST_OPCODES: usize = 400;

/// The index of the tables.
pub(super) static INDEX: Index = Index::new();

pub(super) struct Index {
    /// The number of the first row of each section.
    starts: [u16; SECTIONS.len()],
    /// All forms, those of an opcode together.
    order: [FormId; COUNT],
    /// For each opcode where its forms begin in `order`, and how many they are.
    groups: [(u16, u16); MOST_OPCODES],
    opcodes: u16,
    /// For each hash the number of an opcode, and one; zero for none. Opcodes with the same hash are in the next places.
    heads: [u16; PLACES],
    /// For each row the least and the most modifiers that it takes.
    modifiers: [(u8, u8); COUNT],
}

impl Index {
    const fn new() -> Index {
        let mut index = Index {
            starts: [0; SECTIONS.len()],
            order: [FormId(0); COUNT],
            groups: [(0, 0); MOST_OPCODES],
            opcodes: 0,
            heads: [0; PLACES],
            modifiers: [(0, 0); COUNT],
        };
        let mut first_row: [&str; MOST_OPCODES] = [""; MOST_OPCODES];
        let mut group_of = [0; COUNT];
        let (mut section, mut number) = (0, 0);
        while section < SECTIONS.len() {
            index.starts[section] = number as u16;
            let mut row = 0;
            while row < SECTIONS[section].rows.len() {
                let syntax = SECTIONS[section].rows[row].syntax.as_bytes();
                index.modifiers[number] = modifiers(syntax);
                let opcode = syntax.split_at(opcode_end(syntax)).0;
                let mut place = hash(opcode);
                while index.heads[place] != 0
                    && !is_opcode_of(first_row[index.heads[place] as usize - 1], opcode)
                {
                    place = (place + 1) % PLACES;
                }
                if index.heads[place] == 0 {
                    first_row[index.opcodes as usize] = SECTIONS[section].rows[row].syntax;
                    index.opcodes += 1;
                    index.heads[place] = index.opcodes;
                }
                let group = index.heads[place] as usize - 1;
                group_of[number] = group;
                index.groups[group].1 += 1;
                number += 1;
                row += 1;
            }
            section += 1;
        }
        let mut group = 1;
        while group < index.opcodes as usize {
            index.groups[group].0 = index.groups[group - 1].0 + index.groups[group - 1].1;
            group += 1;
        }
        let mut placed = [0; MOST_OPCODES];
        let mut number = 0;
        while number < COUNT {
            let group = group_of[number];
            index.order[index.groups[group].0 as usize + placed[group]] = FormId(number as u16);
            placed[group] += 1;
            number += 1;
        }
        index
    }

    /// The row of a form.
    pub(super) fn row(&self, form: FormId) -> &'static Row {
        let section = self.starts.partition_point(|start| *start <= form.0) - 1;
        &SECTIONS[section].rows[usize::from(form.0 - self.starts[section])]
    }

    /// The forms of an opcode, in table order.
    pub(super) fn forms_of(&'static self, opcode: &str) -> &'static [FormId] {
        let mut place = hash(opcode.as_bytes());
        loop {
            let Some(group) = usize::from(self.heads[place]).checked_sub(1) else {
                return &[];
            };
            let forms = self.group(group);
            if self.row(forms[0]).opcode() == opcode {
                return forms;
            }
            place = (place + 1) % PLACES;
        }
    }

    /// Every opcode.
    pub(super) fn opcodes(&'static self) -> impl Iterator<Item = &'static str> {
        let groups = (0..usize::from(self.opcodes)).map(|group| self.group(group));
        groups.map(|forms| self.row(forms[0]).opcode())
    }

    /// Whether a form can have so many modifiers.
    pub(super) fn may_have(&self, form: FormId, count: usize) -> bool {
        let (least, most) = self.modifiers[usize::from(form.0)];
        (usize::from(least)..=usize::from(most)).contains(&count)
    }

    fn group(&self, number: usize) -> &[FormId] {
        let (start, count) = self.groups[number];
        &self.order[usize::from(start)..][..usize::from(count)]
    }
}

const fn count() -> usize {
    let (mut section, mut count) = (0, 0);
    while section < SECTIONS.len() {
        count += SECTIONS[section].rows.len();
        section += 1;
    }
    count
}

/// The end of the opcode in a syntax line.
const fn opcode_end(syntax: &[u8]) -> usize {
    let mut at = 0;
    while at < syntax.len() && !matches!(syntax[at], b'.' | b'{' | b' ') {
        at += 1;
    }
    at
}

const fn is_opcode_of(syntax: &str, opcode: &[u8]) -> bool {
    let syntax = syntax.as_bytes();
    if opcode_end(syntax) != opcode.len() {
        return false;
    }
    let mut at = 0;
    while at < opcode.len() {
        if syntax[at] != opcode[at] {
            return false;
        }
        at += 1;
    }
    true
}

const fn hash(opcode: &[u8]) -> usize {
    let mut hash: u32 = 0x811c_9dc5;
    let mut at = 0;
    while at < opcode.len() {
        hash = (hash ^ opcode[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    (hash ^ hash >> 15) as usize % PLACES
}

/// The least and the most modifiers of a syntax line: each point is one, and those in braces may be left out.
const fn modifiers(syntax: &[u8]) -> (u8, u8) {
    let (mut least, mut most) = (0, 0);
    let mut optional = false;
    let mut at = 0;
    while at < syntax.len() && syntax[at] != b' ' {
        match syntax[at] {
            b'{' => optional = true,
            b'}' => optional = false,
            b'.' => {
                most += 1;
                least += !optional as u8;
            }
            _ => {}
        }
        at += 1;
    }
    (least, most)
}

#[cfg(test)]
mod tests {
    use super::super::{all_forms, forms_of, opcodes};
    use super::*;

    #[test]
    fn every_form_is_found_by_its_opcode() {
        for id in all_forms() {
            assert!(forms_of(id.row().opcode()).contains(&id));
        }
        let found: usize = opcodes().into_iter().map(|one| forms_of(one).len()).sum();
        assert_eq!(found, COUNT);
        assert!(forms_of("nothing").is_empty());
        assert!(forms_of("").is_empty());
    }

    #[test]
    fn modifiers_are_counted_as_slots_are_made() {
        for id in all_forms() {
            let slots = id.slots();
            let least = slots.iter().filter(|slot| !slot.optional).count();
            let counted = INDEX.modifiers[usize::from(id.0)];
            assert_eq!(
                counted,
                (least as u8, slots.len() as u8),
                "{}",
                id.row().syntax
            );
        }
    }
}
