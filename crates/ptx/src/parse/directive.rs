//! Directives of modules and bodies that declare nothing.

use super::{Parse, Parser, shorten};
use crate::inst::At;
use crate::lex::TokenKind;
use crate::module::{Alias, File, Function, Inlined, Item, Linkage, Loc, Statement};
use crate::symbol::Symbol;
use warpc_diag::{Span, codes};

/// More targets than a list of numbered labels stands for in any real program.
const MAX_NUMBERED: u64 = 4096;

impl Parser<'_> {
    /// A directive at module level.
    pub(super) fn module_directive(&mut self) -> Parse<Option<Item>> {
        let start = self.token.span;
        let text = self.text();
        match text {
            ".alias" => Ok(Some(Item::Alias(self.alias()?))),
            ".file" => Ok(Some(Item::File(self.file()?))),
            ".section" => Ok(Some(Item::Section(self.section()?))),
            ".pragma" => {
                self.advance();
                let strings = self.strings()?;
                self.expect(b';')?;
                Ok(Some(Item::Pragma(strings, At(self.since(start)))))
            }
            ".version" | ".target" | ".address_size" => {
                let message = format!("`{text}` stands only at the top of a module");
                let help = "the order is .version, .target, .address_size, each once";
                Err(self.fail(codes::BAD_DIRECTIVE, start, message, help))
            }
            _ => {
                let known = [
                    ".entry", ".func", ".global", ".const", ".shared", ".visible", ".extern",
                    ".weak", ".file", ".section", ".alias", ".pragma",
                ];
                let message = format!("there is no directive `{}` at module level", shorten(text));
                let help = match crate::suggest::nearest(text, known) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "functions, variables, .file, .section, .alias and .pragma stand here"
                        .to_owned(),
                };
                Err(self.fail(codes::BAD_DIRECTIVE, start, message, help))
            }
        }
    }

    /// `.alias name, aliasee;`
    fn alias(&mut self) -> Parse<Alias> {
        let start = self.token.span;
        self.advance();
        let (name, _) = self.expect_ident("the new name")?;
        self.expect(b',')?;
        let (aliasee, _) = self.expect_ident("a function")?;
        self.expect(b';')?;
        Ok(Alias {
            name,
            aliasee,
            at: At(self.since(start)),
        })
    }

    /// `.extern .func f(…);` inside a body: a prototype, never a definition.
    fn inner_prototype(&mut self) -> Parse<Function> {
        let start = self.token.span;
        let linkage = self.linkage()?;
        if self.text() != ".func" {
            return Err(self.unexpected("`.func`"));
        }
        let function = self.function_head(linkage, start)?;
        self.expect(b';')?;
        Ok(function)
    }

    /// A directive inside a body.
    pub(super) fn body_directive(&mut self) -> Parse<()> {
        let start = self.token.span;
        let text = self.text();
        let statement = match text {
            ".const" | ".global" | ".local" | ".param" | ".reg" | ".shared" | ".tex" | ".align"
            | ".attribute" => {
                let list = self.variables(Linkage::Internal, start)?;
                self.body
                    .statements
                    .extend(list.into_iter().map(|v| Statement::Variable(Box::new(v))));
                return Ok(());
            }
            ".func" | ".extern" | ".visible" | ".weak" => {
                Statement::Function(Box::new(self.inner_prototype()?))
            }
            ".alias" => Statement::Alias(Box::new(self.alias()?)),
            ".loc" => Statement::Loc(Box::new(self.loc()?)),
            ".pragma" => {
                self.advance();
                let strings = self.strings()?;
                self.expect(b';')?;
                Statement::Pragma(Box::new(strings), At(self.since(start)))
            }
            ".branchtargets" | ".calltargets" => {
                self.advance();
                let list = self.name_list()?;
                self.expect(b';')?;
                let at = At(self.since(start));
                if text == ".branchtargets" {
                    Statement::BranchTargets(Box::new(list), at)
                } else {
                    Statement::CallTargets(Box::new(list), at)
                }
            }
            ".callprototype" => {
                self.advance();
                let prototype = self.prototype()?;
                self.expect(b';')?;
                Statement::CallPrototype(Box::new(prototype), At(self.since(start)))
            }
            _ => {
                let known = [
                    ".reg",
                    ".local",
                    ".shared",
                    ".param",
                    ".global",
                    ".const",
                    ".loc",
                    ".pragma",
                    ".branchtargets",
                    ".calltargets",
                    ".callprototype",
                ];
                let message = format!("there is no directive `{}` inside functions", shorten(text));
                let help = match crate::suggest::nearest(text, known) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "inside functions stand declarations, .loc, .pragma, .branchtargets, .calltargets and .callprototype".to_owned(),
                };
                return Err(self.fail(codes::BAD_DIRECTIVE, start, message, help));
            }
        };
        self.body.statements.push(statement);
        Ok(())
    }

    fn name_list(&mut self) -> Parse<Vec<(Symbol, At)>> {
        let mut list = Vec::new();
        loop {
            if self.token.kind != TokenKind::Ident {
                return Err(self.unexpected("a name"));
            }
            let name = self.advance().span;
            if self.eat(b'<') {
                self.numbered_names(name, &mut list)?;
            } else {
                list.push((self.intern(name), At(name)));
            }
            if !self.eat(b',') {
                return Ok(list);
            }
        }
    }

    /// `L<3>` in a list: `L0`, `L1` and `L2`.
    fn numbered_names(&mut self, prefix: Span, list: &mut Vec<(Symbol, At)>) -> Parse<()> {
        let count_span = self.token.span;
        let count = self.unsigned()?;
        self.expect(b'>')?;
        if count > MAX_NUMBERED {
            let message = format!("more than {MAX_NUMBERED} names in a list");
            let help = "write a smaller number";
            return Err(self.fail(codes::BAD_DIRECTIVE, count_span, message, help));
        }
        let prefix_text = self.lexer.text(prefix);
        for i in 0..count {
            let symbol = self.module.symbols.intern(&format!("{prefix_text}{i}"));
            list.push((symbol, At(prefix)));
        }
        Ok(())
    }

    /// `"a", "b"`
    pub(super) fn strings(&mut self) -> Parse<Vec<String>> {
        let mut list = Vec::new();
        loop {
            list.push(self.string()?);
            if !self.eat(b',') {
                return Ok(list);
            }
        }
    }

    /// The text between the quotes, escapes as they are written.
    pub(super) fn string(&mut self) -> Parse<String> {
        if self.token.kind != TokenKind::Str {
            return Err(self.unexpected("a string"));
        }
        let bytes = self.lexer.slice(self.token.span);
        self.advance();
        Ok(String::from_utf8_lossy(&bytes[1..bytes.len() - 1]).into_owned())
    }

    /// `.file 1 "a.cu"` with, perhaps, `, time, size`
    fn file(&mut self) -> Parse<File> {
        let start = self.token.span;
        self.advance();
        let index = self.word()?;
        let name = self.string()?;
        let (mut time, mut size) = (None, None);
        if self.eat(b',') {
            time = Some(self.unsigned()?);
            if self.eat(b',') {
                size = Some(self.unsigned()?);
            }
        }
        Ok(File {
            index,
            name,
            time,
            size,
            at: At(self.since(start)),
        })
    }

    /// `.loc 1 2 3`, `.loc 1 2 3, function_name $L+4, inlined_at 1 5 6`
    fn loc(&mut self) -> Parse<Loc> {
        let start = self.token.span;
        self.advance();
        let (file, line, column) = self.place()?;
        let mut inlined = None;
        if self.eat(b',') {
            self.keyword("function_name")?;
            let (function, _) = self.expect_ident("a label of a debug section")?;
            let offset = if self.eat(b'+') {
                self.literal()?.bits as i64
            } else {
                0
            };
            self.expect(b',')?;
            self.keyword("inlined_at")?;
            inlined = Some(Inlined {
                function,
                offset,
                call: self.place()?,
            });
        }
        Ok(Loc {
            file,
            line,
            column,
            inlined,
            at: At(self.since(start)),
        })
    }

    fn keyword(&mut self, wanted: &str) -> Parse<()> {
        if self.text() == wanted {
            self.advance();
            return Ok(());
        }
        Err(self.unexpected(&format!("`{wanted}`")))
    }

    fn place(&mut self) -> Parse<(u64, u64, u64)> {
        Ok((self.word()?, self.word()?, self.word()?))
    }
}
