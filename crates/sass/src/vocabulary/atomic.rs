//! `atom` and `red`.
//!
//! | space | returns a value | does not |
//! |---|---|---|
//! | `.global` | `ATOMG.E` | `RED.E`, from sm_90 on `REDG.E` |
//! | `.shared`, `.shared::cta` | `ATOMS` | `ATOMS` |
//! | generic, `.shared::cluster` | `ATOM.E` | `ATOM.E` |
//!
//! The order stands around it: what releases before, what acquires behind. What the hardware lacks is a loop
//! (`swap_loop.rs`): 64-bit and floating-point operations in shared memory, everything of 16 bits. A generic
//! address of such an operation is asked for its space at run time.

use super::opcode::Code;
use super::read::Words;
use super::swap_loop;
use warpc_model::{AtomicOp, AtomicType, Ordering, Scope, StateSpace};

/// A read-modify-write operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Atomic {
    /// `atom`, not `red`.
    pub returns: bool,
    /// The memory order.
    pub order: Ordering,
    /// Among which threads.
    pub scope: Scope,
    /// Where the address points.
    pub space: StateSpace,
    /// The operation.
    pub op: AtomicOp,
    /// Subnormal numbers are kept.
    pub noftz: bool,
    /// A cache policy is given.
    pub policy: bool,
    /// How many elements a vector has.
    pub lanes: u8,
    /// The type of an element.
    pub ty: AtomicType,
}

pub(super) fn read(words: &mut Words) -> Option<Atomic> {
    let order = words.order().unwrap_or(Ordering::Relaxed);
    let scope = words.scope().unwrap_or(Scope::Gpu);
    let space = words.space();
    Some(Atomic {
        returns: words.name() == "atom",
        order,
        scope,
        space,
        op: words.operation()?,
        noftz: words.take("noftz"),
        policy: words.take("L2::cache_hint"),
        lanes: words.lanes(),
        ty: words.ty()?,
    })
}

/// How SASS names an operation.
pub(super) fn operation(op: AtomicOp) -> Option<&'static str> {
    Some(match op {
        AtomicOp::Exch => "EXCH",
        AtomicOp::Add => "ADD",
        AtomicOp::And => "AND",
        AtomicOp::Or => "OR",
        AtomicOp::Xor => "XOR",
        AtomicOp::Max => "MAX",
        AtomicOp::Min => "MIN",
        AtomicOp::Inc => "INC",
        AtomicOp::Dec => "DEC",
        AtomicOp::Cas => "CAS",
        _ => return None,
    })
}

impl Atomic {
    /// Whether the chip has the instruction.
    fn exists(&self, code: &Code) -> bool {
        use AtomicType::{B16, B128, Bf16, Bf16x2, F16, F32};
        let chip = code.chip;
        let cluster = self.scope == Scope::Cluster || self.space == StateSpace::SharedCluster;
        let hopper = cluster
            || self.lanes > 1
            || matches!(self.ty, B128 | Bf16 | Bf16x2)
            || (self.ty == F32 && self.noftz);
        let needed = match self.ty {
            _ if hopper => 90,
            _ if self.policy => 80,
            F16 | B16 => 70,
            _ => 60,
        };
        chip.since(needed)
    }

    /// The type's part of the name, with the dot before it.
    pub(super) fn suffix(&self) -> Option<String> {
        use AtomicType::*;
        let flush = if self.noftz { "" } else { ".FTZ" };
        Some(match (self.ty, self.lanes) {
            (U32 | B32, 1) => String::new(),
            (S32, 1) => ".S32".to_owned(),
            (U64 | B64, 1) => ".64".to_owned(),
            (S64, 1) => ".S64".to_owned(),
            (B128, 1) => ".128".to_owned(),
            (F64, 1) => ".F64.RN".to_owned(),
            (F32, 1) => format!(".F32{flush}.RN"),
            (F32, lanes) => format!(".F32x{lanes}{flush}.RN"),
            (F16, lanes) => format!(".F16x{lanes}.RN"),
            (Bf16, lanes) => format!(".BF16x{lanes}.RN"),
            (F16x2, lanes) => format!(".F16x{}.RN", 2 * lanes),
            (Bf16x2, lanes) => format!(".BF16x{}.RN", 2 * lanes),
            _ => return None,
        })
    }

    /// The name of the one instruction that does it in some space.
    pub(super) fn native(&self, space: StateSpace, code: &Code) -> Option<String> {
        let strong = code.chip.strong(self.scope);
        let rest = format!("{}{}", operation(self.op)?, self.suffix()?);
        Some(match space {
            StateSpace::Global if self.returns || self.op == AtomicOp::Cas => {
                format!("ATOMG.E.{rest}{strong}")
            }
            StateSpace::Global if code.chip.since(90) => format!("REDG.E.{rest}{strong}"),
            StateSpace::Global => format!("RED.E.{rest}{strong}"),
            StateSpace::Shared | StateSpace::SharedCta => format!("ATOMS.{rest}"),
            _ => format!("ATOM.E.{rest}{strong}"),
        })
    }

    /// Whether shared memory has the operation.
    fn is_native_in_shared(&self) -> bool {
        use AtomicType::*;
        match self.op {
            AtomicOp::Exch | AtomicOp::Cas => matches!(self.ty, B32 | B64 | B128),
            _ => matches!(self.ty, U32 | S32 | B32),
        }
    }

    /// What releases, before the operation.
    pub(super) fn release(&self, code: &mut Code) {
        if self.order.is_release() {
            code.put(code.chip.barrier("ALL", self.scope));
        }
    }

    /// What acquires, behind the operation. Until sm_89 no other chip part can have changed shared memory, so nothing
    /// is to be forgotten for it.
    pub(super) fn acquire(&self, code: &mut Code) {
        let own = matches!(self.space, StateSpace::Shared | StateSpace::SharedCta);
        if self.order.is_acquire() && (code.chip.since(90) || !own) {
            code.put(code.chip.acquire(self.scope));
        }
    }

    pub(super) fn emit(&self, code: &mut Code) -> Option<()> {
        if !self.exists(code) {
            return None;
        }
        // Addresses of the cluster's shared memory become generic ones.
        code.put_if(self.space == StateSpace::SharedCluster, "S2R(SR_SWINHI)");
        let shared = matches!(self.space, StateSpace::Shared | StateSpace::SharedCta);
        let generic = matches!(self.space, StateSpace::Generic | StateSpace::SharedCluster);
        if self.lanes == 1 && self.ty.bytes() == 2 {
            return swap_loop::halfword(self, code);
        }
        if shared && !self.is_native_in_shared() {
            return swap_loop::shared(self, code);
        }
        let halves = matches!(self.ty, AtomicType::F16 | AtomicType::Bf16);
        if halves {
            code.put("PRMT ".repeat(usize::from(self.lanes / 2)));
        }
        code.put_if(self.policy, "R2UR R2UR");
        // Only 32 and 128 bits and vectors are alike in every space.
        let everywhere = self.lanes > 1 || self.is_native_in_shared() && self.ty.bytes() != 8;
        if generic && !everywhere {
            return swap_loop::generic(self, code);
        }
        self.release(code);
        code.put(self.native(self.space, code)?);
        self.acquire(code);
        if halves && self.returns {
            code.put("PRMT ".repeat(usize::from(self.lanes - 1).max(2)));
        }
        Some(())
    }
}
