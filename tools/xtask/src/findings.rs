//! `./x findings mutants`: right kernels with one mistake each, and whether `warpc run` finds it.
//!
//! ```text
//! tests/kernels/**.ptx, examples, tests/findings (the twins `_ok`) ─edits─► sites ─chance─► mutants ─warpc run─► a table
//! ```
//!
//! A mutant is one edit of the text of one kernel: a barrier, a fence or a wait left out, a bit of a member mask cleared, a
//! scope narrowed, an order weakened, an atomic taken apart, a strong access made weak ([`edits`]). Only those count whose
//! instruction some launch of the kernel executes: a `trap` in its place is reached. They are run as a user would run
//! them, in steps ([`judge::STEPS`]), and found is what has a finding or a result that the kernel itself does not have.
//!
//! What nothing finds is wrong or equivalent. Equivalent is only what a rule says ([`rules`]) or a line of
//! `tests/findings/equivalent.tsv` with its reason. A mutant that is said to be equivalent and is found fails the task: the
//! rule, the line or the finding is wrong.

mod edits;
mod judge;
mod rules;
mod suite;
#[cfg(test)]
mod tests;

use crate::project::{self, Outcome};
use crate::{jobs, release};
use edits::{Kind, Site};
use judge::{Judge, Verdict};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::PathBuf;
use std::time::Instant;
use suite::Suite;
use warpc_testkit::random::Random;

/// How many mutants are judged without `--count`.
const COUNT: usize = 200;
/// At least so many are taken at once.
const BATCH: usize = 24;

struct Options {
    seed: u64,
    count: usize,
    keep: Option<PathBuf>,
    filter: Option<String>,
    record: bool,
}

/// A site and its file.
type Chosen<'s> = (&'s Suite, &'s Site);

/// The mutant of one site, judged.
struct Judged<'s> {
    suite: &'s Suite,
    site: &'s Site,
    verdict: Verdict,
    /// Why it is equivalent, and whether a rule says so.
    equivalent: Option<(bool, String)>,
}

/// The task.
pub fn mutants(args: &[String]) -> Outcome {
    let start = Instant::now();
    let options = options(args)?;
    let warpc = release::build_checked_command()?;
    let work = project::root().join("target/findings");
    project::make_dir(&work)?;
    let judge = Judge::new(&warpc, &work);
    let suites = right(suite::suites()?, &judge)?;
    let listed = rules::listed(&suites)?;
    let order = chosen(&suites, &options);
    println!(
        "{} files, {} sites; seed {}",
        suites.len(),
        order.len(),
        options.seed
    );
    let (mut judged, mut left_out) = (Vec::new(), BTreeMap::<String, usize>::new());
    let mut rest = &order[..];
    while judged.len() < options.count && !rest.is_empty() {
        let missing = (options.count - judged.len()).max(BATCH).min(rest.len());
        let (batch, after) = rest.split_at(missing);
        rest = after;
        let equivalent = |suite: &Suite, site: &Site| {
            let by_rule = rules::reason(suite, site).map(|reason| (true, reason.to_owned()));
            by_rule.or_else(|| Some((false, listed.reason(suite, site)?)))
        };
        let verdicts = jobs::map(batch, |&(suite, site)| {
            let equivalent = equivalent(suite, site);
            let verdict = judge.judge(suite, site, equivalent.is_some());
            verdict.map(|verdict| (verdict, equivalent))
        });
        for (&(suite, site), verdict) in batch.iter().zip(verdicts) {
            match verdict? {
                (Verdict::LeftOut(reason), _) => *left_out.entry(reason).or_default() += 1,
                _ if judged.len() >= options.count => {}
                (verdict, equivalent) => judged.push(Judged {
                    suite,
                    site,
                    verdict,
                    equivalent,
                }),
            }
        }
    }
    if let Some(folder) = &options.keep {
        keep(folder, &judged)?;
    }
    for (reason, count) in &left_out {
        println!("left out: {count}: {reason}");
    }
    for finding in judge.findings_of_originals() {
        println!("the kernel itself: {finding}");
    }
    let table = table(&judged);
    println!("{}", told(&judged));
    println!("{table}");
    println!("{:.0} s", start.elapsed().as_secs_f64());
    if options.record {
        let path = project::root().join("docs/findings.md");
        let page = crate::sass::latency::replaced(&project::read(&path)?, "mutants", &table)?;
        project::write(&path, page)?;
    }
    let contradicted = judged.iter().filter(|one| one.is_contradicted()).count();
    match contradicted {
        0 => Ok(()),
        n => Err(format!("{n} mutants are found and said to be equivalent")),
    }
}

