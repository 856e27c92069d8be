//! The phases of synchronisation: what each does, what its knob changes, and where it must not act.

use warpc::{Knobs, Options, PHASES, Source, assemble, disassemble};

/// The opcodes of a kernel, in order, with the choices made by `choose`.
fn code(text: &str, choose: impl Fn(&mut Options)) -> Vec<String> {
    let mut options = Options::new("sm_90a".parse().expect("a chip"));
    options.assembler.verify = true;
    choose(&mut options);
    let source = Source::new("kernel.ptx", text).expect("it is short");
    let cubin = assemble(&source, &options).into_result();
    let cubin = cubin.unwrap_or_else(|found| panic!("{found}\n{text}"));
    let source = Source::new("kernel.cubin", cubin.write()).expect("it is short");
    let listing = disassemble(&source, &options).unwrap();
    let lines = listing.lines().filter_map(|line| {
        let (_, rest) = line.split_once("*/ ")?;
        let mut words = rest
            .split_whitespace()
            .filter(|word| !word.starts_with('@'));
        let name = words.next()?.trim_end_matches(';');
        name.starts_with(char::is_uppercase)
            .then(|| name.to_owned())
    });
    lines.collect()
}

fn knob(setting: &str) -> impl Fn(&mut Options) {
    let mut knobs = Knobs::default();
    knobs.set(setting).expect("a knob");
    move |options| options.assembler.knobs = knobs
}

/// A kernel with this code.
fn kernel(body: &str) -> String {
    format!(
        ".version 8.6\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u32 n)\n{{\n\
         .reg .b32 %r<8>;\n.reg .pred %p<4>;\n.reg .b64 %rd<4>;\n.shared .align 8 .b8 s[64];\n\
         ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [n];\nmov.u32 %r2, %tid.x;\n{body}\nret;\n}}\n"
    )
}

fn count(code: &[String], start: &str) -> usize {
    code.iter().filter(|name| name.starts_with(start)).count()
}

/// How many instructions start so, by default and with a knob.
fn both(body: &str, setting: &str, start: &str) -> (usize, usize) {
    let text = kernel(body);
    let usual = code(&text, |_| {});
    let turned = code(&text, knob(setting));
    (count(&usual, start), count(&turned, start))
}

#[test]
fn phase_25_orders_mbarriers_and_drops_error_barriers() {
    let fence = "fence.acq_rel.gpu;\nst.global.u32 [%rd1], %r2;";
    assert_eq!(both(fence, "DisableErrbarAfterMembar", "ERRBAR"), (1, 0));
    assert_eq!(both(fence, "DisableErrbarAfterMembar", "CGAERRBAR"), (1, 0));
    assert_eq!(both(fence, "DisableErrbarAfterMembar", "MEMBAR"), (1, 1));
    // A kernel with mbarriers has a fence of the block before the wider one; others do not.
    let mbarrier = format!("mov.u32 %r3, s;\nmbarrier.init.shared.b64 [%r3], 32;\n{fence}");
    assert_eq!(both(&mbarrier, "487=0", "MEMBAR.ALL.CTA"), (1, 1));
    assert_eq!(both(fence, "487=0", "MEMBAR.ALL.CTA"), (0, 0));
}

#[test]
fn phase_26_removes_barriers_that_do_nothing() {
    let twice = "bar.sync 1;\nadd.u32 %r2, %r2, %r1;\nbar.sync 1;\nst.global.u32 [%rd1], %r2;";
    assert_eq!(both(twice, "358=0", "BAR.SYNC"), (1, 2));
    assert_eq!(both(twice, "487=0", "BAR.SYNC"), (1, 2));
    assert_eq!(both(twice, "358=1", "BAR.SYNC"), (1, 1));
    // All threads of the block go the same way: `n` is a parameter.
    let around = "bar.sync 1;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra DONE;\nadd.u32 %r2, %r2, %r1;\n\
                  DONE:\nbar.sync 1;\nst.global.u32 [%rd1], %r2;";
    assert_eq!(both(around, "358=0", "BAR.SYNC"), (1, 2));
    assert_eq!(both(around, "358=1", "BAR.SYNC"), (1, 2));
}

