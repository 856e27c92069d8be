//! Tensor memory: what products leave there, and what is found where a step is left out or an operand is invalid.

mod products;

use warpc_diag::SourceFile;
use warpc_sim::{Argument, Device, Launch, Options, Races};

/// Row r of A is 16 r and 1, column c of B is 1 and c: the product counts its 128 by 16 elements.
const KERNEL: &str = ".version 8.8\n.target sm_100a\n.address_size 64
.visible .entry k(.param .u64 out) {
    .shared .align 1024 .b8 factors[4608];
    .shared .align 8 .b64 done;
    .shared .align 4 .b32 place;
    .reg .b64 %out, %da, %db, %far;
    .reg .b32 %t, %at, %to, %w, %lane, %warp, %i, %tm, %own, %id, %d<16>;
    .reg .b16 %h<3>;
    .reg .pred %p, %first, %one, %q, %over;
    ld.param.u64 %out, [out];
    mov.u32 %t, %tid.x; mov.u32 %lane, %laneid; shr.u32 %warp, %t, 5;
    mov.u32 %at, factors;
    setp.eq.u32 %first, %warp, 0; setp.eq.u32 %one, %t, 0;
    shl.b32 %i, %t, 2;
ZERO:
    add.u32 %to, %at, %i; st.shared.b32 [%to], 0;
    add.u32 %i, %i, 512; setp.lt.u32 %p, %i, 4608; @%p bra ZERO;
    bar.sync 0;
    and.b32 %to, %t, 7; shl.b32 %to, %to, 4; shr.u32 %w, %t, 3; mad.lo.u32 %to, %w, 256, %to; add.u32 %to, %to, %at;
    shl.b32 %w, %t, 4; cvt.rn.f16.u32 %h0, %w; mov.b16 %h1, 0x3c00; mov.b32 %w, {%h0, %h1}; st.shared.b32 [%to], %w;
    setp.lt.u32 %p, %t, 16; cvt.rn.f16.u32 %h0, %t; mov.b32 %w, {%h1, %h0}; @%p st.shared.b32 [%to+4096], %w;
    @%one mbarrier.init.shared.b64 [done], 1;
    PROXY
    ALLOC
    bar.sync 0;
    ld.shared.b32 %tm, [place];
    shr.u32 %w, %at, 4; cvt.u64.u32 %da, %w; or.b64 %da, %da, 0x400000080000 | 0x1000000000; add.u64 %db, %da, 256;
    mov.b32 %id, 0x8040010;
    shl.b32 %own, %warp, 21; add.u32 %own, %own, %tm;
    BEFORE
    PRODUCT
    COMMIT
    BETWEEN
    WAIT
    LOAD
    AFTER
    bar.sync 0;
    FREE
    mul.wide.u32 %far, %t, 64; add.u64 %out, %out, %far;
    st.global.v4.b32 [%out], {%d0, %d1, %d2, %d3};
    st.global.v4.b32 [%out+16], {%d4, %d5, %d6, %d7};
    st.global.v4.b32 [%out+32], {%d8, %d9, %d10, %d11};
    st.global.v4.b32 [%out+48], {%d12, %d13, %d14, %d15};
    ret;
}";

const ALL: &str =
    "{%d0, %d1, %d2, %d3, %d4, %d5, %d6, %d7, %d8, %d9, %d10, %d11, %d12, %d13, %d14, %d15}";
const PRODUCT: &str = "@%one tcgen05.mma.cta_group::1.kind::f16 [%tm], %da, %db, %id, 0;";
const COMMIT: &str =
    "@%one tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [done];";
const WAIT: &str = "TRY: mbarrier.try_wait.parity.shared.b64 %over, [done], 0; @!%over bra TRY;";
const FREE: &str = "@%first tcgen05.dealloc.cta_group::1.sync.aligned.b32 %tm, 32;";

fn text(changes: &[(&str, &str)]) -> String {
    let load = format!(
        "tcgen05.ld.sync.aligned.32x32b.x16.b32 {ALL}, [%own]; tcgen05.wait::ld.sync.aligned;"
    );
    let usual = [
        ("PROXY", "fence.proxy.async.shared::cta;"),
        (
            "ALLOC",
            "@%first tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [place], 32;",
        ),
        ("BEFORE", ""),
        ("PRODUCT", PRODUCT),
        ("COMMIT", COMMIT),
        ("BETWEEN", ""),
        ("WAIT", WAIT),
        ("LOAD", &load),
        ("AFTER", ""),
        ("FREE", FREE),
    ];
    let mut text = KERNEL.replace("0x400000080000 | 0x1000000000", "0x401000080000");
    for (name, with) in changes.iter().chain(&usual) {
        text = text.replacen(&format!("    {name}\n"), &format!("    {with}\n"), 1);
    }
    text
}

