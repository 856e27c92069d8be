//! "Did you mean …?"

use crate::form::{forms_of, opcodes};

/// The nearest of some names, if it is near enough to have been meant.
pub fn nearest<'n>(wanted: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let limit = wanted.len().div_ceil(3).min(3);
    // Long garbage has no near name, and distance costs time in the product of the lengths.
    if wanted.len() > 64 {
        return None;
    }
    names
        .into_iter()
        .filter(|name| name.len().abs_diff(wanted.len()) <= limit)
        .map(|name| (distance(wanted.as_bytes(), name.as_bytes()), name))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// The nearest opcode.
pub fn opcode(wanted: &str) -> Option<&'static str> {
    nearest(wanted, opcodes())
}

/// The nearest modifier of an opcode.
pub fn modifier(opcode: &str, wanted: &str) -> Option<&'static str> {
    let tokens = forms_of(opcode)
        .iter()
        .flat_map(|id| &id.form().slots)
        .flat_map(|slot| slot.values.iter().map(|value| value.text));
    nearest(wanted, tokens)
}

/// `a`, `a or b`, `one of a, b, c`; long lists are cut.
pub fn one_of(names: &[&str]) -> String {
    const SHOWN: usize = 12;
    match names {
        [] => "something".to_owned(),
        [one] => format!("`{one}`"),
        [a, b] => format!("`{a}` or `{b}`"),
        many => {
            let shown: Vec<String> = many
                .iter()
                .take(SHOWN)
                .map(|name| format!("`{name}`"))
                .collect();
            let more = if many.len() > SHOWN { ", …" } else { "" };
            format!("one of {}{more}", shown.join(", "))
        }
    }
}

/// Levenshtein distance.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let cost = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = cost.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names() {
        assert_eq!(nearest("ad", ["add", "mul"]), Some("add"));
        assert_eq!(nearest("xyzzy", ["add", "mul"]), None);
        assert_eq!(distance(b"kitten", b"sitting"), 3);
    }
}
