//! What a call may change.
//!
//! By convention a function keeps some registers ([`crate::abi::is_kept`]). Of one that was assembled before its caller more is
//! known: what none of its instructions writes, nor those of the functions that it calls, it keeps, too.

use super::File;
use crate::abi;
use std::fmt;
use warpc_sass::{Inst, Value};

/// The registers and predicates that a function may change. Of other files it keeps what all functions keep.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Changed {
    registers: [u128; 2],
    predicates: u8,
}

impl Changed {
    /// Nothing.
    pub const NOTHING: Changed = Changed {
        registers: [0; 2],
        predicates: 0,
    };

    /// All that a function need not keep.
    pub fn by_convention() -> Changed {
        let mut all = Changed::NOTHING;
        (0..=u8::MAX).for_each(|number| all.add(File::Register, number));
        (0..8).for_each(|number| all.add(File::Predicate, number));
        all
    }

    /// What these instructions of a function write, but for what it has to give back; not what the functions that it calls do.
    pub(crate) fn by(insts: &[Inst]) -> Changed {
        let mut all = Changed::NOTHING;
        for inst in insts {
            for (slot, operand) in inst.shape.slots().iter().zip(&inst.operands) {
                match operand.value {
                    _ if !slot.is_written() => {}
                    Value::Register(u8::MAX) => {}
                    Value::Register(first) => {
                        let width = slot.width.registers(u128::MAX).max(1);
                        let numbers = first..=first.saturating_add(width - 1);
                        numbers.for_each(|number| all.add(File::Register, number));
                    }
                    Value::Predicate(number) => all.add(File::Predicate, number),
                    _ => {}
                }
            }
        }
        all
    }

    /// Adds a register or predicate, unless a function has to keep it.
    pub fn add(&mut self, file: File, number: u8) {
        if abi::is_kept(file, number) {
            return;
        }
        match file {
            File::Register => self.registers[usize::from(number >> 7)] |= 1 << (number & 127),
            File::Predicate => self.predicates |= 1 << (number & 7),
            File::Uniform | File::UniformPredicate | File::Barrier => {}
        }
    }

    /// Adds what another function may change.
    pub fn join(&mut self, other: &Changed) {
        self.registers[0] |= other.registers[0];
        self.registers[1] |= other.registers[1];
        self.predicates |= other.predicates;
    }

    /// Whether a register of a file may be changed.
    pub fn has(&self, file: File, number: u8) -> bool {
        match file {
            File::Register => self.registers[usize::from(number >> 7)] >> (number & 127) & 1 == 1,
            File::Predicate => self.predicates >> (number & 7) & 1 == 1,
            File::Uniform | File::UniformPredicate | File::Barrier => !abi::is_kept(file, number),
        }
    }

    /// Reads what [`Display`](fmt::Display) prints.
    pub(super) fn parse(text: &str) -> Option<Changed> {
        let mut all = Changed::NOTHING;
        for range in text.split_whitespace() {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            let number = |name: &str, prefix| name.strip_prefix(prefix)?.parse::<u8>().ok();
            let (file, first, last) = match (number(first, 'R'), number(last, 'R')) {
                (Some(first), Some(last)) => (File::Register, first, last),
                _ => (File::Predicate, number(first, 'P')?, number(last, 'P')?),
            };
            if file == File::Predicate && last > 7 {
                return None;
            }
            (first..=last).for_each(|number| all.add(file, number));
        }
        Some(all)
    }
}

impl fmt::Display for Changed {
    /// Ranges: `R0 R3-R15 P0-P2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut is_first = true;
        for (file, prefix, count) in [(File::Register, 'R', 256u16), (File::Predicate, 'P', 8)] {
            let has = |number: u16| number < count && self.has(file, number as u8);
            let mut number = 0;
            while number < count {
                let first = number;
                while has(number) {
                    number += 1;
                }
                if number > first {
                    let blank = if is_first { "" } else { " " };
                    is_first = false;
                    match number - first {
                        1 => write!(f, "{blank}{prefix}{first}")?,
                        _ => write!(f, "{blank}{prefix}{first}-{prefix}{}", number - 1)?,
                    }
                }
                number += 1;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_again() {
        let mut some = Changed::NOTHING;
        for number in [0, 3, 4, 5, 40, 254] {
            some.add(File::Register, number);
        }
        // Kept by convention.
        some.add(File::Register, 16);
        some.add(File::Predicate, 2);
        assert_eq!(some.to_string(), "R0 R3-R5 R40 P2");
        for one in [some, Changed::NOTHING, Changed::by_convention()] {
            assert_eq!(Changed::parse(&one.to_string()), Some(one));
        }
        assert_eq!(Changed::parse("R3-P5"), None);
        assert_eq!(Changed::parse("R300"), None);
    }

    #[test]
    fn all_that_a_function_need_not_keep() {
        let all = Changed::by_convention();
        assert!(all.has(File::Register, 15) && !all.has(File::Register, 16));
        assert!(all.has(File::Register, 32) && !all.has(File::Register, 36));
        assert!(all.has(File::Predicate, 6) && !all.has(File::Register, 2));
    }
}
