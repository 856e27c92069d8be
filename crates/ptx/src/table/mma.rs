//! Matrix multiply and accumulate by a warp: `mma`, `mma.sp`.
//!
//! Fragments are vectors whose lengths follow from shape and types ([`super::fragment`]); a sparse
//! A has half of its columns. `m8n8k4` with `.f16` is four products at once, hence four times as
//! many registers.
//!
//! What was measured and the manual does not say: rounding modes are welcome on `.f64`; a
//! `.kind::f8f6f4` is welcome on products of 8-bit floats from the `sm_100` families on, not only
//! on `sm_120`; sparse `mxf4` kinds exist on `sm_120a` and `sm_121a`, not on `sm_120f`.

use super::fragment::{Dims, element_bits, expect_registers, registers, slot_type};
use super::gates::{ALWAYS, SPECIFIC, v};
use crate::inst::Operand;
use crate::row::{Effects, Row, Set, form, set};
use crate::rule::{RuleView, Violation};
use warpc_target::{Gate, arch, at_least, family};

const EFFECTS: Effects = Effects::SYNC.union(Effects::CONVERGENT);

const SM75: Gate = Gate(&[at_least(75, v(6, 5))]);
const SM80: Gate = Gate(&[at_least(80, v(7, 0))]);
const SM80_AND: Gate = Gate(&[at_least(80, v(7, 1))]);
const SM90: Gate = Gate(&[at_least(90, v(7, 8))]);
/// Products of 8-bit floats: first `.f32` sums of m16n8k32, then the others.
const FP8: Gate = Gate(&[at_least(89, v(8, 4))]);
const FP8_MORE: Gate = Gate(&[at_least(89, v(8, 7))]);
/// 6- and 4-bit floats, block scaling.
const SM120: Gate = Gate(&[arch(120, v(8, 7)), family(120, v(8, 8))]);
/// Sparse `mxf4`.
const SM120_ARCH: Gate = Gate(&[arch(120, v(8, 7)), arch(121, v(8, 8))]);
const PTX_9_1: Gate = Gate(&[at_least(60, v(9, 1))]);

const SPARSE: Set = set(
    "sp",
    &[
        (".sp", SM80_AND),
        (".sp::ordered_metadata", Gate(&[at_least(80, v(8, 5))])),
    ],
);

const ALAYOUT: Set = set("alayout", &[(".row .col", ALWAYS)]);
const BLAYOUT: Set = set("blayout", &[(".row .col", ALWAYS)]);
const RND: Set = set("rnd", &[(".rn .rz .rm .rp", ALWAYS)]);
const KIND: Set = set("kind", &[(".kind::f8f6f4", SPECIFIC)]);

const D_HALF: Set = set("dtype", &[(".f16 .f32", ALWAYS)]);
const C_HALF: Set = set("ctype", &[(".f16 .f32", ALWAYS)]);
const D_F16: Set = set("dtype", &[(".f16", ALWAYS)]);
const C_F16: Set = set("ctype", &[(".f16", ALWAYS)]);
const D_F32: Set = set("dtype", &[(".f32", ALWAYS)]);
const C_F32: Set = set("ctype", &[(".f32", ALWAYS)]);
const D_F64: Set = set("dtype", &[(".f64", ALWAYS)]);
const C_F64: Set = set("ctype", &[(".f64", ALWAYS)]);
const D_S32: Set = set("dtype", &[(".s32", ALWAYS)]);
const C_S32: Set = set("ctype", &[(".s32", ALWAYS)]);

