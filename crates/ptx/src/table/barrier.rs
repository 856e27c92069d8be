//! Barriers of threads, warps and clusters.
//!
//! `bar` is `barrier` with `.aligned` in it. A constant number of threads must be a multiple of the
//! warp size, and for `arrive` not zero: ptxas looks at constants only.

use super::gates::{ALWAYS, CLUSTER, V78, v};
use crate::row::{Effects, Row, Set, form, set};
use crate::rule::{RuleView, Violation};
use warpc_target::{Gate, at_least};

const EFFECTS: Effects = Effects::SYNC.union(Effects::CONVERGENT);

/// The word that says of a barrier what it is anyway: of the block.
const CTA: Set = set("cta", &[(".cta", V78)]);
const OP: Set = set("op", &[(".and .or", ALWAYS)]);
/// Orders came a version after clusters; without one the order is the one named here.
const ARRIVE_SEM: Set = set(
    "sem",
    &[(".release .relaxed", Gate(&[at_least(90, v(8, 0))]))],
);
const WAIT_SEM: Set = set("sem", &[(".acquire", Gate(&[at_least(90, v(8, 0))]))]);
const ACTION: Set = set("action", &[(".launch_dependents .wait", ALWAYS)]);

/// The section's forms.
pub static ROWS: &[Row] = &[
    form("barrier{.cta}.sync{.aligned}  a{, b}", &[CTA])
        .operands("a:u32(0..15) b:u32")
        .rule(check_count)
        .effects(EFFECTS),
    form("barrier{.cta}.arrive{.aligned}  a, b", &[CTA])
        .operands("a:u32(0..15) b:u32")
        .rule(check_count)
        .effects(EFFECTS),
    form("barrier{.cta}.red.popc{.aligned}.u32  d, a{, b}, c", &[CTA])
        .operands("d=u32 a:u32(0..15) b:u32 c:!pred")
        .rule(check_count)
        .effects(EFFECTS),
    form(
        "barrier{.cta}.red.op{.aligned}.pred  p, a{, b}, c",
        &[CTA, OP],
    )
    .operands("p=pred a:u32(0..15) b:u32 c:!pred")
    .rule(check_count)
    .effects(EFFECTS),
    form("bar{.cta}.sync  a{, b}", &[CTA])
        .operands("a:u32(0..15) b:u32")
        .rule(check_count)
        .effects(EFFECTS),
    form("bar{.cta}.arrive  a, b", &[CTA])
        .operands("a:u32(0..15) b:u32")
        .rule(check_count)
        .effects(EFFECTS),
    form("bar{.cta}.red.popc.u32  d, a{, b}, c", &[CTA])
        .operands("d=u32 a:u32(0..15) b:u32 c:!pred")
        .rule(check_count)
        .effects(EFFECTS),
    form("bar{.cta}.red.op.pred  p, a{, b}, c", &[CTA, OP])
        .operands("p=pred a:u32(0..15) b:u32 c:!pred")
        .rule(check_count)
        .effects(EFFECTS),
    form("bar.warp.sync  membermask", &[])
        .operands("membermask:u32")
        .effects(EFFECTS),
    form("barrier.cluster.arrive{.sem}{.aligned}", &[ARRIVE_SEM])
        .words(2)
        .since(CLUSTER)
        .effects(EFFECTS),
    form("barrier.cluster.wait{.sem}{.aligned}", &[WAIT_SEM])
        .words(2)
        .since(CLUSTER)
        .effects(EFFECTS),
    form("griddepcontrol.action", &[ACTION])
        .since(CLUSTER)
        .effects(Effects::SYNC.union(Effects::OBSERVABLE)),
];

fn check_count(view: &RuleView<'_>) -> Result<(), Violation> {
    let Some(count) = view.int("b") else {
        return Ok(());
    };
    let count = count.value();
    if count % 32 != 0 {
        return Err(Violation::operand(
            "b",
            format!("{count} threads are not whole number of warps"),
        )
        .help("write a multiple of 32"));
    }
    if count == 0 && view.has("arrive") {
        return Err(
            Violation::operand("b", "`arrive` needs a number of threads")
                .help("write a multiple of 32"),
        );
    }
    Ok(())
}
