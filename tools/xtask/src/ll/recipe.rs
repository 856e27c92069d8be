//! What LLVM IR to make: each producer with its sources, in several variants.
//!
//! All CUDA sources of the project are taken by every clang. Two variants of each are enough, for they are dealt
//! out in turn: each compiler makes every variant of some sources, and each source is seen at several levels.
//! The first of the two, and every other of rustc's slow builds, make the sample, in which every producer and every
//! variant is still there.
//! What a compiler cannot take is in `tests/corpus/ll_not_made.tsv`, with its own words; everything else must work.

use crate::oracle;
use crate::project::{self, Outcome};
use std::collections::HashSet;
use std::path::PathBuf;

/// A program that makes LLVM IR, and what it is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tool {
    /// Device code of CUDA C++ by a clang.
    Cuda(Clang),
    /// Device code of OpenMP target regions by a clang.
    OpenMp(Clang),
    /// C and C++ for the machine we are on, by a clang: no device code, but more of the language.
    Host(Clang),
    /// Fortran for the machine we are on.
    Flang,
    /// Rust for the machine we are on; one job makes a module per crate.
    Rustc,
    /// Triton's last stage before PTX; one job makes a module per kernel.
    Triton,
    /// What Numba hands to libNVVM; one job makes all modules.
    Numba,
    /// The same by a version of the time of typed pointers.
    NumbaTyped,
}

/// The versions of clang; each stands for a dialect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Clang {
    /// Today's.
    V22,
    /// Debug intrinsics, attributes of their time.
    V19,
    /// Typed pointers.
    V14,
}

impl Clang {
    /// As in the names of its packages.
    pub fn number(self) -> &'static str {
        match self {
            Clang::V22 => "22",
            Clang::V19 => "19",
            Clang::V14 => "14",
        }
    }
}

impl Tool {
    /// The name in the corpus's folders.
    pub fn producer(self) -> String {
        match self {
            Tool::Cuda(clang) => format!("clang-{}", clang.number()),
            Tool::OpenMp(clang) => format!("openmp-{}", clang.number()),
            Tool::Host(clang) => format!("host-{}", clang.number()),
            Tool::Flang => "flang-22".into(),
            Tool::Rustc => "rustc".into(),
            Tool::Triton => "triton".into(),
            Tool::Numba => "numba".into(),
            Tool::NumbaTyped => "numba-typed".into(),
        }
    }

    /// Whether one job makes any number of modules, into a folder of its own.
    pub fn makes_many(self) -> bool {
        matches!(
            self,
            Tool::Rustc | Tool::Triton | Tool::Numba | Tool::NumbaTyped
        )
    }
}

/// How much of the corpus is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// What `./x test` can afford to make on a machine that has nothing yet.
    Sample,
    /// Everything.
    All,
}

impl Extent {
    /// As the arguments of a task say: `--all`, or the sample.
    pub fn of(args: &[String]) -> Extent {
        match args.iter().any(|a| a == "--all") {
            true => Extent::All,
            false => Extent::Sample,
        }
    }

    /// Whether a job is asked for.
    pub fn has(self, job: &Job) -> bool {
        self == Extent::All || job.sampled
    }
}

/// One run of one tool.
#[derive(Clone, Debug)]
pub struct Job {
    /// The tool.
    pub tool: Tool,
    /// The source file.
    pub source: PathBuf,
    /// Which build of it: a level, a target.
    pub variant: &'static str,
    /// The flags that go with the variant.
    pub flags: &'static [&'static str],
    /// Whether it belongs to the sample.
    pub sampled: bool,
    /// Where the result goes, below the corpus folder: a file, or a folder for a tool that makes many.
    pub path: String,
    /// Changes when anything that the result depends on changes.
    pub key: String,
}

