//! The `warpc` command.
//!
//! Exit status: 0 done, 1 diagnostics, 2 wrong usage.

mod bench_parse;
mod builtins;
mod check;
mod compile;
mod dis;
mod emit;
mod explain;
mod fmt;
mod link;
mod peak;
mod report;
mod run;

use clap::{Parser, Subcommand, ValueEnum};
use std::process::ExitCode;
use warpc_target::Sm;

/// An open compiler back end for NVIDIA GPUs.
#[derive(Parser)]
#[command(name = "warpc", version, about, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// How diagnostics are printed.
    #[arg(long, global = true, value_enum, default_value_t = MessageFormat::Human)]
    message_format: MessageFormat,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum MessageFormat {
    /// As rustc prints them.
    Human,
    /// One JSON object a line.
    Json,
}

#[derive(Subcommand)]
enum Command {
    /// Read and verify files; say what is wrong.
    Check {
        /// Files of PTX, LLVM IR, MLIR, cubins or fatbins; `-` is standard input.
        #[arg(required = true, value_name = "FILE")]
        files: Vec<String>,
    },
    /// Make one representation of another: PTX of LLVM IR, or LLVM IR of any version in the form of LLVM 22.
    Compile(compile::Arguments),
    /// Print a PTX file in canonical form.
    Fmt {
        /// The file; `-` is standard input.
        #[arg(value_name = "FILE")]
        file: String,
        /// Write to a file instead of standard output.
        #[arg(short, value_name = "OUT")]
        output: Option<String>,
        /// Lower `.version` to the oldest that has all the module uses: drivers refuse newer ones
        /// than they know.
        #[arg(long)]
        lowest_version: bool,
    },
    /// Link modules of LLVM IR into one.
    Link(link::Arguments),
    /// List the machine code of a cubin, as nvdisasm does; list or unpack a fatbin.
    Dis(dis::Arguments),
    /// Run a kernel on the emulator, or on a GPU.
    Run(Box<run::Arguments>),
    /// List the NVVM builtins.
    Builtins {
        /// Part of a name, or a pattern with `*` and `?` for a whole one.
        pattern: Option<String>,
        /// Print a JSON array.
        #[arg(long)]
        json: bool,
    },
    /// Explain a builtin, instruction, special register, directive, machine operation or diagnostic.
    Explain {
        /// `atom`, `cp.async.bulk`, `%tid`, `.maxntid`, `__nv_atomic_load_4`, `429`, `ATOMG`, `W0401`, `NV3764` …
        name: String,
        /// The target for which to show what a builtin becomes and what a machine operation is.
        #[arg(long, value_name = "SM", default_value = "sm_75")]
        arch: Sm,
    },
    /// Measure reading and verifying (for `./x bench`).
    #[command(hide = true)]
    BenchParse {
        /// The file.
        file: String,
    },
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let format = arguments.message_format;
    match arguments.command {
        Command::Check { files } => check::run(&files, format),
        Command::Compile(arguments) => compile::run(&arguments, format),
        Command::Fmt {
            file,
            output,
            lowest_version,
        } => fmt::run(&file, output.as_deref(), lowest_version, format),
        Command::Link(arguments) => link::run(&arguments, format),
        Command::Dis(arguments) => dis::run(&arguments, format),
        Command::Run(arguments) => run::run(&arguments, format),
        Command::Builtins { pattern, json } => builtins::run(pattern.as_deref(), json, format),
        Command::Explain { name, arch } => explain::run(&name, arch, format),
        Command::BenchParse { file } => bench_parse::run(&file),
    }
}
