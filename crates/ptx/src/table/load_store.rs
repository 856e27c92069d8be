//! Loads and stores.
//!
//! The manual's lines, each in up to three rows: vectors of up to 128 bits, the 256-bit vectors that
//! global memory has from sm_100 on (with their own L2 eviction priorities), and `.b128`, which needs
//! a later version at system scope.
//!
//! Measured: cache operators go with every space; prefetch sizes, eviction priorities and cache
//! policies with global memory and generic addresses only. An element of a loaded vector may be `_`;
//! of a stored one only if it has 256 bits.

use super::gates::{ALWAYS, B128, CLUSTER, MEMORY_MODEL, PARAM_PLACE, SHARED_CTA, WIDE_ACCESS, v};
use super::sets::{CACHE_HINT, L1_EVICTION, L2_EVICTION, PREFETCH_SIZE, SCOPE, SCOPE_B128, SPACE};
use crate::inst::{Choice, Operand};
use crate::row::{Effects, Row, Set, form, set};
use crate::rule::{RuleView, Violation};
use warpc_target::{Gate, at_least};

const WEAK: Set = set("weak", &[(".weak", MEMORY_MODEL)]);
const LOAD_ORDER: Set = set("sem", &[(".relaxed .acquire", MEMORY_MODEL)]);
const STORE_ORDER: Set = set("sem", &[(".relaxed .release", MEMORY_MODEL)]);
/// Accesses of device memory: relaxed ones came first.
const LOAD_MMIO: Set = set("sem", &[(".relaxed", MMIO), (".acquire", MMIO_ORDERED)]);
const STORE_MMIO: Set = set("sem", &[(".relaxed", MMIO), (".release", MMIO_ORDERED)]);
const MMIO: Gate = Gate(&[at_least(70, v(8, 2))]);
const MMIO_ORDERED: Gate = Gate(&[at_least(70, v(9, 3))]);
const MMIO_B128: Gate = Gate(&[at_least(70, v(8, 4))]);

const LOAD_SPACE: Set = set(
    "ss",
    &[
        (".const .global .local .param .shared", ALWAYS),
        (".shared::cta", SHARED_CTA),
        (".shared::cluster", CLUSTER),
        (".param::entry .param::func", PARAM_PLACE),
    ],
);
const STORE_SPACE: Set = set(
    "ss",
    &[
        (".global .local .param .shared", ALWAYS),
        (".shared::cta", SHARED_CTA),
        (".shared::cluster", CLUSTER),
        (".param::func", PARAM_PLACE),
    ],
);
const VOLATILE_SPACE: Set = set(
    "ss",
    &[
        (".global .shared", ALWAYS),
        (".shared::cta", SHARED_CTA),
        (".shared::cluster", CLUSTER),
        (".local", Gate(&[at_least(60, v(9, 1))])),
    ],
);
const LOAD_CACHE: Set = set("cop", &[(".ca .cg .cs .lu .cv", ALWAYS)]);
const NC_CACHE: Set = set("cop", &[(".ca .cg .cs", ALWAYS)]);
const STORE_CACHE: Set = set("cop", &[(".wb .cg .cs .wt", ALWAYS)]);
const VEC: Set = set("vec", &[(".v2 .v4", ALWAYS)]);
const WIDE_VEC: Set = set("vec", &[(".v4 .v8", ALWAYS)]);

/// Everything but `.b128`.
const PLAIN_TYPE: Set = set("type", &[(PLAIN_TYPES, ALWAYS)]);
const PLAIN_TYPES: &str = ".b8 .b16 .b32 .b64 .u8 .u16 .u32 .u64 .s8 .s16 .s32 .s64 .f32 .f64";
const TYPE: Set = set("type", &[(PLAIN_TYPES, ALWAYS), (".b128", B128)]);
const WIDE_TYPE: Set = set(
    "type",
    &[(".b32 .u32 .s32 .f32 .b64 .u64 .s64 .f64", ALWAYS)],
);

const READ_SYNC: Effects = Effects::READ.union(Effects::SYNC);
const WRITE_SYNC: Effects = Effects::WRITE.union(Effects::SYNC);
const READ_OUTSIDE: Effects = READ_SYNC.union(Effects::OBSERVABLE);
const WRITE_OUTSIDE: Effects = WRITE_SYNC.union(Effects::OBSERVABLE);

