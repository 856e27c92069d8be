//! Operands of instructions, as data.
//!
//! A [`Value`] says what an operand is; the [`Slot`](crate::shape::Slot) of the shape that it stands in says how it is
//! stored and written: the number 7 is `0x7` in one slot, `7` in another, and `{2,1,0}` in a third.

/// What an operand is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// `R5`; 255 is `RZ`.
    Register(u8),
    /// `UR5`; 255 is `URZ` on every chip.
    Uniform(u8),
    /// `P5`; 7 is `PT`.
    Predicate(u8),
    /// `UP5`; 7 is `UPT`.
    UniformPredicate(u8),
    /// `B5`, a convergence barrier; numbers from 16 on are other state of a warp.
    Barrier(u8),
    /// `c[0x0][0x28]`
    Constant {
        /// The bank.
        bank: u8,
        /// The offset in it.
        offset: i32,
    },
    /// `cx[UR4][0x28]`
    Bindless {
        /// The uniform register with the bank; 255 is `URZ`.
        base: u8,
        /// The offset in it.
        offset: i32,
    },
    /// A number, the bits of a floating-point number, or a set with one bit for each member.
    Number(i64),
    /// A special register, `SR_TID.X`.
    Special(u8),
    /// A place in the code, in bytes from the end of the instruction.
    Place(i64),
    /// A place in the code that has no address yet: its number in a table that the caller keeps.
    Label(u32),
    /// What the linker will put here: its number in a table that the caller keeps.
    Symbol(u32),
}

impl Value {
    /// The register that is always zero.
    pub const ZERO: Value = Value::Register(255);
    /// The uniform register that is always zero.
    pub const UNIFORM_ZERO: Value = Value::Uniform(255);
    /// The predicate that is always true.
    pub const TRUE: Value = Value::Predicate(7);
    /// The uniform predicate that is always true.
    pub const UNIFORM_TRUE: Value = Value::UniformPredicate(7);

    /// The number, if it is one.
    pub fn number(self) -> Option<i64> {
        match self {
            Value::Number(number) => Some(number),
            _ => None,
        }
    }
}

/// What is done to an operand before it is used.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Marks(pub u8);

impl Marks {
    /// Nothing.
    pub const NONE: Marks = Marks(0);
    /// `!`
    pub const NOT: Marks = Marks(1);
    /// `-`
    pub const MINUS: Marks = Marks(2);
    /// `~`
    pub const TILDE: Marks = Marks(4);
    /// `|…|`
    pub const BARS: Marks = Marks(8);
    /// `.reuse`
    pub const REUSE: Marks = Marks(16);

    /// Whether all of these are there.
    pub fn has(self, marks: Marks) -> bool {
        self.0 & marks.0 == marks.0
    }

    /// These and those.
    pub fn and(self, marks: Marks) -> Marks {
        Marks(self.0 | marks.0)
    }
}

/// An operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Operand {
    /// What it is.
    pub value: Value,
    /// What is done to it first.
    pub marks: Marks,
}

impl From<Value> for Operand {
    fn from(value: Value) -> Operand {
        Operand {
            value,
            marks: Marks::NONE,
        }
    }
}

impl Value {
    /// The operand with these marks.
    pub fn marked(self, marks: Marks) -> Operand {
        Operand { value: self, marks }
    }
}
