//! Attributes of functions, their parameters and results.

use super::{Outcome, Problem};
use crate::tree::{Attr, Attrs};
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
    sorted.sort_by(|(left, _), (right, _)| left.cmp(right));
    for (name, value) in sorted {
        let Some(word) = name.strip_prefix("llvm.") else {
            if &**name == "nvvm.grid_constant" {
                text.push_str(" \"nvvm.grid_constant\"");
            }
            continue;
        };
        let _ = match (word, value) {
            ("align", Attr::Int(bytes, _)) => write!(text, " align {bytes}"),
            ("alignstack", Attr::Int(bytes, _)) => write!(text, " alignstack({bytes})"),
            ("dereferenceable" | "dereferenceable_or_null", Attr::Int(bytes, _)) => {
                write!(text, " {word}({bytes})")
            }
            // LLVM 22 says what may be captured.
            ("nocapture", _) => write!(text, " captures(none)"),
            ("range", Attr::Dialect(_, body)) => write!(text, " range({})", range(body)?),
            (word, _) if PARAMETER_FLAGS.contains(&word) => write!(text, " {word}"),
            (word, Attr::Type(ty)) if PARAMETER_TYPES.contains(&word) => {
                write!(text, " {word}({ty})")
            }
            _ => {
                let message = format!("the attribute `{name}` of a parameter is not read");
                return Err(Problem::unsupported(message));
            }
        };
    }
    Ok(text)
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
    if kernel {
        return Ok("ptx_kernel ".to_owned());
    }
    let word = match attrs.get(name) {
        None => return Ok(String::new()),
        Some(value) => value.word().unwrap_or("ccc"),
    };
    Ok(match word {
        "ccc" => String::new(),
        "fastcc" | "coldcc" | "tailcc" | "swiftcc" | "ptx_kernel" | "ptx_device" => {
            format!("{word} ")
        }
        "ptx_kernelcc" => "ptx_kernel ".to_owned(),
        "ptx_devicecc" => "ptx_device ".to_owned(),
        _ => {
            let message = format!("GPUs do not have the calling convention `{word}`");
            return Err(Problem::unsupported(message));
        }
    })
}

/// What stands behind the parameters of a function.
pub(super) struct Behind {
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
pub(super) fn of_function(attrs: &Attrs<'_>) -> Outcome<Behind> {
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
    if let Some(Attr::Dialect(_, body)) = attrs.get("target_features") {
        // `<["+ptx80", "+sm_90"]>`
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
    if attrs.get("nvvm.blocksareclusters").is_some() {
        text.push_str("\"nvvm.blocksareclusters\" ");
    }
    text.push_str(&memory(attrs));
    text.push_str(&pass_through(attrs)?);
    let mut behind_section = String::new();
    if let Some(align) = attrs.int("alignment") {
        let _ = write!(behind_section, " align {align}");
    }
    if let Some(gc) = attrs.string("garbageCollector") {
        let _ = write!(behind_section, " gc {}", quoted(gc));
    }
    Ok(Behind {
        before_section: text.trim_end().to_owned(),
        behind_section,
    })
}

/// `memory(…)` of a function or call, with a blank behind it.
pub(super) fn memory(attrs: &Attrs<'_>) -> String {
    let Some(Attr::Dialect(_, body)) = attrs.get("memory_effects") else {
        return String::new();
    };
    let mut parts = Vec::new();
    let mut other = "readwrite";
    let effect = |word: &str| match word {
        "none" => "none",
        "read" => "read",
        "write" => "write",
        _ => "readwrite",
    };
    for part in body.split(',') {
        let Some((place, word)) = part.split_once('=') else {
            continue;
        };
        let word = effect(word.trim());
        match place.trim() {
            "other" => other = word,
            "argMem" => parts.push(("argmem", word)),
            "inaccessibleMem" => parts.push(("inaccessiblemem", word)),
            "errnoMem" => parts.push(("errnomem", word)),
            _ => {}
        }
    }
    let mut text = format!("memory({other}");
    for (place, word) in parts {
        if word != other {
            let _ = write!(text, ", {place}: {word}");
        }
    }
    text.push_str(") ");
    text
}

/// `passthrough = ["noinline", ["key", "value"]]`, with a blank behind each.
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
