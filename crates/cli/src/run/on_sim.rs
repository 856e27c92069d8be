//! A launch on the emulator.

use super::outcome::{Failure, Outcome};
use super::progress::Bar;
use super::report;
use crate::MessageFormat;
use warpc::guarded;
use warpc_diag::SourceFile;
use warpc_ptx::Module;
use warpc_request::{Options, Request};
use warpc_sim::Device;

/// Runs the launch on this machine's processors.
pub fn run<'m>(
    module: &'m Module,
    file: &SourceFile,
    request: &Request,
    options: &Options,
    format: MessageFormat,
) -> Result<Outcome<'m>, Failure> {
    let failed = |diagnostics| Failure::at(file, diagnostics);
    let shape = request.launch.check(module, module.sm).map_err(failed)?;
    let seed = options.seed.unwrap_or(0);
    let settings = warpc_sim::Options {
        seed,
        jobs: options.jobs.unwrap_or(0),
        limit: options.limit,
    };
    let mut device = Device::new(module, settings);
    let buffers: Vec<usize> = request
        .buffers
        .iter()
        .map(|buffer| {
            let name = format!("argument {}, `{}`", buffer.argument, buffer.name);
            device.named_buffer(&name, &buffer.bytes)
        })
        .collect();
    let bar = Bar::follow(device.progress());
    let report = guarded(file, || device.launch(&request.launch));
    drop(bar);
    let report = report.flatten().map_err(|diagnostics| {
        // What a kernel printed before it failed may say why.
        report::output_before_failure(request, device.output(), format);
        failed(diagnostics)
    })?;
    let workers = report.workers;
    let plural = if workers == 1 { "" } else { "s" };
    Ok(Outcome {
        shape,
        place: format!("on the emulator with {workers} worker{plural}, seed {seed}"),
        chip: module.sm.to_string(),
        time: report.time,
        buffers: buffers.iter().map(|id| device.read(*id)).collect(),
        counts: Some(report),
    })
}