const A_F16: Set = set("atype", &[(".f16", ALWAYS)]);
const B_F16: Set = set("btype", &[(".f16", ALWAYS)]);
const A_BF16: Set = set("atype", &[(".bf16", ALWAYS)]);
const B_BF16: Set = set("btype", &[(".bf16", ALWAYS)]);
const A_TF32: Set = set("atype", &[(".tf32", ALWAYS)]);
const B_TF32: Set = set("btype", &[(".tf32", ALWAYS)]);
const A_F8: Set = set("atype", &[(".e4m3 .e5m2", ALWAYS)]);
const B_F8: Set = set("btype", &[(".e4m3 .e5m2", ALWAYS)]);
const A_F8F6F4: Set = set("atype", &[(".e4m3 .e5m2 .e3m2 .e2m3 .e2m1", ALWAYS)]);
const B_F8F6F4: Set = set("btype", &[(".e4m3 .e5m2 .e3m2 .e2m3 .e2m1", ALWAYS)]);
const A_F4: Set = set("atype", &[(".e2m1", ALWAYS)]);
const B_F4: Set = set("btype", &[(".e2m1", ALWAYS)]);
const A_F64: Set = set("atype", &[(".f64", ALWAYS)]);
const B_F64: Set = set("btype", &[(".f64", ALWAYS)]);
const A_INT8: Set = set("atype", &[(".u8 .s8", ALWAYS)]);
const B_INT8: Set = set("btype", &[(".u8 .s8", ALWAYS)]);
const A_INT4: Set = set("atype", &[(".u4 .s4", ALWAYS)]);
const B_INT4: Set = set("btype", &[(".u4 .s4", ALWAYS)]);
const A_B1: Set = set("atype", &[(".b1", ALWAYS)]);
const B_B1: Set = set("btype", &[(".b1", ALWAYS)]);

const M8N8K4: Set = set("shape", &[(".m8n8k4", ALWAYS)]);
const K8_K16: Set = set("shape", &[(".m16n8k8 .m16n8k16", ALWAYS)]);
const K16_K32: Set = set("shape", &[(".m16n8k16 .m16n8k32", ALWAYS)]);
const K64_K128: Set = set("shape", &[(".m16n8k64 .m16n8k128", ALWAYS)]);
const K32_K64: Set = set("shape", &[(".m16n8k32 .m16n8k64", ALWAYS)]);
const K32: Set = set("shape", &[(".m16n8k32", ALWAYS)]);
const K64: Set = set("shape", &[(".m16n8k64", ALWAYS)]);
const K128: Set = set("shape", &[(".m16n8k128", ALWAYS)]);
const K16: Set = set("shape", &[(".m16n8k16", ALWAYS)]);

const STYPE_4X: Set = set("stype", &[(".ue4m3", ALWAYS), (".ue8m0", PTX_9_1)]);
const SCALE_1X: Set = set("scale_vec_size", &[(".scale_vec::1X", ALWAYS)]);
const SCALE_2X: Set = set("scale_vec_size", &[(".scale_vec::2X", ALWAYS)]);
const SCALE_4X: Set = set("scale_vec_size", &[(".scale_vec::4X", ALWAYS)]);

/// Registers of floats that have a register type or none; of what is packed by bytes or less (any
/// 32-bit registers will do); of doubles (any 64-bit ones).
const FLOATS: &str = "d=_frag.dtype*? a:frag.atype*? b:frag.btype*? c:frag.ctype*?";
const SMALL: &str = "d=_frag.dtype*? a:frag.b32*? b:frag.b32*? c:frag.ctype*?";
const DOUBLES: &str = "d=_frag.b64*? a:frag.b64*? b:frag.b64*? c:frag.b64*?";
const SCALED: &str = "d=_frag.dtype*? a:frag.b32*? b:frag.b32*? c:frag.ctype*? \
     scale_a:%b32*+ id_a:u16*2 scale_b:%b32*+ id_b:u16*2";
const SPARSE_FLOATS: &str =
    "d=_frag.dtype*? a:frag.atype*? b:frag.btype*? c:frag.ctype*? e:%b32*+ f:#b32";
const SPARSE_SMALL: &str =
    "d=_frag.dtype*? a:frag.b32*? b:frag.b32*? c:frag.ctype*? e:%b32*+ f:#b32";
const SPARSE_SCALED: &str = "d=_frag.dtype*? a:frag.b32*? b:frag.b32*? c:frag.ctype*? \
     e:%b32*+ f:#b32(0..0) scale_a:%b32*+ id_a:u16*2 scale_b:%b32*+ id_b:u16*2";

