//! Initial values of variables.
//!
//! Tables of hundreds of megabytes occur, so numbers are kept as bytes: a run of numbers written alike takes
//! one, two, four or eight bytes a number, whatever the largest of them needs. Braces, addresses and fields are
//! runs, too. Readers see one [`InitItem`] after the other.

use crate::inst::{At, Int};
use crate::symbol::Symbol;

/// A variable's initial value: nested braces, kept flat.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Initializer {
    /// Values, with braces between them.
    pub items: InitItems,
    /// From the first token to the last.
    pub at: At,
}

/// A piece of an initialiser.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum InitItem<'a> {
    /// `{`
    Open,
    /// `}`
    Close,
    /// An integer.
    Int(Int),
    /// A single-precision number's bits.
    F32(u32),
    /// A double-precision number's bits.
    F64(u64),
    /// The address of something.
    Address(&'a InitAddress),
    /// `field = value` of a sampler, texture or surface.
    Field(&'a InitField),
}

/// `name`, `generic(name)+4`, `0xFF00(name+4)`
#[derive(Clone, PartialEq, Debug)]
pub struct InitAddress {
    /// The variable or function.
    pub symbol: Symbol,
    /// Added to its address.
    pub offset: i64,
    /// Whether the address is turned into a generic one.
    pub generic: bool,
    /// The byte that is taken of the address.
    pub mask: Option<u64>,
    /// Where the name stands.
    pub at: At,
}

/// `width = 4` in an opaque variable's initialiser.
#[derive(Clone, PartialEq, Debug)]
pub struct InitField {
    /// The field.
    pub name: String,
    /// Its value: a number or a word.
    pub value: FieldValue,
}

/// The value of an opaque variable's field.
#[derive(Clone, PartialEq, Debug)]
pub enum FieldValue {
    /// A number.
    Int(Int),
    /// A word such as `clamp_to_edge`.
    Word(String),
}

/// The pieces of an initialiser, in order.
#[derive(Clone, Debug, Default)]
pub struct InitItems {
    runs: Vec<Run>,
    /// Numbers, each as many bytes as its run says.
    numbers: Vec<u8>,
    addresses: Vec<InitAddress>,
    fields: Vec<InitField>,
    len: usize,
}

/// Pieces of one kind that follow each other.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Run {
    kind: Kind,
    /// Bytes of each number; 0 for what is not a number.
    width: u8,
    count: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Open,
    Close,
    Int { unsigned: bool, hex: bool },
    F32,
    F64,
    Address,
    Field,
}

/// A run of at most so many numbers is rewritten when a number needs more bytes; a longer one ends there.
const REWRITTEN: u32 = 32;

impl InitItems {
    /// How many pieces there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The pieces in order.
    pub fn iter(&self) -> Iter<'_> {
        Iter {
            runs: self.runs.iter(),
            run: None,
            numbers: &self.numbers,
            addresses: self.addresses.iter(),
            fields: self.fields.iter(),
        }
    }

    /// The addresses among them.
    pub fn addresses(&self) -> &[InitAddress] {
        &self.addresses
    }

    /// The addresses among them, to be changed.
    pub fn addresses_mut(&mut self) -> &mut [InitAddress] {
        &mut self.addresses
    }

    /// Appends `{`.
    pub fn open(&mut self) {
        self.extend_run(Kind::Open, 0, 1);
    }

    /// Appends `}`.
    pub fn close(&mut self) {
        self.extend_run(Kind::Close, 0, 1);
    }

    /// Appends an integer.
    pub fn int(&mut self, value: Int) {
        let Int {
            bits,
            unsigned,
            hex,
        } = value;
        self.number(Kind::Int { unsigned, hex }, bits, width_of(bits));
    }

    /// Appends integers from 0 to 255.
    pub fn bytes(&mut self, bytes: &[u8]) {
        let kind = Kind::Int {
            unsigned: false,
            hex: false,
        };
        for part in bytes.chunks(u32::MAX as usize / 2) {
            self.extend_run(kind, 1, part.len() as u32);
            self.numbers.extend_from_slice(part);
        }
    }

    /// Appends a single-precision number.
    pub fn f32(&mut self, bits: u32) {
        self.number(Kind::F32, u64::from(bits), 4);
    }

    /// Appends a double-precision number.
    pub fn f64(&mut self, bits: u64) {
        self.number(Kind::F64, bits, 8);
    }

    /// Appends an address.
    pub fn address(&mut self, address: InitAddress) {
        self.extend_run(Kind::Address, 0, 1);
        self.addresses.push(address);
    }

    /// Appends a field.
    pub fn field(&mut self, field: InitField) {
        self.extend_run(Kind::Field, 0, 1);
        self.fields.push(field);
    }

    /// Appends a number that takes `needed` bytes, or as many as the run before it has if those are more.
    fn number(&mut self, kind: Kind, bits: u64, needed: u8) {
        let width = match self.runs.last() {
            Some(run) if run.kind == kind && run.width < needed && run.count <= REWRITTEN => {
                self.widen_last(needed);
                needed
            }
            Some(run) if run.kind == kind => run.width.max(needed),
            _ => needed,
        };
        self.extend_run(kind, width, 1);
        self.numbers
            .extend_from_slice(&bits.to_le_bytes()[..usize::from(width)]);
    }

    /// Gives each number of the last run more bytes.
    fn widen_last(&mut self, width: u8) {
        let Some(run) = self.runs.last_mut() else {
            return;
        };
        let old = usize::from(run.width);
        let start = self.numbers.len() - old * run.count as usize;
        let narrow = self.numbers.split_off(start);
        for number in narrow.chunks(old) {
            self.numbers.extend_from_slice(number);
            let more = usize::from(width) - old;
            self.numbers.extend_from_slice(&[0; 8][..more]);
        }
        run.width = width;
    }

    fn extend_run(&mut self, kind: Kind, width: u8, count: u32) {
        self.len += count as usize;
        if let Some(run) = self.runs.last_mut()
            && (run.kind, run.width) == (kind, width)
            && let Some(sum) = run.count.checked_add(count)
        {
            run.count = sum;
            return;
        }
        self.runs.push(Run { kind, width, count });
    }
}

