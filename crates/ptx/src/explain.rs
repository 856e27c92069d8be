//! What a name of PTX is, printed from the tables.

use crate::directives;
use crate::form::{
    Count, Form, FormId, Kind, OperandSpec, Role, Slot, SpaceRef, TypeRef, forms_of,
};
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
    for spec in &form.operands {
        let _ = writeln!(out, "    {}: {}", spec.name, operand(form, spec));
    }
    if form.row.gate != Gate::ALWAYS {
        let _ = writeln!(out, "    needs {}", form.row.gate);
    }
    if let Some(removed) = form.row.removed {
        let _ = writeln!(out, "    {removed}: write `{}`", removed.instead);
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

/// An operand in words: `written, .type, a vector with .vec, or _`.
fn operand(form: &Form, spec: &OperandSpec) -> String {
    let slot = |i: u8| form.slots[usize::from(i)].name;
    let mut text = match spec.role {
        Role::Def => "written".to_owned(),
        Role::Use => "read".to_owned(),
    };
    let what = match spec.kind {
        Kind::Value(TypeRef::Fixed(ty)) => ty.to_string(),
        Kind::Value(TypeRef::Slot(i)) => format!(".{}", slot(i)),
        Kind::Value(TypeRef::Fragment(i)) => format!("a fragment of a matrix of .{}", slot(i)),
        Kind::Value(TypeRef::FragmentIn(ty)) => format!("a fragment of a matrix in {ty} registers"),
        Kind::Address(SpaceRef::Fixed("")) => "a generic address".to_owned(),
        Kind::Address(SpaceRef::Fixed(space)) => format!("an address in .{space}"),
        Kind::Address(SpaceRef::Slot(i)) => format!("an address in .{}", slot(i)),
        Kind::Label => "a label".to_owned(),
        Kind::Callee => "a function, or a register with its address".to_owned(),
        Kind::List => "a list in parentheses".to_owned(),
        Kind::Prototype => "the label of a list of targets or of a prototype".to_owned(),
        Kind::Opaque(ty) => format!("a {ty} variable, or a 64-bit register"),
        Kind::Sink => "`_`".to_owned(),
    };
    let _ = write!(text, ", {what}");
    match spec.count {
        Count::One => {}
        Count::Fixed(n) => text.push_str(&format!(", a vector of {n}")),
        Count::Slot(i) => text.push_str(&format!(", a vector with .{}", slot(i))),
        Count::Any => text.push_str(", a vector"),
        Count::OneOrMore => text.push_str(", one or a vector"),
    }
    let allowed = &spec.allowed;
    let remarks = [
        (allowed.register_only, "no constant"),
        (allowed.constant_only, "a constant"),
        (allowed.untyped, "a plain .b register"),
        (allowed.sink && spec.kind != Kind::Sink, "or `_`"),
        (allowed.negated, "`!` may stand before it"),
        (allowed.minus, "`-` may stand before it"),
        (allowed.address, "or the address of a variable or function"),
        (allowed.special, "or a special register"),
        (allowed.selector, "`.b0` … `.h1` may follow"),
        (allowed.unified, "`.unified` may follow"),
    ];
    for (_, remark) in remarks.iter().filter(|(holds, _)| *holds) {
        let _ = write!(text, ", {remark}");
    }
    if let Some((low, high)) = spec.range {
        let _ = write!(text, ", a constant from {low} to {high}");
    }
    match spec.linked {
        Some(i) => text.push_str(&format!(", with .{}", slot(i))),
        None if spec.optional => text.push_str(", may be left out"),
        None => {}
    }
    text
}

/// Whether a slot draws from a set, rather than being a literal.
fn is_set(slot: &Slot) -> bool {
    slot.values.len() != 1 || slot.values[0].text[1..] != *slot.name
}

/// The values of a slot; those that need the same thing stand together.
fn values(slot: &Slot) -> String {
    let mut groups: Vec<(Gate, Vec<&str>)> = Vec::new();
    for value in &slot.values {
        match groups.iter_mut().find(|(gate, _)| *gate == value.gate) {
            Some((_, texts)) => texts.push(value.text),
            None => groups.push((value.gate, vec![value.text])),
        }
    }
    let list: Vec<String> = groups
        .iter()
        .map(|(gate, texts)| match *gate {
            Gate::ALWAYS => texts.join(", "),
            gate => format!("{} [{gate}]", texts.join(", ")),
        })
        .collect();
    list.join("; ")
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
