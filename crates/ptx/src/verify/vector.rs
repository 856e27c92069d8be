//! Vectors as operands: `{a, b}` and vector registers.
//!
//! Elements must go together ([`super::typing::join`]), and together fit the type; their number
//! follows from the modifiers, or a rule checks it.

use super::Verifier;
use super::names::Meaning;
use super::operand::Check;
use super::prepare::{Elements, Want};
use super::typing::{self, Origin};
use crate::form::Role;
use crate::inst::{Operand, OperandRange, Part, Sign};
use crate::module::Body;
use crate::symbol::Symbol;
use crate::types::{Meaning as TypeMeaning, ScalarType};
use warpc_diag::{Diagnostic, Span, codes};

impl<'m> Verifier<'m> {
    pub(super) fn check_vector(
        &mut self,
        body: &'m Body,
        check: &Check<'_>,
        range: OperandRange,
        span: Span,
    ) {
        let given = usize::from(range.len);
        if let Elements::Vector(n) = check.want.elements
            && usize::from(n) != given
        {
            self.report_length(check, given, span);
            return;
        }
        let Some(wanted) = check.want.ty else {
            return;
        };
        if body.operands(range).iter().all(|e| *e == Operand::Sink) {
            let message = format!("{} has only `_` for elements", check.what());
            self.error(
                Diagnostic::error(codes::BAD_VECTOR, span, message)
                    .help("name a register for one of them"),
            );
            return;
        }
        let mut joined: Option<ScalarType> = None;
        for (i, element) in range.indices().zip(body.operands(range)) {
            let span = body.operand_span(i);
            match *element {
                Operand::Sink if check.spec.allowed.sink => {}
                Operand::Name {
                    symbol,
                    part,
                    sign: Sign::Plain,
                } => {
                    let Some((ty, declared)) = self.element_type(check, wanted, symbol, part, span)
                    else {
                        return;
                    };
                    // An index stands for itself; coordinates go together.
                    if check.spec.allowed.index_first && i == range.start as usize {
                        continue;
                    }
                    match joined.map_or(Some(ty), |old| typing::join(old, ty)) {
                        Some(ty) => joined = Some(ty),
                        None => {
                            let message =
                                format!("an element of type {ty} does not go with those before it");
                            let help = "elements are of one type, or of one size and .b";
                            self.error(
                                Diagnostic::error(codes::WRONG_TYPE, span, message)
                                    .related(declared, "declared here")
                                    .help(help),
                            );
                            return;
                        }
                    }
                }
                // Fragments take plain bits for packed elements, as their registers are.
                Operand::Int(_)
                    if check.spec.role == Role::Use
                        && check.want.origin == Origin::Fragment
                        && wanted.meaning() == TypeMeaning::Packed => {}
                Operand::Int(int) if check.spec.role == Role::Use => {
                    let scalar = Check {
                        want: Want {
                            elements: Elements::Scalar,
                            ..check.want
                        },
                        ..*check
                    };
                    self.check_int(&scalar, wanted, int, span);
                }
                Operand::F32(_) | Operand::F64(_) if check.spec.role == Role::Use => {
                    let scalar = Check {
                        want: Want {
                            elements: Elements::Scalar,
                            ..check.want
                        },
                        ..*check
                    };
                    self.check_float(&scalar, wanted, element, span);
                }
                _ => {
                    let message = format!("this cannot be an element of {}", check.what());
                    self.error(
                        Diagnostic::error(codes::WRONG_OPERANDS, span, message)
                            .help("name a register"),
                    );
                    return;
                }
            }
        }
        if joined.is_none() && check.want.origin == Origin::Fragment && wanted.bits() < 64 {
            let message = format!("{} names no register", check.what());
            self.error(
                Diagnostic::error(codes::WRONG_OPERANDS, span, message)
                    .help("one element at least must be a register"),
            );
            return;
        }
        if let Some(ty) = joined
            && !typing::vector_fits(ty, wanted, check.want.origin, check.typing())
        {
            let message = format!(
                "{} has elements of type {ty}, {wanted} is wanted",
                check.what()
            );
            let help = format!(
                "registers that fit: {}",
                typing::describe(wanted, check.typing())
            );
            self.error(Diagnostic::error(codes::WRONG_TYPE, span, message).help(help));
        }
    }

    fn element_type(
        &mut self,
        check: &Check<'_>,
        wanted: ScalarType,
        symbol: Symbol,
        part: Part,
        span: Span,
    ) -> Option<(ScalarType, Span)> {
        let Some(declaration) = self.names.find(symbol) else {
            let scalar = Check {
                want: Want {
                    elements: Elements::Scalar,
                    ..check.want
                },
                ..*check
            };
            // Special registers may be elements of any vector that is read.
            let ty = self.check_special(&scalar, wanted, symbol, part, span, true)?;
            return Some((ty, span));
        };
        match declaration.meaning {
            Meaning::Register { ty, vector } => {
                let ty = self.register_part(check, ty, vector, part, span)?;
                if vector > 1 && part == Part::Whole {
                    self.error(
                        Diagnostic::error(codes::BAD_VECTOR, span, "a vector inside a vector")
                            .help("take its elements: `.x`, `.y` …"),
                    );
                    return None;
                }
                Some((ty, declaration.span))
            }
            _ => {
                self.report_kind(check, symbol, &declaration, span, "a register");
                None
            }
        }
    }

    pub(super) fn check_vector_register(
        &mut self,
        check: &Check<'_>,
        wanted: ScalarType,
        ty: ScalarType,
        vector: u8,
        span: Span,
        declared: Span,
    ) {
        match check.want.elements {
            Elements::Vector(n) if n != vector => {
                self.report_length(check, usize::from(vector), span)
            }
            Elements::Scalar => {
                let message = format!(
                    "{} is a vector of {vector}, a scalar is wanted",
                    check.what()
                );
                let diagnostic = Diagnostic::error(codes::BAD_VECTOR, span, message)
                    .related(declared, "declared here");
                self.error(diagnostic.help("take an element: `.x`, `.y`, `.z` or `.w`"));
            }
            _ if !typing::vector_fits(ty, wanted, check.want.origin, check.typing()) => {
                let message = format!(
                    "{} has elements of type {ty}, {wanted} is wanted",
                    check.what()
                );
                self.error(
                    Diagnostic::error(codes::WRONG_TYPE, span, message)
                        .related(declared, "declared here"),
                );
            }
            _ => {}
        }
    }

    pub(super) fn report_length(&mut self, check: &Check<'_>, given: usize, span: Span) {
        let wanted = match check.want.elements {
            Elements::Vector(n) => format!("{n} elements"),
            _ => "a vector".to_owned(),
        };
        let message = format!("{} has {wanted}, {given} given", check.what());
        self.error(
            Diagnostic::error(codes::BAD_VECTOR, span, message)
                .help(format!("the form is `{}`", check.form.row.syntax)),
        );
    }
}
