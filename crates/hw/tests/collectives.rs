//! What threads do together, compiled for several chips and executed on the emulator.

use warpc_hw::collectives::run::Machine;
use warpc_hw::collectives::task::{run, suite};

/// Warps of each operation here; the runner has ten thousand.
const WARPS: usize = 64;

#[test]
fn threads_get_what_the_manual_says() {
    let cases = suite(WARPS);
    let summary =
        run(&Machine::Sim { seed: 1 }, &cases, "").expect("the emulator does not get lost");
    println!(
        "{} cases, {} threads, {} words",
        summary.cases, summary.threads, summary.words
    );
    assert!(summary.wrong.is_empty(), "{}", summary.wrong.join("\n"));
    assert!(summary.cases > 1000 && summary.words > 500_000);
}

/// A word that should be another one is found in every case.
#[test]
fn wrong_words_are_found() {
    let mut cases = suite(8);
    for case in &mut cases {
        let mut words = case.expected.iter_mut().flatten();
        *words.next().expect("something is defined") ^= 1;
    }
    let summary =
        run(&Machine::Sim { seed: 1 }, &cases, "sm_90 ").expect("the emulator does not get lost");
    assert_eq!(summary.wrong.len(), summary.cases);
}
