//! Slots to values: phis are placed, then the blocks are walked down the dominator tree with the value each
//! slot has.

use super::describe::Records;
use super::{Plan, Touch, index};
use crate::edit::Editor;
use warpc_nvvm::analysis::{Cfg, Dominators};
use warpc_nvvm::constant::ConstKind;
use warpc_nvvm::inst::{BinaryOp, CastOp, Flags, Op};
use warpc_nvvm::types::{Type, TypeId};
use warpc_nvvm::value::{Block, InstId, Value};

pub(super) fn run(editor: &mut Editor, plan: &Plan) {
    let cfg = Cfg::new(editor.body);
    let dominators = Dominators::new(&cfg);
    let phis = place_phis(editor, plan, &cfg, &dominators);
    let undefined = (0..plan.slots.len())
        .map(|slot| {
            let ty = plan.slots[slot].ty;
            editor.module.constants.intern(ty, ConstKind::Undef).into()
        })
        .collect();
    let records = Records::take(editor, plan);
    let mut renaming = Renaming {
        editor,
        records,
        plan,
        cfg: &cfg,
        current: undefined,
        changes: Vec::new(),
        phis,
    };
    renaming.walk(&dominators);
    renaming.finish();
}

/// A phi of a slot, and its operands as they become known.
struct SlotPhi {
    slot: usize,
    inst: InstId,
    operands: Vec<Value>,
}

/// For each block the phis it needs.
fn place_phis(
    editor: &mut Editor,
    plan: &Plan,
    cfg: &Cfg,
    dominators: &Dominators,
) -> Vec<Vec<SlotPhi>> {
    let count = editor.body.blocks.len();
    let mut stores: Vec<Vec<Block>> = vec![Vec::new(); plan.slots.len()];
    let mut exposed: Vec<Vec<Block>> = vec![Vec::new(); plan.slots.len()];
    for &block in cfg.reverse_post_order() {
        for inst in &editor.body.blocks[block].insts {
            let Some(touch) = plan.touches.get(inst) else {
                continue;
            };
            let stored = stores[touch.slot].last() == Some(&block);
            let whole = touch.bytes == plan.slots[touch.slot].bytes;
            let store = matches!(editor.body.insts[*inst].op, Op::Store(_));
            // A store to a part keeps the rest, so it reads as well.
            if (!store || !whole) && !stored && exposed[touch.slot].last() != Some(&block) {
                exposed[touch.slot].push(block);
            }
            if store && !stored {
                stores[touch.slot].push(block);
            }
        }
    }
    let frontiers = frontiers(cfg, dominators, count);
    let mut phis: Vec<Vec<SlotPhi>> = (0..count).map(|_| Vec::new()).collect();
    let mut live = vec![u32::MAX; count];
    let mut placed = vec![u32::MAX; count];
    for slot in 0..plan.slots.len() {
        if exposed[slot].is_empty() {
            continue;
        }
        let mark = slot as u32;
        mark_live(cfg, &stores[slot], &exposed[slot], mark, &mut live);
        let mut work = stores[slot].clone();
        while let Some(block) = work.pop() {
            for &join in &frontiers[index(block)] {
                if live[index(join)] != mark || placed[index(join)] == mark {
                    continue;
                }
                placed[index(join)] = mark;
                let inst = editor
                    .body
                    .add_inst(Op::Phi, plan.slots[slot].ty, &[], true);
                let operands = Vec::new();
                phis[index(join)].push(SlotPhi {
                    slot,
                    inst,
                    operands,
                });
                work.push(join);
            }
        }
    }
    phis
}

/// Marks the blocks that need the value of a slot at their start.
fn mark_live(cfg: &Cfg, stores: &[Block], exposed: &[Block], mark: u32, live: &mut [u32]) {
    let mut work: Vec<Block> = exposed.to_vec();
    let stores: rustc_hash::FxHashSet<Block> = stores.iter().copied().collect();
    for &block in exposed {
        live[index(block)] = mark;
    }
    while let Some(block) = work.pop() {
        for &before in cfg.predecessors(block) {
            if !stores.contains(&before) && live[index(before)] != mark {
                live[index(before)] = mark;
                work.push(before);
            }
        }
    }
}

/// For each block the blocks where its dominance ends.
fn frontiers(cfg: &Cfg, dominators: &Dominators, count: usize) -> Vec<Vec<Block>> {
    let mut frontiers: Vec<Vec<Block>> = vec![Vec::new(); count];
    for &block in cfg.reverse_post_order() {
        let before = cfg.predecessors(block);
        if before.len() < 2 && dominators.immediate(block).is_some() {
            continue;
        }
        let end = dominators.immediate(block);
        for &before in before {
            let mut runner = Some(before).filter(|&before| dominators.contains(before));
            while let Some(at) = runner
                && Some(at) != end
            {
                if frontiers[index(at)].last() != Some(&block) {
                    frontiers[index(at)].push(block);
                }
                runner = dominators.immediate(at);
            }
        }
    }
    frontiers
}

