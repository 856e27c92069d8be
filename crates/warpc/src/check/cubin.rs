//! Checking cubins and fatbins.

use warpc_cubin::{Content, Cubin, Fault, fatbin, verify};
use warpc_diag::{Diagnostic, Diagnostics, Output, Span, codes};
use warpc_sass::Shapes;

/// Reads and verifies a cubin. Diagnostics name places in their text: a line of a binary file shows nothing.
pub(crate) fn check_cubin(bytes: &[u8]) -> Output<Cubin> {
    let mut diagnostics = Diagnostics::new();
    match Cubin::read(bytes) {
        Ok(cubin) => {
            push(&mut diagnostics, verify(&cubin), "");
            unknown_words(&cubin, &mut diagnostics, "");
            Output::new(cubin, diagnostics)
        }
        Err(fault) => {
            push(&mut diagnostics, vec![fault], "");
            Output::failed(diagnostics)
        }
    }
}

/// Reads a fatbin, unpacks its entries and verifies the cubins among them.
pub(crate) fn check_fatbin(bytes: &[u8]) -> Output<()> {
    let mut diagnostics = Diagnostics::new();
    match fatbin::read(bytes) {
        Ok(entries) => {
            for entry in &entries {
                check_entry(entry, &mut diagnostics);
            }
        }
        Err(fault) => push(&mut diagnostics, vec![fault], ""),
    }
    Output::new((), diagnostics)
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

/// Warns of code whose words are not instructions of the chip, a section at a time.
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
            Shapes::of_word(chip, u128::from_le_bytes(**word)).is_none()
        };
        let unknown: Vec<_> = words.iter().enumerate().filter(is_unknown).collect();
        let [(first, _), ..] = unknown[..] else {
            continue;
        };
        let message = format!(
            "{before}section `{}`: {} of {} words are not instructions of {chip}, the first at {:#x}",
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
        diagnostics.push(diagnostic(fault, before));
    }
}

/// What is wrong with a cubin or fatbin.
pub(crate) fn diagnostic(fault: Fault, before: &str) -> Diagnostic {
    let message = format!("{before}{fault}");
    let diagnostic = Diagnostic::error(fault.code, Span::default(), message);
    match fault.help {
        "" => diagnostic,
        help => diagnostic.help(help),
    }
}
