//! Why a move of a spilled value, or a result in another register, is not missed: nobody uses it, or it is there already.

use super::damage::Mutant;
use std::collections::{BTreeMap, BTreeSet};
use warpc_ptx_to_sass::check::flow::Flow;
use warpc_sass::latency::{Effects, File};
use warpc_sass::{Guard, Inst, Value};

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

/// The register that the address of a load or store of local memory is counted from.
fn base(inst: &Inst) -> Option<u8> {
    inst.address().find_map(|value| match value {
        Value::Register(number) if number != 255 => Some(number),
        _ => None,
    })
}

/// The words of the frame that a load or store of local memory has, and the registers of each; `stack` is what the places
/// of the frame are counted from.
fn words(inst: &Inst, name: &str, stack: u8) -> Vec<(i64, u8)> {
    if inst.shape.opcode() != name || base(inst) != Some(stack) {
        return Vec::new();
    }
    let first = inst.address().find_map(Value::number).unwrap_or(0);
    let mut own = registers(inst, name == "LDL");
    own.retain(|number| *number != stack);
    (first..).step_by(4).zip(own).collect()
}

/// Something that has a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Holder {
    Word(i64),
    Register(u8),
}

/// What is known of words of the frame and registers.
#[derive(Clone, PartialEq, Eq, Default)]
struct Same {
    /// Words and registers that have the same.
    pairs: BTreeSet<(i64, u8)>,
    /// What has a number.
    numbers: BTreeMap<Holder, i64>,
}

impl Same {
    fn has(&self, word: i64, register: u8) -> bool {
        let number = |holder: Holder| self.numbers.get(&holder);
        let both = (
            number(Holder::Word(word)),
            number(Holder::Register(register)),
        );
        self.pairs.contains(&(word, register)) || matches!(both, (Some(a), Some(b)) if a == b)
    }

    /// What both know.
    fn and(&self, other: &Same) -> Same {
        let numbers = self.numbers.iter();
        let numbers = numbers.filter(|(holder, number)| other.numbers.get(holder) == Some(number));
        Same {
            pairs: self.pairs.intersection(&other.pairs).copied().collect(),
            numbers: numbers.map(|(holder, number)| (*holder, *number)).collect(),
        }
    }

    /// What is known after an instruction.
    fn step(&mut self, inst: &Inst, stack: u8) {
        let written = registers(inst, true);
        if written.contains(&stack) {
            *self = Same::default();
            return;
        }
        let stored = words(inst, "STL", stack);
        let loaded = words(inst, "LDL", stack);
        let mut pairs: Vec<(i64, u8)> = stored.iter().chain(&loaded).copied().collect();
        let mut numbers: Vec<(Holder, i64)> = Vec::new();
        let of = |holder: Holder| self.numbers.get(&holder).copied();
        for (word, register) in &stored {
            // Who has the same as a word that the register has the same as.
            let own = self.pairs.iter().filter(|one| one.1 == *register);
            for known in own {
                let equal = self.pairs.iter().filter(|one| one.0 == known.0);
                pairs.extend(equal.map(|one| (*word, one.1)));
            }
            numbers.extend(of(Holder::Register(*register)).map(|one| (Holder::Word(*word), one)));
        }
        for (word, register) in &loaded {
            numbers.extend(of(Holder::Word(*word)).map(|one| (Holder::Register(*register), one)));
        }
        if let Some((to, from)) = moved(inst) {
            let number = match from {
                Value::Register(255) => Some(0),
                Value::Register(from) => {
                    let own = self.pairs.iter().filter(|one| one.1 == from);
                    pairs.extend(own.map(|one| (one.0, to)));
                    of(Holder::Register(from))
                }
                from => from.number(),
            };
            numbers.extend(number.map(|one| (Holder::Register(to), one)));
        }
        let is_old = |word: Option<i64>, register: Option<u8>| {
            !register.is_some_and(|one| written.contains(&one))
                && !word.is_some_and(|one| stored.iter().any(|word| word.0 == one))
        };
        self.pairs.retain(|one| is_old(Some(one.0), Some(one.1)));
        self.numbers.retain(|holder, _| match holder {
            Holder::Word(word) => is_old(Some(*word), None),
            Holder::Register(register) => is_old(None, Some(*register)),
        });
        if inst.guard == Guard::ALWAYS {
            self.pairs.extend(pairs);
            self.numbers.extend(numbers);
        }
    }
}

