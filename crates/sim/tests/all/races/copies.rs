//! Clusters, mbarriers, asynchronous copies and their proxy.

use super::{Rule, found_in, hold, kernel};
use warpc_sim::Races;

#[test]
fn clusters() {
    hold(&[
        Rule {
            name: "shared memory of another block",
            shape: (2, 32, 2),
            body: "barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.aligned; \
                   xor.b32 %r6, %r2, 1; mapa.shared::cluster.u32 %r7, %r5, %r6; st.shared::cluster.u32 [%r7], %r1; \
                   barrier.cluster.arrive@@.aligned; barrier.cluster.wait.aligned; ld.shared.u32 %r8, [%r5];",
            right: "",
            racy: ".relaxed",
            code: "W0740",
            says: "cluster",
        },
        Rule {
            name: "a fence before a relaxed arrival",
            shape: (2, 32, 2),
            body: "barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.aligned; \
                   xor.b32 %r6, %r2, 1; mapa.shared::cluster.u32 %r7, %r5, %r6; st.shared::cluster.u32 [%r7], %r1; \
                   fence.acq_rel.@@; barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.aligned; \
                   ld.shared.u32 %r8, [%r5];",
            right: "cluster",
            racy: "cta",
            code: "W0740",
            says: "barrier.cluster",
        },
    ]);
}

/// Shared memory of another block can be accessed once that has started.
#[test]
fn blocks_of_a_cluster_start() {
    let body = "START xor.b32 %r6, %r2, 1; mapa.shared::cluster.u32 %r7, %r5, %r6; st.shared::cluster.u32 [%r7], %r1; \
                barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; ld.shared.u32 %r8, [%r5];";
    let told = |start: &str| {
        let found = found_in(
            &kernel(&body.replace("START", start)),
            (2, 64, 2),
            0,
            Races::Shared,
        );
        let list = found.as_slice().iter();
        list.map(|one| format!("{} {}", one.code.0, one.message))
            .collect::<String>()
    };
    let wait = "barrier.cluster.wait.aligned;";
    assert_eq!(told(&format!("barrier.cluster.arrive.aligned; {wait}")), "");
    assert_eq!(
        told(&format!("barrier.cluster.arrive.relaxed.aligned; {wait}")),
        ""
    );
    let early = told("bar.sync 0;");
    assert!(
        early.starts_with("W0734 write of shared memory of block")
            && early.contains("may not have started"),
        "{early}"
    );
}

/// A block must not end while a copy to another one may read its shared memory.
#[test]
fn a_block_outlives_its_copies() {
    let body = with(
        "1",
        "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; st.shared.u32 [%r5], %r1; \
         fence.proxy.async; bar.sync 0; @!%p7 bra ISSUED; \
         mbarrier.arrive.expect_tx.shared.b64 %rd5, [%r10], 128; mov.u32 %r11, s+1024; xor.b32 %r6, %r2, 1; \
         mapa.shared::cluster.u32 %r12, %r11, %r6; mapa.shared::cluster.u32 %r13, %r10, %r6; \
         cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r12], [%r4], 128, [%r13]; \
         ISSUED: setp.ne.u32 %p5, %r2, 1; @%p5 bra END; \
         L: mbarrier.try_wait.parity.shared.b64 %p6, [%r10], 0; @!%p6 bra L; END: @@",
    );
    // Block 0 waits for nothing, so only block 1 knows that the copy of block 0 is over.
    let end = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;";
    let codes = |end: &str| {
        let mut codes = std::collections::BTreeSet::new();
        for seed in 0..8 {
            let text = kernel(&body.replace("@@", end));
            for one in found_in(&text, (2, 32, 2), seed, Races::Shared).as_slice() {
                codes.insert(format!("{} {}", one.code.0, one.message));
            }
        }
        codes.into_iter().collect::<Vec<_>>()
    };
    let told = codes("");
    assert!(
        told.iter()
            .any(|one| one.starts_with("W0737 the block exits while")),
        "{told:?}"
    );
    let wait = "L2: mbarrier.try_wait.parity.shared.b64 %p6, [%r10], 0; @!%p6 bra L2;";
    assert_eq!(codes(&format!("{wait} {end}")), Vec::<String>::new());
}