struct Renaming<'r, 'm> {
    editor: &'r mut Editor<'m>,
    records: Records,
    plan: &'r Plan,
    cfg: &'r Cfg,
    /// The value each slot has here.
    current: Vec<Value>,
    /// What slots had before, so that it can be undone.
    changes: Vec<(usize, Value)>,
    phis: Vec<Vec<SlotPhi>>,
}

impl Renaming<'_, '_> {
    /// Walks the dominator tree without recursion: a block is entered, then its children, then left.
    fn walk(&mut self, dominators: &Dominators) {
        let mut children: Vec<Vec<Block>> = vec![Vec::new(); self.editor.body.blocks.len()];
        for &block in dominators.order() {
            if let Some(parent) = dominators.immediate(block) {
                children[index(parent)].push(block);
            }
        }
        let Some(&entry) = dominators.order().first() else {
            return;
        };
        let mut stack = vec![(entry, None)];
        while let Some((block, left)) = stack.pop() {
            if let Some(mark) = left {
                while self.changes.len() > mark
                    && let Some((slot, value)) = self.changes.pop()
                {
                    self.current[slot] = value;
                }
                continue;
            }
            stack.push((block, Some(self.changes.len())));
            self.block(block);
            for &child in &children[index(block)] {
                stack.push((child, None));
            }
        }
    }

    fn set(&mut self, slot: usize, value: Value) {
        self.changes.push((slot, self.current[slot]));
        self.current[slot] = value;
    }

    /// Debug information learns the value of a slot.
    fn describe(&mut self, slot: usize) {
        let described = &self.plan.slots[slot].described;
        self.records.set(self.editor, described, self.current[slot]);
    }

    fn block(&mut self, block: Block) {
        for at in 0..self.phis[index(block)].len() {
            let SlotPhi { slot, inst, .. } = self.phis[index(block)][at];
            if let Some(local) = self.editor.body.insts[inst].local() {
                self.set(slot, local.into());
                self.describe(slot);
            }
        }
        let insts = std::mem::take(&mut self.editor.body.blocks[block].insts);
        let mut kept = Vec::with_capacity(insts.len());
        for inst in insts {
            self.records.reach(inst);
            let Some(&touch) = self.plan.touches.get(&inst) else {
                // Records stand after the phis of a block.
                if self.editor.body.insts[inst].op != Op::Phi {
                    self.records.keep(inst);
                }
                kept.push(inst);
                continue;
            };
            match self.editor.body.insts[inst].op {
                Op::Store(_) => {
                    let value = self.editor.body.operands(inst)[0];
                    let value = self.editor.resolve(value);
                    let value = self.stored(&mut kept, inst, touch, value);
                    self.set(touch.slot, value);
                    self.describe(touch.slot);
                }
                _ => {
                    let value = self.loaded(&mut kept, inst, touch);
                    if let Some(local) = self.editor.body.insts[inst].local() {
                        self.editor.replace(local, value);
                    }
                }
            }
        }
        self.editor.body.blocks[block].insts = kept;
        for &next in self.cfg.successors(block) {
            for at in 0..self.phis[index(next)].len() {
                let value = self.current[self.phis[index(next)][at].slot];
                self.phis[index(next)][at]
                    .operands
                    .extend([value, block.into()]);
            }
        }
    }

    /// The value of a slot after a store to all or a part of it.
    fn stored(
        &mut self,
        kept: &mut Vec<InstId>,
        inst: InstId,
        touch: Touch,
        value: Value,
    ) -> Value {
        let slot = &self.plan.slots[touch.slot];
        let (ty, bytes) = (slot.ty, slot.bytes);
        let from = self.editor.type_of(value);
        if from == ty {
            return value;
        }
        let piece = self.as_integer(kept, inst, value, from, 8 * touch.bytes as u32);
        if touch.bytes == bytes {
            return piece;
        }
        let wide = self.cast(kept, inst, CastOp::Zext, piece, ty);
        let shift = self.number(ty, 8 * touch.offset);
        let moved = self.binary(kept, inst, BinaryOp::Shl, ty, wide, shift);
        let mask = ones(8 * touch.bytes as u32) << (8 * touch.offset);
        let rest = self.wide_number(ty, !mask);
        let old = self.current[touch.slot];
        let old = self.binary(kept, inst, BinaryOp::And, ty, old, rest);
        self.binary(kept, inst, BinaryOp::Or, ty, old, moved)
    }

