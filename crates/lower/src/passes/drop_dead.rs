//! Drops what no kernel can reach: blocks, functions, variables, declarations.
//!
//! What others may see stays, and so does all that it refers to; kernels stay even if they are internal,
//! because the driver finds them by name.

use crate::edit::{edit_bodies, remove_unreachable};
use crate::pass::Context;
use warpc_nvvm::Module;
use warpc_nvvm::inst::CallConv;
use warpc_nvvm::link::drop_unused_but;
use warpc_nvvm::module::GlobalKind;

pub(super) fn run(module: &mut Module, _: &mut Context) {
    edit_bodies(module, |editor| {
        remove_unreachable(editor.module, editor.function, editor.body);
    });
    drop_unused_but(
        module,
        |global| matches!(&global.kind, GlobalKind::Function(function) if function.conv == CallConv::PTX_KERNEL),
    );
}
