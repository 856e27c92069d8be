//! Whole kernels, run on the GPU and on the emulator.
//!
//! ```text
//!   DIR/*.ptx{,.gz} or programs ──► Suite: files, and a case for each `// run:` line
//!        │ children (supervise), in each: run on the GPU, or on the emulator with a seed
//!        ▼
//!   Ran: digests of all buffers, what was printed ──► report: GPU beside emulator ──► record
//! ```
//!
//! All buffers of a launch are compared whole, whether the kernel writes them or not.

pub mod bench;
pub mod bench_child;
pub mod passes;
pub mod predict;
pub mod record;
pub mod report;
pub mod run;
pub mod supervise;
pub mod task;

use std::fs;
use std::path::Path;
use warpc_diag::{Diagnostics, Severity, SourceFile};
use warpc_request::{Options, bench_cases, cases};
use warpc_testkit::gzip;

/// A module with its launches.
pub struct File {
    /// Its name, without folder and ending.
    pub name: String,
    /// The PTX.
    pub source: SourceFile,
    /// The launches.
    pub cases: Vec<Case>,
}

/// A launch.
pub struct Case {
    /// The flags, as they stand in the file.
    pub text: String,
    /// The flags.
    pub options: Options,
}

/// The flags in a line with a launch.
fn flags_of(line: &str) -> &str {
    let line = line
        .strip_prefix("// run:")
        .or(line.strip_prefix("// bench:"));
    line.unwrap_or_default().trim()
}

/// Modules with launches, in the order of their names.
pub struct Suite {
    /// The modules.
    pub files: Vec<File>,
}

impl File {
    /// Takes the launches out of a module's text: those of `// run:` lines.
    pub fn new(name: &str, text: &str) -> Result<File, String> {
        File::with(name, text, false)
    }

    /// The same, but with the launches of `// bench:` lines alone where it has some.
    pub fn timed(name: &str, text: &str) -> Result<File, String> {
        File::with(name, text, true)
    }

    fn with(name: &str, text: &str, is_timed: bool) -> Result<File, String> {
        let source = SourceFile::new(format!("{name}.ptx"), text)
            .ok_or_else(|| format!("{name}: the text is too long"))?;
        let failed = |diagnostics: Diagnostics| {
            let first = diagnostics.as_slice().first();
            let message = first.map_or("", |d| d.message.as_str());
            format!("{name}: {message}")
        };
        let long = match is_timed {
            true => bench_cases(&source).map_err(failed)?,
            false => Vec::new(),
        };
        let found = match long.is_empty() {
            true => cases(&source).map_err(failed)?,
            false => long,
        };
        let cases = found.into_iter().map(|case| {
            let span = case.span;
            let line = &source.bytes()[span.start as usize..span.end as usize];
            let line = String::from_utf8_lossy(line);
            Case {
                text: flags_of(&line).to_string(),
                options: case.options,
            }
        });
        let cases = cases.collect();
        Ok(File {
            name: name.to_string(),
            source,
            cases,
        })
    }

    /// The PTX as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(self.source.bytes()).into_owned()
    }

    /// The module, without errors.
    pub fn module(&self) -> Result<warpc_ptx::Module, String> {
        let checked = warpc_ptx::check(&self.source);
        let errors = checked.diagnostics.as_slice();
        match errors.iter().find(|d| d.severity == Severity::Error) {
            Some(first) => Err(format!("{}: {}", self.name, first.message)),
            None => Ok(checked.value.unwrap()),
        }
    }

    /// Whether kernels print: what the driver writes for them belongs to a process, not to a launch.
    pub fn prints(&self) -> bool {
        self.text().contains("vprintf")
    }
}

impl Suite {
    /// The modules of a folder, compressed or not.
    pub fn read(dir: &Path) -> Result<Suite, String> {
        Suite::read_as(dir, File::new)
    }

    /// The same, to be timed.
    pub fn read_timed(dir: &Path) -> Result<Suite, String> {
        Suite::read_as(dir, File::timed)
    }

    fn read_as(dir: &Path, file: fn(&str, &str) -> Result<File, String>) -> Result<Suite, String> {
        let failed = |e: std::io::Error| format!("cannot read {}: {e}", dir.display());
        let mut files = Vec::new();
        for entry in fs::read_dir(dir).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let bytes = fs::read(&path);
            let (name, text) = if let Some(name) = name.strip_suffix(".ptx.gz") {
                let text = bytes.and_then(|bytes| gzip::unpack_text(&bytes));
                (name, text.map_err(failed)?)
            } else if let Some(name) = name.strip_suffix(".ptx") {
                let bytes = bytes.map_err(failed)?;
                (name, String::from_utf8_lossy(&bytes).into_owned())
            } else {
                continue;
            };
            files.push(file(name, &text)?);
        }
        files.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(Suite { files })
    }

    /// How many launches there are.
    pub fn len(&self) -> usize {
        self.files.iter().map(|file| file.cases.len()).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
