//! The bytes that arguments stand for.

use crate::args::{Array, Fill, Reference, Spec};
use crate::npy;
use crate::number::{self, Number};
use std::io::Read;
use std::path::Path;
use warpc_launch::{tensor_map, texture};
use warpc_ptx::types::ScalarType;

/// More bytes than this in one argument are taken for a mistake.
pub const MOST_BYTES: u64 = 16 << 30;

/// A value with the addresses that belong into it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Value {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Offsets at which the address of a buffer goes, and which.
    pub addresses: Vec<(usize, Reference)>,
    /// Offsets at which tensor maps begin.
    pub maps: Vec<usize>,
    /// The alignment it has in C.
    align: usize,
}

/// Where arguments come from: what they need beside their text.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The argument's number.
    pub number: usize,
    /// The folder that names of files are relative to.
    pub folder: &'a Path,
    /// Bytes of an address.
    pub address_bytes: usize,
}

impl Source<'_> {
    /// The bytes of a buffer.
    pub fn array(&self, array: &Array) -> Result<Vec<u8>, String> {
        let size = u64::from(array.ty.bytes());
        if let Fill::File(path) = &array.fill {
            let len = match array.len {
                Some(len) => Some(checked_size(len, size)?),
                None => None,
            };
            let place = self.folder.join(path);
            if npy::is_npy(path) {
                let file = read(&place, None)?;
                let elements = npy::read(&file, array.ty);
                let mut bytes = elements.map_err(|why| format!("{}: {why}", place.display()))?;
                if let Some(len) = len {
                    enough(&place, len, &bytes)?;
                    bytes.truncate(len as usize);
                }
                return Ok(bytes);
            }
            let bytes = read(&place, len)?;
            if !(bytes.len() as u64).is_multiple_of(size) {
                return Err(format!(
                    "{path}: its {} bytes are not a whole number of elements of {size} bytes",
                    bytes.len()
                ));
            }
            return Ok(bytes);
        }
        let len = match (array.len, &array.fill) {
            (Some(len), _) => len,
            (None, Fill::List(list)) => list
                .iter()
                .fold(0u64, |sum, (_, times)| sum.saturating_add(*times)),
            (None, Fill::Text(text)) => text.len() as u64,
            (None, _) => return Err("the length is missing".to_owned()),
        };
        let size_in_all = checked_size(len, size)? as usize;
        let count = len as usize;
        let ty = array.ty;
        let mut bytes = Vec::new();
        bytes
            .try_reserve_exact(size_in_all)
            .map_err(|_| format!("there is not enough memory for {size_in_all} bytes"))?;
        match &array.fill {
            Fill::Value(0) => bytes.resize(size_in_all, 0),
            Fill::Value(bits) => (0..count).for_each(|_| push(&mut bytes, *bits, ty)),
            Fill::List(list) => {
                for (bits, times) in list {
                    (0..*times).for_each(|_| push(&mut bytes, *bits, ty));
                }
            }
            Fill::Iota { start, step } => {
                (0..count)
                    .for_each(|i| push(&mut bytes, number::to_bits(at(*start, *step, i), ty), ty));
            }
            Fill::Random { seed, range } => {
                let mut random = Random::new(seed.unwrap_or(self.number as u64 + 1));
                (0..count).for_each(|_| push(&mut bytes, random.bits(ty, *range), ty));
            }
            Fill::Text(text) => {
                if text.len() > size_in_all {
                    return Err(format!(
                        "the text has {} characters, the buffer {count}",
                        text.len()
                    ));
                }
                bytes.extend(text);
                bytes.resize(size_in_all, 0);
            }
            Fill::File(_) => unreachable!("files were read above"),
        }
        Ok(bytes)
    }

    /// The bytes of a parameter passed by value.
    pub fn value(&self, spec: &Spec) -> Result<Value, String> {
        let plain = |bytes: Vec<u8>, align: usize| Value {
            bytes,
            addresses: Vec::new(),
            maps: Vec::new(),
            align,
        };
        Ok(match spec {
            Spec::Texture(spec) => {
                let texels = spec.texels.iter();
                Value {
                    addresses: texels
                        .map(|one| (texture::TEXELS_AT, one.clone()))
                        .collect(),
                    ..plain(spec.texture.encode().to_vec(), 8)
                }
            }
            Spec::TensorMap(spec) => Value {
                addresses: vec![(0, spec.tensor.clone())],
                maps: vec![0],
                ..plain(spec.map.encode().to_vec(), tensor_map::ALIGN as usize)
            },
            Spec::Null => plain(vec![0; self.address_bytes], self.address_bytes),
            Spec::Address(reference) => Value {
                bytes: vec![0; self.address_bytes],
                addresses: vec![(0, reference.clone())],
                maps: Vec::new(),
                align: self.address_bytes,
            },
            Spec::Addresses(list) => {
                let each = list.iter().enumerate();
                let each = each.filter_map(|(at, one)| Some((at, one.clone()?)));
                Value {
                    bytes: vec![0; list.len() * self.address_bytes],
                    addresses: each
                        .map(|(at, one)| (at * self.address_bytes, one))
                        .collect(),
                    maps: Vec::new(),
                    align: self.address_bytes,
                }
            }
            Spec::Bytes(bytes) => plain(bytes.clone(), 1),
            Spec::RawFile(path) => plain(read(&self.folder.join(path), None)?, 1),
            Spec::Scalar(ty, bits) => {
                let mut bytes = Vec::new();
                push(&mut bytes, *bits, *ty);
                plain(bytes, ty.bytes() as usize)
            }
            Spec::Array(array) => plain(self.array(array)?, array.ty.bytes() as usize),
            Spec::Struct(members) => {
                let mut whole = plain(Vec::new(), 1);
                for member in members {
                    let member = self.value(member)?;
                    let start = whole.bytes.len().next_multiple_of(member.align);
                    whole.bytes.resize(start, 0);
                    whole.bytes.extend(&member.bytes);
                    let moved = member.addresses.into_iter();
                    let moved = moved.map(|(at, reference)| (start + at, reference));
                    whole.addresses.extend(moved);
                    whole.maps.extend(member.maps.iter().map(|at| start + at));
                    whole.align = whole.align.max(member.align);
                }
                let len = whole.bytes.len().next_multiple_of(whole.align);
                whole.bytes.resize(len, 0);
                whole
            }
        })
    }
}

