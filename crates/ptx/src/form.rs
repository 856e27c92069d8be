//! Forms: rows made ready for use.
//!
//! ```text
//!   Row (text) ──compile──► Form: slots, operand specs
//!   "atom.add.gpu.u32" ──resolve──► every Form that has these modifiers   (once a spelling)
//!   operands ──select──► the one Form they fit                            (once an instruction)
//! ```
//!
//! Nothing is made ready before it is needed, so that a small input pays for what it uses: which rows an opcode has is
//! known when the crate is compiled (`index`), the slots of a row are made when a spelling may be one of its own, and the
//! rest of the form when it is.

mod compile;
mod index;
mod resolve;
mod select;

pub use resolve::{Problem, resolve};
pub use select::{Mapping, map_operands, map_selected, select};

use crate::row::Row;
use crate::types::ScalarType;
use index::INDEX;
use std::sync::OnceLock;
use warpc_target::Gate;

/// A form's number: its place in the tables.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FormId(pub u16);

impl FormId {
    /// The form itself.
    pub fn form(self) -> &'static Form {
        let ready = &READY[usize::from(self.0)];
        ready
            .form
            .get_or_init(|| Box::new(compile::compile(self.row(), self.slots())))
    }

    /// The modifier slots of the form.
    pub fn slots(self) -> &'static [Slot] {
        let ready = &READY[usize::from(self.0)];
        ready
            .slots
            .get_or_init(|| compile::compile_slots(self.row()).into_boxed_slice())
    }

    /// The description that the form is made of.
    pub fn row(self) -> &'static Row {
        INDEX.row(self)
    }
}

/// What has been made of a row so far.
struct Ready {
    slots: OnceLock<Box<[Slot]>>,
    form: OnceLock<Box<Form>>,
}

static READY: [Ready; index::COUNT] = [const {
    Ready {
        slots: OnceLock::new(),
        form: OnceLock::new(),
    }
}; index::COUNT];

/// A row made ready for use.
#[derive(Debug)]
pub struct Form {
    /// The description it was made of.
    pub row: &'static Row,
    /// The word before the modifiers.
    pub opcode: &'static str,
    /// Modifier slots in the manual's order.
    pub slots: &'static [Slot],
    /// Operands in order, those inside brackets and pairs among them.
    pub operands: Vec<OperandSpec>,
    /// How the operands are written.
    pub shapes: Vec<Shape>,
    /// Whether every operand is always there.
    pub fixed: bool,
    /// Whether, besides, each is one of the operands, in their order.
    pub plain: bool,
}

/// A place for a modifier.
#[derive(Debug)]
pub struct Slot {
    /// Its name in the syntax; the token itself, without its dot, for a literal.
    pub name: &'static str,
    /// Whether it may be left out.
    pub optional: bool,
    /// The number of its group: slots of a group are all filled or all empty. Zero for none.
    pub group: u8,
    /// What may stand there.
    pub values: Vec<SlotValue>,
}

/// A modifier that may stand in a slot.
#[derive(Debug)]
pub struct SlotValue {
    /// The token with its dot.
    pub text: &'static str,
    /// What it needs.
    pub gate: Gate,
    /// The type it names, if it does.
    pub ty: Option<ScalarType>,
}

/// Whether an operand is read or written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Read.
    Use,
    /// Written.
    Def,
}

/// Where a type comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypeRef {
    /// It is always this one.
    Fixed(ScalarType),
    /// It is the one in this slot.
    Slot(u8),
    /// It is that of registers that hold matrix elements of the type in this slot
    /// ([`ScalarType::fragment`]).
    Fragment(u8),
    /// It is this one, and the registers hold matrix elements.
    FragmentIn(ScalarType),
}

/// Where a state space comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SpaceRef {
    /// Always this one (without its dot); empty for generic addresses.
    Fixed(&'static str),
    /// The one in this slot; generic when the slot is empty.
    Slot(u8),
}

/// How many elements an operand has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// One, without braces.
    One,
    /// A vector of this many.
    Fixed(u8),
    /// A vector of the length in this slot if it is filled, else one.
    Slot(u8),
    /// A vector; a rule checks its length.
    Any,
    /// One, or a vector of a length that a rule checks.
    OneOrMore,
}

/// What an operand is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A value of a type.
    Value(TypeRef),
    /// An address in a space.
    Address(SpaceRef),
    /// A label.
    Label,
    /// The function a call goes to: a name or a register.
    Callee,
    /// Arguments or results of a call.
    List,
    /// A prototype or list of targets, by its label.
    Prototype,
    /// A texture, sampler or surface.
    Opaque(ScalarType),
    /// `_`, and nothing else.
    Sink,
}

/// What may stand for an operand beyond a plain register or constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Allowed {
    /// Only a register will do.
    pub register_only: bool,
    /// Only a constant will do.
    pub constant_only: bool,
    /// `_` will do.
    pub sink: bool,
    /// `!p` will do.
    pub negated: bool,
    /// The address of a variable or function will do.
    pub address: bool,
    /// Only a register of the very `.b` type will do.
    pub untyped: bool,
    /// `a.b0` and `a.h1` will do.
    pub selector: bool,
    /// `[a].unified` will do.
    pub unified: bool,
    /// Registers of 32 or 64 bits will do for an address, and none that are narrower.
    pub narrow: bool,
    /// `-a` will do.
    pub minus: bool,
    /// A special register will do.
    pub special: bool,
    /// The first element of the vector is an index, of its own type.
    pub index_first: bool,
}

/// One operand of a form.
#[derive(Debug)]
pub struct OperandSpec {
    /// Its name in the syntax.
    pub name: &'static str,
    /// Read or written.
    pub role: Role,
    /// What it is.
    pub kind: Kind,
    /// How many elements it has.
    pub count: Count,
    /// What may stand for it.
    pub allowed: Allowed,
    /// The range a constant must lie in.
    pub range: Option<(i64, i64)>,
    /// Whether it may be left out.
    pub optional: bool,
    /// It is there if and only if this slot is filled.
    pub linked: Option<u8>,
}

/// How one operand position is written; the numbers are indices of [`Form::operands`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    /// `d`
    Plain(u8),
    /// `[a]`
    Address(u8),
    /// `d|p`; the second may be left out.
    Pair(u8, u8),
    /// `[a, b, c]`; of those in the middle some may be left out.
    Group(Vec<u8>),
}

impl Shape {
    /// The first operand of the position: it decides whether the position may be left out.
    pub fn lead(&self) -> u8 {
        match self {
            Shape::Plain(i) | Shape::Address(i) | Shape::Pair(i, _) => *i,
            Shape::Group(list) => list[0],
        }
    }
}

/// All forms of an opcode, in table order; empty if there is no such opcode.
pub fn forms_of(opcode: &str) -> &'static [FormId] {
    INDEX.forms_of(opcode)
}

/// Every opcode, sorted.
pub fn opcodes() -> Vec<&'static str> {
    let mut list: Vec<_> = INDEX.opcodes().collect();
    list.sort_unstable();
    list
}

/// Every form, in table order.
pub fn all_forms() -> impl Iterator<Item = FormId> {
    (0..index::COUNT).map(|i| FormId(i as u16))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compiling a row checks its text; a mistake in a table shows here, not in a user's run.
    #[test]
    fn every_row_compiles() {
        for id in all_forms() {
            let form = id.form();
            assert!(form.slots.len() < 32, "{}", form.row.syntax);
        }
        assert!(!opcodes().is_empty());
    }
}
