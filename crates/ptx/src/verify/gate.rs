//! Forms, modifiers, directives and the header against target and version.

use super::Verifier;
use super::prepare::Fault;
use crate::inst::{Choice, Inst};
use crate::print::mnemonic_text;
use warpc_diag::{Diagnostic, Span, codes};
use warpc_target::{Gate, GateError};

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
    pub(super) fn require(&mut self, gate: Gate) -> Result<(), GateError> {
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
            Fault::Removed => {
                let Some(removed) = form.row.removed else {
                    return;
                };
                let message = format!(
                    "`{}` is gone from sm_{} on since PTX {}",
                    mnemonic_text(choice),
                    removed.chip,
                    removed.version
                );
                let span = self.mnemonic_span(inst);
                let help = format!("write `{}`", removed.instead);
                self.error(Diagnostic::error(codes::NEEDS_TARGET, span, message).help(help));
            }
        }
    }

    /// Says which version or target is needed.
    pub(super) fn report_gate(&mut self, error: GateError, what: &str, span: Span) {
        let diagnostic = match error {
            GateError::Version(needed) => {
                let message = format!(
                    "`{what}` needs PTX {needed}, the module says {}",
                    self.version
                );
                Diagnostic::error(codes::NEEDS_VERSION, span, message)
                    .help(format!("write `.version {needed}` or later"))
            }
            GateError::Target(Gate(needs)) => {
                let message = format!("`{what}` does not exist on {}", self.sm);
                Diagnostic::error(codes::NEEDS_TARGET, span, message)
                    .help(format!("it needs {}", Gate(needs)))
            }
        };
        self.error(diagnostic);
    }
}