#[test]
fn phase_26_keeps_what_threads_could_miss() {
    for body in [
        // Something is stored between them, or loaded.
        "bar.sync 1;\nst.shared.u32 [s], %r2;\nbar.sync 1;",
        "bar.sync 1;\nld.shared.u32 %r3, [s];\nbar.sync 1;\nst.global.u32 [%rd1], %r3;",
        // Different barriers, different counts.
        "bar.sync 1;\nbar.sync 2;",
        "bar.sync 1, 64;\nbar.sync 1, 32;",
        // Threads arrive, and do not wait.
        "bar.arrive 1, 64;\nbar.arrive 1, 64;",
        // Some threads have another barrier of the same number elsewhere: arrivals are counted, wherever they come from.
        "setp.lt.u32 %p1, %r2, 32;\n@%p1 bra OTHER;\nbar.sync 1;\nbar.sync 1;\nbra DONE;\n\
         OTHER:\nbar.sync 1;\nst.shared.u32 [s], %r2;\nbar.sync 1;\nDONE:",
        // Threads go around a loop different numbers of times.
        "LOOP:\nbar.sync 1;\nbar.sync 1;\nsub.u32 %r2, %r2, 1;\nsetp.gt.s32 %p1, %r2, 0;\n@%p1 bra LOOP;",
    ] {
        let text = kernel(body);
        let usual = code(&text, |_| {});
        let none = code(&text, knob("358=0"));
        assert_eq!(count(&usual, "BAR"), count(&none, "BAR"), "{body}");
        assert!(count(&usual, "BAR") >= 2, "{body}");
    }
}

/// A kernel that meets twice, and calls a function after it.
fn calling(declared: &str, call: &str) -> String {
    let body = format!(
        "bar.sync 1;\nbar.sync 1;\n{{\n.param .b32 a;\n.param .b64 b;\n.param .b32 r;\nst.param.b32 [a], %r2;\n\
         st.param.b64 [b], %rd1;\n{call}\nld.param.b32 %r2, [r];\n}}\nst.global.u32 [%rd1], %r2;"
    );
    kernel(&body).replace(".visible .entry", &format!("{declared}\n.visible .entry"))
}

fn function(body: &str) -> String {
    format!(
        ".func (.param .b32 r) f(.param .b32 a)\n{{\n.reg .b32 %q<4>;\nld.param.b32 %q1, [a];\n{body}\n\
         st.param.b32 [r], %q1;\nret;\n}}"
    )
}

#[test]
fn phase_26_looks_into_functions() {
    let call = "call (r), f, (a);";
    let barriers = |text: &str, setting: &str| count(&code(text, knob(setting)), "BAR.SYNC");
    let quiet = calling(&function("add.u32 %q1, %q1, 7;\nbar.warp.sync -1;"), call);
    assert_eq!(
        (barriers(&quiet, "358=3"), barriers(&quiet, "358=2")),
        (1, 2)
    );
    // One that meets others, that ends threads, or that calls what is not known.
    let meets = calling(&function("bar.sync 2;"), call);
    assert_eq!(barriers(&meets, "358=3"), 3);
    let leaves = calling(&function("exit;"), call);
    assert_eq!(barriers(&leaves, "358=3"), 2);
    let through = "prototype: .callprototype (.param .b32 _) _ (.param .b32 _);\n\
                   mov.u64 %rd2, f;\ncall (r), %rd2, (a), prototype;";
    let by_address = calling(&function("add.u32 %q1, %q1, 7;"), through);
    assert_eq!(barriers(&by_address, "358=3"), 2);
}

#[test]
fn phase_26_takes_promises_of_functions_that_are_elsewhere() {
    let declared = ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 b);";
    let text = calling(declared, "call (r), vprintf, (b, b);");
    let barriers = |promised: bool| {
        let choose = |options: &mut Options| {
            options.assembler.extern_functions_do_not_sync = promised;
        };
        count(&code(&text, choose), "BAR.SYNC")
    };
    assert_eq!((barriers(false), barriers(true)), (2, 1));
}

#[test]
fn phase_42_expands_mbarriers() {
    let body = "mov.u32 %r3, s;\nmbarrier.init.shared.b64 [%r3], 32;\nbar.sync 0;\n\
                mbarrier.arrive.shared.b64 %rd2, [%r3];\nWAIT:\n\
                mbarrier.test_wait.shared.b64 %p1, [%r3], %rd2;\n@!%p1 bra WAIT;\nmbarrier.inval.shared.b64 [%r3];";
    let code = code(&kernel(body), |_| {});
    for name in [
        "SYNCS.EXCH.64",
        "SYNCS.ARRIVE",
        "SYNCS.PHASECHK",
        "SYNCS.CCTL.IV",
    ] {
        assert_eq!(count(&code, name), 1, "{name}: {code:?}");
    }
}

#[test]
fn phase_71_drops_fences_after_which_nothing_was_accessed() {
    let twice =
        "fence.sc.gpu;\nadd.u32 %r2, %r2, %r1;\nfence.acq_rel.gpu;\nst.global.u32 [%rd1], %r2;";
    assert_eq!(both(twice, "487=0", "MEMBAR"), (1, 2));
    assert_eq!(both(twice, "487=0", "ERRBAR"), (1, 2));
    let around = "fence.sc.gpu;\nsetp.eq.u32 %p1, %r2, 0;\n@%p1 bra DONE;\nmov.u32 %r3, %clock;\nadd.u32 %r2, %r2, 3;\nDONE:\n\
                  fence.sc.gpu;\nst.global.u32 [%rd1], %r2;";
    // The clock is read in between on one way: nothing is known there.
    assert_eq!(both(around, "472=0", "MEMBAR"), (2, 2));
    let around = around.replace(
        "mov.u32 %r3, %clock;",
        &"mad.lo.u32 %r2, %r2, %r1, %r2;\n".repeat(40),
    );
    assert_eq!(both(&around, "472=0", "MEMBAR"), (1, 2));
}

