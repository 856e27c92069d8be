//! Barriers, orders, scopes and sizes.

use super::{Rule, hold};

#[test]
fn barriers_order_the_threads_that_wait() {
    hold(&[
        Rule {
            name: "a barrier between write and read",
            shape: (1, 64, 1),
            body: "st.shared.u32 [%r5], %r1; @@ xor.b32 %r6, %r5, 128; ld.shared.u32 %r7, [%r6];",
            right: "bar.sync 0;",
            racy: "",
            code: "W0740",
            says: "`bar.sync`",
        },
        Rule {
            name: "a barrier between read and write",
            shape: (1, 64, 1),
            body: "xor.b32 %r6, %r5, 128; ld.shared.u32 %r7, [%r6]; @@ st.shared.u32 [%r5], %r1;",
            right: "bar.sync 0;",
            racy: "",
            code: "W0740",
            says: "`bar.sync`",
        },
        Rule {
            name: "a reduction is a barrier",
            shape: (1, 64, 1),
            body: "st.global.u32 [%rd3], %r1; setp.eq.u32 %p1, %r1, 3; @@ xor.b64 %rd4, %rd2, 128; add.u64 %rd4, %rd4, \
                   %rd1; ld.global.u32 %r7, [%rd4];",
            right: "bar.red.popc.u32 %r8, 0, %p1;",
            racy: "vote.sync.ballot.b32 %r8, %p1, -1;",
            code: "W0740",
            says: "no barrier",
        },
        Rule {
            name: "lanes of a warp",
            shape: (1, 32, 1),
            body: "st.shared.u32 [%r5], %r1; @@ xor.b32 %r6, %r5, 4; ld.shared.u32 %r7, [%r6];",
            right: "bar.warp.sync -1;",
            racy: "shfl.sync.bfly.b32 %r8, %r1, 1, 31, -1;",
            code: "W0740",
            says: "`bar.warp.sync`",
        },
        Rule {
            name: "half a warp",
            shape: (1, 32, 1),
            body: "st.shared.u32 [%r5], %r1; mov.u32 %r9, 0xffff; setp.ge.u32 %p1, %r1, 16; @%p1 mov.u32 %r9, 0xffff0000; \
                   bar.warp.sync %r9; @@ ld.shared.u32 %r7, [%r6];",
            right: "xor.b32 %r6, %r5, 4;",
            racy: "xor.b32 %r6, %r5, 64;",
            code: "W0740",
            says: "one warp",
        },
        Rule {
            name: "a barrier of some warps",
            shape: (1, 96, 1),
            body: "st.shared.u32 [%r5], %r1; setp.ge.u32 %p1, %r1, 64; @%p1 bra END; bar.sync 1, 64; \
                   @@ ld.shared.u32 %r7, [%r6]; END:",
            right: "xor.b32 %r6, %r5, 128;",
            racy: "add.u32 %r6, %r4, 256;",
            code: "W0740",
            says: "no barrier",
        },
        Rule {
            name: "an arrival hands on what was before it",
            shape: (1, 64, 1),
            body: "setp.ge.u32 %p1, %r1, 32; @%p1 bra READS; @@ bra END; READS: bar.sync 1, 64; xor.b32 %r6, %r5, 128; \
                   ld.shared.u32 %r7, [%r6]; END:",
            right: "st.shared.u32 [%r5], %r1; bar.arrive 1, 64;",
            racy: "bar.arrive 1, 64; st.shared.u32 [%r5], %r1;",
            code: "W0740",
            says: "no barrier",
        },
        Rule {
            name: "an arrival learns nothing",
            shape: (1, 64, 1),
            body: "setp.ge.u32 %p1, %r1, 32; st.shared.u32 [%r5], %r1; @%p1 bra OTHER; @@ 1, 64; xor.b32 %r6, %r5, 128; \
                   ld.shared.u32 %r7, [%r6]; bra END; OTHER: bar.sync 1, 64; END:",
            right: "bar.sync",
            racy: "bar.arrive",
            code: "W0740",
            says: "no barrier",
        },
        Rule {
            name: "threads that have exited",
            shape: (1, 96, 1),
            body: "st.shared.u32 [%r5], %r1; setp.ge.u32 %p1, %r1, 64; @%p1 exit; @@ ld.shared.u32 %r7, [s+256];",
            right: "bar.sync 0;",
            racy: "",
            code: "W0740",
            says: "no barrier",
        },
    ]);
}

