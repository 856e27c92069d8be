//! The attributes of `.nv.info` and `.nv.compat`, by the names that the tools print.
//!
//! Numbers and names are what cuobjdump 13.4 answers when it is shown a file with every number. A shape says how
//! the value is to be read; attributes that no file of ours has are raw.

mod table;

pub use table::{COMPAT, INFO};

use crate::info::Format;
use std::fmt::Write;

/// What the value of an attribute is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Nothing is known of it.
    Raw,
    /// There is none.
    Flag,
    /// A byte.
    Byte,
    /// Two bytes.
    Half,
    /// Words.
    Words,
    /// Places of instructions.
    Offsets,
    /// Pairs of an instruction's place and a register.
    Pairs,
    /// The symbol of a function, and a number.
    Function,
    /// Symbols.
    Symbols,
    /// The symbol of a bank of constants, and the parameters' place and size in it.
    Bank,
    /// A parameter.
    Parameter,
    /// A parameter whose place or size does not fit the older form.
    WideParameter,
    /// Branches through registers, with their targets.
    Branches,
    /// Instructions on mbarriers.
    Mbarriers,
    /// Remarks on instructions.
    Annotations,
}

impl Shape {
    /// What such a value is, in words.
    fn words(self) -> &'static str {
        match self {
            Shape::Raw | Shape::Flag => "",
            Shape::Byte => "a byte",
            Shape::Half => "two bytes",
            Shape::Words => "words",
            Shape::Offsets => "places of instructions",
            Shape::Pairs => "pairs of a place and a number",
            Shape::Function => "a symbol and a number",
            Shape::Symbols => "symbols",
            Shape::Bank => "a symbol, an offset, a size",
            Shape::Parameter | Shape::WideParameter => "a parameter",
            Shape::Branches => "places with targets",
            Shape::Mbarriers => "instructions on mbarriers",
            Shape::Annotations => "pairs of a kind and a place",
        }
    }
}

/// An attribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// Its number.
    pub number: u8,
    /// Its name.
    pub name: &'static str,
    /// What its value is.
    pub shape: Shape,
    /// What it is for, as far as cubins show it; empty for what no cubin of ours has.
    pub purpose: &'static str,
}

/// The words that stand for a value of an attribute, by number: `PTX` for 3 of `EIATTR_LANGUAGE`.
pub fn value_name(number: u8, value: u32) -> Option<&'static str> {
    let names: &[&str] = match number {
        info::LANGUAGE => &LANGUAGES,
        info::AT_ENTRY_FRAGMENTS => &FRAGMENTS,
        _ => return None,
    };
    let name = names.get(usize::try_from(value).ok()?)?;
    (!name.is_empty()).then_some(name)
}

/// The languages that cuobjdump names.
const LANGUAGES: [&str; 11] = [
    "",
    "SASS",
    "NVSAL",
    "PTX",
    "NVVM",
    "CUDA_C++",
    "CUDA_C++_Tile",
    "TILEIR",
    "CUTILE",
    "FORTRAN",
    "OPTIX",
];

/// What may run before a kernel, as cuobjdump names it.
const FRAGMENTS: [&str; 8] = [
    "",
    "AT_ENTRY_FRAGMENT_TEST1",
    "AT_ENTRY_FRAGMENT_TEST2",
    "AT_ENTRY_FRAGMENT_TEST3",
    "AT_ENTRY_FRAGMENT_TMEM_CTA1",
    "AT_ENTRY_FRAGMENT_TMEM_CTA2",
    "AT_ENTRY_FRAGMENT_TMEM_CTA1_V2",
    "AT_ENTRY_FRAGMENT_TMEM_CTA2_V2",
];

impl Row {
    /// The format that values of its shape have.
    pub fn format(&self) -> Option<Format> {
        Some(match self.shape {
            Shape::Raw => return None,
            Shape::Flag => Format::None,
            Shape::Byte => Format::Byte,
            Shape::Half => Format::Half,
            _ => Format::Sized,
        })
    }
}

/// The attributes as a table in Markdown, for the manual.
pub fn document() -> String {
    let mut out = String::new();
    let tables = [("`.nv.info`", INFO, true), ("`.nv.compat`", COMPAT, false)];
    for (section, rows, is_info) in tables {
        // Writing to a string does not fail.
        let _ = write!(
            out,
            "\nAttributes of {section}:\n\n| number | name | format | value | what it is for |\n|---|---|---|---|---|\n"
        );
        let mut unnamed = table::UNNAMED
            .iter()
            .filter(|(of_info, ..)| *of_info == is_info)
            .peekable();
        for row in rows {
            while let Some((_, number, purpose)) = unnamed.next_if(|one| one.1 < row.number) {
                let _ = writeln!(out, "| {number:#04x} | - | | | {purpose} |");
            }
            let format = row.format().map_or("", Format::name);
            let value = row.shape.words();
            let purpose = match row.purpose {
                "" => "not seen",
                purpose => purpose,
            };
            let _ = writeln!(
                out,
                "| {:#04x} | {} | {format} | {value} | {purpose} |",
                row.number, row.name
            );
        }
        for (_, number, purpose) in unnamed {
            let _ = writeln!(out, "| {number:#04x} | - | | | {purpose} |");
        }
    }
    out
}

