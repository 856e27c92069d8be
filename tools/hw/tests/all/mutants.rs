//! A sample of damages to our own machine code: nearly all are noticed, and why the others do no harm is known.

use warpc_hw::kernels::{File, Suite};
use warpc_hw::mutants::{task, try_damages};
use warpc_testkit::project::tests;

/// Files of the kernel suite, and damages of each kind.
const EVERY: usize = 4;
const TRIED: usize = 40;

#[test]
fn damages_are_noticed() {
    let suite = Suite::read(&tests().join("kernels/ptx")).expect("the kernels");
    let files: Vec<&File> = suite.files.iter().step_by(EVERY).collect();
    let mut subjects = task::subjects(&files).unwrap_or_else(|e| panic!("{e}"));
    assert!(!subjects.is_empty());
    let figures = try_damages(&mut subjects, TRIED);
    let (table, reasons) = figures.tables();
    println!("{table}\n{reasons}");
    let (noticed, of) = figures.noticed();
    assert!(of > 300, "only {of} damages");
    assert!(
        noticed * 100 >= of * 98,
        "{noticed} of {of}\n{}",
        figures.survivors.join("\n")
    );
}
