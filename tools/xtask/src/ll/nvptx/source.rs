//! LLVM's own tests of its back ends and passes, from the source package of the installed LLVM.
//!
//! The package is that of Debian whose compiler is the judge, so tests and judge are of one version. It is fetched
//! once from the archive that the machine's package manager knows; only the tests are kept.

use crate::process;
use crate::project::{self, Outcome};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The package whose version names the sources.
const PACKAGE: &str = "llvm-22";
const SOURCE: &str = "llvm-toolchain-22";
/// What is kept of them: everything in one folder, LLVM IR of the others.
const FOLDER: &str = "llvm/test/CodeGen/NVPTX";
const MODULES: [&str; 2] = ["llvm/test/CodeGen/*.ll", "llvm/test/Transforms/*.ll"];

/// Where the tests of the back end for NVIDIA's GPUs lie, fetched if they do not.
pub fn ensure() -> Outcome<PathBuf> {
    Ok(ensure_all()?.join(FOLDER))
}

/// Where the tests of all back ends and passes lie.
pub fn ensure_tests() -> Outcome<PathBuf> {
    Ok(ensure_all()?.join("llvm/test"))
}

fn ensure_all() -> Outcome<PathBuf> {
    let root = project::root().join("target/llvm_tests");
    let version = version()?;
    let folder = root.join(&version);
    if folder.join("done-all").exists() {
        return Ok(folder);
    }
    project::make_dir(&folder)?;
    let archive = folder.join("orig.tar.xz");
    fetch(&version, &archive)?;
    eprintln!("unpacking the tests");
    let mut tar = Command::new("tar");
    tar.arg("-xJf")
        .arg(&archive)
        .arg("-C")
        .arg(&folder)
        .args(["--strip-components=1", "--wildcards"])
        .arg(format!("*/{FOLDER}/*"))
        .args(MODULES.map(|pattern| format!("*/{pattern}")));
    process::must("tar", &mut tar)?;
    std::fs::remove_file(&archive).ok();
    project::write(&folder.join("done-all"), "")?;
    Ok(folder)
}

/// The version of LLVM as its authors count: `22.1.8` of `1:22.1.8-1~deb12u1`.
fn version() -> Outcome<String> {
    let mut query = Command::new("dpkg-query");
    query.args(["-W", "-f=${Version}", PACKAGE]);
    let full = process::must("dpkg-query", &mut query)?;
    let version = full.rsplit(':').next().unwrap_or_default();
    let version = version.split('-').next().unwrap_or_default();
    match version.is_empty() {
        true => Err(format!("{PACKAGE} is not installed")),
        false => Ok(version.to_string()),
    }
}

/// Fetches the authors' part of the source package: the archives differ in where it lies.
fn fetch(version: &str, to: &Path) -> Outcome {
    let mut targets = Command::new("apt-get");
    targets.args(["indextargets", "--format", "$(REPO_URI)"]);
    let archives = process::must("apt-get indextargets", &mut targets)?;
    let mut archives: Vec<&str> = archives.lines().map(|l| l.trim_end_matches('/')).collect();
    archives.sort_unstable();
    archives.dedup();
    eprintln!("fetching the sources of {PACKAGE} {version} (200 MB)");
    let mut said = Vec::new();
    for archive in archives {
        for pool in ["pool/main", "pool/updates/main"] {
            let url = format!("{archive}/{pool}/l/{SOURCE}/{SOURCE}_{version}.orig.tar.xz");
            let mut curl = Command::new("curl");
            curl.args(["-sSfL", "--retry", "2", "-o"]).arg(to).arg(&url);
            match process::must("curl", &mut curl) {
                Ok(_) => return Ok(()),
                Err(e) => said.push(e),
            }
        }
    }
    Err(format!(
        "the sources of {PACKAGE} {version} could not be had:\n{}",
        said.join("\n")
    ))
}
