//! Which values are the same in all lanes of a warp, whenever and together with whomever a lane computes them.
//!
//! ```text
//!   LDC.64 %r0.0, c[0x0][0x210]          the same
//!   S2R %r2, SR_CTAID.X                  the same
//!   IMAD.WIDE %r3.0, %r2, 0x4, %r0.0     computed from them: the same
//!   S2R %r4, SR_TID.X                    not
//!   IADD3 %r5, %r5, 0x1, RZ              not: written twice, and lanes may be in different trips
//! ```
//!
//! [`Divergence`](super::divergence::Divergence) says what lanes agree on that come to an instruction on one way, and is
//! right where they stay together. What is here holds without that: only constants, parameters, and what all threads of
//! a block share go in, and only lanes of registers that are written once ([`Values`]) count. So it does not matter
//! whether lanes have parted, which trip of a loop they are in, or whether they meet again.

use crate::analysis::divergence::is_source;
use crate::analysis::values::Values;
use crate::ir::{Function, Inst, Reg};

/// What is the same in all lanes.
pub struct Same {
    lanes: Vec<bool>,
}

impl Same {
    /// Finds what is the same: once over the code, because what a value is computed from dominates it.
    pub fn of(function: &Function, values: &Values) -> Same {
        let mut same = Same {
            lanes: vec![false; values.count()],
        };
        for block in values.order().blocks() {
            for inst in &function.blocks[block.index()].insts {
                if inst.guard.is_some() || is_source(inst) || !same.reads_only_same(values, inst) {
                    continue;
                }
                for (reg, lane, count) in inst.writes() {
                    for one in lane..lane + count {
                        if values.is_value(reg, one) {
                            same.lanes[values.index(reg, one)] = true;
                        }
                    }
                }
            }
        }
        same
    }

    /// Whether so many lanes of a register from one on are the same.
    pub fn has(&self, values: &Values, reg: Reg, lane: u8, count: u8) -> bool {
        self.lanes[values.lanes(reg, lane, count)]
            .iter()
            .all(|one| *one)
    }

    fn reads_only_same(&self, values: &Values, inst: &Inst) -> bool {
        let mut reads = inst.reads();
        reads.all(|(reg, lane, count)| self.has(values, reg, lane, count))
    }
}
