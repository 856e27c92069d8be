//! Several builds of the same kernels on the GPU: how long each takes beside the first.

use super::record::Ran;
use super::report;
use super::supervise::{Run, Where};
use super::task::Origin;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Shorter launches say more about the start of a kernel than about its code.
const LONG: f64 = 10e-6;

/// A build: its folder's name, and its launches by file and flags.
pub struct Build {
    /// The name.
    pub name: String,
    /// The launches.
    pub cases: BTreeMap<(String, String), Ran>,
}

impl Build {
    /// Takes another round of the same launches in: the faster one counts, and one that failed or left
    /// something else stays.
    fn merge(&mut self, other: Build) {
        for (case, ran) in other.cases {
            match self.cases.get_mut(&case) {
                Some(before) if before.outcome.is_err() => {}
                Some(before) if before.outcome == ran.outcome => {
                    before.seconds = before.seconds.min(ran.seconds);
                }
                Some(before) if ran.outcome.is_err() => *before = ran,
                Some(before) => *before = Ran::failed("another round gives other results".into()),
                None => {
                    self.cases.insert(case, ran);
                }
            }
        }
    }
}

/// How builds are timed.
pub struct Timing<'a> {
    /// Only launches whose file or flags contain this.
    pub only: Option<&'a str>,
    /// Launches of each case in a row.
    pub repeats: usize,
    /// How often all builds are run in turn, so that what the machine does meanwhile meets all of them.
    pub rounds: usize,
    /// Where children write.
    pub out: &'a Path,
    /// When to stop.
    pub deadline: Instant,
}

impl Timing<'_> {
    /// Runs all builds, one launch at a time.
    pub fn run(&self, dirs: &[PathBuf]) -> Result<Vec<Build>, String> {
        let mut builds = Vec::new();
        for dir in dirs {
            builds.push(self.build(dir)?);
        }
        for _ in 1..self.rounds {
            for (dir, build) in dirs.iter().zip(&mut builds) {
                let round = self.build(dir)?;
                // A round that time cut short says nothing of the launches.
                if Instant::now() < self.deadline {
                    build.merge(round);
                }
            }
        }
        Ok(builds)
    }

    /// Runs a build: a folder, or with `@` and a name one that this assembler assembles ([`crate::assembled`]).
    fn build(&self, dir: &Path) -> Result<Build, String> {
        let text = dir.to_string_lossy();
        let (folder, assembler) = match text.split_once('@') {
            Some((folder, assembler)) => (PathBuf::from(folder), Some(assembler.to_owned())),
            None => (dir.to_path_buf(), None),
        };
        let origin = Origin {
            dir: Some(folder),
            only: self.only.map(str::to_string),
        };
        let suite = origin.suite()?;
        let words = origin.words();
        let run = Run {
            suite: &suite,
            origin: &words,
            jobs: 1,
            dir: self.out,
            deadline: self.deadline,
            assembler: assembler.as_deref(),
        };
        let ran = run.run(Where::Gpu {
            repeats: self.repeats,
        })?;
        let mut cases = BTreeMap::new();
        for (file, ran) in suite.files.iter().zip(ran) {
            for (case, ran) in file.cases.iter().zip(ran) {
                cases.insert((file.name.clone(), case.text.clone()), ran);
            }
        }
        let name = dir.file_name().unwrap_or_default();
        Ok(Build {
            name: name.to_string_lossy().into_owned(),
            cases,
        })
    }
}

/// Whether two launches left the same, and the seconds of both.
fn beside(first: &Ran, other: &Ran) -> Result<(f64, f64), String> {
    match report::difference(first, other) {
        None => Ok((first.seconds, other.seconds)),
        Some(text) => Err(text),
    }
}

/// For each build beside the first: how many launches leave the same, and the geometric means of the times.
pub fn summary(builds: &[Build]) -> String {
    let mut out = String::new();
    let Some((first, others)) = builds.split_first() else {
        return out;
    };
    for build in others {
        let (mut equal, mut all) = (0, 0);
        let (mut sums, mut counts) = ([0.0; 2], [0usize; 2]);
        for (case, ran) in &build.cases {
            let Some(before) = first.cases.get(case) else {
                continue;
            };
            all += 1;
            let Ok((a, b)) = beside(before, ran) else {
                continue;
            };
            equal += 1;
            if a <= 0.0 || b <= 0.0 {
                continue;
            }
            for (i, counted) in [true, a >= LONG].into_iter().enumerate() {
                if counted {
                    sums[i] += (b / a).ln();
                    counts[i] += 1;
                }
            }
        }
        let mean = |i: usize| (sums[i] / counts[i].max(1) as f64).exp();
        let _ = writeln!(
            out,
            "{} beside {}: {equal} of {all} launches leave the same; time {:.3} in the geometric mean, \
             {:.3} of the {} launches over {:.0} us",
            build.name,
            first.name,
            mean(0),
            mean(1),
            counts[1],
            LONG * 1e6
        );
    }
    out
}

/// Every launch: microseconds of each build, and what is different from the first.
pub fn table(builds: &[Build]) -> String {
    let names: Vec<String> = builds
        .iter()
        .map(|build| format!("{} us", build.name))
        .collect();
    let mut out = format!("file\tcase\t{}\tdifferences\n", names.join("\t"));
    let Some(first) = builds.first() else {
        return out;
    };
    for (case, before) in &first.cases {
        let _ = write!(out, "{}\t{}", case.0, case.1);
        let mut differences = Vec::new();
        for build in builds {
            match build.cases.get(case) {
                None => out.push_str("\t-"),
                Some(ran) => {
                    let _ = write!(out, "\t{:.2}", ran.seconds * 1e6);
                    if let Err(text) = beside(before, ran) {
                        differences.push(format!(
                            "{}: {}",
                            build.name,
                            text.replace(['\n', '\t'], " ")
                        ));
                    }
                }
            }
        }
        let _ = writeln!(out, "\t{}", differences.join("; "));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::record::Seen;
    use super::*;

    fn build(name: &str, byte: u8, seconds: f64) -> Build {
        Build {
            name: name.into(),
            cases: [(
                ("k".to_string(), "--grid 1".to_string()),
                Ran {
                    outcome: Ok(vec![Seen::of(&[byte])]),
                    output: String::new(),
                    seconds,
                },
            )]
            .into(),
        }
    }

    #[test]
    fn rounds_keep_the_faster_time_and_any_failure() {
        let seconds = |build: &Build| build.cases.values().map(|ran| ran.seconds).sum::<f64>();
        let mut all = build("ours", 1, 4e-5);
        all.merge(build("ours", 1, 3e-5));
        all.merge(build("ours", 1, 5e-5));
        assert_eq!(seconds(&all), 3e-5);
        all.merge(build("ours", 2, 1e-5));
        assert!(all.cases.values().all(|ran| ran.outcome.is_err()));
        all.merge(build("ours", 1, 1e-5));
        assert!(all.cases.values().all(|ran| ran.outcome.is_err()));
    }

    #[test]
    fn builds_are_compared_with_the_first() {
        let builds = [
            build("nvcc", 1, 2e-5),
            build("ours", 1, 4e-5),
            build("wrong", 2, 1e-5),
        ];
        let text = summary(&builds);
        assert!(
            text.contains("ours beside nvcc: 1 of 1 launches leave the same; time 2.000"),
            "{text}"
        );
        assert!(text.contains("wrong beside nvcc: 0 of 1"), "{text}");
        assert!(
            table(&builds).contains("k\t--grid 1\t20.00\t40.00\t10.00\twrong: buffer 0"),
            "{}",
            table(&builds)
        );
    }
}
