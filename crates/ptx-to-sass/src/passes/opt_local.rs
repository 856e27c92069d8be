//! Variables of the frame become registers.
//!
//! ```text
//!   STL [R1+0x8], a                               MOV w, a
//!   LD.E b, [R1 + 0x8 + local window]     ──►     MOV b, w
//! ```
//!
//! First, accesses whose address is a place in the frame, counted from the stack register, become accesses of that place:
//! through sums with numbers, and through the generic address that `cvta.local` makes of it (the sum with the window of local
//! memory) and back. Then, if nothing else has to do with the address of the frame, no byte of it can be accessed in
//! another way, and each unit (a word, or less) that is always accessed whole becomes a register.
//!
//! Units stay in memory that are accessed in different sizes or not weakly (volatile variables, and what is passed to functions
//! on the stack), and with them what is in one access with them. The frame goes if nothing of it is left.

use super::Pass;
use super::assign_registers::Limits;
use super::opt_dce;
use super::opt_fuse::WideSum;
use crate::analysis::alignment::word_of_bank;
use crate::analysis::values::Values;
use crate::build::FRAME_ALIGN;
use crate::build::special::{STACK, local_window, offset};
use crate::immediate::sources;
use crate::ir::{File, Function, Inst, Op, Operand, Reg};
use crate::pattern;
use smallvec::SmallVec;
use warpc_sass::shape::{Access, Space};
use warpc_sass::{Marks, Value};

/// The pass.
pub(crate) const PASS: Pass = Pass {
    name: "opt_local",
    run,
};

/// How many instructions an address is followed through.
const STEPS: u8 = 16;

/// The largest frame whose variables become registers: larger ones are arrays.
const MOST_BYTES: u32 = 1024;

fn run(function: &mut Function, limits: &Limits) {
    if function.frame == 0 {
        return;
    }
    if name_places(function) {
        // Addresses that nobody needs any more would look as if somebody did.
        (opt_dce::PASS.run)(function, limits);
    }
    // Where the stack moves, the frame is counted from another register.
    if function.frame_base != STACK || function.frame > MOST_BYTES {
        return;
    }
    if let Some(accesses) = accesses(function) {
        promote(function, &accesses);
    }
}

/// Lets accesses of the frame name their place. Whether there are any.
fn name_places(function: &mut Function) -> bool {
    let values = Values::of(function);
    let frame = Frame {
        values: &values,
        base: Value::Register(function.frame_base),
        window: local_window(function.sm),
    };
    let mut any = false;
    for block in function.block_ids() {
        for at in 0..function.blocks[block.index()].insts.len() {
            let inst = &function.blocks[block.index()].insts[at];
            let made = frame.named(function, inst);
            any |= made.is_some();
            if let Some(made) = made {
                function.blocks[block.index()].insts[at] = made;
            }
        }
    }
    any
}

/// What a word is the sum of.
#[derive(Clone, Copy, Default)]
struct Sum {
    /// How often the stack register is in it.
    stack: i32,
    /// How often the lower half of the window of local memory is in it.
    window: i32,
    number: i32,
}

struct Frame<'a> {
    values: &'a Values,
    base: Value,
    /// Where bank 0 has the place of local memory among generic addresses.
    window: u32,
}

