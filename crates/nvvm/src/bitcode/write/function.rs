//! Bodies of functions: the numbers of their values, and everything around their instructions.

use super::stream::Stream;
use super::value::Entry;
use super::{Dialect, Writer};
use crate::bitcode::codes::record::{
    block, function as code, metadata, metadata_attachment, value_symtab,
};
use crate::function::{Body, Record, RecordKind};
use crate::index::Id;
use crate::module::{Function, Global, GlobalId};
use crate::value::{ArgList, Block, InstId, Local, Operand, Value};
use rustc_hash::FxHashMap;

/// Metadata that names values of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum LocalMetadata {
    Value(Local),
    List(ArgList),
}

/// The numbers of the values of a function.
pub(super) struct Numbers<'m> {
    pub(super) body: &'m Body,
    /// By local.
    locals: Vec<u32>,
    /// By block: its position.
    blocks: Vec<u32>,
    /// The number that the next result gets.
    pub(super) next: u32,
    metadata: FxHashMap<LocalMetadata, u32>,
    metadata_order: Vec<LocalMetadata>,
    first_metadata: u32,
}

impl Numbers<'_> {
    #[inline]
    pub(super) fn local(&self, local: Local) -> u32 {
        self.locals[local.index()]
    }

    #[inline]
    pub(super) fn block(&self, block: Block) -> u64 {
        u64::from(self.blocks[block.index()])
    }

    fn add_metadata(&mut self, value: Value) {
        let added = match value.get() {
            Operand::LocalMetadata(local) | Operand::Local(local) => LocalMetadata::Value(local),
            Operand::ArgList(list) => {
                for &value in &self.body.arg_lists[list] {
                    self.add_metadata(value);
                }
                LocalMetadata::List(list)
            }
            _ => return,
        };
        let order = &mut self.metadata_order;
        let first = self.first_metadata;
        self.metadata.entry(added).or_insert_with(|| {
            order.push(added);
            first + order.len() as u32 - 1
        });
    }
}

impl<'m> Writer<'m> {
    /// The contents of the block of a function.
    pub(super) fn function(
        &mut self,
        id: GlobalId,
        global: &'m Global,
        function: &'m Function,
        body: &'m Body,
        mut stream: Stream,
    ) -> Vec<u8> {
        let before = self.values.next;
        let (mut numbers, entries) = self.number_body(global, body);
        stream.record(code::DECLAREBLOCKS, &[body.order.len() as u64]);
        self.constants(&entries, &mut stream);
        self.local_metadata(&numbers, &mut stream);
        self.instructions(&mut numbers, &mut stream);
        self.block_address_users(id, &mut stream);
        self.symbols(&numbers, &mut stream);
        self.attachments(global, body, &mut stream);
        let _ = function;
        self.values.forget(&entries, before);
        stream.contents()
    }

    /// Numbers parameters, constants and results.
    fn number_body(&mut self, global: &Global, body: &'m Body) -> (Numbers<'m>, Vec<Entry>) {
        let module = self.module;
        let mut numbers = Numbers {
            body,
            locals: vec![0; body.locals.len()],
            blocks: vec![0; body.blocks.len()],
            next: 0,
            metadata: FxHashMap::default(),
            metadata_order: Vec::new(),
            first_metadata: self.nodes.count(),
        };
        let params = module.types.signature(global.value_ty);
        for index in 0..params.map_or(0, |(_, params, _)| params.len()) {
            if let Some(local) = numbers.locals.get_mut(index) {
                *local = self.values.next;
            }
            self.values.next += 1;
        }
        for (index, &block) in body.order.iter().enumerate() {
            numbers.blocks[block.index()] = index as u32;
            for &inst in &body.blocks[block].insts {
                for &value in body.operands(inst) {
                    match value.get() {
                        Operand::Const(constant) => self.values.list_constant(module, constant),
                        Operand::Asm(asm) => self.values.list_asm(asm),
                        Operand::LocalMetadata(_) | Operand::ArgList(_) => {
                            numbers.add_metadata(value);
                        }
                        _ => {}
                    }
                }
            }
        }
        for record in &body.records {
            for &value in body.record_operands(record) {
                numbers.add_metadata(value);
            }
        }
        let entries = self.values.number_listed(module);
        numbers.next = self.values.next;
        let mut next = numbers.next;
        for &block in &body.order {
            for &inst in &body.blocks[block].insts {
                if let Some(local) = body.insts[inst].local() {
                    numbers.locals[local.index()] = next;
                    next += 1;
                }
            }
        }
        (numbers, entries)
    }

