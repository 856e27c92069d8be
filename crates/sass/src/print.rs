//! Words and instructions to text.

use crate::encode::{Misfit, guard_bits};
use crate::field::Field;
use crate::form::{Form, Forms};
use crate::inst::{Guard, Inst};
use crate::operand::{Marks, Operand, Value};
use crate::special;
use crate::template::{Atom, Kind};
use crate::walk::{Sink, walk};
use smallvec::SmallVec;
use std::fmt::Write;
use warpc_target::Sm;

/// What stands for places and symbols in a text.
#[derive(Clone, Copy, Debug)]
pub struct Names<'n> {
    /// The address of the instruction, from which places that have no label are counted.
    pub address: u64,
    /// The texts of labels by number, without quotes around them.
    pub labels: &'n [String],
    /// The texts of symbols by number, as they stand in the place of a number.
    pub symbols: &'n [String],
}

impl Names<'static> {
    /// An instruction alone, at an address: places are numbers.
    pub fn at(address: u64) -> Names<'static> {
        Names {
            address,
            labels: &[],
            symbols: &[],
        }
    }
}

/// How much a text says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// What nvdisasm says.
    Nvdisasm,
    /// That, and what nvdisasm leaves out: a text that gives the word again.
    Full,
}

/// The text of a word on a chip as nvdisasm prints it, with its guard and without the semicolon; nothing if there is
/// no such instruction.
pub fn text(sm: Sm, word: u128, address: u64) -> Option<String> {
    let form = Forms::get().of(sm, word)?;
    form_text(form, word, address, Style::Nvdisasm)
}

/// The same with what nvdisasm leaves out: a text that gives the word again.
pub fn full_text(sm: Sm, word: u128, address: u64) -> Option<String> {
    let form = Forms::get().of(sm, word)?;
    form_text(form, word, address, Style::Full)
}

/// The text of an instruction, with all that it says.
pub fn inst(inst: &Inst, names: &Names) -> Result<String, Misfit> {
    styled(inst, names, Style::Full)
}

/// The text of an instruction in a style.
pub fn styled(inst: &Inst, names: &Names, style: Style) -> Result<String, Misfit> {
    let shape = inst.shape;
    let mut word = shape.base() | guard_bits(inst.guard);
    let mut unplaced = SmallVec::new();
    for (index, (slot, operand)) in shape.slots().iter().zip(&inst.operands).enumerate() {
        match operand.value {
            Value::Label(_) | Value::Symbol(_) => unplaced.push((slot.atom, operand.value)),
            value => word |= slot.bits(value).ok_or(Misfit::Operand(index))?,
        }
        word |= slot.atom.signs.bits(operand.marks);
    }
    let word = inst.control.put(word & !crate::control::MASK) | word;
    let mut out = Text::new(*names, style);
    out.unplaced = unplaced;
    guard(&mut out.out, inst.guard);
    walk(shape.form(), word, &mut out).ok_or(Misfit::Together)?;
    Ok(out.out)
}

/// The text of a word of a form.
fn form_text(form: &Form, word: u128, address: u64, style: Style) -> Option<String> {
    let mut text = Text::new(Names::at(address), style);
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
    match guard.uniform {
        true => predicate(out, "U", guard.predicate),
        false => predicate(out, "", guard.predicate),
    }
    out.push(' ');
}

/// A text that grows.
struct Text<'n> {
    out: String,
    names: Names<'n>,
    style: Style,
    /// The operands that have no numbers yet: what the template has there, and what they are.
    unplaced: SmallVec<[(Atom, Value); 1]>,
}

impl<'n> Text<'n> {
    fn new(names: Names<'n>, style: Style) -> Text<'n> {
        Text {
            out: String::with_capacity(64),
            names,
            style,
            unplaced: SmallVec::new(),
        }
    }

    /// The text that stands for a label or a symbol.
    fn name(&self, value: Value) -> &'n str {
        let name = match value {
            Value::Label(number) => self.names.labels.get(number as usize),
            Value::Symbol(number) => self.names.symbols.get(number as usize),
            _ => None,
        };
        name.map_or("?", String::as_str)
    }

    /// Puts a label or a symbol where the template has an operand.
    fn unplaced(&mut self, atom: &Atom, value: Value) {
        let name = self.name(value);
        match atom.kind {
            // The bank is the symbol's.
            Kind::Constant => {
                self.out.push_str("c[");
                self.out.push_str(name);
                self.out.push(']');
            }
            // A register that has no number yet: what is around it stays.
            Kind::Register | Kind::Uniform | Kind::NextUniform => self.out.push_str(name),
            _ => {
                self.drop_bank();
                self.drop_zero();
                self.out.push_str(name);
            }
        }
    }

