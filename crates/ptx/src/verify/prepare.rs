//! What follows from an opcode and its modifiers alone, worked out once a mnemonic.

use super::typing::Origin;
use crate::form::{Count, Kind, OperandSpec, SpaceRef, TypeRef};
use crate::inst::{Choice, Mnemonic};
use crate::types::ScalarType;
use smallvec::SmallVec;
use warpc_target::{Gate, PtxVersion, Sm, Unavailable};

/// What an operand of one mnemonic must be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Want {
    /// Its type, if it is a value.
    pub(super) ty: Option<ScalarType>,
    /// Where the type comes from.
    pub(super) origin: Origin,
    /// How many elements it has.
    pub(super) elements: Elements,
    /// The state space of an address, without its dot; empty for a generic one.
    pub(super) space: &'static str,
}

/// How many elements an operand must have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Elements {
    /// One, without braces.
    Scalar,
    /// A vector of this many.
    Vector(u8),
    /// A vector of any length.
    AnyVector,
    /// One, or a vector of any length.
    OneOrMore,
}

/// One choice of a mnemonic, made ready for checking.
#[derive(Debug)]
pub(super) struct Prepared {
    /// For each operand of the form what it must be.
    pub(super) wants: SmallVec<[Want; 6]>,
    /// What shuts the door, if something does.
    pub(super) fault: Option<Fault>,
    /// The lowest version that has the form and its modifiers.
    pub(super) required: PtxVersion,
    /// The version from which on the target has it no more.
    pub(super) gone: Option<PtxVersion>,
}

/// A target or version that lacks something.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fault {
    /// The form itself.
    Form(Unavailable),
    /// A modifier.
    Modifier(&'static str, Unavailable),
}

pub(super) fn prepare(mnemonic: &Mnemonic, sm: Sm, version: PtxVersion) -> Vec<Prepared> {
    mnemonic
        .choices
        .iter()
        .map(|choice| prepare_choice(choice, sm, version))
        .collect()
}

fn prepare_choice(choice: &Choice, sm: Sm, version: PtxVersion) -> Prepared {
    let form = choice.form.form();
    let mut required = PtxVersion::OLDEST;
    let mut ask = |gate: Gate| {
        if let Some(needed) = gate.required_version(sm) {
            required = required.max(needed);
        }
        gate.check(sm, version)
    };
    let mut fault = ask(form.row.gate).err().map(Fault::Form);
    let removal = form.row.removed;
    let gone = removal.and_then(|removal| removal.version_for(sm));
    let removed = removal.and_then(|removal| removal.check(sm, version).err());
    fault = fault.or(removed.map(Fault::Form));
    for (slot, &value) in form.slots.iter().zip(&choice.values) {
        if value != Choice::ABSENT {
            let value = &slot.values[usize::from(value)];
            let error = ask(value.gate).err();
            fault = fault.or(error.map(|error| Fault::Modifier(value.text, error)));
        }
    }
    let wants = form
        .operands
        .iter()
        .map(|spec| want(choice, spec))
        .collect();
    Prepared {
        wants,
        fault,
        required,
        gone,
    }
}

fn want(choice: &Choice, spec: &OperandSpec) -> Want {
    let (kind, count) = (spec.kind, spec.count);
    let form = choice.form.form();
    let value = |slot: u8| {
        let value = choice.values[usize::from(slot)];
        (value != Choice::ABSENT).then(|| &form.slots[usize::from(slot)].values[usize::from(value)])
    };
    let (ty, origin) = match kind {
        Kind::Value(TypeRef::Fixed(ty)) => (Some(ty), Origin::Fixed),
        Kind::Value(TypeRef::Slot(slot)) => {
            (value(slot).and_then(|value| value.ty), Origin::Instruction)
        }
        Kind::Value(TypeRef::Fragment(slot)) => {
            let element = value(slot).and_then(|value| value.ty);
            (element.map(ScalarType::fragment), Origin::Fragment)
        }
        Kind::Value(TypeRef::FragmentIn(ty)) => (Some(ty), Origin::Fragment),
        _ => (None, Origin::Fixed),
    };
    let space = match kind {
        Kind::Address(SpaceRef::Fixed(space)) => space,
        Kind::Address(SpaceRef::Slot(slot)) => value(slot).map_or("", |value| &value.text[1..]),
        // The address of a variable as a value, as `cvta.global` takes it.
        _ if spec.allowed.address => choice.token("space").map_or("", |token| &token[1..]),
        _ => "",
    };
    let elements = match count {
        Count::One => Elements::Scalar,
        Count::Fixed(n) => Elements::Vector(n),
        Count::Any => Elements::AnyVector,
        Count::OneOrMore => Elements::OneOrMore,
        Count::Slot(slot) => match value(slot).and_then(|value| value.text[2..].parse().ok()) {
            Some(n) => Elements::Vector(n),
            None => Elements::Scalar,
        },
    };
    Want {
        ty,
        origin,
        elements,
        space,
    }
}
