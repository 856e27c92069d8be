//! How a function computes with floating-point numbers, by its attributes and the options.
//!
//! | attribute | `float` | `half` |
//! |---|---|---|
//! | `"denormal-fp-math"`, first words of `denormal_fpenv(…)` | if nothing says otherwise | yes |
//! | `"denormal-fp-math-f32"`, `denormal_fpenv(float: …)` | yes | no |
//! | `"nvptx-f32ftz"` (LLVM up to 10) | if there is none of the others | no |
//!
//! Each names what becomes of results and of operands. PTX's `.ftz` makes both zero, so both must be allowed; not to
//! flush is always allowed.

use crate::unit::Unit;
use warpc_nvvm::attribute::Attribute;
use warpc_nvvm::module::Function;

/// How a function computes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Mode {
    /// Whether denormal numbers of type `float` count as zero.
    pub flushes: bool,
    /// Whether those of type `half` do. `bfloat` keeps its own: PTX has no `.ftz` for it.
    pub flushes_half: bool,
}

/// How LLVM up to 10 asked for flushing.
const OLD_FLUSH: &[u8] = b"nvptx-f32ftz";

impl Mode {
    /// How a function computes.
    pub fn of(unit: &Unit, function: &Function) -> Mode {
        let module = unit.module;
        let set = module.attributes.of_function(function.attrs);
        let text = |name: &[u8]| {
            let name = module.names.find(name)?;
            match module.attributes.find(set, name)? {
                Attribute::Text(_, Some(value)) | Attribute::Words(_, value) => {
                    Some(module.names.text(value).into_owned())
                }
                _ => None,
            }
        };
        let environment = text(b"denormal_fpenv").unwrap_or_default();
        let (all, single) = match environment.split_once("float:") {
            Some((all, single)) => (all, single),
            None => (&*environment, ""),
        };
        let all = flushes(all).or_else(|| flushes(&text(b"denormal-fp-math")?));
        let single = flushes(single).or_else(|| flushes(&text(b"denormal-fp-math-f32")?));
        let asked = single.or(all);
        let asked = asked.unwrap_or_else(|| text(OLD_FLUSH).as_deref() == Some("true"));
        Mode {
            flushes: unit.options.ftz.unwrap_or(asked),
            flushes_half: all == Some(true),
        }
    }
}

/// Whether denormal results and operands may both become zeros of their sign; `None` if nothing is said.
fn flushes(modes: &str) -> Option<bool> {
    let words = modes.split([',', '|', ' ']).filter(|word| !word.is_empty());
    words
        .map(|word| matches!(word, "preserve-sign" | "preservesign"))
        .reduce(|one, other| one && other)
}

#[cfg(test)]
mod tests {
    use super::flushes;

    #[test]
    fn both_must_be_allowed() {
        for (modes, wanted) in [
            ("", None),
            ("preserve-sign", Some(true)),
            ("preserve-sign,preserve-sign", Some(true)),
            ("preserve-sign,ieee", Some(false)),
            ("ieee,preserve-sign", Some(false)),
            ("positive-zero", Some(false)),
            ("dynamic,dynamic", Some(false)),
            (" preservesign", Some(true)),
            ("preservesign|preservesign, ", Some(true)),
            ("preservesign|ieee", Some(false)),
        ] {
            assert_eq!(flushes(modes), wanted, "{modes}");
        }
    }
}
