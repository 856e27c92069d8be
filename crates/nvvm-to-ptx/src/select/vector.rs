//! Vectors: their elements, wherever these are, and vectors made of elements.
//!
//! An element is followed through the instructions that only move it (`insertelement`, `shufflevector`), so
//! chains of those leave no code. Short elements share registers; such a register is made by byte
//! permutations of at most two others at a time.

use super::Selector;
use crate::code::{Arg, Args, Class, Reg};
use crate::shape;
use crate::unit::Refused;
use smallvec::smallvec;
use warpc_nvvm::constant::ConstKind;
use warpc_nvvm::inst::{BinaryOp, IcmpPredicate, Op};
use warpc_nvvm::types::{Type, TypeId};
use warpc_nvvm::value::{InstId, Value};

/// Where an element is.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Lane {
    /// Nowhere: it may be anything.
    Undefined,
    /// In parts of its own.
    Parts(Args),
    /// In a register of 32 bits with others, from a byte on.
    Packed(Arg, u32),
}

/// A byte of a register that is put together.
#[derive(Clone, Copy, PartialEq)]
enum Byte {
    Undefined,
    Constant(u8),
    Of(Arg, u32),
}

impl Selector<'_, '_> {
    /// The element type and the length of a vector type.
    pub(super) fn vector_shape(&self, ty: TypeId) -> Option<(TypeId, u32)> {
        match self.kind(ty) {
            Type::Vector { element, len, .. } => Some((element, len)),
            _ => None,
        }
    }

    /// The elements of a vector.
    pub(super) fn lanes(&mut self, value: Value) -> Result<Vec<Lane>, Refused> {
        let Some((element, len)) = self.vector_shape(self.type_of(value)) else {
            return Ok(vec![Lane::Parts(self.args(value)?)]);
        };
        if value.constant().is_some() {
            let args = self.args(value)?;
            return self.lanes_of(element, len, &args);
        }
        (0..len).map(|index| self.lane(value, index)).collect()
    }

    /// The elements in the parts of a vector.
    pub(super) fn lanes_of(
        &mut self,
        element: TypeId,
        len: u32,
        args: &[Arg],
    ) -> Result<Vec<Lane>, Refused> {
        let lanes = shape::lanes(self.module, element, len);
        if lanes == 1 {
            let each = self.parts(element)?.len();
            let parts = args.chunks(each.max(1));
            return Ok(parts
                .map(|parts| Lane::Parts(parts.iter().copied().collect()))
                .collect());
        }
        let bytes = 4 / lanes;
        Ok((0..len)
            .map(|index| Lane::Packed(args[(index / lanes) as usize], index % lanes * bytes))
            .collect())
    }

    /// An element of a vector, followed to where it was made.
    pub(super) fn lane(&mut self, value: Value, index: u32) -> Result<Lane, Refused> {
        let (mut value, mut index) = (value, index);
        while let Some((inst, op)) = self.definition(value) {
            let operands = self.body.operands(inst);
            match op {
                Op::Freeze => value = operands[0],
                Op::InsertElement => match self.integer(operands[2]) {
                    Some(place) if place == u64::from(index) => {
                        return Ok(Lane::Parts(self.args(operands[1])?));
                    }
                    Some(_) => value = operands[0],
                    None => break,
                },
                Op::ShuffleVector => {
                    let Some((_, len)) = self.vector_shape(self.type_of(operands[0])) else {
                        break;
                    };
                    match self.mask_element(operands[2], index) {
                        None => return Ok(Lane::Undefined),
                        Some(from) if from < len => (value, index) = (operands[0], from),
                        Some(from) => (value, index) = (operands[1], from - len),
                    }
                }
                _ => break,
            }
        }
        let Some((element, len)) = self.vector_shape(self.type_of(value)) else {
            return Ok(Lane::Undefined);
        };
        if index >= len || self.is_undefined(value) {
            return Ok(Lane::Undefined);
        }
        let args = self.args(value)?;
        let lanes = shape::lanes(self.module, element, len);
        if lanes == 1 {
            let each = self.parts(element)?.len();
            let start = index as usize * each;
            return Ok(Lane::Parts(
                args[start..start + each].iter().copied().collect(),
            ));
        }
        let part = args[(index / lanes) as usize];
        Ok(Lane::Packed(part, index % lanes * (4 / lanes)))
    }

