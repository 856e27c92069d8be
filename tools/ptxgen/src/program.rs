//! A program as a tree of steps, and its text.
//!
//! Whatever is taken out of the tree, the rest is a program: a register that a step defines for others gets a constant
//! where the step is gone, and labels belong to the nodes that own them. That is what [`crate::reduce`] relies on.

use crate::class::{ALL, Class};
use std::collections::HashSet;
use std::fmt::Write as _;
use warpc_launch::Launch;

/// Instructions that stay together.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Step {
    /// Their lines.
    pub lines: Vec<String>,
    /// Registers that later steps may read and nothing before has written.
    pub defines: Vec<(Class, u32)>,
}

/// A branch's condition: a predicate, or its opposite.
#[derive(Clone, PartialEq, Debug)]
pub struct Condition {
    /// The predicate.
    pub register: String,
    /// Whether the branch is taken where it is false.
    pub is_negated: bool,
}

impl Condition {
    /// The guard of an instruction that is executed where the condition is true, or where it is not.
    pub fn guard(&self, wanted: bool) -> String {
        match self.is_negated == wanted {
            true => format!("@!{}", self.register),
            false => format!("@{}", self.register),
        }
    }
}

/// Part of a program.
#[derive(Clone, PartialEq, Debug)]
pub enum Node {
    /// Straight code.
    Step(Step),
    /// Two ways that meet again. `far` puts the first after the end of the function.
    If {
        /// Which labels are its own.
        id: u32,
        /// What makes the condition and the masks of both ways.
        before: Vec<String>,
        /// Which way.
        condition: Condition,
        /// Where it is true.
        then: Vec<Node>,
        /// Where it is not.
        otherwise: Vec<Node>,
        /// Whether `then` is after the end of the function.
        far: bool,
    },
    /// A loop of bounded length.
    Loop {
        /// Which labels are its own.
        id: u32,
        /// What sets the counter.
        before: Vec<String>,
        /// The test and the count, before the body or after it; `{exit}` and `{again}` are its labels.
        test: Vec<String>,
        /// Whether the test comes first.
        tested_first: bool,
        /// What is repeated.
        body: Vec<Node>,
    },
    /// A jump out of a loop, or to its test.
    Jump {
        /// What makes the condition and the mask of those that stay.
        before: Vec<String>,
        /// Who jumps.
        condition: Condition,
        /// Which loop.
        id: u32,
        /// Whether to its test.
        to_test: bool,
    },
    /// Sections, each with a jump to one further down.
    Ladder {
        /// Which labels are its own.
        id: u32,
        /// The sections, and who goes where after each.
        sections: Vec<(Vec<Node>, Option<(Condition, usize)>)>,
    },
    /// A loop with two entries.
    Irreducible {
        /// Which labels are its own.
        id: u32,
        /// What sets the counter.
        before: Vec<String>,
        /// Who enters at the second part.
        entry: Condition,
        /// The first part.
        first: Vec<Node>,
        /// The second part.
        second: Vec<Node>,
        /// The count, with a jump to `{exit}`.
        test: Vec<String>,
        /// Who goes back to the first part.
        back: Condition,
    },
    /// What is left of a node without its branches.
    List(Vec<Node>),
    /// A jump through a table.
    Switch {
        /// Which labels are its own.
        id: u32,
        /// What makes the number.
        before: Vec<String>,
        /// The register with the number.
        number: String,
        /// A way for each number; ends the way with a jump to the end or runs into the next.
        ways: Vec<(Vec<Node>, bool)>,
    },
}

/// A function of the module.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// From its linkage to the closing bracket of its parameters.
    pub header: String,
    /// Variables of its own.
    pub variables: Vec<String>,
    /// What every body begins with.
    pub prologue: Vec<String>,
    /// The body.
    pub nodes: Vec<Node>,
    /// What every body ends with.
    pub epilogue: Vec<String>,
}

/// A launch of a kernel, with what it is run on.
#[derive(Clone, PartialEq, Debug)]
pub struct Run {
    /// How the kernel is run.
    pub launch: Launch,
    /// What is in the buffers before.
    pub buffers: Vec<Vec<u8>>,
}

/// A kernel with a launch.
#[derive(Clone, PartialEq, Debug)]
pub struct Kernel {
    /// The function.
    pub function: Function,
    /// How it is run.
    pub run: Run,
    /// The launch's parameters after the buffers, as `warpc run` takes them.
    pub arguments: Vec<String>,
}

/// A module as text, with its launches: what is judged.
#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    /// The module.
    pub text: String,
    /// The launches, each with buffers of its own.
    pub runs: Vec<Run>,
}

