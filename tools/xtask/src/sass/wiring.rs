//! `./x sass wiring`: asks ptxas again where it takes the operands of what PTX's synchronisation becomes, and records it
//! in `tests/oracle/sass_wiring.tsv.gz`. The question and the trace of the answer are in the tests of `ptx-to-sass`.

use crate::project::{self, Outcome};
use crate::{oracle, process};
use std::process::Command;

/// Records the wiring.
pub fn wiring(_args: &[String]) -> Outcome {
    oracle::ensure_all();
    let mut command = Command::new("cargo");
    command
        .current_dir(project::root())
        .args(["test", "-p", "warpc-ptx-to-sass", "--test", "all"])
        .args(["--", "--ignored", "wiring::record"])
        .env("WARPC_ORACLE_DIR", project::oracle_dir());
    match process::show(&mut command)? {
        true => Ok(()),
        false => Err("the wiring could not be recorded".into()),
    }
}
