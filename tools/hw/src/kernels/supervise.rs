//! Cases in child processes: one that faults, breaks down or hangs costs its own answer and no more.
//!
//! A child takes cases of one file, in order, and appends a line for each. When it ends early, the
//! case it was at has failed, and another child goes on after it.

use super::record::Ran;
use super::run::{self, OnGpu};
use super::{File, Suite};
use crate::assembled;
use crate::on_gpu::watch;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use warpc_sim::Options;

/// A child that says nothing for so long hangs.
const PATIENCE: Duration = Duration::from_secs(40);

/// Where cases run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Where {
    /// On the GPU, so many times.
    Gpu {
        /// Launches of each case.
        repeats: usize,
    },
    /// On the emulator, with this seed and so many host threads.
    Sim {
        /// Which interleaving.
        seed: u64,
        /// Host threads.
        jobs: usize,
    },
}

/// What a child does: runs the cases with these numbers and appends a line for each.
pub fn work(file: &File, cases: &[usize], place: Where, out: &Path) -> Result<(), String> {
    let failed = |e: std::io::Error| format!("cannot write {}: {e}", out.display());
    let mut lines = fs::File::create(out).map_err(failed)?;
    let mut write = |ran: Ran| writeln!(lines, "{}", ran.line()).map_err(failed);
    match place {
        Where::Gpu { repeats } => {
            let gpu = OnGpu::new(file, repeats)?;
            for &case in cases {
                write(gpu.run(&file.cases[case])?)?;
            }
        }
        Where::Sim { seed, jobs } => {
            let module = file.module()?;
            for &case in cases {
                let options = Options {
                    seed,
                    jobs,
                    ..Options::default()
                };
                write(run::on_sim(&module, &file.cases[case], options))?;
            }
        }
    }
    Ok(())
}

/// A run over a suite.
pub struct Run<'a> {
    /// The suite.
    pub suite: &'a Suite,
    /// How children are told which suite it is.
    pub origin: &'a [String],
    /// Child processes at a time.
    pub jobs: usize,
    /// Where children write.
    pub dir: &'a Path,
    /// When to stop.
    pub deadline: Instant,
}

impl Run<'_> {
    /// What each case of each file left.
    pub fn run(&self, place: Where) -> Result<Vec<Vec<Ran>>, String> {
        let results: Mutex<Vec<Vec<Ran>>> = Mutex::new(vec![Vec::new(); self.suite.files.len()]);
        let next = AtomicUsize::new(0);
        let worker = |job: usize| -> Result<(), String> {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(file) = self.suite.files.get(number) else {
                    return Ok(());
                };
                let ran = self.file(job, number, file, place)?;
                results.lock().expect("no thread breaks down")[number] = ran;
            }
        };
        std::thread::scope(|scope| {
            let worker = &worker;
            let threads: Vec<_> = (0..self.jobs)
                .map(|job| scope.spawn(move || worker(job)))
                .collect();
            let broken = |_| "a thread broke down".to_string();
            let joined = threads.into_iter().map(|t| t.join().map_err(broken)?);
            joined.collect::<Result<(), String>>()
        })?;
        Ok(results.into_inner().expect("no thread breaks down"))
    }

    /// All cases of a file.
    fn file(
        &self,
        job: usize,
        number: usize,
        file: &File,
        place: Where,
    ) -> Result<Vec<Ran>, String> {
        let mut all: Vec<Ran> = Vec::new();
        // What the driver prints for a kernel goes to the child's output: one case a child.
        let alone = matches!(place, Where::Gpu { .. }) && file.prints();
        while all.len() < file.cases.len() {
            if Instant::now() >= self.deadline {
                all.push(Ran::failed("there was no time left".into()));
                continue;
            }
            let end = if alone {
                all.len() + 1
            } else {
                file.cases.len()
            };
            let (mut found, output, problem) = self.child(job, number, all.len()..end, place)?;
            if let (true, [ran]) = (alone, found.as_mut_slice()) {
                ran.output = output;
            }
            all.append(&mut found);
            if let Some(problem) = problem
                && all.len() < end
            {
                // What is not assembled will not be for the next case.
                let rest = match problem.contains(assembled::REFUSED) {
                    true => file.cases.len() - all.len(),
                    false => 1,
                };
                all.extend(vec![Ran::failed(problem); rest]);
            }
        }
        Ok(all)
    }

    /// Runs cases in a child; gives what it wrote, what was printed, and why it did not do all.
    fn child(
        &self,
        job: usize,
        file: usize,
        cases: std::ops::Range<usize>,
        place: Where,
    ) -> Result<(Vec<Ran>, String, Option<String>), String> {
        let name = |ending: &str| -> PathBuf { self.dir.join(format!("kernels{job}.{ending}")) };
        let (lines, printed, log) = (name("lines"), name("printed"), name("log"));
        let failed = |e: std::io::Error| format!("cannot start a child: {e}");
        let create = |path: &Path| fs::File::create(path).map_err(failed);
        create(&lines)?;
        let program = std::env::current_exe().map_err(failed)?;
        let mut command = Command::new(program);
        command
            .arg("work-kernels")
            .args(self.origin)
            .arg("--file")
            .arg(file.to_string())
            .arg("--from")
            .arg(cases.start.to_string())
            .arg("--to")
            .arg(cases.end.to_string())
            .arg("--lines")
            .arg(&lines);
        match place {
            Where::Sim { seed, jobs } => {
                command.arg("--seed").arg(seed.to_string());
                command.arg("--host-threads").arg(jobs.to_string());
            }
            Where::Gpu { repeats } => {
                command.arg("--repeats").arg(repeats.to_string());
            }
        }
        let child = command
            .stdin(Stdio::null())
            .stdout(create(&printed)?)
            .stderr(create(&log)?)
            .spawn()
            .map_err(failed)?;
        let problem = watch(child, &lines, PATIENCE, self.deadline).map_err(failed)?;
        let read = |path: &Path| fs::read(path).unwrap_or_default();
        let text = String::from_utf8_lossy(&read(&lines)).into_owned();
        // A child that was ended may have left half a line.
        let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
        let ran = whole.lines().map_while(Ran::parse).collect();
        let output = String::from_utf8_lossy(&read(&printed)).into_owned();
        let said = String::from_utf8_lossy(&read(&log)).into_owned();
        for path in [&lines, &printed, &log] {
            fs::remove_file(path).ok();
        }
        let problem = problem.map(|problem| format!("{problem}: {}", said.trim()));
        Ok((ran, output, problem))
    }
}