/// Block 0 writes a word and then a flag; block 1 waits for the flag and reads the word.
const MESSAGE: &str =
    "setp.ne.u32 %p1, %r1, 0; @%p1 bra END; setp.eq.u32 %p2, %r2, 1; @%p2 bra READS;
    st.global.u32 [%rd1], 7; @@
    READS: FLAG setp.eq.u32 %p3, %r7, 0; @%p3 bra READS; AFTER ld.global.u32 %r8, [%rd1]; END:";

#[test]
fn releases_and_acquires_order_within_their_scopes() {
    // The writer's side, the reader's load and what stands after it.
    let message = |write: &str, load: &str, after: &str| {
        let body = MESSAGE.replace("@@", &format!("{write} bra END;"));
        let body = body.replace("FLAG", &format!("{load} %r7, [%rd1+64];"));
        super::kernel(&body.replace("AFTER", after))
    };
    let store = |how: &str| format!("st.{how}.global.u32 [%rd1+64], 1;");
    let load = |how: &str| format!("ld.{how}.global.u32");
    let fenced = |fence: &str, how: &str| format!("{fence} {}", store(how));
    let red = |how: &str| format!("red.{how}.global.add.u32 [%rd1+64], 1;");
    let right = [
        (store("release.gpu"), load("acquire.gpu"), ""),
        (store("release.sys"), load("acquire.gpu"), ""),
        (red("release.gpu"), load("acquire.gpu"), ""),
        (
            fenced("fence.acq_rel.gpu;", "relaxed.gpu"),
            load("relaxed.gpu"),
            "fence.acq_rel.gpu;",
        ),
        (
            fenced("membar.gl;", "volatile"),
            load("volatile"),
            "membar.gl;",
        ),
        (
            fenced("fence.sc.gpu;", "relaxed.gpu"),
            load("acquire.gpu"),
            "",
        ),
        (
            format!("fence.acq_rel.gpu; {}", red("relaxed.gpu")),
            load("acquire.gpu"),
            "",
        ),
    ];
    for (write, load, after) in &right {
        for seed in 0..4 {
            let text = message(write, load, after);
            let found = super::found_in(&text, (2, 32, 1), seed, warpc_sim::Races::All);
            assert!(
                found.as_slice().is_empty(),
                "{write} {load}:\n{}",
                super::show(&found)
            );
        }
    }
    let gpu = || load("acquire.gpu");
    let racy = [
        (
            store("release.cta"),
            load("acquire.gpu"),
            "",
            "the release is `.cta`, the reader is in another block",
        ),
        (
            store("release.gpu"),
            load("acquire.cta"),
            "",
            "the acquire is `.cta`, the writer is in another block",
        ),
        (
            store("relaxed.gpu"),
            gpu(),
            "",
            "relaxed store with no fence",
        ),
        (
            store("release.gpu"),
            load("relaxed.gpu"),
            "",
            "without an acquire",
        ),
        (
            store("release.gpu"),
            load("relaxed.gpu"),
            "fence.acq_rel.cta;",
            "without an acquire",
        ),
        (
            fenced("membar.cta;", "relaxed.gpu"),
            gpu(),
            "",
            "the release is `.cta`",
        ),
        (
            store("volatile"),
            load("volatile"),
            "",
            "relaxed store with no fence",
        ),
        (red("relaxed.gpu"), gpu(), "", "different blocks"),
    ];
    for (write, load, after, says) in &racy {
        for seed in 0..4 {
            let text = message(write, load, after);
            let found = super::found_in(&text, (2, 32, 1), seed, warpc_sim::Races::All);
            let mut list = found.as_slice().iter();
            let told = list.any(|one| one.code.0 == "W0740" && one.message.contains(says));
            assert!(
                told,
                "{write} {load} {after}, {says}:\n{}",
                super::show(&found)
            );
        }
    }
    // What the issue of the flag's scope is about is said with what would do.
    let text = message(&store("release.cta"), &gpu(), "");
    let found = super::found_in(&text, (2, 32, 1), 0, warpc_sim::Races::All);
    let helps: Vec<_> = found
        .as_slice()
        .iter()
        .filter_map(|one| one.help.clone())
        .collect();
    assert!(
        helps.iter().any(|help| help == "`.gpu` would do"),
        "{helps:?}"
    );
}

