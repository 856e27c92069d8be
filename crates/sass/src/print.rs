//! Words and instructions to text.

use crate::decode::{Sink, walk};
use crate::form::{Form, Forms};
use crate::inst::{Guard, Inst, Marks, Operand, Part};
use crate::special;
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
        let mut out = String::new();
        signed(&mut out, target);
        out
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

/// The text of an instruction, with all that it says.
pub fn inst(inst: &Inst, place: &impl Place) -> String {
    let mut text = Text {
        out: String::with_capacity(64),
        place: &Full(place),
    };
    guard(&mut text.out, inst.guard);
    for part in &inst.parts {
        match part {
            Part::Text(part) => text.text(part),
            Part::Operand(operand, marks) => text.operand(*operand, *marks),
        }
    }
    text.out
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
fn form_text(form: &Form, word: u128, place: &impl Place) -> Option<String> {
    let mut text = Text {
        out: String::with_capacity(64),
        place,
    };
    guard(&mut text.out, Guard::of(word, form.is_uniform()));
    walk(form, word, &mut text)?;
    Some(text.out)
}

fn guard(out: &mut String, guard: Guard) {
    if guard == Guard::ALWAYS {
        return;
    }
    out.push('@');
    if guard.not {
        out.push('!');
    }
    let operand = match guard.uniform {
        true => Operand::UniformPredicate(guard.predicate),
        false => Operand::Predicate(guard.predicate),
    };
    number(out, operand);
    out.push(' ');
}

/// A text that grows.
struct Text<'p, P> {
    out: String,
    place: &'p P,
}

impl<P: Place> Sink for Text<'_, P> {
    fn is_full(&self) -> bool {
        self.place.is_full()
    }

    fn text(&mut self, text: &'static str) {
        self.out.push_str(text);
    }

    fn operand(&mut self, operand: Operand, marks: Marks) {
        for (mark, sign) in [
            (Marks::NOT, '!'),
            (Marks::MINUS, '-'),
            (Marks::TILDE, '~'),
            (Marks::BARS, '|'),
        ] {
            if marks.has(mark) {
                self.out.push(sign);
            }
        }
        match operand {
            Operand::Place(distance) => self.out.push_str(&self.place.label(distance)),
            Operand::Float(format, bits) => {
                let text = match self.place.is_full() {
                    true => format.full_text(bits.into()),
                    false => format.text(bits.into()),
                };
                self.out.push_str(&text);
            }
            operand => number(&mut self.out, operand),
        }
        if marks.has(Marks::BARS) {
            self.out.push('|');
        }
        if marks.has(Marks::REUSE) {
            self.out.push_str(".reuse");
        }
    }
}

/// An operand that reads the same everywhere.
fn number(out: &mut String, operand: Operand) {
    match operand {
        Operand::Register(255) => out.push_str("RZ"),
        Operand::Register(number) => named(out, "R", number),
        Operand::Uniform(255) => out.push_str("URZ"),
        Operand::Uniform(number) => named(out, "UR", number),
        Operand::Predicate(7) => out.push_str("PT"),
        Operand::Predicate(number) => named(out, "P", number),
        Operand::UniformPredicate(7) => out.push_str("UPT"),
        Operand::UniformPredicate(number) => named(out, "UP", number),
        Operand::Barrier(number) => match special::state_name(number.into()) {
            Some(name) => out.push_str(name),
            None => named(out, "B", number),
        },
        Operand::Constant { bank, offset } => {
            out.push_str("c[");
            hexadecimal(out, bank.into());
            out.push_str("][");
            signed(out, offset.into());
            out.push(']');
        }
        Operand::Bindless { base, offset } => {
            out.push_str("cx[");
            number(out, Operand::Uniform(base));
            out.push_str("][");
            signed(out, offset.into());
            out.push(']');
        }
        Operand::Set(set) => {
            out.push('{');
            let mut separator = "";
            for bit in (0..64u8).rev().filter(|bit| set >> bit & 1 == 1) {
                named(out, separator, bit);
                separator = ",";
            }
            out.push('}');
        }
        Operand::Unsigned(number) => hexadecimal(out, number),
        Operand::Signed(number) => signed(out, number),
        // Writing to a string does not fail.
        Operand::Decimal(number) => {
            let _ = write!(out, "{number}");
        }
        Operand::Special(number) => out.push_str(&special::name(number)),
        // These depend on the place, and are printed there.
        Operand::Place(number) => signed(out, number),
        Operand::Float(_, bits) => hexadecimal(out, bits.into()),
    }
}

/// A number below 256 behind a text.
fn named(out: &mut String, prefix: &str, number: u8) {
    out.push_str(prefix);
    if number >= 100 {
        out.push(char::from(b'0' + number / 100));
    }
    if number >= 10 {
        out.push(char::from(b'0' + number / 10 % 10));
    }
    out.push(char::from(b'0' + number % 10));
}

fn hexadecimal(out: &mut String, number: u64) {
    out.push_str("0x");
    let digits = (67 - (number | 1).leading_zeros()) / 4;
    for digit in (0..digits).rev() {
        let digit = (number >> (4 * digit) & 15) as u8;
        out.push(char::from(b"0123456789abcdef"[usize::from(digit)]));
    }
}

fn signed(out: &mut String, number: i64) {
    if number < 0 {
        out.push('-');
    }
    hexadecimal(out, number.unsigned_abs());
}
