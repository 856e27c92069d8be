//! Slots: where the operands of a shape are in the word, and what they are to the instruction.

use crate::latency::{File, Role};
use crate::operand::{Marks, Operand, Value};
use crate::special;
use crate::template::{Atom, Kind};

/// A place for an operand.
#[derive(Clone, PartialEq, Debug)]
pub struct Slot {
    /// Its bits, and what they mean.
    pub(crate) atom: Atom,
    /// Whether its number is printed with a sign in some texts and without one in others: both ranges fit.
    pub(crate) either_sign: bool,
    /// The bits that a word has here where nothing is specified.
    pub(crate) rest: u128,
    /// Whether it is part of an address, in brackets.
    pub in_address: bool,
    /// The registers or predicates that it names.
    pub file: Option<File>,
    /// What it is to the instruction.
    pub role: Role,
    /// How many registers it has.
    pub width: Width,
}

/// The first of the bits that keep a source in the operand cache.
const FIRST_REUSE: u8 = 122;

/// How many registers an operand has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Width {
    /// So many.
    Registers(u8),
    /// The first two of those that the mask of a texture instruction has.
    MaskLow,
    /// The others of them.
    MaskHigh,
}

/// The bits of the mask that says which components of a texel are read.
const TEXEL_MASK: (u32, u128) = (72, 0xf);

impl Width {
    /// How many registers that is in a word.
    pub fn registers(self, word: u128) -> u8 {
        let components = || (word >> TEXEL_MASK.0 & TEXEL_MASK.1).count_ones() as u8;
        match self {
            Width::Registers(count) => count,
            Width::MaskLow => components().min(2),
            Width::MaskHigh => components().saturating_sub(2),
        }
    }
}

/// The slot with the mask of components, if some slot has as many registers as that says.
pub(super) fn texel_mask(slots: &[Slot]) -> Option<u8> {
    let mut widths = slots.iter().map(|slot| slot.width);
    let is_asked = widths.any(|one| !matches!(one, Width::Registers(_)));
    let at = |slot: &Slot| u32::from(slot.bit()) == TEXEL_MASK.0;
    let slot = slots.iter().position(at)?;
    is_asked.then_some(slot as u8)
}

impl Slot {
    /// What kind of operand stands here.
    pub fn kind(&self) -> Kind {
        self.atom.kind
    }

    /// The first bit of its number.
    pub fn bit(&self) -> u8 {
        self.atom.field.mask().trailing_zeros() as u8
    }

    /// Whether a bit of the word belongs to its number.
    pub fn has_bit(&self, bit: u8) -> bool {
        self.atom.field.mask() >> bit & 1 == 1
    }

    /// What can be done to the operand first.
    pub fn marks(&self) -> Marks {
        self.atom.signs.marks()
    }

    /// Which source of the instruction the operand cache keeps it as, from 0 on; nothing if it cannot keep it.
    pub fn reuse_place(&self) -> Option<u8> {
        self.atom.signs.reuse_bit()?.checked_sub(FIRST_REUSE)
    }

    /// Whether the instruction writes it.
    pub fn is_written(&self) -> bool {
        self.role == Role::Result
    }

    /// What the number of the first register must be a multiple of.
    pub fn alignment(&self) -> u8 {
        match self.width {
            Width::Registers(count) => 1 << count.trailing_zeros().min(2),
            Width::MaskLow | Width::MaskHigh => 1,
        }
    }

    /// Whether a value can stand here.
    pub fn fits(&self, value: Value) -> bool {
        self.bits(value).is_some()
    }

    /// Whether some numbers are not an operand.
    pub(super) fn is_partial(&self) -> bool {
        matches!(self.atom.kind, Kind::NextUniform | Kind::Barrier)
    }

    /// The operand of a word.
    pub(crate) fn operand(&self, word: u128) -> Option<Operand> {
        Some(value(&self.atom, word)?.marked(self.atom.signs.get(word)))
    }

    /// What an operand is where nothing is specified.
    pub(crate) fn rest(&self) -> Operand {
        let zero = Value::Number(0);
        value(&self.atom, self.rest).unwrap_or(zero).into()
    }

    /// The bits of a value; nothing if it cannot stand here.
    pub(crate) fn bits(&self, value: Value) -> Option<u128> {
        let mut number = number(&self.atom, value);
        if number.is_none() && self.either_sign {
            let unsigned = Atom {
                kind: Kind::Unsigned,
                ..self.atom
            };
            number = self::number(&unsigned, value);
        }
        let (_, bits) = self.atom.field.mask_and_bits(number?)?;
        Some(bits)
    }
}

