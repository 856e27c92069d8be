//! Barriers and fences.

use crate::select::intrinsic::row::{Row, effect};

pub(in crate::select::intrinsic) static ROWS: &[Row] = &[
    effect(
        "barrier.cta.sync{.aligned.all:bar,.all:barrier}",
        "$1.sync %0",
    ),
    effect(
        "barrier.cta.sync{.aligned.count:bar,.count:barrier}",
        "$1.sync %0, %1",
    ),
    effect(
        "barrier.cta.arrive{.aligned.count:bar,.count:barrier}",
        "$1.arrive %0, %1",
    ),
    effect(
        "barrier.cta.red.{and,or}{.aligned.all:bar,.all:barrier}",
        "$2.red.$1.pred %d, %0, %1",
    ),
    effect(
        "barrier.cta.red.{and,or}{.aligned.count:bar,.count:barrier}",
        "$2.red.$1.pred %d, %0, %1, %2",
    ),
    effect(
        "barrier.cta.red.popc{.aligned.all:bar,.all:barrier}",
        "$1.red.popc.u32 %d, %0, %1",
    ),
    effect(
        "barrier.cta.red.popc{.aligned.count:bar,.count:barrier}",
        "$1.red.popc.u32 %d, %0, %1, %2",
    ),
    effect("bar.warp.sync", "bar.warp.sync %0"),
    effect(
        "barrier.cluster.arrive[.relaxed][.aligned]",
        "barrier.cluster.arrive$1$2",
    ),
    effect("barrier.cluster.wait[.aligned]", "barrier.cluster.wait$1"),
    effect("membar.{cta,gl,sys}", "membar.$1"),
    effect("fence.sc.cluster", "fence.sc.cluster"),
    effect(
        "fence.mbarrier_init.release.cluster",
        "fence.mbarrier_init.release.cluster",
    ),
    effect("fence.proxy.alias", "fence.proxy.alias"),
    effect(
        "fence.proxy.async{,.global,.shared_cta:.shared::cta,.shared_cluster:.shared::cluster}",
        "fence.proxy.async$1",
    ),
    effect(
        "fence.proxy.tensormap_generic.release.{cta,cluster,gpu,sys}",
        "fence.proxy.tensormap::generic.release.$1",
    ),
    effect(
        "fence.proxy.tensormap_generic.acquire.{cta,cluster,gpu,sys}",
        "fence.proxy.tensormap::generic.acquire.$1 [%0], %1",
    ),
    effect(
        "fence.acquire.sync_restrict.space.cluster.scope.cluster",
        "fence.acquire.sync_restrict::shared::cluster.cluster",
    ),
    effect(
        "fence.release.sync_restrict.space.cta.scope.cluster",
        "fence.release.sync_restrict::shared::cta.cluster",
    ),
    effect(
        "fence.proxy.async_generic.acquire.sync_restrict.space.cluster.scope.cluster",
        "fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster",
    ),
    effect(
        "fence.proxy.async_generic.release.sync_restrict.space.cta.scope.cluster",
        "fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster",
    ),
    effect(
        "griddepcontrol.launch.dependents",
        "griddepcontrol.launch_dependents",
    ),
    effect("griddepcontrol.wait", "griddepcontrol.wait"),
];
