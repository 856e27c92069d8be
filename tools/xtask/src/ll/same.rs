//! `./x ll same`: what LLVM reads from our print must be what it reads from the original.
//!
//! ```text
//! module ───────────────────────► llvm-as-22 | llvm-dis-22 ─► canonical text ┐
//!    └─ warpc compile --emit ll ─► llvm-as-22 | llvm-dis-22 ─► canonical text ┴─ equal?
//! ```
//!
//! LLVM's printer numbers values, metadata and attribute groups by the module, not by the text it came from, so the
//! two texts need no renumbering. Only comments are taken out before they are compared: the module's name, the lists
//! of attributes above functions, and the lists of predecessors, whose order is that of use lists, which no text has.
//! Where the original had to be brought to LLVM 22 as bitcode (see [`crate::ll::read`]), declarations may stand in
//! another order and attribute groups have other numbers: LLVM upgrades intrinsics in another order there.
//! With `--self` LLVM's own print takes the place of ours: a check of the method.

use crate::ll::corpus;
use crate::ll::manifest::{self, Row};
use crate::ll::read::canonical;
use crate::ll::recipe::Extent;
use crate::oracle;
use crate::project::{self, Outcome};
use crate::{jobs, process, release};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// How many lines of a difference are shown.
const SHOWN: usize = 3;

/// The task: all modules, or those whose path contains a filter.
pub fn same(args: &[String]) -> Outcome {
    let (tools, _) = oracle::ensure_all();
    let rows = corpus::ensure(&tools, corpus::FOLDER, Extent::of(args))?;
    let filter = args.iter().find(|a| !a.starts_with("--"));
    let rows: Vec<Row> = rows
        .into_iter()
        .filter(|row| filter.is_none_or(|f| row.path.contains(f.as_str())))
        .collect();
    let itself = args.iter().any(|a| a == "--self");
    let (equal, different) = compare(&rows, itself)?;
    different.iter().for_each(|message| println!("{message}"));
    println!("{equal} modules equal, {} not", different.len());
    match different.is_empty() {
        true => Ok(()),
        false => Err("some modules are not what they were after we read and print them".into()),
    }
}

/// Compares every module that is there.
pub fn compare_made() -> Outcome<(usize, Vec<String>)> {
    compare(&manifest::read()?, false)
}

/// Compares modules that LLVM accepts. Gives the number of equal ones, and a message for each other.
fn compare(rows: &[Row], itself: bool) -> Outcome<(usize, Vec<String>)> {
    let printer = match itself {
        true => None,
        false => Some(release::build()?),
    };
    let folder = project::root().join("target/ll_same");
    project::make_dir(&folder)?;
    let rows: Vec<&Row> = rows.iter().filter(|r| r.verdict == "accept").collect();
    let known = read_known();
    let answers = jobs::map(&rows, |row| {
        compare_one(printer.as_deref(), &folder, row, &known)
    });
    let mut equal = Vec::new();
    let mut different = Vec::new();
    for (row, answer) in rows.iter().zip(answers) {
        match answer {
            Ok(key) => equal.push(key),
            Err(message) => different.push(format!("{}: {message}", row.path)),
        }
    }
    let count = equal.len();
    // Modules outside a filter keep what is known of them.
    let all: HashSet<String> = known.into_iter().chain(equal).collect();
    let all: std::collections::BTreeSet<String> = all.into_iter().collect();
    let text: Vec<String> = all.into_iter().collect();
    project::write(&known_file(), text.join("\n"))?;
    Ok((count, different))
}

fn known_file() -> PathBuf {
    project::root().join("target/ll_same/equal.txt")
}

fn read_known() -> HashSet<String> {
    std::fs::read_to_string(known_file())
        .unwrap_or_default()
        .lines()
        .map(str::to_owned)
        .collect()
}

/// The key of an equal pair, or what is different.
fn compare_one(
    printer: Option<&Path>,
    folder: &Path,
    row: &Row,
    known: &HashSet<String>,
) -> Outcome<String> {
    let original = project::corpus_dir().join(&row.path);
    let printed = folder.join(row.path.replace('/', "_"));
    match printer {
        Some(warpc) => {
            let mut command = Command::new(warpc);
            command.arg("compile").arg(&original);
            command.args(["--emit", "ll", "-o"]).arg(&printed);
            process::must("warpc compile", &mut command)?;
        }
        None => project::write(&printed, canonical(&original, &row.reader)?)?,
    }
    let ours = project::read(&printed)?;
    let key = format!("{:016x}", project::hash(&[&row.hash, &ours]));
    if !known.contains(&key) {
        let got = canonical(&printed, "22")?;
        if digest(&got, &row.reader) != row.printed {
            let want = canonical(&original, &row.reader)?;
            let difference = difference(&want, &got, &row.reader);
            return Err(difference.unwrap_or("LLVM prints it differently now than before".into()));
        }
    }
    std::fs::remove_file(&printed).ok();
    Ok(key)
}

