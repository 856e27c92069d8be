//! Shapes from shapes: the same operation with another modifier or another kind of operand.

use super::{Shape, Shapes};
use crate::control::Control;
use crate::form::Forms;
use crate::kinds::Counts;
use crate::operand::Value;
use crate::shape::slot::{self, Slot};
use crate::template::{self, Kind, Piece};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use warpc_target::Sm;

/// A shape by its address, a chip, a slot, and a kind of operand.
type OtherKind = (usize, Sm, usize, Kind);

thread_local! {
    /// What this thread was asked for.
    static OTHER_KINDS: RefCell<FxHashMap<OtherKind, Option<&'static Shape>>> = RefCell::default();
}

impl Shape {
    /// The same operation with a modifier, `.FTZ`: the one in its place goes. Nothing if there is no such instruction.
    pub fn with(&self, modifier: &str) -> Option<&'static Shape> {
        let wanted = modifier.strip_prefix('.').unwrap_or(modifier);
        self.changed(modifier, |shape| shape.has(wanted))
    }

    /// The same operation without a modifier. Nothing if there is no such instruction.
    pub fn without(&self, modifier: &str) -> Option<&'static Shape> {
        let unwanted = modifier.strip_prefix('.').unwrap_or(modifier);
        self.changed("", |shape| !shape.has(unwanted))
    }

    /// A shape that differs by one choice, which has this text, and that is wanted.
    fn changed(&self, text: &str, is_wanted: impl Fn(&Shape) -> bool) -> Option<&'static Shape> {
        let sample = self.sample();
        if is_wanted(self) {
            return Shapes::of_form(self.form, self.facts, sample);
        }
        let mut words = Vec::new();
        choices(self.form.pieces(), sample, text, &mut words);
        let mut shapes = words.into_iter().filter_map(|word| {
            let shape = Shapes::of_form(self.form, self.facts, word)?;
            let is_close = shape.modifiers().count().abs_diff(self.modifiers().count()) <= 1;
            (is_close && is_wanted(shape)).then_some(shape)
        });
        shapes.next()
    }

    /// The same operation with the same modifiers on a chip, and an operand of another kind in a slot. Nothing if
    /// there is no such instruction.
    pub fn with_kind(&'static self, sm: Sm, slot: usize, kind: Kind) -> Option<&'static Shape> {
        // What lives for ever is known by its address.
        let key = (std::ptr::from_ref(self).addr(), sm, slot, kind);
        let known = OTHER_KINDS.with_borrow(|known| known.get(&key).copied());
        known.unwrap_or_else(|| {
            let found = self.look_for_kind(sm, slot, kind);
            OTHER_KINDS.with_borrow_mut(|known| known.insert(key, found));
            found
        })
    }

    fn look_for_kind(&self, sm: Sm, slot: usize, kind: Kind) -> Option<&'static Shape> {
        let wanted = |at: usize, one: &Slot| match at == slot {
            true => kind,
            false => one.kind(),
        };
        let is_it = |shape: &&Shape| {
            shape.name == self.name
                && shape.slots.len() == self.slots.len()
                && (self.slots.iter().enumerate())
                    .zip(&shape.slots)
                    .all(|((at, own), other)| wanted(at, own) == other.kind())
        };
        let modifiers = self.base & template::choice_mask(self.form.pieces()) & !self.slot_bits;
        // Each slot is an operand of its kind, so that most forms are told to be others without making shapes.
        let all = (self.slots.iter().enumerate()).fold(Counts::NONE, |all, (at, own)| {
            all.plus(Counts::one(wanted(at, own)))
        });
        // Constants of halves are numbers in brackets: then the digit tells nothing about slots.
        let kinds = self.slots.iter().map(|own| Counts::one(own.kind()));
        let by_digit = (self.form).digit_goes_with(kinds.fold(Counts::NONE, Counts::plus));
        let forms = Forms::get().named(sm, self.opcode());
        let mut forms = forms.filter(|form| {
            (!by_digit || form.digit_goes_with(all)) && form.kinds().can_have_all(all)
        });
        forms.find_map(|form| {
            let own = template::choice_mask(form.pieces());
            let chosen = modifiers & own | form.row.implied_bits & !own;
            let operands = operands(form.pieces(), chosen) & !own;
            let word = chosen | operands | u128::from(form.row.opcode) | ALWAYS;
            let word = LEGAL.put(word) | form.row.no_scoreboard_bits;
            Shapes::of_form(form, self.facts, word).filter(is_it)
        })
    }

    /// A word of the shape.
    fn sample(&self) -> u128 {
        let word = |bits: &dyn Fn(&Slot) -> u128| {
            let all = self
                .slots
                .iter()
                .fold(self.base, |word, slot| word | bits(slot));
            LEGAL.put(all) | ALWAYS | self.form.row.no_scoreboard_bits
        };
        let typical = word(&|slot| slot.bits(typical(slot.kind())).unwrap_or(slot.rest));
        match self.allows_operands(typical) {
            true => typical,
            false => word(&|slot| slot.rest),
        }
    }
}

