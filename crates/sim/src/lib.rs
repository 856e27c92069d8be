//! Runs PTX on the CPU, and says what goes wrong.
//!
//! ```text
//!   Module ──Device::new──► memory, addresses ──launch──► decode ──► exec: grid ► group ► warp
//! ```
//!
//! A [`Device`] holds a module's variables and the buffers of its user. [`Device::launch`] decodes
//! a kernel once, then runs its blocks: each thread with its own program counter, lanes of a warp
//! that are at the same place together, blocks in parallel on the host's cores. Whatever the kernel
//! does wrong (an access out of bounds, a barrier that part of a warp reaches, a deadlock …) comes
//! back as a diagnostic that names kernel, block, thread and line.

pub mod address;
mod decode;
pub mod exec;
pub mod explore;
mod finding;
mod leaks;
pub use warpc_ptx_eval::matrix;
mod memory;
#[cfg(feature = "jit")]
mod native;
pub mod program;
mod races;
mod report;
pub mod source;
pub mod special;
pub mod trace;
mod weak;

pub use exec::grid::Progress;
pub use report::{Counts, Report};
pub use warpc_launch::{Argument, Launch, MemoryModel, Races, Shape};

use decode::Layout;
use leaks::Leaks;
use memory::{Global, Purpose};
use program::Program;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;
use warpc_diag::{Diagnostic, Diagnostics, codes};
use warpc_ptx::Module;
use warpc_ptx::module::{Function, Space, Variable};

/// How a device runs kernels.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Which interleaving of threads; every number gives another one.
    pub seed: u64,
    /// Host threads; 0 for as many as the machine has, or one if the order of blocks can be seen.
    pub jobs: usize,
    /// Thread instructions after which a run is stopped with an error. All blocks count. A run may take less than 32
    /// more for each worker.
    pub limit: Option<u64>,
    /// Whether uses of uninitialised memory are looked for.
    pub init: bool,
    /// Which races are looked for: none with weak memory.
    pub races: Races,
    /// What loads may return.
    pub memory: MemoryModel,
    /// Whether code that is run often is compiled for the host, if this crate has the feature `jit`. Runs are the same with and
    /// without.
    pub native: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            seed: 0,
            jobs: 0,
            limit: None,
            init: true,
            races: Races::default(),
            memory: MemoryModel::default(),
            native: true,
        }
    }
}

/// A machine with a module loaded.
pub struct Device<'m> {
    module: &'m Module,
    options: Options,
    layout: Layout,
    global: Global,
    /// Why no kernel of the module can run.
    too_large: Option<Diagnostic>,
    buffers: Vec<(u64, u64)>,
    progress: Arc<Progress>,
    output: Vec<u8>,
    leaks: Leaks,
    /// Where the blocks of cooperative launches wait for each other, once there was one.
    workspace: Option<u64>,
    record: bool,
    trace: Option<trace::Trace>,
    /// Who chooses what happens next.
    guide: Option<explore::Guide>,
}

/// Bytes that the variables of a module may have in all: they take memory of the host.
const MAX_VARIABLES: u64 = 1 << 30;

