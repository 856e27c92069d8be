//! A kernel as the judge sees it: accesses, fences and jumps.
//!
//! Which memory an access means follows from where its address comes from: a parameter of the kernel, through
//! copies, additions and whatever else is computed. What is computed with values is of no interest, but for one
//! thing: which predicate says that a compare-and-swap has found what it expected.

use crate::ir::FIRST_AFTER;
use crate::meaning::{Access, Fence, Kind, Meaning, meaning};
use rustc_hash::FxHashMap;
use warpc_ptx::Module;
use warpc_ptx::inst::{Inst, MnemonicId, Operand, OperandRange};
use warpc_ptx::module::{Body, Function, Statement};
use warpc_ptx::symbol::Symbol;

/// The memory that an access means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// What the atomic operation is about.
    Location,
    /// What is accessed before it.
    Before,
    /// What is accessed after it.
    After,
}

/// A step of a kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// An access.
    Access(Place, Access),
    /// A fence.
    Fence(Fence),
    /// A test whether the swap at this step has succeeded.
    Test {
        /// The step of the swap.
        swap: usize,
    },
    /// A jump.
    Jump {
        /// Where it goes.
        to: usize,
        /// On which condition.
        when: Condition,
    },
    /// The end.
    Exit,
}

/// When a jump is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Condition {
    /// Always.
    Always,
    /// When the swap at a step has succeeded, or has not.
    Swapped {
        /// The step of the swap.
        swap: usize,
        /// Whether success is meant.
        success: bool,
    },
    /// Nobody knows.
    Sometimes,
}

/// What the parameters of a kernel are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// As in [`crate::ir`]: memory before and after the operation, its pointer, its values.
    Matrix,
    /// As in [`crate::door`]: memory before it, memory after it, its pointer, memory with its values.
    Door {
        /// Whether its pointer is loaded from where the parameter points.
        loaded: bool,
    },
}

/// Stands for a parameter: a pointer that was loaded from memory.
const LOADED: usize = 4;

/// The steps of a kernel, or why they cannot be told.
pub type Steps = Result<Vec<Step>, String>;

/// The mnemonics of a module, understood once.
#[derive(Debug)]
pub struct Reader<'m> {
    module: &'m Module,
    meanings: FxHashMap<(MnemonicId, u8), Meaning>,
}

impl<'m> Reader<'m> {
    /// For a module.
    pub fn new(module: &'m Module) -> Reader<'m> {
        Reader {
            module,
            meanings: FxHashMap::default(),
        }
    }

    fn meaning(&mut self, inst: &Inst) -> Meaning {
        let key = (inst.mnemonic, inst.choice);
        let module = self.module;
        let known = self.meanings.entry(key).or_insert_with(|| {
            let choices = &module.mnemonics[inst.mnemonic.0 as usize].choices;
            meaning(&warpc_ptx::mnemonic_text(
                &choices[usize::from(inst.choice)],
            ))
        });
        known.clone()
    }

    /// The steps of a kernel whose parameters are as in a layout.
    pub fn steps(&mut self, function: &Function, layout: Layout) -> Steps {
        let body = function.body.as_ref().ok_or("it has no body")?;
        let lines: Vec<(usize, &Inst, Meaning)> = body
            .statements
            .iter()
            .enumerate()
            .filter_map(|(at, statement)| match statement {
                Statement::Inst(inst) => Some((at, inst, self.meaning(inst))),
                _ => None,
            })
            .collect();
        let bases = Bases::of(function, body, &lines, layout);
        let tests = Tests::of(body, &lines);
        let mut steps = Draft::default();
        let mut next = 0;
        for (at, statement) in body.statements.iter().enumerate() {
            match statement {
                Statement::Label(name, _) => steps.label(*name),
                Statement::Inst(inst) => {
                    let meaning = &lines[next].2;
                    next += 1;
                    steps.add(body, at, inst, meaning, &bases, &tests)?;
                }
                _ => {}
            }
        }
        steps.finish(self.module)
    }
}

/// Where a value comes from, as far as it can be an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Base {
    /// A parameter and a constant.
    At(usize, i64),
    /// Something computed from these parameters, a bit each.
    From(u8),
}

