//! Objects in shared memory that count arrivals and bytes.
//!
//! An order and a scope come together or not at all. A barrier of another block of the cluster
//! (`.shared::cluster`) gives no state back: its destination is `_`.

use super::gates::{ALWAYS, v};
use crate::inst::Operand;
use crate::row::{Effects, Row, Set, form, set};
use crate::rule::{RuleView, Violation};
use warpc_target::{Gate, at_least, family};

const EFFECTS: Effects = Effects::SYNC.union(Effects::READ).union(Effects::WRITE);

/// sm_80: barriers and arrivals.
const MBARRIER: Gate = Gate(&[at_least(80, v(7, 0))]);
const SM80_V71: Gate = Gate(&[at_least(80, v(7, 1))]);
const SM80_V78: Gate = Gate(&[at_least(80, v(7, 8))]);
const SM80_V80: Gate = Gate(&[at_least(80, v(8, 0))]);
/// sm_90: counts, waits that block, transactions.
const SM90_V78: Gate = Gate(&[at_least(90, v(7, 8))]);
const SM90_V80: Gate = Gate(&[at_least(90, v(8, 0))]);
const SM90_V86: Gate = Gate(&[at_least(90, v(8, 6))]);
/// sm_90 with PTX 9.3: barriers that keep reports of what arrived.
const REPORTS: Gate = Gate(&[at_least(90, v(9, 3))]);
/// The `a` and `f` targets of sm_107: many barriers at once.
const MULTICAST: Gate = Gate(&[family(107, v(9, 4))]);

const SPACE: Set = set("space", &[(".shared", ALWAYS), (".shared::cta", SM80_V78)]);
const ANY_SPACE: Set = set(
    "space",
    &[(".shared .shared::cta .shared::cluster", ALWAYS)],
);
const OP: Set = set("op", &[(".arrive .arrive_drop", ALWAYS)]);
const ARRIVE_SEM: Set = set("sem", &[(".release", SM80_V80), (".relaxed", SM90_V86)]);
const WAIT_SEM: Set = set("sem", &[(".acquire", SM80_V80), (".relaxed", SM90_V86)]);
const SCOPE: Set = set("scope", &[(".cta", ALWAYS), (".cluster", SM90_V80)]);
/// The one order of arrivals that do not complete a phase.
const RELEASE: Set = set("release", &[(".release", SM80_V80)]);
const LAYOUT: Set = set("layout", &[(".layout::v0 .layout::v1", REPORTS)]);
const TX: Set = set("tx", &[(".expect_tx .complete_tx", ALWAYS)]);

