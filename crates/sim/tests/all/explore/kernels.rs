//! Kernels of which it is known what can happen.

use super::{Explored, HEAD, Setting, codes, explore, module, run};
use warpc_sim::Races;
use warpc_sim::explore::Guide;

/// `%r1` is the thread, `%r2` the block, `%rd1` the buffer.
fn kernel(body: &str) -> String {
    format!(
        "{HEAD}.visible .entry k(.param .u64 data) {{\n.reg .b32 %r<16>; .reg .b64 %rd<8>; .reg .pred %p<8>;\n\
         .shared .align 16 .b8 s[256]; .shared .align 8 .b64 bar;\nld.param.u64 %rd1, [data];\nmov.u32 %r1, %tid.x;\n\
         mov.u32 %r2, %ctaid.x;\n{body}\nret;\n}}\n"
    )
}

fn all(body: &str, (grid, block): (u32, u32), races: Races) -> Explored {
    let setting = Setting {
        grid,
        block,
        races,
        init: true,
        most: 2000,
    };
    explore(&kernel(body), setting)
}

/// The values that a word can have in the end.
fn values(explored: &Explored, word: usize) -> Vec<u32> {
    let mut values: Vec<u32> = explored.finals.iter().map(|all| all[word]).collect();
    values.sort_unstable();
    values.dedup();
    values
}

#[test]
fn what_nobody_shares_has_one_schedule() {
    let own = "mad.lo.u32 %r3, %r2, 8, %r1; mul.wide.u32 %rd2, %r3, 4; add.u64 %rd3, %rd1, %rd2;\n\
        st.global.u32 [%rd3], %r3; ld.global.u32 %r4, [%rd3]; add.u32 %r4, %r4, 1; st.global.u32 [%rd3], %r4;";
    let explored = all(own, (2, 8), Races::All);
    assert_eq!((explored.runs, explored.schedules), (1, 1), "{explored:?}");
    assert!(explored.is_all && explored.findings.is_empty());
    assert_eq!(explored.finals.len(), 1);
}

#[test]
fn barriers_and_warp_operations_add_none() {
    let body = "shl.b32 %r3, %r1, 2; mov.u32 %r4, s; add.u32 %r4, %r4, %r3; st.shared.u32 [%r4], %r1; bar.sync 0;\n\
        xor.b32 %r5, %r4, 128; ld.shared.u32 %r6, [%r5]; shfl.sync.bfly.b32 %r7, %r6, 1, 31, -1; bar.warp.sync -1;\n\
        barrier.sync 0; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r7;";
    let explored = all(body, (1, 64), Races::All);
    assert_eq!((explored.runs, explored.schedules), (1, 1), "{explored:?}");
    assert!(explored.findings.is_empty(), "{explored:?}");
}

#[test]
fn a_function_that_is_longer_than_its_kernel_returns() {
    let sums = "add.u32 %r1, %r1, 3;\n".repeat(40);
    let text = format!(
        "{HEAD}.func (.param .u32 out) far(.param .u32 in) {{ .reg .b32 %r<3>; ld.param.u32 %r1, [in];\n{sums}\
         st.param.u32 [out], %r1; ret; }}\n\
         .visible .entry k(.param .u64 data) {{ .reg .b32 %r<3>; .reg .b64 %rd<3>; ld.param.u64 %rd1, [data];\n\
         {{ .param .u32 a; .param .u32 b; st.param.u32 [a], 1; call (b), far, (a); ld.param.u32 %r1, [b]; }}\n\
         st.global.u32 [%rd1], %r1; ret; }}\n"
    );
    let setting = Setting {
        grid: 1,
        block: 1,
        races: Races::All,
        init: true,
        most: 10,
    };
    let explored = explore(&text, setting);
    assert!(explored.findings.is_empty(), "{explored:?}");
    assert_eq!(values(&explored, 0), [121]);
}

#[test]
fn a_lost_update_is_found() {
    let body = "ld.relaxed.gpu.global.u32 %r3, [%rd1]; add.u32 %r3, %r3, 1; st.relaxed.gpu.global.u32 [%rd1], %r3;";
    let explored = all(body, (2, 1), Races::All);
    assert!(
        explored.is_all && explored.findings.is_empty(),
        "{explored:?}"
    );
    assert_eq!(values(&explored, 0), [1, 2]);
}