impl Base {
    fn parameters(self) -> u8 {
        match self {
            Base::At(parameter, _) => 1 << parameter,
            Base::From(parameters) => parameters,
        }
    }
}

/// Where the values of registers come from.
struct Bases {
    by_register: FxHashMap<Symbol, Base>,
    layout: Layout,
}

impl Bases {
    fn of(
        function: &Function,
        body: &Body,
        lines: &[(usize, &Inst, Meaning)],
        layout: Layout,
    ) -> Bases {
        let mut bases = Bases {
            by_register: FxHashMap::default(),
            layout,
        };
        // Values go round loops: until nothing is new.
        loop {
            let mut changed = false;
            for (_, inst, meaning) in lines {
                let operands = body.operands(inst.operands);
                let Some((to, from)) = operands.split_first() else {
                    continue;
                };
                let base = match meaning {
                    Meaning::Parameter => bases.parameter(function, body, from),
                    Meaning::Copy | Meaning::Add | Meaning::Compute => {
                        bases.computed(body, from, meaning)
                    }
                    Meaning::Access(access) if access.kind == Kind::Load => {
                        bases.loaded(body, from)
                    }
                    // What memory holds is not an address else, and predicates are none either.
                    _ => None,
                };
                let Some(base) = base else { continue };
                for symbol in registers(body, to) {
                    changed |= bases.join(symbol, base);
                }
            }
            if !changed {
                return bases;
            }
        }
    }

    fn parameter(&self, function: &Function, body: &Body, from: &[Operand]) -> Option<Base> {
        let (symbol, _) = address(body, from.first()?)?;
        let number = function.params.iter().position(|p| p.name == symbol)?;
        Some(Base::At(number, 0))
    }

    /// The pointer of the operation, if it is what a load gives.
    fn loaded(&self, body: &Body, from: &[Operand]) -> Option<Base> {
        let (symbol, _) = address(body, from.first()?)?;
        let base = self.by_register.get(&symbol)?;
        let is = self.layout == Layout::Door { loaded: true } && base.parameters() == 1 << 2;
        is.then_some(Base::At(LOADED, 0))
    }

    fn computed(&self, body: &Body, from: &[Operand], meaning: &Meaning) -> Option<Base> {
        let known: Vec<Base> = from
            .iter()
            .flat_map(|operand| registers(body, operand))
            .filter_map(|symbol| self.by_register.get(&symbol).copied())
            .collect();
        match (meaning, &known[..], from) {
            (_, [], _) => None,
            (Meaning::Copy, &[base], _) => Some(base),
            (
                Meaning::Add,
                &[Base::At(parameter, offset)],
                [Operand::Int(number), _] | [_, Operand::Int(number)],
            ) => Some(Base::At(parameter, offset.wrapping_add(number.bits as i64))),
            _ => Some(Base::From(
                known.iter().fold(0, |all, base| all | base.parameters()),
            )),
        }
    }

    fn join(&mut self, symbol: Symbol, base: Base) -> bool {
        match self.by_register.get_mut(&symbol) {
            None => {
                self.by_register.insert(symbol, base);
                true
            }
            Some(known) if *known == base => false,
            Some(known) => {
                let all = Base::From(known.parameters() | base.parameters());
                let changed = *known != all;
                *known = all;
                changed
            }
        }
    }

    /// The memory that an address means; `None` for the kernel's own stack and the like.
    fn place(&self, body: &Body, operand: &Operand) -> Result<Option<Place>, String> {
        let Some((symbol, offset)) = address(body, operand) else {
            return Err("an address that the judge cannot read".into());
        };
        let Some(base) = self.by_register.get(&symbol) else {
            return Ok(None);
        };
        if let Layout::Door { loaded } = self.layout {
            return match (base.parameters(), loaded) {
                (1, _) => Ok(Some(Place::Before)),
                (2, _) => Ok(Some(Place::After)),
                (4, false) | (16, true) if offset == 0 => Ok(Some(Place::Location)),
                // Where the pointer and the values come from.
                (4, true) | (8, _) => Ok(None),
                _ => Err("an access whose place the judge cannot tell".into()),
            };
        }
        match *base {
            Base::At(0, start) if start + offset < FIRST_AFTER => Ok(Some(Place::Before)),
            Base::At(0, _) => Ok(Some(Place::After)),
            Base::At(1, start) if start + offset == 0 => Ok(Some(Place::Location)),
            Base::From(2) if offset == 0 => Ok(Some(Place::Location)),
            _ => Err("an access whose place the judge cannot tell".into()),
        }
    }
}