/// The section's forms.
pub static ROWS: &[Row] = &[
    form("mbarrier.init{.layout}{.space}.b64  [addr], count", &[LAYOUT, SPACE])
        .words(1)
        .operands("addr:addr count:u32(1..1048575)")
        .since(MBARRIER)
        .effects(EFFECTS),
    form("mbarrier.check_layout.layout{.space}.b64  p, [addr]", &[LAYOUT, SPACE])
        .words(1)
        .operands("p=pred addr:addr")
        .since(REPORTS)
        .effects(Effects::READ),
    form("mbarrier.inval{.space}.b64  [addr]", &[SPACE])
        .words(1)
        .operands("addr:addr")
        .since(MBARRIER)
        .effects(EFFECTS),
    form(
        "mbarrier.tx{.relaxed.scope}{.space}.b64  [addr], bytes",
        &[TX, SCOPE, ANY_SPACE],
    )
    .words(1)
    .operands("addr:addr bytes:u32")
    .since(SM90_V80)
    .effects(EFFECTS),
    form(
        "mbarrier.op{.sem.scope}{.space}.b64  state, [addr]",
        &[OP, ARRIVE_SEM, SCOPE, SPACE],
    )
    .words(1)
    .operands("state=_u64 addr:addr")
    .rule(check_sink)
    .since(MBARRIER)
    .effects(EFFECTS),
    form(
        "mbarrier.op{.sem.scope}{.space}.b64  state, [addr], count",
        &[OP, ARRIVE_SEM, SCOPE, SPACE],
    )
    .words(1)
    .operands("state=_u64 addr:addr count:u32(1..9223372036854775807)")
    .since(SM90_V78)
    .effects(EFFECTS),
    form(
        "mbarrier.op.noComplete{.release.cta}{.space}.b64  state, [addr], count",
        &[OP, RELEASE, SPACE],
    )
    .words(1)
    .operands("state=_u64 addr:addr count:u32(1..9223372036854775807)")
    .rule(check_sink)
    .since(MBARRIER)
    .effects(EFFECTS),
    form(
        "mbarrier.op{.sem.scope}.shared::cluster.b64  _, [addr]{, count}",
        &[OP, ARRIVE_SEM, SCOPE],
    )
    .words(1)
    .operands("_=sink addr:addr.shared::cluster count:u32(1..9223372036854775807)")
    .since(SM90_V80)
    .effects(EFFECTS),
    form(
        "mbarrier.op.expect_tx{.sem.scope}{.space}.b64  state, [addr], bytes",
        &[OP, ARRIVE_SEM, SCOPE, SPACE],
    )
    .words(2)
    .operands("state=_u64 addr:addr bytes:u32")
    .since(SM90_V80)
    .effects(EFFECTS),
    form(
        "mbarrier.op.expect_tx{.sem.scope}.shared::cluster.b64  _, [addr], bytes",
        &[OP, ARRIVE_SEM, SCOPE],
    )
    .words(2)
    .operands("_=sink addr:addr.shared::cluster bytes:u32")
    .since(SM90_V80)
    .effects(EFFECTS),
    // One barrier in each block of a mask. Generic addresses may give a state back.
    form(
        "mbarrier.op{.sem.scope}.multicast::cluster::32b.b64  state, [addr]{, count}, mask",
        &[OP, ARRIVE_SEM, SCOPE],
    )
    .words(1)
    .operands("state=_u64 addr:addr count:u32(1..9223372036854775807) mask:u32(0..4294967295)")
    .since(MULTICAST)
    .effects(EFFECTS),
    form(
        "mbarrier.op{.sem.scope}.shared::cluster.multicast::cluster::32b.b64  _, [addr]{, count}, mask",
        &[OP, ARRIVE_SEM, SCOPE],
    )
    .words(1)
    .operands("_=sink addr:addr.shared::cluster count:u32(1..9223372036854775807) mask:u32(0..4294967295)")
    .since(MULTICAST)
    .effects(EFFECTS),
    form(
        "mbarrier.op.expect_tx{.sem.scope}.multicast::cluster::32b.b64  state, [addr], bytes, mask",
        &[OP, ARRIVE_SEM, SCOPE],
    )
    .words(2)
    .operands("state=_u64 addr:addr bytes:u32 mask:u32(0..4294967295)")
    .since(MULTICAST)
    .effects(EFFECTS),
    form(
        "mbarrier.op.expect_tx{.sem.scope}.shared::cluster.multicast::cluster::32b.b64  _, [addr], bytes, mask",
        &[OP, ARRIVE_SEM, SCOPE],
    )
    .words(2)
    .operands("_=sink addr:addr.shared::cluster bytes:u32 mask:u32(0..4294967295)")
    .since(MULTICAST)
    .effects(EFFECTS),
    form(
        "mbarrier.tx{.relaxed.scope}.multicast::cluster::32b.b64  [addr], bytes, mask",
        &[TX, SCOPE],
    )
    .words(1)
    .operands("addr:addr bytes:u32 mask:u32(0..4294967295)")
    .since(MULTICAST)
    .effects(EFFECTS),
    form(
        "mbarrier.tx{.relaxed.scope}.shared::cluster.multicast::cluster::32b.b64  [addr], bytes, mask",
        &[TX, SCOPE],
    )
    .words(1)
    .operands("addr:addr.shared::cluster bytes:u32 mask:u32(0..4294967295)")
    .since(MULTICAST)
    .effects(EFFECTS),
    form(
        "mbarrier.test_wait{.sem.scope}{.space}.b64  done, [addr], state",
        &[WAIT_SEM, SCOPE, SPACE],
    )
    .words(1)
    .operands("done=pred addr:addr state:u64")
    .since(MBARRIER)
    .effects(EFFECTS),
    form(
        "mbarrier.test_wait.parity{.sem.scope}{.space}.b64  done, [addr], parity",
        &[WAIT_SEM, SCOPE, SPACE],
    )
    .words(2)
    .operands("done=pred addr:addr parity:u32(0..1)")
    .since(SM80_V71)
    .effects(EFFECTS),
    form(
        "mbarrier.try_wait{.sem.scope}{.space}.b64  done, [addr], state{, limit}",
        &[WAIT_SEM, SCOPE, SPACE],
    )
    .words(1)
    .operands("done=pred addr:addr state:u64 limit:u32")
    .since(SM90_V78)
    .effects(EFFECTS),
    form(
        "mbarrier.try_wait.parity{.sem.scope}{.space}.b64  done, [addr], parity{, limit}",
        &[WAIT_SEM, SCOPE, SPACE],
    )
    .words(2)
    .operands("done=pred addr:addr parity:u32(0..1) limit:u32")
    .since(SM90_V78)
    .effects(EFFECTS),
    // Waits that also say whether something was reported, and what.
    form(
        "mbarrier.test_wait.phase_type::primary{.sem.scope}{.space}.b64  done{|seen}, [addr], state",
        &[WAIT_SEM, SCOPE, SPACE],
    )
    .words(1)
    .operands("done=pred seen=_pred addr:addr state:u64")
    .since(REPORTS)
    .effects(EFFECTS),
    form(
        "mbarrier.test_wait.phase_type::primary{.sem.scope}{.space}.b64  done{|seen}, report, [addr], state",
        &[WAIT_SEM, SCOPE, SPACE],
    )
    .words(1)
    .operands("done=pred seen=_pred report=b8 addr:addr state:u64")
    .since(REPORTS)
    .effects(EFFECTS),
    form(
        "mbarrier.test_wait.parity.phase_type::primary{.sem.scope}{.space}.b64  done{|seen}, [addr], parity",
        &[WAIT_SEM, SCOPE, SPACE],
    )
    .words(2)
    .operands("done=pred seen=_pred addr:addr parity:u32(0..1)")
    .since(REPORTS)
    .effects(EFFECTS),
    form(
        "mbarrier.test_wait.parity.phase_type::primary{.sem.scope}{.space}.b64  done{|seen}, report, [addr], parity",
        &[WAIT_SEM, SCOPE, SPACE],
    )
    .words(2)
    .operands("done=pred seen=_pred report=b8 addr:addr parity:u32(0..1)")
    .since(REPORTS)
    .effects(EFFECTS),
    form(
        "mbarrier.test_wait.parity.phase_type::conditional{.sem.scope}{.space}.b64  done, [addr], parity",
        &[WAIT_SEM, SCOPE, SPACE],
    )
    .words(2)
    .operands("done=pred addr:addr parity:u32(0..1)")
    .since(REPORTS)
    .effects(EFFECTS),
    form(
        "mbarrier.try_wait.phase_type::primary{.sem.scope}{.space}.b64  done{|seen}, [addr], state{, limit}",
        &[WAIT_SEM, SCOPE, SPACE],
    )
    .words(1)
    .operands("done=pred seen=_pred addr:addr state:u64 limit:u32")
    .since(REPORTS)
    .effects(EFFECTS),
    form(
        "mbarrier.try_wait.phase_type::primary{.sem.scope}{.space}.b64  done{|seen}, report, [addr], state{, limit}",
        &[WAIT_SEM, SCOPE, SPACE],
    )
    .words(1)
    .operands("done=pred seen=_pred report=b8 addr:addr state:u64 limit:u32")
    .since(REPORTS)
    .effects(EFFECTS),
    form(
        "mbarrier.try_wait.parity.phase_type::primary{.sem.scope}{.space}.b64  done{|seen}, [addr], parity{, limit}",
        &[WAIT_SEM, SCOPE, SPACE],
    )
    .words(2)
    .operands("done=pred seen=_pred addr:addr parity:u32(0..1) limit:u32")
    .since(REPORTS)
    .effects(EFFECTS),
    form(
        "mbarrier.try_wait.parity.phase_type::primary{.sem.scope}{.space}.b64  done{|seen}, report, [addr], parity{, limit}",
        &[WAIT_SEM, SCOPE, SPACE],
    )
    .words(2)
    .operands("done=pred seen=_pred report=b8 addr:addr parity:u32(0..1) limit:u32")
    .since(REPORTS)
    .effects(EFFECTS),
    form(
        "mbarrier.try_wait.parity.phase_type::conditional{.sem.scope}{.space}.b64  done, [addr], parity{, limit}",
        &[WAIT_SEM, SCOPE, SPACE],
    )
    .words(2)
    .operands("done=pred addr:addr parity:u32(0..1) limit:u32")
    .since(REPORTS)
    .effects(EFFECTS),
    form("mbarrier.pending_count.b64  count, state", &[])
        .words(1)
        .operands("count=u32 state:u64")
        .since(MBARRIER),
];

/// `arrive` may do without a state a version later than `arrive_drop`.
fn check_sink(view: &RuleView<'_>) -> Result<(), Violation> {
    if view.token("op") == Some(".arrive") && view.operand("state") == Some(&Operand::Sink) {
        view.needs(SM80_V71, "state", "`_` for the state")?;
    }
    Ok(())
}
