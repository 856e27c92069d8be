//! What to make: the `make:` lines at the top of each source.
//!
//! ```text
//! // make: TOOL SM... [@VARIANT] [FLAG...]
//! // make: nvcc 75 80 90a
//! // make: nvcc 80 @lineinfo -lineinfo
//! ```
//!
//! TOOL is `nvcc`, `nvrtc` (12.9, for what CUDA 13 dropped), `clang` or `triton`; SM is a target without its
//! `sm_`; a VARIANT names a second build of the same source. Python sources write `#` instead of `//`.
//! The sources of the kernel suites have such lines, too; what is made of them goes to one folder each, `kernels` and `compute`.

use crate::corpus::suite::{self, Suite};
use crate::oracle;
use crate::project::{self, Outcome};
use std::path::PathBuf;

/// A program that makes PTX.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tool {
    /// CUDA C++ by nvcc 13.
    Nvcc,
    /// CUDA C++ by the run-time compiler of CUDA 12.9.
    Nvrtc,
    /// CUDA C++ by clang.
    Clang,
    /// Triton, ahead of time; one job makes a file per kernel.
    Triton,
}

impl Tool {
    /// The name in recipes and in the corpus's folders.
    pub fn name(self) -> &'static str {
        match self {
            Tool::Nvcc => "nvcc",
            Tool::Nvrtc => "nvrtc",
            Tool::Clang => "clang",
            Tool::Triton => "triton",
        }
    }

    fn named(name: &str) -> Option<Tool> {
        [Tool::Nvcc, Tool::Nvrtc, Tool::Clang, Tool::Triton]
            .into_iter()
            .find(|t| t.name() == name)
    }
}

/// One run of one tool.
#[derive(Clone, Debug)]
pub struct Job {
    /// The tool.
    pub tool: Tool,
    /// The target, as `90a`.
    pub sm: String,
    /// The source file.
    pub source: PathBuf,
    /// Flags beyond those every run of the tool gets.
    pub flags: Vec<String>,
    /// Where the result goes, below the corpus folder: `nvcc/sm_90a/reduce.ptx`. Triton's is a prefix.
    pub path: String,
    /// Whether it belongs to a suite of kernels: made to be run, not only to be read.
    pub to_run: bool,
    /// Changes when anything that the result depends on changes.
    pub key: String,
}

/// The folders of sources: below the root, ending of the files, and the suite of kernels to be run that they are, if any.
const FOLDERS: [(&str, &str, Option<Suite>); 5] = [
    ("tests/corpus/cuda", "cu", None),
    ("tests/corpus/library", "cu", None),
    ("tests/corpus/triton", "py", None),
    ("tests/kernels/cuda", "cu", Some(suite::KERNELS)),
    ("tests/kernels/compute", "cu", Some(suite::COMPUTE)),
];

/// Every job of every source, in order of their paths.
pub fn collect() -> Outcome<Vec<Job>> {
    let mut jobs = Vec::new();
    for (folder, ending, suite) in FOLDERS {
        for source in project::files(&project::root().join(folder), ending) {
            let text = project::read(&source)?;
            for line in text.lines() {
                let comment = line.trim_start_matches(['/', '#', ' ']);
                if let Some(recipe) = comment.strip_prefix("make: ").filter(|_| comment != line) {
                    let name = project::stem(&source);
                    let parsed = parse(&source, &name, &text, recipe, suite);
                    jobs.extend(
                        parsed
                            .map_err(|e| format!("{}: `make: {recipe}`: {e}", source.display()))?,
                    );
                }
            }
        }
    }
    jobs.sort_by(|a, b| a.path.cmp(&b.path));
    match jobs.windows(2).find(|pair| pair[0].path == pair[1].path) {
        Some(pair) => Err(format!("two recipes make {}", pair[0].path)),
        None => Ok(jobs),
    }
}

fn parse(
    source: &std::path::Path,
    name: &str,
    text: &str,
    recipe: &str,
    suite: Option<Suite>,
) -> Outcome<Vec<Job>> {
    let mut words = recipe.split_whitespace().peekable();
    let tool = words
        .next()
        .and_then(Tool::named)
        .ok_or("the first word must be nvcc, nvrtc, clang or triton")?;
    let mut sms = Vec::new();
    while let Some(sm) = words.next_if(|w| w.starts_with(|c: char| c.is_ascii_digit())) {
        sms.push(sm);
    }
    let variant = words
        .next_if(|w| w.starts_with('@'))
        .map(|w| w.replacen('@', ".", 1))
        .unwrap_or_default();
    let flags: Vec<String> = words.map(str::to_string).collect();
    if sms.is_empty() {
        return Err("no target".into());
    }
    let job = |sm: &&str| {
        let path = match suite {
            Some(suite) => format!("{}{name}{variant}.ptx", suite.folder),
            None => format!("{}/sm_{sm}/{name}{variant}.ptx", tool.name()),
        };
        let key = project::hash(&[text, recipe, crate::corpus::make::VERSION, &oracle::pins()]);
        Job {
            tool,
            sm: sm.to_string(),
            source: source.to_path_buf(),
            flags: flags.clone(),
            path,
            to_run: suite.is_some(),
            key: format!("{key:016x}"),
        }
    };
    Ok(sms.iter().map(job).collect())
}
