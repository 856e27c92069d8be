//! Text to words: the templates of an operation tried on a text.

use crate::control::Control;
use crate::form::{Form, Forms, name_of};
use crate::inst::{Guard, Inst};
use crate::kinds::Counts;
use crate::matching::{self, Cursor};
use crate::number::read_float;
use crate::operand::{Marks, Value};
use crate::shape::{Shape, Shapes, slot};
use crate::template::{Atom, Kind};
use crate::{decode, encode, special, walk};
use std::cell::Cell;
use warpc_target::Sm;

/// The word of an instruction's text on a chip, at an address from which places are counted. The control word stands
/// beside the text, but for `.reuse`. Nothing if it is not an instruction, or one that names a label.
pub fn word(sm: Sm, text: &str, control: Control, address: u64) -> Option<u128> {
    let (word, label) = read(sm, text, control, address)?;
    label.is_none().then_some(word)
}

/// The instruction of a text on a chip, and the label that it names: then the operand is [`Value::Label`] 0.
pub fn inst(sm: Sm, text: &str, control: Control, address: u64) -> Option<(Inst, Option<&str>)> {
    let (word, label) = read(sm, text, control, address)?;
    let mut inst = decode::decode(sm, word)?;
    if label.is_some() {
        let slot = inst
            .shape
            .slots()
            .iter()
            .position(|slot| slot.kind() == Kind::Label)?;
        inst.operands.get_mut(slot)?.value = Value::Label(0);
    }
    Some((inst, label))
}

/// The shape of a text on a chip: `LDG.E.64 R0, desc[UR0][R0.64+0x8]`. What the operands are counts for nothing, but
/// some that are always zero stand for others.
pub fn shape(sm: Sm, text: &str) -> Option<&'static Shape> {
    let (word, _) = read(sm, text, Control::UNSCHEDULED, 0)?;
    Shapes::of_word(sm, word)
}

/// The word of a text, and the label that it names, whose place is zero then.
fn read(sm: Sm, text: &str, control: Control, address: u64) -> Option<(u128, Option<&str>)> {
    let (guard, text) = guard(trimmed(text))?;
    let kinds = kinds(text);
    let label = Cell::new(None);
    let cursor = Text::new(text, address, &label);
    let mut forms = Forms::get().fitting(sm, name_of(text), kinds);
    let word = forms.find_map(|form| {
        label.set(None);
        let said = matching::bits(form, cursor).filter(|_| guard.fits(form.is_uniform()))?;
        whole(form, guard, said, control)
    })?;
    Some((word, label.get()))
}

/// A word from what the text of an instruction says and what stands beside it; nothing if the two do not go together.
/// Reuse flags are part of the text.
fn whole(form: &Form, guard: Guard, said: matching::Bits, control: Control) -> Option<u128> {
    let control = Control {
        reuse: 0,
        ..control
    };
    let implied = form.row.implied_bits & !said.known;
    let bits = said.word | implied | u128::from(form.row.opcode) | encode::guard_bits(guard);
    let word = bits | control.put(0);
    let keeps_operands = form.reuses() && said.word >> REUSE != 0;
    let is_legal = control.is_legal() && (control.keep || !keeps_operands);
    let boards = form.row.no_scoreboard_bits;
    let is_sound = is_legal && word & boards == boards;
    // Matching cannot see some contradictions; reading the word does.
    let is_instruction = || !form.excludes() || walk::is_instruction(form, word);
    (is_sound && is_instruction()).then_some(word)
}

/// The first of the flags of operands.
const REUSE: u32 = 122;

/// Without what stands after an instruction.
pub(crate) fn trimmed(text: &str) -> &str {
    text.trim_end().trim_end_matches(';').trim_end()
}

/// `@!P0 ` in front of an instruction.
pub(crate) fn guard(text: &str) -> Option<(Guard, &str)> {
    let Some(rest) = text.strip_prefix('@') else {
        return Some((Guard::ALWAYS, text));
    };
    let (name, rest) = rest.split_once(' ')?;
    let (not, name) = match name.strip_prefix('!') {
        Some(name) => (true, name),
        None => (false, name),
    };
    let (uniform, name) = match name.strip_prefix('U') {
        Some(name) => (true, name),
        None => (false, name),
    };
    let predicate = match name {
        "PT" => 7,
        name => name.strip_prefix('P')?.parse().ok().filter(|n| *n < 7)?,
    };
    let guard = Guard {
        predicate,
        not,
        uniform: uniform && (predicate != 7 || not),
    };
    Some((guard, rest.trim_start()))
}

/// The text that is still to be matched.
#[derive(Clone, Copy)]
pub(crate) struct Text<'t, 'l> {
    pub(crate) text: &'t str,
    /// The address of the instruction.
    address: u64,
    /// The label that was read last.
    label: &'l Cell<Option<&'t str>>,
}

