//! ptxas's machine code of the corpus against the emulator of PTX, with launches that are made up: what the kernels leave
//! in their buffers is the same, and nothing in ptxas's schedules is found.
//!
//! `./x sass sim` runs all of it ([`whole_corpus`], by the list of files in `WARPC_PAIRS`); the tests take a sample.

mod launches;

use crate::against_emulator::{assembled_with, first};
use launches::{GUESSES, Made, made};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use warpc_cubin::Cubin;
use warpc_diag::SourceFile;
use warpc_ptx::Module;
use warpc_sass_sim::{Argument, Device, Options, Problem};
use warpc_testkit::project;
use warpc_testkit::scratch::Folder;

/// Thread instructions of the longest launch that is compared, of PTX and of machine code.
const LIMIT: u64 = 500_000;
const MACHINE_LIMIT: u64 = 3_000_000;
/// After how many files the figures are printed.
const PROGRESS: usize = 20;
/// How many guesses that come to their end are compared for a kernel.
const COMPARED: usize = 2;

/// How a launch ended on both sides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Verdict {
    /// The buffers are the same.
    Equal,
    /// They are the same if ptxas does not contract products and sums.
    EqualUncontracted,
    /// They are nearly the same, and the code has functions that are tables on a GPU.
    Close,
    /// What the emulator leaves depends on the order of threads, or on where buffers are.
    Unordered,
    /// One block alone leaves the same: with more, blocks race.
    EqualBlock,
    /// The same of one thread.
    EqualThread,
    /// Both ended with an error.
    BothFail,
    /// The emulator of PTX does not execute it, or not in so many instructions.
    NotEmulated,
    /// The machine code takes too long.
    Long,
    /// An instruction was reached that is not executed here.
    Unsupported,
    /// Only the machine code failed.
    Fails,
    /// Only the emulator of PTX failed.
    FailsNot,
    Differs,
}

/// What came of the kernels.
#[derive(Default)]
struct Figures {
    files: usize,
    kernels: usize,
    /// Kernels without an instruction that is not executed here.
    whole: usize,
    /// Kernels of which a launch came to an end without one.
    ran: usize,
    verdicts: BTreeMap<Verdict, usize>,
    /// Kernels by opcode that is not executed here.
    missing: BTreeMap<String, usize>,
    /// Findings of the timed register file.
    findings: Vec<String>,
    wrong: Vec<String>,
    /// Files that are not read.
    refused: Vec<String>,
    /// Thread instructions and time of both.
    ptx: (u64, Duration),
    machine: (u64, Duration),
}

/// One file.
struct Pair<'p> {
    name: &'p str,
    text: &'p str,
    cubin: Cubin,
    module: Module,
    /// Assembles it without contraction.
    ptxas: Option<(&'p Path, &'p Folder)>,
    uncontracted: Option<Cubin>,
}

/// What a launch of machine code left.
struct Left {
    buffers: Vec<Vec<u8>>,
    ended: Result<(), Problem>,
}

impl Figures {
    fn add(&mut self, name: &str, text: &str, cubin: &[u8], ptxas: Option<(&Path, &Folder)>) {
        let module = SourceFile::new(format!("{name}.ptx"), text)
            .and_then(|source| warpc_ptx::check(&source).value);
        let (Some(module), Ok(cubin)) = (module, Cubin::read(cubin)) else {
            self.refused.push(name.to_owned());
            return;
        };
        self.files += 1;
        let mut pair = Pair {
            name,
            text,
            cubin,
            module,
            ptxas,
            uncontracted: None,
        };
        let device = match Device::new(&pair.cubin, Options::default()) {
            Ok(device) => device,
            Err(why) => {
                self.wrong.push(format!("{name}: {}", first(&why)));
                return;
            }
        };
        let kernels: Vec<String> = warpc_launch::kernels(&pair.module)
            .map(|kernel| pair.module.name(kernel.name).to_owned())
            .collect();
        for kernel in kernels {
            self.kernels += 1;
            let missing = device.unsupported(&kernel);
            self.whole += usize::from(missing.is_empty());
            let mut opcodes: Vec<&str> = missing.iter().map(|one| opcode(&one.1)).collect();
            opcodes.sort_unstable();
            opcodes.dedup();
            for opcode in opcodes {
                *self.missing.entry(opcode.to_owned()).or_default() += 1;
            }
            self.kernel(&mut pair, &kernel);
        }
    }

