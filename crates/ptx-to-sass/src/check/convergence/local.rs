//! What is known of words of local memory: values that were spilled and are the same for all lanes stay so.
//!
//! Words are named by their distance from the stack register, or from the one that keeps its place where the stack grows.
//! Whatever moves that register makes all words unknown, and so does a store to local memory at another address. Words
//! that are known to be spilled are not of that: the program has its own part of the frame. Generic addresses are taken
//! not to be of words that were spilled.

use smallvec::SmallVec;
use warpc_sass::latency::{Effects, File};
use warpc_sass::shape::{Access, Space};
use warpc_sass::{Inst, Value};

/// The register of the stack, and that of the frame in functions whose stack grows. Functions keep both.
const BASES: [u8; 2] = [1, 2];

/// What is known of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Kept {
    /// It is the same for all lanes.
    pub same: bool,
    /// It is the number of the thread in the first dimension of its block.
    pub thread: bool,
    /// It was spilled, at a place that the program itself does not have.
    pub is_spilled: bool,
}

impl Kept {
    fn is_known(self) -> bool {
        self.same || self.thread
    }
}

/// The words of which something is known, in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Frame {
    words: SmallVec<[(Word, Kept); 4]>,
}

/// A word: the register of [`BASES`], and the distance from it.
pub(super) type Word = (u8, i64);

/// The words that an access of local memory by a register of [`BASES`] has, each with its register.
pub(super) struct Words {
    base: u8,
    first: i64,
    register: u8,
    count: u8,
}

impl Words {
    /// Those of a load or store of whole words; nothing if it is something else.
    pub fn of(inst: &Inst) -> Option<Words> {
        let shape = inst.shape;
        if !matches!(shape.opcode(), "LDL" | "STL") {
            return None;
        }
        let mut address = inst.address();
        let base = address.find_map(|value| match value {
            Value::Register(number) if BASES.contains(&number) => Some(number),
            _ => None,
        })?;
        let others = inst.address().filter(|value| match value {
            Value::Register(number) | Value::Uniform(number) => ![base, 255].contains(number),
            _ => false,
        });
        if others.count() > 0 {
            return None;
        }
        let count = match () {
            () if shape.has("128") => 4,
            () if shape.has("64") => 2,
            () if ["U8", "S8", "U16", "S16"].iter().any(|one| shape.has(one)) => return None,
            () => 1,
        };
        let slots = shape.slots().iter().zip(&inst.operands);
        let mut data = slots.filter_map(|(slot, operand)| match operand.value {
            Value::Register(number) if !slot.in_address => Some(number),
            _ => None,
        });
        Some(Words {
            base,
            first: inst.address().find_map(Value::number).unwrap_or(0),
            register: data.next()?,
            count,
        })
    }

    /// Each word, with its register if that is not the one that is always zero.
    pub fn each(&self) -> impl Iterator<Item = (Word, Option<u8>)> + use<> {
        let (base, first, register) = (self.base, self.first, self.register);
        (0..self.count).map(move |lane| {
            let number = (register != 255).then(|| register.saturating_add(lane));
            ((base, first.saturating_add(4 * i64::from(lane))), number)
        })
    }
}

impl Frame {
    /// Keeps what is known on another way, too.
    pub fn join(&mut self, other: &Frame) {
        self.words.retain(|(word, kept)| {
            let found = other.get(*word);
            kept.same &= found.same;
            kept.thread &= found.thread;
            kept.is_spilled &= found.is_spilled;
            kept.is_known()
        });
    }

    /// What is known of a word.
    pub fn get(&self, word: Word) -> Kept {
        let found = self.words.binary_search_by_key(&word, |one| one.0);
        found.map_or(Kept::default(), |at| self.words[at].1)
    }

    fn put(&mut self, word: Word, kept: Kept) {
        // Words that a store of another place overlaps: any, counted from another register.
        self.words.retain(|((base, at), old)| {
            *base == word.0 && at.saturating_sub(word.1).unsigned_abs() >= 4
                || *base != word.0 && old.is_spilled && !kept.is_spilled
        });
        if kept.is_known() {
            let at = self.words.partition_point(|one| one.0 < word);
            self.words.insert(at, (word, kept));
        }
    }

    /// Steps over an instruction. `known` says what is known of a register, and `is_for_all` whether all lanes do it if
    /// one does.
    pub fn step(
        &mut self,
        inst: &Inst,
        effects: &Effects,
        is_for_all: bool,
        known: impl Fn(u8) -> Kept,
    ) {
        if self.words.is_empty() && inst.shape.opcode() != "STL" {
            return;
        }
        let writes = effects.accesses.iter().filter(|one| one.is_write());
        let memory = inst.shape.memory();
        let is_store = memory.access.contains(Access::WRITE) && memory.space == Space::Local;
        match Words::of(inst).filter(|_| is_store) {
            Some(words) => {
                for (word, register) in words.each() {
                    let zero = Kept {
                        same: true,
                        thread: false,
                        is_spilled: known(255).is_spilled,
                    };
                    let mut kept = register.map_or(zero, &known);
                    if effects.guarded {
                        let old = self.get(word);
                        kept.same &= old.same;
                        kept.thread &= old.thread;
                    }
                    self.put(word, if is_for_all { kept } else { Kept::default() });
                }
            }
            None if is_store => self.words.retain(|(_, kept)| kept.is_spilled),
            None => {
                let moved = BASES.into_iter().filter(|base| {
                    writes.clone().any(|one| {
                        one.file == File::Register && one.numbers().any(|number| number == *base)
                    })
                });
                moved.for_each(|moved| self.words.retain(|((base, _), _)| *base != moved));
            }
        }
    }
}
