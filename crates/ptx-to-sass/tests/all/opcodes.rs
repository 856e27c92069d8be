//! The vocabulary against what ptxas was seen to emit: `tests/oracle/sass_of_ptx.tsv.gz` has a form of PTX in a line, where
//! it stood, and for thirteen chips the opcodes that it added to a kernel. An empty cell was not asked.
//!
//! The record was made by taking the opcodes of a kernel without the form away, by number. So it has no moves between
//! registers, an instruction of the kernel's own may be left in it (`SETUP`), and the order is the scheduler's.
//! A cell agrees when its opcodes are the table's; how exactly is counted. Whatever else differs is in `EXCEPTIONS`
//! with its reason, and must differ.

use crate::forms::described;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use warpc_ptx::inst::Mnemonic;
use warpc_ptx_to_sass::{Context, Description, Opcode, Source, Unknown};
use warpc_sass::Forms;
use warpc_target::Sm;
use warpc_testkit::{gzip, project};

/// Opcodes that move operands to where an instruction wants them, and that the kernels around the forms have of their
/// own: addresses of threads, parameters, descriptors.
const SETUP: [&str; 12] = [
    "IMAD.SHL.U32",
    "R2UR",
    "ULDC",
    "ULDC.64",
    "LDC",
    "LDC.64",
    "LDCU",
    "LDCU.64",
    "IMAD.WIDE.U32",
    "LDG.E.STRONG.SYS",
    "S2R(SR_TID.X)",
    "SHF.L.U32",
];

/// Cells that do not agree: family, start of the instruction, chips, why.
const EXCEPTIONS: &[(&str, &str, &[&str], &str)] = &[
    (
        "exit",
        "exit",
        &ALL,
        "the kernel's own EXIT was taken away, and this one with it",
    ),
    (
        "setmaxnreg",
        "setmaxnreg",
        &["sm_90a", "sm_100a", "sm_103a", "sm_110a"],
        "ptxas ignores it in kernels without a limit of registers, as these are (C7508)",
    ),
];

/// What `warpc-ptx` refuses, and how often, although ptxas takes it: words that such instructions have.
const REFUSED: [(&[&str], i32); 4] = [
    // The manual does not define them.
    (&["fence.proxy.", ".acq_rel"], 8),
    (&["fence.proxy.tensormap::generic", "sync_restrict"], 8),
    // ptxas moves one element.
    (&["ld.", ".v8.b8"], 9),
    (&["st.", ".v8.b"], 18),
];

const ALL: [&str; 13] = [
    "sm_75", "sm_80", "sm_86", "sm_87", "sm_89", "sm_90", "sm_90a", "sm_100", "sm_100a", "sm_103a",
    "sm_110a", "sm_120", "sm_121",
];

