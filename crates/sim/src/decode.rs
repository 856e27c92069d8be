//! From a checked module to code that runs.
//!
//! ```text
//!   Module ── layout ──► addresses of variables and functions      (once a module)
//!          ── reach ───► the kernel and what it may call           (once a kernel)
//!          ── body ────► Code of each: steps, registers, frame
//! ```
//!
//! What the emulator cannot run is refused here, by name and with its place, before anything runs.

mod async_copy;
mod body;
mod control;
mod fast;
mod groups;
mod instruction;
mod layout;
mod matrix;
mod mbarrier;
mod memory;
mod multimem;
mod names;
mod operand;
mod registers;
mod sync;
mod tensor;
mod tensor_copy;
mod texture;

pub(crate) use layout::Layout;

use crate::program::{Op, Program, SHARED_GAP};
use warpc_diag::{Diagnostic, Diagnostics, codes};
use warpc_launch::reach::reach;
use warpc_launch::shared::{shared_apart, shared_begin};
use warpc_ptx::Module;
use warpc_ptx::module::{Function, FunctionKind};

/// Makes a kernel ready to run.
pub(crate) fn decode(
    module: &Module,
    layout: &Layout,
    kernel: &Function,
) -> Result<Program, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let reached = reach(module, &layout.functions, kernel);
    let shared = shared_apart(module, &reached, SHARED_GAP);
    let mut program = Program {
        by_address: vec![None; layout.functions.len()],
        shared_begin: shared_begin(module.sm),
        shared_static_end: shared.end,
        shared_plain_end: warpc_launch::shared::shared(module, &reached).end,
        shared_variables: shared.extents.clone(),
        ..Program::default()
    };
    for (index, number) in reached.functions.iter().enumerate() {
        program.by_address[*number] = Some(index);
    }
    for function in &reached.bodies {
        let decoded = body::decode(module, layout, &shared, &program, function);
        match decoded {
            #[cfg_attr(not(feature = "jit"), allow(unused_mut))]
            Ok(mut body) => {
                if function.kind == FunctionKind::Entry {
                    program.param_bytes = body.param_bytes;
                }
                program.order_matters |= body.order_matters;
                program.counts_pending |= body.counts_pending;
                for step in &body.code.steps {
                    program.has_cached |= matches!(&step.op, Op::Load(load) if load.cached);
                    program.has_cached |= matches!(&step.op, Op::Texture(_));
                    program.has_groups |= matches!(step.op, Op::Group(_));
                    program.has_tensor |= matches!(step.op, Op::Tensor(_));
                    program.has_copies |= matches!(step.op, Op::Async(_));
                    program.has_maps |= step.op.reads_map();
                }
                #[cfg(feature = "jit")]
                {
                    body.code.native = crate::native::Stretches::of(&body.code.steps);
                }
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

/// Says that something cannot be run.
fn refuse(span: warpc_diag::Span, what: impl std::fmt::Display) -> Diagnostic {
    Diagnostic::error(
        codes::NOT_EMULATED,
        span,
        format!("the emulator does not run {what}"),
    )
    .help("`warpc run --on gpu` runs it on a GPU that has it")
}
