//! Matrices of a whole warp: `wmma.load`, `wmma.store`, `wmma.mma`.
//!
//! Fragments have as many registers as shape and type ask for ([`super::fragment`]), but for
//! `.f16` multiplicands: those have eight in every shape, since their elements are kept twice.
//!
//! `.aligned` was unknown before PTX 6.3 and is required since.

use super::fragment::{Dims, element_bits, expect_registers, registers, slot_type};
use super::gates::{ALWAYS, V78, v};
use crate::row::{Effects, Row, Set, form, set};
use crate::rule::{RuleView, Violation};
use crate::types::ScalarType;
use warpc_target::{Gate, at_least};

const MMA: Effects = Effects::SYNC.union(Effects::CONVERGENT);
const LOAD: Effects = MMA.union(Effects::READ);
const STORE: Effects = MMA.union(Effects::WRITE);

const SM70: Gate = Gate(&[at_least(70, v(6, 0))]);
const SM72: Gate = Gate(&[at_least(72, v(6, 3))]);
const SM75: Gate = Gate(&[at_least(75, v(6, 3))]);
const SM80: Gate = Gate(&[at_least(80, v(7, 0))]);

const ALIGNED: Set = set("aligned", &[(".aligned", Gate(&[at_least(70, v(6, 3))]))]);
const AB: Set = set("matrix", &[(".a .b", ALWAYS)]);
const LAYOUT: Set = set("layout", &[(".row .col", ALWAYS)]);
const ALAYOUT: Set = set("alayout", &[(".row .col", ALWAYS)]);
const BLAYOUT: Set = set("blayout", &[(".row .col", ALWAYS)]);
const SS: Set = set("ss", &[(".global .shared", ALWAYS), (".shared::cta", V78)]);
const RND: Set = set("rnd", &[(".rn .rz .rm .rp", ALWAYS)]);

const K16: Set = set(
    "shape",
    &[
        (".m16n16k16", SM70),
        (".m8n32k16 .m32n8k16", Gate(&[at_least(70, v(6, 1))])),
    ],
);
const K8: Set = set("shape", &[(".m16n16k8", ALWAYS)]);
const K4: Set = set("shape", &[(".m8n8k4", ALWAYS)]);
const K32: Set = set("shape", &[(".m8n8k32", ALWAYS)]);
const K128: Set = set("shape", &[(".m8n8k128", ALWAYS)]);

const SMALL_SUMS: Set = set("shape", &[(".m8n8k32 .m8n8k128", ALWAYS)]);
const SUMS: Set = set("type", &[(".f16 .f32", ALWAYS), (".s32", SM72)]);
const F32: Set = set("type", &[(".f32", ALWAYS)]);
const F64: Set = set("type", &[(".f64", ALWAYS)]);
const S32: Set = set("type", &[(".s32", ALWAYS)]);

const D_S32: Set = set("dtype", &[(".s32", ALWAYS)]);
const C_S32: Set = set("ctype", &[(".s32", ALWAYS)]);
const D_F32: Set = set("dtype", &[(".f32", ALWAYS)]);
const C_F32: Set = set("ctype", &[(".f32", ALWAYS)]);
const PRODUCT: &str = "d=_frag.dtype*? a:frag.atype*? b:frag.btype*? c:frag.ctype*?";

