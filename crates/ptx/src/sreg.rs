//! Special registers: one row each, or one for a numbered series.
//!
//! What they may be read as was asked of ptxas; a 32-bit one fits 32-bit integer and bit types, a
//! 64-bit one the 64-bit ones, and those from the time of 16-bit grids the 16-bit ones, too. Only
//! `mov`, conversions between integers and vectors in braces read them; a guard may be
//! `%is_explicit_cluster`.

use crate::row::Typing;
use crate::table::gates::{ALWAYS, CLUSTER, v};
use crate::types::ScalarType;
use warpc_target::{Gate, at_least};

/// A special register.
#[derive(Debug)]
pub struct SpecialRegister {
    /// Its name; of a series the part before the number.
    pub name: &'static str,
    /// How many there are, numbered from zero; 0 if it is not a series.
    pub series: u32,
    /// What follows the number of a series.
    pub suffix: &'static str,
    /// The types it has; most have one.
    pub types: &'static [ScalarType],
    /// Elements: 4 for the vectors (`.x` to `.w`), else 1.
    pub elements: u8,
    /// What it needs.
    pub gate: Gate,
}

impl SpecialRegister {
    /// Which of its types it has when it is read as a type; `None` if it cannot be.
    pub fn read_as(&self, wanted: ScalarType, typing: Typing) -> Option<ScalarType> {
        let fits = |ty: &ScalarType| crate::verify::register_fits(*ty, wanted, typing);
        self.types.iter().copied().find(fits)
    }

    fn is(&self, name: &str) -> bool {
        if self.series == 0 {
            return self.name == name;
        }
        let number = name
            .strip_prefix(self.name)
            .and_then(|rest| rest.strip_suffix(self.suffix));
        number.is_some_and(|n| {
            (n == "0" || !n.starts_with('0')) && n.parse::<u32>().is_ok_and(|n| n < self.series)
        })
    }
}

const U32: &[ScalarType] = &[ScalarType::U32];
const U32_U16: &[ScalarType] = &[ScalarType::U32, ScalarType::U16];
const U64: &[ScalarType] = &[ScalarType::U64];

const fn one(name: &'static str, types: &'static [ScalarType], gate: Gate) -> SpecialRegister {
    SpecialRegister {
        name,
        series: 0,
        suffix: "",
        types,
        elements: 1,
        gate,
    }
}

const fn vector(name: &'static str, types: &'static [ScalarType], gate: Gate) -> SpecialRegister {
    SpecialRegister {
        elements: 4,
        ..one(name, types, gate)
    }
}

const fn series(
    name: &'static str,
    series: u32,
    suffix: &'static str,
    types: &'static [ScalarType],
) -> SpecialRegister {
    SpecialRegister {
        series,
        suffix,
        ..one(name, types, ALWAYS)
    }
}

const RESERVED_SMEM: Gate = Gate(&[at_least(80, v(7, 6))]);

/// Every special register, in the manual's order.
pub static ROWS: &[SpecialRegister] = &[
    vector("%tid", U32_U16, ALWAYS),
    vector("%ntid", U32_U16, ALWAYS),
    one("%laneid", U32, ALWAYS),
    one("%warpid", U32, ALWAYS),
    one("%nwarpid", U32, ALWAYS),
    vector("%ctaid", U32_U16, ALWAYS),
    vector("%nctaid", U32_U16, ALWAYS),
    one("%smid", U32, ALWAYS),
    one("%nsmid", U32, ALWAYS),
    one(
        "%gridid",
        &[ScalarType::U64, ScalarType::U32, ScalarType::U16],
        ALWAYS,
    ),
    one("%is_explicit_cluster", &[ScalarType::Pred], CLUSTER),
    vector("%clusterid", U32, CLUSTER),
    vector("%nclusterid", U32, CLUSTER),
    vector("%cluster_ctaid", U32, CLUSTER),
    vector("%cluster_nctaid", U32, CLUSTER),
    one("%cluster_ctarank", U32, CLUSTER),
    one("%cluster_nctarank", U32, CLUSTER),
    one("%lanemask_eq", U32, ALWAYS),
    one("%lanemask_le", U32, ALWAYS),
    one("%lanemask_lt", U32, ALWAYS),
    one("%lanemask_ge", U32, ALWAYS),
    one("%lanemask_gt", U32, ALWAYS),
    one("%clock", U32, ALWAYS),
    one("%clock_hi", U32, ALWAYS),
    one("%clock64", U64, ALWAYS),
    series("%pm", 8, "", U32),
    series("%pm", 8, "_64", U64),
    series("%envreg", 32, "", U32),
    one("%globaltimer", U64, ALWAYS),
    one("%globaltimer_lo", U32, ALWAYS),
    one("%globaltimer_hi", U32, ALWAYS),
    one("%reserved_smem_offset_begin", U32, RESERVED_SMEM),
    one("%reserved_smem_offset_end", U32, RESERVED_SMEM),
    one("%reserved_smem_offset_cap", U32, RESERVED_SMEM),
    one("%reserved_smem_offset_0", U32, RESERVED_SMEM),
    one("%reserved_smem_offset_1", U32, RESERVED_SMEM),
    one("%total_smem_size", U32, ALWAYS),
    one("%aggr_smem_size", U32, Gate(&[at_least(90, v(8, 1))])),
    one("%dynamic_smem_size", U32, ALWAYS),
    one("%current_graph_exec", U64, Gate(&[at_least(60, v(8, 0))])),
];

/// One element or the whole of a special register.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// The row.
    pub row: &'static SpecialRegister,
    /// Elements that are meant: 4 for a whole vector, else 1.
    pub elements: u8,
}

/// Finds a special register by its name and the part after it (`.x`, or nothing).
pub fn find(name: &str, part: &str) -> Option<Found> {
    let row = ROWS.iter().find(|row| row.is(name))?;
    match (row.elements, part) {
        (elements, "") => Some(Found { row, elements }),
        (4, ".x" | ".y" | ".z" | ".w") => Some(Found { row, elements: 1 }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert!(find("%tid", ".x").is_some_and(|found| found.elements == 1));
        assert!(find("%tid", "").is_some_and(|found| found.elements == 4));
        assert!(find("%laneid", ".x").is_none());
        assert!(
            find("%pm7", "").is_some() && find("%pm8", "").is_none() && find("%pm07", "").is_none()
        );
        assert!(find("%pm3_64", "").is_some_and(|found| found.row.types == [ScalarType::U64]));
        assert!(find("%envreg31", "").is_some() && find("%envreg32", "").is_none());
    }
}
