//! What atomic operations and litmus tests did on an H200, as recorded: the suites are still the same, nothing was
//! wrong, and the tests could see what they look for.

use std::collections::HashMap;
use warpc_hw::atomics::case::suite;
use warpc_hw::litmus::run::Group;
use warpc_hw::litmus::shape::{SHAPES, Strength};
use warpc_hw::litmus::style::{RANGES, STYLES};
use warpc_testkit::gzip;
use warpc_testkit::project::tests;

/// Instances of each litmus test, at least.
const INSTANCES: u64 = 10_000_000;

fn rows(name: &str) -> Vec<Vec<String>> {
    let text = gzip::read_text(tests().join("hardware").join(name));
    let lines = text.lines().skip_while(|line| line.starts_with('#'));
    let fields = lines.skip(1).map(|line| line.split('\t').map(String::from));
    fields.map(Iterator::collect).collect()
}

fn count(field: &str) -> u64 {
    field.parse().expect("a number")
}

#[test]
fn contending_threads_left_what_they_should() {
    let rows = rows("atomics.tsv.gz");
    let verdicts: HashMap<&str, &[String]> = rows
        .iter()
        .map(|row| (row[0].as_str(), &row[1..]))
        .collect();
    let (mut right, mut controls) = (0, 0);
    for case in suite() {
        let row = verdicts.get(case.text().as_str());
        let row = row.unwrap_or_else(|| panic!("{} was not run", case.text()));
        assert_eq!(row[0], "ok", "{}: {row:?}", case.text());
        assert!(count(&row[1]) > 0 && count(&row[2]) > 0, "{row:?}");
        right += 1;
    }
    // What is not atomic was found wrong.
    for row in rows.iter().filter(|row| row[0].starts_with("racy")) {
        assert!(row[1] == "WRONG" && count(&row[2]) > 0, "{row:?}");
        controls += 1;
    }
    assert_eq!(
        right + controls,
        rows.len(),
        "cases that the suite does not have"
    );
    assert_eq!(controls, warpc_hw::atomics::task::controls().len());
}

#[test]
fn no_litmus_test_showed_a_forbidden_outcome() {
    let rows = rows("litmus.tsv.gz");
    let seen: HashMap<[&str; 3], (u64, u64)> = rows
        .iter()
        .map(|row| {
            let key = [row[0].as_str(), row[1].as_str(), row[2].as_str()];
            (key, (count(&row[4]), count(&row[5])))
        })
        .collect();
    for shape in SHAPES {
        let mut weak_somewhere = false;
        for range in RANGES {
            for style in STYLES {
                let test = [shape.name, range.name, style.name];
                let (instances, weak) = seen.get(&test).copied().unwrap_or_default();
                assert!(instances >= INSTANCES, "{test:?}: {instances} instances");
                if (Group { shape, range }).forbids(&style) {
                    assert_eq!(weak, 0, "{test:?} showed a forbidden outcome");
                } else {
                    weak_somewhere |= weak > 0;
                }
            }
        }
        // Where it is allowed the outcome is there to be seen; coherence is never lost.
        assert_eq!(
            weak_somewhere,
            shape.needs != Strength::Coherence,
            "{}",
            shape.name
        );
    }
}
