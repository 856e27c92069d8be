//! Text to operations.
//!
//! The generic form of MLIR (`"llvm.add"(%a, %b) : (i32, i32) -> i32`) is read by one rule; the pretty forms by
//! the syntax lines of the [table](crate::table), or by a function where a line cannot say it. Both leave the
//! same [`Op`](crate::tree::Op).

mod attribute;
mod custom;
mod function;
mod module;
mod operation;
mod special;
mod types;

pub(crate) use special::DYNAMIC;

use crate::scan::Scanner;
use crate::tree::Op;
use crate::types::Type;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use warpc_diag::{Code, Diagnostic, Diagnostics, Span, codes};

/// A diagnostic was pushed.
#[derive(Debug)]
pub(crate) struct Failed;

pub(crate) type Parse<T> = Result<T, Failed>;

/// Types, attributes and regions nest so deeply at most.
const MAX_DEPTH: u32 = 100;

/// What a structure with a name holds; `None` while only its name is known.
pub(crate) type Structs = Vec<(Rc<str>, Option<(bool, Rc<[Type]>)>)>;

/// A file that was read.
pub(crate) struct Parsed<'a> {
    pub ops: Vec<Op<'a>>,
    pub structs: Structs,
    pub diagnostics: Diagnostics,
}

pub(crate) struct Parser<'a> {
    scan: Scanner<'a>,
    diagnostics: Diagnostics,
    /// Where `#name` and `!name` are defined, with the mark.
    aliases: FxHashMap<&'a str, usize>,
    structs: Structs,
    depth: u32,
    /// Whether the file has modules for a GPU: everything beside them is the host's.
    has_gpu_module: bool,
}

/// Reads a file.
pub(crate) fn parse(text: &str) -> Parsed<'_> {
    let mut parser = Parser {
        scan: Scanner::new(text),
        diagnostics: Diagnostics::new(),
        aliases: aliases(text),
        structs: Vec::new(),
        depth: 0,
        has_gpu_module: has_gpu_module(text),
    };
    let mut ops = Vec::new();
    // The one diagnostic of the failure is pushed already.
    let _ = parser.file(&mut ops);
    Parsed {
        ops,
        structs: parser.structs,
        diagnostics: parser.diagnostics,
    }
}

/// The places of `#name = …` and `!name = …` at the start of lines: they may stand after their use.
fn aliases(text: &str) -> FxHashMap<&str, usize> {
    let mut places = FxHashMap::default();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if line.starts_with(['#', '!'])
            && let Some((name, _)) = line.split_once('=')
        {
            places.insert(name.trim_end(), start + name.len() + 1);
        }
        start += line.len();
    }
    places
}

fn has_gpu_module(text: &str) -> bool {
    let starts = ["gpu.module ", "\"gpu.module\"("];
    text.lines().any(|line| {
        starts
            .iter()
            .any(|start| line.trim_start().starts_with(start))
    })
}

impl<'a> Parser<'a> {
    /// Says what is wrong at a place.
    fn fail_at<T>(&mut self, code: Code, span: Span, message: impl Into<String>) -> Parse<T> {
        self.diagnostics
            .push(Diagnostic::error(code, span, message));
        Err(Failed)
    }

    /// Says what was wanted here.
    fn fail<T>(&mut self, wanted: &str) -> Parse<T> {
        let span = self.scan.span();
        self.fail_at(codes::MLIR_SYNTAX, span, format!("expected {wanted}"))
    }

    /// Takes a mark or word that must be there.
    fn want(&mut self, wanted: &str) -> Parse<()> {
        if self.scan.eat(wanted) {
            return Ok(());
        }
        self.fail(&format!("`{wanted}`"))
    }

    /// Does something that nests.
    fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= MAX_DEPTH {
            let span = self.scan.span();
            return self.fail_at(codes::MLIR_SYNTAX, span, "the text nests too deeply here");
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    /// What stands after a name with a mark, `#map` or `!t`, read where it is defined.
    fn alias<T>(
        &mut self,
        name: &str,
        inner: impl FnOnce(&mut Self) -> Parse<T>,
    ) -> Option<Parse<T>> {
        let place = *self.aliases.get(name)?;
        let here = self.scan.pos();
        Some(self.deeper(|parser| {
            parser.scan.go(place);
            let result = inner(parser);
            parser.scan.go(here);
            result
        }))
    }

    /// Comma-separated things up to a closing mark, which is taken, too.
    fn list<T>(
        &mut self,
        close: &str,
        mut item: impl FnMut(&mut Self) -> Parse<T>,
    ) -> Parse<Vec<T>> {
        let mut items = Vec::new();
        if self.scan.eat(close) {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if self.scan.eat(close) {
                return Ok(items);
            }
            self.want(",")?;
        }
    }

    /// Everything up to the bracket that closes the one just taken.
    fn raw(&mut self) -> Parse<&'a str> {
        let before = self.scan.pos();
        match self.scan.up_to_closing() {
            Some(text) => Ok(text),
            None => {
                let span = Span::new(before.saturating_sub(1) as u32, before as u32);
                self.fail_at(codes::MLIR_SYNTAX, span, "this bracket is not closed")
            }
        }
    }

    /// Skips `loc(…)` after an operation or argument.
    fn location(&mut self) -> Parse<()> {
        if self.scan.eat("loc") {
            self.want("(")?;
            self.raw()?;
        }
        Ok(())
    }
}
