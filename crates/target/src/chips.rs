//! The table of chips: one row each, oldest first.
//!
//! The versions were asked of ptxas (12.9.86 up to sm_72 and for sm_101, 13.4.92 from sm_75 on) by
//! assembling an empty kernel with every `.version`; where both know a chip they agree.
//!
//! The families were asked by assembling `.target sm_NNf` for every other chip: sm_100f code is
//! taken for sm_100, 103 and 107, sm_120f code for sm_120 and 121, sm_101f code for sm_101 (12.9)
//! and sm_110 (13.4). Features agree: floating-point `redux` is there on the `f` and `a` variants
//! of 100, 103 and 107, and on no others.

use crate::{PtxVersion, Variant};

/// One chip and the PTX versions that know it.
#[derive(Debug)]
pub struct Chip {
    /// The number in `sm_90`.
    pub number: u16,
    /// The number of the family's oldest member.
    pub family: u16,
    plain: PtxVersion,
    family_variant: Option<PtxVersion>,
    arch_variant: Option<PtxVersion>,
}

impl Chip {
    /// The row for a chip's number.
    pub fn find(number: u16) -> Option<&'static Chip> {
        CHIPS.iter().find(|chip| chip.number == number)
    }

    /// The first PTX version that knows this variant of the chip; `None` when it has none.
    pub fn since(&self, variant: Variant) -> Option<PtxVersion> {
        match variant {
            Variant::Plain => Some(self.plain),
            Variant::Family => self.family_variant,
            Variant::Arch => self.arch_variant,
        }
    }
}

const fn v(major: u8, minor: u8) -> PtxVersion {
    PtxVersion::new(major, minor)
}

const fn chip(number: u16, family: u16, plain: PtxVersion) -> Chip {
    Chip {
        number,
        family,
        plain,
        family_variant: None,
        arch_variant: None,
    }
}

impl Chip {
    const fn f(mut self, since: PtxVersion) -> Chip {
        self.family_variant = Some(since);
        self
    }

    const fn a(mut self, since: PtxVersion) -> Chip {
        self.arch_variant = Some(since);
        self
    }
}

/// Every chip, oldest first.
pub static CHIPS: [Chip; 19] = [
    chip(60, 60, v(6, 0)),
    chip(61, 61, v(6, 0)),
    chip(62, 62, v(6, 0)),
    chip(70, 70, v(6, 0)),
    chip(72, 72, v(6, 1)),
    chip(75, 75, v(6, 3)),
    chip(80, 80, v(7, 0)),
    chip(86, 86, v(7, 1)),
    chip(87, 87, v(7, 4)),
    chip(88, 88, v(9, 0)),
    chip(89, 89, v(7, 8)),
    chip(90, 90, v(7, 8)).a(v(8, 0)),
    chip(100, 100, v(8, 6)).f(v(8, 8)).a(v(8, 6)),
    // sm_101 was renamed sm_110 with PTX 9.0. ptxas 13 has no such chip, but assembles
    // `.target sm_101`, `sm_101f` and `sm_101a` of any version for sm_110.
    chip(101, 101, v(8, 6)).f(v(8, 8)).a(v(8, 6)),
    chip(103, 100, v(8, 8)).f(v(8, 8)).a(v(8, 8)),
    chip(107, 100, v(9, 4)).f(v(9, 4)).a(v(9, 4)),
    chip(110, 101, v(9, 0)).f(v(9, 0)).a(v(9, 0)),
    chip(120, 120, v(8, 7)).f(v(8, 8)).a(v(8, 7)),
    chip(121, 120, v(8, 8)).f(v(8, 8)).a(v(8, 8)),
];
