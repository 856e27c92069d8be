//! What PTX does not allow, in a module that was read.
//!
//! | file | checks |
//! |---|---|
//! | `gate` | forms, modifiers and directives against target and version |
//! | `names` | what names stand for, scope by scope |
//! | `declaration`, `initializer` | variables, registers, parameters and their values |
//! | `function`, `directive` | heads of kernels and functions, and their directives |
//! | `label` | labels, lists of targets |
//! | `debug` | files, places, debug sections |
//! | `memory` | how much constant and shared memory there is |
//! | `operand`, `typing`, `address` | operands of instructions |
//! | `call`, `param` | branches, calls, their targets and parameters |
//!
//! One walk over the module in order, as ptxas does it, because names must be declared before they
//! are used. Everything that depends on an opcode and its modifiers alone is worked out once for
//! each distinct mnemonic ([`prepare`]).

mod address;
mod call;
mod constant;
mod debug;
mod declaration;
mod directive;
mod function;
mod gate;
mod initializer;
mod label;
mod memory;
mod names;
mod operand;
mod param;
mod prepare;
mod typing;
mod vector;

use crate::form::{Mapping, map_operands};
use crate::inst::{Choice, Guard, Inst};
use crate::module::{Body, Function, Item, Module, Statement, TargetOption};
use crate::row::{Effects, Typing};
use crate::rule::RuleView;
use crate::sreg;
use crate::symbol::Symbol;
use crate::types::ScalarType;
use declaration::Place;
use names::{Meaning, Names};
use operand::Check;
use prepare::{Fault, Prepared};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{Cell, RefCell};
use warpc_diag::{Code, Diagnostic, Diagnostics, SourceFile, Span, codes};
use warpc_target::{PtxVersion, Sm, Unavailable};

/// Checks a module. The source, if there is one, makes the places in the messages exact.
///
/// ```
/// let text = ".version 8.0\n.target sm_80\n.address_size 64\n.entry k() { fence.sc.cluster; ret; }";
/// let file = warpc_diag::SourceFile::new("k.ptx", text).unwrap();
/// let parsed = warpc_ptx::parse(&file);
/// let diagnostics = warpc_ptx::verify(parsed.value.as_ref().unwrap(), Some(&file));
/// assert!(diagnostics.has_errors(), "clusters need sm_90");
/// ```
pub fn verify(module: &Module, source: Option<&SourceFile>) -> Diagnostics {
    verify_choices(module, source).0
}

/// Checks a module, and says for each instruction, in order, which choice of its mnemonic it is: where
/// forms look alike, only the types of the operands tell.
pub(crate) fn verify_choices(
    module: &Module,
    source: Option<&SourceFile>,
) -> (Diagnostics, Vec<u8>) {
    let mut verifier = Verifier::new(module, source, module.sm, module.version);
    verifier.module();
    verifier.diagnostics.sort_by_place();
    (verifier.diagnostics, verifier.choices)
}

impl Module {
    /// The lowest `.version` that has everything the module uses, for a target; `None` if no version
    /// has it for that target, or the module is wrong.
    ///
    /// ```
    /// let text = ".version 9.0\n.target sm_90\n.address_size 64\n.entry k() { fence.sc.cluster; ret; }";
    /// let file = warpc_diag::SourceFile::new("k.ptx", text).unwrap();
    /// let module = warpc_ptx::parse(&file).unwrap();
    /// assert_eq!(module.required_version("sm_90".parse().unwrap()).unwrap().to_string(), "7.8");
    /// assert_eq!(module.required_version("sm_80".parse().unwrap()), None);
    /// ```
    pub fn required_version(&self, sm: Sm) -> Option<PtxVersion> {
        let mut verifier = Verifier::new(self, None, sm, PtxVersion::LATEST);
        verifier.any_version = true;
        verifier.module();
        let there = verifier.gone.is_none_or(|gone| verifier.required < gone);
        (!verifier.diagnostics.has_errors() && there).then_some(verifier.required)
    }
}

