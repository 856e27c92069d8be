//! Sets of modifiers that several sections share, named once.

use super::gates::{ALWAYS, B128_SYS, CACHE_POLICY, CLUSTER, EVICTION, SHARED_CTA, v};
use crate::row::{Set, set};
use warpc_target::{Gate, at_least};

/// How far an access or fence is seen.
pub const SCOPE: Set = set(
    "scope",
    &[(".cta .gpu .sys", ALWAYS), (".cluster", CLUSTER)],
);

/// Rounding of a floating-point result: to nearest even, towards zero, down, up.
pub const FRND: Set = set("rnd", &[(".rn .rz .rm .rp", ALWAYS)]);

/// How far a 128-bit access is seen.
pub const SCOPE_B128: Set = set(
    "scope",
    &[
        (".cta .gpu", ALWAYS),
        (".cluster", CLUSTER),
        (".sys", B128_SYS),
    ],
);

/// Spaces that threads share.
pub const SPACE: Set = set(
    "space",
    &[
        (".global .shared", ALWAYS),
        (".shared::cta", SHARED_CTA),
        (".shared::cluster", CLUSTER),
    ],
);

/// Asks for a cache policy among the operands.
pub const CACHE_HINT: Set = set("level::cache_hint", &[(".L2::cache_hint", CACHE_POLICY)]);

/// What to fetch into the L2 cache beside what is asked for.
pub const PREFETCH_SIZE: Set = set(
    "level::prefetch_size",
    &[
        (".L2::64B .L2::128B", Gate(&[at_least(75, v(7, 4))])),
        (".L2::256B", CACHE_POLICY),
    ],
);

/// How long the L1 cache should keep the line.
pub const L1_EVICTION: Set = set(
    "level1::eviction_priority",
    &[(
        ".L1::evict_normal .L1::evict_unchanged .L1::evict_first .L1::evict_last .L1::no_allocate",
        EVICTION,
    )],
);

/// How long the L2 cache should keep the line; on 256-bit accesses only.
pub const L2_EVICTION: Set = set(
    "level2::eviction_priority",
    &[(".L2::evict_normal .L2::evict_first .L2::evict_last", ALWAYS)],
);

/// Combines a comparison with a predicate.
pub const BOOL_OP: Set = set("BoolOp", &[(".and .or .xor", ALWAYS)]);
/// Comparisons of plain bits.
pub const CMP_BITS: Set = set("CmpOp", &[(".eq .ne", ALWAYS)]);
/// Comparisons of signed integers.
pub const CMP_SIGNED: Set = set("CmpOp", &[(".eq .ne .lt .le .gt .ge", ALWAYS)]);
/// Comparisons of unsigned integers.
pub const CMP_UNSIGNED: Set = set(
    "CmpOp",
    &[(".eq .ne .lt .le .gt .ge .lo .ls .hi .hs", ALWAYS)],
);
/// Comparisons of floating-point numbers.
pub const CMP_FLOAT: Set = set(
    "CmpOp",
    &[(
        ".eq .ne .lt .le .gt .ge .equ .neu .ltu .leu .gtu .geu .num .nan",
        ALWAYS,
    )],
);
