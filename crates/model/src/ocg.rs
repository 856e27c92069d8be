//! Atomic intrinsics of the assembler's code generator (OCG): tokens, checks, modifier word.
//!
//! An intrinsic's name arrives as an array of tokens, one a qualifier. They are read into
//! [`Qualifiers`], checked together with the operands' types in ten steps, and packed into the word
//! that goes with the instruction:
//!
//! ```text
//!   [0, 4, 10, 11] ──parse──► Qualifiers ──validate──► Modifier ──pack──► 0x6000_009B
//!    relaxed gpu u32 add       + operand types, faults under NV7308
//!
//!   31    28        14  13 12   10   8   7   5 4   2   1    0
//!  ┌────────┬──────┬──────┬───────┬─┬────┬─────┬─────┬────┬─────┐
//!  │  0x6   │  0   │ type │  op   │0│ red│order│scope│data│ addr│   data, addr: type is u32
//!  └────────┴──────┴──────┴───────┴─┴────┴─────┴─────┴────┴─────┘
//! ```
//!
//! None of it can be seen from outside the tools; it is kept as described. There are nineteen tokens
//! (0 to 18), none for `cas` and `exch`. Type number 12 is called `.f32` in the description, while
//! every message that lists the types says u64 in its place; the number is what counts here.

use crate::{AtomicOp, Ordering, Scope};
use std::fmt;

/// The code of every fault below.
pub const CODE: &str = "NV7308";

/// Where the memory lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Domain {
    /// Global memory, when nothing is said.
    Global,
    /// Shared memory, number 5.
    Shared,
    /// Device memory mapped for input and output, number 12.
    Mmio,
    /// A domain that atomics do not have, by its number.
    Other(u8),
}

/// How wide the operand is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Width {
    /// 32 bits, number 1, when nothing is said.
    Bits32,
    /// 64 bits, number 2.
    Bits64,
    /// A vector of two or four, number 4.
    Vector,
}

/// An operand type by its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DataType(pub u8);

impl DataType {
    /// Nothing was said.
    pub const UNSPECIFIED: DataType = DataType(1);
    /// `.u32`, or `.u64` when the width is 64 bits.
    pub const U32: DataType = DataType(10);
    /// `.s32`
    pub const S32: DataType = DataType(11);
    /// `.f32`; see the module's text.
    pub const F32: DataType = DataType(12);
}

impl fmt::Display for DataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            DataType::U32 => f.write_str("u32"),
            DataType::S32 => f.write_str("s32"),
            DataType::F32 => f.write_str("f32"),
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
    /// The operand's width.
    Width(Width),
    /// The operand's type.
    Type(DataType),
    /// The operation.
    Op(AtomicOp),
}

/// The tokens; a row's place is its number.
pub static TOKENS: [Token; 19] = [
    Token::Order(Ordering::Relaxed),
    Token::Domain(Domain::Mmio),
    Token::Domain(Domain::Shared),
    Token::Scope(Scope::Cta),
    Token::Scope(Scope::Gpu),
    Token::NoReturn,
    Token::Width(Width::Bits64),
    Token::Width(Width::Vector),
    Token::Type(DataType::F32),
    Token::Type(DataType::S32),
    Token::Type(DataType::U32),
    Token::Op(OPS[0]),
    Token::Op(OPS[1]),
    Token::Op(OPS[2]),
    Token::Op(OPS[3]),
    Token::Op(OPS[4]),
    Token::Op(OPS[5]),
    Token::Op(OPS[6]),
    Token::Op(OPS[7]),
];

/// The operations by their number in the word.
const OPS: [AtomicOp; 8] = [
    AtomicOp::Add,
    AtomicOp::Min,
    AtomicOp::Max,
    AtomicOp::Inc,
    AtomicOp::Dec,
    AtomicOp::And,
    AtomicOp::Or,
    AtomicOp::Xor,
];

/// The qualifiers of one intrinsic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Qualifiers {
    /// Relaxed, or nothing was said.
    pub order: Option<Ordering>,
    /// Where the memory lies.
    pub domain: Domain,
    /// Whether the access has mmio semantics.
    pub mmio: bool,
    /// Block or device, or nothing was said.
    pub scope: Option<Scope>,
    /// Whether it gives no result back.
    pub no_return: bool,
    /// How wide the operand is.
    pub width: Width,
    /// The operand's type.
    pub ty: DataType,
    /// The operation, or nothing was said.
    pub op: Option<AtomicOp>,
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
        ty: DataType::UNSPECIFIED,
        op: None,
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
                Some(Token::Type(ty)) => read.ty = *ty,
                Some(Token::Op(op)) => read.op = Some(*op),
                None => {}
            }
        }
        read
    }
}

/// An intrinsic with the types of its operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Intrinsic<'a> {
    /// What its name says.
    pub qualifiers: Qualifiers,
    /// The type of the address.
    pub address: DataType,
    /// The types of the data operands.
    pub data: &'a [DataType],
}

