//! Atomic read-modify-writes: `atom`, which gives back the old value, and `red`, which does not.
//!
//! Measured: a cache policy goes with global memory and generic addresses, and not with `.cas`; a
//! scope without an order is relaxed, an order without a scope has that of the device; `[a].unified`
//! is taken as in loads.

use super::gates::{ALWAYS, CLUSTER, MEMORY_MODEL, v};
use super::sets::{CACHE_HINT, SCOPE, SPACE};
use crate::inst::Choice;
use crate::row::{Effects, Row, Set, form, set};
use warpc_target::{Gate, at_least};

const SEM: Set = set(
    "sem",
    &[(".relaxed .acquire .release .acq_rel", MEMORY_MODEL)],
);
const RED_SEM: Set = set("sem", &[(".relaxed .release", MEMORY_MODEL)]);
const ADD_TYPE: Set = set("type", &[(".u32 .s32 .u64 .f32 .f64", ALWAYS)]);
const MINMAX: Set = set("op", &[(".min .max", ALWAYS)]);
const MINMAX_TYPE: Set = set("type", &[(".u32 .s32 .u64 .s64", ALWAYS)]);
const INCDEC: Set = set("op", &[(".inc .dec", ALWAYS)]);
const BITWISE: Set = set("op", &[(".and .or .xor", ALWAYS)]);
const BITS: Set = set("type", &[(".b32 .b64", ALWAYS)]);
const CAS_TYPE: Set = set(
    "type",
    &[
        (".b16", Gate(&[at_least(70, v(6, 3))])),
        (".b32 .b64", ALWAYS),
    ],
);
const HALF_TYPE: Set = set(
    "type",
    &[
        (".f16", Gate(&[at_least(70, v(6, 3))])),
        (".f16x2", Gate(&[at_least(60, v(6, 2))])),
        (".bf16 .bf16x2", CLUSTER),
        (".f32", NOFTZ_F32),
    ],
);
const NOFTZ_F32: Gate = Gate(&[at_least(90, v(9, 4))]);

const VECTOR: Gate = Gate(&[at_least(90, v(8, 1))]);
const VECTOR_OP: Set = set("op", &[(".add .min .max", ALWAYS)]);
const VEC_16: Set = set("vec", &[(".v2 .v4 .v8", ALWAYS)]);
const VEC_32: Set = set("vec", &[(".v2 .v4", ALWAYS)]);
const HALF_WORD: Set = set("type", &[(".f16 .bf16", ALWAYS)]);
const F32: Set = set("type", &[(".f32", ALWAYS)]);
const PACKED: Set = set("type", &[(".f16x2 .bf16x2", ALWAYS)]);

/// 128-bit operations came with PTX 8.3, at system scope with 8.4.
const WIDE: Gate = Gate(&[at_least(90, v(8, 3))]);
const WIDE_SCOPE: Set = set(
    "scope",
    &[
        (".cta .cluster .gpu", ALWAYS),
        (".sys", Gate(&[at_least(90, v(8, 4))])),
    ],
);

/// Relaxed unless it says otherwise; still a synchronising access.
const EFFECTS: Effects = Effects::READ.union(Effects::WRITE).union(Effects::SYNC);

const fn atom(syntax: &'static str, sets: &'static [Set]) -> Row {
    form(syntax, sets)
        .operands("d=_T a:~addr b:T cache_policy:u64?level::cache_hint")
        .only(policy_in_global)
        .effects(EFFECTS)
}

const fn atom_vector(syntax: &'static str, sets: &'static [Set]) -> Row {
    form(syntax, sets)
        .operands("d=_T*vec a:~addr.global b:T*vec cache_policy:u64?level::cache_hint")
        .since(VECTOR)
        .effects(EFFECTS)
}

const fn red(syntax: &'static str, sets: &'static [Set]) -> Row {
    form(syntax, sets)
        .operands("a:addr b:T cache_policy:u64?level::cache_hint")
        .only(policy_in_global)
        .effects(EFFECTS)
}

const fn red_vector(syntax: &'static str, sets: &'static [Set]) -> Row {
    form(syntax, sets)
        .operands("a:addr.global b:T*vec cache_policy:u64?level::cache_hint")
        .since(VECTOR)
        .effects(EFFECTS)
}