#[test]
fn sums_commute_and_old_values_do_not() {
    let sum = "red.relaxed.gpu.global.add.u32 [%rd1], %r1;";
    let explored = all(sum, (1, 32), Races::All);
    assert_eq!(explored.runs, 1, "{explored:?}");
    let most = all(&sum.replace(".add", ".max"), (1, 32), Races::All);
    assert_eq!((most.runs, values(&most, 0)), (1, vec![31]));
    let old = "atom.relaxed.gpu.global.add.u32 %r3, [%rd1], 1; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd3, %rd1, %rd2;\n\
        st.global.u32 [%rd3+4], %r3;";
    let explored = all(old, (1, 4), Races::All);
    assert_eq!((explored.schedules, explored.finals.len()), (24, 24));
    assert_eq!(explored.runs, 24, "nothing is run twice");
    // Two operations on one word do not commute with each other.
    let two = "setp.eq.u32 %p1, %r1, 0; @%p1 red.relaxed.gpu.global.add.u32 [%rd1], 1; \
        @!%p1 red.relaxed.gpu.global.max.u32 [%rd1], 1;";
    let explored = all(two, (1, 2), Races::All);
    assert_eq!(values(&explored, 0), [1, 2]);
}

/// Thread 0 of block 0 writes data and a flag, that of block 1 waits for it.
const MESSAGE: &str = "setp.ne.u32 %p1, %r2, 0; @%p1 bra READ;\nst.global.u32 [%rd1], 7;\n\
    @@;\nbra END;\nREAD:\nld.acquire.gpu.global.u32 %r3, [%rd1+4]; setp.eq.u32 %p1, %r3, 0;\n@%p1 bra READ;\n\
    ld.global.u32 %r4, [%rd1]; st.global.u32 [%rd1+8], %r4;\nEND:\n";

#[test]
fn a_waiting_loop_ends() {
    let right = MESSAGE.replace("@@", "st.release.gpu.global.u32 [%rd1+4], 1");
    let explored = all(&right, (2, 1), Races::All);
    assert!(
        explored.is_all && explored.findings.is_empty(),
        "{explored:?}"
    );
    assert_eq!(values(&explored, 2), [7]);
    assert_eq!(
        (explored.schedules, explored.runs),
        (1, 2),
        "one that waited in vain"
    );
    let racy = MESSAGE.replace("@@", "st.relaxed.gpu.global.u32 [%rd1+4], 1");
    assert!(codes(&all(&racy, (2, 1), Races::All)).contains("W0740"));
    let never = MESSAGE.replace("@@", "st.release.gpu.global.u32 [%rd1+12], 1");
    let explored = all(&never, (2, 1), Races::Off);
    assert_eq!(codes(&explored).into_iter().collect::<Vec<_>>(), ["W0723"]);
    assert!(explored.finals.is_empty());
}

#[test]
fn a_lock_excludes() {
    let body = "LOCK: atom.acquire.gpu.global.cas.b32 %r3, [%rd1+4], 0, 1; setp.ne.u32 %p1, %r3, 0;\n@%p1 bra LOCK;\n\
        ld.global.u32 %r4, [%rd1]; add.u32 %r4, %r4, 1; st.global.u32 [%rd1], %r4;\n\
        st.release.gpu.global.u32 [%rd1+4], 0;";
    for races in [Races::Off, Races::All] {
        let explored = all(body, (3, 1), races);
        assert!(
            explored.is_all && explored.findings.is_empty(),
            "{explored:?}"
        );
        assert_eq!(values(&explored, 0), [3]);
        assert_eq!(explored.schedules, 6, "{explored:?}");
    }
    // Two lanes of a warp, of which one holds what the other waits for.
    let explored = all(body, (1, 2), Races::All);
    assert_eq!((values(&explored, 0), explored.schedules), (vec![2], 2));
    // Without the end of the critical section nobody else comes in.
    let forgotten = body.replace("st.release.gpu.global.u32 [%rd1+4], 0;", "");
    let explored = all(&forgotten, (2, 1), Races::Off);
    assert_eq!(codes(&explored).into_iter().collect::<Vec<_>>(), ["W0723"]);
}

