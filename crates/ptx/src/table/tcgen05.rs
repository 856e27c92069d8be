//! Tensor memory and products by one thread of a CTA or a pair of them: `tcgen05`.
//!
//! Tensor memory has addresses of its own, 32 bits wide. Loads and stores give each lane of a warp
//! a fixed number of registers for a shape, `.num` times over. A of a product lies after a
//! descriptor of shared memory or in tensor memory; B after a descriptor; D in tensor memory.
//!
//! The feature belongs to the families of sm_100 and sm_101 (now sm_110), but parts of it only to
//! single chips: integer products, `.shift`, sparse 4-bit products, scale factors counted by
//! `.scale_vec` (the same sizes written as `.block16` and `.block32` are everywhere), `.ld.red`.

use super::fragment::expect_registers;
use super::gates::{ALWAYS, v};
use super::tensor_copy::FAMILY_107;
use crate::inst::Choice;
use crate::row::{Effects, Row, Set, form, set};
use crate::rule::{RuleView, Violation};
use warpc_target::{Gate, arch, at_least, family};

const WARP: Effects = Effects::SYNC.union(Effects::CONVERGENT);
const LOAD: Effects = WARP.union(Effects::READ);
const STORE: Effects = WARP.union(Effects::WRITE);
const MMA: Effects = Effects::READ.union(Effects::WRITE);
const COMMIT: Effects = Effects::SYNC.union(Effects::WRITE);

const TCGEN05: Gate = Gate(&[
    arch(100, v(8, 6)),
    family(100, v(8, 8)),
    arch(101, v(8, 6)),
    family(101, v(8, 8)),
]);
/// Reductions while loading: not sm_100 itself.
const LOAD_RED: Gate = Gate(&[family(103, v(8, 8)), family(101, v(8, 8))]);
/// What the `a` targets have and the `f` targets have not.
const ARCH: Gate = Gate(&[
    arch(100, v(8, 6)),
    arch(101, v(8, 6)),
    arch(103, v(8, 8)),
    arch(107, v(9, 4)),
    arch(110, v(9, 0)),
]);
const ARCH_NVF4: Gate = Gate(&[
    arch(100, v(8, 7)),
    arch(101, v(8, 7)),
    arch(103, v(8, 8)),
    arch(107, v(9, 4)),
    arch(110, v(9, 0)),
]);
const SPARSE_MXF4: Gate = Gate(&[
    arch(100, v(8, 6)),
    arch(101, v(8, 8)),
    arch(103, v(8, 8)),
    arch(107, v(9, 4)),
    arch(110, v(9, 0)),
]);
/// Integer products: sm_100 and sm_101 (sm_110) alone.
const INTEGER: Gate = Gate(&[arch(100, v(8, 6)), arch(101, v(8, 6)), arch(110, v(9, 0))]);
/// A factor on the sum: not sm_101 (sm_110).
const SCALED_SUM: Gate = Gate(&[arch(100, v(8, 6)), family(100, v(8, 8))]);
const BLOCK: Gate = Gate(&[at_least(100, v(8, 8))]);

const CTA_GROUP: Set = set("cta_group", &[(".cta_group::1 .cta_group::2", ALWAYS)]);
const EXCLUSIVE: Set = set(
    "exclusive",
    &[(
        ".exclusive",
        Gate(&[family(100, v(9, 4)), family(101, v(9, 4))]),
    )],
);
/// Only what products read from shared memory as A is waited for.
const RESTRICT: Set = set(
    "sync_restrict",
    &[(".sync_restrict::shared::read::mma::a", FAMILY_107)],
);
const SS: Set = set("ss", &[(".shared::cta", ALWAYS)]);
const COMMIT_SS: Set = set("ss", &[(".shared::cluster", ALWAYS)]);
const SHAPE: Set = set("shape", &[(".16x64b .16x128b .16x256b .32x32b", ALWAYS)]);
const SPLIT_SHAPE: Set = set("shape", &[(".16x32bx2", ALWAYS)]);
const LANE_SHAPE: Set = set("shape", &[(".32x32b", ALWAYS)]);
const NUM: Set = set("num", &[(".x1 .x2 .x4 .x8 .x16 .x32 .x64 .x128", ALWAYS)]);
const COMPRESSED_NUM: Set = set("num", &[(".x4 .x8 .x16 .x32 .x64 .x128", ALWAYS)]);
const RED_NUM: Set = set("num", &[(".x2 .x4 .x8 .x16 .x32 .x64 .x128", ALWAYS)]);
const RED_OP: Set = set("redOp", &[(".min .max", ALWAYS)]);
const RED_TYPE: Set = set("type", &[(".u32 .s32", ALWAYS)]);
const SRC_FMT: Set = set("src_fmt", &[(".b6x16_p32 .b4x16_p64", ALWAYS)]);