impl Frame<'_> {
    /// The same access of a place that is counted from the stack register.
    fn named(&self, function: &Function, inst: &Inst) -> Option<Inst> {
        let opcode = inst.shape.opcode();
        if !matches!(opcode, "LD" | "ST" | "LDL" | "STL") {
            return None;
        }
        let is_generic = inst.shape.memory().space == Space::Generic;
        if is_generic && !inst.is_weak() {
            return None;
        }
        let slots = inst.shape.slots();
        let mut parts = (0..slots.len()).filter(|slot| slots[*slot].in_address);
        let (base, number) = (parts.next()?, parts.next()?);
        let (Op::Reg(reg, lane), Op::Value(Value::Number(added)), None) = (
            inst.operands[base].op,
            inst.operands[number].op,
            parts.next(),
        ) else {
            return None;
        };
        let found = match is_generic {
            true => self.generic(function, (reg, lane), STEPS)?,
            false => self.local(function, Op::Reg(reg, lane), STEPS)?,
        };
        let place = found.checked_add(added)?;
        if !(0..i64::from(function.frame)).contains(&place) {
            return None;
        }
        let stores = opcode.starts_with('S');
        let sizes = ["U8", "S8", "U16", "S16", "64", "128"];
        let size = sizes.iter().find(|size| inst.shape.has(size));
        let size = size.map_or(String::new(), |size| format!(".{size}"));
        let text = match stores {
            true => format!("STL{size} [R0{}], R0", offset(place)),
            false => format!("LDL{size} R0, [R0{}]", offset(place)),
        };
        let data = data(inst)?.0.op;
        let base = Op::Value(self.base);
        let ops = if stores { [base, data] } else { [data, base] };
        let mut made = like(function, inst, &text, &ops)?;
        made.weak = inst.is_weak();
        Some(made)
    }

    fn write<'f>(&self, function: &'f Function, reg: Reg, lane: u8) -> Option<&'f Inst> {
        let place = self.values.write(reg, lane)?;
        let insts = &function.blocks[place.block.index()].insts;
        insts.get(place.inst as usize)
    }

    /// How far from the stack register an address of local memory is.
    fn local(&self, function: &Function, op: Op, steps: u8) -> Option<i64> {
        let sum = self.sum(function, op, steps)?;
        (sum.stack == 1 && sum.window == 0).then_some(i64::from(sum.number))
    }

    /// A word as a sum; of a generic address its lower half.
    fn sum(&self, function: &Function, op: Op, steps: u8) -> Option<Sum> {
        let (reg, lane) = match op {
            Op::Reg(reg, lane) => (reg, lane),
            Op::Value(value) if value == self.base => {
                let stack = 1;
                return Some(Sum {
                    stack,
                    ..Sum::default()
                });
            }
            _ => return None,
        };
        if self.is_window(function, op, 0) {
            let window = 1;
            return Some(Sum {
                window,
                ..Sum::default()
            });
        }
        let steps = steps.checked_sub(1)?;
        let inst = self.write(function, reg, lane)?;
        let mut all = sources(inst.shape).map(|slot| inst.operands[slot]);
        match inst.shape.name() {
            "MOV" => self.sum(function, plain(all.next()?)?, steps),
            "IADD3" => {
                let mut sum = Sum::default();
                for part in all {
                    if let Some(number) = number(part) {
                        sum.number = sum.number.wrapping_add(number as i32);
                        continue;
                    }
                    let less = match part.marks {
                        Marks::NONE => 1,
                        Marks::MINUS => -1,
                        _ => return None,
                    };
                    let own = self.sum(function, part.op, steps)?;
                    sum.stack += less * own.stack;
                    sum.window += less * own.window;
                    sum.number = sum.number.wrapping_add(i32::wrapping_mul(less, own.number));
                }
                // One of each at most, so that nothing grows.
                let is_small = sum.stack.abs() <= 1 && sum.window.abs() <= 1;
                is_small.then_some(sum)
            }
            _ => None,
        }
    }

    /// The same of a generic address in a pair.
    fn generic(&self, function: &Function, (reg, lane): (Reg, u8), steps: u8) -> Option<i64> {
        let steps = steps.checked_sub(1)?;
        if usize::from(lane) + 1 >= usize::from(function.data(reg).lanes) {
            return None;
        }
        let (low, high) = (
            self.values.write(reg, lane)?,
            self.values.write(reg, lane + 1)?,
        );
        let inst = self.write(function, reg, lane + 1)?;
        if inst.shape.name() == "MOV" {
            let other = self.write(function, reg, lane)?;
            let from = |inst: &Inst| {
                let slot = sources(inst.shape).next()?;
                plain(inst.operands[slot])
            };
            let is_move = other.shape.name() == "MOV";
            return match (from(other)?, from(inst)?) {
                (Op::Reg(one, first), Op::Reg(other, second))
                    if is_move && one == other && second == first + 1 =>
                {
                    self.generic(function, (one, first), steps)
                }
                _ => None,
            };
        }
        let sum = WideSum::at(function, self.values, high.block, high.inst as usize)?;
        let is_this = sum.to == (Op::Reg(reg, lane), Op::Reg(reg, lane + 1))
            && low.block == high.block
            && sum.low == low.inst as usize;
        if !is_this {
            return None;
        }
        let [first, second] = sum.parts;
        [(first, second), (second, first)]
            .into_iter()
            .find_map(|(one, other)| {
                let (low, high) = (plain(one.0)?, plain(one.1)?);
                // A place in local memory and the window.
                let (window, upper) = (plain(other.0), plain(other.1));
                if let (Some(window), Some(upper)) = (window, upper)
                    && self.is_window(function, window, 0)
                    && self.is_window(function, upper, 1)
                {
                    return match self.is_zero(function, high) {
                        true => self.local(function, low, steps),
                        false => None,
                    };
                }
                // A generic address and a number.
                let (added, upper) = (number(other.0)?, number(other.1)?);
                let is_extended = upper as i32 == (added as i32) >> 31;
                let (Op::Reg(reg, lane), Op::Reg(above, next)) = (low, high) else {
                    return None;
                };
                let is_pair = is_extended && above == reg && next == lane + 1;
                let place = is_pair.then(|| self.generic(function, (reg, lane), steps))??;
                place.checked_add(i64::from(added as i32))
            })
    }

    /// Whether a lane is zero: the upper half of an address of local memory.
    fn is_zero(&self, function: &Function, op: Op) -> bool {
        match op {
            Op::Value(value) => value == Value::ZERO,
            Op::Reg(reg, lane) => self.write(function, reg, lane).is_some_and(|inst| {
                let from = sources(inst.shape).next();
                inst.shape.name() == "MOV"
                    && from.is_some_and(|slot| number(inst.operands[slot]) == Some(0))
            }),
            _ => false,
        }
    }

    /// Whether a lane is half of the place of local memory among generic addresses.
    fn is_window(&self, function: &Function, op: Op, half: u8) -> bool {
        let Op::Reg(reg, lane) = op else { return false };
        let Some(inst) = self.write(function, reg, lane) else {
            return false;
        };
        let first = inst.writes().next().map(|one| (one.0, one.1 + half));
        inst.shape.name() == "LDC.64"
            && inst.reads().next().is_none()
            && word_of_bank(inst) == Some(self.window)
            && first == Some((reg, lane))
    }
}

