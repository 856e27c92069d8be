//! `./x ll triton`: Triton's kernels as PTX by Triton and by our compiler, ready to be run beside each other.
//!
//! ```text
//! tests/corpus/triton/kernels.py ─ Triton ─┬ PTX ────────────────────► target/ll_triton/triton/<name>.ptx
//!                                          └ LLVM IR ─ warpc compile ► target/ll_triton/ours/<name>.ptx
//! ```
//!
//! Both carry the same `// run:` lines: `warpc-hw bench triton ours --out DIR` on a machine with a GPU says whether
//! they leave the same numbers, and how long each takes.
//!
//! `--record` keeps PTX and LLVM IR of Triton's kernels for sm_80 in `tests/kernels/triton`, from the corpus: the
//! emulators run these, with the launches in `tests/kernels/triton.tsv`. For sm_90 Triton uses `wgmma`, which the emulator of
//! machine code does not run.

use crate::oracle;
use crate::project::{self, Outcome};
use crate::{process, release};
use std::path::PathBuf;
use std::process::Command;
use warpc_testkit::gzip;

/// The chip the answers are of.
const CHIP: &str = "90";

/// The task.
pub fn triton(args: &[String]) -> Outcome {
    match args {
        [] => {}
        [option] if option == "--record" => return record(),
        _ => return Err("ll triton takes nothing, or --record".into()),
    }
    let (tools, _) = oracle::ensure_all();
    let python = tools.triton.ok_or("Triton could not be installed")?;
    let warpc = release::build()?;
    let root = project::root();
    let mut command = Command::new(python);
    command
        .env("TRITON_CACHE_DIR", root.join("target/oracle/triton-cache"))
        .arg(root.join("tools/xtask/py/triton_run.py"))
        .arg(warpc)
        .arg(CHIP)
        .arg(root.join("tests/corpus/triton/kernels.py"))
        .arg(folder());
    match process::show(&mut command)? {
        true => Ok(()),
        false => Err("Triton's kernels could not be made".into()),
    }
}

/// Where the files are made.
pub fn folder() -> PathBuf {
    project::root().join("target/ll_triton")
}

/// Keeps what the emulator's tests need.
fn record() -> Outcome {
    let corpus = project::corpus_dir();
    let dir = project::root().join("tests/kernels/triton");
    let launches = project::read(&project::root().join("tests/kernels/triton.tsv"))?;
    for (name, _) in launches
        .lines()
        .skip(1)
        .filter_map(|line| line.split_once('\t'))
    {
        for (ending, folder) in [("ptx", "triton/sm_80"), ("ll", "ll/triton/sm_80")] {
            let text = project::read(&corpus.join(format!("{folder}/kernels-{name}.{ending}")))?;
            let path = dir.join(format!("{name}.{ending}.gz"));
            project::write(&path, gzip::pack(text))?;
        }
    }
    Ok(())
}
