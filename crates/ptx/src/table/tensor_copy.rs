//! Copies of tensors, the maps that describe them, and the cancelling of launches.
//!
//! The number of coordinates follows from the dimension, that of the im2col operands from the mode
//! ([`check_coordinates`]); whether there is a mask or a cache policy from the modifiers. Loads to
//! `.shared::cta` came later than those to `.shared::cluster`, but with the wider choice of chips
//! for the newer modes.

use super::gates::{ALWAYS, SPECIFIC, v};
use super::sets::{CACHE_HINT, SCOPE};
use crate::inst::Choice;
use crate::row::{Effects, Row, Set, form, set};
use crate::rule::{RuleView, Violation};
use warpc_target::{Gate, arch, at_least, family};

const COPY: Effects = Effects::READ.union(Effects::WRITE);

/// sm_90 with PTX 8.0.
const TENSOR: Gate = Gate(&[at_least(90, v(8, 0))]);
/// sm_90 with PTX 8.6: loads that stay in the block.
const TO_CTA: Gate = Gate(&[at_least(90, v(8, 6))]);
/// sm_100, every variant.
const SM100: Gate = Gate(&[at_least(100, v(8, 6))]);
/// The data-centre chips: families of sm_100 and sm_101, and not sm_120.
const TCGEN: Gate = Gate(&[
    arch(100, v(8, 6)),
    arch(101, v(8, 6)),
    family(100, v(8, 8)),
    family(101, v(8, 8)),
]);
/// The same with sm_90a.
const REPLACE: Gate = Gate(&[
    arch(90, v(8, 3)),
    arch(100, v(8, 6)),
    arch(101, v(8, 6)),
    arch(120, v(8, 7)),
    family(100, v(8, 8)),
    family(101, v(8, 8)),
    family(120, v(8, 8)),
]);
const FENCEPROXY: Gate = Gate(&[at_least(90, v(8, 3))]);
/// The `a` and `f` targets of sm_107: maps with parts replaced, reports to the barrier, wide masks.
pub(super) const FAMILY_107: Gate = Gate(&[family(107, v(9, 4))]);

/// The map's address is replaced for this copy.
pub(super) const OVERRIDE_ADDRESS: Set = set(
    "override::global_address",
    &[(".override::global_address", FAMILY_107)],
);
/// What the barrier learns beside the bytes that arrived.
pub(super) const REPORT: Set = set(
    "report_mechanism",
    &[
        (".mbarrier::report::disabled", FAMILY_107),
        (
            ".mbarrier::report::validity::per_16bytes::80000000 .mbarrier::report::validity::per_16bytes::8000 \
             .mbarrier::report::validity::per_16bytes::80 .mbarrier::report::validity::per_16bytes::8 \
             .mbarrier::report::validity::per_element::ff",
            FAMILY_107,
        ),
    ],
);
/// Keep what is fetched.
const EVICT_LAST: Set = set("L2::evict_last", &[(".L2::evict_last", FAMILY_107)]);

/// Tensors with strides of their own.
pub(super) const DIM_WIDE: Set = set("dim", &[(".2d .3d .4d .5d", ALWAYS)]);
const DIM: Set = set("dim", &[(".1d .2d .3d .4d .5d", ALWAYS)]);
const DIM_IM2COL: Set = set("dim", &[(".3d .4d .5d", ALWAYS)]);
const TILE_TO_CTA: Set = set("load_mode", &[(".tile", ALWAYS), (".tile::gather4", SM100)]);
const TILE: Set = set("load_mode", &[(".tile", ALWAYS), (".tile::gather4", TCGEN)]);
const IM2COL_TO_CTA: Set = set(
    "load_mode",
    &[
        (".im2col", ALWAYS),
        (".im2col::w", SM100),
        (".im2col::w::128", TCGEN),
    ],
);
const IM2COL: Set = set(
    "load_mode",
    &[(".im2col", ALWAYS), (".im2col::w .im2col::w::128", TCGEN)],
);
const STORE_MODE: Set = set(
    "load_mode",
    &[
        (".tile .im2col_no_offs", ALWAYS),
        (".tile::scatter4", TCGEN),
    ],
);
const CTA_GROUP: Set = set("cta_group", &[(".cta_group::1 .cta_group::2", TCGEN)]);
const RED_OP: Set = set(
    "redOp",
    &[(".add .min .max .inc .dec .and .or .xor", ALWAYS)],
);

