//! Diagnostics as lines of a log, in the form of libNVVM's: `name (line, column): parse message`, `error: message`.

use warpc::{Diagnostic, Diagnostics, Severity};

/// What a diagnostic is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Reading a module.
    Parse,
    /// Linking modules.
    Link,
    /// Verifying or compiling.
    Other,
}

/// The lines of diagnostics, errors and, unless they are not to be shown, warnings.
pub fn lines(diagnostics: &Diagnostics, stage: Stage, quiet: bool) -> String {
    let shown = diagnostics
        .as_slice()
        .iter()
        .filter(|diagnostic| diagnostic.severity == Severity::Error || !quiet)
        .map(|diagnostic| line(diagnostic, stage));
    let mut log = shown.collect::<Vec<_>>().join("\n");
    if diagnostics.left_out() > 0 {
        log.push_str(&format!("\n{} more", diagnostics.left_out()));
    }
    log
}

fn line(diagnostic: &Diagnostic, stage: Stage) -> String {
    let place = diagnostic.file.as_ref().map(|file| {
        let inside =
            (diagnostic.span.end as usize) <= file.bytes().len() && !file.bytes().is_empty();
        match inside {
            // Columns are counted from zero there.
            true => {
                let at = file.position(diagnostic.span.start);
                let column = at.column.saturating_sub(1);
                format!("{} ({}, {column}): ", file.name(), at.line)
            }
            false => format!("{}: ", file.name()),
        }
    });
    let what = match (stage, diagnostic.severity) {
        (Stage::Parse, Severity::Error) => "parse ",
        (Stage::Link, Severity::Error) => "link error: error: ",
        (_, severity) => match severity {
            Severity::Error => "error: ",
            _ => "warning: ",
        },
    };
    // Help that names an option of the command is not in the words of who calls a library.
    let help = diagnostic
        .help
        .as_ref()
        .filter(|help| !help.contains("`--"));
    let help = help.map_or_else(String::new, |help| format!("; {help}"));
    let label = diagnostic.label.as_ref();
    let label = label.map_or_else(String::new, |label| format!(" ({label})"));
    let place = place.unwrap_or_default();
    format!("{place}{what}{}{label}{help}", diagnostic.message)
}
