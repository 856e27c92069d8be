//! The body of a function: blocks, instructions, values.
//!
//! ```text
//!   order: [b0, b1, …]          blocks in the order of the text
//!   blocks[b].insts: [i0, i1…]  instructions of a block in order, the terminator last
//!   insts[i]: Inst              one flat array; operands are a range of `pool`
//!   locals[l]: LocalDef         parameters first, then results
//! ```
//!
//! Names stand beside the values: a value without a name is numbered when it is printed.

use crate::index::{Id, IdVec, move_out};
use crate::inst::{CallSite, Inst, Op};
use crate::keyword::keywords;
use crate::metadata::{MdRef, NodeId};
use crate::name::Name;
use crate::types::TypeId;
use crate::value::{ArgList, Block, InstId, Local, Value};

/// A parameter or the result of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LocalDef {
    /// Its type.
    pub ty: TypeId,
    /// Where it is made.
    pub def: Def,
    /// Its name.
    pub name: Option<Name>,
}

/// Where a local value is made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Def {
    /// The parameter at a position.
    Param(u32),
    /// The result of an instruction.
    Inst(InstId),
    /// Nowhere: only while a function is read or changed.
    Pending,
}

/// A block.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BlockData {
    /// Its instructions in order, the terminator last.
    pub insts: Vec<InstId>,
    /// Its name.
    pub name: Option<Name>,
}

keywords! {
    /// What a debug record says.
    RecordKind {
        Value "dbg_value" Declare "dbg_declare" DeclareValue "dbg_declare_value" Assign "dbg_assign"
        Label "dbg_label"
    }
}

/// A debug record: `#dbg_value(…)`. It stands before an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    /// What it says.
    pub kind: RecordKind,
    /// The instruction it stands before.
    pub before: InstId,
    /// What it is about: value, variable, expression (assign: also id, address, address expression) and location;
    /// a label: label and location. A range of the pool of the function.
    pub(crate) start: u32,
    pub(crate) len: u32,
}

/// Metadata of an instruction other than `!dbg`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attachment {
    /// The instruction.
    pub inst: InstId,
    /// The kind: `tbaa`, `range` ….
    pub kind: Name,
    /// The node.
    pub node: NodeId,
}

/// The body of a function.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// Parameters first, then results of instructions.
    pub locals: IdVec<Local, LocalDef>,
    /// Blocks by number; see `order`.
    pub blocks: IdVec<Block, BlockData>,
    /// The blocks in the order of the text; the first is the entry.
    pub order: Vec<Block>,
    /// Instructions by number; the blocks say in which order they stand.
    pub insts: IdVec<InstId, Inst>,
    /// Operands of instructions and records.
    pool: Vec<Value>,
    /// Metadata of instructions, sorted by instruction.
    pub attachments: Vec<Attachment>,
    /// Debug records, in the order of the text.
    pub records: Vec<Record>,
    /// The lists of `!DIArgList(…)`: local values as metadata and constants as metadata.
    pub arg_lists: IdVec<ArgList, Box<[Value]>>,
}

impl Body {
    /// The operands of an instruction.
    pub fn operands(&self, inst: InstId) -> &[Value] {
        let Inst { start, len, .. } = self.insts[inst];
        &self.pool[start as usize..(start + len) as usize]
    }

    /// The operands of an instruction, to be changed.
    pub fn operands_mut(&mut self, inst: InstId) -> &mut [Value] {
        let Inst { start, len, .. } = self.insts[inst];
        &mut self.pool[start as usize..(start + len) as usize]
    }

    /// The operands of a debug record.
    pub fn record_operands(&self, record: &Record) -> &[Value] {
        &self.pool[record.start as usize..(record.start + record.len) as usize]
    }

    /// The operands of the debug record at a position, to be changed.
    pub fn record_operands_mut(&mut self, record: usize) -> &mut [Value] {
        let Record { start, len, .. } = self.records[record];
        &mut self.pool[start as usize..(start + len) as usize]
    }

    /// Gives an instruction other operands.
    pub fn set_operands(&mut self, inst: InstId, operands: &[Value]) {
        let (start, len) = self.add_operands(operands);
        let data = &mut self.insts[inst];
        (data.start, data.len) = (start, len);
    }

