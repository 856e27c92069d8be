//! `./x ll link`: sets of modules, and what `llvm-link-22` makes of each: `tests/oracle/ll_link.gz`.
//!
//! ```text
//! tests/corpus/ll_link/*.ll   written by hand, a subject at a time ┐
//! [`matrix`]                  every kind of linkage against every  ┴─► llvm-link-22 ─► linked module, or a refusal
//! ```
//!
//! A file holds several sets. `;; set NAME` begins one, `;; with [FLAG…]` begins each further module of it; the flags
//! are llvm-link's. The recorded texts, of the modules and of the linked one, are what LLVM prints of them
//! (`llvm-as-22 | llvm-dis-22`), without comments: what its reader adds is no matter of linking.

mod matrix;

use crate::jobs;
use crate::ll::{read, same};
use crate::process;
use crate::project::{self, Outcome};
use std::path::Path;
use std::process::Command;
use warpc_testkit::gzip;

/// Modules to be linked, the first one being the destination.
pub struct Set {
    /// What it tries.
    pub name: String,
    /// Flags for llvm-link.
    pub flags: Vec<String>,
    /// The modules.
    pub modules: Vec<String>,
}

/// The task.
pub fn link(_args: &[String]) -> Outcome {
    let mut sets = Vec::new();
    for path in project::files(&project::root().join("tests/corpus/ll_link"), "ll") {
        let subject = project::stem(&path);
        sets.extend(parse(&subject, &project::read(&path)?)?);
    }
    sets.extend(matrix::sets());
    let work = project::root().join("target/ll_link");
    project::make_dir(&work)?;
    let results = jobs::map(&sets, |set| linked(set, &work));
    let mut archive = String::new();
    let (mut accepted, mut rejected) = (0, 0);
    for (set, result) in sets.iter().zip(results) {
        let Linked {
            verdict,
            text,
            modules,
        } = result?;
        match verdict {
            "accept" => accepted += 1,
            _ => rejected += 1,
        }
        archive.push_str(&format!("==== {} {}\n", set.name, set.flags.join(" ")));
        for module in &modules {
            archive.push_str(&format!("---- input {}\n{module}\n", module.len()));
        }
        archive.push_str(&format!("---- {verdict} {}\n{text}\n", text.len()));
    }
    std::fs::remove_dir_all(&work).ok();
    let bytes = gzip::pack(&archive);
    let file = project::root().join("tests/oracle/ll_link.gz");
    project::write(&file, &bytes)?;
    println!(
        "{} sets: llvm-link links {accepted}, refuses {rejected}; {} bytes",
        sets.len(),
        bytes.len()
    );
    Ok(())
}

/// The sets of a file.
fn parse(subject: &str, text: &str) -> Outcome<Vec<Set>> {
    let mut sets: Vec<Set> = Vec::new();
    for line in text.split_inclusive('\n') {
        let words = line.strip_prefix(";; ").map(str::split_whitespace);
        let Some(mut words) = words else {
            let module = sets.last_mut().and_then(|set| set.modules.last_mut());
            module.ok_or("text before the first set")?.push_str(line);
            continue;
        };
        match (words.next(), words.next()) {
            (Some("set"), Some(name)) => sets.push(Set {
                name: format!("{subject}/{name}"),
                flags: Vec::new(),
                modules: vec![String::new()],
            }),
            (Some("with"), flag) => {
                let set = sets.last_mut().ok_or("`with` before the first set")?;
                set.modules.push(String::new());
                set.flags
                    .extend(flag.into_iter().chain(words).map(str::to_string));
            }
            _ => return Err(format!("{subject}: neither `set NAME` nor `with`: {line}")),
        }
    }
    Ok(sets)
}

/// What llvm-link makes of a set.
struct Linked {
    verdict: &'static str,
    /// The linked module or the first message.
    text: String,
    /// The modules as LLVM prints them.
    modules: Vec<String>,
}

fn linked(set: &Set, work: &Path) -> Outcome<Linked> {
    let stem = set.name.replace('/', "-");
    let out = work.join(format!("{stem}.out.ll"));
    let mut command = Command::new("llvm-link-22");
    command.current_dir(work).arg("-S").args(&set.flags);
    let mut modules = Vec::new();
    for (n, module) in set.modules.iter().enumerate() {
        let file = format!("{stem}.{n}.ll");
        project::write(&work.join(&file), module)?;
        // A module that LLVM does not take says nothing about linking.
        let text = read::canonical(&work.join(&file), "22");
        let text = text.map_err(|e| format!("{}: {e}", set.name))?;
        modules.push(without_comments(&text));
        command.arg(file);
    }
    let done = process::capture(command.arg("-o").arg(&out))?;
    if !done.ok {
        let first = done.output.lines().find(|l| l.contains("error"));
        return Ok(Linked {
            verdict: "reject",
            text: first.unwrap_or_default().trim().to_string(),
            modules,
        });
    }
    Ok(Linked {
        verdict: "accept",
        text: without_comments(&read::canonical(&out, "22")?),
        modules,
    })
}

fn without_comments(text: &str) -> String {
    let lines = text.lines().filter_map(same::without_comment);
    let kept = lines.filter(|line| !line.starts_with("source_filename"));
    kept.map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn sets_are_read() {
        let text =
            ";; set a\n@x = global i8 1\n;; with --only-needed\n@y = global i8 2\n;; set b\n";
        let sets = parse("s", text).unwrap_or_default();
        assert_eq!(sets.len(), 2);
        assert_eq!((sets[0].name.as_str(), sets[0].modules.len()), ("s/a", 2));
        assert_eq!(sets[0].flags, ["--only-needed"]);
        assert_eq!(sets[0].modules[1], "@y = global i8 2\n");
        assert!(parse("s", "@x = global i8 1\n").is_err());
    }
}
