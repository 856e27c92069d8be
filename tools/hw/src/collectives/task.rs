//! `warpc-hw collectives`: the whole suite for each chip it is compiled for, in child processes.

use super::case::{Case, Draft};
use super::pipeline::{PIPELINES, Pipeline};
use super::run::{Machine, Verdict};
use super::{barrier, warp};
use crate::children::{Frame, Part, Usual};
use clap::Args;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::time::{Duration, Instant};

/// The chips that the kernels are compiled for: one that has the instructions, and those before it for which the
/// compiler makes several of others.
const CHIPS: [&str; 4] = ["sm_60", "sm_75", "sm_80", "sm_90"];
/// Items that are compiled together, if they are of one chip.
const MODULE: usize = 24;
/// What the suite takes where nothing is asked for.
const USUAL: Usual = Usual {
    jobs: 8,
    minutes: 4,
    patience: Duration::from_secs(60),
};

/// What to run.
#[derive(Args, Clone, Debug)]
pub struct Choice {
    /// Only items whose chip and name contain this
    #[arg(long, default_value = "")]
    pub only: String,
    /// Run on the emulator instead of the GPU, in the interleaving of this number
    #[arg(long, value_name = "SEED")]
    pub sim: Option<u64>,
    /// Warps of each operation of a warp, all with other masks and values
    #[arg(long, default_value_t = 10_000)]
    pub warps: usize,
}

/// The suite, on one machine.
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

/// All cases.
pub struct Suite {
    /// The cases.
    pub drafts: Vec<Draft>,
}

/// Something to run, for a chip.
#[derive(Clone, Copy)]
pub enum Item<'s> {
    /// A case.
    Case(&'static str, &'s Draft),
    /// A pipeline.
    Pipeline(&'static str, &'static Pipeline),
}

impl Item<'_> {
    fn text(&self) -> String {
        match self {
            Item::Case(chip, draft) => format!("{chip} {}", draft.name),
            Item::Pipeline(chip, pipeline) => format!("{chip} pipeline {}", pipeline.name),
        }
    }
}

impl Suite {
    /// All cases, operations of warps with so many warps each.
    pub fn new(warps: usize) -> Suite {
        let mut drafts = warp::suite(warps);
        drafts.extend(barrier::suite());
        Suite { drafts }
    }

    /// Each case for each chip it is for.
    pub fn items(&self, only: &str) -> Vec<Item<'_>> {
        let number = |chip: &str| chip.trim_start_matches("sm_").parse::<u16>();
        let mut items: Vec<Item> = Vec::new();
        for chip in CHIPS {
            let is_for = |case: &&Draft| number(chip).is_ok_and(|chip| chip >= case.first_chip);
            let cases = self.drafts.iter().filter(is_for);
            items.extend(cases.map(|case| Item::Case(chip, case)));
        }
        for pipeline in &PIPELINES {
            let chips = pipeline.chips.iter();
            items.extend(chips.map(|chip| Item::Pipeline(chip, pipeline)));
        }
        items.retain(|item| item.text().contains(only));
        items
    }
}

/// Runs items in order and tells of each. The error means that the machine is lost.
pub fn run(
    machine: &Machine,
    items: &[Item],
    mut tell: impl FnMut(&Item, Verdict),
) -> Result<(), String> {
    let of_one_module =
        |a: &Item, b: &Item| matches!((a, b), (Item::Case(a, _), Item::Case(b, _)) if a == b);
    for alike in items.chunk_by(of_one_module) {
        for module in alike.chunks(MODULE) {
            let verdicts = match module[0] {
                Item::Pipeline(chip, pipeline) => vec![machine.pipeline(pipeline, chip)?],
                Item::Case(chip, _) => {
                    let cases = module.iter().filter_map(|item| match item {
                        Item::Case(_, draft) => Some((draft.make)()),
                        Item::Pipeline(..) => None,
                    });
                    machine.run(&cases.collect::<Vec<Case>>(), chip)?
                }
            };
            for (item, verdict) in module.iter().zip(verdicts) {
                tell(item, verdict);
            }
        }
    }
    Ok(())
}

impl Choice {
    fn arguments(&self) -> Vec<String> {
        let mut list = vec!["work-collectives".to_string()];
        list.extend(["--only".into(), self.only.clone()]);
        list.extend(["--warps".into(), self.warps.to_string()]);
        if let Some(seed) = self.sim {
            list.extend(["--sim".into(), seed.to_string()]);
        }
        list
    }
}

impl Work {
    /// Runs the items and appends a line for each.
    pub fn run(&self) -> Result<(), String> {
        let suite = Suite::new(self.choice.warps);
        let items = suite.items(&self.choice.only);
        let items = self.part.of(&items)?;
        let machine = match self.choice.sim {
            Some(seed) => Machine::Sim { seed },
            None => Machine::gpu()?,
        };
        let failed = |e: std::io::Error| format!("cannot write {}: {e}", self.part.lines.display());
        let mut lines = fs::File::create(&self.part.lines).map_err(failed)?;
        let mut written = Ok(());
        run(&machine, items, |_, verdict| {
            let line = match verdict {
                Ok(words) => format!("ok\t{words}\t"),
                Err(why) => format!("WRONG\t0\t{}", why.replace(['\n', '\t'], " ")),
            };
            if let Err(error) = writeln!(lines, "{line}") {
                written = Err(failed(error));
            }
        })?;
        written
    }
}

impl Task {
    /// Runs everything; the error says that something is wrong.
    pub fn run(&self) -> Result<(), String> {
        let start = Instant::now();
        fs::create_dir_all(&self.frame.out).map_err(|e| e.to_string())?;
        let suite = Suite::new(self.choice.warps);
        let items = suite.items(&self.choice.only);
        let device = match self.choice.sim {
            Some(seed) => format!("the emulator, interleaving {seed}"),
            None => crate::on_gpu::device().map_err(|e| e.to_string())?,
        };
        let lines = self.frame.run(
            &USUAL,
            start,
            &self.choice.arguments(),
            items.len(),
            (4 * MODULE)
                .min(items.len().div_ceil(self.frame.jobs(&USUAL)))
                .max(1),
        )?;
        let mut table = format!("# {device}\nitem\tverdict\twords\twrong\n");
        let (mut right, mut words, mut wrong) = (0, 0, Vec::new());
        for (item, line) in items.iter().zip(&lines) {
            let name = item.text();
            let line = match line {
                Ok(line) => line.clone(),
                Err(problem) => format!("LOST\t0\t{problem}"),
            };
            let _ = writeln!(table, "{name}\t{line}");
            let mut fields = line.split('\t');
            match fields.next() {
                Some("ok") => right += 1,
                _ => wrong.push(format!("{name}: {line}")),
            }
            words += fields
                .next()
                .and_then(|n| n.parse::<usize>().ok())
                .unwrap_or(0);
        }
        let mut summary = format!(
            "{device}: {} items, {words} words compared, {} warps of each operation of a warp\n{right} right, {} wrong",
            items.len(),
            self.choice.warps,
            wrong.len()
        );
        for text in wrong.iter().take(40) {
            let _ = write!(summary, "\n  {text}");
        }
        println!("{summary}\n{:.0} s", start.elapsed().as_secs_f64());
        for (name, text) in [
            ("collectives.tsv", &table),
            ("collectives-summary.txt", &summary),
        ] {
            let path = self.frame.out.join(name);
            fs::write(&path, text).map_err(|e| format!("cannot write {}: {e}", path.display()))?;
        }
        match wrong.len() {
            0 => Ok(()),
            count => Err(format!("{count} items are wrong")),
        }
    }
}
