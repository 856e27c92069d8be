//! The kernel suite: sources under `tests/kernels` whose kernels are run, on the emulator and on a GPU.
//!
//! Their cases are `// run: …` lines at the top of the source, as `warpc run` takes them. They are copied to the
//! top of the PTX, so that the file can be run as it is. The PTX says the version [`VERSION`], because the driver of
//! the GPU that judges them refuses what is newer, and nvcc always writes its own; ptxas's verdict, which every
//! corpus file gets, shows whether a module needs more than that.
//!
//! All of it is recorded in the project, because the hardware's answers are answers to these very texts.

use crate::corpus::manifest::Row;
use crate::corpus::record;
use crate::project::{self, Outcome};

/// Where the suite lies in the corpus.
pub const FOLDER: &str = "kernels/";

/// The newest PTX version that the driver takes (CUDA 13.0).
pub const VERSION: &str = "9.0";

/// The module with the cases of its source at the top, in a version the driver takes.
pub fn made_to_run(ptx: &str, source: &str) -> String {
    let mut text = String::with_capacity(ptx.len());
    for line in source.lines().filter(|line| line.starts_with("// run: ")) {
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

/// Writes `tests/kernels/ptx/<name>.ptx.gz` anew. Everything must be there and accepted.
pub fn record(rows: &[Row]) -> Outcome {
    let dir = project::root().join("tests/kernels/ptx");
    let suite: Vec<&Row> = rows
        .iter()
        .filter(|row| row.path.starts_with(FOLDER))
        .collect();
    if let Some(row) = suite.iter().find(|row| row.verdict != "accept") {
        return Err(format!("{}: {} by ptxas", row.path, row.verdict));
    }
    for old in project::files(&dir, "gz") {
        std::fs::remove_file(&old).map_err(|e| format!("cannot remove {}: {e}", old.display()))?;
    }
    for row in &suite {
        let name = row.path.trim_start_matches(FOLDER);
        project::write(&dir.join(format!("{name}.gz")), record::compressed(row)?)?;
    }
    println!("recorded {} files of the kernel suite", suite.len());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::made_to_run;

    #[test]
    fn cases_are_kept_and_the_version_is_lowered() {
        let source = "// make: nvcc 90\n// run: --grid 1\n// run: --grid 2\n__global__ …\n";
        let ptx = "//\n.version 9.4\n.target sm_90\n";
        assert_eq!(
            made_to_run(ptx, source),
            "// run: --grid 1\n// run: --grid 2\n//\n.version 9.0\n.target sm_90\n"
        );
    }
}
