//! The passes, in order.

use crate::pass::Pass;

mod drop_dead;
mod fold_branches;
mod generic_to_nvvm;
mod lower_reflect;

/// All passes, in the order in which they run.
pub const PASSES: &[Pass] = &[
    // Old intrinsics under their new names, so that each pass knows one.
    Pass::new("upgrade_intrinsics", |module, _| {
        warpc_nvvm::upgrade_intrinsics(module)
    }),
    // What the chip cannot do is often behind a question for the chip: answer it first.
    Pass::new("lower_reflect", lower_reflect::run),
    Pass::new("fold_branches", fold_branches::run),
    Pass::new("drop_dead", drop_dead::run),
    Pass::new("generic_to_nvvm", generic_to_nvvm::run),
];
