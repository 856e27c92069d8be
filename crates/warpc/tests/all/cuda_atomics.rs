//! Calls of `__nv_atomic_*` against nvcc 13.4 and NVRTC 12.9, over the recorded answers in `tests/oracle`.
//!
//! ```text
//!   cuda_atomics.tsv: builtin, type, order, failure order, scope, sm, status, PTX    17,670 rows
//!   atomic_calls.tsv: the same calls, numbers of errors and warnings by sm
//!        │ row ──► one kernel in a module ──► warpc ──► PTX of the kernel, diagnostics of its line
//!        ▼
//!   the same accesses and fences, or stronger ones; the same warnings; the same errors
//! ```
//!
//! Registers, the order of modifiers and how values get into registers are not compared.

mod llvm;
mod order;
mod row;

use order::{Step, Verdict, compare, steps};
use row::{Call, Row, rows};
use std::collections::BTreeMap;
use warpc::{Options, Source};
use warpc_diag::Severity;
use warpc_model::{Access, Mapping, Ordering, Scope};

/// So many kernels fit a module without filling the list of diagnostics.
const KERNELS: usize = 400;

/// What a kernel became.
struct Answer {
    /// The accesses and fences; `None` if there are errors.
    steps: Option<Vec<Step>>,
    /// The numbers of errors and warnings, without `NV`.
    numbers: Vec<(Severity, String)>,
}

/// A module with one kernel for each call, and the lines where they begin.
fn module(calls: &[(&Row, Call)]) -> (Source, Vec<usize>) {
    let mut text = String::from("target triple = \"nvptx64-nvidia-cuda\"\n");
    text += &row::declarations(calls);
    let mut lines = Vec::new();
    for (index, (_, call)) in calls.iter().enumerate() {
        let kernel = call.kernel(index);
        lines.push(text.lines().count() + 1);
        text += &kernel;
    }
    (Source::new("calls.ll", text).unwrap(), lines)
}

/// Compiles one kernel for each call.
fn compile(sm: &str, calls: &[(&Row, Call)], mapping: &'static Mapping) -> Vec<Answer> {
    let (source, lines) = module(calls);
    let mut options = Options::new(format!("sm_{sm}").parse().unwrap());
    options.mapping = mapping;
    let made = warpc::compile(&source, &options);
    let printed = made.value.as_ref().map(|ptx| ptx.to_string());
    let mut answers: Vec<Answer> = (0..calls.len())
        .map(|index| Answer {
            steps: printed.as_ref().map(|text| steps(row::body(text, index))),
            numbers: Vec::new(),
        })
        .collect();
    for found in made.diagnostics.as_slice() {
        let line = source.file().position(found.span.start).line;
        let index = lines.partition_point(|&first| first <= line);
        let number = found.message.split("(NV").nth(1).unwrap_or(&found.message);
        let number: String = number.chars().take_while(char::is_ascii_digit).collect();
        let place = index.checked_sub(1).and_then(|at| answers.get_mut(at));
        let Some(answer) = place else {
            panic!("line {line}: {}", found.message);
        };
        answer.numbers.push((found.severity, number));
    }
    answers
}

/// The numbers with their letters, as they are recorded: `E3756 W3763`.
fn recorded(numbers: &[(Severity, String)]) -> String {
    let letter = |severity: &Severity| match severity {
        Severity::Error => 'E',
        Severity::Warning => 'W',
    };
    let mut words: Vec<String> = numbers
        .iter()
        .map(|(severity, number)| format!("{}{number}", letter(severity)))
        .collect();
    words.sort();
    words.join(" ")
}

/// How often each verdict came, and what is wrong.
#[derive(Default)]
struct Comparison {
    counts: BTreeMap<&'static str, usize>,
    wrong: Vec<String>,
}

