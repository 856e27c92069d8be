//! Native code against the interpreter, which is its judge: the same bytes and the same counts.
//!
//! Random loops over words, doubles, predicates and singles, with constants at the ends of their ranges. Some end after as many rounds in
//! all lanes, some part the warp, and some blocks are not whole warps.

use std::fmt::Write;
use warpc_diag::{SourceFile, render_human};
use warpc_sim::{Argument, Device, Launch, Options, Report};
use warpc_testkit::Random;

const WORDS: usize = 8;
const DOUBLES: usize = 4;
const PREDICATES: usize = 3;

/// Operations that have native code. `W`, `D`, `P` are registers, `w`, `d` registers or numbers, `s` a distance.
const OPERATIONS: &[&str] = &[
    "add.u32 W, W, w",
    "sub.u32 W, W, w",
    "sub.u32 W, w, W",
    "mul.lo.u32 W, W, w",
    "mad.lo.u32 W, W, w, W",
    "and.b32 W, W, w",
    "or.b32 W, W, w",
    "xor.b32 W, W, w",
    "not.b32 W, W",
    "mov.u32 W, w",
    "shl.b32 W, W, s",
    "shr.u32 W, W, s",
    "shr.s32 W, W, s",
    "min.u32 W, W, w",
    "min.s32 W, W, w",
    "max.u32 W, W, w",
    "max.s32 W, W, w",
    "selp.b32 W, W, w, P",
    "cvt.rn.f32.u32 W, W",
    "cvt.rn.f32.s32 W, W",
    "add.f32 W, W, W",
    "sub.f32 W, W, W",
    "mul.f32 W, W, W",
    "fma.rn.f32 W, W, W, W",
    "setp.lt.u32 P, W, w",
    "setp.le.s32 P, W, w",
    "setp.ne.u32 P, W, w",
    "setp.hs.u32 P, W, w",
    "setp.gt.s32 P, W, w",
    "setp.eq.f32 P, W, W",
    "setp.ne.f32 P, W, W",
    "setp.lt.f32 P, W, W",
    "setp.gtu.f32 P, W, W",
    "setp.nan.f32 P, W, W",
    "setp.num.f32 P, W, W",
    "setp.ge.f32 P, W, W",
    "setp.lo.u64 P, D, d",
    "setp.ge.s64 P, D, d",
    "setp.eq.u64 P, D, d",
    "setp.hi.u64 P, D, d",
    "mov.u64 D, d",
    "add.u64 D, D, d",
    "sub.u64 D, D, d",
    "mul.lo.u64 D, D, d",
    "mad.lo.u64 D, D, d, D",
    "and.b64 D, D, d",
    "or.b64 D, D, d",
    "xor.b64 D, D, d",
    "shl.b64 D, D, s",
    "shr.u64 D, D, s",
    "shr.s64 D, D, s",
    "cvt.u64.u32 D, W",
    "cvt.s64.s32 D, W",
    "cvt.u32.u64 W, D",
    "mul.wide.u32 D, W, w",
    "mul.wide.s32 D, W, w",
    "mad.wide.u32 D, W, w, D",
    "mad.wide.s32 D, W, w, D",
    "selp.b64 D, D, d, P",
    // These have none.
    "popc.b32 W, W",
    "div.u32 W, W, 7",
];

const NUMBERS: [u64; 9] = [
    0,
    1,
    31,
    0x7f80_0000,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    1664525,
    0xffff,
];

/// An operation with registers and numbers.
fn operation(random: &mut Random) -> String {
    let template = OPERATIONS[random.below(OPERATIONS.len())];
    let (opcode, operands) = template.split_once(' ').expect("an opcode");
    let operands = operands.split(", ").map(|one| match one {
        "W" => format!("%w{}", random.below(WORDS)),
        "D" => format!("%d{}", random.below(DOUBLES)),
        "P" => format!("%p{}", random.below(PREDICATES)),
        "s" => random.below(70).to_string(),
        "w" | "d" if random.below(2) == 0 => NUMBERS[random.below(NUMBERS.len())].to_string(),
        "w" => format!("%w{}", random.below(WORDS)),
        "d" => format!("%d{}", random.below(DOUBLES)),
        other => other.to_owned(),
    });
    format!("{opcode} {};", operands.collect::<Vec<_>>().join(", "))
}

