//! The form suite as warpc assembles it: judged by the checkers, run on the emulator of machine code with its timed
//! registers, and compared with the emulator of PTX. No tool and no GPU is needed.

use std::collections::BTreeMap;
use warpc::{Options, Source};
use warpc_cubin::Cubin;
use warpc_hw::forms::{self, Case, Tuples};
use warpc_hw::{on_sass_sim, on_sim};

/// Forms of one module, operands of each, and which modules are taken: every so many.
const MODULE: usize = 64;
const TUPLES: usize = 128;
const EVERY: usize = 24;

/// Instructions whose exact value the manual leaves open.
fn may_differ(case: &Case) -> bool {
    let open = [".approx", ".full", "clock", "globaltimer"];
    open.iter().any(|open| case.text().contains(open))
}

/// The cubin of cases; the error is what is not supported.
fn assembled(cases: &[Case], how: &dyn Fn(&mut Options)) -> Result<Cubin, String> {
    let mut options = Options::new("sm_90a".parse().expect("a chip"));
    options.assembler.verify = true;
    how(&mut options);
    let text = on_sass_sim::module_text(cases);
    let source = Source::new("forms.ptx", text).expect("a short text");
    let made = warpc::assemble(&source, &options);
    made.value.ok_or_else(|| {
        let first = made.diagnostics.first_error();
        first.map_or_else(String::new, |one| one.message.clone())
    })
}

/// What became of cases.
#[derive(Default)]
struct Tally {
    agreed: usize,
    /// Texts of those that are not supported.
    refused: Vec<String>,
    wrong: Vec<String>,
}

/// Runs cases and adds what became of them.
fn judge(cases: &[Case], how: &dyn Fn(&mut Options), tally: &mut Tally) {
    let cubin = match assembled(cases, how) {
        Ok(cubin) => cubin,
        Err(why) if cases.len() == 1 => {
            let text = cases[0].text();
            match why.contains("does not support") {
                true => tally.refused.push(text.to_owned()),
                false => tally.wrong.push(format!("{text}: {why}")),
            }
            return;
        }
        Err(_) => {
            for case in cases {
                judge(std::slice::from_ref(case), how, tally);
            }
            return;
        }
    };
    let expected = on_sim::run_module(cases, TUPLES);
    let found = on_sass_sim::run_module(&cubin, cases, TUPLES);
    for (case, (expected, found)) in cases.iter().zip(expected.into_iter().zip(found)) {
        let (expected, found) = match (expected, found) {
            (Ok(expected), Ok(found)) => (expected, found),
            (Err(_), Err(_)) => continue,
            (Ok(_), Err(why)) | (Err(why), Ok(_)) => {
                tally.wrong.push(format!("{}: {why}", case.text()));
                continue;
            }
        };
        let mut pairs = expected.iter().zip(&found);
        match pairs.position(|(one, other)| one != other) {
            Some(at) if !may_differ(case) => {
                let count = case.draft.results.len();
                let operands = Tuples::new(&case.draft).get((at / count) as u64);
                let (expected, found) = (expected[at], found[at]);
                let text = case.text();
                tally.wrong.push(format!(
                    "{text}: {operands:x?}: {expected:x}, here {found:x}"
                ));
            }
            _ => tally.agreed += 1,
        }
    }
}

/// Assembles a sample of the suite in a way; `skip` chooses the sample. `WARPC_FORMS_EVERY=1` takes all of it, and
/// `WARPC_FORMS_SECTION` one section.
fn try_forms(skip: usize, how: &dyn Fn(&mut Options)) {
    let every = std::env::var("WARPC_FORMS_EVERY").ok();
    let every = every.and_then(|text| text.parse().ok()).unwrap_or(EVERY);
    let section = std::env::var("WARPC_FORMS_SECTION").ok();
    let mut suite = forms::suite();
    suite
        .cases
        .retain(|case| section.as_ref().is_none_or(|one| case.section == one));
    let mut sections: BTreeMap<&str, Tally> = BTreeMap::new();
    for cases in suite.cases.chunks(MODULE).skip(skip % every).step_by(every) {
        // A module is of one section, so that each has its count.
        for cases in cases.chunk_by(|one, other| one.section == other.section) {
            judge(cases, how, sections.entry(cases[0].section).or_default());
        }
    }
    for (section, tally) in &sections {
        let (agreed, refused) = (tally.agreed, tally.refused.len());
        println!("{section}: {agreed} forms agree, {refused} are not supported");
        for text in &tally.refused {
            println!("not supported: {text}");
        }
    }
    let wrong: Vec<&str> = sections
        .values()
        .flat_map(|one| one.wrong.iter().map(String::as_str))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let agreed: usize = sections.values().map(|one| one.agreed).sum();
    assert!(
        agreed > 100 || section.is_some(),
        "only {agreed} forms agree"
    );
}

#[test]
fn forms_scheduled() {
    try_forms(0, &|_| {});
}

#[test]
fn forms_one_instruction_at_a_time() {
    try_forms(7, &|options| options.assembler.serial = true);
}

#[test]
fn forms_with_few_registers() {
    try_forms(13, &|options| options.assembler.spill = true);
}
