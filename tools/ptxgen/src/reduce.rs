//! A failing program made smaller, as long as it fails in the same kind and way.
//!
//! Nodes are taken out, halves of a list first; branches and loops are replaced by what is in them; kernels and functions
//! are dropped. A candidate counts only if the emulator of PTX finds it valid, so nothing here has to know what belongs
//! together.

use crate::judge::{Fault, Verdict, WAYS, Way, judge};
use crate::program::{Node, Program, Step};

/// Judges a candidate: the fault it has.
pub trait Judge {
    /// The fault, or nothing if it is valid and has none, or is not valid.
    fn fault(&mut self, program: &Program) -> Option<Fault>;
}

impl<F: FnMut(&Program) -> Option<Fault>> Judge for F {
    fn fault(&mut self, program: &Program) -> Option<Fault> {
        self(program)
    }
}

/// Reduces a program that one of the assembler's ways fails on.
pub fn reduce(program: &Program, fault: &Fault) -> Program {
    let ways: Vec<Way> = WAYS
        .into_iter()
        .filter(|way| way.name == fault.way)
        .collect();
    let mut own = |candidate: &Program| match judge(&candidate.case(), &ways) {
        Verdict::Wrong(found) => Some(found),
        _ => None,
    };
    reduce_by(program, fault, &mut own)
}

/// Reduces a program by any judge.
pub fn reduce_by(program: &Program, fault: &Fault, judge: &mut dyn Judge) -> Program {
    let mut reducer = Reducer {
        best: program.clone(),
        kind: fault.kind,
        // What was not assembled must fail with the same words; numbers in them may change.
        words: words(&fault.what),
        judge,
        judged: 0,
    };
    reducer.run();
    reducer.best
}

/// A message without its numbers.
fn words(message: &str) -> String {
    message
        .chars()
        .filter(|letter| letter.is_alphabetic())
        .take(24)
        .collect()
}

/// Candidates that are judged at most.
const PATIENCE: usize = 4000;

struct Reducer<'j> {
    best: Program,
    kind: &'static str,
    words: String,
    judge: &'j mut dyn Judge,
    judged: usize,
}

impl Reducer<'_> {
    fn run(&mut self) {
        loop {
            let before = self.best.text().len();
            self.drop_functions();
            self.drop_nodes();
            self.unwrap_nodes();
            self.drop_lines();
            if self.best.text().len() >= before || self.judged >= PATIENCE {
                break;
            }
        }
    }

    /// Keeps a candidate if it fails as the program did.
    fn attempt(&mut self, candidate: Program) -> bool {
        if candidate == self.best || self.judged >= PATIENCE {
            return false;
        }
        self.judged += 1;
        let found = self.judge.fault(&candidate);
        let is_same = found.is_some_and(|found| {
            found.kind == self.kind && (found.kind == "bytes" || words(&found.what) == self.words)
        });
        if is_same {
            self.best = candidate;
        }
        is_same
    }

    fn drop_functions(&mut self) {
        for at in (0..self.best.kernels.len()).rev() {
            let mut candidate = self.best.clone();
            candidate.kernels.remove(at);
            if !candidate.kernels.is_empty() {
                self.attempt(candidate);
            }
        }
        for at in (0..self.best.functions.len()).rev() {
            let mut candidate = self.best.clone();
            candidate.functions.remove(at);
            self.attempt(candidate);
        }
    }

    /// Takes nodes out: large parts first.
    fn drop_nodes(&mut self) {
        let mut size = count(&mut self.best).div_ceil(2);
        while size > 0 {
            let mut start = 0;
            while start < count(&mut self.best) {
                let mut candidate = self.best.clone();
                edit(&mut candidate, &mut |number, node| {
                    if (start..start + size).contains(&number) {
                        *node = Node::Step(emptied(node));
                    }
                });
                self.attempt(candidate);
                start += size;
            }
            size /= 2;
        }
    }

    /// Replaces nodes by what is in them.
    fn unwrap_nodes(&mut self) {
        let mut at = 0;
        while at < count(&mut self.best) {
            for part in 0..2 {
                let mut candidate = self.best.clone();
                let mut changes = false;
                edit(&mut candidate, &mut |number, node| {
                    if number == at && !matches!(node, Node::Step(_)) {
                        changes = true;
                        *node = simpler(node, part);
                    }
                });
                if changes {
                    self.attempt(candidate);
                }
            }
            at += 1;
        }
    }

    /// Drops first lines of functions that set a register that nothing names any more, and steps' lines.
    fn drop_lines(&mut self) {
        let kernels = self.best.kernels.len();
        for number in 0..kernels + self.best.functions.len() {
            let function = |program: &Program| match number < kernels {
                true => program.kernels[number].function.clone(),
                false => program.functions[number - kernels].clone(),
            };
            let lines = function(&self.best).prologue.len();
            for at in (0..lines).rev() {
                let mut changed = function(&self.best);
                let line = changed.prologue.remove(at);
                let target = line.split([' ', ',']).find(|word| word.starts_with('%'));
                let text = changed.text();
                let is_named = target.is_some_and(|target| {
                    let mut words =
                        text.split(|letter: char| !letter.is_alphanumeric() && letter != '%');
                    words.any(|word| word == target)
                });
                if is_named && !line.starts_with("st.") {
                    continue;
                }
                let mut candidate = self.best.clone();
                match number < kernels {
                    true => candidate.kernels[number].function = changed,
                    false => candidate.functions[number - kernels] = changed,
                }
                self.attempt(candidate);
            }
        }
    }
}

