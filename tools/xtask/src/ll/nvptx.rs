//! `./x ll nvptx`: LLVM's own tests of its back end for NVIDIA's GPUs, through us and through llc, and both through
//! ptxas.
//!
//! ```text
//! test ─ RUN: … llc -mcpu=sm_90 -mattr=+ptx80 … ─┬─ warpc ─► PTX ─┐
//!                                                └─ llc-22 ► PTX ─┴─ ptxas ─► a row of the table
//! ```
//!
//! The tests come from Debian's source package and stay in `target`. What ptxas and llc said is kept by what they were
//! asked.

mod lines;
pub mod source;

use crate::ll::gpu::{self, Cache};
use crate::oracle::{self, Tools};
use crate::project::{self, Outcome};
use crate::{jobs, process, release};
use lines::Line;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The layout that llc uses with short pointers, which is an option of its command line and not part of the module.
const SHORT_LAYOUT: &str = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-\
     n16:32:64";

/// Groups of fewer lines are shown together.
const SMALL_GROUP: usize = 6;

/// How a compiler did on a line.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Fate {
    /// ptxas takes its PTX.
    Accepted,
    /// It made none.
    Refused(String),
    /// ptxas does not take it.
    Rejected(String),
}

/// The task.
pub fn nvptx(args: &[String]) -> Outcome {
    let mut filter = String::new();
    let mut given = None;
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--with" => given = Some(PathBuf::from(args.next().ok_or("--with needs a program")?)),
            option if option.starts_with("--") => return Err(format!("unknown option {option}")),
            word => filter = word.to_string(),
        }
    }
    let (tools, _) = oracle::ensure_all();
    let warpc = match given {
        Some(path) => path,
        None => release::build()?,
    };
    let tests = source::ensure()?;
    let folder = project::root().join("target/ll_nvptx");
    project::make_dir(&folder)?;
    let lines = all_lines(&tests, &folder, &filter)?;
    let run = Run {
        tools: &tools,
        warpc: &warpc,
        folder: &folder,
        cache: &Cache::open(folder.join("answers.tsv")),
    };
    let fates = jobs::map(&lines, |line| Ok((run.ours(line)?, run.llc(line)?)));
    run.cache.save()?;
    let fates: Outcome<Vec<_>> = fates.into_iter().collect();
    let known: Vec<_> = lines.iter().zip(fates?).collect();
    let report = report(&known);
    print!("{report}");
    project::write(&folder.join("report.txt"), &report)?;
    let [ours, llc] = totals(&known);
    match filter.is_empty() && ours <= llc {
        true => Err(format!("ptxas takes {ours} of ours and {llc} of llc's")),
        false => Ok(()),
    }
}

/// The lines of all tests whose name contains a word.
fn all_lines(tests: &Path, folder: &Path, filter: &str) -> Outcome<Vec<Line>> {
    let mut files = project::files(tests, "ll");
    files.extend(project::files(tests, "py"));
    files.retain(|file| file.to_string_lossy().contains(filter));
    // Two scripts write tests that lie beside them.
    files.retain(|file| {
        !matches!(project::stem(file).as_str(), "fence" | "cmpxchg")
            || file.extension().is_some_and(|e| e == "ll")
    });
    let made = jobs::map(&files, |file| lines::of_test(file, folder));
    let mut all = Vec::new();
    for lines in made {
        all.extend(lines?);
    }
    for line in all.iter().filter(|line| !line.before.is_empty()) {
        lines::shell(&format!("{} > {}", line.before, line.input.display()))?;
    }
    Ok(all)
}

struct Run<'a> {
    tools: &'a Tools,
    warpc: &'a Path,
    folder: &'a Path,
    cache: &'a Cache,
}

