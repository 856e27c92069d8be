//! `./x bench`: our speed beside ptxas's, over real PTX.

use crate::project::Outcome;

/// The task.
pub fn bench(_args: &[String]) -> Outcome {
    Err("not there yet".into())
}
