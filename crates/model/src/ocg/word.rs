//! The word that goes with an atomic instruction until its opcode is chosen.
//!
//! ```text
//!   31  28 27 26 25  24 23  20 19  18 17  16 15 14  13 12 10 9 8 7   5 4   2 1    0
//!  ┌──────┬──┬──┬──────┬──────┬──────┬──────┬──┬──────┬─────┬─┬─┬─────┬─────┬────┬────┐
//!  │ 0x6  │cp│nf│ log2 │domain│format│width │op│ type │ op  │0│r│order│scope│data│addr│
//!  └──────┴──┴──┴──────┴──────┴──────┴──────┴──┴──────┴─────┴─┴─┴─────┴─────┴────┴────┘
//!          └────────────── not described ───────┘            r: gives no result back
//! ```
//!
//! | field | values; those in brackets are not described |
//! |---|---|
//! | addr, data | the address has 32 bits; the data are of type 10 |
//! | scope | 0 nothing was said, 5 cta, 6 gpu (4 cluster, 7 sys) |
//! | order | 0 nothing was said, 4 relaxed |
//! | op | 0 add, 1 min, 2 max, 3 inc, 4 dec, 5 and, 6 or, 7 xor (with bit 15: 8 exch, 9 cas) |
//! | type | 0 u32, 1 s32, 2 u64 (of type 10) or a floating-point number |
//! | width | 0 as the type says (1: 16 bits, 2: 64, 3: 128) |
//! | format | 0 single or double (1: half, 2: bfloat) |
//! | domain | 0 global (5 shared, 12 mmio, as tokens set them; 1 generic, 2 shared of the cluster) |
//! | log2 | of the number of elements |
//! | nf, cp | subnormal values are kept; a cache policy is given |

use super::{DataType, Domain, OPS, Width, op_number};
use crate::{Atomic, AtomicOp, AtomicType, Ordering, Scope, StateSpace};

/// What the modifier word holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Modifier {
    /// The operation.
    pub op: AtomicOp,
    /// The type of an element.
    pub ty: DataType,
    /// How wide an element is.
    pub width: Width,
    /// How many elements there are.
    pub elements: u8,
    /// Whether subnormal values are kept.
    pub noftz: bool,
    /// Whether there is a cache policy.
    pub policy: bool,
    /// Where the memory lies.
    pub domain: Domain,
    /// Whether it gives no result back.
    pub no_return: bool,
    /// Relaxed, or nothing was said.
    pub order: Option<Ordering>,
    /// Among which threads, or nothing was said.
    pub scope: Option<Scope>,
    /// Whether the address has 32 bits.
    pub address_is_u32: bool,
}

const MARK: u32 = 6;
const RELAXED: u32 = 4;

/// The scopes by number, from 4 on.
const SCOPES: [Scope; 4] = [Scope::Cluster, Scope::Cta, Scope::Gpu, Scope::Sys];
/// The domains by number.
const DOMAINS: [(Domain, u32); 5] = [
    (Domain::Global, 0),
    (Domain::Generic, 1),
    (Domain::SharedCluster, 2),
    (Domain::Shared, 5),
    (Domain::Mmio, 12),
];

/// Type, width, and the fields for them: type, format, width, data.
#[rustfmt::skip]
const TYPES: [(DataType, Width, [u32; 4]); 12] = [
    (DataType::U32, Width::Bits32, [0, 0, 0, 1]),
    (DataType::U32, Width::Bits64, [2, 0, 0, 1]),
    (DataType::U32, Width::Bits16, [0, 0, 1, 1]),
    (DataType::U32, Width::Bits128, [0, 0, 3, 1]),
    (DataType::S32, Width::Bits32, [1, 0, 0, 0]),
    (DataType::S32, Width::Bits64, [1, 0, 2, 0]),
    (DataType::F32, Width::Bits32, [2, 0, 0, 0]),
    (DataType::F32, Width::Bits64, [2, 0, 2, 0]),
    (DataType::F16, Width::Bits16, [2, 1, 1, 0]),
    (DataType::F16, Width::Bits32, [2, 1, 0, 0]),
    (DataType::BF16, Width::Bits16, [2, 2, 1, 0]),
    (DataType::BF16, Width::Bits32, [2, 2, 0, 0]),
];

