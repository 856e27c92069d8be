//! [`Code`] to the body of a PTX function: registers and labels get their names, in the order in which
//! they appear, and jumps are written where control does not simply fall through.

use crate::code::{Arg, ArgRange, Class, Code, End, Inst, Label, Line, Reg};
use crate::debug::location::Mark;
use crate::debug::{Home, Recorded, Variable};
use crate::frame::Frame;
use crate::select::Where;
use crate::unit::Unit;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::{self, Display};
use warpc_diag::Span;
use warpc_nvvm::metadata::NodeId;
use warpc_ptx::inst::{self, At, Guard, Int, Operand, OperandRange, Part, Sign};
use warpc_ptx::module::{Body, Function, Linkage, Space, Statement};
use warpc_ptx::push_decimal;
use warpc_ptx::symbol::Symbol;
use warpc_ptx::types::ScalarType;

/// The body of a function while passes change it.
pub struct Draft {
    /// What is made.
    pub body: Body,
    /// For each statement whether it stands in the module as text: such a fence is not removed.
    pub verbatim: Vec<bool>,
    /// Labels that only debug information names.
    pub marks: FxHashSet<Symbol>,
    /// The labels before and after the code, if debug information names the function.
    pub bounds: Option<[Symbol; 2]>,
}

impl Draft {
    /// A body that stands in the module as text.
    pub fn verbatim(body: Body) -> Draft {
        let verbatim = vec![true; body.statements.len()];
        Draft {
            body,
            verbatim,
            marks: FxHashSet::default(),
            bounds: None,
        }
    }

    /// The function with this head and body, to be printed.
    pub fn shown<'d>(&'d self, unit: &'d Unit, head: &'d Function) -> impl Display + 'd {
        fmt::from_fn(move |f| {
            let mut function = head.clone();
            function.body = Some(self.body.clone());
            f.write_str(&warpc_ptx::print_function(&unit.ptx, &function))
        })
    }

    /// Adds a statement at the end.
    pub fn push(&mut self, statement: Statement, verbatim: bool) {
        self.body.statements.push(statement);
        self.verbatim.push(verbatim);
    }
}

/// The body of a function.
pub fn run(unit: &mut Unit, mut code: Code) -> Draft {
    let frame = std::mem::take(&mut code.frame);
    let mut assembler = Assembler {
        registers: vec![None; code.regs.len()],
        counts: [0; Class::ALL.len()],
        spelled: String::new(),
        labels: FxHashMap::default(),
        jumped: jump_targets(&code),
        number: code.number,
        body: Body::default(),
        verbatim: Vec::new(),
        said: crate::line::Said::default(),
        last: 0,
        marks: FxHashMap::default(),
        scopes: Vec::new(),
        scope: None,
        unit,
        code,
    };
    assembler.named();
    assembler.sections();
    let declarations = assembler.declarations(&frame);
    let bounds = assembler.describe();
    let Assembler {
        mut body,
        mut verbatim,
        marks,
        scopes,
        ..
    } = assembler;
    let marks = marks
        .into_values()
        .chain(scopes.into_iter().map(|scope| scope.0));
    let marks = marks.collect();
    verbatim.resize(body.statements.len(), false);
    verbatim.splice(0..0, declarations.iter().map(|_| false));
    body.statements.splice(0..0, declarations);
    Draft {
        body,
        verbatim,
        marks,
        bounds,
    }
}

struct Assembler<'u, 'm> {
    unit: &'u mut Unit<'m>,
    code: Code,
    registers: Vec<Option<Symbol>>,
    /// How many registers of each class have a number.
    counts: [u32; Class::ALL.len()],
    /// Where their names are put together.
    spelled: String,
    labels: FxHashMap<Label, Symbol>,
    /// Labels that something jumps to.
    jumped: FxHashSet<Label>,
    number: usize,
    body: Body,
    /// For the statements so far whether they stand in the module as text.
    verbatim: Vec<bool>,
    /// The places of the source that were written.
    said: crate::line::Said,
    /// Where the last instruction comes from: jumps at the end of a section belong to what stands before them.
    last: u32,
    /// The labels of marks.
    marks: FxHashMap<Mark, Symbol>,
    /// The labels from which on code comes from another scope, and where it comes from.
    scopes: Vec<(Symbol, NodeId)>,
    /// The scope that code comes from, and where it was inlined.
    scope: Option<(Option<NodeId>, Option<NodeId>)>,
}

