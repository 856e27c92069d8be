//! The reference tools: pinned, fetched once, kept in `target/oracle`.
//!
//! Each environment is a Python virtual environment filled from the package index, because that is where
//! NVIDIA publishes the toolkit in parts that need no installer. A stamp file holds the exact list that was
//! installed, so a second run takes no time and a changed pin is noticed. What cannot be had is named,
//! together with what is skipped for the lack of it; it is never silently passed over.

use crate::process;
use crate::project::{self, Outcome};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One environment: its folder under `target/oracle`, what it is for, and its pinned packages.
struct Environment {
    name: &'static str,
    purpose: &'static str,
    packages: &'static [&'static str],
}

/// Every version this project was measured with.
const CUDA13: Environment = Environment {
    name: "cuda13",
    purpose: "ptxas, nvcc and nvdisasm for sm_75 and later: no verdicts or corpus for these without it",
    packages: &[
        "nvidia-cuda-nvcc==13.4.92",
        "nvidia-nvvm==13.4.92",
        "nvidia-cuda-crt==13.4.92",
        "nvidia-cuda-runtime==13.4.92",
        "nvidia-cuda-nvdisasm==13.4.92",
        "nvidia-cuda-cuobjdump==13.4.92",
        "nvidia-cuda-cccl==13.3.5.0.6",
        "nvidia-curand==10.4.4.72",
    ],
};
const CUDA12: Environment = Environment {
    name: "cuda12",
    purpose: "ptxas and NVRTC for sm_60 to sm_72: no verdicts or corpus for these without it",
    packages: &[
        "nvidia-cuda-nvcc-cu12==12.9.86",
        "nvidia-cuda-nvrtc-cu12==12.9.86",
        "nvidia-cuda-runtime-cu12==12.9.79",
        "nvidia-cuda-cccl-cu12==12.9.27",
        "nvidia-curand-cu12==10.3.10.19",
    ],
};
const TRITON: Environment = Environment {
    name: "triton",
    purpose: "the Triton part of the corpus: skipped without it",
    packages: &["triton==3.9.0"],
};
const CUDA11: Environment = Environment {
    name: "cuda11",
    purpose: "the headers that clang-14 understands: no LLVM IR of its dialect without it",
    packages: &[
        "nvidia-cuda-nvcc-cu11==11.8.89",
        "nvidia-cuda-runtime-cu11==11.8.89",
        "nvidia-cuda-cccl-cu11==11.8.89",
        "nvidia-curand-cu11==10.3.0.86",
    ],
};
const NUMBA: Environment = Environment {
    name: "numba",
    purpose: "LLVM IR as Numba writes it now: skipped without it",
    packages: &[
        "numba-cuda==0.30.4",
        "numba==0.68.1",
        "llvmlite==0.50.0",
        "numpy==2.4.6",
        "cuda-bindings==13.5.0",
        "cuda-core==1.2.2",
        "cuda-pathfinder==1.8.6",
        "packaging==26.3",
    ],
};
const NUMBA_TYPED: Environment = Environment {
    name: "numba-typed",
    purpose: "LLVM IR as Numba wrote it with typed pointers: skipped without it",
    packages: &["numba==0.60.0", "llvmlite==0.43.0", "numpy==1.26.4"],
};
/// The clang whose CUDA front end and NVPTX back end make a part of the corpus; a Debian package.
const CLANG: &str = "clang++-22";
/// Programs that only the LLVM IR part needs: name, package, and what is skipped without it.
const LL_PRODUCERS: [(&str, &str, &str); 3] = [
    ("clang++-19", "clang-19", "its LLVM IR"),
    (
        "clang++-14",
        "clang-14",
        "its LLVM IR, which has typed pointers",
    ),
    ("flang-22", "flang-22", "LLVM IR of Fortran"),
];
const LL_JUDGES: [(&str, &str, &str); 3] = [
    ("llvm-as-22", "llvm-22", "every judgement of LLVM IR"),
    (
        "llvm-as-14",
        "llvm-14",
        "LLVM's reading of the oldest modules",
    ),
    (
        "mlir-translate-22",
        "mlir-22-tools",
        "every judgement of MLIR",
    ),
];

/// The tools that could be had, each as the path to use.
#[derive(Clone, Default)]
pub struct Tools {
    /// A CUDA 13 toolkit folder (`bin`, `include`, `nvvm`).
    pub cuda13: Option<PathBuf>,
    /// A CUDA 12.9 folder of the same shape, without a compiler driver.
    pub cuda12: Option<PathBuf>,
    /// The Python that has NVRTC 12.9 beside it, and the library itself.
    pub nvrtc: Option<(PathBuf, PathBuf)>,
    /// The Python that has Triton.
    pub triton: Option<PathBuf>,
    /// clang.
    pub clang: Option<PathBuf>,
    /// What only the LLVM IR part needs.
    pub ll: LlTools,
}

