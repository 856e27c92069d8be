//! Operations, blocks and regions.

use super::{Parse, Parser};
use crate::table;
use crate::tree::{Attrs, Block, Op, Region, Successor, Use, Value};
use crate::types::Type;
use warpc_diag::{Diagnostic, codes};

impl<'a> Parser<'a> {
    /// The operations of a file.
    pub(super) fn file(&mut self, ops: &mut Vec<Op<'a>>) -> Parse<()> {
        while !self.scan.at_end() {
            if matches!(self.scan.peek(), b'#' | b'!') {
                self.definition()?;
                continue;
            }
            if self.scan.eat("{-#") {
                // Data that other tools keep in the file.
                let rest = &self.scan.text()[self.scan.pos()..];
                let end = rest.find("#-}").map_or(rest.len(), |at| at + 3);
                self.scan.go(self.scan.pos() + end);
                continue;
            }
            ops.push(self.operation()?);
        }
        Ok(())
    }

    /// `#name = attribute`, `!name = type`: their places are known already.
    fn definition(&mut self) -> Parse<()> {
        let ty = self.scan.peek() == b'!';
        if self.scan.marked(if ty { b'!' } else { b'#' }).is_none() {
            return self.fail("a name");
        }
        self.want("=")?;
        match ty {
            true => self.ty().map(|_| ()),
            false => self.attr().map(|_| ()),
        }
    }