/// The suites with the launches that have no error of their own; what the others have is printed.
fn right(suites: Vec<Suite>, judge: &Judge) -> Outcome<Vec<Suite>> {
    let launches: Vec<_> = suites
        .iter()
        .flat_map(|suite| suite.launches.iter().map(move |one| (suite, one)))
        .collect();
    let ends = jobs::map(&launches, |(suite, launch)| judge.own_error(suite, launch));
    let mut wrong = BTreeSet::new();
    for ((suite, launch), end) in launches.iter().zip(ends) {
        if let Some(error) = end? {
            println!("left out: {}: {}: {error}", suite.name, launch.words);
            wrong.insert((suite.name.clone(), launch.words.clone()));
        }
    }
    println!(
        "{} launches, {} of them right",
        launches.len(),
        launches.len() - wrong.len()
    );
    let mut right = Vec::new();
    for suite in suites {
        let Suite {
            name,
            text,
            mut launches,
            ..
        } = suite;
        launches.retain(|one| !wrong.contains(&(name.clone(), one.words.clone())));
        if !launches.is_empty() {
            right.push(suite::suite(&name, text, launches));
        }
    }
    Ok(right)
}

fn options(args: &[String]) -> Outcome<Options> {
    let mut options = Options {
        seed: 1,
        count: COUNT,
        keep: None,
        filter: None,
        record: false,
    };
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or(format!("{arg} takes a value"));
        let number = |text: &String| text.parse().map_err(|_| format!("{arg} takes a number"));
        match arg.as_str() {
            "--seed" => options.seed = number(value()?)?,
            "--count" => options.count = number(value()?)? as usize,
            "--keep" => options.keep = Some(PathBuf::from(value()?)),
            "--record" => options.record = true,
            other if other.starts_with('-') => return Err(format!("unknown flag {other}")),
            filter => options.filter = Some(filter.to_owned()),
        }
    }
    Ok(options)
}

/// All sites in the order in which they are taken: one of each kind after the other, and of a kind one of each kernel, so
/// that neither the common kinds nor the large kernels outweigh the others.
fn chosen<'s>(suites: &'s [Suite], options: &Options) -> Vec<Chosen<'s>> {
    let mut random = Random::new(options.seed);
    let mut kinds: BTreeMap<Kind, BTreeMap<(&str, &str), Vec<Chosen>>> = BTreeMap::new();
    for suite in suites {
        let is_wanted = |site: &&Site| match &options.filter {
            Some(filter) => format!("{} {} {}", suite.name, site.kernel, site.kind.words())
                .contains(filter.as_str()),
            None => true,
        };
        for site in suite.sites.iter().filter(is_wanted) {
            let kernels = kinds.entry(site.kind).or_default();
            let key = (suite.name.as_str(), site.kernel.as_str());
            kernels.entry(key).or_default().push((suite, site));
        }
    }
    let kinds: Vec<Vec<_>> = kinds
        .into_values()
        .map(|kernels| {
            let mut kernels: Vec<Vec<_>> = kernels.into_values().collect();
            for sites in &mut kernels {
                random.shuffle(sites);
            }
            random.shuffle(&mut kernels);
            in_turn(kernels)
        })
        .collect();
    in_turn(kinds)
}

/// The first of each list, then the second of each, until all are taken.
fn in_turn<T: Clone>(lists: Vec<Vec<T>>) -> Vec<T> {
    let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
    let round = |at: usize| lists.iter().filter_map(move |list| list.get(at).cloned());
    (0..longest).flat_map(round).collect()
}

