//! Where the operands of machine instructions come from, in a program of a few of them.
//!
//! A program is nodes that read and write cells: registers and predicates of the machine, or names of a wired sequence.
//! The definitions that reach each use are found by iteration; moves are looked through. A line of the result is an
//! instruction with the origins of its operands: inputs by name, or the instructions that made them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// A register or a name.
pub type Cell = String;

/// A slot of an instruction.
#[derive(Clone, Debug)]
pub enum Slot {
    /// What is not a value: a number, `RZ`.
    Text(String),
    /// Cells that are read, and signs before them.
    Read(&'static str, Vec<Cell>),
    /// Cells that are written.
    Write(Vec<Cell>),
}

/// What a move takes.
#[derive(Clone, Debug)]
pub enum From {
    Cell(Cell),
    Known(String),
}

/// What becomes of an instruction.
#[derive(Clone, Debug)]
pub enum Effect {
    /// It makes values, and is a line of the result.
    Computes,
    /// It makes values of no interest.
    Hidden,
    /// It moves values.
    Moves(Vec<(Cell, From)>),
    /// It loads inputs, if its address is that of inputs: cells and names.
    Loads(Vec<Cell>, Vec<(Cell, String)>),
    /// It stores results, if its address is that of inputs: names and cells.
    Stores(Vec<Cell>, Vec<(String, Cell)>),
    /// It makes a predicate of a cell, if that is an input.
    Tests(Cell, Cell),
}

/// An instruction.
#[derive(Clone, Debug)]
pub struct Node {
    pub opcode: String,
    pub guard: Option<(Cell, bool)>,
    pub slots: Vec<Slot>,
    pub effect: Effect,
    /// Where it may go on.
    pub next: Vec<usize>,
    /// Whether its result is the address of inputs.
    pub is_base: bool,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Origin {
    Known(String),
    Made(usize, usize, usize),
}

type Origins = BTreeSet<Origin>;
type State = BTreeMap<Cell, Origins>;

/// How far makers of makers are named.
const DEPTH: usize = 2;

pub struct Trace<'p> {
    program: &'p [Node],
    before: Vec<Option<State>>,
}

impl<'p> Trace<'p> {
    /// Follows a program from its first node; one more node than it has is its end.
    pub fn new(program: &'p [Node]) -> Trace<'p> {
        let mut trace = Trace {
            program,
            before: vec![None; program.len() + 1],
        };
        trace.before[0] = Some(State::new());
        let mut work = vec![0];
        while let Some(at) = work.pop() {
            let Some(node) = program.get(at) else {
                continue;
            };
            let mut state = trace.before[at].clone().expect("it was reached");
            trace.apply(at, node, &mut state);
            for &next in &node.next {
                let known = trace.before[next].get_or_insert_with(|| {
                    work.push(next);
                    State::new()
                });
                let mut grew = false;
                for (cell, origins) in &state {
                    let all = known.entry(cell.clone()).or_default();
                    let before = all.len();
                    all.extend(origins.iter().cloned());
                    grew |= all.len() != before;
                }
                if grew && !work.contains(&next) {
                    work.push(next);
                }
            }
        }
        trace
    }

    fn origins(&self, state: &State, cell: &str) -> Origins {
        match state.get(cell) {
            Some(origins) => origins.clone(),
            // A name that nothing wrote is an input.
            None if cell.starts_with(['%', '$']) && !cell.starts_with("$r") => {
                Origins::from([Origin::Known(cell.to_owned())])
            }
            None => Origins::new(),
        }
    }

    /// Whether cells are the address of inputs.
    fn is_own(&self, state: &State, cells: &[Cell]) -> bool {
        let mut all = cells.iter().flat_map(|cell| self.origins(state, cell));
        let mut any = false;
        all.all(|origin| {
            any = true;
            matches!(origin, Origin::Made(node, ..) if self.program[node].is_base)
        }) && any
    }

    fn apply(&self, at: usize, node: &Node, state: &mut State) {
        let mut writes: Vec<(Cell, Origins)> = Vec::new();
        let known = |name: &str| Origins::from([Origin::Known(name.to_owned())]);
        match &node.effect {
            Effect::Moves(moves) => {
                for (to, from) in moves {
                    writes.push((
                        to.clone(),
                        match from {
                            From::Cell(cell) => self.origins(state, cell),
                            From::Known(name) => known(name),
                        },
                    ));
                }
            }
            Effect::Loads(address, inputs) if self.is_own(state, address) => {
                writes.extend(
                    inputs
                        .iter()
                        .map(|(cell, name)| (cell.clone(), known(name))),
                );
            }
            Effect::Tests(predicate, of) if self.input(state, of).is_some() => {
                let name = self.input(state, of).unwrap_or_default();
                writes.push((predicate.clone(), known(&name)));
            }
            _ => {
                for (slot, one) in node.slots.iter().enumerate() {
                    if let Slot::Write(cells) = one {
                        writes.extend(cells.iter().enumerate().map(|(word, cell)| {
                            (cell.clone(), Origins::from([Origin::Made(at, slot, word)]))
                        }));
                    }
                }
            }
        }
        for (cell, origins) in writes {
            let all = state.entry(cell).or_default();
            if node.guard.is_none() {
                all.clear();
            }
            all.extend(origins);
        }
    }

    /// The input that a cell holds for a test, without its question mark.
    fn input(&self, state: &State, cell: &str) -> Option<String> {
        let origins = self.origins(state, cell);
        match origins.iter().next() {
            Some(Origin::Known(name)) if origins.len() == 1 => {
                name.strip_prefix('?').map(str::to_owned)
            }
            _ => None,
        }
    }

    fn name_all(&self, origins: &Origins, depth: usize) -> String {
        if origins.is_empty() {
            // Nothing wrote it: whatever it is will do.
            return "RZ".to_owned();
        }
        let names: BTreeSet<String> = origins.iter().map(|one| self.name(one, depth)).collect();
        names.into_iter().collect::<Vec<_>>().join("|")
    }

    fn name(&self, origin: &Origin, depth: usize) -> String {
        match *origin {
            Origin::Known(ref name) => name.clone(),
            Origin::Made(node, slot, word) => {
                let made = &self.program[node];
                let of = match depth {
                    0 => String::new(),
                    _ => format!("({})", self.sources(node, depth - 1)),
                };
                format!("{}{of}:{slot}.{word}", made.opcode)
            }
        }
    }

    /// The operands of a node, by their origins.
    fn sources(&self, at: usize, depth: usize) -> String {
        let node = &self.program[at];
        let Some(state) = &self.before[at] else {
            return String::new();
        };
        let mut text = String::new();
        for (index, slot) in node.slots.iter().enumerate() {
            let gap = if index > 0 { ", " } else { "" };
            let _ = match slot {
                Slot::Text(fixed) => write!(text, "{gap}{fixed}"),
                Slot::Write(_) => write!(text, "{gap}="),
                Slot::Read(signs, cells) => {
                    let each = cells.iter().map(|cell| {
                        let origins = self.origins(state, cell);
                        self.name_all(&origins, depth)
                    });
                    write!(text, "{gap}{signs}{}", each.collect::<Vec<_>>().join(":"))
                }
            };
        }
        text
    }

    /// The lines of the result, sorted. Names of results at the end of the program are lines, too.
    pub fn lines(&self, results: &[Cell]) -> Vec<String> {
        let mut lines = Vec::new();
        for (at, node) in self.program.iter().enumerate() {
            let Some(state) = &self.before[at] else {
                continue;
            };
            let guard = match &node.guard {
                None => String::new(),
                Some((cell, not)) => {
                    let origins = self.origins(state, cell);
                    let sign = if *not { "!" } else { "" };
                    format!("@{sign}{} ", self.name_all(&origins, 1))
                }
            };
            match &node.effect {
                Effect::Stores(address, stored) if self.is_own(state, address) => {
                    lines.extend(stored.iter().map(|(name, cell)| {
                        let origins = self.origins(state, cell);
                        format!("{name} = {}", self.name_all(&origins, DEPTH))
                    }));
                }
                Effect::Loads(address, _) if self.is_own(state, address) => {}
                Effect::Tests(_, of) if self.input(state, of).is_some() => {}
                Effect::Hidden | Effect::Moves(_) => {}
                _ => lines.push(format!(
                    "{guard}{} {}",
                    node.opcode,
                    self.sources(at, DEPTH)
                )),
            }
        }
        if let Some(state) = &self.before[self.program.len()] {
            lines.extend(results.iter().map(|cell| {
                let origins = self.origins(state, cell);
                format!("{cell} = {}", self.name_all(&origins, DEPTH))
            }));
        }
        lines.sort();
        lines
    }
}