/// A module with launches.
#[derive(Clone, PartialEq, Debug)]
pub struct Program {
    /// What it was made from.
    pub seed: u64,
    /// Variables of the module.
    pub variables: Vec<String>,
    /// Device functions, in an order in which each is declared before it is called.
    pub functions: Vec<Function>,
    /// The kernels.
    pub kernels: Vec<Kernel>,
}

/// The first lines of every module.
const HEAD: &str = ".version 8.4\n.target sm_90\n.address_size 64\n\n";

impl Program {
    /// What is judged.
    pub fn case(&self) -> Case {
        Case {
            text: self.text(),
            runs: self
                .kernels
                .iter()
                .map(|kernel| kernel.run.clone())
                .collect(),
        }
    }

    /// The module.
    pub fn text(&self) -> String {
        let mut out = format!("// seed {}\n{HEAD}", self.seed);
        let mut bodies = String::new();
        let kernels = self.kernels.iter().map(|kernel| &kernel.function);
        for function in self.functions.iter().chain(kernels) {
            bodies.push_str(&function.text());
        }
        for variable in &self.variables {
            // `.global .align 4 .u32 NAME[…] = …`: the name is the last word before a bracket or the end.
            if bodies.contains(name_of(variable)) {
                let _ = writeln!(out, "{variable}");
            }
        }
        out.push_str(&bodies);
        out
    }

    /// The module with its launches at the top, as `warpc run` takes them. A buffer is eight bytes per number.
    pub fn text_with_launches(&self) -> String {
        let mut out = String::new();
        for kernel in &self.kernels {
            let shape = |of: [u32; 3]| format!("{},{},{}", of[0], of[1], of[2]);
            let (grid, block) = (
                shape(kernel.run.launch.grid),
                shape(kernel.run.launch.block),
            );
            let name = &kernel.run.launch.kernel;
            let _ = write!(out, "// run: --kernel {name} --grid {grid} --block {block}");
            for bytes in &kernel.run.buffers {
                let _ = write!(out, " \\\n//   --arg u64[]={}", words(bytes));
            }
            for argument in &kernel.arguments {
                let _ = write!(out, " \\\n//   --arg {argument}");
            }
            out.push('\n');
        }
        out.push_str(&self.text());
        out
    }
}

/// The name of a variable's declaration.
fn name_of(declaration: &str) -> &str {
    let end = declaration
        .find(['[', '=', ';'])
        .unwrap_or(declaration.len());
    declaration[..end].split_whitespace().last().unwrap_or("")
}

/// Bytes as numbers, with runs in short.
fn words(bytes: &[u8]) -> String {
    let words: Vec<u64> = bytes
        .chunks(8)
        .map(|chunk| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            u64::from_le_bytes(word)
        })
        .collect();
    let mut parts = Vec::new();
    for run in words.chunk_by(|one, other| one == other) {
        match run {
            [one] => parts.push(format!("{one:#x}")),
            many => parts.push(format!("{:#x}*{}", many[0], many.len())),
        }
    }
    parts.join(",")
}

impl Function {
    /// The function.
    pub fn text(&self) -> String {
        let mut writer = Writer::default();
        self.prologue.iter().for_each(|line| writer.line(line));
        writer.nodes(&self.nodes);
        self.epilogue.iter().for_each(|line| writer.line(line));
        let far = std::mem::take(&mut writer.far);
        let (body, dropped) = (writer.out + &far, writer.zeroed);
        // Registers whose step was taken out and that something still reads.
        let used = registers(&body);
        let mut zeroes = String::new();
        for (class, number) in dropped {
            if used.contains(&(class, number)) {
                let _ = writeln!(zeroes, "\t{}", class.zero(&class.reg(number)));
            }
        }
        let mut out = format!("{}\n{{\n", self.header);
        let all = registers(&format!("{zeroes}{body}"));
        for class in ALL {
            let numbers = all.iter().filter(|one| one.0 == class);
            if let Some(most) = numbers.map(|one| one.1).max() {
                let _ = writeln!(
                    out,
                    "\t.reg .{} %{}<{}>;",
                    class.declared(),
                    class.prefix(),
                    most + 1
                );
            }
        }
        for variable in &self.variables {
            if body.contains(name_of(variable)) {
                let _ = writeln!(out, "\t{variable}");
            }
        }
        out + &zeroes + &body + "}\n\n"
    }
}

/// The registers that a text names.
fn registers(text: &str) -> HashSet<(Class, u32)> {
    let mut found = HashSet::new();
    for part in text.split('%').skip(1) {
        let Some(letter) = part.chars().next() else {
            continue;
        };
        let class = ALL.into_iter().find(|class| class.prefix() == letter);
        let digits: String = part[1..].chars().take_while(char::is_ascii_digit).collect();
        if let (Some(class), Ok(number)) = (class, digits.parse()) {
            found.insert((class, number));
        }
    }
    found
}

