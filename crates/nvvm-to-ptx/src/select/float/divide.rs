//! Quotients and roots.
//!
//! | asked for | `float` |
//! |---|---|
//! | nothing | `div.rn`, `rcp.rn`, `sqrt.rn` |
//! | `!fpmath` of 2 units or more | `div.full`; of 3 or more `sqrt.approx` |
//! | `afn` | `div.approx`, `rcp.approx`, `sqrt.approx`, `rsqrt.approx` |
//! | options for fast division or roots | `div.full`, `rcp.approx`; `sqrt.approx` |
//!
//! `double` is always rounded to the nearest; shorter formats are computed as `float`.

use super::format::Format;
use super::{Rounding, half};
use crate::code::{Arg, Args};
use crate::select::Selector;
use crate::unit::Refused;
use warpc_nvvm::constant::ConstKind;
use warpc_nvvm::inst::{BinaryOp, Flags, Op};
use warpc_nvvm::metadata::Md;
use warpc_nvvm::value::{InstId, Value};

/// How exact a quotient or root must be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Precision {
    /// Rounded as PTX says it: `rn`, `rz`, `rm`, `rp`.
    Rounded(&'static str),
    /// To two units in the last place.
    Full,
    /// As fast as possible.
    Approximate,
}

/// The error of `div.full`, in units in the last place.
const FULL_ERROR: f32 = 2.0;
/// The error that a root must allow to be approximated.
const ROOT_ERROR: f32 = 3.0;

impl Selector<'_, '_> {
    /// The error in units in the last place that `!fpmath` allows.
    fn allowed_error(&self, inst: InstId) -> f32 {
        let allowed = || {
            let name = self.module.names.find(b"fpmath")?;
            let attachments = self.body.attachments_of(inst);
            let node = attachments.iter().find(|found| found.kind == name)?.node;
            match self.module.metadata.operand(node, 0)?.get() {
                Md::Const(constant) => match self.module.constants.get(constant).kind {
                    ConstKind::Float(bits) => Some(f32::from_bits(bits as u32)),
                    _ => None,
                },
                _ => None,
            }
        };
        allowed().unwrap_or(0.0)
    }

    /// How exact the result of an instruction must be.
    fn precision(&self, inst: InstId, full: f32) -> Precision {
        let flags = self.body.insts[inst].flags;
        if flags.contains(Flags::AFN) {
            Precision::Approximate
        } else if self.allowed_error(inst) >= full {
            Precision::Full
        } else {
            Precision::Rounded("rn")
        }
    }

    /// `fdiv`
    pub(in crate::select) fn quotient(
        &mut self,
        inst: InstId,
        format: Format,
        x: Value,
        y: Value,
    ) -> Result<Args, Refused> {
        let precision = match self.precision(inst, FULL_ERROR) {
            Precision::Rounded(_) if self.divides_fast(format) => Precision::Full,
            precision => precision,
        };
        let reciprocal = self.body.insts[inst].flags.contains(Flags::ARCP);
        let numerator = self.args(x)?;
        if format == Format::F32
            && precision == Precision::Approximate
            && let [one] = numerator[..]
            && format.bits_of(one) == Some(format.one_bits())
            && let Some(radicand) = self.fast_root(y)
        {
            let mnemonic = format!("rsqrt.approx{}.f32", self.ftz(format));
            let args = self.args(radicand)?;
            return self.on_parts(format, false, &[args], &mut |this, format, args| {
                this.float_op(format, &mnemonic, args)
            });
        }
        let operands = [numerator, self.args(y)?];
        self.on_parts(format, false, &operands, &mut |this, format, args| {
            this.divide(format, precision, reciprocal, args)
        })
    }

    /// Whether the options allow quotients of a format to be inexact.
    fn divides_fast(&self, format: Format) -> bool {
        !self.unit.options.precise_division && matches!(format, Format::F32 | Format::F32x2)
    }

    /// What an approximated root is taken of.
    fn fast_root(&self, value: Value) -> Option<Value> {
        let (inst, op) = self.definition(value)?;
        let flags = self.body.insts[inst].flags;
        let found = matches!(op, Op::Call(_))
            && flags.contains(Flags::AFN)
            && self.callee_name(inst)? == "llvm.sqrt.f32";
        found.then(|| self.body.operands(inst)[0])
    }

