//! Operations on all elements that share a register at once.
//!
//! Logic works on whole registers. Sums and differences of elements of 8 and 16 bits do so too, once the
//! carry out of each element is kept from the next: the highest bits are computed apart.

use super::Selector;
use crate::code::{Arg, Args, Class};
use crate::shape;
use crate::unit::Refused;
use warpc_nvvm::inst::BinaryOp;
use warpc_nvvm::types::{Type, TypeId};

impl Selector<'_, '_> {
    /// Whether an operation on vectors works on whole registers.
    pub(super) fn is_packed_operation(&self, op: BinaryOp, element: TypeId, len: u32) -> bool {
        let lanes = shape::lanes(self.module, element, len);
        let integer = matches!(self.kind(element), Type::Int(_));
        use BinaryOp::*;
        integer && lanes > 1 && matches!(op, And | Or | Xor | Add | Sub)
    }

    /// An operation on the registers of two vectors, if it works on whole registers.
    pub(super) fn packed_binary(
        &mut self,
        op: BinaryOp,
        element: TypeId,
        len: u32,
        a: &[Arg],
        b: &[Arg],
    ) -> Result<Option<Args>, Refused> {
        if !self.is_packed_operation(op, element, len) {
            return Ok(None);
        }
        let lanes = shape::lanes(self.module, element, len);
        let pairs = a.iter().zip(b);
        let made: Result<Args, Refused> = pairs
            .map(|(&a, &b)| match op {
                BinaryOp::Add | BinaryOp::Sub => self.packed_sum(op, lanes, a, b),
                _ => self.integer_binary(op, 32, a, b),
            })
            .collect();
        made.map(Some)
    }

    /// The sums or differences of the elements of two registers.
    fn packed_sum(&mut self, op: BinaryOp, lanes: u32, a: Arg, b: Arg) -> Result<Arg, Refused> {
        let add = op == BinaryOp::Add;
        let native = if add { "add.s16x2" } else { "sub.s16x2" };
        if lanes == 2 && self.has(native) {
            let a = self.in_register(a, Class::B32)?.into();
            let b = self.in_register(b, Class::B32)?.into();
            return Ok(self.op(Class::B32, native, &[a, b])?.into());
        }
        let high: u32 = if lanes == 2 { 0x8000_8000 } else { 0x8080_8080 };
        let high = Arg::Int(i64::from(high as i32));
        let Arg::Int(mask) = high else { return Ok(a) };
        let low = Arg::Int(!mask);
        let bits = |this: &mut Self, op, a, b| this.integer_binary(op, 32, a, b);
        // The low bits of each element cannot carry out of it: the highest bit of `a` is clear (set for a
        // difference), that of `b` is clear.
        let first = match add {
            true => bits(self, BinaryOp::And, a, low)?,
            false => bits(self, BinaryOp::Or, a, high)?,
        };
        let second = bits(self, BinaryOp::And, b, low)?;
        let sum = bits(self, op, first, second)?;
        let mut differ = bits(self, BinaryOp::Xor, a, b)?;
        if !add {
            differ = bits(self, BinaryOp::Xor, differ, Arg::Int(-1))?;
        }
        let top = bits(self, BinaryOp::And, differ, high)?;
        bits(self, BinaryOp::Xor, sum, top)
    }
}
