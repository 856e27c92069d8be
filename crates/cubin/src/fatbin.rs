//! Fatbins: several cubins and PTX texts in one file, plain or compressed.
//!
//! A header of 16 bytes (mark, version, its own size, the size of what follows), then entries: a header with its
//! size, the payload's size, the chip and flags, then the payload. Several such files may stand one after another,
//! as the linker leaves them in `.nv_fatbin`.

use crate::host;
use crate::lz4;
use crate::read::Fault;
use std::borrow::Cow;
use std::fmt;
use std::io::Read;
use warpc_diag::codes;

/// The mark that a fatbin starts with.
pub const MARK: [u8; 4] = [0x50, 0xed, 0x55, 0xba];

/// What an entry holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// PTX text.
    Ptx,
    /// A cubin.
    Cubin,
    /// Something else, by its number.
    Other(u16),
}

/// How the payload is compressed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compression {
    /// Not at all.
    None,
    /// LZ4 blocks, by toolkits up to 12.3 and with `--compress-mode=speed`.
    Lz4,
    /// zstd.
    Zstd,
}

/// An entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry<'a> {
    /// What it holds.
    pub kind: Kind,
    /// The number of the chip.
    pub chip: u32,
    /// Whether it is for `sm_90a` or its like.
    pub accelerated: bool,
    /// The version: of PTX, or of the cubin's format.
    pub version: (u16, u16),
    /// All flags.
    pub flags: u64,
    /// How the payload is compressed.
    pub compression: Compression,
    /// The name of the source, where it was kept.
    pub name: Cow<'a, str>,
    /// The payload as it lies in the file.
    pub payload: &'a [u8],
    /// How long the payload is when unpacked.
    pub size: u64,
}

const COMPRESSED_LZ4: u64 = 0x2000;
const COMPRESSED_ZSTD: u64 = 0x8000;
const ACCELERATED: u64 = 0x10_0000;

/// The entries of a fatbin, of several one after another, or of those in an ELF file for the host.
pub fn read(bytes: &[u8]) -> Result<Vec<Entry<'_>>, Fault> {
    let mut entries = Vec::new();
    if host::is_host(bytes) {
        for fatbins in host::fatbins(bytes)? {
            read_into(fatbins, &mut entries)?;
        }
        return Ok(entries);
    }
    read_into(bytes, &mut entries)?;
    Ok(entries)
}

/// Adds the entries of fatbins one after another.
fn read_into<'a>(bytes: &'a [u8], entries: &mut Vec<Entry<'a>>) -> Result<(), Fault> {
    let mut rest = bytes;
    if !rest.starts_with(&MARK) {
        return Err(wrong("it does not start with the mark of a fatbin"));
    }
    while rest.starts_with(&MARK) {
        let head = rest
            .first_chunk::<16>()
            .ok_or_else(|| wrong("it ends inside its header"))?;
        let head_size = usize::from(u16::from_le_bytes([head[6], head[7]]));
        let size = u64_at(head, 8).and_then(|size| usize::try_from(size).ok());
        let body = size
            .and_then(|size| rest.get(head_size.max(16)..)?.split_at_checked(size))
            .ok_or_else(|| wrong("its size is larger than the file"))?;
        let (mut body, after) = body;
        while !body.is_empty() {
            let (entry, next) = entry(body).ok_or_else(|| {
                wrong(&format!(
                    "entry {} is cut or has impossible sizes",
                    entries.len()
                ))
            })?;
            entries.push(entry);
            body = next;
        }
        // Zeros pad one to the next.
        let zeros = after.iter().take_while(|&&byte| byte == 0).count();
        rest = &after[zeros..];
    }
    Ok(())
}

