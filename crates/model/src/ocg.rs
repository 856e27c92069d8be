//! Atomic instructions inside the assembler: tokens, checks, modifier word, opcode.
//!
//! What an `atom` or `red` says becomes an array of tokens, one for each qualifier. They are read into [`Qualifiers`],
//! checked together with the types of the operands in ten steps, and packed into the word that goes with the instruction
//! until its opcode is chosen:
//!
//! ```text
//!   atom.relaxed.gpu.global.add.u32
//!     │ Tokens::of
//!   [0, 4, 10, 11]   relaxed, gpu, u32, add
//!     │ Qualifiers::parse
//!   Qualifiers, and the types of the operands = Intrinsic
//!     │ Intrinsic::validate: ten steps, faults under NV7308
//!   Modifier ──pack──► 0x6000_009A ──unpack──► Modifier, its domain ──Opcode::of──► ATOMG
//! ```
//!
//! | part | is in |
//! |---|---|
//! | tokens and what they mean | here |
//! | the ten steps | [`check`] |
//! | the word | [`word`] |
//! | the opcode, by domain | [`opcode`] |
//!
//! The tokens 0 to 18, the steps and the layout of the word follow the description of ptxas. It describes less than PTX
//! has: sixteen tokens more, and bits that the word leaves free, stand for the rest ([`DESCRIBED`]). A word whose
//! instruction the description covers has none of those bits, except those of a domain other than global memory.
//!
//! The order of an instruction is not in its word: as described, what releases or acquires is done by fences around it,
//! and the instruction itself is relaxed. PTX's defaults (relaxed, device) are filled in before tokens are made.

pub mod check;
pub mod opcode;
pub mod word;

pub use check::{Fault, Intrinsic};
pub use opcode::Opcode;
pub use word::Modifier;

use crate::{Atomic, AtomicOp, AtomicType, Ordering, Scope, StateSpace};
use std::fmt;

/// The code of every fault of [`check`].
pub const CODE: &str = "NV7308";

/// Where the memory lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Domain {
    /// Global memory, when nothing is said.
    Global,
    /// Wherever a generic address points.
    Generic,
    /// Shared memory of the block, number 5.
    Shared,
    /// Shared memory of any block of the cluster.
    SharedCluster,
    /// Device memory mapped for input and output, number 12.
    Mmio,
    /// A domain that atomics do not have.
    Other,
}

impl Domain {
    /// The domain of a state space.
    pub fn of(space: StateSpace) -> Domain {
        match space {
            StateSpace::Global => Domain::Global,
            StateSpace::Generic => Domain::Generic,
            StateSpace::Shared | StateSpace::SharedCta => Domain::Shared,
            StateSpace::SharedCluster => Domain::SharedCluster,
            _ => Domain::Other,
        }
    }

    /// The state space; `None` for a domain that atomics do not have.
    pub fn space(self) -> Option<StateSpace> {
        Some(match self {
            Domain::Global | Domain::Mmio => StateSpace::Global,
            Domain::Generic => StateSpace::Generic,
            Domain::Shared => StateSpace::Shared,
            Domain::SharedCluster => StateSpace::SharedCluster,
            Domain::Other => return None,
        })
    }
}

/// How wide an element is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Width {
    /// 16 bits; not described.
    Bits16,
    /// 32 bits, when nothing is said.
    Bits32,
    /// 64 bits.
    Bits64,
    /// 128 bits; not described.
    Bits128,
}

/// How many elements there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Elements {
    /// It is not a vector.
    One,
    /// A vector, of as many as there are operands: two or four.
    TwoOrFour,
    /// A vector of so many; not described.
    Exactly(u8),
}

/// An operand type by its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DataType(pub u8);

impl DataType {
    /// Nothing was said.
    pub const UNSPECIFIED: DataType = DataType(1);
    /// `.u32` or `.b32`, or an integer or bits of another width.
    pub const U32: DataType = DataType(10);
    /// `.s32`, or a signed integer of 64 bits.
    pub const S32: DataType = DataType(11);
    /// `.f32`, or `.f64` when the width is 64 bits.
    pub const F32: DataType = DataType(12);
    /// `.f16`, or `.f16x2` when the width is 32 bits; not described.
    pub const F16: DataType = DataType(13);
    /// `.bf16`, or `.bf16x2` when the width is 32 bits; not described.
    pub const BF16: DataType = DataType(14);

