//! Text to words: the templates of an operation tried on a text.

use crate::control::Control;
use crate::field::Field;
use crate::form::{Form, Forms};
use crate::number::read_float;
use crate::print::signed;
use crate::special;
use crate::template::{Atom, Kind, Piece, Signs};
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
    let text = text.trim_end().trim_end_matches(';').trim_end();
    let (guard, rest) = guard(text)?;
    let name_end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let name = &rest[..name_end.unwrap_or(rest.len())];
    let number = sm.number();
    let forms = Forms::get().all().iter();
    let mut forms = forms.filter(|form| {
        form.may_have_name(name) && (form.row.first..=form.row.last).contains(&number)
    });
    forms.find_map(|form| {
        if guard.uniform != form.is_uniform() && guard.bits != 7 {
            return None;
        }
        let bits = encode(form, rest, labels)?;
        let control = control.put(bits | u128::from(guard.bits) << 12);
        // Reuse flags are part of the text.
        let reuse = Field::new(122, 4);
        Some(reuse.set(control, reuse.get(bits)))
    })
}

struct Guard {
    bits: u8,
    uniform: bool,
}

/// `@!P0 ` in front of an instruction.
fn guard(text: &str) -> Option<(Guard, &str)> {
    let Some(rest) = text.strip_prefix('@') else {
        let always = Guard {
            bits: 7,
            uniform: false,
        };
        return Some((always, text));
    };
    let (name, rest) = rest.split_once(' ')?;
    let (not, name) = match name.strip_prefix('!') {
        Some(name) => (8, name),
        None => (0, name),
    };
    let (uniform, name) = match name.strip_prefix('U') {
        Some(name) => (true, name),
        None => (false, name),
    };
    let number = match name {
        "PT" => 7,
        name => name.strip_prefix('P')?.parse().ok().filter(|n| *n < 7)?,
    };
    let bits = not | number;
    Some((Guard { bits, uniform }, rest.trim_start()))
}

/// Matches a text with a form's template; the bits, the opcode and what the row sets beside.
fn encode(form: &Form, text: &str, labels: &impl Labels) -> Option<u128> {
    let matching = Matching { labels };
    let start = Bits { word: 0, known: 0 };
    let end = matching.pieces(&form.pieces, None, text, start)?;
    let unsaid = form.row.unsaid & !end.known;
    Some(end.word | unsaid | u128::from(form.row.opcode))
}

/// The bits found so far.
#[derive(Clone, Copy)]
struct Bits {
    word: u128,
    known: u128,
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

struct Matching<'l, L> {
    labels: &'l L,
}