    /// Puts operands into the pool.
    pub(crate) fn add_operands(&mut self, operands: &[Value]) -> (u32, u32) {
        let start = self.pool.len() as u32;
        self.pool.extend_from_slice(operands);
        (start, operands.len() as u32)
    }

    /// A new instruction like `template` with these operands, in no block yet. A result is made if
    /// `has_result`.
    pub fn add_inst(&mut self, op: Op, ty: TypeId, operands: &[Value], has_result: bool) -> InstId {
        let (start, len) = self.add_operands(operands);
        let id = InstId::new(self.insts.len());
        let result = has_result.then(|| {
            self.locals.push(LocalDef {
                ty,
                def: Def::Inst(id),
                name: None,
            })
        });
        self.insts.push(Inst {
            op,
            flags: crate::inst::Flags::empty(),
            ty,
            start,
            len,
            result: result.map(Into::into),
            debug_location: None,
            pos: 0,
        })
    }

    /// A new debug record before an instruction, after the ones that are there.
    pub fn add_record(&mut self, kind: RecordKind, before: InstId, operands: &[Value]) {
        let (start, len) = self.add_operands(operands);
        self.records.push(Record {
            kind,
            before,
            start,
            len,
        });
    }

    /// Moves everything into a new body with just as much memory as it needs. This one keeps its own, to be
    /// filled again.
    pub(crate) fn move_out(&mut self) -> Body {
        Body {
            locals: self.locals.move_out(),
            blocks: self.blocks.move_out(),
            order: move_out(&mut self.order),
            insts: self.insts.move_out(),
            pool: move_out(&mut self.pool),
            attachments: move_out(&mut self.attachments),
            records: move_out(&mut self.records),
            arg_lists: self.arg_lists.move_out(),
        }
    }

    /// Makes it empty; it keeps its memory.
    pub(crate) fn clear(&mut self) {
        drop(self.move_out());
    }

    /// The last instruction of a block.
    pub fn terminator(&self, block: Block) -> Option<InstId> {
        let &last = self.blocks[block].insts.last()?;
        self.insts[last].op.is_terminator().then_some(last)
    }

    /// The blocks a block may go to, as often as its terminator names them.
    pub fn successors(&self, block: Block) -> impl DoubleEndedIterator<Item = Block> + '_ {
        let operands = match self.terminator(block) {
            Some(inst) => self.operands(inst),
            None => &[],
        };
        operands.iter().filter_map(|value| value.block())
    }

    /// The metadata of an instruction other than `!dbg`.
    pub fn attachments_of(&self, inst: InstId) -> &[Attachment] {
        let from = self.attachments.partition_point(|a| a.inst < inst);
        let to = self.attachments.partition_point(|a| a.inst <= inst);
        &self.attachments[from..to]
    }

    /// The parts of a call, given what it has in common with others.
    pub fn call<'a>(&'a self, inst: InstId, site: &CallSite) -> Call<'a> {
        let operands = self.operands(inst);
        let (args, rest) = operands.split_at((site.args as usize).min(operands.len()));
        let blocks = match self.insts[inst].op {
            Op::Invoke(_) => 2,
            Op::CallBr(_, indirect) => 1 + indirect as usize,
            _ => 0,
        };
        let (bundles, rest) = rest.split_at(rest.len().saturating_sub(1 + blocks));
        let (blocks, callee) = rest.split_at(rest.len().saturating_sub(1));
        Call {
            args,
            bundles,
            blocks,
            callee: callee.first().copied(),
        }
    }
}

/// The parts of a call.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// The arguments.
    pub args: &'a [Value],
    /// The operands of all bundles.
    pub bundles: &'a [Value],
    /// `invoke`: normal and unwind block; `callbr`: default and indirect ones.
    pub blocks: &'a [Value],
    /// What is called; `None` never in a whole module.
    pub callee: Option<Value>,
}

/// The metadata of a function or variable: `!dbg !5`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GlobalAttachment {
    /// The kind.
    pub kind: Name,
    /// The node.
    pub node: MdRef,
}
