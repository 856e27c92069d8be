//! Memory: what is allocated, loaded and stored, atomics, addresses of members.

use super::Verifier;
use super::body::Code;
use super::types::Lanes;
use crate::constant::ConstKind;
use crate::inst::{Access, Op, Ordering, RmwOp, SyncScope};
use crate::types::{Type, TypeId};
use crate::value::InstId;
use smallvec::SmallVec;
use warpc_diag::codes;

/// Operations of `atomicrmw` on floating-point values.
const FLOAT_RMW: &[RmwOp] = &[
    RmwOp::Fadd,
    RmwOp::Fsub,
    RmwOp::Fmax,
    RmwOp::Fmin,
    RmwOp::Fmaximum,
    RmwOp::Fminimum,
    RmwOp::Fmaximumnum,
    RmwOp::Fminimumnum,
];

impl Verifier<'_> {
    fn access(&mut self, holds: bool, message: impl Into<String>) -> bool {
        self.check(holds, codes::IR_MEMORY, message)
    }

    /// Checks an instruction that touches memory or computes an address.
    pub(super) fn memory(&mut self, code: &Code<'_>, id: InstId) {
        let inst = &code.body.insts[id];
        let operands = code.body.operands(id);
        let ty = |at| self.operand_type(code, operands, at);
        match inst.op {
            Op::Alloca {
                ty: allocated,
                swifterror,
                ..
            } => {
                let count = ty(0);
                self.alloca(allocated, count, inst.ty);
                if swifterror {
                    let is_one = operands.first().and_then(|count| count.constant());
                    let is_one = is_one.and_then(|count| self.module.constants.as_u64(count));
                    self.access(
                        self.module.types.is_ptr(allocated) && is_one == Some(1),
                        "`swifterror` memory holds one pointer",
                    );
                    if let Some(local) = inst.local() {
                        self.swift_error_uses(code, local);
                    }
                }
            }
            Op::Load(access) => {
                self.address(ty(0), "load");
                let sized = self.is_sized(inst.ty);
                self.access(sized, "a value of a type without size cannot be loaded");
                if self.ordering(access, "load", &[Ordering::Release, Ordering::AcqRel]) {
                    self.atomic_value(inst.ty, "load");
                }
            }
            Op::Store(access) => {
                let value = ty(0);
                self.address(ty(1), "store");
                if let Some(value) = value {
                    let sized = self.is_sized(value);
                    self.access(sized, "a value of a type without size cannot be stored");
                    if self.ordering(access, "store", &[Ordering::Acquire, Ordering::AcqRel]) {
                        self.atomic_value(value, "store");
                    }
                }
            }
            Op::Fence(ordering, _) => {
                self.access(
                    ordering.is_acquire() || ordering.is_release(),
                    "`fence` must be acquire, release, acq_rel or seq_cst",
                );
            }
            Op::CmpXchg {
                access, failure, ..
            } => {
                let (pointer, expected, new) = (ty(0), ty(1), ty(2));
                self.cmpxchg(pointer, expected, new, access, failure);
            }
            Op::AtomicRmw(op, access) => {
                let (pointer, value) = (ty(0), ty(1));
                self.atomic_rmw(pointer, value, op, access);
            }
            Op::Gep { source } => {
                let base = ty(0);
                let indices = operands.get(1..).unwrap_or_default();
                let index_types: SmallVec<[TypeId; 4]> = indices
                    .iter()
                    .map(|&index| self.module.type_of(code.body, index))
                    .collect();
                let path: SmallVec<[Option<u64>; 4]> = indices
                    .iter()
                    .map(|&index| self.constant_index(index.constant()?))
                    .collect();
                if let Some(base) = base {
                    self.gep(source, base, &index_types, &path, inst.ty);
                }
            }
            _ => {}
        }
    }

    fn alloca(&mut self, allocated: TypeId, count: Option<TypeId>, result: TypeId) {
        let sized = self.is_sized(allocated);
        self.access(sized, "memory for a type without size cannot be allocated");
        self.access(
            count.is_some_and(|ty| self.module.types.is_int(ty)),
            "the count of `alloca` must be an integer",
        );
        self.access(self.module.types.is_ptr(result), "`alloca` gives a pointer");
    }

    /// An address must be a pointer.
    fn address(&mut self, ty: Option<TypeId>, name: &str) {
        rule!(
            self.access,
            ty.is_some_and(|ty| self.module.types.is_ptr(ty)),
            "the address of `{name}` must be a pointer"
        );
    }

    /// Checks order and scope of a load or store; whether it is atomic.
    fn ordering(&mut self, access: Access, name: &str, forbidden: &[Ordering]) -> bool {
        if access.ordering == Ordering::Weak {
            rule!(
                self.access,
                access.scope == SyncScope::SYSTEM,
                "a `{name}` that is not atomic has no scope"
            );
            return false;
        }
        rule!(
            self.access,
            !forbidden.contains(&access.ordering),
            "`{name}` cannot be {}",
            access.ordering.llvm().unwrap_or_default()
        );
        rule!(
            self.access,
            access.align.bytes().is_some(),
            "an atomic `{name}` must say its alignment"
        );
        true
    }

    /// What can be accessed atomically.
    fn atomic_value(&mut self, ty: TypeId, name: &str) {
        let number = self.is_int_like(ty) || self.is_ptr_like(ty) || self.is_float_like(ty);
        let fits = number && !matches!(self.lanes(ty), Lanes::Vector { scalable: true, .. });
        if rule!(
            self.access,
            fits,
            "an atomic `{name}` works on integers, pointers or floating-point values, not on {}",
            self.show(ty)
        ) {
            self.atomic_size(ty);
        }
    }

    fn atomic_size(&mut self, ty: TypeId) {
        let bits = match (self.scalar(ty), self.lanes(ty)) {
            (Type::Ptr(space), Lanes::Scalar) => u64::from(self.layout.pointer_bits(space)),
            (Type::Ptr(space), Lanes::Vector { len, .. }) => {
                u64::from(self.layout.pointer_bits(space)) * u64::from(len)
            }
            _ => self.primitive_bits(ty).unwrap_or(0),
        };
        rule!(
            self.access,
            bits >= 8 && bits.is_power_of_two(),
            "an atomic access takes a power of two of bytes, {} does not",
            self.show(ty)
        );
    }

    fn cmpxchg(
        &mut self,
        pointer: Option<TypeId>,
        expected: Option<TypeId>,
        new: Option<TypeId>,
        access: Access,
        failure: Ordering,
    ) {
        self.address(pointer, "cmpxchg");
        let Some(ty) = expected else {
            return;
        };
        self.access(
            new == Some(ty),
            "the values of `cmpxchg` must have one type",
        );
        if rule!(
            self.access,
            matches!(self.ty(ty), Type::Int(_) | Type::Ptr(_)),
            "`cmpxchg` works on an integer or pointer, not on {}",
            self.show(ty)
        ) {
            self.atomic_size(ty);
        }
        self.access(
            access.ordering >= Ordering::Relaxed,
            "`cmpxchg` must be at least monotonic",
        );
        self.access(
            failure.is_cas_failure(),
            "when `cmpxchg` fails it only loads: monotonic, acquire or seq_cst",
        );
    }

    fn atomic_rmw(
        &mut self,
        pointer: Option<TypeId>,
        value: Option<TypeId>,
        op: RmwOp,
        access: Access,
    ) {
        self.address(pointer, "atomicrmw");
        self.access(
            access.ordering >= Ordering::Relaxed,
            "`atomicrmw` must be at least monotonic",
        );
        let Some(ty) = value else {
            return;
        };
        let name = op.keyword();
        let (fits, wanted) = if op == RmwOp::Xchg {
            let fits = match self.ty(ty) {
                Type::Int(_) | Type::Ptr(_) => true,
                other => other.float_bits().is_some(),
            };
            (fits, "an integer, pointer or floating-point value")
        } else if FLOAT_RMW.contains(&op) {
            let fixed = !matches!(self.lanes(ty), Lanes::Vector { scalable: true, .. });
            (
                self.is_float_like(ty) && fixed,
                "a floating-point value or a vector of such",
            )
        } else {
            (self.module.types.is_int(ty), "an integer")
        };
        if rule!(
            self.access,
            fits,
            "`atomicrmw {name}` works on {wanted}, not on {}",
            self.show(ty)
        ) {
            self.atomic_size(ty);
        }
    }

    /// The value of a constant index.
    pub(super) fn constant_index(&self, index: crate::constant::ConstId) -> Option<u64> {
        let constants = &self.module.constants;
        match constants.get(index).kind {
            ConstKind::Int(value) => Some(value),
            ConstKind::Zero => Some(0),
            ConstKind::Splat(element) => constants.as_u64(element),
            _ => None,
        }
    }

    /// Checks the types of `getelementptr`; `path` has the values of constant indices.
    pub(super) fn gep(
        &mut self,
        source: TypeId,
        base: TypeId,
        indices: &[TypeId],
        path: &[Option<u64>],
        result: TypeId,
    ) {
        if !self.access(
            self.is_ptr_like(base),
            "`getelementptr` starts at a pointer or a vector of pointers",
        ) {
            return;
        }
        let sized = self.is_sized(source);
        if !rule!(
            self.access,
            sized,
            "`getelementptr` cannot step over {}, which has no size",
            self.show(source)
        ) {
            return;
        }
        if self.module.types.fields(source).is_some() && self.is_scalable(source) {
            self.access(
                false,
                "`getelementptr` cannot step into a struct with scalable vectors",
            );
        }
        if !self.access(
            indices.iter().all(|&ty| self.is_int_like(ty)),
            "the indices of `getelementptr` must be integers",
        ) {
            return;
        }
        let mut ty = source;
        for at in 1..indices.len() {
            let next = match self.ty(ty) {
                Type::Array { element, .. } | Type::Vector { element, .. } => Some(element),
                Type::Struct { .. } | Type::Named(_) => {
                    // A member is named by a constant of 32 bits.
                    let fits = self.module.types.scalar(indices[at]) == self.module.types.i32;
                    path[at]
                        .filter(|_| fits)
                        .and_then(|index| self.module.types.member(ty, index))
                }
                _ => None,
            };
            let Some(next) = next else {
                rule!(
                    self.access,
                    false,
                    "index {} of `getelementptr` does not name a member of {}",
                    at + 1,
                    self.show(ty)
                );
                return;
            };
            ty = next;
        }
        let mut lanes = self.lanes(base);
        for &index in indices {
            let width = self.lanes(index);
            if lanes == Lanes::Scalar {
                lanes = width;
            }
            self.access(
                width == Lanes::Scalar || width == lanes,
                "the vectors that `getelementptr` takes must have as many elements",
            );
        }
        self.access(
            self.lanes(result) == lanes && self.scalar(result) == self.scalar(base),
            "`getelementptr` gives a pointer in the address space it starts in, or a vector of them",
        );
    }
}
