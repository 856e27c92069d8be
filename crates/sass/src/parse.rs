//! Text to words: the templates of an operation tried on a text.

use crate::control::Control;
use crate::encode;
use crate::form::{Forms, name_of};
use crate::inst::{Guard, Marks, Operand};
use crate::kinds::Counts;
use crate::matching::{self, Cursor};
use crate::number::read_float;
use crate::special;
use crate::template::{Atom, Kind};
use warpc_target::Sm;

/// What a reader must know besides the text.
pub trait Labels {
    /// The place at the start of a text as a distance from the next instruction, and the length of its text.
    fn read(&self, text: &str) -> Option<(i64, usize)>;
}

impl Labels for crate::print::At {
    fn read(&self, text: &str) -> Option<(i64, usize)> {
        let (target, length) = hexadecimal(text, true)?;
        Some((target - self.0 as i64 - 16, length))
    }
}

/// The word of an instruction's text on a chip. The control word stands beside the text, but for `.reuse`.
pub fn word(sm: Sm, text: &str, control: Control, labels: &impl Labels) -> Option<u128> {
    let (guard, text) = guard(trimmed(text))?;
    let kinds = kinds(text);
    let cursor = Text { text, labels };
    let mut forms = Forms::get().fitting(sm, name_of(text), Counts::NONE, kinds);
    forms.find_map(|form| {
        let said = matching::bits(form, cursor).filter(|_| guard.fits(form))?;
        encode::word(form, guard, said, control)
    })
}

/// Without what stands behind an instruction.
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
pub(crate) struct Text<'t, L> {
    pub(crate) text: &'t str,
    pub(crate) labels: &'t L,
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

impl<L> Clone for Text<'_, L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L> Copy for Text<'_, L> {}

impl<L: Labels> Cursor for Text<'_, L> {
    fn text(self, wanted: &str) -> Option<Self> {
        let text = self.text.strip_prefix(wanted)?;
        Some(Text { text, ..self })
    }

    fn next_bytes(self) -> Option<[u8; 2]> {
        let mut bytes = self.text.bytes();
        Some([bytes.next().unwrap_or(0), bytes.next().unwrap_or(0)])
    }

    fn next_text(self) -> &'static str {
        ""
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
        let (operand, length) = self.operand(atom, text)?;
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
        let number = encode::number(atom, operand)?;
        Some((Text { text, ..self }, number, marks))
    }
    fn is_at_end(self) -> bool {
        self.text.is_empty()
    }
}

impl<L: Labels> Text<'_, L> {
    /// The operand of an atom's kind at the start of a text, and the length of its text.
    fn operand(self, atom: &Atom, text: &str) -> Option<(Operand, usize)> {
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
                (Operand::Register(number), length)
            }
            Kind::Uniform | Kind::NextUniform => {
                let (number, length) = named("UR", "URZ", 255)?;
                (Operand::Uniform(number), length)
            }
            Kind::Predicate => {
                let (number, length) = named("P", "PT", 7)?;
                (Operand::Predicate(number), length)
            }
            Kind::UniformPredicate => {
                let (number, length) = named("UP", "UPT", 7)?;
                (Operand::UniformPredicate(number), length)
            }
            Kind::Barrier => match special::read_state(text) {
                Some((number, length)) => (Operand::Barrier(number as u8), length),
                None => {
                    let (number, length) = named("B", "BZ", 16)?;
                    (Operand::Barrier(number), length)
                }
            },
            Kind::Constant => {
                let (bank, rest) = number_in_brackets(text.strip_prefix('c')?)?;
                let (offset, rest) = number_in_brackets(rest)?;
                let operand = Operand::Constant {
                    bank: bank.try_into().ok()?,
                    offset: offset.try_into().ok()?,
                };
                (operand, text.len() - rest.len())
            }
            Kind::Bindless => {
                let (register, rest) = text.strip_prefix("cx[UR")?.split_once(']')?;
                let base = match register {
                    "Z" => 255,
                    number => u8::try_from(decimal(number)?.0).ok()?,
                };
                let (offset, rest) = number_in_brackets(rest)?;
                let operand = Operand::Bindless {
                    base,
                    offset: offset.try_into().ok()?,
                };
                (operand, text.len() - rest.len())
            }
            Kind::Set => {
                let inner = text.strip_prefix('{')?;
                let end = inner.find('}')?;
                let mut set = 0u64;
                for number in inner[..end].split(',') {
                    let bit: u32 = number.parse().ok().filter(|bit| *bit < 64)?;
                    set |= 1 << bit;
                }
                (Operand::Set(set), end + 2)
            }
            Kind::Decimal => {
                let (number, length) = decimal(text)?;
                (Operand::Decimal(number), length)
            }
            Kind::Unsigned => {
                let (number, length) = hexadecimal(text, false)?;
                (Operand::Unsigned(number as u64), length)
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
                (Operand::Signed(number), length)
            }
            Kind::Float(format) => {
                let (read, length) = read_float(text)?;
                let bits = u32::try_from(format.bits_of(read)?).ok()?;
                (Operand::Float(format, bits), length)
            }
            Kind::Special => {
                let (number, length) = special::read(text)?;
                (Operand::Special(number), length)
            }
            Kind::Label => {
                let (distance, length) = self.labels.read(text)?;
                (Operand::Place(distance), length)
            }
        })
    }
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
    use crate::print::At;

    #[test]
    fn immediates_may_be_written_as_bits() {
        let sm = "sm_90".parse().unwrap();
        let read = |text: &str| word(sm, text, Control::UNSCHEDULED, &At(0));
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
            let word = word(sm, text, control.parse().unwrap(), &At(0))?;
            assert!(crate::print::text(sm, word, &At(0)).is_some(), "{text}");
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
