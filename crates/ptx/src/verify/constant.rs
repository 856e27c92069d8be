//! Constants as operands: where they may stand, of which kind, in which range.
//!
//! Integers fit integer, bit and predicate types, whatever their size: ptxas cuts them. `0f` literals
//! fit `.f32`, `.f64` and `.b32`, other floating-point numbers `.f32`, `.f64` and `.b64`. Half-precision
//! and packed types take no constant.

use super::Verifier;
use super::operand::Check;
use super::prepare::Elements;
use crate::form::Role;
use crate::inst::{Int, Operand};
use crate::types::{Meaning as TypeMeaning, ScalarType};
use warpc_diag::{Diagnostic, Span, codes};

impl Verifier<'_> {
    pub(super) fn check_int(
        &mut self,
        check: &Check<'_>,
        wanted: ScalarType,
        int: Int,
        span: Span,
    ) {
        if !self.constant_welcome(check, span) {
            return;
        }
        if matches!(wanted.meaning(), TypeMeaning::Float | TypeMeaning::Packed) {
            let message = format!("{} is of type {wanted}, an integer was given", check.what());
            let help = if wanted.is_float() {
                "write a floating-point constant such as 1.0 or 0f3F800000"
            } else {
                "name a register"
            };
            self.error(Diagnostic::error(codes::BAD_IMMEDIATE, span, message).help(help));
            return;
        }
        if let Some((low, high)) = check.spec.range {
            let value = int.value();
            if value < i128::from(low) || value > i128::from(high) {
                let message = format!("{value} is out of range for {}", check.what());
                self.error(
                    Diagnostic::error(codes::BAD_IMMEDIATE, span, message)
                        .help(format!("it lies from {low} to {high}")),
                );
            }
        }
    }

    pub(super) fn check_float(
        &mut self,
        check: &Check<'_>,
        wanted: ScalarType,
        operand: &Operand,
        span: Span,
    ) {
        if !self.constant_welcome(check, span) {
            return;
        }
        use ScalarType::{B32, B64, F32, F64};
        let fits = match operand {
            Operand::F32(_) => matches!(wanted, F32 | F64 | B32),
            _ => matches!(wanted, F32 | F64 | B64),
        };
        if !fits {
            let message = format!(
                "{} is of type {wanted}, a floating-point constant was given",
                check.what()
            );
            let help = match wanted.meaning() {
                TypeMeaning::Bits if wanted == B32 => "write its bits, as in 0f3F800000",
                TypeMeaning::Bits | TypeMeaning::Signed | TypeMeaning::Unsigned => {
                    "write an integer"
                }
                _ => "name a register",
            };
            self.error(Diagnostic::error(codes::BAD_IMMEDIATE, span, message).help(help));
        }
    }

    /// Whether a constant may stand there at all.
    fn constant_welcome(&mut self, check: &Check<'_>, span: Span) -> bool {
        let refused = check.spec.role == Role::Def || check.spec.allowed.register_only;
        let vector = !matches!(check.want.elements, Elements::Scalar | Elements::OneOrMore);
        if refused || vector {
            let wanted = if vector { "a vector" } else { "a register" };
            let message = format!("{} must be {wanted}, a constant was given", check.what());
            let help = match check.spec.role {
                Role::Def => "results go to registers",
                Role::Use => "move the constant into a register first",
            };
            self.error(Diagnostic::error(codes::BAD_IMMEDIATE, span, message).help(help));
        }
        !refused && !vector
    }
}
