//! Attributes of functions, their parameters and results.

use super::{Outcome, Problem};
use crate::check;
use crate::tree::{Attr, Attrs, Op};
use crate::types::quoted;
use std::fmt::Write;

/// Attributes of parameters that are a word.
const PARAMETER_FLAGS: [&str; 19] = [
    "allocalign",
    "allocptr",
    "immarg",
    "inreg",
    "nest",
    "noalias",
    "nofree",
    "nonnull",
    "noundef",
    "readnone",
    "readonly",
    "returned",
    "signext",
    "writable",
    "writeonly",
    "zeroext",
    "noext",
    "dead_on_unwind",
    "dead_on_return",
];
/// Attributes of parameters that hold a type.
const PARAMETER_TYPES: [&str; 5] = ["byval", "byref", "sret", "inalloca", "elementtype"];

/// The attributes of a parameter or result, each with a blank before it.
pub(super) fn of_parameter(attrs: &Attrs<'_>) -> Outcome<String> {
    let mut text = String::new();
    // In one order, as the generic form has them.
    let mut sorted: Vec<_> = attrs.0.iter().collect();
    sorted.sort_by(|left, right| left.name.cmp(&right.name));
    for (i, entry) in sorted.iter().enumerate() {
        let (name, value) = (&*entry.name, &entry.value);
        let at = |problem: Problem| match entry.span {
            Some(span) => problem.at_span(span),
            None => problem,
        };
        if sorted[..i].iter().any(|other| *other.name == *name) {
            let message = format!("the attribute `{name}` of a parameter is there twice");
            return Err(at(Problem::wrong(message)));
        }
        if check::is_foreign(name) {
            continue;
        }
        if name == "nvvm.grid_constant" && check::flag(value).is_some() {
            if value.truth() {
                text.push_str(" \"nvvm.grid_constant\"");
            }
            continue;
        }
        // The operands of inline assembly have one without the dialect.
        let word = match name {
            "elementtype" => name,
            _ => name.strip_prefix("llvm.").unwrap_or_default(),
        };
        let _ = match (word, value) {
            ("align", Attr::Int(bytes, _)) => write!(text, " align {bytes}"),
            ("alignstack", Attr::Int(bytes, _)) => write!(text, " alignstack({bytes})"),
            ("dereferenceable" | "dereferenceable_or_null", Attr::Int(bytes, _)) => {
                write!(text, " {word}({bytes})")
            }
            ("range", Attr::Dialect(_, body)) => write!(text, " range({})", range(body)?),
            // LLVM 22 says what may be captured.
            ("nocapture", _) if check::flag(value) == Some(true) => {
                write!(text, " captures(none)")
            }
            _ if PARAMETER_FLAGS.contains(&word) && check::flag(value).is_some() => {
                match value.truth() {
                    true => write!(text, " {word}"),
                    false => Ok(()),
                }
            }
            (word, Attr::Type(ty)) if PARAMETER_TYPES.contains(&word) => {
                write!(text, " {word}({ty})")
            }
            _ => {
                let message = format!("the attribute `{name}` of a parameter is not read");
                return Err(at(Problem::unsupported(message)));
            }
        };
    }
    Ok(text)
}

/// The attributes of one argument or result of an operation, from the list with a name.
pub(super) fn of_argument(op: &Op<'_>, list: &str, index: usize) -> Outcome<String> {
    let Some(Attr::Array(values)) = op.attrs.get(list) else {
        return Ok(String::new());
    };
    match values.get(index) {
        None => Ok(String::new()),
        Some(Attr::Dict(attrs)) => of_parameter(attrs),
        Some(_) => Err(Problem::wrong(format!("`{list}` is a list of `{{…}}`"))),
    }
}

/// Refuses a list of attributes that is longer than what it is for.
pub(super) fn check_lists(op: &Op<'_>, args: usize) -> Outcome<()> {
    for (list, most) in [
        ("arg_attrs", args),
        ("res_attrs", op.result_types.len().max(1)),
    ] {
        match op.attrs.get(list) {
            Some(Attr::Array(values)) if values.len() > most => {
                let message = format!("`{list}` has {} entries for {most}", values.len());
                return Err(Problem::wrong(message));
            }
            _ => {}
        }
    }
    Ok(())
}

/// `i32 0, 1024` from `i32, 0, 1024`, or from the numbers that attributes of MLIR have.
pub(super) fn range(body: &str) -> Outcome<String> {
    let mut parts = body.splitn(3, ',').map(str::trim);
    match (parts.next(), parts.next(), parts.next()) {
        (Some(ty), Some(from), Some(to))
            if ty.starts_with('i') && is_integer(from) && is_integer(to) =>
        {
            Ok(format!("{ty} {from}, {to}"))
        }
        _ => Err(Problem::wrong("a range is `<i32, FROM, TO>`")),
    }
}

fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// The calling conventions by MLIR's names and numbers.
pub(super) fn convention(attrs: &Attrs<'_>, name: &str, kernel: bool) -> Outcome<String> {
    Ok(match attrs.word(name).unwrap_or("ccc") {
        word @ ("ccc" | "fastcc" | "coldcc" | "tailcc" | "swiftcc" | "ptx_kernel"
        | "ptx_device") => {
            match (kernel, word) {
                // What a kernel is called by is the host's to say.
                (true, _) => "ptx_kernel ".to_owned(),
                (false, "ccc") => String::new(),
                (false, word) => format!("{word} "),
            }
        }
        word => {
            let message = format!("GPUs do not have the calling convention `{word}`");
            return Err(Problem::unsupported(message));
        }
    })
}

/// What stands after the parameters of a function.
pub(super) struct After {
    pub before_section: String,
    pub behind_section: String,
}

/// Flags of functions that are a word in LLVM IR.
const FUNCTION_FLAGS: [(&str, &str); 16] = [
    ("convergent", "convergent"),
    ("no_inline", "noinline"),
    ("always_inline", "alwaysinline"),
    ("inline_hint", "inlinehint"),
    ("optimize_none", "optnone"),
    ("no_unwind", "nounwind"),
    ("will_return", "willreturn"),
    ("noreturn", "noreturn"),
    ("returns_twice", "returns_twice"),
    ("hot", "hot"),
    ("cold", "cold"),
    ("noduplicate", "noduplicate"),
    ("nocallback", "nocallback"),
    ("norecurse", "norecurse"),
    ("nosync", "nosync"),
    ("nofree", "nofree"),
];
/// Attributes of functions that LLVM IR has as strings: by MLIR's name, LLVM's.
const FUNCTION_STRINGS: [(&str, &str); 11] = [
    ("target_cpu", "target-cpu"),
    ("tune_cpu", "tune-cpu"),
    ("reciprocal_estimates", "reciprocal-estimates"),
    ("prefer_vector_width", "prefer-vector-width"),
    ("denormal_fp_math", "denormal-fp-math"),
    ("denormal_fp_math_f32", "denormal-fp-math-f32"),
    ("fp_contract", "fp-contract"),
    ("instrument_function_entry", "instrument-function-entry"),
    ("instrument_function_exit", "instrument-function-exit"),
    ("zero_call_used_regs", "zero-call-used-regs"),
    ("modular_format", "modular-format"),
];
/// Truth values that LLVM IR has as strings.
const FUNCTION_TRUTHS: [(&str, &str); 4] = [
    ("unsafe_fp_math", "unsafe-fp-math"),
    ("no_infs_fp_math", "no-infs-fp-math"),
    ("no_nans_fp_math", "no-nans-fp-math"),
    ("no_signed_zeros_fp_math", "no-signed-zeros-fp-math"),
];
/// What launches are bound to: by the `nvvm` dialect's name, LLVM's.
const LAUNCH: [(&str, &str); 6] = [
    ("nvvm.maxntid", "nvvm.maxntid"),
    ("nvvm.reqntid", "nvvm.reqntid"),
    ("nvvm.cluster_dim", "nvvm.cluster_dim"),
    ("nvvm.cluster_max_blocks", "nvvm.maxclusterrank"),
    ("nvvm.minctasm", "nvvm.minctasm"),
    ("nvvm.maxnreg", "nvvm.maxnreg"),
];

