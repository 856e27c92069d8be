//! Every form with every combination of modifiers that the chip has.

use smallvec::SmallVec;
use warpc_ptx::form::{Form, FormId};
use warpc_ptx::inst::Choice;
use warpc_ptx::table;
use warpc_target::{Gate, PtxVersion, Sm, Variant};

/// The sections whose instructions compute something from their operands alone, and the atomics.
pub const SECTIONS: &[&str] = &[
    "integer",
    "extended",
    "float",
    "half",
    "mixed",
    "compare",
    "half_compare",
    "logic",
    "shuffle",
    "convert",
    "video",
    "atomic",
];

/// The version of the modules: drivers of CUDA 12.7 and later take it.
pub const VERSION: PtxVersion = PtxVersion::new(8, 6);

/// The chip the modules are for.
pub fn target() -> Sm {
    Sm::new(90, Variant::Plain).expect("sm_90 is a chip")
}

/// Every choice of the suite with its section, in the table's order.
pub fn all() -> Vec<(&'static str, Choice)> {
    let mut found = Vec::new();
    let mut number = 0;
    for section in table::SECTIONS {
        for _ in section.rows {
            let id = FormId(number);
            number += 1;
            if SECTIONS.contains(&section.name) && in_suite(id.form()) {
                let choices = combinations(id);
                let wanted = choices
                    .into_iter()
                    .filter(|choice| section.name != "atomic" || needed_for_atomics(choice));
                found.extend(wanted.map(|choice| (section.name, choice)));
            }
        }
    }
    found
}

/// Shuffles ask other lanes and are not function of one thread's operands.
fn in_suite(form: &Form) -> bool {
    form.opcode != "shfl" && open(form.row.gate) && form.row.removed.is_none()
}

/// Whether the chip and the version have it.
pub fn open(gate: Gate) -> bool {
    gate.check(target(), VERSION).is_ok()
}

/// What the slots of a form can hold together.
pub fn combinations(id: FormId) -> Vec<Choice> {
    let form = id.form();
    let mut lists: Vec<SmallVec<[u8; 16]>> = vec![SmallVec::new()];
    for (i, slot) in form.slots.iter().enumerate() {
        let mut values: Vec<u8> = (0..slot.values.len() as u8)
            .filter(|&value| open(slot.values[usize::from(value)].gate))
            .collect();
        if slot.optional {
            values.insert(0, Choice::ABSENT);
        }
        let together = |list: &[u8], value: u8| {
            slot.group == 0
                || (0..i)
                    .filter(|&before| form.slots[before].group == slot.group)
                    .all(|before| (list[before] == Choice::ABSENT) == (value == Choice::ABSENT))
        };
        lists = lists
            .iter()
            .flat_map(|list| {
                let fitting = values.iter().filter(|&&value| together(list, value));
                fitting.map(|&value| {
                    let mut longer = list.clone();
                    longer.push(value);
                    longer
                })
            })
            .collect();
    }
    lists
        .into_iter()
        .map(|values| Choice { form: id, values })
        .filter(|choice| {
            form.row
                .combination
                .is_none_or(|asked| asked(choice).is_ok())
        })
        .collect()
}

/// Orders, scopes and cache policies do not change what is computed: each combination of them is
/// tried with the first operation and type of a row, the rest without them.
fn needed_for_atomics(choice: &Choice) -> bool {
    let policy = choice.has("level::cache_hint");
    let ordered = choice.has("sem") || choice.has("scope");
    if !policy && !ordered {
        return true;
    }
    let form = choice.form.form();
    let first = form.slots.iter().zip(&choice.values).all(|(slot, &value)| {
        !matches!(slot.name, "op" | "type" | "vec")
            || slot.values.iter().position(|v| open(v.gate)) == Some(usize::from(value))
    });
    let near = matches!(choice.token("space"), None | Some(".global" | ".shared"));
    first && near && !(policy && ordered)
}
