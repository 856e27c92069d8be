//! What an instruction reads and writes: registers and predicates, with how many registers each operand has.
//!
//! Slots say what operands are to their instruction and how many registers they have; here are the numbers.

use crate::decode;
use crate::inst::{Guard, Inst};
use crate::operand::Value;
use crate::shape::{Shape, Traits};
use smallvec::SmallVec;

/// What can be read and written, and waits for each other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum File {
    /// `R0` to `R254`
    Register,
    /// `P0` to `P6`
    Predicate,
    /// `UR0` and so on
    Uniform,
    /// `UP0` to `UP6`
    UniformPredicate,
}

impl File {
    /// All of them.
    pub const ALL: [File; 4] = [
        File::Register,
        File::Predicate,
        File::Uniform,
        File::UniformPredicate,
    ];
}

/// What an operand is to its instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Role {
    /// A result.
    Result,
    /// The guard.
    Guard,
    /// The uniform register in `cx[UR4][0x28]`.
    Bindless,
    /// A source that stands at this bit.
    Source(u8),
}

/// Registers or predicates that an instruction reads or writes as one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Access {
    /// Where.
    pub file: File,
    /// The first one.
    pub first: u8,
    /// How many.
    pub count: u8,
    /// As what.
    pub role: Role,
}

impl Access {
    /// Whether it is written.
    pub fn is_write(&self) -> bool {
        self.role == Role::Result
    }

    /// The numbers of its registers.
    pub fn numbers(&self) -> impl Iterator<Item = u8> + use<> {
        let (first, count) = (self.first, self.count);
        (0..count).filter_map(move |index| first.checked_add(index))
    }
}

/// What an instruction does to registers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Effects {
    /// What it reads and writes; the guard comes first. What is always zero or true is left out.
    pub accesses: SmallVec<[Access; 6]>,
    /// Whether it is guarded, so that it may leave its results as they are.
    pub guarded: bool,
}

impl Effects {
    /// The effects of an instruction.
    pub fn of(inst: &Inst) -> Effects {
        let mask = inst.shape.texel_mask();
        let mask = mask.and_then(|slot| inst.operands.get(slot)?.value.number());
        // Widths depend on no other bits.
        let texels = (mask.unwrap_or(ALL_TEXELS) as u128) << TEXEL_MASK;
        let mut effects = Effects {
            accesses: SmallVec::new(),
            guarded: inst.guard != Guard::ALWAYS,
        };
        if inst.guard.predicate != 7 {
            let file = match inst.guard.uniform {
                true => File::UniformPredicate,
                false => File::Predicate,
            };
            effects.add(file, inst.guard.predicate, 1, Role::Guard);
        }
        for (slot, operand) in inst.shape.slots().iter().zip(&inst.operands) {
            let (Some(file), Some(number)) = (slot.file, named(operand.value)) else {
                continue;
            };
            effects.add(file, number, slot.width.registers(texels), slot.role);
        }
        effects.predicate_set(inst);
        effects
    }

    /// The effects of a word of a shape.
    pub fn of_word(shape: &'static Shape, word: u128) -> Option<Effects> {
        Some(Effects::of(&decode::of_shape(shape, word)?))
    }

    fn add(&mut self, file: File, first: u8, count: u8, role: Role) {
        if count > 0 {
            self.accesses.push(Access {
                file,
                first,
                count,
                role,
            });
        }
    }

    /// `PR`: the predicates that bits of a number name.
    fn predicate_set(&mut self, inst: &Inst) {
        let traits = inst.shape.traits();
        let role = match () {
            () if traits.contains(Traits::WRITES_PREDICATE_SET) => Role::Result,
            () if traits.contains(Traits::READS_PREDICATE_SET) => Role::Source(0),
            () => return,
        };
        let set = inst.values().filter_map(Value::number).last();
        // A set that is not a number may be any.
        let set = set.unwrap_or(0x7f);
        for number in (0..7).filter(|number| set >> number & 1 == 1) {
            self.add(File::Predicate, number, 1, role);
        }
    }
}

/// The first bit of the mask that says which components of a texel are read.
const TEXEL_MASK: u8 = 72;
/// That mask where an instruction has none.
const ALL_TEXELS: i64 = 0xf;

/// The number of a register or predicate; nothing for those that are always zero or true.
fn named(value: Value) -> Option<u8> {
    match value {
        Value::Register(number) | Value::Uniform(number) => Some(number).filter(|one| *one != 255),
        Value::Bindless { base, .. } => Some(base).filter(|one| *one != 255),
        Value::Predicate(number) | Value::UniformPredicate(number) => {
            Some(number).filter(|one| *one != 7)
        }
        _ => None,
    }
}

/// A name without modifiers.
pub(crate) fn base(name: &str) -> &str {
    let end = name.bytes().position(|byte| byte == b'.');
    &name[..end.unwrap_or(name.len())]
}
