//! Programs through our compiler, and what their code writes beside what they compute.

use crate::interpret::{Ran, Seen};
use crate::machine::{self, Ask, CHIPS, Job};
use crate::program::{Kind, Program, THREADS, seen};
use crate::text::{self, Module};
use crate::ty::{Format, Scalar};

/// How the LLVM IR came about.
pub const LEVELS: [&str; 3] = ["-O0", "-O2", "-O3"];

/// A program with its answer.
#[derive(Clone)]
pub struct Case {
    /// The program.
    pub program: Program,
    /// What was seen of it.
    pub seen: Seen,
    /// What its threads write.
    pub expected: Vec<u8>,
}

/// What went wrong with a program.
#[derive(Clone, Debug)]
pub struct Fault {
    /// The seed.
    pub seed: u64,
    /// How LLVM's optimiser was asked, and the compiler.
    pub how: String,
    /// What kind it is: refused, faults, different; with the message.
    pub what: String,
}

impl Case {
    /// The program of a seed.
    pub fn of(seed: u64) -> Case {
        let (program, ran) = crate::make::program(seed);
        Case::new(program, ran)
    }

    /// A program that was run.
    pub fn new(program: Program, ran: Ran) -> Case {
        let kernel = program.functions.last().expect("there is a kernel");
        let expected = text::expected(kernel, &ran.results);
        Case {
            program,
            seen: ran.seen,
            expected,
        }
    }

    /// Its LLVM IR alone.
    pub fn text(&self) -> String {
        let mut module = Module::default();
        module.add(&self.program, &self.seen);
        module.text()
    }

    /// How it is launched.
    pub fn job(&self) -> Job {
        let kernel = self.program.functions.last().expect("there is a kernel");
        let values = kernel
            .objects
            .iter()
            .filter_map(|object| match &object.kind {
                Kind::Parameter(bytes) => Some(bytes.clone()),
                _ => None,
            });
        Job {
            kernel: text::kernel(&self.program),
            threads: THREADS as u32,
            input: self.program.input.concat(),
            output: vec![0; self.expected.len()],
            values: values.collect(),
            limit: 20_000_000,
        }
    }

    fn any(&self, flag: u32, formats: &[Format]) -> bool {
        let functions = self.program.functions.iter().zip(&self.seen);
        functions.into_iter().any(|(function, seen)| {
            let insts = function.blocks.iter().flat_map(|block| &block.insts);
            insts.into_iter().any(|inst| {
                let args = inst.args.iter().map(|arg| function.ty(arg));
                let mut types = args.chain([function.types[inst.id].clone()]);
                let concerns = types.any(|ty| {
                    let leaves = ty.leaves().into_iter();
                    leaves
                        .into_iter()
                        .any(|leaf| matches!(leaf, Scalar::Fp(f) if formats.contains(&f)))
                });
                concerns && seen[inst.id] & flag != 0
            })
        })
    }

    /// Whether it writes the same where subnormal numbers of `float` are zero. `half` may be computed in `float`.
    pub fn without_subnormals(&self) -> bool {
        !self.any(seen::SUBNORMAL, &Format::ALL)
    }
}

/// How a set is tried.
#[derive(Clone, Debug)]
pub struct Effort {
    /// Levels of LLVM's optimiser.
    pub levels: Vec<&'static str>,
    /// Chips.
    pub chips: Vec<&'static str>,
}

impl Effort {
    /// Everything.
    pub fn all() -> Effort {
        Effort {
            levels: LEVELS.to_vec(),
            chips: CHIPS.to_vec(),
        }
    }
}

/// Counts of what was done.
#[derive(Clone, Copy, Default, Debug)]
pub struct Count {
    /// Programs.
    pub programs: usize,
    /// Kernels that were compiled and run.
    pub runs: usize,
    /// Those that LLVM's optimiser had made wrong before.
    pub from_opt: usize,
}

/// Tries a set of programs; they share a module.
pub fn set(cases: &[Case], effort: &Effort, count: &mut Count) -> Vec<Fault> {
    let mut faults = Vec::new();
    count.programs += cases.len();
    let mut plain = Module::default();
    cases
        .iter()
        .for_each(|case| plain.add(&case.program, &case.seen));
    let plain = plain.text();
    for level in &effort.levels {
        let text = match *level {
            "-O0" => Ok(plain.clone()),
            level => machine::opt(level, &plain),
        };
        let text = match text {
            Ok(text) => text,
            Err(message) => {
                faults.push(Fault {
                    seed: cases[0].program.seed,
                    how: (*level).into(),
                    what: format!("generator: {message}"),
                });
                continue;
            }
        };
        for (i, chip) in effort.chips.iter().enumerate() {
            // Our own levels take turns.
            let turn = cases[0].program.seed as usize / cases.len() + i;
            let ask = Ask {
                level: [3, 3, 0, 1][turn % 4],
                ..Ask::chip(chip)
            };
            let all: Vec<&Case> = cases.iter().collect();
            faults.extend(tried(&all, level, ask, &text, count));
            if turn.is_multiple_of(4) {
                let same = |case: &&Case| case.without_subnormals();
                let some: Vec<&Case> = cases.iter().filter(same).collect();
                let ask = match turn % 8 {
                    0 => Ask { ftz: true, ..ask },
                    _ => Ask { fmad: false, ..ask },
                };
                if !some.is_empty() {
                    faults.extend(tried(&some, level, ask, &text, count));
                }
            }
        }
    }
    faults
}

