//! Builtins 185 to 206. Questions about addresses, byte order, and ways between address spaces.

use super::row;
use crate::Builtin;
use crate::Category::{Addrspace, Unlisted};
use crate::Source::{Headers, Page, Reference};

#[rustfmt::skip]
pub(super) static ROWS: [Builtin; 22] = [
    row(185, "__nv_isGlobal_impl", Addrspace, 0, "u32(const void*)", Reference),
    row(186, "__nv_bswap16_impl", Addrspace, 0, "u16(u16)", Reference),
    row(187, "__nv_bswap32_impl", Addrspace, 0, "u32(u32)", Reference),
    row(188, "__nv_bswap64_impl", Addrspace, 0, "u64(u64)", Reference),
    row(189, "__nv_isShared_impl", Addrspace, 0, "u32(const void*)", Reference),
    row(190, "__nv_isConstant_impl", Addrspace, 0, "u32(const void*)", Reference),
    row(191, "__nv_isLocal_impl", Addrspace, 0, "u32(const void*)", Reference),
    row(192, "__nv_isGridConstant_impl", Addrspace, 70, "u32(const void*)", Reference),
    row(193, "__nv_cvta_generic_to_global_impl", Addrspace, 0, "u64(const void*)", Reference),
    row(194, "__nv_cvta_generic_to_shared_impl", Addrspace, 0, "u64(const void*)", Reference),
    row(195, "__nv_cvta_generic_to_constant_impl", Addrspace, 0, "u64(const void*)", Reference),
    row(196, "__nv_cvta_generic_to_local_impl", Addrspace, 0, "u64(const void*)", Reference),
    row(197, "__nv_cvta_global_to_generic_impl", Addrspace, 0, "void*(u64)", Headers),
    row(198, "__nv_cvta_shared_to_generic_impl", Addrspace, 0, "void*(u64)", Headers),
    row(199, "__nv_cvta_constant_to_generic_impl", Addrspace, 0, "void*(u64)", Headers),
    row(200, "__nv_cvta_local_to_generic_impl", Addrspace, 0, "void*(u64)", Headers),
    row(201, "__builtin_assume", Addrspace, 0, "void(bool)", Reference),
    row(202, "__nv_isClusterShared_impl", Addrspace, 90, "u32(const void*)", Reference),
    row(203, "__nv_cluster_query_shared_rank_impl", Addrspace, 90, "u32(const void*)", Reference),
    row(204, "__nv_associate_access_property_impl", Addrspace, 80, "void*(const void*,u64)", Reference),
    row(205, "__nvvm_bar_sync_all_cnt", Unlisted, 0, "void(u32,u32)", Page("barriers")),
    row(206, "__nvvm_barrier_sync_cnt", Unlisted, 30, "void(u32,u32)", Page("barriers")),
];
