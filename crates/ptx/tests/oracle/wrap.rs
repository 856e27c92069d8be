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
