//! Launches on the emulator.

use super::session::{Device, no_variable};
use super::{Buffer, LeftOut, Ran};
use crate::{MemoryModel, Observer, Options, Ptx, Races};
use warpc_diag::Diagnostics;
use warpc_launch::{Launch, Shape};

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

/// The emulator with a module and buffers in it.
pub(super) struct OnEmulator<'p> {
    ptx: &'p Ptx,
    device: warpc_sim::Device<'p>,
    seed: u64,
    races: Races,
    is_weak: bool,
    is_guided: bool,
}

impl<'p> OnEmulator<'p> {
    pub(super) fn new(ptx: &'p Ptx, buffers: &[Buffer], options: &Options) -> OnEmulator<'p> {
        let seed = options.run.seed;
        let is_weak = options.run.memory == MemoryModel::Weak;
        let settings = warpc_sim::Options {
            seed,
            jobs: options.run.jobs,
            limit: options.run.limit,
            init: !options.run.skip_init,
            memory: match options.run.memory {
                MemoryModel::Strong => warpc_sim::MemoryModel::Strong,
                MemoryModel::Weak => warpc_sim::MemoryModel::Weak,
            },
            ..warpc_sim::Options::default()
        };
        let mut device = warpc_sim::Device::new(&ptx.module, settings);
        device.record(options.run.record);
        // They get the numbers from 0 on.
        for buffer in buffers {
            device.named_buffer(&buffer.name, &buffer.bytes);
        }
        OnEmulator {
            ptx,
            device,
            seed,
            races: options.run.races,
            is_weak,
            is_guided: false,
        }
    }
}

/// Findings of a run with weak memory, with the seed that shows them.
fn with_seed(found: Diagnostics, seed: u64) -> Diagnostics {
    let mut all = Diagnostics::new();
    for one in found.as_slice() {
        let again = format!("run it again with `--memory weak --seed {seed}`");
        all.push(one.clone().help(again));
    }
    all
}

impl Device for OnEmulator<'_> {
    fn launch(&mut self, launch: &Launch, observer: &mut dyn Observer) -> Result<Ran, Diagnostics> {
        let module = &self.ptx.module;
        let shape = launch.check(module, module.sm)?;
        self.device.look_for_races(races(self.races, &shape));
        observer.running(self.device.progress());
        let report = self.device.launch_to_end(launch);
        observer.stopped();
        if let Some(trace) = self.device.trace() {
            observer.traced(trace);
        }
        // What a kernel printed before it failed may say why.
        let report = report.inspect_err(|_| observer.printed(self.device.output()));
        let report = report.map_err(|found| match self.is_weak {
            true => with_seed(found, self.seed),
            false => found,
        })?;
        let workers = report.workers;
        let plural = if workers == 1 { "" } else { "s" };
        let seed = self.seed;
        let memory = if self.is_weak { ", weak memory" } else { "" };
        let place = match self.is_guided {
            true => "on the emulator, one event after the other".to_owned(),
            false => format!("on the emulator with {workers} worker{plural}, seed {seed}{memory}"),
        };
        let mut ran = Ran::new(&shape, place, module.sm.to_string(), report.time);
        ran.printed = report.output.clone();
        ran.warnings.append(report.warnings.clone());
        ran.left_out = LeftOut::of_ptx(self.races == Races::Auto, &report);
        ran.report = Some(report);
        Ok(ran)
    }

    fn follow(&mut self, guide: warpc_sim::explore::Guide) -> Result<(), Diagnostics> {
        self.is_guided = true;
        self.device.follow(guide);
        Ok(())
    }

    fn followed(&mut self) -> Option<warpc_sim::explore::Guide> {
        self.device.followed()
    }

    fn left_over(&self) -> Diagnostics {
        self.device.leaks()
    }

    fn check_textures(&self) -> Result<(), Diagnostics> {
        Ok(())
    }

    fn address(&self, buffer: usize) -> u64 {
        self.device.address(buffer).unwrap_or(0)
    }

    fn read(&mut self, buffer: usize) -> Result<Vec<u8>, Diagnostics> {
        Ok(self.device.read(buffer))
    }

    fn write(&mut self, buffer: usize, bytes: &[u8]) -> Result<(), Diagnostics> {
        self.device.write(buffer, bytes);
        Ok(())
    }

    fn variable(&self, name: &str) -> Result<Vec<u8>, Diagnostics> {
        self.device.variable(name).ok_or_else(|| no_variable(name))
    }

    fn set(&mut self, name: &str, bytes: &[u8]) -> Result<(), Diagnostics> {
        match self.device.set_variable(name, bytes) {
            true => Ok(()),
            false => Err(no_variable(name)),
        }
    }
}
