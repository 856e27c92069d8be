//! Several builds of the same kernels on the GPU: how long each takes beside the first.
//!
//! A build is a folder and who assembles it: `DIR`, `DIR@warpc,without=opt_gvn`, `DIR@cubins=OTHER` (the launches of `DIR/NAME.ptx`
//! with the code of `OTHER/NAME.cubin`), `DIR@cubins` (the cubins are beside the PTX). Each file has a child process, in which all
//! builds take turns ([`super::bench_child`]); where one faults and takes the process with it, the builds are run alone.

use super::record::Ran;
use super::{Suite, report};
use crate::assembled::Assembler;
use crate::on_gpu::watch;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Shorter launches say more about the start of a kernel than about its code.
const LONG: f64 = 10e-6;

/// A child that says nothing for so long hangs.
const PATIENCE: Duration = Duration::from_secs(40);

/// A build that takes part: where its modules and launches are, and who makes code of them.
pub struct Contender {
    /// Where the modules are.
    folder: PathBuf,
    /// Who makes code of them.
    pub assembler: Assembler,
}

impl Contender {
    /// Reads `DIR`, `DIR@cubins` or `DIR@ASSEMBLER`.
    pub fn parse(text: &str) -> Result<Contender, String> {
        let (folder, assembler) = text.split_once('@').unwrap_or((text, ""));
        let folder = PathBuf::from(folder);
        let assembler = match assembler {
            "cubins" => Assembler::Cubins(folder.clone()),
            other => Assembler::parse(other).map_err(|why| format!("{text}: {why}"))?,
        };
        Ok(Contender { folder, assembler })
    }

    /// Its modules, with the launches for results.
    pub fn small_suite(&self) -> Result<Suite, String> {
        Suite::read(&self.folder)
    }

    /// Its modules, with the launches that are to be timed.
    pub fn suite(&self) -> Result<Suite, String> {
        Suite::read_timed(&self.folder)
    }
}

/// A build: its name, and its launches by file and flags.
pub struct Build {
    /// The name.
    pub name: String,
    /// The launches.
    pub cases: BTreeMap<(String, String), Ran>,
}

/// How builds are timed.
pub struct Timing<'a> {
    /// Only launches whose file or flags contain this.
    pub only: Option<&'a str>,
    /// Launches of each case in a row.
    pub repeats: usize,
    /// How often all builds take turns.
    pub rounds: usize,
    /// Where children write.
    pub out: &'a Path,
    /// When to stop.
    pub deadline: Instant,
}