impl<'t, 'l> Text<'t, 'l> {
    pub(crate) fn new(
        text: &'t str,
        address: u64,
        label: &'l Cell<Option<&'t str>>,
    ) -> Text<'t, 'l> {
        Text {
            text,
            address,
            label,
        }
    }
}

/// The operands that a text may have: some are told by their names.
fn kinds(text: &str) -> Counts {
    let mut possible = Counts::ANY;
    for (name, kind) in [
        ("UR", Kind::Uniform),
        ("c[", Kind::Constant),
        ("cx[", Kind::Bindless),
    ] {
        if !text.contains(name) {
            possible = possible.without(kind);
        }
    }
    possible
}

impl Cursor for Text<'_, '_> {
    fn text(self, wanted: &str) -> Option<Self> {
        let text = self.text.strip_prefix(wanted)?;
        Some(Text { text, ..self })
    }

    fn next_bytes(self) -> Option<[u8; 2]> {
        let mut bytes = self.text.bytes();
        Some([bytes.next().unwrap_or(0), bytes.next().unwrap_or(0)])
    }

    fn atom(self, atom: &Atom) -> Option<(Self, u64, Marks)> {
        let mut marks = Marks::NONE;
        let mut text = self.text;
        let allowed = atom.signs.marks();
        for (mark, sign) in [
            (Marks::NOT, '!'),
            (Marks::MINUS, '-'),
            (Marks::TILDE, '~'),
            (Marks::BARS, '|'),
        ] {
            if allowed.has(mark)
                && let Some(rest) = text.strip_prefix(sign)
            {
                marks = marks.and(mark);
                text = rest;
            }
        }
        let (value, length) = self.operand(atom, text)?;
        text = &text[length..];
        if marks.has(Marks::BARS) {
            text = text.strip_prefix('|')?;
        }
        if allowed.has(Marks::REUSE)
            && let Some(rest) = text.strip_prefix(".reuse")
        {
            marks = marks.and(Marks::REUSE);
            text = rest;
        }
        let number = slot::number(atom, value)?;
        Some((Text { text, ..self }, number, marks))
    }
    fn is_at_end(self) -> bool {
        self.text.is_empty()
    }
}

impl<'t> Text<'t, '_> {
    /// The operand of an atom's kind at the start of a text, and the length of its text.
    fn operand(self, atom: &Atom, text: &'t str) -> Option<(Value, usize)> {
        // A register and so on: the last one has a name of its own.
        let named = |prefix: &str, zero: &str, last: u8| {
            if text.starts_with(zero) {
                return Some((last, zero.len()));
            }
            let (number, length) = decimal(text.strip_prefix(prefix)?)?;
            let number = u8::try_from(number).ok().filter(|number| *number < last)?;
            Some((number, prefix.len() + length))
        };
        Some(match atom.kind {
            Kind::Register => {
                let (number, length) = named("R", "RZ", 255)?;
                (Value::Register(number), length)
            }
            Kind::Uniform | Kind::NextUniform => {
                let (number, length) = named("UR", "URZ", 255)?;
                (Value::Uniform(number), length)
            }
            Kind::Predicate | Kind::PredicateFromLast => {
                let (number, length) = named("P", "PT", 7)?;
                (Value::Predicate(number), length)
            }
            Kind::UniformPredicate | Kind::UniformPredicateFromLast => {
                let (number, length) = named("UP", "UPT", 7)?;
                (Value::UniformPredicate(number), length)
            }
            Kind::Barrier => match special::read_state(text) {
                Some((number, length)) => (Value::Barrier(number as u8), length),
                None => {
                    let (number, length) = named("B", "BZ", 16)?;
                    (Value::Barrier(number), length)
                }
            },
            Kind::Constant => {
                let (bank, rest) = number_in_brackets(text.strip_prefix('c')?)?;
                let (offset, rest) = number_in_brackets(rest)?;
                let value = Value::Constant {
                    bank: bank.try_into().ok()?,
                    offset: offset.try_into().ok()?,
                };
                (value, text.len() - rest.len())
            }
            Kind::Bindless => {
                let (register, rest) = text.strip_prefix("cx[UR")?.split_once(']')?;
                let base = match register {
                    "Z" => 255,
                    number => u8::try_from(decimal(number)?.0).ok()?,
                };
                let (offset, rest) = number_in_brackets(rest)?;
                let value = Value::Bindless {
                    base,
                    offset: offset.try_into().ok()?,
                };
                (value, text.len() - rest.len())
            }
            Kind::Set => {
                let inner = text.strip_prefix('{')?;
                let end = inner.find('}')?;
                let mut set = 0u64;
                for number in inner[..end].split(',') {
                    let bit: u32 = number.parse().ok().filter(|bit| *bit < 64)?;
                    set |= 1 << bit;
                }
                (Value::Number(set as i64), end + 2)
            }
            Kind::Decimal => {
                let (number, length) = decimal(text)?;
                (Value::Number(number as i64), length)
            }
            Kind::Unsigned => {
                let (number, length) = hexadecimal(text, false)?;
                (unsigned(atom, number)?, length)
            }
            Kind::Signed => {
                let (number, length) = hexadecimal(text, true)?;
                // People write the bits of an immediate: 0xffffffff for -0x1.
                let is_bits = atom.field.width() == 32 && u32::try_from(number).is_ok();
                let number = if is_bits {
                    i64::from(number as u32 as i32)
                } else {
                    number
                };
                (Value::Number(number), length)
            }
            Kind::Float(format) => {
                let (read, length) = read_float(text)?;
                let bits = u32::try_from(format.bits_of(read)?).ok()?;
                (Value::Number(bits.into()), length)
            }
            Kind::Special => {
                let (number, length) = special::read(text)?;
                (Value::Special(number), length)
            }
            Kind::Label => {
                let (distance, length) = self.place(text)?;
                (Value::Place(distance), length)
            }
        })
    }
}

