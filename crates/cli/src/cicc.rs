//! `warpc cicc`: the command line of cicc, for modules of LLVM IR.
//!
//! ```text
//!   words ──line──► Line ──warpc::produce──► PTX, bitcode, LTO-IR
//!            flags            │ diagnostics
//!                             ▼
//!                          message: in libNVVM's form
//! ```
//!
//! The same command runs when the program is called `cicc`. What flags and modes mean here is in `docs/cicc.md`.

mod flags;
mod line;
mod message;

use line::{Line, Print, Refused};
use message::Messages;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use warpc::{Kind, Product, Source, SourceError};

/// The statuses of cicc: an option that is not one, and everything else that has no number of its own.
const BAD_OPTION: u8 = 7;
const FAILED: u8 = 1;

/// What C++ ends in, as nvcc writes it for cicc.
const CXX: [&str; 8] = ["ii", "i", "gpu", "cup", "ci", "cu", "cpp", "c"];

/// Whether a program of this name stands where cicc stood.
pub fn is_named(program: &Path) -> bool {
    program.file_stem().is_some_and(|stem| stem == "cicc")
}

/// Runs with the words after the command's name.
pub fn run(words: Vec<String>) -> ExitCode {
    let mut messages = Messages::default();
    let line = match Line::read(words, &mut messages) {
        Ok(line) => line,
        Err(Refused) => return ExitCode::from(BAD_OPTION),
    };
    match compile(line, &mut messages) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Refused) => ExitCode::from(messages.status.unwrap_or(FAILED)),
    }
}

fn compile(line: Line, messages: &mut Messages) -> Result<(), Refused> {
    let print = line.print.or(line.inputs.is_empty().then_some(Print::Help));
    if let Some(print) = print {
        let text = match print {
            Print::Help => line::help(),
            Print::Version => format!(
                "cicc: warpc's compiler of LLVM IR, in the place of NVIDIA (R) cicc\nwarpc {}\n",
                env!("CARGO_PKG_VERSION")
            ),
        };
        // Whoever reads from us may stop at any time.
        let _ = std::io::stdout().write_all(text.as_bytes());
        return Ok(());
    }
    let mut sources = Vec::new();
    for name in &line.inputs {
        sources.push(source(name, messages)?);
    }
    let made = warpc::produce(&sources, line.mode, &line.options);
    let failed = messages.diagnostics(&made.diagnostics);
    let Some(made) = made.value.filter(|_| !failed) else {
        return Err(Refused);
    };
    let product = line.mode.product;
    if let Some(ptx) = made.ptx {
        let path = output(&line.output, &line.inputs, "ptx");
        write(&path, ptx.to_string().as_bytes(), messages)?;
    }
    if let Some(llvm) = made.llvm {
        let path = match (product.has_lto(), &line.lto_output) {
            (true, Some(path)) => PathBuf::from(path),
            (true, None) if product == Product::LtoAndPtx => {
                output(&line.output, &line.inputs, "ptx").with_extension("ltoir")
            }
            _ => output(&line.output, &line.inputs, product.ending()),
        };
        let bitcode = llvm.to_bitcode(&line.options);
        if messages.diagnostics(&bitcode.diagnostics) {
            return Err(Refused);
        }
        write(&path, &bitcode.value.unwrap_or_default(), messages)?;
    }
    Ok(())
}

/// Reads an input. C++ is refused by name.
fn source(name: &str, messages: &mut Messages) -> Result<Source, Refused> {
    let ending = Path::new(name)
        .extension()
        .and_then(|ending| ending.to_str());
    if ending.is_some_and(|ending| CXX.contains(&ending)) {
        messages.error(format_args!(
            "{name}: C++ is not compiled here; give LLVM IR (.ll) or bitcode (.bc), as `clang -emit-llvm` writes them"
        ));
        return Err(Refused);
    }
    let read = || -> Result<Source, SourceError> {
        let io = |error| SourceError::Io(name.to_owned(), error);
        let mut bytes = Vec::new();
        match name {
            "-" => std::io::stdin().read_to_end(&mut bytes).map_err(io)?,
            name => std::fs::File::open(name)
                .and_then(|mut file| file.read_to_end(&mut bytes))
                .map_err(io)?,
        };
        // Whether it is text or bitcode, the bytes say. Machine code has a mark that neither has.
        let kind = match ending {
            Some("mlir") => Kind::Mlir,
            _ => match Kind::of_machine_code(&bytes) {
                Some(kind) => kind,
                None => Kind::Llvm,
            },
        };
        Source::of_kind(kind, name, bytes)?.only(&[Kind::Llvm, Kind::Mlir])
    };
    read().map_err(|error| {
        messages.error(error);
        Refused
    })
}

/// Where something goes: where it was asked to, or beside the first input.
fn output(asked: &Option<String>, inputs: &[String], ending: &str) -> PathBuf {
    match (asked, inputs.first().map(String::as_str)) {
        (Some(path), _) => PathBuf::from(path),
        (None, Some("-") | None) => PathBuf::from("-"),
        (None, Some(input)) => {
            let name = Path::new(input).file_stem().unwrap_or_default();
            Path::new(name).with_extension(ending)
        }
    }
}

fn write(path: &Path, bytes: &[u8], messages: &mut Messages) -> Result<(), Refused> {
    let written = match path == Path::new("-") {
        true => std::io::stdout().write_all(bytes),
        false => std::fs::write(path, bytes),
    };
    written.map_err(|error| {
        messages.error(format_args!("{}: {error}", path.display()));
        Refused
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_sees_its_name() {
        assert!(is_named(Path::new("/opt/cuda/nvvm/bin/cicc")));
        assert!(!is_named(Path::new("ptxas")));
    }

    #[test]
    fn outputs_are_beside_their_inputs() {
        let inputs = ["a/k.ll".to_owned()];
        assert_eq!(output(&None, &inputs, "ptx"), Path::new("k.ptx"));
        let asked = Some("x/y".to_owned());
        assert_eq!(output(&asked, &inputs, "ptx"), Path::new("x/y"));
        assert_eq!(output(&None, &["-".to_owned()], "bc"), Path::new("-"));
    }
}
