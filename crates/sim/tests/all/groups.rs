//! Products of warpgroups: what comes out, and what is found where a step is left out.

mod triton;

use warpc_diag::SourceFile;
use warpc_sim::{Argument, Device, Launch, Options, Races};

/// Fills 32 KiB of shared memory, multiplies, and stores the accumulator of each thread. `FRAGMENT`, `PRODUCT` and the rest are
/// replaced.
const KERNEL: &str = ".version 8.6\n.target sm_90a\n.address_size 64
.visible .entry k(.param .u64 data) {
    .shared .align 1024 .b8 factors[32768];
    .shared .align 8 .b64 full;
    .reg .b64 %in, %far, %da, %db;
    .reg .b32 %t, %at, %i, %w, %a<4>, %d<4>, %e<4>, %lane;
    .reg .pred %more, %adds, %p;
    ld.param.u64 %in, [data];
    mov.u32 %t, %tid.x;
    mov.u32 %lane, %laneid;
    mov.u32 %at, factors;
    shl.b32 %i, %t, 2;
FILL:
    cvt.u64.u32 %far, %i; add.u64 %far, %in, %far; ld.global.b32 %w, [%far];
    add.u32 %a0, %at, %i; st.shared.b32 [%a0], %w;
    add.u32 %i, %i, 512; setp.lt.u32 %more, %i, 32768; @%more bra FILL;
    PROXY
    bar.sync 0;
    shr.u32 %w, %at, 4; cvt.u64.u32 %da, %w; or.b64 %da, %da, 0x2000080000;
    add.u64 %db, %da, 256;
    mov.b32 %a0, 0x3c003c00; mov.b32 %a1, 0x40004000; mov.b32 %a2, 0x3c003c00; mov.b32 %a3, 0x40004000;
    mov.b32 %d0, 0; mov.b32 %d1, 0; mov.b32 %d2, 0; mov.b32 %d3, 0;
    mov.b32 %e0, 0; mov.b32 %e1, 0; mov.b32 %e2, 0; mov.b32 %e3, 0;
    setp.ne.u32 %adds, 0, 0;
    FENCE
    PRODUCT
    COMMIT
    BETWEEN
    WAIT
    AFTER
    bar.sync 0;
    mul.wide.u32 %far, %t, 16; add.u64 %far, %in, %far;
    st.global.v4.b32 [%far], {%d0, %d1, %d2, %d3};
    ret;
}";

const PRODUCT: &str = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d0, %d1, %d2, %d3}, %da, %db, %adds, 1, 1, 0, 0;";
const IN_REGISTERS: &str = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d0, %d1, %d2, %d3}, {%a0, %a1, %a2, %a3}, %db, %adds, 1, 1, 0;";

fn text(changes: &[(&str, &str)]) -> String {
    let usual = [
        ("PROXY", "fence.proxy.async.shared::cta;"),
        ("FENCE", "wgmma.fence.sync.aligned;"),
        ("PRODUCT", PRODUCT),
        ("COMMIT", "wgmma.commit_group.sync.aligned;"),
        ("BETWEEN", ""),
        ("WAIT", "wgmma.wait_group.sync.aligned 0;"),
        ("AFTER", ""),
    ];
    let mut text = KERNEL.to_owned();
    for (name, with) in changes.iter().chain(&usual) {
        text = text.replacen(&format!("    {name}\n"), &format!("    {with}\n"), 1);
    }
    text
}

/// An element of A in memory, as a small whole number.
fn a(row: usize, k: usize) -> i32 {
    ((row * 5 + k * 3) % 7) as i32 - 3
}

fn b(k: usize, column: usize) -> i32 {
    ((column * 3 + k * 2) % 5) as i32 - 2
}

fn half(value: i32) -> u16 {
    let magnitude = [0, 0x3c00, 0x4000, 0x4200][value.unsigned_abs() as usize];
    magnitude | u16::from(value < 0) << 15
}

/// The factors where the descriptors of the kernel have them: along k, not swizzled.
fn factors() -> Vec<u8> {
    let mut memory = vec![0; 32768];
    let mut put = |start: usize, line: usize, k: usize, value: i32| {
        let at = start + line % 8 * 16 + line / 8 * 512 + k / 8 * 128 + k % 8 * 2;
        memory[at..at + 2].copy_from_slice(&half(value).to_le_bytes());
    };
    for k in 0..16 {
        (0..64).for_each(|row| put(0, row, k, a(row, k)));
        (0..8).for_each(|column| put(4096, column, k, b(k, column)));
    }
    memory
}

/// What a launch leaves, and the codes of its warnings; an error is the code of the finding and its text.
type Outcome = Result<(Vec<f32>, Vec<&'static str>), (&'static str, String)>;

