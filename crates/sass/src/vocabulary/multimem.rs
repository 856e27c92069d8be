//! Accesses to memory that several devices share under one address.
//!
//! A reduction of 32-bit integers to one address by the whole warp is added up in the warp first (`REDUX`), and one
//! lane does it. The same happens to `red` and `atom` where ptxas sees that the address is the same in all lanes.

use super::atomic::{Atomic, operation};
use super::opcode::Code;
use super::read::Words;
use super::warp;
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

pub(super) fn read(words: &mut Words) -> Option<Multimem> {
    let loads = words.take("ld_reduce");
    let stores = words.take("st");
    let reduces = words.take("red");
    let order = words.order().unwrap_or(Ordering::Weak);
    let scope = words.scope().unwrap_or(Scope::Sys);
    words.take("global");
    let action = match (loads, stores, reduces) {
        (true, false, false) => Action::Load(words.operation()?),
        (false, true, false) => Action::Store,
        (false, false, true) => Action::Reduce(words.operation()?),
        _ => return None,
    };
    Some(Multimem {
        action,
        order,
        scope,
        ty: words.ty()?,
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
    pub(super) fn emit(&self, code: &mut Code) -> Option<()> {
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
                code.put(format!("LDGMC.E.{}{suffix}.STRONG.SYS", operation(op)?));
                code.put_if(self.order.is_acquire(), code.chip.acquire(self.scope));
            }
            Action::Reduce(op) => {
                if let Some((op, ty)) = in_warp(op, self.ty) {
                    code.put("S2R(SR_LANEID) VOTEU.ANY UFLO.U32 ISETP.EQ.U32.AND");
                    code.put(warp::reduction(code.chip.0, op, ty, false, false));
                }
                let atomic = atomic(op, false);
                atomic.release(code);
                code.put(atomic.native(StateSpace::Global, code)?);
            }
            Action::Store => {
                let weak = self.order == Ordering::Weak;
                let release = code.chip.barrier("ALL", self.scope);
                code.put_if(self.order.is_release(), release);
                let strong = if weak {
                    ""
                } else {
                    code.chip.strong(self.scope)
                };
                let size = if self.ty.bytes() == 8 { ".64" } else { "" };
                code.put(format!("STG.E{size}{strong}"));
            }
        }
        Some(())
    }
}
