//! File tests of single passes: `tests/files/pass/NAME/*.ll`.
//!
//! - `; test: pass NAME [--arch sm_90] [--opt 0] [--ftz on] [--atomics cuda]` runs one pass; the module afterwards must be the comment
//!   block after `; expect ll:`, and the verifier must accept it.
//! - A line with `; error: TEXT` must be refused with that text, and no other line may be; `; warning: TEXT` likewise.
//!
//! `WARPC_BLESS=1` (`./x bless`) rewrites the blocks, after the same checks. A plain run never writes.

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::Path;
use warpc_diag::{Diagnostics, SourceFile};
use warpc_lower::{Atomics, Context, Options, passes::PASSES};
use warpc_testkit::directives::{Comment, Equal, Messages, Severity, compare_block};
use warpc_testkit::project;

const COMMENT: Comment = Comment::Semicolon;

fn main() {
    let arguments = Arguments::from_args();
    let root = project::tests().join("files/pass");
    let files = project::files(&root, &[".ll"]);
    assert!(!files.is_empty(), "there are no tests in {root:?}");
    let trials = files.into_iter().map(|path| {
        let name = path.strip_prefix(&root).unwrap_or(&path).display();
        Trial::test(name.to_string(), move || run(&path).map_err(Failed::from))
    });
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

/// The pass and the options that a `; test:` line names.
fn command(text: &str) -> Result<(&str, Options), String> {
    let mut commands = COMMENT.values(text, "test");
    let line = commands.find_map(|line| line.strip_prefix("pass "));
    let line = line.ok_or("no line `; test: pass NAME`")?;
    let mut words = line.split_whitespace();
    let name = words.next().ok_or("the pass has no name")?;
    let mut options = Options::default();
    while let (Some(flag), Some(value)) = (words.next(), words.next()) {
        match flag {
            "--arch" => options.sm = value.parse().map_err(|_| "no such chip")?,
            "--opt" => options.level = value.parse().map_err(|_| "no such level")?,
            "--ftz" => options.ftz = value == "on",
            "--atomics" => {
                options.atomics = match value {
                    "cuda" => Atomics::Cuda,
                    _ => Atomics::Written,
                }
            }
            _ => return Err(format!("unknown flag `{flag}`")),
        }
    }
    Ok((name, options))
}

fn run(path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let (name, options) = command(&text)?;
    let folder = path.parent().and_then(|folder| folder.file_name());
    if folder.is_none_or(|folder| folder != name) {
        return Err(format!("a test of `{name}` stands in another folder"));
    }
    let file = SourceFile::new("test.ll", text.clone()).ok_or("the file is too large")?;
    let read = warpc_nvvm::read_text(&file);
    no_errors("cannot be read", &read.diagnostics)?;
    let mut module = read.value.unwrap();
    no_errors("the input is wrong", &warpc_nvvm::verify(&module))?;
    let mut context = Context::new(&module, &options);
    let pass = PASSES.iter().find(|pass| pass.name == name);
    pass.ok_or("no such pass")?.run(&mut module, &mut context);
    messages(&file, &text, &context.found)?;
    if context.found.has_errors() {
        return Ok(());
    }
    no_errors("the result is wrong", &warpc_nvvm::verify(&module))?;
    let printed = warpc_nvvm::print(&module);
    compare_block(path, &text, (COMMENT, "ll"), Equal::Exactly, &printed)
}

fn no_errors(what: &str, found: &Diagnostics) -> Result<(), String> {
    match found.has_errors() {
        true => Err(format!("{what}: {:#?}", found.as_slice())),
        false => Ok(()),
    }
}

/// Each error and warning must be expected on its line, and come.
fn messages(file: &SourceFile, text: &str, found: &Diagnostics) -> Result<(), String> {
    let mut messages = Messages::of(text, COMMENT);
    for found in found.as_slice() {
        let place = file.position(found.span.start);
        let severity = match found.severity {
            warpc_diag::Severity::Error => Severity::Error,
            warpc_diag::Severity::Warning => Severity::Warning,
        };
        messages.came(severity, place.line, place.column, &found.message);
    }
    match messages.report() {
        report if report.is_empty() => Ok(()),
        report => Err(report),
    }
}
