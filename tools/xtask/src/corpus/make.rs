//! Running the compilers.
//!
//! They run in the source's folder with relative names, and file names they record (`.file` lines of
//! `-lineinfo` and `-G` builds) lose the folders of this machine, so that the result is the same everywhere.

use crate::corpus::recipe::{Job, Tool};
use crate::corpus::suite;
use crate::oracle::Tools;
use crate::process;
use crate::project::{self, Outcome};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Part of every cache key; raise it when command lines here change.
pub const VERSION: &str = "3";

/// What became of a job.
pub enum Made {
    /// The file is there.
    Written,
    /// The tool is not on this machine.
    NoTool,
}

/// Whether the job's result is there and up to date.
pub fn is_fresh(job: &Job) -> bool {
    std::fs::read_to_string(key_file(job)).is_ok_and(|key| key == job.key)
}

fn output(job: &Job) -> PathBuf {
    project::corpus_dir().join(&job.path)
}

fn key_file(job: &Job) -> PathBuf {
    output(job).with_extension("key")
}

/// A made file: its path below the corpus folder, and the job it comes from.
pub struct Output<'a> {
    /// `nvcc/sm_90a/reduce.ptx`.
    pub path: String,
    /// The recipe.
    pub job: &'a Job,
}

/// The files that are there and up to date, in order.
pub fn outputs(jobs: &[Job]) -> Vec<Output<'_>> {
    let fresh = jobs.iter().filter(|job| is_fresh(job));
    fresh
        .flat_map(|job| {
            written(job)
                .into_iter()
                .map(move |path| Output { path, job })
        })
        .collect()
}

/// What a job writes, below the corpus folder. A Triton job makes any number of `<name>-<kernel>.ptx`.
fn written(job: &Job) -> Vec<String> {
    if job.tool != Tool::Triton {
        return vec![job.path.clone()];
    }
    let file = output(job);
    let prefix = format!("{}-", project::stem(&file));
    let siblings = file
        .parent()
        .map(|dir| project::files(dir, "ptx"))
        .unwrap_or_default();
    let names = siblings
        .iter()
        .filter_map(|path| path.file_name())
        .map(|n| n.to_string_lossy());
    names
        .filter(|n| n.starts_with(&prefix))
        .map(|n| format!("triton/sm_{}/{n}", job.sm))
        .collect()
}

/// Makes one file (or, for Triton, one family of files).
pub fn make(tools: &Tools, job: &Job) -> Outcome<Made> {
    let out = output(job);
    if let Some(dir) = out.parent() {
        project::make_dir(dir)?;
    }
    let Some(mut command) = command(tools, job, &out) else {
        return Ok(Made::NoTool);
    };
    let folder = job.source.parent().unwrap_or(Path::new("."));
    let name = job.source.file_name().unwrap_or_default();
    command.current_dir(folder).arg(name).args(&job.flags);
    process::must(job.tool.name(), &mut command)?;
    for path in written(job) {
        let file = project::corpus_dir().join(path);
        let text = project::read(&file)?;
        let mut text = without_folders(&text, tools);
        if job.to_run {
            text = suite::made_to_run(&text, &project::read(&job.source)?);
        }
        project::write(&file, text)?;
    }
    project::write(&key_file(job), &job.key)?;
    Ok(Made::Written)
}

