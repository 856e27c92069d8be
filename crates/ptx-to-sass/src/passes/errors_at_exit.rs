//! Waits for errors of memory before a thread ends, so that they are its own (`--make-errors-visible-at-exit`).

use crate::ir::Function;
use crate::pattern;

/// What waits, in order. Chips without clusters have no second one.
const WAITS: [&str; 2] = ["ERRBAR", "CGAERRBAR"];

/// Puts them before every `EXIT`.
pub fn errors_at_exit(function: &mut Function) {
    let sm = function.sm;
    let waits = WAITS.iter().filter_map(|text| pattern::find(sm, text));
    let waits: Vec<_> = waits.collect();
    for block in &mut function.blocks {
        let before = std::mem::take(&mut block.insts);
        for inst in before {
            if inst.shape.opcode() == "EXIT" {
                let all = waits.iter();
                block
                    .insts
                    .extend(all.map(|wait| wait.filled(&[], inst.guard, inst.span)));
            }
            block.insts.push(inst);
        }
    }
}
