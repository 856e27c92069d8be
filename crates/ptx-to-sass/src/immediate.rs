//! Numbers in instructions: the form of an operation that has a number where another one has a register.

use crate::ir::{Inst, Op, Operand};
use crate::pattern;
use rustc_hash::FxHashMap;
use warpc_sass::number::Format;
use warpc_sass::shape::Traits;
use warpc_sass::template::Kind;
use warpc_sass::{Marks, Shape, Value};
use warpc_target::Sm;

/// Shapes with a number in a slot that has a register, as far as they were asked for.
#[derive(Default)]
pub(crate) struct Immediates {
    known: FxHashMap<(usize, usize), Option<&'static Shape>>,
}

/// Operations whose numbers mean what registers with the same bits would.
const PLAIN: &[&str] = &[
    "IADD3", "IMAD", "LOP3", "SHF", "ISETP", "SEL", "IMNMX", "VIMNMX", "PRMT", "LEA", "BMSK",
    "SGXT", "FADD", "FMUL", "FFMA", "FSETP", "FSEL", "FMNMX", "MOV", "SHFL",
];

impl Immediates {
    /// The same operation with a number in a slot; nothing if there is none.
    pub(crate) fn shape(
        &mut self,
        sm: Sm,
        shape: &'static Shape,
        slot: usize,
    ) -> Option<&'static Shape> {
        let key = (std::ptr::from_ref(shape).addr(), slot);
        *self.known.entry(key).or_insert_with(|| {
            let kinds = [Kind::Unsigned, Kind::Signed, Kind::Float(Format::F32)];
            kinds
                .into_iter()
                .find_map(|kind| shape.with_kind(sm, slot, kind))
        })
    }

    /// Puts a number where an instruction has a register of 32 bits, in this slot or, where the first two sources can
    /// change places, in the other one. Whether that was possible; if not the instruction is as it was.
    pub(crate) fn put(&mut self, sm: Sm, inst: &mut Inst, slot: usize, bits: u32) -> bool {
        if bits == 0 {
            inst.operands[slot].op = Op::Value(Value::ZERO);
            return true;
        }
        if inst.shape.opcode().starts_with('H') {
            return put_halves(sm, inst, slot, bits);
        }
        if !PLAIN.contains(&inst.shape.opcode()) {
            return false;
        }
        if self.put_at(sm, inst, slot, bits) {
            return true;
        }
        let own = inst.operands.clone();
        if let Some(other) = change_places(inst, slot)
            && self.put_at(sm, inst, other, bits)
        {
            return true;
        }
        inst.operands = own;
        false
    }

    /// The same for a number of double precision whose lower half is zero.
    pub(crate) fn put_double(&mut self, sm: Sm, inst: &mut Inst, slot: usize, high: u32) -> bool {
        if !matches!(inst.shape.opcode(), "DADD" | "DMUL" | "DFMA" | "DSETP") {
            return false;
        }
        let key = (std::ptr::from_ref(inst.shape).addr(), slot);
        let own = inst.shape;
        let other = *(self.known.entry(key))
            .or_insert_with(|| own.with_kind(sm, slot, Kind::Float(Format::F64)));
        let Some(shape) = other else {
            return false;
        };
        // The machine does not change the sign of a number that is none, and so this does not, either.
        let is_nan = high & 0x7ff0_0000 == 0x7ff0_0000 && high & 0xf_ffff != 0;
        if is_nan && inst.operands[slot].marks != Marks::NONE {
            return false;
        }
        let to = &shape.slots()[slot];
        let Some(bits) = marked(high, inst.operands[slot].marks, to.kind()) else {
            return false;
        };
        let value = Value::Number(i64::from(bits));
        if !to.fits(value) {
            return false;
        }
        inst.shape = shape;
        inst.operands[slot] = Operand::plain(Op::Value(value));
        true
    }

    fn put_at(&mut self, sm: Sm, inst: &mut Inst, slot: usize, bits: u32) -> bool {
        let Some(shape) = self.shape(sm, inst.shape, slot) else {
            return false;
        };
        let to = &shape.slots()[slot];
        let Some(bits) = marked(bits, inst.operands[slot].marks, to.kind()) else {
            return false;
        };
        let values = [i64::from(bits), i64::from(bits as i32)].map(Value::Number);
        let Some(value) = values.into_iter().find(|value| to.fits(*value)) else {
            return false;
        };
        inst.shape = shape;
        inst.operands[slot] = Operand::plain(Op::Value(value));
        true
    }
}

/// Operations on pairs of halves: with a register as the second of the two that are multiplied, added or compared, and with
/// a number for each half in its place.
const HALVES: &[(&str, &str, &str)] = &[
    ("HFMA2", "R0, R0, R0, R0", "R0, R0, 1, 1, R0"),
    ("HMUL2", "R0, R0, R0", "R0, R0, 1, 1"),
    ("HADD2", "R0, R0, R0", "R0, R0, 1, 1"),
    ("HSET2", "R0, R0, R0, P0", "R0, R0, 1, 1, P0"),
    ("HSETP2", "P0, P0, R0, R0, P0", "P0, P0, R0, 1, 1, P0"),
];