/// The bits of the guard that is always true.
const ALWAYS: u128 = 7 << 12;

/// A control word that goes with all instructions.
const LEGAL: Control = Control::UNSCHEDULED;

/// An operand of a kind that no text leaves out.
fn typical(kind: Kind) -> Value {
    match kind {
        Kind::Register => Value::Register(4),
        Kind::Uniform | Kind::NextUniform => Value::Uniform(4),
        Kind::Predicate | Kind::PredicateFromLast => Value::Predicate(2),
        Kind::UniformPredicate | Kind::UniformPredicateFromLast => Value::UniformPredicate(2),
        Kind::Constant => Value::Constant {
            bank: 0,
            offset: 0x28,
        },
        Kind::Bindless => Value::Bindless {
            base: 4,
            offset: 0x28,
        },
        Kind::Barrier => Value::Barrier(2),
        Kind::Set | Kind::Unsigned | Kind::Signed | Kind::Decimal => Value::Number(4),
        Kind::Float(_) => Value::Number(0x3c00),
        Kind::Special => Value::Special(0),
        Kind::Label => Value::Place(0),
    }
}

/// Words that differ from a word by the alternative of one choice on its way that is this text.
fn choices(pieces: &[Piece], word: u128, text: &str, found: &mut Vec<u128>) {
    for piece in pieces {
        match piece {
            Piece::Choice(field, choices_here) => {
                let alternatives = (0..).zip(choices_here.all());
                for (value, body) in alternatives {
                    let same = match body {
                        Some([]) => text.is_empty(),
                        Some([Piece::Text(one)]) => *one == text,
                        _ => false,
                    };
                    if same {
                        found.push(field.set(word, value));
                    }
                }
                if let Some(body) = choices_here.body(field.get(word)) {
                    choices(body, word, text, found);
                }
            }
            Piece::If(field, values, body) if values.contains(&field.get(word)) => {
                choices(body, word, text, found);
            }
            Piece::Unless(field, value, body) if field.get(word) != *value => {
                choices(body, word, text, found);
            }
            Piece::Hidden(body) => choices(body, word, text, found),
            _ => {}
        }
    }
}

/// The bits of operands that no text leaves out, where a template has them with the choices of a word.
fn operands(pieces: &[Piece], word: u128) -> u128 {
    pieces.iter().fold(0, |bits, piece| {
        let more = match piece {
            Piece::Text(_) | Piece::Never => 0,
            Piece::Atom(atom) => {
                let number = slot::number(atom, typical(atom.kind));
                atom.field.bits(number.unwrap_or(0))
            }
            Piece::Choice(field, choices) => {
                operands(choices.body(field.get(word)).unwrap_or(&[]), word)
            }
            Piece::If(_, _, body) | Piece::Unless(_, _, body) | Piece::Hidden(body) => {
                operands(body, word)
            }
        };
        bits | more
    })
}