impl<'t> Text<'t, '_> {
    /// The place at the start of a text as a distance from the next instruction, and the length of its text: a number,
    /// `` `(name) `` or a bare name.
    fn place(self, text: &'t str) -> Option<(i64, usize)> {
        if let Some(inner) = text.strip_prefix("`(") {
            let end = inner.find(')')?;
            self.label.set(Some(&inner[..end]));
            return Some((0, end + 3));
        }
        if let Some((target, length)) = hexadecimal(text, true) {
            // A name that another attempt read here does not count.
            self.label.set(None);
            let next = (self.address as i64).wrapping_add(16);
            return Some((target.wrapping_sub(next), length));
        }
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$' | '@');
        let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
        let name = &text[..end];
        let first = name.chars().next()?;
        if first.is_ascii_digit() {
            return None;
        }
        self.label.set(Some(name));
        Some((0, end))
    }
}

/// A number without a sign; nothing if the field has fewer bits than it needs and it looks like a negative one.
fn unsigned(atom: &Atom, number: i64) -> Option<Value> {
    let is_large = number < 0 && atom.field.width() < 64;
    (!is_large).then_some(Value::Number(number))
}

/// The number of `[0x28]` at the start of a text, and what follows.
fn number_in_brackets(text: &str) -> Option<(i64, &str)> {
    let (inner, rest) = text.strip_prefix('[')?.split_once(']')?;
    let (number, length) = hexadecimal(inner, true)?;
    (length == inner.len()).then_some((number, rest))
}

fn decimal(text: &str) -> Option<(u64, usize)> {
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    let number = text[..length].parse().ok()?;
    // A register has no leading zeros.
    (length == 1 || !text.starts_with('0')).then_some((number, length))
}

/// `0x1f`, perhaps with a sign.
fn hexadecimal(text: &str, may_be_negative: bool) -> Option<(i64, usize)> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) if may_be_negative => (true, rest),
        _ => (false, text),
    };
    let digits = digits.strip_prefix("0x")?;
    let length = digits.bytes().take_while(u8::is_ascii_hexdigit).count();
    let number = u64::from_str_radix(&digits[..length], 16).ok()? as i64;
    let whole = usize::from(negative) + 2 + length;
    Some((
        if negative {
            number.wrapping_neg()
        } else {
            number
        },
        whole,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn immediates_may_be_written_as_bits() {
        let sm = "sm_90".parse().unwrap();
        let read = |text: &str| word(sm, text, Control::UNSCHEDULED, 0);
        let wanted = read("IADD3 R0, R1, -0x1, RZ");
        assert!(wanted.is_some());
        assert_eq!(read("IADD3 R0, R1, 0xffffffff, RZ"), wanted);
        assert_eq!(read("IADD3 R0, R1, 0x100000000, RZ"), None);
        assert_eq!(read("LDG.E R0, desc[UR4][R2.64+0xffffff]"), None);
    }

    #[test]
    fn what_is_read_can_be_printed() {
        let sm = "sm_90".parse().unwrap();
        let read = |text: &str, control: &str| {
            let word = word(sm, text, control.parse().unwrap(), 0)?;
            assert!(crate::print::text(sm, word, 0).is_some(), "{text}");
            Some(word)
        };
        assert!(read("IADD3 R0, R1.reuse, R2, RZ", "B------:R-:W-:-:S04").is_some());
        assert_eq!(
            read("IADD3 R0, R1.reuse, R2, RZ", "B------:R-:W-:Y:S04"),
            None
        );
        assert_eq!(read("IADD3 R0, R1, R2, RZ", "B------:R-:W-:-:S12"), None);
        assert_eq!(
            read("STG.E desc[UR4][R2.64], R0", "B------:R-:W0:-:S02"),
            None
        );
    }
}
