//! The distances that an H200 needs, as recorded (`warpc-hw latency`), held against the tables of `warpc-sass`: no table
//! may say less than the chip needs.

use std::collections::BTreeMap;
use warpc_hw::latency::pairs;
use warpc_hw::latency::task::least;
use warpc_sass::latency::{Facts, Hazard, Need, check};

use warpc_sass::{Control, parse};
use warpc_target::Sm;
use warpc_testkit::gzip;
use warpc_testkit::project::tests;

/// Rows of the recorded table: first, second, least distance, a digit a distance.
fn recorded() -> Vec<[String; 4]> {
    let text = gzip::read_text(tests().join("hardware/latency.tsv.gz"));
    let rows = text.lines().skip(2).map(|line| {
        let cells: Vec<String> = line.split('\t').map(str::to_owned).collect();
        cells.try_into().expect("four columns")
    });
    rows.collect()
}

/// What the tables ask for between two instructions, of which the second reads what the first writes.
fn needed(sm: Sm, first: &str, second: &str) -> Option<Need> {
    let word = |text: &str| {
        parse::word(sm, text, Control::UNSCHEDULED, 0).unwrap_or_else(|| panic!("{text}"))
    };
    let facts = Facts::of(sm).expect("the chip has facts");
    let lines = check::lines(sm, &[word(first), word(second)]);
    let mut needs = Vec::new();
    check::pairs(facts, &lines, |pair| {
        if pair.hazard == Hazard::ReadAfterWrite {
            needs.extend(pair.need);
        }
    });
    let cycles = |need: &Need| match need {
        Need::Cycles(cycles) | Need::Either(cycles) => *cycles,
        Need::Scoreboard => u8::MAX,
    };
    needs.into_iter().max_by_key(cycles)
}

#[test]
fn all_pairs_are_recorded() {
    let recorded: Vec<(String, String)> = recorded()
        .into_iter()
        .map(|[first, second, ..]| (first, second))
        .collect();
    let all: Vec<(String, String)> = pairs::all()
        .map(|(first, second)| (first.text.to_owned(), second.text.to_owned()))
        .collect();
    assert_eq!(recorded, all);
}

#[test]
fn no_table_says_less_than_the_chip_needs() {
    let sm = "sm_90".parse().expect("a chip");
    let (mut wrong, mut more) = (Vec::new(), BTreeMap::<u8, usize>::new());
    for [first, second, told, digits] in recorded() {
        let seen = least(&digits).expect("the pair shows something");
        assert_eq!(told, seen.to_string(), "{first} -> {second}");
        match needed(sm, &first, &second) {
            Some(Need::Cycles(cycles)) if cycles >= seen => {
                *more.entry(cycles - seen).or_default() += 1;
            }
            need => wrong.push(format!("{first} -> {second}: {seen} seen, {need:?}")),
        }
    }
    println!("cycles more than the chip needs, pairs: {more:?}");
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
