//! Sets of modifiers that several sections share, named once.

use super::gates::{ALWAYS, CLUSTER};
use crate::row::{Set, set};

/// How far an access or fence is seen.
pub const SCOPE: Set = set(
    "scope",
    &[(".cta .gpu .sys", ALWAYS), (".cluster", CLUSTER)],
);

/// Rounding of a floating-point result: to nearest even, towards zero, down, up.
pub const FRND: Set = set("rnd", &[(".rn .rz .rm .rp", ALWAYS)]);
