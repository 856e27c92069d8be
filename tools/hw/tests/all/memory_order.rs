//! Atomic operations and litmus tests from LLVM IR, compiled by us, on the emulator. `warpc-hw atomics` and
//! `warpc-hw litmus` run the same on a GPU, all of it and more often.

use std::collections::HashSet;
use warpc_hw::atomics::case::{Case, suite};
use warpc_hw::atomics::run::{MODULE, Machine};
use warpc_hw::atomics::task::controls;
use warpc_hw::litmus::run::{Group, Machine as LitmusMachine, run};
use warpc_hw::litmus::shape::{Event, SHAPES, Shape, Strength, What};
use warpc_hw::litmus::style::{RANGES, STYLES};
use warpc_hw::litmus::task::ON_SIM;

/// Each operation on each type in each space, with results and without, with an order and a scope in turn.
fn sample() -> Vec<Case> {
    let mut seen = HashSet::new();
    let all = suite();
    let kinds = |case: &Case| (case.op.text(), case.ty.text(), case.space as u8, case.used);
    let mut cases = Vec::new();
    for group in all.chunk_by(|a, b| kinds(a) == kinds(b)) {
        assert!(
            seen.insert(kinds(&group[0])) || !group[0].used,
            "{:?}",
            group[0]
        );
        cases.push(group[cases.len() % group.len()]);
    }
    cases
}

#[test]
fn a_thousand_threads_contend_and_leave_what_they_should() {
    let machine = Machine::Sim { seed: 1 };
    let cases = sample();
    let mut problems = Vec::new();
    let (mut launches, mut results) = (0, 0);
    for module in cases.chunks(MODULE) {
        let all = machine.run(module).expect("the emulator is always there");
        for (case, ran) in module.iter().zip(all) {
            launches += ran.launches;
            results += ran.seen.results;
            problems.extend(
                ran.wrong
                    .iter()
                    .map(|wrong| format!("{}: {wrong}", case.text())),
            );
        }
    }
    println!(
        "{} cases, {launches} launches of 1,024 threads, {results} results",
        cases.len()
    );
    assert!(cases.len() > 700, "{} cases", cases.len());
    assert!(results > 1_000_000, "{results} results");
    let count = problems.len();
    problems.truncate(40);
    assert!(count == 0, "{count} problems:\n{}", problems.join("\n"));
}

/// What finds nothing wrong with sums that are not atomic finds nothing.
#[test]
fn sums_that_are_not_atomic_are_found_wrong() {
    for seed in 0..4 {
        let machine = Machine::Sim { seed };
        let cases = controls();
        let all = machine.run(&cases).expect("the emulator is always there");
        for (case, ran) in cases.iter().zip(all) {
            assert!(ran.launches > 0, "{}: {:?}", case.text(), ran.wrong);
            let lost = ran.wrong.iter().any(|wrong| wrong.contains("equal+"));
            assert!(lost, "{} with seed {seed}: {:?}", case.text(), ran.wrong);
        }
    }
}

#[test]
fn no_forbidden_outcome_on_the_emulator() {
    let machine = LitmusMachine::Sim { seed: 7 };
    let mut tests = 0;
    for shape in SHAPES {
        for range in RANGES {
            let group = Group { shape, range };
            let all = run(&group, &machine, ON_SIM, 1, 0).expect("it compiles and runs");
            for ran in all {
                tests += 1;
                let instances: u64 = ran.counts.iter().sum();
                assert_eq!(instances, u64::from(ON_SIM.instances()));
                let outcomes = ran.counts.iter().enumerate().filter(|(_, n)| **n > 0);
                for (outcome, count) in outcomes {
                    assert!(
                        !(group.forbids(&ran.style) && shape.is_weak(outcome)),
                        "{} {} {}: {} {count} times",
                        shape.name,
                        range.name,
                        ran.style.name,
                        shape.outcome_text(outcome)
                    );
                }
            }
        }
    }
    assert_eq!(tests, SHAPES.len() * RANGES.len() * STYLES.len());
}

/// Message passing with one of its writes left out: what a machine would show that delays it for long.
#[test]
fn the_weak_outcome_of_a_wrong_program_is_counted() {
    let wrong = Shape {
        name: "MP without its data",
        threads: &[&[Event::W(1, 1)], &[Event::R(1, 0), Event::R(0, 1)]],
        weak: &[(What::Reg(0), 1), (What::Reg(1), 0)],
        needs: Strength::Causality,
    };
    let range = RANGES[0];
    let machine = LitmusMachine::Sim { seed: 3 };
    let group = Group {
        shape: wrong,
        range,
    };
    let all = run(&group, &machine, ON_SIM, 8, 0).expect("it compiles and runs");
    for ran in all {
        let weak: u64 = (0..ran.counts.len())
            .filter(|&outcome| wrong.is_weak(outcome))
            .map(|outcome| ran.counts[outcome])
            .sum();
        assert!(weak > 0, "{}", ran.style.name);
    }
}
