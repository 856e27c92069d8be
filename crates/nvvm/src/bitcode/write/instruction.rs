//! Instructions.
//!
//! An operand is written relative to the number of the next result. Where the reader cannot know its type because it is
//! defined later, the type follows.

use super::constant::with_implied;
use super::function::Numbers;
use super::number::{align, set, signed};
use super::stream::Stream;
use super::{Dialect, Writer};
use crate::bitcode::codes::operation::{
    self, FAST_MATH_FLAGS, GEP_FLAGS, ICMP_FLAGS, NNEG_FLAGS, WRAP_FLAGS, alloca as alloca_bits,
    binary_flags, binary_number, bits_of, call as call_bits, cast_number, fcmp_number, icmp_number,
    invoke as invoke_bits, ordering_number, rmw_number, scope,
};
use crate::bitcode::codes::record::{function as code, number};
use crate::inst::{Access, CallSiteId, CastOp, Flags, Inst, Op, Ordering, SyncScope, Tail};
use crate::types::Type;
use crate::value::{InstId, Operand, Value};

impl<'m> Writer<'m> {
    /// The number of an operand.
    #[inline]
    fn id(&self, numbers: &Numbers<'m>, value: Value) -> u32 {
        match value.get() {
            Operand::Local(local) => numbers.local(local),
            Operand::Const(constant) => self.values.constant(self.module, constant),
            Operand::Asm(asm) => self.values.asm(asm),
            Operand::Block(block) => numbers.block(block) as u32,
            Operand::Metadata(_) | Operand::LocalMetadata(_) | Operand::ArgList(_) => {
                self.metadata_id(numbers, value) as u32
            }
        }
    }

    /// Appends an operand whose type is known.
    #[inline]
    fn push(&self, numbers: &Numbers<'m>, value: Value, record: &mut Vec<u64>) {
        let relative = numbers.next.wrapping_sub(self.id(numbers, value));
        record.push(u64::from(relative));
    }

    /// Appends an operand, with its type if it is defined later.
    #[inline]
    fn push_typed(&mut self, numbers: &Numbers<'m>, value: Value, record: &mut Vec<u64>) {
        let id = self.id(numbers, value);
        record.push(u64::from(numbers.next.wrapping_sub(id)));
        if id >= numbers.next {
            let ty = self.type_of(numbers, value);
            record.push(self.ty(ty));
        }
    }

    fn push_all(&mut self, numbers: &Numbers<'m>, values: &[Value], record: &mut Vec<u64>) {
        for &value in values {
            self.push_typed(numbers, value, record);
        }
    }

    fn push_flags(&self, bits: u64, record: &mut Vec<u64>) {
        if bits != 0 {
            record.push(bits);
        }
    }

    fn type_of(&self, numbers: &Numbers<'m>, value: Value) -> crate::types::TypeId {
        match value.get() {
            Operand::Asm(asm) => self.type_of_asm(asm),
            _ => self.module.type_of(numbers.body, value),
        }
    }

    /// The bits of fast-math flags; LLVM 7 has them on fewer instructions.
    fn fast(&self, flags: Flags, newer: bool) -> u64 {
        match newer && self.dialect == Dialect::Llvm7 {
            true => 0,
            false => bits_of(FAST_MATH_FLAGS, flags),
        }
    }

    fn scope(&mut self, scope: SyncScope) -> u64 {
        if scope == SyncScope::SYSTEM {
            return scope::SYSTEM;
        }
        let name = scope.name(&self.module.names);
        match self.scopes.iter().position(|known| known == name) {
            Some(index) => index as u64,
            None => {
                self.scopes.push(name.to_vec());
                self.scopes.len() as u64 - 1
            }
        }
    }

    fn ordering(&self, ordering: Ordering) -> u64 {
        ordering_number(ordering).unwrap_or(3)
    }

