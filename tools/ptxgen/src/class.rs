//! Classes of registers: what a register of a program holds, which constants and inputs it gets.

use warpc_testkit::Random;

/// What a register holds. Registers of one size have several classes so that floats stay floats: a float made of any bits
/// is mostly huge, tiny or not a number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Class {
    /// A predicate.
    P,
    /// An integer of 16 bits.
    H,
    /// An integer of 32 bits.
    W,
    /// An integer of 64 bits.
    D,
    /// An `f32`.
    F,
    /// An `f64`.
    G,
    /// An `f16`.
    X,
    /// A `bf16`.
    Y,
    /// Two `f16`.
    U,
    /// Two `bf16`.
    V,
}

/// How many classes there are.
pub const COUNT: usize = 10;

/// All classes, in the order of [`Class::index`].
pub const ALL: [Class; COUNT] = [
    Class::P,
    Class::H,
    Class::W,
    Class::D,
    Class::F,
    Class::G,
    Class::X,
    Class::Y,
    Class::U,
    Class::V,
];

/// Values of a class in the input buffer.
pub const INPUTS: usize = 32;

impl Class {
    /// Its number.
    pub fn index(self) -> usize {
        self as usize
    }

    /// The class that a letter of a template names.
    pub fn of_letter(letter: char) -> Option<Class> {
        let at = "PHWDFGXYUV".find(letter)?;
        Some(ALL[at])
    }

    /// The letter that its registers begin with.
    pub fn prefix(self) -> char {
        char::from(b"phwdfgxyuv"[self.index()])
    }

    /// A register.
    pub fn reg(self, number: u32) -> String {
        format!("%{}{number}", self.prefix())
    }

    /// The type that its registers are declared with.
    pub fn declared(self) -> &'static str {
        [
            "pred", "b16", "b32", "b64", "f32", "f64", "b16", "b16", "b32", "b32",
        ][self.index()]
    }

    /// The type to load and store it with.
    pub fn stored(self) -> &'static str {
        [
            "u32", "b16", "b32", "b64", "f32", "f64", "b16", "b16", "b32", "b32",
        ][self.index()]
    }

    /// Bytes in memory.
    pub fn bytes(self) -> u32 {
        [4, 2, 4, 8, 4, 8, 2, 2, 4, 4][self.index()]
    }

    /// A line that gives a register a value that needs nothing.
    pub fn zero(self, register: &str) -> String {
        match self {
            Class::P => format!("setp.ne.u32 {register}, 0, 0;"),
            Class::F => format!("mov.f32 {register}, 0f3F800000;"),
            Class::G => format!("mov.f64 {register}, 0d3FF0000000000000;"),
            other => format!("mov.{} {register}, 0;", other.declared()),
        }
    }

    /// A constant as an operand; some classes have none.
    pub fn constant(self, random: &mut Random) -> Option<String> {
        Some(match self {
            Class::P | Class::X | Class::Y | Class::U | Class::V => return None,
            Class::H => format!("{}", integer(random, 16) as i16),
            Class::W => match random.one_in(2) {
                true => format!("{}", integer(random, 32) as i32),
                false => format!("{:#x}", integer(random, 32)),
            },
            Class::D => match random.one_in(2) {
                true => format!("{}", integer(random, 64) as i64),
                false => format!("{:#x}", integer(random, 64)),
            },
            Class::F => format!("0f{:08X}", self.input(random)),
            Class::G => format!("0d{:016X}", self.input(random)),
        })
    }

    /// Bits that a register begins with.
    pub fn input(self, random: &mut Random) -> u64 {
        match self {
            Class::P => random.bits() & 1,
            Class::H => integer(random, 16),
            Class::W => integer(random, 32),
            Class::D => integer(random, 64),
            Class::F => float(random, 8, 23),
            Class::G => float(random, 11, 52),
            Class::X => float(random, 5, 10),
            Class::Y => float(random, 8, 7),
            Class::U => float(random, 5, 10) << 16 | float(random, 5, 10),
            Class::V => float(random, 8, 7) << 16 | float(random, 8, 7),
        }
    }
}

/// An integer: any bits, a small number, or one near a power of two. Those of 64 bits are at times two of 32, so that
/// upper halves are equal and lower ones are not.
pub fn integer(random: &mut Random, bits: u32) -> u64 {
    let all = u64::MAX >> (64 - bits);
    if bits == 64 && random.one_in(3) {
        let high = random.pick(&[0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff]);
        return high << 32 | integer(random, 32);
    }
    let value = match random.below(6) {
        0 | 1 => random.bits(),
        2 => random.number_below(20),
        3 => 0u64.wrapping_sub(random.number_below(5)),
        4 => (1u64 << random.below(bits as usize)).wrapping_sub(random.number_below(2)),
        _ => (1u64 << (bits - 1))
            .wrapping_add(random.number_below(3))
            .wrapping_sub(1),
    };
    value & all
}

/// A float: mostly of moderate size, at times special, subnormal, huge or near an integer.
fn float(random: &mut Random, exponent: u32, fraction: u32) -> u64 {
    let bias = (1u64 << (exponent - 1)) - 1;
    let top = (1u64 << exponent) - 1;
    let sign = (random.bits() & 1) << (exponent + fraction);
    let noise = random.bits() & ((1 << fraction) - 1);
    // Few bits of fraction: sums and products are exact at times, and comparisons equal.
    let short = noise & !((1 << (fraction - 3)) - 1);
    let near = |random: &mut Random, range: u64| bias - range / 2 + random.number_below(range);
    let (high, low) = match random.below(16) {
        0 => (0, 0),
        1 => (0, noise),
        2 => (top, 0),
        3 => (top, 1 << (fraction - 1)),
        4 => (top - 1, noise),
        5 => (1, short),
        6 => (random.number_below(top), noise),
        7 => (bias, 0),
        8..=11 => (near(random, 6), short),
        _ => (near(random, 12.min(bias)), noise),
    };
    sign | high << fraction | low
}