const fn load(syntax: &'static str, sets: &'static [Set], operands: &'static str) -> Row {
    form(syntax, sets)
        .operands(operands)
        .only(narrow)
        .rule(needs_result)
        .wider()
}

const fn wide_load(syntax: &'static str, sets: &'static [Set], operands: &'static str) -> Row {
    load(syntax, sets, operands).only(wide).since(WIDE_ACCESS)
}

const fn store(syntax: &'static str, sets: &'static [Set], operands: &'static str) -> Row {
    form(syntax, sets).operands(operands).only(narrow).wider()
}

const fn wide_store(syntax: &'static str, sets: &'static [Set], operands: &'static str) -> Row {
    store(syntax, sets, operands).only(wide).since(WIDE_ACCESS)
}

/// The section's forms.
pub static ROWS: &[Row] = &[
    load(
        "ld{.weak}{.ss}{.cop}{.level::cache_hint}{.level::prefetch_size}{.vec}.type  d, [a]{, cache_policy}",
        &[WEAK, LOAD_SPACE, LOAD_CACHE, CACHE_HINT, PREFETCH_SIZE, VEC, TYPE],
        "d=_T*vec a:~addr cache_policy:u64?level::cache_hint",
    )
    .effects(Effects::READ),
    load(
        "ld{.weak}{.ss}{.level1::eviction_priority}{.level::cache_hint}{.level::prefetch_size}{.vec}.type  d, [a]{, cache_policy}",
        &[WEAK, LOAD_SPACE, L1_EVICTION, CACHE_HINT, PREFETCH_SIZE, VEC, TYPE],
        "d=_T*vec a:~addr cache_policy:u64?level::cache_hint",
    )
    .effects(Effects::READ),
    wide_load(
        "ld{.weak}{.global}{.cop}{.level2::eviction_priority}{.level::cache_hint}{.level::prefetch_size}.vec.type  d, [a]{, cache_policy}",
        &[WEAK, LOAD_CACHE, L2_EVICTION, CACHE_HINT, PREFETCH_SIZE, WIDE_VEC, WIDE_TYPE],
        "d=_T*vec a:~addr.global cache_policy:u64?level::cache_hint",
    )
    .effects(Effects::READ),
    wide_load(
        "ld{.weak}{.global}{.level1::eviction_priority}{.level2::eviction_priority}{.level::cache_hint}{.level::prefetch_size}.vec.type  d, [a]{, cache_policy}",
        &[WEAK, L1_EVICTION, L2_EVICTION, CACHE_HINT, PREFETCH_SIZE, WIDE_VEC, WIDE_TYPE],
        "d=_T*vec a:~addr.global cache_policy:u64?level::cache_hint",
    )
    .effects(Effects::READ),
    load(
        "ld.volatile{.ss}{.level::prefetch_size}{.vec}.type  d, [a]",
        &[VOLATILE_SPACE, PREFETCH_SIZE, VEC, TYPE],
        "d=_T*vec a:~addr",
    )
    .effects(READ_SYNC),
    wide_load(
        "ld.volatile{.global}{.level2::eviction_priority}{.level::prefetch_size}.vec.type  d, [a]",
        &[L2_EVICTION, PREFETCH_SIZE, WIDE_VEC, WIDE_TYPE],
        "d=_T*vec a:~addr.global",
    )
    .effects(READ_SYNC),
    load(
        "ld.sem.scope{.space}{.level1::eviction_priority}{.level::cache_hint}{.level::prefetch_size}{.vec}.type  d, [a]{, cache_policy}",
        &[LOAD_ORDER, SCOPE, SPACE, L1_EVICTION, CACHE_HINT, PREFETCH_SIZE, VEC, PLAIN_TYPE],
        "d=_T*vec a:~addr cache_policy:u64?level::cache_hint",
    )
    .effects(READ_SYNC),
    load(
        "ld.sem.scope{.space}{.level1::eviction_priority}{.level::cache_hint}{.level::prefetch_size}.b128  d, [a]{, cache_policy}",
        &[LOAD_ORDER, SCOPE_B128, SPACE, L1_EVICTION, CACHE_HINT, PREFETCH_SIZE],
        "d=_b128 a:~addr cache_policy:u64?level::cache_hint",
    )
    .since(B128)
    .effects(READ_SYNC),
    wide_load(
        "ld.sem.scope{.global}{.level1::eviction_priority}{.level2::eviction_priority}{.level::cache_hint}{.level::prefetch_size}.vec.type  d, [a]{, cache_policy}",
        &[LOAD_ORDER, SCOPE, L1_EVICTION, L2_EVICTION, CACHE_HINT, PREFETCH_SIZE, WIDE_VEC, WIDE_TYPE],
        "d=_T*vec a:~addr.global cache_policy:u64?level::cache_hint",
    )
    .effects(READ_SYNC),
    load("ld.mmio.sem.sys{.global}.type  d, [a]", &[LOAD_MMIO, PLAIN_TYPE], "d=_T a:~addr.global")
        .effects(READ_OUTSIDE),
    load("ld.mmio.sem.sys{.global}.b128  d, [a]", &[LOAD_MMIO], "d=_b128 a:~addr.global")
        .since(MMIO_B128)
        .effects(READ_OUTSIDE),
    load(
        "ld.global{.cop}.nc{.level::cache_hint}{.level::prefetch_size}{.vec}.type  d, [a]{, cache_policy}",
        &[NC_CACHE, CACHE_HINT, PREFETCH_SIZE, VEC, TYPE],
        "d=_T*vec a:~addr.global cache_policy:u64?level::cache_hint",
    )
    .effects(Effects::READ),
    load(
        "ld.global.nc{.level1::eviction_priority}{.level::cache_hint}{.level::prefetch_size}{.vec}.type  d, [a]{, cache_policy}",
        &[L1_EVICTION, CACHE_HINT, PREFETCH_SIZE, VEC, TYPE],
        "d=_T*vec a:~addr.global cache_policy:u64?level::cache_hint",
    )
    .effects(Effects::READ),
    wide_load(
        "ld.global{.cop}.nc{.level2::eviction_priority}{.level::cache_hint}{.level::prefetch_size}.vec.type  d, [a]{, cache_policy}",
        &[NC_CACHE, L2_EVICTION, CACHE_HINT, PREFETCH_SIZE, WIDE_VEC, WIDE_TYPE],
        "d=_T*vec a:~addr.global cache_policy:u64?level::cache_hint",
    )
    .effects(Effects::READ),
    wide_load(
        "ld.global.nc{.level1::eviction_priority}{.level2::eviction_priority}{.level::cache_hint}{.level::prefetch_size}.vec.type  d, [a]{, cache_policy}",
        &[L1_EVICTION, L2_EVICTION, CACHE_HINT, PREFETCH_SIZE, WIDE_VEC, WIDE_TYPE],
        "d=_T*vec a:~addr.global cache_policy:u64?level::cache_hint",
    )
    .effects(Effects::READ),
    load("ldu{.global}{.vec}.type  d, [a]", &[VEC, TYPE], "d=_T*vec a:~addr.global").effects(Effects::READ),
    store(
        "st{.weak}{.ss}{.cop}{.level::cache_hint}{.vec}.type  [a], b{, cache_policy}",
        &[WEAK, STORE_SPACE, STORE_CACHE, CACHE_HINT, VEC, TYPE],
        "a:addr b:T*vec cache_policy:u64?level::cache_hint",
    )
    .effects(Effects::WRITE),
    store(
        "st{.weak}{.ss}{.level1::eviction_priority}{.level::cache_hint}{.vec}.type  [a], b{, cache_policy}",
        &[WEAK, STORE_SPACE, L1_EVICTION, CACHE_HINT, VEC, TYPE],
        "a:addr b:T*vec cache_policy:u64?level::cache_hint",
    )
    .effects(Effects::WRITE),
    wide_store(
        "st{.weak}{.global}{.cop}{.level2::eviction_priority}{.level::cache_hint}.vec.type  [a], b{, cache_policy}",
        &[WEAK, STORE_CACHE, L2_EVICTION, CACHE_HINT, WIDE_VEC, WIDE_TYPE],
        "a:addr.global b:_T*vec cache_policy:u64?level::cache_hint",
    )
    .effects(Effects::WRITE),
    wide_store(
        "st{.weak}{.global}{.level1::eviction_priority}{.level2::eviction_priority}{.level::cache_hint}.vec.type  [a], b{, cache_policy}",
        &[WEAK, L1_EVICTION, L2_EVICTION, CACHE_HINT, WIDE_VEC, WIDE_TYPE],
        "a:addr.global b:_T*vec cache_policy:u64?level::cache_hint",
    )
    .effects(Effects::WRITE),
    store("st.volatile{.ss}{.vec}.type  [a], b", &[VOLATILE_SPACE, VEC, TYPE], "a:addr b:T*vec")
        .effects(WRITE_SYNC),
    wide_store(
        "st.volatile{.global}{.level2::eviction_priority}.vec.type  [a], b",
        &[L2_EVICTION, WIDE_VEC, WIDE_TYPE],
        "a:addr.global b:_T*vec",
    )
    .effects(WRITE_SYNC),
    store(
        "st.sem.scope{.space}{.level1::eviction_priority}{.level::cache_hint}{.vec}.type  [a], b{, cache_policy}",
        &[STORE_ORDER, SCOPE, SPACE, L1_EVICTION, CACHE_HINT, VEC, PLAIN_TYPE],
        "a:addr b:T*vec cache_policy:u64?level::cache_hint",
    )
    .effects(WRITE_SYNC),
    store(
        "st.sem.scope{.space}{.level1::eviction_priority}{.level::cache_hint}.b128  [a], b{, cache_policy}",
        &[STORE_ORDER, SCOPE_B128, SPACE, L1_EVICTION, CACHE_HINT],
        "a:addr b:b128 cache_policy:u64?level::cache_hint",
    )
    .since(B128)
    .effects(WRITE_SYNC),
    wide_store(
        "st.sem.scope{.global}{.level1::eviction_priority}{.level2::eviction_priority}{.level::cache_hint}.vec.type  [a], b{, cache_policy}",
        &[STORE_ORDER, SCOPE, L1_EVICTION, L2_EVICTION, CACHE_HINT, WIDE_VEC, WIDE_TYPE],
        "a:addr.global b:_T*vec cache_policy:u64?level::cache_hint",
    )
    .effects(WRITE_SYNC),
    store("st.mmio.sem.sys{.global}.type  [a], b", &[STORE_MMIO, PLAIN_TYPE], "a:addr.global b:T")
        .effects(WRITE_OUTSIDE),
    store("st.mmio.sem.sys{.global}.b128  [a], b", &[STORE_MMIO], "a:addr.global b:b128")
        .since(MMIO_B128)
        .effects(WRITE_OUTSIDE),
];

