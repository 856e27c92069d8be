//! Which `atom` and `red` instructions there are, and what they need.
//!
//! One table of operations ([`FORMS`]); scope, space, order and cache hint are independent of it but
//! for what a row says, so a form's needs are those of its parts together. Checked against ptxas on
//! 16,648 forms, five targets each, by `tests/oracle.rs`; the rows below sm_75 against ptxas 12.9.

use super::{AtomicOp, AtomicType};
use crate::{Ordering, Requires, Scope, StateSpace};
use std::fmt;
use warpc_target::{Gate, PtxVersion, at_least};

use AtomicOp::*;
use AtomicType::*;

/// An `atom` or `red` instruction without its operands.
///
/// ```
/// use warpc_model::{Atomic, AtomicOp, AtomicType, Ordering, Scope, StateSpace};
///
/// let mut atomic = Atomic::new(AtomicOp::Add, AtomicType::F16x2);
/// atomic.space = StateSpace::Global;
/// atomic.order = Some(Ordering::Acquire);
/// atomic.scope = Some(Scope::Cluster);
/// assert_eq!(atomic.to_string(), "atom.acquire.cluster.global.add.noftz.f16x2");
///
/// let needs = atomic.check().unwrap();
/// assert_eq!(needs.required_version("sm_90".parse().unwrap()).unwrap().to_string(), "7.8");
/// assert_eq!(needs.required_version("sm_80".parse().unwrap()), None);
///
/// atomic.has_result = false;
/// assert_eq!(atomic.check().unwrap_err().to_string(), "`red` has the orders relaxed and release only");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Atomic {
    /// What it does.
    pub op: AtomicOp,
    /// On what.
    pub ty: AtomicType,
    /// Number of elements: 1, 2, 4 or 8.
    pub elements: u8,
    /// Whether it keeps subnormal values (`.noftz`). Half-precision forms must say so.
    pub noftz: bool,
    /// Where the memory lies.
    pub space: StateSpace,
    /// The order; relaxed when nothing is said.
    pub order: Option<Ordering>,
    /// The scope; the device when nothing is said.
    pub scope: Option<Scope>,
    /// `atom` gives back the old value, `red` does not.
    pub has_result: bool,
    /// Whether a cache policy comes with it (`.L2::cache_hint`).
    pub cache_hint: bool,
}

/// A set of operations that share their rules.
#[derive(Debug)]
pub struct Form {
    /// What they do.
    pub ops: &'static [AtomicOp],
    /// On what.
    pub types: &'static [AtomicType],
    /// Whether `.noftz` stands.
    pub noftz: bool,
    /// How many elements they may have.
    pub elements: &'static [u8],
    /// The spaces they may address.
    pub spaces: &'static [StateSpace],
    /// Whether there is a `red` form.
    pub red: bool,
    /// Whether they take a cache policy (in generic and global memory).
    pub cache_hint: bool,
    /// What they need.
    pub gate: Gate,
}

const SM60_PTX62: Gate = Gate(&[at_least(60, PtxVersion::new(6, 2))]);
const SM70_PTX60: Gate = Gate(&[at_least(70, PtxVersion::new(6, 0))]);
const SM70_PTX63: Gate = Gate(&[at_least(70, PtxVersion::new(6, 3))]);
const SM80_PTX74: Gate = Gate(&[at_least(80, PtxVersion::new(7, 4))]);
const SM90_PTX78: Gate = Gate(&[at_least(90, PtxVersion::new(7, 8))]);
const SM90_PTX81: Gate = Gate(&[at_least(90, PtxVersion::new(8, 1))]);
const SM90_PTX83: Gate = Gate(&[at_least(90, PtxVersion::new(8, 3))]);
const SM90_PTX84: Gate = Gate(&[at_least(90, PtxVersion::new(8, 4))]);
const SM90_PTX94: Gate = Gate(&[at_least(90, PtxVersion::new(9, 4))]);

const ALL: &[StateSpace] = &[
    StateSpace::Generic,
    StateSpace::Global,
    StateSpace::Shared,
    StateSpace::SharedCta,
    StateSpace::SharedCluster,
];
const GLOBAL: &[StateSpace] = &[StateSpace::Generic, StateSpace::Global];

const fn form(ops: &'static [AtomicOp], types: &'static [AtomicType]) -> Form {
    Form {
        ops,
        types,
        noftz: false,
        elements: &[1],
        spaces: ALL,
        red: true,
        cache_hint: true,
        gate: Gate::ALWAYS,
    }
}

