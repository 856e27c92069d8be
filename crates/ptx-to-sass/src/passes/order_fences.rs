//! Fences of a kernel with mbarriers: operations on them are ordered by a fence of the block first.
//!
//! `MEMBAR.ALL.GPU` alone does not wait for what `SYNCS` does. Source: in kernels that have one, ptxas puts
//! `MEMBAR.ALL.CTA` before every wider `MEMBAR`, and waits for it. Functions do not know who calls them and do it always.

use crate::ir::{Function, Inst, Op, Operand};
use crate::pattern;

/// Puts the fences in; nothing if the chip does not have them.
pub fn order_fences(function: &mut Function) -> Option<()> {
    let mut insts = function.blocks.iter().flat_map(|block| &block.insts);
    let has_mbarriers = insts.any(|inst| inst.shape.opcode() == "SYNCS");
    if !has_mbarriers && function.is_kernel && !function.calls() {
        return Some(());
    }
    let first = pattern::find(function.sm, "MEMBAR.ALL.CTA")?;
    for block in &mut function.blocks {
        let before = std::mem::take(&mut block.insts);
        for inst in before {
            if is_wide(&inst) {
                let operands = first.inst.operands.iter().map(|one| Operand {
                    op: Op::Value(one.value),
                    marks: one.marks,
                });
                block.insts.push(Inst {
                    shape: first.inst.shape,
                    guard: inst.guard,
                    operands: operands.collect(),
                    span: inst.span,
                    origin: None,
                });
            }
            block.insts.push(inst);
        }
    }
    Some(())
}

/// Whether an instruction is a fence beyond the block.
fn is_wide(inst: &Inst) -> bool {
    inst.shape.opcode() == "MEMBAR" && !inst.shape.has("CTA")
}
