//! Products of warpgroups in ptxas's machine code against the emulator of PTX: all types, several numbers of columns, A in shared memory and in
//! registers, turned and negated factors, a sparse A, groups that are under way together. Without the reference tools this is skipped.

use crate::against_emulator::{Seen, compare_with};
use std::fmt::Write;
use warpc_diag::SourceFile;
use warpc_sass_sim::{Argument, Device, Launch, Options, Problem};
use warpc_testkit::project;
use warpc_testkit::scratch::Folder;

/// A product: its types, columns and elements along k, what comes after the descriptors, and whether A can be in registers.
struct Form {
    types: &'static str,
    columns: usize,
    k: usize,
    after: &'static str,
    /// The same with A in registers.
    in_registers: Option<&'static str>,
    sparse: bool,
}

const fn form(
    types: &'static str,
    columns: usize,
    k: usize,
    after: &'static str,
    in_registers: Option<&'static str>,
) -> Form {
    Form {
        types,
        columns,
        k,
        after,
        in_registers,
        sparse: false,
    }
}

const fn sparse(form: Form) -> Form {
    Form {
        sparse: true,
        ..form
    }
}

const FORMS: &[Form] = &[
    form("f32.f16.f16", 8, 16, ", 1, 1, 0, 0", Some(", 1, 1, 0")),
    form("f32.f16.f16", 64, 16, ", -1, 1, 1, 1", Some(", -1, 1, 1")),
    form("f16.f16.f16", 24, 16, ", 1, -1, 1, 0", Some(", 1, -1, 0")),
    form("f16.f16.f16", 128, 16, ", 1, 1, 0, 0", Some(", 1, 1, 1")),
    form("f32.bf16.bf16", 96, 16, ", 1, 1, 0, 0", Some(", 1, 1, 0")),
    form("f32.bf16.bf16", 40, 16, ", -1, -1, 0, 1", Some(", 1, 1, 1")),
    form("f32.tf32.tf32", 16, 8, ", 1, 1", Some(", -1, 1")),
    form("f32.e4m3.e5m2", 32, 32, ", 1, 1", Some(", 1, -1")),
    form("f16.e5m2.e5m2", 16, 32, ", -1, 1", Some(", 1, 1")),
    form("s32.s8.s8", 16, 32, "", Some("")),
    form("s32.u8.u8", 32, 32, "", Some("")),
    form("s32.b1.b1.and.popc", 8, 256, "", Some("")),
    sparse(form(
        "f32.f16.f16",
        16,
        32,
        ", 1, 1, 0, 0",
        Some(", 1, 1, 0"),
    )),
    sparse(form("f32.tf32.tf32", 8, 16, ", 1, 1", None)),
    sparse(form("f32.e4m3.e4m3", 24, 64, ", 1, 1", None)),
    sparse(form("s32.s8.s8", 16, 64, "", None)),
];

