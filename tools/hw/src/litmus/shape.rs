//! The shapes: what each thread reads and writes, and the outcome that weak memory shows.

use Event::{R, ReadDataIf, W, WriteData};
use What::{Last, Reg};

/// An access of a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// Writes a number to a location.
    W(usize, u32),
    /// Reads a location into a register.
    R(usize, usize),
    /// Writes a number to a location, without an order.
    WriteData(usize, u32),
    /// Reads a location into a register, without an order, if another register is one; otherwise the
    /// register is [`NOT_READ`].
    ReadDataIf(usize, usize, usize),
}

/// What a register holds whose read was not done.
pub const NOT_READ: u32 = 3;

/// What an outcome says something about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// A register.
    Reg(usize),
    /// What a location holds at the end.
    Last(usize),
}

/// How strong orders must be to forbid an outcome, and how strong they are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Strength {
    /// Accesses of one location are in one order.
    Coherence,
    /// What was seen before a release is seen after its acquire.
    Causality,
    /// All accesses are in one order.
    Total,
}

/// A shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Its usual name.
    pub name: &'static str,
    /// What threads do.
    pub threads: &'static [&'static [Event]],
    /// The outcome that only weak memory has.
    pub weak: &'static [(What, u32)],
    /// What forbids it.
    pub needs: Strength,
}

const X: usize = 0;
const Y: usize = 1;
const Z: usize = 2;

/// All shapes.
pub const SHAPES: [Shape; 13] = [
    Shape {
        name: "CoRR",
        threads: &[&[W(X, 1)], &[R(X, 0), R(X, 1)]],
        weak: &[(Reg(0), 1), (Reg(1), 0)],
        needs: Strength::Coherence,
    },
    Shape {
        name: "CoWW",
        threads: &[&[W(X, 1), W(X, 2)], &[R(X, 0)]],
        weak: &[(Last(X), 1)],
        needs: Strength::Coherence,
    },
    Shape {
        name: "MP",
        threads: &[&[W(X, 1), W(Y, 1)], &[R(Y, 0), R(X, 1)]],
        weak: &[(Reg(0), 1), (Reg(1), 0)],
        needs: Strength::Causality,
    },
    Shape {
        name: "MP-data",
        threads: &[&[WriteData(X, 1), W(Y, 1)], &[R(Y, 0), ReadDataIf(X, 1, 0)]],
        weak: &[(Reg(0), 1), (Reg(1), 0)],
        needs: Strength::Causality,
    },
    Shape {
        name: "LB",
        threads: &[&[R(X, 0), W(Y, 1)], &[R(Y, 1), W(X, 1)]],
        weak: &[(Reg(0), 1), (Reg(1), 1)],
        needs: Strength::Causality,
    },
    Shape {
        name: "S",
        threads: &[&[W(X, 2), W(Y, 1)], &[R(Y, 0), W(X, 1)]],
        weak: &[(Reg(0), 1), (Last(X), 2)],
        needs: Strength::Causality,
    },
    Shape {
        name: "WRC",
        threads: &[&[W(X, 1)], &[R(X, 0), W(Y, 1)], &[R(Y, 1), R(X, 2)]],
        weak: &[(Reg(0), 1), (Reg(1), 1), (Reg(2), 0)],
        needs: Strength::Causality,
    },
    Shape {
        name: "ISA2",
        threads: &[
            &[W(X, 1), W(Y, 1)],
            &[R(Y, 0), W(Z, 1)],
            &[R(Z, 1), R(X, 2)],
        ],
        weak: &[(Reg(0), 1), (Reg(1), 1), (Reg(2), 0)],
        needs: Strength::Causality,
    },
    Shape {
        name: "ISA2-data",
        threads: &[
            &[WriteData(X, 1), W(Y, 1)],
            &[R(Y, 0), W(Z, 1)],
            &[R(Z, 1), ReadDataIf(X, 2, 1)],
        ],
        weak: &[(Reg(0), 1), (Reg(1), 1), (Reg(2), 0)],
        needs: Strength::Causality,
    },
    Shape {
        name: "SB",
        threads: &[&[W(X, 1), R(Y, 0)], &[W(Y, 1), R(X, 1)]],
        weak: &[(Reg(0), 0), (Reg(1), 0)],
        needs: Strength::Total,
    },
    Shape {
        name: "R",
        threads: &[&[W(X, 1), W(Y, 1)], &[W(Y, 2), R(X, 0)]],
        weak: &[(Last(Y), 2), (Reg(0), 0)],
        needs: Strength::Total,
    },
    Shape {
        name: "2+2W",
        threads: &[&[W(X, 1), W(Y, 2)], &[W(Y, 1), W(X, 2)]],
        weak: &[(Last(X), 1), (Last(Y), 1)],
        needs: Strength::Total,
    },
    Shape {
        name: "IRIW",
        threads: &[
            &[W(X, 1)],
            &[W(Y, 1)],
            &[R(X, 0), R(Y, 1)],
            &[R(Y, 2), R(X, 3)],
        ],
        weak: &[(Reg(0), 1), (Reg(1), 0), (Reg(2), 1), (Reg(3), 0)],
        needs: Strength::Total,
    },
];

/// Locations that a shape may have.
pub const LOCATIONS: usize = 3;
/// Registers that a shape may have.
pub const REGISTERS: usize = 4;
/// Different outcomes that can be counted: two bits of each register and of the first two locations.
pub const OUTCOMES: usize = 1 << (2 * (REGISTERS + 2));

impl Shape {
    /// Whether an outcome, by its number, is the weak one.
    pub fn is_weak(&self, outcome: usize) -> bool {
        self.weak
            .iter()
            .all(|&(what, value)| part(outcome, what) == value)
    }

    /// An outcome as text: `1,0 x=2 y=1`.
    pub fn outcome_text(&self, outcome: usize) -> String {
        let events = self.threads.iter().copied().flatten();
        let count = events
            .filter(|event| matches!(event, R(..) | ReadDataIf(..)))
            .count();
        let registers: Vec<String> = (0..count)
            .map(|i| part(outcome, Reg(i)).to_string())
            .collect();
        format!(
            "{} x={} y={}",
            registers.join(","),
            part(outcome, Last(X)),
            part(outcome, Last(Y))
        )
    }
}

fn part(outcome: usize, what: What) -> u32 {
    let place = match what {
        Reg(register) => register,
        Last(location) => REGISTERS + location,
    };
    (outcome >> (2 * place)) as u32 & 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_read_by_their_bits() {
        let shape = SHAPES.iter().find(|shape| shape.name == "S").expect("S");
        // Register 0 is 1, x is 2, y is 1.
        let outcome = 1 | 2 << 8 | 1 << 10;
        assert!(shape.is_weak(outcome));
        assert!(!shape.is_weak(outcome ^ 3 << 8));
        assert_eq!(shape.outcome_text(outcome), "1 x=2 y=1");
    }
}
