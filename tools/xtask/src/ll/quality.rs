//! `./x ll quality`: registers and instructions after ptxas -O3, of our PTX and of LLVM's.
//!
//! ```text
//! module ┬ warpc compile ─► PTX ┬ ptxas -O3 -v ─► registers of each kernel
//!        └ llc-22 -O2 ────► PTX ┘     └ nvdisasm ─► instructions of each function
//! ```
//!
//! Modules with debug information are left out: ptxas does not optimise what LLVM makes of them. So are
//! the largest, which take ptxas minutes each.

use crate::ll::gpu::{self, Cache, Module};
use crate::oracle::{self, Tools};
use crate::project::{self, Outcome};
use crate::{jobs, process, release};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// The chip that code is compared for, unless the module is for another.
const CHIP: &str = "sm_90";

/// Larger modules are left out.
const LARGEST: u64 = 400_000;

/// How far from LLVM's a kernel may be before it is listed: this many in a hundred, and instructions.
const OUTLIER: (usize, usize) = (20, 16);

/// What ptxas made of a kernel or function.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Size {
    /// Registers; 0 for a function that is not a kernel.
    registers: usize,
    instructions: usize,
}

/// By name.
type Sizes = BTreeMap<String, Size>;

/// The task.
pub fn quality(args: &[String]) -> Outcome {
    let filter = match args {
        [] => "",
        [filter] => filter,
        _ => return Err("ll quality takes one filter".into()),
    };
    let (tools, _) = oracle::ensure_all();
    let warpc = release::build()?;
    let mut modules = gpu::modules(filter)?;
    modules.retain(|module| !module.row.variant.ends_with("-g") && module.row.bytes < LARGEST);
    let folder = project::root().join("target/ll_quality");
    project::make_dir(&folder)?;
    let cache = Cache::open(folder.join("answers.tsv"));
    let run = Run {
        tools: &tools,
        warpc: &warpc,
        folder: &folder,
        cache: &cache,
    };
    let answers = jobs::map(&modules, |module| run.compare(module));
    cache.save()?;
    let mut compared = Vec::new();
    let mut left_out = Vec::new();
    for (module, answer) in modules.iter().zip(answers) {
        match answer {
            Ok(both) => compared.push((module, both)),
            Err(message) => left_out.push(format!("{}: {message}", module.row.path)),
        }
    }
    let report = report(&compared, &left_out);
    print!("{report}");
    project::write(&folder.join("report.txt"), report)
}

struct Run<'a> {
    tools: &'a Tools,
    warpc: &'a Path,
    folder: &'a Path,
    cache: &'a Cache,
}

impl Run<'_> {
    /// The sizes of our code and of LLVM's.
    fn compare(&self, module: &Module) -> Outcome<(Sizes, Sizes)> {
        let chip = module
            .chips(&[CHIP])
            .first()
            .copied()
            .ok_or("not for this chip")?;
        let ours = self.folder.join(format!("{}.ptx", module.stem()));
        let mut command = Command::new(self.warpc);
        command
            .args(["compile", "--arch", chip])
            .arg(&module.file)
            .arg("-o")
            .arg(&ours)
            .env("NVVM_IR_VER_CHK", "0");
        let done = process::capture(&mut command)?;
        if !done.ok {
            return Err(format!("warpc: {}", gpu::complaint(&done.output)));
        }
        let question = ["llc's size", module.row.hash.as_str(), chip];
        let theirs = self.cache.ask(&question, || {
            let out = self.folder.join(format!("{}.llc.ptx", module.stem()));
            match gpu::llc(module, chip, self.folder, &out)?.as_str() {
                "" => self.measure(chip, &out),
                message => Ok(format!("!llc: {message}")),
            }
        })?;
        let text = project::read(&ours)?;
        let ours = self
            .cache
            .ask(&["size", &text, chip], || self.measure(chip, &ours))?;
        Ok((sizes(&ours)?, sizes(&theirs)?))
    }

    /// What ptxas makes of a text: `name registers instructions`, separated by semicolons; a message after `!`.
    fn measure(&self, chip: &str, ptx: &Path) -> Outcome<String> {
        let (_, ptxas) = self.tools.ptxas(chip).ok_or("its ptxas could not be had")?;
        let cubin = ptx.with_extension("cubin");
        let assemble = |more: &[&str]| {
            let mut command = Command::new(&ptxas);
            command
                .args(["-O3", "-v"])
                .args(more)
                .arg(format!("-arch={chip}"));
            process::capture(command.arg(ptx).arg("-o").arg(&cubin))
        };
        let mut done = assemble(&[])?;
        if !done.ok {
            // Functions that are somewhere else.
            done = assemble(&["-c"])?;
        }
        if !done.ok {
            return Ok(format!("!ptxas: {}", gpu::complaint(&done.output)));
        }
        let mut sizes = registers(&done.output);
        let nvdisasm = self
            .tools
            .cuda13
            .as_ref()
            .ok_or("nvdisasm could not be had")?;
        let mut command = Command::new(nvdisasm.join("bin/nvdisasm"));
        let listing = process::must("nvdisasm", command.arg("-c").arg(&cubin))?;
        for (name, instructions) in instructions(&listing) {
            sizes.entry(name).or_default().instructions = instructions;
        }
        std::fs::remove_file(&cubin).ok();
        std::fs::remove_file(ptx).ok();
        let cell = |(name, size): (&String, &Size)| {
            format!("{name} {} {}", size.registers, size.instructions)
        };
        Ok(sizes.iter().map(cell).collect::<Vec<_>>().join(";"))
    }
}

