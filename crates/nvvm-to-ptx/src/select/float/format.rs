//! The formats of floating-point numbers, one or two in a register.
//!
//! ```text
//!   half  f16 ┐          bfloat  bf16 ┐          float  f32 ┐          double  f64
//!             └ f16x2                 └ bf16x2              └ f32x2
//! ```
//!
//! The parts of a value are single numbers or pairs (`shape`); an operation on a pair that the target
//! lacks is done on its halves.

use crate::code::{Arg, Args, Class};
use crate::select::Selector;
use crate::unit::Refused;
use smallvec::smallvec;
use warpc_nvvm::types::{Type, TypeId};

/// What a register with floating-point numbers holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// `half`
    F16,
    /// `bfloat`
    Bf16,
    /// `float`
    F32,
    /// `double`
    F64,
    /// Two of `half`.
    F16x2,
    /// Two of `bfloat`.
    Bf16x2,
    /// Two of `float`; values do not lie so, but are brought together for an operation.
    F32x2,
}

impl Format {
    /// The format of a scalar type.
    pub fn of(ty: Type) -> Option<Format> {
        match ty {
            Type::Half => Some(Format::F16),
            Type::BFloat => Some(Format::Bf16),
            Type::Float => Some(Format::F32),
            Type::Double => Some(Format::F64),
            _ => None,
        }
    }

    /// Its name in PTX.
    pub fn name(self) -> &'static str {
        match self {
            Format::F16 => "f16",
            Format::Bf16 => "bf16",
            Format::F32 => "f32",
            Format::F64 => "f64",
            Format::F16x2 => "f16x2",
            Format::Bf16x2 => "bf16x2",
            Format::F32x2 => "f32x2",
        }
    }

    /// The registers that hold it.
    pub fn class(self) -> Class {
        match self {
            Format::F16 | Format::Bf16 => Class::B16,
            Format::F32 | Format::F16x2 | Format::Bf16x2 => Class::B32,
            Format::F64 | Format::F32x2 => Class::B64,
        }
    }

    /// The format of one of a pair.
    pub fn element(self) -> Option<Format> {
        match self {
            Format::F16x2 => Some(Format::F16),
            Format::Bf16x2 => Some(Format::Bf16),
            Format::F32x2 => Some(Format::F32),
            _ => None,
        }
    }

    /// Whether it is two numbers.
    pub fn is_pair(self) -> bool {
        self.element().is_some()
    }

    /// The bits of the signs.
    pub fn sign_bits(self) -> u64 {
        match self {
            Format::F16 | Format::Bf16 => 0x8000,
            Format::F32 => 0x8000_0000,
            Format::F64 => 1 << 63,
            Format::F16x2 | Format::Bf16x2 => 0x8000_8000,
            Format::F32x2 => 0x8000_0000_8000_0000,
        }
    }

    /// The bits of the number one, in each of a pair.
    pub fn one_bits(self) -> u64 {
        match self {
            Format::F16 => 0x3c00,
            Format::Bf16 => 0x3f80,
            Format::F32 => 0x3f80_0000,
            Format::F64 => 0x3ff0_0000_0000_0000,
            Format::F16x2 => 0x3c00_3c00,
            Format::Bf16x2 => 0x3f80_3f80,
            Format::F32x2 => 0x3f80_0000_3f80_0000,
        }
    }

    /// The bits of the quiet NaN without a payload.
    pub fn nan_bits(self) -> u64 {
        match self {
            Format::F16 => 0x7e00,
            Format::Bf16 => 0x7fc0,
            Format::F32 => 0x7fc0_0000,
            Format::F64 => 0x7ff8_0000_0000_0000,
            Format::F16x2 => 0x7e00_7e00,
            Format::Bf16x2 => 0x7fc0_7fc0,
            Format::F32x2 => 0x7fc0_0000_7fc0_0000,
        }
    }

    /// How many bits the fraction has.
    pub fn fraction_bits(self) -> u32 {
        match self {
            Format::F16 | Format::F16x2 => 10,
            Format::Bf16 | Format::Bf16x2 => 7,
            Format::F32 | Format::F32x2 => 23,
            Format::F64 => 52,
        }
    }

    /// How many bits a number has; for a pair, both together.
    pub fn bits(self) -> u32 {
        self.class().bits()
    }

    /// A number of this format by its bits.
    pub fn number(self, bits: u64) -> Arg {
        match self {
            Format::F32 => Arg::F32(bits as u32),
            Format::F64 => Arg::F64(bits),
            _ => Arg::Int(bits as i64),
        }
    }

    /// The bits of a constant of this format.
    pub fn bits_of(self, arg: Arg) -> Option<u64> {
        let mask = u64::MAX >> (64 - self.bits());
        match arg {
            Arg::Int(bits) => Some(bits as u64 & mask),
            Arg::F32(bits) => Some(bits.into()),
            Arg::F64(bits) => Some(bits),
            _ => None,
        }
    }
}

