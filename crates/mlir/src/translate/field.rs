//! Fields of instructions that are made from attributes.

use super::function::Writer;
use super::{Outcome, Problem, order};
use crate::tree::{Attr, Op};
use std::fmt::Write;

/// Which attributes each field reads, where it is not the one of the same name. The test of the table asks.
#[cfg(test)]
pub(crate) const READS: [(&str, &str); 12] = [
    ("overflow", "overflowFlags"),
    ("fastmath", "fastmathFlags"),
    ("icmp", "predicate"),
    ("fcmp", "predicate"),
    ("indices", "position"),
    ("align", "alignment"),
    ("atomic", "ordering"),
    ("weights", "branch_weights"),
    ("metadata", "nontemporal"),
    ("metadata", "invariant"),
    ("metadata", "invariantGroup"),
    ("tensor_shape", "shape"),
];

impl<'o, 't> Writer<'o, 't> {
    /// The text of a field, with a blank or comma before it where it is a part of its own.
    pub(super) fn field(&mut self, op: &Op<'t>, name: &str) -> Outcome<String> {
        let attrs = &op.attrs;
        Ok(match name {
            "overflow" => overflow(attrs.get("overflowFlags")),
            "fastmath" => fast_math(attrs.get("fastmathFlags")),
            "icmp" | "fcmp" => word(op, "predicate")?.to_owned(),
            "indices" => {
                let indices = attrs.get("position").and_then(Attr::numbers);
                let Some(indices) = indices else {
                    return Err(Problem::wrong("`position` is missing"));
                };
                indices.iter().fold(String::new(), |mut text, index| {
                    let _ = write!(text, ", {index}");
                    text
                })
            }
            "elem_type" => match attrs.get("elem_type").and_then(Attr::ty) {
                Some(ty) => ty.to_string(),
                None => return Err(Problem::wrong("`elem_type` is missing")),
            },
            "align" => match attrs.int("alignment") {
                None | Some(0) => String::new(),
                Some(align) => format!(", align {align}"),
            },
            "alloca_space" => match op.result_types.first() {
                Some(crate::types::Type::Pointer(space @ 1..)) => format!(", addrspace({space})"),
                _ => String::new(),
            },
            "atomic" => match ordering(op, "ordering").is_empty() {
                true => String::new(),
                false => " atomic".to_owned(),
            },
            "syncscope" => match attrs.string("syncscope") {
                Some(scope) => format!(" syncscope({})", crate::types::quoted(scope)),
                None => String::new(),
            },
            "ordering" | "success_ordering" | "failure_ordering" => ordering(op, name),
            "bin_op" => word(op, "bin_op")?.to_owned(),
            "weights" => match attrs.get("branch_weights").and_then(Attr::numbers) {
                Some(weights) => {
                    let weights = weights.iter().map(|weight| format!(", i32 {weight}"));
                    let weights: String = weights.collect();
                    let node = self.out.node(format!("!{{!\"branch_weights\"{weights}}}"));
                    format!(", !prof {node}")
                }
                None => String::new(),
            },
            "metadata" => self.access_metadata(op),
            "scope" => order::scope(op)?.to_owned(),
            // How a loop should be optimised is advice that warpc does not take.
            "loop" => String::new(),
            _ => return Err(Problem::wrong(format!("its row speaks of `{name}`"))),
        })
    }

    /// What is said about an access besides its meaning. Advice about aliases (`tbaa`, `alias_scopes`) is not kept.
    fn access_metadata(&mut self, op: &Op<'_>) -> String {
        let mut text = String::new();
        if op.attrs.flag("nontemporal") {
            let node = self.out.node("!{i32 1}".to_owned());
            let _ = write!(text, ", !nontemporal {node}");
        }
        for (flag, kind) in [
            ("invariant", "invariant.load"),
            ("invariantGroup", "invariant.group"),
        ] {
            if op.attrs.flag(flag) {
                let node = self.out.node("!{}".to_owned());
                let _ = write!(text, ", !{kind} {node}");
            }
        }
        text
    }
}

/// ` nsw nuw` from the bits of it.
fn overflow(flags: Option<&Attr<'_>>) -> String {
    let bits = flags.and_then(Attr::int).unwrap_or(0);
    let mut text = String::new();
    for (bit, word) in [(2, " nuw"), (1, " nsw")] {
        if bits & bit != 0 {
            text.push_str(word);
        }
    }
    text
}

/// ` nnan contract` from the bits of it.
pub(super) fn fast_math(flags: Option<&Attr<'_>>) -> String {
    const ALL: i128 = 127;
    const FLAGS: [(i128, &str); 7] = [
        (1, " nnan"),
        (2, " ninf"),
        (4, " nsz"),
        (8, " arcp"),
        (16, " contract"),
        (32, " afn"),
        (64, " reassoc"),
    ];
    match flags.and_then(Attr::int).unwrap_or(0) {
        ALL => " fast".to_owned(),
        bits => FLAGS
            .iter()
            .filter(|(bit, _)| bits & bit != 0)
            .map(|(_, word)| *word)
            .collect(),
    }
}

/// The word of an attribute that must be there.
fn word<'a>(op: &Op<'a>, name: &str) -> Outcome<&'a str> {
    match op.attrs.word(name) {
        Some(word) => Ok(word),
        None => Err(Problem::wrong(format!("`{name}` is missing"))),
    }
}

/// The order of an access; one that is not atomic has none.
fn ordering(op: &Op<'_>, name: &str) -> String {
    match op.attrs.word(name) {
        None | Some("not_atomic") => String::new(),
        Some(word) => format!(" {word}"),
    }
}
