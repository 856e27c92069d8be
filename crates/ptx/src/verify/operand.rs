//! Operands against what their instruction wants.
//!
//! Rules, in the order they are checked:
//! 1. a name is declared (or is a special register);
//! 2. what it stands for is what the operand is: register, address, label, function …;
//! 3. its type fits ([`super::typing`]);
//! 4. constants are of the right kind and in range, and stand only where the form takes them;
//! 5. vectors have the right length and elements that go together.

use super::Verifier;
use super::names::{Declaration, Meaning};
use super::prepare::{Elements, Want};
use super::typing::{self, Origin};
use crate::form::{Form, Kind, OperandSpec, Role};
use crate::inst::{Operand, Part, Sign};
use crate::module::{Body, Space, TargetOption};
use crate::row::Typing;
use crate::sreg;
use crate::symbol::Symbol;
use crate::types::{Meaning as TypeMeaning, ScalarType};
use warpc_diag::{Diagnostic, Span, codes};

/// One operand on its way through the checks.
pub(super) struct Check<'c> {
    pub(super) form: &'static Form,
    pub(super) spec: &'c OperandSpec,
    pub(super) want: Want,
    pub(super) index: usize,
}

impl Check<'_> {
    pub(super) fn typing(&self) -> Typing {
        self.form.row.typing
    }

    /// `operand b of add`
    pub(super) fn what(&self) -> String {
        format!("operand `{}` of `{}`", self.spec.name, self.form.opcode)
    }
}

impl<'m> Verifier<'m> {
    /// One operand of an instruction, given by its index in the body.
    pub(super) fn check_operand(&mut self, body: &'m Body, check: &Check<'_>) {
        let operand = &body.operands[check.index];
        let span = body.operand_span(check.index);
        match (check.spec.kind, operand) {
            (Kind::Value(_), Operand::Vector(range)) => {
                self.check_vector(body, check, *range, span)
            }
            (Kind::Value(_), _) => self.check_value(body, check, operand, span),
            (Kind::Address(_), _) => self.check_address(body, check, operand, span),
            (Kind::Opaque(ty), Operand::Name { symbol, .. }) => {
                self.check_opaque(check, ty, *symbol, span)
            }
            (Kind::Opaque(ty), Operand::Address { items, .. }) => match body.operands(*items) {
                [Operand::Name { symbol, .. }] => self.check_opaque(check, ty, *symbol, span),
                _ => {
                    let message = format!("{} is a handle, without an offset", check.what());
                    let help = "write the variable's name alone";
                    self.error(Diagnostic::error(codes::WRONG_OPERANDS, span, message).help(help));
                }
            },
            // Branches and calls are checked as a whole.
            _ => {}
        }
    }

    fn check_value(&mut self, body: &'m Body, check: &Check<'_>, operand: &Operand, span: Span) {
        let Some(wanted) = check.want.ty else {
            return;
        };
        match *operand {
            Operand::Name { symbol, part, sign } => {
                self.check_name(check, wanted, symbol, part, sign, span)
            }
            Operand::Int(int) => self.check_int(check, wanted, int, span),
            Operand::F32(_) | Operand::F64(_) => self.check_float(check, wanted, operand, span),
            Operand::Sink if !check.spec.allowed.sink => {
                let message = format!("`_` cannot stand for {}", check.what());
                self.error(
                    Diagnostic::error(codes::WRONG_OPERANDS, span, message).help("name a register"),
                );
            }
            Operand::Offset(range) | Operand::Element(range) => {
                if matches!(operand, Operand::Element(_)) {
                    self.check_index(body, range);
                }
                let base = &body.operands(range)[0];
                if let Operand::Name { symbol, .. } = *base {
                    self.check_address_value(
                        check,
                        wanted,
                        symbol,
                        true,
                        body.operand_span(range.start as usize),
                    );
                }
            }
            _ => {}
        }
    }

