//! From LLVM IR to PTX at the sizes that users compile, ours next to `llc-22 -O2`, by processor time.
//!
//! Kernels of 20 to 20,000 instructions, one or forty in a file, as clang writes them ([`clang_like`]), and modules of clang
//! itself from the corpus. Whole processes on one thread, run in batches: the system tells the time of children in
//! hundredths of a second only. Batches of both programs take turns, and the median counts. What an empty module costs
//! is measured in the same way, so that the work without the start can be compared; `warpc bench-compile` measures it
//! from inside, too.

use super::{clang_like, number};
use crate::process;
use crate::project::{self, Outcome};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Kernels, and instructions of each.
const SIZES: [(usize, usize); 7] = [
    (1, 20),
    (1, 100),
    (1, 500),
    (40, 20),
    (40, 100),
    (40, 500),
    (1, 20_000),
];
/// Modules of clang, small to large.
const CORPUS: [&str; 5] = [
    "ll/clang-22/O2/kernels-fractal.ll",
    "ll/clang-22/O2/kernels-reduce.ll",
    "ll/clang-22/O2/cuda-transpose.ll",
    "ll/clang-22/O2/cuda-fft.ll",
    "ll/clang-22/O2/library-cub_sort.ll",
];
/// The chip.
const CHIP: &str = "sm_90";
/// Batches of each program.
const ROUNDS: usize = 5;
/// Seconds of processor time that a batch of ours should take, so that a hundredth of a second is little of it.
const BATCH: f64 = 0.3;

/// What a module costs in seconds of the processor.
struct Cost {
    ours: f64,
    llc: f64,
    /// Without the start of the process, measured from inside.
    inside: f64,
}

/// The table of the page, and what it says.
pub(super) fn table(warpc: &Path) -> Outcome<String> {
    let folder = project::root().join("target/bench");
    project::make_dir(&folder)?;
    let empty = folder.join("empty.ll");
    project::write(&empty, "target triple = \"nvptx64-nvidia-cuda\"\n")?;
    let start = measure(warpc, &empty)?;
    let mut modules: Vec<(String, PathBuf)> = Vec::new();
    for (kernels, instructions) in SIZES {
        let file = folder.join(format!("like_{kernels}x{instructions}.ll"));
        project::write(&file, clang_like::module(kernels, instructions))?;
        let name = match kernels {
            1 => format!("one kernel of {instructions}"),
            _ => format!("{kernels} kernels of {instructions}"),
        };
        modules.push((name, file));
    }
    let of_clang = CORPUS.map(|name| (name.into(), project::corpus_dir().join(name)));
    modules.extend(of_clang.into_iter().filter(|(_, file)| file.exists()));
    let mut lines = Vec::new();
    for (name, file) in modules {
        let text = project::read(&file)?;
        let instructions = text.lines().filter(|line| line.starts_with("  ")).count();
        let cost = measure(warpc, &file)?;
        let without = (cost.llc - start.llc).max(0.0);
        let line = format!(
            "| {name} | {instructions} | {:.2} ms | {:.1} ms | {:.1}x | {:.2} ms | {:.1} ms | {:.1}x |",
            cost.ours * 1e3,
            cost.llc * 1e3,
            cost.llc / cost.ours,
            cost.inside * 1e3,
            without * 1e3,
            without / cost.inside,
        );
        println!("{line}");
        lines.push(line);
    }
    Ok(format!(
        "| module | instructions | our processor time | llc-22 -O2 | ratio | ours in process | llc without its start | ratio |
|---|---|---|---|---|---|---|---|
{}

Processor time of whole processes for {CHIP}, medians of {ROUNDS} batches. An empty module takes {:.2} ms and {:.1} ms. *In process*
is the median of compilations one after another in one process; *without its start* is llc's time less that for an empty module.
",
        lines.join("\n"),
        start.ours * 1e3,
        start.llc * 1e3,
    ))
}

fn measure(warpc: &Path, module: &Path) -> Outcome<Cost> {
    let out = project::root().join("target/bench/compiled.ptx");
    let ours = || {
        let mut command = Command::new(warpc);
        // llc drops the orders of atomics; clang writes CUDA's relaxed ones as if they were stricter.
        command.args(["compile", "-j", "1", "--arch", CHIP, "--atomics", "cuda"]);
        command.arg(module).arg("-o").arg(&out);
        command
    };
    let llc = || {
        let mut command = Command::new("llc-22");
        command.args(["-O2", &format!("-mcpu={CHIP}")]);
        command.arg(module).arg("-o").arg(&out);
        command
    };
    let once = batch(4, ours)?.max(5e-4);
    let runs = ((BATCH / once) as usize).clamp(3, 400);
    let (mut our_times, mut llc_times) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        our_times.push(batch(runs, ours)?);
        llc_times.push(batch((runs / 8).max(3), llc)?);
    }
    let mut inside = Command::new(warpc);
    inside.args(["bench-compile", "--arch", CHIP]).arg(module);
    let said = process::must("warpc bench-compile", &mut inside)?;
    let nanoseconds = number(&said, "compile_ns");
    Ok(Cost {
        ours: median(our_times),
        llc: median(llc_times),
        inside: nanoseconds.ok_or_else(|| format!("warpc bench-compile gives no time: {said}"))?
            / 1e9,
    })
}

/// The processor time of a run, on average over a batch.
fn batch(runs: usize, command: impl Fn() -> Command) -> Outcome<f64> {
    let before = process::time_of_programs();
    for _ in 0..runs {
        let mut command = command();
        let name = command.get_program().to_string_lossy().into_owned();
        process::must(&name, &mut command)?;
    }
    Ok((process::time_of_programs() - before) / runs as f64)
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
