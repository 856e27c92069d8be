//! LLVM's intrinsics on floating-point numbers.
//!
//! Names end in the types they are for (`llvm.fma.v2f32`); what stands before is looked up in one table.

mod classify;
mod constrained;
mod scale;
mod transcendental;

use crate::code::Args;
use crate::select::Selector;
use crate::select::extend::Known;
use crate::select::float::{Format, Rounding, ToInteger};
use crate::unit::Refused;
use warpc_diag::codes;
use warpc_nvvm::inst::{BinaryOp, CastOp};
use warpc_nvvm::types::Type;
use warpc_nvvm::value::{InstId, Value};

/// What an intrinsic computes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Function {
    Fma,
    MulAdd,
    Sqrt,
    Abs,
    CopySign,
    Canonicalize,
    /// To an integer that stays a floating-point number.
    Round(ToInteger),
    /// To an integer.
    ToInteger(ToInteger),
    /// `min` or `max`, and whether a NaN wins.
    Extreme(&'static str, bool),
    /// `fptosi.sat` and, if not signed, `fptoui.sat`.
    Saturate(bool),
    FptruncRound,
    ToHalfBits,
    FromHalfBits,
    IsClass,
    Fence,
    Ldexp,
    Frexp,
    Modf,
    GetRounding,
    Transcendental,
    /// Not without a library or another processor.
    Refused,
}

/// The intrinsics by their names without `llvm.` and types.
const FUNCTIONS: &[(&str, Function)] = &[
    ("fma", Function::Fma),
    ("fmuladd", Function::MulAdd),
    ("sqrt", Function::Sqrt),
    ("fabs", Function::Abs),
    ("copysign", Function::CopySign),
    ("canonicalize", Function::Canonicalize),
    ("floor", Function::Round(ToInteger::Ptx("rmi"))),
    ("ceil", Function::Round(ToInteger::Ptx("rpi"))),
    ("trunc", Function::Round(ToInteger::Ptx("rzi"))),
    ("rint", Function::Round(ToInteger::Ptx("rni"))),
    ("nearbyint", Function::Round(ToInteger::Ptx("rni"))),
    ("roundeven", Function::Round(ToInteger::Ptx("rni"))),
    ("round", Function::Round(ToInteger::HalvesAway)),
    ("lrint", Function::ToInteger(ToInteger::Ptx("rni"))),
    ("llrint", Function::ToInteger(ToInteger::Ptx("rni"))),
    ("lround", Function::ToInteger(ToInteger::HalvesAway)),
    ("llround", Function::ToInteger(ToInteger::HalvesAway)),
    ("minnum", Function::Extreme("min", false)),
    ("maxnum", Function::Extreme("max", false)),
    ("minimumnum", Function::Extreme("min", false)),
    ("maximumnum", Function::Extreme("max", false)),
    ("minimum", Function::Extreme("min", true)),
    ("maximum", Function::Extreme("max", true)),
    ("fptosi.sat", Function::Saturate(true)),
    ("fptoui.sat", Function::Saturate(false)),
    ("fptrunc.round", Function::FptruncRound),
    ("convert.to.fp16", Function::ToHalfBits),
    ("convert.from.fp16", Function::FromHalfBits),
    ("is.fpclass", Function::IsClass),
    ("arithmetic.fence", Function::Fence),
    ("ldexp", Function::Ldexp),
    ("frexp", Function::Frexp),
    ("modf", Function::Modf),
    ("get.rounding", Function::GetRounding),
    ("flt.rounds", Function::GetRounding),
    ("sin", Function::Transcendental),
    ("cos", Function::Transcendental),
    ("tanh", Function::Transcendental),
    ("exp2", Function::Transcendental),
    ("exp", Function::Transcendental),
    ("exp10", Function::Transcendental),
    ("log2", Function::Transcendental),
    ("log", Function::Transcendental),
    ("log10", Function::Transcendental),
    ("tan", Function::Transcendental),
    ("asin", Function::Transcendental),
    ("acos", Function::Transcendental),
    ("atan", Function::Transcendental),
    ("atan2", Function::Transcendental),
    ("sinh", Function::Transcendental),
    ("cosh", Function::Transcendental),
    ("pow", Function::Transcendental),
    ("sincos", Function::Transcendental),
    ("sincospi", Function::Transcendental),
    ("set.rounding", Function::Refused),
    ("get.fpenv", Function::Refused),
    ("set.fpenv", Function::Refused),
    ("reset.fpenv", Function::Refused),
    ("get.fpmode", Function::Refused),
    ("set.fpmode", Function::Refused),
    ("reset.fpmode", Function::Refused),
];

