//! Instructions and operands in memory.
//!
//! ```text
//!   @%p1 atom.global.add.u32 %r1, [%rd2+4], 1;
//!    │    │                   └┬┘  └──┬──┘  └─ Operand::Int
//!  Guard Mnemonic: form and    │   Operand::Address -> children [Name %rd2, Int 4]
//!        modifier values,   Operand::Name
//!        interned in the module
//! ```
//!
//! All operands of a function body lie in one array; an instruction holds the range of its own, a
//! vector or an address the range of its children.

use crate::form::FormId;
use crate::symbol::Symbol;
use crate::types::ScalarType;
use smallvec::SmallVec;
use std::fmt;
use warpc_diag::Span;

/// A place in the source. It takes no part in comparisons: two modules are equal when they say the
/// same, wherever it was written.
#[derive(Clone, Copy, Debug, Default)]
pub struct At(pub Span);

impl PartialEq for At {
    fn eq(&self, _: &At) -> bool {
        true
    }
}

/// A run of operands in a body's operand array.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OperandRange {
    /// Index of the first.
    pub start: u32,
    /// How many.
    pub len: u16,
}

impl OperandRange {
    /// The indices.
    pub fn indices(self) -> std::ops::Range<usize> {
        self.start as usize..self.start as usize + usize::from(self.len)
    }
}

/// Index into [`crate::Module::mnemonics`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MnemonicId(pub u32);

/// An opcode with its modifiers, resolved against the instruction tables.
///
/// Several forms may share the same modifiers and differ in their operands, so a mnemonic lists
/// all forms it may stand for; the instruction says which one it is.
#[derive(Clone, PartialEq, Debug)]
pub struct Mnemonic {
    /// Every form that has exactly these modifiers, in table order. Never empty.
    pub choices: SmallVec<[Choice; 1]>,
}

/// One form and the values its modifier slots have.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    /// The form.
    pub form: FormId,
    /// For each slot of the form the index of its value, or [`Choice::ABSENT`].
    pub values: SmallVec<[u8; 16]>,
}

impl Choice {
    /// Marks an optional slot that was left out.
    pub const ABSENT: u8 = u8::MAX;

    /// The token in the slot with this name, with its dot: `.u32`.
    pub fn token(&self, slot: &str) -> Option<&'static str> {
        let slots = self.form.slots();
        let i = slots.iter().position(|s| s.name == slot)?;
        let value = *self.values.get(i)?;
        (value != Choice::ABSENT).then(|| slots[i].values[usize::from(value)].text)
    }

    /// Whether the slot is filled, or the literal modifier is there.
    pub fn has(&self, slot: &str) -> bool {
        self.token(slot).is_some()
    }

    /// The type in the slot with this name.
    pub fn scalar(&self, slot: &str) -> Option<ScalarType> {
        ScalarType::find(self.token(slot)?.strip_prefix('.')?)
    }
}

/// `@p` or `@!p`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Guard {
    /// The predicate register.
    pub register: Symbol,
    /// Whether the instruction runs when the predicate is false.
    pub negated: bool,
    /// Where the register stands.
    pub at: At,
}

/// One instruction.
#[derive(Clone, PartialEq, Debug)]
pub struct Inst {
    /// Opcode and modifiers.
    pub mnemonic: MnemonicId,
    /// Which of the mnemonic's choices its operands selected: by their looks after parsing, by their
    /// types after [`crate::check`].
    pub choice: u8,
    /// The predicate it hangs on.
    pub guard: Option<Guard>,
    /// Its operands, in the body's array.
    pub operands: OperandRange,
    /// From the opcode to the semicolon.
    pub at: At,
}

/// The piece of a register that is meant: `.x` of a vector, `.b0` or `.h10` of a video operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Part {
    Whole,
    X,
    Y,
    Z,
    W,
    /// `.b0`, `.b3210`
    Bytes(Lanes),
    /// `.h1`, `.h10`
    Halves(Lanes),
}

/// Up to four numbers of bytes or halves, from 0 to 7, as they are written: the most significant
/// first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lanes {
    count: u8,
    /// Four bits each, the last written lowest.
    numbers: u16,
}

impl Lanes {
    fn find(digits: &[u8]) -> Option<Lanes> {
        if !matches!(digits.len(), 1..=4) || !digits.iter().all(|d| matches!(d, b'0'..=b'7')) {
            return None;
        }
        let numbers = digits
            .iter()
            .fold(0, |all, d| all << 4 | u16::from(d - b'0'));
        Some(Lanes {
            count: digits.len() as u8,
            numbers,
        })
    }

    /// How many there are.
    pub fn count(self) -> usize {
        usize::from(self.count)
    }

    /// The numbers, in the order in which they are written.
    pub fn numbers(self) -> impl Iterator<Item = u8> {
        (0..self.count)
            .rev()
            .map(move |i| (self.numbers >> (4 * i) & 7) as u8)
    }
}