    fn local_metadata(&mut self, numbers: &Numbers<'m>, stream: &mut Stream) {
        if numbers.metadata_order.is_empty() {
            return;
        }
        stream.enter(block::METADATA, 3);
        for &item in &numbers.metadata_order {
            match item {
                LocalMetadata::Value(local) => {
                    let ty = self.ty(numbers.body.locals[local].ty);
                    stream.record(metadata::VALUE, &[ty, u64::from(numbers.local(local))]);
                }
                LocalMetadata::List(list) => {
                    let values = numbers.body.arg_lists[list].iter();
                    let ids = values.map(|&value| self.metadata_id(numbers, value));
                    stream.record(metadata::ARG_LIST, &ids.collect::<Vec<u64>>());
                }
            }
        }
        stream.exit();
    }

    /// The number of what an operand of type `metadata` names.
    pub(super) fn metadata_id(&self, numbers: &Numbers<'_>, value: Value) -> u64 {
        let local = |item: LocalMetadata| numbers.metadata.get(&item).copied().map(u64::from);
        let id = match value.get() {
            Operand::Metadata(md) => self.nodes.id(md),
            Operand::Const(constant) => self.nodes.id(crate::metadata::Md::Const(constant).into()),
            Operand::LocalMetadata(value) | Operand::Local(value) => {
                local(LocalMetadata::Value(value))
            }
            Operand::ArgList(list) => local(LocalMetadata::List(list)),
            Operand::Block(_) | Operand::Asm(_) => None,
        };
        id.unwrap_or(0)
    }

    fn instructions(&mut self, numbers: &mut Numbers<'m>, stream: &mut Stream) {
        let body = numbers.body;
        let records = records_by_instruction(body);
        let mut records = &records[..];
        let mut record = Vec::new();
        let mut last = None;
        let is_sorted = body
            .order
            .iter()
            .flat_map(|&block| &body.blocks[block].insts)
            .is_sorted();
        for &block in &body.order {
            for &inst in &body.blocks[block].insts {
                self.instruction(numbers, inst, stream, &mut record);
                let data = &body.insts[inst];
                if data.result.is_some() {
                    numbers.next += 1;
                }
                if let Some(node) = data.location() {
                    record.clear();
                    if last == Some(node) {
                        stream.record(code::DEBUG_LOC_AGAIN, &[]);
                    } else {
                        self.debug_location(node, &mut record);
                        stream.record(code::DEBUG_LOC, &record);
                        last = Some(node);
                    }
                }
                if is_sorted {
                    // Records of instructions that are in no block stay behind.
                    let skipped = records.iter().take_while(|record| record.before < inst);
                    records = &records[skipped.count()..];
                    let here = records.iter().take_while(|record| record.before == inst);
                    let (here, rest) = records.split_at(here.count());
                    records = rest;
                    for item in here {
                        self.debug_record(numbers, item, stream, &mut record);
                    }
                } else {
                    let from = records.partition_point(|record| record.before < inst);
                    let to = records.partition_point(|record| record.before <= inst);
                    for item in &records[from..to] {
                        self.debug_record(numbers, item, stream, &mut record);
                    }
                }
            }
        }
    }

    fn debug_record(
        &mut self,
        numbers: &Numbers<'m>,
        item: &Record,
        stream: &mut Stream,
        record: &mut Vec<u64>,
    ) {
        if self.dialect == Dialect::Llvm7 {
            self.refuse("debug records");
            return;
        }
        let operands = numbers.body.record_operands(item);
        let id = |this: &Self, index: usize| {
            let operand = operands.get(index);
            operand.map_or(0, |&operand| this.metadata_id(numbers, operand))
        };
        record.clear();
        record.push(id(self, operands.len().saturating_sub(1)));
        if item.kind == RecordKind::Label {
            record.push(id(self, 0));
            return stream.record(code::DEBUG_RECORD_LABEL, record);
        }
        record.extend([id(self, 1), id(self, 2)]);
        let code = match item.kind {
            RecordKind::Value => match operands
                .first()
                .and_then(|&value| self.simple(numbers, value))
            {
                Some(value) => {
                    record.push(value);
                    return stream.record(code::DEBUG_RECORD_VALUE_SIMPLE, record);
                }
                None => code::DEBUG_RECORD_VALUE,
            },
            RecordKind::Declare => code::DEBUG_RECORD_DECLARE,
            RecordKind::DeclareValue => code::DEBUG_RECORD_DECLARE_VALUE,
            RecordKind::Assign => code::DEBUG_RECORD_ASSIGN,
            RecordKind::Label => code::DEBUG_RECORD_LABEL,
        };
        record.push(id(self, 0));
        if item.kind == RecordKind::Assign {
            // Identity, expression of the address, address.
            record.extend([id(self, 3), id(self, 5), id(self, 4)]);
        }
        stream.record(code, record);
    }

