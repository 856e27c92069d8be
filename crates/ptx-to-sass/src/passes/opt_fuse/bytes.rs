//! Two shifts are one over two words, and bytes that are picked and packed are one `PRMT`.

use super::{Fuse, inner, inner_once, is_zero, make, number, result, three};
use crate::analysis::values::Values;
use crate::immediate::sources;
use crate::ir::{Function, Inst, Op, Operand};
use smallvec::SmallVec;
use warpc_sass::{Marks, Value};

/// How many instructions bytes are followed through, one after the other.
const DEPTH: u32 = 4;

/// Where a byte comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Byte {
    Zero,
    /// All bits set.
    Ones,
    /// A byte of a value.
    Of(Op, u8),
    /// The sign of a byte in all its bits.
    Sign(Op, u8),
}

/// How far bytes are followed.
#[derive(Clone, Copy)]
struct Reach {
    depth: u32,
    /// Whether what is packed from two is followed.
    merges: bool,
}

/// A shift of one word by a number: the word, by how many bits, and whether to the left.
fn shift(inst: &Inst) -> Option<(Operand, u32, bool)> {
    let [low, by, upper] = three(inst)?;
    let by = number(by).filter(|by| (1..32).contains(by))?;
    let (of, left) = match inst.shape.name() {
        "SHF.L.U32" if is_zero(upper) => (low, true),
        "SHF.R.U32.HI" if is_zero(low) => (upper, false),
        _ => return None,
    };
    let is_register = of.marks == Marks::NONE && matches!(of.op, Op::Reg(..));
    is_register.then_some((of, by, left))
}

/// The two inputs of logic or of a sum that are all there is.
fn two(inst: &Inst) -> Option<[Operand; 2]> {
    let all = three(inst)?;
    let mut used = all.iter().filter(|one| !is_zero(**one));
    let (first, second) = (*used.next()?, *used.next()?);
    let plain = first.marks == Marks::NONE && second.marks == Marks::NONE;
    (used.next().is_none() && plain).then_some([first, second])
}

/// The number of a table of logic.
fn table(inst: &Inst) -> Option<u8> {
    let bits = inst.operands[sources(inst.shape).nth(3)?];
    number(bits).map(|bits| bits as u8)
}

/// A bit of a table with inputs in three places.
fn row(table: u8, inputs: [bool; 3]) -> bool {
    let row = (inputs.iter()).fold(0, |row, one| row << 1 | u8::from(*one));
    table >> row & 1 == 1
}

impl Fuse {
    /// `x << n` and `y >> (32 - n)` in one word: they have no bit in common, so that it does not matter how they meet.
    pub(super) fn funnel(&self, function: &Function, inst: &Inst) -> Option<Inst> {
        let all = three(inst)?;
        let both = two(inst)?;
        if inst.shape.opcode() == "LOP3" {
            let table = table(inst)?;
            let places = both.map(|one| all.iter().position(|other| *other == one));
            let [Some(first), Some(second)] = places else {
                return None;
            };
            let of = |x: bool, y: bool| {
                let mut inputs = [false; 3];
                inputs[first] = x;
                inputs[second] = y;
                row(table, inputs)
            };
            if first == second || of(false, false) || !of(true, false) || !of(false, true) {
                return None;
            }
        }
        let [first, second] = both.map(|one| inner(function, &self.values, one.op));
        let (first, second) = (shift(first?)?, shift(second?)?);
        let (left, right) = match (first.2, second.2) {
            (true, false) => (first, second),
            (false, true) => (second, first),
            _ => return None,
        };
        if left.1 + right.1 != 32 {
            return None;
        }
        let to = Operand::plain(result(inst)?);
        let text = format!("SHF.L.U32.HI R0, R0, {:#x}, R0", left.1);
        make(function, &text, inst, &[to, right.0, left.0])
    }

    /// The bytes of a value, as far as they are followed.
    fn bytes_of(&self, function: &Function, op: Op, reach: Reach, seen: &mut u32) -> [Byte; 4] {
        if let (true, Some(inst)) = (reach.depth > 0, inner(function, &self.values, op)) {
            // One that others read, too, is followed where that takes no more registers.
            let is_own = inner_once(function, &self.values, op).is_some();
            let registers = inst.reads().count();
            let before = *seen;
            if is_own || registers == 1 {
                *seen += u32::from(is_own);
                if let Some(bytes) = self.bytes_made(function, inst, reach, seen) {
                    return bytes;
                }
                *seen = before;
            }
        }
        let bits = self.known.raw(&self.values, op);
        std::array::from_fn(|at| {
            match (bits.zeros >> (8 * at) & 0xff, bits.ones >> (8 * at) & 0xff) {
                (0xff, _) => Byte::Zero,
                (_, 0xff) => Byte::Ones,
                _ => Byte::Of(op, at as u8),
            }
        })
    }

