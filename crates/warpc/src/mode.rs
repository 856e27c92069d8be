//! What a compilation in the manner of cicc writes, and the word that stands for it.
//!
//! ```text
//!   bit   9         8         7             6       5     4       3   2     1     0
//!       ┌─────────┬─────────┬─────────────┬───────┬─────┬───────┬───┬─────┬─────┬─────┐
//!       │ nvvm-32 │ nvvm-64 │ gen-opt-lto │ OptiX │ LTO │ debug │ 0 │ llc │ opt │ lnk │
//!       └─────────┴─────────┴─────────────┴───────┴─────┴───────┴───┴─────┴─────┴─────┘
//! ```
//!
//! The word is the reference's; a [`Mode`] is what it means. Both maps are total: every mode has one word, and every word
//! is one mode or has a [`ModeError`] that names what is wrong with it. The reference keeps bitcode outside of the word;
//! here it is the two phases before code generation, because that is what such a run does.

use std::fmt;

/// What is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Product {
    /// PTX: the inputs are linked, lowered and selected.
    Ptx,
    /// LLVM bitcode after optimisation, with NVVM builtins replaced by what they mean on the target.
    Bitcode,
    /// NVVM IR for the OptiX runtime.
    OptixIr,
    /// LTO-IR: bitcode that is linked later.
    Lto,
    /// LTO-IR, and PTX of the same inputs.
    LtoAndPtx,
    /// PTX of a whole program, from LTO-IR.
    LinkedLto,
    /// PTX of a whole program, from inputs that are prepared and linked in the same run.
    WholeLto,
}

/// The phases in the low bits.
const LINK: u32 = 1;
const OPTIMIZE: u32 = 1 << 1;
const CODE: u32 = 1 << 2;
const DEBUG: u32 = 1 << 4;
const LTO: u32 = 1 << 5;
const OPTIX: u32 = 1 << 6;
const OPTIMIZED_LTO: u32 = 1 << 7;
const BITS_64: u32 = 1 << 8;
const BITS_32: u32 = 1 << 9;

/// A product, its part of the word, and the flag that asks for it; PTX is the default.
const PRODUCTS: [(Product, u32, &str); 7] = [
    (Product::Ptx, LINK | OPTIMIZE | CODE, ""),
    (Product::Bitcode, LINK | OPTIMIZE, "--emit-llvm-bc"),
    (Product::OptixIr, OPTIX | LINK | OPTIMIZE, "--emit-optix-ir"),
    (Product::Lto, LTO | LINK, "-gen-lto"),
    (
        Product::LtoAndPtx,
        LTO | LINK | OPTIMIZE | CODE,
        "-gen-lto-and-llc",
    ),
    (Product::LinkedLto, LTO | OPTIMIZE | CODE, "-link-lto"),
    (Product::WholeLto, LTO | LINK | OPTIMIZE, "-lto"),
];

impl Product {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Product> {
        PRODUCTS.iter().map(|row| row.0)
    }

    fn row(self) -> &'static (Product, u32, &'static str) {
        let row = PRODUCTS.iter().find(|row| row.0 == self);
        row.expect("the table has every product")
    }

    /// The flag of the command line that asks for it; empty for PTX.
    pub fn flag(self) -> &'static str {
        self.row().2
    }

    /// What a flag of the command line asks for.
    ///
    /// ```
    /// use warpc::Product;
    /// assert_eq!(Product::of_flag("-gen-lto"), Some(Product::Lto));
    /// assert_eq!(Product::of_flag("-o"), None);
    /// ```
    pub fn of_flag(flag: &str) -> Option<Product> {
        let mut rows = PRODUCTS.iter().filter(|row| !row.2.is_empty());
        rows.find(|row| row.2 == flag).map(|row| row.0)
    }

    /// Whether LTO-IR is written.
    pub fn has_lto(self) -> bool {
        matches!(self, Product::Lto | Product::LtoAndPtx)
    }

    /// Whether PTX is written.
    pub fn has_ptx(self) -> bool {
        !matches!(self, Product::Bitcode | Product::OptixIr | Product::Lto)
    }

    /// Whether the inputs are a whole program, so that nothing but kernels and variables is seen from outside.
    pub fn is_whole_program(self) -> bool {
        matches!(self, Product::LinkedLto | Product::WholeLto)
    }

    /// What names of its files end in.
    pub fn ending(self) -> &'static str {
        match self {
            Product::Bitcode => "bc",
            Product::OptixIr => "optixir",
            Product::Lto => "ltoir",
            _ => "ptx",
        }
    }
}

/// How a compilation in the manner of cicc is done.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Mode {
    /// What is written.
    pub product: Product,
    /// Whether debug information or lines are asked for.
    pub debug: bool,
    /// Whether LTO-IR is optimised before it is written; it is again when it is linked.
    pub optimized_lto: bool,
    /// Whether 64-bit addresses are asked for by name. There are no others.
    pub bits_64: bool,
}

impl Default for Mode {
    fn default() -> Mode {
        Mode::of(Product::Ptx)
    }
}

impl Mode {
    /// The plain mode that writes something.
    pub fn of(product: Product) -> Mode {
        Mode {
            product,
            debug: false,
            optimized_lto: false,
            bits_64: false,
        }
    }

