//! What the code of a kernel says about the kernel: facts that a cubin must state beside the code, and that nobody
//! should have to write down.
//!
//! | attribute | from |
//! |---|---|
//! | `EXIT_INSTR_OFFSETS` | `EXIT` |
//! | `NUM_BARRIERS` | the largest number in `BAR`, plus one; all 16 if the number is in a register; at least one with `UCGABAR_WAIT` |
//! | `COOP_GROUP_INSTR_OFFSETS`, `COOP_GROUP_MASK_REGIDS` | what lanes do together ([`collective`]); masks are not known: all lanes |
//! | `INT_WARP_WIDE_INSTR_OFFSETS` | `VOTEU`: one lane acts for the warp |
//! | `NUM_MBARRIERS`, `MBARRIER_INSTR_OFFSETS` | what is done to mbarriers ([`mbarrier`]) |
//! | `CRS_STACK_SIZE` | `BSSY`, `CALL`, `RET`, `WARPSYNC.ALL`: the stack of places where lanes meet |
//! | `CTAIDZ_USED` | `SR_CTAID.Z`, up to sm_89 |
//!
//! An instruction is in one of the two lists of warps, or in none. Held against what ptxas records: all kernels of
//! `tests/oracle/cubins`, and a kernel for each form of collectives and mbarriers on five chips
//! (`tests/oracle/kernel_facts.tsv.gz`), where the test lists what code alone does not tell.

mod collective;
mod mbarrier;

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

/// The member mask of a collective whose mask is not known, or is all lanes.
const ALL_LANES: u32 = u32::MAX;

/// An instruction, taken apart.
struct Line {
    place: u32,
    /// Its text without the guard.
    text: String,
}

impl Line {
    /// The name with modifiers, and the operands.
    fn parts(&self) -> (&str, &str) {
        self.text
            .split_once(' ')
            .unwrap_or((self.text.as_str(), ""))
    }

    /// The name without modifiers.
    fn operation(&self) -> &str {
        self.parts().0.split('.').next().unwrap_or_default()
    }

    /// The modifiers.
    fn modifiers(&self) -> Vec<&str> {
        self.parts().0.split('.').skip(1).collect()
    }

    /// The operands.
    fn operands(&self) -> &str {
        self.parts().1
    }
}

