//! Cases compiled for a chip, and run on the GPU or on the emulator.

use super::case::{Case, INPUT, OUTPUT, kernel_name, module};
use super::pipeline::Pipeline;
use super::warp::UNTOUCHED;
use crate::compiled::{Compiled, compile_for};
use warpc_driver::{DriverError, Gpu, Loaded};
use warpc_ptx::Module;
use warpc_sim::{Argument, Device, Launch, Options};

/// Thread instructions that no launch needs.
const LIMIT: u64 = 2_000_000_000;

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
    pub fn run(&self, cases: &[Case], chip: &str) -> Result<Vec<Verdict>, String> {
        let compiled = match compile_for("collectives", &module(cases), chip) {
            Ok(compiled) => compiled,
            Err(reason) => return Ok(vec![Err(reason); cases.len()]),
        };
        let launches = cases.iter().enumerate().map(|(number, case)| {
            let (blocks, threads, cluster) = case.shape;
            Launch {
                kernel: kernel_name(number),
                grid: [blocks, 1, 1],
                block: [threads, 1, 1],
                cluster: (cluster > 1).then_some([cluster, 1, 1]),
                dynamic_shared: 0,
                cooperative: false,
                arguments: vec![Argument::Buffer(0), Argument::Buffer(1)],
            }
        });
        let launches: Vec<Launch> = launches.collect();
        let before = |case: &Case| {
            let input = case.input.iter().flat_map(|word| word.to_le_bytes());
            let untouched = case.expected.iter().flat_map(|_| UNTOUCHED.to_le_bytes());
            [input.collect::<Vec<u8>>(), untouched.collect()]
        };
        let place = match self.place(&compiled) {
            Ok(place) => place,
            Err(reason) => return Ok(vec![Err(reason); cases.len()]),
        };
        let mut verdicts = Vec::new();
        for (case, launch) in cases.iter().zip(&launches) {
            let left = place.launch(launch, &before(case))?;
            verdicts.push(left.and_then(|left| judge(case, &left[1])));
        }
        Ok(verdicts)
    }

    /// Where a module is ready to run, or why it was not taken.
    fn place<'m>(&'m self, compiled: &'m Compiled) -> Result<Place<'m>, String> {
        match self {
            Machine::Sim { seed } => Ok(Place::Sim(&compiled.module, *seed)),
            Machine::Gpu(gpu) => match crate::assembled::load(gpu, &compiled.text) {
                Ok(loaded) => Ok(Place::Gpu(gpu, loaded)),
                Err(error) => Err(error.to_string().replace(['\n', '\t'], " ")),
            },
        }
    }

    /// Runs a pipeline. The error means that the machine is lost.
    pub fn pipeline(&self, pipeline: &Pipeline, chip: &str) -> Result<Verdict, String> {
        let compiled = match compile_for(pipeline.name, pipeline.ll, chip) {
            Ok(compiled) => compiled,
            Err(reason) => return Ok(Err(reason)),
        };
        let (launch, before) = pipeline.launch();
        let left = match self.place(&compiled) {
            Ok(place) => place.launch(&launch, &before)?,
            Err(reason) => Err(reason),
        };
        Ok(left.and_then(|left| pipeline.judge(left.last().map_or(&[], |last| &last[..]))))
    }
}

/// A module that is ready to run.
enum Place<'m> {
    Sim(&'m Module, u64),
    Gpu(&'m Gpu, Loaded),
}

impl Place<'_> {
    /// What a launch leaves in its buffers, or what the emulator found. The outer error is a fault of the GPU.
    fn launch(
        &self,
        launch: &Launch,
        before: &[Vec<u8>],
    ) -> Result<Result<Vec<Vec<u8>>, String>, String> {
        let (gpu, loaded) = match self {
            Place::Sim(module, seed) => return Ok(on_sim(module, launch, before, *seed)),
            Place::Gpu(gpu, loaded) => (gpu, loaded),
        };
        let work = || {
            let kernel = loaded.kernel(&launch.kernel)?;
            let buffers = before.iter().map(|bytes| gpu.buffer(bytes));
            let buffers = buffers.collect::<Result<Vec<_>, _>>()?;
            let all: Vec<_> = buffers.iter().collect();
            gpu.launch(&kernel, launch, &all)?;
            gpu.synchronize()?;
            let left = buffers.iter().map(|buffer| buffer.download());
            left.collect::<Result<Vec<_>, _>>()
        };
        work()
            .map(Ok)
            .map_err(|e: DriverError| format!("{}: {e}", launch.kernel))
    }
}

fn on_sim(
    module: &Module,
    launch: &Launch,
    before: &[Vec<u8>],
    seed: u64,
) -> Result<Vec<Vec<u8>>, String> {
    let options = Options {
        seed,
        jobs: 1,
        limit: Some(LIMIT),
        // What comes from lanes that take no part is compared as well.
        init: false,
        ..Options::default()
    };
    let mut device = Device::new(module, options);
    for buffer in before {
        device.buffer(buffer);
    }
    device.launch(launch).map_err(|found| {
        let first = found.as_slice().first();
        first.map_or_else(String::new, |d| d.message.clone())
    })?;
    Ok((0..before.len()).map(|at| device.read(at)).collect())
}

/// The words of a buffer.
pub(super) fn words(bytes: &[u8]) -> impl Iterator<Item = u32> {
    let words = bytes.as_chunks::<4>().0.iter();
    words.map(|word| u32::from_le_bytes(*word))
}

/// Compares what a launch left with what it must leave.
fn judge(case: &Case, left: &[u8]) -> Verdict {
    for (at, (word, expected)) in words(left).zip(&case.expected).enumerate() {
        let Some(expected) = *expected else {
            continue;
        };
        if word != expected {
            let (thread, result) = (at / OUTPUT, at % OUTPUT);
            let input = &case.input[thread * INPUT..][..INPUT];
            return Err(format!(
                "thread {thread} of {:?}, result {result}: {word:#x}, must be {expected:#x}; it had {input:x?}",
                case.shape
            ));
        }
    }
    Ok(case.defined())
}