fn run(text: &str, threads: u32, seed: u64) -> Outcome {
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
    let buffer = device.buffer(&factors());
    let outcome = device.launch(&Launch {
        kernel: "k".to_owned(),
        grid: [1; 3],
        block: [threads, 1, 1],
        cluster: None,
        dynamic_shared: 0,
        cooperative: false,
        arguments: vec![Argument::Buffer(buffer)],
    });
    let warnings = match outcome {
        Ok(report) => report
            .warnings
            .as_slice()
            .iter()
            .map(|warning| warning.code.0)
            .collect(),
        Err(found) => {
            let shown = warpc_diag::render_human(&file, &found, false);
            return Err((found.first_error().map_or("", |error| error.code.0), shown));
        }
    };
    let bytes = device.read(buffer);
    let words = bytes[..2048].as_chunks::<4>().0;
    Ok((
        words.iter().map(|word| f32::from_le_bytes(*word)).collect(),
        warnings,
    ))
}

fn code(changes: &[(&str, &str)]) -> &'static str {
    match run(&text(changes), 128, 1) {
        Ok((_, warnings)) => warnings.first().copied().unwrap_or("ok"),
        Err((code, _)) => code,
    }
}

/// Whether threads have the accumulator of these factors.
fn check(found: &[f32], term: impl Fn(usize, usize, usize) -> i32) {
    for thread in 0..128 {
        let (warp, lane) = (thread / 32, thread % 32);
        for i in 0..4 {
            let row = warp * 16 + lane / 4 + i / 2 * 8;
            let column = lane % 4 * 2 + i % 2;
            let expected: i32 = (0..16).map(|k| term(row, k, column)).sum();
            assert_eq!(found[thread * 4 + i], expected as f32, "{row} {column}");
        }
    }
}

#[test]
fn products() {
    for seed in 0..4 {
        let (found, warnings) = run(&text(&[]), 128, seed).expect("no finding");
        assert!(warnings.is_empty(), "{warnings:?}");
        check(&found, |row, k, column| a(row, k) * b(k, column));
    }
    // Rows below the eighth of a warp are ones, the others twos.
    let (found, _) = run(&text(&[("PRODUCT", IN_REGISTERS)]), 128, 0).expect("no finding");
    check(&found, |row, k, column| {
        (1 + row as i32 / 8 % 2) * b(k, column)
    });
    // Products of the same shape add to the same accumulator without a wait; copies are in flight, too.
    let more = format!("{PRODUCT} setp.eq.u32 %adds, 0, 0; {PRODUCT} {PRODUCT}");
    let (found, _) = run(&text(&[("PRODUCT", &more)]), 128, 0).expect("no finding");
    check(&found, |row, k, column| 3 * a(row, k) * b(k, column));
    let copied = format!(
        "{PRODUCT} mov.b32 %e0, %d0; mov.b32 %e1, %d1; mov.b32 %e2, %d2; mov.b32 %e3, %d3; {}",
        PRODUCT
            .replace("%d0, %d1, %d2, %d3", "%e0, %e1, %e2, %e3")
            .replace("%adds", "1"),
    );
    let back = "mov.b32 %d0, %e0; mov.b32 %d1, %e1; mov.b32 %d2, %e2; mov.b32 %d3, %e3;";
    let changes = [("PRODUCT", copied.as_str()), ("AFTER", back)];
    let (found, _) = run(&text(&changes), 128, 0).expect("no finding");
    check(&found, |row, k, column| 2 * a(row, k) * b(k, column));
}

#[test]
fn groups_that_are_left() {
    let other = PRODUCT.replace("%d0, %d1, %d2, %d3", "%e0, %e1, %e2, %e3");
    let two = format!("{PRODUCT} wgmma.commit_group.sync.aligned; {other}");
    let one_left = "wgmma.wait_group.sync.aligned 1;";
    let sum = "add.f32 %d0, %d0, %e0;";
    assert_eq!(code(&[("PRODUCT", &two)]), "ok");
    assert_eq!(code(&[("PRODUCT", &two), ("WAIT", one_left)]), "ok");
    assert_eq!(
        code(&[("PRODUCT", &two), ("WAIT", one_left), ("AFTER", sum)]),
        "W0737"
    );
    assert_eq!(code(&[("PRODUCT", &two), ("AFTER", sum)]), "ok");
}

