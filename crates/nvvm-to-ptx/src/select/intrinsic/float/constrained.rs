//! `llvm.experimental.constrained.*`: operations with a rounding mode and a wish about exceptions.
//!
//! GPUs raise no exceptions, so the wish is always granted. Rounding modes are modifiers of PTX; where an
//! operation has none for the mode, it is refused. The mode `round.dynamic` is the nearest: nothing can
//! change it.

use super::{Function, base, find};
use crate::code::Args;
use crate::select::Selector;
use crate::select::float::{Format, Precision, Rounding, ToInteger};
use crate::unit::Refused;
use warpc_diag::codes;
use warpc_nvvm::inst::{BinaryOp, CastOp, FcmpPredicate};
use warpc_nvvm::metadata::Md;
use warpc_nvvm::value::{InstId, Operand};

const PREFIX: &str = "llvm.experimental.constrained.";

/// Whether a name is that of such an operation.
pub(super) fn is_one(name: &str) -> bool {
    name.starts_with(PREFIX)
}

impl Selector<'_, '_> {
    /// The text of an operand that is metadata.
    fn metadata_text(&self, inst: InstId, index: usize) -> Option<String> {
        match self.body.operands(inst).get(index)?.get() {
            Operand::Metadata(reference) => match reference.get() {
                Md::String(name) => Some(self.module.names.text(name).into_owned()),
                _ => None,
            },
            _ => None,
        }
    }

    /// The rounding of PTX that an operand asks for.
    pub(super) fn rounding_operand(
        &self,
        inst: InstId,
        index: usize,
    ) -> Result<&'static str, Refused> {
        let text = self.metadata_text(inst, index).unwrap_or_default();
        Ok(match &*text {
            "round.tonearest" | "round.dynamic" => "rn",
            "round.towardzero" => "rz",
            "round.downward" => "rm",
            "round.upward" => "rp",
            other => {
                let message = format!("PTX has no rounding `{other}`");
                return Err(self.refuse(codes::UNSUPPORTED, message));
            }
        })
    }

    pub(super) fn constrained(&mut self, inst: InstId, name: &str) -> Result<(), Refused> {
        let made = self.constrained_parts(inst, name)?;
        self.settle(inst, &made)
    }

    fn constrained_parts(&mut self, inst: InstId, name: &str) -> Result<Args, Refused> {
        let operands = self.body.operands(inst);
        let operation = base(&name[PREFIX.len() - 1..]).trim_start_matches('.');
        let x = operands[0];
        let (ty, to) = (self.type_of(x), self.body.insts[inst].ty);
        let cast = match operation {
            "fptrunc" => Some((CastOp::Fptrunc, true)),
            "fpext" => Some((CastOp::Fpext, false)),
            "fptosi" => Some((CastOp::Fptosi, false)),
            "fptoui" => Some((CastOp::Fptoui, false)),
            "sitofp" => Some((CastOp::Sitofp, true)),
            "uitofp" => Some((CastOp::Uitofp, true)),
            _ => None,
        };
        if let Some((op, rounds)) = cast {
            let rounding = match rounds {
                true => self.rounding_operand(inst, 1)?,
                false => "rn",
            };
            let args = self.args(x)?;
            return match self.float_cast_rounded(op, ty, to, &args, rounding)? {
                Some(made) => Ok(made),
                None => Err(self.unsupported(inst)),
            };
        }
        let Some(format) = self.format_of(ty) else {
            return Err(self.unsupported(inst));
        };
        let binary = match operation {
            "fadd" => Some(BinaryOp::Fadd),
            "fsub" => Some(BinaryOp::Fsub),
            "fmul" => Some(BinaryOp::Fmul),
            "fdiv" => Some(BinaryOp::Fdiv),
            _ => None,
        };
        if let Some(op) = binary {
            let rounding = self.rounding_operand(inst, 2)?;
            let operands = self.operand_parts(&operands[..2])?;
            self.check_rounding(name, format, rounding)?;
            return match op {
                BinaryOp::Fdiv => {
                    let precision = Precision::Rounded(rounding);
                    self.on_parts(format, false, &operands, &mut |this, format, args| {
                        this.divide(format, precision, false, args)
                    })
                }
                _ => self.arithmetic_parts(op, format, Rounding::To(rounding), &operands),
            };
        }
        match operation {
            "fma" | "fmuladd" => {
                let rounding = self.rounding_operand(inst, 3)?;
                self.check_rounding(name, format, rounding)?;
                let operands = self.operand_parts(&operands[..3])?;
                let fused = operation == "fma" || self.unit.options.fmad;
                self.product_and_sum(format, fused, Rounding::To(rounding), &operands)
            }
            "sqrt" => {
                let rounding = self.rounding_operand(inst, 1)?;
                self.check_rounding(name, format, rounding)?;
                let args = self.args(x)?;
                self.root_parts(format, Precision::Rounded(rounding), args)
            }
            "fcmp" | "fcmps" => self.constrained_compare(inst, format),
            "rint" | "nearbyint" | "lrint" | "llrint" => {
                let how = ToInteger::Ptx(match self.rounding_operand(inst, 1)? {
                    "rz" => "rzi",
                    "rm" => "rmi",
                    "rp" => "rpi",
                    _ => "rni",
                });
                let function = match operation {
                    "rint" | "nearbyint" => Function::Round(how),
                    _ => Function::ToInteger(how),
                };
                self.float_function(inst, name, function)
            }
            _ => match find(operation) {
                // These do not round, or always in the same way.
                Some(
                    function
                    @ (Function::Round(_) | Function::ToInteger(_) | Function::Extreme(..)),
                ) => self.float_function(inst, name, function),
                Some(function @ Function::Transcendental) => {
                    self.float_function(inst, operation, function)
                }
                _ => {
                    let message = format!("the intrinsic `{name}` is not supported");
                    Err(self.refuse(codes::UNKNOWN_INTRINSIC, message))
                }
            },
        }
    }

    /// Only `float` and `double` are rounded in other ways than to the nearest.
    fn check_rounding(&self, name: &str, format: Format, rounding: &str) -> Result<(), Refused> {
        if rounding == "rn" || matches!(format, Format::F32 | Format::F64) {
            return Ok(());
        }
        let message = format!("`{name}` with rounding `.{rounding}` does not exist in PTX");
        Err(self.refuse(codes::UNSUPPORTED, message))
    }

    fn constrained_compare(&mut self, inst: InstId, format: Format) -> Result<Args, Refused> {
        let operands = self.body.operands(inst);
        let text = self.metadata_text(inst, 2).unwrap_or_default();
        let Some(predicate) = FcmpPredicate::from_keyword(text.as_bytes()) else {
            return Err(self.unsupported(inst));
        };
        let operands = self.operand_parts(&operands[..2])?;
        let made = self.compare_parts(format, predicate, |_| {
            Ok([operands[0].clone(), operands[1].clone()])
        })?;
        match made {
            Some(made) => Ok(made),
            None => Err(self.unsupported(inst)),
        }
    }
}