/// Base and offset of an address.
fn address(body: &Body, operand: &Operand) -> Option<(Symbol, i64)> {
    let Operand::Address { items, .. } = operand else {
        return None;
    };
    match body.operands(*items) {
        [Operand::Name { symbol, .. }] => Some((*symbol, 0)),
        [Operand::Name { symbol, .. }, Operand::Int(offset)] => Some((*symbol, offset.bits as i64)),
        _ => None,
    }
}

/// The names in an operand.
fn registers(body: &Body, operand: &Operand) -> Vec<Symbol> {
    let children = |range: &OperandRange| {
        let inside = body.operands(*range).iter();
        inside.flat_map(|child| registers(body, child)).collect()
    };
    match operand {
        Operand::Name { symbol, .. } => vec![*symbol],
        Operand::Vector(range) | Operand::Pair(range) => children(range),
        _ => Vec::new(),
    }
}

/// The one name that an operand is.
fn name(operand: &Operand) -> Option<Symbol> {
    match operand {
        Operand::Name { symbol, .. } => Some(*symbol),
        _ => None,
    }
}

/// A value that can be compared with another: a register, a part of one, or a constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Value {
    Register(Symbol),
    /// One half of a register of 128 bits.
    Half(Symbol, usize),
    Constant(u64),
}

/// What a predicate says of a swap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Test {
    /// The statement of the swap.
    swap: usize,
    /// Whether it says that the swap has failed.
    negated: bool,
    /// Which half of 128 bits it looks at; all of the value if none.
    half: Option<usize>,
}

/// The predicates that say whether a swap has succeeded.
struct Tests {
    by_register: FxHashMap<Symbol, Test>,
    /// By statement: what is tested there.
    by_statement: FxHashMap<usize, Test>,
}

impl Tests {
    fn of(body: &Body, lines: &[(usize, &Inst, Meaning)]) -> Tests {
        let values = Values::of(body, lines);
        let mut tests = Tests {
            by_register: FxHashMap::default(),
            by_statement: FxHashMap::default(),
        };
        let swaps: Vec<(usize, &[Operand])> = lines
            .iter()
            .filter(|(_, _, meaning)| is_swap(meaning))
            .map(|(at, inst, _)| (*at, body.operands(inst.operands)))
            .collect();
        if swaps.is_empty() {
            return tests;
        }
        for (at, inst, meaning) in lines {
            let operands = body.operands(inst.operands);
            let test = match (meaning, operands) {
                (Meaning::Equal { negated }, [_, a, b]) => {
                    swaps.iter().find_map(|(swap, parts)| {
                        let half = values.compares(parts, a, b)?;
                        Some(Test {
                            swap: *swap,
                            negated: *negated,
                            half,
                        })
                    })
                }
                (Meaning::AndPredicates, [_, a, b]) => tests.both(a, b),
                (Meaning::NotPredicate, [_, a]) => tests.find(a).map(|test| Test {
                    negated: !test.negated,
                    ..test
                }),
                _ => None,
            };
            let to = operands.first().and_then(name);
            if let (Some(test), Some(to)) = (test, to) {
                tests.by_statement.insert(*at, test);
                // A predicate with two meanings has none, but close to where it gets one.
                if values.definitions.get(&to) == Some(&1) {
                    tests.by_register.insert(to, test);
                }
            }
        }
        tests
    }

    /// What a predicate says at a statement: what was last written to it since the last label, or its one meaning.
    fn at(&self, body: &Body, statement: usize, register: Symbol) -> Option<Test> {
        for before in (0..statement).rev() {
            match &body.statements[before] {
                Statement::Label(..) => break,
                Statement::Inst(inst) => {
                    let first = body.operands(inst.operands).first();
                    if first.is_some_and(|first| registers(body, first).contains(&register)) {
                        return self.by_statement.get(&before).copied();
                    }
                }
                _ => {}
            }
        }
        self.by_register.get(&register).copied()
    }

