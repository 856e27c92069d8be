//! Real PTX with one fault each: our verdict against ptxas's, and whether we point at the fault.
//! `docs/testing.md` describes `mutants.bases.gz` and `mutants.tsv.gz`.

use std::collections::BTreeMap;
use std::fmt::Write;
use warpc_diag::{Diagnostic, SourceFile};
use warpc_testkit::project;
use warpc_testkit::record::{Exceptions, Table, bases, unescape};

/// The share of mutants on which the verdict must be ptxas's.
const MIN_AGREEMENT: f64 = 0.99;
/// The share of rejected mutants for which a message must stand where the fault is, or where ptxas
/// saw it.
const MIN_PLACED: f64 = 0.98;

/// Agreements and the rest, by kind of fault.
#[derive(Default)]
struct Tally {
    count: usize,
    agreed: usize,
}

#[test]
fn recorded_mutants_are_judged_as_ptxas_judges_them() {
    let bases = bases(project::oracle("mutants.bases.gz"));
    let table = Table::read(project::oracle("mutants.tsv.gz"));
    let column = |wanted: &str| table.column(wanted);
    let [base, kind, start, end] = ["base", "kind", "start", "end"].map(column);
    let [replacement, line, verdict, ptxas_line, message] =
        ["replacement", "line", "verdict", "ptxas_line", "message"].map(column);
    let exceptions = Exceptions::of("mutants.tsv.gz");
    let limit: usize = std::env::var("WARPC_SHOW")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(60);
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    let mut report = String::new();
    let (mut judged, mut agreed, mut excused, mut shown) = (0usize, 0usize, 0usize, 0usize);
    let (mut rejected, mut placed, mut helped, mut misplaced) =
        (0usize, 0usize, 0usize, String::new());
    for row in &table.rows {
        // Where ptxas died there is no verdict to agree with.
        if row[verdict] == "crash" {
            continue;
        }
        let text = &bases[&row[base]];
        let (from, to): (usize, usize) = (
            row[start].parse().expect("start"),
            row[end].parse().expect("end"),
        );
        let mut mutant = text[..from].to_vec();
        mutant.extend_from_slice(&unescape(&row[replacement]));
        mutant.extend_from_slice(&text[to..]);
        let file = SourceFile::new(row[0].clone(), mutant).expect("a short text");
        let parsed = warpc_ptx::check(&file);
        let ours = !parsed.diagnostics.has_errors();
        let theirs = row[verdict] == "accept";
        let tally = tallies.entry(&row[kind]).or_default();
        tally.count += 1;
        judged += 1;
        if ours == theirs {
            agreed += 1;
            tally.agreed += 1;
        } else if exceptions.reason(&row[kind]).is_some() {
            excused += 1;
        } else {
            shown += 1;
            if shown <= limit {
                let first = parsed
                    .diagnostics
                    .as_slice()
                    .first()
                    .map_or("", |d| d.message.as_str());
                let place: usize = row[line].parse().unwrap_or(1);
                let source = String::from_utf8_lossy(file.bytes())
                    .lines()
                    .nth(place - 1)
                    .unwrap_or("")
                    .trim()
                    .to_owned();
                let _ = writeln!(
                    report,
                    "{} {} {}: {source}\n    ptxas: {}\n    ours: {first}",
                    row[0], row[kind], row[verdict], row[message]
                );
            }
        }
        if !ours && !theirs {
            rejected += 1;
            let lines: Vec<String> = parsed
                .diagnostics
                .as_slice()
                .iter()
                .map(|d| file.position(d.span.start).line.to_string())
                .collect();
            let says_what_is_right = |d: &Diagnostic| {
                d.help.is_some() || !d.related.is_empty() || d.message.starts_with("expected ")
            };
            match parsed
                .diagnostics
                .as_slice()
                .iter()
                .find(|d| !says_what_is_right(d))
            {
                None => helped += 1,
                Some(silent) => {
                    let _ = writeln!(
                        misplaced,
                        "{} {} without help: {}",
                        row[0], row[kind], silent.message
                    );
                }
            }
            if lines
                .iter()
                .any(|at| *at == row[line] || *at == row[ptxas_line])
            {
                placed += 1;
            } else if misplaced.len() < 20 * limit {
                let first = parsed
                    .diagnostics
                    .as_slice()
                    .first()
                    .map_or("", |d| d.message.as_str());
                let _ = writeln!(
                    misplaced,
                    "{} {} at {} (ptxas {}), ours {}: {first}",
                    row[0],
                    row[kind],
                    row[line],
                    row[ptxas_line],
                    lines.join(",")
                );
            }
        }
    }
    for (kind, tally) in &tallies {
        if tally.agreed < tally.count {
            println!(
                "{kind}: {} of {} differ",
                tally.count - tally.agreed,
                tally.count
            );
        }
    }
    println!(
        "mutants: {judged} judged, {agreed} agree, {excused} known exceptions, {shown} others; \
         {rejected} rejected, {placed} at the right place, {helped} with help"
    );
    let verdicts_hold = agreed as f64 >= MIN_AGREEMENT * judged as f64;
    let places_hold = placed as f64 >= MIN_PLACED * rejected as f64;
    assert!(
        verdicts_hold && places_hold && helped == rejected,
        "{agreed} of {judged} verdicts are ptxas's, the others:\n{report}\n\
         {placed} of {rejected} rejections point at the fault, the others:\n{misplaced}"
    );
}
