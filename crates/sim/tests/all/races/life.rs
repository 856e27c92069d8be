//! The end of blocks of the heap and of mbarriers.

use super::{found_in, kernel, show};
use warpc_sim::Races;

/// Asserts that a kernel has no finding, or one race of which the message has some words.
fn check(text: &str, expected: Option<(&str, &str)>) {
    for seed in 0..4 {
        let found = found_in(text, (1, 64, 1), seed, Races::All);
        let list = found.as_slice();
        let is_expected = match expected {
            None => list.is_empty(),
            Some((code, words)) => {
                !list.is_empty()
                    && list
                        .iter()
                        .all(|one| one.code.0 == code && one.message.contains(words))
            }
        };
        assert!(is_expected, "{expected:?}:\n{text}\n{}", show(&found));
    }
}

#[test]
fn free_comes_after_all_accesses() {
    let with = |before: &str| {
        let body = format!(
            "setp.ne.u32 %p1, %r1, 0; @%p1 bra USE;
             {{ .param .b64 n; .param .b64 r; st.param.b64 [n], 256; call (r), malloc, (n); ld.param.b64 %rd5, [r]; }}
             st.shared.u64 [s], %rd5; USE: bar.sync 0; ld.shared.u64 %rd6, [s]; add.u64 %rd7, %rd6, %rd2;
             st.u32 [%rd7], %r1; bar.sync 0; xor.b32 %r6, %r3, 128; cvt.u64.u32 %rd8, %r6; add.u64 %rd8, %rd6, %rd8;
             ld.u32 %r7, [%rd8]; st.global.u32 [%rd3], %r7; {before} @%p1 bra END;
             {{ .param .b64 p; st.param.b64 [p], %rd6; call free, (p); }} END:"
        );
        let declared = ".extern .func (.param .b64 r) malloc (.param .b64 n);\n.extern .func free (.param .b64 p);\n.visible";
        kernel(&body).replacen(".visible", declared, 1)
    };
    check(&with("bar.sync 0;"), None);
    let found = found_in(&with(""), (1, 64, 1), 0, Races::All);
    let list = found.as_slice();
    // Or the block is gone when others come to read it.
    let is_found = list.iter().all(|one| {
        one.code.0 == "W0734"
            || one.code.0 == "W0740"
                && one
                    .message
                    .starts_with("race: this `free` and an earlier read")
    });
    assert!(!list.is_empty() && is_found, "{}", show(&found));
    assert!(
        (0..8).any(|seed| found_in(&with(""), (1, 64, 1), seed, Races::All)
            .as_slice()
            .iter()
            .any(|one| one.code.0 == "W0740")),
        "{}",
        show(&found)
    );
}

/// As `cuda::pipeline` ends: the lanes of a warp meet by `match.sync`, and the last warp ends the object.
#[test]
fn one_lane_may_tell_that_its_warp_is_done_with_an_mbarrier() {
    let with = |order: &str, last: &str| {
        kernel(&format!(
            "setp.ne.u32 %p1, %r1, 0; @%p1 bra JOIN; mbarrier.init.shared.b64 [bar], 64; st.shared.u32 [s], 64;
             JOIN: bar.sync 0; mbarrier.arrive.shared.b64 _, [bar];
             WAIT: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 bra WAIT;
             match.any.sync.b32 %r7, %r4, 0xffffffff; and.b32 %r8, %r1, 31; setp.ne.u32 %p3, %r8, 0; @%p3 bra END;
             atom.{order}.cta.shared.add.u32 %r9, [s], -32; setp.ne.u32 %p4, %r9, 32; @%p4 bra END; {last} END:"
        ))
    };
    let inval = "mbarrier.inval.shared.b64 [bar];";
    check(&with("acq_rel", inval), None);
    check(
        &with("relaxed", inval),
        Some(("W0741", "race: this `mbarrier.inval` and an earlier")),
    );
    check(
        &with("acq_rel", "st.shared.u64 [bar], %rd1;"),
        Some(("W0741", "race: this write of 8 bytes and an earlier")),
    );
}
