//! What differs between the files for different chips, as ptxas 13.4 writes them.

use crate::attribute::compat;
use crate::info::Record;
use warpc_target::{Sm, Variant, features};

/// The two orders of things in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// Up to sm_89: relocations without addends, banks of constants in front of the code.
    Old,
    /// From sm_90 on: relocations with addends, the bank of parameters at the end, `.nv.compat`.
    New,
}

/// A chip's facts.
#[derive(Clone, Copy, Debug)]
pub struct Chip {
    /// The chip.
    pub target: Sm,
    /// The order of things.
    pub order: Order,
    /// Where the parameters are in bank 0.
    pub parameters: u16,
    /// The workarounds that the driver must know of (`EIATTR_SW_WAR`), a mask.
    pub workarounds: Option<u32>,
    /// Whether kernels have the attribute 0x35, a flag that the tools do not name.
    pub flag_35: bool,
    /// Bytes of shared memory in front of a kernel's own.
    pub shared_before: u32,
    /// Bytes of `.nv.shared.reserved.0`.
    pub reserved: u64,
    /// Words of `EICOMPAT_ATTR_CAN_FASTPATH_FINALIZE`.
    fast_path: u32,
    /// Whether `.nv.compat` has the attribute 7, which the tools do not name.
    compat_7: bool,
}

/// A chip's number, place of the parameters, workarounds, flag 0x35, fast path, attribute 7.
type Row = (u16, u16, Option<u32>, bool, u32, bool);

/// One row a chip.
#[rustfmt::skip]
const ROWS: &[Row] = &[
    (75, 0x160, Some(1), false, 0, false),
    (80, 0x160, None, true, 0, false),
    (86, 0x160, None, true, 0, false),
    (87, 0x160, Some(2), true, 0, false),
    (88, 0x160, None, true, 0, false),
    (89, 0x160, None, false, 0, false),
    (90, 0x210, Some(8), false, 0, false),
    (100, 0x380, Some(8), false, 0x9, true),
    (103, 0x380, Some(8), false, 0, false),
    (110, 0x380, Some(8), false, 0, false),
    (120, 0x380, Some(0), false, 0x50, true),
    (121, 0x380, Some(0), false, 0, false),
];

/// Rows for chips that the tools at hand do not know are those of their generation.
const LIKE: &[(u16, u16)] = &[(101, 110), (107, 103)];

/// Where the parameters of a kernel are in bank 0 of a chip's constants.
pub fn parameters_at(target: Sm) -> Option<u16> {
    Some(Chip::of(target)?.parameters)
}

impl Chip {
    /// The facts of a chip.
    pub fn of(target: Sm) -> Option<Chip> {
        let like = LIKE.iter().find(|(number, _)| *number == target.number());
        let number = like.map_or(target.number(), |(_, like)| *like);
        let &(_, parameters, workarounds, flag_35, fast_path, compat_7) =
            ROWS.iter().find(|row| row.0 == number)?;
        let new = target.has(features::CUBINS_OF_HOPPER);
        let newer = target.has(features::CUBINS_OF_BLACKWELL);
        Some(Chip {
            target,
            order: if new { Order::New } else { Order::Old },
            parameters,
            workarounds,
            flag_35,
            shared_before: if new { 0x400 } else { 0 },
            reserved: if newer { 0x40 } else { 0 },
            fast_path: match target.has(features::NARROW_FINALIZATION) {
                true => 0x10,
                false => fast_path,
            },
            compat_7,
        })
    }

    /// The header's flags: the chip in the middle, the format around it.
    pub fn flags(&self) -> u32 {
        crate::Header::usual(self.target).flags
    }

    /// The records of `.nv.compat`, of a program that uses textures or surfaces, or not.
    pub fn compat(&self, textures: bool) -> Vec<Record> {
        let accelerated = self.target.variant() == Variant::Arch;
        let mut records = vec![
            Record::byte(compat::ACCELERATOR_TARGET, accelerated.into()),
            Record::byte(compat::INTERNAL_TARGET, 0),
            Record::byte(compat::ISA_CLASS, if textures { 2 } else { 1 }),
        ];
        if self.target.has(features::TCGEN05_RECORDS) {
            records.push(Record::byte(compat::INST_TCGEN05_MMA, 5));
        }
        records.push(Record::half(compat::UNNAMED_0D, 0x101));
        if self.compat_7 {
            records.push(Record::half(compat::UNNAMED_07, 0x101));
        }
        records.extend([
            Record::byte(compat::INST_TENSORMAP_V1, 0),
            Record::words(compat::CAN_FASTPATH_FINALIZE, &[self.fast_path, 0]),
            Record::half(compat::FINALIZER_VERSION, 0x400),
        ]);
        records
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_chip_from_sm_75_on_has_facts() {
        for chip in Sm::all().filter(|chip| chip.has(features::ASSEMBLED)) {
            assert!(Chip::of(chip).is_some(), "{chip}");
        }
    }
}