/// Finds the facts of code for a chip. Words that are no instructions say nothing.
pub fn kernel_facts(sm: Sm, code: &[u128]) -> KernelFacts {
    let mut lines = Vec::new();
    for (place, word) in (0..).step_by(16).zip(code) {
        if let Some(text) = print::text(sm, *word, &print::At(u64::from(place))) {
            let text = without_guard(&text).to_owned();
            lines.push(Line { place, text });
        }
    }
    let mut facts = KernelFacts::default();
    let (mut meets, mut third_number) = (false, false);
    for line in &lines {
        match line.operation() {
            "EXIT" => facts.exits.push(line.place),
            "BAR" => facts.barriers = facts.barriers.max(barriers(line.operands())),
            // Without a cluster the barrier of the block stands for it.
            "UCGABAR_WAIT" => facts.barriers = facts.barriers.max(1),
            "BSSY" | "CALL" | "RET" => meets = true,
            // All lanes wait for each other, wherever they come from.
            "WARPSYNC" if line.modifiers() == ["ALL"] => meets = true,
            "S2R" | "S2UR" | "CS2R" => third_number |= line.operands().ends_with("SR_CTAID.Z"),
            _ => {}
        }
    }
    let attributes = &mut facts.attributes;
    let together = collective::find(&lines);
    if !together.warp_wide.is_empty() {
        let places = &together.warp_wide;
        attributes.push(Record::words(info::INT_WARP_WIDE_INSTR_OFFSETS, places));
    }
    if !together.groups.is_empty() {
        let masks = vec![ALL_LANES; together.groups.len()];
        attributes.push(Record::words(info::COOP_GROUP_MASK_REGIDS, &masks));
        let places = &together.groups;
        attributes.push(Record::words(info::COOP_GROUP_INSTR_OFFSETS, places));
    }
    let mbarriers = mbarrier::find(sm, &lines);
    if !mbarriers.is_empty() {
        let words: Vec<u32> = mbarriers.iter().flat_map(|one| one.words()).collect();
        let objects = mbarriers.iter().filter(|one| one.is_init()).count();
        attributes.push(Record::words(info::MBARRIER_INSTR_OFFSETS, &words));
        let objects = u16::try_from(objects).unwrap_or(u16::MAX);
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

#[cfg(test)]
mod tests {
    use super::*;
    use warpc_cubin::{Content, Cubin, Value};
    use warpc_testkit::{gzip, project};

    /// The kernels of the recorded cubins: chip, code, attributes.
    fn kernels() -> Vec<(String, Sm, Vec<u128>, Vec<Record>)> {
        let mut all = Vec::new();
        for path in project::files(&project::oracle("cubins"), &[".cubin.gz"]) {
            let cubin = Cubin::read(&gzip::read(&path)).expect("a cubin");
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

    /// What code alone does not tell, by form and chips, and why.
    const UNTOLD: [(&str, &[&str], &str); 12] = [
        ("bar.warp", ALL, "nothing is left of it: ptxas names a NOP"),
        (
            "bar.warp register",
            OLD,
            "ptxas tests first whether all lanes are there, with collectives of its own",
        ),
        (
            "bar.warp divergent",
            OLD,
            "the way of lanes that are not all there is another function",
        ),
        ("vote register", AMPERE, "as `bar.warp register`"),
        ("vote divergent", OLD, "as `bar.warp divergent`"),
        (
            "vote.all",
            &["sm_75"],
            "it is made of two votes, of which ptxas names one",
        ),
        ("shfl register", AMPERE, "as `bar.warp register`"),
        ("shfl divergent", OLD, "as `bar.warp divergent`"),
        ("redux register", AMPERE, "as `bar.warp register`"),
        (
            "atom of a warp",
            ALL,
            "the exchange that hands out the results is ptxas's own; any other is in no list",
        ),
        (
            "cp.async arrive",
            ALL,
            "ptxas names the NOP before it, and adds to the count itself before sm_90",
        ),
        (
            "cp.async arrive.noinc",
            ALL,
            "ptxas names the NOP before it",
        ),
    ];
    const ALL: &[&str] = &["sm_75", "sm_80", "sm_89", "sm_90", "sm_100", "sm_120"];
    const OLD: &[&str] = &["sm_75", "sm_80", "sm_89"];
    const AMPERE: &[&str] = &["sm_80", "sm_89"];

    /// Forms that leave no trace of an mbarrier in the code before sm_90.
    const NO_TRACE: [&str; 5] = [
        "init",
        "inval",
        "test_wait",
        "arrive.noComplete",
        "arrive_drop.noComplete",
    ];

    fn bytes(hex: &str) -> Vec<u8> {
        let digit = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).expect("two digits");
        (0..hex.len()).step_by(2).map(digit).collect()
    }

    /// A kernel for each form of collectives and mbarriers: what is derived from its code, beside what ptxas says.
    #[test]
    fn facts_of_every_form_are_those_of_ptxas() {
        let text = gzip::read_text(project::oracle("kernel_facts.tsv.gz"));
        let (mut same, mut wrong, mut excused) = (0, Vec::new(), std::collections::BTreeSet::new());
        for line in text.lines() {
            let [chip, form, code, records] = line.split('\t').collect::<Vec<_>>()[..] else {
                panic!("{line}");
            };
            let sm: Sm = chip.parse().expect("a chip");
            let code = bytes(code);
            let (words, _) = code.as_chunks::<16>();
            let words: Vec<u128> = words
                .iter()
                .map(|word| u128::from_le_bytes(*word))
                .collect();
            let facts = kernel_facts(sm, &words);
            let mut ours: Vec<(u8, Vec<u8>)> = facts
                .attributes
                .iter()
                .filter(|record| record.attribute != info::COOP_GROUP_MASK_REGIDS)
                .map(|record| (record.attribute, record.bytes.to_vec()))
                .collect();
            ours.push((info::EXIT_INSTR_OFFSETS, words_of(&facts.exits)));
            if facts.barriers > 0 {
                ours.push((info::NUM_BARRIERS, vec![facts.barriers, 0]));
            }
            ours.sort();
            let theirs: Vec<(u8, Vec<u8>)> = records
                .split(' ')
                .map(|record| {
                    let (attribute, value) = record.split_once('=').expect("number=bytes");
                    let attribute = u8::from_str_radix(attribute, 16).expect("a number");
                    (attribute, bytes(value))
                })
                .collect();
            let untold = UNTOLD
                .iter()
                .position(|row| row.0 == form && row.1.contains(&chip));
            let no_trace = AMPERE.contains(&chip) && NO_TRACE.contains(&form);
            match (ours == theirs, untold) {
                (true, None) if !no_trace => same += 1,
                (true, _) => wrong.push(format!("{chip} {form}: the same, but listed as untold")),
                (false, Some(row)) => {
                    excused.insert(row);
                }
                (false, None) if no_trace => {}
                (false, None) => {
                    wrong.push(format!(
                        "{chip} {form}:\n  ours   {ours:x?}\n  ptxas  {theirs:x?}"
                    ));
                }
            }
        }
        println!("{same} of {} kernels the same", text.lines().count());
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        assert!(same > 190, "{same}");
        assert_eq!(excused.len(), UNTOLD.len(), "{excused:?}");
    }

    fn words_of(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    #[test]
    fn barriers_in_registers_may_be_any() {
        assert_eq!(barriers("0x3, 0x40"), 4);
        assert_eq!(barriers("R5"), ALL_BARRIERS);
        assert_eq!(barriers("0x2, P0"), 3);
        assert_eq!(barriers(""), 0);
    }
}
