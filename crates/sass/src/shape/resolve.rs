//! A template with the modifiers of a word chosen: what is left are slots.
//!
//! A condition or choice is decided by the bits of the word unless its bits belong to an operand on the way that is
//! taken; then what stands in it is a slot whatever the operand is. Which bits belong to operands depends on the way,
//! and the way on that: the walk is done again until both agree, from all bits that are an operand's on any way.

use super::slot::{Slot, Width};
use crate::control::SCHEDULE;
use crate::field::Field;
use crate::form::{Form, GUARD};
use crate::latency::{File, Role, widths};
use crate::template::{self, Atom, Kind, Piece};

/// A template whose modifiers are chosen.
pub(super) struct Resolved {
    pub slots: Vec<Slot>,
    pub name: String,
    pub rules: Rules,
}

/// What operands must not be together.
#[derive(Default)]
pub(super) struct Rules {
    /// All of these hold.
    simple: Vec<Rule>,
    /// Where one of these does not hold, the template has to be walked: modifiers stand there that depend on operands.
    walk_unless: Vec<Rule>,
    /// The template has to be walked in any case: rules depend on each other.
    walk: bool,
}

impl Rules {
    /// Whether the operands of a word go together; nothing if the template has to be walked.
    pub fn allow(&self, word: u128) -> Option<bool> {
        if self.walk || !self.walk_unless.iter().all(|rule| rule.allows(word)) {
            return None;
        }
        Some(self.simple.iter().all(|rule| rule.allows(word)))
    }
}

/// A field that has one of these values, or none of them.
struct Rule {
    field: Field,
    values: Vec<u64>,
    wanted: bool,
}

impl Rule {
    fn allows(&self, word: u128) -> bool {
        self.values.contains(&self.field.get(word)) == self.wanted
    }
}

/// Resolves a word of a form, which must be an instruction.
pub(super) fn resolve(form: &Form, word: u128) -> Resolved {
    let mut operand_bits = template::atom_mask(form.pieces());
    loop {
        let mut reader = Reader::new(form, word, operand_bits);
        reader.pieces(form.pieces(), false);
        // Fewer bits decide more conditions, and those take away bits: this ends.
        if reader.mask == operand_bits {
            return reader.done(form, word);
        }
        operand_bits &= reader.mask;
    }
}

struct Reader {
    word: u128,
    /// The bits that are taken to be those of operands.
    operand_bits: u128,
    /// The bits of the operands that were found.
    mask: u128,
    name: String,
    in_name: bool,
    /// The text before the next operand.
    before: &'static str,
    /// Whether that is inside brackets, and those of an address.
    brackets: Option<bool>,
    /// Whether an operand was the last thing, and which.
    fresh: Option<usize>,
    slots: Vec<Slot>,
    rules: Rules,
    implied: u128,
}

impl Reader {
    fn new(form: &Form, word: u128, operand_bits: u128) -> Reader {
        Reader {
            word,
            operand_bits,
            mask: 0,
            name: String::new(),
            in_name: true,
            before: "",
            brackets: None,
            fresh: None,
            slots: Vec::new(),
            rules: Rules::default(),
            implied: form.row.implied_bits,
        }
    }

    /// Reads pieces; `open` says that it depends on an operand whether they are there.
    fn pieces(&mut self, pieces: &[Piece], open: bool) {
        for piece in pieces {
            match piece {
                Piece::Text(text) => self.text(text, open),
                Piece::Atom(atom) => self.atom(atom),
                Piece::Choice(field, choices) => {
                    let body = choices.body(field.get(self.word));
                    self.pieces(body.unwrap_or(&[]), open);
                }
                Piece::If(field, values, body) => {
                    let holds = values.contains(&field.get(self.word));
                    self.condition(*field, values, false, holds, body, open);
                }
                Piece::Unless(field, value, body) => {
                    let holds = field.get(self.word) != *value;
                    self.condition(*field, &[*value], true, holds, body, open);
                }
                Piece::Hidden(body) => self.pieces(body, open),
                Piece::Never => self.rules.walk = true,
            }
        }
    }

