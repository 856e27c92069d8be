//! Calls, operand bundles, and the debug intrinsics of older files, which become records.

use super::function::Parts;
use super::{Read, Reader};
use crate::bitcode::codes::operation::{self, call, invoke};
use crate::bitcode::codes::record::{function as code, number};
use crate::constant::ConstKind;
use crate::function::RecordKind;
use crate::inst::{Bundle, CallConv, CallSite, Flags, Op, Tail};
use crate::metadata::{Field, FieldValue, Md, MdRef};
use crate::module::Asm;
use crate::read::DebugIntrinsic;
use crate::value::{Operand, Value};
use warpc_diag::{Diagnostic, Span, codes};

impl Reader<'_> {
    /// `[tag, value …]` for the next call.
    pub(super) fn bundle(&mut self) -> Read<()> {
        let tag = self.op(0)?;
        let tag = usize::try_from(tag).ok().and_then(|tag| self.tags.get(tag));
        let Some(&tag) = tag else {
            return Err(self.fault("the tag of an operand bundle is not known"));
        };
        let mut at = 1;
        let mut len = 0;
        while at < self.ops.len() {
            let op = self.ops[at];
            let value =
                match op & number::BUNDLE_METADATA != 0 && op >> 32 == 0 && self.is_metadata(op) {
                    true => {
                        at += 1;
                        self.metadata_operand(op & !number::BUNDLE_METADATA)?
                    }
                    false => self.value_and_type(&mut at)?.value,
                };
            self.function.bundle_operands.push(value);
            len += 1;
        }
        self.function.bundles.push(Bundle { tag, len });
        Ok(())
    }

    /// Whether an operand of a bundle is metadata: the mark is also that of very early values.
    fn is_metadata(&self, op: u64) -> bool {
        op & !number::BUNDLE_METADATA < self.metadata.len() as u64
            && self.absolute(op) >= self.next_number()
    }

    /// A call in one of its three forms; nothing if it calls a debug intrinsic.
    pub(super) fn call(&mut self, code: u32) -> Read<Option<Parts>> {
        let void = self.void_entry();
        let attributes = self.op(0)?;
        let first = self.op(1)?;
        let mut at = 2;
        let mut blocks: Vec<Value> = Vec::new();
        let mut flags = Flags::empty();
        let mut tail = Tail::None;
        let conv;
        let explicit;
        let mut indirect = 0;
        match code {
            code::CALL => {
                conv = first >> call::CONVENTION_SHIFT & call::CONVENTION_MASK;
                explicit = first & call::EXPLICIT_TYPE != 0;
                tail = match first {
                    first if first & call::NO_TAIL != 0 => Tail::NoTail,
                    first if first & call::MUST_TAIL != 0 => Tail::MustTail,
                    first if first & call::TAIL != 0 => Tail::Tail,
                    _ => Tail::None,
                };
                if first & call::FAST_MATH != 0 {
                    flags = fast_math(self.op(at)?);
                    at += 1;
                }
            }
            code::INVOKE => {
                conv = first & invoke::CONVENTION_MASK;
                explicit = first & invoke::EXPLICIT_TYPE != 0;
                blocks.push(self.block_at(self.op(2)?)?);
                blocks.push(self.block_at(self.op(3)?)?);
                at = 4;
            }
            _ => {
                conv = first >> invoke::CALLBR_CONVENTION_SHIFT & invoke::CONVENTION_MASK;
                explicit = first & call::EXPLICIT_TYPE != 0;
                blocks.push(self.block_at(self.op(2)?)?);
                indirect = self.op(3)?;
                at = 4;
                for _ in 0..indirect {
                    blocks.push(self.block_at(self.op(at)?)?);
                    at += 1;
                }
            }
        }
        let written = match explicit {
            true => {
                let ty = self.type_at(self.op(at)?)?;
                at += 1;
                Some(ty)
            }
            false => None,
        };
        let callee = self.value_and_type(&mut at)?;
        let ty = match written {
            Some(ty) => ty,
            None => self.pointee(callee.ty)?,
        };
        let Some((_, params, variadic)) = self.module.types.signature(self.id(ty)) else {
            return Err(self.fault("a call of something that is not a function"));
        };
        let count = params.len();
        if !self.module.types.is_ptr(self.id(callee.ty)) {
            return Err(self.fault("a call of something that is not an address"));
        }
        let label = self.module.types.label;
        for index in 0..count {
            let Some(param) = self.types.part(ty, index + 1) else {
                return Err(self.fault("a call of a function type without parameters"));
            };
            let value = match self.id(param) == label {
                true => {
                    at += 1;
                    self.block_at(self.op(at - 1)?)?
                }
                false => self.value_of(&mut at, param)?,
            };
            self.push(value);
        }
        let mut args = count as u32;
        if variadic {
            while at < self.ops.len() {
                let value = self.value_and_type(&mut at)?.value;
                self.push(value);
                args += 1;
            }
        } else if at != self.ops.len() {
            return Err(self.fault("a call has more arguments than its function type"));
        }
        if code == code::CALL
            && let Some(intrinsic) = self.debug_intrinsic(callee.value)
        {
            let operands = std::mem::take(&mut self.function.operands);
            self.function.debug_call = Some((intrinsic, operands));
            self.function.debug_call_location = None;
            return Ok(None);
        }
        let mut signature = self.types.id(ty);
        let mut callee = callee.value;
        if let Operand::Asm(asm) = callee.get() {
            // Inline assembly has the type of its call.
            let mut asm = *self.module.asms.get(asm);
            asm.ty = signature;
            if indirect > 0 {
                self.upgrade_labels(&mut asm, &mut args, &blocks[1..]);
                signature = asm.ty;
            }
            callee = Operand::Asm(self.module.asms.intern(asm)).into();
        }
        let bundles = self.module.bundles.intern(&self.function.bundles);
        self.function.bundles.clear();
        let mut bundle_operands = std::mem::take(&mut self.function.bundle_operands);
        self.function.operands.append(&mut bundle_operands);
        self.function.operands.extend(blocks);
        self.push(callee);
        let attrs = self.attribute_list(attributes, Some(ty))?;
        let site = self.module.call_sites.intern(CallSite {
            ty: signature,
            attrs,
            conv: CallConv(conv as u16),
            tail,
            args,
            bundles,
        });
        let result = self.types.part(ty, 0).unwrap_or(void);
        let op = match code {
            code::CALL => Op::Call(site),
            code::INVOKE => Op::Invoke(site),
            _ => Op::CallBr(site, indirect as u32),
        };
        Ok(Some(Parts {
            op,
            ty: result,
            flags,
        }))
    }

    /// Before LLVM 15 the blocks a `callbr` may go to were also its last arguments, as addresses with plain
    /// constraints. Now the constraints say that they are labels.
    fn upgrade_labels(&mut self, asm: &mut Asm, args: &mut u32, blocks: &[Value]) {
        let count = *args as usize;
        let Some(first) = count.checked_sub(blocks.len()) else {
            return;
        };
        let target = |argument: &Value| {
            let constant = self.module.constants.get(argument.constant()?);
            match constant.kind {
                ConstKind::BlockAddress(address) => {
                    self.module.constants.block_addresses[address].block
                }
                _ => None,
            }
        };
        let same =
            self.function.operands[first..count]
                .iter()
                .zip(blocks)
                .all(|(argument, block)| {
                    target(argument).is_some() && target(argument) == block.block()
                });
        let Some((ret, params, _)) = self.module.types.signature(asm.ty).filter(|_| same) else {
            return;
        };
        let params = params[..first.min(params.len())].to_vec();
        asm.ty = self.module.types.function(ret, &params, false);
        let text = self.module.names.text(asm.constraints).into_owned();
        let constraints = crate::read::label_constraints(&text, first);
        asm.constraints = self.module.names.intern(constraints.as_bytes());
        self.function.operands.truncate(first);
        *args = first as u32;
    }

    fn debug_intrinsic(&mut self, callee: Value) -> Option<DebugIntrinsic> {
        let global = self.module.global_of(callee.constant()?)?;
        let module = &self.module;
        let of_name = || {
            let name = module.globals[global].name?;
            crate::read::record_named(module.names.bytes(name))
        };
        *self.debug_intrinsics.entry(global).or_insert_with(of_name)
    }

    /// The call of a debug intrinsic that waits becomes a record, as in text.
    pub(super) fn settle_call(&mut self) -> Read<()> {
        let Some((intrinsic, mut operands)) = self.function.debug_call.take() else {
            return Ok(());
        };
        let location = self.function.debug_call_location.take();
        let byte = u32::try_from(self.cursor.start / 8).unwrap_or(u32::MAX);
        let span = Span::new(byte, byte.saturating_add(1));
        let kind = intrinsic.kind();
        // Before LLVM 6 an offset stood after the value; others than zero have no record.
        if kind == RecordKind::Value && operands.len() == 4 {
            let offset = operands.remove(1).constant();
            if !offset.is_some_and(|offset| self.module.constants.is_zero(offset)) {
                return Ok(());
            }
        }
        if intrinsic == DebugIntrinsic::Address
            && let Some(&expression) = operands.get(2)
        {
            operands[2] = self.dereferenced(expression);
        }
        let count = crate::read::record_parts(kind);
        operands.truncate(count - 1);
        let Some(location) = location else {
            let message = "the debug intrinsic has no `!dbg` location";
            let warning = Diagnostic::warning(codes::IR_SYNTAX, span, message);
            self.diagnostics
                .push(warning.help("it is dropped: attach the location of the variable"));
            return Ok(());
        };
        operands.push(MdRef::from(Md::Node(location)).into());
        if operands.len() == count {
            self.push_record(kind, &operands);
        }
        Ok(())
    }

    /// The expression with a dereference at its start.
    fn dereferenced(&mut self, expression: Value) -> Value {
        let Operand::Metadata(md) = expression.get() else {
            return expression;
        };
        let Some(node) = md.node() else {
            return expression;
        };
        let kind = self.module.metadata.node(node).kind;
        let deref = self.module.names.intern(b"DW_OP_deref");
        let mut fields = vec![Field {
            name: None,
            value: FieldValue::Word(deref),
        }];
        fields.extend_from_slice(self.module.metadata.fields(node));
        let node = self.module.metadata.intern(kind, &fields);
        MdRef::from(Md::Node(node)).into()
    }
}

/// Fast-math flags of a record.
pub(super) fn fast_math(bits: u64) -> Flags {
    match bits & operation::UNSAFE_ALGEBRA {
        0 => operation::flags_of(operation::FAST_MATH_FLAGS, bits),
        _ => Flags::FAST,
    }
}
