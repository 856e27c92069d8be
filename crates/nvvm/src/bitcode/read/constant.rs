//! Constants.
//!
//! A constant may refer to later ones of its block, and constants in memory are made of what is there. So the records
//! of a block are kept, and each constant is made when all that it refers to are: a walk with a stack of its own.

use super::{Read, Reader, Typed};
use crate::bitcode::codes::global::asm;
use crate::bitcode::codes::operation;
use crate::bitcode::codes::record::{block, constants as code};
use crate::constant::{BlockAddress, ConstId, ConstKind, ExprOp, dense_width};
use crate::inst::Flags;
use crate::module::{Asm, AsmFlags, GlobalKind};
use crate::types::Type;
use crate::value::{Operand, Value};

/// A constant of a block that is not made yet.
struct Raw {
    code: u32,
    ty: u32,
    start: usize,
    len: usize,
    bit: u64,
}

/// The records of a block.
#[derive(Default)]
struct Pending {
    raws: Vec<Raw>,
    ops: Vec<u64>,
    made: Vec<Option<Typed>>,
}

/// A number with its sign in the lowest bit.
pub(super) fn signed(op: u64) -> u64 {
    match op & 1 {
        0 => op >> 1,
        // Minus zero is the smallest number.
        _ if op == 1 => 1 << 63,
        _ => (op >> 1).wrapping_neg(),
    }
}