    /// What a load of all or a part of a slot gives.
    fn loaded(&mut self, kept: &mut Vec<InstId>, inst: InstId, touch: Touch) -> Value {
        let slot = &self.plan.slots[touch.slot];
        let (ty, bytes) = (slot.ty, slot.bytes);
        let to = self.editor.body.insts[inst].ty;
        let mut value = self.current[touch.slot];
        if to == ty {
            return value;
        }
        if touch.offset != 0 {
            let shift = self.number(ty, 8 * touch.offset);
            value = self.binary(kept, inst, BinaryOp::Lshr, ty, value, shift);
        }
        let piece = self.editor.module.types.int(8 * touch.bytes as u32);
        if touch.bytes != bytes {
            value = self.cast(kept, inst, CastOp::Trunc, value, piece);
        }
        match self.editor.module.types.get(to) {
            _ if to == piece => value,
            // An integer that does not fill its bytes.
            Type::Int(_) => self.cast(kept, inst, CastOp::Trunc, value, to),
            Type::Ptr(_) => self.cast(kept, inst, CastOp::Inttoptr, value, to),
            _ => self.cast(kept, inst, CastOp::Bitcast, value, to),
        }
    }

    /// The bits of a value as an integer.
    fn as_integer(
        &mut self,
        kept: &mut Vec<InstId>,
        inst: InstId,
        value: Value,
        from: TypeId,
        bits: u32,
    ) -> Value {
        let to = self.editor.module.types.int(bits);
        match self.editor.module.types.get(from) {
            _ if from == to => value,
            Type::Int(_) => self.cast(kept, inst, CastOp::Zext, value, to),
            Type::Ptr(_) => self.cast(kept, inst, CastOp::Ptrtoint, value, to),
            _ => self.cast(kept, inst, CastOp::Bitcast, value, to),
        }
    }

    fn number(&mut self, ty: TypeId, value: u64) -> Value {
        self.wide_number(ty, u128::from(value))
    }

    fn wide_number(&mut self, ty: TypeId, value: u128) -> Value {
        let module = &mut *self.editor.module;
        let bits = match module.types.get(ty) {
            Type::Int(bits) => bits,
            _ => 64,
        };
        let words = [value as u64, (value >> 64) as u64];
        module.constants.int(ty, bits, &words).into()
    }

    fn cast(
        &mut self,
        kept: &mut Vec<InstId>,
        like: InstId,
        op: CastOp,
        value: Value,
        ty: TypeId,
    ) -> Value {
        self.add(kept, like, Op::Cast(op), ty, &[value])
    }

    fn binary(
        &mut self,
        kept: &mut Vec<InstId>,
        like: InstId,
        op: BinaryOp,
        ty: TypeId,
        a: Value,
        b: Value,
    ) -> Value {
        self.add(kept, like, Op::Binary(op), ty, &[a, b])
    }

    fn add(
        &mut self,
        kept: &mut Vec<InstId>,
        like: InstId,
        op: Op,
        ty: TypeId,
        operands: &[Value],
    ) -> Value {
        let body = &mut *self.editor.body;
        let inst = body.add_inst(op, ty, operands, true);
        let data = body.insts[like];
        let made = &mut body.insts[inst];
        made.flags = Flags::empty();
        made.pos = data.pos;
        made.debug_location = data.debug_location;
        kept.push(inst);
        match body.insts[inst].local() {
            Some(local) => local.into(),
            None => operands[0],
        }
    }

    /// Puts the phis into their blocks and lets everybody use the values.
    fn finish(self) {
        let body = &mut *self.editor.body;
        for (number, phis) in self.phis.into_iter().enumerate() {
            let block = warpc_nvvm::index::Id::new(number);
            let mut insts: Vec<InstId> = Vec::with_capacity(phis.len());
            for phi in phis {
                body.set_operands(phi.inst, &phi.operands);
                insts.push(phi.inst);
            }
            if !insts.is_empty() {
                insts.append(&mut body.blocks[block].insts);
                body.blocks[block].insts = insts;
            }
        }
        let touches = &self.plan.touches;
        body.attachments
            .retain(|other| !touches.contains_key(&other.inst));
        self.records.put_back(self.editor);
        self.editor.settle();
    }
}

/// This many ones.
fn ones(bits: u32) -> u128 {
    match bits {
        0 => 0,
        bits => u128::MAX >> (128 - bits.min(128)),
    }
}