    fn kernel(&mut self, pair: &mut Pair<'_>, kernel: &str) {
        let (mut compared, mut ran) = (0, false);
        for guess in GUESSES {
            let module = pair.module.clone();
            let Ok(function) = warpc_launch::kernel(&module, Some(kernel)) else {
                return;
            };
            let made = made(&module, function, pair.text, guess);
            let (expected, code) = self.emulated(&module, &made, 0, 0);
            let is_last = guess.is_last();
            if expected.is_none() && !(is_last && compared == 0) {
                continue;
            }
            compared += 1;
            let verdict = self.judge(pair, &made, expected, &code);
            ran |= !matches!(verdict, Verdict::Unsupported);
            *self.verdicts.entry(verdict).or_default() += 1;
            if compared == COMPARED {
                break;
            }
        }
        self.ran += usize::from(ran);
    }

    /// What the emulator of PTX leaves, or why it does not come to an end.
    fn emulated(
        &mut self,
        module: &Module,
        made: &Made,
        seed: u64,
        before: usize,
    ) -> (Option<Vec<Vec<u8>>>, String) {
        let options = warpc_sim::Options {
            jobs: 1,
            limit: Some(LIMIT),
            seed,
            ..Default::default()
        };
        let mut device = warpc_sim::Device::new(module, options);
        // Something before the buffers moves them.
        for _ in 0..before {
            device.named_buffer("unused", &[0; 12345]);
        }
        let numbers: Vec<usize> = made.buffers.iter().map(|one| device.buffer(one)).collect();
        let mut launch = made.launch.clone();
        for argument in &mut launch.arguments {
            match argument {
                Argument::Buffer(number) => *number = numbers[*number],
                Argument::Struct { addresses, .. } => {
                    addresses.iter_mut().for_each(|one| one.1 = numbers[one.1]);
                }
                Argument::Value(_) => {}
            }
        }
        match device.launch(&launch) {
            Ok(report) => {
                self.ptx.0 += report.counts.thread_instructions;
                self.ptx.1 += report.time;
                let left = numbers.iter().map(|at| device.read(*at));
                (Some(left.collect()), String::new())
            }
            Err(why) => {
                let code = why.as_slice().first().map_or("", |one| one.code.0);
                (None, format!("{code} {}", first(&why)))
            }
        }
    }

    fn on_machine(&mut self, cubin: &Cubin, name: &str, made: &Made) -> Left {
        let options = Options {
            limit: Some(MACHINE_LIMIT),
            ..Options::default()
        };
        let Ok(mut device) = Device::new(cubin, options) else {
            return Left {
                buffers: Vec::new(),
                ended: Err(Problem::Other("it is not loaded".to_owned())),
            };
        };
        for buffer in &made.buffers {
            device.buffer(buffer);
        }
        let start = Instant::now();
        let ended = match device.launch(&made.launch) {
            Ok(report) => {
                self.machine.0 += report.counts.thread_instructions;
                self.machine.1 += start.elapsed();
                Ok(())
            }
            Err(why) => Err(match device.findings().last() {
                Some(last) => last.problem.clone(),
                None => Problem::Other(first(&why)),
            }),
        };
        for finding in device.findings() {
            if let Problem::Early(_) = finding.problem {
                let place = format!("{name} {} at {:#x}", finding.kernel, finding.place);
                let message = finding.problem.message();
                self.findings
                    .push(format!("{place}, `{}`: {message}", finding.text));
            }
        }
        Left {
            buffers: (0..made.buffers.len()).map(|at| device.read(at)).collect(),
            ended,
        }
    }

