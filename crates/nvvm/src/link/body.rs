//! Bodies of functions: moved, with every number in them changed to that of the result.

use super::transfer::Transfer;
use crate::function::{Attachment, Body};
use crate::inst::{Access, Op};
use crate::module::{GlobalId, GlobalKind};
use crate::value::{Operand, Value};

impl Transfer<'_> {
    /// Moves the body of a function of the source.
    pub(super) fn define_function(&mut self, from: GlobalId, to: GlobalId) {
        let GlobalKind::Function(function) = &mut self.source.globals[from].kind else {
            return;
        };
        let constants = [function.prefix, function.prologue, function.personality];
        let body = function.body.take();
        let [prefix, prologue, personality] = constants.map(|constant| self.constant(constant?));
        self.attach(from, to);
        let body = body.map(|body| self.body(body));
        if let GlobalKind::Function(target) = &mut self.linker.module.globals[to].kind {
            (target.prefix, target.prologue, target.personality) = (prefix, prologue, personality);
            target.body = body;
        }
    }

    fn body(&mut self, mut body: Body) -> Body {
        for (_, local) in body.locals.iter_mut() {
            local.ty = self.ty(local.ty);
            local.name = local.name.map(|name| self.name(name));
        }
        for (_, block) in body.blocks.iter_mut() {
            block.name = block.name.map(|name| self.name(name));
        }
        let mut arg_lists = std::mem::take(&mut body.arg_lists);
        for (_, list) in arg_lists.iter_mut() {
            for value in list.iter_mut() {
                *value = self.value(*value);
            }
        }
        body.arg_lists = arg_lists;
        for block in body.order.clone() {
            for inst in std::mem::take(&mut body.blocks[block].insts) {
                let mut data = body.insts[inst];
                data.op = self.op(data.op);
                data.ty = self.ty(data.ty);
                data.debug_location = data.location().map(|node| self.node(node).into());
                body.insts[inst] = data;
                for value in body.operands_mut(inst) {
                    *value = self.value(*value);
                }
                body.blocks[block].insts.push(inst);
            }
        }
        for record in 0..body.records.len() {
            for value in body.record_operands_mut(record) {
                *value = self.value(*value);
            }
        }
        let mut attachments = std::mem::take(&mut body.attachments);
        for Attachment { kind, node, .. } in &mut attachments {
            *kind = self.name(*kind);
            *node = self.node(*node);
        }
        body.attachments = attachments;
        body
    }

    fn value(&mut self, value: Value) -> Value {
        match value.get() {
            Operand::Local(_)
            | Operand::Block(_)
            | Operand::LocalMetadata(_)
            | Operand::ArgList(_) => value,
            // While bodies are moved, every constant has a counterpart.
            Operand::Const(constant) => self.constant(constant).map_or(value, Value::from),
            Operand::Asm(asm) => Operand::Asm(self.asm(asm)).into(),
            Operand::Metadata(md) => self.md(md).into(),
        }
    }

    fn access(&mut self, access: Access) -> Access {
        Access {
            scope: self.scope(access.scope),
            ..access
        }
    }

    fn op(&mut self, op: Op) -> Op {
        match op {
            Op::Invoke(site) => Op::Invoke(self.call_site(site)),
            Op::CallBr(site, blocks) => Op::CallBr(self.call_site(site), blocks),
            Op::Call(site) => Op::Call(self.call_site(site)),
            Op::Alloca {
                ty,
                align,
                inalloca,
                swifterror,
            } => Op::Alloca {
                ty: self.ty(ty),
                align,
                inalloca,
                swifterror,
            },
            Op::Load(access) => Op::Load(self.access(access)),
            Op::Store(access) => Op::Store(self.access(access)),
            Op::Fence(ordering, scope) => Op::Fence(ordering, self.scope(scope)),
            Op::CmpXchg {
                access,
                failure,
                weak,
            } => Op::CmpXchg {
                access: self.access(access),
                failure,
                weak,
            },
            Op::AtomicRmw(op, access) => Op::AtomicRmw(op, self.access(access)),
            Op::Gep { source } => Op::Gep {
                source: self.ty(source),
            },
            Op::ExtractValue(list) => Op::ExtractValue(self.index_list(list)),
            Op::InsertValue(list) => Op::InsertValue(self.index_list(list)),
            Op::Ret
            | Op::Br
            | Op::CondBr
            | Op::Switch
            | Op::IndirectBr
            | Op::Resume
            | Op::Unreachable
            | Op::CleanupRet
            | Op::CatchRet
            | Op::CatchSwitch { .. }
            | Op::CatchPad
            | Op::CleanupPad
            | Op::LandingPad { .. }
            | Op::Fneg
            | Op::Binary(_)
            | Op::Cast(_)
            | Op::Icmp(_)
            | Op::Fcmp(_)
            | Op::ExtractElement
            | Op::InsertElement
            | Op::ShuffleVector
            | Op::Phi
            | Op::Select
            | Op::Freeze
            | Op::VaArg => op,
        }
    }
}
