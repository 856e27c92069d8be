//! Running cases on the GPU of this machine: as one process, and as several that watch each other.
//!
//! ```text
//!   run ──► one thread a worker ──► child process: compiles and runs modules of MODULE cases, appends answers
//!                │                        │ dies, or says nothing for PATIENCE
//!                └── the cases of the module that did it, each in a child of its own ◄─┘
//! ```
//!
//! A kernel that faults takes its process's GPU context with it, and one that hangs takes the process;
//! neither may cost more than its own answer.

use crate::answers::{Answer, Answers, Column, Outcome, Reader, Writer};
use crate::forms::{self, CELL, Case};
use crate::on_sim;
use std::fs::{self, File};
use std::io::{BufReader, BufWriter};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use warpc_driver::{Buffer, DriverError, Gpu};

/// Cases of one module.
const MODULE: usize = 64;
/// A child that says nothing for so long hangs.
const PATIENCE: Duration = Duration::from_secs(60);

/// The GPU and its driver, as answers name them.
pub fn device() -> Result<String, DriverError> {
    let gpu = Gpu::open()?;
    let (major, minor) = gpu.driver_version();
    Ok(format!("{}, CUDA {major}.{minor}", gpu.name()))
}

/// Memory on the GPU for the largest case.
struct Memory {
    sources: Buffer,
    results: Buffer,
    cells: Buffer,
}

impl Memory {
    fn new(gpu: &Gpu, cases: &[Case], tuples: usize) -> Result<Memory, DriverError> {
        let most = |count: fn(&Case) -> usize| cases.iter().map(count).max().unwrap_or(0);
        let sources = most(|case| case.draft.sources.len());
        let results = most(|case| case.draft.results.len());
        Ok(Memory {
            sources: gpu.alloc(8 * sources * tuples)?,
            results: gpu.alloc(8 * results * tuples)?,
            cells: gpu.alloc(CELL as usize * tuples)?,
        })
    }
}

/// What a child does: runs cases in order and appends each answer to a file.
pub fn work(cases: &[Case], tuples: usize, file: &Path) -> Result<(), String> {
    let gpu = Gpu::open().map_err(|e| e.to_string())?;
    let memory = Memory::new(&gpu, cases, tuples).map_err(|e| e.to_string())?;
    let file = File::create(file).map_err(|e| format!("cannot write {}: {e}", file.display()))?;
    let mut out = Writer::new(BufWriter::new(file));
    for module in cases.chunks(MODULE) {
        let answers = run_module(&gpu, &memory, module, tuples)?;
        let written = answers.iter().try_for_each(|answer| out.write(answer));
        written
            .and_then(|()| out.flush())
            .map_err(|e| format!("cannot write answers: {e}"))?;
    }
    Ok(())
}

/// The answers of a module's cases. A module that the driver refuses is tried case by case.
fn run_module(
    gpu: &Gpu,
    memory: &Memory,
    cases: &[Case],
    tuples: usize,
) -> Result<Vec<Answer>, String> {
    let text = forms::module(cases.iter().map(|case| &case.draft));
    let loaded = match crate::assembled::load(gpu, &text) {
        Ok(loaded) => loaded,
        Err(DriverError::Refused(name, log)) => {
            if let [case] = cases {
                return Ok(vec![Answer {
                    text: case.text().into(),
                    outcome: Outcome::Failed(format!("{name}: {}", log.trim())),
                }]);
            }
            let mut answers = Vec::new();
            for case in cases {
                answers.extend(run_module(gpu, memory, std::slice::from_ref(case), tuples)?);
            }
            return Ok(answers);
        }
        Err(error) => return Err(error.to_string()),
    };
    let mut answers = Vec::new();
    for (i, case) in cases.iter().enumerate() {
        let kernel = loaded
            .kernel(&forms::kernel_name(i))
            .map_err(|e| e.to_string())?;
        let columns = run_case(gpu, memory, &kernel, case, tuples)
            .map_err(|e| format!("`{}`: {e}", case.text()))?;
        answers.push(Answer {
            text: case.text().into(),
            outcome: Outcome::Results(columns),
        });
    }
    Ok(answers)
}

fn run_case(
    gpu: &Gpu,
    memory: &Memory,
    kernel: &warpc_driver::Kernel<'_>,
    case: &Case,
    tuples: usize,
) -> Result<Vec<Column>, DriverError> {
    memory.sources.upload(&on_sim::sources(case, tuples))?;
    memory.results.fill(0)?;
    let launch = on_sim::launch(0, tuples, &[0, 1, 2]);
    let buffers = [&memory.sources, &memory.results, &memory.cells];
    gpu.launch(kernel, &launch, &buffers)?;
    gpu.synchronize()?;
    let bytes = memory.results.download()?;
    let count = case.draft.results.len();
    let columns = case.draft.results.iter().enumerate().map(|(j, place)| {
        let value = |i: usize| {
            let at = 8 * (i * count + j);
            let value = u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
            value & (u64::MAX >> (64 - place.bits))
        };
        Column {
            bits: place.bits,
            values: (0..tuples).map(value).collect(),
        }
    });
    Ok(columns.collect())
}