/// The section's forms.
pub static ROWS: &[Row] = &[
    atom(
        "atom{.sem}{.scope}{.space}.add{.level::cache_hint}.type  d, [a], b{, cache_policy}",
        &[SEM, SCOPE, SPACE, CACHE_HINT, ADD_TYPE],
    ),
    atom(
        "atom{.sem}{.scope}{.space}.op{.level::cache_hint}.type  d, [a], b{, cache_policy}",
        &[SEM, SCOPE, SPACE, MINMAX, CACHE_HINT, MINMAX_TYPE],
    ),
    atom(
        "atom{.sem}{.scope}{.space}.op{.level::cache_hint}.u32  d, [a], b{, cache_policy}",
        &[SEM, SCOPE, SPACE, INCDEC, CACHE_HINT],
    )
    .operands("d=_u32 a:~addr b:u32 cache_policy:u64?level::cache_hint"),
    atom(
        "atom{.sem}{.scope}{.space}.op{.level::cache_hint}.type  d, [a], b{, cache_policy}",
        &[SEM, SCOPE, SPACE, BITWISE, CACHE_HINT, BITS],
    ),
    atom(
        "atom{.sem}{.scope}{.space}.exch{.level::cache_hint}.type  d, [a], b{, cache_policy}",
        &[SEM, SCOPE, SPACE, CACHE_HINT, BITS],
    ),
    atom(
        "atom{.sem}{.scope}{.space}.exch{.level::cache_hint}.b128  d, [a], b{, cache_policy}",
        &[SEM, WIDE_SCOPE, SPACE, CACHE_HINT],
    )
    .operands("d=_b128 a:~addr b:b128 cache_policy:u64?level::cache_hint")
    .since(WIDE),
    atom("atom{.sem}{.scope}{.space}.cas.type  d, [a], b, c", &[SEM, SCOPE, SPACE, CAS_TYPE])
        .operands("d=_T a:~addr b:T c:T"),
    // ptxas breaks down on constants here.
    atom("atom{.sem}{.scope}{.space}.cas.b128  d, [a], b, c", &[SEM, WIDE_SCOPE, SPACE])
        .operands("d=_b128 a:~addr b:%b128 c:%b128")
        .since(WIDE),
    atom(
        "atom{.sem}{.scope}{.space}.add.noftz{.level::cache_hint}.type  d, [a], b{, cache_policy}",
        &[SEM, SCOPE, SPACE, CACHE_HINT, HALF_TYPE],
    ),
    atom_vector(
        "atom{.sem}{.scope}{.global}.add{.level::cache_hint}.vec.type  d, [a], b{, cache_policy}",
        &[SEM, SCOPE, CACHE_HINT, VEC_32, F32],
    ),
    atom_vector(
        "atom{.sem}{.scope}{.global}.add.noftz{.level::cache_hint}.vec.type  d, [a], b{, cache_policy}",
        &[SEM, SCOPE, CACHE_HINT, VEC_32, F32],
    )
    .since(NOFTZ_F32),
    atom_vector(
        "atom{.sem}{.scope}{.global}.op.noftz{.level::cache_hint}.vec.type  d, [a], b{, cache_policy}",
        &[SEM, SCOPE, VECTOR_OP, CACHE_HINT, VEC_16, HALF_WORD],
    ),
    atom_vector(
        "atom{.sem}{.scope}{.global}.op.noftz{.level::cache_hint}.vec.type  d, [a], b{, cache_policy}",
        &[SEM, SCOPE, VECTOR_OP, CACHE_HINT, VEC_32, PACKED],
    ),
    red(
        "red{.sem}{.scope}{.space}.add{.level::cache_hint}.type  [a], b{, cache_policy}",
        &[RED_SEM, SCOPE, SPACE, CACHE_HINT, ADD_TYPE],
    ),
    red(
        "red{.sem}{.scope}{.space}.op{.level::cache_hint}.type  [a], b{, cache_policy}",
        &[RED_SEM, SCOPE, SPACE, MINMAX, CACHE_HINT, MINMAX_TYPE],
    ),
    red(
        "red{.sem}{.scope}{.space}.op{.level::cache_hint}.u32  [a], b{, cache_policy}",
        &[RED_SEM, SCOPE, SPACE, INCDEC, CACHE_HINT],
    )
    .operands("a:addr b:u32 cache_policy:u64?level::cache_hint"),
    red(
        "red{.sem}{.scope}{.space}.op{.level::cache_hint}.type  [a], b{, cache_policy}",
        &[RED_SEM, SCOPE, SPACE, BITWISE, CACHE_HINT, BITS],
    ),
    red(
        "red{.sem}{.scope}{.space}.add.noftz{.level::cache_hint}.type  [a], b{, cache_policy}",
        &[RED_SEM, SCOPE, SPACE, CACHE_HINT, HALF_TYPE],
    ),
    red_vector(
        "red{.sem}{.scope}{.global}.add{.level::cache_hint}.vec.type  [a], b{, cache_policy}",
        &[RED_SEM, SCOPE, CACHE_HINT, VEC_32, F32],
    ),
    red_vector(
        "red{.sem}{.scope}{.global}.add.noftz{.level::cache_hint}.vec.type  [a], b{, cache_policy}",
        &[RED_SEM, SCOPE, CACHE_HINT, VEC_32, F32],
    )
    .since(NOFTZ_F32),
    red_vector(
        "red{.sem}{.scope}{.global}.op.noftz{.level::cache_hint}.vec.type  [a], b{, cache_policy}",
        &[RED_SEM, SCOPE, VECTOR_OP, CACHE_HINT, VEC_16, HALF_WORD],
    ),
    red_vector(
        "red{.sem}{.scope}{.global}.op.noftz{.level::cache_hint}.vec.type  [a], b{, cache_policy}",
        &[RED_SEM, SCOPE, VECTOR_OP, CACHE_HINT, VEC_32, PACKED],
    ),
];

/// The policy concerns the cache of global memory.
fn policy_in_global(choice: &Choice) -> Result<(), &'static str> {
    if choice.has("level::cache_hint") && !matches!(choice.token("space"), None | Some(".global")) {
        return Err("a cache policy goes with `.global` or a generic address only");
    }
    Ok(())
}
