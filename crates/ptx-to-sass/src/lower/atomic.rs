//! `atom` and `red`.
//!
//! ```text
//!   PTX ──read: tokens, ten checks──► word, order ──emit: opcode by domain──► steps
//! ```
//!
//! What the instruction says becomes tokens, is checked together with its operands, and goes on as a modifier word
//! (`warpc_model::ocg`); its order and scope, which stand around it as fences, go on as another
//! (`warpc_model::packed`). The opcode is chosen by the word's domain:
//!
//! | space | returns a value | does not |
//! |---|---|---|
//! | `.global` | `ATOMG.E` | `RED.E`, from sm_90 on `REDG.E` |
//! | `.shared`, `.shared::cta` | `ATOMS` | `ATOMS` |
//! | generic, `.shared::cluster` | `ATOM.E` | `ATOM.E` |
//!
//! What releases stands before it, what acquires after. What the hardware lacks is a loop
//! (`swap_loop.rs`): 64-bit and floating-point operations in shared memory, everything of 16 bits. A generic
//! address of such an operation is asked for its space at run time.

use super::swap_loop;
use crate::Unknown;
use crate::code::{Code, ptx};
use crate::halves;
use crate::location::{Location, is_own};
use crate::source::Source;
use crate::wired::Operand;
use smallvec::SmallVec;
use std::fmt::Write;
use warpc_model::ocg::{DataType, Domain, Modifier, Opcode};
use warpc_model::packed::AtomicModifier;
use warpc_model::{AtomicOp, AtomicType, Ordering, Scope, StateSpace};

/// A read-modify-write operation, as two words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Atomic {
    /// The word of the instruction: everything but its order ([`Modifier`]).
    pub word: u32,
    /// The word of its order and scope ([`AtomicModifier`]).
    pub order: u32,
}

/// What the words of an [`Atomic`] say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Operation {
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

/// Checks an `atom` or `red` and packs it. Nothing if it is not one.
pub(crate) fn read(source: &mut Source) -> Option<Result<Atomic, Unknown>> {
    let known = source.choice().atomic()?;
    source.take_words(known.words());
    let said = DataType::of(known.ty).map_or(DataType::UNSPECIFIED, |known| known.0);
    let mut data: SmallVec<[DataType; 8]> = SmallVec::new();
    let operands: &[&str] = match known.op {
        AtomicOp::Cas => &["b", "c"],
        _ => &["b"],
    };
    for name in operands {
        let ty = operand_type(said, known.ty, source.register_bits(name));
        // Where operands are not known, they are as they should be.
        let count = match source.operand(name) {
            None => known.elements,
            Some(_) => source.vector(name).unwrap_or(1),
        };
        data.extend(std::iter::repeat_n(ty, count.into()));
    }
    let modifier = match Modifier::of(&known, &data) {
        Ok(modifier) => modifier,
        Err(faults) => return Some(Err(Unknown::Atomic(faults))),
    };
    let order = AtomicModifier {
        order: known.order.unwrap_or(Ordering::Relaxed),
        scope: known.scope.unwrap_or(Scope::Gpu),
        cluster_tail: false,
    };
    let (word, order) = (modifier.pack()?, order.pack().ok()?);
    Some(Ok(Atomic { word, order }))
}

/// What an operand is, by the bits of its register: what the instruction says if they fit it.
fn operand_type(said: DataType, ty: AtomicType, bits: Option<u32>) -> DataType {
    match bits {
        Some(bits) if bits != 8 * u32::from(ty.bytes()) => DataType::UNSPECIFIED,
        _ => said,
    }
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

impl Operation {
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

    /// Adds the type's part of a name, with the dot before it. Nothing if no instruction has the type.
    pub(super) fn put_suffix(&self, name: &mut String) -> Option<()> {
        use AtomicType::*;
        let lanes = match self.ty {
            F16x2 | Bf16x2 => 2 * self.lanes,
            _ => self.lanes,
        };
        let (plain, number) = match (self.ty, self.lanes) {
            (U32 | B32, 1) => ("", None),
            (S32, 1) => (".S32", None),
            (U64 | B64, 1) => (".64", None),
            (S64, 1) => (".S64", None),
            (B128, 1) => (".128", None),
            (F64, 1) => (".F64.RN", None),
            (F32, 1) => (".F32", Some(None)),
            (F32, _) => (".F32x", Some(Some(lanes))),
            (F16 | F16x2, _) => (".F16x", Some(Some(lanes))),
            (Bf16 | Bf16x2, _) => (".BF16x", Some(Some(lanes))),
            _ => return None,
        };
        name.push_str(plain);
        if let Some(lanes) = number {
            if let Some(lanes) = lanes {
                let _ = write!(name, "{lanes}");
            }
            if self.ty == F32 && !self.noftz {
                name.push_str(".FTZ");
            }
            name.push_str(".RN");
        }
        Some(())
    }

    /// The opcode of the one instruction that does it, and its name with all modifiers.
    fn native(&self, code: &Code) -> Option<(Opcode, String)> {
        let opcode = Opcode::of(Domain::of(self.space), !self.returns, code.chip.0)?;
        let mut name = String::with_capacity(64);
        name.push_str(opcode.name());
        if opcode.has_scope() {
            name.push_str(".E");
        }
        name.push('.');
        name.push_str(operation(self.op)?);
        self.put_suffix(&mut name)?;
        if opcode.has_scope() {
            name.push_str(code.chip.strong(self.scope));
        }
        Some((opcode, name))
    }

    /// Adds that instruction: where it tells that it was done, where the old value goes, and what it takes.
    pub(super) fn put_native(
        &self,
        code: &mut Code,
        location: Location,
        (done, old): (Option<Operand>, Option<Operand>),
        sources: &[Operand],
    ) -> Option<()> {
        let (opcode, mut text) = self.native(code)?;
        // A comparison takes the place of the descriptor.
        let location = match self.op {
            AtomicOp::Cas => location.plain(),
            _ => location,
        };
        text.push(' ');
        if opcode.has_result() {
            if opcode.has_scope() {
                text.push_str(done.map_or("PT, ", |_| "P0, "));
            }
            text.push_str(old.map_or("RZ, ", |_| "R0, "));
        }
        text.push_str(location.text());
        for _ in sources {
            text.push_str(", R0");
        }
        let before: SmallVec<[Operand; 2]> = done.into_iter().chain(old).collect();
        code.step(text, &location.operands(&before, sources));
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

    fn emit(&self, code: &mut Code) -> Option<()> {
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

impl Atomic {
    /// What the words say; nothing if they are not words.
    pub(super) fn operation(&self) -> Option<Operation> {
        let modifier = Modifier::unpack(self.word)?;
        let order = AtomicModifier::unpack(self.order).ok()?;
        Some(Operation {
            returns: !modifier.no_return,
            order: order.order,
            scope: order.scope,
            space: modifier.space()?,
            op: modifier.op,
            noftz: modifier.noftz,
            policy: modifier.policy,
            lanes: modifier.elements,
            ty: modifier.element()?,
        })
    }

    pub(crate) fn emit(&self, code: &mut Code) -> Option<()> {
        self.operation()?.emit(code)
    }
}
