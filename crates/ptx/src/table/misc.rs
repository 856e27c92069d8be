//! Everything else: breakpoints, traps, sleep, performance events, register counts, and questions
//! about opaque handles.

use super::gates::{ALWAYS, v};
use crate::row::{Effects, Row, Set, form, set};
use crate::rule::{RuleView, Violation};
use warpc_model::collective::NANOSLEEP;
use warpc_target::{Gate, arch, family};

const REGISTER_COUNT: Gate = Gate(&[
    arch(90, v(8, 0)),
    arch(100, v(8, 6)),
    family(100, v(8, 8)),
    arch(101, v(8, 6)),
    family(101, v(8, 8)),
    arch(120, v(8, 7)),
    family(120, v(8, 8)),
]);
const OPAQUE: Set = set("type", &[(".texref .samplerref .surfref", ALWAYS)]);
const ACTION: Set = set("action", &[(".inc .dec", ALWAYS)]);

/// The section's forms.
pub static ROWS: &[Row] = &[
    form("brkpt", &[]).effects(Effects::OBSERVABLE),
    form("nanosleep.u32  t", &[])
        .operands("t:u32")
        .effects(Effects::OBSERVABLE)
        .since(NANOSLEEP),
    form("pmevent  a", &[])
        .operands("a:#u32(0..15)")
        .effects(Effects::OBSERVABLE),
    form("pmevent.mask  a", &[])
        .operands("a:#u32(0..65535)")
        .effects(Effects::OBSERVABLE),
    form("trap", &[]).effects(Effects::OBSERVABLE.union(Effects::CONTROL)),
    form(
        "setmaxnreg.action.sync.aligned.u32  imm-reg-count",
        &[ACTION],
    )
    .operands("imm-reg-count:#u32(24..256)")
    .words(1)
    .effects(Effects::CONVERGENT)
    .since(REGISTER_COUNT)
    .rule(check_register_count),
    form("istypep.type  p, a", &[OPAQUE]).operands("p=pred a:u64"),
];

fn check_register_count(inst: &RuleView<'_>) -> Result<(), Violation> {
    match inst.int("imm-reg-count").map(|int| int.value()) {
        Some(count) if count % 8 != 0 => Err(Violation::operand(
            "imm-reg-count",
            format!("{count} is not a multiple of 8"),
        )),
        _ => Ok(()),
    }
}