#[test]
fn strong_accesses_may_meet_if_they_fit() {
    hold(&[
        Rule {
            name: "atomics of several blocks",
            shape: (2, 32, 1),
            body: "red.relaxed.@@.global.add.u32 [%rd1], 1;",
            right: "gpu",
            racy: "cta",
            code: "W0741",
            says: "`.gpu` would do",
        },
        Rule {
            name: "atomics and a plain read",
            shape: (1, 64, 1),
            body: "red.shared.add.u32 [s], 1; @@ ld.shared.u32 %r7, [s];",
            right: "bar.sync 0;",
            racy: "",
            code: "W0741",
            says: "is weak",
        },
        Rule {
            name: "a plain write and atomics",
            shape: (1, 64, 1),
            body: "setp.eq.u32 %p1, %r1, 0; @%p1 st.shared.u32 [s], 5; @@ red.shared.add.u32 [s], 1;",
            right: "bar.sync 0;",
            racy: "",
            code: "W0741",
            says: "is weak",
        },
        Rule {
            name: "sizes",
            shape: (1, 64, 1),
            body: "setp.ge.u32 %p1, %r1, 32; @%p1 bra WIDE; red.shared.add.u32 [s], 1; bra END; \
                   WIDE: red.shared.add.u64 [s+@@], 1; END:",
            right: "8",
            racy: "0",
            code: "W0741",
            says: "one size",
        },
        Rule {
            name: "what was observed is before",
            shape: (4, 32, 1),
            body: "setp.ne.u32 %p1, %r1, 0; @%p1 bra END; atom.global.add.u32 %r7, [%rd1], 1; \
                   setp.ne.u32 %p2, %r7, @@; @%p2 bra END; st.global.u32 [%rd1], 9; END:",
            right: "3",
            racy: "1",
            code: "W0741",
            says: "is weak",
        },
        Rule {
            name: "a value that was seen says nothing of what was before",
            shape: (4, 32, 1),
            body: "setp.ne.u32 %p1, %r1, 0; @%p1 bra END; mul.wide.u32 %rd4, %r2, 4; add.u64 %rd4, %rd4, %rd1; \
                   st.global.u32 [%rd4+64], 5; @@ atom.global.add.u32 %r7, [%rd1], 1; @@ \
                   setp.ne.u32 %p2, %r7, 3; @%p2 bra END; ld.global.v4.u32 {%r8, %r9, %r10, %r11}, [%rd1+64]; END:",
            right: "membar.gl;",
            racy: "",
            code: "W0740",
            says: "different blocks",
        },
        Rule {
            name: "a lock",
            shape: (3, 32, 1),
            body: "setp.ne.u32 %p1, %r1, 0; @%p1 bra END; TRY: atom.acquire.gpu.global.cas.b32 %r7, [%rd1+64], 0, 1; \
                   setp.ne.u32 %p2, %r7, 0; @%p2 bra TRY; ld.global.u32 %r8, [%rd1]; add.u32 %r8, %r8, 1; \
                   st.global.u32 [%rd1], %r8; st.@@.gpu.global.u32 [%rd1+64], 0; END:",
            right: "release",
            racy: "relaxed",
            code: "W0740",
            says: "st.release.gpu",
        },
    ]);
}