/// The attributes of a function.
pub(super) fn of_function(attrs: &Attrs<'_>) -> Outcome<After> {
    let mut text = String::new();
    for (name, word) in FUNCTION_FLAGS {
        if attrs.flag(name) {
            let _ = write!(text, "{word} ");
        }
    }
    for (name, llvm) in FUNCTION_STRINGS {
        if let Some(value) = attrs.string(name) {
            let value = quoted(value);
            let _ = write!(text, "\"{llvm}\"={value} ");
        }
    }
    for (name, llvm) in FUNCTION_TRUTHS {
        if let Some(value) = attrs.get(name) {
            let _ = write!(text, "\"{llvm}\"=\"{}\" ", value.truth());
        }
    }
    if let Some(word) = attrs.word("frame_pointer") {
        let _ = write!(text, "\"frame-pointer\"=\"{word}\" ");
    }
    if let Some(features) = attrs.get("target_features") {
        // `<["+ptx80", "+sm_90"]>`
        let Attr::Dialect("llvm.target_features" | "", body) = features else {
            return Err(Problem::wrong(
                "`target_features` is `#llvm.target_features<…>`",
            ));
        };
        let features: Vec<&str> = body
            .trim_matches(['[', ']'])
            .split(',')
            .map(|feature| feature.trim().trim_matches('"'))
            .collect();
        let _ = write!(text, "\"target-features\"=\"{}\" ", features.join(","));
    }
    for (name, llvm) in LAUNCH {
        let Some(value) = attrs.get(name) else {
            continue;
        };
        let numbers = match value {
            Attr::Int(number, _) => vec![*number],
            other => other
                .numbers()
                .ok_or_else(|| Problem::wrong(format!("`{name}` is a list of numbers")))?,
        };
        let numbers: Vec<String> = numbers.iter().map(i128::to_string).collect();
        let _ = write!(text, "\"{llvm}\"=\"{}\" ", numbers.join(","));
    }
    if attrs.flag("nvvm.blocksareclusters") {
        text.push_str("\"nvvm.blocksareclusters\" ");
    }
    text.push_str(&memory(attrs)?);
    text.push_str(&pass_through(attrs)?);
    let mut behind_section = String::new();
    if let Some(align) = attrs.int("alignment") {
        let _ = write!(behind_section, " align {align}");
    }
    if let Some(gc) = attrs.string("garbageCollector") {
        let _ = write!(behind_section, " gc {}", quoted(gc));
    }
    Ok(After {
        before_section: text.trim_end().to_owned(),
        behind_section,
    })
}

/// Kinds of memory, by MLIR's names and LLVM's.
const MEMORIES: [(&str, &str); 5] = [
    ("argMem", "argmem"),
    ("inaccessibleMem", "inaccessiblemem"),
    ("errnoMem", "errnomem"),
    ("targetMem0", "target_mem0"),
    ("targetMem1", "target_mem1"),
];

/// `memory(…)` of a function or call, with a blank after it.
pub(super) fn memory(attrs: &Attrs<'_>) -> Outcome<String> {
    let body = match attrs.get("memory_effects") {
        None => return Ok(String::new()),
        Some(Attr::Dialect("llvm.memory_effects" | "", body)) => body,
        Some(_) => {
            return Err(Problem::wrong(
                "`memory_effects` is `#llvm.memory_effects<…>`",
            ));
        }
    };
    let mut parts = Vec::new();
    let mut other = "readwrite";
    for part in body.split(',') {
        let (place, word) = part.split_once('=').unwrap_or((part, ""));
        let (place, word) = (place.trim(), word.trim());
        let word = match word {
            "none" | "read" | "write" | "readwrite" => word,
            _ => {
                return Err(Problem::wrong(format!(
                    "`memory_effects`: there is no effect `{word}`"
                )));
            }
        };
        match MEMORIES.iter().find(|(name, _)| *name == place) {
            Some((_, llvm)) => parts.push((*llvm, word)),
            None if place == "other" => other = word,
            None => {
                let message = format!("`memory_effects`: there is no memory `{place}`");
                return Err(Problem::wrong(message));
            }
        }
    }
    let mut text = format!("memory({other}");
    for (place, word) in parts {
        if word != other {
            let _ = write!(text, ", {place}: {word}");
        }
    }
    text.push_str(") ");
    Ok(text)
}

/// `passthrough = ["noinline", ["key", "value"]]`, with a blank after each.
fn pass_through(attrs: &Attrs<'_>) -> Outcome<String> {
    let mut text = String::new();
    let Some(Attr::Array(values)) = attrs.get("passthrough") else {
        return Ok(text);
    };
    let wrong = || Problem::wrong("`passthrough` is a list of names and of pairs of strings");
    for value in values {
        let (key, value) = match value {
            Attr::String(key) => (key, None),
            Attr::Array(pair) => match pair.as_slice() {
                [Attr::String(key), Attr::String(value)] => (key, Some(value)),
                _ => return Err(wrong()),
            },
            _ => return Err(wrong()),
        };
        let word = std::str::from_utf8(key).map_err(|_| wrong())?;
        let is_word = word
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        let _ = match value {
            // Words are LLVM's own attributes, which may hold a number.
            None if is_word => write!(text, "{word} "),
            None => write!(text, "{} ", quoted(key)),
            Some(value) if word == "alignstack" || word == "allocsize" => {
                write!(text, "{word}({}) ", String::from_utf8_lossy(value))
            }
            Some(value) => write!(text, "{}={} ", quoted(key), quoted(value)),
        };
    }
    Ok(text)
}