/// A kernel with a product of each kind of A, in two groups.
fn kernel(form: &Form) -> String {
    let halves = form.types.starts_with("f16");
    let registers = form.columns / if halves { 4 } else { 2 };
    let mut text = "// run: --kernel k --grid 1 --block 128 --arg u32[8192]=random:7 --arg u32[32768]=0
.version 8.6\n.target sm_90a\n.address_size 64
.visible .entry k(.param .u64 data, .param .u64 out) {
    .shared .align 1024 .b8 factors[32768];
    .reg .b64 %in, %out, %far, %da, %db;
    .reg .b32 %t, %at, %i, %w, %a<4>, %meta;
    .reg .pred %more, %adds;
    ld.param.u64 %in, [data]; ld.param.u64 %out, [out];
    mov.u32 %t, %tid.x; mov.u32 %at, factors; shl.b32 %i, %t, 2;
FILL:
    cvt.u64.u32 %far, %i; add.u64 %far, %in, %far; ld.global.b32 %w, [%far];
    and.b32 %w, %w, 0xbfbfbfbf;
    add.u32 %a0, %at, %i; st.shared.b32 [%a0], %w;
    add.u32 %i, %i, 512; setp.lt.u32 %more, %i, 32768; @%more bra FILL;
    fence.proxy.async.shared::cta;
    bar.sync 0;
    shr.u32 %w, %at, 4; cvt.u64.u32 %da, %w; or.b64 %da, %da, 0x4000000200080000; add.u64 %db, %da, 1024;
    mov.b32 %meta, 0x4e94c8de;
    mad.lo.u32 %a0, %t, 1313, 0x3c00; and.b32 %a0, %a0, 0xbfbfbfbf; add.u32 %a1, %a0, 0x01020304; and.b32 %a1, %a1, 0xbfbfbfbf;
    xor.b32 %a2, %a1, 0x80808080; and.b32 %a3, %a0, 0x3f3f3f3f;
    setp.ne.u32 %adds, %t, 500;
"
    .to_owned();
    let names = |from: &str| -> String {
        let list: Vec<String> = (0..registers).map(|at| format!("%{from}{at}")).collect();
        list.join(", ")
    };
    let mut line = |line: String| writeln!(text, "    {line}").expect("a string takes all");
    let size = format!("m64n{}k{}", form.columns, form.k);
    let sp = if form.sparse { ".sp" } else { "" };
    let metadata = if form.sparse { ", %meta, 0" } else { "" };
    let start = format!("wgmma.mma_async{sp}.sync.aligned.{size}.{}", form.types);
    line(format!(".reg .b32 %d<{registers}>, %e<{registers}>;"));
    for at in 0..registers {
        line(format!(
            "mad.lo.u32 %d{at}, %t, {}, 0x12345; and.b32 %d{at}, %d{at}, 0xbfffbfff; mov.b32 %e{at}, 0;",
            at * 77 + 5
        ));
    }
    line("wgmma.fence.sync.aligned;".to_owned());
    line(format!(
        "{start} {{{}}}, %da, %db{metadata}, %adds{};",
        names("d"),
        form.after
    ));
    line(format!(
        "{start} {{{}}}, %da, %db{metadata}, 1{};",
        names("d"),
        form.after
    ));
    line("wgmma.commit_group.sync.aligned;".to_owned());
    if let Some(after) = form.in_registers {
        line(format!(
            "{start} {{{}}}, {{%a0, %a1, %a2, %a3}}, %db{metadata}, 0{after};",
            names("e")
        ));
        line("wgmma.commit_group.sync.aligned;".to_owned());
        line("wgmma.wait_group.sync.aligned 1;".to_owned());
    } else {
        line("wgmma.wait_group.sync.aligned 0;".to_owned());
    }
    line(format!(
        "mul.wide.u32 %far, %t, {}; add.u64 %out, %out, %far;",
        registers * 8
    ));
    for at in 0..registers {
        line(format!("st.global.b32 [%out+{}], %d{at};", at * 4));
    }
    line("wgmma.wait_group.sync.aligned 0;".to_owned());
    for at in 0..registers {
        line(format!(
            "st.global.b32 [%out+{}], %e{at};",
            (registers + at) * 4
        ));
    }
    line("ret;".to_owned());
    text + "}\n"
}

#[test]
fn products_are_those_of_the_emulator() {
    let Some(ptxas) = project::ptxas("sm_90") else {
        return;
    };
    let folder = Folder::new("sass-sim-groups");
    let mut seen = Seen::default();
    for (number, form) in FORMS.iter().enumerate() {
        let name = format!("{}_{number}", form.types.replace('.', "_"));
        compare_with(&ptxas, &folder, &name, &kernel(form), &[], &mut seen);
    }
    assert!(seen.wrong.is_empty(), "{}", seen.wrong.join("\n"));
    assert_eq!(seen.agreed, FORMS.len());
}

/// Element (r, c) of the product is 8 r + c.
fn plain(text: &str) -> (Vec<f32>, Vec<Problem>) {
    let file = SourceFile::new("plain.sass", text).expect("a short text");
    let cubin = warpc_sass_text::assembly::read(&file).value;
    let mut device =
        Device::new(&cubin.expect("it assembles"), Options::default()).expect("it loads");
    let out = device.buffer(&[0; 2048]);
    let _ = device.launch(&Launch {
        kernel: "plain".to_owned(),
        grid: [1; 3],
        block: [128, 1, 1],
        cluster: None,
        dynamic_shared: 0,
        cooperative: false,
        arguments: vec![Argument::Buffer(out)],
    });
    let left = device.read(out);
    let words = left.as_chunks::<4>().0.iter();
    let problems = device.findings().iter().map(|one| one.problem.clone());
    (
        words.map(|word| f32::from_le_bytes(*word)).collect(),
        problems.collect(),
    )
}

const PLAIN: &str = include_str!("groups/plain.sass");

#[test]
fn a_product_of_halves() {
    let (product, found) = plain(PLAIN);
    assert_eq!(found, []);
    assert!(
        product
            .iter()
            .enumerate()
            .all(|(at, value)| *value == at as f32)
    );
    // Where the descriptor of B leads to zeros, and where there is no shared memory.
    let changed = PLAIN.replace(
        "HGMMA.64x8x16.F32 R4, gdesc[UR0]",
        "HGMMA.64x8x16.F32 R4, gdesc[URZ]",
    );
    assert_ne!(changed, PLAIN);
    assert_ne!(plain(&changed).0, product);
}

#[test]
fn a_missing_wait_for_a_product_is_found() {
    let changed = PLAIN.replace("WARPGROUP.DEPBAR.LE gsb0, 0x0 ;", "NOP ;");
    assert_ne!(changed, PLAIN);
    let (_, found) = plain(&changed);
    assert!(
        found
            .iter()
            .any(|one| matches!(one, Problem::Early(early) if early.number == 4)),
        "{found:?}"
    );
}
