//! Accesses of the same place in the memory of several devices at once.
//!
//! An order and a scope come together or not at all. A vector has 32, 64 or 128 bits; the 8-bit
//! formats need special targets.

use super::gates::{ALWAYS, v};
use super::sets::SCOPE;
use crate::inst::Choice;
use crate::row::{Effects, Row, Set, form, set};
use warpc_target::{Gate, arch, at_least, family};

const MULTIMEM: Gate = Gate(&[at_least(90, v(8, 1))]);
/// Sums of halves in single precision.
const ACC_F32: Gate = Gate(&[at_least(90, v(8, 2))]);
const FP8: Gate = Gate(&[
    arch(100, v(8, 6)),
    arch(101, v(8, 6)),
    arch(120, v(8, 7)),
    arch(121, v(8, 8)),
    family(100, v(8, 8)),
    family(101, v(8, 8)),
]);

const LOAD_SEM: Set = set("ldsem", &[(".relaxed .acquire", ALWAYS)]);
const STORE_SEM: Set = set("stsem", &[(".relaxed .release", ALWAYS)]);
const RED_SEM: Set = set("redsem", &[(".relaxed .release", ALWAYS)]);
const MINMAX: Set = set("op", &[(".min .max", ALWAYS)]);
const MINMAXADD: Set = set("op", &[(".min .max .add", ALWAYS)]);
const BITWISE: Set = set("op", &[(".and .or .xor", ALWAYS)]);
const BITS: Set = set("type", &[(".b32 .b64", ALWAYS)]);
const INTEGER: Set = set("type", &[(".u32 .u64 .s32", ALWAYS)]);
const SINGLE: Set = set("type", &[(".f32 .f64", ALWAYS)]);
const ANY: Set = set("type", &[(".b32 .b64 .u32 .u64 .s32 .s64 .f64", ALWAYS)]);
const VEC: Set = set("vec", &[(".v2 .v4 .v8", ALWAYS)]);
const HALF: Set = set("type", &[(".f16 .f16x2 .bf16 .bf16x2", ALWAYS)]);
const F8: Set = set(
    "type",
    &[(".e5m2 .e5m2x2 .e5m2x4 .e4m3 .e4m3x2 .e4m3x4", FP8)],
);
const STORED: Set = set(
    "type",
    &[
        (".f16 .f16x2 .bf16 .bf16x2 .f32", ALWAYS),
        (".e5m2 .e5m2x2 .e5m2x4 .e4m3 .e4m3x2 .e4m3x4", FP8),
    ],
);
const F32: Set = set("type", &[(".f32", ALWAYS)]);

const READ: Effects = Effects::READ.union(Effects::SYNC);
const WRITE: Effects = Effects::WRITE.union(Effects::SYNC);

/// A load: the result may not be discarded, elements of a vector may.
const fn load(syntax: &'static str, sets: &'static [Set]) -> Row {
    form(syntax, sets)
        .operands("d=T a:addr.global")
        .since(MULTIMEM)
        .words(1)
        .effects(READ)
}

const fn vector_load(syntax: &'static str, sets: &'static [Set]) -> Row {
    load(syntax, sets)
        .operands("d=_T*vec a:addr.global")
        .only(whole_words)
}

const fn store(syntax: &'static str, sets: &'static [Set]) -> Row {
    form(syntax, sets)
        .operands("a:addr.global b:T")
        .since(MULTIMEM)
        .words(1)
        .effects(WRITE)
}

const fn vector_store(syntax: &'static str, sets: &'static [Set]) -> Row {
    store(syntax, sets)
        .operands("a:addr.global b:T*vec")
        .only(whole_words)
}

