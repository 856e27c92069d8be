//! What cannot be explored, by name.

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
    for code in &program.codes {
        for (step, origin) in code.steps.iter().zip(&code.origins) {
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