/// Compiles a module and runs some of its kernels.
fn tried(cases: &[&Case], level: &str, ask: Ask, text: &str, count: &mut Count) -> Vec<Fault> {
    let fault = |case: &Case, what: String| Fault {
        seed: case.program.seed,
        how: format!(
            "{level} {} -O{}{}{}",
            ask.chip,
            ask.level,
            if ask.ftz { " --ftz on" } else { "" },
            if ask.fmad { "" } else { " --fmad off" }
        ),
        what,
    };
    let ptx = match machine::ours(ask, text) {
        Ok(ptx) => ptx,
        Err(message) if cases.len() == 1 => {
            return vec![fault(cases[0], format!("refused: {message}"))];
        }
        // Who is it?
        Err(_) => {
            let mut faults = Vec::new();
            for case in cases {
                let text = match level {
                    "-O0" => case.text(),
                    _ => machine::opt(level, &case.text()).unwrap_or_default(),
                };
                faults.extend(tried(&[case], level, ask, &text, count));
            }
            return faults;
        }
    };
    let jobs: Vec<Job> = cases.iter().map(|case| case.job()).collect();
    let mut faults = Vec::new();
    match machine::emulate(&ptx, &jobs) {
        Err(message) => faults.push(fault(cases[0], format!("module: {message}"))),
        Ok(all) => {
            for (case, output) in cases.iter().zip(all) {
                count.runs += 1;
                match output {
                    Err(message) => faults.push(fault(case, format!("fault: {message}"))),
                    Ok(bytes) if bytes == case.expected => {}
                    Ok(bytes) if level != "-O0" && is_from_opt(case, level, &bytes) => {
                        count.from_opt += 1;
                    }
                    Ok(bytes) => {
                        let mut at = bytes.iter().zip(&case.expected);
                        let at = at.position(|(a, b)| a != b).unwrap_or_default();
                        let size = case.expected.len() / THREADS;
                        let word = |bytes: &[u8]| {
                            let start = at / 8 * 8;
                            bytes[start..start + 8]
                                .iter()
                                .rev()
                                .map(|b| format!("{b:02x}"))
                                .collect::<String>()
                        };
                        let what = format!(
                            "different: thread {} offset {}: {} and not {}",
                            at / size,
                            at % size,
                            word(&bytes),
                            word(&case.expected)
                        );
                        faults.push(fault(case, what));
                    }
                }
            }
        }
    }
    faults
}

/// Whether LLVM's own compiler makes the same wrong bytes of what LLVM's optimiser left, and not of what it was given.
fn is_from_opt(case: &Case, level: &str, bytes: &[u8]) -> bool {
    let of = |text: &str| {
        let ptx = machine::llc("-O0", text).ok()?;
        let mut all = machine::emulate(&ptx, &[case.job()]).ok()?;
        all.swap_remove(0).ok()
    };
    let plain = case.text();
    let optimised = machine::opt(level, &plain).ok();
    optimised.and_then(|text| of(&text)).as_deref() == Some(bytes)
        && of(&plain).as_ref() == Some(&case.expected)
}

/// What goes wrong with one program, without what is different each time.
pub fn trouble(case: &Case, level: &str, ask: Ask) -> Option<String> {
    let text = match level {
        "-O0" => Ok(case.text()),
        level => machine::opt(level, &case.text()),
    };
    let mut count = Count::default();
    let mut faults = tried(&[case], level, ask, &text.ok()?, &mut count);
    faults.pop().map(|fault| group(&fault.what))
}

/// What LLVM's own compiler makes of a program, at two levels: a check of the generator.
pub fn with_llc(case: &Case) -> Vec<String> {
    let mut said = Vec::new();
    for level in ["-O0", "-O2"] {
        let ran = machine::llc(level, &case.text()).and_then(|ptx| {
            let mut all = machine::emulate(&ptx, &[case.job()])?;
            all.swap_remove(0)
        });
        match ran {
            Ok(bytes) if bytes == case.expected => {}
            Ok(_) => said.push(format!("llc {level}: different")),
            Err(message) => said.push(format!("llc {level}: {message}")),
        }
    }
    said
}

/// A message without what is different each time.
pub fn group(what: &str) -> String {
    if what.starts_with("different") {
        return "different".into();
    }
    let mut out = String::new();
    let mut hex = false;
    for c in what.chars() {
        hex = match c {
            'x' => out.ends_with('#'),
            _ => hex && c.is_ascii_hexdigit(),
        };
        let c = if c.is_ascii_digit() || hex { '#' } else { c };
        if c != '#' || !out.ends_with('#') {
            out.push(c);
        }
    }
    out
}