fn command(tools: &Tools, job: &Job, out: &Path) -> Option<Command> {
    let old = job
        .sm
        .trim_end_matches(['a', 'f'])
        .parse::<u32>()
        .is_ok_and(|n| n < 75);
    let script = |name: &str| project::root().join("tools/xtask/py").join(name);
    Some(match job.tool {
        Tool::Nvcc => {
            let mut c = Command::new(tools.cuda13.as_ref()?.join("bin/nvcc"));
            c.args(["-ptx", "-w", &format!("-arch=sm_{}", job.sm), "-o"])
                .arg(out);
            c
        }
        Tool::Nvrtc => {
            let (python, library) = tools.nvrtc.as_ref()?;
            let mut c = Command::new(python);
            c.arg(script("nvrtc.py"))
                .arg(library)
                .arg(tools.cuda12.as_ref()?.join("include"));
            c.arg(format!("sm_{}", job.sm)).arg(out);
            c
        }
        Tool::Clang => {
            let toolkit = if old {
                tools.cuda12.as_ref()?
            } else {
                tools.cuda13.as_ref()?
            };
            let mut c = Command::new(tools.clang.as_ref()?);
            c.args([
                "-x",
                "cuda",
                "--cuda-device-only",
                "-S",
                "-O2",
                "-std=c++17",
                "-w",
                "-Wno-unknown-cuda-version",
            ]);
            c.arg(format!("--cuda-gpu-arch=sm_{}", job.sm))
                .arg(format!("--cuda-path={}", toolkit.display()));
            c.arg("-isystem")
                .arg(toolkit.join("include/cccl"))
                .arg("-o")
                .arg(out);
            c
        }
        Tool::Triton => {
            let mut c = Command::new(tools.triton.as_ref()?);
            let ptxas = tools.cuda13.as_ref()?.join("bin/ptxas");
            // Triton brings a ptxas of its own for each generation; it only has to assemble, ours judges later.
            c.env("TRITON_PTXAS_PATH", &ptxas)
                .env("TRITON_PTXAS_BLACKWELL_PATH", &ptxas);
            c.env(
                "TRITON_CACHE_DIR",
                project::root().join("target/oracle/triton-cache"),
            );
            c.arg(script("triton_aot.py"))
                .arg(out.with_extension(""))
                .arg(&job.sm);
            c
        }
    })
}

/// Takes this machine's folders out of `.file` lines, comments and debug sections.
fn without_folders(text: &str, tools: &Tools) -> String {
    let root = project::root().display().to_string();
    let mut prefixes = Vec::new();
    for toolkit in [&tools.cuda13, &tools.cuda12].into_iter().flatten() {
        prefixes.push((format!("{}/bin/../", toolkit.display()), "cuda/"));
        prefixes.push((format!("{}/", toolkit.display()), "cuda/"));
    }
    prefixes.push((format!("{root}/"), ""));
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let start = line.trim_start();
        if start.starts_with(".file") || start.starts_with("//") {
            let shorten =
                |line: String, (prefix, instead): &(String, &str)| line.replace(prefix, instead);
            out.push_str(&prefixes.iter().fold(line.to_string(), shorten));
        } else {
            out.push_str(line);
        }
    }
    hide_bytes(&mut out, root.as_bytes());
    out
}

/// Whether a text still names the folder of this checkout.
pub fn names_this_machine(text: &str) -> bool {
    let root = project::root().display().to_string();
    let mut hidden = text.to_string();
    hide_bytes(&mut hidden, root.as_bytes());
    hidden != text || text.contains(&root)
}

/// Replaces a folder that stands as `.b8` values in a debug section by `/src` and slashes: other values
/// there are offsets, so the length must stay.
fn hide_bytes(text: &mut String, folder: &[u8]) {
    // Where each value of each `.b8` line stands, and the value.
    let mut values: Vec<(std::ops::Range<usize>, u8)> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if let Some(list) = line.trim_start().strip_prefix(".b8") {
            let mut offset = at + line.len() - list.len();
            let list = list.split("//").next().unwrap_or(list);
            for item in list.split(',') {
                let digits = item.trim();
                let start = offset + item.len() - item.trim_start().len();
                if let Ok(value) = digits.parse() {
                    values.push((start..start + digits.len(), value));
                }
                offset += item.len() + 1;
            }
        }
        at += line.len();
    }
    let bytes: Vec<u8> = values.iter().map(|(_, value)| *value).collect();
    let mut edits = Vec::new();
    for start in 0..bytes.len().saturating_sub(folder.len()) {
        if &bytes[start..start + folder.len()] == folder {
            let instead = b"/src".iter().copied().chain(std::iter::repeat(b'/'));
            for (value, byte) in values[start..start + folder.len()].iter().zip(instead) {
                edits.push((value.0.clone(), byte.to_string()));
            }
        }
    }
    for (range, byte) in edits.into_iter().rev() {
        text.replace_range(range, &byte);
    }
}

#[cfg(test)]
mod tests {
    use super::hide_bytes;

    #[test]
    fn folders_in_debug_sections_are_hidden_in_place() {
        let mut text = "\t.b8 1\n\t.b8 47,104,111 // a, 7\n.b8 109, 101,47\n".to_string();
        hide_bytes(&mut text, b"/home");
        assert_eq!(text, "\t.b8 1\n\t.b8 47,115,114 // a, 7\n.b8 99, 47,47\n");
    }
}