    /// The word.
    ///
    /// ```
    /// use warpc::{Mode, Product};
    /// assert_eq!(Mode::default().word(), 0x07);
    /// assert_eq!(Mode::of(Product::LinkedLto).word(), 0x26);
    /// assert_eq!(Mode::from_word(0x121).unwrap().product, Product::Lto);
    /// assert_eq!(Mode::from_word(0x207).unwrap_err().to_string(), "nvvm-32 is not supported: GPUs have 64-bit addresses");
    /// ```
    pub fn word(self) -> u32 {
        let bit = |set: bool, bit: u32| if set { bit } else { 0 };
        self.product.row().1
            | bit(self.debug, DEBUG)
            | bit(self.optimized_lto, OPTIMIZED_LTO)
            | bit(self.bits_64, BITS_64)
    }

    /// The mode that a word stands for.
    pub fn from_word(word: u32) -> Result<Mode, ModeError> {
        let known =
            LINK | OPTIMIZE | CODE | DEBUG | LTO | OPTIX | OPTIMIZED_LTO | BITS_64 | BITS_32;
        if word & !known != 0 {
            return Err(ModeError::UnknownBits(word & !known));
        }
        match (word & BITS_32 != 0, word & BITS_64 != 0) {
            (true, true) => return Err(ModeError::BothWidths),
            (true, false) => return Err(ModeError::Bits32),
            _ => {}
        }
        let low = word & (LINK | OPTIMIZE | CODE | LTO | OPTIX);
        let Some(row) = PRODUCTS.iter().find(|row| row.1 == low) else {
            return Err(ModeError::NoProduct(low));
        };
        let optimized_lto = word & OPTIMIZED_LTO != 0;
        if optimized_lto && !row.0.has_lto() {
            return Err(ModeError::NothingToOptimize(row.0));
        }
        Ok(Mode {
            product: row.0,
            debug: word & DEBUG != 0,
            optimized_lto,
            bits_64: word & BITS_64 != 0,
        })
    }
}

/// What is wrong with a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ModeError {
    /// Bits that mean nothing.
    UnknownBits(u32),
    /// 32-bit addresses.
    Bits32,
    /// 32-bit and 64-bit addresses.
    BothWidths,
    /// Phases that no mode has.
    NoProduct(u32),
    /// `gen-opt-lto` in a mode that writes no LTO-IR.
    NothingToOptimize(Product),
}

impl fmt::Display for ModeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ModeError::UnknownBits(bits) => write!(f, "{bits:#x} has no meaning in a mode"),
            ModeError::Bits32 => {
                f.write_str("nvvm-32 is not supported: GPUs have 64-bit addresses")
            }
            ModeError::BothWidths => f.write_str("nvvm-32 and nvvm-64 exclude each other"),
            ModeError::NoProduct(bits) => write!(f, "no mode has the phases {bits:#x}"),
            ModeError::NothingToOptimize(product) => {
                let flag = match product.flag() {
                    "" => "PTX",
                    flag => flag,
                };
                write!(f, "gen-opt-lto needs LTO-IR, which {flag} does not write")
            }
        }
    }
}

impl std::error::Error for ModeError {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// All modes there are.
    fn modes() -> Vec<Mode> {
        let mut modes = Vec::new();
        for product in Product::all() {
            for bits in 0..8 {
                let mode = Mode {
                    product,
                    debug: bits & 1 != 0,
                    optimized_lto: bits & 2 != 0,
                    bits_64: bits & 4 != 0,
                };
                if !mode.optimized_lto || product.has_lto() {
                    modes.push(mode);
                }
            }
        }
        modes
    }

    #[test]
    fn every_word_is_a_mode_or_an_error_and_back() {
        let mut found = HashSet::new();
        for word in 0..1 << 12 {
            match Mode::from_word(word) {
                Ok(mode) => {
                    assert_eq!(mode.word(), word);
                    found.insert(mode);
                }
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
        let modes: HashSet<Mode> = modes().into_iter().collect();
        assert_eq!(found, modes);
        assert_eq!(modes.len(), 7 * 4 + 2 * 4);
    }

    #[test]
    fn the_words_of_the_reference() {
        for (product, word) in [
            (Product::Ptx, 0x07),
            (Product::Lto, 0x21),
            (Product::WholeLto, 0x23),
            (Product::LinkedLto, 0x26),
            (Product::LtoAndPtx, 0x07 | 0x20),
            (Product::OptixIr, 0x43),
        ] {
            assert_eq!(Mode::of(product).word(), word);
        }
        assert_eq!(Mode::from_word(0x08), Err(ModeError::UnknownBits(8)));
        assert_eq!(Mode::from_word(0x400), Err(ModeError::UnknownBits(0x400)));
        assert_eq!(Mode::from_word(0x207), Err(ModeError::Bits32));
        assert_eq!(Mode::from_word(0x307), Err(ModeError::BothWidths));
        assert_eq!(Mode::from_word(0), Err(ModeError::NoProduct(0)));
        assert_eq!(Mode::from_word(0x63), Err(ModeError::NoProduct(0x63)));
        let nothing = ModeError::NothingToOptimize(Product::Ptx);
        assert_eq!(Mode::from_word(0x87), Err(nothing));
    }

    #[test]
    fn flags_and_products_are_the_same() {
        for product in Product::all().filter(|product| *product != Product::Ptx) {
            assert_eq!(Product::of_flag(product.flag()), Some(product));
        }
        assert_eq!(Product::of_flag(""), None);
    }
}
