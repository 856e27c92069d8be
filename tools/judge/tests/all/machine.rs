//! The judge of machine code, and every door to it.

use warpc_judge::asked::Operation;
use warpc_judge::assembler::Assembler;
use warpc_judge::door::{Door, Site, Written};
use warpc_judge::{recorded, whole};
use warpc_testkit::project;

/// Without the tools around (`WARPC_ORACLE_DIR`) one case in so many: a prime, so that all kinds are among them.
const SAMPLE: usize = 41;
/// With them, `./x atomics judge` judges all.
const WHOLE_SAMPLE: usize = 7;

/// What ptxas 13.4 made of PTX whose strength is known.
fn answers() -> recorded::Answers {
    let path = project::oracle("atomics_machine.gz");
    let bytes = std::fs::read(path).expect("it is recorded");
    let all = recorded::read(&bytes).expect("the file is whole");
    assert_eq!(all.len(), whole::targets().len());
    recorded::ask(&all).expect("ptxas was asked for the kernels of today")
}

#[test]
fn machine_code_is_as_strong_as_the_judge_says() {
    let answers = answers();
    assert!(answers.wrong.is_empty(), "{:#?}", answers.wrong);
    println!(
        "{} kernels keep what they are taken for, {} do not",
        answers.kept, answers.weak
    );
    assert!(answers.kept > 600, "{}", answers.kept);
    assert!(answers.weak > 300, "{}", answers.weak);
}

#[test]
fn every_damage_to_right_machine_code_is_noticed() {
    let answers = answers();
    for (kind, (done, noticed)) in &answers.damage {
        println!("{noticed} of {done} noticed: {kind}");
        assert_eq!(done, noticed, "{kind}");
    }
    let all: usize = answers.damage.values().map(|(done, _)| done).sum();
    assert!(answers.damage.len() >= 8, "{:?}", answers.damage);
    assert!(all > 1_500, "{all}");
}

#[test]
fn every_door_keeps_what_was_asked_in_ptx() {
    let is_whole = project::reference_tools().is_some();
    let step = if is_whole { WHOLE_SAMPLE } else { SAMPLE };
    let cases: Vec<Written> = Door::ALL
        .into_iter()
        .flat_map(|door| door.cases().into_iter().step_by(step))
        .collect();
    for target in whole::targets() {
        let tally = whole::run_ptx(&cases, target);
        assert!(tally.sum().exact > cases.len() / 4, "{tally}");
        assert!(tally.is_good(), "{}", tally.findings());
    }
}

#[test]
fn every_atomic_builtin_is_called() {
    let mut calls = Door::Builtin.cases();
    calls.extend(Door::Legacy.cases());
    let text: String = calls.iter().map(|case| case.lines.as_str()).collect();
    for builtin in warpc_builtins::all() {
        let name = builtin.name;
        let is_atomic = name.starts_with("__nv_atomic_")
            || name.starts_with("__nvvm_atom_")
            || name.starts_with("__nvvm_membar_");
        if is_atomic {
            assert!(text.contains(&format!("@{name}(")), "{name} is not called");
        }
    }
}

#[test]
fn every_door_comes_to_every_address() {
    for door in Door::ALL {
        let cases = door.cases();
        for site in Site::ALL {
            let here = |case: &&Written| case.site == site;
            assert!(cases.iter().any(|case| here(&case)), "{door:?} {site:?}");
        }
        let fences = cases
            .iter()
            .filter(|case| case.case.operation == Operation::Fence);
        assert!(fences.count() > 2, "{door:?} has no fences");
    }
}

#[test]
fn every_door_keeps_what_was_asked_in_our_own_machine_code() {
    let cases: Vec<Written> = Door::ALL
        .into_iter()
        .flat_map(|door| door.cases().into_iter().step_by(WHOLE_SAMPLE))
        .collect();
    for target in whole::targets() {
        if Assembler::Warpc.takes(target.sm) {
            let tally = whole::run(&Assembler::Warpc, &cases, target).expect("it is judged");
            assert!(tally.sum().exact > cases.len() / 2, "{tally}");
            assert!(tally.is_good(), "{}", tally.findings());
        }
    }
}