/// The section's forms.
pub static ROWS: &[Row] = &[
    // Multiplicands.
    form(
        "wmma.load.matrix.sync{.aligned}.layout.shape{.ss}.type  r, [p]{, stride}",
        &[
            AB,
            ALIGNED,
            LAYOUT,
            K16,
            SS,
            set(
                "type",
                &[(".f16", ALWAYS), (".s8 .u8", SM72), (".bf16", SM80)],
            ),
        ],
    )
    .words(2)
    .operands("r=_frag.type*? p:<addr stride:u32")
    .rule(load)
    .effects(LOAD),
    form(
        "wmma.load.matrix.sync{.aligned}.layout.shape{.ss}.type  r, [p]{, stride}",
        &[AB, ALIGNED, LAYOUT, K8, SS, set("type", &[(".tf32", SM80)])],
    )
    .words(2)
    .operands("r=_frag.type*? p:<addr stride:u32")
    .rule(load)
    .effects(LOAD),
    form(
        "wmma.load.matrix.sync{.aligned}.layout.shape{.ss}.type  r, [p]{, stride}",
        &[AB, ALIGNED, LAYOUT, K4, SS, F64],
    )
    .words(2)
    .operands("r=_frag.type*? p:<addr stride:u32")
    .since(SM80)
    .rule(load)
    .effects(LOAD),
    form(
        "wmma.load.matrix.sync{.aligned}.layout.shape{.ss}.type  r, [p]{, stride}",
        &[
            AB,
            ALIGNED,
            LAYOUT,
            K32,
            SS,
            set("type", &[(".s4 .u4", ALWAYS)]),
        ],
    )
    .words(2)
    .operands("r=_frag.b32*? p:<addr stride:u32")
    .since(SM75)
    .rule(load_sub_byte)
    .effects(LOAD),
    form(
        "wmma.load.matrix.sync{.aligned}.layout.shape{.ss}.type  r, [p]{, stride}",
        &[
            AB,
            ALIGNED,
            LAYOUT,
            K128,
            SS,
            set("type", &[(".b1", ALWAYS)]),
        ],
    )
    .words(2)
    .operands("r=_frag.b32*? p:<addr stride:u32")
    .since(SM75)
    .rule(load_sub_byte)
    .effects(LOAD),
    // Sums.
    form(
        "wmma.load.c.sync{.aligned}.layout.shape{.ss}.type  r, [p]{, stride}",
        &[ALIGNED, LAYOUT, K16, SS, SUMS],
    )
    .words(2)
    .operands("r=_frag.type*? p:<addr stride:u32")
    .rule(sum)
    .effects(LOAD),
    form(
        "wmma.load.c.sync{.aligned}.layout.shape{.ss}.type  r, [p]{, stride}",
        &[ALIGNED, LAYOUT, K8, SS, F32],
    )
    .words(2)
    .operands("r=_frag.type*? p:<addr stride:u32")
    .since(SM80)
    .rule(sum)
    .effects(LOAD),
    form(
        "wmma.load.c.sync{.aligned}.layout.shape{.ss}.type  r, [p]{, stride}",
        &[ALIGNED, LAYOUT, K4, SS, F64],
    )
    .words(2)
    .operands("r=_frag.type*? p:<addr stride:u32")
    .since(SM80)
    .rule(sum)
    .effects(LOAD),
    form(
        "wmma.load.c.sync{.aligned}.layout.shape{.ss}.type  r, [p]{, stride}",
        &[ALIGNED, LAYOUT, SMALL_SUMS, SS, S32],
    )
    .words(2)
    .operands("r=_frag.type*? p:<addr stride:u32")
    .since(SM75)
    .rule(sum)
    .effects(LOAD),
    form(
        "wmma.store.d.sync{.aligned}.layout.shape{.ss}.type  [p], r{, stride}",
        &[ALIGNED, LAYOUT, K16, SS, SUMS],
    )
    .words(2)
    .operands("p:<addr r:frag.type*? stride:u32")
    .rule(sum)
    .effects(STORE),
    form(
        "wmma.store.d.sync{.aligned}.layout.shape{.ss}.type  [p], r{, stride}",
        &[ALIGNED, LAYOUT, K8, SS, F32],
    )
    .words(2)
    .operands("p:<addr r:frag.type*? stride:u32")
    .since(SM80)
    .rule(sum)
    .effects(STORE),
    form(
        "wmma.store.d.sync{.aligned}.layout.shape{.ss}.type  [p], r{, stride}",
        &[ALIGNED, LAYOUT, K4, SS, F64],
    )
    .words(2)
    .operands("p:<addr r:frag.type*? stride:u32")
    .since(SM80)
    .rule(sum)
    .effects(STORE),
    form(
        "wmma.store.d.sync{.aligned}.layout.shape{.ss}.type  [p], r{, stride}",
        &[ALIGNED, LAYOUT, SMALL_SUMS, SS, S32],
    )
    .words(2)
    .operands("p:<addr r:frag.type*? stride:u32")
    .since(SM75)
    .rule(sum)
    .effects(STORE),
    // Products: half precision.
    form(
        "wmma.mma.sync{.aligned}.alayout.blayout.shape.dtype.ctype{.satfinite}  d, a, b, c",
        &[
            ALIGNED,
            ALAYOUT,
            BLAYOUT,
            K16,
            set("dtype", &[(".f16 .f32", ALWAYS)]),
            set("ctype", &[(".f16 .f32", ALWAYS)]),
        ],
    )
    .words(1)
    .operands("d=_frag.dtype*? a:frag.f16x2*? b:frag.f16x2*? c:frag.ctype*?")
    .rule(half_product)
    .effects(MMA),
    // Integers.
    form(
        "wmma.mma.sync{.aligned}.alayout.blayout.shape{.satfinite}.dtype.atype.btype.ctype  d, a, b, c",
        &[
            ALIGNED,
            ALAYOUT,
            BLAYOUT,
            K16,
            D_S32,
            set("atype", &[(".s8 .u8", ALWAYS)]),
            set("btype", &[(".s8 .u8", ALWAYS)]),
            C_S32,
        ],
    )
    .words(1)
    .operands(PRODUCT)
    .since(SM72)
    .rule(product)
    .effects(MMA),
    // Alternate floating point.
    form(
        "wmma.mma.sync{.aligned}.alayout.blayout.shape.dtype.atype.btype.ctype  d, a, b, c",
        &[
            ALIGNED,
            ALAYOUT,
            BLAYOUT,
            K16,
            D_F32,
            set("atype", &[(".bf16", ALWAYS)]),
            set("btype", &[(".bf16", ALWAYS)]),
            C_F32,
        ],
    )
    .words(1)
    .operands(PRODUCT)
    .since(SM80)
    .rule(product)
    .effects(MMA),
    form(
        "wmma.mma.sync{.aligned}.alayout.blayout.shape.dtype.atype.btype.ctype  d, a, b, c",
        &[
            ALIGNED,
            ALAYOUT,
            BLAYOUT,
            K8,
            D_F32,
            set("atype", &[(".tf32", ALWAYS)]),
            set("btype", &[(".tf32", ALWAYS)]),
            C_F32,
        ],
    )
    .words(1)
    .operands(PRODUCT)
    .since(SM80)
    .rule(product)
    .effects(MMA),
    // Double precision.
    form(
        "wmma.mma.sync{.aligned}.alayout.blayout.shape{.rnd}.dtype.atype.btype.ctype  d, a, b, c",
        &[
            ALIGNED,
            ALAYOUT,
            BLAYOUT,
            K4,
            RND,
            set("dtype", &[(".f64", ALWAYS)]),
            set("atype", &[(".f64", ALWAYS)]),
            set("btype", &[(".f64", ALWAYS)]),
            set("ctype", &[(".f64", ALWAYS)]),
        ],
    )
    .words(1)
    .operands(PRODUCT)
    .since(SM80)
    .rule(product)
    .effects(MMA),
    // Sub-byte integers and single bits.
    form(
        "wmma.mma.sync{.aligned}.row.col.shape{.satfinite}.dtype.atype.btype.ctype  d, a, b, c",
        &[
            ALIGNED,
            K32,
            D_S32,
            set("atype", &[(".s4 .u4", ALWAYS)]),
            set("btype", &[(".s4 .u4", ALWAYS)]),
            C_S32,
        ],
    )
    .words(1)
    .operands(PRODUCT)
    .since(SM75)
    .rule(product)
    .effects(MMA),
    form(
        "wmma.mma.op.popc.sync{.aligned}.row.col.shape.dtype.atype.btype.ctype  d, a, b, c",
        &[
            set(
                "op",
                &[(".xor", ALWAYS), (".and", Gate(&[at_least(80, v(7, 1))]))],
            ),
            ALIGNED,
            K128,
            D_S32,
            set("atype", &[(".b1", ALWAYS)]),
            set("btype", &[(".b1", ALWAYS)]),
            C_S32,
        ],
    )
    .words(1)
    .operands(PRODUCT)
    .since(SM75)
    .rule(product)
    .effects(MMA),
];

