//! Device functions and their calls.
//!
//! A function computes with its parameters and gives a result, possibly through functions before it or itself. One that
//! calls itself counts down: its first parameter is how deep it may go.

use super::{Context, Draft};
use crate::class::{ALL, Class};
use crate::program::{Condition, Function, Node, Step};
use warpc_testkit::Random;

/// A function as its callers see it.
#[derive(Clone, Debug)]
pub(super) struct Callee {
    name: String,
    parameters: Vec<Class>,
    results: Vec<Class>,
    /// Whether the first parameter is how deep it may go.
    is_recursive: bool,
    /// Whether the last parameter is two words in memory.
    has_struct: bool,
    /// Whether a parameter is the generic address of memory that it may change.
    has_pointer: bool,
    /// Another function with the same parameters and results.
    twin: Option<String>,
}

/// Bytes at the address that a function gets.
const POINTED: u32 = 16;

/// A function that may call those before it. `like` is one with the same parameters and results.
pub(super) fn function(
    random: &mut Random,
    number: usize,
    before: &[Callee],
    like: Option<&Callee>,
) -> (Function, Callee) {
    let mut draft = Draft::new(Random::new(random.bits()));
    // What a function computes must not depend on who is there.
    (draft.has.collectives, draft.has.barriers, draft.has.atomics) = (false, false, false);
    draft.callees = before.to_vec();
    let classes = [Class::W, Class::D, Class::F, Class::G, Class::W];
    let is_recursive = draft.random.one_in(3);
    let count = draft.random.below(5);
    let mut parameters: Vec<Class> = (0..count).map(|_| draft.random.pick(&classes)).collect();
    if is_recursive {
        parameters.insert(0, Class::W);
    }
    let results = match draft.random.below(4) {
        0 => Vec::new(),
        _ => vec![draft.random.pick(&classes)],
    };
    let callee = Callee {
        name: format!("f{number}"),
        parameters,
        results,
        is_recursive,
        has_struct: draft.random.one_in(4),
        has_pointer: draft.random.one_in(4),
        twin: None,
    };
    let callee = match like {
        Some(one) => Callee {
            name: callee.name,
            twin: Some(one.name.clone()),
            ..one.clone()
        },
        None => callee,
    };
    let is_recursive = callee.is_recursive;
    let mut prologue = Vec::new();
    let mut depth = None;
    for (at, &class) in callee.parameters.iter().enumerate() {
        let number = draft.fresh_number(class);
        let register = class.reg(number);
        prologue.push(format!("ld.param.{} {register}, [a{at}];", class.stored()));
        match (at, is_recursive) {
            (0, true) => depth = Some(register),
            _ => draft.pool[class.index()].push(number),
        }
    }
    if callee.has_pointer {
        let base = draft.fresh(Class::D);
        prologue.push(format!("ld.param.u64 {base}, [m];"));
        draft.has.memory = true;
        draft.regions.push(super::memory::Region {
            space: "generic",
            symbol: None,
            base,
            generic: None,
            size: POINTED,
            is_written: true,
        });
    }
    if callee.has_struct {
        let (one, other) = (draft.fresh_number(Class::W), draft.fresh_number(Class::D));
        prologue.push(format!("ld.param.b32 {}, [s+4];", Class::W.reg(one)));
        prologue.push(format!("ld.param.b64 {}, [s+8];", Class::D.reg(other)));
        draft.pool[Class::W.index()].push(one);
        draft.pool[Class::D.index()].push(other);
    }
    let mut nodes = Vec::new();
    for class in ALL {
        for _ in 0..2 {
            let number = draft.fresh_number(class);
            let register = class.reg(number);
            let line = match class.constant(&mut draft.random) {
                Some(constant) => format!("mov.{} {register}, {constant};", class.declared()),
                None => class.zero(&register),
            };
            let step = Step {
                lines: vec![line],
                defines: vec![(class, number)],
            };
            draft.publish(&step);
            nodes.push(Node::Step(step));
        }
    }
    let mut variables = Vec::new();
    if draft.random.one_in(2) {
        draft.own_memory(&mut variables, &mut prologue);
    }
    draft.budget = 5 + draft.random.below(20);
    let context = Context {
        depth: 2,
        ..Context::default()
    };
    let many = draft.budget;
    let mark = draft.mark();
    nodes.extend(draft.list(&context, many));
    draft.restore(mark);
    if let Some(depth) = depth {
        let again = draft.again(&callee, &depth);
        nodes.push(again);
        nodes.push(Node::Step(draft.instruction()));
    }
    let mut epilogue = Vec::new();
    for (at, class) in callee.results.iter().enumerate() {
        let register = draft.read(*class);
        epilogue.push(format!("st.param.{} [r{at}], {register};", class.stored()));
    }
    epilogue.push("ret;".to_owned());
    let function = Function {
        header: callee.header(),
        variables,
        prologue,
        nodes,
        epilogue,
    };
    (function, callee)
}

