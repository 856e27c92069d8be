//! Makes words that are almost those of known instructions.
//!
//! Each opcode gets the same number of words. First one base with each of its fields at every value (of wide fields some),
//! and each bit that no field covers flipped; then bases by chance with one to three such changes at once.

use super::start::Bases;
use std::collections::HashSet;
use warpc_sass::field::Field;
use warpc_sass::template::Piece;
use warpc_sass::{Form, Forms};
use warpc_target::Sm;
use warpc_testkit::Random;

/// A word and the fields in which it differs from its base.
pub struct Varied {
    /// The word.
    pub word: u128,
    /// The fields, in order.
    pub changed: Vec<String>,
}

/// A field of this width or less is tried with all values.
const NARROW: u32 = 5;
/// The fields of the control word, which all instructions have.
const CONTROL: [(u8, u8); 6] = [(105, 4), (109, 1), (110, 3), (113, 3), (116, 6), (122, 4)];
/// Bits that no field covers, up to the control word.
const BELOW_CONTROL: u8 = 105;

/// So many words of a chip, shared out among the opcodes of the bases.
pub fn words(sm: Sm, bases: &Bases, count: usize, seed: u64) -> Vec<Varied> {
    let mut random = Random::new(seed);
    let quota = count / bases.len().max(1);
    let mut all: Vec<Varied> = Vec::with_capacity(count);
    let mut seen = HashSet::new();
    for known in bases.values() {
        let first = all.len();
        let base = known[random.below(known.len())];
        let mut take = |word: u128, changed: Vec<String>| {
            if seen.insert(word) {
                all.push(Varied { word, changed });
            }
            all.len() - first
        };
        take(base, Vec::new());
        let Some(form) = Forms::get().of(sm, base) else {
            continue;
        };
        let fields = Fields::of(form);
        let mut systematic = fields.each(base, &mut random);
        // Not all fit: another choice for each seed.
        while systematic.len() > quota / 2 {
            systematic.swap_remove(random.below(systematic.len()));
        }
        for (word, name) in systematic {
            take(word, vec![name]);
        }
        // Some forms have few words: give up after a while.
        for _ in 0..2 * quota {
            let (mut word, mut changed) = (known[random.below(known.len())], Vec::new());
            for _ in 0..=random.below(3) {
                let name;
                (word, name) = fields.change(word, &mut random);
                changed.push(name);
            }
            changed.sort();
            changed.dedup();
            if take(word, changed) >= quota {
                break;
            }
        }
    }
    all
}

/// What can be changed in a word of a form.
struct Fields {
    /// The fields of the form.
    covered: Vec<Field>,
    /// Bits that no field covers.
    uncovered: Vec<Field>,
    /// Guard and control word.
    frame: Vec<Field>,
}

impl Fields {
    fn of(form: &Form) -> Fields {
        let mut covered = Vec::new();
        collect(form.pieces(), &mut covered);
        covered.sort_by_key(Field::to_string);
        covered.dedup();
        let bits = (0..BELOW_CONTROL).chain([126, 127]);
        let bits = bits.filter(|bit| form.covered() >> bit & 1 == 0);
        let mut frame = vec![Field::new(12, 4)];
        frame.extend(CONTROL.map(|(start, width)| Field::new(start, width)));
        Fields {
            covered,
            uncovered: bits.map(|bit| Field::new(bit, 1)).collect(),
            frame,
        }
    }

    /// Every single change, of wide fields some.
    fn each(&self, base: u128, random: &mut Random) -> Vec<(u128, String)> {
        let mut found = Vec::new();
        for field in self
            .covered
            .iter()
            .chain(&self.uncovered)
            .chain(&self.frame)
        {
            let width = field.width();
            let values: Vec<u64> = match width {
                0..=NARROW => (0..1 << width).collect(),
                _ => {
                    let old = field.get(base);
                    let flips = (0..width.min(64)).map(|bit| old ^ 1 << bit);
                    let ends = [0, 1, u64::MAX, u64::MAX - 1, random.bits()];
                    flips.chain(ends).collect()
                }
            };
            for value in values {
                found.push((field.set(base, value), field.to_string()));
            }
        }
        found
    }

    /// One change by chance.
    fn change(&self, word: u128, random: &mut Random) -> (u128, String) {
        let fields = match random.below(100) {
            0..10 if !self.uncovered.is_empty() => &self.uncovered,
            10..20 => &self.frame,
            _ if self.covered.is_empty() => &self.frame,
            _ => &self.covered,
        };
        let field = fields[random.below(fields.len())];
        let old = field.get(word);
        let value = match random.below(4) {
            0 => old ^ 1 << random.below(field.width().min(64) as usize),
            1 => [0, u64::MAX][random.below(2)],
            _ => random.bits() >> 7,
        };
        (field.set(word, value), field.to_string())
    }
}

/// The fields of pieces.
fn collect(pieces: &[Piece], into: &mut Vec<Field>) {
    for piece in pieces {
        match piece {
            Piece::Text(_) | Piece::Never => {}
            Piece::Atom(atom) => {
                into.push(atom.field);
                let signs = atom.signs.each();
                into.extend(signs.map(|(bit, _)| Field::new(bit, 1)));
            }
            Piece::Choice(field, choices) => {
                into.push(*field);
                choices.each().for_each(|body| collect(body, into));
            }
            Piece::If(field, _, body) | Piece::Unless(field, _, body) => {
                into.push(*field);
                collect(body, into);
            }
            Piece::Hidden(body) => collect(body, into),
        }
    }
}
