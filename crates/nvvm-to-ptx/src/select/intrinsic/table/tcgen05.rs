//! The fifth generation of tensor cores: `tcgen05`.

use crate::select::intrinsic::row::{Row, effect};

pub(in crate::select::intrinsic) static ROWS: &[Row] = &[
    effect(
        "tcgen05.alloc{.shared:.shared::cta,}.cg{1,2}",
        "tcgen05.alloc.cta_group::$2.sync.aligned$1.b32 [%0], %1",
    ),
    effect(
        "tcgen05.dealloc.cg{1,2}",
        "tcgen05.dealloc.cta_group::$1.sync.aligned.b32 %0, %1",
    ),
    effect(
        "tcgen05.relinq.alloc.permit.cg{1,2}",
        "tcgen05.relinquish_alloc_permit.cta_group::$1.sync.aligned",
    ),
    effect(
        "tcgen05.commit{.shared,}.cg{1,2}",
        "tcgen05.commit.cta_group::$2.mbarrier::arrive::one.shared::cluster.b64 [%0]",
    ),
    effect(
        "tcgen05.commit.mc{.shared,}.cg{1,2}",
        "tcgen05.commit.cta_group::$2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%0], %1",
    ),
    effect(
        "tcgen05.fence.{before,after}.thread.sync",
        "tcgen05.fence::$1_thread_sync",
    ),
    effect("tcgen05.wait.{ld,st}", "tcgen05.wait::$1.sync.aligned"),
    effect(
        "tcgen05.shift.down.cg{1,2}",
        "tcgen05.shift.cta_group::$1.down [%0]",
    ),
    effect(
        "tcgen05.cp.{128x256b,4x256b,128x128b,64x128b_warpx2_02_13:64x128b.warpx2::02_13,\
         64x128b_warpx2_01_23:64x128b.warpx2::01_23,32x128b_warpx4:32x128b.warpx4}\
         {.b6x16_p32:.b8x16.b6x16_p32,.b4x16_p64:.b8x16.b4x16_p64,}.cg{1,2}",
        "tcgen05.cp.cta_group::$3.$1$2 [%0], %1",
    ),
    effect(
        "tcgen05.ld.{16x64b,16x128b,16x256b,32x32b}.{x128,x64,x32,x16,x8,x4,x2,x1}",
        "tcgen05.ld.sync.aligned.$1.$2(?1:.pack::16b).b32 {%d}, [%0]",
    ),
    effect(
        "tcgen05.ld.16x32bx2.{x128,x64,x32,x16,x8,x4,x2,x1}",
        "tcgen05.ld.sync.aligned.16x32bx2.$1(?2:.pack::16b).b32 {%d}, [%0], %1",
    ),
    effect(
        "tcgen05.st.{16x64b,16x128b,16x256b,32x32b}.{x128,x64,x32,x16,x8,x4,x2,x1}",
        "tcgen05.st.sync.aligned.$1.$2(?2:.unpack::16b).b32 [%0], {%1}",
    ),
    effect(
        "tcgen05.st.16x32bx2.{x128,x64,x32,x16,x8,x4,x2,x1}",
        "tcgen05.st.sync.aligned.16x32bx2.$1(?3:.unpack::16b).b32 [%0], %1, {%2}",
    ),
    // Products. Arguments: result, A, B, instruction descriptor, whether the result is added to, then what the
    // name says: metadata, scale of the result, disabled lanes, mask; at the end kind, group, use of collectors.
    effect(
        "tcgen05.mma.shared",
        "tcgen05.mma(=6:1=.cta_group::1,2=.cta_group::2)(=5:0=.kind::f16,1=.kind::tf32,2=.kind::f8f6f4,3=.kind::i8).collector::a::(=7:0=discard,1=lastuse,2=fill,3=use) [%0], %1, %2, %3, %4",
    ),
    effect(
        "tcgen05.mma.shared.disable_output_lane.cg{1,2}",
        "tcgen05.mma.cta_group::$1(=6:0=.kind::f16,1=.kind::tf32,2=.kind::f8f6f4,3=.kind::i8).collector::a::(=7:0=discard,1=lastuse,2=fill,3=use) [%0], %1, %2, %3, {%5}, %4",
    ),
    effect(
        "tcgen05.mma.shared.scale_d",
        "tcgen05.mma(=7:1=.cta_group::1,2=.cta_group::2)(=6:0=.kind::f16,1=.kind::tf32,2=.kind::f8f6f4,3=.kind::i8).collector::a::(=8:0=discard,1=lastuse,2=fill,3=use) [%0], %1, %2, %3, %4, %5",
    ),
    effect(
        "tcgen05.mma.shared.scale_d.disable_output_lane.cg{1,2}",
        "tcgen05.mma.cta_group::$1(=7:0=.kind::f16,1=.kind::tf32,2=.kind::f8f6f4,3=.kind::i8).collector::a::(=8:0=discard,1=lastuse,2=fill,3=use) [%0], %1, %2, %3, {%6}, %4, %5",
    ),
    effect(
        "tcgen05.mma.shared.{mxf8f6f4,mxf4,mxf4nvf4}.block_scale{.block16,.block32,}",
        "tcgen05.mma(=7:1=.cta_group::1,2=.cta_group::2).kind::$1.block_scale$2.collector::a::(=8:0=discard,1=lastuse,2=fill,3=use) [%0], %1, %2, %3, [%5], [%6], %4",
    ),
    effect(
        "tcgen05.mma.ws.shared",
        "tcgen05.mma.ws.cta_group::1(=5:0=.kind::f16,1=.kind::tf32,2=.kind::f8f6f4,3=.kind::i8).collector::b(=6:0=0,1=1,2=2,3=3)::(=7:0=discard,1=lastuse,2=fill,3=use) [%0], %1, %2, %3, %4",
    ),
    effect(
        "tcgen05.mma.ws.shared.zero_col_mask",
        "tcgen05.mma.ws.cta_group::1(=6:0=.kind::f16,1=.kind::tf32,2=.kind::f8f6f4,3=.kind::i8).collector::b(=7:0=0,1=1,2=2,3=3)::(=8:0=discard,1=lastuse,2=fill,3=use) [%0], %1, %2, %3, %4, %5",
    ),
    effect(
        "tcgen05.mma.tensor{.ashift,}",
        "tcgen05.mma(=6:1=.cta_group::1,2=.cta_group::2)(=5:0=.kind::f16,1=.kind::tf32,2=.kind::f8f6f4,3=.kind::i8)$1.collector::a::(=7:0=discard,1=lastuse,2=fill,3=use) [%0], [%1], %2, %3, %4",
    ),
    effect(
        "tcgen05.mma.tensor.disable_output_lane.cg{1,2}{.ashift,}",
        "tcgen05.mma.cta_group::$1(=6:0=.kind::f16,1=.kind::tf32,2=.kind::f8f6f4,3=.kind::i8)$2.collector::a::(=7:0=discard,1=lastuse,2=fill,3=use) [%0], [%1], %2, %3, {%5}, %4",
    ),
    effect(
        "tcgen05.mma.tensor.scale_d{.ashift,}",
        "tcgen05.mma(=7:1=.cta_group::1,2=.cta_group::2)(=6:0=.kind::f16,1=.kind::tf32,2=.kind::f8f6f4,3=.kind::i8)$1.collector::a::(=8:0=discard,1=lastuse,2=fill,3=use) [%0], [%1], %2, %3, %4, %5",
    ),
    effect(
        "tcgen05.mma.tensor.scale_d.disable_output_lane.cg{1,2}{.ashift,}",
        "tcgen05.mma.cta_group::$1(=7:0=.kind::f16,1=.kind::tf32,2=.kind::f8f6f4,3=.kind::i8)$2.collector::a::(=8:0=discard,1=lastuse,2=fill,3=use) [%0], [%1], %2, %3, {%6}, %4, %5",
    ),
    effect(
        "tcgen05.mma.tensor.{mxf8f6f4,mxf4,mxf4nvf4}.block_scale{.block16,.block32,}",
        "tcgen05.mma(=7:1=.cta_group::1,2=.cta_group::2).kind::$1.block_scale$2.collector::a::(=8:0=discard,1=lastuse,2=fill,3=use) [%0], [%1], %2, %3, [%5], [%6], %4",
    ),
    effect(
        "tcgen05.mma.ws.tensor",
        "tcgen05.mma.ws.cta_group::1(=5:0=.kind::f16,1=.kind::tf32,2=.kind::f8f6f4,3=.kind::i8).collector::b(=6:0=0,1=1,2=2,3=3)::(=7:0=discard,1=lastuse,2=fill,3=use) [%0], [%1], %2, %3, %4",
    ),
    effect(
        "tcgen05.mma.ws.tensor.zero_col_mask",
        "tcgen05.mma.ws.cta_group::1(=6:0=.kind::f16,1=.kind::tf32,2=.kind::f8f6f4,3=.kind::i8).collector::b(=7:0=0,1=1,2=2,3=3)::(=8:0=discard,1=lastuse,2=fill,3=use) [%0], [%1], %2, %3, %4, %5",
    ),
    effect(
        "tcgen05.mma.sp.shared",
        "tcgen05.mma.sp(=7:1=.cta_group::1,2=.cta_group::2)(=6:0=.kind::f16,1=.kind::tf32,2=.kind::f8f6f4,3=.kind::i8).collector::a::(=8:0=discard,1=lastuse,2=fill,3=use) [%0], %1, %2, [%5], %3, %4",
    ),
    effect(
        "tcgen05.mma.sp.shared.disable_output_lane.cg{1,2}",
        "tcgen05.mma.sp.cta_group::$1(=7:0=.kind::f16,1=.kind::tf32,2=.kind::f8f6f4,3=.kind::i8).collector::a::(=8:0=discard,1=lastuse,2=fill,3=use) [%0], %1, %2, [%5], %3, {%6}, %4",
    ),
    effect(
        "tcgen05.mma.sp.shared.scale_d",
        "tcgen05.mma.sp(=8:1=.cta_group::1,2=.cta_group::2)(=7:0=.kind::f16,1=.kind::tf32,2=.kind::f8f6f4,3=.kind::i8).collector::a::(=9:0=discard,1=lastuse,2=fill,3=use) [%0], %1, %2, [%5], %3, %4, %6",
    ),
    effect(
        "tcgen05.mma.sp.shared.scale_d.disable_output_lane.cg{1,2}",
        "tcgen05.mma.sp.cta_group::$1(=8:0=.kind::f16,1=.kind::tf32,2=.kind::f8f6f4,3=.kind::i8).collector::a::(=9:0=discard,1=lastuse,2=fill,3=use) [%0], %1, %2, [%5], %3, {%7}, %4, %6",
    ),
    effect(
        "tcgen05.mma.sp.shared.{mxf8f6f4,mxf4,mxf4nvf4}.block_scale{.block16,.block32,}",
        "tcgen05.mma.sp(=8:1=.cta_group::1,2=.cta_group::2).kind::$1.block_scale$2.collector::a::(=9:0=discard,1=lastuse,2=fill,3=use) [%0], %1, %2, [%5], %3, [%6], [%7], %4",
    ),
    effect(
        "tcgen05.mma.ws.sp.shared",
        "tcgen05.mma.ws.sp.cta_group::1(=6:0=.kind::f16,1=.kind::tf32,2=.kind::f8f6f4,3=.kind::i8).collector::b(=7:0=0,1=1,2=2,3=3)::(=8:0=discard,1=lastuse,2=fill,3=use) [%0], %1, %2, [%5], %3, %4",
    ),
    effect(
        "tcgen05.mma.ws.sp.shared.zero_col_mask",
        "tcgen05.mma.ws.sp.cta_group::1(=7:0=.kind::f16,1=.kind::tf32,2=.kind::f8f6f4,3=.kind::i8).collector::b(=8:0=0,1=1,2=2,3=3)::(=9:0=discard,1=lastuse,2=fill,3=use) [%0], %1, %2, [%5], %3, %4, %6",
    ),
    effect(
        "tcgen05.mma.sp.tensor{.ashift,}",
        "tcgen05.mma.sp(=7:1=.cta_group::1,2=.cta_group::2)(=6:0=.kind::f16,1=.kind::tf32,2=.kind::f8f6f4,3=.kind::i8)$1.collector::a::(=8:0=discard,1=lastuse,2=fill,3=use) [%0], [%1], %2, [%5], %3, %4",
    ),
    effect(
        "tcgen05.mma.sp.tensor.disable_output_lane.cg{1,2}{.ashift,}",
        "tcgen05.mma.sp.cta_group::$1(=7:0=.kind::f16,1=.kind::tf32,2=.kind::f8f6f4,3=.kind::i8)$2.collector::a::(=8:0=discard,1=lastuse,2=fill,3=use) [%0], [%1], %2, [%5], %3, {%6}, %4",
    ),
    effect(
        "tcgen05.mma.sp.tensor.scale_d{.ashift,}",
        "tcgen05.mma.sp(=8:1=.cta_group::1,2=.cta_group::2)(=7:0=.kind::f16,1=.kind::tf32,2=.kind::f8f6f4,3=.kind::i8)$1.collector::a::(=9:0=discard,1=lastuse,2=fill,3=use) [%0], [%1], %2, [%5], %3, %4, %6",
    ),
    effect(
        "tcgen05.mma.sp.tensor.scale_d.disable_output_lane.cg{1,2}{.ashift,}",
        "tcgen05.mma.sp.cta_group::$1(=8:0=.kind::f16,1=.kind::tf32,2=.kind::f8f6f4,3=.kind::i8)$2.collector::a::(=9:0=discard,1=lastuse,2=fill,3=use) [%0], [%1], %2, [%5], %3, {%7}, %4, %6",
    ),
    effect(
        "tcgen05.mma.sp.tensor.{mxf8f6f4,mxf4,mxf4nvf4}.block_scale{.block16,.block32,}",
        "tcgen05.mma.sp(=8:1=.cta_group::1,2=.cta_group::2).kind::$1.block_scale$2.collector::a::(=9:0=discard,1=lastuse,2=fill,3=use) [%0], [%1], %2, [%5], %3, [%6], [%7], %4",
    ),
    effect(
        "tcgen05.mma.ws.sp.tensor",
        "tcgen05.mma.ws.sp.cta_group::1(=6:0=.kind::f16,1=.kind::tf32,2=.kind::f8f6f4,3=.kind::i8).collector::b(=7:0=0,1=1,2=2,3=3)::(=8:0=discard,1=lastuse,2=fill,3=use) [%0], [%1], %2, [%5], %3, %4",
    ),
    effect(
        "tcgen05.mma.ws.sp.tensor.zero_col_mask",
        "tcgen05.mma.ws.sp.cta_group::1(=7:0=.kind::f16,1=.kind::tf32,2=.kind::f8f6f4,3=.kind::i8).collector::b(=8:0=0,1=1,2=2,3=3)::(=9:0=discard,1=lastuse,2=fill,3=use) [%0], [%1], %2, [%5], %3, %4, %6",
    ),
];