/// The bits an access moves.
fn bits(choice: &Choice) -> u32 {
    let count = match choice.token("vec") {
        Some(".v2") => 2,
        Some(".v4") => 4,
        Some(".v8") => 8,
        _ => 1,
    };
    count * choice.scalar("type").map_or(128, |ty| ty.bits())
}

/// Up to 128 bits; what concerns the caches of global memory needs global memory.
fn narrow(choice: &Choice) -> Result<(), &'static str> {
    let space = choice.token("ss").or_else(|| choice.token("space"));
    let hints = [
        "level1::eviction_priority",
        "level::cache_hint",
        "level::prefetch_size",
    ];
    if !matches!(space, None | Some(".global")) && hints.iter().any(|slot| choice.has(slot)) {
        return Err(
            "eviction priorities, cache policies and prefetch sizes go with `.global` or a generic address only",
        );
    }
    if bits(choice) > 128 {
        return Err("a vector has at most 128 bits, or 256 in global memory");
    }
    Ok(())
}

/// Exactly 256 bits.
fn wide(choice: &Choice) -> Result<(), &'static str> {
    match bits(choice) {
        256 => Ok(()),
        _ => Err("L2 eviction priorities go with vectors of 256 bits only"),
    }
}

/// A load must have a result. (In a vector, elements may be `_`.)
fn needs_result(view: &RuleView<'_>) -> Result<(), Violation> {
    match view.operand("d") {
        Some(Operand::Sink) => Err(Violation::operand(
            "d",
            "a load needs a register for its result",
        )),
        _ => Ok(()),
    }
}