/// Thread 0 makes `bar` for so many arrivals, and all know of it.
const INIT: &str = "mov.u32 %r10, bar; setp.eq.u32 %p7, %r1, 0; @%p7 mbarrier.init.shared.b64 [%r10], COUNT; \
                    fence.mbarrier_init.release.cluster; bar.sync 0;";
const WAIT: &str = "WAITS: mbarrier.try_wait.parity.shared.b64 %p6, [%r10], 0; @!%p6 bra WAITS;";

fn with(count: &str, body: &str) -> &'static str {
    let text = format!("{} {body}", INIT.replace("COUNT", count)).replace("WAIT;", WAIT);
    Box::leak(text.into_boxed_str())
}

#[test]
fn mbarriers() {
    hold(&[
        Rule {
            name: "arrival and wait",
            shape: (1, 64, 1),
            body: with(
                "64",
                "st.shared.u32 [%r5], %r1; mbarrier.arrive@@.shared.b64 %rd5, [%r10]; WAIT; xor.b32 %r6, %r5, 128; \
                 ld.shared.u32 %r7, [%r6];",
            ),
            right: "",
            racy: ".relaxed.cta",
            code: "W0740",
            says: "no barrier",
        },
        Rule {
            name: "the object must be there for a wait",
            shape: (1, 64, 1),
            body: "mov.u32 %r10, bar; setp.eq.u32 %p7, %r1, 0; @!%p7 bra OTHERS; \
                   mbarrier.init.shared.b64 [%r10], 1; mbarrier.arrive.shared.b64 %rd5, [%r10]; OTHERS: @@ \
                   setp.lt.u32 %p5, %r1, 32; @%p5 bra END; \
                   L: mbarrier.try_wait.parity.shared.b64 %p6, [%r10], 0; @!%p6 bra L; END:",
            right: "bar.sync 0;",
            racy: "mov.u32 %r11, 0; SPIN: add.u32 %r11, %r11, 1; setp.lt.u32 %p4, %r11, 9000; @%p4 bra SPIN;",
            code: "W0741",
            says: "is weak",
        },
        Rule {
            name: "the object must be there as long as somebody waits",
            shape: (1, 64, 1),
            body: with(
                "64",
                "mbarrier.arrive.shared.b64 %rd5, [%r10]; WAIT; @@ @%p7 mbarrier.inval.shared.b64 [%r10];",
            ),
            right: "bar.sync 0;",
            racy: "setp.ge.u32 %p4, %r1, 32; @%p4 bra END; mov.u32 %r11, 0; SPIN: add.u32 %r11, %r11, 1; \
                   setp.lt.u32 %p5, %r11, 9000; @%p5 bra SPIN; END:",
            code: "W0741",
            says: "is weak",
        },
        Rule {
            name: "the object must be there for a copy",
            shape: (1, 64, 1),
            body: "mov.u32 %r10, bar; setp.eq.u32 %p7, %r1, 0; @%p7 mbarrier.init.shared.b64 [%r10], 1; @@ \
                   setp.ne.u32 %p6, %r1, 40; @%p6 bra END; mbarrier.expect_tx.relaxed.cta.shared.b64 [%r10], 256; \
                   cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r4], [%rd1], 256, [%r10]; END:",
            right: "bar.sync 0;",
            racy: "mov.u32 %r11, 0; L: add.u32 %r11, %r11, 1; setp.lt.u32 %p5, %r11, 9000; @%p5 bra L;",
            code: "W0741",
            says: "is weak",
        },
        Rule {
            name: "the object must be there",
            shape: (1, 64, 1),
            body: "mov.u32 %r10, bar; setp.eq.u32 %p7, %r1, 0; @%p7 mbarrier.init.shared.b64 [%r10], 1; @@ \
                   setp.eq.u32 %p6, %r1, 40; @%p6 mbarrier.arrive.shared.b64 %rd5, [%r10];",
            right: "bar.sync 0;",
            racy: "mov.u32 %r11, 0; L: add.u32 %r11, %r11, 1; setp.lt.u32 %p5, %r11, 9000; @%p5 bra L;",
            code: "W0741",
            says: "is weak",
        },
    ]);
}

