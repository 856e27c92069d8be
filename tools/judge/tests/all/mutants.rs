//! A judge that lets a wrong order table pass is not a judge.

use warpc_judge::matrix;
use warpc_judge::run::Compiler;

#[test]
fn every_weakened_order_table_is_noticed() {
    let (noticed, alive) = warpc_judge::mutant::judge();
    println!("{noticed} mutants of the order table noticed");
    assert!(alive.is_empty(), "not noticed: {alive:#?}");
    assert!(noticed > 60, "{noticed}");
}

#[test]
fn every_damage_to_right_code_is_noticed() {
    let cases: Vec<_> = matrix::cases().into_iter().step_by(31).collect();
    let (tally, unnoticed) = Compiler::default().damage(&cases, &matrix::targets());
    for (kind, (done, noticed)) in &tally {
        println!("{noticed} of {done} noticed: {kind}");
    }
    let all: usize = tally.values().map(|(done, _)| done).sum();
    assert!(tally.len() >= 8 && all > 10_000, "{tally:?}");
    assert!(unnoticed.is_empty(), "{unnoticed:#?}");
}