/// The section's forms.
pub static ROWS: &[Row] = &[
    // Half precision.
    form(
        "mma.sync.aligned.shape.alayout.blayout.dtype.atype.btype.ctype  d, a, b, c",
        &[M8N8K4, ALAYOUT, BLAYOUT, D_HALF, A_F16, B_F16, C_HALF],
    )
    .operands(FLOATS)
    .since(Gate(&[at_least(70, v(6, 4))]))
    .rule(quad)
    .effects(EFFECTS),
    form(
        "mma.sync.aligned.shape.row.col.dtype.atype.btype.ctype  d, a, b, c",
        &[
            set("shape", &[(".m16n8k8", SM75), (".m16n8k16", SM80)]),
            D_HALF,
            A_F16,
            B_F16,
            C_HALF,
        ],
    )
    .operands(FLOATS)
    .rule(dense)
    .effects(EFFECTS),
    // Alternate floating point.
    form(
        "mma.sync.aligned.shape.row.col.dtype.atype.btype.ctype  d, a, b, c",
        &[
            set("shape", &[(".m16n8k4 .m16n8k8", ALWAYS)]),
            D_F32,
            A_TF32,
            B_TF32,
            C_F32,
        ],
    )
    .operands(FLOATS)
    .since(SM80)
    .rule(dense)
    .effects(EFFECTS),
    form(
        "mma.sync.aligned.shape.row.col.dtype.atype.btype.ctype  d, a, b, c",
        &[K8_K16, D_F32, A_BF16, B_BF16, C_F32],
    )
    .operands(FLOATS)
    .since(SM80)
    .rule(dense)
    .effects(EFFECTS),
    form(
        "mma.sync.aligned.shape.row.col{.kind}.dtype.atype.btype.ctype  d, a, b, c",
        &[K32, KIND, D_F32, A_F8, B_F8, C_F32],
    )
    .operands(SMALL)
    .since(FP8)
    .rule(dense)
    .effects(EFFECTS),
    form(
        "mma.sync.aligned.shape.row.col{.kind}.dtype.atype.btype.ctype  d, a, b, c",
        &[K32, KIND, D_F16, A_F8, B_F8, C_F16],
    )
    .operands(SMALL)
    .since(FP8_MORE)
    .rule(dense)
    .effects(EFFECTS),
    form(
        "mma.sync.aligned.shape.row.col{.kind}.dtype.atype.btype.ctype  d, a, b, c",
        &[K16, KIND, D_HALF, A_F8, B_F8, C_HALF],
    )
    .operands(SMALL)
    .since(FP8_MORE)
    .rule(dense)
    .effects(EFFECTS),
    form(
        "mma.sync.aligned.shape.row.col.kind.dtype.atype.btype.ctype  d, a, b, c",
        &[K32, KIND, D_HALF, A_F8F6F4, B_F8F6F4, C_HALF],
    )
    .operands(SMALL)
    .since(SM120)
    .rule(dense)
    .effects(EFFECTS),
    // Block scaling.
    form(
        "mma.sync.aligned.shape.row.col.kind::mxf4.block_scale{.scale_vec_size}.dtype.atype.btype.ctype.ue8m0  \
         d, a, b, c, scale_a, id_a, scale_b, id_b",
        &[K64, SCALE_2X, D_F32, A_F4, B_F4, C_F32],
    )
    .operands(SCALED)
    .since(SM120)
    .rule(dense_scaled)
    .effects(EFFECTS),
    form(
        "mma.sync.aligned.shape.row.col.kind::mxf4nvf4.block_scale.scale_vec_size.dtype.atype.btype.ctype.ue8m0  \
         d, a, b, c, scale_a, id_a, scale_b, id_b",
        &[K64, SCALE_2X, D_F32, A_F4, B_F4, C_F32],
    )
    .operands(SCALED)
    .since(SM120)
    .rule(dense_scaled)
    .effects(EFFECTS),
    form(
        "mma.sync.aligned.shape.row.col.kind::mxf4nvf4.block_scale.scale_vec_size.dtype.atype.btype.ctype.stype  \
         d, a, b, c, scale_a, id_a, scale_b, id_b",
        &[K64, SCALE_4X, D_F32, A_F4, B_F4, C_F32, STYPE_4X],
    )
    .operands(SCALED)
    .since(SM120)
    .rule(dense_scaled)
    .effects(EFFECTS),
    form(
        "mma.sync.aligned.shape.row.col.kind::mxf8f6f4.block_scale{.scale_vec_size}.dtype.atype.btype.ctype.ue8m0  \
         d, a, b, c, scale_a, id_a, scale_b, id_b",
        &[K32, SCALE_1X, D_F32, A_F8F6F4, B_F8F6F4, C_F32],
    )
    .operands(SCALED)
    .since(SM120)
    .rule(dense_scaled)
    .effects(EFFECTS),
    // Double precision.
    form(
        "mma.sync.aligned.shape.row.col{.rnd}.dtype.atype.btype.ctype  d, a, b, c",
        &[
            set(
                "shape",
                &[(".m8n8k4", SM80), (".m16n8k4 .m16n8k8 .m16n8k16", SM90)],
            ),
            RND,
            D_F64,
            A_F64,
            B_F64,
            C_F64,
        ],
    )
    .operands(DOUBLES)
    .rule(dense)
    .effects(EFFECTS),
    // Integers.
    form(
        "mma.sync.aligned.shape.row.col{.satfinite}.dtype.atype.btype.ctype  d, a, b, c",
        &[
            set(
                "shape",
                &[(".m8n8k16", SM75), (".m16n8k16 .m16n8k32", SM80)],
            ),
            D_S32,
            A_INT8,
            B_INT8,
            C_S32,
        ],
    )
    .operands(SMALL)
    .rule(dense)
    .effects(EFFECTS),
    form(
        "mma.sync.aligned.shape.row.col{.satfinite}.dtype.atype.btype.ctype  d, a, b, c",
        &[
            set(
                "shape",
                &[(".m8n8k32", SM75), (".m16n8k32 .m16n8k64", SM80)],
            ),
            D_S32,
            A_INT4,
            B_INT4,
            C_S32,
        ],
    )
    .operands(SMALL)
    .rule(dense)
    .effects(EFFECTS),
    // Single bits.
    form(
        "mma.sync.aligned.shape.row.col.dtype.atype.btype.ctype.bitOp.popc  d, a, b, c",
        &[
            set(
                "shape",
                &[
                    (".m8n8k128", Gate(&[at_least(75, v(7, 0))])),
                    (".m16n8k128 .m16n8k256", SM80),
                ],
            ),
            D_S32,
            A_B1,
            B_B1,
            C_S32,
            set("bitOp", &[(".xor", ALWAYS), (".and", SM80_AND)]),
        ],
    )
    .operands(SMALL)
    .rule(dense)
    .effects(EFFECTS),
    // Sparse A: half precision.
    form(
        "mma.sp.sync.aligned.shape.row.col.dtype.atype.btype.ctype  d, a, b, c, e, f",
        &[SPARSE, K16_K32, D_HALF, A_F16, B_F16, C_HALF],
    )
    .operands(SPARSE_FLOATS)
    .rule(sparse)
    .effects(EFFECTS),
    // Sparse A: alternate floating point.
    form(
        "mma.sp.sync.aligned.shape.row.col.dtype.atype.btype.ctype  d, a, b, c, e, f",
        &[SPARSE, K16_K32, D_F32, A_BF16, B_BF16, C_F32],
    )
    .operands(SPARSE_FLOATS)
    .rule(sparse)
    .effects(EFFECTS),
    form(
        "mma.sp.sync.aligned.shape.row.col.dtype.atype.btype.ctype  d, a, b, c, e, f",
        &[SPARSE, K8_K16, D_F32, A_TF32, B_TF32, C_F32],
    )
    .operands(SPARSE_FLOATS)
    .rule(sparse)
    .effects(EFFECTS),
    form(
        "mma.sp.sync.aligned.shape.row.col.dtype.atype.btype.ctype  d, a, b, c, e, f",
        &[SPARSE, K64, D_F32, A_F8, B_F8, C_F32],
    )
    .operands(SPARSE_SMALL)
    .since(FP8)
    .rule(sparse)
    .effects(EFFECTS),
    form(
        "mma.sp::ordered_metadata.sync.aligned.shape.row.col.kind.dtype.atype.btype.ctype  d, a, b, c, e, f",
        &[K64, KIND, D_F32, A_F8, B_F8, C_F32],
    )
    .operands(SPARSE_SMALL)
    .rule(sparse)
    .effects(EFFECTS),
    form(
        "mma.sp::ordered_metadata.sync.aligned.shape.row.col{.kind}.dtype.atype.btype.ctype  d, a, b, c, e, f",
        &[K64, KIND, D_F16, A_F8, B_F8, C_F16],
    )
    .operands(SPARSE_SMALL)
    .since(SM120)
    .rule(sparse)
    .effects(EFFECTS),
    form(
        "mma.sp::ordered_metadata.sync.aligned.shape.row.col.kind.dtype.atype.btype.ctype  d, a, b, c, e, f",
        &[K64, KIND, D_HALF, A_F8F6F4, B_F8F6F4, C_HALF],
    )
    .operands(SPARSE_SMALL)
    .since(SM120)
    .rule(sparse)
    .effects(EFFECTS),
    // Sparse A: block scaling.
    form(
        "mma.sp::ordered_metadata.sync.aligned.shape.row.col.kind::mxf4.block_scale{.scale_vec_size}.dtype.atype.btype.ctype.ue8m0  \
         d, a, b, c, e, f, scale_a, id_a, scale_b, id_b",
        &[K128, SCALE_2X, D_F32, A_F4, B_F4, C_F32],
    )
    .operands(SPARSE_SCALED)
    .since(SM120_ARCH)
    .rule(sparse_scaled)
    .effects(EFFECTS),
    form(
        "mma.sp::ordered_metadata.sync.aligned.shape.row.col.kind::mxf4nvf4.block_scale.scale_vec_size.dtype.atype.btype.ctype.ue8m0  \
         d, a, b, c, e, f, scale_a, id_a, scale_b, id_b",
        &[K128, SCALE_2X, D_F32, A_F4, B_F4, C_F32],
    )
    .operands(SPARSE_SCALED)
    .since(SM120_ARCH)
    .rule(sparse_scaled)
    .effects(EFFECTS),
    form(
        "mma.sp::ordered_metadata.sync.aligned.shape.row.col.kind::mxf4nvf4.block_scale.scale_vec_size.dtype.atype.btype.ctype.stype  \
         d, a, b, c, e, f, scale_a, id_a, scale_b, id_b",
        &[K128, SCALE_4X, D_F32, A_F4, B_F4, C_F32, STYPE_4X],
    )
    .operands(SPARSE_SCALED)
    .since(SM120_ARCH)
    .rule(sparse_scaled)
    .effects(EFFECTS),
    form(
        "mma.sp::ordered_metadata.sync.aligned.shape.row.col.kind::mxf8f6f4.block_scale{.scale_vec_size}.dtype.atype.btype.ctype.ue8m0  \
         d, a, b, c, e, f, scale_a, id_a, scale_b, id_b",
        &[K64, SCALE_1X, D_F32, A_F8F6F4, B_F8F6F4, C_F32],
    )
    .operands(SPARSE_SCALED)
    .since(SM120)
    .rule(sparse_scaled)
    .effects(EFFECTS),
    // Sparse A: integers.
    form(
        "mma.sp.sync.aligned.shape.row.col{.satfinite}.dtype.atype.btype.ctype  d, a, b, c, e, f",
        &[SPARSE, K32_K64, D_S32, A_INT8, B_INT8, C_S32],
    )
    .operands(SPARSE_SMALL)
    .rule(sparse)
    .effects(EFFECTS),
    form(
        "mma.sp.sync.aligned.shape.row.col{.satfinite}.dtype.atype.btype.ctype  d, a, b, c, e, f",
        &[SPARSE, K64_K128, D_S32, A_INT4, B_INT4, C_S32],
    )
    .operands(SPARSE_SMALL)
    .rule(sparse)
    .effects(EFFECTS),
];

