//! Parameters as memory: which of them an instruction may read, write, or take the address of.
//!
//! Rules (as ptxas has them):
//! - what a function is given it reads, what it returns it writes, and not the other way round;
//! - a `.param` variable of a body holds a result after a call in the text above returned into it,
//!   and only then is read;
//! - a store to such a variable does not hang on a predicate, and its address is not taken;
//! - the address of a global variable does not fit into 32 bits, a function's takes no offset.

use super::Verifier;
use super::names::{Meaning, Owner};
use super::operand::Check;
use crate::module::{Space, Variable};
use crate::row::Effects;
use crate::symbol::Symbol;
use crate::types::ScalarType;
use warpc_diag::{Diagnostic, Span, codes};

/// What an instruction does with memory.
enum Access {
    Read,
    Write,
    /// It only takes the address.
    Address,
}

impl<'m> Verifier<'m> {
    /// An instruction names a parameter as memory.
    pub(super) fn check_param_access(
        &mut self,
        check: &Check<'_>,
        symbol: Symbol,
        variable: &'m Variable,
        owner: Owner,
        span: Span,
        declared: Span,
    ) {
        let name = self.module.name(symbol);
        let effects = check.form.row.effects;
        let access = if effects.contains(Effects::WRITE) {
            Access::Write
        } else if effects.contains(Effects::READ) {
            Access::Read
        } else {
            Access::Address
        };
        let (message, help) = match (access, owner) {
            (Access::Write, Owner::EntryParam | Owner::FuncParam) => (
                format!("`{name}` is a parameter of this function and cannot be written"),
                "copy it into a register or a `.local` variable",
            ),
            (Access::Write, Owner::Nobody) if self.guarded => (
                format!("a store to the argument `{name}` cannot hang on a predicate"),
                "select the value with `selp` and store it always",
            ),
            (Access::Read, Owner::FuncReturn) => (
                format!("`{name}` is a result of this function and cannot be read"),
                "keep the value in a register until the end",
            ),
            (Access::Read, Owner::Nobody) if !self.returned.contains(&(symbol, variable.at.0)) => (
                format!("no call above returns into `{name}`"),
                "`.param` variables hold arguments before a call and results after it",
            ),
            (Access::Address, Owner::Nobody) => (
                format!("`{name}` has no address"),
                "only parameters of the function itself have one; use a `.local` variable",
            ),
            _ => return,
        };
        self.error(
            Diagnostic::error(codes::BAD_ADDRESS, span, message)
                .related(declared, "declared here")
                .help(help),
        );
    }

    /// `mov d, x` or `mov d, x+4`: an address as a value. Whether there is such an address.
    pub(super) fn check_address_taken(
        &mut self,
        meaning: &Meaning<'m>,
        wanted: ScalarType,
        symbol: Symbol,
        offset: bool,
        span: Span,
    ) {
        let name = self.module.name(symbol);
        let (message, help) = match meaning {
            Meaning::Variable(variable, Owner::Nobody) if variable.space == Space::Param => (
                format!("`{name}` has no address"),
                "only parameters of the function itself have one; use a `.local` variable",
            ),
            Meaning::Variable(variable, _)
                if variable.space == Space::Global && wanted.bits() == 32 && !offset =>
            {
                (
                    format!("the address of `{name}` has 64 bits"),
                    "move it into a 64-bit register",
                )
            }
            Meaning::Function(_) if offset => (
                format!("`{name}` is a function; nothing is added to its address"),
                "move the plain address",
            ),
            _ => return,
        };
        self.refuse(codes::BAD_ADDRESS, span, message, help);
    }
}