/// What a check found, by step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Step 1: the domain is none that atomics have.
    Domain,
    /// Step 2: the number of data operands is not that of the vector.
    VectorCount,
    /// Step 3: no type was given.
    TypeMissing,
    /// Step 4: a vector of something else than `u32` and type 12.
    VectorType,
    /// Step 5: no operation was given.
    OpMissing,
    /// Step 6: a reduction in shared memory that is not an addition. The message says "global".
    SharedReduction,
    /// Step 7: a scope without an order. A warning.
    ScopeWithoutOrder,
    /// Step 7: an order without a scope.
    OrderWithoutScope,
    /// Step 8: mmio semantics outside global memory.
    MmioDomain,
    /// Step 9: the operation does not take the type at this width.
    TypeOp,
    /// Step 9: the type does not have this width.
    TypeWidth,
    /// Step 10: a data operand is of another type than was said.
    OperandType,
    /// Step 10: the address is of a type that addresses do not have.
    AddressType(DataType),
}

impl Fault {
    /// Every kind of fault, in the order of the steps.
    pub const ALL: [Fault; 13] = [
        Fault::Domain,
        Fault::VectorCount,
        Fault::TypeMissing,
        Fault::VectorType,
        Fault::OpMissing,
        Fault::SharedReduction,
        Fault::ScopeWithoutOrder,
        Fault::OrderWithoutScope,
        Fault::MmioDomain,
        Fault::TypeOp,
        Fault::TypeWidth,
        Fault::OperandType,
        Fault::AddressType(DataType::UNSPECIFIED),
    ];

    /// The step of the chain that finds it, 1 to 10.
    pub fn step(self) -> u8 {
        match self {
            Fault::Domain => 1,
            Fault::VectorCount => 2,
            Fault::TypeMissing => 3,
            Fault::VectorType => 4,
            Fault::OpMissing => 5,
            Fault::SharedReduction => 6,
            Fault::ScopeWithoutOrder | Fault::OrderWithoutScope => 7,
            Fault::MmioDomain => 8,
            Fault::TypeOp | Fault::TypeWidth => 9,
            Fault::OperandType | Fault::AddressType(_) => 10,
        }
    }

    /// Whether the intrinsic is compiled all the same.
    pub fn is_warning(self) -> bool {
        self == Fault::ScopeWithoutOrder
    }

    /// The whole text as the tools print it, with the intrinsic's name. The spelling is theirs.
    pub fn text(self, intrinsic: &str) -> String {
        format!("Instrinsic - \"{intrinsic}\": {self}")
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fault::Domain => "Domain param '_shared' or '_global' required",
            Fault::VectorCount => "Vector type does not match number of subops",
            Fault::TypeMissing => "Type {u32, s32, u64} not specified",
            Fault::VectorType => "Vector supported only for {u32, u64}",
            Fault::OpMissing => "Op {add, min, max, inc, dec, and, or, xor} not specified",
            Fault::SharedReduction => "Unsupported non _add global memory reduction",
            Fault::ScopeWithoutOrder => "Deprecated scope without memory order semantics",
            Fault::OrderWithoutScope => "Required scope with memory order semantics",
            Fault::MmioDomain => "Domain param '_global' required for mmio semantics",
            Fault::TypeOp => "Invalid data type / op combination",
            Fault::TypeWidth => "Invalid vector / data type combination",
            Fault::OperandType => "Operand type does not match specified type",
            Fault::AddressType(ty) => {
                return write!(f, "Unexpected instrinsic type ({ty}) in param (0)");
            }
        })
    }
}

impl std::error::Error for Fault {}

/// The chain, a function a step.
static STEPS: [fn(&Intrinsic) -> Option<Fault>; 10] = [
    |i| matches!(i.qualifiers.domain, Domain::Other(_)).then_some(Fault::Domain),
    |i| (!i.has_right_count()).then_some(Fault::VectorCount),
    |i| (i.qualifiers.ty == DataType::UNSPECIFIED).then_some(Fault::TypeMissing),
    |i| {
        let takes = matches!(i.qualifiers.ty, DataType::U32 | DataType::F32);
        (i.qualifiers.width == Width::Vector && !takes).then_some(Fault::VectorType)
    },
    |i| i.qualifiers.op.is_none().then_some(Fault::OpMissing),
    |i| {
        let q = i.qualifiers;
        let reduces = q.domain == Domain::Shared && q.no_return;
        (reduces && q.op != Some(AtomicOp::Add)).then_some(Fault::SharedReduction)
    },
    |i| match (i.qualifiers.scope, i.qualifiers.order) {
        (Some(_), None) => Some(Fault::ScopeWithoutOrder),
        (None, Some(_)) => Some(Fault::OrderWithoutScope),
        _ => None,
    },
    |i| (i.qualifiers.mmio && i.qualifiers.domain == Domain::Shared).then_some(Fault::MmioDomain),
    |i| match (i.qualifiers.ty, i.qualifiers.width) {
        (DataType::S32, Width::Bits64 | Width::Vector) => Some(Fault::TypeWidth),
        (DataType::F32, Width::Bits64) if i.qualifiers.op != Some(AtomicOp::Add) => {
            Some(Fault::TypeOp)
        }
        _ => None,
    },
    |i| {
        if i.data.iter().any(|ty| *ty != i.qualifiers.ty) {
            return Some(Fault::OperandType);
        }
        let takes = matches!(i.address, DataType::U32 | DataType::F32);
        (!takes).then_some(Fault::AddressType(i.address))
    },
];

