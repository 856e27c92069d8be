//! Release builds of the project's programs, for tasks that run them.

use crate::process;
use crate::project::{self, Outcome};
use std::path::PathBuf;
use std::process::Command;

/// Builds `warpc` and says where it lies.
pub fn build() -> Outcome<PathBuf> {
    build_with("release", "release", "warpc-cli", "warpc")
}

/// Builds a package with a program of the same name and says where that lies.
pub fn build_package(package: &str) -> Outcome<PathBuf> {
    build_with("release", "release", package, package)
}

/// The same with optimisation, overflow checks and debug assertions, as tests are built.
pub fn build_checked(package: &str) -> Outcome<PathBuf> {
    build_with("test", "debug", package, package)
}

/// `warpc` in the same way.
pub fn build_checked_command() -> Outcome<PathBuf> {
    build_with("test", "debug", "warpc-cli", "warpc")
}

fn build_with(profile: &str, folder: &str, package: &str, program: &str) -> Outcome<PathBuf> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(project::root()).args([
        "build",
        "--profile",
        profile,
        "--quiet",
        "--package",
        package,
    ]);
    process::must(&format!("building {package}"), &mut cargo)?;
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| project::root().join("target"), PathBuf::from);
    Ok(target.join(folder).join(program))
}
