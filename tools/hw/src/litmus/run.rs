//! All styles of a shape at a range, run on the GPU or on the emulator.

use super::ir;
use super::shape::{LOCATIONS, OUTCOMES, REGISTERS, Shape};
use super::style::{Place, Range, STYLES, Style};
use super::terrain::{STRIDES, Size, Terrain};
use crate::compiled::{Compiled, compile};
use warpc_driver::{Buffer, DriverError, Gpu, Loaded};
use warpc_ptx::Module;
use warpc_sim::{Argument, Device, Launch, Options};
use warpc_testkit::Random;
use warpc_testkit::hash::fnv1a;

/// Bytes that other traffic goes to: as many as the kernel masks places to.
const SCRATCH: usize = 4 << 18;
/// Parameters of the test after the buffers, and of the count.
const PARAMETERS: (usize, usize) = (11, 2);
/// Terrains that are remembered because weak outcomes were seen there.
const BEST: usize = 4;
/// Thread instructions that no launch on the emulator needs.
const LIMIT: u64 = 500_000_000;

/// A shape at a range.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// The shape.
    pub shape: Shape,
    /// The range.
    pub range: Range,
}

/// What came of a test.
#[derive(Clone, Debug)]
pub struct Ran {
    /// The style.
    pub style: Style,
    /// How often each outcome was seen.
    pub counts: Vec<u64>,
}

impl Group {
    /// Whether a style forbids the weak outcome.
    pub fn forbids(&self, style: &Style) -> bool {
        self.range.covers && self.shape.needs <= style.strength
    }
}

/// Runs all styles of a group. The error says what could not be compiled or run.
pub fn run(
    group: &Group,
    machine: &Machine,
    size: Size,
    launches: usize,
    seed: u64,
) -> Result<Vec<Ran>, String> {
    let name = format!("{} {} {seed}", group.shape.name, group.range.name);
    let mut random = Random::new(fnv1a(&name));
    // Where most weak outcomes were seen, and how many.
    let mut best: Vec<(u64, Terrain)> = Vec::new();
    let mut all = Vec::new();
    for style in STYLES {
        let compiled = compile(
            style.name,
            &ir::module(&group.shape, &style, group.range.scope),
        )
        .map_err(|reason| format!("{name} {}: {reason}", style.name))?;
        let test = machine.test(compiled, size, group.range.place)?;
        let mut counts = vec![0u64; OUTCOMES];
        for launch in 0..launches {
            let terrain = match best.is_empty() || launch % 2 == 0 {
                true => Terrain::draw(&mut random, group.range.place, size),
                false => {
                    let pick = random.below(best.len());
                    best[pick].1.again(&mut random)
                }
            };
            let found = test.run(terrain)?;
            let weak: u64 = (0..OUTCOMES)
                .filter(|&outcome| group.shape.is_weak(outcome))
                .map(|outcome| found[outcome])
                .sum();
            if weak > 0 && best.iter().all(|(_, other)| !same_place(*other, terrain)) {
                best.push((weak, terrain));
                best.sort_by_key(|(weak, _)| std::cmp::Reverse(*weak));
                best.truncate(BEST);
            }
            counts.iter_mut().zip(found).for_each(|(sum, n)| *sum += n);
        }
        all.push(Ran { style, counts });
    }
    Ok(all)
}

fn same_place(a: Terrain, b: Terrain) -> bool {
    Terrain { seed: 0, ..a } == Terrain { seed: 0, ..b }
}

/// Where tests run.
pub enum Machine {
    /// On the emulator, in an interleaving that follows from a seed.
    Sim {
        /// The seed.
        seed: u64,
    },
    /// On the GPU.
    Gpu(OnGpu),
}

/// The GPU, with memory for all terrains.
pub struct OnGpu {
    gpu: Gpu,
    memory: Vec<(u32, Buffer)>,
    out: Buffer,
    scratch: Buffer,
    counts: Buffer,
}

/// A test, ready to run.
enum Test<'m> {
    Sim {
        module: Module,
        seed: u64,
        size: Size,
        place: Place,
    },
    Gpu {
        on: &'m OnGpu,
        loaded: Loaded,
        size: Size,
        place: Place,
    },
}

fn memory_bytes(size: Size, stride: u32) -> usize {
    4 * LOCATIONS * size.instances() as usize * stride as usize
}