/// How the products of an instruction are arranged.
#[derive(Clone, Copy)]
struct Arrangement {
    /// Products computed at once.
    copies: usize,
    /// A has only every other column.
    sparse: bool,
    /// Elements of A and B in 4 bits, without the bytes around them.
    packed: bool,
}

fn check_fragments(view: &RuleView<'_>, how: Arrangement) -> Result<(), Violation> {
    let Dims { m, n, k } = Dims::of(view);
    let input = |slot| match how.packed {
        true => 4,
        false => element_bits(slot_type(view, slot)),
    };
    let output = |slot| element_bits(slot_type(view, slot));
    let columns = if how.sparse { k / 2 } else { k };
    let copies = how.copies;
    expect_registers(view, "d", registers(copies * m * n, output("dtype")))?;
    expect_registers(view, "a", registers(copies * m * columns, input("atype")))?;
    expect_registers(view, "b", registers(copies * k * n, input("btype")))?;
    expect_registers(view, "c", registers(copies * m * n, output("ctype")))
}

/// `D` and `C` have the same type.
fn check_same_sum(view: &RuleView<'_>) -> Result<(), Violation> {
    if view.token("dtype") == view.token("ctype") {
        return Ok(());
    }
    Err(Violation::modifiers("D and C must be of the same type"))
}

