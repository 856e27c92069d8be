//! Kernels and functions: heads, prototypes, aliases.
//!
//! Rules (as ptxas has them):
//! - a name is a kernel or a device function, defined once; declarations and definition agree in
//!   parameters, linkage, `.noreturn`, `.abi_preserve` and attributes;
//! - what is declared without `.extern` is defined in the module, or is an alias;
//! - several results must be registers; only the last parameter of a device function may be an open
//!   array;
//! - a kernel's parameters take at most 4,352 bytes, or 32,764 from sm_70 on with PTX 8.1;
//! - an alias is declared as a function without a body, exactly as the function it stands for,
//!   which is neither a kernel nor `.weak` nor `.extern`;
//! - a function uses tensor memory for one block or for pairs of blocks, not for both.

use super::Verifier;
use super::declaration::Place;
use super::directive::value_of;
use super::memory;
use super::names::Meaning;
use crate::inst::MnemonicId;
use crate::module::{Attribute, Body, Function, FunctionKind, Linkage, Space, Statement, Variable};
use crate::symbol::Symbol;
use crate::table::gates::{UNIFIED, v};
use warpc_diag::{Diagnostic, Span, codes};
use warpc_target::{Gate, at_least};

const SMALL_PARAMS: u64 = 4352;
const LARGE_PARAMS: u64 = 32764;
const LARGE_PARAMS_GATE: Gate = Gate(&[at_least(70, v(8, 1))]);
const ALIAS: Gate = Gate(&[at_least(60, v(6, 3))]);

impl<'m> Verifier<'m> {
    /// All `tcgen05` instructions of a body have the same group of blocks. (Copies of tensors have
    /// a modifier of that name, too; theirs may differ.)
    pub(super) fn check_cta_groups(&mut self, body: &'m Body) {
        let module = self.module;
        let group = |id: MnemonicId| {
            let choice = module.mnemonic(id).choices.first()?;
            (choice.form.form().opcode == "tcgen05").then(|| choice.token("cta_group"))?
        };
        if !module.mnemonics.iter().any(|mnemonic| {
            let first = mnemonic.choices.first();
            first.is_some_and(|choice| choice.form.form().opcode == "tcgen05")
        }) {
            return;
        }
        let mut first = None;
        for statement in &body.statements {
            let Statement::Inst(inst) = statement else {
                continue;
            };
            let Some(group) = group(inst.mnemonic) else {
                continue;
            };
            let first = *first.get_or_insert(group);
            if first != group {
                let span = self.modifier_span(inst, group);
                let message =
                    format!("the function uses `{first}` above, so `{group}` cannot follow");
                let help = "tensor memory belongs to one block or to a pair; use two functions";
                self.refuse(codes::BAD_COMBINATION, span, message, help);
                return;
            }
        }
    }

    /// Everything about a function but its body; makes its name known.
    pub(super) fn function_head(&mut self, function: &'m Function) {
        if function.body.is_some() {
            self.defined.insert(function.name);
        } else if function.linkage != Linkage::Extern {
            self.prototypes.push(function);
        }
        self.check_redeclaration(function);
        self.check_results(&function.returns);
        self.check_parameters(function);
        self.check_function_directives(function);
        let unified = function
            .attributes
            .iter()
            .any(|attribute| matches!(attribute, Attribute::Unified(..)));
        if !function.attributes.is_empty() && (function.kind == FunctionKind::Entry || !unified) {
            let message = "the only attribute of functions is `.unified`, and kernels have none";
            let span = self.word_span(function.at.0, ".attribute");
            self.refuse(codes::BAD_DIRECTIVE, span, message, "leave it out");
        } else if unified && let Err(error) = self.require(UNIFIED) {
            let span = self.word_span(function.at.0, ".unified");
            self.report_gate(error, ".unified", span);
        }
        if function.linkage == Linkage::Common {
            let message = "`.common` is for variables";
            let span = self.word_span(function.at.0, ".common");
            self.refuse(codes::BAD_DIRECTIVE, span, message, "write `.weak`");
        }
        if function.linkage == Linkage::Extern && function.body.is_some() {
            let message = format!(
                "`{}` is `.extern` and has a body",
                self.module.name(function.name)
            );
            let span = function.name_at.0;
            self.refuse(codes::BAD_DIRECTIVE, span, message, "write `.visible`");
        }
    }

    fn check_redeclaration(&mut self, function: &'m Function) {
        let span = function.name_at.0;
        let Some(old) =
            self.names
                .declare_in_module(function.name, Meaning::Function(function), span)
        else {
            return;
        };
        let name = self.module.name(function.name);
        let problem = match old.meaning {
            Meaning::Function(first) => self.disagreement(first, function),
            _ => Some(format!("is {} already", old.meaning.describe())),
        };
        if let Some(problem) = problem {
            let message = format!("`{name}` {problem}");
            self.error(
                Diagnostic::error(codes::DUPLICATE, span, message)
                    .related(old.span, "first declared here")
                    .help("declarations of one function agree, and one of them has a body"),
            );
        }
    }

