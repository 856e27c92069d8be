//! Operands: where values come from and go to.

use super::body::{Decoder, Refused};
use super::names::{Meaning, Register};
use crate::program::{Addr, Dst, Src};
use crate::special::Special;
use smallvec::SmallVec;
use warpc_diag::Span;
use warpc_ptx::form::{Kind, Mapping, OperandSpec, Role, TypeRef};
use warpc_ptx::inst::{Choice, Inst, Operand, Part, Sign};
use warpc_ptx::types::ScalarType;

/// What an instruction reads, element by element.
type SourceList = SmallVec<[Src; 4]>;
/// What it writes.
type DestinationList = SmallVec<[Dst; 4]>;

/// An instruction with its operands assigned.
#[derive(Clone, Copy)]
pub(super) struct Operands<'a> {
    pub(super) inst: &'a Inst,
    pub(super) choice: &'a Choice,
    pub(super) mapping: &'a Mapping,
}

impl Operands<'_> {
    pub(super) fn span(&self) -> Span {
        self.inst.at.0
    }

    /// The operand with a name, if it was given.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        let specs = &self.choice.form.form().operands;
        let position = specs.iter().position(|spec| spec.name == name)?;
        self.mapping[position].map(|index| index as usize)
    }

    fn spec(&self, name: &str) -> Option<&'static OperandSpec> {
        let specs = &self.choice.form.form().operands;
        specs.iter().find(|spec| spec.name == name)
    }

    /// The type an operand has by its form.
    pub(super) fn ty(&self, spec: &OperandSpec) -> ScalarType {
        let slot = |slot: u8| {
            let value = self.choice.values[usize::from(slot)];
            self.choice.form.form().slots[usize::from(slot)]
                .values
                .get(usize::from(value))
                .and_then(|value| value.ty)
        };
        match spec.kind {
            Kind::Value(TypeRef::Fixed(ty) | TypeRef::FragmentIn(ty)) => ty,
            Kind::Value(TypeRef::Slot(number)) => slot(number).unwrap_or(ScalarType::B64),
            Kind::Value(TypeRef::Fragment(number)) => {
                slot(number).map_or(ScalarType::B32, ScalarType::fragment)
            }
            _ => ScalarType::B64,
        }
    }
}

