//! Functions that stand for operations PTX does not have. They are written as LLVM IR in the `.ll` files
//! beside this one; words in capitals stand for types and numbers.

use crate::attach::attach;
use rustc_hash::FxHashSet;
use warpc_nvvm::Module;
use warpc_nvvm::types::Type;

/// A floating-point type that routines are made for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Float {
    Single,
    Double,
}

impl Float {
    /// The type of the same name.
    pub(super) fn ty(self) -> Type {
        match self {
            Float::Single => Type::Float,
            Float::Double => Type::Double,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Float::Single => "float",
            Float::Double => "double",
        }
    }

    /// Bits of the fraction, and the exponent of 1.0 as it is stored.
    pub(super) fn format(self) -> (u32, u32) {
        match self {
            Float::Single => (23, 127),
            Float::Double => (52, 1023),
        }
    }

    fn word(self, word: &str) -> Option<String> {
        let single = self == Float::Single;
        let (fraction, bias) = self.format();
        let bits = if single { 32 } else { 64 };
        Some(match word {
            "FLOAT" => self.name().to_owned(),
            "BITS" => format!("i{bits}"),
            "SUFFIX" => format!("f{bits}"),
            "LETTER" => if single { "f" } else { "d" }.to_owned(),
            "EXTEND" => if single { "zext" } else { "bitcast" }.to_owned(),
            "CUT" => if single { "trunc" } else { "bitcast" }.to_owned(),
            "FRACTION" => fraction.to_string(),
            "ONE" => (1u64 << fraction).to_string(),
            "MASK" => ((1u64 << fraction) - 1).to_string(),
            "LIMIT" => format!("{}.0", 1u64 << fraction),
            "BIAS" => bias.to_string(),
            "EXPONENTS" => (2 * bias + 1).to_string(),
            "WHOLE" => (bias + fraction).to_string(),
            "ABOVE" => (bits - 1 - fraction).to_string(),
            // A fraction shifted by so much fits into 64 bits.
            "STEP" => (63 - fraction).to_string(),
            "TOP" => (bits - 1).to_string(),
            _ => return None,
        })
    }
}

/// A routine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Routine {
    /// `{ iN, iN } (iN, iN)`: quotient and remainder of unsigned integers.
    Divide { width: u32 },
    /// `F (F, F)`
    Frem { float: Float },
    /// `F (iN)`: rounded once; if `cut`, to 16 bits with the last one for all that follow.
    FromUnsigned { width: u32, float: Float, cut: bool },
    /// `iN (F)`: of the absolute value.
    ToUnsigned { width: u32, float: Float },
    /// `F (F, iN)`
    Powi { width: u32, float: Float },
}

impl Routine {
    /// The name of the function.
    pub(super) fn name(self) -> String {
        match self {
            Routine::Divide { width } => format!("__warpc_udivrem_i{width}"),
            Routine::Frem { float } => format!("__warpc_frem_{}", float.name()),
            Routine::FromUnsigned { width, float, cut } => {
                let cut = if cut { "cut" } else { float.name() };
                format!("__warpc_uitofp_i{width}_{cut}")
            }
            Routine::ToUnsigned { width, float } => {
                format!("__warpc_fptoui_{}_i{width}", float.name())
            }
            Routine::Powi { width, float } => format!("__warpc_powi_{}_i{width}", float.name()),
        }
    }

    fn float(self) -> Option<Float> {
        match self {
            Routine::Divide { .. } => None,
            Routine::Frem { float }
            | Routine::FromUnsigned { float, .. }
            | Routine::ToUnsigned { float, .. }
            | Routine::Powi { float, .. } => Some(float),
        }
    }

    fn width(self) -> u32 {
        match self {
            Routine::Frem { .. } => 0,
            Routine::Divide { width }
            | Routine::FromUnsigned { width, .. }
            | Routine::ToUnsigned { width, .. }
            | Routine::Powi { width, .. } => width,
        }
    }

    /// What a word in capitals stands for.
    fn word(self, word: &str) -> Option<String> {
        let kept = match self {
            Routine::FromUnsigned { cut: true, .. } => 16,
            _ => 64,
        };
        Some(match word {
            "WIDTH" => self.width().to_string(),
            "KEPT" => kept.to_string(),
            "DROPPED" => self.width().saturating_sub(kept).to_string(),
            "LAST" => self.width().saturating_sub(1).to_string(),
            "NAME" if kept == 16 => "cut".to_owned(),
            "NAME" => self.float()?.name().to_owned(),
            _ => return self.float()?.word(word),
        })
    }

    /// The function as text.
    fn text(self) -> String {
        let template = match self {
            Routine::Divide { width: 128 } => include_str!("divide128.ll"),
            Routine::Divide { .. } => include_str!("divide.ll"),
            Routine::Frem { .. } => include_str!("frem.ll"),
            Routine::FromUnsigned { .. } => include_str!("uitofp.ll"),
            Routine::ToUnsigned { .. } => include_str!("fptoui.ll"),
            Routine::Powi { .. } => include_str!("powi.ll"),
        };
        let is_capital = |c: char| c.is_ascii_uppercase();
        let mut text = String::with_capacity(template.len() + 256);
        let mut rest = template;
        while let Some(start) = rest.find(is_capital) {
            let (before, from) = rest.split_at(start);
            let end = from.find(|c| !is_capital(c)).unwrap_or(from.len());
            let (word, after) = from.split_at(end);
            text.push_str(before);
            match self.word(word) {
                Some(meaning) => text.push_str(&meaning),
                None => text.push_str(word),
            }
            rest = after;
        }
        text + rest
    }
}

/// Puts the definitions of routines into a module that calls them.
pub(super) fn define(module: &mut Module, routines: &FxHashSet<Routine>) {
    // In the order of their names: equal modules give equal modules.
    let mut sorted: Vec<Routine> = routines.iter().copied().collect();
    sorted.sort_by_key(|routine| routine.name());
    let texts: Vec<String> = sorted.into_iter().map(Routine::text).collect();
    attach(
        module,
        texts.iter().map(|text| ("routine.ll", text.as_str())),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpc_diag::SourceFile;

    #[test]
    fn every_routine_is_right_ir() {
        let floats = [Float::Single, Float::Double];
        let mut routines = vec![];
        for width in [128, 192, 1024] {
            routines.push(Routine::Divide { width });
            for float in floats {
                routines.push(Routine::ToUnsigned { width, float });
                for cut in [false, true] {
                    routines.push(Routine::FromUnsigned { width, float, cut });
                }
            }
        }
        for float in floats {
            routines.push(Routine::Frem { float });
            routines.push(Routine::Powi { width: 32, float });
        }
        for routine in routines {
            let text = routine.text();
            let file = SourceFile::new("routine.ll", text.clone()).unwrap();
            let read = warpc_nvvm::read_text(&file);
            assert!(
                !read.diagnostics.has_errors(),
                "{:?}\n{text}",
                read.diagnostics
            );
            let found = warpc_nvvm::verify(read.value.as_ref().unwrap());
            assert!(!found.has_errors(), "{found:?}\n{text}");
            assert!(text.contains(&routine.name()), "{text}");
        }
    }
}
