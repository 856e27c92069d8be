//! Modules.

use super::{Parse, Parser};
use crate::tree::{Attr, Block, Op, Region};

impl<'a> Parser<'a> {
    /// `module @name attributes {…} { … }` and `gpu.module @name [targets] { … }`.
    pub(super) fn module(&mut self, op: &mut Op<'a>) -> Parse<()> {
        if self.scan.peek() == b'@' {
            let name = self.symbol_name()?;
            op.attrs.push("sym_name", Attr::String(name));
        }
        if self.scan.eat("<") {
            // Who takes the code to the GPU: of no interest here.
            self.raw()?;
        }
        if self.scan.peek() == b'[' {
            let targets = self.attr()?;
            op.attrs.push("targets", targets);
        }
        if self.scan.eat("attributes") {
            op.attrs.0.extend(self.dict()?.0);
        }
        self.want("{")?;
        let is_host = self.has_gpu_module && op.name.ends_with("module") && op.name != "gpu.module";
        let region = match is_host {
            true => self.gpu_modules()?,
            false => self.region_behind_brace(Vec::new())?,
        };
        op.regions.push(region);
        Ok(())
    }

    /// The modules for a GPU in a module of the host; what lies between them is skipped.
    fn gpu_modules(&mut self) -> Parse<Region<'a>> {
        let mut block = Block {
            name: None,
            pos: self.scan.place() as u32,
            args: Vec::new(),
            ops: Vec::new(),
        };
        loop {
            if self.scan.at("gpu.module") || self.scan.at("\"gpu.module\"") {
                block.ops.push(self.operation()?);
            } else if self.scan.eat("}") {
                return Ok(Region {
                    blocks: vec![block],
                });
            } else if self.scan.at_end() {
                return self.fail("`}`");
            } else {
                self.skip_operation()?;
            }
        }
    }

    /// Skips an operation: all of its lines are inside brackets, but the first.
    fn skip_operation(&mut self) -> Parse<()> {
        loop {
            let text = self.scan.text();
            let rest = &text[self.scan.pos()..];
            match rest.chars().next() {
                None => return Ok(()),
                Some('\n') => {
                    // An operation may go on with a closing bracket and attributes; a new line starts a new one.
                    return Ok(());
                }
                Some('"') => {
                    if self.scan.string().is_none() {
                        return self.fail("a string that ends");
                    }
                }
                Some('}') => return Ok(()),
                Some(')' | ']') => return self.fail("an operation"),
                Some('/') if rest.starts_with("//") => self.scan.skip(),
                Some(open @ ('{' | '(' | '[')) => {
                    self.scan.go(self.scan.pos() + open.len_utf8());
                    self.raw()?;
                }
                Some(other) => self.scan.go(self.scan.pos() + other.len_utf8()),
            }
        }
    }
}
