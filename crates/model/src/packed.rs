//! Modifier words of code generators: order, scope and operation in a few bits.
//!
//! ```text
//!   AtomicModifier   9     5 4   3     0        OperandWord   23      16       7   4
//!                  ┌────┬─────┬────────┐                    ┌─────────┬───┬─────┬───┐
//!                  │tail│scope│ order  │                    │ opcode  │ … │scope│ … │
//!                  └────┴─────┴────────┘                    └─────────┴───┴─────┴───┘
//! ```
//!
//! Both are descriptions of closed tools that cannot be seen from outside, read and written as described. In the
//! assembler an [`AtomicModifier`] carries the order and scope of an atomic to what makes its fences, beside the word
//! of the instruction ([`crate::ocg`]), which has no order. [`OperandWord`] and [`membar`] belong to a printer of PTX, whose
//! place `warpc-ptx` has, with [`crate::Atomic`] and [`Fence`] in the place of numbers: they are formats that `warpc explain`
//! reads and writes.

use crate::{AtomicOp, Fence, Ordering, Scope, TypeClass};
use std::fmt;

/// A word has bits that mean nothing, or a value has no place in a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PackError {
    /// The word cannot come from packing.
    Word(u32),
    /// No bits stand for the order.
    Order(Ordering),
    /// No bits stand for the scope.
    Scope(Scope),
    /// No opcode stands for the operation.
    Op(AtomicOp, TypeClass),
    /// No memory barrier has this number.
    Membar(u8),
}

impl fmt::Display for PackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PackError::Word(word) => write!(f, "{word:#x} is not a modifier word"),
            PackError::Order(order) => write!(f, "a modifier word has no order {order}"),
            PackError::Scope(scope) => write!(f, "a modifier word has no scope {scope:?}"),
            PackError::Membar(number) => write!(f, "Bad membar op: {number}"),
            PackError::Op(op, class) => {
                write!(f, "a modifier word has no {op:?} on {class:?} values")
            }
        }
    }
}

impl std::error::Error for PackError {}

/// The place of a value in its row of a table.
fn code<T: PartialEq>(values: &[T], value: T) -> Option<u32> {
    let place = values.iter().position(|other| *other == value)?;
    Some(place as u32)
}

/// The word made by `pack_atomic_modifier`: an order, a scope and the cluster-tail bit.
///
/// ```
/// use warpc_model::packed::AtomicModifier;
/// use warpc_model::{Ordering, Scope};
/// let modifier = AtomicModifier { order: Ordering::AcqRel, scope: Scope::Sys, cluster_tail: false };
/// assert_eq!(modifier.pack(), Ok(0x24));
/// assert_eq!(AtomicModifier::unpack(0x24), Ok(modifier));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AtomicModifier {
    /// Relaxed to sequentially consistent.
    pub order: Ordering,
    /// Thread scope packs as the device's and comes back as that: wider, so sound.
    pub scope: Scope,
    /// Asks for `.cta::cluster`, a scope that PTX does not have; kept, never printed.
    pub cluster_tail: bool,
}

impl AtomicModifier {
    /// Numbered from 1.
    const ORDERS: [Ordering; 5] = [
        Ordering::Relaxed,
        Ordering::Acquire,
        Ordering::Release,
        Ordering::AcqRel,
        Ordering::SeqCst,
    ];
    const SCOPES: [Scope; 4] = [Scope::Gpu, Scope::Cta, Scope::Sys, Scope::Cluster];
    const TAIL: u32 = 1 << 9;

    /// The word. Orders that it lacks are an error, but consume is packed as acquire.
    pub fn pack(self) -> Result<u32, PackError> {
        let order = match self.order {
            Ordering::Consume => Ordering::Acquire,
            order => order,
        };
        let scope = match self.scope {
            Scope::Thread => Scope::Gpu,
            scope => scope,
        };
        let order = code(&Self::ORDERS, order).ok_or(PackError::Order(order))?;
        let scope = code(&Self::SCOPES, scope).ok_or(PackError::Scope(scope))?;
        let tail = if self.cluster_tail { Self::TAIL } else { 0 };
        Ok((order + 1) | scope << 4 | tail)
    }

    /// The modifier that packs to this word.
    pub fn unpack(word: u32) -> Result<AtomicModifier, PackError> {
        let bad = PackError::Word(word);
        let order = (word & 0xF).checked_sub(1).ok_or(bad)?;
        if word & !(Self::TAIL | 0x3F) != 0 {
            return Err(bad);
        }
        Ok(AtomicModifier {
            order: *Self::ORDERS.get(order as usize).ok_or(bad)?,
            scope: Self::SCOPES[(word >> 4 & 3) as usize],
            cluster_tail: word & Self::TAIL != 0,
        })
    }
}

/// The operand word of the emission layer: a scope and one of thirteen operations.
///
/// ```
/// use warpc_model::packed::OperandWord;
/// use warpc_model::{AtomicOp, Scope, TypeClass};
/// let word = OperandWord { op: AtomicOp::Cas, class: TypeClass::Bits, scope: Scope::Sys };
/// assert_eq!(word.pack(), Ok(0x0E_0020));
/// assert_eq!(OperandWord::unpack(0x0E_0020), Ok(word));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OperandWord {
    /// What is done.
    pub op: AtomicOp,
    /// What the operand's bits mean.
    pub class: TypeClass,
    /// Device, block or system.
    pub scope: Scope,
}

