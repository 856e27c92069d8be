//! What cannot be explored, by name.

use crate::exec::async_copy::Async;
use crate::program::{Op, Program};
use warpc_diag::{Diagnostic, Span, codes};

/// Threads of a launch whose schedules can be explored: each has its own turns.
const MOST_THREADS: u64 = 1024;

/// Why the schedules of a launch cannot be explored, if they cannot.
pub(crate) fn refuse(program: &Program, threads: u64) -> Option<Diagnostic> {
    const ANOTHER: &str = "`--seeds N` runs other schedules without trying all";
    if threads > MOST_THREADS {
        let message = format!("the schedules of a launch of {threads} threads are not explored");
        let error = Diagnostic::error(codes::NOT_EMULATED, Span::NOWHERE, message);
        return Some(error.help(format!(
            "at most {MOST_THREADS} threads: launch a smaller grid; {ANOTHER}"
        )));
    }
    let together = |op: &Op| match op {
        Op::ActiveMask(_) => Some("`activemask`"),
        Op::Collective(op) if op.mask.is_none() => Some("a warp operation without a member mask"),
        _ => None,
    };
    // What these access is not followed operation by operation.
    let unknown = |op: &Op| match op {
        Op::Group(_) => Some("products of warpgroups"),
        Op::Tensor(_) => Some("tensor memory"),
        Op::Texture(_) => Some("textures and surfaces"),
        Op::TensorMap(_) => Some("tensor maps"),
        Op::Async(op) if matches!(**op, Async::Tensor(_)) => Some("copies of tensors"),
        Op::Async(op) if matches!(**op, Async::Cancel(_)) => Some("blocks that do not begin"),
        Op::Mbarrier(op) if op.ranks.is_some() => Some("operations on barriers of several blocks"),
        _ => None,
    };
    for code in &program.codes {
        for (step, origin) in code.steps.iter().zip(&code.origins) {
            if let Some(what) = unknown(&step.op) {
                let message = format!("the schedules of a kernel with {what} are not explored");
                let error = Diagnostic::error(codes::NOT_EMULATED, origin.span, message);
                return Some(error.help(ANOTHER));
            }
            if let Some(what) = together(&step.op) {
                let message = format!(
                    "{what} depends on which lanes run together, which is not among the schedules explored"
                );
                let error = Diagnostic::error(codes::NOT_EMULATED, origin.span, message);
                return Some(error.help(format!("use the form with a member mask; {ANOTHER}")));
            }
        }
    }
    None
}