/// `.aligned` came with PTX 6.3 and must be there since.
fn check_aligned(view: &RuleView<'_>) -> Result<(), Violation> {
    if view.has("aligned") {
        return Ok(());
    }
    let missing = Violation::modifiers("`.aligned` is missing")
        .help("write `.aligned` after `.sync`; modules older than PTX 6.3 do without");
    view.gone_since(v(6, 3), missing)
}

fn expect_multiplicand(
    view: &RuleView<'_>,
    operand: &'static str,
    is_a: bool,
    ty: ScalarType,
) -> Result<(), Violation> {
    let Dims { m, n, k } = Dims::of(view);
    let elements = if is_a { m * k } else { k * n };
    let count = match ty {
        ScalarType::F16 => 8,
        _ => registers(elements, element_bits(ty)),
    };
    expect_registers(view, operand, count)
}

fn load(view: &RuleView<'_>) -> Result<(), Violation> {
    check_aligned(view)?;
    let is_a = view.token("matrix") == Some(".a");
    expect_multiplicand(view, "r", is_a, slot_type(view, "type"))
}

/// Elements smaller than a byte: A by rows, B by columns.
fn load_sub_byte(view: &RuleView<'_>) -> Result<(), Violation> {
    let wanted = match view.token("matrix") {
        Some(".a") => ".row",
        _ => ".col",
    };
    if view.token("layout") != Some(wanted) {
        return Err(Violation::modifiers(format!(
            "with elements smaller than a byte this matrix is `{wanted}`"
        )));
    }
    load(view)
}

