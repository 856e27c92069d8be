//! `WARPSYNC` for lanes of a mask in a register that is a constant with all lanes waits for all, and one right after the
//! same does nothing.
//!
//! ```text
//!   MOV %r1, 0xffffffff
//!   WARPSYNC %r1              WARPSYNC.ALL
//!   WARPSYNC %r1       ─►
//!   SHFL …                    SHFL …
//! ```
//!
//! What waits for all of a warp that is together is taken out later (`opt_sync.rs`); of lanes of a register that is not known.
//! Compilers without optimisation, and those that write inline PTX, put masks into registers.
//!
//! Between two waits for the same lanes there may be what only computes: those lanes have come, and none can have left.

use super::Pass;
use super::assign_registers::Limits;
use super::opt_dce::is_pure;
use crate::analysis::values::Values;
use crate::ir::{Function, Inst, Op, Operand, Reg};
use crate::pattern;
use warpc_sass::{Marks, Value};

/// The pass.
pub(crate) const PASS: Pass = Pass {
    name: "opt_member_masks",
    run,
};

fn run(function: &mut Function, _: &Limits) {
    let mut insts = function.blocks.iter().flat_map(|block| &block.insts);
    if !function.knobs.sync_optimisation || !insts.any(|inst| mask(inst).is_some()) {
        return;
    }
    let values = Values::of(function);
    let mut all_lanes = vec![false; values.count()];
    for inst in function.blocks.iter().flat_map(|block| &block.insts) {
        if let Some((reg, lane)) = makes_all_lanes(inst) {
            all_lanes[values.index(reg, lane)] = values.is_value(reg, lane);
        }
    }
    let Some(all) = pattern::find(function.sm, "WARPSYNC.ALL") else {
        return;
    };
    for block in &mut function.blocks {
        // The last wait, if nothing but computations has come since.
        let mut last: Option<Inst> = None;
        block.insts.retain_mut(|inst| {
            if let Some((reg, lane)) = mask(inst)
                && all_lanes[values.index(reg, lane)]
            {
                *inst = all.filled(&[], None, inst.span);
            }
            let waits = mask(inst).is_some() || is_all(inst);
            if waits && last.as_ref().is_some_and(|last| same(last, inst)) {
                return false;
            }
            if waits {
                last = Some(inst.clone());
            } else {
                let known = last.as_ref().and_then(mask);
                let changes = inst
                    .writes()
                    .any(|(reg, ..)| known.is_some_and(|one| one.0 == reg));
                if changes || !is_pure(inst) {
                    last = None;
                }
            }
            true
        });
    }
}

/// The register of the lanes that an instruction waits for.
fn mask(inst: &Inst) -> Option<(Reg, u8)> {
    if inst.shape.name() != "WARPSYNC" || inst.guard.is_some() || inst.target().is_some() {
        return None;
    }
    // A condition of its own is always true.
    let plain = |operand: &Operand| operand.marks == Marks::NONE;
    if !inst.operands.iter().all(plain) {
        return None;
    }
    let mut reads = inst.reads();
    let (reg, lane, _) = reads.next()?;
    reads.next().is_none().then_some((reg, lane))
}

fn is_all(inst: &Inst) -> bool {
    inst.shape.name() == "WARPSYNC.ALL" && inst.guard.is_none()
}

fn same(one: &Inst, other: &Inst) -> bool {
    one.shape == other.shape && one.operands == other.operands
}

/// The register that gets a number with all bits.
fn makes_all_lanes(inst: &Inst) -> Option<(Reg, u8)> {
    let [to, from, ..] = &inst.operands[..] else {
        return None;
    };
    match (to.op, from.op) {
        (Op::Reg(reg, lane), Op::Value(Value::Number(-1 | 0xffff_ffff)))
            if inst.shape.opcode() == "MOV" && inst.guard.is_none() =>
        {
            Some((reg, lane))
        }
        _ => None,
    }
}