/// Registers of kernels in the words of `ptxas -v`.
fn registers(output: &str) -> Sizes {
    let mut sizes = Sizes::new();
    let mut kernel = None;
    for line in output.lines() {
        if let Some((_, rest)) = line.split_once("Compiling entry function '") {
            kernel = rest.split('\'').next().map(str::to_string);
        } else if let Some((_, rest)) = line.split_once(": Used ")
            && let Some(name) = kernel.take()
        {
            let count = rest.split(' ').next().and_then(|n| n.parse().ok());
            sizes.entry(name).or_default().registers = count.unwrap_or(0);
        }
    }
    sizes
}

/// Instructions of each function in a listing, without those that only fill up.
fn instructions(listing: &str) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    let mut name = String::new();
    for line in listing.lines() {
        let line = line.trim();
        if let Some(label) = line
            .strip_prefix(".text.")
            .and_then(|rest| rest.strip_suffix(':'))
        {
            name = label.to_string();
        } else if line.starts_with("/*") && line.ends_with(';') && !line.contains(" NOP") {
            *counts.entry(name.clone()).or_default() += 1;
        }
    }
    counts
}

fn sizes(text: &str) -> Outcome<Sizes> {
    if let Some(message) = text.strip_prefix('!') {
        return Err(message.to_string());
    }
    let cell = |cell: &str| {
        let mut words = cell.split(' ');
        let name = words.next()?.to_string();
        let mut number = || words.next()?.parse().ok();
        let registers = number()?;
        let instructions = number()?;
        Some((
            name,
            Size {
                registers,
                instructions,
            },
        ))
    };
    Ok(text.split(';').filter_map(cell).collect())
}

/// Totals by producer and build, then the kernels that are far from LLVM's, then what is left out.
fn report(compared: &[(&Module, (Sizes, Sizes))], left_out: &[String]) -> String {
    #[derive(Default)]
    struct Total {
        kernels: usize,
        registers: [usize; 2],
        instructions: [usize; 2],
    }
    let mut totals: BTreeMap<String, Total> = BTreeMap::new();
    let mut far = Vec::new();
    for (module, (ours, theirs)) in compared {
        for label in [
            format!("{} {}", module.row.producer, module.row.variant),
            "all".into(),
        ] {
            let total = totals.entry(label).or_default();
            // Functions that LLVM keeps and we do not, or the other way, count in the sum of the module.
            total.instructions[0] += ours.values().map(|size| size.instructions).sum::<usize>();
            total.instructions[1] += theirs.values().map(|size| size.instructions).sum::<usize>();
            for (name, size) in ours {
                if let Some(other) = theirs.get(name).filter(|other| other.registers > 0) {
                    total.kernels += 1;
                    total.registers[0] += size.registers;
                    total.registers[1] += other.registers;
                }
            }
        }
        for (name, size) in ours {
            let Some(other) = theirs.get(name) else {
                continue;
            };
            let (percent, least) = OUTLIER;
            let (a, b) = (size.instructions, other.instructions);
            if a.abs_diff(b) >= least && a.abs_diff(b) * 100 > b * percent {
                let of = format!("{} {name}", module.row.path);
                far.push((a as f64 / b.max(1) as f64, *size, *other, of));
            }
        }
    }
    let mut out = String::from(
        "                          kernels  registers: ours, llc's        instructions: ours, llc's\n",
    );
    for (label, total) in &totals {
        let ratio = |[ours, theirs]: [usize; 2]| ours as f64 / theirs.max(1) as f64;
        let _ = writeln!(
            out,
            "  {label:24} {:6} {:9} {:9}  {:5.3} {:11} {:9}  {:5.3}",
            total.kernels,
            total.registers[0],
            total.registers[1],
            ratio(total.registers),
            total.instructions[0],
            total.instructions[1],
            ratio(total.instructions)
        );
    }
    far.sort_by(|a, b| b.0.total_cmp(&a.0));
    let _ = writeln!(out, "{} functions are far from LLVM's:", far.len());
    for (ratio, ours, theirs, of) in &far {
        let _ = writeln!(
            out,
            "  {ratio:6.2}  {:5} and {:5} instructions, {:3} and {:3} registers  {of}",
            ours.instructions, theirs.instructions, ours.registers, theirs.registers
        );
    }
    let _ = writeln!(out, "{} modules left out:", left_out.len());
    for one in left_out {
        let _ = writeln!(out, "  {one}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_from_the_tools_words() {
        let said = "ptxas info    : Compiling entry function 'k' for 'sm_90'\n\
                    ptxas info    : Function properties for k\n\
                    ptxas info    : Used 12 registers, used 0 barriers\n";
        assert_eq!(registers(said)["k"].registers, 12);
        let listing = ".text.k:\n        /*0000*/                   MOV R1, c[0x0][0x28] ;\n\
                       \x20       /*0010*/                   NOP;\n";
        assert_eq!(instructions(listing)["k"], 1);
        let size = Size {
            registers: 12,
            instructions: 3,
        };
        assert_eq!(sizes("k 12 3").unwrap()["k"], size);
        assert!(sizes("!ptxas: no").is_err());
    }
}
