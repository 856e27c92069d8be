//! Runs machine code on the CPU, from the words of a cubin, and says what goes wrong.
//!
//! ```text
//!   Cubin ──Device::new──► kernels as steps, memory ──launch──► grid ► group ► warp ► exec
//!                                                                        time ──► findings
//! ```
//!
//! Words are decoded once; what an instruction does follows from its shape. Lanes have places of their own and come
//! together where the code says so. With [`Options::timed`] the register file has the latencies of the chip: a result
//! is there when its cycles have passed or its scoreboard was waited for, and who reads it earlier gets what was there
//! before and is reported ([`Problem::Early`]).

mod atomic;
mod bank;
mod compute;
mod convert;
mod exec;
mod find;
mod finding;
mod grid;
mod load;
mod memory;
mod op;
mod operand;
mod product;
mod shared;
mod time;
mod warp;

pub use finding::{Access, Early, Finding, Problem, Space};
pub use warpc_launch::{Argument, Launch};

use load::{Loaded, error};
use memory::Global;
use std::time::{Duration, Instant};
use warpc_cubin::{Cubin, Parameter};
use warpc_diag::{Diagnostics, codes};
use warpc_sass::latency::Facts;

/// How many findings a run keeps.
pub(crate) const MOST_FINDINGS: usize = 1000;

/// How a device runs kernels.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Whether the register file has latencies.
    pub timed: bool,
    /// Thread instructions after which a run is stopped with an error.
    pub limit: Option<u64>,
    /// In which order warps have their turns; 0 is that of their numbers.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            timed: true,
            limit: None,
            seed: 0,
        }
    }
}

/// Counts of what happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Instructions, once for every thread that executed it.
    pub thread_instructions: u64,
    /// Instructions, once for every warp (or part of one) that executed it.
    pub warp_instructions: u64,
    /// Atomic operations, once for every thread.
    pub atomics: u64,
    /// Loads and stores, once for every thread.
    pub accesses: u64,
    /// Bytes that loads and stores moved.
    pub bytes: u64,
    /// Barriers of blocks and clusters that were completed.
    pub barriers: u64,
    /// Warp operations such as shuffles and votes, once for every warp.
    pub collectives: u64,
}

/// Cycles of warps, as an estimate to compare schedules by: stall counts, waits for scoreboards with a guess for each kind
/// of instruction, and waits at barriers. Other warps are never in the way.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cycles {
    /// How many warps there were.
    pub warps: u64,
    /// Cycles of all of them together.
    pub total: u64,
    /// Cycles of the longest one.
    pub longest: u64,
}

/// What a launch did.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// What happened, over all threads.
    pub counts: Counts,
    /// Instructions that came too early; the run went on.
    pub findings: Vec<Finding>,
    /// Blocks in x, y and z.
    pub grid: [u32; 3],
    /// Blocks of a cluster in x, y and z.
    pub cluster: [u32; 3],
    /// Bytes of static shared memory that a block has.
    pub static_shared: u64,
    /// Cycles of the warps, if time counts.
    pub cycles: Option<Cycles>,
    /// For each instruction of the kernel's section, by its number, how often a warp, or a part of one, executed it; code of other
    /// sections follows.
    pub executed: Vec<u64>,
    /// How long it took.
    pub time: Duration,
}

/// A machine with a cubin loaded.
pub struct Device {
    options: Options,
    loaded: Loaded,
    global: Global,
    buffers: Vec<(u64, usize)>,
    findings: Vec<Finding>,
    output: Vec<u8>,
    /// Where parameters are in memory, and room for how many bytes.
    copy: Option<(u64, usize)>,
}

/// The largest alignment of a parameter that is kept.
const MOST_ALIGNED: usize = 128;

impl Device {
    /// Loads a cubin. An error says what of it cannot be loaded.
    pub fn new(cubin: &Cubin, options: Options) -> Result<Device, Diagnostics> {
        let mut global = Global::default();
        let loaded = load::load(cubin, &mut global)?;
        Ok(Device {
            options,
            loaded,
            global,
            buffers: Vec::new(),
            findings: Vec::new(),
            output: Vec::new(),
            copy: None,
        })
    }

    /// The names of the kernels.
    pub fn kernels(&self) -> impl Iterator<Item = &str> {
        self.loaded
            .kernels
            .iter()
            .map(|kernel| kernel.name.as_str())
    }

    /// The parameters of a kernel, in order.
    pub fn parameters(&self, kernel: &str) -> Option<&[Parameter]> {
        let kernel = self.loaded.kernels.iter().find(|one| one.name == kernel)?;
        Some(&kernel.parameters)
    }

    /// The instructions of a kernel that are not executed here: place and text.
    pub fn unsupported(&self, kernel: &str) -> Vec<(u32, String)> {
        let kernel = self.loaded.kernels.iter().find(|one| one.name == kernel);
        kernel.map_or_else(Vec::new, |kernel| kernel.unsupported().collect())
    }

    /// A new buffer with these bytes; gives its number.
    pub fn buffer(&mut self, bytes: &[u8]) -> usize {
        self.named_buffer(&format!("buffer {}", self.buffers.len()), bytes)
    }

    /// A new buffer that findings call by this name; gives its number.
    pub fn named_buffer(&mut self, name: &str, bytes: &[u8]) -> usize {
        let address = self.global.allocate(bytes.len(), 1, name);
        self.global.write(address, bytes);
        self.buffers.push((address, bytes.len()));
        self.buffers.len() - 1
    }