impl Callee {
    fn header(&self) -> String {
        let declare = |letter: char, classes: &[Class]| -> Vec<String> {
            let all = classes.iter().enumerate();
            all.map(|(at, class)| format!(".param .b{} {letter}{at}", 8 * class.bytes()))
                .collect()
        };
        let results = match self.results.is_empty() {
            true => String::new(),
            false => format!("({}) ", declare('r', &self.results).join(", ")),
        };
        let mut parameters = declare('a', &self.parameters);
        if self.has_struct {
            parameters.push(".param .align 8 .b8 s[16]".to_owned());
        }
        if self.has_pointer {
            parameters.push(".param .b64 m".to_owned());
        }
        format!(".func {results}{}({})", self.name, parameters.join(", "))
    }
}

impl Draft {
    /// Local memory of the function.
    fn own_memory(&mut self, variables: &mut Vec<String>, prologue: &mut Vec<String>) {
        variables.push(".local .align 16 .b8 loc[32];".to_owned());
        let base = self.fresh(Class::W);
        prologue.push(format!("mov.u32 {base}, loc;"));
        for at in 0..4u64 {
            prologue.push(format!(
                "st.local.u64 [loc+{}], {};",
                8 * at,
                0x1234_5678_9abc_def0 ^ at
            ));
        }
        self.has.memory = true;
        self.regions.push(super::memory::Region {
            space: "local",
            symbol: Some("loc".to_owned()),
            base,
            generic: None,
            size: 32,
            is_written: true,
        });
    }

    /// The generic address of memory that a function may change; empty if there is none.
    fn pointer(&mut self) -> String {
        let known = self.regions.iter().filter(|one| one.is_written);
        let addresses: Vec<String> = known
            .filter_map(|one| match one.space {
                "generic" => Some(one.base.clone()),
                _ => one.generic.clone(),
            })
            .collect();
        match addresses.is_empty() {
            true => String::new(),
            false => self.random.pick(&addresses),
        }
    }

    /// A call of one of the functions.
    pub(super) fn call(&mut self, context: &Context) -> Step {
        let callee = self.random.pick(&self.callees);
        if callee.has_pointer && self.pointer().is_empty() {
            return self.instruction();
        }
        let mut lines = Vec::new();
        let depth = callee.is_recursive.then(|| {
            let (depth, from) = (self.fresh(Class::W), self.read(Class::W));
            lines.push(format!("and.b32 {depth}, {from}, 3;"));
            depth
        });
        let mut step = Step::default();
        lines.extend(self.called(&callee, depth, context.is_uniform, &mut step));
        step.lines = lines;
        self.publish(&step);
        step
    }

