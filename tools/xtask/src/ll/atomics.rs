//! `./x ll atomics`: kernels that contend for memory, by nvcc, by our compiler and by LLVM's.
//!
//! ```text
//! tests/kernels/atomics/*.cu ┬ nvcc ─────────────────────────────────────► target/ll_atomics/nvcc/<name>.ptx
//!                            └ clang-22 -O3 ─► <name>.ll ┬ warpc compile ► cuda/, written/
//!                                                        └ llc-22 -O2 ───► llc/
//! ```
//!
//! clang writes CUDA's relaxed atomics as the strongest there are. `cuda` takes them for what CUDA means, as nvcc
//! does; `written` keeps what the LLVM IR says, and shows what that costs. What the kernels leave does not depend
//! on the order in which threads come, so that `warpc-hw bench` can compare the builds' results, too.

use crate::corpus::made_to_run;
use crate::ll::kernels::{CHIP, TIMED, as_ir, ours, theirs, to_be_run};
use crate::oracle::{self, Tools};
use crate::project::{self, Outcome};
use crate::{jobs, process, release};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The builds, the one that the others are compared with first.
pub const BUILDS: [&str; 4] = ["nvcc", "cuda", "written", "llc"];

/// The task.
pub fn atomics(args: &[String]) -> Outcome {
    if !args.is_empty() {
        return Err("ll atomics takes nothing".into());
    }
    let (tools, _) = oracle::ensure_all();
    let warpc = release::build()?;
    let sources = project::files(&project::root().join("tests/kernels/atomics"), "cu");
    let results = jobs::map(&sources, |source| one(&tools, &warpc, source));
    let mut refused = Vec::new();
    for (source, result) in sources.iter().zip(results) {
        let messages = result.unwrap_or_else(|message| vec![message]);
        let name = project::stem(source);
        refused.extend(messages.iter().map(|said| format!("{name}: {said}")));
    }
    println!("{} files, in {}", sources.len(), folder().display());
    match refused.is_empty() {
        true => Ok(()),
        false => Err(refused.join("\n")),
    }
}

/// Where the files are made.
pub fn folder() -> PathBuf {
    project::root().join("target/ll_atomics")
}

/// Makes the files of a source; gives what the compilers refuse.
fn one(tools: &Tools, warpc: &Path, source: &Path) -> Outcome<Vec<String>> {
    let text = project::read(source)?;
    let out = |build: &str| {
        let name = format!("{}.ptx", project::stem(source));
        folder().join(build).join(name)
    };
    nvcc(tools, source, &text, &out("nvcc"))?;
    let (module, _) = as_ir(tools, source, &text, TIMED, &folder())?;
    let builds = [
        ("cuda", ours(warpc, &module, "cuda")),
        ("written", ours(warpc, &module, "written")),
        ("llc", theirs(&module)),
    ];
    let mut messages = Vec::new();
    for (build, command) in builds {
        let said = to_be_run(command, &out(build), &text)?;
        messages.extend(said.map(|said| format!("{build}: {said}")));
    }
    Ok(messages)
}

/// nvcc's PTX of a source. nvcc optimises for the GPU as much as it can unless told otherwise.
fn nvcc(tools: &Tools, source: &Path, text: &str, out: &Path) -> Outcome {
    let toolkit = tools.cuda13.as_ref().ok_or("there is no CUDA 13")?;
    project::make_dir(out.parent().unwrap_or(out))?;
    let mut command = Command::new(toolkit.join("bin/nvcc"));
    command
        .args(["-ptx", "-w", "-O3", &format!("-arch={CHIP}"), "-o"])
        .arg(out)
        .arg(source);
    process::must("nvcc", &mut command)?;
    project::write(out, made_to_run(&project::read(out)?, text))
}