impl<'m> Device<'m> {
    /// Loads a module that [`warpc_ptx::check`] found no error in.
    pub fn new(module: &'m Module, options: Options) -> Device<'m> {
        let mut global = Global::default();
        let (mut taken, mut too_large) = (0u64, None);
        let layout = Layout::of(module, |variable, bytes, align| {
            taken = taken.saturating_add(bytes);
            if taken > MAX_VARIABLES {
                too_large.get_or_insert_with(|| no_room(module, variable, bytes));
                return 0;
            }
            let purpose = match variable.space {
                Space::Global => Purpose::Variable,
                _ => Purpose::Constant,
            };
            let name = format!("variable `{}`", module.name(variable.name));
            global.allocate(bytes, align, purpose, &name)
        });
        let placed = layout.variables.values().chain(layout.inside.values());
        for placed in placed.filter(|placed| placed.address != 0) {
            let bytes = layout.initial_bytes(module, placed);
            global.write(placed.address, &bytes);
        }
        let calls_malloc = module.symbols.find("malloc");
        if calls_malloc.is_some_and(|name| layout.functions.number(name).is_some()) {
            global.make_heap(options.init);
        }
        Device {
            module,
            options,
            layout,
            global,
            too_large,
            buffers: Vec::new(),
            progress: Arc::default(),
            output: Vec::new(),
            leaks: Leaks::default(),
            workspace: None,
            record: false,
            trace: None,
            guide: None,
        }
    }

    /// A new buffer with these bytes; gives its number.
    pub fn buffer(&mut self, bytes: &[u8]) -> usize {
        self.named_buffer(&format!("buffer {}", self.buffers.len()), bytes)
    }

    /// A new buffer that findings call by this name; gives its number.
    pub fn named_buffer(&mut self, name: &str, bytes: &[u8]) -> usize {
        let number = self.buffers.len();
        let length = bytes.len() as u64;
        let address = self
            .global
            .allocate(length, 1, Purpose::Buffer(number), name);
        self.global.write(address, bytes);
        self.buffers.push((address, length));
        number
    }

    /// The bytes of a buffer; none for a number that [`Device::buffer`] did not give.
    pub fn read(&self, number: usize) -> Vec<u8> {
        match self.buffers.get(number) {
            Some(&(address, length)) => self.global.read(address, length),
            None => Vec::new(),
        }
    }

    /// Gives a buffer these bytes from its start on; more than it has are left out.
    pub fn write(&mut self, number: usize, bytes: &[u8]) {
        if let Some(&(address, length)) = self.buffers.get(number) {
            let count = bytes
                .len()
                .min(usize::try_from(length).unwrap_or(usize::MAX));
            self.global.write(address, &bytes[..count]);
        }
    }

    /// The bytes of a variable of the module in global or constant memory, by its name in PTX.
    pub fn variable(&self, name: &str) -> Option<Vec<u8>> {
        let (address, bytes) = self.place_of(name)?;
        Some(self.global.read(address, bytes))
    }

    /// Gives such a variable these bytes from its start on; whether there is one that has so many.
    pub fn set_variable(&mut self, name: &str, bytes: &[u8]) -> bool {
        match self.place_of(name) {
            Some((address, size)) if bytes.len() as u64 <= size => {
                self.global.write(address, bytes);
                true
            }
            _ => false,
        }
    }

    /// Address and size of a variable; nothing for one that had no room.
    fn place_of(&self, name: &str) -> Option<(u64, u64)> {
        let placed = self
            .layout
            .variables
            .get(&self.module.symbols.find(name)?)?;
        (placed.address != 0).then_some((placed.address, placed.bytes))
    }

    /// The address of a buffer, as the kernel sees it.
    pub fn address(&self, number: usize) -> Option<u64> {
        self.buffers.get(number).map(|(address, _)| *address)
    }

    /// How far the launch under way has come.
    pub fn progress(&self) -> Arc<Progress> {
        Arc::clone(&self.progress)
    }

    /// What the last launch printed, even if it came to no good end.
    pub fn output(&self) -> &[u8] {
        &self.output
    }

    /// Whether launches from now on are recorded, place by place. That takes a few times as long.
    pub fn record(&mut self, on: bool) {
        self.record = on;
    }

    /// What the last launch did, if it was recorded; even if it came to no good end.
    pub fn trace(&self) -> Option<&trace::Trace> {
        self.trace.as_ref()
    }

    /// Runs a kernel. An error is what keeps it from starting, or what it did wrong.
    pub fn launch(&mut self, launch: &Launch) -> Result<Report, Diagnostics> {
        let report = self.launch_to_end(launch)?;
        match report.warnings.has_errors() {
            false => Ok(report),
            true => Err(report.warnings),
        }
    }

    /// Runs a kernel. An error is what keeps it from coming to its end; what it did wrong without that (races) is in the
    /// report, next to warnings.
    pub fn launch_to_end(&mut self, launch: &Launch) -> Result<Report, Diagnostics> {
        let shape = launch.check(self.module, self.module.sm)?;
        if let Some(diagnostic) = &self.too_large {
            let mut diagnostics = Diagnostics::new();
            diagnostics.push(diagnostic.clone());
            return Err(diagnostics);
        }
        let kernel = shape.kernel;
        let is_weak = self.options.memory == MemoryModel::Weak;
        if is_weak {
            check_threads(&shape)?;
            check_not_explored(self.guide.is_some(), &shape)?;
        }
        let mut program = decode::decode(self.module, &self.layout, kernel)?;
        let params = self.params(kernel, launch);
        // What is before what depends on which write a read saw, which is not always the last one.
        let races = if is_weak {
            Races::Off
        } else {
            self.options.races
        };
        let explored = self.guide.is_some();
        let workers = match races {
            _ if explored => 1,
            // What is known of global memory is one for all blocks.
            _ if is_weak => 1,
            Races::All => 1,
            _ => self.workers(program.order_matters, &shape),
        };
        self.global.exclusive = workers == 1;
        let warps = shape.block.iter().product::<u32>().div_ceil(32);
        let blocks: u64 = shape.grid.iter().map(|n| u64::from(*n)).product();
        let live = match explored {
            true => {
                let threads = blocks * u64::from(shape.block.iter().product::<u32>());
                if let Some(refused) = explore::refuse(&program, threads) {
                    let mut refusal = Diagnostics::new();
                    refusal.push(refused);
                    return Err(refusal);
                }
                explore::live::Live::of(&mut program)
            }
            false => explore::live::Live::default(),
        };
        let sizes = (warps, shape.cluster.iter().product(), blocks);
        let session = races::Session::new(races, &program, &self.global, sizes);
        let weak = is_weak.then(|| weak::Session::new(self.options.seed, sizes.0, sizes.1));
        self.global.launch += 1;
        self.global
            .watch_cached(program.has_cached || program.has_maps);
        let workspace = match launch.cooperative {
            true => {
                check_residence(&shape, launch, self.module)?;
                self.fresh_workspace()
            }
            false => 0,
        };
        let env = exec::Env {
            program: &program,
            global: &self.global,
            params: &params,
            grid: shape.grid,
            block: shape.block,
            cluster: shape.cluster,
            explicit_cluster: launch.cluster.is_some() || shape.cluster != [1; 3],
            dynamic_shared: launch.dynamic_shared,
            seed: self.options.seed,
            limit: self.options.limit.unwrap_or(match explored {
                true => explore::LIMIT,
                false => u64::MAX,
            }),
            races: session.as_ref(),
            weak: weak.as_ref(),
            init: self.options.init,
            #[cfg(feature = "jit")]
            native: self.options.native && !explored,
            variables: variables(&program, launch.dynamic_shared),
            workspace: exec::Workspace {
                place: workspace,
                ..exec::Workspace::default()
            },
            record: self.record && !explored,
            explored,
            begun: Default::default(),
        };
        let start = Instant::now();
        let (ran, findings) = match &mut self.guide {
            Some(guide) => explore::play::run(&env, &live, guide, &self.progress),
            None => {
                let (ran, finding) = exec::grid::run(&env, workers, &self.progress);
                (ran, finding.into_iter().map(|one| *one).collect())
            }
        };
        let is_whole = self.guide.as_ref().is_none_or(explore::Guide::is_whole);
        let threads = env.threads();
        self.output = ran.output;
        self.trace = env.record.then(|| ran.totals.trace(&env, self.module));
        self.leaks.collect(&self.global, &program, self.module);
        let mut diagnostics = Diagnostics::new();
        for found in findings.iter().chain(&ran.warnings) {
            let mut diagnostic = found.diagnostic(&program, self.module);
            let wanted = env.workspace.wanted.load(Ordering::Relaxed);
            if found.is_trap() && wanted && !launch.cooperative {
                diagnostic = diagnostic.help(NOT_COOPERATIVE);
            }
            diagnostics.push(diagnostic);
        }
        if let Some(session) = &session {
            session.diagnostics(&env, self.module, &mut diagnostics);
        }
        match !findings.is_empty() || !is_whole {
            false => Ok(Report {
                counts: ran.counts,
                output: self.output.clone(),
                time: start.elapsed(),
                workers,
                blocks: self.progress.total.load(Ordering::Relaxed),
                threads,
                races: self.options.races,
                init: self.options.init,
                tensor_memory: program.has_tensor,
                warnings: diagnostics,
            }),
            true => Err(diagnostics),
        }
    }

    /// Whoever guides the launches from now on: which thread comes next is chosen event by event, and kept. A launch that does not
    /// come to its end because of a choice is an error without any finding; [`explore::Guide::end`] has the reason.
    pub fn follow(&mut self, guide: explore::Guide) {
        self.guide = Some(guide);
    }

    /// The guide back, with what the launches did.
    pub fn followed(&mut self) -> Option<explore::Guide> {
        self.guide.take()
    }

    /// Which races later launches look for.
    pub fn look_for_races(&mut self, races: Races) {
        self.options.races = races;
    }

    /// Warnings about blocks of the heap that no launch so far has freed, one for each `malloc` of the program.
    pub fn leaks(&self) -> Diagnostics {
        self.leaks.diagnostics(&self.global)
    }

    /// Memory for the blocks of a cooperative launch, as the driver prepares it: how large it is, and a barrier.
    fn fresh_workspace(&mut self) -> u64 {
        let bytes = [WORKSPACE_BYTES, 0].map(u32::to_le_bytes).concat();
        let address = *self.workspace.get_or_insert_with(|| {
            let size = u64::from(WORKSPACE_BYTES);
            self.global
                .allocate(size, 8, Purpose::Variable, "the workspace of the grid")
        });
        self.global.write(address, &bytes);
        address
    }

    /// Host threads for a launch.
    fn workers(&self, order_matters: bool, shape: &Shape<'_>) -> usize {
        let wanted = match self.options.jobs {
            0 if order_matters => 1,
            0 => std::thread::available_parallelism().map_or(1, |n| n.get()),
            jobs => jobs,
        };
        let groups: u64 = shape
            .grid
            .iter()
            .zip(shape.cluster)
            .map(|(all, of)| u64::from(all / of.max(1)))
            .product();
        wanted
            .min(usize::try_from(groups).unwrap_or(usize::MAX))
            .max(1)
    }

    /// The bytes of the parameters.
    fn params(&self, kernel: &Function, launch: &Launch) -> Vec<u8> {
        let mut bytes: Vec<u8> = Vec::new();
        for (param, argument) in kernel.params.iter().zip(&launch.arguments) {
            let align = usize::try_from(param.alignment()).unwrap_or(1).max(1);
            bytes.resize(bytes.len().next_multiple_of(align), 0);
            let size = usize::try_from(param.bytes().unwrap_or(0)).unwrap_or(0);
            let mut value = argument.bytes(8, |number| self.address(number).unwrap_or(0));
            value.resize(size, 0);
            bytes.extend(value);
        }
        bytes
    }
}

/// Where variables lie in a block's shared memory: those of the program, and the dynamic part.
fn variables(program: &Program, dynamic: u32) -> Vec<(u32, u32)> {
    let mut variables = program.shared_variables.clone();
    let start = program.shared_static_end;
    if dynamic > 0 {
        variables.push((start, start.saturating_add(dynamic)));
    }
    variables
}

/// Bytes of the memory that blocks of a cooperative launch share: two words.
const WORKSPACE_BYTES: u32 = 8;

/// What to do about a kernel that traps because its blocks cannot wait for each other.
const NOT_COOPERATIVE: &str = "the kernel looked for the workspace of a cooperative launch (`%envreg1`), as `grid.sync()` \
    does, and there is none: launch it with `--cooperative`";

/// Whether a launch with weak memory follows the seed: what its loads see is not among the choices that are explored.
fn check_not_explored(explored: bool, shape: &Shape<'_>) -> Result<(), Diagnostics> {
    if !explored {
        return Ok(());
    }
    let message = "schedules of weak memory are not explored".to_owned();
    let error = Diagnostic::error(codes::NOT_EMULATED, shape.kernel.name_at.0, message);
    let help = "`--seeds N` runs others without trying all, and `--memory strong` explores what an order of all accesses shows";
    Err(Diagnostics::of(error.help(help)))
}

/// Whether the threads of a launch can be numbered, as weak memory does with 32 for each warp.
fn check_threads(shape: &Shape<'_>) -> Result<(), Diagnostics> {
    let product = |of: [u32; 3]| {
        of.iter()
            .fold(1u64, |all, n| all.saturating_mul(u64::from(*n)))
    };
    let of_block = product(shape.block).next_multiple_of(32);
    if product(shape.grid).saturating_mul(of_block) < u64::from(u32::MAX) {
        return Ok(());
    }
    let message = "weak memory is for launches of fewer than 2^32 threads";
    let refused = Diagnostic::error(codes::NOT_EMULATED, warpc_diag::Span::default(), message);
    Err(Diagnostics::of(
        refused.help("launch fewer blocks, or leave `--memory weak` out"),
    ))
}

/// Whether all blocks of a cooperative launch are resident at once on the machine that is played.
fn check_residence(shape: &Shape<'_>, launch: &Launch, module: &Module) -> Result<(), Diagnostics> {
    use exec::special::{MULTIPROCESSORS, RESIDENT_BLOCKS, RESIDENT_WARPS};
    let warps = shape.block.iter().product::<u32>().div_ceil(32).max(1);
    let reserved = u64::from(warpc_launch::shared::shared_begin(module.sm));
    let shared = shape.static_shared + u64::from(launch.dynamic_shared) + reserved;
    let all_shared = u64::from(module.sm.limits().shared_bytes) + reserved;
    let by_shared = all_shared.checked_div(shared).unwrap_or(u64::MAX);
    let on_one = u64::from(RESIDENT_BLOCKS.min(RESIDENT_WARPS / warps)).min(by_shared);
    let most = on_one * u64::from(MULTIPROCESSORS);
    let blocks: u64 = shape.grid.iter().map(|n| u64::from(*n)).product();
    if blocks <= most {
        return Ok(());
    }
    let message = format!(
        "a cooperative launch has all its blocks resident at once, and {blocks} blocks are too many"
    );
    let help = format!(
        "the emulated GPU has {MULTIPROCESSORS} multiprocessors with room for {on_one} such blocks each: launch up to {most}"
    );
    let error = Diagnostic::error(codes::BAD_SHAPE, shape.kernel.name_at.0, message);
    Err(Diagnostics::of(error.help(help)))
}

fn no_room(module: &Module, variable: &Variable, bytes: u64) -> Diagnostic {
    let name = module.name(variable.name);
    let message = format!("there is no room for the {bytes} bytes of `{name}`");
    let help = format!("the emulator has {MAX_VARIABLES} bytes for the variables of a module");
    Diagnostic::error(codes::NOT_EMULATED, variable.name_at.0, message).help(help)
}