fn out_bytes(size: Size) -> usize {
    4 * REGISTERS * size.instances() as usize
}

fn said(error: DriverError) -> String {
    error.to_string()
}

impl Machine {
    /// The GPU of this machine.
    pub fn gpu(size: Size) -> Result<Machine, String> {
        let open = || {
            let gpu = Gpu::open()?;
            let memory: Result<Vec<(u32, Buffer)>, DriverError> = STRIDES
                .iter()
                .map(|&stride| Ok((stride, gpu.alloc(memory_bytes(size, stride))?)))
                .collect();
            Ok(OnGpu {
                memory: memory?,
                out: gpu.alloc(out_bytes(size))?,
                scratch: gpu.alloc(SCRATCH)?,
                counts: gpu.alloc(8 * OUTCOMES)?,
                gpu,
            })
        };
        open().map(Machine::Gpu).map_err(said)
    }

    fn test(&self, compiled: Compiled, size: Size, place: Place) -> Result<Test<'_>, String> {
        match self {
            Machine::Sim { seed } => Ok(Test::Sim {
                module: compiled.module,
                seed: *seed,
                size,
                place,
            }),
            Machine::Gpu(on) => {
                let loaded = crate::assembled::load(&on.gpu, &compiled.text).map_err(said)?;
                on.out.fill(0).map_err(said)?;
                Ok(Test::Gpu {
                    on,
                    loaded,
                    size,
                    place,
                })
            }
        }
    }
}

/// The launches of the test and of the count; their buffers are memory, registers, and one more.
fn launches(size: Size, place: Place, terrain: Terrain) -> [Launch; 2] {
    let make = |kernel: &str, cluster: Option<[u32; 3]>, last: usize, parameters: usize| {
        let mut arguments = vec![Argument::Buffer(0), Argument::Buffer(1)];
        arguments.push(Argument::Buffer(last));
        arguments.extend(terrain.arguments(parameters));
        Launch {
            kernel: kernel.into(),
            grid: [size.blocks, 1, 1],
            block: [size.threads, 1, 1],
            cluster,
            dynamic_shared: 0,
            cooperative: false,
            arguments,
        }
    };
    let cluster = (place == Place::Cluster).then_some([size.cluster, 1, 1]);
    [
        make(ir::TEST, cluster, 2, PARAMETERS.0),
        make(ir::TALLY, None, 3, PARAMETERS.1),
    ]
}

impl Test<'_> {
    /// How often each outcome was seen in one launch.
    fn run(&self, terrain: Terrain) -> Result<Vec<u64>, String> {
        let bytes = match self {
            Test::Sim {
                module,
                seed,
                size,
                place,
            } => {
                let options = Options {
                    seed: seed ^ u64::from(terrain.seed),
                    jobs: 1,
                    limit: Some(LIMIT),
                    init: false,
                    ..Options::default()
                };
                let mut device = Device::new(module, options);
                device.buffer(&vec![0; memory_bytes(*size, terrain.stride)]);
                device.buffer(&vec![0; out_bytes(*size)]);
                device.buffer(&vec![0; SCRATCH]);
                let counts = device.buffer(&vec![0; 8 * OUTCOMES]);
                for launch in launches(*size, *place, terrain) {
                    device.launch(&launch).map_err(|found| {
                        let first = found.as_slice().first();
                        first.map_or_else(String::new, |d| d.message.clone())
                    })?;
                }
                device.read(counts)
            }
            Test::Gpu {
                on,
                loaded,
                size,
                place,
            } => {
                let memory = on
                    .memory
                    .iter()
                    .find(|(stride, _)| *stride == terrain.stride);
                let (_, memory) = memory.ok_or("there is no memory for this stride")?;
                let work = || {
                    memory.fill(0)?;
                    on.counts.fill(0)?;
                    for launch in launches(*size, *place, terrain) {
                        let kernel = loaded.kernel(&launch.kernel)?;
                        let buffers = [memory, &on.out, &on.scratch, &on.counts];
                        on.gpu.launch(&kernel, &launch, &buffers)?;
                    }
                    on.gpu.synchronize()?;
                    on.counts.download()
                };
                work().map_err(said)?
            }
        };
        let words = bytes.chunks_exact(8);
        Ok(words
            .map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes")))
            .collect())
    }
}