impl Decoder<'_> {
    pub(super) fn source_of(&self, register: Register, element: u32) -> Src {
        let slot = register.slot + element;
        match register.ty {
            ScalarType::Pred => Src::P(slot, false),
            ty if ty.bits() > 32 => Src::D(slot),
            _ => Src::W(slot),
        }
    }

    pub(super) fn destination_of(&self, register: Register, element: u32) -> Dst {
        let slot = register.slot + element;
        match register.ty.bits() {
            _ if register.ty == ScalarType::Pred => Dst::P(slot),
            64.. => Dst::D(slot),
            32 => Dst::W(slot, u32::MAX),
            bits => Dst::W(slot, (1 << bits) - 1),
        }
    }

    /// The elements of a register that an operand means.
    fn elements(register: Register, part: Part) -> std::ops::Range<u32> {
        let wide = super::names::slots_of(register.ty);
        match part {
            Part::X => 0..wide,
            Part::Y => wide..2 * wide,
            Part::Z => 2 * wide..3 * wide,
            Part::W => 3 * wide..4 * wide,
            Part::Whole | Part::Bytes(_) | Part::Halves(_) => 0..wide * u32::from(register.vector),
        }
    }

    /// What an operand reads, element by element.
    pub(super) fn sources(
        &mut self,
        index: usize,
        ty: ScalarType,
        to: &mut SmallVec<[Src; 4]>,
    ) -> Result<(), Refused> {
        let span = self.body.operand_span(index);
        match self.body.operands[index] {
            Operand::Name { symbol, part, sign } => match self.names.find(symbol) {
                Some(Meaning::Register(register)) => {
                    for element in Self::elements(register, part) {
                        to.push(match self.source_of(register, element) {
                            Src::P(slot, _) => Src::P(slot, sign == Sign::Not),
                            source => source,
                        });
                    }
                }
                Some(_) => to.push(self.address_of(symbol, 0, span)?),
                None => self.special(symbol, part, sign, span, to)?,
            },
            Operand::Int(int) => {
                to.push(Src::Imm(int.bits));
                // The upper half of 128 bits is zero, even if the constant is negative.
                to.extend((ty == ScalarType::B128).then_some(Src::Imm(0)));
            }
            Operand::F32(bits) => to.push(Src::Imm(single(bits, ty))),
            Operand::F64(bits) => to.push(Src::Imm(double(bits, ty))),
            Operand::Offset(range) => {
                let [Operand::Name { symbol, .. }, Operand::Int(offset)] =
                    self.body.operands(range)
                else {
                    return self.refused(span, "this address");
                };
                to.push(self.address_of(*symbol, offset.bits as i64, span)?);
            }
            Operand::Element(_) => {
                let addr = self.element(index)?;
                match addr.base {
                    Src::Imm(base) => to.push(Src::Imm(base.wrapping_add_signed(addr.offset))),
                    Src::Stack(base) => to.push(Src::Stack((i64::from(base) + addr.offset) as u32)),
                    _ => return self.refused(span, "the address of an element with this index"),
                }
            }
            Operand::Vector(range) => {
                for child in range.indices() {
                    self.sources(child, ty, to)?;
                }
            }
            Operand::Sink => to.push(Src::Imm(0)),
            _ => return self.refused(span, "this operand"),
        }
        Ok(())
    }

    fn special(
        &mut self,
        symbol: warpc_ptx::symbol::Symbol,
        part: Part,
        sign: Sign,
        span: Span,
        to: &mut SmallVec<[Src; 4]>,
    ) -> Result<(), Refused> {
        let name = self.module.name(symbol);
        let Some(found) = warpc_ptx::sreg::find(name, part.element_text()) else {
            if name == "WARP_SZ" {
                to.push(Src::Imm(32));
                return Ok(());
            }
            return self.refused(span, format_args!("`{name}` here"));
        };
        let first = match part {
            Part::Y => 1,
            Part::Z => 2,
            Part::W => 3,
            _ => 0,
        };
        for element in first..first + found.elements {
            match Special::find(name, element) {
                Some(_) if sign == Sign::Not => {
                    return self.refused(span, format_args!("`!{name}`"));
                }
                Some(special) => to.push(Src::Special(special)),
                None => return self.refused(span, format_args!("`{name}`")),
            }
        }
        Ok(())
    }

    /// The address of a variable or function.
    pub(super) fn address_of(
        &mut self,
        symbol: warpc_ptx::symbol::Symbol,
        offset: i64,
        span: Span,
    ) -> Result<Src, Refused> {
        match self.names.find(symbol) {
            Some(Meaning::Fixed(_, address, _)) => {
                Ok(Src::Imm(address.wrapping_add_signed(offset)))
            }
            Some(Meaning::Stack(at, ..)) => Ok(Src::Stack((i64::from(at) + offset) as u32)),
            Some(Meaning::Function(number)) => Ok(Src::Imm(
                crate::address::of_function(number).wrapping_add_signed(offset),
            )),
            _ => {
                let name = self.module.name(symbol).to_owned();
                self.refused(span, format_args!("the address of `{name}`"))
            }
        }
    }

    /// What an operand writes, element by element.
    pub(super) fn destinations(
        &mut self,
        index: usize,
        to: &mut SmallVec<[Dst; 4]>,
    ) -> Result<(), Refused> {
        let span = self.body.operand_span(index);
        match self.body.operands[index] {
            Operand::Sink => to.push(Dst::Sink),
            Operand::Name { symbol, part, .. } => match self.names.find(symbol) {
                Some(Meaning::Register(register)) => {
                    for element in Self::elements(register, part) {
                        to.push(self.destination_of(register, element));
                    }
                }
                _ => return self.refused(span, "this destination"),
            },
            Operand::Vector(range) => {
                for child in range.indices() {
                    self.destinations(child, to)?;
                }
            }
            _ => return self.refused(span, "this destination"),
        }
        Ok(())
    }

    /// The source with a name that has one element; zero if it was not given.
    pub(super) fn source(&mut self, of: Operands<'_>, name: &str) -> Result<Option<Src>, Refused> {
        let Some(index) = of.find(name) else {
            return Ok(None);
        };
        let ty = of.spec(name).map_or(ScalarType::B64, |spec| of.ty(spec));
        let mut list = SmallVec::new();
        self.sources(index, ty, &mut list)?;
        Ok(list.first().copied())
    }

    /// A source that must be there.
    pub(super) fn needed(&mut self, of: Operands<'_>, name: &str) -> Result<Src, Refused> {
        match self.source(of, name)? {
            Some(source) => Ok(source),
            None => self.refused(of.span(), format_args!("this form without `{name}`")),
        }
    }

    /// All elements of a source.
    pub(super) fn source_list(
        &mut self,
        of: Operands<'_>,
        name: &str,
    ) -> Result<SmallVec<[Src; 4]>, Refused> {
        let mut list = SmallVec::new();
        if let Some(index) = of.find(name) {
            let ty = of.spec(name).map_or(ScalarType::B64, |spec| of.ty(spec));
            self.sources(index, ty, &mut list)?;
        }
        Ok(list)
    }

    /// All elements of a destination.
    pub(super) fn destination_list(
        &mut self,
        of: Operands<'_>,
        name: &str,
    ) -> Result<SmallVec<[Dst; 4]>, Refused> {
        let mut list = SmallVec::new();
        if let Some(index) = of.find(name) {
            self.destinations(index, &mut list)?;
        }
        Ok(list)
    }

    /// A destination of one element; nowhere if it was not given.
    pub(super) fn destination(&mut self, of: Operands<'_>, name: &str) -> Result<Dst, Refused> {
        let list = self.destination_list(of, name)?;
        Ok(list.first().copied().unwrap_or(Dst::Sink))
    }

    /// Everything an instruction reads, and everything it may write, in the form's order.
    pub(super) fn reads_and_writes(
        &mut self,
        of: Operands<'_>,
    ) -> Result<(SourceList, DestinationList), Refused> {
        let (mut reads, mut writes) = (SmallVec::new(), SmallVec::new());
        let specs = &of.choice.form.form().operands;
        for (spec, given) in specs.iter().zip(of.mapping) {
            match (spec.role, given) {
                (Role::Use, Some(index)) => {
                    self.sources(*index as usize, of.ty(spec), &mut reads)?;
                }
                (Role::Use, None) => {}
                (Role::Def, Some(index)) => self.destinations(*index as usize, &mut writes)?,
                (Role::Def, None) => writes.push(Dst::Sink),
            }
        }
        Ok((reads, writes))
    }

    /// `[base+offset]`
    pub(super) fn addr(&mut self, of: Operands<'_>, name: &str) -> Result<Addr, Refused> {
        match of.find(name) {
            Some(index) => self.addr_at(index),
            None => self.refused(of.span(), format_args!("this form without `{name}`")),
        }
    }

    /// The address in an operand.
    pub(super) fn addr_at(&mut self, index: usize) -> Result<Addr, Refused> {
        let span = self.body.operand_span(index);
        match self.body.operands[index] {
            Operand::Address { items, .. } => {
                let mut addr = self.addr_at(items.start as usize)?;
                if let Some(Operand::Int(offset)) = self.body.operands(items).get(1) {
                    addr.offset = addr.offset.wrapping_add(offset.bits as i64);
                }
                Ok(addr)
            }
            Operand::Element(_) => self.element(index),
            _ => {
                let mut list = SmallVec::new();
                self.sources(index, ScalarType::B64, &mut list)?;
                match list[..] {
                    [base] => Ok(Addr { base, offset: 0 }),
                    _ => self.refused(span, "this address"),
                }
            }
        }
    }

    /// `name[4]`: an element counts as many bytes as the array's elements have.
    fn element(&mut self, index: usize) -> Result<Addr, Refused> {
        let span = self.body.operand_span(index);
        let Operand::Element(range) = self.body.operands[index] else {
            return self.refused(span, "this address");
        };
        let children = self.body.operands(range);
        let (Some(Operand::Name { symbol, .. }), Some(Operand::Int(number))) =
            (children.first(), children.get(1))
        else {
            return self.refused(span, "an index in a register: add it to an address instead");
        };
        let (symbol, number) = (*symbol, number.bits as i64);
        let bytes = match self.names.find(symbol) {
            Some(Meaning::Fixed(_, _, bytes) | Meaning::Stack(_, _, bytes)) => bytes as i64,
            _ => 1,
        };
        let base = self.address_of(symbol, 0, span)?;
        let offset = number.wrapping_mul(bytes);
        Ok(Addr { base, offset })
    }
}

/// The bits of a single-precision constant where a type is wanted.
fn single(bits: u32, ty: ScalarType) -> u64 {
    match ty {
        ScalarType::F64 => f64::from(f32::from_bits(bits)).to_bits(),
        _ => u64::from(bits),
    }
}

/// The bits of a double-precision constant where a type is wanted.
fn double(bits: u64, ty: ScalarType) -> u64 {
    match ty {
        ScalarType::F32 => u64::from((f64::from_bits(bits) as f32).to_bits()),
        _ => bits,
    }
}
