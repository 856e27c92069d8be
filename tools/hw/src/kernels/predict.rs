//! What builds are expected to take, without a GPU: the small launches run on the emulator of machine code, which counts how often
//! each instruction is executed, and the cost model says what that takes a quarter of a multiprocessor that is full of warps.
//!
//! The table has the columns of that of `bench`, so that prediction and clock can be joined by file, kernel and build.

use super::bench::{Contender, kernel_of};
use super::run::request;
use super::{Case, File};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use warpc_cubin::Cubin;
use warpc_ptx::Module;
use warpc_ptx_to_sass::check::flow::Flow;
use warpc_ptx_to_sass::check::{Code, Indirect};
use warpc_ptx_to_sass::cost::Cost;
use warpc_sass_text::sections::{Section, sections};

/// Thread instructions after which a run is stopped.
const LIMIT: u64 = 60_000_000;

/// What is predicted.
#[derive(Debug, clap::Args)]
pub struct Task {
    /// The builds, as `bench` takes them, but for the driver's; the one to compare with first
    #[arg(required = true)]
    builds: Vec<String>,
    /// The file to write
    #[arg(long)]
    out: PathBuf,
    /// Only launches whose file or flags contain this
    #[arg(long)]
    only: Option<String>,
}

/// What the model expects of a launch.
#[derive(Clone, Copy, Debug)]
pub struct Expected {
    /// Cycles of a quarter of a multiprocessor that is full of warps.
    pub cycles: f64,
    /// Registers of a thread, as far as instructions name them.
    pub registers: u32,
    /// Instructions of the kernel and its functions.
    pub instructions: usize,
}

/// What is expected by file and flags.
type Predicted = BTreeMap<(String, String), Result<Expected, String>>;

impl Task {
    /// Predicts, writes the table and prints means.
    pub fn run(&self) -> Result<(), String> {
        let mut all = Vec::new();
        for name in &self.builds {
            all.push(self.build(&Contender::parse(name)?)?);
        }
        let mut out = String::from(
            "file\tkernel\tcase\tbuild\tcycles\tratio\tregisters\tinstructions\tdifferences\n",
        );
        let mut sums = vec![(0.0, 0u32); all.len()];
        for case in all[0].keys() {
            let first = all[0][case].as_ref().map_or(f64::NAN, |one| one.cycles);
            for (number, build) in all.iter().enumerate() {
                let nothing = Expected {
                    cycles: f64::NAN,
                    registers: 0,
                    instructions: 0,
                };
                let (expected, why) = match build.get(case) {
                    Some(Ok(expected)) => (*expected, String::new()),
                    Some(Err(why)) => (nothing, why.replace(['\n', '\t'], " ")),
                    None => continue,
                };
                let Expected {
                    cycles,
                    registers,
                    instructions,
                } = expected;
                let ratio = cycles / first;
                if ratio > 0.0 {
                    sums[number].0 += ratio.ln();
                    sums[number].1 += 1;
                }
                let ((file, flags), build) = (case, &self.builds[number]);
                let kernel = kernel_of(flags);
                let _ = writeln!(
                    out,
                    "{file}\t{kernel}\t{flags}\t{build}\t{cycles:.0}\t{ratio:.4}\t{registers}\t{instructions}\t{why}"
                );
            }
        }
        for (name, (sum, count)) in self.builds.iter().zip(sums) {
            let mean = (sum / f64::from(count.max(1))).exp();
            println!("{name}: {mean:.3} in the geometric mean of {count} launches");
        }
        std::fs::write(&self.out, out)
            .map_err(|e| format!("cannot write {}: {e}", self.out.display()))
    }

    fn build(&self, contender: &Contender) -> Result<Predicted, String> {
        let mut predicted = Predicted::new();
        for file in contender.small_suite()?.files {
            let is_meant = |case: &&Case| {
                let only = self.only.as_deref().unwrap_or_default();
                file.name.contains(only) || case.text.contains(only)
            };
            let cases: Vec<&Case> = file.cases.iter().filter(is_meant).collect();
            if cases.is_empty() {
                continue;
            }
            let module = file.module()?;
            let made = contender.assembler.cubin(&file.name, &file.text());
            let read = made.and_then(|bytes| Cubin::read(&bytes).map_err(|fault| fault.message));
            for case in cases {
                let expected = read
                    .clone()
                    .and_then(|cubin| expected(&cubin, &module, case));
                predicted.insert((file.name.clone(), case.text.clone()), expected);
            }
            say(&file);
        }
        Ok(predicted)
    }
}

/// Shows that it goes on.
fn say(file: &File) {
    eprintln!("{}: {} launches", file.name, file.cases.len());
}

/// What is expected of a launch.
pub(super) fn expected(cubin: &Cubin, module: &Module, case: &Case) -> Result<Expected, String> {
    let first = |diagnostics: warpc_diag::Diagnostics| {
        let first = diagnostics.as_slice().first();
        first.map_or_else(String::new, |one| one.message.clone())
    };
    let request = request(module, case)?;
    let options = warpc_sass_sim::Options {
        limit: Some(LIMIT),
        timed: false,
        ..warpc_sass_sim::Options::default()
    };
    let mut device = warpc_sass_sim::Device::new(cubin, options).map_err(first)?;
    for buffer in &request.buffers {
        device.buffer(&buffer.bytes);
    }
    let report = device.launch(request.launch()).map_err(first)?;
    let chip = cubin.chip().ok_or("an unknown chip")?;
    let sections =
        sections(cubin).map_err(|bad| format!("no instruction at {:#x}", bad.address))?;
    let name = &request.launch().kernel;
    let is_own = |one: &&Section| one.name.strip_prefix(".text.") == Some(name);
    let section = sections.iter().find(is_own).ok_or("no such section")?;
    let indirect = section.indirect.iter().map(|(at, targets)| Indirect {
        at: *at,
        targets: targets.clone(),
    });
    let indirect: Vec<Indirect> = indirect.collect();
    let code = Code {
        chip,
        insts: &section.insts,
        entries: &section.entries,
        indirect: &indirect,
        spills: &[],
    };
    let flow = Flow::of(&code);
    let cost = Cost::of(&code, &flow).ok_or("an unknown chip")?;
    Ok(Expected {
        cycles: cost.counted(&flow, &report.executed),
        registers: cost.registers,
        instructions: section.insts.len(),
    })
}