const SPACE: Set = set("ss", &[(".global .shared::cta", ALWAYS)]);
const FIELD_ORD: Set = set(
    "field2",
    &[(".box_dim .global_dim .element_stride", ALWAYS)],
);
const FIELD_CONST: Set = set(
    "field3",
    &[
        (
            ".elemtype .interleave_layout .swizzle_mode .fill_mode",
            ALWAYS,
        ),
        (".swizzle_atomicity", SPECIFIC),
    ],
);
const CTA_SPACE: Set = set("space", &[(".shared::cta", ALWAYS)]);
const MULTICAST_ALL: Set = set(
    "multicast::cluster::all",
    &[(".multicast::cluster::all", SPECIFIC)],
);
const FIRST_CTAID: Set = set(
    "get_first_ctaid::dimension",
    &[(
        ".get_first_ctaid::x .get_first_ctaid::y .get_first_ctaid::z",
        ALWAYS,
    )],
);

/// The section's forms.
pub static ROWS: &[Row] = &[
    // Global to shared memory of the block.
    form(
        "cp.async.bulk.tensor.dim.shared::cta.global{.load_mode}.mbarrier::complete_tx::bytes{.cta_group}{.report_mechanism}{.level::cache_hint}{.override::global_address}  [dstMem], [tensorMap{, address}, tensorCoords], [mbar]{, cache_policy}",
        &[DIM, TILE_TO_CTA, CTA_GROUP, REPORT, CACHE_HINT, OVERRIDE_ADDRESS],
    )
    .words(3)
    .only(four_rows_are_2d)
    .operands(
        "dstMem:addr.shared::cta tensorMap:addr.global address:%u64?override::global_address tensorCoords:s32*? mbar:addr.shared::cta cache_policy:u64?level::cache_hint",
    )
    .rule(check_coordinates)
    .since(TO_CTA)
    .effects(COPY),
    form(
        "cp.async.bulk.tensor.dim.shared::cta.global.load_mode.mbarrier::complete_tx::bytes{.cta_group}{.report_mechanism}{.level::cache_hint}{.override::global_address}  [dstMem], [tensorMap{, address}, tensorCoords], [mbar], im2colInfo{, cache_policy}",
        &[DIM_IM2COL, IM2COL_TO_CTA, CTA_GROUP, REPORT, CACHE_HINT, OVERRIDE_ADDRESS],
    )
    .words(3)
    .operands(
        "dstMem:addr.shared::cta tensorMap:addr.global address:%u64?override::global_address tensorCoords:s32*? mbar:addr.shared::cta im2colInfo:u16*? cache_policy:u64?level::cache_hint",
    )
    .rule(check_coordinates)
    .since(TO_CTA)
    .effects(COPY),
    // Global to shared memory of one or many blocks of the cluster.
    form(
        "cp.async.bulk.tensor.dim.shared::cluster.global{.load_mode}.mbarrier::complete_tx::bytes{.multicast::cluster}{.cta_group}{.report_mechanism}{.level::cache_hint}{.override::global_address}  [dstMem], [tensorMap{, address}, tensorCoords], [mbar]{, ctaMask}{, cache_policy}",
        &[DIM, TILE, CTA_GROUP, REPORT, CACHE_HINT, OVERRIDE_ADDRESS],
    )
    .words(3)
    .only(four_rows_are_2d)
    .operands(
        "dstMem:addr.shared::cluster tensorMap:addr.global address:%u64?override::global_address tensorCoords:s32*? mbar:addr.shared::cluster ctaMask:u16(0..65535)?multicast::cluster cache_policy:u64?level::cache_hint",
    )
    .rule(check_coordinates)
    .since(TENSOR)
    .effects(COPY),
    form(
        "cp.async.bulk.tensor.dim.shared::cluster.global{.load_mode}.mbarrier::complete_tx::bytes.multicast::cluster::32b{.cta_group}{.report_mechanism}{.level::cache_hint}{.override::global_address}  [dstMem], [tensorMap{, address}, tensorCoords], [mbar], ctaMask{, cache_policy}",
        &[DIM, TILE, CTA_GROUP, REPORT, CACHE_HINT, OVERRIDE_ADDRESS],
    )
    .words(3)
    .only(four_rows_are_2d)
    .operands(
        "dstMem:addr.shared::cluster tensorMap:addr.global address:%u64?override::global_address tensorCoords:s32*? mbar:addr.shared::cluster ctaMask:u32(0..4294967295) cache_policy:u64?level::cache_hint",
    )
    .rule(check_coordinates)
    .since(FAMILY_107)
    .effects(COPY),
    form(
        "cp.async.bulk.tensor.dim.shared::cluster.global.load_mode.mbarrier::complete_tx::bytes{.multicast::cluster}{.cta_group}{.report_mechanism}{.level::cache_hint}{.override::global_address}  [dstMem], [tensorMap{, address}, tensorCoords], [mbar], im2colInfo{, ctaMask}{, cache_policy}",
        &[DIM_IM2COL, IM2COL, CTA_GROUP, REPORT, CACHE_HINT, OVERRIDE_ADDRESS],
    )
    .words(3)
    .operands(
        "dstMem:addr.shared::cluster tensorMap:addr.global address:%u64?override::global_address tensorCoords:s32*? mbar:addr.shared::cluster im2colInfo:u16*? ctaMask:u16(0..65535)?multicast::cluster cache_policy:u64?level::cache_hint",
    )
    .rule(check_coordinates)
    .since(TENSOR)
    .effects(COPY),
    form(
        "cp.async.bulk.tensor.dim.shared::cluster.global.load_mode.mbarrier::complete_tx::bytes.multicast::cluster::32b{.cta_group}{.report_mechanism}{.level::cache_hint}{.override::global_address}  [dstMem], [tensorMap{, address}, tensorCoords], [mbar], im2colInfo, ctaMask{, cache_policy}",
        &[DIM_IM2COL, IM2COL, CTA_GROUP, REPORT, CACHE_HINT, OVERRIDE_ADDRESS],
    )
    .words(3)
    .operands(
        "dstMem:addr.shared::cluster tensorMap:addr.global address:%u64?override::global_address tensorCoords:s32*? mbar:addr.shared::cluster im2colInfo:u16*? ctaMask:u32(0..4294967295) cache_policy:u64?level::cache_hint",
    )
    .rule(check_coordinates)
    .since(FAMILY_107)
    .effects(COPY),
    // Shared to global memory.
    form(
        "cp.async.bulk.tensor.dim.global.shared::cta{.load_mode}.bulk_group{.level::cache_hint}{.override::global_address}  [tensorMap{, address}, tensorCoords], [srcMem]{, cache_policy}",
        &[DIM, STORE_MODE, CACHE_HINT, OVERRIDE_ADDRESS],
    )
    .words(3)
    .only(four_rows_are_2d)
    .operands(
        "tensorMap:addr.global address:%u64?override::global_address tensorCoords:s32*? srcMem:addr.shared::cta cache_policy:u64?level::cache_hint",
    )
    .rule(check_coordinates)
    .since(TENSOR)
    .effects(COPY),
    form(
        "cp.reduce.async.bulk.tensor.dim.global.shared::cta.redOp{.load_mode}.bulk_group{.level::cache_hint}{.override::global_address}  [tensorMap{, address}, tensorCoords], [srcMem]{, cache_policy}",
        &[DIM, RED_OP, STORE_MODE, CACHE_HINT, OVERRIDE_ADDRESS],
    )
    .words(4)
    .only(four_rows_are_2d)
    .operands(
        "tensorMap:addr.global address:%u64?override::global_address tensorCoords:s32*? srcMem:addr.shared::cta cache_policy:u64?level::cache_hint",
    )
    .rule(check_coordinates)
    .since(TENSOR)
    .effects(COPY),
    // Global memory to the L2 cache.
    form(
        "cp.async.bulk.prefetch.tensor.dim.L2.global{.load_mode}{.level::cache_hint}{.L2::evict_last}{.override::global_address}  [tensorMap{, address}, tensorCoords]{, cache_policy}",
        &[DIM, TILE, CACHE_HINT, EVICT_LAST, OVERRIDE_ADDRESS],
    )
    .words(4)
    .only(four_rows_are_2d)
    .operands(
        "tensorMap:addr.global address:%u64?override::global_address tensorCoords:s32*? cache_policy:u64?level::cache_hint",
    )
    .rule(check_coordinates)
    .since(TENSOR)
    .effects(Effects::READ),
    form(
        "cp.async.bulk.prefetch.tensor.dim.L2.global.load_mode{.level::cache_hint}{.L2::evict_last}{.override::global_address}  [tensorMap{, address}, tensorCoords], im2colInfo{, cache_policy}",
        &[DIM_IM2COL, IM2COL, CACHE_HINT, EVICT_LAST, OVERRIDE_ADDRESS],
    )
    .words(4)
    .only(one_cache_hint)
    .operands(
        "tensorMap:addr.global address:%u64?override::global_address tensorCoords:s32*? im2colInfo:u16*? cache_policy:u64?level::cache_hint",
    )
    .rule(check_coordinates)
    .since(TENSOR)
    .effects(Effects::READ),
    // With the map's extents and strides replaced, too.
    form(
        "cp.async.bulk.tensor.1d.shared::cta.global{.tile}.mbarrier::complete_tx::bytes{.cta_group}{.report_mechanism}{.level::cache_hint}.override::global_address.override::global_dim  [dstMem], [tensorMap, address, dims, tensorCoords], [mbar]{, cache_policy}",
        &[CTA_GROUP, REPORT, CACHE_HINT],
    )
    .words(3)
    .operands(
        "dstMem:addr.shared::cta tensorMap:addr.global address:%u64 dims:u16*1 tensorCoords:s32*1 mbar:addr.shared::cta cache_policy:u64?level::cache_hint",
    )
    .rule(check_coordinates)
    .since(FAMILY_107)
    .effects(COPY),
    form(
        "cp.async.bulk.tensor.dim.shared::cta.global{.tile}.mbarrier::complete_tx::bytes{.cta_group}{.report_mechanism}{.level::cache_hint}.override::global_address.override::global_dim_stride  [dstMem], [tensorMap, address, dims, strides, strides_high, tensorCoords], [mbar]{, cache_policy}",
        &[DIM_WIDE, CTA_GROUP, REPORT, CACHE_HINT],
    )
    .words(3)
    .operands(
        "dstMem:addr.shared::cta tensorMap:addr.global address:%u64 dims:u16*? strides:b32*? strides_high:%u16 tensorCoords:b32*? mbar:addr.shared::cta cache_policy:u64?level::cache_hint",
    )
    .rule(check_coordinates)
    .since(FAMILY_107)
    .effects(COPY),
    form(
        "cp.async.bulk.tensor.1d.shared::cluster.global{.tile}.mbarrier::complete_tx::bytes{.multicast::cluster::32b}{.cta_group}{.report_mechanism}{.level::cache_hint}.override::global_address.override::global_dim  [dstMem], [tensorMap, address, dims, tensorCoords], [mbar]{, ctaMask}{, cache_policy}",
        &[CTA_GROUP, REPORT, CACHE_HINT],
    )
    .words(3)
    .operands(
        "dstMem:addr.shared::cluster tensorMap:addr.global address:%u64 dims:u16*1 tensorCoords:s32*1 mbar:addr.shared::cluster ctaMask:u32(0..4294967295)?multicast::cluster::32b cache_policy:u64?level::cache_hint",
    )
    .rule(check_coordinates)
    .since(FAMILY_107)
    .effects(COPY),
    form(
        "cp.async.bulk.tensor.dim.shared::cluster.global{.tile}.mbarrier::complete_tx::bytes{.multicast::cluster::32b}{.cta_group}{.report_mechanism}{.level::cache_hint}.override::global_address.override::global_dim_stride  [dstMem], [tensorMap, address, dims, strides, strides_high, tensorCoords], [mbar]{, ctaMask}{, cache_policy}",
        &[DIM_WIDE, CTA_GROUP, REPORT, CACHE_HINT],
    )
    .words(3)
    .operands(
        "dstMem:addr.shared::cluster tensorMap:addr.global address:%u64 dims:u16*? strides:b32*? strides_high:%u16 tensorCoords:b32*? mbar:addr.shared::cluster ctaMask:u32(0..4294967295)?multicast::cluster::32b cache_policy:u64?level::cache_hint",
    )
    .rule(check_coordinates)
    .since(FAMILY_107)
    .effects(COPY),
    form(
        "cp.async.bulk.tensor.1d.global.shared::cta{.tile}.bulk_group{.level::cache_hint}.override::global_address.override::global_dim  [tensorMap, address, dims, tensorCoords], [srcMem]{, cache_policy}",
        &[CACHE_HINT],
    )
    .words(3)
    .operands(
        "tensorMap:addr.global address:%u64 dims:u16*1 tensorCoords:s32*1 srcMem:addr.shared::cta cache_policy:u64?level::cache_hint",
    )
    .rule(check_coordinates)
    .since(FAMILY_107)
    .effects(COPY),
    form(
        "cp.async.bulk.tensor.dim.global.shared::cta{.tile}.bulk_group{.level::cache_hint}.override::global_address.override::global_dim_stride  [tensorMap, address, dims, strides, strides_high, tensorCoords], [srcMem]{, cache_policy}",
        &[DIM_WIDE, CACHE_HINT],
    )
    .words(3)
    .operands(
        "tensorMap:addr.global address:%u64 dims:u16*? strides:b32*? strides_high:%u16 tensorCoords:b32*? srcMem:addr.shared::cta cache_policy:u64?level::cache_hint",
    )
    .rule(check_coordinates)
    .since(FAMILY_107)
    .effects(COPY),
    form(
        "cp.reduce.async.bulk.tensor.1d.global.shared::cta.redOp{.tile}.bulk_group{.level::cache_hint}.override::global_address.override::global_dim  [tensorMap, address, dims, tensorCoords], [srcMem]{, cache_policy}",
        &[RED_OP, CACHE_HINT],
    )
    .words(4)
    .operands(
        "tensorMap:addr.global address:%u64 dims:u16*1 tensorCoords:s32*1 srcMem:addr.shared::cta cache_policy:u64?level::cache_hint",
    )
    .rule(check_coordinates)
    .since(FAMILY_107)
    .effects(COPY),
    form(
        "cp.reduce.async.bulk.tensor.dim.global.shared::cta.redOp{.tile}.bulk_group{.level::cache_hint}.override::global_address.override::global_dim_stride  [tensorMap, address, dims, strides, strides_high, tensorCoords], [srcMem]{, cache_policy}",
        &[DIM_WIDE, RED_OP, CACHE_HINT],
    )
    .words(4)
    .operands(
        "tensorMap:addr.global address:%u64 dims:u16*? strides:b32*? strides_high:%u16 tensorCoords:b32*? srcMem:addr.shared::cta cache_policy:u64?level::cache_hint",
    )
    .rule(check_coordinates)
    .since(FAMILY_107)
    .effects(COPY),
    form(
        "cp.async.bulk.prefetch.tensor.1d.L2.global{.tile}{.level::cache_hint}{.L2::evict_last}.override::global_address.override::global_dim  [tensorMap, address, dims, tensorCoords]{, cache_policy}",
        &[CACHE_HINT, EVICT_LAST],
    )
    .words(4)
    .only(one_cache_hint)
    .operands(
        "tensorMap:addr.global address:%u64 dims:u16*1 tensorCoords:s32*1 cache_policy:u64?level::cache_hint",
    )
    .rule(check_coordinates)
    .since(FAMILY_107)
    .effects(Effects::READ),
    form(
        "cp.async.bulk.prefetch.tensor.dim.L2.global{.tile}{.level::cache_hint}{.L2::evict_last}.override::global_address.override::global_dim_stride  [tensorMap, address, dims, strides, strides_high, tensorCoords]{, cache_policy}",
        &[DIM_WIDE, CACHE_HINT, EVICT_LAST],
    )
    .words(4)
    .only(one_cache_hint)
    .operands(
        "tensorMap:addr.global address:%u64 dims:u16*? strides:b32*? strides_high:%u16 tensorCoords:b32*? cache_policy:u64?level::cache_hint",
    )
    .rule(check_coordinates)
    .since(FAMILY_107)
    .effects(Effects::READ),
    // Fields of a map.
    form(
        "tensormap.replace.tile.global_address{.ss}.b1024.b64  [addr], new_val",
        &[SPACE],
    )
    .words(1)
    .operands("addr:addr new_val:b64")
    .since(REPLACE)
    .effects(Effects::WRITE),
    form(
        "tensormap.replace.tile.rank{.ss}.b1024.b32  [addr], new_val",
        &[SPACE],
    )
    .words(1)
    .operands("addr:addr new_val:b32")
    .since(REPLACE)
    .effects(Effects::WRITE),
    form(
        "tensormap.replace.tile.field2{.ss}.b1024.b32  [addr], ord, new_val",
        &[FIELD_ORD, SPACE],
    )
    .words(1)
    .operands("addr:addr ord:#u32(0..4) new_val:u32")
    .since(REPLACE)
    .effects(Effects::WRITE),
    form(
        "tensormap.replace.tile.global_stride{.ss}.b1024.b64  [addr], ord, new_val",
        &[SPACE],
    )
    .words(1)
    .operands("addr:addr ord:#u32(0..4) new_val:b64")
    .since(REPLACE)
    .effects(Effects::WRITE),
    form(
        "tensormap.replace.tile.field3{.ss}.b1024.b32  [addr], new_val",
        &[FIELD_CONST, SPACE],
    )
    .words(1)
    .operands("addr:addr new_val:#u32")
    .rule(check_field)
    .since(REPLACE)
    .effects(Effects::WRITE),
    form(
        "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.scope.sync.aligned  [dst], [src], size",
        &[SCOPE],
    )
    .words(1)
    .operands("dst:addr.global src:addr.shared::cta size:#u32(128..128)")
    .since(FENCEPROXY)
    .effects(COPY.union(Effects::SYNC).union(Effects::CONVERGENT)),
    // Launches that have not begun.
    form(
        "clusterlaunchcontrol.try_cancel.async{.space}.mbarrier::complete_tx::bytes{.multicast::cluster::all}.b128  [addr], [mbar]",
        &[CTA_SPACE, MULTICAST_ALL],
    )
    .words(2)
    .operands("addr:addr mbar:addr")
    .since(SM100)
    .effects(COPY.union(Effects::OBSERVABLE)),
    form(
        "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128  pred, response",
        &[],
    )
    .words(1)
    .operands("pred=pred response:b128")
    .since(SM100),
    form(
        "clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128  xyzw, response",
        &[],
    )
    .words(1)
    .operands("xyzw=_b32*4 response:b128")
    .since(SM100),
    form(
        "clusterlaunchcontrol.query_cancel.get_first_ctaid::dimension.b32.b128  d, response",
        &[FIRST_CTAID],
    )
    .words(1)
    .operands("d=b32 response:b128")
    .since(SM100),
];

