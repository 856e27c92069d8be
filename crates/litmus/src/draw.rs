//! What decides a test, as a drawing: events in a column for each thread, and arrows between them.

use crate::read::Test;
use std::fmt;
use warpc_model::axioms::{EventKind, Execution, Graph, Label, Refuted, Relation};

/// An event of a drawing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Drawn {
    /// A letter or two.
    pub name: String,
    /// Its thread; `None` for what memory holds at first.
    pub thread: Option<usize>,
    /// What it does.
    pub text: String,
}

/// An arrow of a drawing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arrow {
    /// The earlier event, by place in the list.
    pub from: usize,
    /// The later one.
    pub to: usize,
    /// Why.
    pub label: Label,
    /// Whether it is a step of the cycle.
    pub in_cycle: bool,
}

/// A drawing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Drawing {
    /// What it shows.
    pub title: String,
    /// The names of threads.
    pub threads: Vec<String>,
    /// Events: first values, then threads in program order.
    pub events: Vec<Drawn>,
    /// Arrows; program order only where a cycle has it.
    pub arrows: Vec<Arrow>,
    /// Final values, bounds.
    pub notes: Vec<String>,
}

/// `a`, `b`, … `z`, `aa` …
fn letters(mut number: usize) -> String {
    let mut text = String::new();
    loop {
        text.insert(0, (b'a' + (number % 26) as u8) as char);
        number /= 26;
        if number == 0 {
            return text;
        }
        number -= 1;
    }
}

/// A value as people write it: small negative numbers with their sign.
fn number(value: u64) -> String {
    match value as i64 {
        negative @ -4096..=-1 => negative.to_string(),
        _ => value.to_string(),
    }
}

fn events(test: &Test, graph: &Graph, values: &[Option<u64>]) -> Vec<Drawn> {
    let drawn = |(at, event): (usize, &warpc_model::axioms::Event)| {
        let value = values[at].map_or_else(String::new, number);
        let location = event
            .location
            .map_or("", |location| &test.locations[location]);
        let text = match event.thread {
            None => format!("{location} = {value} at first"),
            Some(thread) => {
                let text = &test.texts[thread][event.inst];
                match event.kind {
                    EventKind::Read => format!("{text}    reads {value}"),
                    EventKind::Write => format!("{text}    writes {value}"),
                    _ => text.clone(),
                }
            }
        };
        Drawn {
            name: letters(at),
            thread: event.thread,
            text,
        }
    };
    graph.events.iter().enumerate().map(drawn).collect()
}

/// Pairs of an order that do not follow from the others.
fn reduced(relation: &Relation) -> Relation {
    relation.minus(&relation.then(relation))
}

fn arrows(graph: &Graph, parts: &[(&Relation, Label)]) -> Vec<Arrow> {
    let is_first = |at: usize| graph.events[at].thread.is_none();
    let mut arrows = Vec::new();
    for (relation, label) in parts {
        for (from, to) in relation.pairs() {
            // That memory holds something at first is before everything.
            let is_dull = is_first(from) && *label == Label::Coherence;
            if !is_dull {
                arrows.push(Arrow {
                    from,
                    to,
                    label: *label,
                    in_cycle: false,
                });
            }
        }
    }
    arrows
}

impl Drawing {
    /// An execution, and the last values that were asked for.
    pub(crate) fn of_execution(
        test: &Test,
        execution: &Execution,
        memory: &[(usize, u64)],
    ) -> Drawing {
        let graph = execution.graph;
        let mut drawing = Drawing {
            title: "an execution that the model allows".to_string(),
            threads: test.threads.clone(),
            events: events(test, graph, execution.values),
            arrows: Vec::new(),
            notes: Vec::new(),
        };
        if let Some(derived) = execution.derived {
            // Only the next write: the others follow by coherence order.
            let overwritten = execution.choice.rf.inverse().then(&reduced(&derived.co));
            let overwritten = overwritten.and(&derived.fr);
            drawing.arrows = arrows(
                graph,
                &[
                    (&execution.choice.rf, Label::ReadsFrom),
                    (&reduced(&derived.co), Label::Coherence),
                    (&overwritten, Label::FromRead),
                    (&derived.sync, Label::Synchronizes),
                    (&execution.choice.fences, Label::FenceSc),
                    (&execution.choice.barriers, Label::Barrier),
                ],
            );
        }
        let mut last = Vec::new();
        for (thread, registers) in execution.registers.iter().enumerate() {
            for (register, value) in registers.iter().enumerate() {
                let name = &test.registers[thread][register];
                last.push(format!(
                    "{}:{name} = {}",
                    test.threads[thread],
                    number(*value)
                ));
            }
        }
        for (location, value) in memory {
            last.push(format!(
                "{} = {}",
                test.locations[*location],
                number(*value)
            ));
        }
        if !last.is_empty() {
            drawing
                .notes
                .push(format!("at the end: {}", last.join(", ")));
        }
        drawing
    }

