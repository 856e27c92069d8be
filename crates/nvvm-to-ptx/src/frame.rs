//! Local memory of a function: a slot for each variable on the stack.
//!
//! ```text
//!   .local .align 16 .b8 __local_depot0[256];
//!   mov.b64 %SPL, __local_depot0;       the address in local memory
//!   cvta.local.u64 %SP, %SPL;           the generic one
//! ```

use crate::code::Reg;
use rustc_hash::{FxHashMap, FxHashSet};
use warpc_nvvm::value::InstId;

/// Local memory of a function.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// Bytes taken so far.
    pub size: u64,
    /// The alignment of the whole.
    pub align: u64,
    slots: FxHashMap<InstId, u64>,
    /// The variables that have a place here.
    pub fixed: FxHashSet<InstId>,
    /// The register with the generic address, if asked for.
    pub generic: Option<Reg>,
    /// The register with the address in local memory, if asked for.
    pub local: Option<Reg>,
}

impl Frame {
    /// Where the slot of a variable starts; made when it is asked for first.
    pub fn slot(&mut self, inst: InstId, size: u64, align: u64) -> u64 {
        if let Some(&offset) = self.slots.get(&inst) {
            return offset;
        }
        let offset = self.take(size, align);
        self.slots.insert(inst, offset);
        offset
    }

    /// Where the slot of a variable starts that has one.
    pub fn place(&self, inst: InstId) -> Option<u64> {
        self.slots.get(&inst).copied()
    }

    /// Takes memory that belongs to no variable.
    pub fn take(&mut self, size: u64, align: u64) -> u64 {
        let offset = self.size.next_multiple_of(align.max(1));
        self.size = offset.saturating_add(size.max(1));
        self.align = self.align.max(align.max(1));
        offset
    }
}
