//! Instructions on memory.

use super::function::Parts;
use super::{Read, Reader};
use crate::bitcode::codes::operation::{self, alloca, scope};
use crate::bitcode::codes::record::function as code;
use crate::inst::{Access, Align, Flags, Op, Ordering, SyncScope};
use crate::types::Type;
use crate::value::Operand;
use warpc_model::Scope;

impl Reader<'_> {
    fn ordering(&self, at: usize) -> Read<Ordering> {
        match operation::ordering_of(self.op(at)?) {
            Some(ordering) => Ok(ordering),
            None => Err(self.fault("an unknown memory order")),
        }
    }

    fn scope(&mut self, at: usize) -> Read<SyncScope> {
        let number = self.op(at)?;
        if !self.scopes.is_empty() {
            let scope = usize::try_from(number)
                .ok()
                .and_then(|at| self.scopes.get(at));
            return match scope {
                Some(&scope) => Ok(scope),
                None => Err(self.fault(format!("there is no synchronisation scope {number}"))),
            };
        }
        match number {
            scope::SINGLE_THREAD => {
                let name = self.module.names.intern(b"singlethread");
                Ok(SyncScope::named(&self.module.names, name))
            }
            scope::SYSTEM => Ok(SyncScope::new(Scope::Sys)),
            _ => Err(self.fault(format!("there is no synchronisation scope {number}"))),
        }
    }

    /// An address: its value is pushed, the entry of its type returned.
    fn address(&mut self, at: &mut usize) -> Read<u32> {
        let typed = self.value_and_type(at)?;
        if !self.module.types.is_ptr(self.id(typed.ty)) {
            return Err(self.fault("an address that is not a pointer"));
        }
        self.push(typed.value);
        Ok(typed.ty)
    }

    pub(super) fn load(&mut self, code: u32) -> Read<Parts> {
        let atomic = code == code::LOADATOMIC;
        let mut at = 0;
        let address = self.address(&mut at)?;
        let rest = if atomic { 4 } else { 2 };
        let ty = match self.ops.len() == at + rest + 1 {
            true => {
                at += 1;
                self.type_at(self.op(at - 1)?)?
            }
            false => self.pointee(address)?,
        };
        let access = self.access(at, atomic)?;
        self.check_sized(ty)?;
        Ok(Parts::new(Op::Load(access), ty))
    }

    /// `void` and functions are not in memory.
    fn check_sized(&self, ty: u32) -> Read<()> {
        match self.module.types.is_first_class(self.id(ty)) {
            true => Ok(()),
            false => Err(self.fault("a type without a size in memory")),
        }
    }

    /// `[alignment, volatile, order, scope]`
    fn access(&mut self, at: usize, atomic: bool) -> Read<Access> {
        let align = self.align_of(self.op(at)?)?;
        let volatile = self.op(at + 1)? != 0;
        let (ordering, scope) = match atomic {
            true => (self.ordering(at + 2)?, self.scope(at + 3)?),
            false => (Ordering::Weak, SyncScope::SYSTEM),
        };
        Ok(Access {
            volatile,
            ordering,
            align,
            scope,
        })
    }

    pub(super) fn store(&mut self, code: u32) -> Read<Parts> {
        let atomic = matches!(code, code::STOREATOMIC | code::STOREATOMIC_OLD);
        let mut at = 0;
        let address = self.address(&mut at)?;
        let value = match code {
            code::STORE | code::STOREATOMIC => self.value_and_type(&mut at)?.value,
            _ => {
                let ty = self.pointee(address)?;
                self.value_of(&mut at, ty)?
            }
        };
        // The value comes first in memory.
        self.function.operands.insert(0, value);
        let access = self.access(at, atomic)?;
        let void = self.void_entry();
        Ok(Parts::new(Op::Store(access), void))
    }

    pub(super) fn fence(&mut self) -> Read<Parts> {
        let ordering = self.ordering(0)?;
        let scope = self.scope(1)?;
        let void = self.void_entry();
        Ok(Parts::new(Op::Fence(ordering, scope), void))
    }

    pub(super) fn cmpxchg(&mut self, code: u32) -> Read<Parts> {
        let mut at = 0;
        let address = self.address(&mut at)?;
        let ty = match code {
            code::CMPXCHG => {
                let expected = self.value_and_type(&mut at)?;
                self.push(expected.value);
                expected.ty
            }
            _ => {
                let ty = self.pointee(address)?;
                let expected = self.value_of(&mut at, ty)?;
                self.push(expected);
                ty
            }
        };
        let new = self.value_of(&mut at, ty)?;
        self.push(new);
        let volatile = self.op(at)? != 0;
        let ordering = self.ordering(at + 1)?;
        let scope = self.scope(at + 2)?;
        // Before LLVM 3.5 the order on failure followed from the other.
        let failure = match self.ops.len() > at + 3 {
            true => self.ordering(at + 3)?,
            false => match ordering {
                Ordering::AcqRel => Ordering::Acquire,
                Ordering::Release => Ordering::Relaxed,
                other => other,
            },
        };
        let weak = self.optional(at + 4) != 0;
        let align = match self.ops.get(at + 5) {
            Some(&align) => self.align_of(align)?,
            None => Align::NONE,
        };
        let i1 = self.module.types.i1;
        let truth = self.types.make(i1, &[]);
        let fields = self.module.types.intern_list(&[self.id(ty), i1]);
        let pair = self.module.types.intern(Type::Struct {
            fields,
            packed: false,
        });
        let pair = self.types.make(pair, &[ty, truth]);
        let access = Access {
            volatile,
            ordering,
            align,
            scope,
        };
        Ok(Parts::new(
            Op::CmpXchg {
                access,
                failure,
                weak,
            },
            pair,
        ))
    }

    pub(super) fn atomicrmw(&mut self, code: u32) -> Read<Parts> {
        let mut at = 0;
        let address = self.address(&mut at)?;
        let ty = match code {
            code::ATOMICRMW => {
                let value = self.value_and_type(&mut at)?;
                self.push(value.value);
                value.ty
            }
            _ => {
                let ty = self.pointee(address)?;
                let value = self.value_of(&mut at, ty)?;
                self.push(value);
                ty
            }
        };
        let Some(op) = operation::rmw_of(self.op(at)?) else {
            return Err(self.unsupported("an unknown atomic operation"));
        };
        let access = Access {
            volatile: self.op(at + 1)? != 0,
            ordering: self.ordering(at + 2)?,
            scope: self.scope(at + 3)?,
            align: match self.ops.get(at + 4) {
                Some(&align) => self.align_of(align)?,
                None => Align::NONE,
            },
        };
        Ok(Parts::new(Op::AtomicRmw(op, access), ty))
    }

    /// `[type, type of the count, count, alignment and flags, address space]`
    pub(super) fn alloca(&mut self) -> Read<Parts> {
        let bits = self.op(3)?;
        let written = self.type_at(self.op(0)?)?;
        let explicit = bits & alloca::EXPLICIT_TYPE != 0;
        let (ty, pointer) = match explicit {
            true => {
                let space = u32::try_from(self.optional(4)).unwrap_or(u32::MAX);
                if space >= 1 << 24 {
                    return Err(self.fault("the address space does not fit into 24 bits"));
                }
                let space = match self.ops.len() > 4 {
                    true => space,
                    false => self.alloca_space(),
                };
                (written, self.pointer_to(written, space))
            }
            false => (self.pointee(written)?, written),
        };
        self.check_sized(ty)?;
        let count_ty = self.type_at(self.op(1)?)?;
        // The number of the count is not relative.
        let number = self.op(2)?;
        let count = self.value_at(number, Some(count_ty))?;
        if !matches!(count.value.get(), Operand::Const(_) | Operand::Local(_)) {
            return Err(self.fault("the count of an allocation is not a value"));
        }
        self.push(count.value);
        let align = (bits & alloca::ALIGN_MASK) | (bits >> alloca::ALIGN_HIGH_SHIFT & 7) << 5;
        Ok(Parts::new(
            Op::Alloca {
                ty: self.id(ty),
                align: self.align_of(align)?,
                inalloca: bits & alloca::IN_ALLOCA != 0,
                swifterror: bits & alloca::SWIFT_ERROR != 0,
            },
            pointer,
        ))
    }

    /// The address space of stack memory, which the data layout says.
    fn alloca_space(&self) -> u32 {
        let layout = self
            .module
            .data_layout
            .map_or(&b""[..], |name| self.module.names.bytes(name));
        let parts = layout
            .split(|&byte| byte == b'-')
            .filter_map(|part| part.strip_prefix(b"A"));
        let mut spaces = parts.filter_map(|digits| std::str::from_utf8(digits).ok()?.parse().ok());
        spaces.next().unwrap_or(0)
    }

    /// `getelementptr` in the layout of today and in those without a type.
    pub(super) fn gep(&mut self, code: u32) -> Read<Parts> {
        let mut at = 0;
        let mut flags = Flags::empty();
        let mut source = None;
        match code {
            code::GEP => {
                let bits = self.op(0)?;
                flags = operation::flags_of(operation::GEP_FLAGS, bits);
                source = Some(self.type_at(self.op(1)?)?);
                at = 2;
            }
            code::INBOUNDS_GEP_OLD => flags = Flags::INBOUNDS,
            _ => {}
        }
        if flags.contains(Flags::INBOUNDS) {
            flags -= Flags::NUSW;
        }
        let base = self.value_and_type(&mut at)?;
        self.push(base.value);
        let base_id = self.id(base.ty);
        let scalar = self.module.types.scalar(base_id);
        if !self.module.types.is_ptr(scalar) {
            return Err(self.fault("an address that is not a pointer"));
        }
        let source = match source {
            Some(source) => source,
            None => {
                let pointer = match self.module.types.is_vector(base_id) {
                    true => self.types.part(base.ty, 0).unwrap_or(base.ty),
                    false => base.ty,
                };
                self.pointee(pointer)?
            }
        };
        let mut shape = base_id;
        let mut stepped = Some(source);
        let mut first = true;
        while at < self.ops.len() {
            let index = self.value_and_type(&mut at)?;
            let index_id = self.id(index.ty);
            let index_scalar = self.module.types.scalar(index_id);
            if !self.module.types.is_int(index_scalar) {
                return Err(self.fault("an index that is not an integer"));
            }
            if self.module.types.is_vector(index_id) && !self.module.types.is_vector(shape) {
                shape = index_id;
            }
            self.push(index.value);
            if !std::mem::take(&mut first) {
                stepped = stepped.and_then(|ty| self.step(ty, index.value));
                if stepped.is_none() {
                    return Err(self.fault("an index does not select a member"));
                }
            }
        }
        let id = match self.module.types.is_vector(shape) {
            true => self.module.types.with_shape_of(shape, scalar),
            false => base_id,
        };
        // What a typed pointer points to now.
        let typed = match self.module.types.is_vector(base_id) {
            true => self.types.part(base.ty, 0).unwrap_or(base.ty),
            false => base.ty,
        };
        let pointer = match (self.types.parts(typed).is_empty(), stepped) {
            (false, Some(pointee)) => self.types.make(scalar, &[pointee]),
            _ => self.types.make(scalar, &[]),
        };
        let ty = match id == scalar {
            true => pointer,
            false => self.types.make(id, &[pointer]),
        };
        let source = self.id(source);
        Ok(Parts {
            op: Op::Gep { source },
            ty,
            flags,
        })
    }

    /// The entry that an index leads to.
    fn step(&self, ty: u32, index: crate::value::Value) -> Option<u32> {
        match self.module.types.get(self.id(ty)) {
            Type::Array { .. } | Type::Vector { .. } => self.types.part(ty, 0),
            Type::Struct { .. } | Type::Named(_) => {
                let constant = index.constant()?;
                let constants = &self.module.constants;
                let number = match constants.get(constant).kind {
                    crate::constant::ConstKind::Splat(element) => constants.as_u64(element)?,
                    crate::constant::ConstKind::Zero => 0,
                    _ => constants.as_u64(constant)?,
                };
                self.types.part(ty, usize::try_from(number).ok()?)
            }
            _ => None,
        }
    }
}
