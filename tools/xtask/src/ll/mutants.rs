//! `./x ll mutants`: wrong LLVM IR, made on purpose, with LLVM's verdict on each piece.
//!
//! ```text
//! tests/corpus/ll_rules/*.ll ─edits that name a rule──┐
//!                                                     ├─► mutants ─opt-22 -passes=verify─► tests/oracle/ll_mutants.*
//! small modules of the corpus ─edits of every kind────┤
//! all of these and others ─────edits by chance────────┘
//! ```
//!
//! Every mutant is one edit of one small module that LLVM accepts. The first part is written by hand, a rule of LLVM's
//! reader or verifier at a time; some of its edits are legal, so that a verifier that refuses everything unusual is
//! found out. The second is mechanical: real modules, faults that apply to any ([`edits`]). The third is made by
//! chance ([`random`]) from fixed seeds.
//!
//! `./x ll mutants --seed N [--count N]` makes a fresh set of the third part with another seed and modules that are
//! not in the collection, and has the project's reader and verifier judge it as well: a test of what was never seen.

mod archive;
mod edits;
mod random;
mod rules;

use crate::jobs;
use crate::ll::recipe::Extent;
use crate::ll::{corpus, manifest};
use crate::oracle;
use crate::process;
use crate::project::{self, Outcome};
use archive::{Base, Mutant};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// Modules of the corpus up to this size may become bases.
const LARGEST_BASE: u64 = 7_000;
/// The same for a fresh set, which is not kept.
const LARGEST_FRESH: u64 = 20_000;
/// How many bases each producer gives.
const PER_PRODUCER: usize = 5;
/// Mutants of one kind of fault in one base of the corpus.
const PER_KIND: usize = 2;
/// Mutants by chance.
const BY_CHANCE: usize = 2_000;
/// Bases that are there only for mutants by chance.
const MORE_BASES: usize = 25;
/// The seed of the collection.
const SEED: u64 = 2026;

/// LLVM gets this long for a mutant; more means that the fault sent it astray.
const PATIENCE: Duration = Duration::from_secs(20);

/// The task.
pub fn mutants(args: &[String]) -> Outcome {
    let start = Instant::now();
    let option = |name: &str| -> Outcome<Option<u64>> {
        let Some(at) = args.iter().position(|arg| arg == name) else {
            return Ok(None);
        };
        let value = args.get(at + 1).and_then(|value| value.parse().ok());
        Ok(Some(value.ok_or(format!("{name} takes a number"))?))
    };
    let (tools, _) = oracle::ensure_all();
    if !tools.ll.programs.contains(&"llvm-as-22") {
        return Err("mutants of LLVM IR need LLVM 22".into());
    }
    corpus::ensure(&tools, corpus::FOLDER, Extent::All)?;
    let mut bases = Vec::new();
    let mut mutants = Vec::new();
    rules::collect(&mut bases, &mut mutants)?;
    let by_hand = bases.len();
    real_bases(&mut bases, &mut mutants)?;
    let fresh = option("--seed")?;
    if let Some(seed) = fresh {
        mutants.clear();
        let count = option("--count")?.unwrap_or(2_000) as usize;
        more_bases(&mut bases, by_hand, seed, count / 20, LARGEST_FRESH)?;
        // The rule files hold what real modules rarely do.
        random::collect(&bases[..by_hand], 0, count / 3, seed, &mut mutants);
        random::collect(&bases, by_hand, count - count / 3, !seed, &mut mutants);
    } else {
        let seen = bases.len();
        more_bases(&mut bases, seen, SEED, MORE_BASES, LARGEST_BASE)?;
        random::collect(&bases, 0, BY_CHANCE, SEED, &mut mutants);
    }
    let mut seen = BTreeSet::new();
    mutants.retain(|m: &Mutant| {
        let text = m.text(&bases);
        text != bases[m.base].text && seen.insert(project::hash(&[&text]))
    });
    judge_all(&bases, &mut mutants)?;
    let folder = match fresh {
        Some(_) => project::root().join("target/ll_fresh"),
        None => project::root().join("tests/oracle"),
    };
    let sizes = archive::write(&folder, &bases, &mutants)?;
    report(&bases, &mutants, sizes, start);
    match fresh {
        Some(_) => judge_by_project(&folder),
        None => Ok(()),
    }
}

