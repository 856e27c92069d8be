//! Products of a warpgroup (`wgmma`) on the GPU of this machine: from cubins of warpc against the driver's own assembler.
//!
//! ```text
//!   Case ── kernel: 128 threads fill shared memory, load the accumulator, multiply, store it
//!       └── data:   random elements of the type, small enough that sums stay finite
//! ```
//!
//! Both run the same PTX on the same input; every byte of the results must be the same. No answers are recorded: whether the
//! emulator computes the same bits is not known yet.

pub mod case;

use case::Case;
use std::fmt::Write;
use std::io;
use std::path::Path;
use warpc::{Options, Source};
use warpc_driver::{DriverError, Gpu, Loaded};
use warpc_sim::{Argument, Launch};
use warpc_testkit::Random;
use warpc_testkit::hash::fnv1a;

/// Cases of a module.
const BATCH: usize = 24;
/// Blocks of a launch.
const BLOCKS: usize = 8;

/// The name of the kernel with this number in its module.
pub fn kernel_name(number: usize) -> String {
    format!("group{number}")
}

/// A module with a kernel for each case.
pub fn module(cases: &[Case]) -> String {
    let mut out = ".version 8.4\n.target sm_90a\n.address_size 64\n\n".to_owned();
    for (number, case) in cases.iter().enumerate() {
        out.push_str(&case.kernel(&kernel_name(number)));
    }
    out
}

/// Assembles a module with warpc; the error is what it does not support.
pub fn assemble(text: &str) -> Result<Vec<u8>, String> {
    let mut options = Options::new("sm_90a".parse().map_err(|_| "sm_90a is not a chip")?);
    options.assembler.verify = true;
    let source = Source::new("groups.ptx", text).map_err(|error| error.to_string())?;
    let made = warpc::assemble(&source, &options);
    match made.value {
        Some(cubin) => Ok(cubin.write()),
        None => {
            let first = made.diagnostics.first_error();
            Err(first.map_or_else(String::new, |one| one.message.clone()))
        }
    }
}

/// Runs every case whose text has `filter` in it both ways, and writes `groups.tsv` into a folder. Gives a summary.
pub fn run(filter: Option<&str>, out: &Path) -> io::Result<String> {
    let gpu = Gpu::open().map_err(io::Error::other)?;
    let mut cases = case::all();
    cases.retain(|case| filter.is_none_or(|part| case.text().contains(part)));
    let mut table = "verdict\tcase\twhat\n".to_owned();
    let (mut same, mut other, mut failed) = (0, 0, 0);
    for batch in cases.chunks(BATCH) {
        for (case, outcome) in batch.iter().zip(both(&gpu, batch)) {
            let (verdict, what) = match outcome {
                Ok(None) => {
                    same += 1;
                    ("same", String::new())
                }
                Ok(Some(difference)) => {
                    other += 1;
                    ("other", difference)
                }
                Err(error) => {
                    failed += 1;
                    ("failed", error.replace('\n', " "))
                }
            };
            let _ = writeln!(table, "{verdict}\t{}\t{what}", case.text());
        }
    }
    std::fs::create_dir_all(out)?;
    std::fs::write(out.join("groups.tsv"), table)?;
    Ok(format!(
        "{}: {} cases; {same} the same from warpc's cubin and the driver's, {other} different, {failed} failed",
        gpu.name(),
        cases.len()
    ))
}

/// Runs cases both ways; where a module is refused, each in a module of its own.
fn both(gpu: &Gpu, cases: &[Case]) -> Vec<Result<Option<String>, String>> {
    let text = module(cases);
    let loaded = assemble(&text).and_then(|cubin| {
        let own = gpu.load_cubin(&cubin).map_err(|e| format!("cubin: {e}"))?;
        let drivers = gpu.load(&text).map_err(|e| format!("driver: {e}"))?;
        Ok((own, drivers))
    });
    match loaded {
        Ok((own, drivers)) => (cases.iter().enumerate())
            .map(|(number, case)| {
                let expected = launch(gpu, &drivers, number, case).map_err(|e| e.to_string())?;
                let found = launch(gpu, &own, number, case).map_err(|e| e.to_string())?;
                Ok(difference(&found, &expected))
            })
            .collect(),
        Err(error) if cases.len() == 1 => vec![Err(error)],
        Err(_) => (cases.iter())
            .flat_map(|case| both(gpu, std::slice::from_ref(case)))
            .collect(),
    }
}

fn difference(found: &[u8], expected: &[u8]) -> Option<String> {
    let words = found
        .as_chunks::<4>()
        .0
        .iter()
        .zip(expected.as_chunks::<4>().0);
    let mut different = words.enumerate().filter(|(_, (a, b))| a != b);
    let (at, (a, b)) = different.next()?;
    let (a, b) = (u32::from_le_bytes(*a), u32::from_le_bytes(*b));
    let count = 1 + different.count();
    let words = expected.len() / 4;
    Some(format!(
        "{count} of {words} words, the first at {at}: {a:#010x}, expected {b:#010x}"
    ))
}

fn launch(gpu: &Gpu, loaded: &Loaded, number: usize, case: &Case) -> Result<Vec<u8>, DriverError> {
    let kernel = loaded.kernel(&kernel_name(number))?;
    let mut random = Random::new(fnv1a(case.text()));
    let input: Vec<u8> = (0..BLOCKS).flat_map(|_| case.input(&mut random)).collect();
    let input = gpu.buffer(&input)?;
    let output = gpu.alloc(case.output_bytes() * BLOCKS)?;
    output.fill(0)?;
    let launch = Launch {
        kernel: kernel_name(number),
        grid: [BLOCKS as u32, 1, 1],
        block: [128, 1, 1],
        cluster: None,
        dynamic_shared: 0,
        cooperative: false,
        arguments: vec![Argument::Buffer(0), Argument::Buffer(1)],
    };
    gpu.launch(&kernel, &launch, &[&input, &output])?;
    gpu.synchronize()?;
    output.download()
}
