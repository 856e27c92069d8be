//! Entries of debug information, their abbreviations and bytes.

use super::section;
use crate::unit::Unit;
use rustc_hash::FxHashMap;
use warpc_ptx::inst::{At, Int};
use warpc_ptx::module::{Item, SectionLine};
use warpc_ptx::types::ScalarType;

/// An entry.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Entry(u32);

/// The value of an attribute, in the form that it is written in.
#[derive(Clone, Debug)]
pub enum Value {
    /// Bytes that end with zero.
    Text(Vec<u8>),
    /// True.
    Flag,
    /// A number, in as many bytes as it takes.
    Number(u64),
    /// A number of two bytes.
    Data2(u16),
    /// A number with a sign, in as many bytes as it takes.
    Signed(i64),
    /// A number without one.
    Unsigned(u64),
    /// The address of a label.
    Label(String),
    /// The address zero.
    NoAddress,
    /// Another entry of the same unit.
    Entry(Entry),
    /// A block of bytes and addresses.
    Block(Bytes),
    /// A place in a section.
    Offset(&'static str, u64),
}

/// Bytes with addresses between them.
#[derive(Clone, Debug, Default)]
pub struct Bytes(Vec<Piece>);

#[derive(Clone, Debug)]
enum Piece {
    Bytes(Vec<u8>),
    /// The address of something.
    Address(String),
}

impl Bytes {
    /// Adds bytes.
    pub fn bytes(mut self, bytes: &[u8]) -> Bytes {
        match self.0.last_mut() {
            Some(Piece::Bytes(last)) => last.extend_from_slice(bytes),
            _ => self.0.push(Piece::Bytes(bytes.to_vec())),
        }
        self
    }

    /// Adds a number of variable length.
    pub fn unsigned(self, number: u64) -> Bytes {
        self.bytes(&unsigned(number))
    }

    /// Adds an address of 8 bytes.
    pub fn address(mut self, name: &str) -> Bytes {
        self.0.push(Piece::Address(name.to_owned()));
        self
    }

    fn len(&self) -> u64 {
        let lengths = self.0.iter().map(|piece| match piece {
            Piece::Bytes(bytes) => bytes.len() as u64,
            Piece::Address(_) => 8,
        });
        lengths.sum()
    }
}

/// A number in groups of seven bits, the low ones first.
fn unsigned(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let low = (number & 0x7f) as u8;
        number >>= 7;
        if number == 0 {
            bytes.push(low);
            return bytes;
        }
        bytes.push(low | 0x80);
    }
}

/// A number with a sign in groups of seven bits.
pub fn signed(mut number: i64) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let low = (number & 0x7f) as u8;
        number >>= 7;
        let sign = low & 0x40 != 0;
        if (number == 0 && !sign) || (number == -1 && sign) {
            bytes.push(low);
            return bytes;
        }
        bytes.push(low | 0x80);
    }
}

#[derive(Debug)]
struct Data {
    tag: u16,
    attributes: Vec<(u16, Value)>,
    children: Vec<Entry>,
}

/// Entries in trees, one for each compilation unit.
#[derive(Debug, Default)]
pub struct Tree {
    entries: Vec<Data>,
    roots: Vec<Entry>,
    /// `.debug_loc`
    lists: Vec<SectionLine>,
    lists_len: u64,
}

/// A tag, whether there are children, attributes with their forms.
type Abbreviation = (u16, bool, Vec<(u16, u8)>);

impl Tree {
    /// A new entry, the last child of another one, or a root.
    pub fn add(&mut self, parent: Option<Entry>, tag: u16) -> Entry {
        let entry = Entry(self.entries.len() as u32);
        self.entries.push(Data {
            tag,
            attributes: Vec::new(),
            children: Vec::new(),
        });
        match parent {
            Some(parent) => self.entries[parent.0 as usize].children.push(entry),
            None => self.roots.push(entry),
        }
        entry
    }

    /// Gives an entry an attribute.
    pub fn put(&mut self, entry: Entry, attribute: u16, value: Value) {
        self.entries[entry.0 as usize]
            .attributes
            .push((attribute, value));
    }

    /// Gives an entry an attribute that is text. Text ends before a zero.
    pub fn string(&mut self, entry: Entry, attribute: u16, text: &[u8]) {
        let text = text.split(|&byte| byte == 0).next().unwrap_or_default();
        self.put(entry, attribute, Value::Text(text.to_vec()));
    }

    /// Adds a list of locations; where it starts in `.debug_loc`.
    pub fn list(&mut self, unit: &mut Unit, list: &[(String, String, Bytes)]) -> u64 {
        let start = self.lists_len;
        for (from, to, place) in list {
            let mut out = Writer::new(unit, &mut self.lists);
            out.address(from);
            out.address(to);
            let len = place.len();
            out.bytes(&(len as u16).to_le_bytes());
            out.pieces(place);
            out.flush();
            self.lists_len += 18 + len;
        }
        let mut out = Writer::new(unit, &mut self.lists);
        out.zero_address();
        out.zero_address();
        self.lists_len += 16;
        start
    }

