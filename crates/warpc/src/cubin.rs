//! Checking cubins and fatbins.

use crate::{Checked, guard};
use warpc_cubin::{Content, Cubin, Fault, fatbin, verify};
use warpc_diag::{Diagnostic, Diagnostics, SourceFile, Span, codes};
use warpc_sass::print;

/// Reads a cubin, as far as its structure allows it.
pub fn read_cubin(file: &SourceFile) -> Checked<Cubin> {
    guard(file, || {
        let mut diagnostics = Diagnostics::new();
        let read = Cubin::read(file.bytes());
        let module = read.map_err(|fault| push(&mut diagnostics, vec![fault], ""));
        Checked {
            module: module.ok(),
            diagnostics,
        }
    })
}

/// Reads and verifies a cubin. What could be read is there even if it is wrong. Diagnostics name places in their text:
/// a line of a binary file shows nothing.
pub fn check_cubin(file: &SourceFile) -> Checked<Cubin> {
    guard(file, || {
        let mut diagnostics = Diagnostics::new();
        let module = match Cubin::read(file.bytes()) {
            Ok(cubin) => {
                push(&mut diagnostics, verify(&cubin), "");
                unknown_words(&cubin, &mut diagnostics, "");
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
                    check_entry(entry, &mut diagnostics);
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

/// Says what is wrong with an entry. PTX is only unpacked: its diagnostics would point into a file that is not there.
fn check_entry(entry: &fatbin::Entry<'_>, diagnostics: &mut Diagnostics) {
    let before = format!("{entry}: ");
    let unpacked = match entry.unpacked() {
        Ok(unpacked) if entry.kind == fatbin::Kind::Cubin => unpacked,
        Ok(_) => return,
        Err(fault) => return push(diagnostics, vec![fault], &before),
    };
    match Cubin::read(&unpacked) {
        Ok(cubin) => {
            push(diagnostics, verify(&cubin), &before);
            unknown_words(&cubin, diagnostics, &before);
        }
        Err(fault) => push(diagnostics, vec![fault], &before),
    }
}

/// Warns of code whose words are no instructions of the chip, a section at a time.
fn unknown_words(cubin: &Cubin, diagnostics: &mut Diagnostics, before: &str) {
    let Some(chip) = cubin.chip() else {
        return;
    };
    for section in cubin.sections.iter().filter(|section| section.is_code()) {
        let Content::Bytes(bytes) = &section.content else {
            continue;
        };
        let (words, _) = bytes.as_chunks::<16>();
        let is_unknown = |(_, word): &(usize, &[u8; 16])| {
            print::text(chip, u128::from_le_bytes(**word), &print::At(0)).is_none()
        };
        let unknown: Vec<_> = words.iter().enumerate().filter(is_unknown).collect();
        let [(first, _), ..] = unknown[..] else {
            continue;
        };
        let message = format!(
            "{before}section `{}`: {} of {} words are no instructions of {chip}, the first at {:#x}",
            cubin.section_name(section),
            unknown.len(),
            words.len(),
            first * 16
        );
        diagnostics.push(
            Diagnostic::warning(codes::CUBIN_WORDS, Span::default(), message)
                .help("`warpc dis` shows them as .unknown; is the file for another chip?"),
        );
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
