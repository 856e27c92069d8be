//! What threads do together, compiled for several chips and executed on the emulator.

use warpc_hw::collectives::run::Machine;
use warpc_hw::collectives::task::{Item, Suite, run};

/// Warps of each operation here; the runner has ten thousand.
const WARPS: usize = 64;

#[test]
fn threads_get_what_the_manual_says() {
    let suite = Suite::new(WARPS);
    let items = suite.items("");
    let (mut words, mut wrong) = (0, Vec::new());
    run(&Machine::Sim { seed: 1 }, &items, |item, verdict| {
        match (item, verdict) {
            (_, Ok(count)) => words += count,
            (Item::Case(chip, case), Err(why)) => {
                wrong.push(format!("{chip} {}: {why}", case.name))
            }
            (Item::Pipeline(chip, of), Err(why)) => {
                wrong.push(format!("{chip} {}: {why}", of.name))
            }
        }
    })
    .expect("the emulator does not get lost");
    println!("{} items, {words} words", items.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(items.len() > 2000 && words > 2_000_000);
}

/// A word that should be another one is found in every case.
#[test]
fn wrong_words_are_found() {
    let suite = Suite::new(8);
    for drafts in suite.drafts.chunks(24) {
        let mut cases: Vec<_> = drafts.iter().map(|draft| (draft.make)()).collect();
        for case in &mut cases {
            let mut words = case.expected.iter_mut().flatten();
            *words.next().expect("something is defined") ^= 1;
        }
        let verdicts = Machine::Sim { seed: 1 }.run(&cases, "sm_90");
        for (draft, verdict) in drafts.iter().zip(verdicts.expect("an emulator")) {
            let why = verdict.expect_err(&draft.name);
            assert!(why.contains("must be"), "{}: {why}", draft.name);
        }
    }
}
