//! Instructions to words: the forms of a name tried on what an instruction says.

use crate::control::Control;
use crate::decode::{self, signed};
use crate::form::{Form, Forms};
use crate::inst::{Guard, Inst, Marks, Operand, Part};
use crate::kinds::Counts;
use crate::matching::{self, Cursor};
use crate::template::{Atom, Kind};
use warpc_target::Sm;

/// The word of an instruction on a chip; nothing if the chip has no such instruction.
pub fn encode(sm: Sm, inst: &Inst) -> Option<u128> {
    let parts = Parts {
        parts: &inst.parts,
        at: 0,
    };
    let word = |form: &Form| {
        let said = matching::bits(form, parts).filter(|_| inst.guard.fits(form))?;
        word(form, inst.guard, said, inst.control)
    };
    if let Some(form) = inst.form.filter(|form| form.row.is_on(sm.number()))
        && let Some(word) = word(form)
    {
        return Some(word);
    }
    let kinds = inst.operands().fold(Counts::NONE, |all, (operand, _)| {
        all.plus(Counts::of(operand))
    });
    let mut forms = Forms::get().fitting(sm, parts.name()?, kinds, kinds);
    forms.find_map(word)
}

/// A word from what the text of an instruction says and what stands beside it; nothing if the two do not go together.
/// Reuse flags are part of the text.
pub(crate) fn word(
    form: &Form,
    guard: Guard,
    said: matching::Bits,
    control: Control,
) -> Option<u128> {
    let control = Control {
        reuse: 0,
        ..control
    };
    let unsaid = form.row.unsaid & !said.known;
    let bits = said.word | unsaid | u128::from(form.row.opcode) | u128::from(guard.bits()) << 12;
    let word = bits | control.put(0);
    let keeps_operands = form.reuses() && said.word >> REUSE != 0;
    let is_legal = control.is_legal() && (control.keep || !keeps_operands);
    let is_sound = is_legal && word & form.row.boardless == form.row.boardless;
    // Matching cannot see some contradictions; reading the word does.
    let is_instruction = || !form.excludes() || decode::is_instruction(form, word);
    (is_sound && is_instruction()).then_some(word)
}

/// The first of the flags of operands.
const REUSE: u32 = 122;

/// The parts of an instruction that are still to be matched.
#[derive(Clone, Copy)]
struct Parts<'i> {
    parts: &'i [Part],
    /// How much of the first part is matched, if it is a text.
    at: usize,
}

impl<'i> Parts<'i> {
    /// The first text, which has the name or the beginning of it.
    fn name(self) -> Option<&'i str> {
        match self.parts.first()? {
            Part::Text(text) => Some(crate::form::name_of(text)),
            Part::Operand(..) => None,
        }
    }

    /// Without texts that are matched whole.
    fn trimmed(mut self) -> Self {
        while let Some((Part::Text(text), rest)) = self.parts.split_first() {
            if self.at < text.len() {
                break;
            }
            self = Parts { parts: rest, at: 0 };
        }
        self
    }
}

