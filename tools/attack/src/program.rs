//! Programs in memory.
//!
//! ```text
//!   make ──► Program ──interpret──► expected bytes, and what was seen of every instruction
//!               │                                      │
//!               └──────────────────text ◄──────────────┘   flags where they hold, guards where they are needed
//! ```
//!
//! Every operation has a meaning for all operands: a shift takes its amount modulo the width, a
//! division by zero divides by one, a NaN is the one NaN where its bits can be seen. The text has the
//! instructions for that only where a run needed them. So a program is never undefined, and most of
//! it is as plain as a compiler would write it.

use crate::float::{Single, Two};
use crate::ty::Ty;

/// The number of a value in its function.
pub type Id = usize;

/// What an instruction works on.
#[derive(Clone, PartialEq, Debug)]
pub enum Arg {
    /// A value.
    Local(Id),
    /// A constant.
    Const(Ty, Vec<u128>),
}

/// Operations on two integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum IntOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
    SMin,
    SMax,
    UMin,
    UMax,
    SAddSat,
    UAddSat,
    SSubSat,
    USubSat,
    SShlSat,
    UShlSat,
}

/// Operations on one integer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum BitOp {
    Ctpop,
    Ctlz,
    Cttz,
    Bswap,
    BitReverse,
    Abs,
}

/// Where in memory.
#[derive(Clone, PartialEq, Debug)]
pub struct Place {
    /// The object.
    pub object: usize,
    /// Another, if a condition (an operand) is false.
    pub other: Option<usize>,
    /// Bytes from its beginning.
    pub offset: u64,
    /// An operand counts elements of so many bytes, after so many of its bits were kept.
    pub index: Option<(u64, u32)>,
}

/// What an instruction does.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum Op {
    Int(IntOp),
    Bit(BitOp),
    /// Position in [`ICMP`].
    Cmp(usize),
    /// `scmp` or `ucmp`.
    Sign(bool),
    /// `fshl` or `fshr`.
    Funnel(bool),
    /// Signed; an operation.
    Overflow(bool, IntOp),
    Reduce(IntOp),
    Select,
    Trunc,
    ZExt,
    SExt,
    Bitcast,
    Freeze,
    Extract,
    Insert,
    Shuffle(Vec<u32>),
    GetField(usize),
    SetField(usize),
    Float(Two),
    FloatOne(Single),
    Fma,
    /// Position in [`crate::float::PREDICATES`].
    FCmp(usize),
    Canonical,
    FpConvert,
    FromInt(bool),
    ToInt(bool),
    Load(Place),
    /// The operand, after it was stored.
    Store(Place),
    /// The operand, after it was stored to one object, copied to the other, if there is one, and loaded.
    Spill(usize, Option<usize>),
    /// Copies bytes; `true` if they may overlap.
    Copy {
        to: Place,
        from: Place,
        bytes: u64,
        may_overlap: bool,
    },
    Set {
        to: Place,
        bytes: u64,
    },
    /// Operands are those of its parameters; the places for its pointers.
    Call(usize, Vec<Place>),
}

/// Predicates of `icmp`.
pub const ICMP: [&str; 10] = [
    "eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle",
];

/// An instruction.
#[derive(Clone, Debug)]
pub struct Inst {
    /// Its number; its type is in the function.
    pub id: Id,
    /// What it does.
    pub op: Op,
    /// Operands.
    pub args: Vec<Arg>,
}

/// A way to a block, with the values its slots get.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The block.
    pub to: usize,
    /// One value for each slot.
    pub values: Vec<Arg>,
}

/// How a block ends.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Term {
    Jump(Edge),
    Branch(Arg, Edge, Edge),
    Switch(Arg, Vec<(u128, Edge)>, Edge),
    Return(Vec<Arg>),
}

/// A block.
#[derive(Clone, Debug)]
pub struct Block {
    /// Values that depend on the way here.
    pub slots: Vec<Id>,
    /// Instructions.
    pub insts: Vec<Inst>,
    /// The end.
    pub term: Term,
}

/// What an object in memory is.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum Kind {
    /// The kernel's input, a part for each thread.
    Input,
    /// `alloca`
    Stack,
    /// A variable with a part for each thread, in an address space.
    Variable(u32),
    /// Bytes that never change, in an address space.
    Table(u32, Vec<u8>),
    /// A parameter of the kernel, by value.
    Parameter(Vec<u8>),
    /// A parameter of a function, by value.
    ByValue(Ty),
    /// A pointer to an object of the caller.
    Reference,
}

/// A piece of memory.
#[derive(Clone, Debug)]
pub struct Object {
    /// What it is.
    pub kind: Kind,
    /// Bytes.
    pub size: u64,
    /// Alignment.
    pub align: u64,
}

impl Object {
    /// Whether it may be written.
    pub fn is_writable(&self) -> bool {
        !matches!(self.kind, Kind::Input | Kind::Table(..))
    }
}

/// A function; the last of a program is the kernel.
#[derive(Clone, Debug)]
pub struct Function {
    /// Types of parameters that are values; they are the first values.
    pub params: Vec<Ty>,
    /// Types of results: one for functions, what is written for a kernel.
    pub results: Vec<Ty>,
    /// Memory.
    pub objects: Vec<Object>,
    /// Types of values.
    pub types: Vec<Ty>,
    /// Blocks; the first is the entry, and has no slots.
    pub blocks: Vec<Block>,
    /// Attributes: `noinline`, `alwaysinline` …
    pub attributes: &'static str,
}

impl Function {
    /// The type of an operand.
    pub fn ty(&self, arg: &Arg) -> Ty {
        match arg {
            Arg::Local(id) => self.types[*id].clone(),
            Arg::Const(ty, _) => ty.clone(),
        }
    }

    /// Objects that its callers pass.
    pub fn pointers(&self) -> Vec<usize> {
        let passed =
            |i: &usize| matches!(self.objects[*i].kind, Kind::ByValue(_) | Kind::Reference);
        (0..self.objects.len()).filter(passed).collect()
    }
}

/// A program.
#[derive(Clone, Debug)]
pub struct Program {
    /// Where its chances start.
    pub seed: u64,
    /// Functions; each calls only those before it.
    pub functions: Vec<Function>,
    /// The input of each thread.
    pub input: Vec<Vec<u8>>,
    /// Attributes of all functions that say how subnormal numbers are treated, or nothing.
    pub denormals: &'static str,
}

/// Threads of a program.
pub const THREADS: usize = 16;

/// What did not hold in some run of an instruction.
pub mod seen {
    #![allow(missing_docs)]
    pub const RAN: u32 = 1 << 0;
    pub const NUW: u32 = 1 << 1;
    pub const NSW: u32 = 1 << 2;
    pub const EXACT: u32 = 1 << 3;
    pub const DISJOINT: u32 = 1 << 4;
    pub const NNEG: u32 = 1 << 5;
    pub const SAMESIGN: u32 = 1 << 6;
    /// The total meaning was needed.
    pub const GUARD: u32 = 1 << 7;
    /// The value for which `ctlz`, `cttz` or `abs` may be told to give poison.
    pub const SPECIAL: u32 = 1 << 8;
    pub const NAN: u32 = 1 << 9;
    pub const INF: u32 = 1 << 10;
    pub const ZERO: u32 = 1 << 11;
    pub const SUBNORMAL: u32 = 1 << 12;
    /// A product that was rounded.
    pub const ROUNDED: u32 = 1 << 13;
    /// A number that is not a small integer.
    pub const LARGE: u32 = 1 << 14;
}
