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
use warpc_nvvm::function::{Body, Def};
use warpc_nvvm::inst::Op;
use warpc_nvvm::value::{Block, InstId, Local, Operand, Value};

impl Editor<'_> {
    /// Copies a body of the same module to where the editor stands, with these arguments in the place of its
    /// parameters, and goes on after it. The value is what the body returns, if it returns one.
    ///
    /// Names and debug records of the body are not copied: its instructions stand for the call.
    pub fn inline(&mut self, callee: &Body, args: &[Value]) -> Option<Value> {
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
        let end = match &callee.order[1..] {
            [] if ends_with_return(callee, first) => None,
            _ => Some(self.new_block()),
        };
        let mut returned = Vec::new();
        for &block in &callee.order {
            if block != first {
                self.start(copy.blocks[&block]);
            }
            for &inst in &callee.blocks[block].insts {
                if callee.insts[inst].op == Op::Ret {
                    let value = callee.operands(inst).first().copied();
                    returned.push((value, self.block()));
                    if let Some(end) = end {
                        self.br(end);
                    }
                    continue;
                }
                let new = self.copy_inst(callee, inst);
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
                .map(|&operand| copy.value(operand))
                .collect();
            self.body.operands_mut(new).copy_from_slice(&operands);
        }
        if let Some(end) = end {
            self.start(end);
        }
        let incoming: Option<Vec<(Value, Block)>> = returned
            .iter()
            .map(|&(value, block)| Some((copy.value(value?), block)))
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
    fn copy_inst(&mut self, from: &Body, inst: InstId) -> InstId {
        let data = &from.insts[inst];
        let new = self.emit(data.op, data.flags, data.ty, from.operands(inst));
        for attachment in from.attachments_of(inst) {
            self.attach(new, attachment.kind, attachment.node);
        }
        new
    }
}

fn ends_with_return(body: &Body, block: Block) -> bool {
    let last = body.terminator(block);
    last.is_some_and(|last| body.insts[last].op == Op::Ret)
}

/// What stands for the values and blocks of the callee.
#[derive(Default)]
struct Copy {
    values: FxHashMap<Local, Value>,
    blocks: FxHashMap<Block, Block>,
    insts: Vec<(InstId, InstId)>,
}

impl Copy {
    fn value(&self, value: Value) -> Value {
        match value.get() {
            Operand::Local(local) => self.values.get(&local).copied().unwrap_or(value),
            Operand::Block(block) => self.blocks.get(&block).map_or(value, |&new| new.into()),
            _ => value,
        }
    }
}
