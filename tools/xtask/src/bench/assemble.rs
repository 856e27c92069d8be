//! The assembler: `warpc compile k.ptx -o k.cubin` beside `ptxas -O3` over the corpus, whole processes, and over modules
//! of all sizes ([`sizes`]), and by pass ([`passes`]).

mod generate;
mod passes;
mod sizes;

use crate::corpus;
use crate::oracle::Tools;
use crate::project::{self, Outcome};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The chip that is assembled for.
const CHIP: &str = "sm_90a";
/// The corpus files for this chip and the one before it.
const FILES: [&str; 2] = ["/sm_90/", "/sm_90a/"];
/// How many of the largest files have a line of their own.
const LARGEST: usize = 3;
/// Runs of each; the best counts.
const RUNS: usize = 3;

/// A file that both programs take.
struct Taken {
    name: String,
    bytes: u64,
    ours: Duration,
    theirs: Duration,
}

/// The section of the page.
pub fn section(tools: &Tools, warpc: &Path) -> Outcome<String> {
    corpus::ensure(tools, "")?;
    let (_, ptxas) = tools.ptxas(CHIP).ok_or("there is no ptxas")?;
    let folder = project::corpus_dir();
    let mut files = Vec::new();
    find(&folder, &mut files)?;
    files.sort();
    let bench = project::root().join("target/bench");
    project::make_dir(&bench)?;
    let out = bench.join("assembled.cubin");
    let (mut taken, mut refused) = (Vec::new(), 0);
    for file in &files {
        let ours = fastest(|| {
            let mut command = Command::new(warpc);
            command.arg("compile").arg(file);
            command.args(["--arch", CHIP, "-o"]).arg(&out);
            command
        })?;
        let Some(ours) = ours else {
            refused += 1;
            continue;
        };
        let theirs = fastest(|| {
            let mut command = Command::new(&ptxas);
            command.args(["-O3", &format!("-arch={CHIP}"), "-o"]);
            command.arg(&out).arg(file);
            command
        })?;
        if let Some(theirs) = theirs {
            let name = file.strip_prefix(&folder).unwrap_or(file);
            taken.push(Taken {
                name: name.display().to_string(),
                bytes: file.metadata().map_or(0, |data| data.len()),
                ours,
                theirs,
            });
        }
    }
    taken.sort_by_key(|one| std::cmp::Reverse(one.bytes));
    let mut text = format!(
        "\n## From PTX to machine code\n\n\
         The files of the corpus for sm_90 and sm_90a, assembled for {CHIP} by whole processes (best of {RUNS}); \
         {} are taken, {refused} refused.\n\n\
         | file | kB | warpc compile | ptxas -O3 | times faster |\n|---|---|---|---|---|\n",
        taken.len()
    );
    for one in taken.iter().take(LARGEST) {
        text.push_str(&line(one));
    }
    let all = Taken {
        name: format!("all {}", taken.len()),
        bytes: taken.iter().map(|one| one.bytes).sum(),
        ours: taken.iter().map(|one| one.ours).sum(),
        theirs: taken.iter().map(|one| one.theirs).sum(),
    };
    text.push_str(&line(&all));
    text.push_str(&sizes::section(warpc, &ptxas)?);
    text.push_str(&passes::section(warpc)?);
    Ok(text)
}

/// The part of the section about sizes, which needs no corpus.
pub fn sizes_section(tools: &Tools, warpc: &Path) -> Outcome<String> {
    let (_, ptxas) = tools.ptxas(CHIP).ok_or("there is no ptxas")?;
    project::make_dir(&project::root().join("target/bench"))?;
    Ok(sizes::section(warpc, &ptxas)? + &passes::section(warpc)?)
}

fn line(one: &Taken) -> String {
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    format!(
        "| {} | {:.0} | {:.1} ms | {:.1} ms | {:.1} |\n",
        one.name,
        one.bytes as f64 / 1e3,
        milliseconds(one.ours),
        milliseconds(one.theirs),
        one.theirs.as_secs_f64() / one.ours.as_secs_f64().max(1e-9)
    )
}

/// The PTX files below a folder.
fn find(folder: &Path, files: &mut Vec<PathBuf>) -> Outcome {
    let entries = std::fs::read_dir(folder);
    let entries = entries.map_err(|e| format!("cannot read {}: {e}", folder.display()))?;
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            find(&path, files)?;
        } else if path.extension().is_some_and(|ending| ending == "ptx")
            && FILES
                .iter()
                .any(|part| path.to_string_lossy().contains(part))
        {
            files.push(path);
        }
    }
    Ok(())
}

/// The best time of a program; nothing if it refuses its input.
fn fastest(command: impl Fn() -> Command) -> Outcome<Option<Duration>> {
    let mut best = Duration::MAX;
    for _ in 0..RUNS {
        let mut command = command();
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let start = Instant::now();
        let status = command.status();
        let status = status.map_err(|e| format!("cannot run {command:?}: {e}"))?;
        best = best.min(start.elapsed());
        if !status.success() {
            return Ok(None);
        }
    }
    Ok(Some(best))
}
