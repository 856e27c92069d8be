//! The recorded subset: corpus files kept in the project, so that `./x test --quick` has real PTX.
//!
//! A cross-section, not a sample: for each source the smallest file of some target, walking over the targets
//! so that every one of them and every tool is there, and nothing over [`LARGEST`].

use crate::corpus::make;
use crate::corpus::manifest::Row;
use crate::corpus::suite;
use crate::project::{self, Outcome};
use std::collections::{BTreeMap, BTreeSet};
use warpc_testkit::gzip;

/// Largest file taken, in bytes of PTX: big ones belong to the benchmark, not to the quick test.
const LARGEST: u64 = 220_000;
/// How much the subset may take, compressed.
const BUDGET: usize = 1_500_000;

/// Writes `tests/corpus/ptx/<tool>-<sm>-<name>.ptx.gz` anew.
pub fn record(rows: &[Row]) -> Outcome {
    let dir = crate::corpus::recorded_dir();
    for old in project::files(&dir, "gz") {
        std::fs::remove_file(&old).map_err(|e| format!("cannot remove {}: {e}", old.display()))?;
    }
    let (mut count, mut total) = (0, 0);
    for row in choose(rows) {
        let bytes = compressed(row)?;
        if total + bytes.len() > BUDGET {
            break;
        }
        total += bytes.len();
        count += 1;
        project::write(
            &dir.join(format!("{}.gz", row.path.replace('/', "-"))),
            bytes,
        )?;
    }
    println!("recorded {count} files, {total} bytes compressed");
    Ok(())
}

/// A corpus file's text, compressed; refused when it names this machine.
pub fn compressed(row: &Row) -> Outcome<Vec<u8>> {
    let text = project::read(&project::corpus_dir().join(&row.path))?;
    if make::names_this_machine(&text) {
        return Err(format!("{} names a folder of this machine", row.path));
    }
    Ok(gzip::pack(text))
}

/// One row for each source, each time of the target that was taken least so far.
fn choose(rows: &[Row]) -> Vec<&Row> {
    let mut by_source: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in rows
        .iter()
        .filter(|r| r.verdict == "accept" && r.bytes <= LARGEST)
        .filter(|r| !suite::is_in_one(&r.path))
    {
        let name = row.path.rsplit('/').next().unwrap_or(&row.path);
        by_source.entry(name).or_default().push(row);
    }
    let mut taken: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    let mut chosen = Vec::new();
    for (_, rows) in by_source {
        let least = |r: &&&Row| {
            (
                taken
                    .get(&(r.tool.as_str(), r.target.as_str()))
                    .copied()
                    .unwrap_or(0),
                r.bytes,
            )
        };
        if let Some(row) = rows.iter().min_by_key(least) {
            *taken.entry((&row.tool, &row.target)).or_default() += 1;
            if seen.insert(&row.hash) {
                chosen.push(*row);
            }
        }
    }
    chosen.sort_by_key(|r| r.bytes);
    chosen
}