/// Every label that must be written: those that do not just follow.
fn jump_targets(code: &Code) -> FxHashSet<Label> {
    let mut targets = FxHashSet::default();
    for (index, section) in code.sections.iter().enumerate() {
        let next = code.sections.get(index + 1).map(|section| section.label);
        let mut jump = |label: Label| {
            if Some(label) != next {
                targets.insert(label);
            }
        };
        match section.end {
            End::Stop => {}
            End::Jump(to) => jump(to),
            End::Branch { yes, no, .. } => {
                jump(yes);
                jump(no);
            }
        }
        for line in &section.lines {
            match line {
                Line::Targets(_, labels) => targets.extend(labels.iter().copied()),
                Line::Inst(inst) => {
                    for arg in &code.args[inst.args.indices()] {
                        if let Arg::Label(label) = arg {
                            targets.insert(*label);
                        }
                    }
                }
                _ => {}
            }
        }
    }
    targets
}

impl Assembler<'_, '_> {
    fn named(&mut self) {
        for (reg, name) in std::mem::take(&mut self.code.named) {
            self.registers[reg.0 as usize] = Some(self.unit.intern(name));
        }
    }

    fn sections(&mut self) {
        let sections = std::mem::take(&mut self.code.sections);
        let labels: Vec<Label> = sections.iter().map(|section| section.label).collect();
        for (index, section) in sections.into_iter().enumerate() {
            if self.jumped.contains(&section.label) {
                self.label(section.label);
            }
            for line in section.lines {
                self.line(line);
            }
            self.end(section.end, labels.get(index + 1).copied());
        }
    }

    fn line(&mut self, line: Line) {
        let at = At::default();
        match line {
            Line::Inst(inst) => self.inst(inst),
            Line::Label(label) => self.label(label),
            Line::Open => self.body.statements.push(Statement::Open(at)),
            Line::Close => self.body.statements.push(Statement::Close(at)),
            Line::Mark(mark) => {
                let name = self.debug_label();
                self.marks.insert(mark, name);
            }
            Line::Loc(place) => {
                self.enter_scope(place);
                let statements = crate::line::locate(self.unit, &mut self.said, place);
                self.body.statements.extend(statements);
            }
            Line::Statement(statement) => self.body.statements.push(*statement),
            Line::Inline(text) => {
                let names: Vec<Symbol> = text
                    .registers
                    .iter()
                    .map(|&reg| self.register(reg))
                    .collect();
                self.verbatim.resize(self.body.statements.len(), false);
                crate::inline::splice(self.unit, &text, &names, &mut self.body);
                self.verbatim.resize(self.body.statements.len(), true);
            }
            Line::Targets(name, labels) => {
                let labels = labels.iter().map(|&label| (self.label_name(label), at));
                let labels: Vec<(Symbol, At)> = labels.collect();
                self.body.statements.push(Statement::Label(name, at));
                let targets = Statement::BranchTargets(Box::new(labels), at);
                self.body.statements.push(targets);
            }
        }
    }

    /// Writes a label that only debug information names. A loop's pragma stays next to what it is about.
    fn debug_label(&mut self) -> Symbol {
        let number = self.marks.len() + self.scopes.len();
        let name = format!("$L__tmp{}_{number}", self.number);
        let name = self.unit.local_name(&name);
        let pragmas = self.body.statements.iter().rev();
        let pragmas = pragmas.take_while(|found| matches!(found, Statement::Pragma(..)));
        let at = self.body.statements.len() - pragmas.count();
        self.verbatim.resize(self.body.statements.len(), false);
        self.verbatim.insert(at, false);
        let label = Statement::Label(name, At::default());
        self.body.statements.insert(at, label);
        name
    }

