//! Votes, matches and reductions within a warp.
//!
//! Masks and the operands of integer `redux` are integers even where the type is `.b32`: ptxas
//! takes no `.f32` register there.

use super::gates::{ALWAYS, v};
use crate::row::{Effects, Row, Set, form, set};
use warpc_model::collective::{ELECT, MATCH, REDUX, REDUX_F32};
use warpc_target::{Gate, at_least};

const EFFECTS: Effects = Effects::SYNC.union(Effects::CONVERGENT);

const MODE: Set = set("mode", &[(".all .any .uni", ALWAYS)]);
const MATCH_TYPE: Set = set("type", &[(".b32 .b64", ALWAYS)]);
const REDUX_OP: Set = set("op", &[(".add .min .max", ALWAYS)]);
const REDUX_BITS: Set = set("op", &[(".and .or .xor", ALWAYS)]);
const REDUX_FLOAT: Set = set("op", &[(".min .max", ALWAYS)]);
const REDUX_TYPE: Set = set("type", &[(".u32 .s32", ALWAYS)]);

/// The section's forms.
pub static ROWS: &[Row] = &[
    form("vote.mode.pred  d, a", &[MODE])
        .operands("d=pred a:!pred")
        .removed(70, v(6, 4), "vote.sync")
        .effects(EFFECTS),
    form("vote.ballot.b32  d, a", &[])
        .operands("d=b32 a:!pred")
        .removed(70, v(6, 4), "vote.sync")
        .effects(EFFECTS),
    form("vote.sync.mode.pred  d, a, membermask", &[MODE])
        .operands("d=pred a:!pred membermask:u32")
        .effects(EFFECTS),
    form("vote.sync.ballot.b32  d, a, membermask", &[])
        .operands("d=b32 a:!pred membermask:u32")
        .effects(EFFECTS),
    form("match.any.sync.type  d, a, membermask", &[MATCH_TYPE])
        .operands("d=u32 a:T membermask:u32")
        .since(MATCH)
        .effects(EFFECTS),
    form("match.all.sync.type  d{|p}, a, membermask", &[MATCH_TYPE])
        .operands("d=_u32 p=_pred a:T membermask:u32")
        .since(MATCH)
        .effects(EFFECTS),
    form("activemask.b32  d", &[])
        .operands("d=b32")
        .since(Gate(&[at_least(60, v(6, 2))]))
        .effects(EFFECTS),
    form(
        "redux.sync.op.type  d, a, membermask",
        &[REDUX_OP, REDUX_TYPE],
    )
    .operands("d=u32 a:u32 membermask:u32")
    .since(REDUX)
    .effects(EFFECTS),
    form("redux.sync.op.b32  d, a, membermask", &[REDUX_BITS])
        .operands("d=u32 a:u32 membermask:u32")
        .since(REDUX)
        .effects(EFFECTS),
    form(
        "redux.sync.op{.abs}{.NaN}.f32  d, a, membermask",
        &[REDUX_FLOAT],
    )
    .operands("d=f32 a:f32 membermask:u32")
    .since(REDUX_F32)
    .effects(EFFECTS),
    form("elect.sync  d|p, membermask", &[])
        .operands("d=_u32 p=pred membermask:u32")
        .since(ELECT)
        .effects(EFFECTS),
];
