//! Whether the operand cache has what registers have.
//!
//! A source with `.reuse` stays in the cache of its place (first, second, third source) until an instruction reads
//! another register of the same bank there; the next instruction that reads the same register at the same place may
//! get it from the cache. So it must not have been written since ([`What::Stale`]). What a chip does with such a mark is
//! not known: ptxas writes none.
//!
//! Blocks are judged one by one: a warp that goes elsewhere has lost its cache in all that ptxas marks. An instruction
//! with a guard may leave what is in the cache there.

use super::flow::Flow;
use super::{Code, Finding, What};
use warpc_sass::latency::{BANKS, File};
use warpc_sass::{Guard, Inst, Marks, Value};

/// A source in the cache.
struct Kept {
    at: usize,
    place: u8,
    first: u8,
    width: u8,
    /// Whether it was written since.
    is_stale: bool,
}

impl Kept {
    fn has(&self, register: u8) -> bool {
        (self.first..=self.first.saturating_add(self.width - 1)).contains(&register)
    }

    /// Whether both need the same bank.
    fn shares_bank(&self, first: u8, width: u8) -> bool {
        self.width >= BANKS || width >= BANKS || self.first % BANKS == first % BANKS
    }
}

/// The findings in code.
pub fn check(code: &Code, flow: &Flow) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut cache: Vec<Kept> = Vec::new();
    for block in flow.blocks.iter().filter(|block| block.reached) {
        cache.clear();
        for (at, inst) in code.insts[block.start..block.end].iter().enumerate() {
            step(&mut cache, block.start + at, inst, &mut found);
        }
    }
    found
}

fn step(cache: &mut Vec<Kept>, at: usize, inst: &Inst, found: &mut Vec<Finding>) {
    let slots = || inst.shape.slots().iter().zip(&inst.operands);
    let register = |value: Value| match value {
        Value::Register(number @ 0..=254) => Some(number),
        _ => None,
    };
    // What is read goes out before anything comes in: one instruction reads all of its sources at once.
    let sources = slots().filter_map(|(slot, operand)| {
        let width = slot.width.registers(u128::MAX).max(1);
        let place = slot.reuse_place()?;
        Some((place, register(operand.value)?, width, operand.marks))
    });
    for (place, first, width, _) in sources.clone() {
        let stale = cache
            .iter()
            .find(|kept| kept.place == place && kept.is_stale && kept.first == first);
        if let Some(kept) = stale {
            let what = What::Stale {
                register: first,
                from: kept.at,
            };
            found.push(Finding { at, what });
        }
        cache.retain(|kept| {
            let goes = kept.place == place && kept.shares_bank(first, width);
            !goes || inst.guard != Guard::ALWAYS && kept.first != first
        });
    }
    for (place, first, width, marks) in sources {
        if marks.has(Marks::REUSE) {
            cache.push(Kept {
                at,
                place,
                first,
                width,
                is_stale: false,
            });
        }
    }
    if cache.is_empty() {
        return;
    }
    for (slot, operand) in slots() {
        if slot.file != Some(File::Register) || !slot.is_written() {
            continue;
        }
        let Some(first) = register(operand.value) else {
            continue;
        };
        let width = slot.width.registers(u128::MAX).max(1);
        for register in first..=first.saturating_add(width - 1) {
            for kept in cache.iter_mut().filter(|kept| kept.has(register)) {
                kept.is_stale = true;
            }
        }
    }
}
