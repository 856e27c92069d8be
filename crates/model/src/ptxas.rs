//! What ptxas does not keep of an access, and so what a compiler must not rely on.
//!
//! PTX says that an access has an order and is atomic; ptxas 13.4 (and the one in the driver of CUDA 13.0) makes machine
//! code of some of them that is weaker. Whoever prints PTX asks [`Atomic::lost_by_ptxas`] and [`wide_order_is_lost`], and puts
//! what would be lost into fences and loops that ptxas does keep.
//!
//! | access | from | ptxas makes | lost |
//! |---|---|---|---|
//! | sums of `f32 f64 f16x2 bf16x2`, and 64 bits other than `exch` and `cas`, in `.shared` | sm_90 | a loop of `ATOMS.CAST.SPIN` without `MEMBAR` and `CCTL.IVALL` | the whole order |
//! | the same in generic memory and `.shared::cluster` | sm_90 | `ATOM`, `CCTL.IVALL`, then that loop if the memory is shared | acquire |
//! | `and or xor min max` of 64 bits, sums of `f16x2 bf16x2`, there | sm_90 | after `ATOM` and the loop a plain load and store, which the memory of another block gets to | atomicity |
//! | `ld` and `st` of 256 bits | sm_100 | the plain access | the whole order |
//!
//! Evidence: every form of `atom`, `red`, `ld` and `st` with every order, scope and space for sm_80, 90, 100 and 120, read
//! from the machine code of ptxas 13.4 (`./x atomics judge`); lost updates in the memory of another block were seen on an H200.

use crate::{Atomic, AtomicOp, AtomicType, StateSpace, TypeClass};
use warpc_target::{Sm, features};

/// What is lost of an access.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Lost {
    /// Accesses before a releasing one are not ordered before it.
    pub release: bool,
    /// Accesses after an acquiring one are not ordered after it.
    pub acquire: bool,
    /// The operation is not atomic if the address lies in the shared memory of another block.
    pub atomicity: bool,
}

impl Lost {
    /// Nothing.
    pub const NOTHING: Lost = Lost {
        release: false,
        acquire: false,
        atomicity: false,
    };
}

impl Atomic {
    /// What ptxas loses of the instruction on a chip, whatever its order.
    ///
    /// ```
    /// use warpc_model::{Atomic, AtomicOp, AtomicType, StateSpace};
    /// let mut sum = Atomic::new(AtomicOp::Add, AtomicType::F32);
    /// sum.space = StateSpace::Shared;
    /// assert!(sum.lost_by_ptxas("sm_90".parse().unwrap()).release);
    /// assert!(!sum.lost_by_ptxas("sm_80".parse().unwrap()).release);
    /// ```
    pub fn lost_by_ptxas(&self, sm: Sm) -> Lost {
        // Vectors exist in global memory only.
        if self.elements != 1 || !sm.has(features::CLUSTERS) {
            return Lost::NOTHING;
        }
        let is_loop = self.is_loop_in_shared_memory();
        match self.space {
            StateSpace::Shared | StateSpace::SharedCta => Lost {
                release: is_loop,
                acquire: is_loop,
                atomicity: false,
            },
            StateSpace::Generic | StateSpace::SharedCluster => Lost {
                release: false,
                acquire: is_loop,
                atomicity: self.is_split_in_other_blocks(),
            },
            _ => Lost::NOTHING,
        }
    }

    /// Whether shared memory has no such operation. Sums of single halves are loops, too, but of swaps that keep their order.
    fn is_loop_in_shared_memory(&self) -> bool {
        let is_sum = self.op == AtomicOp::Add && self.ty.class() == TypeClass::Float;
        let is_half = matches!(self.ty, AtomicType::F16 | AtomicType::Bf16);
        let is_swap = matches!(self.op, AtomicOp::Exch | AtomicOp::Cas);
        is_sum && !is_half || self.ty.bytes() == 8 && !is_swap
    }

    /// Whether the memory of another block has no such operation, and ptxas no loop for it.
    fn is_split_in_other_blocks(&self) -> bool {
        let logic = matches!(
            self.op,
            AtomicOp::And | AtomicOp::Or | AtomicOp::Xor | AtomicOp::Min | AtomicOp::Max
        );
        logic && self.ty.bytes() == 8 || matches!(self.ty, AtomicType::F16x2 | AtomicType::Bf16x2)
    }
}

/// Whether ptxas loses the order of a load or store of this many bytes on a chip.
pub fn wide_order_is_lost(bytes: u64, sm: Sm) -> bool {
    bytes > 16 && sm.has(features::WIDE_ACCESSES)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lost(text: &str, space: StateSpace) -> Lost {
        let (op, ty) = text.split_once('.').unwrap();
        let (op, ty) = (AtomicOp::from_ptx(op), AtomicType::from_ptx(ty));
        let mut atomic = Atomic::new(op.unwrap(), ty.unwrap());
        atomic.space = space;
        atomic.lost_by_ptxas("sm_90".parse().unwrap())
    }

    #[test]
    fn shared_loops_lose_their_order() {
        for text in [
            "add.f32",
            "add.f64",
            "add.u64",
            "add.f16x2",
            "min.s64",
            "and.b64",
        ] {
            let order = Lost {
                release: true,
                acquire: true,
                atomicity: false,
            };
            assert_eq!(lost(text, StateSpace::Shared), order, "{text}");
            assert_eq!(lost(text, StateSpace::SharedCta), order, "{text}");
            assert_eq!(lost(text, StateSpace::Global), Lost::NOTHING, "{text}");
            assert!(lost(text, StateSpace::Generic).acquire, "{text}");
        }
        for text in [
            "add.u32", "exch.b64", "cas.b64", "cas.b128", "add.f16", "add.bf16", "max.s32",
        ] {
            for space in [
                StateSpace::Shared,
                StateSpace::Generic,
                StateSpace::SharedCluster,
            ] {
                assert_eq!(lost(text, space), Lost::NOTHING, "{text}");
            }
        }
    }

    #[test]
    fn other_blocks_split_logic_and_pairs() {
        for text in [
            "and.b64",
            "or.b64",
            "xor.b64",
            "min.u64",
            "max.s64",
            "add.f16x2",
            "add.bf16x2",
        ] {
            assert!(lost(text, StateSpace::SharedCluster).atomicity, "{text}");
            assert!(lost(text, StateSpace::Generic).atomicity, "{text}");
        }
        for text in ["add.u64", "add.f64", "add.f32", "exch.b64"] {
            assert!(!lost(text, StateSpace::SharedCluster).atomicity, "{text}");
        }
    }

    #[test]
    fn accesses_of_256_bits_have_no_order() {
        let sm = |name: &str| name.parse::<Sm>().unwrap();
        assert!(wide_order_is_lost(32, sm("sm_100")));
        assert!(!wide_order_is_lost(16, sm("sm_100")));
        assert!(!wide_order_is_lost(32, sm("sm_90")));
    }
}
