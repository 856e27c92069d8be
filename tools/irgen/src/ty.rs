//! The types of the programs.

use std::fmt::{self, Display};
use warpc_testkit::Random;

/// Floating-point formats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Float {
    /// IEEE binary16.
    Half,
    /// The upper half of `float`.
    Bfloat,
    /// IEEE binary32.
    Single,
    /// IEEE binary64.
    Double,
}

impl Float {
    /// All of them.
    pub const ALL: [Float; 4] = [Float::Half, Float::Bfloat, Float::Single, Float::Double];

    /// Bits of a value.
    pub fn bits(self) -> u32 {
        match self {
            Float::Half | Float::Bfloat => 16,
            Float::Single => 32,
            Float::Double => 64,
        }
    }

    /// Bits of the exponent and of the fraction.
    pub fn fields(self) -> (u32, u32) {
        match self {
            Float::Half => (5, 10),
            Float::Bfloat => (8, 7),
            Float::Single => (8, 23),
            Float::Double => (11, 52),
        }
    }

    /// A constant with these bits.
    pub fn constant(self, bits: u64) -> String {
        match self {
            Float::Half => format!("0xH{:04X}", bits & 0xffff),
            Float::Bfloat => format!("0xR{:04X}", bits & 0xffff),
            // LLVM writes a float as the double of the same value.
            Float::Single => {
                let value = f32::from_bits(bits as u32);
                match value.is_nan() {
                    true => "0x7FF8000000000000".into(),
                    false => format!("0x{:016X}", f64::from(value).to_bits()),
                }
            }
            Float::Double => format!("0x{bits:016X}"),
        }
    }

    /// The bits of 2 to the power of `n`; `None` if that is not a normal number of the format.
    pub fn power_of_two(self, n: i32) -> Option<u64> {
        let (exponent, fraction) = self.fields();
        let bias = (1 << (exponent - 1)) - 1;
        let field = n + bias;
        (field > 0 && field < (1 << exponent) - 1).then(|| (field as u64) << fraction)
    }

    /// The bits of infinity.
    pub fn infinity(self) -> u64 {
        let (exponent, fraction) = self.fields();
        ((1 << exponent) - 1) << fraction
    }

    /// The bits of the quiet NaN that all others are made to.
    pub fn nan(self) -> u64 {
        self.infinity() | 1 << (self.fields().1 - 1)
    }

    /// What intrinsics call it.
    pub fn mangled(self) -> &'static str {
        match self {
            Float::Half => "f16",
            Float::Bfloat => "bf16",
            Float::Single => "f32",
            Float::Double => "f64",
        }
    }
}

/// A type of values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ty {
    /// An integer of so many bits.
    Int(u32),
    /// A floating-point number.
    Float(Float),
    /// A vector of integers or floating-point numbers.
    Vector(u32, Box<Ty>),
    /// An array.
    Array(u32, Box<Ty>),
    /// A structure; packed or not.
    Struct(bool, Vec<Ty>),
    /// An address in a space.
    Ptr(u32),
}

impl Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Int(bits) => write!(f, "i{bits}"),
            Ty::Float(Float::Half) => f.write_str("half"),
            Ty::Float(Float::Bfloat) => f.write_str("bfloat"),
            Ty::Float(Float::Single) => f.write_str("float"),
            Ty::Float(Float::Double) => f.write_str("double"),
            Ty::Vector(n, of) => write!(f, "<{n} x {of}>"),
            Ty::Array(n, of) => write!(f, "[{n} x {of}]"),
            Ty::Struct(packed, fields) => {
                let fields: Vec<String> = fields.iter().map(Ty::to_string).collect();
                let fields = fields.join(", ");
                match packed {
                    true => write!(f, "<{{ {fields} }}>"),
                    false => write!(f, "{{ {fields} }}"),
                }
            }
            Ty::Ptr(0) => f.write_str("ptr"),
            Ty::Ptr(space) => write!(f, "ptr addrspace({space})"),
        }
    }
}

impl Ty {
    /// `i1`.
    pub const BOOL: Ty = Ty::Int(1);
    /// `i32`.
    pub const I32: Ty = Ty::Int(32);

    /// The type of an element of a vector; itself otherwise.
    pub fn scalar(&self) -> &Ty {
        match self {
            Ty::Vector(_, of) => of,
            other => other,
        }
    }

    /// The type with another scalar in as many lanes.
    pub fn with_scalar(&self, scalar: Ty) -> Ty {
        match self {
            Ty::Vector(n, _) => Ty::Vector(*n, Box::new(scalar)),
            _ => scalar,
        }
    }

    /// Elements of a vector; 1 otherwise.
    pub fn lanes(&self) -> u32 {
        match self {
            Ty::Vector(n, _) => *n,
            _ => 1,
        }
    }

    /// The width of an integer or of the elements of a vector of integers.
    pub fn int_bits(&self) -> Option<u32> {
        match self.scalar() {
            Ty::Int(bits) => Some(*bits),
            _ => None,
        }
    }