/// A line without its comment; nothing for a line that is only one.
///
/// Only comments that LLVM's printer writes are known: a `;` elsewhere may stand in a string.
pub fn without_comment(line: &str) -> Option<&str> {
    let cut = ["; preds = ", "; No predecessors!"]
        .iter()
        .find_map(|comment| line.find(comment))
        .filter(|&at| line[..at].trim_end().ends_with(':'));
    let line = cut.map_or(line, |at| &line[..at]).trim_end();
    (!line.is_empty() && !line.starts_with(';')).then_some(line)
}

/// Hash of what is compared of a canonical text.
pub fn digest(text: &str, reader: &str) -> String {
    format!(
        "{:016x}",
        project::hash(&[&compared(text, reader).join("\n")])
    )
}

/// The lines that are compared.
fn compared<'a>(text: &'a str, reader: &str) -> Vec<Cow<'a, str>> {
    let lines = text.lines().filter_map(without_comment);
    if reader != "14" {
        return lines.map(Cow::Borrowed).collect();
    }
    let (groups, lines): (Vec<&str>, Vec<&str>) =
        lines.partition(|l| l.starts_with("attributes #"));
    let groups: HashMap<&str, &str> = groups
        .iter()
        .filter_map(|l| l.strip_prefix("attributes ")?.split_once(" = "))
        .collect();
    let (mut declarations, mut rest): (Vec<Cow<str>>, Vec<Cow<str>>) = lines
        .into_iter()
        .map(|line| with_groups(line, &groups))
        .partition(|l| l.starts_with("declare "));
    declarations.sort();
    rest.append(&mut declarations);
    rest
}

/// A line with attribute groups written out where they are named.
fn with_groups<'a>(line: &'a str, groups: &HashMap<&str, &str>) -> Cow<'a, str> {
    let mut pieces = line.split(" #");
    let mut out = String::from(pieces.next().unwrap_or_default());
    for piece in pieces {
        let end = piece.find(|c: char| !c.is_ascii_digit());
        let (number, after) = piece.split_at(end.unwrap_or(piece.len()));
        match groups.get(format!("#{number}").as_str()) {
            Some(group) => out.extend([" ", group, after]),
            None => out.extend([" #", piece]),
        }
    }
    Cow::Owned(out)
}

/// Where two canonical texts part, or nothing.
fn difference(want: &str, got: &str, reader: &str) -> Option<String> {
    let (want, got) = (compared(want, reader), compared(got, reader));
    if want == got {
        return None;
    }
    // As a multiset, so that a line too many does not make all lines after it differ.
    let mut count: BTreeMap<&str, isize> = BTreeMap::new();
    want.iter()
        .for_each(|l| *count.entry(l.as_ref()).or_default() += 1);
    got.iter()
        .for_each(|l| *count.entry(l.as_ref()).or_default() -= 1);
    let lost: isize = count.values().filter(|n| **n > 0).sum();
    let new: isize = count.values().filter(|n| **n < 0).map(|n| -n).sum();
    let mut text = format!("{lost} lines lost, {new} lines new");
    let pairs = want.iter().zip(&got).filter(|(w, g)| w != g);
    for (w, g) in pairs.take(SHOWN) {
        text.push_str(&format!("\n    - {}\n    + {}", short(w), short(g)));
    }
    Some(text)
}

fn short(line: &str) -> String {
    line.chars().take(220).collect()
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn only_comments_may_differ() {
        let a = "; ModuleID = 'a'\nx:      ; preds = %b, %c\n  ret void\n";
        let b = "; ModuleID = 'b'\nx:      ; preds = %c, %b\n  ret void\n\n";
        assert_eq!(difference(a, b, "22"), None);
        let c = "@s = constant [3 x i8] c\"; a\"\n";
        let d = "@s = constant [3 x i8] c\"; b\"\n";
        assert!(difference(c, d, "22").is_some_and(|d| d.starts_with("1 lines lost, 1 lines new")));
    }

    #[test]
    fn bitcode_may_order_declarations() {
        let a = "declare void @a() #0\ndeclare void @b() #1\nattributes #0 = { nounwind }\nattributes #1 = { cold }\n";
        let b = "declare void @b() #0\ndeclare void @a() #1\nattributes #0 = { cold }\nattributes #1 = { nounwind }\n";
        assert_eq!(difference(a, b, "14"), None);
        assert!(difference(a, b, "22").is_some());
        assert!(difference(a, &b.replace("cold", "hot"), "14").is_some());
    }
}