/// What a launch leaves, and the codes of its warnings; an error is the code of the finding and its text.
type Outcome = Result<(Vec<f32>, Vec<&'static str>), (&'static str, String)>;

fn run(text: &str, seed: u64) -> Outcome {
    let file = SourceFile::new("k.ptx", text.to_owned()).expect("a short text");
    let checked = warpc_ptx::check(&file);
    let shown = warpc_diag::render_human(&file, &checked.diagnostics, false);
    assert!(!checked.diagnostics.has_errors(), "{shown}");
    let options = Options {
        seed,
        jobs: 1,
        races: Races::All,
        ..Options::default()
    };
    let mut device = Device::new(checked.value.as_ref().unwrap(), options);
    let buffer = device.buffer(&[0; 8192]);
    let outcome = device.launch(&Launch {
        kernel: "k".to_owned(),
        grid: [2, 1, 1],
        block: [128, 1, 1],
        cluster: None,
        dynamic_shared: 0,
        cooperative: false,
        arguments: vec![Argument::Buffer(buffer)],
    });
    let report = outcome.map_err(|found| {
        let shown = warpc_diag::render_human(&file, &found, false);
        (found.first_error().map_or("", |error| error.code.0), shown)
    })?;
    let bytes = device.read(buffer);
    let words = bytes.as_chunks::<4>().0.iter();
    let warnings = report.warnings.as_slice().iter().map(|one| one.code.0);
    Ok((
        words.map(|word| f32::from_le_bytes(*word)).collect(),
        warnings.collect(),
    ))
}

/// The code of a finding. Both blocks write the same results, so that race is not one.
fn code(changes: &[(&str, &str)]) -> &'static str {
    match run(&text(changes), 1) {
        Ok((_, warnings)) => warnings
            .into_iter()
            .find(|code| *code != "W0744")
            .unwrap_or("ok"),
        Err((code, _)) => code,
    }
}

fn counts(changes: &[(&str, &str)], expected: impl Fn(usize) -> f32) {
    for seed in 0..3 {
        let (found, _) = run(&text(changes), seed).unwrap_or_else(|(_, shown)| panic!("{shown}"));
        for (at, value) in found.iter().enumerate() {
            assert_eq!(*value, expected(at), "{at}");
        }
    }
}

#[test]
fn products() {
    counts(&[], |at| at as f32);
    let more = format!("{PRODUCT} {}", PRODUCT.replace("%id, 0", "%id, 1"));
    counts(&[("PRODUCT", &more)], |at| 2.0 * at as f32);
    // Of the second 32 lanes the lowest is not written: it has what was stored before.
    let ones = ["%d0"; 16].join(", ");
    let stored = format!(
        "mov.b32 %d0, 0f3f800000; tcgen05.st.sync.aligned.32x32b.x16.b32 [%own], {{{ones}}}; tcgen05.wait::st.sync.aligned; bar.sync 0;"
    );
    let some = PRODUCT.replace("%id, 0", "%id, {%to, %i, %to, %to}, 0");
    let some = format!("mov.b32 %to, 0; mov.b32 %i, 1; {some}");
    counts(&[("BEFORE", &stored), ("PRODUCT", &some)], |at| {
        if at / 16 == 32 { 1.0 } else { at as f32 }
    });
}

/// A is stored in tensor memory by the shapes of loads and stores: what one writes, another reads.
#[test]
fn factors_in_tensor_memory() {
    // Of each lane eight words: 16 r and 1, then zeros.
    let stored = "shl.b32 %w, %t, 4; cvt.rn.f16.u32 %h0, %w; mov.b16 %h1, 0x3c00; mov.b32 %w, {%h0, %h1}; mov.b32 %i, 0;
        tcgen05.st.sync.aligned.32x32b.x8.b32 [%own+16], {%w, %i, %i, %i, %i, %i, %i, %i}; tcgen05.wait::st.sync.aligned;
        tcgen05.fence::before_thread_sync; bar.sync 0; tcgen05.fence::after_thread_sync;";
    let product = "@%one tcgen05.mma.cta_group::1.kind::f16 [%tm], [%tm+16], %db, %id, 0;";
    counts(&[("BEFORE", stored), ("PRODUCT", product)], |at| at as f32);
    let too_early = stored.replace("tcgen05.wait::st.sync.aligned;", "");
    assert_eq!(
        code(&[("BEFORE", &too_early), ("PRODUCT", product)]),
        "W0737"
    );
    // While the product is not over, A stays as it is.
    let changed = "tcgen05.st.sync.aligned.32x32b.x1.b32 [%own+16], {%i};";
    let changes = [
        ("BEFORE", stored),
        ("PRODUCT", product),
        ("BETWEEN", changed),
    ];
    assert_eq!(code(&changes), "W0737");
    let beside = "tcgen05.st.sync.aligned.32x32b.x1.b32 [%own+24], {%i};";
    let changes = [
        ("BEFORE", stored),
        ("PRODUCT", product),
        ("BETWEEN", beside),
    ];
    assert_eq!(code(&changes), "ok");
}

