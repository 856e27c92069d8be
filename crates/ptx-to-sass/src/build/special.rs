//! Special registers that are in the constant bank or worked out, and what else the driver puts into that bank.

use warpc_target::{Chips, Sm};

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

/// Where the numbers of threads and blocks are in the constant bank.
pub(super) fn constant(name: &str, sm: Sm) -> Option<u32> {
    let (threads, blocks) = match BLACKWELL.contains(sm) {
        true => (0x360, 0x370),
        false => (0x0, 0xc),
    };
    Some(match name {
        "ntid.x" => threads,
        "ntid.y" => threads + 4,
        "ntid.z" => threads + 8,
        "nctaid.x" => blocks,
        "nctaid.y" => blocks + 4,
        "nctaid.z" => blocks + 8,
        _ => return None,
    })
}

/// Where the distance of local memory from generic addresses is.
pub(super) fn local_window(sm: Sm) -> u32 {
    if BLACKWELL.contains(sm) { 0x2f8 } else { 0x20 }
}
