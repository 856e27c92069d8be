//! Bodies of functions: values, blocks, and the records around instructions.

use super::{Read, Reader, Typed};
use crate::bitcode::codes::record::{block, function as code, number};
use crate::bitcode::stream::Entry;
use crate::function::{Body, Def, LocalDef, RecordKind};
use crate::index::Id;
use crate::inst::{Flags, Inst, Op};
use crate::metadata::{Md, NodeId};
use crate::module::{GlobalId, GlobalKind};
use crate::types::TypeId;
use crate::value::{Block, InstId, Local, Operand, Value};

/// The function that is being read.
#[derive(Default)]
pub(super) struct Function {
    pub global: Option<GlobalId>,
    pub body: Body,
    /// The number of the first parameter and of the first result.
    first_param: usize,
    first_result: usize,
    params: usize,
    /// The entries of the types of all locals.
    types: Vec<u32>,
    /// Results that were used before they were defined, with the type that the use expects.
    forward: Vec<(Local, u32, u64)>,
    /// Instructions as the file counts them; those that became records have none.
    pub numbered: Vec<Option<InstId>>,
    /// Operands of the instruction that is being read.
    pub operands: Vec<Value>,
    /// The block that is being filled.
    current: usize,
    insts: Vec<InstId>,
    records: Vec<(RecordKind, usize)>,
    record_operands: Vec<Value>,
    location: Option<NodeId>,
    /// Operand bundles for the next call: tag and number of operands.
    pub bundles: Vec<crate::inst::Bundle>,
    pub bundle_operands: Vec<Value>,
    /// A call of a debug intrinsic that waits for its location, and the location.
    pub debug_call: Option<(crate::read::DebugIntrinsic, Vec<Value>)>,
    pub debug_call_location: Option<NodeId>,
}

/// What an instruction is.
pub(super) struct Parts {
    pub op: Op,
    pub ty: u32,
    pub flags: Flags,
}

impl Parts {
    pub fn new(op: Op, ty: u32) -> Parts {
        Parts {
            op,
            ty,
            flags: Flags::empty(),
        }
    }
}

