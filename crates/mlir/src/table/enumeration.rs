//! The enumerations that attributes hold.
//!
//! An enumerator is written as a word (`#nvvm.mem_order<acquire>`, `#nvvm<shfl_kind bfly>`, `acquire`) or, in the
//! generic form, as its number (`2 : i32`). Both mean the same: after reading, only words are left.
//!
//! The words of an enumeration stand in the order of their numbers, which count from 0 unless one is given:
//! `a b=4 c` has the numbers 0, 4 and 5; `a=?` has one that is not known. A word that is only another spelling of the
//! one before it has a `|` before it.

/// An enumeration.
#[derive(Debug)]
pub(crate) struct Enumeration {
    /// As dialects name it: `#nvvm.mem_order<…>`. Rows use the same name.
    pub name: &'static str,
    words: &'static str,
    /// Whether the words are bits that may be set together.
    pub bits: bool,
    /// Whether `#nvvm.…<word>` may have any name: the name is not known where only a description is.
    pub any_name: bool,
}

/// An enumerator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Enumerator {
    /// The word that the rest of the crate sees.
    pub word: &'static str,
    /// How it may be spelled; `word` is one of them.
    pub spelling: &'static str,
    /// `None` if it is not known.
    pub number: Option<i128>,
}

const fn one_of(name: &'static str, words: &'static str) -> Enumeration {
    Enumeration {
        name,
        words,
        bits: false,
        any_name: false,
    }
}

const fn bits_of(name: &'static str, words: &'static str) -> Enumeration {
    Enumeration {
        name,
        words,
        bits: true,
        any_name: false,
    }
}

const fn described(name: &'static str, words: &'static str) -> Enumeration {
    Enumeration {
        name,
        words,
        bits: false,
        any_name: true,
    }
}

impl Enumeration {
    /// All enumerators with all their spellings.
    pub fn enumerators(&self) -> impl Iterator<Item = Enumerator> {
        let mut next = 0;
        let mut last = ("", None);
        self.words.split_ascii_whitespace().map(move |text| {
            if let Some(spelling) = text.strip_prefix('|') {
                let (word, number) = last;
                return Enumerator {
                    word,
                    spelling,
                    number,
                };
            }
            let (word, number) = match text.split_once('=') {
                Some((word, number)) => (word, number.parse().ok()),
                None => (text, Some(next)),
            };
            next = number.unwrap_or(next - 1) + 1;
            last = (word, number);
            Enumerator {
                word,
                spelling: word,
                number,
            }
        })
    }

    /// The word that a spelling stands for.
    pub fn of_word(&self, spelling: &str) -> Option<Enumerator> {
        self.enumerators().find(|one| one.spelling == spelling)
    }

    /// The enumerator with a number.
    pub fn of_number(&self, number: i128) -> Option<Enumerator> {
        self.enumerators().find(|one| one.number == Some(number))
    }

    /// The words, for messages.
    pub fn list(&self) -> String {
        let words = self.enumerators().filter(|one| one.word == one.spelling);
        let words: Vec<&str> = words.map(|one| one.word).collect();
        words.join(", ")
    }
}

/// The enumeration with a name.
pub(crate) fn enumeration(name: &str) -> Option<&'static Enumeration> {
    ENUMERATIONS.iter().find(|one| one.name == name)
}

