//! Kernels around one instruction, with registers of every kind.

/// Registers and variables that recorded instructions use. 128-bit registers exist from sm_70 on
/// with PTX 8.3, so they are declared only for instructions that name one.
pub fn wrap(target: &str, version: &str, instruction: &str) -> String {
    let chip = target
        .trim_start_matches("sm_")
        .trim_end_matches(['a', 'f']);
    let old_chip = chip.parse::<u32>().is_ok_and(|chip| chip < 70);
    let wide = if instruction.contains("%q") && !old_chip {
        " .reg .b128 %q<300>;"
    } else {
        ""
    };
    format!(
        ".version {version}\n.target {target}\n.address_size 64\n\
         .global .align 64 .b8 gvar[256]; .shared .align 64 .b8 svar[256]; .const .align 64 .b8 cvar[256]; \
         .global .texref tref; .global .surfref sref;\n\
         .visible .entry k(.param .u64 p0, .param .u32 p1)\n{{ \
         .reg .b8 %b<300>; .reg .b16 %h<300>; .reg .b32 %r<300>; .reg .b64 %rd<300>; .reg .f32 %f<300>; \
         .reg .f64 %fd<300>; .reg .pred %p<300>; .reg .b64 %ga,%ge,%pol; .reg .b32 %sa,%sb;{wide}\n\
         {instruction}\nLABEL: ret;\n}}\n"
    )
}

const OPERANDS: &str = ".global .align 16 .b8 g8[64]; .global .align 4 .u32 g32; .global .align 4 .b32 ga32[16]; \
    .global .align 8 .u64 g64; .global .align 4 .f32 gf32; .global .align 2 .u16 g16; .global .align 16 .v4 .f32 gv4; \
    .global .align 1 .b8 gal1[64]; .shared .align 16 .b8 s8v[64]; .shared .align 4 .u32 s32v; .shared .align 8 .b64 smbar; \
    .const .align 16 .b8 c8v[64]; .const .align 4 .u32 c32v; .global .texref tref; .global .surfref sref; \
    .func (.reg .u32 rv) fn1 (.reg .u32 a1) { ret; } \
    .func (.param .b32 rv) fn2 (.param .b32 a1, .param .b64 a2) { ret; } .func fn0 () { ret; }";

const TYPES: &str = "pred b8 u8 s8 b16 u16 s16 f16 b32 u32 s32 f32 f16x2 b64 u64 s64 f64 b128";

const VECTORS: &str = ".reg .v2 .b16 %v2b16, %v2b16b; .reg .v2 .b32 %v2b32, %v2b32b; .reg .v4 .b32 %v4b32, %v4b32b; \
    .reg .v2 .f32 %v2f32; .reg .v4 .f32 %v4f32; .reg .v2 .b64 %v2b64; .reg .v2 .f64 %v2f64; .reg .v4 .b16 %v4b16; \
    .reg .v4 .b8 %v4b8; .reg .v2 .b8 %v2b8; .reg .v4 .u32 %v4u32; .reg .v2 .u32 %v2u32; \
    .local .align 16 .b8 l8v[64]; .local .align 4 .u32 l32v;";

/// A kernel around an instruction of the table of operands: registers and variables of every type.
pub fn wrap_operands(target: &str, instruction: &str) -> String {
    let old = matches!(target, "sm_60" | "sm_70");
    let registers: String = TYPES
        .split(' ')
        .filter(|ty| *ty != "b128" || target != "sm_60")
        .map(|ty| format!(".reg .{ty} %{ty}_<8>; "))
        .collect();
    format!(
        ".version {}\n.target {target}\n.address_size 64\n{OPERANDS}\n\
         .visible .entry k(.param .u64 p0, .param .u32 p1, .param .align 16 .b8 p2[64])\n{{ {registers}{VECTORS}\n\
         {{ {instruction} }}\nLEND: ret;\n}}\n",
        if old { "8.8" } else { "9.4" }
    )
}
