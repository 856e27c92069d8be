//! Moves between registers: mov, prmt, shfl.
//!
//! `mov` of plain bits packs and unpacks: what is written in braces has elements of half or a
//! quarter of the size. `mov.v2` and `mov.v4` copy vectors element by element; the manual has them
//! only for whole special registers (`mov.v4.u32 {…}, %tid`), ptxas for registers and constants,
//! too.

use super::gates::{ALWAYS, v};
use crate::row::{Effects, Row, Set, form, set};
use warpc_target::{Gate, at_least};

/// 128-bit registers.
const B128: Gate = Gate(&[at_least(70, v(8, 3))]);

const TYPE: Set = set(
    "type",
    &[
        (
            ".b16 .b32 .b64 .u16 .u32 .u64 .s16 .s32 .s64 .f32 .f64",
            ALWAYS,
        ),
        (".b128", B128),
    ],
);
const PAIR: Set = set("vec", &[(".v2", ALWAYS)]);
const PAIR_TYPE: Set = set(
    "type",
    &[(
        ".b16 .b32 .b64 .u16 .u32 .u64 .s16 .s32 .s64 .f32 .f64",
        ALWAYS,
    )],
);
const QUAD: Set = set("vec", &[(".v4", ALWAYS)]);
const QUAD_TYPE: Set = set("type", &[(".b16 .b32 .u16 .u32 .s16 .s32 .f32", ALWAYS)]);
const PERMUTATION: Set = set("mode", &[(".f4e .b4e .rc8 .ecl .ecr .rc16", ALWAYS)]);
const LANE: Set = set("mode", &[(".up .down .bfly .idx", ALWAYS)]);

/// The section's forms.
pub static ROWS: &[Row] = &[
    form("mov.type  d, a", &[TYPE]).operands("d=T a:&$T"),
    form("mov.pred  d, a", &[]).operands("d=pred a:!$pred"),
    form("mov.vec.type  d, a", &[PAIR, PAIR_TYPE]).operands("d=_T*vec a:$T*vec"),
    form("mov.vec.type  d, a", &[QUAD, QUAD_TYPE]).operands("d=_T*vec a:$T*vec"),
    form("mov.b16  d, a", &[]).operands("d=_b8*2 a:$b16"),
    form("mov.b16  d, a", &[]).operands("d=b16 a:b8*2"),
    form("mov.b32  d, a", &[]).operands("d=_b16*2 a:$b32"),
    form("mov.b32  d, a", &[]).operands("d=_b8*4 a:$b32"),
    form("mov.b32  d, a", &[]).operands("d=b32 a:b16*2"),
    form("mov.b32  d, a", &[]).operands("d=b32 a:b8*4"),
    form("mov.b64  d, a", &[]).operands("d=_b32*2 a:$b64"),
    form("mov.b64  d, a", &[]).operands("d=_b16*4 a:$b64"),
    form("mov.b64  d, a", &[]).operands("d=b64 a:b32*2"),
    form("mov.b64  d, a", &[]).operands("d=b64 a:b16*4"),
    form("mov.b128  d, a", &[])
        .operands("d=_b64*2 a:b128")
        .since(B128),
    form("mov.b128  d, a", &[])
        .operands("d=_b32*4 a:b128")
        .since(B128),
    form("mov.b128  d, a", &[])
        .operands("d=b128 a:b64*2")
        .since(B128),
    form("mov.b128  d, a", &[])
        .operands("d=b128 a:b32*4")
        .since(B128),
    form("prmt.b32{.mode}  d, a, b, c", &[PERMUTATION]).operands("d=b32 a:b32 b:b32 c:b32"),
    form("shfl.mode.b32  d{|p}, a, b, c", &[LANE])
        .operands("d=b32 p=_pred a:b32 b:b32 c:b32")
        .effects(Effects::CONVERGENT)
        .removed(70, v(6, 4), "shfl.sync"),
    form("shfl.sync.mode.b32  d{|p}, a, b, c, membermask", &[LANE])
        .operands("d=b32 p=_pred a:b32 b:b32 c:b32 membermask:u32")
        .effects(Effects::CONVERGENT),
];