    /// The sections.
    pub fn sections(mut self, unit: &mut Unit) -> Vec<Item> {
        let mut abbreviations: FxHashMap<Abbreviation, u64> = FxHashMap::default();
        let mut in_order: Vec<Abbreviation> = Vec::new();
        let codes: Vec<u64> = self
            .entries
            .iter()
            .map(|data| {
                let forms = data
                    .attributes
                    .iter()
                    .map(|(name, value)| (*name, form(value)));
                let key = (data.tag, !data.children.is_empty(), forms.collect());
                *abbreviations.entry(key).or_insert_with_key(|key| {
                    in_order.push(key.clone());
                    in_order.len() as u64
                })
            })
            .collect();
        let mut offsets = vec![0; self.entries.len()];
        let mut info = Vec::new();
        for root in std::mem::take(&mut self.roots) {
            // The length, the version, where abbreviations start, the size of addresses.
            let length = self.lay_out(root, 11, &codes, &mut offsets);
            let mut out = Writer::new(unit, &mut info);
            out.word(length - 4);
            out.bytes(&2u16.to_le_bytes());
            out.offset(".debug_abbrev", 0);
            out.bytes(&[8]);
            out.flush();
            self.write(&mut out, root, &codes, &offsets);
            out.flush();
        }
        let mut abbrev = Vec::new();
        let mut out = Writer::new(unit, &mut abbrev);
        for (code, (tag, children, attributes)) in in_order.iter().enumerate() {
            out.bytes(&unsigned(code as u64 + 1));
            out.bytes(&unsigned(u64::from(*tag)));
            out.bytes(&[u8::from(*children)]);
            for (name, form) in attributes {
                out.bytes(&unsigned(u64::from(*name)));
                out.bytes(&[*form]);
            }
            out.bytes(&[0, 0]);
            out.flush();
        }
        out.bytes(&[0]);
        out.flush();
        let mut sections = Vec::new();
        if !self.lists.is_empty() {
            sections.push(section(".debug_loc", self.lists));
        }
        sections.push(section(".debug_abbrev", abbrev));
        sections.push(section(".debug_info", info));
        sections
    }

    /// Gives an entry and what it has in it their places; where the next one starts.
    fn lay_out(&self, root: Entry, start: u64, codes: &[u64], offsets: &mut [u64]) -> u64 {
        let mut at = start;
        let mut work = vec![Step::Enter(root)];
        while let Some(step) = work.pop() {
            match step {
                Step::Leave => at += 1,
                Step::Enter(entry) => {
                    let index = entry.0 as usize;
                    let data = &self.entries[index];
                    offsets[index] = at;
                    at += unsigned(codes[index]).len() as u64;
                    at += data
                        .attributes
                        .iter()
                        .map(|(_, value)| len(value))
                        .sum::<u64>();
                    follow(data, &mut work);
                }
            }
        }
        at
    }

    fn write(&self, out: &mut Writer, root: Entry, codes: &[u64], offsets: &[u64]) {
        let mut work = vec![Step::Enter(root)];
        while let Some(step) = work.pop() {
            match step {
                Step::Leave => out.bytes(&[0]),
                Step::Enter(entry) => {
                    let index = entry.0 as usize;
                    let data = &self.entries[index];
                    out.flush();
                    out.bytes(&unsigned(codes[index]));
                    for (_, value) in &data.attributes {
                        out.value(value, offsets);
                    }
                    follow(data, &mut work);
                }
            }
        }
    }
}

enum Step {
    Enter(Entry),
    /// The zero after the last child.
    Leave,
}

fn follow(data: &Data, work: &mut Vec<Step>) {
    if !data.children.is_empty() {
        work.push(Step::Leave);
        work.extend(data.children.iter().rev().map(|&child| Step::Enter(child)));
    }
}

/// The number of the form of a value.
fn form(value: &Value) -> u8 {
    match value {
        Value::Text(_) => 0x08,
        Value::Flag => 0x0c,
        Value::Number(number) => match number {
            0..=0xff => 0x0b,
            0x100..=0xffff => 0x05,
            0x1_0000..=0xffff_ffff => 0x06,
            _ => 0x07,
        },
        Value::Data2(_) => 0x05,
        Value::Signed(_) => 0x0d,
        Value::Unsigned(_) => 0x0f,
        Value::Label(_) | Value::NoAddress => 0x01,
        Value::Entry(_) => 0x13,
        Value::Block(bytes) if bytes.len() < 256 => 0x0a,
        Value::Block(_) => 0x04,
        Value::Offset(..) => 0x06,
    }
}

/// How many bytes a value takes.
fn len(value: &Value) -> u64 {
    match value {
        Value::Text(text) => text.len() as u64 + 1,
        Value::Flag => 1,
        Value::Number(_) => match form(value) {
            0x0b => 1,
            0x05 => 2,
            0x06 => 4,
            _ => 8,
        },
        Value::Data2(_) => 2,
        Value::Signed(number) => signed(*number).len() as u64,
        Value::Unsigned(number) => unsigned(*number).len() as u64,
        Value::Label(_) | Value::NoAddress => 8,
        Value::Entry(_) | Value::Offset(..) => 4,
        Value::Block(bytes) => bytes.len() + if bytes.len() < 256 { 1 } else { 4 },
    }
}

