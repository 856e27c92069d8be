//! Asynchronous copies, reductions and prefetches of many bytes, and stores of many zeros.
//!
//! A constant size is a multiple of 16 (of 8 for `st.bulk`) up to what the hardware counts.

use super::gates::{ALWAYS, v};
use super::sets::CACHE_HINT;
use super::tensor_copy::{FAMILY_107, REPORT};
use crate::row::{Effects, Row, Set, form, set};
use crate::rule::{RuleView, Violation};
use warpc_target::{Gate, at_least};

const BULK: Gate = Gate(&[at_least(90, v(8, 0))]);
/// Into the block's own shared memory.
const TO_CTA: Gate = Gate(&[at_least(90, v(8, 6))]);
const IGNORE_OOB: Gate = Gate(&[at_least(90, v(9, 2))]);
const CP_MASK: Gate = Gate(&[at_least(100, v(8, 6))]);
const STORE_BULK: Gate = Gate(&[at_least(100, v(8, 6))]);
const STORE_BULK_32: Gate = Gate(&[at_least(100, v(9, 0))]);
const NOFTZ_F32: Gate = Gate(&[at_least(90, v(9, 4))]);

const MULTICAST: Set = set("multicast", &[(".multicast::cluster", ALWAYS)]);
const REPORT_DISABLED: Set = set(
    "report_disabled",
    &[(".mbarrier::report::disabled", FAMILY_107)],
);
const MASK: Set = set("cp_mask", &[(".cp_mask", CP_MASK)]);
const BITWISE: Set = set("redOp", &[(".and .or .xor", ALWAYS)]);
const MINMAX: Set = set("redOp", &[(".min .max", ALWAYS)]);
const INCDEC: Set = set("redOp", &[(".inc .dec", ALWAYS)]);
const B32: Set = set("type", &[(".b32", ALWAYS)]);
const BITS: Set = set("type", &[(".b32 .b64", ALWAYS)]);
const WORD: Set = set("type", &[(".u32 .s32", ALWAYS)]);
const REMOTE_SUM: Set = set("type", &[(".u32 .s32 .u64", ALWAYS)]);
const U32: Set = set("type", &[(".u32", ALWAYS)]);
const SUM: Set = set("type", &[(".u32 .s32 .u64 .f32 .f64", ALWAYS)]);
const ORDERED: Set = set("type", &[(".f16 .bf16 .u32 .s32 .u64 .s64", ALWAYS)]);
const NOFTZ: Set = set("type", &[(".f16 .bf16", ALWAYS), (".f32", NOFTZ_F32)]);

const COPY: Effects = Effects::READ.union(Effects::WRITE);

const fn copy(syntax: &'static str, sets: &'static [Set], operands: &'static str) -> Row {
    form(syntax, sets)
        .operands(operands)
        .since(BULK)
        .words(2)
        .rule(multiple_of_16)
        .effects(COPY)
}

/// A reduction in shared memory of the cluster.
const fn remote_reduce(syntax: &'static str, sets: &'static [Set]) -> Row {
    copy(
        syntax,
        sets,
        "dst:addr.shared::cluster src:addr.shared::cta size:u32(0..1048560) mbar:addr.shared",
    )
    .words(3)
}

/// A reduction in global memory.
const fn reduce(syntax: &'static str, sets: &'static [Set]) -> Row {
    copy(
        syntax,
        sets,
        "dst:addr.global src:addr.shared::cta size:u32(0..1048560) cache_policy:u64?level::cache_hint",
    )
    .words(3)
}

