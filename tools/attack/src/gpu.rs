//! Programs to be run on a GPU: PTX with launches at its top, as the kernel suite has them.

use crate::check::{Case, LEVELS};
use crate::machine::{self, Ask, Job};
use crate::program::THREADS;
use crate::text::Module;
use std::fmt::Write;

/// Words of a buffer, as launches write them.
fn words(bytes: &[u8]) -> String {
    let words = bytes.chunks(8).map(|chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        format!("0x{:x}", u64::from_le_bytes(word))
    });
    words.collect::<Vec<_>>().join(",")
}

/// The launch of a program, with what it must write.
fn launch(case: &Case) -> String {
    let Job {
        kernel,
        input,
        output,
        values,
        ..
    } = case.job();
    let mut line = format!(
        "// run: --kernel {kernel} --grid 1 --block {THREADS} --arg u64[]={} --arg u64[{}]=0",
        words(&input),
        output.len() / 8
    );
    for value in values {
        let hex: String = value.iter().map(|byte| format!("{byte:02x}")).collect();
        let _ = write!(line, " --arg hex:{hex}");
    }
    let _ = write!(line, " --expect 1:={}", words(&case.expected));
    line
}

/// The PTX of some programs for a chip, from one of the levels of LLVM's optimiser in turn.
pub fn module(seeds: &[u64], turn: usize, chip: &'static str) -> Result<String, String> {
    let cases: Vec<Case> = seeds.iter().copied().map(Case::of).collect();
    let mut module = Module::default();
    cases
        .iter()
        .for_each(|case| module.add(&case.program, &case.seen));
    let text = match LEVELS[turn % LEVELS.len()] {
        "-O0" => module.text(),
        level => machine::opt(level, &module.text())?,
    };
    let ask = Ask {
        level: [3, 3, 0, 1][turn / LEVELS.len() % 4],
        ..Ask::chip(chip)
    };
    let ptx = machine::ours(ask, &text)?;
    let launches: Vec<String> = cases.iter().map(launch).collect();
    Ok(format!("{}\n{ptx}", launches.join("\n")))
}