    /// What the address in a domain is: 32 bits for shared memory of the block, otherwise 64. The description has the
    /// number of `.f32` for the latter, while its messages that list types say `u64` in that place.
    pub fn of_address(domain: Domain) -> DataType {
        match domain {
            Domain::Shared => DataType::U32,
            _ => DataType::F32,
        }
    }

    /// Type and width of a type of PTX; `None` for one that no atomic has.
    pub fn of(ty: AtomicType) -> Option<(DataType, Width)> {
        use AtomicType::*;
        Some(match ty {
            B16 => (DataType::U32, Width::Bits16),
            B32 | U32 => (DataType::U32, Width::Bits32),
            B64 | U64 => (DataType::U32, Width::Bits64),
            B128 => (DataType::U32, Width::Bits128),
            S32 => (DataType::S32, Width::Bits32),
            S64 => (DataType::S32, Width::Bits64),
            F32 => (DataType::F32, Width::Bits32),
            F64 => (DataType::F32, Width::Bits64),
            F16 => (DataType::F16, Width::Bits16),
            F16x2 => (DataType::F16, Width::Bits32),
            Bf16 => (DataType::BF16, Width::Bits16),
            Bf16x2 => (DataType::BF16, Width::Bits32),
            B8 | U8 | U16 | S8 | S16 => return None,
        })
    }

    /// The type of PTX that an operation has for a type and a width; `None` if there is none.
    fn ptx(self, width: Width, op: AtomicOp) -> Option<AtomicType> {
        use AtomicOp::{Add, Dec, Inc, Max, Min};
        use AtomicType::*;
        let counts = matches!(op, Add | Min | Max | Inc | Dec);
        Some(match (self, width) {
            (DataType::U32, Width::Bits16) => B16,
            (DataType::U32, Width::Bits32) if counts => U32,
            (DataType::U32, Width::Bits32) => B32,
            (DataType::U32, Width::Bits64) if counts => U64,
            (DataType::U32, Width::Bits64) => B64,
            (DataType::U32, Width::Bits128) => B128,
            (DataType::S32, Width::Bits32) => S32,
            (DataType::S32, Width::Bits64) => S64,
            (DataType::F32, Width::Bits32) => F32,
            (DataType::F32, Width::Bits64) => F64,
            (DataType::F16, Width::Bits16) => F16,
            (DataType::F16, Width::Bits32) => F16x2,
            (DataType::BF16, Width::Bits16) => Bf16,
            (DataType::BF16, Width::Bits32) => Bf16x2,
            _ => return None,
        })
    }
}

impl fmt::Display for DataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            DataType::U32 => f.write_str("u32"),
            DataType::S32 => f.write_str("s32"),
            DataType::F32 => f.write_str("f32"),
            DataType::F16 => f.write_str("f16"),
            DataType::BF16 => f.write_str("bf16"),
            DataType(number) => write!(f, "type {number}"),
        }
    }
}

/// What a token sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Token {
    /// The memory order; relaxed is the only one.
    Order(Ordering),
    /// The memory domain. The last one given counts, but mmio semantics stay.
    Domain(Domain),
    /// The scope.
    Scope(Scope),
    /// No result is given back.
    NoReturn,
    /// The width of an element.
    Width(Width),
    /// The number of elements.
    Elements(Elements),
    /// The type of an element.
    Type(DataType),
    /// The operation.
    Op(AtomicOp),
    /// Subnormal values are kept.
    NoFlush,
    /// A cache policy comes with the operands.
    Policy,
}

/// How many of the tokens are described; the others are ours.
pub const DESCRIBED: usize = 19;