impl Part {
    /// Finds a part by the text after the dot. Colour names are other names of the vector's.
    pub fn find(text: &[u8]) -> Option<Part> {
        Some(match text {
            b"x" | b"r" => Part::X,
            b"y" | b"g" => Part::Y,
            b"z" | b"b" => Part::Z,
            b"w" | b"a" => Part::W,
            [b'b', digits @ ..] => Part::Bytes(Lanes::find(digits)?),
            [b'h', digits @ ..] => Part::Halves(Lanes::find(digits)?),
            _ => return None,
        })
    }

    /// The text of an element with its dot; empty for the whole and for what is not an element.
    pub fn element_text(self) -> &'static str {
        match self {
            Part::X => ".x",
            Part::Y => ".y",
            Part::Z => ".z",
            Part::W => ".w",
            Part::Whole | Part::Bytes(_) | Part::Halves(_) => "",
        }
    }

    /// Whether it selects an element of a vector register.
    pub fn is_element(self) -> bool {
        matches!(self, Part::X | Part::Y | Part::Z | Part::W)
    }

    /// Whether it selects bytes or halves of a scalar register.
    pub fn is_selector(self) -> bool {
        matches!(self, Part::Bytes(_) | Part::Halves(_))
    }
}

impl fmt::Display for Part {
    /// With the dot; nothing for the whole.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (letter, lanes) = match self {
            Part::Bytes(lanes) => ('b', lanes),
            Part::Halves(lanes) => ('h', lanes),
            _ => return f.write_str(self.element_text()),
        };
        write!(f, ".{letter}")?;
        lanes.numbers().try_for_each(|n| write!(f, "{n}"))
    }
}

/// What stands before a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Sign {
    /// Nothing.
    Plain,
    /// `!`
    Not,
    /// `-`
    Minus,
}

/// An integer constant. PTX computes with 64 bits, signed unless something says otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Int {
    /// The value's bits.
    pub bits: u64,
    /// Whether it is of type `.u64` rather than `.s64`.
    pub unsigned: bool,
    /// Whether it was written (and is printed) in hexadecimal.
    pub hex: bool,
}

impl Int {
    /// A signed decimal constant.
    pub fn signed(value: i64) -> Int {
        Int {
            bits: value as u64,
            unsigned: false,
            hex: false,
        }
    }

    /// The number with the other sign, in 64 bits. The smallest signed number is signed, though the
    /// literal after its sign is too large to be.
    pub fn negated(self) -> Int {
        Int {
            bits: self.bits.wrapping_neg(),
            unsigned: self.unsigned && self.bits != 1 << 63,
            hex: false,
        }
    }

    /// The mathematical value.
    pub fn value(self) -> i128 {
        if self.unsigned {
            i128::from(self.bits)
        } else {
            i128::from(self.bits as i64)
        }
    }
}

/// One operand.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Operand {
    /// A register, special register, variable, function or label.
    Name {
        /// The name.
        symbol: Symbol,
        /// The piece of it.
        part: Part,
        /// What stands before it.
        sign: Sign,
    },
    /// An integer constant.
    Int(Int),
    /// A single-precision constant, as bits.
    F32(u32),
    /// A double-precision constant, as bits.
    F64(u64),
    /// `name+4`: an address computed when the module is linked. Two children, name and
    /// [`Operand::Int`].
    Offset(OperandRange),
    /// `name[4]`, `name[%r1]`, `name[%r1+4]`: a place in an array. The children are the name, the
    /// index, and an [`Operand::Int`] if something is added to it.
    Element(OperandRange),
    /// `_`: the value is not wanted.
    Sink,
    /// `{a, b}`
    Vector(OperandRange),
    /// `d|p`
    Pair(OperandRange),
    /// `[base]` or `[base+offset]`: one child, or two with an [`Operand::Int`] last.
    Address {
        /// Base and offset.
        items: OperandRange,
        /// Whether `.unified` follows.
        unified: bool,
    },
    /// `[a, b, {c, d}]`: a texture, surface or tensor with its coordinates.
    Group(OperandRange),
    /// `(a, b)`: arguments or results of a call.
    List(OperandRange),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts() {
        for text in ["x", "w", "b0", "b3210", "h10", "h1", "b7654"] {
            let part = Part::find(text.as_bytes()).unwrap();
            assert_eq!(part.to_string(), format!(".{text}"));
        }
        assert_eq!(Part::find(b"r"), Some(Part::X));
        assert_eq!(Part::find(b"b"), Some(Part::Z));
        for text in ["b8", "b01234", "h", "w0", "hx", ""] {
            assert_eq!(Part::find(text.as_bytes()), None, "{text}");
        }
    }
}
