//! Blocks, debug records, and the numbers of values without a name.

use super::Printer;
use crate::function::{Body, Record};
use crate::index::Id;
use crate::module::{GlobalId, GlobalKind};
use crate::value::{Block, InstId, Local, Operand, Value};
use rustc_hash::FxHashMap;

/// Where the comment with the predecessors of a block starts.
const COMMENT_COLUMN: usize = 50;

/// Numbers of the values and blocks of a function that have no name. Parameters, blocks and results are
/// counted together, in the order of the text.
#[derive(Debug, Default)]
pub(super) struct Numbers<'m> {
    function: Option<(GlobalId, &'m Body)>,
    /// Whether the function takes a variable number of arguments.
    pub(super) variadic: bool,
    locals: Vec<u32>,
    blocks: Vec<u32>,
    /// Blocks of other functions, for `blockaddress`.
    elsewhere: FxHashMap<GlobalId, Vec<u32>>,
    /// The blocks that go to each block, one after the other; the last edge in the text first.
    predecessors: Vec<Block>,
    /// Where the predecessors of each block end.
    ends: Vec<u32>,
}

/// Numbers the values and blocks of a body.
fn number(body: &Body, locals: &mut Vec<u32>, blocks: &mut Vec<u32>) {
    locals.clear();
    locals.resize(body.locals.len(), 0);
    blocks.clear();
    blocks.resize(body.blocks.len(), 0);
    let mut next = 0;
    let mut take = || {
        next += 1;
        next - 1
    };
    for (id, local) in body.locals.iter() {
        if !matches!(local.def, crate::function::Def::Param(_)) {
            break;
        }
        if local.name.is_none() {
            locals[id.index()] = take();
        }
    }
    for &block in &body.order {
        let data = &body.blocks[block];
        if data.name.is_none() {
            blocks[block.index()] = take();
        }
        for &inst in &data.insts {
            if let Some(local) = body.insts[inst].local()
                && body.locals[local].name.is_none()
            {
                locals[local.index()] = take();
            }
        }
    }
}

impl Numbers<'_> {
    /// Collects the edges between blocks, sorted by where they go.
    fn collect_predecessors(&mut self, body: &Body) {
        self.ends.clear();
        self.ends.resize(body.blocks.len(), 0);
        for &block in &body.order {
            for to in body.successors(block) {
                self.ends[to.index()] += 1;
            }
        }
        let mut sum = 0;
        for end in &mut self.ends {
            sum += *end;
            *end = sum;
        }
        self.predecessors.clear();
        self.predecessors.resize(sum as usize, Block::new(0));
        // Filling from the end leaves each entry of `ends` where the predecessors of its block start.
        for &block in &body.order {
            for to in body.successors(block) {
                let end = &mut self.ends[to.index()];
                *end -= 1;
                self.predecessors[*end as usize] = block;
            }
        }
        self.ends.push(sum);
    }

    fn predecessors(&self, block: Block) -> std::ops::Range<usize> {
        let start = self.ends[block.index()];
        let end = self.ends[block.index() + 1];
        start as usize..end as usize
    }
}

/// Walks along a list sorted by instruction while the instructions come mostly in order.
pub(super) struct Follow<'a, T> {
    items: &'a [T],
    key: fn(&T) -> InstId,
    at: usize,
    last: Option<InstId>,
}

impl<'a, T> Follow<'a, T> {
    pub(super) fn new(items: &'a [T], key: fn(&T) -> InstId) -> Follow<'a, T> {
        Follow {
            items,
            key,
            at: 0,
            last: None,
        }
    }

    /// The items of an instruction.
    #[inline]
    pub(super) fn of(&mut self, inst: InstId) -> &'a [T] {
        let key = self.key;
        if self.last.is_some_and(|last| last >= inst) {
            self.at = self.items.partition_point(|item| key(item) < inst);
        }
        self.last = Some(inst);
        let rest = &self.items[self.at..];
        let skipped = rest.iter().take_while(|item| key(item) < inst).count();
        let rest = &rest[skipped..];
        let len = rest.iter().take_while(|item| key(item) == inst).count();
        self.at += skipped + len;
        &rest[..len]
    }
}

impl<'m> Printer<'m> {
    /// Numbers what has no name in a function that is to be printed.
    pub(super) fn number_function(&mut self, id: GlobalId, body: &'m Body) {
        let numbers = &mut self.numbers;
        numbers.function = Some((id, body));
        number(body, &mut numbers.locals, &mut numbers.blocks);
        numbers.collect_predecessors(body);
    }

