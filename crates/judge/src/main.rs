//! The program of the judge, for `./x atomics`.

use clap::Parser;
use std::process::ExitCode;
use warpc_judge::matrix;
use warpc_judge::run::Compiler;

/// Judges the memory order of what the compiler makes of LLVM's atomics.
#[derive(Parser, Debug)]
struct Options {
    /// Only this chip.
    #[arg(long)]
    sm: Option<u16>,
    /// One case of so many.
    #[arg(long, default_value_t = 1)]
    every: usize,
}

fn main() -> ExitCode {
    let options = Options::parse();
    let mut targets = matrix::targets();
    targets.retain(|target| options.sm.is_none_or(|sm| sm == target.sm));
    let cases = matrix::cases();
    let cases: Vec<_> = cases.into_iter().step_by(options.every).collect();
    let report = Compiler::default().report(&cases, &targets);
    print!("{report}");
    match report.is_good() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}