fn checked_size(len: u64, size: u64) -> Result<u64, String> {
    len.checked_mul(size)
        .filter(|bytes| *bytes <= MOST_BYTES && usize::try_from(*bytes).is_ok())
        .ok_or_else(|| {
            format!(
                "{len} elements of {size} bytes are more than the {} GB an argument may have",
                MOST_BYTES >> 30
            )
        })
}

/// The first bytes of a file, or all.
fn read(path: &Path, len: Option<u64>) -> Result<Vec<u8>, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    let file = std::fs::File::open(path).map_err(failed)?;
    let mut bytes = Vec::new();
    file.take(len.unwrap_or(MOST_BYTES))
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    if let Some(len) = len {
        enough(path, len, &bytes)?;
    }
    Ok(bytes)
}

fn enough(path: &Path, len: u64, bytes: &[u8]) -> Result<(), String> {
    match (bytes.len() as u64) < len {
        true => Err(format!(
            "{}: {len} bytes are wanted, the file has {}",
            path.display(),
            bytes.len()
        )),
        false => Ok(()),
    }
}

fn push(bytes: &mut Vec<u8>, bits: u128, ty: ScalarType) {
    bytes.extend(&bits.to_le_bytes()[..ty.bytes() as usize]);
}

fn at(start: Number, step: Number, i: usize) -> Number {
    match (start, step) {
        (Number::Int(start), Number::Int(step)) => {
            Number::Int(start.wrapping_add(step.wrapping_mul(i as i128)))
        }
        (start, step) => Number::Float(as_f64(start) + as_f64(step) * i as f64),
    }
}

fn as_f64(number: Number) -> f64 {
    match number {
        Number::Int(value) => value as f64,
        Number::Float(value) => value,
    }
}

