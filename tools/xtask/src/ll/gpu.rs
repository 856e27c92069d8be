//! The GPU modules of the corpus: which there are, for which chips, and LLVM's and ptxas's tools on them.

use crate::ll::manifest::{self, Row};
use crate::ll::read;
use crate::oracle::Tools;
use crate::process;
use crate::project::{self, Outcome};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::time::Duration;

/// The chips that code is made for.
pub const CHIPS: [&str; 7] = [
    "sm_60", "sm_70", "sm_75", "sm_80", "sm_90", "sm_100", "sm_120",
];

/// A module of the corpus for GPUs.
#[derive(Clone, Debug)]
pub struct Module {
    /// Its row in the manifest.
    pub row: Row,
    /// Where it lies.
    pub file: PathBuf,
}

/// The modules whose triple is of NVIDIA's GPUs and whose path contains a filter.
pub fn modules(filter: &str) -> Outcome<Vec<Module>> {
    let rows = manifest::read().map_err(|e| format!("{e}\nrun `./x corpus ll/` first"))?;
    let mut all = Vec::new();
    for row in rows {
        if row.verdict != "accept" || !row.path.contains(filter) {
            continue;
        }
        let file = project::corpus_dir().join(&row.path);
        let text = project::read(&file)?;
        let triple = text.lines().find(|line| line.starts_with("target triple"));
        // Triton adds the triple after this stage.
        let triton = row.producer == "triton";
        if triton || triple.is_some_and(|line| line.contains("nvptx")) {
            all.push(Module { row, file });
        }
    }
    Ok(all)
}

impl Module {
    /// The chips of a list that the module's features allow: none older than the one it was made for. Triton
    /// writes for one chip and uses what only that one has.
    pub fn chips(&self, list: &[&'static str]) -> Vec<&'static str> {
        let made_for: u32 = match (self.row.producer.as_str(), self.row.variant.as_str()) {
            ("triton", "sm_90") => {
                return list
                    .contains(&"sm_90")
                    .then_some("sm_90a")
                    .into_iter()
                    .collect();
            }
            ("triton", "sm_100") => {
                return list
                    .contains(&"sm_100")
                    .then_some("sm_100a")
                    .into_iter()
                    .collect();
            }
            ("triton", "sm_80") => 80,
            _ => 0,
        };
        let number = |chip: &str| chip.trim_start_matches("sm_").parse::<u32>().unwrap_or(0);
        list.iter()
            .copied()
            .filter(|chip| number(chip) >= made_for)
            .collect()
    }

    /// The module as LLVM 22 reads it: itself, or bitcode of a reader that took it.
    pub fn for_llvm(&self, folder: &Path) -> Outcome<PathBuf> {
        match self.row.reader.as_str() {
            "22" => Ok(self.file.clone()),
            reader => {
                let text = read::canonical(&self.file, reader)?;
                let path = folder.join(format!("{}.22.ll", self.stem()));
                project::write(&path, text)?;
                Ok(path)
            }
        }
    }

    /// A name for files made of it.
    pub fn stem(&self) -> String {
        self.row.path.replace(['/', '.'], "_")
    }
}

/// Answers of slow tools, by what was asked; kept between runs.
pub struct Cache {
    file: PathBuf,
    known: Mutex<BTreeMap<String, String>>,
}

impl Cache {
    /// Opens a cache in a file.
    pub fn open(file: PathBuf) -> Cache {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let pair = |line: &str| line.split_once('\t').map(|(a, b)| (a.into(), b.into()));
        Cache {
            file,
            known: Mutex::new(text.lines().filter_map(pair).collect()),
        }
    }

    /// The answer to a question, asked only if it is new.
    pub fn ask(&self, question: &[&str], ask: impl FnOnce() -> Outcome<String>) -> Outcome<String> {
        let key = format!("{:016x}", project::hash(question));
        let lock = || self.known.lock().unwrap_or_else(|e| e.into_inner());
        if let Some(answer) = lock().get(&key) {
            return Ok(answer.clone());
        }
        let answer = ask()?.replace(['\n', '\t'], " ");
        lock().insert(key, answer.clone());
        Ok(answer)
    }

    /// Writes the answers.
    pub fn save(&self) -> Outcome {
        let known = self.known.lock().unwrap_or_else(|e| e.into_inner());
        let lines: Vec<String> = known.iter().map(|(k, v)| format!("{k}\t{v}")).collect();
        project::write(&self.file, lines.join("\n"))
    }
}

/// Runs a tool with patience; gives what it complains of.
pub fn judged(command: &mut Command, log: &Path) -> Outcome<String> {
    let done = process::capture_within(command, Duration::from_secs(300), log)?;
    Ok(match done {
        None => "takes longer than five minutes".into(),
        Some(done) if done.ok => String::new(),
        Some(done) if done.crashed => format!("crashes: {}", complaint(&done.output)),
        Some(done) => complaint(&done.output),
    })
}

/// The first line that speaks of an error.
pub fn complaint(output: &str) -> String {
    let mut lines = output.lines();
    let found = lines
        .clone()
        .find(|line| line.to_lowercase().contains("error"));
    let line = found.or_else(|| lines.next()).unwrap_or("it said nothing");
    // ptxas names the file before the semicolon.
    match line.split_once("; error") {
        Some((_, rest)) => format!("error{rest}"),
        None => line.to_string(),
    }
}

/// A complaint without what is different in each module.
pub fn kind(message: &str) -> String {
    let mut out = String::new();
    let mut inside = None;
    for c in message.chars() {
        match inside {
            Some(quote) if c == quote => {
                inside = None;
                out.push(c);
            }
            Some(_) => {}
            None if c.is_ascii_digit() => {
                if !out.ends_with('#') {
                    out.push('#');
                }
            }
            None => {
                // Names of ptxas's messages; what stands in our backquotes says what is missing.
                if c == '\'' || c == '"' {
                    inside = Some(c);
                }
                out.push(c);
            }
        }
    }
    out
}

/// Asks ptxas whether it takes a text; a level that is fast enough for the largest of them.
pub fn ptxas(tools: &Tools, chip: &str, ptx: &Path, bytes: usize) -> Outcome<String> {
    let (_, ptxas) = tools.ptxas(chip).ok_or("its ptxas could not be had")?;
    let level = if bytes < 100_000 { "-O1" } else { "-O0" };
    let mut command = Command::new(ptxas);
    let object = ptx.with_extension("cubin");
    command
        .arg(format!("-arch={chip}"))
        .args([level, "-c"])
        .arg(ptx)
        .arg("-o")
        .arg(&object);
    let answer = judged(&mut command, &ptx.with_extension("log"));
    std::fs::remove_file(object).ok();
    answer
}

/// Asks LLVM's compiler for PTX of a module.
pub fn llc(module: &Module, chip: &str, folder: &Path, out: &Path) -> Outcome<String> {
    let input = module.for_llvm(folder)?;
    // Addresses of shared memory in 32 bits are a choice of LLVM's, not of the module.
    let short = project::read(&module.file)?.contains("-p3:32:32");
    let mut command = Command::new("llc-22");
    command
        .args(["-O2", &format!("-mcpu={chip}"), "-mattr=+ptx88"])
        .args(["-mtriple=nvptx64-nvidia-cuda"])
        .args(short.then_some("-nvptx-short-ptr"))
        .arg(&input)
        .arg("-o")
        .arg(out);
    let answer = judged(&mut command, &out.with_extension("log"));
    if input != module.file {
        std::fs::remove_file(input).ok();
    }
    answer
}
