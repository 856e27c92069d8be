//! Templates matched with what an instruction says: alternatives are tried in turn, and each says bits of the word.
//!
//! The same matching serves texts ([`parse`](crate::parse)) and instructions in memory ([`encode`](crate::encode)):
//! they are [`Cursor`]s.

use crate::field::Field;
use crate::form::Form;
use crate::inst::Marks;
use crate::template::{Atom, Piece};

/// What is still to be matched.
pub(crate) trait Cursor: Copy {
    /// Goes over a text.
    fn text(self, wanted: &str) -> Option<Self>;
    /// Goes over an operand of this kind: the number for its field, and what stands around it.
    fn atom(self, atom: &Atom) -> Option<(Self, u64, Marks)>;
    /// Whether everything is matched.
    fn is_at_end(self) -> bool;
}

/// The bits that an instruction says as a word of a form; nothing if it is not of the form.
pub(crate) fn bits(form: &Form, cursor: impl Cursor) -> Option<Bits> {
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
        let mask = field.mask();
        let bits = field.set(0, value);
        let both = mask & self.known;
        (self.word & both == bits & both).then_some(Bits {
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
fn pieces<C: Cursor>(all: &[Piece], then: Option<&Then>, cursor: C, bits: Bits) -> Option<Bits> {
    let Some((first, rest)) = all.split_first() else {
        return match then {
            Some(then) => pieces(then.pieces, then.then, cursor, bits),
            None => cursor.is_at_end().then_some(bits),
        };
    };
    let next = Then { pieces: rest, then };
    match first {
        Piece::Text(wanted) => pieces(rest, then, cursor.text(wanted)?, bits),
        Piece::Atom(one) => {
            let (cursor, bits) = atom(one, cursor, bits)?;
            pieces(rest, then, cursor, bits)
        }
        Piece::Choice(field, choices) => choices.by_length().find_map(|(value, body)| {
            let bits = bits.with(*field, value)?;
            pieces(body, Some(&next), cursor, bits)
        }),
        Piece::If(field, values, body) => {
            let with = values.iter().find_map(|&value| {
                let bits = bits.with(*field, value)?;
                pieces(body, Some(&next), cursor, bits)
            });
            let is_known = || {
                bits.get(*field)
                    .is_some_and(|value| values.contains(&value))
            };
            with.or_else(|| match is_known() {
                true => None,
                false => pieces(rest, then, cursor, bits),
            })
        }
        Piece::Unless(field, value, body) => {
            let with = pieces(body, Some(&next), cursor, bits);
            with.filter(|found| field.get(found.word) != *value)
                .or_else(|| pieces(rest, then, cursor, bits.with(*field, *value)?))
        }
        Piece::Never => None,
        Piece::Hidden(body) => {
            pieces(body, Some(&next), cursor, bits).or_else(|| pieces(rest, then, cursor, bits))
        }
    }
}

fn atom<C: Cursor>(atom: &Atom, cursor: C, bits: Bits) -> Option<(C, Bits)> {
    let (cursor, value, marks) = cursor.atom(atom)?;
    let mut bits = bits.with(atom.field, value)?;
    for (field, mark) in atom.signs.each() {
        if let Some(field) = field {
            bits = bits.with(field, marks.has(mark).into())?;
        }
    }
    Some((cursor, bits))
}
