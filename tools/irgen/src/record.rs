//! What LLVM's code wrote for many programs, as digests: tests need no LLVM.
//!
//! ```text
//!   program  SEED  digest of the text  digest of the output
//!   unclear  SEED  why LLVM says nothing about it
//! ```
//!
//! The text is made anew from the seed; its digest tells when the generator has changed.

use crate::judge::{self, Verdict};
use crate::{draft, on_sim, ours};
use std::io;
use warpc_testkit::gzip;
use warpc_testkit::hash::fnv1a;

/// A program with the answer of LLVM's code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Recorded {
    /// The seed.
    pub seed: u64,
    /// Digest of the text.
    pub text: u64,
    /// Digest of the output.
    pub output: u64,
}

impl Recorded {
    /// Our compiler's code beside the answer.
    pub fn verdict(&self) -> Verdict {
        let text = draft::program(self.seed).text();
        if fnv1a(&text) != self.text {
            let reason = "the program has changed: record the answers anew with `./x ll programs`";
            return Verdict::Unclear(reason.into());
        }
        let ptx = match ours::compile(ours::chip(self.seed), &text) {
            Ok(ptx) => ptx,
            Err(message) => return judge::not_compiled(message),
        };
        match on_sim::run(&ptx, self.seed) {
            Ok(output) if fnv1a(&output) == self.output => Verdict::Same,
            Ok(_) => Verdict::Different("what it writes is not what LLVM's code writes".into()),
            Err(message) => Verdict::Failed(message),
        }
    }
}

/// Asks LLVM about the programs of the first seeds; gives the lines of the file.
pub fn lines(count: u64, progress: &mut dyn FnMut(u64)) -> Vec<String> {
    let mut lines = Vec::new();
    for seed in 0..count {
        let text = draft::program(seed).text();
        lines.push(match judge::reference(seed, &text) {
            Ok(output) => {
                let (text, output) = (fnv1a(&text), fnv1a(&output));
                format!("program\t{seed}\t{text:016x}\t{output:016x}")
            }
            Err(reason) => format!("unclear\t{seed}\t{}", reason.replace(['\t', '\n'], " ")),
        });
        progress(seed + 1);
    }
    lines
}

/// Packs lines.
pub fn pack(lines: &[String]) -> Vec<u8> {
    gzip::pack(lines.join("\n"))
}

/// The programs of a packed file that LLVM is clear about.
pub fn read(bytes: &[u8]) -> io::Result<Vec<Recorded>> {
    let text = gzip::unpack_text(bytes)?;
    let mut all = Vec::new();
    for line in text.lines().filter(|line| line.starts_with("program\t")) {
        let bad = || io::Error::other(format!("cannot read `{line}`"));
        let cells: Vec<&str> = line.split('\t').collect();
        let [_, seed, text, output] = cells[..] else {
            return Err(bad());
        };
        let hex = |text: &str| u64::from_str_radix(text, 16).map_err(|_| bad());
        all.push(Recorded {
            seed: seed.parse().map_err(|_| bad())?,
            text: hex(text)?,
            output: hex(output)?,
        });
    }
    Ok(all)
}