/// All elements are 1; row r of A is scaled by 2 to the r modulo 4, B is not.
#[test]
fn block_scaling() {
    let fill = |word: &str| {
        format!(
            "bar.sync 0; shl.b32 %i, %t, 2; mov.b32 %w, {word};
             ONES: add.u32 %to, %at, %i; st.shared.b32 [%to], %w; add.u32 %i, %i, 512; setp.lt.u32 %p, %i, 4608; @%p bra ONES;
             fence.proxy.async.shared::cta;"
        )
    };
    let product = |kind: &str| {
        format!(
            "@%one tcgen05.mma.cta_group::1.{kind} [%tm], %da, %db, %id, [%tm+16], [%tm+20], 0;"
        )
    };
    // The second byte of A's factors, the first of B's.
    let store = "and.b32 %w, %lane, 3; add.u32 %w, %w, 127; shl.b32 %w, %w, 8; mov.b32 %i, 127; mov.b32 %id, 0x28840000;
        tcgen05.st.sync.aligned.32x32b.x4.b32 [%own+16], {%w, %w, %w, %w};
        tcgen05.st.sync.aligned.32x32b.x1.b32 [%own+20], {%i}; tcgen05.wait::st.sync.aligned; bar.sync 0;";
    let mx = product("kind::mxf8f6f4.block_scale");
    let ones = fill("0x38383838");
    let changes = [
        ("PROXY", ones.as_str()),
        ("BEFORE", store),
        ("PRODUCT", mx.as_str()),
    ];
    counts(&changes, |at| 32.0 * (1 << (at / 16 % 4)) as f32);
    let none = [
        changes[0],
        ("BEFORE", "mov.b32 %id, 0x28840000;"),
        changes[2],
    ];
    let use_it = ("AFTER", "setp.eq.b32 %q, %d0, 7; @%q bra AWAY; AWAY:");
    assert_eq!(code(&[none[0], none[1], none[2], use_it]), "W0731");
    // Four factors of each line, two of them doubled.
    let store = "mov.b32 %w, 0x38404038; mov.b32 %i, 0x38383838; mov.b32 %id, 0x8040480;
        tcgen05.st.sync.aligned.32x32b.x4.b32 [%own+16], {%w, %w, %w, %w};
        tcgen05.st.sync.aligned.32x32b.x1.b32 [%own+20], {%i}; tcgen05.wait::st.sync.aligned; bar.sync 0;";
    let nv = product("kind::mxf4nvf4.block_scale.scale_vec::4X");
    let ones = fill("0x22222222");
    let changes = [
        ("PROXY", ones.as_str()),
        ("BEFORE", store),
        ("PRODUCT", nv.as_str()),
    ];
    counts(&changes, |_| 16.0 * 6.0);
    let early = store.replace("tcgen05.wait::st.sync.aligned;", "");
    assert_eq!(code(&[changes[0], ("BEFORE", &early), changes[2]]), "W0737");
}

/// The first pieces of A's rows: 16 r, and 1.
#[test]
fn copies() {
    let copy = |shape: &str| format!("@%one tcgen05.cp.cta_group::1.{shape} [%tm+16], %da;");
    let load = "tcgen05.ld.sync.aligned.32x32b.x4.b32 {%d0, %d1, %d2, %d3}, [%own+16]; tcgen05.wait::ld.sync.aligned;
        mov.b32 {%h0, %h1}, %d0; cvt.f32.f16 %d0, %h0; cvt.f32.f16 %d4, %h1;
        mov.b32 %d5, 0; mov.b32 %d6, 0; mov.b32 %d7, 0; mov.b32 %d8, 0; mov.b32 %d9, 0; mov.b32 %d10, 0;
        mov.b32 %d11, 0; mov.b32 %d12, 0; mov.b32 %d13, 0; mov.b32 %d14, 0; mov.b32 %d15, 0;";
    for (shape, row) in [
        ("128x128b", (|lane| lane) as fn(usize) -> usize),
        ("64x128b.warpx2::02_13", |lane| lane % 64),
        ("64x128b.warpx2::01_23", |lane| lane / 64 * 32 + lane % 32),
        ("32x128b.warpx4", |lane| lane % 32),
    ] {
        let copy = copy(shape);
        counts(&[("PRODUCT", &copy), ("LOAD", load)], |at| match at % 16 {
            0 => 16.0 * row(at / 16) as f32,
            4 => 1.0,
            _ => 0.0,
        });
        assert_eq!(
            code(&[("PRODUCT", &copy), ("LOAD", load), ("WAIT", "")]),
            "W0737"
        );
    }
    let wide = copy("128x256b");
    assert_eq!(code(&[("PRODUCT", &wide), ("LOAD", load)]), "ok");
    let away = wide.replace("[%tm+16]", "[%tm+28]");
    assert_eq!(code(&[("PRODUCT", &away), ("LOAD", load)]), "W0725");
}

