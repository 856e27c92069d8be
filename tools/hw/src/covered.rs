//! Which kernels of other people's programs warpc assembles: PTX files, and LLVM IR by way of our own PTX.
//!
//! A module counts as its kernels, each assembled alone with the functions and variables around it, and judged.

pub mod records;

use clap::Args;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use warpc::{Options, Source};
use warpc_cubin::Cubin;
use warpc_diag::SourceFile;
use warpc_ptx::Module;
use warpc_ptx::module::{FunctionKind, Item};

/// The chip that is assembled for.
const CHIP: &str = "sm_90a";

/// The newest chip whose PTX is taken; what newer chips add, this one does not have.
pub const NEWEST: u16 = 90;

/// Count the kernels of PTX and LLVM IR files that warpc assembles (no GPU needed)
#[derive(Args, Debug)]
pub struct Task {
    /// Folders with `.ptx` and `.ll` files, and recorded tables of instructions (`tests/oracle/ptx_*.tsv.gz`)
    #[arg(required = true)]
    dirs: Vec<PathBuf>,
    /// Show so many refused instructions of each opcode of a table
    #[arg(long, default_value_t = 0)]
    show: usize,
}

/// What was counted.
#[derive(Default)]
struct Counts {
    files: usize,
    /// Files that are not for this chip, or that are not a module.
    others: usize,
    kernels: usize,
    taken: usize,
    /// For each reason how many kernels are refused.
    refused: BTreeMap<String, usize>,
}

impl Task {
    /// Counts and prints.
    pub fn run(&self) -> Result<(), String> {
        for dir in &self.dirs {
            if dir.is_file() {
                records::print(dir, self.show);
                continue;
            }
            let mut files = Vec::new();
            find(dir, &mut files)?;
            files.sort();
            let mut counts = Counts::default();
            for file in &files {
                counts.add(file);
            }
            counts.print(dir);
        }
        Ok(())
    }
}

impl Counts {
    fn add(&mut self, file: &Path) {
        let module = match module(file) {
            Some(module) if module.sm.number() <= NEWEST => module,
            _ => {
                self.others += 1;
                return;
            }
        };
        self.files += 1;
        let kernels = module
            .functions()
            .filter(|one| one.kind == FunctionKind::Entry);
        for kernel in kernels.filter(|kernel| kernel.body.is_some()) {
            self.kernels += 1;
            match assembled_cubin(alone(&module, module.name(kernel.name))) {
                Ok(_) => self.taken += 1,
                Err(why) => *self.refused.entry(why).or_default() += 1,
            }
        }
    }

    fn print(&self, dir: &Path) {
        let share = 100.0 * self.taken as f64 / self.kernels.max(1) as f64;
        println!(
            "{}: {} files, {} of {} kernels assembled ({share:.1} %); {} files are for other chips",
            dir.display(),
            self.files,
            self.taken,
            self.kernels,
            self.others
        );
        let mut refused: Vec<_> = self.refused.iter().collect();
        refused.sort_by_key(|(_, kernels)| std::cmp::Reverse(**kernels));
        for (why, kernels) in refused {
            println!("{kernels:6}  {why}");
        }
    }
}

/// The PTX of a file as a module.
pub fn module(file: &Path) -> Option<Module> {
    let text = if file.extension().is_some_and(|ending| ending == "ll") {
        let source = Source::read(file).ok()?;
        let options = Options::new(CHIP.parse().ok()?);
        warpc::compile(&source, &options).value?.to_string()
    } else {
        String::from_utf8(fs::read(file).ok()?).ok()?
    };
    let source = SourceFile::new("module.ptx", text)?;
    let checked = warpc_ptx::check(&source);
    checked.value.filter(|_| !checked.diagnostics.has_errors())
}

/// The text of a module without its other kernels.
pub fn alone(module: &Module, kernel: &str) -> String {
    let mut module = module.clone();
    let mut items = std::mem::take(&mut module.items);
    items.retain(|item| match item {
        Item::Function(one) => one.kind != FunctionKind::Entry || module.name(one.name) == kernel,
        _ => true,
    });
    module.items = items;
    warpc_ptx::print(&module)
}

/// The cubin of a module, judged; why there is none.
pub fn assembled_cubin(text: String) -> Result<Cubin, String> {
    let mut options = Options::new(CHIP.parse().map_err(|_| "no such chip".to_owned())?);
    options.assembler.verify = true;
    let source = Source::new("kernel.ptx", text).map_err(|error| error.to_string())?;
    let made = warpc::assemble(&source, &options);
    match made.value {
        Some(cubin) => Ok(cubin),
        None => {
            let first = made.diagnostics.first_error();
            Err(first.map_or_else(String::new, |one| one.message.clone()))
        }
    }
}

/// The files below a folder.
pub fn find(dir: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = fs::read_dir(dir).map_err(|e| format!("cannot read {}: {e}", dir.display()))?;
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            find(&path, files)?;
        } else if path
            .extension()
            .is_some_and(|ending| ending == "ptx" || ending == "ll")
        {
            files.push(path);
        }
    }
    Ok(())
}
