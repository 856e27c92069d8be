//! `./x ll-triton`: Triton's kernels as PTX by Triton and by our compiler, ready to be run beside each other.
//!
//! ```text
//! tests/corpus/triton/kernels.py ─ Triton ─┬ PTX ────────────────────► target/ll_triton/triton/<name>.ptx
//!                                          └ LLVM IR ─ warpc compile ► target/ll_triton/ours/<name>.ptx
//! ```
//!
//! Both carry the same `// run:` lines: `warpc-hw bench triton ours --out DIR` on a machine with a GPU says whether
//! they leave the same numbers, and how long each takes.

use crate::oracle;
use crate::project::{self, Outcome};
use crate::{process, release};
use std::process::Command;

/// The chip the answers are of.
const CHIP: &str = "90";

/// The task.
pub fn triton(args: &[String]) -> Outcome {
    if !args.is_empty() {
        return Err("ll-triton takes nothing".into());
    }
    let (tools, _) = oracle::ensure_all();
    let python = tools.triton.ok_or("Triton could not be installed")?;
    let warpc = release::build()?;
    let root = project::root();
    let mut command = Command::new(python);
    command
        .env("TRITON_CACHE_DIR", root.join("target/oracle/triton-cache"))
        .arg(root.join("crates/xtask/py/triton_run.py"))
        .arg(warpc)
        .arg(CHIP)
        .arg(root.join("tests/corpus/triton/kernels.py"))
        .arg(root.join("target/ll_triton"));
    match process::show(&mut command)? {
        true => Ok(()),
        false => Err("Triton's kernels could not be made".into()),
    }
}