fn expect_sum(view: &RuleView<'_>, operand: &'static str, slot: &str) -> Result<(), Violation> {
    let Dims { m, n, .. } = Dims::of(view);
    let bits = element_bits(slot_type(view, slot));
    expect_registers(view, operand, registers(m * n, bits))
}

fn sum(view: &RuleView<'_>) -> Result<(), Violation> {
    check_aligned(view)?;
    expect_sum(view, "r", "type")
}

fn product(view: &RuleView<'_>) -> Result<(), Violation> {
    check_aligned(view)?;
    if view.token("atype") != view.token("btype") {
        return Err(Violation::modifiers("A and B must be of the same type"));
    }
    expect_sum(view, "d", "dtype")?;
    expect_multiplicand(view, "a", true, slot_type(view, "atype"))?;
    expect_multiplicand(view, "b", false, slot_type(view, "btype"))?;
    expect_sum(view, "c", "ctype")
}

fn half_product(view: &RuleView<'_>) -> Result<(), Violation> {
    check_aligned(view)?;
    if view.has("satfinite") {
        let message = "`.satfinite` is gone from floating-point products since PTX 6.5";
        view.gone_since(v(6, 5), Violation::modifiers(message))?;
    }
    expect_sum(view, "d", "dtype")?;
    expect_multiplicand(view, "a", true, ScalarType::F16)?;
    expect_multiplicand(view, "b", false, ScalarType::F16)?;
    expect_sum(view, "c", "ctype")
}

#[cfg(test)]
mod tests {
    fn accepted(version: &str, instruction: &str) -> bool {
        let text = format!(
            ".version {version}\n.target sm_70\n.address_size 64\n.entry k() {{ .reg .b32 %r<8>; \
             .reg .b64 %a; {instruction} ret; }}"
        );
        let file = warpc_diag::SourceFile::new("k.ptx", text).unwrap();
        let parsed = crate::parse(&file);
        !parsed.diagnostics.has_errors()
            && !crate::verify(parsed.value.as_ref().unwrap(), Some(&file)).has_errors()
    }

    /// The recorded tables ask the newest version only; these forms are gone there.
    #[test]
    fn forms_of_old_versions() {
        let eight = "{%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}";
        let load = format!("wmma.load.a.sync.row.m16n16k16.f16 {eight}, [%a];");
        let aligned = load.replace(".sync", ".sync.aligned");
        assert!(accepted("6.2", &load) && !accepted("6.3", &load));
        assert!(!accepted("6.2", &aligned) && accepted("6.3", &aligned));
        let four = "{%r0,%r1,%r2,%r3}";
        let product = format!(
            "wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16.satfinite {four}, {eight}, {eight}, {four};"
        );
        assert!(accepted("6.4", &product) && !accepted("6.5", &product));
    }
}
