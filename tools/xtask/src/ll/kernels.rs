//! `./x ll kernels`: the kernel suites as LLVM IR by clang, and as PTX by our compiler and by LLVM's.
//!
//! ```text
//! tests/kernels/cuda/*.cu ─ clang-22 -O3 ─► LLVM IR ┬ warpc compile ─► target/ll_kernels/ours/<name>.ptx
//!                                                   └ llc-22 -O2 ────► target/ll_kernels/llc/<name>.ptx
//! with --record: clang-22 -O2 ─► tests/kernels/ll/<name>.ll.gz, and PTX of that
//! tests/kernels/compute/*.cu ─ the same, nothing recorded ────────► target/ll_kernels/compute-{ours,llc}/<name>.ptx
//! ```
//!
//! The PTX carries the cases of its source in `// run:` lines, like that of nvcc beside it, so the runner of
//! the hardware tests takes all three. A multiplication and an addition are fused where nvcc was asked to.

use crate::corpus::made_to_run;
use crate::ll::gpu;
use crate::ll::make::without_folders;
use crate::oracle::{self, Tools};
use crate::project::{self, Outcome};
use crate::{jobs, process, release};
use std::path::{Path, PathBuf};
use std::process::Command;
use warpc_testkit::gzip;

/// The chip that the answers are of.
pub(super) const CHIP: &str = "sm_90";

/// clang's level for what is timed beside nvcc's code.
pub(super) const TIMED: &str = "-O3";

/// clang's level for the recorded LLVM IR, whose results the tests compare.
const RECORDED: &str = "-O2";

/// The newest version that the driver of the GPU takes, as LLVM's feature.
const LLC_VERSION: &str = "-mattr=+ptx86";

/// The task.
pub fn kernels(args: &[String]) -> Outcome {
    let record = match args {
        [] => false,
        [option] if option == "--record" => true,
        _ => return Err("ll kernels takes nothing, or --record".into()),
    };
    let (tools, _) = oracle::ensure_all();
    let warpc = release::build()?;
    let in_folder = |name: &str| project::files(&project::root().join(name), "cu");
    let mut sources = in_folder("tests/kernels/cuda");
    sources.extend(in_folder(COMPUTE));
    let results = jobs::map(&sources, |source| one(&tools, &warpc, source, record));
    let mut made = 0;
    for (source, result) in sources.iter().zip(results) {
        match result {
            Ok(messages) => {
                made += 1;
                let name = project::stem(source);
                messages
                    .iter()
                    .for_each(|message| println!("{name}: {message}"));
            }
            Err(message) => println!("{}: {message}", project::stem(source)),
        }
    }
    println!(
        "{made} of {} kernel files as LLVM IR, in {}",
        sources.len(),
        folder().display()
    );
    Ok(())
}

/// The sources of the suite for times.
const COMPUTE: &str = "tests/kernels/compute";

/// Where the files are made.
pub fn folder() -> PathBuf {
    project::root().join("target/ll_kernels")
}

/// Makes the files of a source; gives what the compilers refuse.
fn one(tools: &Tools, warpc: &Path, source: &Path, record: bool) -> Outcome<Vec<String>> {
    let name = project::stem(source);
    let text = project::read(source)?;
    let level = if record { RECORDED } else { TIMED };
    let (module, ll) = as_ir(tools, source, &text, level, &folder())?;
    let is_compute = source.starts_with(project::root().join(COMPUTE));
    if record && !is_compute {
        let path = project::root().join(format!("tests/kernels/ll/{name}.ll.gz"));
        project::write(&path, gzip::pack(&ll))?;
    }
    // The sources are CUDA, whose atomics clang writes stronger than they are.
    let builds = [
        ("ours", ours(warpc, &module, "cuda")),
        ("llc", theirs(&module)),
    ];
    let mut messages = Vec::new();
    for (who, command) in builds {
        let build = match is_compute {
            true => format!("compute-{who}"),
            false => who.to_owned(),
        };
        let out = folder().join(build).join(format!("{name}.ptx"));
        messages.extend(to_be_run(command, &out, &text)?.map(|said| format!("{who}: {said}")));
    }
    Ok(messages)
}

/// clang's LLVM IR of a source at a level: the file in a folder, and its text.
pub(super) fn as_ir(
    tools: &Tools,
    source: &Path,
    text: &str,
    level: &str,
    folder: &Path,
) -> Outcome<(PathBuf, String)> {
    let module = folder.join(format!("{}.ll", project::stem(source)));
    project::make_dir(folder)?;
    process::must(
        "clang",
        clang(tools, source, text, level, &module)?.current_dir(source.parent().unwrap_or(source)),
    )?;
    let ll = without_folders(&project::read(&module)?);
    project::write(&module, &ll)?;
    Ok((module, ll))
}

/// Our compiler on a module, with a meaning of atomics (`--atomics`). Wants the file to write.
pub(super) fn ours(warpc: &Path, module: &Path, atomics: &str) -> Command {
    let mut command = Command::new(warpc);
    command
        .args(["compile", "--arch", CHIP, "--atomics", atomics])
        .arg(module)
        .arg("-o");
    command
}

/// LLVM's compiler on a module. Wants the file to write.
pub(super) fn theirs(module: &Path) -> Command {
    let mut command = Command::new("llc-22");
    command
        .args(["-O2", &format!("-mcpu={CHIP}"), LLC_VERSION])
        .arg(module)
        .arg("-o");
    command
}

/// Has a compiler write a file, and puts the cases of the source at its top; gives what the compiler complains of.
pub(super) fn to_be_run(mut command: Command, out: &Path, source: &str) -> Outcome<Option<String>> {
    project::make_dir(out.parent().unwrap_or(out))?;
    std::fs::remove_file(out).ok();
    let done = process::capture(command.arg(out))?;
    if !done.ok {
        return Ok(Some(gpu::complaint(&done.output)));
    }
    project::write(out, made_to_run(&project::read(out)?, source))?;
    Ok(None)
}

/// clang's command line, with the flags of the source's `make:` line that it knows by another name.
fn clang(tools: &Tools, source: &Path, text: &str, level: &str, out: &Path) -> Outcome<Command> {
    let toolkit = tools.cuda13.as_ref().ok_or("there is no CUDA 13")?;
    let clang = tools.clang.as_ref().ok_or("there is no clang")?;
    let make = text
        .lines()
        .find(|line| line.starts_with("// make: "))
        .unwrap_or_default();
    let fused = if make.contains("-fmad=false") {
        "off"
    } else {
        "fast"
    };
    let mut command = Command::new(clang);
    command
        .args([
            "-x",
            "cuda",
            "--cuda-device-only",
            "-std=c++17",
            "-S",
            "-emit-llvm",
            "-w",
            level,
        ])
        .arg(format!("-ffp-contract={fused}"))
        .arg("-Wno-unknown-cuda-version")
        .arg(format!("--cuda-gpu-arch={CHIP}"))
        .arg(format!("--cuda-path={}", toolkit.display()))
        .arg("-isystem")
        .arg(toolkit.join("include/cccl"))
        .arg(source.file_name().unwrap_or_default())
        .arg("-o")
        .arg(out);
    Ok(command)
}
