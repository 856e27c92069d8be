//! Operations that hold others or stand beside functions: modules, functions, variables. All have functions of their
//! own that read and translate them; what is said here is which attributes they have.

use super::{Row, row};

const fn holder(name: &'static str, attrs: &'static str) -> Row {
    row(name, "", "", "").attrs(attrs)
}

/// What says nothing about code: who made a module and with what command, and how the host calls a function.
const MODULE: &str = "sym_name:text sym_visibility:advice llvm.data_layout:text llvm.target_triple:text \
                      llvm.module_asm:list llvm.ident:advice llvm.commandline:advice \
                      llvm.dependent_libraries:advice dlti.dl_spec:any";

pub(super) static ROWS: &[Row] = &[
    holder("module", MODULE),
    holder("builtin.module", MODULE),
    holder(
        "gpu.module",
        "sym_name:text sym_visibility:advice llvm.data_layout:text llvm.target_triple:text llvm.module_asm:list \
         targets:list offloadingHandler:advice dlti.dl_spec:any",
    ),
    holder("gpu.module_end", ""),
    holder(
        "llvm.func",
        "sym_name:text function_type:type arg_attrs:list res_attrs:list linkage:linkage dso_local:flag CConv:cconv \
         visibility_:visibility unnamed_addr:unnamed_addr comdat:symbol section:text alignment:number \
         garbageCollector:text passthrough:list memory_effects:any frame_pointer:framePointerKind target_features:any \
         convergent:flag no_inline:flag always_inline:flag inline_hint:flag optimize_none:flag no_unwind:flag \
         will_return:flag noreturn:flag returns_twice:flag hot:flag cold:flag noduplicate:flag nocallback:flag \
         norecurse:flag nosync:flag nofree:flag \
         target_cpu:text tune_cpu:text reciprocal_estimates:text prefer_vector_width:text denormal_fp_math:text \
         denormal_fp_math_f32:text fp_contract:text instrument_function_entry:text instrument_function_exit:text \
         zero_call_used_regs:text modular_format:text \
         unsafe_fp_math:flag no_infs_fp_math:flag no_nans_fp_math:flag no_signed_zeros_fp_math:flag \
         nvvm.kernel:flag nvvm.maxntid:any nvvm.reqntid:any nvvm.cluster_dim:any nvvm.cluster_max_blocks:any \
         nvvm.minctasm:any nvvm.maxnreg:any nvvm.blocksareclusters:flag \
         sym_visibility:advice function_entry_count:advice uwtable_kind:advice vscale_range:advice llvm.emit_c_interface:advice \
         personality:refused vec_type_hint:refused work_group_size_hint:refused \
         reqd_work_group_size:refused intel_reqd_sub_group_size:refused \
         arm_streaming:refused arm_locally_streaming:refused arm_streaming_compatible:refused arm_new_za:refused \
         arm_in_za:refused arm_out_za:refused arm_inout_za:refused arm_preserves_za:refused",
    ),
    holder(
        "llvm.mlir.global",
        "sym_name:text global_type:type value:any constant:flag linkage:linkage dso_local:flag thread_local_:flag \
         externally_initialized:flag alignment:number addr_space:number unnamed_addr:unnamed_addr section:text \
         comdat:symbol visibility_:visibility dbg_exprs:advice target_specific_attrs:list",
    ),
    holder(
        "llvm.mlir.alias",
        "sym_name:text alias_type:type linkage:linkage dso_local:flag thread_local_:flag unnamed_addr:unnamed_addr \
         visibility_:visibility",
    ),
    holder("llvm.comdat", "sym_name:text"),
    holder("llvm.comdat_selector", "sym_name:text comdat:comdat"),
];
