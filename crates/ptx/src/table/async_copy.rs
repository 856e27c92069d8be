//! Asynchronous copies of a few bytes, and stores and reductions that arrive later.
//!
//! ptxas also takes `st.async` without a barrier in the spaces that need one, and relaxed
//! `red.async` at device and system scope; neither is defined, and both are refused here.

use super::gates::{ALWAYS, CACHE_POLICY, SHARED_CTA, v};
use super::sets::CACHE_HINT;
use crate::inst::Choice;
use crate::row::{Effects, Row, Set, form, set};
use crate::rule::{RuleView, Violation};
use warpc_target::{Gate, at_least};

const ASYNC: Gate = Gate(&[at_least(80, v(7, 0))]);
const IGNORE_SRC: Gate = Gate(&[at_least(80, v(7, 5))]);
const REMOTE: Gate = Gate(&[at_least(90, v(8, 1))]);
const REMOTE_B128: Gate = Gate(&[at_least(90, v(9, 2))]);
const GLOBAL_ASYNC: Gate = Gate(&[at_least(100, v(8, 7))]);

const COP: Set = set("cop", &[(".ca .cg", ALWAYS)]);
const DST: Set = set("dst", &[(".shared .shared::cta", ALWAYS)]);
const PREFETCH: Set = set(
    "level::prefetch_size",
    &[(".L2::64B .L2::128B .L2::256B", CACHE_POLICY)],
);
const BARRIER_SPACE: Set = set(
    "space",
    &[(".shared", ALWAYS), (".shared::cta", SHARED_CTA)],
);
const WEAK: Set = set("weak", &[(".weak", ALWAYS)]);
const REMOTE_SPACE: Set = set(
    "space",
    &[(".shared::cluster .shared .shared::cta", ALWAYS)],
);
const VEC: Set = set("vec", &[(".v2 .v4", ALWAYS)]);
const REMOTE_TYPE: Set = set(
    "type",
    &[
        (".b32 .b64 .u32 .u64 .s32 .s64 .f32 .f64", ALWAYS),
        (".b128", REMOTE_B128),
    ],
);
const SCOPE: Set = set("scope", &[(".gpu .sys", ALWAYS)]);
const TYPE: Set = set(
    "type",
    &[(
        ".b8 .b16 .b32 .b64 .u8 .u16 .u32 .u64 .s8 .s16 .s32 .s64 .f32 .f64",
        ALWAYS,
    )],
);
const INCDEC: Set = set("op", &[(".inc .dec", ALWAYS)]);
const MINMAX: Set = set("op", &[(".min .max", ALWAYS)]);
const BITWISE: Set = set("op", &[(".and .or .xor", ALWAYS)]);
const U32: Set = set("type", &[(".u32", ALWAYS)]);
const WORD: Set = set("type", &[(".u32 .s32", ALWAYS)]);
const B32: Set = set("type", &[(".b32", ALWAYS)]);
const SUM: Set = set("type", &[(".u32 .s32 .u64 .s64", ALWAYS)]);

const COPY: Effects = Effects::READ.union(Effects::WRITE);
const UPDATE: Effects = COPY.union(Effects::SYNC);
const STORE: Effects = Effects::WRITE.union(Effects::SYNC);

/// A reduction in another block of the cluster, counted by a barrier there.
const fn remote_red(syntax: &'static str, sets: &'static [Set]) -> Row {
    form(syntax, sets)
        .operands("a:addr.shared::cluster b:T mbar:addr.shared")
        .since(REMOTE)
        .words(1)
        .effects(UPDATE)
}

/// A reduction in global memory.
const fn global_red(syntax: &'static str, sets: &'static [Set]) -> Row {
    form(syntax, sets)
        .operands("a:addr.global b:T")
        .since(GLOBAL_ASYNC)
        .words(1)
        .effects(UPDATE)
}

