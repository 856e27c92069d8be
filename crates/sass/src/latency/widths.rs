//! How many registers operands have, where it is not one.
//!
//! A row says: these operations, with one of these modifiers, have so many registers at these places. The places are
//! letters: `d` is bit 16, `a` bit 24, `b` bit 32, `c` bit 64, `e` bit 40, and `t` the third source wherever the form
//! has it. Later rows win.

use crate::form::Form;
use crate::latency::effects::{File, Role, base};
use crate::latency::pipes;
use crate::shape::{Slot, Width};
use smallvec::SmallVec;

/// Operations, modifiers (any of them; all modifiers without the one after `!`), places, registers.
type Rule = (&'static str, &'static str, &'static str, u8);

#[rustfmt::skip]
static RULES: &[Rule] = &[
    // Numbers of 64 bits.
    ("DADD DMUL DFMA DSETP", "", "dabc", 2),
    ("IMAD UIMAD", "WIDE", "dt", 2),
    // The upper half of a product is that of a sum with 64 bits.
    ("IMAD UIMAD", "HI", "t", 2),
    ("IADD ISETP UISETP IMNMX MOV SEL UMOV UIADD3 UIMNMX USEL", "64 U64 S64", "dabc", 2),
    ("FADD2 FMUL2 FFMA2", "", "d", 2),
    ("CS2R CS2UR", "!32", "d", 2),
    ("MATCH", "U64", "a", 2),
    ("I2F", "F64", "d", 2),
    ("I2F", "U64 S64", "b", 2),
    ("F2I", "U64 S64", "d", 2),
    ("F2I", "F64", "b", 2),
    ("F2F", "F64.F32 F64.F16 F64.BF16", "d", 2),
    ("F2F", "F32.F64 F16.F64 BF16.F64", "b", 2),
    ("FRND", "F64", "db", 2),
    // Places in the code.
    ("LEPC", "", "d", 2),
    ("RET BRX JMX CALL BRXU JMXU", "", "a", 2),
    // Addresses.
    ("LD LDG ST STG ATOM ATOMG RED REDG CCTL QSPC", "E", "a", 2),
    // What loads and stores move.
    ("LD LDG LDS LDL LDC LDCU ULDC SULD", "64", "d", 2),
    ("LD LDG LDS LDL LDCU SULD", "128", "d", 4),
    ("LDG", "256", "dc", 4),
    ("ST STG STS STL STAS SUST", "64", "b", 2),
    ("ST STG STS STL STAS SUST", "128", "b", 4),
    ("ST", "64", "c", 2),
    ("ST", "128", "c", 4),
    ("STG", "256", "db", 4),
    ("LDSM", "2", "d", 2),
    ("LDSM", "4", "d", 4),
    ("STSM", "2", "b", 2),
    ("STSM", "4", "b", 4),
    // Atomic operations.
    ("ATOM ATOMG ATOMS RED REDG REDAS LDGMC SURED", "64 S64 U64 SD64 F64 F64.RN F16x4.RN BF16x4.RN F32x2.RN F32x2.FTZ.RN", "db", 2),
    ("ATOM ATOMG ATOMS REDG LDGMC", "128 F16x8.RN BF16x8.RN F32x4.RN F32x4.FTZ.RN", "db", 4),
    ("ATOM ATOMG ATOMS", "CAS.64 CAST.64 CAS.SPIN.64 CAST.SPIN.64", "c", 2),
    ("ATOM ATOMG ATOMS", "CAS.128 CAST.128", "c", 4),
    ("SYNCS", "EXCH.64", "db", 2),
    ("SYNCS", "LD.64", "d", 2),
    ("SYNCS", "ARRIVE.TRANS64", "d", 2),
    // Matrices of a warp: accumulators, then the first and the second factor.
    ("HMMA", "884", "dabc", 2),
    ("HMMA", "1684 1688 16816 16832", "dc", 4),
    ("HMMA", "1684.F16 1688.F16 16816.F16 16832.F16", "dc", 2),
    ("HMMA", "1688 1684", "a", 2),
    ("HMMA", "16816 16832 1688.F32.TF32", "a", 4),
    ("HMMA", "16816 1688.F32.TF32", "b", 2),
    ("HMMA", "SP.1688 SP.16816", "a", 2),
    ("HMMA", "SP.16816.F32.TF32", "a", 4),
    ("HMMA", "SP.16816.F32.TF32 SP.16832", "b", 4),
    ("HMMA", "SP.1688", "b", 2),
    ("IMMA BMMA", "8816 8832 88128 8864", "dc", 2),
    ("IMMA BMMA", "16816 16832 16864 168128 168256", "dc", 4),
    ("IMMA", "16816 16832.U4 16832.S4", "a", 2),
    ("IMMA", "16832.U8 16832.S8 16864.U4 16864.S4", "a", 4),
    ("IMMA", "16832.U8 16832.S8 16864.U4 16864.S4", "b", 2),
    ("IMMA", "SP.16832 SP.16864.U4 SP.16864.S4", "a", 2),
    ("IMMA", "SP.16864.U8 SP.16864.S8 SP.168128", "a", 4),
    ("IMMA", "SP.16832 SP.16864.U4 SP.16864.S4", "b", 2),
    ("IMMA", "SP.16864.U8 SP.16864.S8 SP.168128", "b", 4),
    ("BMMA", "168128", "a", 2),
    ("BMMA", "168256", "a", 4),
    ("BMMA", "168256", "b", 2),
    ("QMMA", "F32", "dc", 4),
    ("QMMA", "16816.F16 16832.F16", "dc", 2),
    ("QMMA", "16816", "a", 2),
    ("QMMA", "16832", "a", 4),
    ("QMMA", "16832", "b", 2),
    ("DMMA", "884 8x8x4", "ab", 2),
    ("DMMA", "884 8x8x4", "dc", 4),
    ("DMMA", "16x8x4 16x8x8 16x8x16", "dc", 8),
    ("DMMA", "16x8x4", "a", 4),
    ("DMMA", "16x8x4", "b", 2),
    ("DMMA", "16x8x8", "a", 8),
    ("DMMA", "16x8x8", "b", 4),
    ("DMMA", "16x8x16", "a", 16),
    ("DMMA", "16x8x16", "b", 8),
    // Of a warpgroup: the first factor in registers.
    ("HGMMA IGMMA BGMMA QGMMA", "", "a", 4),
    // Copies in bulk: an address in shared memory and a barrier, and one in global memory.
    ("UBLKCP UBLKRED UBLKPF", "", "ab", 2),
    ("UBLKCP UBLKRED", "G.S S.S", "a", 1),
    ("UTMALDG UTMASTG UTMAREDG UTMAPF", "", "a", 2),
    ("UTMALDG", "1D", "b", 3),
    ("UTMASTG UTMAREDG", "1D", "b", 2),
    ("UTMAPF", "1D", "b", 1),
    ("UTMALDG", "2D", "b", 4),
    ("UTMASTG UTMAREDG", "2D", "b", 3),
    ("UTMAPF", "2D", "b", 2),
    ("UTMALDG", "3D", "b", 5),
    ("UTMASTG UTMAREDG", "3D", "b", 4),
    ("UTMAPF", "3D", "b", 3),
    ("UTMALDG", "4D", "b", 6),
    ("UTMASTG UTMAREDG", "4D", "b", 5),
    ("UTMAPF", "4D", "b", 4),
    ("UTMALDG", "5D", "b", 7),
    ("UTMASTG UTMAREDG", "5D", "b", 6),
    ("UTMAPF", "5D", "b", 5),
    ("UTMACCTL", "", "a", 2),
    // Surfaces: all coordinates, and what is stored with a conversion.
    ("SULD SUST SURED", "2D 1D_ARRAY", "a", 2),
    ("SULD SUST SURED", "2D_ARRAY 3D", "a", 3),
    ("SUST", "P", "b", 4),
    ("SUST", "R", "b", 1),
    ("SUST", "RG", "b", 2),
    // The handle of a texture or surface has 64 bits.
    ("TEX TLD TLD4 TXD TXQ SULD SUST SURED", "", "e", 2),
];

/// Operations whose uniform register beside a register is the address of 64 bits.
const GLOBAL: &[&str] = &[
    "LD", "LDG", "ST", "STG", "ATOM", "ATOMG", "RED", "REDG", "LDGMC", "LDGSTS", "QSPC",
];

/// Operations that read what stands where others have their result.
const READS_AT_16: &[&str] = &["LDGSTS", "STG"];

/// Operations that have a second result at bit 64.
const WRITES_AT_64: &[&str] = &["TEX", "TLD", "TLD4", "TXD", "TXQ", "LDG"];

/// Gives the slots of a shape their roles and widths.
pub(crate) fn apply(form: &Form, name: &str, word: u128, slots: &mut [Slot]) {
    static HASHES: [u128; RULES.len()] = pipes::name_hashes!(RULES);
    let base = base(name);
    let hash = pipes::hash(base);
    let rules = RULES.iter().zip(HASHES);
    let rules = rules.filter(|(rule, hashes)| hashes & hash != 0 && has_name(rule.0, base));
    let rules: SmallVec<[&Rule; 8]> = rules.map(|(rule, _)| rule).collect();
    for slot in slots.iter_mut() {
        let vector = slot.file == Some(File::Register);
        match slot.role {
            Role::Result if vector && READS_AT_16.contains(&base) => slot.role = Role::Source(16),
            Role::Source(64) if vector && WRITES_AT_64.contains(&base) => {
                slot.role = Role::Result;
                slot.width = second_result(base);
                continue;
            }
            Role::Source(_) if slot.file == Some(File::Uniform) && GLOBAL.contains(&base) => {
                slot.width = Width::Registers(2);
                continue;
            }
            _ => (),
        }
        let Some(letter) = letter(slot) else {
            continue;
        };
        let third = is_third(form, slot);
        for (_, modifiers, places, count) in &rules {
            let placed = places.contains(letter) || third && places.contains('t');
            if placed && has_modifier(modifiers, name) {
                // An address that is said to be of 32 bits stays so.
                let narrow = letter == 'a' && *modifiers == "E" && is_narrow(form, word);
                slot.width = Width::Registers(if narrow { 1 } else { *count });
            }
        }
        if let (Role::Source(24), "TEX" | "TLD" | "TLD4" | "TXD") = (slot.role, base) {
            // All coordinates and the index of an array, by the geometry; or one by one.
            let count = match word >> 61 & 7 {
                _ if has_modifier("SCR", name) => 1,
                0 => 1,
                1 | 4 => 2,
                7 => 4,
                _ => 3,
            };
            slot.width = Width::Registers(count);
        } else if let (Role::Source(32), true, "TEX" | "TLD" | "TLD4" | "TXD") =
            (slot.role, vector, base)
        {
            slot.width = Width::Registers(texture_more(base, name, word));
        } else if slot.role == Role::Result && vector {
            slot.width = results(base, name).unwrap_or(slot.width);
        } else if let (Role::Source(32), "STTM") = (slot.role, base) {
            slot.width = Width::Registers(tensor_registers(name));
        } else if let (Role::Source(64), "HGMMA" | "IGMMA" | "BGMMA" | "QGMMA") = (slot.role, base)
        {
            slot.width = Width::Registers(group_registers(name));
        } else if let (
            Some(File::Uniform),
            Role::Source(24 | 32),
            "HGMMA" | "IGMMA" | "BGMMA" | "QGMMA",
        ) = (slot.file, slot.role, base)
        {
            // Descriptors of both matrices; that of B is in the upper half also where A is in registers.
            slot.width = Width::Registers(4);
        }
    }
}

fn has_name(names: &str, name: &str) -> bool {
    names.split(' ').any(|one| one == name)
}

fn has_modifier(modifiers: &str, name: &str) -> bool {
    if let Some(modifier) = modifiers.strip_prefix('!') {
        return !has_modifier(modifier, name);
    }
    let one = |modifier: &str| {
        let mut rest = name;
        while let Some(at) = rest.find(modifier) {
            let before = rest[..at].ends_with('.');
            rest = &rest[at + modifier.len()..];
            if before && (rest.is_empty() || rest.starts_with('.')) {
                return true;
            }
        }
        false
    };
    modifiers.is_empty() || modifiers.split(' ').any(one)
}

fn letter(slot: &Slot) -> Option<char> {
    let vector = matches!(slot.file, Some(File::Register | File::Uniform));
    match slot.role {
        _ if !vector => None,
        Role::Result | Role::Source(16) => Some('d'),
        Role::Source(24) => Some('a'),
        Role::Source(32) => Some('b'),
        Role::Source(64) => Some('c'),
        Role::Source(40) => Some('e'),
        _ => None,
    }
}

/// Whether an operand is the third source: bit 64, or bit 32 where the second source has moved there.
fn is_third(form: &Form, slot: &Slot) -> bool {
    let moved = matches!(form.row.opcode >> 8 & 0xe, 0x4 | 0x6 | 0xe);
    slot.role == Role::Source(if moved { 32 } else { 64 })
}

/// Whether the register of an address has 32 bits though the operation is of 64.
fn is_narrow(form: &Form, word: u128) -> bool {
    let effects_bit = |bit: u32| word >> bit & 1 == 1;
    match form.row.opcode {
        // A register of 32 bits beside a uniform one of 64; without one it is the whole address.
        0x980 => effects_bit(91) && !effects_bit(90),
        0x981 | 0x985 | 0x986 | 0x98e | 0x9a6 | 0x9aa => !effects_bit(90),
        0x98a | 0x9a8 | 0x9a2 | 0x9a3 if form.row.first >= 100 => !effects_bit(63),
        0x98a | 0x9a8 | 0x9a2 | 0x9a3 => !effects_bit(70),
        _ => false,
    }
}

/// The registers of a second result.
fn second_result(base: &str) -> Width {
    match base {
        "LDG" => Width::Registers(4),
        _ => Width::MaskHigh,
    }
}

/// The registers of a result that no row can say.
fn results(base: &str, name: &str) -> Option<Width> {
    match base {
        "TEX" | "TLD" | "TLD4" | "TXD" | "TXQ" => Some(Width::MaskLow),
        "LDTM" => Some(Width::Registers(tensor_registers(name))),
        "HGMMA" | "IGMMA" | "BGMMA" | "QGMMA" => Some(Width::Registers(group_registers(name))),
        _ => None,
    }
}

/// The registers of what a texture takes besides its coordinates: a level, an offset, a value to compare with or a sample;
/// of `TXD` two derivatives for each coordinate.
fn texture_more(base: &str, name: &str, word: u128) -> u8 {
    if base == "TXD" {
        return match word >> 61 & 7 {
            1 | 5 => 4,
            _ => 2,
        };
    }
    if has_modifier("SCR", name) {
        return 1;
    }
    if has_modifier("PTP", name) {
        return 2;
    }
    let levels = ["LL", "LB", "LC", "AOFFI", "DC", "MS"];
    let count = levels.iter().filter(|one| has_modifier(one, name)).count();
    count.max(1) as u8
}

/// The number after the last `x` of a modifier such as `.x4` or `.64x128x16`.
fn number_after_x(name: &str, index: usize) -> Option<u32> {
    let shape = name
        .split('.')
        .find(|part| part.starts_with('x') || part.starts_with("64x"))?;
    shape.split('x').nth(index)?.parse().ok()
}

/// Registers that a load from or a store to tensor memory moves.
fn tensor_registers(name: &str) -> u8 {
    let times = number_after_x(name, 1).unwrap_or(1);
    let each = match name {
        _ if name.contains("128bit") => 2,
        _ if name.contains("256bit") => 4,
        _ => 1,
    };
    let packed = if name.contains("16BIT") { 2 } else { 1 };
    (times * each / packed).clamp(1, 128) as u8
}

/// Registers of the accumulator of a warpgroup: 64 rows for 128 threads.
fn group_registers(name: &str) -> u8 {
    let columns = number_after_x(name, 1).unwrap_or(8);
    let half = has_modifier("F16", name) && !has_modifier("F32", name);
    (columns / if half { 4 } else { 2 }).clamp(1, 128) as u8
}
