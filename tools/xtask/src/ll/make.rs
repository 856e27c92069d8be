//! Running the producers of LLVM IR.
//!
//! As for PTX, they run in the source's folder with relative names, and what names this machine is taken out of
//! the text afterwards.

use crate::corpus::Made;
use crate::ll::recipe::{Clang, Job, Tool};
use crate::oracle::Tools;
use crate::process;
use crate::project::{self, Outcome};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Part of every cache key; raise it when command lines here change.
pub const VERSION: &str = "1";

/// Modules above this size are left out where one job makes many: a debug build of one crate can be as large as all
/// the rest together.
const LARGEST: u64 = 3_000_000;

/// Whether the job's result is there and up to date.
pub fn is_fresh(job: &Job) -> bool {
    std::fs::read_to_string(key_file(job)).is_ok_and(|key| key == job.key)
}

fn output(job: &Job) -> PathBuf {
    project::corpus_dir().join(&job.path)
}

fn key_file(job: &Job) -> PathBuf {
    match job.tool.makes_many() {
        true => output(job).join("key"),
        false => output(job).with_extension("key"),
    }
}

/// The modules of a job that is up to date, below the corpus folder.
pub fn written(job: &Job) -> Vec<String> {
    if !job.tool.makes_many() {
        return vec![job.path.clone()];
    }
    project::files(&output(job), "ll")
        .iter()
        .filter_map(|path| path.file_name())
        .map(|name| format!("{}/{}", job.path, name.to_string_lossy()))
        .collect()
}

/// Makes one module, or one family of modules.
pub fn make(tools: &Tools, job: &Job) -> Outcome<Made> {
    let out = output(job);
    let folder = if job.tool.makes_many() {
        std::fs::remove_dir_all(&out).ok();
        out.as_path()
    } else {
        out.parent().unwrap_or(Path::new("."))
    };
    project::make_dir(folder)?;
    let Some(mut command) = command(tools, job, &out) else {
        return Ok(Made::NoTool);
    };
    command.current_dir(job.source.parent().unwrap_or(Path::new(".")));
    process::must(&job.tool.producer(), &mut command)?;
    if job.tool == Tool::Rustc {
        take_crates(job, &out)?;
    }
    for path in written(job) {
        let file = project::corpus_dir().join(path);
        let text = project::read(&file)?;
        project::write(&file, without_folders(&text))?;
    }
    project::write(&key_file(job), &job.key)?;
    Ok(Made::Written)
}

