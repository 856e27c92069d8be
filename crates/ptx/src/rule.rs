//! Rules that no table can say: functions over one instruction.
//!
//! A row names at most one [`Rule`]; it sees the instruction through a [`RuleView`] and answers
//! with a [`Violation`] that says what is wrong and where.

use crate::form::Form;
use crate::inst::{Choice, Int, Operand};
use crate::module::Body;
use crate::symbol::Symbol;
use crate::types::ScalarType;
use crate::unavailable;
use std::cell::Cell;
use warpc_target::{Gate, PtxVersion, Sm};

/// Whether a row has this combination of modifiers; if not, why.
pub type Combination = fn(&Choice) -> Result<(), &'static str>;

/// A check of one instruction.
pub type Rule = fn(&RuleView<'_>) -> Result<(), Violation>;

/// What a rule found wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The operand that is wrong; `None` when it is the modifiers.
    pub operand: Option<&'static str>,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

impl Violation {
    /// Something is wrong with an operand.
    pub fn operand(name: &'static str, message: impl Into<String>) -> Violation {
        Violation {
            operand: Some(name),
            message: message.into(),
            help: None,
        }
    }

    /// Something is wrong with the modifiers.
    pub fn modifiers(message: impl Into<String>) -> Violation {
        Violation {
            operand: None,
            message: message.into(),
            help: None,
        }
    }

    /// Says what to do.
    pub fn help(mut self, help: impl Into<String>) -> Violation {
        self.help = Some(help.into());
        self
    }
}

/// An instruction as rules see it.
pub struct RuleView<'a> {
    /// The form the instruction has.
    pub form: &'static Form,
    /// Its modifiers.
    pub choice: &'a Choice,
    /// The body its operands lie in.
    pub body: &'a Body,
    /// For each operand of the form the index of what was given for it.
    pub operands: &'a [Option<u32>],
    /// The module's target.
    pub sm: Sm,
    /// The module's version.
    pub version: PtxVersion,
    /// The type of the register with a name; `None` if the name is another thing's.
    pub register: &'a dyn Fn(Symbol) -> Option<ScalarType>,
    /// Whether the module's samplers are apart from its textures (`texmode_independent`).
    pub independent: bool,
    /// The lowest version that has all that rules asked for with [`RuleView::needs`].
    pub required: Cell<PtxVersion>,
    /// The version from which on something that rules met is gone; see [`RuleView::gone_since`].
    pub gone: Cell<Option<PtxVersion>>,
    /// Whether the lowest version is looked for, whatever the module says.
    pub any_version: bool,
}

impl RuleView<'_> {
    /// Says that an operand like the one given needs something of target and version; `what`
    /// names it in the message.
    pub fn needs(&self, gate: Gate, operand: &'static str, what: &str) -> Result<(), Violation> {
        if let Some(needed) = gate.required_version(self.sm) {
            self.required.set(self.required.get().max(needed));
        }
        let Err(error) = gate.check(self.sm, self.version) else {
            return Ok(());
        };
        let (_, message, help) = unavailable::in_words(error, what, self.sm, self.version);
        Err(Violation::operand(operand, message).help(help))
    }

    /// Says that an instruction like this is gone since a version.
    pub fn gone_since(&self, since: PtxVersion, violation: Violation) -> Result<(), Violation> {
        let known = self.gone.get().unwrap_or(since);
        self.gone.set(Some(known.min(since)));
        match self.version < since || self.any_version {
            true => Ok(()),
            false => Err(violation),
        }
    }

    /// The token in a slot, with its dot.
    pub fn token(&self, slot: &str) -> Option<&'static str> {
        self.choice.token(slot)
    }

    /// Whether a slot is filled, or a literal modifier is there.
    pub fn has(&self, slot: &str) -> bool {
        self.token(slot).is_some()
    }

    /// The type in a slot.
    pub fn scalar(&self, slot: &str) -> Option<ScalarType> {
        ScalarType::find(self.token(slot)?.strip_prefix('.')?)
    }

    /// What was given for an operand.
    pub fn operand(&self, name: &str) -> Option<&Operand> {
        let i = self
            .form
            .operands
            .iter()
            .position(|spec| spec.name == name)?;
        self.body.operands.get(self.operands[i]? as usize)
    }

    /// The constant given for an operand.
    pub fn int(&self, name: &str) -> Option<Int> {
        match self.operand(name)? {
            Operand::Int(int) => Some(*int),
            _ => None,
        }
    }

    /// The type of the register given for an element of a vector operand.
    pub fn element(&self, name: &str, i: usize) -> Option<ScalarType> {
        match self.operand(name)? {
            Operand::Vector(range) => match self.body.operands(*range).get(i)? {
                Operand::Name { symbol, .. } => (self.register)(*symbol),
                _ => None,
            },
            _ => None,
        }
    }

    /// The number of elements given for a vector operand; 1 for anything else.
    pub fn vector_len(&self, name: &str) -> usize {
        match self.operand(name) {
            Some(Operand::Vector(range)) => usize::from(range.len),
            _ => 1,
        }
    }

    /// The offset in an address operand, zero if it has none; `None` if it is not an address.
    pub fn offset(&self, name: &str) -> Option<i128> {
        match self.operand(name)? {
            Operand::Address { items, .. } => match self.body.operands(*items) {
                [_, Operand::Int(int)] => Some(int.value()),
                [Operand::Int(int)] => Some(int.value()),
                _ => Some(0),
            },
            Operand::Element(items) => match self.body.operands(*items) {
                [_, Operand::Int(int)] => Some(int.value()),
                _ => None,
            },
            _ => None,
        }
    }
}
