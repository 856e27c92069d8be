//! The judge: an assembler's code must leave the bytes that the emulator of PTX leaves.
//!
//! The reference is run twice, in different orders of threads; a program whose results differ is the generator's fault.
//! Then the module is assembled in every way of [`WAYS`], judged by the checkers, and run on the emulator of machine code
//! with its timed registers. Every finding of either is a fault.

use crate::program::{Case, Run};
use std::panic::{AssertUnwindSafe, catch_unwind};
use warpc_cubin::Cubin;
use warpc_diag::{Diagnostics, SourceFile};
use warpc_ptx_to_sass::Level;

/// Thread instructions after which a run is stopped: no program takes as many.
const LIMIT: u64 = 20_000_000;

/// A way to assemble.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Way {
    /// What it is called.
    pub name: &'static str,
    level: Level,
    serial: bool,
    spill: bool,
    tune: bool,
}

/// All ways.
pub const WAYS: [Way; 5] = [
    Way {
        name: "O3",
        level: Level::O3,
        serial: false,
        spill: false,
        tune: false,
    },
    Way {
        name: "O0",
        level: Level::O0,
        serial: false,
        spill: false,
        tune: false,
    },
    Way {
        name: "serial",
        level: Level::O3,
        serial: true,
        spill: false,
        tune: false,
    },
    Way {
        name: "spill",
        level: Level::O3,
        serial: false,
        spill: true,
        tune: false,
    },
    Way {
        name: "tune",
        level: Level::O3,
        serial: false,
        spill: false,
        tune: true,
    },
];

/// What became of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Every way leaves the same bytes; so many different cubins were run.
    Same(usize),
    /// The assembler refuses it, by name.
    Refused(String),
    /// The program itself is at fault: it is not valid PTX, or its results depend on the order of threads.
    Invalid(String),
    /// A way is wrong.
    Wrong(Fault),
}

/// What is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// In which way.
    pub way: &'static str,
    /// Of which kind: the smallest program must have the same.
    pub kind: &'static str,
    /// What exactly.
    pub what: String,
}

/// What the buffers of each kernel hold after it.
pub type Left = Vec<Vec<Vec<u8>>>;

/// Runs something that may panic, and gives what it said then.
fn caught<T>(run: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    let caught = catch_unwind(AssertUnwindSafe(run));
    caught.unwrap_or_else(|payload| {
        let text = payload.downcast_ref::<String>().cloned();
        let text = text.or_else(|| {
            payload
                .downcast_ref::<&str>()
                .map(|text| (*text).to_owned())
        });
        Err(format!("panic: {}", text.unwrap_or_default()))
    })
}

fn first(diagnostics: &Diagnostics) -> String {
    let first = diagnostics.first_error();
    first.map_or_else(String::new, |one| one.message.clone())
}

/// What the emulator of PTX leaves. The error says why the program has no defined result.
pub fn reference(case: &Case) -> Result<Left, String> {
    let text = &case.text;
    let file = SourceFile::new("random.ptx", text.as_str()).ok_or("the text is too long")?;
    let checked = warpc_ptx::check(&file);
    if let Some(error) = checked.diagnostics.first_error() {
        let line = text[..error.span.start as usize].lines().count();
        let line = text
            .lines()
            .nth(line.saturating_sub(1))
            .unwrap_or("")
            .trim();
        return Err(format!("{}: {line}", error.message));
    }
    let module = checked.value.ok_or("there is no module")?;
    let run = |seed: u64| -> Result<Left, String> {
        let each = case.runs.iter().map(|kernel| {
            let options = warpc_sim::Options {
                seed,
                jobs: 1,
                limit: Some(LIMIT),
                // Values are compared, whether anyone should look at them or not.
                init: false,
                ..warpc_sim::Options::default()
            };
            let mut device = warpc_sim::Device::new(&module, options);
            for bytes in &kernel.buffers {
                device.buffer(bytes);
            }
            device
                .launch(&kernel.launch)
                .map_err(|found| first(&found))?;
            Ok((0..kernel.buffers.len())
                .map(|at| device.read(at))
                .collect())
        });
        each.collect()
    };
    let left = caught(|| run(1))?;
    match caught(|| run(2))? == left {
        true => Ok(left),
        false => Err("the results depend on the order of threads".to_owned()),
    }
}

