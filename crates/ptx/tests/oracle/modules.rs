//! Whole small modules: declarations, directives, functions, calls, literals. Our verdict against
//! ptxas's, from `modules.tsv.gz`.

use crate::data::{Exceptions, lines};
use std::fmt::Write;
use warpc_diag::SourceFile;

/// The share of cases that may differ, each of them for a reason in `exceptions.tsv`.
const MAX_EXCEPTIONS: f64 = 0.02;

/// Undoes the escapes of the table: `\n`, `\t`, `\r`, `\0`, `\\`, `\xNN`.
fn unescape(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut bytes = text.iter().copied();
    while let Some(b) = bytes.next() {
        if b != b'\\' {
            out.push(b);
            continue;
        }
        out.push(match bytes.next() {
            Some(b'n') => b'\n',
            Some(b't') => b'\t',
            Some(b'r') => b'\r',
            Some(b'0') => 0,
            Some(b'x') => {
                let digit =
                    |b: Option<u8>| b.and_then(|b| (b as char).to_digit(16)).unwrap_or(0) as u8;
                let high = digit(bytes.next());
                high << 4 | digit(bytes.next())
            }
            Some(other) => other,
            None => b'\\',
        });
    }
    out
}

#[test]
#[ignore = "the tables are being filled"]
fn recorded_modules_are_judged_as_ptxas_judges_them() {
    let exceptions = Exceptions::of("modules.tsv.gz");
    let rows = lines("modules.tsv.gz");
    let (mut count, mut excused, mut wrong) = (0usize, 0usize, 0usize);
    let mut report = String::new();
    for row in &rows[1..] {
        let fields: Vec<&[u8]> = row.split(|&b| b == b'\t').collect();
        let [id, _target, verdict, _line, _flag, text] = fields[..] else {
            panic!("a row of {} fields", fields.len());
        };
        let id = String::from_utf8_lossy(id).into_owned();
        let source = unescape(text);
        let Some(file) = SourceFile::new(id.clone(), source.clone()) else {
            panic!("{id} is too long");
        };
        let mut parsed = warpc_ptx::parse(&file);
        if !parsed.diagnostics.has_errors() {
            parsed.diagnostics = warpc_ptx::verify(&parsed.module, Some(&file));
        }
        count += 1;
        let ours = !parsed.diagnostics.has_errors();
        if ours == (verdict == b"y") {
            continue;
        }
        if exceptions.reason(&id).is_some() {
            excused += 1;
            continue;
        }
        wrong += 1;
        let limit: usize = std::env::var("WARPC_SHOW")
            .ok()
            .and_then(|n| n.parse().ok())
            .unwrap_or(30);
        if wrong <= limit {
            let message = parsed
                .diagnostics
                .as_slice()
                .first()
                .map_or("", |d| d.message.as_str());
            let _ = writeln!(
                report,
                "{id} ptxas {} {message}\n{}\n",
                String::from_utf8_lossy(verdict),
                String::from_utf8_lossy(text)
            );
        }
    }
    println!("modules: {count} cases, {excused} known exceptions, {wrong} wrong");
    assert!(
        wrong == 0,
        "{wrong} of {count} modules are judged otherwise than by ptxas:\n{report}"
    );
    assert!(
        (excused as f64) < MAX_EXCEPTIONS * count as f64,
        "{excused} of {count} cases are exceptions"
    );
}