impl Form {
    const fn noftz(mut self) -> Form {
        self.noftz = true;
        self
    }

    const fn atom_only(mut self) -> Form {
        self.red = false;
        self
    }

    const fn no_hint(mut self) -> Form {
        self.cache_hint = false;
        self
    }

    const fn vectors(mut self, elements: &'static [u8]) -> Form {
        self.elements = elements;
        self.spaces = GLOBAL;
        self
    }

    const fn gate(mut self, gate: Gate) -> Form {
        self.gate = gate;
        self
    }
}

/// Every operation that `atom` and `red` have.
#[rustfmt::skip]
pub static FORMS: [Form; 17] = [
    form(&[Exch], &[B32, B64]).atom_only(),
    form(&[Exch], &[B128]).atom_only().gate(SM90_PTX83),
    form(&[Cas], &[B16]).atom_only().no_hint().gate(SM70_PTX63),
    form(&[Cas], &[B32, B64]).atom_only().no_hint(),
    form(&[Cas], &[B128]).atom_only().no_hint().gate(SM90_PTX83),
    form(&[And, Or, Xor], &[B32, B64]),
    form(&[Inc, Dec], &[U32]),
    form(&[Min, Max], &[U32, S32, U64, S64]),
    // There is no `.add.s64`; `.add.u64` does the same.
    form(&[Add], &[U32, S32, U64, F32, F64]),
    form(&[Add], &[F16x2]).noftz().gate(SM60_PTX62),
    form(&[Add], &[F16]).noftz().gate(SM70_PTX63),
    form(&[Add], &[Bf16, Bf16x2]).noftz().gate(SM90_PTX78),
    // Plain `.add.f32` flushes subnormal values of global memory.
    form(&[Add], &[F32]).noftz().gate(SM90_PTX94),
    form(&[Add], &[F32]).vectors(&[2, 4]).gate(SM90_PTX81),
    form(&[Add], &[F32]).noftz().vectors(&[2, 4]).gate(SM90_PTX94),
    form(&[Add, Min, Max], &[F16, Bf16]).noftz().vectors(&[2, 4, 8]).gate(SM90_PTX81),
    form(&[Add, Min, Max], &[F16x2, Bf16x2]).noftz().vectors(&[2, 4]).gate(SM90_PTX81),
];

/// Why there is no such instruction on any target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Illegal {
    /// PTX lacks the operation.
    Op(AtomicOp),
    /// The operation exists as `atom` only.
    NeedsResult(AtomicOp),
    /// The operation does not take the type.
    Type(AtomicOp, AtomicType),
    /// `.noftz` must stand here.
    NeedsNoftz(AtomicType),
    /// `.noftz` cannot stand here.
    Noftz(AtomicType),
    /// No form has this number of elements.
    Elements(AtomicType, u8),
    /// The form does not address the space.
    Space(StateSpace),
    /// The form takes no cache policy.
    CacheHint,
    /// The instruction does not take the order.
    Order {
        /// Whether it is an `atom`.
        has_result: bool,
    },
    /// PTX has no thread scope.
    ThreadScope,
}

impl Atomic {
    /// A plain scalar `atom` on a generic address; with `.noftz` if its type cannot be without.
    pub fn new(op: AtomicOp, ty: AtomicType) -> Atomic {
        Atomic {
            op,
            ty,
            elements: 1,
            noftz: matches!(ty, F16 | Bf16 | F16x2 | Bf16x2),
            space: StateSpace::Generic,
            order: None,
            scope: None,
            has_result: true,
            cache_hint: false,
        }
    }

    /// What the instruction needs, or why no target has it.
    pub fn check(&self) -> Result<Requires, Illegal> {
        let form = self.form()?;
        let orders: &[Ordering] = if self.has_result {
            &[
                Ordering::Relaxed,
                Ordering::Acquire,
                Ordering::Release,
                Ordering::AcqRel,
            ]
        } else {
            &[Ordering::Relaxed, Ordering::Release]
        };
        if self.order.is_some_and(|order| !orders.contains(&order)) {
            return Err(Illegal::Order {
                has_result: self.has_result,
            });
        }
        if self.scope == Some(Scope::Thread) {
            return Err(Illegal::ThreadScope);
        }

        let scope = self.scope.map_or(Gate::ALWAYS, Scope::gate);
        let given = |there: bool, gate: Gate| if there { gate } else { Gate::ALWAYS };
        let wide_system = self.ty == B128 && self.scope == Some(Scope::Sys);
        Ok(Requires::NOTHING
            .and("the operation", form.gate)
            .and("a memory order", given(self.order.is_some(), SM70_PTX60))
            .and("the scope", scope)
            .and("the state space", self.space.gate())
            .and("a cache policy", given(self.cache_hint, SM80_PTX74))
            .and(
                "a 128-bit access at system scope",
                given(wide_system, SM90_PTX84),
            ))
    }

