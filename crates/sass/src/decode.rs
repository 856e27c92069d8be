//! Words to what they mean: a template walked with the bits of a word.

use crate::control::Control;
use crate::form::{Form, Forms, GUARD, OPCODE};
use crate::inst::{Guard, Inst, Marks, Operand, Part};
use crate::template::{Atom, Kind, Piece, Signs};
use crate::{control, special};
use smallvec::SmallVec;
use warpc_target::Sm;

/// The instruction of a word on a chip; nothing if there is none, or if some bit is set that no instruction can say.
/// What is decoded gives the same word again.
pub fn decode(sm: Sm, word: u128) -> Option<Inst> {
    let form = Forms::get().of(sm, word)?;
    let mut parts = Parts(SmallVec::new());
    walk(form, word, &mut parts)?;
    Some(Inst {
        guard: Guard::of(word, form.is_uniform()),
        parts: parts.0,
        control: Control::of(word),
        form: Some(form),
    })
}

/// Who takes what a word says.
pub(crate) trait Sink {
    /// Whether what nvdisasm leaves out is said.
    fn is_full(&self) -> bool;
    /// Text of the template.
    fn text(&mut self, text: &'static str);
    /// An operand.
    fn operand(&mut self, operand: Operand, marks: Marks);
}

/// The parts of an instruction.
struct Parts(SmallVec<[Part; 12]>);

impl Sink for Parts {
    fn is_full(&self) -> bool {
        true
    }

    fn text(&mut self, text: &'static str) {
        self.0.push(Part::Text(text));
    }

    fn operand(&mut self, operand: Operand, marks: Marks) {
        self.0.push(Part::Operand(operand, marks));
    }
}

/// Where text goes that is left out.
struct Nobody;

impl Sink for Nobody {
    fn is_full(&self) -> bool {
        true
    }

    fn text(&mut self, _: &'static str) {}

    fn operand(&mut self, _: Operand, _: Marks) {}
}

/// Hands over what a word of a form says; nothing if there is no such instruction, or a bit is set that nothing says.
pub(crate) fn walk(form: &Form, word: u128, sink: &mut impl Sink) -> Option<()> {
    // Bits that no field covers mean something that the row does not know.
    if (word ^ form.row.unsaid) & !form.covered() != 0 {
        return None;
    }
    if word & form.row.boardless != form.row.boardless {
        return None;
    }
    let said = pieces(form.pieces(), word, sink)?;
    let control = Control {
        // A field may have these bits where they are no flags of operands.
        reuse: 0,
        ..Control::of(word)
    };
    // The same goes for fields that stand in other alternatives.
    let said = said | OPCODE | GUARD | control::SCHEDULE;
    ((word ^ form.row.unsaid) & !said == 0 && control.is_legal()).then_some(())
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
                let marks = marks(&atom.signs, word);
                if marks.has(Marks::REUSE) && !Control::of(word).is_legal() {
                    return None;
                }
                sink.operand(operand(atom, word)?, marks);
                seen |= atom.mask;
            }
            Piece::Choice(field, choices) => {
                let body = choices.body(field.get(word))?;
                seen |= choices.mask() | pieces(body, word, sink)?;
            }
            // A condition says the value only where there is no other.
            Piece::If(field, values, body) => {
                if values.contains(&field.get(word)) {
                    seen |= if values.len() == 1 { field.mask() } else { 0 };
                    seen |= pieces(body, word, sink)?;
                }
            }
            Piece::Unless(field, value, body) => {
                seen |= match field.get(word) == *value {
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

fn marks(signs: &Signs, word: u128) -> Marks {
    if signs.marks() == Marks::NONE {
        return Marks::NONE;
    }
    let set = signs.each().filter(|(bit, _)| word >> bit & 1 == 1);
    set.fold(Marks::NONE, |all, (_, mark)| all.and(mark))
}

/// The operand that an atom is in a word; nothing if there is no such one.
fn operand(atom: &Atom, word: u128) -> Option<Operand> {
    let value = atom.field.get(word);
    let width = atom.field.width();
    let scale = i64::from(atom.scale);
    let uniform = |number: u64, width: u32| match number == (1 << width) - 1 {
        true => 255,
        false => number as u8,
    };
    let offset = || (signed(value, atom.offset_width()) * scale) as i32;
    Some(match atom.kind {
        Kind::Register => Operand::Register(value as u8),
        Kind::Uniform => Operand::Uniform(uniform(value, width)),
        Kind::NextUniform if (value + 2) >> width == 0 => Operand::Uniform(value as u8 + 1),
        Kind::NextUniform => return None,
        Kind::Predicate => Operand::Predicate(value as u8),
        Kind::UniformPredicate => Operand::UniformPredicate(value as u8),
        Kind::Constant => Operand::Constant {
            bank: (value >> atom.offset_width()) as u8,
            offset: offset(),
        },
        Kind::Bindless => Operand::Bindless {
            base: uniform(value >> atom.offset_width(), width - atom.offset_width()),
            // This one has no sign.
            offset: offset() & 0xffff,
        },
        Kind::Barrier if value < 16 || special::state_name(value).is_some() => {
            Operand::Barrier(value as u8)
        }
        Kind::Barrier => return None,
        Kind::Set => Operand::Set(value),
        Kind::Unsigned => Operand::Unsigned(value.wrapping_mul(scale as u64)),
        Kind::Decimal => Operand::Decimal(value),
        Kind::Signed => Operand::Signed(signed(value, width).wrapping_mul(scale)),
        Kind::Float(format) => Operand::Float(format, value as u32),
        Kind::Special => Operand::Special(value as u8),
        Kind::Label => Operand::Place(signed(value, width).wrapping_mul(scale)),
    })
}

/// A number of so many bits with its sign.
pub(crate) fn signed(value: u64, width: u32) -> i64 {
    let unused = 64 - width.clamp(1, 64);
    ((value << unused) as i64) >> unused
}
