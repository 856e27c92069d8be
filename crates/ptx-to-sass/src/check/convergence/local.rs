//! What is known of words of local memory: values that were spilled and are the same for all lanes stay so.
//!
//! Words are named by their distance from the stack register. Whatever moves that register, or stores to local memory at
//! another address, makes all words unknown. Generic addresses are taken not to be of words that were spilled.

use smallvec::SmallVec;
use warpc_sass::latency::{Effects, File};
use warpc_sass::shape::{Access, Space};
use warpc_sass::{Inst, Value};

/// The register of the stack.
const STACK: u8 = 1;

/// What is known of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Kept {
    /// It is the same for all lanes.
    pub same: bool,
    /// It is the number of the thread in the first dimension of its block.
    pub thread: bool,
}

/// The words of which something is known, in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Frame {
    words: SmallVec<[(i64, Kept); 4]>,
}

/// The words that an access of local memory by the stack register has, each with its register.
pub(super) struct Words {
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
        let is_stack = address.any(|value| value == Value::Register(STACK));
        let others = inst.address().filter(|value| match value {
            Value::Register(number) | Value::Uniform(number) => ![STACK, 255].contains(number),
            _ => false,
        });
        if !is_stack || others.count() > 0 {
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
            first: inst.address().find_map(Value::number).unwrap_or(0),
            register: data.next()?,
            count,
        })
    }

    /// Each word, with its register if that is not the one that is always zero.
    pub fn each(&self) -> impl Iterator<Item = (i64, Option<u8>)> + use<> {
        let (first, register) = (self.first, self.register);
        (0..self.count).map(move |lane| {
            let number = (register != 255).then(|| register.saturating_add(lane));
            (first.saturating_add(4 * i64::from(lane)), number)
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
            *kept != Kept::default()
        });
    }

    /// What is known of a word.
    pub fn get(&self, word: i64) -> Kept {
        let found = self.words.binary_search_by_key(&word, |one| one.0);
        found.map_or(Kept::default(), |at| self.words[at].1)
    }

    fn put(&mut self, word: i64, kept: Kept) {
        // Words that a store of another place overlaps.
        self.words
            .retain(|(one, _)| (*one - word).unsigned_abs() >= 4);
        if kept != Kept::default() {
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
        let mut writes = effects.accesses.iter().filter(|one| one.is_write());
        let memory = inst.shape.memory();
        let is_store = memory.access.contains(Access::WRITE) && memory.space == Space::Local;
        match Words::of(inst).filter(|_| is_store) {
            Some(words) => {
                for (word, register) in words.each() {
                    let zero = Kept {
                        same: true,
                        thread: false,
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
            None if is_store => self.words.clear(),
            None => {
                let moves = |one: &warpc_sass::latency::Access| {
                    one.file == File::Register && one.numbers().any(|number| number == STACK)
                };
                if writes.any(moves) {
                    self.words.clear();
                }
            }
        }
    }
}
