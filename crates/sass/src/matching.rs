//! Templates matched with what an instruction says: alternatives are tried in turn, and each says bits of the word.
//!
//! The same matching serves texts ([`parse`](crate::parse)) and instructions in memory ([`encode`](crate::encode)):
//! they are [`Cursor`]s.

use crate::field::Field;
use crate::form::Form;
use crate::inst::Marks;
use crate::kinds::Counts;
use crate::template::{Atom, Piece, Signs};

/// What is still to be matched.
pub(crate) trait Cursor: Copy {
    /// Goes over a text.
    fn text(self, wanted: &str) -> Option<Self>;
    /// Whether a text can be gone over.
    fn starts_with(self, wanted: &str) -> bool {
        self.text(wanted).is_some()
    }
    /// Goes over an operand of this kind: the number for its field, and what stands around it.
    fn atom(self, atom: &Atom) -> Option<(Self, u64, Marks)>;
    /// How many operands of each kind are surely there, and may be.
    fn kinds(self) -> (Counts, Counts);
    /// Whether everything is matched.
    fn is_at_end(self) -> bool;
}

/// The bits that an instruction says as a word of a form; nothing if it is not of the form.
pub(crate) fn bits(form: &Form, cursor: impl Cursor) -> Option<Bits> {
    let (certain, possible) = cursor.kinds();
    if !form.kinds.go_with(certain, possible) {
        return None;
    }
    let start = Bits { word: 0, known: 0 };
    pieces(&form.pieces, None, cursor, start)
}

/// The bits found so far.
#[derive(Clone, Copy)]
pub(crate) struct Bits {
    pub(crate) word: u128,
    pub(crate) known: u128,
}

impl Bits {
    /// With a field set; nothing if some of its bits are known to be others.
    fn with(self, field: Field, value: u64) -> Option<Bits> {
        if !field.fits(value) {
            return None;
        }
        self.with_bits(field.mask(), field.set(0, value))
    }

    /// With these bits of a mask set; nothing if some are known to be others.
    fn with_bits(self, mask: u128, bits: u128) -> Option<Bits> {
        let both = mask & self.known;
        ((self.word ^ bits) & both == 0).then_some(Bits {
            word: self.word | bits,
            known: self.known | mask,
        })
    }

    /// The value of a field, if all of it is known.
    fn get(self, field: Field) -> Option<u64> {
        let mask = field.mask();
        (self.known & mask == mask).then(|| field.get(self.word))
    }
}

/// What follows the pieces that are matched now.
#[derive(Clone, Copy)]
struct Then<'p> {
    pieces: &'p [Piece],
    then: Option<&'p Then<'p>>,
}

/// Matches pieces and what follows them with all that is left.
fn pieces<'p, C: Cursor>(
    mut all: &'p [Piece],
    mut then: Option<&'p Then<'p>>,
    mut cursor: C,
    mut bits: Bits,
) -> Option<Bits> {
    loop {
        let Some((first, rest)) = all.split_first() else {
            let Some(next) = then else {
                return cursor.is_at_end().then_some(bits);
            };
            (all, then) = (next.pieces, next.then);
            continue;
        };
        all = rest;
        let next = Then { pieces: rest, then };
        match first {
            Piece::Text(wanted) => cursor = cursor.text(wanted)?,
            Piece::Atom(one) => (cursor, bits) = atom(one, cursor, bits)?,
            Piece::Choice(field, choices) => {
                let mask = field.mask();
                return choices.by_length().iter().find_map(|one| {
                    if !cursor.starts_with(one.start) {
                        return None;
                    }
                    let bits = bits.with_bits(mask, one.bits)?;
                    pieces(choices.body_of(one), Some(&next), cursor, bits)
                });
            }
            Piece::If(field, values, body) => {
                let with = match cursor.starts_with(start(body)) {
                    true => values.iter().find_map(|&value| {
                        let bits = bits.with(*field, value)?;
                        pieces(body, Some(&next), cursor, bits)
                    }),
                    false => None,
                };
                let known = bits.get(*field);
                if with.is_some() || known.is_some_and(|value| values.contains(&value)) {
                    return with;
                }
            }
            Piece::Unless(field, value, body) => {
                let with = pieces(body, Some(&next), cursor, bits);
                if let Some(found) = with.filter(|found| field.get(found.word) != *value) {
                    return Some(found);
                }
                bits = bits.with(*field, *value)?;
            }
            Piece::Never => return None,
            Piece::Hidden(body) => {
                let with = pieces(body, Some(&next), cursor, bits);
                if with.is_some() {
                    return with;
                }
            }
        }
    }
}

/// The text that pieces begin with, if they begin with one.
fn start(pieces: &[Piece]) -> &'static str {
    match pieces.first() {
        Some(Piece::Text(text)) => text,
        _ => "",
    }
}

fn atom<C: Cursor>(atom: &Atom, cursor: C, bits: Bits) -> Option<(C, Bits)> {
    let (cursor, value, marks) = cursor.atom(atom)?;
    let mut bits = bits.with(atom.field, value)?;
    if atom.signs != Signs::NONE {
        for (field, mark) in atom.signs.each() {
            if let Some(field) = field {
                bits = bits.with(field, marks.has(mark).into())?;
            }
        }
    }
    Some((cursor, bits))
}
