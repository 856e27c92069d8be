//! Types: how they are written, how they lie in memory, and their parts.
//!
//! A value of any type is a list of the bits of its scalar parts, in order: an `i7` is one number,
//! a `<3 x half>` three, and `{i1, <2 x i64>}` three. Everything that computes works on such lists.

use crate::chance::{Chance, mask};
use std::fmt;

/// Formats of floating-point numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// `half`
    Half,
    /// `bfloat`
    BFloat,
    /// `float`
    Float,
    /// `double`
    Double,
}

/// A type without parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scalar {
    /// An integer of 1 to 128 bits.
    Int(u32),
    /// A floating-point number.
    Fp(Format),
}

/// A type of a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ty {
    /// One scalar.
    One(Scalar),
    /// A vector.
    Vector(u32, Scalar),
    /// A structure; packed or not.
    Struct(bool, Vec<Ty>),
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 4] = [Format::Half, Format::BFloat, Format::Float, Format::Double];

    /// Bits of the whole.
    pub fn width(self) -> u32 {
        match self {
            Format::Half | Format::BFloat => 16,
            Format::Float => 32,
            Format::Double => 64,
        }
    }

    /// Bits of the fraction.
    pub fn fraction(self) -> u32 {
        match self {
            Format::Half => 10,
            Format::BFloat => 7,
            Format::Float => 23,
            Format::Double => 52,
        }
    }

    /// The name in intrinsics.
    pub fn suffix(self) -> &'static str {
        match self {
            Format::Half => "f16",
            Format::BFloat => "bf16",
            Format::Float => "f32",
            Format::Double => "f64",
        }
    }
}

impl Scalar {
    /// `i1`
    pub const BOOL: Scalar = Scalar::Int(1);

    /// Bits.
    pub fn width(self) -> u32 {
        match self {
            Scalar::Int(width) => width,
            Scalar::Fp(format) => format.width(),
        }
    }

    /// The alignment of one in memory: that of the next larger integer that the data layout names.
    fn align(self) -> u64 {
        u64::from(self.width().div_ceil(8)).next_power_of_two()
    }

    /// The name in intrinsics.
    pub fn suffix(self) -> String {
        match self {
            Scalar::Int(width) => format!("i{width}"),
            Scalar::Fp(format) => format.suffix().into(),
        }
    }

    /// A constant with these bits.
    pub fn constant(self, bits: u128) -> String {
        match self {
            Scalar::Int(1) => (if bits & 1 == 1 { "true" } else { "false" }).into(),
            Scalar::Int(128) => (bits as i128).to_string(),
            Scalar::Int(width) => {
                let up = 128 - width;
                ((bits << up) as i128 >> up).to_string()
            }
            Scalar::Fp(Format::Half) => format!("0xH{bits:04X}"),
            Scalar::Fp(Format::BFloat) => format!("0xR{bits:04X}"),
            Scalar::Fp(Format::Float) => {
                // Written as the double of the same value; the payload of a NaN moves up.
                let bits = bits as u32;
                let wide = match f32::from_bits(bits).is_nan() {
                    true => {
                        let sign = u64::from(bits >> 31) << 63;
                        sign | 0x7ff << 52 | u64::from(bits & 0x7f_ffff) << 29
                    }
                    false => f64::from(f32::from_bits(bits)).to_bits(),
                };
                format!("0x{wide:016X}")
            }
            Scalar::Fp(Format::Double) => format!("0x{:016X}", bits as u64),
        }
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scalar::Int(width) => write!(f, "i{width}"),
            Scalar::Fp(Format::Half) => f.write_str("half"),
            Scalar::Fp(Format::BFloat) => f.write_str("bfloat"),
            Scalar::Fp(Format::Float) => f.write_str("float"),
            Scalar::Fp(Format::Double) => f.write_str("double"),
        }
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ty::One(scalar) => scalar.fmt(f),
            Ty::Vector(n, scalar) => write!(f, "<{n} x {scalar}>"),
            Ty::Struct(packed, fields) => {
                let fields: Vec<String> = fields.iter().map(Ty::to_string).collect();
                let fields = fields.join(", ");
                match packed {
                    true => write!(f, "<{{ {fields} }}>"),
                    false => write!(f, "{{ {fields} }}"),
                }
            }
        }
    }
}