    fn judge(
        &mut self,
        pair: &mut Pair<'_>,
        made: &Made,
        expected: Option<Vec<Vec<u8>>>,
        why: &str,
    ) -> Verdict {
        let kernel = &made.launch.kernel;
        let cubin = pair.cubin.clone();
        let left = self.on_machine(&cubin, pair.name, made);
        let what = format!("{} {kernel}", pair.name);
        let Some(expected) = expected else {
            return match left.ended {
                Err(Problem::Unsupported { .. }) => Verdict::Unsupported,
                _ if why.starts_with("W0726") || why.starts_with("W0711") => Verdict::NotEmulated,
                Err(_) => Verdict::BothFail,
                Ok(()) => {
                    self.wrong
                        .push(format!("{what}: only the emulator fails, {why}"));
                    Verdict::FailsNot
                }
            };
        };
        match &left.ended {
            Ok(()) if left.buffers == expected => return Verdict::Equal,
            Ok(()) => {}
            Err(Problem::Unsupported { .. }) => return Verdict::Unsupported,
            Err(Problem::Limit(_)) => return Verdict::Long,
            Err(problem) => {
                self.wrong.push(format!("{what}: {}", problem.message()));
                return Verdict::Fails;
            }
        }
        let module = pair.module.clone();
        for (seed, before) in [(1, 0), (2, 0), (3, 1)] {
            let again = self.emulated(&module, made, seed, before).0;
            if again.as_ref() != Some(&expected) {
                return Verdict::Unordered;
            }
        }
        if let Some(cubin) = pair.uncontracted() {
            let left = self.on_machine(&cubin, pair.name, made);
            if left.ended.is_ok() && left.buffers == expected {
                return Verdict::EqualUncontracted;
            }
            if left.ended.is_ok() && has_functions(pair.text) && close(&left.buffers, &expected) {
                return Verdict::Close;
            }
        }
        // Blocks that use the same elements race, and threads of a block may.
        let block = made.launch.block;
        for (block, verdict) in [(block, Verdict::EqualBlock), ([1; 3], Verdict::EqualThread)] {
            let mut alone = made.clone();
            alone.launch.grid = [1; 3];
            alone.launch.block = block;
            let Some(expected) = self.emulated(&module, &alone, 0, 0).0 else {
                continue;
            };
            let left = self.on_machine(&pair.cubin.clone(), pair.name, &alone);
            if left.ended.is_ok() && left.buffers == expected {
                println!("{what}: {verdict:?}");
                return verdict;
            }
        }
        self.wrong
            .push(format!("{what}: {}", difference(&left.buffers, &expected)));
        Verdict::Differs
    }

    fn join(&mut self, other: Figures) {
        self.files += other.files;
        self.kernels += other.kernels;
        self.whole += other.whole;
        self.ran += other.ran;
        for (verdict, count) in other.verdicts {
            *self.verdicts.entry(verdict).or_default() += count;
        }
        for (opcode, count) in other.missing {
            *self.missing.entry(opcode).or_default() += count;
        }
        self.findings.extend(other.findings);
        self.wrong.extend(other.wrong);
        self.refused.extend(other.refused);
        self.ptx = (self.ptx.0 + other.ptx.0, self.ptx.1 + other.ptx.1);
        self.machine = (
            self.machine.0 + other.machine.0,
            self.machine.1 + other.machine.1,
        );
    }