impl Intrinsic<'_> {
    /// One operand; two for mmio; two or four for a vector.
    fn has_right_count(&self) -> bool {
        let counts: &[usize] = match self.qualifiers.width {
            Width::Vector => &[2, 4],
            _ if self.qualifiers.mmio => &[2],
            _ => &[1],
        };
        counts.contains(&self.data.len())
    }

    /// Runs the chain up to its first error: the modifier, or what was found. A missing operation
    /// is reported twice, as the tools do.
    ///
    /// ```
    /// use warpc_model::ocg::{DataType, Fault, Intrinsic, Qualifiers};
    /// let intrinsic = |tokens: &[u32]| Intrinsic {
    ///     qualifiers: Qualifiers::parse(tokens),
    ///     address: DataType::U32,
    ///     data: &[DataType::U32],
    /// };
    /// let (modifier, warnings) = intrinsic(&[0, 4, 10, 11]).validate().unwrap();
    /// assert_eq!(modifier.pack(), Some(0x6000_009B));
    /// assert!(warnings.is_empty());
    /// assert_eq!(intrinsic(&[0, 4, 11]).validate(), Err(vec![Fault::TypeMissing]));
    /// ```
    pub fn validate(&self) -> Result<(Modifier, Vec<Fault>), Vec<Fault>> {
        let mut found = Vec::new();
        for step in STEPS {
            let Some(fault) = step(self) else { continue };
            found.push(fault);
            if fault == Fault::OpMissing {
                found.push(fault);
            }
            if !fault.is_warning() {
                return Err(found);
            }
        }
        let q = self.qualifiers;
        let modifier = Modifier {
            ty: match (q.ty, q.width) {
                (DataType::S32, _) => WordType::S32,
                (DataType::U32, Width::Bits32 | Width::Vector) => WordType::U32,
                _ => WordType::U64OrF32,
            },
            op: q.op.expect("step 5 found an operation"),
            no_return: q.no_return,
            order: q.order,
            scope: q.scope,
            data_is_u32: q.ty == DataType::U32,
            address_is_u32: self.address == DataType::U32,
        };
        Ok((modifier, found))
    }
}

/// The type as the word has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WordType {
    /// 0
    U32,
    /// 1
    S32,
    /// 2: the word does not tell the two apart.
    U64OrF32,
}

/// What the modifier word holds. It has no bits for the domain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Modifier {
    /// The type.
    pub ty: WordType,
    /// One of the eight operations with a token.
    pub op: AtomicOp,
    /// Whether it gives no result back.
    pub no_return: bool,
    /// Relaxed, or nothing was said.
    pub order: Option<Ordering>,
    /// Block or device, or nothing was said.
    pub scope: Option<Scope>,
    /// Whether the data are of type `u32`.
    pub data_is_u32: bool,
    /// Whether the address is of type `u32`.
    pub address_is_u32: bool,
}

const MARK: u32 = 0x6000_0000;
const RELAXED: u32 = 4;
const CTA: u32 = 5;
const GPU: u32 = 6;

impl Modifier {
    /// The word; `None` when a field holds something that no token can set.
    pub fn pack(self) -> Option<u32> {
        let op = OPS.iter().position(|op| *op == self.op)? as u32;
        let order = match self.order {
            None => 0,
            Some(Ordering::Relaxed) => RELAXED,
            Some(_) => return None,
        };
        let scope = match self.scope {
            None => 0,
            Some(Scope::Cta) => CTA,
            Some(Scope::Gpu) => GPU,
            Some(_) => return None,
        };
        let word = MARK
            | (self.ty as u32) << 13
            | op << 10
            | u32::from(self.no_return) << 8
            | order << 5
            | scope << 2
            | u32::from(self.data_is_u32) << 1
            | u32::from(self.address_is_u32);
        Some(word)
    }

    /// The modifier that packs to this word; `None` if none does.
    pub fn unpack(word: u32) -> Option<Modifier> {
        let modifier = Modifier {
            ty: match word >> 13 & 3 {
                0 => WordType::U32,
                1 => WordType::S32,
                2 => WordType::U64OrF32,
                _ => return None,
            },
            op: OPS[(word >> 10 & 7) as usize],
            no_return: word & 1 << 8 != 0,
            order: match word >> 5 & 7 {
                0 => None,
                RELAXED => Some(Ordering::Relaxed),
                _ => return None,
            },
            scope: match word >> 2 & 7 {
                0 => None,
                CTA => Some(Scope::Cta),
                GPU => Some(Scope::Gpu),
                _ => return None,
            },
            data_is_u32: word & 2 != 0,
            address_is_u32: word & 1 != 0,
        };
        (modifier.pack() == Some(word)).then_some(modifier)
    }
}

#[cfg(test)]
mod tests;
