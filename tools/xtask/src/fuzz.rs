//! `./x fuzz [SECONDS]`: coverage-guided fuzzing of every reader, on the stable toolchain.
//!
//! The targets under `fuzz/` are ordinary libFuzzer targets. `cargo fuzz` would want a nightly compiler, but only
//! for its sanitizers: the coverage instrumentation is an LLVM pass that stable rustc runs when asked
//! (`-Cpasses=sancov-module`), and safe Rust has little for the address sanitizer to find. So we build and
//! run the targets ourselves. Inputs start from the recorded corpus; finds are kept in `target/fuzz`.

mod machine_code;

use crate::corpus;
use crate::process;
use crate::project::{self, Outcome};
use std::path::Path;
use std::process::Command;

const TARGETS: &[&str] = &[
    "ptx", "ll", "bitcode", "link", "compile", "mlir", "cubin", "fatbin", "sass", "assembly",
    "machine",
];
const TRIPLE: &str = "x86_64-unknown-linux-gnu";
const FLAGS: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1";
/// Inputs up to this size: large enough for a whole kernel, small enough for thousands a second.
const LARGEST: usize = 16_384;

/// The task.
pub fn fuzz(args: &[String]) -> Outcome {
    let seconds: u64 = match args.first() {
        None => 600,
        Some(n) => n
            .parse()
            .map_err(|_| format!("`{n}` is not a number of seconds"))?,
    };
    let root = project::root();
    let dir = root.join("target/fuzz");
    println!("building the fuzz targets (libFuzzer, stable rustc with the coverage pass)");
    let mut build = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    build.current_dir(root.join("fuzz")).args([
        "build",
        "--release",
        "--quiet",
        "--target",
        TRIPLE,
    ]);
    build
        .arg("--target-dir")
        .arg(dir.join("build"))
        .env("RUSTFLAGS", FLAGS);
    if !process::show(&mut build)? {
        return Err("the fuzz targets do not build".into());
    }
    for target in TARGETS {
        let seeds = dir.join("corpus").join(target);
        let finds = dir.join("finds").join(target);
        project::make_dir(&finds)?;
        match *target {
            "ll" | "link" | "compile" => copy_llvm_seeds(&seeds)?,
            "bitcode" => copy_bitcode_seeds(&seeds)?,
            "mlir" => copy_mlir_seeds(&seeds)?,
            "cubin" | "fatbin" | "sass" | "assembly" => machine_code::seeds(target, &seeds)?,
            _ => write_seeds(&seeds)?,
        }
        println!(
            "fuzzing {target} for {} seconds",
            seconds / TARGETS.len() as u64
        );
        let mut run = Command::new(dir.join("build").join(TRIPLE).join("release").join(target));
        run.arg(&seeds).arg(format!(
            "-max_total_time={}",
            seconds / TARGETS.len() as u64
        ));
        run.arg(format!("-max_len={LARGEST}"))
            .arg(format!("-artifact_prefix={}/", finds.display()));
        run.args([
            "-timeout=10",
            "-rss_limit_mb=2048",
            "-print_final_stats=1",
            "-verbosity=0",
        ]);
        if !process::show(&mut run)? {
            return Err(format!(
                "{target} fails; the input is in {}",
                finds.display()
            ));
        }
    }
    println!("fuzz: {} targets clean", TARGETS.len());
    Ok(())
}

/// Unpacks the small files of the recorded corpus; libFuzzer adds what it finds interesting.
fn write_seeds(dir: &Path) -> Outcome {
    project::make_dir(dir)?;
    for packed in project::files(&corpus::recorded_dir(), "gz") {
        let mut text = project::unpack(&packed)?;
        let name = packed.file_stem().unwrap_or_default();
        // Larger files are cut: their beginning is still a useful wrong input.
        text.truncate(LARGEST);
        project::write(&dir.join(name), text)?;
    }
    Ok(())
}

/// Copies the modules of MLIR, cut where they are long.
fn copy_mlir_seeds(dir: &Path) -> Outcome {
    project::make_dir(dir)?;
    for folder in ["kernels", "lowered", "ops"] {
        for file in project::files(&project::root().join("tests/mlir").join(folder), "mlir") {
            let mut text = project::read(&file)?.into_bytes();
            text.truncate(LARGEST);
            project::write(&dir.join(project::stem(&file)), text)?;
        }
    }
    Ok(())
}

/// Unpacks the recorded files of bitcode, those that are not too large.
fn copy_bitcode_seeds(dir: &Path) -> Outcome {
    project::make_dir(dir)?;
    for file in project::files(&project::root().join("tests/corpus/bc"), "gz") {
        let bytes = warpc_testkit::gzip::read(&file);
        if bytes.starts_with(b"BC") && bytes.len() <= LARGEST {
            project::write(&dir.join(project::stem(&file)), bytes)?;
        }
    }
    Ok(())
}

/// Copies the modules that the reader's own tests use: a bit of everything each.
fn copy_llvm_seeds(dir: &Path) -> Outcome {
    project::make_dir(dir)?;
    let root = project::root();
    for folder in ["read", "upgrade"] {
        let from = root.join("crates/nvvm/src").join(folder).join("tests");
        for file in project::files(&from, "ll") {
            let text =
                std::fs::read(&file).map_err(|e| format!("cannot read {}: {e}", file.display()))?;
            // Whole modules are larger than what is mutated well; their parts are, too.
            for (index, part) in text.chunks(LARGEST / 8).enumerate() {
                let name = file.file_stem().unwrap_or_default().to_string_lossy();
                project::write(&dir.join(format!("{name}-{index}.ll")), part)?;
            }
            let name = file.file_name().unwrap_or_default();
            project::write(&dir.join(name), text)?;
        }
    }
    Ok(())
}