    /// Its modifiers, in the manual's order.
    pub fn words(&self) -> impl Iterator<Item = &'static str> {
        let vector = match self.elements {
            2 => Some("v2"),
            4 => Some("v4"),
            8 => Some("v8"),
            _ => None,
        };
        let words = [
            self.order.map(Ordering::ptx),
            self.scope.map(Scope::ptx),
            self.space.ptx(),
            Some(self.op.ptx().unwrap_or("?")),
            self.noftz.then_some("noftz"),
            self.cache_hint.then_some("L2::cache_hint"),
            vector,
            Some(self.ty.ptx()),
        ];
        words.into_iter().flatten()
    }

    /// Whether there is such an operation, whatever its order and scope are.
    pub(crate) fn has_form(&self) -> Result<(), Illegal> {
        self.form().map(|_| ())
    }

    /// The row of the table. If there is none, the rules are asked one after another, so that the first that no row
    /// fulfils names the fault.
    fn form(&self) -> Result<&'static Form, Illegal> {
        let hint_space = !self.space.is_shared();
        let fits = |form: &&Form| {
            form.ops.contains(&self.op)
                && form.types.contains(&self.ty)
                && (form.red || self.has_result)
                && form.noftz == self.noftz
                && form.elements.contains(&self.elements)
                && form.spaces.contains(&self.space)
                && (!self.cache_hint || form.cache_hint && hint_space)
        };
        if let Some(form) = FORMS.iter().find(fits) {
            return Ok(form);
        }
        let mut fulfils = [true; FORMS.len()];
        let mut keep = |holds: &dyn Fn(&Form) -> bool, otherwise: Illegal| {
            let mut first = Err(otherwise);
            for (form, fulfils) in FORMS.iter().zip(&mut fulfils) {
                *fulfils &= holds(form);
                if *fulfils && first.is_err() {
                    first = Ok(form);
                }
            }
            first
        };
        let noftz = match self.noftz {
            true => Illegal::Noftz(self.ty),
            false => Illegal::NeedsNoftz(self.ty),
        };
        keep(&|form| form.ops.contains(&self.op), Illegal::Op(self.op))?;
        keep(
            &|form| form.red || self.has_result,
            Illegal::NeedsResult(self.op),
        )?;
        keep(
            &|form| form.types.contains(&self.ty),
            Illegal::Type(self.op, self.ty),
        )?;
        keep(&|form| form.noftz == self.noftz, noftz)?;
        keep(
            &|form| form.elements.contains(&self.elements),
            Illegal::Elements(self.ty, self.elements),
        )?;
        keep(
            &|form| form.spaces.contains(&self.space),
            Illegal::Space(self.space),
        )?;
        keep(
            &|form| !self.cache_hint || form.cache_hint && hint_space,
            Illegal::CacheHint,
        )
    }
}

impl fmt::Display for Atomic {
    /// The mnemonic in the manual's order.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.has_result { "atom" } else { "red" })?;
        for word in self.words() {
            write!(f, ".{word}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |op: AtomicOp| op.ptx().unwrap_or("this operation");
        match *self {
            Illegal::Op(op) => write!(f, "PTX has no atomic operation for {op:?}"),
            Illegal::NeedsResult(op) => write!(f, "`{}` exists as `atom` only", name(op)),
            Illegal::Type(op, ty) => write!(f, "`{}` does not take type .{}", name(op), ty.ptx()),
            Illegal::NeedsNoftz(ty) => write!(f, "type .{} needs .noftz here", ty.ptx()),
            Illegal::Noftz(ty) => write!(f, "type .{} does not take .noftz here", ty.ptx()),
            Illegal::Elements(ty, 1) => {
                write!(f, "type .{} needs a vector length here", ty.ptx())
            }
            Illegal::Elements(ty, n) => write!(f, "type .{} does not take .v{n} here", ty.ptx()),
            Illegal::Space(space) => match space.ptx() {
                Some(token) => write!(f, "the form does not address .{token}"),
                None => f.write_str("the form does not address this space"),
            },
            Illegal::CacheHint => f.write_str(
                "a cache policy goes with generic and global memory only, and not with `cas`",
            ),
            Illegal::Order { has_result: true } => {
                f.write_str("`atom` has the orders relaxed, acquire, release and acq_rel only")
            }
            Illegal::Order { has_result: false } => {
                f.write_str("`red` has the orders relaxed and release only")
            }
            Illegal::ThreadScope => f.write_str("PTX has no scope narrower than .cta"),
        }
    }
}

impl std::error::Error for Illegal {}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(change: impl Fn(&mut Atomic)) -> Illegal {
        let mut atomic = Atomic::new(Add, U32);
        assert!(atomic.check().is_ok());
        change(&mut atomic);
        atomic.check().unwrap_err()
    }

