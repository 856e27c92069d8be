//! A launch on the emulator.

use super::{Buffer, Ran};
use crate::{Observer, Options, Ptx, Races};
use warpc_diag::Diagnostics;
use warpc_launch::{Launch, Shape};
use warpc_sim::Device;

/// Threads of a launch in which all races are looked for unless something else is said.
const SMALL: u64 = 16_384;

/// What is looked for in a launch of a shape.
fn races(races: Races, shape: &Shape<'_>) -> warpc_launch::Races {
    let sizes = shape.grid.iter().chain(&shape.block);
    let threads = sizes.fold(1, |all: u64, n| all.saturating_mul(u64::from(*n)));
    match races {
        Races::Off => warpc_launch::Races::Off,
        Races::Auto if threads > SMALL => warpc_launch::Races::Shared,
        Races::Shared => warpc_launch::Races::Shared,
        Races::Auto | Races::All => warpc_launch::Races::All,
    }
}

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
        races: races(options.run.races, &shape),
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
    ran.warnings.append(report.warnings.clone());
    ran.warnings.append(device.leaks());
    ran.report = Some(report);
    Ok(ran)
}