impl<L: Labels> Matching<'_, L> {
    /// Matches pieces and what follows them with all of a text.
    fn pieces(
        &self,
        pieces: &[Piece],
        then: Option<&Then>,
        text: &str,
        bits: Bits,
    ) -> Option<Bits> {
        let Some((first, rest)) = pieces.split_first() else {
            return match then {
                Some(then) => self.pieces(then.pieces, then.then, text, bits),
                None => text.is_empty().then_some(bits),
            };
        };
        let next = Then { pieces: rest, then };
        match first {
            Piece::Text(wanted) => {
                let text = text.strip_prefix(wanted)?;
                self.pieces(rest, then, text, bits)
            }
            Piece::Atom(atom) => {
                let (bits, length) = self.atom(atom, text, bits)?;
                self.pieces(rest, then, &text[length..], bits)
            }
            Piece::Choice(field, bodies) => {
                // The longest first: an empty alternative goes with any text.
                let mut order: Vec<(usize, &Vec<Piece>)> = Vec::new();
                for (value, body) in bodies.iter().enumerate() {
                    order.extend(body.as_ref().map(|body| (value, body)));
                }
                order.sort_by_key(|(value, body)| (std::cmp::Reverse(text_length(body)), *value));
                order.into_iter().find_map(|(value, body)| {
                    let bits = bits.with(*field, value as u64)?;
                    self.pieces(body, Some(&next), text, bits)
                })
            }
            Piece::If(field, values, body) => {
                let with = values.iter().find_map(|&value| {
                    let bits = bits.with(*field, value)?;
                    self.pieces(body, Some(&next), text, bits)
                });
                with.or_else(|| {
                    let known = bits
                        .get(*field)
                        .is_some_and(|value| values.contains(&value));
                    (!known)
                        .then(|| self.pieces(rest, then, text, bits))
                        .flatten()
                })
            }
            Piece::Unless(field, value, body) => {
                let without = || {
                    let bits = bits.with(*field, *value)?;
                    self.pieces(rest, then, text, bits)
                };
                self.pieces(body, Some(&next), text, bits)
                    .filter(|found| field.get(found.word) != *value)
                    .or_else(without)
            }
            Piece::Never => None,
            Piece::Hidden(body) => self
                .pieces(body, Some(&next), text, bits)
                .or_else(|| self.pieces(rest, then, text, bits)),
        }
    }

    fn atom(&self, atom: &Atom, text: &str, bits: Bits) -> Option<(Bits, usize)> {
        let Signs {
            minus,
            bars,
            tilde,
            not,
            reuse,
        } = atom.signs;
        let mut bits = bits;
        let mut at = 0;
        for (bit, sign) in [(not, '!'), (minus, '-'), (tilde, '~'), (bars, '|')] {
            if let Some(bit) = bit {
                let set = text[at..].starts_with(sign);
                bits = bits.with(bit, set.into())?;
                at += usize::from(set);
            }
        }
        let (value, length) = self.value(atom, &text[at..])?;
        at += length;
        bits = bits.with(atom.field, value)?;
        if bars.is_some_and(|bit| bits.get(bit) == Some(1)) {
            text[at..].starts_with('|').then_some(())?;
            at += 1;
        }
        if let Some(bit) = reuse {
            let set = text[at..].starts_with(".reuse");
            bits = bits.with(bit, set.into())?;
            at += if set { ".reuse".len() } else { 0 };
        }
        Some((bits, at))
    }

    /// The number of an operand at the start of a text, and the length of its text.
    fn value(&self, atom: &Atom, text: &str) -> Option<(u64, usize)> {
        let named = |prefix: &str, zero: &str, last: u64| {
            if text.starts_with(zero) {
                return Some((last, zero.len()));
            }
            let (number, length) = decimal(text.strip_prefix(prefix)?)?;
            (number < last).then_some((number, prefix.len() + length))
        };
        let width = atom.field.width();
        let unscale = |number: i64| {
            let scale = i64::from(atom.scale);
            (number % scale == 0).then_some(number / scale)
        };
        match atom.kind {
            Kind::Register => named("R", "RZ", 255),
            Kind::Uniform => named("UR", "URZ", (1 << width) - 1),
            Kind::NextUniform => {
                let (number, length) = decimal(text.strip_prefix("UR")?)?;
                Some((number.checked_sub(1)?, 2 + length))
            }
            Kind::Predicate => named("P", "PT", 7),
            Kind::UniformPredicate => named("UP", "UPT", 7),
            Kind::Constant => {
                let (bank, rest) = number_in_brackets(text.strip_prefix('c')?)?;
                let (offset, rest) = number_in_brackets(rest)?;
                (offset <= 0xffff).then_some((bank << 16 | offset, text.len() - rest.len()))
            }
            Kind::Bindless => {
                let (register, rest) = text.strip_prefix("cx[")?.split_once(']')?;
                let register = match register.strip_prefix("UR")? {
                    "Z" => (1 << (width - 16)) - 1,
                    number => decimal(number)?.0,
                };
                let (offset, rest) = number_in_brackets(rest)?;
                (offset <= 0xffff).then_some((register << 16 | offset, text.len() - rest.len()))
            }
            Kind::Barrier => match special::read_state(text) {
                Some(found) => Some(found),
                None => {
                    let (number, length) = decimal(text.strip_prefix('B')?)?;
                    (number < 16).then_some((number, 1 + length))
                }
            },
            Kind::Set => {
                let inner = text.strip_prefix('{')?;
                let end = inner.find('}')?;
                let mut set = 0u64;
                for number in inner[..end].split(',') {
                    let bit: u32 = number.parse().ok().filter(|bit| *bit < width)?;
                    set |= 1 << bit;
                }
                Some((set, end + 2))
            }
            Kind::Decimal => decimal(text),
            Kind::Unsigned => {
                let (number, length) = hexadecimal(text, false)?;
                let number = number as u64;
                let scale = u64::from(atom.scale);
                number
                    .is_multiple_of(scale)
                    .then_some((number / scale, length))
            }
            Kind::Signed => {
                let (number, length) = hexadecimal(text, true)?;
                cut(unscale(number)?, width).map(|number| (number, length))
            }
            Kind::Float(format) => {
                let (read, length) = read_float(text)?;
                Some((format.bits_of(read)?, length))
            }
            Kind::Special => special::read(text).map(|(number, length)| (number.into(), length)),
            Kind::Label => {
                let (distance, length) = self.labels.read(text)?;
                cut(unscale(distance)?, width).map(|number| (number, length))
            }
        }
    }
}

/// How much text an alternative has at least.
fn text_length(pieces: &[Piece]) -> usize {
    let each = |piece: &Piece| match piece {
        Piece::Text(text) => text.len(),
        Piece::Atom(_) => 1,
        _ => 0,
    };
    pieces.iter().map(each).sum()
}

/// The low bits of a number, if it fits with its sign.
fn cut(number: i64, width: u32) -> Option<u64> {
    let bits = match width {
        64.. => number as u64,
        width => number as u64 & ((1 << width) - 1),
    };
    (signed(bits, width) == number).then_some(bits)
}

/// The number of `[0x28]` at the start of a text, and what follows.
fn number_in_brackets(text: &str) -> Option<(u64, &str)> {
    let (inner, rest) = text.strip_prefix('[')?.split_once(']')?;
    let (number, length) = hexadecimal(inner, false)?;
    (length == inner.len()).then_some((number as u64, rest))
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