    fn push_access(&mut self, access: Access, record: &mut Vec<u64>) {
        record.extend([align(access.align), u64::from(access.volatile)]);
        if access.is_atomic() {
            record.push(self.ordering(access.ordering));
            record.push(self.scope(access.scope));
        }
    }

    /// Writes one instruction.
    pub(super) fn instruction(
        &mut self,
        numbers: &Numbers<'m>,
        id: InstId,
        stream: &mut Stream,
        record: &mut Vec<u64>,
    ) {
        record.clear();
        let inst = numbers.body.insts[id];
        let operands = numbers.body.operands(id);
        let code = match inst.op {
            Op::Call(site) | Op::Invoke(site) | Op::CallBr(site, _) => {
                self.call(numbers, id, &inst, site, stream, record)
            }
            Op::Load(_)
            | Op::Store(_)
            | Op::CmpXchg { .. }
            | Op::AtomicRmw(..)
            | Op::Fence(..)
            | Op::Alloca { .. }
            | Op::Gep { .. } => self.memory(numbers, &inst, operands, record),
            Op::Ret
            | Op::Br
            | Op::CondBr
            | Op::Switch
            | Op::IndirectBr
            | Op::Unreachable
            | Op::Resume
            | Op::CleanupRet
            | Op::CatchRet
            | Op::CatchSwitch { .. }
            | Op::CatchPad
            | Op::CleanupPad
            | Op::LandingPad { .. } => self.control(numbers, &inst, operands, record),
            _ => self.computation(numbers, &inst, operands, record),
        };
        stream.record(code, record);
    }

    fn computation(
        &mut self,
        numbers: &Numbers<'m>,
        inst: &Inst,
        operands: &[Value],
        record: &mut Vec<u64>,
    ) -> u32 {
        let module = self.module;
        match (inst.op, operands) {
            (Op::Fneg, &[value]) => {
                self.push_typed(numbers, value, record);
                record.push(operation::FNEG);
                self.push_flags(self.fast(inst.flags, true), record);
                code::UNOP
            }
            (Op::Binary(op), &[left, right]) => {
                self.push_typed(numbers, left, record);
                self.push(numbers, right, record);
                record.push(binary_number(op).unwrap_or(0));
                self.push_flags(bits_of(self.kept(binary_flags(op)), inst.flags), record);
                code::BINOP
            }
            (Op::Cast(op), &[value]) => {
                self.push_typed(numbers, value, record);
                record.extend([self.ty(inst.ty), cast_number(op).unwrap_or(0)]);
                let flags = match op {
                    CastOp::Trunc => bits_of(WRAP_FLAGS, inst.flags),
                    CastOp::Zext | CastOp::Uitofp => bits_of(NNEG_FLAGS, inst.flags),
                    _ => bits_of(FAST_MATH_FLAGS, inst.flags),
                };
                if self.dialect == Dialect::Current {
                    self.push_flags(flags, record);
                }
                code::CAST
            }
            (Op::Icmp(_) | Op::Fcmp(_), &[left, right]) => {
                self.push_typed(numbers, left, record);
                self.push(numbers, right, record);
                let (predicate, flags) = match inst.op {
                    Op::Icmp(predicate) => (
                        icmp_number(predicate),
                        bits_of(self.kept(ICMP_FLAGS), inst.flags),
                    ),
                    Op::Fcmp(predicate) => (fcmp_number(predicate), self.fast(inst.flags, false)),
                    _ => (None, 0),
                };
                record.push(predicate.unwrap_or(0));
                self.push_flags(flags, record);
                code::CMP2
            }
            (Op::Phi, pairs) => {
                record.push(self.ty(inst.ty));
                for pair in pairs.chunks(2) {
                    let id = self.id(numbers, pair[0]);
                    record.push(signed(i64::from(numbers.next) - i64::from(id)));
                    let block = pair.get(1).and_then(|block| block.block());
                    record.push(block.map_or(0, |block| numbers.block(block)));
                }
                self.push_flags(self.fast(inst.flags, true), record);
                code::PHI
            }
            (Op::Select, &[condition, yes, no]) => {
                self.push_typed(numbers, yes, record);
                self.push(numbers, no, record);
                self.push_typed(numbers, condition, record);
                self.push_flags(self.fast(inst.flags, true), record);
                code::VSELECT
            }
            (Op::ExtractElement, operands) => {
                self.push_all(numbers, operands, record);
                code::EXTRACTELT
            }
            (Op::InsertElement, &[vector, element, index]) => {
                self.push_typed(numbers, vector, record);
                self.push(numbers, element, record);
                self.push_typed(numbers, index, record);
                code::INSERTELT
            }
            (Op::ShuffleVector, &[left, right, mask]) => {
                self.push_typed(numbers, left, record);
                self.push(numbers, right, record);
                self.push_typed(numbers, mask, record);
                code::SHUFFLEVEC
            }
            (Op::ExtractValue(indices), operands) => {
                self.push_all(numbers, operands, record);
                record.extend(module.types.numbers(indices).iter().map(|&i| u64::from(i)));
                code::EXTRACTVAL
            }
            (Op::InsertValue(indices), operands) => {
                self.push_all(numbers, operands, record);
                record.extend(module.types.numbers(indices).iter().map(|&i| u64::from(i)));
                code::INSERTVAL
            }
            (Op::VaArg, &[list]) => {
                let ty = self.type_of(numbers, list);
                record.push(self.ty(ty));
                self.push(numbers, list, record);
                record.push(self.ty(inst.ty));
                code::VAARG
            }
            (_, operands) => {
                self.push_all(numbers, operands, record);
                code::FREEZE
            }
        }
    }

