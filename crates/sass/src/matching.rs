//! Templates matched with what an instruction says: alternatives are tried in turn, and each says bits of the word.
//!
//! The same matching serves readers ([`parse`](crate::parse)) and those who want to know why a text is not an
//! instruction ([`refusal`](crate::refusal)): both are [`Cursor`]s.

use crate::field::Field;
use crate::form::Form;
use crate::operand::Marks;
use crate::template::{Alternative, Atom, Piece};

/// What is still to be matched.
pub(crate) trait Cursor: Copy {
    /// Goes over a text.
    fn text(self, wanted: &str) -> Option<Self>;
    /// Whether a text can be gone over.
    fn starts_with(self, wanted: &str) -> bool {
        self.text(wanted).is_some()
    }
    /// The next two bytes of text, if they are known; zeros where an operand stands, or after the end.
    fn next_bytes(self) -> Option<[u8; 2]>;
    /// Goes over an operand of this kind: the number for its field, and what stands around it.
    fn atom(self, atom: &Atom) -> Option<(Self, u64, Marks)>;
    /// Whether everything is matched.
    fn is_at_end(self) -> bool;
}

/// The bits that a text says as a word of a form; nothing if it is not of the form.
pub(crate) fn bits(form: &Form, cursor: impl Cursor) -> Option<Bits> {
    let mut bits = Bits { word: 0, known: 0 };
    pieces(form.pieces(), None, cursor, &mut bits).then_some(bits)
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
        let (mask, bits) = field.mask_and_bits(value)?;
        self.with_bits(mask, bits)
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

/// Matches pieces and what follows them with all that is left. The bits are those found only if they match.
fn pieces<'p, C: Cursor>(
    mut all: &'p [Piece],
    mut then: Option<&'p Then<'p>>,
    mut cursor: C,
    bits: &mut Bits,
) -> bool {
    loop {
        let Some((first, rest)) = all.split_first() else {
            let Some(next) = then else {
                return cursor.is_at_end();
            };
            (all, then) = (next.pieces, next.then);
            continue;
        };
        all = rest;
        match first {
            Piece::Text(wanted) => match cursor.text(wanted) {
                Some(after) => cursor = after,
                None => return false,
            },
            Piece::Atom(one) => match atom(one, cursor, bits) {
                Some(after) => cursor = after,
                None => return false,
            },
            Piece::Choice(_, choices) => {
                let next = Then { pieces: rest, then };
                let mut attempt = |one: &Alternative| {
                    let body = choices.body_of(one);
                    let with = || bits.with_bits(choices.mask(), one.bits);
                    cursor.starts_with(one.start) && attempt(with(), body, &next, cursor, bits)
                };
                let all = choices.where_next(cursor.next_bytes());
                let Some((last, others)) = all.split_last() else {
                    return false;
                };
                if others.iter().any(&mut attempt) {
                    return true;
                }
                if !choices.body_of(last).is_empty() {
                    return attempt(last);
                }
                // Nothing is left to try but to go on.
                match bits.with_bits(choices.mask(), last.bits) {
                    Some(after) => *bits = after,
                    None => return false,
                }
            }
            Piece::If(field, values, body) => {
                let next = Then { pieces: rest, then };
                let mut attempt =
                    |value: &u64| attempt(bits.with(*field, *value), body, &next, cursor, bits);
                if cursor.starts_with(start(body)) && values.iter().any(&mut attempt) {
                    return true;
                }
                let known = bits.get(*field);
                if known.is_some_and(|known| values.contains(&known)) {
                    return false;
                }
            }
            Piece::Unless(field, value, body) => {
                let next = Then { pieces: rest, then };
                let mut with = *bits;
                if cursor.starts_with(start(body))
                    && pieces(body, Some(&next), cursor, &mut with)
                    && field.get(with.word) != *value
                {
                    *bits = with;
                    return true;
                }
                match bits.with(*field, *value) {
                    Some(after) => *bits = after,
                    None => return false,
                }
            }
            Piece::Never => return false,
            Piece::Hidden(body) => {
                let next = Then { pieces: rest, then };
                if attempt(Some(*bits), body, &next, cursor, bits) {
                    return true;
                }
            }
        }
    }
}

/// Matches what may stand here and what follows, with bits that it sets.
fn attempt<C: Cursor>(
    with: Option<Bits>,
    body: &[Piece],
    next: &Then,
    cursor: C,
    bits: &mut Bits,
) -> bool {
    let Some(mut with) = with else {
        return false;
    };
    let found = pieces(body, Some(next), cursor, &mut with);
    if found {
        *bits = with;
    }
    found
}

/// The text that pieces begin with, if they begin with one.
fn start(pieces: &[Piece]) -> &'static str {
    match pieces.first() {
        Some(Piece::Text(text)) => text,
        _ => "",
    }
}

fn atom<C: Cursor>(atom: &Atom, cursor: C, bits: &mut Bits) -> Option<C> {
    let (cursor, value, marks) = cursor.atom(atom)?;
    let (_, mut found) = atom.field.mask_and_bits(value)?;
    if marks != Marks::NONE {
        for (bit, mark) in atom.signs.each() {
            found |= u128::from(marks.has(mark)) << bit;
        }
    }
    *bits = bits.with_bits(atom.mask, found)?;
    Some(cursor)
}
