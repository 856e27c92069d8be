//! Shapes by example: a text of SASS whose registers stand for operands that are filled in.

use rustc_hash::FxHashMap;
use std::sync::{OnceLock, RwLock};
use warpc_sass::{Control, Inst, Value, parse};
use warpc_target::Sm;

/// An example of an instruction, made once for each chip.
pub(crate) struct Pattern {
    /// The example.
    pub inst: Inst,
    /// The slots that are filled in: registers and predicates other than those that never change, barriers, labels.
    pub holes: Vec<usize>,
}

type Known = FxHashMap<(Sm, Box<str>), Option<&'static Pattern>>;

/// The pattern of a text on a chip; nothing if the chip does not have such an instruction.
pub(crate) fn find(sm: Sm, text: &str) -> Option<&'static Pattern> {
    static KNOWN: OnceLock<RwLock<Known>> = OnceLock::new();
    let all = KNOWN.get_or_init(RwLock::default);
    // A thread that panicked cannot have left the map half changed.
    let known = match all.read() {
        Ok(known) => known.get(&(sm, text.into())).copied(),
        Err(poisoned) => poisoned.into_inner().get(&(sm, text.into())).copied(),
    };
    if let Some(known) = known {
        return known;
    }
    let made = parse::inst(sm, text, Control::UNSCHEDULED, 0).map(|(inst, _)| {
        let is_hole = |value: Value| match value {
            Value::Register(number) | Value::Uniform(number) => number != 255,
            Value::Predicate(number) | Value::UniformPredicate(number) => number != 7,
            Value::Barrier(number) => number < 16,
            Value::Label(_) => true,
            _ => false,
        };
        let slots = inst.values().enumerate();
        let holes = slots
            .filter(|(_, value)| is_hole(*value))
            .map(|(slot, _)| slot);
        let holes = holes.collect();
        &*Box::leak(Box::new(Pattern { inst, holes }))
    });
    let mut all = match all.write() {
        Ok(all) => all,
        Err(poisoned) => poisoned.into_inner(),
    };
    *all.entry((sm, text.into())).or_insert(made)
}
