//! `./x bench`: our speed beside ptxas's, over real PTX, in the same run on the same machine.
//!
//! Inputs: one small and one middling corpus file as they are, and about ten megabytes of corpus code in one
//! module (see [`large`]). `warpc bench-parse` measures itself from inside (parse and verify, peak memory);
//! ptxas is a closed program, so its whole time is what can be measured: with code generation, and without
//! (`-arch=compute_…`, which parses and checks only). [`run`] measures the emulator, [`ll`] the reader of LLVM IR, [`bitcode`] that
//! of bitcode, [`compile`] and [`compile_sizes`] the compiler, [`builtins`] the table of builtins, [`sass`] machine code, [`assemble`] the assembler.

mod assemble;
mod bitcode;
mod builtins;
mod clang_like;
pub(crate) mod compile;
mod compile_sizes;
mod large;
mod ll;
mod run;
mod sass;

use crate::corpus;
use crate::oracle::{self, Tools};
use crate::project::{self, Outcome};
use crate::{process, release};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// The target of the large module; every part of it is for this chip or an older one.
const TARGET: &str = "sm_86";
/// How much real PTX the large module holds.
const BYTES: usize = 10_000_000;
/// ptxas may take this long; beyond, the table says so.
const PATIENCE: Duration = Duration::from_secs(300);
/// Runs of each ptxas measurement on files below a megabyte; the median counts.
const RUNS: usize = 3;

/// One line of the result.
struct Row {
    name: String,
    bytes: f64,
    parse: f64,
    verify: f64,
    peak: f64,
    errors: f64,
    ptxas_check: Option<f64>,
    ptxas: Option<f64>,
}

/// The task.
pub fn bench(args: &[String]) -> Outcome {
    if args == ["builtins"] {
        print!("{}", builtins::section()?);
        return Ok(());
    }
    let (tools, _) = oracle::ensure_all();
    if args == ["compile"] {
        print!("{}", compile::section(&tools, &release::build()?)?);
        return Ok(());
    }
    if args == ["ll"] {
        let modules = ll::modules(&tools)?;
        let warpc = release::build()?;
        print!("{}", ll::section(&warpc, &modules)?);
        print!("{}", bitcode::section(&warpc, &modules)?);
        return Ok(());
    }
    if args == ["bitcode"] {
        let modules = ll::modules(&tools)?;
        print!("{}", bitcode::section(&release::build()?, &modules)?);
        return Ok(());
    }
    if args == ["assemble", "sizes"] {
        print!("{}", assemble::sizes_section(&tools, &release::build()?)?);
        return Ok(());
    }
    if args == ["assemble"] {
        print!("{}", assemble::section(&tools, &release::build()?)?);
        return Ok(());
    }
    if args == ["sass"] {
        print!("{}", sass::section(&tools, &release::build()?)?);
        return Ok(());
    }
    let rows = corpus::ensure(&tools, "")?;
    println!("building warpc");
    let warpc = release::build()?;
    let dir = project::root().join("target/bench");
    let large = dir.join("large.ptx");
    project::write(&large, large::module(&rows, TARGET, BYTES)?)?;
    let corpus = project::corpus_dir();
    let inputs = [
        ("tiny", corpus.join("nvcc/sm_86/histogram.ptx")),
        ("medium", corpus.join("nvcc/sm_86/matmul_tiled.ptx")),
        ("large", large),
    ];
    let mut results = Vec::new();
    for (name, path) in inputs {
        let row = measure(&tools, &warpc, name, &path)?;
        println!("{}", line(&row));
        results.push(row);
    }
    let speeds = run::measure(&warpc)?;
    let modules = ll::modules(&tools)?;
    let text = page(&results)
        + &run::section(&speeds)
        + &ll::section(&warpc, &modules)?
        + &bitcode::section(&warpc, &modules)?
        + &compile::section(&tools, &warpc)?
        + &builtins::section()?
        + &sass::section(&tools, &warpc)?
        + &assemble::section(&tools, &warpc)?;
    project::write(&project::root().join("docs/benchmarks.md"), text)
}

