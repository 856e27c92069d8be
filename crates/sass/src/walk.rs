//! Templates walked with the bits of a word: what the text of the word consists of, and whether there is such an
//! instruction.

use crate::control::{self, Control};
use crate::form::{Form, GUARD, OPCODE};
use crate::operand::{Marks, Operand};
use crate::shape::slot;
use crate::template::{Atom, Piece};

/// Who takes what a word says.
pub(crate) trait Sink {
    /// Whether what nvdisasm leaves out is said.
    fn is_full(&self) -> bool;
    /// Text of the template.
    fn text(&mut self, text: &'static str);
    /// An operand.
    fn operand(&mut self, atom: &Atom, operand: Operand);
    /// The value of a field that is not what the word has there, because an operand stands there that has no number
    /// yet.
    fn value(&self, field: crate::field::Field, word: u128) -> u64 {
        field.get(word)
    }
}

/// Where text goes that is left out.
struct Nobody;

impl Sink for Nobody {
    fn is_full(&self) -> bool {
        true
    }

    fn text(&mut self, _: &'static str) {}

    fn operand(&mut self, _: &Atom, _: Operand) {}
}

/// Hands over what a word of a form says; nothing if there is no such instruction, or a bit is set that nothing says.
pub(crate) fn walk(form: &Form, word: u128, sink: &mut impl Sink) -> Option<()> {
    // Bits that no field covers mean something that the row does not know.
    if (word ^ form.row.implied_bits) & !form.covered() != 0 {
        return None;
    }
    if word & form.row.no_scoreboard_bits != form.row.no_scoreboard_bits {
        return None;
    }
    let said = pieces(form.pieces(), word, sink)?;
    let control = Control {
        // A field may have these bits where they are not flags of operands.
        reuse: 0,
        ..Control::of(word)
    };
    // The same goes for fields that stand in other alternatives.
    let said = said | OPCODE | GUARD | control::SCHEDULE;
    ((word ^ form.row.implied_bits) & !said == 0 && control.is_legal()).then_some(())
}

/// Whether a word is an instruction of a form.
pub(crate) fn is_instruction(form: &Form, word: u128) -> bool {
    walk(form, word, &mut Nobody).is_some()
}

fn pieces(all: &[Piece], word: u128, sink: &mut impl Sink) -> Option<u128> {
    let mut seen = 0;
    for piece in all {
        match piece {
            Piece::Text(text) => sink.text(text),
            Piece::Atom(atom) => {
                let marks = atom.signs.get(word);
                if marks.has(Marks::REUSE) && !Control::of(word).is_legal() {
                    return None;
                }
                let value = slot::value(atom, word)?;
                sink.operand(atom, value.marked(marks));
                seen |= atom.mask;
            }
            Piece::Choice(field, choices) => {
                let body = choices.body(field.get(word))?;
                seen |= choices.mask() | pieces(body, word, sink)?;
            }
            // A condition says the value only where there is no other.
            Piece::If(field, values, body) => {
                if values.contains(&sink.value(*field, word)) {
                    seen |= if values.len() == 1 { field.mask() } else { 0 };
                    seen |= pieces(body, word, sink)?;
                }
            }
            Piece::Unless(field, value, body) => {
                seen |= match sink.value(*field, word) == *value {
                    true => field.mask(),
                    false => pieces(body, word, sink)?,
                };
            }
            Piece::Never => return None,
            Piece::Hidden(body) => {
                seen |= match sink.is_full() {
                    true => pieces(body, word, sink)?,
                    false => pieces(body, word, &mut Nobody)?,
                };
            }
        }
    }
    Some(seen)
}