    fn memory(
        &mut self,
        numbers: &Numbers<'m>,
        inst: &Inst,
        operands: &[Value],
        record: &mut Vec<u64>,
    ) -> u32 {
        match (inst.op, operands) {
            (Op::Load(access), &[address]) => {
                self.push_typed(numbers, address, record);
                record.push(self.ty(inst.ty));
                self.push_access(access, record);
                match access.is_atomic() {
                    true => code::LOADATOMIC,
                    false => code::LOAD,
                }
            }
            (Op::Store(access), &[value, address]) => {
                self.push_typed(numbers, address, record);
                self.push_typed(numbers, value, record);
                self.push_access(access, record);
                match access.is_atomic() {
                    true => code::STOREATOMIC,
                    false => code::STORE,
                }
            }
            (
                Op::CmpXchg {
                    access,
                    failure,
                    weak,
                },
                &[address, compared, new],
            ) => {
                self.push_typed(numbers, address, record);
                self.push_typed(numbers, compared, record);
                self.push(numbers, new, record);
                record.push(u64::from(access.volatile));
                record.push(self.ordering(access.ordering));
                record.push(self.scope(access.scope));
                record.push(self.ordering(failure));
                record.push(u64::from(weak));
                if self.dialect == Dialect::Current {
                    record.push(align(access.align));
                }
                code::CMPXCHG
            }
            (Op::AtomicRmw(op, access), &[address, value]) => {
                self.push_typed(numbers, address, record);
                match self.dialect {
                    Dialect::Current => self.push_typed(numbers, value, record),
                    Dialect::Llvm7 => self.push(numbers, value, record),
                }
                record.push(rmw_number(op).unwrap_or(0));
                record.push(u64::from(access.volatile));
                record.push(self.ordering(access.ordering));
                record.push(self.scope(access.scope));
                match self.dialect {
                    Dialect::Current => {
                        record.push(align(access.align));
                        code::ATOMICRMW
                    }
                    Dialect::Llvm7 => code::ATOMICRMW_OLD,
                }
            }
            (Op::Fence(ordering, scope), _) => {
                record.push(self.ordering(ordering));
                record.push(self.scope(scope));
                code::FENCE
            }
            (Op::Gep { source }, operands) => {
                let flags = match self.dialect {
                    Dialect::Current => bits_of(GEP_FLAGS, with_implied(inst.flags)),
                    Dialect::Llvm7 => u64::from(inst.flags.contains(Flags::INBOUNDS)),
                };
                record.extend([flags, self.ty(source)]);
                self.push_all(numbers, operands, record);
                code::GEP
            }
            _ => self.alloca(numbers, inst, operands, record),
        }
    }

