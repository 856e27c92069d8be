//! Products by four warps together, asynchronous, with operands in shared memory: `wgmma`.
//!
//! Exists on sm_90a alone. B is always after a descriptor; A is after one or in registers: four
//! of them in every shape, since K grows as the elements shrink (and a sparse A has half of a K
//! twice as large). D has 64 x N elements over 128 lanes.
//!
//! `.aligned` may be left out (ptxas; the manual has it mandatory).

use super::fragment::{Dims, element_bits, expect_registers, registers, slot_type};
use super::gates::{ALWAYS, v};
use crate::inst::Choice;
use crate::row::{Effects, Row, Set, form, set};
use crate::rule::{RuleView, Violation};
use warpc_target::{Gate, arch};

const SYNC: Effects = Effects::SYNC.union(Effects::CONVERGENT);
const MMA: Effects = SYNC.union(Effects::READ);

const SM90A: Gate = Gate(&[arch(90, v(8, 0))]);
const SPARSE: Gate = Gate(&[arch(90, v(8, 2))]);
const MIXED_SIGNS: Gate = Gate(&[arch(90, v(8, 4))]);

/// Every multiple of eight columns.
macro_rules! shapes {
    ($k:literal) => {
        shapes!($k: "8" "16" "24" "32" "40" "48" "56" "64" "72" "80" "88" "96" "104" "112" "120" "128"
            "136" "144" "152" "160" "168" "176" "184" "192" "200" "208" "216" "224" "232" "240" "248" "256")
    };
    ($k:literal: $($n:literal)*) => {
        set("shape", &[(concat!($(" .m64n", $n, "k", $k),*), ALWAYS)])
    };
}

/// Integers: from 32 columns on only multiples of sixteen.
macro_rules! integer_shapes {
    ($k:literal) => {
        shapes!($k: "8" "16" "24" "32" "48" "64" "80" "96" "112" "128" "144" "160" "176" "192" "208"
            "224" "240" "256")
    };
}

const K8: Set = shapes!("8");
const K16: Set = shapes!("16");
const K32: Set = shapes!("32");
const K64: Set = shapes!("64");
const INTEGER_K32: Set = integer_shapes!("32");
const INTEGER_K64: Set = integer_shapes!("64");
const INTEGER_K256: Set = integer_shapes!("256");

const D_HALF: Set = set("dtype", &[(".f16 .f32", ALWAYS)]);
const D_F32: Set = set("dtype", &[(".f32", ALWAYS)]);
const D_S32: Set = set("dtype", &[(".s32", ALWAYS)]);
const A_F8: Set = set("atype", &[(".e4m3 .e5m2", ALWAYS)]);
const B_F8: Set = set("btype", &[(".e4m3 .e5m2", ALWAYS)]);
const A_INT8: Set = set("atype", &[(".s8 .u8", ALWAYS)]);
const B_INT8: Set = set("btype", &[(".s8 .u8", ALWAYS)]);
const A_F16: Set = set("atype", &[(".f16", ALWAYS)]);
const A_BF16: Set = set("atype", &[(".bf16", ALWAYS)]);
const A_TF32: Set = set("atype", &[(".tf32", ALWAYS)]);