    fn check_name(
        &mut self,
        check: &Check<'_>,
        wanted: ScalarType,
        symbol: Symbol,
        part: Part,
        sign: Sign,
        span: Span,
    ) {
        if check.spec.allowed.constant_only {
            let message = format!("{} must be a constant", check.what());
            self.error(
                Diagnostic::error(codes::BAD_IMMEDIATE, span, message).help("write a number"),
            );
            return;
        }
        match sign {
            Sign::Plain => {}
            Sign::Not if check.spec.allowed.negated => {}
            Sign::Minus if check.spec.allowed.minus => {}
            Sign::Not | Sign::Minus => {
                let message = format!("{} cannot be negated", check.what());
                self.error(
                    Diagnostic::error(codes::WRONG_OPERANDS, span, message)
                        .help("negate into a register first"),
                );
                return;
            }
        }
        let Some(declaration) = self.names.find(symbol) else {
            let welcome = check.spec.allowed.special;
            let _ = self.check_special(check, wanted, symbol, part, span, welcome);
            return;
        };
        match declaration.meaning {
            Meaning::Register { ty, vector } => {
                let Some(ty) = self.register_part(check, ty, vector, part, span) else {
                    return;
                };
                if vector > 1 && part == Part::Whole {
                    self.check_vector_register(check, wanted, ty, vector, span, declaration.span);
                } else if !matches!(
                    check.want.elements,
                    Elements::Scalar | Elements::Vector(1) | Elements::OneOrMore
                ) {
                    self.report_length(check, 1, span);
                } else if !typing::fits(ty, wanted, check.want.origin, check.typing())
                    || check.spec.allowed.untyped && ty != wanted
                {
                    self.report_type(check, ty, wanted, symbol, span, declaration.span);
                }
            }
            Meaning::Variable(..) | Meaning::Function(_) | Meaning::Label => {
                self.check_address_value(check, wanted, symbol, false, span);
            }
            _ => self.report_kind(check, symbol, &declaration, span, "a register"),
        }
    }

    /// The type of a register or of a part of it.
    pub(super) fn register_part(
        &mut self,
        check: &Check<'_>,
        ty: ScalarType,
        vector: u8,
        part: Part,
        span: Span,
    ) -> Option<ScalarType> {
        let fits = match part {
            Part::Whole => true,
            // What selects bytes takes no elements.
            Part::X | Part::Y => vector >= 2 && !check.spec.allowed.selector,
            Part::Z | Part::W => vector >= 4 && !check.spec.allowed.selector,
            _ => check.spec.allowed.selector && vector == 1,
        };
        if !fits {
            let message = format!("the register has no part `{}`", part);
            let help = "elements of vectors are .x .y .z .w; bytes and halves are selected in video instructions";
            self.error(Diagnostic::error(codes::WRONG_OPERANDS, span, message).help(help));
            return None;
        }
        Some(ty)
    }

    /// A name nobody declared: a special register, or a mistake. Gives the type it is read as.
    pub(super) fn check_special(
        &mut self,
        check: &Check<'_>,
        wanted: ScalarType,
        symbol: Symbol,
        part: Part,
        span: Span,
        welcome: bool,
    ) -> Option<ScalarType> {
        let name = self.module.name(symbol);
        let found = if part.is_selector() {
            None
        } else {
            sreg::find(name, part.element_text())
        };
        let Some(register) = found else {
            self.report_undefined(symbol, span);
            return None;
        };
        if check.spec.role == Role::Def {
            let message = format!("`{name}{}` cannot be written", part);
            self.error(
                Diagnostic::error(codes::WRONG_OPERANDS, span, message)
                    .help("special registers are read only"),
            );
            return None;
        }
        if let Err(error) = self.require(register.row.gate) {
            self.report_gate(error, &format!("{name}{}", part), span);
            return None;
        }
        if !welcome {
            let message = format!("`{name}{}` cannot stand for {}", part, check.what());
            self.error(
                Diagnostic::error(codes::WRONG_OPERANDS, span, message)
                    .help("special registers are read with `mov`"),
            );
            return None;
        }
        let vector = register.elements > 1;
        if vector != (check.want.elements != Elements::Scalar) {
            // All four elements together have 128 bits.
            if vector && wanted == ScalarType::B128 {
                return Some(wanted);
            }
            let message = format!(
                "`{name}` is a vector of {}; {} is not",
                register.elements,
                check.what()
            );
            self.error(
                Diagnostic::error(codes::BAD_VECTOR, span, message)
                    .help("take an element: `.x`, `.y` or `.z`"),
            );
            return None;
        }
        if let Elements::Vector(n) = check.want.elements
            && n != register.elements
        {
            self.report_length(check, usize::from(register.elements), span);
            return None;
        }
        let fitting = register.row.read_as(wanted, check.typing());
        if fitting.is_none() {
            let message = format!("`{name}{}` cannot be read as {wanted}", part);
            let list: Vec<String> = register.row.types.iter().map(ToString::to_string).collect();
            self.error(
                Diagnostic::error(codes::WRONG_TYPE, span, message)
                    .help(format!("it is of type {}", list.join(" or "))),
            );
        }
        fitting
    }