#[test]
fn a_lock_that_is_read_first_is_found_broken() {
    let body = "LOCK: ld.relaxed.gpu.global.u32 %r3, [%rd1+4]; setp.ne.u32 %p1, %r3, 0;\n@%p1 bra LOCK;\n\
        st.relaxed.gpu.global.u32 [%rd1+4], 1;\n\
        ld.relaxed.gpu.global.u32 %r4, [%rd1]; add.u32 %r4, %r4, 1; st.relaxed.gpu.global.u32 [%rd1], %r4;\n\
        st.relaxed.gpu.global.u32 [%rd1+4], 0;";
    let explored = all(body, (2, 1), Races::All);
    assert!(explored.is_all);
    assert_eq!(values(&explored, 0), [1, 2]);
}

#[test]
fn two_locks_in_two_orders_deadlock() {
    let body = "setp.eq.u32 %p2, %r2, 0; selp.b32 %r5, 4, 8, %p2; selp.b32 %r6, 8, 4, %p2;\n\
        cvt.u64.u32 %rd2, %r5; add.u64 %rd2, %rd1, %rd2; cvt.u64.u32 %rd3, %r6; add.u64 %rd3, %rd1, %rd3;\n\
        A: atom.acquire.gpu.global.cas.b32 %r3, [%rd2], 0, 1; setp.ne.u32 %p1, %r3, 0;\n@%p1 bra A;\n\
        B: atom.acquire.gpu.global.cas.b32 %r3, [%rd3], 0, 1; setp.ne.u32 %p1, %r3, 0;\n@%p1 bra B;\n\
        st.release.gpu.global.u32 [%rd3], 0; st.release.gpu.global.u32 [%rd2], 0;";
    let explored = all(body, (2, 1), Races::Off);
    assert!(explored.is_all);
    assert_eq!(codes(&explored).into_iter().collect::<Vec<_>>(), ["W0723"]);
    assert!(!explored.finals.is_empty(), "it can end well, too");
}

#[test]
fn a_barrier_that_only_some_reach() {
    // Which warp comes to a barrier of two depends on who was first; the other never does.
    let body = "and.b32 %r4, %r1, 31; setp.eq.u32 %p2, %r4, 0; mov.u32 %r3, 0;\n\
        @%p2 atom.relaxed.gpu.global.add.u32 %r3, [%rd1], 1;\nshfl.sync.idx.b32 %r3, %r3, 0, 31, -1;\n\
        setp.eq.u32 %p1, %r3, 0; @!%p1 bra END; bar.sync 1, 64;\nEND:\n";
    let explored = all(body, (1, 64), Races::All);
    assert!(explored.is_all);
    assert_eq!(codes(&explored).into_iter().collect::<Vec<_>>(), ["W0722"]);
}

/// Four warps at a barrier of two: who meets whom depends on the order.
#[test]
fn barriers_of_some_threads() {
    let body = "shr.u32 %r3, %r1, 5; setp.le.u32 %p1, %r3, 1; barrier.cta.red.popc.aligned.u32 %r4, 1, 64, %p1;\n\
        setp.ne.u32 %p2, %r1, 0; @%p2 bra END; st.global.u32 [%rd1], %r4;\nEND:\n";
    let explored = all(body, (1, 128), Races::Off);
    assert!(
        explored.is_all && explored.findings.is_empty(),
        "{explored:?}"
    );
    assert_eq!(values(&explored, 0), [32, 64]);
    // A warp counts as a full one once its other lanes have exited: too late if it has come before.
    let late = "setp.eq.u32 %p1, %r1, 0; @%p1 bra MEET; setp.eq.u32 %p1, %r1, 32; @!%p1 exit;\nMEET: barrier.sync 1, 64;";
    let explored = all(late, (1, 34), Races::Off);
    assert!(codes(&explored).contains("W0711"), "{explored:?}");
}

/// A thread is where it was, but memory is not.
#[test]
fn a_loop_with_an_effect_goes_on() {
    let body = "L: red.relaxed.gpu.global.add.u32 [%rd1], 1; ld.relaxed.gpu.global.u32 %r3, [%rd1]; setp.lt.u32 %p1, %r3, 3;\n\
        @%p1 bra L;";
    let explored = all(body, (1, 1), Races::All);
    assert!(
        explored.is_all && explored.findings.is_empty(),
        "{explored:?}"
    );
    assert_eq!(values(&explored, 0), [3]);
}

