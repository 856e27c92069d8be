//! Wired sequences against what ptxas makes of the instruction in a kernel: `tests/oracle/sass_wiring.tsv.gz` has an
//! instruction of PTX in a line and the machine instructions of its kernel, each with the origins of its operands
//! (`trace.rs`): operands of the PTX instruction by name, or the machine instructions that made them.

use crate::forms::described;
use crate::kernel::{self, values};
use crate::machine;
use crate::trace::Trace;
use std::fmt::Write as _;
use warpc_cubin::{Content, Cubin};
use warpc_ptx_to_sass::wired::Operand;
use warpc_ptx_to_sass::{Context, Sequence};
use warpc_target::Sm;
use warpc_testkit::{gzip, project, scratch};

const CHIP: &str = "sm_90a";

fn chip() -> Sm {
    CHIP.parse().expect("a chip")
}

/// The instructions of the record of opcodes that the chip has, in straight code.
fn recorded_forms() -> Vec<String> {
    let text = gzip::read_text(project::oracle("sass_of_ptx.tsv.gz"));
    let head = text.lines().next().expect("a head");
    let column = head
        .split('\t')
        .position(|name| name == "sm_90")
        .expect("the chip");
    let lines = text
        .lines()
        .skip(1)
        .map(|line| line.split('\t').collect::<Vec<_>>());
    let mut forms: Vec<String> = lines
        .filter(|line| line[2] == "straight" && !matches!(line[column], "-" | ""))
        // Signs of predicates are the operand's, not the wiring's.
        .filter(|line| !line[1].contains('!'))
        // The kernel itself reads them, and ends.
        .filter(|line| !line[1].contains("%tid") && line[1] != "exit;")
        .map(|line| line[1].to_owned())
        .collect();
    forms.sort();
    forms.dedup();
    forms
}

/// The sequences of instructions that are wired.
fn wired(forms: &[String]) -> Vec<Option<Sequence>> {
    let described = described(forms.iter().map(String::as_str)).into_iter();
    let sequences = described.map(|form| form.ok()?.ok()?.sequence(Context::Straight, chip()).ok());
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
    let ptxas = project::ptxas(CHIP).expect("WARPC_ORACLE_DIR");
    let folder = scratch::Folder::new("wiring");
    let forms = recorded_forms();
    let sequences = wired(&forms);
    let asked: Vec<&String> = forms
        .iter()
        .zip(&sequences)
        .filter(|(_, one)| one.is_some())
        .map(|(form, _)| form)
        .collect();
    let mut out = String::new();
    for chunk in asked.chunks(200) {
        let mut text = format!(".version 9.4\n.target {CHIP}\n.address_size 64\n");
        let values: Vec<_> = chunk.iter().map(|form| values(form)).collect();
        for (at, (form, values)) in chunk.iter().zip(&values).enumerate() {
            text.push_str(&kernel::text(&format!("k{at}"), form, values));
        }
        let (input, output) = (folder.path().join("k.ptx"), folder.path().join("k.cubin"));
        std::fs::write(&input, text).expect("a file");
        let ran = std::process::Command::new(&ptxas)
            .arg("-arch")
            .arg(CHIP)
            .arg("-o")
            .arg(&output)
            .arg(&input)
            .output()
            .expect("ptxas");
        assert!(
            ran.status.success(),
            "{}",
            String::from_utf8_lossy(&ran.stderr)
        );
        let cubin = Cubin::read(&std::fs::read(&output).expect("a cubin")).expect("a cubin");
        for (at, (form, values)) in chunk.iter().zip(&values).enumerate() {
            let (_, section) = cubin.section(&format!(".text.k{at}")).expect("code");
            let Content::Bytes(bytes) = &section.content else {
                panic!("code is bytes")
            };
            let words: Vec<u128> = bytes
                .chunks_exact(16)
                .map(|word| u128::from_le_bytes(word.try_into().expect("16 bytes")))
                .collect();
            let program = machine::of_words(chip(), &words, values).expect("known instructions");
            let lines = Trace::new(&program).lines(&[]);
            let _ = writeln!(out, "{form}\t{}", lines.join("\t"));
        }
    }
    let path = project::oracle("sass_wiring.tsv.gz");
    std::fs::write(path, gzip::pack(out)).expect("the record");
}