/// The tokens; a row's place is its number.
pub static TOKENS: [Token; 35] = [
    Token::Order(Ordering::Relaxed),
    Token::Domain(Domain::Mmio),
    Token::Domain(Domain::Shared),
    Token::Scope(Scope::Cta),
    Token::Scope(Scope::Gpu),
    Token::NoReturn,
    Token::Width(Width::Bits64),
    Token::Elements(Elements::TwoOrFour),
    Token::Type(DataType::F32),
    Token::Type(DataType::S32),
    Token::Type(DataType::U32),
    Token::Op(AtomicOp::Add),
    Token::Op(AtomicOp::Min),
    Token::Op(AtomicOp::Max),
    Token::Op(AtomicOp::Inc),
    Token::Op(AtomicOp::Dec),
    Token::Op(AtomicOp::And),
    Token::Op(AtomicOp::Or),
    Token::Op(AtomicOp::Xor),
    // Not described.
    Token::Op(AtomicOp::Exch),
    Token::Op(AtomicOp::Cas),
    Token::Domain(Domain::Generic),
    Token::Domain(Domain::SharedCluster),
    Token::Domain(Domain::Other),
    Token::Scope(Scope::Cluster),
    Token::Scope(Scope::Sys),
    Token::Width(Width::Bits16),
    Token::Width(Width::Bits128),
    Token::Type(DataType::F16),
    Token::Type(DataType::BF16),
    Token::Elements(Elements::Exactly(2)),
    Token::Elements(Elements::Exactly(4)),
    Token::Elements(Elements::Exactly(8)),
    Token::NoFlush,
    Token::Policy,
];

/// The operations by their number in the word. The tokens of the first eight are described, in the same order.
const OPS: [AtomicOp; 10] = [
    AtomicOp::Add,
    AtomicOp::Min,
    AtomicOp::Max,
    AtomicOp::Inc,
    AtomicOp::Dec,
    AtomicOp::And,
    AtomicOp::Or,
    AtomicOp::Xor,
    AtomicOp::Exch,
    AtomicOp::Cas,
];

/// The number of an operation; `None` for one without a token.
fn op_number(op: AtomicOp) -> Option<u32> {
    let place = OPS.iter().position(|one| *one == op)?;
    Some(place as u32)
}

impl Token {
    /// The number; `None` for what no token sets.
    pub fn number(self) -> Option<u32> {
        Some(match self {
            Token::Order(Ordering::Relaxed) => 0,
            Token::Domain(Domain::Mmio) => 1,
            Token::Domain(Domain::Shared) => 2,
            Token::Scope(Scope::Cta) => 3,
            Token::Scope(Scope::Gpu) => 4,
            Token::NoReturn => 5,
            Token::Width(Width::Bits64) => 6,
            Token::Elements(Elements::TwoOrFour) => 7,
            Token::Type(DataType::F32) => 8,
            Token::Type(DataType::S32) => 9,
            Token::Type(DataType::U32) => 10,
            Token::Op(op) => 11 + op_number(op)?,
            Token::Domain(Domain::Generic) => 21,
            Token::Domain(Domain::SharedCluster) => 22,
            Token::Domain(Domain::Other) => 23,
            Token::Scope(Scope::Cluster) => 24,
            Token::Scope(Scope::Sys) => 25,
            Token::Width(Width::Bits16) => 26,
            Token::Width(Width::Bits128) => 27,
            Token::Type(DataType::F16) => 28,
            Token::Type(DataType::BF16) => 29,
            Token::Elements(Elements::Exactly(2)) => 30,
            Token::Elements(Elements::Exactly(4)) => 31,
            Token::Elements(Elements::Exactly(8)) => 32,
            Token::NoFlush => 33,
            Token::Policy => 34,
            // What is so when nothing is said has none, either.
            Token::Order(_)
            | Token::Domain(Domain::Global)
            | Token::Scope(Scope::Thread)
            | Token::Width(Width::Bits32)
            | Token::Type(_)
            | Token::Elements(_) => return None,
        })
    }
}

/// The most tokens that an instruction has.
const MOST: usize = 11;

/// The tokens of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tokens {
    numbers: [u32; MOST],
    count: usize,
}

