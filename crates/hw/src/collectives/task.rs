//! `warpc-hw collectives`: the whole suite, for each chip it is compiled for.

use super::case::Case;
use super::run::{CHIPS, Machine, is_for};
use super::{barrier, warp};

/// Cases of one module.
const MODULE: usize = 24;

/// What came of the suite.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Cases, each for one chip.
    pub cases: usize,
    /// Threads that were started for them.
    pub threads: usize,
    /// Words that were compared.
    pub words: usize,
    /// What is wrong: the case, the chip, and what it left.
    pub wrong: Vec<String>,
}

/// All cases, warp operations with so many warps each.
pub fn suite(warps: usize) -> Vec<Case> {
    let mut cases = warp::suite(warps);
    cases.extend(barrier::suite());
    cases
}

/// Runs cases for all chips they are for.
pub fn run(machine: &Machine, cases: &[Case], only: &str) -> Result<Summary, String> {
    let mut summary = Summary::default();
    for chip in CHIPS {
        let of_chip: Vec<&Case> = cases
            .iter()
            .filter(|case| is_for(case, chip) && format!("{chip} {}", case.name).contains(only))
            .collect();
        for some in of_chip.chunks(MODULE) {
            for (case, verdict) in some.iter().zip(machine.run(some, chip)?) {
                summary.cases += 1;
                summary.threads += case.threads();
                match verdict {
                    Ok(words) => summary.words += words,
                    Err(why) => summary.wrong.push(format!("{chip} {}: {why}", case.name)),
                }
            }
        }
    }
    Ok(summary)
}