/// The lines without what ptxas loses: fences, and the strength of loads.
fn weakened(lines: Vec<String>) -> Vec<String> {
    const FENCES: [&str; 4] = ["MEMBAR.ALL", "ERRBAR", "CGAERRBAR", "CCTL.IVALL"];
    let is_kept = |line: &String| !FENCES.iter().any(|fence| line.starts_with(fence));
    let kept = lines.into_iter().filter(is_kept);
    let mut kept: Vec<String> = kept
        .map(|line| {
            let scopes = [".STRONG.SM", ".STRONG.GPU", ".STRONG.SYS"];
            scopes
                .iter()
                .fold(line, |line, scope| line.replace(scope, ""))
        })
        .collect();
    kept.sort();
    kept
}

/// The rows of the record.
fn rows(text: &str) -> Vec<(String, Vec<&str>)> {
    let row = |line: &'_ str| -> (String, usize) {
        let form = line.split('\t').next().unwrap_or_default();
        (form.to_owned(), form.len())
    };
    text.lines()
        .map(|line| {
            let (form, length) = row(line);
            let lines = line[length..].split('\t').filter(|part| !part.is_empty());
            (form, lines.collect())
        })
        .collect()
}

fn replayed() -> String {
    gzip::read_text(project::oracle("sass_wiring.tsv.gz"))
}

#[test]
fn every_wired_sequence() {
    let text = replayed();
    let rows = rows(&text);
    let forms: Vec<String> = rows.iter().map(|row| row.0.clone()).collect();
    let mut wrong = String::new();
    let (mut alike, mut restored) = (0, 0);
    for ((form, theirs), sequence) in rows.iter().zip(wired(&forms)) {
        let sequence = sequence.unwrap_or_else(|| panic!("{form} is no longer wired"));
        let ours = ours(form, &sequence);
        if ours == *theirs {
            assert_eq!(sequence.lost, None, "{form} loses nothing");
            alike += 1;
        } else if sequence.lost.is_some() && weakened(ours.clone()) == *theirs {
            restored += 1;
        } else {
            let _ = writeln!(wrong, "{form}");
            let differing = |mark: &str, these: &[String], those: &[String]| {
                let only = these.iter().filter(|line| !those.contains(line));
                only.map(|line| format!("    {mark} {line}\n"))
                    .collect::<String>()
            };
            let theirs: Vec<String> = theirs.iter().map(ToString::to_string).collect();
            wrong.push_str(&differing("ptxas", &theirs, &ours));
            wrong.push_str(&differing("ours ", &ours, &theirs));
        }
    }
    println!(
        "{alike} alike, {restored} with the order that ptxas loses, of {}",
        rows.len()
    );
    assert!(
        wrong.is_empty(),
        "{} differ\n{wrong}",
        rows.len() - alike - restored
    );
    assert!(alike > 3_900 && restored > 70, "{alike} {restored}");
}

/// What a wrong wiring looks like: two operands of a step that change places are seen in the trace.
#[test]
fn exchanged_operands_are_seen() {
    let text = replayed();
    // Some of each family.
    let all = rows(&text).into_iter().step_by(7);
    let forms: Vec<String> = all.map(|row| row.0).collect();
    let mut tried = 0;
    for (form, sequence) in forms.iter().zip(wired(&forms)) {
        let sequence = sequence.expect("a wired sequence");
        let right = ours(form, &sequence);
        let steps = sequence.wired.as_ref().expect("steps").steps.len();
        for at in 0..steps {
            let mut sequence = sequence.clone();
            let Ok(wired) = &mut sequence.wired else {
                continue;
            };
            let step = &mut wired.steps[at];
            let slots = step.shape.slots();
            let is_value =
                |operand: &Operand| matches!(operand, Operand::Ptx(..) | Operand::Temporary(..));
            let sources: Vec<usize> = (0..slots.len())
                .filter(|&slot| !slots[slot].is_written() && is_value(&step.operands[slot].operand))
                .collect();
            let [first, .., last] = sources[..] else {
                continue;
            };
            let same = |a: usize, b: usize| {
                slots[a].kind() == slots[b].kind() && slots[a].width == slots[b].width
            };
            if step.operands[first] == step.operands[last] || !same(first, last) {
                continue;
            }
            step.operands.swap(first, last);
            tried += 1;
            assert_ne!(ours(form, &sequence), right, "{form}: step {at}");
        }
    }
    assert!(tried > 200, "{tried}");
}