/// The shape that computes four products at once: `.f16` sums do not take `.f32` ones.
fn quad(view: &RuleView<'_>) -> Result<(), Violation> {
    if view.token("dtype") == Some(".f16") && view.token("ctype") == Some(".f32") {
        return Err(Violation::modifiers("D is .f16, so C must be .f16 as well"));
    }
    let how = Arrangement {
        copies: 4,
        sparse: false,
        packed: false,
    };
    check_fragments(view, how)
}

fn dense(view: &RuleView<'_>) -> Result<(), Violation> {
    check_same_sum(view)?;
    check_fragments(
        view,
        Arrangement {
            copies: 1,
            sparse: false,
            packed: is_packed(view),
        },
    )
}

fn dense_scaled(view: &RuleView<'_>) -> Result<(), Violation> {
    dense(view)?;
    check_selectors(view)
}

fn sparse(view: &RuleView<'_>) -> Result<(), Violation> {
    check_same_sum(view)?;
    check_fragments(
        view,
        Arrangement {
            copies: 1,
            sparse: true,
            packed: is_packed(view),
        },
    )?;
    // Of each four lanes one or more hold the metadata: which ones is a matter of choice until the
    // metadata are so many that all are needed. Wide elements have half as many of them.
    let bits = element_bits(slot_type(view, "atype"));
    let wide = if bits >= 16 { 2 } else { 1 };
    let choices = (wide * 512 / (bits * Dims::of(view).k)).max(1) as i128;
    match view.int("f") {
        Some(int) if int.value() < 0 || int.value() >= choices => Err(Violation::operand(
            "f",
            format!("the sparsity selector lies from 0 to {}", choices - 1),
        )),
        _ => Ok(()),
    }
}