fn measure(tools: &Tools, warpc: &Path, name: &str, file: &Path) -> Outcome<Row> {
    let text = process::must(
        "warpc bench-parse",
        Command::new(warpc).arg("bench-parse").arg(file),
    )?;
    let field = |key: &str| {
        number(&text, key).ok_or_else(|| format!("warpc bench-parse gives no {key}: {text}"))
    };
    let mut row = Row {
        name: name.into(),
        bytes: field("bytes")?,
        parse: field("parse_ns")? / 1e9,
        verify: field("verify_ns")? / 1e9,
        peak: field("peak_bytes")?,
        errors: field("errors")?,
        ptxas_check: None,
        ptxas: None,
    };
    if let Some((_, ptxas)) = tools.ptxas(TARGET) {
        let runs = if row.bytes > 1e6 { 1 } else { RUNS };
        row.ptxas_check = time(&ptxas, &TARGET.replace("sm_", "compute_"), file, runs)?;
        row.ptxas = time(&ptxas, TARGET, file, runs)?;
    }
    Ok(row)
}

/// The median time of a ptxas run, or nothing if it fails or takes too long.
fn time(ptxas: &Path, arch: &str, file: &Path, runs: usize) -> Outcome<Option<f64>> {
    let mut times = Vec::new();
    for _ in 0..runs {
        let start = Instant::now();
        let mut command = Command::new(ptxas);
        command
            .arg(format!("-arch={arch}"))
            .args(["-o", "/dev/null"])
            .arg(file);
        let log = project::root().join("target/bench/ptxas.log");
        match process::capture_within(&mut command, PATIENCE, &log)? {
            Some(done) if done.ok => times.push(start.elapsed().as_secs_f64()),
            Some(done) => {
                eprintln!(
                    "ptxas -arch={arch} refuses {}: {}",
                    file.display(),
                    done.output.lines().next().unwrap_or("")
                );
                return Ok(None);
            }
            None => {
                eprintln!(
                    "ptxas -arch={arch} takes longer than {} s for {}",
                    PATIENCE.as_secs(),
                    file.display()
                );
                return Ok(None);
            }
        }
    }
    times.sort_by(f64::total_cmp);
    Ok(times.get(times.len() / 2).copied())
}

/// A number in a flat JSON object.
fn number(json: &str, key: &str) -> Option<f64> {
    let rest = json.split_once(&format!("\"{key}\":"))?.1;
    let end = rest.find([',', '}', '\n']).unwrap_or(rest.len());
    rest[..end].trim().parse().ok()
}

fn seconds(time: Option<f64>) -> String {
    time.map_or("-".into(), |t| {
        if t < 1.0 {
            format!("{:.1} ms", t * 1e3)
        } else {
            format!("{t:.2} s")
        }
    })
}

fn ratio(time: Option<f64>, ours: f64) -> String {
    time.map_or("-".into(), |t| format!("{:.0}x", t / ours))
}

fn line(r: &Row) -> String {
    let ours = r.parse + r.verify;
    format!(
        "| {} | {:.3} MB | {:.0} MB/s | {:.0} MB/s | {:.1}x | {} | {} | {} | {} | {} |{}",
        r.name,
        r.bytes / 1e6,
        r.bytes / r.parse / 1e6,
        r.bytes / ours / 1e6,
        r.peak / r.bytes,
        seconds(Some(ours)),
        seconds(r.ptxas_check),
        ratio(r.ptxas_check, ours),
        seconds(r.ptxas),
        ratio(r.ptxas, ours),
        if r.errors > 0.0 {
            format!(" ({} errors)", r.errors)
        } else {
            String::new()
        }
    )
}

fn page(rows: &[Row]) -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let lines: Vec<String> = rows.iter().map(line).collect();
    format!(
        "# Benchmarks

Written by `./x bench`; both programs in the same run, on a machine with {cores} cores, one of them used.

## Reading and checking PTX

| input | size | parse | parse + verify | peak memory / input | our time | ptxas, check only | ratio | ptxas, whole | ratio |
|---|---|---|---|---|---|---|---|---|---|
{}

`tiny` and `medium` are files of the corpus; `large` is one module of about ten megabytes joined from the
corpus's files for {TARGET} and older chips (nvcc, clang and Triton). Our times are the medians of five runs in
one process, without its start; ptxas's are whole processes, start included (medians of {RUNS}, one run for
`large`): *check only* is `-arch=compute_…`, which generates no code, *whole* is `-arch={TARGET}` at its default
level. Peak memory is that of our whole process.
",
        lines.join("\n")
    )
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_are_found_in_json() {
        let json = "{\"bytes\":12,\"parse_ns\": 34}\n";
        assert_eq!(
            (
                number(json, "bytes"),
                number(json, "parse_ns"),
                number(json, "x")
            ),
            (Some(12.0), Some(34.0), None)
        );
    }
}