/// SplitMix64: small, well mixed, and the same everywhere. Recorded results of kernels hang on it.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Random {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn bits(&mut self, ty: ScalarType, range: Option<(Number, Number)>) -> u128 {
        let high_bits = self.next();
        if number::is_float(ty) {
            // 24 bits for every type: exact in f32, and the same numbers for f64.
            let unit = (high_bits >> 40) as f64 / f64::from(1 << 24);
            let (low, high) = range.map_or((0.0, 1.0), |(a, b)| (as_f64(a), as_f64(b)));
            return number::to_bits(Number::Float(low + unit * (high - low)), ty);
        }
        match range {
            Some((Number::Int(low), Number::Int(high))) => {
                let width = high.wrapping_sub(low) as u128;
                let offset = u128::from(high_bits) % width;
                number::to_bits(Number::Int(low.wrapping_add(offset as i128)), ty)
            }
            _ if ty.bits() == 128 => u128::from(high_bits) << 64 | u128::from(self.next()),
            // The upper bits of the word, as many as the type has.
            _ => u128::from(high_bits >> (64 - ty.bits())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::parse;

    fn source() -> Source<'static> {
        Source {
            number: 2,
            folder: Path::new("."),
            address_bytes: 8,
        }
    }

    fn array(text: &str) -> Result<Vec<u8>, String> {
        match parse(text) {
            Ok(Spec::Array(array)) => source().array(&array),
            other => panic!("{text}: {other:?}"),
        }
    }

    fn u32s(text: &str) -> Vec<u32> {
        array(text)
            .unwrap_or_else(|error| panic!("{text}: {error}"))
            .chunks(4)
            .map(|b| u32::from_le_bytes(b.try_into().expect("four bytes each")))
            .collect()
    }

    #[test]
    fn elements() {
        assert_eq!(u32s("u32[3]=7"), [7, 7, 7]);
        assert_eq!(u32s("u32[4]=iota"), [0, 1, 2, 3]);
        assert_eq!(u32s("u32[3]=iota:10:-5"), [10, 5, 0]);
        assert_eq!(u32s("s32[2]=iota:-1"), [u32::MAX, 0]);
        assert_eq!(u32s("u32[]=1,2*2"), [1, 2, 2]);
        let halves: Vec<u32> = [0.0f32, 0.5, 1.0].map(f32::to_bits).to_vec();
        assert_eq!(u32s("f32[3]=iota:0:0.5"), halves);
        assert_eq!(array("u8[5]=text:ab"), Ok(vec![b'a', b'b', 0, 0, 0]));
        assert_eq!(array("u8[0]=0"), Ok(vec![]));
    }

    /// Results recorded on hardware were made with these numbers.
    #[test]
    fn random_numbers_stay_the_same() {
        assert_eq!(
            u32s("u32[3]=random:1"),
            [0x910a_2dec, 0xbeeb_8da1, 0xf893_a2ee]
        );
        assert_eq!(
            u32s("u32[8]=random"),
            u32s("u32[8]=random:3"),
            "by the argument's number"
        );
        assert!(
            u32s("u32[64]=random:9:5:8")
                .iter()
                .all(|n| (5..8).contains(n))
        );
        let floats = u32s("f32[64]=random:9");
        assert!(
            floats
                .iter()
                .all(|n| (0.0..1.0).contains(&f32::from_bits(*n)))
        );
        let floats = u32s("f32[64]=random:9:-2:-1");
        assert!(
            floats
                .iter()
                .all(|n| (-2.0..-1.0).contains(&f32::from_bits(*n)))
        );
    }

    #[test]
    fn what_cannot_be_made() {
        for (text, message) in [
            ("u64[0x4000000000000000]=1", "more than the 16 GB"),
            ("u8[99999999999]=0", "more than the 16 GB"),
            ("u8[2]=text:abc", "the text has 3 characters, the buffer 2"),
            ("u8[2]@no/such/file", "no/such/file: "),
            (
                "u64[100000]@Cargo.toml",
                "Cargo.toml: 800000 bytes are wanted",
            ),
        ] {
            let error = array(text).expect_err(text);
            assert!(error.contains(message), "{text}: {error}");
        }
        assert_eq!(array("u8[9]@Cargo.toml").as_deref(), Ok(&b"[package]"[..]));
    }

    #[test]
    fn structures_are_laid_out_as_in_c() {
        let value = |text: &str| source().value(&parse(text).expect(text)).expect(text);
        let mixed = value("{u8=1,u32=2,u16=3}");
        assert_eq!(mixed.bytes, [1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0]);
        let nested = value("{u8=1,{u8=2,&0},u8[2]=3}");
        assert_eq!(nested.bytes.len(), 32);
        assert_eq!(nested.addresses, [(16, Reference::Argument(0))]);
        let list = value("{u8=1,ptr[3]=&a,null,&b}");
        assert_eq!(list.bytes.len(), 32);
        let named = |name: &str| Reference::Named(name.to_owned());
        assert_eq!(list.addresses, [(8, named("a")), (24, named("b"))]);
        assert_eq!(nested.bytes[24..26], [3, 3]);
        assert_eq!(value("hex:0102").bytes, [1, 2]);
        assert_eq!(value("null").bytes, [0; 8]);
    }
}
