//! Waiting for barriers in shared memory.
//!
//! PTX has no instruction that waits until a phase is over: a thread asks until the answer is yes.
//!
//! ```text
//!   loop:  %over = try.wait.parity(barrier, parity)      from sm_90 on, which sleeps between the answers
//!          br i1 %over, label %done, label %loop         test.wait.parity on sm_80 to sm_89
//! ```

use crate::edit::Editor;
use warpc_model::MbarrierOp;
use warpc_nvvm::value::Value;
use warpc_target::Sm;

/// Which phase is waited for.
#[derive(Clone, Copy, Debug)]
pub enum Phase {
    /// The one an arrival gave a state for, an integer of 64 bits.
    State(Value),
    /// The one with a parity, an integer of 32 bits that is 0 or 1.
    Parity(Value),
}

/// Waits until a phase of a barrier is over, with the order acquire at the scope of the block. The barrier is a
/// pointer to shared memory. New instructions follow in another block.
///
/// On chips without barriers in memory it stays a question that the selection of instructions refuses.
pub fn wait(editor: &mut Editor, barrier: Value, phase: Phase, sm: Sm) {
    let i1 = editor.module.types.i1;
    let (parity, phase) = match phase {
        Phase::State(state) => ("", state),
        Phase::Parity(parity) => (".parity", parity),
    };
    let sleeps = MbarrierOp::TryWait.gate().required_version(sm).is_some();
    let ask = if sleeps { "try" } else { "test" };
    let name = format!("llvm.nvvm.mbarrier.{ask}.wait{parity}.scope.cta.space.cta");
    let (again, done) = (editor.new_block(), editor.new_block());
    editor.br(again);
    editor.start(again);
    let is_over = editor.intrinsic(&name, i1, &[barrier, phase]);
    editor.cond_br(is_over, done, again);
    editor.start(done);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::{Action, edit_bodies};
    use warpc_diag::SourceFile;
    use warpc_nvvm::inst::Op;

    fn waits(chip: &str) -> String {
        let text = "define void @f(ptr addrspace(3) %b, i32 %parity) {\n  ret void\n}\n";
        let file = SourceFile::new("f.ll", text).unwrap();
        let mut module = warpc_nvvm::read_text(&file).unwrap();
        edit_bodies(&mut module, |editor| {
            editor.rewrite(|editor, inst| {
                if editor.body.insts[inst].op == Op::Ret {
                    let params: Vec<Value> = editor.body.locals.ids().map(Value::from).collect();
                    let phase = Phase::Parity(params[1]);
                    wait(editor, params[0], phase, chip.parse().unwrap());
                }
                Action::Keep
            });
        });
        assert!(!warpc_nvvm::verify(&module).has_errors());
        warpc_nvvm::print(&module)
    }

    #[test]
    fn a_thread_asks_until_the_phase_is_over() {
        let printed = waits("sm_90");
        assert!(printed.contains("mbarrier.try.wait.parity.scope.cta.space.cta"));
        assert!(
            printed.contains("br i1 %2, label %3, label %1"),
            "{printed}"
        );
        assert!(waits("sm_80").contains("mbarrier.test.wait.parity.scope.cta.space.cta"));
    }
}
