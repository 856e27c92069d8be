//! `warpc compile`: from one representation to another.

use crate::{MessageFormat, report};
use std::path::Path;
use std::process::ExitCode;
use warpc_nvvm::NvvmOptions;
use warpc_pipeline::{Input, Kind, check_llvm};

/// What `--emit` makes.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Emit {
    /// LLVM IR as text, in the form of LLVM 22.
    Ll,
}

pub fn run(
    name: &str,
    output: Option<&str>,
    emit: Option<Emit>,
    format: MessageFormat,
) -> ExitCode {
    let input = match Input::read_as(name, Kind::Llvm) {
        Ok(input) => input,
        Err(error) => return report::failure(&error, format),
    };
    let Some(emit) = emit.or_else(|| emit_of(output?)) else {
        let message = "say what to make: `--emit ll`, or an output that ends in .ll";
        report::failure(&message, format);
        return ExitCode::from(2);
    };
    let beside = Path::new(name).with_extension(match emit {
        Emit::Ll => "ll",
    });
    let output = match output {
        Some(output) => output.to_owned(),
        None if name == "-" => "-".to_owned(),
        None => beside.to_string_lossy().into_owned(),
    };
    if output == name && name != "-" {
        let message = format_args!("{name}: the output would replace the input; use `-o`");
        report::failure(&message, format);
        return ExitCode::from(2);
    }
    let checked = check_llvm(&input.file, nvvm_options());
    report::diagnostics(&input.file, &checked.diagnostics, format);
    let Some(module) = checked.module else {
        return ExitCode::from(1);
    };
    let text = match emit {
        Emit::Ll => warpc_nvvm::print(&module),
    };
    report::output(&text, Some(&output), format)
}

/// The rules for modules of GPUs: as for libNVVM, `NVVM_IR_VER_CHK=0` skips the version.
pub fn nvvm_options() -> NvvmOptions {
    NvvmOptions::from_version_check(std::env::var("NVVM_IR_VER_CHK").ok().as_deref())
}

/// What the ending of an output says.
fn emit_of(output: &str) -> Option<Emit> {
    match Path::new(output).extension()?.to_str()? {
        "ll" => Some(Emit::Ll),
        _ => None,
    }
}