    /// The bytes that an instruction makes, if it makes nothing else.
    fn bytes_made(
        &self,
        function: &Function,
        inst: &Inst,
        reach: Reach,
        seen: &mut u32,
    ) -> Option<[Byte; 4]> {
        let next = Reach {
            depth: reach.depth.checked_sub(1)?,
            ..reach
        };
        let mut of = |operand: Operand| {
            (operand.marks == Marks::NONE).then(|| self.bytes_of(function, operand.op, next, seen))
        };
        let mut bytes = [Byte::Zero; 4];
        match inst.shape.opcode() {
            "SHF" if inst.shape.name() == "SHF.R.S32.HI" => {
                let [low, by, x] = three(inst)?;
                let by = number(by).filter(|by| matches!(by, 8 | 16 | 24))?;
                let (x, by) = (of(x)?, (by / 8) as usize);
                let above = sign_of(x[3]);
                if !is_zero(low) {
                    return None;
                }
                bytes = std::array::from_fn(|at| x.get(at + by).copied().unwrap_or(above));
            }
            "SHF" => {
                let (x, by, left) = shift(inst)?;
                if by % 8 != 0 {
                    return None;
                }
                let (x, by) = (of(x)?, (by / 8) as usize);
                for (at, byte) in x.into_iter().enumerate() {
                    let to = if left {
                        Some(at + by)
                    } else {
                        at.checked_sub(by)
                    };
                    if let Some(to) = to.filter(|to| *to < 4) {
                        bytes[to] = byte;
                    }
                }
            }
            "SGXT" => {
                let mut own = sources(inst.shape);
                let [x, count] = [own.next()?, own.next()?].map(|slot| inst.operands[slot]);
                let count = number(count)?;
                if !matches!(count, 8 | 16 | 24) || inst.shape.has("W") {
                    return None;
                }
                let x = of(x)?;
                let count = (count / 8) as usize;
                let above = match inst.shape.has("U32") {
                    true => Byte::Zero,
                    false => sign_of(x[count - 1]),
                };
                for (at, byte) in bytes.iter_mut().enumerate() {
                    *byte = if at < count { x[at] } else { above };
                }
            }
            "PRMT" if inst.shape.name() == "PRMT" && reach.merges => {
                let [x, selector, y] = three(inst)?;
                let selector = number(selector)?;
                let both = [of(x)?, of(y)?];
                for (at, byte) in bytes.iter_mut().enumerate() {
                    let choice = selector >> (4 * at) & 0xf;
                    let chosen = both[(choice >> 2 & 1) as usize][(choice & 3) as usize];
                    *byte = if choice & 8 == 0 {
                        chosen
                    } else {
                        sign_of(chosen)
                    };
                }
            }
            "LOP3" => {
                let (table, all) = (table(inst)?, three(inst)?);
                let registers = all.iter().filter(|one| matches!(one.op, Op::Reg(..)));
                if !reach.merges && registers.count() > 1 {
                    return None;
                }
                let inputs = [of(all[0])?, of(all[1])?, of(all[2])?];
                for (at, byte) in bytes.iter_mut().enumerate() {
                    *byte = chosen(table, inputs.map(|input| input[at]))?;
                }
            }
            _ => return None,
        }
        Some(bytes)
    }

    /// An instruction whose result is bytes of two values, with those that made what it reads.
    pub(super) fn bytes(&self, function: &Function, inst: &Inst) -> Option<Inst> {
        three_or_two(inst)?;
        for merges in [true, false] {
            let mut seen = 0;
            let reach = Reach {
                depth: DEPTH,
                merges: true,
            };
            let top = match merges {
                true => self.bytes_made(function, inst, reach, &mut seen),
                // What is read may be packed itself, but is not taken apart.
                false => self.top_bytes(function, inst, &mut seen),
            };
            if let (Some(bytes), true) = (top, seen > 0)
                && let Some(made) = self.permutation(function, inst, bytes)
            {
                return Some(made);
            }
        }
        None
    }

    /// The bytes of logic, of which shifts and masks are followed.
    fn top_bytes(&self, function: &Function, inst: &Inst, seen: &mut u32) -> Option<[Byte; 4]> {
        if inst.shape.opcode() != "LOP3" {
            return None;
        }
        let (table, all) = (table(inst)?, three(inst)?);
        if all.iter().any(|one| one.marks != Marks::NONE) {
            return None;
        }
        let reach = Reach {
            depth: DEPTH,
            merges: false,
        };
        let inputs = all.map(|one| self.bytes_of(function, one.op, reach, seen));
        let mut bytes = [Byte::Zero; 4];
        for (at, byte) in bytes.iter_mut().enumerate() {
            *byte = chosen(table, inputs.map(|input| input[at]))?;
        }
        Some(bytes)
    }

