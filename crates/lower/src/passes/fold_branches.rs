//! Folds branches on constants and removes the blocks that are then out of reach.
//!
//! Answers of `__nvvm_reflect` decide which code a chip gets. Code for other chips, which may well be
//! impossible on this one, must not reach instruction selection. So operations on integer constants are
//! evaluated, terminators that go one way become `br`, blocks that nothing reaches go, and phis with one
//! value left become that value, until nothing changes.

use crate::edit::{Action, Editor, edit_bodies, remove_one_edge, remove_unreachable};
use crate::fold::fold;
use crate::pass::Context;
use warpc_nvvm::Module;
use warpc_nvvm::function::Body;
use warpc_nvvm::inst::Op;
use warpc_nvvm::value::{Block, InstId, Value};

pub(super) fn run(module: &mut Module, _: &mut Context) {
    edit_bodies(module, fold_body);
}

/// Does it to one body.
pub(super) fn fold_body(editor: &mut Editor) {
    remove_unreachable(editor.module, editor.function, editor.body);
    loop {
        if editor.any(may_fold) {
            editor.rewrite(|editor, inst| match folded(editor, inst) {
                Some(value) => Action::Replace(value),
                None => Action::Keep,
            });
        }
        if !fold_terminators(editor) {
            break;
        }
        remove_unreachable(editor.module, editor.function, editor.body);
    }
}

/// Whether an instruction is worth a closer look.
fn may_fold(module: &Module, body: &Body, inst: InstId) -> bool {
    let operands = body.operands(inst);
    let known = |value: &Value| {
        let constant = value.constant();
        constant.is_some_and(|constant| module.constants.as_u64(constant).is_some())
    };
    match body.insts[inst].op {
        Op::Binary(_) | Op::Icmp(_) | Op::Cast(_) | Op::Freeze => operands.iter().all(known),
        Op::Select => operands.first().is_some_and(known),
        Op::Phi => one_value(operands, |value| value).is_some(),
        _ => false,
    }
}

/// The value of a phi that has only one.
fn one_value(operands: &[Value], resolve: impl Fn(Value) -> Value) -> Option<Value> {
    let mut values = operands.chunks_exact(2).map(|pair| resolve(pair[0]));
    let first = values.next()?;
    let single = operands.len() == 2;
    let same = values.all(|value| value == first);
    // Several equal local values would do as well, but then one of them may be the phi itself.
    (single || same && first.constant().is_some()).then_some(first)
}

fn folded(editor: &mut Editor, inst: InstId) -> Option<Value> {
    let data = editor.body.insts[inst];
    let operands = editor.body.operands(inst);
    match data.op {
        Op::Phi => one_value(operands, |value| editor.resolve(value)),
        Op::Select => {
            let (yes, no) = (operands[1], operands[2]);
            let condition = editor.as_u64(operands[0])?;
            Some(editor.resolve(if condition & 1 == 1 { yes } else { no }))
        }
        op => {
            let constants: Option<Vec<_>> = operands
                .iter()
                .map(|&value| editor.resolve(value).constant())
                .collect();
            let constants = constants?;
            fold(editor.module, op, data.flags, data.ty, &constants).map(Value::from)
        }
    }
}

/// Makes terminators that go one way go there. Says whether an edge is gone.
fn fold_terminators(editor: &mut Editor) -> bool {
    let mut changed = false;
    for index in 0..editor.body.order.len() {
        let block = editor.body.order[index];
        let Some(inst) = editor.body.terminator(block) else {
            continue;
        };
        let Some(target) = only_target(editor, inst) else {
            continue;
        };
        let mut gone: Vec<Block> = editor.body.successors(block).collect();
        if let Some(at) = gone.iter().position(|&to| to == target) {
            gone.remove(at);
        }
        for to in gone {
            remove_one_edge(editor.body, to, block);
        }
        editor.body.set_operands(inst, &[target.into()]);
        editor.body.insts[inst].op = Op::Br;
        editor.body.attachments.retain(|other| other.inst != inst);
        changed = true;
    }
    changed
}

/// Where a terminator goes if it chooses by a constant.
fn only_target(editor: &Editor, inst: InstId) -> Option<Block> {
    let operands = editor.body.operands(inst);
    match editor.body.insts[inst].op {
        Op::CondBr => {
            let condition = editor.as_u64(operands[0])?;
            operands[if condition & 1 == 1 { 1 } else { 2 }].block()
        }
        Op::Switch => {
            let value = operands[0].constant()?;
            editor.module.constants.as_u64(value)?;
            let mut cases = operands[2..].chunks_exact(2);
            let case = cases.find(|case| case[0].constant() == Some(value));
            case.map_or(operands[1], |case| case[1]).block()
        }
        _ => None,
    }
}
