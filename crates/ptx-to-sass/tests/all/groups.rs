//! Products of a warpgroup: the instructions that they become, and that nobody touches them while they are under way.

use std::fmt::Write;
use warpc_diag::SourceFile;
use warpc_ptx_to_sass::{Level, Options, assemble_observed};

/// The finished code of a kernel with an accumulator of eight registers, `%f0` to `%f7`, at a level.
fn finished(level: Level, statements: &str) -> String {
    let mut text = ".version 8.4\n.target sm_90a\n.address_size 64\n\
         .visible .entry k(.param .u64 p, .param .u64 a, .param .u64 b, .param .u32 n)\n{\n\
         .reg .pred %p<10>;\n.reg .b32 %r<60>;\n.reg .b64 %rd<60>;\n.reg .f32 %f<60>;\n\
         ld.param.u64 %rd1, [p];\nld.param.u64 %rd2, [a];\nld.param.u64 %rd3, [b];\nld.param.u32 %r1, [n];\n\
         setp.ne.u32 %p1, %r1, 0;\n"
        .to_owned();
    for i in 0..8 {
        writeln!(text, "ld.global.f32 %f{i}, [%rd1+{}];", 4 * i).expect("a string takes all");
    }
    text += statements;
    for i in 0..8 {
        writeln!(text, "st.global.f32 [%rd1+{}], %f{i};", 4 * i).expect("a string takes all");
    }
    text += "ret;\n}\n";
    let file = SourceFile::new("k.ptx", text).expect("a short text");
    let checked = warpc_ptx::check(&file);
    let module = checked
        .value
        .unwrap_or_else(|| panic!("{:?}", checked.diagnostics));
    let mut options = Options::default();
    options.level = level;
    options.verify = true;
    let mut seen = String::new();
    let made = assemble_observed(&module, &options, &mut |name, code| {
        if name == "schedule" {
            seen.clear();
            write!(seen, "{code}").expect("a string takes all");
        }
    });
    assert!(made.value.is_some(), "{:?}", made.diagnostics);
    seen
}

/// How many lines have a text.
fn count(code: &str, text: &str) -> usize {
    code.lines().filter(|line| line.contains(text)).count()
}

const FENCE: &str = "wgmma.fence.sync.aligned;\n";
const COMMIT: &str = "wgmma.commit_group.sync.aligned;\n";

fn wait(left: u32) -> String {
    format!("wgmma.wait_group.sync.aligned {left};\n")
}

/// A product with an accumulator from a register on.
fn product(first: usize, adds: &str) -> String {
    let names: Vec<String> = (first..first + 8).map(|i| format!("%f{i}")).collect();
    format!(
        "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {{{}}}, %rd2, %rd3, {adds}, 1, 1, 0, 0;\n",
        names.join(", ")
    )
}

#[test]
fn a_group_of_two_products_has_no_moves() {
    let two = [product(0, "%p1"), product(0, "1")].concat();
    let code = finished(Level::O3, &format!("{FENCE}{two}{COMMIT}{}", wait(0)));
    assert_eq!(count(&code, "HGMMA.64x16x16.F32"), 2, "{code}");
    assert_eq!(
        count(&code, "gsb0"),
        2,
        "one product ends the group\n{code}"
    );
    assert_eq!(count(&code, "WARPGROUP.ARRIVE"), 1, "{code}");
    assert_eq!(count(&code, "WARPGROUP.DEPBAR.LE gsb0, 0x0"), 1, "{code}");
    assert_eq!(count(&code, "MOV R"), 0, "{code}");
}

#[test]
fn a_predicate_becomes_uniform_and_a_constant_one_goes() {
    let code = finished(
        Level::O3,
        &format!("{FENCE}{}{COMMIT}{}", product(0, "%p1"), wait(0)),
    );
    assert_eq!(count(&code, "VOTEU.ANY"), 1, "{code}");
    let code = finished(
        Level::O3,
        &format!(
            "mov.pred %p2, -1;\n{FENCE}{}{COMMIT}{}",
            product(0, "%p2"),
            wait(0)
        ),
    );
    assert_eq!(count(&code, "VOTEU"), 0, "{code}");
    let code = finished(
        Level::O3,
        &format!(
            "mov.pred %p2, 0;\n{FENCE}{}{COMMIT}{}",
            product(0, "%p2"),
            wait(0)
        ),
    );
    assert_eq!(count(&code, "RZ, !UPT"), 1, "{code}");
}

