//! Random structured kernels: whatever the order in which threads run, the results are those of each
//! thread alone.
//!
//! ```text
//!   Random ── generate ──► Program ──┬─ emit ─────► PTX ── emulator ──► words, tally
//!                                    └─ evaluate, thread by thread ───► words, tally
//! ```
//!
//! A program branches, loops, breaks, switches and calls on what depends on the thread, so that its
//! warps fall apart in all ways. Threads exchange values where they meet between sections, and add to
//! a tally that counts what every single one of them does.

mod emit;
mod evaluate;
mod generate;
mod program;

use program::{OLD, Program, VARIABLES};
use warpc_diag::{SourceFile, render_human};
use warpc_sim::{Argument, Device, Launch, Options};
use warpc_testkit::Random;

/// Blocks of the grid, and threads of a block in x, y and z.
type Shape = (u32, [u32; 3]);

const SHAPES: [Shape; 5] = [
    (1, [32, 1, 1]),
    (2, [48, 1, 1]),
    (1, [7, 5, 3]),
    (3, [5, 1, 1]),
    (2, [16, 16, 1]),
];

/// Runs a program on the emulator: the words of each thread, and the tally.
fn emulate(text: &str, (grid, block): Shape, seed: u64) -> (Vec<u32>, u32) {
    let file = SourceFile::new("program.ptx", text.to_owned()).expect("a short text");
    let checked = warpc_ptx::check(&file);
    assert!(
        !checked.diagnostics.has_errors(),
        "{}\n{text}",
        render_human(&file, &checked.diagnostics, false)
    );
    let options = Options {
        seed,
        jobs: 1 + seed as usize % 2,
        // A fault of the emulator must not make a test that never ends.
        limit: Some(100_000_000),
        ..Options::default()
    };
    let mut device = Device::new(checked.value.as_ref().unwrap(), options);
    let threads: u32 = grid * block.iter().product::<u32>();
    let old = vec![OLD; threads as usize * VARIABLES];
    let bytes: Vec<u8> = old.iter().flat_map(|word| word.to_le_bytes()).collect();
    let (out, tally) = (device.buffer(&bytes), device.buffer(&[0; 4]));
    let launch = Launch {
        kernel: "k".to_owned(),
        grid: [grid, 1, 1],
        block,
        cluster: None,
        dynamic_shared: 0,
        cooperative: false,
        arguments: vec![Argument::Buffer(out), Argument::Buffer(tally)],
    };
    if let Err(findings) = device.launch(&launch) {
        panic!(
            "{grid} {block:?}, seed {seed}:\n{}\n{text}",
            render_human(&file, &findings, false)
        );
    }
    let words = |buffer: usize| -> Vec<u32> {
        let bytes = device.read(buffer);
        let words = bytes.chunks_exact(4);
        words
            .map(|word| u32::from_le_bytes(word.try_into().expect("four bytes")))
            .collect()
    };
    (words(out), words(tally)[0])
}

fn check(number: u64, shape: Shape, seeds: &[u64]) {
    let program = Program::random(&mut Random::new(number));
    let text = emit::text(&program);
    let expected = evaluate::grid(&program, shape);
    for &seed in seeds {
        let (words, tally) = emulate(&text, shape, seed);
        for (thread, (ours, wanted)) in words
            .chunks(VARIABLES)
            .zip(expected.words.chunks(VARIABLES))
            .enumerate()
        {
            assert_eq!(
                ours, wanted,
                "program {number}, shape {shape:?}, seed {seed}, thread {thread}\n{text}"
            );
        }
        assert_eq!(
            tally, expected.tally,
            "program {number}, shape {shape:?}, seed {seed}: the tally\n{text}"
        );
    }
}

#[test]
fn order_does_not_matter() {
    for number in 0..150 {
        check(number, SHAPES[number as usize % SHAPES.len()], &[0, 1, 2]);
    }
}

#[test]
fn shapes_do_not_matter() {
    for number in 150..180 {
        SHAPES.iter().for_each(|shape| check(number, *shape, &[3]));
    }
}

/// The programs are worth it: every kind of statement comes often, and warps do fall apart.
#[test]
fn programs_are_varied() {
    let texts: Vec<String> = (0..50)
        .map(|number| emit::text(&Program::random(&mut Random::new(number))))
        .collect();
    let count = |word: &str| texts.iter().filter(|text| text.contains(word)).count();
    for word in [
        "brx.idx",
        "call (",
        "prototype;",
        "exit;",
        "bra L",
        "redux",
        "shfl",
        "bar.sync",
        "red.global",
        "ld.local",
    ] {
        assert!(
            count(word) >= 10,
            "{word} is in {} of 50 programs",
            count(word)
        );
    }
}
