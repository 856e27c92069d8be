//! Accesses to memory that several devices share under one address.
//!
//! A reduction of 32-bit integers to one address by the whole warp is added up in the warp first (`REDUX`), and one
//! lane does it. The same happens to `red` and `atom` where ptxas sees that the address is the same in all lanes.

use super::atomic::{Atomic, operation};
use super::warp;
use crate::code::{Code, address, ptx};
use crate::location::Location;
use crate::source::Source;
use warpc_model::{AtomicOp, AtomicType, Ordering, ReduxOp, ReduxType, Scope, StateSpace};

/// What is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// `multimem.ld_reduce`
    Load(AtomicOp),
    /// `multimem.red`
    Reduce(AtomicOp),
    /// `multimem.st`
    Store,
}

/// `multimem`
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Multimem {
    /// What is done.
    pub action: Action,
    /// Its order.
    pub order: Ordering,
    /// Among which threads.
    pub scope: Scope,
    /// The type.
    pub ty: AtomicType,
}

pub(crate) fn read(source: &mut Source) -> Option<Multimem> {
    let loads = source.take("ld_reduce");
    let stores = source.take("st");
    let reduces = source.take("red");
    let order = source.order().unwrap_or(Ordering::Weak);
    let scope = source.scope().unwrap_or(Scope::Sys);
    source.take("global");
    let action = match (loads, stores, reduces) {
        (true, false, false) => Action::Load(source.operation()?),
        (false, true, false) => Action::Store,
        (false, false, true) => Action::Reduce(source.operation()?),
        _ => return None,
    };
    Some(Multimem {
        action,
        order,
        scope,
        ty: source.ty()?,
    })
}

/// The warp's reduction that comes before one of memory, where there is one.
fn in_warp(op: AtomicOp, ty: AtomicType) -> Option<(ReduxOp, ReduxType)> {
    let op = match op {
        AtomicOp::Add => ReduxOp::Add,
        AtomicOp::Min => ReduxOp::Min,
        AtomicOp::Max => ReduxOp::Max,
        AtomicOp::And => ReduxOp::And,
        AtomicOp::Or => ReduxOp::Or,
        AtomicOp::Xor => ReduxOp::Xor,
        _ => return None,
    };
    let ty = match ty {
        AtomicType::U32 => ReduxType::U32,
        AtomicType::S32 => ReduxType::S32,
        AtomicType::B32 => ReduxType::B32,
        _ => return None,
    };
    Some((op, ty))
}

impl Multimem {
    pub(crate) fn emit(&self, code: &mut Code) -> Option<()> {
        if !code.chip.since(90) {
            return None;
        }
        let atomic = |op, returns| Atomic {
            returns,
            order: self.order,
            scope: self.scope,
            space: StateSpace::Global,
            op,
            noftz: false,
            policy: false,
            lanes: 1,
            ty: self.ty,
        };
        match self.action {
            Action::Load(op) => {
                // Sums of floats keep subnormal numbers here, and plain words say their size.
                let kept = Atomic {
                    noftz: true,
                    ..atomic(op, true)
                };
                let suffix = match self.ty {
                    AtomicType::U32 | AtomicType::B32 => ".32".to_owned(),
                    _ => kept.suffix()?,
                };
                code.step(
                    format!(
                        "LDGMC.E.{}{suffix}.STRONG.SYS R0, [R0.64+URZ]",
                        operation(op)?
                    ),
                    &[ptx("d"), address("a")],
                );
                if self.order.is_acquire() {
                    code.acquire(self.scope);
                }
            }
            Action::Reduce(op) => {
                if let Some((op, ty)) = in_warp(op, self.ty) {
                    code.needless("S2R(SR_LANEID) VOTEU.ANY UFLO.U32 ISETP.EQ.U32.AND");
                    code.needless(&warp::reduction(code.chip.0, op, ty, false, false));
                }
                let atomic = atomic(op, false);
                atomic.release(code);
                let location = Location::new(code, StateSpace::Global, false);
                atomic.put_native(code, location, (None, None), atomic.sources())?;
            }
            Action::Store => {
                let weak = self.order == Ordering::Weak;
                if self.order.is_release() {
                    code.fence("ALL", self.scope);
                }
                let strong = if weak {
                    ""
                } else {
                    code.chip.strong(self.scope)
                };
                let size = if self.ty.bytes() == 8 { ".64" } else { "" };
                let location = Location::new(code, StateSpace::Global, false);
                code.step(
                    format!("STG.E{size}{strong} {}, R0", location.text()),
                    &location.operands(&[], &[ptx("b")]),
                );
            }
        }
        Some(())
    }
}
