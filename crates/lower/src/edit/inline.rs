//! Putting a copy of a function's body in the place of a call.
//!
//! ```text
//!   a                a                          a
//!   %r = call @f  ─► body of @f   or, with      entry of @f … br
//!   b                b            branches:     blocks of @f, `ret` is `br` to the end
//!                                               end: %r = phi …
//!                                               b
//! ```

use super::Editor;
use rustc_hash::FxHashMap;
use warpc_nvvm::Module;
use warpc_nvvm::function::{Body, Def};
use warpc_nvvm::inst::{DebugLocation, Op, Tail};
use warpc_nvvm::metadata::Md;
use warpc_nvvm::name::Name;
use warpc_nvvm::value::{Block, InstId, Local, Operand, Value};

/// Where an instruction of the callee is, seen from the caller. `None` if nothing is known.
pub type Relocate<'k> =
    &'k mut dyn FnMut(&mut Module, Option<DebugLocation>) -> Option<DebugLocation>;

/// What a copy of a function of the user keeps: locations, debug records, variables of the stack.
pub struct Kept<'k> {
    /// The location of a copied instruction.
    pub relocate: Relocate<'k>,
    /// Whether debug records are copied.
    pub records: bool,
    /// Kinds of metadata that are not copied.
    pub dropped: &'k [Name],
    /// Copies of the variables of fixed size. They are in no block yet: the caller's first one is where they belong.
    pub hoisted: Vec<InstId>,
}

impl Editor<'_> {
    /// Copies a body of the same module to where the editor stands, with these arguments in the place of its
    /// parameters, and goes on after it. The value is what the body returns, if it returns one.
    ///
    /// Names and debug records of the body are not copied: its instructions stand for the call.
    pub fn inline(&mut self, callee: &Body, args: &[Value]) -> Option<Value> {
        self.copy_body(callee, args, None)
    }

    /// The same for a function of the user: instructions keep their locations, and debug records are copied.
    pub fn inline_function(
        &mut self,
        callee: &Body,
        args: &[Value],
        kept: &mut Kept,
    ) -> Option<Value> {
        let (location, pos) = (self.location, self.pos);
        let value = self.copy_body(callee, args, Some(kept));
        (self.location, self.pos) = (location, pos);
        value
    }

    fn copy_body(
        &mut self,
        callee: &Body,
        args: &[Value],
        mut kept: Option<&mut Kept>,
    ) -> Option<Value> {
        let mut copy = Copy::default();
        for (local, def) in callee.locals.iter() {
            if let Def::Param(index) = def.def
                && let Some(&arg) = args.get(index as usize)
            {
                copy.values.insert(local, arg);
            }
        }
        let &first = callee.order.first()?;
        copy.blocks.insert(first, self.block());
        for &block in &callee.order[1..] {
            let new = self.new_block();
            copy.blocks.insert(block, new);
        }
        let has_records = kept.as_ref().is_some_and(|kept| kept.records);
        let mut records = Records::new(callee, has_records);
        let end = match &callee.order[1..] {
            // A record before the return would have nothing to stand before.
            [] if records.is_empty() && ends_with_return(callee, first) => None,
            _ => Some(self.new_block()),
        };
        let call_pos = self.pos;
        let mut returned = Vec::new();
        for &block in &callee.order {
            if block != first {
                self.start(copy.blocks[&block]);
            }
            for &inst in &callee.blocks[block].insts {
                let data = &callee.insts[inst];
                if let Some(kept) = &mut kept {
                    self.location = (kept.relocate)(self.module, data.debug_location);
                    // What passes brought along has no place of its own.
                    self.pos = if data.pos == 0 { call_pos } else { data.pos };
                }
                records.take(inst);
                if data.op == Op::Ret {
                    let value = callee.operands(inst).first().copied();
                    returned.push((value, self.block()));
                    if let Some(end) = end {
                        self.br(end);
                        let insts = &self.body.blocks[self.block()].insts;
                        records.place(insts[insts.len() - 1]);
                    }
                    continue;
                }
                let new = self.copy_inst(callee, inst, kept.as_deref());
                if block == first
                    && is_fixed_variable(self.module, callee, inst)
                    && let Some(kept) = &mut kept
                {
                    self.body.blocks[self.block].insts.pop();
                    kept.hoisted.push(new);
                } else {
                    records.place(new);
                }
                let locals = (callee.insts[inst].local(), self.body.insts[new].local());
                if let (Some(old), Some(new)) = locals {
                    copy.values.insert(old, new.into());
                }
                copy.insts.push((inst, new));
            }
        }
        for &(old, new) in &copy.insts {
            let operands: Vec<Value> = callee
                .operands(old)
                .iter()
                .map(|&operand| copy.value(self.body, callee, operand))
                .collect();
            self.body.operands_mut(new).copy_from_slice(&operands);
        }
        if let Some(kept) = kept {
            self.copy_records(callee, &copy, &records, kept);
        }
        if let Some(end) = end {
            self.start(end);
        }
        let incoming: Option<Vec<(Value, Block)>> = returned
            .iter()
            .map(|&(value, block)| Some((copy.value(self.body, callee, value?), block)))
            .collect();
        match incoming.as_deref() {
            None | Some([]) => None,
            Some(&[(value, _)]) => Some(value),
            Some(many) => {
                let ty = self.type_of(many[0].0);
                let (phi, value) = self.phi(ty);
                self.set_phi(phi, many);
                Some(value)
            }
        }
    }

    /// An instruction of another body at the place of the editor, with the operands it has there.
    fn copy_inst(&mut self, from: &Body, inst: InstId, kept: Option<&Kept>) -> InstId {
        let data = &from.insts[inst];
        let op = match data.op {
            Op::Call(site) => {
                // The frame is the caller's now: what may be reused of it is not known.
                let mut site = *self.module.call_sites.get(site);
                if site.tail != Tail::NoTail {
                    site.tail = Tail::None;
                }
                Op::Call(self.module.call_sites.intern(site))
            }
            op => op,
        };
        let new = self.emit(op, data.flags, data.ty, from.operands(inst));
        for attachment in from.attachments_of(inst) {
            if kept.is_none_or(|kept| !kept.dropped.contains(&attachment.kind)) {
                self.attach(new, attachment.kind, attachment.node);
            }
        }
        new
    }

    /// The debug records, before the copies of the instructions that they stand before.
    fn copy_records(&mut self, callee: &Body, copy: &Copy, records: &Records, kept: &mut Kept) {
        for &(record, before) in &records.placed {
            let record = &callee.records[record];
            let mut operands: Vec<Value> = callee
                .record_operands(record)
                .iter()
                .map(|&operand| copy.value(self.body, callee, operand))
                .collect();
            // The last one is the location.
            if let Some(last) = operands.last_mut()
                && let Operand::Metadata(md) = last.get()
                && let Some(node) = md.node()
            {
                match (kept.relocate)(self.module, Some(node.into())) {
                    Some(location) => {
                        *last = Operand::Metadata(Md::Node(location.into()).into()).into()
                    }
                    None => continue,
                }
            }
            self.body.add_record(record.kind, before, &operands);
        }
    }
}