    /// Notes that code comes from a place of another scope from here on.
    fn enter_scope(&mut self, place: NodeId) {
        if self.code.described.is_none() {
            return;
        }
        let query = crate::debug::query(self.unit.module);
        let scope = (query.scope_of(place), query.node(place, b"inlinedAt"));
        if self.scope == Some(scope) {
            return;
        }
        self.scope = Some(scope);
        let label = self.debug_label();
        self.scopes.push((label, place));
    }

    /// Gives what debug information says about the function to the module; the labels around its code.
    fn describe(&mut self) -> Option<[Symbol; 2]> {
        let described = self.code.described.take()?;
        let number = self.number;
        let bounds = ["begin", "end"].map(|end| {
            let name = format!("$L__func_{end}{number}");
            self.unit.local_name(&name)
        });
        let text = |symbol: Symbol| self.unit.ptx.name(symbol).to_owned();
        let register = |reg: Reg| self.registers[reg.0 as usize].map(text);
        let mark = |mark: Option<Mark>| match mark {
            Some(mark) => self.marks.get(&mark).copied().map(text),
            None => Some(text(bounds[1])),
        };
        let variables = described.variables.into_iter().map(|variable| {
            let home = match variable.home {
                Where::Unknown => None,
                Where::Fixed(place) => place.with(register).map(Home::Fixed),
                Where::List(list) => {
                    let places = list.into_iter().filter_map(|(from, to, place)| {
                        Some((mark(Some(from))?, mark(to)?, place.with(register)?))
                    });
                    Some(Home::List(places.collect()))
                }
            };
            Variable {
                node: variable.node,
                inlined_at: variable.inlined_at,
                home: home.unwrap_or(Home::Unknown),
            }
        });
        let recorded = Recorded {
            program: described.program,
            bounds: bounds.map(text),
            scopes: self
                .scopes
                .iter()
                .map(|&(label, place)| (text(label), place))
                .collect(),
            variables: variables.collect(),
        };
        self.unit.recorded.push(recorded);
        Some(bounds)
    }

    fn label(&mut self, label: Label) {
        let name = self.label_name(label);
        self.body
            .statements
            .push(Statement::Label(name, At::default()));
    }

    /// Labels are numbered in the order of the text.
    fn label_name(&mut self, label: Label) -> Symbol {
        if let Some(&name) = self.labels.get(&label) {
            return name;
        }
        let name = format!("$L__BB{}_{}", self.number, self.labels.len() + 1);
        let name = self.unit.local_name(&name);
        self.labels.insert(label, name);
        name
    }

    fn end(&mut self, end: End, next: Option<Label>) {
        match end {
            End::Stop => {}
            End::Jump(to) => self.jump(None, to, next),
            End::Branch {
                predicate,
                negated,
                yes,
                no,
            } => {
                if Some(yes) == next {
                    self.jump(Some((predicate, !negated)), no, None);
                } else {
                    self.jump(Some((predicate, negated)), yes, None);
                    self.jump(None, no, next);
                }
            }
        }
    }

    fn jump(&mut self, guard: Option<(Reg, bool)>, to: Label, next: Option<Label>) {
        if Some(to) == next {
            return;
        }
        let mnemonic = if guard.is_some() { "bra" } else { "bra.uni" };
        if let Ok(mnemonic) = self.unit.mnemonic(mnemonic, 0) {
            let args = self.code.range(&[Arg::Label(to)]);
            self.inst(Inst {
                mnemonic,
                guard,
                args,
                at: self.last,
            });
        }
    }

    fn inst(&mut self, inst: Inst) {
        self.last = inst.at;
        let operands = self.operands(inst.args);
        let guard = inst.guard.map(|(reg, negated)| Guard {
            register: self.register(reg),
            negated,
            at: At::default(),
        });
        self.body.statements.push(Statement::Inst(inst::Inst {
            mnemonic: inst.mnemonic,
            choice: 0,
            guard,
            operands,
            at: At(Span::new(inst.at, inst.at + 1)),
        }));
    }

