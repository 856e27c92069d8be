//! `atom` and `red`.
//!
//! | space | returns a value | does not |
//! |---|---|---|
//! | `.global` | `ATOMG.E` | `RED.E`, from sm_90 on `REDG.E` |
//! | `.shared`, `.shared::cta` | `ATOMS` | `ATOMS` |
//! | generic, `.shared::cluster` | `ATOM.E` | `ATOM.E` |
//!
//! The order stands around it: what releases before, what acquires after. What the hardware lacks is a loop
//! (`swap_loop.rs`): 64-bit and floating-point operations in shared memory, everything of 16 bits. A generic
//! address of such an operation is asked for its space at run time.

use super::swap_loop;
use crate::code::{Code, ptx};
use crate::halves;
use crate::location::{Location, is_own};
use crate::source::Source;
use crate::wired::Operand;
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

pub(crate) fn read(source: &mut Source) -> Option<Atomic> {
    let known = source.choice().atomic()?;
    source.take_all(&known.to_string());
    Some(Atomic {
        returns: known.has_result,
        order: known.order.unwrap_or(Ordering::Relaxed),
        scope: known.scope.unwrap_or(Scope::Gpu),
        space: known.space,
        op: known.op,
        noftz: known.noftz,
        policy: known.cache_hint,
        lanes: known.elements,
        ty: known.ty,
    })
}

/// How SASS names an operation.
pub(crate) fn operation(op: AtomicOp) -> Option<&'static str> {
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

    /// Adds that instruction: where it tells that it was done, where the old value goes, and what it takes.
    pub(super) fn put_native(
        &self,
        code: &mut Code,
        location: Location,
        (done, old): (Option<Operand>, Option<Operand>),
        sources: &[Operand],
    ) -> Option<()> {
        let name = self.native(self.space, code)?;
        // A comparison takes the place of the descriptor.
        let location = match self.op {
            AtomicOp::Cas => location.plain(),
            _ => location,
        };
        let results = match name.split('.').next() {
            Some("RED" | "REDG") => String::new(),
            Some("ATOMS") => format!("{}, ", old.map_or("RZ", |_| "R0")),
            _ => {
                let done = done.map_or("PT", |_| "P0");
                format!("{done}, {}, ", old.map_or("RZ", |_| "R0"))
            }
        };
        let taken = ", R0".repeat(sources.len());
        let before: Vec<Operand> = done.into_iter().chain(old).collect();
        code.step(
            format!("{name} {results}{}{taken}", location.text()),
            &location.operands(&before, sources),
        );
        Some(())
    }

    /// What it takes besides the address.
    pub(super) fn sources(&self) -> &'static [Operand] {
        const ONE: [Operand; 1] = [ptx("b")];
        const TWO: [Operand; 2] = [ptx("b"), ptx("c")];
        match self.op {
            AtomicOp::Cas => &TWO,
            _ => &ONE,
        }
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
            code.fence("ALL", self.scope);
        }
    }

    /// What acquires, after the operation. Until sm_89 no other chip part can have changed shared memory, so nothing
    /// is to be forgotten for it.
    pub(super) fn acquire(&self, code: &mut Code) {
        match code.chip.since(90) || !is_own(self.space) {
            _ if !self.order.is_acquire() => {}
            true => code.acquire(self.scope),
            false => code.hold_accesses(),
        }
    }

    pub(crate) fn emit(&self, code: &mut Code) -> Option<()> {
        if !self.exists(code) {
            return None;
        }
        let own = is_own(self.space);
        let generic = matches!(self.space, StateSpace::Generic | StateSpace::SharedCluster);
        if own && !self.is_native_in_shared() && (self.lanes > 1 || self.ty.bytes() != 2) {
            return swap_loop::shared(self, code);
        }
        let halves = self.lanes > 1 && matches!(self.ty, AtomicType::F16 | AtomicType::Bf16);
        let packed = halves.then(|| {
            let packed = halves::pack(code, "b", self.lanes, 2);
            Operand::from(packed)
        });
        let location = Location::new(code, self.space, self.policy);
        if self.lanes == 1 && self.ty.bytes() == 2 {
            return swap_loop::halfword(self, code, location);
        }
        // Only 32 and 128 bits and vectors are alike in every space.
        let everywhere = self.lanes > 1 || self.is_native_in_shared() && self.ty.bytes() != 8;
        if generic && !everywhere {
            return swap_loop::generic(self, code, location);
        }
        self.release(code);
        let old = (halves && self.returns)
            .then(|| code.registers((self.lanes * self.ty.bytes()).div_ceil(4)));
        let result = old.map_or(ptx("d"), Operand::from);
        let result = self.returns.then_some(result);
        let sources = packed.as_ref().map_or(self.sources(), std::slice::from_ref);
        self.put_native(code, location, (None, result), sources)?;
        self.acquire(code);
        if let Some(old) = old {
            halves::unpack(code, "d", self.lanes, 2, old);
            // ptxas moves the other halves, too, but for one of more than two.
            let moves = usize::from((self.lanes - 1).max(2) - self.lanes / 2);
            code.needless(&"PRMT ".repeat(moves));
        }
        Some(())
    }
}
