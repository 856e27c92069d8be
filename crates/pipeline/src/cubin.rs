//! Checking cubins and fatbins.

use crate::{Checked, guard};
use warpc_cubin::{Cubin, Fault, fatbin, verify};
use warpc_diag::{Diagnostic, Diagnostics, SourceFile, Span};

/// Reads and verifies a cubin. What could be read is there even if it is wrong. Diagnostics name places in their text:
/// a line of a binary file shows nothing.
pub fn check_cubin(file: &SourceFile) -> Checked<Cubin> {
    guard(file, || {
        let mut diagnostics = Diagnostics::new();
        let module = match Cubin::read(file.bytes()) {
            Ok(cubin) => {
                push(&mut diagnostics, verify(&cubin), "");
                Some(cubin)
            }
            Err(fault) => {
                push(&mut diagnostics, vec![fault], "");
                None
            }
        };
        Checked {
            module,
            diagnostics,
        }
    })
}

/// Reads a fatbin, unpacks its entries and verifies the cubins among them.
pub fn check_fatbin(file: &SourceFile) -> Checked<()> {
    guard(file, || {
        let mut diagnostics = Diagnostics::new();
        match fatbin::read(file.bytes()) {
            Ok(entries) => {
                for entry in &entries {
                    push(&mut diagnostics, entry_faults(entry), &format!("{entry}: "));
                }
            }
            Err(fault) => push(&mut diagnostics, vec![fault], ""),
        }
        Checked {
            module: (!diagnostics.has_errors()).then_some(()),
            diagnostics,
        }
    })
}

/// What is wrong with an entry. PTX is only unpacked: its diagnostics would point into a file that is not there.
fn entry_faults(entry: &fatbin::Entry<'_>) -> Vec<Fault> {
    let unpacked = match entry.unpacked() {
        Ok(unpacked) => unpacked,
        Err(fault) => return vec![fault],
    };
    if entry.kind != fatbin::Kind::Cubin {
        return Vec::new();
    }
    match Cubin::read(&unpacked) {
        Ok(cubin) => verify(&cubin),
        Err(fault) => vec![fault],
    }
}

fn push(diagnostics: &mut Diagnostics, faults: Vec<Fault>, before: &str) {
    for fault in faults {
        let message = format!("{before}{fault}");
        let mut diagnostic = Diagnostic::error(fault.code, Span::default(), message);
        if !fault.help.is_empty() {
            diagnostic = diagnostic.help(fault.help);
        }
        diagnostics.push(diagnostic);
    }
}
