//! The attributes of `.nv.info` and `.nv.compat`, by the names that the tools print.
//!
//! Numbers and names are what cuobjdump 13.4 answers when it is shown a file with every number. A shape says how
//! the value is to be read; attributes that no file of ours has are raw.

/// What the value of an attribute is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Nothing is known of it.
    Raw,
    /// There is none.
    Flag,
    /// A byte.
    Byte,
    /// Two bytes.
    Half,
    /// Words.
    Words,
    /// Places of instructions.
    Offsets,
    /// Pairs of an instruction's place and a register.
    Pairs,
    /// The symbol of a function, and a number.
    Function,
    /// Symbols.
    Symbols,
    /// The symbol of a bank of constants, and the parameters' place and size in it.
    Bank,
    /// A parameter.
    Parameter,
    /// A parameter whose place or size does not fit the older form.
    WideParameter,
    /// Branches through registers, with their targets.
    Branches,
    /// Instructions on mbarriers.
    Mbarriers,
    /// Remarks on instructions.
    Annotations,
}

/// An attribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// Its number.
    pub number: u8,
    /// Its name.
    pub name: &'static str,
    /// What its value is.
    pub shape: Shape,
}

const fn row(number: u8, name: &'static str, shape: Shape) -> Row {
    Row {
        number,
        name,
        shape,
    }
}

