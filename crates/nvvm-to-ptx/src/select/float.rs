//! Arithmetic on floating-point numbers.
//!
//! ```text
//!   value ─► parts ─► one instruction of the part's format
//!                     ├ a pair the target lacks: its halves
//!                     └ bfloat the target lacks: fma with 1 or -0, else by way of float
//! ```
//!
//! An operation marked `contract` is written without `.rn`, which lets ptxas fuse it; all others have
//! `.rn`, which forbids that. A product and a sum that are both marked become one `fma` here.

mod compare;
mod convert;
mod divide;
mod extreme;
mod format;
mod half;
mod mode;
mod round;
mod saturate;
mod sign;

pub use divide::Precision;
pub use format::Format;
pub use mode::Mode;
pub use round::ToInteger;

use super::Selector;
use crate::code::{Arg, Args};
use crate::unit::Refused;
use warpc_nvvm::inst::{BinaryOp, Flags, Op};
use warpc_nvvm::types::TypeId;
use warpc_nvvm::value::{InstId, Local, Value};

/// How a sum or product is rounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rounding {
    /// To the nearest, and it may be fused with others.
    Fusible,
    /// As PTX says it: `rn`, `rz`, `rm`, `rp`.
    To(&'static str),
}

impl Rounding {
    /// To the nearest.
    pub const NEAREST: Rounding = Rounding::To("rn");

    /// The modifier of a sum or product.
    fn modifier(self) -> &'static str {
        match self {
            Rounding::Fusible => "",
            Rounding::To("rz") => ".rz",
            Rounding::To("rm") => ".rm",
            Rounding::To("rp") => ".rp",
            Rounding::To(_) => ".rn",
        }
    }

    /// The modifier of an operation that is never fused.
    pub(super) fn exact_modifier(self) -> &'static str {
        match self {
            Rounding::Fusible => ".rn",
            other => other.modifier(),
        }
    }
}

/// A product that a sum takes in.
struct Product {
    a: Value,
    b: Value,
    negated: bool,
}

/// Whether operands have parts that could go into one instruction by twos.
fn has_pairs(format: Format, operands: &[Args]) -> bool {
    format == Format::F32 && operands.first().is_some_and(|parts| parts.len() > 1)
}