impl OperandWord {
    const SCOPES: [Scope; 3] = [Scope::Gpu, Scope::Cta, Scope::Sys];

    /// The word, bits outside its two fields zero. There is no cluster scope.
    pub fn pack(self) -> Result<u32, PackError> {
        let opcode = self.op.opcode(self.class);
        let opcode = opcode.ok_or(PackError::Op(self.op, self.class))?;
        let scope = code(&Self::SCOPES, self.scope).ok_or(PackError::Scope(self.scope))?;
        Ok(u32::from(opcode) << 16 | scope << 4)
    }

    /// The two fields of a word; its other bits belong to others.
    pub fn unpack(word: u32) -> Result<OperandWord, PackError> {
        let bad = PackError::Word(word);
        let (op, class) = AtomicOp::from_opcode((word >> 16) as u8).ok_or(bad)?;
        let scope = Self::SCOPES.get((word >> 4 & 0xF) as usize);
        Ok(OperandWord {
            op,
            class,
            scope: *scope.ok_or(bad)?,
        })
    }
}

/// Memory barriers by the number of their operand in the emission layer; 3 is none.
const MEMBARS: [(u8, Fence); 4] = [
    (0, Fence::Membar(Scope::Gpu)),
    (1, Fence::Membar(Scope::Cta)),
    (2, Fence::Membar(Scope::Sys)),
    (
        4,
        Fence::Memory {
            order: Ordering::SeqCst,
            scope: Scope::Cluster,
        },
    ),
];

/// The memory barrier that a number of the emission layer stands for. (The numbers before that layer are those of
/// scopes: [`Scope::from_edg`] and [`Scope::membar`].)
///
/// ```
/// use warpc_model::packed::membar;
/// assert_eq!(membar(0).unwrap().to_string(), "membar.gl");
/// assert_eq!(membar(4).unwrap().to_string(), "fence.sc.cluster");
/// assert_eq!(membar(3).unwrap_err().to_string(), "Bad membar op: 3");
/// ```
pub fn membar(number: u8) -> Result<Fence, PackError> {
    let row = MEMBARS.iter().find(|row| row.0 == number);
    row.map(|row| row.1).ok_or(PackError::Membar(number))
}

/// The number of a memory barrier; `None` for one that the emission layer lacks.
pub fn membar_number(fence: Fence) -> Option<u8> {
    let row = MEMBARS.iter().find(|row| row.1 == fence)?;
    Some(row.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modifiers_both_ways() {
        let words: Vec<u32> = (0..=0xFFFF)
            .filter(|&word| AtomicModifier::unpack(word).is_ok())
            .collect();
        assert_eq!(words.len(), 5 * 4 * 2);
        for word in words {
            assert_eq!(AtomicModifier::unpack(word).unwrap().pack(), Ok(word));
        }
        let pack = |order, scope, cluster_tail| {
            let modifier = AtomicModifier {
                order,
                scope,
                cluster_tail,
            };
            modifier.pack()
        };
        assert_eq!(pack(Ordering::Relaxed, Scope::Gpu, false), Ok(0x001));
        assert_eq!(pack(Ordering::Relaxed, Scope::Thread, false), Ok(0x001));
        assert_eq!(pack(Ordering::SeqCst, Scope::Cluster, false), Ok(0x035));
        assert_eq!(pack(Ordering::Release, Scope::Cta, true), Ok(0x213));
        assert_eq!(pack(Ordering::Consume, Scope::Sys, false), Ok(0x022));
        assert_eq!(
            pack(Ordering::Weak, Scope::Sys, false),
            Err(PackError::Order(Ordering::Weak))
        );
    }

    #[test]
    fn membars_both_ways() {
        let numbers: Vec<u8> = (0..=u8::MAX)
            .filter(|&number| membar(number).is_ok())
            .collect();
        assert_eq!(numbers, [0, 1, 2, 4]);
        for number in numbers {
            assert_eq!(membar_number(membar(number).unwrap()), Some(number));
        }
        let levels: Vec<&str> = (0..5)
            .map(|number| Scope::from_edg(number).unwrap().membar())
            .collect();
        assert_eq!(levels, ["cta", "cta", "gl", "gl", "sys"]);
    }

    #[test]
    fn operand_words_both_ways() {
        let words: Vec<u32> = (0..=0xFF)
            .flat_map(|opcode| (0..=0xF).map(move |scope| opcode << 16 | scope << 4))
            .filter(|&word| OperandWord::unpack(word).is_ok())
            .collect();
        assert_eq!(words.len(), 13 * 3);
        for word in words {
            assert_eq!(OperandWord::unpack(word).unwrap().pack(), Ok(word));
        }
        let cluster = OperandWord {
            op: AtomicOp::Exch,
            class: TypeClass::Bits,
            scope: Scope::Cluster,
        };
        assert_eq!(cluster.pack(), Err(PackError::Scope(Scope::Cluster)));
        assert!(OperandWord::unpack(0x02_0000).is_err());
    }
}