impl Ty {
    /// An integer.
    pub fn int(width: u32) -> Ty {
        Ty::One(Scalar::Int(width))
    }

    /// The scalar of a scalar or vector; the first of a structure.
    pub fn scalar(&self) -> Scalar {
        match self {
            Ty::One(scalar) | Ty::Vector(_, scalar) => *scalar,
            Ty::Struct(_, fields) => fields[0].scalar(),
        }
    }

    /// Whether it is a scalar or vector of integers.
    pub fn is_int(&self) -> bool {
        !matches!(self, Ty::Struct(..)) && matches!(self.scalar(), Scalar::Int(_))
    }

    /// Whether it is a scalar or vector of floating-point numbers.
    pub fn is_fp(&self) -> bool {
        !matches!(self, Ty::Struct(..)) && matches!(self.scalar(), Scalar::Fp(_))
    }

    /// The same shape with another scalar.
    pub fn with(&self, scalar: Scalar) -> Ty {
        match self {
            Ty::Vector(n, _) => Ty::Vector(*n, scalar),
            _ => Ty::One(scalar),
        }
    }

    /// Elements of a vector, 1 of a scalar.
    pub fn lanes(&self) -> u32 {
        match self {
            Ty::Vector(n, _) => *n,
            _ => 1,
        }
    }

    /// Its scalar parts in order.
    pub fn leaves(&self) -> Vec<Scalar> {
        match self {
            Ty::One(scalar) => vec![*scalar],
            Ty::Vector(n, scalar) => vec![*scalar; *n as usize],
            Ty::Struct(_, fields) => fields.iter().flat_map(Ty::leaves).collect(),
        }
    }

    /// Where the parts of a field of a structure are in the list of all.
    pub fn field(&self, field: usize) -> (usize, &Ty) {
        let Ty::Struct(_, fields) = self else {
            unreachable!("only structures have fields")
        };
        let before = fields[..field].iter().map(|ty| ty.leaves().len()).sum();
        (before, &fields[field])
    }

    /// Bits of a scalar or vector.
    pub fn bits(&self) -> u32 {
        self.lanes() * self.scalar().width()
    }

    /// Bytes that a load or store touches.
    pub fn store_size(&self) -> u64 {
        match self {
            Ty::Struct(..) => self.alloc_size(),
            _ => u64::from(self.bits().div_ceil(8)),
        }
    }

    /// The alignment of the data layout.
    pub fn align(&self) -> u64 {
        match self {
            Ty::One(scalar) => scalar.align(),
            Ty::Vector(..) => self.store_size().next_power_of_two(),
            Ty::Struct(true, _) => 1,
            Ty::Struct(false, fields) => fields.iter().map(Ty::align).max().unwrap_or(1),
        }
    }

    /// Bytes from one to the next in an array.
    pub fn alloc_size(&self) -> u64 {
        match self {
            Ty::Struct(packed, fields) => {
                let mut at = 0;
                for field in fields {
                    if !packed {
                        at = u64::next_multiple_of(at, field.align());
                    }
                    at += field.alloc_size();
                }
                at.next_multiple_of(self.align())
            }
            _ => self.store_size().next_multiple_of(self.align()),
        }
    }

    /// Fields of a structure with their offsets.
    pub fn offsets(&self) -> Vec<(u64, &Ty)> {
        let Ty::Struct(packed, fields) = self else {
            return vec![(0, self)];
        };
        let mut at = 0;
        let mut all = Vec::new();
        for field in fields {
            if !packed {
                at = u64::next_multiple_of(at, field.align());
            }
            all.push((at, field));
            at += field.alloc_size();
        }
        all
    }