impl Timing<'_> {
    /// Runs all builds.
    pub fn run(&self, builds: &[String]) -> Result<Vec<Build>, String> {
        let contenders = builds.iter().map(|name| Contender::parse(name));
        let contenders = contenders.collect::<Result<Vec<_>, _>>()?;
        let first = contenders.first().ok_or("there is no build")?;
        let mut all: Vec<Build> = Vec::new();
        all.extend(builds.iter().map(|name| Build {
            name: name.clone(),
            cases: BTreeMap::new(),
        }));
        for file in first.suite()?.files {
            let is_meant = |text: &str| {
                let only = self.only.unwrap_or_default();
                file.name.contains(only) || text.contains(only)
            };
            let numbers = (0..file.cases.len()).filter(|n| is_meant(&file.cases[*n].text));
            let numbers: Vec<usize> = numbers.collect();
            let ran = self.file(builds, &file.name, &numbers)?;
            for (number, ran) in numbers.iter().zip(ran) {
                let case = (file.name.clone(), file.cases[*number].text.clone());
                for (build, ran) in all.iter_mut().zip(ran) {
                    build.cases.insert(case.clone(), ran);
                }
            }
        }
        Ok(all)
    }

    /// What the builds left of each case of a file.
    fn file(
        &self,
        builds: &[String],
        file: &str,
        numbers: &[usize],
    ) -> Result<Vec<Vec<Ran>>, String> {
        let mut all: Vec<Vec<Ran>> = Vec::new();
        while all.len() < numbers.len() {
            if Instant::now() >= self.deadline {
                all.push(vec![
                    Ran::failed("there was no time left".into());
                    builds.len()
                ]);
                continue;
            }
            let (found, problem) = self.child(builds, file, &numbers[all.len()..])?;
            all.extend(found);
            if problem.is_none() || all.len() == numbers.len() {
                continue;
            }
            // One of the builds took the process with it: which one shows when each is alone.
            let number = &numbers[all.len()..][..1];
            let mut alone = Vec::new();
            for build in builds {
                let (found, problem) = self.child(std::slice::from_ref(build), file, number)?;
                let ran = found.into_iter().flatten().next();
                let why = problem.unwrap_or_default();
                alone.push(ran.unwrap_or_else(|| Ran::failed(why)));
            }
            all.push(alone);
        }
        Ok(all)
    }

    /// Runs cases in a child; gives those that are complete, and why it did not do all.
    fn child(
        &self,
        builds: &[String],
        file: &str,
        numbers: &[usize],
    ) -> Result<(Vec<Vec<Ran>>, Option<String>), String> {
        let failed = |e: std::io::Error| format!("cannot start a child: {e}");
        let lines = self.out.join("bench.lines");
        let log = self.out.join("bench.log");
        fs::File::create(&lines).map_err(failed)?;
        let program = std::env::current_exe().map_err(failed)?;
        let mut command = Command::new(program);
        command.arg("work-bench").arg("--file").arg(file);
        for build in builds {
            command.arg("--build").arg(build);
        }
        let numbers: Vec<String> = numbers.iter().map(usize::to_string).collect();
        command
            .arg("--cases")
            .arg(numbers.join(","))
            .arg("--rounds")
            .arg(self.rounds.to_string())
            .arg("--repeats")
            .arg(self.repeats.to_string())
            .arg("--lines")
            .arg(&lines);
        let child = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(fs::File::create(&log).map_err(failed)?)
            .spawn()
            .map_err(failed)?;
        let problem = watch(child, &lines, PATIENCE, self.deadline).map_err(failed)?;
        let read = |path: &Path| fs::read(path).unwrap_or_default();
        let text = String::from_utf8_lossy(&read(&lines)).into_owned();
        // A child that was ended may have left half a line.
        let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
        let ran: Vec<Ran> = whole.lines().map_while(Ran::parse).collect();
        let cases = ran.chunks_exact(builds.len()).map(<[Ran]>::to_vec);
        let said = String::from_utf8_lossy(&read(&log)).into_owned();
        for path in [&lines, &log] {
            fs::remove_file(path).ok();
        }
        // A child that ends well without all of its lines is a mistake of ours, and must not be called again and again.
        let problem = problem.map(|problem| format!("{problem}: {}", said.trim()));
        let cases: Vec<Vec<Ran>> = cases.collect();
        let is_short = cases.len() < numbers.len();
        let problem = problem.or(is_short.then(|| "the child left no answer".to_owned()));
        Ok((cases, problem))
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

/// Every launch by every build: microseconds, those of the first build's for one, and what is different from the first.
pub fn table(builds: &[Build]) -> String {
    let mut out = String::from("file\tkernel\tcase\tbuild\tus\tratio\tdifferences\n");
    let Some(first) = builds.first() else {
        return out;
    };
    for (case, before) in &first.cases {
        for build in builds {
            let Some(ran) = build.cases.get(case) else {
                continue;
            };
            let (file, flags) = case;
            let (kernel, name) = (kernel_of(flags), &build.name);
            let (us, ratio) = (ran.seconds * 1e6, ran.seconds / before.seconds);
            let differs = beside(before, ran).err().unwrap_or_default();
            let differs = differs.replace(['\n', '\t'], " ");
            let _ = writeln!(
                out,
                "{file}\t{kernel}\t{flags}\t{name}\t{us:.2}\t{ratio:.4}\t{differs}"
            );
        }
    }
    out
}

/// A line for each launch: microseconds of the first build, and what the others take for each of these.
pub fn ratios(builds: &[Build]) -> String {
    let mut out = String::new();
    let Some((first, others)) = builds.split_first() else {
        return out;
    };
    for (case, before) in &first.cases {
        let (file, flags) = case;
        let name = format!("{file} {}", kernel_of(flags));
        let _ = write!(out, "{:10.2} us  {name:40}", before.seconds * 1e6);
        for build in others {
            let ran = build.cases.get(case);
            match ran.map(|ran| beside(before, ran)) {
                Some(Ok((a, b))) if a > 0.0 => {
                    let _ = write!(out, " {:7.3}", b / a);
                }
                Some(Err(_)) => out.push_str("  differs"),
                _ => out.push_str("       -"),
            }
        }
        out.push('\n');
    }
    out
}

/// The kernel that flags name.
pub(super) fn kernel_of(flags: &str) -> &str {
    let mut words = flags.split_whitespace();
    words.find(|word| *word == "--kernel");
    words.next().unwrap_or("-")
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
            table(&builds).contains("k\t-\t--grid 1\tours\t40.00\t2.0000\t\n"),
            "{}",
            table(&builds)
        );
        assert!(
            table(&builds).contains("k\t-\t--grid 1\twrong\t10.00\t0.5000\tbuffer 0"),
            "{}",
            table(&builds)
        );
        assert!(
            ratios(&builds).ends_with("   2.000  differs\n"),
            "{}",
            ratios(&builds)
        );
        assert_eq!(kernel_of("--grid 1 --kernel f --block 2"), "f");
    }
}