/// How many nodes there are.
fn count(program: &mut Program) -> usize {
    let mut count = 0;
    edit(program, &mut |_, _| count += 1);
    count
}

/// Visits the nodes that are not empty, each before what is in it.
fn edit(program: &mut Program, change: &mut dyn FnMut(usize, &mut Node)) {
    let mut number = 0;
    let kernels = program
        .kernels
        .iter_mut()
        .map(|kernel| &mut kernel.function);
    for function in program.functions.iter_mut().chain(kernels) {
        visit(&mut function.nodes, &mut number, change);
    }
}

fn visit(nodes: &mut [Node], number: &mut usize, change: &mut dyn FnMut(usize, &mut Node)) {
    for node in nodes {
        if let Node::Step(step) = node
            && step.lines.is_empty()
        {
            continue;
        }
        change(*number, node);
        *number += 1;
        match node {
            Node::Step(_) | Node::Jump { .. } => {}
            Node::If {
                then, otherwise, ..
            } => {
                visit(then, number, change);
                visit(otherwise, number, change);
            }
            Node::Loop { body, .. } => visit(body, number, change),
            Node::Ladder { sections, .. } => {
                for (section, _) in sections {
                    visit(section, number, change);
                }
            }
            Node::Irreducible { first, second, .. } => {
                visit(first, number, change);
                visit(second, number, change);
            }
            Node::Switch { ways, .. } => {
                for (way, _) in ways {
                    visit(way, number, change);
                }
            }
            Node::List(nodes) => visit(nodes, number, change),
        }
    }
}

/// A step without its lines, which still defines what others read.
fn emptied(node: &Node) -> Step {
    let mut step = Step::default();
    if let Node::Step(old) = node {
        step.defines.clone_from(&old.defines);
    }
    step
}

/// What is in a node, or in a part of it, without the branches.
fn simpler(node: &Node, part: usize) -> Node {
    let list = match node {
        Node::Step(step) => vec![Node::Step(step.clone())],
        Node::Jump { .. } => Vec::new(),
        Node::If {
            then, otherwise, ..
        } => match part {
            0 => then.clone(),
            _ => otherwise.clone(),
        },
        Node::Loop { body, .. } => body.clone(),
        Node::Ladder { sections, .. } => sections
            .iter()
            .flat_map(|(nodes, _)| nodes.clone())
            .collect(),
        Node::Irreducible { first, second, .. } => [first.clone(), second.clone()].concat(),
        Node::Switch { ways, .. } => match part {
            0 => ways.iter().flat_map(|(nodes, _)| nodes.clone()).collect(),
            _ => ways.first().map(|way| way.0.clone()).unwrap_or_default(),
        },
        Node::List(nodes) => nodes.clone(),
    };
    Node::List(list)
}
