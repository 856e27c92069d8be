//! What exploration finds, against all interleavings one by one: the same results, the same findings.

use super::naive::{self, Outcomes};
use super::{Explored, Setting, explore};
use std::collections::{BTreeMap, BTreeSet};
use warpc_sim::Races;
use warpc_testkit::random::Random;

/// What came of some kernels.
#[derive(Debug, Default)]
struct Tally {
    kernels: usize,
    /// Those with more than one result, with a trap, with a deadlock.
    several: usize,
    traps: usize,
    deadlocks: usize,
    states: usize,
    schedules: u64,
    runs: u64,
}

/// The same as the enumeration has it.
fn outcomes(explored: &Explored) -> Outcomes {
    let finals = explored.finals.iter().map(|words| {
        let words = words.iter().copied().enumerate();
        words
            .filter(|(_, value)| *value != 0)
            .collect::<BTreeMap<_, _>>()
    });
    let findings = explored.findings.keys().map(|(code, line)| match *code {
        "W0714" => *line,
        "W0722" | "W0723" => 0,
        other => panic!("{other} in line {line}"),
    });
    Outcomes {
        finals: finals.collect(),
        findings: findings.collect::<BTreeSet<_>>(),
        states: 0,
    }
}

fn compare(numbers: std::ops::Range<u64>, most: usize) -> Tally {
    let mut tally = Tally::default();
    for number in numbers {
        let kernel = naive::random_kernel(&mut Random::new(number), most);
        let Some(mut expected) = naive::enumerate(&kernel, 200_000) else {
            continue;
        };
        let setting = Setting {
            grid: 2,
            block: 33,
            races: Races::Off,
            // Shared memory begins with zeros here.
            init: false,
            most: 20_000,
        };
        let explored = explore(&kernel.text, setting);
        assert!(
            explored.is_all,
            "kernel {number}: {}\n{}",
            explored.runs, kernel.text
        );
        tally.kernels += 1;
        tally.states += std::mem::take(&mut expected.states);
        tally.several += usize::from(expected.finals.len() > 1);
        tally.deadlocks += usize::from(expected.findings.contains(&0));
        tally.traps += usize::from(expected.findings.iter().any(|line| *line > 0));
        tally.schedules += explored.schedules;
        tally.runs += explored.runs;
        let found = outcomes(&explored);
        assert_eq!(
            found, expected,
            "kernel {number}:\n{}\n{explored:#?}",
            kernel.text
        );
    }
    tally
}

#[test]
fn agrees_with_all_interleavings() {
    let tally = compare(0..1500, 8);
    println!("{tally:?}");
    // All kinds must come up, or nothing was compared.
    let least = [tally.several, tally.traps, tally.deadlocks]
        .into_iter()
        .min();
    assert!(tally.kernels > 1400 && least > Some(60), "{tally:?}");
}

/// Few places and more operations.
#[test]
fn agrees_on_longer_kernels() {
    let tally = compare(100_000..100_150, 12);
    println!("{tally:?}");
    assert!(tally.several > 40, "{tally:?}");
}