/// Has LLVM judge all.
fn judge_all(bases: &[Base], mutants: &mut [Mutant]) -> Outcome {
    let work = project::root().join("target/ll_mutants");
    project::make_dir(&work)?;
    let texts: Vec<(String, String)> = bases
        .iter()
        .map(|b| (format!("base-{}", b.id), b.text.clone()))
        .chain(
            mutants
                .iter()
                .enumerate()
                .map(|(n, m)| (format!("m{n}"), m.text(bases))),
        )
        .collect();
    println!("{} bases, {} mutants to judge", bases.len(), mutants.len());
    let verdicts = jobs::map(&texts, |(name, text)| {
        judge(text, &work.join(format!("{name}.ll")))
    });
    let mut verdicts = verdicts
        .into_iter()
        .collect::<Outcome<Vec<_>>>()?
        .into_iter();
    for base in bases {
        let verdict = verdicts.next().ok_or("a base was not judged")?;
        if verdict.verdict != "accept" {
            return Err(format!(
                "{} is not a base: {}",
                base.origin, verdict.message
            ));
        }
    }
    for mutant in mutants {
        let verdict = verdicts.next().ok_or("a mutant was not judged")?;
        mutant.verdict = verdict.verdict;
        mutant.llvm_line = verdict.line;
        mutant.message = verdict.message;
    }
    std::fs::remove_dir_all(&work).ok();
    Ok(())
}

/// The test that replays the collection, on a fresh set.
fn judge_by_project(folder: &Path) -> Outcome {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        .current_dir(project::root())
        .args([
            "test",
            "--quiet",
            "--package",
            "warpc-nvvm",
            "--test",
            "all",
        ])
        .args(["mutants::", "--", "--nocapture"])
        .env("WARPC_MUTANTS", folder)
        .env("WARPC_SHOW", "1000");
    match cargo.status() {
        Ok(status) if status.success() => Ok(()),
        _ => Err("fewer fresh mutants than should be are judged as LLVM judges them".into()),
    }
}

/// Small modules of the corpus that are not bases yet, by chance, in the place of those from `from` on.
fn more_bases(
    bases: &mut Vec<Base>,
    from: usize,
    seed: u64,
    count: usize,
    largest: u64,
) -> Outcome {
    let used: BTreeSet<String> = bases.iter().map(|base| base.origin.clone()).collect();
    bases.truncate(from);
    let mut rows: Vec<manifest::Row> = manifest::read()?;
    rows.retain(|row| {
        let fits = row.verdict == "accept" && row.reader == "22" && row.bytes <= largest;
        fits && !used.contains(&row.path)
    });
    let mut chance = random::Chance::new(seed);
    let mut found = 0;
    while found < count && !rows.is_empty() {
        let row = rows.swap_remove(chance.below(rows.len()));
        let text = project::read(&project::corpus_dir().join(&row.path))?;
        if text.is_ascii() {
            bases.push(Base::new(bases.len(), &row.path, &text));
            found += 1;
        }
    }
    Ok(())
}

