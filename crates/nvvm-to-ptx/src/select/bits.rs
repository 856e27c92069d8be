//! The bits of a value, whatever its type: casts between shapes, and vectors whose elements are not whole
//! bytes in memory.
//!
//! A value is laid out as words of 32 bits, the low one first, and taken apart again as another type.

use super::Selector;
use crate::code::{Arg, Args, Class};
use crate::shape;
use crate::unit::Refused;
use warpc_nvvm::inst::BinaryOp;
use warpc_nvvm::types::{Type, TypeId};

/// Words that are being filled from the low end.
#[derive(Default)]
struct Filled {
    words: Vec<Arg>,
    /// How many bits are there.
    bits: u32,
}

impl Selector<'_, '_> {
    /// The value of another type with the same bits.
    pub(super) fn bit_cast(
        &mut self,
        from: TypeId,
        to: TypeId,
        args: &[Arg],
    ) -> Result<Args, Refused> {
        let words = self.words(from, args)?;
        self.words_as(to, &words)
    }

    /// The bits of a value of a number, pointer or vector type. What is above its width is arbitrary.
    pub(super) fn words(&mut self, ty: TypeId, args: &[Arg]) -> Result<Vec<Arg>, Refused> {
        let mut filled = Filled::default();
        let (element, len) = self.vector_shape(ty).unwrap_or((ty, 1));
        let lanes = shape::lanes(self.module, element, len);
        if lanes > 1 && self.vector_shape(ty).is_some() {
            return Ok(args.to_vec());
        }
        let bits = self.bits_of(element);
        let each = self.parts(element)?.len().max(1);
        let mut position = 0;
        for element in args.chunks(each) {
            let mut left = bits;
            for &part in element {
                let width = left.min(64);
                self.append(&mut filled, part, width)?;
                left -= width;
                position += width;
            }
        }
        debug_assert_eq!(position, filled.bits);
        Ok(filled.words)
    }

    fn bits_of(&self, ty: TypeId) -> u32 {
        self.unit.layout.bits(&self.module.types, ty) as u32
    }

    /// Puts the low bits of a register after what is there.
    fn append(&mut self, filled: &mut Filled, part: Arg, width: u32) -> Result<(), Refused> {
        let part = part.as_bits();
        if width > 32 {
            let words = self.words_of(&[part])?;
            self.append(filled, words[0], 32)?;
            return self.append(filled, words[1], width - 32);
        }
        let offset = filled.bits % 32;
        filled.bits += width;
        let part = match part {
            // The highest limb of a wide integer may be short.
            Arg::Reg(reg) if self.code.class(reg) == Class::B64 => {
                self.op(Class::B32, "cvt.u32.u64", &[part])?.into()
            }
            Arg::Reg(reg) if self.code.class(reg) == Class::B16 => {
                self.op(Class::B32, "cvt.u32.u16", &[part])?.into()
            }
            Arg::Reg(reg) if self.code.class(reg) == Class::Pred => {
                let bit = Arg::Int(i64::from((1u32 << offset) as i32));
                let bit = self.chosen(Class::B32, reg, bit, Arg::Int(0))?;
                match filled.words.last_mut() {
                    Some(word) if offset > 0 => {
                        *word = self.integer_binary(BinaryOp::Or, 32, *word, bit)?;
                    }
                    _ => filled.words.push(bit),
                }
                return Ok(());
            }
            other => other,
        };
        if offset == 0 {
            filled.words.push(part);
            return Ok(());
        }
        let here = width.min(32 - offset);
        let Some(word) = filled.words.last_mut() else {
            return Ok(());
        };
        *word = match (part, *word) {
            (Arg::Int(part), Arg::Int(word)) => {
                let mask = (u64::from(u32::MAX) >> (32 - here)) << offset;
                let word = (word as u64 & !mask) | (((part as u64) << offset) & mask);
                Arg::Int(i64::from(word as i32))
            }
            (part, word) => {
                let field = [part, word, Arg::Int(offset.into()), Arg::Int(here.into())];
                self.op(Class::B32, "bfi.b32", &field)?.into()
            }
        };
        if here < width {
            let rest = self.integer_binary(BinaryOp::Lshr, 32, part, Arg::Int(here.into()))?;
            filled.words.push(rest);
        }
        Ok(())
    }

    /// The value of a number, pointer or vector type with these bits.
    pub(super) fn words_as(&mut self, ty: TypeId, words: &[Arg]) -> Result<Args, Refused> {
        let (element, len) = self.vector_shape(ty).unwrap_or((ty, 1));
        if self.vector_shape(ty).is_some() && shape::lanes(self.module, element, len) > 1 {
            return Ok(words.iter().copied().collect());
        }
        let bits = self.bits_of(element);
        let parts = self.parts(element)?;
        let mut args = Args::new();
        for index in 0..len {
            let mut offset = index * bits;
            let mut left = bits;
            for part in &parts {
                let width = left.min(64);
                args.push(self.taken(words, offset, width, part.class)?);
                offset += width;
                left -= width;
            }
        }
        match self.kind(element) {
            Type::Float | Type::Double => {
                for arg in &mut args {
                    if let Arg::Int(bits) = *arg {
                        *arg = match self.kind(element) {
                            Type::Float => Arg::F32(bits as u32),
                            _ => Arg::F64(bits as u64),
                        };
                    }
                }
            }
            _ => {}
        }
        Ok(args)
    }

    /// Some bits of a row of words in a register of a class.
    fn taken(
        &mut self,
        words: &[Arg],
        offset: u32,
        width: u32,
        class: Class,
    ) -> Result<Arg, Refused> {
        let word = |index: u32| words.get(index as usize).copied().unwrap_or(Arg::Int(0));
        let (first, shift) = (offset / 32, offset % 32);
        if class == Class::Pred {
            return match word(first) {
                Arg::Int(value) => Ok(Arg::Int((value >> shift) & 1)),
                register => {
                    let mask = Arg::Int(i64::from((1u32 << shift) as i32));
                    let bit = self.op(Class::B32, "and.b32", &[register, mask])?;
                    let set = self.op(Class::Pred, "setp.ne.b32", &[bit.into(), Arg::Int(0)])?;
                    Ok(set.into())
                }
            };
        }
        let low = if shift + width.min(32) > 32 {
            self.funnel(false, word(first), word(first + 1), Arg::Int(shift.into()))?
        } else if shift == 0 {
            word(first)
        } else {
            self.integer_binary(BinaryOp::Lshr, 32, word(first), Arg::Int(shift.into()))?
        };
        match class {
            Class::B16 => match low {
                Arg::Int(value) => Ok(Arg::Int(value & 0xffff)),
                register => Ok(self.op(Class::B16, "cvt.u16.u32", &[register])?.into()),
            },
            Class::B64 => {
                let high = match width.saturating_sub(32) {
                    0 => Arg::Int(0),
                    rest => self.taken(words, offset + 32, rest, Class::B32)?,
                };
                self.limb_of(low, high)
            }
            _ => Ok(low),
        }
    }
}
