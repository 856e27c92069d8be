//! One file of a benchmark, in a process of its own: all builds of it side by side.
//!
//! ```text
//!   case ─► every build once: what it leaves, and its code comes to the GPU
//!        └► rounds: build 1, build 2, … again and again: what the GPU does meanwhile meets all of them
//!        └► a line for each build: what it left, the median of its times
//! ```

use super::bench::Contender;
use super::record::{Ran, Seen};
use super::run::{STACK, request};
use super::{Case, File};
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use warpc_driver::{Buffer, DriverError, Gpu, Limit, Loaded};
use warpc_ptx::Module;
use warpc_request::Request;

/// What a child is called with.
#[derive(Debug, clap::Args)]
pub struct Work {
    /// The builds.
    #[arg(long = "build")]
    builds: Vec<String>,
    /// The name of the file.
    #[arg(long)]
    file: String,
    /// The cases, by number.
    #[arg(long, value_delimiter = ',')]
    cases: Vec<usize>,
    #[arg(long)]
    rounds: usize,
    #[arg(long)]
    repeats: usize,
    /// Where a line goes for each case and build.
    #[arg(long)]
    lines: PathBuf,
}

/// A build of the file on the GPU, or why it is not there.
struct Build {
    file: File,
    module: Module,
    loaded: Loaded,
}

/// A build that can run a case.
struct Runner<'a> {
    request: Request,
    loaded: &'a Loaded,
    seconds: Vec<f64>,
    left: Option<Vec<Seen>>,
}

impl Work {
    /// Runs the cases and appends a line for each case and build.
    pub fn run(&self) -> Result<(), String> {
        let failed = |e: std::io::Error| format!("cannot write {}: {e}", self.lines.display());
        let mut lines = fs::File::create(&self.lines).map_err(failed)?;
        let open = || -> Result<Gpu, DriverError> {
            let gpu = Gpu::open()?;
            gpu.set_limit(Limit::Stack, STACK)?;
            Ok(gpu)
        };
        let gpu = open().map_err(|e| e.to_string())?;
        let mut builds = Vec::new();
        for name in &self.builds {
            builds.push(self.build(&gpu, &Contender::parse(name)?));
        }
        let first = Contender::parse(self.builds.first().ok_or("there is no build")?)?;
        let files = first.suite()?.files;
        let file = files.into_iter().find(|file| file.name == self.file);
        let file = file.ok_or_else(|| format!("there is no {}", self.file))?;
        for number in &self.cases {
            let case = file.cases.get(*number).ok_or("there is no such case")?;
            for ran in self.case(&gpu, &builds, case)? {
                writeln!(lines, "{}", ran.line()).map_err(failed)?;
            }
        }
        Ok(())
    }

    fn build(&self, gpu: &Gpu, contender: &Contender) -> Result<Build, String> {
        let files = contender.suite()?.files;
        let file = files.into_iter().find(|file| file.name == self.file);
        let file = file.ok_or("the build has no such file")?;
        let module = file.module()?;
        let loaded = contender.assembler.load(gpu, &file.name, &file.text());
        Ok(Build {
            loaded: loaded.map_err(|e| e.to_string())?,
            file,
            module,
        })
    }

    /// A case by all builds; the error means that the context is gone.
    fn case(
        &self,
        gpu: &Gpu,
        builds: &[Result<Build, String>],
        case: &Case,
    ) -> Result<Vec<Ran>, String> {
        let runners = builds.iter().map(|build| {
            let build = build.as_ref().map_err(String::clone)?;
            let mut own = build.file.cases.iter();
            let own = own.find(|own| own.text == case.text);
            let own = own.ok_or("the build has no such launch")?;
            Ok(Runner {
                request: request(&build.module, own)?,
                loaded: &build.loaded,
                seconds: Vec::new(),
                left: None,
            })
        });
        let mut runners: Vec<Result<Runner, String>> = runners.collect();
        let run = |runners: &mut [Result<Runner, String>]| -> Result<(), DriverError> {
            let Some(first) = runners.iter().flatten().next() else {
                return Ok(());
            };
            let buffers = first.request.buffers.iter();
            let buffers = buffers.map(|buffer| gpu.buffer(&buffer.bytes));
            let buffers: Vec<Buffer> = buffers.collect::<Result<_, _>>()?;
            for runner in runners.iter_mut() {
                let Ok(there) = runner else { continue };
                match there.once(gpu, &buffers) {
                    Ok(_) => {}
                    Err(error) if error.is_sticky() => return Err(error),
                    Err(error) => {
                        *runner = Err(error.to_string());
                        continue;
                    }
                }
                let left = buffers
                    .iter()
                    .map(|buffer| Ok(Seen::of(&buffer.download()?)));
                there.left = Some(left.collect::<Result<_, DriverError>>()?);
            }
            for _ in 0..self.rounds {
                for runner in runners.iter_mut().flatten() {
                    for _ in 0..self.repeats {
                        let seconds = runner.once(gpu, &buffers)?;
                        runner.seconds.push(seconds);
                    }
                }
            }
            Ok(())
        };
        run(&mut runners).map_err(|e| e.to_string())?;
        let ran = runners.into_iter().map(|runner| match runner {
            Ok(Runner {
                mut seconds, left, ..
            }) => Ran {
                outcome: left.ok_or_else(|| "it was not run".to_owned()),
                output: String::new(),
                seconds: median(&mut seconds),
            },
            Err(why) => Ran::failed(why),
        });
        Ok(ran.collect())
    }
}

impl Runner<'_> {
    /// One launch, on buffers as they are at first.
    fn once(&self, gpu: &Gpu, buffers: &[Buffer]) -> Result<f64, DriverError> {
        for (buffer, first) in buffers.iter().zip(&self.request.buffers) {
            buffer.upload(&first.bytes)?;
        }
        let kernel = self.loaded.kernel(&self.request.launch().kernel)?;
        let all: Vec<&Buffer> = buffers.iter().collect();
        gpu.time(&kernel, self.request.launch(), &all)
    }
}

/// The one in the middle.
fn median(seconds: &mut [f64]) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds.get(seconds.len() / 2).copied().unwrap_or(0.0)
}