/// What is moved to which register.
fn moved(inst: &Inst) -> Option<(u8, Value)> {
    match &inst.operands[..] {
        [to, from, ..] if inst.shape.opcode() == "MOV" => match to.value {
            Value::Register(to) => Some((to, from.value)),
            _ => None,
        },
        _ => None,
    }
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

    fn is_loaded(&self, at: usize, stack: u8, word: i64) -> bool {
        let has =
            |inst: &Inst, name: &str| words(inst, name, stack).iter().any(|one| one.0 == word);
        self.is_used(at, |_, inst| match () {
            () if has(inst, "LDL") => Use::Reads,
            () if has(inst, "STL") && inst.guard == Guard::ALWAYS => Use::Ends,
            () => Use::None,
        })
    }

    /// Whether a word of the frame may have been stored before an instruction.
    fn was_stored(&self, at: usize, stack: u8, word: i64) -> bool {
        let insts = self.insts.iter().enumerate();
        let mut stores =
            insts.filter(|(_, inst)| words(inst, "STL", stack).iter().any(|one| one.0 == word));
        stores.any(|(from, _)| {
            self.is_used(from, |next, _| match next == at {
                true => Use::Reads,
                false => Use::None,
            })
        })
    }

    /// Which words of the frame and registers have the same before an instruction, on every way.
    fn same(&self, at: usize, stack: u8) -> Same {
        let mut befores: Vec<Option<Same>> = vec![None; self.flow.blocks.len()];
        let mut work: Vec<usize> = Vec::new();
        for function in &self.flow.functions {
            befores[function.entry] = Some(Same::default());
            work.push(function.entry);
        }
        while let Some(number) = work.pop() {
            let Some(mut same) = befores[number].clone() else {
                continue;
            };
            let block = &self.flow.blocks[number];
            for inst in &self.insts[block.start..block.end] {
                same.step(inst, stack);
            }
            // A function may write any register.
            if block.call.is_some() {
                same = Same::default();
            }
            let back = block.call.iter().filter_map(|call| call.back);
            for next in block.next.iter().copied().chain(back) {
                let joined = match &befores[next] {
                    Some(known) => known.and(&same),
                    None => same.clone(),
                };
                if befores[next].as_ref() != Some(&joined) {
                    befores[next] = Some(joined);
                    work.push(next);
                }
            }
        }
        let number = self.flow.blocks.partition_point(|block| block.end <= at);
        let before = befores.get(number).cloned().flatten();
        let (Some(mut same), Some(block)) = (before, self.flow.blocks.get(number)) else {
            return Same::default();
        };
        for inst in &self.insts[block.start..at] {
            same.step(inst, stack);
        }
        same
    }

    /// Why a constant need not be computed again: on every way the same instruction was the last to write its registers.
    pub fn why_remade(&self, at: usize) -> Option<&'static str> {
        let own = &self.insts[at];
        let written = registers(own, true);
        let step = |has: bool, place: usize| {
            let inst = &self.insts[place];
            let is_same = (inst.shape, inst.guard) == (own.shape, own.guard)
                && inst.values().eq(own.values());
            let changes = || {
                registers(inst, true)
                    .iter()
                    .any(|one| written.contains(one))
            };
            match place == at {
                true => has,
                false => is_same && inst.guard == Guard::ALWAYS || has && !changes(),
            }
        };
        let mut befores: Vec<Option<bool>> = vec![None; self.flow.blocks.len()];
        let mut work = Vec::new();
        for function in &self.flow.functions {
            befores[function.entry] = Some(false);
            work.push(function.entry);
        }
        while let Some(number) = work.pop() {
            let block = &self.flow.blocks[number];
            let has = befores[number].unwrap_or(false);
            let has = (block.start..block.end).fold(has, step);
            // A function may write any register.
            let has = has && block.call.is_none();
            let back = block.call.iter().filter_map(|call| call.back);
            for next in block.next.iter().copied().chain(back) {
                let joined = befores[next].unwrap_or(true) && has;
                if befores[next] != Some(joined) {
                    befores[next] = Some(joined);
                    work.push(next);
                }
            }
        }
        let number = self.flow.blocks.partition_point(|block| block.end <= at);
        let before = befores.get(number).copied().flatten()?;
        let start = self.flow.blocks.get(number)?.start;
        let has = (start..at).fold(before, step);
        has.then_some("the register has it already")
    }

    /// Why a function may use a register of its callers: none of them reads it again after a call of any function.
    pub fn why_trespassed(&self, at: usize, changed: &Inst) -> Option<&'static str> {
        let before = registers(&self.insts[at], true);
        let mut after = registers(changed, true).into_iter();
        let register = after.find(|one| !before.contains(one))?;
        let calls = self.flow.blocks.iter().filter(|block| block.call.is_some());
        let mut lasts = calls.map(|block| block.end - 1);
        let is_had = lasts.any(|call| {
            self.is_used(call, |_, inst| match () {
                () if registers(inst, false).contains(&register) => Use::Reads,
                () if registers(inst, true).contains(&register) && inst.guard == Guard::ALWAYS => {
                    Use::Ends
                }
                // Where the function returns, its callers are asked.
                () if inst.shape.opcode() == "RET" => Use::Ends,
                () => Use::None,
            })
        });
        (!is_had).then_some("no caller has anything in the register")
    }

    /// Why a load or store of a spilled value is not missed.
    pub fn why_spilled(&self, at: usize) -> Option<&'static str> {
        let stack = base(&self.insts[at])?;
        let loads = words(&self.insts[at], "LDL", stack);
        let stores = words(&self.insts[at], "STL", stack);
        let same = self.same(at, stack);
        if !loads.is_empty() {
            let used: Vec<_> = loads.iter().filter(|one| self.is_read(at, one.1)).collect();
            return match used.is_empty() {
                true => Some("nobody reads what it loads"),
                false => used
                    .iter()
                    .all(|one| same.has(one.0, one.1) || !self.was_stored(at, stack, one.0))
                    .then_some("the registers have it already, or it was never stored"),
            };
        }
        let used: Vec<_> = stores
            .iter()
            .filter(|one| self.is_loaded(at, stack, one.0))
            .collect();
        match used.is_empty() {
            true if !stores.is_empty() => Some("nobody loads what it stores"),
            true => None,
            false => used
                .iter()
                .all(|one| same.has(one.0, one.1))
                .then_some("the frame has it already"),
        }
    }

    /// Why results in other registers are not missed.
    pub fn why_written(&self, mutant: &Mutant) -> Option<&'static str> {
        if let [(one, _), (other, _)] = &mutant[..] {
            let values = [*one, *other].map(|at| moved(&self.insts[at]).map(|one| one.1));
            if values[0].is_some() && values[0] == values[1] && other == &(one + 1) {
                return Some("both write the same");
            }
        }
        let is_unused = mutant.iter().all(|(at, changed)| {
            let own = registers(&self.insts[*at], true).into_iter();
            let all = own.chain(registers(changed, true));
            let mut all = all.filter(|register| *register != 255);
            all.all(|register| !self.is_read(*at, register))
        });
        is_unused.then_some("neither the register nor the other one is read again")
    }
}
