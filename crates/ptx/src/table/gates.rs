//! What several forms need, named once.

use warpc_target::{Gate, PtxVersion, arch, at_least, family};

/// `v(8, 6)` is PTX 8.6.
pub const fn v(major: u8, minor: u8) -> PtxVersion {
    PtxVersion::new(major, minor)
}

/// Every target, every version.
pub const ALWAYS: Gate = Gate::ALWAYS;
/// sm_70: the memory model with its orders and scopes.
pub const MEMORY_MODEL: Gate = Gate(&[at_least(70, v(6, 0))]);
/// sm_90 with PTX 7.8: clusters.
pub const CLUSTER: Gate = Gate(&[at_least(90, v(7, 8))]);
/// PTX 7.8 on every target.
pub const V78: Gate = Gate(&[at_least(60, v(7, 8))]);
/// PTX 7.8: `::cta` written out after `.shared`, on every target.
pub const SHARED_CTA: Gate = V78;
/// PTX 8.3: `::entry` and `::func` after `.param`, on every target.
pub const PARAM_PLACE: Gate = Gate(&[at_least(60, v(8, 3))]);
/// sm_70 with PTX 8.3: `::entry` after `.param` where addresses are converted.
pub const PARAM_PLACE_ENTRY: Gate = Gate(&[at_least(70, v(8, 3))]);
/// sm_70 with PTX 8.3: 128-bit accesses.
pub const B128: Gate = Gate(&[at_least(70, v(8, 3))]);
/// sm_70 with PTX 8.4: 128-bit accesses at system scope.
pub const B128_SYS: Gate = Gate(&[at_least(70, v(8, 4))]);
/// sm_70 with PTX 7.4: eviction priorities of the L1 cache.
pub const EVICTION: Gate = Gate(&[at_least(70, v(7, 4))]);
/// sm_80 with PTX 7.4: cache policies.
pub const CACHE_POLICY: Gate = Gate(&[at_least(80, v(7, 4))]);
/// sm_100 with PTX 8.8: accesses of 256 bits.
pub const WIDE_ACCESS: Gate = Gate(&[at_least(100, v(8, 8))]);
/// Every chip from sm_100 on, as `a` or `f` target: what came with them and is not a promise for later
/// chips.
pub const SPECIFIC: Gate = Gate(&[
    arch(100, v(8, 6)),
    arch(101, v(8, 6)),
    arch(120, v(8, 7)),
    family(100, v(8, 8)),
    family(101, v(8, 8)),
    family(120, v(8, 8)),
]);
/// sm_90 with PTX 8.0: `.unified` variables and functions.
pub const UNIFIED: Gate = Gate(&[at_least(90, v(8, 0))]);