/// Whether a register may be used where the instruction's type is wanted.
pub(crate) fn register_fits(register: ScalarType, wanted: ScalarType, typing: Typing) -> bool {
    typing::fits(register, wanted, typing::Origin::Instruction, typing)
}

struct Verifier<'m> {
    module: &'m Module,
    source: Option<&'m SourceFile>,
    sm: Sm,
    version: PtxVersion,
    names: Names<'m>,
    /// For each mnemonic its choices, made ready.
    prepared: Vec<Vec<Prepared>>,
    /// Numbers that `.file` took.
    files: FxHashSet<u64>,
    /// Labels of debug sections.
    section_labels: FxHashSet<Symbol>,
    /// Names of inlined functions, with the first `.loc` that has them.
    inlined: FxHashMap<Symbol, Span>,
    /// Places that a `.loc` named.
    locations: FxHashSet<(u64, u64, u64)>,
    /// Names that `.alias` gave a meaning.
    aliases: FxHashSet<Symbol>,
    /// Functions with a body.
    defined: FxHashSet<Symbol>,
    /// Functions that were declared, and must be defined somewhere in the module.
    prototypes: Vec<&'m Function>,
    /// `.param` variables of the body that a call above returned into.
    returned: FxHashSet<(Symbol, Span)>,
    /// Whether the instruction at hand hangs on a predicate.
    guarded: bool,
    /// How much memory the module takes.
    memory: memory::Memory<'m>,
    /// The lowest version that has all that was met so far.
    required: PtxVersion,
    /// The version from which on something that was met is gone.
    gone: Option<PtxVersion>,
    /// Whether the lowest version is looked for, whatever the module says.
    any_version: bool,
    /// For each instruction the choice that its operands fit.
    choices: Vec<u8>,
    diagnostics: Diagnostics,
}

