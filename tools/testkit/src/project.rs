//! Where things are: folders of the checkout, and what `./x test` tells the tests in environment variables.
//!
//! | variable | meaning |
//! |---|---|
//! | `WARPC_ORACLE_DIR` | the reference tools that `./x setup` fetched; without it tests replay recorded answers |
//! | `WARPC_CORPUS_DIR` | the corpus that `./x corpus` made; without it tests take the recorded part |
//! | `WARPC_BLESS` | file tests write what they see instead of comparing it (`./x bless`) |

use std::path::{Path, PathBuf};

/// The root of the checkout that the program was built in.
pub fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = package.ancestors().nth(2);
    root.unwrap_or(package).to_path_buf()
}

/// The folder `tests` of the project.
pub fn tests() -> PathBuf {
    root().join("tests")
}

/// A file or folder of recorded answers, `tests/oracle/NAME`.
pub fn oracle(name: &str) -> PathBuf {
    tests().join("oracle").join(name)
}

/// The reference tools, where they may be used.
pub fn reference_tools() -> Option<PathBuf> {
    folder_in("WARPC_ORACLE_DIR", "./x setup fetches the tools")
}

/// The whole corpus, where it was made.
pub fn corpus() -> Option<PathBuf> {
    folder_in("WARPC_CORPUS_DIR", "./x corpus makes the files")
}

/// The assembler that knows a chip, where the reference tools may be used.
///
/// # Panics
/// If the tools may be used and it is not there.
pub fn ptxas(chip: &str) -> Option<PathBuf> {
    let tools = reference_tools()?;
    let digits: String = chip.chars().filter(char::is_ascii_digit).collect();
    let found = match digits.parse::<u32>() {
        // CUDA 13 does not have these.
        Ok(0..75 | 101) => Some(tools.join("cuda12/toolkit/bin/ptxas")),
        _ => entries(&tools.join("cuda13/lib"))
            .into_iter()
            .map(|version| version.join("site-packages/nvidia/cu13/bin/ptxas"))
            .find(|path| path.is_file()),
    };
    let found = found.filter(|path| path.is_file());
    Some(found.expect("the reference tools have no ptxas: run ./x setup"))
}

/// Whether file tests are to write what they see.
pub fn blesses() -> bool {
    std::env::var_os("WARPC_BLESS").is_some()
}

fn folder_in(variable: &str, source: &str) -> Option<PathBuf> {
    let folder = std::env::var_os(variable).map(PathBuf::from);
    if folder.is_none() {
        println!("skipped: {variable} is not set ({source}, ./x test sets it)");
    }
    folder
}

/// What is in a folder, by name. A folder that does not exist is empty.
pub fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// The files of a folder and of all folders in it whose names end in one of `endings` (`.ptx`), by path.
pub fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for path in entries(&folder) {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if path.is_dir() {
                folders.push(path);
            } else if endings.iter().any(|ending| name.ends_with(ending)) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// A file's name without folders and without anything from the first dot on.
pub fn stem(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.split('.').next().unwrap_or_default().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Folder;

    #[test]
    fn the_root_has_the_tests() {
        assert!(root().join("Cargo.lock").is_file());
        assert!(oracle("").is_dir());
    }

    #[test]
    fn files_are_found_in_all_folders() {
        let folder = Folder::new("files");
        std::fs::create_dir(folder.join("b")).expect("a folder of our own");
        let wanted = [
            folder.file("a.ptx", ""),
            folder.file("b/c.ptx.gz", ""),
            folder.file("d.ptx", ""),
        ];
        folder.file("e.ll", "");
        assert_eq!(files(folder.path(), &[".ptx", ".ptx.gz"]), wanted);
        assert_eq!(
            files(&folder.join("none"), &[""]),
            [""; 0].map(PathBuf::from)
        );
        assert_eq!(stem(&wanted[1]), "c");
    }
}