const KIND: Set = set(
    "kind",
    &[
        (".kind::f16 .kind::tf32 .kind::f8f6f4", ALWAYS),
        (".kind::i8", INTEGER),
    ],
);
const KIND_SCALED_SUM: Set = set("kind", &[(".kind::f16 .kind::tf32", ALWAYS)]);
const SIZE_MXF8F6F4: Set = set(
    "scale_vectorsize",
    &[(".scale_vec::1X", ARCH), (".block32", BLOCK)],
);
const SIZE_MXF4: Set = set(
    "scale_vectorsize",
    &[(".scale_vec::2X", ARCH), (".block32", BLOCK)],
);
const SIZE_MXF4NVF4: Set = set(
    "scale_vectorsize",
    &[
        (".scale_vec::2X .scale_vec::4X", ARCH_NVF4),
        (".block16 .block32", BLOCK),
    ],
);
const COLLECTOR_A: Set = set(
    "collector_usage",
    &[(
        ".collector::a::fill .collector::a::use .collector::a::lastuse .collector::a::discard",
        ALWAYS,
    )],
);
const COLLECTOR_B: Set = set(
    "collector_usage",
    &[(
        ".collector::b0::fill .collector::b0::use .collector::b0::lastuse .collector::b0::discard \
         .collector::b1::fill .collector::b1::use .collector::b1::lastuse .collector::b1::discard \
         .collector::b2::fill .collector::b2::use .collector::b2::lastuse .collector::b2::discard \
         .collector::b3::fill .collector::b3::use .collector::b3::lastuse .collector::b3::discard",
        ALWAYS,
    )],
);

