//! What the value of a record means.

use crate::attribute::Shape;
use crate::info::Record;

/// A value, typed by its attribute.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// There is none.
    Flag,
    /// A number of one or two bytes.
    Number(u16),
    /// Words.
    Words(Vec<u32>),
    /// Places of instructions.
    Offsets(Vec<u32>),
    /// Places of instructions, each with a register.
    Pairs(Vec<(u32, u32)>),
    /// A function's symbol and a number that belongs to it.
    Function {
        /// The symbol.
        symbol: u32,
        /// Registers, or bytes of stack.
        number: u32,
    },
    /// Symbols.
    Symbols(Vec<u32>),
    /// Where the parameters are.
    Bank {
        /// The symbol of the section of constants.
        symbol: u32,
        /// Their place in the bank.
        offset: u16,
        /// Their size.
        size: u16,
    },
    /// A parameter.
    Parameter(Parameter),
    /// Branches through registers: place and targets.
    Branches(Vec<(u32, Vec<u32>)>),
    /// Instructions on mbarriers.
    Mbarriers(Vec<Mbarrier>),
    /// Remarks on instructions: the kind (1: it spills registers or fills them again) and the place.
    Annotations(Vec<(u32, u32)>),
    /// An attribute that is not known, or a value that does not fit its attribute.
    Raw(Vec<u8>),
}

/// A kernel's parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Parameter {
    /// Which one it is.
    pub ordinal: u16,
    /// Its place among the parameters.
    pub offset: u16,
    /// Its size in bytes.
    pub size: u32,
    /// The logarithm of the alignment of what it points at.
    pub log_alignment: u8,
    /// What it points at: 5 for a pointer to global memory from PTX with `.ptr`, 0 where nothing is said.
    pub space: u8,
}

/// An instruction on an mbarrier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mbarrier {
    /// Its place.
    pub offset: u32,
    /// The register of the address, 255 for none.
    pub register: u32,
    /// What is added to the address.
    pub displacement: u32,
    /// What it does; see [`Mbarrier::name`].
    pub kind: u8,
    /// How the address is scaled: 0 by four, 1 by eight.
    pub stride: u8,
    /// The uniform register of the address, 63 or 255 for none.
    pub uniform: u16,
}

/// The kind of annotation that ptxas makes.
const SPILL_OR_REFILL: u32 = 1;

/// What cuobjdump calls the kinds of instructions on mbarriers, by number.
const MBARRIER_KINDS: &[&str] = &[
    "MBARRIER_INIT",
    "MBARRIER_ARRIVE",
    "MBARRIER_ARRIVE_NOCOMPLETE",
    "MBARRIER_ARRIVE_DROP",
    "MBARRIER_ARRIVE_DROP_NOCOMPLETE",
    "MBARRIER_TEST_WAIT",
    "MBARRIER_TEST_WAIT_PARITY",
    "MBARRIER_CP_ASYNC_ARRIVE",
    "MBARRIER_INVAL",
    "MBARRIER_TRY_WAIT",
    "MBARRIER_TRY_WAIT_PARITY",
];

impl Mbarrier {
    /// The name of its kind.
    pub fn name(&self) -> Option<&'static str> {
        MBARRIER_KINDS.get(usize::from(self.kind)).copied()
    }

    /// The kind of a name.
    pub fn kind_of(name: &str) -> Option<u8> {
        let place = MBARRIER_KINDS.iter().position(|kind| *kind == name);
        place.and_then(|place| u8::try_from(place).ok())
    }
}

/// A parameter in the bank of constants that the launch names; the mark that ptxas always sets.
const ANY_BANK: u32 = 0x1f << 12;

impl Parameter {
    /// Whether it fits the older form of its record.
    pub fn is_small(&self) -> bool {
        self.size < 1 << 12
    }

    /// The record, in the older form if the parameter fits it.
    pub fn record(&self) -> Record {
        use crate::attribute::info::KPARAM_INFO;
        let place = u32::from(self.ordinal) | u32::from(self.offset) << 16;
        let marks = u32::from(self.log_alignment) | u32::from(self.space & 15) << 8;
        match self.is_small() {
            true => Record::words(KPARAM_INFO, &[0, place, marks | ANY_BANK | self.size << 18]),
            false => self.wide_record(),
        }
    }

    /// The record in the newer form, which all parameters of a kernel have if one needs it.
    pub fn wide_record(&self) -> Record {
        use crate::attribute::info::KPARAM_INFO_V2;
        let place = u32::from(self.ordinal) | u32::from(self.offset) << 16;
        let marks = u32::from(self.log_alignment) | u32::from(self.space & 15) << 8;
        Record::words(
            KPARAM_INFO_V2,
            &[0, place, self.size & 0xffff | marks << 16],
        )
    }
}