    /// A value that is defined already, relative to the next one.
    fn simple(&self, numbers: &Numbers<'m>, value: Value) -> Option<u64> {
        let id = match value.get() {
            Operand::LocalMetadata(local) | Operand::Local(local) => numbers.local(local),
            Operand::Metadata(md) => match md.get() {
                crate::metadata::Md::Const(constant) => self.values.constant(self.module, constant),
                _ => return None,
            },
            Operand::Const(constant) => self.values.constant(self.module, constant),
            _ => return None,
        };
        (id < numbers.next).then(|| u64::from(numbers.next - id))
    }

    /// The functions that hold addresses of blocks of this one, which are read with it.
    fn block_address_users(&mut self, id: GlobalId, stream: &mut Stream) {
        if self.dialect == Dialect::Llvm7 {
            return;
        }
        let Some(users) = self.block_users.get(&id) else {
            return;
        };
        let users: Vec<u64> = users.iter().map(|&user| self.values.global(user)).collect();
        stream.record(code::BLOCKADDR_USERS, &users);
    }

    /// Names of values and blocks.
    fn symbols(&self, numbers: &Numbers<'m>, stream: &mut Stream) {
        let body = numbers.body;
        let names = &self.module.names;
        let is_named = body.locals.iter().any(|(_, local)| local.name.is_some())
            || body.blocks.iter().any(|(_, block)| block.name.is_some());
        if !is_named {
            return;
        }
        stream.enter(block::VALUE_SYMTAB, 4);
        let mut record = Vec::new();
        let mut entry = |stream: &mut Stream, code: u32, id: u64, name: &[u8]| {
            record.clear();
            record.push(id);
            record.extend(name.iter().map(|&byte| u64::from(byte)));
            stream.record(code, &record);
        };
        let params = body
            .locals
            .iter()
            .take_while(|(_, local)| matches!(local.def, crate::function::Def::Param(_)));
        for (id, local) in params {
            if let Some(name) = local.name {
                let id = u64::from(numbers.local(id));
                entry(stream, value_symtab::ENTRY, id, names.bytes(name));
            }
        }
        for &block in &body.order {
            if let Some(name) = body.blocks[block].name {
                let id = numbers.block(block);
                entry(stream, value_symtab::BBENTRY, id, names.bytes(name));
            }
            for &inst in &body.blocks[block].insts {
                if let Some(local) = body.insts[inst].local()
                    && let Some(name) = body.locals[local].name
                {
                    let id = u64::from(numbers.local(local));
                    entry(stream, value_symtab::ENTRY, id, names.bytes(name));
                }
            }
        }
        stream.exit();
    }

    /// The metadata of the function and of its instructions.
    fn attachments(&mut self, global: &Global, body: &Body, stream: &mut Stream) {
        if global.metadata.is_empty() && body.attachments.is_empty() {
            return;
        }
        stream.enter(block::METADATA_ATTACHMENT, 3);
        let mut record = Vec::new();
        if !global.metadata.is_empty() {
            self.push_attachments(&global.metadata, &mut record);
            stream.record(metadata_attachment::ATTACHMENT, &record);
        }
        if !body.attachments.is_empty() {
            let insts = body
                .order
                .iter()
                .flat_map(|&block| &body.blocks[block].insts);
            for (index, &inst) in insts.enumerate() {
                let attachments = body.attachments_of(inst);
                if attachments.is_empty() {
                    continue;
                }
                record.clear();
                record.push(index as u64);
                for attachment in attachments {
                    let node = crate::metadata::Md::Node(attachment.node).into();
                    if let Some(id) = self.nodes.id(node) {
                        record.extend([self.kinds.id(attachment.kind), id]);
                    }
                }
                stream.record(metadata_attachment::ATTACHMENT, &record);
            }
        }
        stream.exit();
    }
}

/// The debug records, sorted by the instruction they are before.
fn records_by_instruction(body: &Body) -> Vec<Record> {
    let mut records = body.records.clone();
    records.sort_by_key(|record: &Record| -> InstId { record.before });
    records
}