/// The section's forms.
pub static ROWS: &[Row] = &[
    load(
        "multimem.ld_reduce{.ldsem.scope}{.global}.op.type  d, [a]",
        &[LOAD_SEM, SCOPE, MINMAXADD, INTEGER],
    ),
    load(
        "multimem.ld_reduce.weak{.global}.op.type  d, [a]",
        &[MINMAXADD, INTEGER],
    ),
    load(
        "multimem.ld_reduce{.ldsem.scope}{.global}.op.s64  d, [a]",
        &[LOAD_SEM, SCOPE, MINMAX],
    )
    .operands("d=s64 a:addr.global"),
    load("multimem.ld_reduce.weak{.global}.op.s64  d, [a]", &[MINMAX])
        .operands("d=s64 a:addr.global"),
    load(
        "multimem.ld_reduce{.ldsem.scope}{.global}.op.type  d, [a]",
        &[LOAD_SEM, SCOPE, BITWISE, BITS],
    ),
    load(
        "multimem.ld_reduce.weak{.global}.op.type  d, [a]",
        &[BITWISE, BITS],
    ),
    load(
        "multimem.ld_reduce{.ldsem.scope}{.global}.add.type  d, [a]",
        &[LOAD_SEM, SCOPE, SINGLE],
    ),
    load(
        "multimem.ld_reduce.weak{.global}.add.type  d, [a]",
        &[SINGLE],
    ),
    vector_load(
        "multimem.ld_reduce{.ldsem.scope}{.global}.add.vec.type  d, [a]",
        &[LOAD_SEM, SCOPE, VEC, F32],
    ),
    vector_load(
        "multimem.ld_reduce.weak{.global}.add.vec.type  d, [a]",
        &[VEC, F32],
    ),
    vector_load(
        "multimem.ld_reduce{.ldsem.scope}{.global}.op{.vec}.type  d, [a]",
        &[LOAD_SEM, SCOPE, MINMAXADD, VEC, HALF],
    ),
    vector_load(
        "multimem.ld_reduce.weak{.global}.op{.vec}.type  d, [a]",
        &[MINMAXADD, VEC, HALF],
    ),
    vector_load(
        "multimem.ld_reduce{.ldsem.scope}{.global}.add.acc::f32{.vec}.type  d, [a]",
        &[LOAD_SEM, SCOPE, VEC, HALF],
    )
    .since(ACC_F32),
    vector_load(
        "multimem.ld_reduce.weak{.global}.add.acc::f32{.vec}.type  d, [a]",
        &[VEC, HALF],
    )
    .since(ACC_F32),
    vector_load(
        "multimem.ld_reduce{.ldsem.scope}{.global}.op{.vec}.type  d, [a]",
        &[LOAD_SEM, SCOPE, MINMAXADD, VEC, F8],
    ),
    vector_load(
        "multimem.ld_reduce.weak{.global}.op{.vec}.type  d, [a]",
        &[MINMAXADD, VEC, F8],
    ),
    vector_load(
        "multimem.ld_reduce{.ldsem.scope}{.global}.add.acc::f16{.vec}.type  d, [a]",
        &[LOAD_SEM, SCOPE, VEC, F8],
    ),
    vector_load(
        "multimem.ld_reduce.weak{.global}.add.acc::f16{.vec}.type  d, [a]",
        &[VEC, F8],
    ),
    store(
        "multimem.st{.stsem.scope}{.global}.type  [a], b",
        &[STORE_SEM, SCOPE, ANY],
    ),
    store("multimem.st.weak{.global}.type  [a], b", &[ANY]),
    vector_store(
        "multimem.st{.stsem.scope}{.global}{.vec}.type  [a], b",
        &[STORE_SEM, SCOPE, VEC, STORED],
    ),
    vector_store(
        "multimem.st.weak{.global}{.vec}.type  [a], b",
        &[VEC, STORED],
    ),
    store(
        "multimem.red{.redsem.scope}{.global}.op.type  [a], b",
        &[RED_SEM, SCOPE, MINMAXADD, INTEGER],
    ),
    store(
        "multimem.red{.redsem.scope}{.global}.op.s64  [a], b",
        &[RED_SEM, SCOPE, MINMAX],
    )
    .operands("a:addr.global b:s64"),
    store(
        "multimem.red{.redsem.scope}{.global}.op.type  [a], b",
        &[RED_SEM, SCOPE, BITWISE, BITS],
    ),
    store(
        "multimem.red{.redsem.scope}{.global}.add.type  [a], b",
        &[RED_SEM, SCOPE, SINGLE],
    ),
    vector_store(
        "multimem.red{.redsem.scope}{.global}.add.vec.type  [a], b",
        &[RED_SEM, SCOPE, VEC, F32],
    ),
    store(
        "multimem.red{.redsem.scope}{.global}.add.type  [a], b",
        &[RED_SEM, SCOPE, PACKED],
    ),
    vector_store(
        "multimem.red{.redsem.scope}{.global}.op.vec.type  [a], b",
        &[RED_SEM, SCOPE, MINMAXADD, VEC, HALF],
    ),
];

/// Two halves in a word: without a vector they can only be added.
const PACKED: Set = set("type", &[(".f16x2 .bf16x2", ALWAYS)]);

/// 32, 64 or 128 bits.
fn whole_words(choice: &Choice) -> Result<(), &'static str> {
    let count = match choice.token("vec") {
        Some(".v2") => 2,
        Some(".v4") => 4,
        Some(".v8") => 8,
        _ => 1,
    };
    match count * choice.scalar("type").map_or(0, |ty| ty.bits()) {
        32 | 64 | 128 => Ok(()),
        _ => Err("a vector has 32, 64 or 128 bits in all"),
    }
}
