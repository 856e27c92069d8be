//! What several forms need, named once.

use warpc_target::{Gate, PtxVersion, at_least};

/// `v(8, 6)` is PTX 8.6.
pub const fn v(major: u8, minor: u8) -> PtxVersion {
    PtxVersion::new(major, minor)
}

/// Every target, every version.
pub const ALWAYS: Gate = Gate::ALWAYS;
/// sm_90 with PTX 7.8: clusters.
pub const CLUSTER: Gate = Gate(&[at_least(90, v(7, 8))]);
/// PTX 7.8 on every target.
pub const V78: Gate = Gate(&[at_least(60, v(7, 8))]);
