//! The form suite: every instruction form of the computing sections with every combination of
//! modifiers, each in a kernel of its own that tries it with many operands.
//!
//! ```text
//!   table rows ──choices──► Choice ──spelling, draft──► Draft ──check──► Case
//!                                                         │               ├─ tuples ──► operands
//!                                                         └─ kernel       └─ judge ───► what eval says
//! ```

pub(crate) mod choices;
mod draft;
mod judge;
mod spelling;
mod tuples;
mod values;

pub use choices::{SECTIONS, VERSION, target};
pub use draft::{BLOCK, CELL, Draft, Place, Source};
pub use judge::Judge;
pub use tuples::Tuples;
pub use values::Format;

use std::collections::HashSet;
use std::fmt::Write;
use warpc_ptx_eval::{self as eval, Bound};

/// One instruction under test.
pub struct Case {
    /// The section of the table its form is in.
    pub section: &'static str,
    /// The instruction with its registers.
    pub draft: Draft,
    /// What `eval` says about it, or how that does not fit.
    pub judge: Result<Judge, String>,
    /// How far an approximate function may be off.
    pub bound: Option<Bound>,
}

impl Case {
    /// The instruction; no other case has the same.
    pub fn text(&self) -> &str {
        &self.draft.text
    }
}

/// What the suite is made of.
pub struct Suite {
    /// The cases, in the table's order.
    pub cases: Vec<Case>,
    /// What was drafted and is not a valid PTX, with the first diagnostic.
    pub refused: Vec<(String, String)>,
}

/// Makes the suite.
pub fn suite() -> Suite {
    let mut suite = Suite {
        cases: Vec::new(),
        refused: Vec::new(),
    };
    let mut seen = HashSet::new();
    for (section, choice) in choices::all() {
        for spelling in spelling::spellings(section, &choice) {
            let Some(draft) = Draft::new(&choice, &spelling) else {
                continue;
            };
            let crossed = draft.crossed();
            for draft in [Some(draft), crossed].into_iter().flatten() {
                if !seen.insert(draft.text.clone()) {
                    continue;
                }
                match judge::check(&module(std::slice::from_ref(&draft))) {
                    Ok(checked) => {
                        let judge = Judge::new(&draft, &checked);
                        suite.cases.push(Case {
                            section,
                            draft,
                            judge,
                            bound: eval::approx_bound(&checked.choice),
                        });
                    }
                    Err(reason) => suite.refused.push((draft.text, reason)),
                }
            }
        }
    }
    suite
}

/// The name of the kernel of the draft with this number in its module.
pub fn kernel_name(number: usize) -> String {
    format!("form{number}")
}

/// A module with a kernel for each draft.
pub fn module<'a>(drafts: impl IntoIterator<Item = &'a Draft>) -> String {
    let mut out = String::new();
    let _ = write!(
        out,
        ".version {VERSION}\n.target {}\n.address_size 64\n\n",
        target()
    );
    for (i, draft) in drafts.into_iter().enumerate() {
        out.push_str(&draft.kernel(&kernel_name(i)));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The suite follows the tables: a form that gets lost on the way would not be tried.
    #[test]
    fn every_section_has_cases_and_eval_fits_them() {
        let suite = suite();
        for section in SECTIONS.iter().filter(|name| **name != "mixed") {
            let cases = suite.cases.iter().filter(|case| case.section == *section);
            assert!(cases.count() >= 50, "{section}");
        }
        let misfits: Vec<_> = suite
            .cases
            .iter()
            .filter_map(|case| Some((case.text(), case.judge.as_ref().err()?)))
            .collect();
        assert!(misfits.is_empty(), "{misfits:?}");
        // What the verifier refuses is what `.sat` has nothing to do in, and nothing else.
        for (text, reason) in &suite.refused {
            assert!(reason.contains("nothing to saturate"), "{text}: {reason}");
        }
    }

    #[test]
    fn tuples_are_the_same_every_time_and_fit_their_registers() {
        let suite = suite();
        for case in suite.cases.iter().step_by(7) {
            let (first, second) = (Tuples::new(&case.draft), Tuples::new(&case.draft));
            for i in 0..64 {
                let tuple = first.get(i);
                assert_eq!(tuple, second.get(i), "{}", case.text());
                for (value, source) in tuple.iter().zip(&case.draft.sources) {
                    assert!(*value <= u64::MAX >> (64 - source.bits), "{}", case.text());
                }
            }
        }
    }

    /// A constant can stand where a register can.
    #[test]
    fn constants_are_tried_in_every_place() {
        let suite = suite();
        let has = |text: &str| suite.cases.iter().any(|case| case.text() == text);
        for text in [
            "sub.s32 d, 0x5, b",
            "sub.s32 d, a, 0xffffffa7",
            "mad.wide.u16 d, a, 0x5, c",
            "fma.rn.f32 d, a, 0f80000123, c",
            "add.f64 d, 0d3FF8000000000000, b",
            "bfe.u64 d, a, b, 0xff",
            "shf.l.clamp.b32 d, a, 0x5, 0x5",
        ] {
            assert!(has(text), "{text}");
        }
    }

    /// Few specials are tried all, in the first tuples.
    #[test]
    fn single_operands_meet_every_special_value() {
        let suite = suite();
        let case = suite.cases.iter().find(|c| c.text() == "abs.f32 d, a");
        let tuples = Tuples::new(&case.expect("abs.f32 is in the suite").draft);
        let first: Vec<u64> = (0..128).map(|i| tuples.get(i)[0]).collect();
        for value in [
            0,
            0x8000_0000,
            0x7f80_0000,
            0xff80_0000,
            0x7f80_0001,
            1,
            0x8000_0001,
        ] {
            assert!(first.contains(&value), "{value:x}");
        }
    }
}