/// The attribute of a number in a table.
pub fn by_number(table: &'static [Row], number: u8) -> Option<&'static Row> {
    table
        .binary_search_by_key(&number, |row| row.number)
        .ok()
        .map(|at| &table[at])
}

/// The name of an attribute, `EIATTR_0x2a` for one without.
pub fn name(table: &'static [Row], number: u8) -> String {
    let family = if std::ptr::eq(table, COMPAT) {
        "EICOMPAT_ATTR"
    } else {
        "EIATTR"
    };
    match by_number(table, number) {
        Some(row) => row.name.to_owned(),
        None => format!("{family}_{number:#04x}"),
    }
}

/// Numbers that a writer of cubins needs.
pub mod info {
    /// `EIATTR_GEN_ERRBAR_AT_EXIT`.
    pub const GEN_ERRBAR_AT_EXIT: u8 = 0x53;
    /// `EIATTR_MAX_THREADS`.
    pub const MAX_THREADS: u8 = 0x5;
    /// `EIATTR_REQNTID`.
    pub const REQNTID: u8 = 0x10;
    /// `EIATTR_CTA_PER_CLUSTER`.
    pub const CTA_PER_CLUSTER: u8 = 0x3d;
    /// `EIATTR_BLOCKS_ARE_CLUSTERS`.
    pub const BLOCKS_ARE_CLUSTERS: u8 = 0x5b;
    /// `EIATTR_EXPLICIT_CLUSTER`.
    pub const EXPLICIT_CLUSTER: u8 = 0x3e;
    /// `EIATTR_MAX_CLUSTER_RANK`.
    pub const MAX_CLUSTER_RANK: u8 = 0x3f;
    /// `EIATTR_PARAM_CBANK`.
    pub const PARAM_CBANK: u8 = 0xa;
    /// `EIATTR_FRAME_SIZE`.
    pub const FRAME_SIZE: u8 = 0x11;
    /// `EIATTR_MIN_STACK_SIZE`.
    pub const MIN_STACK_SIZE: u8 = 0x12;
    /// `EIATTR_MAX_STACK_SIZE`.
    pub const MAX_STACK_SIZE: u8 = 0x23;
    /// `EIATTR_KPARAM_INFO`.
    pub const KPARAM_INFO: u8 = 0x17;
    /// `EIATTR_KPARAM_INFO_V2`.
    pub const KPARAM_INFO_V2: u8 = 0x45;
    /// `EIATTR_CBANK_PARAM_SIZE`.
    pub const CBANK_PARAM_SIZE: u8 = 0x19;
    /// `EIATTR_MAXREG_COUNT`.
    pub const MAXREG_COUNT: u8 = 0x1b;
    /// `EIATTR_WMMA_USED`.
    pub const WMMA_USED: u8 = 0x2b;
    /// `EIATTR_ATOM16_EMUL_INSTR_REG_MAP`.
    pub const ATOM16_EMUL_INSTR_REG_MAP: u8 = 0x2e;
    /// `EIATTR_INSTR_REG_MAP`.
    pub const INSTR_REG_MAP: u8 = 0x40;
    /// `EIATTR_UNUSED_LOAD_BYTE_OFFSET`.
    pub const UNUSED_LOAD_BYTE_OFFSET: u8 = 0x44;
    /// `EIATTR_REG_RECONFIG`.
    pub const REG_RECONFIG: u8 = 0x54;
    /// `EIATTR_GRID_ATTRIBUTES`.
    pub const GRID_ATTRIBUTES: u8 = 0x68;
    /// `EIATTR_SAMPLER_INIT`.
    pub const SAMPLER_INIT: u8 = 0x9;
    /// `EIATTR_SAMPLER_FORCE_UNNORMALIZED`.
    pub const SAMPLER_FORCE_UNNORMALIZED: u8 = 0x13;
    /// `EIATTR_BINDLESS_TEXTURE_BANK`.
    pub const BINDLESS_TEXTURE_BANK: u8 = 0x15;
    /// `EIATTR_BINDLESS_SURFACE_BANK`.
    pub const BINDLESS_SURFACE_BANK: u8 = 0x16;
    /// `EIATTR_TEXMODE_INDEPENDENT`.
    pub const TEXMODE_INDEPENDENT: u8 = 0x4d;
    /// `EIATTR_EXTERNS`.
    pub const EXTERNS: u8 = 0xf;
    /// `EIATTR_SYSCALL_OFFSETS`.
    pub const SYSCALL_OFFSETS: u8 = 0x46;
    /// `EIATTR_EXIT_INSTR_OFFSETS`.
    pub const EXIT_INSTR_OFFSETS: u8 = 0x1c;
    /// `EIATTR_CTAIDZ_USED`.
    pub const CTAIDZ_USED: u8 = 0x4;
    /// `EIATTR_INT_WARP_WIDE_INSTR_OFFSETS`.
    pub const INT_WARP_WIDE_INSTR_OFFSETS: u8 = 0x31;
    /// `EIATTR_COOP_GROUP_INSTR_OFFSETS`.
    pub const COOP_GROUP_INSTR_OFFSETS: u8 = 0x28;
    /// `EIATTR_COOP_GROUP_MASK_REGIDS`.
    pub const COOP_GROUP_MASK_REGIDS: u8 = 0x29;
    /// `EIATTR_NUM_MBARRIERS`.
    pub const NUM_MBARRIERS: u8 = 0x38;
    /// `EIATTR_MBARRIER_INSTR_OFFSETS`.
    pub const MBARRIER_INSTR_OFFSETS: u8 = 0x39;
    /// `EIATTR_CRS_STACK_SIZE`.
    pub const CRS_STACK_SIZE: u8 = 0x1e;
    /// `EIATTR_REGCOUNT`.
    pub const REGCOUNT: u8 = 0x2f;
    /// `EIATTR_SW_WAR`.
    pub const SW_WAR: u8 = 0x36;
    /// `EIATTR_CUDA_API_VERSION`.
    pub const CUDA_API_VERSION: u8 = 0x37;
    /// `EIATTR_NUM_BARRIERS`.
    pub const NUM_BARRIERS: u8 = 0x4c;
    /// `EIATTR_VRC_CTA_INIT_COUNT`.
    pub const VRC_CTA_INIT_COUNT: u8 = 0x4a;
    /// `EIATTR_SPARSE_MMA_MASK`.
    pub const SPARSE_MMA_MASK: u8 = 0x50;
    /// `EIATTR_LANGUAGE`.
    pub const LANGUAGE: u8 = 0x66;
    /// `EIATTR_NVSAL_SW_WAR`.
    pub const NVSAL_SW_WAR: u8 = 0x6b;
    /// `EIATTR_PREEXIT_USED`.
    pub const PREEXIT_USED: u8 = 0x6d;
    /// `EIATTR_AT_ENTRY_FRAGMENTS`.
    pub const AT_ENTRY_FRAGMENTS: u8 = 0x4f;
    /// `EIATTR_ANNOTATIONS`.
    pub const ANNOTATIONS: u8 = 0x55;
    /// `EIATTR_INDIRECT_BRANCH_TARGETS`.
    pub const INDIRECT_BRANCH_TARGETS: u8 = 0x34;
    /// An attribute without a name in the tools: a flag that kernels for sm_80, 86, 87 and 88 have.
    pub const UNNAMED_35: u8 = 0x35;
    /// An attribute of toolkit 13 whose name the tools do not print: two bytes, 0x101 from sm_90 on, else 0.
    pub const UNNAMED_5F: u8 = 0x5f;
}

/// Numbers in `.nv.compat`.
pub mod compat {
    /// `EICOMPAT_ATTR_ISA_CLASS`.
    pub const ISA_CLASS: u8 = 0x2;
    /// `EICOMPAT_ATTR_INST_TENSORMAP_V1`.
    pub const INST_TENSORMAP_V1: u8 = 0x3;
    /// `EICOMPAT_ATTR_INST_TCGEN05_MMA`.
    pub const INST_TCGEN05_MMA: u8 = 0x5;
    /// An attribute that the tools do not name: 0x101 on sm_100 and sm_120, the first of their families.
    pub const UNNAMED_07: u8 = 0x7;
    /// `EICOMPAT_ATTR_CUDA_ACCELERATOR_TARGET`.
    pub const ACCELERATOR_TARGET: u8 = 0x9;
    /// `EICOMPAT_ATTR_CAN_FASTPATH_FINALIZE`.
    pub const CAN_FASTPATH_FINALIZE: u8 = 0xb;
    /// `EICOMPAT_ATTR_CUDA_INTERNAL_TARGET`.
    pub const INTERNAL_TARGET: u8 = 0xc;
    /// An attribute that the tools do not name: always 0x101.
    pub const UNNAMED_0D: u8 = 0xd;
    /// `EICOMPAT_ATTR_FINALIZER_VERSION`.
    pub const FINALIZER_VERSION: u8 = 0xe;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted_and_say_unknown_numbers_plainly() {
        assert!(INFO.is_sorted_by_key(|row| row.number));
        assert!(COMPAT.is_sorted_by_key(|row| row.number));
        assert_eq!(name(INFO, info::NUM_BARRIERS), "EIATTR_NUM_BARRIERS");
        assert_eq!(name(INFO, 0xf3), "EIATTR_0xf3");
        assert_eq!(name(COMPAT, 0x0d), "EICOMPAT_ATTR_0x0d");
    }
}