impl Tokens {
    /// The tokens of an `atom` or `red`, in the order of PTX's modifiers. What no token says is left out, and found
    /// missing by the checks.
    ///
    /// ```
    /// use warpc_model::ocg::Tokens;
    /// use warpc_model::{Atomic, AtomicOp, AtomicType, StateSpace};
    /// let mut atomic = Atomic::new(AtomicOp::Add, AtomicType::U64);
    /// atomic.space = StateSpace::Shared;
    /// assert_eq!(Tokens::of(&atomic).as_slice(), [0, 4, 2, 11, 6, 10]);
    /// ```
    pub fn of(atomic: &Atomic) -> Tokens {
        let mut tokens = Tokens {
            numbers: [0; MOST],
            count: 0,
        };
        // Fences make the others of a relaxed one.
        let order = match atomic.order.unwrap_or(Ordering::Relaxed) {
            Ordering::Acquire | Ordering::Release | Ordering::AcqRel => Ordering::Relaxed,
            order => order,
        };
        tokens.push(Token::Order(order));
        tokens.push(Token::Scope(atomic.scope.unwrap_or(Scope::Gpu)));
        tokens.push(Token::Domain(Domain::of(atomic.space)));
        if !atomic.has_result {
            tokens.push(Token::NoReturn);
        }
        tokens.push(Token::Op(atomic.op));
        if atomic.noftz {
            tokens.push(Token::NoFlush);
        }
        if atomic.cache_hint {
            tokens.push(Token::Policy);
        }
        if atomic.elements != 1 {
            tokens.push(Token::Elements(Elements::TwoOrFour));
            tokens.push(Token::Elements(Elements::Exactly(atomic.elements)));
        }
        if let Some((ty, width)) = DataType::of(atomic.ty) {
            tokens.push(Token::Width(width));
            tokens.push(Token::Type(ty));
        }
        tokens
    }

    fn push(&mut self, token: Token) {
        if let Some(number) = token.number() {
            self.numbers[self.count] = number;
            self.count += 1;
        }
    }

    /// Their numbers.
    pub fn as_slice(&self) -> &[u32] {
        &self.numbers[..self.count]
    }
}

/// The qualifiers of one instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Qualifiers {
    /// Relaxed, or nothing was said.
    pub order: Option<Ordering>,
    /// Where the memory lies.
    pub domain: Domain,
    /// Whether the access has mmio semantics.
    pub mmio: bool,
    /// Among which threads, or nothing was said.
    pub scope: Option<Scope>,
    /// Whether it gives no result back.
    pub no_return: bool,
    /// How wide an element is.
    pub width: Width,
    /// How many elements there are.
    pub elements: Elements,
    /// The type of an element.
    pub ty: DataType,
    /// The operation, or nothing was said.
    pub op: Option<AtomicOp>,
    /// Whether subnormal values are kept.
    pub noftz: bool,
    /// Whether there is a cache policy.
    pub policy: bool,
}

impl Qualifiers {
    /// What an empty token array means.
    pub const DEFAULT: Qualifiers = Qualifiers {
        order: None,
        domain: Domain::Global,
        mmio: false,
        scope: None,
        no_return: false,
        width: Width::Bits32,
        elements: Elements::One,
        ty: DataType::UNSPECIFIED,
        op: None,
        noftz: false,
        policy: false,
    };

    /// Reads a token array; tokens that there are not are passed over.
    ///
    /// ```
    /// use warpc_model::ocg::{DataType, Qualifiers};
    /// use warpc_model::{AtomicOp, Scope};
    /// let qualifiers = Qualifiers::parse(&[0, 4, 10, 11, 99]);
    /// assert_eq!(qualifiers.scope, Some(Scope::Gpu));
    /// assert_eq!(qualifiers.ty, DataType::U32);
    /// assert_eq!(qualifiers.op, Some(AtomicOp::Add));
    /// ```
    pub fn parse(tokens: &[u32]) -> Qualifiers {
        let mut read = Qualifiers::DEFAULT;
        for token in tokens {
            match TOKENS.get(*token as usize) {
                Some(Token::Order(order)) => read.order = Some(*order),
                Some(Token::Domain(domain)) => {
                    read.domain = *domain;
                    read.mmio |= *domain == Domain::Mmio;
                }
                Some(Token::Scope(scope)) => read.scope = Some(*scope),
                Some(Token::NoReturn) => read.no_return = true,
                Some(Token::Width(width)) => read.width = *width,
                Some(Token::Elements(elements)) => read.elements = *elements,
                Some(Token::Type(ty)) => read.ty = *ty,
                Some(Token::Op(op)) => read.op = Some(*op),
                Some(Token::NoFlush) => read.noftz = true,
                Some(Token::Policy) => read.policy = true,
                None => {}
            }
        }
        read
    }
}

#[cfg(test)]
mod tests;