    /// An element of the mask of a shuffle; `None` if it may be anything.
    pub(super) fn mask_element(&self, mask: Value, index: u32) -> Option<u32> {
        let constants = &self.module.constants;
        let constant = mask.constant()?;
        let element = match constants.get(constant).kind {
            ConstKind::Aggregate(list) => *constants.list(list).get(index as usize)?,
            ConstKind::Splat(element) => element,
            ConstKind::Zero => return Some(0),
            _ => return None,
        };
        u32::try_from(constants.as_u64(element)?).ok()
    }

    /// The parts of an element.
    pub(super) fn lane_args(&mut self, element: TypeId, lane: &Lane) -> Result<Args, Refused> {
        let (register, byte) = match lane {
            Lane::Parts(parts) => return Ok(parts.clone()),
            Lane::Undefined => {
                let parts = self.parts(element)?;
                return Ok(parts.iter().map(|_| Arg::Int(0)).collect());
            }
            &Lane::Packed(register, byte) => (register, byte),
        };
        let bits = self.unit.layout.bits(&self.module.types, element) as u32;
        if let Arg::Int(word) = register {
            let value = (word as u32) >> (8 * byte);
            let number = super::sign_extend(value.into(), bits);
            return Ok(smallvec![match self.kind(element) {
                Type::Int(_) => Arg::Int(number),
                _ => Arg::Int(i64::from(value & 0xffff)),
            }]);
        }
        Ok(smallvec![match self.kind(element) {
            Type::Int(_) if byte == 0 => register,
            Type::Int(_) => {
                let shift = Arg::Int((8 * byte).into());
                self.op(Class::B32, "shr.u32", &[register, shift])?.into()
            }
            _ => {
                let pair = [self.code.reg(Class::B16), self.code.reg(Class::B16)];
                let both = self.code.vector(&[pair[0].into(), pair[1].into()]);
                self.emit("mov.b32", &[both, register])?;
                pair[(byte / 2) as usize].into()
            }
        }])
    }

    /// The parts of each element of a vector. Halves of one register are taken out together.
    pub(super) fn lane_values(&mut self, value: Value) -> Result<Vec<Args>, Refused> {
        let lanes = self.lanes(value)?;
        let element = self.module.types.scalar(self.type_of(value));
        let mut halves: Vec<(Arg, [Reg; 2])> = Vec::new();
        let mut elements = Vec::with_capacity(lanes.len());
        for lane in &lanes {
            let made = match *lane {
                Lane::Packed(register @ Arg::Reg(_), byte)
                    if !matches!(self.kind(element), Type::Int(_)) =>
                {
                    let pair = match halves.iter().find(|(from, _)| *from == register) {
                        Some(&(_, pair)) => pair,
                        None => {
                            let pair = [self.code.reg(Class::B16), self.code.reg(Class::B16)];
                            let both = self.code.vector(&[pair[0].into(), pair[1].into()]);
                            self.emit("mov.b32", &[both, register])?;
                            halves.push((register, pair));
                            pair
                        }
                    };
                    smallvec![pair[(byte / 2) as usize].into()]
                }
                ref lane => self.lane_args(element, lane)?,
            };
            elements.push(made);
        }
        Ok(elements)
    }

    /// A vector of elements that are computed one after the other.
    pub(super) fn element_wise(
        &mut self,
        element: TypeId,
        len: u32,
        mut compute: impl FnMut(&mut Self, usize) -> Result<Args, Refused>,
    ) -> Result<Args, Refused> {
        let lanes: Vec<Lane> = (0..len as usize)
            .map(|index| Ok(Lane::Parts(compute(self, index)?)))
            .collect::<Result<_, Refused>>()?;
        self.join_lanes(element, &lanes)
    }

    /// The parts of the vector with these elements.
    pub(super) fn join_lanes(&mut self, element: TypeId, lanes: &[Lane]) -> Result<Args, Refused> {
        let each = shape::lanes(self.module, element, lanes.len() as u32) as usize;
        if each == 1 {
            let mut args = Args::new();
            for lane in lanes {
                args.extend(self.lane_args(element, lane)?);
            }
            return Ok(args);
        }
        lanes.chunks(each).map(|lanes| self.packed(lanes)).collect()
    }

