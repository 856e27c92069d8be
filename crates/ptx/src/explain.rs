//! What a name of PTX is, printed from the tables.

use crate::directives;
use crate::form::{Form, FormId, Slot, forms_of};
use crate::sreg;
use std::fmt::Write;
use warpc_target::Gate;

/// Explains an instruction (`atom`, or `cp.async.bulk` for the forms with these modifiers), a
/// special register (`%tid`) or a directive (`.maxntid`). `None` if there is no such thing.
pub fn explain(name: &str) -> Option<String> {
    if name.starts_with('%') {
        return special_register(name);
    }
    if name.starts_with('.') {
        return directive(name);
    }
    instruction(name)
}

fn instruction(name: &str) -> Option<String> {
    let mut pieces = name.split('.');
    let opcode = pieces.next()?;
    let wanted: Vec<String> = pieces.map(|piece| format!(".{piece}")).collect();
    let has_all = |id: &&FormId| {
        let slots = &id.form().slots;
        wanted.iter().all(|token| {
            slots
                .iter()
                .any(|slot| slot.values.iter().any(|value| value.text == token))
        })
    };
    let forms: Vec<&FormId> = forms_of(opcode).iter().filter(has_all).collect();
    if forms.is_empty() {
        return None;
    }
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{name}: {} form{}\n",
        forms.len(),
        if forms.len() == 1 { "" } else { "s" }
    );
    for id in forms {
        describe(&mut out, id.form());
    }
    Some(out)
}

fn describe(out: &mut String, form: &Form) {
    let _ = writeln!(out, "{};", form.row.syntax);
    for slot in form.slots.iter().filter(|slot| is_set(slot)) {
        let _ = writeln!(out, "    .{} = {{ {} }}", slot.name, values(slot));
    }
    let operands: Vec<&str> = form.row.operands.split_whitespace().collect();
    if !operands.is_empty() {
        let _ = writeln!(out, "    operands: {}", operands.join(", "));
    }
    if form.row.gate != Gate::ALWAYS {
        let _ = writeln!(out, "    needs {}", form.row.gate);
    }
    if let Some(removed) = form.row.removed {
        let _ = writeln!(
            out,
            "    gone from sm_{} on since PTX {}: write `{}`",
            removed.chip, removed.version, removed.instead
        );
    }
    if !form.row.effects.is_empty() {
        let names: Vec<String> = form
            .row
            .effects
            .iter_names()
            .map(|(name, _)| name.to_lowercase())
            .collect();
        let _ = writeln!(out, "    effects: {}", names.join(", "));
    }
    out.push('\n');
}

/// Whether a slot draws from a set, rather than being a literal.
fn is_set(slot: &Slot) -> bool {
    slot.values.len() != 1 || slot.values[0].text[1..] != *slot.name
}

fn values(slot: &Slot) -> String {
    let list: Vec<String> = slot
        .values
        .iter()
        .map(|value| {
            if value.gate == Gate::ALWAYS {
                value.text.to_owned()
            } else {
                format!("{} ({})", value.text, value.gate)
            }
        })
        .collect();
    list.join(", ")
}

fn special_register(name: &str) -> Option<String> {
    let (base, part) = match name.split_once('.') {
        Some((base, part)) => (base, format!(".{part}")),
        None => (name, String::new()),
    };
    let found = sreg::find(base, &part)?;
    let types: Vec<String> = found.row.types.iter().map(ToString::to_string).collect();
    let elements = if found.elements > 1 {
        format!(", {} elements", found.elements)
    } else {
        String::new()
    };
    Some(format!(
        "{name}: special register of type {}{elements}\n    needs {}\n",
        types.join(" or "),
        found.row.gate
    ))
}

fn directive(name: &str) -> Option<String> {
    let row = directives::find(name)?;
    let place = match (row.on_entry, row.on_func) {
        (true, true) => "kernels and functions",
        (true, false) => "kernels",
        _ => "functions",
    };
    let numbers = match (row.least_values, row.most_values) {
        (_, 0) => String::new(),
        (least, most) if least == most => {
            format!(", {most} number{}", if most == 1 { "" } else { "s" })
        }
        (least, most) => format!(", {least} to {most} numbers"),
    };
    Some(format!(
        "{name}: directive of {place}{numbers}\n    needs {}\n",
        row.gate
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert!(explain("bra").is_some_and(|text| text.contains("bra{.uni}  target")));
        assert!(explain("fence.proxy").is_some_and(|text| !text.contains("fence{.sem}")));
        assert!(explain("%tid.x").is_some_and(|text| text.contains(".u32")));
        assert!(explain(".maxntid").is_some_and(|text| text.contains("1 to 3 numbers")));
        assert!(
            explain("nosuch").is_none()
                && explain("%nosuch").is_none()
                && explain(".nosuch").is_none()
        );
    }
}
