//! Kernels and functions: heads, prototypes, directives, aliases.
//!
//! Rules (as ptxas has them):
//! - a name is a kernel or a device function, defined once; declarations and definition agree in
//!   parameters, linkage, `.noreturn`, `.abi_preserve` and attributes;
//! - what is declared without `.extern` is defined in the module, or is an alias;
//! - several results must be registers; only the last parameter of a device function may be an open
//!   array;
//! - a kernel's parameters take at most 4,352 bytes, or 32,764 from sm_70 on with PTX 8.1;
//! - `.maxntid` excludes `.reqntid`, `.reqnctapercluster` excludes `.maxclusterrank`,
//!   `.blocksareclusters` needs `.reqntid` and `.reqnctapercluster`.

use super::Verifier;
use super::declaration::Place;
use super::names::Meaning;
use crate::directives;
use crate::inst::Int;
use crate::module::{
    Attribute, Function, FunctionDirective, FunctionKind, Linkage, Space, Variable,
};
use crate::symbol::Symbol;
use crate::table::gates::v;
use warpc_diag::{Diagnostic, Span, codes};
use warpc_target::{Gate, at_least};

const SMALL_PARAMS: u64 = 4352;
const LARGE_PARAMS: u64 = 32764;
const LARGE_PARAMS_GATE: Gate = Gate(&[at_least(70, v(8, 1))]);
const ALIAS: Gate = Gate(&[at_least(60, v(6, 3))]);
const UNIFIED: Gate = Gate(&[at_least(90, v(8, 0))]);

