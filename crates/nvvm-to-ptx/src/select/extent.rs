//! How many low bits of an integer can be set.
//!
//! Numbers of threads and blocks are small and never negative, and what is computed from them often is, too:
//! then a sign need not be looked at, and 64 bits are often 32. Nothing here relies on promises of the module
//! (`nsw` and the like), so what is found holds for the bits that are really computed.

use super::Selector;
use crate::code::{Arg, Class};
use crate::unit::Refused;
use warpc_nvvm::function::Def;
use warpc_nvvm::inst::{BinaryOp, CastOp, IcmpPredicate, Op};
use warpc_nvvm::types::Type;
use warpc_nvvm::value::{InstId, Value};

/// How far definitions are followed.
const DEPTH: u32 = 6;

/// Special registers and the bits they need, by the ends of their intrinsics' names.
const REGISTERS: &[(&str, u32)] = &[
    ("tid.x", 10),
    ("tid.y", 10),
    ("tid.z", 6),
    ("ntid.x", 11),
    ("ntid.y", 11),
    ("ntid.z", 7),
    ("ctaid.x", 31),
    ("ctaid.y", 16),
    ("ctaid.z", 16),
    ("nctaid.x", 31),
    ("nctaid.y", 16),
    ("nctaid.z", 16),
    ("laneid", 5),
    ("warpsize", 6),
];

impl Selector<'_, '_> {
    /// How many low bits of an integer can be set; its width if nothing is known.
    pub(super) fn extent(&self, value: Value) -> u32 {
        self.extent_of(value, DEPTH)
    }

    /// Whether the highest bit of an integer is never set.
    pub(super) fn is_not_negative(&self, value: Value) -> bool {
        matches!(self.kind(self.type_of(value)), Type::Int(bits) if self.extent(value) < bits)
    }

    fn extent_of(&self, value: Value, depth: u32) -> u32 {
        let Type::Int(width @ 1..=64) = self.kind(self.type_of(value)) else {
            return u32::MAX;
        };
        if let Some(number) = self.integer(value) {
            return 64 - number.leading_zeros();
        }
        let found = match value.local().map(|local| self.body.locals[local].def) {
            Some(Def::Inst(inst)) if depth > 0 => self.extent_of_result(inst, width, depth - 1),
            _ => width,
        };
        found.min(width)
    }

    fn extent_of_result(&self, inst: InstId, width: u32, depth: u32) -> u32 {
        let operands = self.body.operands(inst);
        let of = |index: usize| self.extent_of(operands[index], depth);
        match self.body.insts[inst].op {
            Op::Freeze | Op::Cast(CastOp::Zext | CastOp::Trunc) => of(0),
            Op::Cast(CastOp::Sext) if self.is_short(operands[0], of(0)) => of(0),
            Op::Select => of(1).max(of(2)),
            Op::Binary(op) => {
                let (a, b) = (of(0), of(1));
                let constant = self.integer(operands[1]);
                // Without signs it is the same as the unsigned operation.
                let positive = a < width && b < width;
                match op {
                    BinaryOp::And => a.min(b),
                    BinaryOp::Or | BinaryOp::Xor => a.max(b),
                    BinaryOp::Add => a.max(b).saturating_add(1),
                    BinaryOp::Mul => a.saturating_add(b),
                    BinaryOp::Shl => match constant {
                        Some(shift) => a.saturating_add(shift.min(64) as u32),
                        None => width,
                    },
                    BinaryOp::Lshr => a.saturating_sub(constant.unwrap_or(0).min(64) as u32),
                    BinaryOp::Ashr if a < width => {
                        a.saturating_sub(constant.unwrap_or(0).min(64) as u32)
                    }
                    BinaryOp::Sdiv | BinaryOp::Srem if !positive => width,
                    BinaryOp::Udiv | BinaryOp::Sdiv => match constant {
                        Some(divisor @ 1..) => a.saturating_sub(divisor.ilog2()),
                        _ => a,
                    },
                    BinaryOp::Urem | BinaryOp::Srem => a.min(b),
                    _ => width,
                }
            }
            Op::Call(_) => {
                let name = self.callee_name(inst);
                let register = name.and_then(|name| name.strip_prefix("llvm.nvvm.read.ptx.sreg."));
                let known = |register| REGISTERS.iter().find(|(name, _)| *name == register);
                register.and_then(known).map_or(width, |&(_, bits)| bits)
            }
            _ => width,
        }
    }

    /// Whether a value with this many bits set at most has its highest bit clear.
    fn is_short(&self, value: Value, extent: u32) -> bool {
        matches!(self.kind(self.type_of(value)), Type::Int(bits) if extent < bits)
    }

    /// The answer of a comparison that only asks for the sign of a number that has none.
    pub(super) fn sign_answer(&self, predicate: IcmpPredicate, x: Value, y: Value) -> Option<bool> {
        let answer = match (predicate, self.signed(y)?) {
            (IcmpPredicate::Slt, 0) | (IcmpPredicate::Sle, -1) => false,
            (IcmpPredicate::Sge, 0) | (IcmpPredicate::Sgt, -1) => true,
            _ => return None,
        };
        self.is_not_negative(x).then_some(answer)
    }

    /// A product or quotient of 64 bits whose operands fit in 32.
    pub(super) fn in_32_bits(
        &mut self,
        op: BinaryOp,
        x: Value,
        y: Value,
    ) -> Result<Option<Arg>, Refused> {
        let mnemonic = match op {
            BinaryOp::Mul => "mul.wide.u32",
            BinaryOp::Udiv => "div.u32",
            BinaryOp::Urem => "rem.u32",
            _ => return Ok(None),
        };
        if self.extent(x) > 32 || self.extent(y) > 32 {
            return Ok(None);
        }
        let (a, b) = (self.arg(x)?, self.arg(y)?);
        let a = self.truncated(a, 64, 32)?;
        let b = self.truncated(b, 64, 32)?;
        if op == BinaryOp::Mul {
            return Ok(Some(self.op(Class::B64, mnemonic, &[a, b])?.into()));
        }
        let short = self.integer_binary(op, 32, a, b)?;
        Ok(Some(self.extended(short, 32, 64, false)?))
    }
}