/// A policy or a priority.
fn one_cache_hint(choice: &Choice) -> Result<(), &'static str> {
    if choice.token("level::cache_hint").is_some() && choice.token("L2::evict_last").is_some() {
        return Err("a cache policy leaves no room for a priority");
    }
    Ok(())
}

/// Gathering and scattering of four rows is for two dimensions, im2col stores for three and more.
fn four_rows_are_2d(choice: &Choice) -> Result<(), &'static str> {
    one_cache_hint(choice)?;
    let dim = choice.token("dim");
    match choice.token("load_mode") {
        Some(".tile::gather4" | ".tile::scatter4") if dim != Some(".2d") => {
            Err("four rows at once are of two-dimensional tensors")
        }
        Some(".im2col_no_offs") if matches!(dim, Some(".1d" | ".2d")) => {
            Err("im2col needs three dimensions or more")
        }
        _ => Ok(()),
    }
}

pub(super) fn check_coordinates(view: &RuleView<'_>) -> Result<(), Violation> {
    let dim = view
        .token("dim")
        .and_then(|token| token[1..2].parse::<usize>().ok())
        .unwrap_or(1);
    let mode = view.token("load_mode");
    let (wanted, why) = match mode {
        // A column and four rows.
        Some(".tile::gather4" | ".tile::scatter4") => (5, "four rows"),
        _ => (dim, "the dimension"),
    };
    let given = view.vector_len("tensorCoords");
    if given != wanted {
        return Err(Violation::operand(
            "tensorCoords",
            format!("{given} coordinates were given, {why} wants {wanted}"),
        ));
    }
    // The first stride is the size of an element.
    for (name, wanted) in [("dims", dim), ("strides", dim - 1)] {
        let given = view.vector_len(name);
        if view.operand(name).is_some() && given != wanted {
            return Err(Violation::operand(
                name,
                format!("{given} elements were given, the dimension wants {wanted}"),
            ));
        }
    }
    if view.operand("im2colInfo").is_some() {
        let wanted = match mode {
            Some(".im2col") => dim - 2,
            // Halo and offset.
            _ => 2,
        };
        let given = view.vector_len("im2colInfo");
        if given != wanted {
            return Err(Violation::operand(
                "im2colInfo",
                format!("{given} elements were given, the mode wants {wanted}"),
            ));
        }
    }
    Ok(())
}

/// What the fields that take constants may be.
fn check_field(view: &RuleView<'_>) -> Result<(), Violation> {
    let Some(value) = view.int("new_val") else {
        return Ok(());
    };
    let value = value.value();
    let most = match view.token("field3") {
        Some(".elemtype") => 15,
        Some(".interleave_layout") => 2,
        Some(".swizzle_mode") => 4,
        Some(".swizzle_atomicity") => 3,
        _ => 1,
    };
    if !(0..=most).contains(&value) {
        return Err(
            Violation::operand("new_val", format!("{value} is not a value of this field"))
                .help(format!("it takes 0 to {most}")),
        );
    }
    match view.token("field3") {
        // Elements of four and six bits.
        Some(".elemtype") if value > 12 => {
            const NARROW: Gate = Gate(&[at_least(100, v(8, 7))]);
            view.needs(NARROW, "new_val", &format!("element type {value}"))
        }
        // 96 bytes.
        Some(".swizzle_mode") if value > 3 => {
            const BYTES_96: Gate = Gate(&[arch(103, v(8, 8)), arch(107, v(9, 4))]);
            view.needs(BYTES_96, "new_val", &format!("swizzle mode {value}"))
        }
        _ => Ok(()),
    }
}
