//! From a checked module to code that runs.
//!
//! ```text
//!   Module ── layout ──► addresses of variables and functions      (once a module)
//!          ── tree ────► the kernel and what it may call           (once a kernel)
//!          ── body ────► Code of each: steps, registers, frame
//! ```
//!
//! What the emulator cannot run is refused here, by name and with its place, before anything runs.

mod async_copy;
mod body;
mod control;
mod fast;
mod instruction;
mod layout;
mod matrix;
mod mbarrier;
mod memory;
mod names;
mod operand;
mod registers;
mod sync;
mod tree;

pub(crate) use layout::Layout;

use crate::program::Program;
use warpc_diag::{Diagnostic, Diagnostics, codes};
use warpc_ptx::Module;
use warpc_ptx::module::{Function, FunctionKind};

/// Makes a kernel ready to run.
pub(crate) fn decode(
    module: &Module,
    layout: &Layout,
    kernel: &Function,
) -> Result<Program, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let tree = tree::reach(module, layout, kernel);
    let shared = layout::shared(module, &tree);
    let mut program = Program {
        by_address: vec![None; layout.functions.len()],
        shared_begin: layout::shared_begin(module.sm),
        shared_static_end: shared.end,
        ..Program::default()
    };
    for (index, number) in tree.functions.iter().enumerate() {
        program.by_address[*number] = Some(index);
    }
    for &number in &tree.functions {
        let function = layout.definition(module, number);
        let decoded = body::decode(module, layout, &shared, &program, function);
        match decoded {
            Ok(body) => {
                if function.kind == FunctionKind::Entry {
                    program.param_bytes = body.param_bytes;
                }
                program.order_matters |= body.order_matters;
                program.codes.push(body.code);
            }
            Err(refused) => diagnostics.append(refused),
        }
    }
    if diagnostics.has_errors() {
        Err(diagnostics)
    } else {
        Ok(program)
    }
}

/// Where a kernel's static shared memory begins and ends.
pub(crate) fn static_shared(module: &Module, kernel: &Function) -> (u32, u32) {
    // Only names and reach matter here, so no variable needs a real address.
    let layout = Layout::of(module, |_, _, _| 0);
    let tree = tree::reach(module, &layout, kernel);
    let shared = layout::shared(module, &tree);
    (layout::shared_begin(module.sm), shared.end)
}

/// Says that something cannot be run.
fn refuse(span: warpc_diag::Span, what: impl std::fmt::Display) -> Diagnostic {
    Diagnostic::error(
        codes::NOT_EMULATED,
        span,
        format!("the emulator does not run {what}"),
    )
    .help("`warpc run --on gpu` runs it on a GPU that has it")
}
