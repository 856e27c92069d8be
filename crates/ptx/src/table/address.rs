//! Addresses: from a space to generic and back, which space they lie in, and the same address in
//! another block of a cluster.
//!
//! `cvta` on 32-bit addresses exists only in 32-bit modules, which ptxas no longer assembles.

use super::gates::{ALWAYS, CLUSTER, PARAM_PLACE_ENTRY, SHARED_CTA, v};
use crate::row::{Row, Set, form, set};
use warpc_target::{Gate, at_least};

const SPACE: Set = set(
    "space",
    &[
        (".const .global .local .shared", ALWAYS),
        (".shared::cta", SHARED_CTA),
        (".shared::cluster", CLUSTER),
        (".param", Gate(&[at_least(70, v(7, 7))])),
        (".param::entry", PARAM_PLACE_ENTRY),
    ],
);
const CLUSTER_SPACE: Set = set("space", &[(".shared::cluster", ALWAYS)]);
/// Signed types are not the manual's, but ptxas takes them.
const TYPE: Set = set("type", &[(".u32 .u64 .s32 .s64", ALWAYS)]);

/// The section's forms.
pub static ROWS: &[Row] = &[
    form("cvta.space.u64  p, a", &[SPACE]).operands("p=u64 a:&u64"),
    form("cvta.to.space.u64  p, a", &[SPACE])
        .operands("p=u64 a:u64")
        .words(1),
    // The address has 32 or 64 bits, whatever the module's addresses have.
    form("isspacep.space  p, a", &[SPACE]).operands("p=pred a:u64"),
    form("isspacep.space  p, a", &[SPACE]).operands("p=pred a:u32"),
    form("mapa{.space}.type  d, a, b", &[CLUSTER_SPACE, TYPE])
        .operands("d=T a:&T b:u32")
        .since(CLUSTER),
    form("getctarank{.space}.type  d, a", &[CLUSTER_SPACE, TYPE])
        .operands("d=u32 a:&T")
        .since(CLUSTER),
];