#[test]
fn shapes_of_loads() {
    // Two loads of 16 lanes, in the order of a fragment, then back into rows through tensor memory.
    let by_halves = format!(
        "tcgen05.ld.sync.aligned.16x256b.x2.b32 {{%d0, %d1, %d2, %d3, %d4, %d5, %d6, %d7}}, [%own];
         add.u32 %w, %own, 0x100000;
         tcgen05.ld.sync.aligned.16x64b.x8.b32 {{%d8, %d9, %d10, %d11, %d12, %d13, %d14, %d15}}, [%w];
         tcgen05.wait::ld.sync.aligned;
         tcgen05.st.sync.aligned.16x256b.x2.b32 [%own+16], {{%d0, %d1, %d2, %d3, %d4, %d5, %d6, %d7}};
         tcgen05.st.sync.aligned.16x64b.x8.b32 [%w+16], {{%d8, %d9, %d10, %d11, %d12, %d13, %d14, %d15}};
         tcgen05.wait::st.sync.aligned;
         tcgen05.ld.sync.aligned.32x32b.x16.b32 {ALL}, [%own+16]; tcgen05.wait::ld.sync.aligned;"
    );
    counts(&[("LOAD", &by_halves)], |at| at as f32);
    // What one shape stores, another loads: rows of 16 lanes in two halves.
    let split = format!(
        "tcgen05.ld.sync.aligned.16x32bx2.x8.b32 {{%d0, %d1, %d2, %d3, %d4, %d5, %d6, %d7}}, [%own], 8;
         add.u32 %w, %own, 0x100000;
         tcgen05.ld.sync.aligned.16x128b.x4.b32 {{%d8, %d9, %d10, %d11, %d12, %d13, %d14, %d15}}, [%w];
         tcgen05.wait::ld.sync.aligned;
         tcgen05.st.sync.aligned.16x32bx2.x8.b32 [%own+16], 8, {{%d0, %d1, %d2, %d3, %d4, %d5, %d6, %d7}};
         tcgen05.st.sync.aligned.16x128b.x4.b32 [%w+16], {{%d8, %d9, %d10, %d11, %d12, %d13, %d14, %d15}};
         tcgen05.ld.sync.aligned.32x32b.x16.b32 {ALL}, [%own+16]; tcgen05.wait::ld.sync.aligned;"
    );
    counts(&[("LOAD", &split)], |at| at as f32);
    // Halves of two columns in a register: the low ones are zero, for whole numbers are short floats.
    let packed = "mov.b32 %d1, 0; mov.b32 %d2, 0; mov.b32 %d3, 0; mov.b32 %d4, 0; mov.b32 %d5, 0; mov.b32 %d6, 0; mov.b32 %d7, 0;
        mov.b32 %d8, 0; mov.b32 %d9, 0; mov.b32 %d10, 0; mov.b32 %d11, 0; mov.b32 %d12, 0; mov.b32 %d13, 0; mov.b32 %d14, 0; mov.b32 %d15, 0;
        mov.b32 %w, 0x3f801234; tcgen05.st.sync.aligned.32x32b.x2.unpack::16b.b32 [%own], {%w, %w};
        tcgen05.ld.sync.aligned.32x32b.x1.pack::16b.b32 {%d0}, [%own]; tcgen05.wait::ld.sync.aligned;";
    counts(&[("LOAD", packed)], |at| {
        if at % 16 == 0 {
            f32::from_bits(0x3f80_1234)
        } else {
            0.0
        }
    });
}

