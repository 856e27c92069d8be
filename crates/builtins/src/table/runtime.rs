//! Builtins 639 to 677. Variable arguments, small functions, the texture handler, the C++ run-time library.

use super::row;
use crate::Builtin;
use crate::Category::{CxxAbi, TexSurf, VarargsShim};
use crate::Source::{Headers, Inferred, Page, Reference, Unknown};

#[rustfmt::skip]
pub(super) static ROWS: [Builtin; 39] = [
    row(639, "__cu_va_start", VarargsShim, 0, "void(va_list*,...)", Reference),
    row(640, "__cu_va_end", VarargsShim, 0, "void(va_list*)", Reference),
    row(641, "__cu_va_arg", VarargsShim, 0, "void*(va_list*,T*)", Reference),
    row(642, "__cu_va_copy", VarargsShim, 0, "void(va_list*,va_list*)", Reference),
    row(643, "__ceilf", VarargsShim, 0, "f32(f32)", Page("math")),
    row(644, "__floorf", VarargsShim, 0, "f32(f32)", Page("math")),
    row(645, "__roundf", VarargsShim, 0, "f32(f32)", Page("math")),
    row(646, "__truncf", VarargsShim, 0, "f32(f32)", Page("math")),
    row(647, "__nv_tex_surf_handler", TexSurf, 0, "void(const char*,...)", Reference),
    row(648, "__cxa_vec_ctor", CxxAbi, 0, "void(void*,u64,u64,void(*)(void*),void(*)(void*))", Reference),
    row(649, "__cxa_vec_cctor", CxxAbi, 0, "void(void*,void*,u64,u64,void(*)(void*,void*),void(*)(void*))", Reference),
    row(650, "__cxa_vec_dtor", CxxAbi, 0, "void(void*,u64,u64,void(*)(void*))", Reference),
    row(651, "__cxa_vec_new2", CxxAbi, 0, "void*(u64,u64,u64,void(*)(void*),void(*)(void*),void*(*)(u64),void(*)(void*))", Reference),
    row(652, "__cxa_vec_new", CxxAbi, 0, "void*(u64,u64,u64,void(*)(void*),void(*)(void*))", Reference),
    row(653, "__cxa_vec_new3", CxxAbi, 0, "void*(u64,u64,u64,void(*)(void*),void(*)(void*),void*(*)(u64),void(*)(void*,u64))", Reference),
    row(654, "__cxa_vec_delete2", CxxAbi, 0, "void(void*,u64,u64,void(*)(void*),void(*)(void*))", Reference),
    row(655, "__cxa_vec_delete", CxxAbi, 0, "void(void*,u64,u64,void(*)(void*))", Reference),
    row(656, "__cxa_vec_delete3", CxxAbi, 0, "void(void*,u64,u64,void(*)(void*),void(*)(void*,u64))", Reference),
    row(657, "__gen_nvvm_memcpy_aligned1", CxxAbi, 0, "void*(void*,const void*,u64)", Headers),
    row(658, "__gen_nvvm_memcpy_aligned2", CxxAbi, 0, "void*(void*,const void*,u64)", Headers),
    row(659, "__gen_nvvm_memcpy_aligned4", CxxAbi, 0, "void*(void*,const void*,u64)", Headers),
    row(660, "__gen_nvvm_memcpy_aligned8", CxxAbi, 0, "void*(void*,const void*,u64)", Headers),
    row(661, "__gen_nvvm_memcpy_aligned16", CxxAbi, 0, "void*(void*,const void*,u64)", Headers),
    row(662, "reserved_662", CxxAbi, 0, "", Unknown),
    row(663, "__gen_nvvm_memset", CxxAbi, 0, "", Inferred),
    row(664, "reserved_664", CxxAbi, 0, "", Unknown),
    row(665, "reserved_665", CxxAbi, 0, "", Unknown),
    row(666, "_Znwj", CxxAbi, 0, "void*(u32)", Reference),
    row(667, "_Znwm", CxxAbi, 0, "void*(u64)", Reference),
    row(668, "_Znwy", CxxAbi, 0, "void*(u64)", Reference),
    row(669, "_Znaj", CxxAbi, 0, "void*(u32)", Reference),
    row(670, "_Znam", CxxAbi, 0, "void*(u64)", Reference),
    row(671, "_Znay", CxxAbi, 0, "void*(u64)", Reference),
    row(672, "_ZdlPv", CxxAbi, 0, "void(void*)", Reference),
    row(673, "_ZdlPvm", CxxAbi, 0, "void(void*,u64)", Reference),
    row(674, "_ZdlPvy", CxxAbi, 0, "void(void*,u64)", Reference),
    row(675, "_ZdaPv", CxxAbi, 0, "void(void*)", Reference),
    row(676, "_ZdaPvm", CxxAbi, 0, "void(void*,u64)", Reference),
    row(677, "_ZdaPvy", CxxAbi, 0, "void(void*,u64)", Reference),
];
