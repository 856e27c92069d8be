//! Fences of a kernel with mbarriers: operations on them are ordered by a fence of the block first.
//!
//! `MEMBAR.ALL.GPU` alone does not wait for what `SYNCS` does. Source: in kernels that have one, ptxas puts
//! `MEMBAR.ALL.CTA` before every wider `MEMBAR`, and waits for it. Functions do not know who calls them and do it always.
//!
//! With the knob `DisableErrbarAfterMembar` fences are not followed by what waits for errors of memory.

use crate::ir::{Function, Inst};
use crate::pattern;

/// Puts the fences in; nothing if the chip does not have them.
pub fn order_fences(function: &mut Function) -> Option<()> {
    if function.knobs.no_errbar {
        for block in &mut function.blocks {
            let is_errbar = |inst: &Inst| matches!(inst.shape.opcode(), "ERRBAR" | "CGAERRBAR");
            block.insts.retain(|inst| !is_errbar(inst));
        }
    }
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
                block.insts.push(first.filled(&[], inst.guard, inst.span));
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