/// The section's forms.
pub static ROWS: &[Row] = &[
    copy(
        "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes{.report_mechanism}{.level::cache_hint}  [dst], [src], size, [mbar]{, cache_policy}",
        &[REPORT, CACHE_HINT],
        "dst:addr.shared::cta src:addr.global size:u32(0..1048560) mbar:addr.shared cache_policy:u64?level::cache_hint",
    )
    .since(TO_CTA),
    copy(
        "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.ignore_oob{.report_disabled}{.level::cache_hint}  [dst], [src], size, ignore_bytes_left, ignore_bytes_right, [mbar]{, cache_policy}",
        &[REPORT_DISABLED, CACHE_HINT],
        "dst:addr.shared::cta src:addr.global size:u32(0..1048560) ignore_bytes_left:u32(0..15) ignore_bytes_right:u32(0..15) mbar:addr.shared cache_policy:u64?level::cache_hint",
    )
    .since(IGNORE_OOB),
    copy(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes{.multicast}{.report_mechanism}{.level::cache_hint}  [dst], [src], size, [mbar]{, cta_mask}{, cache_policy}",
        &[MULTICAST, REPORT, CACHE_HINT],
        "dst:addr.shared::cluster src:addr.global size:u32(0..1048560) mbar:addr.shared cta_mask:u16?multicast cache_policy:u64?level::cache_hint",
    ),
    copy(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster::32b{.report_mechanism}{.level::cache_hint}  [dst], [src], size, [mbar], cta_mask{, cache_policy}",
        &[REPORT, CACHE_HINT],
        "dst:addr.shared::cluster src:addr.global size:u32(0..1048560) mbar:addr.shared cta_mask:u32(0..4294967295) cache_policy:u64?level::cache_hint",
    )
    .since(FAMILY_107),
    copy(
        "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes  [dst], [src], size, [mbar]",
        &[],
        "dst:addr.shared::cluster src:addr.shared::cta size:u32(0..1048560) mbar:addr.shared",
    ),
    copy(
        "cp.async.bulk.global.shared::cta.bulk_group{.level::cache_hint}{.cp_mask}  [dst], [src], size{, cache_policy}{, byte_mask}",
        &[CACHE_HINT, MASK],
        "dst:addr.global src:addr.shared::cta size:u32(0..1048560) cache_policy:u64?level::cache_hint byte_mask:u16?cp_mask",
    ),
    remote_reduce(
        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.redOp.type  [dst], [src], size, [mbar]",
        &[BITWISE, B32],
    ),
    remote_reduce(
        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.type  [dst], [src], size, [mbar]",
        &[REMOTE_SUM],
    ),
    remote_reduce(
        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.redOp.type  [dst], [src], size, [mbar]",
        &[INCDEC, U32],
    ),
    remote_reduce(
        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.redOp.type  [dst], [src], size, [mbar]",
        &[MINMAX, WORD],
    ),
    reduce(
        "cp.reduce.async.bulk.global.shared::cta.bulk_group{.level::cache_hint}.redOp.type  [dst], [src], size{, cache_policy}",
        &[CACHE_HINT, BITWISE, BITS],
    ),
    reduce(
        "cp.reduce.async.bulk.global.shared::cta.bulk_group{.level::cache_hint}.add.type  [dst], [src], size{, cache_policy}",
        &[CACHE_HINT, SUM],
    ),
    reduce(
        "cp.reduce.async.bulk.global.shared::cta.bulk_group{.level::cache_hint}.redOp.type  [dst], [src], size{, cache_policy}",
        &[CACHE_HINT, INCDEC, U32],
    ),
    reduce(
        "cp.reduce.async.bulk.global.shared::cta.bulk_group{.level::cache_hint}.redOp.type  [dst], [src], size{, cache_policy}",
        &[CACHE_HINT, MINMAX, ORDERED],
    ),
    reduce(
        "cp.reduce.async.bulk.global.shared::cta.bulk_group{.level::cache_hint}.add.noftz.type  [dst], [src], size{, cache_policy}",
        &[CACHE_HINT, NOFTZ],
    ),
    copy(
        "cp.async.bulk.prefetch.L2.global{.level::cache_hint}  [src], size{, cache_policy}",
        &[CACHE_HINT],
        "src:addr.global size:u32(0..1048560) cache_policy:u64?level::cache_hint",
    )
    .words(3)
    .effects(Effects::READ),
    copy(
        "cp.async.bulk.prefetch.L2.global.L2::evict_last  [src], size",
        &[],
        "src:addr.global size:u32(0..1048560)",
    )
    .since(FAMILY_107)
    .words(3)
    .effects(Effects::READ),
    copy(
        "applypriority.async.bulk{.global}.bulk_group.L2::evict_normal  [src], size",
        &[],
        "src:addr.global size:u32(0..1048560)",
    )
    .since(FAMILY_107)
    .effects(Effects::READ),
    form("cp.async.bulk.commit_group", &[]).since(BULK).words(3).effects(Effects::SYNC),
    form("cp.async.bulk.wait_group{.read}  n", &[])
        .operands("n:#u32")
        .since(BULK)
        .words(3)
        .effects(Effects::SYNC),
    form("st.bulk{.weak}{.shared::cta}  [a], size, initval", &[])
        .operands("a:addr.shared::cta size:u64(0..16777216) initval:#u64(0..0)")
        .since(STORE_BULK)
        .words(1)
        .rule(multiple_of_8)
        .effects(Effects::WRITE),
    form("st.bulk{.weak}{.shared::cta}  [a], size, initval", &[])
        .operands("a:addr.shared::cta size:%u32 initval:#u64(0..0)")
        .since(STORE_BULK_32)
        .words(1)
        .effects(Effects::WRITE),
];

fn multiple_of_16(view: &RuleView<'_>) -> Result<(), Violation> {
    multiple(view, 16)
}

fn multiple_of_8(view: &RuleView<'_>) -> Result<(), Violation> {
    multiple(view, 8)
}

fn multiple(view: &RuleView<'_>, unit: i128) -> Result<(), Violation> {
    match view.int("size") {
        Some(size) if size.value() % unit != 0 => Err(Violation::operand(
            "size",
            format!("the size is a multiple of {unit} bytes"),
        )),
        _ => Ok(()),
    }
}
