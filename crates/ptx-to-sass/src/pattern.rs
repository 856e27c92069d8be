//! Shapes by example: a text of SASS whose registers stand for operands that are filled in.
//!
//! A text is read once for each chip. Its numbers take no part in that: `MOV R0, 0x5` and `MOV R0, 0x7` are one example,
//! or every constant of every program would stay in memory.

use crate::ir::{self, Guard, Op, Operand};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::fmt::Write as _;
use std::sync::{Arc, OnceLock, RwLock};
use warpc_diag::Span;
use warpc_sass::{Control, Inst, Value, parse};
use warpc_target::Sm;

/// An example of an instruction.
#[derive(Clone)]
pub(crate) struct Pattern {
    /// The example.
    pub inst: Inst,
    /// The slots that are filled in: registers and predicates other than those that never change, barriers, labels.
    pub holes: SmallVec<[usize; 6]>,
}

impl Pattern {
    /// The instruction with operands in its holes, as many as there are.
    pub fn filled(&self, ops: &[Op], guard: Option<Guard>, span: Span) -> ir::Inst {
        let operands = self.inst.operands.iter();
        let mut operands: SmallVec<[Operand; 6]> = operands
            .map(|one| Operand {
                op: Op::Value(one.value),
                marks: one.marks,
            })
            .collect();
        for (&slot, &op) in self.holes.iter().zip(ops) {
            operands[slot].op = op;
        }
        ir::Inst {
            shape: self.inst.shape,
            guard,
            operands,
            span,
            origin: None,
            acquires: false,
            contracts: false,
            weak: false,
        }
    }
}

/// An example that was read, and the slots of its numbers in the order of the text; nothing where they cannot be told.
struct Read {
    pattern: Option<Arc<Pattern>>,
    numbers: Option<SmallVec<[usize; 2]>>,
}

/// The examples of each chip by their texts.
type Known = FxHashMap<Sm, FxHashMap<Box<str>, Arc<Read>>>;

/// Examples that are kept of a chip. Numbers that cannot be told apart could make more of them than there is memory.
const MOST: usize = 1 << 14;

/// The pattern of a text on a chip; nothing if the chip does not have such an instruction.
pub(crate) fn find(sm: Sm, text: &str) -> Option<Arc<Pattern>> {
    if !text.contains("0x") {
        return known(sm, text, 0).pattern.clone();
    }
    let (without, numbers) = split(text);
    let read = known(sm, &without, numbers.len());
    if numbers.is_empty() {
        return read.pattern.clone();
    }
    if let (Some(pattern), Some(slots)) = (&read.pattern, &read.numbers) {
        let mut pattern = Pattern::clone(pattern);
        let mut fits = true;
        for (slot, number) in slots.iter().zip(&numbers) {
            let value = match pattern.inst.operands[*slot].value {
                Value::Constant { bank, .. } => i32::try_from(*number)
                    .map(|offset| Value::Constant { bank, offset })
                    .ok(),
                Value::Number(old) if old < 0 => Some(Value::Number(-number)),
                _ => Some(Value::Number(*number)),
            };
            let value = value.filter(|value| pattern.inst.shape.slots()[*slot].fits(*value));
            match value {
                Some(value) => pattern.inst.operands[*slot].value = value,
                None => fits = false,
            }
        }
        if fits {
            return Some(Arc::new(pattern));
        }
    }
    // The number says which instruction it is.
    known(sm, text, 0).pattern.clone()
}

/// The number that stands for the one with this place in a text.
fn stand_in(place: usize) -> i64 {
    0x10 + 4 * place as i64
}

/// A text with stand-ins for its numbers, and the numbers. Banks of constants stay.
fn split(text: &str) -> (String, SmallVec<[i64; 2]>) {
    let mut without = String::with_capacity(text.len());
    let mut numbers = SmallVec::new();
    let mut rest = text;
    while let Some(at) = rest.find("0x") {
        let end = rest[at + 2..].find(|c: char| !c.is_ascii_hexdigit());
        let end = end.map_or(rest.len(), |end| at + 2 + end);
        without.push_str(&rest[..at]);
        match i64::from_str_radix(&rest[at + 2..end], 16) {
            Ok(number) if !without.ends_with("c[") => {
                // Writing to a string does not fail.
                let _ = write!(without, "{:#x}", stand_in(numbers.len()));
                numbers.push(number);
            }
            _ => without.push_str(&rest[at..end]),
        }
        rest = &rest[end..];
    }
    without.push_str(rest);
    (without, numbers)
}

