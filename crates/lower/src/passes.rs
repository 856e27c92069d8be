//! The passes, in order.

use crate::pass::Pass;
use warpc_builtins::Category;
use warpc_nvvm::Module;

mod check_barriers;
mod check_builtins;
mod check_member_masks;
mod define_builtins;
mod drop_dead;
mod expand_arithmetic;
mod expand_atomics;
mod expand_collectives;
mod expand_mbarriers;
mod expand_memory_intrinsics;
mod expand_vector_intrinsics;
mod fold_branches;
mod generic_to_nvvm;
mod lower_access_properties;
mod lower_assembler_routines;
mod lower_builtins;
mod lower_cuda_atomics;
mod lower_indirectbr;
mod lower_invoke;
mod lower_reflect;
mod opt_fold_isspacep;
mod opt_infer_spaces;
mod opt_inline_functions;
mod opt_promote_allocas;
mod opt_share_products;
mod opt_split_aggregates;
mod opt_vectorize_accesses;

pub use check_member_masks::MemberMasks;
pub use lower_assembler_routines::assembler_routine;

/// The pass after which no builtin is called any more.
pub(crate) const LAST_OF_BUILTINS: &str = "lower_builtins";

/// What a module needs before it is linked with others: linking replaces old intrinsics, and these lose what CUDA's atomics
/// mean if they are replaced first.
const BEFORE_LINKING: &[&str] = &["lower_cuda_atomics", "upgrade_intrinsics"];

/// What can be done to a module whose chip is not known yet, and is done again when it is.
const FOR_ANY_CHIP: &[&str] = &[
    "fold_branches",
    "drop_dead",
    "opt_split_aggregates",
    "opt_promote_allocas",
];

/// The passes over a module that is linked with others later: those that it needs, and those that make it smaller.
pub(crate) fn before_linking(optimize: bool) -> impl Iterator<Item = &'static Pass> {
    PASSES.iter().filter(move |pass| {
        let is_in = |names: &[&str]| names.contains(&pass.name);
        is_in(BEFORE_LINKING) || optimize && is_in(FOR_ANY_CHIP)
    })
}

/// Whether a module names builtins that it does not define. The C++ library's own functions (`_Znwm`) do not
/// count: other tools know them as well.
pub(crate) fn declares_builtins(module: &Module) -> bool {
    let is_builtin = |name: &str| match warpc_builtins::by_name(name) {
        Some(builtin) => builtin.category != Category::CxxAbi,
        None => warpc_builtins::Atomic::parse(name).is_some(),
    };
    let mut declared = module.functions().filter(|(_, _, f)| f.body.is_none());
    declared.any(|(_, global, _)| {
        let name = global.name.map(|name| module.names.text(name));
        name.is_some_and(|name| is_builtin(&name))
    })
}

/// All passes, in the order in which they run.
pub const PASSES: &[Pass] = &[
    // Before the next: LLVM's own replacement of old atomics loses what they mean.
    Pass::new("lower_cuda_atomics", lower_cuda_atomics::run),
    // Old intrinsics under their new names, so that each pass knows one.
    Pass::new("upgrade_intrinsics", |module, _| {
        warpc_nvvm::upgrade_intrinsics(module)
    }),
    // What the chip cannot do is often after a question for the chip: answer it first.
    Pass::new("lower_reflect", lower_reflect::run),
    Pass::new("fold_branches", fold_branches::run),
    Pass::new("lower_invoke", lower_invoke::run),
    Pass::new("lower_builtins", lower_builtins::run),
    Pass::new("lower_access_properties", lower_access_properties::run),
    Pass::new("define_builtins", define_builtins::run),
    Pass::new("lower_assembler_routines", lower_assembler_routines::run),
    // What warps do together is as the user wrote it, and no longer after builtins.
    Pass::new("check_member_masks", check_member_masks::run),
    Pass::new("check_barriers", check_barriers::run),
    Pass::new("lower_indirectbr", lower_indirectbr::run),
    Pass::new("drop_dead", drop_dead::run),
    Pass::new("check_builtins", check_builtins::run),
    // After all that looks at code as it was written, and before all that makes it better.
    Pass::new("opt_inline_functions", opt_inline_functions::run),
    Pass::new("generic_to_nvvm", generic_to_nvvm::run),
    // Before variables become values: code for objects on the stack takes their addresses.
    Pass::new("opt_fold_isspacep", opt_fold_isspacep::run),
    Pass::new("expand_vector_intrinsics", expand_vector_intrinsics::run),
    Pass::new("expand_arithmetic", expand_arithmetic::run),
    Pass::new("expand_collectives", expand_collectives::run),
    Pass::new("expand_mbarriers", expand_mbarriers::run),
    Pass::new("expand_memory_intrinsics", expand_memory_intrinsics::run),
    Pass::new("opt_split_aggregates", opt_split_aggregates::run),
    Pass::new("opt_promote_allocas", opt_promote_allocas::run),
    Pass::new("opt_share_products", opt_share_products::run),
    // Late, so that it sees every access.
    Pass::new("opt_infer_spaces", opt_infer_spaces::run),
    // After it: atomics in memory of the thread itself are none, and words of known spaces keep them.
    Pass::new("expand_atomics", expand_atomics::run),
    // After it: what lies in different spaces does not overlap.
    Pass::new("opt_vectorize_accesses", opt_vectorize_accesses::run),
];
