//! What a finding looks like, and which are looked for.

use super::{found_in, kernel, show};
use warpc_sim::Races;

const NEIGHBOUR: &str =
    "st.shared.u32 [%r5], %r1; xor.b32 %r6, %r5, 128; ld.shared.u32 %r7, [%r6];";
const BLOCKS: &str = "st.global.u32 [%rd3], %r2;";

#[test]
fn modes() {
    let count = |body: &str, races| {
        let found = found_in(&kernel(body), (2, 64, 1), 0, races);
        found.as_slice().len()
    };
    assert_eq!(count(NEIGHBOUR, Races::Off), 0);
    assert_ne!(count(NEIGHBOUR, Races::Shared), 0);
    assert_eq!(count(BLOCKS, Races::Shared), 0);
    assert_ne!(count(BLOCKS, Races::All), 0);
}

#[test]
fn both_accesses_are_shown_once() {
    let found = found_in(&kernel(NEIGHBOUR), (2, 64, 1), 0, Races::All);
    let list = found.as_slice();
    assert_eq!(list.len(), 1, "{}", show(&found));
    let one = &list[0];
    assert!(one.thread.is_some() && one.related.len() == 1);
    let label = one.label.as_deref().unwrap_or("");
    assert!(label.contains("kernel `k`, block ("), "{label}");
    assert!(one.related[0].1.contains("thread ("), "{:?}", one.related);
    // Both spans are those of the instructions, whichever came first.
    assert_ne!(one.span, one.related[0].0);
}

#[test]
fn calls_are_shown() {
    let text = format!(
        "{}.func put(.param .b64 a, .param .b32 v) {{ .reg .b64 %rd; .reg .b32 %r; ld.param.b64 %rd, [a]; \
         ld.param.b32 %r, [v]; st.global.u32 [%rd], %r; ret; }}\n\
         .visible .entry k(.param .u64 data) {{ {} call put, (%rd1, %r1); ret; }}",
        super::HEAD,
        super::PROLOGUE,
    );
    let found = found_in(&text, (1, 64, 1), 0, Races::All);
    let told = found.as_slice().iter().any(|one| {
        let label = one.label.as_deref().unwrap_or("");
        label.contains("in `put`")
            && one
                .related
                .iter()
                .any(|(_, text)| text == "called from here, in `k`")
            && one
                .related
                .iter()
                .any(|(_, text)| text.contains("the earlier one was called"))
    });
    assert!(told, "{:#?}", found.as_slice());
}

#[test]
fn a_warning_does_not_fail_a_launch() {
    let found = found_in(
        &kernel("st.global.u32 [%rd1], 0;"),
        (1, 32, 1),
        0,
        Races::All,
    );
    assert!(
        !found.has_errors() && found.warning_count() == 1,
        "{}",
        show(&found)
    );
}

#[test]
fn a_fault_is_told_with_the_races_before_it() {
    let body = format!("{NEIGHBOUR} bar.sync 0; trap;");
    let found = found_in(&kernel(&body), (1, 64, 1), 0, Races::All);
    let codes: Vec<&str> = found.as_slice().iter().map(|one| one.code.0).collect();
    assert_eq!(codes, ["W0714", "W0740"]);
}
