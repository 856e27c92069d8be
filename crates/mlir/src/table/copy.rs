//! The `nvvm` dialect: copies that run by themselves, and prefetches.

use super::{Row, row};

pub(super) static ROWS: &[Row] = &[
    row(
        "nvvm.cp.async.shared.global",
        "dst src cpSize?",
        "%dst , %src , #size , cache = #modifier <? , %cpSize ?> {} : T*",
        "call llvm.nvvm.cp.async.{modifier=ca:ca,cg:cg}.shared.global.{#size}{cpSize?.s}(dst, src, cpSize?)",
    )
    .attrs("modifier:load_cache_modifier size:number"),
    row(
        "nvvm.cp.async.commit.group",
        "",
        "{}",
        "call llvm.nvvm.cp.async.commit.group()",
    ),
    row(
        "nvvm.cp.async.wait.group",
        "",
        "#n {}",
        "call llvm.nvvm.cp.async.wait.group(i32 #n)",
    )
    .attrs("n:number"),
    row(
        "nvvm.cp.async.bulk.commit.group",
        "",
        "{}",
        "call llvm.nvvm.cp.async.bulk.commit.group()",
    ),
    row(
        "nvvm.cp.async.bulk.wait_group",
        "",
        "#group {}",
        "call llvm.nvvm.cp.async.bulk.wait.group{read?.read}(i32 #group)",
    )
    .attrs("group:number read:flag"),
    row(
        "nvvm.cp.async.bulk.shared.cluster.global",
        "dstMem srcMem mbar size multicastMask? l2CacheHint?",
        "%dstMem , %srcMem , %mbar , %size <? multicast_mask = %multicastMask ?> \
         <? l2_cache_hint = %l2CacheHint ?> {} : T%dstMem , T%srcMem",
        "[~dstMem=p3 multicastMask] refuse copies to one block that go to many || \
         [~dstMem=p3] call llvm.nvvm.cp.async.bulk.global.to.shared.cta\
         (dstMem, mbar, srcMem, size, l2CacheHint|i64 0, i1 ?l2CacheHint) || \
         call llvm.nvvm.cp.async.bulk.global.to.shared.cluster\
         (dstMem, mbar, srcMem, size, multicastMask|i16 0, l2CacheHint|i64 0, i1 ?multicastMask, i1 ?l2CacheHint)",
    ),
    row(
        "nvvm.cp.async.bulk.prefetch",
        "srcMem size l2CacheHint?",
        "%srcMem , %size <? l2_cache_hint = %l2CacheHint ?> {} : T%srcMem",
        "call llvm.nvvm.cp.async.bulk.prefetch.L2(srcMem, size, l2CacheHint|i64 0, i1 ?l2CacheHint)",
    ),
    row(
        "nvvm.cp.async.bulk.global.shared.cta",
        "dstMem srcMem size l2CacheHint? byteMask?",
        "%dstMem , %srcMem , %size <? l2_cache_hint = %l2CacheHint ?> <? byte_mask = %byteMask ?> {} \
         : T%dstMem , T%srcMem",
        "call llvm.nvvm.cp.async.bulk.shared.cta.to.global{byteMask?.bytemask}\
         (dstMem, srcMem, size, l2CacheHint|i64 0, i1 ?l2CacheHint, byteMask?)",
    ),
    row(
        "nvvm.cp.async.bulk.shared.cluster.shared.cta",
        "dstMem srcMem mbar size",
        "%dstMem , %srcMem , %mbar , %size {} : T%dstMem , T%srcMem",
        "call llvm.nvvm.cp.async.bulk.shared.cta.to.cluster(dstMem, mbar, srcMem, size)",
    ),
    // Tensors. `gather4` and `scatter4` name four rows of a tensor of two dimensions.
    row(
        "nvvm.cp.async.bulk.tensor.shared.cluster.global",
        "dstMem tmaDescriptor coordinates* mbar im2colOffsets* multicastMask? l2CacheHint? predicate?",
        "%dstMem , %tmaDescriptor , %mbar , box [ %coordinates ] <? im2col [ %im2colOffsets ] ?> \
         <? multicast_mask = %multicastMask ?> <? l2_cache_hint = %l2CacheHint ?> \
         <? predicate = %predicate ?> {} : T%dstMem , T%tmaDescriptor",
        "[predicate !multicastMask !l2CacheHint !im2colOffsets !isCTAOnly !group mode=/tile ~dstMem=p7] \
         asm @{$predicate} cp.async.bulk.tensor.{#coordinates}d.shared::cluster.global.mbarrier::complete_tx::bytes \
         [$0], [$1, { {$coordinates} }], [{$mbar}];(dstMem, tmaDescriptor, coordinates, mbar, predicate) || \
         [predicate] refuse a predicate together with masks, hints, offsets, groups or modes || \
         [isCTAOnly multicastMask] refuse copies to one block that go to many || \
         [isCTAOnly group] refuse copies to one block that a group of blocks shares || \
         [mode=tile_gather4 im2colOffsets] refuse `tile_gather4` with offsets || \
         [isCTAOnly mode=tile_gather4] call llvm.nvvm.cp.async.bulk.tensor.g2s.cta.tile.gather4.2d\
         (dstMem, mbar, tmaDescriptor, coordinates, l2CacheHint|i64 0, i1 ?l2CacheHint) || \
         [isCTAOnly] call llvm.nvvm.cp.async.bulk.tensor.g2s.cta.\
         {mode=:tile,tile:tile,im2col:im2col,im2col_w:im2col.w,im2col_w_128:im2col.w.128}.{#coordinates}d\
         (dstMem, mbar, tmaDescriptor, coordinates, im2colOffsets, l2CacheHint|i64 0, i1 ?l2CacheHint) || \
         [mode=tile_gather4] call llvm.nvvm.cp.async.bulk.tensor.g2s.tile.gather4.2d\
         (dstMem, mbar, tmaDescriptor, coordinates, multicastMask|i16 0, l2CacheHint|i64 0, i1 ?multicastMask, \
         i1 ?l2CacheHint, i32 =group=:0,cta_1:1,cta_2:2) || \
         call llvm.nvvm.cp.async.bulk.tensor.g2s.\
         {mode=:tile,tile:tile,im2col:im2col,im2col_w:im2col.w,im2col_w_128:im2col.w.128}.{#coordinates}d\
         (dstMem, mbar, tmaDescriptor, coordinates, im2colOffsets, multicastMask|i16 0, l2CacheHint|i64 0, \
         i1 ?multicastMask, i1 ?l2CacheHint, i32 =group=:0,cta_1:1,cta_2:2)",
    )
    .attrs("group:cta_group isCTAOnly:flag mode:tma_load_mode"),
    row(
        "nvvm.cp.async.bulk.tensor.prefetch",
        "tmaDescriptor coordinates* im2colOffsets* l2CacheHint?",
        "%tmaDescriptor , box [ %coordinates ] <? im2col [ %im2colOffsets ] ?> \
         <? l2_cache_hint = %l2CacheHint ?> {} : T%tmaDescriptor",
        "[mode=tile_gather4 im2colOffsets] refuse `tile_gather4` with offsets || \
         [mode=tile_gather4] call llvm.nvvm.cp.async.bulk.tensor.prefetch.tile.gather4.2d\
         (tmaDescriptor, coordinates, l2CacheHint|i64 0, i1 ?l2CacheHint) || \
         call llvm.nvvm.cp.async.bulk.tensor.prefetch.\
         {mode=:tile,tile:tile,im2col:im2col,im2col_w:im2col.w,im2col_w_128:im2col.w.128}.{#coordinates}d\
         (tmaDescriptor, coordinates, im2colOffsets, l2CacheHint|i64 0, i1 ?l2CacheHint)",
    )
    .attrs("mode:tma_load_mode"),
    row(
        "nvvm.cp.async.bulk.tensor.reduce",
        "tmaDescriptor srcMem coordinates* l2CacheHint?",
        "%tmaDescriptor , %srcMem , box [ %coordinates ] <? l2_cache_hint = %l2CacheHint ?> {} \
         : T%tmaDescriptor , T%srcMem",
        "call llvm.nvvm.cp.async.bulk.tensor.reduce.{redKind}.{mode=:tile,tile:tile,im2col:im2col}.{#coordinates}d\
         (srcMem, tmaDescriptor, coordinates, l2CacheHint|i64 0, i1 ?l2CacheHint)",
    )
    .attrs("mode:tma_store_mode redKind:tma_redux_kind"),
    row(
        "nvvm.cp.async.bulk.tensor.global.shared.cta",
        "tmaDescriptor srcMem coordinates* l2CacheHint? predicate?",
        "%tmaDescriptor , %srcMem , box [ %coordinates ] <? l2_cache_hint = %l2CacheHint ?> \
         <? , predicate = %predicate ?> {} : T%tmaDescriptor , T%srcMem",
        "[predicate !l2CacheHint mode=/tile] asm @{$predicate} cp.async.bulk.tensor.{#coordinates}d.global.shared::cta.bulk_group \
         [$0, { {$coordinates} }], [$1];(tmaDescriptor, srcMem, coordinates, predicate) || \
         [predicate] refuse a predicate together with a hint or a mode || \
         [mode=tile_scatter4] call llvm.nvvm.cp.async.bulk.tensor.s2g.tile.scatter4.2d\
         (srcMem, tmaDescriptor, coordinates, l2CacheHint|i64 0, i1 ?l2CacheHint) || \
         call llvm.nvvm.cp.async.bulk.tensor.s2g.{mode=:tile,tile:tile,im2col:im2col}.{#coordinates}d\
         (srcMem, tmaDescriptor, coordinates, l2CacheHint|i64 0, i1 ?l2CacheHint)",
    )
    .attrs("mode:tma_store_mode"),
    row(
        "nvvm.st.bulk",
        "addr size",
        "%addr , size = %size <? , init = #initVal ?> {} : T%addr",
        "call llvm.nvvm.st.bulk{~addr=p3:.shared.cta,p0:}(addr, size, i64 #initVal|0)",
    )
    .attrs("initVal:number"),
    row(
        "nvvm.prefetch",
        "addr predicate?",
        "<? level = #cacheLevel <? uniform !uniform ?> , ?> \
         <? tensormap !tensormap <? in_param_space !in_param_space ?> , ?> \
         <? evict_priority = #evictPriority , ?> %addr <? , predicate = %predicate ?> {} : T*",
        "[tensormap cacheLevel] refuse `tensormap` together with a level || \
         [tensormap evictPriority] refuse `tensormap` together with a priority || \
         [tensormap uniform] refuse `tensormap` together with `uniform` || \
         [uniform evictPriority] refuse `uniform` together with a priority || \
         [in_param_space !tensormap] refuse `in_param_space` without `tensormap` || \
         [in_param_space predicate] refuse `in_param_space` together with a predicate || \
         [in_param_space] call llvm.nvvm.prefetch.tensormap.p101(addr>p101) || \
         [predicate tensormap] asm @$1 prefetch.tensormap [$0];(addr, predicate) || \
         [predicate uniform] asm @$1 prefetchu.{cacheLevel} [$0];(addr, predicate) || \
         [predicate !evictPriority] asm @$1 prefetch{~addr=p0:,p1:.global,p5:.local}.{cacheLevel} [$0];(addr, predicate) || \
         [predicate] asm @$1 prefetch{~addr=p1:.global}.{cacheLevel}::{evictPriority} [$0];(addr, predicate) || \
         [tensormap] call llvm.nvvm.prefetch.tensormap.{~addr}(addr) || \
         [uniform] call llvm.nvvm.prefetchu.{cacheLevel}(addr) || \
         call llvm.nvvm.prefetch{~addr=p0:,p1:.global,p5:.local}.{cacheLevel}\
         {evictPriority=:,evict_last:.evict.last,evict_normal:.evict.normal}(addr)",
    )
    .attrs(
        "cacheLevel:prefetch_cache_level evictPriority:cache_eviction_priority in_param_space:flag \
         tensormap:flag uniform:flag",
    ),
];
