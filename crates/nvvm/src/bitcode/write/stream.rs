//! The bit stream: blocks, abbreviations and records, as bits.
//!
//! ```text
//!   'BC' C0DE │ ENTER block ── DEFINE abbreviation ── records ── END │ ENTER …
//! ```
//!
//! A stream is a sequence of little-endian words of 32 bits. A block starts and ends at a word and has its own width of
//! abbreviation numbers. A record is a code and numbers. It is written without an abbreviation (each number in chunks of 6
//! bits) or with one, which fixes how each number is written. [`Stream::record`] takes the first abbreviation of the block
//! that the numbers fit, so whoever writes a record does not choose one.

use crate::bitcode::codes::abbreviation::{
    CHAR6, DEFINE_ABBREV, END_BLOCK, ENTER_SUBBLOCK, FIRST_DEFINED, UNABBREV_RECORD, encoding,
};
use crate::bitcode::codes::record::{block, blockinfo};
use crate::bitcode::codes::{MAGIC, TOP_ABBREVIATION_WIDTH};
use smallvec::SmallVec;
use std::rc::Rc;

/// How a part of a record is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// Not at all: it is always this number.
    Literal(u64),
    /// In so many bits, 32 at most.
    Fixed(u32),
    /// In chunks of so many bits, the highest of which says whether another one follows.
    Vbr(u32),
    /// The number of further numbers, then each of them as the next part has it.
    Array,
    /// One of `a`–`z`, `A`–`Z`, `0`–`9`, `.` and `_` in 6 bits.
    Char6,
    /// The number of bytes, then the bytes, from one word to another.
    Blob,
}

/// The parts of a record, the code first.
type Abbrev = SmallVec<[Part; 8]>;

/// The abbreviations of a block by their numbers.
type Abbrevs = SmallVec<[Rc<Abbrev>; 8]>;

/// A block that has not ended.
struct Open {
    /// How wide numbers of abbreviations are outside.
    outer_width: u32,
    /// Where the length of the block goes.
    length_at: usize,
    /// The abbreviations outside.
    outer_abbrevs: Abbrevs,
}

/// A bit stream under construction.
pub(super) struct Stream {
    bytes: Vec<u8>,
    /// Bits that do not fill a byte of `bytes` yet, the first one lowest.
    pending: u64,
    /// How many there are; less than 32 between two numbers.
    count: u32,
    width: u32,
    abbrevs: Abbrevs,
    open: Vec<Open>,
    /// Abbreviations that blocks start with.
    known: Rc<[(u32, Abbrevs)]>,
}

/// The 6 bits of a character, if it has such.
pub(super) fn char6(byte: u64) -> Option<u64> {
    const NONE: u8 = 64;
    const NUMBERS: [u8; 256] = {
        let mut numbers = [NONE; 256];
        let mut index = 0;
        while index < CHAR6.len() {
            numbers[CHAR6[index] as usize] = index as u8;
            index += 1;
        }
        numbers
    };
    match NUMBERS.get(usize::try_from(byte).ok()?) {
        Some(&number) if number != NONE => Some(u64::from(number)),
        _ => None,
    }
}

impl Stream {
    /// A stream with the magic number of bitcode.
    pub(super) fn new() -> Stream {
        Stream {
            bytes: MAGIC.to_vec(),
            ..Stream::without_magic()
        }
    }

    /// A stream that is part of another one.
    pub(super) fn without_magic() -> Stream {
        Stream {
            bytes: Vec::new(),
            pending: 0,
            count: 0,
            width: TOP_ABBREVIATION_WIDTH,
            abbrevs: Abbrevs::new(),
            open: Vec::new(),
            known: Rc::new([]),
        }
    }

    /// The bytes, filled up to a word.
    pub(super) fn finish(mut self) -> Vec<u8> {
        self.align();
        self.bytes
    }

    /// A number in so many bits, 32 at most.
    #[inline]
    fn fixed(&mut self, value: u64, bits: u32) {
        debug_assert!(bits <= 32 && (bits == 32 || value >> bits == 0));
        self.pending |= value << self.count;
        self.count += bits;
        if self.count >= 32 {
            self.bytes
                .extend_from_slice(&(self.pending as u32).to_le_bytes());
            self.pending >>= 32;
            self.count -= 32;
        }
    }

