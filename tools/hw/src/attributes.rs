//! Whether warpc's cubins say the same of kernels as ptxas's: the records of `.nv.info` and `.nv.info.KERNEL`.
//!
//! ```text
//!   a module without its other kernels ──┬─ warpc ─► cubin ─► records ─┐
//!                                        └─ ptxas ─► cubin ─► records ─┴─► the same, other, only on one side
//! ```
//!
//! Some records follow from the source alone and must be equal. Others have places in the code: there it counts that both
//! have them. What follows from the choice of instructions is only counted.

use crate::covered::{NEWEST, alone, assembled_cubin, find, module};
use clap::Args;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use warpc_cubin::attribute::{self, info as at};
use warpc_cubin::{Content, Cubin, Record, Value};
use warpc_ptx::Module;
use warpc_ptx::module::{FunctionKind, TargetOption};

/// Compare the attributes of the kernels of PTX and LLVM IR files with ptxas's (no GPU needed)
#[derive(Args, Debug)]
pub struct Task {
    /// ptxas
    #[arg(long)]
    ptxas: PathBuf,
    /// Where files are put for ptxas
    #[arg(long, default_value = "target/attributes")]
    folder: PathBuf,
    /// How many kernels of each difference are named
    #[arg(long, default_value_t = 5)]
    named: usize,
    /// Folders with `.ptx` and `.ll` files
    #[arg(required = true)]
    dirs: Vec<PathBuf>,
}

/// The chip that both assemble for.
const CHIP: &str = "sm_90a";

/// How an attribute is compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Rule {
    /// The value follows from the source.
    Value,
    /// It has places in the code; that it is there follows from the source.
    Presence,
    /// It follows from the choice of instructions or registers, or from the version of the tool.
    Choice,
}

/// What follows from instructions and registers that an assembler may choose: the versions of tools, too.
const CHOSEN: &[u8] = &[
    at::REGCOUNT,
    at::FRAME_SIZE,
    at::MIN_STACK_SIZE,
    at::CUDA_API_VERSION,
    at::EXIT_INSTR_OFFSETS,
    // Atomic operations of lanes on one address may be done once for the warp.
    at::INT_WARP_WIDE_INSTR_OFFSETS,
    // Lanes that part may have guards instead of places to meet.
    at::CRS_STACK_SIZE,
    // A jump by an index may be comparisons, and comparisons such a jump.
    at::INDIRECT_BRANCH_TARGETS,
    // A load may be wider than what is used of it.
    at::UNUSED_LOAD_BYTE_OFFSET,
    // Where registers are spilled.
    at::ANNOTATIONS,
];

/// What has places in the code.
const PLACES: &[u8] = &[
    at::COOP_GROUP_INSTR_OFFSETS,
    at::COOP_GROUP_MASK_REGIDS,
    at::MBARRIER_INSTR_OFFSETS,
    at::SYSCALL_OFFSETS,
    at::INSTR_REG_MAP,
    at::ATOM16_EMUL_INSTR_REG_MAP,
];

fn rule(attribute: u8) -> Rule {
    match attribute {
        one if CHOSEN.contains(&one) => Rule::Choice,
        one if PLACES.contains(&one) => Rule::Presence,
        _ => Rule::Value,
    }
}

/// How often an attribute is the same.
#[derive(Default)]
struct Count {
    same: usize,
    other: usize,
    only_ours: usize,
    only_theirs: usize,
    examples: Vec<String>,
}

#[derive(Default)]
struct Counts {
    kernels: usize,
    same: usize,
    refused: usize,
    not_taken: usize,
    attributes: BTreeMap<u8, Count>,
}

impl Task {
    /// Compares and prints.
    pub fn run(&self) -> Result<(), String> {
        let error = |error: std::io::Error| format!("{}: {error}", self.folder.display());
        fs::create_dir_all(&self.folder).map_err(error)?;
        let mut counts = Counts::default();
        for dir in &self.dirs {
            let mut files = Vec::new();
            find(dir, &mut files)?;
            files.sort();
            for file in &files {
                self.compare(file, &mut counts)?;
            }
        }
        counts.print();
        Ok(())
    }

    fn compare(&self, file: &Path, counts: &mut Counts) -> Result<(), String> {
        // With full debug information ptxas leaves functions apart, as other tools of a debugger want it.
        let taken = |module: &Module| {
            module.sm.number() <= NEWEST && !module.options.contains(&TargetOption::Debug)
        };
        let Some(module) = module(file).filter(taken) else {
            return Ok(());
        };
        let kernels = module
            .functions()
            .filter(|one| one.kind == FunctionKind::Entry && one.body.is_some());
        for kernel in kernels {
            let name = module.name(kernel.name);
            let text = alone(&module, name);
            let Ok(ours) = assembled_cubin(text.clone()) else {
                counts.refused += 1;
                continue;
            };
            let Some(theirs) = self.ptxas(&text)? else {
                counts.not_taken += 1;
                continue;
            };
            let place = format!("{} of {}", name, file.display());
            counts.add(&place, &attributes(&ours), &attributes(&theirs), self.named);
        }
        Ok(())
    }

