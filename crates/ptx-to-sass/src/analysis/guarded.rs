//! Lanes that are needed only where a guard holds, backwards through a block.
//!
//! A write under a guard leaves what was there before. But where everything that reads it has the same guard, or a write under
//! the opposite one comes before it, the old value is needed nowhere, and the two are a definition as one without a guard is:
//!
//! ```text
//!   @P0 LDG R1, [R2]      R1 begins here: it is needed where P0 holds
//!       …                 (P0 is not written)
//!   @P0 FADD R3, R3, R1
//! ```
//!
//! It is known in a block only: at its beginning, what is needed is needed always. Uniform registers belong to the warp and
//! their guards do not, so that they are left out.

use crate::ir::{File, Function, Guard, Inst, Reg};
use smallvec::SmallVec;

/// The lanes that are live, but only where a guard holds.
#[derive(Default)]
pub struct Guarded {
    all: SmallVec<[(Reg, u8, Guard); 8]>,
}

impl Guarded {
    /// Whether nothing is needed only where a guard holds.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Forgets all of them, at the end of a block.
    pub fn clear(&mut self) {
        self.all.clear();
    }

    fn at(&self, reg: Reg, lane: u8) -> Option<usize> {
        let mut all = self.all.iter();
        all.position(|one| (one.0, one.1) == (reg, lane))
    }

    /// An instruction comes before what was seen so far: what depends on a predicate that it writes is needed always before
    /// it.
    pub fn before(&mut self, inst: &Inst) {
        if !self.all.is_empty() {
            for (reg, ..) in inst.writes() {
                self.all.retain(|one| one.2.reg != reg);
            }
        }
    }

    /// Whether a write of a live lane is where it begins.
    pub fn begins(&self, reg: Reg, lane: u8, guard: Option<Guard>) -> bool {
        match guard {
            None => true,
            Some(_) => self
                .at(reg, lane)
                .is_some_and(|at| Some(self.all[at].2) == guard),
        }
    }

    /// Goes back over a write of a live lane; whether it begins there.
    pub fn write(&mut self, function: &Function, reg: Reg, lane: u8, guard: Option<Guard>) -> bool {
        let begins = self.begins(reg, lane, guard);
        match (self.at(reg, lane), guard) {
            (Some(at), _) if begins => {
                self.all.swap_remove(at);
            }
            (None, Some(guard)) if is_of_threads(function, reg) => {
                let not = !guard.not;
                self.all.push((reg, lane, Guard { not, ..guard }));
            }
            _ => {}
        }
        begins
    }

    /// Goes back over a read of a lane, which was live after it or not.
    pub fn read(
        &mut self,
        function: &Function,
        (reg, lane): (Reg, u8),
        guard: Option<Guard>,
        was_live: bool,
    ) {
        match (self.at(reg, lane), guard) {
            (Some(at), _) if Some(self.all[at].2) != guard => {
                self.all.swap_remove(at);
            }
            // The guard itself is read by all.
            (None, Some(guard))
                if !was_live && is_of_threads(function, reg) && guard.reg != reg =>
            {
                self.all.push((reg, lane, guard));
            }
            _ => {}
        }
    }
}

/// Whether each thread has its own.
fn is_of_threads(function: &Function, reg: Reg) -> bool {
    matches!(function.data(reg).file, File::Register | File::Predicate)
}
