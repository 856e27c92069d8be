//! One file test.

use std::fmt::Write;
use std::path::Path;
use warpc::{Checked, Kind, Options, Source, reassemblable};
use warpc_diag::{Severity, SourceFile};

const BLOCK: &str = "// expect ptx:";

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
    let command = text
        .lines()
        .find_map(|line| line.strip_prefix("// test: "))
        .ok_or("no line `// test: …`")?;
    let file = SourceFile::new(name, text.clone()).ok_or("the file is too large")?;
    match command.split(" //").next().unwrap_or_default().trim() {
        "check" => check(&file, &text),
        "fmt" => fmt(path, &file, &text),
        "run" => crate::run::run(path, &text),
        other => Err(format!("unknown test `{other}`")),
    }
}

/// An error or a warning that a line expects.
pub struct Wanted<'t> {
    severity: Severity,
    column: Option<usize>,
    /// What the message contains.
    pub text: &'t str,
}

impl Wanted<'_> {
    /// Whether an error is the one.
    pub fn fits(&self, column: usize, message: &str) -> bool {
        self.column.is_none_or(|wanted| wanted == column) && message.contains(self.text)
    }
}

/// `error: text` or `error@column: text` in a comment, up to the next comment; several are separated
/// by ` | `. The same for `warning`.
pub fn expected_errors(line: &str) -> Vec<Wanted<'_>> {
    let mut wanted = wanted_errors(line, "// error", " // ");
    wanted.extend(wanted_errors(line, "// warning", " // "));
    wanted
}

/// The same behind a mark, up to the next comment.
pub fn wanted_errors<'t>(line: &'t str, mark: &str, next: &str) -> Vec<Wanted<'t>> {
    let Some((_, comment)) = line.split_once(mark) else {
        return Vec::new();
    };
    let (column, texts) = match comment.strip_prefix('@').map(|rest| rest.split_once(':')) {
        Some(Some((column, texts))) => (column.parse().ok(), texts),
        Some(None) => return Vec::new(),
        None => match comment.strip_prefix(':') {
            Some(texts) => (None, texts),
            None => return Vec::new(),
        },
    };
    let texts = texts.split(next).next().unwrap_or_default();
    texts
        .split(" | ")
        .map(|text| Wanted {
            severity: match mark.ends_with("warning") {
                true => Severity::Warning,
                false => Severity::Error,
            },
            column,
            text: text.trim(),
        })
        .collect()
}

/// Reports the errors that did not come. `met` has the numbers of those that did, for each line.
pub fn unmet(text: &str, met: &[Vec<usize>], report: &mut String) {
    for (i, line) in text.lines().enumerate() {
        for (number, wanted) in expected_errors(line).iter().enumerate() {
            if !met[i].contains(&number) {
                let _ = writeln!(
                    report,
                    "line {}: the error `{}` did not come",
                    i + 1,
                    wanted.text
                );
            }
        }
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
    let mut met = vec![Vec::new(); text.lines().count()];
    for diagnostic in diagnostics.as_slice() {
        let place = file.position(diagnostic.span.start);
        let line = text.lines().nth(place.line - 1).unwrap_or_default();
        let wanted = expected_errors(line).iter().position(|wanted| {
            wanted.severity == diagnostic.severity && wanted.fits(place.column, &diagnostic.message)
        });
        match (wanted, met.get_mut(place.line - 1)) {
            (Some(number), Some(met)) => met.push(number),
            _ => {
                let _ = writeln!(
                    report,
                    "{}:{}: {}",
                    place.line, place.column, diagnostic.message
                );
            }
        }
    }
    unmet(text, &met, &mut report);
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
    let module = parsed.module;
    let printed = warpc_ptx::print(&module);
    let again = SourceFile::new("printed", printed.clone()).ok_or("the print is too large")?;
    if warpc_ptx::parse(&again).module != module {
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