/// The section's forms.
pub static ROWS: &[Row] = &[
    form(
        "tcgen05.alloc{.exclusive}.cta_group.sync.aligned{.ss}.b32  [dst], nCols",
        &[EXCLUSIVE, CTA_GROUP, SS],
    )
    .operands("dst:<addr nCols:u32")
    .words(1)
    .since(TCGEN05)
    .rule(columns)
    .effects(STORE.union(Effects::OBSERVABLE)),
    form(
        "tcgen05.dealloc{.exclusive}.cta_group.sync.aligned.b32  taddr, nCols",
        &[EXCLUSIVE, CTA_GROUP],
    )
    .operands("taddr:u32 nCols:u32")
    .words(1)
    .since(TCGEN05)
    .rule(columns)
    .effects(WARP.union(Effects::OBSERVABLE)),
    form(
        "tcgen05.relinquish_alloc_permit.cta_group.sync.aligned",
        &[CTA_GROUP],
    )
    .words(1)
    .since(TCGEN05)
    .effects(WARP.union(Effects::OBSERVABLE)),
    form(
        "tcgen05.ld.sync.aligned.shape.num{.pack::16b}.b32  r, [taddr]",
        &[SHAPE, NUM],
    )
    .operands("r=frag.b32*? taddr:addr.tmem")
    .words(1)
    .since(TCGEN05)
    .rule(count)
    .effects(LOAD),
    form(
        "tcgen05.ld.sync.aligned.shape.num{.pack::16b}.b32  r, [taddr], immHalfSplitoff",
        &[SPLIT_SHAPE, NUM],
    )
    .operands("r=frag.b32*? taddr:addr.tmem immHalfSplitoff:#u32")
    .words(1)
    .since(TCGEN05)
    .rule(count)
    .effects(LOAD),
    form(
        "tcgen05.ld.red.sync.aligned.shape.num.redOp{.abs}{.NaN}.f32  r, redval, [taddr]",
        &[LANE_SHAPE, RED_NUM, RED_OP],
    )
    .operands("r=frag.b32*? redval=b32 taddr:addr.tmem")
    .words(2)
    .since(LOAD_RED)
    .rule(count)
    .effects(LOAD),
    form(
        "tcgen05.ld.red.sync.aligned.shape.num.redOp{.abs}{.NaN}.f32  r, redval, [taddr], immHalfSplitoff",
        &[SPLIT_SHAPE, RED_NUM, RED_OP],
    )
    .operands("r=frag.b32*? redval=b32 taddr:addr.tmem immHalfSplitoff:#u32")
    .words(2)
    .since(LOAD_RED)
    .rule(count)
    .effects(LOAD),
    form(
        "tcgen05.ld.red.sync.aligned.shape.num.redOp.type  r, redval, [taddr]",
        &[LANE_SHAPE, RED_NUM, RED_OP, RED_TYPE],
    )
    .operands("r=frag.b32*? redval=b32 taddr:addr.tmem")
    .words(2)
    .since(LOAD_RED)
    .rule(count)
    .effects(LOAD),
    form(
        "tcgen05.ld.red.sync.aligned.shape.num.redOp.type  r, redval, [taddr], immHalfSplitoff",
        &[SPLIT_SHAPE, RED_NUM, RED_OP, RED_TYPE],
    )
    .operands("r=frag.b32*? redval=b32 taddr:addr.tmem immHalfSplitoff:#u32")
    .words(2)
    .since(LOAD_RED)
    .rule(count)
    .effects(LOAD),
    // Two of each four elements are kept, with two bits each that say which.
    form(
        "tcgen05.ld.red.spcompress.sync.aligned.shape.num.redOp.sp::2:4{.abs}{.NaN}.f32.b2  m, r, redval, [taddr]",
        &[LANE_SHAPE, COMPRESSED_NUM, RED_OP],
    )
    .operands("m=frag.b32*? r=frag.b32*? redval=b32 taddr:addr.tmem")
    .words(3)
    .since(Gate(&[arch(107, v(9, 4))]))
    .rule(compressed)
    .effects(LOAD),
    form(
        "tcgen05.st.sync.aligned.shape.num{.unpack::16b}.b32  [taddr], r",
        &[SHAPE, NUM],
    )
    .operands("taddr:addr.tmem r:frag.b32*?")
    .words(1)
    .since(TCGEN05)
    .rule(count)
    .effects(STORE),
    form(
        "tcgen05.st.sync.aligned.shape.num{.unpack::16b}.b32  [taddr], immHalfSplitoff, r",
        &[SPLIT_SHAPE, NUM],
    )
    .operands("taddr:addr.tmem immHalfSplitoff:#u32 r:frag.b32*?")
    .words(1)
    .since(TCGEN05)
    .rule(count)
    .effects(STORE),
    form("tcgen05.wait::ld.sync.aligned", &[])
        .words(1)
        .since(TCGEN05)
        .effects(WARP),
    form("tcgen05.wait::st.sync.aligned", &[])
        .words(1)
        .since(TCGEN05)
        .effects(WARP),
    form(
        "tcgen05.cp.cta_group.shape{.b8x16.src_fmt}  [taddr], s_desc",
        &[
            CTA_GROUP,
            set("shape", &[(".128x256b .4x256b .128x128b", ALWAYS)]),
            SRC_FMT,
        ],
    )
    .operands("taddr:addr.tmem s_desc:u64")
    .words(1)
    .since(TCGEN05)
    .effects(MMA),
    form(
        "tcgen05.cp.cta_group.64x128b.multicast{.b8x16.src_fmt}  [taddr], s_desc",
        &[
            CTA_GROUP,
            set("multicast", &[(".warpx2::02_13 .warpx2::01_23", ALWAYS)]),
            SRC_FMT,
        ],
    )
    .operands("taddr:addr.tmem s_desc:u64")
    .words(1)
    .since(TCGEN05)
    .effects(MMA),
    form(
        "tcgen05.cp.cta_group.32x128b.warpx4{.b8x16.src_fmt}  [taddr], s_desc",
        &[CTA_GROUP, SRC_FMT],
    )
    .operands("taddr:addr.tmem s_desc:u64")
    .words(1)
    .since(TCGEN05)
    .effects(MMA),
    form("tcgen05.shift.cta_group.down  [taddr]", &[CTA_GROUP])
        .operands("taddr:addr.tmem")
        .words(1)
        .since(ARCH)
        .effects(MMA),
    // Products.
    form(
        "tcgen05.mma.cta_group.kind{.collector_usage}  [d_tmem], a_desc, b_desc, idesc{, disable_output_lane}, enable_input_d",
        &[CTA_GROUP, KIND, COLLECTOR_A],
    )
    .operands("d_tmem:^addr.tmem a_desc:u64 b_desc:u64 idesc:u32 disable_output_lane:frag.b32*? enable_input_d:!pred")
    .words(1)
    .since(TCGEN05)
    .rule(lanes)
    .effects(MMA),
    form(
        "tcgen05.mma.cta_group.kind{.collector_usage}  [d_tmem], a_desc, b_desc, idesc{, disable_output_lane}, enable_input_d, scale_input_d",
        &[CTA_GROUP, KIND_SCALED_SUM, COLLECTOR_A],
    )
    .operands("d_tmem:^addr.tmem a_desc:u64 b_desc:u64 idesc:u32 disable_output_lane:frag.b32*? enable_input_d:!pred scale_input_d:#u32(0..15)")
    .words(1)
    .since(SCALED_SUM)
    .rule(lanes)
    .effects(MMA),
    form(
        "tcgen05.mma.cta_group.kind{.ashift}{.collector_usage}  [d_tmem], [a_tmem], b_desc, idesc{, disable_output_lane}, enable_input_d",
        &[CTA_GROUP, KIND, COLLECTOR_A],
    )
    .operands("d_tmem:^addr.tmem a_tmem:^addr.tmem b_desc:u64 idesc:u32 disable_output_lane:frag.b32*? enable_input_d:!pred")
    .words(1)
    .since(TCGEN05)
    .only(shifted)
    .rule(lanes)
    .effects(MMA),
    form(
        "tcgen05.mma.cta_group.kind{.ashift}{.collector_usage}  [d_tmem], [a_tmem], b_desc, idesc{, disable_output_lane}, enable_input_d, scale_input_d",
        &[CTA_GROUP, KIND_SCALED_SUM, COLLECTOR_A],
    )
    .operands("d_tmem:^addr.tmem a_tmem:^addr.tmem b_desc:u64 idesc:u32 disable_output_lane:frag.b32*? enable_input_d:!pred scale_input_d:#u32(0..15)")
    .words(1)
    .since(SCALED_SUM)
    .only(shifted)
    .rule(lanes)
    .effects(MMA),
    form(
        "tcgen05.mma.cta_group.kind::mxf8f6f4.block_scale{.scale_vectorsize}{.collector_usage}  [d_tmem], a_desc, b_desc, idesc, [scale_a_tmem], [scale_b_tmem], enable_input_d",
        &[CTA_GROUP, SIZE_MXF8F6F4, COLLECTOR_A],
    )
    .operands("d_tmem:^addr.tmem a_desc:u64 b_desc:u64 idesc:u32 scale_a_tmem:^addr.tmem scale_b_tmem:^addr.tmem enable_input_d:!pred")
    .words(1)
    .since(TCGEN05)
    .effects(MMA),
    form(
        "tcgen05.mma.cta_group.kind::mxf8f6f4.block_scale{.scale_vectorsize}{.collector_usage}  [d_tmem], [a_tmem], b_desc, idesc, [scale_a_tmem], [scale_b_tmem], enable_input_d",
        &[CTA_GROUP, SIZE_MXF8F6F4, COLLECTOR_A],
    )
    .operands("d_tmem:^addr.tmem a_tmem:^addr.tmem b_desc:u64 idesc:u32 scale_a_tmem:^addr.tmem scale_b_tmem:^addr.tmem enable_input_d:!pred")
    .words(1)
    .since(TCGEN05)
    .effects(MMA),
    form(
        "tcgen05.mma.cta_group.kind::mxf4.block_scale{.scale_vectorsize}{.collector_usage}  [d_tmem], a_desc, b_desc, idesc, [scale_a_tmem], [scale_b_tmem], enable_input_d",
        &[CTA_GROUP, SIZE_MXF4, COLLECTOR_A],
    )
    .operands("d_tmem:^addr.tmem a_desc:u64 b_desc:u64 idesc:u32 scale_a_tmem:^addr.tmem scale_b_tmem:^addr.tmem enable_input_d:!pred")
    .words(1)
    .since(TCGEN05)
    .effects(MMA),
    form(
        "tcgen05.mma.cta_group.kind::mxf4.block_scale{.scale_vectorsize}{.collector_usage}  [d_tmem], [a_tmem], b_desc, idesc, [scale_a_tmem], [scale_b_tmem], enable_input_d",
        &[CTA_GROUP, SIZE_MXF4, COLLECTOR_A],
    )
    .operands("d_tmem:^addr.tmem a_tmem:^addr.tmem b_desc:u64 idesc:u32 scale_a_tmem:^addr.tmem scale_b_tmem:^addr.tmem enable_input_d:!pred")
    .words(1)
    .since(TCGEN05)
    .effects(MMA),
    form(
        "tcgen05.mma.cta_group.kind::mxf4nvf4.block_scale.scale_vectorsize{.collector_usage}  [d_tmem], a_desc, b_desc, idesc, [scale_a_tmem], [scale_b_tmem], enable_input_d",
        &[CTA_GROUP, SIZE_MXF4NVF4, COLLECTOR_A],
    )
    .operands("d_tmem:^addr.tmem a_desc:u64 b_desc:u64 idesc:u32 scale_a_tmem:^addr.tmem scale_b_tmem:^addr.tmem enable_input_d:!pred")
    .words(1)
    .since(TCGEN05)
    .effects(MMA),
    form(
        "tcgen05.mma.cta_group.kind::mxf4nvf4.block_scale.scale_vectorsize{.collector_usage}  [d_tmem], [a_tmem], b_desc, idesc, [scale_a_tmem], [scale_b_tmem], enable_input_d",
        &[CTA_GROUP, SIZE_MXF4NVF4, COLLECTOR_A],
    )
    .operands("d_tmem:^addr.tmem a_tmem:^addr.tmem b_desc:u64 idesc:u32 scale_a_tmem:^addr.tmem scale_b_tmem:^addr.tmem enable_input_d:!pred")
    .words(1)
    .since(TCGEN05)
    .effects(MMA),
    // Products with a sparse A.
    form(
        "tcgen05.mma.sp.cta_group.kind{.collector_usage}  [d_tmem], a_desc, b_desc, [sp_meta], idesc{, disable_output_lane}, enable_input_d",
        &[CTA_GROUP, KIND, COLLECTOR_A],
    )
    .operands("d_tmem:^addr.tmem a_desc:u64 b_desc:u64 sp_meta:^addr.tmem idesc:u32 disable_output_lane:frag.b32*? enable_input_d:!pred")
    .words(1)
    .since(TCGEN05)
    .rule(lanes)
    .effects(MMA),
    form(
        "tcgen05.mma.sp.cta_group.kind{.collector_usage}  [d_tmem], a_desc, b_desc, [sp_meta], idesc{, disable_output_lane}, enable_input_d, scale_input_d",
        &[CTA_GROUP, KIND_SCALED_SUM, COLLECTOR_A],
    )
    .operands("d_tmem:^addr.tmem a_desc:u64 b_desc:u64 sp_meta:^addr.tmem idesc:u32 disable_output_lane:frag.b32*? enable_input_d:!pred scale_input_d:#u32(0..15)")
    .words(1)
    .since(SCALED_SUM)
    .rule(lanes)
    .effects(MMA),
    form(
        "tcgen05.mma.sp.cta_group.kind{.ashift}{.collector_usage}  [d_tmem], [a_tmem], b_desc, [sp_meta], idesc{, disable_output_lane}, enable_input_d",
        &[CTA_GROUP, KIND, COLLECTOR_A],
    )
    .operands("d_tmem:^addr.tmem a_tmem:^addr.tmem b_desc:u64 sp_meta:^addr.tmem idesc:u32 disable_output_lane:frag.b32*? enable_input_d:!pred")
    .words(1)
    .since(TCGEN05)
    .only(shifted)
    .rule(lanes)
    .effects(MMA),
    form(
        "tcgen05.mma.sp.cta_group.kind{.ashift}{.collector_usage}  [d_tmem], [a_tmem], b_desc, [sp_meta], idesc{, disable_output_lane}, enable_input_d, scale_input_d",
        &[CTA_GROUP, KIND_SCALED_SUM, COLLECTOR_A],
    )
    .operands("d_tmem:^addr.tmem a_tmem:^addr.tmem b_desc:u64 sp_meta:^addr.tmem idesc:u32 disable_output_lane:frag.b32*? enable_input_d:!pred scale_input_d:#u32(0..15)")
    .words(1)
    .since(SCALED_SUM)
    .only(shifted)
    .rule(lanes)
    .effects(MMA),
    form(
        "tcgen05.mma.sp.cta_group.kind::mxf8f6f4.block_scale{.scale_vectorsize}{.collector_usage}  [d_tmem], a_desc, b_desc, [sp_meta], idesc, [scale_a_tmem], [scale_b_tmem], enable_input_d",
        &[CTA_GROUP, SIZE_MXF8F6F4, COLLECTOR_A],
    )
    .operands("d_tmem:^addr.tmem a_desc:u64 b_desc:u64 sp_meta:^addr.tmem idesc:u32 scale_a_tmem:^addr.tmem scale_b_tmem:^addr.tmem enable_input_d:!pred")
    .words(1)
    .since(TCGEN05)
    .effects(MMA),
    form(
        "tcgen05.mma.sp.cta_group.kind::mxf8f6f4.block_scale{.scale_vectorsize}{.collector_usage}  [d_tmem], [a_tmem], b_desc, [sp_meta], idesc, [scale_a_tmem], [scale_b_tmem], enable_input_d",
        &[CTA_GROUP, SIZE_MXF8F6F4, COLLECTOR_A],
    )
    .operands("d_tmem:^addr.tmem a_tmem:^addr.tmem b_desc:u64 sp_meta:^addr.tmem idesc:u32 scale_a_tmem:^addr.tmem scale_b_tmem:^addr.tmem enable_input_d:!pred")
    .words(1)
    .since(TCGEN05)
    .effects(MMA),
    form(
        "tcgen05.mma.sp.cta_group.kind::mxf4.block_scale{.scale_vectorsize}{.collector_usage}  [d_tmem], a_desc, b_desc, [sp_meta], idesc, [scale_a_tmem], [scale_b_tmem], enable_input_d",
        &[CTA_GROUP, SIZE_MXF4, COLLECTOR_A],
    )
    .operands("d_tmem:^addr.tmem a_desc:u64 b_desc:u64 sp_meta:^addr.tmem idesc:u32 scale_a_tmem:^addr.tmem scale_b_tmem:^addr.tmem enable_input_d:!pred")
    .words(1)
    .since(SPARSE_MXF4)
    .effects(MMA),
    form(
        "tcgen05.mma.sp.cta_group.kind::mxf4.block_scale{.scale_vectorsize}{.collector_usage}  [d_tmem], [a_tmem], b_desc, [sp_meta], idesc, [scale_a_tmem], [scale_b_tmem], enable_input_d",
        &[CTA_GROUP, SIZE_MXF4, COLLECTOR_A],
    )
    .operands("d_tmem:^addr.tmem a_tmem:^addr.tmem b_desc:u64 sp_meta:^addr.tmem idesc:u32 scale_a_tmem:^addr.tmem scale_b_tmem:^addr.tmem enable_input_d:!pred")
    .words(1)
    .since(SPARSE_MXF4)
    .effects(MMA),
    form(
        "tcgen05.mma.sp.cta_group.kind::mxf4nvf4.block_scale.scale_vectorsize{.collector_usage}  [d_tmem], a_desc, b_desc, [sp_meta], idesc, [scale_a_tmem], [scale_b_tmem], enable_input_d",
        &[CTA_GROUP, SIZE_MXF4NVF4, COLLECTOR_A],
    )
    .operands("d_tmem:^addr.tmem a_desc:u64 b_desc:u64 sp_meta:^addr.tmem idesc:u32 scale_a_tmem:^addr.tmem scale_b_tmem:^addr.tmem enable_input_d:!pred")
    .words(1)
    .since(SPARSE_MXF4)
    .effects(MMA),
    form(
        "tcgen05.mma.sp.cta_group.kind::mxf4nvf4.block_scale.scale_vectorsize{.collector_usage}  [d_tmem], [a_tmem], b_desc, [sp_meta], idesc, [scale_a_tmem], [scale_b_tmem], enable_input_d",
        &[CTA_GROUP, SIZE_MXF4NVF4, COLLECTOR_A],
    )
    .operands("d_tmem:^addr.tmem a_tmem:^addr.tmem b_desc:u64 sp_meta:^addr.tmem idesc:u32 scale_a_tmem:^addr.tmem scale_b_tmem:^addr.tmem enable_input_d:!pred")
    .words(1)
    .since(SPARSE_MXF4)
    .effects(MMA),
    // Products with a stationary B.
    form(
        "tcgen05.mma.ws.cta_group::1.kind{.collector_usage}  [d_tmem], a_desc, b_desc, idesc, enable_input_d{, zero_column_mask_desc}",
        &[KIND, COLLECTOR_B],
    )
    .operands("d_tmem:^addr.tmem a_desc:u64 b_desc:u64 idesc:u32 enable_input_d:!pred zero_column_mask_desc:u64")
    .words(2)
    .since(TCGEN05)
    .effects(MMA),
    form(
        "tcgen05.mma.ws.cta_group::1.kind{.collector_usage}  [d_tmem], [a_tmem], b_desc, idesc, enable_input_d{, zero_column_mask_desc}",
        &[KIND, COLLECTOR_B],
    )
    .operands("d_tmem:^addr.tmem a_tmem:^addr.tmem b_desc:u64 idesc:u32 enable_input_d:!pred zero_column_mask_desc:u64")
    .words(2)
    .since(TCGEN05)
    .effects(MMA),
    form(
        "tcgen05.mma.ws.sp.cta_group::1.kind{.collector_usage}  [d_tmem], a_desc, b_desc, [sp_meta], idesc, enable_input_d{, zero_column_mask_desc}",
        &[KIND, COLLECTOR_B],
    )
    .operands("d_tmem:^addr.tmem a_desc:u64 b_desc:u64 sp_meta:^addr.tmem idesc:u32 enable_input_d:!pred zero_column_mask_desc:u64")
    .words(2)
    .since(TCGEN05)
    .effects(MMA),
    form(
        "tcgen05.mma.ws.sp.cta_group::1.kind{.collector_usage}  [d_tmem], [a_tmem], b_desc, [sp_meta], idesc, enable_input_d{, zero_column_mask_desc}",
        &[KIND, COLLECTOR_B],
    )
    .operands("d_tmem:^addr.tmem a_tmem:^addr.tmem b_desc:u64 sp_meta:^addr.tmem idesc:u32 enable_input_d:!pred zero_column_mask_desc:u64")
    .words(2)
    .since(TCGEN05)
    .effects(MMA),

    form(
        "tcgen05.commit.cta_group.mbarrier::arrive::one{.sync_restrict}{.ss}.b64  [mbar]",
        &[CTA_GROUP, RESTRICT, COMMIT_SS],
    )
    .operands("mbar:<addr")
    .words(1)
    .since(TCGEN05)
    .effects(COMMIT),
    form(
        "tcgen05.commit.cta_group.mbarrier::arrive::one{.sync_restrict}{.ss}.multicast::cluster.b64  [mbar], ctaMask",
        &[CTA_GROUP, RESTRICT, COMMIT_SS],
    )
    .operands("mbar:<addr ctaMask:u16(0..65535)")
    .words(1)
    .since(TCGEN05)
    .effects(COMMIT),
    form(
        "tcgen05.commit.cta_group.mbarrier::arrive::one{.sync_restrict}{.ss}.multicast::cluster::32b.b64  [mbar], ctaMask",
        &[CTA_GROUP, RESTRICT, COMMIT_SS],
    )
    .operands("mbar:<addr ctaMask:u32(0..4294967295)")
    .words(1)
    .since(FAMILY_107)
    .effects(COMMIT),
    form("tcgen05.fence::before_thread_sync", &[])
        .words(1)
        .since(TCGEN05)
        .effects(Effects::SYNC),
    form("tcgen05.fence::after_thread_sync", &[])
        .words(1)
        .since(TCGEN05)
        .effects(Effects::SYNC),
];

