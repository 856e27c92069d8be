//! What the hardware answered, as a file: compressed, the forms one after the other.
//!
//! ```text
//!   text, digests of the tiles, the tiles or nothing: each as its length in bytes and the bytes
//! ```

use std::io::{self, Read, Write};
use warpc_testkit::gzip;
use warpc_testkit::hash::fnv1a;

/// The answers for one form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The form's text.
    pub text: String,
    /// A digest of each tile.
    pub digests: Vec<u64>,
    /// The tiles themselves, one after the other, or nothing: where the emulator gives the same,
    /// digests are enough.
    pub bytes: Vec<u8>,
}

impl Answer {
    /// The answer that so many bytes are.
    pub fn new(text: &str, bytes: Vec<u8>, tiles: usize) -> Answer {
        let length = bytes.len() / tiles;
        Answer {
            text: text.into(),
            digests: bytes.chunks_exact(length).map(digest).collect(),
            bytes,
        }
    }

    /// The tiles, if they are there.
    pub fn tiles(&self) -> impl Iterator<Item = &[u8]> {
        let length = self.bytes.len() / self.digests.len().max(1);
        self.bytes.chunks_exact(length.max(1))
    }
}

/// A digest of a tile: FNV-1a, the same everywhere.
pub fn digest(tile: &[u8]) -> u64 {
    fnv1a(tile)
}

/// Writes answers.
pub fn write(answers: &[Answer]) -> io::Result<Vec<u8>> {
    let mut out = Vec::new();
    for answer in answers {
        let digests: Vec<u8> = answer
            .digests
            .iter()
            .flat_map(|d| d.to_le_bytes())
            .collect();
        for block in [answer.text.as_bytes(), &digests, &answer.bytes] {
            out.write_all(&(block.len() as u32).to_le_bytes())?;
            out.write_all(block)?;
        }
    }
    Ok(gzip::pack(out))
}

/// Reads answers back.
pub fn read(file: &[u8]) -> io::Result<Vec<Answer>> {
    let bytes = gzip::unpack(file)?;
    let mut rest = &bytes[..];
    let mut answers = Vec::new();
    while !rest.is_empty() {
        let text = String::from_utf8(block(&mut rest)?.to_vec()).map_err(io::Error::other)?;
        let digests = block(&mut rest)?.as_chunks().0.iter();
        answers.push(Answer {
            text,
            digests: digests.map(|bytes| u64::from_le_bytes(*bytes)).collect(),
            bytes: block(&mut rest)?.to_vec(),
        });
    }
    Ok(answers)
}

fn block<'a>(rest: &mut &'a [u8]) -> io::Result<&'a [u8]> {
    let mut length = [0; 4];
    rest.read_exact(&mut length)?;
    let length = u32::from_le_bytes(length) as usize;
    let (block, after) = rest
        .split_at_checked(length)
        .ok_or(io::ErrorKind::UnexpectedEof)?;
    *rest = after;
    Ok(block)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        let mut answers = [
            Answer::new("mma {%d0}", (0..48).collect(), 3),
            Answer::new("movmatrix", vec![7; 16], 2),
        ];
        answers[1].bytes.clear();
        let file = write(&answers).unwrap();
        assert_eq!(read(&file).unwrap(), answers);
        assert!(read(&file[..file.len() - 9]).is_err());
        assert_eq!(answers[0].tiles().count(), 3);
    }
}
