//! A few programs of every family, without other tools.

use warpc_attack::check::{self, Case, Count, Effort};
use warpc_attack::machine::CHIPS;
use warpc_attack::make::Family;

fn effort() -> Effort {
    Effort {
        levels: vec!["-O0"],
        chips: CHIPS.to_vec(),
    }
}

#[test]
fn programs_write_what_they_compute() {
    let mut count = Count::default();
    let mut faults = Vec::new();
    for start in (0..240).step_by(24) {
        let cases: Vec<Case> = (start..start + 24).map(Case::of).collect();
        faults.extend(check::set(&cases, &effort(), &mut count));
    }
    for fault in &faults {
        println!("{} {}: {}", fault.seed, fault.how, fault.what);
    }
    assert!(faults.is_empty(), "{} faults", faults.len());
    assert!(count.runs >= 240 * CHIPS.len());
}

/// One bit of one thread that is not as it should be is a fault of that program alone.
#[test]
fn a_wrong_bit_is_noticed() {
    let mut cases: Vec<Case> = (0..6).map(Case::of).collect();
    let last = cases[3].expected.len() - 16;
    cases[3].expected[last] ^= 1;
    let effort = Effort {
        levels: vec!["-O0"],
        chips: vec!["sm_90"],
    };
    let faults = check::set(&cases, &effort, &mut Count::default());
    assert!(!faults.is_empty());
    assert!(
        faults
            .iter()
            .all(|fault| fault.seed == 3 && fault.what.starts_with("different"))
    );
}

/// A seed gives the same text everywhere and always, and every family has programs of its own kind.
#[test]
fn seeds_name_programs() {
    for seed in 0..30 {
        let text = Case::of(seed).text();
        assert_eq!(text, Case::of(seed).text());
        let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
        let typical = match Family::of(seed) {
            Family::Memory => has(&["memcpy", "memmove", "memset", "load"]),
            Family::Calls => has(&["define internal", "call"]),
            Family::Control => has(&[" phi "]),
            _ => has(&[
                "add", "mul", "shl", "fadd", "fmul", "trunc", "ext", "cmp", "call",
            ]),
        };
        assert!(typical, "seed {seed}: {text}");
    }
}

/// Arithmetic of the compiler is checked in tests, and so in the runner, which is built alike.
#[test]
fn overflow_is_checked() {
    let sum = || std::hint::black_box(u8::MAX) + std::hint::black_box(1);
    assert!(std::panic::catch_unwind(sum).is_err());
}