    fn print(&self) {
        let percent = |part: usize| 100.0 * part as f64 / self.kernels.max(1) as f64;
        println!("{} files, {} kernels", self.files, self.kernels);
        println!(
            "all instructions are executed: {} kernels ({:.1} %)",
            self.whole,
            percent(self.whole)
        );
        println!(
            "a launch reaches no other: {} kernels ({:.1} %)",
            self.ran,
            percent(self.ran)
        );
        for (verdict, count) in &self.verdicts {
            println!("  {verdict:?}: {count} launches");
        }
        println!("findings of the register file: {}", self.findings.len());
        for (opcode, kernels) in &self.missing {
            println!("  {opcode} is not executed: {kernels} kernels");
        }
        let speed =
            |(count, time): (u64, Duration)| count as f64 / time.as_secs_f64().max(1e-9) / 1e6;
        println!(
            "million thread instructions per second: PTX {:.1}, machine code {:.1}",
            speed(self.ptx),
            speed(self.machine)
        );
        for line in self
            .refused
            .iter()
            .map(|name| format!("{name} is not read"))
        {
            println!("{line}");
        }
    }
}

impl Pair<'_> {
    /// What ptxas makes of it if it does not contract.
    fn uncontracted(&mut self) -> Option<Cubin> {
        let (ptxas, folder) = self.ptxas?;
        if self.uncontracted.is_none() {
            let cubin = assembled_with(ptxas, folder, self.name, self.text, &["-fmad=false"]);
            self.uncontracted = Some(cubin);
        }
        self.uncontracted.clone()
    }
}

/// The opcode of an instruction's text, with the modifiers that matter most.
fn opcode(text: &str) -> &str {
    let word = text.split_whitespace().find(|word| !word.starts_with('@'));
    word.unwrap_or(text).trim_end_matches(';')
}

/// Whether a text has functions whose last bits a GPU's tables decide.
fn has_functions(text: &str) -> bool {
    let names = [".approx", "sin.", "cos.", "div.full", "wgmma", "mma."];
    names.iter().any(|name| text.contains(name))
}

/// Whether words that differ are numbers of single precision or pairs of halves near each other.
fn close(left: &[Vec<u8>], right: &[Vec<u8>]) -> bool {
    let near = |a: f32, b: f32| {
        (a - b).abs() <= 1e-3 * (a.abs() + b.abs()) + 1e-6 || a.is_nan() && b.is_nan()
    };
    left.iter().zip(right).all(|(left, right)| {
        left.as_chunks::<4>()
            .0
            .iter()
            .zip(right.as_chunks::<4>().0)
            .all(|(a, b)| {
                let half = |bytes: [u8; 2]| of_half(u16::from_le_bytes(bytes));
                a == b
                    || near(f32::from_le_bytes(*a), f32::from_le_bytes(*b))
                    || near(half([a[0], a[1]]), half([b[0], b[1]]))
                        && near(half([a[2], a[3]]), half([b[2], b[3]]))
            })
    })
}

/// A number of half precision.
fn of_half(bits: u16) -> f32 {
    let (sign, exponent, fraction) = (
        bits >> 15,
        i32::from(bits >> 10 & 31),
        f32::from(bits & 1023),
    );
    let value = match exponent {
        0 => fraction * 2f32.powi(-24),
        31 if fraction == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        _ => (1.0 + fraction / 1024.0) * 2f32.powi(exponent - 15),
    };
    if sign == 1 { -value } else { value }
}

/// The first word that differs.
fn difference(left: &[Vec<u8>], right: &[Vec<u8>]) -> String {
    for (number, (left, right)) in left.iter().zip(right).enumerate() {
        let words = left.as_chunks::<4>().0.iter().zip(right.as_chunks::<4>().0);
        let all = words.clone().filter(|(left, right)| left != right).count();
        if let Some((at, (left, right))) =
            words.enumerate().find(|(_, (left, right))| left != right)
        {
            let (left, right) = (u32::from_le_bytes(*left), u32::from_le_bytes(*right));
            return format!(
                "word {at} of buffer {number} is {left:#010x}, expected {right:#010x}; {all} words differ"
            );
        }
    }
    "nothing".to_owned()
}

