//! The matrix instructions the chip has.

use super::Form;
use smallvec::SmallVec;
use warpc_diag::SourceFile;
use warpc_ptx::form::FormId;
use warpc_ptx::inst::Choice;
use warpc_ptx::table;
use warpc_target::{Gate, PtxVersion, Sm, Variant};

/// The version of the modules: products of 8-bit floats in `.f16` need it.
pub const VERSION: PtxVersion = PtxVersion::new(8, 7);

/// The chip the modules are for.
pub fn target() -> Sm {
    Sm::new(90, Variant::Plain).expect("sm_90 is a chip")
}

/// Every choice of the matrix sections, with its section.
pub fn all() -> Vec<(&'static str, Choice)> {
    let mut found = Vec::new();
    let mut number = 0;
    for section in table::SECTIONS {
        for row in section.rows {
            let id = FormId(number);
            number += 1;
            if matches!(section.name, "mma" | "wmma" | "matrix_move") && open(row.gate) {
                found.extend(combinations(id).into_iter().map(|c| (section.name, c)));
            }
        }
    }
    found
}

fn open(gate: Gate) -> bool {
    gate.check(target(), VERSION).is_ok()
}

/// What the slots of a form can hold together, as far as the chip has it. `.aligned` is always there:
/// it has to be since PTX 6.3.
fn combinations(id: FormId) -> Vec<Choice> {
    let mut lists: Vec<SmallVec<[u8; 16]>> = vec![SmallVec::new()];
    for slot in id.slots() {
        let mut values: Vec<u8> = (0..slot.values.len() as u8)
            .filter(|&value| open(slot.values[usize::from(value)].gate))
            .collect();
        if slot.optional && slot.name != "aligned" {
            values.insert(0, Choice::ABSENT);
        }
        lists = lists
            .iter()
            .flat_map(|list| {
                values.iter().map(|&value| {
                    let mut longer = list.clone();
                    longer.push(value);
                    longer
                })
            })
            .collect();
    }
    let choice = |values| Choice { form: id, values };
    lists.into_iter().map(choice).collect()
}

/// Whether a form is valid PTX for the chip: not every combination of types and shapes is.
pub fn is_valid(form: &Form) -> bool {
    let text = super::module([form]);
    let file = SourceFile::new("form.ptx", text).expect("a kernel is short");
    !warpc_ptx::check(&file).diagnostics.has_errors()
}