    /// The blocks of a function, after its `{`.
    pub(super) fn body(&mut self, body: &'m Body) {
        let mut sorted;
        let mut records = &body.records[..];
        if !records.is_sorted_by_key(|record| record.before) {
            sorted = records.to_vec();
            sorted.sort_by_key(|record| record.before);
            records = &sorted;
        }
        let mut records = Follow::new(records, |record| record.before);
        let mut attachments = Follow::new(&body.attachments, |attachment| attachment.inst);
        for (i, &block) in body.order.iter().enumerate() {
            self.block_head(body, block, i == 0);
            for &inst in &body.blocks[block].insts {
                for record in records.of(inst) {
                    self.record(body, record);
                }
                self.instruction(body, inst);
                if let Some(node) = body.insts[inst].location() {
                    self.out.str(", !dbg ");
                    self.node(node);
                }
                for attachment in attachments.of(inst) {
                    self.out.str(", ");
                    self.metadata_kind(attachment.kind);
                    self.node(attachment.node);
                }
                self.out.newline();
            }
        }
    }

    fn block_head(&mut self, body: &Body, block: Block, entry: bool) {
        self.out.newline();
        match body.blocks[block].name {
            Some(name) => {
                self.out.name(self.module.names.bytes(name));
                self.out.byte(b':');
            }
            // The number of the first block is only counted.
            None if entry => return,
            None => {
                self.out
                    .number(u64::from(self.numbers.blocks[block.index()]));
                self.out.byte(b':');
            }
        }
        if !entry {
            self.out.pad_to(COMMENT_COLUMN);
            let range = self.numbers.predecessors(block);
            if range.is_empty() {
                self.out.str("; No predecessors!");
            } else {
                self.out.str("; preds = ");
            }
            for (i, index) in range.enumerate() {
                self.out.comma(i);
                self.block(body, self.numbers.predecessors[index]);
            }
        }
        self.out.newline();
    }

    /// `%name` of a value of the function that is being printed.
    #[inline]
    pub(super) fn local(&mut self, body: &Body, local: Local) {
        self.out.byte(b'%');
        match body.locals[local].name {
            Some(name) => self.out.name(self.module.names.bytes(name)),
            None => self
                .out
                .number(u64::from(self.numbers.locals[local.index()])),
        }
    }

    /// `%name` of a block of the function that is being printed.
    #[inline]
    pub(super) fn block(&mut self, body: &Body, block: Block) {
        self.out.byte(b'%');
        match body.blocks[block].name {
            Some(name) => self.out.name(self.module.names.bytes(name)),
            None => self
                .out
                .number(u64::from(self.numbers.blocks[block.index()])),
        }
    }

    /// `%name` of a block of any function.
    pub(super) fn block_of(&mut self, function: GlobalId, block: Block) {
        let GlobalKind::Function(data) = &self.module.globals[function].kind else {
            return;
        };
        let Some(body) = &data.body else { return };
        if body.blocks[block].name.is_some()
            || self.numbers.function.is_some_and(|now| now.0 == function)
        {
            return self.block(body, block);
        }
        let numbers = self.numbers.elsewhere.entry(function).or_insert_with(|| {
            let mut blocks = Vec::new();
            number(body, &mut Vec::new(), &mut blocks);
            blocks
        });
        let number = numbers[block.index()];
        self.out.byte(b'%');
        self.out.number(u64::from(number));
    }

    /// An operand with its type in front.
    #[inline]
    pub(super) fn typed(&mut self, body: &Body, value: Value) {
        self.ty(self.module.type_of(body, value));
        self.out.byte(b' ');
        self.operand(body, value);
    }

    #[inline]
    pub(super) fn operand(&mut self, body: &Body, value: Value) {
        match value.get() {
            Operand::Local(local) => self.local(body, local),
            Operand::Const(constant) => self.constant(constant),
            Operand::Block(block) => self.block(body, block),
            Operand::Asm(asm) => self.inline_assembly(asm),
            Operand::Metadata(md) => self.metadata(md),
            Operand::LocalMetadata(local) => {
                self.ty(body.locals[local].ty);
                self.out.byte(b' ');
                self.local(body, local);
            }
            Operand::ArgList(list) => {
                self.out.str("!DIArgList(");
                for (i, &value) in body.arg_lists[list].iter().enumerate() {
                    self.out.comma(i);
                    match value.get() {
                        Operand::Local(_) | Operand::Const(_) => self.typed(body, value),
                        _ => self.operand(body, value),
                    }
                }
                self.out.byte(b')');
            }
        }
    }

    fn record(&mut self, body: &Body, record: &Record) {
        self.out.str("    #");
        self.out.str(record.kind.keyword());
        self.out.byte(b'(');
        for (i, &value) in body.record_operands(record).iter().enumerate() {
            self.out.comma(i);
            match value.get() {
                Operand::Local(_) | Operand::Const(_) => self.typed(body, value),
                _ => self.operand(body, value),
            }
        }
        self.out.byte(b')');
        self.out.newline();
    }
}