impl Modifier {
    /// The word; `None` when a field holds something that it has no bits for.
    pub fn pack(self) -> Option<u32> {
        let op = op_number(self.op)?;
        let row = TYPES
            .iter()
            .find(|row| (row.0, row.1) == (self.ty, self.width));
        let [ty, format, width, data] = row?.2;
        let order = match self.order {
            None => 0,
            Some(Ordering::Relaxed) => RELAXED,
            Some(_) => return None,
        };
        let scope = match self.scope {
            None => 0,
            Some(scope) => 4 + SCOPES.iter().position(|one| *one == scope)? as u32,
        };
        let domain = DOMAINS.iter().find(|row| row.0 == self.domain)?.1;
        if !matches!(self.elements, 1 | 2 | 4 | 8) {
            return None;
        }
        let fields = [
            (28, MARK),
            (27, self.policy.into()),
            (26, self.noftz.into()),
            (24, self.elements.ilog2()),
            (20, domain),
            (18, format),
            (16, width),
            (15, op >> 3),
            (13, ty),
            (10, op & 7),
            (8, self.no_return.into()),
            (5, order),
            (2, scope),
            (1, data),
            (0, self.address_is_u32.into()),
        ];
        Some(
            fields
                .into_iter()
                .fold(0, |word, (at, bits)| word | bits << at),
        )
    }

    /// The modifier that packs to this word; `None` if none does.
    ///
    /// ```
    /// use warpc_model::ocg::Modifier;
    /// let modifier = Modifier::unpack(0x6000_009A).unwrap();
    /// assert_eq!(modifier.atomic().unwrap().to_string(), "atom.relaxed.gpu.global.add.u32");
    /// assert_eq!(Modifier::unpack(0x9A), None);
    /// ```
    pub fn unpack(word: u32) -> Option<Modifier> {
        let field = |at: u32, bits: u32| word >> at & ((1 << bits) - 1);
        if field(28, 4) != MARK || field(9, 1) != 0 {
            return None;
        }
        let fields = [field(13, 2), field(18, 2), field(16, 2), field(1, 1)];
        let &(ty, width, _) = TYPES.iter().find(|row| row.2 == fields)?;
        Some(Modifier {
            op: *OPS.get((field(15, 1) << 3 | field(10, 3)) as usize)?,
            ty,
            width,
            elements: 1 << field(24, 2),
            noftz: field(26, 1) != 0,
            policy: field(27, 1) != 0,
            domain: DOMAINS.iter().find(|row| row.1 == field(20, 4))?.0,
            no_return: field(8, 1) != 0,
            order: match field(5, 3) {
                0 => None,
                RELAXED => Some(Ordering::Relaxed),
                _ => return None,
            },
            scope: match field(2, 3) {
                0 => None,
                number => Some(*SCOPES.get(number.checked_sub(4)? as usize)?),
            },
            address_is_u32: field(0, 1) != 0,
        })
    }

    /// The type of an element in PTX; `None` if no atomic has it.
    pub fn element(self) -> Option<AtomicType> {
        self.ty.ptx(self.width, self.op)
    }

    /// The state space; `None` for a domain that atomics do not have.
    pub fn space(self) -> Option<StateSpace> {
        self.domain.space()
    }

    /// The instruction of PTX that becomes this: relaxed, because its order is not in the word.
    pub fn atomic(self) -> Option<Atomic> {
        Some(Atomic {
            elements: self.elements,
            noftz: self.noftz,
            space: self.space()?,
            order: self.order,
            scope: self.scope,
            has_result: !self.no_return,
            cache_hint: self.policy,
            ..Atomic::new(self.op, self.element()?)
        })
    }
}
