//! Cubins on the emulator of machine code: the kernels written by hand, and the form suite's as ptxas assembles them.

use crate::forms::{self, CELL, Case};
use crate::on_sim;
use crate::sass::case::Case as Launched;
use warpc_cubin::Cubin;
use warpc_diag::Diagnostics;
use warpc_sass_sim::{Device, Options};

/// Thread instructions after which a run is stopped: none of the suites' kernels takes as many.
const LIMIT: u64 = 500_000_000;

fn options() -> Options {
    Options {
        limit: Some(LIMIT),
        ..Options::default()
    }
}

fn first(diagnostics: Diagnostics) -> String {
    let first = diagnostics.as_slice().first();
    first.map_or_else(String::new, |one| one.message.clone())
}

/// Runs a launch of a kernel written by hand. The error says what it left wrong, or what was found.
pub fn run_hand(cubin: &Cubin, case: &Launched) -> Result<(), String> {
    let mut device = Device::new(cubin, options()).map_err(first)?;
    for bytes in &case.before {
        device.buffer(bytes);
    }
    let report = device.launch(&case.launch).map_err(first)?;
    if let Some(finding) = report.findings.first() {
        let problem = finding.problem.message();
        return Err(format!(
            "at {:#x}, `{}`: {problem}",
            finding.place, finding.text
        ));
    }
    for (number, after) in case.after.iter().enumerate() {
        if device.read(number) != *after {
            return Err(format!("buffer {number} is wrong"));
        }
    }
    Ok(())
}

/// The results of the form suite's kernels, from the cubin of their module, as [`on_sim::run_module`] has them.
pub fn run_module(cubin: &Cubin, cases: &[Case], tuples: usize) -> Vec<Result<Vec<u64>, String>> {
    let run = |(number, case): (usize, &Case)| {
        let mut device = Device::new(cubin, options()).map_err(first)?;
        let sources = device.buffer(&on_sim::sources(case, tuples));
        let count = case.draft.results.len();
        let results = device.buffer(&vec![0; 8 * count * tuples]);
        let cells = device.buffer(&vec![0; CELL as usize * tuples]);
        let launch = on_sim::launch(number, tuples, &[sources, results, cells]);
        let report = device.launch(&launch).map_err(first)?;
        if let Some(finding) = report.findings.first() {
            let problem = finding.problem.message();
            return Err(format!(
                "at {:#x}, `{}`: {problem}",
                finding.place, finding.text
            ));
        }
        let bytes = device.read(results);
        let values = bytes.chunks_exact(8).zip(0..);
        let value = |(chunk, i): (&[u8], usize)| {
            let value = u64::from_le_bytes(chunk.try_into().expect("eight bytes"));
            value & (u64::MAX >> (64 - case.draft.results[i % count].bits))
        };
        Ok(values.map(value).collect())
    };
    cases.iter().enumerate().map(run).collect()
}

/// The text of the module of some cases.
pub fn module_text(cases: &[Case]) -> String {
    forms::module(cases.iter().map(|case| &case.draft))
}
