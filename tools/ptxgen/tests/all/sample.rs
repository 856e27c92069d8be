//! A sample of random programs through the assembler. `./x sass random` tries thousands.

use warpc_ptxgen::draft::Choices;
use warpc_ptxgen::survey::Survey;

/// Programs of the sample. Another range is tried with `WARPC_RANDOM_SEED`.
const PROGRAMS: u64 = 100;

#[test]
fn programs_leave_the_same_bytes_in_every_way() {
    let seed = std::env::var("WARPC_RANDOM_SEED").ok();
    let seed = seed.and_then(|text| text.parse().ok()).unwrap_or(1);
    let survey = Survey::run(seed, PROGRAMS, 1, Choices::default(), &|_, _| {});
    let summary = survey.summary();
    println!("{summary}");
    assert!(
        survey.wrong.is_empty() && survey.invalid.is_empty(),
        "{summary}"
    );
    // A sample that is mostly refused would show nothing.
    assert!(survey.refusals() <= PROGRAMS as usize / 10, "{summary}");
}
