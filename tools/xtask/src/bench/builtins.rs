//! Finding builtins by name: `warpc-builtins` measures itself beside its peers, from inside.

use crate::process;
use crate::project::{self, Outcome};
use std::process::Command;

/// The section of the page.
pub fn section() -> Outcome<String> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(project::root()).args([
        "bench",
        "--quiet",
        "--package",
        "warpc-builtins",
        "--bench",
        "lookup",
    ]);
    let text = process::must("finding builtins", &mut cargo)?;
    // Cargo's own lines stand before it.
    let start = text.find("## ").ok_or("the benchmark printed nothing")?;
    Ok(format!("\n{}\n", text[start..].trim_end()))
}
