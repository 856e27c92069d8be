//! Why a move of a spilled value, or a result in another register, is not missed: nobody uses it, or it is there already.

use super::damage::Mutant;
use std::collections::BTreeSet;
use warpc_ptx_to_sass::check::flow::Flow;
use warpc_sass::latency::{Effects, File};
use warpc_sass::{Guard, Inst, Value};

/// The register of the stack.
const STACK: u8 = 1;

/// Code with its flow.
pub struct Ways<'a> {
    /// The instructions.
    pub insts: &'a [Inst],
    /// The ways through them.
    pub flow: &'a Flow,
}

/// The general registers that an instruction writes, or reads.
fn registers(inst: &Inst, written: bool) -> Vec<u8> {
    let effects = Effects::of(inst);
    let own = effects.accesses.iter();
    let own = own.filter(|one| one.file == File::Register && one.is_write() == written);
    own.flat_map(|one| one.numbers()).collect()
}

/// The words of the frame that a load or store of local memory has, and the registers of each.
fn words(inst: &Inst, name: &str) -> Vec<(i64, u8)> {
    let is_stack = inst.address().any(|value| value == Value::Register(STACK));
    if inst.shape.opcode() != name || !is_stack {
        return Vec::new();
    }
    let first = inst.address().find_map(Value::number).unwrap_or(0);
    let mut own = registers(inst, name == "LDL");
    own.retain(|number| *number != STACK);
    (first..).step_by(4).zip(own).collect()
}

/// What an instruction is to something that is followed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// Nothing.
    None,
    /// It uses it.
    Reads,
    /// It replaces it.
    Ends,
}

impl Ways<'_> {
    /// The instructions that may come after one; nothing if a function returns there.
    fn next(&self, at: usize) -> Option<Vec<usize>> {
        let number = self.flow.blocks.partition_point(|block| block.end <= at);
        let block = self.flow.blocks.get(number)?;
        if at + 1 < block.end {
            return Some(vec![at + 1]);
        }
        let mut next = block.next.to_vec();
        if let Some(call) = &block.call {
            next.extend(
                call.callees
                    .iter()
                    .map(|one| self.flow.functions[*one].entry),
            );
            next.extend(call.back);
        }
        let next = next.iter().map(|to| self.flow.blocks[*to].start);
        (!block.returns).then(|| next.collect())
    }

    /// Whether something is used after an instruction on some way.
    fn is_used(&self, at: usize, what: impl Fn(usize, &Inst) -> Use) -> bool {
        let mut seen = BTreeSet::new();
        let mut work = vec![at];
        while let Some(at) = work.pop() {
            let Some(next) = self.next(at) else {
                return true;
            };
            for next in next {
                match what(next, &self.insts[next]) {
                    Use::Reads => return true,
                    Use::Ends => {}
                    Use::None if seen.insert(next) => work.push(next),
                    Use::None => {}
                }
            }
        }
        false
    }

    fn is_read(&self, at: usize, register: u8) -> bool {
        self.is_used(at, |_, inst| match () {
            () if registers(inst, false).contains(&register) => Use::Reads,
            () if registers(inst, true).contains(&register) && inst.guard == Guard::ALWAYS => {
                Use::Ends
            }
            () => Use::None,
        })
    }

    fn is_loaded(&self, at: usize, word: i64) -> bool {
        let has = |inst: &Inst, name: &str| words(inst, name).iter().any(|one| one.0 == word);
        self.is_used(at, |_, inst| match () {
            () if has(inst, "LDL") => Use::Reads,
            () if has(inst, "STL") => Use::Ends,
            () => Use::None,
        })
    }

    /// Whether a word of the frame may have been stored before an instruction.
    fn was_stored(&self, at: usize, word: i64) -> bool {
        let insts = self.insts.iter().enumerate();
        let mut stores =
            insts.filter(|(_, inst)| words(inst, "STL").iter().any(|one| one.0 == word));
        stores.any(|(from, _)| {
            self.is_used(from, |next, _| match next == at {
                true => Use::Reads,
                false => Use::None,
            })
        })
    }

    /// Whether a register and a word of the frame have the same before an instruction, by its block.
    fn are_same(&self, at: usize, register: u8, word: i64) -> bool {
        let number = self.flow.blocks.partition_point(|block| block.end <= at);
        let start = self.flow.blocks.get(number).map_or(at, |block| block.start);
        for inst in self.insts[start..at].iter().rev() {
            let pair = &(word, register);
            if words(inst, "LDL").contains(pair) || words(inst, "STL").contains(pair) {
                return true;
            }
            let other = words(inst, "STL").iter().any(|one| one.0 == word);
            if other || registers(inst, true).contains(&register) {
                return false;
            }
        }
        false
    }

    /// Why a load or store of a spilled value is not missed.
    pub fn why_spilled(&self, at: usize) -> Option<&'static str> {
        let loads = words(&self.insts[at], "LDL");
        let stores = words(&self.insts[at], "STL");
        if !loads.is_empty() {
            let used: Vec<_> = loads.iter().filter(|one| self.is_read(at, one.1)).collect();
            return match used.is_empty() {
                true => Some("nobody reads what it loads"),
                false => used
                    .iter()
                    .all(|one| self.are_same(at, one.1, one.0) || !self.was_stored(at, one.0))
                    .then_some("the registers have it already, or it was never stored"),
            };
        }
        let used: Vec<_> = stores
            .iter()
            .filter(|one| self.is_loaded(at, one.0))
            .collect();
        match used.is_empty() {
            true if !stores.is_empty() => Some("nobody loads what it stores"),
            true => None,
            false => used
                .iter()
                .all(|one| self.are_same(at, one.1, one.0))
                .then_some("the frame has it already"),
        }
    }

    /// Why results in other registers are not missed.
    pub fn why_written(&self, mutant: &Mutant) -> Option<&'static str> {
        let is_unused = mutant.iter().all(|(at, changed)| {
            let own = registers(&self.insts[*at], true).into_iter();
            let all = own.chain(registers(changed, true));
            let mut all = all.filter(|register| *register != 255);
            all.all(|register| !self.is_read(*at, register))
        });
        is_unused.then_some("neither the register nor the other one is read again")
    }
}
