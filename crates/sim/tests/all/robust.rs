//! Whatever `warpc check` takes can be launched: it runs, or is refused, or a finding comes. Nothing
//! panics, and nothing runs forever.
//!
//! The inputs are the recorded ones of the other tests: every instruction and operand that ptxas was
//! asked about, small modules, mutants, and real PTX. Kernels get buffers of zeros.

mod inputs;
mod launch;

use inputs::Input;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What happened to the inputs of a test.
#[derive(Default)]
struct Counts {
    refused: usize,
    launched: usize,
    ended: usize,
}

/// Launches every kernel of the inputs; `least` of all launches must come to their end, lest the
/// test says nothing.
fn launch_all(inputs: impl Iterator<Item = Input>, least: f64) {
    let mut counts = Counts::default();
    let mut panics = Vec::new();
    for input in inputs {
        let name = input.name.clone();
        let outcome = catch_unwind(AssertUnwindSafe(|| launch::all_kernels(input)));
        match outcome {
            Ok(outcomes) => {
                counts.refused += usize::from(outcomes.is_empty());
                counts.launched += outcomes.len();
                counts.ended += outcomes.iter().filter(|ended| **ended).count();
            }
            Err(panic) => {
                let text = panic.downcast_ref::<String>().cloned();
                let text = text.or(panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
                panics.push(format!("{name}: {}", text.unwrap_or_default()));
            }
        }
    }
    println!(
        "{} launches, {} ended, {} inputs without any",
        counts.launched, counts.ended, counts.refused
    );
    let shown: Vec<&str> = panics.iter().take(30).map(String::as_str).collect();
    assert!(
        panics.is_empty(),
        "{} inputs panic:\n{}",
        panics.len(),
        shown.join("\n")
    );
    let share = counts.ended as f64 / counts.launched.max(1) as f64;
    assert!(
        counts.launched > 300 && share >= least,
        "{} of {} launches ended",
        counts.ended,
        counts.launched
    );
}

#[test]
fn instructions() {
    launch_all(inputs::instructions(), 0.7);
}

#[test]
fn operands() {
    launch_all(inputs::operands(), 0.5);
}

#[test]
fn modules() {
    launch_all(inputs::modules(), 0.8);
}

#[test]
fn mutants() {
    launch_all(inputs::mutants(), 0.5);
}

#[test]
fn real_code() {
    launch_all(inputs::corpus(), 0.7);
}
