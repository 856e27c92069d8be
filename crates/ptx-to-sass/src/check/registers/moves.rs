//! What instructions that were put in for registers do: moves, spills to the frame and back, predicates to words and back,
//! the stack, constants again. What an instruction of another kind writes is not known.

use super::location::{Location, STACK};
use super::state::{Contents, Held, Set};
use super::wanted::{Constants, Value, uses, width};
use smallvec::SmallVec;
use warpc_sass::shape::Slot;
use warpc_sass::{Guard, Inst, Marks, Operand, Value as SassValue};
use warpc_target::Sm;

/// Where the constant bank has the beginning of a thread's stack. Source: code of ptxas.
fn stack_place(sm: Sm) -> i32 {
    if sm.number() >= 100 { 0x37c } else { 0x28 }
}

/// The frame of a function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// The bytes that the program itself uses, from R1 on.
    pub own: u32,
    /// All bytes.
    pub bytes: u32,
}

impl Frame {
    /// How many words are for spilled values.
    pub fn slots(self) -> u32 {
        self.bytes.saturating_sub(self.own) / 4
    }

    /// The words from an address on that is so far from the stack's beginning; nothing outside of what is for spilled
    /// values.
    fn slot(self, stack: i32, offset: i64, lanes: u8) -> Option<Location> {
        let at = i64::from(stack) + i64::from(self.bytes) + offset - i64::from(self.own);
        let word = u32::try_from(at / 4)
            .ok()
            .filter(|_| at >= 0 && at % 4 == 0)?;
        let end = word.checked_add(lanes.into())?;
        (end <= self.slots()).then(|| Location::slot(word))
    }
}

/// Something wrong with an instruction that was put in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Trouble {
    /// It goes to local memory outside of what is for spilled values.
    OutsideFrame,
}

