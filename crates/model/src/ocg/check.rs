//! The ten steps in which the qualifiers and operands of an atomic instruction are checked.
//!
//! Messages are those of the description, word for word. Three steps refuse less than described, because PTX has more,
//! and step 9 refuses more, because the description lets types through that no chip has:
//!
//! | step | described | here |
//! |---|---|---|
//! | 2 | one operand, two or four of a vector | two for `cas`, eight for vectors of eight |
//! | 4 | vectors of types 10 and 12 | also of halves |
//! | 6 | reductions in shared memory can only add | reductions cannot exchange, swap or compare |
//! | 9 | signed integers have 32 bits; 64 bits of type 12 can only be added | what [`crate::atomic::legal::FORMS`] has |

use super::{DataType, Domain, Elements, Modifier, Qualifiers, Tokens, Width};
use crate::atomic::Illegal;
use crate::{Atomic, AtomicOp};
use std::fmt;

/// An instruction with the types of its operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Intrinsic<'a> {
    /// What its tokens say.
    pub qualifiers: Qualifiers,
    /// The type of the address.
    pub address: DataType,
    /// The types of the data operands.
    pub data: &'a [DataType],
}

/// What a check found, by step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Step 1: the domain is not one that atomics have.
    Domain,
    /// Step 2: the number of data operands is not that of the vector.
    VectorCount,
    /// Step 3: no type was given.
    TypeMissing,
    /// Step 4: a vector of a type that vectors do not have.
    VectorType,
    /// Step 5: no operation was given.
    OpMissing,
    /// Step 6: a reduction with an operation that needs its result.
    Reduction,
    /// Step 7: a scope without an order. A warning.
    ScopeWithoutOrder,
    /// Step 7: an order without a scope.
    OrderWithoutScope,
    /// Step 8: mmio semantics outside global memory.
    MmioDomain,
    /// Step 9: the operation does not take the type at this width.
    TypeOp,
    /// Step 9: the type does not have this width, or is not in a vector of this length.
    TypeWidth,
    /// Step 10: a data operand is of another type than was said.
    OperandType,
    /// Step 10: another operand, by its place, is of a type that it cannot have. The address is 0; a cache policy where
    /// none can be comes after the data.
    ParamType(DataType, u8),
}

impl Fault {
    /// Every kind of fault, in the order of the steps.
    pub const ALL: [Fault; 13] = [
        Fault::Domain,
        Fault::VectorCount,
        Fault::TypeMissing,
        Fault::VectorType,
        Fault::OpMissing,
        Fault::Reduction,
        Fault::ScopeWithoutOrder,
        Fault::OrderWithoutScope,
        Fault::MmioDomain,
        Fault::TypeOp,
        Fault::TypeWidth,
        Fault::OperandType,
        Fault::ParamType(DataType::UNSPECIFIED, 0),
    ];

    /// The step that finds it, 1 to 10.
    pub fn step(self) -> u8 {
        match self {
            Fault::Domain => 1,
            Fault::VectorCount => 2,
            Fault::TypeMissing => 3,
            Fault::VectorType => 4,
            Fault::OpMissing => 5,
            Fault::Reduction => 6,
            Fault::ScopeWithoutOrder | Fault::OrderWithoutScope => 7,
            Fault::MmioDomain => 8,
            Fault::TypeOp | Fault::TypeWidth => 9,
            Fault::OperandType | Fault::ParamType(..) => 10,
        }
    }

    /// Whether the instruction is compiled all the same.
    pub fn is_warning(self) -> bool {
        self == Fault::ScopeWithoutOrder
    }

    /// The whole text as the tools print it, with the instruction's name. The spelling is theirs.
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
            Fault::Reduction => "Unsupported non _add global memory reduction",
            Fault::ScopeWithoutOrder => "Deprecated scope without memory order semantics",
            Fault::OrderWithoutScope => "Required scope with memory order semantics",
            Fault::MmioDomain => "Domain param '_global' required for mmio semantics",
            Fault::TypeOp => "Invalid data type / op combination",
            Fault::TypeWidth => "Invalid vector / data type combination",
            Fault::OperandType => "Operand type does not match specified type",
            Fault::ParamType(ty, param) => {
                return write!(f, "Unexpected instrinsic type ({ty}) in param ({param})");
            }
        })
    }
}

impl std::error::Error for Fault {}

