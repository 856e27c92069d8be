//! The order of variables: each after those that its initial value mentions.

use super::is_for_compiler;
use crate::unit::{Refused, refusal};
use warpc_diag::codes;
use warpc_nvvm::Module;
use warpc_nvvm::constant::{ConstId, ConstKind};
use warpc_nvvm::index::Id;
use warpc_nvvm::module::{GlobalId, GlobalKind};

/// How far a variable is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    New,
    Open,
    Done,
}

/// The variables that are declared, in order; or the refusal of a ring.
pub(super) fn in_order(module: &Module) -> Result<Vec<GlobalId>, Refused> {
    let mut marks = vec![Mark::New; module.globals.len()];
    let mut ordered = Vec::new();
    for (id, global, _) in module.variables() {
        if marks[id.index()] != Mark::New || is_for_compiler(module, global) {
            continue;
        }
        // An open variable and those it still waits for; a stack of our own, because chains may be long.
        let mut stack = vec![(id, mentioned(module, id))];
        marks[id.index()] = Mark::Open;
        while let Some((open, waiting)) = stack.last_mut() {
            let Some(next) = waiting.pop() else {
                marks[open.index()] = Mark::Done;
                ordered.push(*open);
                stack.pop();
                continue;
            };
            match marks[next.index()] {
                Mark::Done => {}
                // PTX lets a variable hold its own address.
                Mark::Open if next == *open => {}
                Mark::Open => {
                    let message = "Circular dependency found in global variable set";
                    let at = module.globals[next].pos;
                    return Err(refusal(codes::UNSUPPORTED, at, message)
                        .help("PTX wants a variable before its address; store one of the addresses in the code")
.into());
                }
                Mark::New => {
                    marks[next.index()] = Mark::Open;
                    let inner = mentioned(module, next);
                    stack.push((next, inner));
                }
            }
        }
    }
    Ok(ordered)
}

/// The variables that the initial value of a variable mentions, the last first.
fn mentioned(module: &Module, id: GlobalId) -> Vec<GlobalId> {
    let mut found = Vec::new();
    let mut seen = rustc_hash::FxHashSet::default();
    let mut work: Vec<ConstId> = match &module.globals[id].kind {
        GlobalKind::Variable(variable) => variable.init.into_iter().collect(),
        _ => Vec::new(),
    };
    while let Some(constant) = work.pop() {
        if !seen.insert(constant) {
            continue;
        }
        if let ConstKind::Global(global) = module.constants.get(constant).kind {
            match module.globals[global].kind {
                GlobalKind::Variable(_) => found.push(global),
                GlobalKind::Alias(aliasee) => work.push(aliasee),
                _ => {}
            }
        }
        work.extend(module.constants.operands(constant));
    }
    found.dedup();
    found
}