/// How many numbers stand on a line.
const PER_LINE: usize = 16;

/// Writes lines of a section.
struct Writer<'u, 'm, 'o> {
    unit: &'u mut Unit<'m>,
    lines: &'o mut Vec<SectionLine>,
    bytes: Vec<u8>,
}

impl<'u, 'm, 'o> Writer<'u, 'm, 'o> {
    fn new(unit: &'u mut Unit<'m>, lines: &'o mut Vec<SectionLine>) -> Writer<'u, 'm, 'o> {
        Writer {
            unit,
            lines,
            bytes: Vec::new(),
        }
    }

    fn flush(&mut self) {
        for bytes in self.bytes.chunks(PER_LINE) {
            let numbers = bytes.iter().map(|&byte| Int::signed(i64::from(byte)));
            let numbers = numbers.collect();
            self.lines
                .push(SectionLine::Numbers(ScalarType::B8, numbers, At::default()));
        }
        self.bytes.clear();
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    fn number(&mut self, ty: ScalarType, number: u64) {
        self.flush();
        let numbers = vec![Int::signed(number as i64)];
        self.lines
            .push(SectionLine::Numbers(ty, numbers, At::default()));
    }

    /// A number of four bytes.
    fn word(&mut self, number: u64) {
        self.number(ScalarType::B32, number);
    }

    fn zero_address(&mut self) {
        self.number(ScalarType::B64, 0);
    }

    fn address(&mut self, name: &str) {
        self.flush();
        let symbol = self.unit.intern(name);
        self.lines.push(SectionLine::Address(
            ScalarType::B64,
            symbol,
            0,
            At::default(),
        ));
    }

    fn offset(&mut self, name: &str, offset: u64) {
        self.flush();
        let symbol = self.unit.intern(name);
        let offset = offset as i64;
        self.lines.push(SectionLine::Address(
            ScalarType::B32,
            symbol,
            offset,
            At::default(),
        ));
    }

    fn pieces(&mut self, pieces: &Bytes) {
        for piece in &pieces.0 {
            match piece {
                Piece::Bytes(bytes) => self.bytes(bytes),
                Piece::Address(name) => self.address(name),
            }
        }
    }

    fn value(&mut self, value: &Value, offsets: &[u64]) {
        match value {
            Value::Text(text) => {
                self.bytes(text);
                self.bytes(&[0]);
            }
            Value::Flag => self.bytes(&[1]),
            Value::Number(number) => {
                let len = len(value) as usize;
                self.bytes(&number.to_le_bytes()[..len]);
            }
            Value::Data2(number) => self.bytes(&number.to_le_bytes()),
            Value::Signed(number) => self.bytes(&signed(*number)),
            Value::Unsigned(number) => self.bytes(&unsigned(*number)),
            Value::Label(name) => self.address(name),
            Value::NoAddress => self.zero_address(),
            Value::Entry(entry) => self.word(offsets[entry.0 as usize]),
            Value::Block(block) => {
                let len = block.len();
                match u8::try_from(len) {
                    Ok(len) => self.bytes(&[len]),
                    Err(_) => self.bytes(&(len as u32).to_le_bytes()),
                }
                self.pieces(block);
            }
            Value::Offset(name, offset) => self.offset(name, *offset),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_variable_lengths() {
        assert_eq!(unsigned(0), [0]);
        assert_eq!(unsigned(127), [127]);
        assert_eq!(unsigned(128), [0x80, 1]);
        assert_eq!(unsigned(624_485), [0xe5, 0x8e, 0x26]);
        assert_eq!(signed(2), [2]);
        assert_eq!(signed(-2), [0x7e]);
        assert_eq!(signed(64), [0xc0, 0]);
        assert_eq!(signed(-123_456), [0xc0, 0xbb, 0x78]);
        assert_eq!(unsigned(u64::MAX).len(), 10);
        assert_eq!(signed(i64::MIN).len(), 10);
    }

    #[test]
    fn forms_and_lengths_agree() {
        let values = [
            (Value::Number(255), 0x0b, 1),
            (Value::Number(256), 0x05, 2),
            (Value::Number(1 << 16), 0x06, 4),
            (Value::Number(1 << 32), 0x07, 8),
            (Value::Text(b"ab".to_vec()), 0x08, 3),
            (Value::Block(Bytes::default().bytes(&[0; 255])), 0x0a, 256),
            (Value::Block(Bytes::default().bytes(&[0; 256])), 0x04, 260),
            (
                Value::Block(Bytes::default().bytes(&[3]).address("x")),
                0x0a,
                10,
            ),
        ];
        for (value, number, length) in values {
            assert_eq!((form(&value), len(&value)), (number, length), "{value:?}");
        }
    }
}