/// How many bytes a number takes.
fn width_of(bits: u64) -> u8 {
    match bits {
        0..=0xff => 1,
        0x100..=0xffff => 2,
        0x1_0000..=0xffff_ffff => 4,
        _ => 8,
    }
}

/// Equal pieces are equal, however they are kept.
impl PartialEq for InitItems {
    fn eq(&self, other: &InitItems) -> bool {
        self.len == other.len && self.iter().eq(other.iter())
    }
}

impl<'a> IntoIterator for &'a InitItems {
    type Item = InitItem<'a>;
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

/// The pieces of an initialiser one after the other.
#[derive(Clone, Debug)]
pub struct Iter<'a> {
    runs: std::slice::Iter<'a, Run>,
    /// What is left of the run begun.
    run: Option<Run>,
    numbers: &'a [u8],
    addresses: std::slice::Iter<'a, InitAddress>,
    fields: std::slice::Iter<'a, InitField>,
}

impl<'a> Iterator for Iter<'a> {
    type Item = InitItem<'a>;

    fn next(&mut self) -> Option<InitItem<'a>> {
        let run = match &mut self.run {
            Some(run) if run.count > 0 => run,
            rest => rest.insert(*self.runs.next()?),
        };
        run.count -= 1;
        let (number, numbers) = self.numbers.split_at(usize::from(run.width));
        self.numbers = numbers;
        let mut bytes = [0; 8];
        bytes[..number.len()].copy_from_slice(number);
        let bits = u64::from_le_bytes(bytes);
        Some(match run.kind {
            Kind::Open => InitItem::Open,
            Kind::Close => InitItem::Close,
            Kind::Int { unsigned, hex } => InitItem::Int(Int {
                bits,
                unsigned,
                hex,
            }),
            Kind::F32 => InitItem::F32(bits as u32),
            Kind::F64 => InitItem::F64(bits),
            Kind::Address => InitItem::Address(self.addresses.next()?),
            Kind::Field => InitItem::Field(self.fields.next()?),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ints(values: &[i64]) -> InitItems {
        let mut items = InitItems::default();
        items.open();
        values
            .iter()
            .for_each(|&value| items.int(Int::signed(value)));
        items.close();
        items
    }

    #[test]
    fn numbers_of_every_width_come_back() {
        let values: Vec<i64> = (0..200)
            .chain([255, 256, 65_535, 65_536, 0xffff_ffff, 1 << 32, -1, 3])
            .chain((0..40).map(|i| 1 << i))
            .collect();
        let items = ints(&values);
        assert_eq!(items.len(), values.len() + 2);
        let read: Vec<i64> = items
            .iter()
            .filter_map(|item| match item {
                InitItem::Int(int) => Some(int.value() as i64),
                _ => None,
            })
            .collect();
        assert_eq!(read, values);
    }

    #[test]
    fn how_numbers_are_kept_does_not_show() {
        let single = ints(&[1, 2, 3]);
        let mut run = InitItems::default();
        run.open();
        run.bytes(&[1, 2, 3]);
        run.close();
        assert_eq!(single, run);
        // Widened by a number that came later, against wide from the first on.
        assert_eq!(ints(&[7, 1 << 20]).iter().nth(1), ints(&[7]).iter().nth(1));
        let hex = Int {
            hex: true,
            ..Int::signed(3)
        };
        let mut other = InitItems::default();
        other.open();
        other.bytes(&[1, 2]);
        other.int(hex);
        other.close();
        assert_ne!(single, other);
    }

    #[test]
    fn kinds_do_not_mix() {
        let mut items = InitItems::default();
        items.f32(0x3f80_0000);
        items.int(Int::signed(1));
        items.f64(2);
        items.f32(5);
        let all: Vec<InitItem<'_>> = items.iter().collect();
        assert_eq!(
            all,
            [
                InitItem::F32(0x3f80_0000),
                InitItem::Int(Int::signed(1)),
                InitItem::F64(2),
                InitItem::F32(5),
            ]
        );
    }

    #[test]
    fn a_table_of_bytes_takes_little_more_than_its_bytes() {
        let mut items = InitItems::default();
        (0..100_000).for_each(|i| items.int(Int::signed(i % 256)));
        assert_eq!(items.numbers.len(), 100_000);
        assert_eq!(items.runs.len(), 1);
        // Numbers of different sizes in turn do not make a run each.
        let mut items = InitItems::default();
        (0..100_000).for_each(|i| items.int(Int::signed(if i % 2 == 0 { 1 } else { 1 << 40 })));
        assert!(items.runs.len() <= 2, "{} runs", items.runs.len());
    }
}