impl Reader<'_> {
    /// The constants of a module or function, as the next values.
    pub(super) fn constants_block(&mut self) -> Read<()> {
        let around = self.block;
        let mut pending = Pending::default();
        let i32_ty = self.module.types.i32;
        let mut ty = self.types.make(i32_ty, &[]);
        self.records(block::CONSTANTS, |reader, code| {
            if code == code::SETTYPE {
                ty = reader.type_at(reader.op(0)?)?;
                if reader.types.id(ty) == reader.module.types.void {
                    return Err(reader.fault("constants of type `void`"));
                }
                return Ok(());
            }
            pending.raws.push(Raw {
                code,
                ty,
                start: pending.ops.len(),
                len: reader.ops.len(),
                bit: reader.cursor.start,
            });
            pending.ops.extend_from_slice(&reader.ops);
            Ok(())
        })?;
        self.block = block::CONSTANTS;
        pending.made = vec![None; pending.raws.len()];
        let first = self.values.len();
        let here = self.cursor.start;
        for index in 0..pending.raws.len() {
            self.make(&mut pending, first, index)?;
        }
        self.cursor.start = here;
        self.values.extend(pending.made.iter().flatten());
        self.block = around;
        self.code = None;
        Ok(())
    }

    /// Makes a constant and before it all that it refers to.
    fn make(&mut self, pending: &mut Pending, first: usize, index: usize) -> Read<()> {
        let mut stack = vec![index];
        // A constant is on the stack once for each that refers to it; a circle never ends.
        let mut steps = 0usize;
        let limit = pending.ops.len() * 2 + pending.raws.len() * 2 + 16;
        while let Some(&top) = stack.last() {
            if pending.made[top].is_some() {
                stack.pop();
                continue;
            }
            steps += 1;
            let raw = &pending.raws[top];
            self.code = Some(raw.code);
            self.cursor.start = raw.bit;
            if steps > limit {
                return Err(self.fault("a constant is part of itself"));
            }
            let before = stack.len();
            let ops = &pending.ops[raw.start..raw.start + raw.len];
            for number in references(raw.code, ops) {
                let Some(at) = usize::try_from(number)
                    .ok()
                    .and_then(|n| n.checked_sub(first))
                else {
                    continue;
                };
                match pending.made.get(at) {
                    Some(None) if at == top => {
                        return Err(self.fault("a constant is part of itself"));
                    }
                    Some(None) => stack.push(at),
                    _ => {}
                }
            }
            if stack.len() > before {
                continue;
            }
            let (code, ty) = (raw.code, raw.ty);
            self.ops.clear();
            self.ops.extend_from_slice(ops);
            let made = self.constant_record(code, ty, first, &pending.made)?;
            pending.made[top] = Some(made);
            stack.pop();
        }
        Ok(())
    }

    /// A constant that another refers to.
    fn referred(&self, number: u64, first: usize, made: &[Option<Typed>]) -> Read<(ConstId, u32)> {
        let typed =
            usize::try_from(number)
                .ok()
                .and_then(|number| match number.checked_sub(first) {
                    Some(at) => made.get(at).copied().flatten(),
                    None => self.values.get(number).copied(),
                });
        match typed.and_then(|typed| Some((typed.value.constant()?, typed.ty))) {
            Some(found) => Ok(found),
            None => Err(self.fault(format!(
                "it refers to value {number}, which is not a constant"
            ))),
        }
    }

    fn constant_record(
        &mut self,
        code: u32,
        ty: u32,
        first: usize,
        made: &[Option<Typed>],
    ) -> Read<Typed> {
        let id = self.types.id(ty);
        let kind = self.module.types.get(id);
        let constant = |constant: ConstId| Typed {
            value: constant.into(),
            ty,
        };
        match code {
            code::NULL => match self.module.constants.zero(&self.module.types, id) {
                Some(zero) => Ok(constant(zero)),
                None => Err(self.fault("a type that has no zero")),
            },
            code::UNDEF | code::POISON => {
                if matches!(kind, Type::Label | Type::Metadata | Type::Function { .. }) {
                    return Err(self.fault("an undefined value of a type that has none"));
                }
                let kind = match code {
                    code::UNDEF => ConstKind::Undef,
                    _ => ConstKind::Poison,
                };
                Ok(constant(self.module.constants.intern(id, kind)))
            }
            code::INTEGER | code::WIDE_INTEGER => {
                let Type::Int(bits) = self.module.types.get(self.module.types.scalar(id)) else {
                    return Err(self.fault("an integer of a type that is not one"));
                };
                let words: Vec<u64> = self.ops.iter().map(|&op| signed(op)).collect();
                if words.is_empty() {
                    return Err(self.fault("an integer without a value"));
                }
                Ok(constant(self.splat_or_scalar(id, |constants, ty| {
                    constants.int(ty, bits, &words)
                })))
            }
            code::FLOAT => {
                let scalar = self.module.types.get(self.module.types.scalar(id));
                let Some(bits) = scalar.float_bits() else {
                    return Err(self.fault("a floating-point number of a type that is not one"));
                };
                let low = self.op(0)?;
                let words = match scalar {
                    // The file has the high 64 bits first.
                    Type::X86Fp80 => {
                        let last = self.op(1)?;
                        vec![(last & 0xFFFF) | low << 16, low >> 48]
                    }
                    _ if bits == 128 => vec![low, self.op(1)?],
                    _ => vec![low & (u64::MAX >> (64 - bits))],
                };
                Ok(constant(self.splat_or_scalar(id, |constants, ty| {
                    constants.float(ty, bits, &words)
                })))
            }
            code::AGGREGATE => {
                let mut elements = Vec::with_capacity(self.ops.len());
                for index in 0..self.ops.len() {
                    elements.push(self.referred(self.ops[index], first, made)?.0);
                }
                self.aggregate(ty, &elements)
            }
            code::STRING | code::CSTRING | code::DATA => self.data(code, ty),
            code::INLINEASM | code::INLINEASM_OLD | code::INLINEASM_OLD2 | code::INLINEASM_OLD3 => {
                self.inline_asm(code, ty)
            }
            code::BLOCKADDRESS => {
                let (function, _) = self.referred(self.op(1)?, first, made)?;
                let function = self.module.global_of(function);
                let is_function =
                    |id| matches!(self.module.globals[id].kind, GlobalKind::Function(_));
                let Some(function) = function.filter(|&id| is_function(id)) else {
                    return Err(
                        self.fault("the address of a block of something that is not a function")
                    );
                };
                let block = self.op(2)?;
                if block > Value::MAX_INDEX as u64 {
                    return Err(self.fault("the number of a block is too large"));
                }
                let addresses = &mut self.module.constants.block_addresses;
                let address = *self
                    .block_addresses
                    .entry((function, block))
                    .or_insert_with(|| {
                        addresses.push(BlockAddress {
                            function,
                            block: Some(crate::index::Id::new(block as usize)),
                        })
                    });
                if !self.module.types.is_ptr(id) {
                    return Err(self.fault("the address of a block is not a pointer"));
                }
                Ok(constant(
                    self.module
                        .constants
                        .intern(id, ConstKind::BlockAddress(address)),
                ))
            }
            code::DSO_LOCAL_EQUIVALENT | code::NO_CFI_VALUE => {
                let (target, _) = self.referred(self.op(1)?, first, made)?;
                let Some(global) = self.module.global_of(target) else {
                    return Err(self.fault("it does not refer to a global"));
                };
                let kind = match code {
                    code::NO_CFI_VALUE => ConstKind::NoCfi(global),
                    _ => ConstKind::DsoLocalEquivalent(global),
                };
                Ok(constant(self.module.constants.intern(id, kind)))
            }
            code::PTRAUTH | code::PTRAUTH2 => {
                let mut parts = Vec::new();
                for index in 0..self.ops.len() {
                    parts.push(self.referred(self.ops[index], first, made)?.0);
                }
                // Parts at the end that are null are not written in text.
                let least = 2;
                while parts.len() > least
                    && parts
                        .last()
                        .is_some_and(|&p| self.module.constants.is_zero(p))
                {
                    parts.pop();
                }
                let list = self.module.constants.intern_list(&parts);
                Ok(constant(
                    self.module.constants.intern(id, ConstKind::PtrAuth(list)),
                ))
            }
            code::BYTE | code::WIDE_BYTE => {
                Err(self.unsupported("byte constants are newer than what is read"))
            }
            _ => self.expression(code, ty, first, made),
        }
    }

    /// A number, or a vector of it if the type is a vector.
    fn splat_or_scalar(
        &mut self,
        ty: crate::types::TypeId,
        make: impl FnOnce(&mut crate::constant::Constants, crate::types::TypeId) -> ConstId,
    ) -> ConstId {
        let scalar = self.module.types.scalar(ty);
        let constant = make(&mut self.module.constants, scalar);
        match scalar == ty {
            true => constant,
            false => self
                .module
                .constants
                .splat(&self.module.types, ty, constant),
        }
    }

    /// A struct, array or vector.
    fn aggregate(&mut self, ty: u32, elements: &[ConstId]) -> Read<Typed> {
        let id = self.types.id(ty);
        let count = match self.module.types.get(id) {
            Type::Array { len, .. } => len,
            Type::Vector { len, .. } => u64::from(len),
            _ => match self.module.types.fields(id) {
                Some(fields) => fields.len() as u64,
                None => return Err(self.fault("an aggregate of a type that is not one")),
            },
        };
        let fits = count == elements.len() as u64
            && elements.iter().enumerate().all(|(index, &element)| {
                let member = self.module.types.member(id, index as u64);
                member == Some(self.module.constants.get(element).ty)
            });
        if !fits {
            return Err(self.fault("the elements of an aggregate do not fit its type"));
        }
        let module = &mut self.module;
        let made = module
            .constants
            .aggregate(&module.types, &mut module.names, id, elements);
        Ok(Typed {
            value: made.into(),
            ty,
        })
    }

    /// An array or vector of numbers.
    fn data(&mut self, code: u32, ty: u32) -> Read<Typed> {
        let id = self.types.id(ty);
        if code == code::CSTRING {
            self.ops.push(0);
        }
        let (element, len) = match self.module.types.get(id) {
            Type::Array { element, len } => (element, len),
            Type::Vector { element, len, .. } => (element, u64::from(len)),
            _ => return Err(self.fault("numbers of a type that is neither array nor vector")),
        };
        let Some(width) = dense_width(&self.module.types, element) else {
            return Err(self.fault("an array of elements that are not numbers"));
        };
        if len != self.ops.len() as u64 {
            return Err(self.fault("an array has another length than its type"));
        }
        if let Type::Array { .. } = self.module.types.get(id) {
            let mut bytes = Vec::with_capacity(width * self.ops.len());
            for op in &self.ops {
                bytes.extend_from_slice(&op.to_le_bytes()[..width]);
            }
            let module = &mut self.module;
            let made = match bytes.is_empty() {
                true => module.constants.intern(id, ConstKind::Zero),
                false => module.constants.bytes(&mut module.names, id, &bytes),
            };
            return Ok(Typed {
                value: made.into(),
                ty,
            });
        }
        let mask = u64::MAX >> (64 - 8 * width);
        let module = &mut self.module;
        let elements: Vec<ConstId> = self
            .ops
            .iter()
            .map(|&op| module.constants.number(&module.types, element, op & mask))
            .collect();
        self.aggregate(ty, &elements)
    }

    fn inline_asm(&mut self, code: u32, ty: u32) -> Read<Typed> {
        let (function, at) = match code {
            code::INLINEASM => (self.type_at(self.op(0)?)?, 1),
            _ => (self.pointee(ty)?, 0),
        };
        let flags = self.op(at)?;
        let mut asm_flags = AsmFlags::empty();
        asm_flags.set(AsmFlags::SIDE_EFFECT, flags & asm::SIDE_EFFECT != 0);
        asm_flags.set(AsmFlags::ALIGN_STACK, flags & asm::ALIGN_STACK != 0);
        asm_flags.set(AsmFlags::INTEL, flags & asm::INTEL != 0);
        asm_flags.set(AsmFlags::UNWIND, flags & asm::UNWIND != 0);
        let text = self.text(at + 1);
        let mut strings = Vec::new();
        let mut rest = text.as_slice();
        let mut at = at + 1;
        for _ in 0..2 {
            let len = usize::try_from(self.op(at)?).unwrap_or(usize::MAX);
            // The length is a number, the letters after it are bytes.
            let Some((string, after)) = rest.get(1..).and_then(|rest| rest.split_at_checked(len))
            else {
                return Err(self.fault("the text of an inline assembly is too short"));
            };
            strings.push(self.module.names.intern(string));
            rest = after;
            at += 1 + len;
        }
        let function_id = self.types.id(function);
        if self.module.types.signature(function_id).is_none() {
            return Err(self.fault("the type of an inline assembly is not a function type"));
        }
        let asm = self.module.asms.intern(Asm {
            ty: function_id,
            text: strings[0],
            constraints: strings[1],
            flags: asm_flags,
        });
        let ty = self.pointer_to(function, 0);
        Ok(Typed {
            value: Operand::Asm(asm).into(),
            ty,
        })
    }

    /// A constant expression.
    fn expression(
        &mut self,
        code: u32,
        ty: u32,
        first: usize,
        made: &[Option<Typed>],
    ) -> Read<Typed> {
        let id = self.types.id(ty);
        let numbers = references(code, &self.ops).collect::<Vec<u64>>();
        let none = Flags::empty();
        if matches!(
            code,
            code::CE_GEP
                | code::CE_GEP_OLD
                | code::CE_INBOUNDS_GEP
                | code::CE_GEP_WITH_INRANGE
                | code::CE_GEP_WITH_INRANGE_INDEX_OLD
        ) {
            return self.gep_expression(code, ty, first, made);
        }
        let mut operands = Vec::with_capacity(numbers.len());
        for number in numbers {
            operands.push(self.referred(number, first, made)?.0);
        }
        let type_of = |reader: &Self, index: usize| -> Read<crate::types::TypeId> {
            match operands.get(index) {
                Some(&operand) => Ok(reader.module.constants.get(operand).ty),
                None => Err(reader.fault("a constant expression lacks an operand")),
            }
        };
        let first_ty = type_of(self, 0)?;
        let scalar = self.module.types.scalar(first_ty);
        let float = self.module.types.is_float(scalar);
        let (op, flags, needed) = match code {
            code::CE_UNOP => (ExprOp::Fneg, none, 1),
            code::CE_BINOP => {
                let Some(op) = operation::binary_of(self.op(0)?, float) else {
                    return Err(self.fault("an operation that does not fit its operands"));
                };
                let bits = self.optional(3);
                let flags = operation::flags_of(operation::binary_flags(op), bits);
                (ExprOp::Binary(op), flags, 2)
            }
            code::CE_CAST => {
                let Some(op) = operation::cast_of(self.op(0)?) else {
                    return Err(self.unsupported("an unknown conversion"));
                };
                // With typed pointers most casts were from one pointer type to another.
                if op == crate::inst::CastOp::Bitcast && first_ty == id {
                    return Ok(Typed {
                        value: operands[0].into(),
                        ty,
                    });
                }
                (ExprOp::Cast(op), none, 1)
            }
            code::CE_SELECT => (ExprOp::Select, none, 3),
            code::CE_EXTRACTELT => (ExprOp::ExtractElement, none, 2),
            code::CE_INSERTELT => (ExprOp::InsertElement, none, 3),
            code::CE_SHUFFLEVEC | code::CE_SHUFVEC_EX => (ExprOp::ShuffleVector, none, 3),
            code::CE_CMP => {
                let predicate = self.op(3)?;
                let op = match float {
                    true => operation::fcmp_of(predicate).map(ExprOp::Fcmp),
                    false => operation::icmp_of(predicate).map(ExprOp::Icmp),
                };
                match op {
                    Some(op) => (op, none, 2),
                    None => return Err(self.fault("an unknown comparison")),
                }
            }
            _ => return Err(self.unsupported("an unknown constant")),
        };
        if operands.len() < needed {
            return Err(self.fault("a constant expression lacks an operand"));
        }
        let constant = self.module.constants.expression(id, op, flags, &operands);
        Ok(Typed {
            value: constant.into(),
            ty,
        })
    }

    fn gep_expression(
        &mut self,
        code: u32,
        ty: u32,
        first: usize,
        made: &[Option<Typed>],
    ) -> Read<Typed> {
        let mut at = 0;
        let mut source = None;
        let mut flags = match code {
            code::CE_INBOUNDS_GEP => Flags::INBOUNDS,
            _ => Flags::empty(),
        };
        let mut inrange = None;
        let has_type =
            !matches!(code, code::CE_GEP_OLD | code::CE_INBOUNDS_GEP) || self.ops.len() % 2 == 1;
        if has_type {
            source = Some(self.type_at(self.op(0)?)?);
            at = 1;
        }
        match code {
            code::CE_GEP_WITH_INRANGE_INDEX_OLD => {
                // Before LLVM 19 `inrange` marked an index; what it promised is dropped.
                let bits = self.op(at)?;
                flags = operation::flags_of(&operation::GEP_FLAGS[..1], bits);
                at += 1;
            }
            code::CE_GEP_WITH_INRANGE | code::CE_GEP => {
                flags = operation::flags_of(operation::GEP_FLAGS, self.op(at)?);
                at += 1;
            }
            _ => {}
        }
        if code == code::CE_GEP_WITH_INRANGE {
            let width = self.op(at)?;
            if width > 64 {
                return Err(self.unsupported("`inrange` of more than 64 bits"));
            }
            let (low, high) = (self.op(at + 1)?, self.op(at + 2)?);
            inrange = Some((signed(low) as i64, signed(high) as i64));
            at += 3;
        }
        // `nusw` follows from `inbounds`.
        if flags.contains(Flags::INBOUNDS) {
            flags -= Flags::NUSW;
        }
        let mut operands = Vec::new();
        let mut base_ty = None;
        while at < self.ops.len() {
            // A type and a value each.
            let (constant, ty) = self.referred(self.op(at + 1)?, first, made)?;
            base_ty.get_or_insert(ty);
            operands.push(constant);
            at += 2;
        }
        let Some(base_ty) = base_ty else {
            return Err(self.fault("`getelementptr` without an address"));
        };
        let source = match source {
            Some(source) => source,
            None => self.pointee(base_ty)?,
        };
        let constants = &self.module.constants;
        let mut id = constants.get(operands[0]).ty;
        let scalar = self.module.types.scalar(id);
        if !self.module.types.is_ptr(scalar) {
            return Err(self.fault("`getelementptr` of something that is not an address"));
        }
        if !self.module.types.is_vector(id) {
            let shape = operands[1..]
                .iter()
                .map(|&index| constants.get(index).ty)
                .find(|&index| self.module.types.is_vector(index));
            if let Some(shape) = shape {
                id = self.module.types.with_shape_of(shape, id);
            }
        }
        let constants = &mut self.module.constants;
        // Steps of zero lead nowhere. LLVM gives the address itself, too.
        let zero = operands[1..].iter().all(|&index| constants.is_zero(index));
        let constant = if zero && inrange.is_none() && constants.get(operands[0]).ty == id {
            operands[0]
        } else {
            let source = self.types.id(source);
            constants.expression(id, ExprOp::Gep { source, inrange }, flags, &operands)
        };
        Ok(Typed {
            value: constant.into(),
            ty,
        })
    }

    /// Whether all addresses of blocks are of blocks that are there.
    pub(super) fn check_block_addresses(&mut self) -> Read<()> {
        for &(function, block) in self.block_addresses.keys() {
            let GlobalKind::Function(data) = &self.module.globals[function].kind else {
                continue;
            };
            let there = data
                .body
                .as_ref()
                .is_some_and(|body| block < body.blocks.len() as u64);
            if !there {
                let name = self.global_text(function);
                return Err(self.fault(format!(
                    "the address of block {block} of `{name}`, which has none"
                )));
            }
        }
        Ok(())
    }
}