    /// A quotient of numbers.
    pub(in crate::select) fn divide(
        &mut self,
        format: Format,
        precision: Precision,
        arcp: bool,
        args: &[Arg],
    ) -> Result<Arg, Refused> {
        if rounds_to_nearest(precision)
            && let Some(divisor) = format.bits_of(args[1])
            && let Some(factor) = reciprocal(format, divisor, arcp)
        {
            let args = [args[0], format.number(factor)];
            return self.arithmetic(BinaryOp::Fmul, format, Rounding::NEAREST, &args);
        }
        match format {
            Format::F16x2 | Format::Bf16x2 | Format::F32x2 => {
                self.on_halves(format, args, &mut |this, format, args| {
                    this.divide(format, precision, arcp, args)
                })
            }
            Format::F16 | Format::Bf16 => {
                self.in_single(format, args, false, &mut |this, args| {
                    // Nothing here is a denormal `float` that was none before.
                    let flushes = std::mem::take(&mut this.mode.flushes);
                    let made = this.divide_long(Format::F32, precision, args);
                    this.mode.flushes = flushes;
                    made
                })
            }
            Format::F32 | Format::F64 => self.divide_long(format, precision, args),
        }
    }

    fn divide_long(
        &mut self,
        format: Format,
        precision: Precision,
        args: &[Arg],
    ) -> Result<Arg, Refused> {
        let (a, b) = (args[0], args[1]);
        let nearest = rounds_to_nearest(precision);
        let one = format.one_bits();
        let numerator = format.bits_of(a).map(|bits| bits & !format.sign_bits());
        let fast = precision == Precision::Full && self.divides_fast(format);
        if nearest && numerator == Some(one) && (fast || precision != Precision::Full) {
            let modifier = match (precision, format) {
                (Precision::Approximate | Precision::Full, Format::F32) => "approx",
                _ => "rn",
            };
            let mnemonic = format!("rcp.{modifier}{}.{}", self.ftz(format), format.name());
            let inverse = self.float_op(format, &mnemonic, &[b])?;
            return match format.bits_of(a) == Some(one) {
                true => Ok(inverse),
                false => self.negated(format, inverse),
            };
        }
        let modifier = match (precision, format) {
            (Precision::Rounded(mode), _) => mode,
            (Precision::Full, Format::F32) => "full",
            (Precision::Approximate, Format::F32) => "approx",
            _ => "rn",
        };
        let mnemonic = format!("div.{modifier}{}.{}", self.ftz(format), format.name());
        self.float_op(format, &mnemonic, args)
    }

    /// `llvm.sqrt`
    pub(in crate::select) fn root(
        &mut self,
        inst: InstId,
        format: Format,
        args: Args,
    ) -> Result<Args, Refused> {
        let fast = !self.unit.options.precise_square_root;
        let precision = match self.precision(inst, ROOT_ERROR) {
            Precision::Rounded(_) if fast && matches!(format, Format::F32 | Format::F32x2) => {
                Precision::Approximate
            }
            precision => precision,
        };
        self.root_parts(format, precision, args)
    }

    /// Roots of numbers.
    pub(in crate::select) fn root_parts(
        &mut self,
        format: Format,
        precision: Precision,
        args: Args,
    ) -> Result<Args, Refused> {
        self.on_parts(format, false, &[args], &mut |this, format, args| {
            this.on_halves(format, args, &mut |this, format, args| match format {
                Format::F16 | Format::Bf16 => {
                    this.in_single(format, args, false, &mut |this, args| {
                        let mnemonic = match precision {
                            Precision::Approximate | Precision::Full => "sqrt.approx.f32",
                            _ => "sqrt.rn.f32",
                        };
                        this.float_op(Format::F32, mnemonic, args)
                    })
                }
                _ => {
                    let modifier = match (precision, format) {
                        (Precision::Rounded(mode), _) => mode,
                        (_, Format::F32) => "approx",
                        _ => "rn",
                    };
                    let ftz = this.ftz(format);
                    let mnemonic = format!("sqrt.{modifier}{ftz}.{}", format.name());
                    this.float_op(format, &mnemonic, args)
                }
            })
        })
    }
}

