//! What the code of a kernel says about the kernel: facts that a cubin must state beside the code, and that nobody
//! should have to write down.
//!
//! | attribute | from |
//! |---|---|
//! | `EXIT_INSTR_OFFSETS` | `EXIT` |
//! | `NUM_BARRIERS` | the largest number in `BAR`, plus one; all 16 if the number is in a register |
//! | `INT_WARP_WIDE_INSTR_OFFSETS` | `VOTE VOTEU MATCH REDUX SHFL`, unless a kernel says that they have masks of its own |
//! | `NUM_MBARRIERS`, `MBARRIER_INSTR_OFFSETS` | `SYNCS` |
//! | `CRS_STACK_SIZE` | `BSSY`, `CALL`, `RET`: the stack of places where lanes meet |
//! | `CTAIDZ_USED` | `SR_CTAID.Z`, up to sm_89 |
//!
//! Held against 1,117 kernels of ptxas for sm_90: all exits and all numbers of barriers are the same, all warp-wide
//! instructions are in this list or in that of the instructions with masks.

use warpc_cubin::Record;
use warpc_cubin::attribute::info;
use warpc_sass::print;
use warpc_target::Sm;

/// What code says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct KernelFacts {
    /// Places of the instructions that end threads.
    pub exits: Vec<u32>,
    /// How many of the barriers of a block it uses, counted from 0.
    pub barriers: u8,
    /// The attributes besides.
    pub attributes: Vec<Record>,
}

/// The number of barriers of a block.
const ALL_BARRIERS: u8 = 16;

/// The last chip whose kernels say that they ask for the block's third number.
const LAST_WITH_CTAIDZ: u16 = 89;

/// Instructions that work on the lanes of a warp together.
const WARP_WIDE: &[&str] = &["VOTE", "VOTEU", "MATCH", "REDUX", "SHFL"];

/// Finds the facts of code for a chip. Words that are no instructions say nothing.
pub fn kernel_facts(sm: Sm, code: &[u128]) -> KernelFacts {
    let mut facts = KernelFacts::default();
    let mut warp_wide = Vec::new();
    let mut mbarriers: Vec<[u32; 4]> = Vec::new();
    let mut objects = 0;
    let (mut meets, mut third_number) = (false, false);
    for (place, word) in (0..).step_by(16).zip(code) {
        let Some(text) = print::text(sm, *word, &print::At(u64::from(place))) else {
            continue;
        };
        let text = without_guard(&text);
        let (name, operands) = text.split_once(' ').unwrap_or((text, ""));
        let mut parts = name.split('.');
        let operation = parts.next().unwrap_or_default();
        let modifiers: Vec<&str> = parts.collect();
        match operation {
            "EXIT" => facts.exits.push(place),
            "BAR" => facts.barriers = facts.barriers.max(barriers(operands)),
            "BSSY" | "CALL" | "RET" => meets = true,
            "S2R" | "S2UR" | "CS2R" => third_number |= operands.ends_with("SR_CTAID.Z"),
            "SYNCS" => {
                let kind = mbarrier_kind(&modifiers);
                objects += u16::from(kind == Some(INIT));
                mbarriers.extend(kind.map(|kind| mbarrier(sm, place, operands, kind)));
            }
            operation if WARP_WIDE.contains(&operation) => warp_wide.push(place),
            _ => {}
        }
    }
    let attributes = &mut facts.attributes;
    if !warp_wide.is_empty() {
        attributes.push(Record::words(info::INT_WARP_WIDE_INSTR_OFFSETS, &warp_wide));
    }
    if !mbarriers.is_empty() {
        let words = mbarriers.concat();
        attributes.push(Record::words(info::MBARRIER_INSTR_OFFSETS, &words));
        attributes.push(Record::half(info::NUM_MBARRIERS, objects));
    }
    if meets {
        attributes.push(Record::words(info::CRS_STACK_SIZE, &[0]));
    }
    if third_number && sm.number() <= LAST_WITH_CTAIDZ {
        attributes.push(Record::flag(info::CTAIDZ_USED));
    }
    facts
}

fn without_guard(text: &str) -> &str {
    match text.strip_prefix('@') {
        Some(rest) => rest.split_once(' ').map_or("", |(_, rest)| rest),
        None => text,
    }
}

/// How many barriers `BAR` with these operands needs. The barrier is the first number or register; `BAR.RED` has a
/// predicate, and some forms have a result, in front.
fn barriers(operands: &str) -> u8 {
    let operands = operands.split(", ").map(str::trim);
    let mut operands =
        operands.filter(|operand| operand.starts_with("0x") || operand.starts_with('R'));
    let Some(first) = operands.next() else {
        return 0;
    };
    let number = first
        .strip_prefix("0x")
        .and_then(|digits| u8::from_str_radix(digits, 16).ok());
    number.map_or(ALL_BARRIERS, |number| (number & 15) + 1)
}

const INIT: u32 = 0;

