//! Values that nobody wrote, where accesses are atomic.

use super::{found_in, kernel, show};
use warpc_sim::Races;

/// Each thread counts in shared memory; then one adds the count to the buffer.
fn count(start: &str, end: &str) -> String {
    kernel(&format!(
        "setp.ne.u32 %p1, %r1, 0; @%p1 bra COUNT; {start} COUNT: bar.sync 0;
         atom.shared.add.u32 %r7, [s], 1; bar.sync 0;
         @%p1 bra END; ld.shared.u32 %r8, [s]; {end} END:"
    ))
}

#[test]
fn an_atomic_operation_must_bring_a_value_to_a_buffer() {
    let ends = [
        "red.global.add.u32 [%rd1], %r8;",
        "atom.global.exch.b32 %r9, [%rd1], %r8;",
        "atom.global.cas.b32 %r9, [%rd1], 1, %r8;",
        "atom.global.cas.b32 %r9, [%rd1], %r8, 1;",
    ];
    for end in ends {
        let right = found_in(
            &count("st.shared.u32 [s], 0;", end),
            (2, 64, 1),
            0,
            Races::All,
        );
        assert!(right.as_slice().is_empty(), "{end}: {}", show(&right));
        let wrong = found_in(&count("", end), (2, 64, 1), 0, Races::All);
        let list = wrong.as_slice();
        assert!(
            list.len() == 1
                && list[0].code.0 == "W0731"
                && list[0].message.contains("is stored to data"),
            "{end}: {}",
            show(&wrong)
        );
    }
}
