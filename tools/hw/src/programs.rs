//! Small generated programs: what moves data, asks other lanes, waits, or tells a thread where it is.
//!
//! These instructions are not functions of a thread's operands, so each one gets a kernel that is run
//! whole, on the GPU and on the emulator. Modules carry their launches in `// run:` lines, as the
//! files of the kernel suite do, and go the same way ([`crate::kernels`]).

mod address;
mod kernel;
mod meeting;
mod memory;
mod moves;
mod outside;
mod place;
mod special;
mod warp;

use crate::forms::{VERSION, target};
use crate::kernels::{File, Suite};
use kernel::Kernel;
use std::fmt::Write;

/// Kernels of one module: enough that the driver's compiler is not started for each, few enough that
/// a module it refuses costs little.
const MODULE: usize = 64;

/// All programs.
pub fn suite() -> Result<Suite, String> {
    let subjects = [
        ("special", String::new(), special::kernels()),
        ("warp", warp::declarations(), warp::kernels()),
        ("meeting", String::new(), meeting::kernels()),
        ("address", place::declarations(), address::kernels()),
        ("memory", place::declarations(), memory::kernels()),
        ("move", String::new(), moves::kernels()),
        ("outside", String::new(), outside::kernels()),
    ];
    let mut files = Vec::new();
    for (subject, declarations, kernels) in subjects {
        for (i, some) in kernels.chunks(MODULE).enumerate() {
            let name = format!("{subject}{i:02}");
            files.push(File::new(&name, &module(&declarations, some))?);
        }
    }
    Ok(Suite { files })
}

/// A module with its launches at the top.
fn module(declarations: &str, kernels: &[Kernel]) -> String {
    let mut out = String::new();
    for kernel in kernels {
        for launch in &kernel.launches {
            let _ = writeln!(out, "// run: --kernel {} {launch}", kernel.name);
        }
    }
    let _ = write!(
        out,
        ".version {VERSION}\n.target {}\n.address_size 64\n\n{declarations}\n",
        target()
    );
    for kernel in kernels {
        out.push_str(&kernel.text());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// A kernel that does not check, or two of one name, would be noticed only on hardware.
    #[test]
    fn programs_are_valid_and_have_their_own_names() {
        let suite = suite().expect("launches can be read");
        let mut names = HashSet::new();
        for file in &suite.files {
            if let Err(message) = file.module() {
                panic!("{message}");
            }
            for case in &file.cases {
                assert!(names.insert(&case.text), "{}", case.text);
            }
        }
        assert!(names.len() > 1000, "{}", names.len());
    }
}