impl<'m> Verifier<'m> {
    fn new(
        module: &'m Module,
        source: Option<&'m SourceFile>,
        sm: Sm,
        version: PtxVersion,
    ) -> Verifier<'m> {
        Verifier {
            module,
            source,
            sm,
            version,
            names: Names::new(&module.symbols),
            prepared: module
                .mnemonics
                .iter()
                .map(|m| prepare::prepare(m, sm, version))
                .collect(),
            files: FxHashSet::default(),
            section_labels: FxHashSet::default(),
            inlined: FxHashMap::default(),
            locations: FxHashSet::default(),
            aliases: FxHashSet::default(),
            defined: FxHashSet::default(),
            prototypes: Vec::new(),
            returned: FxHashSet::default(),
            guarded: false,
            memory: memory::Memory::default(),
            required: sm.first_version(),
            gone: None,
            any_version: false,
            choices: Vec::new(),
            diagnostics: Diagnostics::new(),
        }
    }

    fn module(&mut self) {
        self.check_header();
        for item in &self.module.items {
            match item {
                Item::Function(function) => self.function(function),
                Item::Variable(variable) => self.declare_variable(variable, Place::Module),
                Item::Alias(alias) => self.check_alias(alias.name, alias.aliasee, alias.at.0),
                Item::Pragma(strings, at) => self.check_module_pragma(strings, at.0),
                Item::File(file) => self.check_file(file),
                Item::Section(section) => self.check_section(section),
            }
            if self.diagnostics.is_full() {
                return;
            }
        }
        self.check_definitions();
        self.check_inlined();
        self.check_debug();
        self.check_shared();
    }

    fn function(&mut self, function: &'m Function) {
        self.function_head(function);
        self.names.enter();
        self.declare_parameters(function);
        if let Some(body) = &function.body {
            self.returned.clear();
            self.body(body);
            self.check_cta_groups(body);
        }
        // A body with unbalanced braces was not read without errors, but stay safe.
        while self.names.depth() > 0 {
            self.names.leave();
        }
    }

    fn body(&mut self, body: &'m Body) {
        let labels = label::by_block(body);
        let mut block = 0;
        self.declare_labels(&labels[block]);
        for (i, statement) in body.statements.iter().enumerate() {
            match statement {
                Statement::Inst(inst) => self.inst(body, inst),
                Statement::Open(_) => {
                    block += 1;
                    self.names.enter();
                    self.declare_labels(&labels[block]);
                }
                Statement::Close(_) => self.names.leave(),
                Statement::Variable(variable) => self.declare_variable(variable, Place::Body),
                Statement::Pragma(strings, at) => self.check_pragma(strings, at.0, true),
                Statement::BranchTargets(..)
                | Statement::CallTargets(..)
                | Statement::CallPrototype(..) => {
                    let named = i.checked_sub(1).map(|i| &body.statements[i]);
                    self.declare_targets(statement, named);
                }
                Statement::Function(function) => {
                    self.function_head(function);
                    self.names.enter();
                    self.declare_parameters(function);
                    self.names.leave();
                }
                Statement::Alias(alias) => self.check_alias(alias.name, alias.aliasee, alias.at.0),
                Statement::Loc(loc) => self.check_loc(loc),
                Statement::Label(..) => {}
            }
            if self.diagnostics.is_full() {
                break;
            }
        }
    }

    fn inst(&mut self, body: &'m Body, inst: &'m Inst) {
        self.guarded = inst.guard.is_some();
        if let Some(guard) = &inst.guard {
            self.check_guard(guard);
        }
        let choice = self.check_choices(body, inst);
        self.choices.push(choice);
    }

    /// The first choice that the operands fit by type, starting with the one they look like.
    fn check_choices(&mut self, body: &'m Body, inst: &'m Inst) -> u8 {
        let (mark, required, gone) = (self.diagnostics.mark(), self.required, self.gone);
        let errors = self.diagnostics.error_count();
        self.check_choice(body, inst, inst.choice);
        let choices = &self.module.mnemonic(inst.mnemonic).choices;
        if self.diagnostics.error_count() == errors || choices.len() == 1 {
            return inst.choice;
        }
        // Forms that look alike and differ in types: any of them will do. If none does, the one
        // that was chosen by looks says what is wrong.
        for (other, choice) in choices.iter().enumerate() {
            if other == usize::from(inst.choice)
                || map_operands(choice, &body.operands, inst.operands).is_err()
            {
                continue;
            }
            self.diagnostics.rewind(mark);
            (self.required, self.gone) = (required, gone);
            self.check_choice(body, inst, other as u8);
            if self.diagnostics.error_count() == errors {
                return other as u8;
            }
        }
        self.diagnostics.rewind(mark);
        self.check_choice(body, inst, inst.choice);
        inst.choice
    }

    /// An instruction against one form of its mnemonic.
    fn check_choice(&mut self, body: &'m Body, inst: &'m Inst, choice: u8) {
        let number = usize::from(choice);
        let choice = &self.module.mnemonic(inst.mnemonic).choices[number];
        let prepared = &self.prepared[inst.mnemonic.0 as usize][number];
        self.required = self.required.max(prepared.required);
        self.gone = [self.gone, prepared.gone].into_iter().flatten().min();
        let excused = self.any_version
            && matches!(prepared.fault, Some(Fault::Form(Unavailable::Removed(_))));
        if let Some(fault) = prepared.fault
            && !excused
        {
            self.report_fault(fault, inst, choice);
            return;
        }
        let Ok(mapping) = map_operands(choice, &body.operands, inst.operands) else {
            let message = "the operands do not fit the form chosen for them";
            self.error(Diagnostic::error(codes::INTERNAL, inst.at.0, message));
            return;
        };
        let form = choice.form.form();
        for (i, index) in mapping.iter().enumerate() {
            if let Some(index) = *index {
                let want = self.prepared[inst.mnemonic.0 as usize][number].wants[i];
                let check = Check {
                    form,
                    spec: &form.operands[i],
                    want,
                    index: index as usize,
                };
                self.check_operand(body, &check);
            }
        }
        if form.row.effects.contains(Effects::CONTROL) {
            self.check_control(body, form, &mapping);
        }
        self.check_rule(body, inst, choice, &mapping);
    }

    fn check_guard(&mut self, guard: &Guard) {
        let span = guard.at.0;
        match self
            .names
            .find(guard.register)
            .map(|declaration| (declaration.meaning, declaration.span))
        {
            None => match sreg::find(self.module.name(guard.register), "") {
                Some(found) if found.row.types == [ScalarType::Pred] => {
                    if let Err(error) = self.require(found.row.gate) {
                        self.report_gate(error, found.row.name, span);
                    }
                }
                _ => self.report_undefined(guard.register, span),
            },
            Some((
                Meaning::Register {
                    ty: ScalarType::Pred,
                    vector: 1,
                },
                _,
            )) => {}
            Some((_, declared)) => {
                let message = format!("`{}` is not a predicate", self.module.name(guard.register));
                self.error(
                    Diagnostic::error(codes::WRONG_TYPE, span, message)
                        .related(declared, "declared here")
                        .help("a guard is a register of type .pred"),
                );
            }
        }
    }

    fn check_rule(&mut self, body: &Body, inst: &Inst, choice: &Choice, mapping: &Mapping) {
        let form = choice.form.form();
        let Some(rule) = form.row.rule else {
            return;
        };
        let names = RefCell::new(&mut self.names);
        let register = |symbol| match names.borrow_mut().find(symbol)?.meaning {
            Meaning::Register { ty, .. } => Some(ty),
            _ => None,
        };
        let view = RuleView {
            form,
            choice,
            body,
            operands: mapping,
            sm: self.sm,
            version: self.version,
            independent: self
                .module
                .options
                .contains(&TargetOption::TexmodeIndependent),
            register: &register,
            required: Cell::new(self.required),
            gone: Cell::new(self.gone),
            any_version: self.any_version,
        };
        let outcome = rule(&view);
        self.required = view.required.get();
        self.gone = view.gone.get();
        if let Err(violation) = outcome {
            let operand = violation.operand.and_then(|name| {
                let i = form.operands.iter().position(|spec| spec.name == name)?;
                mapping[i]
            });
            let (code, span) = match operand {
                Some(index) => (codes::WRONG_OPERANDS, body.operand_span(index as usize)),
                None => (codes::BAD_COMBINATION, self.mnemonic_span(inst)),
            };
            let mut diagnostic = Diagnostic::error(code, span, violation.message);
            diagnostic.help = violation
                .help
                .or_else(|| Some(format!("the form is `{}`", form.row.syntax)));
            self.error(diagnostic);
        }
    }

    fn error(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Reports what is wrong at a place, and what would be right.
    fn refuse(
        &mut self,
        code: Code,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.error(Diagnostic::error(code, span, message).help(help));
    }

    /// A word of the source inside a span, the last if there are several: the whole span if there
    /// is not a source or no such word.
    fn word_span(&self, within: Span, word: &str) -> Span {
        let Some(source) = self.source else {
            return within;
        };
        let bytes = source.slice(within);
        let ends = |i: usize| {
            !bytes
                .get(i + word.len())
                .is_some_and(|&b| crate::lex::is_ident_byte(b) || b == b':')
        };
        match memchr::memmem::find_iter(bytes, word)
            .filter(|&i| ends(i))
            .last()
        {
            Some(i) => {
                let start = within.start + i as u32;
                Span::new(start, start + word.len() as u32)
            }
            None => within,
        }
    }

    /// The opcode and modifiers of an instruction.
    fn mnemonic_span(&self, inst: &Inst) -> Span {
        let span = inst.at.0;
        let Some(source) = self.source else {
            return span;
        };
        let bytes = source.slice(span);
        let len = bytes
            .iter()
            .position(|b| b.is_ascii_whitespace() || *b == b';')
            .unwrap_or(bytes.len());
        Span::new(span.start, span.start + len as u32)
    }

    /// A modifier of an instruction: the whole mnemonic if it cannot be found.
    fn modifier_span(&self, inst: &Inst, token: &str) -> Span {
        self.word_span(self.mnemonic_span(inst), token)
    }
}
