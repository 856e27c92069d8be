//! What instructions do to memory, and whether two of them may do it to the same place.
//!
//! A weak access has a *location*: a space, the operands that its address is the sum of, a number that is added, and how many
//! bytes there are. Two locations are apart where their spaces are, or where the operands are the same and the bytes are
//! others. Who keeps a location must drop it when one of its registers is written.
//!
//! What else an instruction may do says how far others may be moved, left out or made one with it:
//!
//! | effect | who | why |
//! |---|---|---|
//! | `Touch` | relaxed and volatile accesses, atomic operations | they change a place of their space, and tell nothing of other places |
//! | `Wall` | fences, barriers, `WARPSYNC`, what acquires, calls, asynchronous copies, clocks | after it other threads' writes may be seen, and they may see those before it |
//! | `Leaves` | branches and exits | what comes after it may not be executed |
//!
//! Relaxed accesses order nothing by themselves in PTX: with a fence they do, and that is a wall.

use crate::ir::{Inst, Op, Operand, Reg};
use crate::passes::{is_pure, writes_named};
use smallvec::SmallVec;
use warpc_sass::Value;
use warpc_sass::shape::{Access, Space, Traits};
use warpc_sass::template::Kind;

/// Where a weak access goes.
#[derive(Clone, PartialEq, Debug)]
pub struct Location {
    /// The space.
    pub space: Space,
    /// What the address is the sum of, and the descriptor.
    pub base: SmallVec<[Operand; 2]>,
    /// The lanes among them.
    pub lanes: SmallVec<[(Reg, u8, u8); 2]>,
    /// The number that is added, and the slot that it is in.
    pub from: i64,
    /// The slot of that number.
    pub slot: usize,
    /// How many bytes.
    pub bytes: i64,
    /// Whether nobody writes there while the kernel runs.
    pub is_constant: bool,
}

/// What an instruction does to memory, as far as others are concerned.
#[derive(Clone, PartialEq, Debug)]
pub enum Effect {
    /// Nothing that anybody could tell.
    None,
    /// A weak load.
    Load(Location),
    /// A weak store.
    Store(Location),
    /// It may read any place in a space, and write if that is said.
    Touch(Space, bool),
    /// The next instruction may not be reached.
    Leaves,
    /// It orders accesses, or may do anything.
    Wall,
}

impl Effect {
    /// The effect of an instruction.
    pub fn of(inst: &Inst) -> Effect {
        let (traits, memory) = (inst.shape.traits(), inst.shape.memory());
        if traits.intersects(Traits::CALLS | Traits::BLOCK_BARRIER) {
            return Effect::Wall;
        }
        if traits.intersects(Traits::BRANCHES | Traits::TERMINATES | Traits::EXITS) {
            return Effect::Leaves;
        }
        let waits = Traits::READS_BARRIER
            | Traits::WRITES_BARRIER
            | Traits::WAITS_FOR_SCOREBOARDS
            | Traits::WAITS_FOR_GROUP
            | Traits::RAISES_GROUP
            | Traits::HAS_PLACE;
        let opcode = inst.shape.opcode();
        if traits.intersects(waits) || writes_named(inst) || inst.acquires {
            return Effect::Wall;
        }
        if memory.access.is_empty() {
            let meets = matches!(opcode, "WARPSYNC" | "ENDCOLLECTIVE");
            let is_harmless = is_pure(inst) || traits.contains(Traits::CONVERGENT) && !meets;
            return match is_harmless {
                true => Effect::None,
                false => Effect::Wall,
            };
        }
        match (memory.space, opcode) {
            (Space::Constant, _) => Effect::None,
            (Space::Texture, _) if memory.access == Access::READ => Effect::None,
            _ if inst.is_weak() => match Location::of(inst) {
                Some(location) if memory.access == Access::READ => Effect::Load(location),
                Some(location) => Effect::Store(location),
                None => Effect::Touch(memory.space, memory.access != Access::READ),
            },
            (Space::Shared, "LDSM") => Effect::Touch(Space::Shared, false),
            (
                space,
                "LD" | "ST" | "LDG" | "STG" | "LDS" | "STS" | "LDL" | "STL" | "ATOM" | "ATOMG"
                | "ATOMS" | "RED" | "REDG",
            ) => Effect::Touch(space, true),
            _ => Effect::Wall,
        }
    }
}

impl Location {
    /// The location of a load or store; nothing if its address has another form.
    fn of(inst: &Inst) -> Option<Location> {
        let shape = inst.shape;
        let mut location = Location {
            space: shape.memory().space,
            base: SmallVec::new(),
            lanes: SmallVec::new(),
            from: 0,
            slot: usize::MAX,
            bytes: bytes(inst),
            is_constant: shape.opcode() == "LDG" && shape.has("CONSTANT"),
        };
        for (number, (slot, operand)) in shape.slots().iter().zip(&inst.operands).enumerate() {
            if !slot.in_address {
                continue;
            }
            match operand.op {
                Op::Value(Value::Number(added)) if matches!(slot.kind(), Kind::Signed) => {
                    if location.slot != usize::MAX {
                        return None;
                    }
                    location.from = added;
                    location.slot = number;
                }
                Op::Reg(reg, lane) => {
                    let count = slot.width.registers(u128::MAX).max(1);
                    location.lanes.push((reg, lane, count));
                    location.base.push(*operand);
                }
                Op::Value(Value::Register(_) | Value::Uniform(_)) => location.base.push(*operand),
                _ => return None,
            }
        }
        (location.slot != usize::MAX).then_some(location)
    }

    /// Whether a write of lanes changes the address.
    pub fn depends_on(&self, (reg, lane, count): (Reg, u8, u8)) -> bool {
        let overlaps = |one: &(Reg, u8, u8)| {
            one.0 == reg && one.1 < lane.saturating_add(count) && lane < one.1.saturating_add(one.2)
        };
        self.lanes.iter().any(overlaps)
    }

    /// Whether some byte may be in both.
    pub fn may_meet(&self, other: &Location) -> bool {
        let (own_end, other_end) = (self.from + self.bytes, other.from + other.bytes);
        // The same number is not the same place in another space.
        let is_same = self.space == other.space && self.base == other.base;
        self.may_be_in(other.space) && (!is_same || self.from < other_end && other.from < own_end)
    }

    /// Whether it may be in a space.
    pub fn may_be_in(&self, space: Space) -> bool {
        self.space == space || self.space == Space::Generic || space == Space::Generic
    }
}

/// How many bytes a load or store accesses.
fn bytes(inst: &Inst) -> i64 {
    let has = |names: &[&str]| names.iter().any(|name| inst.shape.has(name));
    match () {
        () if has(&["256"]) => 32,
        () if has(&["128"]) => 16,
        () if has(&["64"]) => 8,
        () if has(&["U16", "S16"]) => 2,
        () if has(&["U8", "S8"]) => 1,
        () => 4,
    }
}
