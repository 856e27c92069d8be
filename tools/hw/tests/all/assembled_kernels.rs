//! The kernel and program suites as warpc assembles them: judged by the checkers, run on the emulator of machine code,
//! and compared with what an H200 recorded. No tool and no GPU is needed.

use std::collections::BTreeMap;
use warpc::{Options, Source};
use warpc_cubin::Cubin;
use warpc_hw::covered::alone;
use warpc_hw::kernels::record::Record;
use warpc_hw::kernels::{Suite, report, run};
use warpc_hw::programs;
use warpc_testkit::project::tests;

/// Thread instructions after which a run is stopped: it hangs, or is too large for a test.
const LIMIT: u64 = 60_000_000;

fn recorded(name: &str) -> Record {
    let path = tests().join("hardware").join(name);
    let bytes = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    Record::read(&bytes).expect("a file of answers")
}

/// The cubin of a text; the error is what is not supported.
fn assembled(text: String, how: &dyn Fn(&mut Options)) -> Result<Cubin, String> {
    let mut options = Options::new("sm_90a".parse().expect("a chip"));
    options.assembler.verify = true;
    how(&mut options);
    let source = Source::new("kernel.ptx", text).expect("a short text");
    let made = warpc::assemble(&source, &options);
    made.value.ok_or_else(|| {
        let first = made.diagnostics.first_error();
        first.map_or_else(String::new, |one| one.message.clone())
    })
}

/// Runs the launches of a suite, every so many files from one on, and says what differs from the record.
fn try_suite(
    suite: &Suite,
    answers: &str,
    (first, every): (usize, usize),
    how: &dyn Fn(&mut Options),
) -> usize {
    let record = recorded(answers);
    let (mut equal, mut long) = (0, 0);
    let mut refused: BTreeMap<String, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for file in suite.files.iter().skip(first % every).step_by(every) {
        let whole = assembled(file.text(), how);
        let module = file.module().unwrap_or_else(|e| panic!("{e}"));
        for case in &file.cases {
            // Where one kernel is refused, the others are assembled alone.
            let cubin = match (&whole, &case.options.kernel) {
                (Err(_), Some(kernel)) => assembled(alone(&module, kernel), how),
                (whole, _) => whole.clone(),
            };
            let cubin = match cubin {
                Ok(cubin) => cubin,
                Err(why) => {
                    if !why.contains("does not support") {
                        wrong.push(format!("{}: {why}", file.name));
                    }
                    *refused.entry(why).or_default() += 1;
                    continue;
                }
            };
            let options = warpc_sass_sim::Options {
                limit: Some(LIMIT),
                ..warpc_sass_sim::Options::default()
            };
            let ran = run::on_sass_sim(&cubin, &module, case, options);
            if ran
                .outcome
                .as_ref()
                .is_err_and(|why| why.contains("thread instructions"))
            {
                long += 1;
                continue;
            }
            let difference = match record.answer(file, case) {
                Ok(gpu) => report::difference(gpu, &ran),
                Err(reason) => Some(reason),
            };
            match difference {
                Some(text) => wrong.push(format!("{} {}: {text}", file.name, case.text)),
                None => equal += 1,
            }
        }
    }
    println!(
        "{equal} launches are equal, {long} too long, {} wrong",
        wrong.len()
    );
    for (why, launches) in &refused {
        println!("{launches} launches refused: {why}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    equal
}

fn kernels() -> Suite {
    Suite::read(&tests().join("kernels/ptx")).expect("the kernels")
}

#[test]
fn kernels_scheduled() {
    try_suite(&kernels(), "kernels.tsv.gz", (0, 1), &|_| {});
}

/// The version that the cost model finds best, of a part of the suite: it takes tens of times as long to find.
#[test]
fn kernels_searched() {
    let every = std::env::var("WARPC_TUNED_EVERY").ok();
    let every = every.and_then(|text| text.parse().ok()).unwrap_or(4);
    let equal = try_suite(&kernels(), "kernels.tsv.gz", (1, every), &|options| {
        options.assembler.tune = true;
    });
    assert!(equal >= 50, "{equal} launches");
}

#[test]
fn kernels_one_instruction_at_a_time() {
    try_suite(&kernels(), "kernels.tsv.gz", (0, 1), &|options| {
        options.assembler.serial = true;
    });
}

#[test]
fn kernels_with_few_registers() {
    try_suite(&kernels(), "kernels.tsv.gz", (0, 1), &|options| {
        options.assembler.spill = true;
    });
}

/// Each pass that may be left out alone left out, and alone run, over a part of the suite, another one for each.
#[test]
fn kernels_with_each_pass_off_and_alone_on() {
    let every = std::env::var("WARPC_PASSES_EVERY").ok();
    let every = every.and_then(|text| text.parse().ok()).unwrap_or(8);
    let suite = kernels();
    let mut equal = 0;
    for (number, pass) in warpc::optional_pass_names().enumerate() {
        println!("without {pass}");
        equal += try_suite(&suite, "kernels.tsv.gz", (number, every), &|options| {
            options.assembler.passes.leave_out(pass).expect("a pass");
        });
        println!("only {pass}");
        equal += try_suite(&suite, "kernels.tsv.gz", (number, every), &|options| {
            options.assembler.passes.run_only(pass).expect("a pass");
        });
    }
    assert!(equal >= 100, "{equal} launches");
}

#[test]
fn programs_scheduled() {
    // All of them take minutes.
    let every = std::env::var("WARPC_PROGRAMS_EVERY").ok();
    let every = every.and_then(|text| text.parse().ok()).unwrap_or(4);
    let suite = programs::suite().expect("the programs");
    try_suite(&suite, "programs.tsv.gz", (0, every), &|_| {});
}

#[test]
fn calls_are_as_on_the_emulator() {
    assert!(try_on_emulator("kernels/calls") >= 10);
}

/// Copies in bulk of threads with equal and different operands, between blocks, and barriers in memory.
#[test]
fn copies_are_as_on_the_emulator() {
    assert!(try_on_emulator("kernels/copies") >= 18);
}

#[test]
fn warps_that_were_parted_are_as_on_the_emulator() {
    assert!(try_on_emulator("kernels/parted") >= 2);
}

/// The suite for times, with the launches for results.
#[test]
fn computations_are_as_on_the_emulator() {
    assert!(try_on_emulator("kernels/compute/ptx") >= 90);
}

/// Kernels for which there is no record: as the emulator of PTX runs them. How many launches there are comes back.
fn try_on_emulator(folder: &str) -> usize {
    let suite = Suite::read(&tests().join(folder)).expect("the kernels");
    let ways: [&dyn Fn(&mut Options); 3] = [
        &|_| {},
        &|options| options.assembler.serial = true,
        &|options| options.assembler.spill = true,
    ];
    let mut wrong = Vec::new();
    for file in &suite.files {
        let module = file.module().unwrap_or_else(|e| panic!("{e}"));
        for (number, way) in ways.iter().enumerate() {
            let cubin =
                assembled(file.text(), way).unwrap_or_else(|why| panic!("{}: {why}", file.name));
            for case in &file.cases {
                let expected = run::on_sim(&module, case, warpc_sim::Options::default());
                let options = warpc_sass_sim::Options {
                    limit: Some(LIMIT),
                    ..warpc_sass_sim::Options::default()
                };
                let found = run::on_sass_sim(&cubin, &module, case, options);
                if let Some(text) = report::difference(&expected, &found) {
                    wrong.push(format!(
                        "{} {} (way {number}): {text}",
                        file.name, case.text
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    suite.len()
}
