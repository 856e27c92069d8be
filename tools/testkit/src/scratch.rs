//! Folders for the files of a test.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder of its own that is removed when it is dropped.
#[derive(Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// An empty folder. The subject is a part of its name.
    ///
    /// # Panics
    /// If the system's folder for temporary files cannot be written to.
    pub fn new(subject: &str) -> Folder {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("warpc-{subject}-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Folder(path)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The path of a file in it.
    pub fn join(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.join(name)
    }

    /// Writes a file into it and returns its path.
    ///
    /// # Panics
    /// If the file cannot be written.
    pub fn file(&self, name: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.join(name);
        std::fs::write(&path, bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::Folder;

    #[test]
    fn folders_are_apart_and_are_removed() {
        let (first, second) = (Folder::new("scratch"), Folder::new("scratch"));
        assert_ne!(first.path(), second.path());
        let file = first.file("a", "b");
        assert!(file.is_file());
        drop(first);
        assert!(!file.exists() && second.path().is_dir());
    }
}
