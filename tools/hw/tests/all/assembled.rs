//! The form suite as warpc assembles it: judged by the checkers, run on the emulator of machine code with its timed
//! registers, and compared with the emulator of PTX. No tool and no GPU is needed.

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

/// Results that are known to be others than ptxas's: a quotient that is subnormal before it is rounded and not after, with
/// `.ftz` and a direction.
fn is_listed(case: &Case) -> bool {
    ["div.rm.ftz.f32", "div.rp.ftz.f32"]
        .iter()
        .any(|listed| case.text().starts_with(listed))
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

/// Runs cases and says how many agree and how many are not supported; what is wrong is added.
fn judged(cases: &[Case], how: &dyn Fn(&mut Options), wrong: &mut Vec<String>) -> (usize, usize) {
    let cubin = match assembled(cases, how) {
        Ok(cubin) => cubin,
        Err(why) if cases.len() == 1 => {
            if !why.contains("does not support") {
                wrong.push(format!("{}: {why}", cases[0].text()));
            }
            return (0, 1);
        }
        Err(_) => {
            let each = cases.iter();
            let each = each.map(|case| judged(std::slice::from_ref(case), how, wrong));
            return each.fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1));
        }
    };
    let expected = on_sim::run_module(cases, TUPLES);
    let found = on_sass_sim::run_module(&cubin, cases, TUPLES);
    let mut agreed = 0;
    for (case, (expected, found)) in cases.iter().zip(expected.into_iter().zip(found)) {
        let (expected, found) = match (expected, found) {
            (Ok(expected), Ok(found)) => (expected, found),
            (Err(_), Err(_)) => continue,
            (Ok(_), Err(why)) | (Err(why), Ok(_)) => {
                wrong.push(format!("{}: {why}", case.text()));
                continue;
            }
        };
        let mut pairs = expected.iter().zip(&found);
        match pairs.position(|(one, other)| one != other) {
            Some(at) if !may_differ(case) && !is_listed(case) => {
                let count = case.draft.results.len();
                let operands = Tuples::new(&case.draft).get((at / count) as u64);
                let (expected, found) = (expected[at], found[at]);
                let text = case.text();
                wrong.push(format!(
                    "{text}: {operands:x?}: {expected:x}, here {found:x}"
                ));
            }
            _ => agreed += 1,
        }
    }
    (agreed, 0)
}

/// Assembles a sample of the suite in a way; `skip` chooses the sample.
fn try_forms(skip: usize, how: &dyn Fn(&mut Options)) {
    let every = std::env::var("WARPC_FORMS_EVERY").ok();
    let every = every.and_then(|text| text.parse().ok()).unwrap_or(EVERY);
    let suite = forms::suite();
    let (mut agreed, mut unsupported, mut wrong) = (0, 0, Vec::new());
    for cases in suite.cases.chunks(MODULE).skip(skip % every).step_by(every) {
        let (one, other) = judged(cases, how, &mut wrong);
        agreed += one;
        unsupported += other;
    }
    println!("{agreed} forms agree, {unsupported} are not supported");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(agreed > 100, "only {agreed} forms agree");
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
