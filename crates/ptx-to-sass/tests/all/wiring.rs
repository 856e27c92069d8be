//! Wired sequences against what ptxas makes of the instruction in a kernel: `tests/oracle/sass_wiring.tsv.gz` has an
//! instruction of PTX in a line and the machine instructions of its kernel, each with the origins of its operands
//! (`trace.rs`): operands of the PTX instruction by name, or the machine instructions that made them.

use crate::forms::described;
use crate::kernel::{self, values};
use crate::machine;
use crate::trace::Trace;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use warpc_cubin::{Content, Cubin};
use warpc_ptx_to_sass::wired::{Operand, Step};
use warpc_ptx_to_sass::{Context, Sequence};
use warpc_sass::template::Kind;
use warpc_sass::{Inst, encode};
use warpc_target::Sm;
use warpc_testkit::{gzip, project, scratch};

/// The chips that are asked, the column of the record of opcodes that says what they have, and every how many forms.
const CHIPS: [(&str, &str, usize); 9] = [
    ("sm_90a", "sm_90", 1),
    ("sm_80", "sm_80", 2),
    ("sm_89", "sm_89", 3),
    ("sm_100a", "sm_100a", 2),
    ("sm_120", "sm_120", 2),
    ("sm_86", "sm_86", 5),
    ("sm_103a", "sm_103a", 5),
    ("sm_110a", "sm_110a", 5),
    ("sm_121", "sm_121", 5),
];

/// The instructions of the record of opcodes that a chip has, in straight code.
fn recorded_forms(column: &str, step: usize) -> Vec<String> {
    let text = gzip::read_text(project::oracle("sass_of_ptx.tsv.gz"));
    let head = text.lines().next().expect("a head");
    let place = head.split('\t').position(|name| name == column);
    let place = place.expect("the chip");
    let lines = text
        .lines()
        .skip(1)
        .map(|line| line.split('\t').collect::<Vec<_>>());
    let mut forms: Vec<String> = lines
        .filter(|line| line[2] == "straight" && !matches!(line[place], "-" | ""))
        // Signs of predicates are the operand's, not the wiring's.
        .filter(|line| !line[1].contains('!'))
        // The kernel itself reads them, and ends.
        .filter(|line| !line[1].contains("%tid") && line[1] != "exit;")
        .map(|line| line[1].to_owned())
        .collect();
    forms.sort();
    forms.dedup();
    forms.into_iter().step_by(step).collect()
}

/// The sequences of instructions that are wired.
fn wired(forms: &[String], sm: Sm) -> Vec<Option<Sequence>> {
    let described = described(forms.iter().map(String::as_str)).into_iter();
    let sequences = described.map(|form| form.ok()?.ok()?.sequence(Context::Straight, sm).ok());
    sequences
        .map(|one| one.filter(|one| one.wired.is_ok()))
        .collect()
}

/// Our lines for an instruction.
fn ours(form: &str, sequence: &Sequence) -> Vec<String> {
    let wired = sequence.wired.as_ref().expect("a wired sequence");
    let values = values(form);
    let numbers = values
        .iter()
        .filter_map(|value| Some((value.cells[0].clone(), value.number?)));
    let program = machine::of_wired(wired, &numbers.collect::<Vec<_>>());
    let results = values.into_iter().filter(|value| value.is_result);
    let results: Vec<String> = results.flat_map(|value| value.cells).collect();
    Trace::new(&program).lines(&results)
}

/// Asks ptxas again and writes the record: `./x sass wiring`.
#[test]
#[ignore = "it needs ptxas"]
fn record() {
    let mut out = String::new();
    for (chip, column, step) in CHIPS {
        let sm = chip.parse().expect("a chip");
        let forms = recorded_forms(column, step);
        let sequences = wired(&forms, sm);
        let asked = forms.into_iter().zip(sequences);
        let asked: Vec<String> = asked
            .filter_map(|(form, sequence)| sequence.map(|_| form))
            .collect();
        for forms in asked.chunks(200) {
            for (form, lines) in forms.iter().zip(ask(chip, sm, forms)) {
                let _ = writeln!(out, "{chip}\t{form}\t{}", lines.join("\t"));
            }
        }
    }
    let path = project::oracle("sass_wiring.tsv.gz");
    std::fs::write(path, gzip::pack(out)).expect("the record");
}

