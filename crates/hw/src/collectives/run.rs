//! Cases compiled for a chip, and run on the GPU or on the emulator.

use super::case::{Case, kernel_name, module};
use super::warp::UNTOUCHED;
use warpc_diag::{Severity, SourceFile};
use warpc_driver::{DriverError, Gpu};
use warpc_nvvm::NvvmOptions;
use warpc_pipeline::{CompileOptions, compile_llvm};
use warpc_ptx::Module;
use warpc_sim::{Argument, Device, Launch, Options};

/// Thread instructions that no launch needs.
const LIMIT: u64 = 2_000_000_000;

/// The chips that the kernels are compiled for: one that has the instructions, and those before it for which the
/// compiler makes several of others.
pub const CHIPS: [&str; 4] = ["sm_60", "sm_75", "sm_80", "sm_90"];

/// Whether a case is for a chip.
pub fn is_for(case: &Case, chip: &str) -> bool {
    let number = chip.trim_start_matches("sm_").parse::<u16>();
    number.is_ok_and(|number| number >= case.first_chip)
}

/// Where cases run.
pub enum Machine {
    /// On the emulator, in an interleaving that follows from a seed.
    Sim {
        /// The seed.
        seed: u64,
    },
    /// On the GPU.
    Gpu(Box<Gpu>),
}

/// What came of a case: how many words were compared, or what is wrong.
pub type Verdict = Result<usize, String>;

impl Machine {
    /// The GPU of this machine.
    pub fn gpu() -> Result<Machine, String> {
        let gpu = Gpu::open().map_err(|e| e.to_string())?;
        Ok(Machine::Gpu(gpu.into()))
    }

    /// Runs cases that are for the chip, compiled together. The error means that the machine is lost.
    pub fn run(&self, cases: &[&Case], chip: &str) -> Result<Vec<Verdict>, String> {
        let ptx = match compile(&module(cases), chip) {
            Ok(ptx) => ptx,
            Err(reason) => return Ok(vec![Err(reason); cases.len()]),
        };
        match self {
            Machine::Sim { seed } => {
                let module = match read(&ptx) {
                    Ok(module) => module,
                    Err(reason) => return Ok(vec![Err(reason); cases.len()]),
                };
                let run = |(number, case): (usize, &&Case)| {
                    let left = on_sim(&module, number, case, *seed)?;
                    judge(case, &left)
                };
                Ok(cases.iter().enumerate().map(run).collect())
            }
            Machine::Gpu(gpu) => on_gpu(gpu, &ptx, cases),
        }
    }
}

/// The PTX of a module. The error is the first diagnostic.
pub fn compile(ll: &str, chip: &str) -> Result<String, String> {
    let file = SourceFile::new("collectives.ll", ll).ok_or("the text is too long")?;
    let sm = chip.parse().map_err(|_| format!("{chip} is no chip"))?;
    let options = CompileOptions::new(sm);
    let made = compile_llvm(&file, NvvmOptions::default(), options, &mut |_, _| {});
    match made.module {
        Some(module) => Ok(warpc_ptx::print(&module)),
        None => {
            let mut errors = made.diagnostics.as_slice().iter();
            let first = errors.find(|d| d.severity == Severity::Error);
            Err(first.map_or_else(String::new, |d| format!("refused: {}", d.message)))
        }
    }
}

fn read(ptx: &str) -> Result<Module, String> {
    let file = SourceFile::new("collectives.ptx", ptx).ok_or("the text is too long")?;
    let checked = warpc_ptx::check(&file);
    let mut errors = checked.diagnostics.as_slice().iter();
    match errors.find(|d| d.severity == Severity::Error) {
        Some(error) => Err(format!("the PTX is wrong: {}", error.message)),
        None => Ok(checked.module),
    }
}

fn launch(number: usize, case: &Case) -> Launch {
    let (blocks, threads, cluster) = case.shape;
    Launch {
        kernel: kernel_name(number),
        grid: [blocks, 1, 1],
        block: [threads, 1, 1],
        cluster: (cluster > 1).then_some([cluster, 1, 1]),
        dynamic_shared: 0,
        arguments: vec![Argument::Buffer(0), Argument::Buffer(1)],
    }
}

/// The bytes of the input, and of the output before the launch.
fn buffers(case: &Case) -> [Vec<u8>; 2] {
    let input = case.input.iter().flat_map(|word| word.to_le_bytes());
    let untouched = case.expected.iter().flat_map(|_| UNTOUCHED.to_le_bytes());
    [input.collect(), untouched.collect()]
}

fn on_sim(module: &Module, number: usize, case: &Case, seed: u64) -> Result<Vec<u8>, String> {
    let options = Options {
        seed,
        jobs: 1,
        limit: Some(LIMIT),
    };
    let mut device = Device::new(module, options);
    for buffer in buffers(case) {
        device.buffer(&buffer);
    }
    let launched = device.launch(&launch(number, case));
    launched.map_err(|found| {
        let first = found.as_slice().first();
        first.map_or_else(String::new, |d| d.message.clone())
    })?;
    Ok(device.read(1))
}

fn on_gpu(gpu: &Gpu, ptx: &str, cases: &[&Case]) -> Result<Vec<Verdict>, String> {
    let loaded = match gpu.load(ptx) {
        Ok(loaded) => loaded,
        Err(error) => {
            let reason = error.to_string().replace(['\n', '\t'], " ");
            return Ok(vec![Err(reason); cases.len()]);
        }
    };
    let run = |(number, case): (usize, &&Case)| {
        let kernel = loaded.kernel(&kernel_name(number))?;
        let [input, output] = buffers(case);
        let (input, output) = (gpu.buffer(&input)?, gpu.buffer(&output)?);
        gpu.launch(&kernel, &launch(number, case), &[&input, &output])?;
        gpu.synchronize()?;
        output.download()
    };
    let mut verdicts = Vec::new();
    for (number, case) in cases.iter().enumerate() {
        let left = run((number, case)).map_err(|e: DriverError| format!("{}: {e}", case.name))?;
        verdicts.push(judge(case, &left));
    }
    Ok(verdicts)
}

/// Compares what a launch left with what it must leave.
fn judge(case: &Case, left: &[u8]) -> Verdict {
    let words = left
        .as_chunks::<4>()
        .0
        .iter()
        .map(|word| u32::from_le_bytes(*word));
    for (at, (word, expected)) in words.zip(&case.expected).enumerate() {
        let Some(expected) = *expected else {
            continue;
        };
        if word != expected {
            let (thread, result) = (at / super::case::OUTPUT, at % super::case::OUTPUT);
            let input = &case.input[thread * super::case::INPUT..][..super::case::INPUT];
            return Err(format!(
                "thread {thread} of {:?}, result {result}: {word:#x}, must be {expected:#x}; it had {input:x?}",
                case.shape
            ));
        }
    }
    Ok(case.defined())
}