    fn find(&self, operand: &Operand) -> Option<Test> {
        name(operand).and_then(|register| self.by_register.get(&register).copied())
    }

    /// Both halves are equal: all of it is.
    fn both(&self, a: &Operand, b: &Operand) -> Option<Test> {
        let (a, b) = (self.find(a)?, self.find(b)?);
        let fit = a.swap == b.swap && !a.negated && !b.negated;
        let halves = matches!((a.half, b.half), (Some(0), Some(1)) | (Some(1), Some(0)));
        (fit && halves).then_some(Test { half: None, ..a })
    }
}

fn is_swap(meaning: &Meaning) -> bool {
    matches!(meaning, Meaning::Access(access) if access.operation.starts_with("cas."))
}

/// Which registers are copies of others.
struct Values {
    copies: FxHashMap<Symbol, Value>,
    /// The halves of registers of 128 bits that were put together.
    pairs: FxHashMap<Symbol, [Value; 2]>,
    /// How often a register is written.
    definitions: FxHashMap<Symbol, usize>,
}

impl Values {
    fn of(body: &Body, lines: &[(usize, &Inst, Meaning)]) -> Values {
        let mut values = Values {
            copies: FxHashMap::default(),
            pairs: FxHashMap::default(),
            definitions: FxHashMap::default(),
        };
        for (_, inst, meaning) in lines {
            if matches!(meaning, Meaning::Jump | Meaning::Fence(_)) {
                continue;
            }
            if let Some(first) = body.operands(inst.operands).first() {
                for register in registers(body, first) {
                    *values.definitions.entry(register).or_default() += 1;
                }
            }
        }
        for (_, inst, meaning) in lines {
            let (Meaning::Copy, [to, from]) = (meaning, body.operands(inst.operands)) else {
                continue;
            };
            values.copy(body, to, from);
        }
        values
    }

    fn copy(&mut self, body: &Body, to: &Operand, from: &Operand) {
        let is_once = |values: &Values, register: Symbol| values.definitions[&register] == 1;
        match (to, from) {
            (Operand::Vector(range), Operand::Name { symbol, .. }) => {
                for (half, part) in body.operands(*range).iter().enumerate() {
                    if let Some(part) = name(part).filter(|&part| is_once(self, part)) {
                        self.copies.insert(part, Value::Half(*symbol, half));
                    }
                }
            }
            (Operand::Name { symbol, .. }, Operand::Vector(range)) => {
                let parts: Vec<Value> = body.operands(*range).iter().filter_map(value).collect();
                if let (&[low, high], true) = (&parts[..], is_once(self, *symbol)) {
                    self.pairs.insert(*symbol, [low, high]);
                }
            }
            (Operand::Name { symbol, .. }, _) if is_once(self, *symbol) => {
                if let Some(value) = value(from) {
                    self.copies.insert(*symbol, value);
                }
            }
            _ => {}
        }
    }

    /// What a value is a copy of.
    fn origin(&self, mut value: Value) -> Value {
        // Copies go back to what was there before: they end, but a wrong program could go round.
        for _ in 0..32 {
            match value {
                Value::Register(register) => match self.copies.get(&register) {
                    Some(&from) => value = from,
                    None => break,
                },
                _ => break,
            }
        }
        value
    }

    /// Whether two operands are what a swap found and what it expected: all of it, or a half.
    fn compares(&self, swap: &[Operand], a: &Operand, b: &Operand) -> Option<Option<usize>> {
        let [found, _, expected, ..] = swap else {
            return None;
        };
        let (a, b) = (self.origin(value(a)?), self.origin(value(b)?));
        let (found, expected) = (name(found)?, self.origin(value(expected)?));
        if [(a, b), (b, a)].contains(&(Value::Register(found), expected)) {
            return Some(None);
        }
        let pair = match expected {
            Value::Register(register) => self.pairs.get(&register),
            _ => None,
        };
        let expected_half = |half: usize| match pair {
            Some(pair) => self.origin(pair[half]),
            None => match expected {
                Value::Register(register) => Value::Half(register, half),
                other => other,
            },
        };
        (0..2)
            .find(|&half| {
                let halves = (Value::Half(found, half), expected_half(half));
                [(a, b), (b, a)].contains(&halves)
            })
            .map(Some)
    }
}