/// Assembles a module in a way, with its checkers. A panic is an error, too.
pub fn assemble(text: &str, way: &Way) -> Result<Cubin, String> {
    let file = SourceFile::new("random.ptx", text).ok_or("the text is too long")?;
    let mut options = warpc_ptx_to_sass::Options::default();
    options.level = way.level;
    options.serial = way.serial;
    options.spill = way.spill;
    options.tune = way.tune;
    options.verify = true;
    caught(|| {
        let checked = warpc_ptx::check(&file);
        let made = checked.and_then(|module| warpc_ptx_to_sass::assemble(&module, &options));
        made.value.ok_or_else(|| first(&made.diagnostics))
    })
}

/// What is wrong with a kernel of a cubin: kind and text.
fn differs(cubin: &Cubin, kernel: &Run, expected: &[Vec<u8>]) -> Option<(&'static str, String)> {
    let run = || -> Result<Vec<Vec<u8>>, String> {
        let options = warpc_sass_sim::Options {
            limit: Some(LIMIT),
            ..warpc_sass_sim::Options::default()
        };
        let mut device =
            warpc_sass_sim::Device::new(cubin, options).map_err(|found| first(&found))?;
        for bytes in &kernel.buffers {
            device.buffer(bytes);
        }
        let report = device
            .launch(&kernel.launch)
            .map_err(|found| first(&found))?;
        if let Some(finding) = report.findings.first() {
            let problem = finding.problem.message();
            return Err(format!(
                "at {:#x}, `{}`: {problem}",
                finding.place, finding.text
            ));
        }
        Ok((0..kernel.buffers.len())
            .map(|at| device.read(at))
            .collect())
    };
    let left = match caught(run) {
        Ok(left) => left,
        Err(what) => return Some(("finding", what)),
    };
    difference(kernel, expected, &left).map(|what| ("bytes", what))
}

/// Where buffers differ first.
pub fn difference(kernel: &Run, expected: &[Vec<u8>], left: &[Vec<u8>]) -> Option<String> {
    for (number, (one, other)) in expected.iter().zip(left).enumerate() {
        if let Some(at) = one.iter().zip(other).position(|(one, other)| one != other) {
            let at = at & !7;
            let name = &kernel.launch.kernel;
            let part = |bytes: &[u8]| {
                let part = bytes.iter().skip(at).take(8).rev();
                part.map(|byte| format!("{byte:02x}")).collect::<String>()
            };
            return Some(format!(
                "{name}: buffer {number} at {at}: {} and not {}",
                part(other),
                part(one)
            ));
        }
    }
    None
}

/// Judges a cubin of a program, whoever made it.
pub fn judge_cubin(
    case: &Case,
    cubin: &Cubin,
    expected: &Left,
    way: &'static str,
) -> Option<Fault> {
    for (kernel, expected) in case.runs.iter().zip(expected) {
        if let Some((kind, what)) = differs(cubin, kernel, expected) {
            return Some(Fault { way, kind, what });
        }
    }
    None
}

/// Judges a program in every way.
pub fn judge(case: &Case, ways: &[Way]) -> Verdict {
    let expected = match reference(case) {
        Ok(expected) => expected,
        Err(why) => return Verdict::Invalid(why),
    };
    let mut seen: Vec<Vec<u8>> = Vec::new();
    for way in ways {
        let cubin = match assemble(&case.text, way) {
            Ok(cubin) => cubin,
            Err(why) if is_refusal(&why) => return Verdict::Refused(why),
            Err(what) => {
                return Verdict::Wrong(Fault {
                    way: way.name,
                    kind: "not assembled",
                    what,
                });
            }
        };
        // Ways that make the same code need one run.
        let bytes = cubin.write();
        if seen.contains(&bytes) {
            continue;
        }
        seen.push(bytes);
        if let Some(fault) = judge_cubin(case, &cubin, &expected, way.name) {
            return Verdict::Wrong(fault);
        }
    }
    Verdict::Same(seen.len())
}

/// Whether an error says that something is not supported, which is no fault.
fn is_refusal(message: &str) -> bool {
    message.contains("does not support") || message.contains("not supported")
}
