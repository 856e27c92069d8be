//! The bit stream that bitcode is written in: numbers, abbreviations, blocks and records.
//!
//! ```text
//!   block  = abbreviation width, length in words, entries, END_BLOCK, padding to 32 bits
//!   entry  = block | definition of an abbreviation | record
//!   record = code, operands: numbers of fixed or variable width, an array, or a blob
//! ```
//!
//! A [`Cursor`] never reads past the end of its bytes, and what it allocates is bounded by what it has read.

use super::codes::abbreviation::{self, encoding};
use super::codes::record::{block, blockinfo};
use std::rc::Rc;

/// The stream breaks a rule of its format at a bit.
#[derive(Debug)]
pub(super) struct Broken {
    /// Where, in bits from the start.
    pub bit: u64,
    /// What is wrong.
    pub what: &'static str,
}

type Step<T> = Result<T, Broken>;

/// An operand of an abbreviation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Operand {
    Literal(u64),
    Fixed(u32),
    Vbr(u32),
    Char6,
    Array,
    Blob,
}

/// The layout of a record.
#[derive(Debug)]
pub(super) struct Abbreviation(Vec<Operand>);

/// Abbreviations that blocks have from their start, by block.
#[derive(Clone, Default, Debug)]
pub(super) struct BlockAbbreviations(Vec<Vec<Rc<Abbreviation>>>);

/// Blocks with larger numbers have no abbreviations of their own; LLVM has 27 blocks.
const MAX_BLOCK: u32 = 1024;
/// Blocks nest so deeply at most; those of LLVM nest four deep.
const MAX_DEPTH: usize = 64;

/// A block that is being read.
#[derive(Debug)]
struct Open {
    width: u32,
    abbreviations: Vec<Rc<Abbreviation>>,
}

/// What comes next in a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Entry {
    /// The end of the block, or of the stream outside of all blocks.
    End,
    /// A block: [`Cursor::enter`] or [`Cursor::skip`] it.
    Block(u32),
    /// A record, now in [`Cursor::ops`].
    Record(u32),
}

/// A place in a bit stream, and the record that was read last.
#[derive(Debug)]
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    bit: u64,
    end: u64,
    open: Vec<Open>,
    /// The operands of the last record.
    pub ops: Vec<u64>,
    /// The bytes of the blob of the last record.
    pub blob: &'a [u8],
    /// Where the last entry starts.
    pub start: u64,
    pub abbreviations: BlockAbbreviations,
}