#[test]
fn an_empty_group_is_a_product_of_nothing() {
    let code = finished(
        Level::O3,
        &format!("{FENCE}{}{COMMIT}{COMMIT}{}", product(0, "1"), wait(1)),
    );
    assert_eq!(count(&code, "RZ, gdesc[URZ], RZ, !UPT, gsb0"), 1, "{code}");
    assert_eq!(count(&code, "WARPGROUP.DEPBAR.LE gsb0, 0x1"), 1, "{code}");
}

/// Copies of a result that is under way, as compilers make them, are no moves and no waits.
#[test]
fn copies_of_results_under_way_go() {
    let mut copies = String::new();
    for i in 0..8 {
        writeln!(copies, "mov.f32 %f{}, %f{i};", 10 + i).expect("a string takes all");
    }
    let mut back = String::new();
    for i in 0..8 {
        writeln!(back, "mov.f32 %f{i}, %f{};", 10 + i).expect("a string takes all");
    }
    let statements = format!(
        "{FENCE}{}{copies}{}{COMMIT}{back}{}",
        product(0, "1"),
        product(10, "1"),
        wait(0)
    );
    for level in [Level::O0, Level::O3] {
        let code = finished(level, &statements);
        assert_eq!(count(&code, "DEPBAR"), 1, "{code}");
    }
    let code = finished(Level::O3, &statements);
    assert_eq!(count(&code, "MOV R"), 0, "{code}");
}

/// What reads a result that is under way waits first, though PTX has no wait.
#[test]
fn a_read_of_a_result_under_way_waits() {
    let code = finished(
        Level::O3,
        &format!("{FENCE}{}{COMMIT}add.f32 %f0, %f0, %f1;\n", product(0, "1")),
    );
    let waits = code.lines().position(|line| line.contains("DEPBAR"));
    let reads = code.lines().position(|line| line.contains("FADD"));
    assert!(waits.is_some() && waits < reads, "{code}");
}

/// The same in an open group, which must be ended first.
#[test]
fn a_read_in_an_open_group_ends_it() {
    let code = finished(
        Level::O3,
        &format!("{FENCE}{}add.f32 %f0, %f0, %f1;\n", product(0, "1")),
    );
    assert!(count(&code, "RZ, gdesc[URZ], RZ, !UPT, gsb0") > 0, "{code}");
    assert!(count(&code, "WARPGROUP.DEPBAR.LE gsb0, 0x0") > 0, "{code}");
}

/// What is loaded while a product runs goes to registers that it does not use.
#[test]
fn registers_of_products_under_way_are_not_taken() {
    let mut loads = String::new();
    for i in 20..52 {
        writeln!(loads, "ld.global.f32 %f{i}, [%rd1+{}];", 4 * i).expect("a string takes all");
    }
    for i in 20..52 {
        writeln!(loads, "st.global.f32 [%rd1+{}], %f{i};", 4 * i + 512)
            .expect("a string takes all");
    }
    // The accumulator is dead after the product, and still written.
    let mut dead = String::new();
    for i in 0..8 {
        writeln!(dead, "mov.f32 %f{i}, 0f00000000;").expect("a string takes all");
    }
    let code = finished(
        Level::O3,
        &format!("{FENCE}{}{COMMIT}{loads}{}{dead}", product(0, "1"), wait(0)),
    );
    let product = code
        .lines()
        .find(|line| line.contains("HGMMA"))
        .expect("a product");
    let first: usize = product
        .split("F32 R")
        .nth(1)
        .and_then(|rest| rest.split(',').next()?.parse().ok())
        .expect("a register");
    let mut inside = code
        .lines()
        .skip_while(|line| !line.contains("HGMMA"))
        .take_while(|line| !line.contains("DEPBAR"))
        .filter(|line| line.contains("LDG"));
    for number in first..first + 8 {
        let taken = inside.find(|line| line.contains(&format!(" R{number}, desc")));
        assert!(taken.is_none(), "R{number}\n{code}");
    }
}

