//! Registers whose values can be computed again wherever they are read.
//!
//! Each lane is written once, for all threads, by an instruction that reads no register and gives the same whenever it is
//! executed: a number, a word of the constant bank, a special register that does not change. A read that no write comes
//! before is of a value that was never defined, so that any will do there.

use crate::ir::{Function, Inst, lane_mask};
use crate::passes::{is_pure, names_registers};

/// Whether an instruction gives the same wherever it stands.
pub fn is_constant(inst: &Inst) -> bool {
    let gives_the_same = match inst.shape.opcode() {
        "LDC" | "ULDC" => true,
        "MOV" | "UMOV" | "S2R" | "CS2R" => is_pure(inst),
        _ => false,
    };
    gives_the_same
        && inst.guard.is_none()
        && inst.reads().next().is_none()
        && !names_registers(inst)
}

/// For each register whether all of it is written by such instructions, each lane once.
pub fn constants(function: &Function) -> Vec<bool> {
    let mut written = vec![0u128; function.regs.len()];
    let mut constant = vec![true; function.regs.len()];
    for inst in function.blocks.iter().flat_map(|block| &block.insts) {
        let mut same = None;
        for (reg, lane, lanes) in inst.writes() {
            let (reg, mask) = (reg.0 as usize, lane_mask(lane, lanes));
            let is_again = written[reg] & mask != 0;
            written[reg] |= mask;
            if is_again || !*same.get_or_insert_with(|| is_constant(inst)) {
                constant[reg] = false;
            }
        }
    }
    let pairs = constant.iter().zip(&written);
    pairs
        .map(|(constant, written)| *constant && *written != 0)
        .collect()
}