/// An intrinsic's name without `llvm.` and the types at its end.
fn base(name: &str) -> &str {
    let mut base = name.strip_prefix("llvm.").unwrap_or(name);
    while let Some((rest, last)) = base.rsplit_once('.') {
        let scalar = last.trim_start_matches(|c: char| c == 'v' || c.is_ascii_digit());
        let is_type = ["f16", "bf16", "f32", "f64", "f80", "f128", "ppcf128"].contains(&scalar)
            || scalar
                .strip_prefix('i')
                .is_some_and(|bits| !bits.is_empty() && bits.bytes().all(|c| c.is_ascii_digit()));
        if !is_type {
            break;
        }
        base = rest;
    }
    base
}

/// What an intrinsic of this family computes, by its name.
pub(super) fn find(name: &str) -> Option<Function> {
    let base = base(name);
    let found = FUNCTIONS.iter().find(|(known, _)| *known == base)?;
    Some(found.1)
}

/// Whether a call of the intrinsic does nothing but compute its result.
pub(super) fn is_pure(name: &str, function: Option<Function>) -> bool {
    match function {
        Some(function) => function != Function::Refused,
        None => constrained::is_one(name),
    }
}

/// What stands above the width of the results of a saturating conversion.
pub(super) fn known_above(name: &str) -> Option<Known> {
    let signed = match name.strip_prefix("llvm.fpto")? {
        rest if rest.starts_with("si.sat.") => true,
        rest if rest.starts_with("ui.sat.") => false,
        _ => return None,
    };
    Some(Known {
        zeros: !signed,
        sign: signed,
    })
}

/// Whether an intrinsic computes with its operands as numbers: the bits of a NaN do not matter to it.
pub(super) fn is_arithmetic(function: Option<Function>) -> bool {
    match function {
        Some(
            Function::Abs
            | Function::CopySign
            | Function::IsClass
            | Function::Fence
            | Function::Refused,
        ) => false,
        Some(_) => true,
        None => false,
    }
}

impl Selector<'_, '_> {
    /// Selects the call if its name is one of this family.
    pub(super) fn float_intrinsic(
        &mut self,
        inst: InstId,
        name: &str,
        function: Option<Function>,
    ) -> Result<bool, Refused> {
        if constrained::is_one(name) {
            self.constrained(inst, name)?;
            return Ok(true);
        }
        let Some(function) = function else {
            return Ok(false);
        };
        let made = self.float_function(inst, name, function)?;
        self.settle(inst, &made)?;
        Ok(true)
    }

