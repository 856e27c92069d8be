//! Attributes.

use super::{Parse, Parser};
use crate::number;
use crate::tree::{Attr, Attrs, Entry};
use crate::types::Type;
use std::rc::Rc;
use warpc_diag::{Span, codes};

impl<'a> Parser<'a> {
    /// An attribute, with its type if one stands after it.
    pub(super) fn attr(&mut self) -> Parse<Attr<'a>> {
        self.deeper(|parser| parser.any_attr(true))
    }

    /// An attribute; a `:` after it belongs to somebody else.
    pub(super) fn bare_attr(&mut self) -> Parse<Attr<'a>> {
        self.deeper(|parser| parser.any_attr(false))
    }

    fn any_attr(&mut self, typed: bool) -> Parse<Attr<'a>> {
        match self.scan.peek() {
            b'"' => {
                let Some(bytes) = self.scan.string() else {
                    return self.fail("a string that ends, with escapes that exist");
                };
                if typed && self.scan.eat(":") {
                    self.ty()?;
                }
                Ok(Attr::String(bytes.into()))
            }
            b'@' => self.symbol(),
            b'[' => {
                self.want("[")?;
                Ok(Attr::Array(self.list("]", Parser::attr)?))
            }
            b'{' => Ok(Attr::Dict(self.dict()?)),
            b'#' => self.dialect_attr(),
            b'<' => {
                self.want("<")?;
                let body = self.raw()?;
                Ok(Attr::Dialect("", body))
            }
            b'!' | b'(' => Ok(Attr::Type(self.ty()?)),
            b'-' | b'0'..=b'9' => self.number(typed),
            _ => self.word_attr(typed),
        }
    }

    /// `{a, b = 1}`
    pub(super) fn dict(&mut self) -> Parse<Attrs<'a>> {
        self.want("{")?;
        let entries = self.list("}", |parser| {
            let start = parser.scan.place() as u32;
            let name = match parser.scan.string() {
                Some(bytes) => String::from_utf8_lossy(&bytes).into(),
                None => match parser.scan.word() {
                    Some(word) => Rc::from(word),
                    None => return parser.fail("the name of an attribute"),
                },
            };
            let span = Some(Span::new(start, parser.scan.pos() as u32));
            let value = match parser.scan.eat("=") {
                true => parser.attr()?,
                false => Attr::Unit,
            };
            Ok(Entry { name, value, span })
        })?;
        Ok(Attrs(entries))
    }

    pub(super) fn symbol_name(&mut self) -> Parse<Rc<[u8]>> {
        if let Some(name) = self.scan.marked(b'@') {
            return Ok(name.as_bytes().into());
        }
        if self.scan.eat("@")
            && let Some(name) = self.scan.string()
        {
            return Ok(name.into());
        }
        self.fail("a symbol such as `@f`")
    }

    fn symbol(&mut self) -> Parse<Attr<'a>> {
        let mut path = vec![self.symbol_name()?];
        while self.scan.eat("::") {
            path.push(self.symbol_name()?);
        }
        Ok(Attr::Symbol(path))
    }

    fn dialect_attr(&mut self) -> Parse<Attr<'a>> {
        let start = self.scan.place();
        let Some(name) = self.scan.marked(b'#') else {
            return self.fail("an attribute");
        };
        let marked = &self.scan.text()[start..self.scan.pos()];
        if let Some(value) = self.alias(marked, Parser::attr) {
            return value;
        }
        let body = match self.scan.eat("<") {
            true => self.raw()?,
            false => "",
        };
        Ok(Attr::Dialect(name, body))
    }

    fn number(&mut self, typed: bool) -> Parse<Attr<'a>> {
        let span = self.scan.span();
        let Some(text) = self.scan.number() else {
            return self.fail("a number");
        };
        let ty = match typed && self.scan.eat(":") {
            true => Some(self.ty()?),
            false => None,
        };
        if text.contains('.') || matches!(ty, Some(Type::Float(_))) {
            return Ok(Attr::Float(text, ty));
        }
        if number::is_too_long(text) {
            return self.fail_at(codes::MLIR_SYNTAX, span, "this number is too long");
        }
        if let Some(ty) = &ty
            && !number::fits(text, ty)
        {
            let message = format!("this number does not fit {ty}");
            return self.fail_at(codes::MLIR_SYNTAX, span, message);
        }
        Ok(match number::integer(text) {
            Some(value) => Attr::Int(value, ty),
            None => Attr::Wide(text, ty),
        })
    }

    fn word_attr(&mut self, typed: bool) -> Parse<Attr<'a>> {
        let Some(word) = self.scan.peek_word() else {
            return self.fail("an attribute");
        };
        if Parser::is_type_word(word) {
            return Ok(Attr::Type(self.ty()?));
        }
        self.scan.word();
        match word {
            "true" | "false" => Ok(Attr::Bool(word == "true")),
            "unit" => Ok(Attr::Unit),
            "array" if self.scan.eat("<") => {
                self.ty()?;
                let numbers = match self.scan.eat(":") {
                    true => self.list(">", Parser::plain_number)?,
                    false => {
                        self.want(">")?;
                        Vec::new()
                    }
                };
                Ok(Attr::Numbers(numbers))
            }
            "dense" if self.scan.eat("<") => {
                let value = match self.scan.eat(">") {
                    true => Attr::Array(Vec::new()),
                    false => {
                        let value = self.bare_attr()?;
                        self.want(">")?;
                        value
                    }
                };
                let mut ty = None;
                if typed {
                    self.want(":")?;
                    ty = Some(self.ty()?);
                }
                Ok(Attr::Dense(Rc::new(value), ty))
            }
            "dense_resource" | "sparse" => {
                let message = format!("`{word}` constants are not read");
                let span = self.scan.span();
                self.fail_at(codes::MLIR_UNSUPPORTED, span, message)
            }
            "loc" => {
                self.want("(")?;
                self.raw()?;
                Ok(Attr::Unit)
            }
            "distinct" => {
                self.want("[")?;
                self.raw()?;
                let body = match self.scan.eat("<") {
                    true => self.raw()?,
                    false => "",
                };
                Ok(Attr::Dialect(word, body))
            }
            _ => {
                // `affine_map<…>` and the like: nobody here asks for what they hold.
                if self.scan.at("<") {
                    self.want("<")?;
                    let body = self.raw()?;
                    return Ok(Attr::Dialect(word, body));
                }
                Ok(Attr::Word(word))
            }
        }
    }

    /// A number of `array<…>`; its floats count by their bits nowhere, so only integers and truth values are read.
    fn plain_number(&mut self) -> Parse<i128> {
        if self.scan.eat("true") {
            return Ok(1);
        }
        if self.scan.eat("false") {
            return Ok(0);
        }
        match self.scan.number().and_then(number::integer) {
            Some(value) => Ok(value),
            None => self.fail("an integer"),
        }
    }
}
