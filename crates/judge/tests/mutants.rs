//! A judge that lets a wrong order table pass is no judge.

use warpc_judge::mutant::{cases, mutants, targets};
use warpc_judge::run::Compiler;

#[test]
fn every_weakened_order_table_is_noticed() {
    let (cases, targets) = (cases(), targets());
    let sound = Compiler::default().report(&cases, &targets);
    assert!(sound.is_good(), "{sound}");
    let mutants = mutants();
    let all = mutants.len();
    let mut alive = Vec::new();
    for mutant in mutants {
        let compiler = Compiler {
            // A few, for as long as the test runs.
            mapping: Box::leak(Box::new(mutant.mapping)),
            ..Compiler::default()
        };
        if compiler.report(&cases, &targets).weaker_count() == 0 {
            alive.push(mutant.name);
        }
    }
    println!(
        "{} of {all} mutants of the order table noticed",
        all - alive.len()
    );
    assert!(all > 60, "{all}");
    assert!(alive.is_empty(), "not noticed: {alive:#?}");
}