/// Something done on numbers of a format.
pub type Operation<'f, S> = dyn FnMut(&mut S, Format, &[Arg]) -> Result<Arg, Refused> + 'f;

/// Something done on one of each operand.
pub type ElementOperation<'f, S> = dyn FnMut(&mut S, &[Arg]) -> Result<Arg, Refused> + 'f;

impl Selector<'_, '_> {
    /// The format of the parts of a scalar or vector type.
    pub(in crate::select) fn format_of(&self, ty: TypeId) -> Option<Format> {
        match self.kind(ty) {
            Type::Vector {
                element,
                len,
                scalable: false,
            } => {
                let format = Format::of(self.kind(element))?;
                Some(match crate::shape::lanes(self.module, element, len) {
                    2 if format == Format::F16 => Format::F16x2,
                    2 => Format::Bf16x2,
                    _ => format,
                })
            }
            ty => Format::of(ty),
        }
    }

    /// An operand as instructions on a format take it: `f32` and `f64` have constants, the others do not.
    pub(in crate::select) fn float_operand(
        &mut self,
        format: Format,
        arg: Arg,
    ) -> Result<Arg, Refused> {
        match (format, arg) {
            (Format::F32, Arg::Int(bits)) => Ok(Arg::F32(bits as u32)),
            (Format::F64, Arg::Int(bits)) => Ok(Arg::F64(bits as u64)),
            (Format::F32 | Format::F64, _) => Ok(arg),
            _ => Ok(self.in_register(arg, format.class())?.into()),
        }
    }

    /// An operation that gives a number of the format of its operands.
    pub(in crate::select) fn float_op(
        &mut self,
        format: Format,
        mnemonic: &str,
        args: &[Arg],
    ) -> Result<Arg, Refused> {
        let args = self.float_operands(format, args)?;
        Ok(self.op(format.class(), mnemonic, &args)?.into())
    }

    /// Operands as instructions on a format take them.
    pub(in crate::select) fn float_operands(
        &mut self,
        format: Format,
        args: &[Arg],
    ) -> Result<Args, Refused> {
        args.iter()
            .map(|&arg| self.float_operand(format, arg))
            .collect()
    }

    /// The two numbers of a pair, the low one first.
    pub(in crate::select) fn split_pair(
        &mut self,
        format: Format,
        pair: Arg,
    ) -> Result<[Arg; 2], Refused> {
        let Some(element) = format.element() else {
            return Ok([pair, pair]);
        };
        let width = element.bits();
        if let Some(bits) = format.bits_of(pair) {
            let mask = u64::MAX >> (64 - width);
            return Ok([element.number(bits & mask), element.number(bits >> width)]);
        }
        let (low, high) = (
            self.code.reg(element.class()),
            self.code.reg(element.class()),
        );
        let both = self.code.vector(&[low.into(), high.into()]);
        let mnemonic = match format.class() {
            Class::B64 => "mov.b64",
            _ => "mov.b32",
        };
        self.emit(mnemonic, &[both, pair])?;
        Ok([low.into(), high.into()])
    }

    /// A pair of two numbers.
    pub(in crate::select) fn join_pair(
        &mut self,
        format: Format,
        low: Arg,
        high: Arg,
    ) -> Result<Arg, Refused> {
        let Some(element) = format.element() else {
            return Ok(low);
        };
        if let (Some(low), Some(high)) = (element.bits_of(low), element.bits_of(high)) {
            return Ok(format.number(low | high << element.bits()));
        }
        let low = self.in_register(low.as_bits(), element.class())?;
        let high = self.in_register(high.as_bits(), element.class())?;
        let both = self.code.vector(&[low.into(), high.into()]);
        let mnemonic = match format.class() {
            Class::B64 => "mov.b64",
            _ => "mov.b32",
        };
        Ok(self.op(format.class(), mnemonic, &[both])?.into())
    }

    /// Does an operation on the halves of pairs.
    pub(in crate::select) fn on_halves(
        &mut self,
        format: Format,
        args: &[Arg],
        operation: &mut Operation<'_, Self>,
    ) -> Result<Arg, Refused> {
        let Some(element) = format.element() else {
            return operation(self, format, args);
        };
        let mut low = Args::new();
        let mut high = Args::new();
        for &arg in args {
            let [first, second] = self.split_pair(format, arg)?;
            low.push(first);
            high.push(second);
        }
        let low = operation(self, element, &low)?;
        let high = operation(self, element, &high)?;
        self.join_pair(format, low, high)
    }