impl Reader<'_> {
    /// The body of the next function that has one.
    pub(super) fn body(&mut self) -> Read<()> {
        let Some((global, ty)) = self.defined.pop_front() else {
            return Err(self.fault("a body of no function"));
        };
        let module_values = self.values.len();
        let module_metadata = self.metadata.len();
        let around = self.enter(block::FUNCTION)?;
        self.start_body(global, ty);
        let mut has_blocks = false;
        loop {
            match self.next()? {
                Entry::End => break,
                Entry::Block(id) => match id {
                    block::CONSTANTS => {
                        if self.function.types.len() > self.function.params {
                            return Err(self.fault("constants after instructions"));
                        }
                        self.constants_block()?;
                        self.function.first_result = self.values.len();
                    }
                    block::METADATA => self.metadata_block()?,
                    block::METADATA_ATTACHMENT => self.attachment_block()?,
                    block::VALUE_SYMTAB => self.function_names()?,
                    // The order of uses has no meaning.
                    block::USELIST => self.cursor.skip()?,
                    _ => {
                        self.code = None;
                        return Err(
                            self.unsupported(format!("a block with the unknown number {id}"))
                        );
                    }
                },
                Entry::Record(code::DECLAREBLOCKS) => {
                    let count = self.op(0)?;
                    // A block has one instruction at least.
                    if count == 0 || count > self.cursor.left() || has_blocks {
                        return Err(self.fault(format!("a function of {count} blocks")));
                    }
                    has_blocks = true;
                    let body = &mut self.function.body;
                    for _ in 0..count {
                        let block = body.blocks.push(Default::default());
                        body.order.push(block);
                    }
                }
                Entry::Record(code) => self.statement(code)?,
            }
        }
        self.end_body(global)?;
        self.values.truncate(module_values);
        self.forget_function_metadata(module_metadata);
        self.leave(around);
        Ok(())
    }

    fn start_body(&mut self, global: GlobalId, ty: u32) {
        let function = &mut self.function;
        function.body.clear();
        function.global = Some(global);
        function.types.clear();
        function.forward.clear();
        function.numbered.clear();
        function.insts.clear();
        function.records.clear();
        function.record_operands.clear();
        function.bundles.clear();
        function.bundle_operands.clear();
        function.current = 0;
        function.location = None;
        function.debug_call = None;
        function.debug_call_location = None;
        function.first_param = self.values.len();
        let params = self.types.parts(ty).get(1..).unwrap_or_default();
        self.function.params = params.len();
        for (index, &param) in params.iter().enumerate() {
            let local = self.function.body.locals.push(LocalDef {
                ty: self.types.id(param),
                def: Def::Param(index as u32),
                name: None,
            });
            self.function.types.push(param);
            self.values.push(Typed {
                value: local.into(),
                ty: param,
            });
        }
        self.function.first_result = self.values.len();
    }

    fn end_body(&mut self, global: GlobalId) -> Read<()> {
        self.code = None;
        self.settle_call()?;
        let function = &mut self.function;
        let count = function.body.blocks.len();
        if function.current != count || count == 0 || !function.insts.is_empty() {
            let (current, name) = (function.current, self.global_text(global));
            return Err(self.fault(format!("`{name}` has {current} whole blocks of {count}")));
        }
        for &(local, ty, bit) in &function.forward {
            let known = function
                .types
                .get(local.index())
                .map(|&ty| self.types.id(ty));
            if known != Some(self.types.id(ty)) {
                self.cursor.start = bit;
                return Err(self.fault("a value is used that is not defined, or has another type"));
            }
        }
        // Attachments are sorted by instruction; the file has them so, unless it is damaged.
        function
            .body
            .attachments
            .sort_by_key(|attachment| attachment.inst);
        let body = function.body.move_out();
        if let GlobalKind::Function(function) = &mut self.module.globals[global].kind {
            function.body = Some(body);
        }
        Ok(())
    }

    /// The local with a number.
    pub(super) fn local_at(&self, number: u64) -> Option<Local> {
        let number = usize::try_from(number).ok()?;
        let function = &self.function;
        let index = if number >= function.first_result {
            number - function.first_result + function.params
        } else {
            let index = number.checked_sub(function.first_param)?;
            (index < function.params).then_some(index)?
        };
        (index < function.body.locals.len()).then(|| Local::new(index))
    }

    /// The number of the next result.
    #[inline]
    pub(super) fn next_number(&self) -> u64 {
        (self.function.first_result + self.function.types.len() - self.function.params) as u64
    }

    /// The value with a number; a later one has the type that its use expects.
    #[inline]
    pub(super) fn value_at(&mut self, number: u64, expected: Option<u32>) -> Read<Typed> {
        if let Ok(index) = usize::try_from(number)
            && let Some(&typed) = self.values.get(index)
        {
            return Ok(typed);
        }
        let function = &mut self.function;
        let result = usize::try_from(number)
            .ok()
            .and_then(|number| number.checked_sub(function.first_result));
        let (Some(result), Some(_)) = (result, function.global) else {
            return Err(self.fault(format!("there is no value {number}")));
        };
        let index = result + function.params;
        if index > Value::MAX_INDEX {
            return Err(self.fault(format!("there is no value {number}")));
        }
        let local = Local::new(index);
        if let Some(&ty) = function.types.get(index) {
            return Ok(Typed {
                value: local.into(),
                ty,
            });
        }
        let Some(ty) = expected else {
            return Err(self.fault(format!("value {number} is used before its type is known")));
        };
        function.forward.push((local, ty, self.cursor.start));
        Ok(Typed {
            value: local.into(),
            ty,
        })
    }

    /// The number of a value that an operand stands for.
    #[inline]
    pub(super) fn absolute(&self, op: u64) -> u64 {
        match self.version >= number::RELATIVE_IDS {
            true => u64::from((self.next_number() as u32).wrapping_sub(op as u32)),
            false => op,
        }
    }

    /// A value, and its type if it comes later.
    #[inline]
    pub(super) fn value_and_type(&mut self, at: &mut usize) -> Read<Typed> {
        let number = self.absolute(self.op(*at)?);
        *at += 1;
        if number < self.next_number() {
            return self.value_at(number, None);
        }
        let ty = self.type_at(self.op(*at)?)?;
        *at += 1;
        self.value_at(number, Some(ty))
    }

    /// A value of a type that is known.
    #[inline]
    pub(super) fn value_of(&mut self, at: &mut usize, ty: u32) -> Read<Value> {
        let number = self.absolute(self.op(*at)?);
        *at += 1;
        if self.types.id(ty) == self.module.types.metadata {
            return self.metadata_operand(number);
        }
        let typed = self.value_at(number, Some(ty))?;
        self.check_type(typed, ty)?;
        Ok(typed.value)
    }

    /// A value whose number is relative with a sign: that of a phi.
    pub(super) fn signed_value(&mut self, op: u64, ty: u32) -> Read<Value> {
        let number = match self.version >= number::RELATIVE_IDS {
            true => self.next_number().wrapping_sub(super::constant::signed(op)),
            false => op,
        };
        let typed = self.value_at(number, Some(ty))?;
        self.check_type(typed, ty)?;
        Ok(typed.value)
    }

    pub(super) fn check_type(&self, typed: Typed, ty: u32) -> Read<()> {
        match self.types.id(typed.ty) == self.types.id(ty) {
            true => Ok(()),
            false => Err(self.fault("an operand has another type than it must have")),
        }
    }

    pub(super) fn block_at(&self, number: u64) -> Read<Value> {
        match number < self.function.body.blocks.len() as u64 {
            true => Ok(Block::new(number as usize).into()),
            false => Err(self.fault(format!("there is no block {number}"))),
        }
    }

    pub(super) fn push(&mut self, value: Value) {
        self.function.operands.push(value);
    }

    /// The type in memory of an entry.
    pub(super) fn id(&self, ty: u32) -> TypeId {
        self.types.id(ty)
    }

    /// A record of a function.
    fn statement(&mut self, code: u32) -> Read<()> {
        match code {
            code::DEBUG_LOC => {
                let location = self.debug_location()?;
                self.function.location = location;
                self.attach_location();
                return Ok(());
            }
            code::DEBUG_LOC_AGAIN => {
                self.attach_location();
                return Ok(());
            }
            code::BLOCKADDR_USERS => return Ok(()),
            code::OPERAND_BUNDLE => return self.bundle(),
            code::DEBUG_RECORD_VALUE
            | code::DEBUG_RECORD_DECLARE
            | code::DEBUG_RECORD_DECLARE_VALUE
            | code::DEBUG_RECORD_ASSIGN
            | code::DEBUG_RECORD_VALUE_SIMPLE
            | code::DEBUG_RECORD_LABEL => return self.debug_record(code),
            _ => {}
        }
        self.function.operands.clear();
        if self.function.current >= self.function.body.blocks.len() {
            return Err(self.fault("an instruction after the last block"));
        }
        self.settle_call()?;
        match self.instruction(code)? {
            Some(parts) => self.finish_inst(parts),
            None => {
                // The call of a debug intrinsic, which becomes a record when its location is known.
                self.function.numbered.push(None);
                Ok(())
            }
        }
    }

    fn finish_inst(&mut self, parts: Parts) -> Read<()> {
        let ty = self.types.id(parts.ty);
        let function = &mut self.function;
        let inst = InstId::new(function.body.insts.len());
        let result = (ty != self.module.types.void).then(|| {
            function.types.push(parts.ty);
            function.body.locals.push(LocalDef {
                ty,
                def: Def::Inst(inst),
                name: None,
            })
        });
        let (start, len) = function.body.add_operands(&function.operands);
        function.body.insts.push(Inst {
            op: parts.op,
            flags: parts.flags,
            ty,
            start,
            len,
            result: result.map(Into::into),
            debug_location: None,
            pos: u32::try_from(self.cursor.start / 8).unwrap_or(u32::MAX),
        });
        let mut operands = &function.record_operands[..];
        for (kind, count) in function.records.drain(..) {
            let (own, rest) = operands.split_at(count);
            function.body.add_record(kind, inst, own);
            operands = rest;
        }
        function.record_operands.clear();
        function.insts.push(inst);
        function.numbered.push(Some(inst));
        if parts.op.is_terminator() {
            let block = Block::new(function.current);
            function.body.blocks[block].insts = crate::index::move_out(&mut function.insts);
            function.current += 1;
        }
        if !function.bundles.is_empty() && parts.op.call_site().is_none() {
            return Err(self.fault("an operand bundle before something that is not a call"));
        }
        Ok(())
    }

    /// Gives the last instruction the current location.
    fn attach_location(&mut self) {
        let location = self.function.location;
        match self.function.numbered.last() {
            Some(Some(inst)) => {
                self.function.body.insts[*inst].debug_location = location.map(Into::into);
            }
            Some(None) => self.function.debug_call_location = location,
            None => {}
        }
    }

    /// `[location, variable, expression, value …]`
    fn debug_record(&mut self, code: u32) -> Read<()> {
        let location: Value = self.md_at(self.op(0)?)?.into();
        let second: Value = self.md_at(self.op(1)?)?.into();
        let (kind, operands): (RecordKind, Vec<Value>) = match code {
            code::DEBUG_RECORD_LABEL => (RecordKind::Label, vec![second, location]),
            _ => {
                let expression: Value = self.md_at(self.op(2)?)?.into();
                let value = match code {
                    code::DEBUG_RECORD_VALUE_SIMPLE => {
                        let mut at = 3;
                        let typed = self.value_and_type(&mut at)?;
                        match typed.value.get() {
                            Operand::Local(local) => Operand::LocalMetadata(local).into(),
                            Operand::Const(constant) => {
                                Operand::Metadata(Md::Const(constant).into()).into()
                            }
                            _ => {
                                return Err(self
                                    .fault("a debug record about something that is not a value"));
                            }
                        }
                    }
                    _ => self.metadata_operand(self.op(3)?)?,
                };
                match code {
                    code::DEBUG_RECORD_ASSIGN => {
                        let id: Value = self.md_at(self.op(4)?)?.into();
                        let address_expression: Value = self.md_at(self.op(5)?)?.into();
                        let address = self.metadata_operand(self.op(6)?)?;
                        let all = vec![
                            value,
                            second,
                            expression,
                            id,
                            address,
                            address_expression,
                            location,
                        ];
                        (RecordKind::Assign, all)
                    }
                    _ => {
                        let kind = match code {
                            code::DEBUG_RECORD_DECLARE => RecordKind::Declare,
                            code::DEBUG_RECORD_DECLARE_VALUE => RecordKind::DeclareValue,
                            _ => RecordKind::Value,
                        };
                        (kind, vec![value, second, expression, location])
                    }
                }
            }
        };
        // It comes after the instruction that it is before.
        match self.function.numbered.last() {
            Some(&Some(inst)) => self.function.body.add_record(kind, inst, &operands),
            _ => return Err(self.fault("a debug record before the first instruction")),
        }
        Ok(())
    }

    /// A record before the next instruction.
    pub(super) fn push_record(&mut self, kind: RecordKind, operands: &[Value]) {
        self.function.records.push((kind, operands.len()));
        self.function.record_operands.extend_from_slice(operands);
    }
}