    #[test]
    fn each_fault_has_its_reason() {
        assert_eq!(reason(|a| a.op = Sub), Illegal::Op(Sub));
        assert_eq!(
            reason(|a| *a = Atomic {
                has_result: false,
                ..Atomic::new(Cas, B32)
            }),
            Illegal::NeedsResult(Cas)
        );
        assert_eq!(reason(|a| a.ty = S64), Illegal::Type(Add, S64));
        assert_eq!(reason(|a| a.ty = F16), Illegal::NeedsNoftz(F16));
        assert_eq!(reason(|a| a.noftz = true), Illegal::Noftz(U32));
        assert_eq!(reason(|a| a.elements = 2), Illegal::Elements(U32, 2));
        assert_eq!(
            reason(|a| *a = Atomic::new(Min, F16)),
            Illegal::Elements(F16, 1)
        );
        assert_eq!(
            reason(|a| a.space = StateSpace::Local),
            Illegal::Space(StateSpace::Local)
        );
        assert_eq!(
            reason(|a| (a.space, a.cache_hint) = (StateSpace::Shared, true)),
            Illegal::CacheHint
        );
        assert_eq!(
            reason(|a| a.order = Some(Ordering::SeqCst)),
            Illegal::Order { has_result: true }
        );
        assert_eq!(
            reason(|a| a.scope = Some(Scope::Thread)),
            Illegal::ThreadScope
        );
    }

    /// What ptxas 12.9 said on the chips that 13.4 knows no more.
    #[test]
    fn before_sm_75() {
        let version = |atomic: Atomic, sm: &str| {
            let version = atomic
                .check()
                .unwrap()
                .required_version(sm.parse().unwrap());
            version.map(|v| v.to_string())
        };
        let both = |atomic| (version(atomic, "sm_60"), version(atomic, "sm_70"));
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(both(Atomic::new(Add, F64)), (some("6.0"), some("6.0")));
        assert_eq!(both(Atomic::new(Add, F16x2)), (some("6.2"), some("6.2")));
        assert_eq!(both(Atomic::new(Add, F16)), (None, some("6.3")));
        assert_eq!(both(Atomic::new(Cas, B16)), (None, some("6.3")));
        let mut atomic = Atomic::new(Add, U32);
        atomic.space = StateSpace::SharedCta;
        assert_eq!(both(atomic), (some("7.8"), some("7.8")));
        atomic.order = Some(Ordering::Relaxed);
        assert_eq!(both(atomic), (None, some("7.8")));
        atomic.cache_hint = true;
        atomic.space = StateSpace::Global;
        assert_eq!(both(atomic), (None, None));
    }

    /// The recorded table has the scalar form only; the vectors were asked of ptxas 13.4 by hand.
    #[test]
    fn f32_without_flushing_is_young() {
        for elements in [1, 2, 4] {
            let mut atomic = Atomic::new(Add, F32);
            (atomic.noftz, atomic.elements) = (true, elements);
            let version = atomic
                .check()
                .unwrap()
                .required_version("sm_90".parse().unwrap());
            assert_eq!(version, Some(PtxVersion::new(9, 4)));
        }
    }

    #[test]
    fn an_unmet_need_names_the_part() {
        let mut atomic = Atomic::new(Add, U32);
        atomic.scope = Some(Scope::Cluster);
        let needs = atomic.check().unwrap();
        let unmet = needs.check("sm_80".parse().unwrap(), PtxVersion::LATEST);
        assert_eq!(
            unmet.unwrap_err().to_string(),
            "the scope needs sm_90 or later (PTX 7.8)"
        );
    }
}
