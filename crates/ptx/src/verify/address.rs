//! Addresses: what they are made of, and whether the access lands where it may.
//!
//! Rules (as ptxas has them):
//! - a base is an integer register, a variable's name, or a constant;
//! - a 32-bit register cannot address generic or global memory;
//! - constants alone address only local memory;
//! - a variable lies in the space the instruction names; generic accesses take variables of
//!   global, shared and local memory alike.

use super::Verifier;
use super::names::{Meaning, Owner};
use super::operand::Check;
use crate::inst::{Operand, Part, Sign};
use crate::module::{Body, Space, Variable};
use crate::symbol::Symbol;
use crate::types::{Meaning as TypeMeaning, ScalarType};
use warpc_diag::{Diagnostic, Span, codes};

impl<'m> Verifier<'m> {
    pub(super) fn check_address(
        &mut self,
        body: &'m Body,
        check: &Check<'_>,
        operand: &Operand,
        span: Span,
    ) {
        let elsewhere = !matches!(check.want.space, "" | "global");
        if elsewhere && matches!(operand, Operand::Address { unified: true, .. }) {
            let message = "`.unified` goes with `.global` or a generic address only";
            self.error(Diagnostic::error(codes::BAD_ADDRESS, span, message));
        }
        let (base, base_span) = match *operand {
            Operand::Address { items, .. } | Operand::Element(items) => (
                &body.operands(items)[0],
                body.operand_span(items.start as usize),
            ),
            ref bare => (bare, span),
        };
        match *base {
            Operand::Name { symbol, part, sign } => {
                if sign != Sign::Plain {
                    let message = "an address cannot be negated";
                    self.error(Diagnostic::error(codes::BAD_ADDRESS, base_span, message));
                    return;
                }
                self.check_base(check, symbol, part, base_span);
            }
            Operand::Int(_) => {
                if check.want.space != "local" && !self.constant_address_fits(check) {
                    let message = "a constant alone is an address only in local memory";
                    self.error(
                        Diagnostic::error(codes::BAD_ADDRESS, base_span, message)
                            .help("put it into a register"),
                    );
                }
            }
            _ => {
                let message = "this is no address";
                self.error(
                    Diagnostic::error(codes::BAD_ADDRESS, base_span, message)
                        .help("an address is a register, a variable or either plus a constant"),
                );
            }
        }
    }

    fn constant_address_fits(&self, check: &Check<'_>) -> bool {
        check.want.space == "tmem"
    }

    fn check_base(&mut self, check: &Check<'_>, symbol: Symbol, part: Part, span: Span) {
        let Some(declaration) = self.names.find(symbol) else {
            self.report_undefined(symbol, span);
            return;
        };
        match declaration.meaning {
            Meaning::Register { ty, vector } => {
                let scalar = vector == 1 || part.is_element();
                let integer = matches!(
                    ty.meaning(),
                    TypeMeaning::Bits | TypeMeaning::Unsigned | TypeMeaning::Signed
                ) && ty != ScalarType::B128;
                if !scalar || !integer {
                    let message = format!(
                        "`{}` is of type {ty}, an address is a 32- or 64-bit integer",
                        self.module.name(symbol)
                    );
                    self.error(
                        Diagnostic::error(codes::BAD_ADDRESS, span, message)
                            .related(declaration.span, "declared here"),
                    );
                } else if needs_wide(check.want.space)
                    && (ty.bits() == 32) != check.spec.allowed.narrow
                    && ty.bits() < 64
                {
                    let message = format!(
                        "`{}` has {} bits, a {} address has 64",
                        self.module.name(symbol),
                        ty.bits(),
                        space_name(check.want.space)
                    );
                    self.error(Diagnostic::error(codes::BAD_ADDRESS, span, message).related(declaration.span, "declared here").help("extend it with `cvt.u64.u32`, or name the space if it is shared or local"));
                }
            }
            Meaning::Variable(variable, owner) => {
                self.check_space(check, symbol, variable, owner, span, declaration.span)
            }
            _ => self.report_kind(check, symbol, &declaration, span, "an address"),
        }
    }

    pub(super) fn check_space(
        &mut self,
        check: &Check<'_>,
        symbol: Symbol,
        variable: &Variable,
        owner: Owner,
        span: Span,
        declared: Span,
    ) {
        let fits = match (check.want.space, variable.space) {
            ("", Space::Param | Space::Const | Space::ConstBank(_)) => false,
            ("", _) => true,
            ("const", Space::Const | Space::ConstBank(_)) => true,
            ("global", Space::Global) => true,
            ("local", Space::Local) => true,
            ("shared" | "shared::cta" | "shared::cluster", Space::Shared) => true,
            ("param", Space::Param) => true,
            ("param::entry", Space::Param) => owner == Owner::EntryParam,
            ("param::func", Space::Param) => owner != Owner::EntryParam,
            _ => false,
        };
        if !fits {
            let message = format!(
                "`{}` lies in {} memory, {} wants {}",
                self.module.name(symbol),
                variable.space.text(),
                check.form.opcode,
                space_name(check.want.space)
            );
            let help = format!(
                "write `{}{}`, or take its address with `mov` and `cvta`",
                check.form.opcode,
                variable.space.text()
            );
            self.error(
                Diagnostic::error(codes::BAD_ADDRESS, span, message)
                    .related(declared, "declared here")
                    .help(help),
            );
        }
    }
}

/// Whether addresses of the space have 64 bits.
fn needs_wide(space: &str) -> bool {
    matches!(space, "" | "global")
}

fn space_name(space: &str) -> String {
    if space.is_empty() {
        "generic".to_owned()
    } else {
        format!(".{space}")
    }
}
