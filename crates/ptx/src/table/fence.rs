//! Memory fences.
//!
//! ptxas also takes `.acq_rel` and a scope after every `fence.proxy.A::B`, and
//! `fence.proxy.tensormap::generic.release.sync_restrict::SPACE.SCOPE`, which the manual does not
//! define; they are not here.

use super::gates::{ALWAYS, v};
use super::sets::SCOPE;
use crate::row::{Effects, Row, Set, form, set};
use warpc_target::{Gate, at_least};

/// Fences as such: sm_70.
const FENCE: Gate = Gate(&[at_least(70, v(6, 0))]);
/// One-way fences: sm_90 with PTX 8.6.
const ONE_WAY: Gate = Gate(&[at_least(90, v(8, 6))]);
/// sm_90 with PTX 8.0.
const ASYNC: Gate = Gate(&[at_least(90, v(8, 0))]);
const TENSORMAP: Gate = Gate(&[at_least(90, v(8, 3))]);

const SEM: Set = set(
    "sem",
    &[(".sc .acq_rel", ALWAYS), (".acquire .release", ONE_WAY)],
);
const LEVEL: Set = set("level", &[(".cta .gl .sys", ALWAYS)]);
const PROXY: Set = set(
    "proxykind",
    &[
        (".alias", Gate(&[at_least(70, v(7, 5))])),
        (".async", ASYNC),
    ],
);
/// `membar.proxy.alias` exists on every chip.
const MEMBAR_PROXY: Set = set(
    "proxykind",
    &[
        (".alias", Gate(&[at_least(60, v(7, 5))])),
        (".async", ASYNC),
    ],
);
const ALIAS_SEM: Set = set("sem", &[(".acquire .release", ALWAYS)]);
const FABRIC_PROXY: Set = set(
    "fabric_proxy",
    &[(".fabric::fabric .fabric::generic .generic::fabric", ALWAYS)],
);
const CLUSTER_SCOPE: Set = set("scope", &[(".cta .cluster", ALWAYS)]);
const ASYNC_SPACE: Set = set(
    "space",
    &[(".global .shared::cta .shared::cluster", ALWAYS)],
);

/// The section's forms.
pub static ROWS: &[Row] = &[
    // The order may be left out, and is then `.acq_rel`.
    form("fence{.sem}.scope", &[SEM, SCOPE])
        .since(FENCE)
        .effects(Effects::SYNC),
    form("fence.acquire.sync_restrict::shared::cluster.cluster", &[])
        .since(ONE_WAY)
        .effects(Effects::SYNC),
    form("fence.release.sync_restrict::shared::cta.cluster", &[])
        .since(ONE_WAY)
        .effects(Effects::SYNC),
    form("fence.mbarrier_init.release.cluster", &[])
        .since(ASYNC)
        .effects(Effects::SYNC),
    form("fence.proxy.proxykind", &[PROXY])
        .words(1)
        .effects(Effects::SYNC),
    form("fence.proxy.alias.sem.sys", &[ALIAS_SEM])
        .words(1)
        .since(Gate(&[at_least(90, v(9, 4))]))
        .effects(Effects::SYNC),
    form("fence.proxy.async.space", &[ASYNC_SPACE])
        .words(1)
        .since(ASYNC)
        .effects(Effects::SYNC),
    form("fence.proxy.tensormap::generic.release.scope", &[SCOPE])
        .words(1)
        .since(TENSORMAP)
        .effects(Effects::SYNC),
    form(
        "fence.proxy.tensormap::generic.acquire.scope  [a], size",
        &[SCOPE],
    )
    .words(1)
    .operands("a:addr size:#u32(128..128)")
    .since(TENSORMAP)
    .effects(Effects::SYNC),
    form(
        "fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster",
        &[],
    )
    .words(1)
    .since(ONE_WAY)
    .effects(Effects::SYNC),
    form(
        "fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster",
        &[],
    )
    .words(1)
    .since(ONE_WAY)
    .effects(Effects::SYNC),
    form(
        "fence.proxy.async::generic.release.sync_restrict::shared::cluster::read.scope",
        &[CLUSTER_SCOPE],
    )
    .words(1)
    .since(Gate(&[at_least(90, v(9, 4))]))
    .effects(Effects::SYNC),
    form(
        "fence.proxy.fabric_proxy.alias.sem.sys",
        &[FABRIC_PROXY, ALIAS_SEM],
    )
    .words(1)
    .since(Gate(&[at_least(100, v(9, 3))]))
    .effects(Effects::SYNC),
    form("membar.level", &[LEVEL]).effects(Effects::SYNC),
    form("membar.proxy.proxykind", &[MEMBAR_PROXY])
        .words(1)
        .effects(Effects::SYNC),
];
