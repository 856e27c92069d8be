//! Relocatable objects: what a linker is left with, and code that the judges take.

use std::collections::BTreeSet;
use warpc_cubin::{Content, Cubin, relocation};
use warpc_diag::SourceFile;
use warpc_ptx_to_sass::{Level, Options, assemble};

const MODULE: &str = ".version 8.5
.target sm_90
.address_size 64
.extern .func (.param .b32 r) there (.param .b32 a);
.extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);
.extern .global .align 4 .b32 far[];
.extern .shared .align 16 .b8 dynamic[];
.const .align 4 .b32 table[4] = {1, 2, 3, 4};
.shared .align 8 .b8 common[64];
.visible .func (.param .b32 r) own (.param .b32 a)
{
    .reg .b32 %r<8>;
    .shared .align 4 .b32 mine[8];
    ld.param.b32 %r1, [a];
    st.shared.b32 [mine+4], %r1;
    bar.sync 1;
    ld.const.b32 %r2, [table+8];
    ld.shared.b32 %r3, [common];
    add.u32 %r1, %r2, %r3;
    st.param.b32 [r], %r1;
    ret;
}
.global .align 8 .u64 pointer = own;
.weak .func (.param .b32 r) weak (.param .b32 a, .param .b64 f)
{
    .reg .b32 %r<8>;
    .reg .b64 %rd<4>;
    ld.param.b32 %r1, [a];
    ld.param.b64 %rd1, [f];
    { .param .b32 x; .param .b32 y; st.param.b32 [x], %r1;
    like: .callprototype (.param .b32 _) _ (.param .b32 _);
    call (y), %rd1, (x), like; ld.param.b32 %r2, [y]; }
    { .param .b32 x; .param .b32 y; st.param.b32 [x], %r2;
    call (y), there, (x); ld.param.b32 %r2, [y]; }
    add.u32 %r2, %r2, %r1;
    st.param.b32 [r], %r2;
    ret;
}
.visible .entry k(.param .u64 p)
{
    .reg .b32 %r<12>;
    .reg .b64 %rd<12>;
    .reg .pred %p<2>;
    ld.param.u64 %rd1, [p];
    mov.u64 %rd2, own;
    ld.global.b32 %r1, [far+12];
    { .param .b32 x; .param .b64 f; .param .b32 y; st.param.b32 [x], %r1; st.param.b64 [f], %rd2;
    call (y), weak, (x, f); ld.param.b32 %r2, [y]; }
    { .param .b64 x; .param .b64 f; .param .b32 y; st.param.b64 [x], %rd1; st.param.b64 [f], 0;
    call (y), vprintf, (x, f); }
    ld.shared.b32 %r3, [dynamic];
    isspacep.global %p1, %rd1;
    selp.b32 %r4, %r3, %r2, %p1;
    mov.u64 %rd3, k;
    st.global.u64 [%rd1+8], %rd3;
    st.global.b32 [%rd1], %r4;
    ret;
}
";

fn object(change: fn(&mut Options)) -> Cubin {
    let file = SourceFile::new("module.ptx", MODULE).expect("a short text");
    let module = warpc_ptx::check(&file).value.expect("a module");
    let mut options = Options::default();
    options.relocatable = true;
    options.verify = true;
    change(&mut options);
    let made = assemble(&module, &options);
    let messages: Vec<String> = made
        .diagnostics
        .as_slice()
        .iter()
        .map(|one| one.message.to_string())
        .collect();
    made.value.unwrap_or_else(|| panic!("{messages:?}"))
}

/// What a linker writes into a section: the kinds, and the symbols.
fn relocations(cubin: &Cubin, section: &str) -> BTreeSet<(String, String)> {
    let (_, symbols) = cubin.symbols();
    let (_, found) = cubin.section(section).expect("relocations");
    let Content::Relocations(all) = &found.content else {
        panic!("relocations");
    };
    let all = all.iter().map(|one| {
        let name = cubin.symbol_name(&symbols[one.symbol as usize]);
        let kind = relocation::name(one.kind).unwrap_or("?");
        (
            kind.trim_start_matches("R_CUDA_").to_owned(),
            name.into_owned(),
        )
    });
    all.collect()
}

fn set(all: &[(&str, &str)]) -> BTreeSet<(String, String)> {
    let all = all.iter().map(|one| (one.0.to_owned(), one.1.to_owned()));
    all.collect()
}

#[test]
fn a_linker_is_told_of_everything_that_has_no_place_yet() {
    let cubin = object(|_| ());
    assert_eq!(warpc_cubin::verify(&cubin), []);
    let kernel = set(&[
        ("ABS32_32", ".nv.ptx.const0.size"),
        ("ABS32_32", "dynamic"),
        ("ABS32_HI_32", "far"),
        ("ABS32_LO_32", "far"),
        ("ABS55_16_34", "vprintf"),
        ("ABS55_16_34", "weak"),
        ("FUNC_DESC32_HI_32", "k"),
        ("FUNC_DESC32_LO_32", "k"),
        ("UNIFIED32_HI_32", "own"),
        ("UNIFIED32_LO_32", "own"),
    ]);
    assert_eq!(relocations(&cubin, ".rela.text.k"), kernel);
    let own = relocations(&cubin, ".rela.text.own");
    assert!(own.contains(&("ABS16_32".to_owned(), "table".to_owned())));
    assert!(own.contains(&("ABS32_32".to_owned(), "common".to_owned())));
    assert!(own.iter().any(|one| one.1.starts_with("$own$mine")));
    let weak = set(&[("ABS55_16_34", "there"), ("ABS56_16_34", "__UFT_OFFSET")]);
    assert_eq!(relocations(&cubin, ".rela.text.weak"), weak);
    let variable = set(&[("UNIFIED", "own")]);
    assert_eq!(relocations(&cubin, ".rela.nv.global.init"), variable);
    // Functions that only the linker knows are not defined here, and nothing is in bank 4.
    let (_, symbols) = cubin.symbols();
    let is_open = |name: &str| {
        let mut all = symbols.iter();
        all.any(|one| cubin.symbol_name(one) == name && one.section == 0)
    };
    assert!(is_open("there") && is_open("vprintf") && is_open("far") && is_open("dynamic"));
    assert!(cubin.section(".nv.constant4").is_none());
}

#[test]
fn the_judges_take_it_at_every_level() {
    object(|options| options.level = Level::O0);
    object(|options| options.level = Level::O1);
    object(|options| options.spill = true);
    object(|options| options.serial = true);
}