    /// A number in chunks.
    #[inline]
    pub(super) fn vbr(&mut self, mut value: u64, bits: u32) {
        let more = 1u64 << (bits - 1);
        while value >= more {
            self.fixed((value & (more - 1)) | more, bits);
            value >>= bits - 1;
        }
        self.fixed(value, bits);
    }

    /// Fills up to a word.
    pub(super) fn align(&mut self) {
        if self.count > 0 {
            self.fixed(0, 32 - self.count);
        }
    }

    /// Starts a block.
    pub(super) fn enter(&mut self, block: u32, width: u32) {
        self.fixed(ENTER_SUBBLOCK, self.width);
        self.vbr(u64::from(block), 8);
        self.vbr(u64::from(width), 4);
        self.align();
        let length_at = self.bytes.len();
        self.fixed(0, 32);
        let abbrevs = self.known_of(block);
        self.open.push(Open {
            outer_width: std::mem::replace(&mut self.width, width),
            length_at,
            outer_abbrevs: std::mem::replace(&mut self.abbrevs, abbrevs),
        });
    }

    /// Ends the block.
    pub(super) fn exit(&mut self) {
        self.fixed(END_BLOCK, self.width);
        self.align();
        let Some(block) = self.open.pop() else {
            debug_assert!(false, "no block is open");
            return;
        };
        let words = (self.bytes.len() - block.length_at) / 4 - 1;
        self.put_word(block.length_at, words as u32);
        self.width = block.outer_width;
        self.abbrevs = block.outer_abbrevs;
    }

    fn known_of(&self, block: u32) -> Abbrevs {
        let known = self.known.iter().find(|row| row.0 == block);
        known.map(|row| row.1.clone()).unwrap_or_default()
    }

    /// A stream for the contents of a block, to be given to [`insert`](Stream::insert) later.
    pub(super) fn inside(&self, block: u32, width: u32) -> Stream {
        Stream {
            width,
            abbrevs: self.known_of(block),
            known: Rc::clone(&self.known),
            ..Stream::without_magic()
        }
    }

    /// The contents of a block that was written apart.
    pub(super) fn contents(mut self) -> Vec<u8> {
        self.fixed(END_BLOCK, self.width);
        self.finish()
    }

    /// A block whose contents were written apart.
    pub(super) fn insert(&mut self, block: u32, width: u32, contents: &[u8]) {
        self.fixed(ENTER_SUBBLOCK, self.width);
        self.vbr(u64::from(block), 8);
        self.vbr(u64::from(width), 4);
        self.align();
        self.fixed(contents.len() as u64 / 4, 32);
        self.bytes.extend_from_slice(contents);
    }

    /// Appends what was written apart, in the same block.
    pub(super) fn append(&mut self, part: Stream) {
        let whole = part.bytes.chunks_exact(4);
        for word in whole {
            let word = word.try_into().map_or(0, u32::from_le_bytes);
            self.fixed(u64::from(word), 32);
        }
        if part.count > 0 {
            self.fixed(part.pending, part.count);
        }
    }

    /// The word at which the contents of the next block start, less the one with their length.
    pub(super) fn next_block_word(&self) -> u64 {
        self.bits().div_ceil(32) as u64
    }

    /// Replaces the word at a byte.
    fn put_word(&mut self, at: usize, word: u32) {
        self.bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
    }

    /// How many bits there are.
    pub(super) fn bits(&self) -> usize {
        self.bytes.len() * 8 + self.count as usize
    }

    /// Replaces the 32 bits at a bit, which are zero.
    pub(super) fn put_bits(&mut self, at: usize, word: u32) {
        let bytes = (u64::from(word) << (at % 8)).to_le_bytes();
        for (to, from) in self.bytes[at / 8..].iter_mut().zip(bytes).take(5) {
            *to |= from;
        }
    }

    /// Defines an abbreviation of the block.
    pub(super) fn define(&mut self, parts: &[Part]) {
        let abbrev = self.definition(parts);
        self.abbrevs.push(abbrev);
    }