#[test]
fn one_place_in_one_instruction() {
    hold(&[
        Rule {
            name: "different values",
            shape: (1, 32, 1),
            body: "st.global.u32 [@@], %r1;",
            right: "%rd3",
            racy: "%rd1",
            code: "W0740",
            says: "in one instruction",
        },
        Rule {
            name: "the same value",
            shape: (1, 64, 1),
            body: "st.global.u32 [@@], 0;",
            right: "%rd3",
            racy: "%rd1",
            code: "W0744",
            says: "not ordered",
        },
        Rule {
            name: "the same new value",
            shape: (1, 32, 1),
            body: "st.global.u32 [@@], 9;",
            right: "%rd3",
            racy: "%rd1",
            code: "W0744",
            says: "in one instruction",
        },
        Rule {
            name: "bytes of a word",
            shape: (1, 64, 1),
            body: "cvt.u64.u32 %rd4, %r1; add.u64 %rd4, %rd4, %rd1; cvt.u16.u32 %h1, %r1; ld.global.u8 %h2, [%rd4]; \
                   st.global.u8 [%rd4], %h1; setp.ne.u32 %p1, %r1, 0; @%p1 bra END; ld.global.u16 %h2, [%rd1+@@]; END:",
            right: "64",
            racy: "32",
            code: "W0740",
            says: "write of 1 byte",
        },
        Rule {
            name: "vectors",
            shape: (1, 64, 1),
            body: "shl.b64 %rd4, %rd2, @@; add.u64 %rd4, %rd4, %rd1; st.global.v2.u32 [%rd4], {%r1, %r2};",
            right: "1",
            racy: "0",
            code: "W0713",
            says: "misaligned",
        },
    ]);
}

#[test]
fn blocks_run_in_any_order() {
    hold(&[Rule {
        name: "neighbours",
        shape: (4, 32, 1),
        body: "mul.wide.u32 %rd4, %r2, 128; add.u64 %rd4, %rd4, %rd3; st.global.u32 [%rd4], %r1; \
               ld.global.u32 %r7, [%rd4+@@];",
        right: "1024",
        racy: "128",
        code: "W0740",
        says: "different blocks",
    }]);
}

/// In other schedules than the first, blocks run at the same time, so that they meet where they contend.
#[test]
fn blocks_take_turns() {
    use warpc_sim::{Argument, Device, Launch, Options};
    let text = super::kernel(
        "mov.u32 %r6, 0; L: atom.global.add.u32 %r7, [%rd1], 1; add.u32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, 1000; \
         @%p1 bra L; mul.wide.u32 %rd4, %r2, 4; add.u64 %rd4, %rd4, %rd1; st.global.u32 [%rd4+64], %r7;",
    );
    let module = super::module(&text);
    // What each of two blocks counted last.
    let last = |seed: u64| {
        let options = Options {
            seed,
            ..Options::default()
        };
        let mut device = Device::new(&module, options);
        let buffer = device.buffer(&[0; 4 * super::WORDS]);
        let launch = Launch {
            kernel: "k".to_owned(),
            grid: [2, 1, 1],
            block: [1, 1, 1],
            cluster: None,
            dynamic_shared: 0,
            cooperative: false,
            arguments: vec![Argument::Buffer(buffer)],
        };
        device.launch(&launch).expect("it runs");
        let bytes = device.read(buffer);
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("a word"));
        (word(64), word(68))
    };
    assert_eq!(last(0), (999, 1999));
    let mixed = (1..9).filter(|seed| {
        let (a, b) = last(*seed);
        assert_eq!(last(*seed), (a, b), "seed {seed}");
        assert_eq!(a.max(b), 1999, "seed {seed}");
        a.min(b) != 999
    });
    assert!(mixed.count() >= 4);
}

