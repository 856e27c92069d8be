//! The stack pointer: stacksave, stackrestore, alloca.

use super::gates::{ALWAYS, v};
use crate::row::{Effects, Row, Set, form, set};
use crate::rule::{RuleView, Violation};
use warpc_target::{Gate, at_least};

const STACK: Gate = Gate(&[at_least(60, v(7, 3))]);
const TYPE: Set = set("type", &[(".u32 .u64", ALWAYS)]);

/// The largest alignment `alloca` takes.
const MAX_ALIGN: i128 = 1 << 23;

/// The section's forms. What moves the stack pointer counts as touching memory.
pub static ROWS: &[Row] = &[
    form("stacksave.type  d", &[TYPE])
        .operands("d=T")
        .effects(Effects::READ)
        .since(STACK),
    form("stackrestore.type  a", &[TYPE])
        .operands("a:%T")
        .effects(Effects::WRITE)
        .since(STACK),
    form("alloca.type  ptr, size{, immAlign}", &[TYPE])
        .operands("ptr=T size:T immAlign:#u32")
        .effects(Effects::WRITE)
        .since(STACK)
        .rule(check_alignment),
];

fn check_alignment(inst: &RuleView<'_>) -> Result<(), Violation> {
    let Some(align) = inst.int("immAlign").map(|int| int.value()) else {
        return Ok(());
    };
    if (1..=MAX_ALIGN).contains(&align) && align & (align - 1) == 0 {
        return Ok(());
    }
    Err(
        Violation::operand("immAlign", format!("{align} is not an alignment"))
            .help(format!("it is a power of two up to {MAX_ALIGN}")),
    )
}
