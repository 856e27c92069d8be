//! The release build of `warpc`, for tasks that run it.

use crate::process;
use crate::project::{self, Outcome};
use std::path::PathBuf;
use std::process::Command;

/// Builds it and says where it lies.
pub fn build() -> Outcome<PathBuf> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(project::root()).args([
        "build",
        "--release",
        "--quiet",
        "--package",
        "warpc",
    ]);
    process::must("building warpc", &mut cargo)?;
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| project::root().join("target"), PathBuf::from);
    Ok(target.join("release/warpc"))
}
