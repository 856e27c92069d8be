//! The kernel suites: sources under `tests/kernels` whose kernels are run, on the emulator and on a GPU.
//!
//! Their cases are `// run: …` lines at the top of the source, as `warpc run` takes them, and `// bench: …` lines for launches
//! that are long enough to be timed on a GPU, and too long for an emulator. They are copied to the top of the PTX, so that the file can be run as it is. The PTX says the version [`VERSION`], because the driver of
//! the GPU that judges them refuses what is newer, and nvcc always writes its own; ptxas's verdict, which every
//! corpus file gets, shows whether a module needs more than that.
//!
//! All of it is recorded in the project, because the hardware's answers are answers to these very texts.

use crate::corpus::manifest::Row;
use crate::corpus::record;
use crate::project::{self, Outcome};

/// A suite of kernels to be run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Suite {
    /// Where it lies in the corpus, with a slash.
    pub folder: &'static str,
    /// Where its PTX is recorded, below the root.
    recorded: &'static str,
}

/// The suite for results: every feature, few threads.
pub const KERNELS: Suite = Suite {
    folder: "kernels/",
    recorded: "tests/kernels/ptx",
};

/// The suite for times: kernels that compute for long.
pub const COMPUTE: Suite = Suite {
    folder: "compute/",
    recorded: "tests/kernels/compute/ptx",
};

/// All suites.
pub const SUITES: [Suite; 2] = [KERNELS, COMPUTE];

/// The newest PTX version that the driver takes (CUDA 13.0).
pub const VERSION: &str = "9.0";

/// The module with the cases of its source at the top, in a version the driver takes.
pub fn made_to_run(ptx: &str, source: &str) -> String {
    let mut text = String::with_capacity(ptx.len());
    for line in source.lines().filter(|line| is_case(line)) {
        text.push_str(line);
        text.push('\n');
    }
    for line in ptx.split_inclusive('\n') {
        if line.starts_with(".version ") {
            text.push_str(&format!(".version {VERSION}\n"));
        } else {
            text.push_str(line);
        }
    }
    text
}

/// Whether a line of a source has a launch.
fn is_case(line: &str) -> bool {
    line.starts_with("// run: ") || line.starts_with("// bench: ")
}

/// Whether a path in the corpus belongs to a suite.
pub fn is_in_one(path: &str) -> bool {
    SUITES.iter().any(|suite| path.starts_with(suite.folder))
}

/// Writes the files of all suites anew, or those of the one that the filter is about.
pub fn record(rows: &[Row], filter: &str) -> Outcome {
    let meant = |suite: &&Suite| filter.starts_with(suite.folder) || !is_in_one(filter);
    let suites = SUITES.iter().filter(meant);
    suites
        .into_iter()
        .try_for_each(|suite| record_suite(*suite, rows))
}

/// Writes `tests/kernels/…/<name>.ptx.gz` anew. Everything must be there and accepted.
fn record_suite(of: Suite, rows: &[Row]) -> Outcome {
    let dir = project::root().join(of.recorded);
    let suite: Vec<&Row> = rows
        .iter()
        .filter(|row| row.path.starts_with(of.folder))
        .collect();
    if let Some(row) = suite.iter().find(|row| row.verdict != "accept") {
        return Err(format!("{}: {} by ptxas", row.path, row.verdict));
    }
    for old in project::files(&dir, "gz") {
        std::fs::remove_file(&old).map_err(|e| format!("cannot remove {}: {e}", old.display()))?;
    }
    for row in &suite {
        let name = row.path.trim_start_matches(of.folder);
        project::write(&dir.join(format!("{name}.gz")), record::compressed(row)?)?;
    }
    println!("recorded {} files of {}", suite.len(), of.folder);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::made_to_run;

    #[test]
    fn cases_are_kept_and_the_version_is_lowered() {
        let source = "// make: nvcc 90\n// run: --grid 1\n// bench: --grid 2\n__global__ …\n";
        let ptx = "//\n.version 9.4\n.target sm_90\n";
        assert_eq!(
            made_to_run(ptx, source),
            "// run: --grid 1\n// bench: --grid 2\n//\n.version 9.0\n.target sm_90\n"
        );
    }
}
