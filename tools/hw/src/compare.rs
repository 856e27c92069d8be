//! Recorded answers beside what `warpc_ptx_eval` computes.

use crate::answers::{Answers, Outcome};
use crate::forms::{Case, Judge, Tuples};
use std::collections::HashMap;
use std::fmt::Write;
use warpc_ptx_eval::Bound;

/// Tuples of a case that are shown.
const SHOWN: usize = 6;

/// How a case went.
#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    /// All tuples agree bit for bit.
    Equal,
    /// An approximation: so many tuples differ, all within the bound of the manual.
    Near(usize),
    /// So many tuples differ.
    Differs(usize),
    /// `eval` does not know the instruction.
    Unknown,
    /// What `eval` gives does not fit the instruction.
    Misfit(String),
    /// The hardware gave no answer.
    Failed(String),
}

/// One tuple that differs.
pub struct Difference {
    /// The tuple's number.
    pub tuple: u64,
    /// The operands.
    pub sources: Vec<u64>,
    /// What the hardware gave.
    pub hardware: Vec<u64>,
    /// What `eval` gives.
    pub ours: Vec<u64>,
}

/// The comparison of one case.
pub struct Compared<'a> {
    /// The case.
    pub case: &'a Case,
    /// Tuples compared.
    pub tuples: usize,
    /// How it went.
    pub verdict: Verdict,
    /// The first tuples that differ.
    pub differences: Vec<Difference>,
}

/// Compares all answers; those to cases that the suite does not have are named in the error.
pub fn compare<'a>(cases: &'a [Case], answers: &Answers) -> (Vec<Compared<'a>>, Vec<String>) {
    let by_text: HashMap<&str, &Case> = cases.iter().map(|case| (case.text(), case)).collect();
    let mut compared = Vec::new();
    let mut strangers = Vec::new();
    for answer in &answers.list {
        match by_text.get(answer.text.as_str()) {
            Some(case) => compared.push(compare_case(case, &answer.outcome)),
            None => strangers.push(answer.text.clone()),
        }
    }
    (compared, strangers)
}

fn compare_case<'a>(case: &'a Case, outcome: &Outcome) -> Compared<'a> {
    let mut compared = Compared {
        case,
        tuples: 0,
        verdict: Verdict::Equal,
        differences: Vec::new(),
    };
    let columns = match (outcome, &case.judge) {
        (Outcome::Failed(reason), _) => {
            compared.verdict = Verdict::Failed(reason.clone());
            return compared;
        }
        (_, Err(misfit)) => {
            compared.verdict = Verdict::Misfit(misfit.clone());
            return compared;
        }
        (_, Ok(Judge::Unknown)) => {
            compared.verdict = Verdict::Unknown;
            return compared;
        }
        (Outcome::Results(columns), Ok(_)) => columns,
    };
    let (Ok(judge), true) = (&case.judge, columns.len() == case.draft.results.len()) else {
        compared.verdict = Verdict::Misfit("the answer has other results".into());
        return compared;
    };
    compared.tuples = columns.first().map_or(0, |column| column.values.len());
    let operands = Tuples::new(&case.draft);
    let (mut different, mut near) = (0, 0);
    for tuple in 0..compared.tuples as u64 {
        let sources = operands.get(tuple);
        let Some(ours) = judge.results(&case.draft, &sources) else {
            continue;
        };
        let hardware: Vec<u64> = columns.iter().map(|c| c.values[tuple as usize]).collect();
        // The hardware has to keep the bound as well: else we have misread it.
        let within = |bound: &Bound| {
            let holds = |result: &[u64]| bound.holds(&sources, result[0]);
            holds(&ours) && holds(&hardware)
        };
        match &case.bound {
            Some(bound) if within(bound) => {
                near += usize::from(hardware != ours);
                continue;
            }
            None if hardware == ours => continue,
            _ => different += 1,
        }
        if compared.differences.len() < SHOWN {
            compared.differences.push(Difference {
                tuple,
                sources,
                hardware,
                ours,
            });
        }
    }
    compared.verdict = match (different, near) {
        (0, 0) => Verdict::Equal,
        (0, near) => Verdict::Near(near),
        (different, _) => Verdict::Differs(different),
    };
    compared
}

/// A line a section: how many cases went how.
pub fn summary(compared: &[Compared<'_>]) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{:13} {:>6} {:>6} {:>6} {:>6} {:>7} {:>6} {:>6} {:>9}",
        "section", "cases", "equal", "near", "differ", "unknown", "misfit", "failed", "tuples"
    );
    let count = |list: &[&Compared<'_>], wanted: fn(&Verdict) -> bool| {
        list.iter().filter(|c| wanted(&c.verdict)).count()
    };
    let mut line = |name: &str, list: &[&Compared<'_>]| {
        let _ = writeln!(
            out,
            "{name:13} {:6} {:6} {:6} {:6} {:7} {:6} {:6} {:9}",
            list.len(),
            count(list, |v| *v == Verdict::Equal),
            count(list, |v| matches!(v, Verdict::Near(_))),
            count(list, |v| matches!(v, Verdict::Differs(_))),
            count(list, |v| *v == Verdict::Unknown),
            count(list, |v| matches!(v, Verdict::Misfit(_))),
            count(list, |v| matches!(v, Verdict::Failed(_))),
            list.iter().map(|c| c.tuples).sum::<usize>()
        );
    };
    for section in crate::forms::SECTIONS {
        let list: Vec<_> = compared
            .iter()
            .filter(|c| c.case.section == *section)
            .collect();
        if !list.is_empty() {
            line(section, &list);
        }
    }
    line("all", &compared.iter().collect::<Vec<_>>());
    out
}

/// Everything that is not equal, as lines of columns that tabs separate.
pub fn table(compared: &[Compared<'_>]) -> String {
    let mut out = String::from("section\tcase\tverdict\ttuple\toperands\thardware\tours\n");
    let hex = |values: &[u64]| {
        let list: Vec<String> = values.iter().map(|v| format!("{v:x}")).collect();
        list.join(" ")
    };
    for one in compared {
        let verdict = match &one.verdict {
            Verdict::Equal => continue,
            Verdict::Near(n) => format!("{n} of {} differ within the bound", one.tuples),
            Verdict::Differs(n) => format!("{n} of {} differ", one.tuples),
            Verdict::Unknown => "unknown".into(),
            Verdict::Misfit(why) => format!("misfit: {why}"),
            Verdict::Failed(why) => format!("failed: {}", why.replace(['\n', '\t'], " ")),
        };
        let (section, text) = (one.case.section, one.case.text());
        if one.differences.is_empty() {
            let _ = writeln!(out, "{section}\t{text}\t{verdict}\t\t\t\t");
        }
        for d in &one.differences {
            let (sources, hardware, ours) = (hex(&d.sources), hex(&d.hardware), hex(&d.ours));
            let tuple = d.tuple;
            let _ = writeln!(
                out,
                "{section}\t{text}\t{verdict}\t{tuple}\t{sources}\t{hardware}\t{ours}"
            );
        }
    }
    out
}
