//! Where things lie in the project, and reading and writing files with errors that name the file.

use std::fs;
use std::path::{Path, PathBuf};

/// What a task returns: nothing, or a message for the person who ran it.
pub type Outcome<T = ()> = Result<T, String>;

/// The root of the checkout. The binary is always run from the checkout it was built in.
pub fn root() -> PathBuf {
    let crate_dir = Path::new(env!("CARGO_MANIFEST_DIR"));
    crate_dir
        .ancestors()
        .nth(2)
        .unwrap_or(crate_dir)
        .to_path_buf()
}

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
    let mut found: Vec<PathBuf> = fs::read_dir(dir)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == ending))
        .collect();
    found.sort();
    found
}

/// A file's name without folders and without anything from the first dot on.
pub fn stem(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.split('.').next().unwrap_or_default().to_string()
}

/// FNV-1a: a stable hash for cache keys and seeds (the standard library's may change between releases).
pub fn hash(parts: &[&str]) -> u64 {
    let mut h = 0xcbf2_9ce4_8422_2325u64;
    for part in parts {
        for byte in part.bytes().chain([0]) {
            h = (h ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
    h
}
