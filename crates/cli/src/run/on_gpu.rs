//! A launch on a real GPU.

use super::outcome::{Failure, Outcome};
use std::time::Instant;
use warpc_diag::{SourceFile, codes};
use warpc_driver::{Buffer, DriverError, Gpu};
use warpc_ptx::Module;
use warpc_request::Request;
use warpc_target::{Sm, Variant};

/// Blocks that a cluster may have on every chip with clusters.
const PORTABLE_CLUSTER: u32 = 8;

/// Runs the launch on the first GPU of the machine.
pub fn run<'m>(
    module: &'m Module,
    file: &SourceFile,
    request: &Request,
) -> Result<Outcome<'m>, Failure> {
    let gpu = Gpu::open().map_err(|error| {
        Failure::plain(
            codes::NO_GPU,
            error,
            "leave `--on gpu` out to run on the emulator",
        )
    })?;
    // A chip newer than the table takes what its module's target takes.
    let chip = Sm::new(gpu.sm(), Variant::Plain).unwrap_or(module.sm);
    let shape = request
        .launch
        .check(module, chip)
        .map_err(|diagnostics| Failure::at(file, diagnostics))?;
    let text = text_for_driver(module);
    let failed = |error: DriverError| Failure::plain(codes::GPU_FAILED, error, "");
    let loaded = gpu.load(&text).map_err(failed)?;
    let kernel = loaded.kernel(&request.launch.kernel).map_err(failed)?;
    let buffers: Vec<Buffer> = request
        .buffers
        .iter()
        .map(|buffer| gpu.buffer(&buffer.bytes))
        .collect::<Result<_, _>>()
        .map_err(failed)?;
    let all: Vec<&Buffer> = buffers.iter().collect();
    // The driver must be told of a large cluster even if the kernel itself asks for it.
    let mut launch = request.launch.clone();
    if shape.cluster.iter().product::<u32>() > PORTABLE_CLUSTER {
        launch.cluster = Some(shape.cluster);
    }
    let start = Instant::now();
    gpu.launch(&kernel, &launch, &all).map_err(failed)?;
    gpu.synchronize().map_err(|error| {
        let help = "the emulator says which thread and instruction: leave `--on gpu` out";
        Failure::plain(codes::GPU_FAILED, error, help)
    })?;
    let time = start.elapsed();
    let buffers: Vec<Vec<u8>> = buffers
        .iter()
        .map(Buffer::download)
        .collect::<Result<_, _>>()
        .map_err(failed)?;
    let (major, minor) = gpu.driver_version();
    Ok(Outcome {
        shape,
        place: format!("on {}, driver for CUDA {major}.{minor}", gpu.name()),
        chip: format!("sm_{}", gpu.sm()),
        time,
        buffers,
        counts: None,
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
