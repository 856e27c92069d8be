//! Where things lie in the project, and reading and writing files with errors that name the file.

use std::fs;
use std::path::{Path, PathBuf};
use warpc_testkit::{gzip, hash};

pub use warpc_testkit::project::{root, stem};

/// What a task returns: nothing, or a message for the person who ran it.
pub type Outcome<T = ()> = Result<T, String>;

/// The fetched tools. Not under `CARGO_TARGET_DIR`: they cost minutes and outlive build folders.
pub fn oracle_dir() -> PathBuf {
    root().join("target/oracle")
}

/// The PTX made by `./x corpus`.
pub fn corpus_dir() -> PathBuf {
    root().join("target/corpus")
}

/// Reads a text file.
pub fn read(path: &Path) -> Outcome<String> {
    fs::read_to_string(path).map_err(|e| format!("cannot read {}: {e}", path.display()))
}

/// Writes a file and the folders above it.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Outcome {
    if let Some(parent) = path.parent() {
        make_dir(parent)?;
    }
    fs::write(path, bytes).map_err(|e| format!("cannot write {}: {e}", path.display()))
}

/// Makes a folder and those above it.
pub fn make_dir(path: &Path) -> Outcome {
    fs::create_dir_all(path).map_err(|e| format!("cannot make the folder {}: {e}", path.display()))
}

/// The files of a folder that end in `.ending`, by name. A missing folder is an empty one.
pub fn files(dir: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = warpc_testkit::project::entries(dir);
    found.retain(|path| path.extension().is_some_and(|e| e == ending));
    found
}

/// The bytes of a file, unpacked if it is compressed.
pub fn unpack(path: &Path) -> Outcome<Vec<u8>> {
    gzip::load(path).map_err(|e| format!("cannot read {}: {e}", path.display()))
}

/// The hash of texts, for cache keys and seeds.
pub fn hash(parts: &[&str]) -> u64 {
    hash::of_parts(parts.iter().copied())
}
