//! File tests of single passes: `tests/files/pass/NAME/*.ll`.
//!
//! - `; test: pass NAME [--arch sm_90] [--ftz on] [--atomics cuda]` runs one pass; the module afterwards must be the comment
//!   block behind `; expect ll:`, and the verifier must accept it.
//! - A line with `; error: TEXT` must be refused with that text, and no other line may be; `; warning: TEXT` likewise.
//!
//! `WARPC_BLESS=1` (`./x bless`) rewrites the blocks, after the same checks. A plain run never writes.

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use warpc_diag::{Diagnostics, SourceFile};
use warpc_lower::{Atomics, Context, Options, passes::PASSES};

const BLOCK: &str = "; expect ll:";

fn main() {
    let arguments = Arguments::from_args();
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/files/pass");
    let mut files = Vec::new();
    for folder in std::fs::read_dir(&root).into_iter().flatten().flatten() {
        let entries = std::fs::read_dir(folder.path());
        files.extend(entries.into_iter().flatten().flatten().map(|e| e.path()));
    }
    files.sort();
    assert!(!files.is_empty(), "there are no tests in {root:?}");
    let trials = files.into_iter().map(|path| {
        let name = path.strip_prefix(&root).unwrap_or(&path).display();
        Trial::test(name.to_string(), move || run(&path).map_err(Failed::from))
    });
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

/// The pass and the options that a `; test:` line names.
fn command(text: &str) -> Result<(&str, Options), String> {
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("; test: pass "))
        .ok_or("no line `; test: pass NAME`")?;
    let mut words = line.split_whitespace();
    let name = words.next().ok_or("the pass has no name")?;
    let mut options = Options::default();
    while let (Some(flag), Some(value)) = (words.next(), words.next()) {
        match flag {
            "--arch" => options.sm = value.parse().map_err(|_| "no such chip")?,
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
    let mut module = read.module;
    no_errors("the input is wrong", &warpc_nvvm::verify(&module))?;
    let mut context = Context::new(&module, &options);
    let pass = PASSES.iter().find(|pass| pass.name == name);
    pass.ok_or("no such pass")?.run(&mut module, &mut context);
    errors(&file, &text, &context.found)?;
    if context.found.has_errors() {
        return Ok(());
    }
    no_errors("the result is wrong", &warpc_nvvm::verify(&module))?;
    compare(path, &text, &warpc_nvvm::print(&module))
}

fn no_errors(what: &str, found: &Diagnostics) -> Result<(), String> {
    match found.has_errors() {
        true => Err(format!("{what}: {:#?}", found.as_slice())),
        false => Ok(()),
    }
}

/// Each error must be expected on its line, and come.
fn errors(file: &SourceFile, text: &str, found: &Diagnostics) -> Result<(), String> {
    let wanted: Vec<(usize, &str)> = text
        .lines()
        .enumerate()
        .filter_map(|(at, line)| {
            let error = line.split_once("; error: ");
            let text = error.or_else(|| line.split_once("; warning: "))?.1;
            Some((at + 1, text.trim()))
        })
        .collect();
    let fits = |line: usize, message: &str| {
        wanted
            .iter()
            .position(|&(at, text)| at == line && message.contains(text))
    };
    let mut met = vec![false; wanted.len()];
    for found in found.as_slice() {
        let line = file.position(found.span.start).line;
        match fits(line, &found.message) {
            Some(at) => met[at] = true,
            None => return Err(format!("line {line}: {}", found.message)),
        }
    }
    match met.iter().position(|met| !met) {
        Some(at) => Err(format!(
            "line {}: `{}` did not come",
            wanted[at].0, wanted[at].1
        )),
        None => Ok(()),
    }
}

fn compare(path: &Path, text: &str, printed: &str) -> Result<(), String> {
    let (input, block) = text.split_once(BLOCK).unwrap_or((text, ""));
    let comment: String = printed
        .lines()
        .map(|line| format!("{}\n", format!("; {line}").trim_end()))
        .collect();
    if text.contains(BLOCK) && block.trim() == comment.trim() {
        return Ok(());
    }
    if std::env::var_os("WARPC_BLESS").is_some() {
        let blessed = format!("{}\n\n{BLOCK}\n{comment}", input.trim_end());
        return std::fs::write(path, blessed).map_err(|error| error.to_string());
    }
    Err(format!("wanted:\n{block}\ngot:\n{comment}"))
}
