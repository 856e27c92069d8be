//! `getelementptr` of many addresses at once.

use super::Selector;
use crate::code::{Arg, Args};
use crate::unit::Refused;
use smallvec::smallvec;
use warpc_diag::codes;
use warpc_nvvm::constant::ConstKind;
use warpc_nvvm::inst::BinaryOp;
use warpc_nvvm::types::{Type, TypeId};
use warpc_nvvm::value::Value;

/// What one index adds.
enum Step {
    Bytes(i64),
    /// An index for each element, or one for all; its width; the bytes it is multiplied with.
    Index(Vec<Args>, u32, i64),
}

impl Selector<'_, '_> {
    /// The addresses of elements: a pointer and indices, of which some are vectors.
    pub(super) fn vector_of_addresses(
        &mut self,
        source: TypeId,
        operands: &[Value],
        ty: TypeId,
    ) -> Result<Args, Refused> {
        let (Some((element, len)), Type::Ptr(space)) = (
            self.vector_shape(ty),
            self.kind(self.module.types.scalar(ty)),
        ) else {
            return Err(self.refuse(codes::UNSUPPORTED, "this address cannot be computed"));
        };
        let bits = self.unit.layout.pointer_bits(space);
        let bases = self.lane_values(operands[0])?;
        let steps = self.vector_steps(source, &operands[1..])?;
        self.element_wise(element, len, |this, index| {
            let mut sum = bases[if bases.len() == 1 { 0 } else { index }][0];
            let mut bytes = 0i64;
            for step in &steps {
                let (args, width, scale) = match step {
                    Step::Bytes(added) => {
                        bytes = bytes.wrapping_add(*added);
                        continue;
                    }
                    Step::Index(args, width, scale) => (args, *width, *scale),
                };
                let args = &args[if args.len() == 1 { 0 } else { index }];
                let number = this.int_resize(args, width, bits, true)?[0];
                if let Arg::Int(number) = number {
                    bytes = bytes.wrapping_add(number.wrapping_mul(scale));
                    continue;
                }
                let scaled = match scale {
                    1 => number,
                    _ => this.integer_binary(BinaryOp::Mul, bits, number, Arg::Int(scale))?,
                };
                sum = this.integer_binary(BinaryOp::Add, bits, sum, scaled)?;
            }
            if bytes != 0 {
                sum = this.integer_binary(BinaryOp::Add, bits, sum, Arg::Int(bytes))?;
            }
            Ok(smallvec![sum])
        })
    }

    fn vector_steps(&mut self, source: TypeId, indices: &[Value]) -> Result<Vec<Step>, Refused> {
        let types = &self.module.types;
        let mut steps = Vec::with_capacity(indices.len());
        let mut ty = source;
        for (position, &index) in indices.iter().enumerate() {
            let stride = match self.kind(ty) {
                _ if position == 0 => self.unit.layout.stride(types, ty),
                Type::Array { element, .. } => {
                    ty = element;
                    self.unit.layout.stride(types, ty)
                }
                Type::Vector { element, .. } => {
                    ty = element;
                    self.unit.layout.bits(types, element) / 8
                }
                _ => {
                    let field = self.field_number(index);
                    let place = field.and_then(|field| {
                        let offset = self.unit.layout.offset(types, ty, field)?;
                        Some((offset, types.member(ty, field)?))
                    });
                    let Some((offset, member)) = place else {
                        return Err(
                            self.refuse(codes::UNSUPPORTED, "this address cannot be computed")
                        );
                    };
                    ty = member;
                    steps.push(Step::Bytes(offset as i64));
                    continue;
                }
            };
            let Type::Int(width) = self.kind(types.scalar(self.type_of(index))) else {
                return Err(self.refuse(codes::UNSUPPORTED, "an index is not an integer"));
            };
            let lanes = self.lane_values(index)?;
            steps.push(Step::Index(lanes, width, stride as i64));
        }
        Ok(steps)
    }

    /// The number of a member, which is the same for all elements.
    fn field_number(&self, index: Value) -> Option<u64> {
        let constants = &self.module.constants;
        let constant = index.constant()?;
        match constants.get(constant).kind {
            ConstKind::Splat(element) => constants.as_u64(element),
            ConstKind::Zero => Some(0),
            ConstKind::Aggregate(list) => constants.as_u64(*constants.list(list).first()?),
            _ => self.integer(index),
        }
    }
}