/// The numbers of values that a constant is made of.
fn references(code: u32, ops: &[u64]) -> impl Iterator<Item = u64> + '_ {
    // Which operands: a start, a step, and how many at most.
    let (start, step, count) = match code {
        code::AGGREGATE | code::PTRAUTH | code::PTRAUTH2 => (0, 1, usize::MAX),
        code::CE_UNOP => (1, 1, 1),
        code::CE_BINOP => (1, 1, 2),
        code::CE_CAST => (2, 1, 1),
        code::CE_SELECT | code::CE_INSERTELT | code::CE_SHUFFLEVEC => (0, 1, 3),
        code::CE_CMP => (1, 1, 2),
        code::CE_EXTRACTELT => (1, 1, 2),
        code::CE_SHUFVEC_EX => (1, 1, 3),
        code::BLOCKADDRESS | code::DSO_LOCAL_EQUIVALENT | code::NO_CFI_VALUE => (1, 1, 1),
        code::CE_GEP_OLD | code::CE_INBOUNDS_GEP => (1 + ops.len() % 2, 2, usize::MAX),
        code::CE_GEP | code::CE_GEP_WITH_INRANGE_INDEX_OLD => (3, 2, usize::MAX),
        code::CE_GEP_WITH_INRANGE => (6, 2, usize::MAX),
        _ => (0, 1, 0),
    };
    let tail = ops.get(start..).unwrap_or_default();
    // `extractelement` and `insertelement` have the type of the index before it in newer files.
    let typed_index = match code {
        code::CE_EXTRACTELT if ops.len() == 4 => Some(1),
        code::CE_INSERTELT if ops.len() == 4 => Some(2),
        _ => None,
    };
    tail.iter()
        .enumerate()
        .filter(move |entry| Some(entry.0) != typed_index)
        .map(|entry| *entry.1)
        .step_by(step)
        .take(count)
}
