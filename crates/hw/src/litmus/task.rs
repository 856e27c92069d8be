//! `warpc-hw litmus`: all tests in child processes, a table and a summary.

use super::run::{Group, Machine, Ran, run};
use super::shape::SHAPES;
use super::style::{RANGES, STYLES, Style};
use super::terrain::Size;
use crate::children::Children;
use clap::Args;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A child that says nothing for so long hangs.
const PATIENCE: Duration = Duration::from_secs(120);
/// Outcomes of a test that the table shows.
const SHOWN: usize = 6;

/// On the GPU all blocks are there at once.
pub const ON_GPU: Size = Size {
    blocks: 1024,
    threads: 256,
    cluster: 8,
};
/// The emulator is given less.
pub const ON_SIM: Size = Size {
    blocks: 8,
    threads: 128,
    cluster: 4,
};

/// What to run.
#[derive(Args, Clone, Debug)]
pub struct Choice {
    /// Only shapes and ranges whose names, such as `MP gpu`, contain this
    #[arg(long, default_value = "")]
    only: String,
    /// Run on the emulator instead of the GPU, in the interleaving of this number
    #[arg(long, value_name = "SEED")]
    sim: Option<u64>,
    /// Millions of instances of each test; on the emulator thousands
    #[arg(long, default_value_t = 12)]
    millions: usize,
    /// Where instances lie and what goes on around follows from this
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

/// The suite, on one machine.
#[derive(Args, Clone, Debug)]
pub struct Task {
    #[command(flatten)]
    choice: Choice,
    /// Where the files go
    #[arg(long)]
    out: PathBuf,
    /// Processes at a time: what one runs on the GPU waits for the others
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Stop after so many minutes; what was not run then has no answer
    #[arg(long, default_value_t = 6)]
    minutes: u64,
}

/// Part of the suite, in a child.
#[derive(Args, Clone, Debug)]
pub struct Work {
    #[command(flatten)]
    choice: Choice,
    #[arg(long)]
    from: usize,
    #[arg(long)]
    to: usize,
    #[arg(long)]
    lines: PathBuf,
}

impl Choice {
    fn groups(&self) -> Vec<Group> {
        let all = RANGES
            .iter()
            .flat_map(|&range| SHAPES.map(|shape| Group { shape, range }));
        all.filter(|group| group_name(group).contains(&self.only))
            .collect()
    }

    fn arguments(&self) -> Vec<String> {
        let mut list = vec!["work-litmus".to_string()];
        list.extend(["--only".into(), self.only.clone()]);
        list.extend(["--millions".into(), self.millions.to_string()]);
        list.extend(["--seed".into(), self.seed.to_string()]);
        if let Some(seed) = self.sim {
            list.extend(["--sim".into(), seed.to_string()]);
        }
        list
    }
}

fn group_name(group: &Group) -> String {
    format!("{} {}", group.shape.name, group.range.name)
}

impl Work {
    /// Runs the groups and appends a line for each.
    pub fn run(&self) -> Result<(), String> {
        let groups = self.choice.groups();
        let groups = groups
            .get(self.from..self.to)
            .ok_or("there are no such groups")?;
        let (machine, size, wanted) = match self.choice.sim {
            Some(seed) => (Machine::Sim { seed }, ON_SIM, 1_000 * self.choice.millions),
            None => (
                Machine::gpu(ON_GPU)?,
                ON_GPU,
                1_000_000 * self.choice.millions,
            ),
        };
        let launches = wanted.div_ceil(size.instances() as usize);
        let failed = |e: std::io::Error| format!("cannot write {}: {e}", self.lines.display());
        let mut lines = fs::File::create(&self.lines).map_err(failed)?;
        for group in groups {
            let all = run(group, &machine, size, launches, self.choice.seed)?;
            let fields: Vec<String> = all.iter().map(counts_text).collect();
            writeln!(lines, "{}", fields.join("\t")).map_err(failed)?;
        }
        Ok(())
    }
}

/// Outcomes with their counts: `17:5 0:9`.
fn counts_text(ran: &Ran) -> String {
    let seen = ran
        .counts
        .iter()
        .enumerate()
        .filter(|(_, count)| **count > 0);
    let seen: Vec<String> = seen.map(|(i, count)| format!("{i}:{count}")).collect();
    seen.join(" ")
}

fn counts_of(text: &str) -> Vec<(usize, u64)> {
    let pairs = text.split(' ').filter_map(|pair| pair.split_once(':'));
    pairs
        .filter_map(|(outcome, count)| Some((outcome.parse().ok()?, count.parse().ok()?)))
        .collect()
}

impl Task {
    /// Runs everything; the error says that a forbidden outcome was seen, or that something was not run.
    pub fn run(&self) -> Result<(), String> {
        let start = Instant::now();
        fs::create_dir_all(&self.out).map_err(|e| e.to_string())?;
        let device = match self.choice.sim {
            Some(seed) => format!("the emulator, interleaving {seed}"),
            None => crate::on_gpu::device().map_err(|e| e.to_string())?,
        };
        let groups = self.choice.groups();
        let lines = Children {
            task: &self.choice.arguments(),
            items: groups.len(),
            share: 2,
            jobs: self.jobs,
            dir: &self.out,
            patience: PATIENCE,
            deadline: start + Duration::from_secs(60 * self.minutes),
        }
        .run()?;
        let mut rows = Vec::new();
        let mut lost = Vec::new();
        for (group, line) in groups.iter().zip(&lines) {
            match line {
                Ok(line) => rows.extend(
                    STYLES
                        .iter()
                        .zip(line.split('\t'))
                        .map(|(style, text)| Row::new(group, style, &counts_of(text))),
                ),
                Err(problem) => lost.push(format!("{}: {problem}", group_name(group))),
            }
        }
        write(&self.out.join("litmus.tsv"), &table(&device, &rows))?;
        let summary = summary(&device, &rows, &lost);
        println!("{summary}\n{:.0} s", start.elapsed().as_secs_f64());
        write(&self.out.join("litmus-summary.txt"), &summary)?;
        let broken = rows.iter().filter(|row| row.forbidden && row.weak > 0);
        match (broken.count(), lost.len()) {
            (0, 0) => Ok(()),
            (broken, lost) => Err(format!(
                "{broken} tests showed a forbidden outcome, {lost} groups were not run"
            )),
        }
    }
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|e| format!("cannot write {}: {e}", path.display()))
}