fn record() -> String {
    gzip::read_text(project::oracle("sass_of_ptx.tsv.gz"))
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Agreement {
    Same,
    OtherOrder,
    Setup,
    Absent,
    Differs,
}

/// What the table says for a cell.
fn ours(form: &Description, context: Context, sm: Sm) -> Option<Vec<String>> {
    let sequence = form.sequence(context, sm).ok()?;
    Some(sequence.opcodes.iter().map(ToString::to_string).collect())
}

fn compare(ours: Option<&[String]>, cell: &str, instruction: &str) -> Agreement {
    let Some(ours) = ours else {
        return match cell {
            "-" => Agreement::Absent,
            _ => Agreement::Differs,
        };
    };
    let theirs: Vec<&str> = match cell {
        "-" => return Agreement::Differs,
        "(none)" => vec![],
        _ => cell.split(' ').collect(),
    };
    let mut ours: Vec<&str> = ours.iter().map(String::as_str).collect();
    if ours == theirs {
        return Agreement::Same;
    }
    let mut theirs = theirs;
    ours.sort_unstable();
    theirs.sort_unstable();
    if ours == theirs {
        return Agreement::OtherOrder;
    }
    // The predicate that goes in is made from a word of memory; where the kernel has another comparison, this one is left.
    if instruction.contains("%p2") {
        let spare = theirs
            .iter()
            .position(|opcode| *opcode == "ISETP.NE.U32.AND");
        let mut fewer = theirs.clone();
        if let Some(spare) = spare {
            fewer.remove(spare);
        }
        if ours == fewer {
            return Agreement::Setup;
        }
    }
    ours.retain(|opcode| !SETUP.contains(opcode));
    theirs.retain(|opcode| !SETUP.contains(opcode));
    match ours == theirs {
        true => Agreement::Setup,
        false => Agreement::Differs,
    }
}

#[test]
fn every_recorded_form() {
    let text = record();
    let mut lines = text
        .lines()
        .map(|line| line.split('\t').collect::<Vec<_>>());
    let head = lines.next().expect("a head");
    let chips: Vec<Sm> = head[3..]
        .iter()
        .map(|name| name.parse().expect("a chip"))
        .collect();
    let mut counts: BTreeMap<(String, usize), [usize; 5]> = BTreeMap::new();
    let mut wrong = String::new();
    let mut refusals = vec![0; REFUSED.len()];
    let mut excused = vec![0; EXCEPTIONS.len()];
    let mut forms = 0;
    let lines: Vec<Vec<&str>> = lines.collect();
    let described = described(lines.iter().map(|line| line[1]));
    assert_eq!(described.len(), lines.len());
    for (line, form) in lines.iter().zip(described) {
        let (family, instruction) = (line[0], line[1]);
        forms += 1;
        let form = match form {
            Ok(Ok(form)) => form,
            Err(refused) => {
                let known = REFUSED
                    .iter()
                    .position(|(all, _)| all.iter().all(|word| instruction.contains(word)));
                match known {
                    Some(row) => refusals[row] += 1,
                    None => {
                        let _ = writeln!(wrong, "{family}\t{instruction}\t{refused}");
                    }
                }
                continue;
            }
            // It is a number, as good as any.
            Ok(Err(_)) if instruction.contains("WARP_SZ") => continue,
            Ok(Err(error)) => {
                let _ = writeln!(wrong, "{family}\t{error}");
                continue;
            }
        };
        let context = match line[2] {
            "divergent" => Context::Divergent,
            // Nothing follows what gives no result: the kernel ends there.
            _ if gives_nothing(instruction) => Context::Last,
            _ => Context::Straight,
        };
        for (index, (&sm, &cell)) in chips.iter().zip(&line[3..]).enumerate() {
            // Not asked on this chip.
            if cell.is_empty() {
                continue;
            }
            let ours = ours(&form, context, sm);
            let mut agreement = compare(ours.as_deref(), cell, instruction);
            if agreement == Agreement::Differs {
                let name = sm.to_string();
                let excuse = EXCEPTIONS.iter().position(|(of, start, on, _)| {
                    *of == family && instruction.starts_with(start) && on.contains(&name.as_str())
                });
                match excuse {
                    Some(excuse) => excused[excuse] += 1,
                    None => {
                        let ours = ours.map_or("-".to_owned(), |ours| ours.join(" "));
                        let _ = writeln!(
                            wrong,
                            "{family}\t{instruction}\t{}\t{name}\n    ptxas {cell}\n    ours  {ours}",
                            line[2]
                        );
                    }
                }
            } else if cell == "-" {
                agreement = Agreement::Absent;
            }
            counts.entry((family.to_owned(), index)).or_default()[agreement as usize] += 1;
        }
    }
    println!("{}", report(&counts, &chips));
    assert_eq!(forms, 4_827);
    let expected: Vec<i32> = REFUSED.iter().map(|row| row.1).collect();
    assert_eq!(refusals, expected);
    assert!(
        wrong.is_empty(),
        "{} lines\n{}",
        wrong.lines().count(),
        wrong
    );
    for (count, (family, start, chips, reason)) in excused.iter().zip(EXCEPTIONS) {
        assert!(*count > 0, "{family} {start} {chips:?} agrees: {reason}");
    }
}

/// Whether an instruction has no result that could be used.
fn gives_nothing(instruction: &str) -> bool {
    let name = instruction.split([' ', ';']).next().unwrap_or_default();
    let first = name.split('.').next().unwrap_or_default();
    matches!(first, "red" | "st")
}

/// Cells by family and chip: in the same order, in another, with the kernel's own; of all that there are.
fn report(counts: &BTreeMap<(String, usize), [usize; 5]>, chips: &[Sm]) -> String {
    let mut text =
        String::from("family | same order | other order | with set-up | differ | absent\n");
    let mut families: BTreeMap<&str, [usize; 5]> = BTreeMap::new();
    let mut by_chip = vec![[0; 5]; chips.len()];
    for ((family, chip), row) in counts {
        for (index, count) in row.iter().enumerate() {
            families.entry(family).or_default()[index] += count;
            by_chip[*chip][index] += count;
        }
    }
    let names = families
        .into_iter()
        .map(|(name, row)| (name.to_owned(), row));
    let chips = chips.iter().map(ToString::to_string).zip(by_chip);
    for (name, [same, order, setup, absent, differ]) in names.chain(chips) {
        let _ = writeln!(
            text,
            "{name} | {same} | {order} | {setup} | {differ} | {absent}"
        );
    }
    text
}

/// Every opcode of a sequence is one that the tables of instructions have on that chip, with those modifiers.
#[test]
fn every_opcode_has_a_row() {
    let text = record();
    let mut lines = text.lines();
    let head = lines.next().expect("a head");
    let chips: Vec<Sm> = head
        .split('\t')
        .skip(3)
        .map(|name| name.parse().expect("a chip"))
        .collect();
    let mut opcodes: BTreeSet<(Sm, Opcode)> = BTreeSet::new();
    let instructions = lines.map(|line| line.split('\t').nth(1).expect("an instruction"));
    for form in described(instructions) {
        let Ok(Ok(form)) = form else { continue };
        for context in [Context::Straight, Context::Divergent] {
            for &sm in &chips {
                let sequence = form.sequence(context, sm).ok();
                let found = sequence.into_iter().flat_map(|sequence| sequence.opcodes);
                opcodes.extend(found.map(|opcode| (sm, opcode)));
            }
        }
    }
    let mut missing = String::new();
    for (sm, opcode) in &opcodes {
        // The words that the rows of that name can print.
        let rows = Forms::get().named(*sm, opcode.name());
        let templates: Vec<String> = rows.map(|row| format!("{:?}", row.pieces())).collect();
        let has = |word: &str| templates.iter().any(|text| text.contains(word));
        // A modifier may be put together from two fields: IV and ALL.
        let known = |modifier: &str| {
            let parts = 2..modifier.len().saturating_sub(1);
            has(modifier)
                || parts
                    .filter_map(|at| modifier.split_at_checked(at))
                    .any(|(start, end)| has(start) && has(end))
        };
        if templates.is_empty() || !opcode.modifiers().all(known) {
            let _ = writeln!(missing, "{sm} {opcode}");
        }
    }
    assert!(opcodes.len() > 1_500, "{}", opcodes.len());
    assert!(missing.is_empty(), "\n{missing}");
}

/// As ptxas 13.4 was seen to emit them, each between stores.
#[test]
fn fences_of_matrix_units() {
    for (sm, mnemonic, emitted) in [
        ("sm_90a", "wgmma.fence.sync.aligned", "WARPGROUP.ARRIVE"),
        (
            "sm_90a",
            "wgmma.commit_group.sync.aligned",
            "HGMMA.64x8x16.F16",
        ),
        (
            "sm_90a",
            "wgmma.wait_group.sync.aligned",
            "WARPGROUP.DEPBAR.LE",
        ),
        ("sm_100a", "tcgen05.fence::before_thread_sync", "NOP"),
        ("sm_100a", "tcgen05.fence::after_thread_sync", "NOP"),
        ("sm_100a", "tcgen05.wait::ld.sync.aligned", "NOP"),
        (
            "sm_100a",
            "tcgen05.wait::st.sync.aligned",
            "FENCE.VIEW.ASYNC.T",
        ),
    ] {
        let found = Mnemonic::find(mnemonic).expect("a mnemonic");
        let form = Description::of(Source::of_mnemonic(&found.choices[0])).expect("a form");
        let on = |sm: &str| form.sequence(Context::Straight, sm.parse().expect("a chip"));
        assert_eq!(on(sm).expect("on the chip").to_string(), emitted);
        assert!(on("sm_90").is_err());
    }
}

/// A modifier that no rule knows is not passed over.
#[test]
fn unknown_modifiers_are_refused() {
    for mnemonic in [
        "mbarrier.init.layout::v1.shared.b64",
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster",
        "fence.proxy.fabric::generic.alias.acquire.sys",
        "add.s32",
    ] {
        let found = Mnemonic::find(mnemonic).expect("a mnemonic");
        let described = Description::of(Source::of_mnemonic(&found.choices[0]));
        assert_eq!(described, Err(Unknown::Form(mnemonic.to_owned())));
    }
}