/// The tools that only the LLVM IR part needs.
#[derive(Clone, Default)]
pub struct LlTools {
    /// A CUDA 11.8 folder of the shape of the others.
    pub cuda11: Option<PathBuf>,
    /// The Python that has today's Numba.
    pub numba: Option<PathBuf>,
    /// The Python that has a Numba of the time of typed pointers.
    pub numba_typed: Option<PathBuf>,
    /// The programs that are there, of those that only this part needs.
    pub programs: Vec<&'static str>,
}

impl Tools {
    /// The ptxas that knows a target, given as `sm_90a`: 12.9 for what 13 dropped, else 13.
    pub fn ptxas(&self, sm: &str) -> Option<(&'static str, PathBuf)> {
        let digits: String = sm.chars().filter(char::is_ascii_digit).collect();
        match digits.parse::<u32>() {
            Ok(n) if n < 75 || n == 101 => {
                self.cuda12.as_ref().map(|t| ("12.9", t.join("bin/ptxas")))
            }
            _ => self.cuda13.as_ref().map(|t| ("13.4", t.join("bin/ptxas"))),
        }
    }
}

/// All pinned versions in one string: what is made with these tools depends on it.
pub fn pins() -> String {
    let packages = [&CUDA13, &CUDA12, &TRITON].map(|env| env.packages.join(" "));
    format!("{} {CLANG}", packages.join(" "))
}

/// The same for the LLVM IR part, apart so that a new pin there leaves the PTX as it is.
pub fn ll_pins() -> String {
    let packages = [&CUDA11, &NUMBA, &NUMBA_TYPED].map(|env| env.packages.join(" "));
    let programs = LL_PRODUCERS.map(|(_, package, _)| package);
    format!("{} {} {}", pins(), packages.join(" "), programs.join(" "))
}

/// `./x setup`: fetches everything; fails if anything is missing, after having tried all of it.
pub fn setup() -> Outcome {
    let (_, missing) = ensure_all();
    if missing.is_empty() {
        Ok(())
    } else {
        Err(format!("{} of the tools could not be had", missing.len()))
    }
}

/// The newest CUDA toolkit alone (`bin`, `include`, `nvvm`).
pub fn newest() -> Outcome<PathBuf> {
    Ok(ensure(&CUDA13)?.join("nvidia/cu13"))
}

/// Fetches what is missing and returns what there is, with one message for each thing that is not.
pub fn ensure_all() -> (Tools, Vec<String>) {
    let mut tools = Tools::default();
    let mut missing = Vec::new();
    let mut note = |message: String| {
        eprintln!("warning: {message}");
        missing.push(message);
    };
    match ensure(&CUDA13) {
        Ok(site) => tools.cuda13 = Some(site.join("nvidia/cu13")),
        Err(e) => note(e),
    }
    match ensure(&CUDA12).and_then(|site| Ok((merge_cuda(&CUDA12, &site)?, site))) {
        Ok((toolkit, site)) => {
            tools.cuda12 = Some(toolkit);
            let library = site.join("nvidia/cuda_nvrtc/lib/libnvrtc.so.12");
            tools.nvrtc = Some((project::oracle_dir().join("cuda12/bin/python3"), library));
        }
        Err(e) => note(e),
    }
    match ensure(&TRITON) {
        Ok(_) => tools.triton = Some(project::oracle_dir().join("triton/bin/python3")),
        Err(e) => note(e),
    }
    let package = CLANG.replace("++", "");
    match ensure_program(CLANG, &package, "the clang part of the corpus") {
        Ok(()) => tools.clang = Some(PathBuf::from(CLANG)),
        Err(e) => note(e),
    }
    match ensure(&CUDA11).and_then(|site| merge_cuda(&CUDA11, &site)) {
        Ok(toolkit) => tools.ll.cuda11 = Some(toolkit),
        Err(e) => note(e),
    }
    for (env, python) in [
        (&NUMBA, &mut tools.ll.numba),
        (&NUMBA_TYPED, &mut tools.ll.numba_typed),
    ] {
        match ensure(env) {
            Ok(_) => *python = Some(project::oracle_dir().join(env.name).join("bin/python3")),
            Err(e) => note(e),
        }
    }
    for (program, package, purpose) in LL_PRODUCERS.into_iter().chain(LL_JUDGES) {
        match ensure_program(program, package, purpose) {
            Ok(()) => tools.ll.programs.push(program),
            Err(e) => note(e),
        }
    }
    (tools, missing)
}

