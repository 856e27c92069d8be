//! What operations on integer constants of up to 64 bits give.
//!
//! Only what has one defined result is folded: no division by zero, no shift by too much, and nothing that
//! breaks a promise of its flags.

use warpc_nvvm::Module;
use warpc_nvvm::constant::ConstId;
use warpc_nvvm::inst::{BinaryOp, CastOp, Flags, IcmpPredicate, Op};
use warpc_nvvm::types::{Type, TypeId};

/// The result of an operation on integer constants, if it is known.
pub fn fold(
    module: &mut Module,
    op: Op,
    flags: Flags,
    ty: TypeId,
    operands: &[ConstId],
) -> Option<ConstId> {
    let width = |ty: TypeId| match module.types.get(ty) {
        Type::Int(bits) if bits <= 64 => Some(bits),
        _ => None,
    };
    let to = width(ty)?;
    let from = width(module.constants.get(*operands.first()?).ty)?;
    let value = |at: usize| module.constants.as_u64(*operands.get(at)?);
    let result = match op {
        Op::Binary(op) => binary(op, flags, from, value(0)?, value(1)?)?,
        Op::Icmp(predicate) => compare(predicate, from, value(0)?, value(1)?).into(),
        Op::Cast(CastOp::Zext) if flags.is_empty() => value(0)?,
        Op::Cast(CastOp::Trunc) if flags.is_empty() => value(0)?,
        Op::Cast(CastOp::Sext) => signed(value(0)?, from) as u64,
        Op::Freeze => value(0)?,
        _ => return None,
    };
    Some(module.constants.int(ty, to, &[result]))
}

/// A value of some bits as a signed number.
fn signed(value: u64, bits: u32) -> i64 {
    let unused = 64 - bits.clamp(1, 64);
    ((value << unused) as i64) >> unused
}

fn binary(op: BinaryOp, flags: Flags, bits: u32, left: u64, right: u64) -> Option<u64> {
    let shift = u32::try_from(right).ok().filter(|&amount| amount < bits);
    let (a, b) = (signed(left, bits), signed(right, bits));
    let promises = flags.intersects(Flags::NUW | Flags::NSW | Flags::EXACT | Flags::DISJOINT);
    // Addition and multiplication promise no overflow; whether that holds is seen in 128 bits.
    let wide = match op {
        BinaryOp::Add => Some((
            i128::from(a) + i128::from(b),
            u128::from(left) + u128::from(right),
        )),
        BinaryOp::Mul => Some((
            i128::from(a) * i128::from(b),
            u128::from(left) * u128::from(right),
        )),
        _ => None,
    };
    if let Some((signed_sum, sum)) = wide {
        let fits = sum >> bits == 0;
        let fits_signed = signed_sum == i128::from(signed(sum as u64, bits));
        let kept =
            (!flags.contains(Flags::NUW) || fits) && (!flags.contains(Flags::NSW) || fits_signed);
        return kept.then_some(sum as u64);
    }
    match op {
        BinaryOp::And => Some(left & right),
        BinaryOp::Xor => Some(left ^ right),
        BinaryOp::Or if !promises || left & right == 0 => Some(left | right),
        BinaryOp::Sub if !promises => Some(left.wrapping_sub(right)),
        BinaryOp::Shl if !promises => Some(left << shift?),
        BinaryOp::Lshr if !promises => Some(left >> shift?),
        BinaryOp::Ashr if !promises => Some((a >> shift?) as u64),
        BinaryOp::Udiv if !promises => left.checked_div(right),
        BinaryOp::Urem if !promises => left.checked_rem(right),
        BinaryOp::Sdiv if !promises && (b != -1 || left != 1 << (bits - 1)) => {
            a.checked_div(b).map(|quotient| quotient as u64)
        }
        BinaryOp::Srem if !promises && (b != -1 || left != 1 << (bits - 1)) => {
            a.checked_rem(b).map(|rest| rest as u64)
        }
        _ => None,
    }
}

fn compare(predicate: IcmpPredicate, bits: u32, left: u64, right: u64) -> bool {
    let (a, b) = (signed(left, bits), signed(right, bits));
    match predicate {
        IcmpPredicate::Eq => left == right,
        IcmpPredicate::Ne => left != right,
        IcmpPredicate::Ugt => left > right,
        IcmpPredicate::Uge => left >= right,
        IcmpPredicate::Ult => left < right,
        IcmpPredicate::Ule => left <= right,
        IcmpPredicate::Sgt => a > b,
        IcmpPredicate::Sge => a >= b,
        IcmpPredicate::Slt => a < b,
        IcmpPredicate::Sle => a <= b,
    }
}
