//! Instructions that only move parts about: members of structs and arrays, elements in registers of their
//! own, casts that change no bit.
//!
//! They leave no code: whoever asks for a part of their result gets the register that it was made in.

use super::Selector;
use super::extend::Above;
use crate::code::{Arg, Args, Class};
use crate::shape;
use crate::unit::Refused;
use warpc_nvvm::constant::ConstKind;
use warpc_nvvm::inst::{CastOp, Op};
use warpc_nvvm::types::{IndexList, Type, TypeId};
use warpc_nvvm::value::{InstId, Local, Operand, Value};

/// Where a part of a result comes from.
enum Source {
    /// The part of another value.
    Part(Value, usize),
    /// Nowhere: it may be anything.
    Undefined,
    /// The instruction computes it.
    Made,
}

impl Selector<'_, '_> {
    /// Whether an instruction only moves parts.
    pub(super) fn is_transparent(&self, inst: InstId) -> bool {
        let operands = self.body.operands(inst);
        let is_unpacked = |ty: TypeId| match self.kind(ty) {
            Type::Vector { element, len, .. } => shape::lanes(self.module, element, len) == 1,
            _ => false,
        };
        match self.body.insts[inst].op {
            Op::Freeze | Op::ExtractValue(_) | Op::InsertValue(_) => true,
            Op::ExtractElement => {
                is_unpacked(self.type_of(operands[0])) && self.integer(operands[1]).is_some()
            }
            Op::InsertElement => {
                is_unpacked(self.body.insts[inst].ty) && self.integer(operands[2]).is_some()
            }
            Op::ShuffleVector => {
                is_unpacked(self.body.insts[inst].ty) && is_unpacked(self.type_of(operands[0]))
            }
            Op::Cast(op) => self.is_free_cast(op, operands[0], self.body.insts[inst].ty),
            _ => false,
        }
    }

    /// Whether a cast changes no register.
    fn is_free_cast(&self, op: CastOp, from: Value, to: TypeId) -> bool {
        let width = |ty: TypeId| match self.kind(ty) {
            Type::Int(bits) => Some(bits),
            Type::Ptr(space) => Some(self.unit.layout.pointer_bits(space)),
            _ => None,
        };
        let from_ty = self.type_of(from);
        let (Some(a), Some(b)) = (width(from_ty), width(to)) else {
            // The bits of a number, or of a vector with as many registers.
            return op == CastOp::Bitcast && self.same_registers(from_ty, to);
        };
        let one_register = |bits| (2..=64).contains(&bits);
        let same_class =
            one_register(a) && one_register(b) && Class::for_bits(a) == Class::for_bits(b);
        match op {
            CastOp::Trunc => same_class || (a > 64 && b > 32),
            CastOp::Zext => same_class && self.known(from).zeros,
            CastOp::Sext => same_class && self.known(from).sign,
            CastOp::Ptrtoint | CastOp::Ptrtoaddr | CastOp::Inttoptr => {
                same_class && (b <= a || self.known(from).zeros)
            }
            CastOp::Bitcast => a == b,
            _ => false,
        }
    }

    /// Whether values of two types lie in the same registers, bit for bit.
    fn same_registers(&self, a: TypeId, b: TypeId) -> bool {
        let shape = |ty: TypeId| -> Option<(Class, u32)> {
            Some(match self.kind(ty) {
                Type::Int(bits @ (32 | 64)) => (Class::for_bits(bits), 1),
                Type::Int(bits) if bits > 64 && bits.is_multiple_of(64) => (Class::B64, bits / 64),
                Type::Half | Type::BFloat => (Class::B16, 1),
                Type::Float => (Class::B32, 1),
                Type::Double => (Class::B64, 1),
                Type::Fp128 | Type::PpcFp128 => (Class::B64, 2),
                Type::Ptr(space) => (Class::for_bits(self.unit.layout.pointer_bits(space)), 1),
                Type::Vector { element, len, .. } => {
                    let lanes = shape::lanes(self.module, element, len);
                    match self.kind(element) {
                        _ if lanes > 1 => (Class::B32, len / lanes),
                        Type::Int(32) | Type::Float => (Class::B32, len),
                        Type::Int(64) | Type::Double => (Class::B64, len),
                        Type::Half | Type::BFloat => (Class::B16, len),
                        Type::Ptr(space) => {
                            (Class::for_bits(self.unit.layout.pointer_bits(space)), len)
                        }
                        _ => return None,
                    }
                }
                _ => return None,
            })
        };
        a == b || shape(a).is_some_and(|found| Some(found) == shape(b))
    }

    /// The parts of the result of an instruction that only moves parts.
    pub(super) fn seen_through(&mut self, local: Local) -> Result<Option<Args>, Refused> {
        let warpc_nvvm::function::Def::Inst(inst) = self.body.locals[local].def else {
            return Ok(None);
        };
        if !self.is_transparent(inst) {
            return Ok(None);
        }
        let count = self.parts(self.body.locals[local].ty)?.len();
        let mut args = Args::with_capacity(count);
        for index in 0..count {
            args.push(self.part(local.into(), index)?);
        }
        Ok(Some(args))
    }

