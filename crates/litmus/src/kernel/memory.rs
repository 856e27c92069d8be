//! The memory that the threads of a kernel access, as locations of the model.

use super::launch::Launch;
use crate::read::Test;
use warpc_diag::{Diagnostic, Span, codes};
use warpc_model::axioms::Location;
use warpc_ptx::symbol::Symbol;

/// Bytes of a variable that accesses name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bytes {
    /// The variable.
    pub variable: Symbol,
    /// The block, for variables in shared memory.
    pub block: Option<u32>,
    /// Where they begin.
    pub offset: i64,
    /// How many.
    pub size: u32,
    /// What conditions call them.
    pub name: String,
    /// The first access.
    pub span: Span,
}

/// The locations of all threads.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    all: Vec<Bytes>,
}

impl Memory {
    /// The location of bytes. Those that overlap with others in part are refused.
    pub fn location(&mut self, bytes: Bytes) -> Result<usize, Box<Diagnostic>> {
        let same = |known: &Bytes| {
            (known.variable, known.block, known.offset, known.size)
                == (bytes.variable, bytes.block, bytes.offset, bytes.size)
        };
        if let Some(known) = self.all.iter().position(same) {
            return Ok(known);
        }
        let overlaps = self.all.iter().find(|known| {
            (known.variable, known.block) == (bytes.variable, bytes.block)
                && known.offset < bytes.offset + i64::from(bytes.size)
                && bytes.offset < known.offset + i64::from(known.size)
        });
        if let Some(other) = overlaps {
            let message = format!("accesses of `{}` overlap in part", bytes.name);
            let found = Diagnostic::error(codes::LITMUS_KERNEL, bytes.span, message);
            return Err(Box::new(found.related(other.span, "the other access")));
        }
        self.all.push(bytes);
        Ok(self.all.len() - 1)
    }

    /// Gives a test its locations.
    pub fn give(self, launch: &Launch, test: &mut Test) -> Result<(), Box<Diagnostic>> {
        for (at, bytes) in self.all.iter().enumerate() {
            test.locations.push(bytes.name.clone());
            test.program.locations.push(Location {
                memory: at,
                address: at,
                initial: 0,
            });
        }
        for (name, value, span) in &launch.initial {
            let found = test.locations.iter().position(|known| known == name);
            let Some(location) = found else {
                let message = format!("no thread accesses `{name}`");
                return Err(Box::new(Diagnostic::error(
                    codes::LITMUS_NAME,
                    *span,
                    message,
                )));
            };
            test.program.locations[location].initial = *value;
        }
        Ok(())
    }
}
