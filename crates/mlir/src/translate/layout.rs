//! Data layouts that are given as `dlti.dl_spec`.
//!
//! mlir-translate makes the layout of LLVM IR from them. GPUs have one layout; a specification that agrees with it says
//! nothing new, and one that does not would change where the members of structures lie, so it is refused.

use super::{Outcome, Problem};
use crate::tree::Attr;

/// Refuses a specification that differs from the layout of GPUs.
pub(super) fn check(spec: &Attr<'_>) -> Outcome<()> {
    let Attr::Dialect("dlti.dl_spec", body) = spec else {
        return Err(Problem::wrong("`dlti.dl_spec` is `#dlti.dl_spec<…>`"));
    };
    for entry in entries(body) {
        let (key, value) = entry.split_once('=').unwrap_or((entry, ""));
        let (key, value) = (key.trim(), value.trim());
        if !agrees(key, value) {
            let message = format!("GPUs do not have the layout `{}`", entry.trim());
            return Err(Problem::unsupported(message)
                .help("`llvm.data_layout` gives a layout as LLVM IR writes it"));
        }
    }
    Ok(())
}

/// Whether an entry says what holds on GPUs.
fn agrees(key: &str, value: &str) -> bool {
    let quoted = key.trim_matches('"');
    match quoted {
        // `index` is for operations above LLVM IR, widths that are legal are for optimisers.
        "index" | "dlti.legal_int_widths" | "dlti.mangling_mode" => return true,
        "dlti.endianness" => return value == "\"little\"",
        _ => {}
    }
    let bits = match key.strip_prefix(['i', 'f']) {
        Some(bits) => bits.parse::<u32>().ok().map(|bits| bits.max(8)),
        None => key.starts_with("!llvm.ptr").then_some(64),
    };
    // `dense<64> : vector<2xi64>` or `dense<[32, 64]> : …`: sizes and alignments, in bits.
    let numbers = value
        .strip_prefix("dense<")
        .and_then(|rest| rest.split_once('>'));
    let (Some(bits), Some((numbers, _))) = (bits, numbers) else {
        return false;
    };
    let mut numbers = numbers.trim_matches(['[', ']']).split(',');
    numbers.all(|number| number.trim().parse() == Ok(bits))
}

/// The parts between the commas that stand in no brackets.
fn entries(body: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0i32, 0);
    for (at, letter) in body.char_indices() {
        match letter {
            '<' | '[' | '(' => depth += 1,
            '>' | ']' | ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&body[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&body[start..]);
    parts.retain(|part| !part.trim().is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_of_gpus_and_others() {
        for (body, right) in [
            ("", true),
            ("index = 32 : i64", true),
            (
                "i64 = dense<64> : vector<2xi64>, i1 = dense<8> : vector<2xi64>",
                true,
            ),
            (
                "!llvm.ptr = dense<64> : vector<4xi64>, \"dlti.endianness\" = \"little\"",
                true,
            ),
            ("i64 = dense<[32, 64]> : vector<2xi64>", false),
            ("\"dlti.endianness\" = \"big\"", false),
            ("\"dlti.alloca_memory_space\" = 5 : ui64", false),
            ("!llvm.ptr<3> = dense<32> : vector<4xi64>", false),
        ] {
            let found = check(&Attr::Dialect("dlti.dl_spec", body));
            assert_eq!(found.is_ok(), right, "{body}");
        }
    }
}
