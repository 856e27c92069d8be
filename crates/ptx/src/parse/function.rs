//! Kernels and functions: heads, parameter lists, directives.

use super::{Parse, Parser, shorten};
use crate::directives;
use crate::inst::{At, Int};
use crate::lex::TokenKind;
use crate::module::{Function, FunctionDirective, FunctionKind, Linkage, Prototype, Variable};
use warpc_diag::{Span, codes};

impl Parser<'_> {
    /// `.entry name (params) directives { body }`, `.func (returns) name (params) directives ;`
    pub(super) fn function(&mut self, linkage: Linkage, start: Span) -> Parse<Function> {
        let mut function = self.function_head(linkage, start)?;
        if self.token.is(b'{') {
            function.body = Some(self.body()?);
        } else if !self.eat(b';') {
            return Err(self.unexpected("`{`, `;` or a directive such as `.maxntid`"));
        }
        Ok(function)
    }

    /// Everything before the body or semicolon.
    pub(super) fn function_head(&mut self, linkage: Linkage, start: Span) -> Parse<Function> {
        let kind = if self.text() == ".entry" {
            FunctionKind::Entry
        } else {
            FunctionKind::Func
        };
        self.advance();
        let mut attributes = Vec::new();
        if self.text() == ".attribute" {
            self.advance();
            attributes = self.attributes()?;
        }
        let returns = if kind == FunctionKind::Func && self.token.is(b'(') {
            self.parameters()?
        } else {
            Vec::new()
        };
        let (name, name_span) = self.expect_name("a function's name")?;
        let has_param_list = self.token.is(b'(');
        let params = if has_param_list {
            self.parameters()?
        } else {
            Vec::new()
        };
        let directives = self.function_directives()?;
        let at = At(self.since(start));
        Ok(Function {
            kind,
            linkage,
            attributes,
            name,
            returns,
            params,
            has_param_list,
            directives,
            body: None,
            at,
            name_at: At(name_span),
        })
    }

    /// `(param, param)`
    pub(super) fn parameters(&mut self) -> Parse<Vec<Variable>> {
        self.expect(b'(')?;
        let mut list = Vec::new();
        if self.eat(b')') {
            return Ok(list);
        }
        loop {
            list.push(self.parameter()?);
            if self.eat(b')') {
                return Ok(list);
            }
            self.expect(b',')?;
        }
    }

    /// `.maxntid 128, 1, 1 .minnctapersm 2 .pragma "x";`
    pub(super) fn function_directives(&mut self) -> Parse<Vec<FunctionDirective>> {
        let mut list = Vec::new();
        while self.token.kind == TokenKind::Dotted {
            let start = self.token.span;
            let text = self.text();
            let Some(row) = directives::find(text) else {
                let message = format!("there is no directive `{}` for functions", shorten(text));
                let names = directives::ROWS.iter().map(|row| row.name);
                let help = match crate::suggest::nearest(text, names) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "directives between the parameters and the body are .maxntid, .reqntid, .minnctapersm and their like".to_owned(),
                };
                return Err(self.fail(codes::BAD_DIRECTIVE, start, message, help));
            };
            self.advance();
            let mut directive = FunctionDirective {
                name: row.name,
                values: Vec::new(),
                strings: Vec::new(),
                at: At(start),
            };
            if row.strings {
                directive.strings = self.strings()?;
                // Between head and body the semicolon ends the directive, not the function.
                self.expect(b';')?;
            } else if row.most_values > 0 {
                loop {
                    directive.values.push(Int {
                        bits: self.unsigned()?,
                        unsigned: false,
                        hex: false,
                    });
                    if !self.eat(b',') {
                        break;
                    }
                }
            }
            directive.at = At(self.since(start));
            list.push(directive);
        }
        Ok(list)
    }

    /// `(returns) _ (params) .noreturn`
    pub(super) fn prototype(&mut self) -> Parse<Prototype> {
        let returns = if self.token.is(b'(') {
            self.parameters()?
        } else {
            Vec::new()
        };
        let (_, span) = self.expect_ident("`_`")?;
        if self.lexer.text(span) != "_" {
            let message = "a prototype has no name";
            return Err(self.fail(codes::SYNTAX, span, message, "write `_` in its place"));
        }
        let params = if self.token.is(b'(') {
            self.parameters()?
        } else {
            Vec::new()
        };
        let directives = self.function_directives()?;
        Ok(Prototype {
            returns,
            params,
            directives,
        })
    }
}
