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
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use std::io::{self, Read, Write};

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
        if digest(text.as_bytes()) != self.text {
            let reason = "the program has changed: record the answers anew with `./x ll programs`";
            return Verdict::Unclear(reason.into());
        }
        let ptx = match ours::compile(ours::chip(self.seed), &text) {
            Ok(ptx) => ptx,
            Err(message) => return judge::not_compiled(message),
        };
        match on_sim::run(&ptx, self.seed) {
            Ok(output) if digest(&output) == self.output => Verdict::Same,
            Ok(_) => Verdict::Different("what it writes is not what LLVM's code writes".into()),
            Err(message) => Verdict::Failed(message),
        }
    }
}

/// FNV-1a: the same on every machine and in every release.
pub fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |h, byte| {
        (h ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
    })
}

/// Asks LLVM about the programs of the first seeds; gives the lines of the file.
pub fn lines(count: u64, progress: &mut dyn FnMut(u64)) -> Vec<String> {
    let mut lines = Vec::new();
    for seed in 0..count {
        let text = draft::program(seed).text();
        lines.push(match judge::reference(seed, &text) {
            Ok(output) => {
                let (text, output) = (digest(text.as_bytes()), digest(&output));
                format!("program\t{seed}\t{text:016x}\t{output:016x}")
            }
            Err(reason) => format!("unclear\t{seed}\t{}", reason.replace(['\t', '\n'], " ")),
        });
        progress(seed + 1);
    }
    lines
}

/// Packs lines.
pub fn pack(lines: &[String]) -> io::Result<Vec<u8>> {
    let mut out = GzEncoder::new(Vec::new(), Compression::best());
    out.write_all(lines.join("\n").as_bytes())?;
    out.finish()
}

/// The programs of a packed file that LLVM is clear about.
pub fn read(bytes: &[u8]) -> io::Result<Vec<Recorded>> {
    let mut text = String::new();
    GzDecoder::new(bytes).read_to_string(&mut text)?;
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
