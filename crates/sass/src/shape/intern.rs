//! The shapes that have been met, each made once.

use super::{Shape, SlotAccess, letter_bit, resolve, slot, traits};
use crate::control::SCHEDULE;
use crate::form::{Form, Forms, GUARD};
use crate::latency::Facts;
use crate::walk;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::sync::{OnceLock, RwLock};
use warpc_target::Sm;

/// A form, the facts of a generation, and the bits of a word that may choose between shapes.
type Key = (usize, usize, u128);

thread_local! {
    /// The shapes that this thread has met: they are found without a lock.
    static MET_HERE: RefCell<FxHashMap<Key, &'static Shape>> = RefCell::default();
}

/// The shapes that have been met.
pub struct Shapes {
    known: RwLock<FxHashMap<Key, &'static Shape>>,
}

impl Shapes {
    fn get() -> &'static Shapes {
        static SHAPES: OnceLock<Shapes> = OnceLock::new();
        SHAPES.get_or_init(|| Shapes {
            known: RwLock::default(),
        })
    }

    /// The shape of a word on a chip; nothing if there is no such instruction.
    pub fn of_word(sm: Sm, word: u128) -> Option<&'static Shape> {
        let form = Forms::get().of(sm, word)?;
        Shapes::of_form(form, Facts::of(sm), word)
    }

    /// The shape of a key, if it has been met.
    fn find(key: Key) -> Option<&'static Shape> {
        MET_HERE.with_borrow_mut(|here| {
            if let Some(shape) = here.get(&key) {
                return Some(*shape);
            }
            // A thread that panicked cannot have left the map half changed.
            let shape = match Shapes::get().known.read() {
                Ok(all) => all.get(&key).copied(),
                Err(poisoned) => poisoned.into_inner().get(&key).copied(),
            };
            here.extend(shape.map(|shape| (key, shape)));
            shape
        })
    }

    /// The shape of a word of a form.
    pub(super) fn of_form(
        form: &'static Form,
        facts: Option<&'static Facts>,
        word: u128,
    ) -> Option<&'static Shape> {
        let address = |facts: &Facts| std::ptr::from_ref(facts).addr();
        let key = (
            std::ptr::from_ref(form).addr(),
            facts.map_or(0, address),
            word & form.choosing_bits(),
        );
        if let Some(shape) = Shapes::find(key) {
            return shape.has_word(word).then_some(shape);
        }
        if !walk::is_instruction(form, word) {
            return None;
        }
        let made: &'static Shape = Box::leak(Box::new(Shape::resolved(form, facts, word)));
        let mut all = match Shapes::get().known.write() {
            Ok(all) => all,
            Err(poisoned) => poisoned.into_inner(),
        };
        // Another thread may have been faster: then its shape counts.
        Some(all.entry(key).or_insert(made))
    }
}

/// The first letters of the modifiers of a name.
fn letters(name: &str) -> u64 {
    let modifiers = name[crate::form::name_of(name).len()..].split('.').skip(1);
    modifiers.fold(0, |all, one| all | letter_bit(one.as_bytes()))
}

impl Shape {
    /// Whether a word with the bits that choose this shape is an instruction.
    fn has_word(&self, word: u128) -> bool {
        let fixed = !(self.slot_bits | GUARD | SCHEDULE);
        word & fixed == self.base
            && (!self.has_partial_slots
                || self.slots.iter().all(|slot| slot.operand(word).is_some()))
            && self.allows_control(word)
            && self.allows_operands(word)
    }

    /// The shape of a form with every field 0 or as ptxas leaves it, whether or not there is such an instruction.
    pub(crate) fn at_rest(form: &'static Form, facts: &'static Facts) -> Shape {
        let word = u128::from(form.row.opcode) | form.row.implied_bits | 7 << 12;
        Shape::resolved(form, Some(facts), word)
    }

    fn resolved(form: &'static Form, facts: Option<&'static Facts>, word: u128) -> Shape {
        let resolved = resolve::resolve(form, word);
        let slot_bits = resolved
            .slots
            .iter()
            .fold(0, |all, one| all | one.atom.mask);
        let reuse_bits = resolved.slots.iter().fold(0, |all, one| {
            all | one.atom.signs.bits(crate::operand::Marks::REUSE)
        });
        let name = resolved.name.into_boxed_str();
        let memory = traits::memory(&name);
        let traits = traits::of(&name, memory, &resolved.slots, word);
        let accesses = SlotAccess::all(&resolved.slots, traits);
        let of_registers = |written| SlotAccess::of_registers(&accesses, &resolved.slots, written);
        let (reads, writes) = (of_registers(false), of_registers(true));
        let results = (0u8..).zip(&resolved.slots);
        let results = results.filter(|(_, slot)| slot.is_written());
        let results = results.map(|(number, _)| number).collect();
        let texel_mask = slot::texel_mask(&resolved.slots);
        Shape {
            form,
            facts,
            base: word & !(slot_bits | GUARD | SCHEDULE),
            slot_bits,
            reuse_bits,
            has_partial_slots: resolved.slots.iter().any(slot::Slot::is_partial),
            rules: resolved.rules,
            schedule: OnceLock::new(),
            memory,
            traits,
            accesses,
            reads,
            writes,
            results,
            texel_mask,
            slots: resolved.slots.into_boxed_slice(),
            opcode: crate::form::name_of(&name).into(),
            letters: letters(&name),
            name,
        }
    }
}