/// The descriptor of B is needed until the product, wherever A is.
#[test]
fn descriptors_are_kept_for_a_factor_in_registers() {
    let names: Vec<String> = (0..8).map(|i| format!("%f{i}")).collect();
    let product = |b: &str| {
        format!(
            "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {{{}}}, {{%r10, %r11, %r12, %r13}}, {b}, 1, 1, 1, 0;\n",
            names.join(", ")
        )
    };
    let loads = "ld.global.v4.b32 {%r10, %r11, %r12, %r13}, [%rd1+64];\n";
    let code = finished(
        Level::O3,
        &format!(
            "{loads}{FENCE}{}{}{COMMIT}{}",
            product("%rd2"),
            product("%rd3"),
            wait(0)
        ),
    );
    let mut uppers = Vec::new();
    for line in code.lines() {
        if let Some(rest) = line.split("R2UR UR").nth(1) {
            let number: u32 = rest
                .split(',')
                .next()
                .and_then(|one| one.parse().ok())
                .expect("a register");
            uppers.push(number);
        }
        if let Some(rest) = line.split("gdesc[UR").nth(1) {
            let first: u32 = rest
                .split(']')
                .next()
                .and_then(|one| one.parse().ok())
                .expect("a register");
            assert_eq!(first % 4, 0, "{code}");
            for half in [first + 2, first + 3] {
                assert!(uppers.contains(&half), "UR{half}\n{code}");
            }
            uppers.retain(|one| one / 4 != first / 4);
        }
    }
    assert_eq!(count(&code, "gdesc"), 2, "{code}");
}

#[test]
fn a_wait_for_groups_waits_for_no_scoreboard() {
    // On the way around the products the fence is still under way; the wait cannot be for it, and who accesses memory is.
    let all = format!(
        "fence.proxy.async.shared::cta;\n@!%p1 bra DONE;\nbar.sync 0;\n{FENCE}{}{COMMIT}DONE:\n{}",
        product(0, "1"),
        wait(0)
    );
    for level in [Level::O0, Level::O3] {
        let code = finished(level, &all);
        assert!(count(&code, "WARPGROUP.DEPBAR.LE gsb0, 0x0") > 0, "{code}");
    }
}

#[test]
fn cubins_say_which_sparse_products_they_have() {
    let kinds = [
        ("m64n8k32.f32.f16.f16", "%f", ", 1, 1, 0, 0", 0x2),
        ("m64n8k64.f32.e4m3.e4m3", "%f", ", 1, 1", 0x1),
        ("m64n8k64.s32.s8.s8", "%r", "", 0x4),
    ];
    for (kind, file, signs, mask) in kinds {
        let text = format!(
            ".version 8.4\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u32 m)\n{{\n\
             .reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b32 %m; .reg .pred %p;\n\
             ld.param.u64 %rd1, [p]; ld.param.u32 %m, [m]; setp.ne.u32 %p, %m, 7;\n\
             {FENCE}wgmma.mma_async.sp.sync.aligned.{kind} {{{file}1,{file}2,{file}3,{file}4}}, %rd1, %rd1, %m, 0, %p{signs};\n\
             {COMMIT}{}st.global.b32 [%rd1], {file}1; ret;\n}}\n",
            wait(0)
        );
        let file = SourceFile::new("k.ptx", text).expect("a short text");
        let checked = warpc_ptx::check(&file);
        let module = checked
            .value
            .unwrap_or_else(|| panic!("{:?}", checked.diagnostics));
        let made = assemble_observed(&module, &Options::default(), &mut |_, _| {});
        let cubin = made
            .value
            .unwrap_or_else(|| panic!("{:?}", made.diagnostics));
        let (_, info) = cubin.section(".nv.info.k").expect("attributes");
        let records = format!("{info:?}");
        let wanted = warpc_cubin::Record::half(warpc_cubin::attribute::info::SPARSE_MMA_MASK, mask);
        assert!(
            records.contains(&format!("{wanted:?}")),
            "{kind}: {records}"
        );
    }
}
