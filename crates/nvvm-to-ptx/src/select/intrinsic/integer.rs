//! LLVM's intrinsics on integers: bits, extremes, saturation, overflow, fixed point, reductions.
//!
//! Each is written once for one number of any width; vectors take their elements one after the other.

mod bit;
mod checked;

use crate::code::{Arg, Args};
use crate::select::Selector;
use crate::select::extend::Known;
use crate::unit::Refused;
use smallvec::{SmallVec, smallvec};
use warpc_nvvm::inst::{BinaryOp, IcmpPredicate};
use warpc_nvvm::types::Type;
use warpc_nvvm::value::InstId;

/// What an intrinsic computes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Operation {
    ByteSwap,
    BitReverse,
    CountOnes,
    LeadingZeros,
    TrailingZeros,
    /// The left or the right funnel shift.
    Funnel {
        left: bool,
    },
    Abs,
    Extreme(Extreme),
    /// -1, 0 or 1.
    Order {
        signed: bool,
    },
    /// The result and whether it is wrong.
    Overflow(BinaryOp, Sign),
    /// The nearest number to the true result.
    Saturating(BinaryOp, Sign),
    /// A product or quotient of fixed-point numbers.
    Fixed(BinaryOp, Sign, Overflowing),
    /// All elements of a vector joined.
    Reduce(BinaryOp),
    ReduceExtreme(Extreme),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sign {
    Signed,
    Unsigned,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Overflowing {
    Wraps,
    Saturates,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Extreme {
    Smin,
    Smax,
    Umin,
    Umax,
}

impl Extreme {
    fn signed(self) -> bool {
        matches!(self, Extreme::Smin | Extreme::Smax)
    }

    /// When the first operand is the result.
    fn predicate(self) -> IcmpPredicate {
        match self {
            Extreme::Smin => IcmpPredicate::Slt,
            Extreme::Smax => IcmpPredicate::Sgt,
            Extreme::Umin => IcmpPredicate::Ult,
            Extreme::Umax => IcmpPredicate::Ugt,
        }
    }

    fn is_min(self) -> bool {
        matches!(self, Extreme::Smin | Extreme::Umin)
    }
}

/// The names, without `llvm.` and the types after.
const NAMES: &[(&str, Operation)] = {
    use BinaryOp::{Add, And, Mul, Or, Sdiv, Shl, Sub, Udiv, Xor};
    use Operation::*;
    use Overflowing::{Saturates, Wraps};
    use Sign::{Signed, Unsigned};
    &[
        ("bswap", ByteSwap),
        ("bitreverse", BitReverse),
        ("ctpop", CountOnes),
        ("ctlz", LeadingZeros),
        ("cttz", TrailingZeros),
        ("fshl", Funnel { left: true }),
        ("fshr", Funnel { left: false }),
        ("abs", Abs),
        ("smin", Extreme(self::Extreme::Smin)),
        ("smax", Extreme(self::Extreme::Smax)),
        ("umin", Extreme(self::Extreme::Umin)),
        ("umax", Extreme(self::Extreme::Umax)),
        ("ucmp", Order { signed: false }),
        ("scmp", Order { signed: true }),
        ("sadd.with.overflow", Overflow(Add, Signed)),
        ("uadd.with.overflow", Overflow(Add, Unsigned)),
        ("ssub.with.overflow", Overflow(Sub, Signed)),
        ("usub.with.overflow", Overflow(Sub, Unsigned)),
        ("smul.with.overflow", Overflow(Mul, Signed)),
        ("umul.with.overflow", Overflow(Mul, Unsigned)),
        ("sadd.sat", Saturating(Add, Signed)),
        ("uadd.sat", Saturating(Add, Unsigned)),
        ("ssub.sat", Saturating(Sub, Signed)),
        ("usub.sat", Saturating(Sub, Unsigned)),
        ("sshl.sat", Saturating(Shl, Signed)),
        ("ushl.sat", Saturating(Shl, Unsigned)),
        ("smul.fix.sat", Fixed(Mul, Signed, Saturates)),
        ("umul.fix.sat", Fixed(Mul, Unsigned, Saturates)),
        ("smul.fix", Fixed(Mul, Signed, Wraps)),
        ("umul.fix", Fixed(Mul, Unsigned, Wraps)),
        ("sdiv.fix.sat", Fixed(Sdiv, Signed, Saturates)),
        ("udiv.fix.sat", Fixed(Udiv, Unsigned, Saturates)),
        ("sdiv.fix", Fixed(Sdiv, Signed, Wraps)),
        ("udiv.fix", Fixed(Udiv, Unsigned, Wraps)),
        ("vector.reduce.add", Reduce(Add)),
        ("vector.reduce.mul", Reduce(Mul)),
        ("vector.reduce.and", Reduce(And)),
        ("vector.reduce.or", Reduce(Or)),
        ("vector.reduce.xor", Reduce(Xor)),
        ("vector.reduce.smin", ReduceExtreme(self::Extreme::Smin)),
        ("vector.reduce.smax", ReduceExtreme(self::Extreme::Smax)),
        ("vector.reduce.umin", ReduceExtreme(self::Extreme::Umin)),
        ("vector.reduce.umax", ReduceExtreme(self::Extreme::Umax)),
    ]
};

/// What an intrinsic of this family computes, by its name.
pub(super) fn find(name: &str) -> Option<Operation> {
    let name = name.strip_prefix("llvm.")?;
    let is = |(known, _): &&(&str, Operation)| {
        name.strip_prefix(known)
            .is_some_and(|types| types.starts_with(".i") || types.starts_with(".v"))
    };
    NAMES.iter().find(is).map(|&(_, operation)| operation)
}

/// What stands above the width of the result.
pub(super) fn known_above(operation: Option<Operation>) -> Known {
    let zeros = Known {
        zeros: true,
        sign: false,
    };
    let sign = Known {
        zeros: false,
        sign: true,
    };
    match operation {
        Some(Operation::CountOnes | Operation::LeadingZeros | Operation::TrailingZeros) => zeros,
        Some(Operation::Extreme(extreme)) if extreme.signed() => sign,
        Some(Operation::Extreme(_)) => zeros,
        _ => Known::default(),
    }
}

impl Selector<'_, '_> {
    /// Selects the call if its name is one of this family.
    pub(super) fn integer_intrinsic(
        &mut self,
        inst: InstId,
        operation: Option<Operation>,
    ) -> Result<bool, Refused> {
        let Some(operation) = operation else {
            return Ok(false);
        };
        let operands = self.body.operands(inst);
        let arguments = &operands[..operands.len() - 1];
        let ty = self.type_of(arguments[0]);
        let Type::Int(bits) = self.kind(self.module.types.scalar(ty)) else {
            return Ok(false);
        };
        if let Operation::Reduce(_) | Operation::ReduceExtreme(_) = operation {
            let elements = self.lane_values(arguments[0])?;
            let made = self.reduced(operation, bits, elements)?;
            self.settle(inst, &made)?;
            return Ok(true);
        }
        let result = self.body.insts[inst].ty;
        if let Some((element, len)) = self.vector_shape(ty) {
            let mut columns = Vec::new();
            for &argument in arguments {
                // A flag stands beside the vectors.
                columns.push(match self.vector_shape(self.type_of(argument)) {
                    Some(_) => self.lane_values(argument)?,
                    None => vec![self.args(argument)?; len as usize],
                });
            }
            let element = match operation {
                Operation::Order { .. } => self.module.types.scalar(result),
                _ => element,
            };
            let wide = self.result_bits(operation, element, bits);
            let mut second = Args::new();
            let mut made = self.element_wise(element, len, |this, index| {
                let args: Vec<Args> = columns.iter().map(|column| column[index].clone()).collect();
                let mut made = this.computed(operation, bits, wide, &args)?;
                if made.len() > 1 {
                    second.extend(made.swap_remove(1));
                }
                Ok(made.swap_remove(0))
            })?;
            made.extend(second);
            self.settle(inst, &made)?;
            return Ok(true);
        }
        let mut args = Vec::new();
        for &argument in arguments {
            args.push(self.args(argument)?);
        }
        let wide = self.result_bits(operation, result, bits);
        let made = self.computed(operation, bits, wide, &args)?;
        let made: Args = made.into_iter().flatten().collect();
        self.settle(inst, &made)?;
        Ok(true)
    }

    fn result_bits(
        &self,
        operation: Operation,
        result: warpc_nvvm::types::TypeId,
        bits: u32,
    ) -> u32 {
        match (operation, self.kind(result)) {
            (Operation::Order { .. }, Type::Int(bits)) => bits,
            _ => bits,
        }
    }

    /// The results for one number of a width.
    fn computed(
        &mut self,
        operation: Operation,
        bits: u32,
        wide: u32,
        args: &[Args],
    ) -> Result<SmallVec<[Args; 2]>, Refused> {
        let a = &args[0];
        let flag = |index: usize| {
            let arg = args.get(index).and_then(|args| args.first());
            matches!(arg, Some(Arg::Int(number)) if number & 1 == 1)
        };
        let one = |made: Args| -> SmallVec<[Args; 2]> { smallvec![made] };
        Ok(match operation {
            Operation::ByteSwap => one(self.byte_swapped(bits, a)?),
            Operation::BitReverse => one(self.bit_reversed(bits, a)?),
            Operation::CountOnes => one(self.count_ones(bits, a)?),
            Operation::LeadingZeros => one(self.leading_zeros(bits, a)?),
            Operation::TrailingZeros => one(self.trailing_zeros(bits, a, flag(1))?),
            Operation::Funnel { left } => {
                one(self.funnel_shift(left, bits, a, &args[1], &args[2])?)
            }
            Operation::Abs => one(self.absolute(bits, a)?),
            Operation::Extreme(extreme) => one(self.int_extreme_of(extreme, bits, a, &args[1])?),
            Operation::Order { signed } => one(self.order(signed, bits, wide, a, &args[1])?),
            Operation::Overflow(op, sign) => {
                let (made, wrong) = self.with_overflow(op, sign, bits, a, &args[1])?;
                smallvec![made, smallvec![wrong]]
            }
            Operation::Saturating(op, sign) => one(self.saturating(op, sign, bits, a, &args[1])?),
            Operation::Fixed(op, sign, overflowing) => {
                let scale = match args[2][0] {
                    Arg::Int(scale) => scale as u32,
                    _ => 0,
                };
                one(self.fixed_point(op, sign, overflowing, scale, bits, a, &args[1])?)
            }
            Operation::Reduce(_) | Operation::ReduceExtreme(_) => one(a.clone()),
        })
    }

    /// All elements joined, pairs first: such a tree is the least deep.
    fn reduced(
        &mut self,
        operation: Operation,
        bits: u32,
        elements: Vec<Args>,
    ) -> Result<Args, Refused> {
        let mut left = elements;
        while left.len() > 1 {
            let mut next = Vec::with_capacity(left.len().div_ceil(2));
            for pair in left.chunks(2) {
                next.push(match (pair, operation) {
                    ([a, b], Operation::Reduce(op)) => self.int_binary(op, bits, a, b)?,
                    ([a, b], Operation::ReduceExtreme(extreme)) => {
                        self.int_extreme_of(extreme, bits, a, b)?
                    }
                    _ => pair[0].clone(),
                });
            }
            left = next;
        }
        Ok(left.pop().unwrap_or_default())
    }

    fn absolute(&mut self, bits: u32, a: &[Arg]) -> Result<Args, Refused> {
        if let (2..=64, &[a]) = (bits, a) {
            let class = crate::code::Class::for_bits(bits);
            let a = self.sign_extended(a, bits)?;
            let mnemonic = format!("abs.s{}", class.bits());
            return Ok(smallvec![self.op(class, &mnemonic, &[a])?.into()]);
        }
        let negative = self.int_is_negative(bits, a)?;
        let zero = self.int_constant(bits, 0);
        let turned = self.int_binary(BinaryOp::Sub, bits, &zero, a)?;
        self.int_choose(negative, bits, &turned, a)
    }

    fn int_extreme_of(
        &mut self,
        extreme: Extreme,
        bits: u32,
        a: &[Arg],
        b: &[Arg],
    ) -> Result<Args, Refused> {
        if let (2..=64, &[a], &[b]) = (bits, a, b) {
            use crate::select::extend::Above;
            let class = crate::code::Class::for_bits(bits);
            let (letter, above) = match extreme.signed() {
                true => ('s', Above::Sign),
                false => ('u', Above::Zeros),
            };
            let name = if extreme.is_min() { "min" } else { "max" };
            let (a, b) = (
                self.with_above(a, bits, above)?,
                self.with_above(b, bits, above)?,
            );
            let mnemonic = format!("{name}.{letter}{}", class.bits());
            return Ok(smallvec![self.op(class, &mnemonic, &[a, b])?.into()]);
        }
        let first = self.int_compare(extreme.predicate(), bits, a, b)?;
        self.int_choose(first, bits, a, b)
    }

    fn order(
        &mut self,
        signed: bool,
        bits: u32,
        wide: u32,
        a: &[Arg],
        b: &[Arg],
    ) -> Result<Args, Refused> {
        use crate::code::Class;
        let (less, greater) = match signed {
            true => (IcmpPredicate::Slt, IcmpPredicate::Sgt),
            false => (IcmpPredicate::Ult, IcmpPredicate::Ugt),
        };
        let less = self.int_compare(less, bits, a, b)?;
        let greater = self.int_compare(greater, bits, a, b)?;
        let positive = self.chosen(Class::B32, greater, Arg::Int(1), Arg::Int(0))?;
        let made = self.chosen(Class::B32, less, Arg::Int(-1), positive)?;
        self.int_resize(&[made], 32, wide, true)
    }
}
