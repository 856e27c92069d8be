//! Cases run on the GPU or on the emulator, and judged.

use super::case::Case;
use super::ir;
use super::judge::{Left, Seen, judge};
use super::plan::{Plan, SLOT, THREADS, plans};
use crate::compiled::compile;
use warpc_driver::{Buffer, Gpu};
use warpc_ptx::Module;
use warpc_sim::{Argument, Device, Launch, Options};

/// Cases of one module.
pub const MODULE: usize = 32;
/// Thread instructions that no launch needs.
const LIMIT: u64 = 200_000_000;
/// Bytes of operands or results that a thread has.
const PAIR: usize = 32;
/// What results are filled with before a launch.
const UNTOUCHED: u8 = 0xee;

/// What came of a case.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ran {
    /// Launches that were done.
    pub launches: usize,
    /// What was looked at.
    pub seen: Seen,
    /// What is wrong: the launch, and what it left.
    pub wrong: Vec<String>,
}

/// Where cases run.
pub enum Machine {
    /// On the emulator, in an interleaving that follows from a seed.
    Sim {
        /// The seed.
        seed: u64,
    },
    /// On the GPU.
    Gpu(OnGpu),
}

/// The GPU, with memory for the largest launch.
pub struct OnGpu {
    gpu: Gpu,
    cells: Buffer,
    operands: Buffer,
    olds: Buffer,
    ats: Buffer,
}

impl Machine {
    /// The GPU of this machine.
    pub fn gpu() -> Result<Machine, String> {
        let open = || {
            let gpu = Gpu::open()?;
            Ok(OnGpu {
                cells: gpu.alloc(SLOT * THREADS)?,
                operands: gpu.alloc(PAIR * THREADS)?,
                olds: gpu.alloc(PAIR * THREADS)?,
                ats: gpu.alloc(4 * THREADS)?,
                gpu,
            })
        };
        open()
            .map(Machine::Gpu)
            .map_err(|e: warpc_driver::DriverError| e.to_string())
    }

    /// Runs cases, which are compiled together. The error means that the machine is lost.
    pub fn run(&self, cases: &[Case]) -> Result<Vec<Ran>, String> {
        let compiled = match compile("atomics", &ir::module(cases)) {
            Ok(compiled) => compiled,
            Err(reason) => {
                if let [_] = cases {
                    return Ok(vec![Ran {
                        wrong: vec![reason],
                        ..Ran::default()
                    }]);
                }
                // One that is refused must not cost the others.
                let alone = cases
                    .iter()
                    .map(|case| self.run(std::slice::from_ref(case)));
                let alone: Result<Vec<Vec<Ran>>, String> = alone.collect();
                return Ok(alone?.into_iter().flatten().collect());
            }
        };
        match self {
            Machine::Sim { seed } => Ok(cases
                .iter()
                .enumerate()
                .map(|(number, case)| {
                    run_plans(case, |plan| {
                        on_sim(&compiled.module, number, case, plan, *seed)
                    })
                    .0
                })
                .collect()),
            Machine::Gpu(gpu) => gpu.run(&compiled.text, cases),
        }
    }
}

/// Runs the launches of a case; the last error of a launch is given beside.
fn run_plans(
    case: &Case,
    mut run: impl FnMut(&Plan) -> Result<[Vec<u8>; 2], String>,
) -> (Ran, Option<String>) {
    let mut ran = Ran::default();
    for plan in plans(case) {
        let side = if plan.to_shared { " to shared" } else { "" };
        let judged = match run(&plan) {
            Ok([cells, olds]) => judge(
                case,
                &plan,
                &Left {
                    cells: &cells,
                    olds: &olds,
                },
            ),
            Err(fault) => {
                ran.wrong.push(format!("{}{side}: {fault}", plan.name));
                return (ran, Some(fault));
            }
        };
        ran.launches += 1;
        match judged {
            Ok(seen) => ran.seen += seen,
            Err(wrong) => ran.wrong.push(format!("{}{side}: {wrong}", plan.name)),
        }
    }
    (ran, None)
}

fn launch(number: usize, case: &Case, plan: &Plan) -> Launch {
    let (blocks, threads, cluster) = case.shape(plan.to_shared);
    let mut arguments: Vec<Argument> = (0..4).map(Argument::Buffer).collect();
    let which = u32::from(plan.to_shared).to_le_bytes();
    arguments.push(Argument::Value(which.to_vec()));
    Launch {
        kernel: ir::kernel_name(number),
        grid: [blocks, 1, 1],
        block: [threads, 1, 1],
        cluster: cluster.then_some([blocks, 1, 1]),
        dynamic_shared: 0,
        cooperative: false,
        arguments,
    }
}

/// The bytes of operands and places.
fn inputs(plan: &Plan) -> [Vec<u8>; 2] {
    let operands = plan.operands.iter().flatten();
    let operands = operands.flat_map(|value| value.to_le_bytes()).collect();
    let places = plan.places().into_iter().flat_map(u32::to_le_bytes);
    [operands, places.collect()]
}

fn on_sim(
    module: &Module,
    number: usize,
    case: &Case,
    plan: &Plan,
    seed: u64,
) -> Result<[Vec<u8>; 2], String> {
    let options = Options {
        seed,
        jobs: 1,
        limit: Some(LIMIT),
        init: false,
        ..Options::default()
    };
    let mut device = Device::new(module, options);
    let [operands, places] = inputs(plan);
    device.buffer(&plan.cells);
    device.buffer(&operands);
    device.buffer(&vec![UNTOUCHED; PAIR * THREADS]);
    device.buffer(&places);
    let launched = device.launch(&launch(number, case, plan));
    launched.map_err(|found| {
        let first = found.as_slice().first();
        first.map_or_else(String::new, |d| d.message.clone())
    })?;
    Ok([device.read(0), device.read(2)])
}

impl OnGpu {
    fn run(&self, text: &str, cases: &[Case]) -> Result<Vec<Ran>, String> {
        let loaded = match crate::assembled::load(&self.gpu, text) {
            Ok(loaded) => loaded,
            Err(error) => {
                let wrong = vec![error.to_string().replace(['\n', '\t'], " ")];
                let ran = Ran {
                    wrong,
                    ..Ran::default()
                };
                return Ok(vec![ran; cases.len()]);
            }
        };
        let mut all = Vec::new();
        for (number, case) in cases.iter().enumerate() {
            let name = ir::kernel_name(number);
            let kernel = loaded.kernel(&name).map_err(|e| e.to_string())?;
            let (ran, fault) = run_plans(case, |plan| {
                let [operands, places] = inputs(plan);
                let work = || {
                    self.cells.upload(&plan.cells)?;
                    self.operands.upload(&operands)?;
                    self.olds.fill(UNTOUCHED)?;
                    self.ats.upload(&places)?;
                    let buffers = [&self.cells, &self.operands, &self.olds, &self.ats];
                    self.gpu
                        .launch(&kernel, &launch(number, case, plan), &buffers)?;
                    self.gpu.synchronize()?;
                    Ok([self.cells.download()?, self.olds.download()?])
                };
                work().map_err(|e: warpc_driver::DriverError| e.to_string())
            });
            if let Some(fault) = fault {
                return Err(format!("{}: {fault}", case.text()));
            }
            all.push(ran);
        }
        Ok(all)
    }
}