/// Makes one environment unless its stamp says that it is there; returns its `site-packages`.
fn ensure(env: &Environment) -> Outcome<PathBuf> {
    let dir = project::oracle_dir().join(env.name);
    let stamp = dir.join("stamp");
    let wanted = env.packages.join("\n");
    if fs::read_to_string(&stamp).is_ok_and(|have| have == wanted) {
        return site_packages(&dir);
    }
    eprintln!("fetching {} ({})", env.name, env.packages.join(", "));
    let failed = |e: String| {
        format!(
            "could not fetch {}: needed for {}\n    {e}",
            env.name, env.purpose
        )
    };
    project::make_dir(&project::oracle_dir()).map_err(failed)?;
    process::must(
        "python3 -m venv",
        Command::new("python3")
            .args(["-m", "venv", "--clear"])
            .arg(&dir),
    )
    .map_err(failed)?;
    let mut pip = Command::new(dir.join("bin/python3"));
    pip.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
    ])
    .args(env.packages);
    process::must("pip install", &mut pip).map_err(failed)?;
    let site = site_packages(&dir).map_err(failed)?;
    project::write(&stamp, wanted).map_err(failed)?;
    Ok(site)
}

fn site_packages(env: &Path) -> Outcome<PathBuf> {
    let lib = env.join("lib");
    let versions = fs::read_dir(&lib).map_err(|e| format!("cannot read {}: {e}", lib.display()))?;
    versions
        .flatten()
        .map(|v| v.path().join("site-packages"))
        .find(|p| p.is_dir())
        .ok_or_else(|| format!("no site-packages under {}", lib.display()))
}

/// The packages before 13 lie in a folder each; clang and NVRTC want one `include` and one `nvvm`.
fn merge_cuda(env: &Environment, site: &Path) -> Outcome<PathBuf> {
    let merged = project::oracle_dir().join(env.name).join("toolkit");
    let nvidia = site.join("nvidia");
    if merged.join("done").exists() {
        return Ok(merged);
    }
    let link = |from: PathBuf, to: PathBuf| -> Outcome {
        if to.symlink_metadata().is_ok() {
            return Ok(());
        }
        std::os::unix::fs::symlink(&from, &to)
            .map_err(|e| format!("cannot link {}: {e}", to.display()))
    };
    project::make_dir(&merged.join("include"))?;
    project::make_dir(&merged.join("lib"))?;
    link(nvidia.join("cuda_nvcc/bin"), merged.join("bin"))?;
    link(nvidia.join("cuda_nvcc/nvvm"), merged.join("nvvm"))?;
    for part in [
        "cuda_nvcc",
        "cuda_runtime",
        "cuda_cccl",
        "curand",
        "cuda_nvrtc",
    ] {
        let from = nvidia.join(part).join("include");
        if !from.is_dir() {
            continue;
        }
        for entry in fs::read_dir(&from)
            .map_err(|e| format!("cannot read {}: {e}", from.display()))?
            .flatten()
        {
            if entry.file_name() != "__init__.py" && entry.file_name() != "__pycache__" {
                link(entry.path(), merged.join("include").join(entry.file_name()))?;
            }
        }
    }
    // clang asks which CUDA it has before it.
    let version = match env.name {
        "cuda11" => "11.8.0",
        _ => "12.9.1",
    };
    project::write(
        &merged.join("version.json"),
        format!(r#"{{"cuda": {{"name": "CUDA SDK", "version": "{version}"}}}}"#),
    )?;
    project::write(&merged.join("done"), "")?;
    Ok(merged)
}

/// A program from the path, or from Debian's archive where we may install packages.
fn ensure_program(program: &str, package: &str, purpose: &str) -> Outcome {
    if process::exists(program) {
        return Ok(());
    }
    let advice =
        format!("could not find {program}: {purpose} is skipped (apt-get install {package})");
    let root =
        process::capture(Command::new("id").arg("-u")).is_ok_and(|id| id.output.trim() == "0");
    if !root || !process::exists("apt-get") {
        return Err(advice);
    }
    eprintln!("installing {package}");
    let mut update = Command::new("apt-get");
    update.args(["-qq", "update"]);
    let mut install = Command::new("apt-get");
    install.env("DEBIAN_FRONTEND", "noninteractive").args([
        "-qq",
        "-y",
        "--no-install-recommends",
        "install",
        package,
    ]);
    process::must("apt-get update", &mut update)
        .and_then(|_| process::must("apt-get install", &mut install))
        .map_err(|e| format!("{advice}\n    {e}"))?;
    Ok(())
}