/// A build and its flags.
type Variant = (&'static str, &'static [&'static str]);

/// For compilers of the C family.
const LEVELS: [Variant; 5] = [
    ("O2", &["-O2"]),
    ("O0-g", &["-O0", "-g"]),
    ("Os", &["-Os"]),
    ("O2-g", &["-O2", "-g"]),
    ("O0", &["-O0"]),
];
/// For flang, which knows no size levels.
const FORTRAN_LEVELS: [Variant; 4] = [LEVELS[0], LEVELS[1], LEVELS[3], LEVELS[4]];
/// For rustc: profile and debug level; the sample first.
const PROFILES: [Variant; 4] = [
    ("dev-g", &["dev", "2"]),
    ("release", &["release", "0"]),
    ("dev", &["dev", "0"]),
    ("release-g", &["release", "2"]),
];
/// How many of the [`PROFILES`] are in the sample.
const PROFILES_SAMPLED: usize = 2;
/// For Triton: chips, oldest to newest.
const CHIPS: [Variant; 3] = [("sm_80", &["80"]), ("sm_90", &["90"]), ("sm_100", &["100"])];
const ONLY: [Variant; 1] = [("all", &[])];

/// Folders of CUDA sources and what their files are called in the corpus.
const CUDA: [(&str, &str); 3] = [
    ("tests/corpus/cuda", "cuda"),
    ("tests/corpus/library", "library"),
    ("tests/kernels/cuda", "kernels"),
];
/// How many of the [`LEVELS`] each CUDA source gets from each clang.
const LEVELS_EACH: usize = 2;
/// How many of these are in the sample.
const LEVELS_SAMPLED: usize = 1;

/// Every job, in order of their paths.
pub fn collect() -> Outcome<Vec<Job>> {
    let root = project::root();
    let not_made = not_made()?;
    let mut jobs = Vec::new();
    let mut add = |tool: Tool, source: &PathBuf, name: &str, variants: &[Variant]| -> Outcome {
        if not_made.contains(&(tool.producer(), name.to_string())) {
            return Ok(());
        }
        let text = project::read(source)?;
        let in_sample = match tool {
            Tool::Cuda(_) => LEVELS_SAMPLED,
            Tool::Rustc => PROFILES_SAMPLED,
            _ => variants.len(),
        };
        for (n, (variant, flags)) in variants.iter().enumerate() {
            let folder = format!("ll/{}/{variant}", tool.producer());
            let path = match tool.makes_many() {
                true => folder,
                false => format!("{folder}/{name}.ll"),
            };
            let parts = [
                &text,
                &flags.join(" "),
                super::make::VERSION,
                &oracle::ll_pins(),
            ];
            jobs.push(Job {
                tool,
                source: source.clone(),
                variant,
                flags,
                sampled: n < in_sample,
                path,
                key: format!("{:016x}", project::hash(&parts)),
            });
        }
        Ok(())
    };
    let mut turn = 0;
    for (folder, group) in CUDA {
        for source in project::files(&root.join(folder), "cu") {
            let name = format!("{group}-{}", project::stem(&source));
            for (n, clang) in [Clang::V22, Clang::V19, Clang::V14].into_iter().enumerate() {
                let variants: Vec<Variant> = (0..LEVELS_EACH)
                    .map(|k| LEVELS[(turn + n + 2 * k) % LEVELS.len()])
                    .collect();
                add(Tool::Cuda(clang), &source, &name, &variants)?;
            }
            turn += 1;
        }
    }
    for (folder, endings) in [("openmp", ["c", "cpp"]), ("host", ["c", "cpp"])] {
        for ending in endings {
            for source in project::files(&root.join("tests/corpus").join(folder), ending) {
                let name = project::stem(&source);
                for clang in [Clang::V22, Clang::V19, Clang::V14] {
                    let tool = match folder {
                        "openmp" => Tool::OpenMp(clang),
                        _ => Tool::Host(clang),
                    };
                    add(tool, &source, &name, &LEVELS)?;
                }
            }
        }
    }
    for source in project::files(&root.join("tests/corpus/fortran"), "f90") {
        add(
            Tool::Flang,
            &source,
            &project::stem(&source),
            &FORTRAN_LEVELS,
        )?;
    }
    let rust = root.join("tests/corpus/rust/src/lib.rs");
    add(Tool::Rustc, &rust, "corpus", &PROFILES)?;
    let triton = root.join("tests/corpus/triton/kernels.py");
    add(Tool::Triton, &triton, "kernels", &CHIPS)?;
    let numba = root.join("tests/corpus/numba/kernels.py");
    add(Tool::Numba, &numba, "kernels", &ONLY)?;
    add(Tool::NumbaTyped, &numba, "kernels", &ONLY)?;
    jobs.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(jobs)
}

/// The pairs of producer and source that do not go together.
fn not_made() -> Outcome<HashSet<(String, String)>> {
    let text = project::read(&project::root().join("tests/corpus/ll_not_made.tsv"))?;
    let pair = |line: &str| {
        let mut cells = line.split('\t').map(str::to_string);
        Some((cells.next()?, cells.next()?))
    };
    Ok(text.lines().skip(1).filter_map(pair).collect())
}
