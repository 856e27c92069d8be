//! `./x corpus`: real PTX, made by real compilers from the sources under `tests/corpus`.
//!
//! ```text
//! tests/corpus/cuda/*.cu      kernels written for it   ┐
//! tests/corpus/library/*.cu   CUB, Thrust, libcu++ …   ├─► target/corpus/<tool>/<sm>/<name>.ptx
//! tests/corpus/triton/*.py    Triton kernels           ┘   target/corpus/manifest.tsv (with ptxas's verdicts)
//! tests/kernels/cuda/*.cu     kernels to be run        ──► target/corpus/kernels/<name>.ptx (see [`suite`])
//! tests/kernels/compute/*.cu  kernels to be timed      ──► target/corpus/compute/<name>.ptx
//! ```
//!
//! Each source says in `make:` lines which tools take it for which targets (see [`recipe`]). A file is made
//! again only when its source, its command line or the tools' pinned versions have changed. The LLVM IR that
//! compilers make of the same sources, and of some more, is the work of [`crate::ll`].

mod judge;
mod make;
pub mod manifest;
pub use make::Made;
pub use suite::made_to_run;
mod recipe;
mod record;
mod suite;

use crate::oracle::{self, Tools};
use crate::project::{self, Outcome};
use crate::{corpus::manifest::Row, jobs, ll, ll::recipe::Extent};
use std::collections::BTreeMap;
use std::time::Instant;

/// The task. A filter makes only the files whose path contains it; `--record` refreshes the recorded subset and the
/// recorded kernel suites, with the filter `kernels/` or `compute/` only that one. Of the LLVM IR a sample is made; `--all` makes
/// all of it, and so does `--record`.
pub fn corpus(args: &[String]) -> Outcome {
    let filter = args
        .iter()
        .find(|a| !a.starts_with("--"))
        .map_or("", String::as_str);
    let (tools, missing) = oracle::ensure_all();
    let ll = filter.starts_with(ll::corpus::FOLDER);
    let record = args.iter().any(|a| a == "--record");
    if ll || filter.is_empty() {
        let extent = match record {
            true => Extent::All,
            false => Extent::of(args),
        };
        let modules = ll::corpus::ensure(&tools, filter, extent)?;
        if record {
            ll::record::record(&modules)?;
        }
    }
    let rows = match ll {
        true => Vec::new(),
        false => ensure(&tools, filter)?,
    };
    if !ll && record {
        if !suite::is_in_one(filter) {
            record::record(&rows)?;
        }
        suite::record(&rows, filter)?;
    }
    if missing.is_empty() {
        Ok(())
    } else {
        Err(format!(
            "the corpus is not whole: {} of the tools could not be had",
            missing.len()
        ))
    }
}

/// Makes what is missing, has ptxas judge it, writes the manifest and says what there is.
pub fn ensure(tools: &Tools, filter: &str) -> Outcome<Vec<Row>> {
    let start = Instant::now();
    let all = recipe::collect()?;
    let known = manifest::read().unwrap_or_default();
    let wanted: Vec<_> = all.iter().filter(|job| job.path.contains(filter)).collect();
    let stale: Vec<_> = wanted.iter().filter(|job| !make::is_fresh(job)).collect();
    let results = jobs::map(&stale, |job| make::make(tools, job));
    let mut failures = Vec::new();
    let mut skipped: BTreeMap<&str, usize> = BTreeMap::new();
    let mut made = 0;
    for (job, result) in stale.iter().zip(results) {
        match result {
            Ok(make::Made::Written) => made += 1,
            Ok(make::Made::NoTool) => *skipped.entry(job.tool.name()).or_default() += 1,
            Err(e) => failures.push(format!("{}: {e}", job.path)),
        }
    }
    let paths = make::outputs(&all);
    let rows = jobs::map(&paths, |path| judge::judge(tools, path, &known));
    let rows: Vec<Row> = rows.into_iter().collect::<Outcome<_>>()?;
    manifest::write(&rows)?;
    summary(&rows, made, start);
    for (tool, n) in &skipped {
        eprintln!("warning: {n} recipes skipped: no {tool}");
    }
    for failure in &failures {
        eprintln!("failed: {failure}");
    }
    if failures.is_empty() {
        Ok(rows)
    } else {
        Err(format!("{} corpus files could not be made", failures.len()))
    }
}

fn summary(rows: &[Row], made: usize, start: Instant) {
    let mut table: BTreeMap<(&str, &str), (usize, usize)> = BTreeMap::new();
    for row in rows {
        let entry = table.entry((&row.tool, &row.target)).or_default();
        entry.0 += 1;
        entry.1 += usize::from(row.verdict == "accept");
    }
    for ((tool, target), (files, accepted)) in &table {
        println!("  {tool:8} {target:8} {files:4} files, ptxas accepts {accepted}");
    }
    let bytes: u64 = rows.iter().map(|row| row.bytes).sum();
    println!(
        "corpus: {} files, {:.1} MB, {} made now, {:.0} s",
        rows.len(),
        bytes as f64 / 1e6,
        made,
        start.elapsed().as_secs_f64()
    );
}

/// The folder that holds the recorded subset.
pub fn recorded_dir() -> std::path::PathBuf {
    project::root().join("tests/corpus/ptx")
}
