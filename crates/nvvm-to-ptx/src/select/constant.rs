//! Constants as operands: numbers stay numbers, addresses and constant expressions are computed where
//! they are used.

use super::Selector;
use crate::code::{Arg, Args, Class};
use crate::shape;
use crate::unit::Refused;
use smallvec::smallvec;
use warpc_diag::codes;
use warpc_nvvm::constant::{ConstId, ConstKind, Expr, ExprOp, dense_number, dense_width};
use warpc_nvvm::inst::CastOp;
use warpc_nvvm::module::{GlobalId, GlobalKind};
use warpc_nvvm::types::{Type, TypeId};
use warpc_nvvm::value::Value;

/// The address space of shared memory.
const SHARED: u32 = 3;

impl Selector<'_, '_> {
    /// The parts of a constant.
    pub(super) fn constant(&mut self, id: ConstId) -> Result<Args, Refused> {
        let constant = self.module.constants.get(id);
        let ty = constant.ty;
        Ok(match constant.kind {
            ConstKind::Int(value) => match self.kind(ty) {
                Type::Int(1) => smallvec![Arg::Int((value & 1) as i64)],
                Type::Int(bits) => smallvec![Arg::Int(super::sign_extend(value, bits))],
                _ => smallvec![Arg::Int(value as i64)],
            },
            ConstKind::Float(bits) => smallvec![match self.kind(ty) {
                Type::Float => Arg::F32(bits as u32),
                Type::Double => Arg::F64(bits),
                _ => Arg::Int(bits as i64),
            }],
            ConstKind::WideInt(words) | ConstKind::WideFloat(words) => {
                let words = self.module.constants.words(words);
                words.iter().map(|&word| Arg::Int(word as i64)).collect()
            }
            ConstKind::Null | ConstKind::Undef | ConstKind::Poison | ConstKind::Zero => {
                let parts = self.parts(ty)?;
                parts.iter().map(|_| Arg::Int(0)).collect()
            }
            ConstKind::Aggregate(_) | ConstKind::Splat(_) | ConstKind::Bytes(_) => {
                self.aggregate_constant(id)?
            }
            ConstKind::Global(global) | ConstKind::NoCfi(global) => {
                self.global_address(global, ty)?
            }
            ConstKind::Expr(expr) => {
                let expr = self.module.constants.expr(expr);
                self.expression(id, expr)?
            }
            _ => {
                return Err(
                    self.refuse(codes::UNSUPPORTED, "this kind of constant is not supported")
                );
            }
        })
    }

    /// The parts of a value as instructions on its type take them: a floating-point constant that was cast to
    /// something else with its bits is an integer there.
    pub(super) fn as_numbers_of(&self, ty: TypeId, mut args: Args) -> Args {
        let of_floats = match self.kind(self.module.types.scalar(ty)) {
            Type::Struct { .. } | Type::Named(_) | Type::Array { .. } => return args,
            other => other,
        };
        for arg in &mut args {
            match *arg {
                Arg::F32(bits) if of_floats != Type::Float => {
                    *arg = Arg::Int(i64::from(bits as i32));
                }
                Arg::F64(bits) if of_floats != Type::Double => *arg = Arg::Int(bits as i64),
                _ => {}
            }
        }
        args
    }

    /// The address of a variable or function; an alias has that of what it stands for.
    fn global_address(&mut self, global: GlobalId, ty: TypeId) -> Result<Args, Refused> {
        let data = &self.module.globals[global];
        if let GlobalKind::Alias(aliasee) = data.kind {
            return self.constant(aliasee);
        }
        let class = self.unit.class_of(ty).unwrap_or(Class::B64);
        // ptxas works the address of a shared variable out anew each time: do it once.
        if matches!(data.kind, GlobalKind::Variable(_)) && data.space == SHARED {
            let known = self.shared_addresses.iter().find(|row| row.0 == global);
            let reg = match known {
                Some(&(_, reg)) => reg,
                None => {
                    let reg = self.code.reg(class);
                    self.shared_addresses.push((global, reg));
                    reg
                }
            };
            return Ok(smallvec![reg.into()]);
        }
        let symbol = self.unit.symbol(global);
        let mut reg = self.code.reg(class);
        self.copy(reg, Arg::Name(symbol))?;
        // Variables in no space of their own lie in global memory.
        if matches!(data.kind, GlobalKind::Variable(_)) && data.space == 0 {
            reg = self.op(class, "cvta.global.u64", &[reg.into()])?;
        }
        Ok(smallvec![reg.into()])
    }

