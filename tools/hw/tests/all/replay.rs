//! What an H200 answered, beside what we compute: bit for bit, and approximate functions within the
//! bounds of the PTX manual.

use warpc_hw::answers::{Answers, Outcome};
use warpc_hw::compare::{self, Verdict};
use warpc_hw::forms::{self, Case, Tuples};
use warpc_hw::kernels::record::Record;
use warpc_hw::kernels::{Suite, report, run};
use warpc_hw::{matrix, on_sim, programs};
use warpc_sim::Options;
use warpc_testkit::project::tests;

/// Whether the driver that answered (CUDA 13.0) is known to assemble a case wrongly: merging the
/// result of a scalar video instruction into the upper half of `c`, it takes the result's upper
/// half. So does ptxas 12.9; 13.4 takes the lower half, as the manual says, and so do we.
fn misassembled(case: &Case) -> bool {
    let opcode = case.text().split('.').next().unwrap_or_default();
    case.section == "video" && !opcode.ends_with(['2', '4']) && case.text().contains(" d.h1,")
}

/// Interleavings in which kernels are run.
const SEEDS: [u64; 3] = [0, 1, 2];

/// Cases of one module on the emulator.
const MODULE: usize = 64;

fn recorded(name: &str) -> Vec<u8> {
    let path = tests().join("hardware").join(name);
    std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

#[test]
fn forms() {
    let suite = forms::suite();
    let answers = Answers::read(&recorded("forms.bin.gz")).expect("a file of answers");
    let (compared, strangers) = compare::compare(&suite.cases, &answers);
    assert!(strangers.is_empty(), "not in the suite: {strangers:?}");
    assert_eq!(
        compared.len(),
        suite.cases.len(),
        "the suite has other cases than were recorded: run `./x hw` on hardware again"
    );
    let tuples: usize = compared.iter().map(|one| one.tuples).sum();
    println!(
        "{}: {} forms, {tuples} tuples",
        answers.device,
        compared.len()
    );
    println!("{}", compare::summary(&compared));
    assert!(compared.iter().all(|one| one.tuples >= 256));
    let mut wrong: Vec<_> = compared.into_iter().collect();
    wrong.retain(|one| !matches!(one.verdict, Verdict::Equal | Verdict::Near(_)));
    let known = wrong.len();
    wrong.retain(|one| !misassembled(one.case));
    let known = known - wrong.len();
    assert_eq!(known, 13, "cases that the driver assembles wrongly");
    assert!(wrong.is_empty(), "{}", compare::table(&wrong));
}

/// The emulator runs the same kernels and has to give what `eval` computes.
#[test]
fn forms_on_the_emulator() {
    const TUPLES: usize = 256;
    let suite = forms::suite();
    let mut problems = Vec::new();
    for cases in suite.cases.chunks(MODULE) {
        let results = on_sim::run_module(cases, TUPLES);
        for (case, results) in cases.iter().zip(results) {
            let results = match results {
                Ok(results) => results,
                Err(message) => {
                    problems.push(format!("{}: {message}", case.text()));
                    continue;
                }
            };
            let Ok(judge) = &case.judge else { continue };
            let operands = Tuples::new(&case.draft);
            for (i, results) in results.chunks_exact(case.draft.results.len()).enumerate() {
                let sources = operands.get(i as u64);
                let ours = judge.results(&case.draft, &sources);
                if ours.as_deref().is_some_and(|ours| ours != results) {
                    problems.push(format!(
                        "{}: {sources:x?} gives {results:x?}, computed is {ours:x?}",
                        case.text()
                    ));
                    break;
                }
            }
        }
    }
    let shown: Vec<_> = problems.iter().take(40).cloned().collect();
    assert!(
        problems.is_empty(),
        "{} of {} cases:\n{}",
        problems.len(),
        suite.cases.len(),
        shown.join("\n")
    );
}

/// All kernels of a suite with several seeds: the same bytes in all buffers as on hardware, and
/// nothing that the emulator objects to.
fn kernels(suite: &Suite, answers: &str) {
    let record = Record::read(&recorded(answers)).expect("a file of answers");
    let mut problems = Vec::new();
    for file in &suite.files {
        let module = file.module().unwrap_or_else(|e| panic!("{e}"));
        for case in &file.cases {
            let answer = record.answer(file, case);
            for seed in SEEDS {
                let options = Options {
                    seed,
                    jobs: 1,
                    // What comes from lanes that take no part is compared as well.
                    init: false,
                    ..Options::default()
                };
                let sim = run::on_sim(&module, case, options);
                let difference = match &answer {
                    Ok(gpu) => report::difference(gpu, &sim),
                    Err(reason) => Some(reason.clone()),
                };
                problems.extend(
                    difference
                        .map(|text| format!("{} {} (seed {seed}): {text}", file.name, case.text)),
                );
            }
        }
    }
    let launches = suite.len();
    println!(
        "{}: {launches} launches of {} files, {} seeds",
        record.device,
        suite.files.len(),
        SEEDS.len()
    );
    let shown: Vec<_> = problems.iter().take(40).cloned().collect();
    let count = problems.len();
    assert!(
        problems.is_empty(),
        "{count} problems:\n{}",
        shown.join("\n")
    );
}

#[test]
fn kernel_suite() {
    let suite = Suite::read(&tests().join("kernels/ptx")).expect("the suite can be read");
    assert!(suite.len() >= 500, "{}", suite.len());
    kernels(&suite, "kernels.tsv.gz");
}

#[test]
fn generated_programs() {
    kernels(
        &programs::suite().expect("launches can be read"),
        "programs.tsv.gz",
    );
}

/// Every case that was recorded got an answer.
#[test]
fn nothing_failed_on_hardware() {
    let answers = Answers::read(&recorded("forms.bin.gz")).expect("a file of answers");
    for answer in &answers.list {
        if let Outcome::Failed(why) = &answer.outcome {
            panic!("{}: {why}", answer.text);
        }
    }
}

#[test]
fn matrix_forms() {
    let suite = matrix::suite();
    let answers = matrix::answers::read(&recorded("matrix.bin.gz")).expect("a file of answers");
    let compared = matrix::report::compare_all(&suite, &answers);
    println!("{}", compared.summary());
    assert_eq!(
        compared.forms,
        suite.len(),
        "the suite has other forms than were recorded: run `./x hw` on hardware again"
    );
    assert_eq!(compared.equal, compared.forms, "{}", compared.table);
}

/// The emulator runs the same kernels and has to give what `warpc_sim::matrix` computes.
#[test]
fn matrix_forms_on_the_emulator() {
    const TILES: usize = 3;
    let suite = matrix::suite();
    let mut problems = Vec::new();
    for forms in suite.chunks(MODULE) {
        for (form, results) in forms.iter().zip(matrix::on_sim::run_module(forms, TILES)) {
            let expected = (0..TILES).flat_map(|tile| form.expected(&form.input(tile)));
            match results {
                Ok(results) if results.iter().copied().eq(expected) => {}
                Ok(_) => problems.push(format!("{}: other results", form.text)),
                Err(message) => problems.push(format!("{}: {message}", form.text)),
            }
        }
    }
    let shown: Vec<_> = problems.iter().take(40).cloned().collect();
    assert!(
        problems.is_empty(),
        "{} of {} forms:\n{}",
        problems.len(),
        suite.len(),
        shown.join("\n")
    );
}
