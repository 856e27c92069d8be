//! `./x clients`: programs that drive ptxas, with ours in its place.
//!
//! | client | does |
//! |---|---|
//! | nvcc | builds the programs of `tests/clients`, from a toolkit folder whose `bin/ptxas` is a link to `warpc` |
//! | clang | builds them with `--ptxas-path` |
//! | Triton | compiles the kernels of `tests/corpus/triton` with `TRITON_PTXAS_PATH` |
//!
//! What is built goes to `target/clients`; on a machine with a GPU each program checks its results and prints `ok`.

use crate::project::{self, Outcome};
use crate::{jobs, oracle, process, release};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The chip that programs are built for.
const CHIP: &str = "90";

/// The task.
pub fn clients(args: &[String]) -> Outcome {
    if let Some(unknown) = args.first() {
        return Err(format!("clients takes nothing, not {unknown}"));
    }
    let (tools, _) = oracle::ensure_all();
    let (built, failed) = build(&tools, &release::build()?)?;
    failed.iter().for_each(|message| println!("{message}"));
    println!("{built} built in target/clients, {} not", failed.len());
    match failed.is_empty() {
        true => Ok(()),
        false => Err(format!("{} could not be built", failed.len())),
    }
}

/// The same with the program that tests use: how many were built, and a message for each that was not.
pub fn compare(tools: &oracle::Tools) -> Outcome<(usize, Vec<String>)> {
    build(tools, &release::build_checked_command()?)
}

/// A program to build.
struct Program {
    client: &'static str,
    source: PathBuf,
}

fn build(tools: &oracle::Tools, warpc: &Path) -> Outcome<(usize, Vec<String>)> {
    let cuda = tools.cuda13.as_ref().ok_or("there is no CUDA toolkit")?;
    let folder = project::root().join("target/clients");
    if folder.exists() {
        std::fs::remove_dir_all(&folder)
            .map_err(|e| format!("cannot empty {}: {e}", folder.display()))?;
    }
    let toolkit = toolkit(cuda, warpc, &folder)?;
    let sources = project::files(&project::root().join("tests/clients"), "cu");
    let mut programs = Vec::new();
    for client in ["nvcc", "clang"] {
        project::make_dir(&folder.join(client))?;
        programs.extend(sources.iter().map(|source| Program {
            client,
            source: source.clone(),
        }));
    }
    let mut results = jobs::map(&programs, |program| {
        let name = program
            .source
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy();
        let output = folder.join(program.client).join(&*name);
        let mut command = match program.client {
            "nvcc" => nvcc(&toolkit),
            _ => clang(tools, &toolkit),
        };
        command.arg(&program.source).arg("-o").arg(output);
        if program.client == "clang" {
            command.args(LIBRARIES);
        }
        let finished = process::must(&format!("{} {name}", program.client), &mut command);
        finished.map(|_| 1)
    });
    results.push(triton(tools, &toolkit, &folder));
    let built = results
        .iter()
        .filter_map(|result| result.as_ref().ok())
        .sum();
    Ok((built, results.into_iter().filter_map(Result::err).collect()))
}

/// A toolkit folder like another, but for ptxas.
fn toolkit(cuda: &Path, warpc: &Path, folder: &Path) -> Outcome<PathBuf> {
    let toolkit = folder.join("toolkit");
    let bin = toolkit.join("bin");
    project::make_dir(&bin)?;
    let link = |from: &Path, to: &Path| {
        symlink(from, to).map_err(|e| format!("cannot link {}: {e}", to.display()))
    };
    let entries = |dir: &Path| -> Outcome<Vec<PathBuf>> {
        let read =
            std::fs::read_dir(dir).map_err(|e| format!("cannot read {}: {e}", dir.display()))?;
        Ok(read
            .filter_map(Result::ok)
            .map(|entry| entry.path())
            .collect())
    };
    for path in entries(cuda)? {
        if let Some(name) = path.file_name().filter(|name| *name != "bin") {
            link(&path, &toolkit.join(name))?;
        }
    }
    for path in entries(&cuda.join("bin"))? {
        let Some(name) = path.file_name().filter(|name| *name != "ptxas") else {
            continue;
        };
        // nvcc looks for the others beside itself, where its file is.
        let is_driver = name.to_string_lossy().starts_with("nvcc");
        match is_driver {
            true => {
                _ = std::fs::copy(&path, bin.join(name))
                    .map_err(|e| format!("cannot copy nvcc: {e}"))?
            }
            false => link(&path, &bin.join(name))?,
        }
    }
    link(Path::new("lib"), &toolkit.join("lib64"))?;
    link(warpc, &bin.join("ptxas"))?;
    Ok(toolkit)
}

fn nvcc(toolkit: &Path) -> Command {
    let mut command = Command::new(toolkit.join("bin/nvcc"));
    // No PTX beside the machine code: the driver would take it where ours does not load.
    let code = format!("arch=compute_{CHIP},code=sm_{CHIP}");
    command.args(["-std=c++17", "-gencode", &code]);
    command
}

fn clang(tools: &oracle::Tools, toolkit: &Path) -> Command {
    let clang = tools.clang.clone().unwrap_or_else(|| "clang++-22".into());
    let mut command = Command::new(clang);
    let path = |flag: &str, path: &str| format!("{flag}{}", toolkit.join(path).display());
    command
        .args([
            "-x",
            "cuda",
            "-std=c++17",
            "-O2",
            "-Wno-unknown-cuda-version",
        ])
        .arg("--no-offload-new-driver")
        .arg(format!("--cuda-gpu-arch=sm_{CHIP}"))
        .arg("--no-cuda-include-ptx=all")
        .arg(path("--cuda-path=", ""))
        .arg(path("--ptxas-path=", "bin/ptxas"))
        .arg(path("-I", "include/cccl"))
        .arg(path("-L", "lib"));
    command
}

/// What clang's programs are linked with; it comes after them.
const LIBRARIES: [&str; 6] = [
    "-lstdc++",
    "-lm",
    "-lcudart_static",
    "-ldl",
    "-lrt",
    "-lpthread",
];

/// The Triton kernels of the corpus, compiled with ours: how many there are.
fn triton(tools: &oracle::Tools, toolkit: &Path, folder: &Path) -> Outcome<usize> {
    let python = tools.triton.as_ref().ok_or("there is no Triton")?;
    let output = folder.join("triton");
    project::make_dir(&output)?;
    let script = project::root().join("tools/xtask/py/triton_aot.py");
    let kernels = project::root().join("tests/corpus/triton/kernels.py");
    let ptxas = toolkit.join("bin/ptxas");
    let mut command = Command::new(python);
    command
        .env("TRITON_CACHE_DIR", folder.join("triton-cache"))
        .env("TRITON_PTXAS_PATH", &ptxas)
        .env("TRITON_PTXAS_BLACKWELL_PATH", &ptxas)
        .arg(script)
        .arg(output.join("kernels"))
        .arg(CHIP)
        .arg(kernels)
        .arg("cubin");
    process::must("Triton", &mut command)?;
    Ok(project::files(&output, "cubin").len())
}
