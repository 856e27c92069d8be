//! The records of `.nv.info` and `.nv.compat`: a format, an attribute, a value.

use crate::attribute::{self, Row};

/// How the value of a record is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// No value (`EIFMT_NVAL`).
    None,
    /// A byte (`EIFMT_BVAL`).
    Byte,
    /// Two bytes (`EIFMT_HVAL`).
    Half,
    /// A size and so many bytes (`EIFMT_SVAL`).
    Sized,
}

impl Format {
    /// The name in the tools' output.
    pub fn name(self) -> &'static str {
        match self {
            Format::None => "EIFMT_NVAL",
            Format::Byte => "EIFMT_BVAL",
            Format::Half => "EIFMT_HVAL",
            Format::Sized => "EIFMT_SVAL",
        }
    }

    fn number(self) -> u8 {
        match self {
            Format::None => 1,
            Format::Byte => 2,
            Format::Half => 3,
            Format::Sized => 4,
        }
    }
}

/// A record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// How the value is stored.
    pub format: Format,
    /// The number of the attribute.
    pub attribute: u8,
    /// The value: for the formats without a size the two bytes in the place of the size.
    pub bytes: Vec<u8>,
}

impl Record {
    /// A record without a value.
    pub fn flag(attribute: u8) -> Record {
        Record {
            format: Format::None,
            attribute,
            bytes: vec![0, 0],
        }
    }

    /// A record of a byte.
    pub fn byte(attribute: u8, value: u8) -> Record {
        Record {
            format: Format::Byte,
            attribute,
            bytes: vec![value, 0],
        }
    }

    /// A record of two bytes.
    pub fn half(attribute: u8, value: u16) -> Record {
        Record {
            format: Format::Half,
            attribute,
            bytes: value.to_le_bytes().to_vec(),
        }
    }

    /// A record of words.
    pub fn words(attribute: u8, words: &[u32]) -> Record {
        Record {
            format: Format::Sized,
            attribute,
            bytes: words.iter().flat_map(|word| word.to_le_bytes()).collect(),
        }
    }

    /// The attribute's row in the table of `.nv.info`.
    pub fn row(&self) -> Option<&'static Row> {
        attribute::by_number(attribute::INFO, self.attribute)
    }

    /// How many bytes it takes.
    pub fn size(&self) -> usize {
        match self.format {
            Format::Sized => 4 + self.bytes.len(),
            _ => 4,
        }
    }

    /// Appends its bytes.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.extend([self.format.number(), self.attribute]);
        if self.format == Format::Sized {
            out.extend((self.bytes.len() as u16).to_le_bytes());
        }
        out.extend(&self.bytes);
    }
}

/// The records that fill the bytes of a section.
pub(crate) fn read(mut bytes: &[u8]) -> Option<Vec<Record>> {
    let mut records = Vec::new();
    while let [format, attribute, low, high, rest @ ..] = bytes {
        let format = match format {
            1 => Format::None,
            2 => Format::Byte,
            3 => Format::Half,
            4 => Format::Sized,
            _ => return None,
        };
        let value;
        if format == Format::Sized {
            let size = usize::from(u16::from_le_bytes([*low, *high]));
            (value, bytes) = rest.split_at_checked(size)?;
        } else {
            value = &bytes[2..4];
            bytes = rest;
        }
        records.push(Record {
            format,
            attribute: *attribute,
            bytes: value.to_vec(),
        });
    }
    bytes.is_empty().then_some(records)
}