    /// The format of a floating-point number or of the elements of a vector of them.
    pub fn float(&self) -> Option<Float> {
        match self.scalar() {
            Ty::Float(float) => Some(*float),
            _ => None,
        }
    }

    /// Whether it is a structure or an array.
    pub fn is_aggregate(&self) -> bool {
        matches!(self, Ty::Struct(..) | Ty::Array(..))
    }

    /// Bits of a scalar or vector.
    pub fn bits(&self) -> Option<u32> {
        match self {
            Ty::Int(bits) => Some(*bits),
            Ty::Float(float) => Some(float.bits()),
            Ty::Vector(n, of) => Some(n * of.bits()?),
            _ => None,
        }
    }

    /// An alignment that is enough for it anywhere; at least 16.
    pub fn align(&self) -> u32 {
        match self {
            Ty::Vector(n, of) => {
                (n * of.bits().unwrap_or(64).next_power_of_two() / 8).next_power_of_two()
            }
            Ty::Array(_, of) => of.align(),
            Ty::Struct(_, fields) => fields.iter().map(Ty::align).max().unwrap_or(16),
            _ => 16,
        }
        .max(16)
    }

    /// The types of the members of an aggregate.
    pub fn members(&self) -> Vec<Ty> {
        match self {
            Ty::Struct(_, fields) => fields.clone(),
            Ty::Array(n, of) => vec![(**of).clone(); *n as usize],
            _ => Vec::new(),
        }
    }

    /// Paths to all scalars and vectors in it, with their types.
    pub fn leaves(&self) -> Vec<(Vec<u32>, Ty)> {
        if !self.is_aggregate() {
            return vec![(Vec::new(), self.clone())];
        }
        let mut all = Vec::new();
        for (i, member) in (0..).zip(self.members()) {
            for (path, ty) in member.leaves() {
                all.push(([vec![i], path].concat(), ty));
            }
        }
        all
    }

    /// How intrinsics name it.
    pub fn mangled(&self) -> String {
        match self {
            Ty::Int(bits) => format!("i{bits}"),
            Ty::Float(float) => float.mangled().into(),
            Ty::Vector(n, of) => format!("v{n}{}", of.mangled()),
            Ty::Ptr(space) => format!("p{space}"),
            Ty::Array(..) | Ty::Struct(..) => unreachable!("no intrinsic is asked for aggregates"),
        }
    }
}

/// Integer widths with how often they are chosen.
const WIDTHS: &[(usize, u32)] = &[
    (6, 1),
    (1, 2),
    (1, 3),
    (1, 5),
    (2, 7),
    (10, 8),
    (2, 9),
    (2, 13),
    (10, 16),
    (2, 17),
    (2, 24),
    (2, 31),
    (30, 32),
    (3, 33),
    (2, 40),
    (2, 48),
    (1, 63),
    (20, 64),
    (2, 65),
    (2, 96),
    (1, 100),
    (1, 127),
    (4, 128),
];

/// An integer type.
pub fn int(random: &mut Random) -> Ty {
    Ty::Int(random.weighted(WIDTHS))
}

/// A scalar type.
pub fn scalar(random: &mut Random) -> Ty {
    match random.below(10) {
        0..7 => int(random),
        _ => Ty::Float(random.weighted(&[
            (2, Float::Half),
            (1, Float::Bfloat),
            (5, Float::Single),
            (4, Float::Double),
        ])),
    }
}

/// A vector type; wide ones have few elements.
pub fn vector(random: &mut Random) -> Ty {
    let of = match random.below(10) {
        0..8 => scalar(random),
        _ => random.pick(&[Ty::BOOL, Ty::Int(8), Ty::Float(Float::Half)]),
    };
    let most = 256 / of.bits().unwrap_or(64).max(16);
    let lengths = [2, 2, 2, 4, 4, 4, 3, 1, 5, 7, 8, 16].map(|n: u32| n.min(most.max(2)));
    Ty::Vector(random.pick(&lengths), Box::new(of))
}

/// A scalar or vector type.
pub fn plain(random: &mut Random) -> Ty {
    match random.below(5) {
        0 => vector(random),
        _ => scalar(random),
    }
}

/// A structure or array.
pub fn aggregate(random: &mut Random, depth: u32) -> Ty {
    let member = |random: &mut Random| match (depth, random.below(10)) {
        (1.., 0..2) => aggregate(random, depth - 1),
        _ => plain(random),
    };
    if random.chance(40) {
        let of = member(random);
        return Ty::Array(random.pick(&[1, 2, 2, 3, 4]), Box::new(of));
    }
    let count = random.pick(&[1, 2, 2, 3, 3, 4, 5]);
    let fields = (0..count).map(|_| member(random)).collect();
    Ty::Struct(random.chance(20), fields)
}

/// Any type of values that functions take and give.
pub fn any(random: &mut Random) -> Ty {
    match random.below(6) {
        0 => aggregate(random, 1),
        _ => plain(random),
    }
}