/// The steps, a function each.
static STEPS: [fn(&Intrinsic) -> Option<Fault>; 10] = [
    |i| (i.qualifiers.domain == Domain::Other).then_some(Fault::Domain),
    |i| (!i.has_right_count()).then_some(Fault::VectorCount),
    |i| (i.qualifiers.ty == DataType::UNSPECIFIED).then_some(Fault::TypeMissing),
    |i| {
        use DataType as T;
        let takes = matches!(i.qualifiers.ty, T::U32 | T::F32 | T::F16 | T::BF16);
        (i.qualifiers.elements != Elements::One && !takes).then_some(Fault::VectorType)
    },
    |i| i.qualifiers.op.is_none().then_some(Fault::OpMissing),
    |i| {
        let needs_result = matches!(i.qualifiers.op, Some(AtomicOp::Exch | AtomicOp::Cas));
        (i.qualifiers.no_return && needs_result).then_some(Fault::Reduction)
    },
    |i| match (i.qualifiers.scope, i.qualifiers.order) {
        (Some(_), None) => Some(Fault::ScopeWithoutOrder),
        (None, Some(_)) => Some(Fault::OrderWithoutScope),
        _ => None,
    },
    |i| (i.qualifiers.mmio && i.qualifiers.domain != Domain::Mmio).then_some(Fault::MmioDomain),
    |i| i.form_fault(),
    |i| {
        if i.data.iter().any(|ty| *ty != i.qualifiers.ty) {
            return Some(Fault::OperandType);
        }
        if !matches!(i.address, DataType::U32 | DataType::F32) {
            return Some(Fault::ParamType(i.address, 0));
        }
        let fits = !i.qualifiers.policy || i.atomic(true).is_some_and(|one| one.has_form().is_ok());
        let place = 1 + i.data.len() as u8;
        (!fits).then_some(Fault::ParamType(DataType::F32, place))
    },
];

impl Intrinsic<'_> {
    /// How many elements there are, as far as the operands can tell.
    fn elements(&self) -> u8 {
        match self.qualifiers.elements {
            Elements::One => 1,
            Elements::TwoOrFour => self.data.len() as u8,
            Elements::Exactly(count) => count,
        }
    }

    /// As many operands as elements; two for `cas` and for mmio.
    fn has_right_count(&self) -> bool {
        let one = match self.qualifiers.op {
            Some(AtomicOp::Cas) => 2,
            _ if self.qualifiers.mmio => 2,
            _ => 1,
        };
        match self.qualifiers.elements {
            Elements::One => self.data.len() == one,
            Elements::TwoOrFour => matches!(self.data.len(), 2 | 4),
            Elements::Exactly(count) => self.data.len() == usize::from(count),
        }
    }

    /// The instruction of PTX, without its order and scope; `None` if the type does not have the width.
    fn atomic(&self, cache_hint: bool) -> Option<Atomic> {
        let q = &self.qualifiers;
        let op = q.op?;
        Some(Atomic {
            elements: self.elements(),
            noftz: q.noftz,
            space: q.domain.space()?,
            has_result: !q.no_return,
            cache_hint,
            ..Atomic::new(op, q.ty.ptx(q.width, op)?)
        })
    }

    /// Whether operation, type, width and vector go together.
    fn form_fault(&self) -> Option<Fault> {
        let Some(atomic) = self.atomic(false) else {
            return Some(Fault::TypeWidth);
        };
        let signed = self.qualifiers.ty == DataType::S32;
        match atomic.has_form().err()? {
            Illegal::Elements(..) | Illegal::Space(_) => Some(Fault::TypeWidth),
            _ if signed && self.qualifiers.width != Width::Bits32 => Some(Fault::TypeWidth),
            _ => Some(Fault::TypeOp),
        }
    }

    /// Runs the steps up to the first error: the modifier and warnings, or what was found. A missing operation is
    /// reported twice, as the tools do.
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
            op: q.op.expect("step 5 found an operation"),
            ty: q.ty,
            width: q.width,
            elements: self.elements(),
            noftz: q.noftz,
            policy: q.policy,
            domain: q.domain,
            no_return: q.no_return,
            order: q.order,
            scope: q.scope,
            address_is_u32: self.address == DataType::U32,
        };
        Ok((modifier, found))
    }
}

impl Modifier {
    /// The modifier of an `atom` or `red` of PTX whose data operands are of these types, or what was found, an error last.
    /// PTX's defaults are filled in, so that an order or scope without a token is one that atomics do not have.
    ///
    /// ```
    /// use warpc_model::ocg::{DataType, Fault, Modifier};
    /// use warpc_model::{Atomic, AtomicOp, AtomicType};
    /// let atomic = Atomic::new(AtomicOp::Cas, AtomicType::B64);
    /// let modifier = Modifier::of(&atomic, &[DataType::U32; 2]).unwrap();
    /// assert_eq!(modifier.pack(), Some(0x6010_C49A));
    /// let found = Modifier::of(&atomic, &[DataType::U32]);
    /// assert_eq!(found, Err(vec![Fault::VectorCount]));
    /// ```
    pub fn of(atomic: &Atomic, data: &[DataType]) -> Result<Modifier, Vec<Fault>> {
        let qualifiers = Qualifiers::parse(Tokens::of(atomic).as_slice());
        let intrinsic = Intrinsic {
            qualifiers,
            address: DataType::of_address(qualifiers.domain),
            data,
        };
        let (modifier, warnings) = intrinsic.validate()?;
        match (modifier.order, modifier.scope) {
            (Some(_), Some(_)) => Ok(modifier),
            (None, None) => Err(vec![Fault::OrderWithoutScope]),
            _ => Err(warnings),
        }
    }
}
