//! `warpc link`: modules of LLVM IR into one.

use crate::code_options::{dialect, plain_options};
use crate::emit::Ending;
use crate::{MessageFormat, report};
use std::path::PathBuf;
use std::process::ExitCode;
use warpc::{Kind, Output, Source};

/// What `warpc link` was asked for.
#[derive(clap::Args)]
pub struct Arguments {
    /// Modules of LLVM IR, the first one being linked into; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Where to write; `-` is standard output. A name that ends in `.bc` gets bitcode.
    #[arg(short, value_name = "OUT", default_value = "-")]
    output: PathBuf,
    /// The LLVM that bitcode is for: `current`, or `7`, with typed pointers.
    #[arg(long, value_name = "LLVM", default_value = "current", value_parser = dialect)]
    bitcode: warpc::BitcodeDialect,
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
    let writes_bitcode = Ending::of(&arguments.output) == Ok(Some(Ending::Bc));
    if !writes_bitcode && let Some(problem) = Ending::problem(&arguments.output, Ending::Ll) {
        report::failure(&problem, format);
        return ExitCode::from(2);
    }
    let mut sources = Vec::new();
    for name in &arguments.files {
        match Source::read(name).and_then(|source| source.only(&[Kind::Llvm])) {
            Ok(source) => sources.push(source),
            Err(error) => return report::failure(&error, format),
        }
    }
    let mut options = plain_options();
    options.link.only_needed = arguments.only_needed;
    options.link.internalize_added = arguments.internalize_added;
    options.link.keep = arguments.internalize.clone();
    options.bitcode.dialect = arguments.bitcode;
    let linked = warpc::link(&sources, &options).and_then(|llvm| match writes_bitcode {
        true => llvm.to_bitcode(&options),
        false => {
            let text = llvm.to_string().into_bytes();
            Output::new(text, Default::default())
        }
    });
    let failed = report::diagnostics(sources[0].file(), &linked.diagnostics, format);
    match linked.value.filter(|_| !failed) {
        Some(bytes) => report::output(bytes, Some(&arguments.output), format),
        None => ExitCode::from(1),
    }
}