/// Small modules of the corpus, spread over producers and sizes, with the faults that apply to them.
fn real_bases(bases: &mut Vec<Base>, mutants: &mut Vec<Mutant>) -> Outcome {
    let mut by_producer: BTreeMap<String, Vec<manifest::Row>> = BTreeMap::new();
    for row in manifest::read()? {
        if row.verdict == "accept" && row.reader == "22" && row.bytes <= LARGEST_BASE {
            by_producer
                .entry(row.producer.clone())
                .or_default()
                .push(row);
        }
    }
    for rows in by_producer.values_mut() {
        // The largest say most; different sources rather than variants of one.
        rows.sort_by_key(|row| std::cmp::Reverse(row.bytes));
        let mut sources = BTreeSet::new();
        rows.retain(|row| {
            let name = row.path.rsplit('/').next().unwrap_or(&row.path);
            sources.insert(name.split(['.', '-']).take(2).collect::<String>())
        });
        for row in rows.iter().take(PER_PRODUCER) {
            let text = project::read(&project::corpus_dir().join(&row.path))?;
            if !text.is_ascii() {
                continue;
            }
            let base = bases.len();
            bases.push(Base::new(base, &row.path, &text));
            let mut count: BTreeMap<&str, usize> = BTreeMap::new();
            for (kind, range, replacement) in edits::edits(&text) {
                let n = count.entry(kind).or_default();
                if *n < PER_KIND {
                    *n += 1;
                    mutants.push(Mutant::new(base, kind, range, replacement));
                }
            }
        }
    }
    Ok(())
}

/// LLVM's answer.
struct Answer {
    verdict: &'static str,
    line: usize,
    message: String,
}

/// `opt-22 -passes=verify`: reads, verifies; debug information that is broken is dropped with a warning, which
/// counts as its own verdict, `strip`.
fn judge(text: &str, file: &Path) -> Outcome<Answer> {
    project::write(file, text)?;
    let mut command = Command::new("opt-22");
    command
        .args(["-passes=verify", "-disable-output"])
        .arg(file);
    let done = process::capture_within(&mut command, PATIENCE, &file.with_extension("log"))?;
    std::fs::remove_file(file).ok();
    let Some(done) = done else {
        return Ok(Answer {
            verdict: "crash",
            line: 0,
            message: "did not end".into(),
        });
    };
    let name = file.display().to_string();
    let stripped = done.output.contains("ignoring invalid debug info");
    let verdict = match (done.ok, done.crashed) {
        (true, _) if stripped => "strip",
        (true, _) => "accept",
        (false, true) => "crash",
        (false, false) => "reject",
    };
    let mut lines = done.output.lines().filter(|l| !l.trim().is_empty());
    let first = match verdict {
        "accept" => "",
        "crash" => done
            .output
            .lines()
            .find(|l| {
                l.contains("Assertion") || l.contains("LLVM ERROR") || l.contains("UNREACHABLE")
            })
            .unwrap_or_default(),
        _ => lines.next().unwrap_or_default(),
    };
    let line = first
        .split_once(&format!("{name}:"))
        .and_then(|(_, rest)| rest.split(':').next()?.parse().ok())
        .unwrap_or(0);
    let message = first
        .replace(&format!("opt-22: {name}:"), "")
        .replace(&name, "FILE");
    Ok(Answer {
        verdict,
        line,
        message: message.replace('\t', " ").trim().to_string(),
    })
}

fn report(bases: &[Base], mutants: &[Mutant], sizes: (usize, usize), start: Instant) {
    let mut kinds: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
    let mut total: BTreeMap<&str, usize> = BTreeMap::new();
    for m in mutants {
        *kinds
            .entry(&m.kind)
            .or_default()
            .entry(m.verdict)
            .or_default() += 1;
        *total.entry(m.verdict).or_default() += 1;
    }
    let counts = |by: &BTreeMap<&str, usize>| {
        let parts: Vec<String> = by.iter().map(|(v, n)| format!("{n} {v}")).collect();
        parts.join(", ")
    };
    for (kind, by) in &kinds {
        println!("  {kind:24} {}", counts(by));
    }
    println!(
        "LLVM IR mutants: {} of {} kinds in {} bases: {}; {} + {} bytes; {:.0} s",
        mutants.len(),
        kinds.len(),
        bases.len(),
        counts(&total),
        sizes.0,
        sizes.1,
        start.elapsed().as_secs_f64()
    );
}