    fn float_function(
        &mut self,
        inst: InstId,
        name: &str,
        function: Function,
    ) -> Result<Args, Refused> {
        let operands = self.body.operands(inst);
        let to = self.body.insts[inst].ty;
        match function {
            Function::GetRounding => {
                // LLVM's number for the nearest.
                return Ok(smallvec::smallvec![crate::code::Arg::Int(1)]);
            }
            Function::Refused => {
                let message =
                    format!("`{name}` is not possible: GPUs have no rounding mode to set");
                return Err(self.refuse(codes::UNSUPPORTED, message));
            }
            Function::Fence => return self.args(operands[0]),
            Function::FromHalfBits => {
                let Some(format) = self.format_of(to) else {
                    return Err(self.unsupported(inst));
                };
                let arg = self.arg(operands[0])?;
                return self.number_of_half_bits(format, arg);
            }
            Function::IsClass => return self.is_class(inst, operands[0], operands[1]),
            Function::Ldexp => return self.ldexp(inst),
            Function::Frexp => return self.frexp(inst),
            Function::Modf => return self.modf(inst),
            _ => {}
        }
        let x = operands[0];
        let ty = self.type_of(x);
        let Some(format) = self.format_of(ty) else {
            return Err(self.unsupported(inst));
        };
        match function {
            Function::Fma => {
                let operands = self.operand_parts(&operands[..3])?;
                self.fma_parts(format, Rounding::NEAREST, &operands)
            }
            Function::MulAdd => {
                let operands = self.operand_parts(&operands[..3])?;
                let fused = self.unit.options.fmad;
                self.product_and_sum(format, fused, Rounding::NEAREST, &operands)
            }
            Function::Sqrt => {
                let args = self.args(x)?;
                self.root(inst, format, args)
            }
            Function::Abs => {
                let args = self.args(x)?;
                self.fabs(inst, format, args)
            }
            Function::CopySign => {
                let operands = self.operand_parts(&operands[..2])?;
                self.on_parts(format, false, &operands, &mut |this, format, args| {
                    this.copysign(format, args)
                })
            }
            Function::Canonicalize => {
                let args = self.args(x)?;
                self.on_parts(format, false, &[args], &mut |this, format, args| {
                    let one = format.number(format.one_bits());
                    let args = [args[0], one];
                    this.arithmetic(BinaryOp::Fmul, format, Rounding::NEAREST, &args)
                })
            }
            Function::Round(how) => {
                let args = self.args(x)?;
                self.on_parts(format, false, &[args], &mut |this, format, args| {
                    this.rounded(how, format, args)
                })
            }
            Function::Extreme(name, nan) => {
                let operands = self.operand_parts(&operands[..2])?;
                self.on_parts(format, false, &operands, &mut |this, format, args| {
                    this.extreme(name, nan, format, args)
                })
            }
            Function::ToInteger(how) => self.rounded_integers(inst, x, how),
            Function::Saturate(signed) => {
                let (Some(format), Type::Int(bits @ 1..=64)) =
                    (Format::of(self.scalar_kind(ty)), self.scalar_kind(to))
                else {
                    return Err(self.unsupported(inst));
                };
                let args = self.args(x)?;
                self.on_elements(&[(ty, args)], to, &mut |this, args| {
                    this.saturated(format, signed, bits, args[0])
                })
            }
            Function::FptruncRound => {
                let rounding = self.rounding_operand(inst, 1)?;
                let args = self.args(x)?;
                match self.float_cast_rounded(CastOp::Fptrunc, ty, to, &args, rounding)? {
                    Some(made) => Ok(made),
                    None => Err(self.unsupported(inst)),
                }
            }
            Function::ToHalfBits => {
                let arg = self.arg(x)?;
                self.half_bits(format, arg)
            }
            _ => self.transcendental(inst, name, base(name), format),
        }
    }

    /// The parts of several values.
    fn operand_parts(&mut self, values: &[Value]) -> Result<Vec<Args>, Refused> {
        values.iter().map(|&value| self.args(value)).collect()
    }

    /// A product and a sum, fused or not.
    fn product_and_sum(
        &mut self,
        format: Format,
        fused: bool,
        rounding: Rounding,
        operands: &[Args],
    ) -> Result<Args, Refused> {
        if fused {
            return self.fma_parts(format, rounding, operands);
        }
        let product = self.arithmetic_parts(BinaryOp::Fmul, format, rounding, &operands[..2])?;
        let sum = [product, operands[2].clone()];
        self.arithmetic_parts(BinaryOp::Fadd, format, rounding, &sum)
    }

    /// Numbers rounded to integers of the type of the result.
    fn rounded_integers(
        &mut self,
        inst: InstId,
        x: Value,
        how: ToInteger,
    ) -> Result<Args, Refused> {
        let (ty, to) = (self.type_of(x), self.body.insts[inst].ty);
        let (Some(format), Type::Int(bits @ 2..=64)) =
            (Format::of(self.scalar_kind(ty)), self.scalar_kind(to))
        else {
            return Err(self.unsupported(inst));
        };
        let args = self.args(x)?;
        self.on_elements(&[(ty, args)], to, &mut |this, args| {
            this.rounded_integer(how, format, bits, args[0])
        })
    }
}

#[cfg(test)]
mod tests {
    use super::base;

    #[test]
    fn names_lose_their_types() {
        for (name, expected) in [
            ("llvm.fma.v2f32", "fma"),
            ("llvm.fptosi.sat.v4i8.v4f16", "fptosi.sat"),
            ("llvm.convert.to.fp16.f32", "convert.to.fp16"),
            ("llvm.lrint.i64.f32", "lrint"),
            ("llvm.is.fpclass.bf16", "is.fpclass"),
            ("llvm.get.rounding", "get.rounding"),
            ("llvm.exp2.f64", "exp2"),
        ] {
            assert_eq!(base(name), expected);
        }
    }
}