#[test]
fn phase_71_keeps_fences_that_do_more() {
    for body in [
        "fence.acq_rel.gpu;\nfence.sc.gpu;\nst.global.u32 [%rd1], %r2;",
        "fence.acq_rel.gpu;\nfence.acq_rel.sys;\nst.global.u32 [%rd1], %r2;",
        "fence.sc.gpu;\nst.global.u32 [%rd1], %r2;\nfence.sc.gpu;\nst.global.u32 [%rd1+4], %r2;",
        "fence.sc.gpu;\nld.relaxed.gpu.global.u32 %r3, [%rd1];\nfence.sc.gpu;\nst.global.u32 [%rd1+4], %r3;",
        // One of the fences is not for all threads.
        "setp.eq.u32 %p1, %r2, 0;\n@%p1 fence.sc.gpu;\nfence.sc.gpu;\nst.global.u32 [%rd1], %r2;",
    ] {
        let code = code(&kernel(body), |_| {});
        assert_eq!(count(&code, "MEMBAR"), 2, "{body}: {code:?}");
    }
}

#[test]
fn phase_71_leaves_a_warp_together_that_is() {
    let body = "add.u32 %r3, %r2, 1;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra DONE;\n\
                st.global.u32 [%rd1+8], %r3;\nDONE:\nshfl.sync.idx.b32 %r4, %r3, 0, 31, -1;\nst.global.u32 [%rd1], %r4;";
    assert_eq!(both(body, "487=0", "WARPSYNC"), (0, 1));
    // In a side that some lanes take they have to be waited for.
    let stores = "st.global.u32 [%rd1+8], %r2;\nst.global.u32 [%rd1+16], %r2;\n".repeat(8);
    let parts = format!(
        "setp.eq.u32 %p1, %r2, 0;\n@%p1 bra DONE;\n{stores}\
         shfl.sync.idx.b32 %r4, %r2, 1, 31, 0xfffffffe;\nst.global.u32 [%rd1], %r4;\nDONE:\n{stores}"
    );
    let (usual, without) = both(&parts, "487=0", "WARPSYNC");
    assert_eq!((usual, without), (1, 1));
}

#[test]
fn phase_72_brings_lanes_together_that_parted() {
    let side = "st.global.u32 [%rd1+8], %r2;\natom.global.add.u32 %r4, [%rd1+16], 1;\nst.global.u32 [%rd1+24], %r4;\n";
    let uniform = format!(
        "setp.eq.u32 %p1, %r1, 0;\n@%p1 bra DONE;\n{side}{side}{side}DONE:\nst.global.u32 [%rd1], %r2;"
    );
    // Branches that all lanes take alike need no barrier, if it is looked at.
    assert_eq!(both(&uniform, "487=0", "BSSY"), (0, 1));
    let parts = uniform.replace("%p1, %r1, 0", "%p1, %r2, 0");
    assert_eq!(both(&parts, "487=0", "BSSY"), (1, 1));
    assert_eq!(both(&parts, "487=0", "BSYNC"), (1, 1));
}

#[test]
fn phase_100_waits_for_errors_where_that_is_asked_for() {
    let text = kernel("st.global.u32 [%rd1], %r2;");
    let usual = code(&text, |_| {});
    assert_eq!(count(&usual, "ERRBAR"), 0);
    let waits = code(&text, |options| options.assembler.errors_at_exit = true);
    let at = waits
        .iter()
        .position(|name| name == "EXIT")
        .expect("it ends");
    assert_eq!(waits[at - 2..at], ["ERRBAR", "CGAERRBAR"]);
}

#[test]
fn phases_are_in_order_and_have_passes() {
    let numbers: Vec<u8> = PHASES.iter().map(|phase| phase.number).collect();
    assert_eq!(numbers, [25, 26, 42, 71, 72, 99, 100, 114]);
    for phase in PHASES {
        let mut passes = warpc::machine_pass_names();
        assert!(passes.any(|pass| pass == phase.pass), "{phase:?}");
    }
    let mut knobs = Knobs::default();
    for bad in [
        "359",
        "358=x",
        "487=2",
        "",
        "=1",
        "DisableErrbarAfterMembar=no",
    ] {
        assert!(knobs.set(bad).is_err(), "{bad}");
    }
    assert_eq!(knobs, Knobs::default());
}
