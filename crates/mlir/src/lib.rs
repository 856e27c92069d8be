//! MLIR's `llvm` and `nvvm` dialects, read as NVVM IR.
//!
//! ```text
//!   text ──scan, parse──► operations ──check, translate──► LLVM IR ──nvvm::read_text──► Module
//!             ▲                             ▲
//!             └────────── table ────────────┘
//! ```
//!
//! What an operation looks like and what it becomes stands in one row of the `table`. The translation writes
//! LLVM IR as text, as `mlir-translate --mlir-to-llvmir` does, and the reader of `nvvm` takes it from there: so
//! types, attributes and metadata have one reader with one set of rules. Places are led back to the MLIR text.

mod check;
mod number;
mod parse;
mod place;
mod scan;
mod table;
mod translate;
mod tree;
mod types;

use warpc_diag::{Diagnostic, Diagnostics, Output, SourceFile, Span, codes};
use warpc_nvvm::Module;

/// Reads a module of MLIR.
///
/// ```
/// let text = "llvm.func @f(%x: i32) -> i32 {\n  llvm.return %x : i32\n}\n";
/// let file = warpc_diag::SourceFile::new("f.mlir", text).unwrap();
/// assert_eq!(warpc_mlir::read(&file).unwrap().functions().count(), 1);
/// ```
pub fn read(file: &SourceFile) -> Output<Module> {
    let text = match std::str::from_utf8(file.bytes()) {
        Ok(text) => text,
        Err(error) => {
            let at = error.valid_up_to() as u32;
            let span = Span::new(at, at + 1);
            let mut diagnostics = Diagnostics::new();
            diagnostics.push(Diagnostic::error(
                codes::MLIR_SYNTAX,
                span,
                "the text is not UTF-8 here",
            ));
            return failed(diagnostics);
        }
    };
    let mut parsed = parse::parse(text);
    if !parsed.diagnostics.has_errors() {
        check::check(&mut parsed.ops, &mut parsed.diagnostics);
    }
    if parsed.diagnostics.has_errors() {
        return failed(parsed.diagnostics);
    }
    let translated = translate::translate(&parsed.ops, &parsed.structs);
    if translated.diagnostics.has_errors() {
        return failed(translated.diagnostics);
    }
    let mut read = match SourceFile::new(file.name(), translated.text) {
        Some(llvm) => warpc_nvvm::read_text(&llvm),
        None => {
            let mut diagnostics = Diagnostics::new();
            let message = "the LLVM IR of this module is too large";
            diagnostics.push(Diagnostic::error(
                codes::TOO_LARGE,
                Span::default(),
                message,
            ));
            return failed(diagnostics);
        }
    };
    place::lead_back(&mut read, &translated.places, text);
    read
}

fn failed(mut diagnostics: Diagnostics) -> Output<Module> {
    diagnostics.sort_by_place();
    Output::failed(diagnostics)
}