/// Puts a number of two equal halves where an operation on pairs has a register.
fn put_halves(sm: Sm, inst: &mut Inst, slot: usize, bits: u32) -> bool {
    if bits >> 16 != bits & 0xffff {
        return false;
    }
    let mut own = inst.clone();
    let mut at = slot;
    if let Some((first, second)) = factors(inst)
        && slot == first
    {
        own.operands.swap(first, second);
        at = second;
    }
    match with_halves(sm, &own, at, bits & 0xffff) {
        Some(made) => {
            *inst = made;
            true
        }
        None => false,
    }
}

/// The same with a number in both halves of a slot, if that is the second of those that are multiplied, added or compared.
fn with_halves(sm: Sm, inst: &Inst, slot: usize, half: u32) -> Option<Inst> {
    let name = inst.shape.name();
    let known = |one: &&(&str, &str, &str)| one.0 == inst.shape.opcode();
    let (_, plain, with) = HALVES.iter().find(known)?;
    let find = |operands: &str| pattern::find(sm, &format!("{name} {operands}"));
    let (plain, with) = (find(plain)?, find(with)?);
    if !std::ptr::eq(plain.inst.shape, inst.shape) || sources(inst.shape).nth(1) != Some(slot) {
        return None;
    }
    let half = match inst.operands[slot].marks {
        Marks::NONE => half,
        Marks::MINUS => half ^ 0x8000,
        _ => return None,
    };
    // What is not a number has no sign that counts.
    let (most, bits) = match inst.shape.has("BF16_V2") {
        true => (0x7f80, half & 0x7fff),
        false => (0x7c00, half & 0x7fff),
    };
    if bits >= most {
        return None;
    }
    let operands = with.inst.operands.iter().map(|one| Operand {
        op: match one.value {
            Value::Number(_) => Op::Value(Value::Number(half.into())),
            value => Op::Value(value),
        },
        marks: one.marks,
    });
    let mut made = Inst {
        shape: with.inst.shape,
        operands: operands.collect(),
        ..inst.clone()
    };
    let others = plain.holes.iter().filter(|hole| **hole != slot);
    for (to, from) in with.holes.iter().zip(others) {
        let (to_slot, operand) = (&made.shape.slots()[*to], inst.operands[*from]);
        let fits = match operand.op {
            Op::Value(value) => to_slot.fits(value),
            _ => true,
        };
        if !fits || !to_slot.marks().has(operand.marks) {
            return None;
        }
        made.operands[*to] = operand;
    }
    Some(made)
}

/// A number with what is done to it first; nothing for marks that it has not.
fn marked(bits: u32, marks: Marks, kind: Kind) -> Option<u32> {
    let float = matches!(kind, Kind::Float(_));
    Some(match (marks, float) {
        (Marks::NONE, _) => bits,
        (Marks::MINUS, false) => bits.wrapping_neg(),
        (Marks::TILDE, false) => !bits,
        (Marks::MINUS, true) => bits ^ 1 << 31,
        (Marks::BARS, true) => bits & !(1 << 31),
        _ => return None,
    })
}

/// Lets the first two sources of an instruction change places, if one of them is in this slot, both are registers, and the
/// result stays the same; the slot of that one then.
pub(crate) fn change_places(inst: &mut Inst, slot: usize) -> Option<usize> {
    let condition = condition(inst);
    let (first, second) = match condition {
        Some(_) => {
            let mut sources = sources(inst.shape);
            (sources.next()?, sources.next()?)
        }
        None => factors(inst)?,
    };
    let slots = inst.shape.slots();
    let is_register = |slot: usize| slots[slot].kind() == Kind::Register;
    let takes = |to: usize, from: usize| slots[to].marks().has(inst.operands[from].marks);
    let fits = is_register(first) && is_register(second);
    if slot != first || !fits || !takes(first, second) || !takes(second, first) {
        return None;
    }
    if let Some(condition) = condition {
        let marks = &mut inst.operands[condition].marks;
        marks.0 ^= Marks::NOT.0;
    }
    inst.operands.swap(first, second);
    Some(second)
}

/// The predicate by which a selection takes one of two.
fn condition(inst: &Inst) -> Option<usize> {
    if !matches!(inst.shape.opcode(), "SEL" | "FSEL") {
        return None;
    }
    let mut slots = inst.shape.slots().iter();
    let found = slots.rposition(|slot| slot.kind() == Kind::Predicate && !slot.is_written())?;
    let takes = inst.shape.slots()[found].marks().has(Marks::NOT);
    takes.then_some(found)
}

/// The first two sources of an operation that can change places.
pub(crate) fn factors(inst: &Inst) -> Option<(usize, usize)> {
    if !inst.shape.traits().contains(Traits::COMMUTES) {
        return None;
    }
    let mut sources = sources(inst.shape);
    let first = sources.next()?;
    let second = sources.next()?;
    // One that is a pair and one that is not are of different kinds.
    let slots = inst.shape.slots();
    (slots[first].width == slots[second].width).then_some((first, second))
}

/// The slots of registers, or of what can stand in their place, that are read and are no part of an address.
pub(crate) fn sources(shape: &'static Shape) -> impl Iterator<Item = usize> {
    let slots = shape.slots().iter().enumerate();
    slots
        .filter(|(_, slot)| {
            let is_number = matches!(
                slot.kind(),
                Kind::Register | Kind::Unsigned | Kind::Signed | Kind::Float(_) | Kind::Uniform
            );
            is_number && !slot.is_written() && !slot.in_address
        })
        .map(|(index, _)| index)
}
