//! The matrix of LLVM's atomics, compiled and judged.

use warpc_judge::matrix;
use warpc_judge::run::Compiler;
use warpc_testkit::project;

/// Without the tools around (`WARPC_ORACLE_DIR`) one case in so many: a prime, so that all kinds are among them.
const SAMPLE: usize = 5;

#[test]
fn every_atomic_keeps_what_was_asked() {
    let whole = project::reference_tools().is_some();
    let step = if whole { 1 } else { SAMPLE };
    let cases: Vec<_> = matrix::cases().into_iter().step_by(step).collect();
    let report = Compiler::default().report(&cases, &matrix::targets());
    print!("{report}");
    assert!(report.cases > 100_000, "{}", report.cases);
    assert!(report.is_good(), "{report}");
}

#[test]
fn every_atomic_keeps_it_without_optimisation() {
    let compiler = Compiler {
        level: 0,
        ..Compiler::default()
    };
    let cases: Vec<_> = matrix::cases().into_iter().step_by(97).collect();
    let report = compiler.report(&cases, &matrix::targets());
    assert!(report.cases > 5_000, "{}", report.cases);
    assert!(report.is_good(), "{report}");
}
