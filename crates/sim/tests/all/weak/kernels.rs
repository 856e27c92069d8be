//! Right kernels are right with weak memory, too.

use super::suite::{load, number, right, run, suites};
use warpc_sim::MemoryModel;

const LIMIT: u64 = 20_000_000;

/// Kernels that race by the model (`docs/races.md`): nothing acquires what other blocks wrote, or copies to the same place
/// have no order.
const RACES: [&str; 5] = [
    "last_block",
    "in_the_same",
    "out_the_same",
    "groups",
    "reduced_halves",
];

#[test]
fn right_kernels_stay_right() {
    let usual = [
        "locks",
        "messages",
        "signals",
        "grid_barrier",
        "reduce",
        "scan",
        "cluster",
        "mbarrier",
        "cp_async",
        "votes",
        "sync_objects",
        "nvcc-races",
        "clang-copies",
    ];
    let seeds = number("WARPC_WEAK_SEEDS", 3);
    let (mut launches, mut varied, mut left_out) = (0, 0, 0);
    let mut wrong = Vec::new();
    for suite in suites(Some(&usual)) {
        let program = load(&suite.text).expect("a right file");
        for case in &suite.cases {
            let kernel = case.options.kernel.clone().unwrap_or_default();
            let right = right(&program, case, LIMIT).filter(|_| !RACES.contains(&&*kernel));
            let Some(right) = right else {
                left_out += 1;
                continue;
            };
            launches += 1;
            if right.len() > 1 {
                varied += 1;
            }
            for seed in 0..seeds {
                match run(&program, case, MemoryModel::Weak, seed, 4 * LIMIT) {
                    Ok(shown) if right.len() > 1 || right.contains(&shown) => {}
                    Ok(_) => wrong.push(format!("{}: {kernel}, seed {seed}: result", suite.name)),
                    Err(why) => wrong.push(format!("{}: {kernel}, seed {seed}: {why}", suite.name)),
                }
            }
        }
    }
    println!(
        "{launches} launches, {varied} of them with results that depend on the order, {left_out} left out"
    );
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(launches > 0);
}
