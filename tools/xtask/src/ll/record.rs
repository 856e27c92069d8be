//! The recorded cross-section: modules kept in the project, so that `./x test --quick` has real LLVM IR.
//!
//! A few modules of every producer and every build, not the smallest ones, which say little, and nothing over
//! [`LARGEST`].

use crate::ll::manifest::Row;
use crate::project::{self, Outcome};
use std::collections::BTreeMap;
use warpc_testkit::gzip;

/// Largest module taken, in bytes of text.
const LARGEST: u64 = 60_000;
/// Smallest module taken.
const SMALLEST: u64 = 2_000;
/// Modules of one producer and one build.
const EACH: usize = 3;
/// How much the cross-section may take, compressed.
const BUDGET: usize = 1_200_000;

/// Writes `tests/corpus/ll/<producer>-<variant>-<name>.ll.gz` anew.
pub fn record(rows: &[Row]) -> Outcome {
    let dir = project::root().join("tests/corpus/ll");
    for old in project::files(&dir, "gz") {
        std::fs::remove_file(&old).map_err(|e| format!("cannot remove {}: {e}", old.display()))?;
    }
    let mut builds: BTreeMap<(&str, &str), Vec<&Row>> = BTreeMap::new();
    for row in rows {
        if row.verdict == "accept" && (SMALLEST..=LARGEST).contains(&row.bytes) {
            let build = (row.producer.as_str(), row.variant.as_str());
            builds.entry(build).or_default().push(row);
        }
    }
    let (mut count, mut total) = (0, 0);
    for rows in builds.values_mut() {
        // In an order that has nothing to do with names or sizes, but is always the same.
        rows.sort_by_key(|row| project::hash(&[&row.path]));
        for row in rows.iter().take(EACH) {
            let text = project::read(&project::corpus_dir().join(&row.path))?;
            if text.contains(&project::root().display().to_string()) {
                return Err(format!("{} names a folder of this machine", row.path));
            }
            let bytes = gzip::pack(&text);
            count += 1;
            total += bytes.len();
            let name = row.path.trim_start_matches("ll/").replace('/', "-");
            project::write(&dir.join(format!("{name}.gz")), bytes)?;
        }
    }
    if total > BUDGET {
        return Err(format!("the recorded modules take {total} bytes"));
    }
    println!("recorded {count} modules, {total} bytes compressed");
    Ok(())
}
