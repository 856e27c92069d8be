//! Refuses builtins whose address is taken.
//!
//! A builtin is replaced where it is called; it is not a function that exists. One that is stored, passed on, or called through
//! a pointer would become an external function that nobody defines. The pass runs after what is dead is gone: a builtin
//! that is still declared is still used.

use super::lower_builtins;
use crate::pass::Context;
use warpc_diag::{Diagnostic, Span, codes};
use warpc_nvvm::Module;

pub(super) fn run(module: &mut Module, context: &mut Context) {
    for (_, global, function) in module.functions() {
        let (Some(name), None) = (global.name, &function.body) else {
            continue;
        };
        let name = module.names.text(name);
        if !lower_builtins::is_replaced(&name) {
            continue;
        }
        let span = Span::new(global.pos, global.pos + 1);
        let message = format!("`{name}`: the address of a builtin is taken");
        let error = Diagnostic::error(codes::BUILTIN_CALL, span, message);
        let help = "builtins have no address: call it in a function, and use the address of that";
        context.found.push(error.help(help));
    }
}
