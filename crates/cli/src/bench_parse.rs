//! `warpc bench-parse`: time and memory of reading and verifying one file, as JSON.

use crate::peak::peak_bytes;
use crate::{MessageFormat, report};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;
use warpc::{Kind, Source};

/// Runs of each measurement; the median counts.
const RUNS: usize = 5;

pub fn run(name: &Path) -> ExitCode {
    let source = match Source::read(name) {
        Ok(source) => source,
        Err(error) => return report::failure(&error, MessageFormat::Human),
    };
    let mut parse_times = Vec::new();
    let mut verify_times = Vec::new();
    let mut errors = 0;
    // Memory is measured over the first run, before the allocator's leftovers of others count.
    let mut peak = None;
    for _ in 0..RUNS {
        let start = Instant::now();
        if source.kind() == Kind::Llvm {
            let read = match warpc_nvvm::bitcode::is_bitcode(source.bytes()) {
                true => warpc_nvvm::read_bitcode(source.file()),
                false => warpc_nvvm::read_text(source.file()),
            };
            parse_times.push(start.elapsed());
            let start = Instant::now();
            let verified = read.value.as_ref().map(warpc_nvvm::verify);
            verify_times.push(start.elapsed());
            errors = read.diagnostics.error_count() + verified.map_or(0, |all| all.error_count());
            peak = peak.or_else(peak_bytes);
            continue;
        }
        let parsed = warpc_ptx::parse(source.file());
        parse_times.push(start.elapsed());
        let start = Instant::now();
        let verify = |module| warpc_ptx::verify(module, Some(source.file()));
        let verified = parsed.value.as_ref().map(verify);
        verify_times.push(start.elapsed());
        errors = parsed.diagnostics.error_count() + verified.map_or(0, |all| all.error_count());
        peak = peak.or_else(peak_bytes);
    }
    parse_times.sort();
    verify_times.sort();
    let object = serde_json::json!({
        "bytes": source.bytes().len(),
        "errors": errors,
        "parse_ns": parse_times[RUNS / 2].as_nanos() as u64,
        "verify_ns": verify_times[RUNS / 2].as_nanos() as u64,
        "peak_bytes": peak,
    });
    report::output(format!("{object}\n"), None, MessageFormat::Human)
}
