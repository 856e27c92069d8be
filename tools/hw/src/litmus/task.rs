//! `warpc-hw litmus`: all tests in child processes, a table and a summary.

use super::ir;
use super::report::{Row, summary, table};
use super::run::{Group, Machine, Ran, run};
use super::shape::SHAPES;
use super::style::{RANGES, STYLES};
use super::terrain::Size;
use crate::children::{Frame, Part, Usual};
use crate::table::{write, write_module};
use clap::Args;
use std::fs;
use std::io::Write as _;
use std::time::{Duration, Instant};

/// What the suite takes where nothing is asked for.
const USUAL: Usual = Usual {
    jobs: 2,
    minutes: 6,
    patience: Duration::from_secs(120),
};

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
    #[command(flatten)]
    frame: Frame,
    /// Only write the modules there, as LLVM IR and PTX
    #[arg(long)]
    modules: bool,
}

/// Part of the suite, in a child.
#[derive(Args, Clone, Debug)]
pub struct Work {
    #[command(flatten)]
    choice: Choice,
    #[command(flatten)]
    part: Part,
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
        let groups = self.part.of(&groups)?;
        let (machine, size, wanted) = match self.choice.sim {
            Some(seed) => (Machine::Sim { seed }, ON_SIM, 1_000 * self.choice.millions),
            None => (
                Machine::gpu(ON_GPU)?,
                ON_GPU,
                1_000_000 * self.choice.millions,
            ),
        };
        let launches = wanted.div_ceil(size.instances() as usize);
        let failed = |e: std::io::Error| format!("cannot write {}: {e}", self.part.lines.display());
        let mut lines = fs::File::create(&self.part.lines).map_err(failed)?;
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
        fs::create_dir_all(&self.frame.out).map_err(|e| e.to_string())?;
        let groups = self.choice.groups();
        if self.modules {
            return groups.iter().try_for_each(|group| {
                STYLES.iter().try_for_each(|style| {
                    let name = format!("{} {}", group_name(group), style.name).replace(' ', "_");
                    let text = ir::module(&group.shape, style, group.range.scope);
                    write_module(&self.frame.out, &name, &text)
                })
            });
        }
        let device = match self.choice.sim {
            Some(seed) => format!("the emulator, interleaving {seed}"),
            None => crate::on_gpu::device().map_err(|e| e.to_string())?,
        };
        let lines = self
            .frame
            .run(&USUAL, start, &self.choice.arguments(), groups.len(), 2)?;
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
        write(
            &self.frame.out.join("litmus.tsv.gz"),
            &table(&device, &rows),
        )?;
        let summary = summary(&device, &rows, &lost);
        println!("{summary}\n{:.0} s", start.elapsed().as_secs_f64());
        write(&self.frame.out.join("litmus-summary.txt"), &summary)?;
        let broken = rows.iter().filter(|row| row.forbidden && row.weak > 0);
        match (broken.count(), lost.len()) {
            (0, 0) => Ok(()),
            (broken, lost) => Err(format!(
                "{broken} tests showed a forbidden outcome, {lost} groups were not run"
            )),
        }
    }
}