    fn definition(&mut self, parts: &[Part]) -> Rc<Abbrev> {
        self.fixed(DEFINE_ABBREV, self.width);
        self.vbr(parts.len() as u64, 5);
        for part in parts {
            let (code, value) = match *part {
                Part::Literal(value) => {
                    self.fixed(1, 1);
                    self.vbr(value, 8);
                    continue;
                }
                // Nothing is written in no bits.
                Part::Fixed(0) | Part::Vbr(0) => {
                    self.fixed(1, 1);
                    self.vbr(0, 8);
                    continue;
                }
                Part::Fixed(bits) => (encoding::FIXED, Some(bits)),
                Part::Vbr(bits) => (encoding::VBR, Some(bits)),
                Part::Array => (encoding::ARRAY, None),
                Part::Char6 => (encoding::CHAR6, None),
                Part::Blob => (encoding::BLOB, None),
            };
            self.fixed(0, 1);
            self.fixed(code, 3);
            if let Some(bits) = value {
                self.vbr(u64::from(bits), 5);
            }
        }
        Rc::new(parts.iter().copied().collect())
    }

    /// Writes the block that defines abbreviations of others: each with the block it is for. Those of one block follow
    /// each other.
    pub(super) fn block_info(&mut self, abbrevs: &[(u32, &[Part])]) {
        let mut known: Vec<(u32, Abbrevs)> = Vec::new();
        self.enter(block::BLOCKINFO, 2);
        for &(block, parts) in abbrevs {
            if known.last().is_none_or(|row| row.0 != block) {
                known.push((block, Abbrevs::new()));
                self.record(blockinfo::SETBID, &[u64::from(block)]);
            }
            let abbrev = self.definition(parts);
            if let Some(row) = known.last_mut() {
                row.1.push(abbrev);
            }
        }
        self.exit();
        self.known = known.into();
    }

    /// Writes a record, with the first abbreviation that it fits.
    pub(super) fn record(&mut self, code: u32, values: &[u64]) {
        let code = u64::from(code);
        let fitting = self.abbrevs.iter().position(|abbrev| {
            abbrev.first() == Some(&Part::Literal(code)) && fits(&abbrev[1..], values)
        });
        match fitting {
            Some(index) => {
                let abbrev = Rc::clone(&self.abbrevs[index]);
                self.fixed(FIRST_DEFINED + index as u64, self.width);
                self.abbreviated(&abbrev[1..], values);
            }
            None => {
                self.fixed(UNABBREV_RECORD, self.width);
                self.vbr(code, 6);
                self.vbr(values.len() as u64, 6);
                for &value in values {
                    self.vbr(value, 6);
                }
            }
        }
    }

    fn abbreviated(&mut self, parts: &[Part], values: &[u64]) {
        let mut values = values.iter();
        let mut parts = parts.iter();
        while let Some(&part) = parts.next() {
            if part == Part::Array {
                let element = parts.next().copied().unwrap_or(Part::Vbr(6));
                self.vbr(values.len() as u64, 6);
                for &value in values.by_ref() {
                    self.part(element, value);
                }
            } else if let Some(&value) = values.next() {
                self.part(part, value);
            }
        }
    }

    #[inline]
    fn part(&mut self, part: Part, value: u64) {
        match part {
            Part::Fixed(bits) if bits > 0 => self.fixed(value, bits),
            Part::Vbr(bits) if bits > 0 => self.vbr(value, bits),
            Part::Char6 => self.fixed(char6(value).unwrap_or(0), 6),
            _ => {}
        }
    }

    /// Writes a record that ends in bytes. The block has an abbreviation of that form.
    pub(super) fn blob(&mut self, code: u32, values: &[u64], bytes: &[u8]) {
        let code = u64::from(code);
        let index = self.abbrevs.iter().position(|abbrev| {
            abbrev.first() == Some(&Part::Literal(code))
                && abbrev.last() == Some(&Part::Blob)
                && abbrev.len() == values.len() + 2
        });
        let Some(index) = index else {
            debug_assert!(false, "no abbreviation has bytes");
            return;
        };
        let abbrev = Rc::clone(&self.abbrevs[index]);
        self.fixed(FIRST_DEFINED + index as u64, self.width);
        self.abbreviated(&abbrev[1..abbrev.len() - 1], values);
        self.vbr(bytes.len() as u64, 6);
        self.align();
        self.bytes.extend_from_slice(bytes);
        while !self.bytes.len().is_multiple_of(4) {
            self.bytes.push(0);
        }
    }
}