fn ends_with_return(body: &Body, block: Block) -> bool {
    let last = body.terminator(block);
    last.is_some_and(|last| body.insts[last].op == Op::Ret)
}

/// Whether an instruction reserves memory whose size is known. (In the first block that is once per call.)
pub fn is_fixed_variable(module: &Module, body: &Body, inst: InstId) -> bool {
    let Op::Alloca { .. } = body.insts[inst].op else {
        return false;
    };
    let count = body
        .operands(inst)
        .first()
        .and_then(|count| count.constant());
    count.is_some_and(|count| module.constants.as_u64(count).is_some())
}

/// What stands for the values and blocks of the callee.
#[derive(Default)]
struct Copy {
    values: FxHashMap<Local, Value>,
    blocks: FxHashMap<Block, Block>,
    insts: Vec<(InstId, InstId)>,
}

impl Copy {
    fn value(&self, body: &mut Body, callee: &Body, value: Value) -> Value {
        match value.get() {
            Operand::Local(local) => self.values.get(&local).copied().unwrap_or(value),
            Operand::Block(block) => self.blocks.get(&block).map_or(value, |&new| new.into()),
            Operand::LocalMetadata(local) => self.as_metadata(local).unwrap_or(value),
            Operand::ArgList(list) => {
                let values = callee.arg_lists[list].iter();
                let values: Vec<Value> = values.map(|&one| self.value(body, callee, one)).collect();
                Operand::ArgList(body.arg_lists.push(values.into())).into()
            }
            _ => value,
        }
    }

    /// What stands for a local value inside metadata.
    fn as_metadata(&self, local: Local) -> Option<Value> {
        match self.values.get(&local)?.get() {
            Operand::Local(new) => Some(Operand::LocalMetadata(new).into()),
            Operand::Const(constant) => Some(Operand::Metadata(Md::Const(constant).into()).into()),
            _ => None,
        }
    }
}

/// The debug records of the callee: which are due, and before which new instruction each one goes.
struct Records {
    /// Records by the instruction that they stand before.
    by_inst: FxHashMap<InstId, Vec<usize>>,
    due: Vec<usize>,
    placed: Vec<(usize, InstId)>,
}

impl Records {
    fn new(callee: &Body, wanted: bool) -> Records {
        let mut by_inst: FxHashMap<InstId, Vec<usize>> = FxHashMap::default();
        for (index, record) in callee.records.iter().enumerate().filter(|_| wanted) {
            by_inst.entry(record.before).or_default().push(index);
        }
        Records {
            by_inst,
            due: Vec::new(),
            placed: Vec::new(),
        }
    }

    fn is_empty(&self) -> bool {
        self.by_inst.is_empty()
    }

    /// Those before an instruction are due.
    fn take(&mut self, inst: InstId) {
        self.due
            .extend(self.by_inst.remove(&inst).unwrap_or_default());
    }

    /// Those that are due stand before this one.
    fn place(&mut self, before: InstId) {
        self.placed
            .extend(self.due.drain(..).map(|record| (record, before)));
    }
}
