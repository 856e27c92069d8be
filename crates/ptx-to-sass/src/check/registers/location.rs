//! Where a value of 32 bits, or a predicate, can be once registers are assigned.

use crate::check::changed::Changed;
use std::fmt;
use warpc_sass::Value;

/// A register, predicate, uniform register, uniform predicate, convergence barrier, or word of the frame. The first
/// [`Location::FIXED`] are those of the machine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Location(pub u32);

const PREDICATES: u32 = 256;
const UNIFORM: u32 = 264;
const UNIFORM_PREDICATES: u32 = 520;
const BARRIERS: u32 = 528;

/// The register of the stack.
pub(super) const STACK: Location = Location(1);

/// `RZ` and `URZ`, and `PT` and `UPT`: nothing is kept there.
const ZERO: u8 = 255;
const TRUE: u8 = 7;

impl Location {
    /// How many the machine has names for; words of the frame come after them.
    pub const FIXED: u32 = 544;

    /// What a value names, unless it is always zero or true or no register.
    pub fn of(value: Value) -> Option<Location> {
        let at = |first: u32, number: u8, none: u8| {
            (number != none).then(|| Location(first + u32::from(number)))
        };
        match value {
            Value::Register(number) => at(0, number, ZERO),
            Value::Predicate(number) => at(PREDICATES, number, TRUE),
            Value::Uniform(number) | Value::Bindless { base: number, .. } => {
                at(UNIFORM, number, ZERO)
            }
            Value::UniformPredicate(number) => at(UNIFORM_PREDICATES, number, TRUE),
            // Those from 16 on are other state of the warp.
            Value::Barrier(number) if number < 16 => at(BARRIERS, number, u8::MAX),
            _ => None,
        }
    }

    /// The predicate of a guard.
    pub fn guard(guard: warpc_sass::Guard) -> Option<Location> {
        Location::of(match guard.uniform {
            true => Value::UniformPredicate(guard.predicate),
            false => Value::Predicate(guard.predicate),
        })
    }

    /// A word of the frame among those that are not the program's own.
    pub fn slot(word: u32) -> Location {
        Location(Location::FIXED.saturating_add(word))
    }

    /// The one that is so many further.
    pub fn lane(self, lane: u8) -> Location {
        Location(self.0 + u32::from(lane))
    }

    /// Its number in its file.
    pub fn number(self) -> u32 {
        self.0 - self.file()
    }

    /// Whether there are so many in its file from it on.
    pub fn has(self, lanes: u8) -> bool {
        let end = match self.file() {
            0 => u32::from(ZERO),
            PREDICATES => PREDICATES + u32::from(TRUE),
            UNIFORM => UNIFORM + u32::from(ZERO),
            UNIFORM_PREDICATES => UNIFORM_PREDICATES + u32::from(TRUE),
            BARRIERS => Location::FIXED,
            _ => u32::MAX,
        };
        self.0.saturating_add(lanes.into()) <= end
    }

    fn file(self) -> u32 {
        let firsts = [
            PREDICATES,
            UNIFORM,
            UNIFORM_PREDICATES,
            BARRIERS,
            Location::FIXED,
        ];
        let before = firsts.iter().take_while(|first| **first <= self.0);
        before.last().copied().unwrap_or(0)
    }

    /// Whether all threads of a warp have it together.
    pub fn is_of_warp(self) -> bool {
        matches!(self.file(), UNIFORM | UNIFORM_PREDICATES | BARRIERS)
    }

    /// Whether it has the descriptor of global memory in all functions of a section.
    pub fn is_descriptor(self) -> bool {
        let first = UNIFORM + u32::from(crate::build::DESCRIPTOR);
        (first..first + 2).contains(&self.0)
    }

    /// Whether it is among what a function changes. Of files of which that is not known it is.
    pub fn is_changed(self, changed: &Changed) -> bool {
        match self.file() {
            0 => changed.has_register(self.number() as u8),
            PREDICATES => changed.has_predicate(self.number() as u8),
            _ => true,
        }
    }

    /// Whether a function that is called leaves it as it was. Source: functions as ptxas compiles them for sm_90; see
    /// `docs/checkers.md`. Predicates are never kept.
    pub fn is_kept_by_calls(self) -> bool {
        let number = self.number();
        match self.file() {
            0 => match number {
                // The return address is in the range, but the caller writes it itself.
                20 | 21 => false,
                1 | 2 | 16..=31 => true,
                32.. => number & 4 != 0,
                _ => false,
            },
            UNIFORM => number >= 36 || self.is_descriptor(),
            BARRIERS => number >= 6,
            Location::FIXED => true,
            _ => false,
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.number();
        match self.file() {
            0 => write!(f, "R{number}"),
            PREDICATES => write!(f, "P{number}"),
            UNIFORM => write!(f, "UR{number}"),
            UNIFORM_PREDICATES => write!(f, "UP{number}"),
            BARRIERS => write!(f, "B{number}"),
            _ => write!(f, "word {number} of the frame's spilled values"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers() {
        let shown = |value| Location::of(value).map(|one| one.to_string());
        assert_eq!(shown(Value::Register(254)).as_deref(), Some("R254"));
        assert_eq!(shown(Value::Register(255)), None);
        assert_eq!(shown(Value::Predicate(6)).as_deref(), Some("P6"));
        assert_eq!(shown(Value::Predicate(7)), None);
        assert_eq!(shown(Value::Uniform(62)).as_deref(), Some("UR62"));
        assert_eq!(shown(Value::UniformPredicate(0)).as_deref(), Some("UP0"));
        assert_eq!(shown(Value::Barrier(15)).as_deref(), Some("B15"));
        assert_eq!(shown(Value::Barrier(16)), None);
        assert_eq!(Location::slot(3).number(), 3);
    }

    #[test]
    fn tuples_end_before_what_is_always_zero() {
        assert!(Location(252).has(3));
        assert!(!Location(252).has(4));
        assert!(Location(PREDICATES + 6).has(1));
        assert!(!Location(PREDICATES + 6).has(2));
    }

    #[test]
    fn calls_keep_what_the_convention_says() {
        let kept: Vec<u32> = (0..64)
            .filter(|one| Location(*one).is_kept_by_calls())
            .collect();
        let wanted: Vec<u32> = [1, 2]
            .into_iter()
            .chain((16..32).filter(|one| ![20, 21].contains(one)))
            .chain((32..64).filter(|one| one / 4 % 2 == 1))
            .collect();
        assert_eq!(kept, wanted);
        assert!(!Location(PREDICATES).is_kept_by_calls());
        assert!(Location(BARRIERS + 6).is_kept_by_calls());
        assert!(!Location(BARRIERS + 5).is_kept_by_calls());
    }
}