    /// The lines of a call.
    fn called(
        &mut self,
        callee: &Callee,
        depth: Option<String>,
        uniform: bool,
        step: &mut Step,
    ) -> Vec<String> {
        let mut lines = vec!["{".to_owned()];
        let (mut given, mut got) = (Vec::new(), Vec::new());
        for (at, class) in callee.parameters.iter().enumerate() {
            let value = match (at, &depth) {
                (0, Some(depth)) => depth.clone(),
                _ => self.read(*class),
            };
            lines.push(format!(".param .b{} q{at};", 8 * class.bytes()));
            lines.push(format!("st.param.{} [q{at}], {value};", class.stored()));
            given.push(format!("q{at}"));
        }
        if callee.has_struct {
            let (one, other) = (self.read(Class::W), self.read(Class::D));
            lines.push(".param .align 8 .b8 qs[16];".to_owned());
            lines.push(format!("st.param.b32 [qs], {one};"));
            lines.push(format!("st.param.b32 [qs+4], {one};"));
            lines.push(format!("st.param.b64 [qs+8], {other};"));
            given.push("qs".to_owned());
        }
        if callee.has_pointer {
            let address = self.pointer();
            lines.push(".param .b64 qm;".to_owned());
            lines.push(format!("st.param.b64 [qm], {address};"));
            given.push("qm".to_owned());
        }
        let mut taken = Vec::new();
        let mut loads = Vec::new();
        for (at, class) in callee.results.iter().enumerate() {
            lines.push(format!(".param .b{} v{at};", 8 * class.bytes()));
            let result = self.write(*class, step, &mut taken);
            loads.push(format!("ld.param.{} {result}, [v{at}];", class.stored()));
            got.push(format!("v{at}"));
        }
        let uni = if uniform && self.random.one_in(2) {
            ".uni"
        } else {
            ""
        };
        let by_address = self
            .random
            .chance(if callee.twin.is_some() { 60 } else { 20 });
        let (name, prototype) = match by_address {
            true => self.address(callee, &mut lines),
            false => (callee.name.clone(), None),
        };
        // Threads may go to different functions.
        let uni = if by_address { "" } else { uni };
        let mut call = format!("call{uni} ");
        if !got.is_empty() {
            call.push_str(&format!("({}), ", got.join(", ")));
        }
        call.push_str(&name);
        match &prototype {
            Some(prototype) => {
                call.push_str(&format!(", ({}), {prototype}", given.join(", ")));
            }
            None if given.is_empty() => {}
            None => call.push_str(&format!(", ({})", given.join(", "))),
        }
        lines.push(format!("{call};"));
        lines.extend(loads);
        lines.push("}".to_owned());
        lines
    }

    /// The address of a function, or of one of two, in a register, and the prototype to call it with.
    fn address(&mut self, callee: &Callee, lines: &mut Vec<String>) -> (String, Option<String>) {
        let (address, id) = (self.fresh(Class::D), self.id());
        lines.push(format!("mov.u64 {address}, {};", callee.name));
        if let Some(twin) = &callee.twin {
            let (other, which) = (self.fresh(Class::D), self.read(Class::P));
            lines.push(format!("mov.u64 {other}, {twin};"));
            lines.push(format!("selp.b64 {address}, {address}, {other}, {which};"));
        }
        let header = callee.header();
        let header = header.strip_prefix(".func ").unwrap_or(&header);
        let header = header.replacen(&format!("{}(", callee.name), "_(", 1);
        lines.push(format!("PROTOTYPE_{id}: .callprototype {header};"));
        (address, Some(format!("PROTOTYPE_{id}")))
    }

    /// A call of the function under construction, unless it is deep enough.
    fn again(&mut self, callee: &Callee, depth: &str) -> Node {
        let (ends, less) = (self.fresh(Class::P), self.fresh(Class::W));
        let before = vec![
            format!("setp.eq.u32 {ends}, {depth}, 0;"),
            format!("sub.u32 {less}, {depth}, 1;"),
        ];
        let mark = self.mark();
        let mut step = Step::default();
        step.lines = self.called(callee, Some(less), false, &mut step);
        self.publish(&step);
        let mut then = vec![Node::Step(step)];
        // What comes back must count.
        for _ in 0..3 {
            then.push(Node::Step(self.instruction()));
        }
        self.restore(mark);
        Node::If {
            id: self.id(),
            before,
            condition: Condition {
                register: ends,
                is_negated: true,
            },
            then,
            otherwise: Vec::new(),
            far: false,
        }
    }
}