/// The attribute of a number in a table.
pub fn by_number(table: &'static [Row], number: u8) -> Option<&'static Row> {
    table
        .binary_search_by_key(&number, |row| row.number)
        .ok()
        .map(|at| &table[at])
}

/// The name of an attribute, `EIATTR_0x2a` for one without.
pub fn name(table: &'static [Row], number: u8) -> String {
    let family = if std::ptr::eq(table, COMPAT) {
        "EICOMPAT_ATTR"
    } else {
        "EIATTR"
    };
    match by_number(table, number) {
        Some(row) => row.name.to_owned(),
        None => format!("{family}_{number:#04x}"),
    }
}

/// Numbers that a writer of cubins needs.
pub mod info {
    /// `EIATTR_MAX_THREADS`.
    pub const MAX_THREADS: u8 = 0x5;
    /// `EIATTR_REQNTID`.
    pub const REQNTID: u8 = 0x10;
    /// `EIATTR_CTA_PER_CLUSTER`.
    pub const CTA_PER_CLUSTER: u8 = 0x3d;
    /// `EIATTR_EXPLICIT_CLUSTER`.
    pub const EXPLICIT_CLUSTER: u8 = 0x3e;
    /// `EIATTR_PARAM_CBANK`.
    pub const PARAM_CBANK: u8 = 0xa;
    /// `EIATTR_FRAME_SIZE`.
    pub const FRAME_SIZE: u8 = 0x11;
    /// `EIATTR_MIN_STACK_SIZE`.
    pub const MIN_STACK_SIZE: u8 = 0x12;
    /// `EIATTR_KPARAM_INFO`.
    pub const KPARAM_INFO: u8 = 0x17;
    /// `EIATTR_KPARAM_INFO_V2`.
    pub const KPARAM_INFO_V2: u8 = 0x45;
    /// `EIATTR_CBANK_PARAM_SIZE`.
    pub const CBANK_PARAM_SIZE: u8 = 0x19;
    /// `EIATTR_MAXREG_COUNT`.
    pub const MAXREG_COUNT: u8 = 0x1b;
    /// `EIATTR_EXIT_INSTR_OFFSETS`.
    pub const EXIT_INSTR_OFFSETS: u8 = 0x1c;
    /// `EIATTR_CTAIDZ_USED`.
    pub const CTAIDZ_USED: u8 = 0x4;
    /// `EIATTR_INT_WARP_WIDE_INSTR_OFFSETS`.
    pub const INT_WARP_WIDE_INSTR_OFFSETS: u8 = 0x31;
    /// `EIATTR_COOP_GROUP_INSTR_OFFSETS`.
    pub const COOP_GROUP_INSTR_OFFSETS: u8 = 0x28;
    /// `EIATTR_NUM_MBARRIERS`.
    pub const NUM_MBARRIERS: u8 = 0x38;
    /// `EIATTR_MBARRIER_INSTR_OFFSETS`.
    pub const MBARRIER_INSTR_OFFSETS: u8 = 0x39;
    /// `EIATTR_CRS_STACK_SIZE`.
    pub const CRS_STACK_SIZE: u8 = 0x1e;
    /// `EIATTR_REGCOUNT`.
    pub const REGCOUNT: u8 = 0x2f;
    /// `EIATTR_SW_WAR`.
    pub const SW_WAR: u8 = 0x36;
    /// `EIATTR_CUDA_API_VERSION`.
    pub const CUDA_API_VERSION: u8 = 0x37;
    /// `EIATTR_NUM_BARRIERS`.
    pub const NUM_BARRIERS: u8 = 0x4c;
    /// `EIATTR_VRC_CTA_INIT_COUNT`.
    pub const VRC_CTA_INIT_COUNT: u8 = 0x4a;
    /// `EIATTR_SPARSE_MMA_MASK`.
    pub const SPARSE_MMA_MASK: u8 = 0x50;
    /// `EIATTR_LANGUAGE`.
    pub const LANGUAGE: u8 = 0x66;
    /// `EIATTR_NVSAL_SW_WAR`.
    pub const NVSAL_SW_WAR: u8 = 0x6b;
    /// `EIATTR_PREEXIT_USED`.
    pub const PREEXIT_USED: u8 = 0x6d;
    /// `EIATTR_ANNOTATIONS`.
    pub const ANNOTATIONS: u8 = 0x55;
    /// `EIATTR_INDIRECT_BRANCH_TARGETS`.
    pub const INDIRECT_BRANCH_TARGETS: u8 = 0x34;
    /// An attribute without a name in the tools: a flag that kernels for sm_80, 86, 87 and 88 have.
    pub const UNNAMED_35: u8 = 0x35;
    /// An attribute of toolkit 13 whose name the tools do not print: two bytes, 0x101 from sm_90 on, else 0.
    pub const UNNAMED_5F: u8 = 0x5f;
}

/// Numbers in `.nv.compat`.
pub mod compat {
    /// `EICOMPAT_ATTR_ISA_CLASS`.
    pub const ISA_CLASS: u8 = 0x2;
    /// `EICOMPAT_ATTR_INST_TENSORMAP_V1`.
    pub const INST_TENSORMAP_V1: u8 = 0x3;
    /// `EICOMPAT_ATTR_INST_TCGEN05_MMA`.
    pub const INST_TCGEN05_MMA: u8 = 0x5;
    /// An attribute that the tools do not name: 0x101 on sm_100 and sm_120, the first of their families.
    pub const UNNAMED_07: u8 = 0x7;
    /// `EICOMPAT_ATTR_CUDA_ACCELERATOR_TARGET`.
    pub const ACCELERATOR_TARGET: u8 = 0x9;
    /// `EICOMPAT_ATTR_CAN_FASTPATH_FINALIZE`.
    pub const CAN_FASTPATH_FINALIZE: u8 = 0xb;
    /// `EICOMPAT_ATTR_CUDA_INTERNAL_TARGET`.
    pub const INTERNAL_TARGET: u8 = 0xc;
    /// An attribute that the tools do not name: always 0x101.
    pub const UNNAMED_0D: u8 = 0xd;
    /// `EICOMPAT_ATTR_FINALIZER_VERSION`.
    pub const FINALIZER_VERSION: u8 = 0xe;
}

use Shape::*;

/// The attributes of `.nv.info`.
#[rustfmt::skip]
pub static INFO: &[Row] = &[
    row(0x00, "EIATTR_ERROR", Raw),
    row(0x01, "EIATTR_PAD", Raw),
    row(0x02, "EIATTR_IMAGE_SLOT", Words),
    row(0x03, "EIATTR_JUMPTABLE_RELOCS", Raw),
    row(0x04, "EIATTR_CTAIDZ_USED", Flag),
    row(0x05, "EIATTR_MAX_THREADS", Words),
    row(0x06, "EIATTR_IMAGE_OFFSET", Raw),
    row(0x07, "EIATTR_IMAGE_SIZE", Raw),
    row(0x08, "EIATTR_TEXTURE_NORMALIZED", Raw),
    row(0x09, "EIATTR_SAMPLER_INIT", Raw),
    row(0x0a, "EIATTR_PARAM_CBANK", Bank),
    row(0x0b, "EIATTR_SMEM_PARAM_OFFSETS", Raw),
    row(0x0c, "EIATTR_CBANK_PARAM_OFFSETS", Raw),
    row(0x0d, "EIATTR_SYNC_STACK", Raw),
    row(0x0e, "EIATTR_TEXID_SAMPID_MAP", Raw),
    row(0x0f, "EIATTR_EXTERNS", Symbols),
    row(0x10, "EIATTR_REQNTID", Words),
    row(0x11, "EIATTR_FRAME_SIZE", Function),
    row(0x12, "EIATTR_MIN_STACK_SIZE", Function),
    row(0x13, "EIATTR_SAMPLER_FORCE_UNNORMALIZED", Raw),
    row(0x14, "EIATTR_BINDLESS_IMAGE_OFFSETS", Raw),
    row(0x15, "EIATTR_BINDLESS_TEXTURE_BANK", Raw),
    row(0x16, "EIATTR_BINDLESS_SURFACE_BANK", Raw),
    row(0x17, "EIATTR_KPARAM_INFO", Parameter),
    row(0x18, "EIATTR_SMEM_PARAM_SIZE", Raw),
    row(0x19, "EIATTR_CBANK_PARAM_SIZE", Half),
    row(0x1a, "EIATTR_QUERY_NUMATTRIB", Raw),
    row(0x1b, "EIATTR_MAXREG_COUNT", Half),
    row(0x1c, "EIATTR_EXIT_INSTR_OFFSETS", Offsets),
    row(0x1d, "EIATTR_S2RCTAID_INSTR_OFFSETS", Offsets),
    row(0x1e, "EIATTR_CRS_STACK_SIZE", Words),
    row(0x1f, "EIATTR_NEED_CNP_WRAPPER", Raw),
    row(0x20, "EIATTR_NEED_CNP_PATCH", Raw),
    row(0x21, "EIATTR_EXPLICIT_CACHING", Raw),
    row(0x22, "EIATTR_ISTYPEP_USED", Raw),
    row(0x23, "EIATTR_MAX_STACK_SIZE", Function),
    row(0x24, "EIATTR_SUQ_USED", Raw),
    row(0x25, "EIATTR_LD_CACHEMOD_INSTR_OFFSETS", Offsets),
    row(0x26, "EIATTR_LOAD_CACHE_REQUEST", Raw),
    row(0x27, "EIATTR_ATOM_SYS_INSTR_OFFSETS", Offsets),
    row(0x28, "EIATTR_COOP_GROUP_INSTR_OFFSETS", Offsets),
    row(0x29, "EIATTR_COOP_GROUP_MASK_REGIDS", Words),
    row(0x2b, "EIATTR_WMMA_USED", Flag),
    row(0x2c, "EIATTR_HAS_PRE_V10_OBJECT", Raw),
    row(0x2d, "EIATTR_ATOMF16_EMUL_INSTR_OFFSETS", Offsets),
    row(0x2e, "EIATTR_ATOM16_EMUL_INSTR_REG_MAP", Pairs),
    row(0x2f, "EIATTR_REGCOUNT", Function),
    row(0x31, "EIATTR_INT_WARP_WIDE_INSTR_OFFSETS", Offsets),
    row(0x32, "EIATTR_SHARED_SCRATCH", Raw),
    row(0x33, "EIATTR_STATISTICS", Raw),
    row(0x34, "EIATTR_INDIRECT_BRANCH_TARGETS", Branches),
    row(0x36, "EIATTR_SW_WAR", Words),
    row(0x37, "EIATTR_CUDA_API_VERSION", Words),
    row(0x38, "EIATTR_NUM_MBARRIERS", Half),
    row(0x39, "EIATTR_MBARRIER_INSTR_OFFSETS", Mbarriers),
    row(0x3a, "EIATTR_COROUTINE_RESUME_ID_OFFSETS", Raw),
    row(0x3b, "EIATTR_SAM_REGION_STACK_SIZE", Raw),
    row(0x3c, "EIATTR_PER_REG_TARGET_PERF_STATS", Raw),
    row(0x3d, "EIATTR_CTA_PER_CLUSTER", Words),
    row(0x3e, "EIATTR_EXPLICIT_CLUSTER", Flag),
    row(0x3f, "EIATTR_MAX_CLUSTER_RANK", Words),
    row(0x40, "EIATTR_INSTR_REG_MAP", Words),
    row(0x41, "EIATTR_RESERVED_SMEM_USED", Flag),
    row(0x42, "EIATTR_RESERVED_SMEM_0_SIZE", Raw),
    row(0x43, "EIATTR_UCODE_SECTION_DATA", Raw),
    row(0x44, "EIATTR_UNUSED_LOAD_BYTE_OFFSET", Pairs),
    row(0x45, "EIATTR_KPARAM_INFO_V2", WideParameter),
    row(0x46, "EIATTR_SYSCALL_OFFSETS", Offsets),
    row(0x48, "EIATTR_GRAPHICS_GLOBAL_CBANK", Raw),
    row(0x49, "EIATTR_SHADER_TYPE", Raw),
    row(0x4a, "EIATTR_VRC_CTA_INIT_COUNT", Byte),
    row(0x4b, "EIATTR_TOOLS_PATCH_FUNC", Raw),
    row(0x4c, "EIATTR_NUM_BARRIERS", Byte),
    row(0x4d, "EIATTR_TEXMODE_INDEPENDENT", Raw),
    row(0x4e, "EIATTR_PERF_STATISTICS", Raw),
    row(0x4f, "EIATTR_AT_ENTRY_FRAGMENTS", Words),
    row(0x50, "EIATTR_SPARSE_MMA_MASK", Half),
    row(0x51, "EIATTR_TCGEN05_1CTA_USED", Flag),
    row(0x52, "EIATTR_TCGEN05_2CTA_USED", Flag),
    row(0x53, "EIATTR_GEN_ERRBAR_AT_EXIT", Flag),
    row(0x54, "EIATTR_REG_RECONFIG", Flag),
    row(0x55, "EIATTR_ANNOTATIONS", Annotations),
    row(0x57, "EIATTR_STACK_CANARY_TRAP_OFFSETS", Offsets),
    row(0x58, "EIATTR_STUB_FUNCTION_KIND", Raw),
    row(0x59, "EIATTR_LOCAL_CTA_ASYNC_STORE_OFFSETS", Raw),
    row(0x5b, "EIATTR_BLOCKS_ARE_CLUSTERS", Flag),
    row(0x5c, "EIATTR_SANITIZE", Raw),
    row(0x5d, "EIATTR_SYSCALLS_FALLBACK", Raw),
    row(0x5e, "EIATTR_CUDA_REQ", Raw),
    row(0x61, "EIATTR_RTCORE_ENTRY", Raw),
    row(0x62, "EIATTR_CLUSTER_LAUNCH_CONTROL_USED", Flag),
    row(0x64, "EIATTR_MIN_PER_CTA_MEMORY_SIZE", Raw),
    row(0x65, "EIATTR_IGNOREOOB_CP_ASYNC_BULK_INSTR_OFFSETS", Raw),
    row(0x66, "EIATTR_LANGUAGE", Words),
    row(0x68, "EIATTR_GRID_ATTRIBUTES", Half),
    row(0x69, "EIATTR_STACK_OFFSET", Raw),
    row(0x6a, "EIATTR_RT_LIVESTATE_SASS_MAP", Raw),
    row(0x6b, "EIATTR_NVSAL_SW_WAR", Half),
    row(0x6c, "EIATTR_INSTR_OFFSETS", Raw),
    row(0x6d, "EIATTR_PREEXIT_USED", Byte),
];

/// The attributes of `.nv.compat`.
#[rustfmt::skip]
pub static COMPAT: &[Row] = &[
    row(0x00, "EICOMPAT_ATTR_ERROR", Raw),
    row(0x01, "EICOMPAT_ATTR_PAD", Raw),
    row(0x02, "EICOMPAT_ATTR_ISA_CLASS", Byte),
    row(0x03, "EICOMPAT_ATTR_INST_TENSORMAP_V1", Byte),
    row(0x04, "EICOMPAT_ATTR_INST_TCGEN05_MMA_DEPRECATED", Raw),
    row(0x05, "EICOMPAT_ATTR_INST_TCGEN05_MMA", Byte),
    row(0x06, "EICOMPAT_ATTR_ENABLE_OPPORTUNISTIC_FINALIZATION", Raw),
    row(0x09, "EICOMPAT_ATTR_CUDA_ACCELERATOR_TARGET", Byte),
    row(0x0a, "EICOMPAT_ATTR_CUDA_DRIVER_VERSION", Raw),
    row(0x0b, "EICOMPAT_ATTR_CAN_FASTPATH_FINALIZE", Words),
    row(0x0c, "EICOMPAT_ATTR_CUDA_INTERNAL_TARGET", Byte),
    row(0x0e, "EICOMPAT_ATTR_FINALIZER_VERSION", Half),
    row(0x0f, "EICOMPAT_ATTR_MIN_FINALIZER_VERSION_FOR_MVC", Raw),
    row(0x10, "EICOMPAT_ATTR_ERROR_LAST", Raw),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted_and_say_unknown_numbers_plainly() {
        assert!(INFO.is_sorted_by_key(|row| row.number));
        assert!(COMPAT.is_sorted_by_key(|row| row.number));
        assert_eq!(name(INFO, info::NUM_BARRIERS), "EIATTR_NUM_BARRIERS");
        assert_eq!(name(INFO, 0xf3), "EIATTR_0xf3");
        assert_eq!(name(COMPAT, 0x0d), "EICOMPAT_ATTR_0x0d");
    }
}