/// What is told of a message that did not arrive names all that is missing, on both sides.
#[test]
fn both_sides_of_a_message_are_told() {
    let body = "setp.ne.u32 %p1, %r1, 0; @%p1 bra END; setp.eq.u32 %p2, %r2, 1; @%p2 bra READS; \
                st.global.u32 [%rd1], 7; WRITE bra END; \
                READS: READ setp.eq.u32 %p3, %r7, 0; @%p3 bra READS; ld.global.u32 %r8, [%rd1]; END:";
    let (gpu, cluster) = ((2, 32, 1), (2, 32, 2));
    for (shape, write, read, help) in [
        (
            gpu,
            "st.release.cta.global.u32 [%rd1+64], 1;",
            "ld.acquire.gpu.global.u32 %r7, [%rd1+64];",
            "`.gpu` would do",
        ),
        (
            gpu,
            "st.release.cta.global.u32 [%rd1+64], 1;",
            "ld.acquire.cta.global.u32 %r7, [%rd1+64];",
            "`.gpu` would do, and in the acquire as well",
        ),
        (
            cluster,
            "st.release.cta.global.u32 [%rd1+64], 1;",
            "ld.acquire.cluster.global.u32 %r7, [%rd1+64];",
            "`.cluster` would do",
        ),
        (
            gpu,
            "st.release.cluster.global.u32 [%rd1+64], 1;",
            "ld.acquire.cluster.global.u32 %r7, [%rd1+64];",
            "`.gpu` would do, and in the acquire as well",
        ),
        (
            gpu,
            "fence.acq_rel.cta; st.relaxed.cta.global.u32 [%rd1+64], 1;",
            "ld.acquire.gpu.global.u32 %r7, [%rd1+64];",
            "`.gpu` would do, in the store and in the fence before it",
        ),
        (
            gpu,
            "fence.acq_rel.cta; st.relaxed.gpu.global.u32 [%rd1+64], 1;",
            "ld.acquire.gpu.global.u32 %r7, [%rd1+64];",
            "`.gpu` would do, in the fence before the store",
        ),
        (
            gpu,
            "fence.acq_rel.gpu; st.relaxed.cta.global.u32 [%rd1+64], 1;",
            "ld.acquire.gpu.global.u32 %r7, [%rd1+64];",
            "`.gpu` would do, in the store",
        ),
        (
            gpu,
            "st.relaxed.cta.global.u32 [%rd1+64], 1;",
            "ld.relaxed.cta.global.u32 %r7, [%rd1+64];",
            "make that store `st.release.gpu`, or put `fence.acq_rel.gpu` before it and make it `st.relaxed.gpu`; make the \
             read `.acquire` at `.gpu`, too",
        ),
        (
            gpu,
            "st.release.gpu.global.u32 [%rd1+64], 1;",
            "ld.relaxed.gpu.global.u32 %r7, [%rd1+64]; fence.acq_rel.cta;",
            "make that read `.acquire` at `.gpu`, or put `fence.acq_rel.gpu` after it",
        ),
    ] {
        let text = super::kernel(
            &body
                .replace("WRITE", write)
                .replace("READ ", &format!("{read} ")),
        );
        let found = super::found_in(&text, shape, 0, warpc_sim::Races::All);
        let mut list = found.as_slice().iter().filter(|one| one.code.0 == "W0740");
        let told = list.next().and_then(|one| one.help.as_deref());
        assert_eq!(told, Some(help), "{write} {read}\n{}", super::show(&found));
    }
}

/// A release pattern goes on with later strong writes of the place, and is not seen in what weak ones write.
#[test]
fn later_writes_of_a_release() {
    let message = |after: &str| {
        MESSAGE
            .replace("@@", &format!("st.release.gpu.global.u32 [%rd1+64], 2; {after} bra END;"))
            .replace("FLAG", "ld.acquire.gpu.global.u32 %r7, [%rd1+64]; setp.eq.u32 %p4, %r7, 2; @%p4 bra READS;")
            .replace("AFTER", "")
    };
    let races = |after: &str| {
        let found = super::found_in(
            &super::kernel(&message(after)),
            (2, 32, 1),
            0,
            warpc_sim::Races::All,
        );
        let list = found.as_slice().iter();
        list.filter(|one| one.code.0 == "W0740").count()
    };
    assert_eq!(races("st.relaxed.gpu.global.u32 [%rd1+64], 1;"), 0);
    assert_eq!(
        races("atom.relaxed.gpu.global.exch.b32 %r9, [%rd1+64], 1;"),
        0
    );
    assert_ne!(races("st.global.u32 [%rd1+64], 1;"), 0);
}
