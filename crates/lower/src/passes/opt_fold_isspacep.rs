//! Answers which space an address points to where that is known.
//!
//! ```text
//!   define ptx_kernel void @k(ptr %p) {
//!     %l = call i1 @llvm.nvvm.isspacep.local(ptr %p)   ──► false: the host passes global addresses only
//!     br i1 %l, label %mine, label %shared                 br label %shared
//! ```
//!
//! Every atomic of libcu++ asks whether its object is the thread's own, and has code for that case. The
//! question costs a branch, and the code keeps variables on the stack that could be values. So this runs
//! before they are made values, with the answers of [`opt_infer_spaces`](super::opt_infer_spaces), and the
//! branches are folded at once.
//!
//! | the address is in | local | shared | shared::cluster | global | const |
//! |---|---|---|---|---|---|
//! | its own space | yes | yes | yes | yes | yes |
//! | shared memory of the block | no | yes | yes | no | no |
//! | shared memory of the cluster | no | not known | yes | no | no |
//! | another space | no | no | no | no | no |

use super::{fold_branches, opt_infer_spaces};
use crate::edit::{Action, edit_bodies};
use crate::pass::Context;
use rustc_hash::FxHashMap;
use warpc_nvvm::Module;
use warpc_nvvm::function::Body;
use warpc_nvvm::inst::Op;
use warpc_nvvm::module::GlobalId;
use warpc_nvvm::value::{InstId, Value};

const SHARED: u32 = 3;
const SHARED_CLUSTER: u32 = 7;

/// The intrinsics, and the spaces they ask for.
const QUESTIONS: [(&[u8], u32); 5] = [
    (b"llvm.nvvm.isspacep.global", 1),
    (b"llvm.nvvm.isspacep.shared", SHARED),
    (b"llvm.nvvm.isspacep.const", 4),
    (b"llvm.nvvm.isspacep.local", 5),
    (b"llvm.nvvm.isspacep.shared.cluster", SHARED_CLUSTER),
];

pub(super) fn run(module: &mut Module, context: &mut Context) {
    if context.options.level == 0 {
        return;
    }
    let asked: FxHashMap<GlobalId, u32> = module
        .functions()
        .filter_map(|(id, global, _)| {
            let name = module.names.bytes(global.name?);
            let question = QUESTIONS.iter().find(|question| question.0 == name)?;
            Some((id, question.1))
        })
        .collect();
    if asked.is_empty() {
        return;
    }
    let question = |module: &Module, body: &Body, inst: InstId| -> Option<(Value, u32)> {
        let (Op::Call(_), [address, callee]) = (body.insts[inst].op, body.operands(inst)) else {
            return None;
        };
        let callee = module.global_of(callee.constant()?)?;
        Some((*address, *asked.get(&callee)?))
    };
    edit_bodies(module, |editor| {
        let blocks = editor.body.order.iter();
        let insts = blocks.flat_map(|&block| &editor.body.blocks[block].insts);
        let (questions, addresses): (Vec<(InstId, u32)>, Vec<Value>) = insts
            .filter_map(|&inst| {
                let (address, asked) = question(editor.module, editor.body, inst)?;
                Some(((inst, asked), address))
            })
            .unzip();
        let spaces = opt_infer_spaces::known_spaces(editor, &addresses);
        let answers: FxHashMap<InstId, bool> = questions
            .iter()
            .zip(spaces)
            .filter_map(|(&(inst, asked), space)| Some((inst, answer(space?, asked)?)))
            .collect();
        if answers.is_empty() {
            return;
        }
        editor.rewrite(|editor, inst| match answers.get(&inst) {
            Some(&yes) => {
                let ty = editor.body.insts[inst].ty;
                Action::Replace(editor.int(ty, yes.into()))
            }
            None => Action::Keep,
        });
        fold_branches::fold_body(editor);
    });
}

/// Whether an address of one space lies in another, if that follows.
fn answer(space: u32, asked: u32) -> Option<bool> {
    match (space, asked) {
        (SHARED_CLUSTER, SHARED) => None,
        (SHARED, SHARED_CLUSTER) => Some(true),
        _ => Some(space == asked),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_memory_of_the_block_is_part_of_the_clusters() {
        assert_eq!(answer(SHARED, SHARED_CLUSTER), Some(true));
        assert_eq!(answer(SHARED_CLUSTER, SHARED), None);
        assert_eq!(answer(1, 5), Some(false));
        assert_eq!(answer(5, 5), Some(true));
    }
}
