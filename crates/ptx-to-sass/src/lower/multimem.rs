//! Accesses to memory that several devices share under one address.
//!
//! A reduction of 32-bit integers to one address by the whole warp is added up in the warp first (`REDUX`), and one
//! lane does it. The same happens to `red` and `atom` where ptxas sees that the address is the same in all lanes.

use super::atomic::{Operation, operation};
use super::warp;
use crate::code::{Code, address, ptx};
use crate::halves;
use crate::location::Location;
use crate::source::Source;
use crate::wired::Operand;
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
    /// Sums of halves are made in single precision.
    pub wide: bool,
    /// How many elements a vector has.
    pub lanes: u8,
    /// The type of an element.
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
    let wide = source.take("acc::f32");
    let lanes = source.elements();
    Some(Multimem {
        action,
        order,
        scope,
        wide,
        lanes,
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
    /// Whether the elements are put together in registers first.
    fn is_packed(&self) -> bool {
        self.lanes > 1 && self.ty.bytes() < 4
    }

    /// How many bytes are accessed.
    fn bytes(&self) -> u8 {
        self.lanes * self.ty.bytes()
    }

    /// What is stored or added.
    fn source(&self, code: &mut Code) -> Operand {
        match self.is_packed() {
            true => halves::pack(code, "b", self.lanes, self.ty.bytes()).into(),
            false => ptx("b"),
        }
    }

    pub(crate) fn emit(&self, code: &mut Code) -> Option<()> {
        if !code.chip.since(90) {
            return None;
        }
        let atomic = |op, returns| Operation {
            returns,
            order: self.order,
            scope: self.scope,
            space: StateSpace::Global,
            op,
            noftz: false,
            policy: false,
            lanes: self.lanes,
            ty: self.ty,
        };
        match self.action {
            Action::Load(op) => {
                // Sums of floats keep subnormal numbers here, and plain words say their size.
                let kept = Operation {
                    noftz: true,
                    ..atomic(op, true)
                };
                let mut name = match self.wide {
                    true => "LDGMC.E.F32ADD".to_owned(),
                    false => format!("LDGMC.E.{}", operation(op)?),
                };
                match self.ty {
                    AtomicType::U32 | AtomicType::B32 => name.push_str(".32"),
                    _ => kept.put_suffix(&mut name)?,
                }
                let packed = (self.is_packed()).then(|| code.registers(self.bytes().div_ceil(4)));
                let to = packed.map_or(ptx("d"), Operand::from);
                name.push_str(".STRONG.SYS R0, [R0.64+URZ]");
                code.step(name, &[to, address("a")]);
                // In the block, too: the value did not come by its first-level cache.
                if self.order.is_acquire() {
                    code.step("CCTL.IVALL", &[]);
                }
                if let Some(packed) = packed {
                    halves::unpack(code, "d", self.lanes, self.ty.bytes(), packed);
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
                let source = self.source(code);
                atomic.put_native(code, location, (None, None), &[source])?;
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
                let size = match self.bytes() {
                    8 => ".64",
                    16 => ".128",
                    _ => "",
                };
                let location = Location::new(code, StateSpace::Global, false);
                let source = self.source(code);
                code.step(
                    format!("STG.E{size}{strong} {}, R0", location.text()),
                    &location.operands(&[], &[source]),
                );
            }
        }
        Some(())
    }
}