/// Columns are taken by powers of two; exclusively by 32.
fn columns(view: &RuleView<'_>) -> Result<(), Violation> {
    match view.int("nCols") {
        Some(int) if view.has("exclusive") => {
            if int.value() == 0 || int.value() % 32 != 0 {
                return Err(Violation::operand(
                    "nCols",
                    format!("{} is not a number of columns", int.value()),
                )
                .help("it is a multiple of 32"));
            }
            Ok(())
        }
        Some(int) if ![32, 64, 128, 256, 512].contains(&int.value()) => Err(Violation::operand(
            "nCols",
            format!("{} is not a number of columns", int.value()),
        )
        .help("it is a power of two from 32 to 512")),
        _ => Ok(()),
    }
}

/// Registers of a lane: those of the shape, `.num` times. `.pack::16b` changes what they hold, not
/// how many they are.
fn count(view: &RuleView<'_>) -> Result<(), Violation> {
    let each = match view.token("shape") {
        Some(".16x128b") => 2,
        Some(".16x256b") => 4,
        _ => 1,
    };
    let num: usize = view
        .token("num")
        .and_then(|num| num.strip_prefix(".x")?.parse().ok())
        .unwrap_or(1);
    if each * num > 128 {
        return Err(Violation::modifiers(format!(
            "this would be {} registers, 128 is the most",
            each * num
        )));
    }
    expect_registers(view, "r", each * num)
}

/// Half of the elements, and two bits for each.
fn compressed(view: &RuleView<'_>) -> Result<(), Violation> {
    let num: usize = view
        .token("num")
        .and_then(|num| num.strip_prefix(".x")?.parse().ok())
        .unwrap_or(4);
    expect_registers(view, "m", num.div_ceil(32))?;
    expect_registers(view, "r", num / 2)
}

/// A shifted A stays in the collector no longer than its last use.
fn shifted(choice: &Choice) -> Result<(), &'static str> {
    let keeps = matches!(
        choice.token("collector_usage"),
        Some(".collector::a::fill" | ".collector::a::use")
    );
    if keeps && choice.token("ashift").is_some() {
        Err("`.ashift` goes with `.collector::a::lastuse` or `.collector::a::discard` only")
    } else {
        Ok(())
    }
}

/// One bit for each of D's 128 lanes in every CTA.
fn lanes(view: &RuleView<'_>) -> Result<(), Violation> {
    if view.operand("disable_output_lane").is_none() {
        return Ok(());
    }
    let count = match view.token("cta_group") {
        Some(".cta_group::1") => 4,
        _ => 8,
    };
    expect_registers(view, "disable_output_lane", count)
}
