//! What is derived from code, beside what ptxas says of the same kernel: all kernels of the recorded cubins, and a
//! kernel for each form of collectives and mbarriers on five chips.

use warpc_cubin::attribute::info;
use warpc_cubin::{Content, Cubin, Record, Value};
use warpc_sass::facts::kernel_facts;
use warpc_sass_text::attributes_of;
use warpc_target::Sm;
use warpc_testkit::{gzip, project};

/// What code implies, with its attributes.
struct Facts {
    exits: Vec<u32>,
    barriers: u8,
    attributes: Vec<Record>,
}

fn facts_of(sm: Sm, code: &[u128]) -> Facts {
    let facts = kernel_facts(sm, code);
    Facts {
        attributes: attributes_of(sm, &facts),
        exits: facts.exits,
        barriers: facts.barriers,
    }
}

/// The kernels of the recorded cubins: chip, code, attributes.
fn kernels() -> Vec<(String, Sm, Vec<u128>, Vec<Record>)> {
    let mut all = Vec::new();
    for path in project::entries(&project::oracle("cubins")) {
        if !path.to_string_lossy().ends_with(".cubin.gz") {
            continue;
        }
        let bytes = gzip::read(&path);
        let cubin = Cubin::read(&bytes).expect("a cubin");
        let sm = cubin.chip().expect("a chip");
        for section in cubin.sections.iter().filter(|section| section.is_code()) {
            let name = cubin.section_name(section).replace(".text.", ".nv.info.");
            let Some(Content::Info(records)) = cubin.section(&name).map(|(_, one)| &one.content)
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
        let facts = facts_of(sm, &code);
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
        let facts = facts_of(sm, &words);
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
