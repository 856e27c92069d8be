//! What is wrong with the control words of code, for the person who wrote them: instructions that come before what
//! they read is there. The chip would not say so.

use std::collections::BTreeSet;
use warpc_sass::Control;
use warpc_sass::latency::check::{self, Line, Pair};
use warpc_sass::latency::{Facts, File, Hazard, Need};
use warpc_target::Sm;

/// Something strange about an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Remark {
    /// The instruction, by its number in the code.
    pub instruction: usize,
    /// What is strange.
    pub message: String,
    /// What to do.
    pub help: String,
}

/// The instructions that come too early, by their number; one remark for each pair.
pub(crate) fn remarks(sm: Sm, code: &[u128]) -> Vec<Remark> {
    let Some(facts) = Facts::of(sm) else {
        return Vec::new();
    };
    let lines = check::lines(sm, code);
    let line = |at: usize| lines.get(at).and_then(Option::as_ref);
    let name = |at: usize| line(at).map_or("", |line| line.shape().name());
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for pair in check::faults(facts, &lines) {
        if seen.insert((pair.from, pair.to)) {
            let control = line(pair.from).map(Line::control);
            found.push(remark(&pair, name(pair.from), control));
        }
    }
    for at in check::short_stalls(&lines) {
        let least = line(at).map_or(1, |line| line.shape().least_stall()).max(2);
        found.push(Remark {
            instruction: at,
            message: format!("the control word of `{}` is inconsistent", name(at)),
            help: format!(
                "stall at least {least} cycles where the next instruction waits for this one's scoreboard; keep operands (`.reuse`) without a yield only"
            ),
        });
    }
    found.sort_by_key(|remark| remark.instruction);
    found
}

fn remark(pair: &Pair, first: &str, control: Option<Control>) -> Remark {
    let register = match pair.first.access.file {
        File::Register => "R",
        File::Predicate => "P",
        File::Uniform => "UR",
        File::UniformPredicate => "UP",
    };
    let register = format!("{register}{}", pair.register);
    let (second_does, first_does) = match pair.hazard {
        Hazard::ReadAfterWrite => ("reads", "writes it"),
        Hazard::WriteAfterWrite => ("writes", "writes it"),
        Hazard::WriteAfterRead => ("writes", "reads it"),
    };
    let before = match pair.to - pair.from {
        1 => "the instruction before".to_owned(),
        count => format!("{count} instructions before"),
    };
    let distance = pair.distance;
    match pair.need {
        Some(Need::Cycles(cycles)) => Remark {
            instruction: pair.to,
            message: format!(
                "this {second_does} {register} {distance} cycles after `{first}` ({before}) {first_does}; it takes {cycles}"
            ),
            help: format!("let the stalls from there to here add up to at least {cycles}"),
        },
        _ => Remark {
            instruction: pair.to,
            message: format!(
                "this {second_does} {register}, and nothing waits for `{first}` ({before}), which {first_does} at no fixed time"
            ),
            help: wait_for(pair.hazard, control),
        },
    }
}

/// How to wait for an instruction with this control word.
fn wait_for(hazard: Hazard, control: Option<Control>) -> String {
    let (kind, letter, own) = match hazard {
        Hazard::WriteAfterRead => ("read", 'R', control.map(|control| control.read)),
        _ => ("write", 'W', control.map(|control| control.write)),
    };
    match own.filter(|number| *number < 6) {
        Some(own) => format!("let this instruction wait for its {kind} scoreboard: `B…{own}…`"),
        None => format!(
            "give that instruction a {kind} scoreboard (`{letter}0`) and let this one wait for it (`B0-----`)"
        ),
    }
}
