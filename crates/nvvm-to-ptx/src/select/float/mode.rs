//! How a function computes with floating-point numbers, by its attributes and the options.

use crate::unit::Unit;
use warpc_nvvm::attribute::Attribute;
use warpc_nvvm::module::Function;

/// How a function computes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Mode {
    /// Whether denormal numbers of type `float` count as zero. `half` and `bfloat` keep theirs: no
    /// attribute of LLVM that means `float` may change them.
    pub flushes: bool,
}

/// Attributes that say what becomes of denormal results, the more special first. (The word before a
/// comma is for results, the one after it for operands.)
const DENORMALS: [&[u8]; 2] = [b"denormal-fp-math-f32", b"denormal-fp-math"];

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
                Attribute::Text(_, Some(value)) => Some(module.names.text(value)),
                _ => None,
            }
        };
        let asked = match DENORMALS.iter().find_map(|name| text(name)) {
            Some(value) => value.split(',').next() == Some("preserve-sign"),
            None => text(OLD_FLUSH).as_deref() == Some("true"),
        };
        Mode {
            flushes: unit.options.ftz.unwrap_or(asked),
        }
    }
}
