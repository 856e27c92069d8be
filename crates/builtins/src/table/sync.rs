//! Builtins 1 to 20. Barriers of a block, memory barriers and what clusters have: no operand or one.

use super::row;
use crate::Builtin;
use crate::Category::SyncCluster;
use crate::Source::Reference;

#[rustfmt::skip]
pub(super) static ROWS: [Builtin; 20] = [
    row(1, "__syncthreads", SyncCluster, 0, "void()", Reference),
    row(2, "__nvvm_bar0", SyncCluster, 0, "void()", Reference),
    row(3, "__nvvm_membar_cta", SyncCluster, 0, "void()", Reference),
    row(4, "__nvvm_membar_gl", SyncCluster, 0, "void()", Reference),
    row(5, "__nvvm_membar_sys", SyncCluster, 0, "void()", Reference),
    row(6, "__builtin_is_constant_evaluated", SyncCluster, 0, "bool()", Reference),
    row(7, "__builtin_unreachable", SyncCluster, 0, "void()", Reference),
    row(8, "__nv_clusterDimIsSpecifed_impl", SyncCluster, 90, "u32()", Reference),
    row(9, "__nv_clusterRelativeBlockRank_impl", SyncCluster, 90, "u32()", Reference),
    row(10, "__nv_clusterSizeInBlocks_impl", SyncCluster, 90, "u32()", Reference),
    row(11, "__nv_cluster_barrier_arrive_impl", SyncCluster, 90, "void()", Reference),
    row(12, "__nv_cluster_barrier_wait_impl", SyncCluster, 90, "void()", Reference),
    row(13, "__nv_cluster_barrier_arrive_relaxed_impl", SyncCluster, 90, "void()", Reference),
    row(14, "__nv_threadfence_cluster_impl", SyncCluster, 90, "void()", Reference),
    row(15, "__nvvm_bar0_popc", SyncCluster, 0, "i32(i32)", Reference),
    row(16, "__nvvm_bar0_and", SyncCluster, 0, "i32(i32)", Reference),
    row(17, "__nvvm_bar0_or", SyncCluster, 0, "i32(i32)", Reference),
    row(18, "__nvvm_bar_sync_all", SyncCluster, 0, "void(u32)", Reference),
    row(19, "__nvvm_barrier_sync", SyncCluster, 30, "void(u32)", Reference),
    row(20, "__nvvm_bar_warp_sync", SyncCluster, 30, "void(u32)", Reference),
];
