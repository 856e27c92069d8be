//! The flags of a launch on the command line. `run:` lines have the same ones, read by `request` itself.

use clap::{Args, ValueEnum};
use warpc_request::{Options, Place, Races, dimensions};

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
    /// An argument, once for each parameter: `u32=7`, `f32[1024]=iota`, `u32[256]=0`, `u8[]=text:abc`,
    /// `u64[16]@file.bin`, `{u32=1,f32=2}`, `null` … (see `warpc explain W0705`)
    #[arg(long, value_name = "SPEC", allow_hyphen_values = true)]
    arg: Vec<String>,
    /// Show the buffer of argument N (from 0, or by its parameter's name) afterwards, or its first
    /// COUNT elements
    #[arg(long, value_name = "N[:COUNT]")]
    print: Vec<String>,
    /// Fail unless the buffer of argument N begins with these elements afterwards
    #[arg(long, value_name = "N:SPEC")]
    expect: Vec<String>,
    /// Where to run
    #[arg(long, value_enum)]
    on: Option<On>,
    /// Choose another interleaving of the threads (emulator)
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
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
            arg: self.arg.clone(),
            print: self.print.clone(),
            expect: self.expect.clone(),
            on: self.on.map(|on| match on {
                On::Sim => Place::Sim,
                On::Gpu => Place::Gpu,
            }),
            seed: self.seed,
            jobs: self.jobs,
            limit: self.limit,
            races: self.races.map(|races| match races {
                Watched::Off => Races::Off,
                Watched::Shared => Races::Shared,
                Watched::All => Races::All,
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
                "init" => "off",
                _ => "3",
            };
            for flag in long.into_iter().chain(short) {
                let words = [flag.clone(), value.to_owned()];
                let matches = command.clone().try_get_matches_from(&words);
                let by_clap = matches.and_then(|matches| Line::from_arg_matches(&matches));
                let by_clap = by_clap.expect("a good value").flags.options();
                assert_ne!(by_clap, Options::default(), "{flag}");
                assert_eq!(Options::parse(words), Ok(by_clap), "{flag}");
            }
        }
    }
}