fn rounds_to_nearest(precision: Precision) -> bool {
    !matches!(precision, Precision::Rounded("rz" | "rm" | "rp"))
}

/// The bits of what to multiply with instead of dividing: the reciprocal, if it is a normal number and
/// exact, or need not be.
fn reciprocal(format: Format, bits: u64, inexact: bool) -> Option<u64> {
    let divisor = normal_value(format, bits)?;
    let inverse = rounded_bits(format, 1.0 / divisor);
    let back = normal_value(format, inverse)?;
    // For doubles too: the product of two powers of two is exact, any other one is not.
    let exact = divisor.to_bits() << 12 == 0 && back * divisor == 1.0;
    (exact || inexact).then_some(inverse)
}

/// The value of a normal number by its bits.
fn normal_value(format: Format, bits: u64) -> Option<f64> {
    let value = match format {
        Format::F16 => f64::from(f32::from_bits(half::single_of_half(bits as u16))),
        Format::Bf16 => f64::from(f32::from_bits((bits as u32) << 16)),
        Format::F32 => f64::from(f32::from_bits(bits as u32)),
        Format::F64 => f64::from_bits(bits),
        _ => return None,
    };
    let fraction = format.fraction_bits();
    let exponent = (bits & !format.sign_bits()) >> fraction;
    let special = (format.nan_bits() & !format.sign_bits()) >> fraction;
    (exponent != 0 && exponent != special).then_some(value)
}

/// A normal number of a format nearest to a double; what does not fit gives a number that is not normal.
fn rounded_bits(format: Format, value: f64) -> u64 {
    let bits = value.to_bits();
    let fraction = format.fraction_bits();
    let cut = 52 - fraction;
    if cut == 0 {
        return bits;
    }
    let (magnitude, sign) = (bits << 1 >> 1, bits >> 63);
    let last = magnitude >> cut & 1;
    let rounded = (magnitude + (1 << (cut - 1)) - 1 + last) >> cut;
    let width = format.bits() - 1 - fraction;
    let bias = (1i64 << (width - 1)) - 1;
    let exponent = (rounded >> fraction) as i64 - 1023 + bias;
    let largest = (1i64 << width) - 1;
    let exponent = exponent.clamp(0, largest) as u64;
    let kept = rounded & ((1 << fraction) - 1);
    sign << (format.bits() - 1) | exponent << fraction | kept
}

#[cfg(test)]
mod tests {
    use super::{Format, reciprocal};

    #[test]
    fn reciprocals_are_exact_or_asked_for() {
        let single = |value: f32, inexact| {
            reciprocal(Format::F32, value.to_bits().into(), inexact)
                .map(|bits| f32::from_bits(bits as u32))
        };
        assert_eq!(single(4.0, false), Some(0.25));
        assert_eq!(single(-0.5, false), Some(-2.0));
        assert_eq!(single(3.0, false), None);
        assert_eq!(single(3.0, true), Some(1.0 / 3.0));
        assert_eq!(single(0.0, true), None);
        assert_eq!(single(f32::INFINITY, true), None);
        // The reciprocal would be denormal, the divisor is.
        assert_eq!(single(2f32.powi(127), false), None);
        assert_eq!(single(2f32.powi(-127), true), None);
        let double = |value: f64, inexact| reciprocal(Format::F64, value.to_bits(), inexact);
        assert_eq!(double(8.0, false), Some(0.125f64.to_bits()));
        assert_eq!(double(5.0, false), None);
        assert_eq!(double(5.0, true), Some(0.2f64.to_bits()));
        // 2, 3 and 65504 as half; 3 as bfloat.
        assert_eq!(reciprocal(Format::F16, 0x4000, false), Some(0x3800));
        assert_eq!(reciprocal(Format::F16, 0x4200, true), Some(0x3555));
        assert_eq!(reciprocal(Format::F16, 0x7bff, true), None);
        assert_eq!(reciprocal(Format::Bf16, 0x4040, true), Some(0x3eab));
    }
}
