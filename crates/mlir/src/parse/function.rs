//! Functions and global variables.

use super::{Parse, Parser};
use crate::tree::{Attr, Attrs, Op, Value};
use crate::types::{Signature, Type};
use std::rc::Rc;

/// What an argument of a function is, with its name if there is a body.
type Argument<'a> = (Option<Value<'a>>, Type, Attrs<'a>);

impl<'a> Parser<'a> {
    /// The words between the operation and the symbol: linkage, visibility and the like.
    fn words_before_symbol(&mut self, op: &mut Op<'a>) -> Parse<()> {
        loop {
            let span = self.scan.span();
            let Some(word) = self.scan.word() else {
                break;
            };
            let (name, value) = match word {
                "hidden" | "protected" | "default" => ("visibility_", Attr::Word(word)),
                "unnamed_addr" | "local_unnamed_addr" => ("unnamed_addr", Attr::Word(word)),
                "constant" => ("constant", Attr::Unit),
                "thread_local" => ("thread_local_", Attr::Unit),
                "private"
                | "internal"
                | "available_externally"
                | "linkonce"
                | "weak"
                | "common"
                | "appending"
                | "extern_weak"
                | "linkonce_odr"
                | "weak_odr"
                | "external" => ("linkage", Attr::Word(word)),
                _ => ("CConv", Attr::Word(word)),
            };
            op.attrs.push_at(name, value, span);
        }
        let name = self.symbol_name()?;
        op.attrs.push("sym_name", Attr::String(name));
        Ok(())
    }

    fn comdat_of(&mut self, op: &mut Op<'a>) -> Parse<()> {
        if self.scan.eat("comdat") {
            self.want("(")?;
            let symbol = self.bare_attr()?;
            op.attrs.push("comdat", symbol);
            self.want(")")?;
        }
        Ok(())
    }

    /// `internal @f(%a: i32 {llvm.noundef}, ...) -> i32 attributes {…} { … }`
    pub(super) fn function(&mut self, op: &mut Op<'a>) -> Parse<()> {
        self.words_before_symbol(op)?;
        self.want("(")?;
        let mut variadic = false;
        let args = self.list(")", |parser| {
            if parser.scan.eat("...") {
                variadic = true;
                return Ok(None);
            }
            parser.argument().map(Some)
        })?;
        let args: Vec<Argument<'a>> = args.into_iter().flatten().collect();
        let mut results = Vec::new();
        if self.scan.eat("->") {
            results = match self.scan.eat("(") {
                true => self.list(")", Parser::type_and_attrs)?,
                false => vec![(self.ty()?, Attrs::default())],
            };
        }
        let span = self.scan.span();
        if self.scan.eat("vscale_range") {
            self.want("(")?;
            self.raw()?;
            op.attrs.push_at("vscale_range", Attr::Unit, span);
        }
        self.comdat_of(op)?;
        if self.scan.eat("attributes") {
            op.attrs.0.extend(self.dict()?.0);
        }
        if results.len() > 1 {
            return self.fail("one result, which may be a structure");
        }
        let (result, of_result) = results.pop().unwrap_or((Type::Void, Attrs::default()));
        let signature = Signature {
            result,
            params: args.iter().map(|(_, ty, _)| ty.clone()).collect(),
            variadic,
        };
        let ty = Type::Function(Rc::new(signature));
        op.attrs.push("function_type", Attr::Type(ty));
        op.attrs
            .push("res_attrs", Attr::Array(vec![Attr::Dict(of_result)]));
        let mut of_args = Vec::new();
        let mut named = Vec::new();
        for (name, ty, attrs) in args {
            of_args.push(Attr::Dict(attrs));
            named.extend(name.map(|name| (name, ty)));
        }
        op.attrs.push("arg_attrs", Attr::Array(of_args));
        if self.scan.eat("{") {
            let region = self.region_behind_brace(named)?;
            op.regions.push(region);
        }
        Ok(())
    }

    fn argument(&mut self) -> Parse<Argument<'a>> {
        let mut name = None;
        if let Some(text) = self.scan.marked(b'%') {
            name = Some(Value {
                name: text,
                index: 0,
            });
            self.want(":")?;
        }
        let (ty, attrs) = self.type_and_attrs()?;
        self.location()?;
        Ok((name, ty, attrs))
    }

    /// `internal constant @c(1 : i32) {addr_space = 1 : i32} : i32 { … }`
    pub(super) fn global(&mut self, op: &mut Op<'a>) -> Parse<()> {
        self.words_before_symbol(op)?;
        self.want("(")?;
        if !self.scan.eat(")") {
            let value = self.attr()?;
            op.attrs.push("value", value);
            self.want(")")?;
        }
        self.comdat_of(op)?;
        if self.scan.peek() == b'{' {
            op.attrs.0.extend(self.dict()?.0);
        }
        let ty = match self.scan.eat(":") {
            true => self.ty()?,
            // A string says how long it is.
            false => {
                let len = op.attrs.string("value").map(<[u8]>::len);
                match len {
                    Some(len) => Type::Array(len as u64, Rc::new(Type::Int(8))),
                    None => return self.fail("`:` and a type"),
                }
            }
        };
        op.attrs.push("global_type", Attr::Type(ty));
        if self.scan.eat("{") {
            let region = self.region_behind_brace(Vec::new())?;
            op.regions.push(region);
        }
        Ok(())
    }

    /// `external @a : i32 { … }`
    pub(super) fn global_alias(&mut self, op: &mut Op<'a>) -> Parse<()> {
        self.words_before_symbol(op)?;
        if self.scan.peek() == b'{' {
            op.attrs.0.extend(self.dict()?.0);
        }
        self.want(":")?;
        let ty = self.ty()?;
        op.attrs.push("alias_type", Attr::Type(ty));
        let region = self.region()?;
        op.regions.push(region);
        Ok(())
    }
}
