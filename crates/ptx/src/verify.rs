//! What PTX does not allow, in a module that was read.
//!
//! | file | checks |
//! |---|---|
//! | `gate` | forms, modifiers and directives against target and version |
//! | `scope` | names: declared before use, once a scope, of the right kind |
//! | `operand` | operand types, constants, vectors, addresses |
//!
//! One walk over the module in order, as ptxas does it, because names must be declared before they
//! are used. Everything that depends on an opcode and its modifiers alone is worked out once for
//! each distinct mnemonic.

mod gate;

use crate::form::{Mapping, map_operands};
use crate::inst::{Choice, Inst};
use crate::module::{Body, Function, Item, Module, Statement};
use crate::rule::RuleView;
use warpc_diag::{Diagnostic, Diagnostics, SourceFile, Span, codes};

/// Checks a module. The source, if there is one, makes the places in the messages exact.
///
/// ```
/// let text = ".version 8.0\n.target sm_80\n.address_size 64\n.entry k() { fence.sc.cluster; ret; }";
/// let file = warpc_diag::SourceFile::new("k.ptx", text).unwrap();
/// let parsed = warpc_ptx::parse(&file);
/// let diagnostics = warpc_ptx::verify(&parsed.module, Some(&file));
/// assert!(diagnostics.has_errors(), "clusters need sm_90");
/// ```
pub fn verify(module: &Module, source: Option<&SourceFile>) -> Diagnostics {
    let mut verifier = Verifier {
        module,
        source,
        diagnostics: Diagnostics::new(),
    };
    verifier.module();
    verifier.diagnostics
}

struct Verifier<'m> {
    module: &'m Module,
    source: Option<&'m SourceFile>,
    diagnostics: Diagnostics,
}

impl<'m> Verifier<'m> {
    fn module(&mut self) {
        self.check_header();
        for item in &self.module.items {
            if let Item::Function(function) = item {
                self.function(function);
            }
            if self.diagnostics.is_full() {
                return;
            }
        }
    }

    fn function(&mut self, function: &'m Function) {
        let Some(body) = &function.body else {
            return;
        };
        for statement in &body.statements {
            if let Statement::Inst(inst) = statement {
                self.inst(body, inst);
            }
            if self.diagnostics.is_full() {
                return;
            }
        }
    }

    fn inst(&mut self, body: &'m Body, inst: &'m Inst) {
        let choice = &self.module.mnemonic(inst.mnemonic).choices[usize::from(inst.choice)];
        self.check_gates(inst, choice);
        let Ok(mapping) = map_operands(choice, &body.operands, inst.operands) else {
            self.error(Diagnostic::error(
                codes::INTERNAL,
                inst.at.0,
                "the operands do not fit the form chosen for them",
            ));
            return;
        };
        self.check_rule(body, inst, choice, &mapping);
    }

    fn check_rule(&mut self, body: &Body, inst: &Inst, choice: &Choice, mapping: &Mapping) {
        let form = choice.form.form();
        let Some(rule) = form.row.rule else {
            return;
        };
        let view = RuleView {
            form,
            choice,
            body,
            operands: mapping,
            sm: self.module.sm,
            version: self.module.version,
        };
        if let Err(violation) = rule(&view) {
            let operand = violation.operand.and_then(|name| {
                let i = form.operands.iter().position(|spec| spec.name == name)?;
                mapping[i]
            });
            let (code, span) = match operand {
                Some(index) => (codes::WRONG_OPERANDS, body.operand_span(index as usize)),
                None => (codes::BAD_COMBINATION, self.mnemonic_span(inst)),
            };
            let mut diagnostic = Diagnostic::error(code, span, violation.message);
            diagnostic.help = violation
                .help
                .or_else(|| Some(format!("the form is `{}`", form.row.syntax)));
            self.error(diagnostic);
        }
    }

    fn error(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// The opcode and modifiers of an instruction.
    fn mnemonic_span(&self, inst: &Inst) -> Span {
        let span = inst.at.0;
        let Some(source) = self.source else {
            return span;
        };
        let bytes = source.slice(span);
        let len = bytes
            .iter()
            .position(|b| b.is_ascii_whitespace() || *b == b';')
            .unwrap_or(bytes.len());
        Span::new(span.start, span.start + len as u32)
    }

    /// A modifier of an instruction: the whole mnemonic if it cannot be found.
    fn modifier_span(&self, inst: &Inst, token: &str) -> Span {
        let whole = self.mnemonic_span(inst);
        let Some(source) = self.source else {
            return whole;
        };
        let bytes = source.slice(whole);
        let found = memchr::memmem::find_iter(bytes, token).find(|&i| {
            !bytes
                .get(i + token.len())
                .is_some_and(|&b| crate::lex::is_ident_byte(b) || b == b':')
        });
        match found {
            Some(i) => Span::new(
                whole.start + i as u32,
                whole.start + (i + token.len()) as u32,
            ),
            None => whole,
        }
    }
}