/// The number that `EIATTR_MBARRIER_INSTR_OFFSETS` has for an instruction on an mbarrier.
fn mbarrier_kind(modifiers: &[&str]) -> Option<u32> {
    let has = |modifier: &str| modifiers.contains(&modifier);
    Some(match *modifiers.first()? {
        "EXCH" => INIT,
        "ARRIVE" if has("OPTOUT") => 3,
        "ARRIVE" if has("A1T0") || has("TRANS64") => 1,
        "CCTL" => 8,
        "PHASECHK" if has("TRYWAIT") => 10,
        "PHASECHK" => 6,
        _ => return None,
    })
}

/// The entry of an instruction: its place, the registers and number of its address, its kind.
fn mbarrier(sm: Sm, place: u32, operands: &str, kind: u32) -> [u32; 4] {
    let none = if sm.number() < 100 { 63 } else { 255 };
    let (mut register, mut displacement, mut uniform) = (255, 0, none);
    let address = operands
        .split_once('[')
        .and_then(|(_, rest)| rest.split_once(']'));
    for part in address.map_or("", |(inside, _)| inside).split('+') {
        if let Some(digits) = part.strip_prefix("0x") {
            displacement = u32::from_str_radix(digits, 16).unwrap_or(0);
        } else if let Some(number) = part.strip_prefix("UR") {
            uniform = number.parse().unwrap_or(none);
        } else if let Some(number) = part.strip_prefix('R') {
            let digits = number.trim_end_matches(|c: char| !c.is_ascii_digit());
            register = digits.parse().unwrap_or(255);
        }
    }
    [place, register, displacement, kind | uniform << 16]
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::GzDecoder;
    use std::io::Read;
    use std::path::Path;
    use warpc_cubin::{Content, Cubin, Value};

    /// The kernels of the recorded cubins: chip, code, attributes.
    fn kernels() -> Vec<(String, Sm, Vec<u128>, Vec<Record>)> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/oracle/cubins");
        let mut all = Vec::new();
        for entry in std::fs::read_dir(folder).expect("the folder is part of the project") {
            let path = entry.expect("it can be listed").path();
            if !path.to_string_lossy().ends_with(".cubin.gz") {
                continue;
            }
            let packed = std::fs::read(&path).expect("it can be read");
            let mut bytes = Vec::new();
            let mut unpacked = GzDecoder::new(&packed[..]);
            unpacked.read_to_end(&mut bytes).expect("it is whole");
            let cubin = Cubin::read(&bytes).expect("a cubin");
            let sm = cubin.chip().expect("a chip");
            for section in cubin.sections.iter().filter(|section| section.is_code()) {
                let name = cubin.section_name(section).replace(".text.", ".nv.info.");
                let Some(Content::Info(records)) =
                    cubin.section(&name).map(|(_, one)| &one.content)
                else {
                    continue;
                };
                let is_kernel = records
                    .iter()
                    .any(|one| one.attribute == info::EXIT_INSTR_OFFSETS);
                if let (true, Content::Bytes(code)) = (is_kernel, &section.content) {
                    let (words, _) = code.as_chunks::<16>();
                    let words = words.iter().map(|word| u128::from_le_bytes(*word));
                    let name = format!("{}{name}", path.display());
                    all.push((name, sm, words.collect(), records.clone()));
                }
            }
        }
        all
    }

    fn offsets(records: &[Record], attribute: u8) -> Vec<u32> {
        let found = records.iter().find(|record| record.attribute == attribute);
        match found.map(Record::value) {
            Some(Value::Offsets(offsets)) => offsets,
            _ => Vec::new(),
        }
    }

    #[test]
    fn exits_barriers_and_warp_wide_instructions_are_those_of_ptxas() {
        let all = kernels();
        assert!(all.len() >= 20, "{} kernels", all.len());
        let mut seen = [0; 3];
        for (name, sm, code, records) in all {
            let facts = kernel_facts(sm, &code);
            let exits = offsets(&records, info::EXIT_INSTR_OFFSETS);
            assert_eq!(facts.exits, exits, "{name}");
            let barriers = records
                .iter()
                .find(|one| one.attribute == info::NUM_BARRIERS);
            let barriers = barriers.map_or(0, |record| record.bytes[0]);
            assert_eq!(facts.barriers, barriers, "{name}");
            let mut listed = offsets(&records, info::COOP_GROUP_INSTR_OFFSETS);
            listed.extend(offsets(&records, info::INT_WARP_WIDE_INSTR_OFFSETS));
            let ours = offsets(&facts.attributes, info::INT_WARP_WIDE_INSTR_OFFSETS);
            for place in &ours {
                assert!(listed.contains(place), "{name} at {place:#x}");
            }
            seen[0] += exits.len();
            seen[1] += usize::from(barriers);
            seen[2] += ours.len();
        }
        assert!(seen.iter().all(|&count| count > 5), "{seen:?}");
    }

    #[test]
    fn barriers_in_registers_may_be_any() {
        assert_eq!(barriers("0x3, 0x40"), 4);
        assert_eq!(barriers("R5"), ALL_BARRIERS);
        assert_eq!(barriers("0x2, P0"), 3);
        assert_eq!(barriers(""), 0);
    }
}
