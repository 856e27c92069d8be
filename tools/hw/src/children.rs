//! Numbered items in child processes: one that faults, breaks down or hangs costs its own answer and no
//! more.
//!
//! ```text
//!   run ──► one thread a worker ──► child: items from..to, a line for each, in order
//!                 └── a child that ends early: the item it was at has failed; another goes on after it
//! ```

use crate::on_gpu::watch;
use clap::Args;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The line of an item, or why there is none.
pub type Line = Result<String, String>;

/// Where a suite writes, and how much it may take.
#[derive(Args, Clone, Debug)]
pub struct Frame {
    /// Where the files go
    #[arg(long)]
    pub out: PathBuf,
    /// Processes at a time; each suite has a number of its own
    #[arg(long)]
    jobs: Option<usize>,
    /// Stop after so many minutes; what was not run then has no answer
    #[arg(long)]
    minutes: Option<u64>,
}

/// What a suite takes where nothing is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Usual {
    /// Processes at a time.
    pub jobs: usize,
    /// Minutes in all.
    pub minutes: u64,
    /// A child that says nothing for so long hangs.
    pub patience: Duration,
}

impl Frame {
    /// How many processes run at a time.
    pub fn jobs(&self, usual: &Usual) -> usize {
        self.jobs.unwrap_or(usual.jobs).max(1)
    }

    /// The line of each item, or why there is none. The suite began at `start`.
    pub fn run(
        &self,
        usual: &Usual,
        start: Instant,
        task: &[String],
        items: usize,
        share: usize,
    ) -> Result<Vec<Line>, String> {
        let minutes = self.minutes.unwrap_or(usual.minutes);
        Children {
            task,
            items,
            share,
            jobs: self.jobs(usual),
            dir: &self.out,
            patience: usual.patience,
            deadline: start + Duration::from_secs(60 * minutes),
        }
        .run()
    }
}

/// The items that a child is for.
#[derive(Args, Clone, Debug)]
pub struct Part {
    #[arg(long)]
    from: usize,
    #[arg(long)]
    to: usize,
    /// Where it writes a line for each
    #[arg(long)]
    pub lines: PathBuf,
}

impl Part {
    /// Its items of all.
    pub fn of<'i, T>(&self, items: &'i [T]) -> Result<&'i [T], String> {
        let found = items.get(self.from..self.to);
        found.ok_or_else(|| format!("there are no items {} to {}", self.from, self.to))
    }
}

/// How items are run.
pub struct Children<'a> {
    /// The arguments that tell a child what it is for; `--from`, `--to` and `--lines` follow.
    pub task: &'a [String],
    /// How many items there are.
    pub items: usize,
    /// Items of one child, unless it ends early.
    pub share: usize,
    /// Child processes at a time.
    pub jobs: usize,
    /// Where children write.
    pub dir: &'a Path,
    /// A child that says nothing for so long hangs.
    pub patience: Duration,
    /// When to stop.
    pub deadline: Instant,
}

impl Children<'_> {
    /// The line of each item, or why there is none.
    pub fn run(&self) -> Result<Vec<Line>, String> {
        let next = AtomicUsize::new(0);
        let worker = |job: usize| -> Result<Vec<(usize, Line)>, String> {
            let mut found = Vec::new();
            loop {
                let from = next.fetch_add(self.share, Ordering::Relaxed);
                if from >= self.items {
                    return Ok(found);
                }
                let to = (from + self.share).min(self.items);
                found.extend((from..to).zip(self.items(job, from, to)?));
            }
        };
        let parts: Result<Vec<_>, String> = std::thread::scope(|scope| {
            let worker = &worker;
            let threads: Vec<_> = (0..self.jobs.max(1))
                .map(|job| scope.spawn(move || worker(job)))
                .collect();
            let broken = |_| "a thread broke down".to_string();
            let joined = threads.into_iter().map(|t| t.join().map_err(broken)?);
            joined.collect()
        });
        let mut all: Vec<_> = parts?.into_iter().flatten().collect();
        all.sort_by_key(|(number, _)| *number);
        Ok(all.into_iter().map(|(_, line)| line).collect())
    }

    /// The lines of some items in a row.
    fn items(&self, job: usize, from: usize, to: usize) -> Result<Vec<Line>, String> {
        let mut lines = Vec::new();
        while from + lines.len() < to {
            if Instant::now() >= self.deadline {
                lines.push(Err("there was no time left".into()));
                continue;
            }
            let (found, problem) = self.child(job, from + lines.len(), to)?;
            lines.extend(found.into_iter().map(Ok));
            if from + lines.len() < to {
                let problem = problem.unwrap_or_else(|| "the child said nothing".into());
                lines.push(Err(problem.replace(['\n', '\t'], " ")));
            }
        }
        Ok(lines)
    }

    /// Whole lines that a child wrote, and why it did not write all.
    fn child(
        &self,
        job: usize,
        from: usize,
        to: usize,
    ) -> Result<(Vec<String>, Option<String>), String> {
        let failed = |e: std::io::Error| format!("cannot start a child: {e}");
        let file = self.dir.join(format!("job{job}.lines"));
        let log = self.dir.join(format!("job{job}.log"));
        fs::File::create(&file).map_err(failed)?;
        let errors = fs::File::create(&log).map_err(failed)?;
        let child = Command::new(std::env::current_exe().map_err(failed)?)
            .args(self.task)
            .args(["--from", &from.to_string(), "--to", &to.to_string()])
            .arg("--lines")
            .arg(&file)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(errors)
            .spawn()
            .map_err(failed)?;
        let problem = watch(child, &file, self.patience, self.deadline).map_err(failed)?;
        let text = fs::read_to_string(&file).map_err(failed)?;
        // A child that was ended may have left half a line.
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        let lines = whole.lines().take(to - from).map(str::to_string).collect();
        let said = fs::read_to_string(&log).unwrap_or_default();
        let problem = problem.map(|problem| format!("{problem}: {}", said.trim()));
        [file, log].iter().for_each(|path| {
            fs::remove_file(path).ok();
        });
        Ok((lines, problem))
    }
}