/// Reads a text, or finds what was read before. The first `count` stand-ins are in it.
fn known(sm: Sm, text: &str, count: usize) -> Arc<Read> {
    static KNOWN: OnceLock<RwLock<Known>> = OnceLock::new();
    let all = KNOWN.get_or_init(RwLock::default);
    let look = |known: &Known| known.get(&sm)?.get(text).cloned();
    // A thread that panicked cannot have left the map half changed.
    let found = match all.read() {
        Ok(known) => look(&known),
        Err(poisoned) => look(&poisoned.into_inner()),
    };
    if let Some(found) = found {
        return found;
    }
    let made = Arc::new(read(sm, text, count));
    let mut all = match all.write() {
        Ok(all) => all,
        Err(poisoned) => poisoned.into_inner(),
    };
    let all = all.entry(sm).or_default();
    if all.len() < MOST {
        all.insert(text.into(), made.clone());
    }
    made
}

fn read(sm: Sm, text: &str, count: usize) -> Read {
    let inst = parse::inst(sm, text, Control::UNSCHEDULED, 0).map(|(inst, _)| inst);
    let Some(inst) = inst else {
        return Read {
            pattern: None,
            numbers: None,
        };
    };
    let is_hole = |value: Value| match value {
        Value::Register(number) | Value::Uniform(number) => number != 255,
        Value::Predicate(number) | Value::UniformPredicate(number) => number != 7,
        Value::Barrier(number) => number < 16,
        Value::Label(_) => true,
        _ => false,
    };
    let holes = inst.values().enumerate();
    let holes = holes
        .filter(|(_, value)| is_hole(*value))
        .map(|(slot, _)| slot);
    let holes = holes.collect();
    let slot_of = |place: usize| {
        let wanted = stand_in(place);
        let mut slots = inst.values().enumerate().filter(|(_, value)| match value {
            Value::Number(number) => number.abs() == wanted,
            Value::Constant { offset, .. } => i64::from(*offset) == wanted,
            _ => false,
        });
        // One, or it is not known which.
        let first = slots.next();
        first.filter(|_| slots.next().is_none()).map(|one| one.0)
    };
    let numbers = (0..count).map(slot_of).collect();
    let pattern = Some(Arc::new(Pattern { inst, holes }));
    Read { pattern, numbers }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(sm: &str, text: &str) -> String {
        let sm = sm.parse().expect("a chip");
        find(sm, text).map_or_else(String::new, |one| one.inst.to_string())
    }

    #[test]
    fn numbers_are_those_of_the_text() {
        for written in [
            "MOV R0, 0x12345678",
            "LDC R0, c[0x0][0x210]",
            "LDC.64 R2, c[0x4][RZ]",
            "STL [R1+0x2c], R4",
            "LDG.E R0, desc[UR4][R2.64+-0x10]",
            "IADD3 R1, R1, -0x90, RZ",
            "PRMT R0, R0, 0x5410, R0",
            "LOP3.LUT R0, R0, 0xff, RZ, 0xc0, !PT",
            "SHF.L.U32 R0, R0, 0x18, RZ",
        ] {
            let exact = parse::inst(
                "sm_90".parse().expect("a chip"),
                written,
                Control::UNSCHEDULED,
                0,
            );
            let exact = exact.map_or_else(String::new, |(inst, _)| inst.to_string());
            assert_eq!(text("sm_90", written), exact);
            assert!(!exact.is_empty(), "{written}");
        }
    }

    #[test]
    fn constants_of_programs_are_not_kept() {
        let sm: Sm = "sm_90".parse().expect("a chip");
        let first = known(sm, &split("MOV R0, 0x5").0, 1);
        let second = known(sm, &split("MOV R0, 0x70000000").0, 1);
        assert!(Arc::ptr_eq(&first, &second));
    }
}