impl Comparison {
    /// Compares all rows.
    fn of(rows: &[Row], mapping: &'static Mapping) -> Comparison {
        let mut comparison = Comparison::default();
        for sm in ["60", "70", "75", "80", "90", "100"] {
            for rejected in [false, true] {
                let wanted = |row: &&Row| row.sm == sm && row.is_rejected() == rejected;
                let calls = rows.iter().filter(wanted).map(|row| (row, Call::of(row)));
                let (signed, calls): (Vec<_>, Vec<_>) =
                    calls.partition(|(_, call)| call.needs_sign());
                for (row, call) in signed {
                    let numbers = call.resolver();
                    comparison.add(match numbers == row.numbers {
                        true => {
                            Ok("refused for a sign, which LLVM's types lack: asked of the resolver")
                        }
                        false => Err(format!("{row}: {numbers}")),
                    });
                }
                for chunk in calls.chunks(KERNELS) {
                    for ((row, _), answer) in chunk.iter().zip(compile(sm, chunk, mapping)) {
                        let verdict = judge(row, &answer);
                        comparison.add(verdict.map_err(|why| format!("{row}: {why}")));
                    }
                }
            }
        }
        comparison
    }

    fn add(&mut self, verdict: Result<&'static str, String>) {
        match verdict {
            Ok(key) => *self.counts.entry(key).or_default() += 1,
            Err(wrong) => self.wrong.push(wrong),
        }
    }
}

#[test]
fn calls_become_what_nvcc_makes_or_something_stronger() {
    let rows = rows();
    let comparison = Comparison::of(&rows, &Mapping::SOUND);
    let total: usize = comparison.counts.values().sum();
    for (key, count) in &comparison.counts {
        println!("{count:6} {key}");
    }
    println!("{total:6} of {}", rows.len());
    let wrong = &comparison.wrong;
    let first = wrong[..wrong.len().min(20)].join("\n");
    assert!(wrong.is_empty(), "{} differ:\n{first}", wrong.len());
    assert_eq!(total, 17_670);
}

/// A table that is weaker in one place is found.
#[test]
fn weaker_tables_are_found() {
    let (load, rmw) = (Access::Load as usize, Access::Rmw as usize);
    let (acquire, seq_cst) = (Ordering::Acquire as usize, Ordering::SeqCst as usize);
    type Change<'a> = (&'a str, &'a dyn Fn(&mut Mapping));
    let changes: [Change; 6] = [
        ("no fence before a load", &|m| {
            m.ordered[load][seq_cst].before = None
        }),
        ("no fence before an update", &|m| {
            m.ordered[rmw][seq_cst].before = None
        }),
        ("an update acquires nothing", &|m| {
            m.ordered[rmw][acquire].order = Some(Ordering::Relaxed);
        }),
        ("no membar after a load", &|m| {
            m.membar[load][acquire].after = None
        }),
        ("a swap forgets its failure", &|m| {
            m.cas[Ordering::Relaxed as usize][acquire] = Ordering::Relaxed;
        }),
        ("clusters become blocks", &|m| {
            m.widened[Scope::Cluster as usize] = Scope::Cta;
        }),
    ];
    // One type of each kind is enough to meet every place.
    let mut rows = rows();
    rows.retain(|row| ["-", "s32"].contains(&&row.ty[..]) && !row.is_rejected());
    for (what, change) in changes {
        let mut mapping = Mapping::SOUND;
        change(&mut mapping);
        let comparison = Comparison::of(&rows, Box::leak(Box::new(mapping)));
        assert!(!comparison.wrong.is_empty(), "{what}");
    }
}

fn judge(row: &Row, answer: &Answer) -> Result<&'static str, String> {
    let numbers = recorded(&answer.numbers);
    if numbers != row.numbers {
        return Err(format!("diagnostics `{numbers}`, not `{}`", row.numbers));
    }
    if row.is_rejected() {
        return Ok("refused with the same number");
    }
    let Some(ours) = &answer.steps else {
        return Err("its module does not compile".to_owned());
    };
    let theirs = steps(&row.ptx.replace(" | ", "\n"));
    match compare(ours, &theirs) {
        Verdict::Same => Ok("the same accesses and fences"),
        Verdict::Stronger(why) => Ok(why),
        Verdict::Weaker => Err(format!("{ours:?} for {theirs:?}")),
    }
}
