//! One function: its blocks selected, ordered, and put together with its head.

use crate::code::{Label, Section};
use crate::select::{Mode, Selector};
use crate::unit::{Refused, Unit};
use crate::{assemble, header, hoist_moves};
use warpc_nvvm::function::Body;
use warpc_nvvm::index::Id;
use warpc_nvvm::inst::Op;
use warpc_nvvm::module::{GlobalId, GlobalKind};
use warpc_nvvm::value::Operand;
use warpc_ptx::module::Item;

/// Compiles a function that has a body.
pub fn compile(unit: &mut Unit, id: GlobalId, number: usize) -> Result<Vec<Item>, Refused> {
    let global = &unit.module.globals[id];
    let GlobalKind::Function(function) = &global.kind else {
        return Ok(Vec::new());
    };
    let Some(body) = &function.body else {
        return Ok(Vec::new());
    };
    let abi = unit.abi(id)?;
    let mut head = header::head(unit, id, &abi)?;
    let mode = Mode::of(unit, function);
    let mut selector = Selector::new(unit, body, abi, function.attrs);
    selector.mode = mode;
    selector.live = live_values(body);
    selector.choose_homes();
    let mut sections = select_blocks(&mut selector);
    selector.load_params()?;
    // Parameters may be copied into the frame, so its address comes first.
    let params = std::mem::take(&mut selector.lines);
    selector.open_frame(number)?;
    selector.lines.extend(params);
    if let Some(entry) = sections.first_mut() {
        entry.lines.splice(0..0, selector.lines.drain(..));
    }
    selector.code.sections = sections;
    let Selector {
        mut code, frame, ..
    } = selector;
    let mut moves = Vec::new();
    for mnemonic in ["mov.pred", "mov.b16", "mov.b32", "mov.b64"] {
        moves.push(unit.mnemonic(mnemonic, 0)?);
    }
    hoist_moves::run(&mut code, &moves);
    head.body = Some(assemble::body(unit, code, &frame, number));
    Ok(vec![Item::Function(head)])
}

/// The sections of all blocks that can be reached, in the order of the text.
fn select_blocks(selector: &mut Selector) -> Vec<Section> {
    let body = selector.body;
    let mut made: Vec<Option<Vec<Section>>> = vec![None; body.blocks.len()];
    let order: Vec<_> = selector.cfg.reverse_post_order().to_vec();
    for &block in order.iter().rev() {
        let (lines, end) = selector.block(block);
        let mut sections = vec![Section {
            label: Label::Block(block),
            lines,
            end,
        }];
        sections.append(&mut selector.edges);
        made[block.index()] = Some(sections);
    }
    let sections = body
        .order
        .iter()
        .filter_map(|block| made[block.index()].take());
    sections.flatten().collect()
}

/// For each value whether an instruction with an effect depends on it. Phis that only keep each other alive
/// are dead.
fn live_values(body: &Body) -> Vec<bool> {
    let mut live = vec![false; body.locals.len()];
    let mut work = Vec::new();
    for &block in &body.order {
        for &inst in &body.blocks[block].insts {
            let root = match body.insts[inst].op {
                Op::Store(_) | Op::Fence(..) | Op::CmpXchg { .. } | Op::AtomicRmw(..) => true,
                Op::Call(_) | Op::VaArg | Op::Load(_) => true,
                op => op.is_terminator(),
            };
            if root {
                work.push(inst);
            }
        }
    }
    while let Some(inst) = work.pop() {
        for &value in body.operands(inst) {
            if let Operand::Local(local) = value.get()
                && !live[local.index()]
            {
                live[local.index()] = true;
                if let warpc_nvvm::function::Def::Inst(inst) = body.locals[local].def {
                    work.push(inst);
                }
            }
        }
    }
    live
}
