//! Whole small modules: declarations, directives, functions, calls, literals. Our verdict, and the
//! line of our first message, against ptxas's, from `modules.tsv.gz`; and what we take must print
//! and read back as the same module.
//!
//! Columns: id, `-arch` that ptxas was given, its verdict, the line it named (`-` if none), further
//! options, the text.

use crate::instructions::newest;
use std::collections::BTreeMap;
use std::fmt::Write;
use warpc_diag::{Diagnostics, SourceFile};
use warpc_ptx::Module;
use warpc_target::{PtxVersion, Sm};
use warpc_testkit::project;
use warpc_testkit::record::{Exceptions, lines, unescape};

/// How many cases differ from ptxas for a reason in `exceptions.tsv`. The patterns there are coarse, so
/// the number is pinned: a case that starts or stops to differ after one of them shows here.
const EXCEPTIONS: usize = 382;

/// The share of rejections in which our first message may stand in another statement than ptxas's.
const MAX_OTHER_LINES: f64 = 0.02;

/// The lines of the statement around a place: from where it starts to the token after it, where
/// ptxas often notices.
fn statement_lines(file: &SourceFile, offset: u32) -> std::ops::RangeInclusive<usize> {
    let bytes = file.bytes();
    let ends = |b: u8| matches!(b, b';' | b'{' | b'}');
    let at = (offset as usize).min(bytes.len());
    let start = bytes[..at]
        .iter()
        .rposition(|&b| ends(b))
        .map_or(0, |i| i + 1);
    let start = start
        + bytes[start..]
            .iter()
            .position(|b| !b.is_ascii_whitespace())
            .unwrap_or(0);
    let end = bytes[at..]
        .iter()
        .position(|&b| ends(b))
        .map_or(bytes.len(), |i| at + i + 1);
    let next = bytes[end..]
        .iter()
        .position(|b| !b.is_ascii_whitespace())
        .map_or(bytes.len(), |i| end + i);
    let line = |offset: usize| file.position(offset as u32).line;
    line(start.min(at))..=line(next)
}

/// Whether a module prints as text that reads back as itself and prints the same again.
fn round_trip(module: &Module) -> Result<(), String> {
    let text = warpc_ptx::print(module);
    let file = SourceFile::new("printed", text.clone()).ok_or("too long")?;
    let again = warpc_ptx::parse(&file);
    if let Some(first) = again.diagnostics.as_slice().first() {
        return Err(format!("the print is not read: {}\n{text}", first.message));
    }
    if again.value.as_ref() != Some(module) {
        return Err(format!("the print is another module:\n{text}"));
    }
    if warpc_ptx::print(again.value.as_ref().unwrap()) != text {
        return Err(format!("the print is printed otherwise:\n{text}"));
    }
    Ok(())
}

/// What we say to a text; the module if it can be read.
fn judge(file: &SourceFile) -> (Option<Module>, Diagnostics) {
    let parsed = warpc_ptx::parse(file);
    match parsed.value {
        Some(module) if !parsed.diagnostics.has_errors() => {
            let diagnostics = warpc_ptx::verify(&module, Some(file));
            (Some(module), diagnostics)
        }
        module => (module, parsed.diagnostics),
    }
}

#[test]
fn recorded_modules_are_judged_as_ptxas_judges_them() {
    let exceptions = Exceptions::of("modules.tsv.gz");
    let rows = lines(project::oracle("modules.tsv.gz"));
    let limit: usize = std::env::var("WARPC_SHOW")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(30);
    let (mut count, mut excused, mut wrong) = (0usize, 0usize, 0usize);
    let (mut placed, mut misplaced, mut changed) = (0usize, 0usize, 0usize);
    let mut report = String::new();
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for row in &rows[1..] {
        let fields: Vec<&[u8]> = row.split(|&b| b == b'\t').collect();
        let [id, arch, verdict, line, _flag, text] = fields[..] else {
            panic!("a row of {} fields", fields.len());
        };
        let id = String::from_utf8_lossy(id).into_owned();
        let text_shown = String::from_utf8_lossy(text);
        let Some(file) = SourceFile::new(id.clone(), unescape(text)) else {
            panic!("{id} is too long");
        };
        let (module, diagnostics) = judge(&file);
        count += 1;
        let first = diagnostics.as_slice().first();
        let arch: Option<Sm> = String::from_utf8_lossy(arch).parse().ok();
        // The older chips were asked of the older toolkit, which knows fewer versions.
        let newest: Option<PtxVersion> = newest(&String::from_utf8_lossy(fields[1])).parse().ok();
        let is_taken = |module: &Module| {
            arch.is_some_and(|arch| arch.takes(module.sm))
                && newest.is_some_and(|newest| module.version <= newest)
        };
        let ours = first.is_none() && module.as_ref().is_some_and(is_taken);
        let mut show = |counter: &mut usize, what: &str| {
            *counter += 1;
            if *counter <= limit {
                let message = first.map_or("", |d| d.message.as_str());
                let _ = writeln!(report, "{id} {what}: {message}\n    {text_shown}");
            }
        };
        if ours != (verdict == b"y") {
            if let Some(reason) = exceptions.reason(&id) {
                excused += 1;
                *reasons.entry(reason.to_owned()).or_default() += 1;
            } else {
                let what = format!("ptxas {}", String::from_utf8_lossy(verdict));
                show(&mut wrong, &what);
            }
            continue;
        }
        if first.is_none()
            && let Some(module) = &module
            && let Err(problem) = round_trip(module)
        {
            show(&mut changed, &problem);
        }
        let theirs: Option<usize> = String::from_utf8_lossy(line).parse().ok();
        if let (Some(first), Some(theirs)) = (first, theirs) {
            placed += 1;
            if !statement_lines(&file, first.span.start).contains(&theirs) {
                let ours = file.position(first.span.start).line;
                show(&mut misplaced, &format!("line {theirs}, ours {ours}"));
            }
        }
    }
    for (reason, count) in &reasons {
        println!("{count:4} {reason}");
    }
    println!(
        "modules: {count} cases, {excused} known exceptions, {wrong} wrong; \
         {placed} lines, {misplaced} elsewhere; {changed} changed by printing"
    );
    assert!(
        wrong == 0 && changed == 0 && misplaced as f64 <= MAX_OTHER_LINES * placed as f64,
        "of {count} modules {wrong} are judged otherwise than by ptxas, {misplaced} elsewhere, \
         {changed} change when printed:\n{report}"
    );
    assert_eq!(
        excused, EXCEPTIONS,
        "the number of known exceptions changed: say why in docs/deviations.md"
    );
}
