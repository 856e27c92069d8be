//! Forms, modifiers, directives and the header against target and version.

use super::Verifier;
use super::prepare::Fault;
use crate::inst::{Choice, Inst};
use crate::print::mnemonic_text;
use crate::unavailable;
use warpc_diag::{Diagnostic, Span, codes};
use warpc_target::{Gate, Unavailable};

impl Verifier<'_> {
    /// The target must exist in the version.
    pub(super) fn check_header(&mut self) {
        let (sm, version) = (self.sm, self.version);
        if sm.first_version() > version {
            let message = format!("{sm} is known since PTX {}", sm.first_version());
            let diagnostic =
                Diagnostic::error(codes::NEEDS_VERSION, self.module.header.target.0, message)
                    .related(
                        self.module.header.version.0,
                        format!("the module says {version}"),
                    )
                    .help(format!("write `.version {}` or later", sm.first_version()));
            self.error(diagnostic);
        }
    }

    /// Notes what is needed, and says whether target and version have it.
    pub(super) fn require(&mut self, gate: Gate) -> Result<(), Unavailable> {
        if let Some(needed) = gate.required_version(self.sm) {
            self.required = self.required.max(needed);
        }
        gate.check(self.sm, self.version)
    }

    /// An instruction that target or version do not have.
    pub(super) fn report_fault(&mut self, fault: Fault, inst: &Inst, choice: &Choice) {
        let form = choice.form.form();
        match fault {
            Fault::Form(error) => {
                let span = self.mnemonic_span(inst);
                self.report_gate(error, &mnemonic_text(choice), span);
            }
            Fault::Modifier(token, error) => {
                let span = self.modifier_span(inst, token);
                self.report_gate(error, &format!("{token}` of `{}", form.opcode), span);
            }
        }
    }

    /// Says which version or target is needed.
    pub(super) fn report_gate(&mut self, error: Unavailable, what: &str, span: Span) {
        let (code, message, help) =
            unavailable::in_words(error, &format!("`{what}`"), self.sm, self.version);
        self.error(Diagnostic::error(code, span, message).help(help));
    }
}