    /// `c[0x3][R4+`: the bank is the symbol's.
    fn drop_bank(&mut self) {
        let Some(start) = self.out.rfind("c[").filter(|_| !self.out.contains("desc[")) else {
            return;
        };
        let open = &self.out[start + 2..];
        if let Some(end) = open.find("][").filter(|_| !open.ends_with(']')) {
            self.out.replace_range(start + 2..start + 2 + end + 2, "");
            // A register that is always zero is not shown here.
            let rest = &self.out[start + 2..];
            if rest == "URZ+" || rest == "RZ+" {
                self.out.truncate(start + 2);
            }
        }
    }

    /// `[RZ+`: a register that is always zero is not shown in front of a symbol.
    fn drop_zero(&mut self) {
        if self.out.ends_with("[RZ+") {
            self.out.truncate(self.out.len() - "RZ+".len());
        }
    }
}

impl Sink for Text<'_> {
    fn is_full(&self) -> bool {
        self.style == Style::Full
    }

    fn text(&mut self, text: &'static str) {
        // The short name is for a number that is known.
        let is_number = |kind: Kind| !matches!(kind, Kind::Register | Kind::Uniform);
        let mut unplaced = self.unplaced.iter();
        if text == ".MOV" && unplaced.any(|(atom, _)| is_number(atom.kind)) {
            return;
        }
        self.out.push_str(text);
    }

    fn operand(&mut self, atom: &Atom, operand: Operand) {
        let Operand { value, marks } = operand;
        let mut unplaced = self.unplaced.iter();
        let symbol = unplaced
            .find(|(unplaced, _)| unplaced.field == atom.field)
            .map(|one| one.1);
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
        match (symbol, value) {
            (Some(symbol), _) => self.unplaced(atom, symbol),
            (None, Value::Place(distance)) => {
                let next = (self.names.address as i64).wrapping_add(16);
                signed(&mut self.out, next.wrapping_add(distance));
            }
            (None, value) => number(&mut self.out, atom.kind, value, self.style),
        }
        if marks.has(Marks::BARS) {
            self.out.push('|');
        }
        if marks.has(Marks::REUSE) {
            self.out.push_str(".reuse");
        }
    }

    fn value(&self, field: Field, word: u128) -> u64 {
        let mut unplaced = self.unplaced.iter();
        // Whatever it will be, it is not what would be left out.
        match unplaced.any(|(atom, _)| atom.field.mask() & field.mask() != 0) {
            true => 1,
            false => field.get(word),
        }
    }
}

/// An operand that reads the same everywhere.
fn number(out: &mut String, kind: Kind, value: Value, style: Style) {
    match (kind, value) {
        (_, Value::Register(255)) => out.push_str("RZ"),
        (_, Value::Register(number)) => named(out, "R", number),
        (_, Value::Uniform(number)) => uniform(out, number),
        (_, Value::Predicate(number)) => predicate(out, "", number),
        (_, Value::UniformPredicate(number)) => predicate(out, "U", number),
        (_, Value::Barrier(number)) => match special::state_name(number.into()) {
            Some(name) => out.push_str(name),
            None => named(out, "B", number),
        },
        (_, Value::Constant { bank, offset }) => {
            out.push_str("c[");
            hexadecimal(out, bank.into());
            out.push_str("][");
            signed(out, offset.into());
            out.push(']');
        }
        (_, Value::Bindless { base, offset }) => {
            out.push_str("cx[");
            uniform(out, base);
            out.push_str("][");
            signed(out, offset.into());
            out.push(']');
        }
        (Kind::Set, Value::Number(set)) => {
            out.push('{');
            let mut separator = "";
            for bit in (0..64u8).rev().filter(|bit| set >> bit & 1 == 1) {
                named(out, separator, bit);
                separator = ",";
            }
            out.push('}');
        }
        // Writing to a string does not fail.
        (Kind::Decimal, Value::Number(number)) => {
            let _ = write!(out, "{}", number as u64);
        }
        (Kind::Float(format), Value::Number(bits)) => out.push_str(&match style {
            Style::Full => format.full_text(bits as u64),
            Style::Nvdisasm => format.text(bits as u64),
        }),
        (Kind::Signed, Value::Number(number)) | (_, Value::Place(number)) => signed(out, number),
        (_, Value::Number(number)) => hexadecimal(out, number as u64),
        (_, Value::Special(number)) => out.push_str(&special::name(number)),
        // They are put where they stand.
        (_, Value::Label(_) | Value::Symbol(_)) => {}
    }
}

fn uniform(out: &mut String, number: u8) {
    match number {
        255 => out.push_str("URZ"),
        number => named(out, "UR", number),
    }
}

fn predicate(out: &mut String, before: &str, number: u8) {
    out.push_str(before);
    match number {
        7 => out.push_str("PT"),
        number => named(out, "P", number),
    }
}

/// A number below 256 after a text.
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
