//! `warpc link`: modules of LLVM IR into one.

use crate::emit::Ending;
use crate::{MessageFormat, report};
use std::path::PathBuf;
use std::process::ExitCode;
use warpc::{Input, Kind, check_llvm, guarded};
use warpc_diag::{Diagnostic, Diagnostics, Severity, SourceFile, Span};
use warpc_nvvm::link::{Message, Options, Place, drop_unused, internalize, link};

/// What `warpc link` was asked for.
#[derive(clap::Args)]
pub struct Arguments {
    /// Modules of LLVM IR, the first one being linked into; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Where to write; `-` is standard output.
    #[arg(short, value_name = "OUT", default_value = "-")]
    output: PathBuf,
    /// Make internal all definitions but these, and drop what nothing needs any more. Kernels are no
    /// exception: name them.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    internalize: Vec<String>,
    /// Make internal what the second and further modules bring: for libraries.
    #[arg(long)]
    internalize_added: bool,
    /// Take from the second and further modules only what is needed.
    #[arg(long)]
    only_needed: bool,
}

pub fn run(arguments: &Arguments, format: MessageFormat) -> ExitCode {
    if let Some(problem) = Ending::problem(&arguments.output, Ending::Ll) {
        report::failure(&problem, format);
        return ExitCode::from(2);
    }
    let mut files = Vec::new();
    let mut modules = Vec::new();
    for name in &arguments.files {
        let input = match Input::read(name).and_then(|input| input.only(&[Kind::Llvm])) {
            Ok(input) => input,
            Err(error) => return report::failure(&error, format),
        };
        let checked = check_llvm(&input.file, crate::compile::nvvm_options());
        let failed = report::diagnostics(&input.file, &checked.diagnostics, format);
        modules.extend(checked.module.filter(|_| !failed));
        files.push(input.file);
    }
    if modules.len() < files.len() {
        return ExitCode::from(1);
    }
    let options = Options {
        only_needed: arguments.only_needed,
        internalize_added: arguments.internalize_added,
    };
    let stage = || {
        let mut linked = link(modules, options);
        if !arguments.internalize.is_empty() && !linked.has_errors() {
            let names = &arguments.internalize;
            internalize(&mut linked.module, |name| {
                names.iter().any(|kept| kept.as_bytes() == name)
            });
            drop_unused(&mut linked.module);
        }
        let broken = match linked.has_errors() {
            true => None,
            false => linked.verify().err(),
        };
        let failed = linked.has_errors() || broken.is_some();
        let text = (!failed).then(|| warpc_nvvm::print(&linked.module));
        (text, linked.messages, broken)
    };
    let (text, messages, broken) = match guarded(&files[0], stage) {
        Ok(answer) => answer,
        Err(diagnostics) => {
            report::diagnostics(&files[0], &diagnostics, format);
            return ExitCode::from(1);
        }
    };
    let mut failed = false;
    for message in &messages {
        failed |= show(message, &files, format);
    }
    if let Some((file, diagnostics)) = &broken {
        report::diagnostics(file, diagnostics, format);
    }
    match text.filter(|_| !failed) {
        Some(text) => report::output(&text, Some(&arguments.output), format),
        None => ExitCode::from(1),
    }
}

/// Prints a message at its first place; the others are named. Whether it is an error.
fn show(message: &Message, files: &[SourceFile], format: MessageFormat) -> bool {
    let (file, span) = match message.places.first() {
        Some(&Place { module, pos }) => (&files[module], line_at(&files[module], pos)),
        None => (&files[message.module], Span::default()),
    };
    let mut diagnostic = match message.severity {
        Severity::Error => Diagnostic::error(message.code, span, &message.text),
        _ => Diagnostic::warning(message.code, span, &message.text),
    }
    .help(message.help);
    if let Some(&Place { module, pos }) = message.places.get(1) {
        let other = &files[module];
        let at = other.position(pos);
        let place = format!("{}:{}:{}", other.name(), at.line, at.column);
        diagnostic = diagnostic.label(format!("the other one is at {place}"));
    }
    let mut diagnostics = Diagnostics::new();
    diagnostics.push(diagnostic);
    report::diagnostics(file, &diagnostics, format)
}

/// From a place to the end of its first word.
fn line_at(file: &SourceFile, pos: u32) -> Span {
    let rest = file.bytes().get(pos as usize..).unwrap_or_default();
    let len = rest.iter().position(|byte| byte.is_ascii_whitespace());
    Span {
        start: pos,
        end: pos + len.unwrap_or(rest.len()) as u32,
    }
}
