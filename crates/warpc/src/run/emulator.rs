//! A launch on the emulator.

use super::{Buffer, Ran};
use crate::{Observer, Options, Ptx};
use warpc_diag::Diagnostics;
use warpc_launch::Launch;
use warpc_sim::Device;

/// Runs the launch on this machine's processors.
pub(super) fn run(
    ptx: &Ptx,
    launch: &Launch,
    buffers: &[Buffer],
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<Ran, Diagnostics> {
    let module = &ptx.module;
    let shape = launch.check(module, module.sm)?;
    let seed = options.run.seed;
    let settings = warpc_sim::Options {
        seed,
        jobs: options.run.jobs,
        limit: options.run.limit,
        init: !options.run.skip_init,
    };
    let mut device = Device::new(module, settings);
    let numbers: Vec<usize> = buffers
        .iter()
        .map(|buffer| device.named_buffer(&buffer.name, &buffer.bytes))
        .collect();
    observer.running(device.progress());
    let report = device.launch(launch);
    observer.stopped();
    // What a kernel printed before it failed may say why.
    let report = report.inspect_err(|_| observer.printed(device.output()))?;
    let workers = report.workers;
    let plural = if workers == 1 { "" } else { "s" };
    let place = format!("on the emulator with {workers} worker{plural}, seed {seed}");
    let mut ran = Ran::new(&shape, place, module.sm.to_string(), report.time);
    ran.buffers = numbers.iter().map(|number| device.read(*number)).collect();
    ran.printed = report.output.clone();
    for warning in report.warnings.iter().cloned() {
        ran.warnings.push(warning);
    }
    ran.warnings.append(device.leaks());
    ran.report = Some(report);
    Ok(ran)
}