    /// A part of a value, from where it was made.
    fn part(&mut self, value: Value, index: usize) -> Result<Arg, Refused> {
        let (mut value, mut index) = (value, index);
        loop {
            match self.source(value, index)? {
                Source::Part(from, part) => (value, index) = (from, part),
                Source::Undefined => return Ok(Arg::Int(0)),
                Source::Made => break,
            }
        }
        match value.get() {
            Operand::Local(local) => Ok(self.local(local)?[index].into()),
            _ => Ok(self.args(value)?[index]),
        }
    }

    fn source(&mut self, value: Value, index: usize) -> Result<Source, Refused> {
        if let Some(constant) = value.constant() {
            let kind = self.module.constants.get(constant).kind;
            return Ok(match kind {
                ConstKind::Undef | ConstKind::Poison => Source::Undefined,
                _ => Source::Made,
            });
        }
        let Some((inst, op)) = self.definition(value) else {
            return Ok(Source::Made);
        };
        if !self.is_transparent(inst) {
            return Ok(Source::Made);
        }
        let operands = self.body.operands(inst);
        Ok(match op {
            Op::Freeze | Op::Cast(_) => Source::Part(operands[0], index),
            Op::ExtractValue(path) => {
                let (start, _) = self.member_parts(self.type_of(operands[0]), path)?;
                Source::Part(operands[0], start + index)
            }
            Op::InsertValue(path) => {
                let (start, len) = self.member_parts(self.type_of(operands[0]), path)?;
                if (start..start + len).contains(&index) {
                    Source::Part(operands[1], index - start)
                } else {
                    Source::Part(operands[0], index)
                }
            }
            Op::ExtractElement => {
                let each = self.parts(self.body.insts[inst].ty)?.len();
                let place = self.integer(operands[1]).unwrap_or(0);
                let Some((_, len)) = self.vector_shape(self.type_of(operands[0])) else {
                    return Ok(Source::Made);
                };
                if place >= u64::from(len) {
                    return Ok(Source::Undefined);
                }
                Source::Part(operands[0], place as usize * each + index)
            }
            Op::InsertElement => {
                let each = self.parts(self.type_of(operands[1]))?.len();
                let place = self.integer(operands[2]).unwrap_or(0);
                if place == (index / each) as u64 {
                    Source::Part(operands[1], index % each)
                } else {
                    Source::Part(operands[0], index)
                }
            }
            Op::ShuffleVector => {
                let ty = self.type_of(operands[0]);
                let each = self.parts(self.module.types.scalar(ty))?.len();
                let len = self.vector_shape(ty).map_or(0, |(_, len)| len);
                match self.mask_element(operands[2], (index / each) as u32) {
                    None => Source::Undefined,
                    Some(from) => {
                        let (vector, from) = match from.checked_sub(len) {
                            None => (operands[0], from),
                            Some(from) => (operands[1], from),
                        };
                        Source::Part(vector, from as usize * each + index % each)
                    }
                }
            }
            _ => Source::Made,
        })
    }

    /// The parts of a member of an aggregate: the first and how many.
    fn member_parts(&mut self, ty: TypeId, path: IndexList) -> Result<(usize, usize), Refused> {
        let module = self.module;
        let mut ty = ty;
        let mut start = 0;
        for &index in module.types.numbers(path) {
            if let Type::Array { element, .. } = self.kind(ty) {
                start += self.parts(element)?.len() * index as usize;
                ty = element;
                continue;
            }
            for &field in module
                .types
                .fields(ty)
                .into_iter()
                .flatten()
                .take(index as usize)
            {
                start += self.parts(field)?.len();
            }
            let Some(member) = module.types.member(ty, index.into()) else {
                return Err(
                    self.refuse(warpc_diag::codes::UNSUPPORTED, "this member does not exist")
                );
            };
            ty = member;
        }
        Ok((start, self.parts(ty)?.len()))
    }

    /// Copies the result of an instruction that only moves parts: somebody wants it in registers of its own.
    pub(super) fn move_parts(&mut self, inst: InstId) -> Result<(), Refused> {
        let Some(local) = self.body.insts[inst].local() else {
            return Ok(());
        };
        match self.seen_through(local)? {
            Some(args) => self.copy_all(inst, &args),
            None => Err(self.unsupported(inst)),
        }
    }

    /// A scalar integer with zeros or its sign above its width, whatever it was cast from.
    pub(super) fn cast_source(&mut self, from: Value, signed: bool) -> Result<Arg, Refused> {
        self.arg_with(from, if signed { Above::Sign } else { Above::Zeros })
    }
}
