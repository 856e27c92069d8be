//! `mbarrier`: barriers in memory.

use crate::select::intrinsic::row::{Row, effect};

pub(in crate::select::intrinsic) static ROWS: &[Row] = &[
    effect("mbarrier.init[.shared]", "mbarrier.init$1.b64 [%0], %1"),
    effect("mbarrier.inval[.shared]", "mbarrier.inval$1.b64 [%0]"),
    effect(
        "mbarrier.arrive{.drop:_drop,}[.shared]",
        "mbarrier.arrive$1$2.b64 %d, [%0]",
    ),
    effect(
        "mbarrier.arrive{.drop:_drop,}.noComplete[.shared]",
        "mbarrier.arrive$1.noComplete$2.b64 %d, [%0], %1",
    ),
    // With scope. What is relaxed or of the cluster is said; the rest is the default, which older versions have.
    // In shared memory of another block nothing comes back.
    effect(
        "mbarrier.arrive{.drop:_drop,}{.expect.tx:.expect_tx,}\
         {.relaxed.scope.cta:.relaxed.cta,.relaxed.scope.cluster:.relaxed.cluster,.scope.cluster:.release.cluster,.scope.cta:}.space.cta",
        "mbarrier.arrive$1$2$3.shared::cta.b64 %d, [%0], %1",
    ),
    effect(
        "mbarrier.arrive{.drop:_drop,}{.expect.tx:.expect_tx,}\
         {.relaxed.scope.cta:.relaxed.cta,.relaxed.scope.cluster:.relaxed.cluster,.scope.cluster:.release.cluster,.scope.cta:}.space.cluster",
        "mbarrier.arrive$1$2$3.shared::cluster.b64 _, [%0], %1",
    ),
    effect(
        "mbarrier.{expect.tx:expect_tx,complete.tx:complete_tx}.scope.{cta,cluster}.space.{cta,cluster}",
        "mbarrier.$1.relaxed.$2.shared::$3.b64 [%0], %1",
    ),
    effect(
        "mbarrier.test.wait[.shared]",
        "mbarrier.test_wait$1.b64 %d, [%0], %1",
    ),
    effect(
        "mbarrier.{test.wait:test_wait,try.wait:try_wait}[.parity]\
         {.relaxed.scope.cta:.relaxed.cta,.relaxed.scope.cluster:.relaxed.cluster,.scope.cluster:.acquire.cluster,.scope.cta:}.space.cta",
        "mbarrier.$1$2$3.shared::cta.b64 %d, [%0], %1",
    ),
    effect(
        "mbarrier.try.wait[.parity].tl\
         {.relaxed.scope.cta:.relaxed.cta,.relaxed.scope.cluster:.relaxed.cluster,.scope.cluster:.acquire.cluster,.scope.cta:}.space.cta",
        "mbarrier.try_wait$1$2.shared::cta.b64 %d, [%0], %1, %2",
    ),
    effect(
        "mbarrier.pending.count",
        "mbarrier.pending_count.b64 %d, %0",
    ),
];