    /// `PRMT` that makes bytes.
    fn permutation(&self, function: &Function, inst: &Inst, bytes: [Byte; 4]) -> Option<Inst> {
        let mut from: SmallVec<[Op; 2]> = SmallVec::new();
        for byte in bytes {
            if let Byte::Of(op, _) | Byte::Sign(op, _) = byte
                && !from.contains(&op)
            {
                from.push(op);
            }
        }
        if from.is_empty() || from.len() > 2 || !from.iter().all(|op| is_value(&self.values, *op)) {
            return None;
        }
        let zero = match from.len() {
            1 => Some(4),
            // A byte of the two that is zero.
            _ => (0..8u32).find(|at| {
                let bits = self.known.raw(&self.values, from[(at / 4) as usize]);
                bits.zeros >> (8 * (at % 4)) & 0xff == 0xff
            }),
        };
        let mut selector = 0u32;
        for (at, byte) in bytes.into_iter().enumerate() {
            let of = |op: Op, at: u8| {
                let which = from.iter().position(|one| *one == op)? as u32;
                Some(4 * which + u32::from(at))
            };
            let choice = match byte {
                Byte::Zero => zero?,
                Byte::Of(op, at) => of(op, at)?,
                Byte::Sign(op, at) => of(op, at)? | 8,
                Byte::Ones => return None,
            };
            selector |= choice << (4 * at);
        }
        let second = from.get(1).copied().unwrap_or(Op::Value(Value::ZERO));
        let text = format!("PRMT R0, R0, {selector:#x}, R0");
        let ops = [result(inst)?, from[0], second].map(Operand::plain);
        // One with a single input says the same with `RZ`.
        let text = match second {
            Op::Value(_) => format!("PRMT R0, R0, {selector:#x}, RZ"),
            _ => text,
        };
        let ops = if from.len() == 1 { &ops[..2] } else { &ops[..] };
        make(function, &text, inst, ops)
    }
}

fn is_value(values: &Values, op: Op) -> bool {
    match op {
        Op::Reg(reg, lane) => values.is_value(reg, lane),
        _ => false,
    }
}

/// Whether an instruction has one result, in a register, and no predicates.
fn three_or_two(inst: &Inst) -> Option<()> {
    if inst.guard.is_some() || inst.writes().count() != 1 {
        return None;
    }
    let predicate = |(slot, operand): (&warpc_sass::shape::Slot, &Operand)| {
        slot.file == Some(warpc_sass::latency::File::Predicate) && matches!(operand.op, Op::Reg(..))
    };
    let mut slots = inst.shape.slots().iter().zip(&inst.operands);
    (!slots.any(predicate)).then_some(())
}

/// The sign of a byte in all bits of one.
fn sign_of(byte: Byte) -> Byte {
    match byte {
        Byte::Of(op, at) | Byte::Sign(op, at) => Byte::Sign(op, at),
        constant => constant,
    }
}

/// The byte that logic makes of three bytes, if it is one of them.
fn chosen(table: u8, inputs: [Byte; 3]) -> Option<Byte> {
    let mut all: SmallVec<[Byte; 3]> = SmallVec::new();
    for byte in inputs {
        if !matches!(byte, Byte::Zero | Byte::Ones) && !all.contains(&byte) {
            all.push(byte);
        }
    }
    let places = inputs.map(|byte| match byte {
        Byte::Zero => Err(false),
        Byte::Ones => Err(true),
        byte => Ok(all.iter().position(|one| *one == byte).unwrap_or(0)),
    });
    // The result for each way in which the different bytes can have bits.
    let ways = 1u32 << all.len();
    let results = (0..ways).fold(0u32, |results, bits| {
        let inputs = places.map(|place| place.map_or_else(|bit| bit, |at| bits >> at & 1 == 1));
        results | u32::from(row(table, inputs)) << bits
    });
    if results == 0 {
        return Some(Byte::Zero);
    }
    if results == (1 << ways) - 1 {
        return Some(Byte::Ones);
    }
    let is_it = |at: usize| (0..ways).all(|bits| results >> bits & 1 == bits >> at & 1);
    (0..all.len()).find(|at| is_it(*at)).map(|at| all[at])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Reg;

    #[test]
    fn logic_chooses_bytes() {
        let x = Byte::Of(Op::Reg(Reg(1), 0), 2);
        let y = Byte::Of(Op::Reg(Reg(2), 0), 0);
        let (and, or, xor, merge) = (0xc0, 0xfc, 0x3c, 0xe2);
        assert_eq!(chosen(and, [x, Byte::Ones, Byte::Zero]), Some(x));
        assert_eq!(chosen(and, [x, Byte::Zero, Byte::Zero]), Some(Byte::Zero));
        assert_eq!(chosen(or, [x, Byte::Zero, Byte::Zero]), Some(x));
        assert_eq!(chosen(or, [x, Byte::Ones, Byte::Zero]), Some(Byte::Ones));
        assert_eq!(chosen(or, [x, y, Byte::Zero]), None);
        assert_eq!(chosen(xor, [x, x, Byte::Zero]), Some(Byte::Zero));
        assert_eq!(chosen(xor, [x, Byte::Ones, Byte::Zero]), None);
        assert_eq!(chosen(merge, [x, Byte::Ones, y]), Some(x));
        assert_eq!(chosen(merge, [x, Byte::Zero, y]), Some(y));
    }
}