    /// A register of 32 bits with two or four elements.
    fn packed(&mut self, lanes: &[Lane]) -> Result<Arg, Refused> {
        let each = 4 / lanes.len() as u32;
        if let Some(made) = self.packed_halves(lanes)? {
            return Ok(made);
        }
        let mut bytes = [Byte::Undefined; 4];
        for (index, lane) in lanes.iter().enumerate() {
            for byte in 0..each {
                bytes[index * each as usize + byte as usize] = match lane {
                    Lane::Undefined => Byte::Undefined,
                    Lane::Packed(Arg::Int(word), first) => {
                        Byte::Constant((*word as u32 >> (8 * (first + byte))) as u8)
                    }
                    &Lane::Packed(register, first) => Byte::Of(register, first + byte),
                    Lane::Parts(parts) => match parts[0] {
                        Arg::Int(value) => Byte::Constant((value >> (8 * byte)) as u8),
                        register => Byte::Of(self.low_word(register)?, byte),
                    },
                };
            }
        }
        self.permuted(bytes)
    }

    /// Two halves in registers of 16 bits.
    fn packed_halves(&mut self, lanes: &[Lane]) -> Result<Option<Arg>, Refused> {
        let mut halves = [None, None];
        if lanes.len() != 2 {
            return Ok(None);
        }
        for (half, lane) in halves.iter_mut().zip(lanes) {
            *half = match lane {
                Lane::Parts(parts) => Some(parts[0]),
                _ => None,
            };
        }
        let is_half = |this: &Self, arg: Arg| match arg {
            Arg::Reg(reg) => this.code.class(reg) == Class::B16,
            _ => false,
        };
        let [Some(low), Some(high)] = halves else {
            return Ok(None);
        };
        if !is_half(self, low) && !is_half(self, high) {
            return Ok(None);
        }
        let low = self.in_register(low, Class::B16)?.into();
        let high = self.in_register(high, Class::B16)?.into();
        let pair = self.code.vector(&[low, high]);
        Ok(Some(self.op(Class::B32, "mov.b32", &[pair])?.into()))
    }

    /// A register of 16 bits in one of 32, with anything above.
    fn low_word(&mut self, arg: Arg) -> Result<Arg, Refused> {
        match arg {
            Arg::Reg(reg) if self.code.class(reg) == Class::B16 => {
                let pair = self.code.vector(&[arg, arg]);
                Ok(self.op(Class::B32, "mov.b32", &[pair])?.into())
            }
            _ => Ok(arg),
        }
    }

    /// A register of the given bytes.
    fn permuted(&mut self, bytes: [Byte; 4]) -> Result<Arg, Refused> {
        let mut sources: Vec<Arg> = Vec::new();
        let mut word = 0u32;
        let mut constant = false;
        for (index, byte) in bytes.into_iter().enumerate() {
            match byte {
                Byte::Of(register, _) if !sources.contains(&register) => sources.push(register),
                Byte::Constant(value) => {
                    word |= u32::from(value) << (8 * index);
                    constant = true;
                }
                _ => {}
            }
        }
        let word = Arg::Int(i64::from(word as i32));
        if sources.is_empty() {
            return Ok(word);
        }
        // The constants are a register whose bytes are already where they belong.
        let mut places = bytes;
        if constant {
            for (index, byte) in places.iter_mut().enumerate() {
                if let Byte::Constant(_) = byte {
                    *byte = Byte::Of(word, index as u32);
                }
            }
            sources.push(word);
        }
        let mut made = sources[0];
        let is_there = |byte: Byte, index: usize| match byte {
            Byte::Of(register, from) => register == made && from == index as u32,
            _ => true,
        };
        let whole = (0..4).all(|index| is_there(places[index], index));
        if sources.len() == 1 && whole {
            return Ok(made);
        }
        // Two at a time; what is done lies where it belongs.
        let mut done = 0;
        let mut rest = &sources[1..];
        loop {
            let next = rest.first().copied();
            let mut selector = 0i64;
            for (index, &byte) in places.iter().enumerate() {
                let from = match byte {
                    Byte::Of(register, from) if Some(register) == next => 4 + from,
                    Byte::Of(register, from) if register == sources[0] && done == 0 => from,
                    // Done already, or not yet.
                    _ => index as u32,
                };
                selector |= i64::from(from) << (4 * index);
            }
            let other = next.unwrap_or(Arg::Int(0));
            let args = [made, other, Arg::Int(selector)];
            made = self.op(Class::B32, "prmt.b32", &args)?.into();
            done += 1;
            rest = match rest {
                [] | [_] => return Ok(made),
                [_, rest @ ..] => rest,
            };
        }
    }

