//! Operands of every kind in every place: register types, constants, vectors, sinks, predicates,
//! addresses, special registers. Our verdict against ptxas's, from `operands.tsv.gz`.

use std::fmt::Write;
use warpc_diag::SourceFile;
use warpc_testkit::project;
use warpc_testkit::record::{Exceptions, Table};
use warpc_testkit::wrap::wrap_operands;

/// How many cases differ from ptxas for a reason in `exceptions.tsv`. The patterns there are coarse, so
/// the number is pinned: a case that starts or stops to differ after one of them shows here.
const EXCEPTIONS: usize = 1465;

#[test]
fn recorded_operands_are_judged_as_ptxas_judges_them() {
    let rows = Table::read(project::oracle("operands.tsv.gz")).rows;
    let exceptions = Exceptions::of("operands.tsv.gz");
    let limit: usize = std::env::var("WARPC_SHOW")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(40);
    let (mut excused, mut wrong) = (0usize, 0usize);
    let mut report = String::new();
    for row in &rows {
        let [id, target, verdict, instruction] = &row[..] else {
            panic!("a row of {} fields", row.len());
        };
        let file =
            SourceFile::new(id.clone(), wrap_operands(target, instruction)).expect("a short text");
        let parsed = warpc_ptx::check(&file);
        if parsed.diagnostics.has_errors() == (verdict == "n") {
            continue;
        }
        if exceptions
            .reason(instruction)
            .or_else(|| exceptions.reason(id))
            .is_some()
        {
            excused += 1;
            continue;
        }
        wrong += 1;
        if wrong <= limit {
            let message = parsed
                .diagnostics
                .as_slice()
                .first()
                .map_or("", |d| d.message.as_str());
            let _ = writeln!(
                report,
                "{id} {target} ptxas {verdict}: {instruction}  {message}"
            );
        }
    }
    println!(
        "operands: {} cases, {excused} known exceptions, {wrong} wrong",
        rows.len()
    );
    assert!(
        wrong == 0,
        "{wrong} of {} cases are judged otherwise than by ptxas:\n{report}",
        rows.len()
    );
    assert_eq!(
        excused, EXCEPTIONS,
        "the number of known exceptions changed: say why in docs/deviations.md"
    );
}