fn plain(operand: Operand) -> Option<Op> {
    (operand.marks == Marks::NONE).then_some(operand.op)
}

fn number(operand: Operand) -> Option<i64> {
    match (operand.op, operand.marks) {
        (Op::Value(Value::Number(number)), Marks::NONE) => Some(number),
        (Op::Value(Value::ZERO), Marks::NONE) => Some(0),
        _ => None,
    }
}

/// What a load writes or a store reads, and how many registers it has.
fn data(inst: &Inst) -> Option<(Operand, u8)> {
    let mut all = (inst.shape.slots().iter().zip(&inst.operands)).filter(|(slot, _)| {
        !slot.in_address && slot.file == Some(warpc_sass::latency::File::Register)
    });
    let (slot, operand) = all.next()?;
    let is_one = all.next().is_none() && operand.marks == Marks::NONE;
    is_one.then_some((*operand, slot.width.registers(u128::MAX).max(1)))
}

/// An instruction by the example of a text, in place of another one.
fn like(function: &Function, inst: &Inst, text: &str, ops: &[Op]) -> Option<Inst> {
    let pattern = pattern::find(function.sm, text).filter(|one| one.holes.len() == ops.len())?;
    let mut operands: SmallVec<[Operand; 6]> = (pattern.inst.operands.iter())
        .map(|one| Operand {
            op: Op::Value(one.value),
            marks: one.marks,
        })
        .collect();
    for (slot, op) in pattern.holes.iter().zip(ops) {
        operands[*slot].op = *op;
    }
    Some(Inst {
        shape: pattern.inst.shape,
        guard: inst.guard,
        operands,
        span: inst.span,
        origin: None,
        acquires: false,
        contracts: false,
        weak: false,
    })
}

/// An access of the frame.
struct Place {
    block: usize,
    at: usize,
    from: u32,
    bytes: u32,
    is_weak: bool,
}

/// All accesses of the frame; nothing if something else is done with its address.
fn accesses(function: &Function) -> Option<Vec<Place>> {
    let base = Op::Value(Value::Register(function.frame_base));
    let mut all = Vec::new();
    for (block, insts) in function.blocks.iter().enumerate() {
        for (at, inst) in insts.insts.iter().enumerate() {
            let slots = inst.shape.slots().iter().zip(&inst.operands);
            let mut named = slots.clone().filter(|(_, operand)| operand.op == base);
            let Some((slot, _)) = named.next() else {
                continue;
            };
            let memory = inst.shape.memory();
            let is_access = slot.in_address
                && named.next().is_none()
                && memory.space == Space::Local
                && matches!(memory.access, Access::READ | Access::WRITE)
                && matches!(inst.shape.opcode(), "LDL" | "STL");
            let mut numbers = slots.filter(|(slot, operand)| slot.in_address && operand.op != base);
            let (Some((_, number)), None, true) = (numbers.next(), numbers.next(), is_access)
            else {
                return None;
            };
            let Op::Value(Value::Number(from)) = number.op else {
                return None;
            };
            let has = |name: &&str| inst.shape.has(name);
            let sizes = [
                (16, "128"),
                (8, "64"),
                (2, "U16"),
                (2, "S16"),
                (1, "U8"),
                (1, "S8"),
            ];
            let size = sizes.iter().find(|(_, name)| has(name));
            let bytes = size.map_or(4, |(bytes, _)| *bytes);
            let from = u32::try_from(from).ok()?;
            if from.checked_add(bytes)? > function.frame {
                return None;
            }
            all.push(Place {
                block,
                at,
                from,
                bytes,
                is_weak: inst.is_weak() && data(inst).is_some(),
            });
        }
    }
    Some(all)
}

