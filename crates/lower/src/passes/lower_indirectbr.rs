//! Makes a `switch` of `indirectbr`: PTX cannot take the address of a label.
//!
//! ```text
//!   blockaddress(@f, %b)                             ──►  inttoptr (i64 1 to ptr)
//!   indirectbr ptr %p, [label %b, label %c]          ──►  %n = ptrtoint ptr %p to i64
//!                                                         switch i64 %n, label %c [ i64 1, label %b ]
//! ```
//!
//! The blocks of a function whose address is taken are numbered from one: no address is null. An address
//! that is none of the listed ones is undefined behaviour, so the last block needs no case.

use crate::edit::{Action, Editor, edit_bodies, remove_one_edge, remove_unreachable};
use crate::pass::Context;
use rustc_hash::FxHashMap;
use warpc_nvvm::Module;
use warpc_nvvm::constant::{ConstId, ConstKind, ExprOp};
use warpc_nvvm::inst::{CastOp, Flags, Op};
use warpc_nvvm::module::GlobalId;
use warpc_nvvm::replace_constants;
use warpc_nvvm::value::{Block, InstId, Value};

/// The numbers of blocks whose address is taken.
type Numbers = FxHashMap<(GlobalId, Block), u64>;

pub(super) fn run(module: &mut Module, _: &mut Context) {
    let numbers = number(module);
    edit_bodies(module, |editor| {
        if !editor.any(|_, body, inst| body.insts[inst].op == Op::IndirectBr) {
            return;
        }
        forget_edges(editor, &numbers);
        editor.rewrite(|editor, inst| match editor.body.insts[inst].op {
            Op::IndirectBr => choose(editor, inst, &numbers),
            _ => Action::Keep,
        });
    });
    if numbers.is_empty() {
        return;
    }
    replace_constants(module, |module, id| as_number(module, id, &numbers));
    // Nothing takes the address of these blocks any more.
    for (_, address) in module.constants.block_addresses.iter_mut() {
        address.block = None;
    }
    edit_bodies(module, |editor| {
        remove_unreachable(editor.module, editor.function, editor.body);
    });
}

/// Numbers the blocks whose address is taken, function by function, in the order of their numbers.
fn number(module: &Module) -> Numbers {
    let addresses = module.constants.block_addresses.iter();
    let mut taken: Vec<(GlobalId, Block)> = addresses
        .filter_map(|(_, address)| Some((address.function, address.block?)))
        .collect();
    taken.sort();
    taken.dedup();
    let mut numbers = Numbers::default();
    let mut last = None;
    let mut next = 1;
    for (function, block) in taken {
        if last != Some(function) {
            next = 1;
        }
        last = Some(function);
        numbers.insert((function, block), next);
        next += 1;
    }
    numbers
}

/// The blocks that an `indirectbr` may go to, each once, with their numbers.
fn targets(editor: &Editor, inst: InstId, numbers: &Numbers) -> Vec<(Block, u64)> {
    let mut targets: Vec<(Block, u64)> = Vec::new();
    for block in editor.body.operands(inst).iter().filter_map(|v| v.block()) {
        if let Some(&number) = numbers.get(&(editor.function, block))
            && !targets.contains(&(block, number))
        {
            targets.push((block, number));
        }
    }
    targets
}

/// Phis forget edges that are named twice, or go to blocks whose address nobody has.
fn forget_edges(editor: &mut Editor, numbers: &Numbers) {
    for index in 0..editor.body.order.len() {
        let block = editor.body.order[index];
        let Some(inst) = editor.body.terminator(block) else {
            continue;
        };
        if editor.body.insts[inst].op != Op::IndirectBr {
            continue;
        }
        let mut kept: Vec<Block> = targets(editor, inst, numbers)
            .into_iter()
            .map(|target| target.0)
            .collect();
        let all: Vec<Block> = editor.body.successors(block).collect();
        for to in all {
            match kept.iter().position(|&target| target == to) {
                Some(at) => {
                    kept.swap_remove(at);
                }
                None => remove_one_edge(editor.body, to, block),
            }
        }
    }
}

fn choose(editor: &mut Editor, inst: InstId, numbers: &Numbers) -> Action {
    let address = editor.body.operands(inst)[0];
    let targets = targets(editor, inst, numbers);
    let Some((&(last, _), others)) = targets.split_last() else {
        editor.unreachable();
        return Action::Remove;
    };
    if others.is_empty() {
        editor.br(last);
        return Action::Remove;
    }
    let i64 = editor.module.types.i64;
    let number = editor.cast(CastOp::Ptrtoint, address, i64);
    let cases: Vec<(Value, Block)> = others
        .iter()
        .map(|&(block, number)| (editor.int(i64, number), block))
        .collect();
    editor.switch(number, last, &cases);
    Action::Remove
}

/// The number of a block as an address, if that is what a constant is.
fn as_number(module: &mut Module, id: ConstId, numbers: &Numbers) -> Option<ConstId> {
    let constant = module.constants.get(id);
    let ConstKind::BlockAddress(address) = constant.kind else {
        return None;
    };
    let address = module.constants.block_addresses.get(address)?;
    let number = *numbers.get(&(address.function, address.block?))?;
    let i64 = module.types.i64;
    let number = module.constants.int(i64, 64, &[number]);
    let cast = ExprOp::Cast(CastOp::Inttoptr);
    let constants = &mut module.constants;
    Some(constants.expression(constant.ty, cast, Flags::empty(), &[number]))
}