#[test]
fn missing_steps() {
    assert_eq!(code(&[("WAIT", "")]), "W0737");
    assert_eq!(code(&[("COMMIT", ""), ("WAIT", "")]), "W0737");
    assert_eq!(code(&[("COMMIT", "")]), "W0722");
    assert_eq!(code(&[("PROXY", "")]), "W0738");
    assert_eq!(code(&[("FREE", "")]), "W0735");
    assert_eq!(code(&[("FREE", &format!("{FREE} {FREE}"))]), "W0725");
    assert_eq!(
        code(&[(
            "BETWEEN",
            "tcgen05.st.sync.aligned.32x32b.x1.b32 [%own], {%t};"
        )]),
        "W0737"
    );
    assert_eq!(
        code(&[("BETWEEN", "@%one st.shared.b32 [factors+16], 0;")]),
        "W0737"
    );
    assert_eq!(
        code(&[("AFTER", "@%one st.shared.b32 [factors+16], 0;")]),
        "ok"
    );
    // Copies of a register that is loaded are in flight as well.
    let load = |rest: &str| {
        let load = format!("tcgen05.ld.sync.aligned.32x32b.x16.b32 {ALL}, [%own]; {rest}");
        code(&[("LOAD", &load)])
    };
    assert_eq!(load(""), "W0737");
    assert_eq!(
        load("mov.b32 %w, %d3; tcgen05.wait::ld.sync.aligned; mov.b32 %d3, %w;"),
        "ok"
    );
    assert_eq!(
        load("mov.b32 %w, %d3; add.u32 %w, %w, 1; tcgen05.wait::ld.sync.aligned;"),
        "W0737"
    );
    assert_eq!(
        load("mov.b32 %d3, 0; tcgen05.wait::ld.sync.aligned;"),
        "W0737"
    );
    // Nobody wrote what is loaded.
    let nothing =
        "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%d0}, [%own+16]; tcgen05.wait::ld.sync.aligned;
        setp.eq.b32 %q, %d0, 7; @%q bra AWAY; AWAY:";
    assert_eq!(code(&[("AFTER", nothing)]), "W0731");
}

#[test]
fn invalid_operands() {
    let before = |what: &str| code(&[("BEFORE", what)]);
    assert_eq!(before(""), "ok");
    assert_eq!(before("mov.b32 %id, 0;"), "W0725");
    assert_eq!(before("or.b32 %id, %id, 4;"), "W0725");
    assert_eq!(before("mov.u64 %db, 0;"), "W0712");
    assert_eq!(before("or.b64 %db, %db, 0x6000000000000000;"), "W0725");
    assert_eq!(before("add.u32 %tm, %tm, 32;"), "W0725");
    assert_eq!(before("add.u32 %tm, %tm, 0x100000;"), "W0725");
    assert_eq!(before("mov.b32 %own, 0;"), "W0725");
    assert_eq!(before("add.u32 %own, %own, 24;"), "W0725");
    assert_eq!(before("add.u32 %own, %own, %lane;"), "W0725");
    let alloc = |what: &str| code(&[("ALLOC", what)]);
    let some = |columns: u32| {
        format!(
            "@%first tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [place], {columns};"
        )
    };
    assert_eq!(
        alloc(&format!(
            "mov.b32 %w, 48; {}",
            some(1).replace(", 1;", ", %w;")
        )),
        "W0725"
    );
    let relinquish = "@%first tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;";
    assert_eq!(alloc(&format!("{relinquish} {}", some(32))), "W0725");
    // All columns are gone, and nobody frees them.
    assert_eq!(alloc(&format!("{} {}", some(512), some(32))), "W0722");
    let one_lane = "@%one tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [place], 32;";
    assert_eq!(alloc(one_lane), "W0720");
}

/// Whatever descriptors and addresses contain, the answer is a result or a finding.
#[test]
fn any_operand() {
    let mut random = warpc_testkit::Random::new(11);
    let mut codes = std::collections::BTreeMap::new();
    for round in 0..400 {
        let bits = random.bits();
        let change = match round % 5 {
            0 => format!("or.b32 %id, %id, {:#x};", bits as u32),
            1 => format!("mov.b32 %id, {:#x};", bits as u32),
            2 => format!("xor.b64 %da, %da, {:#x};", bits & random.bits()),
            3 => format!("add.u32 %own, %own, {:#x};", bits as u32 & 0x3f_00ff),
            _ => format!("xor.b32 %tm, %tm, {:#x};", 1u32 << (bits % 32)),
        };
        *codes.entry(code(&[("BEFORE", &change)])).or_insert(0) += 1;
    }
    let known = ["ok", "W0712", "W0725", "W0731", "W0735"];
    assert!(codes.keys().all(|code| known.contains(code)), "{codes:?}");
    assert!(codes["W0725"] > 100, "{codes:?}");
}
