//! Products of a warpgroup as warpc assembles them: judged by the checkers; none waits for more than PTX says, and none
//! has moves of its accumulator.

use warpc_hw::groups::{assemble, case, module};

/// Which cases are taken: every so many.
const EVERY: usize = 17;

#[test]
fn all_are_assembled() {
    let every = std::env::var("WARPC_EVERY")
        .ok()
        .and_then(|every| every.parse().ok());
    let mut wrong = Vec::new();
    for case in case::all().into_iter().step_by(every.unwrap_or(EVERY)) {
        let text = case.text();
        if let Err(why) = assemble(&module(&[case])) {
            wrong.push(format!("{text}: {why}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
