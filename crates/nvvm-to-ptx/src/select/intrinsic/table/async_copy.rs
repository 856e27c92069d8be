//! Asynchronous copies: `cp.async` and `cp.async.bulk`.

use crate::select::intrinsic::row::{Row, effect};

pub(in crate::select::intrinsic) static ROWS: &[Row] = &[
    effect(
        "cp.async.ca.shared.global.{4,8,16}",
        "cp.async.ca.shared.global [%0], [%1], $1",
    ),
    effect(
        "cp.async.ca.shared.global.{4,8,16}.s",
        "cp.async.ca.shared.global [%0], [%1], $1, %2",
    ),
    effect(
        "cp.async.cg.shared.global.16",
        "cp.async.cg.shared.global [%0], [%1], 16",
    ),
    effect(
        "cp.async.cg.shared.global.16.s",
        "cp.async.cg.shared.global [%0], [%1], 16, %2",
    ),
    effect("cp.async.commit.group", "cp.async.commit_group"),
    effect("cp.async.wait.group", "cp.async.wait_group %0"),
    effect("cp.async.wait.all", "cp.async.wait_all"),
    effect(
        "cp.async.mbarrier.arrive[.noinc][.shared]",
        "cp.async.mbarrier.arrive$1$2.b64 [%0]",
    ),
    effect(
        "cp.async.bulk.global.to.shared.cluster",
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes(?6:.multicast::cluster)(?7:.L2::cache_hint) \
         [%0], [%2], %3, [%1](?6:, %4)(?7:, %5)",
    ),
    effect(
        "cp.async.bulk.global.to.shared.cta",
        "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes(?5:.L2::cache_hint) [%0], [%2], %3, [%1](?5:, %4)",
    ),
    effect(
        "cp.async.bulk.shared.cta.to.cluster",
        "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%2], %3, [%1]",
    ),
    effect(
        "cp.async.bulk.shared.cta.to.global",
        "cp.async.bulk.global.shared::cta.bulk_group(?4:.L2::cache_hint) [%0], [%1], %2(?4:, %3)",
    ),
    effect(
        "cp.async.bulk.shared.cta.to.global.bytemask",
        "cp.async.bulk.global.shared::cta.bulk_group(?4:.L2::cache_hint).cp_mask [%0], [%1], %2(?4:, %3), %5",
    ),
    effect(
        "cp.async.bulk.prefetch.L2",
        "cp.async.bulk.prefetch.L2.global(?3:.L2::cache_hint) [%0], %1(?3:, %2)",
    ),
    effect("cp.async.bulk.commit.group", "cp.async.bulk.commit_group"),
    effect(
        "cp.async.bulk.wait.group[.read]",
        "cp.async.bulk.wait_group$1 %0",
    ),
];
