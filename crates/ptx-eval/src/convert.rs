//! Conversions from or to floating point: `cvt`.
//!
//! ```text
//!   source element ── read ──► Number ── scale ──► write (relu, rounding, saturation) ──► result
//! ```
//!
//! Every floating-point type, packed or not, is some elements in a format ([`element`]); a conversion
//! pairs the elements of its sources with those of its result ([`packed`]). Conversions from and to
//! integers are in [`number`]; those that are met often are plain functions of their own ([`plain`]).

mod element;
mod number;
mod packed;
mod plain;

use super::float::round::Rounding;
use super::{Operation, View};
use warpc_ptx::form::{Kind, TypeRef};
use warpc_ptx::inst::Choice;
use warpc_ptx::types::ScalarType;

pub(super) fn find(view: &View<'_>) -> Option<Operation> {
    let choice = view.choice;
    if view.opcode() != "cvt" || choice.has("pack") {
        return None;
    }
    let (to, of) = (operand_type(choice, "d")?, operand_type(choice, "a")?);
    let rules = Rules::of(choice);
    if let Some(operation) = plain::find(to, of, &rules) {
        return Some(operation);
    }
    match (to.is_integer(), of.is_integer()) {
        (true, true) => None,
        (true, false) => number::to_integer(to, of, rules),
        (false, true) => number::of_integer(to, of, rules),
        (false, false) => packed::find(to, of, rules),
    }
}

/// What the modifiers ask for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Rules {
    /// How to round, if the form says so.
    rounding: Option<Rounding>,
    /// Whether the result is rounded to an integral value (`.rni` and its like).
    integral: bool,
    /// `.rs`: a source has random bits.
    random: bool,
    /// Subnormal singles are zero.
    ftz: bool,
    /// Results are cut to the unit interval; integers to their range, as they are anyway.
    sat: bool,
    /// What is below zero becomes zero.
    relu: bool,
    /// What is too large becomes the largest number.
    satfinite: bool,
    /// The last source scales the elements.
    scale: Option<Scale>,
}

/// How many scales there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Scale {
    /// One for all elements.
    All,
    /// One for each.
    Each,
}

impl Rules {
    fn of(choice: &Choice) -> Rules {
        let form = choice.form.form();
        let tokens = || {
            let filled = form.slots.iter().zip(&choice.values);
            filled.filter_map(|(slot, &value)| Some(slot.values.get(usize::from(value))?.text))
        };
        Rules {
            rounding: tokens().find_map(Rounding::of_token),
            integral: tokens().any(|t| matches!(t, ".rni" | ".rzi" | ".rmi" | ".rpi")),
            random: tokens().any(|t| t == ".rs"),
            ftz: choice.has("ftz"),
            sat: choice.has("sat"),
            relu: choice.has("relu"),
            satfinite: choice.has("satfinite"),
            scale: choice.token("scaled").map(|token| match token {
                ".scaled::n1::ue8m0" => Scale::All,
                _ => Scale::Each,
            }),
        }
    }

    /// How to round; what need not be rounded has no rounding.
    fn rounding(&self) -> Rounding {
        self.rounding.unwrap_or(Rounding::Nearest)
    }
}

/// The type of an operand.
fn operand_type(choice: &Choice, name: &str) -> Option<ScalarType> {
    let form = choice.form.form();
    let spec = form.operands.iter().find(|spec| spec.name == name)?;
    match spec.kind {
        Kind::Value(TypeRef::Fixed(ty)) => Some(ty),
        Kind::Value(TypeRef::Slot(slot)) => {
            let slot = usize::from(slot);
            let value = usize::from(*choice.values.get(slot)?);
            form.slots[slot].values.get(value)?.ty
        }
        _ => None,
    }
}
