//! `warpc litmus`: the verdict of the memory model on litmus tests.

use crate::{MessageFormat, report};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use warpc::diag::{Diagnostic, Diagnostics, SourceFile, Span, codes};
use warpc::litmus::{Options, Verdict, svg};

/// What `warpc litmus` takes.
#[derive(clap::Args)]
pub struct Arguments {
    /// Litmus tests, or kernels of PTX with a condition in their comments; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The model: `ptx-6.0`, or `ptx-7.5` which has proxies.
    #[arg(long, value_name = "MODEL", default_value = "ptx-7.5", value_parser = ["ptx-6.0", "ptx-7.5"])]
    model: String,
    /// Draw what decides: the execution, or the cycle that an axiom forbids.
    #[arg(long)]
    show: bool,
    /// Write the drawing to a file, as SVG. Takes one test.
    #[arg(long, value_name = "OUT")]
    svg: Option<PathBuf>,
    /// How often a jump backwards is followed in each thread; executions with longer loops are left out.
    #[arg(long, value_name = "N", default_value_t = 2)]
    unroll: u32,
}

pub fn run(arguments: &Arguments, format: MessageFormat) -> ExitCode {
    if arguments.svg.is_some() && arguments.files.len() > 1 {
        report::failure(&"`--svg` takes one test", format);
        return ExitCode::from(2);
    }
    let mut status = ExitCode::SUCCESS;
    for path in &arguments.files {
        if !one(arguments, path, format) {
            status = ExitCode::from(1);
        }
    }
    status
}

/// Judges one file. Whether it holds, and everything was written.
fn one(arguments: &Arguments, path: &Path, format: MessageFormat) -> bool {
    let (name, file) = match source(path) {
        Ok(file) => file,
        Err(error) => {
            report::failure(&error, format);
            return false;
        }
    };
    let mut options = Options::default();
    if let Some(version) = warpc::litmus::model(&arguments.model) {
        options.version = version;
    }
    options.limits.unroll = arguments.unroll;
    options.draw = arguments.show || arguments.svg.is_some();
    let judged = warpc::judge_litmus(&file, &options);
    let failed = report::diagnostics(&file, &judged.diagnostics, format);
    let Some(verdict) = judged.value.filter(|_| !failed) else {
        return false;
    };
    if verdict.cut && !verdict.is_witnessed {
        let message = "loops were cut: executions with more rounds were not searched, and one of them may decide";
        let mut found = Diagnostics::of(
            Diagnostic::warning(codes::LITMUS_TOO_LARGE, Span::NOWHERE, message)
                .help("`--unroll N` follows jumps backwards N times in a thread"),
        );
        found.in_file(&file);
        report::known_diagnostics(&found, format);
    }
    let printed = report::output(text(&name, &verdict, arguments.show), None, format);
    let mut is_written = printed == ExitCode::SUCCESS;
    if let (Some(out), Some(drawing)) = (&arguments.svg, &verdict.drawing) {
        let drawn = svg(drawing, &name);
        is_written &= report::output(drawn, Some(out), format) == ExitCode::SUCCESS;
    }
    verdict.holds && is_written
}

fn text(name: &str, verdict: &Verdict, show: bool) -> String {
    let word = if verdict.holds { "holds" } else { "fails" };
    let mut text = format!("{name}: {word}\n");
    if let Some(drawing) = verdict.drawing.as_ref().filter(|_| show) {
        text.push_str(&drawing.to_string());
    }
    text
}

/// Reads a file, or standard input.
fn source(path: &Path) -> Result<(String, Arc<SourceFile>), String> {
    let name = match path == Path::new("-") {
        true => "standard input".to_string(),
        false => path.to_string_lossy().into_owned(),
    };
    let bytes = match path == Path::new("-") {
        true => {
            let mut bytes = Vec::new();
            let read = std::io::stdin().read_to_end(&mut bytes);
            read.map(|_| bytes)
        }
        false => std::fs::read(path),
    };
    let bytes = bytes.map_err(|error| format!("{name}: {error}"))?;
    let len = bytes.len();
    match SourceFile::new(name.clone(), bytes) {
        Some(file) => Ok((name, Arc::new(file))),
        None => Err(format!("{name}: {len} bytes are too many")),
    }
}
