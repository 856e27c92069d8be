//! What the header's flags say: the chip, and how it is written down by different tools.

use crate::attribute::compat;
use crate::content::Content;
use crate::model::{Cubin, Header, kind};
use object::elf;
use warpc_target::{Chips, Sm, Variant, features};

/// The two forms of the header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Generation {
    /// Toolkits up to 12: the chip in the lowest byte, the virtual chip in the third.
    Old,
    /// Toolkit 13: the chip in the two middle bytes.
    New,
}

impl Generation {
    /// The form that the byte of the operating system names.
    pub fn of(os_abi: u8) -> Option<Generation> {
        match os_abi {
            0x33 => Some(Generation::Old),
            0x41 => Some(Generation::New),
            _ => None,
        }
    }
}

/// The bit of `sm_90a` and its like in headers of the old form.
const OLD_ACCELERATED: u32 = 1 << 11;

impl Header {
    /// What ptxas 13 writes for a chip, but for the places of the tables.
    pub fn usual(chip: Sm) -> Header {
        let number = u32::from(chip.number());
        // What the lowest byte says is not known.
        let low = match chip.has(features::CUBINS_OF_BLACKWELL) {
            true => 2,
            false => 4,
        };
        Header {
            os_abi: 0x41,
            abi_version: 8,
            flags: 0x600_0000 | number << 8 | low,
            ..Header::unknown()
        }
    }

    /// A header that says nothing of the chip.
    pub fn unknown() -> Header {
        Header {
            os_abi: 0,
            abi_version: 0,
            kind: elf::ET_EXEC,
            machine: elf::EM_CUDA,
            version: 1,
            entry: 0,
            flags: 0,
            section_table: 0,
            segment_table: 0,
            segment_entry_size: 56,
            names: 0,
        }
    }
}

impl Cubin {
    /// The number of the chip in the header, 90 of `sm_90a`.
    pub fn chip_number(&self) -> Option<u16> {
        Some(match self.generation()? {
            Generation::Old => (self.header.flags & 0xff) as u16,
            Generation::New => (self.header.flags >> 8 & 0xffff) as u16,
        })
    }

    /// Whether the plain chip of the header is in a set; also for chips that are too old to be an [`Sm`].
    pub fn chip_is_in(&self, chips: Chips) -> bool {
        let number = self.chip_number();
        number.is_some_and(|number| chips.contains_number(number))
    }

    /// The chip that the code is for. Nothing in the file tells `sm_100f` from `sm_100`.
    pub fn chip(&self) -> Option<Sm> {
        let accelerated = match self.generation()? {
            Generation::Old => self.header.flags & OLD_ACCELERATED != 0,
            Generation::New => self.compat(compat::ACCELERATOR_TARGET) == Some(1),
        };
        let variant = match accelerated {
            true => Variant::Arch,
            false => Variant::Plain,
        };
        Sm::new(self.chip_number()?, variant)
    }

    /// The value of an attribute of `.nv.compat`.
    fn compat(&self, attribute: u8) -> Option<u8> {
        self.sections
            .iter()
            .filter(|section| section.kind == kind::COMPAT)
            .find_map(|section| match &section.content {
                Content::Info(records) => records
                    .iter()
                    .find(|record| record.attribute == attribute)
                    .and_then(|record| record.bytes.first().copied()),
                _ => None,
            })
    }
}