#[test]
fn mbarriers() {
    let body = "mov.u32 %r5, bar; mov.u32 %r6, s; setp.ne.u32 %p1, %r1, 0; @%p1 bra JOIN;\n\
        mbarrier.init.shared.b64 [%r5], 2;\nJOIN: bar.sync 0;\nshl.b32 %r7, %r1, 2; add.u32 %r8, %r6, %r7;\n\
        st.shared.u32 [%r8], %r1; mbarrier.arrive.shared.b64 _, [%r5];\n\
        WAIT: mbarrier.try_wait.parity.shared.b64 %p2, [%r5], 0;\n@!%p2 bra WAIT;\n\
        xor.b32 %r8, %r8, 4; ld.shared.u32 %r9, [%r8]; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd3, %rd1, %rd2;\n\
        st.global.u32 [%rd3], %r9;";
    let explored = all(body, (1, 2), Races::All);
    assert!(
        explored.is_all && explored.findings.is_empty(),
        "{explored:?}"
    );
    assert_eq!(
        (values(&explored, 0), values(&explored, 1)),
        (vec![1], vec![0])
    );
    // Code that does not try again sees old data.
    let once = body.replace("@!%p2 bra WAIT;", "");
    let explored = all(&once, (1, 2), Races::Off);
    assert!(
        codes(&explored).contains("W0731"),
        "what nobody has stored yet: {explored:?}"
    );
}

/// Arrivals in one phase give the same state in every order, unless somebody asks what was missing then.
#[test]
fn states_of_mbarriers_are_opaque() {
    let body = "mov.u32 %r5, bar; mov.u32 %r6, s; setp.ne.u32 %p1, %r1, 0; @%p1 bra JOIN;\n\
        mbarrier.init.shared.b64 [%r5], 3;\nJOIN: bar.sync 0;\nshl.b32 %r7, %r1, 2; add.u32 %r8, %r6, %r7;\n\
        st.shared.u32 [%r8], %r1; mbarrier.arrive.shared.b64 %rd5, [%r5];\n@@\n\
        WAIT: mbarrier.try_wait.shared.b64 %p2, [%r5], %rd5;\n@!%p2 bra WAIT;\n\
        ld.shared.u32 %r9, [%r6+8]; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd3, %rd1, %rd2;\n\
        add.u32 %r9, %r9, %r10; st.global.u32 [%rd3], %r9;";
    let plain = all(&body.replace("@@", "mov.u32 %r10, 0;"), (1, 3), Races::All);
    let count = "mbarrier.pending_count.b64 %r10, %rd5;";
    let counted = all(&body.replace("@@", count), (1, 3), Races::All);
    for explored in [&plain, &counted] {
        assert!(
            explored.is_all && explored.findings.is_empty(),
            "{explored:?}"
        );
    }
    for word in 0..3 {
        assert_eq!(values(&plain, word), [2]);
        assert_eq!(values(&counted, word), [3, 4, 5]);
    }
    assert!(
        3 * plain.runs <= 2 * counted.runs,
        "{} {}",
        plain.runs,
        counted.runs
    );
}

#[test]
fn copies_happen_at_any_time() {
    let body = "mov.u32 %r6, s; setp.ne.u32 %p1, %r1, 0; @%p1 bra OTHER;\n\
        cp.async.ca.shared.global [%r6], [%rd1+32], 4; cp.async.commit_group;\n@@\n\
        ld.shared.u32 %r7, [%r6]; st.global.u32 [%rd1], %r7; bra END;\n\
        OTHER: atom.relaxed.gpu.global.exch.b32 %r8, [%rd1+32], 9;\nEND:\n";
    let waited = body.replace("@@", "cp.async.wait_group 0;");
    let explored = all(&waited, (1, 2), Races::Off);
    assert!(
        explored.is_all && explored.findings.is_empty(),
        "{explored:?}"
    );
    assert_eq!(values(&explored, 0), [0, 9]);
    let explored = all(&body.replace("@@", ""), (1, 2), Races::Off);
    assert!(codes(&explored).contains("W0737"), "{explored:?}");
    // Two groups, of which one may be left.
    let two = "mov.u32 %r6, s; st.shared.v2.u32 [%r6], {1, 1}; cp.async.ca.shared.global [%r6], [%rd1+32], 4;\n\
        cp.async.commit_group; cp.async.ca.shared.global [%r6], [%rd1+36], 4; cp.async.commit_group;\n\
        cp.async.wait_group 0; ld.shared.u32 %r7, [%r6]; st.global.u32 [%rd1], %r7;";
    let two = two.replace(
        "mov.u32 %r6, s;",
        "mov.u32 %r6, s; st.global.u32 [%rd1+32], 3; st.global.u32 [%rd1+36], 4;",
    );
    let explored = all(&two, (1, 1), Races::Off);
    assert_eq!(values(&explored, 0), [3, 4], "either copy may come last");
}

