//! A launch on a real GPU.

use super::Ran;
use crate::Ptx;
use std::time::Instant;
use warpc_diag::{Code, Diagnostic, Diagnostics, Span, codes};
use warpc_driver::{Buffer, DriverError, Gpu};
use warpc_launch::Launch;
use warpc_ptx::Module;
use warpc_target::{Sm, Variant};

/// Blocks that a cluster may have on every chip with clusters.
const PORTABLE_CLUSTER: u32 = 8;

/// Runs the launch on the first GPU of the machine.
pub(super) fn run(
    ptx: &Ptx,
    launch: &Launch,
    buffers: &[super::Buffer],
) -> Result<Ran, Diagnostics> {
    let module = &ptx.module;
    let help = "leave `--on gpu` out to run on the emulator";
    let gpu = Gpu::open().map_err(|error| failure(codes::NO_GPU, &error, help))?;
    // A chip newer than the table takes what its module's target takes.
    let chip = Sm::new(gpu.sm(), Variant::Plain).unwrap_or(module.sm);
    let shape = launch.check(module, chip)?;
    let text = text_for_driver(module);
    let failed = |error: DriverError| failure(codes::GPU_FAILED, &error, "");
    let loaded = gpu.load(&text).map_err(failed)?;
    let kernel = loaded.kernel(&launch.kernel).map_err(failed)?;
    let buffers: Vec<Buffer> = buffers
        .iter()
        .map(|buffer| gpu.buffer(&buffer.bytes))
        .collect::<Result<_, _>>()
        .map_err(failed)?;
    let all: Vec<&Buffer> = buffers.iter().collect();
    // The driver must be told of a large cluster even if the kernel itself asks for it.
    let mut launch = launch.clone();
    if shape.cluster.iter().product::<u32>() > PORTABLE_CLUSTER {
        launch.cluster = Some(shape.cluster);
    }
    let start = Instant::now();
    gpu.launch(&kernel, &launch, &all).map_err(failed)?;
    gpu.synchronize().map_err(|error| {
        let help = "the emulator says which thread and instruction: leave `--on gpu` out";
        failure(codes::GPU_FAILED, &error, help)
    })?;
    let time = start.elapsed();
    let (major, minor) = gpu.driver_version();
    let place = format!("on {}, driver for CUDA {major}.{minor}", gpu.name());
    let mut ran = Ran::new(&shape, place, format!("sm_{}", gpu.sm()), time);
    ran.buffers = buffers
        .iter()
        .map(Buffer::download)
        .collect::<Result<_, _>>()
        .map_err(failed)?;
    Ok(ran)
}

/// Runs a launch of machine code on the first GPU of the machine.
#[cfg(feature = "sass")]
pub(super) fn run_cubin(
    cubin: &warpc_cubin::Cubin,
    launch: &Launch,
    buffers: &[super::Buffer],
) -> Result<Ran, Diagnostics> {
    let help = "leave `--on gpu` out to run on the emulator";
    let gpu = Gpu::open().map_err(|error| failure(codes::NO_GPU, &error, help))?;
    let failed = |error: DriverError| failure(codes::GPU_FAILED, &error, "");
    let loaded = gpu.load_cubin(&cubin.write()).map_err(failed)?;
    let kernel = loaded.kernel(&launch.kernel).map_err(failed)?;
    let buffers: Vec<Buffer> = buffers
        .iter()
        .map(|buffer| gpu.buffer(&buffer.bytes))
        .collect::<Result<_, _>>()
        .map_err(failed)?;
    let all: Vec<&Buffer> = buffers.iter().collect();
    let start = Instant::now();
    gpu.launch(&kernel, launch, &all).map_err(failed)?;
    gpu.synchronize().map_err(|error| {
        let help = "the emulator says which thread and instruction: leave `--on gpu` out";
        failure(codes::GPU_FAILED, &error, help)
    })?;
    let time = start.elapsed();
    let (major, minor) = gpu.driver_version();
    Ok(Ran {
        buffers: buffers
            .iter()
            .map(Buffer::download)
            .collect::<Result<_, _>>()
            .map_err(failed)?,
        grid: launch.grid,
        block: launch.block,
        cluster: launch.cluster.unwrap_or([1; 3]),
        place: format!("on {}, driver for CUDA {major}.{minor}", gpu.name()),
        chip: format!("sm_{}", gpu.sm()),
        time,
        ..Ran::default()
    })
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
