//! One function: declarations, labels, steps.

use super::layout::{self, Layout};
use super::names::{Files, Labels, Meaning, Names};
use super::refuse;
use crate::address;
use crate::program::{Code, Dst, LOCAL_GAP, Op, Origin, Place, Program, Src, Step};
use crate::source::SourcePlace;
use warpc_diag::{Diagnostic, Diagnostics, Span};
use warpc_launch::shared::Shared;
use warpc_ptx::Module;
use warpc_ptx::inst::{Choice, Inst};
use warpc_ptx::module::{Body, Function, FunctionKind, Item, Loc, Space, Statement, Variable};
use warpc_ptx::types::ScalarType;

/// A decoded function and what follows from it for the kernel.
pub(super) struct Decoded {
    pub(super) code: Code,
    /// Bytes of a kernel's parameters.
    pub(super) param_bytes: u32,
    /// Whether it can see the order in which blocks run.
    pub(super) order_matters: bool,
    pub(super) counts_pending: bool,
}

/// The largest frame a function may have: what the chip gives a thread.
const MAX_FRAME: u64 = 512 * 1024;

pub(super) struct Decoder<'m> {
    pub(super) module: &'m Module,
    pub(super) layout: &'m Layout,
    pub(super) shared: &'m Shared,
    pub(super) program: &'m Program,
    pub(super) function: &'m Function,
    pub(super) body: &'m Body,
    pub(super) names: Names<'m>,
    pub(super) labels: Labels,
    /// The scope that is open, as [`Labels`] numbers them.
    pub(super) scope: usize,
    pub(super) code: Code,
    /// Bytes of the frame in use in this scope.
    frame_used: u64,
    frame_marks: Vec<u64>,
    pub(super) order_matters: bool,
    pub(super) counts_pending: bool,
    param_bytes: u64,
}

/// A jump that is filled in when all labels are known.
pub(super) fn to_statement(statement: usize) -> u32 {
    statement as u32
}

pub(super) fn decode(
    module: &Module,
    layout: &Layout,
    shared: &Shared,
    program: &Program,
    function: &Function,
) -> Result<Decoded, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let Some(body) = &function.body else {
        return Err(diagnostics);
    };
    let mut decoder = Decoder {
        module,
        layout,
        shared,
        program,
        function,
        body,
        names: Names::new(&module.symbols),
        labels: Labels::of(body),
        scope: 0,
        code: Code {
            name: module.name(function.name).to_owned(),
            frame_align: 16,
            ..Code::default()
        },
        frame_used: 0,
        frame_marks: Vec::new(),
        order_matters: false,
        counts_pending: false,
        param_bytes: 0,
    };
    decoder.declare_module();
    decoder.declare_signature();
    // For each statement the step that stands there or comes next.
    let mut step_at = Vec::with_capacity(body.statements.len() + 1);
    let mut loc = None;
    let mut opened = 0;
    for (index, statement) in body.statements.iter().enumerate() {
        step_at.push(decoder.code.steps.len() as u32);
        let outcome = match statement {
            Statement::Open(_) => {
                opened += 1;
                decoder.open(opened);
                Ok(())
            }
            Statement::Close(_) => {
                decoder.close();
                Ok(())
            }
            Statement::Variable(variable) => decoder.declare(variable, index),
            Statement::Loc(place) => {
                loc = Some(decoder.code.locs.len() as u32);
                decoder.code.locs.push(source_place(place));
                Ok(())
            }
            Statement::Label(symbol, _) => {
                decoder.declare_label(*symbol, index);
                Ok(())
            }
            Statement::Inst(inst) => decoder.step(inst, loc),
            _ => Ok(()),
        };
        if let Err(diagnostic) = outcome {
            diagnostics.push(*diagnostic);
        }
    }
    step_at.push(decoder.code.steps.len() as u32);
    if decoder.code.frame_bytes as u64 > MAX_FRAME {
        let message = format!("the function has more than {MAX_FRAME} bytes of local variables");
        diagnostics.push(refuse(function.name_at.0, message));
    }
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    // Control that runs off the end returns.
    let origin = Origin {
        span: function.name_at.0,
        loc,
    };
    decoder.push(None, Op::Return, origin);
    decoder.resolve_jumps(&step_at);
    let Files {
        words,
        doubles,
        predicates,
    } = decoder.names.files;
    decoder.code.words = words;
    decoder.code.doubles = doubles;
    decoder.code.predicates = predicates;
    super::groups::share(&mut decoder.code);
    Ok(Decoded {
        code: decoder.code,
        param_bytes: decoder.param_bytes as u32,
        order_matters: decoder.order_matters,
        counts_pending: decoder.counts_pending,
    })
}

