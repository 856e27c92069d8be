//! One file test.

use std::path::Path;
use warpc::{Checked, Kind, Options, Source, reassemblable};
use warpc_diag::SourceFile;
use warpc_testkit::directives::{Comment, Equal, Messages, Severity, compare_block};

pub fn run(path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    if path.extension().is_some_and(|ending| ending == "ll") {
        return crate::compile::run(path, &text);
    }
    let mut commands = Comment::Slashes.values(&text, "test");
    let command = commands.next().ok_or("no line `// test: …`")?;
    let file = SourceFile::new(name, text.clone()).ok_or("the file is too large")?;
    match command.split(" //").next().unwrap_or_default().trim() {
        "check" => check(&file, &text),
        "fmt" => fmt(path, &file, &text),
        "run" => crate::run::run(path, &text),
        other => Err(format!("unknown test `{other}`")),
    }
}

/// How much a diagnostic matters, as file tests name it.
fn severity(of: warpc_diag::Severity) -> Severity {
    match of {
        warpc_diag::Severity::Error => Severity::Error,
        warpc_diag::Severity::Warning => Severity::Warning,
    }
}

fn check(file: &SourceFile, text: &str) -> Result<(), String> {
    let mut report = String::new();
    let kind = match file.name().ends_with(".sass") {
        true => Kind::Sass,
        false => Kind::Ptx,
    };
    let source = Source::of_kind(kind, file.name(), file.bytes());
    let source = source.map_err(|error| error.to_string())?;
    let checked = warpc::check(&source, &Options::default());
    if let Some(Checked::Cubin(cubin)) = checked.value {
        let again = Source::new("again.sass", reassemblable(&cubin));
        let again = again.map_err(|error| error.to_string())?;
        let again = warpc::assemble(&again, &Options::default()).value;
        if again.map(|again| again.write()) != Some(cubin.write()) {
            report.push_str("printed and assembled again it is another file\n");
        }
    }
    let diagnostics = checked.diagnostics;
    let mut messages = Messages::of(text, Comment::Slashes);
    for diagnostic in diagnostics.as_slice() {
        let place = file.position(diagnostic.span.start);
        messages.came(
            severity(diagnostic.severity),
            place.line,
            place.column,
            &diagnostic.message,
        );
    }
    report.push_str(&messages.report());
    if report.is_empty() {
        Ok(())
    } else {
        Err(report)
    }
}

fn fmt(path: &Path, file: &SourceFile, text: &str) -> Result<(), String> {
    let parsed = warpc_ptx::parse(file);
    if let Some(first) = parsed.diagnostics.first_error() {
        return Err(first.message.clone());
    }
    let module = parsed.value.unwrap();
    let printed = warpc_ptx::print(&module);
    let again = SourceFile::new("printed", printed.clone()).ok_or("the print is too large")?;
    if warpc_ptx::parse(&again).unwrap() != module {
        return Err(format!(
            "the print does not read back as the same module:\n{printed}"
        ));
    }
    compare_block(
        path,
        text,
        (Comment::Slashes, "ptx"),
        Equal::Exactly,
        &printed,
    )
}
