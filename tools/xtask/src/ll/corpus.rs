//! The LLVM IR part of `./x corpus`.

use crate::corpus::Made;
use crate::jobs;
use crate::ll::manifest::{self, Row};
use crate::ll::recipe::Extent;
use crate::ll::{make, read, recipe, same};
use crate::oracle::Tools;
use crate::project::{self, Outcome};
use std::collections::BTreeMap;
use std::time::Instant;

/// What all paths of this part start with.
pub const FOLDER: &str = "ll/";

/// Makes what is missing of what is asked for, has LLVM judge it, writes the manifest and says what there is: also
/// what was made before and is still up to date.
pub fn ensure(tools: &Tools, filter: &str, extent: Extent) -> Outcome<Vec<Row>> {
    let start = Instant::now();
    let all = recipe::collect()?;
    let known = manifest::read().unwrap_or_default();
    let known: BTreeMap<&str, &Row> = known.iter().map(|r| (r.path.as_str(), r)).collect();
    let wanted = all
        .iter()
        .filter(|job| extent.has(job) && job.path.contains(filter));
    let mut stale: Vec<_> = wanted.filter(|job| !make::is_fresh(job)).collect();
    // The long ones first, so that none is left to run alone at the end.
    stale.sort_by_key(|job| !job.tool.makes_many());
    let results = jobs::map(&stale, |job| make::make(tools, job));
    let mut failures = Vec::new();
    let mut skipped: BTreeMap<String, usize> = BTreeMap::new();
    let mut made = 0;
    for (job, result) in stale.iter().zip(results) {
        match result {
            Ok(Made::Written) => made += 1,
            Ok(Made::NoTool) => *skipped.entry(job.tool.producer()).or_default() += 1,
            Err(e) => failures.push(format!("{}: {e}", job.path)),
        }
    }
    let mut rows = Vec::new();
    for job in all.iter().filter(|job| make::is_fresh(job)) {
        for path in make::written(job) {
            rows.push(Row {
                path,
                producer: job.tool.producer(),
                variant: job.variant.into(),
                ..Row::default()
            });
        }
    }
    let judge = tools.ll.programs.contains(&"llvm-as-22");
    let rows = jobs::map(&rows, |row| judged(row, &known, judge));
    let rows: Vec<Row> = rows.into_iter().collect::<Outcome<_>>()?;
    manifest::write(&rows)?;
    summary(&rows, made, start);
    for (producer, n) in &skipped {
        eprintln!("warning: {n} recipes skipped: no {producer}");
    }
    for failure in &failures {
        eprintln!("failed: {failure}");
    }
    match failures.len() {
        0 => Ok(rows),
        n => Err(format!("{n} modules of LLVM IR could not be made")),
    }
}

/// The sample, and whatever else was made before.
pub fn sample(tools: &Tools) -> Outcome<Vec<Row>> {
    ensure(tools, FOLDER, Extent::Sample)
}

/// The row with size, hash and verdict; the verdict of an earlier run counts if the text is the same.
fn judged(row: &Row, known: &BTreeMap<&str, &Row>, judge: bool) -> Outcome<Row> {
    let file = project::corpus_dir().join(&row.path);
    let text = project::read(&file)?;
    let hash = format!("{:016x}", project::hash(&[&text]));
    if let Some(old) = known.get(row.path.as_str())
        && old.hash == hash
        && old.verdict != "unknown"
    {
        return Ok((*old).clone());
    }
    let judgement = match judge {
        true => read::verdict(&file)?,
        false => read::Verdict {
            verdict: "unknown",
            ..read::Verdict::default()
        },
    };
    Ok(Row {
        bytes: text.len() as u64,
        hash,
        verdict: judgement.verdict.into(),
        reader: judgement.reader.into(),
        printed: same::digest(&judgement.printed, judgement.reader),
        message: judgement.message,
        ..row.clone()
    })
}

fn summary(rows: &[Row], made: usize, start: Instant) {
    let mut table: BTreeMap<&str, (usize, usize, u64)> = BTreeMap::new();
    for row in rows {
        let entry = table.entry(&row.producer).or_default();
        entry.0 += 1;
        entry.1 += usize::from(row.verdict == "accept");
        entry.2 += row.bytes;
    }
    for (producer, (modules, accepted, bytes)) in &table {
        println!(
            "  {producer:12} {modules:4} modules, {:6.1} MB, LLVM accepts {accepted}",
            *bytes as f64 / 1e6
        );
    }
    let bytes: u64 = rows.iter().map(|row| row.bytes).sum();
    println!(
        "LLVM IR: {} modules, {:.1} MB, {} jobs done now, {:.0} s",
        rows.len(),
        bytes as f64 / 1e6,
        made,
        start.elapsed().as_secs_f64()
    );
}