    /// The bytes of a buffer; none for a number that [`Device::buffer`] did not give.
    pub fn read(&mut self, number: usize) -> Vec<u8> {
        match self.buffers.get(number) {
            Some(&(address, length)) => self.global.read(address, length),
            None => Vec::new(),
        }
    }

    /// Gives a buffer these bytes from its start on; more than it has are left out.
    pub fn write(&mut self, number: usize, bytes: &[u8]) {
        if let Some(&(address, length)) = self.buffers.get(number) {
            self.global
                .write(address, &bytes[..bytes.len().min(length)]);
        }
    }

    /// The address of a buffer, as the kernel sees it.
    pub fn address(&self, number: usize) -> Option<u64> {
        self.buffers.get(number).map(|(address, _)| *address)
    }

    /// What the last launch found, as data; if it failed, the last one is why.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// What the last launch printed, whether it failed or not.
    pub fn output(&self) -> &[u8] {
        &self.output
    }

    /// Runs a kernel. An error is what keeps it from starting, or what it did wrong.
    pub fn launch(&mut self, launch: &Launch) -> Result<Report, Diagnostics> {
        self.findings.clear();
        self.output.clear();
        let kernel = self
            .loaded
            .kernels
            .iter()
            .find(|one| one.name == launch.kernel);
        let Some(kernel) = kernel else {
            let mut refused = self.loaded.refused.iter();
            if let Some((_, why)) = refused.find(|one| one.0 == launch.kernel) {
                return Err(why.clone());
            }
            return Err(error(
                codes::NO_KERNEL,
                format!("there is no kernel `{}` in the cubin", launch.kernel),
            ));
        };
        let cluster = launch.cluster.or(kernel.cluster).unwrap_or([1; 3]);
        let grid = match kernel.grid_of_clusters {
            true => std::array::from_fn(|at| launch.grid[at].saturating_mul(cluster[at])),
            false => launch.grid,
        };
        check_shape(launch, grid, cluster, kernel)?;
        // Code that takes the address of a parameter reads a copy of them in memory.
        let size = kernel.banks[0].len().saturating_sub(kernel.parameter_base);
        // A parameter that is aligned in the bank is so in the copy: tensor maps are read by their address.
        let lead = kernel.parameter_base % MOST_ALIGNED;
        let copy = match self.copy {
            Some((address, room)) if room >= lead + size => address,
            _ => {
                let room = lead + size;
                let align = MOST_ALIGNED as u64;
                let address = self.global.allocate(room, align, "the parameters");
                self.copy = Some((address, room));
                address
            }
        };
        let copy = copy + lead as u64;
        let buffers = &self.buffers;
        let address = |number: usize| buffers.get(number).map_or(0, |one| one.0);
        let bank = bank::fill(
            kernel,
            launch,
            grid,
            launch.cluster.or(kernel.cluster),
            copy,
            address,
        )?;
        let parameters = bank.get(kernel.parameter_base..).unwrap_or(&[]);
        self.global.write(copy, parameters);
        let mut banks = kernel.banks.clone();
        banks[0] = bank;
        let facts = Facts::of(kernel.sm).filter(|_| self.options.timed);
        let launched = grid::Launched {
            kernel,
            rules: facts.map(|facts| time::Rules::of(facts, kernel.steps.iter().flatten())),
            banks,
            grid,
            block: launch.block,
            cluster,
            shared_bytes: kernel.shared_bytes + launch.dynamic_shared as usize,
        };
        let start = Instant::now();
        let ran = grid::run(&launched, &mut self.global, &self.options);
        self.findings = ran.findings;
        self.output = ran.output;
        if ran.failed {
            let mut diagnostics = Diagnostics::new();
            if let Some(last) = self.findings.last() {
                diagnostics.push(last.diagnostic());
            }
            return Err(diagnostics);
        }
        Ok(Report {
            counts: ran.counts,
            findings: self.findings.clone(),
            grid,
            cluster,
            static_shared: launched.kernel.static_shared as u64,
            cycles: facts.is_some().then_some(ran.cycles),
            executed: ran.executed,
            time: start.elapsed(),
        })
    }
}

fn check_shape(
    launch: &Launch,
    grid: [u32; 3],
    cluster: [u32; 3],
    kernel: &load::Kernel,
) -> Result<(), Diagnostics> {
    let limits = kernel.sm.limits();
    let threads: u64 = launch.block.iter().map(|count| u64::from(*count)).product();
    let bad = |message: String| Err(error(codes::BAD_SHAPE, message));
    if threads == 0 || threads > limits.block_threads.into() {
        return bad(format!(
            "a block of {:?} has {threads} threads",
            launch.block
        ));
    }
    if grid.contains(&0) || (0..3).any(|at| grid[at] > limits.grid[at]) {
        return bad(format!("the grid is {:?}", grid));
    }
    let blocks: u64 = cluster.iter().map(|count| u64::from(*count)).product();
    let is_divided = (0..3).all(|at| cluster[at] != 0 && grid[at].is_multiple_of(cluster[at]));
    if blocks == 0 || blocks > limits.cluster_blocks.into() || !is_divided {
        return bad(format!("clusters of {cluster:?} in a grid of {:?}", grid));
    }
    let shared = kernel.shared_bytes as u64 + u64::from(launch.dynamic_shared);
    // The system keeps a kilobyte of it.
    if shared > u64::from(limits.shared_bytes) + 1024 {
        let message = format!("a block takes {shared} bytes of shared memory");
        return Err(error(codes::TOO_MUCH_SHARED, message));
    }
    Ok(())
}