    /// A constant with these parts.
    pub fn constant(&self, parts: &[u128]) -> String {
        match self {
            Ty::One(scalar) => scalar.constant(parts[0]),
            Ty::Vector(_, scalar) => {
                let parts = parts.iter();
                let parts: Vec<String> = parts
                    .map(|bits| format!("{scalar} {}", scalar.constant(*bits)))
                    .collect();
                format!("<{}>", parts.join(", "))
            }
            Ty::Struct(packed, fields) => {
                let mut at = 0;
                let mut texts = Vec::new();
                for field in fields {
                    let n = field.leaves().len();
                    texts.push(format!("{field} {}", field.constant(&parts[at..at + n])));
                    at += n;
                }
                let texts = texts.join(", ");
                match packed {
                    true => format!("<{{ {texts} }}>"),
                    false => format!("{{ {texts} }}"),
                }
            }
        }
    }

    /// The bytes of a value, and which of them are known: the rest of an odd integer and padding are not.
    pub fn to_bytes(&self, parts: &[u128]) -> Vec<Option<u8>> {
        if let Ty::Struct(..) = self {
            let mut bytes = vec![None; self.alloc_size() as usize];
            let mut from = 0;
            for (at, field) in self.offsets() {
                let n = field.leaves().len();
                let inner = field.to_bytes(&parts[from..from + n]);
                bytes[at as usize..at as usize + inner.len()].copy_from_slice(&inner);
                from += n;
            }
            return bytes;
        }
        let width = self.scalar().width() as usize;
        let mut bytes = vec![0u8; self.store_size() as usize];
        for (lane, bits) in parts.iter().enumerate() {
            for i in 0..width {
                let at = lane * width + i;
                bytes[at / 8] |= (((bits >> i) & 1) as u8) << (at % 8);
            }
        }
        let mut bytes: Vec<Option<u8>> = bytes.into_iter().map(Some).collect();
        if !self.bits().is_multiple_of(8) {
            // All of it: targets may write an odd integer as a whole word.
            bytes.fill(None);
        }
        bytes
    }

    /// The value that bytes hold; there is none if a byte that is looked at is not known, or if the type is odd.
    pub fn parts_of(&self, bytes: &[Option<u8>]) -> Option<Vec<u128>> {
        if let Ty::Struct(..) = self {
            let mut all = Vec::new();
            for (at, field) in self.offsets() {
                all.extend(field.parts_of(&bytes[at as usize..])?);
            }
            return Some(all);
        }
        if !self.bits().is_multiple_of(8) {
            return None;
        }
        let width = self.scalar().width() as usize;
        let size = self.store_size() as usize;
        let known: Option<Vec<u8>> = bytes[..size].iter().copied().collect();
        let known = known?;
        let bit = |at: usize| u128::from(known[at / 8] >> (at % 8) & 1);
        let lane = |lane: usize| (0..width).fold(0, |sum, i| sum | bit(lane * width + i) << i);
        Some((0..self.lanes() as usize).map(lane).collect())
    }

    /// Whether a value survives memory byte by byte.
    pub fn is_whole(&self) -> bool {
        match self {
            Ty::Struct(_, fields) => fields.iter().all(Ty::is_whole),
            _ => self.bits().is_multiple_of(8),
        }
    }

    /// Any value.
    pub fn any(&self, chance: &mut Chance) -> Vec<u128> {
        let leaves = self.leaves().into_iter();
        let same = chance.one_in(4).then(|| chance.wide());
        leaves
            .map(|scalar| match scalar {
                Scalar::Int(width) => same.map_or_else(|| chance.edge(width), |s| s & mask(width)),
                Scalar::Fp(format) => crate::float::any(format, chance),
            })
            .collect()
    }
}