/// The text of a body under construction.
#[derive(Default)]
struct Writer {
    out: String,
    far: String,
    zeroed: Vec<(Class, u32)>,
}

impl Writer {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.out, "\t{line}");
    }

    fn label(&mut self, name: &str, id: u32) {
        let _ = writeln!(self.out, "{name}_{id}:");
    }

    fn nodes(&mut self, nodes: &[Node]) {
        nodes.iter().for_each(|node| self.node(node));
    }

    fn lines(&mut self, lines: &[String]) {
        lines.iter().for_each(|line| self.line(line));
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::Step(step) => {
                if step.lines.is_empty() {
                    self.zeroed.extend(&step.defines);
                }
                self.lines(&step.lines);
            }
            Node::If {
                id,
                before,
                condition,
                then,
                otherwise,
                far,
            } => {
                self.lines(before);
                let guard = condition.guard(*far);
                if *far {
                    self.line(&format!("{guard} bra FAR_{id};"));
                    self.nodes(otherwise);
                    self.label("JOIN", *id);
                    let here = std::mem::take(&mut self.out);
                    self.label("FAR", *id);
                    self.nodes(then);
                    self.line(&format!("bra JOIN_{id};"));
                    let there = std::mem::replace(&mut self.out, here);
                    self.far.push_str(&there);
                } else {
                    self.line(&format!("{guard} bra ELSE_{id};"));
                    self.nodes(then);
                    if !otherwise.is_empty() {
                        self.line(&format!("bra JOIN_{id};"));
                    }
                    self.label("ELSE", *id);
                    if !otherwise.is_empty() {
                        self.nodes(otherwise);
                        self.label("JOIN", *id);
                    }
                }
            }
            Node::Loop {
                id,
                before,
                test,
                tested_first,
                body,
            } => {
                let exit = format!("DONE_{id}");
                let again = format!("HEAD_{id}");
                let named =
                    |line: &String| line.replace("{exit}", &exit).replace("{again}", &again);
                self.lines(before);
                self.label("HEAD", *id);
                if *tested_first {
                    test.iter().for_each(|line| self.line(&named(line)));
                    self.nodes(body);
                    self.label("TEST", *id);
                    self.line(&format!("bra HEAD_{id};"));
                } else {
                    self.nodes(body);
                    self.label("TEST", *id);
                    test.iter().for_each(|line| self.line(&named(line)));
                }
                self.label("DONE", *id);
            }
            Node::Jump {
                before,
                condition,
                id,
                to_test,
            } => {
                self.lines(before);
                let label = if *to_test { "TEST" } else { "DONE" };
                self.line(&format!("{} bra {label}_{id};", condition.guard(true)));
            }
            Node::Ladder { id, sections } => {
                for (at, (nodes, jump)) in sections.iter().enumerate() {
                    self.label(&format!("S{at}"), *id);
                    self.nodes(nodes);
                    if let Some((condition, to)) = jump {
                        self.line(&format!("{} bra S{to}_{id};", condition.guard(true)));
                    }
                }
                self.label(&format!("S{}", sections.len()), *id);
            }
            Node::Irreducible {
                id,
                before,
                entry,
                first,
                second,
                test,
                back,
            } => {
                self.lines(before);
                self.line(&format!("{} bra SECOND_{id};", entry.guard(true)));
                self.label("FIRST", *id);
                self.nodes(first);
                self.label("SECOND", *id);
                self.nodes(second);
                let exit = format!("DONE_{id}");
                test.iter()
                    .for_each(|line| self.line(&line.replace("{exit}", &exit)));
                self.line(&format!("{} bra FIRST_{id};", back.guard(true)));
                self.line(&format!("bra SECOND_{id};"));
                self.label("DONE", *id);
            }
            Node::List(nodes) => self.nodes(nodes),
            Node::Switch {
                id,
                before,
                number,
                ways,
            } => {
                self.lines(before);
                let labels: Vec<String> = (0..ways.len()).map(|at| format!("S{at}_{id}")).collect();
                let _ = writeln!(
                    self.out,
                    "TABLE_{id}: .branchtargets {};",
                    labels.join(", ")
                );
                self.line(&format!("brx.idx {number}, TABLE_{id};"));
                for (at, (nodes, ends)) in ways.iter().enumerate() {
                    self.label(&format!("S{at}"), *id);
                    self.nodes(nodes);
                    if *ends {
                        self.line(&format!("bra S{}_{id};", ways.len()));
                    }
                }
                self.label(&format!("S{}", ways.len()), *id);
            }
        }
    }
}
