//! Instructions, except those on memory and calls.

use super::call::fast_math;
use super::function::Parts;
use super::{Read, Reader, Typed};
use crate::bitcode::codes::operation;
use crate::bitcode::codes::record::function as code;
use crate::inst::{CastOp, Flags, Op};
use crate::types::{Type, TypeId};

impl Reader<'_> {
    /// The entry of `void`.
    pub(super) fn void_entry(&mut self) -> u32 {
        let void = self.module.types.void;
        self.types.make(void, &[])
    }

    fn token_entry(&mut self) -> u32 {
        let token = self.module.types.token;
        self.types.make(token, &[])
    }

    /// An instruction; nothing if it was a debug intrinsic.
    pub(super) fn instruction(&mut self, code: u32) -> Read<Option<Parts>> {
        let parts = match code {
            code::BINOP => self.binary()?,
            code::CAST => self.cast()?,
            code::UNOP => {
                let mut at = 0;
                let value = self.value_and_type(&mut at)?;
                if self.op(at)? != operation::FNEG || !self.is_float(value.ty) {
                    return Err(self.unsupported("an unknown operation on one value"));
                }
                self.push(value.value);
                Parts {
                    op: Op::Fneg,
                    ty: value.ty,
                    flags: fast_math(self.optional(at + 1)),
                }
            }
            code::GEP | code::GEP_OLD | code::INBOUNDS_GEP_OLD => self.gep(code)?,
            code::SELECT | code::VSELECT => self.select(code)?,
            code::EXTRACTELT | code::INSERTELT | code::SHUFFLEVEC => self.vector(code)?,
            code::CMP | code::CMP2 => self.compare()?,
            code::EXTRACTVAL | code::INSERTVAL => self.member(code)?,
            code::PHI => self.phi()?,
            code::FREEZE => {
                let mut at = 0;
                let value = self.value_and_type(&mut at)?;
                self.push(value.value);
                Parts::new(Op::Freeze, value.ty)
            }
            code::VAARG => {
                let list_ty = self.type_at(self.op(0)?)?;
                let mut at = 1;
                let list = self.value_of(&mut at, list_ty)?;
                self.push(list);
                let ty = self.type_at(self.op(2)?)?;
                Parts::new(Op::VaArg, ty)
            }
            code::LOAD | code::LOADATOMIC => self.load(code)?,
            code::STORE | code::STORE_OLD | code::STOREATOMIC | code::STOREATOMIC_OLD => {
                self.store(code)?
            }
            code::FENCE => self.fence()?,
            code::CMPXCHG | code::CMPXCHG_OLD => self.cmpxchg(code)?,
            code::ATOMICRMW | code::ATOMICRMW_OLD => self.atomicrmw(code)?,
            code::ALLOCA => self.alloca()?,
            code::CALL | code::INVOKE | code::CALLBR => return self.call(code),
            code::LANDINGPAD | code::LANDINGPAD_OLD => self.landing_pad(code)?,
            _ => self.terminator(code)?,
        };
        Ok(Some(parts))
    }

    fn is_float(&self, ty: u32) -> bool {
        self.module
            .types
            .is_float(self.module.types.scalar(self.id(ty)))
    }

    fn binary(&mut self) -> Read<Parts> {
        let mut at = 0;
        let first = self.value_and_type(&mut at)?;
        self.push(first.value);
        let second = self.value_of(&mut at, first.ty)?;
        self.push(second);
        let float = self.is_float(first.ty);
        let scalar = self.module.types.scalar(self.id(first.ty));
        let Some(op) = operation::binary_of(self.op(at)?, float)
            .filter(|_| float || self.module.types.is_int(scalar))
        else {
            return Err(self.fault("an operation that does not fit its operands"));
        };
        let bits = self.optional(at + 1);
        let flags = match float {
            true => fast_math(bits),
            false => operation::flags_of(operation::binary_flags(op), bits),
        };
        Ok(Parts {
            op: Op::Binary(op),
            ty: first.ty,
            flags,
        })
    }

    fn cast(&mut self) -> Read<Parts> {
        let mut at = 0;
        let value = self.value_and_type(&mut at)?;
        self.push(value.value);
        let ty = self.type_at(self.op(at)?)?;
        let Some(op) = operation::cast_of(self.op(at + 1)?) else {
            return Err(self.unsupported("an unknown conversion"));
        };
        let bits = self.optional(at + 2);
        let flags = match op {
            CastOp::Trunc => operation::flags_of(operation::WRAP_FLAGS, bits),
            CastOp::Zext => operation::flags_of(operation::NNEG_FLAGS, bits),
            CastOp::Uitofp => {
                operation::flags_of(operation::NNEG_FLAGS, bits) | fast_math(bits & !1)
            }
            CastOp::Sitofp => fast_math(bits & !1),
            CastOp::Fptrunc | CastOp::Fpext => fast_math(bits),
            _ => Flags::empty(),
        };
        if !self.module.types.is_first_class(self.id(ty)) {
            return Err(self.fault("a conversion to a type that no value has"));
        }
        Ok(Parts {
            op: Op::Cast(op),
            ty,
            flags,
        })
    }

    fn select(&mut self, code: u32) -> Read<Parts> {
        let mut at = 0;
        let first = self.value_and_type(&mut at)?;
        let second = self.value_of(&mut at, first.ty)?;
        let condition = match code {
            code::VSELECT => self.value_and_type(&mut at)?.value,
            _ => {
                let i1 = self.module.types.i1;
                let truth = self.types.make(i1, &[]);
                self.value_of(&mut at, truth)?
            }
        };
        self.function
            .operands
            .extend([condition, first.value, second]);
        let flags = fast_math(self.optional(at));
        Ok(Parts {
            op: Op::Select,
            ty: first.ty,
            flags,
        })
    }

    fn vector(&mut self, code: u32) -> Read<Parts> {
        let mut at = 0;
        let vector = self.value_and_type(&mut at)?;
        self.push(vector.value);
        if !self.module.types.is_vector(self.id(vector.ty)) {
            return Err(self.fault("a vector that is not one"));
        }
        let Some(element) = self.types.part(vector.ty, 0) else {
            return Err(self.fault("a vector that is not one"));
        };
        match code {
            code::EXTRACTELT => {
                let index = self.value_and_type(&mut at)?;
                self.push(index.value);
                Ok(Parts::new(Op::ExtractElement, element))
            }
            code::INSERTELT => {
                let member = self.value_of(&mut at, element)?;
                self.push(member);
                let index = self.value_and_type(&mut at)?;
                self.push(index.value);
                Ok(Parts::new(Op::InsertElement, vector.ty))
            }
            _ => {
                let second = self.value_of(&mut at, vector.ty)?;
                self.push(second);
                let mask = self.value_and_type(&mut at)?;
                let mask_id = self.id(mask.ty);
                if mask.value.constant().is_none() || !self.module.types.is_vector(mask_id) {
                    return Err(self.fault("the mask of `shufflevector` is not a constant vector"));
                }
                self.push(mask.value);
                let id = self.module.types.with_shape_of(mask_id, self.id(element));
                let ty = self.types.make(id, &[element]);
                Ok(Parts::new(Op::ShuffleVector, ty))
            }
        }
    }

    fn compare(&mut self) -> Read<Parts> {
        let mut at = 0;
        let first = self.value_and_type(&mut at)?;
        self.push(first.value);
        let second = self.value_of(&mut at, first.ty)?;
        self.push(second);
        let predicate = self.op(at)?;
        let bits = self.optional(at + 1);
        let float = self.is_float(first.ty);
        let (op, flags) = match float {
            true => (operation::fcmp_of(predicate).map(Op::Fcmp), fast_math(bits)),
            false => {
                let flags = operation::flags_of(operation::ICMP_FLAGS, bits);
                (operation::icmp_of(predicate).map(Op::Icmp), flags)
            }
        };
        let scalar = self.module.types.scalar(self.id(first.ty));
        let fits = float || self.module.types.is_int(scalar) || self.module.types.is_ptr(scalar);
        let Some(op) = op.filter(|_| fits) else {
            return Err(self.fault("a comparison that does not fit its operands"));
        };
        let ty = self.truth_of(first.ty);
        Ok(Parts { op, ty, flags })
    }

    fn member(&mut self, code: u32) -> Read<Parts> {
        let mut at = 0;
        let aggregate = self.value_and_type(&mut at)?;
        self.push(aggregate.value);
        let inserted = match code {
            code::INSERTVAL => {
                let member = self.value_and_type(&mut at)?;
                self.push(member.value);
                Some(member)
            }
            _ => None,
        };
        let mut member = aggregate.ty;
        let mut indices = Vec::new();
        if at >= self.ops.len() {
            return Err(self.fault("a member without an index"));
        }
        for index in at..self.ops.len() {
            let number = self.ops[index];
            let part = match self.module.types.get(self.id(member)) {
                Type::Array { len, .. } if number < len => self.types.part(member, 0),
                Type::Struct { .. } | Type::Named(_) => usize::try_from(number)
                    .ok()
                    .and_then(|number| self.types.part(member, number)),
                _ => None,
            };
            let Some(part) = part else {
                return Err(self.fault(format!("an aggregate has no member {number}")));
            };
            member = part;
            match u32::try_from(number) {
                Ok(number) => indices.push(number),
                Err(_) => return Err(self.fault("an index does not fit into 32 bits")),
            }
        }
        let list = self.module.types.intern_numbers(&indices);
        match inserted {
            Some(Typed { ty, .. }) if self.id(ty) != self.id(member) => {
                Err(self.fault("a member has another type than the aggregate"))
            }
            Some(_) => Ok(Parts::new(Op::InsertValue(list), aggregate.ty)),
            None => Ok(Parts::new(Op::ExtractValue(list), member)),
        }
    }

    /// `[type, (value, block) …, flags]`
    fn phi(&mut self) -> Read<Parts> {
        let ty = self.type_at(self.op(0)?)?;
        if !self.module.types.is_first_class(self.id(ty)) {
            return Err(self.fault("a phi of a type that no value has"));
        }
        let even = self.ops.len().is_multiple_of(2);
        let end = self.ops.len() - usize::from(even);
        let flags = match even {
            true => fast_math(self.ops[end]),
            false => Flags::empty(),
        };
        for at in (1..end).step_by(2) {
            let value = self.signed_value(self.ops[at], ty)?;
            let block = self.block_at(self.ops[at + 1])?;
            self.function.operands.extend([value, block]);
        }
        Ok(Parts {
            op: Op::Phi,
            ty,
            flags,
        })
    }

    /// `[type, (personality,) cleanup, count, (kind, value) …]`
    fn landing_pad(&mut self, code: u32) -> Read<Parts> {
        let ty = self.type_at(self.op(0)?)?;
        let mut at = 1;
        if code == code::LANDINGPAD_OLD {
            let personality = self.value_and_type(&mut at)?;
            if let Some(global) = self.function.global
                && let crate::module::GlobalKind::Function(function) =
                    &mut self.module.globals[global].kind
                && function.personality.is_none()
            {
                function.personality = personality.value.constant();
            }
        }
        let cleanup = self.op(at)? != 0;
        let count = self.op(at + 1)?;
        at += 2;
        for _ in 0..count {
            let filter = self.op(at)? != 0;
            at += 1;
            let clause = self.value_and_type(&mut at)?;
            let array = matches!(
                self.module.types.get(self.id(clause.ty)),
                Type::Array { .. }
            );
            if array != filter {
                return Err(self.fault("a filter is an array, and what is caught is not"));
            }
            self.push(clause.value);
        }
        Ok(Parts::new(Op::LandingPad { cleanup }, ty))
    }

    fn terminator(&mut self, code: u32) -> Read<Parts> {
        let void = self.void_entry();
        match code {
            code::RET => {
                if !self.ops.is_empty() {
                    let mut at = 0;
                    let value = self.value_and_type(&mut at)?;
                    self.push(value.value);
                }
                Ok(Parts::new(Op::Ret, void))
            }
            code::BR => {
                let first = self.block_at(self.op(0)?)?;
                if self.ops.len() == 1 {
                    self.push(first);
                    return Ok(Parts::new(Op::Br, void));
                }
                let second = self.block_at(self.op(1)?)?;
                let i1 = self.module.types.i1;
                let truth = self.types.make(i1, &[]);
                let mut at = 2;
                let condition = self.value_of(&mut at, truth)?;
                self.function.operands.extend([condition, first, second]);
                Ok(Parts::new(Op::CondBr, void))
            }
            code::SWITCH => self.switch(void),
            code::INDIRECTBR => {
                let ty = self.type_at(self.op(0)?)?;
                let mut at = 1;
                let address = self.value_of(&mut at, ty)?;
                self.push(address);
                self.push_blocks(2)?;
                Ok(Parts::new(Op::IndirectBr, void))
            }
            code::UNREACHABLE => Ok(Parts::new(Op::Unreachable, void)),
            code::RESUME => {
                let mut at = 0;
                let value = self.value_and_type(&mut at)?;
                self.push(value.value);
                Ok(Parts::new(Op::Resume, void))
            }
            code::CLEANUPRET | code::CATCHRET => {
                let token = self.token_entry();
                let mut at = 0;
                let pad = self.value_of(&mut at, token)?;
                self.push(pad);
                if code == code::CATCHRET || self.ops.len() > 1 {
                    let block = self.block_at(self.op(1)?)?;
                    self.push(block);
                }
                let op = match code {
                    code::CATCHRET => Op::CatchRet,
                    _ => Op::CleanupRet,
                };
                Ok(Parts::new(op, void))
            }
            code::CATCHSWITCH => {
                let token = self.token_entry();
                let mut at = 0;
                let parent = self.value_of(&mut at, token)?;
                self.push(parent);
                let count = usize::try_from(self.op(at)?).unwrap_or(usize::MAX);
                let handlers = at + 1;
                let end = handlers.saturating_add(count);
                let unwinds = self.ops.len() > end;
                if unwinds {
                    let block = self.block_at(self.op(end)?)?;
                    self.push(block);
                }
                for at in handlers..end {
                    let block = self.block_at(self.op(at)?)?;
                    self.push(block);
                }
                Ok(Parts::new(Op::CatchSwitch { unwinds }, token))
            }
            code::CATCHPAD | code::CLEANUPPAD => {
                let token = self.token_entry();
                let mut at = 0;
                let parent = self.value_of(&mut at, token)?;
                self.push(parent);
                let count = self.op(at)?;
                at += 1;
                for _ in 0..count {
                    let value = self.value_and_type(&mut at)?;
                    self.push(value.value);
                }
                let op = match code {
                    code::CATCHPAD => Op::CatchPad,
                    _ => Op::CleanupPad,
                };
                Ok(Parts::new(op, token))
            }
            _ => Err(self.unsupported("an unknown instruction")),
        }
    }

    fn push_blocks(&mut self, from: usize) -> Read<()> {
        for at in from..self.ops.len() {
            let block = self.block_at(self.ops[at])?;
            self.push(block);
        }
        Ok(())
    }

    /// `[type, value, default, (case, block) …]`
    fn switch(&mut self, void: u32) -> Read<Parts> {
        // The high half of the first number was a mark of case ranges, which LLVM never released.
        let first = self.op(0)?;
        if first >> 16 == 0x4B5 {
            return Err(self.unsupported("a `switch` with ranges of cases"));
        }
        let ty = self.type_at(first)?;
        let mut at = 1;
        let value = self.value_of(&mut at, ty)?;
        let default = self.block_at(self.op(2)?)?;
        self.function.operands.extend([value, default]);
        let id: TypeId = self.id(ty);
        for at in (3..self.ops.len()).step_by(2) {
            // Cases are constants with their own numbers.
            let case = self.value_at(self.ops[at], None)?;
            if case.value.constant().is_none() || self.id(case.ty) != id {
                return Err(self.fault("a case of a `switch` is not a constant of its type"));
            }
            let block = self.block_at(self.op(at + 1)?)?;
            self.function.operands.extend([case.value, block]);
        }
        Ok(Parts::new(Op::Switch, void))
    }
}