/// A test in the table.
struct Row {
    shape: &'static str,
    range: &'static str,
    style: &'static str,
    covers: bool,
    forbidden: bool,
    instances: u64,
    weak: u64,
    outcomes: String,
}

impl Row {
    fn new(group: &Group, style: &Style, counts: &[(usize, u64)]) -> Row {
        let shape = &group.shape;
        let weak = counts.iter().filter(|(outcome, _)| shape.is_weak(*outcome));
        let mut often = counts.to_vec();
        often.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let shown: Vec<String> = often
            .iter()
            .take(SHOWN)
            .map(|(outcome, count)| format!("{}: {count}", shape.outcome_text(*outcome)))
            .collect();
        Row {
            shape: shape.name,
            range: group.range.name,
            style: style.name,
            covers: group.range.covers,
            forbidden: group.forbids(style),
            instances: counts.iter().map(|(_, count)| count).sum(),
            weak: weak.map(|(_, count)| count).sum(),
            outcomes: shown.join("; "),
        }
    }
}

fn table(device: &str, rows: &[Row]) -> String {
    let mut out =
        format!("# {device}\nshape\trange\tstyle\tweak outcome is\tinstances\tweak\toutcomes\n");
    for row in rows {
        let _ = writeln!(
            out,
            "{}\t{}\t{}\t{}\t{}\t{}\t{}",
            row.shape,
            row.range,
            row.style,
            if row.forbidden {
                "forbidden"
            } else {
                "allowed"
            },
            row.instances,
            row.weak,
            row.outcomes
        );
    }
    out
}

/// Counts, what was broken, and where weak outcomes were seen.
fn summary(device: &str, rows: &[Row], lost: &[String]) -> String {
    let forbidden: Vec<&Row> = rows.iter().filter(|row| row.forbidden).collect();
    let allowed: Vec<&Row> = rows.iter().filter(|row| !row.forbidden).collect();
    let sum = |rows: &[&Row]| rows.iter().map(|row| row.instances).sum::<u64>();
    let fewest = rows.iter().map(|row| row.instances).min().unwrap_or(0);
    let seen = allowed.iter().filter(|row| row.weak > 0).count();
    let mut out = format!(
        "{device}: {} tests, at least {fewest} instances each\n\
         weak outcome forbidden: {} tests, {} instances, {} times seen\n\
         weak outcome allowed: {} tests, {} instances, seen in {seen} of them",
        rows.len(),
        forbidden.len(),
        sum(&forbidden),
        forbidden.iter().map(|row| row.weak).sum::<u64>(),
        allowed.len(),
        sum(&allowed),
    );
    for row in forbidden.iter().filter(|row| row.weak > 0) {
        let _ = write!(
            out,
            "\n  FORBIDDEN: {} {} {}: {} of {}: {}",
            row.shape, row.range, row.style, row.weak, row.instances, row.outcomes
        );
    }
    for text in lost {
        let _ = write!(out, "\n  NOT RUN: {text}");
    }
    // Weak outcomes of each shape and range: the controls.
    for group in rows.chunk_by(|a, b| (a.shape, a.range) == (b.shape, b.range)) {
        let shown: Vec<String> = group
            .iter()
            .filter(|row| !row.forbidden && row.weak > 0)
            .map(|row| format!("{} {}", row.style, row.weak))
            .collect();
        if let Some(first) = group.first()
            && group.iter().any(|row| !row.forbidden)
        {
            let note = if first.covers {
                ""
            } else {
                " (scope too narrow)"
            };
            let shown = if shown.is_empty() {
                "nothing".into()
            } else {
                shown.join(", ")
            };
            let _ = write!(out, "\n  {} {}{note}: {shown}", first.shape, first.range);
        }
    }
    out
}
