//! The machine's opcode of an atomic instruction, by its domain.
//!
//! The description has `RED` for everything that gives no result back. ptxas has it for global memory only, and calls it
//! `REDG` from sm_90 on.

use super::Domain;
use warpc_target::{Chips, Sm};

/// An opcode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // The names are the machine's own.
pub enum Opcode {
    Atom,
    Atomg,
    Red,
    Redg,
    Atoms,
}

const ALL: Chips = Chips::AtLeast(0);

/// Domain, whether no result is given back, chips, opcode; the first row that fits counts.
const OPCODES: [(Domain, Option<bool>, Chips, Opcode); 6] = [
    (Domain::Global, Some(false), ALL, Opcode::Atomg),
    (Domain::Global, Some(true), Chips::AtLeast(90), Opcode::Redg),
    (Domain::Global, Some(true), ALL, Opcode::Red),
    (Domain::Shared, None, ALL, Opcode::Atoms),
    (Domain::SharedCluster, None, ALL, Opcode::Atom),
    (Domain::Generic, None, ALL, Opcode::Atom),
];

impl Opcode {
    /// The opcode on a chip; `None` for a domain that atomics do not have.
    ///
    /// ```
    /// use warpc_model::ocg::{Domain, Opcode};
    /// let sm = "sm_90".parse().unwrap();
    /// assert_eq!(Opcode::of(Domain::Global, true, sm).unwrap().name(), "REDG");
    /// assert_eq!(Opcode::of(Domain::Shared, true, sm).unwrap().name(), "ATOMS");
    /// ```
    pub fn of(domain: Domain, no_return: bool, sm: Sm) -> Option<Opcode> {
        // Mapped memory is addressed as global memory is.
        let domain = match domain {
            Domain::Mmio => Domain::Global,
            domain => domain,
        };
        let fits = |row: &&(Domain, Option<bool>, Chips, Opcode)| {
            row.0 == domain && row.1.is_none_or(|one| one == no_return) && row.2.contains(sm)
        };
        OPCODES.iter().find(fits).map(|row| row.3)
    }

    /// The name in machine code.
    pub fn name(self) -> &'static str {
        match self {
            Opcode::Atom => "ATOM",
            Opcode::Atomg => "ATOMG",
            Opcode::Red => "RED",
            Opcode::Redg => "REDG",
            Opcode::Atoms => "ATOMS",
        }
    }

    /// Whether it has a slot for the old value.
    pub fn has_result(self) -> bool {
        !matches!(self, Opcode::Red | Opcode::Redg)
    }

    /// Whether it says the scope. Shared memory of the block has none.
    pub fn has_scope(self) -> bool {
        self != Opcode::Atoms
    }
}