impl Judged<'_> {
    fn is_found(&self) -> bool {
        matches!(self.verdict, Verdict::Found { .. })
    }

    fn is_contradicted(&self) -> bool {
        self.is_found() && self.equivalent.is_some()
    }

    fn words(&self) -> String {
        let Site {
            kernel, kind, line, ..
        } = self.site;
        let text = &self.site.old;
        format!(
            "{}:{line}: {kernel}: {}: {text} -> {}",
            self.suite.name,
            kind.words(),
            self.site.told
        )
    }
}

/// What is not found, and what is found although it is said to be equivalent.
fn told(judged: &[Judged]) -> String {
    let mut text = String::new();
    for one in judged {
        match (&one.verdict, &one.equivalent) {
            (Verdict::Found { how, .. }, Some((_, reason))) => {
                writeln!(
                    text,
                    "CONTRADICTED {}\n    {how}; but: {reason}",
                    one.words()
                )
                .ok();
            }
            (Verdict::NotFound, None) => {
                writeln!(text, "NOT FOUND {}", one.words()).ok();
            }
            _ => {}
        }
    }
    text
}

/// The table: a row for each kind.
fn table(judged: &[Judged]) -> String {
    let mut text = String::from("| mutant | executed |");
    for step in &judge::STEPS {
        write!(text, " {} |", step.title).ok();
    }
    text.push_str(" equivalent by rule | by list | not found |\n|---|---|");
    text.push_str(&"---|".repeat(judge::STEPS.len() + 3));
    text.push('\n');
    let kinds: BTreeSet<Kind> = judged.iter().map(|one| one.site.kind).collect();
    let row = |title: &str, of: Vec<&Judged>, text: &mut String| {
        let count = |is: &dyn Fn(&Judged) -> bool| of.iter().filter(|one| is(one)).count();
        write!(text, "| {title} | {} |", of.len()).ok();
        for step in 0..judge::STEPS.len() {
            let here =
                |one: &Judged| matches!(&one.verdict, Verdict::Found { step: s, .. } if *s == step);
            write!(text, " {} |", count(&here)).ok();
        }
        let equivalent = |by_rule: bool| {
            count(&|one: &Judged| {
                !one.is_found()
                    && one
                        .equivalent
                        .as_ref()
                        .is_some_and(|(rule, _)| *rule == by_rule)
            })
        };
        let missed = count(&|one: &Judged| !one.is_found() && one.equivalent.is_none());
        let (rule, list) = (equivalent(true), equivalent(false));
        writeln!(text, " {rule} | {list} | {missed} |").ok();
    };
    for kind in kinds {
        let of = judged.iter().filter(|one| one.site.kind == kind).collect();
        row(kind.words(), of, &mut text);
    }
    row("all", judged.iter().collect(), &mut text);
    text
}

/// Writes each mutant and a table of what became of it.
fn keep(folder: &std::path::Path, judged: &[Judged]) -> Outcome {
    let mut index = String::from("mutant\tfile\tkernel\tline\tkind\told\tnew\tverdict\thow\n");
    for (number, one) in judged.iter().enumerate() {
        let name = format!("m{number:03}.ptx");
        project::write(&folder.join(&name), one.site.mutant(&one.suite.text))?;
        let (verdict, how) = match (&one.verdict, &one.equivalent) {
            (Verdict::Found { how, .. }, _) => ("found", how.clone()),
            (_, Some((_, reason))) => ("equivalent", reason.clone()),
            _ => ("not found", String::new()),
        };
        let site = one.site;
        writeln!(
            index,
            "{name}\t{}\t{}\t{}\t{}\t{}\t{}\t{verdict}\t{how}",
            one.suite.name,
            site.kernel,
            site.line,
            site.kind.words(),
            site.old,
            site.told
        )
        .ok();
    }
    project::write(&folder.join("mutants.tsv"), index)
}
