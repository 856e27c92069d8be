//! `./x ll builtins`: every NVVM builtin through our compiler for every chip, and what it made through ptxas.
//!
//! The modules are made by `warpc-irgen`; kernels that compute with the builtins are left in
//! `target/builtins/kernels` for a machine with a GPU (`warpc-hw kernels --dir kernels`).

use crate::ll::gpu;
use crate::oracle::{self, Tools};
use crate::project::{self, Outcome};
use crate::{process, release};
use std::process::Command;

/// The chips that `warpc-irgen` writes modules for.
const CHIPS: [&str; 8] = [
    "sm_60", "sm_70", "sm_75", "sm_80", "sm_90", "sm_90a", "sm_100", "sm_120",
];

/// The task.
pub fn builtins(args: &[String]) -> Outcome {
    let (tools, _) = oracle::ensure_all();
    match args {
        [] => {}
        [flag] if flag == "--record" => return record(&tools),
        _ => return Err("builtins takes --record only".into()),
    }
    let (taken, rejected) = compare(&tools)?;
    println!("ptxas takes the builtins of {taken} chips");
    match rejected.is_empty() {
        true => Ok(()),
        false => Err(rejected.join("\n")),
    }
}

/// For how many chips ptxas takes everything, and what it says to the others.
pub fn compare(tools: &Tools) -> Outcome<(usize, Vec<String>)> {
    let irgen = release::build_package("warpc-irgen")?;
    let folder = project::root().join("target/builtins");
    let mut command = Command::new(irgen);
    command.arg("builtins").arg(&folder);
    if !process::show(&mut command)? {
        return Err("the modules could not be made".into());
    }
    let mut rejected = Vec::new();
    for chip in CHIPS {
        let path = folder.join(format!("{chip}.ptx"));
        let bytes = project::read(&path)?.len();
        let answer = gpu::ptxas(tools, chip, &path, bytes)?;
        if !answer.is_empty() {
            rejected.push(format!("{chip}: {answer}"));
        }
    }
    Ok((CHIPS.len() - rejected.len(), rejected))
}

/// Asks nvcc what it makes of the functions of CUDA C++ that stand for builtins.
fn record(tools: &Tools) -> Outcome {
    let toolkit = tools.cuda13.as_ref().ok_or("there is no nvcc")?;
    let root = project::root();
    let mut command = Command::new("python3");
    command
        .arg(root.join("tools/xtask/py/nvcc_builtins.py"))
        .arg(toolkit)
        .arg(root.join("tests/oracle/nvcc_builtins.tsv"));
    match process::show(&mut command)? {
        true => Ok(()),
        false => Err("nvcc could not be asked".into()),
    }
}
