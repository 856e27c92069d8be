//! Rows to forms. Panics on a malformed row: rows are our own text, and a test compiles them all.

use super::{
    Allowed, Count, Form, Kind, OperandSpec, Role, Shape, Slot, SlotValue, SpaceRef, TypeRef,
};
use crate::row::{Row, Set};
use crate::types::ScalarType;
use warpc_target::Gate;

/// The form of a row whose slots are these.
pub(super) fn compile(row: &'static Row, slots: &'static [Slot]) -> Form {
    let (_, operands) = parts(row);
    let opcode = row.opcode();
    let mut form = Form {
        row,
        opcode,
        slots,
        operands: Vec::new(),
        shapes: Vec::new(),
        fixed: false,
        plain: false,
    };
    compile_operands(&mut form, operands);
    form.fixed = form
        .operands
        .iter()
        .all(|spec| !spec.optional && spec.linked.is_none());
    let in_order = |(index, shape): (usize, &Shape)| match shape {
        Shape::Plain(operand) => usize::from(*operand) == index,
        _ => false,
    };
    form.plain = form.fixed
        && form.shapes.len() == form.operands.len()
        && form.shapes.iter().enumerate().all(in_order);
    let kinds = row.operands.split_ascii_whitespace().count();
    assert!(
        kinds == form.operands.len(),
        "`{}` and `{}` differ in length",
        row.syntax,
        row.operands
    );
    form
}

/// The syntax of a row: opcode with modifiers, and operands.
fn parts(row: &'static Row) -> (&'static str, &'static str) {
    // Modifiers have no spaces.
    match row.syntax.split_once(' ') {
        Some((modifiers, operands)) => (modifiers, operands.trim_ascii()),
        None => (row.syntax, ""),
    }
}

/// The slots of a row: `{.sem}{.a.b}.op.type`.
pub(super) fn compile_slots(row: &'static Row) -> Vec<Slot> {
    let text = &parts(row).0[row.opcode().len()..];
    let mut slots: Vec<Slot> = Vec::with_capacity(8);
    let mut rest = text;
    let mut groups = 0;
    while !rest.is_empty() {
        let (tokens, optional, after) = match rest.strip_prefix('{') {
            Some(inner) => {
                let end = inner
                    .find('}')
                    .unwrap_or_else(|| panic!("`{}`: no closing brace", row.syntax));
                (&inner[..end], true, &inner[end + 1..])
            }
            None => {
                let end = rest[1..].find(['.', '{']).map_or(rest.len(), |i| i + 1);
                (&rest[..end], false, &rest[end..])
            }
        };
        let names = tokens
            .strip_prefix('.')
            .unwrap_or_else(|| panic!("`{}`: `{tokens}`", row.syntax));
        let grouped = names.contains('.');
        groups += u8::from(grouped);
        for name in names.split('.') {
            // The token with its dot: the byte before the name is that dot.
            let start = name.as_ptr() as usize - text.as_ptr() as usize - 1;
            slots.push(Slot {
                name,
                optional,
                group: if grouped { groups } else { 0 },
                values: slot_values(row, &text[start..start + name.len() + 1], name),
            });
        }
        rest = after;
    }
    slots
}

fn slot_values(row: &'static Row, token: &'static str, name: &'static str) -> Vec<SlotValue> {
    let value = |text: &'static str, gate: Gate| SlotValue {
        text,
        gate,
        ty: text.strip_prefix('.').and_then(ScalarType::find),
    };
    match row.sets.iter().find(|set| set.name == name) {
        Some(Set { groups, .. }) => groups
            .iter()
            .flat_map(|&(texts, gate)| {
                let each = texts.split_ascii_whitespace();
                each.map(move |text| value(text, gate))
            })
            .collect(),
        None => vec![value(token, Gate::ALWAYS)],
    }
}

/// `d{|p}, [a, b]{, c}`
fn compile_operands(form: &mut Form, text: &'static str) {
    let mut rest = text;
    while !rest.is_empty() {
        let (position, optional, after) = match rest.strip_prefix("{, ") {
            Some(inner) => {
                let end = closing(inner)
                    .unwrap_or_else(|| panic!("`{}`: no closing brace", form.row.syntax));
                (&inner[..end], true, inner[end + 1..].trim_start())
            }
            None => {
                let end = position_end(rest);
                (&rest[..end], false, rest[end..].trim_start())
            }
        };
        compile_position(form, position.trim(), optional);
        rest = after.strip_prefix(',').unwrap_or(after).trim_start();
    }
}

/// The end of the first position: a comma or `{, ` outside brackets.
fn position_end(text: &str) -> usize {
    let mut depth = 0;
    for (i, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            ',' if depth == 0 => return i,
            '{' if depth == 0 && text[i..].starts_with("{, ") => return i,
            _ => {}
        }
    }
    text.len()
}

fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (i, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => return Some(i),
            '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// One position: `d`, `[a]`, `[a, c]`, `d|p` or `d{|p}`.
fn compile_position(form: &mut Form, text: &'static str, optional: bool) {
    if let Some(inner) = text.strip_prefix('[') {
        let inner = inner
            .strip_suffix(']')
            .unwrap_or_else(|| panic!("`{}`: `{text}`", form.row.syntax));
        if !inner.contains(',') {
            let i = add_operand(form, inner, optional);
            form.shapes.push(Shape::Address(i));
            return;
        }
        let mut list = Vec::new();
        let mut rest = inner;
        while !rest.is_empty() {
            let (name, left_out, after) = match rest.strip_prefix("{, ") {
                Some(inner) => {
                    let (name, after) = inner
                        .split_once('}')
                        .unwrap_or_else(|| panic!("`{}`: no closing brace", form.row.syntax));
                    (name, true, after)
                }
                None => {
                    let end = rest.find([',', '{']).unwrap_or(rest.len());
                    (rest[..end].trim(), false, &rest[end..])
                }
            };
            list.push(add_operand(form, name, optional || left_out));
            rest = after.strip_prefix(',').unwrap_or(after).trim_start();
        }
        form.shapes.push(Shape::Group(list));
        return;
    }
    let (first, second, second_optional) = match (text.split_once("{|"), text.split_once('|')) {
        (Some((first, second)), _) => (first, second.strip_suffix('}'), true),
        (None, Some((first, second))) => (first, Some(second), false),
        (None, None) => (text, None, false),
    };
    let i = add_operand(form, first, optional);
    let shape = match second {
        Some(second) => Shape::Pair(i, add_operand(form, second, second_optional)),
        None => Shape::Plain(i),
    };
    form.shapes.push(shape);
}

fn add_operand(form: &mut Form, name: &'static str, optional: bool) -> u8 {
    let row = form.row;
    let text = row
        .operands
        .split_ascii_whitespace()
        .find(|text| {
            text.strip_prefix(name)
                .is_some_and(|rest| rest.starts_with(['=', ':']))
        })
        .unwrap_or_else(|| panic!("`{}`: no kind for operand `{name}`", row.syntax));
    let role = if text.as_bytes()[name.len()] == b'=' {
        Role::Def
    } else {
        Role::Use
    };
    let mut kind_text = &text[name.len() + 1..];
    let slot = |wanted: &str| {
        form.slots
            .iter()
            .position(|slot| slot.name == wanted)
            .map(|i| i as u8)
    };

    let mut linked = None;
    if let Some((before, wanted)) = kind_text.split_once('?')
        && !wanted.is_empty()
    {
        linked =
            Some(slot(wanted).unwrap_or_else(|| panic!("`{}`: no slot `{wanted}`", row.syntax)));
        kind_text = before;
    }
    let mut range = None;
    if let Some((before, bounds)) = kind_text.split_once('(') {
        let (low, high) = bounds
            .trim_end_matches(')')
            .split_once("..")
            .expect("a range is `(low..high)`");
        range = Some((
            low.parse().expect("a number"),
            high.parse().expect("a number"),
        ));
        kind_text = before;
    }
    let mut count = Count::One;
    if let Some((before, number)) = kind_text.split_once('*') {
        count = match number {
            "?" => Count::Any,
            "+" => Count::OneOrMore,
            number => match number.parse() {
                Ok(n) => Count::Fixed(n),
                Err(_) => Count::Slot(
                    slot(number).unwrap_or_else(|| panic!("`{}`: `*{number}`", row.syntax)),
                ),
            },
        };
        kind_text = before;
    }
    let mut allowed = Allowed::default();
    loop {
        let flag = match kind_text.as_bytes().first() {
            Some(b'%') => &mut allowed.register_only,
            Some(b'#') => &mut allowed.constant_only,
            Some(b'_') => &mut allowed.sink,
            Some(b'!') => &mut allowed.negated,
            Some(b'&') => &mut allowed.address,
            Some(b'\'') => &mut allowed.index_first,
            Some(b'$') => &mut allowed.special,
            Some(b'^') => &mut allowed.untyped,
            Some(b'-') => &mut allowed.minus,
            Some(b'@') => &mut allowed.selector,
            Some(b'~') => &mut allowed.unified,
            Some(b'<') => &mut allowed.narrow,
            _ => break,
        };
        *flag = true;
        kind_text = &kind_text[1..];
    }
    let kind = compile_kind(row, &slot, kind_text);
    form.operands.push(OperandSpec {
        name,
        role,
        kind,
        count,
        allowed,
        range,
        optional,
        linked,
    });
    form.operands.len() as u8 - 1
}

fn compile_kind(row: &Row, slot: &dyn Fn(&str) -> Option<u8>, text: &'static str) -> Kind {
    match text {
        "T" => Kind::Value(TypeRef::Slot(
            slot("type").unwrap_or_else(|| panic!("`{}`: T", row.syntax)),
        )),
        "addr" => {
            let place = slot("space").or_else(|| slot("ss"));
            Kind::Address(place.map_or(SpaceRef::Fixed(""), SpaceRef::Slot))
        }
        "label" => Kind::Label,
        "callee" => Kind::Callee,
        "list" => Kind::List,
        "proto" => Kind::Prototype,
        "tex" => Kind::Opaque(ScalarType::TexRef),
        "sampler" => Kind::Opaque(ScalarType::SamplerRef),
        "surf" => Kind::Opaque(ScalarType::SurfRef),
        "sink" => Kind::Sink,
        _ => {
            if let Some(place) = text.strip_prefix("addr.") {
                return Kind::Address(slot(place).map_or(SpaceRef::Fixed(place), SpaceRef::Slot));
            }
            if let Some(place) = text.strip_prefix("frag.") {
                let registers = slot(place).map(TypeRef::Fragment).or_else(|| {
                    let ty = ScalarType::find(place)?;
                    Some(TypeRef::FragmentIn(ty))
                });
                return Kind::Value(
                    registers.unwrap_or_else(|| panic!("`{}`: `{text}`", row.syntax)),
                );
            }
            if let Some(i) = slot(text) {
                return Kind::Value(TypeRef::Slot(i));
            }
            let ty =
                ScalarType::find(text).unwrap_or_else(|| panic!("`{}`: kind `{text}`", row.syntax));
            Kind::Value(TypeRef::Fixed(ty))
        }
    }
}