    /// In what two declarations of one function differ.
    fn disagreement(&self, first: &Function, second: &Function) -> Option<String> {
        if first.kind != second.kind {
            return Some("was declared as the other of kernel and function".to_owned());
        }
        if first.body.is_some() {
            return Some("is defined already".to_owned());
        }
        let linkage_fits = first.linkage == second.linkage
            || (matches!(first.linkage, Linkage::Visible | Linkage::Weak)
                && second.linkage == Linkage::Internal
                && second.body.is_some());
        if !linkage_fits {
            return Some(format!(
                "was declared {}",
                if first.linkage.text().is_empty() {
                    "without linkage".to_owned()
                } else {
                    format!("`{}`", first.linkage.text())
                }
            ));
        }
        for name in [".noreturn", ".abi_preserve", ".abi_preserve_control"] {
            if value_of(&first.directives, name) != value_of(&second.directives, name) {
                return Some(format!("was declared with another `{name}`"));
            }
        }
        if first.attributes != second.attributes {
            return Some("was declared with other attributes".to_owned());
        }
        if !same_parameters(&first.params, &second.params) {
            return Some("was declared with other parameters".to_owned());
        }
        if !same_parameters(&first.returns, &second.returns) {
            return Some("was declared with other results".to_owned());
        }
        None
    }

    pub(super) fn check_results(&mut self, returns: &[Variable]) {
        if returns.len() > 1
            && let Some(bad) = returns.iter().find(|result| result.space != Space::Reg)
        {
            let message = "several results must be registers";
            let help = "return one `.param` array that holds them all";
            self.refuse(codes::BAD_DECLARATION, bad.name_at.0, message, help);
        }
    }

    fn check_parameters(&mut self, function: &Function) {
        let name = |variable: &Variable| self.module.name(variable.name);
        if function.kind == FunctionKind::Func {
            let list = function.params.iter().chain(&function.returns);
            if let Some(bad) = list.clone().find(|variable| name(variable) == "_") {
                let message = "a parameter of a function needs a name";
                let help = "only kernels and prototypes write `_`";
                self.refuse(codes::BAD_DECLARATION, bad.name_at.0, message, help);
            }
            let open = |variable: &&Variable| matches!(variable.dims.first(), Some(None | Some(0)));
            let before_last = function
                .params
                .split_last()
                .map_or(&[][..], |(_, rest)| rest);
            if let Some(bad) = before_last.iter().find(open) {
                let message = "only the last parameter may be an open array";
                let span = bad.name_at.0;
                self.refuse(codes::BAD_DECLARATION, span, message, "give its bound");
            }
            return;
        }
        let size = function.params.iter().fold(0, memory::place);
        if size <= SMALL_PARAMS {
            return;
        }
        if let Err(error) = self.require(LARGE_PARAMS_GATE) {
            let what = format!("{size} bytes of kernel parameters");
            self.report_gate(error, &what, function.name_at.0);
        } else if size > LARGE_PARAMS {
            let message = format!(
                "the kernel has {size} bytes of parameters, at most {LARGE_PARAMS} are possible"
            );
            let help = "pass a pointer to a structure";
            self.refuse(codes::BAD_DECLARATION, function.name_at.0, message, help);
        }
    }

    pub(super) fn check_alias(&mut self, name: Symbol, aliasee: Symbol, span: Span) {
        if let Err(error) = self.require(ALIAS) {
            self.report_gate(error, ".alias", span);
            return;
        }
        let mut find = |symbol: Symbol| match self
            .names
            .find(symbol)
            .map(|declaration| declaration.meaning)
        {
            Some(Meaning::Function(function)) => Ok(function),
            Some(_) => Err(format!("`{}` is not a function", self.module.name(symbol))),
            None => Err(format!("`{}` is not declared", self.module.name(symbol))),
        };
        let checked = find(name).and_then(|new| {
            let old = find(aliasee)?;
            if new.body.is_some() || new.kind == FunctionKind::Entry {
                return Err("an alias is declared as a function without a body".to_owned());
            }
            if old.kind == FunctionKind::Entry {
                return Err("a kernel cannot be aliased".to_owned());
            }
            if matches!(old.linkage, Linkage::Weak | Linkage::Extern) {
                return Err(format!(
                    "a `{}` function cannot be aliased",
                    old.linkage.text()
                ));
            }
            if !same_parameters(&new.params, &old.params)
                || !same_parameters(&new.returns, &old.returns)
            {
                return Err("the alias was declared with other parameters".to_owned());
            }
            Ok(())
        });
        match checked {
            Ok(()) if !self.aliases.insert(name) => {
                let message = format!("`{}` is an alias already", self.module.name(name));
                self.refuse(codes::DUPLICATE, span, message, "leave one of the two");
            }
            Ok(()) => {}
            Err(message) => {
                let help = "`.alias new, old;` names two functions declared alike, the new one without a body";
                self.refuse(codes::BAD_DIRECTIVE, span, message, help);
            }
        }
    }

    /// At the end: functions that were declared here and never defined.
    pub(super) fn check_definitions(&mut self) {
        for function in std::mem::take(&mut self.prototypes) {
            if self.aliases.contains(&function.name) || !self.defined.insert(function.name) {
                continue;
            }
            let message = format!(
                "`{}` is declared but not defined",
                self.module.name(function.name)
            );
            let help = "declare it `.extern` if it is defined in another module";
            self.refuse(codes::UNDEFINED, function.name_at.0, message, help);
        }
    }

    pub(super) fn declare_parameters(&mut self, function: &'m Function) {
        for variable in &function.returns {
            self.declare_variable(variable, Place::FuncReturn);
        }
        let place = match function.kind {
            FunctionKind::Entry => Place::EntryParam,
            FunctionKind::Func => Place::FuncParam,
        };
        for variable in &function.params {
            self.declare_variable(variable, place);
        }
    }
}

/// Whether two parameter lists agree in all but the names.
pub(super) fn same_parameters(a: &[Variable], b: &[Variable]) -> bool {
    a.len() == b.len()
        && a.iter().zip(b).all(|(a, b)| {
            a.ty == b.ty
                && a.vector == b.vector
                && a.dims == b.dims
                && a.space == b.space
                && a.alignment() == b.alignment()
        })
}