    // Instructions.

    pub(super) fn vector_binary(&mut self, inst: InstId, op: BinaryOp) -> Result<(), Refused> {
        let operands = self.body.operands(inst);
        let (x, y) = (operands[0], operands[1]);
        let ty = self.body.insts[inst].ty;
        let (Some((element, len)), Type::Int(bits)) = (
            self.vector_shape(ty),
            self.kind(self.module.types.scalar(ty)),
        ) else {
            return Err(self.unsupported(inst));
        };
        if self.is_packed_operation(op, element, len) {
            let (a, b) = (self.args(x)?, self.args(y)?);
            if let Some(made) = self.packed_binary(op, element, len, &a, &b)? {
                return self.settle(inst, &made);
            }
        }
        let (a, b) = (self.lanes(x)?, self.lanes(y)?);
        let made = self.element_wise(element, len, |this, index| {
            let a = this.lane_args(element, &a[index])?;
            let b = this.lane_args(element, &b[index])?;
            this.int_binary(op, bits, &a, &b)
        })?;
        self.settle(inst, &made)
    }

    pub(super) fn extract_element(&mut self, inst: InstId) -> Result<(), Refused> {
        let operands = self.body.operands(inst);
        let (vector, index) = (operands[0], operands[1]);
        let element = self.body.insts[inst].ty;
        if let Some(index) = self.integer(index) {
            let index = u32::try_from(index).unwrap_or(u32::MAX);
            let lane = self.lane(vector, index)?;
            let made = self.lane_args(element, &lane)?;
            return self.settle(inst, &made);
        }
        let Some((_, len)) = self.vector_shape(self.type_of(vector)) else {
            return Err(self.unsupported(inst));
        };
        let args = self.args(vector)?;
        let index = self.index_word(index)?;
        let lanes = shape::lanes(self.module, element, len);
        if lanes == 1 {
            let each = self.parts(element)?;
            let mut made = Args::new();
            for (part, shape) in each.iter().enumerate() {
                let column: Vec<Arg> = args
                    .iter()
                    .skip(part)
                    .step_by(each.len())
                    .copied()
                    .collect();
                made.push(self.picked(&column, index, shape.class)?);
            }
            return self.settle(inst, &made);
        }
        let which = Arg::Int(lanes.trailing_zeros().into());
        let register = match args.len() {
            1 => args[0],
            _ => {
                let register = self.op(Class::B32, "shr.u32", &[index, which])?;
                self.picked(&args, register.into(), Class::B32)?
            }
        };
        let shift = self.lane_shift(index, lanes)?;
        let moved = self.op(Class::B32, "shr.u32", &[register, shift])?;
        let made = match self.kind(element) {
            Type::Int(_) => moved,
            _ => self.op(Class::B16, "cvt.u16.u32", &[moved.into()])?,
        };
        self.settle(inst, &[made.into()])
    }

    /// The low 32 bits of an index.
    fn index_word(&mut self, index: Value) -> Result<Arg, Refused> {
        let Type::Int(bits) = self.kind(self.type_of(index)) else {
            return Err(self.refuse(warpc_diag::codes::UNSUPPORTED, "an index is not an integer"));
        };
        let args = self.args(index)?;
        let made = self.int_resize(&args, bits, 32, false)?;
        match bits {
            33.. => Ok(made[0]),
            _ => Ok(self.in_register(made[0], Class::B32)?.into()),
        }
    }

