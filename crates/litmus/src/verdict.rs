//! Whether the final condition of a test holds.

use crate::condition::{Condition, Quantifier, Term};
use crate::draw::Drawing;
use crate::read::Test;
use std::ops::ControlFlow;
use warpc_diag::{Diagnostic, Span, codes};
use warpc_model::axioms::relation::MAX_EVENTS;
use warpc_model::axioms::{Execution, Limits, TooLarge, USUAL_EVENTS, Version, explore, refute};

/// The models, by name.
const MODELS: [(&str, Version); 2] = [("ptx-6.0", Version::V6_0), ("ptx-7.5", Version::V7_5)];

/// A model by its name, `ptx-6.0` or `ptx-7.5`.
pub fn model(name: &str) -> Option<Version> {
    let found = MODELS.iter().find(|(known, _)| *known == name)?;
    Some(found.1)
}

/// The name of a model.
pub fn model_name(version: Version) -> &'static str {
    let found = MODELS.iter().find(|(_, known)| *known == version);
    found.map_or("", |found| found.0)
}

/// How a test is judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The model.
    pub version: Version,
    /// What bounds the search.
    pub limits: Limits,
    /// Whether to draw the execution or the cycle that decides.
    pub draw: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            version: Version::V7_5,
            limits: Limits::default(),
            draw: false,
        }
    }
}

/// The answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// Whether the condition holds.
    pub holds: bool,
    /// Whether loops were cut at the bound: longer executions were not seen.
    pub cut: bool,
    /// Whether an execution decides, and not that there is none.
    pub is_witnessed: bool,
    /// What decides, if it was asked for.
    pub drawing: Option<Drawing>,
}

/// Judges a test.
pub fn judge(test: &Test, options: &Options) -> Result<Verdict, Box<Diagnostic>> {
    if let (Version::V6_0, Some(span)) = (options.version, test.proxy) {
        let found = Diagnostic::error(codes::LITMUS_MODEL, span, "PTX 6.0 does not have proxies");
        return Err(Box::new(
            found.help("they exist from PTX 7.5 on: `--model ptx-7.5`"),
        ));
    }
    // An execution that satisfies this decides.
    let deciding = match test.quantifier {
        Quantifier::Exists | Quantifier::NotExists => test.condition.clone(),
        Quantifier::Forall => Condition::Not(Box::new(test.condition.clone())),
    };
    let deciding = Condition::And(Box::new(test.filter.clone()), Box::new(deciding));
    let mut wants = |execution: &Execution| satisfied(test, &deciding, execution).is_some();
    let mut found: Option<Drawing> = None;
    let mut is_found = false;
    let mut visit = |execution: &Execution| {
        let Some(memory) = satisfied(test, &deciding, execution) else {
            return ControlFlow::Continue(());
        };
        is_found = true;
        if options.draw {
            found = Some(Drawing::of_execution(test, execution, &memory));
        }
        ControlFlow::Break(())
    };
    let met = explore(
        &test.program,
        options.version,
        options.limits,
        &mut wants,
        &mut visit,
    )
    .map_err(|error| too_large(test, options, error))?;
    if !is_found && options.draw {
        let refuted = refute(&test.program, options.version, options.limits, &mut wants)
            .map_err(|error| too_large(test, options, error))?;
        found = Some(match refuted {
            Some(refuted) => Drawing::of_refuted(test, &refuted),
            None => Drawing::without_candidate(test),
        });
    }
    if let Some(drawing) = &mut found
        && met.cut
    {
        let bound = options.limits.unroll;
        drawing.notes.push(format!(
            "a jump backwards was followed at most {bound} times in a thread (`--unroll`)"
        ));
    }
    Ok(Verdict {
        holds: is_found == (test.quantifier == Quantifier::Exists),
        cut: met.cut,
        is_witnessed: is_found,
        drawing: found,
    })
}

/// Whether an execution satisfies a condition: the last values of the locations that it speaks of with which it does.
fn satisfied(
    test: &Test,
    condition: &Condition,
    execution: &Execution,
) -> Option<Vec<(usize, u64)>> {
    let mut locations = Vec::new();
    condition.locations(&mut locations);
    let mut values = Vec::new();
    try_last(test, condition, execution, &locations, &mut values).then_some(values)
}

fn try_last(
    test: &Test,
    condition: &Condition,
    execution: &Execution,
    locations: &[usize],
    chosen: &mut Vec<(usize, u64)>,
) -> bool {
    let Some((&location, rest)) = locations.split_first() else {
        return condition.holds(&|term| match term {
            Term::Constant(value) => value,
            Term::Register(thread, register) => execution.registers[thread][register],
            Term::Location(location) => {
                let found = chosen.iter().find(|(known, _)| *known == location);
                found.map_or(0, |found| found.1)
            }
        });
    };
    let memory = test.program.locations[location].memory;
    // Another name of the same memory has the same value.
    let alias = chosen
        .iter()
        .find(|(known, _)| test.program.locations[*known].memory == memory);
    let mut values: Vec<u64> = match alias {
        Some(&(_, value)) => vec![value],
        None => {
            let writes = execution.last_writes(memory);
            writes.filter_map(|write| execution.values[write]).collect()
        }
    };
    if values.is_empty() {
        values.push(test.program.locations[location].initial);
    }
    values.sort_unstable();
    values.dedup();
    for value in values {
        chosen.push((location, value));
        if try_last(test, condition, execution, rest, chosen) {
            return true;
        }
        chosen.pop();
    }
    false
}

fn too_large(test: &Test, options: &Options, error: TooLarge) -> Box<Diagnostic> {
    let message = match error {
        TooLarge::Events => format!("an execution has more than {MAX_EVENTS} events"),
        TooLarge::Paths(thread) => format!(
            "`{}` has more than {} ways through its branches",
            test.threads[thread], options.limits.paths
        ),
        TooLarge::Steps => format!(
            "the test has too many executions: no verdict after {} partial ones of {USUAL_EVENTS} events, or fewer of more \
             events",
            options.limits.steps
        ),
    };
    let help = match error {
        TooLarge::Steps => {
            "make the test smaller: the executions of threads that access the same place grow with the factorial of their \
             number; or unroll its loops less (`--unroll`)"
        }
        _ => "make the test smaller, or unroll its loops less (`--unroll`)",
    };
    let found = Diagnostic::error(codes::LITMUS_TOO_LARGE, Span::default(), message);
    Box::new(found.help(help))
}
