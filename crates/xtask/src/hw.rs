//! `./x hw`: the runner and its cases in one folder, to be carried to a machine with a GPU; and what
//! came back from there into the tests.
//!
//! The machine with the GPU needs nothing but the driver: `warpc-hw` is one binary that makes its
//! cases itself or reads them beside it.

use crate::project::{self, Outcome};
use crate::release;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Operand tuples of each form that are kept: the tests replay them.
const TUPLES: &str = "256";

/// The task.
pub fn hw(args: &[String]) -> Outcome {
    match args {
        [] => make(),
        [option, dir] if option == "--record" => record(Path::new(dir)),
        _ => Err("hw takes nothing, or --record DIR".into()),
    }
}

fn folder() -> PathBuf {
    project::root().join("target/hw")
}

/// Builds the runner and puts it into the folder.
fn make() -> Outcome {
    println!("building warpc-hw");
    let binary = release::build_package("warpc-hw")?;
    let dir = folder();
    project::make_dir(&dir)?;
    let place = dir.join("warpc-hw");
    std::fs::copy(&binary, &place).map_err(|e| format!("cannot copy {}: {e}", binary.display()))?;
    println!(
        "\n{} is ready. Carry it to a machine with a GPU and its driver, and run there\n\n    \
         ./warpc-hw forms --out DIR\n\n\
         Then bring DIR back and keep its answers with\n\n    ./x hw --record DIR",
        dir.display()
    );
    Ok(())
}

/// Takes the answers in a folder into `tests/hardware`.
fn record(dir: &Path) -> Outcome {
    let answers = dir.join("forms.bin.gz");
    if !answers.exists() {
        return Err(format!("{} has no forms.bin.gz", dir.display()));
    }
    let binary = release::build_package("warpc-hw")?;
    let out = project::root().join("tests/hardware/forms.bin.gz");
    project::make_dir(&project::root().join("tests/hardware"))?;
    let mut command = Command::new(binary);
    command.arg("record").arg(&answers).arg("--out").arg(&out);
    let said = crate::process::must("warpc-hw record", command.args(["--tuples", TUPLES]))?;
    println!("{}: {}", out.display(), said.trim());
    Ok(())
}