fn entry(bytes: &[u8]) -> Option<(Entry<'_>, &[u8])> {
    let head_size = u32_at(bytes, 4)? as usize;
    if head_size < 64 {
        return None;
    }
    let (head, rest) = bytes.split_at_checked(head_size)?;
    let stored = usize::try_from(u64_at(head, 8)?).ok()?;
    let (payload, after) = rest.split_at_checked(stored)?;
    let flags = u64_at(head, 40)?;
    let compression = match flags {
        flags if flags & COMPRESSED_LZ4 != 0 => Compression::Lz4,
        flags if flags & COMPRESSED_ZSTD != 0 => Compression::Zstd,
        _ => Compression::None,
    };
    let packed = u32_at(head, 16)? as usize;
    let (payload, size) = match compression {
        Compression::None => (payload, stored as u64),
        _ => (payload.get(..packed)?, u64_at(head, 56)?),
    };
    let (name_at, name_size) = (u32_at(head, 32)? as usize, u32_at(head, 36)? as usize);
    let name = name_at
        .checked_add(name_size)
        .and_then(|end| head.get(name_at..end))
        .unwrap_or_default();
    let entry = Entry {
        kind: match u16_at(head, 0)? {
            1 => Kind::Ptx,
            2 => Kind::Cubin,
            other => Kind::Other(other),
        },
        chip: u32_at(head, 28)?,
        accelerated: flags & ACCELERATED != 0,
        version: (u16_at(head, 26)?, u16_at(head, 24)?),
        flags,
        compression,
        name: String::from_utf8_lossy(name),
        payload,
        size,
    };
    Some((entry, after))
}

/// No payload is larger when unpacked; a damaged size must not eat all memory.
const LARGEST: u64 = 1 << 30;

/// What few bytes may claim to unpack to, and how much more for each byte.
const SMALL: u64 = 1 << 26;
const LARGEST_RATIO: u64 = 1 << 10;

impl Entry<'_> {
    /// The payload, unpacked.
    pub fn unpacked(&self) -> Result<Vec<u8>, Fault> {
        let most = (self.payload.len() as u64)
            .saturating_mul(LARGEST_RATIO)
            .max(SMALL);
        if self.size > most.min(LARGEST) {
            return Err(wrong(&format!(
                "{self} says that its {} bytes unpack to {}",
                self.payload.len(),
                self.size
            )));
        }
        let size = self.size as usize;
        let unpacked = match self.compression {
            Compression::None => Some(self.payload.to_vec()),
            Compression::Lz4 => lz4::unpack(self.payload, size),
            Compression::Zstd => zstd(self.payload, size),
        };
        let mut unpacked = unpacked
            .ok_or_else(|| wrong(&format!("the compressed bytes of {self} are damaged")))?;
        // Texts end in zeros: their own, and those that pad the entry.
        if self.kind == Kind::Ptx {
            let end = unpacked.iter().rposition(|&byte| byte != 0);
            unpacked.truncate(end.map_or(0, |last| last + 1));
        }
        Ok(unpacked)
    }

    /// A name for a file of its own, `sm_90a.cubin`.
    pub fn file_name(&self) -> String {
        let letter = if self.accelerated { "a" } else { "" };
        let ending = match self.kind {
            Kind::Ptx => "ptx",
            Kind::Cubin => "cubin",
            Kind::Other(_) => "bin",
        };
        format!("sm_{}{letter}.{ending}", self.chip)
    }
}

impl fmt::Display for Entry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = if self.accelerated { "a" } else { "" };
        let kind = match self.kind {
            Kind::Ptx => "PTX",
            Kind::Cubin => "cubin",
            Kind::Other(_) => "other",
        };
        write!(f, "{kind} for sm_{}{letter}", self.chip)
    }
}

fn zstd(payload: &[u8], size: usize) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let decoder = ruzstd::decoding::StreamingDecoder::new(payload).ok()?;
    // One byte more than wanted shows that the size was wrong.
    decoder.take(size as u64 + 1).read_to_end(&mut out).ok()?;
    (out.len() == size).then_some(out)
}

fn wrong(why: &str) -> Fault {
    Fault {
        code: codes::BAD_FATBIN,
        message: format!("the fatbin is wrong: {why}"),
        help: "the file was cut or damaged, or what made it is wrong; make it again",
    }
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}