/// The section's forms.
pub static ROWS: &[Row] = &[
    form(
        "cp.async.cop.dst.global{.level::cache_hint}{.level::prefetch_size}  [dst], [src], cp_size{, src_size}{, cache_policy}",
        &[COP, DST, CACHE_HINT, PREFETCH],
    )
    .operands("dst:addr.dst src:addr.global cp_size:#u32 src_size:u32 cache_policy:u64?level::cache_hint")
    .since(ASYNC)
    .words(1)
    .rule(copy_size)
    .effects(COPY),
    form(
        "cp.async.cop.dst.global{.level::cache_hint}{.level::prefetch_size}  [dst], [src], cp_size, ignore_src{, cache_policy}",
        &[COP, DST, CACHE_HINT, PREFETCH],
    )
    .operands("dst:addr.dst src:addr.global cp_size:#u32 ignore_src:%!pred cache_policy:u64?level::cache_hint")
    .since(IGNORE_SRC)
    .words(1)
    .rule(copy_size)
    .effects(COPY),
    form("cp.async.commit_group", &[]).since(ASYNC).words(2).effects(Effects::SYNC),
    form("cp.async.wait_group  n", &[]).operands("n:#u32").since(ASYNC).words(2).effects(Effects::SYNC),
    form("cp.async.wait_all", &[]).since(ASYNC).words(2).effects(Effects::SYNC),
    form("cp.async.mbarrier.arrive{.noinc}{.space}.b64  [addr]", &[BARRIER_SPACE])
        .operands("addr:<addr")
        .since(ASYNC)
        .words(3)
        .effects(UPDATE),
    form(
        "st.async{.weak}{.space}.mbarrier::complete_tx::bytes{.vec}.type  [a], b, [mbar]",
        &[WEAK, REMOTE_SPACE, VEC, REMOTE_TYPE],
    )
    .operands("a:addr b:T*vec mbar:addr.shared")
    .since(REMOTE)
    .words(1)
    .only(at_most_128_bits)
    .effects(STORE),
    form("st.async.release.scope{.global}.type  [a], b", &[SCOPE, TYPE])
        .operands("a:addr.global b:T")
        .since(GLOBAL_ASYNC)
        .words(1)
        .effects(STORE),
    form("st.async.mmio.release.sys{.global}.type  [a], b", &[TYPE])
        .operands("a:addr.global b:T")
        .since(GLOBAL_ASYNC)
        .words(1)
        .effects(STORE.union(Effects::OBSERVABLE)),
    remote_red(
        "red.async.relaxed.cluster{.shared::cluster}.mbarrier::complete_tx::bytes.op.type  [a], b, [mbar]",
        &[INCDEC, U32],
    ),
    remote_red(
        "red.async.relaxed.cluster{.shared::cluster}.mbarrier::complete_tx::bytes.op.type  [a], b, [mbar]",
        &[MINMAX, WORD],
    ),
    remote_red(
        "red.async.relaxed.cluster{.shared::cluster}.mbarrier::complete_tx::bytes.op.type  [a], b, [mbar]",
        &[BITWISE, B32],
    ),
    remote_red(
        "red.async.relaxed.cluster{.shared::cluster}.mbarrier::complete_tx::bytes.add.type  [a], b, [mbar]",
        &[SUM],
    ),
    global_red("red.async.release.scope{.global}.op.type  [a], b", &[SCOPE, INCDEC, U32]),
    global_red("red.async.release.scope{.global}.op.type  [a], b", &[SCOPE, MINMAX, WORD]),
    global_red("red.async.release.scope{.global}.op.type  [a], b", &[SCOPE, BITWISE, B32]),
    global_red("red.async.release.scope{.global}.add.type  [a], b", &[SCOPE, SUM]),
    global_red("red.async.mmio.release.sys{.global}.op.type  [a], b", &[INCDEC, U32]),
    global_red("red.async.mmio.release.sys{.global}.op.type  [a], b", &[MINMAX, WORD]),
    global_red("red.async.mmio.release.sys{.global}.op.type  [a], b", &[BITWISE, B32]),
    global_red("red.async.mmio.release.sys{.global}.add.type  [a], b", &[SUM]),
];

/// 4, 8 or 16 bytes, past the L1 cache 16 only; no more is read than is written.
fn copy_size(view: &RuleView<'_>) -> Result<(), Violation> {
    let Some(size) = view.int("cp_size").map(|size| size.value()) else {
        return Ok(());
    };
    match view.token("cop") {
        Some(".cg") if size != 16 => {
            return Err(Violation::operand("cp_size", "`.cg` copies 16 bytes"));
        }
        _ if !matches!(size, 4 | 8 | 16) => {
            return Err(Violation::operand(
                "cp_size",
                "the size is 4, 8 or 16 bytes",
            ));
        }
        _ => {}
    }
    match view.int("src_size").map(|size| size.value()) {
        Some(read) if read < 0 || read > size => Err(Violation::operand(
            "src_size",
            format!("the size to read lies from 0 to {size}"),
        )),
        _ => Ok(()),
    }
}

/// A vector has at most 128 bits.
fn at_most_128_bits(choice: &Choice) -> Result<(), &'static str> {
    let count = match choice.token("vec") {
        Some(".v2") => 2,
        Some(".v4") => 4,
        _ => 1,
    };
    if count * choice.scalar("type").map_or(0, |ty| ty.bits()) > 128 {
        return Err("a vector has at most 128 bits");
    }
    Ok(())
}
