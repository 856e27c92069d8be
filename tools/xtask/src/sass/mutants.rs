//! `./x sass mutants`: damages to our own machine code, and who notices them (`warpc-hw mutants`).
//!
//! The kernels are those of the suite in `tests/kernels/ptx`, which have launches, and those of the corpus that nvcc made,
//! which the judges see alone. `--record` writes the tables of `docs/checkers.md`; other flags go to `warpc-hw`.

use super::latency::replaced;
use crate::project::{self, Outcome};
use crate::{process, release};
use std::process::Command;

/// The task.
pub fn mutants(args: &[String]) -> Outcome {
    let binary = release::build_checked("warpc-hw")?;
    let root = project::root();
    let mut command = Command::new(binary);
    command.arg("mutants").arg(root.join("tests/kernels/ptx"));
    let corpus = root.join("target/corpus/nvcc/sm_90a");
    if corpus.is_dir() {
        command.arg(corpus);
    }
    let record = args.iter().any(|arg| arg == "--record");
    command.args(args.iter().filter(|arg| *arg != "--record"));
    let said = process::must("mutants", &mut command)?;
    println!("{said}");
    if record {
        let mut tables = said.split("\n\n").filter(|part| part.starts_with("| "));
        let (Some(figures), Some(reasons)) = (tables.next(), tables.next()) else {
            return Err("there are no tables".into());
        };
        let path = root.join("docs/checkers.md");
        let page = project::read(&path)?;
        let page = replaced(&page, "mutants", &format!("{}\n", figures.trim()))?;
        project::write(
            &path,
            replaced(&page, "harmless", &format!("{}\n", reasons.trim()))?,
        )?;
    }
    Ok(())
}