    fn alloca(
        &mut self,
        numbers: &Numbers<'m>,
        inst: &Inst,
        operands: &[Value],
        record: &mut Vec<u64>,
    ) -> u32 {
        let (
            Op::Alloca {
                ty,
                align: alignment,
                inalloca,
                swifterror,
            },
            &[count],
        ) = (inst.op, operands)
        else {
            self.refuse("an instruction without its operands");
            return code::UNREACHABLE;
        };
        record.push(self.ty(ty));
        let of_count = self.type_of(numbers, count);
        record.push(self.ty(of_count));
        record.push(u64::from(self.id(numbers, count)));
        let alignment = align(alignment);
        const LOW_BITS: u32 = alloca_bits::ALIGN_MASK.count_ones();
        record.push(
            (alignment & alloca_bits::ALIGN_MASK)
                | ((alignment >> LOW_BITS) << alloca_bits::ALIGN_HIGH_SHIFT)
                | set(inalloca, alloca_bits::IN_ALLOCA)
                | alloca_bits::EXPLICIT_TYPE
                | set(swifterror, alloca_bits::SWIFT_ERROR),
        );
        if self.dialect == Dialect::Current
            && let Type::Ptr(space) = self.module.types.get(inst.ty)
        {
            record.push(u64::from(space));
        }
        code::ALLOCA
    }

    fn control(
        &mut self,
        numbers: &Numbers<'m>,
        inst: &Inst,
        operands: &[Value],
        record: &mut Vec<u64>,
    ) -> u32 {
        let block = |value: &Value| value.block().map_or(0, |block| numbers.block(block));
        match (inst.op, operands) {
            (Op::Ret, operands) => {
                self.push_all(numbers, operands, record);
                code::RET
            }
            (Op::Br, targets) => {
                record.extend(targets.iter().map(block));
                code::BR
            }
            (Op::CondBr, [condition, yes, no]) => {
                record.extend([block(yes), block(no)]);
                self.push(numbers, *condition, record);
                code::BR
            }
            (Op::Switch, [value, default, cases @ ..]) => {
                let ty = self.type_of(numbers, *value);
                record.push(self.ty(ty));
                self.push(numbers, *value, record);
                record.push(block(default));
                for case in cases.chunks(2) {
                    record.push(u64::from(self.id(numbers, case[0])));
                    record.push(case.get(1).map_or(0, block));
                }
                code::SWITCH
            }
            (Op::IndirectBr, [address, targets @ ..]) => {
                let ty = self.type_of(numbers, *address);
                record.push(self.ty(ty));
                self.push(numbers, *address, record);
                record.extend(targets.iter().map(block));
                code::INDIRECTBR
            }
            (Op::Resume, operands) => {
                self.push_all(numbers, operands, record);
                code::RESUME
            }
            (Op::CleanupRet, [pad, unwind @ ..]) => {
                self.push(numbers, *pad, record);
                record.extend(unwind.iter().map(block));
                code::CLEANUPRET
            }
            (Op::CatchRet, [pad, target]) => {
                self.push(numbers, *pad, record);
                record.push(block(target));
                code::CATCHRET
            }
            (Op::CatchSwitch { unwinds }, [parent, rest @ ..]) => {
                self.push(numbers, *parent, record);
                let (unwind, handlers) = rest.split_at(rest.len().min(usize::from(unwinds)));
                record.push(handlers.len() as u64);
                record.extend(handlers.iter().map(block));
                record.extend(unwind.iter().map(block));
                code::CATCHSWITCH
            }
            (Op::CatchPad | Op::CleanupPad, [parent, args @ ..]) => {
                self.push(numbers, *parent, record);
                record.push(args.len() as u64);
                self.push_all(numbers, args, record);
                match inst.op {
                    Op::CatchPad => code::CATCHPAD,
                    _ => code::CLEANUPPAD,
                }
            }
            (Op::LandingPad { cleanup }, clauses) => {
                record.extend([self.ty(inst.ty), u64::from(cleanup), clauses.len() as u64]);
                for &clause in clauses {
                    let ty = self.type_of(numbers, clause);
                    let is_filter = matches!(self.module.types.get(ty), Type::Array { .. });
                    record.push(u64::from(is_filter));
                    self.push_typed(numbers, clause, record);
                }
                code::LANDINGPAD
            }
            _ => code::UNREACHABLE,
        }
    }

