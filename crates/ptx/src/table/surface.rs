//! Surfaces.
//!
//! As for textures the geometry says how many coordinates there are, and longer vectors are taken.
//! Registers may be wider than the type.

use super::gates::{ALWAYS, v};
use super::texture::at_least_elements;
use crate::inst::{Choice, Operand};
use crate::row::{Effects, Row, Set, form, set};
use crate::rule::{RuleView, Violation};
use warpc_target::{Gate, at_least};

/// PTX 8.1: 64-bit minima and maxima.
const WIDE: Gate = Gate(&[at_least(60, v(8, 1))]);

const GEOM: Set = set("geom", &[(".1d .2d .3d .a1d .a2d", ALWAYS)]);
const PLAIN_GEOM: Set = set("geom", &[(".1d .2d .3d", ALWAYS)]);
const LOAD_COP: Set = set("cop", &[(".ca .cg .cs .cv", ALWAYS)]);
const STORE_COP: Set = set("cop", &[(".wb .cg .cs .wt", ALWAYS)]);
const VEC: Set = set("vec", &[(".v2 .v4", ALWAYS)]);
const BITS: Set = set("type", &[(".b8 .b16 .b32 .b64", ALWAYS)]);
const CLAMP: Set = set("clamp", &[(".trap .clamp .zero", ALWAYS)]);
const ADD_TYPE: Set = set("type", &[(".u32 .s32 .u64", ALWAYS)]);
const MINMAX: Set = set("op", &[(".min .max", ALWAYS)]);
const MINMAX_TYPE: Set = set("type", &[(".u32 .s32", ALWAYS), (".u64 .s64", WIDE)]);
const AND_OR: Set = set("op", &[(".and .or", ALWAYS)]);
const SAMPLE_OP: Set = set("op", &[(".add .and .or", ALWAYS)]);
const SAMPLE_TYPE: Set = set("type", &[(".b32", ALWAYS), (".b64", WIDE)]);
const QUERY: Set = set(
    "query",
    &[(
        ".width .height .depth .channel_data_type .channel_order .array_size .memory_layout",
        ALWAYS,
    )],
);

/// The section's forms.
pub static ROWS: &[Row] = &[
    form(
        "suld.b.geom{.cop}{.vec}.type.clamp  d, [a, b]",
        &[GEOM, LOAD_COP, VEC, BITS, CLAMP],
    )
    .words(1)
    .operands("d=_T*vec a:surf b:s32*+")
    .wider()
    .only(at_most_128_bits)
    .rule(check_coordinates)
    .effects(Effects::READ),
    form(
        "sust.b.geom{.cop}{.vec}.type.clamp  [a, b], c",
        &[GEOM, STORE_COP, VEC, BITS, CLAMP],
    )
    .words(1)
    .operands("a:surf b:s32*+ c:T*vec")
    .wider()
    .only(at_most_128_bits)
    .rule(check_coordinates)
    .effects(Effects::WRITE),
    form(
        "sust.p.geom{.cop}{.vec}.b32.clamp  [a, b], c",
        &[GEOM, STORE_COP, VEC, CLAMP],
    )
    .words(1)
    .operands("a:surf b:s32*+ c:b32*vec")
    .wider()
    .rule(check_coordinates)
    .effects(Effects::WRITE),
    form(
        "sured.b.add.geom.type.clamp  [a, b], c",
        &[PLAIN_GEOM, ADD_TYPE, CLAMP],
    )
    .words(1)
    .operands("a:surf b:s32*+ c:T")
    .wider()
    .rule(check_coordinates)
    .effects(Effects::READ.union(Effects::WRITE)),
    form(
        "sured.b.op.geom.type.clamp  [a, b], c",
        &[MINMAX, PLAIN_GEOM, MINMAX_TYPE, CLAMP],
    )
    .words(1)
    .operands("a:surf b:s32*+ c:T")
    .wider()
    .rule(check_coordinates)
    .effects(Effects::READ.union(Effects::WRITE)),
    form(
        "sured.b.op.geom.b32.clamp  [a, b], c",
        &[AND_OR, PLAIN_GEOM, CLAMP],
    )
    .words(1)
    .operands("a:surf b:s32*+ c:b32")
    .wider()
    .rule(check_coordinates)
    .effects(Effects::READ.union(Effects::WRITE)),
    form(
        "sured.p.op.geom.b32.clamp  [a, b], c",
        &[SAMPLE_OP, PLAIN_GEOM, CLAMP],
    )
    .words(1)
    .operands("a:surf b:s32*+ c:b32")
    .wider()
    .rule(check_coordinates)
    .effects(Effects::READ.union(Effects::WRITE)),
    form(
        "sured.p.op.geom.type.clamp  [a, b], c",
        &[MINMAX, PLAIN_GEOM, SAMPLE_TYPE, CLAMP],
    )
    .words(1)
    .operands("a:surf b:s32*+ c:T")
    .wider()
    .rule(check_coordinates)
    .effects(Effects::READ.union(Effects::WRITE)),
    form("suq.query.b32  d, [a]", &[QUERY]).operands("d=b32 a:surf"),
];

fn at_most_128_bits(choice: &Choice) -> Result<(), &'static str> {
    if choice.token("vec") == Some(".v4") && choice.token("type") == Some(".b64") {
        return Err("a surface access is of 128 bits at most");
    }
    Ok(())
}

fn check_coordinates(view: &RuleView<'_>) -> Result<(), Violation> {
    let geom = view.token("geom").unwrap_or(".1d");
    let least = match geom {
        ".1d" => 1,
        ".2d" | ".a1d" => 2,
        // .3d .a2d
        _ => 4,
    };
    if view.operand("d") == Some(&Operand::Sink) {
        return Err(Violation::operand("d", "the result cannot be left out"));
    }
    let Some(Operand::Vector(range)) = view.operand("b") else {
        return Ok(());
    };
    let given = usize::from(range.len);
    at_least_elements("b", given, least, geom)?;
    // Only data may be in registers that are too wide.
    let is_wide = |i| view.element("b", i).is_some_and(|ty| ty.bits() > 32);
    if (0..given).any(is_wide) {
        return Err(Violation::operand("b", "coordinates are of 32 bits"));
    }
    Ok(())
}