    fn aggregate_constant(&mut self, id: ConstId) -> Result<Args, Refused> {
        let constant = self.module.constants.get(id);
        let (element, len) = match self.kind(constant.ty) {
            Type::Vector { element, len, .. } => (Some(element), u64::from(len)),
            Type::Array { len, .. } => (None, len),
            _ => (
                None,
                self.module.types.fields(constant.ty).map_or(0, <[_]>::len) as u64,
            ),
        };
        // Refuses what is too large before anything is copied.
        self.parts(constant.ty)?;
        let mut args = Args::new();
        for index in 0..len as usize {
            match constant.kind {
                ConstKind::Aggregate(list) => {
                    let member = self.module.constants.list(list)[index];
                    args.extend(self.constant(member)?);
                }
                ConstKind::Splat(member) => args.extend(self.constant(member)?),
                ConstKind::Bytes(name) => {
                    let types = &self.module.types;
                    let member = types.member(constant.ty, 0).unwrap_or(types.i8);
                    let width = dense_width(types, member).unwrap_or(1);
                    let bytes = self.module.names.bytes(name);
                    let number = dense_number(bytes, width, index).unwrap_or(0);
                    args.push(match types.get(member) {
                        Type::Int(bits) => Arg::Int(super::sign_extend(number, bits)),
                        Type::Float => Arg::F32(number as u32),
                        Type::Double => Arg::F64(number),
                        _ => Arg::Int(number as i64),
                    });
                }
                _ => {}
            }
        }
        let lanes = element.map_or(1, |element| {
            shape::lanes(self.module, element, len as u32) as usize
        });
        if lanes == 1 {
            return Ok(args);
        }
        let bits = 32 / lanes as u32;
        args.chunks(lanes)
            .map(|chunk| self.packed_constant(chunk, bits))
            .collect()
    }

    /// Numbers in one register of 32 bits, the first lowest. What is not a number is packed by instructions.
    fn packed_constant(&mut self, lanes: &[Arg], bits: u32) -> Result<Arg, Refused> {
        let mut word = 0u64;
        let mut others = Vec::new();
        for (index, &lane) in lanes.iter().enumerate() {
            let shift = index as u32 * bits;
            match lane {
                Arg::Int(value) => word |= (value as u64 & ((1 << bits) - 1)) << shift,
                other => others.push((other, shift)),
            }
        }
        let mut result = Arg::Int(i64::from(word as u32 as i32));
        for (arg, shift) in others {
            let masked = self.op(Class::B32, "and.b32", &[arg, Arg::Int((1 << bits) - 1)])?;
            let moved = self.op(
                Class::B32,
                "shl.b32",
                &[masked.into(), Arg::Int(shift.into())],
            )?;
            result = self
                .op(Class::B32, "or.b32", &[result, moved.into()])?
                .into();
        }
        Ok(result)
    }

    fn expression(&mut self, id: ConstId, expr: Expr) -> Result<Args, Refused> {
        let ty = self.module.constants.get(id).ty;
        let operands = self.module.constants.list(expr.operands);
        match expr.op {
            ExprOp::Gep { source, .. } => {
                let values: Vec<Value> = operands.iter().map(|&operand| operand.into()).collect();
                if self.module.types.is_vector(ty) {
                    return self.vector_of_addresses(source, &values, ty);
                }
                let reg = self.element_address(source, &values, ty)?;
                Ok(smallvec![reg.into()])
            }
            ExprOp::Cast(CastOp::Addrspacecast) if !self.module.types.is_vector(ty) => {
                let from = operands[0].into();
                let reg = self.cast_address(from, ty)?;
                Ok(smallvec![reg.into()])
            }
            ExprOp::Cast(op) => {
                let from: Value = operands[0].into();
                let args = self.args(from)?;
                self.cast_args(op, self.type_of(from), ty, &args)
            }
            ExprOp::Binary(op) => {
                let a = self.args(operands[0].into())?;
                let b = self.args(operands[1].into())?;
                self.binary_args(op, ty, &a, &b)
            }
            _ => Err(self.refuse(
                codes::UNSUPPORTED,
                "this kind of constant expression is not supported",
            )),
        }
    }
}

impl Arg {
    /// The same bits as an integer, for instructions that only move them.
    pub(crate) fn as_bits(self) -> Arg {
        match self {
            Arg::F32(bits) => Arg::Int(i64::from(bits)),
            Arg::F64(bits) => Arg::Int(bits as i64),
            other => other,
        }
    }
}
