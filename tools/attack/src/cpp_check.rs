//! C++ programs through clang and our compiler, beside the same source on the host.

use crate::check::{Count, Fault};
use crate::cpp::{self, INPUT, OUTPUT, ROWS};
use crate::functions::Native;
use crate::machine::{self, Ask, CHIPS, Job};

const FLAGS: [&str; 8] = [
    "-std=c++20",
    "-ffp-contract=off",
    "-fno-exceptions",
    "-fno-rtti",
    "-fno-math-errno",
    "-w",
    "-xc++",
    "-",
];

/// Levels of clang.
pub const LEVELS: [&str; 3] = ["-O0", "-O2", "-O3"];

/// LLVM IR of clang for the GPU.
fn ir(level: &str, text: &str) -> Result<String, String> {
    let target = [
        "--target=nvptx64-nvidia-cuda",
        "-march=sm_75",
        "-Xclang",
        "-target-feature",
        "-Xclang",
        "+ptx63",
        "-nostdlibinc",
        "-S",
        "-emit-llvm",
        "-o",
        "-",
        level,
    ];
    machine::command("clang++-22", &[&target[..], &FLAGS].concat(), text)
}

/// Tries some programs; they share a source.
pub fn set(seeds: &[u64], native: &Native, count: &mut Count) -> Result<Vec<Fault>, String> {
    let mut faults = Vec::new();
    let host = cpp::source(seeds, false);
    let mut answers: Vec<Vec<Option<Vec<u8>>>> = Vec::new();
    for level in ["-O0", "-O2"] {
        native.link_source(level, &FLAGS, &host)?;
        let plan: Vec<_> = seeds
            .iter()
            .map(|seed| (INPUT, OUTPUT, cpp::input(*seed), vec![0; OUTPUT * ROWS]))
            .collect();
        let ran = native.run(level, ROWS, &plan)?;
        if answers.is_empty() {
            answers = ran;
            continue;
        }
        for ((seed, a), b) in seeds.iter().zip(&mut answers).zip(ran) {
            if *a != b {
                // The generator let something open: the program says nothing, and the generator is to be mended.
                faults.push(Fault {
                    seed: *seed,
                    how: "host".into(),
                    what: "generator: -O0 and -O2 differ on the host".into(),
                });
                a.clear();
            }
        }
    }
    count.programs += seeds.len();
    let device = cpp::source(seeds, true);
    for (turn, level) in LEVELS.iter().enumerate() {
        let text = ir(level, &device)?;
        for (i, chip) in CHIPS.iter().enumerate() {
            let ask = Ask {
                level: [3, 0, 2, 1][(turn + i + seeds[0] as usize) % 4],
                ..Ask::chip(chip)
            };
            let how = format!("{level} {chip} -O{}", ask.level);
            let fault = |seed: u64, what: String| Fault {
                seed,
                how: how.clone(),
                what,
            };
            let jobs: Vec<Job> = seeds.iter().map(|seed| job(*seed)).collect();
            let ran = machine::ours(ask, &text)
                .map_err(|message| format!("refused: {message}"))
                .and_then(|ptx| {
                    machine::emulate(&ptx, &jobs).map_err(|message| format!("module: {message}"))
                });
            let ran = match ran {
                Ok(ran) => ran,
                Err(message) => {
                    faults.push(fault(seeds[0], message));
                    continue;
                }
            };
            for ((seed, rows), output) in seeds.iter().zip(&answers).zip(ran) {
                if rows.is_empty() {
                    continue;
                }
                count.runs += 1;
                match output {
                    Err(message) => faults.push(fault(*seed, format!("fault: {message}"))),
                    Ok(bytes) => {
                        let rows_of = bytes.chunks(OUTPUT).zip(rows);
                        let bad = rows_of.enumerate().find(|(_, (ours, theirs))| {
                            theirs.as_ref().is_some_and(|row| row != ours)
                        });
                        if let Some((row, (ours, Some(theirs)))) = bad {
                            let at = ours
                                .iter()
                                .zip(theirs)
                                .position(|(a, b)| a != b)
                                .unwrap_or_default();
                            faults.push(fault(*seed, format!("different: row {row} byte {at}")));
                        }
                    }
                }
            }
        }
    }
    Ok(faults)
}

fn job(seed: u64) -> Job {
    Job {
        kernel: format!("k{seed}"),
        threads: ROWS as u32,
        input: cpp::input(seed),
        output: vec![0; OUTPUT * ROWS],
        values: Vec::new(),
        limit: 20_000_000,
    }
}
