//! `./x ll programs`: random programs, with what LLVM's code for them writes on the emulator.
//!
//! The programs are made by `warpc-irgen`; this only names the file and how many there are.

use crate::project::{self, Outcome};
use crate::{process, release};
use std::process::Command;

/// Programs that are recorded unless another number is asked for.
const COUNT: u32 = 1600;

/// The task.
pub fn programs(args: &[String]) -> Outcome {
    let count = match args {
        [] => COUNT,
        [count] => count
            .parse()
            .map_err(|_| format!("{count} is not a number"))?,
        _ => return Err("ll programs takes one number".into()),
    };
    let irgen = release::build_package("warpc-irgen")?;
    let out = project::root().join("tests/oracle/ll_programs.tsv.gz");
    let mut command = Command::new(irgen);
    command.arg("record").arg(count.to_string()).arg(out);
    match process::show(&mut command)? {
        true => Ok(()),
        false => Err("the programs could not be recorded".into()),
    }
}