fn value(operand: &Operand) -> Option<Value> {
    match operand {
        Operand::Name { symbol, .. } => Some(Value::Register(*symbol)),
        Operand::Int(number) => Some(Value::Constant(number.bits)),
        _ => None,
    }
}

/// Steps while they are collected: jumps go to names, swaps are statements.
#[derive(Default)]
struct Draft {
    steps: Vec<Step>,
    labels: FxHashMap<Symbol, usize>,
    /// The names that jumps go to.
    jumps: Vec<(usize, Symbol)>,
    /// The step of each statement that is a swap.
    swaps: FxHashMap<usize, usize>,
}

impl Draft {
    fn label(&mut self, name: Symbol) {
        self.labels.insert(name, self.steps.len());
    }

    fn add(
        &mut self,
        body: &Body,
        at: usize,
        inst: &Inst,
        meaning: &Meaning,
        bases: &Bases,
        tests: &Tests,
    ) -> Result<(), String> {
        let operands = body.operands(inst.operands);
        let condition = match inst.guard {
            None => Condition::Always,
            Some(guard) => match tests.at(body, at, guard.register) {
                Some(test) if test.half.is_none() => Condition::Swapped {
                    swap: test.swap,
                    success: test.negated == guard.negated,
                },
                _ => Condition::Sometimes,
            },
        };
        let step = match meaning {
            Meaning::Access(access) => {
                let operand = match access.kind {
                    Kind::Load | Kind::Atom => operands.get(1),
                    Kind::Store | Kind::Reduction => operands.first(),
                };
                let operand = operand.ok_or("an access without an address")?;
                let Some(place) = bases.place(body, operand)? else {
                    return Ok(());
                };
                if is_swap(meaning) {
                    self.swaps.insert(at, self.steps.len());
                }
                self.unless(condition);
                Step::Access(place, access.clone())
            }
            Meaning::Fence(fence) => {
                self.unless(condition);
                Step::Fence(*fence)
            }
            Meaning::Jump => {
                let to = operands.first().and_then(name);
                let to = to.ok_or("a jump without a label")?;
                self.jumps.push((self.steps.len(), to));
                Step::Jump {
                    to: 0,
                    when: condition,
                }
            }
            Meaning::Exit => {
                self.unless(condition);
                Step::Exit
            }
            Meaning::Unknown => return Err("an instruction that the judge does not know".into()),
            _ => match tests.by_statement.get(&at) {
                Some(test) => Step::Test { swap: test.swap },
                None => return Ok(()),
            },
        };
        self.steps.push(step);
        Ok(())
    }

    /// A guard on the next step: a jump over it.
    fn unless(&mut self, condition: Condition) {
        let when = match condition {
            Condition::Always => return,
            Condition::Swapped { swap, success } => Condition::Swapped {
                swap,
                success: !success,
            },
            Condition::Sometimes => Condition::Sometimes,
        };
        let to = self.steps.len() + 2;
        self.steps.push(Step::Jump { to, when });
    }

    fn finish(mut self, module: &Module) -> Steps {
        for (at, label) in &self.jumps {
            let to = self.labels.get(label);
            let name = || module.symbols.name(*label);
            let target = *to.ok_or_else(|| format!("a jump to {}", name()))?;
            if let Step::Jump { to, .. } = &mut self.steps[*at] {
                *to = target;
            }
        }
        for step in &mut self.steps {
            match step {
                Step::Test { swap }
                | Step::Jump {
                    when: Condition::Swapped { swap, .. },
                    ..
                } => *swap = *self.swaps.get(swap).ok_or("a test of no swap")?,
                _ => {}
            }
        }
        // A function may run off its end.
        self.steps.push(Step::Exit);
        Ok(self.steps)
    }
}
