//! One row of the table.

use crate::Signature;
use warpc_target::{Chips, Sm};

/// A builtin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Builtin {
    /// Its number, from 1 to 770; 0 for one that has none.
    pub id: u16,
    /// The name that modules call it by.
    pub name: &'static str,
    /// What it belongs to.
    pub category: Category,
    /// The chips that have it; `None` if all have that this project compiles for.
    pub chips: Option<Chips>,
    /// Result and parameters; `None` where they are not known.
    pub signature: Option<Signature>,
    /// Where the row comes from, and so how sure it is.
    pub source: Source,
}

impl Builtin {
    /// Whether a target has it.
    pub fn is_on(&self, sm: Sm) -> bool {
        self.chips.is_none_or(|chips| chips.contains(sm))
    }

    /// Whether the number is kept free: nothing is known of it, and no module calls it.
    pub fn is_reserved(&self) -> bool {
        self.source == Source::Unknown
    }
}

/// How the numbers are divided up.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Category {
    /// Barriers, memory barriers, clusters.
    SyncCluster,
    /// Counting and reversing bits.
    Bit,
    /// Rounding, absolute values, approximations.
    Math,
    /// Reciprocals and roots.
    RcpSqrt,
    /// Conversions and bit casts.
    Convert,
    /// Address spaces.
    Addrspace,
    /// Atomics whose name holds the scope.
    AtomicLegacy,
    /// Arithmetic with a rounding in the name, and integer minimum, maximum and product.
    FpArith,
    /// Votes and matches of a warp.
    VoteMatch,
    /// Compare and swap whose name holds the scope.
    Cas,
    /// Fused multiply-add.
    Fma,
    /// Shuffles, and what has no place elsewhere.
    ShuffleMisc,
    /// Atomics of the C++ memory model.
    AtomicCxx11,
    /// Stores to surfaces.
    Sust,
    /// Variable arguments and small functions.
    VarargsShim,
    /// Textures and surfaces by the name of the operation.
    TexSurf,
    /// The C++ run-time library.
    CxxAbi,
    /// Matrix products of halves.
    Wmma,
    /// Matrix products of integers and bits.
    ImmaBmma,
    /// Matrix products of doubles, TF32 and bfloat16.
    MmaExt,
    /// Matrix products by four warps.
    Wgmma,
    /// Allocation on the stack.
    Alloca,
    /// Numbers that no category claims.
    Unlisted,
}

use Category::*;

/// The words that tables use, and what they mean.
static CATEGORIES: [(Category, &str, &str); 23] = [
    (SyncCluster, "sync_cluster", "barriers and clusters"),
    (Bit, "bit", "bits"),
    (Math, "math", "rounding and approximation"),
    (RcpSqrt, "rcp_sqrt", "reciprocal and root"),
    (Convert, "convert", "conversion"),
    (Addrspace, "addrspace", "address spaces"),
    (AtomicLegacy, "atomic_legacy", "atomic, scope in the name"),
    (FpArith, "fp_arith", "arithmetic"),
    (VoteMatch, "vote_match", "vote and match of a warp"),
    (Cas, "cas", "compare and swap, scope in the name"),
    (Fma, "fma", "fused multiply-add"),
    (ShuffleMisc, "shuffle_misc", "shuffle and others"),
    (
        AtomicCxx11,
        "atomic_cxx11",
        "atomic of the C++ memory model",
    ),
    (Sust, "sust", "store to a surface"),
    (
        VarargsShim,
        "varargs_shim",
        "variable arguments, small functions",
    ),
    (TexSurf, "tex_surf", "textures and surfaces"),
    (CxxAbi, "cxx_abi", "C++ run-time library"),
    (Wmma, "wmma", "matrix product of halves"),
    (ImmaBmma, "imma_bmma", "matrix product of integers or bits"),
    (
        MmaExt,
        "mma_ext",
        "matrix product of doubles, TF32 or bfloat16",
    ),
    (Wgmma, "wgmma", "matrix product by four warps"),
    (Alloca, "alloca", "allocation on the stack"),
    (Unlisted, "unlisted", "in no category"),
];

impl Category {
    /// Every category, in the order of the numbers.
    pub fn all() -> impl Iterator<Item = Category> {
        CATEGORIES.iter().map(|row| row.0)
    }

    /// The word for it in tables.
    pub fn slug(self) -> &'static str {
        CATEGORIES[self as usize].1
    }

    /// What it is.
    pub fn title(self) -> &'static str {
        CATEGORIES[self as usize].2
    }
}

/// Where a row comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Source {
    /// The reference's table.
    Reference,
    /// Another page of the reference.
    Page(&'static str),
    /// The headers of CUDA.
    Headers,
    /// The lists of clang and LLVM.
    Clang,
    /// What fits the gap; not seen.
    Inferred,
    /// Nothing is known but the number.
    Unknown,
}

impl Source {
    /// What it says about the row.
    pub fn title(self) -> &'static str {
        match self {
            Source::Reference | Source::Page(_) => "reference",
            Source::Headers => "CUDA headers",
            Source::Clang => "clang",
            Source::Inferred => "inferred",
            Source::Unknown => "reserved",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn categories_stand_at_their_numbers() {
        for (place, category) in Category::all().enumerate() {
            assert_eq!(category as usize, place);
        }
    }
}
