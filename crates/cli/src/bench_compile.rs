//! `warpc bench-compile`: the processor time of compiling one file to PTX in this process, as JSON.

use crate::{MessageFormat, report};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use warpc::{Options, Source};
use warpc_target::Sm;

/// How long the file is compiled again and again: the system counts the processor's time in steps of milliseconds.
const LONG: Duration = Duration::from_millis(500);

pub fn run(name: &Path, target: Sm) -> ExitCode {
    let source = match Source::read(name) {
        Ok(source) => source,
        Err(error) => return report::failure(&error, MessageFormat::Human),
    };
    let mut options = Options::new(target);
    options.atomics = warpc::Atomics::Cuda;
    let clock = Instant::now();
    let mut start = 0;
    let mut runs = 0;
    let mut taken = Duration::ZERO;
    while taken < LONG {
        let made = warpc::compile(&source, &options);
        if made.value.map(|ptx| ptx.to_string()).is_none() {
            return report::failure(&made.diagnostics, MessageFormat::Human);
        }
        let now = processor_time().unwrap_or_else(|| clock.elapsed().as_nanos() as u64);
        // The first run makes tables ready that later ones find.
        match runs {
            0 => start = now,
            _ => taken = Duration::from_nanos(now.saturating_sub(start)),
        }
        runs += 1;
    }
    let each = taken.as_nanos() as u64 / (runs - 1).max(1);
    let object = serde_json::json!({ "compile_ns": each });
    report::output(format!("{object}\n"), None, MessageFormat::Human)
}

/// Nanoseconds that this thread has had a processor, where the system says so.
fn processor_time() -> Option<u64> {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    told.split(' ').next()?.parse().ok()
}