    /// What ptxas makes of a module, if it takes it.
    fn ptxas(&self, text: &str) -> Result<Option<Cubin>, String> {
        let (input, output) = (
            self.folder.join("kernel.ptx"),
            self.folder.join("kernel.cubin"),
        );
        fs::write(&input, text).map_err(|error| format!("{}: {error}", input.display()))?;
        let mut command = Command::new(&self.ptxas);
        command
            .args(["-arch", CHIP])
            .arg(&input)
            .arg("-o")
            .arg(&output);
        let ran = command.output();
        let ran = ran.map_err(|error| format!("{}: {error}", self.ptxas.display()))?;
        if !ran.status.success() {
            return Ok(None);
        }
        let bytes = fs::read(&output).map_err(|error| format!("{}: {error}", output.display()))?;
        Ok(Cubin::read(&bytes).ok())
    }
}

/// The records of a cubin of one kernel, in words that do not depend on the numbers of its symbols.
fn attributes(cubin: &Cubin) -> BTreeMap<u8, Vec<String>> {
    let mut all: BTreeMap<u8, Vec<String>> = BTreeMap::new();
    let (_, symbols) = cubin.symbols();
    let name = |number: u32| {
        let symbol = symbols.get(number as usize);
        symbol.map_or_else(String::new, |one| cubin.symbol_name(one).into_owned())
    };
    for section in &cubin.sections {
        let Content::Info(records) = &section.content else {
            continue;
        };
        if !cubin.section_name(section).starts_with(".nv.info") {
            continue;
        }
        for record in records {
            let words = described(record, &name);
            all.entry(record.attribute).or_default().push(words);
        }
    }
    all
}

fn described(record: &Record, name: &dyn Fn(u32) -> String) -> String {
    match record.value() {
        Value::Function { symbol, number } => format!("{} {number:#x}", name(symbol)),
        Value::Symbols(all) => {
            let mut names: Vec<String> = all.into_iter().map(name).collect();
            names.sort();
            names.join(" ")
        }
        Value::Bank { offset, size, .. } => format!("{offset:#x} {size:#x}"),
        other => format!("{other:x?}"),
    }
}

impl Counts {
    fn add(
        &mut self,
        place: &str,
        ours: &BTreeMap<u8, Vec<String>>,
        theirs: &BTreeMap<u8, Vec<String>>,
        named: usize,
    ) {
        self.kernels += 1;
        let mut is_same = true;
        let mut numbers: Vec<u8> = ours.keys().chain(theirs.keys()).copied().collect();
        numbers.sort_unstable();
        numbers.dedup();
        for number in numbers {
            let count = self.attributes.entry(number).or_default();
            let (mine, other) = (ours.get(&number), theirs.get(&number));
            let agrees = match rule(number) {
                Rule::Presence => mine.is_some() && other.is_some(),
                _ => mine == other,
            };
            match (agrees, mine, other) {
                (true, ..) => count.same += 1,
                (false, Some(_), None) => count.only_ours += 1,
                (false, None, _) => count.only_theirs += 1,
                (false, Some(_), Some(_)) => count.other += 1,
            }
            if !agrees {
                is_same &= rule(number) == Rule::Choice;
                if rule(number) != Rule::Choice && count.examples.len() < named {
                    let words =
                        |one: Option<&Vec<String>>| one.map_or(String::new(), |one| one.join("; "));
                    let example = format!("{place}: ours {}, theirs {}", words(mine), words(other));
                    count.examples.push(example);
                }
            }
        }
        self.same += usize::from(is_same);
    }

    fn print(&self) {
        let share = 100.0 * self.same as f64 / self.kernels.max(1) as f64;
        println!(
            "{} of {} kernels have ptxas's attributes ({share:.1} %); {} are refused, {} ptxas does not take",
            self.same, self.kernels, self.refused, self.not_taken
        );
        println!("| attribute | compared | same | other | only ours | only ptxas's |");
        println!("|---|---|--:|--:|--:|--:|");
        for (number, count) in &self.attributes {
            let how = match rule(*number) {
                Rule::Value => "value",
                Rule::Presence => "presence",
                Rule::Choice => "-",
            };
            println!(
                "| {} | {how} | {} | {} | {} | {} |",
                attribute::name(attribute::INFO, *number),
                count.same,
                count.other,
                count.only_ours,
                count.only_theirs
            );
        }
        for (number, count) in &self.attributes {
            for example in &count.examples {
                println!("{}: {example}", attribute::name(attribute::INFO, *number));
            }
        }
    }
}
