//! Whether lanes may leave convergence barriers early in a kernel.
//!
//! Lanes that wait at a `BSYNC` go on without those that execute `YIELD`, `NANOSLEEP` or `WARPSYNC`, and are taken out of the
//! barrier. A copy of the barrier that a function keeps for its callers still names them: put back, it waits for lanes that
//! are elsewhere, maybe waiting for others themselves. So where that may happen anywhere in a kernel, its functions leave the
//! barriers of their callers alone.
//!
//! It is asked twice: before the functions are assembled, by the PTX ([`may_happen`]), and of the machine code
//! ([`happens`]), which decides.

use crate::abi::KEPT_BARRIER;
use crate::analysis::sides::lets_others_go;
use crate::emit::Code;
use warpc_launch::functions::Functions;
use warpc_launch::reach::Reached;
use warpc_ptx::Module;
use warpc_ptx::inst::Choice;
use warpc_ptx::module::{Function, Statement};
use warpc_sass::{Inst, Value};

/// Whether something that a kernel reaches brings lanes together, sleeps, or waits for other threads in a loop. Of functions
/// that are not in the module nothing is known.
pub(super) fn may_happen(module: &Module, functions: &Functions, reached: &Reached) -> bool {
    let is_unknown = |name| {
        let number = functions.number(name);
        number.is_some_and(|one| functions.definition(module, one).is_none())
    };
    // Without functions nothing is kept.
    reached.bodies.len() > 1
        && (reached.names.iter().any(|name| is_unknown(*name))
            || reached.bodies.iter().any(|body| leaves(module, body)))
}

/// Words of loads that may be told something by another thread.
const STRONG: [&str; 4] = ["volatile", "relaxed", "acquire", "mmio"];

fn leaves(module: &Module, function: &Function) -> bool {
    let statements = function.body.iter().flat_map(|body| &body.statements);
    let mut listens = false;
    let mut branches = false;
    for statement in statements {
        let Statement::Inst(inst) = statement else {
            continue;
        };
        let mnemonic = module.mnemonic(inst.mnemonic);
        let Some(choice) = mnemonic.choices.get(usize::from(inst.choice)) else {
            continue;
        };
        if meets(choice) {
            return true;
        }
        match choice.form.form().opcode {
            "bra" | "brx" => branches = true,
            "atom" | "mbarrier" => listens = true,
            "ld" => listens |= choice.words().any(|word| STRONG.contains(&word)),
            _ => {}
        }
    }
    // A loop that waits yields.
    listens && branches
}

/// Whether lanes meet at an instruction, or sleep.
fn meets(choice: &Choice) -> bool {
    matches!(
        choice.form.form().opcode,
        "nanosleep" | "bar" | "barrier" | "wmma" | "mma" | "wgmma"
    ) || choice
        .words()
        .any(|word| matches!(word, "sync" | "aligned"))
}

/// Whether lanes may leave barriers early in finished code, and a function changes barriers of its callers.
pub(super) fn happens(parts: &[Code]) -> bool {
    let (_, functions) = parts.split_at(parts.len().min(1));
    let mut of_functions = functions.iter().flat_map(|part| &part.insts);
    of_functions.any(keeps)
        && parts
            .iter()
            .flat_map(|part| &part.insts)
            .any(|inst| lets_others_go(inst.shape))
}

fn keeps(inst: &Inst) -> bool {
    inst.shape.opcode() == "BMOV"
        && inst
            .values()
            .any(|value| matches!(value, Value::Barrier(number) if number >= KEPT_BARRIER))
}
