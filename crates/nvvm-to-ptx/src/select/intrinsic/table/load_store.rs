//! Caches, and loads that no instruction of the IR can say.

use crate::select::intrinsic::row::{Row, effect, pure};

pub(in crate::select::intrinsic) static ROWS: &[Row] = &[
    pure(
        "isspacep.{const,global,local,shared,shared.cluster:shared::cluster}",
        "isspacep.$1 %d, %0",
    ),
    pure(
        "istypep.{sampler:samplerref,surface:surfref,texture:texref}",
        "istypep.$1 %d, %0",
    ),
    effect("prefetch.{L1,L2}", "prefetch.$1 [%0]"),
    effect("prefetch.{global,local}.{L1,L2}", "prefetch.$1.$2 [%0]"),
    effect(
        "prefetch.global.L2.evict.{last,normal}",
        "prefetch.global.L2::evict_$1 [%0]",
    ),
    effect("prefetch.tensormap*", "prefetch$S.tensormap [%0]"),
    effect("prefetchu.L1", "prefetchu.L1 [%0]"),
    effect(
        "applypriority[.global].L2.evict.normal",
        "applypriority$1.L2::evict_normal [%0], %1",
    ),
    effect("discard[.global].L2", "discard$1.L2 [%0], %1"),
    effect("ldu.global.{i,f,p}*", "ldu.global.b$T %d, [%0]"),
    effect("st.bulk", "st.bulk [%0], %1, %2"),
    effect("st.bulk.shared.cta", "st.bulk.shared::cta [%0], %1, %2"),
    pure("mapa", "mapa.u64 %d, %0, %1"),
    pure("mapa.shared.cluster", "mapa.shared::cluster.u$T %d, %0, %1"),
    pure("getctarank", "getctarank.u64 %d, %0"),
    pure(
        "getctarank.shared.cluster",
        "getctarank.shared::cluster.u$A %d, %0",
    ),
];
