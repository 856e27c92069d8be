//! Compilers and machines: ours and others', the emulator, processes.

use std::io::Write;
use std::process::{Command, Stdio};
use warpc::Source;
use warpc_diag::{Diagnostics, SourceFile};
use warpc_sim::{Argument, Device, Launch, Options};

/// How our compiler is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ask {
    /// The chip.
    pub chip: &'static str,
    /// The level of our own optimisations.
    pub level: u8,
    /// Subnormal numbers of `float` are zero.
    pub ftz: bool,
    /// Products and sums may be fused where they are marked.
    pub fmad: bool,
}

impl Ask {
    /// The usual choices for a chip.
    pub fn chip(chip: &'static str) -> Ask {
        Ask {
            chip,
            level: 3,
            ftz: false,
            fmad: true,
        }
    }
}

/// Chips that programs are compiled for.
pub const CHIPS: [&str; 4] = ["sm_60", "sm_75", "sm_90", "sm_120"];

fn first(diagnostics: &Diagnostics) -> String {
    let error = diagnostics.first_error();
    let error = error.map(|error| error.message.clone());
    error.unwrap_or_else(|| "no diagnostic".into())
}

/// PTX of our compiler. The error is its first diagnostic.
pub fn ours(ask: Ask, text: &str) -> Result<String, String> {
    let source = Source::new("program.ll", text).map_err(|error| error.to_string())?;
    let sm = ask
        .chip
        .parse()
        .map_err(|_| format!("{} is not a chip", ask.chip))?;
    let mut options = warpc::Options::new(sm);
    options.level = ask.level;
    options.ftz = ask.ftz.then_some(true);
    options.fmad = ask.fmad;
    let made = warpc::compile(&source, &options);
    match made.value {
        Some(ptx) => Ok(ptx.to_string()),
        None => Err(first(&made.diagnostics)),
    }
}

/// PTX of LLVM's compiler at a level.
pub fn llc(level: &str, text: &str) -> Result<String, String> {
    let arguments = [
        level,
        "-mcpu=sm_90",
        "-mattr=+ptx86",
        "-march=nvptx64",
        "-",
        "-o",
        "-",
    ];
    command("llc-22", &arguments, text)
}

/// LLVM IR after LLVM's optimisations.
pub fn opt(level: &str, text: &str) -> Result<String, String> {
    command("opt-22", &[level, "-S", "-", "-o", "-"], text)
}

/// A program that reads its standard input and writes its standard output. It gets a minute of processor time.
pub fn command(program: &str, arguments: &[&str], text: &str) -> Result<String, String> {
    let failed = |e: std::io::Error| format!("cannot run {program}: {e}");
    let mut child = Command::new("prlimit")
        .args(["--cpu=60", "--core=0", program])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let mut input = child.stdin.take().ok_or("there is no input")?;
    let text = text.to_string();
    // It may write before it has read everything, or stop reading and say why.
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()).ok());
    let output = child.wait_with_output().map_err(failed)?;
    writer.join().ok();
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let mut lines = said.lines().filter(|line| !line.trim().is_empty());
    Err(format!(
        "{program}: {}",
        lines.next().unwrap_or("it failed and said nothing")
    ))
}

/// A kernel to be run.
#[derive(Clone, Debug)]
pub struct Job {
    /// Its name.
    pub kernel: String,
    /// Threads of its one block.
    pub threads: u32,
    /// The buffer it reads.
    pub input: Vec<u8>,
    /// The buffer it writes, as it is before.
    pub output: Vec<u8>,
    /// Further parameters, by value.
    pub values: Vec<Vec<u8>>,
    /// Instructions of all threads after which it is stopped.
    pub limit: u64,
}

/// Runs kernels of a PTX module on the emulator. The outer error is about the module.
pub fn emulate(ptx: &str, jobs: &[Job]) -> Result<Vec<Result<Vec<u8>, String>>, String> {
    let file = SourceFile::new("program.ptx", ptx).ok_or("the PTX is too long")?;
    let checked = warpc_ptx::check(&file);
    if checked.diagnostics.has_errors() {
        return Err(format!("the PTX is wrong: {}", first(&checked.diagnostics)));
    }
    let run = |job: &Job| {
        let options = Options {
            jobs: 1,
            limit: Some(job.limit),
            init: false,
            ..Options::default()
        };
        let mut device = Device::new(checked.value.as_ref().unwrap(), options);
        let buffers = [device.buffer(&job.input), device.buffer(&job.output)];
        let values = job.values.iter().cloned().map(Argument::Value);
        let launch = Launch {
            kernel: job.kernel.clone(),
            grid: [1; 3],
            block: [job.threads, 1, 1],
            cluster: None,
            dynamic_shared: 0,
            cooperative: false,
            arguments: buffers
                .map(Argument::Buffer)
                .into_iter()
                .chain(values)
                .collect(),
        };
        device.launch(&launch).map_err(|found| first(&found))?;
        Ok(device.read(buffers[1]))
    };
    Ok(jobs.iter().map(run).collect())
}
