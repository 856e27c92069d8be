//! How fast instructions are decoded, encoded, printed and read: `cargo bench -p warpc-sass --bench speed -- CUBIN…`.
//! All code of the cubins is taken in the order of the files, as real programs have it. Prints a section of
//! `docs/benchmarks.md`.
//!
//! The instructions are done in pieces, and of each piece the best of several runs counts: other work on the machine
//! would be measured otherwise.

use std::hint::black_box;
use std::time::{Duration, Instant};
use warpc_cubin::{Content, Cubin};
use warpc_sass::decode::decode;
use warpc_sass::encode::encode;

use warpc_sass::{Control, Inst, Shapes, parse, print};
use warpc_target::Sm;

/// Instructions of a piece.
const PIECE: usize = 4096;
/// Runs of each piece.
const RUNS: usize = 20;

fn main() {
    // Cargo hands over `--bench`.
    let files: Vec<String> = std::env::args()
        .skip(1)
        .filter(|arg| !arg.starts_with('-'))
        .collect();
    let code: Vec<(Sm, u128)> = files.iter().flat_map(|file| words(file)).collect();
    let known: Vec<Known> = code.iter().filter_map(|one| known(one.0, one.1)).collect();
    if known.is_empty() {
        return;
    }
    println!(
        "## Machine code\n\n{} instructions of {} cubins ({} unknown), one thread:\n",
        code.len(),
        files.len(),
        code.len() - known.len()
    );
    println!("| way | million instructions a second |\n|---|---|");
    let row = |what: &str, each: &dyn Fn(&Known)| {
        let total: Duration = known.chunks(PIECE).map(|piece| best(piece, each)).sum();
        let rate = known.len() as f64 / total.as_secs_f64() / 1e6;
        println!("| {what} | {rate:.1} |");
    };
    row("decode: word to instruction", &|one| {
        black_box(decode(one.sm, one.word));
    });
    row("encode: instruction to word", &|one| {
        let _ = black_box(encode(&one.inst));
    });
    row("shape: word to shape", &|one| {
        black_box(Shapes::of_word(one.sm, one.word));
    });
    row("print: word to text", &|one| {
        black_box(print::text(one.sm, one.word, 0));
    });
    row("parse: text to word", &|one| {
        let control = Control::of(one.word);
        black_box(parse::word(one.sm, &one.text, control, 0));
    });
}

/// An instruction in all its shapes.
struct Known {
    sm: Sm,
    word: u128,
    inst: Inst,
    text: String,
}

fn known(sm: Sm, word: u128) -> Option<Known> {
    let inst = decode(sm, word)?;
    Some(Known {
        sm,
        word,
        inst,
        text: print::full_text(sm, word, 0)?,
    })
}

/// The code of a cubin.
fn words(file: &str) -> Vec<(Sm, u128)> {
    let bytes = std::fs::read(file).expect("the file can be read");
    let cubin = Cubin::read(&bytes).expect("the file is a cubin");
    let sm = cubin.chip().expect("the chip is known");
    let mut words = Vec::new();
    for section in cubin.sections.iter().filter(|section| section.is_code()) {
        if let Content::Bytes(bytes) = &section.content {
            let (chunks, _) = bytes.as_chunks::<16>();
            words.extend(chunks.iter().map(|word| (sm, u128::from_le_bytes(*word))));
        }
    }
    words
}

/// The best time of several runs.
fn best<T>(piece: &[T], each: &dyn Fn(&T)) -> Duration {
    let run = |_| {
        let start = Instant::now();
        piece.iter().for_each(each);
        start.elapsed()
    };
    (0..RUNS).map(run).min().unwrap_or_default()
}
