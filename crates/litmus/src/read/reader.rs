//! Tokens one after another, and the names of a test: what all parts of the reader use.

use super::Reader;
use crate::lex::Kind;
use warpc_diag::{Diagnostic, Span, codes};
use warpc_model::axioms::Location;

impl<'s> Reader<'s> {
    pub(crate) fn peek(&self) -> Kind<'s> {
        self.peek_at(0)
    }

    pub(crate) fn peek_at(&self, ahead: usize) -> Kind<'s> {
        let at = (self.at + ahead).min(self.tokens.len() - 1);
        self.tokens[at].kind
    }

    pub(crate) fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    /// Where the token before ends.
    pub(super) fn before(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    pub(crate) fn next(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    pub(crate) fn accept(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Kind::Sign(found) if found == sign);
        if found {
            self.next();
        }
        found
    }

    pub(crate) fn accept_word(&mut self, word: &str) -> bool {
        let found = self.peek() == Kind::Word(word);
        if found {
            self.next();
        }
        found
    }

    pub(crate) fn expect(&mut self, sign: &str, after: &str) -> Option<()> {
        if self.accept(sign) {
            return Some(());
        }
        self.unexpected(&format!("`{sign}` after {after}"));
        None
    }

    pub(crate) fn error(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Reports that something else was expected here.
    pub(crate) fn unexpected(&mut self, wanted: &str) {
        let found = match self.peek() {
            Kind::Word(word) => format!("`{word}`"),
            Kind::Number(number) => format!("`{number}`"),
            Kind::Sign(sign) => format!("`{sign}`"),
            Kind::Quoted => "a text in quotes".to_string(),
            Kind::End => "the end of the test".to_string(),
        };
        let message = format!("found {found}, expected {wanted}");
        self.error(Diagnostic::error(
            codes::LITMUS_SYNTAX,
            self.span(),
            message,
        ));
    }

    pub(crate) fn known_location(&self, name: &str) -> Option<usize> {
        self.test.locations.iter().position(|known| known == name)
    }

    pub(crate) fn unknown_location(&mut self, name: &str, span: Span) {
        let message = format!("no thread accesses `{name}`, and nothing declares it");
        let found = Diagnostic::error(codes::LITMUS_NAME, span, message);
        self.error(found.help("registers are named with their thread, as `P0:r0`"));
    }

    /// A location by name; one that is not known is new memory that holds 0.
    pub(crate) fn location(&mut self, name: &str) -> usize {
        if let Some(known) = self.known_location(name) {
            return known;
        }
        let fresh = self.test.locations.len();
        self.test.locations.push(name.to_string());
        self.test.program.locations.push(Location {
            memory: fresh,
            address: fresh,
            initial: 0,
        });
        fresh
    }

    pub(crate) fn known_register(&self, thread: usize, name: &str) -> Option<usize> {
        self.test.registers[thread]
            .iter()
            .position(|known| known == name)
    }

    /// A register by name; one that is not known is new and holds 0.
    pub(crate) fn register(&mut self, thread: usize, name: &str) -> usize {
        if let Some(known) = self.known_register(thread, name) {
            return known;
        }
        self.test.registers[thread].push(name.to_string());
        self.test.program.threads[thread].registers.push(0);
        self.test.registers[thread].len() - 1
    }

    /// A thread by name.
    pub(crate) fn thread(&mut self, name: &str, span: Span) -> Option<usize> {
        let found = self.test.threads.iter().position(|known| known == name);
        if found.is_none() {
            let message = format!("there is no thread `{name}`");
            let help = format!("threads of this test: {}", self.test.threads.join(", "));
            self.error(Diagnostic::error(codes::LITMUS_NAME, span, message).help(help));
        }
        found
    }
}