/// The operands that an instruction reads, and those that it writes, with their slots.
struct Sides<'a> {
    reads: SmallVec<[(&'a Slot, Operand); 6]>,
    writes: SmallVec<[(&'a Slot, Operand); 2]>,
}

fn sides(inst: &Inst) -> Sides<'_> {
    let mut sides = Sides {
        reads: SmallVec::new(),
        writes: SmallVec::new(),
    };
    for (slot, operand) in inst.shape.slots().iter().zip(&inst.operands) {
        let (reads, writes) = uses(inst.shape, slot);
        if reads {
            sides.reads.push((slot, *operand));
        }
        if writes {
            sides.writes.push((slot, *operand));
        }
    }
    sides
}

/// Forgets what an instruction writes.
pub(super) fn forget(inst: &Inst, contents: &mut Contents) {
    for (slot, operand) in sides(inst).writes {
        if let Some(first) = Location::of(operand.value) {
            (0..width(slot)).for_each(|lane| contents.clear(first.lane(lane)));
        }
    }
    let effects = warpc_sass::latency::Effects::of(inst);
    for access in effects.accesses.iter().filter(|access| access.is_write()) {
        for number in access.numbers() {
            use warpc_sass::latency::File;
            let value = match access.file {
                File::Register => SassValue::Register(number),
                File::Predicate => SassValue::Predicate(number),
                File::Uniform => SassValue::Uniform(number),
                File::UniformPredicate => SassValue::UniformPredicate(number),
            };
            if let Some(location) = Location::of(value) {
                contents.clear(location);
            }
        }
    }
}

/// Does what an instruction does that no instruction of the IR asks for.
pub(super) fn inserted(
    sm: Sm,
    frame: Frame,
    inst: &Inst,
    contents: &mut Contents,
    constants: &mut Constants,
) -> Result<(), Trouble> {
    if inst.guard != Guard::ALWAYS {
        forget(inst, contents);
        return Ok(());
    }
    match inst.shape.opcode() {
        "LDL" | "STL" => return local(frame, inst, contents),
        _ => {}
    }
    let done = copy(inst, contents)
        || word_of_predicate(inst, contents)
        || predicate_of_word(inst, contents)
        || stack(sm, inst, contents);
    if done {
        return Ok(());
    }
    let constant = constants.of(inst);
    forget(inst, contents);
    if let Some(constant) = constant {
        for (slot, operand) in sides(inst).writes {
            let Some(first) = Location::of(operand.value) else {
                continue;
            };
            for lane in 0..width(slot) {
                contents.put(first.lane(lane), Value::Constant(constant, lane));
            }
        }
    }
    Ok(())
}

/// A move of one register to another; whether it is one.
pub(super) fn copy(inst: &Inst, contents: &mut Contents) -> bool {
    let shape = inst.shape;
    let is_move = match shape.opcode() {
        "MOV" | "UMOV" | "R2UR" => true,
        // The other name of this is `IMAD.MOV`.
        "IMAD" => shape.modifiers().all(|one| one == "U32"),
        "BMOV" => shape.has("32"),
        _ => false,
    };
    if !is_move || inst.guard != Guard::ALWAYS {
        return false;
    }
    let sides = sides(inst);
    let named = |one: &(&Slot, Operand)| Location::of(one.1.value);
    let mut from = sides
        .reads
        .iter()
        .filter_map(|one| Some((one, named(one)?)));
    let (Some((source, from)), None) = (from.next(), from.next()) else {
        return false;
    };
    // What is cleared is written, too.
    let is_cleared = |place: Location| shape.has("CLEAR") && place == from;
    let to = sides.writes.iter();
    let to = to.filter_map(|one| Some((one, named(one)?)));
    let mut to = to.filter(|one| !is_cleared(one.1));
    let (Some((_, to)), None) = (to.next(), to.next()) else {
        return false;
    };
    // The product before it is zero: the register is the last operand.
    let is_last = sides.reads.last().map(|last| last.1) == Some(source.1);
    if source.1.marks.0 & !Marks::REUSE.0 != 0 || (shape.opcode() == "IMAD" && !is_last) {
        return false;
    }
    let set = Set::from_slice(contents.of(from));
    if shape.has("CLEAR") {
        contents.clear(from);
    }
    contents.set(to, set);
    true
}

/// `SEL R, RZ, 1, !P`: the word 1 where the predicate holds.
fn word_of_predicate(inst: &Inst, contents: &mut Contents) -> bool {
    let [to, zero, one, predicate] = &inst.operands[..] else {
        return false;
    };
    let (Some(to), Some(from)) = (Location::of(to.value), Location::of(predicate.value)) else {
        return false;
    };
    let is_word = inst.shape.name() == "SEL"
        && zero.value == SassValue::ZERO
        && one.value == SassValue::Number(1)
        && predicate.marks == Marks::NOT;
    if is_word {
        let own = contents.of(from).iter().filter(|held| !held.as_word);
        let set = own.map(|held| Held {
            value: held.value,
            as_word: true,
        });
        let set = set.collect();
        contents.set(to, set);
    }
    is_word
}

/// `ISETP.NE.AND P, PT, R, RZ, PT`: whether the word is not zero.
fn predicate_of_word(inst: &Inst, contents: &mut Contents) -> bool {
    let name = inst.shape.name();
    if !matches!(name, "ISETP.NE.AND" | "ISETP.NE.U32.AND") {
        return false;
    }
    let sides = sides(inst);
    let (Some(to), Some(second)) = (sides.writes.first(), sides.writes.get(1)) else {
        return false;
    };
    let [word, zero, and, ..] = &sides.reads[..] else {
        return false;
    };
    let (Some(to), Some(from)) = (Location::of(to.1.value), Location::of(word.1.value)) else {
        return false;
    };
    let is_plain = second.1.value == SassValue::TRUE
        && zero.1.value == SassValue::ZERO
        && word.1.marks.0 & !Marks::REUSE.0 == 0
        && (and.1.value, and.1.marks) == (SassValue::TRUE, Marks::NONE);
    if is_plain {
        let own = contents.of(from).iter().filter(|held| held.as_word);
        let set = own.map(|held| held.value.into());
        let set = set.collect();
        contents.set(to, set);
    }
    is_plain
}

/// The stack's beginning from the constant bank, and a number added to it.
fn stack(sm: Sm, inst: &Inst, contents: &mut Contents) -> bool {
    let sides = sides(inst);
    let mut to = (sides.writes.iter()).filter_map(|one| Location::of(one.1.value));
    let (Some(to), None) = (to.next(), to.next()) else {
        return false;
    };
    let value = match inst.shape.opcode() {
        "LDC" | "MOV" => {
            let top = stack_place(sm);
            let constant = SassValue::Constant {
                bank: 0,
                offset: top,
            };
            let reads = || sides.reads.iter().map(|one| one.1.value);
            let is_top = match inst.shape.opcode() {
                // The bank and the place in it are numbers, and there may be a register.
                "LDC" => {
                    reads().filter_map(SassValue::number).eq([0, top.into()])
                        && reads().all(|value| Location::of(value).is_none())
                }
                _ => reads().any(|value| value == constant),
            };
            (is_top && to == STACK).then_some(Value::Stack(0))
        }
        "IADD3" | "VIADD" | "IADD" => {
            let mut from = sides
                .reads
                .iter()
                .filter(|one| Location::of(one.1.value).is_some());
            let mut numbers = sides.reads.iter().filter_map(|one| one.1.value.number());
            let (from, number) = (
                from.next().filter(|_| from.next().is_none()),
                numbers.next(),
            );
            let is_plain = from.is_some_and(|one| one.1.marks == Marks::NONE);
            let at = from.filter(|_| is_plain && numbers.next().is_none());
            let at = at.and_then(|one| Location::of(one.1.value));
            let at = at.map_or(&[][..], |at| contents.of(at));
            let at = at.iter().find_map(|held| match held.value {
                Value::Stack(at) => Some(at),
                _ => None,
            });
            at.zip(number)
                .map(|(at, number)| Value::Stack(at.wrapping_add(number as i32)))
        }
        _ => None,
    };
    if let Some(value) = value {
        contents.put(to, value);
    }
    value.is_some()
}

/// The word of the frame that a load or store of local memory begins with, by what its base register has; `None` if that
/// is not the stack.
fn place(frame: Frame, inst: &Inst, lanes: u8, contents: &Contents) -> Option<Option<Location>> {
    let base = inst.address().find_map(Location::of)?;
    let stack = contents.of(base).iter().find_map(|held| match held.value {
        Value::Stack(at) => Some(at),
        _ => None,
    })?;
    let offset = inst.address().find_map(SassValue::number).unwrap_or(0);
    Some(frame.slot(stack, offset, lanes))
}

/// A load of a spilled value, or a store.
fn local(frame: Frame, inst: &Inst, contents: &mut Contents) -> Result<(), Trouble> {
    let data = inst.shape.slots().iter().zip(&inst.operands);
    let mut data = data.filter(|(slot, operand)| {
        !slot.in_address && matches!(operand.value, SassValue::Register(_))
    });
    let is_whole = !["U8", "S8", "U16", "S16"]
        .iter()
        .any(|one| inst.shape.has(one));
    let Some((slot, operand)) = data.next().filter(|_| is_whole) else {
        forget(inst, contents);
        return Err(Trouble::OutsideFrame);
    };
    let lanes = width(slot);
    let register = Location::of(operand.value);
    let place = place(frame, inst, lanes, contents).flatten();
    if inst.shape.opcode() == "LDL" {
        let sets: SmallVec<[Set; 4]> = (0..lanes)
            .map(|lane| place.map_or(Set::new(), |place| contents.of(place.lane(lane)).into()))
            .collect();
        forget(inst, contents);
        if let Some(register) = register {
            for (lane, set) in (0..).zip(sets) {
                contents.set(register.lane(lane), set);
            }
        }
    } else if let Some(place) = place {
        for lane in 0..lanes {
            let set = register.map_or(Set::new(), |one| contents.of(one.lane(lane)).into());
            contents.set(place.lane(lane), set);
        }
    }
    match place {
        Some(_) => Ok(()),
        None => Err(Trouble::OutsideFrame),
    }
}

/// Forgets the spilled values that a store of the program may change: one whose address is on the stack.
pub(super) fn overwritten(frame: Frame, inst: &Inst, contents: &mut Contents) {
    if inst.shape.opcode() != "STL" {
        return;
    }
    let data = inst.shape.slots().iter().zip(&inst.operands);
    let data = data.filter(|(slot, _)| !slot.in_address && !slot.is_written());
    let lanes = data.map(|(slot, _)| width(slot)).max().unwrap_or(1);
    if let Some(Some(first)) = place(frame, inst, lanes, contents) {
        (0..lanes).for_each(|lane| contents.clear(first.lane(lane)));
    }
}