    /// The bits that an element is from the start of its register.
    fn lane_shift(&mut self, index: Arg, lanes: u32) -> Result<Arg, Refused> {
        let within = self.op(
            Class::B32,
            "and.b32",
            &[index, Arg::Int(i64::from(lanes) - 1)],
        )?;
        let bits = Arg::Int((32 / lanes).trailing_zeros().into());
        Ok(self
            .op(Class::B32, "shl.b32", &[within.into(), bits])?
            .into())
    }

    /// One of some operands by an index: a tree of choices by the bits of the index.
    fn picked(&mut self, args: &[Arg], index: Arg, class: Class) -> Result<Arg, Refused> {
        let mut left: Vec<Arg> = args.to_vec();
        let mut bit = 1i64;
        while left.len() > 1 {
            let set = self.op(Class::B32, "and.b32", &[index, Arg::Int(bit)])?;
            let odd = self.op(Class::Pred, "setp.ne.b32", &[set.into(), Arg::Int(0)])?;
            let pairs: Vec<(Arg, Option<Arg>)> = left
                .chunks(2)
                .map(|pair| (pair[0], pair.get(1).copied()))
                .collect();
            left.clear();
            for (even, other) in pairs {
                left.push(match other {
                    Some(other) => self.chosen(class, odd, other, even)?,
                    None => even,
                });
            }
            bit <<= 1;
        }
        left.first()
            .copied()
            .ok_or_else(|| self.refuse(warpc_diag::codes::UNSUPPORTED, "an empty vector"))
    }

    pub(super) fn insert_element(&mut self, inst: InstId) -> Result<(), Refused> {
        let operands = self.body.operands(inst);
        let (vector, new, index) = (operands[0], operands[1], operands[2]);
        let ty = self.body.insts[inst].ty;
        let Some((element, len)) = self.vector_shape(ty) else {
            return Err(self.unsupported(inst));
        };
        if self.integer(index).is_some() {
            return self.rebuild(inst);
        }
        let old = self.args(vector)?;
        let new = self.args(new)?;
        let index = self.index_word(index)?;
        let lanes = shape::lanes(self.module, element, len);
        let mut made = Args::new();
        if lanes == 1 {
            let parts = self.parts(element)?;
            for place in 0..len as usize {
                let here = self.is_at(index, place)?;
                for (part, shape) in parts.iter().enumerate() {
                    let old = old[place * parts.len() + part];
                    made.push(self.chosen(shape.class, here, new[part], old)?);
                }
            }
            return self.settle(inst, &made);
        }
        let new = match new[0] {
            number @ Arg::Int(_) => number,
            register => self.low_word(register)?,
        };
        let shift = self.lane_shift(index, lanes)?;
        let which = Arg::Int(lanes.trailing_zeros().into());
        let register = self.op(Class::B32, "shr.u32", &[index, which])?;
        let bits = Arg::Int((32 / lanes).into());
        let several = old.len() > 1;
        for (place, old) in old.into_iter().enumerate() {
            let changed = self.op(Class::B32, "bfi.b32", &[new, old, shift, bits])?;
            made.push(if several {
                let here = self.is_at(register.into(), place)?;
                self.chosen(Class::B32, here, changed.into(), old)?
            } else {
                changed.into()
            });
        }
        self.settle(inst, &made)
    }

    fn is_at(&mut self, index: Arg, place: usize) -> Result<Reg, Refused> {
        let place = Arg::Int(place as i64);
        self.compare_registers(IcmpPredicate::Eq, Class::B32, index, place)
    }

    /// Makes a vector of its elements, wherever they are.
    pub(super) fn rebuild(&mut self, inst: InstId) -> Result<(), Refused> {
        let Some(local) = self.body.insts[inst].local() else {
            return Ok(());
        };
        let element = self.module.types.scalar(self.body.insts[inst].ty);
        let lanes = self.lanes_made(local)?;
        let made = self.join_lanes(element, &lanes)?;
        self.settle(inst, &made)
    }

    fn lanes_made(&mut self, local: warpc_nvvm::value::Local) -> Result<Vec<Lane>, Refused> {
        let value: Value = local.into();
        let len = self
            .vector_shape(self.type_of(value))
            .map_or(0, |(_, len)| len);
        (0..len).map(|index| self.lane(value, index)).collect()
    }
}