/// Whether numbers can be written as the parts of an abbreviation have it.
fn fits(parts: &[Part], values: &[u64]) -> bool {
    let mut rest = values;
    for (index, &part) in parts.iter().enumerate() {
        if part == Part::Array {
            let element = parts.get(index + 1).copied().unwrap_or(Part::Vbr(6));
            return rest.iter().all(|&value| fits_part(element, value));
        }
        let Some((&value, after)) = rest.split_first() else {
            return false;
        };
        if !fits_part(part, value) {
            return false;
        }
        rest = after;
    }
    rest.is_empty()
}

#[inline]
fn fits_part(part: Part, value: u64) -> bool {
    match part {
        Part::Literal(literal) => value == literal,
        Part::Fixed(bits) => value >> bits == 0,
        Part::Vbr(bits) => bits > 0 || value == 0,
        Part::Char6 => char6(value).is_some(),
        Part::Array | Part::Blob => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bits of bytes, the lowest first.
    fn bits(bytes: &[u8]) -> String {
        let bits = bytes
            .iter()
            .flat_map(|byte| (0..8).map(move |i| byte >> i & 1));
        bits.map(|bit| if bit == 0 { '0' } else { '1' }).collect()
    }

    #[test]
    fn numbers_in_chunks() {
        let mut stream = Stream::without_magic();
        // 27 is 011 011: the low chunk first, with the mark that another follows.
        stream.vbr(27, 4);
        assert!(bits(&stream.finish()).starts_with("11011100"));
        let mut stream = Stream::without_magic();
        stream.vbr(u64::MAX, 6);
        assert_eq!(stream.finish().len(), 12);
    }

    #[test]
    fn blocks_know_their_length() {
        let mut stream = Stream::new();
        stream.enter(8, 3);
        stream.record(1, &[2]);
        stream.exit();
        let bytes = stream.finish();
        assert_eq!(&bytes[..4], b"BC\xC0\xDE");
        // ENTER (2 bits), block (8), width (4): one word; then the length of what follows.
        let length = u32::from_le_bytes(bytes[8..12].try_into().unwrap());
        assert_eq!(length as usize, (bytes.len() - 12) / 4);
    }

    #[test]
    fn the_first_abbreviation_that_fits_is_taken() {
        let size = |text: &[u8]| {
            let mut stream = Stream::without_magic();
            stream.enter(14, 4);
            stream.define(&[Part::Literal(1), Part::Array, Part::Char6]);
            stream.define(&[Part::Literal(1), Part::Array, Part::Fixed(7)]);
            let values: Vec<u64> = text.iter().map(|&byte| u64::from(byte)).collect();
            stream.record(1, &values);
            stream.exit();
            stream.finish().len()
        };
        let (six, seven, plain) = (size(&[b'a'; 64]), size(&[b'-'; 64]), size(&[0xC0; 64]));
        assert!(six < seven && seven < plain, "{six} {seven} {plain}");
        assert!(fits(&[Part::Fixed(3), Part::Vbr(6)], &[7, 1 << 40]));
        assert!(!fits(&[Part::Fixed(3)], &[8]));
        assert!(!fits(&[Part::Fixed(3)], &[1, 1]));
    }

    #[test]
    fn bytes_start_and_end_at_words() {
        let mut stream = Stream::without_magic();
        stream.enter(23, 3);
        stream.define(&[Part::Literal(1), Part::Blob]);
        stream.blob(1, &[], b"hello");
        stream.exit();
        let bytes = stream.finish();
        let at = bytes.windows(5).position(|window| window == b"hello");
        assert!(at.unwrap().is_multiple_of(4));
        assert!(bytes.len().is_multiple_of(4));
    }
}
