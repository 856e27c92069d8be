//! `./x sass sim`: ptxas's code of the corpus on the emulator of machine code, against the emulator of PTX. The launches
//! and the comparison are in the tests of `sass-sim`.

use crate::project::{self, Outcome};
use crate::sass::cubins::Workshop;
use crate::{corpus, oracle, process, release, sass};
use std::process::Command;

/// The chip whose code is run unless another one is named.
const CHIP: &str = "sm_90a";

/// The task.
pub fn sim(args: &[String]) -> Outcome {
    let chip = match args {
        [] => CHIP,
        [chip] if sass::CHIPS.contains(&chip.as_str()) => chip,
        _ => return Err("`./x sass sim` takes the name of one chip".into()),
    };
    let tools = &oracle::ensure_all().0;
    corpus::ensure(tools, "")?;
    let pairs = Workshop::new(tools, &release::build()?, chip)?.pairs()?;
    let lines = pairs
        .iter()
        .map(|(name, text, cubin)| format!("{name}\t{}\t{}\n", text.display(), cubin.display()));
    let list = sass::folder().join(format!("{chip}.tsv"));
    project::write(&list, lines.collect::<String>())?;
    let mut command = Command::new("cargo");
    command
        .current_dir(project::root())
        .args(["test", "-p", "warpc-sass-sim", "--test", "all", "--"])
        .args(["--ignored", "--nocapture", "corpus::whole_corpus"])
        .env("WARPC_ORACLE_DIR", project::oracle_dir())
        .env("WARPC_PAIRS", &list);
    match process::show(&mut command)? {
        true => Ok(()),
        false => Err("machine code and PTX differ, or something was found".into()),
    }
}
