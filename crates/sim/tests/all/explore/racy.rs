//! The detector of races against exploration: a kernel has a race in some schedule if and only if the detector finds one in a schedule
//! that was explored.
//!
//! The other side is the memory model, written down plainly (`races/oracle.rs`), over every interleaving of the operations one by one: what
//! each operation read in it gives the relations.

use super::{Setting, explore};
use crate::races::oracle::{self, FITTING, Kernel, Kind, MIXED};
use std::collections::BTreeSet;
use warpc_sim::Races;
use warpc_testkit::random::Random;

/// What came of some kernels.
#[derive(Debug, Default)]
struct Tally {
    kernels: usize,
    racy: usize,
    /// Racy by the model, and not found in any schedule.
    missed: Vec<u64>,
    /// Found, and not racy in any interleaving.
    wrong: Vec<u64>,
    /// Kernels with a race in some interleavings only.
    sometimes: usize,
    /// Of those, kernels in whose first schedule the detector finds none.
    hidden: usize,
    runs: u64,
    interleavings: usize,
}

/// What the operations of a kernel can read, all together: each interleaving one by one, states that were met before left out.
fn readings(kernel: &Kernel) -> BTreeSet<Vec<u32>> {
    let all = &kernel.operations;
    let own = |thread: usize| (0..all.len()).filter(move |&i| all[i].thread == thread);
    let threads: Vec<Vec<usize>> = (0..kernel.setting.threads.len())
        .map(|t| own(t).collect())
        .collect();
    type State = (Vec<usize>, Vec<u32>, Vec<u32>);
    let first: State = (vec![0; threads.len()], vec![0; 8], vec![0; all.len()]);
    let mut met = BTreeSet::from([first.clone()]);
    let mut rest = vec![first];
    let mut found = BTreeSet::new();
    while let Some((at, memory, seen)) = rest.pop() {
        let next = |thread: usize| threads[thread].get(at[thread]).copied();
        if (0..threads.len()).all(|thread| next(thread).is_none()) {
            found.insert(seen);
            continue;
        }
        let mut moved = false;
        for thread in 0..threads.len() {
            let Some(index) = next(thread) else { continue };
            let (mut at, mut memory, mut seen) = (at.clone(), memory.clone(), seen.clone());
            let one = &all[index];
            if let Kind::Barrier(number) = one.kind {
                // All who meet there go on together.
                let here =
                    |t: &usize| next(*t).is_some_and(|i| all[i].kind == Kind::Barrier(number));
                let members = all.iter().filter(|one| one.kind == Kind::Barrier(number));
                let there: Vec<usize> = (0..threads.len()).filter(here).collect();
                if there.len() < members.count() {
                    continue;
                }
                there.into_iter().for_each(|t| at[t] += 1);
            } else {
                if one.reads() {
                    seen[index] = memory[one.place];
                }
                if one.writes() {
                    memory[one.place] = one.value;
                }
                at[thread] += 1;
            }
            moved = true;
            let state = (at, memory, seen);
            if met.insert(state.clone()) {
                rest.push(state);
            }
        }
        assert!(
            moved,
            "no barrier of these kernels waits for ever:\n{}",
            kernel.text
        );
    }
    found
}

fn compare(numbers: std::ops::Range<u64>, of: &oracle::Setting) -> Tally {
    let mut tally = Tally::default();
    let small = oracle::Setting {
        count: (3, 6),
        ..*of
    };
    for number in numbers {
        let kernel = oracle::random_kernel(&mut Random::new(number), &small);
        let readings = readings(&kernel);
        let racy = readings.iter().map(|seen| {
            let races = oracle::races(&kernel, seen);
            // Whether it must be found: see there.
            (races.is_empty(), races.values().any(|must| *must))
        });
        let racy: Vec<(bool, bool)> = racy.collect();
        let setting = |most| Setting {
            grid: 2,
            block: 64,
            races: Races::All,
            init: false,
            most,
        };
        let explored = explore(&kernel.text, setting(3000));
        assert!(
            explored.is_all,
            "kernel {number}: {}\n{}",
            explored.runs, kernel.text
        );
        let is_found = explored
            .findings
            .keys()
            .any(|(code, _)| code.starts_with("W074"));
        let is_racy = racy.iter().any(|(clean, _)| !clean);
        tally.kernels += 1;
        tally.racy += usize::from(is_racy);
        tally.runs += explored.runs;
        tally.interleavings += readings.len();
        if racy.iter().any(|(_, must)| *must) && !is_found {
            tally.missed.push(number);
        }
        if is_found && !is_racy {
            tally.wrong.push(number);
        }
        if is_racy && racy.iter().any(|(clean, _)| *clean) {
            tally.sometimes += 1;
            tally.hidden += usize::from(explore(&kernel.text, setting(1)).findings.is_empty());
        }
    }
    tally
}

#[test]
fn the_detector_agrees_with_the_model_in_all_schedules() {
    let tally = compare(0..1000, &FITTING);
    println!("{tally:?}");
    assert!(
        tally.missed.is_empty() && tally.wrong.is_empty(),
        "{tally:?}"
    );
    assert!(
        tally.racy > 100 && tally.kernels - tally.racy > 100,
        "{tally:?}"
    );
    assert!(tally.sometimes > 15, "{tally:?}");
}

#[test]
fn the_detector_agrees_where_scopes_differ() {
    let tally = compare(20_000..20_300, &MIXED);
    println!("{tally:?}");
    assert!(
        tally.missed.is_empty() && tally.wrong.is_empty(),
        "{tally:?}"
    );
}