impl<'m> Verifier<'m> {
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
            self.error(Diagnostic::error(
                codes::BAD_DIRECTIVE,
                function.at.0,
                message,
            ));
        } else if unified && let Err(error) = self.require(UNIFIED) {
            self.report_gate(error, ".unified", function.at.0);
        }
        if function.linkage == Linkage::Common {
            let message = "`.common` is for variables";
            self.error(Diagnostic::error(
                codes::BAD_DIRECTIVE,
                function.at.0,
                message,
            ));
        }
        if function.linkage == Linkage::Extern && function.body.is_some() {
            let message = format!(
                "`{}` is `.extern` and has a body",
                self.module.name(function.name)
            );
            self.error(
                Diagnostic::error(codes::BAD_DIRECTIVE, function.name_at.0, message)
                    .help("write `.visible`"),
            );
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
                    .related(old.span, "first declared here"),
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
            self.error(Diagnostic::error(codes::BAD_DECLARATION, bad.at.0, message).help(help));
        }
    }

    fn check_parameters(&mut self, function: &Function) {
        let name = |variable: &Variable| self.module.name(variable.name);
        if function.kind == FunctionKind::Func {
            let list = function.params.iter().chain(&function.returns);
            if let Some(bad) = list.clone().find(|variable| name(variable) == "_") {
                let message = "a parameter of a function needs a name";
                self.error(Diagnostic::error(
                    codes::BAD_DECLARATION,
                    bad.name_at.0,
                    message,
                ));
            }
            let open = |variable: &&Variable| matches!(variable.dims.first(), Some(None | Some(0)));
            let before_last = function
                .params
                .split_last()
                .map_or(&[][..], |(_, rest)| rest);
            if let Some(bad) = before_last.iter().find(open) {
                let message = "only the last parameter may be an open array";
                self.error(Diagnostic::error(codes::BAD_DECLARATION, bad.at.0, message));
            }
            return;
        }
        let mut size = 0u64;
        for parameter in &function.params {
            let align = parameter.alignment().max(1);
            size = size
                .next_multiple_of(align)
                .saturating_add(parameter.bytes().unwrap_or(0));
        }
        if size <= SMALL_PARAMS {
            return;
        }
        if let Err(error) = self.require(LARGE_PARAMS_GATE) {
            self.report_gate(
                error,
                &format!("{size} bytes of kernel parameters"),
                function.at.0,
            );
        } else if size > LARGE_PARAMS {
            let message = format!(
                "the kernel has {size} bytes of parameters, at most {LARGE_PARAMS} are possible"
            );
            self.error(
                Diagnostic::error(codes::BAD_DECLARATION, function.at.0, message)
                    .help("pass a pointer to a structure"),
            );
        }
    }

    fn check_function_directives(&mut self, function: &'m Function) {
        let entry = function.kind == FunctionKind::Entry;
        for directive in &function.directives {
            self.check_directive(directive, entry, entry && function.body.is_none());
        }
        if !entry {
            self.check_func_directives(&function.directives, &function.returns);
        }
        for (one, other) in [
            (".maxntid", ".reqntid"),
            (".reqnctapercluster", ".maxclusterrank"),
        ] {
            if has(function, one) && has(function, other) {
                let message = format!("`{one}` and `{other}` exclude each other");
                self.error(Diagnostic::error(
                    codes::BAD_DIRECTIVE,
                    function.at.0,
                    message,
                ));
            }
        }
        if has(function, ".blocksareclusters")
            && !(has(function, ".reqntid") && has(function, ".reqnctapercluster"))
        {
            let message = "`.blocksareclusters` needs `.reqntid` and `.reqnctapercluster`";
            self.error(Diagnostic::error(
                codes::BAD_DIRECTIVE,
                function.at.0,
                message,
            ));
        }
    }

    /// What directives of a device function or prototype mean together: each stands once,
    /// `.noreturn` first, and only where nothing is returned.
    pub(super) fn check_func_directives(
        &mut self,
        list: &[FunctionDirective],
        returns: &[Variable],
    ) {
        for (i, directive) in list.iter().enumerate() {
            let span = directive.at.0;
            if list[..i].iter().any(|other| other.name == directive.name) {
                let message = format!("`{}` is given twice", directive.name);
                self.error(
                    Diagnostic::error(codes::BAD_DIRECTIVE, span, message)
                        .help("leave one of the two"),
                );
                return;
            }
            if directive.name != ".noreturn" {
                continue;
            }
            if i > 0 {
                let message = "`.noreturn` stands before the other directives";
                self.error(
                    Diagnostic::error(codes::BAD_DIRECTIVE, span, message)
                        .help("write it right behind the parameters"),
                );
            }
            if !returns.is_empty() {
                let message = "a function that does not return has no results";
                self.error(
                    Diagnostic::error(codes::BAD_DIRECTIVE, span, message)
                        .help("leave out `.noreturn` or the results"),
                );
            }
        }
    }

    /// A directive by itself.
    pub(super) fn check_directive(
        &mut self,
        directive: &FunctionDirective,
        entry: bool,
        declaration_of_kernel: bool,
    ) {
        let span = directive.at.0;
        let Some(row) = directives::find(directive.name) else {
            return;
        };
        let place = if entry { row.on_entry } else { row.on_func };
        if !place {
            let message = format!(
                "`{}` is for {}",
                row.name,
                if entry { "functions" } else { "kernels" }
            );
            self.error(Diagnostic::error(codes::BAD_DIRECTIVE, span, message));
            return;
        }
        if declaration_of_kernel {
            let message = format!("`{}` belongs to the kernel's definition", row.name);
            self.error(Diagnostic::error(codes::BAD_DIRECTIVE, span, message));
            return;
        }
        if let Err(error) = self.require(row.gate) {
            self.report_gate(error, row.name, span);
            return;
        }
        let count = directive.values.len();
        if !row.strings && !(row.least_values..=row.most_values).contains(&count) {
            let wanted = if row.least_values == row.most_values {
                format!(
                    "{} number{}",
                    row.most_values,
                    if row.most_values == 1 { "" } else { "s" }
                )
            } else {
                format!("{} to {} numbers", row.least_values, row.most_values)
            };
            let message = format!("`{}` takes {wanted}, {count} given", row.name);
            self.error(Diagnostic::error(codes::BAD_DIRECTIVE, span, message));
            return;
        }
        for value in &directive.values {
            let value = value.value();
            if value < i128::from(row.least) || value > i128::from(row.most) {
                let message = format!("{value} is out of range for `{}`", row.name);
                let help = format!("numbers from {} to {}", row.least, row.most);
                self.error(Diagnostic::error(codes::BAD_DIRECTIVE, span, message).help(help));
            }
        }
        self.check_pragma(&directive.strings, span, false);
    }

    /// Pragmas that mean something only inside functions.
    pub(super) fn check_pragma(&mut self, strings: &[String], span: Span, in_body: bool) {
        for string in strings {
            let word = string.split_whitespace().next().unwrap_or("");
            let Some(row) = directives::PRAGMAS.iter().find(|row| row.name == word) else {
                continue;
            };
            if !in_body {
                let message = format!("`.pragma \"{word}\"` stands inside functions");
                self.error(Diagnostic::error(codes::BAD_DIRECTIVE, span, message));
            } else if let Err(error) = self.require(row.gate) {
                self.report_gate(error, word, span);
            } else if let Some(least) = row.least {
                let number = string.split_whitespace().nth(1).and_then(number);
                if number.is_none_or(|number| number < least) {
                    let message = format!("`.pragma \"{word}\"` wants a number");
                    self.error(
                        Diagnostic::error(codes::BAD_DIRECTIVE, span, message)
                            .help(format!("a number from {least} on behind a blank")),
                    );
                }
            }
        }
    }

    /// `.pragma` at module level: only one is known there.
    pub(super) fn check_module_pragma(&mut self, strings: &[String], span: Span) {
        for string in strings {
            if string != "nounroll" {
                let message = format!("`.pragma \"{string}\"` does not stand at module level");
                self.error(
                    Diagnostic::error(codes::BAD_DIRECTIVE, span, message)
                        .help("put it into a function"),
                );
            }
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
            Some(_) => Err(format!("`{}` is no function", self.module.name(symbol))),
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
                self.error(Diagnostic::error(
                    codes::DUPLICATE,
                    span,
                    "this name is an alias already",
                ));
            }
            Ok(()) => {}
            Err(message) => self.error(Diagnostic::error(codes::BAD_DIRECTIVE, span, message)),
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
            self.error(Diagnostic::error(codes::UNDEFINED, function.name_at.0, message).help(help));
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

/// A number of a pragma: hexadecimal digits, with or without `0x`. What does not fit counts as the
/// largest.
fn number(text: &str) -> Option<u64> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    let hex = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_hexdigit());
    hex.then(|| u64::from_str_radix(digits, 16).unwrap_or(u64::MAX))
}

/// The numbers of a directive, if it is given.
fn value_of<'f>(list: &'f [FunctionDirective], name: &str) -> Option<&'f [Int]> {
    let directive = list.iter().find(|directive| directive.name == name)?;
    Some(&directive.values)
}

fn has(function: &Function, directive: &str) -> bool {
    function.directives.iter().any(|d| d.name == directive)
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
