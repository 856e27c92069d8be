//! `warpc bench-compile`: the processor time of compiling one file to PTX in this process, as JSON.

use crate::{MessageFormat, report};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;
use warpc::{Options, Source};
use warpc_target::Sm;

/// Runs; the median counts.
const RUNS: usize = 25;

pub fn run(name: &Path, target: Sm) -> ExitCode {
    let source = match Source::read(name) {
        Ok(source) => source,
        Err(error) => return report::failure(&error, MessageFormat::Human),
    };
    let options = Options::new(target);
    let mut times = Vec::new();
    for _ in 0..RUNS {
        let start = now();
        let made = warpc::compile(&source, &options);
        let text = made.value.map(|ptx| ptx.to_string());
        times.push(now().saturating_sub(start));
        if text.is_none() {
            return report::failure(&made.diagnostics, MessageFormat::Human);
        }
    }
    times.sort_unstable();
    let object = serde_json::json!({ "compile_ns": times[RUNS / 2] });
    report::output(format!("{object}\n"), None, MessageFormat::Human)
}

/// Nanoseconds that this thread has had a processor, where the system says so; else those of a clock.
fn now() -> u64 {
    thread_local! {
        static FIRST: Instant = Instant::now();
    }
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let told = told.and_then(|text| text.split(' ').next()?.parse().ok());
    told.unwrap_or_else(|| FIRST.with(|first| first.elapsed().as_nanos() as u64))
}