/// What a `.loc` says. Greater numbers than any file has are cut: they are only shown.
fn source_place(loc: &Loc) -> SourcePlace {
    let position =
        |(file, line, column): (u64, u64, u64)| (file as u32, line as u32, column as u32);
    SourcePlace {
        at: position((loc.file, loc.line, loc.column)),
        inlined: loc
            .inlined
            .as_ref()
            .map(|inlined| (inlined.function, inlined.offset, position(inlined.call))),
    }
}

/// What stands in the way of running an instruction; boxed, for it is rare.
pub(super) type Refused = Box<Diagnostic>;

impl<'m> Decoder<'m> {
    /// Says that something is not run.
    pub(super) fn refused<T>(
        &self,
        span: Span,
        what: impl std::fmt::Display,
    ) -> Result<T, Refused> {
        Err(Box::new(refuse(span, what)))
    }

    pub(super) fn choice(&self, inst: &Inst) -> &'m Choice {
        &self.module.mnemonic(inst.mnemonic).choices[usize::from(inst.choice)]
    }

    fn push(&mut self, guard: Option<(u32, bool)>, op: Op, origin: Origin) {
        self.code.steps.push(Step {
            guard,
            leader: false,
            op,
        });
        self.code.origins.push(origin);
    }

    fn step(&mut self, inst: &Inst, loc: Option<u32>) -> Result<(), Refused> {
        let guard = match inst.guard {
            None => None,
            Some(guard) => match self.names.find(guard.register) {
                Some(Meaning::Register(register)) => Some((register.slot, !guard.negated)),
                // `%is_explicit_cluster` is the one special register that may guard.
                _ => {
                    let slot = self.names.new_register(ScalarType::Pred, 1).slot;
                    let source = Src::Special(crate::special::Special::IsExplicitCluster);
                    let origin = Origin {
                        span: inst.at.0,
                        loc,
                    };
                    let copy = Op::Move(Box::new([(Dst::P(slot), source)]));
                    self.push(None, copy, origin);
                    Some((slot, !guard.negated))
                }
            },
        };
        let op = self.instruction(inst)?;
        let origin = Origin {
            span: inst.at.0,
            loc,
        };
        self.push(guard, op, origin);
        Ok(())
    }

    fn open(&mut self, scope: usize) {
        self.names.enter();
        self.scope = scope;
        self.frame_marks.push(self.frame_used);
    }

    fn close(&mut self) {
        self.names.leave();
        self.scope = self.labels.parent(self.scope);
        if let Some(mark) = self.frame_marks.pop() {
            self.frame_used = mark;
        }
    }

    /// Names of the module: variables and functions.
    fn declare_module(&mut self) {
        for (&name, placed) in &self.layout.variables {
            let element = placed
                .variable(self.module)
                .map_or(1, Variable::element_bytes);
            let space = placed.space(self.module);
            let meaning = Meaning::Fixed(space, placed.address, element);
            self.names.declare(name, meaning);
        }
        for item in &self.module.items {
            match item {
                Item::Variable(variable) if variable.space == Space::Reg => {
                    self.declare_registers(variable);
                }
                Item::Variable(variable) if variable.space == Space::Shared => {
                    if let Some(&at) = self.shared.of_module.get(&variable.name) {
                        let meaning = Meaning::Fixed(
                            address::Space::Shared,
                            u64::from(at),
                            variable.element_bytes(),
                        );
                        self.names.declare(variable.name, meaning);
                    }
                }
                _ => {}
            }
        }
        for (name, number) in self.layout.functions.names() {
            self.names.declare(name, Meaning::Function(number));
        }
        self.names.enter();
    }

    /// Parameters and results.
    fn declare_signature(&mut self) {
        let function = self.function;
        if function.kind == FunctionKind::Entry {
            for param in &function.params {
                let at = self.param_bytes.next_multiple_of(param.alignment().max(1));
                self.param_bytes = at + param.bytes().unwrap_or(0);
                let meaning = Meaning::Fixed(address::Space::Param, at, param.element_bytes());
                self.names.declare(param.name, meaning);
            }
            return;
        }
        self.code.returns = function
            .returns
            .iter()
            .map(|v| self.place(v, true))
            .collect();
        self.code.params = function
            .params
            .iter()
            .map(|v| self.place(v, false))
            .collect();
    }

    fn place(&mut self, variable: &Variable, result: bool) -> Place {
        if variable.space == Space::Reg {
            self.declare_registers(variable);
            let register = match self.names.find(variable.name) {
                Some(Meaning::Register(register)) => register,
                _ => unreachable!("it was declared just now"),
            };
            return if result {
                Place::Value(self.source_of(register, 0))
            } else {
                Place::Register(self.destination_of(register, 0))
            };
        }
        let (at, bytes) = self.allocate(variable);
        Place::Memory(at, bytes)
    }

    /// Room on the stack.
    fn allocate(&mut self, variable: &Variable) -> (u32, u32) {
        let align = variable.alignment().max(1);
        let bytes = layout::size(variable);
        let at = self.frame_used.next_multiple_of(align);
        self.frame_used = at.saturating_add(bytes).min(MAX_FRAME + 1);
        self.code.frame_bytes = self.code.frame_bytes.max(self.frame_used as u32);
        self.code.frame_align = self.code.frame_align.max(align as u32);
        let meaning = Meaning::Stack(at as u32, bytes as u32, variable.element_bytes());
        self.names.declare(variable.name, meaning);
        (at as u32, bytes as u32)
    }

    /// Bytes that belong to nothing.
    fn leave_gap(&mut self) {
        let start = self.frame_used;
        let end = (start + u64::from(LOCAL_GAP)).min(MAX_FRAME + 1);
        self.frame_used = end;
        self.code.frame_bytes = self.code.frame_bytes.max(end as u32);
        self.code.gaps.push((start as u32, end as u32));
    }

    fn declare_registers(&mut self, variable: &Variable) {
        let (ty, vector) = (variable.ty, variable.vector);
        let meaning = match variable.range {
            Some(count) => Meaning::Range(ty, vector, count),
            None => Meaning::Register(self.names.new_register(ty, vector)),
        };
        self.names.declare(variable.name, meaning);
    }

    fn declare(&mut self, variable: &Variable, statement: usize) -> Result<(), Refused> {
        match variable.space {
            Space::Reg => self.declare_registers(variable),
            Space::Shared => {
                let key = (self.function.name, statement);
                let at = self.shared.of_function.get(&key).copied().unwrap_or(0);
                let meaning = Meaning::Fixed(
                    address::Space::Shared,
                    u64::from(at),
                    variable.element_bytes(),
                );
                self.names.declare(variable.name, meaning);
            }
            // Bytes of a scope are used again by the next one: gaps are left in the outermost only.
            Space::Local if self.frame_marks.is_empty() => {
                self.leave_gap();
                self.allocate(variable);
                self.leave_gap();
            }
            Space::Local | Space::Param => {
                self.allocate(variable);
            }
            Space::Global | Space::Const | Space::ConstBank(_) => {
                let key = (self.function.name, statement);
                if let Some(placed) = self.layout.inside.get(&key) {
                    let space = placed.space(self.module);
                    let element = variable.element_bytes();
                    let meaning = Meaning::Fixed(space, placed.address, element);
                    self.names.declare(variable.name, meaning);
                }
            }
            Space::Tex => return self.refused(variable.at.0, "textures"),
        }
        Ok(())
    }

    /// Labels of lists; labels of code are found through [`Labels`].
    fn declare_label(&mut self, symbol: warpc_ptx::symbol::Symbol, index: usize) {
        let list = matches!(
            self.body.statements.get(index + 1),
            Some(
                Statement::BranchTargets(..)
                    | Statement::CallTargets(..)
                    | Statement::CallPrototype(..)
            )
        );
        if list {
            self.names.declare(symbol, Meaning::List);
        }
    }

    /// Statements become steps in all jumps; where jumps go and where they fall through to, a run
    /// of steps begins.
    fn resolve_jumps(&mut self, step_at: &[u32]) {
        let mut leaders = Vec::new();
        for (index, step) in self.code.steps.iter_mut().enumerate() {
            match &mut step.op {
                Op::Branch(target) => {
                    *target = step_at[*target as usize];
                    leaders.push(*target);
                }
                Op::BranchIndexed(_, targets) => {
                    for target in targets.iter_mut() {
                        *target = step_at[*target as usize];
                        leaders.push(*target);
                    }
                }
                // Lanes that waited or called come back one by one.
                Op::Call(_) | Op::Collective(_) | Op::Barrier(_) | Op::ClusterWait(..) => {}
                Op::Return | Op::Exit => {}
                _ => continue,
            }
            leaders.push(index as u32 + 1);
        }
        for leader in leaders {
            if let Some(step) = self.code.steps.get_mut(leader as usize) {
                step.leader = true;
            }
        }
    }
}