    /// Children come before what they belong to, so that a range is never torn apart.
    fn operands(&mut self, range: ArgRange) -> OperandRange {
        let mut made = smallvec::SmallVec::<[Operand; 8]>::new();
        for index in range.indices() {
            let arg = self.code.args[index];
            made.push(self.operand(arg));
        }
        let start = self.body.operands.len() as u32;
        self.body.operands.extend_from_slice(&made);
        OperandRange {
            start,
            len: range.len,
        }
    }

    fn operand(&mut self, arg: Arg) -> Operand {
        let name = |symbol, sign| Operand::Name {
            symbol,
            part: Part::Whole,
            sign,
        };
        match arg {
            Arg::Reg(reg) => name(self.register(reg), Sign::Plain),
            Arg::Int(value) => Operand::Int(Int::signed(value)),
            Arg::F32(bits) => Operand::F32(bits),
            Arg::F64(bits) => Operand::F64(bits),
            Arg::Name(symbol) => name(symbol, Sign::Plain),
            Arg::Element(symbol, part) => Operand::Name {
                symbol,
                part,
                sign: Sign::Plain,
            },
            Arg::Label(label) => name(self.label_name(label), Sign::Plain),
            Arg::Sink => Operand::Sink,
            Arg::Vector(range) => Operand::Vector(self.operands(range)),
            Arg::Pair(range) => Operand::Pair(self.operands(range)),
            Arg::Group(range) => Operand::Group(self.operands(range)),
            Arg::List(range) => Operand::List(self.operands(range)),
            Arg::Address(range) => Operand::Address {
                items: self.operands(range),
                unified: false,
            },
        }
    }

    fn register(&mut self, reg: Reg) -> Symbol {
        if let Some(name) = self.registers[reg.0 as usize] {
            return name;
        }
        let class = self.code.class(reg);
        let count = &mut self.counts[class as usize];
        *count += 1;
        self.spelled.clear();
        self.spelled.push_str(class.prefix());
        push_decimal(&mut self.spelled, u64::from(*count));
        let name = self.unit.intern(&self.spelled);
        self.registers[reg.0 as usize] = Some(name);
        name
    }

    /// Local memory and registers.
    fn declarations(&mut self, frame: &Frame) -> Vec<Statement> {
        let mut declarations = Vec::new();
        if frame.size > 0 {
            let name = self
                .unit
                .local_name(&format!("__local_depot{}", self.number));
            let mut depot = variable(Space::Local, ScalarType::B8, name);
            depot.align = Some(frame.align as u32);
            depot.dims = vec![Some(frame.size)];
            declarations.push(depot);
        }
        for (reg, name) in [(frame.generic, "%SP"), (frame.local, "%SPL")] {
            if let Some(reg) = reg {
                let ty = self.code.class(reg).ty();
                let name = self.unit.intern(name);
                declarations.push(variable(Space::Reg, ty, name));
            }
        }
        for class in Class::ALL {
            let count = self.counts[class as usize];
            if count > 0 {
                let name = self.unit.intern(class.prefix());
                let mut registers = variable(Space::Reg, class.ty(), name);
                registers.range = Some(count + 1);
                declarations.push(registers);
            }
        }
        let statement = |variable| Statement::Variable(Box::new(variable));
        declarations.into_iter().map(statement).collect()
    }
}

/// A declaration without anything special.
pub fn variable(space: Space, ty: ScalarType, name: Symbol) -> warpc_ptx::module::Variable {
    warpc_ptx::module::Variable {
        linkage: Linkage::Internal,
        space,
        align: None,
        vector: 1,
        ty,
        name,
        range: None,
        dims: Vec::new(),
        extra: None,
        at: At::default(),
        name_at: At::default(),
    }
}
