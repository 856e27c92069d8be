//! Launches on a real GPU.

use super::Ran;
use crate::Ptx;
use std::time::Instant;
use warpc_diag::{Code, Diagnostic, Diagnostics, Span, codes};
use warpc_driver::{Buffer, DriverError, Gpu, Loaded};
use warpc_launch::Launch;
use warpc_launch::tensor_map::BYTES;
use warpc_ptx::Module;
use warpc_target::{Sm, Variant};

/// Blocks that a cluster may have on every chip with clusters.
const PORTABLE_CLUSTER: u32 = 8;

/// The first GPU of the machine with a module and buffers in it.
pub(super) struct OnGpu<'p> {
    /// The module, if it is PTX: launches are checked against it.
    module: Option<&'p Module>,
    // The GPU is closed last.
    buffers: Vec<Buffer>,
    loaded: Loaded,
    gpu: Gpu,
}

fn failed(error: DriverError) -> Diagnostics {
    failure(codes::GPU_FAILED, &error, "")
}

fn open() -> Result<Gpu, Diagnostics> {
    let help = "leave `--on gpu` out to run on the emulator";
    Gpu::open().map_err(|error| failure(codes::NO_GPU, &error, help))
}

impl<'p> OnGpu<'p> {
    /// Has the driver compile a module.
    pub(super) fn ptx(ptx: &'p Ptx, buffers: &[super::Buffer]) -> Result<OnGpu<'p>, Diagnostics> {
        let gpu = open()?;
        let loaded = gpu.load(&text_for_driver(&ptx.module)).map_err(failed)?;
        OnGpu::with(gpu, loaded, Some(&ptx.module), buffers)
    }

    /// Loads machine code.
    #[cfg(feature = "sass")]
    pub(super) fn cubin(
        cubin: &warpc_cubin::Cubin,
        buffers: &[super::Buffer],
    ) -> Result<OnGpu<'p>, Diagnostics> {
        let gpu = open()?;
        let loaded = gpu.load_cubin(&cubin.write()).map_err(failed)?;
        OnGpu::with(gpu, loaded, None, buffers)
    }

    fn with(
        gpu: Gpu,
        loaded: Loaded,
        module: Option<&'p Module>,
        buffers: &[super::Buffer],
    ) -> Result<OnGpu<'p>, Diagnostics> {
        let buffers = buffers.iter().map(|buffer| gpu.buffer(&buffer.bytes));
        let buffers = buffers.collect::<Result<_, _>>().map_err(failed)?;
        Ok(OnGpu {
            module,
            buffers,
            loaded,
            gpu,
        })
    }
}

impl super::session::Device for OnGpu<'_> {
    fn launch(&mut self, launch: &Launch, _: &mut dyn crate::Observer) -> Result<Ran, Diagnostics> {
        let gpu = &self.gpu;
        let mut launch = launch.clone();
        let mut ran = Ran {
            grid: launch.grid,
            block: launch.block,
            cluster: launch.cluster.unwrap_or([1; 3]),
            ..Ran::default()
        };
        if let Some(module) = self.module {
            // A chip newer than the table takes what its module's target takes.
            let chip = Sm::new(gpu.sm(), Variant::Plain).unwrap_or(module.sm);
            let shape = launch.check(module, chip)?;
            ran = Ran::new(&shape, String::new(), String::new(), ran.time);
            // The driver must be told of a large cluster even if the kernel itself asks for it.
            if shape.cluster.iter().product::<u32>() > PORTABLE_CLUSTER {
                launch.cluster = Some(shape.cluster);
            }
        }
        let kernel = self.loaded.kernel(&launch.kernel).map_err(failed)?;
        let all: Vec<&Buffer> = self.buffers.iter().collect();
        let start = Instant::now();
        gpu.launch(&kernel, &launch, &all).map_err(failed)?;
        gpu.synchronize().map_err(|error| {
            let help = "the emulator says which thread and instruction: leave `--on gpu` out";
            failure(codes::GPU_FAILED, &error, help)
        })?;
        ran.time = start.elapsed();
        let (major, minor) = gpu.driver_version();
        ran.place = format!("on {}, driver for CUDA {major}.{minor}", gpu.name());
        ran.chip = format!("sm_{}", gpu.sm());
        Ok(ran)
    }

    fn address(&self, buffer: usize) -> u64 {
        self.buffers.get(buffer).map_or(0, Buffer::address)
    }

    fn read(&mut self, buffer: usize) -> Result<Vec<u8>, Diagnostics> {
        self.buffers[buffer].download().map_err(failed)
    }

    fn write(&mut self, buffer: usize, bytes: &[u8]) -> Result<(), Diagnostics> {
        self.buffers[buffer].upload(bytes).map_err(failed)
    }

    fn tensor_map(&self, map: &mut [u8; BYTES]) -> Result<(), Diagnostics> {
        self.gpu.tensor_map(map).map_err(failed)
    }

    fn variable(&self, name: &str) -> Result<Vec<u8>, Diagnostics> {
        self.loaded.read_global(name).map_err(failed)
    }

    fn set(&mut self, name: &str, bytes: &[u8]) -> Result<(), Diagnostics> {
        self.loaded.write_global(name, bytes).map_err(failed)
    }
}

/// What the driver said. It belongs to no place of a text.
fn failure(code: Code, error: &DriverError, help: &str) -> Diagnostics {
    let diagnostic = Diagnostic::error(code, Span::NOWHERE, error.to_string());
    Diagnostics::of(match help {
        "" => diagnostic,
        help => diagnostic.help(help),
    })
}

/// The module as a driver takes it: plain ASCII, in the oldest version that has all it uses.
fn text_for_driver(module: &Module) -> String {
    match module.required_version(module.sm) {
        Some(version) if version < module.version => {
            let mut module = module.clone();
            module.version = version;
            warpc_ptx::print(&module)
        }
        _ => warpc_ptx::print(module),
    }
}
