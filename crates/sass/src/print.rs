//! Words to text: a template filled with the bits of a word.

use crate::form::{Form, Forms};
use crate::special;
use crate::template::{Atom, Kind, Piece, Signs};
use std::fmt::Write;
use warpc_target::Sm;

/// What a printer must know besides the word.
pub trait Place {
    /// The text of a place in the code, given as a distance from the next instruction.
    fn label(&self, distance: i64) -> String;

    /// Whether what nvdisasm leaves out is printed.
    fn is_full(&self) -> bool {
        false
    }
}

/// An instruction alone, at an address: places are numbers.
#[derive(Clone, Copy, Debug)]
pub struct At(pub u64);

impl Place for At {
    fn label(&self, distance: i64) -> String {
        let target = (self.0 as i64).wrapping_add(16).wrapping_add(distance);
        match target < 0 {
            true => format!("-{:#x}", target.unsigned_abs()),
            false => format!("{target:#x}"),
        }
    }
}

/// The text of a word on a chip, with its guard and without the semicolon; nothing if there is no such
/// instruction.
pub fn text(sm: Sm, word: u128, place: &impl Place) -> Option<String> {
    let form = Forms::get().of(sm, word)?;
    form_text(form, word, place)
}

/// The same with what nvdisasm leaves out: a text that gives the word again.
pub fn full_text(sm: Sm, word: u128, place: &impl Place) -> Option<String> {
    let form = Forms::get().of(sm, word)?;
    form_text(form, word, &Full(place))
}

/// A place whose instructions are printed in full.
struct Full<'p, P>(&'p P);

impl<P: Place> Place for Full<'_, P> {
    fn label(&self, distance: i64) -> String {
        self.0.label(distance)
    }

    fn is_full(&self) -> bool {
        true
    }
}

/// The text of a word of a form.
pub fn form_text(form: &Form, word: u128, place: &impl Place) -> Option<String> {
    // Bits that no field covers mean something that the row does not know.
    if (word ^ form.row.unsaid) & !form.covered != 0 {
        return None;
    }
    let mut out = String::with_capacity(64);
    let (number, negated) = (word >> 12 & 7, word >> 15 & 1 == 1);
    if number != 7 || negated {
        let uniform = if form.is_uniform() { "U" } else { "" };
        let not = if negated { "!" } else { "" };
        let _ = match number {
            7 => write!(out, "@{not}{uniform}PT "),
            number => write!(out, "@{not}{uniform}P{number} "),
        };
    }
    pieces(&form.pieces, word, place, &mut out)?;
    Some(out)
}

fn pieces(all: &[Piece], word: u128, place: &impl Place, out: &mut String) -> Option<()> {
    for piece in all {
        match piece {
            Piece::Text(text) => out.push_str(text),
            Piece::Atom(one) => atom(one, word, place, out)?,
            Piece::Choice(field, bodies) => {
                let body = bodies.get(field.get(word) as usize)?.as_ref()?;
                pieces(body, word, place, out)?;
            }
            Piece::If(field, values, body) => {
                if values.contains(&field.get(word)) {
                    pieces(body, word, place, out)?;
                }
            }
            Piece::Unless(field, value, body) => {
                if field.get(word) != *value {
                    pieces(body, word, place, out)?;
                }
            }
            Piece::Never => return None,
            Piece::Hidden(body) => {
                if place.is_full() {
                    pieces(body, word, place, out)?;
                }
            }
        }
    }
    Some(())
}

fn atom(atom: &Atom, word: u128, place: &impl Place, out: &mut String) -> Option<()> {
    let Signs {
        minus,
        bars,
        tilde,
        not,
        reuse,
    } = atom.signs;
    let set = |bit: Option<crate::field::Field>| bit.is_some_and(|bit| bit.get(word) == 1);
    for (bit, sign) in [(not, '!'), (minus, '-'), (tilde, '~'), (bars, '|')] {
        if set(bit) {
            out.push(sign);
        }
    }
    let value = atom.field.get(word);
    let scale = i64::from(atom.scale);
    let _ = match atom.kind {
        Kind::Register => named(out, "R", value, 255),
        Kind::Uniform => named(out, "UR", value, (1 << atom.field.width()) - 1),
        Kind::NextUniform if (value + 2) >> atom.field.width() == 0 => {
            write!(out, "UR{}", value + 1)
        }
        Kind::NextUniform => return None,
        Kind::Predicate if value == 7 => write!(out, "PT"),
        Kind::Predicate => write!(out, "P{value}"),
        Kind::UniformPredicate if value == 7 => write!(out, "UPT"),
        Kind::UniformPredicate => write!(out, "UP{value}"),
        Kind::Constant => write!(out, "c[{:#x}][{:#x}]", value >> 16, value & 0xffff),
        Kind::Bindless => {
            out.push_str("cx[");
            let _ = named(out, "UR", value >> 16, (1 << (atom.field.width() - 16)) - 1);
            write!(out, "][{:#x}]", value & 0xffff)
        }
        Kind::Barrier => match special::state_name(value) {
            Some(name) => write!(out, "{name}"),
            None if value < 16 => write!(out, "B{value}"),
            None => return None,
        },
        Kind::Set => {
            let bits = (0..atom.field.width()).rev();
            let bits = bits.filter(|bit| value >> bit & 1 == 1);
            let bits: Vec<String> = bits.map(|bit| bit.to_string()).collect();
            write!(out, "{{{}}}", bits.join(","))
        }
        Kind::Unsigned => write!(out, "{:#x}", value.wrapping_mul(scale as u64)),
        Kind::Decimal => write!(out, "{value}"),
        Kind::Signed => {
            let value = signed(value, atom.field.width()).wrapping_mul(scale);
            match value < 0 {
                true => write!(out, "-{:#x}", value.unsigned_abs()),
                false => write!(out, "{value:#x}"),
            }
        }
        Kind::Float(format) if place.is_full() => write!(out, "{}", format.full_text(value)),
        Kind::Float(format) => write!(out, "{}", format.text(value)),
        Kind::Special => write!(out, "{}", special::name(value as u8)?),
        Kind::Label => {
            let distance = signed(value, atom.field.width()).wrapping_mul(scale);
            write!(out, "{}", place.label(distance))
        }
    };
    if set(bars) {
        out.push('|');
    }
    if set(reuse) {
        out.push_str(".reuse");
    }
    Some(())
}

fn named(out: &mut String, prefix: &str, value: u64, zero: u64) -> std::fmt::Result {
    match value == zero {
        true => write!(out, "{prefix}Z"),
        false => write!(out, "{prefix}{value}"),
    }
}

/// A number of so many bits with its sign.
pub(crate) fn signed(value: u64, width: u32) -> i64 {
    let unused = 64 - width.clamp(1, 64);
    ((value << unused) as i64) >> unused
}