/// What a byte of the frame belongs to.
#[derive(Clone, Copy, PartialEq)]
enum Byte {
    Unused,
    /// A unit: its first byte and how many it has.
    Unit(u32, u32),
    Memory,
}

/// The bytes of a frame.
struct Bytes(Vec<Byte>);

impl Bytes {
    /// Notes that a unit is accessed; whether one more byte has to stay in memory.
    fn note(&mut self, from: u32, bytes: u32, stays: bool) -> bool {
        let unit = Byte::Unit(from, bytes);
        let range = from as usize..(from + bytes) as usize;
        let own = &self.0[range.clone()];
        let fits = own.iter().all(|one| *one == unit) || own.iter().all(|one| *one == Byte::Unused);
        if fits && !stays && from.is_multiple_of(bytes) {
            self.0[range].fill(unit);
            return false;
        }
        let mut changed = false;
        for at in range {
            let others = match self.0[at] {
                Byte::Unit(first, bytes) => first as usize..(first + bytes) as usize,
                Byte::Unused => at..at + 1,
                Byte::Memory => continue,
            };
            self.0[others].fill(Byte::Memory);
            changed = true;
        }
        changed
    }
}

/// Puts units of the frame into registers.
fn promote(function: &mut Function, accesses: &[Place]) {
    let mut bytes = Bytes(vec![Byte::Unused; function.frame as usize]);
    let units = |one: &Place| {
        let size = one.bytes.min(4);
        (one.from..one.from + one.bytes)
            .step_by(size as usize)
            .map(move |from| (from, size))
    };
    // What is in one access with what stays in memory stays there, too.
    loop {
        let mut changed = false;
        for one in accesses {
            let range = one.from as usize..(one.from + one.bytes) as usize;
            let stays = !one.is_weak || bytes.0[range].contains(&Byte::Memory);
            for (from, size) in units(one) {
                changed |= bytes.note(from, size, stays);
            }
        }
        if !changed {
            break;
        }
    }
    let mut registers: Vec<Option<Reg>> = vec![None; bytes.0.len()];
    let mut made: Vec<(usize, usize, SmallVec<[Inst; 4]>)> = Vec::new();
    let mut is_left = false;
    for one in accesses {
        let is_unit = |(from, size)| bytes.0[from as usize] == Byte::Unit(from, size);
        if !units(one).all(is_unit) {
            is_left = true;
            continue;
        }
        let all: SmallVec<[Reg; 4]> = units(one)
            .map(|(from, _)| {
                let ir = &mut *function;
                *registers[from as usize].get_or_insert_with(|| ir.reg(File::Register, 1))
            })
            .collect();
        let inst = &function.blocks[one.block].insts[one.at];
        match moves(function, inst, &all) {
            Some(moves) => made.push((one.block, one.at, moves)),
            // Its units are in registers elsewhere: nothing was changed so far.
            None => return,
        }
    }
    let mut made = made.into_iter().peekable();
    for (number, block) in function.blocks.iter_mut().enumerate() {
        if made.peek().is_none_or(|one| one.0 != number) {
            continue;
        }
        let insts = std::mem::take(&mut block.insts);
        block.insts.reserve(insts.len());
        for (at, inst) in insts.into_iter().enumerate() {
            match made.next_if(|one| (one.0, one.1) == (number, at)) {
                Some((_, _, moves)) => block.insts.extend(moves),
                None => block.insts.push(inst),
            }
        }
    }
    if !is_left && function.is_kernel && !function.calls() {
        function.frame = 0;
        function.frame_align = FRAME_ALIGN;
    }
}

/// What an access of units that are in registers becomes.
fn moves(function: &Function, inst: &Inst, units: &[Reg]) -> Option<SmallVec<[Inst; 4]>> {
    let (operand, _) = data(inst)?;
    let word = |number: u8| match operand.op {
        Op::Reg(reg, lane) => Some(Op::Reg(reg, lane + number)),
        op => (op == Op::Value(Value::ZERO)).then_some(op),
    };
    let stores = inst.shape.opcode() == "STL";
    let narrow = [
        ("U8", "PRMT R0, R0, 0x7770, RZ"),
        ("S8", "PRMT R0, R0, 0x8880, RZ"),
        ("U16", "PRMT R0, R0, 0x7710, RZ"),
        ("S16", "PRMT R0, R0, 0x9910, RZ"),
    ];
    let narrow = narrow
        .iter()
        .find(|(name, _)| !stores && inst.shape.has(name));
    let text = narrow.map_or("MOV R0, R0", |(_, text)| text);
    (0..)
        .zip(units)
        .map(|(number, unit)| {
            let unit = Op::Reg(*unit, 0);
            match stores {
                true => like(function, inst, text, &[unit, word(number)?]),
                false => like(function, inst, text, &[word(number)?, unit]),
            }
        })
        .collect()
}