    /// A condition: `unless` says that the body is there unless the field has one of the values.
    fn condition(
        &mut self,
        field: Field,
        values: &[u64],
        unless: bool,
        holds: bool,
        body: &[Piece],
        open: bool,
    ) {
        // What the control word is, a shape does not say.
        let on_operand = field.mask() & (self.operand_bits | SCHEDULE | GUARD) != 0;
        let rule = |wanted: bool| Rule {
            field,
            values: values.to_vec(),
            wanted,
        };
        match body {
            // The word is an instruction: what its modifiers exclude is not there.
            [Piece::Never] if !on_operand && !open => {}
            [Piece::Never] if open => self.rules.walk = true,
            [Piece::Never] => self.rules.simple.push(rule(unless)),
            _ if on_operand => {
                if template::choice_mask(body) != 0 {
                    self.rules.walk_unless.push(rule(!unless));
                }
                self.pieces(body, true);
            }
            _ if holds => self.pieces(body, open),
            _ => {}
        }
    }

    fn text(&mut self, text: &'static str, open: bool) {
        if text.is_empty() {
            return;
        }
        if self.in_name {
            let end = text.find(' ');
            // A name that depends on operands is the text's only.
            if !open {
                self.name.push_str(&text[..end.unwrap_or(text.len())]);
            }
            self.in_name = end.is_none();
        }
        // `R4.64`: a pair.
        if let Some(slot) = self.fresh.and_then(|slot| self.slots.get_mut(slot))
            && (text.starts_with(".64") || text.starts_with(".F32x2"))
            && slot.width == Width::Registers(1)
        {
            slot.width = Width::Registers(2);
        }
        self.fresh = None;
        self.before = text;
        for (at, sign) in text.char_indices() {
            match sign {
                '[' => {
                    self.brackets = Some(!text[..at].ends_with(|c: char| c.is_ascii_lowercase()))
                }
                ']' => self.brackets = None,
                _ => {}
            }
        }
    }

    fn atom(&mut self, atom: &Atom) {
        self.in_name = false;
        self.mask |= atom.mask;
        let known = self
            .slots
            .iter()
            .position(|slot| slot.atom.field == atom.field);
        if let Some(known) = known {
            let slot = &mut self.slots[known];
            if (slot.atom.kind, atom.kind) == (Kind::Unsigned, Kind::Signed) {
                (slot.atom.kind, slot.either_sign) = (Kind::Signed, true);
            }
            // The register after it is read too.
            if (slot.atom.kind, atom.kind) == (Kind::Uniform, Kind::NextUniform) {
                slot.width = Width::Registers(2);
            }
            self.fresh = Some(known);
            return;
        }
        let start = atom.field.mask().trailing_zeros() as u8;
        let file = match atom.kind {
            Kind::Register => Some(File::Register),
            Kind::Predicate | Kind::PredicateFromLast => Some(File::Predicate),
            Kind::UniformPredicate | Kind::UniformPredicateFromLast => Some(File::UniformPredicate),
            Kind::Uniform | Kind::NextUniform | Kind::Bindless => Some(File::Uniform),
            _ => None,
        };
        let role = match (atom.kind, start) {
            (Kind::Predicate | Kind::UniformPredicate, 81 | 84) => Role::Result,
            (Kind::Register | Kind::Uniform, 16) => Role::Result,
            (Kind::Bindless, _) => Role::Bindless,
            (_, start) => Role::Source(start),
        };
        // Descriptors are pairs.
        let described = self.before.ends_with("desc[") || self.before.ends_with("default[");
        let is_pair = described && atom.kind == Kind::Uniform || atom.kind == Kind::Bindless;
        self.fresh = Some(self.slots.len());
        self.slots.push(Slot {
            atom: *atom,
            either_sign: false,
            rest: self.rest(atom),
            in_address: self.brackets == Some(true),
            file,
            role,
            width: Width::Registers(if is_pair { 2 } else { 1 }),
        });
    }

    /// The bits of an operand where nothing is specified: those that the row implies, else the register that is zero
    /// and the predicate that is true.
    fn rest(&self, atom: &Atom) -> u128 {
        let implied = self.implied & atom.field.mask();
        let is_named = matches!(
            atom.kind,
            Kind::Register | Kind::Uniform | Kind::Predicate | Kind::UniformPredicate
        );
        match implied {
            0 if is_named => atom.field.mask(),
            implied => implied,
        }
    }

    fn done(mut self, form: &Form, word: u128) -> Resolved {
        widths::apply(form, &self.name, word, &mut self.slots);
        Resolved {
            slots: self.slots,
            name: self.name,
            rules: self.rules,
        }
    }
}