    /// An operation in either form, with its results.
    pub(super) fn operation(&mut self) -> Parse<Op<'a>> {
        self.deeper(Parser::any_operation)
    }

    fn any_operation(&mut self) -> Parse<Op<'a>> {
        let results = self.result_names()?;
        let span = self.scan.span();
        let mut op = Op {
            name: "",
            pos: span.start,
            results,
            result_types: Vec::new(),
            operands: Vec::new(),
            attrs: Attrs::default(),
            successors: Vec::new(),
            regions: Vec::new(),
        };
        if self.scan.peek() == b'"' {
            let start = self.scan.place() + 1;
            if self.scan.string().is_none() {
                return self.fail("the name of an operation");
            }
            op.name = &self.scan.text()[start..self.scan.pos() - 1];
            self.generic(&mut op)?;
        } else {
            let Some(word) = self.scan.word() else {
                return self.fail("an operation");
            };
            op.name = word;
            self.pretty(&mut op, span)?;
        }
        self.location()?;
        if op.results.len() != op.result_types.len() {
            let message = format!(
                "`{}` has {} results, {} are named",
                op.name,
                op.result_types.len(),
                op.results.len()
            );
            // A result that nobody names is nobody's.
            if !op.results.is_empty() {
                return self.fail_at(codes::MLIR_SYNTAX, span, message);
            }
        }
        Ok(op)
    }

    /// `%a, %b:2 =`
    fn result_names(&mut self) -> Parse<Vec<Value<'a>>> {
        let mut results = Vec::new();
        if self.scan.peek() != b'%' {
            return Ok(results);
        }
        loop {
            let Some(name) = self.scan.marked(b'%') else {
                return self.fail("a value");
            };
            let mut count = 1;
            if self.scan.eat(":") {
                count = match self.scan.digits().and_then(|digits| digits.parse().ok()) {
                    Some(count @ 1..=1024) => count,
                    _ => return self.fail("the number of results, 1 to 1024"),
                };
            }
            results.extend((0..count).map(|index| Value { name, index }));
            if self.scan.eat("=") {
                return Ok(results);
            }
            self.want(",")?;
        }
    }

    /// A value where it is used.
    pub(super) fn operand(&mut self) -> Parse<Use<'a>> {
        let pos = self.scan.place() as u32;
        let Some(name) = self.scan.marked(b'%') else {
            return self.fail("a value such as `%0`");
        };
        let mut index = 0;
        if self.scan.eat("#") {
            index = match self.scan.digits().and_then(|digits| digits.parse().ok()) {
                Some(index) => index,
                None => return self.fail("the number of a result"),
            };
        }
        let value = Value { name, index };
        Ok(Use {
            value,
            pos,
            ty: None,
        })
    }

    pub(super) fn successor(&mut self) -> Parse<Successor<'a>> {
        let pos = self.scan.place() as u32;
        match self.scan.marked(b'^') {
            Some(block) => Ok(Successor { block, pos }),
            None => self.fail("a block such as `^bb1`"),
        }
    }

    /// What follows the name in the generic form.
    fn generic(&mut self, op: &mut Op<'a>) -> Parse<()> {
        self.want("(")?;
        op.operands = self.list(")", Parser::operand)?;
        if self.scan.eat("[") {
            op.successors = self.list("]", Parser::successor)?;
        }
        if self.scan.eat("<") {
            op.attrs = self.dict()?;
            self.want(">")?;
        }
        if self.scan.at("(") {
            self.want("(")?;
            op.regions = self.list(")", Parser::region)?;
        }
        if self.scan.peek() == b'{' {
            op.attrs.0.extend(self.dict()?.0);
        }
        self.want(":")?;
        let span = self.scan.span();
        let Type::Arrow(arrow) = self.ty()? else {
            return self.fail_at(
                codes::MLIR_SYNTAX,
                span,
                "expected a type such as `(i32) -> i32`",
            );
        };
        if arrow.inputs.len() != op.operands.len() {
            let message = format!(
                "{} types for {} operands",
                arrow.inputs.len(),
                op.operands.len()
            );
            return self.fail_at(codes::MLIR_SYNTAX, span, message);
        }
        for (operand, ty) in op.operands.iter_mut().zip(&arrow.inputs) {
            operand.ty = Some(ty.clone());
        }
        op.result_types.clone_from(&arrow.results);
        Ok(())
    }

    /// What follows the name in the pretty form.
    fn pretty(&mut self, op: &mut Op<'a>, span: warpc_diag::Span) -> Parse<()> {
        if let Some(read) = super::special::reader(op.name) {
            return read(self, op);
        }
        if let Some(row) = table::row_of(op.name) {
            return self.custom(op, row);
        }
        let help = match op.name.split_once('.') {
            Some(("llvm" | "nvvm", _)) => {
                "warpc does not read it: MLIR 22 does not have it, or a GPU has no use for it"
            }
            Some((_, _)) => {
                "warpc reads the `llvm` and `nvvm` dialects; `mlir-opt --gpu-lower-to-nvvm-pipeline` makes them"
            }
            None => "operations are named `dialect.operation`",
        };
        let message = format!("there is no operation `{}` here", op.name);
        let diagnostic = Diagnostic::error(codes::MLIR_UNKNOWN, span, message).help(help);
        self.diagnostics.push(diagnostic);
        Err(super::Failed)
    }

    /// A region between `{}`.
    pub(super) fn region(&mut self) -> Parse<Region<'a>> {
        self.want("{")?;
        self.region_behind_brace(Vec::new())
    }

    /// The rest of a region; the arguments of its first block may be known from elsewhere.
    pub(super) fn region_behind_brace(
        &mut self,
        args: Vec<(Value<'a>, Type)>,
    ) -> Parse<Region<'a>> {
        let mut region = Region::default();
        let pos = self.scan.place() as u32;
        let given = !args.is_empty();
        let mut block = Block {
            name: None,
            pos,
            args,
            ops: Vec::new(),
        };
        let mut open = given || !matches!(self.scan.peek(), b'^' | b'}');
        loop {
            match self.scan.peek() {
                b'}' => {
                    self.want("}")?;
                    if open {
                        region.blocks.push(block);
                    }
                    return Ok(region);
                }
                b'^' => {
                    let next = self.block_head()?;
                    // A function's first block may have a name besides.
                    if open
                        && region.blocks.is_empty()
                        && block.ops.is_empty()
                        && next.args.is_empty()
                    {
                        block.name = next.name;
                        continue;
                    }
                    let last = std::mem::replace(&mut block, next);
                    if open {
                        region.blocks.push(last);
                    }
                    open = true;
                }
                0 if self.scan.at_end() => return self.fail("`}`"),
                _ => block.ops.push(self.operation()?),
            }
        }
    }

    /// `^bb1(%a: i32):`
    fn block_head(&mut self) -> Parse<Block<'a>> {
        let pos = self.scan.place() as u32;
        let Some(name) = self.scan.marked(b'^') else {
            return self.fail("a block such as `^bb1`");
        };
        let mut args = Vec::new();
        if self.scan.eat("(") {
            args = self.list(")", |parser| {
                let Some(name) = parser.scan.marked(b'%') else {
                    return parser.fail("a value");
                };
                parser.want(":")?;
                let ty = parser.ty()?;
                parser.location()?;
                Ok((Value { name, index: 0 }, ty))
            })?;
        }
        self.want(":")?;
        Ok(Block {
            name: Some(name),
            pos,
            args,
            ops: Vec::new(),
        })
    }
}