static ENUMERATIONS: &[Enumeration] = &[
    // The `llvm` dialect.
    one_of("icmp", "eq ne slt sle sgt sge ult ule ugt uge"),
    one_of(
        "fcmp",
        "false |_false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true |_true",
    ),
    one_of(
        "atomic_ordering",
        "not_atomic unordered monotonic acquire=4 release acq_rel seq_cst",
    ),
    one_of(
        "atomic_bin_op",
        "xchg add sub and |_and nand or |_or xor |_xor max min umax umin fadd fsub fmax fmin uinc_wrap udec_wrap \
         usub_cond usub_sat fmaximum fminimum",
    ),
    one_of(
        "linkage",
        "external available_externally linkonce linkonce_odr weak weak_odr appending internal private extern_weak common",
    ),
    one_of("visibility", "default hidden protected"),
    one_of(
        "unnamed_addr",
        "none local_unnamed_addr |local unnamed_addr |global",
    ),
    // Of the conventions of other processors only the names are known, to refuse them by name.
    one_of(
        "cconv",
        "ccc fastcc=8 coldcc cc_10 cc_11 anyregcc=13 preserve_mostcc preserve_allcc swiftcc cxx_fast_tlscc tailcc \
         cfguard_checkcc swifttailcc x86_stdcallcc=64 x86_fastcallcc arm_apcscc arm_aapcscc arm_aapcs_vfpcc \
         msp430_intrcc x86_thiscallcc ptx_kernel |ptx_kernelcc ptx_device |ptx_devicecc spir_funccc=75 spir_kernelcc \
         intel_ocl_bicc x86_64_sysvcc win64cc x86_vectorcallcc hhvmcc hhvm_ccc x86_intrcc avr_intrcc avr_signalcc \
         avr_builtincc amdgpu_vscc amdgpu_gscc amdgpu_pscc amdgpu_cscc amdgpu_kernelcc x86_regcallcc amdgpu_hscc \
         msp430_builtincc amdgpu_lscc amdgpu_escc aarch64_vectorcallcc aarch64_sve_vectorcallcc \
         wasm_emscripten_invokecc=99 amdgpu_gfxcc m68k_intrcc",
    ),
    one_of("tailcallkind", "none tail musttail notail"),
    one_of("asm_dialect", "att intel"),
    one_of("comdat", "any exactmatch largest nodeduplicate samesize"),
    one_of(
        "framePointerKind",
        "none non-leaf all reserved non-leaf-no-reserve",
    ),
    one_of("uwtableKind", "none sync async"),
    one_of(
        "module_flag_behavior",
        "error=1 warning require override append append_unique max min",
    ),
    bits_of("overflow", "none=0 nsw=1 nuw=2"),
    bits_of(
        "fastmath",
        "none=0 nnan=1 ninf=2 nsz=4 arcp=8 contract=16 afn=32 reassoc=64 fast=127",
    ),
    bits_of(
        "gep_no_wrap",
        "none=0 inbounds_flag=1 nusw=2 inbounds=3 nuw=4",
    ),
    // The `nvvm` dialect.
    one_of("mem_scope", "cta cluster gpu sys"),
    one_of("shared_space", "cta cluster"),
    one_of(
        "mem_order",
        "weak relaxed acquire release acq_rel sc |seq_cst mmio volatile",
    ),
    // The two with `abs` and `nan` in one word are NVIDIA's; their numbers are not known.
    one_of(
        "redux_kind",
        "none add and max min or umax umin xor fmin fmax fminabsnan=? fmaxabsnan=?",
    ),
    one_of("reduction", "popc and or"),
    one_of(
        "proxy_kind",
        "alias async async.global async.shared tensormap generic",
    ),
    one_of("action", "increase decrease"),
    one_of("shfl_kind", "bfly up down idx"),
    one_of("vote_sync_kind", "any all ballot uni"),
    one_of("match_sync_kind", "any all"),
    one_of("permute_mode", "default f4e b4e rc8 ecl ecr rc16"),
    one_of("load_cache_modifier", "ca cg cs lu cv"),
    one_of("fp_rnd_mode", "none rn rm rp rz rna rs"),
    one_of("sat_mode", "none satfinite"),
    one_of("mma_b1op", "none xor_popc and_popc"),
    one_of("mma_int_overflow", "wrapped satfinite"),
    one_of("mma_kind", "f8f6f4"),
    one_of("mma_layout", "row col"),
    one_of(
        "mma_type",
        "f16 f32 tf32 u8 s8 s32 b1 u4 s4 bf16 f64 e4m3 e5m2 e3m2 e2m3 e2m1",
    ),
    one_of("mma_frag", "a b c"),
    one_of(
        "ld_st_matrix_elt_type",
        "b16 b8 b8x16.b6x16_p32 b8x16.b4x16_p64",
    ),
    one_of("scale_vec_size", "x1 x2 x4"),
    one_of("block_scale_format", "ue8m0 ue4m3"),
    one_of("block_scale_kind", "mxf8f6f4 mxf4 mxf4nvf4"),
    one_of(
        "tma_load_mode",
        "tile im2col im2col_w im2col_w_128 tile_gather4",
    ),
    one_of("tma_store_mode", "tile im2col tile_scatter4"),
    one_of("cta_group", "cta_1 cta_2"),
    one_of("prefetch_cache_level", "L1 L2"),
    one_of(
        "cache_eviction_priority",
        "evict_normal evict_first evict_last evict_unchanged no_allocate",
    ),
    one_of("tma_redux_kind", "add min max inc dec and or xor"),
    one_of("wgmma_scale_in", "neg=-1 one=1"),
    one_of("wgmma_scale_out", "zero one"),
    one_of("wgmma_type", "f16 tf32 u8 s8 b1 bf16 e4m3 e5m2 f32 s32"),
    one_of("grid_dep_action", "wait launch_dependents"),
    one_of("tcgen05_fence", "before after"),
    one_of("tcgen05_wait", "load store"),
    one_of(
        "tcgen05_cp_shape",
        "shape_128x256b shape_4x256b shape_128x128b shape_64x128b shape_32x128b",
    ),
    one_of(
        "tcgen05_cp_multicast",
        "none warpx2_02_13 warpx2_01_23 warpx4",
    ),
    one_of("tcgen05_cp_src_fmt", "b6x16_p32 b4x16_p64"),
    one_of(
        "tcgen05_ldst_shape",
        "shape_16x64b shape_16x128b shape_16x256b shape_32x32b shape_16x32bx2",
    ),
    one_of("dot_accumulate_type", "unsigned signed"),
    one_of(
        "cluster_launch_control_query_type",
        "is_canceled get_first_cta_id_x get_first_cta_id_y get_first_cta_id_z",
    ),
    one_of("tcgen05_mma_kind", "f16 tf32 f8f6f4 i8"),
    one_of("tcgen05_mma_collectorop", "discard lastuse fill use"),
    one_of("tcgen05_mma_block_scale", "default block16 block32"),
    one_of("tcgen05_mma_collectorb", "b0 b1 b2 b3"),
    // NVIDIA's version of the `nvvm` dialect, known from its description.
    described(
        "atomic_op",
        "xchg=? |exch add=? and=? or=? xor=? min=? |smin max=? |smax umin=? umax=? inc=? dec=? cas=? fadd=? fmin=? \
         fmax=?",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_numbers_are_unique() {
        for one in ENUMERATIONS {
            let all: Vec<Enumerator> = one.enumerators().collect();
            assert!(!all.is_empty(), "{}", one.name);
            for (i, a) in all.iter().enumerate() {
                for b in &all[..i] {
                    assert_ne!(a.spelling, b.spelling, "{}", one.name);
                    if a.number.is_some() {
                        assert_eq!(a.number == b.number, a.word == b.word, "{}", one.name);
                    }
                }
            }
        }
    }

    #[test]
    fn numbers_are_those_of_the_dialects() {
        for (name, word, number) in [
            ("linkage", "external", 0),
            ("linkage", "internal", 7),
            ("linkage", "common", 10),
            ("atomic_ordering", "acquire", 4),
            ("atomic_ordering", "seq_cst", 7),
            ("cconv", "ptx_kernelcc", 71),
            ("cconv", "win64cc", 79),
            ("cconv", "m68k_intrcc", 101),
            ("mem_order", "sc", 5),
            ("wgmma_scale_in", "neg", -1),
        ] {
            let one = enumeration(name).and_then(|one| one.of_word(word));
            let found = one.and_then(|one| one.number);
            assert_eq!(found, Some(number), "{name} {word}");
        }
        let ordering = enumeration("atomic_ordering").expect("there is one");
        assert_eq!(ordering.of_number(3), None);
    }
}
