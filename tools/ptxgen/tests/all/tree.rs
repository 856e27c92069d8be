//! The generator: the same seed gives the same text, programs have what they should, reduction finds a planted fault.

use warpc_ptxgen::draft::{self, Choices};
use warpc_ptxgen::judge::{self, Fault};
use warpc_ptxgen::program::Program;
use warpc_ptxgen::reduce::reduce_by;

#[test]
fn a_seed_has_one_text() {
    for seed in 0..20 {
        let text = || draft::program(seed, Choices::default()).text_with_launches();
        assert_eq!(text(), text());
    }
}

/// Every family occurs in a few hundred programs.
#[test]
fn programs_have_every_family() {
    let mut all = String::new();
    for seed in 0..400 {
        all.push_str(&draft::program(seed, Choices::default()).text());
    }
    let wanted = [
        "add.cc",
        "madc.",
        "mul24",
        "mul.wide",
        "mad.hi",
        "bfe.s64",
        "bfi.b64",
        "lop3",
        "shf.",
        "prmt",
        "div.s64",
        "rem.u32",
        "div.u16",
        "ld.global.v4.u8",
        ".v2.f64",
        "st.local",
        "ld.const",
        "ld.param.v",
        "atom.",
        "red.",
        "cas.b64",
        "vote.sync",
        "match.all",
        "redux.sync",
        "shfl.sync",
        "bar.sync",
        "bar.warp.sync",
        "cvta.shared",
        "SECOND_",
        "FAR_",
        "brx.idx",
        "call",
        "fma.rn.f16x2",
        "fma.rn.relu.bf16",
        "cvt.rpi.s64.f64",
        "cvt.rz.f16.f32",
        "vadd.",
        "vset4.",
        "vmad.",
        "cvt.rn.satfinite.e4m3x2",
        "tf32.f32",
        "cvt.pack",
        "mma.sync.aligned.m16n8k16",
        "mma.sp.sync",
        "ldmatrix",
        "stmatrix",
        "movmatrix",
        "cp.async.ca",
        "cp.async.bulk.global",
        "cp.async.bulk.shared",
        "cp.reduce.async.bulk",
        "mbarrier.try_wait.parity",
        "mbarrier.arrive_drop",
        "cas.b16",
        "exch.b128",
        "add.noftz.f16",
        ".v4.f32.add",
        ".acq_rel.sys",
        "bar.red.popc",
        "bar.arrive",
        "barrier.cluster",
        ".callprototype",
        "alloca",
        "setp.nan",
        "slct",
        ".ftz",
        ".sat",
        "ret;",
    ];
    let missing: Vec<_> = wanted.iter().filter(|text| !all.contains(*text)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// A judge that calls every program with a `popc` wrong leaves little else.
#[test]
fn reduction_keeps_what_fails() {
    let fails = |program: &Program| program.text().contains("popc.b32");
    let seeds = 0..300;
    let mut programs = seeds.map(|seed| draft::program(seed, Choices::default()));
    let program = programs.find(fails).expect("some program counts bits");
    let fault = Fault {
        way: "O3",
        kind: "bytes",
        what: String::new(),
    };
    let mut planted = |candidate: &Program| {
        let valid = judge::reference(&candidate.case()).is_ok();
        (valid && fails(candidate)).then(|| fault.clone())
    };
    let small = reduce_by(&program, &fault, &mut planted);
    assert!(fails(&small));
    judge::reference(&small.case()).expect("what is left is valid");
    let (before, after) = (program.text().lines().count(), small.text().lines().count());
    assert!(
        after < 30 && after < before,
        "{before} lines became {after}:\n{}",
        small.text()
    );
}