#[test]
fn missing_steps() {
    assert_eq!(code(&[("WAIT", "")]), "W0737");
    assert_eq!(code(&[("COMMIT", "")]), "W0737");
    assert_eq!(code(&[("FENCE", "")]), "W0751");
    assert_eq!(code(&[("PROXY", "")]), "W0738");
    assert_eq!(code(&[("BETWEEN", "mov.b32 %d1, 0;")]), "W0737");
    assert_eq!(code(&[("BETWEEN", "add.u32 %e1, %d1, 0;")]), "W0737");
    assert_eq!(code(&[("AFTER", "mov.b32 %d1, 0;")]), "ok");
    // Fragments of A may be read, but not written.
    let with = |between| code(&[("PRODUCT", IN_REGISTERS), ("BETWEEN", between)]);
    assert_eq!(with("add.u32 %e0, %a1, 1;"), "ok");
    assert_eq!(with("add.u32 %a1, %a1, 1;"), "W0737");
    assert_eq!(with("mov.b32 %e0, %a1; add.u32 %e0, %e0, 1;"), "ok");
    assert_eq!(with("mov.b32 %a1, %e0;"), "W0737");
    // A copy of an accumulator is in flight, wherever it goes.
    let copies = |rest: &str| {
        code(&[(
            "BETWEEN",
            &format!("mov.b32 %e0, %d0; mov.b32 %d1, %e0; {rest}"),
        )])
    };
    assert_eq!(copies(""), "ok");
    assert_eq!(copies("add.u32 %e1, %e0, 1;"), "W0737");
    // A write that no fence orders is put in order by the assembler.
    let late = format!("mov.b32 %d0, 0; {PRODUCT}");
    assert_eq!(code(&[("PRODUCT", &late)]), "W0751");
    // Another shape on the same registers.
    let wide = "wgmma.mma_async.sync.aligned.m64n16k16.f16.f16.f16 {%d0, %d1, %d2, %d3}, %da, %db, 1, 1, 1, 0, 0;";
    assert_eq!(code(&[("PRODUCT", &format!("{PRODUCT} {wide}"))]), "W0737");
    let waited = format!(
        "{PRODUCT} wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0; wgmma.fence.sync.aligned; {wide}"
    );
    assert_eq!(code(&[("PRODUCT", &waited)]), "ok");
    // The accumulator of one product as a fragment of the next.
    let chained = format!(
        "{PRODUCT} {}",
        IN_REGISTERS
            .replace("%d", "%e")
            .replace("%ea", "%da")
            .replace("%eb", "%db")
            .replace("%a0, %a1, %a2, %a3", "%d0, %d1, %d2, %d3")
    );
    assert_eq!(code(&[("PRODUCT", &chained)]), "W0737");
}

#[test]
fn factors_that_change() {
    let store = |at: u32| {
        format!("setp.ne.u32 %p, %t, 0; @%p bra AWAY; st.shared.b32 [factors+{at}], 7; AWAY:")
    };
    // A, B, and what is neither.
    assert_eq!(code(&[("BETWEEN", &store(16))]), "W0737");
    assert_eq!(code(&[("BETWEEN", &store(4096 + 128))]), "W0737");
    assert_eq!(code(&[("BETWEEN", &store(20000))]), "ok");
    // A bulk copy into a factor.
    let copy = "setp.ne.u32 %p, %t, 0; @%p bra AWAY; mbarrier.init.shared.b64 [full], 1; \
        cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [factors], [%in], 16, [full]; AWAY:";
    assert_eq!(code(&[("BETWEEN", copy)]), "W0737");
    assert_ne!(code(&[("AFTER", copy)]), "W0737");
}

#[test]
fn warpgroups_that_are_not_together() {
    let skip = format!("setp.lt.u32 %p, %t, 32; @%p bra AWAY; {PRODUCT} AWAY:");
    let without_one = [("PRODUCT", skip.as_str()), ("AFTER", "@%p exit;")];
    assert!(matches!(code(&without_one), "W0720" | "W0722"));
    let leave = format!("setp.lt.u32 %p, %t, 32; @%p exit; {PRODUCT}");
    assert_eq!(code(&[("PRODUCT", &leave)]), "W0720");
    let part = format!("setp.lt.u32 %p, %lane, 16; @%p bra AWAY; {PRODUCT} AWAY:");
    assert_eq!(code(&[("PRODUCT", &part)]), "W0720");
    let other =
        format!("shr.u32 %w, %t, 5; cvt.u64.u32 %far, %w; add.u64 %db, %db, %far; {PRODUCT}");
    assert_eq!(code(&[("PRODUCT", &other)]), "W0720");
    let lanes = format!("cvt.u64.u32 %far, %lane; add.u64 %db, %db, %far; {PRODUCT}");
    assert_eq!(code(&[("PRODUCT", &lanes)]), "W0725");
    let adds = format!("setp.ne.u32 %adds, %lane, 0; {PRODUCT}");
    assert_eq!(code(&[("PRODUCT", &adds)]), "W0725");
    let (code, shown) = run(&text(&[]), 96, 0).expect_err("three warps");
    assert_eq!(code, "W0725", "{shown}");
    // Two of the same instruction in another order.
    let turned = format!(
        "setp.lt.u32 %p, %t, 64; @%p bra ONE; {PRODUCT} bra BOTH; ONE: {} BOTH:",
        PRODUCT.replace(", 1, 1, 0", ", -1, 1, 0")
    );
    assert_eq!(self::code(&[("PRODUCT", &turned)]), "W0720");
}

