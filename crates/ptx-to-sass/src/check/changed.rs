//! What the functions of a section change: the registers and predicates that their instructions write, and those of the
//! functions that they call.
//!
//! A function gives back what the convention says that it keeps, which [`super::registers`] judges. Of the others it keeps what
//! nobody writes between its call and its return: `changed(f) = ⋃ writes(f) ∪ ⋃ changed(g)`, over the functions `g` that it
//! calls, to a fixed point. A call that goes to another section changes everything.

use super::Code;
use super::flow::Flow;
use warpc_sass::latency::{Effects, File};

/// Registers, and then predicates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Changed([u64; 5]);

impl Changed {
    /// Everything.
    pub const ALL: Changed = Changed([u64::MAX; 5]);

    /// Whether a register is changed.
    pub fn has_register(&self, number: u8) -> bool {
        self.0[usize::from(number) / 64] >> (number % 64) & 1 == 1
    }

    /// Whether a predicate is changed.
    pub fn has_predicate(&self, number: u8) -> bool {
        self.0[4] >> (number % 64) & 1 == 1
    }

    /// Adds what others change; whether that is more.
    pub fn join(&mut self, other: &Changed) -> bool {
        let before = *self;
        for (own, other) in self.0.iter_mut().zip(other.0) {
            *own |= other;
        }
        *self != before
    }

    fn add(&mut self, file: File, number: u8) {
        let place = match file {
            File::Register => usize::from(number),
            File::Predicate => 256 + usize::from(number),
            // Nobody asks for them: what is kept of these files is the same for all functions.
            File::Uniform | File::UniformPredicate => return,
        };
        self.0[place / 64] |= 1 << (place % 64);
    }
}

/// What each function of the flow changes, by its number there.
pub fn changed(code: &Code, flow: &Flow) -> Vec<Changed> {
    if flow.functions.iter().all(|one| one.callers.is_empty()) {
        // Nobody asks.
        return vec![Changed::ALL; flow.functions.len()];
    }
    let mut all: Vec<Changed> = Vec::with_capacity(flow.functions.len());
    for function in &flow.functions {
        let mut own = Changed::default();
        for block in function.blocks.iter().map(|block| &flow.blocks[*block]) {
            for inst in &code.insts[block.start..block.end] {
                let effects = Effects::of(inst);
                for access in effects.accesses.iter().filter(|one| one.is_write()) {
                    let numbers = access.numbers();
                    numbers.for_each(|number| own.add(access.file, number));
                }
            }
            if block
                .call
                .as_ref()
                .is_some_and(|call| call.callees.is_empty())
            {
                own = Changed::ALL;
            }
        }
        all.push(own);
    }
    let mut work: Vec<usize> = (0..all.len()).collect();
    while let Some(number) = work.pop() {
        let own = all[number];
        for caller in &flow.functions[number].callers {
            // A block may belong to several functions.
            let callers = flow.functions.iter().enumerate();
            for (number, _) in callers.filter(|one| one.1.blocks.contains(caller)) {
                if all[number].join(&own) {
                    work.push(number);
                }
            }
        }
    }
    all
}
