//! What each pass brings that may be left out, by the cost model: suites with all passes, and with all but one.
//!
//! | column | is |
//! |---|---|
//! | `gain` | the cycles without the pass for those with it, the geometric mean over all launches |
//! | `most` | the same of the kernel that gains most, and its name |
//! | `least` | the same of the kernel that loses most |
//! | `changed` | kernels whose code the pass changes |
//! | `registers`, `instructions` | how many more there are without it, in all kernels together |
//!
//! Launches are run on the emulator of machine code, which counts instructions, as `predict` has it; one whose code is the same
//! without the pass is not run again.

use super::bench::Contender;
use super::predict::{Expected, expected};
use super::run::request;
use super::{Case, File};
use crate::assembled::Assembler;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::PathBuf;
use warpc_cubin::Cubin;
use warpc_ptx_to_sass::passes;
use warpc_sass::Inst;
use warpc_sass_text::sections::sections;

/// What is compared.
#[derive(Debug, clap::Args)]
pub struct Task {
    /// Folders of modules with launches
    #[arg(required = true)]
    folders: Vec<String>,
    /// The file to write
    #[arg(long)]
    out: PathBuf,
    /// Only launches whose file or flags contain this
    #[arg(long)]
    only: Option<String>,
    /// Only these passes
    #[arg(long)]
    pass: Vec<String>,
}

/// What a pass brings.
#[derive(Default)]
struct Gain {
    /// Logarithms of ratios.
    sum: f64,
    launches: u32,
    most: (f64, String),
    least: (f64, String),
    changed: BTreeSet<(String, String)>,
    /// For each kernel that it changes the registers and instructions that there are more without it.
    more: BTreeMap<(String, String), (i64, i64)>,
    failed: Vec<String>,
}

impl Gain {
    /// Adds a launch: what is expected with the pass and without it.
    fn add(&mut self, kernel: (String, String), with: Expected, without: Expected) {
        let gain = without.cycles / with.cycles;
        self.sum += gain.ln();
        let name = format!("{}/{}", kernel.0, kernel.1);
        if self.most.1.is_empty() || gain > self.most.0 {
            self.most = (gain, name.clone());
        }
        if self.least.1.is_empty() || gain < self.least.0 {
            self.least = (gain, name);
        }
        let more = (
            i64::from(without.registers) - i64::from(with.registers),
            without.instructions as i64 - with.instructions as i64,
        );
        self.more.insert(kernel.clone(), more);
        self.changed.insert(kernel);
    }
}

impl Task {
    /// Compares, writes the table and prints it.
    pub fn run(&self) -> Result<(), String> {
        let wanted = |name: &&str| self.pass.is_empty() || self.pass.iter().any(|one| one == name);
        let names: Vec<&str> = passes::optional().filter(wanted).collect();
        let mut gains: BTreeMap<&str, Gain> = BTreeMap::new();
        for folder in &self.folders {
            let base = Contender::parse(&format!("{folder}@warpc"))?;
            for file in base.small_suite()?.files {
                self.file(&file, &base.assembler, &names, &mut gains)?;
            }
        }
        let mut out = String::from(
            "| pass | gain | most | least | changed | registers | instructions |\n|---|--:|---|---|--:|--:|--:|\n",
        );
        for name in names {
            let Some(gain) = gains.get(name) else {
                continue;
            };
            let mean = (gain.sum / f64::from(gain.launches.max(1))).exp();
            let part = |one: &(f64, String)| match one.1.is_empty() {
                true => String::new(),
                false => format!("{:.2} {}", one.0, one.1),
            };
            let registers: i64 = gain.more.values().map(|one| one.0).sum();
            let instructions: i64 = gain.more.values().map(|one| one.1).sum();
            let _ = writeln!(
                out,
                "| `{name}` | {mean:.4} | {} | {} | {} | {registers:+} | {instructions:+} |",
                part(&gain.most),
                part(&gain.least),
                gain.changed.len()
            );
            for why in &gain.failed {
                eprintln!("without {name}: {why}");
            }
        }
        print!("{out}");
        std::fs::write(&self.out, out)
            .map_err(|e| format!("cannot write {}: {e}", self.out.display()))
    }

    fn file<'n>(
        &self,
        file: &File,
        with: &Assembler,
        names: &[&'n str],
        gains: &mut BTreeMap<&'n str, Gain>,
    ) -> Result<(), String> {
        let is_meant = |case: &&Case| {
            let only = self.only.as_deref().unwrap_or_default();
            file.name.contains(only) || case.text.contains(only)
        };
        let cases: Vec<&Case> = file.cases.iter().filter(is_meant).collect();
        if cases.is_empty() {
            return Ok(());
        }
        let module = file.module()?;
        let text = file.text();
        let made = |assembler: &Assembler| {
            let bytes = assembler.cubin(&file.name, &text)?;
            Cubin::read(&bytes).map_err(|fault| fault.message)
        };
        let base = made(with)?;
        let base_codes = codes(&base);
        let mut builds = Vec::new();
        for name in names {
            let assembler = Assembler::parse(&format!("warpc,without={name}"))?;
            builds.push(made(&assembler).map(|cubin| {
                let codes = codes(&cubin);
                (cubin, codes)
            }));
        }
        for case in cases {
            let kernel = request(&module, case)?.launch().kernel.clone();
            let section = format!(".text.{kernel}");
            let with = match expected(&base, &module, case) {
                Ok(with) => with,
                Err(why) => {
                    eprintln!("{}: {}: {why}", file.name, case.text);
                    continue;
                }
            };
            for (name, build) in names.iter().zip(&builds) {
                let gain = gains.entry(*name).or_default();
                gain.launches += 1;
                let fail = |why: &String| format!("{}: {}: {why}", file.name, case.text);
                let (other, codes) = match build {
                    Ok(other) => other,
                    Err(why) => {
                        gain.failed.push(fail(why));
                        continue;
                    }
                };
                if base_codes.get(&section) == codes.get(&section) {
                    continue;
                }
                match expected(other, &module, case) {
                    Ok(without) => {
                        gain.add((file.name.clone(), kernel.clone()), with, without);
                    }
                    Err(why) => gain.failed.push(fail(&why)),
                }
            }
        }
        eprintln!("{}", file.name);
        Ok(())
    }
}

/// The instructions of each kernel.
fn codes(cubin: &Cubin) -> BTreeMap<String, Vec<Inst>> {
    let all = sections(cubin).unwrap_or_default().into_iter();
    all.map(|section| (section.name, section.insts)).collect()
}