impl Cursor for Parts<'_> {
    fn text(mut self, wanted: &str) -> Option<Self> {
        let mut wanted = wanted.as_bytes();
        while !wanted.is_empty() {
            let (Part::Text(text), rest) = self.parts.split_first()? else {
                return None;
            };
            let text = &text.as_bytes()[self.at..];
            // Text that was decoded is that of a template.
            if std::ptr::eq(text, wanted) {
                return Some(Parts { parts: rest, at: 0 });
            }
            let both = text.len().min(wanted.len());
            // Most texts differ early: a loop is faster than a call that compares all.
            if text.iter().zip(wanted).any(|(a, b)| a != b) {
                return None;
            }
            wanted = &wanted[both..];
            self.at += both;
            if both == text.len() {
                self = Parts { parts: rest, at: 0 };
            }
        }
        Some(self)
    }

    fn next_bytes(self) -> Option<[u8; 2]> {
        let Some(Part::Text(text)) = self.parts.first() else {
            return Some([0; 2]);
        };
        match *text.as_bytes().get(self.at..)? {
            [first, second, ..] => Some([first, second]),
            [first] if first != b'.' => Some([first, 0]),
            _ => None,
        }
    }

    fn next_text(self) -> &'static str {
        match self.parts.first() {
            Some(Part::Text(text)) => text.get(self.at..).unwrap_or(""),
            _ => "",
        }
    }

    fn atom(self, atom: &Atom) -> Option<(Self, u64, Marks)> {
        let (Part::Operand(operand, marks), rest) = self.trimmed().parts.split_first()? else {
            return None;
        };
        let number = number(atom, *operand)?;
        let allowed = atom.signs.marks();
        allowed
            .has(*marks)
            .then_some((Parts { parts: rest, at: 0 }, number, *marks))
    }
    fn is_at_end(self) -> bool {
        self.trimmed().parts.is_empty()
    }
}

/// The value of an atom's field for an operand; nothing if the atom is of another kind. Whether it fits is not asked
/// but for what has a sign.
pub(crate) fn number(atom: &Atom, operand: Operand) -> Option<u64> {
    let width = atom.field.width();
    let uniform = |number: u8, width: u32| {
        let last = (1 << width) - 1;
        match number {
            255 => Some(last),
            number => Some(u64::from(number)).filter(|number| *number < last),
        }
    };
    let scale = i64::from(atom.scale);
    let unscaled = |number: i64| (number % scale == 0).then_some(number / scale);
    let with_sign = |number: i64| {
        let number = unscaled(number)?;
        let bits = number as u64 & (u64::MAX >> (64 - width.clamp(1, 64)));
        (signed(bits, width) == number).then_some(bits)
    };
    let constant = |high: u64, offset: i32| {
        let width = atom.offset_width();
        let offset = unscaled(offset.into())?;
        let bits = offset as u64 & ((1 << width) - 1);
        let same = match atom.kind {
            Kind::Bindless => bits as i64,
            _ => signed(bits, width),
        };
        (same == offset).then_some(high << width | bits)
    };
    match (atom.kind, operand) {
        (Kind::Register, Operand::Register(number)) => Some(number.into()),
        (Kind::Uniform, Operand::Uniform(number)) => uniform(number, width),
        (Kind::NextUniform, Operand::Uniform(number)) if number != 255 => {
            u64::from(number).checked_sub(1)
        }
        (Kind::Predicate, Operand::Predicate(number))
        | (Kind::UniformPredicate, Operand::UniformPredicate(number))
        | (Kind::Barrier, Operand::Barrier(number)) => Some(number.into()),
        (Kind::Constant, Operand::Constant { bank, offset }) => constant(bank.into(), offset),
        (Kind::Bindless, Operand::Bindless { base, offset }) => {
            constant(uniform(base, width - atom.offset_width())?, offset)
        }
        (Kind::Set, Operand::Set(set)) => Some(set),
        (Kind::Decimal, Operand::Decimal(number) | Operand::Unsigned(number)) => Some(number),
        (Kind::Unsigned, Operand::Unsigned(number) | Operand::Decimal(number)) => {
            let scale = u64::from(atom.scale);
            number.is_multiple_of(scale).then(|| number / scale)
        }
        (Kind::Unsigned, Operand::Signed(number)) => u64::try_from(unscaled(number)?).ok(),
        (Kind::Signed, Operand::Signed(number)) => with_sign(number),
        (Kind::Signed, Operand::Unsigned(number)) => with_sign(number.try_into().ok()?),
        (Kind::Float(format), Operand::Float(of, bits)) if format == of => Some(bits.into()),
        (Kind::Special, Operand::Special(number)) => Some(number.into()),
        (Kind::Label, Operand::Place(distance)) => with_sign(distance),
        _ => None,
    }
}