impl<'a> Cursor<'a> {
    /// A cursor at the start of bytes, outside of all blocks.
    pub fn new(bytes: &'a [u8]) -> Cursor<'a> {
        Cursor {
            bytes,
            bit: 0,
            end: bytes.len() as u64 * 8,
            open: Vec::new(),
            ops: Vec::new(),
            blob: &[],
            start: 0,
            abbreviations: BlockAbbreviations::default(),
        }
    }

    /// Where the cursor is, in bits.
    pub fn bit(&self) -> u64 {
        self.bit
    }

    /// How many bits are left.
    pub fn left(&self) -> u64 {
        self.end - self.bit
    }

    /// Goes to a bit, outside of all blocks.
    pub fn seek(&mut self, bit: u64) {
        self.bit = bit.min(self.end);
        self.open.clear();
    }

    fn broken<T>(&self, what: &'static str) -> Step<T> {
        Err(Broken {
            bit: self.bit,
            what,
        })
    }

    /// The next bits of the file, 57 at least, and how many they are; none where the file ends sooner.
    #[inline(always)]
    fn window(&self) -> Option<(u64, u32)> {
        let byte = (self.bit / 8) as usize;
        let shift = (self.bit % 8) as u32;
        let word = self.bytes.get(byte..)?.first_chunk::<8>()?;
        Some((u64::from_le_bytes(*word) >> shift, 64 - shift))
    }

    /// A number of up to 64 bits.
    #[inline(always)]
    pub fn fixed(&mut self, width: u32) -> Step<u64> {
        match self.window() {
            Some((bits, count)) if width <= count && width != 0 => {
                self.bit += u64::from(width);
                Ok(bits & (u64::MAX >> (64 - width)))
            }
            _ => self.fixed_slowly(width),
        }
    }

    /// A number that is wide, or near the end of the file.
    #[cold]
    fn fixed_slowly(&mut self, width: u32) -> Step<u64> {
        if self.end - self.bit < u64::from(width) {
            return self.broken("the file ends in the middle of a number");
        }
        if width == 0 {
            return Ok(0);
        }
        let byte = (self.bit / 8) as usize;
        let shift = (self.bit % 8) as u32;
        let mut word = [0; 16];
        let rest = &self.bytes[byte..];
        let len = rest.len().min(word.len());
        word[..len].copy_from_slice(&rest[..len]);
        let number = (u128::from_le_bytes(word) >> shift) as u64;
        self.bit += u64::from(width);
        Ok(number & (u64::MAX >> (64 - width)))
    }

    /// A number in chunks of a width; the highest bit of a chunk says that another follows.
    #[inline(always)]
    pub fn vbr(&mut self, width: u32) -> Step<u64> {
        let more = 1u64 << (width - 1);
        if let Some((bits, _)) = self.window() {
            if bits & more == 0 {
                self.bit += u64::from(width);
                return Ok(bits & (more - 1));
            }
            let second = bits >> width;
            // Two chunks are in the window if a chunk has 28 bits at most.
            if second & more == 0 && width <= 28 {
                self.bit += u64::from(width) * 2;
                return Ok(bits & (more - 1) | (second & (more - 1)) << (width - 1));
            }
        }
        self.long_vbr(width)
    }

    /// A number in any number of chunks.
    #[inline(never)]
    fn long_vbr(&mut self, width: u32) -> Step<u64> {
        let more = 1u64 << (width - 1);
        if let Some((mut bits, count)) = self.window() {
            let mut number = 0;
            for chunk in 0..count / width {
                number |= (bits & (more - 1)) << (chunk * (width - 1));
                if bits & more == 0 {
                    self.bit += u64::from((chunk + 1) * width);
                    return Ok(number);
                }
                bits >>= width;
            }
        }
        let mut number = 0;
        let mut shift = 0;
        loop {
            let chunk = self.fixed(width)?;
            let value = chunk & (more - 1);
            if shift >= 64 {
                if value != 0 {
                    return self.broken("a number has more than 64 bits");
                }
            } else {
                number |= value << shift;
            }
            if chunk & more == 0 {
                return Ok(number);
            }
            shift = u32::saturating_add(shift, width - 1);
        }
    }

    /// Goes to the next boundary of 32 bits.
    fn align(&mut self) -> Step<()> {
        let aligned = self.bit.next_multiple_of(32);
        if aligned > self.end {
            return self.broken("the file ends before the padding of a block");
        }
        self.bit = aligned;
        Ok(())
    }

    /// The next entry of the block.
    pub fn next(&mut self) -> Step<Entry> {
        loop {
            self.start = self.bit;
            let width = match self.open.last() {
                Some(open) => open.width,
                // Files are padded with zeros to a multiple of four bytes, and may have more after them.
                None if self.end - self.bit < 32 => return Ok(Entry::End),
                None => super::codes::TOP_ABBREVIATION_WIDTH,
            };
            let id = self.fixed(width)?;
            match id {
                abbreviation::END_BLOCK => {
                    if self.open.is_empty() {
                        return self.broken("a block ends outside of all blocks");
                    }
                    self.align()?;
                    self.open.pop();
                    return Ok(Entry::End);
                }
                abbreviation::ENTER_SUBBLOCK => {
                    let id = self.vbr(8)?;
                    return match u32::try_from(id) {
                        Ok(id) => Ok(Entry::Block(id)),
                        Err(_) => self.broken("the number of a block is too large"),
                    };
                }
                abbreviation::DEFINE_ABBREV => {
                    let abbreviation = self.definition()?;
                    match self.open.last_mut() {
                        Some(open) => open.abbreviations.push(Rc::new(abbreviation)),
                        None => {
                            return self.broken("an abbreviation is defined outside of all blocks");
                        }
                    }
                }
                abbreviation::UNABBREV_RECORD => return self.unabbreviated(),
                _ => return self.abbreviated(id),
            }
        }
    }

    /// Enters the block that [`next`](Cursor::next) found.
    pub fn enter(&mut self, id: u32) -> Step<()> {
        let width = self.vbr(4)?;
        self.align()?;
        let words = self.fixed(32)?;
        if !(2..=32).contains(&width) {
            return self.broken("the abbreviation width of a block is not from 2 to 32");
        }
        if self.end - self.bit < words * 32 {
            return self.broken("a block is longer than the file");
        }
        if self.open.len() >= MAX_DEPTH {
            return self.broken("blocks nest too deeply");
        }
        let abbreviations = self.abbreviations.0.get(id as usize);
        self.open.push(Open {
            width: width as u32,
            abbreviations: abbreviations.cloned().unwrap_or_default(),
        });
        Ok(())
    }

    /// Skips the block that [`next`](Cursor::next) found.
    pub fn skip(&mut self) -> Step<()> {
        self.vbr(4)?;
        self.align()?;
        let words = self.fixed(32)?;
        if self.end - self.bit < words * 32 {
            return self.broken("a block is longer than the file");
        }
        self.bit += words * 32;
        Ok(())
    }

    fn unabbreviated(&mut self) -> Step<Entry> {
        let code = self.vbr(6)?;
        let count = self.vbr(6)?;
        self.check_count(count, 6)?;
        self.ops.clear();
        self.blob = &[];
        self.vbr_list(count as usize, 6)?;
        self.record(code)
    }

    /// Numbers in chunks of a width, as operands. Nearly all of what a file holds is read here, so the position is kept
    /// in a register as long as numbers are short.
    fn vbr_list(&mut self, count: usize, width: u32) -> Step<()> {
        let more = 1u64 << (width - 1);
        let bytes = self.bytes;
        let mut left = count;
        self.ops.reserve(count);
        while left > 0 {
            let mut bit = self.bit;
            let ops = (0..left).map_while(|_| {
                let word = bytes.get((bit / 8) as usize..)?.first_chunk::<8>()?;
                let bits = u64::from_le_bytes(*word) >> (bit % 8);
                if bits & more == 0 {
                    bit += u64::from(width);
                    return Some(bits & (more - 1));
                }
                let second = bits >> width;
                // Two chunks are in the 57 bits that there are at least if a chunk has 28 bits at most.
                if second & more != 0 || width > 28 {
                    return None;
                }
                bit += u64::from(width) * 2;
                Some(bits & (more - 1) | (second & (more - 1)) << (width - 1))
            });
            let before = self.ops.len();
            self.ops.extend(ops);
            left -= self.ops.len() - before;
            self.bit = bit;
            if left > 0 {
                let op = self.long_vbr(width)?;
                self.ops.push(op);
                left -= 1;
            }
        }
        Ok(())
    }

    /// Whether so many elements of so many bits each can follow.
    fn check_count(&self, count: u64, width: u32) -> Step<()> {
        if count > (self.end - self.bit) / u64::from(width.max(1)) {
            return self.broken("a list is longer than the file");
        }
        Ok(())
    }

    fn record(&mut self, code: u64) -> Step<Entry> {
        match u32::try_from(code) {
            Ok(code) => Ok(Entry::Record(code)),
            Err(_) => self.broken("the number of a record is too large"),
        }
    }

    fn abbreviated(&mut self, id: u64) -> Step<Entry> {
        let index = (id - abbreviation::FIRST_DEFINED) as usize;
        let open = self.open.last();
        let Some(layout) = open.and_then(|open| open.abbreviations.get(index)) else {
            return self.broken("an abbreviation is used that is not defined");
        };
        let layout = Rc::clone(layout);
        self.ops.clear();
        self.blob = &[];
        // The first is never a list.
        let Some((&first, rest)) = layout.0.split_first() else {
            return self.broken("a record has no number");
        };
        let code = self.scalar(first)?;
        let mut operands = rest.iter();
        while let Some(&operand) = operands.next() {
            match operand {
                Operand::Array => self.array(operands.next().copied())?,
                Operand::Blob => {
                    let len = self.vbr(6)?;
                    self.align()?;
                    self.check_count(len, 8)?;
                    let from = (self.bit / 8) as usize;
                    self.blob = &self.bytes[from..from + len as usize];
                    self.bit += len * 8;
                    self.align()?;
                }
                scalar => {
                    let number = self.scalar(scalar)?;
                    self.ops.push(number);
                }
            }
        }
        self.record(code)
    }

    /// The elements of a list.
    fn array(&mut self, element: Option<Operand>) -> Step<()> {
        let count = self.vbr(6)?;
        match element {
            Some(Operand::Fixed(width)) => {
                self.check_count(count, width)?;
                self.ops.reserve(count as usize);
                for _ in 0..count {
                    let element = self.fixed(width)?;
                    self.ops.push(element);
                }
            }
            Some(Operand::Char6) => {
                self.check_count(count, 6)?;
                self.ops.reserve(count as usize);
                for _ in 0..count {
                    let element = self.fixed(6)?;
                    let letter = abbreviation::CHAR6[element as usize];
                    self.ops.push(u64::from(letter));
                }
            }
            Some(Operand::Vbr(width)) => {
                self.check_count(count, width)?;
                self.vbr_list(count as usize, width)?;
            }
            _ => return self.broken("an array has elements of no known encoding"),
        }
        Ok(())
    }

    #[inline(always)]
    fn scalar(&mut self, operand: Operand) -> Step<u64> {
        match operand {
            Operand::Literal(value) => Ok(value),
            Operand::Fixed(width) => self.fixed(width),
            Operand::Vbr(width) => self.vbr(width),
            Operand::Char6 => {
                let number = self.fixed(6)?;
                Ok(u64::from(abbreviation::CHAR6[number as usize]))
            }
            Operand::Array | Operand::Blob => self.broken("a list where a number must be"),
        }
    }

    /// The definition of an abbreviation.
    fn definition(&mut self) -> Step<Abbreviation> {
        let count = self.vbr(5)?;
        self.check_count(count, 1)?;
        let mut operands = Vec::new();
        for _ in 0..count {
            let literal = self.fixed(1)? == 1;
            if literal {
                operands.push(Operand::Literal(self.vbr(8)?));
                continue;
            }
            let kind = self.fixed(3)?;
            operands.push(match kind {
                encoding::FIXED | encoding::VBR => {
                    let width = self.vbr(5)?;
                    if width > 64 || kind == encoding::VBR && width == 1 {
                        return self.broken("an abbreviation has a number of no valid width");
                    }
                    match (kind, width) {
                        // A number without bits is zero.
                        (_, 0) => Operand::Literal(0),
                        (encoding::FIXED, width) => Operand::Fixed(width as u32),
                        (_, width) => Operand::Vbr(width.min(32) as u32),
                    }
                }
                encoding::ARRAY => Operand::Array,
                encoding::CHAR6 => Operand::Char6,
                encoding::BLOB => Operand::Blob,
                _ => return self.broken("an abbreviation has an unknown encoding"),
            });
        }
        let lists = operands
            .iter()
            .filter(|operand| matches!(operand, Operand::Array | Operand::Blob));
        let placed = match operands.as_slice() {
            [Operand::Array | Operand::Blob, ..] => false,
            [.., Operand::Array, _] | [.., Operand::Blob] => lists.count() == 1,
            _ => lists.count() == 0,
        };
        if !placed {
            return self.broken("an abbreviation has a list that is not its last operand");
        }
        Ok(Abbreviation(operands))
    }

    /// Reads the whole block of abbreviations for other blocks.
    pub fn block_info(&mut self) -> Step<()> {
        self.enter(block::BLOCKINFO)?;
        let mut current: Option<u32> = None;
        loop {
            self.start = self.bit;
            let width = self.open.last().map_or(2, |open| open.width);
            match self.fixed(width)? {
                abbreviation::END_BLOCK => {
                    self.align()?;
                    self.open.pop();
                    return Ok(());
                }
                abbreviation::ENTER_SUBBLOCK => {
                    self.vbr(8)?;
                    self.skip()?;
                }
                abbreviation::DEFINE_ABBREV => {
                    let abbreviation = self.definition()?;
                    let Some(block) = current else {
                        return self.broken("an abbreviation for no block");
                    };
                    let all = &mut self.abbreviations.0;
                    if all.len() <= block as usize {
                        all.resize(block as usize + 1, Vec::new());
                    }
                    all[block as usize].push(Rc::new(abbreviation));
                }
                abbreviation::UNABBREV_RECORD => {
                    if self.unabbreviated()? == Entry::Record(blockinfo::SETBID) {
                        current = match self.ops.first().map(|&id| u32::try_from(id)) {
                            Some(Ok(id)) if id <= MAX_BLOCK => Some(id),
                            _ => return self.broken("abbreviations for a block that is not known"),
                        };
                    }
                }
                _ => return self.broken("an abbreviation is used that is not defined"),
            }
        }
    }
}