/// What ptxas makes of instructions, each in a kernel.
fn ask(chip: &str, sm: Sm, forms: &[String]) -> Vec<Vec<String>> {
    let ptxas = project::ptxas(chip).expect("WARPC_ORACLE_DIR");
    let folder = scratch::Folder::new("wiring");
    let values: Vec<_> = forms.iter().map(|form| values(form)).collect();
    let mut text = format!(".version 9.4\n.target {chip}\n.address_size 64\n");
    for (at, (form, values)) in forms.iter().zip(&values).enumerate() {
        text.push_str(&kernel::text(&format!("k{at}"), form, values));
    }
    let (input, output) = (folder.file("k.ptx", text), folder.join("k.cubin"));
    let mut command = std::process::Command::new(ptxas);
    command
        .arg("-arch")
        .arg(chip)
        .arg("-o")
        .arg(&output)
        .arg(&input);
    let ran = command.output().expect("ptxas");
    assert!(
        ran.status.success(),
        "{}",
        String::from_utf8_lossy(&ran.stderr)
    );
    let cubin = Cubin::read(&std::fs::read(&output).expect("a cubin")).expect("a cubin");
    let lines = values.iter().enumerate().map(|(at, values)| {
        let (_, section) = cubin.section(&format!(".text.k{at}")).expect("code");
        let Content::Bytes(bytes) = &section.content else {
            panic!("code is bytes")
        };
        let words = bytes.chunks_exact(16);
        let words = words.map(|word| u128::from_le_bytes(word.try_into().expect("16 bytes")));
        let words: Vec<u128> = words.collect();
        let program = machine::of_words(sm, &words, values).expect("known instructions");
        Trace::new(&program).lines(&[])
    });
    lines.collect()
}

/// The lines without the fences that ptxas loses.
fn without_fences(lines: &[String]) -> Vec<String> {
    const FENCES: [&str; 4] = ["MEMBAR.ALL", "ERRBAR", "CGAERRBAR", "CCTL.IVALL"];
    let is_kept = |line: &&String| !FENCES.iter().any(|fence| line.starts_with(fence));
    lines.iter().filter(is_kept).cloned().collect()
}

/// Whether some lines are others and those of a loop in the shared memory of another block, which ptxas leaves out. Where
/// results come from is another set then.
fn has_one_loop_more(lines: &[String], others: &[String]) -> bool {
    let count = |lines: &[String], line: &String| lines.iter().filter(|one| *one == line).count();
    let kept = without_fences(others);
    let mut kept = kept.iter().filter(|line| !line.starts_with('%'));
    lines.iter().any(|line| line.starts_with("QSPC.E.D"))
        && lines
            .iter()
            .any(|line| line.starts_with("ATOM.E.CAST.SPIN"))
        && kept.all(|line| count(lines, line) >= count(others, line))
}

/// The lines without the strength of loads, which ptxas loses, too.
fn weakened(lines: &[String]) -> Vec<String> {
    let scopes = [".STRONG.SM", ".STRONG.GPU", ".STRONG.SYS"];
    let weak = |line: &String| {
        let line = line.clone();
        scopes
            .iter()
            .fold(line, |line, scope| line.replace(scope, ""))
    };
    let mut lines: Vec<String> = lines.iter().map(weak).collect();
    lines.sort();
    lines
}

/// A row of the record.
struct Row {
    chip: Sm,
    form: String,
    lines: Vec<String>,
}

fn rows() -> Vec<Row> {
    let text = gzip::read_text(project::oracle("sass_wiring.tsv.gz"));
    let row = |line: &str| {
        let mut parts = line.split('\t').filter(|part| !part.is_empty());
        Some(Row {
            chip: parts.next()?.parse().ok()?,
            form: parts.next()?.to_owned(),
            lines: parts.map(str::to_owned).collect(),
        })
    };
    let rows = text.lines().map(|line| row(line).expect("a row"));
    rows.collect()
}

/// The wired sequence of a row.
fn sequence(row: &Row) -> Sequence {
    let found = wired(std::slice::from_ref(&row.form), row.chip)
        .pop()
        .flatten();
    found.unwrap_or_else(|| panic!("{} is no longer wired on {}", row.form, row.chip))
}

