//! `warpc-hw atomics`: the whole suite in child processes, a table and a summary.

use super::case::{Case, Space, racy, suite};
use super::ir;
use super::operation::Ty;
use super::plan::THREADS;
use super::run::{MODULE, Machine, Ran};
use crate::children::{Frame, Part, Usual};
use crate::table::{write, write_module};
use clap::Args;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::time::{Duration, Instant};

/// Cases of one child.
const SHARE: usize = 8 * MODULE;
/// What the suite takes where nothing is asked for.
const USUAL: Usual = Usual {
    jobs: 8,
    minutes: 4,
    patience: Duration::from_secs(60),
};

/// What to run.
#[derive(Args, Clone, Debug)]
pub struct Choice {
    /// Only cases whose name contains this
    #[arg(long, default_value = "")]
    only: String,
    /// Run on the emulator instead of the GPU, in the interleaving of this number
    #[arg(long, value_name = "SEED")]
    sim: Option<u64>,
    /// Every so many cases only, each kind with other orders and scopes
    #[arg(long, default_value_t = 1)]
    every: usize,
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
    /// The cases; those that must be found wrong are the last ones.
    fn cases(&self) -> Vec<Case> {
        let all = suite().into_iter().step_by(self.every.max(1));
        let mut cases: Vec<Case> = all
            .filter(|case| case.text().contains(&self.only))
            .collect();
        cases.extend(controls());
        cases
    }

    fn arguments(&self) -> Vec<String> {
        let mut list = vec!["work-atomics".to_string()];
        list.extend(["--only".into(), self.only.clone()]);
        list.extend(["--every".into(), self.every.to_string()]);
        if let Some(seed) = self.sim {
            list.extend(["--sim".into(), seed.to_string()]);
        }
        list
    }
}

/// Cases that are not atomic.
pub fn controls() -> Vec<Case> {
    let types = [8, 16, 32, 64, 128].map(Ty::Int);
    let spaces = [Space::Global, Space::Shared, Space::Generic];
    let pairs = types
        .iter()
        .flat_map(|&ty| spaces.map(|space| racy(ty, space)));
    pairs.collect()
}

impl Work {
    /// Runs the cases and appends a line for each.
    pub fn run(&self) -> Result<(), String> {
        let cases = self.choice.cases();
        let cases = self.part.of(&cases)?;
        let machine = match self.choice.sim {
            Some(seed) => Machine::Sim { seed },
            None => Machine::gpu()?,
        };
        let failed = |e: std::io::Error| format!("cannot write {}: {e}", self.part.lines.display());
        let mut lines = fs::File::create(&self.part.lines).map_err(failed)?;
        for module in cases.chunks(MODULE) {
            for ran in machine.run(module)? {
                writeln!(lines, "{}", line(&ran)).map_err(failed)?;
            }
        }
        Ok(())
    }
}

fn line(ran: &Ran) -> String {
    let (seen, verdict) = (ran.seen, if ran.wrong.is_empty() { "ok" } else { "WRONG" });
    format!(
        "{verdict}\t{}\t{}\t{}\t{}\t{}",
        ran.launches,
        seen.targets,
        seen.results,
        seen.flushed,
        ran.wrong.join("; ").replace(['\n', '\t'], " ")
    )
}

impl Task {
    /// Runs everything; the error says that something is wrong.
    pub fn run(&self) -> Result<(), String> {
        let start = Instant::now();
        fs::create_dir_all(&self.frame.out).map_err(|e| e.to_string())?;
        let cases = self.choice.cases();
        if self.modules {
            return cases.chunks(MODULE).enumerate().try_for_each(|(i, some)| {
                write_module(
                    &self.frame.out,
                    &format!("atomics{i:03}"),
                    &ir::module(some),
                )
            });
        }
        let device = match self.choice.sim {
            Some(seed) => format!("the emulator, interleaving {seed}"),
            None => crate::on_gpu::device().map_err(|e| e.to_string())?,
        };
        let lines = self.frame.run(
            &USUAL,
            start,
            &self.choice.arguments(),
            cases.len(),
            SHARE.min(cases.len().div_ceil(self.frame.jobs(&USUAL))),
        )?;
        let table = Table {
            device,
            rows: cases.iter().map(Case::text).zip(lines).collect(),
        };
        write(&self.frame.out.join("atomics.tsv.gz"), &table.text())?;
        let (summary, wrong) = table.summary();
        println!("{summary}\n{:.0} s", start.elapsed().as_secs_f64());
        write(&self.frame.out.join("atomics-summary.txt"), &summary)?;
        match wrong {
            0 => Ok(()),
            _ => Err(format!("{wrong} cases are wrong")),
        }
    }
}

/// What came of all cases.
struct Table {
    device: String,
    rows: Vec<(String, Result<String, String>)>,
}

impl Table {
    fn text(&self) -> String {
        let mut out = format!(
            "# {}\ncase\tverdict\tlaunches\ttargets\tresults\tflushed\twrong\n",
            self.device
        );
        for (name, line) in &self.rows {
            let _ = match line {
                Ok(line) => writeln!(out, "{name}\t{line}"),
                Err(problem) => writeln!(out, "{name}\tLOST\t0\t0\t0\t0\t{problem}"),
            };
        }
        out
    }

    /// A summary, and how many cases are not as they should be.
    fn summary(&self) -> (String, usize) {
        let mut counts = [0usize; 4];
        let (mut right, mut wrong, mut caught, mut controls) = (0, Vec::new(), 0, 0);
        for (name, line) in &self.rows {
            let text = line.as_deref().unwrap_or("LOST");
            let mut fields = text.split('\t');
            let is_right = fields.next() == Some("ok");
            let is_control = name.starts_with("racy");
            for (count, field) in counts.iter_mut().zip(fields) {
                *count += field.parse::<usize>().unwrap_or(0);
            }
            match (is_control, is_right) {
                (false, true) => right += 1,
                (true, false) if line.is_ok() => caught += 1,
                _ => wrong.push(format!(
                    "{name}: {}",
                    line.as_ref().map_or_else(String::as_str, String::as_str)
                )),
            }
            controls += usize::from(is_control);
        }
        let [launches, targets, results, flushed] = counts;
        let mut out = format!(
            "{}: {} cases, {launches} launches of {THREADS} threads, {targets} values in memory, \
             {results} results\n{right} right, {} wrong; {caught} of {controls} cases that are not atomic \
             were found wrong; {flushed} sums with subnormal numbers taken for zero",
            self.device,
            self.rows.len() - controls,
            wrong.len(),
        );
        for text in wrong.iter().take(40) {
            let _ = write!(out, "\n  {text}");
        }
        (out, wrong.len())
    }
}
