//! Modules with one fault each: our verdict against LLVM's, and whether we point at the fault.

use crate::data::{bases, table};
use std::collections::BTreeMap;
use std::fmt::Write;
use warpc_diag::{Diagnostics, SourceFile};
use warpc_testkit::record::unescape;

/// The share of mutants on which the verdict must be LLVM's.
const MIN_AGREEMENT: f64 = 0.99;

/// What reading and verifying has to say, in the order of the text.
fn check(file: &SourceFile) -> Diagnostics {
    let read = warpc_nvvm::read_text(file);
    let mut diagnostics = read.diagnostics;
    if !diagnostics.has_errors() {
        diagnostics.append(warpc_nvvm::verify(read.value.as_ref().unwrap()));
    }
    diagnostics
}

fn unescaped(cell: &str) -> String {
    String::from_utf8(unescape(cell)).expect("tables are text")
}

#[test]
fn recorded_mutants_are_judged_as_llvm_judges_them() {
    let bases = bases();
    for (id, text) in &bases {
        let file = SourceFile::new(id.as_str(), text.clone()).expect("a short text");
        let said = check(&file);
        let first = said.as_slice().first().map(|d| &d.message);
        assert!(!said.has_errors(), "{id} is refused: {first:?}");
    }
    let table = table();
    let rows = table.by_title();
    let limit: usize = std::env::var("WARPC_SHOW")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(40);
    let misplaced_shown = std::env::var_os("WARPC_SHOW_MISPLACED").is_some();
    let only = std::env::var("WARPC_ORACLE_KIND").unwrap_or_default();
    let mut kinds: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let (mut judged, mut agreed, mut rejected, mut placed) = (0usize, 0usize, 0usize, 0usize);
    let mut differences = Vec::new();
    for row in rows.iter().filter(|row| row["kind"].contains(&only)) {
        let base = &bases[row["base"]];
        let number = |column: &str| row[column].parse::<usize>().expect("a number");
        let mut text = base.clone();
        text.replace_range(
            number("start")..number("end"),
            &unescaped(row["replacement"]),
        );
        let file = SourceFile::new(row["id"], text).expect("a short text");
        let said = check(&file);
        // Where LLVM died there is no verdict to agree with; that we did not is enough.
        if row["verdict"] == "crash" {
            continue;
        }
        let ours = !said.has_errors();
        let theirs = row["verdict"] != "reject";
        let kind = kinds.entry(row["kind"]).or_default();
        kind.0 += 1;
        judged += 1;
        if ours == theirs {
            kind.1 += 1;
            agreed += 1;
        } else {
            let text = String::from_utf8_lossy(file.bytes()).into_owned();
            let source = text.lines().nth(number("line") - 1).unwrap_or_default();
            let first = said.as_slice().first().map_or("", |d| &d.message);
            let mut difference = String::new();
            let _ = write!(
                difference,
                "{} {} {}: {}\n    LLVM: {}\n    ours: {first}",
                row["id"],
                row["kind"],
                row["verdict"],
                source.trim(),
                unescaped(row["message"])
            );
            differences.push(difference);
        }
        if !ours && !theirs {
            rejected += 1;
            let lines = [number("line"), number("llvm_line")];
            let at = |d: &warpc_diag::Diagnostic| file.position(d.span.start).line;
            if said.as_slice().iter().any(|d| lines.contains(&at(d))) {
                placed += 1;
            } else if misplaced_shown {
                let d = &said.as_slice()[0];
                println!(
                    "misplaced {} {}: line {}, ours {}: {} (LLVM: {})",
                    row["id"],
                    row["kind"],
                    number("line"),
                    at(d),
                    d.message,
                    unescaped(row["message"])
                );
            }
        }
    }
    let share = agreed as f64 / judged.max(1) as f64;
    let mut report = String::new();
    for (kind, (count, same)) in kinds.iter().filter(|(_, (count, same))| count != same) {
        let _ = writeln!(report, "  {kind:26} {same} of {count}");
    }
    for difference in differences.iter().take(limit) {
        let _ = writeln!(report, "{difference}");
    }
    let summary = format!(
        "{agreed} of {judged} mutants judged as LLVM judges them ({:.2} %); of {rejected} rejected by both, {placed} \
         have a message on the line of the fault",
        share * 100.0
    );
    println!("{report}{summary}");
    assert!(judged > 0, "no mutant of that kind");
    assert!(share >= MIN_AGREEMENT, "{report}{summary}");
}
