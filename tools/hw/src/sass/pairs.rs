//! Kernels of ptxas, and the same taken apart to text and assembled again.
//!
//! A folder has, for each module of the kernel suite, the PTX with its launches, the cubin that ptxas made of it, and
//! the rebuilt one. `./x hw` makes it, because the machine with the GPU has no ptxas.

use crate::kernels::{File, Suite};
use std::path::{Path, PathBuf};

/// A module with both cubins.
pub struct Pair<'s> {
    /// The PTX and its launches.
    pub file: &'s File,
    /// The cubin of ptxas.
    pub original: Vec<u8>,
    /// The rebuilt one.
    pub rebuilt: Vec<u8>,
}

/// Where a module's cubin is: `kind` is `original` or `rebuilt`.
pub fn path(dir: &Path, name: &str, kind: &str) -> PathBuf {
    dir.join(format!("{name}.{kind}.cubin"))
}

impl<'s> Pair<'s> {
    /// Reads the cubins of a module.
    pub fn read(dir: &Path, file: &'s File) -> Result<Pair<'s>, String> {
        let read = |kind: &str| {
            let path = path(dir, &file.name, kind);
            std::fs::read(&path).map_err(|e| format!("cannot read {}: {e}", path.display()))
        };
        Ok(Pair {
            file,
            original: read("original")?,
            rebuilt: read("rebuilt")?,
        })
    }
}

/// The modules of a folder that have both cubins.
pub fn suite(dir: &Path) -> Result<Suite, String> {
    let mut suite = Suite::read(dir)?;
    suite.files.retain(|file| {
        let both = ["original", "rebuilt"];
        both.iter().all(|kind| path(dir, &file.name, kind).exists())
    });
    Ok(suite)
}

/// Takes a cubin apart and puts it together again. The error says what went wrong.
pub fn rebuild(name: &str, original: &[u8]) -> Result<Vec<u8>, String> {
    let cubin = warpc_cubin::Cubin::read(original).map_err(|fault| format!("{name}: {fault}"))?;
    super::hand::assembled(name, &warpc::reassemblable(&cubin))
}