#[test]
fn relaxed_waits_need_a_fence() {
    hold(&[Rule {
        name: "a relaxed wait for a copy",
        shape: (1, 64, 1),
        body: with(
            "1",
            "mov.u32 %r11, s; @%p7 mbarrier.arrive.expect_tx.shared.b64 %rd5, [%r10], 256; \
             @%p7 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r11], [%rd1], 256, [%r10]; \
             L: mbarrier.try_wait.parity.relaxed.cta.shared.b64 %p6, [%r10], 0; @!%p6 bra L; @@ \
             ld.shared.u32 %r7, [%r5];",
        ),
        right: "fence.acq_rel.cta;",
        racy: "",
        code: "W0742",
        says: "the copy",
    }]);
}

#[test]
fn a_try_may_fail() {
    let body = "mov.u32 %r11, s; @%p7 mbarrier.arrive.expect_tx.shared.b64 %rd5, [%r10], 256; \
                @%p7 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r11], [%rd1], 256, [%r10]; \
                L: mbarrier.try_wait.parity.shared.b64 %p6, [%r10], 0; @@ ld.shared.u32 %r7, [%r5];";
    let seeds_that_find = |after: &str| {
        let text = kernel(&with("1", body).replace("@@", after));
        let found = |seed: &u64| {
            let all = found_in(&text, (1, 64, 1), *seed, Races::All);
            let codes: Vec<&str> = all.as_slice().iter().map(|one| one.code.0).collect();
            let of_copies = |code: &&str| ["W0737", "W0742"].contains(code);
            assert!(codes.iter().all(of_copies), "{codes:?}");
            !codes.is_empty()
        };
        (0..8).filter(found).count()
    };
    assert_eq!(seeds_that_find("@!%p6 bra L;"), 0);
    // Two warps try once each.
    let found = seeds_that_find("");
    assert!(found >= 2, "{found} of 8");
}

#[test]
fn small_copies() {
    hold(&[
        Rule {
            name: "the own copy",
            shape: (1, 32, 1),
            body: "cp.async.ca.shared.global [%r5], [%rd3], 4; cp.async.commit_group; @@ ld.shared.u32 %r7, [%r5];",
            right: "cp.async.wait_group 0;",
            racy: "cp.async.wait_group 1;",
            code: "W0742",
            says: "cp.async.wait_group",
        },
        Rule {
            name: "the copy of another thread",
            shape: (1, 64, 1),
            body: "cp.async.ca.shared.global [%r5], [%rd3], 4; cp.async.wait_all; @@ xor.b32 %r6, %r5, 4; \
                   ld.shared.u32 %r7, [%r6];",
            right: "bar.sync 0;",
            racy: "",
            code: "W0742",
            says: "then `bar.sync`",
        },
        Rule {
            name: "what is read must not change",
            shape: (1, 32, 1),
            body: "cp.async.ca.shared.global [%r5], [%rd3], 4; @@ st.global.u32 [%rd3], 3; cp.async.wait_all;",
            right: "cp.async.wait_all;",
            racy: "",
            code: "W0742",
            says: "read by `cp.async`",
        },
        Rule {
            name: "what is overwritten was read before",
            shape: (1, 64, 1),
            body: "st.shared.u32 [%r5], 1; bar.sync 0; xor.b32 %r6, %r5, 128; ld.shared.u32 %r7, [%r6]; @@ \
                   cp.async.ca.shared.global [%r5], [%rd3], 4; cp.async.wait_all;",
            right: "bar.sync 0;",
            racy: "",
            code: "W0742",
            says: "not ordered",
        },
        Rule {
            name: "an mbarrier knows of copies",
            shape: (1, 64, 1),
            body: with(
                "64",
                "cp.async.ca.shared.global [%r5], [%rd3], 4; @@ WAIT; xor.b32 %r6, %r5, 128; ld.shared.u32 %r7, [%r6];",
            ),
            right: "cp.async.mbarrier.arrive.noinc.shared.b64 [%r10];",
            racy: "mbarrier.arrive.shared.b64 %rd5, [%r10];",
            code: "W0742",
            says: "the copy",
        },
        Rule {
            name: "an mbarrier knows of the copies of a phase, and not of those after it",
            shape: (1, 64, 1),
            body: with(
                "64",
                "cp.async.ca.shared.global [%r5], [%rd3], 4; cp.async.mbarrier.arrive.noinc.shared.b64 [%r10]; WAIT; \
                 bar.sync 0; cp.async.ca.shared.global [%r5], [%rd3], 4; \
                 cp.async.mbarrier.arrive.noinc.shared.b64 [%r10]; \
                 AGAIN: mbarrier.test_wait.parity@@.shared.b64 %p6, [%r10], 1; @!%p6 bra AGAIN; \
                 xor.b32 %r6, %r5, 128; ld.shared.u32 %r7, [%r6];",
            ),
            right: ".acquire.cta",
            racy: ".relaxed.cta",
            code: "W0742",
            says: "the copy",
        },
    ]);
}

