//! The emulator of machine code: kernels written by hand leave what they left on a GPU, and ptxas's code of the recorded
//! forms computes what the emulator of PTX computes.

use std::collections::BTreeMap;
use std::process::Command;
use warpc_cubin::Cubin;
use warpc_hw::forms::{self, Case, Tuples};
use warpc_hw::sass::hand::{KERNELS, assembled};
use warpc_hw::{on_sass_sim, on_sim};
use warpc_testkit::project;
use warpc_testkit::scratch::Folder;

#[test]
fn kernels_written_by_hand_leave_what_they_must() {
    let mut launches = 0;
    let mut wrong = Vec::new();
    for hand in KERNELS {
        let bytes = assembled(hand.name, hand.text).unwrap_or_else(|why| panic!("{why}"));
        let cubin = Cubin::read(&bytes).expect("a cubin");
        for (number, case) in (hand.cases)().iter().enumerate() {
            launches += 1;
            if let Err(why) = on_sass_sim::run_hand(&cubin, case) {
                wrong.push(format!("{} {number}: {why}", hand.name));
            }
        }
    }
    assert!(launches >= 20);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Forms of one module, operands of each, and which modules are taken: every so many.
const MODULE: usize = 64;
const TUPLES: usize = 128;
const EVERY: usize = 16;

/// Why results of two emulators may differ: instructions whose exact value the manual leaves open.
fn may_differ(case: &Case) -> bool {
    let text = case.text();
    [".approx", ".full", "clock", "globaltimer"]
        .iter()
        .any(|open| text.contains(open))
}

/// Forms whose machine code has a word that the tables do not know: sums of integers that saturate.
fn is_unknown(case: &Case) -> bool {
    case.text().contains(".sat.s32")
}

#[test]
fn forms_as_ptxas_assembles_them() {
    let Some(ptxas) = project::ptxas("sm_90") else {
        return;
    };
    let every = std::env::var("WARPC_FORMS_EVERY")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(EVERY);
    let folder = Folder::new("forms-on-sass-sim");
    let suite = forms::suite();
    let (mut agreed, mut refused, mut unknown) = (0, 0, 0);
    let mut wrong: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (number, cases) in suite.cases.chunks(MODULE).enumerate().step_by(every) {
        let from = folder.file(format!("{number}.ptx"), on_sass_sim::module_text(cases));
        let to = folder.join(format!("{number}.cubin"));
        let mut command = Command::new(&ptxas);
        command.args(["-arch", "sm_90a", "-o"]).arg(&to).arg(&from);
        if !command.output().expect("ptxas runs").status.success() {
            refused += cases.len();
            continue;
        }
        let cubin = Cubin::read(&std::fs::read(to).expect("a cubin")).expect("a cubin");
        let expected = on_sim::run_module(cases, TUPLES);
        let found = on_sass_sim::run_module(&cubin, cases, TUPLES);
        for (case, (expected, found)) in cases.iter().zip(expected.into_iter().zip(found)) {
            let (expected, found) = match (expected, found) {
                (Ok(expected), Ok(found)) => (expected, found),
                (Err(_), Err(_)) => continue,
                (Ok(_), Err(why)) if is_unknown(case) && why.contains("not an instruction") => {
                    unknown += 1;
                    continue;
                }
                (Ok(_), Err(why)) => {
                    wrong.entry(why).or_default().push(case.text().to_owned());
                    continue;
                }
                (Err(why), Ok(_)) => {
                    wrong
                        .entry(format!("emulator: {why}"))
                        .or_default()
                        .push(case.text().to_owned());
                    continue;
                }
            };
            let count = case.draft.results.len();
            match expected
                .iter()
                .zip(&found)
                .position(|(one, other)| one != other)
            {
                None => agreed += 1,
                Some(_) if may_differ(case) => agreed += 1,
                Some(at) => {
                    let operands = Tuples::new(&case.draft).get((at / count) as u64);
                    let why = format!("{operands:x?}: {:x}, here {:x}", expected[at], found[at]);
                    wrong.entry(why).or_default().push(case.text().to_owned());
                }
            }
        }
    }
    println!(
        "{agreed} forms agree, {refused} are refused by ptxas, {unknown} have words that are not known"
    );
    let lines: Vec<String> = wrong
        .iter()
        .map(|(why, cases)| format!("{} ({}): {why}", cases[0], cases.len()))
        .collect();
    assert!(lines.is_empty(), "{}", lines.join("\n"));
    assert!(agreed > 500);
}