/// How a run is done.
pub struct Run<'a> {
    /// What is run, by its number in the suite.
    pub cases: &'a [usize],
    /// Operand tuples of each case: a multiple of the block's threads.
    pub tuples: usize,
    /// Child processes at a time.
    pub jobs: usize,
    /// Where children write.
    pub dir: &'a Path,
    /// When to stop; what was not run by then has no answer.
    pub deadline: Instant,
}

impl Run<'_> {
    /// Runs everything; the answers are in the order of the cases.
    pub fn run(&self, texts: &[&str]) -> Result<Answers, String> {
        let device = device().map_err(|e| e.to_string())?;
        println!(
            "{device}: {} cases of {} tuples",
            self.cases.len(),
            self.tuples
        );
        let done = AtomicUsize::new(0);
        let share = self
            .cases
            .len()
            .div_ceil(self.jobs)
            .next_multiple_of(MODULE);
        let parts: Result<Vec<Vec<Answer>>, String> = std::thread::scope(|scope| {
            let threads: Vec<_> = self
                .cases
                .chunks(share.max(1))
                .enumerate()
                .map(|(job, cases)| {
                    let done = &done;
                    scope.spawn(move || self.supervise(job, cases, texts, done))
                })
                .collect();
            let joined = threads.into_iter().map(|thread| {
                thread
                    .join()
                    .map_err(|_| "a thread broke down".to_string())?
            });
            joined.collect()
        });
        Ok(Answers {
            device,
            list: parts?.into_iter().flatten().collect(),
        })
    }

    fn supervise(
        &self,
        job: usize,
        cases: &[usize],
        texts: &[&str],
        done: &AtomicUsize,
    ) -> Result<Vec<Answer>, String> {
        let mut answers: Vec<Answer> = Vec::new();
        while answers.len() < cases.len() && Instant::now() < self.deadline {
            let rest = &cases[answers.len()..];
            let (mut found, problem) = self.child(job, rest)?;
            answers.append(&mut found);
            let Some(_) = problem else { break };
            // The module that did it, case by case.
            let from = answers.len();
            let to = (from + MODULE).min(cases.len());
            for case in &cases[from..to] {
                if Instant::now() >= self.deadline {
                    break;
                }
                let (found, problem) = self.child(job, std::slice::from_ref(case))?;
                let answer = found.into_iter().next().unwrap_or_else(|| Answer {
                    text: texts[*case].into(),
                    outcome: Outcome::Failed(problem.unwrap_or_default()),
                });
                answers.push(answer);
            }
            println!("job {job}: {} of {} cases", answers.len(), cases.len());
        }
        let missing = cases[answers.len()..].iter().map(|&case| Answer {
            text: texts[case].into(),
            outcome: Outcome::Failed("there was no time left".into()),
        });
        let missing: Vec<Answer> = missing.collect();
        answers.extend(missing);
        let total = done.fetch_add(cases.len(), Ordering::Relaxed) + cases.len();
        println!("{total} of {} cases done", self.cases.len());
        Ok(answers)
    }

    /// Runs cases in a child; gives the answers it wrote, and why it did not write all.
    fn child(&self, job: usize, cases: &[usize]) -> Result<(Vec<Answer>, Option<String>), String> {
        let name = |ending: &str| -> PathBuf { self.dir.join(format!("job{job}.{ending}")) };
        let (list, file, log) = (name("list"), name("answers"), name("log"));
        let numbers: String = cases.iter().map(|case| format!("{case}\n")).collect();
        let failed = |e: std::io::Error| format!("cannot start a child: {e}");
        fs::write(&list, numbers).map_err(failed)?;
        File::create(&file).map_err(failed)?;
        let errors = File::create(&log).map_err(failed)?;
        let program = std::env::current_exe().map_err(failed)?;
        let child = Command::new(program)
            .arg("work")
            .arg(&list)
            .arg(&file)
            .args(["--tuples", &self.tuples.to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(errors)
            .spawn()
            .map_err(failed)?;
        let problem = watch(child, &file, PATIENCE, self.deadline).map_err(failed)?;
        let mut answers = Vec::new();
        let mut input = Reader::new(BufReader::new(File::open(&file).map_err(failed)?));
        // A child that was ended may have left half an answer.
        while let Ok(Some(answer)) = input.read() {
            answers.push(answer);
        }
        let said = fs::read_to_string(&log).unwrap_or_default();
        let problem = problem.map(|problem| format!("{problem}: {}", said.trim()));
        [list, file, log].iter().for_each(|path| {
            fs::remove_file(path).ok();
        });
        Ok((answers, problem))
    }
}

/// Waits for a child that appends to a file; the problem if it does not end well, or appends nothing
/// for longer than `patience`.
pub fn watch(
    mut child: Child,
    file: &Path,
    patience: Duration,
    deadline: Instant,
) -> std::io::Result<Option<String>> {
    let (mut seen, mut since) = (0, Instant::now());
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok((!status.success()).then(|| format!("the child ended with {status}")));
        }
        let length = fs::metadata(file)?.len();
        if length != seen {
            (seen, since) = (length, Instant::now());
        }
        if since.elapsed() > patience || Instant::now() > deadline {
            child.kill()?;
            child.wait()?;
            let waited = since.elapsed().as_secs();
            return Ok(Some(format!("no answer in {waited} seconds")));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}
