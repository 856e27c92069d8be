//! Labels, and lists of targets.
//!
//! Rules: a label is unique in its block, may be used before it stands, and is seen from its block
//! and those inside it; lists of targets and prototypes must stand above their use.

use super::Verifier;
use super::declaration::Place;
use super::names::Meaning;
use crate::inst::At;
use crate::module::{Body, Statement};
use crate::symbol::Symbol;
use warpc_diag::{Diagnostic, codes};

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
                    .related(old.span, "first declared here")
                    .help("choose another name"),
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
                self.check_targets(list, |meaning| matches!(meaning, Meaning::Label), "a label");
                (Meaning::BranchTargets, at)
            }
            Statement::CallTargets(list, at) => {
                let function = |meaning: &Meaning<'m>| matches!(meaning, Meaning::Function(_));
                self.check_targets(list, function, "a function");
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
                self.refuse(
                    codes::BAD_DIRECTIVE,
                    at.0,
                    message,
                    "write `name:` before it",
                );
            }
        }
    }

    fn check_targets(
        &mut self,
        list: &[(Symbol, At)],
        fits: impl Fn(&Meaning<'m>) -> bool,
        wanted: &str,
    ) {
        for &(symbol, at) in list {
            match self.names.find(symbol) {
                None => self.report_undefined(symbol, at.0),
                Some(found) if !fits(&found.meaning) => {
                    self.report_not(symbol, &found, at.0, wanted)
                }
                Some(_) => {}
            }
        }
    }
}