impl Record {
    /// The value, typed.
    pub fn value(&self) -> Value {
        let shape = self.row().map_or(Shape::Raw, |row| row.shape);
        self.shaped(shape)
            .unwrap_or_else(|| Value::Raw(self.bytes.clone()))
    }

    /// The value read as a shape, if it has that shape.
    pub fn shaped(&self, shape: Shape) -> Option<Value> {
        use crate::info::Format;
        let is = |format: Format| (self.format == format).then_some(());
        match shape {
            Shape::Raw => None,
            Shape::Flag => is(Format::None).map(|()| Value::Flag),
            Shape::Byte => {
                is(Format::Byte)?;
                Some(Value::Number(u16::from(*self.bytes.first()?)))
            }
            Shape::Half => {
                is(Format::Half)?;
                let bytes = self.bytes.first_chunk()?;
                Some(Value::Number(u16::from_le_bytes(*bytes)))
            }
            _ => {
                is(Format::Sized)?;
                let (words, rest) = self.bytes.as_chunks::<4>();
                let words: Vec<u32> = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
                rest.is_empty().then(|| sized(shape, words)).flatten()
            }
        }
    }
}

/// The value of words.
fn sized(shape: Shape, words: Vec<u32>) -> Option<Value> {
    Some(match shape {
        Shape::Words => Value::Words(words),
        Shape::Offsets => Value::Offsets(words),
        Shape::Symbols => Value::Symbols(words),
        Shape::Pairs => {
            let (pairs, rest) = words.as_chunks::<2>();
            if !rest.is_empty() {
                return None;
            }
            Value::Pairs(
                pairs
                    .iter()
                    .map(|&[offset, register]| (offset, register))
                    .collect(),
            )
        }
        Shape::Function => match words[..] {
            [symbol, number] => Value::Function { symbol, number },
            _ => return None,
        },
        Shape::Bank => match words[..] {
            [symbol, place] => Value::Bank {
                symbol,
                offset: place as u16,
                size: (place >> 16) as u16,
            },
            _ => return None,
        },
        Shape::Parameter | Shape::WideParameter => {
            let [_, place, packed] = words[..] else {
                return None;
            };
            let (size, marks) = match shape {
                Shape::Parameter => (packed >> 18, packed),
                _ => (packed & 0xffff, packed >> 16),
            };
            Value::Parameter(Parameter {
                ordinal: place as u16,
                offset: (place >> 16) as u16,
                size,
                log_alignment: marks as u8,
                space: (marks >> 8 & 15) as u8,
            })
        }
        Shape::Branches => Value::Branches(branches(&words)?),
        Shape::Mbarriers => {
            let (all, rest) = words.as_chunks::<4>();
            if !rest.is_empty() {
                return None;
            }
            let one = |&[offset, register, displacement, packed]: &[u32; 4]| Mbarrier {
                offset,
                register,
                displacement,
                kind: packed as u8 & 15,
                stride: packed as u8 >> 4,
                uniform: (packed >> 16) as u16,
            };
            Value::Mbarriers(all.iter().map(one).collect())
        }
        Shape::Annotations => {
            // Other kinds carry more than a place.
            let (all, rest) = words.as_chunks::<2>();
            if !rest.is_empty() || all.iter().any(|&[kind, _]| kind != SPILL_OR_REFILL) {
                return None;
            }
            Value::Annotations(all.iter().map(|&[kind, place]| (kind, place)).collect())
        }
        Shape::Raw | Shape::Flag | Shape::Byte | Shape::Half => return None,
    })
}

/// Branches: each a place of eight bytes, a count, and so many targets.
fn branches(mut words: &[u32]) -> Option<Vec<(u32, Vec<u32>)>> {
    let mut all = Vec::new();
    while let [place, _, count, rest @ ..] = words {
        let (targets, after) = rest.split_at_checked(*count as usize)?;
        all.push((*place, targets.to_vec()));
        words = after;
    }
    words.is_empty().then_some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_come_back_from_both_forms() {
        let small = Parameter {
            ordinal: 3,
            offset: 24,
            size: 8,
            log_alignment: 4,
            space: 5,
        };
        let large = Parameter {
            size: 0x1f40,
            ..small
        };
        for parameter in [small, large] {
            assert_eq!(parameter.record().value(), Value::Parameter(parameter));
        }
    }

    #[test]
    fn a_value_that_does_not_fit_stays_raw() {
        use crate::attribute::info::{INDIRECT_BRANCH_TARGETS, REGCOUNT};
        let record = Record::words(REGCOUNT, &[1]);
        assert_eq!(record.value(), Value::Raw(vec![1, 0, 0, 0]));
        let record = Record::words(INDIRECT_BRANCH_TARGETS, &[16, 0, 0xffff_ffff, 3]);
        assert!(matches!(record.value(), Value::Raw(_)));
    }
}
