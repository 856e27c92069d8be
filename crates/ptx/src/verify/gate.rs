//! Forms, modifiers and the header against target and version.

use super::Verifier;
use crate::inst::{Choice, Inst};
use crate::print::mnemonic_text;
use warpc_diag::{Diagnostic, Span, codes};
use warpc_target::{Gate, GateError};

impl Verifier<'_> {
    /// The target must exist in the version.
    pub(super) fn check_header(&mut self) {
        let (sm, version) = (self.module.sm, self.module.version);
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

    /// The form and each of its modifiers.
    pub(super) fn check_gates(&mut self, inst: &Inst, choice: &Choice) {
        let form = choice.form.form();
        let (sm, version) = (self.module.sm, self.module.version);
        if let Err(error) = form.row.gate.check(sm, version) {
            let span = self.mnemonic_span(inst);
            self.report_gate(error, &mnemonic_text(choice), span);
            return;
        }
        if let Some(removed) = form.row.removed
            && sm.number() >= removed.chip
            && version >= removed.version
        {
            let message = format!(
                "`{}` is gone from sm_{} on since PTX {}",
                mnemonic_text(choice),
                removed.chip,
                removed.version
            );
            let span = self.mnemonic_span(inst);
            self.error(
                Diagnostic::error(codes::NEEDS_TARGET, span, message)
                    .help(format!("write `{}`", removed.instead)),
            );
            return;
        }
        for (slot, &value) in form.slots.iter().zip(&choice.values) {
            if value == Choice::ABSENT {
                continue;
            }
            let value = &slot.values[usize::from(value)];
            if let Err(error) = value.gate.check(sm, version) {
                let span = self.modifier_span(inst, value.text);
                self.report_gate(error, &format!("{}` of `{}", value.text, form.opcode), span);
                return;
            }
        }
    }

    /// Says which version or target is needed.
    pub(super) fn report_gate(&mut self, error: GateError, what: &str, span: Span) {
        let diagnostic = match error {
            GateError::Version(needed) => {
                let message = format!(
                    "`{what}` needs PTX {needed}, the module says {}",
                    self.module.version
                );
                Diagnostic::error(codes::NEEDS_VERSION, span, message)
                    .help(format!("write `.version {needed}` or later"))
            }
            GateError::Target(Gate(needs)) => {
                let message = format!("`{what}` does not exist on {}", self.module.sm);
                Diagnostic::error(codes::NEEDS_TARGET, span, message)
                    .help(format!("it needs {}", Gate(needs)))
            }
        };
        self.error(diagnostic);
    }
}
