//! Quotients and roots.
//!
//! | asked for | `float` |
//! |---|---|
//! | nothing | `div.rn`, `rcp.rn`, `sqrt.rn` |
//! | `!fpmath` of 2 units or more | `div.full`; of 3 or more `sqrt.approx` |
//! | `afn` | `div.approx`, `rcp.approx`, `sqrt.approx`, `rsqrt.approx` |
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
        let precision = self.precision(inst, FULL_ERROR);
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
                    let made = this.divide(Format::F32, precision, arcp, args);
                    this.mode.flushes = flushes;
                    made
                })
            }
            Format::F32 | Format::F64 => self.divide_long(format, precision, arcp, args),
        }
    }

    fn divide_long(
        &mut self,
        format: Format,
        precision: Precision,
        arcp: bool,
        args: &[Arg],
    ) -> Result<Arg, Refused> {
        let (a, b) = (args[0], args[1]);
        let nearest = !matches!(precision, Precision::Rounded("rz" | "rm" | "rp"));
        if nearest
            && let Some(divisor) = format.bits_of(b)
            && let Some(factor) = reciprocal(format, divisor, arcp)
        {
            return self.arithmetic(
                BinaryOp::Fmul,
                format,
                Rounding::NEAREST,
                &[a, format.number(factor)],
            );
        }
        let one = format.one_bits();
        let numerator = format.bits_of(a).map(|bits| bits & !format.sign_bits());
        if nearest && numerator == Some(one) && precision != Precision::Full {
            let modifier = match (precision, format) {
                (Precision::Approximate, Format::F32) => "approx",
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
        let precision = self.precision(inst, ROOT_ERROR);
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

/// The bits of what to multiply with instead of dividing: the reciprocal, if it is a normal number and
/// exact, or need not be.
fn reciprocal(format: Format, bits: u64, inexact: bool) -> Option<u64> {
    let (is_power, inverse, normal) = match format {
        Format::F32 => {
            let inverse = 1.0 / f32::from_bits(bits as u32);
            let power = bits & 0x7f_ffff == 0;
            (power, u64::from(inverse.to_bits()), inverse.is_normal())
        }
        Format::F64 => {
            let inverse = 1.0 / f64::from_bits(bits);
            let power = bits & 0xf_ffff_ffff_ffff == 0;
            (power, inverse.to_bits(), inverse.is_normal())
        }
        _ => return None,
    };
    let divisor_is_normal = match format {
        Format::F32 => f32::from_bits(bits as u32).is_normal(),
        _ => f64::from_bits(bits).is_normal(),
    };
    (normal && divisor_is_normal && (is_power || inexact)).then_some(inverse)
}

/// A constant of any format as `float`, if it is one.
pub fn single_of(format: Format, arg: Arg) -> Option<f32> {
    let bits = format.bits_of(arg)?;
    Some(f32::from_bits(match format {
        Format::F16 => half::single_of_half(bits as u16),
        Format::Bf16 => (bits as u32) << 16,
        Format::F32 => bits as u32,
        _ => return None,
    }))
}