#[test]
fn descriptors_that_lead_nowhere() {
    let with = |change: &str| {
        let product = format!("{change} {PRODUCT}");
        match run(&text(&[("PRODUCT", &product)]), 128, 0) {
            Ok(_) => "ok".to_owned(),
            Err((code, shown)) => {
                assert!(
                    code != "W0712" || shown.contains("the descriptor of"),
                    "{shown}"
                );
                code.to_owned()
            }
        }
    };
    assert_eq!(with(""), "ok");
    assert_eq!(with("mov.u64 %db, 0;"), "W0712");
    assert_eq!(with("mov.u64 %db, -1;"), "W0712");
    assert_eq!(with("or.b64 %da, %da, 0x3fff00000000;"), "W0712");
    // Bits that mean nothing, and other swizzles of the same memory.
    assert_eq!(with("or.b64 %da, %da, 0x3ff000000000c000;"), "ok");
    for swizzle in 1..4u64 {
        assert_eq!(
            with(&format!("or.b64 %da, %da, {:#x};", swizzle << 62)),
            "ok"
        );
    }
}

/// One thread of the warpgroup tells who fills the factors anew that all warps are done: its wait is enough.
#[test]
fn one_wait_is_enough_for_others() {
    let refill = "setp.ne.u32 %p, %t, 96; @%p bra AWAY; st.shared.b32 [factors+64], 7; AWAY:";
    for seed in 0..8 {
        let outcome = run(&text(&[("AFTER", refill)]), 128, seed);
        let (found, warnings) = outcome.unwrap_or_else(|(_, shown)| panic!("{seed}: {shown}"));
        assert!(warnings.is_empty());
        check(&found, |row, k, column| a(row, k) * b(k, column));
    }
}

/// A fifth warp changes a factor when one thread of the warpgroup has told it that its own wait is over: nothing else orders what the
/// other warps read.
#[test]
fn one_arrival_for_all_warps() {
    let changes = [
        (
            "PROXY",
            "setp.eq.u32 %p, %t, 0; @%p mbarrier.init.shared.b64 [full], 1; fence.proxy.async.shared::cta;",
        ),
        ("FENCE", "setp.ge.u32 %p, %t, 128; @%p bra PRODUCER; wgmma.fence.sync.aligned;"),
        (
            "AFTER",
            "setp.ne.u32 %more, %t, 96; @%more bra JOIN; mbarrier.arrive.shared.b64 _, [full]; bra JOIN;
             PRODUCER: mbarrier.try_wait.parity.shared.b64 %more, [full], 0; @!%more bra PRODUCER;
             st.shared.b32 [factors+64], 7; JOIN:",
        ),
    ];
    for seed in 0..8 {
        let outcome = run(&text(&changes), 160, seed);
        let (found, warnings) = outcome.unwrap_or_else(|(_, shown)| panic!("{seed}: {shown}"));
        // Lanes and warps that write the same values.
        assert!(warnings.iter().all(|code| *code == "W0744"), "{warnings:?}");
        check(&found, |row, k, column| a(row, k) * b(k, column));
    }
    // Without the wait of that thread it is too early.
    let early = [changes[0], changes[1], changes[2], ("WAIT", "")];
    let (code, shown) = run(&text(&early), 160, 1).expect_err("no wait");
    assert!(matches!(code, "W0737" | "W0738"), "{shown}");
}

/// Whatever descriptors contain, the answer is a result or a finding.
#[test]
fn any_descriptor() {
    let mut random = warpc_testkit::Random::new(7);
    let (mut ran, mut refused) = (0, 0);
    for round in 0..400 {
        // Some of the bits of the right descriptors are kept.
        let keep = if round % 2 == 0 { 0 } else { 0x3ff };
        let [a, b] = [(); 2].map(|()| random.bits() & !keep);
        let product = format!(
            "and.b64 %da, %da, {keep:#x}; or.b64 %da, %da, {a:#x}; and.b64 %db, %db, {keep:#x}; or.b64 %db, %db, {b:#x}; {PRODUCT}"
        );
        match run(&text(&[("PRODUCT", &product)]), 128, 0) {
            Ok(_) => ran += 1,
            Err((code, shown)) => {
                assert!(matches!(code, "W0712" | "W0731"), "{shown}");
                refused += 1;
            }
        }
    }
    assert!(ran + refused == 400 && refused > 200, "{ran} {refused}");
}
