//! `warpc-hw mutants`: damages in many kernels, tables of what was noticed.

use super::subject::Subject;
use super::try_damages;
use crate::kernels::{File, Suite};
use clap::Args;
use std::path::PathBuf;
use warpc_ptx_to_sass::Options;

/// What is damaged.
#[derive(Args, Clone, Debug)]
pub struct Task {
    /// Folders with modules of PTX; those without launches are only judged
    dirs: Vec<PathBuf>,
    /// Damages of each kind
    #[arg(long, default_value_t = 400)]
    tried: usize,
    /// Print so many damages that nobody noticed
    #[arg(long, default_value_t = 0)]
    survivors: usize,
}

/// The modules of suites, with many registers and with few.
pub fn subjects<'f>(files: &[&'f File]) -> Result<Vec<Subject<'f>>, String> {
    let plain = Options::default();
    let mut few = Options::default();
    few.spill = true;
    let mut all = Vec::new();
    for file in files {
        for options in [&plain, &few] {
            all.extend(Subject::of(file, options)?);
        }
    }
    Ok(all)
}

impl Task {
    /// Does it.
    pub fn run(&self) -> Result<(), String> {
        let mut suites = Vec::new();
        for dir in &self.dirs {
            suites.push(Suite::read(dir)?);
        }
        let files: Vec<&File> = suites.iter().flat_map(|suite| &suite.files).collect();
        let mut subjects = subjects(&files)?;
        let kernels: usize = subjects.iter().map(|one| one.kernels.len()).sum();
        println!("{} modules assembled, {kernels} kernels\n", subjects.len());
        let figures = try_damages(&mut subjects, self.tried);
        // Those that count against the judges first.
        let mut survivors = figures.survivors.clone();
        survivors.sort_by_key(|text| !text.contains("Missed"));
        for text in survivors.iter().take(self.survivors) {
            println!("{text}");
        }
        let (table, reasons) = figures.tables();
        println!("\n{table}\n{reasons}");
        let (noticed, of) = figures.noticed();
        println!("{noticed} of {of} that may do harm are noticed");
        match noticed * 100 >= of * 98 {
            true => Ok(()),
            false => Err("less than 98 % are noticed".to_owned()),
        }
    }
}
