//! `./x hw`: the runner and its cases in one folder, to be carried to a machine with a GPU; and what
//! came back from there into the tests.
//!
//! The machine with the GPU needs nothing but the driver: `warpc-hw` is one binary that makes its
//! cases itself or reads them beside it.

mod bench;
mod pairs;

use crate::project::{self, Outcome};
use crate::{ll, release};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Answers of which the tests replay a part: the file, the runner's task that cuts it, its options.
const CUT: &[(&str, &str, &[&str])] = &[
    ("forms.bin.gz", "record", &["--tuples", "256"]),
    ("matrix.bin.gz", "matrix-record", &[]),
];

/// Answers that are kept as they come.
const WHOLE: &[&str] = &[
    "kernels.tsv.gz",
    "programs.tsv.gz",
    "atomics.tsv.gz",
    "litmus.tsv.gz",
    "sass.tsv.gz",
    "latency.tsv.gz",
];

/// The task.
pub fn hw(args: &[String]) -> Outcome {
    match args {
        [] => make(),
        [option] if option == "--bench" => bench::make(),
        [option, dir] if option == "--record" => record(Path::new(dir)),
        _ => Err("hw takes nothing, --bench, or --record DIR".into()),
    }
}

fn folder() -> PathBuf {
    project::root().join("target/hw")
}

/// Builds the runner and puts it into the folder, with the kernel suite beside it.
fn make() -> Outcome {
    println!("building warpc-hw");
    let binary = release::build_package("warpc-hw")?;
    let dir = folder();
    let kernels = dir.join("kernels");
    if kernels.exists() {
        std::fs::remove_dir_all(&kernels)
            .map_err(|e| format!("cannot empty {}: {e}", kernels.display()))?;
    }
    project::make_dir(&kernels)?;
    copy(&binary, &dir.join("warpc-hw"))?;
    for file in project::files(&project::root().join("tests/kernels/ptx"), "gz") {
        let name = file.file_name().unwrap_or_default();
        copy(&file, &kernels.join(name))?;
    }
    pairs::make(&binary, &dir.join("pairs"))?;
    let atomics = |build: &str| {
        let name = format!("atomics-{build}");
        (ll::atomics::folder().join(build), name)
    };
    let builds = [
        (
            ll::kernels::folder().join("ours"),
            "kernels-ours".to_string(),
        ),
        (ll::kernels::folder().join("llc"), "kernels-llc".into()),
        (ll::triton::folder().join("triton"), "triton".into()),
        (ll::triton::folder().join("ours"), "triton-ours".into()),
    ];
    let contended = ll::atomics::BUILDS.map(atomics);
    for (from, name) in builds.into_iter().chain(contended) {
        let to = dir.join(name);
        std::fs::remove_dir_all(&to).ok();
        project::make_dir(&to)?;
        for file in project::files(&from, "ptx") {
            copy(&file, &to.join(file.file_name().unwrap_or_default()))?;
        }
    }
    println!(
        "\n{} is ready. Carry it to a machine with a GPU and its driver, and run there\n\n    \
         ./warpc-hw forms --out DIR\n    \
         ./warpc-hw kernels --out DIR                  # generated programs\n    \
         ./warpc-hw kernels --dir kernels --out DIR    # the kernel suite\n    \
         ./warpc-hw matrix --out DIR\n    \
         ./warpc-hw atomics --out DIR                  # operations with contending threads\n    \
         ./warpc-hw collectives --out DIR              # warps, barriers, pipelines\n    \
         ./warpc-hw litmus --out DIR                   # litmus tests of memory order\n    \
         ./warpc-hw sass --pairs pairs --out DIR       # machine code by hand, and rebuilt\n    \
         ./warpc-hw latency --out DIR                  # how far apart two instructions must be\n    \
         ./warpc-hw bench kernels kernels-llc kernels-ours --out DIR    # after ./x ll kernels\n    \
         ./warpc-hw bench triton triton-ours --out DIR                  # after ./x ll triton\n    \
         ./warpc-hw bench atomics-{{nvcc,cuda,written,llc}} --rounds 3 --out DIR    # after ./x ll atomics\n\n\
         Then bring DIR back and keep its answers with\n\n    ./x hw --record DIR",
        dir.display()
    );
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Outcome {
    std::fs::copy(from, to).map_err(|e| format!("cannot copy {}: {e}", from.display()))?;
    Ok(())
}

/// Takes the answers in a folder into `tests/hardware`: those that are there.
fn record(dir: &Path) -> Outcome {
    let tests = project::root().join("tests/hardware");
    project::make_dir(&tests)?;
    let mut taken = 0;
    for (name, task, options) in CUT {
        let (answers, out) = (dir.join(name), tests.join(name));
        if !answers.exists() {
            continue;
        }
        let mut command = Command::new(release::build_package("warpc-hw")?);
        command.arg(task).arg(&answers).arg("--out").arg(&out);
        let said = crate::process::must(task, command.args(*options))?;
        println!("{}: {}", out.display(), said.trim());
        taken += 1;
    }
    for name in WHOLE {
        if dir.join(name).exists() {
            copy(&dir.join(name), &tests.join(name))?;
            println!("{}", tests.join(name).display());
            taken += 1;
        }
    }
    if taken == 0 {
        return Err(format!("{} has no answers", dir.display()));
    }
    Ok(())
}
