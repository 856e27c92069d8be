//! The flags of a launch on the command line. `run:` lines have the same ones, read by `request` itself.

use clap::{Args, ValueEnum};
use warpc_request::{MemoryModel, Options, Place, Races, dimensions};

/// What to launch, with what, and what to show of it.
#[derive(Args)]
pub struct Flags {
    /// The kernel; not needed if there is only one
    #[arg(long, value_name = "NAME")]
    kernel: Option<String>,
    /// Blocks of the grid
    #[arg(long, value_name = "X[,Y,Z]", value_parser = dimensions)]
    grid: Option<[u32; 3]>,
    /// Threads of a block
    #[arg(long, value_name = "X[,Y,Z]", value_parser = dimensions)]
    block: Option<[u32; 3]>,
    /// Blocks of a cluster
    #[arg(long, value_name = "X[,Y,Z]", value_parser = dimensions)]
    cluster: Option<[u32; 3]>,
    /// Bytes of dynamic shared memory a block gets
    #[arg(long, value_name = "BYTES")]
    shared: Option<u32>,
    /// All blocks are resident at once, so that `grid.sync()` of cooperative groups works
    #[arg(long)]
    cooperative: bool,
    /// A buffer with a name, for `--arg &NAME` of this launch and those after it
    #[arg(long, value_name = "NAME:SPEC")]
    buffer: Vec<String>,
    /// Give a variable of the module (`__constant__`, `__device__`) a value before the launch; `NAME:=1` has its own type
    /// and length
    #[arg(long, value_name = "NAME:SPEC")]
    set: Vec<String>,
    /// An argument, once for each parameter: `u32=7`, `f32[1024]=iota`, `u32[256]=0`, `u8[]=text:abc`,
    /// `u64[16]@file.bin`, `{u32=1,f32=2}`, `null` … (see `warpc explain W0705`)
    #[arg(long, value_name = "SPEC", allow_hyphen_values = true)]
    arg: Vec<String>,
    /// Show the buffer of argument N (from 0, or by its parameter's name), a buffer or a variable (by its name)
    /// afterwards, or its first COUNT elements
    #[arg(long, value_name = "N[:TYPE][:COUNT]")]
    print: Vec<String>,
    /// Fail unless the buffer of argument N begins with these elements afterwards
    #[arg(long, value_name = "N:SPEC")]
    expect: Vec<String>,
    /// Write the buffer to a file after the last launch: an array of numpy if it ends in `.npy`, else the bytes
    #[arg(long, value_name = "N:FILE")]
    save: Vec<String>,
    /// Another launch after this one, on the same memory: its flags, in quotes. Kernel and shape are as before unless given
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true)]
    then: Vec<String>,
    /// Where to run
    #[arg(long, value_enum)]
    on: Option<On>,
    /// Choose another interleaving of the threads (emulator)
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Run N interleavings from `--seed` on, report the findings of all, and compare their results (emulator)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    seeds: Option<u64>,
    /// Run all schedules of the threads that differ in something that can be seen, in at most N runs (10,000 without a number), report
    /// the findings of all, compare their results, and say whether these were all (emulator)
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "10000", value_parser = clap::value_parser!(u64).range(1..))]
    explore: Option<u64>,
    /// Run one schedule that `--explore` has shown once more (emulator)
    #[arg(long, value_name = "TEXT")]
    schedule: Option<String>,
    /// Number of host threads (emulator)
    #[arg(long, short, value_name = "N")]
    jobs: Option<usize>,
    /// Stop with an error when all threads together have executed so many instructions; a run may take less than 32
    /// more for each of its `--jobs` (emulator)
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    /// Look for races: accesses that nothing orders. Without the flag for all of them in small launches, and for those in
    /// shared memory in others (emulator)
    #[arg(long, value_enum, value_name = "WHICH")]
    races: Option<Watched>,
    /// What loads may return; strong by default (emulator of PTX)
    #[arg(long, value_enum, value_name = "MODEL")]
    memory: Option<Memory>,
    /// Whether to report uses of uninitialised memory; on by default (emulator)
    #[arg(long, value_enum, value_name = "on|off")]
    init: Option<Switch>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Watched {
    /// None
    Off,
    /// In shared memory
    Shared,
    /// In shared and global memory; one host thread runs all blocks
    All,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Memory {
    /// The last value that was stored
    Strong,
    /// Any value that the memory model of PTX allows; the seed chooses, and no races are looked for
    Weak,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Switch {
    /// Do
    On,
    /// Do not
    Off,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum On {
    /// On the emulator
    Sim,
    /// On the first GPU of the machine
    Gpu,
}

impl Flags {
    /// The same as `request` has them.
    pub fn options(&self) -> Options {
        Options {
            kernel: self.kernel.clone(),
            grid: self.grid,
            block: self.block,
            cluster: self.cluster,
            shared: self.shared,
            cooperative: self.cooperative,
            buffer: self.buffer.clone(),
            set: self.set.clone(),
            arg: self.arg.clone(),
            print: self.print.clone(),
            expect: self.expect.clone(),
            save: self.save.clone(),
            then: self.then.clone(),
            on: self.on.map(|on| match on {
                On::Sim => Place::Sim,
                On::Gpu => Place::Gpu,
            }),
            seed: self.seed,
            seeds: self.seeds,
            explore: self.explore,
            schedule: self.schedule.clone(),
            jobs: self.jobs,
            limit: self.limit,
            races: self.races.map(|races| match races {
                Watched::Off => Races::Off,
                Watched::Shared => Races::Shared,
                Watched::All => Races::All,
            }),
            memory: self.memory.map(|memory| match memory {
                Memory::Strong => MemoryModel::Strong,
                Memory::Weak => MemoryModel::Weak,
            }),
            init: self.init.map(|init| init == Switch::On),
            ..Options::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{FromArgMatches, Parser};

    #[derive(Parser)]
    #[command(no_binary_name = true)]
    struct Line {
        #[command(flatten)]
        flags: Flags,
    }

    /// Both readers know the same flags and make the same of them.
    #[test]
    fn run_lines_have_the_flags_of_the_command_line() {
        let mut command = <Line as clap::CommandFactory>::command();
        command.build();
        for argument in command.get_arguments().filter(|one| one.get_id() != "help") {
            let long = argument.get_long().map(|name| format!("--{name}"));
            let short = argument.get_short().map(|name| format!("-{name}"));
            let value = match argument.get_id().as_str() {
                "on" => "gpu",
                "races" => "all",
                "memory" => "weak",
                "init" => "off",
                _ => "3",
            };
            for flag in long.into_iter().chain(short) {
                let takes_value = argument.get_action().takes_values();
                let value = takes_value.then(|| value.to_owned());
                let words: Vec<String> = [flag.clone()].into_iter().chain(value).collect();
                let matches = command.clone().try_get_matches_from(&words);
                let by_clap = matches.and_then(|matches| Line::from_arg_matches(&matches));
                let by_clap = by_clap.expect("a good value").flags.options();
                assert_ne!(by_clap, Options::default(), "{flag}");
                assert_eq!(Options::parse(words), Ok(by_clap), "{flag}");
            }
        }
    }
}
