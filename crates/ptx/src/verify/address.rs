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
use crate::inst::{Operand, OperandRange, Part, Sign};
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
        let (base, base_span, unified) = match *operand {
            Operand::Address { items, unified } => (
                &body.operands(items)[0],
                body.operand_span(items.start as usize),
                unified,
            ),
            Operand::Element(items) => {
                self.check_index(body, items);
                (
                    &body.operands(items)[0],
                    body.operand_span(items.start as usize),
                    false,
                )
            }
            ref bare => (bare, span, false),
        };
        if unified && !matches!(check.want.space, "" | "global") {
            let message = "`.unified` goes with `.global` or a generic address only";
            self.error(Diagnostic::error(codes::BAD_ADDRESS, span, message));
        }
        match *base {
            Operand::Name {
                symbol,
                part: Part::Whole,
                sign: Sign::Plain,
            } => {
                self.check_base(check, symbol, base_span, unified);
            }
            Operand::Int(_) if check.want.space == "local" => {}
            Operand::Int(_) => {
                let message = "a constant alone is an address only in local memory";
                self.error(
                    Diagnostic::error(codes::BAD_ADDRESS, base_span, message)
                        .help("put it into a register"),
                );
            }
            _ => {
                let help = "an address is a register, a variable or either plus a constant";
                self.error(
                    Diagnostic::error(codes::BAD_ADDRESS, base_span, "this is not an address")
                        .help(help),
                );
            }
        }
    }

    /// `array[index]`: the name must be an array, the index an integer.
    pub(super) fn check_index(&mut self, body: &'m Body, items: OperandRange) {
        let parts = body.operands(items);
        let name_span = body.operand_span(items.start as usize);
        if let Operand::Name { symbol, .. } = parts[0]
            && let Some(declaration) = self.names.find(symbol)
        {
            let array = matches!(declaration.meaning, Meaning::Variable(variable, _) if !variable.dims.is_empty());
            if !array {
                let message = format!(
                    "`{}` is {}, not an array",
                    self.module.name(symbol),
                    declaration.meaning.describe()
                );
                self.error(
                    Diagnostic::error(codes::BAD_ADDRESS, name_span, message)
                        .related(declaration.span, "declared here"),
                );
            }
        }
        if let Operand::Name { symbol, .. } = parts[1] {
            let span = body.operand_span(items.start as usize + 1);
            match self
                .names
                .find(symbol)
                .map(|declaration| declaration.meaning)
            {
                None => self.report_undefined(symbol, span),
                Some(Meaning::Register { ty, vector: 1 }) if is_address_type(ty) => {}
                Some(other) => {
                    let message = format!(
                        "`{}` is {}, an index is an integer",
                        self.module.name(symbol),
                        other.describe()
                    );
                    self.error(Diagnostic::error(codes::BAD_ADDRESS, span, message));
                }
            }
        }
    }

    fn check_base(&mut self, check: &Check<'_>, symbol: Symbol, span: Span, unified: bool) {
        let Some(declaration) = self.names.find(symbol) else {
            self.report_undefined(symbol, span);
            return;
        };
        let name = self.module.name(symbol);
        match declaration.meaning {
            Meaning::Register { .. } if unified && !matches!(check.want.space, "" | "global") => {
                self.report_unified(span);
            }
            Meaning::Register { ty, vector } => {
                let message = if vector != 1 || !is_address_type(ty) {
                    format!("`{name}` is of type {ty}, an address is a 32- or 64-bit integer")
                } else if check.want.space == "tmem" && !fits_tensor_memory(check, ty) {
                    format!("`{name}` is of type {ty}, an address in tensor memory is a .b32")
                } else if too_narrow(check, ty) {
                    format!(
                        "`{name}` has {} bits, a {} address has 64",
                        ty.bits(),
                        space_name(check.want.space)
                    )
                } else {
                    return;
                };
                self.error(
                    Diagnostic::error(codes::BAD_ADDRESS, span, message)
                        .related(declaration.span, "declared here")
                        .help("extend it with `cvt.u64.u32`, or name the space if it is shared or local"),
                );
            }
            Meaning::Variable(..) if unified => self.report_unified(span),
            Meaning::Variable(variable, owner) => {
                self.check_space(check, symbol, variable, owner, span, declaration.span);
            }
            _ => self.report_kind(check, symbol, &declaration, span, "an address"),
        }
    }

    fn report_unified(&mut self, span: Span) {
        let message = "`.unified` goes with an address in a register, in global memory";
        self.error(Diagnostic::error(codes::BAD_ADDRESS, span, message).help("leave it out"));
    }

    pub(super) fn check_space(
        &mut self,
        check: &Check<'_>,
        symbol: Symbol,
        variable: &'m Variable,
        owner: Owner,
        span: Span,
        declared: Span,
    ) {
        let name = self.module.name(symbol);
        let bad = |message: String| {
            Diagnostic::error(codes::BAD_ADDRESS, span, message).related(declared, "declared here")
        };
        if variable.ty.meaning() == TypeMeaning::Opaque {
            let message = format!(
                "`{name}` is a {} variable and has no address to load or store",
                variable.ty
            );
            self.error(bad(message));
            return;
        }
        let fits = match (check.want.space, variable.space) {
            ("", Space::Global | Space::Shared | Space::Local) => true,
            ("const", Space::Const | Space::ConstBank(_)) => true,
            ("global", Space::Global) => true,
            ("local", Space::Local) => true,
            ("shared" | "shared::cta" | "shared::cluster", Space::Shared) => true,
            ("param", Space::Param) => true,
            // A parameter of a device function passes for one of a kernel.
            ("param::entry", Space::Param) => owner != Owner::Nobody,
            ("param::func", Space::Param) => owner != Owner::EntryParam,
            _ => false,
        };
        if !fits {
            let message = format!(
                "`{name}` lies in {} memory, {} wants {}",
                variable.space.text(),
                check.form.opcode,
                space_name(check.want.space)
            );
            let help = format!(
                "write `{}{}`, or take its address with `mov` and `cvta`",
                check.form.opcode,
                variable.space.text()
            );
            self.error(bad(message).help(help));
        } else if variable.space == Space::Param {
            self.check_param_access(check, symbol, variable, owner, span, declared);
        }
    }
}

/// Whether a register of the type can hold an address at all.
fn is_address_type(ty: ScalarType) -> bool {
    ty != ScalarType::B128
        && matches!(
            ty.meaning(),
            TypeMeaning::Bits | TypeMeaning::Unsigned | TypeMeaning::Signed
        )
}

/// Addresses in tensor memory have 32 bits; products take them in `.b32` registers only.
fn fits_tensor_memory(check: &Check<'_>, ty: ScalarType) -> bool {
    ty.bits() == 32 && (ty == ScalarType::B32 || !check.spec.allowed.untyped)
}

/// Whether a register has too few bits. (Registers of 8 and 16 bits pass for most instructions.)
fn too_narrow(check: &Check<'_>, ty: ScalarType) -> bool {
    if check.spec.allowed.narrow {
        ty.bits() < 32
    } else {
        ty.bits() == 32 && needs_wide(check.want.space)
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