    /// The address of a variable, function or label as a value: what `mov` takes.
    fn check_address_value(
        &mut self,
        check: &Check<'_>,
        wanted: ScalarType,
        symbol: Symbol,
        offset: bool,
        span: Span,
    ) {
        let Some(declaration) = self.names.find(symbol) else {
            self.report_undefined(symbol, span);
            return;
        };
        let address = matches!(
            declaration.meaning,
            Meaning::Variable(..) | Meaning::Function(_)
        );
        if !check.spec.allowed.address || !address {
            self.report_kind(
                check,
                symbol,
                &declaration,
                span,
                "a register or a constant",
            );
        } else if !matches!(
            wanted.meaning(),
            TypeMeaning::Bits | TypeMeaning::Unsigned | TypeMeaning::Signed
        ) || wanted.bits() < 16
        {
            let message = format!("an address cannot be of type {wanted}");
            self.error(
                Diagnostic::error(codes::WRONG_TYPE, span, message)
                    .help("addresses have 64 bits; those of shared and local memory fit into 32"),
            );
        } else if !check.want.space.is_empty() {
            match declaration.meaning {
                Meaning::Variable(variable, owner) => {
                    self.check_space(check, symbol, variable, owner, span, declaration.span);
                }
                _ => self.report_kind(check, symbol, &declaration, span, "a variable"),
            }
        } else {
            self.check_address_taken(&declaration.meaning, wanted, symbol, offset, span);
        }
    }

    fn check_opaque(&mut self, check: &Check<'_>, ty: ScalarType, symbol: Symbol, span: Span) {
        let Some(declaration) = self.names.find(symbol) else {
            self.report_undefined(symbol, span);
            return;
        };
        let fits = match declaration.meaning {
            Meaning::Register {
                ty: register,
                vector: 1,
            } => typing::fits(register, ty, Origin::Fixed, Typing::Exact),
            Meaning::Variable(variable, _) => {
                variable.ty == ty
                    || (variable.space == Space::Tex && ty == ScalarType::TexRef)
                    // Unless they are apart, a texture has its sampler with it.
                    || (ty == ScalarType::SamplerRef
                        && variable.ty == ScalarType::TexRef
                        && !self.module.options.contains(&TargetOption::TexmodeIndependent))
            }
            _ => false,
        };
        if !fits {
            self.report_kind(
                check,
                symbol,
                &declaration,
                span,
                &format!("a {ty} variable or a .u64 register"),
            );
        }
    }

    // ---- reports ----

    pub(super) fn report_undefined(&mut self, symbol: Symbol, span: Span) {
        let name = self.module.name(symbol);
        let diagnostic =
            Diagnostic::error(codes::UNDEFINED, span, format!("`{name}` is not declared"));
        let help = match self.names.nearest(name) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "names are declared before they are used".to_owned(),
        };
        self.error(diagnostic.help(help));
    }

    fn report_type(
        &mut self,
        check: &Check<'_>,
        found: ScalarType,
        wanted: ScalarType,
        symbol: Symbol,
        span: Span,
        declared: Span,
    ) {
        let message = format!(
            "`{}` is of type {found}, {} wants {wanted}",
            self.module.name(symbol),
            check.what()
        );
        let help = format!(
            "registers that fit: {}",
            typing::describe(wanted, check.typing())
        );
        self.error(
            Diagnostic::error(codes::WRONG_TYPE, span, message)
                .related(declared, "declared here")
                .help(help),
        );
    }

    pub(super) fn report_kind(
        &mut self,
        check: &Check<'_>,
        symbol: Symbol,
        declaration: &Declaration<'m>,
        span: Span,
        wanted: &str,
    ) {
        let message = format!(
            "`{}` is {}, {} is {wanted}",
            self.module.name(symbol),
            declaration.meaning.describe(),
            check.what()
        );
        self.error(
            Diagnostic::error(codes::WRONG_NAME_KIND, span, message)
                .related(declaration.span, "declared here"),
        );
    }
}
