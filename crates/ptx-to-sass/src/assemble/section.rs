//! The functions of a kernel, each once: assembled before their callers, as far as calls go one way, so that callers know what
//! they change.
//!
//! ```text
//!   k ─► f ─► g        assembled: g, f, k        in the section: k, f, g
//!        ▲────┘        g calls f, which is not done: by convention
//! ```

use super::part::{self, Callees, Made};
use super::{Context, bug, numbered};
use crate::ir::Changed;
use crate::observe::After;
use warpc_diag::Diagnostics;
use warpc_ptx::Module;
use warpc_ptx::module::Function;
use warpc_ptx::symbol::Symbol;

/// How many functions are being assembled at a time because one calls the next: each takes a part of the stack.
const DEEPEST: usize = 24;

/// What is known of a function.
enum Known {
    /// It was not assembled yet.
    Name,
    /// It is being assembled.
    Begun,
    /// It was assembled.
    Done(Changed, Option<Box<Made>>),
}

/// A kernel and the functions that it calls.
pub(super) struct Section<'a, 'm> {
    context: &'a Context<'a>,
    module: &'m Module,
    kernel: &'m Function,
    /// The kernel, and then the functions in the order of the section.
    pub(super) names: Vec<Symbol>,
    known: Vec<Known>,
    depth: usize,
}

impl<'a, 'm> Section<'a, 'm> {
    pub(super) fn of(
        context: &'a Context<'a>,
        module: &'m Module,
        kernel: &'m Function,
    ) -> Section<'a, 'm> {
        Section {
            context,
            module,
            kernel,
            names: vec![kernel.name],
            known: vec![Known::Name],
            depth: 0,
        }
    }

    /// A function with its code, once.
    pub(super) fn take(
        &mut self,
        number: usize,
        after: After,
    ) -> Result<(&'m Function, Made), Diagnostics> {
        let function = self.function(number)?;
        if let Known::Name = self.known[number] {
            self.assemble(number, after)?;
        }
        match &mut self.known[number] {
            Known::Done(_, made) => made.take(),
            _ => None,
        }
        .map(|made| (function, *made))
        .ok_or_else(|| bug(function.name_at.0, "no code"))
    }

    fn function(&self, number: usize) -> Result<&'m Function, Diagnostics> {
        if number == 0 {
            return Ok(self.kernel);
        }
        let functions = self.context.functions;
        let known = functions.number(self.names[number]);
        let definition = known.and_then(|one| functions.definition(self.module, one));
        definition.ok_or_else(|| bug(self.kernel.name_at.0, "no function"))
    }

    fn assemble(&mut self, number: usize, after: After) -> Result<(), Diagnostics> {
        let function = self.function(number)?;
        self.known[number] = Known::Begun;
        self.depth += 1;
        let made = part::assemble(self.context, function, self, after);
        self.depth -= 1;
        let made = made?;
        self.known[number] = Known::Done(made.changed, Some(Box::new(made)));
        Ok(())
    }
}

impl Callees for Section<'_, '_> {
    fn number(&mut self, name: Symbol) -> usize {
        let number = numbered(&mut self.names, name);
        if number == self.known.len() {
            self.known.push(Known::Name);
        }
        number
    }

    fn changed_by(&mut self, name: Symbol, after: After) -> Result<Changed, Diagnostics> {
        let number = self.number(name);
        if let Known::Name = self.known[number]
            && self.depth < DEEPEST
        {
            self.assemble(number, after)?;
        }
        Ok(match &self.known[number] {
            Known::Done(changed, _) => *changed,
            // It calls itself, or is too deep.
            _ => Changed::by_convention(),
        })
    }
}