#[test]
fn findings_of_one_schedule_in_many() {
    // Both must see the other's store for the trap: never. Neither: only if both loads come first.
    let body = "setp.eq.u32 %p2, %r2, 0; selp.b32 %r5, 0, 4, %p2; selp.b32 %r6, 4, 0, %p2;\n\
        cvt.u64.u32 %rd2, %r5; add.u64 %rd2, %rd1, %rd2; cvt.u64.u32 %rd3, %r6; add.u64 %rd3, %rd1, %rd3;\n\
        ld.relaxed.gpu.global.u32 %r3, [%rd3]; st.relaxed.gpu.global.u32 [%rd2], 1;\n\
        atom.relaxed.gpu.global.add.u32 %r4, [%rd1+8], %r3; setp.ne.u32 %p1, %r2, 2; ld.relaxed.gpu.global.u32 %r7, [%rd1+8];\n\
        setp.ge.u32 %p1, %r7, @@;\n@%p1 trap;";
    let explored = all(&body.replace("@@", "2"), (2, 1), Races::Off);
    assert!(
        explored.is_all && explored.findings.is_empty(),
        "{explored:?}"
    );
    let text = body.replace("@@", "1");
    let explored = all(&text, (2, 1), Races::Off);
    assert_eq!(codes(&explored).into_iter().collect::<Vec<_>>(), ["W0714"]);
    assert!(!explored.finals.is_empty());
    // The schedule repeats the finding.
    for (finding, schedule) in &explored.findings {
        let setting = Setting {
            grid: 2,
            block: 1,
            races: Races::Off,
            init: true,
            most: 1,
        };
        let text = kernel(&text);
        let schedule = schedule.to_string().parse().expect("its own text");
        let (found, _, trace) = run(&module(&text), &text, setting, Guide::new(schedule));
        assert!(found.contains(finding), "{found:?}");
        assert!(!trace.is_empty());
    }
}

#[test]
fn a_loop_that_counts_is_bounded() {
    let body = "setp.ne.u32 %p1, %r2, 0; @%p1 bra READ;\nst.relaxed.gpu.global.u32 [%rd1], 1; bra END;\n\
        READ: add.u32 %r4, %r4, 1; ld.relaxed.gpu.global.u32 %r3, [%rd1]; setp.eq.u32 %p1, %r3, 0;\n@%p1 bra READ;\n\
        st.global.u32 [%rd1+4], %r4;\nEND:\n";
    let body = format!("mov.u32 %r4, 0; {body}");
    let setting = Setting {
        grid: 2,
        block: 1,
        races: Races::Off,
        init: true,
        most: 50,
    };
    let explored = explore(&kernel(&body), setting);
    assert!(!explored.is_all, "{explored:?}");
    assert!(explored.finals.len() > 10, "each count is another result");
    // Nothing visible in the loop: it is known to be closed.
    let explored = all("L: bra L;", (1, 1), Races::Off);
    assert_eq!(codes(&explored).into_iter().collect::<Vec<_>>(), ["W0723"]);
    // It never ends, and is never where it was.
    let explored = all(
        "mov.u64 %rd2, 0; L: add.u64 %rd2, %rd2, 1; st.global.u64 [%rd1], %rd2; bra L;",
        (1, 1),
        Races::Off,
    );
    assert!(explored.is_limited);
    assert_eq!(codes(&explored).into_iter().collect::<Vec<_>>(), ["W0726"]);
}

#[test]
fn what_is_not_explored_is_refused() {
    let explored = all(
        "activemask.b32 %r3; st.global.u32 [%rd1], %r3;",
        (1, 2),
        Races::Off,
    );
    assert_eq!(codes(&explored).into_iter().collect::<Vec<_>>(), ["W0711"]);
    let explored = all("st.global.u32 [%rd1], 0;", (2, 1024), Races::Off);
    assert_eq!(codes(&explored).into_iter().collect::<Vec<_>>(), ["W0711"]);
}