    /// A candidate that an axiom forbids.
    pub(crate) fn of_refuted(test: &Test, refuted: &Refuted) -> Drawing {
        let graph = &refuted.graph;
        let mut arrows = arrows(graph, &[(&refuted.choice.rf, Label::ReadsFrom)]);
        for edge in &refuted.cycle.edges {
            arrows.retain(|arrow| {
                (arrow.from, arrow.to, arrow.label) != (edge.from, edge.to, edge.label)
            });
            arrows.push(Arrow {
                from: edge.from,
                to: edge.to,
                label: edge.label,
                in_cycle: true,
            });
        }
        Drawing {
            title: format!("forbidden by {}", refuted.violation.axiom),
            threads: test.threads.clone(),
            events: events(test, graph, &refuted.values),
            arrows,
            notes: Vec::new(),
        }
    }

    /// No choice of reads gives the values.
    pub(crate) fn without_candidate(test: &Test) -> Drawing {
        Drawing {
            title: "no execution in which all threads end has these values, whatever reads read"
                .to_string(),
            threads: test.threads.clone(),
            events: Vec::new(),
            arrows: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// The steps of the cycle, in order.
    pub fn cycle(&self) -> impl Iterator<Item = &Arrow> {
        self.arrows.iter().filter(|arrow| arrow.in_cycle)
    }
}

impl fmt::Display for Drawing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  {}", self.title)?;
        let column = |thread: Option<usize>| -> Vec<String> {
            let of = self.events.iter().filter(|event| event.thread == thread);
            of.map(|event| format!("{}: {}", event.name, event.text))
                .collect()
        };
        for first in column(None) {
            writeln!(f, "    {first}")?;
        }
        let columns: Vec<Vec<String>> =
            (0..self.threads.len()).map(|at| column(Some(at))).collect();
        let widths: Vec<usize> = columns
            .iter()
            .zip(&self.threads)
            .map(|(cells, name)| {
                let cells = cells.iter().map(|cell| cell.chars().count());
                cells.chain([name.chars().count()]).max().unwrap_or(0)
            })
            .collect();
        if !self.events.is_empty() {
            let rows = columns.iter().map(Vec::len).max().unwrap_or(0);
            for row in 0..=rows {
                let mut line = String::new();
                for (at, width) in widths.iter().enumerate() {
                    let cell = match row {
                        0 => self.threads[at].as_str(),
                        _ => columns[at].get(row - 1).map_or("", String::as_str),
                    };
                    line.push_str(&format!("{cell:width$}   "));
                }
                writeln!(f, "    {}", line.trim_end())?;
            }
        }
        let name = |at: usize| &self.events[at].name;
        let plain: Vec<String> = self
            .arrows
            .iter()
            .filter(|arrow| !arrow.in_cycle)
            .map(|arrow| format!("{} -{}-> {}", name(arrow.from), arrow.label, name(arrow.to)))
            .collect();
        for some in plain.chunks(6) {
            writeln!(f, "    {}", some.join("   "))?;
        }
        let mut steps = self.cycle().peekable();
        if let Some(first) = steps.peek() {
            let mut line = name(first.from).clone();
            for step in steps {
                line.push_str(&format!(" -{}-> {}", step.label, name(step.to)));
            }
            writeln!(f, "    cycle: {line}")?;
        }
        for note in &self.notes {
            writeln!(f, "    {note}")?;
        }
        Ok(())
    }
}
