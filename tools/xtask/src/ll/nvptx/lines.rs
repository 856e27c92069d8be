//! The `RUN:` lines of LLVM's tests: which of them compile something, with what, and for which chip.
//!
//! ```text
//! ; RUN: %if ptxas %{ opt -O2 %s | llc -mcpu=sm_20 -mattr=+ptx50 | %ptxas-verify %}
//!                     └─ before ─┘       └──────── options ────────┘
//! ```
//!
//! Lines that must fail, that are for 32-bit machines, that do not start from LLVM IR or stop before the end are left
//! out; lines that differ only in what looks at the result are one.

use crate::process;
use crate::project::{self, Outcome};
use std::path::{Path, PathBuf};
use std::process::Command;
use warpc_target::{PtxVersion, Sm, Variant};

/// The oldest chip that we and today's ptxas make code for: what names an older one, or none, means this one.
const OLDEST: u16 = 60;

/// A command that compiles a module.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Line {
    /// The name of the test.
    pub test: String,
    /// What makes the module, as a line for the shell; empty if it is there.
    pub before: String,
    /// The module, or where `before` shall write it.
    pub input: PathBuf,
    /// The chip, as `sm_90a`.
    pub chip: String,
    /// The PTX version that it names, as `8.6`.
    pub version: Option<String>,
    /// Optimisation level: `-O0` and so on.
    pub level: Option<String>,
    /// Whether addresses of shared, constant and local memory have 32 bits.
    pub short_pointers: bool,
    /// The other options of llc.
    pub options: Vec<String>,
}

impl Line {
    /// Whether the command line says for which machine code is made.
    fn names_target(&self) -> bool {
        let mut options = self.options.iter();
        options.any(|option| option.starts_with("-march") || option.starts_with("-mtriple"))
    }
}

/// Whether a line of a module says that addresses have 32 bits.
pub fn is_for_32_bits(line: &str) -> bool {
    line.contains("\"nvptx\"") || line.contains("\"nvptx-") || line.contains("-p:32:32")
}

/// Options that say what the compiler prints, not what it compiles, or that end early.
const OTHER_ENDS: [&str; 9] = [
    "stop-before",
    "stop-after",
    "start-before",
    "start-after",
    "run-pass",
    "filetype",
    "debug-pass",
    "debug-only",
    "opt-bisect-limit",
];

/// All lines of a test. Files that they need are made in `folder`.
pub fn of_test(test: &Path, folder: &Path) -> Outcome<Vec<Line>> {
    let name = test.file_name().unwrap_or_default().to_string_lossy();
    let temporary = folder.join(name.as_ref());
    let mut lines = Vec::new();
    let text = project::read(test)?;
    let mut heads = text
        .lines()
        .filter(|line| line.starts_with("target triple"));
    let for_32_bits = heads.any(is_for_32_bits);
    for command in logical(&text) {
        let command = command
            .replace("%python", "python3")
            .replace("%s", &test.display().to_string())
            .replace("%t", &temporary.display().to_string());
        for command in command.split("&&").flat_map(|c| c.split(';')) {
            let stages: Vec<&str> = command.split('|').map(str::trim).collect();
            let Some(at) = stages.iter().position(|stage| stage.starts_with("llc ")) else {
                if command.contains('>') && command.contains(&*temporary.to_string_lossy()) {
                    shell(command)?;
                }
                continue;
            };
            let made = line(&name, &stages[..at], stages[at], &temporary);
            // Without a target on the command line the module's own counts.
            lines.extend(made.filter(|line| !for_32_bits || line.names_target()));
        }
    }
    lines.sort();
    lines.dedup();
    Ok(lines)
}

/// Runs a line that makes a file, with LLVM's tools under their own names.
pub fn shell(line: &str) -> Outcome {
    let path = std::env::var("PATH").unwrap_or_default();
    let mut sh = Command::new("sh");
    sh.args(["-c", line])
        .env("PATH", format!("/usr/lib/llvm-22/bin:{path}"));
    process::must(line, &mut sh).map(|_| ())
}

/// The `RUN:` lines, joined where a backslash says so and without the conditions on what is installed.
fn logical(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut open = false;
    for line in text.lines() {
        let Some((before, rest)) = line.split_once("RUN:") else {
            continue;
        };
        if !matches!(before.trim(), ";" | "#" | "//" | ";;") {
            continue;
        }
        let rest = rest.trim();
        let part = rest.strip_suffix('\\').unwrap_or(rest).trim();
        match found.last_mut().filter(|_| open) {
            Some(last) => {
                last.push(' ');
                last.push_str(part);
            }
            None => found.push(part.to_string()),
        }
        open = rest.ends_with('\\');
    }
    for line in &mut found {
        if let (Some(start), Some(end)) = (line.find("%{"), line.rfind("%}")) {
            *line = line[start + 2..end].trim().to_string();
        }
    }
    found
}