#[test]
fn every_wired_sequence() {
    let mut wrong = String::new();
    let mut counts: BTreeMap<Sm, [usize; 3]> = BTreeMap::new();
    for row in rows() {
        let sequence = sequence(&row);
        let (form, theirs) = (&row.form, &row.lines);
        let ours = ours(form, &sequence);
        let count = counts.entry(row.chip).or_default();
        let unfenced = without_fences(&ours);
        let fences_alone = unfenced == *theirs || unfenced == without_fences(theirs);
        if sequence.lost.is_none() && ours == *theirs {
            count[0] += 1;
        } else if sequence.lost.is_some()
            && (fences_alone || weakened(&ours) == *theirs || has_one_loop_more(&ours, theirs))
        {
            count[1] += 1;
        } else {
            count[2] += 1;
            let _ = writeln!(wrong, "{} {form}", row.chip);
            let differing = |mark: &str, these: &[String], those: &[String]| {
                let only = these.iter().filter(|line| !those.contains(line));
                let lines = only.map(|line| format!("    {mark} {line}\n"));
                lines.collect::<String>()
            };
            wrong.push_str(&differing("ptxas", theirs, &ours));
            wrong.push_str(&differing("ours ", &ours, theirs));
        }
    }
    println!("chip: alike, with the order that ptxas loses, different: {counts:?}");
    assert!(wrong.is_empty(), "{counts:?}\n{wrong}");
    let alike: usize = counts.values().map(|count| count[0]).sum();
    let restored: usize = counts.values().map(|count| count[1]).sum();
    assert!(alike > 6_000 && restored > 100, "{alike} {restored}");
}

/// What a wrong wiring looks like: two operands of a step that change places are seen in the trace.
#[test]
fn exchanged_operands_are_seen() {
    let mut tried = 0;
    // Some of each family.
    for row in rows().iter().step_by(9) {
        let sequence = sequence(row);
        let right = ours(&row.form, &sequence);
        let steps = sequence.wired.as_ref().expect("steps").steps.len();
        for at in 0..steps {
            let mut sequence = sequence.clone();
            let Ok(wired) = &mut sequence.wired else {
                continue;
            };
            if exchange(&mut wired.steps[at]) {
                tried += 1;
                assert_ne!(ours(&row.form, &sequence), right, "{}: step {at}", row.form);
            }
        }
    }
    assert!(tried > 200, "{tried}");
}

/// Exchanges the first and the last source of a step; whether that changes it.
fn exchange(step: &mut Step) -> bool {
    let slots = step.shape.slots();
    let is_value = |operand: &Operand| matches!(operand, Operand::Ptx(..) | Operand::Temporary(..));
    let sources = (0..slots.len())
        .filter(|&slot| !slots[slot].is_written() && is_value(&step.operands[slot].operand));
    let sources: Vec<usize> = sources.collect();
    let [first, .., last] = sources[..] else {
        return false;
    };
    let alike = slots[first].kind() == slots[last].kind()
        && slots[first].width == slots[last].width
        && step.operands[first] != step.operands[last];
    if alike {
        step.operands.swap(first, last);
    }
    alike
}

/// An operand that a slot takes, where a name stands.
fn example(kind: Kind, operand: Operand) -> warpc_sass::Value {
    use warpc_sass::Value;
    match (operand, kind) {
        (Operand::Value(value), _) => value,
        (Operand::Offset(_), _) => Value::Number(0x20),
        (Operand::Label(_), _) => Value::Place(0x20),
        (_, Kind::Register) => Value::Register(8),
        (_, Kind::Uniform) => Value::Uniform(8),
        (_, Kind::Predicate) => Value::Predicate(1),
        (_, Kind::UniformPredicate) => Value::UniformPredicate(1),
        (_, kind) => {
            assert_eq!(kind, Kind::Barrier, "{operand}");
            Value::Barrier(1)
        }
    }
}

/// Once its operands have registers, every step is an instruction.
#[test]
fn steps_can_be_encoded() {
    let mut count = 0;
    for row in rows().iter().step_by(3) {
        let sequence = sequence(row);
        for step in &sequence.wired.as_ref().expect("steps").steps {
            let slots = step.shape.slots().iter().zip(&step.operands);
            let operands = slots
                .map(|(slot, operand)| example(slot.kind(), operand.operand).marked(operand.marks));
            let inst = Inst::new(step.shape).with(operands.collect::<Vec<_>>());
            if let Err(misfit) = encode::encode(&inst) {
                panic!("{} {}: {step} has {misfit}", row.chip, row.form);
            }
            count += 1;
        }
    }
    assert!(count > 10_000, "{count}");
}
