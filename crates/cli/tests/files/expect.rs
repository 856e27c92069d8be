//! One file test.

use std::fmt::Write;
use std::path::Path;
use warpc_diag::SourceFile;
use warpc_pipeline::{check_ptx, parse_ptx};

const BLOCK: &str = "// expect ptx:";

pub fn run(path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let command = text
        .lines()
        .find_map(|line| line.strip_prefix("// test: "))
        .ok_or("no line `// test: …`")?;
    let file = SourceFile::new(name, text.clone()).ok_or("the file is too large")?;
    match command.trim() {
        "check" => check(&file, &text),
        "fmt" => fmt(path, &file, &text),
        other => Err(format!("unknown test `{other}`")),
    }
}

/// `error: text` or `error@column: text` in a comment: column if given, and the text.
fn expected_error(line: &str) -> Option<(Option<usize>, &str)> {
    let comment = line.split_once("// error")?.1;
    match comment.strip_prefix('@') {
        Some(rest) => {
            let (column, text) = rest.split_once(':')?;
            Some((column.parse().ok(), text.trim()))
        }
        None => Some((None, comment.strip_prefix(':')?.trim())),
    }
}

fn check(file: &SourceFile, text: &str) -> Result<(), String> {
    let checked = check_ptx(file);
    let mut report = String::new();
    let mut met = vec![false; text.lines().count() + 1];
    for diagnostic in checked.diagnostics.as_slice() {
        let place = file.position(diagnostic.span.start);
        let wanted = text.lines().nth(place.line - 1).and_then(expected_error);
        let fits = wanted.is_some_and(|(column, text)| {
            column.is_none_or(|column| column == place.column) && diagnostic.message.contains(text)
        });
        if fits {
            met[place.line] = true;
        } else {
            let _ = writeln!(
                report,
                "{}:{}: {}",
                place.line, place.column, diagnostic.message
            );
        }
    }
    for (i, line) in text.lines().enumerate() {
        if let Some((_, wanted)) = expected_error(line)
            && !met[i + 1]
        {
            let _ = writeln!(report, "line {}: the error `{wanted}` did not come", i + 1);
        }
    }
    if report.is_empty() {
        Ok(())
    } else {
        Err(report)
    }
}

fn fmt(path: &Path, file: &SourceFile, text: &str) -> Result<(), String> {
    let parsed = parse_ptx(file);
    let module = parsed.module.ok_or_else(|| {
        parsed
            .diagnostics
            .as_slice()
            .first()
            .map_or("cannot be read".to_owned(), |first| first.message.clone())
    })?;
    let printed = warpc_ptx::print(&module);
    let again = SourceFile::new("printed", printed.clone()).ok_or("the print is too large")?;
    if parse_ptx(&again).module.as_ref() != Some(&module) {
        return Err(format!(
            "the print does not read back as the same module:\n{printed}"
        ));
    }
    let (input, block) = text.split_once(BLOCK).unwrap_or((text, ""));
    let wanted: String = block
        .lines()
        .skip(1)
        .map(|line| {
            format!(
                "{}\n",
                line.strip_prefix("// ")
                    .unwrap_or(line.trim_start_matches("//"))
            )
        })
        .collect();
    if wanted == printed {
        return Ok(());
    }
    if std::env::var_os("WARPC_BLESS").is_some() {
        let comment: String = printed
            .lines()
            .map(|line| format!("{}\n", format!("// {line}").trim_end()))
            .collect();
        let blessed = format!("{}\n\n{BLOCK}\n{comment}", input.trim_end());
        return std::fs::write(path, blessed).map_err(|error| error.to_string());
    }
    Err(format!("wanted:\n{wanted}\ngot:\n{printed}"))
}