fn kernel(random: &mut Random) -> String {
    let mut text = format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n.entry k(.param .u64 out) {{\n\
         .reg .b32 %w<{WORDS}>, %t, %n, %b, %s;\n.reg .b64 %d<{DOUBLES}>, %a, %o;\n.reg .pred %p<{PREDICATES}>, %q;\n\
         ld.param.u64 %a, [out];\nmov.u32 %t, %tid.x;\nmov.u32 %b, %ctaid.x;\nmov.u32 %s, %ntid.x;\n\
         mad.lo.u32 %b, %b, %s, %t;\n"
    );
    let mut line = |one: String| writeln!(text, "{one}").expect("a string takes all");
    for one in 0..WORDS {
        let factor = 0x9e37_79b9u32.wrapping_mul(one as u32 + 1);
        line(format!("mul.lo.u32 %w{one}, %b, {factor};"));
    }
    for one in 0..DOUBLES {
        line(format!("mul.wide.u32 %d{one}, %w{one}, %w{};", one + 1));
    }
    for one in 0..PREDICATES {
        line(format!("setp.gt.s32 %p{one}, %w{one}, 0;"));
    }
    for loops in 0..2 {
        let rounds = [300, 1000, 3000][random.below(3)];
        // As many in all lanes, or more in some.
        line(match random.below(3) {
            0 => format!("and.b32 %n, %t, 3;\nadd.u32 %n, %n, {rounds};"),
            _ => format!("mov.u32 %n, {rounds};"),
        });
        line(format!("LOOP{loops}:"));
        for _ in 0..3 + random.below(12) {
            line(operation(random));
        }
        line("sub.u32 %n, %n, 1;\nsetp.ne.u32 %q, %n, 0;".to_owned());
        line(format!("@%q bra LOOP{loops};"));
        for _ in 0..12 {
            line(operation(random));
        }
    }
    let bytes = WORDS * 4 + DOUBLES * 8;
    line(format!(
        "mul.wide.u32 %o, %b, {bytes};\nadd.u64 %a, %a, %o;"
    ));
    for one in 0..WORDS {
        line(format!("st.global.u32 [%a+{}], %w{one};", 4 * one));
    }
    for one in 0..DOUBLES {
        line(format!(
            "st.global.u64 [%a+{}], %d{one};",
            WORDS * 4 + 8 * one
        ));
    }
    text += "ret;\n}\n";
    text
}

fn run(text: &str, block: u32, native: bool) -> (Vec<u8>, Report) {
    let file = SourceFile::new("k.ptx", text.to_owned()).expect("a short text");
    let checked = warpc_ptx::check(&file);
    let said = || render_human(&file, &checked.diagnostics, false);
    assert!(!checked.diagnostics.has_errors(), "{}\n{text}", said());
    let options = Options {
        native,
        jobs: 1,
        ..Options::default()
    };
    let mut device = Device::new(checked.value.as_ref().expect("a module"), options);
    let bytes = 3 * block as usize * (WORDS * 4 + DOUBLES * 8);
    let out = device.buffer(&vec![0; bytes]);
    let report = device.launch(&Launch {
        kernel: "k".to_owned(),
        grid: [3, 1, 1],
        block: [block, 1, 1],
        cluster: None,
        dynamic_shared: 0,
        cooperative: false,
        arguments: vec![Argument::Buffer(out)],
    });
    let report = report.unwrap_or_else(|found| panic!("{}", render_human(&file, &found, false)));
    (device.read(out), report)
}

#[test]
fn random_loops_are_as_the_interpreter_has_them() {
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let text = kernel(&mut random);
        let block = [32, 64, 72][seed as usize % 3];
        let (native, interpreted) = (run(&text, block, true), run(&text, block, false));
        let first = native
            .0
            .iter()
            .zip(&interpreted.0)
            .position(|(a, b)| a != b);
        assert_eq!(first, None, "seed {seed}:\n{text}");
        let counts = |report: &Report| format!("{:?}", report.counts);
        assert_eq!(
            counts(&native.1),
            counts(&interpreted.1),
            "seed {seed}:\n{text}"
        );
    }
}

/// A loop without an end is found as ever.
#[test]
fn a_loop_without_end_is_limited() {
    let text = ".version 8.0\n.target sm_80\n.address_size 64\n.entry k(.param .u64 out) {\n.reg .b32 %w;\n.reg .pred %p;\n\
                mov.u32 %w, 1;\nLOOP: xor.b32 %w, %w, 6; add.u32 %w, %w, 3; setp.ne.u32 %p, %w, 0x40000000; and.b32 %w, %w, 0xffff;\n\
                @%p bra LOOP;\nret;\n}\n";
    let file = SourceFile::new("k.ptx", text.to_owned()).expect("a short text");
    let module = warpc_ptx::check(&file).value.expect("a module");
    let found = [true, false].map(|native| {
        let options = Options {
            native,
            limit: Some(10_000_000),
            ..Options::default()
        };
        let mut device = Device::new(&module, options);
        let out = device.buffer(&[0; 8]);
        let launch = Launch {
            kernel: "k".to_owned(),
            grid: [1; 3],
            block: [32, 1, 1],
            cluster: None,
            dynamic_shared: 0,
            cooperative: false,
            arguments: vec![Argument::Buffer(out)],
        };
        let found = device.launch(&launch).expect_err("it does not end");
        render_human(&file, &found, false)
    });
    assert_eq!(found[0], found[1]);
}
