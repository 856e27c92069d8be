//! Fields of instructions that are made from attributes.

use super::function::Writer;
use super::{Outcome, Problem, order};
use crate::tree::{Attr, Op};
use std::fmt::Write;

const ICMP: [&str; 10] = [
    "eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge",
];
const FCMP: [&str; 16] = [
    "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule",
    "une", "uno", "true",
];
const ORDERINGS: [&str; 8] = [
    "not_atomic",
    "unordered",
    "monotonic",
    "consume",
    "acquire",
    "release",
    "acq_rel",
    "seq_cst",
];
const ATOMICS: [&str; 21] = [
    "xchg",
    "add",
    "sub",
    "_and",
    "nand",
    "_or",
    "_xor",
    "max",
    "min",
    "umax",
    "umin",
    "fadd",
    "fsub",
    "fmax",
    "fmin",
    "uinc_wrap",
    "udec_wrap",
    "usub_cond",
    "usub_sat",
    "fmaximum",
    "fminimum",
];

impl<'o, 't> Writer<'o, 't> {
    /// The text of a field, with a blank or comma before it where it is a part of its own.
    pub(super) fn field(&mut self, op: &Op<'t>, name: &str) -> Outcome<String> {
        let attrs = &op.attrs;
        Ok(match name {
            "overflow" => overflow(attrs.get("overflowFlags")),
            "fastmath" => fast_math(attrs.get("fastmathFlags")),
            "icmp" | "fcmp" => {
                let names: &[&'static str] = if name == "icmp" { &ICMP } else { &FCMP };
                predicate(op, names)?
            }
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
                Some(align) if align > 0 => format!(", align {align}"),
                _ => String::new(),
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
            "bin_op" => match attrs.choice("bin_op", &ATOMICS) {
                Some(word) => word.trim_start_matches('_').to_owned(),
                None => return Err(Problem::wrong("`bin_op` is missing")),
            },
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
            "atomic_order" => order::of_atomic(op)?.to_owned(),
            "reduction_order" => order::of_reduction(op)?.to_owned(),
            "atomic_op" | "reduction_op" => match op.operands.last() {
                Some(value) => order::operation(op, &self.known(value)?.ty)?.to_owned(),
                None => return Err(Problem::wrong("the value is missing")),
            },
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

/// ` nsw nuw` from `<nsw, nuw>` or the bits of it.
fn overflow(flags: Option<&Attr<'_>>) -> String {
    let (nsw, nuw) = match flags {
        None => return String::new(),
        Some(Attr::Int(bits, _)) => (bits & 1 != 0, bits & 2 != 0),
        Some(Attr::Dialect(_, body)) => {
            let has = |word: &str| body.split(',').any(|flag| flag.trim() == word);
            (has("nsw"), has("nuw"))
        }
        Some(_) => return String::new(),
    };
    let mut text = String::new();
    if nuw {
        text.push_str(" nuw");
    }
    if nsw {
        text.push_str(" nsw");
    }
    text
}

/// ` nnan contract` from `#llvm.fastmath<nnan, contract>`.
pub(super) fn fast_math(flags: Option<&Attr<'_>>) -> String {
    let Some(Attr::Dialect(_, body)) = flags else {
        return String::new();
    };
    let words = body.split([',', '|']).map(str::trim);
    let words = words.filter(|word| !word.is_empty() && *word != "none");
    words.fold(String::new(), |mut text, word| {
        let _ = write!(text, " {word}");
        text
    })
}

fn predicate(op: &Op<'_>, names: &[&'static str]) -> Outcome<String> {
    let value = op.attrs.get("predicate");
    let word = match value {
        Some(Attr::String(bytes)) => std::str::from_utf8(bytes).ok(),
        _ => op.attrs.choice("predicate", names),
    };
    let word = word.map(|word| if word == "_false" { "false" } else { word });
    let word = word.map(|word| if word == "_true" { "true" } else { word });
    match word.filter(|word| names.contains(word)) {
        Some(word) => Ok(word.to_owned()),
        None => Err(Problem::wrong("there is no such comparison")
            .help(format!("there are {}", names.join(", ")))),
    }
}

fn ordering(op: &Op<'_>, name: &str) -> String {
    match op.attrs.choice(name, &ORDERINGS) {
        None | Some("not_atomic") => String::new(),
        Some(word) => format!(" {word}"),
    }
}
