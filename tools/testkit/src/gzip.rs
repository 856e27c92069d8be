//! Compressed data: nearly all that is recorded under `tests/` is gzip.

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use std::io::{self, Read, Write};
use std::path::Path;

/// Compresses bytes as well as gzip can. The result depends on the bytes alone (no name, no time).
pub fn pack(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    let mut out = GzEncoder::new(Vec::new(), Compression::best());
    out.write_all(bytes.as_ref())
        .and_then(|()| out.finish())
        .expect("a vector takes all that is written to it")
}

/// The bytes that were compressed.
pub fn unpack(packed: &[u8]) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    GzDecoder::new(packed).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The text that was compressed.
pub fn unpack_text(packed: &[u8]) -> io::Result<String> {
    let mut text = String::new();
    GzDecoder::new(packed).read_to_string(&mut text)?;
    Ok(text)
}

/// The bytes of a file, unpacked if its name ends in `.gz`.
pub fn load(path: &Path) -> io::Result<Vec<u8>> {
    let bytes = std::fs::read(path)?;
    match path.extension().is_some_and(|ending| ending == "gz") {
        true => unpack(&bytes),
        false => Ok(bytes),
    }
}

/// The bytes of a file of the project, unpacked if its name ends in `.gz`.
///
/// # Panics
/// If the file is missing or damaged.
pub fn read(path: impl AsRef<Path>) -> Vec<u8> {
    let path = path.as_ref();
    load(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The text of a file of the project, unpacked if its name ends in `.gz`.
///
/// # Panics
/// If the file is missing, damaged or not UTF-8.
pub fn read_text(path: impl AsRef<Path>) -> String {
    let path = path.as_ref();
    String::from_utf8(read(path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Folder;

    #[test]
    fn data_come_back() {
        let text = "abc".repeat(1000);
        let packed = pack(&text);
        assert!(packed.len() < 100);
        assert_eq!(unpack_text(&packed).ok(), Some(text.clone()));
        assert_eq!(unpack(&packed).ok(), Some(text.into_bytes()));
        assert!(unpack(&packed[..packed.len() - 1]).is_err());
        assert!(unpack_text(&pack([0xff])).is_err());
    }

    #[test]
    fn the_ending_of_the_name_decides() {
        let folder = Folder::new("gzip");
        let packed = folder.file("a.txt.gz", pack("text"));
        let plain = folder.file("a.txt", "text");
        assert_eq!(
            (read_text(packed), read_text(plain)),
            ("text".into(), "text".into())
        );
    }
}