/// Compares files, given as name, PTX and cubin, with as many threads as there are processors.
fn all(pairs: &[(String, PathBuf, PathBuf)], ptxas: Option<&Path>) -> Figures {
    let folder = Folder::new("sass-sim-corpus");
    let next = AtomicUsize::new(0);
    let sum = Mutex::new(Figures::default());
    let workers = std::thread::available_parallelism().map_or(1, |count| count.get());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some((name, ptx, cubin)) = pairs.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let text = std::fs::read_to_string(ptx).expect("a text");
                    let cubin = std::fs::read(cubin).expect("a cubin");
                    let mut figures = Figures::default();
                    // An empty file stands for a text that ptxas refuses.
                    if !cubin.is_empty() {
                        figures.add(name, &text, &cubin, ptxas.map(|ptxas| (ptxas, &folder)));
                    }
                    for line in figures.findings.iter().chain(&figures.wrong) {
                        println!("{line}");
                    }
                    let mut sum = sum.lock().expect("no panic before");
                    sum.join(figures);
                    if sum.files % PROGRESS == 0 {
                        sum.print();
                    }
                }
            });
        }
    });
    sum.into_inner().expect("no panic before")
}

#[test]
#[ignore = "takes minutes; ./x sass sim runs it"]
fn whole_corpus() {
    let list = std::env::var_os("WARPC_PAIRS").expect("the list of files");
    let list = std::fs::read_to_string(list).expect("a list");
    let pairs: Vec<_> = list
        .lines()
        .filter_map(|line| {
            let (name, files) = line.split_once('\t')?;
            let (ptx, cubin) = files.split_once('\t')?;
            Some((name.to_owned(), PathBuf::from(ptx), PathBuf::from(cubin)))
        })
        .collect();
    let figures = all(&pairs, project::ptxas("sm_90").as_deref());
    figures.print();
    assert!(figures.findings.is_empty() && figures.wrong.is_empty());
}

/// How many files of the corpus the tests take, and how large they may be.
const SAMPLE: usize = 36;
const SMALL: u64 = 24_000;

/// Kernels of the sample that must be executed as a whole, in percent.
const WHOLE: usize = 95;

#[test]
fn sample_of_the_corpus() {
    let (Some(ptxas), Some(corpus)) = (project::ptxas("sm_90"), project::corpus()) else {
        return;
    };
    let folder = Folder::new("sass-sim-sample");
    let mut files = Vec::new();
    for producer in ["clang", "nvcc", "nvrtc", "triton"] {
        for chip in project::entries(&corpus.join(producer)) {
            // What is written for later chips uses what this one does not have.
            let is_later = chip.to_string_lossy().contains("sm_1");
            let texts = project::entries(&chip).into_iter().filter(|_| !is_later);
            files.extend(texts.filter(|file| {
                let is_small = file.metadata().is_ok_and(|data| data.len() < SMALL);
                is_small && file.extension().is_some_and(|end| end == "ptx")
            }));
        }
    }
    files.sort_by_key(|file| {
        let name = file.strip_prefix(&corpus).unwrap_or(file).to_string_lossy();
        warpc_testkit::hash::fnv1a(name.as_bytes())
    });
    let mut pairs = Vec::new();
    for (number, file) in files.into_iter().take(SAMPLE).enumerate() {
        let to = folder.join(format!("{number}.cubin"));
        let mut command = std::process::Command::new(&ptxas);
        command.args(["-arch", "sm_90a", "-o"]).arg(&to).arg(&file);
        let done = command.output().expect("ptxas runs");
        if done.status.success() {
            pairs.push((file.to_string_lossy().into_owned(), file, to));
        }
    }
    let figures = all(&pairs, Some(&ptxas));
    figures.print();
    let wrong = figures.findings.iter().chain(&figures.wrong);
    let wrong: Vec<&str> = wrong.map(String::as_str).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(pairs.len() > SAMPLE / 2 && figures.ran > pairs.len());
    assert!(100 * figures.whole >= WHOLE * figures.kernels);
}
