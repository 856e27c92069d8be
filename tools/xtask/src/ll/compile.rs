//! `./x ll compile`: every GPU module of the corpus through our compiler and then through ptxas.
//!
//! ```text
//! module ─ warpc compile ─► PTX ─ ptxas ─► accepted, or rejected with a message
//!              └─ refused with a message ─ llc-22 and ptxas for the same chip ─► cannot either?
//! ```
//!
//! Answers of ptxas and llc are kept by what they were asked, so that a second run costs little.

use crate::ll::gpu::{self, CHIPS, Cache, Module};
use crate::oracle::{self, Tools};
use crate::project::{self, Outcome};
use crate::{jobs, process, release};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How a module did for a chip.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Fate {
    Accepted,
    /// We refuse it; whether llc makes code for the same chip.
    Refused(String, bool),
    /// ptxas rejects what we made.
    Rejected(String),
    /// We fail.
    Crashed(String),
}

/// The task.
pub fn compile(args: &[String]) -> Outcome {
    let mut filter = "";
    let mut chips: Vec<&'static str> = CHIPS.to_vec();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--arch" => {
                let name = args.next().ok_or("--arch needs a chip")?;
                let found = CHIPS.iter().find(|chip| *chip == name);
                chips = vec![found.ok_or_else(|| format!("{name} is not among {CHIPS:?}"))?];
            }
            option if option.starts_with("--") => return Err(format!("unknown option {option}")),
            word => filter = word,
        }
    }
    let (tools, _) = oracle::ensure_all();
    let warpc = release::build()?;
    let modules = gpu::modules(filter)?;
    let folder = project::root().join("target/ll_compile");
    project::make_dir(&folder)?;
    let cache = Cache::open(folder.join("answers.tsv"));
    let mut tasks: Vec<(&Module, &'static str)> = Vec::new();
    for module in &modules {
        tasks.extend(module.chips(&chips).into_iter().map(|chip| (module, chip)));
    }
    let run = Run {
        tools: &tools,
        warpc: &warpc,
        folder: &folder,
        cache: &cache,
    };
    let fates = jobs::map(&tasks, |(module, chip)| run.fate(module, chip));
    cache.save()?;
    let mut known = Vec::new();
    for ((module, chip), fate) in tasks.iter().zip(fates) {
        known.push((*module, *chip, fate?));
    }
    let report = report(&known);
    print!("{report}");
    project::write(&folder.join("report.txt"), &report)?;
    let bad = known.iter().filter(|(_, _, fate)| is_ours(fate)).count();
    match bad {
        0 => Ok(()),
        n => Err(format!(
            "{n} of {} did not become PTX that ptxas takes",
            known.len()
        )),
    }
}

/// Whether we are to blame.
fn is_ours(fate: &Fate) -> bool {
    !matches!(fate, Fate::Accepted | Fate::Refused(_, false))
}

struct Run<'a> {
    tools: &'a Tools,
    warpc: &'a Path,
    folder: &'a Path,
    cache: &'a Cache,
}

impl Run<'_> {
    fn fate(&self, module: &Module, chip: &str) -> Outcome<Fate> {
        let ptx = self.folder.join(format!("{}.{chip}.ptx", module.stem()));
        let mut command = Command::new(self.warpc);
        command
            .args(["compile", "--arch", chip])
            .arg(&module.file)
            .arg("-o")
            .arg(&ptx)
            .env("NVVM_IR_VER_CHK", "0");
        let done = process::capture(&mut command)?;
        if !done.ok {
            let said = gpu::complaint(&done.output);
            if done.crashed || said.contains("warpc failed on this input") {
                return Ok(Fate::Crashed(said));
            }
            // LLVM does not look into inline assembly: what it makes counts only if ptxas takes it.
            let question = ["llc and ptxas", module.row.hash.as_str(), chip];
            let out = ptx.with_extension("llc.ptx");
            let answer = self.cache.ask(&question, || {
                let refused = gpu::llc(module, chip, self.folder, &out)?;
                match refused.is_empty() {
                    true => gpu::ptxas(self.tools, chip, &out, project::read(&out)?.len()),
                    false => Ok(refused),
                }
            })?;
            std::fs::remove_file(&out).ok();
            return Ok(Fate::Refused(said, answer.is_empty()));
        }
        let text = project::read(&ptx)?;
        let question = ["ptxas", text.as_str(), chip];
        let answer = self
            .cache
            .ask(&question, || gpu::ptxas(self.tools, chip, &ptx, text.len()))?;
        if !answer.is_empty() {
            // The text stays: somebody will want to look at it.
            return Ok(Fate::Rejected(answer));
        }
        remove(&ptx)?;
        Ok(Fate::Accepted)
    }
}

fn remove(path: &PathBuf) -> Outcome {
    std::fs::remove_file(path).map_err(|e| format!("cannot remove {}: {e}", path.display()))
}

/// Counts by producer and chip, then the complaints, the frequent ones first.
fn report(known: &[(&Module, &'static str, Fate)]) -> String {
    let mut table: BTreeMap<(&str, &str), [usize; 2]> = BTreeMap::new();
    let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (module, chip, fate) in known {
        let counts = table
            .entry((module.row.producer.as_str(), *chip))
            .or_default();
        counts[0] += usize::from(*fate == Fate::Accepted);
        counts[1] += 1;
        let group = match fate {
            Fate::Accepted => continue,
            Fate::Refused(said, true) => format!("refused: {}", gpu::kind(said)),
            Fate::Refused(said, false) => format!("refused, by llc too: {}", gpu::kind(said)),
            Fate::Rejected(said) => format!("ptxas: {}", gpu::kind(said)),
            Fate::Crashed(said) => format!("crash: {}", gpu::kind(said)),
        };
        groups
            .entry(group)
            .or_default()
            .push(format!("{} {chip}", module.row.path));
    }
    let mut out = String::new();
    for ((producer, chip), [accepted, all]) in &table {
        let _ = writeln!(
            out,
            "  {producer:12} {chip:8} {accepted:4} of {all:4} accepted"
        );
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_key(|(_, paths)| std::cmp::Reverse(paths.len()));
    for (group, paths) in &groups {
        let _ = writeln!(out, "{:5} {group}", paths.len());
        for path in paths.iter().take(2) {
            let _ = writeln!(out, "          {path}");
        }
    }
    let accepted = known
        .iter()
        .filter(|(_, _, fate)| *fate == Fate::Accepted)
        .count();
    let _ = writeln!(out, "{accepted} of {} accepted by ptxas", known.len());
    out
}
