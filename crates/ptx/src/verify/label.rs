//! Labels, lists of targets, and debug directives.
//!
//! Rules: a label is unique in its block, may be used before it stands, and is seen from its block
//! and those inside it; lists of targets and prototypes must stand above their use.

use super::Verifier;
use super::declaration::Place;
use super::names::Meaning;
use crate::inst::At;
use crate::module::{Body, File, Loc, Section, SectionLine, SectionValue, Statement, TargetOption};
use crate::symbol::Symbol;
use crate::types::ScalarType;
use warpc_diag::{Diagnostic, Span, codes};

/// The labels of code, by the block they stand in: the body itself first, then each `{` in order.
pub(super) fn by_block(body: &Body) -> Vec<Vec<(Symbol, At)>> {
    let mut blocks = vec![Vec::new()];
    let mut open = vec![0];
    for (i, statement) in body.statements.iter().enumerate() {
        match statement {
            Statement::Open(_) => {
                open.push(blocks.len());
                blocks.push(Vec::new());
            }
            Statement::Close(_) => {
                open.pop();
            }
            Statement::Label(symbol, at) => {
                let names_list = matches!(
                    body.statements.get(i + 1),
                    Some(
                        Statement::BranchTargets(..)
                            | Statement::CallTargets(..)
                            | Statement::CallPrototype(..)
                    )
                );
                if !names_list && let Some(&block) = open.last() {
                    blocks[block].push((*symbol, *at));
                }
            }
            _ => {}
        }
    }
    blocks
}

impl<'m> Verifier<'m> {
    pub(super) fn declare_labels(&mut self, labels: &[(Symbol, At)]) {
        for &(symbol, at) in labels {
            self.declare_label(symbol, at, Meaning::Label);
        }
    }

    fn declare_label(&mut self, symbol: Symbol, at: At, meaning: Meaning<'m>) {
        if let Some(old) = self.names.declare(symbol, meaning, at.0) {
            let message = format!(
                "`{}` is {} already",
                self.module.name(symbol),
                old.meaning.describe()
            );
            self.error(
                Diagnostic::error(codes::DUPLICATE, at.0, message)
                    .related(old.span, "first declared here"),
            );
        }
    }

    /// `name: .branchtargets …` and its like: `named` is the statement before it.
    pub(super) fn declare_targets(
        &mut self,
        statement: &'m Statement,
        named: Option<&'m Statement>,
    ) {
        let (meaning, at) = match statement {
            Statement::BranchTargets(list, at) => {
                for &(symbol, at) in list.iter() {
                    match self
                        .names
                        .find(symbol)
                        .map(|declaration| declaration.meaning)
                    {
                        Some(Meaning::Label) => {}
                        Some(other) => {
                            let message = format!(
                                "`{}` is {}, a label is wanted",
                                self.module.name(symbol),
                                other.describe()
                            );
                            self.error(Diagnostic::error(codes::WRONG_NAME_KIND, at.0, message));
                        }
                        None => self.report_undefined(symbol, at.0),
                    }
                }
                (Meaning::BranchTargets, at)
            }
            Statement::CallTargets(list, at) => {
                for &(symbol, at) in list.iter() {
                    match self
                        .names
                        .find(symbol)
                        .map(|declaration| declaration.meaning)
                    {
                        Some(Meaning::Function(_)) => {}
                        Some(other) => {
                            let message = format!(
                                "`{}` is {}, a function is wanted",
                                self.module.name(symbol),
                                other.describe()
                            );
                            self.error(Diagnostic::error(codes::WRONG_NAME_KIND, at.0, message));
                        }
                        None => self.report_undefined(symbol, at.0),
                    }
                }
                (Meaning::CallTargets(list), at)
            }
            Statement::CallPrototype(prototype, at) => {
                for variable in prototype.returns.iter().chain(&prototype.params) {
                    self.check_declaration(variable, Place::Prototype);
                }
                self.check_results(&prototype.returns);
                for directive in &prototype.directives {
                    self.check_directive(directive, false, false);
                }
                self.check_func_directives(&prototype.directives, &prototype.returns);
                (Meaning::Prototype(prototype), at)
            }
            _ => return,
        };
        match named {
            Some(Statement::Label(symbol, at)) => self.declare_label(*symbol, *at, meaning),
            _ => {
                let message = "a list of targets or a prototype needs a label";
                self.error(
                    Diagnostic::error(codes::BAD_DIRECTIVE, at.0, message)
                        .help("write `name:` before it"),
                );
            }
        }
    }

    // ---- debug directives ----

    pub(super) fn check_file(&mut self, file: &File) {
        if !self.files.insert(file.index) {
            let message = format!("file number {} is taken", file.index);
            self.error(Diagnostic::error(codes::DUPLICATE, file.at.0, message));
        }
    }

    /// Values of a debug section must fit their size.
    pub(super) fn check_section(&mut self, section: &Section) {
        for line in &section.lines {
            let (ty, values) = match line {
                SectionLine::Label(label) => {
                    self.section_labels.insert(*label);
                    continue;
                }
                SectionLine::Data(ty, values) => (ty, values),
            };
            let (low, high) = match ty {
                ScalarType::B8 => (-128, 255),
                ScalarType::B16 => (-32768, 65535),
                _ => continue,
            };
            for value in values {
                if let SectionValue::Int(int) = value
                    && !(low..=high).contains(&int.value())
                {
                    let message = format!(
                        "{} does not fit into {ty} of section {}",
                        int.value(),
                        section.name
                    );
                    self.error(Diagnostic::error(
                        codes::BAD_DIRECTIVE,
                        section.at.0,
                        message,
                    ));
                    return;
                }
            }
        }
    }

    /// The place an inlined function was called from must itself have been a `.loc`.
    pub(super) fn check_loc(&mut self, loc: &Loc) {
        if let Some(inlined) = &loc.inlined {
            self.inlined.entry(inlined.function).or_insert(loc.at.0);
        }
        if let Some(inlined) = &loc.inlined
            && !self.locations.contains(&inlined.call)
        {
            let (file, line, column) = inlined.call;
            let message =
                format!("`inlined_at {file} {line} {column}` is no place of an earlier `.loc`");
            self.error(Diagnostic::error(codes::BAD_DIRECTIVE, loc.at.0, message));
        }
        self.locations.insert((loc.file, loc.line, loc.column));
    }

    /// At the end: names of inlined functions stand in a debug section, wherever it is.
    pub(super) fn check_inlined(&mut self) {
        let mut missing: Vec<(Symbol, Span)> = std::mem::take(&mut self.inlined)
            .into_iter()
            .filter(|(symbol, _)| !self.section_labels.contains(symbol))
            .collect();
        missing.sort_by_key(|(_, span)| span.start);
        for (symbol, span) in missing {
            let message = format!("`{}` is no label of a `.section`", self.module.name(symbol));
            self.error(
                Diagnostic::error(codes::UNDEFINED, span, message)
                    .help("`function_name` takes a label of a debug section"),
            );
        }
    }

    /// `.target …, debug` promises debug sections.
    pub(super) fn check_debug(&mut self) {
        let promised = self.module.options.contains(&TargetOption::Debug);
        let kept = self.module.items.iter().any(|item| {
            matches!(item, crate::module::Item::Section(section) if section.name.starts_with(".debug_"))
        });
        if promised && !kept {
            let message = "`.target …, debug` promises debug sections, and there are none";
            self.error(
                Diagnostic::error(codes::BAD_DIRECTIVE, self.module.header.target.0, message)
                    .help("leave out `debug`"),
            );
        }
    }
}