fn line(test: &str, before: &[&str], llc: &str, temporary: &Path) -> Option<Line> {
    let mut line = Line {
        test: test.to_string(),
        before: before.join(" | "),
        input: PathBuf::new(),
        chip: String::new(),
        version: None,
        level: None,
        short_pointers: false,
        options: Vec::new(),
    };
    let mut chip = None;
    let mut words = llc.split_whitespace().skip(1);
    while let Some(word) = words.next() {
        let Some(option) = word.strip_prefix('-') else {
            match word {
                // What follows belongs to the shell.
                "<" => {}
                ">" | "2>&1" | "1>" => break,
                file => line.input = PathBuf::from(file),
            }
            continue;
        };
        let option = option.trim_start_matches('-');
        let (key, value) = match option.split_once('=') {
            Some((key, value)) => (key, value),
            None if matches!(option, "o" | "mcpu" | "mattr" | "march" | "mtriple" | "x") => {
                (option, words.next().unwrap_or_default())
            }
            None => (option, ""),
        };
        match key {
            "o" => {}
            "mcpu" => chip = Some(value),
            "march" | "mtriple" if value.split('-').next() != Some("nvptx64") => return None,
            "march" | "mtriple" => line.options.push(word_of(key, value)),
            "mattr" => {
                for feature in value.split(',') {
                    match feature.trim_start_matches('+').strip_prefix("ptx") {
                        Some(digits) => line.version = version(digits),
                        None => line.options.push(word_of("mattr", feature)),
                    }
                }
            }
            "O0" | "O1" | "O2" | "O3" => line.level = Some(word.to_string()),
            "nvptx-short-ptr" => line.short_pointers = true,
            // What checks LLVM's own work takes time and changes nothing.
            "verify-machineinstrs" | "asm-verbose" => {}
            // A module in the form of LLVM's code generator is not LLVM IR.
            "x" => return None,
            _ if OTHER_ENDS.contains(&key) => return None,
            _ => line.options.push(word.to_string()),
        }
    }
    let asked: Option<Sm> = chip.and_then(|name| name.parse().ok());
    let oldest = Sm::new(OLDEST, Variant::Plain)?;
    let sm = asked.filter(|sm| sm.number() >= OLDEST).unwrap_or(oldest);
    line.chip = sm.to_string();
    // A version that the chip we put in the place of an older one does not have is left to the tools.
    line.version = line.version.filter(|text| {
        let version = text.parse::<PtxVersion>();
        version.is_ok_and(|version| version >= sm.first_version())
    });
    line.options.sort();
    line.options.dedup();
    if !line.before.is_empty() {
        let hash = project::hash(&[&line.before]);
        line.input = temporary.with_extension(format!("{hash:016x}.ll"));
    }
    let given = line.input.to_string_lossy();
    (given.contains(".ll") || given.contains(".ftz") || given.contains(".noftz")).then_some(line)
}

fn word_of(key: &str, value: &str) -> String {
    format!("-{key}={value}")
}

/// `86` is 8.6, `100` is 10.0.
fn version(digits: &str) -> Option<String> {
    let at = digits.len().checked_sub(1)?;
    let (major, minor) = (digits.get(..at)?, digits.get(at..)?);
    (!major.is_empty()).then(|| format!("{major}.{minor}"))
}

#[cfg(test)]
mod tests {
    use super::{Line, line, logical};
    use std::path::Path;

    fn only(text: &str) -> Option<Line> {
        let found = logical(text);
        assert_eq!(found.len(), 1, "{found:?}");
        let stages: Vec<&str> = found[0].split('|').map(str::trim).collect();
        let at = stages.iter().position(|s| s.starts_with("llc "))?;
        line("t.ll", &stages[..at], stages[at], Path::new("/tmp/t.ll"))
    }

    #[test]
    fn a_condition_and_a_continued_line_are_seen_through() {
        let text = "; RUN: %if ptxas-sm_90 %{ \\\n; RUN: llc < a.ll -mtriple=nvptx64 -mcpu=sm_90a -O0 \\\n\
                    ; RUN:  -mattr=+ptx86 --nvptx-short-ptr | %ptxas-verify %}\n";
        let line = only(text).expect("it compiles something");
        assert_eq!(
            (line.chip.as_str(), line.version.as_deref()),
            ("sm_90a", Some("8.6"))
        );
        assert_eq!(line.level.as_deref(), Some("-O0"));
        assert!(line.short_pointers);
        assert_eq!(line.options, ["-mtriple=nvptx64"]);
    }

    #[test]
    fn an_old_chip_becomes_the_oldest_and_loses_versions_that_do_not_have_it() {
        let old = only("; RUN: llc < a.ll -mcpu=sm_20 -mattr=+ptx32 | FileCheck a.ll").unwrap();
        assert_eq!((old.chip.as_str(), old.version), ("sm_60", None));
        let later = only("; RUN: llc < a.ll -mattr=+ptx60 | FileCheck a.ll").unwrap();
        assert_eq!(later.version.as_deref(), Some("6.0"));
    }

    #[test]
    fn what_fails_on_purpose_or_is_for_other_machines_is_left_out() {
        assert!(only("; RUN: not llc < a.ll -mcpu=sm_20 2>&1 | FileCheck a.ll").is_none());
        assert!(only("; RUN: llc < a.ll -mtriple=nvptx -mcpu=sm_20").is_none());
        assert!(only("# RUN: llc a.mir -mtriple=nvptx64 -run-pass=x").is_none());
        assert!(logical("    \"; RUN: llc\"").is_empty());
    }

    #[test]
    fn what_another_tool_makes_is_made_first() {
        let line = only("; RUN: opt a.ll -S -O2 | llc -mcpu=sm_35 | FileCheck a.ll").unwrap();
        assert_eq!(line.before, "opt a.ll -S -O2");
        assert!(line.input.to_string_lossy().ends_with(".ll"));
    }
}
