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
        .flat_map(|id| id.slots())
        .flat_map(|slot| slot.values.iter().map(|value| value.text));
    nearest(wanted, tokens)
}

/// What people write because another language has it, and what PTX has instead.
const LESSONS: [(&[&str], &[&str], &str); 12] = [
    (
        &["red"],
        &[".acquire", ".acq_rel"],
        "a reduction gives nothing back, so it cannot acquire: use `atom`, or a fence after it",
    ),
    (
        &["red"],
        &[".exch", ".cas"],
        "a reduction gives nothing back: use `atom`",
    ),
    (
        &["atom", "red", "ld", "st"],
        &[".seq_cst", ".sc"],
        "sequential consistency is a fence before the access: `fence.sc.SCOPE;`, then `.acquire` for loads and `atom`, `.relaxed` for stores",
    ),
    (
        &["atom", "red"],
        &[".volatile", ".weak"],
        "an atomic is always strong: leave it out, or write `.relaxed` and a scope",
    ),
    (
        &["atom", "red"],
        &[".sub"],
        "there is no subtraction: add the negated value",
    ),
    (
        &["atom", "red"],
        &[".nand"],
        "there is no `nand`: loop around `atom.cas`",
    ),
    (
        &["atom", "red"],
        &[".s64"],
        "sums of signed and unsigned integers have the same bits: write `.u64`",
    ),
    (
        &["atom", "red", "ld", "st", "fence"],
        &[".cta::cluster"],
        "the scopes are `.cta`, `.cluster`, `.gpu` and `.sys`; `.shared::cta` and `.shared::cluster` are spaces",
    ),
    (&["membar"], &[".gpu"], "the level of the device is `.gl`"),
    (&["fence"], &[".gl"], "the scope of the device is `.gpu`"),
    (
        &["fence"],
        &[".relaxed", ".weak"],
        "a relaxed fence orders nothing: leave the instruction out",
    ),
    (
        &["mbarrier"],
        &[".wait"],
        "loop around `mbarrier.try_wait` until it gives true",
    ),
];

/// What to do instead of an instruction with a modifier that it does not have.
pub fn lesson(opcode: &str, modifier: &str) -> Option<&'static str> {
    let row = LESSONS
        .iter()
        .find(|row| row.0.contains(&opcode) && row.1.contains(&modifier))?;
    Some(row.2)
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

    /// A lesson about something that PTX has would mislead, and one about no instruction is never given.
    #[test]
    fn lessons_are_about_what_ptx_lacks() {
        for (opcodes, modifiers, text) in LESSONS {
            for opcode in opcodes {
                assert!(!forms_of(opcode).is_empty(), "{opcode}");
                for modifier in modifiers {
                    let line = match *modifier {
                        // It has the type, but not for sums.
                        ".s64" => {
                            format!("{opcode}.relaxed.gpu.global.add{modifier} %r1, [%r1], %r1;")
                        }
                        modifier => format!("{opcode}{modifier} %r1, [%r1], %r1;"),
                    };
                    let text_of = format!(
                        ".version 8.0\n.target sm_90\n.address_size 64\n.func f() {{\n{line}\n}}\n"
                    );
                    let file = warpc_diag::SourceFile::new("f.ptx", text_of).unwrap();
                    let found = crate::check(&file).diagnostics;
                    let given = found
                        .as_slice()
                        .iter()
                        .any(|d| d.help.as_deref() == Some(text));
                    assert!(given, "{line}: {found:?}");
                }
            }
        }
    }
}
