//! Changing the bodies of functions.
//!
//! ```text
//!   block: i0 i1 i2 i3 ──rewrite──► i0  new new  i2 │ br │ new block: new │ i3
//!                                       in place of i1        i3 moved after a split
//! ```
//!
//! An [`Editor`] holds one body and the tables of its module. [`Editor::rewrite`] walks over all
//! instructions in order and asks for each what becomes of it. The answer may add instructions and blocks
//! before it: they go to where the editor stands ([`Editor::block`]), and what follows in the old block
//! goes there too. So any number of instructions is expanded in one walk. At its end, all uses of replaced
//! values change at once, phis name the block that now ends where their old predecessor ended, and debug
//! records stand before the next instruction that is left.
//!
//! New instructions have the debug location and the place in the text of the one they stand for.

mod build;
mod count;
mod graph;
mod inline;
mod symbols;

pub use build::PhiId;
pub use graph::{merge_blocks, remove_one_edge, remove_unreachable, split_edge};
pub use inline::{Kept, Relocate, is_fixed_variable};
pub use symbols::Symbols;

use rustc_hash::{FxHashMap, FxHashSet};
use warpc_nvvm::Module;
use warpc_nvvm::constant::ConstKind;
use warpc_nvvm::function::{Attachment, BlockData, Body};
use warpc_nvvm::index::Id;
use warpc_nvvm::inst::{DebugLocation, Flags, Op};
use warpc_nvvm::metadata::{Md, NodeId};
use warpc_nvvm::module::{GlobalId, GlobalKind};
use warpc_nvvm::name::Name;
use warpc_nvvm::types::TypeId;
use warpc_nvvm::value::{Block, InstId, Local, Operand, Value};

/// What becomes of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// It stays.
    Keep,
    /// It goes, and its users use this value.
    Replace(Value),
    /// It goes. If it had a result that someone uses, that is `poison` now. In the place of a terminator
    /// the editor must have made another one.
    Remove,
}

/// Changes one body.
#[derive(Debug)]
pub struct Editor<'m> {
    /// The module without the body.
    pub module: &'m mut Module,
    /// The body.
    pub body: &'m mut Body,
    /// The function.
    pub function: GlobalId,
    symbols: &'m mut Symbols,
    block: Block,
    location: Option<DebugLocation>,
    pos: u32,
    replaced: FxHashMap<Local, Value>,
    order: Vec<Block>,
    /// The names of values and blocks, once a new one is given.
    taken: Option<FxHashSet<Name>>,
    /// The last number that was put after a name.
    suffix: u32,
}

/// Calls `edit` with an editor for each function that has a body.
pub fn edit_bodies(module: &mut Module, mut edit: impl FnMut(&mut Editor)) {
    let mut symbols = Symbols::default();
    let functions: Vec<GlobalId> = module.functions().map(|(id, _, _)| id).collect();
    for id in functions {
        let GlobalKind::Function(function) = &mut module.globals[id].kind else {
            continue;
        };
        let Some(mut body) = function.body.take() else {
            continue;
        };
        edit(&mut Editor::new(module, &mut body, id, &mut symbols));
        if let GlobalKind::Function(function) = &mut module.globals[id].kind {
            function.body = Some(body);
        }
    }
}