fn sparse_scaled(view: &RuleView<'_>) -> Result<(), Violation> {
    sparse(view)?;
    check_selectors(view)
}

fn is_packed(view: &RuleView<'_>) -> bool {
    view.has("kind::mxf4") || view.has("kind::mxf4nvf4")
}

/// Which byte of which lane holds the scale factors. A takes them from two lanes of each four, B
/// from all; the more factors there are, the fewer places a byte selector has.
fn check_selectors(view: &RuleView<'_>) -> Result<(), Violation> {
    let bytes: &[i128] = match view.token("scale_vec_size") {
        Some(".scale_vec::4X") => &[0],
        Some(".scale_vec::2X") => &[0, 2],
        Some(_) => &[0, 1, 2, 3],
        None if is_packed(view) => &[0, 2],
        None => &[0, 1, 2, 3],
    };
    let lanes: [(&'static str, &[i128]); 2] = [("id_a", &[0, 1]), ("id_b", &[0, 1, 2, 3])];
    for (operand, lanes) in lanes {
        let Some(Operand::Vector(range)) = view.operand(operand) else {
            continue;
        };
        let names = ["the byte selector", "the lane selector"];
        for ((element, allowed), name) in view
            .body
            .operands(*range)
            .iter()
            .zip([bytes, lanes])
            .zip(names)
        {
            if let Operand::Int(int) = element
                && !allowed.contains(&int.value())
            {
                let list: Vec<String> = allowed.iter().map(i128::to_string).collect();
                return Err(Violation::operand(
                    operand,
                    format!("{name} is {}, not {}", list.join(" or "), int.value()),
                ));
            }
        }
    }
    Ok(())
}
