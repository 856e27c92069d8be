//! Hints for the caches: prefetching, eviction priorities and policies.

use super::gates::{ALWAYS, CACHE_POLICY, v};
use crate::inst::Operand;
use crate::row::{Effects, Row, Set, form, set};
use crate::rule::{RuleView, Violation};
use warpc_target::{Gate, at_least};

const SPACE: Set = set("space", &[(".global .local", ALWAYS)]);
const LEVEL: Set = set("level", &[(".L1 .L2", ALWAYS)]);
const PREFETCH_PRIORITY: Set = set(
    "level::eviction_priority",
    &[(".L2::evict_last .L2::evict_normal", ALWAYS)],
);
const TENSORMAP_SPACE: Set = set("tensormap_space", &[(".const .param", ALWAYS)]);
const TENSORMAP: Gate = Gate(&[at_least(90, v(8, 0))]);
/// sm_90 with PTX 9.4: one sector of an address known to be valid.
const VALID_ADDR: Gate = Gate(&[at_least(90, v(9, 4))]);
const PRIMARY: Set = set(
    "level::primary_priority",
    &[(
        ".L2::evict_last .L2::evict_normal .L2::evict_first .L2::evict_unchanged",
        ALWAYS,
    )],
);
const SECONDARY: Set = set(
    "level::secondary_priority",
    &[(".L2::evict_first .L2::evict_unchanged", ALWAYS)],
);

/// The section's forms.
pub static ROWS: &[Row] = &[
    form("prefetch{.space}.level  [a]", &[SPACE, LEVEL])
        .operands("a:addr")
        .effects(Effects::READ),
    form(
        "prefetch{.global}.level::eviction_priority  [a]",
        &[PREFETCH_PRIORITY],
    )
    .operands("a:addr.global")
    .since(CACHE_POLICY)
    .effects(Effects::READ),
    form("prefetch{.global}.L1::32B.valid_addr  [a]", &[])
        .operands("a:addr.global")
        .since(VALID_ADDR)
        .effects(Effects::READ),
    form("prefetchu.L1  [a]", &[]).operands("a:addr").effects(Effects::READ),
    form("prefetch{.tensormap_space}.tensormap  [a]", &[TENSORMAP_SPACE])
        .operands("a:addr.tensormap_space")
        .since(TENSORMAP)
        .effects(Effects::READ),
    form("applypriority{.global}.L2::evict_normal  [a], size", &[])
        .operands("a:addr.global size:#u32(128..128)")
        .since(CACHE_POLICY)
        .effects(Effects::READ),
    // It destroys what lies there.
    form("discard{.global}.L2  [a], size", &[])
        .operands("a:addr.global size:#u32(128..128)")
        .since(CACHE_POLICY)
        .effects(Effects::WRITE),
    form(
        "createpolicy.range{.global}.level::primary_priority{.level::secondary_priority}.b64  cache_policy, [a], primary_size, total_size",
        &[PRIMARY, SECONDARY],
    )
    .operands("cache_policy=u64 a:addr.global primary_size:u32 total_size:u32")
    .since(CACHE_POLICY)
    .words(1)
    .rule(primary_within_total),
    form(
        "createpolicy.fractional.level::primary_priority{.level::secondary_priority}.b64  cache_policy{, fraction}",
        &[PRIMARY, SECONDARY],
    )
    .operands("cache_policy=u64 fraction:f32")
    .since(CACHE_POLICY)
    .words(1)
    .rule(fraction_in_range),
    form("createpolicy.cvt.L2.b64  cache_policy, access_property", &[])
        .operands("cache_policy=u64 access_property:u64")
        .since(CACHE_POLICY)
        .words(1),
];

/// The primary part lies within the whole.
fn primary_within_total(view: &RuleView<'_>) -> Result<(), Violation> {
    match (view.int("primary_size"), view.int("total_size")) {
        (Some(primary), Some(total)) if primary.value() > total.value() => Err(Violation::operand(
            "primary_size",
            "the primary size is greater than the total size",
        )),
        _ => Ok(()),
    }
}

/// A constant fraction is greater than 0 and at most 1.
fn fraction_in_range(view: &RuleView<'_>) -> Result<(), Violation> {
    let fraction = match view.operand("fraction") {
        Some(Operand::F32(bits)) => f64::from(f32::from_bits(*bits)),
        Some(Operand::F64(bits)) => f64::from_bits(*bits),
        _ => return Ok(()),
    };
    if fraction > 0.0 && fraction <= 1.0 {
        return Ok(());
    }
    Err(Violation::operand(
        "fraction",
        "the fraction is not greater than 0 and at most 1",
    ))
}