/// The value of an atom in a word; nothing if there is no such one.
pub(crate) fn value(atom: &Atom, word: u128) -> Option<Value> {
    let value = atom.field.get(word);
    // Most operands are registers: nothing else is worked out for them.
    if atom.kind == Kind::Register {
        return Some(Value::Register(value as u8));
    }
    let width = atom.field.width();
    let scale = i64::from(atom.scale);
    let uniform = |number: u64, width: u32| match number == (1 << width) - 1 {
        true => 255,
        false => number as u8,
    };
    let offset = || (signed(value, atom.offset_width()) * scale) as i32;
    Some(match atom.kind {
        Kind::Register => Value::Register(value as u8),
        Kind::Uniform => Value::Uniform(uniform(value, width)),
        Kind::NextUniform if (value + 2) >> width == 0 => Value::Uniform(value as u8 + 1),
        Kind::NextUniform => return None,
        Kind::Predicate => Value::Predicate(value as u8),
        Kind::UniformPredicate => Value::UniformPredicate(value as u8),
        Kind::PredicateFromLast => Value::Predicate(7 - value as u8),
        Kind::UniformPredicateFromLast => Value::UniformPredicate(7 - value as u8),
        Kind::Constant => Value::Constant {
            bank: (value >> atom.offset_width()) as u8,
            offset: offset(),
        },
        Kind::Bindless => Value::Bindless {
            base: uniform(value >> atom.offset_width(), width - atom.offset_width()),
            // This one has no sign.
            offset: offset() & 0xffff,
        },
        Kind::Barrier if value < 16 || special::state_name(value).is_some() => {
            Value::Barrier(value as u8)
        }
        Kind::Barrier => return None,
        Kind::Set | Kind::Decimal | Kind::Float(_) => Value::Number(value as i64),
        Kind::Unsigned => Value::Number(value.wrapping_mul(scale as u64) as i64),
        Kind::Signed => Value::Number(signed(value, width).wrapping_mul(scale)),
        Kind::Special => Value::Special(value as u8),
        Kind::Label => Value::Place(signed(value, width).wrapping_mul(scale)),
    })
}

/// The number that an atom's field has for a value; nothing if the atom is of another kind. Whether it fits is not
/// asked but for what has a sign.
pub(crate) fn number(atom: &Atom, value: Value) -> Option<u64> {
    // Most operands are registers: nothing else is worked out for them.
    if let (Kind::Register, Value::Register(number)) = (atom.kind, value) {
        return Some(number.into());
    }
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
    match (atom.kind, value) {
        (Kind::Uniform, Value::Uniform(number)) => uniform(number, width),
        (Kind::NextUniform, Value::Uniform(number)) if number != 255 => {
            u64::from(number).checked_sub(1)
        }
        (Kind::Predicate, Value::Predicate(number))
        | (Kind::UniformPredicate, Value::UniformPredicate(number))
        | (Kind::Barrier, Value::Barrier(number))
        | (Kind::Special, Value::Special(number)) => Some(number.into()),
        (Kind::PredicateFromLast, Value::Predicate(number))
        | (Kind::UniformPredicateFromLast, Value::UniformPredicate(number)) => {
            Some(7 - u64::from(number).min(7))
        }
        (Kind::Constant, Value::Constant { bank, offset }) => constant(bank.into(), offset),
        (Kind::Bindless, Value::Bindless { base, offset }) => {
            constant(uniform(base, width - atom.offset_width())?, offset)
        }
        (Kind::Set | Kind::Decimal | Kind::Float(_), Value::Number(number)) => Some(number as u64),
        (Kind::Unsigned, Value::Number(number)) if width >= 64 => Some(number as u64),
        (Kind::Unsigned, Value::Number(number)) => u64::try_from(unscaled(number)?).ok(),
        (Kind::Signed, Value::Number(number)) | (Kind::Label, Value::Place(number)) => {
            with_sign(number)
        }
        _ => None,
    }
}

/// A number of so many bits with its sign.
pub(crate) fn signed(value: u64, width: u32) -> i64 {
    let unused = 64 - width.clamp(1, 64);
    ((value << unused) as i64) >> unused
}