    fn call(
        &mut self,
        numbers: &Numbers<'m>,
        id: InstId,
        inst: &Inst,
        site: CallSiteId,
        stream: &mut Stream,
        record: &mut Vec<u64>,
    ) -> u32 {
        let module = self.module;
        let site = *module.call_sites.get(site);
        let call = numbers.body.call(id, &site);
        let mut rest = call.bundles;
        for bundle in module.bundles.get(site.bundles) {
            let (own, others) = rest.split_at((bundle.len as usize).min(rest.len()));
            rest = others;
            record.push(self.tags.id(bundle.tag));
            for &value in own {
                if module.type_of(numbers.body, value) == module.types.metadata {
                    record.push(number::BUNDLE_METADATA);
                    self.push(numbers, value, record);
                } else {
                    self.push_typed(numbers, value, record);
                }
            }
            stream.record(code::OPERAND_BUNDLE, record);
            record.clear();
        }
        record.push(self.attributes.id(module, site.attrs));
        let conv = u64::from(site.conv.0);
        let block = |value: &Value| value.block().map_or(0, |block| numbers.block(block));
        let code = match inst.op {
            Op::Invoke(_) => {
                record.push(conv | invoke_bits::EXPLICIT_TYPE);
                record.extend(call.blocks.iter().map(block));
                code::INVOKE
            }
            Op::CallBr(_, indirect) => {
                record
                    .push(conv << invoke_bits::CALLBR_CONVENTION_SHIFT | call_bits::EXPLICIT_TYPE);
                record.extend(call.blocks.first().map(block));
                record.push(u64::from(indirect));
                record.extend(call.blocks.iter().skip(1).map(block));
                code::CALLBR
            }
            _ => {
                // LLVM 7 has no flags on calls that return several numbers.
                let is_number = module.types.is_float(module.types.scalar(inst.ty));
                let flags = self.fast(inst.flags, !is_number);
                let tail = match site.tail {
                    Tail::None => 0,
                    Tail::Tail => call_bits::TAIL,
                    // A call that must reuse the frame may do so, too.
                    Tail::MustTail => call_bits::TAIL | call_bits::MUST_TAIL,
                    Tail::NoTail => call_bits::NO_TAIL,
                };
                let has_flags = set(flags != 0, call_bits::FAST_MATH);
                record.push(
                    conv << call_bits::CONVENTION_SHIFT
                        | tail
                        | call_bits::EXPLICIT_TYPE
                        | has_flags,
                );
                self.push_flags(flags, record);
                code::CALL
            }
        };
        record.push(self.ty(site.ty));
        if let Some(callee) = call.callee {
            self.push_typed(numbers, callee, record);
        }
        let params = module.types.signature(site.ty);
        let fixed = params.map_or(0, |(_, params, _)| params.len());
        for (index, &argument) in call.args.iter().enumerate() {
            match index < fixed {
                true => self.push(numbers, argument, record),
                false => self.push_typed(numbers, argument, record),
            }
        }
        code
    }
}