impl Run<'_> {
    /// A file name for what is made of a line.
    fn file(&self, line: &Line, ending: &str) -> PathBuf {
        let hash = project::hash(&[&format!("{line:?}")]) & 0xffff_ffff;
        let test = line.test.replace('.', "_");
        let chip = &line.chip;
        self.folder
            .join(format!("{test}.{chip}.{hash:08x}.{ending}"))
    }

    fn ours(&self, line: &Line) -> Outcome<Fate> {
        let ptx = self.file(line, "ptx");
        let mut input = line.input.clone();
        if let Some(text) = as_told(line, &project::read(&line.input)?) {
            input = self.file(line, "told.ll");
            project::write(&input, text)?;
        }
        let mut command = Command::new(self.warpc);
        command.args(["compile", "--arch", &line.chip]);
        if let Some(version) = &line.version {
            command.args(["--ptx-version", version]);
        }
        command.args(&line.level);
        for option in &line.options {
            match option.trim_start_matches('-') {
                "fp-contract=fast" | "nvptx-fma-level=1" | "nvptx-fma-level=2" => {
                    command.args(["--fmad", "on"]);
                }
                "nvptx-fma-level=0" => {
                    command.args(["--fmad", "off"]);
                }
                "denormal-fp-math-f32=preserve-sign" => {
                    command.args(["--ftz", "on"]);
                }
                _ => {}
            }
        }
        command.arg(&input).arg("-o").arg(&ptx);
        let patience = Duration::from_secs(120);
        let log = self.file(line, "warpc.log");
        let fate = match process::capture_within(&mut command, patience, &log)? {
            None => Fate::Refused("it does not end".into()),
            Some(done) if done.ok => self.judged(line, &ptx)?,
            Some(done) => Fate::Refused(gpu::complaint(&done.output)),
        };
        Ok(fate)
    }

    fn llc(&self, line: &Line) -> Outcome<Fate> {
        let ptx = self.file(line, "llc.ptx");
        let text = project::read(&line.input)?;
        let question = ["llc", &format!("{line:?}"), &text];
        let answer = self.cache.ask(&question, || {
            let mut command = Command::new("llc-22");
            command
                .arg(format!("-mcpu={}", line.chip))
                .args(&line.level);
            if let Some(version) = &line.version {
                command.arg(format!("-mattr=+ptx{}", version.replace('.', "")));
            }
            if line.short_pointers {
                command.arg("-nvptx-short-ptr");
            }
            command.args(&line.options).arg(&line.input);
            command.arg("-o").arg(&ptx);
            let said = gpu::judged(&mut command, &self.file(line, "llc.log"))?;
            if !said.is_empty() {
                return Ok(format!("refused: {said}"));
            }
            gpu::ptxas(self.tools, &line.chip, &ptx, project::read(&ptx)?.len())
        })?;
        Ok(match (answer.as_str(), answer.strip_prefix("refused: ")) {
            ("", _) => Fate::Accepted,
            (_, Some(said)) => Fate::Refused(said.to_string()),
            (said, None) => Fate::Rejected(said.to_string()),
        })
    }

    /// What ptxas says.
    fn judged(&self, line: &Line, ptx: &Path) -> Outcome<Fate> {
        let text = project::read(ptx)?;
        let question = ["ptxas", &text, &line.chip];
        let ask = || gpu::ptxas(self.tools, &line.chip, ptx, text.len());
        let answer = self.cache.ask(&question, ask)?;
        Ok(match answer.is_empty() {
            true => Fate::Accepted,
            false => Fate::Rejected(answer),
        })
    }
}

/// A module with the target that the command line of llc says, which puts it in the place of the module's own; `None` if
/// that is the same.
fn as_told(line: &Line, text: &str) -> Option<String> {
    let heads = text.lines().filter(|line| line.starts_with("target "));
    let other = heads.clone().any(lines::is_for_32_bits);
    if !line.short_pointers && !other {
        return None;
    }
    let mut out = String::new();
    if line.short_pointers {
        let _ = writeln!(out, "target datalayout = \"{SHORT_LAYOUT}\"");
    }
    for line in text.lines().filter(|line| !line.starts_with("target ")) {
        out.push_str(line);
        out.push('\n');
    }
    Some(out)
}

/// Of how many lines ptxas takes ours, and llc's.
fn totals(known: &[(&Line, (Fate, Fate))]) -> [usize; 2] {
    let count = |take: fn(&(Fate, Fate)) -> &Fate| {
        let fates = known.iter().map(|(_, fates)| take(fates));
        fates.filter(|fate| **fate == Fate::Accepted).count()
    };
    [count(|fates| &fates.0), count(|fates| &fates.1)]
}

/// Tests of one subject begin with one word: `wmma-ptx60-sm70.py` with `wmma`.
fn subject(test: &str) -> &str {
    test.split(['-', '_', '.']).next().unwrap_or(test)
}

/// Counts by subject, then every line that is not accepted, ours first.
fn report(known: &[(&Line, (Fate, Fate))]) -> String {
    let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
    for (line, _) in known {
        *sizes.entry(subject(&line.test)).or_default() += 1;
    }
    let mut table: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    for (line, (ours, llc)) in known {
        let name = subject(&line.test);
        let small = sizes.get(name).is_some_and(|n| *n < SMALL_GROUP);
        let row = table
            .entry(if small { "others" } else { name })
            .or_default();
        row[0] += 1;
        row[1] += usize::from(*ours == Fate::Accepted);
        row[2] += usize::from(*llc == Fate::Accepted);
    }
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{:20} {:>5} {:>6} {:>5}",
        "tests", "lines", "warpc", "llc"
    );
    for (name, [all, ours, llc]) in &table {
        let _ = writeln!(out, "{name:20} {all:5} {ours:6} {llc:5}");
    }
    let [ours, llc] = totals(known);
    let _ = writeln!(out, "{:20} {:5} {ours:6} {llc:5}", "all", known.len());
    for (title, other) in [("warpc", false), ("llc", true)] {
        let _ = writeln!(out, "\nnot accepted from {title}:");
        for (line, (ours, llc)) in known {
            let (mine, theirs) = if other { (llc, ours) } else { (ours, llc) };
            let why = match mine {
                Fate::Accepted => continue,
                Fate::Refused(said) => format!("refused: {said}"),
                Fate::Rejected(said) => format!("ptxas: {said}"),
            };
            let mark = match theirs {
                Fate::Accepted => "",
                _ => " (nor from the other)",
            };
            let version = line.version.as_deref().unwrap_or("-");
            let level = line.level.as_deref().unwrap_or("");
            let short = if line.short_pointers { " short" } else { "" };
            let _ = writeln!(
                out,
                "  {} {} {version}{level}{short}{mark}: {why}",
                line.test, line.chip
            );
        }
    }
    out
}