/// The section's forms.
pub static ROWS: &[Row] = &[
    form("wgmma.fence.sync{.aligned}", &[])
        .words(1)
        .since(SM90A)
        .effects(SYNC),
    // Half precision.
    form(
        "wgmma.mma_async.sync{.aligned}.shape.dtype.atype.f16  d, a_desc, b_desc, scale_d, \
         imm_scale_a, imm_scale_b, imm_trans_a, imm_trans_b",
        &[K16, D_HALF, A_F16],
    )
    .operands(
        "d=frag.dtype*? a_desc:u64 b_desc:u64 scale_d:!pred(0..1) imm_scale_a:#s32 \
         imm_scale_b:#s32 imm_trans_a:#s32(0..1) imm_trans_b:#s32(0..1)",
    )
    .words(1)
    .since(SM90A)
    .rule(float)
    .effects(MMA),
    form(
        "wgmma.mma_async.sync{.aligned}.shape.dtype.atype.f16  d, a, b_desc, scale_d, \
         imm_scale_a, imm_scale_b, imm_trans_b",
        &[K16, D_HALF, A_F16],
    )
    .operands(
        "d=frag.dtype*? a:frag.f16x2*4 b_desc:u64 scale_d:!pred(0..1) imm_scale_a:#s32 \
         imm_scale_b:#s32 imm_trans_b:#s32(0..1)",
    )
    .words(1)
    .since(SM90A)
    .rule(float)
    .effects(MMA),
    // Alternate floating point.
    form(
        "wgmma.mma_async.sync{.aligned}.shape.dtype.atype.bf16  d, a_desc, b_desc, scale_d, \
         imm_scale_a, imm_scale_b, imm_trans_a, imm_trans_b",
        &[K16, D_F32, A_BF16],
    )
    .operands(
        "d=frag.dtype*? a_desc:u64 b_desc:u64 scale_d:!pred(0..1) imm_scale_a:#s32 \
         imm_scale_b:#s32 imm_trans_a:#s32(0..1) imm_trans_b:#s32(0..1)",
    )
    .words(1)
    .since(SM90A)
    .rule(float)
    .effects(MMA),
    form(
        "wgmma.mma_async.sync{.aligned}.shape.dtype.atype.bf16  d, a, b_desc, scale_d, \
         imm_scale_a, imm_scale_b, imm_trans_b",
        &[K16, D_F32, A_BF16],
    )
    .operands(
        "d=frag.dtype*? a:frag.f16x2*4 b_desc:u64 scale_d:!pred(0..1) imm_scale_a:#s32 \
         imm_scale_b:#s32 imm_trans_b:#s32(0..1)",
    )
    .words(1)
    .since(SM90A)
    .rule(float)
    .effects(MMA),
    form(
        "wgmma.mma_async.sync{.aligned}.shape.dtype.atype.tf32  d, a_desc, b_desc, scale_d, \
         imm_scale_a, imm_scale_b",
        &[K8, D_F32, A_TF32],
    )
    .operands(
        "d=frag.dtype*? a_desc:u64 b_desc:u64 scale_d:!pred(0..1) imm_scale_a:#s32 \
         imm_scale_b:#s32",
    )
    .words(1)
    .since(SM90A)
    .rule(float)
    .effects(MMA),
    form(
        "wgmma.mma_async.sync{.aligned}.shape.dtype.atype.tf32  d, a, b_desc, scale_d, \
         imm_scale_a, imm_scale_b",
        &[K8, D_F32, A_TF32],
    )
    .operands(
        "d=frag.dtype*? a:frag.f16x2*4 b_desc:u64 scale_d:!pred(0..1) imm_scale_a:#s32 \
         imm_scale_b:#s32",
    )
    .words(1)
    .since(SM90A)
    .rule(float)
    .effects(MMA),
    form(
        "wgmma.mma_async.sync{.aligned}.shape.dtype.atype.btype  d, a_desc, b_desc, scale_d, \
         imm_scale_a, imm_scale_b",
        &[K32, D_HALF, A_F8, B_F8],
    )
    .operands(
        "d=frag.dtype*? a_desc:u64 b_desc:u64 scale_d:!pred(0..1) imm_scale_a:#s32 \
         imm_scale_b:#s32",
    )
    .words(1)
    .since(SM90A)
    .rule(float)
    .effects(MMA),
    form(
        "wgmma.mma_async.sync{.aligned}.shape.dtype.atype.btype  d, a, b_desc, scale_d, \
         imm_scale_a, imm_scale_b",
        &[K32, D_HALF, A_F8, B_F8],
    )
    .operands(
        "d=frag.dtype*? a:frag.f16x2*4 b_desc:u64 scale_d:!pred(0..1) imm_scale_a:#s32 \
         imm_scale_b:#s32",
    )
    .words(1)
    .since(SM90A)
    .rule(float)
    .effects(MMA),
    // Integers.
    form(
        "wgmma.mma_async.sync{.aligned}.shape{.satfinite}.dtype.atype.btype  d, a_desc, b_desc, scale_d",
        &[INTEGER_K32, D_S32, A_INT8, B_INT8],
    )
    .operands("d=frag.dtype*? a_desc:u64 b_desc:u64 scale_d:!pred(0..1)")
    .words(1)
    .since(SM90A)
    .only(same_signs)
    .rule(sum)
    .effects(MMA),
    form(
        "wgmma.mma_async.sync{.aligned}.shape{.satfinite}.dtype.atype.btype  d, a_desc, b_desc, scale_d",
        &[INTEGER_K32, D_S32, A_INT8, B_INT8],
    )
    .operands("d=frag.dtype*? a_desc:u64 b_desc:u64 scale_d:!pred(0..1)")
    .words(1)
    .since(MIXED_SIGNS)
    .rule(sum)
    .effects(MMA),
    form(
        "wgmma.mma_async.sync{.aligned}.shape{.satfinite}.dtype.atype.btype  d, a, b_desc, scale_d",
        &[INTEGER_K32, D_S32, A_INT8, B_INT8],
    )
    .operands("d=frag.dtype*? a:frag.b32*4 b_desc:u64 scale_d:!pred(0..1)")
    .words(1)
    .since(SM90A)
    .only(same_signs)
    .rule(sum)
    .effects(MMA),
    form(
        "wgmma.mma_async.sync{.aligned}.shape{.satfinite}.dtype.atype.btype  d, a, b_desc, scale_d",
        &[INTEGER_K32, D_S32, A_INT8, B_INT8],
    )
    .operands("d=frag.dtype*? a:frag.b32*4 b_desc:u64 scale_d:!pred(0..1)")
    .words(1)
    .since(MIXED_SIGNS)
    .rule(sum)
    .effects(MMA),
    // Single bits.
    form(
        "wgmma.mma_async.sync{.aligned}.shape.dtype.b1.b1.and.popc  d, a_desc, b_desc, scale_d",
        &[INTEGER_K256, D_S32],
    )
    .operands("d=frag.dtype*? a_desc:u64 b_desc:u64 scale_d:!pred(0..1)")
    .words(1)
    .since(SM90A)
    .rule(sum)
    .effects(MMA),
    form(
        "wgmma.mma_async.sync{.aligned}.shape.dtype.b1.b1.and.popc  d, a, b_desc, scale_d",
        &[INTEGER_K256, D_S32],
    )
    .operands("d=frag.dtype*? a:frag.b32*4 b_desc:u64 scale_d:!pred(0..1)")
    .words(1)
    .since(SM90A)
    .rule(sum)
    .effects(MMA),
    // Sparse A: half precision.
    form(
        "wgmma.mma_async.sp.sync{.aligned}.shape.dtype.atype.f16  d, a_desc, b_desc, sp_meta, sp_sel, \
         scale_d, imm_scale_a, imm_scale_b, imm_trans_a, imm_trans_b",
        &[K32, D_HALF, A_F16],
    )
    .operands(
        "d=frag.dtype*? a_desc:u64 b_desc:u64 sp_meta:%b32*+ sp_sel:#s32(0..1) scale_d:!pred(0..1) \
         imm_scale_a:#s32 imm_scale_b:#s32 imm_trans_a:#s32(0..1) imm_trans_b:#s32(0..1)",
    )
    .words(1)
    .since(SPARSE)
    .rule(float)
    .effects(MMA),
    form(
        "wgmma.mma_async.sp.sync{.aligned}.shape.dtype.atype.f16  d, a, b_desc, sp_meta, sp_sel, \
         scale_d, imm_scale_a, imm_scale_b, imm_trans_b",
        &[K32, D_HALF, A_F16],
    )
    .operands(
        "d=frag.dtype*? a:frag.f16x2*4 b_desc:u64 sp_meta:%b32*+ sp_sel:#s32(0..1) \
         scale_d:!pred(0..1) imm_scale_a:#s32 imm_scale_b:#s32 imm_trans_b:#s32(0..1)",
    )
    .words(1)
    .since(SPARSE)
    .rule(float)
    .effects(MMA),
    // Sparse A: alternate floating point.
    form(
        "wgmma.mma_async.sp.sync{.aligned}.shape.dtype.atype.bf16  d, a_desc, b_desc, sp_meta, sp_sel, \
         scale_d, imm_scale_a, imm_scale_b, imm_trans_a, imm_trans_b",
        &[K32, D_F32, A_BF16],
    )
    .operands(
        "d=frag.dtype*? a_desc:u64 b_desc:u64 sp_meta:%b32*+ sp_sel:#s32(0..1) scale_d:!pred(0..1) \
         imm_scale_a:#s32 imm_scale_b:#s32 imm_trans_a:#s32(0..1) imm_trans_b:#s32(0..1)",
    )
    .words(1)
    .since(SPARSE)
    .rule(float)
    .effects(MMA),
    form(
        "wgmma.mma_async.sp.sync{.aligned}.shape.dtype.atype.bf16  d, a, b_desc, sp_meta, sp_sel, \
         scale_d, imm_scale_a, imm_scale_b, imm_trans_b",
        &[K32, D_F32, A_BF16],
    )
    .operands(
        "d=frag.dtype*? a:frag.f16x2*4 b_desc:u64 sp_meta:%b32*+ sp_sel:#s32(0..1) \
         scale_d:!pred(0..1) imm_scale_a:#s32 imm_scale_b:#s32 imm_trans_b:#s32(0..1)",
    )
    .words(1)
    .since(SPARSE)
    .rule(float)
    .effects(MMA),
    form(
        "wgmma.mma_async.sp.sync{.aligned}.shape.dtype.atype.tf32  d, a_desc, b_desc, sp_meta, sp_sel, \
         scale_d, imm_scale_a, imm_scale_b",
        &[K16, D_F32, A_TF32],
    )
    .operands(
        "d=frag.dtype*? a_desc:u64 b_desc:u64 sp_meta:%b32*+ sp_sel:#s32(0..1) scale_d:!pred(0..1) \
         imm_scale_a:#s32 imm_scale_b:#s32",
    )
    .words(1)
    .since(SPARSE)
    .rule(float)
    .effects(MMA),
    form(
        "wgmma.mma_async.sp.sync{.aligned}.shape.dtype.atype.tf32  d, a, b_desc, sp_meta, sp_sel, \
         scale_d, imm_scale_a, imm_scale_b",
        &[K16, D_F32, A_TF32],
    )
    .operands(
        "d=frag.dtype*? a:frag.f16x2*4 b_desc:u64 sp_meta:%b32*+ sp_sel:#s32(0..1) \
         scale_d:!pred(0..1) imm_scale_a:#s32 imm_scale_b:#s32",
    )
    .words(1)
    .since(SPARSE)
    .rule(float)
    .effects(MMA),
    form(
        "wgmma.mma_async.sp.sync{.aligned}.shape.dtype.atype.btype  d, a_desc, b_desc, sp_meta, sp_sel, \
         scale_d, imm_scale_a, imm_scale_b",
        &[K64, D_HALF, A_F8, B_F8],
    )
    .operands(
        "d=frag.dtype*? a_desc:u64 b_desc:u64 sp_meta:%b32*+ sp_sel:#s32(0..0) scale_d:!pred(0..1) \
         imm_scale_a:#s32 imm_scale_b:#s32",
    )
    .words(1)
    .since(SPARSE)
    .rule(float)
    .effects(MMA),
    form(
        "wgmma.mma_async.sp.sync{.aligned}.shape.dtype.atype.btype  d, a, b_desc, sp_meta, sp_sel, \
         scale_d, imm_scale_a, imm_scale_b",
        &[K64, D_HALF, A_F8, B_F8],
    )
    .operands(
        "d=frag.dtype*? a:frag.f16x2*4 b_desc:u64 sp_meta:%b32*+ sp_sel:#s32(0..0) \
         scale_d:!pred(0..1) imm_scale_a:#s32 imm_scale_b:#s32",
    )
    .words(1)
    .since(SPARSE)
    .rule(float)
    .effects(MMA),
    // Sparse A: integers.
    form(
        "wgmma.mma_async.sp.sync{.aligned}.shape{.satfinite}.dtype.atype.btype  d, a_desc, b_desc, \
         sp_meta, sp_sel, scale_d",
        &[INTEGER_K64, D_S32, A_INT8, B_INT8],
    )
    .operands(
        "d=frag.dtype*? a_desc:u64 b_desc:u64 sp_meta:%b32*+ sp_sel:#s32(0..0) scale_d:!pred(0..1)",
    )
    .words(1)
    .since(SPARSE)
    .only(same_signs)
    .rule(sum)
    .effects(MMA),
    form(
        "wgmma.mma_async.sp.sync{.aligned}.shape{.satfinite}.dtype.atype.btype  d, a_desc, b_desc, \
         sp_meta, sp_sel, scale_d",
        &[INTEGER_K64, D_S32, A_INT8, B_INT8],
    )
    .operands(
        "d=frag.dtype*? a_desc:u64 b_desc:u64 sp_meta:%b32*+ sp_sel:#s32(0..0) scale_d:!pred(0..1)",
    )
    .words(1)
    .since(MIXED_SIGNS)
    .rule(sum)
    .effects(MMA),
    form(
        "wgmma.mma_async.sp.sync{.aligned}.shape{.satfinite}.dtype.atype.btype  d, a, b_desc, \
         sp_meta, sp_sel, scale_d",
        &[INTEGER_K64, D_S32, A_INT8, B_INT8],
    )
    .operands(
        "d=frag.dtype*? a:frag.b32*4 b_desc:u64 sp_meta:%b32*+ sp_sel:#s32(0..0) scale_d:!pred(0..1)",
    )
    .words(1)
    .since(SPARSE)
    .only(same_signs)
    .rule(sum)
    .effects(MMA),
    form(
        "wgmma.mma_async.sp.sync{.aligned}.shape{.satfinite}.dtype.atype.btype  d, a, b_desc, \
         sp_meta, sp_sel, scale_d",
        &[INTEGER_K64, D_S32, A_INT8, B_INT8],
    )
    .operands(
        "d=frag.dtype*? a:frag.b32*4 b_desc:u64 sp_meta:%b32*+ sp_sel:#s32(0..0) scale_d:!pred(0..1)",
    )
    .words(1)
    .since(MIXED_SIGNS)
    .rule(sum)
    .effects(MMA),
    form("wgmma.commit_group.sync{.aligned}", &[])
        .words(1)
        .since(SM90A)
        .effects(SYNC),
    form("wgmma.wait_group.sync{.aligned}  n", &[])
        .operands("n:#u32(0..4294967295)")
        .words(1)
        .since(SM90A)
        .effects(SYNC),
];

/// D is spread over four warps.
fn sum(view: &RuleView<'_>) -> Result<(), Violation> {
    let Dims { m, n, .. } = Dims::of(view);
    let bits = element_bits(slot_type(view, "dtype"));
    expect_registers(view, "d", registers(m * n / 4, bits))
}

fn float(view: &RuleView<'_>) -> Result<(), Violation> {
    for operand in ["imm_scale_a", "imm_scale_b"] {
        if let Some(int) = view.int(operand)
            && int.value().abs() != 1
        {
            return Err(Violation::operand(
                operand,
                format!("`{operand}` is 1 or -1"),
            ));
        }
    }
    sum(view)
}

/// Products of `.s8` with `.u8` came later than the others.
fn same_signs(choice: &Choice) -> Result<(), &'static str> {
    if choice.token("atype") == choice.token("btype") {
        Ok(())
    } else {
        Err("A and B have different signs")
    }
}