fn command(tools: &Tools, job: &Job, out: &Path) -> Option<Command> {
    let script = |name: &str| project::root().join("tools/xtask/py").join(name);
    let name = job.source.file_name().unwrap_or_default();
    let has = |program: &str| tools.ll.programs.contains(&program);
    let clang = |version: Clang| -> Option<Command> {
        let program = format!("clang++-{}", version.number());
        let there = match version {
            Clang::V22 => tools.clang.is_some(),
            _ => has(&program),
        };
        // As C where the name says C: the driver of C++ would take it for C++.
        let program = match job.source.extension().is_some_and(|e| e == "c") {
            true => program.replace("++", ""),
            false => program,
        };
        let mut c = Command::new(program);
        c.args(["-S", "-emit-llvm", "-w"]).args(job.flags);
        c.args(["-fdebug-compilation-dir=/src", "-o"]).arg(out);
        there.then_some(c)
    };
    // Each clang with the newest toolkit whose headers it takes.
    let toolkit = |version: Clang| match version {
        Clang::V22 => tools.cuda13.clone(),
        Clang::V19 => tools.cuda12.clone(),
        Clang::V14 => tools.ll.cuda11.clone(),
    };
    Some(match job.tool {
        Tool::Cuda(version) => {
            let toolkit = toolkit(version)?;
            let chip = match version {
                Clang::V14 => "sm_80",
                _ => "sm_90a",
            };
            let mut c = clang(version)?;
            c.args(["-x", "cuda", "--cuda-device-only", "-std=c++17"]);
            c.arg("-Wno-unknown-cuda-version")
                .arg(format!("--cuda-gpu-arch={chip}"))
                .arg(format!("--cuda-path={}", toolkit.display()));
            c.arg("-isystem").arg(toolkit.join("include/cccl"));
            c.arg(name);
            c
        }
        Tool::OpenMp(version) => {
            let mut c = clang(version)?;
            c.args([
                "-fopenmp",
                "-fopenmp-targets=nvptx64-nvidia-cuda",
                "--offload-device-only",
                "-nogpulib",
                "-nogpuinc",
                "-Xopenmp-target",
                "-march=sm_80",
            ]);
            // Only for its version number: which PTX there can be.
            let toolkit = tools.cuda12.as_ref()?;
            c.arg(format!("--cuda-path={}", toolkit.display()));
            c.arg(name);
            c
        }
        Tool::Host(version) => {
            let mut c = clang(version)?;
            c.arg(name);
            c
        }
        Tool::Flang => {
            let mut c = Command::new("flang-22");
            c.args(["-S", "-emit-llvm", "-fopenmp"]).args(job.flags);
            c.arg("-J").arg(out.parent()?).arg("-o").arg(out).arg(name);
            has("flang-22").then_some(c)?
        }
        Tool::Rustc => {
            let [profile, debug] = job.flags else {
                return None;
            };
            let mut c = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
            c.args(["build", "--profile", profile, "--target-dir"])
                .arg(out.join("build"))
                .env("CARGO_INCREMENTAL", "0")
                .env(
                    "RUSTFLAGS",
                    format!("--emit=llvm-ir -Ccodegen-units=1 -Cdebuginfo={debug}"),
                );
            c
        }
        Tool::Triton => {
            let ptxas = tools.cuda13.as_ref()?.join("bin/ptxas");
            let mut c = Command::new(tools.triton.as_ref()?);
            c.env("TRITON_PTXAS_PATH", &ptxas)
                .env("TRITON_PTXAS_BLACKWELL_PATH", &ptxas)
                .env(
                    "TRITON_CACHE_DIR",
                    project::root().join("target/oracle/triton-cache"),
                );
            c.arg(script("triton_aot.py")).arg(out.join("kernels"));
            c.args(job.flags).arg(name).arg("llir");
            c
        }
        Tool::Numba | Tool::NumbaTyped => {
            let python = match job.tool {
                Tool::Numba => tools.ll.numba.as_ref()?,
                _ => tools.ll.numba_typed.as_ref()?,
            };
            let mut c = Command::new(python);
            c.env("PYTHONDONTWRITEBYTECODE", "1");
            c.arg(script("numba_ll.py")).arg(out).arg(name);
            c
        }
    })
}

/// Cargo leaves a module beside each library; they are taken under the crates' names, the build folder goes.
fn take_crates(job: &Job, out: &Path) -> Outcome {
    let profile = match job.flags.first() {
        Some(&"release") => "release",
        _ => "debug",
    };
    let build = out.join("build");
    for file in project::files(&build.join(profile).join("deps"), "ll") {
        let size = std::fs::metadata(&file).map_or(0, |m| m.len());
        let stem = project::stem(&file);
        let name = stem.split('-').next().unwrap_or(&stem);
        if size <= LARGEST {
            std::fs::rename(&file, out.join(format!("{name}.ll")))
                .map_err(|e| format!("cannot move {}: {e}", file.display()))?;
        }
    }
    std::fs::remove_dir_all(&build).ok();
    Ok(())
}

/// Takes this machine's folders out of strings. Their length stays: the types of constants tell it.
pub fn without_folders(text: &str) -> String {
    let home = std::env::var("HOME").unwrap_or_else(|_| "/root".into());
    let root = project::root().display().to_string();
    let mut text = text.to_string();
    for folder in [root, home].iter().filter(|f| f.len() > 4) {
        text = text.replace(
            folder.as_str(),
            &format!("/src{}", "/".repeat(folder.len() - 4)),
        );
    }
    without_registry(&text)
}

/// Takes the name of the crates' registry out of paths, which cargo has as a folder; the length stays, too.
fn without_registry(text: &str) -> String {
    const BEFORE: &str = "/registry/src/";
    let mut pieces = text.split(BEFORE);
    let mut out = pieces.next().unwrap_or_default().to_string();
    for piece in pieces {
        let end = piece.find('/').unwrap_or(0);
        out.push_str(BEFORE);
        out.push_str(&"-".repeat(end));
        out.push_str(&piece[end..]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::without_registry;

    #[test]
    fn the_registry_is_not_named() {
        let text = "a/.cargo/registry/src/some.host-12ab/x-1.0/lib.rs b";
        let without = without_registry(text);
        assert_eq!(
            without,
            "a/.cargo/registry/src/--------------/x-1.0/lib.rs b"
        );
        assert_eq!(without.len(), text.len());
    }
}
