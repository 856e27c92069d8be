//! `warpc-hw random`: random programs in PTX (`warpc-ptxgen`), assembled by warpc in every way and by the driver, on the GPU.
//!
//! The expected bytes are the emulator's. A program on which the driver's own code leaves other bytes is counted
//! separately: it is the generator's or the emulator's fault, unless ours leaves the expected ones.

use crate::children::{Frame, Part, Usual};
use crate::table;
use clap::Args;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::time::{Duration, Instant};
use warpc_driver::{DriverError, Gpu, Limit, Loaded};
use warpc_ptxgen::draft::{self, Choices};
use warpc_ptxgen::judge::{self, Left, WAYS};
use warpc_ptxgen::program::Case;

/// What the suite takes where nothing is asked for.
const USUAL: Usual = Usual {
    jobs: 8,
    minutes: 8,
    patience: Duration::from_secs(60),
};

/// Programs of one child.
const SHARE: usize = 50;
/// Bytes of stack that a thread gets: functions that call themselves need more than the driver gives.
const STACK: usize = 16 * 1024;

/// Which programs.
#[derive(Args, Clone, Debug)]
pub struct Choice {
    /// How many programs
    #[arg(long, default_value_t = 1000)]
    programs: u64,
    /// The seed of the first
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// No functions that are called
    #[arg(long)]
    no_calls: bool,
}

/// The suite.
#[derive(Args, Clone, Debug)]
pub struct Task {
    #[command(flatten)]
    choice: Choice,
    #[command(flatten)]
    frame: Frame,
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
    fn choices(&self) -> Choices {
        Choices {
            calls: !self.no_calls,
            ..Choices::default()
        }
    }

    fn arguments(&self) -> Vec<String> {
        let mut list = vec!["work-random".to_owned()];
        list.extend(["--programs".to_owned(), self.programs.to_string()]);
        list.extend(["--seed".to_owned(), self.seed.to_string()]);
        if self.no_calls {
            list.push("--no-calls".to_owned());
        }
        list
    }
}

/// What is wrong with a loaded module, if something is.
fn difference(
    gpu: &Gpu,
    loaded: &Loaded,
    case: &Case,
    expected: &Left,
) -> Result<Option<String>, DriverError> {
    for (kernel, expected) in case.runs.iter().zip(expected) {
        let buffers: Result<Vec<_>, _> = kernel
            .buffers
            .iter()
            .map(|bytes| gpu.buffer(bytes))
            .collect();
        let buffers = buffers?;
        let all: Vec<_> = buffers.iter().collect();
        gpu.launch(&loaded.kernel(&kernel.launch.kernel)?, &kernel.launch, &all)?;
        gpu.synchronize()?;
        let left: Result<Vec<_>, _> = buffers.iter().map(|buffer| buffer.download()).collect();
        if let Some(what) = judge::difference(kernel, expected, &left?) {
            return Ok(Some(what));
        }
    }
    Ok(None)
}

/// One program: a word for the verdict, and what was seen. The error means that the context is lost.
fn verdict(gpu: &Gpu, case: &Case) -> Result<(&'static str, String), String> {
    let expected = match judge::reference(case) {
        Ok(expected) => expected,
        Err(why) => return Ok(("invalid", why)),
    };
    let (mut seen, mut wrong) = (Vec::new(), Vec::new());
    for way in &WAYS {
        let cubin = match judge::assemble(&case.text, way) {
            Ok(cubin) => cubin.write(),
            Err(why) => return Ok(("refused", why)),
        };
        if seen.contains(&cubin) {
            continue;
        }
        let run = || difference(gpu, &gpu.load_cubin(&cubin)?, case, &expected);
        let found = run().map_err(|error| format!("{}: {error}", way.name))?;
        wrong.extend(found.map(|what| format!("{}: {what}", way.name)));
        seen.push(cubin);
    }
    let run = || difference(gpu, &gpu.load(&case.text)?, case, &expected);
    let driver = run().map_err(|error| format!("driver: {error}"))?;
    Ok(match (wrong.is_empty(), driver) {
        (true, None) => ("same", format!("{} cubins", seen.len())),
        (true, Some(what)) => ("driver differs", what),
        (false, None) => ("wrong", wrong.join("; ")),
        (false, Some(what)) => (
            "both differ",
            format!("{}; driver: {what}", wrong.join("; ")),
        ),
    })
}

impl Work {
    /// Runs programs and appends a line for each.
    pub fn run(&self) -> Result<(), String> {
        let gpu = Gpu::open().map_err(|error| error.to_string())?;
        gpu.set_limit(Limit::Stack, STACK)
            .map_err(|error| error.to_string())?;
        let seeds: Vec<u64> = (self.choice.seed..self.choice.seed + self.choice.programs).collect();
        let mut lines = String::new();
        for seed in self.part.of(&seeds)? {
            let program = draft::program(*seed, self.choice.choices());
            let (word, what) = verdict(&gpu, &program.case())?;
            let _ = writeln!(lines, "{word}\t{}", what.replace(['\n', '\t'], " "));
            table::write(&self.part.lines, &lines)?;
        }
        Ok(())
    }
}

impl Task {
    /// Runs everything; the error says how many programs are not as they must be.
    pub fn run(&self) -> Result<(), String> {
        let start = Instant::now();
        let out = &self.frame.out;
        fs::create_dir_all(out).map_err(|error| error.to_string())?;
        let device = crate::on_gpu::device().map_err(|error| error.to_string())?;
        let items = self.choice.programs as usize;
        let lines = self
            .frame
            .run(&USUAL, start, &self.choice.arguments(), items, SHARE)?;
        let mut text = format!("# {device}\nseed\tverdict\twhat\n");
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for (seed, line) in (self.choice.seed..).zip(&lines) {
            let line = match line {
                Ok(line) => line.clone(),
                Err(problem) => format!("lost\t{problem}"),
            };
            let word = line.split('\t').next().unwrap_or("").to_owned();
            let is_noted = !["same", "refused"].contains(&word.as_str());
            if is_noted {
                println!("{seed}: {line}");
                let program = draft::program(seed, self.choice.choices());
                let path = out.join(format!("random{seed:06}.ptx"));
                fs::write(&path, program.text_with_launches())
                    .map_err(|error| error.to_string())?;
            }
            *counts.entry(word).or_default() += 1;
            let _ = writeln!(text, "{seed}\t{line}");
        }
        table::write(&out.join("random.tsv"), &text)?;
        println!(
            "{device}, {:.0} s: {counts:?}",
            start.elapsed().as_secs_f64()
        );
        let good = ["same", "refused"].map(|word| counts.get(word).copied().unwrap_or(0));
        match lines.len() - good[0] - good[1] {
            0 => Ok(()),
            count => Err(format!("{count} programs are not as they must be")),
        }
    }
}