impl Selector<'_, '_> {
    /// `.ftz` where denormal numbers of the format are flushed.
    pub(super) fn ftz(&self, format: Format) -> &'static str {
        match format {
            Format::F32 | Format::F32x2 if self.mode.flushes => ".ftz",
            _ => "",
        }
    }

    /// The same for sums, products, comparisons and extremes, which have `.ftz` for `half`, too.
    pub(super) fn arithmetic_ftz(&self, format: Format) -> &'static str {
        match format {
            Format::F16 | Format::F16x2 if self.mode.flushes_half => ".ftz",
            _ => self.ftz(format),
        }
    }

    /// Whether an instruction may be fused with others.
    pub(super) fn may_fuse(&self, inst: InstId) -> bool {
        let data = &self.body.insts[inst];
        let options = &self.unit.options;
        options.fmad
            && (options.fuse_unmarked || data.flags.contains(Flags::CONTRACT))
            && !data.local().is_some_and(|local| self.is_fenced(local))
    }

    /// Whether `llvm.arithmetic.fence` keeps a value apart from what uses it.
    fn is_fenced(&self, local: Local) -> bool {
        self.uses.of(local).iter().any(|user| {
            matches!(self.body.insts[user.inst].op, Op::Call(_))
                && self
                    .callee_name(user.inst)
                    .is_some_and(|name| name.starts_with("llvm.arithmetic.fence."))
        })
    }

    pub(super) fn float_binary(&mut self, inst: InstId, op: BinaryOp) -> Result<(), Refused> {
        let operands = self.body.operands(inst);
        let (x, y) = (operands[0], operands[1]);
        let ty = self.body.insts[inst].ty;
        let Some(format) = self.format_of(ty) else {
            return Err(self.unsupported(inst));
        };
        let made = match op {
            BinaryOp::Fadd | BinaryOp::Fsub | BinaryOp::Fmul => {
                match self.fused_sum(inst, op, format)? {
                    Some(made) => made,
                    None => {
                        let rounding = match self.may_fuse(inst) {
                            true => Rounding::Fusible,
                            false => Rounding::NEAREST,
                        };
                        let operands = [self.args(x)?, self.args(y)?];
                        self.arithmetic_parts(op, format, rounding, &operands)?
                    }
                }
            }
            BinaryOp::Fdiv => self.quotient(inst, format, x, y)?,
            _ => return Err(self.unsupported(inst)),
        };
        self.settle(inst, &made)
    }

    /// A binary operation of a constant expression.
    pub(super) fn float_binary_args(
        &mut self,
        op: BinaryOp,
        ty: TypeId,
        a: &[Arg],
        b: &[Arg],
    ) -> Result<Option<Args>, Refused> {
        let Some(format) = self.format_of(ty) else {
            return Ok(None);
        };
        let operands = [a.iter().copied().collect(), b.iter().copied().collect()];
        match op {
            BinaryOp::Fadd | BinaryOp::Fsub | BinaryOp::Fmul => {
                let made = self.arithmetic_parts(op, format, Rounding::NEAREST, &operands)?;
                Ok(Some(made))
            }
            BinaryOp::Fdiv => {
                let precision = Precision::Rounded("rn");
                let made = self.on_parts(format, false, &operands, &mut |this, format, args| {
                    this.divide(format, precision, false, args)
                })?;
                Ok(Some(made))
            }
            _ => Ok(None),
        }
    }

    /// A sum, difference or product of values, part by part.
    pub(super) fn arithmetic_parts(
        &mut self,
        op: BinaryOp,
        format: Format,
        rounding: Rounding,
        operands: &[Args],
    ) -> Result<Args, Refused> {
        let paired = has_pairs(format, operands)
            && self.has(&self.arithmetic_name(op, Format::F32x2, Rounding::NEAREST));
        self.on_parts(format, paired, operands, &mut |this, format, args| {
            this.arithmetic(op, format, rounding, args)
        })
    }

    fn arithmetic_name(&self, op: BinaryOp, format: Format, rounding: Rounding) -> String {
        let name = match op {
            BinaryOp::Fadd => "add",
            BinaryOp::Fsub => "sub",
            _ => "mul",
        };
        format!(
            "{name}{}{}.{}",
            rounding.modifier(),
            self.arithmetic_ftz(format),
            format.name()
        )
    }

    /// A sum, difference or product.
    pub(super) fn arithmetic(
        &mut self,
        op: BinaryOp,
        format: Format,
        rounding: Rounding,
        args: &[Arg],
    ) -> Result<Arg, Refused> {
        let mnemonic = self.arithmetic_name(op, format, rounding);
        if self.has(&mnemonic) {
            return self.float_op(format, &mnemonic, args);
        }
        let fma = format!("fma.rn.{}", format.name());
        if matches!(format, Format::Bf16 | Format::Bf16x2) && self.has(&fma) {
            // a + b = a * 1 + b, a - b = b * -1 + a, a * b = a * b + -0: all rounded once.
            let (one, sign) = (format.one_bits(), format.sign_bits());
            let (a, b) = (args[0], args[1]);
            let args = match op {
                BinaryOp::Fadd => [a, format.number(one), b],
                BinaryOp::Fsub => [b, format.number(one | sign), a],
                _ => [a, b, format.number(sign)],
            };
            return self.float_op(format, &fma, &args);
        }
        if format.is_pair() {
            return self.on_halves(format, args, &mut |this, format, args| {
                this.arithmetic(op, format, rounding, args)
            });
        }
        match (format, rounding) {
            (Format::F16 | Format::Bf16, Rounding::Fusible | Rounding::NEAREST) => {
                self.in_single(format, args, false, &mut |this, args| {
                    let mnemonic = match op {
                        BinaryOp::Fadd => "add.rn.f32",
                        BinaryOp::Fsub => "sub.rn.f32",
                        _ => "mul.rn.f32",
                    };
                    this.float_op(Format::F32, mnemonic, args)
                })
            }
            // Says by name what is missing.
            _ => self.float_op(format, &mnemonic, args),
        }
    }

    /// A sum or difference with a product among its operands, if both may be fused.
    fn fused_sum(
        &mut self,
        inst: InstId,
        op: BinaryOp,
        format: Format,
    ) -> Result<Option<Args>, Refused> {
        if op == BinaryOp::Fmul || !self.may_fuse(inst) {
            return Ok(None);
        }
        let operands = self.body.operands(inst);
        let (x, y) = (operands[0], operands[1]);
        let uses = |value: Value| value.local().map_or(0, |local| self.uses.of(local).len());
        // The product with fewer users is the one that is likelier to disappear.
        let first = if uses(x) <= uses(y) { x } else { y };
        let second = if first == x { y } else { x };
        for (product, other) in [(first, second), (second, first)] {
            let Some(found) = self.fusible_product(inst, product) else {
                continue;
            };
            let of_left = product == x;
            let (mut a, b) = (self.args(found.a)?, self.args(found.b)?);
            let mut c = self.args(other)?;
            // x - y negates the product if it is y, else what is taken away.
            let subtracted = op == BinaryOp::Fsub;
            if found.negated != (subtracted && !of_left) {
                a = self.negated_parts(format, &a)?;
            }
            if subtracted && of_left {
                c = self.negated_parts(format, &c)?;
            }
            return Ok(Some(self.fma_parts(
                format,
                Rounding::NEAREST,
                &[a, b, c],
            )?));
        }
        Ok(None)
    }

    /// The product that a value is, if a sum in `user` may take it in.
    fn fusible_product(&mut self, user: InstId, value: Value) -> Option<Product> {
        let (inst, op) = self.definition(value)?;
        let alone = self.own_definition(value).is_some();
        match op {
            Op::Binary(BinaryOp::Fmul) => {
                let fits = self.may_fuse(inst) && (alone || self.same_block(inst, user));
                let operands = self.body.operands(inst);
                fits.then(|| Product {
                    a: operands[0],
                    b: operands[1],
                    negated: false,
                })
            }
            Op::Fneg if alone => {
                let inner = self.body.operands(inst)[0];
                let (inner, op) = self.own_definition(inner)?;
                let fits = op == Op::Binary(BinaryOp::Fmul) && self.may_fuse(inner);
                let operands = self.body.operands(inner);
                fits.then(|| Product {
                    a: operands[0],
                    b: operands[1],
                    negated: true,
                })
            }
            _ => None,
        }
    }

    /// Whether two instructions stand in one block.
    fn same_block(&mut self, a: InstId, b: InstId) -> bool {
        use warpc_nvvm::index::Id;
        if self.blocks.is_empty() {
            self.blocks = vec![u32::MAX; self.body.insts.len()];
            for &block in &self.body.order {
                for &inst in &self.body.blocks[block].insts {
                    self.blocks[inst.index()] = block.index() as u32;
                }
            }
        }
        self.blocks[a.index()] == self.blocks[b.index()]
    }

    /// `a * b + c`, rounded once, part by part.
    pub(super) fn fma_parts(
        &mut self,
        format: Format,
        rounding: Rounding,
        operands: &[Args],
    ) -> Result<Args, Refused> {
        let paired = has_pairs(format, operands) && self.has("fma.rn.f32x2");
        self.on_parts(format, paired, operands, &mut |this, format, args| {
            this.fma(format, rounding, args)
        })
    }

    /// `a * b + c`, rounded once.
    pub(super) fn fma(
        &mut self,
        format: Format,
        rounding: Rounding,
        args: &[Arg],
    ) -> Result<Arg, Refused> {
        let modifier = rounding.exact_modifier();
        let mnemonic = format!(
            "fma{modifier}{}.{}",
            self.arithmetic_ftz(format),
            format.name()
        );
        if self.has(&mnemonic) {
            return self.float_op(format, &mnemonic, args);
        }
        if format.is_pair() {
            return self.on_halves(format, args, &mut |this, format, args| {
                this.fma(format, rounding, args)
            });
        }
        if format != Format::Bf16 || modifier != ".rn" {
            return self.float_op(format, &mnemonic, args);
        }
        // Two roundings would go wrong here, so the first one is to odd.
        self.in_single(format, args, false, &mut |this, args| {
            let inner = this.float_op(Format::F32, "fma.rz.f32", args)?;
            let down = this.float_op(Format::F32, "fma.rm.f32", args)?;
            let up = this.float_op(Format::F32, "fma.rp.f32", args)?;
            let lost = this.op(crate::code::Class::Pred, "setp.ne.f32", &[down, up])?;
            this.odd(inner, lost.into())
        })
    }
}