#[test]
fn bulk_copies() {
    hold(&[
        Rule {
            name: "in, counted by an mbarrier",
            shape: (1, 32, 1),
            body: with(
                "1",
                "setp.ne.u32 %p5, %r1, 0; @%p5 bra ISSUED; mbarrier.arrive.expect_tx.shared.b64 %rd5, [%r10], 128; \
                 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r4], [%rd1], 128, [%r10]; \
                 ISSUED: @@ ld.shared.u32 %r7, [%r5]; WAIT2: mbarrier.try_wait.parity.shared.b64 %p6, [%r10], 0; \
                 @!%p6 bra WAIT2;",
            ),
            right: "WAIT1: mbarrier.try_wait.parity.shared.b64 %p6, [%r10], 0; @!%p6 bra WAIT1;",
            racy: "",
            code: "W0742",
            says: "mbarrier.try_wait",
        },
        Rule {
            name: "out, after a fence of the proxy",
            shape: (1, 32, 1),
            body: "st.shared.u32 [%r5], %r1; @@ bar.sync 0; setp.ne.u32 %p5, %r1, 0; @%p5 bra END; \
                   cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r4], 128; cp.async.bulk.commit_group; \
                   cp.async.bulk.wait_group 0; END:",
            right: "fence.proxy.async;",
            racy: "fence.acq_rel.gpu;",
            code: "W0743",
            says: "fence.proxy.async",
        },
        Rule {
            name: "out, with the fence where it is issued",
            shape: (1, 32, 1),
            body: "st.shared.u32 [%r5], %r1; bar.sync 0; setp.ne.u32 %p5, %r1, 0; @%p5 bra END; @@ \
                   cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r4], 128; cp.async.bulk.commit_group; \
                   cp.async.bulk.wait_group 0; END:",
            right: "fence.proxy.async.shared::cta;",
            racy: "",
            code: "W0743",
            says: "fence.proxy.async",
        },
        Rule {
            name: "the source must stay",
            shape: (1, 32, 1),
            body: "st.shared.u32 [%r5], %r1; fence.proxy.async; bar.sync 0; setp.ne.u32 %p5, %r1, 0; @%p5 bra END; \
                   cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r4], 128; cp.async.bulk.commit_group; \
                   @@ st.shared.u32 [%r4], 9; cp.async.bulk.wait_group 0; END:",
            right: "cp.async.bulk.wait_group.read 0;",
            racy: "",
            code: "W0742",
            says: "wait_group.read",
        },
        Rule {
            name: "the destination is not there after the read alone",
            shape: (1, 32, 1),
            body: "st.shared.u32 [%r5], %r1; fence.proxy.async; bar.sync 0; setp.ne.u32 %p5, %r1, 0; @%p5 bra END; \
                   cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r4], 128; cp.async.bulk.commit_group; \
                   cp.async.bulk.wait_group@@ 0; ld.global.u32 %r7, [%rd1]; END:",
            right: "",
            racy: ".read",
            code: "W0742",
            says: "cp.async.bulk.wait_group",
        },
    ]);
}