impl<'m> Editor<'m> {
    /// An editor that stands at the end of the first block.
    pub fn new(
        module: &'m mut Module,
        body: &'m mut Body,
        function: GlobalId,
        symbols: &'m mut Symbols,
    ) -> Editor<'m> {
        let block = body.order.first().copied().unwrap_or(Block::new(0));
        Editor {
            module,
            body,
            function,
            symbols,
            block,
            location: None,
            pos: 0,
            replaced: FxHashMap::default(),
            order: Vec::new(),
            taken: None,
            suffix: 0,
        }
    }

    /// Whether an instruction in some block satisfies a condition: asked before a walk that may have
    /// nothing to do.
    pub fn any(&self, mut wanted: impl FnMut(&Module, &Body, InstId) -> bool) -> bool {
        let blocks = self.body.order.iter();
        blocks
            .flat_map(|&block| &self.body.blocks[block].insts)
            .any(|&inst| wanted(self.module, self.body, inst))
    }

    /// Asks for each instruction, in order, what becomes of it.
    pub fn rewrite(&mut self, mut decide: impl FnMut(&mut Editor<'m>, InstId) -> Action) {
        let old_insts = self.body.insts.len();
        let has_records = !self.body.records.is_empty();
        let mut tails = FxHashMap::default();
        let mut gone: FxHashMap<InstId, (Block, usize)> = FxHashMap::default();
        self.order.clear();
        for block in std::mem::take(&mut self.body.order) {
            let insts = std::mem::take(&mut self.body.blocks[block].insts);
            self.order.push(block);
            self.block = block;
            for inst in insts {
                self.stand_for(inst);
                let at = (self.block, self.body.blocks[self.block].insts.len());
                let action = decide(self, inst);
                if action == Action::Keep {
                    self.body.blocks[self.block].insts.push(inst);
                    continue;
                }
                if has_records {
                    gone.insert(inst, at);
                }
                match (action, self.body.insts[inst].local()) {
                    (Action::Replace(value), Some(local)) => {
                        self.replaced.insert(local, value);
                    }
                    (_, Some(local)) => {
                        let ty = self.body.locals[local].ty;
                        let poison = self.module.constants.intern(ty, ConstKind::Poison);
                        self.replaced.insert(local, poison.into());
                    }
                    _ => {}
                }
            }
            if self.block != block {
                tails.insert(block, self.block);
            }
        }
        self.body.order = std::mem::take(&mut self.order);
        self.rename_predecessors(old_insts, &tails);
        self.settle();
        self.move_records(&gone);
    }

    /// New instructions get the debug location and the place of this one.
    pub fn stand_for(&mut self, inst: InstId) {
        let inst = &self.body.insts[inst];
        self.location = inst.debug_location;
        self.pos = inst.pos;
    }

    /// The place in the text that new instructions get, for diagnostics.
    pub fn pos(&self) -> u32 {
        self.pos
    }

    /// The block new instructions go to.
    pub fn block(&self) -> Block {
        self.block
    }

    /// A new block in no order yet; [`Editor::start`] gives it a place.
    pub fn new_block(&mut self) -> Block {
        self.body.blocks.push(BlockData::default())
    }

    /// A new block with a name in no order yet.
    pub fn named_block(&mut self, name: &str) -> Block {
        let block = self.new_block();
        let name = self.free_name(name);
        self.body.blocks[block].name = Some(name);
        block
    }

    /// Gives the value of a new instruction a name; constants have none.
    pub fn name(&mut self, value: Value, name: &str) -> Value {
        if let Some(local) = value.local() {
            let name = self.free_name(name);
            self.body.locals[local].name = Some(name);
        }
        value
    }

    /// A name, with a number after it if it is taken.
    fn free_name(&mut self, name: &str) -> Name {
        let body = &*self.body;
        let taken = self.taken.get_or_insert_with(|| {
            let locals = body.locals.iter().filter_map(|(_, def)| def.name);
            let blocks = body.blocks.iter().filter_map(|(_, block)| block.name);
            locals.chain(blocks).collect()
        });
        let mut found = self.module.names.intern(name.as_bytes());
        while !taken.insert(found) {
            self.suffix += 1;
            let numbered = format!("{name}{}", self.suffix);
            found = self.module.names.intern(numbered.as_bytes());
        }
        found
    }

    /// New instructions go to a new block from now on. It stands after the current one in the text.
    pub fn start(&mut self, block: Block) {
        self.order.push(block);
        self.block = block;
    }

    /// A value will be replaced by another one at the end of the walk.
    pub fn replace(&mut self, local: Local, value: Value) {
        self.replaced.insert(local, value);
    }

    /// The value that an operand stands for after the replacements so far.
    pub fn resolve(&self, value: Value) -> Value {
        let mut value = value;
        // A replacement names values of older instructions or new ones, so there is no cycle; the bound is
        // there in case a caller gets it wrong.
        for _ in 0..=self.replaced.len() {
            match value.local().and_then(|local| self.replaced.get(&local)) {
                Some(&next) if next != value => value = next,
                _ => break,
            }
        }
        value
    }

    /// Applies the replacements so far to all uses.
    pub fn settle(&mut self) {
        if self.replaced.is_empty() {
            return;
        }
        for index in 0..self.body.order.len() {
            let block = self.body.order[index];
            for at in 0..self.body.blocks[block].insts.len() {
                let inst = self.body.blocks[block].insts[at];
                for operand in 0..self.body.operands(inst).len() {
                    let old = self.body.operands(inst)[operand];
                    let new = self.replacement(old);
                    if new != old {
                        self.body.operands_mut(inst)[operand] = new;
                    }
                }
            }
        }
        for record in 0..self.body.records.len() {
            let count = self.body.record_operands(&self.body.records[record]).len();
            for operand in 0..count {
                let old = self.body.record_operands(&self.body.records[record])[operand];
                let new = self.replacement(old);
                self.body.record_operands_mut(record)[operand] = new;
            }
        }
        let lists: Vec<_> = self.body.arg_lists.ids().collect();
        for list in lists {
            for at in 0..self.body.arg_lists[list].len() {
                let new = self.replacement(self.body.arg_lists[list][at]);
                self.body.arg_lists[list][at] = new;
            }
        }
        self.replaced.clear();
    }

    /// An operand after the replacements, local values inside metadata included.
    fn replacement(&self, value: Value) -> Value {
        match value.get() {
            Operand::Local(_) => self.resolve(value),
            Operand::LocalMetadata(local) => match self.resolve(local.into()).get() {
                Operand::Local(new) => Operand::LocalMetadata(new).into(),
                Operand::Const(new) => Operand::Metadata(Md::Const(new).into()).into(),
                _ => value,
            },
            _ => value,
        }
    }

    /// Phis that were there before name the blocks that now end where their predecessors ended.
    fn rename_predecessors(&mut self, old_insts: usize, tails: &FxHashMap<Block, Block>) {
        if tails.is_empty() {
            return;
        }
        for index in 0..old_insts {
            let inst = InstId::new(index);
            if self.body.insts[inst].op != Op::Phi {
                continue;
            }
            for value in self.body.operands_mut(inst) {
                if let Some(tail) = value.block().and_then(|block| tails.get(&block)) {
                    *value = (*tail).into();
                }
            }
        }
    }

    /// Debug records before instructions that are gone stand before what came in their place.
    fn move_records(&mut self, gone: &FxHashMap<InstId, (Block, usize)>) {
        if gone.is_empty() {
            return;
        }
        for record in &mut self.body.records {
            if let Some(&(block, at)) = gone.get(&record.before)
                && let Some(&next) = self.body.blocks[block].insts.get(at)
            {
                record.before = next;
            }
        }
    }

    /// Adds an instruction at the end of the current block.
    pub fn emit(&mut self, op: Op, flags: Flags, ty: TypeId, operands: &[Value]) -> InstId {
        let has_result = ty != self.module.types.void;
        let inst = self.body.add_inst(op, ty, operands, has_result);
        let data = &mut self.body.insts[inst];
        data.flags = flags;
        data.debug_location = self.location;
        data.pos = self.pos;
        self.body.blocks[self.block].insts.push(inst);
        inst
    }

    /// Gives an instruction metadata.
    pub fn attach(&mut self, inst: InstId, kind: Name, node: NodeId) {
        let attachments = &mut self.body.attachments;
        let at = attachments.partition_point(|other| other.inst <= inst);
        attachments.insert(at, Attachment { inst, kind, node });
    }

    /// The type of an operand.
    pub fn type_of(&self, value: Value) -> TypeId {
        self.module.type_of(self.body, value)
    }
}

#[cfg(test)]
mod tests;