    /// Does an operation on each part of values of one type; `paired` if two parts of `float` go into one
    /// instruction.
    pub(in crate::select) fn on_parts(
        &mut self,
        format: Format,
        paired: bool,
        operands: &[Args],
        operation: &mut Operation<'_, Self>,
    ) -> Result<Args, Refused> {
        let count = operands.first().map_or(0, |parts| parts.len());
        let mut made = Args::new();
        if paired && format == Format::F32 {
            for index in (0..count & !1).step_by(2) {
                let mut args = Args::new();
                for parts in operands {
                    args.push(self.join_pair(Format::F32x2, parts[index], parts[index + 1])?);
                }
                let result = operation(self, Format::F32x2, &args)?;
                made.extend(self.split_pair(Format::F32x2, result)?);
            }
        }
        // All, or one that is left over.
        for index in made.len()..count {
            let args: Args = operands.iter().map(|parts| parts[index]).collect();
            made.push(operation(self, format, &args)?);
        }
        Ok(made)
    }

    /// The elements of a scalar or vector, each in registers of its own.
    pub(in crate::select) fn elements(
        &mut self,
        ty: TypeId,
        parts: &[Arg],
    ) -> Result<Args, Refused> {
        let Type::Vector { element, len, .. } = self.kind(ty) else {
            return Ok(parts.iter().copied().collect());
        };
        let lanes = crate::shape::lanes(self.module, element, len);
        if lanes == 1 {
            return Ok(parts.iter().copied().collect());
        }
        let mut elements = Args::new();
        for &part in parts {
            match self.format_of(ty) {
                Some(format) => elements.extend(self.split_pair(format, part)?),
                None => {
                    for lane in 0..lanes {
                        elements.push(self.integer_lane(part, 32 / lanes, lane)?);
                    }
                }
            }
        }
        Ok(elements)
    }

    /// One of the integers in a register of 32 bits; what is above it is arbitrary.
    fn integer_lane(&mut self, part: Arg, bits: u32, lane: u32) -> Result<Arg, Refused> {
        let shift = lane * bits;
        match part {
            Arg::Int(word) => Ok(Arg::Int(i64::from(word as u32 >> shift))),
            _ if shift == 0 => Ok(part),
            _ => Ok(self
                .op(Class::B32, "shr.u32", &[part, Arg::Int(shift.into())])?
                .into()),
        }
    }

    /// The parts of a scalar or vector of these elements.
    pub(in crate::select) fn vector_of(
        &mut self,
        ty: TypeId,
        elements: &[Arg],
    ) -> Result<Args, Refused> {
        let Type::Vector { element, len, .. } = self.kind(ty) else {
            return Ok(elements.iter().copied().collect());
        };
        let lanes = crate::shape::lanes(self.module, element, len) as usize;
        if lanes == 1 {
            return Ok(elements.iter().copied().collect());
        }
        let format = self.format_of(ty);
        elements
            .chunks(lanes)
            .map(|chunk| match (format, chunk) {
                (Some(format), &[low, high]) => self.join_pair(format, low, high),
                _ => self.join_integers(chunk),
            })
            .collect()
    }

    /// Integers of 8 or 16 bits side by side in a register of 32 bits.
    fn join_integers(&mut self, lanes: &[Arg]) -> Result<Arg, Refused> {
        // Bytes 0, 1 of both; byte 0 of both.
        let selector = if lanes.len() == 2 { 0x5410 } else { 0x0040 };
        let mut join = |low: Arg, high: Arg, selector: i64| -> Result<Arg, Refused> {
            let args = [low, high, Arg::Int(selector)];
            Ok(self.op(Class::B32, "prmt.b32", &args)?.into())
        };
        match *lanes {
            [low, high] => join(low, high, selector),
            [a, b, c, d] => {
                let low = join(a, b, selector)?;
                let high = join(c, d, selector)?;
                join(low, high, 0x5410)
            }
            _ => Ok(lanes.first().copied().unwrap_or(Arg::Int(0))),
        }
    }

    /// Does an operation that is not made for pairs on each element.
    pub(in crate::select) fn on_elements(
        &mut self,
        operands: &[(TypeId, Args)],
        to: TypeId,
        operation: &mut ElementOperation<'_, Self>,
    ) -> Result<Args, Refused> {
        let mut columns: smallvec::SmallVec<[Args; 4]> = smallvec![];
        for (ty, parts) in operands {
            columns.push(self.elements(*ty, parts)?);
        }
        let count = columns.first().map_or(0, |column| column.len());
        let mut made = Args::new();
        for index in 0..count {
            // A scalar beside vectors counts for each element.
            let args: Args = columns
                .iter()
                .map(|column| column[if column.len() == 1 { 0 } else { index }])
                .collect();
            made.push(operation(self, &args)?);
        }
        self.vector_of(to, &made)
    }
}
