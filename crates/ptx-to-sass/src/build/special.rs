//! Special registers that are in the constant bank or worked out, and what else the driver puts into that bank.

use warpc_target::{Chips, Sm, features};

/// The register of the stack.
pub(crate) const STACK: u8 = 1;

/// The chips whose parameters begin at 0x380.
const BLACKWELL: Chips = Chips::AtLeast(100);

/// Loads the top of the stack.
pub(crate) fn stack_top(sm: Sm) -> String {
    let place = if BLACKWELL.contains(sm) { 0x37c } else { 0x28 };
    format!("{} R{STACK}, c[0x0][{place:#x}]", load(sm))
}

/// An instruction that loads a word of a constant bank.
pub(super) fn load(sm: Sm) -> &'static str {
    if Chips::AtLeast(90).contains(sm) {
        "LDC"
    } else {
        "MOV"
    }
}

/// Loads the descriptor of global memory; nothing where a chip has none.
pub(super) fn descriptor(sm: Sm) -> Option<String> {
    let place = match sm.number() {
        100.. => 0x358,
        90.. => 0x208,
        80.. => 0x118,
        _ => return None,
    };
    Some(format!(
        "ULDC.64 UR{}, c[0x0][{place:#x}]",
        super::DESCRIPTOR
    ))
}

/// A place in a constant bank, as `LDC` has it: the first one is written as a register.
pub(super) fn place(bank: u8, offset: i64) -> String {
    match offset {
        0 => format!("c[{bank:#x}][RZ]"),
        1.. => format!("c[{bank:#x}][{offset:#x}]"),
        _ => format!("c[{bank:#x}][-{:#x}]", -offset),
    }
}

/// What an address adds to its register, as texts have it.
pub(crate) fn offset(added: i64) -> String {
    match added {
        0 => String::new(),
        1.. => format!("+{added:#x}"),
        _ => format!("+-{:#x}", -added),
    }
}

/// Registers that are words of the constant bank on sm_90, as ptxas reads them: the name, its place, and whether it has 64
/// bits.
const WORDS: &[(&str, u32, bool)] = &[
    ("ntid.x", 0x0, false),
    ("ntid.y", 0x4, false),
    ("ntid.z", 0x8, false),
    ("nctaid.x", 0xc, false),
    ("nctaid.y", 0x10, false),
    ("nctaid.z", 0x14, false),
    ("dynamic_smem_size", 0x2c, false),
    ("gridid", 0x30, true),
    ("reserved_smem_offset_end", 0x68, false),
    ("reserved_smem_offset_1", 0x6c, false),
    ("nsmid", 0x10c, false),
    ("cluster_nctaid.x", 0x144, false),
    ("cluster_nctaid.y", 0x148, false),
    ("cluster_nctaid.z", 0x14c, false),
    ("nclusterid.x", 0x15c, false),
    ("nclusterid.y", 0x160, false),
    ("nclusterid.z", 0x164, false),
    ("cluster_nctarank", 0x188, false),
    ("current_graph_exec", 0x190, true),
];

/// Where the first of the driver's 32 registers is on sm_90.
const DRIVERS: u32 = 0x40;

/// Where a special register is in the constant bank, and whether it has 64 bits.
pub(super) fn constant(name: &str, sm: Sm) -> Option<(u32, bool)> {
    if BLACKWELL.contains(sm) {
        return Some(match name {
            "ntid.x" => (0x360, false),
            "ntid.y" => (0x364, false),
            "ntid.z" => (0x368, false),
            "nctaid.x" => (0x370, false),
            "nctaid.y" => (0x374, false),
            "nctaid.z" => (0x378, false),
            _ => return None,
        });
    }
    if let Some(number) = name.strip_prefix("envreg") {
        let number: u32 = number.parse().ok().filter(|number| *number < 32)?;
        return Some((DRIVERS + 4 * number, false));
    }
    let row = WORDS.iter().find(|row| row.0 == name)?;
    Some((row.1, row.2))
}

/// Where bank 0 has what is said of clusters on sm_90: whether the kernel was started with them, and the reciprocals of
/// their sizes in y and z.
pub(super) const CLUSTERS: u32 = 0x140;
pub(super) const CLUSTER_Y: u32 = 0x154;
pub(super) const CLUSTER_Z: u32 = 0x158;

/// Where the bytes of shared memory are that nobody counts, and the most that a kernel can have, on sm_90.
pub(super) const SHARED_UNCOUNTED: u32 = 0x114;
pub(super) const SHARED_LIMIT: u32 = 0x13c;

/// Where the distance of local memory from generic addresses is.
pub(crate) fn local_window(sm: Sm) -> u32 {
    if BLACKWELL.contains(sm) { 0x2f8 } else { 0x20 }
}

/// Where the place of the module's constants in memory is.
pub(crate) fn constant_window(sm: Sm) -> Option<u32> {
    sm.has(features::CUBINS_OF_HOPPER).then_some(0xd0)
}

/// Where the place of the parameters in memory is; after it that of their end.
pub(crate) fn parameter_window(sm: Sm) -> Option<u32> {
    sm.has(features::CUBINS_OF_HOPPER).then_some(0x198)
}
